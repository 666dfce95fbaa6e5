"""The figures of docs/review.md: coverage, bias, calibration, order of the strategies, luck.

.venv/bin/python docs/results/review_measures.py coverage|bias|order|luck [N [GAME]]
.venv/bin/python docs/results/review_measures.py calibration N love-letter|tablic [STORE]
.venv/bin/python docs/results/review_measures.py picture STORE FILE.svg
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import kibitz
from kibitz.core.game import Game, View
from kibitz.core.registry import make_strategy
from kibitz.jit.rng import stream
from kibitz.review.continuation import continuation_of
from kibitz.review.judge import judge
from kibitz.review.luck import LuckEstimator, LuckTurn, luck_of
from kibitz.review.unit_value import UnitValue
from kibitz.solvers.tablic.last_deal import exact_plays
from kibitz.table.table import Table

BOTH = ("love-letter", "tablic")
FAIR = {
    "love-letter": ("random", "probabilistic", "greedy", "pimc", "ismcts", "flat-mc"),
    "tablic": ("random", "greedy", "human", "flat-mc", "ismcts", "pimc"),
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


def bias(n: int, *games: str) -> None:
    """Sampled less exact values of the best play and of all plays, in chances to win."""
    for spec in games or BOTH:
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


STRONG = {
    "love-letter": ("flat-mc:worlds=50", "ismcts:simulations=300", "pimc:worlds=20"),
    "tablic": ("pimc:worlds=5", "flat-mc:worlds=20"),
}
LATEST = {"love-letter": 6, "tablic": 36}
"""The decision that is judged is drawn from the first so many. In Tablić they are those before the
last deal, which is solved instead of played: strong players know all cards there."""


def judged_game(game: Game[Any, Any], seed: int) -> tuple[float, float] | None:
    """The chance that the judge gives a play of a game between strong players, and what came of
    it. Which decision of the game is drawn before it is played, for how long a game lasts depends
    on how it ends; None if it is over before."""
    spec, lots = game.name, np.random.default_rng(seed)
    by = [STRONG[spec][i] for i in lots.integers(len(STRONG[spec]), size=2)]
    which, now, ended = int(lots.integers(LATEST[spec])), None, None
    table = None
    for turn, (table, view, play) in enumerate(decisions(game, by, seed)):  # noqa: B007
        if spec == BOTH[1] and turn == LATEST[spec]:
            exact = exact_plays(view)
            assert exact is not None
            ended = np.roll([max(exact[0].values()), -max(exact[0].values())], view.seat)
            break
        if turn == which:
            precision = 0.1 if spec == BOTH[0] else 4.0
            judged = judge(view, played=play, precision=precision, seed=seed)
            now = view.seat, judged.of(play).chance.value
    if now is None:
        return None
    assert table is not None
    ended = np.array(game.returns(table.state)) if ended is None else ended
    return now[1], float(ended[now[0]] > 0) + float(ended[now[0]] == 0) / 2


def calibration(n: int, spec: str = "love-letter", store: str = "") -> None:
    """The chance that the judge gives to win, against what came of it, over n games. With the name
    of a file it goes on from there, and says how far it is."""
    game = kibitz.make_game(spec)
    lines = Path(store).read_text().splitlines() if store and Path(store).exists() else []
    seed = len(lines)
    done = [pair for line in lines if (pair := json.loads(line))]
    while len(done) < n:
        seed += 1
        pair = judged_game(game, seed)
        done += [pair] if pair else []
        if store:
            with Path(store).open("a") as file:
                file.write(f"{json.dumps(pair)}\n")
            if pair and len(done) % 250 == 0:
                print(f"{len(done)} of {n}", file=sys.stderr, flush=True)
    told, came = np.array(done[:n]).T
    tell_bands(spec, told, came)


def band_of(told: Any) -> float:
    """Half the width of the band of one tenth: 95 % for ten of them together."""
    return float(2.81 * np.sqrt(max((told * (1 - told)).mean(), 1e-4) / len(told)))


def tell_bands(spec: str, told: Any, came: Any) -> None:
    """A line for every tenth: 95 % for all ten together."""
    for low in range(10):
        inside = np.clip((told * 10).astype(int), 0, 9) == low
        k = int(inside.sum())
        if k:
            p, q = told[inside].mean(), came[inside].mean()
            band = band_of(told[inside])
            print(f"{spec} {low / 10:.1f}: told {p:.3f}, came {q:.3f} ± {band:.3f}, n {k}"
                  f"{'' if abs(p - q) <= band else '  OUTSIDE'}")  # fmt: skip


def picture(store: str, name: str) -> None:
    """Draw what `calibration` has stored: `picture STORE docs/pictures/calibration.svg`."""
    from kibitz.report.plots import BLUE, GREY, new_figure

    pairs = [pair for line in Path(store).read_text().splitlines() if (pair := json.loads(line))]
    told, came = np.array(pairs).T
    figure, (axes,) = new_figure(4.2, width=4.6)
    axes.plot([0, 1], [0, 1], color=GREY, linewidth=1)
    for low in range(10):
        inside = np.clip((told * 10).astype(int), 0, 9) == low
        if inside.any():
            p, q, band = told[inside].mean(), came[inside].mean(), band_of(told[inside])
            axes.errorbar([p], [q], yerr=[band], color=BLUE, marker="o", markersize=4)
    axes.set_xlabel("told: chance to win")
    axes.set_ylabel("came")
    figure.savefig(name)


def order(n: int, spec: str = "love-letter", *names: str) -> None:
    """Mean loss a decision of each strategy, in games against itself."""
    game = kibitz.make_game(spec)
    for name in names or FAIR[spec]:
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
            estimate = LuckEstimator(continuation_of(game), UnitValue(game), worlds, 0, seed)
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
