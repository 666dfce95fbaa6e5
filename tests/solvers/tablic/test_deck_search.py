"""The examples in the docstrings of the search of Tablić with the deck known, and its parts."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from kibitz.games.tablic.captures import COUNTS, captures, groups_on
from kibitz.games.tablic.cards import TAKES_TEN, TAKES_TWO
from kibitz.games.tablic.game import Tablic
from kibitz.solvers.tablic import deck_captures, deck_search, deck_table
from kibitz.solvers.tablic.deck_captures import CARDS_AT, HEAD, POINTS, POINTS_AT, end_of
from kibitz.solvers.tablic.deck_table import NO_BOUND, bounds_of, first_way, make_key, new_table
from kibitz.solvers.tablic.open_deck import OpenDeck
from tests.games.boards import few
from tests.solvers.tablic.late import positions

ACE, TWO, THREE, FIVE, SEVEN, TEN, KING = (1 << 4 * rank for rank in (0, 1, 2, 4, 6, 9, 12))


def key_of(table: int, held_0: int, held_1: int, known: int = 0, taken: int = 0) -> int:
    words = (np.int64(word) for word in (table, held_0, held_1, known, taken))
    return int(make_key(*words))


# -- captures ----------------------------------------------------------------------------------


def lists_for(ranks: int, capacity: int = 1 << 10) -> Any:
    return deck_captures.new_lists(np.full(4, ranks, np.int64), 12, capacity)


def sets_of(lists: Any, counts: int, rank: int, known: int = 0) -> list[int]:
    place = int(deck_captures.list_of(lists, np.int64(counts), np.int64(known)))
    assert place >= 0
    first, end = (int(end_of(lists.sets, place, r)) for r in (rank, rank + 1))
    return [int(word) for word in lists.sets[place + HEAD + first : place + HEAD + end]]


def test_the_captures_of_the_example() -> None:
    lists = lists_for(FIVE | TEN)
    fives = sets_of(lists, TWO | THREE | FIVE, 4)
    assert {word & COUNTS for word in fives} == {FIVE, TWO | THREE, TWO | THREE | FIVE}
    points = {word & COUNTS: (word >> POINTS_AT) & POINTS for word in fives}
    assert points == {FIVE: 0, TWO | THREE: 0, TWO | THREE | FIVE: 1}
    assert sorted(word >> CARDS_AT for word in fives) == [1, 2, 3]
    assert [word & COUNTS for word in sets_of(lists, TWO | THREE | FIVE, 9)] == [TWO | THREE | FIVE]
    assert sets_of(lists, TWO | THREE | FIVE, 6) == [], "nobody holds a seven"


def test_lists_are_those_of_the_rules_also_when_they_begin_anew() -> None:
    """The lists are few here, so most are forgotten in between; crowded tables are among them."""
    source, every = Random(1), sum(1 << 4 * rank for rank in range(13))
    lists = lists_for(every, 1 << 14)._replace(sets=np.zeros(1 << 14, np.int64))
    began = 0
    for _ in range(few(2000, 40)):
        ranks = source.sample(range(13), source.randint(1, 7))
        counts = sum(source.choice((1, 1, 1, 2, 3)) << 4 * rank for rank in ranks)
        rank, used = source.randrange(13), int(lists.store[0].used)
        found = sets_of(lists, counts, rank, source.randrange(4))
        began += int(lists.store[0].used) < used
        buffer = np.zeros(1 << 14, np.int64)
        groups = int(groups_on(np.int64(counts), np.int64(every), buffer))
        end = int(captures(np.int64(counts), rank, buffer, groups, groups))
        expected = {int(word) for word in buffer[groups + 1 : end]}
        assert {word & COUNTS for word in found} == expected
        assert len(found) == len(expected)
    assert began or few(1, 0) == 0


def test_a_list_that_is_far_too_long_is_refused() -> None:
    lists = lists_for(FIVE | TEN, 8)
    table = ACE | TWO | THREE | FIVE
    assert int(deck_captures.list_of(lists, np.int64(table), np.int64(0))) == -1


# -- the table ---------------------------------------------------------------------------------


def test_the_key_of_the_example() -> None:
    key = key_of(THREE | TEN | TAKES_TEN, 0b101, 0b10)
    assert key == 1 << 8 | 1 << 36 | 1 << 3 | 0b101 << 52 | 0b10 << 58


def test_a_key_says_all_that_was_put_in() -> None:
    source = Random(2)
    for _ in range(few(2000, 100)):
        table = sum(source.randint(0, 4) << 4 * rank for rank in range(13))
        table |= source.choice((0, TAKES_TEN)) | source.choice((0, TAKES_TWO))
        parts = (
            source.randrange(64),
            source.randrange(64),
            source.randrange(4),
            source.randrange(28),
        )
        key = np.int64(key_of(table, *parts))
        assert int(deck_table.table_of(key)) == table
        held = int(deck_table.held_of(key, 0)), int(deck_table.held_of(key, 1))
        assert (*held, int(deck_table.known_of(key)), int(deck_table.taken_of(key))) == parts
        plies = 12 * parts[2] + sum(part.bit_count() for part in parts[:2])
        assert int(deck_table.plies_of(key)) == plies


class Table:
    """A small table, asked for one position with these cards taken."""

    def __init__(self, bonus: int = 3) -> None:
        self.rows, self.bonus = new_table(64), bonus

    def at(self, taken: int) -> tuple[np.int64, int]:
        key = np.int64(key_of(THREE | TEN, 0b101, 0b10, 1, taken))
        return key, int(first_way(key, len(self.rows) // 4 - 1))

    def store(self, taken: int, holder: int, low: int, high: int) -> None:
        key, place = self.at(taken)
        deck_table.store(self.rows, place, key, holder, low, high)

    def bounds(self, taken: int, holder: int) -> tuple[int, int]:
        key, place = self.at(taken)
        low, high = bounds_of(self.rows, place, key, holder, self.bonus)
        return int(low), int(high)


def test_a_line_of_the_cache_has_four_entries() -> None:
    table = new_table(64)
    assert table.ctypes.data % 64 == 0 and 4 * table.itemsize == 64


def test_the_last_captor_can_only_gain_by_it() -> None:
    table = Table()
    table.store(0, 0, -NO_BOUND, 1)
    assert table.bounds(0, 0) == (-NO_BOUND, 1) and table.bounds(0, 1) == (-NO_BOUND, 1)
    table.store(0, 1, -2, NO_BOUND)
    assert table.bounds(0, 0) == (-2, 1) and table.bounds(0, 1) == (-2, 1)
    table.store(0, 0, 0, NO_BOUND)
    assert table.bounds(0, 0) == (0, 1) and table.bounds(0, 1) == (-2, 1)


def test_more_cards_taken_are_no_worse() -> None:
    table = Table()
    table.store(10, 0, 2, 4)
    assert table.bounds(10, 0) == (2, 4)
    assert table.bounds(12, 0) == (2, NO_BOUND)
    assert table.bounds(8, 0) == (-NO_BOUND, 4)


def test_the_plain_game_is_right_to_the_bonus() -> None:
    table = Table()
    table.store(0, 0, 2, 2)
    assert table.bounds(10, 0) == (-1, 5)
    assert table.bounds(0, 0) == (2, 2)
    table.store(10, 0, 4, NO_BOUND)
    assert table.bounds(0, 0) == (2, 2), "and not the other way round"


def test_of_four_entries_that_are_taken_the_one_nearest_to_the_end_goes() -> None:
    rows = new_table(4)
    keys = [np.int64(key_of(ACE << 4 * i, 0b111, 0b111, known)) for i, known in
            enumerate((2, 1, 3, 1, 2))]  # fmt: skip
    keys[1] = np.int64(key_of(ACE << 4, 0b11, 0b11, 0))
    for i, key in enumerate(keys):
        deck_table.store(rows, 0, key, 0, i, i)
    stored = [int(bounds_of(rows, 0, key, 0, 3)[0]) for key in keys]
    assert stored == [0, -NO_BOUND, 2, 3, 4]


# -- the search --------------------------------------------------------------------------------


def test_the_worked_example() -> None:
    """Seat 0 has a 5, seat 1 a 7, on the table lie a 5 and a king; seat 1 took last."""
    hands = np.zeros(8, np.int64)
    hands[0], hands[1] = 2 * 4, 2 * 6
    lists = lists_for(FIVE | SEVEN)
    for want, value in ((1, 1), (2, 1), (0, 1)):
        made = deck_search.new_search(new_table(64), hands, 1 << 8)
        key = np.int64(key_of(FIVE | KING, 1, 1))
        assert int(deck_search.search(made, lists, key, 1, 0, want)) == value
        assert int(made.control[0].nodes) == 3
    key = np.int64(key_of(FIVE | KING, 0, 0))
    assert int(deck_search.search(made, lists, key, 1, 0, 0)) == -1, "the end: a king for seat 1"


@pytest.mark.parametrize("bonus", ("none", "tie", "always"))
def test_in_slices_it_comes_to_the_same(bonus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Tablic(cards_bonus=bonus)
    states = list(positions(game, 13 if few(1, 0) else 4, few(5, 2)))
    expected = [OpenDeck(game, state).value() for state in states]
    monkeypatch.setattr("kibitz.solvers.tablic.open_deck.SLICE", 1)
    assert [OpenDeck(game, state).value() for state in states] == expected


def test_cards_that_decide_the_bonus_count_in_every_position() -> None:
    """Who has 26 cards, 27 or 25 when the last are played: the value is that of the rules."""
    game = Tablic(cards_bonus="always")
    seen = set()
    for state in positions(game, 2, few(300, 20)):
        deck = OpenDeck(game, state)
        line = deck.solve()
        at_end = state
        for play in line.line:
            at_end = game.after(at_end, play)
        seat = int(state[0].turn)
        returns = game.returns(at_end)
        assert line.value.points == returns[seat]
        seen.add(int(at_end[0].pile[0]).bit_count() - 26)
    assert few(0, 1) or {-1, 0, 1} <= seen
