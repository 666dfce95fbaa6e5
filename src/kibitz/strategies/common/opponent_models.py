"""Models of the others, for strategies that search: how they play on, and what they hold.

Both follow the game's greedy strategy where there is one; `auto` means just that. A game names
its greedy rules in `strategy_modules`, and what draws worlds by a model of the others in `beliefs`.
"""

from __future__ import annotations

import importlib
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.options import Option
from kibitz.core.registry import games
from kibitz.games.compiled_game import CompiledGame

if TYPE_CHECKING:
    from kibitz.search.fast.worlds import BeliefOptions

BELIEF = Option(
    "belief",
    "auto",
    "how the others are taken to have played, when worlds are drawn: auto, none, or a model that"
    " the game has (greedy; in Tablić also taker)",
)
NOISE = Option(
    "noise", 0.2, "how often that model of the others is wrong", least=0.001, most=1, former="slip"
)
JUDGED_NOISE = 0.6
"""The same when decisions are judged and the game has no model of its own for that: whoever is
reviewed may play in any way."""
ROLLOUT = Option(
    "rollout", "auto", "how games are played to the end", choices=("auto", "uniform", "greedy")
)

UNGUIDED = {"rollout": ("uniform",), "belief": ("none",), "reply": ("best",)}
"""What a search in plain Python may be told: that it follows no model."""


def check_models(settings: Any, game: Game[Any, Any]) -> None:
    """Refuse a model that a game does not have."""
    belief = settings.get("belief", "auto")
    by_greedy = "greedy" in (settings.get("rollout"), settings.get("reply"))
    if (by_greedy and "greedy" not in game.strategy_modules) or (
        belief == "greedy" and belief not in game.beliefs
    ):
        raise UnsuitableGame(f"{game.name} has no greedy strategy to model the others by")
    if belief not in ("auto", "none", *game.beliefs):
        known = ", ".join(name for name, cls in games().items() if belief in cls.beliefs)
        why = f"is for {known}" if known else "is not possible"
        allowed = ", ".join(("auto", "none", *game.beliefs))
        raise UnsuitableGame(f"belief={belief} {why}; allowed with {game.name}: {allowed}")


def follows_policy(game: CompiledGame, rollout: str) -> bool:
    """Whether rollouts follow a strategy of the game, not the random one."""
    return rollout != "uniform" and "greedy" in game.strategy_modules


@cache  # kernels are bound to what these give, so it must be the same thing each time
def rollout_policy(game: CompiledGame, rollout: str, *, played_lean: bool = False) -> Any:
    """The policy that rollouts follow, its prior, how good a play looks at once, and what plays on
    from a state of the game, or from a lean one."""
    from kibitz.jit.kernels import bind
    from kibitz.search.fast import rollouts

    if follows_policy(game, rollout):
        rules = importlib.import_module(game.strategy_modules["greedy"])
        evaluate = getattr(rules, "evaluate", rollouts.no_prior)
        policy = SimpleNamespace(choose=rules.choose, prior=evaluate, STATE=game.kernels.STATE)
        policy.play_out = bind(rollouts.play_out_by_policy, game=game.kernels, rollout=policy)
        return policy
    lean = game.lean_kernels
    if played_lean:
        lean = SimpleNamespace(**{**vars(lean), "strip": game.kernels.strip})
    return SimpleNamespace(
        choose=bind(rollouts.random_policy, game=game.kernels),
        prior=rollouts.no_prior,
        STATE=lean.STATE,
        play_out=bind(rollouts.play_out_randomly, lean=lean),
    )


@cache
def world_sampler(game: CompiledGame, belief: str) -> Any:
    """What draws the worlds: see `search/fast/worlds.py`."""
    model = _model(belief)
    if model in game.beliefs:
        return importlib.import_module(game.beliefs[model])
    from kibitz.jit.kernels import bind
    from kibitz.search.fast import worlds

    return SimpleNamespace(
        SIZE=worlds.SIZE,
        prepare=worlds.prepare,
        sample=bind(worlds.sample, game=game.kernels),
    )


def is_model(game: CompiledGame, sampler: Any) -> bool:
    """Whether it takes into account how the others have played."""
    name = getattr(sampler, "__name__", "")
    return name in game.beliefs.values() or getattr(sampler, "FOLLOWS_PLAY", False)


def _model(belief: str) -> str:
    return "greedy" if belief == "auto" else belief


def belief_numbers(settings: Any, game: CompiledGame) -> BeliefOptions:
    """The last numbers of a policy."""
    from kibitz.search.fast.worlds import BeliefOptions

    number = {name: 1 + i for i, name in enumerate(game.beliefs)}
    return BeliefOptions(
        model=float(number.get(_model(settings["belief"]), 0)), noise=float(settings["noise"])
    )
