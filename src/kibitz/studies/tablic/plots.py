"""The plots of the study of Tablić: who decided, the deal or the player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kibitz.arena.report.words import shortened
from kibitz.report.plots import BLUE, GREY, ORANGE, PALE, legend, new_figure
from kibitz.studies.tablic.luck import Luck

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def luck_bars(matches: Sequence[Luck]) -> Figure:
    """Who decided the pairs of each match: the player, nobody, the deal."""
    figure, (axes,) = new_figure(1.1 + 0.27 * len(matches))
    parts = (
        ("same_player", "player", BLUE, "white"),
        ("neither", "neither", PALE, "black"),
        ("same_seat", "deal", ORANGE, "black"),
    )
    for y, luck in enumerate(matches):
        left = 0.0
        for name, label, colour, ink in parts:
            share = 100 * getattr(luck, name) / luck.pairs
            axes.barh(y, share, 0.75, left=left, color=colour, label=label, lw=0)
            if share >= 8:  # at the outer ends: the middle has the dashed line
                at, side = {"player": (1.5, "left"), "deal": (98.5, "right")}.get(
                    label, (left + share / 2, "center")
                )
                axes.text(at, y, f"{share:.0f}", ha=side, va="center", color=ink, fontsize=8)
            left += share
    axes.axvline(50, color="black", lw=1, ls="--")
    names = [f"{shortened(luck.a)} – {shortened(luck.b)}" for luck in matches]
    axes.set_yticks(range(len(matches)), names, fontsize=9)
    axes.set_ylim(len(matches) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_formatter("{x:.0f} %")
    axes.set_xlabel("of the pairs (dashed: half)")
    handles = {label: bar for bar, label in legend(axes)}
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=3)
    return figure


def skill_dots(matches: Sequence[Luck]) -> Figure:
    """Points beyond the cards in either seat, with their intervals."""
    figure, (axes,) = new_figure(1.1 + 0.32 * len(matches))
    looks = (("first seat", BLUE, "o", -0.15), ("second seat", ORANGE, "s", 0.15))
    for y, luck in enumerate(matches):
        for (label, colour, marker, shift), seat in zip(
            looks, (luck.first, luck.second), strict=True
        ):
            skill = seat.skill
            axes.plot((skill.low, skill.high), (y + shift,) * 2, color=colour, lw=1.4)
            axes.plot(skill.mean, y + shift, marker, color=colour, ms=4.5, label=label)
    axes.axvline(0, color=GREY, lw=1, ls="--", zorder=0)
    names = [f"{shortened(luck.a)} against {shortened(luck.b)}" for luck in matches]
    axes.set_yticks(range(len(matches)), names, fontsize=9)
    axes.set_ylim(len(matches) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", color=PALE, lw=0.5)
    axes.set_axisbelow(True)
    axes.set_xlabel("points ahead a game beyond what the cards were worth")
    handles = {label: dot for dot, label in legend(axes)}
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=2)
    return figure
