"""The pictures of a comparison, as SVG and PNG, the same bytes for the same figures.

They are narrow, to be read on a phone. Blue is more than an even share, orange is less: people
see the two apart with any kind of colour blindness, and what is not clear is hollow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kibitz.arena.agreement import Agreement
from kibitz.arena.comparison import Comparison, Interval
from kibitz.arena.rating import Rating
from kibitz.arena.report.rating_words import is_worth_showing, place, points
from kibitz.arena.report.words import (
    even_share,
    has_interval,
    is_numbered,
    labels,
    mean_scores,
    numbers,
    scores_of,
    shortened,
    timed,
)
from kibitz.arena.statistics.scores import side_of
from kibitz.report.plots import BLUE, GREEN, GREY, ORANGE, PALE, draw_plots, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Colour = tuple[float, float, float]

WIDTH = 5.0
"""Inches."""
LINES = 200
"""With more lines than that, a picture has one for each player."""
SIDES = {1: BLUE, 0: GREY, -1: ORANGE}


# -- what is drawn -------------------------------------------------------------------------


@dataclass(frozen=True)
class PlotLine:
    """A line of a picture: a match, or a player at a table."""

    group: str
    label: str
    value: float
    side: int
    """1 clearly more than an even share, −1 clearly less, 0 neither."""
    reach: Interval | None
    """From where to where it goes: its interval, if there is one, or from an even share."""
    note: str = ""


def seated(players: Sequence[str], number: Mapping[str, int]) -> str:
    """A table by the numbers of who sits there."""
    return ", ".join(str(number[name]) for name in players)


def score_lines(comparison: Comparison) -> list[PlotLine]:
    """A line for each score with its interval."""
    named, number, even = labels(comparison), numbers(comparison), even_share(comparison)
    lines = [
        PlotLine(f"{named[m.a]} against", named[m.b], m.score, m.side, *_reach(m.ci95))
        for m in comparison.matches
    ]
    for table in comparison.tables:
        for name in table.players:
            interval = table.ci95[name]
            lines.append(
                PlotLine(
                    f"table {seated(table.players, number)}", named[name], table.score[name],
                    side_of(interval, even), *_reach(interval),
                )
            )  # fmt: skip
    return lines


def _reach(interval: Interval) -> tuple[Interval | None, str]:
    """What there is to draw of an interval, and what to write of it."""
    if not has_interval(interval):
        return None, " (too few pairs)"
    return interval, f" ({100 * interval[0]:.1f}–{100 * interval[1]:.1f})"


def seat_lines(comparison: Comparison) -> list[PlotLine]:
    """A line for each score of whoever sat first."""
    named, number = labels(comparison), numbers(comparison)
    shares = [(f"{named[m.a]} against", named[m.b], m.first_seat) for m in comparison.matches]
    shares += [("", f"table {seated(t.players, number)}", t.first_seat) for t in comparison.tables]
    even = even_share(comparison)
    return [
        PlotLine(group, label, share, side_of((share, share), even), (even, share))
        for group, label, share in shares
    ]


# -- files ---------------------------------------------------------------------------------


def draw(comparison: Comparison, agreement: Agreement | None) -> dict[str, tuple[bytes, bytes]]:
    """Each picture that there are figures for, by name: as SVG and as PNG."""
    pictures: dict[str, Callable[[], Figure]] = {}
    if comparison.matches:
        pictures["wins"] = lambda: wins(comparison)
    if comparison.matches or comparison.tables:
        pictures["scores"] = lambda: scores(comparison)
    rating = comparison.rating
    if rating is not None and rating.players and is_worth_showing(rating):
        pictures["rating"] = lambda: ratings(comparison, rating)
    if timed(comparison):
        pictures["time"] = lambda: time(comparison)
    if comparison.matches or comparison.tables:
        pictures["first-seat"] = lambda: first_seat(comparison)
    if agreement is not None:
        pictures["agreement"] = lambda: alike(comparison, agreement)
    return draw_plots(pictures, {"font.size": 9, "axes.titlesize": 9})


def _figure(height: float) -> tuple[Figure, Axes]:
    figure, (axes,) = new_figure(height, width=WIDTH)
    return figure, axes


# -- matrices ------------------------------------------------------------------------------


def wins(comparison: Comparison) -> Figure:
    """The score of the row against the column."""
    score = {(m.a, m.b): m.score for m in comparison.matches}
    score |= {(m.b, m.a): 1 - m.score for m in comparison.matches}
    order = list(numbers(comparison))
    cells = [[score.get((row, column)) for column in order] for row in order]
    return _matrix(comparison, order, cells, diverging, "score of the row against the column, %")


def alike(comparison: Comparison, agreement: Agreement) -> Figure:
    """How often two decide alike."""
    place = {name: i for i, name in enumerate(agreement.names)}
    order = [name for name in numbers(comparison) if name in place]
    order += [name for name in place if name not in order]
    cells = [[agreement.share(place[row], place[column]).mean for column in order] for row in order]
    return _matrix(comparison, order, cells, rising, "decisions alike, %")


def diverging(score: float) -> Colour:
    """White at one half, blue above, orange below."""
    return _tint(BLUE if score > 0.5 else ORANGE, abs(2 * score - 1))


def rising(share: float) -> Colour:
    """White to green."""
    return _tint(GREEN, share)


def _tint(colour: str, share: float) -> Colour:
    red, green, blue = (
        1 - share * (1 - int(colour[i : i + 2], 16) / 255) for i in (1, 3, 5)
    )  # fmt: skip
    return red, green, blue


def luminance(colour: Colour) -> float:
    """As the Web Content Accessibility Guidelines define it."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ink(colour: Colour) -> str:
    """Black or white, whichever is read better on a colour: a contrast of 4.5 at least."""
    light = luminance(colour)
    return "black" if (light + 0.05) ** 2 >= 1.05 * 0.05 else "white"


def _matrix(
    comparison: Comparison, order: Sequence[str], cells: Sequence[Sequence[float | None]],
    colour: Callable[[float], Colour], title: str,
) -> Figure:  # fmt: skip
    from matplotlib.patches import Rectangle

    n = len(order)
    figure, axes = _figure(0.75 + n * (0.38 if n <= 8 else 0.28))
    for i, row in enumerate(cells):
        for j, value in enumerate(row):
            fill = (0.93, 0.93, 0.93) if value is None else colour(value)
            text = "–" if value is None else f"{100 * value:.{int(n <= 8)}f}"
            axes.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, fc=fill, ec="white", lw=1.5))
            axes.text(j, i, text, ha="center", va="center", color=ink(fill), fontsize=9)
    named, number = labels(comparison), numbers(comparison)
    across = {n: str(number[n]) for n in number} if is_numbered(comparison) else named
    axes.set_xticks(range(n), [across.get(name, shortened(name)) for name in order])
    axes.set_yticks(range(n), [named.get(name, shortened(name)) for name in order])
    axes.set_xlim(-0.5, n - 0.5)
    axes.set_ylim(n - 0.5, -0.5)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(title)
    return figure


# -- lines ---------------------------------------------------------------------------------


def scores(comparison: Comparison) -> Figure:
    """Every match, or every player at every table, with its interval."""
    lines, named = score_lines(comparison), labels(comparison)
    if len(lines) > LINES:
        own = scores_of(comparison)
        return _strips(
            {named[name]: own[name] for name in mean_scores(comparison)}, comparison, "score"
        )
    return _forest(lines, even_share(comparison), "score with its 95 % interval")


def first_seat(comparison: Comparison) -> Figure:
    """The score of whoever sat first."""
    lines, title = seat_lines(comparison), "score of the first seat"
    if len(lines) > LINES:
        return _strips({"": [line.value for line in lines]}, comparison, title)
    return _forest(lines, even_share(comparison), title)


def _forest(lines: Sequence[PlotLine], even: float, title: str) -> Figure:
    """A line for each, in groups with headings."""
    places: list[tuple[str, PlotLine | None]] = []
    before = ""
    for line in lines:
        if line.group != before:
            places.append((line.group, None))
        places.append((line.label, line))
        before = line.group
    figure, axes = _figure(0.7 + 0.21 * len(places))
    beside = axes.get_yaxis_transform()
    for y, (_, entry) in enumerate(places):
        if entry is None:
            continue
        colour, text = SIDES[entry.side], f"{entry.value:.1%}{entry.note}"
        if entry.reach:
            axes.plot(entry.reach, (y, y), color=colour, lw=1.6, solid_capstyle="butt")
        fill = colour if entry.side else "white"
        axes.plot(entry.value, y, "o", color=colour, mfc=fill, ms=4.5, zorder=3)
        axes.text(1.02, y, text, transform=beside, va="center", fontsize=7.5)
    _share_axis(axes, [v for e in lines for v in (e.value, *(e.reach or ()))], even, title)
    _named_rows(axes, [label for label, _ in places])
    for tick, (_, entry) in zip(axes.get_yticklabels(), places, strict=True):
        tick.set_fontweight("normal" if entry else "bold")
    return figure


def _strips(groups: Mapping[str, Sequence[float]], comparison: Comparison, title: str) -> Figure:
    """A row for each group: all its values as dots, and their mean."""
    figure, axes = _figure(0.8 + 0.3 * len(groups))
    for y, values in enumerate(groups.values()):
        axes.plot(values, [y] * len(values), "o", color=BLUE, ms=4, alpha=0.25, mew=0)
        mean = math.fsum(values) / len(values)
        axes.plot((mean, mean), (y - 0.35, y + 0.35), color="black", lw=2)
        axes.text(1.02, y, f"{mean:.1%}", transform=axes.get_yaxis_transform(), va="center")
    what = "table" if comparison.tables else "match"
    heading = f"{title}: a dot for each {what}, a bar for the mean"
    _share_axis(axes, [v for own in groups.values() for v in own], even_share(comparison), heading)
    _named_rows(axes, list(groups))
    return figure


def _named_rows(axes: Axes, names: Sequence[str]) -> None:
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _share_axis(axes: Axes, values: Sequence[float], even: float, title: str) -> None:
    """Shares across, as far as they go, with the even one marked."""
    from matplotlib.ticker import MaxNLocator

    low, high = min(*values, even - 0.05), max(*values, even + 0.05)
    margin = 0.04 * (high - low)
    axes.set_xlim(low - margin, high + margin)
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(lambda x, _: f"{100 * x:.3g}%")
    axes.axvline(even, color=GREY, lw=1, ls="--", zorder=0)
    axes.grid(axis="x", color=PALE, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_title(title)


# -- ratings -------------------------------------------------------------------------------


def ratings(comparison: Comparison, rating: Rating) -> Figure:
    """Every player on the scale, with its interval or its bound."""
    lines, named = rating.players, labels(comparison)
    figure, axes = _figure(0.8 + 0.25 * len(lines))
    values = [0.0]
    for y, line in enumerate(lines):
        ends = line.ci95 or (0.0, 0.0)
        side = side_of(ends, 0.0)
        axes.text(1.02, y, place(line), transform=axes.get_yaxis_transform(), va="center")
        bounds = {">": line.at_least, "<": line.at_most, "o": line.elo}
        for mark, value in bounds.items():
            if value is None:
                continue
            colour = {">": BLUE, "<": ORANGE}.get(mark, SIDES[side])
            fill = colour if side and mark == "o" else "white"
            axes.plot(value, y, mark, color=colour, mfc=fill, ms=4.5, zorder=3)
            values.append(value)
        if line.ci95 is not None:
            axes.plot(ends, (y, y), color=SIDES[side], lw=1.6, solid_capstyle="butt")
            values += ends
    margin = max(0.04 * (max(values) - min(values)), 5.0)
    axes.set_xlim(min(values) - margin, max(values) + margin)
    axes.axvline(0, color=GREY, lw=1, ls="--", zorder=0)
    axes.grid(axis="x", color=PALE, lw=0.6)
    axes.set_axisbelow(True)
    axes.xaxis.set_major_formatter(lambda x, _: points(x))
    axes.set_title("Elo points that explain all scores together")
    _named_rows(axes, [named[line.name] for line in lines])
    return figure


# -- time and strength ---------------------------------------------------------------------


def time(comparison: Comparison) -> Figure:
    """Who thinks longer should score more."""
    points, named = timed(comparison), labels(comparison)
    fair = {player.name: player.knows == "fair" for player in comparison.players}
    figure, axes = _figure(3.4)
    for is_fair, label in ((True, "fair"), (False, "knows more than a player may")):
        own = [points[name] for name in points if fair[name] is is_fair]
        look: Any = {"color": BLUE if is_fair else ORANGE, "mfc": BLUE if is_fair else "white"}
        if own:
            axes.plot(*zip(*own, strict=True), "o" if is_fair else "s", ms=6, label=label, **look)
    decades = [math.log10(took) for took, _ in points.values()]
    first, last = math.floor(min(decades)), math.ceil(max(decades))
    axes.set_xscale("log")
    axes.set_xlim(10.0**first / 1.5, 10.0 ** max(last, first + 1) * 1.5)
    axes.xaxis.set_major_formatter(lambda x, _: power_of_ten(round(math.log10(x))))
    axes.xaxis.set_minor_formatter(lambda x, _: "")
    shares = [share for _, share in points.values()]
    low, high = min(*shares, even_share(comparison)), max(*shares, even_share(comparison))
    margin = max(0.12 * (high - low), 0.02)
    axes.set_ylim(low - margin, high + margin)
    axes.yaxis.set_major_formatter(lambda y, _: f"{100 * y:.3g}%" if -1e-9 < y < 1 + 1e-9 else "")
    axes.axhline(even_share(comparison), color=GREY, lw=1, ls="--", zorder=0)
    axes.grid(color=PALE, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("µs a decision (log scale)")
    axes.set_title("mean score")
    if not all(fair[name] for name in points):
        figure.legend(loc="outside lower left", ncols=2)
    figure.draw_without_rendering()  # lays it out
    _name_points(axes, [(named[name], *points[name]) for name in points])
    return figure


def power_of_ten(exponent: int) -> str:
    """0.01, 100, 10⁴."""
    if -4 <= exponent <= 3:
        return f"{10.0**exponent:g}"
    return "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def _name_points(axes: Axes, points: Sequence[tuple[str, float, float]]) -> None:
    """Names beside their points, as near as can be without covering another or a point."""
    size, unit = 8.0, axes.figure.dpi / 72
    box = [edge / unit for edge in axes.bbox.extents]
    places = [axes.transData.transform((x, y)) / unit for _, x, y in points]
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in places]
    for (name, took, score), (x, y) in zip(points, places, strict=True):
        wide = 0.62 * size * len(name)
        inwards = 1 if x < (box[0] + box[2]) / 2 else -1
        for step in range(80):
            way = inwards if step % 2 == 0 else -inwards
            dy = (step // 2 + 1) // 2 * (1 if step // 2 % 2 else -1) * 0.5 * size
            dx = way * (7 if abs(dy) < size else 12)
            left = x + dx if way > 0 else x + dx - wide
            area = (left, y + dy - 0.55 * size, left + wide, y + dy + 0.55 * size)
            is_inside = box[0] <= left and area[2] <= box[2]
            is_inside = is_inside and box[1] <= area[1] and area[3] <= box[3]
            if is_inside and not any(_meet(area, other) for other in taken):
                break
        taken.append(area)
        line = {"arrowstyle": "-", "color": GREY, "lw": 0.6, "relpos": ((1 - way) / 2, 0.5)}
        line |= {"shrinkA": 1, "shrinkB": 3}
        axes.annotate(
            name, (took, score), (dx, dy), textcoords="offset points", fontsize=size,
            ha="left" if way > 0 else "right", va="center",
            arrowprops=line if abs(dy) >= size else None,
            bbox={"fc": "white", "ec": "none", "pad": 0.5, "alpha": 0.8},
        )  # fmt: skip


def _meet(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(one[i] < other[i + 2] and other[i] < one[i + 2] for i in (0, 1))
