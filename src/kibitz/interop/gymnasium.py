"""Environments for Gymnasium: one agent in a seat, strategies in the others.

Importing this module registers an environment for every game with a codec, such as
`kibitz/LoveLetter-v0` and `kibitz/Tablic-v0`:

    import gymnasium, kibitz.interop.gymnasium
    env = gymnasium.make("kibitz/LoveLetter-v0", opponent="greedy", players=3)
    envs = gymnasium.make_vec("kibitz/LoveLetter-v0", num_envs=1024, opponent="greedy")

`gymnasium.make("kibitz.interop.gymnasium:kibitz/LoveLetter-v0")` imports it by itself. What is in
an observation and what the actions are stands in docs/environments.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

try:
    import gymnasium
except ImportError:
    raise ImportError(
        "kibitz.interop.gymnasium needs Gymnasium: pip install 'kibitz[gym]'"
    ) from None

from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from kibitz.core import checks
from kibitz.core.game import Game
from kibitz.core.registry import game_of, games
from kibitz.games.codec import Codec
from kibitz.interop.batch import GameBatch, Opponents, opponents_of
from kibitz.interop.one_game import OneGame
from kibitz.interop.rendering import MODES, checked_mode, render

Seen = dict[str, np.ndarray]
NAMESPACE, VERSION = "kibitz", 0


def configured(game: Game[Any, Any] | str, options: dict[str, Any]) -> Game[Any, Any]:
    """A game, with options that are given by their names."""
    made = game_of(game)
    return type(made)(**{**made.settings, **options}) if options else made


def observation_space(codec: Codec) -> Any:
    """Of one seat: the observation, and the mask of legal actions."""
    return spaces.Dict(
        {
            "observation": spaces.Box(0.0, 1.0, (codec.size,), np.float32),
            "action_mask": spaces.Box(0, 1, (len(codec.actions),), np.int8),
        }
    )


class KibitzEnv(gymnasium.Env[Seen, np.int64]):
    """One game at a time against any strategies, compiled or not.

    Parameters
    ----------
    game
        A game with a codec, or its text.
    opponent
        A strategy or its text, for every other seat; or a list with one for each, from the agent's
        left on.
    seat
        Where the agent sits, from 0. None: by lot in each episode; seat 0 begins.
    render_mode
        `ansi`, `rgb_array` or `human`.
    options
        Options of the game, such as `players=3`.
    """

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: Game[Any, Any] | str,
        opponent: Opponents = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        made: Any = configured(game, options)
        others = opponents_of(made, opponent)
        if seat is not None:
            seat = checks.seat(seat, made.players)
        self.render_mode = checked_mode(render_mode)
        compiled = all(strategy.policy(made) is not None for strategy in others)
        self._games: GameBatch | OneGame = (
            GameBatch(made, 1, others, seat=seat, again=False)
            if compiled
            else OneGame(made, others, seat)
        )
        self.game, self.codec = made, self._games.codec
        self.observation_space = observation_space(self.codec)
        self.action_space = spaces.Discrete(len(self.codec.actions))
        self._seeded, self._is_over = False, True
        self._mask = np.zeros(len(self.codec.actions), np.int8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """The next episode; with a seed the first of that seed."""
        super().reset(seed=seed)
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(1 << 62))
        self._games.reset(seed)
        self._seeded, self._is_over = True, False
        observation = self._observe()
        if self.render_mode == "human":
            self.render()
        return observation, self._info()

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """An action, which is legal if the mask has it; an illegal one ends the episode with the
        worst result."""
        if self._is_over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset()")
        action = checks.whole_number(int(action), "an action")
        if not 0 <= action < len(self._mask):
            raise gymnasium.error.InvalidAction(f"actions are 0 to {len(self._mask) - 1}")
        results, ended = self._games.step(np.array([action]))
        self._is_over = bool(ended[0])
        observation = self._observe()
        info = self._info()
        if self._is_over:
            info |= {"results": results[0], "illegal_action": bool(self._games.illegal[0])}
        if self.render_mode == "human":
            self.render()
        return observation, float(results[0, info["seat"]]), self._is_over, False, info

    def action_masks(self) -> np.ndarray:
        """Which actions are legal: bool (actions,)."""
        return self._mask != 0

    def render(self) -> Any:
        """What the agent sees."""
        return render(self.game, self._games.state(), self._agent, self.render_mode)

    @property
    def _agent(self) -> int:
        return int(self._games.agents[0])

    def _observe(self) -> Seen:
        self._mask = self._games.legal()[0]
        return {"observation": self._games.observe()[0], "action_mask": self._mask.copy()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask.copy(), "seat": self._agent}


class KibitzVectorEnv(VectorEnv[Seen, np.ndarray, np.ndarray]):
    """Many games at once against compiled strategies, stepped in one kernel.

    Parameters are those of `KibitzEnv`. The next episode begins in the step that ends one
    (`AutoresetMode.SAME_STEP`): what the agent saw in the end is `info["final_obs"]`, arrays whose
    rows are of use where `info["_final_obs"]` is true.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["ansi"],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        game: Game[Any, Any] | str,
        num_envs: int = 1,
        opponent: Opponents = "random",
        seat: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.render_mode = checked_mode(render_mode)
        self._games = GameBatch(configured(game, options), num_envs, opponent, seat=seat)
        self.game, self.codec, self.num_envs = self._games.game, self._games.codec, num_envs
        self.single_observation_space = observation_space(self.codec)
        self.single_action_space = spaces.Discrete(len(self.codec.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seeded = False

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Seen, dict[str, Any]]:
        """The next episode in every row; with a seed the first of it, of seed + i in row i."""
        if isinstance(seed, (int, np.integer)):
            super().reset(seed=int(seed))
        if seed is None and not self._seeded:
            seed = int(self.np_random.integers(1 << 62))
        self._games.reset(seed)
        self._seeded = True
        seen = self._observe()
        return seen, self._info(seen)

    def step(
        self, actions: np.ndarray
    ) -> tuple[Seen, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """An action in each row."""
        agents = self._games.agents
        results, ended = self._games.step(actions)
        seen = self._observe()
        info = self._info(seen)
        if ended.any():
            last = self._games.last_observations
            info["final_obs"] = {
                "observation": last,
                "action_mask": np.zeros_like(seen["action_mask"]),
            }
            info["final_info"] = {"results": results, "illegal_action": self._games.illegal}
            info["_final_obs"], info["_final_info"] = ended.copy(), ended.copy()
        rewards = results[np.arange(self.num_envs), agents]
        return seen, rewards, ended, np.zeros(self.num_envs, np.bool_), info

    def action_masks(self) -> np.ndarray:
        """Which actions are legal in each row: bool (n, actions)."""
        return self._games.legal() != 0

    def render(self) -> tuple[Any, ...]:
        """What the agent of each row sees."""
        return tuple(
            render(self.game, self._games.state(row), int(agent), self.render_mode)
            for row, agent in enumerate(self._games.agents)
        )

    def _observe(self) -> Seen:
        return {"observation": self._games.observe(), "action_mask": self._games.legal()}

    def _info(self, seen: Seen) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": seen["action_mask"].copy(),
            "_action_mask": everywhere,
            "seat": self._games.agents,
            "_seat": everywhere.copy(),
        }


def register() -> list[str]:
    """Register an environment for every game that has a codec; their ids."""
    ids = []
    for name, cls in games().items():
        if not cls.codec:
            continue
        ids.append(f"{NAMESPACE}/{cls.__name__}-v{VERSION}")
        if ids[-1] not in gymnasium.registry:
            gymnasium.register(
                ids[-1],
                entry_point=f"{__name__}:{KibitzEnv.__name__}",
                vector_entry_point=f"{__name__}:{KibitzVectorEnv.__name__}",
                kwargs={"game": name},
            )
    return ids


register()
