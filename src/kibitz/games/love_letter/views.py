"""What a seat sees of a round, and the worlds that look like it. Rules 9.1 and 9.9."""

from typing import Any

import numpy as np

from kibitz.games.love_letter.cards import UNKNOWN
from kibitz.games.love_letter.knowledge import allow_all, is_possible
from kibitz.games.love_letter.state import bits, copies_in, one
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import below


@kernel
def take(bag: int, place: int) -> int:
    """The bag, a word of cards, without the card at a place."""
    low = (np.int64(1) << (4 * place)) - 1
    return int((bag & low) | ((bag >> 4) & ~low))


@kernel
def observe(s: Any, seat: int, view: Any) -> None:
    """What a seat may know: rules 9.1 to 9.8. Unknown cards are UNKNOWN, in the deck 0."""
    view[0] = s[0]
    v = view[0]
    v.deck = 0
    v.lot = 0
    if v.aside > 0:
        v.aside = UNKNOWN
    if v.drawn > 0 and v.turn != seat:
        v.drawn = UNKNOWN
    showdown = v.over != 0 and bits(v.inside) > 1
    for other in range(v.players):
        if other == seat:
            continue
        if v.hand[other] > 0 and not (v.known[seat] >> other) & 1 and not showdown:
            v.hand[other] = UNKNOWN
        if v.players > 2:
            # What others were shown of each other, and deduce from it, is theirs alone.
            v.known[other] = 0
            allow_all(v, other)


@kernel
def unseen(v: Any, seat: int) -> int:
    """The cards that a view does not show, as counts."""
    counts = np.int64(0x11122220) + v.copies
    counts = counts - v.face_up
    for other in range(v.players):
        counts -= v.spent[other]
        card = v.hand[other]
        if card > 0 and card != UNKNOWN:
            counts -= one(card)
    if v.drawn > 0 and v.drawn != UNKNOWN:
        counts -= one(v.drawn)
    if v.aside > 0 and v.aside != UNKNOWN:
        counts -= one(v.aside)
    return counts


@kernel
def ways_to_hold(v: Any, viewer: int, place: int, card: int, counts: int) -> int:
    """In how many ways the viewer's neighbour at a place may hold a card (1 to 8)."""
    if place >= v.players - 1:
        return 1 if card == 1 else 0
    actual = v.hand[(viewer + 1 + place) % v.players]
    if actual == UNKNOWN:
        return copies_in(counts, card)
    if actual == 0:
        return 1 if card == 1 else 0
    return 1 if card == actual else 0


@kernel
def counts_without(v: Any, viewer: int, place: int, card: int, counts: int) -> int:
    """The counts after that neighbour holds the card."""
    if place < v.players - 1 and v.hand[(viewer + 1 + place) % v.players] == UNKNOWN:
        return counts - one(card)
    return counts


@kernel
def redeal(view: Any, seat: int, rng: Any, s: Any) -> bool:
    """Fill in a world, each with the same probability (rule 9.9). False if there is none."""
    s[0] = view[0]
    x = s[0]
    counts = unseen(x, seat)
    total = 0
    chosen = -1
    most_b = 8 if x.players > 2 else 1  # a seat that is not there holds a Guard, so to say
    most_c = 8 if x.players > 3 else 1
    # Two passes over the same combinations: count the ways, then walk to the chosen one.
    for walk in range(2):
        if walk == 1:
            if total == 0:
                return False
            chosen = below(rng, total)
        for a in range(1, 9):
            ways_a = ways_to_hold(x, seat, 0, a, counts)
            if ways_a == 0:
                continue
            after_a = counts_without(x, seat, 0, a, counts)
            for b in range(1, most_b + 1):
                ways_b = ways_to_hold(x, seat, 1, b, after_a)
                if ways_b == 0:
                    continue
                after_b = counts_without(x, seat, 1, b, after_a)
                for c in range(1, most_c + 1):
                    ways_c = ways_to_hold(x, seat, 2, c, after_b)
                    if ways_c == 0 or not is_possible(
                        x, seat, (a - 1) | (b - 1) << 3 | (c - 1) << 6
                    ):
                        continue
                    together = ways_a * ways_b * ways_c
                    if walk == 0:
                        total += together
                        continue
                    if chosen >= together:
                        chosen -= together
                        continue
                    left = counts_without(x, seat, 2, c, after_b)
                    fill_hand(x, seat, 0, a)
                    fill_hand(x, seat, 1, b)
                    fill_hand(x, seat, 2, c)
                    fill_deck(x, left, rng)
                    return True
    return False


@kernel
def fill_hand(x: Any, viewer: int, place: int, card: int) -> None:
    if place < x.players - 1:
        other = (viewer + 1 + place) % x.players
        if x.hand[other] == UNKNOWN:
            x.hand[other] = card


@kernel
def fill_deck(x: Any, counts: int, rng: Any) -> None:
    """Shuffle what is left into the drawn card, the deck and the place aside."""
    bag = np.int64(0)
    size = 0
    for card in range(8, 0, -1):  # the Guards last, so that the word stays positive
        for _ in range(copies_in(counts, card)):
            bag |= np.int64(card) << (4 * size)
            size += 1
    if x.drawn == UNKNOWN:
        place = below(rng, size)
        x.drawn = (bag >> (4 * place)) & 15
        bag = take(bag, place)
        size -= 1
    if x.aside == UNKNOWN:
        place = below(rng, size)
        x.aside = (bag >> (4 * place)) & 15
        bag = take(bag, place)
        size -= 1
    for i in range(x.left):
        place = below(rng, size)
        x.deck |= ((bag >> (4 * place)) & 15) << (4 * i)
        bag = take(bag, place)
        size -= 1
    x.lot = below(rng, 12)


@kernel
def reshuffle(s: Any, rng: Any) -> None:
    """Put what nobody holds, the deck and the card aside, into another order: each is as likely,
    and the order that was does not matter."""
    x = s[0]
    counts = np.int64(0)
    for i in range(x.left):
        counts += one((x.deck >> (4 * i)) & 15)
    if x.aside > 0:
        counts += one(x.aside)
        x.aside = UNKNOWN
    x.deck = 0
    fill_deck(x, counts, rng)
