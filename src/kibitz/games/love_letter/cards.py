"""The cards of Love Letter: their names, strengths and numbers, and how they are read.

Rules 1.1 and 1.2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kibitz.core.errors import BadText

GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(1, 9)

NAMES = ("", "guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess")
NUMBERS = {name: number for number, name in enumerate(NAMES) if name}
WORDS = {**NUMBERS, **{str(number): number for number in NUMBERS.values()}}

COPIES = {
    "published": (0, 5, 2, 2, 2, 2, 1, 1, 1),
    "thesis": (0, 4, 2, 2, 2, 2, 1, 1, 1),
}

UNKNOWN = 15
"""In the place of a card in a state: some card that is not known."""
ANY = 255
"""A bit for each card."""

FACE_UP = 3
"""How many cards lie face up with two players. Rule 2.2."""

TARGETS = {2: 7, 3: 5, 4: 4}
"""Rounds to win a match, by the number of players. Rule 8.1."""

EFFECTS = {
    GUARD: "Name a player and a card other than Guard. If he holds it, he is out.",
    PRIEST: "See a player's card.",
    BARON: "Compare the card you keep with a player's. The lower is out.",
    HANDMAID: "Until your next turn nobody can name you.",
    PRINCE: "A player, or you, discards his card and draws another.",
    KING: "Trade the card you keep with a player's.",
    COUNTESS: "No effect, but she must be played if you hold the Prince or the King too.",
    PRINCESS: "Whoever plays or discards her is out.",
}


def read_cards(key: str, text: str) -> list[int]:
    """Cards by name or number."""
    cards = []
    for word in text.lower().replace(",", " ").split():
        if word not in WORDS:
            raise BadText(f"{key}: there is no card {word!r}; the cards: {', '.join(NUMBERS)}")
        cards.append(WORDS[word])
    return cards


def read_face_up(text: str, deck: str) -> tuple[int, ...]:
    """The three cards in order of their numbers."""
    cards = tuple(sorted(read_cards("face_up", text)))
    if len(cards) != FACE_UP:
        raise BadText(f"with two players three cards lie face up, not {len(cards)}")
    unseen(deck, cards)
    return cards


def names(cards: Iterable[int]) -> str:
    """The names of cards, with spaces between them."""
    return " ".join(NAMES[card] for card in cards)


def unseen(deck: str, seen: Sequence[int]) -> tuple[int, ...]:
    """How many of each card are left, Guard first."""
    left = list(COPIES[deck][1:])
    for card in seen:
        left[card - 1] -= 1
        if left[card - 1] < 0:
            raise BadText(f"there are not so many cards named {NAMES[card]}")
    return tuple(left)


def count_of(counts: int, card: int) -> int:
    """How many of a card there are in a state's word of counts. Kernels call `state.copies_in`."""
    return int(counts) >> 4 * (card - 1) & 15


def cards_in(counts: int) -> list[int]:
    """The cards that a state's word of counts is of, in order."""
    return [card for card in range(1, 9) for _ in range(count_of(counts, card))]
