"""Cheats and broken strategies, each caught with the right sentence; and whole ones pass."""

from __future__ import annotations

import gc
import random
import sys
import zlib
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from kibitz.core.errors import UnsuitableGame
from kibitz.core.explanation import Belief, Explanation, Reason
from kibitz.core.game import Game, View
from kibitz.core.options import Option
from kibitz.core.registry import make_game, strategy_of
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.jit.rng import below, next_word
from kibitz.table.table import Table
from kibitz.testing import BrokenRule, check_strategy
from kibitz.testing.fairness import find_leaks_in_deals
from tests.testing.test_game_kit import HighOrLow


class Drawer(Strategy):
    """Draws lots by its stream, and remembers how often."""

    name: ClassVar[str] = "drawer"

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        return self.player(rng)

    def player(self, rng: Any) -> Player:
        return DrawingPlayer(rng)


class DrawingPlayer(Player):
    def __init__(self, rng: Any) -> None:
        self.rng = rng
        self.turns = 0

    def choose(self, view: View[Any]) -> Any:
        self.turns += 1
        plays = view.plays()
        return str(plays[(below(self.rng, len(plays)) + self.turns) % len(plays)])

    def explain(self, view: View[Any]) -> Explanation:
        best = self.choose(view)
        return Explanation(best, "lots", (Reason(best, 1.0),))


@pytest.mark.parametrize(
    ("strategy", "game"),
    [
        (Drawer(), HighOrLow()),
        (lambda view: view.plays()[0], HighOrLow()),
        ("random", "kuhn-poker"),
        ("alpha-beta", "twenty-one"),
    ],
)
def test_whole_strategies_pass(strategy: Any, game: Any) -> None:
    check_strategy(strategy, game, decisions=20)


# -- cheats ---------------------------------------------------------------------------------------


def state_of_the_table() -> Any:
    """What no player may see: the table is in a frame above."""
    frame: Any = sys._getframe()
    while frame is not None:
        for value in frame.f_locals.values():
            if isinstance(value, Table):
                return value.state
        frame = frame.f_back
    raise LookupError("no table")


class Peeker(DrawingPlayer):
    """Says what is true."""

    def choose(self, view: View[Any]) -> Any:
        mine, yours = state_of_the_table()[:2]
        return "high" if mine > yours else "low"


class PeekingReasons(DrawingPlayer):
    def explain(self, view: View[Any]) -> Explanation:
        best = self.choose(view)
        return Explanation(best, "score", (Reason(best, state_of_the_table()[0]),))


class PeekingLots(DrawingPlayer):
    def choose(self, view: View[Any]) -> Any:
        if state_of_the_table()[1] % 2:
            next_word(self.rng)
            self.turns -= 1
        return "high"


class OwnLots(DrawingPlayer):
    def choose(self, view: View[Any]) -> Any:
        return random.choice(view.plays())


class NeverTheSame(DrawingPlayer):
    """Remembers from game to game."""

    made: ClassVar[list[int]] = [0]

    def choose(self, view: View[Any]) -> Any:
        self.made[0] += 1
        return view.plays()[self.made[0] % 3 % 2]


class Illegal(DrawingPlayer):
    def choose(self, view: View[Any]) -> Any:
        return "higher"


class Failing(DrawingPlayer):
    def choose(self, view: View[Any]) -> Any:
        raise ValueError("no idea")


class WrongReasons(DrawingPlayer):
    def explain(self, view: View[Any]) -> Explanation:
        return Explanation("high", "score", (Reason("high", 1.0), Reason("higher", 0.0)))


class BestIsNotFirst(DrawingPlayer):
    def explain(self, view: View[Any]) -> Explanation:
        return Explanation("high", "score", (Reason("low", 1.0), Reason("high", 0.0)))


class ExplainsAnother(DrawingPlayer):
    """Plays the one and speaks of the other, without lots."""

    def choose(self, view: View[Any]) -> Any:
        return "high"

    def explain(self, view: View[Any]) -> Explanation:
        return Explanation("low", "score", (Reason("low", 1.0), Reason("high", 0.0)))


class ExplainsAnotherByLot(ExplainsAnother):
    """The same; but it draws numbers, as who goes by a sample does."""

    def choose(self, view: View[Any]) -> Any:
        next_word(self.rng)
        return "high"


class NoNumber(DrawingPlayer):
    def explain(self, view: View[Any]) -> Explanation:
        best = self.choose(view)
        return Explanation(best, "score", (Reason(best, float("nan")),))


class OverSure(DrawingPlayer):
    def explain(self, view: View[Any]) -> Explanation:
        best = self.choose(view)
        belief = Belief("seat 2's hand", {"6": 1.5})
        return Explanation(best, "score", (Reason(best, 1.0),), (belief,))


class OnlySays(DrawingPlayer):
    def explain(self, view: View[Any]) -> Any:
        return "because"


CHEATS: dict[type[DrawingPlayer], str] = {
    Peeker: "a fair strategy must decide alike whatever cards are hidden from it; play: ",
    PeekingReasons: "a fair strategy must explain alike whatever cards are hidden from it",
    PeekingLots: "a fair strategy must draw as many random numbers whatever cards are hidden",
    OwnLots: "the same view and the same random stream must give the same decision; play: ",
    NeverTheSame: "the same view and the same random stream must give the same decision; play: ",
    Illegal: "a strategy must give one of the legal plays, or its text, and not fail; drawer played"
    " 'higher': 'higher' is not possible here in ",
    Failing: "a strategy must give one of the legal plays, or its text, and not fail; drawer failed"
    ": ValueError: no idea in ",
    WrongReasons: "an explanation must be of legal plays; 'higher'",
    BestIsNotFirst: "an explanation must name its best play first; best is high, reasons: low",
    ExplainsAnother: "an explanation must be of the play that is made; explained: low, played: ",
    ExplainsAnotherByLot: "an explanation must be of the play that is made, now and then at least",
    NoNumber: "the score of a play must be a number; ",
    OverSure: "a belief must be a probability; seat 2's hand: 6 has 1.5",
    OnlySays: "explain must give an Explanation; it gives 'because'",
}


@pytest.mark.parametrize("player", CHEATS)
def test_a_broken_strategy_is_caught_by_its_rule(
    player: type[DrawingPlayer], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Drawer, "player", lambda self, rng: player(rng))
    with pytest.raises(BrokenRule) as caught:
        check_strategy(Drawer(), HighOrLow(), decisions=60)
    line = str(caught.value)
    assert CHEATS[player] in line
    assert "\n" not in line and len(line) < 700


def test_a_cheat_that_is_a_function_is_caught() -> None:
    def peeks(view: View[Any]) -> Any:
        return view.plays()[state_of_the_table()[1 - view.seat] % 2]

    with pytest.raises(BrokenRule, match="peeks: a fair strategy must decide alike"):
        check_strategy(peeks, HighOrLow())


DEALT: list[Any] = []
"""What a game has dealt, or what a play has made of it, last."""
TABLES: list[Table] = []


def hook(patch: pytest.MonkeyPatch, *methods: str) -> None:
    """Keep what methods of the game give."""
    cls = type(make_game("kuhn-poker"))
    for method in methods:
        patch.setattr(cls, method, keeping(getattr(cls, method)))


def keeping(original: Any) -> Any:
    def call(self: Any, *args: Any, **options: Any) -> Any:
        DEALT[:] = [original(self, *args, **options)]
        return DEALT[0]

    return call


def hook_tables(patch: pytest.MonkeyPatch) -> None:
    original = Table.__init__

    def listed(self: Table, *args: Any, **options: Any) -> None:
        original(self, *args, **options)
        TABLES.append(self)

    patch.setattr(Table, "__init__", listed)


def state_of_a_table_in_memory() -> Any:
    return next(each for each in gc.get_objects() if type(each) is Table).state


PLACES: dict[str, tuple[Callable[[pytest.MonkeyPatch], None], Callable[[], Any]]] = {
    "a list of all tables": (hook_tables, lambda: TABLES[-1].state),
    "the memory of the process": (lambda patch: None, state_of_a_table_in_memory),
    "what was dealt last": (lambda patch: hook(patch, "deal"), lambda: DEALT[0]),
    "what was made last": (lambda patch: hook(patch, "deal", "after"), lambda: DEALT[0]),
}


@pytest.mark.parametrize(("hooked", "state"), PLACES.values(), ids=PLACES)
def test_a_cheat_is_caught_wherever_it_finds_the_state(
    hooked: Callable[[pytest.MonkeyPatch], None],
    state: Callable[[], Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gc.collect()
    hooked(monkeypatch)
    game = make_game("kuhn-poker")
    DEALT[:] = [game.deal(0)]

    def peeks(view: View[Any]) -> Any:
        return view.plays()[sum(map(ord, game.position(state()))) % 2]

    with pytest.raises(BrokenRule, match="peeks: a fair strategy must decide alike whatever cards"):
        check_strategy(peeks, game, decisions=10)
    monkeypatch.undo()
    TABLES.clear()


def test_deals_that_look_the_same_are_found() -> None:
    """In small games many, in large ones none; an honest strategy decides alike in all of them."""
    first = strategy_of(lambda view: view.plays()[0])
    found = {
        name: find_leaks_in_deals(make_game(name), first, 10)
        for name in ("kuhn-poker", "love-letter", "tablic")
    }
    assert {name: leaks.tried for name, leaks in found.items()} == {
        "kuhn-poker": 10, "love-letter": 10, "tablic": 0,
    }  # fmt: skip
    assert not any(leaks.changed for leaks in found.values())


class PeeksLate(DrawingPlayer):
    """Decides its first time by what it may see."""

    def choose(self, view: View[Any]) -> Any:
        self.turns += 1
        plays = view.plays()
        if self.turns < 2:
            return plays[0]
        return plays[zlib.crc32(state_of_the_table().tobytes()) % len(plays)]

    explain = Player.explain


def test_who_peeks_later_in_the_game_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Drawer, "player", lambda self, rng: PeeksLate(rng))
    with pytest.raises(BrokenRule, match="a fair strategy must decide alike whatever cards"):
        check_strategy(Drawer(), "love-letter")


def test_who_never_captures_comes_to_an_end() -> None:
    """Against itself the table of Tablić would fill up, and its plays would be too many."""
    check_strategy(lambda view: view.plays()[0], "tablic", decisions=30)


def test_who_says_that_it_sees_more_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Drawer, "player", lambda self, rng: Peeker(rng))
    monkeypatch.setattr(Drawer, "knows", Knows.OPEN_DECK)
    check_strategy(Drawer(), HighOrLow())


def test_what_remembers_in_the_strategy_is_caught() -> None:
    """Not in the player: then one game changes the next."""

    class Keeps(Strategy):
        name: ClassVar[str] = "keeps"

        def __init__(self) -> None:
            super().__init__()
            self.games = 0

        def sit(self, game: Any, seat: int, rng: Any) -> Player:
            self.games += 1
            games = self.games

            class Counting(Player):
                def choose(self, view: View[Any]) -> Any:
                    return view.plays()[games // 7 % 2]

            return Counting()

    with pytest.raises(BrokenRule, match="must give the same"):
        check_strategy(Keeps(), HighOrLow())


def test_options_that_do_not_read_back_are_caught() -> None:
    class Adds(Drawer):
        name: ClassVar[str] = "adds"
        options = (Option("n", 1, "a number"),)

        def __init__(self, **values: Any) -> None:
            super().__init__(**values)
            self.settings["n"] += 1

    with pytest.raises(BrokenRule, match="the options in a strategy's text must read back"):
        check_strategy(Adds(), HighOrLow())


def test_an_unsuitable_game_is_refused() -> None:
    with pytest.raises(UnsuitableGame, match="alpha-beta"):
        check_strategy("alpha-beta", HighOrLow())
