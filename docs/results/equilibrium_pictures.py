"""The pictures of equilibrium_play.py and equilibrium_value.py."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from equilibrium_rows import FEW, FirstTurn, Play, Tallies

from kibitz.arena.report.plots import ink, rising
from kibitz.games.love_letter.cards import NAMES, PRINCESS
from kibitz.report.plots import BLUE, GREY, ORANGE, PALE, PlotFiles, draw_plots, new_figure
from kibitz.solvers.love_letter.public_states import CARDS, GUARD_NAMES, LAID, PRINCE_ON_SELF

COLOURS = ("", BLUE, "#56B4E9", ORANGE, "#009E73", "#CC79A7", "#E69F00", "#F0E442", "#999999")
"""Of the cards: told apart with any kind of colour blindness."""
ENDS = {
    "end guard": ("Guard", COLOURS[1], ""),
    "end baron won": ("Baron, who wins", COLOURS[3], ""),
    "end baron lost": ("Baron, who loses", COLOURS[3], "////"),
    "end prince": ("Prince meets the Princess", COLOURS[5], ""),
    "end own prince": ("Prince on oneself, with the Princess", COLOURS[5], "////"),
    "end compared": ("hands are compared", COLOURS[8], ""),
}
TITLES = [name.capitalize() for name in NAMES]


SIZES = {"font.size": 9, "axes.titlesize": 10}


def draw(play: Play, whole: Tallies, shown: str) -> PlotFiles:
    """Of equilibrium play, by name."""
    return draw_plots(
        {
            "first-turn": lambda: first_turn(play[shown].first_turn, shown),
            "pairs": lambda: laid(whole, len(play)),
            "ends": lambda: ends(play[shown].tallies, shown),
            "bluffs": lambda: bluffs(play, whole, shown),
            "dealt": lambda: dealt(play, whole, shown),
        },
        SIZES,
    )


def draw_values(
    sets: Sequence[tuple[str, float, float]],
    mean: tuple[float, float],
    effects: Mapping[int, float],
    number: int,
) -> PlotFiles:
    """`sets`: the cards face up and the bounds; `mean`: bounds of them all; `effects`: of each card
    face up, if there are any; `number`: of all sets there are."""
    plots = {"values": lambda: values(sets, mean, number)}
    if effects:
        plots["cards"] = lambda: card_effects(effects, len(sets))
    return draw_plots(plots, SIZES)


def values(sets: Sequence[tuple[str, float, float]], mean: tuple[float, float], number: int) -> Any:
    """A bar from bound to bound for each set, the best on top."""
    ordered = sorted(sets, key=lambda each: -(each[1] + each[2]))
    figure, (axes,) = new_figure(1.3 + 0.16 * len(ordered))
    axes.axvspan(*mean, color=ORANGE, alpha=0.35, lw=0, label="mean, as often as they are dealt")
    for y, (_, low, high) in enumerate(ordered):
        axes.barh(y, high - low, 0.62, left=low, color=BLUE)
    axes.set_yticks(range(len(ordered)), [face_up for face_up, _, _ in ordered], fontsize=7.5)
    axes.use_sticky_edges = False  # room beside the first and the last bar
    axes.margins(x=0.03)
    axes.set_ylim(len(ordered) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(color=PALE, lw=0.5)
    axes.set_axisbelow(True)
    axes.set_xlabel("value for the first player: won 1, lost −1")
    wins = axes.secondary_xaxis(
        "top", functions=(lambda value: 50 * (1 + value), lambda share: share / 50 - 1)
    )
    wins.set_xlabel("rounds won of 100")
    axes.set_title(f"{len(ordered)} of {number} sets of cards face up, from bound to bound")
    figure.legend(loc="outside lower center", fontsize=8)
    return figure


def card_effects(effects: Mapping[int, float], sets: int) -> Any:
    """What each card face up changes, in the place of an average one."""
    figure, (axes,) = new_figure(1.0 + 0.28 * len(effects))
    cards = sorted(effects, key=lambda card: -effects[card])
    for y, card in enumerate(cards):
        axes.barh(y, effects[card], 0.7, color=BLUE if effects[card] > 0 else ORANGE)
    axes.axvline(0, color=GREY, lw=1)
    axes.set_yticks(range(len(cards)), [TITLES[card] for card in cards])
    axes.set_ylim(len(cards) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", color=PALE, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel("change of the value for the first player")
    axes.set_title(f"a card face up instead of an average one, by a fit over {sets} sets")
    return figure


def _colour(code: str) -> tuple[float, float, float]:
    red, green, blue = (int(code[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def first_turn(opening: FirstTurn, shown: str) -> Any:
    """A bar for each hand, cut into the plays."""
    figure, (axes,) = new_figure(1.1 + 0.27 * len(opening))
    labels = []
    for y, ((low, high), plays) in enumerate(opening.items()):
        labels.append(f"{TITLES[low]} + {TITLES[high]}")
        left = 0.0
        for play, share in sorted(plays.items(), key=lambda each: (LAID[each[0]], -each[1])):
            colour = COLOURS[LAID[play]]
            axes.barh(y, share, 0.82, left=left, color=colour, edgecolor="white", lw=0.8)
            words = next((w for w in _words(play, share) if share > 0.012 * len(w)), "")
            axes.text(
                left + share / 2, y, words, ha="center", va="center", fontsize=7.5,
                color=ink(_colour(colour)),
            )  # fmt: skip
            left += share
    axes.set_yticks(range(len(labels)), labels)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_xlim(0, 1)
    axes.set_xticks([])
    axes.tick_params(axis="y", length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(f"the first turn, {shown} face up:\nwhat is laid, “what the Guard names”, %")
    return figure


def _words(play: int, share: float) -> tuple[str, str]:
    """In a piece of a bar; and in one that is too short for it."""
    name = f"“{TITLES[play + 2]}”" if play < GUARD_NAMES else TITLES[LAID[play]]
    return f"{'self' if play == PRINCE_ON_SELF else name} {100 * share:.0f}", f"{100 * share:.0f}"


def laid(whole: Tallies, sets: int) -> Any:
    """Two matrices: on the first turn, and in whole rounds."""
    from matplotlib.patches import Rectangle

    figure, panels = new_figure(6.6, 2, 5.0)
    for axes, name, title in zip(
        panels, ("laid first", "laid"), ("on the first turn", "in whole rounds"), strict=True
    ):
        for row in CARDS:
            for column in CARDS:
                cell = whole[name, row, column]
                if cell.of < FEW:
                    continue
                colour = rising(cell.share)
                axes.add_patch(Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, color=colour))
                words = f"{100 * cell.share:.0f}"
                axes.text(column, row, words, ha="center", va="center", color=ink(colour))
        axes.set_xticks(list(CARDS), TITLES[1:], rotation=35, ha="left", rotation_mode="anchor")
        axes.set_yticks(list(CARDS), TITLES[1:])
        axes.set_xlim(0.5, PRINCESS + 0.5)
        axes.set_ylim(PRINCESS + 0.5, 0.5)
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_title(f"{title}, {sets} sets:\nthe row is laid, the column kept, %")
    return figure


def ends(own: Tallies, shown: str) -> Any:
    """By turn, how rounds end."""
    turns = sorted({key[1] for key in own if key[0] == "end guard"})
    figure, (axes,) = new_figure(3.4)
    below = [0.0] * len(turns)
    for name, (words, colour, hatch) in ENDS.items():
        heights = [100 * own[name, turn].share for turn in turns]
        label = f"{words} ({own[name].share:.0%})"
        axes.bar(
            [turn + 1 for turn in turns], heights, 0.8, bottom=below, color=colour, hatch=hatch,
            edgecolor="white", lw=0.6, label=label,
        )  # fmt: skip
        below = [a + b for a, b in zip(below, heights, strict=True)]
    axes.set_xticks([turn + 1 for turn in turns])
    axes.set_xlabel("turn (odd: the first player's)")
    axes.set_ylabel("% of rounds")
    axes.grid(axis="y", color=PALE, lw=0.6)
    axes.set_axisbelow(True)
    axes.legend(loc="upper right", fontsize=8.5)
    axes.set_title(f"how and when rounds end, {shown} face up")
    return figure


def bluffs(play: Play, whole: Tallies, shown: str) -> Any:
    """How often a Guard names the card beside it: a dot for each set, a bar for all."""
    looks = (
        ("bluff first", "first turn", BLUE, "o", -0.17),
        ("bluff later", "later turns", ORANGE, "s", 0.17),
    )
    return _strips(
        play, whole, shown, looks, list(CARDS)[1:],
        "how often a Guard names the card that is kept beside it, %",
    )  # fmt: skip


def dealt(play: Play, whole: Tallies, shown: str) -> Any:
    """Rounds won by who is dealt a card."""
    looks = (
        (("dealt", 0), "first player", BLUE, "o", -0.17),
        (("dealt", 1), "second player", ORANGE, "s", 0.17),
    )
    return _strips(
        play, whole, shown, looks, list(CARDS), "rounds won by who is dealt a card, %", 50
    )


def _strips(
    play: Play, whole: Tallies, shown: str, looks: Any, cards: list[int], title: str,
    even: float | None = None,
) -> Any:  # fmt: skip
    """A row for each card; the set that is told alone is filled."""
    figure, (axes,) = new_figure(1.2 + 0.42 * len(cards))
    for name, words, colour, mark, shift in looks:
        key = name if isinstance(name, tuple) else (name,)
        for y, card in enumerate(cards):
            for face_up, row in play.items():
                share = row.share((*key, card))
                if share is not None:
                    own = face_up == shown
                    axes.plot(
                        100 * share, y + shift, mark, color=colour, mfc=colour if own else "none",
                        ms=4.5, alpha=1 if own else 0.6, zorder=4 if own else 3,
                    )  # fmt: skip
            mean = whole[*key, card]
            if mean.of >= FEW and len(play) > 1:
                at = 100 * mean.share
                axes.plot((at, at), (y + shift - 0.16, y + shift + 0.16), color=colour, lw=2)
        axes.plot([], [], mark, color=colour, label=words)
    axes.plot([], [], "o", color=GREY, mfc="none", label=f"other sets (filled: {shown})")
    axes.plot([], [], color=GREY, lw=2, label="all sets")
    if even is not None:
        axes.axvline(even, color=GREY, lw=1, ls="--", zorder=0)
    axes.set_yticks(range(len(cards)), [TITLES[card] for card in cards])
    axes.set_ylim(len(cards) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x", color=PALE, lw=0.6)
    axes.set_axisbelow(True)
    axes.set_title(title)
    figure.legend(loc="outside lower center", ncols=2, fontsize=8)
    return figure
