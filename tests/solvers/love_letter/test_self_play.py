"""Rounds that a solution of Love Letter plays against itself, and what is counted of them."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core.errors import KibitzError
from kibitz.games.love_letter.cards import BARON, GUARD, KING, PRINCE, PRINCESS
from kibitz.games.love_letter.cards import unseen as unseen_after
from kibitz.solvers.love_letter.public_states import (
    GUARD_NAMES,
    LAID,
    PLAY_BARON,
    PLAY_HANDMAID,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
)
from kibitz.solvers.love_letter.self_play import COMPARED, GOES_ON, TURN, WINS, rounds_of
from kibitz.solvers.love_letter.solution_file import load_solution
from kibitz.solvers.love_letter.solver import Round, Solver
from tests.search.fast.arrays import compiled_only
from tests.solvers.love_letter.test_solution_file import line_of

pytestmark = compiled_only

RESULTS = Path(__file__).parents[3] / "docs" / "results"
ROUNDS = 40_000
UNSEEN = unseen_after("published", (1, 1, 2, 2, 3, 4, 6, 7))
"""Three Guards, two Princes, one Baron, Handmaid and Princess: five cards in the deck."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With the solution."""
    folder = tmp_path_factory.mktemp("solution")
    Solver(Round(UNSEEN), folder=folder).solve(1e-3)
    return folder


@pytest.fixture(scope="module")
def turns(folder: Path) -> Any:
    stored = load_solution(folder)
    subgames = ((*which, stored.files.policy_of(each)) for which, each in stored.subgames.items())
    return rounds_of(stored.tree, stored.opening, subgames, ROUNDS, 3)


@pytest.fixture
def play(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The script that counts."""
    monkeypatch.syspath_prepend(str(RESULTS))
    return importlib.import_module("equilibrium_play")


@pytest.fixture
def lines(play: Any) -> Any:
    """What it keeps."""
    return importlib.import_module("equilibrium_rows")


def test_rounds_come_to_the_value(folder: Path, turns: Any) -> None:
    solution = json.loads((folder / "solution.json").read_text())
    last = turns[turns["end"] != GOES_ON]
    assert (last["round"] == np.arange(ROUNDS)).all()
    won = last["result"] * np.where(last["turn"] % 2, -1, 1)
    error = 3.5 * won.std() / np.sqrt(ROUNDS)
    assert solution["low"] - error < won.mean() < solution["high"] + error
    assert error < 0.02


def test_lots_are_drawn_as_the_solution_says(folder: Path, turns: Any, play: Any) -> None:
    opening = play.first_turn(line_of(folder))
    first = turns[turns["turn"] == 0]
    several = 0
    for hand, plays in opening.items():
        assert sum(plays.values()) == pytest.approx(1)
        mine = first[(hand == np.sort([first["held"], first["drawn"]], 0).T).all(1)]
        assert (mine["options"] == len(plays)).all()
        assert (mine["top"] == np.float32(max(plays.values()))).all()
        several += max(plays.values()) < 0.9
        for chosen, probability in plays.items():
            assert (mine["probability"][mine["play"] == chosen] == np.float32(probability)).all()
            error = 4 * np.sqrt(probability * (1 - probability) / len(mine)) + 1e-9
            assert abs((mine["play"] == chosen).mean() - probability) <= error
    assert several > 1


def test_guesses_are_right_as_often_as_their_players_expect(turns: Any) -> None:
    """Wherever the other has decided something: his habits are known."""
    guess = turns[(turns["play"] < GUARD_NAMES) & (turns["turn"] > 0)]
    hit = guess["end"] == WINS
    checked = 0
    for low in np.arange(0, 1, 0.1):
        some = (guess["aimed"] >= low) & (guess["aimed"] < low + 0.1)
        if some.sum() > 300:
            checked += 1
            error = 4 * np.sqrt((guess["aimed"] * (1 - guess["aimed"]))[some].sum()) + 1e-3
            assert abs(hit[some].sum() - guess["aimed"][some].sum(dtype=float)) < error
    assert checked > 3
    assert (hit[guess["aimed"] == 0] == 0).all()
    assert (guess["aimed"] <= guess["likeliest"]).all()


def test_cards_are_where_plays_bring_them(turns: Any) -> None:
    laid = np.array(LAID)[turns["play"]]
    assert (
        np.sort([turns["held"], turns["drawn"]], 0) == np.sort([laid, turns["retained"]], 0)
    ).all()
    on, then = turns[:-1][turns["end"][:-1] == GOES_ON], turns[1:][turns["end"][:-1] == GOES_ON]
    assert (on["other_after"] == then["held"]).all()
    assert (on["mine_after"] == then["other"]).all()
    assert (then["turn"] == on["turn"] + 1).all()
    assert (then["protected"] == (on["play"] == PLAY_HANDMAID)).all()
    assert (
        on["left"] - then["left"] == 1 + np.isin(on["play"], (PRINCE_ON_OTHER, PRINCE_ON_SELF))
    ).all()
    assert (turns["probability"][turns["options"] == 1] == 1).all()
    duel = turns[(turns["play"] == PLAY_BARON) & (turns["protected"] == 0)]
    assert ((duel["end"] == WINS) == (duel["retained"] > duel["other"])).all()


def row(round_: int, turn: int, hand: tuple[int, int], other: int, **rest: Any) -> Any:
    made = np.zeros((), TURN)
    made["round"], made["turn"], made["other"], made["options"] = round_, turn, other, 2
    made["held"], made["drawn"] = hand
    made["top"] = made["probability"] = 1
    for name, value in rest.items():
        made[name] = value
    made["mine_after"], made["other_after"] = made["retained"], other
    return made


def test_what_is_counted(play: Any) -> None:
    """Three rounds by hand: a bluff, then a Baron who loses; the Princess named rightly beside a
    King; the Princess retained to the last card."""
    names_baron, names_princess = BARON - 2, PRINCESS - 2
    table = np.array(
        [
            row(0, 0, (BARON, GUARD), KING, play=names_baron, retained=BARON, can_bluff=1, top=0.6,
                aimed=0.25, likeliest=0.5),
            row(0, 1, (KING, BARON), BARON, play=PLAY_BARON, retained=KING, end=WINS, result=1),
            row(1, 0, (KING, GUARD), PRINCESS, play=names_princess, retained=KING, can_bluff=1,
                aimed=0.5, likeliest=0.5, end=WINS, result=1),
            row(2, 0, (PRINCESS, GUARD), PRINCE, play=names_princess, retained=PRINCESS,
                can_bluff=1, top=0.5, likeliest=0.5),
            row(2, 1, (PRINCE, BARON), PRINCESS, play=PRINCE_ON_SELF, retained=BARON, options=1,
                end=COMPARED, result=-1),
        ]
    )  # fmt: skip
    counts = play.count(table)
    figures = importlib.import_module("equilibrium_count").FIGURES
    shares = {name: tuple(counts[name]) for name in ("turns", *figures)}
    assert shares == {
        "turns": (5, 3),
        "first wins": (2, 3),
        "turn 1": (1, 3),
        "end guard": (1, 3),
        "end baron won": (1, 3),
        "end baron lost": (0, 3),
        "end prince": (0, 3),
        "end own prince": (0, 3),
        "end compared": (1, 3),
        "forced": (1, 5),
        "pure": (2, 5),
        "mixed": (2, 5),
        "open": (2, 5),
        "mixed round": (2, 3),
        "hit": (1, 3),
        "aimed": (0.75, 3),
        "likeliest": (1.5, 3),
        "names likeliest": (1, 3),
        "bluff": (2, 3),
        "bluff possible": (2, 3),
        "bluff hopeless": (1, 3),
        "bluff princess first": (1, 1),
        "bluff princess later": (0, 0),
        "princess wins": (1, 2),
        "princess kept": (2, 2),
        "princess guard": (1, 2),
        "princess prince": (0, 2),
        "baron wins": (1, 1),
        "baron loses": (0, 1),
        "handmaid": (0, 0),
        "own prince": (1, 1),
        "king": (0, 2),
        "countess": (0, 0),
    }
    assert tuple(counts["bluff first", BARON]) == (1, 1)
    assert tuple(counts["laid first", GUARD, KING]) == (1, 1)
    assert tuple(counts["laid", BARON, KING]) == (1, 1)
    assert tuple(counts["laid", KING, BARON]) == (0, 1)
    assert tuple(counts["dealt", 0, BARON]) == (0, 1)
    assert tuple(counts["dealt", 1, KING]) == (1, 1)
    assert tuple(counts["end guard", 0]) == (1, 3)


def line_for(lines: Any, face_up: str, rounds: int, **tallies: tuple[int, int]) -> Any:
    counted = {name: lines.Tally(*tally) for name, tally in tallies.items()}
    return lines.SetPlay(face_up, 0.1, 0.102, rounds, 1, "0", {}, lines.Tallies(counted))


def test_sets_count_as_often_as_they_are_dealt(lines: Any) -> None:
    """Guard, Priest, King: 5 · 2 · 1 ways; both Priests and the King: one. Who has played half as
    many rounds counts as much."""
    sets = [
        line_for(lines, "guard priest king", 8, hit=(3, 4)),
        line_for(lines, "priest priest king", 4, hit=(1, 4)),
    ]
    assert lines.together(sets)["hit"] == (10 * 3 + 2 * 1, 10 * 4 + 2 * 4)


def test_lines_are_read_as_they_were_written(lines: Any, tmp_path: Path) -> None:
    file = tmp_path / "play.jsonl"
    tallies = {"turn 1": lines.Tally(2, 7), ("laid", 1, 8): lines.Tally(0.5, 3)}
    row = lines.SetPlay(
        "guard guard king", 0.1, 0.2, 9, 1, "0", {(1, 3): {0: 0.25, 4: 0.75}},
        lines.Tallies(tallies),
    )  # fmt: skip
    lines.save_play(file, [line_for(lines, "priest priest king", 5), row])
    assert lines.load_play(file)["guard guard king"] == row
    assert list(lines.load_play(file)) == ["guard guard king", "priest priest king"]
    assert lines.load_play(file)["guard guard king"].tallies["never"] == (0, 0)
    text = file.read_text()
    file.write_text(text.replace('"format": 1', '"format": 0', 1))
    assert list(lines.load_play(file)) == ["priest priest king"]
    for damaged in (text[:-10], text.replace("guard guard king", "king king king")):
        file.write_text(damaged)
        with pytest.raises(KibitzError, match=r"line \d is damaged"):
            lines.load_play(file)


@pytest.fixture
def written(play: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Runs the script on copies, with two sets solved here; returns the folder it writes to."""
    blocks = ("equilibrium play", "in short", "first turn", "by card")
    page = "".join(f"<!-- {name} -->\nold\n<!-- end of {name} -->\n" for name in blocks)
    (tmp_path / "page.md").write_text(f"before\n{page}after\n")
    out = tmp_path / "results"
    solved = ("priest priest king", "guard guard king")
    monkeypatch.setattr(play, "folder_for", lambda each: folder if each in solved else tmp_path)
    monkeypatch.setattr(play, "FOLDER", out)
    monkeypatch.setattr(play, "FILE", out / "play.jsonl")
    monkeypatch.setattr(play, "PAGE", tmp_path / "page.md")

    def run(*words: str) -> Path:
        monkeypatch.setattr(sys, "argv", ["", *words, "--seed", "3"])
        play.main()
        return out

    return run


def test_the_script_writes_its_results(turns: Any, written: Any) -> None:
    results = written("king 2 2", "--rounds", str(ROUNDS))
    names = {"first-turn", "pairs", "ends", "bluffs", "dealt"}
    assert {file.name for file in results.iterdir()} == {f"{name}.svg" for name in names} | {
        "report.md", "figures.csv", "first-turns.csv", "play.jsonl",
    }  # fmt: skip
    hit = (turns["end"][turns["play"] < GUARD_NAMES] == WINS).mean()
    page = (results.parent / "page.md").read_text()
    for text in (page, (results / "report.md").read_text()):
        assert f"| a Guard's guess is right | {hit:.1%} ± " in text
    assert f"A guess is right in {hit:.1%}." in page
    assert "So far 1 of 92 sets were counted, 1 of 560 deals." in page
    assert page.startswith("before\n<!--") and "old" not in page
    head, row = (results / "figures.csv").read_text().splitlines()
    assert float(row.split(",")[head.split(",").index("hit")]) == pytest.approx(hit, abs=1e-5)
    first = (results / "first-turns.csv").read_text()
    assert "priest priest king,handmaid handmaid" not in first  # there is just one
    assert "priest priest king,guard princess,guard,prince," in first


def test_the_script_counts_what_is_new_and_keeps_the_rest(
    play: Any, lines: Any, written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = []
    count_set = play.count_set

    def count_and_note(face_up: str, *more: Any) -> Any:
        counted.append(face_up)
        return count_set(face_up, *more)

    monkeypatch.setattr(play, "count_set", count_and_note)
    results = written("--rounds", "2000")
    assert counted == ["guard guard king", "priest priest king"]
    both = lines.load_play(results / "play.jsonl")
    elsewhere = both["priest priest king"]._replace(face_up="king countess princess", low=0.0)
    coarser = both["guard guard king"]._replace(low=0.0)
    lines.save_play(results / "play.jsonl", [elsewhere, coarser, both["priest priest king"]])
    written("--rounds", "2000")
    assert counted[2:] == ["guard guard king"]  # its bounds are other ones
    now = lines.load_play(results / "play.jsonl")
    assert now == {**both, "king countess princess": elsewhere}
    assert (results / "figures.csv").read_text().count("\n") == 4
    assert "king countess princess" in (results / "first-turns.csv").read_text()
    written("priest priest king", "--rounds", "3000")
    assert counted[3:] == ["priest priest king"]
    assert lines.load_play(results / "play.jsonl")["priest priest king"].rounds == 3000


def test_a_solution_that_cannot_be_read_does_not_stop_the_others(
    play: Any, lines: Any, folder: Path, written: Any, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "solution.json").write_text("{}")
    which = {"guard guard king": broken, "priest priest king": folder}
    monkeypatch.setattr(play, "folder_for", lambda face_up: which.get(face_up, tmp_path))
    with pytest.raises(KibitzError, match=r"not counted: guard guard king: .*damaged"):
        written("--rounds", "2000")
    assert list(lines.load_play(tmp_path / "results" / "play.jsonl")) == ["priest priest king"]
