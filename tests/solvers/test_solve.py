"""`kibitz.solve`: the same solutions as the command's, as values that show themselves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.core.solution import Solution
from kibitz.search.textbook.solving import FiniteSolution
from kibitz.solvers.love_letter.solution import LoveLetterSolution
from kibitz.solvers.tablic.solution import TablicSolution
from tests.processes import kibitz_here, with_own_cache

DEAL = "table=Jd Ac 2s; hand1=Qh 9s; hand2=3c Kd; deck=none; dealer=2; turn=1"
PUBLIC = "face_up=priest priest countess; discards1=guard baron; discards2=guard prince"


def printed(home: Path, *args: str) -> Any:
    done = kibitz_here("solve", *args, "--json", home=home)
    assert done.stderr == "" or "compiling" in done.stderr
    return json.loads(done.stdout)


def without_seconds(document: dict[str, Any]) -> dict[str, Any]:
    algorithms = [{**one, "seconds": 0} for one in document.get("algorithms", ())]
    return {**document, "seconds": 0, "algorithms": algorithms}


def test_a_finite_game(tmp_path: Path) -> None:
    solution = kibitz.solve("twenty-one", all_plays=True)
    assert isinstance(solution, FiniteSolution) and isinstance(solution, Solution)
    command = printed(tmp_path, "twenty-one", "--all-plays")
    assert without_seconds(command) == without_seconds(solution.document())
    assert (solution.value, solution.label, solution.exact) == (-1.0, "lost", True)
    assert solution.line[0] == solution.best and solution.optimal is not None
    assert len(solution.optimal) == len(solution.line)
    lines = repr(solution).splitlines()
    assert lines[0] == "twenty-one: seat 2 wins with best play: lost, value -1 for seat 1"
    assert lines[-2:] == ["best line: 4 4 4 6 4", "plays: 4 = -1, 5 = -1, 6 = -1"]
    assert "<table>" in solution._repr_html_()
    assert solution.to_frame()["algorithm"].tolist()[0] == "minimax"


def test_from_a_position_with_one_algorithm() -> None:
    position = kibitz.make_game("tic-tac-toe").position_of("board=xx./oo./...")
    solution = kibitz.solve(position, algorithm="alpha-beta")
    assert isinstance(solution, FiniteSolution)
    assert str(solution.best) == "c1" and len(solution.runs) == 1
    limited = kibitz.solve("connect-four", algorithm="alpha-beta", depth=3, weights={"threes": 0.1})
    assert isinstance(limited, FiniteSolution) and not limited.exact
    with pytest.raises(kibitz.BadText, match="true values"):
        kibitz.solve("twenty-one", all_plays=True, depth=2)


def test_tablic_with_the_deck_known(tmp_path: Path) -> None:
    game = kibitz.make_game("tablic:cards_bonus=none")
    solution = kibitz.solve(game.position_of(DEAL), all_plays=True, threads=1)
    assert isinstance(solution, TablicSolution)
    args = (game.spec, "--position", DEAL, "--all-plays", "--threads", "1")
    assert without_seconds(printed(tmp_path, *args)) == without_seconds(solution.document())
    assert (solution.value.points, solution.label, str(solution.best)) == (4, "won", "Qh x 2s Ac")
    assert [row["points"] for row in solution.rows()] == [4, 1, -4, -5]
    assert repr(solution).splitlines()[0].endswith("wins with best play, value +4 for seat 1")
    assert "font-weight: bold" in solution._repr_html_()
    alone = kibitz.solve(game.position_of(DEAL), threads=1)
    assert [row["play"] for row in alone.rows()] == ["Qh x 2s Ac"]


def test_tablic_that_is_not_known() -> None:
    position = kibitz.make_game("tablic").start(1)
    hidden = kibitz.Position(position.game, position.view().state)
    with pytest.raises(kibitz.BadText, match="it takes all cards; missing: hand2, deck"):
        kibitz.solve(hidden)


def test_a_round_of_love_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KIBITZ_CACHE", with_own_cache(tmp_path)["KIBITZ_CACHE"])
    solution = kibitz.solve("love-letter", public=PUBLIC, epsilon=0.01, threads=1)
    assert isinstance(solution, LoveLetterSolution)
    low, high = solution.value
    assert -1 < low <= high < 1 and solution.epsilon <= 0.01
    args = ("love-letter", "--position", PUBLIC, "--epsilon", "0.01", "--threads", "1")
    assert without_seconds(printed(tmp_path, *args)) == without_seconds(solution.document())
    assert repr(solution).splitlines()[0] == f"love-letter, {PUBLIC}"
    assert [*solution.rows()[0]][:3] == ["face_up", "low", "high"]
    assert "wins" in solution._repr_html_()


def test_which_round_of_love_letter_is_meant(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the position, the game's option or the argument: the three cards face up."""
    from kibitz.solvers.love_letter import solution as solving
    from kibitz.solvers.love_letter.solver import RoundSolution

    monkeypatch.setattr(solving, "stored_solver", lambda round_, threads: None)
    monkeypatch.setattr(solving, "solve_or_load", lambda *_: RoundSolution(-0.1, 0.1, 1, 1, 0.0))
    fixed = "love-letter:face_up=priest priest countess"
    dealt = kibitz.make_game("love-letter").start(seed=7)
    rounds = [
        kibitz.solve(fixed), kibitz.solve(kibitz.make_game(fixed).start(3)),
        kibitz.solve("love-letter", face_up="countess priest priest"), kibitz.solve(dealt),
    ]  # fmt: skip
    names = [one.document()["face_up"] for one in rounds]
    assert names == ["priest priest countess"] * 3 + ["guard priest prince"]
    with pytest.raises(kibitz.BadText, match="leave all else out"):
        kibitz.solve(dealt, public=PUBLIC)
