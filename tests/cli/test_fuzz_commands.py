"""Random argument lists, and files with random damage: a command does what it is asked for, or says
in one line what is wrong. `KIBITZ_FUZZ` gives another seed, `KIBITZ_FUZZ_CASES` another number."""

from __future__ import annotations

import json
import os
import random
import shutil
import sqlite3
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from kibitz.arena.compare import compare
from kibitz.cli import COMMANDS, app
from kibitz.cli.commands.solve.command import SEARCHES, _command_of, _solvers
from kibitz.core.registry import make_game, make_strategy
from kibitz.table.record import PERSON, Record
from kibitz.table.table import Table, play_out
from tests.processes import ROOT, complaints, kibitz_here

SEED = os.environ.get("KIBITZ_FUZZ", "1")
CASES = int(os.environ.get("KIBITZ_FUZZ_CASES", "25"))
"""Of each command."""
ENDS = {0, 2, 130}
GAMES = [
    "twenty-one", "coin-game", "divisible-by-four", "kuhn-poker", "twenty-one:", "twenty-one:a=1",
    "own.py", "small.graph", "./own.py", "own.py:x=1", "kuhn-poker:players=2",
]  # fmt: skip
"""Small ones: whatever is asked of them does not take long."""
STRATEGIES = ["random", "random", "alpha-beta", "greedy", "minimax", "genetic:genome=genome.json"]
NUMBERS = ["-1", "0", "1", "2", "3", "1.5", "1e300", "nan", "-inf", "9" * 30, "9" * 5000, "", "x"]
TEXTS = [
    "", " ", "x", "[/bold]", "\udcff", "é", "%s{}", "a=b", ":", "=", ",", ";", "-", "--", "..", "/",
    "sum=1; turn=1", "sum=" + "9" * 5000, "turn=3", "1,2", "none", "a" * 3000, "\x1b[2J", "\n",
]  # fmt: skip
FILES = [
    "record.jsonl", "store.sqlite", "small.graph", "own.py", "genome.json", ".", "/", "missing",
    "missing/x", "/dev/null", "/dev/zero", "pipe", "own.py/x", "x" * 300, "out.dot", "out.graph",
]  # fmt: skip
PLAIN = {
    "games": [GAMES + STRATEGIES], "play": [GAMES], "compare": [GAMES, STRATEGIES, STRATEGIES],
    "agree": [GAMES, STRATEGIES, STRATEGIES], "runs": [FILES, ["1", "2", "0"]],
    "explain": [GAMES, ["--strategy"], STRATEGIES], "graph": [GAMES], "solve": [GAMES],
    "exploit": [GAMES, STRATEGIES], "study": [TEXTS, ["-o"], FILES], "replay": [FILES],
    "review": [FILES], "puzzle": [[*GAMES, "love-letter", "tablic"]],
    "train": [GAMES, STRATEGIES], "warm-up": [["whist", "", "x:y=1", "own.py/x", "/"]],
    "serve": [GAMES + FILES], "bot": [STRATEGIES], "check-bot": [["./missing", "bot:own.py", "."]],
}  # fmt: skip
"""What a command gets before its options."""
LONG = {"--cluster", "--help", "--open"}


@cache
def options(command: str) -> list[tuple[list[str], bool, str]]:
    """All of a command, from the command itself: names, whether it takes none, and its type."""
    group: Any = typer.main.get_command(app)
    made = [group.get_command(None, command)]
    if command == "solve":  # each game has its own
        made = [_command_of(module) for module in (SEARCHES, *_solvers().values())]
    return [
        (one.opts, one.is_flag, type(one.type).__name__)
        for one in (param for each in made for param in each.params)
        if one.opts[0].startswith("-") and not LONG & set(one.opts)
    ]


def arguments(command: str, rng: random.Random) -> list[str]:
    made = [rng.choice(pool + rng.choice([[], TEXTS])) for pool in PLAIN[command]]
    if command in ("warm-up", "serve"):  # without one it compiles everything, or goes on serving
        made = [rng.choice(PLAIN[command][0])]
    elif rng.random() < 0.1:
        del made[rng.randrange(len(made))]
    known = options(command)
    for names, is_flag, kind in rng.sample(known, min(len(known), rng.randrange(4))):
        made.append(rng.choice(names))
        if not is_flag:
            own = NUMBERS if "Int" in kind or "Float" in kind else TEXTS + GAMES + STRATEGIES
            made.append(rng.choice(FILES if "Path" in kind else own))
    return [command, *made]


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of files of every kind."""
    folder = tmp_path_factory.mktemp("intact")
    game, two = make_game("twenty-one"), [make_strategy("random")] * 2
    compare(game, two, 3, store=folder / "store.sqlite")
    begun = Record.of(Table(game, 1), [PERSON, "random"])
    over = Record.of(play_out(game, two, 2), ["random", "random"])
    (folder / "record.jsonl").write_text(over.model_dump_json() + "\n" + begun.model_dump_json())
    (folder / "genome.json").write_text(json.dumps({"strategy": "genetic", "genome": [1, 2, 3, 4]}))
    shutil.copy(ROOT / "examples" / "take_away.py", folder / "own.py")
    shutil.copy(ROOT / "examples" / "one_round.graph", folder / "small.graph")
    return folder


def check(args: list[str], home: Path, given: str = "1\nx\n?\nh\nu\nq\n") -> None:
    done = kibitz_here(*args, given=given, home=home)
    failure = f"KIBITZ_FUZZ={SEED}: {[arg[:50] for arg in args]}: {done.returncode}, {done.stderr}"
    assert done.returncode in ENDS | ({1} if args[0] == "check-bot" else set()), failure
    lines = [line for line in complaints(done) if not line.startswith("kibitz: compiling")]
    assert done.returncode != 2 or len(lines) == 1, failure
    assert "Traceback" not in done.stderr, failure


@pytest.mark.parametrize("command", COMMANDS)
def test_random_arguments(command: str, intact: Path, tmp_path: Path) -> None:
    rng = random.Random(f"{SEED} {command}")
    for i in range(CASES):
        args = [arg.replace("/dev/null", "null") for arg in arguments(command, rng)]
        home = tmp_path / str(i)
        shutil.copytree(intact, home)
        if "pipe" in args:
            (home / "pipe").mkdir()  # a real one would be waited for
        check(args, home)


def spoilt(content: bytes, rng: random.Random) -> bytes:
    """With a few bytes flipped, cut out, put in, or doubled; or a value replaced by another."""
    for _ in range(rng.randrange(1, 4)):
        at, to = sorted(rng.randrange(len(content) + 1) for _ in range(2))
        piece = rng.choice([b"", b"\0", b"9" * 5000, b"\xff", b"[" * 3000, b'"', b"-1", b"null"])
        content = rng.choice([
            content[:at] + piece + content[at:],
            content[:at] + piece + content[min(to, at + 9):],
            content[:to] + content[at:],
            content[:at],
            bytes(b ^ (1 << rng.randrange(8)) * (i == at) for i, b in enumerate(content)),
        ])  # fmt: skip
    return content


def forged(line: str, rng: random.Random) -> str:
    """A line of JSON in which one value is another."""
    record: dict[str, Any] = json.loads(line)
    odd: list[Any] = [
        None,
        -1,
        10**30,
        1e300,
        "",
        "x",
        "own.py",
        "9" * 5000,
        [],
        {},
        [[]],
        {"players": "3,a=1"},
    ]
    record[rng.choice([*record, "more"])] = rng.choice(odd)
    return json.dumps(record)


READ = {
    "record.jsonl": [["replay", "record.jsonl"], ["replay", "record.jsonl", "--positions"],
                     ["play", "--resume", "record.jsonl"],
                     ["explain", "twenty-one", "--record", "record.jsonl", "--strategy", "random"]],
    "store.sqlite": [["runs", "store.sqlite"], ["runs", "store.sqlite", "1"],
                     ["runs", "store.sqlite", "1", "--export", "out.csv"],
                     ["compare", "twenty-one", "random", "random", "--pairs", "4",
                      "--store", "store.sqlite", "--jobs", "1"]],
    "small.graph": [["solve", "small.graph"], ["graph", "small.graph"], ["games", "small.graph"]],
    "genome.json": [["compare", "tablic", "genetic:genome=genome.json", "random", "--pairs", "1",
                     "--jobs", "1"]],
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_random_damage(name: str, intact: Path, tmp_path: Path) -> None:
    rng = random.Random(f"{SEED} {name}")
    for i in range(CASES):
        home = tmp_path / str(i)
        shutil.copytree(intact, home)
        file = home / name
        if name == "record.jsonl" and rng.random() < 0.5:
            lines = file.read_text().splitlines()
            file.write_text("\n".join([*lines[:-1], forged(lines[-1], rng)]))
        else:
            file.write_bytes(spoilt(file.read_bytes(), rng))
        check(rng.choice(READ[name]), home)


def test_random_plans(intact: Path, tmp_path: Path) -> None:
    """In a store whose checksums are right."""
    from kibitz.arena.store.rows import row_checksum

    rng = random.Random(f"{SEED} plans")
    for i in range(CASES):
        home = tmp_path / str(i)
        shutil.copytree(intact, home)
        with sqlite3.connect(home / "store.sqlite") as database:
            table = rng.choice(["run", "part"])
            ((*row, _),) = database.execute(f"SELECT * FROM {table} LIMIT 1").fetchall()
            at = rng.randrange(1, len(row))
            if isinstance(row[at], str) and row[at].startswith("{") and rng.random() < 0.7:
                row[at] = forged(row[at], rng)
            else:
                row[at] = rng.choice(
                    [-1, 0, 10**15, "x", "[" * 100000, "{}", "9" * 5000, b"x", b""]
                )
            database.execute(f"DELETE FROM {table}")
            places = ", ".join("?" * len(row))
            database.execute(f"INSERT INTO {table} VALUES ({places}, ?)", (*row, row_checksum(row)))
        database.close()
        check(rng.choice(READ["store.sqlite"]), home)
