"""Other Python processes for tests: their environment, and how to run them.

Traps of a disk cache, lazy imports and the command line show only in a fresh process. That
takes a second or two; `kibitz_here` runs the command line in this one, for many variants.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import warnings
from collections.abc import Mapping, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parent.parent
LIMIT = 300
"""Seconds after which a process counts as hanging; the first compilation is slow."""


def environment(**changes: str | Path) -> dict[str, str]:
    """Ours without what changes results or the look of the output, and with the changes."""
    unwanted = ("NUMBA_", "PYTHON", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "CLICOLOR")
    own = {key: value for key, value in os.environ.items() if not key.startswith(unwanted)}
    # Two edits within a second look the same to Python's own cache of byte code.
    own |= {"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1", "TERM": "xterm"}
    return own | {key: str(value) for key, value in changes.items()}


def with_own_cache(home: Path) -> dict[str, str]:
    """A cache without solutions, but with the machine code that everything else uses."""
    from kibitz.core.folders import cache_folder

    code = cache_folder() / "machine-code"
    code.mkdir(parents=True, exist_ok=True)
    own = home / "cache"
    own.mkdir(exist_ok=True)
    if not (own / "machine-code").exists():
        (own / "machine-code").symlink_to(code.resolve())
    return environment(HOME=home, XDG_DATA_HOME=home / "data", KIBITZ_CACHE=own)


def run(
    args: Sequence[str | Path], env: Mapping[str, str], given: str = "", cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments and this standard input."""
    return subprocess.run(
        [sys.executable, *map(str, args)],
        input=given, env=dict(env), cwd=cwd, capture_output=True, text=True, encoding="utf-8",
        timeout=LIMIT,
    )  # fmt: skip


def kibitz(
    *args: str | Path, given: str = "", home: Path, **changes: str
) -> subprocess.CompletedProcess[str]:
    """The command line, with a home of its own but the cache that everything else uses."""
    from kibitz.core.folders import cache_folder

    env = environment(
        HOME=home, XDG_DATA_HOME=home / "data", KIBITZ_CACHE=cache_folder(), **changes
    )
    return run(["-m", "kibitz", *args], env, given, cwd=home)


def kibitz_here(
    *args: str | Path, given: str = "", home: Path, columns: int = 80
) -> subprocess.CompletedProcess[str]:
    """The same in this process. What the command line does not catch comes out as it is."""
    from kibitz.core.folders import cache_folder

    with warnings.catch_warnings():
        # Typer imports what Click will not have for ever.
        warnings.simplefilter("ignore", DeprecationWarning)
        from kibitz.cli import main
    env = environment(
        HOME=home, XDG_DATA_HOME=home / "data", KIBITZ_CACHE=cache_folder(), COLUMNS=str(columns)
    )
    # Numba has read these already.
    env |= {key: value for key, value in os.environ.items() if key.startswith("NUMBA_")}
    # Strict as a terminal is: a text that it can't show is an error.
    out = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True)
    with (
        chdir(home),
        patch.dict(os.environ, env, clear=True),
        patch.object(sys, "argv", ["kibitz", *map(str, args)]),
        patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(given.encode()), "utf-8")),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
            code: object = None
        except SystemExit as stop:
            code = stop.code
    assert isinstance(code, int), "main ends by sys.exit with a number"
    output = [stream.buffer.getvalue().decode() for stream in (out, err)]
    return subprocess.CompletedProcess(args, code, *output)


def complaints(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The lines on standard error but for the one about compiling, which a cold cache brings."""
    return [line for line in done.stderr.splitlines() if "compiling, once" not in line]


def refused(command: str, home: Path, *args: str | Path) -> str:
    """A command's one line that refuses its arguments. Nothing is written."""
    before = sorted(home.rglob("*"))
    line = assert_refused(kibitz_here(command, *args, home=home))
    assert sorted(home.rglob("*")) == before
    assert len(line) < 1000
    return line


def assert_refused(done: subprocess.CompletedProcess[str]) -> str:
    """Bad input: exit code 2, one line, no traceback, nothing printed. The line."""
    lines = complaints(done)
    assert done.returncode == 2, done.stderr
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("kibitz: ")
    assert done.stdout == ""
    return lines[0]
