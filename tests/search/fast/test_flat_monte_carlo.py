"""Flat Monte Carlo where the values in its worlds are known."""

from __future__ import annotations

import pytest

from kibitz.core.registry import make_strategy
from kibitz.jit.rng import stream
from tests.search.fast.test_ismcts import seen_at

WORLDS = 60


@pytest.mark.parametrize(
    ("hand", "called"), [("K", (2.0, 2.0)), ("Q", (-1.0, 1.0)), ("J", (-2.0, -2.0))]
)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_bet_in_kuhn_poker_is_called_if_its_value_is_more_than_a_chip(
    hand: str, called: tuple[float, float], seed: int
) -> None:
    """The last play ends the game, so a world is worth the same whoever plays on: a King wins two
    chips in each, a Jack loses two, a Queen does the one or the other. To pass loses one."""
    view = seen_at("kuhn-poker", f"hand2={hand}; bets=bet", 1)
    player = make_strategy(f"flat-mc:worlds={WORLDS}").sit(view.game, view.seat, stream(seed))
    best = "pass" if hand == "J" else "bet"
    assert str(player.choose(view)) == best
    explanation = player.explain(view)
    values = {str(reason.play): reason.score for reason in explanation.reasons}
    assert values["pass"] == -1
    assert called[0] <= values["bet"] <= called[1]
    assert str(explanation.best) == best
