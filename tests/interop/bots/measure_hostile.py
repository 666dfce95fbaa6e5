"""A thousand games against a bot that misbehaves in every way: are all accounted for?

`python -m tests.interop.bots.measure_hostile [PAIRS]` prints the figures; the tests play a sample.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from kibitz.arena.compare import compare
from kibitz.core.registry import make_game, make_strategy
from kibitz.interop.bots.process import end_all
from kibitz.table.seeds import GameSeeds
from tests.interop.bots.hostile_bot import WAYS
from tests.interop.bots.running import hostile, wait_until_gone

SEED = 11


def main(pairs: int) -> None:
    """Play, count, and look for what still runs."""
    game, honest = make_game("kuhn-poker"), make_strategy("random")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        started = time.perf_counter()
        done = compare(game, [honest, hostile(folder, "mixed")], pairs, SEED, jobs=2)
        seconds = time.perf_counter() - started
        end_all()
        left = wait_until_gone(folder)
    (match,) = done.matches
    reasons = Counter(
        WAYS[int(GameSeeds(SEED, f.pair).seat(1 - f.order)[0]) % len(WAYS)] for f in done.failures
    )
    print(f"{match.wins + match.draws + match.losses} games in {seconds:.0f} s")
    print(f"lost by failing: {[player.failures for player in done.players]}")
    print(f"by what the bot did: {dict(sorted(reasons.items()))}")
    print(f"decisions of the honest one: {done.players[0].decisions}")
    print(f"processes left behind: {len(left)}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 500)
