"""Forward pruning, and iterative deepening with its time and its nodes."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.registry import make_game
from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.horizon import DepthLimit, Evaluation
from kibitz.search.textbook.iterative_deepening import deepen
from kibitz.search.textbook.minimax import Minimax
from kibitz.search.textbook.move_ordering import Beam, WithoutMirrorImages
from kibitz.search.textbook.result import BudgetSpent
from kibitz.search.textbook.trace import Enter, Skip, Trace
from kibitz.search.textbook.transposition import AlphaBetaWithTable
from tests.oracle.trees import Max, Tree, best_children, minimax_value, subtrees, trees
from tests.search.trees import (
    Places,
    as_game,
    lines_of,
    node_at,
    path_of,
    play_out,
    traced,
    true_values,
    unfold,
    walks,
)

GENEROUS = 600
"""Seconds, for a search that ends long before."""
BOARDS = ("xo./.x./..o", "x.o/.../...", "xox/.o./...", ".../.x./...", "xoo/.x./x.o")


# -- forward pruning -----------------------------------------------------------------------


def test_without_mirror_images_tic_tac_toe_is_a_draw_in_fewer_nodes() -> None:
    game = make_game("tic-tac-toe")
    plain = AlphaBeta(game).run(game.deal(0))
    trace, result = traced(AlphaBeta, game, choice=WithoutMirrorImages(game))
    assert plain.value == result.value == 0
    assert result.counts.nodes < plain.counts.nodes / 2
    assert trace.counts() == result.counts
    assert [str(play) for play in result.values] == ["a1", "b1", "b2"], "corner, side, middle"
    skips = [event for event in trace.events if isinstance(event, Skip)]
    assert [str(play) for play in skips[0].plays] == ["c1", "a2", "c2", "a3", "b3", "c3"]
    assert skips[0].node == 0 and skips[0].why == "mirror image"


@pytest.mark.parametrize("board", BOARDS)
def test_mirror_images_change_no_value(board: str) -> None:
    game = make_game("tic-tac-toe")
    state = game.parse_position(f"board={board}")
    for search in (Minimax, AlphaBeta, AlphaBetaWithTable):
        with_all = search(game).run(state)
        without = search(game, choice=WithoutMirrorImages(game)).run(state)
        assert without.value == with_all.value
        assert without.counts.nodes <= with_all.counts.nodes
        assert game.value(play_out(game, state, without.line)) == without.value


@settings(max_examples=150)
@given(
    tree=trees(chance=False),
    width=st.integers(1, 3),
    from_depth=st.integers(0, 2),
)
def test_a_beam_looks_at_so_many_moves_from_its_depth_on(
    tree: Tree, width: int, from_depth: int
) -> None:
    game = as_game(tree)
    truth = true_values(tree, game)
    beam = Beam(truth.__getitem__, width, from_depth)
    trace, result = traced(Minimax, game, choice=beam)
    assert trace.counts() == result.counts
    lines = lines_of(trace)
    skipped = {event.node: event for event in trace.events if isinstance(event, Skip)}
    for node, line in lines.items():
        entered = [
            event.play
            for event in trace.events
            if isinstance(event, Enter) and event.parent == node
        ]
        below = subtrees(node_at(tree, path_of(line)))
        expected = len(below) if len(line) < from_depth else min(width, len(below))
        assert len(entered) == expected
        dropped = skipped[node].plays if node in skipped else ()
        assert sorted([*entered, *dropped]) == [str(i) for i in range(1, len(below) + 1)]
        assert node not in skipped or skipped[node].why == f"not among the best {width}"
    # The true values are the best evaluation there is: the beam never drops the best move.
    assert result.value == minimax_value(tree)


def test_a_beam_may_drop_the_best_move() -> None:
    game = as_game(Max((Max((1, 9)), Max((3, 3)))))
    looks = {"n3": 5, "n4": 4, "n5": 3, "n6": 3}
    result = AlphaBeta(game, choice=Beam(looks.__getitem__, 1)).run("n0")
    assert (result.value, result.best) == (3, "2")
    assert AlphaBeta(game).run("n0").value == 9


def test_alpha_beta_cuts_only_what_the_beam_left() -> None:
    game = make_game("connect-four")
    evaluate = Evaluation(game)
    options: dict[str, Any] = {
        "choice": Beam(evaluate, 2),
        "horizon": DepthLimit(evaluate, 4),
    }
    trace, result = traced(AlphaBeta, game, **options)
    children: dict[int, int] = {}
    for event in trace.events:
        if isinstance(event, Enter):
            children[event.parent] = children.get(event.parent, 0) + 1
    assert children.pop(0) == 7 and children.pop(-1) == 1
    assert max(children.values()) == 2
    assert result.value == Minimax(game, **options).run(game.deal(0)).value


# -- iterative deepening -------------------------------------------------------------------


def zero(state: Any) -> float:
    return 0.0


@pytest.mark.parametrize("board", BOARDS)
def test_with_time_enough_it_is_alpha_beta(board: str) -> None:
    game = make_game("tic-tac-toe")
    state = game.parse_position(f"board={board}")
    full = Minimax(game).run(state)
    result = deepen(game, state, Evaluation(game), GENEROUS)
    assert result.value == full.value
    assert result.exact
    assert full.values[result.best].value == full.value
    assert game.value(play_out(game, state, result.line)) == full.value
    assert result.depth is not None and result.depth <= 9


@settings(max_examples=150)
@given(walks())
def test_on_any_graph_too(game: Places) -> None:
    tree = unfold(game)
    trace = Trace()
    result = deepen(game, 0, lambda state: game.places[state].value, GENEROUS, trace=trace)
    assert result.value == minimax_value(tree) and result.exact
    assert game.value(play_out(game, 0, result.line)) == result.value
    assert trace.counts() == result.counts
    if game.places[0].targets:
        assert game.places[0].targets.index(result.line[0]) in best_children(tree)
    else:
        assert result.best is None


def test_a_lone_end() -> None:
    game = as_game(3)
    result = deepen(game, "n0", zero, GENEROUS)
    assert (result.value, result.best, result.exact, result.counts.nodes) == (3, None, True, 1)


def test_depth_1_is_finished_without_any_time() -> None:
    game = make_game("connect-four")
    evaluate = Evaluation(game)
    result = deepen(game, game.deal(0), evaluate, 0)
    plain = AlphaBeta(game, horizon=DepthLimit(evaluate, 1)).run(game.deal(0))
    assert (result.depth, result.exact) == (1, False)
    assert (result.value, result.best) == (plain.value, plain.best)
    assert result.counts.leaves == 7


def test_it_stops_in_time() -> None:
    game = make_game("connect-four")
    evaluate = Evaluation(game)
    deepen(game, game.deal(0), evaluate, 0)
    started, worked = time.monotonic(), time.process_time()
    result = deepen(game, game.deal(0), evaluate, 0.3)
    assert time.monotonic() - started > 0.2
    assert time.process_time() - worked < 5, "however busy the machine is"
    assert result.depth is not None and result.depth > 1 and not result.exact


def test_it_stops_at_a_depth() -> None:
    game = make_game("connect-four")
    evaluate = Evaluation(game)
    for depth in (1, 2, 3):
        result = deepen(game, game.deal(0), evaluate, GENEROUS, deepest=depth)
        plain = AlphaBeta(game, horizon=DepthLimit(evaluate, depth)).run(game.deal(0))
        assert (result.depth, result.exact) == (depth, False)
        assert result.value == plain.value


def total_nodes(depth: int) -> int:
    """What deepening to a depth of Connect Four costs."""
    game = make_game("connect-four")
    result = deepen(game, game.deal(0), Evaluation(game), GENEROUS, deepest=depth)
    return result.counts.nodes


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_budget_of_nodes_leaves_the_last_depth_that_was_finished(depth: int) -> None:
    game = make_game("connect-four")
    evaluate = Evaluation(game)
    enough, more = total_nodes(depth), total_nodes(depth + 1)
    for nodes in (enough, (enough + more) // 2, more - 1):
        trace = Trace()
        result = deepen(game, game.deal(0), evaluate, GENEROUS, nodes=nodes, trace=trace)
        plain = AlphaBeta(game, horizon=DepthLimit(evaluate, depth)).run(game.deal(0))
        assert (result.depth, result.value) == (depth, plain.value)
        assert enough <= result.counts.nodes <= nodes
        assert trace.counts() == result.counts
    assert deepen(game, game.deal(0), evaluate, GENEROUS, nodes=more).depth == depth + 1


def test_counts_of_a_stopped_search_are_those_of_its_trace() -> None:
    """Stopped by the clock: the node that it did not enter is not counted."""
    game = make_game("connect-four")
    trace = Trace()
    result = deepen(game, game.deal(0), Evaluation(game), 0, trace=trace)
    assert trace.counts() == result.counts


def test_counts_add_up_over_all_depths() -> None:
    game = make_game("connect-four")
    trace = Trace()
    result = deepen(game, game.deal(0), Evaluation(game), GENEROUS, deepest=3, trace=trace)
    assert trace.counts() == result.counts
    roots = [event for event in trace.events if isinstance(event, Enter) and event.parent == -1]
    assert len(roots) == 3
    assert total_nodes(1) < total_nodes(2) < result.counts.nodes


def test_a_budget_too_small_for_depth_1_is_refused() -> None:
    game = make_game("connect-four")
    with pytest.raises(BudgetSpent, match="stopped after 5 nodes"):
        deepen(game, game.deal(0), zero, GENEROUS, nodes=5)


def test_the_best_play_of_a_shallower_search_comes_first() -> None:
    """What depth 1 finds best is tried first at depth 2."""
    game = make_game("tic-tac-toe")
    trace = Trace()
    result = deepen(game, game.deal(0), Evaluation(game), GENEROUS, deepest=2, trace=trace)
    one = deepen(game, game.deal(0), Evaluation(game), GENEROUS, deepest=1)
    assert str(one.best) == "b2", "the middle leaves most lines open"
    entered = [event for event in trace.events if isinstance(event, Enter)]
    roots = [event.node for event in entered if event.parent == -1]
    tried = [next(event.play for event in entered if event.parent == root) for root in roots]
    assert [str(play) for play in tried] == ["a1", "b2"]
    assert result.depth == 2
