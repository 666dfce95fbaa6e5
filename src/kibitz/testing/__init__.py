"""The conformance kit: what every game and every strategy must do, for the tests of any package.

>>> from kibitz.testing import check_game, check_strategy
>>> check_game("kuhn-poker", games=3)
>>> check_strategy("random", "kuhn-poker", decisions=10)

What is broken raises `BrokenRule`, an AssertionError, in one sentence: the rule, and the case that
breaks it.
"""

from kibitz.testing.broken_rule import BrokenRule
from kibitz.testing.codec_rules import check_codec
from kibitz.testing.game_rules import GAME_RULES, check_game
from kibitz.testing.strategy_rules import STRATEGY_RULES, check_strategy

__all__ = [
    "GAME_RULES",
    "STRATEGY_RULES",
    "BrokenRule",
    "check_codec",
    "check_game",
    "check_strategy",
]
