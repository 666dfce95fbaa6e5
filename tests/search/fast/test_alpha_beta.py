"""The compiled alpha-beta finds the values of the textbook, and of plain recursion in Tablić."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import pytest

from kibitz.games.compiled_game import CompiledGame
from kibitz.games.tablic.game import Tablic
from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.minimax import Minimax
from tests.games.boards import compiled_game, few, walk
from tests.oracle import tablic_deals as plain
from tests.search.fast.arrays import MANY, NO_WEIGHTS, Search, many_composed

RESULT = (0.0, 250.0, 250.0, 250.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0)
WEIGHTS = {
    "result": RESULT,
    "own": (1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "difference": (1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0),
    "the table too": (0.0, 250.0, 250.0, 250.0, 500.0, 280.0, 290.0, 800.0, 1.0, 1.0),
    "everything": (10.0, 110.0, 210.0, 310.0, -400.0, 20.0, 300.0, 150.0, 1.0, 1.0),
    "half of the others": (30.0, 130.0, 230.0, 330.0, 400.0, -20.0, -100.0, 150.0, 0.5, 1.0),
}
"""In the order of `DealWeights.numbers` in open_hands/evaluation.py."""
SIGN = (1, -1)
"""Of seat 0's value, for each seat of a game of two."""


# -- games with open cards -------------------------------------------------------------------


def met(game: CompiledGame, games: int, least: int, most: int) -> Iterator[Any]:
    """States of random games after at least so many plays and at most so many."""
    for seed in range(games):
        for number, (state, _, _) in enumerate(walk(game, seed, seed % 2)):
            if least <= number <= most:
                yield state


def assert_values_of(textbook: Any, game: CompiledGame, states: Iterable[Any]) -> None:
    """Of every play, to both seats."""
    search = Search(game)
    met_values = set()
    for state in states:
        results = [search.play_values(state, seat) for seat in (0, 1)]
        for play in game.plays(state):
            value = textbook(game).run(game.after(state, play)).value
            assert [values[play.code] for values in results] == [value, -value]
            met_values.add(value)
    assert met_values == {-1, 0, 1} or not MANY


def test_tic_tac_toe_has_the_values_of_minimax() -> None:
    game = compiled_game("tic-tac-toe")
    assert_values_of(Minimax, game, met(game, few(25, 2), few(4, 5), 8))


def test_tic_tac_toe_from_the_first_plays_is_a_draw() -> None:
    game = compiled_game("tic-tac-toe")
    search = Search(game)
    for first in (0, 1):
        assert set(search.play_values(game.deal(0, first), first).values()) == {0}
    for state in met(game, few(12, 1), 1, few(2, 1)):
        values = search.play_values(state, game.mover(state))
        sign = SIGN[game.mover(state)]
        best = AlphaBeta(game).run(state).value
        assert max(values.values()) == sign * best


def test_connect_four_near_its_end_has_the_values_of_the_textbook() -> None:
    game = compiled_game("connect-four")
    assert_values_of(AlphaBeta, game, met(game, few(250, 12), few(34, 37), 41))


def looked_ahead(game: CompiledGame, state: Any, seat: int, plies: int) -> float:
    """Minimax to a horizon, by plain recursion."""
    if game.is_over(state):
        return game.returns(state)[seat]
    if plies == 0:
        evaluate = getattr(game.kernels, "evaluate", None)
        return 0.0 if evaluate is None else float(evaluate(state, seat, NO_WEIGHTS))
    values = [
        looked_ahead(game, game.after(state, play), seat, plies - 1) for play in game.plays(state)
    ]
    return max(values) if game.mover(state) == seat else min(values)


@pytest.mark.parametrize(("spec", "plies"), [("tic-tac-toe", 4), ("connect-four", 3)])
def test_a_search_may_stop_before_the_end(spec: str, plies: int) -> None:
    game = compiled_game(spec)
    search = Search(game, max_depth=plies)
    for state in met(game, few(6, 1), 4, few(9, 4)):
        for seat in (0, 1):
            values = search.play_values(state, seat)
            for play in game.plays(state):
                expected = looked_ahead(game, game.after(state, play), seat, plies - 1)
                assert values[play.code] == expected


# -- Tablić ----------------------------------------------------------------------------------

BONUSES = ("always", "tie", "none")
RULES = [
    {"cards_bonus": bonus, "forced_capture": forced, "leftovers": leftovers}
    for bonus in BONUSES
    for forced, leftovers in ((False, "last-captor"), (True, "last-captor"), (False, "dealer"))
]


def assert_same(
    game: Tablic, positions: int, held: int, deals: tuple[int, ...], **more: Any
) -> int:
    """Compare with plain recursion, each play for a seat and weights drawn by lot."""
    search = Search(game)
    compared = 0
    for state, source in many_composed(game, positions, held, deals, **more):
        seat = source.randrange(game.players)
        name = source.choice(sorted(WEIGHTS))
        expected = plain.play_values(game, state, seat, WEIGHTS[name])
        assert search.play_values(state, seat, WEIGHTS[name]) == expected, (
            f"{game}, seat {seat + 1}, {name}: {game.position(state)}"
        )
        compared += len(expected)
    return compared


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: str(Tablic(**rules)))
def test_three_cards_each_have_the_values_of_plain_recursion(rules: dict[str, Any]) -> None:
    assert assert_same(Tablic(**rules), few(24, 4), 3, (0, 1, 2, 3)) > few(60, 8)


@pytest.mark.parametrize("bonus", BONUSES)
def test_four_cards_each_have_the_values_of_plain_recursion(bonus: str) -> None:
    assert_same(Tablic(cards_bonus=bonus), few(1, 0), 4, (0,), spread=1)


@pytest.mark.parametrize("bonus", BONUSES)
@pytest.mark.parametrize("players", [3, 4])
def test_all_others_are_taken_to_play_against_a_side(players: int, bonus: str) -> None:
    for forced in (False, True):
        game = Tablic(players=players, cards_bonus=bonus, forced_capture=forced)
        assert_same(game, few(10, 3), 2, (0,) if players == 3 else (0, 1))


def test_with_three_players_a_card_counts_by_the_deals_to_come() -> None:
    assert_same(Tablic(players=3), few(20, 5), 2, (1, 2))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_others_may_be_taken_to_be_greedy(players: int) -> None:
    game = Tablic(players=players)
    search = Search(game)
    differs = 0
    for state, source in many_composed(game, few(30, 5), 3, (0,)):
        seat = int(state[0].turn)
        weights = WEIGHTS[source.choice(sorted(WEIGHTS))]
        values = search.play_values(state, seat, weights, replying=seat)
        assert values == plain.play_values(game, state, seat, weights, "greedy")
        differs += values != search.play_values(state, seat, weights)
    assert differs


# -- the table and the limits ----------------------------------------------------------------


def whole_deals(game: CompiledGame, n: int) -> Iterator[Any]:
    """States of random games in which each seat holds all cards of a deal."""
    for seed in range(n):
        states = [state for state, _, _ in walk(game, seed)]
        yield next(s for s in states[6 * (seed % 4) :: 2] if s[0].held[0] == s[0].held[1] == 6)


def some(spec: str) -> list[Any]:
    game = compiled_game(spec)
    if spec == "tablic":
        return list(whole_deals(game, few(6, 0)))
    return list(met(game, 6, few(2, 5), few(4, 6)))


@pytest.mark.parametrize("entries", [4, 8, 16])
@pytest.mark.parametrize("spec", ["tic-tac-toe", "tablic"])
def test_a_small_table_costs_time_and_changes_no_value(spec: str, entries: int) -> None:
    game = compiled_game(spec)
    large, small = Search(game), Search(game, entries)
    for state in some(spec):
        expected = large.play_values(state, game.mover(state), RESULT)
        assert small.play_values(state, game.mover(state), RESULT) == expected
    assert small.nodes >= large.nodes
    assert small.nodes > large.nodes or not MANY


@pytest.mark.parametrize("spec", ["tic-tac-toe", "tablic"])
def test_within_limits_a_search_gives_the_value_or_a_bound_on_it(spec: str) -> None:
    """Also when its table has what searches with other limits have shown."""
    game = compiled_game(spec)
    exact, search = Search(game), Search(game)
    source = Random(5)
    unit = 1000 if spec == "tablic" else 1
    seen = set()
    for state in some(spec):
        seat = source.randrange(2)
        values = exact.play_values(state, seat, RESULT).values()
        value = max(values) if game.mover(state) == seat else min(values)
        search.new_world(state)
        for _ in range(12):
            low = value + unit * source.choice([-3, -2, -1, -0.001, 0, 1, 2])
            high = low + unit * source.choice([0.001, 1, 2, 4])
            result = search.within(seat, low, high, RESULT)
            if low < value < high:
                assert result == value
            elif value <= low:
                assert value <= result <= low
            else:
                assert value >= result >= high
            seen.add((value > low, value < high))
            if source.random() < 0.5:
                search.new_world(state)
    assert len(seen) == 3 or not MANY
