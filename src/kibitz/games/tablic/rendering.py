"""Tablić in words, as one seat may see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import BadText
from kibitz.core.game import Play, View
from kibitz.games.tablic.cards import (
    POINT_RANKS,
    RANKS,
    SYMBOLS,
    VALUES,
    cards_of,
    parse_card,
)
from kibitz.games.tablic.fields import TablicView, card_points

if TYPE_CHECKING:
    from kibitz.games.tablic.game import Tablic

CALLED = {"ace": "A", "aces": "A", "jack": "J", "queen": "Q", "king": "K", "1": "A", "11": "A"}
"""Ranks by name."""


def points_and_cards(view: View[Any], card: int, taken: int) -> tuple[int, int]:
    """Points and cards that a play brings at once; a tabla too."""
    if not taken:
        return 0, 0
    cards = [card, *cards_of(taken)]
    tabla = taken == view.state[0].table
    return sum(card_points(one) for one in cards) + int(tabla), len(cards)


def narrate(
    game: Tablic, before: Any, play: tuple[int, int], after: Any, viewer: int | None
) -> str:
    """What a play, its card and what it takes, did."""
    x, y = before[0], after[0]
    me = int(x.turn)
    who = "you" if me == viewer else f"seat {me + 1}"
    card, taken = play[0], cards_of(play[1])
    end = "" if viewer == me else "s"
    if not taken:
        text = f"{who} lay{end} {symbol(card)}"
    else:
        points = card_points(card) + sum(card_points(other) for other in taken)
        tabla = int(y.tablas[me] - x.tablas[me])
        names = " ".join(symbol(other) for other in reversed(taken))
        bring = counted(points + tabla, "point")
        text = f"{who} take{end} {names} with {symbol(card)}: {bring}"
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
    """How a game ended."""
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


def final_count(game: Tablic, view: TablicView) -> str:
    """What each side has at the end, with the bonus for cards: `you 11 + 3 for cards = 14`."""
    points = view.points
    sides = []
    for seat, total in enumerate(game.points(view.state)):
        team = game.team(seat)
        if seat != team[0]:
            continue
        own = sum(points[one] for one in team)
        bonus = f" + {int(total) - own} for more cards = {int(total)}" if total > own else ""
        who = " and ".join("you" if one == view.seat else f"seat {one + 1}" for one in team)
        sides.append(f"{who}{':' if len(team) > 1 else ''} {own}{bonus}")
    return "; ".join(sides)


def symbol(card: int) -> str:
    """A card with the symbol of its suit: `Q♥`."""
    return RANKS[card // 4] + SYMBOLS[card % 4]


def counted(number: int, what: str) -> str:
    """`1 point`, `2 points`."""
    return f"{number} {what}{'' if number == 1 else 's'}"
