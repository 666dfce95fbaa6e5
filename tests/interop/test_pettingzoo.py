"""PettingZoo's environments: its own tests, for every game and number of players."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

from kibitz.core.errors import BadValue
from kibitz.core.registry import games
from kibitz.interop.pettingzoo import env, parallel_env
from tests.games.boards import few

MORE = [f"{game}:players={n}" for game in ("love-letter", "tablic") for n in (3, 4)]
SPECS = [*games(), *MORE]
every_game = pytest.mark.parametrize("spec", SPECS)
# What its test warns of in its own games too: observations are dicts, and those who are not to
# move, or have ended, have no legal action.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
]


@every_game
def test_the_api_of_pettingzoo(spec: str) -> None:
    """A hundred games, each from beginning to end."""
    table = env(spec)
    for _ in range(few(100, 1)):
        api_test(table, num_cycles=few(1000, 5))


@every_game
def test_the_same_seed_is_the_same_game(spec: str) -> None:
    seed_test(lambda: env(spec), num_cycles=few(20, 5))


@every_game
def test_the_parallel_api_of_pettingzoo(spec: str) -> None:
    parallel_api_test(parallel_env(spec), num_cycles=few(60, 5))


@every_game
def test_the_rendering_of_pettingzoo(spec: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(lambda render_mode=None: env(spec, render_mode=render_mode))
    shown = capsys.readouterr().out
    assert shown and ("(you)" in shown or not spec.startswith("love-letter"))


def played(table: Any, source: Any) -> dict[str, float]:
    """A random game to its end: what each agent got over all its turns."""
    gained = dict.fromkeys(table.possible_agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, over, _, _ = table.last()
        gained[agent] += reward
        table.step(None if over else int(source.choice(np.flatnonzero(seen["action_mask"]))))
    return gained


@pytest.mark.parametrize("spec", ["love-letter:players=3", "tablic", "pig:target=20"])
def test_every_agent_gets_its_result(spec: str) -> None:
    table, source = env(spec), np.random.default_rng(3)
    for seed in range(few(10, 2)):
        table.reset(seed=seed)
        gained = played(table, source)
        assert table.agents == []
        results = table.game.returns(table._games.state())
        assert gained == dict(zip(table.possible_agents, results, strict=True))


def test_every_agent_may_look_at_any_time() -> None:
    """What it sees is its own view; it has legal actions only when it is to move."""
    table = env("love-letter:players=3")
    table.reset(seed=6)
    for _ in range(4):
        state = table._games.state()
        for seat, agent in enumerate(table.agents):
            view, seen = table.game.view(state, seat), table.observe(agent)
            assert seen["observation"].tolist() == table.codec.observation(view).tolist()
            assert seen["action_mask"].tolist() == table.codec.mask(view).tolist()
        table.step(int(table.observe(table.agent_selection)["action_mask"].argmax()))
        if any(table.terminations.values()):
            break


def test_what_is_out_of_order_is_refused() -> None:
    table = env("tic-tac-toe")
    with pytest.raises(BadValue, match="call reset"):
        table.step(0)
    table.reset(seed=1)
    for wrong in (None, 9, -1):
        with pytest.raises(BadValue):
            table.step(wrong)
    table.step(4)
    table.step(4)
    assert table.rewards == {"player_1": 0.0, "player_2": -1.0}
    assert table.infos["player_2"] == {"illegal_action": True}
