"""One game with opponents of any kind, in plain Python, through views: what `GameBatch` does in a
row of one, for strategies that are not compiled. The same episodes of the same seeds."""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.core.errors import IllegalPlay
from kibitz.core.game import Game
from kibitz.core.strategy import Player, Strategy
from kibitz.games.codec import codec_of
from kibitz.interop.batch import EpisodeSeeds
from kibitz.jit.rng import below
from kibitz.table.table import Table


class OneGame:
    """One game: an agent in one seat, strategies in the others."""

    def __init__(
        self, game: Game[Any, Any], opponents: list[Strategy], seat: int | None = None
    ) -> None:
        self.game: Any = game
        self.codec = codec_of(game)
        self._opponents, self._seat = opponents, seat
        self._seed, self._episode = 0, 0
        self._chosen = 0
        self.results = np.zeros((1, game.players))
        self.illegal = np.zeros(1, np.bool_)
        self.reset(0)

    def reset(self, seed: int | None = None) -> None:
        """A new episode: the first of a seed, or without one the next."""
        if seed is not None:
            self._seed, self._episode = seed, 0
        self._seeds = EpisodeSeeds(self._seed, self._episode)
        self._episode += 1
        lot = below(self._seeds.referee, self.game.players)
        self._agent = lot if self._seat is None else self._seat
        self._players: dict[int, Player] = {}
        self._table, self._chosen = Table(self.game, self._seeds), 0
        self._play_on()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray]:
        """The agent's action, in an array of one."""
        self.results, self.illegal = np.zeros((1, self.game.players)), np.zeros(1, np.bool_)
        try:
            self._act(int(actions[0]))
        except IllegalPlay:
            self.illegal[0] = True
            self.results[0, self._agent] = self.codec.worst
            return self.results, np.ones(1, np.bool_)
        self._play_on()
        ended = self._table.is_over
        if ended:
            self.results[0] = self.game.returns(self._table.state)
        return self.results, np.array([ended])

    def _act(self, action: int) -> None:
        if self._table.is_over:
            if action != 0:
                raise IllegalPlay("the game is over")
            return
        play, self._chosen = self.codec.take(self._table.view(self._agent), action, self._chosen)
        if play is not None:
            self._table.play(play)

    def _play_on(self) -> None:
        table = self._table
        while not table.is_over and table.mover != self._agent:
            seat = table.mover
            strategy = self._opponents[(seat - self._agent) % self.game.players - 1]
            if seat not in self._players:
                rng = self._seeds.seat(seat)
                self._players[seat] = strategy.sit(self.game.for_player(), seat, rng)
            table.play(self._players[seat].choose(table.view(seat, strategy.knows)))

    # -- what comes out, as of a batch of one ------------------------------------------------

    def observe(self) -> np.ndarray:
        """What the agent sees: float32 (1, size)."""
        return self.codec.observation(self._table.view(self._agent), self._chosen)[None]

    def legal(self) -> np.ndarray:
        """1 for each legal action: int8 (1, actions)."""
        mask = self.codec.mask(self._table.view(self._agent), self._chosen)
        mask[0] |= self._table.is_over
        return mask[None]

    @property
    def agents(self) -> np.ndarray:
        """The seat of the agent."""
        return np.array([self._agent])

    def state(self, row: int = 0) -> Any:
        """The state, with all that is hidden."""
        return self.game.copied(self._table.state)
