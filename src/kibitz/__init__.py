"""Kibitz: a workbench for card games.

>>> import kibitz
>>> game = kibitz.make_game("love-letter")
>>> state = game.deal(seed=1)
>>> game.is_over(state)
False
"""

from kibitz.registry import games, make_game, make_strategy, strategies
from kibitz.version import __version__

__all__ = ["__version__", "games", "make_game", "make_strategy", "strategies"]
