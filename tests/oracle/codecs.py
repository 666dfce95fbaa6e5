"""What stands in the observation of each game, read off its view in plain Python.

Written from the tables of features alone: each function gives every feature as a list of numbers,
by its name. Seats are relative: the viewer's first, then to the left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

CARDS = ("guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess")
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
KINDS = (*RANKS, "10d", "2c")
Features = dict[str, list[float]]


def hot(value: Any, values: Sequence[Any]) -> list[float]:
    return [float(one == value) for one in values]


def around(view: Any) -> list[int]:
    """The seats as the viewer counts them."""
    n = view.game.players
    return [(view.seat + i) % n for i in range(n)]


def mine_to_move(view: Any) -> list[float]:
    return [float(view.turn == view.seat)]


# -- Love Letter -----------------------------------------------------------------------------


def love_letter(view: Any, chosen: Sequence[str] = ()) -> Features:
    seats, x = around(view), view.state[0]
    copies = dict(zip(CARDS, view.game.copies[1:], strict=True))
    mine = view.turn == view.seat
    hand = view.hand
    kept = hand[0] if hand else None
    drawn = hand[1] if mine else None

    def shares(cards: Sequence[str]) -> list[float]:
        return [cards.count(card) / copies[card] for card in CARDS]

    seen = [*hand, *view.known.values(), *view.face_up]
    for seat in seats:
        seen += view.discards[seat]
    unseen = [card for card in CARDS for _ in range(copies[card] - seen.count(card))]
    features = {"kept": hot(kept, CARDS), "drawn": hot(drawn, CARDS)}
    for place, seat in enumerate(seats[1:]):
        features[f"may hold +{place + 1}"] = may_hold(view, place, seat)
    if len(seats) == 2:
        world = int(x.worlds[seats[1]][0])
        features["shown"] = [float(bool(hand) and world >> card & 1) for card in range(8)]
        features["face up"] = shares(view.face_up)
    for place, seat in enumerate(seats):
        features[f"discards +{place}"] = shares(view.discards[seat])
    return features | {
        "unseen": shares(unseen),
        "in": [float(seat not in view.out) for seat in seats],
        "protected": [float(seat in view.protected) for seat in seats],
        "turn": hot(view.turn, seats),
        "deck": [view.deck_size / 16],
        "aside": [float(view.aside)],
    }


def may_hold(view: Any, place: int, seat: int) -> list[float]:
    """By every combination that the viewer's worlds have, one after the other."""
    if seat in view.out:
        return [0.0] * 8
    if seat in view.known:
        return hot(view.known[seat], CARDS)
    words = [int(word) & (1 << 64) - 1 for word in view.state[0].worlds[view.seat]]
    combinations = 8 ** (view.game.players - 1)
    cards = {
        number >> 3 * place & 7
        for number in range(combinations)
        if words[number >> 6] >> (number & 63) & 1
    }
    return [float(card in cards) for card in range(8)]


# -- Tablić ------------------------------------------------------------------------------------


def kind_of(card: str) -> str:
    return card if card in ("10d", "2c") else card[:-1]


def shares_of_kinds(cards: Sequence[str]) -> list[float]:
    kinds = [kind_of(card) for card in cards]
    deck = [kind_of(rank + suit) for rank in RANKS for suit in "cdhs"]
    return [kinds.count(kind) / deck.count(kind) for kind in KINDS]


def card_points(card: str) -> int:
    return (card[:-1] in ("A", "10", "J", "Q", "K")) + (card in ("10d", "2c"))


def tablic(view: Any, chosen: Sequence[str] = ()) -> Features:
    """`chosen` are the names of the actions so far."""
    seats = around(view)
    deck = [rank + suit for rank in RANKS for suit in "cdhs"]
    seen = [*view.hand, *view.table, *(card for pile in view.captured for card in pile)]
    taken = [action.removeprefix("take ") for action in chosen[1:]]
    played = chosen[0].removeprefix("play ") if chosen else None
    copies = [kind_of(card) for card in deck]
    return {
        "hand": shares_of_kinds(view.hand),
        "table": shares_of_kinds(view.table),
        "unseen": shares_of_kinds([card for card in deck if card not in seen]),
        "played": hot(played, KINDS),
        "taken": [taken.count(kind) / copies.count(kind) for kind in KINDS],
        "cards": [len(view.captured[seat]) / 52 for seat in seats],
        "points": [sum(map(card_points, view.captured[seat])) / 22 for seat in seats],
        "tablas": [view.tablas[seat] / 26 for seat in seats],
        "held": [view.hand_sizes[seat] / 6 for seat in seats],
        "last": hot(view.last_captor, seats),
        "dealer": hot(view.dealer, seats),
        "turn": hot(view.turn, seats),
        "deck": [view.deck_size / 52],
    }


def tablic_actions(view: Any, play: Any) -> tuple[str, ...]:
    """The names of the actions that make a play: the kind played, the kinds taken in their order,
    and `done` where something more could be taken."""
    others = [one for one in view.plays() if kinds_in(one)[0] == kinds_in(play)[0]]
    played, taken = kinds_in(play)
    goes_on = any(
        kinds[: len(taken)] == taken and len(kinds) > len(taken)
        for kinds in (kinds_in(one)[1] for one in others)
    )
    return (f"play {played}", *(f"take {kind}" for kind in taken), *["done"] * goes_on)


def kinds_in(play: Any) -> tuple[str, list[str]]:
    """The kind played, and the kinds taken in their order, from the play's text."""
    card, _, taken = str(play).partition(" x ")
    return kind_of(card), sorted(map(kind_of, taken.split()), key=KINDS.index)


# -- the others ----------------------------------------------------------------------------------


def tic_tac_toe(view: Any, chosen: Sequence[str] = ()) -> Features:
    board = view.game.position(view.state).split("; ")[0].removeprefix("board=").replace("/", "")
    own, other = ("x", "o") if view.seat == 0 else ("o", "x")
    return {
        "mine": [float(square == own) for square in board],
        "other": [float(square == other) for square in board],
        "turn": [float(view.state[0].turn == view.seat)],
    }


def connect_four(view: Any, chosen: Sequence[str] = ()) -> Features:
    text = view.game.position(view.state).split("; ")[0].removeprefix("board=")
    rows = text.split("/")[::-1]
    columns = [row[column] for column in range(7) for row in rows]
    own, other = ("x", "o") if view.seat == 0 else ("o", "x")
    return {
        "mine": [float(square == own) for square in columns],
        "other": [float(square == other) for square in columns],
        "turn": [float(view.state[0].turn == view.seat)],
    }


def twenty_one(view: Any, chosen: Sequence[str] = ()) -> Features:
    x = view.state[0]
    return {"sum": hot(x.total, range(27)), "turn": [float(x.turn == view.seat)]}


def divisible_by_four(view: Any, chosen: Sequence[str] = ()) -> Features:
    x = view.state[0]
    return {
        "sum": hot(x.total, range(12)),
        "chosen": hot(x.ply, range(4)),
        "second": [float(view.seat == 1)],
    }


def coin_game(view: Any, chosen: Sequence[str] = ()) -> Features:
    x = view.state[0]
    return {
        "made": hot(x.ply, range(4)),
        "path": [float(choice) for choice in x.path],
        "second": [float(view.seat == 1)],
    }


def paper_rock_scissors(view: Any, chosen: Sequence[str] = ()) -> Features:
    x = view.state[0]
    return {
        "first": hot(x.first, range(3)),
        "second": hot(x.second, range(3)),
        "begins": [float(view.seat == 1)],
    }


def hidden_paper_rock_scissors(view: Any, chosen: Sequence[str] = ()) -> Features:
    x = view.state[0]
    own, other = int(x.choice[view.seat]), int(x.choice[1 - view.seat])
    return {
        "mine": hot(own, range(3)),
        "other": hot(other, range(3)),
        "made": [float(other != -1)],
        "turn": [float(x.turn == view.seat)],
    }


def pig(view: Any, chosen: Sequence[str] = ()) -> Features:
    target = view.game.settings["target"]
    return {
        "mine": [min(view.scores[view.seat] / target, 1.0)],
        "other": [min(view.scores[1 - view.seat] / target, 1.0)],
        "total": [min(view.total / target, 1.0)],
        "turn": [float(view.state[0].turn == view.seat)],
        "rolling": [float(view.rolling)],
    }


def kuhn_poker(view: Any, chosen: Sequence[str] = ()) -> Features:
    plays: list[float] = []
    for i in range(3):
        plays += hot(view.bets[i] if i < len(view.bets) else None, ("pass", "bet"))
    own, other = view.hand_of(view.seat), view.hand_of(1 - view.seat)
    return {
        "mine": hot("".join(own), "JQK"),
        "other": hot("".join(other), "JQK"),
        "plays": plays,
        "first": [float(view.first == view.seat)],
        "turn": [float(view.game.mover(view.state) == view.seat)],
    }


def leduc_poker(view: Any, chosen: Sequence[str] = ()) -> Features:
    rounds = []
    for bets in view.bets:
        plays: list[float] = []
        for i in range(4):
            plays += hot(bets[i] if i < len(bets) else None, ("fold", "call", "raise"))
        rounds.append(plays)
    own, other = view.hand_of(view.seat), view.hand_of(1 - view.seat)
    return {
        "mine": hot("".join(own), "JQK"),
        "other": hot("".join(other), "JQK"),
        "board": hot(view.board, "JQK"),
        "round 1": rounds[0],
        "round 2": rounds[1],
        "chips": [view.pot[view.seat] / 13, view.pot[1 - view.seat] / 13],
        "first": [float(view.first == view.seat)],
        "turn": mine_to_move(view),
    }


ORACLES = {
    "love-letter": love_letter,
    "tablic": tablic,
    "tic-tac-toe": tic_tac_toe,
    "connect-four": connect_four,
    "twenty-one": twenty_one,
    "divisible-by-four": divisible_by_four,
    "coin-game": coin_game,
    "paper-rock-scissors": paper_rock_scissors,
    "hidden-paper-rock-scissors": hidden_paper_rock_scissors,
    "pig": pig,
    "kuhn-poker": kuhn_poker,
    "leduc-poker": leduc_poker,
}
