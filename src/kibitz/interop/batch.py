"""Many games of a kind stepped at once: what the environments of other frameworks stand on.

>>> import numpy as np
>>> games = GameBatch("love-letter", 3, opponents="greedy", seed=1)
>>> games.observe().shape, games.legal().shape
((3, 72), (3, 19))
>>> actions = games.legal().argmax(axis=1)
>>> results, ended = games.step(actions)
>>> results.shape, ended.shape
((3, 2), (3,))

Every row is a game of its own, with an agent in one seat and compiled strategies in the others;
or, without opponents, with an agent in every seat: then `movers` says whose turn it is. A row whose
game has ended goes on with the next one at once.

An action that is not legal ends the game with the worst result for who chose it, `codec.worst`.
No game is left out: one that is over before the agent had a turn is shown as it ended, with one
legal action, number 0; the step that takes it ends the episode with its result.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.arena.pairs import LONGEST, kernels_with_open_hands
from kibitz.core import checks
from kibitz.core.errors import BadType, BadValue, UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.registry import game_of, make_strategy
from kibitz.core.strategy import Policy, Strategy
from kibitz.games.codec import codec_of
from kibitz.games.observing import knows_number
from kibitz.interop.stepping import (
    ANEW,
    ENDED,
    ILLEGAL,
    Crowd,
    GameRows,
    Sights,
    let_chance,
    let_opponents,
    look,
    step_rows,
)
from kibitz.jit.blake2 import begin
from kibitz.jit.kernels import Kernel, bind
from kibitz.jit.rng import stream
from kibitz.table.seeds import SEATS, GameSeeds

MOST_OPPONENTS = 3
"""Policies that the kernel is compiled for, so that it is the same for two to four players."""
Opponents = str | Strategy | Sequence[str | Strategy]


class EpisodeSeeds(GameSeeds):
    """The streams of one episode, as the kernel derives them: for a table in plain Python."""

    def __init__(self, seed: int, episode: int) -> None:
        super().__init__(seed, 0, episode)

    def _key(self) -> bytes:
        return episode_key(self.run)


def episode_key(seed: int) -> bytes:
    """The key of a row's episodes."""
    return hashlib.blake2b(str(int(seed)).encode(), digest_size=32, person=b"episodes").digest()


def opponents_of(game: Game[Any, Any], opponents: Opponents) -> list[Strategy]:
    """A strategy for each place but the agent's, to the left; one alone takes all of them."""
    alone = isinstance(opponents, (str, Strategy)) or callable(opponents)
    given: list[Any] = [opponents] if alone else list(opponents)  # type: ignore[arg-type]
    if len(given) == 1:
        given *= game.players - 1
    if len(given) != game.players - 1:
        raise BadValue(f"{game} has {game.players - 1} opponents, not {len(given)}")
    strategies = [make_strategy(one) if isinstance(one, str) else one for one in given]
    for strategy in strategies:
        checks.one_of(strategy, Strategy, "a strategy").check_game(game)
    return strategies


class GameBatch:
    """n games, stepped together in compiled code.

    Parameters
    ----------
    game
        A game with a codec, or its text.
    n
        How many.
    opponents
        The compiled strategy of the seats that are not the agent's, or one for each of them; None:
        every seat is an agent's.
    seed
        Of all episodes: a number, from which the rows count up, or one for each row.
    seat
        Where the agent sits, from 0; None: by lot in each episode.
    again
        Whether the next episode begins at once where one has ended.
    """

    def __init__(
        self,
        game: Game[Any, Any] | str,
        n: int,
        opponents: Opponents | None = None,
        seed: int | Sequence[int] = 0,
        seat: int | None = None,
        again: bool = True,
    ) -> None:
        self.codec = codec_of(game_of(game))
        self.game = self.codec.game
        self.n = checks.count(n, "n")
        players, record = self.game.players, self.game.kernels.STATE
        seat = -1 if seat is None else checks.seat(seat, players)
        others = [] if opponents is None else opponents_of(self.game, opponents)
        policies = [_policy(self.game, strategy) for strategy in others]
        longest = LONGEST if any(policy.remembers for policy in policies) else 0
        self._rows = GameRows(
            states=np.zeros(self.n, record),
            chosen=np.zeros(self.n, np.int64),
            agents=np.zeros(self.n, np.int64),
            keys=np.zeros((self.n, 8), np.uint64),
            episodes=np.zeros(self.n, np.int64),
            streams=np.zeros((self.n, SEATS + players, 1), np.uint64),
            views=np.zeros((self.n, players, longest), record),
            plays=np.zeros((self.n, players, longest), np.int64),
            turns=np.zeros(self.n, np.int64),
        )
        self._rows.states[:] = self.game.blank()
        self._crowd = _crowd(self.game, others, policies, seat, bool(again), self.codec.worst)
        self._sights = Sights(
            observations=np.zeros((self.n, self.codec.size), np.float32),
            masks=np.zeros((self.n, len(self.codec.actions)), np.int8),
            movers=np.zeros(self.n, np.int64),
            results=np.zeros((self.n, players)),
            ended=np.zeros(self.n, np.int8),
            last=np.zeros((self.n, self.codec.size), np.float32),
        )
        self._view, self._buffer = self.game.blank(), np.zeros(40, np.uint64)
        self._anew, self._alone = np.full(self.n, ANEW, np.int64), np.zeros(1, np.int64)
        self._arguments = self._view, self._buffer, self._rows, self._crowd, self._sights
        self._bind_kernels(bool(others))
        self.reset(seed)

    def _bind_kernels(self, against: bool) -> None:
        rules = kernels_with_open_hands(self.game)
        who = bind(let_opponents if against else let_chance, game=rules)
        slots = {"game": rules, "codec": self.codec.kernels}
        step = bind(step_rows, **slots, others=_players(who))
        self._step = step.for_arguments(self._anew, *self._arguments)
        seen = self._sights.observations[0]
        self._look = bind(look, **slots).for_arguments(self._rows.states, 0, 0, self._view, seen)

    # -- stepping --------------------------------------------------------------------------

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """A new episode in every row: the first of a seed, or without one the next."""
        if seed is not None:
            self._seed(seed)
        self._run(self._anew)

    def _seed(self, seed: int | Sequence[int]) -> None:
        if isinstance(seed, (int, np.integer)):
            first = checks.seed(int(seed))
            seeds = [first + i for i in range(self.n)]
        else:
            seeds = [checks.seed(one) for one in seed]
        if len(seeds) != self.n:
            raise BadValue(f"{self.n} games need as many seeds, not {len(seeds)}")
        for row, one in enumerate(seeds):
            begin(np.frombuffer(episode_key(one), "<u8").astype(np.uint64), self._rows.keys[row])
        self._rows.episodes[:] = 0

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray]:
        """An action in every row, whole numbers (n,): the results, float64 (n, seats), and whether
        the episode has ended, bool (n,). Where it has not, the results are 0."""
        given = np.asarray(actions)
        if given.shape != (self.n,) or given.dtype.kind not in "iu":
            raise BadType(f"actions are {self.n} whole numbers, one for each game")
        given = given.astype(np.int64)
        if self.n and (given.min() < 0 or given.max() >= len(self.codec.actions)):
            raise BadValue(f"actions are numbers from 0 to {len(self.codec.actions) - 1}")
        self._run(given)
        return self._sights.results.copy(), self._sights.ended != 0

    def _run(self, actions: np.ndarray) -> None:
        self._step(actions, *self._arguments)

    # -- what comes out --------------------------------------------------------------------

    def observe(self) -> np.ndarray:
        """What the seat to move sees in every row; at an end, the agent: float32 (n, size)."""
        return self._sights.observations.copy()

    def legal(self) -> np.ndarray:
        """1 for each legal action: int8 (n, actions)."""
        return self._sights.masks.copy()

    @property
    def movers(self) -> np.ndarray:
        """The seat to move in every row; -1 where the game was over before the agent had a turn."""
        return self._sights.movers.copy()

    @property
    def agents(self) -> np.ndarray:
        """The seat of the agent in every row; without opponents of no meaning."""
        return self._rows.agents.copy()

    @property
    def illegal(self) -> np.ndarray:
        """Where the last step was an illegal action: bool (n,)."""
        return self._sights.ended == ILLEGAL

    @property
    def last_observations(self) -> np.ndarray:
        """Where the last step has ended an episode, what who acted saw in the end: float32
        (n, size)."""
        return self._sights.last.copy()

    # -- one row -----------------------------------------------------------------------------

    def state(self, row: int = 0) -> Any:
        """The state of a row, with all that is hidden: for whoever runs the game, no agent."""
        return self.game.copied(self._rows.states[row : row + 1])

    @property
    def mover(self) -> int:
        """The seat to move in the first row; -1 where the game is over."""
        return int(self._sights.movers[0])

    def step_alone(self, action: int) -> int:
        """An action in a batch of one, without arrays: GOES_ON, ENDED or ILLEGAL."""
        if not 0 <= action < len(self.codec.actions):
            raise BadValue(f"actions are numbers from 0 to {len(self.codec.actions) - 1}")
        self._alone[0] = action
        self._run(self._alone)
        return int(self._sights.ended[0])

    @property
    def results_alone(self) -> list[float]:
        """The result of each seat in a batch of one whose episode has just ended."""
        results: list[float] = self._sights.results[0].tolist()
        return results

    def seen_by(self, seat: int) -> dict[str, np.ndarray]:
        """What a seat sees of a batch of one, and its legal actions: none if it is not to move."""
        if seat == self._sights.movers[0]:
            observation, mask = self._sights.observations[0].copy(), self._sights.masks[0].copy()
        else:
            observation = np.empty(self.codec.size, np.float32)
            self._look(self._rows.states, seat, 0, self._view, observation)
            mask = np.zeros(len(self.codec.actions), np.int8)
        return {"observation": observation, "action_mask": mask}


@cache
def _players(play_on: Kernel) -> SimpleNamespace:
    """One namespace for each kernel: another one would have the step compiled anew."""
    return SimpleNamespace(play_on=play_on)


def _policy(game: Any, strategy: Strategy) -> Policy:
    policy = strategy.policy(game)
    if policy is None:
        raise UnsuitableGame(
            f"{strategy} is not compiled, so it can't play many games at once; one at a time it can"
        )
    return policy


def _crowd(
    game: Any, others: list[Strategy], policies: list[Policy], seat: int, again: bool, worst: float
) -> Crowd:
    """Who decides for which place; nobody if every seat is an agent's."""
    knows = [knows_number(strategy.knows) for strategy in others]
    if not policies:
        return Crowd((), (), np.zeros(0, np.int64), seat, again, worst)
    most = max(MOST_OPPONENTS, game.players - 1)
    padded = [policies[min(i, len(policies) - 1)] for i in range(most)]
    numbers = tuple(np.array(policy.numbers or (0.0,)) for policy in padded)
    past = np.zeros(0, game.kernels.STATE), np.zeros(0, np.int64)
    like = game.blank(), 0, *past, numbers[0], stream(0)
    return Crowd(
        choose=tuple(policy.choose.as_argument(*like) for policy in padded),
        numbers=numbers,
        knows=np.array(knows + knows[-1:] * (most - len(knows))),
        agent=seat,
        again=again,
        worst=worst,
    )


__all__ = ["ENDED", "ILLEGAL", "EpisodeSeeds", "GameBatch", "Opponents", "opponents_of"]
