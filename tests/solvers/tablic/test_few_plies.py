"""Tablić's solvers on the last plies: few enough that interpreted it takes seconds."""

from __future__ import annotations

import pytest

from kibitz.core.registry import make_strategy
from kibitz.games.tablic.game import Tablic
from kibitz.solvers.tablic.best_response import best_against
from kibitz.solvers.tablic.open_deck import LEAST_MEMORY, OpenDeck
from tests.games.boards import few
from tests.oracle import tablic_best_response, tablic_open
from tests.solvers.tablic.late import positions, twins

every_bonus = pytest.mark.parametrize("bonus", ("none", "tie", "always"))


@every_bonus
def test_the_last_plies_have_the_values_of_minimax(bonus: str) -> None:
    game = Tablic(cards_bonus=bonus)
    for state in positions(game, 4, few(20, 3)):
        expected = tablic_open.play_values(game, state, quickly=False)
        deck = OpenDeck(game, state, LEAST_MEMORY)
        assert {play.code: tuple(value) for play, value in deck.values().items()} == expected
        seat, solution = int(state[0].turn), deck.solve()
        assert solution.value == max(expected.values())
        for play in solution.line:
            state = game.after(state, play)
        assert tablic_open.end_value(game, state, seat) == solution.value


@every_bonus
@pytest.mark.parametrize("opponent", ["greedy", "human", "genetic"])
def test_the_last_plies_have_the_best_responses_of_the_oracle(bonus: str, opponent: str) -> None:
    game, strategy = Tablic(cards_bonus=bonus), make_strategy(opponent)
    for state, other in twins(game, 4, few(20, 2)):
        for seat in (0, 1):
            replies = tablic_best_response.OPPONENTS[opponent]
            expected = tablic_best_response.value(other, seat + 1, replies)
            assert best_against(game, state, seat, strategy).value == expected
