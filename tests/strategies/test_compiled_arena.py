"""The compiled arena plays the games that players over views play, for every policy."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.python_pairs import PythonPairs
from kibitz.games.compiled_game import CompiledGame
from tests.games.boards import SPECS, compiled_game, few, pairs_of
from tests.strategies.tables import quick, strategies_of


def with_policies(game: CompiledGame) -> list[str]:
    return [name for name in strategies_of(game) if quick(name).policy(game) is not None]


def lineups(game: CompiledGame) -> list[str]:
    """Each strategy against the next; in a variant of a game, as few as have everyone.

    Alone, a strategy is tested with its game.
    """
    names = with_policies(game)
    step = game.players if str(game) != game.name or len(names) == 2 else 1
    ring = names * game.players
    starts = range(0, len(names), step) if len(names) > 1 else ()
    return [" ".join(ring[i : i + game.players]) for i in starts]


LINEUPS = [(spec, lineup) for spec in SPECS for lineup in lineups(compiled_game(spec))]


GAMES = {"round": 50, "game": 10, "match": 4}


def assert_same(game: CompiledGame, lineup: str, unit: str) -> None:
    pairs = pairs_of(game, GAMES[unit])
    strategies = [quick(name) for name in lineup.split()]
    fast = CompiledPairs(game, strategies, 5, game.target if unit == "match" else 0)
    slow = PythonPairs(game, strategies, 5, unit)
    for compiled, python in zip(fast.play(3, pairs), slow.play(3, pairs), strict=True):
        assert np.array_equal(compiled, python)


@pytest.mark.parametrize(("spec", "lineup"), LINEUPS)
def test_compiled_pairs_are_the_pairs_played_through_views(spec: str, lineup: str) -> None:
    game = compiled_game(spec)
    assert_same(game, lineup, game.traits.unit)


@pytest.mark.parametrize(
    ("spec", "lineup"), [("love-letter", "greedy probabilistic"), ("tablic", "human greedy")]
)
def test_compiled_matches_are_the_matches_played_through_views(spec: str, lineup: str) -> None:
    assert_same(compiled_game(spec), lineup, "match")


def test_every_strategy_with_a_policy_is_tested() -> None:
    for spec in SPECS:
        seated = {name for other, lineup in LINEUPS if other == spec for name in lineup.split()}
        names = with_policies(compiled_game(spec))
        assert seated == set(names) or len(names) == 1


def test_options_reach_the_strategy_they_were_given_to() -> None:
    """One policy with two sets of numbers: which sits where makes a difference."""
    game = compiled_game("love-letter:deck=thesis")
    both = [quick("greedy"), quick("greedy:bluff=true")]
    plain, bluff = ([one] * 2 for one in both)
    results = [
        CompiledPairs(game, lineup, 5, 0).play(0, few(400, 30)) for lineup in (both, plain, bluff)
    ]
    mixed, alike, bluffing = (result.tolist() for result, _ in results)
    assert mixed != alike and mixed != bluffing and alike != bluffing
