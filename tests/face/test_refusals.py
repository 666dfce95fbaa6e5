"""Wrong arguments get one clear line of Kibitz's, never a traceback out of NumPy or Numba."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.core.errors import KibitzError
from kibitz.table.session import Session

GAME = kibitz.make_game("twenty-one")
START = GAME.start()
RECORD = Session(GAME, [None, None], 1).records()[0]
ROUND = kibitz.make_game("love-letter").start(seed=7)

PLAYED = kibitz.play(GAME, ["random", "random"])


class _Absent(kibitz.Strategy):
    name = "absent"

    def sit(self, game: Any, seat: int, rng: Any) -> Any:
        return None


WRONG: dict[str, tuple[Callable[..., Any], str]] = {
    "a game that is a number": (lambda: kibitz.make_game(3), "text"),  # type: ignore[arg-type]
    "a strategy that is a list": (lambda: kibitz.make_strategy([]), "text"),  # type: ignore[arg-type]
    "strategies for a number": (lambda: kibitz.strategies(3), "a game"),  # type: ignore[arg-type]
    "a seed that is a text": (lambda: GAME.start("one"), "whole number"),  # type: ignore[arg-type]
    "a first that is no seat": (lambda: GAME.start(1, 2), "seats count from 0"),
    "a position of a text": (lambda: kibitz.Position("pig", 0), "a game is wanted"),  # type: ignore[arg-type]
    "a state of a number": (lambda: kibitz.Position(GAME, 3), "a state of twenty-one"),
    "a state of another array": (lambda: kibitz.Position(GAME, np.zeros(1)), "no state"),
    "a position's text that is None": (lambda: GAME.position_of(None), "text"),  # type: ignore[arg-type]
    "a play that is None": (lambda: START.play(None), "not possible"),
    "a play that is a lambda": (lambda: START.play(lambda: 4), "not possible"),
    "a play of another game": (lambda: START.play("guard"), "not possible"),
    "a play that is against a rule": (lambda: ROUND.play("king"), r"rule 3\.5"),
    "a seat too far": (lambda: START.view(2), "seats count from 0"),
    "a seat that is a text": (lambda: START.view("1"), "whole number"),  # type: ignore[arg-type]
    "knows as a text": (lambda: START.view(0, "fair"), "Knows.FAIR"),  # type: ignore[arg-type]
    "results before the end": (lambda: START.returns, "not over"),
    "an empty record": (lambda: kibitz.replay(""), "an empty text is no record"),
    "merge as a text": (lambda: kibitz.graph(GAME, merge="yes"), "True or False"),  # type: ignore[arg-type]
    "options that are texts": (
        lambda: type("Bot", (kibitz.Strategy,), {"name": "bot", "options": ("a",), "sit": None})(),
        "a tuple of kibitz.Option",
    ),
    "a report that is a text": (
        lambda: kibitz.solve("love-letter", face_up="1 1 1", report="yes"),
        "a function of a text",
    ),
    "a hand in a public position": (
        lambda: kibitz.solve("love-letter", public="face_up=2 2 7; hand1=guard king"),
        "leave out hand1",
    ),
    "explain a game": (lambda: kibitz.explain(GAME), "a position"),  # type: ignore[arg-type]
    "explain by a number": (lambda: kibitz.explain(START, by=3), "a strategy"),
    "explain by nobody": (lambda: kibitz.explain(START, by="oracle"), "oracle"),
    "explain by who can't": (lambda: kibitz.explain(START, by="greedy"), "greedy"),
    "explain with a bad seed": (lambda: kibitz.explain(START, by="minimax", seed=0.5), "seed"),  # type: ignore[arg-type]
    "solve a list": (lambda: kibitz.solve([]), "a position, a game"),  # type: ignore[arg-type]
    "solve by a number": (lambda: kibitz.solve(GAME, algorithm=1), "text"),  # type: ignore[arg-type]
    "solve by what is not there": (lambda: kibitz.solve(GAME, algorithm="magic"), "magic"),
    "solve with another's option": (lambda: kibitz.solve(GAME, epsilon=0.1), "takes algorithm"),
    "solve with a depth in words": (lambda: kibitz.solve(GAME, depth="two"), "depth"),
    "solve with one bound": (
        lambda: kibitz.solve("pig", algorithm="star1", bounds=(1,)), "two numbers"
    ),
    "solve with weights in words": (lambda: kibitz.solve(GAME, depth=2, weights="a=1"), "weights"),
    "solve what is hidden": (lambda: kibitz.solve("kuhn-poker"), "can't solve"),
    "Tablić with no memory": (lambda: kibitz.solve("tablic", memory=0), "memory"),
    "Tablić with three": (lambda: kibitz.solve("tablic:players=3"), "2 players"),
    "which round": (lambda: kibitz.solve("love-letter"), "which round"),
    "a round with three": (lambda: kibitz.solve("love-letter:players=3"), "two players"),
    "an epsilon of nothing": (lambda: kibitz.solve(ROUND, epsilon=0), "epsilon must be"),
    "an epsilon in words": (lambda: kibitz.solve(ROUND, epsilon="small"), "a number"),
    "a round that has begun": (lambda: kibitz.solve(ROUND.play("guard>2=king")), "public"),
    "graph of a number": (lambda: kibitz.graph(3), "a position, a game"),  # type: ignore[arg-type]
    "graph with no node": (lambda: kibitz.graph(GAME, nodes=0), "nodes"),
    "graph of no depth": (lambda: kibitz.graph(GAME, depth=0), "depth"),
    "graph with idle samples": (lambda: kibitz.graph(GAME, samples=3), "algorithm"),
    "graph into a page of text": (lambda: kibitz.graph(GAME).save("graph.txt"), "must end in"),
    "graph into a number": (lambda: kibitz.graph(GAME).save(3), "its name"),  # type: ignore[arg-type]
    "steps of no search": (lambda: kibitz.graph(GAME).save("a.html", steps=True), "algorithm"),
    "players in one text": (lambda: kibitz.play(GAME, "random"), "a list"),
    "players that are numbers": (lambda: kibitz.play(GAME, [1, 2]), "a strategy"),
    "a limit in words": (lambda: kibitz.play(GAME, ["random"] * 2, limit="9"), "seconds"),  # type: ignore[arg-type]
    "jobs in words": (lambda: kibitz.compare(GAME, ["random"] * 2, jobs="two"), "jobs"),  # type: ignore[arg-type]
    "a store that is a number": (lambda: kibitz.compare(GAME, ["random"] * 2, store=1), "a store"),  # type: ignore[arg-type]
    "replay a number": (lambda: kibitz.replay(3), "a record"),  # type: ignore[arg-type]
    "replay half a line": (lambda: kibitz.replay("{"), "not a line of JSON"),
    "replay with a game that is none": (lambda: kibitz.replay(RECORD, game=1), "a game is wanted"),  # type: ignore[arg-type]
    "replay a file of half a letter": (lambda: kibitz.replay("a\ud800"), "no name of a file"),
    "replay what a terminal obeys": (lambda: kibitz.replay("\x1b[31m"), "\ufffd"),
    "solve with no limit": (lambda: kibitz.solve(GAME, nodes=None), "nodes must be"),
    "a session of no list": (lambda: Session(GAME, None, 1), "a list of players"),  # type: ignore[arg-type]
    "a session in a number": (lambda: Session(GAME, [None] * 2, 1, path=1.5), "its name"),  # type: ignore[arg-type]
    "a session with odd hints": (lambda: Session(GAME, [None] * 2, 1, hints=[]), "text"),  # type: ignore[arg-type]
    "resume no list": (lambda: Session.resume(3), "a list of records"),  # type: ignore[arg-type]
    "resume texts": (lambda: Session.resume(["x"]), "a record"),  # type: ignore[list-item]
    "a record's number that is a list": (lambda: kibitz.replay(RECORD, number=[]), "number"),  # type: ignore[arg-type]
    "turns that are a number": (lambda: kibitz.Position(GAME, START.state, turns=7), "a tuple"),  # type: ignore[arg-type]
    "a view of a number": (lambda: kibitz.View(7, 0, 0), "a game is wanted"),  # type: ignore[arg-type]
    "chance as a text": (lambda: kibitz.Traits(chance="deal"), "Chance.DEAL"),  # type: ignore[arg-type]
    "hidden as a text": (lambda: kibitz.Traits(hidden="yes"), "True or False"),  # type: ignore[arg-type]
    "choices of a number": (lambda: kibitz.Option("a", 1, "b", choices=2), "choices"),  # type: ignore[arg-type]
    "a class, no strategy": (lambda: kibitz.make_strategy(kibitz.Strategy), "class Strategy"),  # type: ignore[arg-type]
    "judge a position": (lambda: kibitz.judge(START), "a view is wanted"),  # type: ignore[arg-type]
    "judge by a number": (lambda: kibitz.judge(START.view(), unit_value=1), "UnitValue"),  # type: ignore[arg-type]
    "judge exactly, perhaps": (lambda: kibitz.judge(START.view(), exact="no"), "True or False"),  # type: ignore[arg-type]
    "judge to a huge number": (lambda: kibitz.judge(START.view(), precision=10**400), "precision"),
    "a play that is not judged": (lambda: kibitz.judge(START.view()).of(START), "a Position"),
    "review a number": (lambda: kibitz.review(3), "a record"),  # type: ignore[arg-type]
    "review no seat": (lambda: kibitz.review(PLAYED, seats=[]), "name one"),
    "review with luck in words": (lambda: kibitz.review(PLAYED, luck="no"), "True or False"),  # type: ignore[arg-type]
    "a seat without a review": (lambda: kibitz.review(PLAYED).seat("1"), "was not reviewed"),  # type: ignore[arg-type]
    "review 7 games": (lambda: kibitz.review_games(7), "a list of records"),  # type: ignore[arg-type]
    "review games of one": (lambda: kibitz.review_games(PLAYED), "a list of records"),  # type: ignore[arg-type]
    "review games that are none": (lambda: kibitz.review_games([7]), "a record"),  # type: ignore[list-item]
    "review no games": (lambda: kibitz.review_games([]), "no game to review"),
    "review games of a number": (lambda: kibitz.review_games([PLAYED], player=7), "a player"),  # type: ignore[arg-type]
    "review games by seats": (lambda: kibitz.review_games([PLAYED], seats=[0]), "not seats"),
    "all plays, perhaps": (lambda: kibitz.solve(GAME, all_plays="yes"), "True or False"),
    "steps as a text": (lambda: kibitz.graph(GAME).save("a.svg", steps="yes"), "True or False"),  # type: ignore[arg-type]
    "a unit of two lines": (lambda: kibitz.compare(GAME, ["random"] * 2, unit="a\nb"), "allowed"),
    "explain by what plays nothing": (
        lambda: kibitz.explain(START, by=lambda view: None), "lambda can't explain its play: None"
    ),
    "a strategy that seats nobody": (
        lambda: kibitz.play(GAME, [_Absent(), "random"]), "absent failed: .*kibitz.Player, not None"
    ),
    "explain by one that seats nobody": (
        lambda: kibitz.explain(START, by=_Absent()), "kibitz.Player, not None"
    ),
    "replay what is not there": (lambda: kibitz.replay("nowhere.jsonl"), "nowhere"),
}  # fmt: skip


@pytest.mark.parametrize(("call", "tells"), WRONG.values(), ids=WRONG)
def test_one_clear_line(call: Callable[[], Any], tells: str) -> None:
    with pytest.raises(KibitzError, match=tells) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_wrong_kind_is_a_type_error_too() -> None:
    with pytest.raises(TypeError) as caught:
        GAME.start("one")  # type: ignore[arg-type]
    assert isinstance(caught.value, kibitz.BadType)


def _fails(view: kibitz.View[Any]) -> str:
    raise ZeroDivisionError("no worlds")


class _Mute(kibitz.Player):
    def choose(self, view: kibitz.View[Any]) -> Any:
        return view.plays()[0]

    def explain(self, view: kibitz.View[Any]) -> Any:
        return "because"


class _MuteStrategy(kibitz.Strategy):
    name = "mute"

    def sit(self, game: Any, seat: int, rng: Any) -> kibitz.Player:
        return _Mute()


def test_a_strategy_that_cannot_explain_is_named() -> None:
    position = kibitz.make_game("kuhn-poker").start(seed=1)
    with pytest.raises(kibitz.Forfeit, match="_fails failed: ZeroDivisionError: no worlds"):
        kibitz.explain(position, by=_fails)
    with pytest.raises(kibitz.BadType, match="an explanation by mute is wanted, not 'because'"):
        kibitz.explain(position, by=_MuteStrategy())
