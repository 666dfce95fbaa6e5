"""Exact judgements: what a solver of the game knows, or a search to the end."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from kibitz.core.errors import KibitzError
from kibitz.core.game import Chance, View
from kibitz.review.judgement import Estimate, Judgement, PlayValue, ValueKind
from kibitz.review.unit_value import UnitValue

NODES, WITH_CHANCE = 20_000, 3_000
"""That a search for one play may enter, also where chance moves: then it is given up, and games
are played on instead."""


def exact_judgement(view: View[Any], unit_value: UnitValue) -> Judgement | None:
    """The exact value of every play; None if nobody knows it."""
    game = view.game
    if game.exact_plays:
        known = import_module(game.exact_plays).exact_plays(view)
        return None if known is None else _judgement(view, unit_value, *known)
    if game.traits.hidden:
        return None
    values = searched(view)
    return None if values is None else _judgement(view, unit_value, values, "search to the end")


def _judgement(
    view: View[Any], unit_value: UnitValue, returns: Mapping[Any, float], judge: str
) -> Judgement:
    """From what each play returns to the seat."""
    others = -1 / max(view.game.players - 1, 1)
    found = []
    for play, value in returns.items():
        end = np.full(view.game.players, value * others)
        end[view.seat] = value
        found.append(
            (play, float(unit_value.values(end)[view.seat]), _chance(unit_value, end, view.seat))
        )
    found.sort(key=lambda one: -one[1])
    top = found[0][1]
    values = tuple(
        PlayValue(play, Estimate(value), Estimate(chance), Estimate(top - value), 0)
        for play, value, chance in found
    )
    return Judgement(
        view.seat,
        ValueKind.EXACT,
        judge,
        unit_value.name,
        unit_value.is_chance,
        unit_value.margin,
        values,
    )


def _chance(unit_value: UnitValue, end: Any, seat: int) -> float:
    """The chance to win. Values that are chances are it; points ahead are won or not."""
    if unit_value.is_chance:
        return float(unit_value.values(end)[seat])
    return float(unit_value.chances(end)[seat])


def searched(view: View[Any]) -> dict[Any, float] | None:
    """A game with open cards: what each play returns to the seat, with best play of all; None if
    that takes too many nodes, or the game is not for two."""
    from kibitz.search.textbook.algorithms import Settings, run, suitable

    game, values = view.game, {}
    nodes = WITH_CHANCE if game.traits.chance is Chance.PLAY else NODES
    try:
        name = suitable(game)[-1]
        for play in game.plays(view.state):
            found = run(name, game, game.after(view.state, play), Settings(nodes=nodes))
            if not found.exact:
                return None
            values[play] = float(found.for_protagonist) * (1 if view.seat == 0 else -1)
    except KibitzError:
        return None
    return values
