"""The perft counts of the card games, counted once more by their oracles."""

from __future__ import annotations

import copy

import pytest

from kibitz.games.tablic.cards import NAMES
from tests.games.boards import compiled_game
from tests.games.love_letter.test_oracle import deck_of
from tests.games.test_conformance import divided
from tests.oracle import love_letter, tablic


def rounds(state: love_letter.Round, depth: int) -> int:
    if depth == 0 or state.over:
        return 1
    total = 0
    for play in state.legal():
        after = copy.deepcopy(state)
        after.play(play)
        total += rounds(after, depth - 1)
    return total


@pytest.mark.parametrize("players", [2, 3, 4])
def test_love_letter(players: int) -> None:
    game = compiled_game(f"love-letter:players={players}")
    start = love_letter.Round(deck_of(game, game.deal(1)), players)
    assert sum(divided(str(game), 1, 2).values()) == rounds(start, 2)


def physical(state: tablic.Game, play: tuple[str, tuple[str, ...]]) -> tuple[str, list[str]]:
    """Cards for the kinds of a play: any that are there will do."""
    table = list(state.table)
    taken = []
    for kind in play[1]:
        card = next(card for card in table if tablic.kind(card) == kind)
        table.remove(card)
        taken.append(card)
    hand = state.hands[state.mover]
    return next(card for card in hand if tablic.kind(card) == play[0]), taken


def games(state: tablic.Game, depth: int) -> int:
    if depth == 0 or state.over:
        return 1
    total = 0
    for play in state.legal():
        after = copy.deepcopy(state)
        after.play(*physical(after, play))
        total += games(after, depth - 1)
    return total


@pytest.mark.parametrize("spec", ["tablic", "tablic:players=3", "tablic:forced_capture=true"])
def test_tablic(spec: str) -> None:
    game = compiled_game(spec)
    deck = [NAMES[card] for card in game.deal(1)[0].deck]
    forced = bool(game.settings["forced_capture"])
    start = tablic.Game(deck, game.players, dealer=game.players, forced_capture=forced)
    assert sum(divided(spec, 1, 3).values()) == games(start, 3)
