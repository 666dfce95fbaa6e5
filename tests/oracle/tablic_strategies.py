"""Tablić strategies, slow and plain: what the compiled ones are tested against.

Numbers in comments are the rules of src/kibitz/games/tablic/RULES.md.

A card is a text such as "Qh". A play is (card, captured cards); an empty set lays the
card. Of plays that differ only in interchangeable suits (3.7) there is one, with the
first cards in the order c d h s; as_kinds gives a form without suits.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Literal

from tests.oracle import tablic
from tests.oracle.tablic import CARDS, RANKS, card_points, kind, kinds, rank

Play = tuple[str, frozenset[str]]
Value = tuple[int, int]  # points, cards
Side = Literal["me", "other"]
Objective = Literal["own", "difference"]
Reply = Literal["greedy", "best"]

NOTHING: frozenset[str] = frozenset()
ORDER = {card: i for i, card in enumerate(CARDS)}
THESIS_GENOME = tuple(Fraction(g) for g in ("0.442331", "0.505713", "0.573743", "0.454097"))


@dataclass(frozen=True)
class Table:
    """A position, seen by the player to move ("me").

    `unseen`: neither in the own hand, nor on the table, nor in a pile.
    """

    hand: tuple[str, ...]
    table: tuple[str, ...]
    other_hand: tuple[str, ...] = ()
    unseen: tuple[str, ...] = ()
    last_deal: bool = False
    last_captor: Side | None = None
    dealer: Side = "other"


# Plays


def as_kinds(play: Play) -> tablic.Play:
    """The play in the form of the oracle of the rules, without suits."""
    card, taken = play
    return kind(card), kinds(tuple(taken))


@cache
def hand_order(card: str) -> tuple[int, int]:
    """Tie order of hand cards: lower rank, then 10d and 2c before their plain twins."""
    return RANKS.index(rank(card)), 0 if card in ("10d", "2c") else 1


@lru_cache(maxsize=1 << 16)
def capture_number(taken: frozenset[str]) -> int:
    number = 0
    for card in taken:
        number += int(16 ** RANKS.index(rank(card)))
    if "10d" in taken:
        number += 2**57
    if "2c" in taken:
        number += 2**58
    return number


def tie_order(play: Play) -> tuple[int, int, int]:
    """Of equally good plays, the one with the lowest of these is taken."""
    card, taken = play
    return (*hand_order(card), capture_number(taken))


def pick(cards: Sequence[str], wanted: Sequence[str]) -> frozenset[str]:
    """Cards of the wanted kinds, the first ones in the order of CARDS."""
    left = sorted(cards, key=ORDER.__getitem__)
    picked: set[str] = set()
    for name in wanted:
        card = next(c for c in left if kind(c) == name)
        left.remove(card)
        picked.add(card)
    return frozenset(picked)


@lru_cache(maxsize=1 << 16)  # only because the same tables come again and again
def _captures(table: tuple[str, ...], card: str) -> tuple[frozenset[str], ...]:
    return tuple(pick(table, taken) for taken in tablic.captures(table, card))


def captures(table: Sequence[str], card: str) -> tuple[frozenset[str], ...]:
    """Every set of table cards that the card can capture, one for each set of kinds."""
    return _captures(tuple(sorted(table)), kind(card))


@lru_cache(maxsize=1 << 16)
def _plays(hand: tuple[str, ...], table: tuple[str, ...]) -> tuple[Play, ...]:
    plays: list[Play] = []
    for name in set(kinds(hand)):
        (card,) = pick(hand, [name])
        plays.append((card, NOTHING))  # 3.4
        plays += [(card, taken) for taken in captures(table, card)]  # 3.2, 3.3
    return tuple(sorted(plays, key=tie_order))


def plays(hand: Sequence[str], table: Sequence[str]) -> list[Play]:
    """All plays in tie order, so that max() takes the first of equal ones."""
    return list(_plays(tuple(sorted(hand)), tuple(sorted(table))))


def value(play: Play, table: Sequence[str]) -> Value:
    """Points and cards of a play: the played card and a tabla count. Laying: nothing."""
    card, taken = play
    if not taken:
        return 0, 0
    points = card_points(card) + sum(card_points(c) for c in taken)
    if len(taken) == len(table):  # 4.1
        points += 1
    return points, len(taken) + 1


def after(play: Play, table: Sequence[str]) -> tuple[str, ...]:
    """The table after the play."""
    card, taken = play
    if not taken:
        return (*table, card)
    return tuple(c for c in table if c not in taken)


def without(hand: Sequence[str], card: str) -> tuple[str, ...]:
    return tuple(c for c in hand if c != card)


# Greedy


def greedy_play(hand: Sequence[str], table: Sequence[str]) -> Play:
    """The capture of most points, then most cards; else lay the cheapest card."""
    every = plays(hand, table)
    takes = [play for play in every if play[1]]
    if takes:
        return max(takes, key=lambda play: value(play, table))
    return min(every, key=lambda play: card_points(play[0]))


def greedy(position: Table) -> Play:
    return greedy_play(position.hand, position.table)


# Genetic


def genetic_scores(position: Table, genome: Sequence[Fraction]) -> dict[Play, Fraction]:
    """The fit of every play."""
    g0, g1, g2, g3 = genome
    fits: dict[Play, Fraction] = {}
    for play in plays(position.hand, position.table):
        s_a, k_a = value(play, position.table)
        left = after(play, position.table)
        s_b, k_b = 0, 0
        if position.other_hand:
            s_b, k_b = value(greedy_play(position.other_hand, left), left)
        fits[play] = s_a * g0 + k_a * g1 - s_b * g2 - k_b * g3
    return fits


def genetic(position: Table, genome: Sequence[Fraction]) -> Play:
    fits = genetic_scores(position, genome)
    return max(fits, key=lambda play: fits[play])  # fits is in tie order


# Backtrack


def add(a: Value, b: Value) -> Value:
    return a[0] + b[0], a[1] + b[1]


def gain(value: Value, who: Side, objective: Objective) -> Value:
    """What it means for my result that this player takes so much."""
    if who == "me":
        return value
    if objective == "difference":
        return -value[0], -value[1]
    return 0, 0


def leftovers(position: Table, objective: Objective) -> Value:
    """The end of the deal: what lies on the table is given away after the last one."""
    if not position.last_deal:
        return 0, 0
    value = sum(card_points(card) for card in position.table), len(position.table)
    return gain(value, position.last_captor or position.dealer, objective)  # 5.1, 5.2


def moved(position: Table, who: Side, play: Play) -> Table:
    """The position after the play; "me" stays the same player."""
    card, taken = play
    return Table(
        hand=without(position.hand, card) if who == "me" else position.hand,
        table=after(play, position.table),
        other_hand=without(position.other_hand, card) if who == "other" else position.other_hand,
        last_deal=position.last_deal,
        last_captor=who if taken else position.last_captor,
        dealer=position.dealer,
    )


def rest(position: Table, who: Side, objective: Objective, reply: Reply) -> Value:
    """My result from here to the end of the deal, with this player to move.

    The order of pairs stays the same when equal pairs are added, so what was won
    before does not matter.
    """
    if not position.hand and not position.other_hand:
        return leftovers(position, objective)
    hand = position.hand if who == "me" else position.other_hand
    if not hand:  # only with uneven hands: he has to pass
        return rest(position, "other" if who == "me" else "me", objective, reply)
    if who == "me":
        return max(
            line(position, who, play, objective, reply) for play in plays(hand, position.table)
        )
    if reply == "greedy":
        return line(position, who, greedy_play(hand, position.table), objective, reply)
    return min(line(position, who, play, objective, reply) for play in plays(hand, position.table))


def line(position: Table, who: Side, play: Play, objective: Objective, reply: Reply) -> Value:
    """My result from this play on."""
    won = gain(value(play, position.table), who, objective)
    following: Side = "other" if who == "me" else "me"
    return add(won, rest(moved(position, who, play), following, objective, reply))


def backtrack_scores(
    position: Table, objective: Objective = "own", reply: Reply = "greedy"
) -> dict[Play, Value]:
    """My result for every play now: points and cards to the end of the deal."""
    return {
        play: line(position, "me", play, objective, reply)
        for play in plays(position.hand, position.table)
    }


def backtrack(position: Table, objective: Objective = "own", reply: Reply = "greedy") -> Play:
    scores = backtrack_scores(position, objective, reply)
    return max(scores, key=lambda play: scores[play])  # scores is in tie order


# Human


def cheapest_first(card: str) -> tuple[int, int, int, int]:
    """Order of cards to lay: fewest points, then tie order (the last: which suit)."""
    return (card_points(card), *hand_order(card), CARDS.index(card))


def keep_back(position: Table) -> str | None:
    """A card to lay now and to take back later, if nobody else can take its rank."""
    for r in reversed(RANKS):
        held = [card for card in position.hand if rank(card) == r]
        if len(held) < 2 or r not in map(rank, position.table) or r in map(rank, position.unseen):
            continue
        card = min(held, key=cheapest_first)
        table = (*position.table, card)
        endangered = any(
            r in map(rank, taken) for u in position.unseen for taken in captures(table, u)
        )
        if not endangered:
            return card
    return None


def best_take(card: str, table: Sequence[str]) -> Fraction:
    """The most points + cards/4 that the card can capture; 0 if it captures nothing."""
    best = Fraction(0)
    for taken in captures(table, card):
        points, cards = value((card, taken), table)
        best = max(best, points + Fraction(cards, 4))
    return best


def human_gifts(position: Table) -> dict[str, Fraction]:
    """What laying each hand card would give to all unseen cards together."""
    gifts: dict[str, Fraction] = {}
    for card in position.hand:
        table = (*position.table, card)
        gifts[card] = sum((best_take(u, table) for u in position.unseen), Fraction(0))
    return gifts


def human(position: Table) -> Play:
    held_back = keep_back(position)
    if held_back is not None:
        return held_back, NOTHING
    take = greedy(position)
    if take[1]:
        return take
    gifts = human_gifts(position)
    return min(gifts, key=lambda card: (gifts[card], cheapest_first(card))), NOTHING
