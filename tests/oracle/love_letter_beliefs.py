"""What the other of two players holds in Love Letter, by brute force.

Every placement of the cards that a seat has not seen is dealt and played again from the start.
Those that look the same to the seat at every turn count, each by the probability that the other
would have played as he did: he plays greedily, but with probability `noise` anything legal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from kibitz.core.game import View
from kibitz.games.love_letter.game import LoveLetter
from tests.oracle import love_letter_strategies as strategies
from tests.oracle.love_letter_strategies import PRINCE, Other, Seen

HANDS_AT = 4
"""Where the hands are in a deck in dealing order: after the card aside and three face up."""


def counted(word: int) -> list[int]:
    """The cards of a word of counts."""
    return [card for card in range(1, 9) for _ in range(word >> 4 * (card - 1) & 15)]


@lru_cache(maxsize=1 << 16)
def by_the_model(
    deck: str, hand: tuple[int, int], gone: tuple[int, ...], me: tuple[bool, int | None]
) -> tuple[str, int]:
    """What seat 2 would play greedily, and how many plays it has. `me`: whether seat 1 is
    protected, and its card if seat 2 was shown it."""
    seen = Seen(deck, 2, hand, gone, {1: Other(True, *me)})
    return strategies.greedy(seen), len(strategies.legal(seen))


@dataclass
class Situation:
    """What one of two seats has seen: its view now, and the deck, of which it knows parts."""

    view: View[Any]
    start: Any
    """The state at the beginning. Only what the seat has seen of it is used."""

    def __post_init__(self) -> None:
        assert isinstance(self.view.game, LoveLetter)
        self.game: LoveLetter = self.view.game
        self.seat = self.view.seat
        self.other = 1 - self.seat
        self.first = int(self.start[0].first)
        self.plays = [play for _, play in self.view.past]
        self.views = [state for state, _ in self.view.past] + [self.view.state]
        self.deck = self.dealt()
        self.hidden = list(self.hidden_places())

    def dealt(self) -> list[int]:
        """The deck in dealing order."""
        x = self.start[0]
        hands = [int(x.hand[self.first]), int(x.hand[1 - self.first])]
        rest = [int(x.deck) >> 4 * i & 15 for i in range(int(x.left))]
        return [int(x.aside), *counted(int(x.face_up)), *hands, int(x.drawn), *rest]

    def top(self, turn: int) -> int:
        """The place in the deck of the card that was drawn for a turn."""
        return len(self.deck) - int(self.views[turn][0].left) - 1

    def hidden_places(self) -> Iterator[tuple[int, int]]:
        """The places of the cards that the other got, in order, and the turn from which on
        each matters."""
        yield HANDS_AT + (self.first != self.other), 0
        for turn, view in enumerate(self.views):
            if turn and self.top(turn) > self.top(turn - 1) + 1:  # somebody drew for a Prince
                code = self.plays[turn - 1].code
                assert code & 15 == PRINCE
                if (code >> 4 & 15) - 1 == self.other:
                    yield self.top(turn) - 1, turn
            if view[0].turn == self.other:
                yield self.top(turn), turn

    def unseen(self) -> Counter[int]:
        """The cards that the seat has not seen where they were dealt."""
        last = self.top(len(self.plays))
        hidden = {place for place, _ in self.hidden}
        seen = [c for i, c in enumerate(self.deck) if 1 <= i <= last and i not in hidden]
        return Counter(self.deck) - Counter(seen)

    def replayed(self, placed: list[int], turns: int) -> list[Any] | None:
        """The states of so many turns if the other got these cards and anything later; None if
        the seat would have seen something else."""
        deck = list(self.deck)
        left = self.unseen() - Counter(placed)
        cards = iter([*placed, *left.elements()])
        last = self.top(len(self.plays))
        for place in [p for p, _ in self.hidden] + [0, *range(last + 1, len(deck))]:
            deck[place] = next(cards)
        state = self.game.deal_deck(deck, self.first)
        states = []
        for turn in range(turns + 1):
            if self.game.view(state, self.seat).state.tobytes() != self.views[turn].tobytes():
                return None
            states.append(state)
            if turn < turns:
                if self.plays[turn].code not in self.game.kernels.legal(state):
                    return None
                state = state.copy()
                self.game.kernels.apply(state, self.plays[turn].code)
        return states

    def likelihood(self, states: list[Any], noise: Fraction) -> Fraction:
        """The probability of the other's plays in a world that looks right."""
        result = Fraction(1)
        for state, play in zip(states, self.plays, strict=False):
            x = state[0]
            if x.turn != self.other:
                continue
            gone = [*counted(int(x.face_up)), *counted(int(x.spent[0])), *counted(int(x.spent[1]))]
            shown = int(x.hand[self.seat]) if x.known[self.other] >> self.seat & 1 else None
            hand = int(x.hand[self.other]), int(x.drawn)
            me = bool(x.protected >> self.seat & 1), shown
            best, plays = by_the_model(self.game.settings["deck"], hand, tuple(gone), me)
            result *= noise / plays + (1 - noise) * (best == self.as_seat_2(str(play)))
        return result

    def as_seat_2(self, play: str) -> str:
        """A play as if the other were seat 2."""
        return play if self.other == 1 else play.translate(str.maketrans("12", "21"))

    def placements(self, placed: list[int], weight: int) -> Iterator[tuple[list[Any], int]]:
        """Every way to place the hidden cards that looks right, and how many deals it stands
        for."""
        done = len(placed) == len(self.hidden)
        turns = len(self.plays) if done else self.hidden[len(placed)][1]
        states = self.replayed(placed, turns)
        if states is None:
            return
        if done:
            yield states, weight
            return
        left = self.unseen() - Counter(placed)
        for card, copies in left.items():
            yield from self.placements([*placed, card], weight * copies)

    def posterior(self, noise: Fraction) -> dict[int, Fraction]:
        """The probability of each card in the other's hand now."""
        weights: dict[int, Fraction] = {}
        for states, deals in self.placements([], 1):
            card = int(states[-1][0].hand[self.other])
            weight = deals * self.likelihood(states, noise)
            weights[card] = weights.get(card, Fraction(0)) + weight
        total = sum(weights.values(), Fraction(0))
        return {card: weight / total for card, weight in weights.items()}
