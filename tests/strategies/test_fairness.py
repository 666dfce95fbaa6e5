"""Our strategies decide by what they may know, by the check of `kibitz.testing`; and that check
notices one that does not."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from copy import copy
from types import ModuleType
from typing import Any, ClassVar

import numpy as np
import pytest

from kibitz.core.explanation import Explanation, Reason
from kibitz.core.game import View
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.games.tablic.game import Tablic
from kibitz.jit.rng import below, next_word, shuffle, stream
from kibitz.table.table import Table
from kibitz.testing.fairness import find_leaks
from tests.games.boards import SPECS, compiled_game, few
from tests.strategies.tables import SEATED, enough, met_in_play, quick

HIDDEN = [spec for spec in SPECS if compiled_game(spec).traits.hidden]


def seated(knows: Knows) -> list[tuple[str, str]]:
    """The games with hidden cards, and the strategies that know so much of them."""
    return [(spec, name) for spec, name in SEATED if spec in HIDDEN and quick(name).knows is knows]


# -- the check --------------------------------------------------------------------------------


def with_the_deck_shuffled(table: Table, rng: Any) -> Any:
    """For those who see all hands of Tablić, only the deck is hidden."""
    world = table.state.copy()
    dealt = int(world[0].dealt)
    shuffle(rng, world[0].deck[dealt:], 52 - dealt)
    return world


@pytest.mark.parametrize(("spec", "name"), seated(Knows.FAIR))
def test_a_fair_strategy_does_the_same_whatever_is_hidden(spec: str, name: str) -> None:
    leaks = find_leaks(met_in_play(compiled_game(spec), enough(name, 80, 20)), quick(name))
    assert leaks.tried and leaks.changed == {}


@pytest.mark.parametrize(("spec", "name"), seated(Knows.OPEN_HANDS))
def test_an_open_hands_strategy_does_the_same_whatever_the_deck(spec: str, name: str) -> None:
    game = compiled_game(spec)
    assert isinstance(game, Tablic)
    tables = met_in_play(game, enough(name, 150, 20))
    leaks = find_leaks(tables, quick(name), with_the_deck_shuffled)
    assert leaks.tried and leaks.changed == {}


# -- what the check notices -------------------------------------------------------------------

SEEN_ELSEWHERE: list[Any] = []
"""The state of the table that was last asked for a view: what no player may have."""


class Cheat(Strategy):
    """Says that it is fair, and looks at the state for its play, its reasons or its lots."""

    name = "cheat"
    title = "peeks"
    knows: ClassVar[Knows] = Knows.FAIR

    def __init__(self, where: str) -> None:
        super().__init__()
        self.where = where

    def sit(self, game: Any, seat: int, rng: Any) -> Player:
        return CheatingPlayer(self.where, rng)


class CheatingPlayer(Player):
    def __init__(self, where: str, rng: Any) -> None:
        self.where = where
        self.rng = rng

    def choose(self, view: View[Any]) -> Any:
        plays = view.plays()
        secret = zlib.crc32(SEEN_ELSEWHERE[0].tobytes())
        drawn = below(self.rng, len(plays))
        if self.where == "numbers" and secret % 2:
            next_word(self.rng)
        return plays[secret % len(plays)] if self.where == "play" else plays[drawn]

    def explain(self, view: View[Any]) -> Explanation:
        best = self.choose(view)
        score = zlib.crc32(SEEN_ELSEWHERE[0].tobytes()) if self.where == "reasons" else 0
        return Explanation(best, "score", (Reason(best, score),))


@pytest.mark.parametrize("where", ["play", "reasons", "numbers"])
@pytest.mark.parametrize("spec", HIDDEN)
def test_a_cheat_that_says_it_is_fair_is_caught(
    spec: str, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = Table.view

    def careless(table: Table, seat: int, knows: Knows = Knows.FAIR) -> View[Any]:
        SEEN_ELSEWHERE[:] = [table.state]
        return honest(table, seat, knows)

    monkeypatch.setattr(Table, "view", careless)
    leaks = find_leaks(met_in_play(compiled_game(spec), few(60, 20)), Cheat(where))
    assert where in leaks.changed
    if where != "play":  # an explanation names the play, so that cheat is caught twice
        assert leaks.changed.keys() == {where}


@pytest.mark.parametrize(("spec", "name"), seated(Knows.OPEN_HANDS))
def test_the_check_goes_by_the_cards_and_not_by_what_is_declared(spec: str, name: str) -> None:
    """Whoever sees the other hands plays differently when they are redealt."""
    leaks = find_leaks(met_in_play(compiled_game(spec), few(60, 20)), quick(name))
    assert "play" in leaks.changed


# -- what else a player could look at ---------------------------------------------------------


def reachable(root: Any) -> list[Any]:
    """All values that can be come by from one through attributes and containers."""
    met: dict[int, Any] = {}
    rest = [root]
    while rest:
        one = rest.pop()
        if id(one) in met or isinstance(one, (type, ModuleType)) or callable(one):
            continue
        met[id(one)] = one
        if isinstance(one, Mapping):
            rest += [*one.keys(), *one.values()]
        elif isinstance(one, (tuple, list, set)):
            rest += one
        rest += getattr(one, "__dict__", {}).values()
    return list(met.values())


class Searcher(Strategy):
    """Says that it is fair, and goes through all that it is handed."""

    name = "searcher"
    title = "looks under the table"
    knows: ClassVar[Knows] = Knows.FAIR

    def __init__(self) -> None:
        super().__init__()
        self.met: list[set[bytes]] = []

    def sit(self, game: Any, seat: int, rng: Any) -> Player:
        strategy = self

        class Searching(Player):
            def choose(self, view: View[Any]) -> Any:
                things = reachable([game, rng, view])
                words = {x for x in things if isinstance(x, bytes)}
                arrays = {x.tobytes() for x in things if isinstance(x, np.ndarray)}
                strategy.met.append(words | arrays)
                return view.plays()[0]

        return Searching()


@pytest.mark.parametrize("spec", HIDDEN)
def test_nothing_that_is_handed_to_a_player_holds_the_state(spec: str) -> None:
    """Neither its view nor the game, which remembers states that it has checked. The other
    players see the whole deck, and what they ask the game must not be left lying there."""
    game = compiled_game(spec)
    searcher, other = Searcher(), OpenDeck()
    secrets: set[bytes] = set()
    for seed in range(few(6, 3)):
        table = Table(game, seed, seed % game.players)
        table.play_out([searcher, *[other] * (game.players - 1)])
        states = [game.deal(table.seed, table.first)]
        for play in table.plays:
            states.append(game.apply(states[-1], play))
        secrets |= {
            state.tobytes()
            for state in states
            if game.view(state, 0).state.tobytes() != state.tobytes()
        }
    assert secrets and searcher.met and not set().union(*searcher.met) & secrets


class OpenDeck(Strategy):
    """Asks the game about the state itself."""

    name = "open-deck-asker"
    title = "sees everything"
    knows: ClassVar[Knows] = Knows.OPEN_DECK

    def sit(self, game: Any, seat: int, rng: Any) -> Player:
        class Asking(Player):
            def choose(self, view: View[Any]) -> Any:
                game.turn(view.state)
                return game.plays(view.state)[-1]

        return Asking()


# -- open hands -------------------------------------------------------------------------------


def test_open_hands_do_not_show_the_order_of_the_deck() -> None:
    """Tablić: the hands are open, and what is still to be dealt stays hidden."""
    rng = stream(5)
    shuffled = 0
    for table in met_in_play(compiled_game("tablic"), few(300, 40)):
        world = with_the_deck_shuffled(table, rng)
        shuffled += world.tobytes() != table.state.tobytes()
        for seat in range(2):
            view = table.view(seat, Knows.OPEN_HANDS)
            assert (view.state[0].hand == table.state[0].hand).all()
            assert (view.state[0].deck == -1).all()
            elsewhere = copy(table)
            elsewhere.state = world
            other = elsewhere.view(seat, Knows.OPEN_HANDS)
            assert other.state.tobytes() == view.state.tobytes()
    assert shuffled
