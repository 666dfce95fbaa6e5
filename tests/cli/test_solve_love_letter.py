"""`kibitz solve love-letter`: a round to an equilibrium, from the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from unittest.mock import patch

import pytest

from kibitz.games.love_letter.cards import NUMBERS, names
from kibitz.games.love_letter.game import LoveLetter
from kibitz.solvers.love_letter.solver import Solver
from kibitz.solvers.love_letter.text import read_position
from tests.processes import LIMIT, assert_refused, complaints, kibitz_here, with_own_cache

LATE = (
    "face_up=priest priest countess; discards1=guard handmaid guard; discards2=guard baron prince;"
    " turn=1; range2=king guard:0.5"
)


def solve(tmp_path: Path, *args: str) -> subprocess.CompletedProcess[str]:
    with patch.dict(os.environ, KIBITZ_CACHE=with_own_cache(tmp_path)["KIBITZ_CACHE"]):
        return kibitz_here("solve", *args, home=tmp_path)


def test_a_round_is_solved_and_stored(tmp_path: Path) -> None:
    args = ("love-letter", "--position", LATE, "--epsilon", "0.0001")
    done = solve(tmp_path, *args, "--json")
    assert (done.returncode, complaints(done)) == (0, [])
    document = json.loads(done.stdout)
    low, high = document["value"]
    assert -1 < low <= high < 1
    assert document["epsilon"] == (high - low) / 2 <= 0.0001
    assert (document["face_up"], document["position"]) == ("priest priest countess", LATE)
    assert document["iterations"] > 0 and document["public_nodes"] > 1
    again = json.loads(solve(tmp_path, *args, "--json", "--check").stdout)
    assert again == document
    shown = solve(tmp_path, *args).stdout
    assert f"{low:.5f} … {high:.5f}" in shown
    assert "public nodes" in shown
    assert all(hand in shown for hand in document["plays"])


def test_a_position_gives_the_play(tmp_path: Path) -> None:
    """How often each play is made with each pair of cards, as a solver from Python has it."""
    done = solve(tmp_path, "love-letter", "--position", LATE, "--json")
    plays = json.loads(done.stdout)["plays"]
    game = LoveLetter()
    solver = Solver(read_position(LATE, game)[1])
    solver.solve(0.001)
    assert set(plays) == {names(hand) for hand in solver.line().hands()}
    for hand, mix in plays.items():
        assert sum(mix.values()) == pytest.approx(1)
        cards = [NUMBERS[name] for name in hand.split()]
        own = [option.probability for option in solver.line().options(*cards)]
        assert list(mix.values()) == pytest.approx(own, abs=1e-4), "stored in two bytes"
        state = game.parse_position(f"{LATE.partition('; turn')[0]}; turn=1; hand1={hand}")
        assert set(mix) <= {str(play) for play in game.plays(state)}
    always = [hand for hand, mix in plays.items() if len(mix) == 1]
    assert always and len(always) < len(plays)


def test_a_protected_opponent_is_not_named(tmp_path: Path) -> None:
    position = LATE.replace("discards2=guard baron prince", "discards2=guard baron handmaid")
    position = position.replace("discards1=guard handmaid", "discards1=guard prince")
    done = solve(tmp_path, "love-letter", "--position", f"{position}; protected=2", "--json")
    assert done.returncode == 0, done.stderr
    played = {play for mix in json.loads(done.stdout)["plays"].values() for play in mix}
    assert played and not any(">2" in play for play in played)


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ((), "say which round"),
        (("--face-up", "guard guard"), "three cards"),
        (("--face-up", "king king guard"), "not so many"),
        (("--face-up", "guard guard jack"), "no card 'jack'"),
        (("--face-up", "guard guard king", "--position", LATE), "say which round"),
        (("--position", LATE, "--epsilon", "0"), "must be from 0.00005"),
        (("--position", LATE, "--epsilon", "1"), "to less than 1"),
        (("--position", LATE, "--epsilon", "nan"), "must be from"),
        (("--position", LATE, "--depth", "3"), "takes --face-up"),
        (("--position", LATE, "--seed", "3"), "not --seed: that is for tablic"),
        (("--position", LATE, "--check"), "solve it first"),
        (("--all-sets", "--position", LATE), "--all-sets is every set"),
        (("--all-sets", "--face-up", "2 2 7"), "--all-sets is every set"),
        (("--all-sets", "--check", "--sets", "1"), "leave --sets, --cluster"),
        (("--all-sets", "--check", "--cluster", "host:1"), "leave --sets, --cluster"),
        (("--all-sets", "--check"), "there is no such table"),
        (("--all-sets", "--sets", "0"), "sets"),
        (("--face-up", "2 2 7", "--sets", "1"), "are for --all-sets"),
        (("--face-up", "2 2 7", "--cluster", "host:1"), "are for --all-sets"),
        (("--position", LATE, "--table", "t.csv"), "--table takes"),
        (("--face-up", "2 2 7", "--check", "--table", "t.csv"), "--table takes"),
    ],
)
def test_what_solving_a_round_refuses(tmp_path: Path, args: tuple[str, ...], reason: str) -> None:
    assert reason in assert_refused(kibitz_here("solve", "love-letter", *args, home=tmp_path))
    assert list(tmp_path.iterdir()) == []


FIXED = "love-letter:face_up=priest priest countess"


@pytest.mark.parametrize(
    "args",
    [
        ("--face-up", "guard guard king"),
        ("--position", LATE.replace("priest priest countess", "baron baron countess")),
    ],
)
def test_another_round_than_the_game_is_refused(tmp_path: Path, args: tuple[str, ...]) -> None:
    assert "can't lie face up" in assert_refused(solve(tmp_path, FIXED, *args))


def test_the_round_of_a_game_with_its_cards_face_up(tmp_path: Path) -> None:
    # --check, because it ends before it solves: the round is known, and nothing is stored of it.
    for args in ((), ("--face-up", "7 2 2"), ("--position", LATE)):
        assert "solve it first" in assert_refused(solve(tmp_path, FIXED, *args, "--check"))


def test_a_round_of_three_is_refused(tmp_path: Path) -> None:
    args = ("love-letter:players=3", "--face-up", "guard guard king")
    assert "two players" in assert_refused(solve(tmp_path, *args))


def test_a_solution_that_was_changed_is_reported(tmp_path: Path) -> None:
    args = ("love-letter", "--position", LATE)
    assert solve(tmp_path, *args).returncode == 0
    (folder,) = (tmp_path / "cache" / "equilibria").iterdir()
    policy, alone = folder / "policy.bin", folder / "alone.bin"
    content = policy.read_bytes()
    policy.write_bytes(bytes(len(content)))
    assert "the stored solution has the bounds" in assert_refused(solve(tmp_path, *args, "--check"))
    policy.write_bytes(content)
    alone.write_bytes(alone.read_bytes()[:-1])
    assert "solve it again" in assert_refused(solve(tmp_path, *args, "--check"))
    assert solve(tmp_path, *args).returncode == 0
    assert solve(tmp_path, *args, "--check").returncode == 0


@pytest.mark.parametrize(
    "option",
    [
        ("--face-up", "1 1 1"),
        ("--epsilon", "0.1"),
        ("--check",),
        ("--table", "t.csv"),
        ("--sets", "1"),
        ("--cluster", "host:1"),
    ],
)
def test_options_of_rounds_are_for_rounds(tmp_path: Path, option: tuple[str, ...]) -> None:
    refused = kibitz_here("solve", "pig", *option, home=tmp_path)
    assert "that is for love-letter" in assert_refused(refused)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_a_killed_command_goes_on(tmp_path: Path, how: signal.Signals) -> None:
    """On the way through independent subgames; the rest is in
    tests/solvers/love_letter/test_solution_file.py."""
    args = ["-m", "kibitz", "solve", "love-letter", "--face-up", "2 2 7", "--epsilon", "0.5"]
    env, until = with_own_cache(tmp_path), time.monotonic() + LIMIT
    folder, said = Path(env["KIBITZ_CACHE"]) / "equilibria", ""

    def size() -> int:
        return sum(file.stat().st_size for file in folder.glob("*/alone.bin"))

    for end in (how, signal.SIGKILL):
        before = size()
        with subprocess.Popen(
            [sys.executable, *args], env=env, stderr=subprocess.PIPE, text=True
        ) as running:
            while size() <= before:
                assert time.monotonic() < until and running.poll() is None
                time.sleep(0.05)
            running.send_signal(end)
            said += running.communicate()[1]
            assert running.returncode == (130 if end == signal.SIGINT else -signal.SIGKILL)
    assert ("goes on from what is stored" in said) == (how == signal.SIGINT)
    assert said.count("kibitz: known already: value 0.1") == 2  # the package has its book
