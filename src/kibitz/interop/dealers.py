"""How a game is dealt where chance moves in a tree: card by card, or by one of its deals.

A game that deals card by card names a module in `Game.card_by_card`. In it stand these functions.
`fallen` is what has fallen so far, outcomes in their order; an outcome is a number from 0.

    most_outcomes(game)           no outcome is as high as this
    longest(game)                 how much falls in a game at most
    outcomes(game, fallen)        what may fall next, with its probability
    name(game, fallen, outcome)   what an outcome is called
    deal(game, fallen)            the game as it begins; what has not fallen yet is in any order
    needed(game, state)           how much has fallen where a game stands so
    recall(game, view, rng)       what may have fallen before a view, by lot: from what its seat has
                                  seen and from nothing else; None: try again

How much a play needs must not depend on what falls next. All plays are seen by everybody.

A small game lists its deals instead (`every_deal`): one outcome is a whole deal.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any, Protocol

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Chance, View

Outcomes = Sequence[tuple[int, float]]


class Dealer(Protocol):
    """What falls before and between the plays of a game."""

    most_outcomes: int
    longest: int

    def outcomes(self, fallen: Sequence[int]) -> Outcomes: ...
    def name(self, fallen: Sequence[int], outcome: int) -> str: ...
    def deal(self, fallen: Sequence[int]) -> Any: ...
    def needed(self, state: Any) -> int: ...


def dealer_of(game: Any) -> Dealer:
    """How a game is dealt; refused if it does not say so."""
    if game.card_by_card:
        return CardByCard(game)
    if game.traits.chance is not Chance.DEAL:
        return NothingDealt(game)
    try:
        return ListedDeals(game)
    except UnsuitableGame as error:
        raise UnsuitableGame(
            f"{game} has no tree: {error}, and names no module in card_by_card"
        ) from None


class NothingDealt:
    """A game that begins in one way only."""

    most_outcomes = longest = 0

    def __init__(self, game: Any) -> None:
        self.game = game

    def outcomes(self, fallen: Sequence[int]) -> Outcomes:
        return ()

    def name(self, fallen: Sequence[int], outcome: int) -> str:
        return ""

    def deal(self, fallen: Sequence[int]) -> Any:
        return self.game.deal(0)

    def needed(self, state: Any) -> int:
        return 0


class ListedDeals(NothingDealt):
    """One outcome is a deal."""

    longest = 1

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._deals = list(game.every_deal())
        self.most_outcomes = len(self._deals)

    def outcomes(self, fallen: Sequence[int]) -> Outcomes:
        return [(i, chance) for i, (_, chance) in enumerate(self._deals)]

    def name(self, fallen: Sequence[int], outcome: int) -> str:
        return str(self.game.position(self._deals[outcome][0]))

    def deal(self, fallen: Sequence[int]) -> Any:
        return self.game.copied(self._deals[fallen[0] if fallen else 0][0])

    def needed(self, state: Any) -> int:
        return 1


class CardByCard(NothingDealt):
    """What a game's own module says."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self._module: Any = importlib.import_module(game.card_by_card)
        self.most_outcomes = self._module.most_outcomes(game)
        self.longest = self._module.longest(game)

    def outcomes(self, fallen: Sequence[int]) -> Outcomes:
        outcomes: Outcomes = self._module.outcomes(self.game, fallen)
        return outcomes

    def name(self, fallen: Sequence[int], outcome: int) -> str:
        return str(self._module.name(self.game, fallen, outcome))

    def deal(self, fallen: Sequence[int]) -> Any:
        return self._module.deal(self.game, fallen)

    def needed(self, state: Any) -> int:
        return int(self._module.needed(self.game, state))

    def recall(self, view: View[Any], rng: Any) -> Sequence[int] | None:
        """What may have fallen before a view."""
        order: Sequence[int] | None = self._module.recall(self.game, view, rng)
        return order
