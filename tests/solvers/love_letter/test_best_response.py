"""Best responses to known strategies: against full histories, real views, and rounds played."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest

from kibitz.core.errors import UnsuitableGame
from kibitz.core.registry import make_strategy
from kibitz.games.love_letter.cards import COPIES, GUARD, NUMBERS, PRIEST
from kibitz.games.love_letter.game import LoveLetter
from kibitz.jit.rng import stream
from kibitz.solvers.love_letter.best_response import BestResponse, ResponseStates, StrategyInput
from kibitz.solvers.love_letter.public_line import play_of
from kibitz.solvers.love_letter.public_states import (
    ANY,
    MINE,
    PLAY_HANDMAID,
    PLAY_KING,
    PLAY_PRIEST,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
    THEIRS,
    PublicState,
    PublicStates,
    bit,
)
from kibitz.solvers.love_letter.solver import Round
from kibitz.strategies.love_letter.action_probabilities import chances_of, plays_of
from kibitz.table.table import Table
from tests.oracle import love_letter_equilibrium as histories
from tests.oracle import love_letter_strategies as formulas
from tests.search.fast.arrays import compiled_only

pytestmark = compiled_only

GAME = LoveLetter()
STRATEGIES = ("random", "probabilistic", "greedy", "greedy:bluff=true")
POSITIONS = [
    position
    for position, _ in histories.stored()
    if position.deck <= 3 and sum(position.unseen) <= 6
]


# -- by full histories ---------------------------------------------------------------------


class Knowledge:
    """What a player knows, from all that he has seen in a full history."""

    def __init__(self, position: histories.Position, seat: int, sees: histories.Sees) -> None:
        self.left = list(position.unseen)
        self.held: list[int] = []
        self.shown = 0
        """The other's card, if it was laid open and he still has it."""
        self.protected = position.shield and seat == 1
        before = 0
        for event in sees:
            what, *rest = event
            if what == "hold":
                # Only a King gives a card for one's own, and that one is the other's now.
                if self.held and self._traded(before):
                    self.shown = self.held[0]
                self.held = [int(rest[0])]
            elif what == "draw":
                self.held.append(int(rest[0]))
            elif what == "shown":
                self.shown = int(rest[0])
            elif what == "discard":
                self.left[int(rest[1]) - 1] -= 1
                if rest[0] != seat:
                    self.shown = 0
            else:
                self._play(seat, *map(int, rest))
            if what == "play":
                before = int(rest[1])

    @staticmethod
    def _traded(card: int) -> bool:
        return card == histories.KING

    def _play(self, seat: int, mover: int, card: int, target: int, guess: int) -> None:
        self.left[card - 1] -= 1
        if mover == seat:
            self.held.remove(card)
            self.protected = False
        else:
            self.protected = card == histories.HANDMAID
            if card == self.shown:
                self.shown = 0
        if card == histories.BARON and target:  # both are still in: equal cards
            self.shown = self.held[0]


@cache
def form_of(position: histories.Position) -> histories.Form:
    return histories.Form(histories.tree(position))


def policy(name: str, position: histories.Position, seat: int) -> histories.Policy:
    @cache
    def chances(sees: histories.Sees, plays: tuple[histories.Play, ...]) -> Mapping[Any, float]:
        known = Knowledge(position, seat, sees)
        seen = formulas.Seen(
            "published",
            seat,
            (known.held[0], known.held[1]),
            [
                card
                for card in histories.CARDS
                for _ in range(histories.COPIES[card - 1] - known.left[card - 1])
            ],
            {3 - seat: formulas.Other(protected=known.protected, shown=known.shown or None)},
        )
        if name == "random":
            drawn = [play for play in plays if play.card != histories.PRINCESS]
            return dict.fromkeys(drawn, 1 / len(drawn))
        if name == "probabilistic":
            probabilities = formulas.probabilistic(seen)
        else:
            probabilities = {formulas.greedy(seen, name.endswith("true")): 1}  # type: ignore[dict-item]
        return {
            histories.Play(*_parts(text)): float(chance) for text, chance in probabilities.items()
        }

    return chances


def _parts(text: str) -> tuple[int, int, int]:
    card, _, rest = text.partition(">")
    target, _, guess = rest.partition("=")
    return NUMBERS[card], int(target or 0), NUMBERS.get(guess, 0)


@pytest.mark.parametrize("name", STRATEGIES)
def test_best_responses_are_those_of_full_histories(name: str) -> None:
    chances = chances_of(make_strategy(name), GAME)
    for position in POSITIONS:
        lead = position.sums[0] - position.sums[1]
        response = BestResponse(
            Round(position.unseen, position.shield, lead, position.ranges), ResponseStates(chances)
        )
        exact = [form_of(position).best(policy(name, position, 3 - seat), seat) for seat in (2, 1)]
        assert response.solve_both() == pytest.approx(exact, abs=1e-6), position


# -- what a strategy looks at --------------------------------------------------------------


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_chances_are_those_of_the_real_view(name: str) -> None:
    """Whatever came before: discards, guesses and who is ahead do not matter."""
    strategy = make_strategy(name)
    chances, drawn = chances_of(strategy, GAME), plays_of(strategy, GAME)
    some = 0
    for seed in range(60):
        table = Table(GAME, seed)
        while not table.is_over:
            if table.mover == 0:
                view = table.view(0).state
                x = view[0]
                gone = int(x.face_up) + int(x.spent[0]) + int(x.spent[1])
                left = tuple(
                    COPIES["published"][card] - (gone >> 4 * (card - 1) & 15)
                    for card in range(1, 9)
                )
                shown = int(x.hand[1]) if x.known[0] >> 1 & 1 else 0
                low, high = sorted((int(x.hand[0]), int(x.drawn)))
                expected: dict[tuple[int, int], float] = {}
                for code, chance in drawn(view).items():
                    option = play_of(code, 0), low + high - (code & 15)
                    expected[option] = expected.get(option, 0.0) + chance
                seen = StrategyInput(left, bool(x.protected >> 1 & 1), shown)
                assert chances(seen, low, high) == expected
                some += bool(shown)
            player = make_strategy("random").sit(GAME, table.mover, stream(seed, len(table.plays)))
            table.play(player.choose(table.view(table.mover)))
    assert some > 5


def test_strategies_that_look_at_more_are_refused() -> None:
    with pytest.raises(UnsuitableGame, match="how the round went"):
        chances_of(make_strategy("ismcts"), GAME)


class Telling(PublicStates):
    tracks_shown = True


def test_a_card_is_shown_until_it_is_played_or_exchanged() -> None:
    states = Telling()
    known = PublicState((2, 1, 1, 1, 1, 1, 0, 1), False, bit(PRIEST), ANY, True, False, MINE)
    at = states.add(known)
    shown = {
        (branch.play, branch.retained, branch.shown): states.states[branch.state].shown
        for branch in states.branches[at]
    }
    assert shown[PLAY_HANDMAID, 0, 0] == THEIRS  # he keeps the Priest
    assert shown[PLAY_PRIEST, 0, GUARD] == MINE  # he may have any card; the other's is shown
    assert shown[PRINCE_ON_SELF, PRIEST, 0] == 0
    assert shown[PRINCE_ON_OTHER, 0, GUARD] == THEIRS
    assert shown[PLAY_KING, PRIEST, GUARD] == MINE | THEIRS
