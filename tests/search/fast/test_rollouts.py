"""Games played out at random: the same many at a time and one by one; rounds of Love Letter
against those of an independent program and of the oracle."""

from __future__ import annotations

import random
from math import sqrt

import numpy as np
import pytest

from benchmarks import reference
from kibitz.jit.rng import fork, stream
from kibitz.search.fast.rollouts import random_games
from tests.games.boards import compiled_game, few
from tests.oracle.love_letter import FULL_DECK, Round

SURE = 4.0
"""Standard errors between two samples that nobody would see by chance."""


@pytest.mark.parametrize(
    "spec", ["love-letter", "love-letter:players=3", "leduc-poker", "tablic", "pig:target=20"]
)
def test_many_at_a_time_are_those_on_the_state(spec: str) -> None:
    """Also where games are played out on a lean record."""
    game = compiled_game(spec)
    kernels, root, rng = game.kernels, stream(5), stream(0)
    n = few(200, 5)
    batch = random_games(game, n, seed=5)
    for i in range(n):
        fork(root, i, rng)
        state, plies, returns = game.blank(), 0, np.zeros(game.players)
        kernels.deal(state, rng, 0)
        while not kernels.over(state):
            play = kernels.pick(state, rng)
            while play == kernels.NEVER_AT_RANDOM:
                play = kernels.pick(state, rng)
            kernels.apply(state, play)
            plies += 1
        kernels.returns(state, returns)
        assert batch.plies[i] == plies
        assert batch.returns[i].tolist() == returns.tolist()


def assert_same_share(one: int, of: int, other: int, of_other: int) -> None:
    """Two shares that differ by no more than chance explains."""
    together = (one + other) / (of + of_other)
    error = sqrt(together * (1 - together) * (1 / of + 1 / of_other))
    assert abs(one / of - other / of_other) < SURE * error


def rounds_in_cpp(n: int) -> reference.RandomRounds:
    built = reference.program()
    if built is None:
        pytest.skip("no C++ compiler here: none of " + ", ".join(reference.COMPILERS))
    return reference.play(built, n, seed=2026)


def test_random_rounds_are_those_of_plain_cpp() -> None:
    n = few(2_000_000, 3_000)
    theirs = rounds_in_cpp(2_000_000)
    ours = random_games(compiled_game("love-letter"), n, seed=7)
    assert theirs.rounds == 2_000_000
    assert_same_share(int((ours.returns[:, 0] > 0).sum()), n, theirs.won, theirs.rounds)
    assert_same_share(int((ours.returns[:, 0] == 0).sum()), n, theirs.tied, theirs.rounds)
    error = ours.plies.std() * sqrt(1 / n + 1 / theirs.rounds)
    assert abs(ours.plies.mean() - theirs.plays / theirs.rounds) < SURE * error


def test_random_rounds_in_plain_cpp_are_those_of_the_oracle() -> None:
    theirs, source = rounds_in_cpp(2_000_000), random.Random(1)
    n = few(30_000, 3_000)
    won, tied, lengths = 0, 0, []
    for _ in range(n):
        deck = list(FULL_DECK)
        source.shuffle(deck)
        round_, plays = Round(deck), 0
        while not round_.over:
            round_.play(source.choice([play for play in round_.legal() if play != "princess"]))
            plays += 1
        lengths.append(plays)
        won += round_.winners() == [1]
        tied += len(round_.winners()) == 2
    assert_same_share(won, n, theirs.won, theirs.rounds)
    assert_same_share(tied, n, theirs.tied, theirs.rounds)
    error = float(np.std(lengths)) * sqrt(1 / n + 1 / theirs.rounds)
    assert abs(float(np.mean(lengths)) - theirs.plays / theirs.rounds) < SURE * error
