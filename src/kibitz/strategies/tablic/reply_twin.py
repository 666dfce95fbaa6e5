"""The open-card twin of Tablić in which the other answers as one of the types of opponents.py.

It is `games/tablic/open_hands` but for the plays of who answers by a rule that this does not know.
The type stands above the seats in `replying`; what nobody holds, which human counts as unseen, in
`coming`, which a search to the end of a deal does not use.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np

from kibitz.games.tablic import open_hands
from kibitz.games.tablic.capture_values import packed
from kibitz.games.tablic.cards import DECK
from kibitz.games.tablic.open_hands import hand_of
from kibitz.jit.kernels import kernel
from kibitz.strategies.tablic.backtrack import backtrack_play
from kibitz.strategies.tablic.opponents import BACKTRACK, BEST, GREEDY, SEARCH_WEIGHTS, play_of

TYPE_AT = 4
"""The type in `replying`: these bits and above."""


@kernel
def answer_as(kind: int, world: Any, seat: int, d: Any) -> None:
    """All others answer as a type does; BEST: by the search. With more than two players everybody
    who answers is greedy."""
    x, y = world[0], d[0]
    y.replying = 0 if kind == BEST else 15 & ~(1 << seat)
    if kind > GREEDY:
        y.replying |= kind << TYPE_AT
        held = x.hand[0] | x.hand[1] | x.pile[0] | x.pile[1]
        y.coming[0, 0] = packed(DECK & ~(x.table | held))


@kernel
def write(stack: Any, d: int, plays: Any, at: int) -> tuple[int, int]:
    y = stack[d]
    kind = y.replying >> TYPE_AT
    if kind == 0 or not (y.replying >> y.turn) & 1:
        return open_hands.write(stack, d, plays, at)
    if at == len(plays):
        return 0, -1
    if kind >= BACKTRACK:
        plays[at] = backtrack_play(stack[d : d + 1], SEARCH_WEIGHTS[kind - BACKTRACK])
        return (at, at + 1) if plays[at] >= 0 else (0, -1)
    me, hands = y.turn, np.empty(2, np.int64)
    hands[0], hands[1] = hand_of(y.left[me], y.cards[me]), hand_of(y.left[1 - me], y.cards[1 - me])
    hidden = hands[1] + y.coming[0, 0]
    play = play_of(kind, hands, y.table, hidden, y.forced, plays[at:])
    if play < 0:
        return 0, -1
    plays[at] = play
    return at, at + 1


reply_twin = SimpleNamespace(
    **{**{name: getattr(open_hands, name) for name in open_hands.__all__}, "write": write}
)
