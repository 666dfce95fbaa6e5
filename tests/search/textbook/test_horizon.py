"""Searches that stop before the end: evaluation, depth, decided states, quiescence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.errors import BadText
from kibitz.core.game import Turn
from kibitz.core.registry import make_game
from kibitz.graph.graph import Graph, antagonist, protagonist
from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.horizon import DepthLimit, Evaluation, Quiescence
from kibitz.search.textbook.minimax import Minimax
from kibitz.search.textbook.star import Star1, Star2
from kibitz.search.textbook.trace import Leaf
from kibitz.search.textbook.transposition import AlphaBetaWithTable, MergedMinimax
from tests.oracle.trees import (
    alpha_beta_leaves,
    best_children,
    count_leaves,
    minimax_value,
    principal_line,
    subtrees,
)
from tests.search.trees import Place, Places, Search, line_on, traced, unfold, walks

ALL: list[Search] = [Minimax, MergedMinimax, AlphaBeta, AlphaBetaWithTable, Star1, Star2]
OPENING = "turn=1"
FIGHT = "board=......./......./......./...o.../..xxo../.oxxo..; turn=1"
THREAT = "board=......./......./......./o....../o..x.../o..xx..; turn=1"


# -- evaluation ----------------------------------------------------------------------------


def test_an_evaluation_is_the_weighted_sum_of_features() -> None:
    game = make_game("connect-four")
    state = game.parse_position(FIGHT)
    features = game.features(state)
    assert features["twos"] or features["threes"]
    weights = {"threes": 0.02, "twos": -0.003}
    expected = 0.02 * features["threes"] - 0.003 * features["twos"]
    assert Evaluation(game, weights)(state) == pytest.approx(expected)
    default = sum(weight * features[name] for name, weight in game.weights.items())
    assert Evaluation(game)(state) == pytest.approx(default)
    assert Evaluation(game, {})(state) == 0


def test_an_evaluation_stays_within_the_bounds() -> None:
    game = make_game("connect-four")
    state = game.parse_position(FIGHT)
    assert game.features(state)["twos"] != 0
    values = {Evaluation(game, {"twos": weight})(state) for weight in (1e6, -1e6)}
    assert values == {-1, 1}


def test_unknown_weights_are_refused_with_those_that_are_known() -> None:
    game = make_game("connect-four")
    with pytest.raises(BadText, match=r"connect-four has no feature 'fours'.*threes, twos"):
        Evaluation(game, {"fours": 1})(game.deal(0))
    game = make_game("twenty-one")
    with pytest.raises(BadText, match=r"no feature 'sum'; it has: none"):
        Evaluation(game, {"sum": 1})(game.deal(0))


@pytest.mark.parametrize(
    ("name", "middle"), [("paper-rock-scissors", 2), ("tic-tac-toe", 0), ("coin-game", 2.5)]
)
def test_without_weights_it_is_the_middle(name: str, middle: float) -> None:
    game = make_game(name)
    assert Evaluation(game, {})(game.deal(0)) == middle


def test_an_end_has_its_own_value() -> None:
    game = make_game("tic-tac-toe")
    for board, value in (("xxx/oo./...", 1), ("xx./ooo/x..", -1), ("xox/xox/oxo", 0)):
        state = game.parse_position(f"board={board}")
        assert game.is_over(state)
        assert Evaluation(game, {"open_lines": 5})(state) == value


class Uneven(Places):
    """Ends from 0 to 100, and a feature that is 0 where the sides are even."""

    labels: ClassVar[Mapping[str, float]] = {"lost": 0, "won": 100}
    weights: ClassVar[Mapping[str, float]] = {"lead": 10}

    def turn(self, state: int) -> Turn[int, int]:
        return Turn(0)  # any number is a state, and none an end

    def features(self, state: int) -> Mapping[str, float]:
        return {"lead": state}


def test_a_feature_counts_from_the_middle_of_the_bounds() -> None:
    evaluate = Evaluation(Uneven([Place(0, (), 0)]))
    assert [evaluate(state) for state in (-9, -3, 0, 3, 9)] == [0, 20, 50, 80, 100]


# -- depth ---------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("position", [OPENING, FIGHT, THREAT])
def test_connect_four_to_a_depth(position: str, depth: int) -> None:
    game = make_game("connect-four")
    state = game.parse_position(position)
    limit = DepthLimit(Evaluation(game), depth)
    plain = Minimax(game, horizon=limit).run(state)
    assert plain.depth == depth and not plain.exact
    for search in ALL[1:]:
        result = search(game, horizon=limit).run(state)
        assert (result.value, result.line) == (plain.value, plain.line)
        assert result.counts.nodes <= plain.counts.nodes
        assert not result.exact
    if position == THREAT:
        # Seat 2 has three above each other: all but the block loses at once.
        assert str(plain.best) == "1" or depth == 1


def stop_at(game: Places, depth: int, decided: float = float("inf")) -> Any:
    """Where a depth limit stops, written again."""

    def stop(state: int, at: int) -> bool:
        return at >= depth or (at > 0 and abs(game.places[state].value) >= decided)

    return stop


@pytest.mark.parametrize("search", ALL)
@settings(max_examples=100)
@given(game=walks(), depth=st.integers(0, 6), decided=st.sampled_from([2, 3, 4, float("inf")]))
def test_any_graph_to_a_depth(search: Search, game: Places, depth: int, decided: float) -> None:
    """The same state at another distance from the horizon is something else."""
    tree = unfold(game, stop=stop_at(game, depth, decided))
    limit = DepthLimit(lambda state: game.places[state].value, depth, (-decided, decided))
    trace, result = traced(search, game, horizon=limit)
    assert result.value == minimax_value(tree)
    assert result.line == line_on(game, principal_line(tree))
    assert trace.counts() == result.counts
    assert result.depth == depth
    leaves = [event for event in trace.events if isinstance(event, Leaf)]
    assert result.exact == all(leaf.why == "end" for leaf in leaves)
    if search is Minimax:
        assert len(leaves) == count_leaves(tree)
    if search is AlphaBeta:
        assert len(leaves) == len(alpha_beta_leaves(tree))
    if subtrees(tree):
        assert game.places[0].targets.index(result.line[0]) in best_children(tree)


def test_the_root_is_never_decided() -> None:
    game = Places([Place(0, (1,), 4), Place(1, (2,), 4), Place(0, (), -1)])
    limit = DepthLimit(lambda state: game.places[state].value, 9, decided=(-4, 4))
    result = Minimax(game, horizon=limit).run(0)
    assert (result.value, result.line, result.counts.nodes) == (4, (1,), 2)
    assert not result.exact


def test_a_depth_beyond_the_ends_is_exact() -> None:
    game = make_game("twenty-one")
    for search in ALL:
        result = search(game, horizon=DepthLimit(Evaluation(game), 99)).run(game.deal(0))
        assert (result.value, result.exact, result.depth) == (-1, True, 99)


# -- quiescence ----------------------------------------------------------------------------

# MAX may take a pawn with the queen, who is then taken in turn; or play on quietly.
EXCHANGE = Graph.of(
    protagonist(
        {
            "take the pawn": antagonist(
                {
                    "take the queen": protagonist({"go on": -8}),
                    "let it be": protagonist({"go on": 1}),
                }
            ),
            "stay quiet": antagonist({"go on": protagonist({"go on": 0})}),
        }
    )
).game("exchange")
MATERIAL = {"n0": 0, "n1": 1, "n2": 0, "n3": -8, "n4": 1, "n5": 0}
"""Nodes are numbered level by level; n1 is in the middle of the exchange."""


@pytest.mark.parametrize("search", ALL)
def test_the_horizon_fools_a_search_and_quiescence_does_not(search: Search) -> None:
    evaluate = MATERIAL.__getitem__
    fooled = search(EXCHANGE, horizon=DepthLimit(evaluate, 1)).run("n0")
    assert (fooled.value, fooled.best) == (1, "take the pawn")
    quiet = Quiescence(evaluate, 1, is_quiet=lambda state: state != "n1")
    result = search(EXCHANGE, horizon=quiet).run("n0")
    assert (result.value, result.best) == (0, "stay quiet")
    assert result.depth == 1 and not result.exact
    assert Minimax(EXCHANGE).run("n0").best == "stay quiet"


@pytest.mark.parametrize("extra", [0, 1, 5])
def test_quiescence_ends_even_where_it_is_never_quiet(extra: int) -> None:
    chain = [Place(i % 2, (i + 1,), i) for i in range(50)]
    game = Places([*chain, Place(0, (), 0)])
    limit = Quiescence(lambda state: game.places[state].value, 3, lambda state: False, extra)
    result = Minimax(game, horizon=limit).run(0)
    assert (result.value, len(result.line)) == (3 + extra, 3 + extra)


@pytest.mark.parametrize("search", ALL)
@settings(max_examples=100)
@given(game=walks(), depth=st.integers(0, 4), extra=st.integers(0, 3), loud=st.integers(0, 2**11))
def test_quiescence_on_any_graph(
    search: Search, game: Places, depth: int, extra: int, loud: int
) -> None:
    def is_quiet(state: int) -> bool:
        return not loud >> state & 1

    def stop(state: int, at: int) -> bool:
        return at >= depth + extra or (at >= depth and is_quiet(state))

    tree = unfold(game, stop=stop)
    limit = Quiescence(lambda state: game.places[state].value, depth, is_quiet, extra)
    result = search(game, horizon=limit).run(0)
    assert result.value == minimax_value(tree)
    assert result.line == line_on(game, principal_line(tree))
