"""Strategies that cheat: by plays that only look legal, or by writing into what they get."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest

import kibitz
from kibitz.arena.compare import compare
from kibitz.core.errors import IllegalPlay
from kibitz.core.game import Game, Play, View
from kibitz.core.registry import make_game, make_strategy
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.games.tablic.game import TablicPlay
from kibitz.table.record import replay
from kibitz.table.table import Table
from tests.games.hostile import Always, Forged
from tests.plain import Nim

RANDOM = make_strategy("random")


class Forger(Strategy):
    """Plays the first play, from its nth decision on changed in some way."""

    name: ClassVar[str] = "forger"
    title: ClassVar[str] = "forges its plays"

    def __init__(self, forge: Callable[[Any], Any], after: int = 0) -> None:
        super().__init__()
        self.forge, self.after = forge, after

    def sit(self, game: Game[Any, Any], seat: int, rng: np.ndarray) -> Player:
        strategy = self

        class Forging(Player):
            made = 0

            def choose(self, view: View[Any]) -> Any:
                self.made += 1
                play = view.plays()[0]
                return play if self.made <= strategy.after else strategy.forge(play)

        return Forging()


def hollow(play: Any) -> Any:
    """A play without anything in it."""
    return object.__new__(type(play))


class One(int):
    """A one that is equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 1


ANYWHERE: dict[str, Callable[[Any], Any]] = {
    "equal to everything": lambda play: Always(),
    "a subclass equal to everything": lambda play: Forged(play.code, play.text),
    "hollow": hollow,
    "a number of NumPy's": lambda play: replace(play, code=np.int64(play.code)),
    "a fraction": lambda play: replace(play, code=float(play.code)),
    "too large": lambda play: replace(play, code=play.code + 2**64),
    "negative": lambda play: replace(play, code=-1 - play.code),
    "the number alone": lambda play: play.code,
}
TABLIC: dict[str, Callable[[Any], Any]] = {
    "cards beyond the deck": lambda play: replace(play, taken=play.taken | 0x7FF << 52),
    "more than 64 bits": lambda play: replace(play, taken=play.taken | 1 << 70),
    "all cards": lambda play: replace(play, taken=2**52 - 1),
    "other cards than its number": lambda play: replace(play, code=play.code ^ 1 << 56),
    "no card": lambda play: replace(play, card=99),
    "negative cards": lambda play: replace(play, taken=-1),
    "a plain play": lambda play: Play(play.code, play.text),
}
LOVE_LETTER: dict[str, Callable[[Any], Any]] = {
    "a guess that is no card": lambda play: replace(play, code=play.code & 255 | 9 << 8),
    "a guess of the guard": lambda play: replace(play, code=play.code & 255 | 1 << 8),
    "a seat that is none": lambda play: replace(play, code=play.code & 15 | 9 << 4),
    "a card that is none": lambda play: replace(play, code=12),
}
CASES = [
    *[(game, what) for game in ("tic-tac-toe", "connect-four") for what in ANYWHERE],
    *[("tablic", what) for what in ANYWHERE | TABLIC],
    *[("love-letter", what) for what in ANYWHERE | LOVE_LETTER],
]


@pytest.mark.parametrize("after", [0, 2])
@pytest.mark.parametrize(("game", "what"), CASES)
def test_a_forged_play_loses_its_game_and_no_other(game: str, what: str, after: int) -> None:
    """At its first decision or later: the comparison goes on, the failure is reported."""
    forger = Forger((ANYWHERE | TABLIC | LOVE_LETTER)[what], after)
    comparison = compare(make_game(game), [forger, RANDOM], 2)
    (match,) = comparison.matches
    assert match.losses + match.wins + match.draws == 4
    assert comparison.players[0].failures == len(comparison.failures)
    # A round of Love Letter may be over before its third decision.
    assert len(comparison.failures) == 4 or (game == "love-letter" and after)
    assert match.losses >= len(comparison.failures)
    for failure in comparison.failures:
        assert failure.player == "forger" and failure.reason.startswith("forger played ")
        assert "\n" not in failure.reason and len(failure.reason) < 300


@pytest.mark.parametrize("game", ["tic-tac-toe", "love-letter", "tablic", "kuhn-poker"])
def test_a_forged_text_is_not_written_into_the_record(game: str) -> None:
    honest = kibitz.play(game, [Forger(lambda play: play), "random"], seed=3)
    forged = kibitz.play(
        game, [Forger(lambda play: replace(play, text="nonsense")), "random"], seed=3
    )
    assert forged.plays == honest.plays and forged.log == honest.log
    assert list(forged.returns) == forged.record.returns
    assert replay(forged.record).plays == list(honest.plays)


def test_interchangeable_cards_are_taken_as_they_are_named() -> None:
    """An object is one of ours by its cards; those of another suit are other cards."""
    game = make_game("tablic:cards_bonus=none")
    state = game.parse_position(
        "table=5c 5d Jd; hand1=5h 9s; hand2=3c Kd; deck=none; dealer=2; turn=1"
    )
    named = game.parse_play(state, "5h x 5d")
    assert str(game.match_play(state, named)) == "5h x 5d"
    ours = next(play for play in game.plays(state) if play == named)
    assert str(ours) == "5h x 5c"
    assert isinstance(ours, TablicPlay)
    with pytest.raises(IllegalPlay, match=r"rule 3\.2"):
        game.apply(state, replace(ours, taken=1 << 19))  # 5s is not on the table


def test_a_plain_game_takes_its_own_play_for_an_equal_one() -> None:
    nim = Nim()
    assert nim.apply((10, 0), np.int64(2)) == (8, 1)  # type: ignore[arg-type]
    assert type(nim.match_play((10, 0), np.int64(2))) is int
    for forged in (One(1), One(9), 2.0, True, Always(), [1], None):
        with pytest.raises(IllegalPlay, match="not possible here"):
            nim.apply((10, 0), forged)  # type: ignore[arg-type]
    comparison = compare(nim, [Forger(One), RANDOM], 3)
    assert comparison.players[0].failures == 6


# -- texts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["tic-tac-toe", "love-letter", "tablic", "pig"])
def test_a_text_is_as_good_as_the_play_it_names(game: str) -> None:
    made = make_game(game)
    state = made.deal(4)
    for play in made.plays(state):
        assert made.apply(state, str(play)).tobytes() == made.apply(state, play).tobytes()
        made.check(state, str(play))
    by_text, by_play = Table(made, 4), Table(made, 4)
    by_text.play(str(made.plays(state)[0]))
    by_play.play(made.plays(state)[0])
    assert by_text.plays == by_play.plays and by_text.logs == by_play.logs
    assert kibitz.play(made, [Forger(str), "random"], seed=1).plays == (
        kibitz.play(made, [Forger(lambda play: play), "random"], seed=1).plays
    )


def test_a_text_that_is_no_play_says_why() -> None:
    nim, letter = Nim(), make_game("love-letter")
    assert nim.apply((10, 0), "2") == (8, 1)
    for bad in ("4", "two", ""):
        with pytest.raises(IllegalPlay, match="not possible here"):
            nim.apply((10, 0), bad)
    with pytest.raises(kibitz.core.errors.BadText, match="there is no card 'knight'"):
        letter.apply(letter.deal(1), "knight>2")


# -- who writes into what he is given --------------------------------------------------------


class Vandal(Strategy):
    """Plays the first play, or what it was; and may write into everything on the way."""

    name: ClassVar[str] = "vandal"
    title: ClassVar[str] = "writes into what it is given"

    def __init__(self, knows: Knows, writes: bool) -> None:
        super().__init__()
        self.knows, self.writes = knows, writes  # type: ignore[misc]

    def sit(self, game: Game[Any, Any], seat: int, rng: np.ndarray) -> Player:
        writes = self.writes

        class Writing(Player):
            def choose(self, view: View[Any]) -> Any:
                plays = list(view.plays())
                if writes:
                    spoil(view.state)
                    for state, _ in view.past:
                        spoil(state)
                return plays[-1]

        return Writing()


def spoil(state: Any) -> None:
    """Nothing stays as it was."""
    if isinstance(state, list):
        for inner in state:
            if isinstance(inner, list):
                inner.clear()
        state.clear()
    else:
        state.view(np.int64)[:] = 0


class Lists(Game[list[Any], int]):
    """Nim whose states are lists that can be written into."""

    name: ClassVar[str] = "lists"
    title: ClassVar[str] = "Nim with lists"

    def deal(self, seed: int, first: int = 0) -> list[Any]:
        return [[1] * 10, first]

    def mover(self, state: list[Any]) -> int:
        return int(state[1])

    def is_over(self, state: list[Any]) -> bool:
        return not state[0]

    def plays(self, state: list[Any]) -> list[int]:
        return list(range(1, min(3, len(state[0])) + 1))

    def after(self, state: list[Any], play: int) -> list[Any]:
        return [state[0][play:], 1 - state[1]]

    def returns(self, state: list[Any]) -> tuple[float, ...]:
        return (-1.0, 1.0) if state[1] == 0 else (1.0, -1.0)


@pytest.mark.parametrize(
    ("game", "knows"),
    [
        ("tablic", Knows.OPEN_DECK), ("tablic", Knows.OPEN_HANDS), ("tablic", Knows.FAIR),
        ("love-letter", Knows.OPEN_DECK), ("love-letter", Knows.FAIR),
        ("connect-four", Knows.FAIR), ("connect-four", Knows.OPEN_DECK),
        ("connect-four", Knows.OPEN_HANDS), ("lists", Knows.FAIR), ("lists", Knows.OPEN_DECK),
    ],
)  # fmt: skip
def test_whoever_writes_into_what_it_is_given_changes_nothing(game: str, knows: Knows) -> None:
    made: Game[Any, Any] = Lists() if game == "lists" else make_game(game)
    figures = [
        compare(made, [Vandal(knows, writes), RANDOM], 10, seed=2) for writes in (False, True)
    ]
    honest, spoiled = ([(m.wins, m.draws, m.losses, m.margin) for m in f.matches] for f in figures)
    assert spoiled == honest
    assert not any(figure.failures for figure in figures)


@pytest.mark.parametrize("game", ["lists", "tic-tac-toe", "love-letter"])
def test_a_seat_s_past_is_its_own(game: str) -> None:
    """What one seat does to the turns that it remembers, the others do not see."""
    table = Table(Lists() if game == "lists" else make_game(game), 1)
    for _ in range(2):
        table.play(table.view(table.mover).plays()[0])
    before, state = str(table.view(1).past), str(table.state)
    for spoiled, _ in table.view(0).past:
        spoil(spoiled)
    assert (str(table.view(1).past), str(table.state)) == (before, state)


@pytest.mark.parametrize("how", ["raise", "forge", "none"])
@pytest.mark.parametrize("game", ["tablic", "love-letter", "tic-tac-toe"])
def test_who_spoils_its_view_and_fails_is_not_the_game_s_mistake(game: str, how: str) -> None:
    class Spoiler(Vandal):
        def sit(self, game: Game[Any, Any], seat: int, rng: np.ndarray) -> Player:
            class Spoiling(Player):
                def choose(self, view: View[Any]) -> Any:
                    play = view.plays()[0]
                    spoil(view.state)
                    if how == "raise":
                        view.plays()
                    return hollow(play) if how == "forge" else None

            return Spoiling()

    comparison = compare(make_game(game), [Spoiler(Knows.FAIR, True), RANDOM], 2)
    assert comparison.players[0].failures == comparison.matches[0].losses == 4


def test_the_states_of_a_search_can_not_be_written_into() -> None:
    """A game keeps them for the next one who asks."""
    game = make_game("tic-tac-toe")
    state = game.deal(0)
    (_, child), *_ = game.turn(state).moves
    with pytest.raises(ValueError, match="read-only"):
        child[0].turn = 0
    assert game.plays(child)
