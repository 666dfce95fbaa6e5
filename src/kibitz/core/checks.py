"""What comes from outside, checked: seeds, seats, random streams; and anything, in few words.

Nothing that a user or a strategy of somebody else hands in reaches a kernel without this: there
a number out of range is no error, but reads or writes memory.
"""

from __future__ import annotations

import operator
import os
import sys
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadText, BadType, BadValue

DIGITS = 1000
"""A seed has so many at most: any whole number will do, but not any amount of them."""
TOO_LONG = 10**DIGITS
MOST = 1_000_000_000
LONGEST = 60


def brief(what: Any) -> str:
    """Anything in a few words, without running code of its own: a strategy may have made it."""
    if type(what) is str:
        return repr(what if len(what) <= LONGEST else what[:LONGEST] + "…")
    if type(what) is int and abs(what) >= 1 << 64:
        return "a number of more than 64 bits"
    if what is None or type(what) in (bool, int, float):
        return repr(what)
    if isinstance(what, type):
        return f"the class {_class_name(what)}"
    name = _class_name(type(what))
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


def _class_name(cls: type) -> str:
    """As Python knows it, whatever its own class says."""
    name: str = type.__dict__["__name__"].__get__(cls)
    return name


def one_line(text: str) -> str:
    """One line of what can be shown and stored, with no more than one space between words."""
    return printable(" ".join(text.split()))


def printable(text: str) -> str:
    """Without control characters, which a terminal would obey, and halves of letters."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def plain(what: Any) -> Any:
    """A number of NumPy's as Python's own; anything else as it is."""
    numpy = sys.modules.get("numpy")  # if nobody has loaded it, it is none
    return what.item() if numpy is not None and isinstance(what, numpy.generic) else what


def whole_number(what: Any, name: str) -> int:
    """A whole number: Python's own, or one of NumPy's."""
    try:
        if isinstance(what, bool):
            raise TypeError
        return int(operator.index(what))
    except TypeError:
        raise BadType(f"{name} must be a whole number, not {brief(what)}") from None


def count(what: Any, name: str, least: int = 0) -> int:
    """How many of something."""
    number = whole_number(what, name)
    if not least <= number <= MOST:
        raise BadValue(f"{name}={brief(number)} is not possible; allowed: {least} to {MOST:,}")
    return number


def seed(what: Any) -> int:
    """A seed, or BadValue: a whole number that is not absurdly long."""
    number = whole_number(what, "a seed")
    if abs(number) >= TOO_LONG:
        raise BadValue(f"a seed is a whole number of at most {DIGITS:,} digits")
    return number


def seat(what: Any, players: int, name: str = "seat") -> int:
    """A seat as the library counts them, from 0."""
    if type(what) is int and 0 <= what < players:
        return what
    number = whole_number(what, name)
    if not 0 <= number < players:
        raise BadValue(
            f"{name}={brief(number)} is not possible: seats count from 0 here, to {players - 1}"
        )
    return number


def flag(what: Any, name: str) -> bool:
    """True or False."""
    if not isinstance(what, bool):
        raise BadType(f"{name} is True or False, not {brief(what)}")
    return what


def flags(**named: Any) -> None:
    """Several of them."""
    for name, what in named.items():
        flag(what, name)


def limit(what: Any) -> float | None:
    """How many seconds a decision may take; None for no limit."""
    if what is None:
        return None
    if isinstance(what, bool) or not isinstance(what, (int, float)):
        raise BadType(f"the limit of a decision is a number of seconds, not {brief(what)}")
    if not 0 < what <= MOST:
        raise BadValue(
            f"the limit of a decision must be more than 0 seconds and at most {MOST:,},"
            f" not {brief(what)}"
        )
    return float(what)


def text(what: Any, name: str) -> str:
    """A text, or TypeError: `name` says what it should have been."""
    if not isinstance(what, str):
        raise BadType(f"{name} is given by a text, not by {brief(what)}")
    return what


def path(what: Any, name: str) -> Path:
    """A file or a folder, by its name."""
    if not isinstance(what, (str, Path)):
        raise BadType(f"{name} is given by its name, not by {brief(what)}")
    try:
        named = os.fsencode(what)
    except UnicodeEncodeError:
        named = b"\0"
    if b"\0" in named:
        raise BadText(f"{one_line(str(what))}: no name of a file")
    return Path(what)


def one_of(what: Any, kind: type | tuple[type, ...], name: str) -> Any:
    """Something of a kind, or of one of several."""
    if not isinstance(what, kind):
        raise BadType(f"{name} is wanted, not {brief(what)}")
    return what


def stream(what: Any) -> Any:
    """A random stream, as `kibitz.jit.rng.stream` makes them: kernels draw from it in place."""
    import numpy as np

    if type(what) is not np.ndarray or what.dtype != np.uint64 or what.shape != (1,):
        raise BadType(f"a random stream is what kibitz.jit.rng.stream gives, not {brief(what)}")
    if not what.flags.carray:
        raise BadValue("a random stream must be writable: it moves on with every number drawn")
    return what
