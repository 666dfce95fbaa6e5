"""`kibitz.graph`: what `kibitz graph` draws, as a value that a notebook shows."""

from __future__ import annotations

from pathlib import Path

import pytest

import kibitz
from kibitz.graph.drawing import IN_NOTEBOOK
from tests.processes import kibitz_here


def test_it_is_what_the_command_draws(tmp_path: Path) -> None:
    drawing = kibitz.graph("twenty-one", algorithm="minimax", merge=True)
    (written,) = drawing.save(tmp_path / "ours.dot")
    args = ("graph", "twenty-one", "--algorithm", "minimax", "--merge")
    assert written.read_text() == kibitz_here(*args, home=tmp_path).stdout
    assert len(drawing.graph.nodes) == 34
    assert repr(drawing).startswith("<Drawing twenty-one, minimax-merged: value −1 (lost)")


def test_from_a_position_on() -> None:
    start = kibitz.make_game("twenty-one").start()
    later = kibitz.graph(start.play("6").play("6"))
    assert 1 < len(later.graph.nodes) < len(kibitz.graph(start).graph.nodes) == 274


def test_a_notebook_draws_what_is_small_enough() -> None:
    small = kibitz.graph("divisible-by-four", algorithm="alpha-beta")
    svg = small._repr_svg_()
    assert svg is not None and svg.lstrip().startswith("<?xml") and "</svg>" in svg
    large = kibitz.graph("tic-tac-toe", nodes=2 * IN_NOTEBOOK)
    assert large._repr_svg_() is None and "save('graph.svg')" in repr(large)


def test_steps_are_a_page_or_numbered_files(tmp_path: Path) -> None:
    drawing = kibitz.graph("divisible-by-four", algorithm="minimax")
    (page,) = drawing.save(tmp_path / "steps.html", steps=True)
    assert "<html" in page.read_text()
    files = drawing.save(str(tmp_path / "step.mmd"), steps=True)
    assert [file.name for file in files[:2]] == ["step-001.mmd", "step-002.mmd"]
    with pytest.raises(kibitz.BadText, match="there is no folder"):
        drawing.save(tmp_path / "nowhere" / "a.svg")
    with pytest.raises(kibitz.BadText, match="a file for pictures"):
        drawing.save(tmp_path / "a.graph", steps=True)
    with pytest.raises(kibitz.BadText, match="give steps and an algorithm"):
        drawing.save(tmp_path / "a.html")
