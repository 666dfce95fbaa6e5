"""The figures of docs/review.md: coverage, bias, calibration, order of the strategies, luck.

.venv/bin/python docs/results/review_measures.py coverage|bias|calibration|order|luck [N]
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import kibitz
from kibitz.core.game import Game, View
from kibitz.core.registry import make_strategy
from kibitz.jit.rng import stream
from kibitz.review.continuation import continuation_of
from kibitz.review.judge import judge
from kibitz.review.luck import LuckEstimator, LuckTurn, luck_of
from kibitz.review.worth import Worth
from kibitz.table.table import Table

BOTH = ("love-letter", "tablic")
FAIR = {
    "love-letter": ("random", "probabilistic", "greedy", "flat-mc"),
    "tablic": ("random", "greedy", "human", "pimc:worlds=20"),
}


def decisions(
    game: Game[Any, Any], players: Sequence[str], seed: int
) -> Iterator[tuple[Table, View[Any], Any]]:
    """A game between strategies: the table, what the mover sees, and its play."""
    table = Table(game, seed)
    seated = [
        make_strategy(name).sit(game, seat, stream(seed, seat)) for seat, name in enumerate(players)
    ]
    while not table.is_over:
        view = table.view(table.mover)
        play = seated[table.mover].choose(view)
        yield table, view, play
        table.play(play)


def coverage(n: int) -> None:
    """Last turns of rounds: every deal is enumerated, so the value under any continuation is
    known; and intervals of sampled values, with beliefs by counting."""
    game, seed = kibitz.make_game("love-letter"), 0
    covered: list[bool] = []
    open_: list[bool] = []
    while len(open_) < n:
        seed += 1
        for _, view, _ in decisions(game, ["greedy", "random"], seed):
            if view.state[0].left or len(view.plays()) < 2:
                continue
            bare = kibitz.Position(game, view.state).view(view.seat)
            judged = judge(bare, seed=seed, exact=False, precision=0.05)
            for one in judged.values:
                true = sum(
                    chance * (game.returns(game.after(world, one.play))[view.seat] + 1) / 2
                    for world, chance in game.every_deal(bare.state)  # type: ignore[attr-defined]
                )
                low, high = one.value.ci95
                covered.append(low - 1e-9 <= true <= high + 1e-9)
                if 1e-9 < true < 1 - 1e-9:  # else every world says the same
                    open_.append(covered[-1])
    print(f"coverage: {np.mean(covered):.4f} of {len(covered)} intervals;"
          f" of values that are not certain {np.mean(open_):.4f} of {len(open_)}")  # fmt: skip


def bias(n: int) -> None:
    """Sampled less exact values of the best play and of all plays, in chances to win."""
    for spec in BOTH:
        game, seed = kibitz.make_game(spec), 0
        best: list[float] = []
        every: list[float] = []
        while len(best) < n:
            seed += 1
            for _, view, _ in decisions(game, ["greedy", "greedy"], seed):
                exact = judge(view)
                if exact.kind != "exact" or exact.is_obvious:
                    continue
                sampled = judge(view, exact=False, seed=seed)
                best.append(sampled.of(exact.best).chance.value - exact.values[0].chance.value)
                every += [
                    sampled.of(one.play).chance.value - one.chance.value for one in exact.values
                ]
        half = 1.96 * np.std(best) / np.sqrt(len(best))
        print(f"{spec}: bias of the best play {np.mean(best):+.4f} ± {half:.4f} over {len(best)}"
              f" decisions; of all plays {np.mean(every):+.4f} over {len(every)}")  # fmt: skip


def calibration(n: int, spec: str = "love-letter") -> None:
    """The chance that the judge gives before a play, against what came of it."""
    game, told, came = kibitz.make_game(spec), [], []
    by = {"love-letter": "flat-mc:worlds=50", "tablic": "pimc:worlds=20"}[spec]
    for seed in range(1, n + 1):
        lots, seen = np.random.default_rng(seed), []
        table = None
        for table, view, play in decisions(game, [by, by], seed):  # noqa: B007
            seen.append((view, play))
        assert table is not None
        view, play = seen[lots.integers(len(seen))]  # one a game: they are independent then
        returns = game.returns(table.state)
        won = (returns[view.seat] > 0) + (returns[view.seat] == 0) / 2
        told.append(judge(view, played=play, precision=0.03, seed=seed).of(play).chance.value)
        came.append(won)
    tell, came_true = np.array(told), np.array(came)
    for low in np.arange(0, 1, 0.1):
        inside = (tell >= low) & ((tell < low + 0.1) | (low > 0.85))
        k = int(inside.sum())
        if k:
            p, q = tell[inside].mean(), came_true[inside].mean()
            band = 2.81 * np.sqrt(max(p * (1 - p), 1e-4) / k)  # ten bands together at 95 %
            print(f"{low:.1f}–{low + 0.1:.1f}: told {p:.3f}, came {q:.3f} ± {band:.3f}, n {k}"
                  f"{'' if abs(p - q) <= band else '  OUTSIDE'}")  # fmt: skip


def order(n: int) -> None:
    """Mean loss a decision of each strategy, in games against itself."""
    for spec, names in FAIR.items():
        game = kibitz.make_game(spec)
        for name in names:
            losses = []
            for seed in range(1, n + 1):
                lost, number = 0.0, 0
                for _, view, play in decisions(game, [name, name], seed):
                    judged = judge(view, played=play, precision=0.05 if spec == BOTH[0] else 2.0)
                    if not judged.is_obvious:
                        lost, number = lost + judged.of(play).behind.value, number + 1
                losses.append((lost, number))
            lost_, number_ = np.array(losses).T
            mean = lost_.sum() / number_.sum()
            error = np.sqrt(((lost_ - mean * number_) ** 2).sum()) / number_.sum()
            print(f"{spec} {name}: {mean:.4f} ± {1.96 * error:.4f} over {n} games", flush=True)


def luck(n: int, spec: str = "love-letter", worlds: int = 30) -> None:
    """The mean of the three parts over games of several pairings."""
    game = kibitz.make_game(spec)
    for players in (("random", "greedy"), ("greedy", "greedy")):
        parts = []
        for seed in range(1, n + 1):
            turns = [
                LuckTurn(len(table.plays) + 1, view.seat, table.state, view, play.code)
                for table, view, play in decisions(game, players, seed)
            ]
            code = game.name_play(turns[-1].state, turns[-1].code)  # type: ignore[attr-defined]
            end = game.after(turns[-1].state, code)
            estimate = LuckEstimator(continuation_of(game), Worth(game), worlds, 0, seed)
            found = luck_of(turns, end, 0, estimate)
            parts.append([found.sum(part, 0) for part in ("draw", "hidden", "skill")])
            off = sum(parts[-1]) - (found.result[0] - found.start[0])
            assert abs(off) < 1e-9
        mean = np.mean(parts, axis=0)
        half = 1.96 * np.std(parts, axis=0) / np.sqrt(n)
        told = ", ".join(f"{m:+.4f} ± {h:.4f}" for m, h in zip(mean, half, strict=True))
        print(f"{spec}, {' – '.join(players)}, {n} games: draw, hidden, skill {told}", flush=True)


SMALL = (("coverage", 5), ("luck", 2), ("calibration", 2))


if __name__ == "__main__":
    started = time.process_time()
    what, *rest = sys.argv[1:]
    if what == "--small":
        for name, number in SMALL:
            globals()[name](number)
    else:
        globals()[what](*(int(one) if one.isdecimal() else one for one in rest))
    print(f"{time.process_time() - started:.1f} s of processor time")
