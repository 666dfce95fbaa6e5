"""Why a play: what a player's decision was made of, in numbers and in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.figures import percent
from kibitz.core.shown import Sheet, Shown, piece


@dataclass(frozen=True)
class Reason:
    """One legal play: its score, and the numbers that the score is made of.

    Examples
    --------
    >>> import kibitz
    >>> position = kibitz.make_game("twenty-one").start().play("6").play("6").play("4")
    >>> kibitz.explain(position, by="minimax").reasons[0]
    Reason(play=Play('4'), score=1.0, parts={'value': 1.0}, interval=None)
    """

    play: Any
    score: float
    parts: Mapping[str, float] = field(default_factory=dict)
    interval: tuple[float, float] | None = None
    """With 95 % confidence the score lies in it; None where the score is no estimate."""


@dataclass(frozen=True)
class Belief:
    """What may be in a hidden place: the probability of each card there.

    Examples
    --------
    >>> import kibitz
    >>> belief = kibitz.Belief("seat 2's hand", {"guard": 0.25, "king": 0.75}, exact=True)
    >>> belief.likeliest()[0]
    ('king', 0.75)
    >>> belief.any_of(["guard", "king"])
    1.0
    """

    place: str
    """Such as `seat 2's hand`."""
    cards: Mapping[str, float]
    exact: bool = False
    """Whether all worlds were counted, and not a sample of them."""
    basis: str = ""
    """What it goes by besides the rules, such as `by how seat 2 has played`."""
    earlier: tuple[Mapping[str, float], ...] = field(default=(), compare=False, repr=False)
    """The same before each earlier turn, where that was followed."""
    worlds: tuple[tuple[str, ...], ...] = field(default=(), compare=False, repr=False)
    """The cards of the place in each world of a sample."""

    def any_of(self, cards: Collection[str]) -> float:
        """The probability that at least one of these is there. Of a place with several cards
        only a sample tells it."""
        if not self.worlds:
            return min(sum(self.cards.get(card, 0.0) for card in cards), 1.0)
        return sum(not set(cards).isdisjoint(world) for world in self.worlds) / len(self.worlds)

    def likeliest(self) -> list[tuple[str, float]]:
        """The cards with their probabilities, the likeliest first."""
        return sorted(self.cards.items(), key=lambda item: -item[1])


@dataclass(frozen=True, repr=False)
class Explanation(Shown):
    """A decision with its reasons, the best first: what `kibitz.explain` gives.

    `best` is what `choose` would play. Only where `choose` goes by a sample it is what `choose`
    would play with a sample that is large enough.

    Examples
    --------
    >>> import kibitz
    >>> position = kibitz.make_game("twenty-one").start().play("6").play("6").play("4")
    >>> explained = kibitz.explain(position, by="minimax")
    >>> explained.best, [row["score"] for row in explained.rows()]
    (Play('4'), [1.0, 0.0, -1.0])
    """

    best: Any
    score: str
    """What the score is, in a few words: `chance to win`, `F of the thesis`."""
    reasons: tuple[Reason, ...]
    beliefs: tuple[Belief, ...] = ()
    sentence: str = ""
    """For a card player."""
    equal: tuple[Any, ...] = ()
    """Plays that are as good as the best, or could not be told from it."""
    margin: float = 0.0
    """By how much less a play may bring and still be called as good; 0: by nothing."""
    why: tuple[str, ...] = ()
    """More sentences: what was counted, what earlier plays showed, which rule forces a play."""
    chance: bool = False
    """Whether the scores are probabilities."""

    def rows(self) -> list[dict[str, Any]]:
        """A row for each play: its score, the interval, and what the score is made of."""
        names = dict.fromkeys(name for reason in self.reasons for name in reason.parts)
        rows = []
        for reason in self.reasons:
            low, high = reason.interval or (None, None)
            parts = {name: reason.parts.get(name) for name in names}
            row = {"play": str(reason.play), "best": reason.play == self.best}
            rows.append({**row, "score": reason.score, "low": low, "high": high, **parts})
        return rows

    def sheet(self) -> Sheet:
        from kibitz.core.reason_cells import MANY, reason_table

        head, rows = reason_table(self, MANY)
        left = len(self.reasons) - len(rows)
        notes = [f"… and {left} more" if left else "", " ".join([self.sentence, *self.why])]
        bold = next((i for i, r in enumerate(self.reasons) if r.play == self.best), None)
        return Sheet(f"score: {self.score}", head, rows, notes, bold=bold)

    def _repr_html_(self) -> str:
        beliefs = [
            (belief.place, belief.basis, [(c, p, percent(p)) for c, p in belief.likeliest()])
            for belief in self.beliefs
        ]
        return super()._repr_html_() + piece("beliefs.html", beliefs=beliefs)
