"""The open-card twin that every game has which brings none of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from kibitz.games.tablic.game import Tablic
from kibitz.jit.kernels import bind
from kibitz.search.fast import alpha_beta
from kibitz.search.fast.open_cards import DENOMINATOR, open_cards
from kibitz.search.fast.transposition_table import ENTRY
from kibitz.strategies.tablic.deal_value import through_the_game
from tests.games.boards import compiled_game, few, walk
from tests.search.fast.arrays import compiled_only


@pytest.mark.parametrize(
    ("spec", "denominator"),
    [("love-letter:players=3", DENOMINATOR), ("kuhn-poker", DENOMINATOR), ("connect-four", 512)],
)
def test_values_are_fractions_of_what_the_game_declares(spec: str, denominator: int) -> None:
    game = compiled_game(spec)
    assert getattr(game.kernels, "DENOMINATOR", DENOMINATOR) == denominator
    assert denominator == open_cards(game).DENOMINATOR


# -- partners ----------------------------------------------------------------------------------


def best_of_sides(game: Tablic, state: Any, seat: int, friends: set[int]) -> float:
    """The result to a seat if its friends play for it and all others against it."""
    if state[0].over:
        return float(game.returns(state)[seat])
    values = [best_of_sides(game, game.after(state, p), seat, friends) for p in game.plays(state)]
    return max(values) if game.mover(state) in friends else min(values)


@compiled_only
@pytest.mark.parametrize("own_twin", [True, False], ids=["its own twin", "the game itself"])
def test_a_partner_is_no_enemy(own_twin: bool) -> None:
    """Four players, the last six plies with open cards; partners sit opposite."""
    game = Tablic(players=4)
    twin = open_cards(game)
    if not own_twin:
        game.open_card_twin = ""  # type: ignore[misc]
        twin = open_cards.__wrapped__(game)
    search = bind(alpha_beta.value_plays, twin=twin)
    scale = 1000 if own_twin else 1
    alone = 0
    for seed in range(few(12, 1)):
        *states, _ = [state.copy() for state, _, _ in walk(game, seed)]
        state = next(s for s in states if s[0].dealt == 52 and s[0].held.sum() == 6)
        seat, plays = game.mover(state), game.plays(state)
        expected = [
            best_of_sides(game, game.after(state, play), seat, {seat, (seat + 2) % 4})
            for play in plays
        ]
        alone += expected != [
            best_of_sides(game, game.after(state, play), seat, {seat}) for play in plays
        ]
        stack = np.zeros(twin.MAX_PLIES + 3, twin.STATE)
        twin.set_up(state, stack[0:1])
        table, weights = np.zeros(twin.TABLE_ENTRIES, ENTRY), np.array(through_the_game(0, 0))
        work = alpha_beta.new_workspace.function(
            stack, table, weights, twin.PLAYS_CAPACITY, seat, twin.MAX_PLIES
        )
        values = np.zeros(len(plays))
        codes = np.array([play.code for play in plays])
        search(work, codes, np.arange(len(codes)), values, 0)
        assert values.tolist() == [scale * value for value in expected]
    assert alone >= few(3, 0)  # it makes a difference
