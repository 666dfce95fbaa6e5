"""A position of Tablić as one line, and back.

    table=9c Jd; deck=none; hand1=Ah 10d; hand2=3s Ks; pile1=…; pile2=…; tablas1=1; tablas2=0;
    last=1; dealer=2; turn=1

`none` is no card. Left out: hands and the deck are unknown (how many cards they have follows
from the rest), piles are empty or unknown, tablas 0, last nobody, the dealer is the last
seat, and the turn is with the one who has most cards, from the dealer's left. A line without
`=` is a deck of 52 cards in dealing order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import BadText
from kibitz.games.tablic.cards import DECK, NAMES, cards_of, mask_of, parse_card, text_of
from kibitz.games.text import read_fields, read_number, read_seat, write_fields

if TYPE_CHECKING:
    from kibitz.games.tablic.game import Tablic

DECK_SIZES = {2: (36, 24, 12, 0), 3: (30, 12, 0), 4: (24, 0)}
"""How many cards the deck can have between two deals. Rules 2.2 to 2.4."""


def write(game: Tablic, state: Any) -> str:
    """A state as a line of text."""
    x = state[0]
    fields = {"table": _cards_text(int(x.table))}
    left = [int(card) for card in x.deck[int(x.dealt) :]]
    if -1 not in left:
        fields["deck"] = text_of(left) or "none"
    seats = range(game.players)
    for seat in seats:
        if len(cards_of(int(x.hand[seat]))) == x.held[seat]:
            fields[f"hand{seat + 1}"] = _cards_text(int(x.hand[seat]))
    if has_piles(game, state):
        for seat in seats:
            fields[f"pile{seat + 1}"] = _cards_text(int(x.pile[seat]))
    for seat in seats:
        fields[f"tablas{seat + 1}"] = str(int(x.tablas[seat]))
    if x.last >= 0:
        fields["last"] = str(int(x.last) + 1)
    fields["dealer"] = str(int(x.dealer) + 1)
    fields["turn"] = "over" if x.over else str(int(x.turn) + 1)
    return write_fields(fields)


def _total(x: Any, seats: range) -> int:
    piles = sum(len(cards_of(int(x.pile[seat]))) for seat in seats)
    held = sum(int(x.held[seat]) for seat in seats)
    return len(cards_of(int(x.table))) + held + piles + 52 - int(x.dealt)


def read(game: Tablic, text: str) -> Any:
    """The state that a line of text, or a whole deck, describes."""
    if "=" not in text:
        return game.deal_deck([parse_card(word) for word in text.replace(",", " ").split()])
    n = game.players
    numbered = [f"{key}{seat}" for key in ("hand", "pile", "tablas") for seat in range(1, n + 1)]
    fields = read_fields(text, ("table", "deck", *numbered, "last", "dealer", "turn"))
    state = game.blank()
    x = state[0]
    if "table" not in fields:
        raise BadText("table is missing (table=none if it is empty)")
    x.over = fields.get("turn") == "over"
    x.dealer = read_seat(fields, "dealer", n) if "dealer" in fields else n - 1
    x.last = read_seat(fields, "last", n) if "last" in fields else -1
    x.table = mask_of(_cards("table", fields["table"]))
    for seat in range(n):
        x.hand[seat] = mask_of(_cards(f"hand{seat + 1}", fields.get(f"hand{seat + 1}", "")))
        x.pile[seat] = mask_of(_cards(f"pile{seat + 1}", fields.get(f"pile{seat + 1}", "")))
        key = f"tablas{seat + 1}"
        x.tablas[seat] = read_number(key, fields.get(key, "0"), 0, 26)
        if x.pile[seat] and x.last < 0 and not x.over:
            raise BadText(f"seat {seat + 1} has a pile, so somebody captured last: give last=")
        if x.tablas[seat] and "pile1" in fields and not x.pile[seat]:
            raise BadText(f"seat {seat + 1} has tablas but no pile")
    x.turn = x.dealer if x.over else _turn(x, fields, n)
    _read_hands(x, fields, n)
    _read_deck(game, x, fields)
    if x.over and not has_piles(game, state):
        raise BadText("the game is over, so the piles have all cards: give them")
    if x.last >= 0 and "pile1" in fields and not any(x.pile):
        raise BadText(f"last={int(x.last) + 1}, but nobody has a pile")
    return state


def _turn(x: Any, fields: dict[str, str], n: int) -> int:
    if "turn" in fields:
        return read_seat(fields, "turn", n)
    sizes = [len(cards_of(int(x.hand[seat]))) for seat in range(n)]
    order = [(int(x.dealer) + i) % n for i in range(1, n + 1)]
    return max(order, key=lambda seat: sizes[seat])


def _read_hands(x: Any, fields: dict[str, str], n: int) -> None:
    """How many cards each seat holds follows from one hand: the seats before the mover, from
    the dealer's left, have played once more than those after him."""
    if x.over:
        if any(x.hand):
            raise BadText("the game is over, so no hand has cards")
        return
    first = (int(x.dealer) + 1) % n
    behind = [seat for seat in range(n) if (seat - first) % n < (int(x.turn) - first) % n]
    level = None
    for seat in range(n):
        if f"hand{seat + 1}" in fields:
            held = len(cards_of(int(x.hand[seat]))) + (seat in behind)
            if level is not None and held != level:
                raise BadText("the hands' sizes do not fit the turn: who has played holds one less")
            level = held
    if level is None:
        raise BadText("give at least the hand of the seat to move")
    if not 1 <= level <= 6:
        raise BadText(f"the seat to move holds 1 to 6 cards, not {level}")
    for seat in range(n):
        x.held[seat] = level - (seat in behind)


def _read_deck(game: Tablic, x: Any, fields: dict[str, str]) -> None:
    n = game.players
    zones = [int(x.table), *(int(x.hand[s]) for s in range(n)), *(int(x.pile[s]) for s in range(n))]
    placed = 0
    for zone in zones:
        _refuse_twice(placed & zone)
        placed |= zone
    unplaced = 52 - len(cards_of(placed))
    hidden = 0
    for seat in range(n):
        if f"hand{seat + 1}" not in fields:
            hidden += int(x.held[seat])
    x.deck[:] = -1
    if "deck" in fields:
        deck = _cards("deck", fields["deck"])
        _refuse_twice(placed & mask_of(deck))
    elif "pile1" in fields or unplaced - hidden in DECK_SIZES[n]:
        deck = [-1] * (unplaced - hidden)
    else:
        raise BadText("give the deck or the piles: how many cards are left does not follow")
    if len(deck) not in DECK_SIZES[n]:
        sizes = ", ".join(map(str, DECK_SIZES[n]))
        raise BadText(f"between two deals the deck has {sizes} cards, not {len(deck)}")
    if len(deck) + hidden > unplaced or ("pile1" in fields and len(deck) + hidden < unplaced):
        total = 52 - unplaced + len(deck) + hidden
        raise BadText(f"that makes {total} cards, not 52")
    if x.over and (deck or x.table):
        raise BadText("the game is over, so table and deck are empty")
    last_deal = n == 3 and not deck
    if last_deal and max(x.held) > 4:
        raise BadText("with three players the last deal has 4 cards each")
    x.dealt = 52 - len(deck)
    x.deck[int(x.dealt) :] = deck


def missing_hands(state: Any, seats: Iterable[int]) -> list[str]:
    """The keys of hands that are not fully known."""
    x = state[0]
    return [f"hand{s + 1}" for s in seats if len(cards_of(int(x.hand[s]))) != x.held[s]]


def missing(game: Tablic, state: Any) -> list[str]:
    """What a position leaves out."""
    x = state[0]
    seats = range(game.players)
    left_out = missing_hands(state, seats)
    left = [int(card) for card in x.deck[int(x.dealt) :]]
    if -1 in left:
        left_out.append("deck")
    placed = int(x.table) | mask_of(card for card in left if card >= 0)
    for seat in seats:
        placed |= int(x.hand[seat]) | int(x.pile[seat])
    if not left_out and placed != DECK:
        left_out.append("the piles")
    return left_out


def has_piles(game: Tablic, state: Any) -> bool:
    """Whether a position tells what was captured."""
    return _total(state[0], range(game.players)) == 52


def _refuse_twice(cards: int) -> None:
    if cards:
        raise BadText(f"{NAMES[cards_of(cards)[0]]} is in two places")


def _cards(key: str, text: str) -> list[int]:
    if text == "none":
        return []
    cards = [parse_card(word) for word in text.replace(",", " ").split()]
    if len(set(cards)) < len(cards):
        raise BadText(f"{key} names a card twice")
    return cards


def _cards_text(mask: int) -> str:
    return text_of(cards_of(mask)) or "none"
