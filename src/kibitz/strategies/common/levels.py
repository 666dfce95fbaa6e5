"""Levels: how strong an opponent a person wants, and which strategy that is in each game. The
games declare their levels, the strategies whether they are quick and whether they advise."""

from __future__ import annotations

from typing import Any

from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.registry import make_strategy, strategies
from kibitz.core.strategy import Knows, Strategy

LEVELS = ("easy", "medium", "hard")
USUAL = "medium"
"""Whom a person plays who does not say."""


def levels_for(game: Game[Any, Any]) -> dict[str, str]:
    """The levels of a game with its options, and the strategy of each."""
    known = {level: _first_that_suits(game.levels.get(level, ()), game) for level in LEVELS}
    return {level: spec for level, spec in known.items() if spec}


def _first_that_suits(specs: str | tuple[str, ...], game: Game[Any, Any]) -> str:
    """Of one strategy's text or several; empty if none can play the game."""
    specs = (specs,) if isinstance(specs, str) else specs
    return next((spec for spec in specs if suits(make_strategy(spec), game)), "")


def opponent_of(game: Game[Any, Any], level: str) -> Strategy:
    """Who plays a game at a level."""
    if level not in LEVELS:
        raise BadText(f"there is no level {level!r}; the levels: {', '.join(LEVELS)}")
    known = levels_for(game)
    if level not in known:
        raise BadText(f"{game} has no level {level}; it has {', '.join(known)}")
    return make_strategy(known[level])


def usual_opponent(game: Game[Any, Any]) -> Strategy:
    """Who plays against a person who names nobody."""
    return make_strategy(levels_for(game).get(USUAL, "random"))


def adviser_for(game: Game[Any, Any]) -> Strategy | None:
    """Whom the game names, or the strongest that knows no more than a player at the table; none
    if all it could say is that it drew lots."""
    levels = levels_for(game)
    named = [levels[level] for level in reversed(LEVELS) if levels.get(level, "random") != "random"]
    advisers = [name for name, cls in strategies().items() if cls.advises]
    for spec in (*([game.adviser] if game.adviser else ()), *named, *advisers):
        strategy = make_strategy(spec)
        if strategy.knows is Knows.FAIR and suits(strategy, game):
            return strategy
    return None


def explainer_for(game: Game[Any, Any]) -> Strategy:
    """Who explains a decision if nobody is named: a strong fair one."""
    adviser = adviser_for(game)
    if adviser is None:
        raise UnsuitableGame(f"nobody can explain {game}; strategies that play it: random")
    return adviser


def quick_pairs(game: Game[Any, Any]) -> int:
    """How many shuffles the quick ones play in a minute or so. With more players each is
    played in more seats, and the games are longer."""
    return game.quick_shuffles * 4 // game.players**2


def quick_fair_ones(game: Game[Any, Any]) -> list[str]:
    """Every compiled strategy that plays a game knowing no more than a player may, each at
    settings with which a comparison of all takes a minute or so. All, if none is compiled."""
    specs = [f"{name}:{cls.quick}" if cls.quick else name for name, cls in strategies().items()]
    made = {spec: make_strategy(spec) for spec in specs}
    fair = {s: it for s, it in made.items() if it.knows is Knows.FAIR and suits(it, game)}
    return [s for s, it in fair.items() if it.policy(game) is not None] or list(fair)


def suits(strategy: Strategy, game: Game[Any, Any]) -> bool:
    """Whether a strategy can play a game."""
    try:
        strategy.check_game(game)
    except UnsuitableGame:
        return False
    return True
