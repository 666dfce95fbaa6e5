"""What `kibitz explain` refuses, each in one line that says why."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.test_explain import RECORD, STRENGTH, recorded
from tests.processes import assert_refused, kibitz_here

UP = "face_up=guard king priest"
BAD = {
    "nothing": (["love-letter"], "--position"),
    "both": (["love-letter", "--position", UP, "--record", RECORD], "--record"),
    "unknown game": (["whist", "--position", UP], "love-letter"),
    "no position": (["love-letter", "--position", "hand=guard"], "no 'hand'"),
    "own hand left out": (["love-letter", "--position", UP], "leaves out: hand1"),
    "drawn card left out": (["love-letter", "--position", f"{UP}; hand1=guard"], "the drawn card"),
    "shown card left out": (
        ["love-letter", "--position", f"{UP}; hand1=guard baron; known=1>2"],
        "leaves out: hand2",
    ),
    "own hand left out in tablic": (
        ["tablic", "--position", "table=9c; hand2=Ah 3d; deck=none; turn=1"],
        "leaves out: hand1",
    ),
    "own card left out": (["kuhn-poker", "--position", "hand2=Q"], "leaves out: hand1"),
    "board left out": (
        ["leduc-poker", "--position", "hand1=Q; round1=call call"],
        "leaves out: board",
    ),
    "no such world": (
        ["love-letter", "--position", f"{UP}; hand1=guard baron; not2={' '.join(STRENGTH)}"],
        "no placement of the unseen cards fits",
    ),
    "piles left out": (
        ["tablic", "--position", "table=9c; hand1=Ah 3d; deck=none"],
        "leaves out the piles",
    ),
    "another's turn": (
        ["love-letter", "--position", f"{UP}; hand1=guard baron", "--seat", "2"],
        "it is seat 1's turn here, not seat 2's",
    ),
    "no such seat": (
        ["love-letter", "--position", f"{UP}; hand1=guard baron", "--seat", "3"],
        "1 to 2",
    ),
    "it is over": (
        ["love-letter", "--position", f"{UP}; hand1=out; discards1=princess; turn=over"],
        "is over",
    ),
    "a turn without a record": (
        ["love-letter", "--position", f"{UP}; hand1=guard baron", "--turn", "1"],
        "--record",
    ),
    "unknown strategy": (
        ["love-letter", "--position", UP, "--strategy", "gredy"],
        "did you mean greedy",
    ),
    "strategy of another game": (
        ["love-letter", "--position", UP, "--strategy", "human"],
        "tablic",
    ),
    "no file": (["love-letter", "--record", "none.jsonl"], "none.jsonl"),
    "another game": (["tablic", "--record", RECORD], "is love-letter, not tablic"),
    "other options": (["love-letter:deck=thesis", "--record", RECORD], "not love-letter:deck"),
    "no such game": (["love-letter", "--record", RECORD, "--game", "2"], "1 to 1"),
    "no such turn": (["love-letter", "--record", RECORD, "--turn", "99"], "no turn 99"),
    "turn 0": (["love-letter", "--record", RECORD, "--turn", "0"], "no turn 0"),
    "not his turn": (
        ["love-letter", "--record", RECORD, "--turn", "1", "--seat", "2"],
        "turn 1 is seat 1's, not seat 2's",
    ),
}


@pytest.mark.parametrize(("args", "tells"), BAD.values(), ids=BAD)
def test_bad_input(tmp_path: Path, args: list[str], tells: str) -> None:
    recorded(tmp_path, "love-letter", 1)
    assert tells in assert_refused(kibitz_here("explain", *args, home=tmp_path))


def test_where_chance_moves_there_is_nothing_to_explain(tmp_path: Path) -> None:
    record = recorded(tmp_path, "pig:target=15", 1)
    game = record.make_game()
    outcome = next(i for i, play in enumerate(record.plays, 1) if play.isdecimal())
    state = game.after(game.deal(1), game.parse_play(game.deal(1), record.plays[0]))
    for args in (
        ["--record", RECORD, "--turn", str(outcome)],
        ["--position", game.position(state)],
    ):
        line = assert_refused(kibitz_here("explain", game.spec, *args, home=tmp_path))
        assert "chance" in line
