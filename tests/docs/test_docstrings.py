"""Everything public that the reference lists says what it is."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import pytest

import kibitz
from tests.processes import ROOT

PACKAGES = (
    "core", "table", "arena", "games", "strategies", "search.textbook", "graph", "report",
    "testing",
)  # fmt: skip
"""What a user may import. Kernels have no part in it: what those of a game do is said once, in
`kibitz.games.compiled_game`."""
SAID_ONCE = {
    "codec": ("actions", "features", "worst", "longest", "outcomes"),
    "card_by_card": ("most_outcomes", "longest", "outcomes", "name", "deal", "needed"),
}
"""Functions that each game's module of this name has. What they give is said once, in
`kibitz.games.codec` and `kibitz.interop.dealers`."""


def modules(package: ModuleType) -> Iterator[ModuleType]:
    yield package
    for info in walk_packages(package.__path__, f"{package.__name__}."):
        parts = info.name.split(".")
        if not any(part.startswith("_") for part in parts):
            yield import_module(info.name)


def undocumented(module: ModuleType) -> Iterator[str]:
    """The public functions, classes and methods of a module that have no docstring."""
    for name, thing in vars(module).items():
        if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
            continue
        if name in SAID_ONCE.get(module.__name__.rpartition(".")[2], ()):
            continue
        if inspect.isfunction(thing) and not thing.__doc__:
            yield f"{module.__name__}.{name}"
        elif inspect.isclass(thing):
            # A dataclass without a docstring has its signature there.
            if not thing.__doc__ or thing.__doc__.startswith(f"{name}("):
                yield f"{module.__name__}.{name}"
            yield from (f"{module.__name__}.{name}.{each}" for each in silent_methods(thing))


def silent_methods(cls: type) -> Iterator[str]:
    """Public methods and properties without a docstring, here or in a class that it is from."""
    kinds = (property, functools.cached_property, staticmethod, classmethod)
    for name, thing in vars(cls).items():
        if not name.startswith("_") and (inspect.isfunction(thing) or isinstance(thing, kinds)):
            owners = [base for base in cls.__mro__ if name in vars(base)]
            if not any(docstring(vars(owner)[name]) for owner in owners):
                yield name


def docstring(thing: Any) -> str:
    inner = getattr(thing, "__func__", thing)  # of a class method
    return getattr(inner, "__doc__", None) or ""


def present() -> list[str]:
    folder = kibitz.__path__[0]
    names = {info.name for info in walk_packages([folder], "kibitz.", onerror=lambda name: None)}
    return [name for name in PACKAGES if f"kibitz.{name}" in names]


def test_the_packages_are_there() -> None:
    assert set(PACKAGES) - {"testing"} <= set(present())


@pytest.mark.parametrize("name", present())
def test_everything_public_has_a_docstring(name: str) -> None:
    package = import_module(f"kibitz.{name}")
    assert [each for module in modules(package) for each in undocumented(module)] == []


def test_the_face_has_docstrings() -> None:
    for name in kibitz.__all__:
        thing = getattr(kibitz, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert thing.__doc__, f"kibitz.{name}"


def test_every_class_of_the_face_but_the_errors_has_an_example() -> None:
    things = {name: getattr(kibitz, name) for name in dir(kibitz)}
    classes = {name: thing for name, thing in things.items() if inspect.isclass(thing)}
    shown = {name: one for name, one in classes.items() if not issubclass(one, Exception)}
    assert len(shown) >= 19
    assert [name for name, one in shown.items() if ">>> " not in (vars(one)["__doc__"] or "")] == []


GUIDES = re.compile(r"^from (kibitz\.[\w.]+) import (.+)$", re.MULTILINE)


def test_what_the_guides_import_has_docstrings() -> None:
    imported = [
        (module, name.strip())
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
        for module, names in GUIDES.findall(page.read_text(encoding="utf-8"))
        for name in names.split(",")
    ]
    assert ("kibitz.jit.rng", "below") in imported
    things = [(module, name, getattr(import_module(module), name)) for module, name in imported]
    named = [each for each in things if callable(each[2])]
    silent = {f"{module}.{name}" for module, name, one in named if not docstring(one)}
    assert silent == set()


def test_the_test_sees_what_has_none() -> None:
    """Of a class, a method, a function and an override, whose base has one."""
    module = ModuleType("made_up")
    source = '''
from dataclasses import dataclass
class Base:
    """A base."""
    def told(self):
        """Yes."""
    @property
    def silent(self): ...
@dataclass
class Plain(Base):
    number: int = 0
    def told(self): ...
    def _inner(self): ...
def function(): ...
def _hidden(): ...
'''
    exec(compile(source, "made_up.py", "exec", dont_inherit=True), vars(module))
    assert sorted(undocumented(module)) == [
        "made_up.Base.silent", "made_up.Plain", "made_up.function",
    ]  # fmt: skip
