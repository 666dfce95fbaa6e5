"""What was counted of equilibrium play: a line for each set of cards face up, in play.jsonl.

Solutions take gigabytes and are not all on one machine. The lines stay, so that figures, tables
and pictures are of all sets, wherever each was counted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from equilibrium_sets import FOLDER, SETS, deals_of

from kibitz.core.errors import KibitzError
from kibitz.core.files import atomic_write

FILE = FOLDER / "play.jsonl"
FORMAT = 1
"""Of the lines; those of another one are not read."""


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


class Tallies(dict[Any, Tally]):
    """By name, or by a name with a turn, a seat or cards. What never came up is not in it."""

    def __missing__(self, name: Any) -> Tally:
        return Tally(0, 0)


FirstTurn = dict[tuple[int, int], dict[int, float]]
"""For each pair of cards, how often each play is chosen."""
FEW = 1000
"""What was met less often is not told."""


class SetPlay(NamedTuple):
    """One set: whose solution has played, how many rounds, and what was counted."""

    face_up: str
    low: float
    high: float
    """The bounds of the solution: another one has others."""
    rounds: int
    seed: int
    kibitz: str
    first_turn: FirstTurn
    tallies: Tallies

    def share(self, name: Any) -> float | None:
        """Of a tally; nothing if it was met too rarely."""
        return self.tallies[name].share if self.tallies[name].of >= FEW else None


Play = dict[str, SetPlay]
"""By the cards face up."""


def load_play(file: Path) -> Play:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    newest = {}
    for number, line in enumerate(lines, 1):
        try:
            content = json.loads(line)
            if content["format"] == FORMAT:
                row = _row(content)
                newest[row.face_up] = row
        except (ValueError, LookupError, TypeError):
            raise KibitzError(f"{file}: line {number} is damaged; delete it") from None
    return newest


def save_play(file: Path, rows: Iterable[SetPlay]) -> None:
    """Always in the same order, so that a new set is a new line and nothing else."""
    file.parent.mkdir(exist_ok=True)
    ordered = sorted(rows, key=lambda row: SETS.index(row.face_up))
    atomic_write({file: "".join(json.dumps(_content(row)) + "\n" for row in ordered).encode()})


def _content(row: SetPlay) -> dict[str, Any]:
    first_turn = {
        _key(hand): {str(play): round(share, 5) for play, share in plays.items() if share > 0}
        for hand, plays in row.first_turn.items()
    }
    tallies = {_key(name): tally for name, tally in row.tallies.items() if tally.of}
    return {"format": FORMAT, **row._asdict(), "first_turn": first_turn, "tallies": tallies}


def _row(content: dict[str, Any]) -> SetPlay:
    if content["face_up"] not in SETS:
        raise ValueError
    first_turn = {
        tuple(map(int, hand.split("/"))): {int(play): share for play, share in plays.items()}
        for hand, plays in content["first_turn"].items()
    }
    tallies = Tallies({_name(key): Tally(*tally) for key, tally in content["tallies"].items()})
    others = (content[name] for name in SetPlay._fields[:-2])
    return SetPlay(*others, first_turn, tallies)  # type: ignore[arg-type]


def _key(name: Any) -> str:
    return "/".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _name(key: str) -> Any:
    name, *more = key.split("/")
    return (name, *map(int, more)) if more else name


def together(rows: Collection[SetPlay]) -> Tallies:
    """Of these sets, each as often as it is dealt, however many rounds it has played."""
    most = max((row.rounds for row in rows), default=0)
    total: dict[Any, list[float]] = {}
    for row in rows:
        weight = deals_of(row.face_up) * most / row.rounds
        for name, tally in row.tallies.items():
            so_far = total.setdefault(name, [0.0, 0.0])
            so_far[0] += weight * tally.times
            so_far[1] += weight * tally.of
    return Tallies({name: Tally(*each) for name, each in total.items()})
