"""The small games of the lab exercise and of the lecture, by plain recursion over `Game`."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from kibitz.core.errors import BadText, IllegalPlay
from kibitz.core.game import CHANCE, Game
from kibitz.core.registry import games
from kibitz.games.coin_game.game import CoinGame
from kibitz.games.divisible_by_four.game import DivisibleByFour
from kibitz.games.hidden_paper_rock_scissors.game import HiddenPaperRockScissors
from kibitz.games.lab import CHOICES, LabelledGame
from kibitz.games.paper_rock_scissors.game import PaperRockScissors
from kibitz.games.twenty_one.game import TwentyOne
from kibitz.jit.rng import stream

FIXED = [DivisibleByFour, PaperRockScissors, TwentyOne, CoinGame]
ALL = [*FIXED, HiddenPaperRockScissors]


def tree(game: Game[Any, Any], state: Any) -> Iterator[Any]:
    """Every node of the game tree below a state, the state too."""
    yield state
    for play in game.plays(state):
        yield from tree(game, game.after(state, play))


def every_state(game: Game[Any, Any]) -> list[Any]:
    return [state for first in (0, 1) for state in tree(game, game.deal(0, first))]


def minimax(game: Game[Any, Any], state: Any) -> tuple[float, list[str]]:
    """The value to seat 0 and the line of best play; ties: the lowest play. Chance averages."""
    if game.is_over(state):
        return game.returns(state)[0], []
    if game.mover(state) == CHANCE:
        branches = game.chances(state)
        return sum(p * minimax(game, game.after(state, play))[0] for play, p in branches), []
    sign = 1 if game.mover(state) == 0 else -1
    best: tuple[float, list[str]] | None = None
    for play in game.plays(state):
        value, line = minimax(game, game.after(state, play))
        if best is None or sign * value > sign * best[0]:
            best = value, [str(play), *line]
    assert best is not None
    return best


def follow(game: Game[Any, Any], *texts: str) -> Any:
    state = game.deal(0)
    for text in texts:
        state = game.apply(state, game.parse_play(state, text))
    return state


# -- golden figures ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "value", "line", "nodes", "merged"),
    [
        (DivisibleByFour(), 0, "2 3 1", 22, 17),
        (PaperRockScissors(), 3, "paper scissors", 13, 13),
        (TwentyOne(), -1, "4 4 4 6 4", 274, 34),
    ],
    ids=str,
)
def test_the_games_of_the_exercise(
    game: LabelledGame, value: float, line: str, nodes: int, merged: int
) -> None:
    start = game.deal(0)
    returned, best = minimax(game, start)
    end = follow(game, *best)
    assert " ".join(best) == line
    assert game.value(end) == value
    assert returned == game.returns(end)[0]
    states = list(tree(game, start))
    assert len(states) == nodes
    # A position has what distinguishes states: (ply, sum), (sum, mover) or the choices.
    assert len({game.position(state) for state in states}) == merged


def test_coin_game() -> None:
    game = CoinGame()
    start = game.deal(0)
    coins = [game.after(start, play) for play in game.plays(start)]
    assert [game.mover(coin) for coin in coins] == [CHANCE, CHANCE]
    assert [game.chances(coin)[0][1] for coin in coins] == [0.5, 0.5]
    assert [minimax(game, coin)[0] for coin in coins] == [3, -1]
    assert minimax(game, start) == (3, ["left"])
    ends = [state for state in tree(game, start) if game.is_over(state)]
    assert [game.returns(end)[0] for end in ends] == [2, 4, 7, 4, 6, 0, 5, -2]
    assert [str(play) for play in game.plays(start)] == ["left", "right"]
    assert [str(play) for play in game.plays(coins[1])] == ["heads", "tails"]
    assert game.presenter.outcome(ends[-1]) == "value -2 for seat 1"


# -- rules ---------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", ALL)
def test_ends_are_zero_sum_and_labelled(cls: type[Game[Any, Any]]) -> None:
    game = cls()
    for state in every_state(game):
        if game.is_over(state):
            value, other = game.returns(state)
            assert value + other == 0
            assert "-0.0" not in str((value, other))
            if isinstance(game, LabelledGame):
                assert (
                    game.label(game.value(state)) == {1: "won", 0: "drawn", -1: "lost"}[int(value)]
                )
        else:
            codes = [play.code for play in game.plays(state)]
            assert codes == sorted(set(codes)) and codes


@pytest.mark.parametrize("cls", FIXED)
def test_the_rules_fix_who_begins(cls: type[Game[Any, Any]]) -> None:
    game = cls()
    begins = 1 if cls is PaperRockScissors else 0
    assert [game.mover(game.deal(0, first)) for first in (0, 1)] == [begins, begins]


def test_choices_of_divisible_by_four() -> None:
    game = DivisibleByFour()
    offered = [[play.code for play in game.plays(follow(game, *line))] for line in ("", "4", "43")]
    assert offered == [[2, 3, 4], [1, 3], [1, 4]]
    assert game.label(game.value(follow(game, "4", "3", "1"))) == "won"
    assert game.label(game.value(follow(game, "2", "3", "1"))) == "drawn"
    assert game.label(game.value(follow(game, "2", "3", "4"))) == "lost"
    with pytest.raises(IllegalPlay):
        follow(game, "1")


def test_who_goes_over_loses() -> None:
    game = TwentyOne()
    assert game.label(game.value(follow(game, "4", "4", "4", "4", "6"))) == "lost"
    assert game.label(game.value(follow(game, "4", "4", "4", "4", "4", "4"))) == "won"
    assert game.label(game.value(follow(game, "4", "4", "4", "4", "5"))) == "drawn"


@pytest.mark.parametrize("game", [PaperRockScissors(), HiddenPaperRockScissors()], ids=str)
def test_what_beats_what(game: LabelledGame) -> None:
    beats = {("paper", "rock"), ("rock", "scissors"), ("scissors", "paper")}
    for one in CHOICES:
        for two in CHOICES:
            # Seat 1's choice is `one`; seat 2 begins in the game in turn.
            order = (two, one) if isinstance(game, PaperRockScissors) else (one, two)
            label = "drawn" if one == two else "won" if (one, two) in beats else "lost"
            assert game.label(game.value(follow(game, *order))) == label


# -- hidden choice -------------------------------------------------------------------------


@pytest.mark.parametrize("first", [0, 1])
def test_first_choice_is_hidden_until_the_end(first: int) -> None:
    game = HiddenPaperRockScissors()
    start = game.deal(0, first)
    assert game.mover(start) == first
    second = 1 - first
    seen = set()
    for play in game.plays(start):
        state = game.after(start, play)
        assert game.mover(state) == second
        own = game.view(state, first)
        assert str(play) in game.position(own.state) and str(play) in game.presenter.text(own)
        assert str(play) in game.presenter.narrate(start, play, state, first)
        view = game.view(state, second)
        lines = [game.presenter.narrate(start, play, state, seat) for seat in (second, None)]
        seen.add(
            (game.position(view.state), view.state.tobytes(), game.presenter.text(view), *lines)
        )
        assert [str(reply) for reply in view.plays()] == list(CHOICES)
        for reply in game.plays(state):
            end = game.after(state, reply)
            assert game.position(game.view(end, second).state) == game.position(end)
            assert str(play) in game.presenter.narrate(state, reply, end, None)
    assert len(seen) == 1
    assert f"choice{first + 1}=?; turn={second + 1}" in seen.pop()


def test_redeal_is_uniform_and_fits_the_view() -> None:
    game = HiddenPaperRockScissors()
    view = game.view(follow(game, "rock"), 1)
    rng = stream(7)
    counts = dict.fromkeys(CHOICES, 0)
    for _ in range(3000):
        world = game.redeal(view, rng)
        assert game.view(world, 1).state.tobytes() == view.state.tobytes()
        counts[CHOICES[int(world[0].choice[0])]] += 1
    # Five standard deviations of a third in 3000.
    assert all(abs(count - 1000) < 130 for count in counts.values())
    own = game.view(follow(game, "rock"), 0)
    assert game.position(game.redeal(own, rng)) == "choice1=rock; turn=2"


# -- texts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", ALL)
def test_positions_can_be_read_back(cls: type[Game[Any, Any]]) -> None:
    game = cls()
    for state in every_state(game):
        for shown in (state, *(game.view(state, seat).state for seat in (0, 1))):
            again = game.parse_position(game.position(shown))
            assert game.position(again) == game.position(shown)
            assert again.tobytes() == shown.tobytes()


@pytest.mark.parametrize("cls", ALL)
def test_an_empty_position_is_the_start(cls: type[Game[Any, Any]]) -> None:
    game = cls()
    assert game.parse_position("").tobytes() == game.deal(0).tobytes()


def test_positions_that_people_write() -> None:
    four, hidden = DivisibleByFour(), HiddenPaperRockScissors()
    assert four.position(four.parse_position("ply=2;sum=5")) == "sum=5; turn=1; ply=2"
    assert hidden.position(hidden.parse_position("choice2=?")) == "choice2=?; turn=1"
    coin = CoinGame()
    assert coin.position(coin.parse_position("path = left  heads")) == "path=left heads"


def test_reading_gives_a_state_of_its_own() -> None:
    game = TwentyOne()
    state = game.parse_position("sum=12; turn=2")
    state[0].total = 0
    assert game.position(game.parse_position("sum=12; turn=2")) == "sum=12; turn=2"


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (DivisibleByFour(), "sum=5; turn=2; ply=2"),
        (DivisibleByFour(), "sum=1; ply=1"),
        (DivisibleByFour(), "sum=12; ply=3"),
        (DivisibleByFour(), "sum=five"),
        (PaperRockScissors(), "second=rock"),
        (PaperRockScissors(), "first=stone"),
        (PaperRockScissors(), "first=?"),
        (HiddenPaperRockScissors(), "choice1=?; choice2=rock"),
        (HiddenPaperRockScissors(), "choice1=?; choice2=?"),
        (HiddenPaperRockScissors(), "choice1=rock; turn=1"),
        (HiddenPaperRockScissors(), "choice1=; turn=2"),
        (HiddenPaperRockScissors(), "turn=3"),
        (TwentyOne(), "sum=4; turn=1"),
        (TwentyOne(), "sum=7; turn=2"),
        (TwentyOne(), "sum=27; turn=1"),
        (TwentyOne(), "ply=1"),
        (CoinGame(), "path=heads"),
        (CoinGame(), "path=left heads left left"),
        (CoinGame(), "left"),
    ],
    ids=str,
)
def test_impossible_positions_are_refused_in_one_line(game: Game[Any, Any], text: str) -> None:
    with pytest.raises(BadText) as caught:
        game.parse_position(text)
    assert str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("cls", ALL)
def test_every_view_can_be_drawn(cls: type[Game[Any, Any]]) -> None:
    game = cls()
    for state in every_state(game):
        for seat in (0, 1):
            drawing = game.presenter.text(game.view(state, seat))
            last = drawing.splitlines()[-1]
            assert (
                last == game.presenter.outcome(state)
                if game.is_over(state)
                else "to choose" in last
            )


def test_they_are_in_the_catalogue_and_light_to_import() -> None:
    known = games()
    assert all(known[cls.name] is cls for cls in ALL)
    modules = ", ".join(cls.__module__ for cls in ALL)
    heavy = f"import sys, {modules}; print({{'numpy', 'numba'}} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "set()"
