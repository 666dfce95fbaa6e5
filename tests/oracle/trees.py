"""Game-tree search by the book: slow and plain, to test fast implementations against.

A tree is a number (a leaf, its value to Max) or a node `Max`, `Min` or `Coin`.
A path is a tuple of child indices from the root. All arithmetic is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from hypothesis import strategies as st


@dataclass(frozen=True)
class Max:
    children: tuple[Tree, ...]

    def __post_init__(self) -> None:
        assert self.children


@dataclass(frozen=True)
class Min:
    children: tuple[Tree, ...]

    def __post_init__(self) -> None:
        assert self.children


@dataclass(frozen=True)
class Coin:
    """A chance node; `branches` are pairs (probability, subtree)."""

    branches: tuple[tuple[Fraction, Tree], ...]

    def __post_init__(self) -> None:
        assert all(p > 0 for p, _ in self.branches)
        assert sum(p for p, _ in self.branches) == 1


Tree = int | Fraction | Max | Min | Coin
Path = tuple[int, ...]
# A limit of a window. A float is only ever infinite: all other numbers are exact.
Limit = int | Fraction | float
INFINITE = float("inf")


# Trees


def subtrees(tree: Tree) -> tuple[Tree, ...]:
    """The children of a node, none for a leaf."""
    if isinstance(tree, Max | Min):
        return tree.children
    if isinstance(tree, Coin):
        return tuple(subtree for _, subtree in tree.branches)
    return ()


def leaf_paths(tree: Tree) -> list[Path]:
    """The paths of all leaves, from left to right."""
    if isinstance(tree, int | Fraction):
        return [()]
    children = subtrees(tree)
    return [(i, *path) for i in range(len(children)) for path in leaf_paths(children[i])]


def leaf_at(tree: Tree, path: Path) -> Fraction:
    for i in path:
        tree = subtrees(tree)[i]
    assert isinstance(tree, int | Fraction)
    return Fraction(tree)


def count_nodes(tree: Tree) -> int:
    """All nodes: the root and the leaves count too."""
    return 1 + sum(count_nodes(child) for child in subtrees(tree))


def count_leaves(tree: Tree) -> int:
    return len(leaf_paths(tree))


# Values


def minimax_value(tree: Tree) -> Fraction:
    """The value by its definition; with coins this is expectiminimax."""
    if isinstance(tree, Max):
        return max(minimax_value(child) for child in tree.children)
    if isinstance(tree, Min):
        return min(minimax_value(child) for child in tree.children)
    if isinstance(tree, Coin):
        return sum((p * minimax_value(child) for p, child in tree.branches), Fraction(0))
    return Fraction(tree)


def best_children(tree: Tree) -> list[int]:
    """The indices of all optimal children of a Max or Min node, lowest first."""
    assert isinstance(tree, Max | Min)
    # The value of the node is that of its best children.
    best = minimax_value(tree)
    return [i for i, child in enumerate(tree.children) if minimax_value(child) == best]


def principal_line(tree: Tree) -> Path:
    """The lowest optimal index at each node, down to the first leaf or coin."""
    if not isinstance(tree, Max | Min):
        return ()
    i = best_children(tree)[0]
    return (i, *principal_line(tree.children[i]))


# What alpha-beta looks at


def alpha_beta_leaves(tree: Tree) -> list[Path]:
    """The leaves that alpha-beta looks at, in order, left to right, for trees without coins.

    The window of the root is infinite, and a node is left as soon as alpha >= beta.
    """
    return [path for path in leaf_paths(tree) if _is_entered(tree, path)]


def _is_entered(tree: Tree, path: Path) -> bool:
    """Knuth and Moore 1975: whether a node is looked at, known from the values of elder siblings.

    On the way to the node, Max is sure of the elder siblings below each Max node, and Min of
    those below each Min node. Once Max is sure of as much as Min need allow, nothing below
    matters. True values may stand for what alpha-beta finds, which is cut to its window: a
    value below alpha does not change alpha, and after one above beta no sibling is entered.
    """
    sure_for_max: list[Fraction] = []
    sure_for_min: list[Fraction] = []
    for i in path:
        assert isinstance(tree, Max | Min), "alpha-beta has no coins"
        elder_values = [minimax_value(child) for child in tree.children[:i]]
        if isinstance(tree, Max):
            sure_for_max += elder_values
        else:
            sure_for_min += elder_values
        # A side that is sure of nothing has an infinite limit.
        if sure_for_max and sure_for_min and max(sure_for_max) >= min(sure_for_min):
            return False
        tree = tree.children[i]
    return True


# What Star1 looks at


def star_leaves(
    tree: Tree, low: int | Fraction | None, high: int | Fraction | None
) -> tuple[list[Path], Fraction]:
    """The leaves that Star1 looks at, in order, left to right, and the value it finds.

    Ballard 1983: alpha-beta with chance nodes, where each leaf is known to be in [low, high];
    None is an unknown bound. The bounds are used at chance nodes only, so without coins this
    is alpha-beta.
    """
    star = _Star(-INFINITE if low is None else low, INFINITE if high is None else high)
    value = star.search(tree, (), -INFINITE, INFINITE)
    # In an infinite window nothing is cut to a limit.
    assert not isinstance(value, float)
    return star.seen, Fraction(value)


class _Star:
    def __init__(self, low: Limit, high: Limit) -> None:
        self.low = low
        self.high = high
        self.seen: list[Path] = []

    def search(self, tree: Tree, path: Path, alpha: Limit, beta: Limit) -> Limit:
        """The value of the tree, or the limit of the window that it is not within."""
        if isinstance(tree, Max):
            for i, child in enumerate(tree.children):
                if alpha >= beta:
                    break
                alpha = max(alpha, self.search(child, (*path, i), alpha, beta))
            return alpha
        if isinstance(tree, Min):
            for i, child in enumerate(tree.children):
                if alpha >= beta:
                    break
                beta = min(beta, self.search(child, (*path, i), alpha, beta))
            return beta
        if isinstance(tree, Coin):
            return self.search_coin(tree, path, alpha, beta)
        assert self.low <= tree <= self.high
        self.seen.append(path)
        return min(max(tree, alpha), beta)

    def search_coin(self, coin: Coin, path: Path, alpha: Limit, beta: Limit) -> Limit:
        so_far: Limit = Fraction(0)
        for i, (p, child) in enumerate(coin.branches):
            later = sum((q for q, _ in coin.branches[i + 1 :]), Fraction(0))
            # Even if all later outcomes are as high as can be, the coin's value is no more than
            # alpha if the child's value is no more than this. The other limit is its mirror.
            lower = (alpha - so_far - _times(later, self.high)) / p
            upper = (beta - so_far - _times(later, self.low)) / p
            if lower >= self.high:
                return alpha
            if upper <= self.low:
                return beta
            # With low == high this window is empty: Max and Min nodes then look at nothing.
            value = self.search(child, (*path, i), max(lower, self.low), min(upper, self.high))
            # Not the limits of the narrowed window: a value equal to `low` is exact.
            if value <= lower:
                return alpha
            if value >= upper:
                return beta
            so_far += p * value
        return so_far


def _times(p: Fraction, bound: Limit) -> Limit:
    # After the last outcome nothing is unknown, even without bounds: 0 * infinite is 0.
    return p * bound if p else Fraction(0)


# Examples with known answers


def _coin(*children: Tree) -> Coin:
    """A fair coin, or a fair die with as many sides as there are children."""
    return Coin(tuple((Fraction(1, len(children)), child) for child in children))


def _nine_to_one(likely: int, unlikely: int) -> Coin:
    return Coin(((Fraction(9, 10), likely), (Fraction(1, 10), unlikely)))


# Value 3; alpha-beta does not look at 4 and 6.
ONE_ROUND = Max((Min((3, 12, 8)), Min((2, 4, 6)), Min((14, 5, 2))))
# The coins have the values 3 and -1.
COIN_GAME = Max((_coin(Min((2, 4)), Min((7, 4))), _coin(Min((6, 0)), Min((5, -2)))))
# The coins have the values 3/2 and 1/2. Star1 looks at 7 leaves, or at 5 if it knows [-2, 2].
UNDER_CHANCE = Max((_coin(Min((2, 2)), Min((2, 1))), _coin(Min((0, 1)), Min((1, 1)))))
# Without chance only the order of the leaves matters: the best child stays the same.
ORDINAL = Max((Min((1, 2)), Min((2, 4))))
ORDINAL_TRANSFORMED = Max((Min((1, 20)), Min((20, 400))))
# With chance it does not: same order of the leaves, but another best child.
CHANCE_PLAIN = Max((_nine_to_one(2, 3), _nine_to_one(1, 4)))  # 2.1 and 1.3
CHANCE_TRANSFORMED = Max((_nine_to_one(20, 30), _nine_to_one(1, 400)))  # 21 and 40.9


# Making trees

LEAF_LIMIT = 4  # small, so that ties are common


def uniform(branching: int, depth: int, values: Sequence[int | Fraction]) -> Tree:
    """The complete tree with these leaves, Max at the root, then Min and Max in turn."""
    assert len(values) == branching**depth
    level: list[Tree] = list(values)
    # From the leaves up, so the lowest level of nodes comes first.
    for height in reversed(range(depth)):
        node = Max if height % 2 == 0 else Min
        level = [node(tuple(level[i : i + branching])) for i in range(0, len(level), branching)]
    return level[0]


@st.composite
def uniform_trees(draw: st.DrawFn) -> tuple[int, int, Tree]:
    """A branching factor, a depth, and a tree of them with any values."""
    branching = draw(st.integers(1, 4))
    depth = draw(st.integers(0, {1: 5, 2: 6, 3: 4, 4: 3}[branching]))
    size = branching**depth
    values = draw(st.lists(st.integers(-9, 9), min_size=size, max_size=size))
    return branching, depth, uniform(branching, depth, values)


def trees(chance: bool, max_leaves: int = 40) -> st.SearchStrategy[Tree]:
    """Random trees with at most `max_leaves` leaves, with 1 to 4 children at each node.

    Depths are unequal, and Max and Min need not take turns. A tree may be a lone leaf.
    Leaves are integers from -LEAF_LIMIT to LEAF_LIMIT.
    """
    leaves: st.SearchStrategy[Tree] = st.integers(-LEAF_LIMIT, LEAF_LIMIT)

    def nodes(below: st.SearchStrategy[Tree]) -> st.SearchStrategy[Tree]:
        children = st.lists(below, min_size=1, max_size=4).map(tuple)
        kinds: list[st.SearchStrategy[Tree]] = [st.builds(Max, children), st.builds(Min, children)]
        if chance:
            weighted = st.tuples(st.integers(1, 4), below)
            kinds.append(st.lists(weighted, min_size=1, max_size=4).map(_from_weights))
        return st.one_of(kinds)

    return st.recursive(leaves, nodes, max_leaves=max_leaves)


def _from_weights(pairs: Sequence[tuple[int, Tree]]) -> Coin:
    total = sum(weight for weight, _ in pairs)
    return Coin(tuple((Fraction(weight, total), child) for weight, child in pairs))
