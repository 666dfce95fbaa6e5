"""What somebody else has written, a record or a store, opens no file and runs no code."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.compare import compare
from kibitz.arena.store.rows import row_checksum
from kibitz.core.errors import BadText
from kibitz.core.registry import make_game, make_strategy
from kibitz.table.record import PERSON, Record, replay
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Table, play_out
from tests.processes import ROOT, assert_refused, complaints, kibitz_here

TAKE_AWAY = (ROOT / "examples" / "take_away.py").read_text()
TRAP = "from pathlib import Path\nPath('sprung').touch()\n" + TAKE_AWAY
RANDOM = make_strategy("random")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """With a game in a file that leaves a trace when it is run, and one that is the same."""
    (tmp_path / "trap.py").write_text(TRAP)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "take_away.py").write_text(TAKE_AWAY)
    return tmp_path


def write_record(home: Path, **changes: Any) -> Path:
    game = make_game("pig:target=20")
    record = Record.of(Table(game, seed=5), [PERSON, "random"]).model_dump()
    file = home / "record.jsonl"
    file.write_text(json.dumps(record | changes) + "\n")
    return file


COMMANDS: list[list[str]] = [
    ["replay", "record.jsonl"],
    ["play", "--resume", "record.jsonl"],
    ["explain", "pig", "--record", "record.jsonl"],
    ["explain", "sub/take_away.py", "--record", "record.jsonl"],
]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["trap.py", "./trap.py", "sub/../trap.py"])
def test_a_record_runs_no_file(home: Path, command: list[str], name: str) -> None:
    write_record(home, game=name, options={})
    line = assert_refused(kibitz_here(*command, home=home))
    assert name in line
    assert not (home / "sprung").exists()


def test_nor_does_it_open_a_graph(home: Path) -> None:
    (home / "secret.graph").write_text("the secret")
    write_record(home, game="secret.graph", options={})
    for command in COMMANDS:
        line = assert_refused(kibitz_here(*command, home=home))
        assert "line 1" not in line and "secret.graph" in line


def test_the_refusal_says_what_to_type(home: Path) -> None:
    """And that works."""
    done = kibitz_here("play", "trap.py", "--record", "record.jsonl", given="q\n", home=home)
    assert "kibitz play trap.py --resume record.jsonl" in done.stdout
    for command in (*COMMANDS[:2], ["explain", "--record", "record.jsonl"]):
        line = assert_refused(kibitz_here(*command, home=home))
        typed = line.partition("name it: kibitz ")[2].split()
        assert kibitz_here(*typed, given="q\n", home=home).returncode == 0


def test_a_file_that_has_moved_is_named_where_it_is(home: Path) -> None:
    game = make_game(str(home / "sub" / "take_away.py"))
    write_record(home, **Record.of(Table(game, 1), [PERSON, "random"]).model_dump())
    assert_refused(kibitz_here("replay", "record.jsonl", "--game", "trap.py", home=home))
    shown = kibitz_here("replay", "record.jsonl", "--game", "sub/take_away.py", home=home)
    assert (shown.returncode, complaints(shown)) == (0, [])


def test_from_python_the_game_itself_is_given(home: Path) -> None:
    game = make_game(str(home / "sub" / "take_away.py"))
    record = Record.of(Table(game, 1), ["random"] * 2)
    with pytest.raises(BadText, match="give the game itself"):
        replay(record)
    assert replay(record, own=game).game is game


def test_an_option_is_one_option() -> None:
    """No text of one can hold another."""
    record = Record.of(Table(make_game("love-letter"), 1), ["random"] * 2).model_dump()
    for options in ({"players": "2,deck=thesis"}, {"players=2,deck": "thesis"}):
        with pytest.raises(BadText, match="players"):
            replay(Record.model_validate(record | {"options": options}))


def test_a_strategy_in_a_record_reads_no_file(home: Path) -> None:
    spec = "genetic:genome=g.json"
    genome = {"strategy": "genetic", "genome": [1, 1, 1, 1]}
    (home / "g.json").write_text(json.dumps(genome))
    table = Table(make_game("tablic"), GameSeeds(1))
    write_record(home, **Record.of(table, [PERSON, spec], match_seed=1).model_dump())
    play = ["play", "--resume", "record.jsonl"]
    assert "g.json" in assert_refused(kibitz_here(*play, home=home))
    other = assert_refused(kibitz_here(*play, "--against", "random", home=home))
    assert "leave out random" in other
    gone_on = kibitz_here(*play, "--against", spec, given="q\n", home=home)
    assert (gone_on.returncode, complaints(gone_on)) == (0, [])
    assert f"--against {spec}" in gone_on.stdout
    write_record(home, players=[PERSON, f"full-backtrack:against={spec}"])
    assert "g.json" in assert_refused(kibitz_here(*play, home=home))


def test_games_of_one_match_are_of_one_game(home: Path) -> None:
    rounds = []
    for name in ("tablic", "love-letter"):
        table = play_out(make_game(name), [RANDOM] * 2, seed=5)
        rounds.append(Record.of(table, [PERSON, "random"]))
    (home / "record.jsonl").write_text("".join(r.model_dump_json() + "\n" for r in rounds))
    line = assert_refused(kibitz_here("play", "--resume", "record.jsonl", home=home))
    assert "not all love-letter" in line


@pytest.mark.parametrize("field", ["players", "plays", "game", "kibitz"])
def test_a_record_does_not_speak_to_the_terminal(home: Path, field: str) -> None:
    escape = "\x1b[2J"
    write_record(home, **{field: [escape, escape] if field.startswith("play") else escape})
    assert "\x1b" not in assert_refused(kibitz_here("replay", "record.jsonl", home=home))


# -- stores ------------------------------------------------------------------------------------


def forged(
    home: Path, change: Callable[[dict[str, Any]], Any], machine: dict[str, Any] | None = None
) -> Path:
    """A store whose run has another plan or machine, and the right checksum."""
    file = home / "store"
    compare(make_game("pig:target=10"), [RANDOM] * 2, 3, store=file)
    database = sqlite3.connect(file)
    ((*row, _),) = database.execute("SELECT * FROM run").fetchall()
    plan = json.loads(row[1])
    row[1] = json.dumps(change(plan) or plan)
    row[5] = json.dumps(machine) if machine else row[5]
    database.execute("DELETE FROM run")
    database.execute("INSERT INTO run VALUES (?, ?, ?, ?, ?, ?, ?)", (*row, row_checksum(row)))
    database.commit()
    database.close()
    return file


def test_a_store_runs_no_file(home: Path) -> None:
    file = forged(home, lambda plan: plan.update(game="trap.py"))
    assert "trap.py" in kibitz_here("runs", file, home=home).stdout
    for args in (["1"], ["1", "--json"], ["1", "--game", "sub/take_away.py"]):
        assert "trap.py" in assert_refused(kibitz_here("runs", file, *args, home=home))
    assert kibitz_here("runs", file, "1", "--export", "out.csv", home=home).returncode == 0
    assert not (home / "sprung").exists()
    shown = kibitz_here("runs", file, "1", "--game", "trap.py", home=home)
    assert (shown.returncode, complaints(shown)) == (0, [])


@pytest.mark.parametrize(
    "change",
    [
        {"game": 3}, {"players": "xy"}, {"players": [1, 2]}, {"seats": 10**9}, {"seats": -1},
        {"seats": True}, {"seed": "x"}, {"limit": "x"}, {"unit": None}, {"more": 1},
        {"players": ["random"] * 60, "seats": 30}, {"seats": 10**30},
    ],
)  # fmt: skip
def test_a_plan_that_nobody_made_is_damage(home: Path, change: dict[str, Any]) -> None:
    file = forged(home, lambda plan: plan.update(change))
    if change != {"players": "xy"}:  # two players of one letter each
        assert "damaged" in assert_refused(kibitz_here("runs", file, home=home))
    assert_refused(kibitz_here("runs", file, "1", home=home))


def test_names_in_a_store_are_no_markup(home: Path) -> None:
    file = forged(home, lambda plan: plan.update(players=["[/bold]", "[red]random"]))
    assert "[red]random" in kibitz_here("runs", file, home=home).stdout
    assert_refused(kibitz_here("runs", file, "1", home=home))


def test_a_store_does_not_speak_to_the_terminal(home: Path) -> None:
    file = forged(home, lambda plan: plan.update(players=["\x1b[2Jrandom", "random\x07"]))
    listed = kibitz_here("runs", file, home=home)
    assert "[2Jrandom" in listed.stdout and not {"\x1b", "\x07"} & set(listed.stdout)
    file.unlink()
    file = forged(home, lambda plan: None, {"platform": "\x1b[2Jnowhere"})
    shown = kibitz_here("runs", file, "1", home=home)
    assert "[2Jnowhere" in shown.stdout and "\x1b" not in shown.stdout


def test_a_run_with_more_players_than_its_game_is_refused(home: Path) -> None:
    file = forged(home, lambda plan: plan.update(game="connect-four", seats=3, players=["a"] * 3))
    assert_refused(kibitz_here("runs", file, "1", home=home))
