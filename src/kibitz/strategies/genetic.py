"""Genetic: a weighted sum of what a play brings and what the opponent's reply takes (thesis
TB). The weights come from training: `kibitz train tablic genetic`."""

from __future__ import annotations

from typing import Any, ClassVar

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.options import Option
from kibitz.core.registry import strategy
from kibitz.core.strategy import Knows
from kibitz.strategies.common.base import RuleStrategy
from kibitz.strategies.common.genome import Genes, read_genome

THESIS_GENOME = (0.442331, 0.505713, 0.573743, 0.454097)
GENES = Genes("genetic", ("g0", "g1", "g2", "g3"), least=-10, most=10)
WEIGHED = "the own points", "the own cards", "the reply's points", "the reply's cards"


@strategy
class Genetic(RuleStrategy):
    """The thesis's genetic player of Tablić, by its genome or another."""

    name: ClassVar[str] = GENES.strategy
    trusted: ClassVar[bool] = True
    title: ClassVar[str] = "own points and cards against those of the greedy reply, weighted"
    knows: ClassVar[Knows] = Knows.OPEN_HANDS
    suit_blind: ClassVar[bool] = True
    options: ClassVar[tuple[Option, ...]] = (
        *(
            Option(
                name, gene, f"weight of {what}", least=GENES.least, most=GENES.most, train=(0, 1)
            )
            for name, gene, what in zip(GENES.names, THESIS_GENOME, WEIGHED, strict=True)
        ),
        Option(
            "genome", "", "a file that `kibitz train` wrote, instead of the four weights", file=True
        ),
    )

    def check_game(self, game: Game[Any, Any]) -> None:
        super().check_game(game)
        if game.players != 2:
            raise UnsuitableGame(f"{self.name} looks at one opponent's hand: 2 players only")

    def genome(self) -> tuple[float, ...]:
        """Its four weights, from the options or from a file."""
        if self.settings["genome"]:
            return read_genome(self.settings["genome"], GENES)
        return tuple(self.settings[name] for name in GENES.names)

    def numbers(self, game: Game[Any, Any]) -> tuple[float, ...]:
        return self.genome()
