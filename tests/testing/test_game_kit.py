"""Broken games, each caught with the sentence that names its mistake; and whole ones pass."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from kibitz.core.errors import BadText, KibitzError
from kibitz.core.game import CHANCE, Chance, Game, Traits, View
from kibitz.core.options import Option
from kibitz.core.presenter import Presenter
from kibitz.core.registry import make_game
from kibitz.jit.rng import below, stream
from kibitz.testing import BrokenRule, check_game
from tests.plain import GuessTheCard, Nim, Tosses
from tests.processes import ROOT

Hands = tuple[int, int, str, str]
"""The cards of both seats, and what each has said: nothing, `high` or `low`."""
CARDS = range(1, 7)


class HighOrLow(Game[Hands, str]):
    """Each has a card that the other does not see, and says whether his is the higher one."""

    name: ClassVar[str] = "high-or-low"
    traits: ClassVar[Traits] = Traits(chance=Chance.DEAL, hidden=True, roles=True)

    def deal(self, seed: int, first: int = 0) -> Hands:
        rng = stream(seed)
        mine = CARDS[below(rng, 6)]
        yours = [card for card in CARDS if card != mine][below(rng, 5)]
        return mine, yours, "", ""

    def mover(self, state: Hands) -> int:
        return 1 if state[2] else 0

    def is_over(self, state: Hands) -> bool:
        return bool(state[3])

    def plays(self, state: Hands) -> Sequence[str]:
        return [] if state[3] else ["high", "low"]

    def after(self, state: Hands, play: str) -> Hands:
        return (*state[:2], state[2] or play, play if state[2] else "")

    def returns(self, state: Hands) -> tuple[float, ...]:
        higher = "high" if state[0] > state[1] else "low"
        other = "low" if higher == "high" else "high"
        won = (state[2] == higher) - (state[3] == other)
        return float(won), float(-won)

    def view(self, state: Hands, seat: int) -> View[Hands]:
        mine, yours = state[:2]
        cards = (mine, 0) if seat == 0 else (0, yours)
        return View(self, seat, (*cards, *state[2:]))

    def redeal(self, view: View[Hands], rng: np.ndarray) -> Hands:
        own = view.state[view.seat]
        other = [card for card in CARDS if card != own][below(rng, 5)]
        cards = (own, other) if view.seat == 0 else (other, own)
        return (*cards, *view.state[2:])

    def position(self, state: Hands) -> str:
        return " ".join(str(part or "-") for part in state)

    def parse_position(self, text: str) -> Hands:
        parts = text.split()
        if len(parts) != 4 or not all(p == "-" or p.isdigit() for p in parts[:2]):
            raise BadText(f"{text} is no position")
        mine, yours = (0 if p == "-" else int(p) for p in parts[:2])
        said = ["" if p == "-" else p for p in parts[2:]]
        return mine, yours, said[0], said[1]


GAMES: list[Any] = [Nim, Tosses, GuessTheCard, HighOrLow]


@pytest.mark.parametrize("cls", GAMES)
def test_whole_games_pass(cls: Any) -> None:
    check_game(cls(), games=8)


def test_a_game_in_a_file_passes() -> None:
    check_game(str(ROOT / "examples" / "take_away.py"), games=3)
    check_game(str(ROOT / "examples" / "one_round.graph"), games=3)


# -- broken ones ----------------------------------------------------------------------------------

SHARED = [0]


class IgnoresTheSeed(HighOrLow):
    def deal(self, seed: int, first: int = 0) -> Hands:
        return 2, 5, "", ""


class DealsByItself(HighOrLow):
    def deal(self, seed: int, first: int = 0) -> Hands:
        mine, yours = random.sample(CARDS, 2)
        return mine, yours, "", ""


class DealsWithoutSayingSo(HighOrLow):
    traits: ClassVar[Traits] = Traits(hidden=True, roles=True)


class ShortReturns(HighOrLow):
    def returns(self, state: Hands) -> tuple[float, ...]:
        return super().returns(state)[:1]


class EndlessReturns(HighOrLow):
    def returns(self, state: Hands) -> tuple[float, ...]:
        return float("inf"), float("-inf")


class GenerousReturns(HighOrLow):
    def returns(self, state: Hands) -> tuple[float, ...]:
        return 1.0, 1.0


class TextsThatDoNotParse(Nim):
    def parse_play(self, state: Any, text: str) -> int:
        return super().parse_play(state, text.replace("2", "1"))


class TextsThatAreRefused(Nim):
    def parse_play(self, state: Any, text: str) -> int:
        raise BadText("no")


class TakesAnything(Nim):
    def parse_play(self, state: Any, text: str) -> int:
        return int(text) if text.strip().isdigit() else 1


class TwiceTheSame(Nim):
    def plays(self, state: Any) -> Sequence[int]:
        return [1, 1]


class NoPlays(Nim):
    def plays(self, state: Any) -> Sequence[int]:
        return [] if state[0] == 3 else super().plays(state)


class Third(Nim):
    def mover(self, state: Any) -> int:
        return 2


class SecretChance(Tosses):
    traits: ClassVar[Traits] = Traits()


class BadChances(Tosses):
    def chances(self, state: Any) -> Sequence[tuple[str, float]]:
        return [("heads", 0.9), ("tails", 0.2)]


class OwnDice(Tosses):
    def draw_chance(self, state: Any, rng: Any) -> str:
        return random.choice(["heads", "tails"])


class Endless(Nim):
    def after(self, state: Any, play: int) -> Any:
        return state[0], 1 - state[1]


class NamesNobody(Nim):
    """Whoever deal names, seat 1 begins."""

    def deal(self, seed: int, first: int = 0) -> Any:
        return super().deal(seed)


class NamesNobodyByLot(Tosses):
    """The same behind a toss of the coin."""

    traits: ClassVar[Traits] = Traits(chance=Chance.PLAY)

    def deal(self, seed: int, first: int = 0) -> Any:
        return 0, 0, True


class OffersMore(Nim):
    """Plays after the end."""

    def plays(self, state: Any) -> Sequence[int]:
        return super().plays(state) or [1]


class TakesMore(Nim):
    """Offers none, and takes them."""

    def match_play(self, state: Any, play: Any) -> int:
        return 1 if state[0] == 0 and str(play) == "1" else super().match_play(state, play)


class EndlessDice(Tosses):
    """Chance has to move, and there is nothing that it can do."""

    def plays(self, state: Any) -> Sequence[Any]:
        return [] if self.mover(state) == CHANCE else super().plays(state)


class Raises(Nim):
    def returns(self, state: Any) -> tuple[float, ...]:
        raise ZeroDivisionError("oh")


class Writes(Game[list[int], int]):
    """A play changes the state that it is made in."""

    name: ClassVar[str] = "writes"

    def deal(self, seed: int, first: int = 0) -> list[int]:
        return [4, first]

    def mover(self, state: list[int]) -> int:
        return state[1]

    def is_over(self, state: list[int]) -> bool:
        return state[0] <= 0

    def plays(self, state: list[int]) -> Sequence[int]:
        return [1, 2]

    def after(self, state: list[int], play: int) -> list[int]:
        state[0] -= play
        state[1] = 1 - state[1]
        return state

    def returns(self, state: list[int]) -> tuple[float, ...]:
        return 1, -1

    def key(self, state: list[int]) -> Any:
        return tuple(state)


class Remembers(Nim):
    """Where a play leads depends on how often it was asked."""

    def after(self, state: Any, play: int) -> Any:
        SHARED[0] += 1
        return max(state[0] - play - SHARED[0] % 2, 0), 1 - state[1]


class LosesThePosition(HighOrLow):
    def parse_position(self, text: str) -> Hands:
        return (*super().parse_position(text)[:3], "")


class ReadsAnyPosition(HighOrLow):
    def parse_position(self, text: str) -> Hands:
        try:
            return super().parse_position(text)
        except KibitzError:
            return 1, 2, "", ""


class LeakyView(HighOrLow):
    def view(self, state: Hands, seat: int) -> View[Hands]:
        return View(self, seat, state)


class LeakyParity(HighOrLow):
    """Shows whether the other's card is even."""

    def view(self, state: Hands, seat: int) -> View[Hands]:
        mine, yours = (
            card if holder == seat else 6 + card % 2 for holder, card in enumerate(state[:2])
        )
        return View(self, seat, (mine, yours, *state[2:]))


@dataclass(frozen=True, repr=False)
class WholeView(View[Hands]):
    whole: Any = None


class CarriesTheState(HighOrLow):
    """Blank cards, and the state beside them."""

    view_class = WholeView

    def view(self, state: Hands, seat: int) -> View[Hands]:
        return WholeView(self, seat, super().view(state, seat).state, whole=state)


class RedealsNothing(HighOrLow):
    def view(self, state: Hands, seat: int) -> View[Hands]:
        return View(self, seat, state)

    def redeal(self, view: View[Hands], rng: np.ndarray) -> Hands:
        return view.state


class RedealsByItself(HighOrLow):
    def redeal(self, view: View[Hands], rng: np.ndarray) -> Hands:
        return super().redeal(view, stream(random.getrandbits(60)))


class KeepsTheDeal(HighOrLow):
    """Players get the game, and could read it there."""

    def deal(self, seed: int, first: int = 0) -> Hands:
        self.dealt = super().deal(seed, first)
        return self.dealt


class KeepsAllPlays(HighOrLow):
    made: ClassVar[list[Any]] = []

    def after(self, state: Hands, play: str) -> Hands:
        self.made.append((state, play))
        return super().after(state, play)


class WorksOutOnce(HighOrLow):
    """What does not depend on a game may be kept."""

    @cached_property
    def deck(self) -> list[int]:
        return list(range(12))

    def deal(self, seed: int, first: int = 0) -> Hands:
        assert self.deck
        return super().deal(seed, first)


def test_what_is_worked_out_once_may_be_kept() -> None:
    check_game(WorksOutOnce())


class TalkativePresenter(Presenter[Hands, str]):
    def narrate(self, before: Hands, play: str, after: Hands, seat: int | None) -> str:
        mover = self.game.mover(before)
        return f"seat {mover + 1} holds {before[mover]}: {play}"


class TalksTooMuch(HighOrLow):
    presenter_class = TalkativePresenter


class HidesThePlays(HighOrLow):
    """What may be played depends on the other's card."""

    def plays(self, state: Hands) -> Sequence[str]:
        return super().plays(state)[: 2 if state[1 - self.mover(state)] else 1]


class NoHelp(Nim):
    options = (Option("size", 1, ""),)


class Adds(Nim):
    """Its text leaves out what it was made with."""

    options = (Option("size", 1, "how many"),)

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.settings["size"] += 1


BROKEN: dict[type[Game[Any, Any]], str] = {
    IgnoresTheSeed: "seeds must deal different cards where traits say chance=deal; 20 seeds gave"
    " the same deal",
    DealsByItself: "a deal must be a function of its seed; deal(",
    DealsWithoutSayingSo: "all seeds must deal the same where traits say that there is no chance",
    ShortReturns: "returns must give 2 numbers, one for each seat; it gives (",
    EndlessReturns: "returns must be finite numbers; (inf, -inf) in ",
    GenerousReturns: "returns add up to 0; (1.0, 1.0) in ",
    TextsThatDoNotParse: "the text of a play must parse back to it; '2' is read as 1 in (10, 0)",
    TextsThatAreRefused: "the text of a play must parse back to it; '1' is refused (no)",
    TakesAnything: "a text that is no play must be refused with IllegalPlay or BadText; '' is read",
    TwiceTheSame: "plays must be distinct; in (10, 0)",
    NoPlays: "there must be a play as long as the game is not over; in (3, ",
    Third: "mover must be a seat, counted from 0, or CHANCE; it is 2 in (10, 0)",
    SecretChance: "chance must move in play if traits say chance=play, and only then; it moves",
    BadChances: "the probabilities of chance must add up to 1; they add up to 1.1",
    OwnDice: "draw_chance must draw by the stream that it is given",
    Endless: "a game must end; seed 0 has more than 10000 plays",
    NamesNobody: "the seat that deal names as first must begin, but for Traits(roles=True); after"
    " deal(seed, first=1) mover is 0",
    NamesNobodyByLot: "the seat that deal names as first must begin",
    OffersMore: "plays must be empty once the game is over; it gives 1 in (0, ",
    TakesMore: "no play may be taken once the game is over; match_play takes '1' in (0, ",
    EndlessDice: "there must be a play as long as the game is not over; in ",
    Raises: "a game must not raise; ZeroDivisionError: oh",
    Writes: "a play must leave the state that it is made in as it was; ",
    Remembers: "a play must lead to the same state whenever it is made; ",
    LosesThePosition: "a position must parse back; ",
    ReadsAnyPosition: "a text that is no position must be refused with BadText in one line; ",
    LeakyView: "a view must not change when the cards that it hides are dealt anew; seat 1 sees",
    LeakyParity: "a view must not change when the cards that it hides are dealt anew; seat",
    CarriesTheState: "what a view carries must not change when the cards that it hides are dealt"
    " anew; whole is ",
    RedealsNothing: "redeal must give other worlds too, not only the true one",
    RedealsByItself: "redeal must deal by the stream that it is given",
    KeepsTheDeal: "a game must keep nothing of what is played, for players get it too; dealt",
    KeepsAllPlays: "a game must keep nothing of what is played, for players get it too; KeepsAll",
    TalksTooMuch: "what a seat is told must not depend on cards that it does not see; seat 2 hears",
    HidesThePlays: "the legal plays must follow from what the seat to move sees",
    NoHelp: "every option must say what it is for; size has none",
    Adds: "the options in a game's text must read back; ",
}


@pytest.mark.parametrize("cls", BROKEN)
def test_a_broken_game_is_caught_by_its_rule(cls: Any) -> None:
    with pytest.raises(BrokenRule) as caught:
        check_game(cls(), games=20)
    line = str(caught.value)
    assert BROKEN[cls] in line
    assert "\n" not in line and len(line) < 700


def test_what_is_no_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="a game is wanted, not the class"):
        check_game(Nim)  # type: ignore[arg-type]
    with pytest.raises(BadText, match="no game 'whist'"):
        check_game("whist")
    with pytest.raises(KibitzError, match="games=0 is not possible"):
        check_game(make_game("pig"), games=0)
    assert CHANCE == -1
