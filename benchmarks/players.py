"""The speed of the strategies: part of `make bench`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.measure import Line, best, few


def iterations(spec: str, strategy: str, n: int) -> Callable[[], int]:
    """ISMCTS from the first decision of a game, n iterations, ten thousand at a time."""
    from kibitz.core.registry import make_game, make_strategy
    from kibitz.jit.rng import stream
    from kibitz.strategies.common.base import turns_before

    game: Any = make_game(spec)
    player: Any = make_strategy(f"{strategy},simulations=10000").sit(game, 0, stream(1))
    view = game.view(game.deal(1), 0)
    past = turns_before(game, view)

    def run() -> int:
        for _ in range(n // 10_000):
            player._grown(view, *past)
        return n

    return run


def tree_search() -> list[Line]:
    plain = "ismcts:observers=one,rollout=uniform,belief=none"
    lines = []
    for observers in ("one", "many"):
        spec = plain.replace("observers=one", f"observers={observers}")
        (rate,) = best(iterations("love-letter", spec, 20_000))
        needed = "1,000,000" if observers == "one" else "(no requirement)"
        what = (
            f"Love Letter ISMCTS iterations / s, {observers} observer{'s' * (observers != 'one')}"
        )
        holds = rate >= 1e6 or observers != "one"
        lines.append(Line(what, f"{rate:,.0f}", needed, holds))
    return lines + against_open_spiel(plain)


def against_open_spiel(plain: str) -> list[Line]:
    try:
        import pyspiel
    except ImportError:
        reason = "open_spiel is not installed: pip install 'kibitz[bench]'"
        return [Line("ISMCTS against OpenSpiel", reason, "3 ×", True)]
    lines = []
    for ours, theirs in (("kuhn-poker", "kuhn_poker"), ("leduc-poker", "leduc_poker")):
        game = pyspiel.load_game(theirs)

        def their_iterations(game: Any = game) -> int:
            n = 10_000
            evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
            kind = pyspiel.ISMCTSFinalPolicyType.MAX_VISIT_COUNT
            bot = pyspiel.ISMCTSBot(1, evaluator, 0.7, n, -1, kind, False, False)
            state = game.new_initial_state()
            while state.is_chance_node():
                state.apply_action(state.legal_actions()[0])
            for _ in range(2):
                bot.step(state)
            return 2 * n

        mine, other = best(iterations(ours, plain, 100_000), their_iterations)
        what = f"{ours} ISMCTS iterations / s, times OpenSpiel's C++ ({other:,.0f})"
        figure = f"{mine:,.0f}, {mine / other:.1f} ×"
        lines.append(Line(what, figure, "3 ×", mine >= 3 * other))
    return lines


def games_between(spec: str, a: str, b: str, pairs: int) -> Callable[[], int]:
    from kibitz.arena.pairs import CompiledPairs
    from kibitz.core.registry import make_game, make_strategy

    game: Any = make_game(spec)
    runner = CompiledPairs(game, [make_strategy(a), make_strategy(b)], 1, 0)

    def run() -> int:
        runner.play(0, pairs)
        return 2 * pairs

    return run


def tablic_players() -> list[Line]:
    (greedy,) = best(games_between("tablic", "greedy", "greedy", few(1000, 2)))
    (backtrack,) = best(games_between("tablic", "backtrack", "greedy", few(50, 1)))
    lines = [
        Line(
            "Tablić greedy–greedy games / s", f"{greedy:,.0f}", "50,000 (goal 100,000)",
            greedy >= 5e4,
        ),
        Line(
            "Tablić backtrack, a game", f"{1e3 / backtrack:.1f} ms", "20 ms", backtrack >= 50
        ),
    ]  # fmt: skip
    first, later = pimc_times()
    lines.append(
        Line("PIMC, 100 worlds, first card of a deal", f"{first:.2f} s", "0.5 s", first < 0.5)
    )
    lines.append(Line("PIMC, 100 worlds, later cards", f"{later:.3f} s", "0.1 s", later < 0.1))
    return lines


def pimc_times() -> tuple[float, float]:
    """The mean time of a decision on the first card of a deal, and on the others: three games
    against greedy."""
    from kibitz.core.registry import make_game, make_strategy
    from kibitz.table.table import Table

    game = make_game("tablic")
    strategies = [make_strategy(f"pimc:worlds={few(100, 5)}"), make_strategy("greedy")]
    times: dict[bool, list[float]] = {True: [], False: []}
    for seed in range(few(4, 2)):
        table = Table(game, seed)
        players = [s.sit(game, i, table.seeds.seat(i)) for i, s in enumerate(strategies)]
        while not table.is_over:
            seat = table.mover
            first = int(table.state[0].held[seat]) == 6
            view = table.view(seat)
            started = time.perf_counter()
            play = players[seat].choose(view)
            if seat == 0 and seed > 0:  # the first game compiles
                times[first].append(time.perf_counter() - started)
            table.play(play)
    return float(np.mean(times[True])), float(np.mean(times[False]))
