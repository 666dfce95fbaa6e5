"""The pictures of a review: the expected result over the turns, and the parts of luck."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.report.plots import BLUE, GREEN, GREY, ORANGE, new_figure
from kibitz.review.words import WRONG

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from kibitz.review.review import Review

COLOURS = (BLUE, ORANGE, GREEN, GREY)
MARKERS = ("o", "s", "^", "D")
SCALES = {True: 100.0, False: 1.0}


def curve(review: Review) -> Figure:
    """What each seat that was reviewed could expect before and after its plays; with all hands
    known, a thin line."""
    from matplotlib.ticker import MaxNLocator

    scale = SCALES[review.is_chance]
    figure, (axes,) = new_figure(3.4)
    if review.luck is not None and review.seats:
        seat = review.seats[0].seat
        turns = [turn.turn for turn in review.luck.turns[1:]]
        values = [scale * turn.before[seat] for turn in review.luck.turns[1:]]
        axes.plot(
            [*turns, turns[-1] + 1], [*values, scale * review.luck.result[seat]], color=GREY,
            linewidth=1, linestyle="--", label=f"seat {seat + 1}, all hands known",
        )  # fmt: skip
    for number, each in enumerate(review.seats):
        mine = [one for one in review.decisions if one.seat == each.seat]
        turns = [one.turn for one in mine]
        made = np.array([scale * one.value.value for one in mine])
        error = np.array([scale * one.value.half for one in mine])
        colour = COLOURS[number % len(COLOURS)]
        axes.errorbar(
            turns, made, yerr=error, color=colour, marker=MARKERS[number % len(MARKERS)],
            markersize=4, linewidth=1.5, label=f"seat {each.seat + 1}, by what it could know",
        )  # fmt: skip
        for one in mine:
            if one.verdict in WRONG:
                best = scale * one.judgement.values[0].value.value
                axes.plot(
                    [one.turn] * 2, [scale * one.value.value, best], color=ORANGE, linewidth=3
                )
    axes.axhline(50 if review.is_chance else 0, color=GREY, linewidth=0.5)
    axes.set_xlabel("turn")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel("chance to win, %" if review.is_chance else "points ahead at the end")
    axes.legend(loc="best", fontsize=9)
    return figure


def parts_of_luck(review: Review) -> Figure:
    """Luck of the draw, luck of what was hidden, and skill, added up over the turns."""
    from matplotlib.ticker import MaxNLocator

    assert review.luck is not None
    scale, seat = SCALES[review.is_chance], review.seats[0].seat
    figure, (axes,) = new_figure(3.2)
    turns = [turn.turn for turn in review.luck.turns]
    kinds: dict[str, Any] = {
        "draw": (BLUE, "-", "the cards that came"),
        "hidden": (GREEN, "--", "what nobody could know"),
        "skill": (ORANGE, "-.", "skill"),
    }
    for part, (colour, style, words) in kinds.items():
        sums = np.cumsum([scale * getattr(turn, part)[seat] for turn in review.luck.turns])
        axes.step(turns, sums, where="post", color=colour, linestyle=style, label=words)
    axes.axhline(0, color=GREY, linewidth=0.5)
    axes.set_xlabel("turn")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel("% of a win" if review.is_chance else "points")
    axes.set_title(f"What brought seat {seat + 1} where it ended")
    axes.legend(loc="best", fontsize=9)
    return figure
