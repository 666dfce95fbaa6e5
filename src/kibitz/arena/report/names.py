"""Short names for tables: long ones are cut in the middle, and stay different from each other.

What a strategy is called is its whole text, so options, files and the commands of bots make it
long; of two such names mostly the beginnings are alike. A legend has them in full.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from kibitz.arena.comparison import Comparison, TableLine
from kibitz.arena.rating import Rating
from kibitz.core.checks import one_line

V = TypeVar("V")

ROOM = 26
"""Letters of a name in a table of 80 columns."""
NARROW = 16
"""The same where there are points too, or teams side by side."""
ALONE = 27
"""Letters of a name in the table of players. Those of matches have it without options, where that
is clear."""
CUT = "…"
LEAD = 4
"""Letters that are shown before the first in which a name differs."""


def bare_names(names: Sequence[str]) -> dict[str, str]:
    """Without options, where that is clear: the table of players has them."""
    bare = [name.partition(":")[0] for name in names]
    return {name: b if bare.count(b) == 1 else name for name, b in zip(names, bare, strict=True)}


def short_names(names: Sequence[str], room: int = ROOM) -> dict[str, str]:
    """Names that fit, no two alike: in at most so many letters each, of which the options do not
    count if the name is clear without them. One that fits stays what it is.

    >>> names = ["bot:./engine --threads=1 --depth=10", "bot:./engine --threads=1 --depth=12"]
    >>> list(short_names([*names, "greedy", "ismcts:simulations=1000,reuse=true"]).values())
    ['bot:./en…eads=1 --depth=10', 'bot:./en…eads=1 --depth=12', 'greedy', 'ismcts']
    """
    bare = {name: one_line(own) for name, own in bare_names(names).items()}
    short = {
        name: name
        for name in names
        if len(bare[name]) <= room and len(name) <= max(room, ALONE) and name == one_line(name)
    }
    for name in names:
        if name in short:
            continue
        cut = bare[name]
        if len(cut) > room:
            cut = _cut(cut, [one_line(other) for other in names if other != name], room)
        number, tried = 2, cut
        while tried in short.values() or tried in names:
            mark = f" ({number})"
            number, tried = number + 1, (cut[: room - len(mark)] + mark).strip()
        short[name] = tried
    return {name: short[name] for name in names}


def _cut(name: str, others: Sequence[str], room: int) -> str:
    """The beginning, and the part in which the name differs from all others."""
    differs = max((_common(name, other) for other in others), default=0)
    if differs < room - 1:
        return name[: room - 1] + CUT
    head, rest = name[: room // 3], room - room // 3 - 1
    if differs - LEAD >= len(name) - rest:
        return head + CUT + name[len(name) - rest :]
    begin = differs - LEAD
    return head + CUT + name[begin : begin + rest - 1] + CUT


def _common(name: str, other: str) -> int:
    """How many letters both begin with."""
    pairs = zip(name, other, strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(name), len(other)))


def with_short_names(comparison: Comparison, room: int = ROOM) -> tuple[Comparison, dict[str, str]]:
    """A comparison whose players have short names, and the long name behind each that was
    shortened."""
    short = short_names([player.name for player in comparison.players], room)
    if all(name == own for name, own in short.items()):
        return comparison, {}
    changed = replace(
        comparison,
        players=tuple(replace(p, name=short[p.name]) for p in comparison.players),
        matches=tuple(replace(m, a=short[m.a], b=short[m.b]) for m in comparison.matches),
        tables=tuple(_renamed(table, short.__getitem__) for table in comparison.tables),
        rating=_rating(comparison.rating, short.__getitem__),
    )
    return changed, {own: name for name, own in short.items() if own != name}


def _renamed(table: TableLine, short: Callable[[str], str]) -> TableLine:
    def keys(figures: Mapping[str, V]) -> dict[str, V]:
        return {short(name): figure for name, figure in figures.items()}

    return replace(
        table,
        players=tuple(map(short, table.players)),
        wins=keys(table.wins),
        score=keys(table.score),
        ci95=keys(table.ci95),
        teams=tuple(
            replace(line, teams=tuple(tuple(map(short, team)) for team in line.teams))
            for line in table.teams
        ),
    )


def _rating(rating: Rating | None, short: Callable[[str], str]) -> Rating | None:
    if rating is None:
        return None
    return replace(
        rating,
        players=tuple(replace(line, name=short(line.name)) for line in rating.players),
        residuals=tuple(
            replace(line, player=short(line.player), players=tuple(map(short, line.players)))
            for line in rating.residuals
        ),
        circles=tuple((short(a), short(b), short(c)) for a, b, c in rating.circles),
    )


def legend(names: Mapping[str, str]) -> list[str]:
    """A line for each name that was shortened."""
    return [f"{short} = {one_line(name)}" for short, name in names.items()]
