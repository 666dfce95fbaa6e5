"""How often the interval of a score holds the truth, on a grid of what pairs may score.

`python -m tests.arena.statistics.coverage` prints the table of docs/comparing.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from kibitz.arena.statistics.scores import bounds

SCORES = np.array([0, 0.25, 0.5, 0.75, 1])
"""What a pair of games may score."""
NUMBERS = (10, 20, 50, 100, 500, 2000)
"""Of pairs."""
RUNS = 10_000
HALVES = (0.9, 0.95, 0.98, 0.99, 0.995, 0.999)
RARE = (0.01, 0.03, 0.1, 0.3)

Chances = np.ndarray
"""Of the SCORES; or, of a table of three, of so many sixths."""


def pair_chances(score: float, draws: float, bond: float) -> Chances:
    """The chances of the five SCORES if a game scores so much and has so many draws.

    The bond is the share of pairs where the first game decides the second: above 0 it has the
    same result, as if one player were surely better at this deal; below 0 the opposite one, as
    far as the score allows, as if the cards decided.
    """
    game = np.array([1 - score - draws / 2, draws, score - draws / 2])
    both = (1 - abs(bond)) * np.outer(game, game)
    if bond > 0:
        both += bond * np.diag(game)
    else:
        ends = np.append(0, game.cumsum())
        low = np.maximum(ends[:-1, None], 1 - ends[None, 1:])
        high = np.minimum(ends[1:, None], 1 - ends[None, :-1])
        both -= bond * np.maximum(0, high - low)
    chances = np.array([np.trace(both[:, ::-1], 2 - total) for total in range(5)])
    assert math.isclose(chances.sum(), 1) and math.isclose(chances @ SCORES, score)
    return chances / chances.sum()


def _nearly_all_a_half() -> Iterator[tuple[str, list[float]]]:
    for half in HALVES:
        rest = 1 - half
        yield "a half, else more", [0, 0, half, 0, rest]
        yield "a half, else more", [0, 0, half, rest, 0]
        yield "a half, else either", [rest / 2, 0, half, 0, rest / 2]
        yield "a half, else either", [0, rest / 2, half, rest / 2, 0]
        yield "a half, else either", [rest / 4, 0, half, 0, 3 * rest / 4]
        yield "a half, else lopsided", [rest / 3, 0, half, 2 * rest / 3, 0]


def _skewed() -> Iterator[tuple[str, list[float]]]:
    for rare in RARE:
        most = 1 - rare
        yield "skewed", [rare, 0, 0, most, 0]
        yield "skewed", [0, rare, 0, most, 0]
        yield "skewed", [0, 0, rare, most, 0]
        yield "skewed", [0, 0, 0, most, rare]
        yield "skewed", [0, 0, 0, rare, most]
        yield "skewed", [rare / 2, 0, rare / 2, 0, most]
        yield "skewed", [rare, rare, 1 - 3 * rare, 0, rare]


def grid() -> dict[str, list[Chances]]:
    """By kind. The mirror image of each would have the mirrored interval."""
    by_kind: dict[str, list[Chances]] = {}
    for score in (0.5, 0.55, 0.65, 0.8):
        for draws in (0.0, 0.3):
            by_kind.setdefault("games on their own", []).append(pair_chances(score, draws, 0))
        for bond in (-0.8, -0.4, 0.4, 0.8):
            by_kind.setdefault("games that depend", []).append(pair_chances(score, 0.1, bond))
        for bond in (-1.0, 1.0):
            by_kind.setdefault("one game decides", []).append(pair_chances(score, 0, bond))
    for score in (0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 0.01):
        for bond in (0, 0.8, 1, -1):
            by_kind.setdefault("near 99 % or 1 %", []).append(pair_chances(score, 0, bond))
    for kind, chances in (*_nearly_all_a_half(), *_skewed()):
        by_kind.setdefault(kind, []).append(np.array(chances) / sum(chances))
    for win in (1 / 3, 0.1, 0.01):
        sixths = [math.comb(6, k) * win**k * (1 - win) ** (6 - k) for k in range(7)]
        by_kind.setdefault("six games, three players", []).append(np.array(sixths))
    return by_kind


def coverage(chances: Chances, n: int, runs: int = RUNS) -> tuple[float, float]:
    """How often the interval of n pairs holds their true score, and its mean width."""
    whole = len(chances) - 1
    truth = float(chances @ np.arange(whole + 1)) / whole
    counts = np.random.default_rng(n).multinomial(n, chances, runs)
    sums = counts @ np.stack([np.arange(whole + 1), np.arange(whole + 1) ** 2], axis=1)
    sums, times = np.unique(sums, axis=0, return_counts=True)
    low, high = bounds(n, sums[:, 0] / whole, sums[:, 1] / whole**2)
    held = (low < truth + 1e-12) & (truth - 1e-12 < high)
    return float(times @ held / runs), float(times @ (high - low) / runs)


def lowest(n: int) -> dict[str, float]:
    """The lowest coverage of each kind."""
    return {kind: min(coverage(one, n)[0] for one in each) for kind, each in grid().items()}


def table() -> str:
    """In Markdown: of 100 intervals, how many hold the truth at least."""
    columns = [lowest(n) for n in NUMBERS]
    head = f"| pairs | {' | '.join(map(str, NUMBERS))} |\n|---|{'--:|' * len(NUMBERS)}\n"
    rows = (
        f"| {kind} | {' | '.join(f'{100 * each[kind]:.1f}' for each in columns)} |"
        for kind in columns[0]
    )
    return head + "\n".join(rows)


if __name__ == "__main__":
    print(table())
