"""Rounds to be solved, as texts: three cards face up, or a public position.

    face_up=priest priest countess; discards1=guard; discards2=baron; protected=1; turn=2;
    range1=guard handmaid:0.5; range2=king

Nobody's hand is named, and the player to move has not drawn yet. A range has the cards that a
player may hold, with weights if they differ: how likely he is to have come here with each.
Copies count besides: with `range1=guard king` a Guard of five is five times as likely as the King.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement

from kibitz.core.errors import BadText
from kibitz.games.love_letter.cards import (
    COPIES,
    FACE_UP,
    HANDMAID,
    NAMES,
    PRINCE,
    PRINCESS,
    read_cards,
    read_face_up,
    unseen,
)
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.text import read_fields, read_seat
from kibitz.solvers.love_letter.solver import EVEN, Round

MOST_APART = 1_000_000
KEYS = ("face_up", "discards1", "discards2", "protected", "turn", "range1", "range2")


def read_position(text: str, game: LoveLetter) -> tuple[tuple[int, ...], Round]:
    """The cards face up, and what is left of their round."""
    if any(field.partition("=")[0].strip() in ("hand1", "hand2") for field in text.split(";")):
        raise BadText(
            "nobody's hand is named in a public position: leave out hand1 and hand2; the plays for"
            " every pair of cards are told"
        )
    fields = read_fields(text, KEYS)
    deck = game.settings["deck"]
    face_up = read_face_up(fields.get("face_up", ""), deck)
    game.check_face_up(face_up)
    discards = [read_cards(f"discards{seat}", fields.get(f"discards{seat}", "")) for seat in (1, 2)]
    left = unseen(deck, (*face_up, *discards[0], *discards[1]))
    _check_discards(discards)
    if sum(left) < 4:
        raise BadText("no card is left in the deck: the round is over")
    turn = read_seat(fields, "turn", 2)
    protected = "protected" in fields and read_seat(fields, "protected", 2) != turn
    if "protected" in fields and not protected:
        raise BadText(f"seat {turn + 1} is to play: its protection has ended")
    if protected and HANDMAID not in discards[1 - turn]:
        raise BadText(f"seat {2 - turn} has played no handmaid, so it is not protected")
    ranges = [read_range(f"range{seat}", fields.get(f"range{seat}"), left) for seat in (1, 2)]
    lead = sum(discards[turn]) - sum(discards[1 - turn])
    return face_up, Round(left, protected, lead, (ranges[turn], ranges[1 - turn]))


def turn_in(text: str) -> int:
    """The seat that is to move in a position, counted from 0."""
    return read_seat(read_fields(text, KEYS), "turn", 2)


def _check_discards(discards: list[list[int]]) -> None:
    princes = sum(cards.count(PRINCE) for cards in discards)
    for cards, others in (discards, discards[::-1]):
        if PRINCESS in cards:
            raise BadText("whoever discards the princess is out: the round is over")
        if len(cards) - princes > len(others) + 1:
            raise BadText("nobody can be so many turns ahead: look at discards1 and discards2")


def read_range(key: str, text: str | None, left: Sequence[int]) -> tuple[float, ...]:
    if text is None:
        return EVEN
    named: dict[int, float] = {}
    for part in text.replace(",", " ").split():
        name, colon, number = part.partition(":")
        (card,) = read_cards(key, name or "nothing")
        try:
            weight = float(number) if colon else 1.0
        except ValueError:
            weight = -1.0
        if not 0 <= weight < float("inf"):
            raise BadText(f"{key}: {part} is not a card with a weight, such as king:0.5")
        if card in named:
            raise BadText(f"{key}: {name} is named twice")
        if weight and not left[card - 1]:
            raise BadText(f"{key}: every {name} has been seen")
        named[card] = weight
    held = [weight for weight in named.values() if weight]
    if not held:
        raise BadText(f"{key} names no card that can be held")
    if max(held) > MOST_APART * min(held):
        raise BadText(f"{key}: one weight is over {MOST_APART:,} times another; leave it out")
    return tuple(named.get(card, 0.0) for card in range(1, len(NAMES)))


def all_face_up(deck: str) -> list[tuple[int, ...]]:
    """Every set of three that can lie face up."""
    sets = []
    for cards in combinations_with_replacement(range(1, len(NAMES)), FACE_UP):
        if all(cards.count(card) <= COPIES[deck][card] for card in cards):
            sets.append(cards)
    return sets
