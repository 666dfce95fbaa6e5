"""Games that are too deep, endless or too wide: an answer or a message, never a crash."""

from __future__ import annotations

import sys
import time
from typing import Any

import pytest

from kibitz.core.game import Game
from kibitz.core.registry import make_game
from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.expectiminimax import Expectiminimax
from kibitz.search.textbook.horizon import DepthLimit
from kibitz.search.textbook.minimax import Minimax
from kibitz.search.textbook.move_ordering import shuffled
from kibitz.search.textbook.pimc import pimc
from kibitz.search.textbook.result import BudgetSpent
from kibitz.search.textbook.star import Star1, Star2
from kibitz.search.textbook.trace import Trace
from kibitz.search.textbook.transposition import AlphaBetaWithTable, MergedMinimax
from kibitz.search.textbook.tree_search import deep_recursion
from tests.processes import environment, run
from tests.search.plain import (
    Bushy,
    Chain,
    ChanceChain,
    Circle,
    Endless,
    HiddenEndless,
    Wide,
    WideChance,
)
from tests.search.trees import Search

TREE: list[Search] = [
    Minimax,
    MergedMinimax,
    AlphaBeta,
    AlphaBetaWithTable,
    Expectiminimax,
    Star1,
    Star2,
]
CHANCE: list[Search] = [Expectiminimax, Star1, Star2]
MEMORY = 1000
"""Megabytes that a search may need before it gives up on an endless game."""


# -- deep: five times Python's own limit; how deep it may be is tested below ----------------


@pytest.mark.parametrize("search", TREE)
@pytest.mark.parametrize("is_traced", [False, True])
def test_a_game_of_5_000_plays_is_solved(search: Search, is_traced: bool) -> None:
    before = sys.getrecursionlimit()
    trace = Trace() if is_traced else None
    result = search(Chain(), trace=trace).run(0)
    assert (result.value, result.exact) == (1, True)
    assert result.line == ("on",) * 5_000
    assert result.counts.nodes == 5_001
    assert trace is None or trace.counts() == result.counts
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("search", CHANCE)
def test_a_game_of_5_000_plays_and_outcomes_is_solved(search: Search) -> None:
    before = sys.getrecursionlimit()
    result = search(ChanceChain()).run(0)
    assert (result.value, result.line) == (1, ("on",))
    assert result.counts.nodes >= 5_001
    assert sys.getrecursionlimit() == before


def test_an_order_of_plays_needs_no_more_depth() -> None:
    assert AlphaBeta(Chain(), choice=shuffled(1)).run(0).value == 1


# -- endless -------------------------------------------------------------------------------


@pytest.mark.parametrize("search", TREE)
@pytest.mark.parametrize("game", [Endless(), Bushy(), Circle()], ids=str)
def test_an_endless_game_spends_its_nodes(search: Search, game: Game[Any, Any]) -> None:
    before = sys.getrecursionlimit()
    started = time.process_time()
    with pytest.raises(BudgetSpent, match=r"stopped after 1234 nodes.*more.*depth"):
        search(game, nodes=1234).run(0)
    assert time.process_time() - started < 5
    assert sys.getrecursionlimit() == before


@pytest.mark.parametrize("search", TREE)
def test_a_depth_is_the_way_out(search: Search) -> None:
    result = search(Endless(), horizon=DepthLimit(lambda state: state / 100, 50)).run(0)
    assert (result.value, result.exact, result.counts.nodes) == (0.5, False, 51)


SCRIPT = """
import sys
from kibitz.studies.players.footprint import peak_bytes
from kibitz.search.textbook.algorithms import TREE_SEARCHES
from kibitz.search.textbook.result import BudgetSpent
from tests.search.plain import *

for search, game in {cases}:
    print(search, game, flush=True)
    before = sys.getrecursionlimit()
    try:
        TREE_SEARCHES[search](globals()[game](), nodes=10**9).run(0)
    except BudgetSpent as error:
        print("refused:", error)
    print("restored:", sys.getrecursionlimit() == before)
    print("megabytes:", peak_bytes() >> 20, flush=True)
"""
ENDLESS = [
    ("minimax", "Endless"),
    ("minimax-merged", "Circle"),
    ("alpha-beta", "Bushy"),
    ("alpha-beta-table", "Endless"),
    ("expectiminimax", "EndlessChance"),
    ("star1", "EndlessChance"),
    ("star2", "EndlessChance"),
    ("star1", "Endless"),
]


def test_a_game_endless_in_depth_is_refused() -> None:
    """In a process of its own, because what is at stake is that Python goes down with it."""
    done = run(["-c", SCRIPT.format(cases=ENDLESS)], environment())
    said = done.stdout[-500:] + done.stderr[-500:]
    assert done.returncode == 0, f"exit code {done.returncode}: {said}"
    lines = done.stdout.splitlines()
    assert len(lines) == 4 * len(ENDLESS)
    for i, (search, game) in enumerate(ENDLESS):
        name, refused, restored, megabytes = lines[4 * i : 4 * i + 4]
        assert name == f"{search} {game}"
        assert (
            refused.startswith("refused: ") and "plays" in refused and "set a depth" in refused
        ), name
        assert restored == "restored: True", name
        assert int(megabytes.split()[1]) < MEMORY, name


def test_the_depth_that_the_message_names_is_reached() -> None:
    """`more than 50000 plays` must not be said of a game with fewer."""

    class Longer(Chain):
        length = 50_000

    for search in (Minimax, AlphaBetaWithTable):
        assert len(search(Longer()).run(0).line) == 50_000


def test_a_game_of_chance_that_comes_with_kibitz_is_refused_too() -> None:
    """Nobody must hold in Pig, so it may go on for ever."""
    script = """
from kibitz.core.registry import make_game
from kibitz.search.textbook.star import Star1
from kibitz.search.textbook.result import BudgetSpent

game = make_game("pig")
try:
    Star1(game, bounds=game.bounds).run(game.deal(0))
except BudgetSpent as error:
    print("refused:", error)
"""
    done = run(["-c", script], environment())
    assert done.returncode == 0, f"exit code {done.returncode}"
    assert "set a depth" in done.stdout


# -- the recursion limit -------------------------------------------------------------------


def test_the_recursion_limit_comes_back_after_any_end() -> None:
    before = sys.getrecursionlimit()
    for error in (KeyError, RecursionError):
        with pytest.raises((KeyError, BudgetSpent)), deep_recursion():
            assert sys.getrecursionlimit() > 100_000
            raise error
        assert sys.getrecursionlimit() == before


def test_a_greater_recursion_limit_stays() -> None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(10**6)
    try:
        with deep_recursion():
            assert sys.getrecursionlimit() == 10**6
        assert sys.getrecursionlimit() == 10**6
    finally:
        sys.setrecursionlimit(before)


def test_a_mistake_of_the_game_is_not_taken_for_depth() -> None:
    class Broken(Chain):
        def after(self, state: int, play: str) -> int:
            raise KeyError("a mistake")

    with pytest.raises(KeyError, match="a mistake"):
        Minimax(Broken()).run(0)


# -- wide ----------------------------------------------------------------------------------


@pytest.mark.parametrize("search", TREE)
def test_a_wide_game_stops_at_the_budget_at_once(search: Search) -> None:
    started = time.process_time()
    with pytest.raises(BudgetSpent, match="stopped after 500 nodes"):
        search(Wide(), nodes=500).run(-1)
    assert time.process_time() - started < 1


@pytest.mark.parametrize("search", CHANCE)
def test_a_game_with_many_outcomes_stops_at_the_budget_at_once(search: Search) -> None:
    """Star1 and Star2 look at what is known of every outcome, so fewer nodes do here."""
    started = time.process_time()
    with pytest.raises(BudgetSpent, match="stopped after 5 nodes"):
        search(WideChance(), nodes=5).run(-1)
    assert time.process_time() - started < 10


@pytest.mark.parametrize("search", TREE)
def test_a_wide_game_is_solved_if_it_may(search: Search) -> None:
    class Less(Wide):
        width = 20_000

    result = search(Less()).run(-1)
    assert (result.value, result.best, result.counts.leaves) == (19_999, 19_999, 20_000)


@pytest.mark.parametrize("search", TREE)
def test_the_budget_is_met_exactly(search: Search) -> None:
    class Narrow(Wide):
        width = 9

    assert search(Narrow(), nodes=10).run(-1).value == 8
    with pytest.raises(BudgetSpent, match="stopped after 9 nodes"):
        search(Narrow(), nodes=9).run(-1)


def test_pimc_names_the_limit_it_was_given() -> None:
    """The limit is for all worlds together; what is left of it means nothing to anybody."""
    game = make_game("love-letter")
    state = game.deal(1)
    view = game.view(state, game.mover(state))
    with pytest.raises(BudgetSpent, match="pimc stopped after 20000 nodes"):
        pimc(view, nodes=20_000)


def test_pimc_tells_a_game_that_is_too_deep_from_a_limit_that_is_spent() -> None:
    game = HiddenEndless()
    with pytest.raises(BudgetSpent, match="pimc stopped after 1234 nodes"):
        pimc(game.view(0, 0), worlds=2, nodes=1234)
    with pytest.raises(BudgetSpent, match=r"more than \d+ plays.*depth"):
        pimc(game.view(0, 0), worlds=2, nodes=10**9)
