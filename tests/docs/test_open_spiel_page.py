"""docs/open-spiel.md: its commands run. Its Python runs as a doctest."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.processes import ROOT, complaints, kibitz_here

PAGE = (ROOT / "docs" / "open-spiel.md").read_text(encoding="utf-8")
COMMANDS = [shlex.split(line) for line in re.findall(r"^kibitz (.*)$", PAGE, re.MULTILINE)]


@pytest.mark.parametrize("command", COMMANDS, ids=[command[0] for command in COMMANDS])
def test_the_commands_run(command: list[str], tmp_path: Path) -> None:
    done = kibitz_here(*command, given="q\n", home=tmp_path)
    assert (done.returncode, complaints(done)) == (0, [])
    assert (tmp_path / "kuhn.svg").exists() == (command[0] == "graph")
