"""How often the intervals of the joint rating hold the truth, and how often a right scale is
refused: the table of docs/comparing.md. `python -m tests.arena.statistics.rating_coverage`"""

from __future__ import annotations

import numpy as np

from kibitz.arena.statistics.rating import fit_scale
from tests.arena.statistics.test_rating import half, round_robin

FIELDS = {
    "three equal": (0.0, 0.0, 0.0),
    "three, 300 apart": (300.0, 0.0, -300.0),
    "five, 100 apart": (200.0, 100.0, 0.0, -100.0, -200.0),
    "eight, 20 apart": tuple(70.0 - 20 * i for i in range(8)),
}
PAIRS = (20, 50, 200, 1000)
RUNS = 2000


def simulated(ratings: tuple[float, ...], pairs: int, seed: int = 1) -> tuple[float, float]:
    """Of intervals of ratings, how many hold the truth (the lowest share of a player); how often
    the scale is refused. Where somebody lost or won everything there is none, and it is left
    out."""
    rng = np.random.default_rng(seed)
    players, counted, refused = len(ratings), 0, 0
    held = np.zeros(players)
    for _ in range(RUNS):
        scale = fit_scale(round_robin(rng, ratings, pairs), players)
        if len(scale.groups) > 1:
            continue
        counted += 1
        held += [abs(scale.ratings[k] - ratings[k]) <= half(scale, k) for k in range(players)]
        refused += scale.probability is not None and scale.probability < 0.05
    return float(held.min()) / counted, refused / counted


def main() -> None:
    for name, ratings in FIELDS.items():
        cells = [f"{100 * a:.1f} ({100 * b:.1f})" for a, b in
                 (simulated(ratings, pairs) for pairs in PAIRS)]  # fmt: skip
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
