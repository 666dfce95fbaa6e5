"""What a user did wrong, each in one line; and what went wrong in somebody else's code."""

from collections.abc import Sequence


class KibitzError(Exception):
    """What a user did wrong, in one line."""


class BadText(KibitzError):
    """A text that is not what it should be: a play, a position, a record, an option."""


class BadValue(KibitzError, ValueError):
    """A number, a state or a view that is not what it should be."""


class BadType(KibitzError, TypeError):
    """Something of another kind than is wanted: a number for a text, a lambda for a game."""


class Unclear(BadText):
    """A text that may mean any of several plays."""

    def __init__(self, text: str, plays: Sequence[str]) -> None:
        super().__init__(f"{text} may be {', or '.join(plays[:3])}")
        self.plays = plays


class UnsuitableGame(KibitzError):
    """A strategy or an algorithm asked to do what it is not made for."""


class IllegalPlay(KibitzError):
    """A play that the rules forbid: the reason, and the rule's number in RULES.md."""

    def __init__(self, reason: str, rule: str = "") -> None:
        super().__init__(f"{reason} (rule {rule})" if rule else reason)
        self.reason = reason
        self.rule = rule


def describe_error(error: BaseException) -> str:
    """An error of somebody else's code in one line. Its own text may fail, or be no text."""
    try:
        text = " ".join(str(error).split())
    except BaseException:
        text = ""
    shown = "".join(letter for letter in text if letter.isprintable())
    return f"{type(error).__name__}: {shown}" if shown else type(error).__name__
