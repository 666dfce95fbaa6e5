"""A sign of life on standard error, if somebody looks at it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def working(what: str) -> Iterator[Callable[[str], None]]:
    """A spinner; what it gives is told what is done now."""
    if not sys.stderr.isatty():
        yield lambda now: None
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what} …") as status:
        yield lambda now: status.update(f"{what}: {now} …")
