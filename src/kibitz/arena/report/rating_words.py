"""What a joint rating says in words: who stands where, and whether one scale explains all."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.arena.rating import LESS_LUCK, Rating, RatingLine, ResidualLine
from kibitz.arena.report.words import LISTED, counted, joined, minus

FEWEST_PLAYERS = 3
"""Of two, the match says all."""
SMALL = 0.001
"""Probabilities below this are not told."""
RATING = ("player", "rating", "ahead of the next")
SEVERAL = ("player", "scale", "rating", "ahead of the next")
RESIDUALS = ("match", "score", "expected", "off", "95 % (all at once)", "clear")


def is_worth_showing(rating: Rating | None) -> bool:
    """Whether it says something that the matches do not, or why there is none."""
    if rating is None:
        return False
    return len(rating.players) >= FEWEST_PLAYERS or bool(rating.why_not)


# -- tables --------------------------------------------------------------------------------


def rating_head(rating: Rating) -> tuple[str, ...]:
    """The heads of `rating_rows`."""
    return SEVERAL if _scales(rating) > 1 else RATING


def rating_rows(rating: Rating) -> list[list[str]]:
    """A row for each player, the best first."""
    several = _scales(rating) > 1
    return [
        [line.name, *([str(line.scale)] if several else []), place(line), _ahead(line)]
        for line in rating.players
    ]


def place(line: RatingLine) -> str:
    """The rating as text, with half the width of its interval, or its bound."""
    if line.at_least is not None:
        return f"at least {points(line.at_least)}"
    if line.at_most is not None:
        return f"at most {points(line.at_most)}"
    if line.elo is None:
        return "–"
    half = f"±{(line.ci95[1] - line.ci95[0]) / 2:.0f}" if line.ci95 else ""
    return f"{points(line.elo)}{half}"


def _ahead(line: RatingLine) -> str:
    if line.ahead is None:
        return ""
    half = f"±{(line.ahead95[1] - line.ahead95[0]) / 2:.0f}" if line.ahead95 else ""
    return f"{points(line.ahead)}{half}"


def points(elo: float) -> str:
    """Elo points with their sign; none is 0."""
    return minus(f"{elo:+.0f}") if round(elo) else "0"


def residual_rows(rating: Rating) -> list[list[str]]:
    """A row for each match, or each player of a table, under the heads RESIDUALS."""
    rows = []
    for line in rating.residuals:
        ends = line.off95
        between = minus(f"{100 * ends[0]:+.1f} to {100 * ends[1]:+.1f}") if ends else "–"
        rows.append(
            [
                _who(line), f"{line.score:.1%}", f"{line.expected:.1%}",
                minus(f"{100 * line.off:+.1f}"), between, "yes" if line.clear else "no",
            ]
        )  # fmt: skip
    return rows


def _who(line: ResidualLine) -> str:
    if len(line.players) == 2:
        return " – ".join(line.players)
    return f"{line.player} with {joined(_others(line))}"


def _others(line: ResidualLine) -> list[str]:
    return [name for name in line.players if name != line.player]


def _scales(rating: Rating) -> int:
    return max((line.scale for line in rating.players), default=0)


# -- sentences -----------------------------------------------------------------------------


def say_rating(rating: Rating) -> list[str]:
    """All of it, a text for each subject."""
    if rating.why_not:
        return [f"No joint rating: {rating.why_not}."]
    return [text for text in (say_scale(rating), say_bounds(rating), say_fit(rating)) if text]


def say_scale(rating: Rating) -> str:
    """What the figures are."""
    by = " less luck" if rating.by == LESS_LUCK else ""
    scales = _scales(rating)
    said = f"Joint rating: Elo points that explain all scores{by} together, 0 on the mean."
    if scales > 1:
        said += (
            f" There are {scales} scales, each with its own 0: nothing is known of players on"
            " different ones, who have not met, nor others between them."
        )
    if all(line.ci95 is None for line in rating.players):
        said += " There are no intervals: too few pairs to tell."
    return said


def say_bounds(rating: Rating) -> str:
    """Who could be anywhere beyond a bound, or without any."""
    above = [line.name for line in rating.players if line.at_least is not None]
    below = [line.name for line in rating.players if line.at_most is not None]
    open_ = [
        line.name for line in rating.players
        if line.elo is None and line.at_least is None and line.at_most is None
    ]  # fmt: skip
    said = []
    if above:
        said.append(
            f"Those below took nothing from {joined(above)}: how far above is not known, at least"
            " so far (in 97.5 of 100 cases)."
        )
    if below:
        said.append(
            f"{joined(below)} took nothing from those above: how far below is not known, at least"
            " so far (in 97.5 of 100 cases)."
        )
    if open_:
        all_or_nothing = "won or lost all points, in too few pairs for a bound"
        said.append(f"{joined(open_)} {all_or_nothing}.")
    return " ".join(said)


def say_fit(rating: Rating) -> str:
    """Whether one scale explains the scores, and what it does not explain."""
    p = rating.probability
    if p is None:
        return "Too few pairs to tell whether one scale fits." if rating.freedom else ""
    likely = f"p < {SMALL:g}" if p < SMALL else f"p = {p:.2g}"
    if rating.fits:
        return f"One scale explains the scores: what is off may be chance ({likely})."
    clear = sorted((line for line in rating.residuals if line.clear), key=_by_size)
    said = [f"One scale does not explain the scores ({likely}): ratings depend on who takes part."]
    said += [_say_off(line) for line in clear[:LISTED]]
    if len(clear) > LISTED:
        rest = counted(len(clear) - LISTED, "more score is", "more scores are")
        said.append(f"{rest} off too.")
    if not clear:
        said.append("No single score stands out.")
    return " ".join([*said, *_say_circles(rating.circles)])


def _by_size(line: ResidualLine) -> float:
    return -abs(line.off)


def _say_off(line: ResidualLine) -> str:
    low, high = line.off95 or (0.0, 0.0)
    against = "against" if len(line.players) == 2 else "at the table with"
    off = minus(f"{100 * line.off:+.1f}, 95 % {100 * low:+.1f} to {100 * high:+.1f}")
    return (
        f"{line.player} scores {line.score:.1%} {against} {joined(_others(line))}, where the"
        f" ratings expect {line.expected:.1%} (off by {off})."
    )


def _say_circles(circles: Sequence[tuple[str, str, str]]) -> list[str]:
    said = [
        f"Rock, paper, scissors: {a} beats {b}, {b} beats {c}, and {c} beats {a}."
        for a, b, c in circles[:LISTED]
    ]
    if len(circles) > LISTED:
        rest = counted(len(circles) - LISTED, "more such circle is", "more such circles are")
        said.append(f"{rest} there.")
    return said
