"""Love Letter dealt card by card: what falls when, for trees in which chance moves at each draw.

First, if ties are decided by lot, the lot; with two players the three cards that lie face up; the
hands, from the first seat on; then each card that is drawn. The card aside falls last, if a Prince
takes it. Outcomes are the cards, 0 the Guard. The functions are those that `interop/dealers.py`
asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.core.game import View
from kibitz.games.love_letter.cards import KING, NAMES, PRINCESS, UNKNOWN, cards_in
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.love_letter.knowledge import is_possible
from kibitz.games.love_letter.plays import parts_of
from kibitz.jit.rng import below

LOTS = {2: 2, 3: 6, 4: 12}
"""So many lots decide a tie of any seats fairly, by the number of players."""


def most_outcomes(game: LoveLetter) -> int:
    return max(PRINCESS, _lots(game))


def longest(game: LoveLetter) -> int:
    return bool(_lots(game)) + _size(game)


def outcomes(game: LoveLetter, fallen: Sequence[int]) -> list[tuple[int, float]]:
    if len(fallen) < bool(_lots(game)):
        return [(lot, 1 / _lots(game)) for lot in range(_lots(game))]
    left = _left(game, fallen)
    return [(card - 1, n / sum(left)) for card, n in enumerate(left) if n]


def name(game: LoveLetter, fallen: Sequence[int], outcome: int) -> str:
    is_lot = len(fallen) < bool(_lots(game))
    return f"lot {outcome + 1}" if is_lot else NAMES[outcome + 1]


def deal(game: LoveLetter, fallen: Sequence[int]) -> Any:
    lots = bool(_lots(game))
    rest = [card for card, n in enumerate(_left(game, fallen)) for _ in range(n)]
    *cards, aside = [outcome + 1 for outcome in fallen[lots:]] + rest
    order = [aside, *game.face_up, *cards]
    packed = sum(card << 4 * i for i, card in enumerate(order[:-1]))
    state = game.blank()
    game.kernels.lay_out(state, packed, order[-1], 0, fallen[0] if lots and fallen else 0)
    return state


def needed(game: LoveLetter, state: Any) -> int:
    x = state[0]
    return longest(game) - int(x.left) - int(x.aside > 0)


def recall(game: LoveLetter, view: View[Any], rng: Any) -> tuple[int, ...] | None:
    """From a world backwards: each turn shows the card that was played, and whether it was the one
    that was drawn is drawn by lot, as far as the viewer's knowledge then leaves it open."""
    x, me = view.state[0], view.seat
    world = game.redeal(view, rng)[0]
    hands = [int(card) for card in world.hand]
    drawn = [int(world.drawn)]
    states = [*(state for state, _ in view.past), view.state]
    for turn in range(len(view.past) - 1, -1, -1):
        before, after, play = states[turn][0], states[turn + 1][0], view.past[turn][1]
        seat = int(before.turn)
        card, target, _ = parts_of(play.code)
        if card == KING and target >= 0:
            hands[seat], hands[target] = hands[target], hands[seat]
        drawn += _put_back(hands, before, after, seat, card)
        held = _held_before(before, me, hands, card, rng)
        if held == 0:
            return None
        drawn.append(card if held == hands[seat] else hands[seat])
        hands[seat] = held
    faces = [] if game.face_up else cards_in(int(x.face_up))
    order = [*shuffled(faces, rng), *hands[: game.players], *reversed(drawn)]
    lots = _lots(game)
    return (*([int(world.lot) % lots] if lots else []), *(card - 1 for card in order))


def shuffled(cards: Sequence[int], rng: Any) -> list[int]:
    """Cards in any order, each as likely."""
    bag = list(cards)
    return [bag.pop(below(rng, len(bag))) for _ in cards]


def _put_back(hands: list[int], before: Any, after: Any, mover: int, card: int) -> list[int]:
    """Put what was discarded besides the played card back into the hands; what was drawn for it."""
    drawn = []
    for seat in range(int(before.players)):
        laid = cards_in(int(after.spent[seat]) - int(before.spent[seat]))
        if seat == mover:
            laid.remove(card)
        for discarded in laid:
            if hands[seat]:
                drawn.append(hands[seat])
            hands[seat] = discarded
    return drawn


def _held_before(before: Any, me: int, hands: list[int], card: int, rng: Any) -> int:
    """The card that the mover held before it drew: the one it has kept, or the one it played. 0 if
    the viewer knew better."""
    seat = int(before.turn)
    if seat == me:
        return int(before.hand[me])
    ways = []
    for held in dict.fromkeys((hands[seat], card)):
        if _may_hold(before, me, [*hands[:seat], held, *hands[seat + 1 :]]):
            ways.append(held)
    return ways[below(rng, len(ways))] if ways else 0


def _may_hold(x: Any, me: int, hands: list[int]) -> bool:
    """Whether these hands are possible by what a seat sees and knows. Rule 9.9."""
    players, combination = int(x.players), 0
    for place in range(players - 1):
        other = (me + 1 + place) % players
        if x.hand[other] not in (UNKNOWN, hands[other]):
            return False
        combination |= (hands[other] - 1 if hands[other] else 0) << 3 * place
    return bool(is_possible(x, me, combination))


def _lots(game: LoveLetter) -> int:
    """How many lots there are; 0 if none decides."""
    return LOTS[game.players] if game.settings["tie"] == "random" else 0


def _size(game: LoveLetter) -> int:
    """How many cards fall, at most."""
    return sum(game.copies) - len(game.face_up)


def _left(game: LoveLetter, fallen: Sequence[int]) -> list[int]:
    """How many there are of each card that has not fallen yet."""
    left = list(game.copies)
    for card in game.face_up:
        left[card] -= 1
    for outcome in fallen[bool(_lots(game)) :]:
        left[outcome + 1] -= 1
    return left
