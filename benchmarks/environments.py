"""Environments: ours beside those of PettingZoo, RLCard and pgx, at random legal play.

All on one core, in seconds of the processor's time: pgx would use more cores, and a vector
environment of ours is one thread, of which a learner runs as many as it has cores.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from benchmarks.measure import Line, best, few, one_core

GAMES = 1024
"""Games that are stepped together."""


def environments() -> list[Line]:
    with one_core():  # before jax begins its threads
        try:
            import gymnasium  # noqa: F401
            import jax  # noqa: F401
            import pettingzoo  # noqa: F401
            import pgx  # noqa: F401
            import rlcard  # noqa: F401
        except ImportError as missing:
            reason = f"{missing.name} is not installed: pip install 'kibitz[bench]'"
            return [Line("environments", reason, "10 ×", True)]
        return [*_many_games(), *_one_game()]


def _many_games() -> list[Line]:
    ours, against, rlcard, pgx = best(
        vector_steps("love-letter", None),
        gymnasium_steps("kibitz/LoveLetter-v0", "greedy"),
        rlcard_steps(),
        pgx_steps(),
        clock=time.process_time,
    )
    what = f"Love Letter, {GAMES} games at once, steps / s of a core"
    return [
        Line(what, f"{ours:,.0f}", "(goal 3,000,000)", True),
        Line(
            f"… times RLCard's Leduc ({rlcard:,.0f})",
            f"{ours / rlcard:.0f} ×",
            "10 ×",
            ours >= 10 * rlcard,
        ),
        Line(f"… times pgx's Leduc ({pgx:,.0f})", f"{ours / pgx:.2f} ×", "1 ×", ours >= pgx),
        Line(
            "… as Gymnasium's vector environment against greedy, agent steps / s of a core",
            f"{against:,.0f}",
            "(goal 1,000,000)",
            True,
        ),
    ]


def _one_game() -> list[Line]:
    from pettingzoo.classic import tictactoe_v3

    from kibitz.interop.pettingzoo import env

    runs = aec_steps(env("love-letter")), aec_steps(tictactoe_v3.env())
    ours, theirs = best(*runs, clock=time.process_time)
    what = f"Love Letter, one AEC step, times PettingZoo's tic-tac-toe ({theirs:,.0f})"
    return [Line(what, f"{ours:,.0f}, {ours / theirs:.1f} ×", "5 ×", ours >= 5 * theirs)]


# -- each as a function that plays a while and says how many steps it made -----------------------


def vector_steps(game: str, opponent: str | None) -> Callable[[], int]:
    """Observations and masks of all games after every step."""
    import numpy as np

    from kibitz.interop.batch import GameBatch
    from kibitz.interop.stepping import draw_actions
    from kibitz.jit.rng import stream

    games, rng = GameBatch(game, GAMES, opponent, seed=1), stream(1)
    actions, rounds = np.zeros(GAMES, np.int64), few(300, 5)

    def run() -> int:
        for _ in range(rounds):
            draw_actions(games.legal(), rng, actions)
            games.step(actions)
            games.observe()
        return GAMES * rounds

    return run


def gymnasium_steps(name: str, opponent: str) -> Callable[[], int]:
    import gymnasium
    import numpy as np

    import kibitz.interop.gymnasium
    from kibitz.interop.stepping import draw_actions
    from kibitz.jit.rng import stream

    assert name in kibitz.interop.gymnasium.register()
    envs: Any = gymnasium.make_vec(name, num_envs=GAMES, opponent=opponent)
    seen, _ = envs.reset(seed=1)
    latest, rng = [seen["action_mask"]], stream(1)
    actions, rounds = np.zeros(GAMES, np.int64), few(200, 5)

    def run() -> int:
        for _ in range(rounds):
            draw_actions(latest[0], rng, actions)
            latest[0] = envs.step(actions)[0]["action_mask"]
        return GAMES * rounds

    return run


def rlcard_steps() -> Callable[[], int]:
    import random

    import rlcard

    env, source = rlcard.make("leduc-holdem", config={"seed": 1}), random.Random(1)
    games = few(300, 3)

    def run() -> int:
        steps = 0
        for _ in range(games):
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(source.choice(list(state["legal_actions"])))
                steps += 1
        return steps

    return run


def pgx_steps() -> Callable[[], int]:
    """All rounds in one call of compiled code, the random actions too."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env, rounds = pgx.make("leduc_holdem"), few(300, 5)
    step = jax.vmap(auto_reset(env.step, env.init))
    states = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), GAMES))

    def one(carry: Any, key: Any) -> Any:
        states, _ = carry
        logits = jnp.where(states.legal_action_mask, 0.0, -jnp.inf)
        act, anew = jax.random.split(key)
        actions = jax.random.categorical(act, logits)
        states = step(states, actions, jax.random.split(anew, GAMES))
        return (states, states.observation), None

    @jax.jit  # type: ignore[untyped-decorator]
    def play(states: Any, key: Any) -> Any:
        return jax.lax.scan(one, (states, states.observation), jax.random.split(key, rounds))[0]

    def run() -> int:
        jax.block_until_ready(play(states, jax.random.key(2)))
        return GAMES * rounds

    return run


def aec_steps(env: Any) -> Callable[[], int]:
    """With `last` before every step, as agents do. They draw by the quickest way: what they take
    is taken in both environments, and hides how much quicker one of them is."""
    import random

    games, unit = few(100, 2), random.Random(1).random

    def run() -> int:
        steps = 0
        for _ in range(games):
            env.reset(seed=steps)
            for _agent in env.agent_iter():
                seen, _, terminated, truncated, _ = env.last()
                action = None
                if not (terminated or truncated):
                    legal = seen["action_mask"].nonzero()[0]
                    action = int(legal[int(unit() * len(legal))])
                    steps += 1
                env.step(action)
        return steps

    return run
