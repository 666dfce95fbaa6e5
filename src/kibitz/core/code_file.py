"""Python files of users, with games or strategies in them: one loader for both.

A file is named as the user types it: `my_bot.py`, or `my_bot.py::Cautious` where it has several.
It is run once for each name and content, so that two players from one file are of one class. What
is made of it can be sent to other processes: the file's content goes along and is run there.
"""

from __future__ import annotations

import copyreg
import hashlib
import inspect
import os
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from kibitz.core.errors import BadText, KibitzError, describe_error
from kibitz.core.files import read_file
from kibitz.core.interrupts import is_interrupt
from kibitz.core.options import Configured

_PREFIX = "kibitz_file_"
MOST = 16 << 20
"""Bytes of a file that is run."""
WITHIN = "::"
"""What stands between a file and one of several things in it."""

T = TypeVar("T")
C = TypeVar("C", bound=Configured)


def is_file(name: str) -> bool:
    """Whether this names a file: what is in the catalogue has neither dots nor slashes."""
    return any(letter in name for letter in "./\\")


def existing_file(spec: str) -> bool:
    """Whether all of a text is the name of a file that is there: it may have a colon."""
    return is_file(spec) and os.path.isfile(spec)


@dataclass(frozen=True)
class CodeFile:
    """A file as it was read: what it takes to run it here or elsewhere."""

    name: str
    """As the user typed it, with the thing in it that he named."""
    path: str
    place: str
    """Its absolute path."""
    content: bytes

    @classmethod
    def read(cls, name: str) -> CodeFile:
        """Load a file, and remember what it held."""
        path = name if os.path.isfile(name) else name.partition(WITHIN)[0]
        return cls(name, path, os.path.abspath(path), file_content(path))

    @property
    def inner(self) -> str:
        """The name of the thing in it, if one was named."""
        return self.name[len(self.path) + len(WITHIN) :]

    @property
    def digest(self) -> str:
        """Of what the file held when it was loaded."""
        return digest_of(self.content)

    @property
    def module_name(self) -> str:
        """One for each name, place and content."""
        what = "\n".join((self.name, self.place, self.digest)).encode(errors="surrogateescape")
        return f"{_PREFIX}{Path(self.path).stem}_{hashlib.sha256(what).hexdigest()[:16]}"

    def run(self) -> ModuleType:
        """Run it as a module, or give the one that was run. What goes wrong in it is said in one
        line."""
        known = sys.modules.get(self.module_name)
        if known is not None:
            return known
        module = ModuleType(self.module_name)
        module.__file__ = self.path
        sys.modules[module.__name__] = module  # dataclasses look their module up
        try:
            self._execute(module)
        except BaseException:
            del sys.modules[module.__name__]
            raise
        return module

    def _execute(self, module: ModuleType) -> None:
        try:
            exec(compile(self.content, self.path, "exec"), vars(module))
        except SyntaxError as error:
            line = f", line {error.lineno}" if error.lineno else ""
            raise BadText(f"{self.path}{line}: {error.msg}") from None
        except KibitzError:
            raise
        except BaseException as error:
            if is_interrupt(error):
                raise
            raise BadText(blame(error) or f"{self.path}: {describe_error(error)}") from None

    def mark(self, made: Any) -> None:
        """Say of a class, or of an object, where it is from."""
        made.name, made.source_file, made.source_digest = self.name, self.path, self.digest


def file_content(path: str) -> bytes:
    """All of a file that a user has named."""
    if not os.path.isfile(path):
        there = os.path.exists(path)
        raise BadText(f"{path} is not a file" if there else f"there is no file {path}")
    try:
        return read_file(Path(path), MOST)
    except OSError as error:
        raise BadText(f"{path}: {error.strerror}") from None


def file_digest(path: str) -> str:
    """The digest of what a file holds, however large it is: a program may be."""
    try:
        if not os.path.isfile(path):
            raise BadText(f"there is no file {path}")
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise BadText(f"{path}: {error.strerror}") from None


def digest_of(content: bytes) -> str:
    """The digest of a content."""
    return hashlib.sha256(content).hexdigest()


def classes_in(module: ModuleType, base: Any) -> dict[str, Any]:
    """The classes of a kind that a file has itself. One that still needs something is but a base
    of others, if there are others."""
    every = dict.fromkeys(filter(inspect.isclass, vars(module).values()))
    own = [c for c in every if issubclass(c, base) and c.__module__ == module.__name__]
    whole = [cls for cls in own if not inspect.isabstract(cls)]
    return {cls.__name__: cls for cls in whole or own}


def pick(file: CodeFile, things: Mapping[str, T], wanted: str) -> T:
    """The one that is named, or the only one. `wanted` says what a file must have."""
    names = ", ".join(things) or "none"
    if file.inner:
        if file.inner not in things:
            raise BadText(f"{file.path} has no {file.inner}; it has: {names}")
        return things[file.inner]
    if not things:
        raise BadText(f"{file.path} must have {wanted}; it has none")
    if len(things) > 1:
        one = next(iter(things))
        raise BadText(f"{file.path} has {names}: say which, such as {file.path}{WITHIN}{one}")
    return next(iter(things.values()))


def finish_class(file: CodeFile, cls: type[C], module: ModuleType) -> type[C]:
    """A class that a user wrote, checked, with the file's name."""
    missing = ", ".join(sorted(getattr(cls, "__abstractmethods__", ())))
    if missing:
        raise BadText(f"{file.path}: class {cls.__name__} still needs: {missing}")
    if cls.title == cls.__name__ and (module.__doc__ or "").strip():
        cls.title = (module.__doc__ or "").strip().splitlines()[0]
    file.mark(cls)
    copyreg.pickle(cls, lambda made: _reduced(made, file))
    return cls


def _reduced(made: Any, file: CodeFile) -> tuple[Any, ...]:
    """How an object of a class in a file is sent: with the file."""
    _, _, *rest = tuple(object.__reduce_ex__(made, 2))
    return (_remade, (file, type(made).__name__), *rest)


def _remade(file: CodeFile, name: str) -> Any:
    module = file.run()
    cls = classes_in(module, Configured)[name]
    return object.__new__(finish_class(file, cls, module))


def blame(error: BaseException) -> str | None:
    """What a user's file has to do with an error, if one is loaded: the line that it came
    through, or at least the file."""
    described = describe_error(error)
    line = _line_in_file(error)
    if line is not None:
        return f"{line}: {described}"
    # A wrong thing that a game gave us shows only where we use it.
    return next((f"{file}: {described}" for file in _files()), None)


def describe_with_line(error: BaseException) -> str:
    """An error of somebody else's code in one line, with the line of a user's file that it came
    through, if it did."""
    line = _line_in_file(error)
    return describe_error(error) + (f" ({line})" if line else "")


def _files() -> dict[str | None, None]:
    """The files that are loaded."""
    names = [name for name in sys.modules if name.startswith(_PREFIX)]
    return dict.fromkeys(sys.modules[name].__file__ for name in names)


def _line_in_file(error: BaseException) -> str | None:
    """The innermost line of a user's file that an error came through."""
    files = _files()
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        if frame.f_code.co_filename in files:
            return f"{frame.f_code.co_filename}, line {number}"
    return None
