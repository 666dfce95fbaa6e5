"""`kibitz graph`: what it prints and writes, and what it refuses before it writes anything."""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kibitz.graph.text import parse_graph
from tests import processes
from tests.cli.test_solve import BROKEN, LECTURE, STONES, written
from tests.processes import assert_refused, complaints, kibitz, kibitz_here

Done = subprocess.CompletedProcess[str]


def drawn(home: Path, *args: str | Path, run: Any = kibitz_here) -> str:
    """What it prints."""
    done: Done = run("graph", *args, home=home)
    assert (done.returncode, complaints(done)) == (0, [])
    return done.stdout


refused = partial(processes.refused, "graph")


def names(home: Path) -> list[str]:
    return sorted(file.name for file in home.iterdir())


def edges(dot: str) -> int:
    return len(re.findall(r'^  "\S+" -> "\S+" \[', dot, re.M))


# -- what it draws -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "nodes"),
    [
        (["divisible-by-four"], 22),
        (["divisible-by-four", "--merge"], 17),
        (["twenty-one"], 274),
        (["twenty-one", "--merge"], 34),
        (["coin-game", "--depth", "1"], 3),
        (["tic-tac-toe", "--nodes", "10"], 10),
        (["twenty-one", "--position", "sum=16; turn=2", "--merge"], 7),
    ],
)
def test_dot_is_printed(tmp_path: Path, args: list[str], nodes: int) -> None:
    dot = drawn(tmp_path, *args)
    assert dot.startswith("digraph kibitz {\n") and dot.endswith("}\n")
    assert len(re.findall(r'id="node-', dot)) == nodes
    if "--merge" not in args:
        assert edges(dot) == nodes - 1
    assert names(tmp_path) == []


def test_the_same_command_prints_the_same(tmp_path: Path) -> None:
    args = ("coin-game", "--algorithm", "mcts", "--samples", "30", "--seed", "3")
    assert drawn(tmp_path, *args, run=kibitz) == drawn(tmp_path, *args)


@pytest.mark.parametrize("ending", ["dot", "mmd", "svg", "png", "graph"])
def test_files(tmp_path: Path, ending: str) -> None:
    output = drawn(tmp_path, "divisible-by-four", "-o", f"x.{ending}")
    assert output.splitlines() == ["divisible-by-four: 22 nodes", f"x.{ending}"]
    assert names(tmp_path) == [f"x.{ending}"]
    start = {"svg": b"<?xml", "png": b"\x89PNG", "mmd": b"---\n", "dot": b"digraph"}
    content = (tmp_path / f"x.{ending}").read_bytes()
    assert content.startswith(start.get(ending, b"title: divisible-by-four\n"))


def test_a_file_is_replaced(tmp_path: Path) -> None:
    written(tmp_path, "x.dot", "old")
    drawn(tmp_path, "coin-game", "-o", tmp_path / "x.dot")
    assert (tmp_path / "x.dot").read_text().startswith("digraph")
    assert names(tmp_path) == ["x.dot"]


def test_a_game_that_is_written_as_a_graph_is_that_game(tmp_path: Path) -> None:
    drawn(tmp_path, "twenty-one", "--merge", "-o", "x.graph")
    done = kibitz_here("solve", "x.graph", "--json", home=tmp_path)
    document = json.loads(done.stdout)
    assert (document["value"], document["label"], document["nodes"]) == (-1, "lost", 274)
    assert document["line"] == ["4", "4", "4", "6", "4"]
    assert drawn(tmp_path, "x.graph", "--merge").count('id="node-') == 34


@pytest.mark.parametrize("algorithm", ["mcts", "expectiminimax"])
def test_a_graph_with_a_search_is_a_graph_or_refused(tmp_path: Path, algorithm: str) -> None:
    args = ("coin-game", "--algorithm", algorithm, "-o", "x.graph")
    done = kibitz_here("graph", *args, home=tmp_path)
    if done.returncode:
        assert_refused(done)
        assert names(tmp_path) == []
    else:
        assert len(parse_graph((tmp_path / "x.graph").read_text()).nodes) == 15


def test_a_search_on_a_graph_s_file(tmp_path: Path) -> None:
    written(tmp_path, "my.graph", "title: The lecture\n" + LECTURE)
    output = drawn(tmp_path, "my.graph", "--algorithm", "alpha-beta", "-o", "x.dot", run=kibitz)
    assert output.startswith(
        "The lecture, alpha-beta: value 3, best line b 1, 11 nodes, 1 cut-off\n"
    )
    dot = (tmp_path / "x.dot").read_text()
    assert dot.count("✂ 2 ≤ α 3") == 2
    assert edges(dot) == 12


def test_a_game_in_python(tmp_path: Path) -> None:
    written(tmp_path, "stones.py", STONES)
    assert edges(drawn(tmp_path, "stones.py", run=kibitz)) == 53
    output = drawn(tmp_path, "stones.py", "--algorithm", "minimax", "--merge", "-o", "x.svg")
    assert "value 1 (won), best line 1 1 2 1 2" in output


# -- steps ---------------------------------------------------------------------------------


def test_steps_are_numbered_files(tmp_path: Path) -> None:
    written(tmp_path, "my.graph", LECTURE)
    args = ("my.graph", "--algorithm", "alpha-beta", "--steps")
    output = drawn(tmp_path, *args, "-o", "page.html").splitlines()[1]
    assert output == "page.html"
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    slider = re.search(r'<input id="slider" type="range" min="0" max="(\d+)"', page)
    assert slider
    count = int(slider[1]) + 1
    for ending in ("dot", "svg", "png", "mmd"):
        output = drawn(tmp_path, *args, "-o", f"x.{ending}").splitlines()[1]
        expected = [f"x-{i:03}.{ending}" for i in range(1, count + 1)]
        assert [name for name in names(tmp_path) if name.endswith(ending)] == expected
        assert output == f"{expected[0]} to {expected[-1]}: {count} pictures"
    assert "0/14:" in (tmp_path / "x-001.dot").read_text()
    assert "14/14:" in (tmp_path / "x-015.dot").read_text()


def test_steps_into_another_folder(tmp_path: Path) -> None:
    (tmp_path / "out put").mkdir()
    args = ("coin-game", "--algorithm", "star1", "--steps", "-o", "out put/a.b.dot")
    drawn(tmp_path, *args)
    assert names(tmp_path) == ["out put"]
    assert names(tmp_path / "out put")[0] == "a.b-001.dot"


# -- hidden cards --------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["ismcts", "pimc"])
def test_the_other_hand_is_not_shown(tmp_path: Path, algorithm: str) -> None:
    args = ("kuhn-poker", "--algorithm", algorithm, "--samples", "20")
    dot = drawn(tmp_path, *args)
    output = drawn(tmp_path, *args, "--steps", "-o", "x.html")
    for text in (dot, output, (tmp_path / "x.html").read_text(encoding="utf-8")):
        assert "hand2" not in text
    assert "hand1=" in dot
    assert "all cards open" in drawn(tmp_path, "kuhn-poker")


# -- bad input -----------------------------------------------------------------------------

MINIMAX = ["--algorithm", "minimax"]
BAD: dict[str, tuple[list[str], str]] = {
    "no game": ([], "GAME"),
    "unknown game": (["twenty-two"], "twenty-one"),
    "unknown flag": (["twenty-one", "--colour"], "--colour"),
    "no ending": (["twenty-one", "-o", "x"], ".svg"),
    "unknown ending": (["twenty-one", "-o", "x.jpg"], ".svg"),
    "only an ending": (["twenty-one", "-o", ".svg"], ".svg"),
    "no folder": (["twenty-one", "-o", "none/x.svg"], "no folder none"),
    "a folder": (["twenty-one", "-o", "."], "must end"),
    "unknown algorithm": (["twenty-one", "--algorithm", "maximin"], "alpha-beta"),
    "steps without algorithm": (["twenty-one", "--steps", "-o", "x.svg"], "--algorithm"),
    "steps without file": (["twenty-one", "--steps", *MINIMAX], "-o"),
    "steps as text": (["twenty-one", "--steps", *MINIMAX, "-o", "x.graph"], "--steps"),
    "page without steps": (["twenty-one", *MINIMAX, "-o", "x.html"], "--steps"),
    "nodes 0": (["twenty-one", "--nodes", "0"], "at least 1"),
    "nodes -1": (["twenty-one", "--nodes", "-1"], "at least 1"),
    "depth 0": (["twenty-one", "--depth", "0"], "at least 1"),
    "depth -3": (["twenty-one", "--depth", "-3"], "at least 1"),
    "depth 0 of a search": (["twenty-one", *MINIMAX, "--depth", "0"], "at least 1"),
    "samples 0": (["twenty-one", "--algorithm", "mcts", "--samples", "0"], "at least 1"),
    "samples of minimax": (["twenty-one", *MINIMAX, "--samples", "9"], "samples"),
    "samples of nothing": (["twenty-one", "--samples", "9"], "algorithm"),
    "weights of nothing": (["tic-tac-toe", "--depth", "2", "--weights", "twos=1"], "algorithm"),
    "bounds of nothing": (["coin-game", "--bounds", "-2,7"], "algorithm"),
    "bounds of minimax": (["twenty-one", *MINIMAX, "--bounds", "-1,1"], "bounds"),
    "weights without depth": (["tic-tac-toe", *MINIMAX, "--weights", "twos=1"], "depth"),
    "merge of mcts": (["twenty-one", "--algorithm", "mcts", "--merge"], "merge"),
    "chance for minimax": (["coin-game", *MINIMAX], "expectiminimax"),
    "hidden cards": (["kuhn-poker", *MINIMAX], "open cards"),
    "open cards": (["twenty-one", "--algorithm", "pimc"], "hides none"),
    "what comes back": (["pig", "--merge"], "tree"),
    "bad position": (["twenty-one", "--position", "sum=99"], "sum=99"),
    "not all as text": (["twenty-one", "--nodes", "50", "-o", "x.graph"], "ends"),
    "an end for ismcts": (
        ["kuhn-poker", "--algorithm", "ismcts", "--position", "hand1=J; hand2=K; bets=bet bet"],
        "seat is to move",
    ),
}


@pytest.mark.parametrize(("args", "tells"), BAD.values(), ids=BAD)
def test_bad_input(tmp_path: Path, args: list[str], tells: str) -> None:
    assert tells in refused(tmp_path, *args)


def test_bad_input_of_a_process(tmp_path: Path) -> None:
    done = kibitz("graph", written(tmp_path, "a.graph", "A max: A"), "-o", "x.svg", home=tmp_path)
    assert "a.graph, line 1: " in assert_refused(done)
    assert names(tmp_path) == ["a.graph"]


def test_a_huge_search_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.graph.drawing.SEARCHED", 3000)
    lines = [f"N{i} max: a -> N{i + 1}, b -> N{i + 1}" for i in range(19)]
    written(tmp_path, "wide.graph", "\n".join([*lines, "N19 end: 1"]))
    line = refused(tmp_path, "wide.graph", *MINIMAX, "-o", "x.dot")
    assert "3000 nodes" in line and "depth" in line
    assert "allow more" not in line, "there is no option for it"


@pytest.mark.parametrize("key", ["plays raise", "syntax error", "two classes", "missing methods"])
def test_a_broken_game_is_refused(tmp_path: Path, key: str) -> None:
    text, tells = BROKEN[key]
    assert tells in refused(tmp_path, written(tmp_path, "my.py", text), "-o", "x.dot")


@pytest.mark.parametrize("path", ["/proc/x.dot", "folder.dot", "file/x.dot"])
def test_what_can_not_be_written(tmp_path: Path, path: str) -> None:
    (tmp_path / "folder.dot").mkdir()
    (tmp_path / "file").touch()
    assert path.rpartition("/")[0] in refused(tmp_path, "coin-game", "-o", path)


def test_what_is_no_file_is_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.dot"
    os.mkfifo(pipe)
    kibitz_here("graph", "coin-game", "-o", pipe, home=tmp_path)
    assert pipe.is_fifo()


# -- how long it takes ---------------------------------------------------------------------


def test_time_grows_with_the_steps_not_with_their_square(tmp_path: Path) -> None:
    """One picture of the merged graph of tic-tac-toe must not take a minute."""

    def seconds(steps: int) -> float:
        lines = [f"N{i} max: N{i + 1}" for i in range(steps)]
        written(tmp_path, "long.graph", "\n".join([*lines, f"N{steps} end: 7"]))
        started = time.process_time()
        drawn(tmp_path, "long.graph", *MINIMAX, "--nodes", "3000", "-o", "x.dot")
        return time.process_time() - started

    seconds(10)  # imports
    few, many = (min(seconds(steps) for _ in range(3)) for steps in (250, 2000))
    assert many < 24 * few, "8 times the steps; their square is 64 times"
