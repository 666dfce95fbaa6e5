"""Keys of positions with open hands, for the transposition table: exact, not hashed.

    first    the packed table, and from bit 59 the number of known deals to come
    second   six bits a seat: which cards of the hand as dealt are held; where the end of the game
             is searched, also what the bonus and the last cards depend on

What was banked before is left out: the search adds it.

Example, two players in the last deal, with the bonus for most cards: on the table 3♣ and 10♦, with
no deal to come, first = 1 << 8 | 1 << 36 | the flag of 10♦. Seat 1 has played the second of three
cards, left[0] = 0b101; seat 2 holds all three, left[1] = 0b111; seat 1 has taken 20 cards, seat 2
18, and so the bonus is open: second = 0b101 | 0b111 << 6 | (20 + 1) << 27. Had seat 1 taken 30,
seat 2 could not catch up with the 2 + 2 + 3 cards that are left, and any such number is the same:
62 stands for it.
"""

from typing import Any

from kibitz.games.tablic.capture_values import size
from kibitz.games.tablic.captures import COUNTS
from kibitz.games.tablic.ends import BONUS_ALWAYS, BONUS_NONE, BONUS_TIE, bits
from kibitz.jit.kernels import kernel

TAKEN_AT = 27
"""Where a key says who has how many cards, if there is a bonus for most of them."""


@kernel
def key(stack: Any, d: int) -> tuple[int, int, int]:
    """The position without what was won before, which is counted apart. Exact: two words, and
    the side that would get the rest of the table."""
    y = stack[d]
    if y.players == 2:
        if y.bonus == BONUS_TIE and (y.ends or y.known):
            first, second, holder = two_player_key(
                y, y.table, y.left[0], y.left[1], y.last, y.taken[0], y.taken[1], y.known
            )
            second |= (holder + 2 * y.taken[0]) << 27
            return first, second | (y.points[0] - y.points[1] + 64) << 45, 0
        return two_player_key(
            y, y.table, y.left[0], y.left[1], y.last, y.taken[0], y.taken[1], y.known
        )
    rest = y.left[0] | y.left[1] << 6 | y.left[2] << 12 | y.left[3] << 18
    if y.ends or y.known:
        rest |= (y.last + 1) << 24
    if (y.ends or y.known) and y.bonus != BONUS_NONE:  # the bonus hangs on what was won before
        rest |= y.taken[0] << 27 | y.taken[1] << 33 | y.taken[2] << 39
        if y.bonus == BONUS_TIE:
            rest |= (y.points[0] - y.points[1] + 64) << 45
            rest |= (y.points[1] - y.points[2] + 64) << 52
    return y.table | y.known << 59, rest, 0


@kernel
def two_player_key(
    y: Any, table: int, left: int, other: int, last: int, taken: int, his: int, known: int
) -> tuple[int, int, int]:
    """Two players' key: what they hold, who took last, and how many cards the first one has
    taken, where the bonus is not decided. So many known deals are to come."""
    first = table | known << 59
    second = left | other << 6
    if not (y.ends or y.known):
        return first, second, 0
    if y.rest_to >= 0 or last < 0:
        last = y.dealer
    if y.bonus == BONUS_ALWAYS:
        open_yet = 12 * known + size(table & COUNTS) + bits(left) + bits(other)
        if taken > his + open_yet:
            taken = 62
        elif his > taken + open_yet:
            taken = 61
        second |= (taken + 1) << TAKEN_AT
    return first, second, last
