"""The judge: what every legal play of a view is worth, by what its seat could know.

    judge(view, precision=0.01).best

Exact where it can be: games with open cards by search to their end; what a game's own solver knows
(`Game.exact_plays`: late rounds of Love Letter, the last deal of Tablić). Elsewhere worlds are
drawn by beliefs and played on by the fair strategy that the game names (`Game.continuation`).
Nothing but the view is looked at: redealing the hidden cards changes no number.
"""

from __future__ import annotations

from typing import Any

from kibitz.core import checks
from kibitz.core.errors import BadText, BadValue
from kibitz.core.game import View
from kibitz.core.strategy import Knows
from kibitz.jit.rng import stream
from kibitz.review.exact import exact_judgement
from kibitz.review.judgement import Judgement
from kibitz.review.unit_value import UnitValue


def judge(
    view: View[Any], *, precision: float | None = None, seed: int = 0, played: Any = None,
    unit_value: UnitValue | None = None, exact: bool = True,
) -> Judgement:  # fmt: skip
    """Judge a decision.

    Parameters
    ----------
    view
        What the seat to move sees, with the turns before if they are known.
    precision
        Half the width of the interval of 95 % that the difference to the best play is to have, in
        the unit of the values; else 0.01 of a win, or half a point.
    seed
        Of the worlds. The same seed and the same view, the same numbers.
    played
        The play that was made, or its text: its difference to the best is what matters then. Else
        the best plays are compared with each other.
    unit_value
        What an end is worth; else the result of the game.
    exact
        Whether exact values are used where there are any.

    Returns
    -------
    Judgement
        The value of every legal play with its interval, the best first.

    Examples
    --------
    >>> import kibitz
    >>> game = kibitz.make_game("love-letter")
    >>> position = game.position_of("face_up=king prince handmaid; hand1=guard princess")
    >>> judged = kibitz.judge(position.view())
    >>> judged.best, judged.of("princess").chance.value
    (Play('guard>2=priest'), 0.0)
    """
    checks.one_of(view, View, "a view")
    if view.turn != view.seat:
        raise BadValue("a judge needs the view of the seat to move")
    _require_cards(view)
    checks.flag(exact, "exact")
    unit_value = UnitValue(view.game) if unit_value is None else unit_value
    checks.one_of(unit_value, UnitValue, "what an end is worth, a UnitValue,")
    precision = unit_value.precision if precision is None else checked_precision(precision)
    made = None if played is None else view.game.match_play(view.state, played)
    if exact:
        judged = exact_judgement(view, unit_value)
        if judged is not None:
            return judged
    from kibitz.review.continuation import continuation_of
    from kibitz.review.sampled import WorldsOfView, judge_by_worlds

    worlds = WorldsOfView(view, continuation_of(view.game), unit_value, stream(checks.seed(seed)))
    number = None if made is None else worlds.codes.tolist().index(made.code)
    return judge_by_worlds(worlds, precision, number)


def _require_cards(view: View[Any]) -> None:
    """Refuse a view that leaves out what its seat must see, or that no deal looks like: compiled
    code would take blanks for cards."""
    missing = view.game.missing(view.state, view.seat, Knows.FAIR)
    if missing:
        raise BadText(f"the judge must see what the view leaves out: {', '.join(missing)}")
    if view.game.traits.hidden:
        view.game.redeal(view, stream(view.seat))


def checked_precision(precision: Any) -> float:
    """A positive number."""
    if type(precision) not in (int, float) or not 0 < precision <= checks.MOST:
        raise BadValue(f"precision must be a number above 0, not {checks.brief(precision)}")
    return float(precision)
