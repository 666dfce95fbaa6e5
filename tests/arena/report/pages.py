"""Comparisons of every kind to report on, what is written for them, and a reader of pages."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.agreement import Agreement
from kibitz.arena.comparison import (
    Comparison,
    FailureLine,
    Interval,
    MatchLine,
    PlayerLine,
    TableLine,
    beaten_by,
)
from kibitz.arena.rating import PARTNERS, Rating, rate
from kibitz.arena.report.page import write_report
from kibitz.arena.statistics.rating import Contest
from kibitz.arena.statistics.scores import elo

SEARCH = "ismcts:simulations=300,observers=one,rollout=uniform"
WILD = '<b>&"x"$a$_{\u4e2d}</b>'
WHEN = "2024-02-29"
VOID = {"meta", "wbr"}


def player(name: str, knows: str = "fair", microseconds: float = 2.5) -> PlayerLine:
    return PlayerLine(name, knows, True, 4000, 4000 * microseconds / 1e6, 0)


def match(
    a: str, b: str, score: float, half: float = 0.05, margin: float = 0.0,
    clear: bool | None = None, pairs: int = 100,
) -> MatchLine:  # fmt: skip
    low, high = max(0.0, score - half), min(1.0, score + half)
    margin95: Interval = (margin - 1.25, margin + 1.25)
    if pairs == 1:
        low, high, margin95 = 0.0, 1.0, (-math.inf, math.inf)
    wins = round(2 * pairs * score)
    return MatchLine(
        a, b, pairs, wins, 0, 2 * pairs - wins, score, (low, high), elo(score),
        (elo(low), elo(high)), 0.5625, margin, margin95, clear,
    )  # fmt: skip


def two(
    scores: dict[tuple[str, str], float], fast: Sequence[str] = (), **options: Any
) -> Comparison:
    names = list(dict.fromkeys(name for pair in scores for name in pair))
    players = tuple(player(name, microseconds=0.5 if name in fast else 2.5) for name in names)
    matches = tuple(match(a, b, score, **options) for (a, b), score in scores.items())
    pairs = matches[0].pairs
    return Comparison("tablic", 7, "game", pairs, players, matches, (), (), False)


def several(n: int, seats: int = 2) -> Comparison:
    """Players of rising strength, and long names among them."""
    names = [f"{SEARCH}#{i}" if i % 2 else f"p{i}" for i in range(n)]
    if seats == 2:
        pairs = combinations(range(n), 2)
        return two({(names[i], names[j]): (1 + i - j + n) / (2 * n) for i, j in pairs})
    tables = []
    for line_up in combinations(range(n), seats):
        whole = sum(1 + i for i in line_up)
        score = {names[i]: (1 + i) / whole for i in line_up}
        ends = {name: (max(0.0, s - 0.05), s + 0.05) for name, s in score.items()}
        wins = {name: round(300 * s) for name, s in score.items()}
        who = tuple(score)
        tables.append(TableLine(who, 100, 100 * seats, wins, 3, score, ends, 0.3125, ()))
    players = tuple(map(player, names))
    return Comparison(
        "love-letter:players=3", 7, "round", 100, players, (), tuple(tables), (), False
    )


def agreed(comparison: Comparison) -> Agreement:
    names = tuple(p.name for p in comparison.players)
    rows = tuple(tuple(200 - 10 * abs(i - j) for j in range(len(names))) for i in range(len(names)))
    return Agreement(comparison.game, 7, names, 200, rows)


def usual() -> Comparison:
    scores = {("random", "greedy"): 0.3125, ("random", SEARCH): 0.25, ("greedy", SEARCH): 0.4775}
    return two(scores, margin=-3.5)


def rated(comparison: Comparison) -> Comparison:
    """With the joint rating of its matches: a pair that is won counts a point."""
    names = [each.name for each in comparison.players]
    contests = []
    for each in comparison.matches:
        own = (np.arange(each.pairs) < round(each.pairs * each.score)).astype(float)
        who = names.index(each.a), names.index(each.b)
        contests.append(Contest.of_pairs(who, np.stack([own, 1 - own], axis=1)))
    return replace(comparison, rating=rate(names, contests, beaten_by(comparison.matches)))


def circle() -> Comparison:
    scores = {("rock", "scissors"): 0.8, ("scissors", "paper"): 0.75, ("rock", "paper"): 0.2}
    return rated(two(scores, pairs=400))


def unbeaten() -> Comparison:
    return rated(two({("top", WILD): 1.0, ("top", "b"): 1.0, (WILD, "b"): 0.6}))


def partners() -> Comparison:
    return replace(several(4, 4), rating=Rating("score", why_not=PARTNERS))


def nothing() -> Comparison:
    return replace(usual(), matches=(), interrupted=True)


def wild() -> Comparison:
    comparison = two({(WILD, SEARCH): 1.0}, pairs=1, margin=12.0)
    failures = tuple(
        FailureLine(WILD, i, 1, f"no such card: \ud800 <script>\n{'x' * 300}") for i in range(103)
    )
    idle = replace(comparison.players[0], decisions=0, seconds=0.0, failures=103)
    return replace(comparison, players=(idle, comparison.players[1]), failures=failures)


ODD: dict[str, Callable[[], Comparison]] = {
    "usual": usual,
    "one match": lambda: two({("a", "b"): 0.6}),
    "one pair": lambda: two({("a", "b"): 0.5}, pairs=1, margin=3.0),
    "all lost": lambda: two({("a", "b"): 0.0, ("a", "c"): 0.0, ("b", "c"): 1.0}),
    "equal": lambda: two({("a", "a#2"): 0.5}, half=0.0),
    "twelve": lambda: several(12),
    "three seats": lambda: several(4, 3),
    "four seats": lambda: several(4, 4),
    "many tables": lambda: several(9, 3),
    "wild": wild,
    "nothing": nothing,
    "rated": lambda: rated(usual()),
    "twelve rated": lambda: rated(several(12)),
    "circle": circle,
    "unbeaten": unbeaten,
    "partners": partners,
    "until clear": lambda: two({("a", "b"): 0.7, ("a", "c"): 0.6, ("b", "c"): 0.5}, clear=False),
}


@cache
def files(case: str, with_agreement: bool = False) -> dict[str, bytes]:
    """All that is written, by name."""
    comparison = ODD[case]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.html"
        again = f"kibitz compare {SEARCH}"
        written = write_report(
            comparison, path, again, WHEN, agreed(comparison) if with_agreement else None
        )
        assert set(written) == {each for each in Path(folder).rglob("*") if each.is_file()}
        return {str(each.relative_to(folder)): each.read_bytes() for each in written}


def page(case: str, with_agreement: bool = False) -> str:
    return files(case, with_agreement)["out.html"].decode()


class Reader(HTMLParser):
    """Checks that tags are balanced, and keeps texts, headings and the cells of tables."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []
        self.headings: list[str] = []
        self.rows: list[list[str]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag in ("h1", "h2", "h3"):
            self.headings.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.open, "only SVG has such tags"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" in self.open:
            return
        self.texts.append(data)
        if {"td", "th"} & set(self.open):
            self.rows[-1][-1] += data
        if {"h1", "h2", "h3"} & set(self.open):
            self.headings[-1] += data

    @property
    def text(self) -> str:
        return "".join(self.texts).replace("\xa0", " ")
