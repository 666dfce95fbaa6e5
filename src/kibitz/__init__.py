"""Kibitz: a workbench for card games.

>>> import kibitz
>>> game = kibitz.make_game("love-letter")
>>> state = game.deal(seed=1)
>>> game.is_over(state)
False
"""

from kibitz.model import CHANCE, Chance, Game, Traits
from kibitz.registry import make_game, make_strategy
from kibitz.version import __version__

__all__ = ["CHANCE", "Chance", "Game", "Traits", "__version__", "make_game", "make_strategy"]
