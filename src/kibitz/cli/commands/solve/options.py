"""The options of `kibitz solve`, and which of them a solver takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from importlib import import_module
from pathlib import Path
from typing import Any

from kibitz.cli.ui.search_options import start_state
from kibitz.core.errors import BadText
from kibitz.core.game import Game
from kibitz.core.registry import games

FOR_ALL = {"position", "seed", "nodes", "as_json"}
"""Those that no solver refuses."""


@dataclass(frozen=True)
class SolveOptions:
    """The options, as they were given."""

    position: str | None
    seed: int
    algorithm: str | None
    every: bool
    all_sets: bool
    depth: int | None
    weights: str | None
    bounds: str | None
    samples: int | None
    nodes: int
    all_plays: bool
    memory: int | None
    threads: int | None
    face_up: str | None
    epsilon: float | None
    check: bool
    table: Path | None
    sets: int | None
    cluster: str | None
    books: Path | None
    keep: bool
    as_json: bool

    def start(self, game: Game[Any, Any]) -> Any:
        """The state to solve."""
        return start_state(game, self.position, self.seed)

    def given(self) -> list[str]:
        """The names of those that a solver may refuse."""
        names = [field.name for field in fields(self) if field.name not in FOR_ALL]
        return [name for name in names if getattr(self, name) not in (None, False)]


def check_taken(game: Game[Any, Any], takes: Sequence[str], options: SolveOptions) -> None:
    """Refuse options that the game's solver does not take, and say whose they are."""
    wrong = [name for name in options.given() if name not in takes]
    if not wrong:
        return
    searched = " with --algorithm" if options.algorithm is not None else ""
    reason = f"{game.name}{searched} takes {_flags(takes)}, not {_flags(wrong)}"
    owners = [name for name, cls in games().items() if cls.solver and _takes(cls.solver, wrong[0])]
    if owners:
        reason += f": these are for {' and '.join(owners)}, without --algorithm"
    elif game.solver:
        reason += ": these are for --algorithm"
    raise BadText(reason)


def _takes(solver: str, option: str) -> bool:
    return option in import_module(solver).TAKES


def _flags(names: Sequence[str]) -> str:
    """As they are typed."""
    typed = ("all" if name == "every" else name.replace("_", "-") for name in names)
    return ", ".join(f"--{name}" for name in typed)
