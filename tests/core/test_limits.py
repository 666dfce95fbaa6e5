"""More of the machine than it has: refused in one line, before anything is taken."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.core.errors import KibitzError
from kibitz.core.limits import ALWAYS, PER_CORE, check_memory, check_parallel, cores
from tests.processes import LIMIT, assert_refused, environment, kibitz_here

DECK = "tablic", "--seed", "1"
MUCH = [
    ["compare", "pig", "random", "random", "--jobs", "150"],
    ["compare", "pig", "random", "random", "--jobs", "0"],
    ["compare", "pig", "random", "random", "--pairs", "9" * 30],
    ["compare", "twenty-one", "random", "random", "--limit", "1e300"],
    ["compare", "tablic", "perfect:memory=1000000000", "random"],
    ["agree", "pig", "random", "random", "--jobs", "1000000"],
    ["agree", "pig", "random", "random", "--situations", "1000000000000"],
    ["study", "tablic", "--quick", "-o", "out", "--jobs", "150"],
    ["study", "tablic", "--open", "-o", "out", "--shuffles", "1000000000"],
    ["train", "tablic", "genetic", "--population", "1000000000"],
    ["train", "tablic", "genetic", "--games", "1000000000000"],
    ["train", "tablic", "genetic", "--generations", "1000000000000"],
    ["solve", *DECK, "--threads", "1000000000"],
    ["solve", *DECK, "--threads", "0"],
    ["solve", *DECK, "--memory", "1000000000"],
    ["solve", "love-letter", "--face-up", "priest priest countess", "--threads", "1000000000"],
    ["solve", "pig", "--nodes", "1000000000000"],
    ["exploit", "love-letter", "greedy", "--face-up", "guard guard guard", "--threads", "1000000"],
    ["exploit", "love-letter", "greedy", "--face-up", "guard guard guard", "--rounds", "1000000"],
    ["graph", "connect-four", "--nodes", "1000000000"],
    ["graph", "connect-four", "--algorithm", "mcts", "--samples", "1000000000000"],
]  # fmt: skip


@pytest.mark.parametrize("args", MUCH)
def test_too_much_is_refused_in_a_line(tmp_path: Path, args: list[str]) -> None:
    line = assert_refused(kibitz_here(*args, home=tmp_path))
    assert "150" not in line or str(max(PER_CORE * cores(), ALWAYS)) in line
    assert not [file for file in tmp_path.rglob("*") if file.is_file()], "nothing was begun"


def test_what_is_allowed_grows_with_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    check_parallel("jobs", ALWAYS)
    monkeypatch.setattr(os, "sched_getaffinity", lambda process: set(range(100)))
    check_parallel("jobs", 100 * PER_CORE)
    with pytest.raises(KibitzError, match="at most 400"):
        check_parallel("jobs", 100 * PER_CORE + 1)
    check_memory("this", 1 << 20)


def test_memory_that_is_not_there_is_reported_in_a_line(tmp_path: Path) -> None:
    """Here the process may not have as much as the machine has."""
    env = environment(HOME=tmp_path, KIBITZ_CACHE=tmp_path, NUMBA_DISABLE_JIT="1")
    code = (
        "import kibitz.cli as cli, numpy\ncli.app = lambda **how: numpy.ones(1 << 40)\ncli.main()"
    )
    most = 8 << 30
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=LIMIT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
    )  # fmt: skip
    assert "memory" in assert_refused(done)
