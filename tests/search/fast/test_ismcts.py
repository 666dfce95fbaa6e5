"""The compiled ISMCTS and MCTS: the counts of a slow twin, the answers of the textbook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from kibitz.core.game import View
from kibitz.core.registry import make_strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.rng import stream
from kibitz.search.textbook.ismcts import ismcts
from kibitz.search.textbook.mcts import mcts
from kibitz.strategies.common.tree_player import TreePlayer
from tests.games.boards import compiled_game, few
from tests.oracle.ismcts import Tree
from tests.search.fast.arrays import MANY, compiled_only, tables

PLAIN = "rollout=uniform,belief=none"
HIDDEN = ["kuhn-poker", "leduc-poker", "hidden-paper-rock-scissors", "love-letter"]
OPEN = ["tic-tac-toe", "pig:target=20"]


def sit(spec: str, view: View[Any], seed: int) -> TreePlayer:
    player = make_strategy(spec).sit(view.game, view.seat, stream(seed))
    assert isinstance(player, TreePlayer)
    return player


def views(spec: str, n: int) -> Iterator[View[Any]]:
    """What the mover sees, in so many positions."""
    for table, _ in zip(tables(spec, n), range(n), strict=False):
        yield table.view(table.mover)


# -- a slow twin -----------------------------------------------------------------------------


def root_edges(player: TreePlayer, view: View[Any]) -> dict[Any, tuple[int, int, float]]:
    """For each play its visits, how often it could have been tried, and what it brought."""
    tree = player._tree
    past = [-1 if play is None else play.code for _, play in view.past]
    root = player._root(view, np.array(past, dtype=np.int64))
    tried = {}
    for play in view.plays():
        i = player._find_slot(tree.keys, player._mix(root, play.code))
        if tree.keys[i]:
            edge = tree.edges[i]
            tried[play] = (int(edge.visits), int(edge.available), float(edge.total))
    return tried


@pytest.mark.parametrize(
    ("spec", "strategy"),
    [(spec, f"ismcts:{PLAIN},observers={o}") for spec in HIDDEN for o in ("one", "many")]
    + [("love-letter:players=3", f"ismcts:{PLAIN},observers=many")]
    + [(spec, "mcts:") for spec in OPEN],
)
def test_every_count_is_that_of_the_slow_twin(spec: str, strategy: str) -> None:
    iterations = few(250, 40)
    for seed, view in enumerate(views(spec, few(4, 2))):
        player = sit(f"{strategy},simulations={iterations}".replace(":,", ":"), view, seed)
        player.choose(view)
        assert isinstance(view.game, CompiledGame)
        tree = Tree(view.game, player.options.explore, "many" in strategy)
        tree.grow(view, iterations, stream(seed))
        used = player._tree.keys != 0
        assert used.sum() == len(tree.edges)
        tried = root_edges(player, view)
        for play in view.plays():
            edge = tree.edges[tree.root(view), play.code]
            visits, available, total = tried[play]
            assert (visits, available) == (edge.visits, edge.seen)
            assert total == pytest.approx(edge.sum)
        counts = sorted((edge.visits, edge.seen) for edge in tree.edges.values())
        own = player._tree.edges[used][["visits", "available"]]
        assert sorted(map(tuple, own.tolist())) == counts


@compiled_only
@pytest.mark.parametrize("spec", [*HIDDEN, *OPEN])
def test_the_counts_of_a_tree_fit_together(spec: str) -> None:
    name = "mcts" if spec in OPEN else "ismcts"
    for seed, view in enumerate(views(spec, few(12, 2))):
        for n in (1, 2, 40, few(1000, 100)):
            player = sit(f"{name}:simulations={n}", view, seed)
            player.choose(view)
            keys, stored, returns = player._tree
            edges = root_edges(player, view)
            assert sum(visits for visits, _, _ in edges.values()) == n
            assert 2 * (keys != 0).sum() <= len(keys)
            assert (stored["available"] >= stored["visits"])[keys != 0].all()
            assert (stored["visits"][keys != 0] >= 1).all()
            low, high = returns[view.seat]
            for visits, _, total in edges.values():
                assert low - 1e-9 <= total / visits <= high + 1e-9
            assert all(not stored[name][keys == 0].any() for name in stored.dtype.names)


# -- the textbook ----------------------------------------------------------------------------

Answer = dict[str, tuple[float, float]]
"""For each play the share of the visits, and the mean."""


def by_the_textbook(view: View[Any], n: int, seed: int) -> Answer:
    result = (
        ismcts(view, iterations=n, seed=seed)
        if view.game.traits.hidden
        else mcts(view.game, view.state, iterations=n, seed=seed)
    )
    return {str(play): (known.visits / n, known.value) for play, known in result.values.items()}


def compiled(view: View[Any], n: int, seed: int, observers: str = "one") -> Answer:
    hidden = view.game.traits.hidden
    spec = f"ismcts:observers={observers},{PLAIN}," if hidden else "mcts:"
    player = sit(f"{spec}simulations={n}", view, seed)
    player.choose(view)
    edges = root_edges(player, view)
    return {str(play): (tried / n, total / tried) for play, (tried, _, total) in edges.items()}


def averaged(search: Callable[[View[Any], int, int], Answer], view: View[Any], n: int) -> Any:
    """The share of each play, and the value of the position, over several seeds."""
    answers = [search(view, n, seed) for seed in range(few(6, 2))]
    shares = {
        str(play): sum(a.get(str(play), (0, 0))[0] for a in answers) / len(answers)
        for play in view.plays()
    }
    value = sum(share * mean for a in answers for share, mean in a.values()) / len(answers)
    return shares, value


CLEAR = [
    ("kuhn-poker", "hand1=Q; hand2=K; bets=", 0),
    ("kuhn-poker", "hand1=J; hand2=K; bets=", 0),
    ("kuhn-poker", "hand1=J; hand2=K; bets=bet", 1),
    ("kuhn-poker", "hand1=Q; hand2=J; bets=pass", 1),
    ("leduc-poker", "hand1=Q; hand2=J; first=2", 1),
    ("leduc-poker", "hand1=Q; hand2=J; board=K; round1=raise call; first=2", 1),
    ("leduc-poker", "hand1=Q; hand2=J; board=K; round1=raise call; round2=call; first=2", 0),
    ("love-letter", "face_up=guard guard prince; hand2=handmaid countess; discards1=guard;"
     " not2=king; turn=2", 1),
    ("love-letter", "face_up=guard guard prince; hand1=priest prince; discards1=guard;"
     " discards2=countess; turn=1", 0),
    ("love-letter", "face_up=guard handmaid princess; hand1=baron king; discards1=guard;"
     " discards2=guard priest; not1=king; turn=1", 0),
    ("tic-tac-toe", "board=xx./oo./...", 0),
    ("tic-tac-toe", "board=xx./.o./...; turn=2", 1),
]  # fmt: skip
"""Positions in which one play is much better than the others, to the eyes of one observer."""


def seen_at(spec: str, position: str, seat: int) -> View[Any]:
    game = compiled_game(spec)
    return game.view(game.parse_position(position), seat)


@compiled_only
@pytest.mark.parametrize(("spec", "position", "seat"), CLEAR)
def test_it_finds_what_the_textbook_finds(spec: str, position: str, seat: int) -> None:
    view = seen_at(spec, position, seat)
    n = few(1500, 200)
    fast_shares, fast_value = averaged(compiled, view, n)
    slow_shares, slow_value = averaged(by_the_textbook, view, n)
    for play, share in slow_shares.items():
        assert fast_shares[play] == pytest.approx(share, abs=0.15 if MANY else 0.5), play
    spread = 10 if spec == "leduc-poker" else 2
    assert fast_value == pytest.approx(slow_value, abs=spread * (0.05 if MANY else 0.25))
