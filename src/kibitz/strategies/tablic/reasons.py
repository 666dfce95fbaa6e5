"""Reasons for a play of Tablić, in sentences: what it takes, what it leaves, what was counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from kibitz.core.explanation import Belief
from kibitz.core.figures import percent
from kibitz.core.game import View
from kibitz.games.tablic.captures import GROUPS, GROUPS_FROM, GUARD_BITS, counts_of
from kibitz.games.tablic.cards import NAMES, RANKS, TEN_OF_DIAMONDS, cards_of, kind
from kibitz.games.tablic.fields import card_points
from kibitz.games.tablic.rendering import symbol
from kibitz.strategies.common.reasons import Consequence
from kibitz.strategies.tablic.counting import all_is_counted, at_least_one, hidden, unseen

EVERY_RANK = range(13)
PACKETS = 6
"""Cards that a hand is dealt; fewer if the deck has not as many."""


def why(view: View[Any], play: Any, beliefs: Sequence[Belief] = ()) -> tuple[str, ...]:
    """Reasons for a play, each a sentence."""
    x, seat = view.state[0], view.seat
    table = int(x.table) & ~play.taken if play.taken else int(x.table) | 1 << play.card
    first = _takes(view, play) if play.taken else _lays(view, play, table)
    if x.dealt >= 52 and x.held[seat] == 1 and not any(x.held[s] for s in _others(x, seat)):
        return (*first, *_at_the_end(view, play, table))
    return (*first, *_surely(view), *_leaves(view, play, table, beliefs))


def _others(x: Any, seat: int) -> list[int]:
    return [other for other in range(int(x.players)) if other != seat]


def _takes(view: View[Any], play: Any) -> list[str]:
    x = view.state[0]
    taken = cards_of(play.taken)
    points = sum(card_points(card) for card in (*taken, play.card))
    cleared = play.taken == int(x.table)
    sentence = f"It takes {len(taken) + 1} cards with {_points(points)}"
    if TEN_OF_DIAMONDS in (*taken, play.card):
        sentence += ", two of them for 10♦ (rule 6.2)"
    if cleared:
        sentence += "; and it clears the table, a tabla for one point more (rule 4.1)"
    return [f"{sentence}."]


def _lays(view: View[Any], play: Any, table: int) -> list[str]:
    """The points of the laid card, and what could be done with it."""
    x, seat = view.state[0], view.seat
    rank = play.card // 4
    points = card_points(play.card)
    sentence = (
        f"{symbol(play.card)} is worth {_points(points)}{' to who takes it' if points else ''}"
    )
    if _groups(_counts(int(x.table)), rank):
        sentence += "; it could take something, and does not (rule 3.3)"
    counts = _counts(table)
    remaining = cards_of(int(x.hand[seat]) & ~(1 << play.card))
    taking = [card for card in remaining if _takes_rank(counts, card // 4, rank)]
    if taking:
        names = " or ".join(symbol(card) for card in taking[:2])
        sentence += f"; you keep {names}, which could take it later"
    return [f"{sentence}."]


def _points(number: int) -> str:
    return f"{number or 'no'} point{'s' * (number != 1)}"


def _surely(view: View[Any]) -> list[str]:
    """With the deck dealt out, the one hidden hand is what is unseen."""
    x, seat = view.state[0], view.seat
    others = hidden(x, seat)
    if len(others) != 1 or x.dealt < 52 or not all_is_counted(x, seat):
        return []
    cards = " ".join(symbol(card) for card in cards_of(unseen(x, seat)))
    return [f"Seat {others[0] + 1} surely holds {cards}: every other card has been seen."]


def _at_the_end(view: View[Any], play: Any, table: int) -> list[str]:
    """After the last card of the game."""
    x, seat = view.state[0], view.seat
    if not table:
        return []
    taker, rule = int(x.last), "5.1"
    if play.taken:
        taker = seat
    if x.to_dealer or taker < 0:
        taker, rule = int(x.dealer), "5.3" if x.to_dealer else "5.2"
    who = "you take" if taker == seat else f"seat {taker + 1} takes"
    return [f"It is the last card: {who} what stays on the table (rule {rule})."]


# -- what the next player can do with the table ---------------------------------------------


class Next(NamedTuple):
    """The cards of the player who is next, as far as they are known."""

    seat: int
    cards: list[int]
    """Those he may hold."""
    held: int
    """How many of them he holds; all of them if his hand is known."""
    verb: str
    belief: Belief | None

    def tell(self, ranks: Sequence[int], what: str) -> str:
        """How likely it is that he has a card of these ranks, which would do something."""
        cards = [card for card in self.cards if card // 4 in ranks]
        who = f"seat {self.seat + 1}"
        if self.held == len(self.cards):
            names = " ".join(symbol(card) for card in cards)
            return f"{who.capitalize()} holds {names}, which would {what}." if cards else ""
        if not cards:
            return f"No unseen card would {what}."
        named = [RANKS[rank] for rank in ranks if any(card // 4 == rank for card in cards)]
        names = " or ".join(filter(None, [", ".join(named[:-1]), named[-1]]))
        chance = percent(at_least_one(len(cards), len(self.cards), self.held))
        verb = "is" if len(cards) == 1 else "are"
        sentence = (
            f"{len(cards)} of the {len(self.cards)} unseen cards {verb}"
            f" {names}, which would {what}: {who} {self.verb} one with {chance}"
        )
        if self.belief is not None and self.belief.worlds:
            kinds = {NAMES[card] if kind(card)[1] else RANKS[card // 4] for card in cards}
            believed = percent(self.belief.any_of(kinds))
            sentence += f"; {self.belief.basis} with {believed}" if believed != chance else ""
        return f"{sentence}."


def _next(x: Any, seat: int, beliefs: Sequence[Belief]) -> Next | None:
    """None if the view does not tell which cards are unseen."""
    following = (seat + 1) % int(x.players)
    if x.hand[following]:
        cards = cards_of(int(x.hand[following]))
        return Next(following, cards, len(cards), "holds", None)
    if not all_is_counted(x, seat):
        return None
    cards = cards_of(unseen(x, seat))
    if not x.held[following]:  # a new deal comes first
        held = min(PACKETS, (52 - int(x.dealt)) // int(x.players))
        return Next(following, cards, held, "is dealt", None)
    place = f"seat {following + 1}'s hand"
    belief = next((one for one in beliefs if one.place == place), None)
    return Next(following, cards, int(x.held[following]), "holds", belief)


def _leaves(view: View[Any], play: Any, table: int, beliefs: Sequence[Belief]) -> list[str]:
    """What stays on the table, and who can take it."""
    if not table:
        return ["The table stays empty, so the next card can take nothing."]
    left = " ".join(symbol(card) for card in cards_of(table))
    points = sum(card_points(card) for card in cards_of(table))
    stays = f"On the table {'stay' if len(cards_of(table)) > 1 else 'stays'} {left}"
    other = _next(view.state[0], view.seat, beliefs)
    if other is None:
        return [f"{stays}, {_points(points)}."]
    counts = _counts(table)
    clearing = [rank for rank in EVERY_RANK if _splits(counts, rank)]
    clear = other.tell(clearing, f"clear {left}") if clearing else ""
    if play.taken:
        taking = [rank for rank in EVERY_RANK if _groups(counts, rank)]
        some = other.tell(taking, f"take some of {left}")
    else:
        taking = [rank for rank in EVERY_RANK if _takes_rank(counts, rank, play.card // 4)]
        some = other.tell(taking, f"take {symbol(play.card)}")
    if clearing and any(card // 4 in clearing for card in other.cards):
        return [clear] if play.taken or taking == clearing else [some, clear]
    nothing = (
        f"Seat {other.seat + 1} can take none of it."
        if play.taken
        else (f"Seat {other.seat + 1} can't take it.")
    )
    return [f"{stays}, {_points(points)}.", some or nothing] if play.taken else [some or nothing]


# The few sets that an explanation asks about do not pay for compiling kernels.


def _counts(cards: int) -> int:
    """How many cards of each rank a set has."""
    return int(counts_of.function(cards))


def _splits(counts: int, rank: int) -> bool:
    """Whether a whole set divides into groups that a rank captures: as `captures.splits`."""
    top = (counts.bit_length() - 1) // 4 * 4
    return counts == 0 or any(
        group >> top & 15 and _splits(counts - group, rank) for group in _groups(counts, rank)
    )


def _groups(counts: int, rank: int) -> list[int]:
    """The groups of table cards that a rank captures, as counts. Rule 3.2."""
    groups = (int(g) for g in GROUPS[GROUPS_FROM[rank] : GROUPS_FROM[rank + 1]])
    return [g for g in groups if ((counts | GUARD_BITS) - g) & GUARD_BITS == GUARD_BITS]


def _takes_rank(counts: int, rank: int, wanted: int) -> bool:
    """Whether a rank can take a card of the wanted rank."""
    return any(group >> 4 * wanted & 15 for group in _groups(counts, rank))


# -- until the next turn ------------------------------------------------------------------------


def until_next_turn(view: View[Any], states: Any) -> list[Consequence]:
    """Who takes how much until the seat is to move again, or until the game is over."""
    own = view.game.team(view.seat)
    other = [seat for seat in range(view.game.players) if seat not in own]
    mine, theirs = (_gained(view, states, seats) for seats in (own, other))
    return [
        Consequence("you take {} points before your next turn", mine, False, True),
        Consequence("the others take {} points before your next turn", theirs, False, False),
    ]


def _gained(view: View[Any], states: Any, seats: Sequence[int]) -> float:
    """Points in cards and tablas that seats have more than in the view, on average."""
    x = view.state[0]

    def points(pile: int) -> int:
        return sum(card_points(card) for card in cards_of(pile))

    had = sum(points(int(x.pile[seat])) + int(x.tablas[seat]) for seat in seats)
    have = [
        sum(points(int(s["pile"][seat])) + int(s["tablas"][seat]) for seat in seats) for s in states
    ]
    return sum(have) / len(have) - had
