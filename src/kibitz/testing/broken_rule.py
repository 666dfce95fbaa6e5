"""What the kit says: a rule that was broken, and the case that breaks it."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kibitz.core.checks import printable
from kibitz.core.errors import describe_error
from kibitz.core.interrupts import is_interrupt
from kibitz.core.options import Configured

LONGEST = 300
"""Letters of a case: a state may be anything."""


class BrokenRule(AssertionError):
    """A game or a strategy does not do what all must do."""

    def __init__(self, who: Configured, rule: str, case: str = "") -> None:
        shown = printable(" ".join(case.split()))
        if len(shown) > LONGEST:
            shown = shown[:LONGEST] + "…"
        super().__init__(f"{_called(who)}: {rule}" + (f"; {shown}" if shown else ""))
        self.rule = rule
        self.case = shown


def _called(who: Configured) -> str:
    """Its text; one that has only the name of the class it derives from is told by its own."""
    if "name" in vars(who) or "name" in vars(type(who)):
        return str(who)
    return f"{type(who).__name__} (derived from {who})"


def require(truth: Any, who: Configured, rule: str, case: str = "") -> None:
    """Raise BrokenRule, with the rule and the case, unless something holds."""
    if not truth:
        raise BrokenRule(who, rule, case)


@contextmanager
def must_not_raise(who: Configured, what: str) -> Iterator[None]:
    """Whatever somebody else's code raises is a broken rule."""
    try:
        yield
    except BrokenRule:
        raise
    except BaseException as error:
        if is_interrupt(error) or not isinstance(error, Exception):
            raise
        frame = traceback.extract_tb(error.__traceback__)[-1]
        case = f"{describe_error(error)} in {frame.name}, line {frame.lineno} of {frame.filename}"
        raise BrokenRule(who, f"{what} must not raise", case) from error
