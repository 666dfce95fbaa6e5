"""The search of two players' Tablić with the deck known: a null window, compiled.

**What is computed.** V(s), what the player to move at s still wins, less what the other does, if
both play their best:

    V(s) = max over all plays of gain(play) - V(s after play)
    V(an end) = the rest of the table, for or against the mover, and the bonus for cards

`search` is asked whether V(s) ≥ want, and answers with a bound: at least `want` if it is so, else
an upper bound of V(s) below it (fail-soft). `open_deck.py` asks until both meet. After a play the
question is whether V(s after play) ≥ gain - want + 1: if not, the play is good enough.

Values are whole numbers, `point` for each point and `card` for each card: 1 and 0, or where cards
decide between equal points 128 and 1.

**How.** Depth first. All positions after a play are looked up in the transposition table before
any is searched (see deck_table.py): one that is known to be good enough cuts the others off, and
those that can't be are passed over. The others are tried in this order: most cards, most points,
and what has most often been good enough in this deal (the history heuristic, J. Schaeffer 1989).
With one card left to each the value is a formula. Two cards that are the same are tried once, and
so are captures that differ in 10♦ or 2♣ alone: the special card is a point more, so who can have
it is never worse off; the same goes for playing it rather than its twin, if anything is captured.

**The bonus for cards.** A position knows how many cards seat 0 has taken until more than half of
all are one seat's. From then on the bonus is a gain of that play, and the position is plain.

**The record of a ply** has the position at length, its key has the same in a word. `stage` tells
what follows after any of its plays. With f = frames[d] while position d is searched:

    f.floor <= V <= max(f.best, all plays untried)
    f.best < f.want, or the position is done
    moves[i].order == SEARCHED                   for the plays i that are done; f.untried others
    frames[d + 1].start >= f.end                 the plays of deeper positions follow

**Example.** Two plies left, seat 0 to move with a 5, seat 1 has a 7, on the table lie a 5 and a
king, seat 1 took last. want = 1. A 5 takes the 5: no points, and seat 0 is the last captor; a 7
takes no king, so what is left, 1 point, is seat 0's: 1. Laid, the other 5 leaves all to seat 1:
-1. Both are seen when the position is entered, so the answer, 1 ≥ want, takes three nodes.

Reference: J. Schaeffer, "The history heuristic and alpha-beta search enhancements in practice",
IEEE PAMI 11 (1989). For MTD(f) see open_deck.py.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.games.tablic.capture_values import points_of_card, size
from kibitz.games.tablic.captures import COUNTS, can_capture, clears
from kibitz.games.tablic.cards import TAKES_TEN, TAKES_TWO, TEN, TWO
from kibitz.games.tablic.open_hands.evaluation import points_in
from kibitz.games.tablic.open_hands.plays import has_twin
from kibitz.jit.intrinsics import borrowed, pointers, prefetch
from kibitz.jit.kernels import inlined, kernel
from kibitz.solvers.tablic.deck_captures import CARDS_AT, HEAD, POINTS, POINTS_AT, end_of, list_of
from kibitz.solvers.tablic.deck_table import (
    NO_BOUND,
    TAKEN,
    bounds_of,
    first_way,
    held_of,
    high_of,
    known_of,
    low_of,
    make_key,
    plain_bounds,
    plies_of,
    store,
    table_of,
    taken_of,
)

FRAME = np.dtype(
    (
        np.record,
        [
            ("key", np.int64),  # of the position: see deck_table.py
            ("holder", np.int64),  # the last captor
            ("mover", np.int64),
            ("table", np.int64),  # packed
            ("mine", np.int64),  # the mover's cards of the deal that are still held, a bit each
            ("other", np.int64),
            ("known", np.int64),  # deals to come
            ("taken", np.int64),  # 1 + the cards of seat 0; 0 in the plain game
            ("list", np.int64),  # where the captures of the table stand
            ("stage", np.int64),  # what follows: one of GOES_ON …
            ("want", np.int64),  # is the value to the mover at least this?
            ("best", np.int64),  # at most this, but for the plays that are untried; or a cutoff
            ("floor", np.int64),  # at least this
            ("start", np.int64),  # its plays are moves[start:end]
            ("end", np.int64),
            ("untried", np.int64),  # how many of them are still to be searched
            ("tried", np.int64),  # the index of the one that is searched now
        ],
    )
)
"""What a recursive search would have as local variables: one for each ply."""
MOVE = np.dtype(
    (
        np.record,
        [
            ("key", np.int64),  # of the position after the play; ENDED if `gain` says all
            ("place", np.int64),  # of that key in the table
            ("holder", np.int64),
            ("gain", np.int64),  # what the play brings to who makes it
            ("kind", np.int64),  # for the history: 2 · rank, and 1 if it captures
            ("order", np.int64),  # the highest is tried first; SEARCHED if it is done
        ],
    )
)
CONTROL = np.dtype(
    (
        np.record,
        [
            ("nodes", np.int64),  # so far; ends that were seen before they were entered count
            ("node_limit", np.int64),  # at so many nodes the search pauses
            ("depth", np.int64),  # where it did
            ("overflows", np.int64),  # positions with more plays than the arrays have capacity
            ("forced", np.int64),  # rule 3.6: who can capture with a card may not lay it
            ("rest_to", np.int64),  # the seat that gets the last cards; -1: the last captor
            ("point", np.int64),  # what a point counts
            ("card", np.int64),  # what a captured card counts
        ],
    )
)
GOES_ON, DEALS, LAST_CARD, ENDS = range(4)
"""After a play: the other one plays on; a new deal; the last card of all; nothing."""
ENDED = 0
PAUSED = 1 << 40
"""The search has used up its nodes; `resume` goes on."""
SEARCHED = -(1 << 62)
NEVER = (1 << 63) - 1
PLIES, KINDS, DEALS_OF_GAME = 48, 64, 4
HISTORY = DEALS_OF_GAME * 2 * KINDS
MOVE_ORDER_AT = 40
"""One more in the move order counts more than any history."""
CARD_ORDER = 16
"""A card more counts more in the move order than most points."""
BONUS, HALF, ALL_CARDS = 3, 26, 52


class DeckSearch(NamedTuple):
    """The arrays of a search."""

    frames: Any
    """(PLIES + 1,) of FRAME."""
    moves: Any
    """(capacity,) of MOVE: the plays of all positions on the path."""
    table: Any
    """(a power of two,) of deck_table.ENTRY. Searches of other threads may share it."""
    history: Any
    """(HISTORY,) of int64: by the deals to come, the mover and the kind of a play, how often it
    was good enough, deep ones counted more."""
    cards: Any
    """(2 · DEALS_OF_GAME,) of int64: by the deals to come and the seat, the hand as dealt, five
    bits a card (see open_hands/state.py)."""
    control: Any
    """(1,) of CONTROL."""


def new_search(table: Any, cards: Any, capacity: int) -> DeckSearch:
    """Arrays for a search with this table and these hands, for so many plays."""
    control = np.zeros(1, CONTROL)
    control[0].node_limit, control[0].rest_to, control[0].point = NEVER, -1, 1
    return DeckSearch(
        np.zeros(PLIES + 1, FRAME),
        np.zeros(capacity, MOVE),
        table,
        np.zeros(HISTORY, np.int64),
        cards,
        control,
    )


# -- the end of the game -----------------------------------------------------------------------


@inlined
def rest(work: Any, table: int, holder: int, mover: int, taken: int) -> int:
    """What the last cards, and the bonus if it is open, are worth to the mover."""
    control = work.control[0]
    cards = size(table & COUNTS)
    value = control.point * points_in(table) + control.card * cards
    if holder != mover:
        value = -value
    if taken:
        seat_0 = taken - 1 + (cards if holder == 0 else 0)
        if seat_0 != HALF:
            bonus = BONUS * control.point
            value += bonus if (seat_0 > HALF) == (mover == 0) else -bonus
    return value


@kernel
def last_card(work: Any, table: int, kind: int, holder: int, mover: int, taken: int) -> int:
    """What the last card of all brings to who plays it. If it takes anything, everything is his;
    so all that matters is whether it can, and whether it can take the whole table."""
    rank, counts = kind >> 1, table & COUNTS
    cleared = clears(counts, rank)
    if work.control[0].rest_to < 0 and (cleared or can_capture(counts, rank)):
        holder = mover
    value = rest(work, table + card_of(kind), holder, mover, taken)
    return value + (work.control[0].point if cleared else 0)


@inlined
def card_of(kind: int) -> int:
    """A card as a packed set: 2 · rank, and 1 for 10♦ and 2♣."""
    card = np.int64(1) << (4 * (kind >> 1))
    if kind & 1:
        card |= TAKES_TEN if kind >> 1 == TEN else TAKES_TWO
    return int(card)


@inlined
def only_card(held: int, cards: int) -> int:
    """The card of a hand of one."""
    while held & 1 == 0:
        held >>= 1
        cards >>= 5
    return cards & 31


# -- a position's plays ------------------------------------------------------------------------


@inlined
def read_key(frame: Any) -> None:
    """The position at length."""
    key = frame.key
    frame.table, frame.known, frame.taken = table_of(key), known_of(key), taken_of(key)
    frame.mine, frame.other = held_of(key, frame.mover), held_of(key, 1 - frame.mover)
    if frame.other == 0:
        frame.stage = DEALS if frame.known else ENDS
    elif frame.known == 0 and frame.mine & (frame.mine - 1) | frame.other & (frame.other - 1) == 0:
        frame.stage = LAST_CARD
    else:
        frame.stage = GOES_ON


@kernel
def write_moves(search: DeckSearch, sets: Any, d: int) -> bool:
    """The plays of a position, with what each brings, and the table asked for what it knows of
    the positions after them: memory is slow, and so it has time meanwhile. False if the array is
    too short."""
    search, sets = borrowed(search), pointers(sets)
    work = pointers(search)
    frame, forced = work.frames[d], work.control[0].forced
    left, cards = frame.mine, work.cards[2 * frame.known + frame.mover]
    bit, before = np.int64(1), -1
    n = frame.start
    mask = len(search.table) // 4 - 1
    while left:
        kind = cards & 31
        held, own = left & 1, bit
        left, cards, bit = left >> 1, cards >> 5, bit << 1
        if not held or kind == before:
            continue
        before = kind
        first = end_of(sets, frame.list, kind >> 1)
        end = end_of(sets, frame.list, (kind >> 1) + 1)
        if n + 1 + end - first > len(search.moves):
            return False
        if not (forced and end > first):
            write_lay(work, frame, n, kind, own, mask)
            n += 1
        if not has_twin(left, cards, kind):
            for i in range(first, end):
                write_capture(work, frame, n, kind, own, sets[frame.list + HEAD + i], mask)
                n += 1
    frame.end = n
    return True


@inlined
def write_lay(work: Any, frame: Any, n: int, kind: int, own: int, mask: int) -> None:
    """The play that lays a card, as moves[n]; `own` is the card's bit in the hand."""
    move = work.moves[n]
    move.kind, move.order = kind & ~1, 0
    move.holder, move.gain = frame.holder, 0
    write_child(work, frame, n, frame.table + card_of(kind), own, frame.taken, mask)


@inlined
def write_capture(
    work: Any, frame: Any, n: int, kind: int, own: int, capture: int, mask: int
) -> None:
    """The play that makes a capture of the list; of the tens and twos it takes the special card
    first."""
    move, control = work.moves[n], work.control[0]
    captured = capture & COUNTS
    table = frame.table - captured
    cards = (capture >> CARDS_AT) + 1
    points = ((capture >> POINTS_AT) & POINTS) + points_of_card(kind >> 1, kind & 1 != 0)
    if frame.table & TAKES_TEN and (captured >> (4 * TEN)) & 15:
        table &= ~TAKES_TEN
        points += 1
    if frame.table & TAKES_TWO and (captured >> (4 * TWO)) & 15:
        table &= ~TAKES_TWO
        points += 1
    move.kind, move.order = kind | 1, points + CARD_ORDER * cards
    move.holder = frame.mover if control.rest_to < 0 else control.rest_to
    move.gain = control.point * points + control.card * cards
    taken = frame.taken
    if taken:
        if frame.mover == 0:
            taken += cards
        taken, bonus = still_open(frame, table, taken)
        move.gain += control.point * bonus
    write_child(work, frame, n, table, own, taken, mask)


@inlined
def still_open(frame: Any, table: int, taken: int) -> tuple[int, int]:
    """After a capture of the mover's: 1 + the cards of seat 0, and no bonus; or if one of both
    has more than half of all cards now, 0 and the mover's bonus."""
    cards = taken - 1
    if frame.mover:
        held = frame.mine | frame.other << 6
        to_come = size(table & COUNTS) + 12 * frame.known - 1
        while held:
            held &= held - 1
            to_come += 1
        cards = ALL_CARDS - cards - to_come
    if cards > HALF:
        return 0, BONUS
    return taken, 0


@inlined
def write_child(work: Any, frame: Any, n: int, table: int, own: int, taken: int, mask: int) -> None:
    """What comes after moves[n], which leaves this table."""
    move, mover = work.moves[n], frame.mover
    if frame.stage == ENDS:
        move.key = ENDED
        move.gain += rest(work, table, move.holder, mover, taken)
    elif frame.stage == LAST_CARD:
        move.key = ENDED
        kind = only_card(frame.other, work.cards[1 - mover])
        move.gain -= last_card(work, table, kind, move.holder, 1 - mover, taken)
    else:
        mine, other, known = frame.mine & ~own, frame.other, frame.known
        if frame.stage == DEALS:
            mine, other, known = np.int64(63), np.int64(63), known - 1
        if mover:
            mine, other = other, mine
        move.key = make_key(table, mine, other, known, taken)
        move.place = first_way(move.key, mask)
        prefetch(work.table, move.place)


# -- the search --------------------------------------------------------------------------------


@inlined
def known_bounds(work: Any, move: Any, mover: int) -> tuple[int, int]:
    """What the table knows of a play's value to who makes it."""
    if move.key & TAKEN:
        bonus = BONUS * work.control[0].point
        low, high = bounds_of(work.table, move.place, move.key, move.holder, bonus)
    else:
        word = plain_bounds(work.table, move.place, move.key)
        low, high = low_of(word, move.holder), high_of(word, move.holder)
    if mover == 0:
        return move.gain + low, move.gain + high
    return move.gain - high, move.gain - low


@kernel
def enter(search: DeckSearch, lists: Any, d: int) -> bool:
    """Whether what the table knows of the positions after a play tells enough of position d: its
    key, last captor, mover and question stand in its frame. If not, its plays have an order."""
    search, lists = borrowed(search), borrowed(lists)
    work = pointers(search)
    control, frame = work.control[0], work.frames[d]
    control.nodes += 1
    read_key(frame)
    frame.list = list_of(lists, frame.table & COUNTS, frame.known)
    if frame.list < 0 or not write_moves(search, lists.sets, d):
        control.overflows += 1
        frame.best = frame.floor = frame.want
        return True
    want, mover = frame.want, frame.mover
    history = (2 * frame.known + mover) * KINDS
    best, floor, untried = -NO_BOUND, -NO_BOUND, 0
    for i in range(frame.start, frame.end):
        move = work.moves[i]
        if move.key == ENDED:
            control.nodes += 1
            least = most = move.gain
        else:
            least, most = known_bounds(work, move, mover)
        if least >= want:
            frame.best = least
            return True
        floor = max(floor, least)
        if most < want:
            best = max(best, most)
            move.order = SEARCHED
        else:
            move.order = (move.order << MOVE_ORDER_AT) + work.history[history + move.kind]
            untried += 1
    frame.best, frame.floor, frame.untried = best, floor, untried
    return untried == 0


@kernel
def leave(work: Any, d: int, mask: int) -> None:
    """Put what was shown of a position into the table."""
    frame = work.frames[d]
    low, high = frame.floor, frame.best
    if frame.best >= frame.want:
        low, high = frame.best, NO_BOUND
    if frame.mover:
        low, high = -high, -low
    store(work.table, first_way(frame.key, mask), frame.key, frame.holder, low, high)


@kernel
def search(search: DeckSearch, lists: Any, key: int, holder: int, mover: int, want: int) -> int:
    """Whether the value of a position to the mover is at least `want`, as a bound; or PAUSED."""
    search, lists = borrowed(search), borrowed(lists)
    work = pointers(search)
    frame = work.frames[0]
    frame.key, frame.holder, frame.mover, frame.want = key, holder, mover, want
    frame.start = 0
    move = work.moves[0]  # as if a play had led here
    move.key, move.holder, move.gain = key, holder, 0
    move.place = first_way(key, len(search.table) // 4 - 1)
    low, high = known_bounds(work, move, mover)
    if low >= want:
        return low
    if high < want:
        return high
    work.control[0].depth = 0
    if held_of(key, 0) | held_of(key, 1) == 0:
        return rest(work, table_of(key), holder, mover, taken_of(key))
    if enter(search, lists, 0):
        leave(work, 0, len(search.table) // 4 - 1)
        return frame.best
    return resume(search, lists)


@kernel
def resume(search: DeckSearch, lists: Any) -> int:
    """Search on from where it is, to the end, or until the nodes are used up: PAUSED.

    Written as a loop: a recursion that is read from Numba's cache may crash.
    """
    search, lists = borrowed(search), borrowed(lists)
    work = pointers(search)
    control = work.control[0]
    mask = len(search.table) // 4 - 1
    d = control.depth
    while True:
        if control.nodes >= control.node_limit:
            control.depth = d
            return PAUSED
        frame = work.frames[d]
        if frame.untried > 0:
            frame.tried = first_in_order(work.moves, frame.start, frame.end)
            descend(work, d)
            d += 1
            if not enter(search, lists, d):
                continue
        leave(work, d, mask)
        if d == 0:
            return work.frames[0].best
        d -= 1
        back_up(work, d)


@inlined
def first_in_order(moves: Any, start: int, end: int) -> int:
    """Of the plays that are not searched yet."""
    first, highest = start, moves[start].order
    for i in range(start + 1, end):
        if moves[i].order > highest:
            first, highest = i, moves[i].order
    return first


@inlined
def descend(work: Any, d: int) -> None:
    """To the position after the play that is tried, with the question that decides."""
    frame, child = work.frames[d], work.frames[d + 1]
    move = work.moves[frame.tried]
    child.key, child.holder, child.mover = move.key, move.holder, 1 - frame.mover
    child.want = move.gain - frame.want + 1
    child.start = frame.end


@inlined
def back_up(work: Any, d: int) -> None:
    """Take the value of the play that was tried into account."""
    frame = work.frames[d]
    move = work.moves[frame.tried]
    value = move.gain - work.frames[d + 1].best
    move.order = SEARCHED
    frame.untried -= 1
    frame.best = max(frame.best, value)
    if value >= frame.want:
        frame.untried = 0
        kind = (2 * frame.known + frame.mover) * KINDS + move.kind
        work.history[kind] += np.int64(1) << min(plies_of(frame.key), 30)
