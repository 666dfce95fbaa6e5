"""Hints and levels of `kibitz play`: they tell what the person may know, and change nothing."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from kibitz.cli.ui import hints, progress
from kibitz.cli.ui.hints import Hints
from kibitz.core.registry import games, make_game, make_strategy
from kibitz.core.strategy import Knows
from kibitz.jit.rng import stream
from kibitz.strategies.common.levels import (
    LEVELS,
    adviser_for,
    levels_for,
    opponent_of,
    usual_opponent,
)
from kibitz.table.record import read_records
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Table
from tests.arena.running import until
from tests.processes import LIMIT, assert_refused, complaints, kibitz, kibitz_here

RECORD = "r.jsonl"
QUICK = {
    "love-letter": "flat-mc:worlds=20",
    "tablic:target=1": "pimc:worlds=3",
    "leduc-poker": "ismcts:simulations=50",
    "connect-four": "mcts:simulations=50",
    "pig:target=20": "mcts:simulations=50",
}
"""Games, and who gives quick hints in them."""
ALONE = '''
"""A game that hides something, and whose plays look like other things."""

from kibitz import Game
from kibitz.core.game import Traits


class Guess(Game):
    traits = Traits(hidden=True)

    def deal(self, seed, first=0):
        return ()

    def mover(self, state):
        return len(state) % 2

    def is_over(self, state):
        return len(state) == 2

    def plays(self, state):
        return ["h", "[/t]"]

    def after(self, state, play):
        return (*state, play)

    def returns(self, state):
        return (1, -1) if state[0] == state[1] else (-1, 1)

    def view(self, state, seat):
        from kibitz.core.game import View

        return View(self, seat, state)

    def redeal(self, view, rng):
        return view.state
'''


def play(home: Path, *args: str, given: str, command: Any = kibitz_here) -> str:
    new = [] if "--resume" in args else ["--record", RECORD]
    if new:
        (home / RECORD).unlink(missing_ok=True)
    done = command("play", *args, *new, given=given, home=home)
    assert (done.returncode, complaints(done)) == (0, []), done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    out: str = done.stdout
    return out


def recorded(home: Path) -> list[dict[str, Any]]:
    """The record but for who gave hints."""
    lines = [json.loads(line) for line in (home / RECORD).read_text().splitlines()]
    return [{key: value for key, value in line.items() if key != "hints"} for line in lines]


def hints_in(out: str) -> list[list[str]]:
    """The lines of each hint, the choices left out."""
    parts = out.split("Hint by ")[1:]
    return [part.split("\n\n")[0].splitlines() for part in parts]


# -- hints -----------------------------------------------------------------------------


@pytest.mark.parametrize("spec", QUICK)
def test_hints_change_nothing(tmp_path: Path, spec: str) -> None:
    """Neither what the opponent and chance do nor the record."""
    seed = "7" if spec == "leduc-poker" else "6"  # with which the other does not fold at once
    args = (spec, "--against", QUICK[spec], "--seed", seed, "--hint-by", QUICK[spec])
    choices = ["2", "1", "3", "1"][: 2 if spec == "love-letter" else 4]  # not beyond a round
    without = play(tmp_path, *args, given="\n".join(choices))
    record = recorded(tmp_path)
    assert len(read_records(tmp_path / RECORD)) == 1
    assert hints_in(without) == []

    always = play(tmp_path, *args, "--hints", given="\n".join(choices))
    assert recorded(tmp_path) == record
    assert len(hints_in(always)) >= 2

    asked = play(tmp_path, *args, given="\n".join(f"h\nh\n{choice}" for choice in choices))
    assert recorded(tmp_path) == record
    assert hints_in(asked)[0] == hints_in(asked)[1] == hints_in(always)[0]


def test_hints_change_nothing_until_the_end_of_a_match(tmp_path: Path) -> None:
    args = ("love-letter", "--against", "flat-mc:worlds=10", "--seed", "3", "--seat", "2")
    play(tmp_path, *args, given="1\n" * 200)
    record = recorded(tmp_path)
    assert sum(one.returns is not None for one in read_records(tmp_path / RECORD)) >= 7
    play(tmp_path, *args, "--hints", "--hint-by", "greedy", given="1\n" * 200)
    assert recorded(tmp_path) == record


@pytest.mark.parametrize("command", [kibitz_here, kibitz])
def test_a_hint_has_three_plays_the_beliefs_and_the_sentence(tmp_path: Path, command: Any) -> None:
    args = ("love-letter", "--against", "random", "--seed", "30", "--hints", "--hint-by")
    (hint,) = hints_in(play(tmp_path, *args, "greedy", given="", command=command))
    assert hint[0] == "greedy; score: F of the thesis"
    assert hint[1].startswith("▸ Guard on seat 2, naming ")
    scores = [float(line.split()[-1]) for line in hint[1:4]]
    assert scores == sorted(scores, reverse=True)
    assert hint[4] == "seat 2's hand  (by the unseen cards alone)"
    assert re.search(r"guard +█+.? +\d\d%", hint[5])
    words = " ".join(" ".join(hint).split())
    assert "keep the Prince. Of the 11 unseen cards that seat 2 may hold, 2 are Priests" in words


def test_a_hint_by_one_who_does_not_count_is_marked(tmp_path: Path) -> None:
    args = ("tablic", "--against", "random", "--seed", "4", "--hint-by", "greedy")
    (hint,) = hints_in(play(tmp_path, *args, given="h\n"))
    assert "seat 2's hand  (at least one of each, by counting)" in hint


def test_without_the_flag_only_who_asks_gets_a_hint(tmp_path: Path) -> None:
    args = ("love-letter", "--against", "random", "--seed", "30")
    assert hints_in(play(tmp_path, *args, given="1\n1\n")) == []
    out = play(tmp_path, *args, given="h\n1\n?\n")
    (hint,) = hints_in(out)
    assert hint[0] == "flat-mc; score: chance to win the round; a tie counts half", "by hard"
    assert "h       a hint" in out


def test_resuming_remembers_the_hints(tmp_path: Path) -> None:
    new = ("love-letter", "--against", "random", "--seed", "6")
    play(tmp_path, *new, "--hints", "--hint-by", "greedy", given="")
    assert read_records(tmp_path / RECORD)[0].hints == "greedy"
    resumed = play(tmp_path, "--resume", RECORD, given="1\n")
    assert {hint[0].split(";")[0] for hint in hints_in(resumed)} == {"greedy"}
    # The flags count more, and are remembered in their turn.
    resumed = play(tmp_path, "--resume", RECORD, "--hint-by", "flat-mc:worlds=10", given="")
    assert hints_in(resumed)[0][0].startswith("flat-mc:worlds=10")
    assert hints_in(play(tmp_path, "--resume", RECORD, "--no-hints", given="")) == []
    assert hints_in(play(tmp_path, "--resume", RECORD, given="")) == []
    assert "hint" not in (tmp_path / RECORD).read_text()
    assert hints_in(play(tmp_path, "--resume", RECORD, "--hints", given="")) != []


@pytest.mark.parametrize("spec", ["love-letter", "love-letter:players=3", "tablic", "kuhn-poker"])
def test_a_hint_knows_no_more_than_the_person(spec: str) -> None:
    game = make_game(spec)
    by = {"love-letter": "flat-mc:worlds=20", "tablic": "pimc:worlds=3"}.get(game.name, "ismcts")
    table = Table(game, 6)
    texts = set()
    state = table.state
    for i in range(4):
        table.state = state if i == 0 else game.redeal(game.view(state, 0), stream(i))
        out = io.StringIO()
        Hints(game, by).show(Console(file=out, width=80), table.view(0), GameSeeds.alone(1).hint(0))
        texts.add(out.getvalue())
    assert len(texts) == 1
    assert "Hint by" in texts.pop()


def test_a_game_that_nobody_explains(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what is built in, some search sits at any game that can be played."""
    monkeypatch.setattr(hints, "adviser_for", lambda game: None)
    (tmp_path / "guess.py").write_text(ALONE)
    args = ("play", "guess.py", "--seed", "1")
    assert "nobody" in assert_refused(kibitz_here(*args, "--hints", home=tmp_path))
    # `h` is a play here, and a play can always be typed.
    out = play(tmp_path, "guess.py", "--seed", "1", given="hint\nh\n")
    assert "Nobody can give hints" in out
    assert read_records(tmp_path / RECORD)[0].plays[0] == "h"
    for seed in range(1, 9):  # what the other plays looks like markup
        output = play(tmp_path, "guess.py", "--seed", str(seed), given="h\n")
        assert f"Seat 2: {read_records(tmp_path / RECORD)[0].plays[1]}." in output


# -- levels ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", games())
def test_every_level_is_a_strategy_that_plays_the_game(name: str) -> None:
    game = make_game(name)
    levels = levels_for(game)
    assert list(levels) == [level for level in LEVELS if level in levels]
    assert set(levels) == set(game.levels), "none is left out"
    for level, spec in levels.items():
        assert str(opponent_of(game, level)) == spec
        assert make_strategy(spec).knows is Knows.FAIR
    assert str(usual_opponent(game)) == levels.get("medium", "random")
    adviser = adviser_for(game)
    assert adviser is not None and adviser.knows is Knows.FAIR and adviser.name != "random"
    assert game.adviser in ("", str(adviser))


@pytest.mark.parametrize(("players", "hard"), [(2, "equilibrium"), (3, "flat-mc"), (4, "flat-mc")])
def test_a_level_is_the_first_that_can_play(players: int, hard: str) -> None:
    assert levels_for(make_game(f"love-letter:players={players}"))["hard"] == hard


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_plays_to_the_end(tmp_path: Path, level: str) -> None:
    play(tmp_path, "tic-tac-toe", "--level", level, "--seed", "1", given="1\n2\n3\n4\n5\n" * 9)
    (record,) = read_records(tmp_path / RECORD)
    assert record.returns is not None
    assert record.players == ["person", levels_for(make_game("tic-tac-toe"))[level]]


def test_the_usual_opponent_is_of_level_medium(tmp_path: Path) -> None:
    assert "against the strategy greedy" in play(tmp_path, "love-letter", "--seed", "1", given="")
    assert "against the strategy human" in play(tmp_path, "tablic", "--seed", "1", given="")
    assert "against the strategy random" in play(tmp_path, "twenty-one", "--seed", "1", given="")


def test_games_tells_the_levels_and_who_knows_what(tmp_path: Path) -> None:
    out = kibitz_here("games", "tablic", home=tmp_path).stdout
    assert "levels: easy greedy, medium human, hard expert" in out
    assert re.search(r"backtrack +open-hands +every play to the end", out)
    entry = json.loads(kibitz_here("games", "tablic", "--json", home=tmp_path).stdout)
    details = {one["name"]: one for one in entry["strategy_details"]}
    assert list(details) == entry["strategies"]
    assert details["genetic"]["knows"] == "open-hands"
    assert details["human"].keys() == {"name", "knows", "title"}
    assert entry["levels"].keys() == set(LEVELS)


# -- bad input -------------------------------------------------------------------------

BAD = {
    "open hands": (["tablic", "--hints", "--hint-by", "backtrack"], "open-hands"),
    "open hands for h": (["tablic", "--hint-by", "backtrack"], "fair strategies only"),
    "unknown adviser": (["tablic", "--hint-by", "hoyle"], "human"),
    "adviser of another game": (["love-letter", "--hint-by", "human"], "tablic"),
    "level and opponent": (["pig", "--level", "easy", "--against", "random"], "--level"),
    "unknown level": (["pig", "--level", "deadly"], "easy, medium, hard"),
    "a level that it has not": (["pig", "--level", "medium"], "it has easy, hard"),
    "only one level": (["twenty-one", "--level", "hard"], "it has easy"),
    "level, when resuming": (["--resume", RECORD, "--level", "easy"], "the record says"),
}


@pytest.mark.parametrize(("args", "tells"), BAD.values(), ids=BAD)
def test_bad_input(tmp_path: Path, args: list[str], tells: str) -> None:
    assert tells in assert_refused(kibitz_here("play", *args, home=tmp_path))
    assert list(tmp_path.iterdir()) == [], "nothing half-written"


# -- thinking --------------------------------------------------------------------------


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("soon", "seen"), [(LIMIT, False), (0.1, True)])
def test_only_who_thinks_long_shows_it(
    monkeypatch: pytest.MonkeyPatch, soon: float, seen: bool
) -> None:
    screen = Screen()
    monkeypatch.setattr(progress, "SOON", soon)
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    with progress.spinner_if_slow("greedy is thinking"):
        if seen:
            until(screen.getvalue, "a sign of life")
    assert ("greedy is thinking …" in screen.getvalue()) == seen


def test_nobody_looks_at_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.spinner_if_slow("greedy is thinking"):
        pass
    assert capsys.readouterr().err == ""
