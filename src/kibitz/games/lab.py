"""What the small games share: those of the lab exercise on game graphs and of the lecture
on search. They are small enough to look a position up among all that play can reach."""

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from kibitz.core.errors import BadText
from kibitz.core.game import CHANCE, WIN_OR_LOSE, Game
from kibitz.games.compiled_game import CompiledGame

CHOICES = ("paper", "rock", "scissors")
NOT_CHOSEN = -1
HIDDEN = -2
"""Chosen, but not known to whom the view belongs."""


class LabelledGame(CompiledGame):
    """A game that is won, drawn or lost, from the side of the protagonist: seat 1 for people."""

    labels: ClassVar[Mapping[str, float]] = WIN_OR_LOSE

    def value(self, state: Any) -> float:
        return sorted(self.labels.values())[int(self.returns(state)[0]) + 1]


def state_at(game: CompiledGame, text: str) -> Any:
    """The state that has this position, written as the game writes it."""
    states = _reachable(game)
    if text not in states:
        raise BadText(f"{text} is not possible: no play leads there")
    return states[text].copy()


@cache
def _reachable(game: CompiledGame) -> dict[str, Any]:
    states: dict[str, Any] = {}
    waiting = [game.deal(0)]
    while waiting:
        state = waiting.pop()
        text = game.position(state)
        if text not in states:
            states[text] = state
            waiting += [game.after(state, play) for play in game.plays(state)]
    return states


def read_choice(key: str, text: str) -> str:
    """Paper, rock or scissors."""
    if text not in CHOICES:
        raise BadText(f"{key}={text} is not possible; allowed: {', '.join(CHOICES)}")
    return text


def next_choice(game: Game[Any, Any], state: Any) -> str:
    """Who chooses and what there is, or how it ended: the last line of a drawing."""
    if game.is_over(state):
        return game.presenter.outcome(state)
    mover = game.mover(state)
    plays = ", ".join(map(str, game.plays(state)))
    return f"{'chance' if mover == CHANCE else f'seat {mover + 1}'} to choose: {plays}"
