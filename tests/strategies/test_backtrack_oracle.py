"""Backtrack and genetic Tablić: every play, and every score, is the oracle's."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from kibitz.core.explanation import Explanation
from kibitz.core.registry import make_strategy
from kibitz.games.tablic.cards import NAMES, cards_of
from kibitz.games.tablic.game import Tablic, TablicPlay
from kibitz.jit.rng import stream
from tests.games.boards import few, walk
from tests.oracle import tablic_strategies as oracle
from tests.oracle.tablic_strategies import Objective, Reply
from tests.search.fast.arrays import MANY, compiled_only, composed

pytestmark = compiled_only

GAME = Tablic()


def names(cards: Any) -> tuple[str, ...]:
    return tuple(NAMES[card] for card in cards_of(int(cards)))


def as_oracle(played: Any) -> oracle.Play:
    assert isinstance(played, TablicPlay)
    return NAMES[played.card], frozenset(names(played.taken))


def seen(state: Any) -> oracle.Table:
    """A state as the oracle wants it, with the mover as "me"."""
    x = state[0]
    me = int(x.turn)

    def side(seat: int) -> oracle.Side:
        return "me" if seat == me else "other"

    return oracle.Table(
        hand=names(x.hand[me]),
        table=names(x.table),
        other_hand=names(x.hand[1 - me]),
        last_deal=bool(x.dealt == 52),
        last_captor=side(int(x.last)) if x.last >= 0 else None,
        dealer=side(int(x.dealer)),
    )


def positions(n: int, most: int) -> Iterator[Any]:
    """From random games and composed, with at most so many cards in the mover's hand."""
    source = Random(most)
    for number in range(n):
        yield composed(GAME, source, source.randint(2, most), number % 4, 3)
        states = [state for state, _, _ in walk(GAME, number)]
        yield source.choice([s for s in states if s[0].held[s[0].turn] <= most])


def decided(strategy: str, state: Any) -> Explanation:
    """What a player would play, and why."""
    view = GAME.view_open_hands(state, GAME.mover(state))
    player = make_strategy(strategy).sit(GAME, view.seat, stream(1))
    explanation = player.explain(view)
    assert player.choose(view) == explanation.best
    return explanation


@pytest.mark.parametrize("objective", ["own", "difference"])
@pytest.mark.parametrize("reply", ["greedy", "best"])
def test_backtrack_decides_like_the_oracle(objective: Objective, reply: Reply) -> None:
    differs = 0
    for state in positions(few(60 if reply == "greedy" else 30, 2), 4 if reply == "greedy" else 3):
        explanation = decided(f"backtrack:objective={objective},reply={reply}", state)
        table = seen(state)
        scores = oracle.backtrack_scores(table, objective, reply)
        assert as_oracle(explanation.best) == oracle.backtrack(table, objective, reply)
        assert len(explanation.reasons) == len(scores)
        for reason in explanation.reasons:
            points, cards = scores[as_oracle(reason.play)]
            assert reason.score == pytest.approx(points + cards / 1000, abs=1e-9)
            assert reason.parts == {"points": points, "cards": cards}
        differs += as_oracle(explanation.best) != oracle.greedy(table)
    assert differs >= few(10, 0)


def test_the_options_of_backtrack_make_a_difference() -> None:
    specs = [f"objective={o},reply={r}" for o in ("own", "difference") for r in ("greedy", "best")]
    best = {
        spec: [decided(f"backtrack:{spec}", state).best for state in positions(few(40, 4), 6)]
        for spec in specs
    }
    assert len({tuple(plays) for plays in best.values()}) == 4 or not MANY


def test_backtrack_looks_through_whole_deals_with_greedy_replies() -> None:
    for seed in range(few(2, 0)):
        states = [state for state, _, _ in walk(GAME, seed)]
        state = next(s for s in states if s[0].dealt == 52 and s[0].held[s[0].turn] == 5)
        explanation = decided("backtrack", state)
        scores = oracle.backtrack_scores(seen(state))
        for reason in explanation.reasons:
            points, cards = scores[as_oracle(reason.play)]
            assert reason.parts == {"points": points, "cards": cards}


GENOMES = [(), (1, Fraction(1, 4), Fraction(1, 2), Fraction(1, 8)), (-1, 2, -3, Fraction(-1, 2))]


@pytest.mark.parametrize("genome", GENOMES, ids=["thesis", "other", "backwards"])
def test_genetic_decides_like_the_oracle(genome: tuple[Fraction, ...]) -> None:
    given = ",".join(f"g{i}={float(weight)}" for i, weight in enumerate(genome))
    weights = genome or oracle.THESIS_GENOME
    for state in positions(few(100, 5), 6):
        explanation = decided(f"genetic:{given}" if given else "genetic", state)
        table = seen(state)
        fits = oracle.genetic_scores(table, weights)
        assert as_oracle(explanation.best) == oracle.genetic(table, weights)
        assert len(explanation.reasons) == len(fits)
        for reason in explanation.reasons:
            assert reason.score == pytest.approx(float(fits[as_oracle(reason.play)]), abs=1e-9)
