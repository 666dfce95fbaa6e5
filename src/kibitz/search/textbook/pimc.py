"""PIMC, perfect information Monte Carlo: deal the unseen cards N times, solve each deal with
open cards, and choose the play that is best on average.

As the bridge program Jack does with N = 100; first in M. Ginsberg, "GIB: Imperfect
Information in a Computationally Challenging Game", 2001. Limits (I. Frank and D. Basin,
1998): it never plays to learn or to hide something, because in each deal it believes that
everything is known, and it may plan different plays for deals that it can't tell apart.
"""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Chance, Game, P, S, View
from kibitz.jit.rng import stream
from kibitz.search.textbook.result import BudgetSpent, Counts, Known, Result, TooDeep, at_least_one
from kibitz.search.textbook.star import Star1
from kibitz.search.textbook.trace import NOWHERE, Sample, Trace
from kibitz.search.textbook.tree_search import NODES, Horizon

NAME = "pimc"
WORLDS = 100


class InOneWorld(Star1[S, P]):
    """Alpha-beta in one dealt world, where every card is known."""

    name: ClassVar[str] = NAME

    @classmethod
    def check(cls, game: Game[Any, Any]) -> None:
        if not game.traits.hidden:
            instead = "expectiminimax" if game.traits.chance is Chance.PLAY else "alpha-beta"
            if game.players != 2:
                instead = "mcts"
            raise UnsuitableGame(
                f"{NAME} deals the cards that are not seen, and {game.name} hides none;"
                f" try {instead}"
            )
        if game.players != 2:
            raise UnsuitableGame(
                f"{NAME} solves worlds for two players, and {game.name} has {game.players};"
                " try ismcts"
            )


def pimc(
    view: View[S],
    *,
    worlds: int = WORLDS,
    horizon: Horizon | None = None,
    seed: int = 0,
    nodes: int = NODES,
    trace: Trace | None = None,
) -> Result[Any]:
    """The play that is best on average over dealt worlds. Values are those of the mover."""
    game = view.game
    InOneWorld.check(game)
    at_least_one("worlds", worlds)
    rng = stream(seed)
    plays = list(view.plays())
    sign = 1 if view.seat == 0 else -1
    totals = dict.fromkeys(plays, 0.0)
    counts = Counts()
    root = trace.add(None, NOWHERE) if trace is not None else NOWHERE
    numbers = {play: trace.add(play, root) for play in plays} if trace is not None else {}
    for number in range(1, worlds + 1):
        world = game.redeal(view, rng)
        for play in plays:
            search: InOneWorld[S, Any] = InOneWorld(
                game, horizon=horizon, nodes=nodes - counts.nodes
            )
            try:
                result = search.run(game.after(world, play))
            except TooDeep:
                raise
            except BudgetSpent:
                raise BudgetSpent(
                    f"{NAME} stopped after {nodes} nodes, its limit, in world {number} of"
                    f" {worlds}; allow more, set a depth, or deal fewer worlds"
                ) from None
            totals[play] += sign * result.value
            counts.add(result.counts)
            if trace is not None:
                trace.visit(numbers[play], number, sign * totals[play] / number)
        if trace is not None:
            trace.visit(root, number, sign * max(totals.values()) / number)
            trace.events.append(Sample(number, f"world {number} is solved"))
    values = {play: Known(total / worlds, "≈", worlds) for play, total in totals.items()}
    # max() keeps the first of equal ones: the lowest play.
    best = max(plays, key=lambda play: values[play].value)
    return Result(values[best].value, best, values, (best,), counts, view.seat, exact=False)
