"""Luck and skill: three parts that add up, the first of them with mean zero."""

from __future__ import annotations

import numpy as np
import pytest

from kibitz.core.registry import make_game
from kibitz.jit.rng import stream
from kibitz.review.luck import GameLuck
from tests.review.playing import luck_in

PARTS = ("draw", "hidden", "skill")


def total(luck: GameLuck, seat: int) -> float:
    return sum(luck.sum(part, seat) for part in PARTS)


@pytest.mark.parametrize(
    ("spec", "players", "worlds"),
    [
        ("love-letter", ["random", "greedy"], 50),
        ("love-letter:players=4", ["greedy", "random", "greedy", "random"], 30),
        ("tablic", ["greedy", "random"], 8),
        ("tablic:players=3", ["random", "greedy", "random"], 5),
    ],
)
def test_the_parts_add_up_to_result_less_start(spec: str, players: list[str], worlds: int) -> None:
    game = make_game(spec)
    for seed in range(3):
        luck = luck_in(game, players, seed, worlds, first=seed % game.players)
        for seat in range(game.players):
            assert total(luck, seat) == pytest.approx(
                luck.result[seat] - luck.start[seat], abs=1e-9
            )


def test_in_the_middle_of_a_deal_no_card_comes() -> None:
    luck = luck_in(make_game("tablic"), ["greedy", "random"], 3, 6)
    for turn in luck.turns[1:]:
        if turn.turn % 12:
            assert turn.draw == (0.0, 0.0)
        if turn.turn > 36:  # the unseen cards are the other's hand: nothing is hidden
            assert turn.hidden == pytest.approx((0.0, 0.0), abs=1e-9)


def test_the_luck_of_the_draw_has_mean_zero_whoever_plays() -> None:
    game = make_game("love-letter")
    draws = np.array([luck_in(game, ["random", "greedy"], seed, 30).sum("draw", 0)
                      for seed in range(400)])  # fmt: skip
    error = draws.std(ddof=1) / np.sqrt(len(draws))
    assert abs(draws.mean()) < 3.5 * error
    assert error < 0.04


@pytest.mark.parametrize("spec", ["love-letter", "love-letter:players=3", "tablic"])
def test_reshuffling_keeps_the_hands_and_forgets_the_order(spec: str) -> None:
    game = make_game(spec)
    state = game.deal(4)
    one, two = game.copied(state), game.copied(state)
    kernels = game.kernels  # type: ignore[attr-defined]
    kernels.reshuffle(one, stream(1))
    kernels.reshuffle(two, stream(2))
    kernels.reshuffle(two, stream(1))
    assert one.tobytes() == two.tobytes()
    assert one.tobytes() != state.tobytes()
    assert (one[0].hand == state[0].hand).all()
    assert kernels.is_valid(one)
    assert kernels.is_complete(one)
