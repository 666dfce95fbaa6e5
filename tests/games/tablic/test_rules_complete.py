"""The captures of Tablić: all of them and each once, also on large tables."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from operator import add, le
from typing import Any

import pytest

from kibitz.games.tablic.game import Tablic
from kibitz.jit.kernels import jit_enabled
from tests.games.tablic.positions import TWO, shuffled

FORCED = Tablic(forced_capture=True)
Counts = tuple[int, ...]
VALUES = {str(n): (n,) for n in range(2, 11)} | {"A": (1, 11), "J": (12,), "Q": (13,), "K": (14,)}
KINDS = (*VALUES, "10d", "2c")
SMALL = [(10, 4), (13, 3), (13, 4), (13, 22), (20, 1), (20, 2)]
LARGE = [(20, seed) for seed in range(3, 11)] + [(30, seed) for seed in (3, 5, 13, 16, 18, 20)]
TABLES = SMALL + LARGE if jit_enabled() else SMALL
"""Sizes and seeds; at most 15,000 plays, so that the plain way takes no longer than a second."""


def kind(card: str) -> str:
    return card if card in ("10d", "2c") else card[:-1]


def counted(cards: Iterable[str]) -> Counts:
    """How many of each kind."""
    number = Counter(map(kind, cards))
    return tuple(number[one] for one in KINDS)


def groups(table: Counts, value: int) -> set[Counts]:
    """All groups on the table that add up to a value: one card more at a time."""
    sums = {(counted([]), 0)}
    todo = list(sums)
    while todo:
        cards, total = todo.pop()
        for i, one in enumerate(KINDS):
            more = (*cards[:i], cards[i] + 1, *cards[i + 1 :])
            for card_value in VALUES[one.rstrip("cd")]:
                step = more, total + card_value
                if more[i] <= table[i] and step[1] <= value and step not in sums:
                    sums.add(step)
                    todo.append(step)
    return {cards for cards, total in sums if total == value}


def closure(table: Counts, value: int) -> set[Counts]:
    """All unions of disjoint groups, none too: one group more at a time."""
    steps = groups(table, value)
    reached = {counted([])}
    todo = list(reached)
    while todo:
        cards = todo.pop()
        for group in steps:
            more = tuple(map(add, cards, group))
            if all(map(le, more, table)) and more not in reached:
                reached.add(more)
                todo.append(more)
    return reached


def crowded(size: int, seed: int, game: Tablic = TWO) -> tuple[Any, list[str], list[str]]:
    """A random table of this size and a hand of six."""
    deck = shuffled(seed)
    table, hand = deck[:size], deck[size : size + 6]
    state = game.parse_position(f"table={' '.join(table)}; hand1={' '.join(hand)}; deck=none")
    return state, table, hand


@pytest.mark.parametrize(("size", "seed"), TABLES)
def test_rule_3_2_captures_are_complete_and_each_is_there_once(size: int, seed: int) -> None:
    state, table, hand = crowded(size, seed)
    on_table = counted(table)
    expected = {
        (one, taken)
        for one in set(map(kind, hand))
        for taken in closure(on_table, max(VALUES[one.rstrip("cd")]))
    }
    listed = []
    for one in TWO.plays(state):
        card, _, taken = str(one).partition(" x ")
        listed.append((kind(card), counted(taken.split())))
    codes = [int(code) for code in TWO.kernels.legal(state)]
    assert len(set(codes)) == len(codes)
    assert len(listed) == len(expected)
    assert set(listed) == expected


def candidates(codes: list[int], chance: random.Random) -> Iterable[int]:
    """Plays that are legal or nearly so: a card more or less, another card played, a flag."""
    k = TWO.kernels
    for code in chance.sample(codes, min(len(codes), 150)):
        yield code
        rank = chance.randrange(13)
        one = 1 << 4 * rank
        if code & 7 * one < 4 * one:
            yield code + one
        if code & 7 * one:
            yield code - one
        yield code & ~(15 << k.RANK_AT) | rank << k.RANK_AT
        yield code & ~(k.COUNTS | k.TAKES_TEN | k.TAKES_TWO)  # the same card, laid
        for flag in (k.PLAYED_SPECIAL, k.TAKES_TEN, k.TAKES_TWO):
            yield code ^ flag


@pytest.mark.parametrize("game", [TWO, FORCED], ids=str)
@pytest.mark.parametrize(("size", "seed"), TABLES[::3])
def test_rule_3_2_is_legal_says_the_same_as_the_list(game: Tablic, size: int, seed: int) -> None:
    state, _, _ = crowded(size, seed, game)
    codes = [int(code) for code in game.kernels.legal(state)]
    legal = set(codes)
    answers: Counter[bool] = Counter()
    for code in candidates(codes, random.Random(seed)):
        answer = bool(game.kernels.is_legal(state, code))
        assert answer == (code in legal), game._play_text(code)
        answers[answer] += 1
    assert min(answers[True], answers[False]) > 50
