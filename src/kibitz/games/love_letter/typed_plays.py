"""Plays of Love Letter as people say them: `guard priest`, `Guard on seat 2, naming Priest`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kibitz.core.errors import BadText
from kibitz.core.game import Play
from kibitz.games.love_letter.cards import NUMBERS
from kibitz.games.love_letter.plays import parts_of

FILLERS = {"a", "against", "and", "at", "guess", "guessing", "name", "naming", "on", "play", "seat"}
ONESELF = {"me", "myself", "oneself", "self", "you", "yourself"}


def to_text_form(text: str, mover: int, plays: Sequence[Play]) -> str:
    """What was said as the text form has it."""
    if len(text.split()) < 2 and text.strip().lower() not in NUMBERS:
        return text
    words = re.findall(r"[^\W\d]+|\d+|[^\w\s,]", text.lower())
    card, *said = [word for word in words if word not in FILLERS] or [""]
    if card not in NUMBERS:
        raise _unclear(text)
    target = guess = ""
    for word in said:
        if not target and (word.isdecimal() or word in ONESELF):
            target = f">{mover + 1 if word in ONESELF else word}"
        elif not guess and word in NUMBERS:
            guess = f"={word}"
        elif word not in (">", "="):
            raise _unclear(text)
    parts = [parts_of(play.code) for play in plays]
    targets = {part.target for part in parts if part.card == NUMBERS[card]}
    if not target and len(targets) == 1 and -1 not in targets:
        # Who can mean one player only need not say whom.
        target = f">{targets.pop() + 1}"
    return card + target + guess


def _unclear(text: str) -> BadText:
    return BadText(f"{text.strip()!r} is not a play; write guard>2=priest, or say guard 2 priest")
