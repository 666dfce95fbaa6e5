"""The cards of Tablić: their text, numbers and values. Rules 1.1 to 1.3.

Card number = 4·rank + suit. A set of cards is a word with a bit for each card, so the four
suits of a rank are four bits next to each other.
"""

from collections.abc import Iterable

from kibitz.core.errors import BadText

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("c", "d", "h", "s")
SYMBOLS = ("♣", "♦", "♥", "♠")
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
NUMBERS = {name.lower(): number for number, name in enumerate(NAMES)}

TWO, TEN = 1, 9
TEN_OF_DIAMONDS = 4 * TEN + 1
TWO_OF_CLUBS = 4 * TWO

RANK_AT = 52
PLAYED_SPECIAL, TAKES_TEN, TAKES_TWO = 1 << 56, 1 << 57, 1 << 58
"""In the number of a play, above the counts of what it captures: where the played rank stands,
and the flags that 10♦ or 2♣ is played, 10♦ is captured, 2♣ is captured. See kernels.py."""

VALUES = (11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14)
"""What a played card captures. On the table an ace is 1 as well."""

DECK = (1 << 52) - 1
POINT_RANKS = (0, 9, 10, 11, 12)


def parse_card(text: str) -> int:
    """A card from its text: `10d`, `Qh`; a symbol for the suit will do too."""
    word = text.strip().lower()
    for letter, symbol in zip(SUITS, SYMBOLS, strict=True):
        word = word.replace(symbol, letter)
    if word not in NUMBERS:
        raise BadText(f"{text.strip()!r} is not a card; cards are written like 10d, Qh, As")
    return NUMBERS[word]


def cards_of(mask: int) -> list[int]:
    """The cards of a set, by rank and suit."""
    return [card for card in range(52) if mask >> card & 1]


def mask_of(cards: Iterable[int]) -> int:
    """Cards as a set of bits."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def text_of(cards: Iterable[int]) -> str:
    """The names of cards, with spaces between them."""
    return " ".join(NAMES[card] for card in cards)


def kind(card: int) -> tuple[int, bool]:
    """What tells cards apart in play: the rank, and whether it is 10♦ or 2♣. Rule 3.7."""
    return card // 4, card in (TEN_OF_DIAMONDS, TWO_OF_CLUBS)
