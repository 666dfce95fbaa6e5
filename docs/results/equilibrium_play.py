"""What equilibrium play of two-player Love Letter looks like: figures, tables, pictures.

    .venv/bin/python docs/results/equilibrium_play.py
    .venv/bin/python docs/results/equilibrium_play.py "priest priest countess" --rounds 100000
    .venv/bin/python docs/results/equilibrium_play.py --small

Takes the rounds that `kibitz solve love-letter` has solved and kept on this machine: those of
love-letter-solved.csv, or all of them if there is no such table. The first turn is told exactly.
For the rest each solution plays rounds against itself. What is found goes to love-letter-solved/
and into the page. Small, it solves the end of a round and takes that, to see that all of this
works: for a copy of the docs, whose figures it spoils.
"""

from __future__ import annotations

import argparse
import csv
import io
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
from comparisons import HERE, fill
from equilibrium_pictures import draw

from kibitz.core.errors import KibitzError
from kibitz.core.files import atomic_write
from kibitz.games.love_letter.cards import (
    COPIES,
    COUNTESS,
    HANDMAID,
    KING,
    NAMES,
    PRINCE,
    PRINCESS,
    names,
    read_face_up,
    unseen,
)
from kibitz.solvers.love_letter.public_line import PublicLine
from kibitz.solvers.love_letter.public_states import (
    CARDS,
    GUARD_NAMES,
    LAID,
    PLAY_BARON,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
)
from kibitz.solvers.love_letter.results_table import ResultsTable
from kibitz.solvers.love_letter.self_play import COMPARED, LOSES, WINS, rounds_of
from kibitz.solvers.love_letter.solution_file import (
    StoredSolution,
    is_solved,
    load_solution,
    solution_folder,
)
from kibitz.solvers.love_letter.solver import Round, Solver
from kibitz.solvers.love_letter.text import all_face_up

DECK = "published"
LATE = (2, 1, 1, 1, 1, 0, 1, 0)
"""Unseen cards of a small round, the Guard first."""
TABLE = HERE / "love-letter-solved.csv"
FOLDER = HERE / "love-letter-solved"
PAGE = HERE.parent / "love-letter-solved.md"
SHOWN = "priest priest countess"
"""The set whose figures are told alone."""
SURE = 0.99
"""A decision is mixed if no play has this share."""
OPEN = 0.9
EQUAL = 1e-5
RARE = 0.0005
"""What has a smaller share is not told."""
FOR = {PRINCE_ON_OTHER: "the other", PRINCE_ON_SELF: "oneself"}
FEW = 1000
"""What was met less often is not told."""
LAID_BY = np.array(LAID)


class Tally(NamedTuple):
    """How often, of how many."""

    times: float
    of: float

    @property
    def share(self) -> float:
        return self.times / self.of if self.of else math.nan

    @property
    def error(self) -> float:
        """Half of a 95 % interval."""
        share = min(max(self.share, 0.0), 1.0)
        return 1.96 * math.sqrt(share * (1 - share) / self.of) if self.of else math.nan


Tallies = dict[Any, Tally]
FirstTurn = dict[tuple[int, int], dict[int, float]]
"""For each pair of cards, how often each play is chosen."""
FIGURES: dict[str, str] = {
    "first wins": "the first player wins the round",
    "turn 1": "the round is over with the first turn",
    "end guard": "it ends by a Guard who names the right card",
    "end baron won": "it ends by a Baron, who wins",
    "end baron lost": "it ends by a Baron, who loses",
    "end prince": "it ends by a Prince who meets the Princess",
    "end own prince": "it ends by a Prince on oneself with the Princess, for want of another play",
    "end compared": "it ends with the last card: hands are compared",
    "forced": "decisions with one play that is worth a thought",
    "pure": "decisions with several, one of which has 99 % or more",
    "mixed": "decisions that are left to the lot: no play has 99 %",
    "open": "decisions where no play has 90 %",
    "mixed round": "rounds with a decision that is left to the lot",
    "hit": "a Guard's guess is right",
    "aimed": "a Guard's guess is right, as its player expects",
    "likeliest": "it would be right, if the likeliest card were named",
    "names likeliest": "the likeliest card is named",
    "bluff": "bluffs: a Guard names the card that is kept beside it",
    "bluff possible": "bluffs where the other may hold that card for all that is seen",
    "bluff hopeless": "bluffs that can't be right: there is no other such card",
    "bluff princess first": "a Guard beside the Princess names her, on the first turn",
    "bluff princess later": "a Guard beside the Princess names her, later",
    "princess wins": "dealt the Princess: the round is won",
    "princess kept": "dealt the Princess: still held when the round ends",
    "princess guard": "dealt the Princess: lost to a Guard",
    "princess prince": "dealt the Princess: lost to a Prince",
    "baron wins": "a Baron against an unprotected player wins",
    "baron loses": "a Baron against an unprotected player loses",
    "handmaid": "the Handmaid is laid where she may be",
    "own prince": "a Prince is for oneself where he need not be",
    "king": "the King is laid where the other card may be",
    "countess": "the Countess is laid where the other card may be",
}
"""Shares, and what they are called."""
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
ENDS = [name for name in FIGURES if name.startswith("end ")]
FATES = ("wins", "kept", "guard", "prince")


# -- counting ------------------------------------------------------------------------------


def tally(which: Any, among: Any) -> Tally:
    return Tally(float(np.count_nonzero(which & among)), float(np.count_nonzero(among)))


def count(turns: Any) -> Tallies:
    """All figures of the rounds that were played, by name."""
    found: Tallies = {}
    last = turns[turns["end"] > 0]
    result = last["result"] * np.where(last["turn"] % 2, -1, 1)
    every = np.ones(len(last), bool)
    found["turns"] = Tally(len(turns), len(last))
    found["first wins"] = tally(result > 0, every)
    for name, which in ends(last).items():
        found[name] = tally(which, every)
        for turn in range(int(last["turn"].max()) + 1):
            found[name, turn] = tally(which & (last["turn"] == turn), every)
    found["turn 1"] = tally(last["turn"] == 0, every)
    found |= decisions(turns) | guards(turns) | pairs(turns) | deals(turns, last, result)
    return found


def ends(last: Any) -> dict[str, Any]:
    """How rounds end, by their last turns."""
    play, end = last["play"], last["end"]
    return {
        "end guard": (play < GUARD_NAMES) & (end == WINS),
        "end baron won": (play == PLAY_BARON) & (end == WINS),
        "end baron lost": (play == PLAY_BARON) & (end == LOSES),
        "end prince": (play == PRINCE_ON_OTHER) & (end == WINS),
        "end own prince": (play == PRINCE_ON_SELF) & (end == LOSES),
        "end compared": end == COMPARED,
    }


def decisions(turns: Any) -> Tallies:
    every = np.ones(len(turns), bool)
    forced, mixed = turns["options"] == 1, turns["top"] < SURE
    rounds = np.zeros(int(turns["round"].max()) + 1, bool)
    rounds[turns["round"][mixed]] = True
    found: Tallies = {
        "forced": tally(forced, every),
        "pure": tally(~forced & ~mixed, every),
        "mixed": tally(mixed, every),
        "open": tally(turns["top"] < OPEN, every),
        "mixed round": tally(rounds, np.ones(len(rounds), bool)),
    }
    for turn in range(int(turns["turn"].max()) + 1):
        now = turns["turn"] == turn
        found["forced", turn], found["mixed", turn] = tally(forced, now), tally(mixed, now)
    return found


def guards(turns: Any) -> Tallies:
    """What is named."""
    named = turns["play"] < GUARD_NAMES
    told, kept = turns["play"] + 2, turns["kept"]
    bluff, possible = named & (told == kept), named & (turns["can_bluff"] == 1)
    first, n = turns["turn"] == 0, float(named.sum())
    princess = possible & (kept == PRINCESS)
    likeliest = turns["aimed"] >= turns["likeliest"] - EQUAL
    found: Tallies = {
        "hit": tally(turns["end"] == WINS, named),
        "aimed": Tally(float(turns["aimed"][named].sum(dtype=float)), n),
        "likeliest": Tally(float(turns["likeliest"][named].sum(dtype=float)), n),
        "names likeliest": tally(likeliest, named),
        "bluff": tally(bluff, named),
        "bluff possible": tally(bluff, possible),
        "bluff hopeless": tally(bluff & (turns["aimed"] == 0), named),
        "bluff princess first": tally(bluff, princess & first),
        "bluff princess later": tally(bluff, princess & ~first),
    }
    for card in CARDS:
        beside = possible & (kept == card)
        found["bluff first", card] = tally(bluff, beside & first)
        found["bluff later", card] = tally(bluff, beside & ~first)
        found["named first", card] = tally(told == card, named & first)
        found["named later", card] = tally(told == card, named & ~first)
    return found


def pairs(turns: Any) -> Tallies:
    """Which card is laid, of two."""
    low, high = np.minimum(turns["held"], turns["drawn"]), np.maximum(turns["held"], turns["drawn"])
    laid = LAID_BY[turns["play"]]
    found: Tallies = {}
    for one in CARDS:
        for other in range(one + 1, PRINCESS + 1):
            both = (low == one) & (high == other)
            for name, when in (("laid", both), ("laid first", both & (turns["turn"] == 0))):
                found[name, one, other] = tally(laid == one, when)
                found[name, other, one] = tally(laid == other, when)
    bound = (high == PRINCESS) | ((high == COUNTESS) & ((low == PRINCE) | (low == KING)))
    free = (low != high) & ~bound
    for name, card in (("handmaid", HANDMAID), ("king", KING), ("countess", COUNTESS)):
        found[name] = tally(laid == card, free & ((low == card) | (high == card)))
    unprotected = turns["protected"] == 0
    duel, prince = unprotected & (turns["play"] == PLAY_BARON), unprotected & (laid == PRINCE)
    found["own prince"] = tally(turns["play"] == PRINCE_ON_SELF, prince)
    found["baron wins"] = tally(turns["end"] == WINS, duel)
    found["baron loses"] = tally(turns["end"] == LOSES, duel)
    return found


def deals(turns: Any, last: Any, result: Any) -> Tallies:
    """By the first card of each player. A drawn round is half won."""
    first = turns[turns["turn"] == 0]
    found: Tallies = {}
    fates: dict[str, list[Any]] = {f"princess {fate}": [] for fate in FATES}
    dealt = []
    for seat, (cards, won) in enumerate(((first["held"], result), (first["other"], -result))):
        for card in CARDS:
            mine = cards == card
            found["dealt", seat, card] = Tally(((won[mine] + 1) / 2).sum(), float(mine.sum()))
        own = last["turn"] % 2 == seat
        lost = (won < 0) & ~own & (last["end"] == WINS) & (last["other_after"] == PRINCESS)
        dealt.append(cards == PRINCESS)
        fates["princess wins"].append(won > 0)
        fates["princess kept"].append(
            np.where(own, last["mine_after"], last["other_after"]) == PRINCESS
        )
        fates["princess guard"].append(lost & (last["play"] < GUARD_NAMES))
        fates["princess prince"].append(lost & (last["play"] == PRINCE_ON_OTHER))
    for name, which in fates.items():
        found[name] = tally(np.concatenate(which), np.concatenate(dealt))
    return found


def together(found: Mapping[str, Tallies]) -> Tallies:
    """Of all sets, each as often as it is dealt."""
    total: dict[Any, list[float]] = {}
    for face_up, tallies in found.items():
        cards = read_face_up(face_up, DECK)
        ways = math.prod(math.comb(COPIES[DECK][card], cards.count(card)) for card in CARDS)
        for name, each in tallies.items():
            so_far = total.setdefault(name, [0.0, 0.0])
            so_far[0] += ways * each.times
            so_far[1] += ways * each.of
    return {name: Tally(*each) for name, each in total.items()}


# -- the first turn ------------------------------------------------------------------------


def first_turn(line: PublicLine) -> FirstTurn:
    found = {}
    for low in CARDS:
        for high in range(low, PRINCESS + 1):
            if options := line.options(low, high):
                found[low, high] = {option.play: option.probability for option in options}
    return found


# -- tables --------------------------------------------------------------------------------


def percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{share:.1%}"


def card_name(card: int) -> str:
    return NAMES[card].capitalize()


def told_play(play: int) -> str:
    if play < GUARD_NAMES:
        return f"Guard, names {card_name(play + 2)}"
    return card_name(LAID[play]) + (f", for {FOR[play]}" if play in FOR else "")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(line)} |" for line in lines]


def figure_rows(found: Mapping[str, Tallies], shown: str, which: Iterable[str]) -> list[str]:
    """Figures of one set, of all, and between which of the sets they lie."""
    whole = together(found)
    rows = []
    for name in ("turns", *which):
        words = FIGURES.get(name, "turns in a round")
        form = percent if name in FIGURES else "{:.2f}".format
        own = found[shown][name]
        enough = [each[name].share for each in found.values() if each[name].of >= FEW]
        alone = form(own.share) if own.of >= FEW else "–"
        if own.of >= FEW and name in FIGURES:
            alone += f" ± {100 * own.error:.1f}"
        between = f"{form(min(enough))} … {form(max(enough))}" if enough else "–"
        rows.append((words, alone, form(whole[name].share), between))
    return table(("", shown, f"{len(found)} sets", "least … most"), rows)


def matrix_rows(tallies: Tallies, name: str) -> list[str]:
    """How often the card of the row is laid, with that of the column beside it."""
    rows = []
    for card in CARDS:
        cells = [tallies.get((name, card, other), Tally(0, 0)) for other in CARDS]
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


def report(
    found: Mapping[str, Tallies], shown: str, opening: FirstTurn, rounds: int, seed: int
) -> list[str]:
    whole, own = together(found), found[shown]
    told = ((shown, own), (f"{len(found)} sets", whole))
    turns = range(max(key[1] for key in own if key[0] == "mixed") + 1)
    return [
        "# Equilibrium play of two-player Love Letter",
        "",
        f"{rounds:,} rounds of each solution against itself, seed {seed}; ± is half of a 95 %"
        " interval. What it means is told in [the page](../../love-letter-solved.md), which has"
        " the pictures. `python docs/results/equilibrium_play.py` makes all of it anew. Figures"
        f" of each set: [figures.csv](figures.csv); first turns of each, exactly:"
        f" [first-turns.csv](first-turns.csv). What was met fewer than {FEW:,} times is"
        " left out.",
        "",
        f"Sets: {'; '.join(found)}.",
        "",
        "## In short",
        "",
        *figure_rows(found, shown, FIGURES),
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
                for hand, plays in opening.items()
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


def figures_csv(found: Mapping[str, Tallies]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("face_up", "turns", *FIGURES))
    for face_up, tallies in found.items():
        cells = (tallies[name] for name in ("turns", *FIGURES))
        writer.writerow((face_up, *(f"{cell.share:.5f}" if cell.of else "" for cell in cells)))
    return text.getvalue().encode()


def first_turns_csv(openings: Mapping[str, FirstTurn]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("face_up", "hand", "laid", "named_or_for", "share"))
    for face_up, opening in openings.items():
        for hand, plays in opening.items():
            for play, share in plays.items():
                if share >= RARE:
                    more = NAMES[play + 2] if play < GUARD_NAMES else FOR.get(play, "")
                    cells = (face_up, names(hand), NAMES[LAID[play]], more, f"{share:.4f}")
                    writer.writerow(cells)
    return text.getvalue().encode()


# -- all of it -----------------------------------------------------------------------------


def folder_for(face_up: str) -> Path:
    return solution_folder(Round(unseen(DECK, read_face_up(face_up, DECK))))


def sets() -> list[str]:
    """Solved here, and in the table if there is one."""
    known = list(ResultsTable(TABLE).rows(DECK)) or [names(cards) for cards in all_face_up(DECK)]
    found = [face_up for face_up in known if is_solved(folder_for(face_up))]
    if TABLE.exists() and len(found) < len(known):
        print(f"{len(known) - len(found)} of {TABLE.name} are not kept here", file=sys.stderr)
    return found


def turns_of(stored: StoredSolution, rounds: int, seed: int) -> Any:
    subgames = ((*which, stored.files.policy_of(each)) for which, each in stored.subgames.items())
    return rounds_of(stored.tree, stored.opening, subgames, rounds, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("sets", nargs="*", help="cards face up; all that were solved if none")
    parser.add_argument("--rounds", type=int, default=1_000_000, help="of each set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="the end of a round, to try it")
    asked = parser.parse_args()
    if asked.small:
        with TemporaryDirectory() as folder:
            Solver(Round(LATE), folder=Path(folder)).solve(0.05)
            write({SHOWN: Path(folder)}, SHOWN, 2000, asked.seed)
        return
    chosen = [names(read_face_up(each, DECK)) for each in asked.sets] or sets()
    if missing := [each for each in chosen if not is_solved(folder_for(each))]:
        raise KibitzError(f"not solved here: {'; '.join(missing)}")
    if not chosen:
        raise KibitzError("no round is solved here: kibitz solve love-letter --all")
    shown = SHOWN if SHOWN in chosen else chosen[0]
    write({each: folder_for(each) for each in chosen}, shown, asked.rounds, asked.seed)


def write(folders: Mapping[str, Path], shown: str, rounds: int, seed: int) -> None:
    """Let what is solved in these folders play, and tell what came of it."""
    found, openings = {}, {}
    for face_up, folder in folders.items():
        print(face_up, file=sys.stderr, flush=True)
        stored = load_solution(folder)
        found[face_up] = count(turns_of(stored, rounds, seed))
        openings[face_up] = first_turn(
            PublicLine(stored.tree, lambda state, lead: None, stored.opening)
        )
    FOLDER.mkdir(exist_ok=True)
    told = report(found, shown, openings[shown], rounds, seed)
    pictures = draw(found, together(found), shown, openings[shown])
    atomic_write(
        {
            FOLDER / "report.md": ("\n".join(told) + "\n").encode(),
            FOLDER / "figures.csv": figures_csv(found),
            FOLDER / "first-turns.csv": first_turns_csv(openings),
        }
        | {FOLDER / f"{name}.svg": svg for name, (svg, _) in pictures.items()}
    )
    fill(PAGE, "equilibrium play", figure_rows(found, shown, IN_SHORT))


if __name__ == "__main__":
    try:
        main()
    except KibitzError as error:
        sys.exit(f"equilibrium_play: {error}")
