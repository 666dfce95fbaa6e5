"""Models of the others, for strategies that search: how they play on, and what they hold.

Both follow the game's greedy strategy where there is one; `auto` means just that.
"""

from __future__ import annotations

import importlib
from functools import cache
from types import SimpleNamespace
from typing import Any

from kibitz.core.errors import UnsuitableGame
from kibitz.core.options import Option
from kibitz.games.compiled_game import CompiledGame

GREEDY = {
    "love-letter": "kibitz.strategies.love_letter.greedy",
    "tablic": "kibitz.strategies.tablic.greedy",
}
BELIEFS = {
    "love-letter": "kibitz.strategies.love_letter.beliefs",
    "tablic": "kibitz.strategies.tablic.beliefs",
}
NONE, BY_GREEDY, BY_TAKER = range(3)

BELIEF = Option(
    "belief",
    "auto",
    "how the others are taken to have played, when worlds are drawn",
    choices=("auto", "none", "greedy", "taker"),
)
SLIP = Option("slip", 0.2, "how often that model of the others is wrong", least=0.001, most=1)
ROLLOUT = Option(
    "rollout", "auto", "how games are played to the end", choices=("auto", "uniform", "greedy")
)


def check_models(settings: Any, game: CompiledGame) -> None:
    """Refuse a model that a game does not have."""
    belief = settings.get("belief", "auto")
    if belief == "taker" and game.name != "tablic":
        raise UnsuitableGame("belief=taker is for tablic: it asks what somebody did not capture")
    asked = [belief, settings.get("rollout", "auto"), settings.get("reply", "auto")]
    if "greedy" in asked and game.name not in GREEDY:
        raise UnsuitableGame(f"{game.name} has no greedy strategy to model the others by")


@cache  # kernels are bound to what these give, so it must be the same thing each time
def rollout_policy_for(game: CompiledGame, rollout: str) -> Any:
    """The policy that rollouts follow, and its prior of a play."""
    if rollout != "uniform" and game.name in GREEDY:
        rules = importlib.import_module(GREEDY[game.name])
        return SimpleNamespace(choose=rules.choose, prior=rules.promise)
    from kibitz.jit.kernels import bind
    from kibitz.search.fast.rollouts import no_prior, random_policy

    return SimpleNamespace(choose=bind(random_policy, game=game.kernels), prior=no_prior)


@cache
def sampler_for(game: CompiledGame, belief: str) -> Any:
    """What draws the worlds: see `search/fast/worlds.py`."""
    if belief != "none" and game.name in BELIEFS:
        return importlib.import_module(BELIEFS[game.name])
    from kibitz.jit.kernels import bind
    from kibitz.search.fast import worlds

    kernels = game.kernels
    return SimpleNamespace(
        SIZE=worlds.SIZE,
        prepare=bind(worlds.prepare, full=kernels),
        sample=bind(worlds.sample, full=kernels),
    )


def is_model(sampler: Any) -> bool:
    """Whether it takes into account how the others have played."""
    return getattr(sampler, "__name__", "") in BELIEFS.values()


def belief_numbers(settings: Any) -> tuple[float, float]:
    """The last two numbers of a policy: the model, and how often it is wrong."""
    models = {"none": NONE, "auto": BY_GREEDY, "greedy": BY_GREEDY, "taker": BY_TAKER}
    return float(models[settings["belief"]]), float(settings["slip"])
