"""What a person waits for when nothing is compiled yet: as little as possible, and in advance."""

from __future__ import annotations

import operator as op
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from kibitz.cli.ui import background
from kibitz.core.registry import make_game, make_strategy
from kibitz.jit import cache as jit_cache
from kibitz.jit import kernels as compiled
from kibitz.jit.kernels import INNER, _build, jit_enabled, kernel
from kibitz.jit.operator_types import remember_operators
from kibitz.jit.rng import stream
from kibitz.table.table import Table
from tests.processes import environment, kibitz_here

only_compiled = pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")


@only_compiled
@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("love-letter", "flat-mc:worlds=20"),
        ("tablic", "pimc:worlds=10"),
        ("connect-four", "alpha-beta:depth=3"),
    ],
)
def test_after_a_hint_the_same_strategy_decides_without_compiling(spec: str, name: str) -> None:
    table = Table(make_game(spec), 4)
    table.play(table.view(table.mover).plays()[-1])
    while len(table.view(table.mover).plays()) < 2:
        table.play(table.view(table.mover).plays()[0])
    view = table.view(table.mover)
    player = make_strategy(name).sit(table.game, table.mover, stream(1))
    player.explain(view)
    built = len(compiled._built)
    player.choose(view)
    assert len(compiled._built) == built


def test_the_policy_decides_as_the_player_does() -> None:
    """The arena's compiled loop has code of its own; the decisions are the same."""
    for spec, name in (("love-letter", "flat-mc:worlds=20"), ("tablic", "pimc:worlds=10")):
        game = make_game(spec)
        strategy = make_strategy(name)
        from kibitz.strategies.common.base import PolicyPlayer

        policy = strategy.policy(game)
        assert policy is not None
        table = Table(game, 7)
        for turn in range(12):
            if table.is_over:
                break
            view = table.view(table.mover)
            one = PolicyPlayer(game, policy, stream(turn)).choose(view)
            other = strategy.sit(game, table.mover, stream(turn)).choose(view)
            assert one == other
            table.play(one)


@kernel
def inside(x: int) -> int:
    return x * x + 1


@kernel
def outside(x: int) -> int:
    return inside(x) + inside(x + 1)


@only_compiled
def test_a_kernel_that_only_kernels_call_has_no_machine_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jit_cache, "usable_folder", lambda: None)  # nothing is read from disk
    assert outside(2) == 5 + 10

    def functions(what: Any, caller: str) -> list[Any]:
        (result,) = _build(what, caller).overloads.values()
        return list(result.library.get_defined_functions())

    assert functions(inside, INNER) == []
    assert functions(outside, "") != []


@only_compiled
def test_what_operators_give_is_looked_up_once_and_is_what_numba_says() -> None:
    from numba.core import registry
    from numba.core import types as typed_types

    types: Any = typed_types  # it has no types of its own
    remember_operators()
    context: Any = registry.cpu_target.typing_context
    numba_itself = type(context).resolve_function_type
    numbers = [types.int64, types.uint64, types.float64, types.boolean, types.literal(3)]
    for operands in product(numbers, repeat=2):
        for what in (op.add, op.mul, op.truediv, op.lt, op.iadd):
            signature = context.resolve_function_type(what, operands, {})
            assert signature == numba_itself(context, what, operands, {})
            assert signature is context.resolve_function_type(what, operands, {})


@only_compiled
def test_another_process_compiles_what_a_person_will_need(tmp_path: Path) -> None:
    """Then a hint in a new process compiles nothing."""
    game = make_game("kuhn-poker")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KIBITZ_CACHE", str(tmp_path / "cache"))
        one, other = make_strategy("random"), make_strategy("ismcts:simulations=50")
        started = background.start(game, one, other)
        assert started.wait(300) == 0
    args = ["play", "kuhn-poker", "--against", "random", "--seed", "1", "--record", "r.jsonl"]
    done = subprocess.run(
        [sys.executable, "-m", "kibitz", *args, "--hints", "--hint-by", str(other)],
        env=environment(KIBITZ_CACHE=tmp_path / "cache", HOME=tmp_path),
        cwd=tmp_path, input="", capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "Hint by ismcts" in done.stdout
    assert "compiling" not in done.stderr


def test_who_leaves_ends_it_and_a_script_does_not_start_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[subprocess.Popen[bytes]] = []
    sleeping = [sys.executable, "-c", "import time; time.sleep(600)"]

    def start(*args: Any) -> subprocess.Popen[bytes]:
        begun.append(subprocess.Popen(sleeping))
        return begun[-1]

    monkeypatch.setattr(background, "start", start)
    kibitz_here("play", "kuhn-poker", "--seed", "1", home=tmp_path, given="")
    assert begun == []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    with pytest.raises(KeyboardInterrupt), background.warming_up(make_game("kuhn-poker")):
        raise KeyboardInterrupt
    assert [one.poll() is not None for one in begun] == [True]
