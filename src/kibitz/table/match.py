"""A match: rounds or games in a row until somebody has the target and more than the others."""

from __future__ import annotations

from typing import Any

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game
from kibitz.games.compiled_game import CompiledGame
from kibitz.table.seeds import GameSeeds


class Match:
    """The score of a match, and the seeds and the first seat of its next game."""

    def __init__(self, game: Game[Any, Any], seed: int, pair: int = 0) -> None:
        """A match has a seed of its own, or is a pair of a run that has one."""
        if not isinstance(game, CompiledGame) or not game.traits.match:
            raise UnsuitableGame(f"{game} has no matches, only single games")
        self.game = game
        self.seed, self.pair = seed, pair
        self.target = game.target
        self.score = [0.0] * game.players
        self.played = 0
        self.first = 0
        self._referee = self.next_seeds.referee

    @property
    def next_seeds(self) -> GameSeeds:
        """The seeds of the game that comes next."""
        return GameSeeds(self.seed, self.pair, self.played)

    def add(self, state: Any) -> None:
        """Count a game that has ended."""
        for seat, points in enumerate(self.game.points(state)):
            self.score[seat] += points
        self.first = self.game.next_first(state, self._referee)
        self.played += 1

    @property
    def is_over(self) -> bool:
        """Whether somebody has the target, and more than all others."""
        best = max(self.score)
        return best >= self.target and self.score.count(best) <= self.game.partners

    @property
    def winners(self) -> list[int]:
        """The winning seats; none before the end."""
        best = max(self.score)
        return [s for s, points in enumerate(self.score) if points == best] if self.is_over else []
