"""What a search of Tablić asks about a play before it makes it: the key and the value after it."""

from typing import Any

from kibitz.games.tablic.capture_values import cards_of_play, points_of, table_after
from kibitz.games.tablic.captures import COUNTS
from kibitz.games.tablic.ends import BONUS_TIE
from kibitz.games.tablic.open_hands.evaluation import (
    POINT,
    banked,
    card_weight,
    read_weights,
    terminal_value,
    two_player_end_gain,
    two_player_last_card_gain,
)
from kibitz.games.tablic.open_hands.key import key, two_player_key
from kibitz.games.tablic.open_hands.state import apply, hand_index, over
from kibitz.jit.kernels import kernel


@kernel
def child_key_and_value(
    stack: Any, d: int, play: int, won: float, seat: int, weights: Any
) -> tuple[bool, tuple[int, int, int], float]:
    """Without making the play, where two play on with nothing to be guessed."""
    y = stack[d]
    me = y.turn
    other = y.left[1 - me]
    if y.players != 2 or y.bonus == BONUS_TIE or (other == 0 and not (y.ends or y.known)):
        stack[d + 1] = stack[d]
        apply(stack, d + 1, play)
        if over(stack, d + 1):
            return True, (0, 0, 0), terminal_value(stack, d + 1, seat, weights)
        return False, key(stack, d + 1), banked(stack, d + 1, seat, weights)
    left = y.left[me] & ~(1 << hand_index(y, play))
    cards = cards_of_play(play)
    last, known, value = y.last, y.known, won
    taken, his = y.taken[0], y.taken[1]
    if cards:
        last = me
        gain = POINT * points_of(y.table & COUNTS, play) + card_weight(y, weights) * cards
        value += gain if me == seat else -read_weights(weights).others * gain
        taken += cards if me == 0 else 0
        his += cards if me == 1 else 0
    table = table_after(y.table, play)
    if other == 0:
        if known == 0:
            return (
                True,
                (0, 0, 0),
                value + two_player_end_gain(y, table, last, taken - his, seat, weights),
            )
        left, other, known = 63, 63, known - 1
    elif left == 0 and y.ends and other & (other - 1) == 0 and last_card_captures(y, weights):
        kind = only_card(other, y.cards[1 - me])
        end = two_player_last_card_gain(y, table, kind, 1 - me, last, taken - his, seat, weights)
        return True, (0, 0, 0), value + end
    if me == 1:
        left, other = other, left
    return False, two_player_key(y, table, left, other, last, taken, his, known), value


@kernel
def last_card_captures(y: Any, weights: Any) -> bool:
    """Whether who plays the last card of the game will take what he can."""
    return y.replying == 0 and card_weight(y, weights) >= 0


@kernel
def only_card(held: int, cards: int) -> int:
    """The card of a hand of one."""
    while held & 1 == 0:
        held >>= 1
        cards >>= 5
    return cards & 31
