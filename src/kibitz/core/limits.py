"""How much of this machine somebody may ask for: refused in a line, before it is taken."""

from __future__ import annotations

import os
import sys

from kibitz.core.errors import BadValue, KibitzError

PER_CORE, ALWAYS = 4, 32
"""Processes or threads: so many for each core, but so many on any machine."""


class TooLarge(KibitzError):
    """For the memory of this machine."""


def cores() -> int:
    """Every core that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_parallel(what: str, number: int) -> None:
    """Refuse more processes or threads than do any good."""
    check_range(what, number, 1, max(PER_CORE * cores(), ALWAYS))


def check_search(threads: int, memory: int) -> None:
    """With a table of positions that they share."""
    check_parallel("threads", threads)
    check_memory("the table of positions", memory)


def check_range(what: str, number: int, least: int, most: int) -> None:
    """Refuse a number outside of these limits, in one line."""
    if number < least:
        raise BadValue(f"{what} must be at least {least}, not {number}")
    if number > most:
        raise BadValue(f"{what} must be at most {most}, not {number}")


def check_memory(what: str, need: int) -> None:
    """Better now than after an hour."""
    if sys.platform == "linux":
        has = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        if need > has:
            raise TooLarge(f"{what} needs {need / 1e9:.1f} GB, and the machine has {has / 1e9:.1f}")
