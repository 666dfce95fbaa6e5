"""The compiled PIMC solves the worlds that the textbook solves, and eliminates what is hopeless."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kibitz.core.game import View
from kibitz.core.registry import make_strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.kernels import bind
from kibitz.jit.rng import fork, stream
from kibitz.search.fast import pimc as fast
from kibitz.search.fast.open_cards import open_cards
from kibitz.search.textbook.pimc import InOneWorld, pimc
from kibitz.strategies.common.base import turns_before
from kibitz.strategies.pimc import Pimc
from tests.games.boards import compiled_game, few
from tests.search.fast.arrays import MANY, tables

SMALL = ["kuhn-poker", "leduc-poker", "hidden-paper-rock-scissors"]
PLAIN = "belief=none,reply=best,early=false,depth=60"


def views(spec: str, games: int, left: int = 99) -> Iterator[View[Any]]:
    """What the movers see; in Love Letter with at most so many cards in the deck."""
    for table in tables(spec, games):
        if spec != "love-letter" or table.state[0].left <= left:
            yield table.view(table.mover)


def strategy(worlds: int, options: str = PLAIN) -> Pimc:
    made = make_strategy(f"pimc:worlds={worlds},{options}")
    assert isinstance(made, Pimc)
    return made


def solved(view: View[Any], worlds: int, seed: int, options: str = PLAIN) -> Any:
    """The values of each play in each world, as the compiled search finds them."""
    game = view.game
    assert isinstance(game, CompiledGame)
    one = strategy(worlds, options)
    choices = np.array([play.code for play in view.plays()])
    values = np.full((worlds, len(choices)), np.nan)
    past, codes = turns_before(game, view)
    search = bind(fast.value_in_worlds, **one.slots(game))
    numbers = np.array(one.numbers(game))
    worlds_from = one.slots(game)["worlds"]
    belief = np.zeros(worlds_from.SIZE)
    worlds_from.prepare(view.state, view.seat, past, codes, numbers, belief)
    search(view.state, view.seat, past, codes, numbers, stream(seed), choices, values, belief)
    return values


def worlds_of(view: View[Any], n: int, seed: int) -> list[Any]:
    """The worlds that a search with this seed looks into: it deals from a stream of its own."""
    dealing = np.zeros(1, np.uint64)
    fork(stream(seed), 1, dealing)
    return [view.game.redeal(view, dealing) for _ in range(n)]


def in_one_world(view: View[Any], world: Any) -> list[float]:
    """What the textbook says of each play with all cards open."""
    game, sign = view.game, (1, -1)[view.seat]
    return [sign * InOneWorld(game).run(game.after(world, play)).value for play in view.plays()]


@pytest.mark.parametrize(
    ("spec", "games", "worlds", "left"),
    [(spec, 25, 12, 0) for spec in SMALL] + [("love-letter", 120, 5, 3)],
)
def test_every_value_in_every_world_is_that_of_the_textbook(
    spec: str, games: int, worlds: int, left: int
) -> None:
    met = set()
    for seed, view in enumerate(views(spec, few(games, 2), left)):
        expected = [in_one_world(view, world) for world in worlds_of(view, worlds, seed)]
        assert solved(view, worlds, seed).tolist() == expected
        met |= {value for row in expected for value in row}
    assert len(met) > 1


@pytest.mark.parametrize("spec", SMALL)
def test_it_decides_like_the_textbook(spec: str) -> None:
    """Both deal other worlds of their own; where it is clear, they agree."""
    clear = 0
    for seed, view in enumerate(views(spec, few(12, 1))):
        result = pimc(view, worlds=few(300, 40), seed=seed)
        first, second, *_ = sorted((k.value for k in result.values.values()), reverse=True)
        if first - second < (0.5 if MANY else 1.5):
            continue
        clear += 1
        player = strategy(300).sit(view.game, view.seat, stream(seed))
        assert player.choose(view) == result.best
    assert clear or spec == "hidden-paper-rock-scissors" or not MANY


def test_the_play_is_the_best_on_average_and_of_equal_ones_the_first() -> None:
    for seed, view in enumerate(views("love-letter", few(40, 2), few(5, 2))):
        means = solved(view, 20, seed).mean(axis=0)
        best = view.plays()[int(means.argmax())]
        player = strategy(20).sit(view.game, view.seat, stream(seed))
        assert player.choose(view) == best


@pytest.mark.parametrize(
    ("values", "best"),
    [
        ([[1, 0], [0, 1]], 0),
        ([[0, 1], [0, 1]], 1),
        ([[0, 1], [1, np.nan], [1, np.nan]], 0),  # the second was eliminated
        ([[0, 1], [np.nan, np.nan]], 1),  # nobody looked into the second world
    ],
)
def test_no_eliminated_play_is_chosen(values: list[Any], best: int) -> None:
    assert fast.best_on_average(np.array([7, 9]), np.array(values, dtype=float)) == best
    assert fast.best_by_mean(np.array(values, dtype=float)) == best


@pytest.mark.parametrize("spec", ["leduc-poker", "love-letter"])
def test_early_elimination_hardly_ever_costs_the_best_play(spec: str) -> None:
    """In the same worlds. What it values it values the same, and it looks at less."""
    early = PLAIN.replace("early=false", "early=true")
    decisions = lost = looked_at = all_of_them = 0
    for seed, view in enumerate(views(spec, few(60, 2), few(6, 2))):
        every, some = (solved(view, 60, seed, options) for options in (PLAIN, early))
        valued = ~np.isnan(some)
        assert (every[valued] == some[valued]).all()
        codes = np.array([play.code for play in view.plays()])
        chosen = fast.best_on_average(codes, some)
        assert fast.best_by_mean(some) == chosen
        decisions += 1
        lost += every[:, chosen].mean() < every.mean(axis=0).max()
        looked_at += valued.sum()
        all_of_them += valued.size
    assert lost <= decisions / 50
    assert looked_at < 0.9 * all_of_them or not MANY


def test_the_last_play_left_needs_no_more_worlds() -> None:
    game = compiled_game("kuhn-poker")
    view = game.view(game.parse_position("hand1=K; hand2=Q; bets=pass bet"), 0)
    values = solved(view, 60, 1, PLAIN.replace("early=false", "early=true"))
    assert values[: fast.CHECK_EVERY].tolist() == [[-1, 2]] * fast.CHECK_EVERY
    assert np.isnan(values[fast.CHECK_EVERY :]).all()


def test_depth_says_how_many_plies_are_searched() -> None:
    """With one, nothing is seen but what the play itself brings about."""
    shallow = PLAIN.replace("depth=60", "depth=1")
    game = compiled_game("kuhn-poker")
    view = game.view(game.parse_position("hand1=K; hand2=Q; bets="), 0)
    assert (solved(view, 5, 1, shallow) == 0).all()
    view = game.view(game.parse_position("hand1=K; hand2=Q; bets=pass bet"), 0)
    assert solved(view, 5, 1, shallow).tolist() == [[-1, 2]] * 5


def test_love_letter_is_evaluated_where_a_search_stops_before_the_end() -> None:
    """The highest card in the round wins: as if it ended there."""
    game = compiled_game("love-letter:players=3")
    state = game.parse_position("hand1=baron guard; hand2=king; hand3=guard")
    twin = open_cards(game)
    stack = np.zeros(2, twin.STATE)
    twin.set_up(state, stack[0:1])
    values = [twin.evaluate(stack, 0, seat, np.zeros(1)) for seat in range(3)]
    assert values == [-0.5, 1.0, -0.5]
