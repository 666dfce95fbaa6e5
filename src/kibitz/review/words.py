"""Judgements in words. A word is said only where the whole interval of the loss supports it.

With L the lower end of the interval of 95 % of what a play lost:

    blunder        L ≥ 15 % of a win     3 points
    mistake        L ≥ 7 %               1.5 points
    inaccuracy     L ≥ 2 %               half a point
    good           the upper end is below what an inaccuracy begins with
    unclear        anything else: the sample does not say

Every sentence is made of figures that it is given: with others it says other things.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from importlib import import_module
from typing import Any

from kibitz.core.explanation import Belief
from kibitz.core.figures import percent, rounded
from kibitz.core.game import View
from kibitz.jit.rng import stream
from kibitz.review.judgement import Estimate, Judgement, amount, figure
from kibitz.strategies.common.reasons import Consequence
from kibitz.strategies.common.reasons import why as reasons_for

REASONS = 2
"""Sentences of one kind about a play, at most."""
FOLLOWED = 400
"""Worlds in which two plays are followed to the next turn."""
FAR_SHARE, FAR_NUMBER = 0.05, 0.3
"""How far apart two figures must be to be told: more than so many worlds are off by."""


class PlayVerdict(StrEnum):
    """What is said of a play."""

    BLUNDER = "blunder"
    MISTAKE = "mistake"
    INACCURACY = "inaccuracy"
    GOOD = "good"
    UNCLEAR = "unclear"
    OBVIOUS = "obvious"
    """There was nothing to decide."""

    @property
    def with_article(self) -> str:
        """As in a sentence.

        >>> PlayVerdict.INACCURACY.with_article, PlayVerdict.BLUNDER.with_article
        ('an inaccuracy', 'a blunder')
        """
        return f"an {self}" if self is PlayVerdict.INACCURACY else f"a {self}"


THRESHOLDS = {
    True: (
        (0.15, PlayVerdict.BLUNDER),
        (0.07, PlayVerdict.MISTAKE),
        (0.02, PlayVerdict.INACCURACY),
    ),
    False: ((3.0, PlayVerdict.BLUNDER), (1.5, PlayVerdict.MISTAKE), (0.5, PlayVerdict.INACCURACY)),
}
"""By whether values are chances to win: from which lower end on."""
WRONG = (PlayVerdict.BLUNDER, PlayVerdict.MISTAKE, PlayVerdict.INACCURACY)


def verdict_on(loss: Estimate, is_chance: bool) -> PlayVerdict:
    """What the interval of a loss supports.

    >>> verdict_on(Estimate(0.2, 0.01), True), verdict_on(Estimate(0.2, 0.1), True)
    (<PlayVerdict.BLUNDER: 'blunder'>, <PlayVerdict.UNCLEAR: 'unclear'>)
    """
    low, high = loss.ci95
    for least, verdict in THRESHOLDS[is_chance]:
        if low >= least:
            return verdict
    return PlayVerdict.GOOD if high < THRESHOLDS[is_chance][-1][0] else PlayVerdict.UNCLEAR


def how_clear(loss: Estimate) -> str:
    """How sure it is that something was lost."""
    low, high = loss.ci95
    if low > 0:
        return "exactly" if not loss.error else "clearly"
    return "not clear" if high > 0 else "nothing"


def why_better(view: View[Any], judged: Judgement, played: Any) -> str:
    """What the better play would have kept, guarded or threatened, and what the played one did."""
    presenter = view.game.presenter
    best, made = judged.values[0], judged.of(played)
    said, better = presenter.describe(view, made.play), presenter.describe(view, best.play)
    lost = amount(made.behind, judged.is_chance)
    of = "of a win" if judged.is_chance else "points"
    first = (
        f"{_upper(better)} was better: {figure(best.value.value, judged.is_chance)} against"
        f" {figure(made.value.value, judged.is_chance)}, so {said} lost {lost} {of}."
    )
    followed = what_follows(view, best.play, made.play)
    return " ".join([first, *followed, *_reasons(view, best.play, made.play)])


def what_follows(view: View[Any], best: Any, made: Any) -> list[str]:
    """What is better until the next turn, by worlds in which both plays were tried: the sentence
    with both figures, the largest difference first. Nothing if the game has no such sentences."""
    module = import_module(view.game.reasons) if view.game.reasons else None
    tell = getattr(module, "until_next_turn", None)
    if tell is None:
        return []
    from kibitz.review.continuation import continuation_of, states_at_next_turns

    continuation = continuation_of(view.game)
    codes = [best.code, made.code]
    states = states_at_next_turns(continuation, view, codes, FOLLOWED, stream(FOLLOWED))
    return differences(tell(view, states[:, 0]), tell(view, states[:, 1]))


def differences(better: Sequence[Consequence], worse: Sequence[Consequence]) -> list[str]:
    """What the better play gains, where the figures are far enough apart.

    >>> out = "you are out in {}"
    >>> differences([Consequence(out, 0.1, True, False)], [Consequence(out, 0.4, True, False)])
    ['With it you are out in 10%, as played 40%.']
    >>> differences([Consequence(out, 0.4, True, False)], [Consequence(out, 0.1, True, False)])
    []
    """
    other = {one.words: float(one.figure) for one in worse}
    found = []
    for words, value, is_share, wanted in better:
        if words not in other:
            continue
        gain = (float(value) - other[words]) * (1 if wanted else -1)
        gain /= FAR_SHARE if is_share else FAR_NUMBER
        shown, played = (
            percent(each) if is_share else rounded(each, 1) for each in (value, other[words])
        )
        if gain >= 1:
            found.append((gain, f"With it {words.format(shown)}, as played {played}."))
    found.sort(key=lambda one: -one[0])
    return [sentence for _, sentence in found[:REASONS]]


def _reasons(view: View[Any], best: Any, made: Any) -> list[str]:
    """What is said of the better play and not of the other, then the other way round."""
    beliefs: tuple[Belief, ...] = ()
    if view.game.reasons and view.game.counting:
        from kibitz.review.continuation import continuation_of, followed_beliefs

        beliefs = followed_beliefs(continuation_of(view.game), view)
    for_best, for_made = (reasons_for(view, play, beliefs) for play in (best, made))
    mine = [one for one in for_best if one not in for_made][:REASONS]
    theirs = [one for one in for_made if one not in for_best][:REASONS]
    sentences = [f"Better: {' '.join(mine)}"] if mine else []
    return sentences + ([f"Played: {' '.join(theirs)}"] if theirs else [])


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def total_in_words(loss: Estimate, decisions: int, is_chance: bool) -> str:
    """What a seat lost in all."""
    if not decisions:
        return "had nothing to decide"
    unit = " of a win" if is_chance else " points"
    lost = f"lost {amount(loss, is_chance)}{unit} in {decisions} decision{'s' * (decisions != 1)}"
    low, high = loss.ci95
    if low <= 0 <= high and loss.error:
        return f"{lost}: no more than chance would show"
    return lost


def luck_in_words(parts: Sequence[float], is_chance: bool) -> str:
    """Start, draw, hidden, skill and result as one sentence."""
    start, draw, hidden, skill, result = parts
    shown = [figure(part, is_chance, signed=True) for part in (draw, hidden, skill)]
    unit = " of a win" if is_chance else " points"
    return (
        f"began with {figure(start, is_chance)}{unit}: {shown[0]} by the cards that came,"
        f" {shown[1]} by what nobody could know, {shown[2]} by skill; it ended with"
        f" {figure(result, is_chance)}"
    )
