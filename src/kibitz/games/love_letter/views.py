"""What a seat sees of a round, and the worlds that look like it. Rules 9.1 and 9.9."""

from typing import Any

import numpy as np

from kibitz.games.love_letter.cards import GUARD, UNKNOWN
from kibitz.games.love_letter.knowledge import allow_all, is_possible
from kibitz.games.love_letter.state import bits, copies_in, one
from kibitz.jit.hashing import mix
from kibitz.jit.kernels import inlined, kernel
from kibitz.jit.rng import below

EVERY_PLACE = 0x11111
"""As many four-bit places as there are copies of a card at most."""


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
def view_key(s: Any, seat: int, buffer: Any) -> int:
    """A key of what `observe` shows a seat, made of the few fields in which views of one game
    differ. Nothing is written to the buffer."""
    x = s[0]
    showdown = (x.over != 0) & (bits(x.inside) > 1)
    shown = 15 if showdown else x.known[seat] | (1 << seat)
    hands = np.int64(0)
    for other in range(x.players):
        card = x.hand[other]
        visible = card if (shown >> other) & 1 or card == 0 else UNKNOWN
        hands |= visible << (4 * other)
    drawn = x.drawn if x.turn == seat or x.drawn == 0 else UNKNOWN
    places = hands | (drawn << 16) | (x.left << 20) | ((x.aside > 0) << 24) | (x.turn << 28)
    seats = x.inside | (x.protected << 4) | (x.best << 8) | (x.won << 12) | (x.first << 16)
    known, worlds = x.known[seat], x.worlds[seat, 0]
    if x.players == 2:  # then the other's knowledge is seen too
        known |= x.known[1 - seat] << 4
        worlds |= x.worlds[1 - seat, 0] << 8
    key = mix(mix(seat, places | (seats << 32)), x.face_up | (known << 32) | (x.over << 40))
    key = mix(mix(key, x.spent[0] | (x.spent[1] << 32)), worlds)
    if x.players > 2:
        key = mix(key, x.spent[2] | (x.spent[3] << 32))
    if x.players > 3:
        for i in range(1, 8):
            key = mix(key, x.worlds[seat, i])
    return key


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


@inlined
def neighbour(v: Any, viewer: int, place: int) -> int:
    """The seat at a place to the left of the viewer: 0 for the next one."""
    seat = viewer + 1 + place
    return seat if seat < v.players else seat - v.players  # a division would cost more


@kernel
def ways_to_hold(v: Any, viewer: int, place: int, card: int, counts: int) -> int:
    """In how many ways the viewer's neighbour at a place may hold a card (1 to 8)."""
    if place >= v.players - 1:
        return 1 if card == 1 else 0
    actual = v.hand[neighbour(v, viewer, place)]
    if actual == UNKNOWN:
        return copies_in(counts, card)
    if actual == 0:
        return 1 if card == 1 else 0
    return 1 if card == actual else 0


@kernel
def counts_without(v: Any, viewer: int, place: int, card: int, counts: int) -> int:
    """The counts after that neighbour holds the card."""
    if place < v.players - 1 and v.hand[neighbour(v, viewer, place)] == UNKNOWN:
        return counts - one(card)
    return counts


@kernel
def redeal(view: Any, seat: int, rng: Any, s: Any) -> bool:
    """Fill in a world, each with the same probability (rule 9.9). False if there is none."""
    s[0] = view[0]
    x = s[0]
    counts = unseen(x, seat)
    if x.players == 2:
        return redeal_for_two(x, seat, counts, rng)
    total = 0
    chosen = -1
    most_c = 8 if x.players > 3 else 1  # a seat that is not there holds a Guard, so to say
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
            for b in range(1, 9):
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
def redeal_for_two(x: Any, seat: int, counts: int, rng: Any) -> bool:
    """The same with two players: one hand at most is unknown, so there is little to walk."""
    other = 1 - seat
    allowed, shown = x.worlds[seat, 0], x.hand[other]
    # Who is out holds a Guard, so to say.
    copies = counts if shown == UNKNOWN else one(max(shown, GUARD))
    total = 0
    for card in range(1, 9):
        total += copies_in(copies, card) * ((allowed >> (card - 1)) & 1)
    if total == 0:
        return False
    chosen = below(rng, total)
    held, passed = 1, 0
    for card in range(1, 9):  # no branches to mispredict
        passed += copies_in(copies, card) * ((allowed >> (card - 1)) & 1)
        held += passed <= chosen
    if shown == UNKNOWN:
        x.hand[other] = held
        counts -= one(held)
    fill_deck(x, counts, rng)
    return True


@kernel
def fill_hand(x: Any, viewer: int, place: int, card: int) -> None:
    if place < x.players - 1:
        other = neighbour(x, viewer, place)
        if x.hand[other] == UNKNOWN:
            x.hand[other] = card


@kernel
def fill_deck(x: Any, counts: int, rng: Any) -> None:
    """Shuffle what is left into the drawn card, the deck and the place aside."""
    bag = np.int64(0)
    size = 0
    for card in range(8, 0, -1):  # the Guards last, so that the word stays positive
        copies = copies_in(counts, card)
        bag |= ((card * EVERY_PLACE) & ((1 << (4 * copies)) - 1)) << (4 * size)
        size += copies
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
    deck = np.int64(0)
    for i in range(x.left):
        place = below(rng, size)
        deck |= ((bag >> (4 * place)) & 15) << (4 * i)
        bag = take(bag, place)
        size -= 1
    x.deck = deck
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
