"""Strategies in files, as users write them, and trainings of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kibitz.training.task import Task

KEEPER = '''\
"""Lays the lower card as often as it is told, and else the higher one."""

from kibitz import Option, Player, Strategy
from kibitz.jit.rng import unit


class Keeper(Strategy):
    options = (
        Option("lower", 0.3, "how often it lays the lower card", least=0, most=1, train=(0, 1)),
        Option("shift", 0.0, "added to that", least=-3, most=3, train=(-0.5, 0.5)),
        Option("deep", 3, "nothing"),
    )

    def sit(self, game, seat, rng):
        return Keeping(self.settings["lower"] + self.settings["shift"], rng)


class Keeping(Player):
    def __init__(self, lower, rng):
        self.lower, self.rng = lower, rng

    def choose(self, view):
        plays = view.plays()
        return plays[0] if unit(self.rng) < self.lower else plays[-1]
'''
FAILING = KEEPER.replace("        plays = view.plays()\n", "        raise ValueError('no idea')\n")


def keeper(folder: Path, text: str = KEEPER) -> Path:
    """A file with the bot."""
    file = folder / "keeper.py"
    file.write_text(text)
    return file


def task(file: Path, **changes: Any) -> Task:
    """A short training of it."""
    settings = {
        "game": "love-letter", "strategy": str(file), "numbers": ("lower", "shift"),
        "opponent": "random", "optimizer": "cma", "generations": 4, "population": 5, "games": 20,
        "seed": 1, "fresh": 40,
    }  # fmt: skip
    return Task.model_validate({**settings, **changes})
