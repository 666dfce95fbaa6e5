"""Two players' Tablić against an opponent whose every play is known: one ply, compiled.

A *layer* has the positions before a ply that differ in what may still come, each with the best
way to it: points add up, so of two ways to the same future the richer one is enough.
"""

from typing import Any

import numpy as np

from kibitz.games.tablic.capture_values import cards_of_play, packed, points_of
from kibitz.games.tablic.captures import counts_of
from kibitz.games.tablic.ends import BONUS_ALWAYS, bits, card_points
from kibitz.games.tablic.kernels import apply, observe, observe_open_hands, write_plays
from kibitz.games.tablic.open_hands.evaluation import POINT
from kibitz.jit.hashing import mix_words
from kibitz.jit.kernels import kernel

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
SEAT, EYES, WHOLE, BY_CARDS, WITH_BONUS, LEAST, FACTS = range(7)
"""The settings of a search: who plays best; what the opponent may know; whether positions are the
same only if all of the state is; whether cards decide between equal points; whether the cards
bonus counts; what a way must come to, and more, to be of interest."""
FAIR, OPEN_HANDS = range(2)
DONE, FULL, CROWDED = range(3)
"""How an expansion ended: all done; too many positions for the buffers; or too many plays."""
CARD_POINTS, CARDS, BONUS = 22, 52, 3
ONE_OF_FOUR = sum(1 << (4 * rank) for rank in range(13))


# -- positions -----------------------------------------------------------------------------


@kernel
def put(node: Any, x: Any) -> None:
    """A node into a state of its layer."""
    x.table, x.last = node.table, node.last
    for i in range(2):
        x.hand[i], x.pile[i], x.tablas[i] = node.hand[i], node.pile[i], node.tablas[i]


@kernel
def note(x: Any, won: int, parent: int, play: int, node: Any) -> None:
    node.won, node.parent, node.play = won, parent, play
    node.table, node.last = x.table, x.last
    for i in range(2):
        node.hand[i], node.pile[i], node.tablas[i] = x.hand[i], x.pile[i], x.tablas[i]


@kernel
def begin(s: Any, facts: Any, nodes: Any) -> None:
    """The first layer: one position."""
    x = s[0]
    won = end_value(x, facts[SEAT], facts[BY_CARDS], 0)
    note(x, won, -1, -1, nodes[0])


@kernel
def write_key(x: Any, facts: Any, key: Any) -> None:
    """What may still come hangs on this. Where not on the whole state, suits do not matter,
    nor who took what, but for the bonus. All ends are the same."""
    for i in range(WORDS):
        key[i] = 0
    if x.over:
        return
    key[1], key[2] = x.hand[0], x.hand[1]
    if facts[WHOLE]:
        key[0], key[3] = x.table, x.pile[0]
        key[4] = x.last + 1 + 4 * (x.tablas[0] + 64 * x.tablas[1])
        return
    key[0] = packed(x.table)
    key[3] = x.dealer if x.to_dealer or x.last < 0 else x.last
    if facts[WITH_BONUS]:
        taken = bits(x.pile[0])
        decided = 2 * taken > CARDS or 2 * bits(x.pile[1]) > CARDS
        key[4] = taken if not decided else 100 if 2 * taken > CARDS else 101


@kernel
def place_of(key: Any, keys: Any, index: Any) -> int:
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
def enter_again(n: int, keys: Any, index: Any) -> None:
    """The first keys into an empty index."""
    for i in range(n):
        index[place_of(keys[i], keys, index)] = i


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
def to_be_won(x: Any, by_cards: int) -> int:
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


# -- a ply ---------------------------------------------------------------------------------


@kernel
def see(eyes: int, s: Any, seat: int, view: Any) -> None:
    """What the opponent may know."""
    if eyes == FAIR:
        observe(s, seat, view)
    elif eyes == OPEN_HANDS:
        observe_open_hands(s, seat, view)
    else:
        view[0] = s[0]


@kernel
def expand(
    frame: Any, layer: Any, start: int, end: int, facts: Any, doubles: Any, choose: Any,
    numbers: Any, rng: Any, plays: Any, nodes: Any, keys: Any, index: Any, n: int,
) -> tuple[int, int, int]:  # fmt: skip
    """Make the plays of a part of a layer: all, or the opponent's one.

    `frame` is any state of the layer, and in its second place one of the next is left. Returns
    how far it came, how many positions the next layer has by then, and how it ended.
    """
    before, after, view = frame[:1].copy(), frame[:1].copy(), frame[:1].copy()
    past, none = frame[:0], plays[:0]
    x, y = before[0], after[0]
    seat = facts[SEAT]
    mine = x.turn == seat
    for i in range(start, end):
        put(layer[i], x)
        if mine:
            first, last = write_plays(x, plays)
        else:
            see(facts[EYES], before, x.turn, view)
            first, last = 0, 1
            plays[0] = choose(view, x.turn, past, none, numbers, rng)
        if last < 0:
            return i, n, CROWDED
        if n + last - first >= len(nodes):
            return i, n, FULL
        counts = counts_of(x.table)
        for j in range(first, last):
            after[0] = before[0]
            apply(after, plays[j])
            if y.over:
                won = end_value(y, seat, facts[BY_CARDS], facts[WITH_BONUS])
                most = won
            else:
                gain = POINT * points_of(counts, plays[j])
                gain += cards_of_play(plays[j]) if facts[BY_CARDS] else 0
                won = layer[i].won + (gain if mine else -gain)
                most = won + to_be_won(y, facts[BY_CARDS]) + POINT * most_tablas(y, seat, doubles)
                most += most_bonus(y, seat) if facts[WITH_BONUS] else 0
            if most <= facts[LEAST]:
                continue
            write_key(y, facts, keys[n])
            place = place_of(keys[n], keys, index)
            at = index[place]
            if at < 0:
                at = n
                index[place] = n
                n += 1
            elif nodes[at].won >= won:
                continue
            note(y, won, i, plays[j], nodes[at])
        frame[1] = after[0]
    return end, n, DONE
