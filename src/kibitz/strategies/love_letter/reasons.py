"""Reasons for a play of Love Letter, in sentences: forced by a rule, shown, excluded, counted."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from kibitz.core.explanation import Belief
from kibitz.core.figures import percent
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
    UNKNOWN,
)
from kibitz.games.love_letter.known_hands import card_name, facts_of_others
from kibitz.games.love_letter.plays import parts_of
from kibitz.games.love_letter.possible_hands import may_hold, unseen
from kibitz.strategies.common.reasons import Consequence
from kibitz.strategies.love_letter.counting import may_draw

Hands = Mapping[int, Mapping[int, float]]
"""For every other seat the weight of each card that it may hold."""
EXCLUDED = re.compile(r"surely holds|can't hold|has no|, no ")
"""In a sentence that says what a seat does not hold."""
CLEARLY = 0.1
"""So far must a belief be from counting before it is asked which play it follows from."""


def why(view: View[Any], play: Any, beliefs: Sequence[Belief] = ()) -> tuple[str, ...]:
    """Reasons for a play, each a sentence."""
    hands = may_hold(view.state[0], view.seat)
    if not hands:
        return ()
    shown = [fact.why for fact in facts_of_others(view) if fact.why]
    sentences = [*shown, *_counted(view, play.code, hands, beliefs)]
    if any(EXCLUDED.search(sentence) for sentence in sentences):
        sentences += _left_out(hands, beliefs)
    return tuple(dict.fromkeys([*_forced(view, play.code), *sentences]))


# -- what a rule says ----------------------------------------------------------------------


def _forced(view: View[Any], code: int) -> list[str]:
    x, seat = view.state[0], view.seat
    hand = {int(x.hand[seat]), int(x.drawn)}
    card, target, _ = parts_of(code)
    name = card_name(card)
    others = int(x.inside & ~x.protected & ~(1 << seat))
    sentences = []
    if COUNTESS in hand and hand & {PRINCE, KING}:
        beside = card_name(min(hand & {PRINCE, KING}))
        sentences.append(f"The Countess must go beside the {beside} (rule 4.7).")
    elif len(hand) == 1:
        sentences.append(f"Both your cards are {name}s, so one of them must go (rule 3.5).")
    elif PRINCESS in hand and card != PRINCESS:
        sentences.append("The Princess must stay: whoever plays her is out (rule 4.8).")
    if not others and card in (GUARD, PRIEST, BARON, KING):
        sentences.append(f"Nobody can be named, so the {name} has no effect (rule 5.4).")
    if not others and card == PRINCE and target == seat:
        sentences.append("Nobody else can be named, so the Prince must name you (rule 5.4).")
    if card == HANDMAID and x.left:
        sentences.append("Until your next turn nobody can name you (rule 4.4).")
    if card == COUNTESS and not hand & {PRINCE, KING, PRINCESS}:
        sentences.append(
            f"Nothing forces the Countess out: she has no effect (rule 4.7), you keep the"
            f" {card_name(min(hand))}, and others may think that it is a Prince or the King."
        )
    if card == PRINCESS:
        sentences.append("Whoever plays the Princess is out (rule 4.8).")
    if not x.left:
        sentences.append("The deck is empty, so the round ends after this turn (rule 7.2).")
    return sentences


# -- what is known of the others -----------------------------------------------------------


def _left_out(hands: Hands, beliefs: Sequence[Belief]) -> list[str]:
    """Who goes by the unseen cards alone believes in cards that are excluded."""
    for belief in beliefs:
        for other, cards in hands.items():
            possible = {NAMES[card] for card in cards}
            if belief.place == f"seat {other + 1}'s hand" and not set(belief.cards) <= possible:
                return [f"The strategy goes {belief.basis} and leaves that out."]
    return []


# -- what was counted, and what is believed ------------------------------------------------


class Held(NamedTuple):
    """What a seat may hold: by counting, and by what the strategy believes if it has a belief."""

    seat: int
    counted: Mapping[int, float]
    belief: Belief | None

    def by_counting(self, cards: Collection[int]) -> float:
        """How likely one of these cards is held, by the unseen cards alone."""
        return share(self.counted, cards)

    def believed(self, cards: Collection[int]) -> float:
        """How likely one of these cards is held, by what the strategy believes."""
        if self.belief is None:
            return self.by_counting(cards)
        return self.belief.any_of([NAMES[card] for card in cards])

    def differs(self, *kinds: Collection[int]) -> bool:
        """Whether the belief is another number, as far as it is shown."""
        return any(percent(self.by_counting(k)) != percent(self.believed(k)) for k in kinds)

    @property
    def basis(self) -> str:
        """What the belief is drawn from."""
        return self.belief.basis if self.belief else ""


def _counted(view: View[Any], code: int, hands: Hands, beliefs: Sequence[Belief]) -> list[str]:
    x, seat = view.state[0], view.seat
    card, target, guess = parts_of(code)
    remaining = int(x.hand[seat]) + int(x.drawn) - card
    if card == PRINCE and target == seat:
        return _new_card(x, seat, remaining, beliefs)
    if card == HANDMAID:
        return _threats(x, seat, remaining)
    cards = hands.get(target)
    if cards is None:
        return []
    if len(cards) == 1:
        (his,) = cards
        return [_sure(card, remaining, target, his, guess)]
    place = f"seat {target + 1}'s hand"
    held = Held(target, cards, next((one for one in beliefs if one.place == place), None))
    if card == GUARD:
        return [_guess(view, held, guess)]
    if card == PRIEST:
        naming = ", and keep a Guard to name it" if remaining == GUARD else ""
        return [
            f"Seat {target + 1} may hold {len(cards)} different cards: you will know which{naming}."
        ]
    lower, higher = ([c for c in cards if c < remaining], [c for c in cards if c > remaining])
    own = card_name(remaining)
    if card == BARON:
        words = "your {own} beats seat {seat}'s card with {} and loses to it with {}"
        return [_compared(view, held, words.replace("{own}", own), lower, higher)]
    if card == KING:
        words = "seat {seat}'s card is higher than your {own} with {}"
        return [_compared(view, held, words.replace("{own}", own), higher)]
    if PRINCESS in cards:
        return [_compared(view, held, "seat {seat} holds the Princess with {}", [PRINCESS])]
    words = "he must give up a card that is higher than your {own} with {}"
    return [
        f"Seat {target + 1} can't hold the Princess.",
        _compared(view, held, words.replace("{own}", own), higher),
    ]


def _compared(view: View[Any], held: Held, words: str, *kinds: Collection[int]) -> str:
    """Chances by counting; and by the belief, where it says something else."""
    words = words.replace("{seat}", str(held.seat + 1))
    counted = [percent(held.by_counting(kind)) for kind in kinds]
    sentence = f"By counting, {words.format(*counted)}"
    if held.differs(*kinds):
        believed = " and ".join(percent(held.believed(kind)) for kind in kinds)
        sentence += f"; {held.basis} with {believed}{_since_play(view, held, kinds[0])}"
    return f"{sentence}."


def _guess(view: View[Any], held: Held, guess: int) -> str:
    """How likely the named card is, and whether another is likelier."""
    name, seat = card_name(guess), held.seat + 1
    chance, believed = held.by_counting([guess]), held.believed([guess])
    if not chance:
        return f"Seat {seat} can't hold the {name}: the Guard does nothing."
    if view.state[0].players > 2:  # the hands depend on each other, so there is no plain count
        sentence = f"By counting, seat {seat} holds the {name} with {percent(chance)}"
    else:
        copies, total = round(held.counted[guess]), round(sum(held.counted.values()))
        these = f"is a {name}" if copies == 1 else f"are {name}s"
        sentence = (
            f"Of the {total} unseen cards that seat {seat} may hold, {copies} {these}"
            f" ({percent(chance)})"
        )
    if held.differs([guess]):
        likely = "likelier" if believed > chance else "less likely"
        sentence += f"; {held.basis} it is {likely}, {percent(believed)}"
        sentence += _since_play(view, held, [guess])
    likeliest = max(held.believed([card]) for card in range(PRIEST, PRINCESS + 1))
    if believed >= likeliest - 1e-9:
        sentence += ", and no card that a Guard may name is likelier"
    return f"{sentence}."


def _since_play(view: View[Any], held: Held, cards: Collection[int]) -> str:
    """The play of the seat from which most of a belief follows; empty if no single one does."""
    earlier = held.belief.earlier if held.belief else ()
    if not earlier:
        return ""
    wanted = [NAMES[card] for card in cards]
    chances = [sum(then.get(card, 0.0) for card in wanted) for then in earlier]
    chances.append(held.believed(cards))
    moved = held.believed(cards) - held.by_counting(cards)
    if abs(moved) < CLEARLY:
        return ""
    steps = {
        turn: (chances[turn + 1] - chances[turn]) / moved
        for turn, (state, play) in enumerate(view.past)
        if int(state[0].turn) == held.seat and play is not None
    }
    turn = max(steps, key=lambda turn: steps[turn], default=-1)
    if turn < 0 or steps[turn] < 0.5:
        return ""
    card, _, guess = parts_of(view.past[turn][1].code)
    naming = f" naming {card_name(guess)}" if card == GUARD and guess else ""
    played = f"the {card_name(card)}{naming}"
    return f" (it was {percent(chances[turn])} before he played {played})"


def _sure(card: int, remaining: int, target: int, his: int, guess: int) -> str:
    """What comes of a play on a seat whose card is certain."""
    seat, own, other = f"eat {target + 1}", card_name(remaining), card_name(his)
    if card == GUARD:
        if guess == his:
            return f"Naming it puts s{seat} out (rule 4.1)."
        return f"S{seat} can't hold the {card_name(guess)}: the Guard does nothing."
    if card == PRIEST:
        return "The Priest shows nothing that you do not know."
    if card == BARON:
        if remaining == his:
            return f"Your {own} is equal to it, so nothing happens (rule 4.3)."
        out = f"higher, so s{seat} is" if remaining > his else "lower, so you are"
        return f"Your {own} is {out} out (rule 4.3)."
    if card == KING:
        return f"You get the {other} for your {own} (rule 4.6)."
    if his == PRINCESS:
        return f"S{seat} must discard the Princess and is out (rule 4.8)."
    return f"S{seat} must discard the {other} and draw another card (rule 4.5)."


def _new_card(x: Any, seat: int, remaining: int, beliefs: Sequence[Belief]) -> list[str]:
    """What a Prince on oneself brings."""
    if remaining == PRINCESS:
        return ["Your Princess goes, and you are out (rule 4.8)."]
    cards = may_draw(x, seat)
    higher = [card for card in cards if card > remaining]
    chance = percent(share(cards, higher))
    sentence = (
        f"Your {card_name(remaining)} goes, and by counting you draw a higher card with {chance}"
    )
    belief = next((one for one in beliefs if one.place == "aside"), None)
    if belief and belief.basis:
        believed = percent(belief.any_of([NAMES[card] for card in higher]))
        sentence += f"; {belief.basis} with {believed}" if believed != chance else ""
    return [f"{sentence}."]


def _threats(x: Any, seat: int, remaining: int) -> list[str]:
    """From which cards a Handmaid protects. If the round ends now, from none."""
    if not x.left:
        return []
    counts = unseen(x)
    for other in range(int(x.players)):
        if other != seat and x.hand[other] not in (0, UNKNOWN):
            counts[int(x.hand[other])] += 1
    dangers = [GUARD] if remaining != GUARD else []
    dangers += [BARON] if any(counts[card] for card in range(remaining + 1, 9)) else []
    dangers += [PRINCE] if remaining == PRINCESS else []
    named = [
        f"{counts[card]} {card_name(card)}{'s' * (counts[card] > 1)}"
        for card in dangers
        if counts[card]
    ]
    if not named:
        return [
            f"No card that the others may hold or draw could put your {card_name(remaining)} out."
        ]
    return [f"The others may hold or draw {' and '.join(named)}, which could put you out."]


def share(cards: Mapping[int, float], wanted: Collection[int]) -> float:
    """The part of the weights that these cards have."""
    return sum(cards.get(card, 0.0) for card in wanted) / sum(cards.values())


# -- until the next turn -------------------------------------------------------------------------


def until_next_turn(view: View[Any], states: Any) -> list[Consequence]:
    """Who is out and what is held when the seat is to move again, or when the round is over."""
    x, seat = view.state[0], view.seat
    inside = states["inside"] >> seat & 1
    others = int(x.inside) & ~(1 << seat)
    gone = (states["inside"] & others) != others
    held = states["hand"][:, seat][inside > 0]
    out = Consequence("you are out before your next turn in {}", 1 - inside.mean(), True, False)
    hit = Consequence("another seat is out before your next turn in {}", gone.mean(), True, True)
    if not len(held):
        return [out, hit]
    return [out, hit, Consequence("you keep a card of strength {}", held.mean(), False, True)]
