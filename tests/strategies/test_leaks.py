"""Searches that remember the game know nothing that is hidden: they decide the same in every game
that has looked the same to them, from its first turn on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from kibitz.core.errors import IllegalPlay
from kibitz.core.game import View
from kibitz.core.registry import make_strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.love_letter.cards import KING, PRINCE
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.tablic.cards import cards_of
from kibitz.games.tablic.game import Tablic
from kibitz.jit.rng import below, stream
from kibitz.table.table import Table
from tests.games.boards import compiled_game, few
from tests.oracle.love_letter_beliefs import counted
from tests.search.fast.arrays import MANY, compiled_only

pytestmark = compiled_only

SEARCHES = [
    "pimc:worlds=6",
    "pimc:worlds=12,early=false,reply=best,noise=0.6,depth=4",
    "flat-mc:worlds=10",
    "ismcts:simulations=40",
    "ismcts:simulations=40,observers=one,bias=1",
]
SPECS = [
    "love-letter",
    "love-letter:players=3",
    "love-letter:players=4",
    "tablic",
    "tablic:players=3",
]
TRIES = 8


def tables(game: CompiledGame, games: int) -> Iterator[Table]:
    """Tables of games in which greedy and random players take turns, before each decision."""
    for seed in range(games):
        table = Table(game, seed, seed % game.players)
        rng = stream(seed, 61)
        who = [make_strategy(name) for name in ("greedy", "random")]
        while not table.is_over:
            yield table
            one = who[below(rng, 2)].sit(game, table.mover, rng)
            table.play(one.choose(table.view(table.mover)))


# -- other games that look the same ----------------------------------------------------------


def deck_of_tablic(table: Table, start: Any, world: Any) -> list[int]:
    """A deck with which the others would hold now what they hold in a world."""
    deck: list[int] = start[0].deck.tolist()
    now, dealt = table.state[0], int(table.state[0].dealt)
    for seat in range(table.game.players):
        old, new = (cards_of(int(x.hand[seat])) for x in (now, world[0]))
        places = [start[0].deck.tolist().index(card) for card in old]
        for place, card in zip(places, new, strict=True):
            deck[place] = card
    deck[dealt:] = world[0].deck.tolist()[dealt:]
    return deck


def deck_of_love_letter(table: Table, start: Any, world: Any) -> list[int]:
    """The same. A round is played again, to find where each hand came from."""
    game, x = table.game, start[0]
    n, first = game.players, int(x.first)
    top = [int(x.deck) >> 4 * i & 15 for i in range(int(x.left))]
    hands = [int(x.hand[(first + i) % n]) for i in range(n)]
    deck = [int(x.aside), *counted(int(x.face_up)), *hands, int(x.drawn), *top]
    dealt = len(deck) - len(top) - 1
    came_from = {(first + i) % n: dealt - n + i for i in range(n)}
    state = start
    for text in table.plays:
        play = game.parse_play(state, text)
        me, drawn = int(state[0].turn), len(deck) - int(state[0].left) - 1
        card, target = play.code & 15, (play.code >> 4 & 15) - 1
        if card == state[0].hand[me]:
            came_from[me] = drawn
        if card == PRINCE:
            came_from[target] = drawn + 1
        if card == KING and target >= 0:
            came_from[me], came_from[target] = came_from[target], came_from[me]
        state = game.after(state, play)
    for seat in range(n):
        if world[0].hand[seat]:
            deck[came_from[seat]] = int(world[0].hand[seat])
    deck[0] = int(world[0].aside)
    left = int(world[0].left)
    deck[len(deck) - left :] = [int(world[0].deck) >> 4 * i & 15 for i in range(left)]
    return deck


def elsewhere(table: Table, rng: Any) -> tuple[Table, Any] | None:
    """Another game that has looked the same to the mover all along, and its start; None if
    there is none among some tries."""
    game, seat = table.game, table.mover
    assert isinstance(game, LoveLetter | Tablic)
    start = game.deal(table.seed, table.first)
    find = deck_of_tablic if isinstance(game, Tablic) else deck_of_love_letter
    for _ in range(TRIES):
        world = game.redeal(game.view(table.state, seat), rng)
        other = Table(game, table.seed, table.first)
        other.state = beginning = game.deal_deck(find(table, start, world), table.first)
        try:
            for text in table.plays:
                other.play(game.parse_play(other.state, text))
        except IllegalPlay:
            continue
        if seen(other, seat) == seen(table, seat) and not same_cards(table, other):
            return other, beginning
    return None


def seen(table: Table, seat: int) -> list[Any]:
    """All that a seat has seen, byte by byte."""
    view = table.view(seat)
    return [view.state.tobytes(), [(state.tobytes(), play) for state, play in view.past]]


def same_cards(one: Table, other: Table) -> bool:
    return bool((one.state[0].hand == other.state[0].hand).all())


# -- what they know --------------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_what_a_seat_remembers_is_what_it_saw(spec: str) -> None:
    """To look at it once more with its own eyes takes nothing away."""
    game = compiled_game(spec)
    hidden = 0
    for number, table in enumerate(tables(game, few(6, 1))):
        if number % 10 != 9:
            continue
        for seat in range(game.players):
            view = table.view(seat)
            assert len(view.past) == len(table.plays)
            for state, _ in view.past:
                assert game.view(state, seat).state.tobytes() == state.tobytes()
            hidden += view.state.tobytes() != table.state.tobytes()
    assert hidden or not MANY


def laid_open(table: Table, state: Any) -> View[Any]:
    """What the mover sees, but with a past in which all cards lie open."""
    past = []
    for text in table.plays:
        play = table.game.parse_play(state, text)
        past.append((state, play))
        state = table.game.after(state, play)
    return replace(table.view(table.mover), past=tuple(past))


@cache
def alike(spec: str, with_open_past: bool = False) -> list[tuple[View[Any], View[Any]]]:
    """What the mover sees in two games that have looked the same to it."""
    pairs = []
    rng = stream(8)
    for number, table in enumerate(tables(compiled_game(spec), few(40, 2))):
        if "tablic" in spec and number % 7:
            continue
        pair = elsewhere(table, rng)
        if pair is not None:
            games = (table, table.game.deal(table.seed, table.first)), pair
            here, there = (
                laid_open(one, start) if with_open_past else one.view(one.mover)
                for one, start in games
            )
            pairs.append((here, there))
        if len(pairs) == few(10, 2):
            break
    return pairs


def decision(view: View[Any], strategy: str) -> Any:
    """The play, all its reasons, and where the player's stream is then."""
    rngs = stream(len(view.past)), stream(len(view.past))
    choosing, explaining = (make_strategy(strategy).sit(view.game, view.seat, rng) for rng in rngs)
    return choosing.choose(view), explaining.explain(view), [int(rng[0]) for rng in rngs]


@pytest.fixture(autouse=True)
def few_worlds_are_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.strategies.common.beliefs.SAMPLED_WORLDS", 10)
    monkeypatch.setattr("kibitz.strategies.common.worlds_player.TIMES", 2)
    monkeypatch.setattr("kibitz.strategies.common.tree_player.TIMES", 2)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("strategy", SEARCHES)
def test_in_every_game_that_looked_the_same_a_search_decides_the_same(
    spec: str, strategy: str
) -> None:
    for view, other in alike(spec):
        assert decision(other, strategy) == decision(view, strategy)
    assert len(alike(spec)) >= few(10, 1)


def test_the_check_would_notice_a_past_with_open_cards() -> None:
    pairs = alike("love-letter", with_open_past=True)
    strategy = "flat-mc:worlds=10"
    differs = sum(decision(other, strategy) != decision(view, strategy) for view, other in pairs)
    assert differs or not MANY


@pytest.mark.parametrize("spec", ["love-letter", "tablic"])
def test_what_was_seen_of_a_game_does_make_a_difference(spec: str) -> None:
    """The same position with and without a past: so the past is looked at."""
    differs = 0
    for view, _ in alike(spec):
        forgetful = replace(view, past=())
        strategy = "flat-mc:worlds=10"
        differs += decision(view, strategy) != decision(forgetful, strategy)
    assert differs or not MANY
