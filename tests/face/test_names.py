"""`import kibitz`: what it shows, what it loads, and that folders do not get in the way."""

from __future__ import annotations

import ast
import doctest
import inspect
import json
import pydoc
from pathlib import Path
from types import FunctionType

import pytest

import kibitz
from tests.processes import environment, run

FUNCTIONS = {
    *("compare", "explain", "games", "graph", "judge", "make_game", "make_strategy", "play"),
    *("replay", "review", "review_games", "solve", "strategies"),
}
HEAVY = {"numpy", "numba", "scipy", "matplotlib", "pydantic", "rich", "typer", "jinja2", "pandas"}


def test_dir_shows_the_face_and_nothing_else() -> None:
    assert dir(kibitz) == sorted(kibitz.__all__)
    public = {name for name in kibitz.__all__ if not name.startswith("_")}
    functions = {name for name in public if type(getattr(kibitz, name)) is FunctionType}
    assert functions == FUNCTIONS
    classes = {name for name in public if inspect.isclass(getattr(kibitz, name))}
    assert public - functions - classes == {"CHANCE"}
    with pytest.raises(AttributeError, match="no attribute 'whist'"):
        _ = kibitz.whist  # type: ignore[attr-defined]


def test_what_is_declared_for_type_checkers_is_what_is_loaded() -> None:
    tree = ast.parse(Path(kibitz.__file__).read_text(encoding="utf-8"))
    declared = {
        alias.name: node.module
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert declared == kibitz._HOME
    assert sorted([*declared, "__version__"]) == sorted(kibitz.__all__)


def test_help_tells_of_each_and_of_nothing_else() -> None:
    text = pydoc.render_doc(kibitz, renderer=pydoc.plaintext)  # type: ignore[attr-defined]
    functions = text.partition("\nFUNCTIONS\n")[2].partition("\nDATA\n")[0]
    documented = {
        line.strip().partition("(")[0] for line in functions.splitlines() if is_head(line)
    }
    assert documented == FUNCTIONS
    classes = text.partition("\nCLASSES\n")[2].partition("\nFUNCTIONS\n")[0]
    for name in kibitz.__all__:
        if inspect.isclass(getattr(kibitz, name)):
            assert f"class {name}(" in classes or f"class {name}\n" in classes


def is_head(line: str) -> bool:
    return line.startswith("    ") and line[4:5].isalpha() and "(" in line


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_function_tells_its_parameters_and_has_an_example(name: str) -> None:
    function = getattr(kibitz, name)
    text = inspect.getdoc(function) or ""
    parameters = [p for p in inspect.signature(function).parameters if p != "options"]
    head, _, rest = text.partition("Returns\n")
    assert all(parameter in head for parameter in parameters)
    assert not parameters or "Parameters\n" in head
    assert "Examples\n" in rest and ">>>" in rest


def is_class_or_function(name: str) -> bool:
    thing = getattr(kibitz, name)
    return inspect.isclass(thing) or inspect.isfunction(thing)


@pytest.mark.parametrize("name", sorted(filter(is_class_or_function, kibitz.__all__)))
def test_examples_of_the_face_work_as_they_stand(name: str) -> None:
    """Copied out of the help: nothing has been imported before."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    told: list[str] = []
    found = finder.find(getattr(kibitz, name), name, globs={})
    assert any(test.name == name and test.examples for test in found), "it has no example"
    for test in found:
        doctest.DocTestRunner(verbose=False).run(test, out=told.append)
    assert "".join(told) == ""


WATCHED = """
import json, sys, time
began = time.perf_counter(); import kibitz
took = time.perf_counter() - began
loaded = sorted({name.partition(".")[0] for name in sys.modules})
parts = sorted(name for name in sys.modules if name.startswith("kibitz."))
began = time.perf_counter(); import http.server, xml.dom.minidom, unittest.mock
print(json.dumps([took, time.perf_counter() - began, loaded, parts]))
"""


def test_importing_it_is_quick_and_loads_nothing_heavy() -> None:
    """Quicker than three modules of Python's own, which are imported after it."""
    done = run(["-c", WATCHED], environment())
    took, others, loaded, parts = json.loads(done.stdout)
    assert HEAVY.isdisjoint(loaded)
    assert parts == ["kibitz.version"]
    assert took < others


FOLDERS = """
import kibitz.games.compiled_game as compiled
import kibitz.graph, kibitz.strategies.random
from kibitz.graph import Graph
import kibitz
assert compiled.__name__ == "kibitz.games.compiled_game"
assert "tablic" in kibitz.games() and "random" in kibitz.strategies()
assert kibitz.graph.Graph is Graph
assert kibitz.graph("twenty-one", depth=1).graph.root.name == "n0"
"""


def test_a_folder_does_not_hide_the_function_of_its_name() -> None:
    assert run(["-c", FOLDERS], environment()).stderr == ""
