"""Small studies for tests: seconds, not minutes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from kibitz.studies.love_letter import study as love_letter
from kibitz.studies.players.measure import Player, Setting
from kibitz.studies.tablic import study as tablic

LOVE_LETTER = love_letter.Size(
    players=(Player("random", 40), Player("greedy", 40), Player("ismcts:simulations=20", 4)),
    situations=20,
    settle_situations=10,
    steps=(5, 20),
    seconds=0.01,
)
TABLIC = tablic.Size(
    players=(
        Player("random", 30), Player("greedy", 30), Player("genetic", 30), Player("backtrack", 3),
        Player("pimc:worlds=2", 2),
    ),
    seconds=0.01,
)  # fmt: skip


def run(name: str, folder: Path, seed: int = 3, jobs: int = 1) -> list[Path]:
    """A whole tiny study."""
    setting = Setting(name, seed, folder, jobs)
    if name == "tablic":
        return tablic.study_tablic(setting, TABLIC, "kibitz study tablic …")
    return love_letter.study_love_letter(setting, LOVE_LETTER, "kibitz study love-letter …")


def figures(folder: Path) -> dict[str, Any]:
    """Its figures but for times and memory."""
    found: dict[str, Any] = json.loads((folder / "figures.json").read_text())
    del found["measured"]
    return found
