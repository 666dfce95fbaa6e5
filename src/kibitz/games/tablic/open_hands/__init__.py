"""Tablić with all hands open, to the end of a deal or of the known deck: a small twin of the game
for searches. A test compares it with the rules in `kernels.py`.

It has the kernels that `search/fast/alpha_beta.py` wants of a game. The table is packed (see
capture_values.py), a hand is a bit for each of up to six cards, so a position has an exact key of
two words, suits left out where they do not matter.

Example: seat 1 holds 3♣ and 10♦, seat 2 2♥ and 4♥; on the table are A♥ and 2♣. As ranks A = 0,
2 = 1, 3 = 2 and 10 = 9, so `cards[0]` is (2 · 2) | (2 · 9 + 1) << 5, and `left[0]` is 0b11. 3♣
takes both table cards (1 + 2), a tabla: 3 points, for the ace, 2♣ and the tabla. Then `left[0]`
is 0b10.
"""

from kibitz.games.tablic.open_hands.children import child_key_and_value
from kibitz.games.tablic.open_hands.evaluation import (
    POINT,
    DealWeights,
    banked,
    evaluate,
    team_of,
    terminal_value,
)
from kibitz.games.tablic.open_hands.key import key
from kibitz.games.tablic.open_hands.plays import history_index, move_order, write
from kibitz.games.tablic.open_hands.state import (
    STATE,
    apply,
    fix_replies,
    hand_of,
    mover,
    over,
    see_deck,
    set_up,
)

__all__ = [
    "DENOMINATOR",
    "MAX_PLIES",
    "PLAYS_CAPACITY",
    "POINT",
    "STATE",
    "TABLE_ENTRIES",
    "DealWeights",
    "apply",
    "banked",
    "child_key_and_value",
    "evaluate",
    "fix_replies",
    "hand_of",
    "history_index",
    "key",
    "move_order",
    "mover",
    "over",
    "see_deck",
    "set_up",
    "team_of",
    "terminal_value",
    "write",
]  # fmt: skip

MAX_PLIES, TABLE_ENTRIES, PLAYS_CAPACITY, DENOMINATOR = 24, 1 << 14, 1 << 13, 1
"""Plies to the end of a deal, entries of a search's table, capacity for plays; values are whole."""
