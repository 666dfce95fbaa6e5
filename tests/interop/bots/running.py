"""What the tests of bots share: the hostile one as a strategy, and who still runs."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import suppress
from pathlib import Path

from kibitz.core.registry import make_strategy
from kibitz.core.strategy import Strategy

HOSTILE = Path(__file__).parent / "hostile_bot.py"


def hostile(folder: Path, way: str, limits: str = "move=1 memory=256") -> Strategy:
    """A copy of the hostile bot, so that its processes are known by the folder."""
    copy = folder / HOSTILE.name
    if not copy.exists():
        shutil.copy(HOSTILE, copy)
    return make_strategy(f"bot:{limits} {sys.executable} -S {copy} {way}")


def processes_of(folder: Path) -> list[str]:
    """The command lines that name a folder."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            command = Path(f"/proc/{number}/cmdline").read_bytes()
            if str(folder).encode() in command and int(number) != os.getpid():
                found.append(command.replace(b"\0", b" ").decode())
    return found


def wait_until_gone(folder: Path, seconds: float = 10.0) -> list[str]:
    """The processes that do not go away."""
    until = time.monotonic() + seconds
    while (left := processes_of(folder)) and time.monotonic() < until:
        time.sleep(0.02)
    return left
