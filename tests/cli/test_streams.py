"""Closed and full streams, files without end, numbers without end; code that wants to end us."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kibitz.cli import LONGEST
from kibitz.core.errors import KibitzError
from kibitz.core.folders import cache_folder
from kibitz.core.interrupts import Interrupted, distinguish_interrupts, is_interrupt
from kibitz.core.registry import games, make_game
from kibitz.graph.text import parse_graph
from tests.processes import LIMIT, ROOT, assert_refused, environment, kibitz_here

TAKE_AWAY = (ROOT / "examples" / "take_away.py").read_text()
MANY = "9" * 5000
"""More digits than Python reads."""


def shell(command: str, home: Path) -> subprocess.CompletedProcess[str]:
    env = environment(HOME=home, XDG_DATA_HOME=home / "data", KIBITZ_CACHE=cache_folder())
    words = command.replace("kibitz", f"{sys.executable} -m kibitz")
    return subprocess.run(
        ["bash", "-c", words], env=env, cwd=home, capture_output=True, text=True, timeout=LIMIT
    )


@pytest.mark.parametrize(
    ("command", "code", "said"),
    [
        ("kibitz games >&-", 0, ""),
        ("kibitz games <&- >&- 2>&-", 0, ""),
        ("kibitz games whist 2>&-", 2, ""),
        ("kibitz games --json | head -1; exit ${PIPESTATUS[0]}", 0, ""),
        ("kibitz games >/dev/full", 2, "kibitz: No space left on device\n"),
        ("kibitz games --json >/dev/full", 2, "kibitz: No space left on device\n"),
        ("kibitz play twenty-one --seed 1 --against random <&-", 0, ""),
        ("kibitz replay /dev/zero", 2, "kibitz: /dev/zero: too large, more than 64 MB\n"),
    ],
)
def test_streams_that_are_closed_full_or_endless(
    tmp_path: Path, command: str, code: int, said: str
) -> None:
    done = shell(command, tmp_path)
    errors = done.stderr.replace("kibitz: compiling, once …\n", "")
    assert (done.returncode, errors) == (code, said)


@pytest.mark.parametrize(
    "args",
    [
        ["compare", "tablic", "genetic:genome=/dev/zero", "random"],
        ["runs", "/dev/zero"],
        ["runs", "/"],
        ["compare", "pig", "random", "random", "--store", "/"],
        ["games", "/dev/zero"],
        ["solve", "endless.graph"],
        ["solve", "endless.py"],
    ],
)
def test_a_file_without_end_is_refused(tmp_path: Path, args: list[str]) -> None:
    for name in ("endless.graph", "endless.py"):
        with (tmp_path / name).open("wb") as file:
            file.truncate(1 << 40)  # a hole
    assert_refused(kibitz_here(*args, home=tmp_path))


@pytest.mark.parametrize("name", games())
def test_numbers_of_too_many_digits(name: str) -> None:
    game = make_game(name)
    state = game.deal(1)
    for form in ("{}", "-{}", ">{}", "1 {}", "guard>{}=priest", "guard>{}", "{}h", "sum={}", "n{}"):
        with pytest.raises(KibitzError):
            game.parse_play(state, form.format(MANY))
    position = game.position(state)
    for i, field in enumerate(fields := position.split(";")):
        key, equals, _ = field.partition("=")
        for value in (MANY, f"-{MANY}", f"{MANY} {MANY}", f"0.{MANY}", f"1{key}{MANY}"):
            spoilt = [*fields[:i], f"{key}{equals}{value}", *fields[i + 1 :]]
            with pytest.raises(KibitzError):
                game.parse_position(";".join(spoilt))


def test_numbers_of_too_many_digits_in_a_graph() -> None:
    assert parse_graph(f"start max: {'0' * 5000}7, 3").nodes["start.1"].value == 7
    for text in (f"a max: {MANY}", f"a chance: {MANY}/{MANY} x -> 3", f"bounds: -{MANY} {MANY}",
                 f"labels: won={MANY}", f"a chance: 1/{'0' * 5000} x -> 3"):  # fmt: skip
        with pytest.raises(KibitzError):
            parse_graph(text)


@pytest.mark.parametrize(
    "args",
    [
        ["games", f"tablic:players={MANY}"],
        ["compare", "pig", "random", f"ismcts:simulations={MANY}"],
        ["compare", "pig", "random", "random", "--seed", MANY],
        ["compare", "pig", "random", "random", "--pairs", MANY],
        ["explain", "love-letter", "--position", MANY],
        ["solve", "twenty-one", "--bounds", f"{MANY},{MANY}"],
        ["graph", "twenty-one", "--depth", MANY],
    ],
)
def test_what_is_wrong_is_reported_in_few_words(tmp_path: Path, args: list[str]) -> None:
    line = assert_refused(kibitz_here(*args, home=tmp_path))
    assert len(line) < LONGEST + 50


def test_a_message_does_not_speak_to_the_terminal(tmp_path: Path) -> None:
    line = assert_refused(kibitz_here("replay", "\x1b[2Jno such file", home=tmp_path))
    assert "no such file" in line and "\x1b" not in line


# -- Ctrl-C and who only looks like it ---------------------------------------------------------


@pytest.mark.parametrize("error", ["SystemExit", "KeyboardInterrupt", "GeneratorExit", "EOFError"])
@pytest.mark.parametrize("where", ["", "deal", "plays", "after", "is_over", "returns"])
def test_a_game_does_not_end_the_program(tmp_path: Path, error: str, where: str) -> None:
    lines = TAKE_AWAY.splitlines()
    if where:
        (place,) = (i for i, line in enumerate(lines) if line.startswith(f"    def {where}("))
        lines.insert(place + 1, f"        raise {error}(3)")
    else:
        lines.append(f"raise {error}(3)")
    (tmp_path / "own.py").write_text("\n".join(lines))
    for args in (["solve", "own.py"], ["compare", "own.py", "random", "random", "--jobs", "1"]):
        assert error in assert_refused(kibitz_here(*args, home=tmp_path))


def test_a_real_interrupt_is_distinguished_from_others() -> None:
    with distinguish_interrupts():
        assert not is_interrupt(KeyboardInterrupt())
        with pytest.raises(Interrupted) as caught:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        assert is_interrupt(caught.value)
    assert is_interrupt(KeyboardInterrupt()), "nobody tells: it may be the user"
    assert not is_interrupt(SystemExit())


@pytest.mark.parametrize(("endless", "code"), [("deal", 130), ("returns", 0)])
def test_ctrl_c_stops_a_command(tmp_path: Path, endless: str, code: int) -> None:
    """Also within a user's own code. A comparison tells what it has so far."""
    begun = f"        open('begun-{endless}', 'w').close()\n        while True: pass"
    lines = [f"{line}\n{begun}" if line.startswith(f"    def {endless}(") else line
             for line in TAKE_AWAY.splitlines()]  # fmt: skip
    (tmp_path / "own.py").write_text("\n".join(lines))
    args = ["solve", "own.py"] if code else ["compare", "own.py", "random", "random", "--jobs", "1"]
    env = environment(HOME=tmp_path, KIBITZ_CACHE=cache_folder())
    command = subprocess.Popen(
        [sys.executable, "-m", "kibitz", *args], env=env, cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    until = time.monotonic() + LIMIT
    while not (tmp_path / f"begun-{endless}").exists() and time.monotonic() < until:
        time.sleep(0.1)
    command.send_signal(signal.SIGINT)
    out, err = command.communicate(timeout=LIMIT)
    assert command.returncode == code, err
    assert "Traceback" not in err
    assert code or "Stopped early" in out
