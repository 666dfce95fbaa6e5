"""A bot's process: started, asked, and ended with all that it has started.

The program is the child of a launcher (`launcher.py`), which ends it when we end, however that
happens. It gets pipes and nothing else of ours: no other file, a cleaned environment.
"""

from __future__ import annotations

import atexit
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from kibitz.core.checks import one_line
from kibitz.core.errors import StrategyFailed
from kibitz.interop.bots import launcher
from kibitz.interop.bots.log import BotLog
from kibitz.interop.bots.protocol import (
    ANSWERS,
    LONGEST,
    MOST_IGNORED,
    VERSION,
    answer_in,
    hello,
    line_of,
    read_line,
)

ENVIRONMENT = (
    "PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR", "LD_LIBRARY_PATH",
    "PYTHONPATH", "VIRTUAL_ENV", "XDG_CACHE_HOME", "XDG_DATA_HOME", "KIBITZ_CACHE",
    "NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK",
)  # fmt: skip
"""What a program gets of our environment, and what begins with LC_."""
GRACE = 1.0
"""Seconds for a bot to end when it was told to."""
TICK = 0.2
"""Seconds after which a wait may be interrupted from another thread."""
CHUNK = 1 << 16


@dataclass(frozen=True)
class BotCommand:
    """What is run, and its limits."""

    words: tuple[str, ...]
    start: float
    """Seconds to say hello, and to get ready for a game."""
    move: float
    """Seconds for a decision."""
    memory: int
    """Megabytes that each of its processes may have."""


def clean_environment() -> dict[str, str]:
    """Ours without what is not a program's business."""
    return {
        name: value
        for name, value in os.environ.items()
        if name in ENVIRONMENT or name.startswith("LC_")
    }


class BotProcess:
    """A bot that runs. Whatever goes wrong while it is asked ends it."""

    def __init__(self, command: BotCommand) -> None:
        self.command = command
        self.name = command.words[0]
        self.number = 0
        """Of the last question."""
        self.alive = True
        self._log = BotLog(command.words)
        self._unsent = b""
        self._unread = b""
        ours, theirs = os.pipe()
        try:
            self._popen = self._start(ours)
        except BaseException:
            os.close(theirs)
            raise
        finally:
            os.close(ours)
        self._lifeline = theirs
        streams = self._popen.stdin, self._popen.stdout, self._popen.stderr
        self._in, self._out, self._err = (stream.fileno() for stream in streams if stream)
        for number in (self._in, self._out, self._err):
            os.set_blocking(number, False)
        _live.add(self)

    def _start(self, lifeline: int) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                [
                    sys.executable, "-I", "-S", launcher.__file__, str(lifeline),
                    str(self.command.memory), *self.command.words,
                ],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                env=clean_environment(), pass_fds=[lifeline],
            )  # fmt: skip
        except OSError as error:
            raise StrategyFailed(f"it can't be started: {error.strerror}") from error

    @classmethod
    def started(cls, command: BotCommand) -> BotProcess:
        """One that has said hello, in time and in our version of the protocol."""
        process = cls(command)
        answer = process.ask("hello", command.start, hello())
        if answer.get("protocol") != VERSION:
            process.kill()
            theirs = one_line(repr(answer.get("protocol")))[:20]
            raise StrategyFailed(f"it speaks protocol {theirs}, and this is {VERSION}")
        return process

    # -- talking -----------------------------------------------------------------------------

    def send(self, message: Mapping[str, Any]) -> None:
        """Say what wants no answer. It goes out with the next question at the latest."""
        self._unsent += line_of(message)
        with suppress(OSError):
            self._write()

    def ask(self, question: str, seconds: float, message: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a question; StrategyFailed if there is none in time."""
        self.number += 1
        try:
            asked = {"type": question, "id": self.number}
            self._unsent += line_of({**asked, **message, **asked})
            until = time.monotonic() + seconds
            for _ in range(MOST_IGNORED):
                said = read_line(self._read_line(until, question, seconds))
                if answer_in(said, question, self.number):
                    return said
            raise StrategyFailed(f"it prints on and on and says no {ANSWERS[question]}")
        except StrategyFailed as error:
            self.send({"type": "error", "message": str(error)})
            self.kill()
            raise
        except BaseException:
            self.kill()
            raise

    def _read_line(self, until: float, question: str, seconds: float) -> bytes:
        while b"\n" not in self._unread:
            if len(self._unread) > LONGEST:
                raise StrategyFailed(f"it prints a line of more than {LONGEST} bytes")
            left = until - time.monotonic()
            if left <= 0:
                raise StrategyFailed(
                    f"it did not answer in {seconds:g} s, asked {question} {self.number}"
                )
            self._exchange(min(left, TICK))
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def _exchange(self, seconds: float) -> None:
        """Write and read what can be, and wait for it so long."""
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        if self._err >= 0:
            poll.register(self._err, select.POLLIN)
        if self._unsent:
            poll.register(self._in, select.POLLOUT)
        ready = {number for number, _ in poll.poll(1000 * seconds)}
        if self._err in ready:
            self._read_errors()
        if self._out in ready:
            # First what it has said: it may have said why it ends.
            said = os.read(self._out, CHUNK)
            if not said:
                raise StrategyFailed(self._why_silent("output"))
            self._unread += said
        elif self._in in ready:
            try:
                self._write()
            except OSError:
                raise StrategyFailed(self._why_silent("input")) from None

    def _write(self) -> None:
        if self._unsent:
            with suppress(BlockingIOError):
                self._unsent = self._unsent[os.write(self._in, self._unsent[:CHUNK]) :]

    def _read_errors(self) -> None:
        """Put what came on standard error into the log."""
        with suppress(BlockingIOError):
            said = os.read(self._err, CHUNK)
            if said:
                self._log.write(said)
            else:
                self._popen.stderr.close()  # type: ignore[union-attr]
                self._err = -1

    def _why_silent(self, stream: str) -> str:
        """In words why a pipe of it is closed."""
        try:
            code = self._popen.wait(GRACE)
        except subprocess.TimeoutExpired:
            return f"it has closed its standard {stream}"
        if self._err >= 0:
            self._read_errors()
        why = f"it ended by signal {code - 128}" if code > 128 else f"it ended, exit code {code}"
        return f"{why}: {self._log.last_words}" if self._log.last_words else why

    # -- ending ------------------------------------------------------------------------------

    @property
    def is_new(self) -> bool:
        """Whether it has played no game yet."""
        return self.number <= 1

    @property
    def has_ended(self) -> bool:
        """Whether it can't be asked any more."""
        return not self.alive or self._popen.poll() is not None

    def quit(self, seconds: float = GRACE) -> bool:
        """Tell it to end, and wait; then end it. Whether it went by itself."""
        went = False
        if self.alive:
            self.send({"type": "quit"})
            until = time.monotonic() + seconds
            with suppress(StrategyFailed, OSError):
                while self._unsent and time.monotonic() < until:
                    self._exchange(TICK)
                    self._unread = b""
            self._popen.stdin.close()  # type: ignore[union-attr]
            self._in = -1
            with suppress(subprocess.TimeoutExpired):
                self._popen.wait(max(until - time.monotonic(), 0.0))
                went = True
        self.kill()
        return went

    def kill(self) -> None:
        """End it and all that it has started, at once. The launcher does it; nobody waits here,
        for a clock may be running."""
        if not self.alive:
            return
        self.alive = False
        with suppress(OSError):
            os.write(self._lifeline, b"k")
        if self._err >= 0:
            with suppress(OSError):
                self._read_errors()
        self._close()
        _dying.append(self._popen)
        _live.discard(self)

    def _close(self) -> None:
        for stream in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if stream is not None and not stream.closed:
                stream.close()
        os.close(self._lifeline)
        self._log.close()

    def forget(self) -> None:
        """In a process that was forked: this bot is not ours."""
        self.alive = False
        self._popen.returncode = 0
        self._close()


_live: set[BotProcess] = set()
_dying: list[subprocess.Popen[bytes]] = []
_idle: dict[BotCommand, list[BotProcess]] = {}
_lock = threading.Lock()


def take(command: BotCommand) -> BotProcess:
    """A process of a command: one that waits for a game, or a new one."""
    _dying[:] = [popen for popen in _dying if popen.poll() is None]
    while True:
        with _lock:
            waiting = _idle.get(command)
            process = waiting.pop() if waiting else None
        if process is None:
            return BotProcess.started(command)
        if not process.has_ended:
            return process
        process.kill()


def give_back(process: BotProcess) -> None:
    """It waits for its next game, if it can."""
    if process.alive:
        with _lock:
            _idle.setdefault(process.command, []).append(process)


def end_all() -> None:
    """End all bots of this process, and wait for that."""
    with _lock:
        _idle.clear()
    for process in list(_live):
        process.send({"type": "quit"})
    until = time.monotonic() + GRACE
    for process in list(_live):
        process.quit(max(until - time.monotonic(), 0.0))
    for popen in _dying:
        try:
            popen.wait(launcher.PATIENCE)
        except subprocess.TimeoutExpired:
            popen.kill()  # and with it the program, where the system does that
            popen.wait()
    _dying.clear()


def _forget_all() -> None:
    global _lock
    _lock = threading.Lock()
    for process in _live:
        with suppress(OSError):
            process.forget()
    for popen in _dying:
        popen.returncode = 0
    _live.clear()
    _idle.clear()
    _dying.clear()


os.register_at_fork(after_in_child=_forget_all)
atexit.register(end_all)
