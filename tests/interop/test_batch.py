"""Many games stepped at once, against the same games played one by one through views."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

from kibitz.core.errors import BadText, BadType, BadValue, UnsuitableGame
from kibitz.core.registry import make_game, make_strategy
from kibitz.core.strategy import Policy
from kibitz.interop.batch import EpisodeSeeds, GameBatch, opponents_of
from kibitz.interop.one_game import OneGame
from kibitz.interop.stepping import draw_actions
from kibitz.jit.kernels import bind, template
from kibitz.jit.rng import below, stream
from kibitz.search.fast.rollouts import game
from kibitz.strategies.common.base import PolicyStrategy
from kibitz.table.table import Table
from tests.games.boards import few


def chosen_by(masks: np.ndarray, rng: Any) -> np.ndarray:
    actions = np.zeros(len(masks), np.int64)
    draw_actions(masks, rng, actions)
    return actions


@template
def by_the_past(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """A policy that remembers: which play it makes follows from all that it has seen and heard.
    For Kuhn poker."""
    number = len(past) + below(rng, 2)
    for i in range(len(past)):
        number += plays[i] + past[i].history
    return game.nth(view, number % game.count(view))


class ByThePast(PolicyStrategy):
    name: ClassVar[str] = "by-the-past"

    def policy(self, game: Any) -> Policy:
        return Policy(bind(by_the_past, game=game.kernels), remembers=True)


@pytest.mark.parametrize(
    ("spec", "opponents"),
    [
        ("love-letter", "greedy"),
        ("love-letter:players=3", ["greedy", "random"]),
        ("tablic", "random"),
        ("pig:target=20", "random"),
        ("kuhn-poker", ByThePast()),
    ],
)
def test_a_row_is_the_game_that_is_played_through_views(spec: str, opponents: Any) -> None:
    """To the bit: what is seen, what is legal, who gets what, episode after episode."""
    made = make_game(spec)
    strategies = opponents_of(made, opponents)
    compiled = GameBatch(made, 1, strategies, seed=5, again=False)
    plain = OneGame(made, strategies)
    plain.reset(5)
    rng, ends = stream(8), 0
    for _ in range(few(60, 10)):
        assert compiled.observe().tolist() == plain.observe().tolist()
        assert compiled.legal().tolist() == plain.legal().tolist()
        assert compiled.agents.tolist() == plain.agents.tolist()
        actions = chosen_by(compiled.legal(), rng)
        (results, ended), (others, over) = compiled.step(actions), plain.step(actions)
        assert results.tolist() == others.tolist()
        assert ended.tolist() == over.tolist()
        if ended[0]:
            ends += 1
            compiled.reset()
            plain.reset()
    assert ends


def test_rows_do_not_matter_to_each_other() -> None:
    """A row is a function of its seed: alone and among others."""
    together = GameBatch("love-letter", 4, "greedy", seed=[3, 9, 3, 4])
    alone = GameBatch("love-letter", 1, "greedy", seed=9)
    for _ in range(20):
        assert together.observe()[1].tolist() == alone.observe()[0].tolist()
        assert together.observe()[0].tolist() == together.observe()[2].tolist()
        first = together.legal().argmax(axis=1)
        results, _ = together.step(first)
        own, _ = alone.step(first[1:2])
        assert results[1].tolist() == own[0].tolist()


def test_a_seed_counts_up_over_the_rows() -> None:
    counted, listed = (GameBatch("tablic", 3, seed=seed) for seed in (7, [7, 8, 9]))
    assert counted.observe().tolist() == listed.observe().tolist()
    counted.reset()
    assert counted.observe().tolist() != listed.observe().tolist()
    counted.reset(7)
    assert counted.observe().tolist() == listed.observe().tolist()


def test_an_episode_in_which_the_agent_never_has_a_turn_counts() -> None:
    """It is seen as it ended, with action 0 alone; the next step brings its result."""
    games = GameBatch("love-letter", 200, "greedy", seed=1, seat=1)
    never = np.flatnonzero(games.movers < 0)
    assert len(never) > 3
    assert games.legal()[never].tolist() == [[1] + [0] * 18] * len(never)
    results, ended = games.step(games.legal().argmax(axis=1))
    assert ended[never].all()
    for row in never:
        table = Table(games.game, EpisodeSeeds(int(1 + row), 0))
        table.play(
            make_strategy("greedy").sit(games.game, 0, table.seeds.seat(0)).choose(table.view(0))
        )
        assert table.is_over
        assert tuple(results[row]) == games.game.returns(table.state)


def test_no_result_is_left_out() -> None:
    """Random play against random play is fair, whoever sits where: a mean of 0 within five
    standard errors. Without the episodes that end early it would not be. As the random
    strategy never plays the Princess, the last action, neither does the agent."""
    games, rng = GameBatch("love-letter", 500, "random", seed=2), stream(4)
    gained: list[float] = []
    for _ in range(few(240, 1)):
        agents = games.agents
        masks = games.legal()
        masks[:, -1] = 0
        results, ended = games.step(chosen_by(masks, rng))
        gained += results[np.flatnonzero(ended), agents[ended]].tolist()
    assert abs(np.mean(gained)) < 5 / np.sqrt(len(gained))


def test_an_illegal_action_ends_the_game_with_the_worst_result() -> None:
    games = GameBatch("love-letter:players=3", 50, "random", seed=3, seat=0)
    results, ended = games.step(games.legal().argmin(axis=1))
    assert ended.all()
    assert games.illegal.all()
    assert results.tolist() == [[-1.0, 0.0, 0.0]] * 50
    _, ended = games.step(games.legal().argmax(axis=1))
    assert not games.illegal.any()


def test_every_seat_may_be_an_agents() -> None:
    games, rng = GameBatch("love-letter:players=4", 20, seed=3), stream(1)
    seen: set[int] = set()
    for _ in range(30):
        movers = games.movers
        seen |= set(movers.tolist())
        for row in range(3):
            codec, state = games.codec, games.state(row)
            view = games.game.view(state, int(movers[row]))
            assert games.observe()[row].tolist() == codec.observation(view).tolist()
            assert games.legal()[row].tolist() == codec.mask(view).tolist()
        games.step(chosen_by(games.legal(), rng))
    assert seen == {0, 1, 2, 3}


def test_what_comes_out_is_a_copy() -> None:
    games = GameBatch("tic-tac-toe", 2)
    games.observe()[:] = 7
    games.legal()[:] = 0
    games.step(np.zeros(2, np.int64))[0][:] = 9
    assert games.observe().max() <= 1
    assert not games.illegal.any()


def test_bad_input_is_refused_before_anything_moves() -> None:
    games = GameBatch("tic-tac-toe", 2)
    before = games.observe().tolist()
    for wrong in ([0], [[0, 1]], [0.5, 1.0], ["a", "b"]):
        with pytest.raises(BadType):
            games.step(wrong)
    for wrong in ([0, 9], [-1, 0]):
        with pytest.raises(BadValue):
            games.step(wrong)
    assert games.observe().tolist() == before
    with pytest.raises(BadValue):
        GameBatch("tic-tac-toe", 2, ["random", "random"])
    with pytest.raises(BadValue):
        games.reset([1, 2, 3])
    with pytest.raises(BadText):
        GameBatch("tic-tac-toe", 2, "nobody")
    with pytest.raises(UnsuitableGame, match="is not compiled"):
        GameBatch("tic-tac-toe", 2, "minimax")
