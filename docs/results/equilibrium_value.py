"""What two-player Love Letter is worth to the first player, from the rounds that were solved.

    .venv/bin/python docs/results/equilibrium_value.py

Takes love-letter-solved.csv and, where equilibrium_play.py has counted it, how the sets are
played. Writes a table of all sets and pictures to love-letter-solved/, and its words and figures
into the page. It takes seconds: `--small` is the same.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from comparisons import HERE, fill
from equilibrium_count import FIGURES
from equilibrium_pictures import draw_values
from equilibrium_rows import FILE, Play, load_play
from equilibrium_sets import (
    DEALS,
    DECK,
    FOLDER,
    PAGE,
    SETS,
    TABLE,
    card_name,
    deals_of,
    listed,
    table,
)

from kibitz.core.errors import KibitzError
from kibitz.core.files import atomic_write
from kibitz.games.love_letter.cards import COPIES, read_face_up
from kibitz.solvers.love_letter.public_states import CARDS
from kibitz.solvers.love_letter.results_table import ResultsTable, Row

ENDS = 3
"""So many of the best and of the worst sets are named."""
FEWEST = 10
"""With fewer sets nothing is said of how values and play go together."""
STRONGEST = 6
EQUAL = 1e-9
"""Values that differ by less are the same."""
KNOWN = ("first wins", "aimed")
"""Figures that are the value itself, or the same as another one."""


class Bounds(NamedTuple):
    low: float
    high: float

    def outward(self, digits: int) -> str:
        """Rounded so that they stay bounds."""
        scale = 10**digits
        low, high = math.floor(self.low * scale) / scale, math.ceil(self.high * scale) / scale
        return f"{low:.{digits}f} … {high:.{digits}f}"

    @property
    def wins(self) -> str:
        """Rounds of 100 that the first player wins, a tie being half a win."""
        return Bounds(50 * (1 + self.low), 50 * (1 + self.high)).outward(2)


class Fit(NamedTuple):
    """Values by cards face up, least squares, each set as often as it is dealt."""

    effects: dict[int, float]
    """Of each card, instead of an average one."""
    again: dict[int, float]
    """What a further copy of a card brings more than its first one, if they count apart."""
    explained: float
    """R²."""
    predicted: float
    """R² of sets that are left out of the fit, one at a time. Not a number if some can't be."""
    typical_miss: float
    misses: dict[str, float]


def bounds_of(row: Row) -> Bounds:
    return Bounds(row.low, row.high)


def middle(row: Row) -> float:
    return (row.low + row.high) / 2


def mean(rows: Sequence[Row]) -> Bounds:
    """Each set as often as it is dealt. Means of bounds are bounds of the mean."""
    deals = np.array([deals_of(row.face_up) for row in rows], float)
    low, high = deals @ [(row.low, row.high) for row in rows] / deals.sum()
    return Bounds(float(low), float(high))


def fit(rows: Sequence[Row], apart: bool = False) -> Fit | None:
    """By counts of each card; `apart`: the first copy counts for itself. None if there are too
    few sets. Counts add up to three, so they need no constant beside them."""
    hands = [_cards(row) for row in rows]
    cards = [card for card in CARDS if any(card in hand for hand in hands)]
    further = [card for card in cards if apart and any(hand.count(card) > 1 for hand in hands)]
    x = np.array(
        [
            [*map(hand.count, cards), *(max(hand.count(card) - 1, 0) for card in further)]
            for hand in hands
        ],
        float,
    )
    if not len(rows) > x.shape[1] == np.linalg.matrix_rank(x):
        return None
    weights = np.array([deals_of(row.face_up) for row in rows], float)
    y = np.array([middle(row) for row in rows])
    weighted = (x.T * weights).T
    inverse = np.linalg.inv(x.T @ weighted)
    each = inverse @ weighted.T @ y
    misses = y - x @ each
    alone = 1 - (x @ inverse * weighted).sum(1)  # 0: nothing but this set says what its card does
    left_out = misses / alone if alone.min() > 1e-9 else np.full(len(rows), np.nan)
    spread = float(weights @ (y - np.average(y, weights=weights)) ** 2)
    spread = spread if np.ptp(y) > EQUAL else 0.0
    effects = dict(zip(cards, each.tolist(), strict=False))
    copies = sum(COPIES[DECK][card] for card in cards)
    average = sum(COPIES[DECK][card] * effect for card, effect in effects.items()) / copies
    return Fit(
        {card: effect - average for card, effect in effects.items()},
        dict(zip(further, each[len(cards) :].tolist(), strict=True)),
        1 - float(weights @ misses**2) / spread if spread else math.nan,
        1 - float(weights @ left_out**2) / spread if spread else math.nan,
        math.sqrt(float(weights @ misses**2) / float(weights.sum())),
        dict(zip((row.face_up for row in rows), misses.tolist(), strict=True)),
    )


def _cards(row: Row) -> tuple[int, ...]:
    return read_face_up(row.face_up, DECK)


def correlations(rows: Iterable[Row], play: Play) -> dict[str, float]:
    """Of the value with figures of play, the strongest first; each set as often as it is dealt."""
    both = [row for row in rows if row.face_up in play]
    correlations = {}
    weights = [deals_of(row.face_up) for row in both]
    for name in FIGURES if len(both) >= FEWEST else ():
        shares = [play[row.face_up].share(name) for row in both]
        if name not in KNOWN and None not in shares:
            spread = np.cov(
                [middle(row) for row in both], np.array(shares, float), aweights=weights
            )
            if spread[0, 0] > 0 and spread[1, 1] > 0:
                correlations[name] = float(spread[0, 1] / math.sqrt(spread[0, 0] * spread[1, 1]))
    return dict(sorted(correlations.items(), key=lambda each: -abs(each[1])))


# -- words ---------------------------------------------------------------------------------


def value_words(rows: Sequence[Row]) -> list[str]:
    """What the game is worth, as far as that is known."""
    deals = sum(deals_of(row.face_up) for row in rows)
    bounds = mean(rows)
    whole = len(rows) == len(SETS)
    if whole:
        first = (
            f"All {len(SETS)} sets are solved. Before the cards are dealt, a round is worth"
            f" **{bounds.outward(5)}** to the first player (won 1, lost −1): with best play he wins"
            f" {bounds.wins} of 100 rounds, a tie being half a win."
        )
    else:
        first = (
            f"{len(rows)} of {len(SETS)} sets are solved so far: {deals} of the {DEALS} equally"
            f" likely deals ({deals / DEALS:.1%}). Over these, each as often as it is dealt, a"
            f" round is worth **{bounds.outward(5)}** to the first player (won 1, lost −1): with"
            f" best play he wins {bounds.wins} of 100, a tie being half a win. Of the game as a"
            " whole nothing is proved before all sets are solved."
        )
    return [f"{first} {_ahead(rows)}", "", _extremes(rows), "", _cost(rows)]


def _ahead(rows: Sequence[Row]) -> str:
    ahead, behind = sum(row.low > 0 for row in rows), sum(row.high < 0 for row in rows)
    if ahead == len(rows):
        return "To move first is an advantage in every one of these sets."
    if behind == len(rows):
        return "To move second is an advantage in every one of these sets."
    words = f"The first player is ahead in {ahead} of these sets, the second in {behind}"
    open_ = len(rows) - ahead - behind
    return words + (f"; in {open_} that is not settled." if open_ else ".")


def _extremes(rows: Sequence[Row]) -> str:
    ordered = sorted(rows, key=middle)
    few = min(ENDS, len(rows) // 2)
    if not few:
        return f"The one set: {rows[0].face_up}."
    best, worst = ordered[: -few - 1 : -1], ordered[:few]
    above = sum(row.high > best[0].low for row in rows) - 1
    below = sum(row.low < worst[0].high for row in rows) - 1
    return (
        f"Best for the first player: {_named(best)}{_unsettled(above)}. Worst:"
        f" {_named(worst)}{_unsettled(below)}."
    )


def _named(rows: Iterable[Row]) -> str:
    return ", ".join(f"{row.face_up} ({bounds_of(row).outward(4)})" for row in rows)


def _unsettled(others: int) -> str:
    """How many sets may come before the first."""
    return f"; {others} more may come first, for all that is proved" if others else ""


def _cost(rows: Sequence[Row]) -> str:
    nodes, seconds = sum(row.public_nodes for row in rows), sum(row.seconds for row in rows)
    return (
        f"ε is at most {max(row.epsilon for row in rows):.5f}; {nodes:,} public nodes took"
        f" {seconds / 3600:.1f} hours of the clock, {1e6 * seconds / nodes:.1f} s a million."
    )


def card_words(rows: Sequence[Row], play: Play) -> list[str]:
    """What makes a set good or bad for the first player."""
    fitted = fit(rows)
    return [
        *table(
            ("card", "sets with it", "value with it face up", "without it", "each, by the fit"),
            (_card_row(card, rows, fitted) for card in CARDS),
        ),
        "",
        *_fit_words(fitted, fit(rows, apart=True), len(rows)),
        *_correlation_words(correlations(rows, play)),
    ]


def _card_row(card: int, rows: Sequence[Row], fitted: Fit | None) -> tuple[str, ...]:
    there = [row for row in rows if card in _cards(row)]
    others = [row for row in rows if card not in _cards(row)]
    effect = fitted.effects.get(card) if fitted else None
    return (
        card_name(card),
        str(len(there)),
        _mean_of(there),
        _mean_of(others),
        "–" if effect is None else signed(effect),
    )


def _mean_of(rows: Sequence[Row]) -> str:
    if not rows:
        return "–"
    return mean(rows).outward(4)


def _fit_words(fitted: Fit | None, apart: Fit | None, sets: int) -> list[str]:
    if fitted is None:
        return [f"{sets} sets are too few for a fit by cards."]
    ordered = sorted(fitted.effects, key=lambda card: -fitted.effects[card])
    good = [_effect(fitted.effects, card) for card in ordered if fitted.effects[card] > SMALL]
    bad = [_effect(fitted.effects, card) for card in ordered[::-1] if fitted.effects[card] < -SMALL]
    sides = [
        f"{side} if it is the {listed(cards)}"
        for side, cards in (("better", good), ("worse", bad))
        if cards
    ]
    words = [
        f"By least squares over {sets} sets, a card face up in the place of an average one makes"
        f" the round, for the first player, {'; '.join(sides) or 'neither better nor worse'}."
        f" {_quality(fitted)}"
    ]
    if apart is not None and apart.again:
        most = sorted(apart.again, key=lambda card: -abs(apart.again[card]))
        words += [
            "",
            "Further copies of a card may do something else than the first. If they count apart,"
            " each changes the value by so much more than the first one does: "
            + listed([_effect(apart.again, card) for card in most])
            + f". {_quality(apart)}",
        ]
    return words


SMALL = 0.00005
"""No effect."""
HOW_MUCH = ((0.9, "nearly all"), (0.6, "most"), (0.3, "a part"), (-math.inf, "little"))


def _effect(effects: Mapping[int, float], card: int) -> str:
    return f"{card_name(card)} ({signed(effects[card])})"


def _quality(fitted: Fit) -> str:
    """How well it fits."""
    if math.isnan(fitted.explained):
        return "All sets have the same value."
    how = next(word for least, word in HOW_MUCH if fitted.explained >= least)
    predicted = (
        "some cards are in one set alone, which can't be left out"
        if math.isnan(fitted.predicted)
        else f"{fitted.predicted:.2f} for sets that are left out of the fit, one at a time"
    )
    most = max(fitted.misses, key=lambda face_up: abs(fitted.misses[face_up]))
    return (
        f"That explains {how} of the differences: R² {fitted.explained:.2f} ({predicted}). It"
        f" misses by {fitted.typical_miss:.4f} as a rule, and by most with {most}"
        f" ({signed(fitted.misses[most])})."
    )


def signed(number: float) -> str:
    return f"{number:+.4f}".replace("-", "−")


def _correlation_words(goes_with: Mapping[str, float]) -> list[str]:
    if not goes_with:
        return []
    rows = [
        (FIGURES[name], f"{r:+.2f}".replace("-", "−"))
        for name, r in list(goes_with.items())[:STRONGEST]
    ]
    return [
        "",
        "What goes with a high value for the first player (above 0), or with a low one, over the"
        " sets whose play was counted; that is no proof of a cause:",
        "",
        *table(("share", "correlation with the value"), rows),
    ]


# -- the table of sets ---------------------------------------------------------------------


def sets_page(rows: Sequence[Row]) -> list[str]:
    return [
        "# The sets of Love Letter that are solved",
        "",
        "Three cards face up, the value for the first player (won 1, lost −1) between proved"
        f" bounds, and ε, half their distance; of {DEALS} equally likely deals, how many have this"
        " set. Sorted by value. Made by `docs/results/equilibrium_value.py` from"
        " [love-letter-solved.csv](../love-letter-solved.csv); seconds are of the clock, on a"
        " machine that had other work too. [What it means](../../love-letter-solved.md).",
        "",
        *value_words(rows),
        "",
        *table(
            (
                "face up", "deals", "value", "ε", "iterations", "public nodes", "seconds",
                "Kibitz, Numba, NumPy", "made anew by",
            ),
            (_set_row(row) for row in sorted(rows, key=middle, reverse=True)),
        ),
    ]  # fmt: skip


def _set_row(row: Row) -> tuple[str, ...]:
    return (
        row.face_up,
        str(deals_of(row.face_up)),
        bounds_of(row).outward(5),
        f"{row.epsilon:.5f}",
        str(row.iterations),
        f"{row.public_nodes:,}",
        f"{row.seconds:.0f}",
        f"{row.kibitz}, {row.numba}, {row.numpy}",
        f"`{command(row)}`",
    )


def command(row: Row) -> str:
    where = TABLE.relative_to(HERE.parent.parent)
    return f'kibitz solve love-letter --face-up "{row.face_up}" --table {where}'


def main() -> None:
    rows = list(ResultsTable(TABLE).rows(DECK).values())
    if not rows:
        where = TABLE.relative_to(HERE.parent.parent)
        raise KibitzError(
            f"{TABLE.name} has no round: kibitz solve love-letter --all-sets --table {where}"
        )
    if strangers := {row.face_up for row in rows} - set(SETS):
        raise KibitzError(f"{TABLE.name}: {min(strangers)} can't lie face up")
    write(rows, load_play(FILE))


def write(rows: Sequence[Row], play: Play) -> None:
    fitted = fit(rows)
    blocks = {
        "value": value_words(rows),
        "good and bad sets": card_words(rows, play),
    }
    bars: list[tuple[str, float, float]] = [(row.face_up, row.low, row.high) for row in rows]
    pictures = draw_values(bars, mean(rows), fitted.effects if fitted else {}, len(SETS))
    FOLDER.mkdir(exist_ok=True)
    files: dict[Any, bytes] = {FOLDER / f"{name}.svg": svg for name, (svg, _) in pictures.items()}
    files[FOLDER / "sets.md"] = ("\n".join(sets_page(rows)) + "\n").encode()
    atomic_write(files)
    for title, lines in blocks.items():
        fill(PAGE, title, lines)


if __name__ == "__main__":
    try:
        main()
    except KibitzError as error:
        sys.exit(f"equilibrium_value: {error}")
