"""Random rounds of Love Letter in plain C++: `love_letter.cpp`, compiled if a compiler is there."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).with_name("love_letter.cpp")
COMPILERS = ("g++", "clang++", "c++")
FLAGS = ("-O3", "-march=native")


class RandomRounds(NamedTuple):
    """What the program counts."""

    rounds: int
    won: int
    """By the seat that began, alone."""
    tied: int
    plays: int


@cache
def program() -> Path | None:
    """The program; None where no compiler is."""
    compiler = next(filter(None, map(shutil.which, COMPILERS)), None)
    if compiler is None:
        return None
    built = Path(tempfile.mkdtemp(prefix="kibitz-benchmark-")) / "love_letter"
    subprocess.run([compiler, *FLAGS, "-o", str(built), str(SOURCE)], check=True)
    return built


def play(built: Path, rounds: int, seed: int) -> RandomRounds:
    """Play so many rounds."""
    words = [str(built), str(rounds), str(seed)]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    return RandomRounds(*map(int, done.stdout.split()))


def rounds_in_cpp(built: Path, rounds: int) -> Callable[[], int]:
    """The same to be timed."""
    return lambda: play(built, rounds, seed=1).rounds
