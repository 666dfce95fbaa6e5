"""The model: options, errors, and games in plain Python through all that plays them."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena.compare import compare
from kibitz.arena.python_pairs import PythonPairs
from kibitz.core.errors import (
    BadText,
    BadType,
    BadValue,
    IllegalPlay,
    KibitzError,
    UnsuitableGame,
)
from kibitz.core.game import CHANCE, Game, View
from kibitz.core.options import Option, settle
from kibitz.core.registry import games, make_game, make_strategy
from kibitz.core.strategy import Player, Strategy
from kibitz.jit.rng import stream
from kibitz.search.fast.rollouts import random_games
from kibitz.table.record import Record
from kibitz.table.table import Forfeit, Table, play_out
from tests.plain import GuessTheCard, Nim, Tosses

# -- options ---------------------------------------------------------------------------

SIZE = Option("size", 3, "how large", least=1, most=9)
RATE = Option("rate", 1.5, "how fast", least=0, most=10)
DEEP = Option("deep", False, "whether it goes on")
MODE = Option("mode", "plain", "in which way", choices=("plain", "fancy"))
SEATS = Option("seats", 2, "how many", choices=(2, 4))
FREE = Option("free", 0, "any number")


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        (SIZE, "7", 7), (SIZE, 7, 7), (SIZE, " 7 ", 7), (SIZE, "1", 1), (SIZE, "9", 9),
        (RATE, "2", 2.0), (RATE, "0.25", 0.25), (RATE, 2.5, 2.5), (RATE, "1e1", 10.0),
        (RATE, 2, 2.0),
        (DEEP, "true", True), (DEEP, "False", False), (DEEP, True, True),
        (MODE, "fancy", "fancy"), (SEATS, "4", 4), (FREE, "-5", -5),
    ],
)  # fmt: skip
def test_option_value(option: Option, text: Any, value: Any) -> None:
    parsed = option.parse("game", text)
    assert parsed == value
    assert type(parsed) is type(option.default)


@pytest.mark.parametrize(
    ("option", "text", "allowed"),
    [
        (SIZE, "0", "1 to 9"), (SIZE, "10", "1 to 9"), (SIZE, "x", "1 to 9"),
        (SIZE, "", "1 to 9"), (SIZE, "2.5", "1 to 9"), (SIZE, 2.0, "1 to 9"),
        (SIZE, True, "1 to 9"), (SIZE, None, "1 to 9"), (SIZE, [3], "1 to 9"),
        (RATE, "nan", "0 to 10"), (RATE, "inf", "0 to 10"), (RATE, "-0.1", "0 to 10"),
        (RATE, "fast", "0 to 10"), (RATE, True, "0 to 10"),
        (DEEP, "yes", "true, false"), (DEEP, "1", "true, false"), (DEEP, 1, "true, false"),
        (MODE, "odd", "plain, fancy"), (MODE, "", "plain, fancy"), (MODE, 3, "plain, fancy"),
        (SEATS, "3", "2, 4"), (SEATS, "many", "2, 4"), (SIZE, 10, "1 to 9"), (SEATS, 3, "2, 4"),
    ],
)  # fmt: skip
def test_bad_option_value_says_what_is_allowed(option: Option, text: Any, allowed: str) -> None:
    """A text, a value of the right kind that is out of range, or one of another kind."""
    of_its_kind = type(text) is type(option.default)
    kind = BadText if isinstance(text, str) else BadValue if of_its_kind else BadType
    with pytest.raises(kind) as caught:
        option.parse("game", text)
    assert str(caught.value).startswith("game: ")
    assert option.name in str(caught.value)
    assert str(caught.value).endswith(allowed)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (("a b", 1, "help"), "the name of an option is a word"),
        (("size", None, "help"), "the default is a number"),
        (("size", [], "help"), "the default is a number"),
        (("size", 1, 3), "the help is a text"),
    ],
)
def test_an_option_that_makes_no_sense_is_refused(values: Any, reason: str) -> None:
    with pytest.raises(BadType, match=reason):
        Option(*values)


def test_out_of_range_tells_the_range() -> None:
    with pytest.raises(BadText, match=r"allowed: .* to 1,000,000,000"):
        FREE.parse("game", str(10**12))


@given(st.integers(1, 9), st.floats(0, 10), st.booleans(), st.sampled_from(["plain", "fancy"]))
def test_option_text_round_trip(size: int, rate: float, deep: bool, mode: str) -> None:
    values = {SIZE: size, RATE: rate, DEEP: deep, MODE: mode}
    for option, value in values.items():
        assert option.parse("game", str(value)) == value
        assert option.parse("game", value) == value


def test_settle_fills_in_defaults_and_refuses_what_is_unknown() -> None:
    assert settle("game", [SIZE, DEEP], {"size": "4"}) == {"size": 4, "deep": False}
    with pytest.raises(BadText, match="no option 'colour'; its options: size, deep"):
        settle("game", [SIZE, DEEP], {"colour": "red"})


def other_values(option: Option) -> list[Any]:
    if isinstance(option.default, bool):
        return [not option.default]
    if option.choices:
        return [value for value in option.choices if value != option.default]
    if isinstance(option.default, str):
        return []  # the game reads it: its own tests have it
    assert isinstance(option.default, int)
    return [option.default + 1, int(option.least or 0)]


@pytest.mark.parametrize("name", games())
def test_spec_round_trip_with_other_options(name: str) -> None:
    cls = games()[name]
    assert make_game(name).spec == name
    choices = [[option.default, *other_values(option)] for option in cls.options]
    for values in product(*choices):
        options = dict(zip((option.name for option in cls.options), values, strict=True))
        game = cls(**options)
        again = make_game(game.spec)
        assert again.settings == options
        assert (again, hash(again), str(again)) == (game, hash(game), game.spec)
        shown = game.spec.partition(":")[2].split(",") if ":" in game.spec else []
        changed = [option.name for option in cls.options if options[option.name] != option.default]
        assert [part.partition("=")[0] for part in shown] == changed


# -- errors ----------------------------------------------------------------------------


def test_illegal_play_carries_reason_and_rule() -> None:
    error = IllegalPlay("seat 2 is protected", "5.3")
    assert (error.reason, error.rule) == ("seat 2 is protected", "5.3")
    assert str(error) == "seat 2 is protected (rule 5.3)"
    assert str(IllegalPlay("no")) == "no"
    assert isinstance(error, KibitzError)
    # A worker process sends it home.
    sent = pickle.loads(pickle.dumps(error))
    assert (sent.reason, sent.rule, str(sent)) == (error.reason, error.rule, str(error))


# -- a game in plain Python ------------------------------------------------------------

RANDOM = make_strategy("random")


class Takes(Strategy):
    """Takes as many as it was made to, legal or not."""

    name = "takes"
    title = "always the same"
    options = (Option("count", 1, "how many", least=1),)

    def sit(self, game: Game[Any, Any], seat: int, rng: np.ndarray) -> Player:
        count = self.settings["count"]

        class Taker(Player):
            def choose(self, view: View[Any]) -> Any:
                return count

        return Taker()


def test_nim_through_the_model() -> None:
    nim = Nim()
    state = nim.deal(seed=1)
    assert (nim.players, nim.mover(state), list(nim.plays(state))) == (2, 0, [1, 2, 3])
    state = nim.apply(state, nim.parse_play(state, " 3 "))
    assert state == (7, 1)
    for bad in ("4", "0", "three", ""):
        with pytest.raises(IllegalPlay, match="not possible here"):
            nim.parse_play(state, bad)
    with pytest.raises(IllegalPlay, match="4 is not possible here"):
        nim.apply(state, 4)
    assert nim.presenter.outcome((0, 1)) == "seat 1 wins"
    view = nim.view(state, 1)
    assert (view.state, list(view.plays())) == (state, [1, 2, 3])
    assert nim.redeal(view, stream(1)) == state
    assert nim.traits.kind == "deterministic, open"


def test_nim_at_a_table() -> None:
    table = Table(Nim(), seed=1, first=1)
    for play in (3, 3, 3):
        table.play(play)
    with pytest.raises(IllegalPlay):
        table.play(2)
    table.play(1)
    assert table.is_over
    assert table.plays == ["3", "3", "3", "1"]
    assert table.decisions == [2, 2]
    assert table.logs[0] == ["seat 2: 3", "seat 1: 3", "seat 2: 3", "seat 1: 1"]
    assert table.game.returns(table.state) == (1.0, -1.0)


def test_random_plays_nim_evenly() -> None:
    nim = Nim()
    player = RANDOM.sit(nim, 0, stream(3))
    seen = Counter(player.choose(nim.view((10, 0), 0)) for _ in range(3000))
    assert seen.keys() == {1, 2, 3}
    assert min(seen.values()) > 900


def test_compare_plays_nim() -> None:
    report = compare(Nim(), [RANDOM, Takes(), RANDOM], 30, seed=4).document()
    assert [player["name"] for player in report["players"]] == ["random", "takes", "random#2"]
    assert [(match["a"], match["b"]) for match in report["matches"]] == [
        ("random", "takes"), ("random", "random#2"), ("takes", "random#2"),
    ]  # fmt: skip
    for match in report["matches"]:
        assert match["wins"] + match["losses"] == 60
        assert match["draws"] == 0
    # The same games, one by one.
    again, _ = PythonPairs(Nim(), [RANDOM, Takes()], 4, "game").play(0, 30)
    assert int((again[:, 0] == 1).sum() + (again[:, 2] == 1).sum()) == report["matches"][0]["wins"]
    assert compare(Nim(), [RANDOM, RANDOM], 30, seed=4).document()["matches"] == [
        {**report["matches"][1], "b": "random#2"}
    ]


def test_a_better_player_scores_more() -> None:
    class Perfect(Strategy):
        name = "perfect-nim"
        title = "leaves a multiple of four"

        def sit(self, game: Game[Any, Any], seat: int, rng: np.ndarray) -> Player:
            class Leaves(Player):
                def choose(self, view: View[Any]) -> Any:
                    return max(view.state[0] % 4, 1)

            return Leaves()

    (match,) = compare(Nim(), [Perfect(), RANDOM], 100).document()["matches"]
    assert match["score"] > 0.9
    assert match["elo"] > 300


def test_illegal_play_of_a_strategy_is_reported_with_its_name() -> None:
    with pytest.raises(Forfeit, match="takes:count=9 played 9: 9 is not possible here"):
        play_out(Nim(), [RANDOM, Takes(count=9)], seed=1)


def test_matches_and_batches_need_a_compiled_game() -> None:
    with pytest.raises(BadText, match="not played by the match"):
        compare(Nim(), [RANDOM, RANDOM], 1, unit="match")
    with pytest.raises(UnsuitableGame, match="needs a compiled game, not a Nim"):
        random_games(Nim(), 1)  # type: ignore[arg-type]


def test_chance_moves_by_itself() -> None:
    table = Table(Tosses(), seed=2)
    table.play("toss")
    assert table.plays[0] == "toss"
    assert table.plays[1] in ("heads", "tails")
    assert table.mover == 1
    assert table.logs[1][1] == f"chance: {table.plays[1]}"
    assert table.decisions == [1, 0]
    again = Table(Tosses(), seed=2)
    again.play("toss")
    assert again.plays == table.plays


def test_chance_is_drawn_by_its_probability() -> None:
    from scipy.stats import chisquare

    game, rng = Tosses(), stream(5)
    state = game.after(game.deal(0), "toss")
    assert game.mover(state) == CHANCE
    seen = Counter(game.draw_chance(state, rng) for _ in range(5000))
    assert chisquare([seen["heads"], seen["tails"]], [4500, 500]).pvalue > 0.001


def test_compare_plays_a_game_with_chance() -> None:
    (match,) = compare(Tosses(), [RANDOM, RANDOM], 20).document()["matches"]
    assert match["wins"] + match["losses"] == 40


# -- hidden cards in plain Python --------------------------------------------------------


def test_what_chance_did_is_not_shown_where_something_is_hidden() -> None:
    table = Table(GuessTheCard(), seed=2)
    assert table.plays[0] in ("ace", "king")
    assert table.logs == [["chance: not shown"], ["chance: not shown"]]
    assert table.game.presenter.narrate(("", ""), "ace", ("ace", ""), None) == "chance: not shown"
    table.play("king")
    assert table.logs[1][1] == "seat 1: king"
    record = Record.of(table, ["person", "person"])
    assert record.plays == table.plays, "a record has it: it is no player's to read"


def test_a_game_may_tell_what_chance_did() -> None:
    class Open(GuessTheCard):
        def observed_play(self, state: Any, seat: int, play: str) -> str | None:
            return play if seat == 1 else None

    table = Table(Open(), seed=2)
    assert table.logs == [["chance: not shown"], [f"chance: {table.plays[0]}"]]
    assert table.game.presenter.narrate(("", ""), "ace", ("ace", ""), None) == "chance: not shown"


def test_a_play_that_a_seat_does_not_hear_is_not_shown() -> None:
    class Silent(GuessTheCard):
        def observed_play(self, state: Any, seat: int, play: str) -> str | None:
            return None

    assert (
        Silent().presenter.narrate(("ace", ""), "king", ("ace", "king"), 1) == "seat 1: not shown"
    )
    assert Silent().presenter.narrate(("ace", ""), "king", ("ace", "king"), 0) == "seat 1: king"


@pytest.mark.parametrize(
    ("name", "hidden", "open_"),
    [
        ("pimc", None, "hidden cards"),
        ("ismcts", None, "hidden cards"),
        ("flat-mc", "plain Python", "hidden cards"),
        ("mcts", "open cards", None),
        ("minimax", "needs open cards", None),
    ],
)
def test_a_plain_game_is_refused_for_the_right_reason(
    name: str, hidden: str | None, open_: str | None
) -> None:
    """And whoever is recommended plays it."""
    for game, reason in ((GuessTheCard(), hidden), (Nim(), open_)):
        if reason is None:
            make_strategy(name).check_game(game)
            continue
        with pytest.raises(UnsuitableGame, match=reason) as caught:
            make_strategy(name).check_game(game)
        make_strategy(str(caught.value).rpartition("; try ")[2]).check_game(game)
