"""The player by whom the judge plays Tablić on: its formula, the last cards, its strength."""

from __future__ import annotations

from itertools import combinations
from statistics import mean
from typing import Any

import numpy as np
import pytest

from kibitz.core.registry import make_game
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.tablic.capture_values import BUFFER, best_capture, packed
from kibitz.games.tablic.captures import COUNTS
from kibitz.games.tablic.cards import mask_of, parse_card
from kibitz.jit.rng import stream
from kibitz.solvers.tablic.last_deal import exact_plays
from kibitz.strategies.tablic import play_model as model
from kibitz.strategies.tablic.greedy import choose as greedy

NOTHING = np.ones(1)


def mask(text: str) -> int:
    return mask_of(map(parse_card, text.split()))


@pytest.mark.parametrize(
    ("table", "hidden", "held"),
    [
        ("7c 3d 4h Jd", "7s 7d Jc 4s Ac 9h Qs", 3),
        ("10d 2c 5h", "10s 10h 2d 5c Kd 7c", 2),
        ("Ac Ad 9s", "Jc 9c 10h 2c Ah", 5),
        ("Kd", "Qs Jc 3h", 2),
    ],
)
def test_the_reply_is_the_mean_over_all_hands(table: str, hidden: str, held: int) -> None:
    desk = np.empty(13, np.int64), np.empty(4 * BUFFER, np.int64)
    on_table, cards = packed(mask(table)), hidden.split()
    model.captures_by_rank(on_table, packed(mask(hidden)) & COUNTS, desk)
    expected = model.expected_reply(desk, packed(mask(hidden)), len(cards), held)
    best = [
        best_capture(on_table, packed(mask(" ".join(hand))), model.QUARTERS)[0] / model.QUARTERS
        for hand in combinations(cards, held)
    ]
    assert expected == pytest.approx(mean(best))


def games(number: int, seats: Any) -> Any:
    """The states of so many games, with the play that each seat's player makes there."""
    game = make_game("tablic")
    assert isinstance(game, CompiledGame)
    for seed in range(number):
        state = game.deal(seed, seed % 2)
        view, rng = state.copy(), stream(seed)
        while not game.kernels.over(state):
            seat = int(game.kernels.mover(state))
            game.kernels.observe(state, seat, view)
            code = seats[seat](view, seat, rng)
            yield game, state, code
            game.kernels.apply(state, code)
        yield game, state, None


def by_model(view: Any, seat: int, rng: Any) -> int:
    return int(model.choose(view, seat, NOTHING, NOTHING, rng))


def by_greedy(view: Any, seat: int, rng: Any) -> int:
    nothing = np.zeros(0, np.int64)
    return int(greedy(view, seat, view[:0], nothing, NOTHING, rng))


def test_the_last_cards_are_played_exactly() -> None:
    looked_at = 0
    for game, state, code in games(6, (by_model, by_greedy)):
        x = state[0]
        if code is None or x.dealt < 52 or x.held.sum() > model.ENDING or x.turn:
            continue
        known = exact_plays(game.view(state, 0))
        assert known is not None
        values = {play.code: value for play, value in known[0].items()}
        assert values[code] == max(values.values())
        looked_at += len(set(values.values())) > 1
    assert looked_at > 3


def test_it_beats_greedy() -> None:
    won = []
    for seats in ((by_model, by_greedy), (by_greedy, by_model)):
        for game, state, code in games(60, seats):
            if code is None:
                mine = game.returns(state)[seats.index(by_model)]
                won.append((mine > 0) + (mine == 0) / 2)
    assert len(won) == 120
    assert mean(won) > 0.58  # of thousands 69 %
