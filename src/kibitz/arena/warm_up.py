"""Run every kernel of a game once, so that the JIT cache has it."""

from __future__ import annotations

import os
from typing import Any

from kibitz.arena.compare import compare
from kibitz.core.game import Game
from kibitz.core.registry import make_game, make_strategy, strategies_for
from kibitz.core.strategy import Knows
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.rng import stream
from kibitz.table.table import Table


def warm_up_game(game: Game[Any, Any]) -> None:
    """A game through views, redeals and text, a batch, and a pair."""
    strategies = [make_strategy("random") for _ in range(game.players)]
    compare(game, strategies, 1)
    table = Table(game, seed=1)
    rng = stream(1)
    while not table.is_over:
        view = table.view(table.mover)
        game.redeal(view, rng)
        player = strategies[table.mover].sit(game, table.mover, rng)
        play = player.choose(view)
        table.play(game.parse_play(table.state, str(play)))
    game.returns(table.state)
    game.presenter.outcome(table.state)
    if isinstance(game, CompiledGame):
        from kibitz.search.fast.rollouts import random_games

        random_games(game, 1)
        if game.traits.match:
            game.kernels.next_first(table.state, rng)
            game.points(table.state)


def warm_up_strategies(game: Game[Any, Any]) -> None:
    """One pair and one explanation of every compiled strategy of a game."""
    for name in strategies_for(game):
        strategy = make_strategy(name)
        if strategy.policy(game) is None:
            continue
        others = [make_strategy("random") for _ in range(game.players - 1)]
        compare(game, [strategy, *others], 1)
        table = Table(game, seed=1)
        while not table.is_over and len(table.view(table.mover).plays()) < 2:
            table.play(table.view(table.mover).plays()[0])
        seat = table.mover
        strategy.sit(game, seat, stream(1)).explain(table.view(seat, strategy.knows))


def warm_up_play(spec: str, *strategies: str) -> None:
    """What a person at the table will have to wait for: decisions and hints of these
    strategies, at the first turn and later. Others that work come first."""
    os.nice(10)
    game = make_game(spec)
    for name in strategies:
        strategy = make_strategy(name)
        table = Table(game, seed=1)
        for _ in range(2):
            seat = table.mover
            view = table.view(seat, strategy.knows)
            player = strategy.sit(game, seat, stream(1))
            player.choose(view)
            if strategy.knows is Knows.FAIR:
                player.explain(view)
            if not table.is_over:
                table.play(view.plays()[-1])
            if table.is_over:
                break
