"""The house: imports go one way, functions fit a screen, games are folders of the same kind."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import kibitz
from kibitz.core.registry import games

SOURCE = Path(kibitz.__file__).parent
MODULES = {
    ".".join(("kibitz", *file.relative_to(SOURCE).with_suffix("").parts)).removesuffix(
        ".__init__"
    ): file
    for file in sorted(SOURCE.rglob("*.py"))
}
LAYERS = [
    {"__main__"},
    {"cli"},
    {"web"},
    {"interop", "studies", "testing", "training"},
    {"arena", "graph", "review"},
    {"report"},
    {"table"},
    {"strategies"},
    {"solvers"},
    {"search"},
    {"games"},
    {"", "core", "jit", "version"},
]
"""From the top. What stands together does not import each other, except at the bottom."""
TESTS = Path(__file__).parent
OF_NO_PART = {"data", "docs", "face", "mutants", "oracle", "packages"}
"""Folders in tests/ that mirror nothing."""


@cache
def parsed(source: str) -> list[ast.AST]:
    """All nodes of a source."""
    return [*ast.walk(ast.parse(source))]


def part(module: str) -> str:
    """The part of the house: `games` for kibitz.games.pig.game, empty for kibitz itself."""
    return [*module.split("."), ""][1]


def floor(module: str) -> int:
    (number,) = [i for i, layer in enumerate(LAYERS) if part(module) in layer]
    return number


def imports(module: str, source: str, is_package: bool = False) -> Iterator[tuple[int, str]]:
    """Each module that a source imports, anywhere in it, and the line."""
    for node in parsed(source):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = module.split(".")[: len(module.split(".")) - node.level + is_package]
                base = ".".join([*above, *filter(None, [base])])
            for alias in node.names:
                # `from kibitz import registry` imports a module, `… import make_game` a name.
                inner = f"{base}.{alias.name}"
                yield node.lineno, inner if inner in MODULES else base


def against_the_direction(module: str, source: str, is_package: bool = False) -> list[str]:
    if module == "kibitz":  # the face: it names, for type checkers, what it loads when asked
        return []
    wrong = []
    for line, target in imports(module, source, is_package):
        if target.split(".")[0] != "kibitz" or part(target) == part(module):
            continue
        down = floor(target) > floor(module)
        both_at_the_bottom = floor(target) == floor(module) == len(LAYERS) - 1
        if not down and not both_at_the_bottom:
            wrong.append(f"{module}, line {line}: imports {target}")
    return wrong


def test_every_part_has_its_floor() -> None:
    known = set().union(*LAYERS)
    assert {part(module) for module in MODULES} <= known, "a new part: say where it belongs"


@pytest.mark.parametrize("module", MODULES)
def test_imports_go_one_way(module: str) -> None:
    file = MODULES[module]
    assert against_the_direction(module, file.read_text(), file.name == "__init__.py") == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("kibitz.games.pig.game", "from kibitz.table.table import Table"),
        ("kibitz.games.pig.game", "def f():\n    import kibitz.cli"),
        ("kibitz.games.pig.game", "from ...search.fast import rollouts"),
        ("kibitz.core.game", "from kibitz import games"),
        ("kibitz.search.fast.rollouts", "import kibitz.strategies.random as r"),
        ("kibitz.arena.compare", "if True:\n    from kibitz.cli.commands.play import play"),
        ("kibitz.strategies.random", "from kibitz.table import seeds"),
    ],
)
def test_the_test_sees_an_import_against_the_direction(module: str, source: str) -> None:
    assert len(against_the_direction(module, source)) == 1


@pytest.mark.parametrize("name", games())
def test_every_game_is_a_folder_with_its_face_and_kernels(name: str) -> None:
    cls = games()[name]
    folder = SOURCE / "games" / name.replace("-", "_")
    assert cls.__module__ == f"kibitz.games.{folder.name}.game"
    assert (folder / "game.py").is_file()
    assert (folder / "kernels.py").is_file()


def test_only_jit_knows_numba() -> None:
    knowing = {
        module
        for module, file in MODULES.items()
        for _, target in imports(module, file.read_text())
        if target.split(".")[0] in ("numba", "llvmlite")
    }
    assert all(module.startswith("kibitz.jit.") for module in knowing)


# -- functions and classes ------------------------------------------------------------------

LINES, ARGUMENTS = 64, 9
"""What fits a screen, and what a reader can keep in mind."""


def functions(module: str) -> Iterator[ast.FunctionDef]:
    for node in parsed(MODULES[module].read_text()):
        if isinstance(node, ast.FunctionDef):
            yield node


def is_command(module: str, node: ast.FunctionDef) -> bool:
    """Its arguments are the options of the command line."""
    return module.startswith("kibitz.cli.commands.") and "typer." in ast.unparse(node.args)


def arguments(node: ast.FunctionDef) -> int:
    """Without `self`, and without those that must be named by the caller."""
    named = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
    return len([name for name in named if name not in ("self", "cls")])


@pytest.mark.parametrize("module", MODULES)
def test_functions_fit_a_screen_and_take_few_arguments(module: str) -> None:
    for node in functions(module):
        if is_command(module, node):
            continue
        assert (node.end_lineno or 0) - node.lineno < LINES, f"{node.name} is too long"
        assert arguments(node) <= ARGUMENTS, f"{node.name} takes too many arguments"


def test_no_two_classes_have_the_same_name() -> None:
    places: dict[str, list[str]] = {}
    for module, file in MODULES.items():
        for node in parsed(file.read_text()):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(module)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_the_tests_stand_as_what_they_test_does() -> None:
    folders = {file.parent.relative_to(TESTS) for file in TESTS.rglob("*.py")}
    mirrors = {folder for folder in folders if folder.parts and folder.parts[0] not in OF_NO_PART}
    assert Path("games/love_letter") in mirrors
    assert not [str(folder) for folder in mirrors if not (SOURCE / folder).is_dir()]


COMPILED = {"kernel", "inlined", "template"}


def recursive(node: ast.FunctionDef) -> bool:
    """Whether a compiled function calls itself."""
    decorators = {one.id for one in node.decorator_list if isinstance(one, ast.Name)}
    called = {one.func for one in ast.walk(node) if isinstance(one, ast.Call)}
    names = {one.id for one in called if isinstance(one, ast.Name)}
    return bool(decorators & COMPILED) and node.name in names


@pytest.mark.parametrize("module", MODULES)
def test_no_kernel_calls_itself(module: str) -> None:
    """A recursion that is read from Numba's cache may crash."""
    assert [node.name for node in functions(module) if recursive(node)] == []


def test_the_test_sees_a_kernel_that_calls_itself() -> None:
    (node,) = ast.parse("@kernel\ndef f(n):\n    return n and f(n - 1)").body
    assert isinstance(node, ast.FunctionDef)
    assert recursive(node)
