"""`kibitz play` and `kibitz replay` from a pipe: whole games, help, undo, resuming, killing.

One run of each kind is a process of its own; the variants run in this one, which is quicker.
"""

from __future__ import annotations

import json
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.folders import cache_folder
from kibitz.core.registry import games, make_game, make_strategy
from kibitz.table.record import read_records, replay
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Table
from tests.arena.failing import Failing
from tests.arena.running import until
from tests.processes import complaints, environment, kibitz, kibitz_here

RECORD = "r.jsonl"
PROMPT = ", or type it): "
ONES = "1\n" * 3000
"""The first choice again and again: more than any game here needs."""
NUMBERS = "1\n2\n3\n4\n5\n6\n7\n" * 400
"""For games whose plays are numbers: one of them is legal."""
SPECS = [
    {"pig": "pig:target=20", "tablic": "tablic:target=15"}.get(name, name) for name in games()
]  # a few games of Tablić, not a whole evening


def play(home: Path, *args: str, given: str, command: Any = kibitz_here) -> str:
    """What `kibitz play` prints, against random; it must end well and look well."""
    new = [] if "--resume" in args else ["--against", "random", "--record", RECORD]
    if new:
        (home / RECORD).unlink(missing_ok=True)
    done = command("play", *args, *new, given=given, home=home)
    assert (done.returncode, complaints(done)) == (0, [])
    assert "\x1b" not in done.stdout, "no colours in a pipe"
    assert max(map(len, done.stdout.splitlines())) <= 80
    return done.stdout


def lines_of(home: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (home / RECORD).read_text().splitlines()]


def plays_of(home: Path) -> list[str]:
    """The plays of the last game in the record."""
    return list(lines_of(home)[-1]["plays"])


def going_on(home: Path, spec: str, seat: str, choices: int) -> list[str]:
    """The arguments of a game that is not over after so many first choices."""
    for seed in range(100):
        args = [spec, "--seat", seat, "--seed", str(seed)]
        play(home, *args, given="1\n" * choices)
        if len(lines_of(home)) == 1 and lines_of(home)[0]["returns"] is None:
            return args
    raise AssertionError(f"{spec}: no such seed")


# -- whole games -----------------------------------------------------------------------


@pytest.mark.parametrize("seat", "12")
@pytest.mark.parametrize("spec", [*SPECS, "love-letter:players=4", "tablic:players=3,target=15"])
def test_every_game_to_its_end_and_replayed(tmp_path: Path, spec: str, seat: str) -> None:
    check_a_whole_game(tmp_path, spec, seat, kibitz_here)


@pytest.mark.parametrize("spec", ["love-letter", "tablic:target=15", "pig"])
def test_to_its_end_in_a_process(tmp_path: Path, spec: str) -> None:
    check_a_whole_game(tmp_path, spec, "2", kibitz)


def check_a_whole_game(tmp_path: Path, spec: str, seat: str, command: Any) -> None:
    by_number = str(make_game(spec).plays(make_game(spec).deal(1))[0]).isdecimal()
    given = NUMBERS if by_number else ONES
    out = play(tmp_path, spec, "--seed", "5", "--seat", seat, given=given, command=command)
    assert f"You are seat {seat}" in out
    records = read_records(tmp_path / RECORD)
    assert all(record.returns is not None for record in records)
    assert all(record.players[int(seat) - 1] == "person" for record in records)

    replayed = kibitz_here("replay", RECORD, home=tmp_path)
    assert (replayed.returncode, complaints(replayed)) == (0, [])
    for record in records:
        end = replay(record)
        # A line for each play, numbered, and the outcome.
        assert f"\n{len(record.plays):4}  " in replayed.stdout
        assert end.game.presenter.outcome(end.state).lower() in replayed.stdout.lower()
    numbered = [line for line in replayed.stdout.splitlines() if re.match(r" *\d+  ", line)]
    assert len(numbered) == sum(len(record.plays) for record in records)


def test_quitting_ends_a_match(tmp_path: Path) -> None:
    out = play(tmp_path, "love-letter", "--seed", "5", given="1\n" * 9 + "q\n")
    assert "--resume" in out
    assert lines_of(tmp_path)[-1]["returns"] is None


def test_same_seed_same_game(tmp_path: Path) -> None:
    outs = [play(tmp_path, "tablic", "--seed", seed, given="1\n" * 5) for seed in "334"]
    assert outs[0] == outs[1] != outs[2]


def test_end_of_input_quits_and_tells_how_to_resume(tmp_path: Path) -> None:
    out = play(tmp_path, "love-letter", "--seed", "5", given="")
    (line,) = [line for line in out.splitlines() if "--resume" in line]
    assert line.endswith(f"kibitz play --resume {RECORD}")
    assert plays_of(tmp_path) == []
    assert "Your play" in play(tmp_path, "--resume", RECORD, given="")


def test_the_command_to_resume_can_be_pasted(tmp_path: Path) -> None:
    path = "my games/r.jsonl"
    done = kibitz("play", "pig", "--record", path, home=tmp_path)
    (line,) = [line for line in done.stdout.splitlines() if "--resume" in line]
    assert shlex.split(line.partition("kibitz ")[2]) == ["play", "--resume", path]


def test_record_goes_to_the_data_folder(tmp_path: Path) -> None:
    done = kibitz("play", "pig", "--seed", "1", home=tmp_path)
    assert done.returncode == 0
    (file,) = (tmp_path / "data" / "kibitz").iterdir()
    assert str(file) in done.stdout
    assert read_records(file)[0].game == "pig"


# -- two sittings ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "choices"),
    [
        ("love-letter", "1\n"),
        ("tablic:target=1", "1\n"),
        ("pig:target=20", "2\n1\n"),
        ("leduc-poker", "2\n1\n"),
        ("connect-four", "2\n1\n3\n"),
    ],
)
def test_two_sittings_give_the_same_record_as_one(tmp_path: Path, spec: str, choices: str) -> None:
    args = (spec, "--seed", str(10**30), "--seat", "2")
    play(tmp_path, *args, given=choices * 800)
    in_one_go = (tmp_path / RECORD).read_text()
    for first_sitting in range(6):
        play(tmp_path, *args, given=choices * first_sitting)
        if first_sitting > 0 and (tmp_path / RECORD).read_text() == in_one_go:
            break  # it was over already
        play(tmp_path, "--resume", RECORD, given=choices * 800)
        assert (tmp_path / RECORD).read_text() == in_one_go


def test_resuming_between_two_rounds(tmp_path: Path) -> None:
    args = ("love-letter", "--seed", "5")
    play(tmp_path, *args, given=ONES)
    in_one_go = (tmp_path / RECORD).read_text()
    for length in range(1, 20):
        play(tmp_path, *args, given="1\n" * length)
        if lines_of(tmp_path)[0]["returns"] is not None:
            break
    over, begun = lines_of(tmp_path)
    assert over["returns"] and begun["returns"] is None, "the match goes on"
    assert begun["plays"] == []
    play(tmp_path, "--resume", RECORD, given=ONES)
    assert (tmp_path / RECORD).read_text() == in_one_go


# -- undo, help, slips -----------------------------------------------------------------


@pytest.mark.parametrize("spec", ["love-letter", "pig", "tablic", "connect-four"])
def test_undo_takes_back_the_last_choice(tmp_path: Path, spec: str) -> None:
    args = going_on(tmp_path, spec, "2", choices=2)
    play(tmp_path, *args, given="1\n")
    once = plays_of(tmp_path)
    play(tmp_path, *args, given="1\n1\n")
    twice = plays_of(tmp_path)
    out = play(tmp_path, *args, given="1\n1\nu\n")
    assert "Taken back" in out
    assert plays_of(tmp_path) == once
    play(tmp_path, *args, given="1\n1\nu\n1\n")
    assert plays_of(tmp_path) == twice, "chance and the opponent do as before"
    play(tmp_path, *args, given="1\n1\nu\nundo\n1\n")
    assert plays_of(tmp_path) == once
    # Resumed, it can still be taken back.
    play(tmp_path, *args, given="1\n1\n")
    play(tmp_path, "--resume", RECORD, given="u\n")
    assert plays_of(tmp_path) == once


@pytest.mark.parametrize("seat", ["1", "2"])
def test_nothing_to_undo(tmp_path: Path, seat: str) -> None:
    out = play(tmp_path, "love-letter", "--seed", "6", "--seat", seat, given="u\nu\n")
    assert out.count("nothing to undo") == 2
    assert len(plays_of(tmp_path)) == int(seat) - 1


def test_help(tmp_path: Path) -> None:
    out = play(tmp_path, "love-letter", "--seed", "5", given="?\n? guard\n?Guard\n? whist\n")
    assert "A number alone is a choice in the list" in out
    assert out.count("Name a player and a card other than Guard") == 2
    assert "nothing to tell about 'whist'" in out
    assert out.count(PROMPT) == 5
    tablic = play(tmp_path, "tablic", "--seed", "5", given="? 10d\n? a\n")
    assert "2 points for 10♦" in tablic
    assert "1 or 11" in tablic


# With seed 5 seat 1 holds a Guard and a Baron, so all of these are wrong.
SLIPS = {
    "no such choice": ("99", "A number from 1 to"),
    "zero": ("0", "A number from 1 to"),
    "many digits": ("9" * 5000, "A number from 1 to"),
    "zeros before a number too high": ("0000000015", "A number from 1 to"),
    "nothing": ("", "A number from 1 to"),
    "blanks": ("   ", "A number from 1 to"),
    "negative": ("-1", "No: "),
    "no play": ("what now", "No: "),
    "no card": ("joker", "the cards: guard, priest"),
    "not held": ("princess", "does not hold the princess (rule 3.5)"),
    "no such seat": ("guard>7=priest", "there is no seat 7"),
    "on oneself": ("guard>1=priest", "(rule 5."),
    "no guess": ("guard>2", "(rule 4.1)"),
    "guard names guard": ("guard>2=guard", "a guard can't name the guard (rule 4.1)"),
    "superscript": ("²", "No: "),
    "markup": ("[bold]", "[bold]"),
    "closing markup": ("[/bold]", "[/bold]"),
    "escape": ("\x1b[31mred", "No: "),
    "help with markup": ("? [/bold]", "[/bold]"),
    "percent": ("%s {example}", "No: "),
}


@pytest.mark.parametrize(("typed", "reason"), SLIPS.values(), ids=SLIPS)
def test_slip_gets_a_reason_and_another_chance(tmp_path: Path, typed: str, reason: str) -> None:
    done = kibitz_here(
        "play", "love-letter", "--against", "random", "--seed", "12", "--record", RECORD,
        given=f"{typed}\n1\n", home=tmp_path,
    )  # fmt: skip
    assert (done.returncode, complaints(done)) == (0, [])
    answer = done.stdout.split(PROMPT)[1].removeprefix(typed)
    assert reason in " ".join(answer.split()), "long lines are wrapped"
    assert lines_of(tmp_path)[0]["plays"][0].startswith("guard"), "then the first choice was taken"


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kibitz", "play", "love-letter", "--against", "random"],
        input=b"\xff\xfe\n1\n", capture_output=True, cwd=tmp_path,
        env=environment(
            HOME=tmp_path, XDG_DATA_HOME=tmp_path, KIBITZ_CACHE=cache_folder(),
            PYTHONIOENCODING="utf-8:strict",  # as in most people's terminals
        ),
    )  # fmt: skip
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0


def test_input_without_an_end_of_line_is_refused(tmp_path: Path) -> None:
    with open("/dev/zero", "rb") as endless:
        done = subprocess.run(
            [sys.executable, "-m", "kibitz", "play", "love-letter", "--against", "random"],
            stdin=endless, capture_output=True, cwd=tmp_path, text=True, timeout=60,
            env=environment(HOME=tmp_path, XDG_DATA_HOME=tmp_path, KIBITZ_CACHE=cache_folder()),
        )  # fmt: skip
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert "more than 10000 characters" in done.stderr


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec != "paper-rock-scissors"])
def test_a_play_can_be_typed_itself(tmp_path: Path, spec: str) -> None:
    """Also where plays are numbers: what is typed must not mean another play in the list."""
    game = make_game(spec)
    seed = GameSeeds(5).shuffle if game.traits.match else 5
    table = Table(game, seed)
    assert table.mover == 0  # in paper-rock-scissors the opponent always begins
    wanted = str(game.plays(table.state)[-1])
    out = play(tmp_path, spec, "--seed", "5", given=f"{wanted}\n")
    assert plays_of(tmp_path)[:1] == [wanted], out


# -- what the person may see -----------------------------------------------------------


@pytest.mark.parametrize("seed", ["1", "2", "5"])
def test_love_letter_never_shows_a_hidden_card(tmp_path: Path, seed: str) -> None:
    out = play(tmp_path, "love-letter", "--seed", seed, given="")
    game = make_game("love-letter")
    state = game.deal(GameSeeds(int(seed)).shuffle)
    card = game._play_text(int(state[0].hand[1]))  # type: ignore[attr-defined]
    (theirs,) = [line for line in out.splitlines() if "seat 2" in line and "played" in line]
    hidden = theirs.partition("played")[0].replace("seat 2", "")
    assert set(hidden.split()) == {"▒▒"}
    assert card.capitalize() not in theirs
    (mine,) = [line for line in out.splitlines() if "(you)" in line]
    own = game._play_text(int(state[0].hand[0]))  # type: ignore[attr-defined]
    assert own.capitalize() in mine


@pytest.mark.parametrize(
    ("spec", "seat", "hidden"),
    [
        ("tablic", "1", "▒▒ ▒▒ ▒▒ ▒▒ ▒▒ ▒▒   0 cards"),
        ("kuhn-poker", "1", "▒▒   1 in the pot"),
        ("leduc-poker", "1", "▒▒   1 in the pot"),
        ("kuhn-poker", "2", "▒▒   1 in the pot"),
        ("hidden-paper-rock-scissors", "2", "has chosen"),
        ("love-letter:players=3", "1", "▒▒   played"),
    ],
)
def test_other_games_hide_too(tmp_path: Path, spec: str, seat: str, hidden: str) -> None:
    out = play(tmp_path, spec, "--seed", "5", "--seat", seat, given="")
    other = "seat 2" if seat == "1" else "seat 1"
    lines = [line.strip() for line in out.splitlines() if "begins" not in line]
    theirs = [line for line in lines if line.startswith(other)]
    assert hidden in theirs[-1]


@pytest.mark.parametrize(
    ("spec", "seat"),
    [("love-letter", 1), ("love-letter", 2), ("love-letter:players=4", 3), ("tablic", 2),
     ("leduc-poker", 2), ("hidden-paper-rock-scissors", 2)],
)  # fmt: skip
def test_replay_of_an_unfinished_game_is_the_persons_view(
    tmp_path: Path, spec: str, seat: int
) -> None:
    going_on(tmp_path, spec, str(seat), choices=0 if "paper" in spec else 1)
    (record,) = read_records(tmp_path / RECORD)
    replayed = kibitz_here("replay", RECORD, "--positions", home=tmp_path).stdout
    assert "not over yet" in replayed

    game = record.make_game()
    table = Table(game, record.seed, record.first - 1)
    for text in record.plays:
        seen = game.position(table.view(seat - 1).state)
        assert seen in replayed
        everything = game.position(table.state)
        assert everything == seen or everything not in replayed
        table.play(game.parse_play(table.state, text))
    numbered = [line for line in replayed.splitlines() if re.match(r" *\d+  ", line)]
    assert [line.partition("  ")[2].strip() for line in map(str.strip, numbered)] == (
        table.logs[seat - 1]
    )


# -- killing ---------------------------------------------------------------------------


def wait_for_plays(path: Path, count: int) -> list[str]:
    """The plays in the record as soon as there are that many. Every look must be at a whole."""
    saved: list[list[str]] = []

    def looked() -> bool:
        if path.exists():
            text = path.read_text()
            assert text.endswith("\n")
            saved.append(json.loads(text.splitlines()[-1])["plays"])
        return bool(saved) and len(saved[-1]) >= count

    until(looked, f"{count} plays")
    return saved[-1]


def test_killed_at_the_prompt(tmp_path: Path) -> None:
    args = ("love-letter", "--seed", "6")
    play(tmp_path, *args, given=ONES)
    in_one_go = (tmp_path / RECORD).read_text()
    (tmp_path / RECORD).unlink()
    process = subprocess.Popen(
        [sys.executable, "-m", "kibitz", "play", *args, "--against", "random", "--record", RECORD],
        env=environment(HOME=tmp_path, KIBITZ_CACHE=cache_folder()), cwd=tmp_path,
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None
    wait_for_plays(tmp_path / RECORD, 0)
    process.stdin.write(b"1\n")
    process.stdin.flush()
    made = wait_for_plays(tmp_path / RECORD, 2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdin.close()
    assert [file.name for file in tmp_path.iterdir()] == [RECORD]
    (record,) = read_records(tmp_path / RECORD)
    assert replay(record).plays == made
    play(tmp_path, "--resume", RECORD, given=ONES)
    assert (tmp_path / RECORD).read_text() == in_one_go


def test_the_record_is_whole_at_every_moment(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "kibitz", "play", "tablic", "--against", "random"),
            *("--seed", "5", "--record", RECORD),
        ],
        env=environment(HOME=tmp_path, KIBITZ_CACHE=cache_folder()), cwd=tmp_path,
        stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None
    process.stdin.write(ONES.encode())
    process.stdin.close()
    looks = 0
    while process.poll() is None:
        if (tmp_path / RECORD).exists():
            assert read_records(tmp_path / RECORD)
            looks += 1
    assert process.returncode == 0
    assert looks > 10


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("raise", "failed: ValueError: no idea"),
        ("raise,where=sit", "failed: ValueError: no idea"),
        ("exit", "failed: SystemExit: 3"),
        ("interrupt", "failed: KeyboardInterrupt"),
        ("illegal", "failed: 99 is not possible here"),
    ],
)
def test_a_strategy_that_fails_ends_the_game_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, words: str
) -> None:
    monkeypatch.setitem(registry._strategies, Failing.name, Failing)
    name = str(make_strategy(f"failing:how={how}"))
    done = kibitz_here(
        "play", "tic-tac-toe", "--against", name, "--seed", "2", "--record",
        tmp_path / "game", given="1\n" * 9, home=tmp_path,
    )  # fmt: skip
    (line,) = complaints(done)
    assert done.returncode == 2
    assert f"the strategy {name} {words}" in line
    assert f"--resume {tmp_path / 'game'}" in line


def test_a_number_that_is_not_in_the_list_plays_no_card(tmp_path: Path) -> None:
    """In the third turn there are three choices, and a five in the hand."""
    done = kibitz_here(
        "play", "tablic:players=4", "--seed", "5", "--against", "random", "--record",
        tmp_path / "game", given="1\n5\n5\n", home=tmp_path,
    )  # fmt: skip
    assert "A number from 1 to 3, or ? for help." in done.stdout
    assert "You lay 5♦" not in done.stdout
