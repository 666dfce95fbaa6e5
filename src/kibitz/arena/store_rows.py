"""The rows of a store: what is packed into them, and whether they are as they were written."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from math import comb
from typing import Any

import numpy as np

from kibitz.arena.plan import Failure, Plan, Played

DAMAGED = "damaged; move it away to begin again"
MOST_PAIRS, MOST_LINEUPS = 1 << 20, 1 << 20
"""Of a part, and of a plan. A run of ours has far fewer."""


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


def plan_text(plan: Plan) -> str:
    """The same for equal plans: a limit of 1 is one of 1.0."""
    limit = None if plan.limit is None else float(plan.limit)
    return as_json({**asdict(plan), "limit": limit})


def plan_of(text: str) -> Plan:
    """A checksum tells damage, but not malice: what a store says is checked like any input."""
    told = json.loads(text)
    plan = Plan(**{**told, "players": tuple(told["players"])})
    texts = plan.game, plan.unit, *plan.players
    limit = 1.0 if plan.limit is None else plan.limit
    _need(all(type(each) is str for each in texts) and type(limit) is float)
    _need(type(plan.seed) is int and type(plan.seats) is int and plan.seats > 1)
    _need(0 < comb(len(plan.players), plan.seats) <= MOST_LINEUPS)
    return plan


def about_of(text: str) -> dict[str, str | int]:
    """Versions, or what is told of a machine."""
    told: dict[str, str | int] = json.loads(text)
    _need(type(told) is dict and all(type(value) in (str, int) for value in told.values()))
    return told


def _need(truth: bool) -> None:
    if not truth:
        raise ValueError("not what we write")


def checksum(row: Iterable[object]) -> int:
    """SQLite does not notice a flipped bit in a value, and no text is refused when read."""
    values = (value if isinstance(value, bytes) else str(value).encode() for value in row)
    return zlib.crc32(b"\n".join(values))


def check_rows(rows: Iterable[tuple[Any, ...]]) -> None:
    if any(checksum(row) != told for *row, told in rows):
        raise sqlite3.DatabaseError(DAMAGED)


def fits(played: Played, seats: int) -> bool:
    """Whether the shape of a part is that of so many players."""
    pairs = len(played.results)
    return (
        played.start >= 0
        and played.results.shape == (pairs, seats * seats)
        and played.decisions.shape == (pairs, seats)
        and len(played.seconds) == seats
        and all(
            0 <= failure.pair - played.start < pairs
            and 0 <= failure.rotation < seats
            and 0 <= failure.player < seats
            for failure in played.failures
        )
    )


def pack(played: Played) -> tuple[bytes, bytes, str, str]:
    """Results, decisions, seconds, failures. Numbers that would change are refused."""
    results = played.results.astype("<f8", casting="safe")
    decisions = played.decisions.astype("<i8", casting="safe")
    return (
        zlib.compress(results.tobytes()),
        zlib.compress(decisions.tobytes()),
        as_json(played.seconds),
        as_json([asdict(failure) for failure in played.failures]),
    )


def _inflated(packed: bytes, kind: str, pairs: int, width: int) -> np.ndarray:
    """A few bytes can be packed to be millions: no more are unpacked than there must be."""
    size = pairs * width * np.dtype(kind).itemsize
    unpacked = zlib.decompressobj().decompress(packed, size + 1)
    return np.frombuffer(unpacked, kind).reshape(pairs, width)


def _failure(pair: int, rotation: int, player: int, reason: str) -> Failure:
    _need(all(type(number) is int for number in (pair, rotation, player)) and type(reason) is str)
    return Failure(pair, rotation, player, reason)


def unpack(row: tuple[Any, ...], seats: int) -> Played:
    _, _, start, pairs, results, decisions, seconds, failures = row
    with as_damage():
        _need(type(start) is int and type(pairs) is int and 0 < pairs <= MOST_PAIRS)
        played = Played(
            start,
            _inflated(results, "<f8", pairs, seats * seats).astype(np.float64),
            _inflated(decisions, "<i8", pairs, seats).astype(np.int64),
            tuple(map(float, json.loads(seconds))),
            tuple(_failure(**failure) for failure in json.loads(failures)),
        )
        if not fits(played, seats):
            raise sqlite3.DatabaseError(DAMAGED)
        return played
