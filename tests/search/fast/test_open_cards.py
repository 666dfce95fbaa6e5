"""The open-card twin that every game has which brings none of its own."""

from __future__ import annotations

import pytest

from kibitz.search.fast.open_cards import DENOMINATOR, open_cards
from tests.games.boards import compiled_game


@pytest.mark.parametrize(
    ("spec", "denominator"),
    [("love-letter:players=3", DENOMINATOR), ("kuhn-poker", DENOMINATOR), ("connect-four", 512)],
)
def test_values_are_fractions_of_what_the_game_declares(spec: str, denominator: int) -> None:
    game = compiled_game(spec)
    assert getattr(game.kernels, "DENOMINATOR", DENOMINATOR) == denominator
    assert denominator == open_cards(game).DENOMINATOR
