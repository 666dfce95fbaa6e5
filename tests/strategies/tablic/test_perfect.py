"""The strategy `perfect`: it gets the value from its equal, and never less from anybody."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.core.errors import UnsuitableGame
from kibitz.core.registry import make_strategy
from kibitz.core.strategy import Knows
from kibitz.games.tablic.game import Tablic
from kibitz.jit.rng import stream
from kibitz.solvers.tablic.open_deck import OpenDeck
from kibitz.table.table import Table
from tests.games.boards import few
from tests.oracle import tablic_open as plain
from tests.search.fast.arrays import compiled_only

pytestmark = compiled_only
every_bonus = pytest.mark.parametrize("bonus", ["none", "tie", "always"])
OTHERS = ("random", "greedy", "human", "genetic", "backtrack")


def late(game: Tablic, seed: int, plies: int) -> Table:
    """A table so many plies before the end, reached by greedy players."""
    table = Table(game, seed)
    greedy = make_strategy("greedy")
    players = [greedy.sit(game, seat, stream(seed, seat)) for seat in (0, 1)]
    while 52 - table.state[0].dealt + table.state[0].held.sum() > plies:
        table.play(players[table.mover].choose(table.view(table.mover, Knows.FAIR)))
    return table


def play_out(table: Table, seat: int, other: str) -> tuple[int, int]:
    """What perfect in this seat gets."""
    specs = ["perfect" if each == seat else other for each in (0, 1)]
    table.play_out([make_strategy(spec) for spec in specs])
    game: Any = table.game
    return plain.end_value(game, table.state, seat)


@every_bonus
def test_against_its_equal_it_gets_the_value(bonus: str) -> None:
    game = Tablic(cards_bonus=bonus)
    for seed in range(few(4, 1)):
        table = late(game, seed, 13 + seed)
        value = OpenDeck(game, table.state).value()
        assert play_out(table, table.mover, "perfect") == value


@every_bonus
@pytest.mark.parametrize("other", OTHERS)
def test_against_nobody_it_gets_less(bonus: str, other: str) -> None:
    game = Tablic(cards_bonus=bonus)
    better = 0
    for seed in range(6):
        table = late(game, seed, 15)
        seat = table.mover
        value = OpenDeck(game, table.state).value()
        result = play_out(table, seat, other)
        assert result >= value
        better += result > value
    assert better > 0


def test_its_reasons_are_the_exact_values() -> None:
    game = Tablic()
    table = late(game, 5, 10)
    player = make_strategy("perfect").sit(game, table.mover, stream(0, 0))
    explanation = player.explain(table.view(table.mover, Knows.OPEN_DECK))
    exact = OpenDeck(game, table.state).values()
    assert {reason.play: reason.score for reason in explanation.reasons} == {
        play: float(value.points) for play, value in exact.items()
    }
    assert exact[explanation.best] == max(exact.values())


def test_one_player_may_be_asked_about_two_games() -> None:
    game = Tablic(cards_bonus="none")
    player = make_strategy("perfect").sit(game, 0, stream(0, 0))
    for seed, plies in ((1, 12), (2, 10), (1, 9), (3, 11)):
        table = late(game, seed, plies)
        play = player.choose(table.view(table.mover, Knows.OPEN_DECK))
        exact = OpenDeck(game, table.state).values()
        assert exact[play] == max(exact.values())


def test_what_it_refuses() -> None:
    with pytest.raises(UnsuitableGame, match="2 players, not 3"):
        make_strategy("perfect").check_game(Tablic(players=3))
