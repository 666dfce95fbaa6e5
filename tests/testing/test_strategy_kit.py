"""Cheats and broken strategies, each caught with the right sentence; and whole ones pass."""

from __future__ import annotations

import random
import sys
import zlib
from typing import Any, ClassVar

import pytest

from kibitz.core.errors import UnsuitableGame
from kibitz.core.explanation import Explanation, Reason
from kibitz.core.game import Game, View
from kibitz.core.options import Option
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.jit.rng import below, next_word
from kibitz.table.table import Table
from kibitz.testing import BrokenRule, check_strategy
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
    BestIsNotFirst: "an explanation must name its best play first; ['low', 'high']",
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
