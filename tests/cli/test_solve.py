"""`kibitz solve` on games of the catalogue, on graphs' text files and on games in Python.

Drawing is in graph/test_command.py.
"""

from __future__ import annotations

import json
import os
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests import processes
from tests.processes import assert_refused, complaints, kibitz, kibitz_here

LECTURE = "A max: b -> B, c -> C, d -> D\nB min: 3, 12, 8\nC min: 2, 4, 6\nD min: 14, 5, 2\n"
STONES = '''"""Take one or two stones; who takes the last one wins."""

from kibitz import Game


class Stones(Game):
    labels = {"lost": -1, "won": 1}

    def deal(self, seed, first=0):
        return 7, first

    def mover(self, state):
        return state[1]

    def is_over(self, state):
        return state[0] == 0

    def plays(self, state):
        return [n for n in (1, 2) if n <= state[0]]

    def after(self, state, play):
        return state[0] - play, 1 - state[1]

    def returns(self, state):
        return (-1.0, 1.0) if state[1] == 0 else (1.0, -1.0)
'''
BUDGET = ("minimax", "minimax-merged", "alpha-beta", "alpha-beta-table")


def written(home: Path, name: str, text: str | bytes) -> str:
    """A file with this name; its name."""
    (home / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def solve(home: Path, *args: str | Path, process: bool = False) -> dict[str, Any]:
    """The document; nothing else may be on standard output."""
    done = (kibitz if process else kibitz_here)("solve", *args, "--json", home=home)
    assert (done.returncode, complaints(done)) == (0, [])

    def constant(word: str) -> None:
        raise AssertionError(f"{word} is not JSON")

    document: dict[str, Any] = json.loads(done.stdout, parse_constant=constant)
    return document


def shown(home: Path, *args: str | Path) -> list[str]:
    done = kibitz_here("solve", *args, home=home)
    assert (done.returncode, complaints(done)) == (0, [])
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in done.stdout and "None" not in done.stdout
    return lines


refused = partial(processes.refused, "solve")


# -- the games of the lab ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "value", "label", "line", "nodes"),
    [
        ("divisible-by-four", 0, "drawn", "2 3 1", 22),
        ("paper-rock-scissors", 3, "won", "paper scissors", 13),
        ("twenty-one", -1, "lost", "4 4 4 6 4", 274),
        ("coin-game", 3, None, "left", 15),
    ],
)
def test_lab_games(
    tmp_path: Path, game: str, value: float, label: str | None, line: str, nodes: int
) -> None:
    document = solve(tmp_path, game, process=True)
    assert list(document)[:5] == ["value", "label", "line", "nodes", "seconds"]
    assert (document["value"], document["label"]) == (value, label)
    assert isinstance(document["value"], float)
    assert (document["line"], document["nodes"]) == (line.split(), nodes)
    assert 0 < document["seconds"] < 10
    assert (document["game"], document["exact"]) == (game, True)
    names = ("expectiminimax", "star1", "star2") if game == "coin-game" else BUDGET
    entries = document["algorithms"]
    assert [entry["algorithm"] for entry in entries] == list(names)
    for entry in entries:
        assert set(entry) == {"algorithm", "nodes", "leaves", "cutoffs", "hits", "seconds"}
    assert entries[0]["nodes"] == nodes


def test_what_a_person_reads(tmp_path: Path) -> None:
    lines = shown(tmp_path, "divisible-by-four")
    assert "drawn" in lines[0]
    assert lines[1] == "best line: 2 3 1"
    assert any(line.split()[:2] == ["minimax", "22"] for line in lines)
    assert "seat 2 wins" in shown(tmp_path, "twenty-one")[0]
    assert "seat 1 wins" in shown(tmp_path, "paper-rock-scissors")[0]
    assert "then chance" in shown(tmp_path, "coin-game")[1]


def test_all_plays_lists_all_optimal_plays(tmp_path: Path) -> None:
    document = solve(tmp_path, "twenty-one", "--all-plays")
    assert document["optimal"] == [list("456"), list("456"), list("456"), ["6"], list("456")]
    assert "optimal" not in solve(tmp_path, "twenty-one")
    lines = shown(tmp_path, "twenty-one", "--all-plays")
    assert "  6" in lines
    text = "A max: x -> B, y -> C, z -> 1\nB min: 2, 5, 2\nC min: 2\n"
    document = solve(tmp_path, written(tmp_path, "a.graph", text), "--all-plays")
    assert (document["line"], document["optimal"]) == (["x", "1"], [["x", "y"], ["1", "3"]])


def test_all_plays_gives_the_exact_value_of_each(tmp_path: Path) -> None:
    """Alpha-beta alone knows no more of the others than that they are no better."""
    name = written(tmp_path, "my.graph", LECTURE)
    quick = solve(tmp_path, name, "--algorithm", "alpha-beta")["plays"]
    assert quick["b"] == "= 3" and quick["c"] == "≤ 3"
    exact = solve(tmp_path, name, "--algorithm", "alpha-beta", "--all-plays")["plays"]
    assert exact == {"b": "= 3", "c": "= 2", "d": "= 2"}
    reply = solve(tmp_path, name, "--position", "node=D", "--all-plays")["plays"]
    assert reply == {"1": "= 14", "2": "= 5", "3": "= 2"}


def test_position(tmp_path: Path) -> None:
    document = solve(tmp_path, "twenty-one", "--position", "sum=16; turn=2")
    assert document["position"] == "sum=16; turn=2"
    assert (document["value"], document["line"]) == (-1, ["4", "4"]), "seat 1 must pass 21"
    ended = solve(tmp_path, "tic-tac-toe", "--position", "board=xxx/oo./...; turn=2")
    assert (ended["value"], ended["label"], ended["line"], ended["nodes"]) == (1, "won", [], 1)
    shown(tmp_path, "tic-tac-toe", "--position", "board=xxx/oo./...; turn=2", "--all-plays")


def test_depth(tmp_path: Path) -> None:
    document = solve(tmp_path, "connect-four", "--depth", "2")
    assert (document["exact"], document["label"], document["nodes"]) == (False, None, 57)
    assert len(document["line"]) == 2
    deep = solve(tmp_path, "divisible-by-four", "--depth", "9")
    assert (deep["exact"], deep["label"]) == (True, "drawn")
    assert "looking 2 plays ahead" in shown(tmp_path, "connect-four", "--depth", "2")[0]


def test_one_algorithm(tmp_path: Path) -> None:
    document = solve(tmp_path, "twenty-one", "--algorithm", "alpha-beta")
    assert [entry["algorithm"] for entry in document["algorithms"]] == ["alpha-beta"]
    assert document["nodes"] == 87


def test_an_algorithm_over_the_limit_is_left_out(tmp_path: Path) -> None:
    document = solve(tmp_path, "twenty-one", "--nodes", "100")
    assert [entry["nodes"] for entry in document["algorithms"]] == [None, 34, 87, 37]
    assert (document["value"], document["nodes"]) == (-1, 34)
    assert any("over the limit" in line for line in shown(tmp_path, "twenty-one", "--nodes", "100"))


def test_a_huge_game_is_refused_in_one_line(tmp_path: Path) -> None:
    assert "2000 nodes" in refused(tmp_path, "connect-four", "--nodes", "2000")
    assert "set a depth" in refused(tmp_path, "pig", "--nodes", "20000")


def test_bounds_are_for_the_searches_that_use_them(tmp_path: Path) -> None:
    """Without an algorithm all that suit are run, and some of them do not know bounds."""
    document = solve(tmp_path, "coin-game", "--bounds", "-2,7")
    assert document["value"] == 3
    wide = solve(tmp_path, "coin-game", "--bounds", "none", "--algorithm", "star1")
    assert wide["value"] == 3
    assert "outside" in refused(tmp_path, "coin-game", "--bounds", "0,1", "--algorithm", "star1")


def test_a_sampled_value_is_said_to_be_one(tmp_path: Path) -> None:
    lines = shown(tmp_path, "tic-tac-toe", "--algorithm", "mcts")
    assert "about" in lines[0]


def test_a_sampled_value_is_that_of_the_seat_it_is_said_to_be(tmp_path: Path) -> None:
    """Seat 2 to move wins at once with c2, so the value is about -1 for seat 1."""
    args = ("tic-tac-toe", "--position", "board=xx./oo./x..; turn=2", "--algorithm", "mcts")
    first = shown(tmp_path, *args)[0]
    assert ("value about -" in first) == ("for seat 1" in first), first
    assert solve(tmp_path, *args)["value"] < -0.9


def test_the_mean_of_won_and_lost_is_not_called_drawn(tmp_path: Path) -> None:
    name = written(tmp_path, "coin.graph", "A chance: heads -> won, tails -> lost\n")
    document = solve(tmp_path, name)
    assert (document["value"], document["label"]) == (0, None)
    assert "drawn" not in shown(tmp_path, name)[0]


# -- graphs --------------------------------------------------------------------------------


def test_a_graph(tmp_path: Path) -> None:
    document = solve(tmp_path, written(tmp_path, "my.graph", LECTURE), process=True)
    assert (document["value"], document["label"], document["line"]) == (3, None, ["b", "1"])
    assert (document["nodes"], document["position"]) == (13, "node=A")
    assert document["algorithms"][2]["nodes"] == 11
    assert document["plays"] == {"b": "= 3", "c": "= 2", "d": "= 2"}
    below = solve(tmp_path, "my.graph", "--position", "node=D")
    assert (below["value"], below["line"]) == (2, ["3"])


@pytest.mark.parametrize(
    "name", ["my graph.txt", "UPPER.GRAPH", "x.y.z", "grafén.graph", ".hidden"]
)
def test_a_graph_may_have_any_file_name(tmp_path: Path, name: str) -> None:
    assert solve(tmp_path, written(tmp_path, name, LECTURE))["value"] == 3
    assert solve(tmp_path, tmp_path / name)["game"] == str(tmp_path / name)


def test_a_deep_graph(tmp_path: Path) -> None:
    lines = [f"N{i} {'min' if i % 2 else 'max'}: N{i + 1}, {i}" for i in range(5000)]
    name = written(tmp_path, "deep.graph", "\n".join([*lines, "N5000 end: 7"]))
    assert solve(tmp_path, name)["value"] == 1


def test_bad_graphs_are_refused_with_file_and_line(tmp_path: Path) -> None:
    bad = {
        b"A max: B\nB foo: 3\n": "bad.graph, line 2: ",
        b"A max: A\n": "bad.graph, line 1: ",
        b"": "bad.graph, line 1: ",
        b"A max: 3\n\xff": "bad.graph, line 2: this is not UTF-8",
        b"A max: 1" + b"0" * 5000: "bad.graph, line 1: ",
    }
    for content, tells in bad.items():
        assert tells in refused(tmp_path, written(tmp_path, "bad.graph", content))
    line = refused(tmp_path, written(tmp_path, "bad.graph", "A max: B"))
    assert "bad.graph, line 1: play 1 leads to " in line


def test_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder.graph").mkdir()
    (tmp_path / "folder.py").mkdir()
    os.mkfifo(tmp_path / "pipe.graph")
    for name in (
        "none.graph",
        "none/none.graph",
        ".",
        "/",
        "folder.graph",
        "folder.py",
        "pipe.graph",
    ):
        assert name in refused(tmp_path, name)
    for name in ("folder.graph", "folder.py"):
        assert "no file folder" not in refused(tmp_path, name), "it is there, but a folder"


# -- games in Python -----------------------------------------------------------------------


def test_a_game_in_python(tmp_path: Path) -> None:
    document = solve(tmp_path, written(tmp_path, "stones.py", STONES), process=True)
    assert (document["value"], document["label"]) == (1, "won")
    assert document["line"] == ["1", "1", "2", "1", "2"]
    assert (document["nodes"], document["game"]) == (54, "stones.py")
    assert document["algorithms"][1]["nodes"] < 20


def changed(old: str, new: str) -> str:
    assert old in STONES
    return STONES.replace(old, new)


BROKEN: dict[str, tuple[str | bytes, str]] = {
    "syntax error": (changed("(Game):", "(Game)"), "line 6: "),
    "tabs and spaces": (changed("        return 7", "\treturn 7"), "line 10: "),
    "exception at import": (changed("\n\nclass", "\n1 / 0\nclass"), "line 5: ZeroDivisionError"),
    "module that is not there": ("import nothing_here\n" + STONES, "line 1: ModuleNotFoundError"),
    "two classes": (STONES + "\n\nclass Other(Stones):\n    pass\n", "Stones, Other"),
    "no class": ("x = 1\n", "none"),
    "empty": ("", "none"),
    "not derived from Game": (changed("(Game)", ""), "none"),
    "missing methods": (changed("def plays", "def playz"), "still needs: plays"),
    "plays raise": (changed("return [n for", "return [1 / 0 for"), "line 19: ZeroDivisionError"),
    "returns raise": (changed("return (-1.0", "return 1 / 0, (-1.0"), "line 25: ZeroDivisionError"),
    "returns give nothing": (changed("return (-1.0, 1.0)", "(-1.0, 1.0)"), "returns"),
    "returns give nan": (changed("(-1.0, 1.0)", "(float('nan'), 1.0)"), "nan"),
    "no plays, but not over": (changed("if n <= state[0]", "if n > 99"), "not over"),
    "an unknown seat": (changed("return state[1]\n", "return 5\n"), "5 is to move"),
    "the constructor raises": (
        changed("    labels", "    def __init__(self):\n        1 / 0\n\n    labels"),
        "line 8: ZeroDivisionError",
    ),
    "it ends the program": ("import sys\nsys.exit(0)\n" + STONES, "line 2: "),
    "endless": (changed("state[0] - play,", "state[0],"), "limit"),
    "endless recursion": (changed("return 7, first", "return self.deal(1)"), "line 10: Recursion"),
    "NUL": (STONES + "\0", ""),
    "not UTF-8": (STONES.encode() + b"x = '\xff'\n", ""),
}


@pytest.mark.parametrize(("text", "tells"), BROKEN.values(), ids=BROKEN)
def test_a_broken_game_is_refused_with_the_reason(
    tmp_path: Path, text: str | bytes, tells: str
) -> None:
    line = refused(tmp_path, written(tmp_path, "my.py", text), "--nodes", "20000")
    assert "my.py" in line or tells == "limit"
    assert tells in line
    assert "line None" not in line


def test_an_error_in_a_game_is_one_line_of_a_process_too(tmp_path: Path) -> None:
    name = written(tmp_path, "my.py", BROKEN["plays raise"][0])
    assert "my.py, line 19" in assert_refused(kibitz("solve", name, home=tmp_path))


FINE = {
    "states that are lists": changed("return 7, first", "return [7, first]").replace(
        "return state[0] - play, 1 - state[1]", "return [state[0] - play, 1 - state[1]]"
    ),
    "blank docstring": changed("(Game):", '(Game):\n    """ """'),
    "an alias": STONES + "\n\nNim = Stones\n",
    "another class beside it": STONES + "\n\nclass Other:\n    pass\n",
    "BOM": "\ufeff" + STONES,
    "CRLF": STONES.replace("\n", "\r\n"),
    "a title": changed("    labels", "    title = 'Stones'\n    labels"),
}


@pytest.mark.parametrize("text", FINE.values(), ids=FINE)
def test_a_game_that_is_written_in_another_way(tmp_path: Path, text: str) -> None:
    assert solve(tmp_path, written(tmp_path, "my.py", text))["value"] == 1


SWAP = '''"""Chance deals each a card of three; seat 1 may swap, the higher card wins."""

from kibitz import CHANCE, Chance, Game, Traits, View
from kibitz.jit.rng import below


class Swap(Game):
    traits = Traits(chance=Chance.PLAY, hidden=True)

    def deal(self, seed, first=0):
        return (), first, False  # cards, who decides, is it over?

    def mover(self, state):
        return CHANCE if len(state[0]) < 2 else state[1]

    def is_over(self, state):
        return state[2]

    def plays(self, state):
        if len(state[0]) < 2:
            return [card for card in (1, 2, 3) if card not in state[0]]
        return [] if state[2] else ["keep", "swap"]

    def after(self, state, play):
        cards, decides, _ = state
        if len(cards) < 2:
            return (*cards, play), decides, False
        return (cards[::-1] if play == "swap" else cards), decides, True

    def returns(self, state):
        return (1, -1) if state[0][0] > state[0][1] else (-1, 1)

    def view(self, state, seat):
        cards = tuple(card if i == seat else None for i, card in enumerate(state[0]))
        return View(self, seat, (cards, *state[1:]))

    def redeal(self, view, rng):
        left = [card for card in (1, 2, 3) if card not in view.state[0]]
        cards = [card or left.pop(below(rng, len(left))) for card in view.state[0]]
        return tuple(cards), *view.state[1:]
'''
BEST = {1: (["swap"], 1, 0), 2: (["keep"], 0, 0.3), 3: (["keep"], 1, 0)}
"""By the card that is dealt: the best play, what it wins on average, and four standard errors of
that in 200 worlds."""


@pytest.mark.parametrize("algorithm", ["ismcts", "pimc"])
def test_chance_deals_before_a_search_that_needs_a_view(tmp_path: Path, algorithm: str) -> None:
    name = written(tmp_path, "swap.py", SWAP)
    dealt = set()
    for seed in map(str, range(6)):
        document = solve(tmp_path, name, "--algorithm", algorithm, "--seed", seed)
        card = int(document["position"][2])
        assert document["position"] == f"(({card}, None), 0, False)"
        line, wins, error = BEST[card]
        assert card == 2 or document["line"] == line
        assert document["value"] == pytest.approx(wins, abs=error)
        dealt.add(card)
    assert dealt == {1, 2, 3}
    shown = kibitz_here("solve", name, "--algorithm", algorithm, home=tmp_path).stdout
    assert "seat 1 sees: ((" in shown
    drawn = kibitz_here("graph", name, "--algorithm", algorithm, home=tmp_path)
    assert (drawn.returncode, drawn.stdout[:7]) == (0, "digraph")


def test_a_line_through_dealt_worlds_is_not_played_on_in_the_true_one(tmp_path: Path) -> None:
    """There the second seat may not hold what it played in a world that was dealt."""
    args = ("solve", "love-letter", "--algorithm", "ismcts")
    assert "2=baron guard>1" in kibitz_here(*args, home=tmp_path).stdout


# -- bad input -----------------------------------------------------------------------------

BAD: dict[str, tuple[list[str], str]] = {
    "no game": ([], "GAME"),
    "unknown game": (["twenty-two"], "twenty-one"),
    "unknown flag": (["twenty-one", "--fast"], "--fast"),
    "two games": (["twenty-one", "coin-game"], "coin-game"),
    "flag without value": (["twenty-one", "--depth"], "--depth"),
    "unknown algorithm": (["twenty-one", "--algorithm", "maximin"], "alpha-beta"),
    "chance for minimax": (["coin-game", "--algorithm", "minimax"], "expectiminimax"),
    "hidden cards": (["kuhn-poker"], "open cards"),
    "open cards, ismcts": (["twenty-one", "--algorithm", "ismcts"], "hides none"),
    "three players": (["love-letter:players=3"], "love-letter"),
    "depth 0": (["twenty-one", "--depth", "0"], "at least 1"),
    "depth -1": (["twenty-one", "--depth", "-1"], "at least 1"),
    "depth no number": (["twenty-one", "--depth", "deep"], "--depth"),
    "nodes 0": (["twenty-one", "--nodes", "0"], "at least 1"),
    "nodes no number": (["twenty-one", "--nodes", "1e6"], "--nodes"),
    "all with depth": (["twenty-one", "--all-plays", "--depth", "2"], "--depth"),
    "weights without depth": (["tic-tac-toe", "--weights", "twos=1"], "depth"),
    "unknown feature": (["tic-tac-toe", "--depth", "2", "--weights", "fours=1"], "fours"),
    "weight no number": (["tic-tac-toe", "--depth", "2", "--weights", "twos=x"], "twos=x"),
    "weight nan": (["tic-tac-toe", "--depth", "2", "--weights", "twos=nan"], "finite"),
    "weight without =": (["tic-tac-toe", "--depth", "2", "--weights", "twos"], "name=number"),
    "one bound": (["coin-game", "--bounds", "1"], "LOW,HIGH"),
    "bounds no numbers": (["coin-game", "--bounds", "a,b"], "bounds=a"),
    "bounds nan": (["coin-game", "--bounds", "nan,1"], "finite"),
    "bounds reversed": (["coin-game", "--bounds", "7,-2", "--algorithm", "star1"], "lower bound"),
    "bounds for minimax": (["twenty-one", "--bounds=-1,1", "--algorithm", "minimax"], "bounds"),
    "depth for mcts": (["twenty-one", "--depth", "2", "--algorithm", "mcts"], "depth"),
    "bad position": (["twenty-one", "--position", "sum=99"], "sum=99"),
    "position that can't be": (["twenty-one", "--position", "sum=1; turn=1"], "not possible"),
    "seed no number": (["twenty-one", "--seed", "x"], "--seed"),
    "option of a game without options": (["twenty-one:x=1"], "none"),
    "samples of a tree search": (["twenty-one", "--samples", "9"], "no option samples"),
}


@pytest.mark.parametrize(("args", "tells"), BAD.values(), ids=BAD)
def test_bad_input(tmp_path: Path, args: list[str], tells: str) -> None:
    assert tells in refused(tmp_path, *args)


WITH_FILES: dict[str, tuple[list[str], str]] = {
    "options of a graph": (["a.graph:x=1"], "options"),
    "unknown node": (["a.graph", "--position", "Z"], "'Z'"),
    "a graph has no features": (["a.graph", "--depth", "1", "--weights", "x=1"], "'x'"),
    "too few nodes": (["a.graph", "--nodes", "6"], "6 nodes"),
    "unknown option": (["b.py:stones=3"], "'stones'"),
    "no positions": (["b.py", "--position", "3"], "positions"),
}


@pytest.mark.parametrize(("args", "tells"), WITH_FILES.values(), ids=WITH_FILES)
def test_bad_input_with_files(tmp_path: Path, args: list[str], tells: str) -> None:
    written(tmp_path, "a.graph", LECTURE)
    written(tmp_path, "b.py", STONES)
    assert tells in refused(tmp_path, *args)


def test_a_search_for_hidden_cards_shows_no_more_than_the_view(tmp_path: Path) -> None:
    document = solve(tmp_path, "kuhn-poker", "--algorithm", "pimc", "--samples", "5")
    assert "hand1=" in document["position"] and "hand2" not in document["position"]


# -- Tablić with the deck known -------------------------------------------------------------

LATE = "table=Jd Ac 2s; hand1=Qh 9s; hand2=3c Kd; deck=none; dealer=2; turn=1"
NO_BONUS = "tablic:cards_bonus=none"


def test_a_position_of_tablic_is_solved(tmp_path: Path) -> None:
    args = ("solve", NO_BONUS, "--position", LATE)
    done = kibitz(*args, "--all-plays", "--json", home=tmp_path)
    assert (done.returncode, complaints(done)) == (0, [])
    document = json.loads(done.stdout)
    assert (document["value"], document["label"], document["exact"]) == (4, "won", True)
    assert len(document["line"]) == 4
    assert document["nodes"] > 0
    assert max(play["value"] for play in document["plays"].values()) == document["value"]
    assert document["plays"][document["line"][0]]["value"] == document["value"]
    shown = kibitz_here(*args, home=tmp_path).stdout
    assert "seat 1, who moves, wins" in shown and "+4" in shown
    assert f"best line: {document['line'][0]}" in shown


def test_threads_begin_together(tmp_path: Path) -> None:
    """Nothing is built yet when both want it."""
    args = ("solve", NO_BONUS, "--position", LATE, "--threads", "2", "--json")
    for _ in range(3):
        done = kibitz(*args, home=tmp_path)
        assert (done.returncode, complaints(done)) == (0, [])
        assert json.loads(done.stdout)["value"] == 4


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (("tablic", "--position", LATE), "missing: the piles"),
        (("tablic:players=3",), "2 players, not 3"),
        (("tablic", "--memory", "0"), "at least 1 MB"),
        ((NO_BONUS, "--position", "table=Zz"), "Zz"),
        ((NO_BONUS, "--position", LATE, "--depth", "3"), "for searches, with --algorithm NAME"),
        ((NO_BONUS, "--nodes", "3"), "takes --position, --seed, --all-plays, --memory, --threads"),
        (("twenty-one", "--threads", "2"), "not --threads: that is for love-letter and tablic"),
        (("twenty-one", "--memory=2"), "not --memory: that is for tablic"),
        (("tablic", "--algorithm", "pimc", "--memory", "2"), "for tablic, without --algorithm"),
        (("love-letter", "--all-plays"), "not --all-plays: that is for tablic and finite games"),
        (("twenty-one", "--all"), "--all-plays"),
        (("love-letter", "--all"), "--all-sets"),
    ],
)
def test_what_solving_a_deck_refuses(tmp_path: Path, args: tuple[str, ...], reason: str) -> None:
    assert reason in refused(tmp_path, *args)


# -- each game has its own options ---------------------------------------------------------

OWN = {
    "tablic": {"--position", "--seed", "--all-plays", "--memory", "--threads", "--json"},
    "love-letter": {
        "--face-up", "--position", "--all-sets", "--epsilon", "--threads", "--check", "--table",
        "--sets", "--cluster", "--books", "--keep", "--json",
    },
    "twenty-one": {
        "--position", "--seed", "--algorithm", "--all-plays", "--depth", "--weights", "--bounds",
        "--samples", "--nodes", "--json",
    },
}  # fmt: skip


@pytest.mark.parametrize("game", OWN)
def test_help_shows_the_options_of_a_game_and_no_others(tmp_path: Path, game: str) -> None:
    for args in ((game, "--help"), ("--help", game)):
        done = kibitz_here("solve", *args, home=tmp_path)
        assert (done.returncode, complaints(done)) == (0, [])
        assert f"kibitz solve {game} [OPTIONS]" in done.stdout
        options = done.stdout.partition("Options")[2]
        assert set(re.findall(r"^. (--[a-z-]+)", options, re.M)) == OWN[game] | {"--help"}


def test_every_option_of_another_game_is_refused_by_name(tmp_path: Path) -> None:
    for game, own in OWN.items():
        for option in set().union(*OWN.values()) - own - {"--algorithm"}:
            line = refused(tmp_path, game, option, "1")
            assert f"not {option}: that is for " in line
            assert all(flag in line for flag in own)


def test_help_without_a_game_says_where_to_look(tmp_path: Path) -> None:
    done = kibitz_here("solve", "--help", home=tmp_path)
    for game in OWN:
        assert f"kibitz solve {game} --help" in done.stdout
    searched = kibitz_here("solve", "tablic", "--algorithm", "pimc", "--help", home=tmp_path)
    assert "--samples" in searched.stdout and "--memory" not in searched.stdout


def test_options_may_stand_before_the_game(tmp_path: Path) -> None:
    before = solve(tmp_path, "--position", "sum=16; turn=2", "--nodes=500", "twenty-one")
    assert before["position"] == "sum=16; turn=2"
    assert "GAME" in refused(tmp_path, "--seed", "3")
