"""What a bot writes to standard error: a file in the user's cache, which does not grow for ever."""

from __future__ import annotations

import hashlib
import os
import shlex
import time
from collections.abc import Sequence
from pathlib import Path

from kibitz.core.checks import one_line
from kibitz.core.folders import cache_folder

MOST = 1 << 20
"""Bytes of a process; more is dropped."""
LARGEST = 8 << 20
"""Bytes of a file, which then begins anew."""
TAIL = 2000
SHOWN = 200


def log_path(words: Sequence[str]) -> Path:
    """The log of a command: all its processes write to one file."""
    command = shlex.join(words).encode(errors="surrogateescape")
    digest = hashlib.sha256(command).hexdigest()[:8]
    return cache_folder() / "bots" / f"{Path(words[0]).name[:40]}-{digest}.log"


class BotLog:
    """The end of a process's standard error. Without a folder that can be written, only that."""

    def __init__(self, words: Sequence[str]) -> None:
        self._left = MOST
        self._tail = b""
        self._file = -1
        command = shlex.join(words)
        self.path = log_path(words)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            large = self.path.exists() and self.path.stat().st_size > LARGEST
            mode = os.O_CREAT | os.O_WRONLY | os.O_APPEND | (os.O_TRUNC if large else 0)
            self._file = os.open(self.path, mode, 0o600)
            now = time.strftime("%Y-%m-%d %H:%M:%S")
            os.write(self._file, f"--- {now} {one_line(command)}\n".encode(errors="replace"))
        except (OSError, ValueError):
            self.close()

    def write(self, said: bytes) -> None:
        """Add what was said."""
        self._tail = (self._tail + said)[-TAIL:]
        if self._file >= 0 and self._left > 0:
            try:
                os.write(self._file, said[: self._left])
            except OSError:
                self.close()
            self._left -= len(said)

    @property
    def last_words(self) -> str:
        """The last line, printable."""
        lines = self._tail.decode(errors="replace").strip().splitlines()
        return one_line(lines[-1])[:SHOWN] if lines else ""

    def close(self) -> None:
        """Nothing more is written."""
        if self._file >= 0:
            os.close(self._file)
        self._file = -1
