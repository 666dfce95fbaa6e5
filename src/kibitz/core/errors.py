"""What a user did wrong, each in one line; and what went wrong in somebody else's code."""

from collections.abc import Sequence


class KibitzError(Exception):
    """What a user did wrong, in one line.

    Examples
    --------
    >>> import kibitz
    >>> try:
    ...     kibitz.make_game("chess")
    ... except kibitz.KibitzError as error:
    ...     print(str(error)[:24])
    there is no game 'chess'
    """


class BadText(KibitzError):
    """A text that is not what it should be: a play, a position, a record, an option.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.make_game("tablic:players=9")
    Traceback (most recent call last):
    kibitz.core.errors.BadText: tablic: players=9 is not possible; allowed: 2, 3, 4
    """


class BadValue(KibitzError, ValueError):
    """A number, a state or a view that is not what it should be.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.make_game("pig").start(first=2)
    Traceback (most recent call last):
    kibitz.core.errors.BadValue: first=2 is not possible: seats count from 0 here, to 1
    """


class BadType(KibitzError, TypeError):
    """Something of another kind than is wanted: a number for a text, a lambda for a game.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.play("pig", [lambda: "roll", "random"])
    Traceback (most recent call last):
    kibitz.core.errors.BadType: lambda() must take one argument, the view, and return a play
    """


class Unclear(BadText):
    """A text that may mean any of several plays.

    Examples
    --------
    >>> import kibitz
    >>> game = kibitz.make_game("tablic")
    >>> position = game.position_of(
    ...     "table=2c 2d 4h; deck=none; hand1=6c; hand2=3c; dealer=2; turn=1"
    ... )
    >>> game.presenter.typed(position.state, "6 x 2 4")
    Traceback (most recent call last):
    kibitz.core.errors.Unclear: 6 x 2 4 may be 6c x 4h 2d, or 6c x 4h 2c
    """

    def __init__(self, text: str, plays: Sequence[str]) -> None:
        super().__init__(f"{text} may be {', or '.join(plays[:3])}")
        self.plays = plays


class UnsuitableGame(KibitzError):
    """A strategy or an algorithm asked to do what it is not made for.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.play("tic-tac-toe", ["greedy", "random"])
    Traceback (most recent call last):
    kibitz.core.errors.UnsuitableGame: greedy plays love-letter, tablic, not tic-tac-toe
    """


class StrategyFailed(KibitzError):
    """Who decides can't go on, and says why: nothing around it is to blame."""


class IllegalPlay(KibitzError):
    """A play that the rules forbid: the reason, and the rule's number in RULES.md.

    Examples
    --------
    >>> import kibitz
    >>> try:
    ...     kibitz.make_game("love-letter").start(seed=7).play("king>2")
    ... except kibitz.IllegalPlay as error:
    ...     print(error.reason, error.rule)
    seat 1 does not hold the king 3.5
    """

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
