"""The luck of chance events, to be taken off the results of a comparison.

A game's result less the luck of its chance events has the same mean as the result, and less
variance where the luck says much about it: a control variate, as in AIVAT (Burch, Schmid,
Moravčík, Morrill and Bowling, AAAI 2018). Unlike there the players' own probabilities are not
needed, so it works for any strategy, and what was hidden from a player stays as it was.

A game names the module of its luck (`Game.luck`), which has

    luck_of_play(before, earlier, play, after, numbers, scratch, rng)
                a kernel: what chance gave the first seat, in chances to win, between this play and
                the next one; each chance event has mean zero given all that came before it
    numbers()   what the kernel gets of tables and weights
    ALLOWED     what the players may know: the mean is zero only if nobody knows what comes

It is for two players and for one round or game. What is dealt at the start counts nothing: a
pair's games have the same cards, seats swapped.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.registry import games
from kibitz.core.strategy import Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.table.table import Table


def luck_module(game: Game[Any, Any]) -> Any:
    """What a game names as its luck; UnsuitableGame if there is nothing."""
    if not game.luck or not isinstance(game, CompiledGame):
        raise UnsuitableGame(
            f"less-luck is for games that say what chance gave whom, and {game.name} does not;"
            f" allowed: {', '.join(name for name, cls in games().items() if cls.luck)}"
        )
    return importlib.import_module(game.luck)


def check_less_luck(game: Game[Any, Any], strategies: Sequence[Strategy], unit: str) -> None:
    """Refuse what can't be corrected: then its mean would not stay what it is."""
    module = luck_module(game)
    if game.players != 2:
        raise BadText(f"less-luck is for two players, and {game} has {game.players}")
    if unit != game.traits.unit:
        raise BadText(f"less-luck is for one {game.traits.unit}, not for a {unit}")
    for strategy in strategies:
        if strategy.knows not in module.ALLOWED:
            raise BadText(
                f"less-luck is for players who do not know what comes, and {strategy} is"
                f" {strategy.knows}; allowed in {game.name}: {', '.join(module.ALLOWED)}"
            )


class LuckOfGame:
    """The luck of games that were played at a table."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._module = luck_module(game)
        self._game = game

    def of_table(self, table: Table) -> float:
        """What chance gave the first seat in all chance events of a game, up to its end or to
        where somebody failed."""
        assert isinstance(self._game, CompiledGame)
        before = self._game.deal(table.seed, table.first)
        scratch, numbers, rng = self._game.blank(), self._module.numbers(), table.seeds.luck
        total, earlier = 0.0, -1
        for text in table.plays:
            play = self._game.parse_play(before, text)
            after = self._game.after(before, play)
            total += self._module.luck_of_play(
                before, earlier, play.code, after, numbers, scratch, rng
            )
            before, earlier = after, play.code
        return total
