"""The review of a game: what every decision lost, what mattered most, and how much was luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.core import checks
from kibitz.core.errors import BadText, BadValue
from kibitz.core.game import Game, View
from kibitz.core.shown import Sheet, Shown
from kibitz.review.hindsight import Hindsight, hindsight_of
from kibitz.review.judge import checked_precision, judge
from kibitz.review.judgement import ZERO, Estimate, Judgement, ValueKind, amount
from kibitz.review.threads import in_threads
from kibitz.review.turns import RecordedTurn, recorded_turns
from kibitz.review.unit_value import UnitValue
from kibitz.review.words import (
    WRONG,
    PlayVerdict,
    luck_in_words,
    total_in_words,
    verdict_on,
    why_better,
)
from kibitz.table.played import PlayedGame, replay
from kibitz.table.record import PERSON, Record
from kibitz.table.seeds import nth_seed

if TYPE_CHECKING:
    from kibitz.review.luck import GameLuck

MATTERED = 3
"""Decisions that are told at length."""


@dataclass(frozen=True)
class ReviewedDecision:
    """A decision with what it lost."""

    turn: int
    seat: int
    play: str
    best: str
    loss: Estimate
    """The value of the best play less that of the play made, in the same worlds."""
    verdict: PlayVerdict
    why: str
    """What the better play would have done; empty where the verdict names nothing wrong."""
    judgement: Judgement = field(repr=False)
    view: View[Any] = field(repr=False)

    @property
    def counted(self) -> bool:
        """Whether there was anything to decide."""
        return self.verdict is not PlayVerdict.OBVIOUS

    @property
    def value(self) -> Estimate:
        """What the play made was worth."""
        return self.judgement.of(self.play).value

    @property
    def chance(self) -> Estimate:
        """The chance to win after the play made."""
        return self.judgement.of(self.play).chance

    def document(self) -> dict[str, Any]:
        """As values for JSON."""
        best = self.judgement.values[0]
        return {
            "turn": self.turn, "seat": self.seat + 1, "play": self.play, "best": self.best,
            "loss": self.loss.value, "ci95": list(self.loss.ci95),
            "value": self.value.value, "value_ci95": list(self.value.ci95),
            "best_value": best.value.value,
            "chance": self.chance.value, "chance_ci95": list(self.chance.ci95),
            "kind": str(self.judgement.kind), "counted": self.counted,
            "verdict": str(self.verdict), "why": self.why,
            "plays": self.judgement.rows(),
        }  # fmt: skip


@dataclass(frozen=True)
class SeatReview:
    """All decisions of a seat."""

    seat: int
    player: str
    decisions: int
    """Those in which there was something to decide."""
    loss: Estimate
    """Of all of them together."""
    parts: tuple[float, ...] = ()
    """Start, luck of the draw, luck of what was hidden, skill, result; nothing where luck is not
    known. Skill is what all plays did to this seat: its own and the others'."""
    own_skill: float = 0.0
    """The part of the skill that is its own."""

    @property
    def mean_loss(self) -> float:
        """A decision."""
        return self.loss.value / self.decisions if self.decisions else 0.0

    def document(self) -> dict[str, Any]:
        """As values for JSON."""
        names = ("start", "luck", "hidden", "skill", "result")
        parts = dict(zip(names, self.parts or (None,) * len(names), strict=True))
        return {
            "seat": self.seat + 1, "player": self.player, "loss": self.loss.value,
            "ci95": list(self.loss.ci95), "decisions": self.decisions,
            "mean_loss": self.mean_loss, **parts,
            "own_skill": self.own_skill if self.parts else None,
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class Review(Shown):
    """What was lost in a game, decision by decision, and how much of its result was luck.

    Examples
    --------
    >>> import kibitz
    >>> review = kibitz.review(kibitz.play("twenty-one", ["random", "random"], seed=1))
    >>> [decision.verdict.value for decision in review.decisions]
    ['obvious', 'obvious', 'obvious', 'good', 'obvious']
    """

    played: PlayedGame
    measure: str
    is_chance: bool
    precision: float
    seed: int
    decisions: tuple[ReviewedDecision, ...]
    seats: tuple[SeatReview, ...]
    luck: GameLuck | None = None
    hindsight: Hindsight | None = None
    """What the cards allowed: never what anybody could have known."""

    @property
    def judge(self) -> str:
        """Who judged, in words: each kind of value that was given."""
        kinds = {one.judgement.kind: one.judgement.judge for one in self.decisions if one.counted}
        said = [f"exact: {kinds[ValueKind.EXACT]}"] if ValueKind.EXACT in kinds else []
        said += [f"sampled: {kinds[ValueKind.SAMPLED]}"] if ValueKind.SAMPLED in kinds else []
        return "; ".join(said) or "there was nothing to decide"

    @property
    def mattered(self) -> tuple[ReviewedDecision, ...]:
        """The decisions that cost most, as far as their intervals support that they cost."""
        wrong = [one for one in self.decisions if one.verdict in WRONG]
        return tuple(sorted(wrong, key=lambda one: -one.loss.value)[:MATTERED])

    def seat(self, seat: int) -> SeatReview:
        """The totals of a seat, from 0."""
        for one in self.seats:
            if one.seat == seat:
                return one
        raise BadValue(f"seat {checks.brief(seat)} (from 0) was not reviewed")

    def rows(self) -> list[dict[str, Any]]:
        """A row for each decision; seats count from 1."""
        return [
            {key: value for key, value in one.document().items() if key != "plays"}
            for one in self.decisions
        ]

    def document(self) -> dict[str, Any]:
        """As values for JSON."""
        return {
            "game": self.played.game, "judge": self.judge, "measure": self.measure,
            "precision": self.precision, "seed": self.seed,
            "decisions": [one.document() for one in self.decisions],
            "seats": [one.document() for one in self.seats],
            "luck": None if self.luck is None else _luck_document(self.luck),
            "hindsight": None if self.hindsight is None else self.hindsight.document(),
        }  # fmt: skip

    def sheet(self) -> Sheet:
        """Every decision with its loss, and what is to be said below."""
        head = ("turn", "seat", "played", "best", "lost", "verdict")
        rows = [
            [
                str(one.turn), str(one.seat + 1), one.play,
                one.best if one.counted else "–",
                amount(one.loss, self.is_chance) if one.counted else "–", str(one.verdict),
            ]
            for one in self.decisions
        ]  # fmt: skip
        title = f"{self.played.heading}. Values: {self.measure}"
        return Sheet(title, head, rows, list(self.sentences()), words=(2, 3, 5))

    def sentences(self) -> Iterator[str]:
        """What mattered, and the totals, in words."""
        for one in self.mattered:
            yield f"Turn {one.turn}, {one.verdict.with_article}. {one.why}"
        for each in self.seats:
            total = total_in_words(each.loss, each.decisions, self.is_chance)
            yield f"Seat {each.seat + 1} ({each.player}) {total}."
            if each.parts:
                yield f"Seat {each.seat + 1} {luck_in_words(each.parts, self.is_chance)}."
        if self.hindsight is not None:
            yield f"Hindsight, not a review: {self.hindsight.sentence()}"
        yield f"Judged {self.judge}."

    def _repr_html_(self) -> str:
        from kibitz.review.page import review_piece

        return review_piece(self)


def _luck_document(luck: GameLuck) -> dict[str, Any]:
    return {
        "start": list(luck.start), "result": list(luck.result), "worlds": luck.worlds,
        "turns": [
            {
                "turn": turn.turn, "seat": None if turn.seat is None else turn.seat + 1,
                "before": list(turn.before), "luck": list(turn.draw),
                "hidden": list(turn.hidden), "skill": list(turn.skill),
            }
            for turn in luck.turns
        ],
    }  # fmt: skip


# -- making one ------------------------------------------------------------------------------


def review(
    record: Record | PlayedGame | str | Path, *, seats: Sequence[int] | None = None,
    number: int | None = None, game: Game[Any, Any] | None = None,
    precision: float | None = None, seed: int = 0, luck: bool = True, hindsight: bool = False,
    match: Sequence[Record] | None = None,
) -> Review:  # fmt: skip
    """Review a recorded game: what each decision lost, and what was luck.

    Parameters
    ----------
    record, number, game
        As `kibitz.replay` takes them: a record, a game that was played, a line of JSON, or a file.
    seats
        Whose decisions, from 0; else the persons', and if no person played, everybody's.
    precision
        Half the width of the interval of 95 % that a loss is to have: by default 0.01 of a win, or
        half a point.
    seed
        Of the worlds that are drawn.
    luck
        Whether luck and skill are told apart too, where the game allows it.
    hindsight
        Tablić for two: whether every position is also solved with all cards open, in minutes.
    match
        Love Letter: the earlier rounds of its match, maybe none. Then values are chances to win the
        match, not the round, and all of them are sampled.

    Returns
    -------
    Review
        `decisions`, `mattered`, `seats`, `luck`; `rows()` and `to_frame()` for your own figures.

    Examples
    --------
    >>> import kibitz
    >>> played = kibitz.play("twenty-one", ["random", "alpha-beta"], seed=4)
    >>> [(one.turn, str(one.verdict)) for one in kibitz.review(played).decisions]
    [(1, 'obvious'), (2, 'good'), (3, 'obvious'), (4, 'obvious'), (5, 'obvious')]
    """
    checks.flags(luck=luck, hindsight=hindsight)
    played = replay(record, number=number, game=game)
    if not played.returns:
        raise BadText(f"the {played.rules.traits.unit} is not over: a review comes after it")
    unit_value = UnitValue(played.rules)
    if match is not None:
        from kibitz.review.match_value import value_in_match

        unit_value = value_in_match(played.rules, match, played.record.first - 1)
    wanted = unit_value.precision if precision is None else checked_precision(precision)
    chosen = chosen_seats(played, seats)
    turns = list(recorded_turns(played))
    checks.seed(seed)
    mine = [turn for turn in turns if turn.seat in chosen]
    decisions = decisions_of(mine, wanted, seed, unit_value)
    parts = _luck(played, turns, unit_value, seed) if luck else None
    totals = tuple(_seat_review(seat, played, decisions, parts) for seat in chosen)
    open_cards = hindsight_of(played, turns) if hindsight else None
    return Review(
        played, unit_value.name, unit_value.is_chance, wanted, seed, decisions, totals, parts,
        open_cards,
    )  # fmt: skip


def chosen_seats(played: PlayedGame, seats: Sequence[int] | None) -> list[int]:
    """Whose decisions are reviewed."""
    players = played.rules.players
    if seats is not None:
        if not checks.one_of(seats, (list, tuple), "a list of seats"):
            raise BadValue("seats are those whose decisions are reviewed: name one at least")
        return sorted({checks.seat(seat, players) for seat in seats})
    persons = [seat for seat, player in enumerate(played.players) if player == PERSON]
    return persons or list(range(players))


def decisions_of(
    turns: Sequence[RecordedTurn], precision: float, seed: int, unit_value: UnitValue
) -> tuple[ReviewedDecision, ...]:
    """Judge each of these decisions, many at once."""

    def judged(turn: RecordedTurn) -> ReviewedDecision:
        return decision_of(turn, precision, nth_seed(seed, turn.turn), unit_value)

    return tuple(in_threads(judged, turns))


def decision_of(
    turn: RecordedTurn, precision: float, seed: int, unit_value: UnitValue
) -> ReviewedDecision:
    """Judge one decision, by nothing but what its seat saw."""
    view = turn.view
    exact = type(unit_value) is UnitValue  # a solver knows the result of the game, and nothing else
    judged = judge(
        view, precision=precision, seed=seed, played=turn.play, unit_value=unit_value, exact=exact
    )
    loss = judged.of(turn.play).behind
    verdict = PlayVerdict.OBVIOUS if judged.is_obvious else verdict_on(loss, judged.is_chance)
    why = why_better(view, judged, turn.play) if verdict in WRONG else ""
    return ReviewedDecision(
        turn.turn, turn.seat, str(turn.play), str(judged.best), loss, verdict, why, judged, view
    )


def _seat_review(
    seat: int, played: PlayedGame, decisions: Sequence[ReviewedDecision], luck: GameLuck | None
) -> SeatReview:
    mine = [one for one in decisions if one.seat == seat and one.counted]
    loss = sum((one.loss for one in mine), ZERO)
    if luck is None:
        return SeatReview(seat, played.players[seat], len(mine), loss)
    sums = [luck.sum(part, seat) for part in ("draw", "hidden", "skill")]
    parts = (luck.start[seat], *sums, luck.result[seat])
    own = luck.skill_of(seat, seat)
    return SeatReview(seat, played.players[seat], len(mine), loss, parts, own)


def _luck(
    played: PlayedGame, turns: Sequence[RecordedTurn], unit_value: UnitValue, seed: int
) -> GameLuck | None:
    """Luck and skill of the whole game; None where the game can't deal again what is hidden."""
    if not hasattr(getattr(played.rules, "kernels", None), "reshuffle"):
        return None
    from kibitz.review.continuation import continuation_of
    from kibitz.review.luck import WORLDS, LuckEstimator, LuckTurn, luck_of

    game, record = played.rules, played.record
    kind = game.result_kind
    assert kind is not None
    estimate = LuckEstimator(continuation_of(game), unit_value, WORLDS[kind], seed, record.seed)
    told = [LuckTurn(one.turn, one.seat, one.state, one.view, one.play.code) for one in turns]
    end = game.after(turns[-1].state, turns[-1].play)
    return luck_of(told, end, record.first - 1, estimate)
