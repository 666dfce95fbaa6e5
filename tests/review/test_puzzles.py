"""Puzzles: what is kept is right by the solvers, is asked and judged, and says what it shows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from kibitz.core.errors import BadText
from kibitz.core.registry import make_strategy
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.tablic.game import Tablic
from kibitz.jit.rng import stream
from kibitz.review.puzzle_making import MARGINS, is_puzzle
from kibitz.review.puzzle_values import PuzzleValue, love_letter_values, tablic_values
from kibitz.review.puzzles import (
    GAMES,
    LAST_DEAL,
    LAST_PLAY,
    OPEN_DECK,
    Puzzle,
    choose_puzzle,
    puzzles,
)
from tests.processes import assert_refused, kibitz_here


def check_puzzle(puzzle: Puzzle) -> None:
    """Refuse a puzzle that is not one: its values are those of the solver, the best play is best
    by the margin, and greedy plays another."""
    game, state = puzzle.state()
    solved: list[PuzzleValue]
    if isinstance(game, LoveLetter):
        solved = love_letter_values(game, state)
        assert (int(state[0].left) == 0) == (puzzle.kind == LAST_PLAY)
    else:
        assert isinstance(game, Tablic)
        solved = tablic_values(game, state)
        assert (int(state[0].dealt) == 52) == (puzzle.kind == LAST_DEAL)
    assert {each.play: (each.low, each.high) for each in solved} == puzzle.values
    assert is_puzzle(game.name, solved) and solved[0].play == puzzle.best
    greedy = make_strategy("greedy").sit(game, puzzle.seat - 1, stream(0))
    assert str(greedy.choose(puzzle.view())) == puzzle.greedy != puzzle.best
    assert "greedy" in puzzle.failed and len(puzzle.failed) <= puzzle.asked
    assert game.mover(state) == puzzle.seat - 1


@pytest.mark.parametrize("game", GAMES)
def test_every_puzzle_that_is_kept_is_one(game: str) -> None:
    every = puzzles(game)
    assert len(every) >= 24
    assert [puzzle.number for puzzle in every] == list(range(1, len(every) + 1))
    assert len({puzzle.position for puzzle in every}) == len(every)
    assert len({puzzle.grade for puzzle in every}) > 1
    for puzzle in every:
        check_puzzle(puzzle)


def test_the_unseen_cards_of_a_last_deal_are_the_others_hand() -> None:
    for puzzle in puzzles("tablic"):
        if puzzle.kind == LAST_DEAL:
            other = puzzle.open_cards()[f"seat {3 - puzzle.seat} holds"]
            assert sorted(puzzle.view().unseen) == sorted(other.split())  # type: ignore[attr-defined]
            assert "deck" not in puzzle.question
        else:
            assert puzzle.kind == OPEN_DECK and "open" in puzzle.question
            assert puzzle.open_cards()["still to be dealt"] != "none"


@pytest.mark.parametrize("game", GAMES)
def test_answers_are_judged_and_explained(game: str) -> None:
    puzzle = choose_puzzle(game, 3)
    assert puzzle == choose_puzzle(game, 3 + len(puzzles(game)))
    assert puzzle.verdict(puzzle.answer(puzzle.best)).startswith("Right")
    wrong = puzzle.verdict(puzzle.answer(puzzle.greedy))
    assert wrong == f"Not the best: {puzzle.greedy} {puzzle.worth(puzzle.greedy)}."
    said = puzzle.explanation()
    assert puzzle.best in said and puzzle.grade in said
    with pytest.raises(BadText):
        puzzle.answer("nonsense")
    easier = replace(puzzle, failed=("greedy",), asked=6)
    harder = replace(puzzle, failed=("greedy",) * 6, asked=6)
    assert (easier.grade, harder.grade) == ("easy", "hard")
    assert easier.explanation() != harder.explanation()


def test_nearly_equal_plays_are_no_puzzle() -> None:
    margin = MARGINS["tablic"]
    for ahead, yes in ((margin, True), (margin - 1, False)):
        assert is_puzzle("tablic", [PuzzleValue("a", ahead, ahead), PuzzleValue("b", 0, 0)]) is yes


def test_the_command_asks_judges_and_explains(tmp_path: Path) -> None:
    puzzle = choose_puzzle("tablic", 5)
    told = kibitz_here("puzzle", "tablic", "--seed", "5", given=f"{puzzle.best}\n", home=tmp_path)
    assert puzzle.question in told.stdout and "Right" in told.stdout
    told = kibitz_here("puzzle", "tablic", "--seed", "5", "--answer", puzzle.greedy, home=tmp_path)
    assert "Not the best" in told.stdout and puzzle.explanation() in told.stdout
    told = kibitz_here("puzzle", "love-letter", "--seed", "1", given="hm\n", home=tmp_path)
    assert "Right" not in told.stdout
    document = json.loads(kibitz_here("puzzle", "love-letter", "--json", home=tmp_path).stdout)
    assert document["solution"]["best"] in document["plays"]
    assert "love-letter, tablic" in assert_refused(kibitz_here("puzzle", "pig", home=tmp_path))
