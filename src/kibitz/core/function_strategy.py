"""A function `view -> play` as a strategy."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core import checks
from kibitz.core.errors import BadType
from kibitz.core.strategy import Player, Strategy

if TYPE_CHECKING:
    import numpy as np

    from kibitz.core.code_file import CodeFile
    from kibitz.core.game import Game, View

CHOOSE = "choose"
"""The function in a file that is a strategy without being named."""
Chooser = Callable[["View[Any]"], Any]
"""What a view is given to, and what gives a play or the text of one."""


class FunctionStrategy(Strategy):
    """Decides by a function of the view. Its name is the function's."""

    name: ClassVar[str] = "function"

    def __init__(self, function: Chooser, file: CodeFile | None = None) -> None:
        """`file`: the one that the function is in, if a user has named it."""
        check_function(function)
        super().__init__()
        self.function = function
        self._file = file
        if file is None:
            self.name = name_of(function)  # type: ignore[misc]
        else:
            file.mark(self)
        doc = inspect.getdoc(function) or ""
        self.title = next(iter(doc.splitlines()), self.name)  # type: ignore[misc]

    def __reduce__(self) -> tuple[Any, ...]:
        """In another process: the function of the same file, or of the same module."""
        if self._file is None:
            return FunctionStrategy, (self.function,)
        return function_in_file, (self._file,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FunctionStrategy) and self.function is other.function

    def __hash__(self) -> int:
        return id(self.function)

    def sit(self, game: Game[Any, Any], seat: int, rng: np.ndarray) -> Player:
        return FunctionPlayer(self.function)


class FunctionPlayer(Player):
    """Asks the function."""

    def __init__(self, function: Chooser) -> None:
        self.function = function

    def choose(self, view: View[Any]) -> Any:
        return self.function(view)


def function_in_file(file: CodeFile) -> FunctionStrategy:
    """The strategy that a function in a user's file is: the one that is named, or `choose`."""
    return FunctionStrategy(getattr(file.run(), file.inner or CHOOSE), file)


def name_of(function: Chooser) -> str:
    """What a function is called as a strategy."""
    name = getattr(function, "__name__", type(function).__name__)
    return "lambda" if name == "<lambda>" else str(name)


def check_function(function: Any) -> None:
    """Refuse what can't be called with a view and give a play."""
    if not callable(function):
        raise BadType(f"a function of a view is wanted, not {checks.brief(function)}")
    called = name_of(function)
    if inspect.iscoroutinefunction(function) or inspect.isgeneratorfunction(function):
        raise BadType(f"{called} must return a play: it is no plain function")
    try:
        signature = inspect.signature(function)
    except ValueError:  # some built-in functions do not tell
        return
    try:
        signature.bind(None)
    except TypeError:
        raise BadType(
            f"{called}{signature} must take one argument, the view, and return a play"
        ) from None
