"""Strategies in files: a class derived from `Strategy`, or a function `choose(view)`."""

from __future__ import annotations

import inspect
from types import ModuleType
from typing import Any

from kibitz.core.code_file import CodeFile, classes_in, finish_class, pick
from kibitz.core.errors import BadText
from kibitz.core.function_strategy import CHOOSE, FunctionStrategy, function_in_file
from kibitz.core.strategy import Strategy

WANTED = "a class derived from kibitz.Strategy, or a function choose(view)"


def load_strategy(name: str, options: dict[str, Any]) -> Strategy:
    """The strategy in a file. Its name is the file's, so that it can be named again."""
    file = CodeFile.read(name)
    if not file.path.endswith(".py"):
        raise BadText(f"{file.path}: a strategy is in a Python file, whose name ends with .py")
    module = file.run()
    classes = classes_in(module, Strategy)
    things: dict[str, Any] = {**classes, **_functions(module, file.inner)}
    picked: Any = pick(file, things, WANTED)
    if picked not in classes.values():
        return _from_function(file, options)
    made: Strategy = finish_class(file, picked, module)(**options)
    return made


def _functions(module: ModuleType, named: str) -> dict[str, Any]:
    """The function `choose`, and the one that is named."""
    candidates = {name: vars(module).get(name) for name in (CHOOSE, named)}
    return {name: f for name, f in candidates.items() if callable(f) and not inspect.isclass(f)}


def _from_function(file: CodeFile, options: dict[str, Any]) -> FunctionStrategy:
    if options:
        raise BadText(
            f"{file.name} is a function, and a function has no options: write a class for them"
        )
    try:
        return function_in_file(file)
    except TypeError as error:
        raise BadText(f"{file.path}: {error}") from None
