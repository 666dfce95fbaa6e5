"""Reasons for a play of Love Letter, in sentences: forced by a rule, shown, excluded, counted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kibitz.core.game import View
from kibitz.games.love_letter.cards import (
    BARON,
    COUNTESS,
    GUARD,
    HANDMAID,
    KING,
    NAMES,
    PRIEST,
    PRINCE,
    PRINCESS,
)
from kibitz.strategies.love_letter.counting import may_hold, unseen

Hands = Mapping[int, Mapping[int, float]]
"""For every other seat the weight of each card that it may hold."""


def why(view: View[Any], play: Any) -> tuple[str, ...]:
    hands = may_hold(view.state[0], view.seat)
    if not hands:
        return ()
    told = [*_forced(view, play.code), *_seats(view, hands), *_counted(view, play.code, hands)]
    return tuple(dict.fromkeys(told))


def card_name(card: int) -> str:
    return NAMES[card].capitalize()


def who(seat: int, viewer: int) -> str:
    return "You" if seat == viewer else f"Seat {seat + 1}"


# -- what a rule says ----------------------------------------------------------------------


def _forced(view: View[Any], code: int) -> list[str]:
    x, seat = view.state[0], view.seat
    hand = {int(x.hand[seat]), int(x.drawn)}
    card, target = code & 15, (code >> 4 & 15) - 1
    name = card_name(card)
    others = int(x.inside & ~x.protected & ~(1 << seat))
    told = []
    if COUNTESS in hand and hand & {PRINCE, KING}:
        beside = card_name(min(hand & {PRINCE, KING}))
        told.append(f"The Countess must go beside the {beside} (rule 4.7).")
    elif len(hand) == 1:
        told.append(f"Both your cards are {name}s, so one of them must go (rule 3.5).")
    elif PRINCESS in hand and card != PRINCESS:
        told.append("The Princess must stay: whoever plays her is out (rule 4.8).")
    if not others and card in (GUARD, PRIEST, BARON, KING):
        told.append(f"Nobody can be named, so the {name} has no effect (rule 5.4).")
    if not others and card == PRINCE and target == seat:
        told.append("Nobody else can be named, so the Prince must name you (rule 5.4).")
    if card == HANDMAID:
        told.append("Until your next turn nobody can name you (rule 4.4).")
    return told


# -- what is known of the others -----------------------------------------------------------


def _seats(view: View[Any], hands: Hands) -> list[str]:
    x, seat = view.state[0], view.seat
    left = unseen(x)
    told = []
    for other, cards in sorted(hands.items()):
        shown = bool(x.known[seat] >> other & 1)
        if len(cards) == 1:
            (card,) = cards
            because = _how_shown(view, other) if shown else "no other card is possible"
            told.append(f"Seat {other + 1} surely holds the {card_name(card)}: {because}.")
        if not shown:
            excluded = [card for card in range(1, 9) if left[card] and card not in cards]
            told += _exclusions(view, other, excluded)
    return told


def _how_shown(view: View[Any], other: int) -> str:
    """By which turn a card that is still known was shown."""
    seat = view.seat
    states = [state[0] for state, _ in view.past] + [view.state[0]]
    shown = [bool(state.known[seat] >> other & 1) for state in states]
    if False not in shown:
        return "it was shown to you (rule 9.2)"
    turn = len(shown) - 1 - shown[::-1].index(False)
    play = view.past[turn][1]
    if play is None:
        return "it was shown to you (rule 9.2)"
    mover, card = int(states[turn].turn), play.code & 15
    target = (play.code >> 4 & 15) - 1
    if card == PRIEST and mover == seat and target == other:
        return "your Priest saw it (rule 9.2)"
    if card == BARON and {mover, target} == {seat, other}:
        return "the Baron compared it with an equal card of yours (rule 9.2)"
    if card == KING and {mover, target} == {seat, other}:
        return "the King brought it there from your hand (rule 9.2)"
    if card == KING:
        return "the King brought it there, and you knew it before (rule 9.3)"
    return "it was shown to you (rule 9.2)"


def _exclusions(view: View[Any], other: int, excluded: list[int]) -> list[str]:
    """Why a seat can't hold cards that are still unseen: by the turn since which it is so."""
    by_turn: dict[int, list[int]] = {}
    for card in excluded:
        turn = _since(view, other, card)
        if turn is not None:
            by_turn.setdefault(turn, []).append(card)
    told = (_what_showed(view, other, turn, cards) for turn, cards in sorted(by_turn.items()))
    return [sentence for sentence in told if sentence]


def _since(view: View[Any], other: int, card: int) -> int | None:
    """The turn that excluded a card, for good until now; None if it was so from the start."""
    for turn in range(len(view.past) - 1, -1, -1):
        state = view.past[turn][0][0]
        if card in may_hold(state, view.seat).get(other, {}):
            return turn
    return None


def _what_showed(view: View[Any], other: int, turn: int, cards: list[int]) -> str:
    """A turn that told something of another seat's hand, in words; empty if it is not plain."""
    state, play = view.past[turn]
    if play is None:
        return ""
    mover, card = int(state[0].turn), play.code & 15
    target, guess = (play.code >> 4 & 15) - 1, play.code >> 8
    name = f"seat {other + 1}"
    if card == GUARD and target == other and cards == [guess]:
        guesser = "Your" if mover == view.seat else f"Seat {mover + 1}'s"
        return f"{guesser} wrong guess showed that {name} has no {card_name(guess)} (rule 9.5)."
    if card in (PRINCE, KING) and mover == other and cards == [COUNTESS]:
        return (
            f"{name.capitalize()} played the {card_name(card)}, so he has no Countess (rule 9.6)."
        )
    after = (view.past[turn + 1][0] if turn + 1 < len(view.past) else view.state)[0]
    if card == BARON and other in (mover, target):
        loser = target if other == mover else mover
        if not after.hand[loser]:
            names = ", ".join(card_name(one) for one in cards)
            return (
                f"{name.capitalize()} won a comparison by the Baron, so he holds a higher card,"
                f" no {names} (rule 9.7)."
            )
    return ""


# -- what was counted ----------------------------------------------------------------------


def _counted(view: View[Any], code: int, hands: Hands) -> list[str]:
    x = view.state[0]
    card, target, guess = code & 15, (code >> 4 & 15) - 1, code >> 8
    cards = hands.get(target)
    if cards is None or len(cards) == 1:
        return []
    kept = int(x.hand[view.seat]) + int(x.drawn) - card
    if card == GUARD:
        return [_guess(cards, target, guess, int(x.players))]
    if card == BARON:
        lower = share(cards, [one for one in cards if one < kept])
        higher = share(cards, [one for one in cards if one > kept])
        return [
            f"By counting, your {card_name(kept)} beats seat {target + 1}'s card with {lower:.0%}"
            f" and loses to it with {higher:.0%}."
        ]
    if card == PRINCE and PRINCESS in cards:
        princess = share(cards, [PRINCESS])
        return [f"By counting, seat {target + 1} holds the Princess with {princess:.0%}."]
    if card == KING:
        better = share(cards, [one for one in cards if one > kept])
        return [
            f"By counting, seat {target + 1}'s card is higher than your {card_name(kept)} with"
            f" {better:.0%}."
        ]
    if card == PRIEST:
        return [f"Seat {target + 1} may hold {len(cards)} different cards: you will know which."]
    return []


def _guess(cards: Mapping[int, float], target: int, guess: int, players: int) -> str:
    """How often the named card is right, by counting; and whether another is likelier."""
    name, chance = card_name(guess), share(cards, [guess])
    if not chance:
        return f"Seat {target + 1} can't hold the {name}: the Guard does nothing."
    likeliest = max((weight for card, weight in cards.items() if card != GUARD), default=0.0)
    most = ", and no card that a Guard may name is likelier" if cards[guess] >= likeliest else ""
    if players > 2:  # the hands depend on each other, so there is no plain count
        return f"By counting, seat {target + 1} holds the {name} with {chance:.0%}{most}."
    copies, total = round(cards[guess]), round(sum(cards.values()))
    verb = "is a" if copies == 1 else "are"
    plural = "" if copies == 1 else "s"
    return (
        f"Of the {total} unseen cards that seat {target + 1} may hold, {copies} {verb}"
        f" {name}{plural} ({chance:.0%}){most}."
    )


def share(cards: Mapping[int, float], wanted: list[int]) -> float:
    return sum(cards.get(card, 0.0) for card in wanted) / sum(cards.values())
