"""How often strategies decide alike, and how a search settles."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kibitz.arena.agreement import STEPS, agree, ask_in_game, settling
from kibitz.core.errors import BadText
from kibitz.core.registry import make_game, make_strategy, strategies
from tests.arena.failing import Failing
from tests.plain import Heap, Nim
from tests.processes import assert_refused, kibitz_here

FIRST = Failing(one_in=10**9)
"""It never fails here: it plays the first play."""
RANDOM, GREEDY = make_strategy("random"), make_strategy("greedy")
GAME = make_game("love-letter")


def test_the_matrix_is_symmetric_and_deterministic_ones_agree_with_themselves() -> None:
    agreement = agree(GAME, [GREEDY, RANDOM, GREEDY], 400, seed=2)
    assert agreement.names == ("greedy", "random", "greedy#2")
    alike = agreement.alike
    assert [list(row) for row in zip(*alike, strict=True)] == [list(row) for row in alike]
    nim = agree(Nim(), [FIRST, make_strategy("alpha-beta"), RANDOM], 300)
    assert nim.alike[0][0] == nim.alike[1][1] == 300
    assert nim.alike[2][2] < 300, "who draws lots differs from itself"


def test_shares_are_those_of_the_single_decisions() -> None:
    players = (FIRST, RANDOM)
    asked: list[Any] = []
    number = 0
    while len(asked) < 120:
        asked += ask_in_game(Nim(), players, 9, number)
        number += 1
    asked = asked[:120]
    agreement = agree(Nim(), players, 120, seed=9)
    assert agreement.alike[0][1] == sum(one[0][0] == one[1][0] for one in asked)
    assert agreement.alike[1][1] == sum(one[1][0] == one[1][1] for one in asked)
    # With two or three plays, and one of them drawn, chance alone would give this much.
    assert 0.25 < agreement.share(0, 1).mean < 0.6


@pytest.mark.parametrize("game", [Nim(), GAME], ids=str)
def test_a_seed_decides_and_the_processes_do_not(game: Any) -> None:
    one, two, other = (
        agree(game, [RANDOM, FIRST], 150, seed, jobs) for seed, jobs in ((1, 1), (1, 2), (2, 1))
    )
    assert one == two
    assert one.alike != other.alike


def test_a_search_settles() -> None:
    """Never wholly: in many situations two plays are as good as each other."""
    curve = settling(GAME, "ismcts", 80, seed=3, values=(2, 100, STEPS[-1]))
    assert curve.option == "simulations" and curve.values == (2, 100, STEPS[-1])
    little, some, much = curve.shares
    assert little.mean < some.mean < much.mean
    assert little.high < much.low and much.mean > 0.75


def test_whoever_deals_worlds_or_simulates_can_be_settled() -> None:
    """The option that grows is declared by the strategy, and it has it."""
    growing = {name: make_strategy(name).effort for name in strategies()}
    for name, effort in growing.items():
        assert not effort or effort in [option.name for option in make_strategy(name).options]
    assert {name: effort for name, effort in growing.items() if effort} == {
        "expert": "worlds", "flat-mc": "worlds", "ismcts": "simulations", "mcts": "simulations",
        "pimc": "worlds",
    }  # fmt: skip


def test_the_command_tells_both(tmp_path: Path) -> None:
    args = ("agree", "love-letter", "random", "greedy", "--situations", "50", "--jobs", "1")
    document = json.loads(kibitz_here(*args, "--json", home=tmp_path).stdout)
    agreement = agree(GAME, [RANDOM, GREEDY], 50)
    assert document == json.loads(json.dumps(agreement.document()))
    shown = kibitz_here(*args, home=tmp_path).stdout
    assert f"{100 * agreement.share(0, 1).mean:.0f}" in shown


@pytest.mark.parametrize(
    ("args", "tells"),
    [
        (["random"], "at least two"),
        (["random", "greedy", "--situations", "0"], "at least 1"),
        (["--settle", "ismcts", "--situations", "0"], "at least 1"),
        (["--settle", "random"], "does not think longer"),
        (["--settle", "ismcts:simulations=5"], "leave it out"),
        (["random", "oracle"], "oracle"),
        (["random", "greedy", "--jobs", "-1"], "at least 1"),
    ],
)
def test_bad_input(tmp_path: Path, args: list[str], tells: str) -> None:
    assert tells in assert_refused(kibitz_here("agree", "love-letter", *args, home=tmp_path))


def test_a_game_without_choices_has_no_situations() -> None:
    class Forced(Nim):
        name: ClassVar[str] = "forced"

        def plays(self, state: Heap) -> Sequence[int]:
            return [1]

    with pytest.raises(BadText, match="nobody had a choice"):
        agree(Forced(), [RANDOM, FIRST], 5, jobs=2)  # a class that can't be sent, besides
