"""Files that are no records, or records that are not true: refused in one line, untouched."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.registry import make_game, make_strategy
from kibitz.table.record import PERSON, Record, write_records
from kibitz.table.table import Table, play_out
from tests.processes import assert_refused, kibitz, kibitz_here

FILE = "record.jsonl"
RANDOM = make_strategy("random")


def going_on() -> dict[str, Any]:
    """A game of Pig that a person has begun; the die showed what it shows with this seed."""
    table = Table(make_game("pig:target=20"), seed=5)
    table.play(table.game.parse_play(table.state, "roll"))
    return Record.of(table, [PERSON, "random"]).model_dump()


def over() -> dict[str, Any]:
    table = play_out(make_game("pig:target=20"), [RANDOM, RANDOM], seed=5)
    return Record.of(table, [PERSON, "random"]).model_dump()


def text(*records: dict[str, Any]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def changed(**fields: Any) -> bytes:
    return text({**going_on(), **fields})


def without(field: str) -> bytes:
    return text({key: value for key, value in going_on().items() if key != field})


BAD: dict[str, bytes] = {
    "empty": b"",
    "blank lines": b"\n \n",
    "binary": bytes(range(256)),
    "zeros": bytes(100),
    "no JSON": b"roll, hold, roll\n",
    "a number": b"3\n",
    "a list": b"[]\n",
    "another object": b'{"a": 1}\n',
    "deep": b"[" * 100_000 + b"\n",
    "truncated line": text(going_on())[:-20],
    "second line truncated": text(over()) + text(going_on())[:40],
    "no players": without("players"),
    "no seed": without("seed"),
    "unknown field": changed(colour="red"),
    "unknown game": changed(game="whist"),
    "game with options in its name": changed(game="pig:target=20", options={}),
    "unknown option": changed(options={"colour": "red"}),
    "option of a wrong type": changed(options={"target": [20]}),
    "option true for a number": changed(options={"target": True}),
    "option a fraction": changed(options={"target": 20.5}),
    "option no number": changed(options={"target": "many"}),
    "option out of range": changed(options={"target": 10**30}),
    "option endless": text(going_on()).replace(b'"target": 20', b'"target": 1e999'),
    "options no object": changed(options=[]),
    "seed a text": changed(seed="5"),
    "seed a fraction": changed(seed=5.5),
    "seed null": changed(seed=None),
    "endless seed": text(going_on()).replace(b'"seed": 5', b'"seed": ' + b"5" * 5000),
    "first 0": changed(first=0),
    "first 3 of 2": changed(first=3),
    "first huge": changed(first=10**30),
    "one player": changed(players=[PERSON]),
    "three players": changed(players=[PERSON, "random", "random"]),
    "players no list": changed(players=PERSON),
    "illegal play": changed(plays=["hold"]),
    "no play": changed(plays=["dance"]),
    "empty play": changed(plays=[""]),
    "play with markup": changed(plays=["[/bold]"]),
    "play no text": changed(plays=[1]),
    "chance that does not follow": changed(plays=["roll", "9"]),
    "wrong result": text({**over(), "returns": [0.0, 0.0]}),
    "result of too few": text({**over(), "returns": [1.0]}),
    "result of a game that goes on": changed(returns=[1.0, -1.0]),
    "no result": text({**over(), "returns": None}),
    "result not a number": changed(returns=[float("nan"), 1.0]),
    "plays after the end": text({**over(), "plays": [*over()["plays"], "roll"]}),
}
BAD_TO_RESUME: dict[str, bytes] = {
    "game is over": text(over()),
    "no person": changed(players=["random", "random"]),
    "two persons": changed(players=[PERSON, PERSON]),
    "unknown strategy": changed(players=[PERSON, "oracle"]),
    "other seed than its match": changed(match_seed=6),
    "second game of a game without matches": text(over(), going_on()),
    "two unfinished games": text(going_on(), going_on()),
}
IN_A_PROCESS = ("binary", "truncated line", "illegal play", "wrong result", "unknown game")
NO_UNICODE = text({**over(), "players": [PERSON, "\ud800"]})
"""JSON can spell half a character, which no terminal can show."""


@pytest.mark.parametrize("name", BAD)
def test_bad_record(tmp_path: Path, name: str) -> None:
    (tmp_path / FILE).write_bytes(BAD[name])
    command = kibitz if name in IN_A_PROCESS else kibitz_here
    for args in (["play", "--resume", FILE], ["replay", FILE]):
        assert_refused(command(*args, given="1\nq\n", home=tmp_path))
        assert (tmp_path / FILE).read_bytes() == BAD[name], "it stays as it was"
    assert [file.name for file in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize("name", BAD_TO_RESUME)
def test_bad_record_to_resume(tmp_path: Path, name: str) -> None:
    (tmp_path / FILE).write_bytes(BAD_TO_RESUME[name])
    assert_refused(kibitz_here("play", "--resume", FILE, given="1\nq\n", home=tmp_path))
    assert (tmp_path / FILE).read_bytes() == BAD_TO_RESUME[name]


def test_record_with_half_a_character(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(NO_UNICODE)
    done = kibitz_here("replay", FILE, home=tmp_path)
    assert done.returncode in (0, 2)


def test_rounds_that_do_not_follow_from_each_other(tmp_path: Path) -> None:
    game = make_game("love-letter")
    rounds = [
        Record.of(play_out(game, [RANDOM, RANDOM], seed), [PERSON, "random"], match_seed=1)
        for seed in (1, 2)
    ]
    write_records(tmp_path / FILE, rounds)
    line = assert_refused(kibitz_here("play", "--resume", FILE, home=tmp_path))
    assert "follow" in line


@pytest.mark.parametrize("what", ["missing", "folder"])
def test_no_record_at_all(tmp_path: Path, what: str) -> None:
    (tmp_path / "folder").mkdir()
    for args in (["play", "--resume", what], ["replay", what]):
        assert what in assert_refused(kibitz_here(*args, home=tmp_path))
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]


def test_good_record_is_taken(tmp_path: Path) -> None:
    """So that the bad ones are refused for what is bad in them."""
    (tmp_path / FILE).write_bytes(text(going_on()))
    for args in (["play", "--resume", FILE], ["replay", FILE]):
        assert kibitz_here(*args, given="q\n", home=tmp_path).returncode == 0
    (tmp_path / FILE).write_bytes(text(over()))
    assert kibitz_here("replay", FILE, home=tmp_path).returncode == 0
