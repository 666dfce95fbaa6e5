"""A position of Love Letter as one line, and back.

    face_up=guard king priest; aside=baron; deck=guard prince; hand1=guard handmaid; hand2=priest;
    discards1=guard; protected=2; known=1>2; not1=priest; turn=1

Cards go by name or number. The seat to move holds two, the drawn one last. `hand3=out`,
`aside=taken`, `deck=none`. `known=1>2`: seat 1 has been shown seat 2's card. `not1` (two
players): cards that the other knows seat 1 not to hold. What else follows from earlier plays
with three or four players is in a record, not in a position. Left out: hands, deck and aside
are unknown; discards, protected, known and not are none; turn is 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import BadText
from kibitz.games.love_letter.cards import (
    ANY,
    FACE_UP,
    HANDMAID,
    NAMES,
    PRINCESS,
    UNKNOWN,
    cards_in,
    count_of,
    names,
    read_cards,
)
from kibitz.games.text import read_fields, read_seat, write_fields

if TYPE_CHECKING:
    from kibitz.games.love_letter.game import LoveLetter


def write(game: LoveLetter, state: Any) -> str:
    """A state as a line of text."""
    x = state[0]
    fields: dict[str, str] = {}
    if game.players == 2:
        fields["face_up"] = names(cards_in(int(x.face_up)))
    if x.aside != UNKNOWN:
        fields["aside"] = NAMES[x.aside] or "taken"
    if x.deck or not x.left:
        deck = [int(x.deck) >> 4 * i & 15 for i in range(int(x.left))]
        fields["deck"] = names(deck) or "none"
    seats = range(game.players)
    for seat in seats:
        hand = [int(x.hand[seat])]
        if seat == x.turn and not x.over:
            hand.append(int(x.drawn))
        shown = [card for card in hand if card not in (0, UNKNOWN)]
        if hand[0] == 0:
            fields[f"hand{seat + 1}"] = "out"
        elif shown:
            fields[f"hand{seat + 1}"] = names(shown)
    for seat in seats:
        if x.spent[seat]:
            fields[f"discards{seat + 1}"] = names(cards_in(int(x.spent[seat])))
    if x.protected:
        fields["protected"] = " ".join(str(seat + 1) for seat in seats if x.protected >> seat & 1)
    known = [f"{a + 1}>{b + 1}" for a in seats for b in seats if x.known[a] >> b & 1]
    if known:
        fields["known"] = " ".join(known)
    if game.players == 2:
        for seat in seats:
            ruled_out = ~int(x.worlds[1 - seat][0]) & ANY
            if ruled_out and x.hand[seat] and not x.known[1 - seat] >> seat & 1:
                fields[f"not{seat + 1}"] = names(c for c in range(1, 9) if ruled_out >> (c - 1) & 1)
    fields["turn"] = "over" if x.over else str(int(x.turn) + 1)
    return write_fields(fields)


def read(game: LoveLetter, text: str) -> Any:
    """The state that a line of text, or a whole deck, describes."""
    if "=" not in text:
        return game.deal_deck(read_cards("deck", text))
    n = game.players
    numbered = [f"{key}{seat}" for key in ("hand", "discards", "not") for seat in range(1, n + 1)]
    keys = ("face_up", "aside", "deck", *numbered, "protected", "known", "turn")
    fields = read_fields(text, keys)
    state = game.blank()
    x = state[0]
    x.over = fields.get("turn") == "over"
    x.turn = x.first = 0 if x.over else read_seat(fields, "turn", n)
    _read_cards(game, x, fields)
    _read_knowledge(game, x, fields)
    _check(game, x)
    if x.over:
        game.kernels.finish(x)
    return state


def _read_cards(game: LoveLetter, x: Any, fields: dict[str, str]) -> None:
    if game.players == 2:
        face_up = read_cards("face_up", fields.get("face_up", ""))
        if len(face_up) != FACE_UP:
            raise BadText("face_up must name the three cards that lie face up with two players")
        game.check_face_up(face_up)
        x.face_up = _counts(face_up)
    elif fields.get("face_up"):
        raise BadText("face_up is for two players only")
    aside = fields.get("aside")
    x.aside = UNKNOWN if aside is None else 0 if aside == "taken" else _card("aside", aside)
    for seat in range(game.players):
        x.spent[seat] = _counts(read_cards("discards", fields.get(f"discards{seat + 1}", "")))
        _read_hand(x, seat, fields.get(f"hand{seat + 1}"))
    if x.turn >= game.players or (not x.over and not x.inside >> int(x.turn) & 1):
        raise BadText(f"seat {int(x.turn) + 1} is out, so it can't be its turn")
    deck = None if "deck" not in fields else read_cards("deck", fields["deck"].replace("none", ""))
    seen = game.copies
    used = _counts_total(x) + sum(1 for seat in range(game.players) if x.hand[seat])
    used += int(x.aside != 0) + int(x.drawn != 0)
    left = sum(seen) - used
    if left < 0:
        raise BadText(f"that names {used} cards, but there are {sum(seen)}")
    if deck is not None and len(deck) != left:
        raise BadText(f"{sum(seen)} cards in all leave {left} for the deck, not {len(deck)}")
    x.left = left
    x.deck = sum(card << (4 * i) for i, card in enumerate(deck or []))
    _check_copies(game, x, deck or [])


def _read_hand(x: Any, seat: int, text: str | None) -> None:
    if text == "out":
        x.hand[seat] = 0
        return
    cards = [] if text is None else read_cards("hand", text)
    on_turn = not x.over and x.turn == seat
    if text is not None and not 1 <= len(cards) <= (2 if on_turn else 1):
        held = "two cards, the drawn one last," if on_turn else "one card"
        raise BadText(f"hand{seat + 1} must be {held} or out")
    x.inside |= 1 << seat
    x.hand[seat] = cards[0] if cards else UNKNOWN
    if on_turn:
        x.drawn = cards[1] if len(cards) == 2 else UNKNOWN


def _read_knowledge(game: LoveLetter, x: Any, fields: dict[str, str]) -> None:
    kernels = game.kernels
    for seat in range(game.players):
        kernels.allow_all(x, seat)
    for word in fields.get("protected", "").split():
        seat = read_seat({"protected": word}, "protected", game.players)
        x.protected |= 1 << seat
    for word in fields.get("known", "").split():
        a, arrow, b = word.partition(">")
        if not arrow:
            raise BadText(f"known is written 1>2 (seat 1 knows seat 2's card), not {word!r}")
        viewer = read_seat({"known": a}, "known", game.players)
        seat = read_seat({"known": b}, "known", game.players)
        card = int(x.hand[seat])
        if viewer == seat or not x.hand[viewer] or not card:
            raise BadText(f"known={word}: two different seats that are still in")
        x.known[viewer] |= 1 << seat
        if card != UNKNOWN:
            kernels.restrict_cards(x, viewer, seat, 1 << (card - 1))
    for seat in range(game.players):
        excluded = read_cards("not", fields.get(f"not{seat + 1}", ""))
        if not excluded:
            continue
        if game.players > 2:
            raise BadText("not1, not2 … are for two players only")
        if int(x.hand[seat]) in excluded:
            raise BadText(f"hand{seat + 1} and not{seat + 1} contradict each other")
        mask = ANY & ~sum(1 << (card - 1) for card in set(excluded))
        kernels.restrict_cards(x, 1 - seat, seat, mask)


def _check(game: LoveLetter, x: Any) -> None:
    """Refuse what no course of play brings about."""
    inside = [seat for seat in range(game.players) if x.hand[seat]]
    if not x.over and len(inside) < 2:
        raise BadText("a round with one player left is over: turn=over")
    if x.over and (not inside or (len(inside) > 1 and x.left)):
        raise BadText("a round is over when one player is left or the deck is empty")
    for seat in range(game.players):
        if seat in inside and count_of(x.spent[seat], PRINCESS):
            raise BadText(f"seat {seat + 1} discarded the princess, so it is out")
        if seat not in inside and not x.spent[seat]:
            raise BadText(f"seat {seat + 1} is out, so its hand lies in discards{seat + 1}")
        if x.protected >> seat & 1:
            if seat not in inside or not count_of(x.spent[seat], HANDMAID):
                raise BadText(f"seat {seat + 1} is protected without having played a handmaid")
            if seat == x.turn and not x.over:
                raise BadText(f"seat {seat + 1} is to move, so its protection has ended")
    if x.aside == 0 and x.left:
        raise BadText("aside=taken, but a prince takes it only when the deck is empty")


def _check_copies(game: LoveLetter, x: Any, deck: list[int]) -> None:
    placed = [int(x.aside), int(x.drawn), *(int(card) for card in x.hand), *deck]
    for card in range(1, 9):
        n = placed.count(card) + count_of(x.face_up, card)
        n += sum(count_of(x.spent[seat], card) for seat in range(game.players))
        if n > game.copies[card]:
            raise BadText(f"there are only {game.copies[card]} × {NAMES[card]}, not {n}")


def missing_hands(state: Any, seats: Iterable[int]) -> list[str]:
    """What a position leaves out of the hands of some seats, and of the mover's."""
    x = state[0]
    left_out = [f"hand{i + 1}" for i in seats if x.hand[i] == UNKNOWN]
    if x.drawn == UNKNOWN:
        left_out.append("the drawn card")
    return left_out


def missing(game: LoveLetter, state: Any) -> list[str]:
    """What a position leaves out."""
    x = state[0]
    left_out = missing_hands(state, range(game.players))
    if x.aside == UNKNOWN:
        left_out.append("aside")
    if x.left and not x.deck:
        left_out.append("deck")
    return left_out


def _card(key: str, text: str) -> int:
    cards = read_cards(key, text)
    if len(cards) != 1:
        raise BadText(f"{key} is one card")
    return cards[0]


def _counts(cards: list[int]) -> int:
    return sum(1 << (4 * (card - 1)) for card in cards)


def _counts_total(x: Any) -> int:
    words = [int(x.face_up), *(int(word) for word in x.spent)]
    return sum(len(cards_in(word)) for word in words)
