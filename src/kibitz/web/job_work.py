"""The jobs themselves: each gives data for JSON, and files by name."""

from __future__ import annotations

import base64
import math
import pickle
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from kibitz.core.explanation import Belief, Explanation
from kibitz.core.figures import percent
from kibitz.core.game import View

if TYPE_CHECKING:
    from kibitz.review.review import ReviewedDecision

Files = dict[str, tuple[str, bytes]]
Done = tuple[dict[str, Any], Files]
SVG, HTML = "image/svg+xml", "text/html; charset=utf-8"


def pack_view(view: View[Any]) -> str:
    """A view for the process of jobs."""
    return base64.b64encode(pickle.dumps(view)).decode()


def hint(view: str, by: str, stream: int) -> Done:
    """What a strategy would do with what a person sees."""
    seen: View[Any] = pickle.loads(base64.b64decode(view))
    return explained(seen, by, stream), {}


def thoughts(record: str, turn: int, stream: int) -> Done:
    """What an opponent thought before a play, in a game that is over."""
    from kibitz.core.errors import BadText
    from kibitz.core.game import CHANCE
    from kibitz.core.registry import catalogue_strategy
    from kibitz.table.played import replay
    from kibitz.table.record import PERSON

    played = replay(record)
    if turn > len(played.plays):
        raise BadText(f"there is no turn {turn}; the game has {len(played.plays)}")
    position = played.positions[turn - 1]
    seat = position.mover
    if seat is None or seat == CHANCE or played.players[seat] == PERSON:
        raise BadText(f"in turn {turn} no strategy plays")
    strategy = catalogue_strategy(played.players[seat])
    view = position.view(seat, strategy.knows)
    result = explained(view, str(strategy), stream)
    return {**result, "turn": turn, "seat": seat + 1, "play": played.plays[turn - 1]}, {}


def explained(view: View[Any], by: str, stream: int) -> dict[str, Any]:
    """An explanation as data."""
    from kibitz.core.reason_cells import format_scores
    from kibitz.core.registry import catalogue_strategy
    from kibitz.strategies.common.beliefs import by_counting
    from kibitz.table.seeds import as_stream

    strategy = catalogue_strategy(by)
    why = strategy.sit(view.game, view.seat, as_stream(stream)).explain(view)
    beliefs = why.beliefs or by_counting(view)
    return {
        "by": str(strategy),
        "score": why.score,
        "chance": why.chance,
        "choices": _choices(view, why, format_scores(why)),
        "beliefs": [_belief(one) for one in beliefs if one.cards],
        "sentence": why.sentence,
        "why": list(why.why),
    }


def _choices(view: View[Any], why: Explanation, shown: Sequence[str]) -> list[dict[str, Any]]:
    presenter = view.game.presenter
    rows = []
    for reason, score in zip(why.reasons, shown, strict=True):
        low, high = reason.interval or (None, None)
        rows.append(
            {
                "play": str(reason.play), "parts": dict(presenter.parts(reason.play)),
                "label": presenter.describe(view, reason.play),
                "score": _number(reason.score), "shown": score,
                "low": _number(low), "high": _number(high),
                "best": reason.play == why.best, "equal": reason.play in why.equal,
            }
        )  # fmt: skip
    return rows


def _belief(belief: Belief) -> dict[str, Any]:
    bars = [
        {"card": card, "share": round(share, 4), "shown": percent(share)}
        for card, share in belief.likeliest()
    ]
    return {
        "place": belief.place, "basis": belief.basis or "by counting",
        "exact": belief.exact, "bars": bars,
    }  # fmt: skip


def _number(value: float | None) -> float | None:
    """JSON has no infinity."""
    return float(value) if value is not None and math.isfinite(value) else None


def _finite(data: Any) -> Any:
    """Data with nothing in its place where a number has no end."""
    if isinstance(data, Mapping):
        return {str(key): _finite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(one) for one in data]
    return _number(data) if isinstance(data, float) else data


# -- after the game ------------------------------------------------------------------------------


def review(record: str, seats: Sequence[int] | None = None, precision: float | None = None) -> Done:
    """Where a game was lost: numbers, and in words only what is no number."""
    from kibitz.report.page import render
    from kibitz.review.page import page_values
    from kibitz.review.review import review as reviewed

    found = reviewed(record, seats=seats, precision=precision)
    document = _finite(found.document())
    for one, decision in zip(document["decisions"], found.decisions, strict=True):
        one |= _in_words(decision, one["plays"])
    values = page_values(found)
    result = {
        **document, "is_chance": found.is_chance, "mattered": values["mattered"],
        "pictures": list(values["pictures"]),
    }  # fmt: skip
    files: Files = {name: (SVG, svg) for name, svg in values["pictures"].items()}
    files["page"] = HTML, render("review.html", **values).encode(errors="replace")
    return result, files


def _in_words(decision: ReviewedDecision, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What a person says of a decision and of the plays that are shown, the one made too."""
    from kibitz.review.judgement import MOST_SHOWN

    view, values = decision.view, decision.judgement.values
    presenter = view.game.presenter
    shown = [
        {**row, "said": presenter.describe(view, value.play), "made": row["play"] == decision.play}
        for i, (row, value) in enumerate(zip(rows, values, strict=True))
        if i < MOST_SHOWN or row["play"] == decision.play
    ]
    made = next(one["said"] for one in shown if one["made"])
    return {
        "said": made, "best_said": shown[0]["said"], "plays": shown,
        "more": len(rows) - len(shown), "scene": presenter.table(view).to_json(),
    }  # fmt: skip


def hindsight(record: str, tell: Callable[[dict[str, Any]], None]) -> Done:
    """What the cards allowed: `tell` gets the turns that are solved, from the last on."""
    from kibitz.core.limits import cores
    from kibitz.review.hindsight import solve_backwards
    from kibitz.review.turns import recorded_turns
    from kibitz.table.played import replay

    played = replay(record)
    turns = list(recorded_turns(played))
    said = {one.turn: one.view.game.presenter.describe(one.view, one.play) for one in turns}
    result: dict[str, Any] = {
        "of": len(turns), "result": float(played.returns[0]), "turns": [],
    }  # fmt: skip
    # One core is left to those who play.
    for one in solve_backwards(played, turns, max(cores() - 1, 1)):
        result["turns"].insert(0, {**one.document(), "said": said[one.turn]})
        tell(result)
    return result, {}


# -- pictures ------------------------------------------------------------------------------------


def graph(
    game: str, position: str | None, seed: int, algorithm: str | None, merge: bool,
    depth: int | None, nodes: int, samples: int | None,
) -> Done:  # fmt: skip
    """A game as a graph, and a search on it step by step."""
    from kibitz.core.registry import make_game
    from kibitz.graph.drawing import SEARCHED, draw_game
    from kibitz.graph.page import to_page
    from kibitz.graph.render import draw
    from kibitz.search.textbook.algorithms import Settings

    made = make_game(game)
    state = made.deal(seed) if position is None else made.parse_position(position)
    settings = Settings(depth, None, None, SEARCHED, samples, seed=seed).checked()
    drawing = draw_game(
        made, state, algorithm=algorithm, merge=merge, nodes=nodes, settings=settings
    )
    files: Files = {"picture": (SVG, draw(drawing.picture(), ".svg"))}
    if drawing.series is not None and len(drawing.series.steps) <= MOST_STEPS:
        files["page"] = HTML, to_page(drawing.series).encode()
    return {"title": drawing.title, "nodes": len(drawing.graph.nodes)}, files


MOST_STEPS = 5000
"""Of a search that is shown step by step."""


def pictures(store: str, run: int) -> Done:
    """The pictures of a stored comparison."""
    from pathlib import Path

    from kibitz.arena.report.plots import draw
    from kibitz.arena.store.store import Store
    from kibitz.arena.store.stored_run import comparison_of, find_run

    with Store(Path(store), create=False) as opened:
        comparison = comparison_of(opened, find_run(opened, run))
    drawn = draw(comparison, None)
    return {"pictures": list(drawn)}, {name: (SVG, svg) for name, (svg, _) in drawn.items()}


def warm_up(game: str, strategies: Sequence[str]) -> Done:
    """What a game and its opponents need is compiled."""
    from kibitz.arena.warm_up import warm_up_play

    warm_up_play(game, *strategies)
    return {}, {}


WORK: Mapping[str, Callable[..., Done]] = {
    "hint": hint, "thoughts": thoughts, "review": review, "hindsight": hindsight, "graph": graph,
    "pictures": pictures, "warm-up": warm_up,
}  # fmt: skip
"""By the kind of a job."""
TELLING = ("hindsight",)
"""Those that tell what they have so far."""
