"""Two players' Tablić against an opponent whose every play is known: one ply, compiled.

Dynamic programming, forward. A *layer* has the positions before a ply, one for each key: equal
keys have equal futures. Points add up, so of two ways to one key only the one that has won more
is stored: won(child) = max over the ways (won(parent) ± gain of the play). Branch and bound: a
position is left out if even `most`, all that it could still win, does not beat a line that is
known.

Example: two captures, of 3 and of 1 point, lead to tables with the same ranks and the same hands.
One key, so one node: it has won 3, and its parent and play are those of the first capture.
"""

from typing import Any

import numpy as np

from kibitz.games import observing
from kibitz.games.tablic import kernels
from kibitz.games.tablic.capture_values import cards_of_play, packed, points_of
from kibitz.games.tablic.captures import counts_of
from kibitz.games.tablic.ends import BONUS_ALWAYS, bits, card_points
from kibitz.games.tablic.kernels import apply, write_plays
from kibitz.games.tablic.open_hands.evaluation import POINT
from kibitz.jit.hashing import mix_words
from kibitz.jit.kernels import bind, inlined, kernel

NODE = np.dtype(
    (
        np.record,
        [
            ("won", np.int64),  # so far, by the seat that is to play best; see `end_value`
            ("table", np.int64),
            ("hand", np.int64, (2,)),
            ("pile", np.int64, (2,)),
            ("tablas", np.int64, (2,)),
            ("last", np.int64),
            ("parent", np.int64),  # its place in the layer before
            ("play", np.int64),
        ],
    )
)
WORDS = 5
"""Of a key."""
DONE, FULL, CROWDED, BY_LOT = range(4)
"""How an expansion ended: all done; too many positions for the buffers; too many plays; or the
opponent drew lots."""
CARD_POINTS, CARDS, BONUS = 22, 52, 3
ONE_OF_FOUR = sum(1 << (4 * rank) for rank in range(13))

observe_as = bind(observing.observe_as, game=kernels)


CONTROL = np.dtype(
    (
        np.record,
        [
            ("seat", np.int64),  # who plays best
            # Whether positions are the same only if all of the state is: for an opponent that
            # looks at more than ranks.
            ("whole_state", np.int64),
            ("by_cards", np.int64),  # whether cards decide between equal points
            ("with_bonus", np.int64),  # whether the bonus for cards counts
            ("least", np.int64),  # what a line must come to, and more, to be of interest
            ("knows", np.int64),  # what the opponent may see, by games/observing.py
            ("doubles", np.int64, (CARDS + 1,)),  # by the cards dealt: see `most_tablas`
            ("at", np.int64),  # the next node to be expanded
            ("end", np.int64),  # and behind the last one
            ("n", np.int64),  # nodes of the next layer so far
        ],
    )
)
"""What is searched for, and how far `expand` is."""


# -- positions -----------------------------------------------------------------------------


@kernel
def load_node(node: Any, x: Any) -> None:
    """A node into a state of its layer."""
    x.table, x.last = node.table, node.last
    for i in range(2):
        x.hand[i], x.pile[i], x.tablas[i] = node.hand[i], node.pile[i], node.tablas[i]


@kernel
def save_node(x: Any, won: int, parent: int, play: int, node: Any) -> None:
    node.won, node.parent, node.play = won, parent, play
    node.table, node.last = x.table, x.last
    for i in range(2):
        node.hand[i], node.pile[i], node.tablas[i] = x.hand[i], x.pile[i], x.tablas[i]


@kernel
def begin(s: Any, control: Any, nodes: Any) -> None:
    """The first layer: one position."""
    x = s[0]
    won = end_value(x, control[0].seat, control[0].by_cards, 0)
    save_node(x, won, -1, -1, nodes[0])


@kernel
def write_key(x: Any, whole_state: int, with_bonus: int, key: Any) -> None:
    """All that the future of a position depends on. Unless that is the whole state, suits do not
    matter, nor who took what, but for the bonus. All ends have one key."""
    for i in range(WORDS):
        key[i] = 0
    if x.over:
        return
    key[1], key[2] = x.hand[0], x.hand[1]
    if whole_state:
        key[0], key[3] = x.table, x.pile[0]
        key[4] = x.last + 1 + 4 * (x.tablas[0] + 64 * x.tablas[1])
        return
    key[0] = packed(x.table)
    key[3] = x.dealer if x.to_dealer or x.last < 0 else x.last
    if with_bonus:
        taken = bits(x.pile[0])
        decided = 2 * taken > CARDS or 2 * bits(x.pile[1]) > CARDS
        key[4] = taken if not decided else 100 if 2 * taken > CARDS else 101


@kernel
def find_key(key: Any, keys: Any, index: Any) -> int:
    """Where in the index a key is, or would be."""
    place = mix_words(0, key) & (len(index) - 1)
    while index[place] >= 0:
        at = index[place]
        same = True
        for i in range(WORDS):
            same = same and keys[at, i] == key[i]
        if same:
            return int(place)
        place = (place + 1) & (len(index) - 1)
    return int(place)


@kernel
def fill_index(n: int, keys: Any, index: Any) -> None:
    """Enter the first n keys into an empty index."""
    for i in range(n):
        index[find_key(keys[i], keys, index)] = i


# -- values --------------------------------------------------------------------------------


@kernel
def end_value(x: Any, seat: int, by_cards: int, with_bonus: int) -> int:
    """The value of the piles to a seat: thousandths of a point, and cards if they count."""
    points = card_points(x.pile[0]) + x.tablas[0] - card_points(x.pile[1]) - x.tablas[1]
    cards = bits(x.pile[0]) - bits(x.pile[1])
    value = POINT * points
    if by_cards:
        value += cards
    if with_bonus and x.bonus == BONUS_ALWAYS and cards != 0:
        value += BONUS * POINT if cards > 0 else -BONUS * POINT
    return value if seat == 0 else -value


@kernel
def untaken_value(x: Any, by_cards: int) -> int:
    """The value of all cards that nobody has taken."""
    value = POINT * (CARD_POINTS - card_points(x.pile[0]) - card_points(x.pile[1]))
    if by_cards:
        value += CARDS - bits(x.pile[0]) - bits(x.pile[1])
    return value


@kernel
def most_tablas(x: Any, seat: int, doubles: Any) -> int:
    """No fewer than a seat can still make.

    Two with nothing but the other's card between them take a card of the rank that he laid on
    the empty table. `doubles` says in how many ways at most that can happen in later deals.
    """
    plays = bits(x.hand[seat]) + (CARDS - x.dealt) // 2
    return min(plays, (plays + 1 + shared(x.hand[0], x.hand[1]) + doubles[x.dealt]) // 2)


@kernel
def shared(one: int, other: int) -> int:
    """How many cards of equal ranks two hands can pair up, at most."""
    return min(bits(one & ranks_of(other)), bits(other & ranks_of(one)))


@kernel
def ranks_of(cards: int) -> int:
    """All four suits of each rank."""
    return 15 * ((cards | cards >> 1 | cards >> 2 | cards >> 3) & ONE_OF_FOUR)


@kernel
def most_bonus(x: Any, seat: int) -> int:
    """The bonus for cards, at most."""
    mine = CARDS - bits(x.pile[1 - seat])
    return BONUS * POINT if 2 * mine > CARDS else 0 if 2 * mine == CARDS else -BONUS * POINT


@inlined
def most_to_win(x: Any, c: Any) -> int:
    """No less than what the seat can still win."""
    most = untaken_value(x, c.by_cards) + POINT * most_tablas(x, c.seat, c.doubles)
    return most + (most_bonus(x, c.seat) if c.with_bonus else 0)


# -- a ply ---------------------------------------------------------------------------------


@kernel
def expand(
    frame: Any, nodes: Any, control: Any, choose: Any, numbers: Any, plays: Any, next_nodes: Any,
    keys: Any, index: Any,
) -> int:  # fmt: skip
    """Make the plays at nodes control.at to control.end − 1 of a layer, all or the opponent's one,
    and enter what they lead to into the next layer. Returns how it ended: if not DONE, control.at
    is the node to go on with.

    frame: STATE[2]. The first is any state of the layer, the second becomes one of the next.
    nodes: NODE[…], the layer.
    control: CONTROL[1].
    choose, numbers: the opponent's policy, see `core.strategy.Policy`.
    plays: int64[…], a buffer.
    next_nodes: NODE[capacity], the next layer.
    keys: int64[capacity, WORDS]; keys[i] is that of next_nodes[i].
    index: int32[2 · capacity], a power of two: a hash table of the keys with linear probing, which
        has numbers of nodes, or −1.
    """
    c = control[0]
    # Read once: what is in a record is read again after every write to an array.
    seat, by_cards, with_bonus, least = c.seat, c.by_cards, c.with_bonus, c.least
    rng = np.zeros(1, np.uint64)
    before, after, view = frame[:1].copy(), frame[:1].copy(), frame[:1].copy()
    past, none = frame[:0], plays[:0]
    x, y = before[0], after[0]
    mine, n = x.turn == seat, c.n
    for i in range(c.at, c.end):
        load_node(nodes[i], x)
        if mine:
            first, last = write_plays(x, plays)
        else:
            observe_as(c.knows, before, x.turn, view)
            first, last = 0, 1
            plays[0] = choose(view, x.turn, past, none, numbers, rng)
        if rng[0] != 0 or last < 0 or n + last - first >= len(next_nodes):
            c.at, c.n = i, n
            return BY_LOT if rng[0] != 0 else CROWDED if last < 0 else FULL
        counts = counts_of(x.table)
        for j in range(first, last):
            after[0] = before[0]
            apply(after, plays[j])
            if y.over:
                won = end_value(y, seat, by_cards, with_bonus)
                most = won
            else:
                gain = POINT * points_of(counts, plays[j])
                gain += cards_of_play(plays[j]) if by_cards else 0
                won = nodes[i].won + (gain if mine else -gain)
                most = won + most_to_win(y, c)
            if most > least:
                write_key(y, c.whole_state, with_bonus, keys[n])
                n = enter(y, won, i, plays[j], next_nodes, keys, index, n)
        frame[1] = after[0]
    c.at, c.n = c.end, n
    return DONE


@inlined
def enter(
    y: Any, won: int, parent: int, play: int, nodes: Any, keys: Any, index: Any, n: int
) -> int:
    """Enter a position with the key keys[n], unless that is there already with as much won; how
    many nodes there are then."""
    place = find_key(keys[n], keys, index)
    at = index[place]
    if at >= 0:
        if nodes[at].won < won:
            save_node(y, won, parent, play, nodes[at])
        return n
    index[place] = n
    save_node(y, won, parent, play, nodes[n])
    return n + 1
