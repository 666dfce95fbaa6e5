"""While a person reads and thinks, another process compiles what the game will need next.

A process and not a thread: compiled code is made by one thread at a time, so a person who plays
would wait for it; and a thread inside the compiler can't be stopped when the person leaves.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kibitz.core.game import Game
from kibitz.core.strategy import Strategy
from kibitz.games.compiled_game import CompiledGame

CODE = "import sys; from kibitz.arena.warm_up import warm_up_play; warm_up_play(*sys.argv[1:])"


@contextmanager
def warming_up(game: Game[Any, Any], *strategies: Strategy | None) -> Iterator[None]:
    """Meanwhile what these strategies need to play and to give hints is compiled, if a person
    sits at the terminal: a script does not stop to think."""
    if not (sys.stdin.isatty() and isinstance(game, CompiledGame)):
        yield
        return
    started = start(game, *strategies)
    try:
        yield
    finally:
        started.kill()
        started.wait()


def start(game: Game[Any, Any], *strategies: Strategy | None) -> subprocess.Popen[bytes]:
    wanted = dict.fromkeys(str(one) for one in strategies if one is not None)
    return subprocess.Popen(
        [sys.executable, "-c", CODE, game.spec, *wanted],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        start_new_session=True,  # Ctrl-C at the prompt is not for it
    )
