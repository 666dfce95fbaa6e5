"""How `equilibrium` does against other strategies of two-player Love Letter, over solved sets.

    .venv/bin/python docs/results/equilibrium_matches.py
    .venv/bin/python docs/results/equilibrium_matches.py --against greedy
    .venv/bin/python docs/results/equilibrium_matches.py --player flat-mc
    .venv/bin/python docs/results/equilibrium_matches.py --small

Every set that has a book is played as often as it is dealt: PAIRS_A_DEAL for each of the 560 deals,
over 5,000 in the 60 smallest sets. A set against one opponent is a line of matches.jsonl as soon as
it is played: killed, the same command goes on, sets that are solved later are added, and a set with
too few pairs gets the rest of them. Then it fills the page's tables: what `equilibrium` scores, and
who of it and `flat-mc`, the strongest other fair player, scores more against the field.

Small, it plays two sets for a few pairs: for a copy of the docs, whose figures it spoils.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from comparisons import WITH, fill
from equilibrium_sets import DECK, FOLDER, PAGE, SETS, deals_of, table

from kibitz.arena.plan import Part
from kibitz.arena.play_part import play_part
from kibitz.arena.statistics.scores import Score, score_from
from kibitz.arena.tally import Tally
from kibitz.core.errors import KibitzError
from kibitz.core.registry import make_game, make_strategy
from kibitz.games.love_letter.cards import read_face_up
from kibitz.solvers.love_letter.book import find_book, load_book

EQUILIBRIUM, RIVAL = "equilibrium", "flat-mc"
OPPONENTS = ("random", "probabilistic", "greedy", "flat-mc", "ismcts", "pimc")
PAIRS_A_DEAL = 16
SEED = 1
FILE = FOLDER / "matches.jsonl"
SMALL_SETS, SMALL_PAIRS = 2, 2


class Line(NamedTuple):
    """What a set gave one player against one opponent, from the player's side."""

    face_up: str
    opponent: str
    pairs: int
    wins: int
    draws: int
    losses: int
    score: float
    """The sum of the pair scores."""
    squares: float
    decisions: int
    failures: int
    kibitz: str
    streams: int
    player: str = EQUILIBRIUM


Played = dict[tuple[str, str, str], Line]
"""By the cards face up, the player and the opponent."""


def play_set(face_up: str, player: str, opponent: str, start: int, pairs: int) -> Line:
    """Pairs number start to start + pairs − 1."""
    game = make_game(f"love-letter:face_up={face_up}")
    strategies = make_strategy(player), make_strategy(opponent)
    tally = Tally(2, unit=game.traits.unit)
    tally.add(play_part(Part(game, strategies, SEED, game.traits.unit, None, start, pairs)))
    _, score, squares = tally.score_sums(0)
    return Line(
        face_up, opponent, pairs, int(tally.wins[0]), int(tally.shared[0]), int(tally.wins[1]),
        score, squares, int(tally.decisions[0]),
        len(tally.failures), WITH["version"], WITH["streams"], player,
    )  # fmt: skip


def load(file: Path) -> Played:
    """What was played of each set: lines of the same two players add up."""
    known: Played = {}
    for text in file.read_text().splitlines() if file.exists() else ():
        add(known, Line(**json.loads(text)))
    return known


def add(known: Played, line: Line) -> None:
    which = line.face_up, line.player, line.opponent
    before = known.get(which)
    if before is None:
        known[which] = line
        return
    sums = {field: getattr(before, field) + getattr(line, field) for field in SUMS}
    known[which] = line._replace(**sums)


SUMS = ("pairs", "wins", "draws", "losses", "score", "squares", "decisions", "failures")


def solved_sets(most: int | None = None) -> list[str]:
    """Those that have a book, the smallest book first: they are the quickest. At most so many."""
    books = {face_up: find_book(read_face_up(face_up, DECK)) for face_up in SETS}
    there = {face_up: file for face_up, file in books.items() if file is not None}
    ordered = sorted(there, key=lambda face_up: there[face_up].stat().st_size)[:most]
    for face_up in ordered:
        load_book(there[face_up])  # a damaged one is refused
    return ordered


def total(lines: Iterable[Line]) -> tuple[int, Score, tuple[int, int, int]]:
    """Every pair counts the same: sets have as many as their share of the deals asks for."""
    lines = list(lines)
    pairs = sum(line.pairs for line in lines)
    score = score_from(pairs, sum(x.score for x in lines), sum(x.squares for x in lines))
    return pairs, score, tuple(sum(each) for each in zip(*(x[3:6] for x in lines), strict=True))


def lines_of(lines: Iterable[Line], player: str, opponent: str) -> list[Line]:
    return [line for line in lines if (line.player, line.opponent) == (player, opponent)]


def shown(score: Score) -> str:
    return f"**{score.mean:.1%}** ({score.low:.1%} … {score.high:.1%})"


def words(lines: Sequence[Line]) -> list[str]:
    rows = []
    for opponent in OPPONENTS:
        own = lines_of(lines, EQUILIBRIUM, opponent)
        if not own:
            continue
        pairs, score, results = total(own)
        won = " / ".join(f"{each:,}" for each in results)
        rows.append((f"`{opponent}`", str(len(own)), f"{pairs:,}", won, shown(score)))
    version = sorted({line.kibitz for line in lines})
    return [
        *table(("against", "sets", "pairs", "won / shared / lost", "score"), rows),
        "",
        f"Kibitz {' and '.join(version)}, seed {SEED}, seats swapped, each set as often as it is"
        " dealt; the interval is of 95 %, over pairs. Sets that are not played yet are added by the"
        " same command.",
    ]


def field_words(lines: Sequence[Line]) -> list[str]:
    """Who scores more against the field: the equilibrium or its rival."""
    field = [one for one in OPPONENTS if one != RIVAL]
    scores = {
        (player, opponent): total(own)[1]
        for player in (EQUILIBRIUM, RIVAL)
        for opponent in field
        if (own := lines_of(lines, player, opponent))
    }
    met = [one for one in field if {(EQUILIBRIUM, one), (RIVAL, one)} <= set(scores)]
    between = lines_of(lines, EQUILIBRIUM, RIVAL)
    if not met or not between:
        return ["Not played yet."]
    rows = [(f"`{one}`", *(shown(scores[who, one]) for who in (EQUILIBRIUM, RIVAL))) for one in met]
    each = total(between)[1]
    rows.append(("each other", shown(each), shown(mirrored(each))))
    means = {
        player: (sum(scores[player, one].mean for one in met) + own.mean) / (len(met) + 1)
        for player, own in ((EQUILIBRIUM, each), (RIVAL, mirrored(each)))
    }
    rows.append(("mean", *(f"**{means[who]:.1%}**" for who in (EQUILIBRIUM, RIVAL))))
    best = max(means, key=lambda who: means[who])
    return [
        *table(("against", f"`{EQUILIBRIUM}`", f"`{RIVAL}`"), rows),
        "",
        f"`{best}` scores more against the field.",
    ]


def mirrored(score: Score) -> Score:
    """The same from the other side."""
    return Score(1 - score.mean, 1 - score.high, 1 - score.low)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--player", choices=(EQUILIBRIUM, RIVAL), default=EQUILIBRIUM)
    parser.add_argument("--against", choices=OPPONENTS, action="append")
    parser.add_argument("--pairs", type=int, default=PAIRS_A_DEAL, help="for each deal")
    parser.add_argument("--small", action="store_true")
    options = parser.parse_args()
    known: Played = {} if options.small else load(FILE)
    sets = solved_sets(SMALL_SETS if options.small else None)
    FOLDER.mkdir(exist_ok=True)
    for face_up in sets:
        wanted = SMALL_PAIRS if options.small else options.pairs * deals_of(face_up)
        for opponent in options.against or OPPONENTS:
            if opponent == options.player:
                continue
            before = known.get((face_up, options.player, opponent))
            played = before.pairs if before is not None else 0
            if played >= wanted:
                continue
            line = play_set(face_up, options.player, opponent, played, wanted - played)
            add(known, line)
            if not options.small:
                append(FILE, line._asdict())
            print(f"{face_up} against {opponent}: {line.score:g} of {line.pairs}", flush=True)
    fill(PAGE, "matches", words(list(known.values())))
    fill(PAGE, "field", field_words(list(known.values())))


def append(file: Path, line: dict[str, Any]) -> None:
    with file.open("a") as out:
        out.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    try:
        main()
    except KibitzError as error:
        sys.exit(f"equilibrium_matches: {error}")
