"""`--json` prints one document on standard output, whatever else is printed."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from kibitz.cli.ui.json_output import print_json, reserved_for_json
from tests.processes import kibitz_here

CHATTY = """\
print("hello")


def choose(view):
    print("my turn")
    return view.plays()[0]
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_a_strategy_prints_goes_to_standard_error(tmp_path: Path, jobs: str) -> None:
    (tmp_path / "chatty.py").write_text(CHATTY)
    done = kibitz_here(
        "compare", "twenty-one", "chatty.py", "random", "--pairs", "20", "--jobs", jobs, "--json",
        home=tmp_path,
    )  # fmt: skip
    assert done.returncode == 0
    assert json.loads(done.stdout)["pairs"] == 20
    assert "hello" in done.stderr and "my turn" in done.stderr


def test_so_does_what_a_game_prints(tmp_path: Path) -> None:
    text = (Path(__file__).parents[2] / "examples" / "take_away.py").read_text()
    (tmp_path / "loud.py").write_text(f'{text}\nprint("rules")\n')
    done = kibitz_here("solve", "loud.py", "--json", home=tmp_path)
    assert done.returncode == 0
    assert "value" in json.loads(done.stdout)
    assert "rules" in done.stderr


@pytest.mark.parametrize(("encoding", "text"), [("utf-8", '"ć"'), ("ascii", '"\\u0107"')])
def test_letters_that_the_stream_has_not_are_numbers(
    monkeypatch: pytest.MonkeyPatch, encoding: str, text: str
) -> None:
    out = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", out)
    with reserved_for_json():
        print_json("ć")
    assert out.buffer.getvalue().decode() == f"{text}\n"
