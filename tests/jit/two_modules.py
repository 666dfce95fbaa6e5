"""Two modules of kernels in a folder, one calling the other, run in processes of their own."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.processes import environment, run

CALLEE = """\
import numpy as np
from kibitz.jit.kernels import kernel

NUMBER = 3
ARRAY = np.array([10, 20, 30])
LONG = (np.zeros(2000, np.int64), np.zeros(2000, np.int64))


@kernel
def helper(x):
    return x * 2


@kernel
def helper_of_number(x):
    return x * NUMBER


@kernel
def helper_of_array(x):
    return x + ARRAY[1]


@kernel
def helper_of_tuple(x):
    return x + LONG[0][1000]
"""

CALLER = """\
from kibitz.jit.kernels import kernel
from callee import helper, helper_of_array, helper_of_number, helper_of_tuple


@kernel
def outer(x):
    return helper(x) + 1


@kernel
def outer_of_number(x):
    return helper_of_number(x) + 1


@kernel
def outer_of_array(x):
    return helper_of_array(x) + 1


@kernel
def outer_of_tuple(x):
    return helper_of_tuple(x) + 1


@kernel
def counted(n):
    if n < 2:
        return n
    return counted(n - 1) + counted(n - 2)


@kernel
def counted_twice(n):
    return 2 * counted(n)


@kernel
def peek(array, i):
    return array[i]
"""


class Package:
    """The two modules in a folder, with a cache folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cache = folder / "cache"
        self.callee = folder / "callee.py"
        self.callee.write_text(CALLEE)
        (folder / "caller.py").write_text(CALLER)

    def edit_callee(self, old: str, new: str) -> None:
        text = self.callee.read_text()
        assert old in text
        self.callee.write_text(text.replace(old, new))

    def run(self, code: str, **env: str | Path) -> subprocess.CompletedProcess[str]:
        """What a fresh process makes of some code after `from caller import *`."""
        env = {"KIBITZ_CACHE": self.cache, "PYTHONPATH": self.folder, **env}
        return run(["-c", f"from caller import *\n{code}"], environment(**env), cwd=self.folder)

    def result(self, code: str, **env: str | Path) -> str:
        done = self.run(code, **env)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def files(self) -> dict[Path, int]:
        """The files of machine code and when they were written."""
        return {
            file: file.stat().st_mtime_ns
            for file in self.cache.rglob("*")
            if file.suffix in (".nbi", ".nbc")
        }
