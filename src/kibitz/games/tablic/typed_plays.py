"""Plays of Tablić as people say them: `7s takes 2s 5s`, `9cx2s7d`, `lay 9s`, `9 x 2 7`.

The played card comes first, or after `with`. A suit may be left out where it does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kibitz.core.errors import BadText, Unclear
from kibitz.games.tablic.cards import NAMES, RANKS, SUITS, SYMBOLS, cards_of, kind

CARD = re.compile(r"(10|[2-9ajqk])([cdhs]?)")
TAKES = re.compile(r"takes?|captures?|×|x")
FILLERS = re.compile(r"[\s,+&]|and|lays?|plays?|you")
Cards = tuple[int, int]
"""The played card, and those that it takes as a word with a bit for each."""


def to_text_form(text: str, plays: Sequence[Cards]) -> str:
    """What was said as the text form has it, or the text as it is if that is not clear."""
    words = text.lower()
    for letter, symbol in zip(SUITS, SYMBOLS, strict=True):
        words = words.replace(symbol, letter)
    played, taken = _split(words)
    first, others = _cards(played), _cards(taken)
    if first is None or others is None or len(first) != 1:
        return text
    (card,) = first
    if all(suit for _, suit in (card, *others)):
        return " x ".join(filter(None, ["".join(card), " ".join(map("".join, others))]))
    # A rank alone says which card, but not whether it is laid or takes something.
    fitting = [
        play for play in plays if _may_be(card, play[0]) and (not others or _takes(others, play[1]))
    ]
    if len(fitting) > 1:
        raise Unclear(text.strip(), [_text(play) for play in fitting])
    if not fitting:
        raise BadText(f"{text.strip()!r} is not possible here; a card is written with its suit: 7s")
    return _text(fitting[0])


def _split(words: str) -> tuple[str, str]:
    """The played card, and what it takes. `x` may be left out."""
    taken, with_, played = words.partition("with")
    if with_:
        return played, TAKES.sub(" ", taken)
    takes = TAKES.search(words)
    if takes:
        return words[: takes.start()], words[takes.end() :]
    card = CARD.search(FILLERS.sub(lambda gap: " " * len(gap[0]), words))
    return (words[: card.end()], words[card.end() :]) if card else (words, "")


def _cards(words: str) -> list[tuple[str, str]] | None:
    """The cards in some words, a rank and perhaps a suit each; None if there is anything else."""
    left = FILLERS.sub(" ", words)
    if CARD.sub("", left).strip():
        return None
    return [(rank, suit) for rank, suit in CARD.findall(left)]


def _takes(said: Sequence[tuple[str, str]], taken: int) -> bool:
    """Whether these may be the captured cards: the ranks are right, and so are the suits that
    matter."""
    left = cards_of(taken)
    if len(said) != len(left):
        return False
    for word in sorted(said, key=lambda word: not word[1]):
        one = next((one for one in left if _may_be(word, one)), None)
        if one is None:
            return False
        left.remove(one)
    return True


def _may_be(word: tuple[str, str], card: int) -> bool:
    rank, suit = word
    if rank != RANKS[card // 4].lower():
        return False
    return not suit or kind(NAMES.index(RANKS[card // 4] + suit)) == kind(card)


def _text(play: Cards) -> str:
    taken = " ".join(NAMES[one] for one in sorted(cards_of(play[1]), reverse=True))
    return " x ".join(filter(None, [NAMES[play[0]], taken]))
