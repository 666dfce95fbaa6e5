"""Gymnasium's environments: its own checks, and one game against many."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from kibitz.core.errors import BadText
from kibitz.core.function_strategy import FunctionStrategy
from kibitz.core.registry import games
from kibitz.interop.gymnasium import KibitzEnv, register
from tests.games.boards import few


def test_every_game_is_registered() -> None:
    assert register() == [f"kibitz/{cls.__name__}-v0" for cls in games().values()]
    for name in register():
        assert name in gymnasium.registry


@pytest.mark.filterwarnings("ignore:.*not within the action space.*")
@pytest.mark.parametrize("name", register())
def test_gymnasium_finds_nothing_to_say(name: str) -> None:
    for mode in ("ansi", "rgb_array") if "LoveLetter" in name else (None,):
        env = gymnasium.make(name, opponent="random", render_mode=mode)
        check_env(env.unwrapped, skip_render_check=mode is None)


@pytest.mark.filterwarnings("ignore:.*not within the action space.*")
@pytest.mark.parametrize("name", ["LoveLetter", "Tablic"])
@pytest.mark.parametrize("players", [3, 4])
def test_nor_with_more_players(name: str, players: int) -> None:
    env = gymnasium.make(f"kibitz/{name}-v0", opponent="greedy", players=players)
    check_env(env.unwrapped, skip_render_check=True)


def legal(source: Any, mask: np.ndarray) -> int:
    return int(source.choice(np.flatnonzero(mask)))


def test_the_mask_stands_in_three_places() -> None:
    env: Any = gymnasium.make("kibitz/LoveLetter-v0", opponent="greedy", players=3)
    seen, info = env.reset(seed=4)
    source = np.random.default_rng(1)
    for _ in range(30):
        masks = [seen["action_mask"], info["action_mask"], env.unwrapped.action_masks()]
        assert masks[0].tolist() == masks[1].tolist() == masks[2].astype(int).tolist()
        seen, reward, over, _, info = env.step(legal(source, masks[0]))
        assert bool(over) == ("results" in info)
        if over:
            assert reward == info["results"][info["seat"]]
            seen, info = env.reset()


def test_the_vector_environment_is_the_single_ones_side_by_side() -> None:
    makes: list[dict[str, Any]] = [
        {},
        {
            "vectorization_mode": "sync",
            "vector_kwargs": {"autoreset_mode": AutoresetMode.SAME_STEP},
        },
    ]
    ours, theirs = (
        gymnasium.make_vec("kibitz/LoveLetter-v0", num_envs=6, opponent="greedy", **how)
        for how in makes
    )
    (seen, _), (other, _) = ours.reset(seed=3), theirs.reset(seed=3)
    source = np.random.default_rng(0)
    for _ in range(few(60, 5)):
        for key in seen:
            assert seen[key].tolist() == other[key].tolist()
        actions = np.array([legal(source, mask) for mask in seen["action_mask"]])
        seen, rewards, ended, cut, info = ours.step(actions)
        other, wanted, over, _, told = theirs.step(actions)
        assert rewards.tolist() == wanted.tolist()
        assert ended.tolist() == over.tolist()
        assert not cut.any()
        for row in np.flatnonzero(ended):
            last = told["final_obs"][row]["observation"]
            assert info["final_obs"]["observation"][row].tolist() == last.tolist()


def test_any_strategy_may_be_the_opponent() -> None:
    """A function, which is not compiled; it sees views."""
    seats = []

    def first(view: Any) -> Any:
        seats.append(view.seat)
        return view.plays()[0]

    env = KibitzEnv("love-letter", FunctionStrategy(first), seat=0)
    for seed in range(8):
        seen, _ = env.reset(seed=seed)
        over = False
        while not over:
            seen, _, over, _, _ = env.step(int(seen["action_mask"].argmax()))
    assert set(seats) == {1}


def test_an_illegal_action_loses() -> None:
    env = KibitzEnv("tablic", "random", seat=0)
    seen, _ = env.reset(seed=1)
    _, reward, over, _, info = env.step(int(seen["action_mask"].argmin()))
    assert (reward, over, info["illegal_action"]) == (-60.0, True, True)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_the_agent_sees_itself_rendered() -> None:
    env = KibitzEnv("love-letter", "random", seat=1, render_mode="ansi")
    env.reset(seed=3)
    text = env.render()
    assert "seat 2 (you)" in text
    assert "seat 1        ▒▒" in text
    with pytest.raises(BadText, match="render_mode=film is not possible"):
        KibitzEnv("love-letter", render_mode="film")


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [("gymnasium", "gymnasium", "gym"), ("pettingzoo", "pettingzoo", "zoo")],
)
def test_a_missing_package_is_named_in_one_line(module: str, package: str, extra: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; import kibitz.interop.{module}"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.stderr.splitlines()[-1].endswith(f"pip install 'kibitz[{extra}]'")
