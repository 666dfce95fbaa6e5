"""The model of strong players: its beliefs are Bayes' rule, and read nothing that is hidden."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import kibitz
from kibitz.games.love_letter.cards import COUNTESS, GUARD, PRINCE, UNKNOWN
from kibitz.games.love_letter.kernels import observe
from kibitz.games.love_letter.state import copies_in, one
from kibitz.games.love_letter.views import unseen
from kibitz.jit.rng import stream
from kibitz.strategies.love_letter import play_model as model
from kibitz.table.table import Table
from tests.review.playing import played_table

CARDS = range(1, 9)


def states_of(spec: str, seed: int) -> tuple[list[np.ndarray], list[int]]:
    """The states of a random round, the end last, and its plays."""
    game = kibitz.make_game(spec)
    ended = played_table(game, ["random"] * game.players, seed)
    table, states, codes = Table(game, seed), [], []
    for text in ended.plays:
        play = game.parse_play(table.state, text)
        states.append(table.state.copy())
        codes.append(int(play.code))
        table.play(play)
    return [*states, table.state.copy()], codes


@pytest.mark.parametrize("spec", ["love-letter", "love-letter:players=3"])
def test_what_everybody_learns_is_the_same_from_every_seat(spec: str) -> None:
    for seed in range(12):
        states, codes = states_of(spec, seed)
        memories = []
        for seat in (None, *range(kibitz.make_game(spec).players)):
            seen = [state.copy() for state in states]
            if seat is not None:
                for state, view in zip(states, seen, strict=True):
                    observe(state, seat, view)
            memory = np.full(model.SIZE, 7.0)
            model.recall(seen[-1], np.concatenate(seen[:-1]), np.array(codes), memory)
            memories.append(memory)
        assert all((one == memories[0]).all() for one in memories)


def test_beliefs_after_one_play_are_by_bayes() -> None:
    for seed in range(6):
        states, codes = states_of("love-letter", seed)
        state, code = states[0], codes[0]
        if states[1][0].over:
            continue
        me, other, laid = int(state[0].turn), 1 - int(state[0].turn), code & 15
        view = state.copy()
        observe(state, other, view)
        counts = int(unseen(view[0], other))
        left = np.zeros(9)
        for held, drawn in product(CARDS, CARDS):
            copies = copies_in(counts, held) * (copies_in(counts, drawn) - (held == drawn))
            if copies <= 0 or laid not in (held, drawn):
                continue
            kept = held + drawn - laid
            if COUNTESS in (held, drawn) and laid != COUNTESS and laid >= PRINCE:
                continue
            left[kept] += copies * how_likely(state, me, other, laid, kept, code)
        if laid in (3, PRINCE, 6, 8):
            continue  # hands change, or are compared
        memory = np.ones(model.SIZE)
        model.watch(state, code, states[1], memory)
        now = np.array([0.0, *(copies_in(counts - one(laid), c) for c in CARDS)])
        believed = now * memory[9 * me : 9 * me + 9]
        assert believed / believed.sum() == pytest.approx(left / left.sum())


def how_likely(state: np.ndarray, me: int, other: int, laid: int, kept: int, code: int) -> float:
    """That the model plays so with these two cards, by what it sees then: nothing of the other."""
    x = state[0].copy()
    x.hand[me], x.drawn, x.hand[other], x.aside = laid, kept, UNKNOWN, UNKNOWN
    desk = np.zeros(1, model.DESK)[0]
    model.look(x, me, np.ones(model.SIZE), desk["p"])
    n = model.weigh(x, laid, kept, 0, desk)
    chance = sum(desk["share"][i] for i in range(n) if desk["plays"][i] == code & 255)
    return float((1 - model.NOISE) * chance + model.NOISE / n)


def test_it_plays_what_is_legal_and_as_often_as_it_says() -> None:
    game = kibitz.make_game("love-letter")
    position = game.position_of("face_up=king prince handmaid; hand1=guard priest")
    view = position.view().state
    desk = np.zeros(1, model.DESK)[0]
    model.look(view[0], 0, np.ones(model.SIZE), desk["p"])
    n = model.weigh(view[0], 1, 2, 0, desk)
    assert n == 2
    legal = {play.code for play in position.plays()}
    rng = stream(5)
    drawn = [int(model.choose(view, 0, np.ones(model.SIZE), np.zeros(1), rng)) for _ in range(2000)]
    assert set(drawn) <= legal
    guards = np.mean([code & 15 == GUARD for code in drawn])
    assert guards == pytest.approx(desk["share"][list(desk["plays"][:n]).index(17 + 16)], abs=0.05)


def test_who_kept_a_guess_that_failed_does_not_hold_it() -> None:
    position = kibitz.make_game("love-letter").start(seed=3)
    for code in range(2, 9):
        memory = np.ones(model.SIZE)
        state = position.state.copy()
        state[0].hand[0], state[0].drawn, state[0].hand[1] = 1, 2, 3 if code != 3 else 4
        after = state.copy()
        after[0].hand[0] = 2
        after[0].spent[0] += one(1)
        model.watch(state, GUARD + 16 * 2 + 256 * code, after, memory)
        assert memory[9 + code] == 0
        assert memory[9 + 1] == 1
