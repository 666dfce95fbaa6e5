"""The page for a course: its commands run as they stand, its game is the one in examples/."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.processes import complaints, kibitz_here

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "course.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
COMMANDS = [
    line.partition("#")[0].strip()
    for language, block in BLOCKS
    for line in block.splitlines()
    if not language and line.startswith("kibitz ") and "study" not in line
]


def words(command: str) -> list[str]:
    return [word.strip('"') for word in re.findall(r'"[^"]*"|\S+', command)][1:]


def test_the_page_has_commands() -> None:
    assert len(COMMANDS) >= 14


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_runs(command: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    done = kibitz_here(*words(command), home=tmp_path, given="q\n")
    assert (done.returncode, complaints(done)) == (0, [])
    assert done.stdout
    if " -o " in command:
        name = Path(command.split(" -o ")[1])
        assert list(tmp_path.glob(f"{name.stem}*{name.suffix}"))


def test_refusals_of_the_page_are_what_the_command_says(tmp_path: Path) -> None:
    shown = re.findall(r"^\$ (kibitz .*)\n(.*)$", PAGE, re.MULTILINE)
    assert shown
    for command, answer in shown:
        done = kibitz_here(*words(command), home=tmp_path)
        assert (done.returncode, done.stderr.strip()) == (2, answer)


@pytest.mark.parametrize("name", ["take_away.py", "under_chance.graph"])
def test_the_page_shows_the_examples_as_they_are(name: str) -> None:
    assert (ROOT / "examples" / name).read_text(encoding="utf-8") in [text for _, text in BLOCKS]


def test_a_game_of_your_own_takes_30_lines() -> None:
    lines = (ROOT / "examples" / "take_away.py").read_text(encoding="utf-8").splitlines()
    assert len(lines) <= 30
