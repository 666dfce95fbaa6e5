"""Positions for the rule tests of Tablić, as text in and text out."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from kibitz.core.errors import IllegalPlay
from kibitz.games.tablic.cards import parse_card
from kibitz.games.tablic.game import Tablic
from tests.oracle.tablic import CARDS

TWO, THREE, FOUR = Tablic(), Tablic(players=3), Tablic(players=4)
ALL = (TWO, THREE, FOUR)


def full_state(text: str, rest: str = "pile2", game: Tablic = TWO) -> Any:
    """A position that can be played on from: the cards it does not name go to `rest`."""
    fields = dict(part.strip().split("=") for part in text.split(";"))
    piles = {f"pile{seat}": "none" for seat in range(1, game.players + 1)}
    fields = {"deck": "none", **piles, **fields}
    if rest.startswith("pile"):
        fields.setdefault("last", rest.removeprefix("pile"))
    named = re.findall(r"\b(?:10|[2-9AJQK])[cdhs]\b", text)
    left = [card for card in CARDS if card not in named]
    fields[rest] = " ".join([fields[rest].replace("none", ""), *left]).strip() or "none"
    return game.parse_position("; ".join(f"{key}={value}" for key, value in fields.items()))


def ended(text: str, rest: str = "pile2", game: Tablic = TWO) -> Any:
    """The end of a game: piles and tablas only."""
    return full_state(f"table=none; turn=over; {text}", rest, game)


def fields(state: Any, game: Tablic = TWO) -> dict[str, str]:
    """What the text form of a state says, `none` for no card."""
    return dict(part.split("=") for part in game.position(state).split("; "))


def zone(state: Any, name: str, game: Tablic = TWO) -> set[str]:
    """The cards of one field of a state."""
    return set(fields(state, game)[name].replace("none", "").split())


def play(state: Any, *texts: str, game: Tablic = TWO) -> Any:
    for text in texts:
        state = game.apply(state, game.parse_play(state, text))
    return state


def lay(state: Any, game: Tablic = TWO) -> Any:
    """Lay the mover's first card."""
    card = fields(state, game)[f"hand{game.mover(state) + 1}"].split()[0]
    return play(state, card, game=game)


def lay_all(state: Any, game: Tablic = TWO) -> Any:
    """Play the game to its end without a capture."""
    while not game.is_over(state):
        state = lay(state, game)
    return state


def plays(table: str, hand: str, game: Tablic = TWO) -> list[str]:
    """The texts of all legal plays of seat 1."""
    state = game.parse_position(f"table={table}; hand1={hand}; deck=none")
    return [str(one) for one in game.plays(state)]


def refused(state: Any, text: str, game: Tablic = TWO) -> str:
    """The number of the rule by which a play is refused."""
    with pytest.raises(IllegalPlay) as caught:
        game.parse_play(state, text)
    assert f"(rule {caught.value.rule})" in str(caught.value)
    return caught.value.rule


def shuffled(seed: int) -> list[str]:
    return random.Random(seed).sample(CARDS, 52)


def dealt(deck: list[str], first: int = 0, game: Tablic = TWO) -> Any:
    return game.deal_deck([parse_card(card) for card in deck], first)


def random_game(game: Tablic, seed: int) -> Iterator[Any]:
    """The states of a game of random plays, the end too. Captures before lays, to be lively."""
    chance = random.Random(seed)
    state = dealt(shuffled(seed), seed % game.players, game)
    while not game.is_over(state):
        yield state
        legal = game.plays(state)
        takes = [one for one in legal if " x " in str(one)]
        state = game.apply(state, chance.choice(takes or legal))
    yield state
