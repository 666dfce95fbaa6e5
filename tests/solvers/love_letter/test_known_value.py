"""What a book or the user's table knows is read, and not solved again."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.solvers.love_letter import book
from kibitz.solvers.love_letter import solution as solving
from kibitz.solvers.love_letter.book import find_book, load_book
from kibitz.solvers.love_letter.known_value import known_value
from kibitz.solvers.love_letter.results_table import ResultsTable, Row, user_table
from kibitz.solvers.love_letter.solution import LoveLetterSolution
from kibitz.solvers.love_letter.solver import RoundSolution

FACE_UP, CARDS = "priest priest countess", (2, 2, 7)


class Solved(Exception):
    """Somebody began to solve."""


@pytest.fixture(autouse=True)
def nothing_stored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path))
    monkeypatch.setattr(solving, "known_bounds", lambda round_: None)

    def solved(*_: Any) -> RoundSolution:
        raise Solved

    monkeypatch.setattr(solving, "stored_solver", solved)


def written(low: float, high: float, deck: str = "published") -> None:
    row = Row(deck, FACE_UP, low, high, (high - low) / 2, 50, 1000, 9, 1.0, "0.2.0", "0", "2")
    ResultsTable(user_table()).enter(row)


def test_a_round_with_a_book_is_read_from_it(capsys: pytest.CaptureFixture[str]) -> None:
    solution = kibitz.solve("love-letter", face_up=FACE_UP)
    assert isinstance(solution, LoveLetterSolution)
    file = find_book(CARDS)
    assert file is not None
    assert list(solution.value) == load_book(file).header["value"]
    assert "the bounds are from its book 2-2-7.book, made by Kibitz " in repr(solution)
    document = solution.document()
    assert document["source"] == solution.source and document["value"] == list(solution.value)
    assert not {"iterations", "public_nodes", "seconds"} & document.keys()  # nobody knows them
    assert solution.rows()[0]["low"] == solution.value[0]
    assert capsys.readouterr().err == ""


def test_what_must_be_more_exact_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Solved):
        kibitz.solve("love-letter", face_up=FACE_UP, epsilon=0.0001)
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "takes minutes or hours" in said
    assert "(known so far: value 0.1" in said and "from its book 2-2-7.book" in said


def test_a_round_that_is_not_known_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    """The thesis's deck has no books."""
    with pytest.raises(Solved):
        kibitz.solve("love-letter:deck=thesis", face_up=FACE_UP)
    assert "known" not in capsys.readouterr().err


def test_the_narrower_bounds_count() -> None:
    book = known_value("published", CARDS)
    assert book is not None
    written(-0.5, 0.5)
    assert known_value("published", CARDS) == book
    written(0.1075, 0.1076)
    table = known_value("published", CARDS)
    assert table is not None and (table.low, table.high) == (0.1075, 0.1076)
    assert table.source == f"the table {user_table()}, made by Kibitz 0.2.0"


@pytest.mark.parametrize("content", [b"", b"\xff", b"name,value\n", b"folder", b"pipe", b"row"])
def test_a_damaged_table_is_passed_over_and_left_alone(
    content: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is only looked at here: what the book knows, or the solver finds, needs no table."""
    if content == b"folder":
        user_table().mkdir()
    elif content == b"pipe":
        os.mkfifo(user_table())
    elif content == b"row":
        written(0.1075, 0.1076)
        content = user_table().read_bytes().replace(b"0.1075", b"0.1074")
    if not user_table().exists() or user_table().is_file():
        user_table().write_bytes(content)
    solution = kibitz.solve("love-letter", face_up=FACE_UP)
    assert isinstance(solution, LoveLetterSolution) and "2-2-7.book" in (solution.source or "")
    said = capsys.readouterr().err
    assert said.startswith(f"kibitz: passed over: {user_table()}: ") and said.count("\n") == 1
    with pytest.raises(Solved):
        kibitz.solve("love-letter:deck=thesis", face_up=FACE_UP)
    assert user_table().is_dir() or user_table().is_fifo() or user_table().read_bytes() == content


def test_a_damaged_book_of_the_user_is_passed_over(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(book, "book_folders", lambda: [tmp_path])
    (tmp_path / "2-2-7.book").write_bytes(b"no book")
    assert known_value("published", CARDS) is None
    assert capsys.readouterr().err.startswith(f"kibitz: passed over: {tmp_path / '2-2-7.book'}")


def test_another_deck_has_rows_of_its_own() -> None:
    assert known_value("thesis", CARDS) is None
    written(0.1, 0.2, "thesis")
    known = known_value("thesis", CARDS)
    assert known is not None and known.epsilon == pytest.approx(0.05)
