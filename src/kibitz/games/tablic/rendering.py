"""Tablić in words and on the screen, as one seat may see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import BadText
from kibitz.core.game import Play, View
from kibitz.games.tablic.cards import (
    POINT_RANKS,
    RANKS,
    SYMBOLS,
    TEN_OF_DIAMONDS,
    TWO_OF_CLUBS,
    VALUES,
    cards_of,
    parse_card,
)

if TYPE_CHECKING:
    from kibitz.games.tablic.game import Tablic

CALLED = {"ace": "A", "aces": "A", "jack": "J", "queen": "Q", "king": "K", "1": "A", "11": "A"}
"""Ranks by name."""


def card_points(card: int) -> int:
    return int(card // 4 in POINT_RANKS) + (card in (TEN_OF_DIAMONDS, TWO_OF_CLUBS))


def points_and_cards(view: View[Any], card: int, taken: int) -> tuple[int, int]:
    """Points and cards that a play brings at once; a tabla too."""
    if not taken:
        return 0, 0
    cards = [card, *cards_of(taken)]
    tabla = taken == view.state[0].table
    return sum(card_points(one) for one in cards) + int(tabla), len(cards)


def describe(view: View[Any], card: int, taken: int) -> str:
    """A choice: `Q♥ takes J♣ A♦   3 points, 3 cards`."""
    if not taken:
        return f"lay {card_text(card)}"
    points, cards = points_and_cards(view, card, taken)
    tabla = ", tabla" if taken == view.state[0].table else ""
    bring = f"{points} point{'' if points == 1 else 's'}, {cards} cards{tabla}"
    return f"{card_text(card)} takes {_row(taken)}   [dim]{bring}[/]"


def narrate(
    game: Tablic, before: Any, play: tuple[int, int], after: Any, viewer: int | None
) -> str:
    x, y = before[0], after[0]
    me = int(x.turn)
    who = "you" if me == viewer else f"seat {me + 1}"
    card, taken = play[0], cards_of(play[1])
    end = "" if viewer == me else "s"
    if not taken:
        text = f"{who} lay{end} {plain(card)}"
    else:
        points = card_points(card) + sum(card_points(other) for other in taken)
        tabla = int(y.tablas[me] - x.tablas[me])
        names = " ".join(plain(other) for other in reversed(taken))
        bring = f"{points + tabla} point{'' if points + tabla == 1 else 's'}"
        text = f"{who} take{end} {names} with {plain(card)}: {bring}"
        if tabla:
            text += ", with a tabla"
    if y.over:
        rest = len(cards_of(int(x.table) & ~play[1])) + (not taken)
        if rest:
            taker = int(y.dealer if y.to_dealer or y.last < 0 else y.last)
            whom = "you take" if taker == viewer else f"seat {taker + 1} takes"
            text += f". At the end {whom} what is left on the table ({rest})"
        text += f". {outcome(game, after).capitalize()}"
    elif y.dealt > x.dealt:
        text += ". A new deal"
    return text


def outcome(game: Tablic, state: Any) -> str:
    points = [int(value) for value in game.points(state)]
    score = " : ".join(map(str, points[:2] if game.players == 4 else points))
    best = max(points)
    winners = [str(seat + 1) for seat, value in enumerate(points) if value == best]
    if len(winners) == game.players:
        return f"drawn, {score}"
    return f"seat {' and '.join(winners)} {'win' if len(winners) > 1 else 'wins'}, {score}"


def forms(plays: Sequence[Play]) -> list[str]:
    """How a play is typed: a capture in three ways, and a card that is laid."""
    taking = min((str(play) for play in plays if " x " in str(play)), key=len, default="")
    lone = [str(play) for play in plays if " x " not in str(play)][:1]
    captures = [taking, taking.replace("x", "takes"), taking.replace(" ", "")] if taking else []
    return captures + lone


def help_on(word: str) -> str | None:
    """What a card captures and scores; `?` with a rank or a card."""
    text = CALLED.get(word.strip().lower(), word.strip().upper())
    try:
        cards = [4 * RANKS.index(text)] if text in RANKS else [parse_card(word)]
    except BadText:
        return None
    rank = cards[0] // 4
    value = VALUES[rank]
    on_table = "1 or 11 on the table, 11 when played" if rank == 0 else str(value)
    special = ", 2 points for 10♦" if rank == 9 else ", 1 point for 2♣" if rank == 1 else ""
    point = "1 point" if rank in POINT_RANKS else "no point"
    return (
        f"{RANKS[rank]}: value {on_table}; captures groups that add up to {value}; {point}{special}"
    )


def draw(game: Tablic, view: View[Any]) -> str:
    """The table in a few lines of rich markup, within 80 columns."""
    x = view.state[0]
    left = 52 - int(x.dealt)
    deals = left // (6 * game.players) + (1 if left % (6 * game.players) else 0)
    lines = [f"[bold]Table[/]  {_row(int(x.table)) or '[dim]empty[/]'}", ""]
    for i in range(1, game.players + 1):
        lines.append(_seat_line(view, (view.seat + i) % game.players))
    if x.over:
        return "\n".join([*lines, f"[bold]Final count[/]  {final_count(game, view)}"])
    tail = (
        f"deck {left} card{'' if left == 1 else 's'}, {deals} more deal{'' if deals == 1 else 's'}"
    )
    if x.last >= 0:
        tail += f"; seat {int(x.last) + 1} captured last"
    return "\n".join([*lines, f"[dim]{tail}[/]"])


def final_count(game: Tablic, view: View[Any]) -> str:
    """What each side has at the end, with the bonus for cards: `you 11 + 3 for cards = 14`."""
    x = view.state[0]
    sides = []
    for seat, total in enumerate(game.points(view.state)):
        team = game.team(seat)
        if seat != team[0]:
            continue
        own = sum(_points(x, one) for one in team)
        bonus = f" + {int(total) - own} for more cards = {int(total)}" if total > own else ""
        who = " and ".join("you" if one == view.seat else f"seat {one + 1}" for one in team)
        sides.append(f"{who} {own}{bonus}")
    return "; ".join(sides)


def _points(x: Any, seat: int) -> int:
    """In a seat's pile, tablas too."""
    pile = cards_of(int(x.pile[seat]))
    return sum(card_points(card) for card in pile) + int(x.tablas[seat])


def _seat_line(view: View[Any], seat: int) -> str:
    x = view.state[0]
    mine = seat == view.seat
    partner = seat in view.game.team(view.seat)
    role = " (you)" if mine else " (your partner)" if partner else ""
    label = f"seat {seat + 1}{role}"
    width = 21 if view.game.partners > 1 else 13
    known = int(x.hand[seat])
    hand = _row(known) if known else f"[dim]{'▒ ' * int(x.held[seat])}[/]"
    pile, points = cards_of(int(x.pile[seat])), _points(x, seat)
    arrow = "▸" if seat == x.turn and not x.over else " "
    info = f"{len(pile)} cards, {points} point{'' if points == 1 else 's'}"
    if x.tablas[seat]:
        info += f" ({int(x.tablas[seat])} tabla{'s' if x.tablas[seat] > 1 else ''})"
    return f"{arrow} {label:<{width}} {hand}   [dim]{info}[/]"


def _row(mask: int) -> str:
    """Cards with their suits in colour; those that score in bold."""
    return " ".join(card_text(card) for card in cards_of(mask))


def plain(card: int) -> str:
    return RANKS[card // 4] + SYMBOLS[card % 4]


def card_text(card: int) -> str:
    colour = "red" if card % 4 in (1, 2) else "default"
    style = f"bold {colour}" if card_points(card) else colour
    return f"[{style}]{plain(card)}[/]"
