"""The searches by name, with one way to call them all: for the command line and studies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

from kibitz.core import checks
from kibitz.core.errors import BadText, BadType, BadValue, UnsuitableGame
from kibitz.core.game import CHANCE, Chance, Game
from kibitz.search.textbook import ismcts, iterative_deepening, mcts, pimc
from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.expectiminimax import Expectiminimax
from kibitz.search.textbook.horizon import DepthLimit, Evaluation
from kibitz.search.textbook.minimax import Minimax
from kibitz.search.textbook.result import Result
from kibitz.search.textbook.star import Star1, Star2
from kibitz.search.textbook.trace import Trace
from kibitz.search.textbook.transposition import AlphaBetaWithTable, MergedMinimax
from kibitz.search.textbook.tree_search import INFINITY, NODES, Horizon, TreeSearch, Watch

TREE_SEARCHES: dict[str, type[TreeSearch[Any, Any]]] = {
    "minimax": Minimax,
    "minimax-merged": MergedMinimax,
    "alpha-beta": AlphaBeta,
    "alpha-beta-table": AlphaBetaWithTable,
    "expectiminimax": Expectiminimax,
    "star1": Star1,
    "star2": Star2,
}
NO_BOUNDS = (-INFINITY, INFINITY)
FROM_VIEW = ("pimc", "ismcts")
"""Those that begin with what a seat sees."""
SAMPLING = ("mcts", *FROM_VIEW)
NAMES = (*TREE_SEARCHES, "iterative-deepening", *SAMPLING)


@dataclass(frozen=True)
class Settings:
    """The options of a search; None is its own default."""

    depth: int | None = None
    weights: Mapping[str, float] | None = None
    bounds: tuple[float, float] | None = None
    """For Star1 and Star2; None: those that the game knows."""
    nodes: int = NODES
    samples: int | None = None
    seconds: float | None = None
    seed: int = 0
    watch: Watch | None = None

    def checked(self) -> Settings:
        """Themselves, if each is of its kind: for what somebody hands in."""
        for name in ("depth", "nodes", "samples"):
            if name == "nodes" or getattr(self, name) is not None:
                checks.whole_number(getattr(self, name), name)
        weights = {} if self.weights is None else self.weights
        checks.one_of(weights, Mapping, "a dict of weights, such as {'threes': 0.1},")
        bounds = () if self.bounds is None else self.bounds
        if not isinstance(bounds, (tuple, list)) or (bounds and len(bounds) != 2):
            raise BadType(f"bounds are two numbers, (low, high), not {checks.brief(bounds)}")
        for number in (*weights.values(), *bounds):
            checks.one_of(number, Real, "a number in weights and bounds")
        return self


def run(
    name: str,
    game: Game[Any, Any],
    state: Any,
    settings: Settings | None = None,
    trace: Trace | None = None,
) -> Result[Any]:
    """The result of a search from a state."""
    settings = settings or Settings()
    if name not in NAMES:
        raise BadText(f"there is no algorithm {checks.brief(name)}; known: {', '.join(NAMES)}")
    _check_settings(name, settings)
    if name == "mcts":
        samples = 1000 if settings.samples is None else settings.samples
        return mcts.mcts(game, state, iterations=samples, seed=settings.seed, trace=trace)
    if name in FROM_VIEW:
        return _from_view(name, game, state, settings, trace)
    if name == "iterative-deepening":
        iterative_deepening.Deeper.check(game)
        return iterative_deepening.deepen(
            game,
            state,
            Evaluation(game, settings.weights),
            1.0 if settings.seconds is None else settings.seconds,
            nodes=settings.nodes,
            trace=trace,
            **({} if settings.depth is None else {"deepest": settings.depth}),
        )
    options: dict[str, Any] = {"trace": trace, "nodes": settings.nodes, "watch": settings.watch}
    if name in ("star1", "star2"):
        options["bounds"] = game.bounds if settings.bounds is None else settings.bounds
    search = TREE_SEARCHES[name](game, horizon=_horizon(game, settings), **options)
    return search.run(state)


def first_state(game: Game[Any, Any], seed: int, algorithm: str | None) -> Any:
    """The state where a search begins that got no position: the deal of this seed. Should chance
    move first, as when it deals, it draws by the seed too for a search that needs a seat's view."""
    start = game.start(seed)
    return (start.after_chance(seed) if algorithm in FROM_VIEW else start).state


def suitable(game: Game[Any, Any]) -> list[str]:
    """The tree searches that suit a game, the plainest first."""
    if game.traits.chance is Chance.PLAY:
        names = ["expectiminimax", "star1", "star2"]
    else:
        names = ["minimax", "minimax-merged", "alpha-beta", "alpha-beta-table"]
    for name in names:
        TREE_SEARCHES[name].check(game)
    return names


def label_of(game: Game[Any, Any], result: Result[Any]) -> str | None:
    """What the value is called. A mean over chance is called only what is certain."""
    is_mean = game.traits.chance is Chance.PLAY and result.value not in game.bounds
    return game.label(result.value) if result.exact and not is_mean else None


def _horizon(game: Game[Any, Any], settings: Settings) -> Horizon | None:
    if settings.depth is None:
        return None
    return DepthLimit(Evaluation(game, settings.weights), settings.depth)


def _from_view(
    name: str, game: Game[Any, Any], state: Any, settings: Settings, trace: Trace | None
) -> Result[Any]:
    if game.is_over(state) or game.mover(state) == CHANCE:
        why = f"the {game.traits.unit} is over" if game.is_over(state) else "chance moves here"
        raise UnsuitableGame(f"{name} needs a position where a seat is to move: {why}")
    view = game.view(state, game.mover(state))
    if name == "pimc":
        worlds = pimc.WORLDS if settings.samples is None else settings.samples
        horizon = _horizon(game, settings)
        return pimc.pimc(
            view,
            worlds=worlds,
            horizon=horizon,
            seed=settings.seed,
            nodes=settings.nodes,
            trace=trace,
        )
    samples = 1000 if settings.samples is None else settings.samples
    return ismcts.ismcts(view, iterations=samples, seed=settings.seed, trace=trace)


def _check_settings(name: str, settings: Settings) -> None:
    """An option that an algorithm does not have is a mistake, not something to pass over."""
    plain = Settings()
    known = {
        "depth": name not in ("mcts", "ismcts"),
        "weights": name not in ("mcts", "ismcts"),
        "bounds": name in ("star1", "star2"),
        "samples": name in SAMPLING,
        "seconds": name == "iterative-deepening",
    }
    for option, has in known.items():
        if not has and getattr(settings, option) != getattr(plain, option):
            raise BadText(f"{name} has no option {option}")
    if settings.weights is not None and settings.depth is None and name != "iterative-deepening":
        raise BadText("weights are for an evaluation, and without a depth nothing is evaluated")
    for option, least in (("depth", 1), ("samples", 1), ("nodes", 1), ("seconds", 0)):
        value = getattr(settings, option)
        if value is not None and value < least:
            raise BadValue(f"{option}={value:g} is not possible; it is at least {least}")
    if settings.bounds is not None and settings.bounds[0] > settings.bounds[1]:
        raise BadValue("the lower bound is over the upper one")
