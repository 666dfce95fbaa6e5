"""Tests of the oracle itself: examples with known answers, then random trees."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.trees import (
    CHANCE_PLAIN,
    CHANCE_TRANSFORMED,
    COIN_GAME,
    INFINITE,
    LEAF_LIMIT,
    ONE_ROUND,
    ORDINAL,
    ORDINAL_TRANSFORMED,
    UNDER_CHANCE,
    Coin,
    Limit,
    Max,
    Min,
    Path,
    Tree,
    alpha_beta_leaves,
    best_children,
    count_leaves,
    count_nodes,
    leaf_at,
    leaf_paths,
    minimax_value,
    principal_line,
    star_leaves,
    subtrees,
    trees,
    uniform,
    uniform_trees,
)

Bounds = tuple[int | None, int | None]


def child_values(tree: Tree) -> list[Fraction]:
    return [minimax_value(child) for child in subtrees(tree)]


def leaves_at(tree: Tree, paths: list[Path]) -> list[Fraction]:
    return [leaf_at(tree, path) for path in paths]


# --- values ---


def test_one_round() -> None:
    assert minimax_value(ONE_ROUND) == 3
    assert child_values(ONE_ROUND) == [3, 2, 2]
    assert best_children(ONE_ROUND) == [0]
    assert principal_line(ONE_ROUND) == (0, 0)
    assert (count_nodes(ONE_ROUND), count_leaves(ONE_ROUND)) == (13, 9)


def test_coin_game() -> None:
    assert child_values(COIN_GAME) == [3, -1]
    assert minimax_value(COIN_GAME) == 3
    assert principal_line(COIN_GAME) == (0,)
    assert (count_nodes(COIN_GAME), count_leaves(COIN_GAME)) == (15, 8)


def test_under_chance() -> None:
    assert child_values(UNDER_CHANCE) == [Fraction(3, 2), Fraction(1, 2)]


def test_without_chance_only_the_order_of_leaves_matters() -> None:
    assert child_values(ORDINAL) == [1, 2]
    assert child_values(ORDINAL_TRANSFORMED) == [1, 20]
    assert best_children(ORDINAL) == best_children(ORDINAL_TRANSFORMED) == [1]
    assert principal_line(ORDINAL) == principal_line(ORDINAL_TRANSFORMED) == (1, 0)


def test_with_chance_the_size_of_leaves_matters() -> None:
    assert child_values(CHANCE_PLAIN) == [Fraction(21, 10), Fraction(13, 10)]
    assert child_values(CHANCE_TRANSFORMED) == [21, Fraction(409, 10)]
    assert best_children(CHANCE_PLAIN) == [0]
    assert best_children(CHANCE_TRANSFORMED) == [1]


def test_ties() -> None:
    tree = Min((4, Max((3, 1, 3)), 3))
    assert best_children(tree) == [1, 2]
    assert best_children(tree.children[1]) == [0, 2]
    assert principal_line(tree) == (1, 0)


def test_a_lone_leaf() -> None:
    assert minimax_value(7) == 7
    assert principal_line(7) == ()
    assert (count_nodes(7), count_leaves(7)) == (1, 1)
    assert alpha_beta_leaves(7) == [()]
    assert star_leaves(7, None, None) == ([()], Fraction(7))


@pytest.mark.parametrize("weights", [(1, 1), (3, 0), (4, -1)])
def test_probabilities_are_positive_and_add_up_to_one(weights: tuple[int, int]) -> None:
    with pytest.raises(AssertionError):
        Coin(tuple((Fraction(weight, 3), 0) for weight in weights))


# --- alpha-beta ---


def plain_alpha_beta(tree: Tree, path: Path, alpha: Limit, beta: Limit, seen: list[Path]) -> Limit:
    """The usual procedure; adds to `seen` the leaves that it looks at."""
    if isinstance(tree, int | Fraction):
        seen.append(path)
        return tree
    result: Limit = -INFINITE if isinstance(tree, Max) else INFINITE
    for i, child in enumerate(subtrees(tree)):
        value = plain_alpha_beta(child, (*path, i), alpha, beta, seen)
        if isinstance(tree, Max):
            result = max(result, value)
            alpha = max(alpha, result)
        else:
            result = min(result, value)
            beta = min(beta, result)
        if alpha >= beta:
            break
    return result


def best_first(tree: Tree) -> Tree:
    """The same tree with the children of each node sorted, the best first."""
    if isinstance(tree, Max):
        children = sorted(map(best_first, tree.children), key=minimax_value, reverse=True)
        return Max(tuple(children))
    if isinstance(tree, Min):
        return Min(tuple(sorted(map(best_first, tree.children), key=minimax_value)))
    return tree


def fewest_leaves(branching: int, depth: int) -> int:
    """Of a uniform tree, with the best order of children (Knuth and Moore 1975)."""
    return int(branching ** (depth // 2) + branching ** ((depth + 1) // 2) - 1)


def test_alpha_beta_does_not_look_at_4_and_6() -> None:
    seen = alpha_beta_leaves(ONE_ROUND)
    assert leaves_at(ONE_ROUND, seen) == [3, 12, 8, 2, 14, 5, 2]


def test_deep_cut() -> None:
    # The 4 is below the 5 that Max has three levels further up, so 9 is not looked at.
    # The 7 is: only the first child of its parent is known to be bad.
    tree = Max((5, Min((Max((Min((4, 9)), Min((7, 8)))), 6))))
    assert leaves_at(tree, alpha_beta_leaves(tree)) == [5, 4, 7, 8, 6]


def test_a_tie_cuts() -> None:
    tree = Max((3, Min((3, 1))))
    assert leaves_at(tree, alpha_beta_leaves(tree)) == [3, 3]


def test_alpha_beta_has_no_coins() -> None:
    with pytest.raises(AssertionError):
        alpha_beta_leaves(COIN_GAME)


@given(trees(chance=False))
def test_alpha_beta_leaves_are_those_of_the_usual_procedure(tree: Tree) -> None:
    seen: list[Path] = []
    assert plain_alpha_beta(tree, (), -INFINITE, INFINITE, seen) == minimax_value(tree)
    assert alpha_beta_leaves(tree) == seen


@given(uniform_trees())
def test_alpha_beta_on_uniform_trees(made: tuple[int, int, Tree]) -> None:
    # Deeper than most of the random trees, with more deep cuts.
    branching, depth, tree = made
    seen: list[Path] = []
    plain_alpha_beta(tree, (), -INFINITE, INFINITE, seen)
    assert alpha_beta_leaves(tree) == seen
    assert len(seen) >= fewest_leaves(branching, depth)


@given(uniform_trees())
def test_fewest_leaves_in_the_best_order(made: tuple[int, int, Tree]) -> None:
    branching, depth, tree = made
    assert len(alpha_beta_leaves(best_first(tree))) == fewest_leaves(branching, depth)


# --- Star1 ---


def star_looks_at(tree: Tree, path: Path, low: Limit, high: Limit) -> bool:
    """Whether Star1 looks at a leaf, known from the values of elder siblings, without a search."""
    alpha: Limit = -INFINITE
    beta: Limit = INFINITE
    for i in path:
        elder_values = child_values(tree)[:i]
        if isinstance(tree, Max):
            alpha = max([alpha, *elder_values])
        elif isinstance(tree, Min):
            beta = min([beta, *elder_values])
        elif isinstance(tree, Coin):
            so_far: Limit = 0
            for j, (p, _) in enumerate(tree.branches[: i + 1]):
                later = sum(q for q, _ in tree.branches[j + 1 :])
                lower = (alpha - so_far - (later * high if later else 0)) / p
                upper = (beta - so_far - (later * low if later else 0)) / p
                if lower >= high or upper <= low:
                    return False
                if j < i:
                    if not lower < elder_values[j] < upper:
                        return False
                    so_far += p * elder_values[j]
            alpha, beta = max(lower, low), min(upper, high)
        if not isinstance(tree, Coin) and alpha >= beta:
            return False
        tree = subtrees(tree)[i]
    return True


@st.composite
def bounds(draw: st.DrawFn, tree: Tree) -> Bounds:
    """True bounds of the leaves, tight or not; each may be unknown."""
    values = [int(value) for value in leaves_at(tree, leaf_paths(tree))]
    low = draw(st.none() | st.integers(-LEAF_LIMIT - 1, min(values)))
    high = draw(st.none() | st.integers(max(values), LEAF_LIMIT + 1))
    return low, high


def star(tree: Tree, low: int | None, high: int | None) -> list[Fraction]:
    """The values of the leaves that Star1 looks at."""
    seen, value = star_leaves(tree, low, high)
    assert value == minimax_value(tree)
    return leaves_at(tree, seen)


def test_star_needs_bounds_to_cut_early() -> None:
    assert star(UNDER_CHANCE, None, None) == [2, 2, 2, 1, 0, 1, 1]
    assert star(UNDER_CHANCE, -2, 2) == [2, 2, 2, 1, 0]


def test_star_leaves_a_coin_without_a_look() -> None:
    coin = Coin(((Fraction(1, 3), 1), (Fraction(2, 3), 2)))
    assert star(Max((2, coin)), 0, 2) == [2]
    assert star(Min((0, coin)), 0, 2) == [0]
    # One bound is enough for the side that it limits.
    assert star(Max((2, coin)), None, 2) == [2]
    assert star(Max((2, coin)), 0, None) == [2, 1, 2]
    assert star(Min((0, coin)), 0, None) == [0]
    assert star(Min((0, coin)), None, 2) == [0, 1, 2]


def test_star_keeps_a_value_at_a_bound() -> None:
    # -2 is as low as can be, so 1 is not looked at, and yet the coin's value is above 0.
    half = Fraction(1, 2)
    tree = Max((0, Coin(((half, Min((-2, 1))), (half, 4)))))
    assert star(tree, -2, 4) == [0, -2, 4]


def test_star_with_one_possible_value() -> None:
    # All is known beforehand: a leaf below a coin is still looked at, but nothing deeper.
    tree = Coin(((Fraction(1, 2), 3), (Fraction(1, 2), Max((3, 3)))))
    assert star_leaves(tree, 3, 3) == ([(0,)], Fraction(3))


def test_star_does_not_accept_a_leaf_out_of_bounds() -> None:
    with pytest.raises(AssertionError):
        star_leaves(UNDER_CHANCE, 0, 1)


@given(st.data(), trees(chance=False))
def test_star_without_coins_is_alpha_beta(data: st.DataObject, tree: Tree) -> None:
    low, high = data.draw(bounds(tree))
    assert star_leaves(tree, low, high) == (alpha_beta_leaves(tree), minimax_value(tree))


@given(st.data(), trees(chance=True))
def test_star_value_and_leaves(data: st.DataObject, tree: Tree) -> None:
    low, high = data.draw(bounds(tree))
    seen, value = star_leaves(tree, low, high)
    assert value == minimax_value(tree)
    lowest = -INFINITE if low is None else low
    highest = INFINITE if high is None else high
    paths = leaf_paths(tree)
    assert seen == [path for path in paths if star_looks_at(tree, path, lowest, highest)]


@given(st.data(), trees(chance=True))
def test_star_sees_no_more_with_bounds(data: st.DataObject, tree: Tree) -> None:
    low, high = data.draw(bounds(tree))
    assert set(star_leaves(tree, low, high)[0]) <= set(star_leaves(tree, None, None)[0])


# --- making trees ---


def test_uniform() -> None:
    assert uniform(3, 2, [3, 12, 8, 2, 4, 6, 14, 5, 2]) == ONE_ROUND
    assert uniform(2, 3, range(8)) == Max(
        (Min((Max((0, 1)), Max((2, 3)))), Min((Max((4, 5)), Max((6, 7)))))
    )
    assert uniform(5, 0, [1]) == 1


@given(st.booleans().flatmap(lambda chance: st.tuples(st.just(chance), trees(chance, 12))))
def test_random_trees_are_as_promised(made: tuple[bool, Tree]) -> None:
    chance, tree = made
    assert count_leaves(tree) <= 12
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        children = subtrees(node)
        assert chance or not isinstance(node, Coin)
        assert len(children) <= 4
        assert children or (isinstance(node, int) and abs(node) <= LEAF_LIMIT)
        nodes += children
