"""`kibitz warm-up`: compile everything once, so that nothing has to wait later."""

from __future__ import annotations

import sys
import time
from typing import Annotated

import typer

from kibitz.core import registry


def warm_up(
    game: Annotated[
        list[str] | None, typer.Argument(help="Only these games.", show_default=False)
    ] = None,
) -> None:
    """Compile the games and strategies, which takes some minutes once; later starts find it in
    the JIT cache."""
    from kibitz.arena.warm_up import warm_up_game, warm_up_strategies
    from kibitz.core.folders import cache_folder

    chosen = [registry.make_game(spec) for spec in game or registry.games()]
    for one in chosen:
        started = time.perf_counter()
        warm_up_game(one)
        warm_up_strategies(one)
        print(f"{one}: {time.perf_counter() - started:.1f} s", flush=True)
    print(f"the JIT cache is in {cache_folder()}", file=sys.stderr)
