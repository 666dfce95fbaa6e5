"""examples/learn_love_letter.py: it learns, and what it has learned sits at the table."""

from __future__ import annotations

import math
from importlib import util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core.folders import cache_folder
from tests.processes import ROOT, assert_refused, environment, kibitz_here, run

EXAMPLE = ROOT / "examples" / "learn_love_letter.py"


@pytest.fixture(scope="module")
def example() -> Any:
    spec = util.spec_from_file_location("learn_love_letter", EXAMPLE)
    assert spec and spec.loader
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.compiled_only
def test_it_learns(example: Any) -> None:
    """From play at random, which wins 29 of 100 rounds against greedy."""
    _, curve = example.learn(1, 6, say=len)
    steps, scores = zip(*curve, strict=True)
    assert steps == tuple(16_384 * n for n in range(1, 7))
    assert scores[0] == pytest.approx(0.29, abs=0.03)
    assert scores[-1] > scores[0] + 0.07


def loss(example: Any, net: dict[str, np.ndarray], batch: dict[str, Any]) -> float:
    """That of PPO, as the paper writes it; row by row, in plain Python."""
    _, chances, values = example.forward(net, batch["seen"], batch["mask"])
    total = 0.0
    for row, action in enumerate(batch["action"]):
        ratio, gain = chances[row, action] / batch["chance"][row], batch["gain"][row]
        clipped = min(max(ratio, 1 - example.CLIP), 1 + example.CLIP)
        entropy = -sum(p * math.log(p) for p in chances[row] if p > 0)
        error = values[row] - batch["result"][row]
        total += -min(ratio * gain, clipped * gain) - example.ENTROPY * entropy + error**2 / 2
    return total / len(values)


def test_the_gradient_is_that_of_the_loss(example: Any) -> None:
    """Against differences of the loss, for some weights of every part."""
    source, rows = np.random.default_rng(4), 12
    net = example.new_network(9, 5, source)
    net = {key: source.normal(0, 0.3, weights.shape) for key, weights in net.items()}
    mask = source.random((rows, 5)) < 0.6
    action = source.integers(0, 5, rows)
    mask[np.arange(rows), action] = True
    seen = source.random((rows, 9))
    chances = example.forward(net, seen, mask)[1][np.arange(rows), action]
    batch = {
        "seen": seen, "mask": mask, "action": action,
        "chance": chances * source.choice([0.7, 0.9, 1.0, 1.1, 1.5], rows),
        "gain": source.normal(size=rows), "result": source.normal(size=rows),
    }  # fmt: skip
    found, step = example.gradient(net, batch), 1e-6
    for key, weights in net.items():
        for place in zip(*(source.integers(0, n, 8) for n in weights.shape), strict=True):
            sides = []
            for way in (step, -step):
                moved = {**net, key: weights.copy()}
                moved[key][place] += way
                sides.append(loss(example, moved, batch))
            slope = (sides[0] - sides[1]) / (2 * step)
            assert found[key][place] == pytest.approx(slope, abs=1e-6), (key, place)


def test_a_gain_counts_for_the_steps_of_its_own_round(example: Any) -> None:
    """Two games of three steps: in the first a round ends after the second one."""
    rewards, ended = [[0, 0], [1, 0], [0, 0]], [[0, 0], [1, 0], [0, 0]]
    told = [
        {"value": np.zeros(2), "reward": np.array(r, float), "ended": np.array(e, bool)}
        for r, e in zip(rewards, ended, strict=True)
    ]
    example.add_gains(told, np.array([0.5, -0.5]))
    trace = example.TRACE
    gains = [step["gain"].tolist() for step in told]
    assert gains[2] == [0.5, -0.5]
    assert gains[1] == [1.0, pytest.approx(-0.5 * trace)]
    assert gains[0] == [pytest.approx(trace), pytest.approx(-0.5 * trace**2)]


def test_the_commands_of_the_file_run(tmp_path: Path) -> None:
    env = environment(HOME=tmp_path, KIBITZ_CACHE=cache_folder())
    done = run([EXAMPLE, tmp_path / "learned", "--quick"], env)
    assert done.returncode == 0, done.stderr
    assert "fresh shuffles: " in done.stdout
    policy, curve = (tmp_path / "learned" / name for name in ("policy.npz", "curve.svg"))
    assert "score against greedy" in curve.read_text(encoding="utf-8")
    player = f"{EXAMPLE}:policy={policy}"
    sat = kibitz_here("compare", "love-letter", player, "greedy", "--pairs", "3", home=tmp_path)
    assert (sat.returncode, sat.stderr) == (0, "")
    for game, other, told in (
        ("love-letter", f"{EXAMPLE}:policy={curve}", "no learned policy is there"),
        ("love-letter", f"{EXAMPLE}:policy={tmp_path}/nothing.npz", "nothing.npz"),
        ("tablic", player, "for two players"),
    ):
        refused = kibitz_here("compare", game, other, "random", "--pairs", "3", home=tmp_path)
        assert told in assert_refused(refused)
