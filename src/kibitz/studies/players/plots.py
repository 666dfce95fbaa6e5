"""The pictures of the studies of players that a comparison does not have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kibitz.arena.agreement import Settling
from kibitz.arena.report.words import shortened
from kibitz.report.plots import BLUE, GREY, ORANGE, PALE, legend, new_figure
from kibitz.studies.players.footprint import Footprint
from kibitz.studies.tablic.luck import Luck

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def settling_curve(curve: Settling) -> Figure:
    """How often each amount of thinking decides as the most of it."""
    figure, (axes,) = new_figure(3.4)
    last = curve.shares[-1]
    axes.axhspan(100 * last.low, 100 * last.high, color=PALE, lw=0, zorder=0)
    means = [100 * share.mean for share in curve.shares]
    below = [100 * (share.mean - share.low) for share in curve.shares]
    above = [100 * (share.high - share.mean) for share in curve.shares]
    axes.errorbar(
        curve.values, means, yerr=[below, above], fmt="-o", color=BLUE, ms=5, lw=1.4, capsize=3
    )
    axes.set_xscale("log")
    axes.set_xticks(curve.values, [f"{value}" for value in curve.values])
    axes.minorticks_off()
    axes.yaxis.set_major_formatter("{x:.0f} %")
    axes.grid(axis="y", color=PALE, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel(f"{curve.option} (log scale)")
    axes.set_title(f"decisions as with {curve.values[-1]} {curve.option}")
    return figure


def memory_bars(prints: Sequence[Footprint]) -> Figure:
    """What each player adds to the memory of the process."""
    figure, (axes,) = new_figure(0.9 + 0.33 * len(prints))
    most = max(each.own for each in prints) / 2**20
    for y, each in enumerate(prints):
        own = each.own / 2**20
        axes.barh(y, own, 0.6, color=BLUE)
        axes.text(own + 0.01 * most, y, f"{own:.1f}", va="center", fontsize=9)
    axes.set_yticks(range(len(prints)), [shortened(each.player) for each in prints])
    axes.set_ylim(len(prints) - 0.5, -0.5)
    axes.set_xlim(0, 1.12 * max(most, 1))
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("MB added to the process at its peak")
    return figure


def luck_bars(found: Sequence[Luck]) -> Figure:
    """Who decided the pairs of each match: the player, nobody, the deal."""
    figure, (axes,) = new_figure(1.1 + 0.27 * len(found))
    parts = (
        ("same_player", "player", BLUE, "white"),
        ("neither", "neither", PALE, "black"),
        ("same_seat", "deal", ORANGE, "black"),
    )
    for y, luck in enumerate(found):
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
    names = [f"{shortened(luck.a)} – {shortened(luck.b)}" for luck in found]
    axes.set_yticks(range(len(found)), names, fontsize=9)
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.set_xlim(0, 100)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_formatter("{x:.0f} %")
    axes.set_xlabel("of the pairs (dashed: half)")
    handles = {label: bar for bar, label in legend(axes)}
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=3)
    return figure


def skill_dots(found: Sequence[Luck]) -> Figure:
    """Points beyond the cards in either seat, with their intervals."""
    figure, (axes,) = new_figure(1.1 + 0.32 * len(found))
    looks = (("first seat", BLUE, "o", -0.15), ("second seat", ORANGE, "s", 0.15))
    for y, luck in enumerate(found):
        for (label, colour, marker, shift), seat in zip(
            looks, (luck.first, luck.second), strict=True
        ):
            skill = seat.skill
            axes.plot((skill.low, skill.high), (y + shift,) * 2, color=colour, lw=1.4)
            axes.plot(skill.mean, y + shift, marker, color=colour, ms=4.5, label=label)
    axes.axvline(0, color=GREY, lw=1, ls="--", zorder=0)
    names = [f"{shortened(luck.a)} against {shortened(luck.b)}" for luck in found]
    axes.set_yticks(range(len(found)), names, fontsize=9)
    axes.set_ylim(len(found) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", color=PALE, lw=0.5)
    axes.set_axisbelow(True)
    axes.set_xlabel("points ahead a game beyond what the cards were worth")
    handles = {label: dot for dot, label in legend(axes)}
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=2)
    return figure
