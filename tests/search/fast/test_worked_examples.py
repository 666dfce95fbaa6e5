"""The examples in the docstrings of the compiled alpha-beta and its transposition table."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.jit.kernels import bind, kernel
from kibitz.search.fast import alpha_beta, transposition_table
from kibitz.search.fast.alpha_beta import SHALLOW
from kibitz.search.fast.transposition_table import ENTRY, INFINITE

# -- take-away: a heap, a play takes 1 or 2, who takes the last one wins ------------------------

STATE = np.dtype((np.record, [("heap", np.int64), ("turn", np.int64)]))


@kernel
def mover(stack: Any, d: int) -> int:
    return stack[d].turn


@kernel
def over(stack: Any, d: int) -> bool:
    return stack[d].heap == 0


@kernel
def apply(stack: Any, d: int, play: int) -> None:
    stack[d].heap -= play
    stack[d].turn = 1 - stack[d].turn


@kernel
def team_of(stack: Any, d: int, seat: int) -> int:
    return seat


@kernel
def write(stack: Any, d: int, plays: Any, start: int) -> tuple[int, int]:
    end = start + min(2, stack[d].heap)
    if end > len(plays):
        return 0, -1
    for i in range(start, end):
        plays[i] = 1 + i - start
    return start, end


@kernel
def move_order(stack: Any, d: int, play: int) -> int:
    return -play


@kernel
def history_index(play: int) -> int:
    return play


@kernel
def key(stack: Any, d: int) -> tuple[int, int, int]:
    return stack[d].heap, stack[d].turn, 0


@kernel
def banked(stack: Any, d: int, seat: int, weights: Any) -> float:
    return 0.0


@kernel
def terminal_value(stack: Any, d: int, seat: int, weights: Any) -> float:
    return -1.0 if stack[d].turn == seat else 1.0  # who can't move has lost


@kernel
def evaluate(stack: Any, d: int, seat: int, weights: Any) -> float:
    return 0.0


@kernel
def child_key_and_value(
    stack: Any, d: int, play: int, banked: float, seat: int, weights: Any
) -> tuple[bool, tuple[int, int, int], float]:
    stack[d + 1] = stack[d]
    apply(stack, d + 1, play)
    if over(stack, d + 1):
        return True, (0, 0, 0), terminal_value(stack, d + 1, seat, weights)
    return False, key(stack, d + 1), 0.0


TAKE_AWAY = SimpleNamespace(
    STATE=STATE, DENOMINATOR=1, mover=mover, over=over, apply=apply, team_of=team_of, write=write,
    move_order=move_order, history_index=history_index, key=key, banked=banked,
    terminal_value=terminal_value, evaluate=evaluate, child_key_and_value=child_key_and_value,
)  # fmt: skip


def take_away(heap: int, max_depth: int = 8, capacity: int = 32) -> Any:
    """A workspace with a heap before seat 0, whose values are searched for."""
    stack = np.zeros(12, STATE)
    stack[0].heap = heap
    table = np.zeros(64, ENTRY)
    return alpha_beta.new_workspace.function(stack, table, np.zeros(1), capacity, 0, max_depth)


def values_of(work: Any, *plays: int) -> list[float]:
    values = np.zeros(len(plays))
    value_plays = bind(alpha_beta.value_plays, twin=TAKE_AWAY)
    value_plays(work, np.array(plays), np.arange(len(plays)), values, np.int64(0))
    return values.tolist()


def test_from_a_heap_of_four_taking_one_wins() -> None:
    work = take_away(4)
    assert values_of(work, 1, 2) == [1.0, -1.0]


def test_the_nodes_of_take_away_are_those_of_the_example() -> None:
    """The window is infinite, so a win alone cuts nothing off.

    After 1, a heap of 3 is entered (node 1). Taking 1 of it leaves 2 (node 2); there taking 2 ends
    the game (3), and the scout looks whether taking 1 is better: heap 1 (4), the end (5). Taking 2
    of the 3 leaves 1 (6), the end (7). After 2, a heap of 2 is entered (8), taking 2 ends the game
    (9), and heap 1 is entered (10), where the bound in the table is enough.
    """
    work = take_away(4)
    values_of(work, 1)
    assert work.control[0].nodes == 7
    values_of(work, 2)
    assert work.control[0].nodes == 10


def test_every_heap_is_lost_that_three_divides() -> None:
    search = bind(alpha_beta.search, twin=TAKE_AWAY)
    for heap in range(1, 9):
        expected = -1.0 if heap % 3 == 0 else 1.0
        assert search(take_away(heap), np.int64(0), -INFINITE, INFINITE) == expected


def test_a_search_pauses_and_goes_on_to_the_same_value() -> None:
    search, resume = (bind(one, twin=TAKE_AWAY) for one in (alpha_beta.search, alpha_beta.resume))
    work = take_away(7)
    pauses = 0
    work.control[0].node_limit = 1
    value = search(work, np.int64(0), -INFINITE, INFINITE)
    while value == alpha_beta.PAUSED:
        pauses += 1
        work.control[0].node_limit = work.control[0].nodes + 1
        value = resume(work, np.int64(0))
    assert value == 1.0
    assert pauses > 3


def test_arrays_that_are_too_short_are_counted() -> None:
    work = take_away(8, capacity=4)
    bind(alpha_beta.search, twin=TAKE_AWAY)(work, np.int64(0), -INFINITE, INFINITE)
    assert work.control[0].overflows > 0


def test_near_the_leaves_the_table_stays_empty() -> None:
    work = take_away(8, max_depth=SHALLOW)
    bind(alpha_beta.search, twin=TAKE_AWAY)(work, np.int64(0), -INFINITE, INFINITE)
    assert (work.table["holder_1"] == 0).all()


# -- the transposition table ---------------------------------------------------------------------

look_up, store = transposition_table.look_up, transposition_table.store


def test_an_upper_bound_is_one_for_the_holder_who_helps_less() -> None:
    table = np.zeros(8, ENTRY)
    store(table, 1, 5, (7, 9, 0), 3, False, True)
    assert look_up(table, 1, (7, 9, 0), 0, 1) == (-INFINITE, 3.0)
    assert look_up(table, 1, (7, 9, 1), 0, 1) == (-INFINITE, 3.0)
    assert look_up(table, 1, (7, 9, 1), 1, 1) == (-INFINITE, INFINITE)
    assert look_up(table, 2, (7, 9, 0), 0, 1) == (-INFINITE, INFINITE)


def test_an_entry_that_two_threads_wrote_at_once_is_not_read() -> None:
    table = np.zeros(8, ENTRY)
    store(table, 1, 5, (7, 9, 0), 3, True, True)
    assert look_up(table, 1, (7, 9, 0), 0, 2) == (1.5, 1.5)
    (place,) = np.flatnonzero(table["holder_1"])
    table[place].holder_0 ^= 1 << 8
    assert look_up(table, 1, (7, 9, 0), 0, 2) == (-INFINITE, INFINITE)


def test_of_full_entries_the_one_with_the_smallest_subtree_goes() -> None:
    table = np.zeros(transposition_table.PROBES, ENTRY)
    for number in range(transposition_table.PROBES):
        store(table, 1, 9 - number, (number, 0, 0), number, True, True)
    store(table, 1, 2, (99, 0, 0), 50, True, True)
    assert look_up(table, 1, (99, 0, 0), 0, 1) == (50.0, 50.0)
    for number in range(transposition_table.PROBES):
        smallest = number == transposition_table.PROBES - 1
        expected = (-INFINITE, INFINITE) if smallest else (number, number)
        assert look_up(table, 1, (number, 0, 0), 0, 1) == expected
