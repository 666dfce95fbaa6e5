"""Text files of graphs that are wrong: each is refused with the file, the line and the reason.

What good files mean is in test_meaning.py.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kibitz.core.errors import BadText
from kibitz.graph.text import parse_graph, read_graph

GOOD = "start max: left -> A, right -> 2\nA min: 3, 12, 8\n"


def refusal(text: str) -> tuple[int, str]:
    """The line that is blamed and the reason."""
    with pytest.raises(BadText) as caught:
        parse_graph(text, "my.graph")
    message = str(caught.value)
    assert message.startswith("my.graph, line "), message
    assert "\n" not in message
    line, colon, reason = message.removeprefix("my.graph, line ").partition(": ")
    assert colon and reason
    return int(line), reason


BAD = {
    "unknown kind": ("A max: B\nB maximum: 3", 2, "kind 'maximum'"),
    "kind in capitals": ("A MAX: 3", 1, "kind 'MAX'"),
    "no kind": ("A: 3, 4", 1, "NAME KIND"),
    "no name": ("max: 3, 4", 1, "NAME KIND"),
    "nothing before the colon": (": 3, 4", 1, "NAME KIND"),
    "three words": ("A big max: 3", 1, "NAME KIND"),
    "no colon": ("A max: B\nB min 3, 4", 2, "NAME KIND: plays"),
    "a lone word": ("A max: 3\nhello", 2, "NAME KIND: plays"),
    "header with a capital": ("Title: x\nA max: 3", 1, "NAME KIND"),
    "node twice": ("A max: B\nB min: 1\n\nB min: 2", 4, "already, in line 2"),
    "node twice, root": ("A max: B\nB min: 1\nA max: B", 3, "already, in line 1"),
    "unknown target": ("A max: B\nB min: x -> Bee", 2, "Bee"),
    "unknown target, plain": ("A max: B\nB min: C", 2, "no such node"),
    "target in other letters": ("A max: b\nB min: 1", 1, "no such node"),
    "leads nowhere": ("A max: x ->", 1, "leads nowhere"),
    "no name before the arrow": ("A max: -> 3", 1, "no name"),
    "comma at the end": ("A max: 3, 4,", 1, "play number 3"),
    "two commas": ("A max: 3,, 4", 1, "play number 2"),
    "self-loop": ("A max: B\nB min: 1, again -> B", 2, "B -> B"),
    "self-loop at the root": ("A max: A", 1, "A -> A"),
    "cycle of two": ("A max: B\nB min: A, 3", 1, "A -> B -> A"),
    "cycle below the root": ("A max: B\nB min: C\nC max: D, 2\nD min: B", 2, "B -> C -> D -> B"),
    "cycle out of reach": ("A max: 1\nB min: C\nC max: B", 2, "cycle"),
    "unreachable": ("A max: 1\nB max: C\nC end: 3", 2, "no play leads to node B"),
    "unreachable end": ("A max: 1\n\n# so\nB end: 2", 4, "no play leads to node B"),
    "no plays": ("A max: B\nB min:", 2, "no plays"),
    "no plays, chance": ("A chance:", 1, "no plays"),
    "no plays, comment": ("A max: # 3, 4", 1, "no plays"),
    "play twice": ("A max: x -> 1, y -> 2, x -> 3", 1, "play x is there twice"),
    "play twice, to one node": ("A max: x -> B, x -> B\nB end: 3", 1, "twice"),
    "play twice, counted": ("A max: 2 -> 1, 5", 1, "play 2 is there twice"),
    "label unknown": ("A max: B\nB end: winning", 2, "'winning'"),
    "label unknown, as a value": ("A max: x -> winning", 1, "winning"),
    "label of other labels": ("labels: good=1\nA max: won", 2, "good"),
    "label in capitals": ("A max: Won", 1, "Won"),
    "node called like a label": ("A max: won\nwon end: 3", 2, "label"),
    "node called like an own label": ("A max: 3\nlabels: A=1", 1, "label"),
    "label without a number": ("labels: good\nA max: 3", 1, "name=number"),
    "label with a word": ("labels: good=very\nA max: good", 1, "name=number"),
    "label with spaces": ("labels: good = 1\nA max: good", 1, "name=number"),
    "label that is a number": ("labels: 3=1\nA max: 3", 1, "name=number"),
    "label nan": ("labels: good=nan\nA max: good", 1, "name=number"),
    "label twice": ("labels: good=1 good=2\nA max: good", 1, "twice"),
    "label without end": ("labels: good=1e999\nA max: good", 1, "good=1e999"),
    "nan": ("A max: nan", 1, "nan"),
    "inf": ("A max: 3, inf", 1, "inf"),
    "minus inf": ("A max: 3, -inf", 1, "-inf"),
    "end nan": ("A max: B\nB end: nan", 2, "nan"),
    "end inf": ("A max: B\nB end: Infinity", 2, "Infinity"),
    "too large for a number": ("A max: 1e999", 1, "inf"),
    "400 digits": ("A max: 3\n# so\nB end: 1" + "0" * 400, 3, ""),
    "5000 digits": ("A max: 3\nB end: " + "9" * 5000, 2, ""),
    "underscore in a number": ("A max: 1_000", 1, "1_000"),
    "hexadecimal": ("A max: 0x10", 1, "0x10"),
    "two signs": ("A max: --3", 1, "--3"),
    "an end without a value": ("A max: B\nB end:", 2, "neither a number nor a label"),
    "an end with two values": ("A max: B\nB end: 3, 4", 2, "3, 4"),
    "an end with a play": ("A max: B\nB end: x -> 3", 2, "x -> 3"),
    "end outside the bounds": ("bounds: -2 2\nA max: 1, B\nB min: 0, 3", 3, "outside the bounds"),
    "end under the bounds": ("A max: B\nB end: -2.5\nbounds: -2 2", 2, "outside the bounds"),
    "label outside the bounds": ("bounds: 0 2\nA max: 1, lost", 2, "outside the bounds"),
    "bounds the other way round": ("bounds: 2 -2\nA max: 1", 1, "lower bound"),
    "one bound": ("bounds: 2\nA max: 1", 1, "two numbers"),
    "three bounds": ("bounds: 1 2 3\nA max: 1", 1, "two numbers"),
    "no bounds": ("bounds:\nA max: 1", 1, "two numbers"),
    "bounds with words": ("bounds: -2 to 2\nA max: 1", 1, "two numbers"),
    "bounds nan": ("bounds: nan 2\nA max: 1", 1, "two numbers"),
    "bounds inf": ("bounds: -inf inf\nA max: 1", 1, "two numbers"),
    "bounds without end": ("bounds: 0 1e999\nA max: 1", 1, "two numbers"),
    "bounds of 400 digits": ("bounds: 0 1" + "0" * 400 + "\nA max: 1", 1, ""),
    "title twice": ("title: a\nA max: 1\ntitle: b", 3, "already, in line 1"),
    "labels twice": ("labels: a=1\nlabels: b=1\nA max: 1", 2, "already, in line 1"),
    "bounds twice": ("bounds: 0 1\n\nbounds: 0 1\nA max: 1", 3, "already, in line 1"),
    "caption not closed": ('A max: B\nB "here min: 3', 2, "quotation mark"),
    "caption not opened": ('A max: B\nB here" min: 3', 2, "quotation mark"),
    "caption without kind": ('A max: B\nB "here": 3', 2, "kind"),
    "caption last": ('A max "here": 3', 1, "NAME KIND"),
    "two captions": ('A "x" "y" max: 3', 1, "NAME KIND"),
    "name begins with a digit": ("2A max: 3", 1, "begins with a letter"),
    "name is a number": ("2 max: 3", 1, "begins with a letter"),
    "name begins with _": ("_A max: 3", 1, "begins with a letter"),
    "name with a dash": ("A-B max: 3", 1, "letters, digits and _"),
    "name with a dot": ("A.B max: 3", 1, "letters, digits and _"),
    "an unnamed end as target": ("A max: 3, B\nB min: A.1", 2, "A.1"),
    "two arrows": ("A max: B\nB min: x -> y -> 3", 2, "x -> y"),
    "dots instead of an arrow": ("A max: x => 3", 1, "x => 3"),
    "NUL in a caption": ('A max: B\nB "x\0y" min: 1', 2, ""),
    "NUL in a play": ("A max: B\nB min: x\0y -> 1", 2, ""),
    "NUL in a name": ("A max: B\0\nB\0 min: 1", 1, ""),
    "NUL in a title": ("A max: B\nB min: 1\ntitle: x\0y", 3, ""),
    "NULs only": ("A max: 1\n\0\0\0", 2, ""),
    "Word file": ("PK\x03\x04\x14", 1, "a letter here"),
}


@pytest.mark.parametrize(("text", "line", "tells"), BAD.values(), ids=BAD)
def test_bad_graph_is_refused_with_the_line(text: str, line: int, tells: str) -> None:
    blamed, reason = refusal(text)
    assert blamed == line
    assert tells in reason
    assert len(reason) < 500, "one line is for a person to read"


CHANCES = {
    "more than 1 in all": ("1/2 a -> 1, 2/3 b -> 2", "not to 1"),
    "less than 1 in all": ("1/2 a -> 1, 1/3 b -> 2", "not to 1"),
    "a hair off": ("0.5 a -> 1, 0.5001 b -> 2", "not to 1"),
    "0": ("0 a -> 1, 1 b -> 2", "more than 0"),
    "0 by division": ("0/6 a -> 1, 6/6 b -> 2", "more than 0"),
    "negative": ("-1/2 a -> 1, 3/2 b -> 2", "more than 0"),
    "negative below": ("1/-2 a -> 1, 3/2 b -> 2", "more than 0"),
    "negative, as typeset": ("−1/2 a -> 1, 3/2 b -> 2", "more than 0"),
    "over 1": ("3/2 a -> 1", "at most 1"),
    "over 100 %": ("150% a -> 1", "at most 1"),
    "a die's numbers": ("1 -> 1, 2 -> 2, 3 -> 3", "at most 1"),
    "divided by 0": ("1/0 a -> 1, 1 b -> 2", "1/0"),
    "0 by 0": ("0/0 a -> 1, 1 b -> 2", "0/0"),
    "divided by a word": ("1/x a -> 1, 1 b -> 2", "1/x"),
    "not divided": ("1/ a -> 1, 1 b -> 2", "1/"),
    "partly given": ("1/2 a -> 1, b -> 2", "all outcomes, or of none"),
    "partly given, value": ("1/2 a -> 1, 2", "all outcomes, or of none"),
    "no space after it": ("1/2a -> 1, 1/2b -> 2", "1/2a"),
    "no arrow": ("1/2 3, 1/2 4", "1/2 3"),
    "without end": ("1e999 a -> 1, 1 b -> 2", "at most 1"),
    "400 digits": ("1/1" + "0" * 400 + " a -> 1, 1 b -> 2", ""),
    "outcome twice": ("1/2 a -> 1, 1/2 a -> 2", "twice"),
}


@pytest.mark.parametrize(("outcomes", "tells"), CHANCES.values(), ids=CHANCES)
def test_bad_probabilities_are_refused_with_the_line(outcomes: str, tells: str) -> None:
    line, reason = refusal(f"# a coin\nA max: coin\n\ncoin chance: {outcomes}\n")
    assert line == 4
    assert tells in reason


def test_a_probability_where_nobody_rolls_is_the_name_of_a_play() -> None:
    plays = parse_graph("A max: 1/2 x -> 1, 1/2 y -> 2").root.edges
    assert [(edge.play, edge.chance) for edge in plays] == [("1/2 x", None), ("1/2 y", None)]


@pytest.mark.parametrize(
    "text", ["", "\n", "\n\n", "# only\n\n  # comments", "title: x\nbounds: 0 1"]
)
def test_a_file_without_nodes_is_refused(text: str) -> None:
    line, reason = refusal(text)
    assert "no node" in reason
    assert 1 <= line <= max(1, len(text.splitlines()))


# -- lines are counted as every editor counts them ---------------------------------------


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_line_is_that_of_the_editor(tmp_path: Path, ending: str) -> None:
    file = tmp_path / "x.graph"
    file.write_bytes(ending.join(["# one", "", "A max: B", "# four", "B foo: 3"]).encode())
    with pytest.raises(BadText, match=r"x\.graph, line 5: there is no kind 'foo'"):
        read_graph(file)


@pytest.mark.parametrize("letter", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_only_line_ends_end_a_line(letter: str) -> None:
    """Python's splitlines knows more of them than editors do."""
    assert refusal(f"# a comment{letter} and\nA max: B\nB foo: 3")[0] == 3


# -- files that are none -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"\xff", 1),
        (b"A max: 1\n\xff\n", 2),
        (b"A max: 1\n# caf\xe9\n", 2),
        (b"A max: 1\r\n\r\n\xe9", 3),
        (b"\xef\xbb\xbfA max: 1\n\xff", 2),
        (b"\xef\xbb\xbf\n\n\n\xff", 4),
        ("A max: 1\n".encode("utf-16"), 1),
        (b"A max: 1\n" * 20_000 + b"\xff", 20_001),
    ],
)
def test_not_utf_8(tmp_path: Path, content: bytes, line: int) -> None:
    file = tmp_path / "x.graph"
    file.write_bytes(content)
    with pytest.raises(BadText) as caught:
        read_graph(file)
    assert str(caught.value) == f"{file}, line {line}: this is not UTF-8 text"


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadText, match="directory"):
        read_graph(tmp_path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadText, match=r"none\.graph: No such file"):
        read_graph(tmp_path / "none.graph")


def test_unreadable_file(tmp_path: Path) -> None:
    file = tmp_path / "x.graph"
    file.write_text(GOOD)
    file.chmod(0)
    if os.geteuid() == 0:
        file = Path("/proc/self/mem")  # not even the superuser reads its first byte
    with pytest.raises(BadText, match=str(file)):
        read_graph(file)


# -- large files -------------------------------------------------------------------------


def test_a_long_cycle_is_reported_in_one_line_that_can_be_read() -> None:
    lines = [f"N{i} max: N{i + 1}, {i}" for i in range(20_000)]
    line, reason = refusal("\n".join([*lines, "N20000 min: N0"]))
    assert line == 1
    assert "cycle" in reason
    assert len(reason) < 1000


def test_the_last_of_100_000_lines_is_blamed() -> None:
    lines = [f"N{i} max: N{i + 1}" for i in range(99_999)]
    assert refusal("\n".join([*lines, "N99999 foo: 3"]))[0] == 100_000
