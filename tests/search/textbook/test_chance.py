"""Games with chance: expectiminimax, Star1 and Star2 against the oracle, in exact numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kibitz.core.errors import BadText
from kibitz.core.registry import make_game
from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.expectiminimax import Expectiminimax
from kibitz.search.textbook.minimax import Minimax
from kibitz.search.textbook.move_ordering import best_first, shuffled, worst_first
from kibitz.search.textbook.result import Known
from kibitz.search.textbook.star import Star1, Star2
from kibitz.search.textbook.trace import Cut
from tests.games.test_lab import minimax as by_hand
from tests.oracle.trees import (
    CHANCE_PLAIN,
    CHANCE_TRANSFORMED,
    COIN_GAME,
    UNDER_CHANCE,
    Coin,
    Max,
    Min,
    Tree,
    alpha_beta_leaves,
    best_children,
    count_leaves,
    count_nodes,
    leaf_at,
    minimax_value,
    principal_line,
    star_leaves,
    subtrees,
    trees,
)
from tests.plain import Tosses
from tests.search.trees import (
    Bounds,
    Search,
    all_hold,
    as_game,
    bounded_trees,
    leaves_of,
    limits,
    looked_at,
    path_of,
    traced,
    true_values,
    what_is_false,
)

ALL: list[Search] = [Expectiminimax, Star1, Star2]
STARS: list[Search] = [Star1, Star2]
HALF = Fraction(1, 2)
Bounded = tuple[Tree, Bounds]


def options_of(search: Search, bounds: Bounds) -> dict[str, Any]:
    return {} if search is Expectiminimax else {"bounds": limits(bounds)}


# -- figures from the lecture --------------------------------------------------------------


@pytest.mark.parametrize("search", ALL)
def test_the_coin_game(search: Search) -> None:
    assert minimax_value(COIN_GAME) == 3
    for game in (make_game("coin-game"), as_game(COIN_GAME)):
        start = game.deal(0)
        result = search(game).run(start)
        assert result.value == 3
        assert str(result.best) in ("left", "1")
        assert result.line == (result.best,), "the line stops where chance moves"
        coins = [game.after(start, play) for play in game.plays(start)]
        assert [search(game).run(coin).value for coin in coins] == [3, -1]
        assert search(game).run(coins[0]).best is None
        assert search(game).run(coins[0]).line == ()


def test_expectiminimax_knows_both_coins() -> None:
    game = make_game("coin-game")
    result = Expectiminimax(game).run(game.deal(0))
    assert list(result.values.values()) == [Known(3), Known(-1)]


def test_star1_needs_bounds_to_cut_early() -> None:
    seen, result = looked_at(Star1, UNDER_CHANCE)
    assert [leaf_at(UNDER_CHANCE, path) for path in seen] == [2, 2, 2, 1, 0, 1, 1]
    assert result.value == Fraction(3, 2)
    seen, result = looked_at(Star1, UNDER_CHANCE, bounds=(-2, 2))
    assert [leaf_at(UNDER_CHANCE, path) for path in seen] == [2, 2, 2, 1, 0]
    assert result.value == Fraction(3, 2)
    assert result.values == {"1": Known(1.5), "2": Known(1.5, "≤")}
    # The same by the trace: its second coin can't reach the value of the first.
    trace, _ = traced(Star1, as_game(UNDER_CHANCE, exact=False), bounds=(-2, 2))
    assert leaves_of(trace) == seen
    *_, cut = (event for event in trace.events if isinstance(event, Cut))
    assert cut.plays == ("2",)


def test_star1_leaves_a_coin_without_a_look() -> None:
    coin = Coin(((Fraction(1, 3), 1), (Fraction(2, 3), 2)))
    seen, _ = looked_at(Star1, Max((2, coin)), bounds=(0, 2))
    assert seen == [(0,)]
    seen, _ = looked_at(Star1, Min((0, coin)), bounds=(0, 2))
    assert seen == [(0,)]


def test_star2_asks_one_play_of_each_outcome_first() -> None:
    """One play of MIN after each outcome already shows that the second coin is too little."""
    tree = Max((3, Coin(((HALF, Min((5, 4))), (HALF, Min((0, 9)))))))
    star1, _ = looked_at(Star1, tree, bounds=(-9, 9))
    star2, result = looked_at(Star2, tree, bounds=(-9, 9))
    assert [int(leaf_at(tree, path)) for path in star1] == [3, 5, 4, 0]
    assert [int(leaf_at(tree, path)) for path in star2] == [3, 5, 0]
    assert (result.value, result.best) == (3, "1")


@pytest.mark.parametrize("search", ALL)
def test_with_chance_the_numbers_count_not_just_their_order(search: Search) -> None:
    results = []
    for tree in (CHANCE_PLAIN, CHANCE_TRANSFORMED):
        game = as_game(tree)
        results.append(search(game).run(game.deal(0)))
    assert [result.value for result in results] == [Fraction(21, 10), Fraction(409, 10)]
    assert [result.best for result in results] == ["1", "2"]


def test_values_of_the_nonlinear_change() -> None:
    values = []
    for tree in (CHANCE_PLAIN, CHANCE_TRANSFORMED):
        game = as_game(tree)
        known = Expectiminimax(game).run(game.deal(0)).values
        values.append([each.value for each in known.values()])
    assert values == [
        [Fraction(21, 10), Fraction(13, 10)],
        [Fraction(21), Fraction(409, 10)],
    ]


# -- any tree ------------------------------------------------------------------------------


@pytest.mark.parametrize("search", ALL)
@settings(max_examples=120)
@given(made=bounded_trees)
def test_values_are_the_oracles(search: Search, made: Bounded) -> None:
    tree, bounds = made
    game = as_game(tree)
    result = search(game, **options_of(search, bounds)).run(game.deal(0))
    assert result.value == minimax_value(tree)
    assert path_of(result.line) == principal_line(tree)
    assert result.best == (result.line[0] if result.line else None)
    assert all_hold(result.values, tree)
    assert set(result.values) == set(game.plays(game.deal(0)))


@settings(max_examples=150)
@given(trees(chance=True))
def test_expectiminimax_looks_at_everything(tree: Tree) -> None:
    game = as_game(tree)
    result = Expectiminimax(game).run(game.deal(0))
    assert (result.counts.nodes, result.counts.leaves) == (count_nodes(tree), count_leaves(tree))
    truth = {str(i): minimax_value(child) for i, child in enumerate(subtrees(tree), 1)}
    assert {play: known.value for play, known in result.values.items()} == truth
    assert {known.relation for known in result.values.values()} <= {"="}


@settings(max_examples=150)
@given(bounded_trees)
def test_leaves_of_star1_are_those_of_the_oracle(made: Bounded) -> None:
    tree, bounds = made
    seen, result = looked_at(Star1, tree, bounds=limits(bounds))
    assert (seen, result.value) == star_leaves(tree, *bounds)


@pytest.mark.parametrize("search", STARS)
@settings(max_examples=150)
@given(tree=trees(chance=False))
def test_without_chance_the_stars_are_alpha_beta(search: Search, tree: Tree) -> None:
    seen, result = looked_at(search, tree)
    assert seen == alpha_beta_leaves(tree)
    game = as_game(tree)
    assert result == AlphaBeta(game).run(game.deal(0))
    assert Expectiminimax(game).run(game.deal(0)) == Minimax(game).run(game.deal(0))


@pytest.mark.parametrize("search", STARS)
@settings(max_examples=120)
@given(made=bounded_trees, seed=st.integers(0, 99))
def test_no_order_changes_the_value(search: Search, made: Bounded, seed: int) -> None:
    tree, bounds = made
    game = as_game(tree)
    truth = true_values(tree, game)
    for order in (best_first(truth.__getitem__), worst_first(truth.__getitem__), shuffled(seed)):
        result = search(game, choice=order, bounds=limits(bounds)).run(game.deal(0))
        assert result.value == minimax_value(tree)
        assert all_hold(result.values, tree)
        if isinstance(tree, Max | Min):
            assert path_of(result.line)[0] in best_children(tree)


@pytest.mark.parametrize("search", ALL)
@settings(max_examples=150)
@given(made=bounded_trees)
def test_a_trace_counts_the_same(search: Search, made: Bounded) -> None:
    """In floats, as games have them."""
    tree, bounds = made
    trace, result = traced(search, as_game(tree, exact=False), **options_of(search, bounds))
    assert trace.counts() == result.counts
    assert result.value == pytest.approx(float(minimax_value(tree)), abs=1e-9)


def coin(*branches: tuple[Fraction, Tree]) -> Coin:
    return Coin(branches=branches)


def no_width() -> Tree:
    """An outcome is at the bound of all values after a look at one play: the window that is left
    for it has no width, and divided by a chance it has less."""
    half, fifth, third, sure = Fraction(1, 2), Fraction(1, 5), Fraction(1, 3), Fraction(1)
    two = coin((fifth, Min(children=(-3,))), (4 * fifth, Min(children=(0,))))
    one = Min(children=(coin((sure, Min(children=(-3,)))), two))
    other = Min(children=(coin((sure, Min(children=(1,)))),))
    left = [Min(children=(coin((sure, Min(children=(end,)))),)) for end in (-1, 0)]
    before = Max(children=(coin((half, left[0]), (half, left[1])),))
    after = Max(children=(coin((third, one), (2 * third, other)),))
    return Max(children=(-1, Min(children=(0, Max(children=(before, after))))))


@pytest.mark.parametrize("search", ALL)
@settings(max_examples=150)
@given(made=bounded_trees)
@example(made=(no_width(), (-3, None)))
def test_what_a_trace_says_of_a_node_is_true(search: Search, made: Bounded) -> None:
    """Values and bounds on leaving a node, and the bounds of a chance node on the way."""
    tree, bounds = made
    trace, _ = traced(search, as_game(tree, exact=False), **options_of(search, bounds))
    assert list(what_is_false(trace, tree)) == []


# -- what may be changed at the ends -------------------------------------------------------


def changed(tree: Tree, factor: int, more: int) -> Tree:
    """The same tree with another unit and another zero at its ends."""
    if isinstance(tree, Coin):
        return Coin(tuple((p, changed(child, factor, more)) for p, child in tree.branches))
    if isinstance(tree, Max | Min):
        return type(tree)(tuple(changed(child, factor, more) for child in tree.children))
    return factor * tree + more


@settings(max_examples=150)
@given(trees(chance=True), st.integers(1, 50), st.integers(-99, 99))
def test_a_linear_change_of_the_ends_changes_no_decision(
    tree: Tree, factor: int, more: int
) -> None:
    game, other = as_game(tree), as_game(changed(tree, factor, more))
    for search in ALL:
        one, two = search(game).run(game.deal(0)), search(other).run(other.deal(0))
        assert two.value == factor * one.value + more
        assert two.line == one.line
        assert two.counts == one.counts


# -- bounds that are wrong, chances that are odd, games that are real ----------------------


@pytest.mark.parametrize("search", STARS)
def test_an_end_outside_the_bounds_is_refused(search: Search) -> None:
    game = as_game(UNDER_CHANCE)
    with pytest.raises(BadText, match="value 2, outside the bounds 0 to 1"):
        search(game, bounds=(0, 1)).run(game.deal(0))


@pytest.mark.parametrize("search", STARS)
@pytest.mark.parametrize("tree", [Coin(((HALF, 3), (HALF, Max((3, 3))))), 3, Max((3, 3))])
def test_bounds_that_leave_one_value(search: Search, tree: Tree) -> None:
    game = as_game(tree)
    assert search(game, bounds=(3, 3)).run(game.deal(0)).value == 3


@pytest.mark.parametrize("search", ALL)
def test_an_outcome_that_never_happens_counts_nothing(search: Search) -> None:
    class Never(Tosses):
        def chances(self, state: Any) -> Any:
            return [("heads", 1.0), ("tails", 0.0)]

    game = Never()
    result = search(game).run(game.deal(0))
    assert result.value == by_hand(game, game.deal(0))[0]


@pytest.mark.parametrize("search", ALL)
def test_a_plain_game_with_chance(search: Search) -> None:
    game = Tosses()
    value, line = by_hand(game, game.deal(0))
    result = search(game).run(game.deal(0))
    assert result.value == pytest.approx(value, abs=1e-12)
    assert result.best == line[0]


def test_stars_look_at_less_than_expectiminimax_in_pig() -> None:
    from kibitz.search.textbook.horizon import DepthLimit, Evaluation

    game = make_game("pig:target=20")
    state = game.parse_position("score1=11; score2=9; total=3; turn=1")
    leaves = []
    values = []
    for search in ALL:
        options: dict[str, Any] = {} if search is Expectiminimax else {"bounds": game.bounds}
        limit = DepthLimit(Evaluation(game), 5)
        result = search(game, horizon=limit, **options).run(state)
        leaves.append(result.counts.leaves)
        values.append(result.value)
        assert not result.exact and result.depth == 5
    assert values == pytest.approx([values[0]] * 3, abs=1e-12)
    assert leaves[0] > leaves[1] and leaves[0] > leaves[2]
