"""Environments for PettingZoo: an agent in every seat, two to four players.

    from kibitz.interop.pettingzoo import env
    table = env("love-letter:players=3")

`env` gives an AEC environment, which needs none of PettingZoo's wrappers: it refuses an action out
of order or out of range itself, and an illegal one ends the game with the worst result for who
chose it. `parallel_env` gives the same as a parallel environment, by PettingZoo's own wrapper. What
is in an observation and what the actions are stands in docs/environments.md.
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

try:
    from pettingzoo import AECEnv
except ImportError:
    raise ImportError(
        "kibitz.interop.pettingzoo needs PettingZoo: pip install 'kibitz[zoo]'"
    ) from None

from gymnasium import spaces
from pettingzoo.utils.conversions import turn_based_aec_to_parallel_wrapper

from kibitz.core.errors import BadValue
from kibitz.core.game import Game
from kibitz.interop.batch import ILLEGAL, GameBatch
from kibitz.interop.gymnasium import configured, observation_space
from kibitz.interop.rendering import MODES, checked_mode, render


class KibitzAEC(AECEnv[str, dict[str, np.ndarray], int]):  # type: ignore[misc]
    """A game with an agent in every seat. `player_1` is seat 1, which begins.

    Parameters
    ----------
    game
        A game with a codec, or its text.
    render_mode
        `ansi`, `rgb_array` or `human`: what the agent to move sees.
    options
        Options of the game, such as `players=3`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": list(MODES),
        "name": "kibitz",
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self, game: Game[Any, Any] | str, render_mode: str | None = None, **options: Any
    ) -> None:
        super().__init__()
        self.render_mode = checked_mode(render_mode)
        self._games = GameBatch(configured(game, options), 1, again=False)
        self.game, self.codec = self._games.game, self._games.codec
        self.metadata = {**type(self).metadata, "name": str(self.game)}
        self.possible_agents = [f"player_{seat + 1}" for seat in range(self.game.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {
            agent: observation_space(self.codec) for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: spaces.Discrete(len(self.codec.actions)) for agent in self.possible_agents
        }
        self.agents: list[str] = []
        self._seeded = False

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """The next game; with a seed the first of that seed."""
        if seed is None and not self._seeded:
            seed = secrets.randbits(62)
        self._games.reset(seed)
        self._seeded = True
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.possible_agents[self._games.mover]
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees; its mask is all 0 if it is not its turn."""
        return self._games.seen_by(self._seats[agent])

    def step(self, action: int | None) -> None:
        """An action of `agent_selection`; None if it has ended."""
        if not self.agents:
            raise BadValue("the game is over, or has not begun: call reset()")
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise BadValue(f"{agent} is to move: None is no action")
        self._cumulative_rewards[agent] = 0.0
        ended = self._games.step_alone(int(action))
        if ended:
            self._end(agent, ended == ILLEGAL)
        else:
            self.agent_selection = self.possible_agents[self._games.mover]
        if self.render_mode == "human":
            self.render()

    def _end(self, agent: str, illegal: bool) -> None:
        results = self._games.results_alone
        self.rewards = {each: results[seat] for each, seat in self._seats.items()}
        self.terminations = dict.fromkeys(self.agents, True)
        if illegal:
            self.infos[agent]["illegal_action"] = True
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def render(self) -> Any:
        """What the agent to move sees."""
        seat = self._seats[self.agent_selection]
        return render(self.game, self._games.state(), seat, self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""


raw_env = KibitzAEC


def env(game: Game[Any, Any] | str, render_mode: str | None = None, **options: Any) -> KibitzAEC:
    """An AEC environment of a game: see `KibitzAEC`.

    >>> table = env("tic-tac-toe")
    >>> table.reset(seed=1)
    >>> table.agent_selection, table.observe("player_1")["action_mask"]
    ('player_1', array([1, 1, 1, 1, 1, 1, 1, 1, 1], dtype=int8))
    """
    return KibitzAEC(game, render_mode, **options)


def parallel_env(game: Game[Any, Any] | str, render_mode: str | None = None, **options: Any) -> Any:
    """The same as a parallel environment, by PettingZoo's wrapper for games with turns: in a step
    all agents hand in an action, and that of the agent to move counts."""
    return turn_based_aec_to_parallel_wrapper(env(game, render_mode, **options))
