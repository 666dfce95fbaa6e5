"""What stands in the guides runs: the files, the commands, and the rules of the kit."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from kibitz.core.game import Game
from kibitz.core.registry import make_game
from kibitz.testing import check_game, check_strategy
from tests.processes import ROOT, complaints, environment, kibitz_here, run

STRATEGIES = (ROOT / "docs" / "adding-a-strategy.md").read_text(encoding="utf-8")
GAMES = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
FILES = re.compile(r"```python\n# (\w+\.py)\n(.*?)```", re.DOTALL)
PACKAGED = re.compile(r"```python\n# (my_package/\w+\.py)\n(.*?)```", re.DOTALL)
COMMANDS = re.compile(r"^kibitz (.*)$", re.MULTILINE)


def write_files(home: Path, page: str) -> list[str]:
    files = dict(FILES.findall(page))
    for name, text in files.items():
        (home / name).write_text(text)
    return list(files)


def run_commands(home: Path, page: str) -> int:
    commands = [shlex.split(line) for line in COMMANDS.findall(page)]
    for command in commands:
        done = kibitz_here(*command, given="q\n", home=home)
        assert (done.returncode, complaints(done)) == (0, []), command
        assert "failed" not in done.stdout
    return len(commands)


def test_every_block_of_code_is_run() -> None:
    for page in (STRATEGIES, GAMES):
        for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
            assert block.startswith(("# ", ">>> ")), block


def test_the_commands_about_strategies_run(tmp_path: Path) -> None:
    assert len(write_files(tmp_path, STRATEGIES)) == 5
    assert run_commands(tmp_path, STRATEGIES) >= 9


@pytest.mark.parametrize("spec", ["my_bot.py", "careful.py", "guesser.py:worlds=20"])
def test_the_strategies_keep_the_rules(
    spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path, STRATEGIES)
    monkeypatch.chdir(tmp_path)
    check_strategy(spec, "love-letter", decisions=20)


def test_the_games_of_the_page_keep_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert write_files(tmp_path, GAMES) == ["nim.py", "race.py", "tricks.py"]
    monkeypatch.chdir(tmp_path)
    for name in ("nim.py", "race.py", "race.py:players=3,goal=9", "tricks.py"):
        check_game(make_game(name), games=5)
    assert run_commands(tmp_path, GAMES) >= 5


def test_all_that_a_game_can_declare_is_in_the_guide() -> None:
    declared = {name for name, kind in Game.__annotations__.items() if kind.startswith("ClassVar")}
    assert {"luck", "levels", "view_class"} < declared
    assert declared <= set(re.findall(r"`(\w+)`", GAMES))


def test_the_bot_of_the_examples_is_that_of_the_page() -> None:
    text = (ROOT / "examples" / "my_bot.py").read_text()
    assert text == dict(FILES.findall(STRATEGIES))["my_bot.py"]


@pytest.mark.parametrize(
    ("page", "makes"),
    [(STRATEGIES, "make_strategy('always-first')"), (GAMES, "make_game('one-two')")],
)
def test_a_package_of_ones_own_is_in_the_catalogue(page: str, makes: str, tmp_path: Path) -> None:
    """Installed, as far as Python can tell: the package, and its entry points as in the page."""
    [(name, source)] = PACKAGED.findall(page)
    package, installed = tmp_path / "my_package", tmp_path / "my_package-1.0.dist-info"
    package.mkdir()
    installed.mkdir()
    (tmp_path / name).write_text(source)
    [(group, entry)] = re.findall(r'entry-points\."([\w.]+)"\]\n(.+)\n```', page)
    (installed / "entry_points.txt").write_text(f"[{group}]\n" + entry.replace('"', ""))
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: my_package\nVersion: 1.0\n")
    check = "check_strategy" if "strategy" in makes else "check_game"
    arguments = ", 'twenty-one', decisions=5" if "strategy" in makes else ", games=5"
    code = (
        f"import kibitz, sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        f"from kibitz.testing import {check}\n{check}(kibitz.{makes}{arguments})"
    )
    done = run(["-c", code], environment())
    assert (done.returncode, done.stdout, complaints(done)) == (0, "", [])
