"""What a seat in Love Letter knows of the hands, and why: what was shown, and what follows from
the plays by rules 9.2 to 9.9. And who knows its own card."""

from __future__ import annotations

from functools import cache
from typing import Any

from kibitz.core.game import View
from kibitz.core.scene import HandFact
from kibitz.games.love_letter.cards import (
    BARON,
    COUNTESS,
    GUARD,
    KING,
    NAMES,
    PRIEST,
    PRINCE,
    UNKNOWN,
)
from kibitz.games.love_letter.plays import parts_of
from kibitz.games.love_letter.possible_hands import may_hold, unseen


def card_name(card: int) -> str:
    """The name of a card as a person writes it."""
    return NAMES[card].capitalize()


def facts_of_others(view: View[Any]) -> list[HandFact]:
    """What is known of the other hands. Where no single turn shows it, no sentence says why."""
    x, seat = view.state[0], view.seat
    if x.hand[seat] == UNKNOWN or x.over:  # a position without one's own hand; laid down
        return []
    left = unseen(x)
    facts = []
    for other, cards in sorted(may_hold(x, seat).items()):
        shown = bool(x.known[seat] >> other & 1)
        if len(cards) == 1:
            (card,) = cards
            because = _how_shown(view, other) if shown else "no other card is possible"
            why = f"Seat {other + 1} surely holds the {card_name(card)}: {because}."
            facts.append(HandFact(other, (NAMES[card],), (), (seat,), why))
        if not shown:
            excluded = [card for card in range(1, 9) if left[card] and card not in cards]
            facts += _exclusions(view, other, excluded)
    return facts


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
    mover = int(states[turn].turn)
    card, target, _ = parts_of(play.code)
    if card == PRIEST and mover == seat and target == other:
        return "your Priest saw it (rule 9.2)"
    if card == BARON and {mover, target} == {seat, other}:
        return "the Baron compared it with an equal card of yours (rule 9.2)"
    if card == KING and {mover, target} == {seat, other}:
        return "the King brought it there from your hand (rule 9.2)"
    if card == KING:
        return "the King brought it there, and you knew it before (rule 9.3)"
    return "it was shown to you (rule 9.2)"


def _exclusions(view: View[Any], other: int, excluded: list[int]) -> list[HandFact]:
    """Why a seat can't hold cards that are still unseen: by the turn since which it is so."""

    @cache
    def possible(turn: int) -> set[int]:
        return set(may_hold(view.past[turn][0][0], view.seat).get(other, ()))

    by_turn: dict[int, list[int]] = {}
    for card in excluded:
        turns = range(len(view.past) - 1, -1, -1)
        turn = next((turn for turn in turns if card in possible(turn)), -1)
        by_turn.setdefault(turn, []).append(card)
    return [
        HandFact(
            other,
            lacks=tuple(NAMES[card] for card in cards),
            known_to=(view.seat,),
            why=_what_showed(view, other, turn, cards) if turn >= 0 else "",
        )
        for turn, cards in sorted(by_turn.items())
    ]


def _what_showed(view: View[Any], other: int, turn: int, cards: list[int]) -> str:
    """A turn that showed something of another seat's hand, in words; empty if it is not plain."""
    state, play = view.past[turn]
    if play is None:
        return ""
    mover = int(state[0].turn)
    card, target, guess = parts_of(play.code)
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


# -- one's own card ------------------------------------------------------------------------


def facts_of_own_card(view: View[Any]) -> list[HandFact]:
    """Who has been shown the viewer's card, by the turns that the view remembers."""
    x, seat = view.state[0], view.seat
    if x.over or x.hand[seat] in (0, UNKNOWN):
        return []
    card = int(x.hand[seat])
    reasons = _shown_to(view)
    if x.players == 2 and x.known[1 - seat] >> seat & 1:  # known also without the turns before
        reasons.setdefault(1 - seat, "Seat {} has been shown your {}.")
    return [
        HandFact(seat, (NAMES[card],), (), (other,), how.format(other + 1, card_name(card)))
        for other, how in sorted(reasons.items())
        if x.hand[other]
    ]


def _shown_to(view: View[Any]) -> dict[int, str]:
    """Each seat that saw the card which the viewer still holds, and how: a sentence with places for
    the seat and the card. Rules 9.2 to 9.4."""
    me = view.seat
    states = [state[0] for state, _ in view.past] + [view.state[0]]
    shown: dict[int, str] = {}
    for turn, (_, play) in enumerate(view.past):
        if play is None:
            continue
        before, after = states[turn], states[turn + 1]
        mover = int(before.turn)
        card, target, _ = parts_of(play.code)
        if mover == me and card == before.hand[me]:
            shown = {}
        if me not in (mover, target):
            continue
        other = target if mover == me else mover
        if card == PRIEST and target == me:
            shown[other] = "Seat {}'s Priest saw your {} (rule 9.2)."
        elif card == BARON and other >= 0 and after.hand[me] and after.hand[other]:
            shown[other] = "Seat {} compared an equal card with your {} (rule 9.2)."
        elif card == PRINCE and target == me:
            shown = {}
        elif card == KING and other >= 0:
            shown = {other: "Seat {} traded your {} with you (rule 9.2)."}
    return shown
