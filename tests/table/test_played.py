"""`kibitz.replay`: a record played again, looked at, and explained."""

from __future__ import annotations

from pathlib import Path

import pytest

import kibitz
from kibitz.core.explanation import Explanation
from kibitz.table.record import write_records
from tests.plain import Nim
from tests.processes import kibitz_here

PLAYED = kibitz.play("love-letter", ["greedy", "random"], seed=1)


def test_a_record_comes_in_many_forms(tmp_path: Path) -> None:
    other = kibitz.play("pig:target=20", ["random", "random"], seed=2)
    path = tmp_path / "games.jsonl"
    write_records(path, [PLAYED.record, other.record])
    for given in (PLAYED, PLAYED.record, PLAYED.record.model_dump_json()):
        assert kibitz.replay(given) == PLAYED
    assert kibitz.replay(path, number=1) == PLAYED
    assert kibitz.replay(path) == kibitz.replay(str(path), number=2) == other
    with pytest.raises(kibitz.BadText, match="there is no game 3; it has 1 to 2"):
        kibitz.replay(path, number=3)


def test_a_forged_record_is_refused() -> None:
    forged = PLAYED.record.model_copy(update={"returns": [-1.0, 1.0]})
    with pytest.raises(kibitz.BadText, match="but the plays lead to"):
        kibitz.replay(forged)


def test_its_positions_go_from_the_start_to_the_end() -> None:
    positions = PLAYED.positions
    assert len(positions) == len(PLAYED.plays) + 1
    assert positions[0] == kibitz.make_game("love-letter").start(1)
    assert positions[-1].returns == PLAYED.returns
    for before, text, after in zip(positions, PLAYED.plays, positions[1:], strict=False):
        assert before.play(text) == after
    chance = kibitz.play("pig:target=10", ["random", "random"], seed=3)
    assert chance.positions[-1].is_over and len(chance.log) == len(chance.plays)


def test_it_tells_what_the_command_tells(tmp_path: Path) -> None:
    write_records(tmp_path / "r.jsonl", [PLAYED.record])
    printed = kibitz_here("replay", "r.jsonl", home=tmp_path).stdout
    assert printed == f"Game 1: {PLAYED!r}\n"
    assert "<pre" in PLAYED._repr_html_()
    assert (
        repr(PLAYED.record)
        == str(PLAYED.record)
        == ("<Record of love-letter, seed 1: greedy, random; 5 plays, result [1.0, -1.0]>")
    )


def test_its_log_is_what_everybody_saw() -> None:
    assert PLAYED.log[0] == "seat 1 plays Priest on seat 2: he sees the card"
    assert not any("you" in line for line in PLAYED.log)


def test_a_game_that_is_not_over() -> None:
    cut = PLAYED.record.model_copy(update={"plays": PLAYED.record.plays[:2], "returns": None})
    half = kibitz.replay(cut)
    assert half.returns == () and [row["result"] for row in half.rows()] == [None, None]
    assert repr(half).splitlines()[-1].strip() == "not over yet"
    assert "not over yet" in repr(cut)


def test_a_game_of_ones_own() -> None:
    played = kibitz.play(Nim(), ["random", "random"], seed=1)
    assert kibitz.replay(played) == played
    with pytest.raises(kibitz.BadText, match="there is no game 'nim'"):
        kibitz.replay(played.record)
    assert kibitz.replay(played.record, game=Nim()) == played


class Witness(kibitz.Strategy):
    """Tells what it was shown."""

    name = "witness"
    title = "tells what it was shown"

    def sit(self, game: object, seat: int, rng: object) -> kibitz.Player:
        return WitnessPlayer()


class WitnessPlayer(kibitz.Player):
    def choose(self, view: kibitz.View[object]) -> object:
        return view.plays()[0]

    def explain(self, view: kibitz.View[object]) -> Explanation:
        seen = [str(play) for _, play in view.past]
        return Explanation(view.plays()[0], "", (), sentence=f"{view.seat}", why=(*view.log, *seen))


def test_who_explains_knows_what_was_played_before() -> None:
    explanation = kibitz.explain(PLAYED.positions[2], by=Witness())
    assert explanation.sentence == "0"
    assert explanation.why == (
        "you play Priest on seat 2: you see the Guard",
        "seat 2 plays Guard on you, naming King: wrong",
        "priest>2", "guard>1=king",
    )  # fmt: skip


def test_explain_is_what_the_command_prints(tmp_path: Path) -> None:
    import json

    text = "face_up=king prince handmaid; hand1=guard baron"
    args = ("explain", "love-letter", "--position", text, "--strategy", "greedy", "--json")
    (printed,) = json.loads(kibitz_here(*args, home=tmp_path).stdout)["strategies"]
    explained = kibitz.explain(kibitz.Position.parse("love-letter", text), by="greedy")
    assert printed["best"] == str(explained.best)
    assert [(one["play"], one["score"]) for one in printed["reasons"]] == [
        (row["play"], row["score"]) for row in explained.rows()
    ]


def test_without_a_name_a_strong_fair_one_explains() -> None:
    position = kibitz.make_game("tic-tac-toe").position_of("board=xx./oo./...")
    assert str(kibitz.explain(position).best) == "c1"
    with pytest.raises(kibitz.BadText, match="over: there is nothing to decide"):
        kibitz.explain(PLAYED.positions[-1])
