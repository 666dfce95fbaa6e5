"""Starts a bot's program and sees that nothing of it stays behind. A process of its own, which
imports nothing of Kibitz.

    python launcher.py LIFELINE MEGABYTES PROGRAM ARGUMENT…

It is the program's parent. When the program ends, when something comes through the pipe LIFELINE,
or a moment after nobody holds its other end any more, because Kibitz has ended or was killed, it
kills the program's process group and, on Linux, everything that has left the group. The exit code
is the program's.
"""

from __future__ import annotations

import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from typing import Any

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
TICK = 0.5
"""Seconds between two looks at the program, where nothing wakes us up."""
GRACE = 1.0
"""Seconds for a program to end by itself, when Kibitz has."""
PATIENCE = 5.0
"""Seconds for killed processes to end."""
NOT_STARTED = 127


def main(lifeline: int, megabytes: int, command: list[str]) -> int:
    """Run the program to its end, or to ours."""
    libc = _libc()
    if libc is not None:
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    os.set_inheritable(lifeline, False)
    # A handler that does nothing wakes the poll up when the program ends.
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for Kibitz, which closes the lifeline
    ours = os.getpid()
    child = os.fork()
    if child == 0:
        _become(libc, ours, megabytes, command)
    for stream in (0, 1, 2):
        os.close(stream)  # else the other end of a pipe never sees that the program has gone
    code = _wait(child, lifeline, wake)
    _kill(child)
    return code


def _libc() -> Any:
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    return ctypes.CDLL(None)


def _become(libc: Any, parent: int, megabytes: int, command: list[str]) -> None:
    """What the program starts with: a group of its own, and limits."""
    try:
        os.setpgid(0, 0)
        if libc is not None:
            libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != parent:
                os._exit(NOT_STARTED)
        for number in (signal.SIGINT, signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        # Address space would not do: some languages reserve much more than they use.
        kind = resource.RLIMIT_DATA if libc is not None else resource.RLIMIT_AS
        most = resource.getrlimit(kind)[1]
        wanted = megabytes << 20
        if most == resource.RLIM_INFINITY or wanted < most:
            resource.setrlimit(kind, (wanted, wanted))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode(errors="replace"))
    finally:
        os._exit(NOT_STARTED)


def _wait(child: int, lifeline: int, wake: int) -> int:
    """Until the program ends, or nobody holds the lifeline. The program's exit code."""
    poll = select.poll()
    poll.register(lifeline, select.POLLIN)
    poll.register(wake, select.POLLIN)
    until = None
    while until is None or time.monotonic() < until:
        ready = [fd for fd, _ in poll.poll(1000 * TICK)]
        if wake in ready:
            os.read(wake, 512)
        if lifeline in ready:
            if os.read(lifeline, 1):
                return 0
            poll.unregister(lifeline)
            until = time.monotonic() + GRACE
        # What has left the group becomes our child when its parent ends: only one is the program.
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
    return 0


def _kill(group: int) -> None:
    """End the group, and whatever else is our child now."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        with suppress(OSError):
            os.killpg(group, signal.SIGKILL)
        for child in _children():
            with suppress(OSError):
                os.kill(child, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def _children() -> list[int]:
    """Our children, where the system lists them."""
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
            return [int(number) for number in file.read().split()]
    except OSError:
        return []


if __name__ == "__main__":
    code = main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
    # A negative one is the number of a signal, as a shell tells it.
    os._exit(code if code >= 0 else 128 - code)
