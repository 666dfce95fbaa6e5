"""How good the result of a training is: on fresh shuffles, beside what it was before.

The genome that did best in training was also lucky there; so it plays once more, on shuffles that
nobody has learned from. The strategy as it was plays the same ones, so that the difference has a
narrow interval.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kibitz.arena.statistics.scores import mean_from, score_of
from kibitz.core.strategy import Strategy
from kibitz.training.games import TrainingGames, pair_scores


def validate(
    games: TrainingGames,
    before: Strategy,
    trained: Strategy,
    pairs: int,
    progress: Callable[[float], None] = lambda share: None,
) -> dict[str, Any]:
    """The scores of both against the opponent, and what was gained, each with its 95 % interval."""
    first, second = games.play([before, trained], 0, pairs, progress)
    earlier, later = pair_scores(first), pair_scores(second)
    was, now, more = score_of(earlier), score_of(later), later - earlier
    gain = mean_from(pairs, float(more.sum()), float((more**2).sum()))
    return {
        "pairs": pairs,
        "score": now.mean, "ci95": [now.low, now.high],
        "before": was.mean, "before95": [was.low, was.high],
        "gain": gain.mean, "gain95": [gain.low, gain.high],
    }  # fmt: skip


def say_validation(result: dict[str, Any], opponent: str) -> str:
    """What that means, in words."""
    low, high = result["gain95"]
    better = "better" if low > 0 else "worse" if high < 0 else "not clearly different"
    scores = [_with_ends(result[name], result[ends]) for name, ends in
              (("score", "ci95"), ("before", "before95"))]  # fmt: skip
    gain = f"{100 * result['gain']:+.1f} (95 % {100 * low:+.1f} to {100 * high:+.1f})"
    return (
        f"On {result['pairs']} fresh shuffles it scores {scores[0]} against {opponent}, as it was"
        f" {scores[1]}: {better}, {gain.replace('-', '−')}."
    )


def _with_ends(mean: float, ends: list[float]) -> str:
    return f"{mean:.1%} ({100 * ends[0]:.1f}–{ends[1]:.1%})"
