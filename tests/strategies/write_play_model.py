"""Writes `strategies/love_letter/play_weights.json`: how strong players of Love Letter play.

`python -m tests.strategies.write_play_model [GAMES]` plays games between flat Monte Carlo, ISMCTS
and PIMC, 3 000 unless told otherwise, and fits the weights of `play_model.py` to their plays by
maximum likelihood, with a small penalty. The beliefs that the parts are made of are by the weights
that stand in the file, so it is run again until they settle. It takes about half a minute.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from kibitz.core.registry import make_game, make_strategy
from kibitz.games.love_letter.cards import GUARD, UNKNOWN
from kibitz.games.love_letter.views import unseen
from kibitz.jit.rng import stream
from kibitz.strategies.love_letter import play_model as model
from kibitz.table.table import Table

PLAYERS = ("flat-mc:worlds=100", "ismcts:simulations=500", "pimc:worlds=40")
SEED, GAMES = 2_000_000, 3_000
PENALTY = 1.0
MOST, IMPOSSIBLE = 8, -1e9
ONE_PART = np.eye(len(model.PARTS))


class Watched(NamedTuple):
    """A decision: what the mover saw, what he played, and the state after it."""

    view: Any
    seat: int
    play: int
    after: Any


def games(number: int) -> list[list[Watched]]:
    """Rounds, every pairing as often."""
    game, rounds = make_game("love-letter"), []
    for seed in range(SEED, SEED + number):
        names = PLAYERS[seed % 3], PLAYERS[seed // 3 % 3]
        table = Table(game, seed)
        seated = [make_strategy(names[s]).sit(game, s, stream(seed, s)) for s in (0, 1)]
        turns = []
        while not table.is_over:
            view = table.view(table.mover)
            play = seated[view.seat].choose(view)
            seen = view.state.copy()
            table.play(play)
            turns.append(Watched(seen, view.seat, play.code, table.state.copy()))
        rounds.append(turns)
    return rounds


def remembered(rounds: list[list[Watched]]) -> Any:
    """Every decision with the weights of what was played before it."""
    for turns in rounds:
        memory = np.ones(model.SIZE)
        for turn in turns:
            yield turn, memory
            model.watch(turn.view, turn.play, turn.after, memory)


def play_examples(rounds: list[list[Watched]]) -> tuple[Any, Any, Any]:
    """The parts of all plays of each hand, which was chosen, and the stage of the round."""
    parts, chosen, stages = [], [], []
    for turn, memory in remembered(rounds):
        v, seat = turn.view[0], turn.seat
        p, plays = np.zeros((4, 9)), np.zeros(MOST, np.int64)
        model.look(v, seat, memory, p)
        n = int(model.options_of(v, v.hand[seat], v.drawn, plays))
        codes = [int(code) for code in plays[:n]]
        if n < 2 or turn.play & 255 not in codes:
            continue
        rows = np.full((3, len(model.PARTS)), np.nan)
        for i, code in enumerate(codes):
            card, other = code & 15, (code >> 4) - 1
            kept, known = int(v.hand[seat] + v.drawn) - card, int(model.known_card(v, seat))
            there = p[max(other, 0)]
            # The utility is linear: by a weight of one for a single part, it is that part.
            rows[i] = [model.utility(w, seat, card, kept, other, there, known) for w in ONE_PART]
        parts.append(rows)
        chosen.append(codes.index(turn.play & 255))
        stages.append(int(model.stage_of(int(v.left))))
    return np.array(parts), np.array(chosen), np.array(stages)


def guess_examples(rounds: list[list[Watched]]) -> tuple[Any, Any]:
    """The parts of all guesses, and which was made; where the card was not known."""
    parts, chosen = [], []
    for turn, memory in remembered(rounds):
        v, seat, other = turn.view[0], turn.seat, 1 - turn.seat
        if turn.play & 15 != GUARD or turn.play < 256 or v.hand[other] != UNKNOWN:
            continue
        p, q = np.zeros((4, 9)), np.zeros(9)
        model.look(v, seat, memory, p)
        model.chances(int(unseen(v, seat)), int(v.worlds[seat, 0]), np.ones(model.SIZE), other, q)
        named, rows = turn.play >> 8, np.full((7, len(model.GUESS_PARTS)), np.nan)
        for card in range(2, 9):
            if q[card] > 0 and p[other, card] > 0:
                by_belief, by_counting = p[other, card], q[card]
                logs = np.log([by_belief, by_counting])
                rows[card - 2] = [by_belief, by_counting, *logs, *(np.arange(2, 9) == card)]
        if np.isfinite(rows[named - 2, 0]) and np.isfinite(rows[:, 0]).sum() > 1:
            parts.append(rows)
            chosen.append(named - 2)
    return np.array(parts), np.array(chosen)


def fitted(parts: Any, chosen: Any) -> Any:
    """The weights under which the choices are likeliest; NaN rows are no choices."""
    none = np.isnan(parts[:, :, 0])
    parts = np.nan_to_num(parts)
    which = np.arange(len(chosen))

    def loss(weights: Any) -> tuple[float, Any]:
        utility = np.where(none, IMPOSSIBLE, parts @ weights)
        shares = np.exp(utility - utility.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        value = -np.log(shares[which, chosen]).sum() + PENALTY * weights @ weights
        slope = np.einsum("ij,ijk->k", shares, parts) - parts[which, chosen].sum(axis=0)
        return value, slope + 2 * PENALTY * weights

    return minimize(loss, np.zeros(parts.shape[2]), jac=True, method="L-BFGS-B").x


def write(plays: Any, guesses: Any) -> None:
    """Both kinds of weights, by name."""
    stored = {
        "plays": dict(zip(model.PARTS, np.round(plays.T, 3).tolist(), strict=True)),
        "guesses": dict(zip(model.GUESS_PARTS, np.round(guesses, 3).tolist(), strict=True)),
    }
    lines = [
        f'"{kind}": {{\n'
        + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v)}" for k, v in weights.items())
        + "\n}"
        for kind, weights in stored.items()
    ]
    path = Path(model.__file__).with_name("play_weights.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def main() -> None:
    rounds = games(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
    parts, chosen, stages = play_examples(rounds)
    plays = np.array([fitted(parts[stages == s], chosen[stages == s]) for s in range(model.STAGES)])
    guesses = fitted(*guess_examples(rounds))
    write(plays, guesses)


if __name__ == "__main__":
    main()
