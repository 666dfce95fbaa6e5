"""Small studies for tests: seconds, not minutes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kibitz.studies.love_letter.measure import LoveLetterSize
from kibitz.studies.love_letter.report import study_love_letter
from kibitz.studies.players.measure import Entrant, Setting
from kibitz.studies.tablic.measure import TablicSize
from kibitz.studies.tablic.report import study_tablic

LOVE_LETTER = LoveLetterSize(
    players=(Entrant("random", 40), Entrant("greedy", 40), Entrant("ismcts:simulations=20", 4)),
    situations=20,
    settle_situations=10,
    steps=(5, 20),
    seconds=0.01,
)
TABLIC = TablicSize(
    players=(
        Entrant("random", 30), Entrant("greedy", 30), Entrant("genetic", 30),
        Entrant("backtrack", 3), Entrant("pimc:worlds=2", 2),
    ),
    seconds=0.01,
)  # fmt: skip


def run(name: str, folder: Path, seed: int = 3, jobs: int = 1) -> list[Path]:
    """A whole tiny study."""
    setting = Setting(name, seed, folder, jobs)
    if name == "tablic":
        return study_tablic(setting, TABLIC, "kibitz study tablic …")
    return study_love_letter(setting, LOVE_LETTER, "kibitz study love-letter …")


def figures(folder: Path) -> dict[str, Any]:
    """Its figures but for times and memory."""
    document: dict[str, Any] = json.loads((folder / "figures.json").read_text())
    del document["measured"]
    return document
