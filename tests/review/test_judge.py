"""The judge: exact values recomputed by other code, intervals that cover, and no leak."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import kibitz
from kibitz.core.errors import BadText, BadValue
from kibitz.core.game import View
from kibitz.core.position import view_of
from kibitz.jit.rng import stream
from kibitz.review.judge import judge
from kibitz.review.judgement import ValueKind
from kibitz.table.table import Table
from tests.review.playing import played_table

LAST_TURN = (
    "face_up=guard priest king; hand1=baron countess; deck=none; turn=1;"
    " discards1=guard guard handmaid prince; discards2=guard guard handmaid prince priest"
)


def views_of(spec: str, players: list[str], seed: int) -> list[View[Any]]:
    """What the movers of a game saw, turn by turn."""
    game = kibitz.make_game(spec)
    ended = played_table(game, players, seed)
    table, views = Table(game, seed), []
    for text in ended.plays:
        views.append(table.view(table.mover))
        table.play(text)
    return views


def test_last_deal_of_tablic_is_exact_and_equal_to_the_solver() -> None:
    for view in views_of("tablic", ["greedy", "random"], 5)[36:46]:
        judged = judge(view)
        assert judged.kind is ValueKind.EXACT
        world = kibitz.make_game("tablic").redeal(view, stream(1))  # there is one only
        solved = kibitz.solve(kibitz.Position(view.game, world), all_plays=True, threads=1)
        points = {str(play): value.points for play, value in solved.plays.items()}  # type: ignore[attr-defined]
        assert {str(one.play): one.value.value for one in judged.values} == points
        assert all(one.chance.value in (0.0, 0.5, 1.0) for one in judged.values)


def enumerated(view: View[Any]) -> dict[str, float]:
    """The last turn of a round: the mean over all deals of how each play ends."""
    game = view.game
    values: dict[str, float] = {}
    for play in view.plays():
        values[str(play)] = sum(
            chance * (game.returns(game.after(world, play))[view.seat] + 1) / 2
            for world, chance in game.every_deal(view.state)  # type: ignore[attr-defined]
        )
    return values


def last_turn() -> View[Any]:
    return kibitz.make_game("love-letter").position_of(LAST_TURN).view()


def test_last_turn_of_love_letter_is_exact_and_equal_to_all_deals() -> None:
    view = last_turn()
    judged = judge(view)
    assert judged.kind is ValueKind.EXACT
    for play, value in enumerated(view).items():
        assert judged.of(play).value.value == pytest.approx(value, abs=1e-5)


def test_sampled_intervals_cover_what_they_estimate() -> None:
    view = last_turn()
    true = enumerated(view)
    covered = []
    for seed in range(150):
        judged = judge(view, seed=seed, exact=False, precision=0.1)
        assert judged.kind is ValueKind.SAMPLED
        for one in judged.values:
            low, high = one.value.ci95
            covered.append(low - 1e-9 <= true[str(one.play)] <= high + 1e-9)
    assert np.mean(covered) > 0.92


def test_a_late_round_is_solved_near_what_sampling_says() -> None:
    off = []
    for seed in range(12):
        for view in views_of("love-letter", ["greedy", "greedy"], seed):
            if view.state[0].left <= 3 and len(view.plays()) > 1:
                exact, sampled = judge(view), judge(view, exact=False)
                assert exact.kind is ValueKind.EXACT
                assert all(-1e-6 <= one.value.value <= 1 + 1e-6 for one in exact.values)
                off.append(sampled.values[0].value.value - exact.values[0].value.value)
    assert len(off) > 3
    assert abs(np.mean(off)) < 0.1


@pytest.mark.parametrize("spec", ["love-letter", "love-letter:players=3", "tablic"])
def test_redealing_the_hidden_cards_changes_no_number(spec: str) -> None:
    players = ["greedy"] * kibitz.make_game(spec).players
    precision = 2.0 if spec == "tablic" else 0.05
    for view in views_of(spec, players, 3)[:4]:
        game = kibitz.make_game(spec)
        other = game.redeal(view, stream(7))
        again = view_of(game, other, view.seat, kibitz.Knows.FAIR, past=view.past, log=view.log)
        assert judge(view, precision=precision, seed=5).rows() == (
            judge(again, precision=precision, seed=5).rows()
        )


def test_the_interval_is_as_narrow_as_asked_for() -> None:
    view = kibitz.make_game("love-letter").start(seed=5).view()
    play = view.plays()[0]
    wide, narrow = (judge(view, played=play, precision=p).of(play) for p in (0.05, 0.01))
    assert narrow.behind.half <= 0.012
    assert wide.worlds < narrow.worlds
    assert narrow.behind.half < narrow.value.half * 2


def test_small_games_are_searched_to_the_end() -> None:
    position = kibitz.make_game("tic-tac-toe").start()
    for square in ("a1", "b1", "a2", "b2"):
        position = position.play(square)
    judged = judge(position.view())
    assert judged.kind is ValueKind.EXACT
    assert (str(judged.best), judged.values[0].chance.value) == ("a3", 1.0)
    game = kibitz.make_game("paper-rock-scissors").start()
    assert {one.value.value for one in judge(game.view()).values} == {0.0}


def test_what_is_no_decision_is_refused() -> None:
    position = kibitz.make_game("love-letter").start(seed=1)
    with pytest.raises(BadValue, match="seat to move"):
        judge(position.view(1))
    with pytest.raises(BadValue, match="precision"):
        judge(position.view(), precision=0)
    piles = "table=Jd Ac 2s; hand1=Qh 9s; deck=none; dealer=2; turn=1"
    with pytest.raises(BadText, match="piles"):
        judge(kibitz.make_game("tablic").position_of(piles).view())
