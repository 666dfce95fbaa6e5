"""The rows of a store: what is packed into them, and whether they are as they were written."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from math import comb
from typing import Any

import numpy as np

from kibitz.arena.plan import ALL_ORDERS, MOST_PLAYERS, ROTATIONS, Failure, Plan, PlayedPart
from kibitz.core.checksum import checksum

FORMER = {"streams": 1, "design": ROTATIONS}
"""What plans had that do not say it."""
DAMAGED = "damaged; move it away to begin again"
MOST_PAIRS, MOST_LINEUPS = 1 << 20, 1 << 20
"""Of a part, and of a plan. A run of ours has far fewer."""
MORE_TABLES = {
    "verdict": "CREATE TABLE verdict (run INTEGER NOT NULL, lineup INTEGER NOT NULL,"
    " alpha REAL NOT NULL, most INTEGER NOT NULL, pairs INTEGER, better INTEGER, z REAL,"
    " boundary REAL, checksum INTEGER NOT NULL)",
    "question": "CREATE UNIQUE INDEX question ON verdict (run, lineup)",
}
"""They come when somebody asks who is clearly better; older stores have none."""


@dataclass(frozen=True)
class UntilClear:
    """That a line-up was to be played until it is clear who is better; and the answer."""

    lineup: int
    alpha: float
    """How often it may call equal players different."""
    limit: int
    """Pairs, at most."""
    pairs: int | None
    """After which it was decided; None as long as it is not."""
    better: int | None
    """0 the first, 1 the second, −1 if there is no clear difference."""
    z: float | None
    boundary: float | None
    """The statistic, and what it had to reach there."""


@contextmanager
def as_damage() -> Iterator[None]:
    """What can't be read is damage, as it is to SQLite."""
    try:
        yield
    except (ValueError, TypeError, KeyError, ArithmeticError, RecursionError, zlib.error) as error:
        raise sqlite3.DatabaseError(DAMAGED) from error


def as_json(value: object) -> str:
    """The same text for equal values. Texts need not be right Unicode: a strategy wrote some."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=np.generic.item)


def format_plan(plan: Plan) -> str:
    """The same for equal plans: a limit of 1 is one of 1.0."""
    limit = None if plan.limit is None else float(plan.limit)
    fields = {**asdict(plan), "limit": limit}
    if not plan.files:  # as plans were before there were any
        del fields["files"]
    if not plan.less_luck:
        del fields["less_luck"]
    return as_json(fields)


def parse_plan(text: str) -> Plan:
    """A checksum tells damage, but not malice: what a store says is checked like any input."""
    saved = {**FORMER, **json.loads(text)}
    lists = {name: tuple(saved.get(name, ())) for name in ("players", "files")}
    plan = Plan(**{**saved, **lists})
    texts = plan.game, plan.unit, *plan.players, *plan.files
    limit = 1.0 if plan.limit is None else plan.limit
    _require(all(type(each) is str for each in texts) and type(limit) is float)
    _require(type(plan.seed) is int and type(plan.seats) is int and plan.seats > 1)
    _require(type(plan.streams) is int and plan.design in (ALL_ORDERS, ROTATIONS))
    _require(plan.seats <= MOST_PLAYERS)
    _require(type(plan.less_luck) is bool and (plan.seats == 2 or not plan.less_luck))
    _require(0 < comb(len(plan.players), plan.seats) <= MOST_LINEUPS)
    return plan


def parse_environment(text: str) -> dict[str, str | int]:
    """Versions, or the machine, of a run."""
    saved: dict[str, str | int] = json.loads(text)
    _require(type(saved) is dict and all(type(value) in (str, int) for value in saved.values()))
    return saved


def _require(truth: bool) -> None:
    if not truth:
        raise ValueError("not what we write")


def row_checksum(row: Iterable[object]) -> int:
    """SQLite does not notice a flipped bit in a value, and no text is refused when read."""
    values = (value if isinstance(value, bytes) else str(value).encode() for value in row)
    return checksum(b"\n".join(values))


def check_rows(rows: Iterable[tuple[Any, ...]]) -> None:
    """Refuse rows that are not as they were written."""
    if any(row_checksum(row) != stored for *row, stored in rows):
        raise sqlite3.DatabaseError(DAMAGED)


def fits_plan(played: PlayedPart, plan: Plan) -> bool:
    """Whether the shape of a part is that of a line-up of the plan."""
    pairs, seats, orders = len(played.results), plan.seats, len(plan.orders)
    return (
        played.start >= 0
        and played.results.shape == (pairs, orders * seats)
        and played.decisions.shape == (pairs, seats)
        and len(played.seconds) == seats
        and (None if played.luck is None else played.luck.shape)
        == ((pairs, orders) if plan.less_luck else None)
        and all(
            0 <= failure.pair - played.start < pairs
            and 0 <= failure.order < orders
            and 0 <= failure.player < seats
            for failure in played.failures
        )
    )


def pack_part(played: PlayedPart) -> tuple[bytes, bytes, str, str]:
    """Results, decisions, seconds, failures. Numbers that would change are refused. What luck is
    known stands behind the results, in the same rows."""
    luck = [] if played.luck is None else [played.luck]
    results = np.hstack([played.results, *luck]).astype("<f8", casting="safe")
    decisions = played.decisions.astype("<i8", casting="safe")
    return (
        zlib.compress(results.tobytes()),
        zlib.compress(decisions.tobytes()),
        as_json(played.seconds),
        as_json([asdict(failure) for failure in played.failures]),
    )


def _unpack_array(packed: bytes, kind: str, pairs: int, width: int) -> np.ndarray:
    """A few bytes can be packed to be millions: no more are unpacked than there must be."""
    size = pairs * width * np.dtype(kind).itemsize
    unpacked = zlib.decompressobj().decompress(packed, size + 1)
    return np.frombuffer(unpacked, kind).reshape(pairs, width)


def _parse_failure(saved: dict[str, Any]) -> Failure:
    """With version 1 of the streams a seat order was called a rotation."""
    failure = Failure(**{"order" if name == "rotation" else name: saved[name] for name in saved})
    numbers = failure.pair, failure.order, failure.player
    _require(all(type(number) is int for number in numbers) and type(failure.reason) is str)
    return failure


def unpack_part(row: tuple[Any, ...], plan: Plan) -> PlayedPart:
    """A row of the store as a part of a comparison."""
    _, _, start, pairs, results, decisions, seconds, failures = row
    with as_damage():
        _require(type(start) is int and type(pairs) is int and 0 < pairs <= MOST_PAIRS)
        width, orders = plan.seats * len(plan.orders), len(plan.orders) * plan.less_luck
        figures = _unpack_array(results, "<f8", pairs, width + orders).astype(np.float64)
        played = PlayedPart(
            start,
            figures[:, :width],
            _unpack_array(decisions, "<i8", pairs, plan.seats).astype(np.int64),
            tuple(map(float, json.loads(seconds))),
            tuple(_parse_failure(failure) for failure in json.loads(failures)),
            figures[:, width:] if plan.less_luck else None,
        )
        if not fits_plan(played, plan):
            raise sqlite3.DatabaseError(DAMAGED)
        return played
