"""The tables of equilibrium play: for the page, the report, and as CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from equilibrium_count import ENDS, FIGURES
from equilibrium_rows import FEW, Play, Tallies, together
from equilibrium_sets import card_name, percent, table

from kibitz.games.love_letter.cards import NAMES, names
from kibitz.solvers.love_letter.public_states import (
    CARDS,
    GUARD_NAMES,
    LAID,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
)

RARE = 0.0005
"""What has a smaller share is not told."""
FOR = {PRINCE_ON_OTHER: "the other", PRINCE_ON_SELF: "oneself"}
IN_SHORT = (
    "first wins",
    "turn 1",
    "end guard",
    "end baron won",
    "end compared",
    "mixed",
    "mixed round",
    "hit",
    "likeliest",
    "bluff",
    "bluff hopeless",
    "bluff princess later",
    "princess wins",
    "handmaid",
    "king",
    "countess",
)
"""What the page has of them."""


def told_play(play: int) -> str:
    if play < GUARD_NAMES:
        return f"Guard, names {card_name(play + 2)}"
    return card_name(LAID[play]) + (f", for {FOR[play]}" if play in FOR else "")


def figure_rows(play: Play, shown: str, which: Iterable[str]) -> list[str]:
    """Figures of one set, of all, and between which of the sets they lie."""
    whole = together(play.values())
    rows = []
    for name in ("turns", *which):
        words = FIGURES.get(name, "turns in a round")
        form = percent if name in FIGURES else "{:.2f}".format
        own = play[shown].tallies[name]
        enough = [share for row in play.values() if (share := row.share(name)) is not None]
        alone = form(own.share) if own.of >= FEW else "–"
        if own.of >= FEW and name in FIGURES:
            alone += f" ± {100 * own.error:.1f}"
        between = f"{form(min(enough))} … {form(max(enough))}" if enough else "–"
        rows.append((words, alone, form(whole[name].share), between))
    return table(("", shown, f"{len(play)} sets", "least … most"), rows)


def matrix_rows(tallies: Tallies, name: str) -> list[str]:
    """How often the card of the row is laid, with that of the column beside it."""
    rows = []
    for card in CARDS:
        cells = [tallies[name, card, other] for other in CARDS]
        told = ["–" if each.of < FEW else f"{each.share:.0%}" for each in cells]
        rows.append((card_name(card), *told))
    return table(("laid ╲ kept", *map(card_name, CARDS)), rows)


def guard_rows(which: str, tallies: Tallies) -> list[str]:
    kinds = ("named first", "named later", "bluff first", "bluff later")
    rows = []
    for card in CARDS[1:]:
        cells = [tallies[kind, card] for kind in kinds]
        told = (percent(cell.share) if cell.of >= FEW else "–" for cell in cells)
        rows.append((card_name(card), *told))
    head = ("card", "named, first turn", "later", "named beside it, first turn", "later")
    return [f"## The Guard: {which}", "", *table(head, rows), ""]


def dealt_rows(which: str, tallies: Tallies) -> list[str]:
    rows = []
    for card in CARDS:
        cells = (tallies["dealt", seat, card] for seat in (0, 1))
        rows.append((card_name(card), *(percent(cell.share) for cell in cells)))
    head = ("dealt", "first player", "second player")
    return [f"## Rounds won by who is dealt a card: {which}", "", *table(head, rows), ""]


def report(play: Play, shown: str) -> list[str]:
    whole, own = together(play.values()), play[shown].tallies
    told = ((shown, own), (f"{len(play)} sets", whole))
    rounds = sorted({f"{row.rounds:,}" for row in play.values()})
    turns = range(max(key[1] for key in own if key[0] == "mixed") + 1)
    return [
        "# Equilibrium play of two-player Love Letter",
        "",
        f"{' or '.join(rounds)} rounds of each solution against itself; ± is half of a 95 %"
        " interval. What it means is told in [the page](../../love-letter-solved.md), which has"
        " the pictures. `python docs/results/equilibrium_play.py` makes all of it anew. Figures"
        " of each set: [figures.csv](figures.csv); first turns of each, exactly:"
        " [first-turns.csv](first-turns.csv); all that was counted, with seeds:"
        f" [play.jsonl](play.jsonl). What was met fewer than {FEW:,} times is left out.",
        "",
        f"Sets: {'; '.join(play)}.",
        "",
        "## In short",
        "",
        *figure_rows(play, shown, FIGURES),
        "",
        f"## The first turn with {shown} face up, exactly",
        "",
        *table(
            ("hand", "plays"),
            (
                (
                    " + ".join(map(card_name, hand)),
                    "; ".join(
                        f"{told_play(play)} {percent(share)}"
                        for play, share in sorted(plays.items(), key=lambda each: -each[1])
                        if share >= RARE
                    ),
                )
                for hand, plays in play[shown].first_turn.items()
            ),
        ),
        "",
        "## Which of two cards is laid, on the first turn: all sets",
        "",
        *matrix_rows(whole, "laid first"),
        "",
        "## Which of two cards is laid, in whole rounds: all sets",
        "",
        *matrix_rows(whole, "laid"),
        "",
        *(line for each in told for line in guard_rows(*each)),
        *(line for each in told for line in dealt_rows(*each)),
        f"## Turn by turn: {shown}",
        "",
        *table(
            ("turn", "rounds that end with it", "one play alone", "left to the lot"),
            (
                (
                    str(turn + 1),
                    percent(sum(own[name, turn].share for name in ENDS if (name, turn) in own)),
                    percent(own["forced", turn].share),
                    percent(own["mixed", turn].share),
                )
                for turn in turns
            ),
        ),
    ]


def figures_csv(play: Play) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("face_up", "turns", *FIGURES))
    for face_up, row in play.items():
        cells = (row.tallies[name] for name in ("turns", *FIGURES))
        writer.writerow((face_up, *(f"{cell.share:.5f}" if cell.of else "" for cell in cells)))
    return text.getvalue().encode()


def first_turns_csv(play: Play) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("face_up", "hand", "laid", "named_or_for", "share"))
    for face_up, row in play.items():
        for hand, plays in row.first_turn.items():
            for code, share in plays.items():
                if share >= RARE:
                    more = NAMES[code + 2] if code < GUARD_NAMES else FOR.get(code, "")
                    cells = (face_up, names(hand), NAMES[LAID[code]], more, f"{share:.4f}")
                    writer.writerow(cells)
    return text.getvalue().encode()
