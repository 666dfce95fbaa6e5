"""What a position of Tablić is worth when a deal ends: a fit over self-play.

    .venv/bin/python docs/results/deal_value.py [games | --small]

Plays games of `genetic` against itself (both see both hands, so chance plays a smaller part),
looks at every position where a deal ends and another begins, and fits what is still to be won
by who moves first, in points, by least squares. `strategies/tablic/deal_value.py` has the
weights; docs/strategies.md says what they are good for.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from kibitz.core.registry import make_game, make_strategy
from kibitz.games.tablic.capture_values import packed
from kibitz.games.tablic.captures import COUNTS
from kibitz.games.tablic.ends import bits, card_points
from kibitz.games.tablic.open_hands.evaluation import low_sum
from kibitz.jit.kernels import Slot, bind, template
from kibitz.jit.rng import fork, stream
from kibitz.table.seeds import nth_seed

game: Any = Slot("game")
NAMES = ("cards ahead", "constant", "empty", "each card", "each point", "one card may clear it")
SEED = 77


@template
def play_games(s: Any, view: Any, root: Any, choose: Any, numbers: Any, at: Any, won: Any) -> int:
    """Play games until `at` is full of positions at deals' ends; won is the final margin."""
    rng = np.zeros(1, np.uint64)
    past = np.zeros(0, game.STATE)
    plays = np.zeros(0, np.int64)
    points = np.zeros(2)
    n = 0
    for i in range(len(at) // 3):
        fork(root, i, rng)
        game.deal(s, rng, 0)
        dealt = s[0].dealt
        while not game.over(s):
            seat = game.mover(s)
            game.observe_open_hands(s, seat, view)
            game.apply(s, choose[0](view, seat, past, plays, numbers, rng))
            if s[0].dealt != dealt and not game.over(s):
                dealt = s[0].dealt
                at[n] = s[0]
                n += 1
        game.points(s, points)
        for j in range(3 * i, n):
            won[j] = points[0] - points[1]
    return n


def features(x: Any) -> list[float]:
    """Of a position, for the seat that moves first (seat 0 here)."""
    table = packed(int(x.table))
    n = bits(int(x.table))
    ahead = bits(int(x.pile[0])) - bits(int(x.pile[1]))
    clear = float(n > 0 and low_sum(table & COUNTS) <= 14)
    return [ahead, 1.0, float(n == 0), n, card_points(int(x.table)), clear]


def margin(x: Any) -> float:
    """Points won so far above the other's."""
    own, other = (card_points(int(x.pile[seat])) + int(x.tablas[seat]) for seat in (0, 1))
    return float(own - other)


def main() -> None:
    asked = sys.argv[1] if sys.argv[1:] else "40000"
    games = 200 if asked == "--small" else int(asked)
    tablic: Any = make_game("tablic")
    policy: Any = make_strategy("genetic").policy(tablic)
    numbers = np.array(policy.numbers)
    at = np.zeros(3 * games, tablic.kernels.STATE)
    won = np.zeros(3 * games)
    like = (tablic.blank(), 0, at[:0], np.zeros(0, np.int64), numbers, stream(0))
    choose = (policy.choose.as_argument(*like),)
    run = bind(play_games, game=tablic.kernels)
    run(tablic.blank(), tablic.blank(), stream(nth_seed(SEED, 0)), choose, numbers, at, won)
    rows = np.array([features(x) for x in at])
    to_come = won - np.array([margin(x) for x in at])
    after = (52 - at["dealt"]) // 12
    print(f"{games} games of genetic against itself, seed {SEED}; in points, ± standard error")
    for deals in (3, 2, 1):
        mine = after == deals - 1
        fit, *_ = np.linalg.lstsq(rows[mine], to_come[mine], rcond=None)
        left = to_come[mine] - rows[mine] @ fit
        errors = np.sqrt(np.diag(np.linalg.inv(rows[mine].T @ rows[mine])) * left.var())
        print(f"{deals} deal{'s' * (deals > 1)} to come:")
        for name, weight, error in zip(NAMES, fit, errors, strict=True):
            print(f"  {name:<22} {weight:+.2f} ± {error:.2f}")


if __name__ == "__main__":
    main()
