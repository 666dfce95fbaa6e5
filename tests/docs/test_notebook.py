"""examples/notebook.ipynb runs, and every cell shows something.

The cells are run here one after the other, as a notebook does: with a kernel it would take two
dozen more packages to run the same ten lines of Python.
"""

from __future__ import annotations

import ast
import json
from typing import Any

from tests.core.test_shown import Balance
from tests.processes import ROOT

NOTEBOOK = json.loads((ROOT / "examples" / "notebook.ipynb").read_text(encoding="utf-8"))
CODE = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]


def run_cell(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; the value of its last expression."""
    tree = ast.parse(source)
    last = tree.body.pop()
    assert isinstance(last, ast.Expr), "a cell ends with what it shows"
    exec(compile(tree, "cell", "exec"), names)
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_every_cell_shows_a_picture() -> None:
    names: dict[str, Any] = {}
    for source in CODE:
        shown = run_cell(source, names)
        if hasattr(shown, "_repr_svg_"):
            assert "</svg>" in shown._repr_svg_()
        else:
            Balance(shown._repr_html_())
        assert len(repr(shown).splitlines()) > 2 or "Drawing" in repr(shown)
    assert len(CODE) > 8


def test_no_output_is_stored() -> None:
    """It would be of another day."""
    assert NOTEBOOK["nbformat"] == 4
    for cell in NOTEBOOK["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None


def test_it_is_short() -> None:
    assert all(len(source.splitlines()) < 8 for source in CODE)
