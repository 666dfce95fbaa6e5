"""A best response that is learned from rounds which a strategy plays: for any strategy.

What it wins is a lower bound on what the strategy gives away: the true best response wins as much
or more. The strategy is sampled, taken for a table by public states (`sampled_policy.py`) and
answered exactly; that response plays rounds against the strategy itself, which are added to the
sample, and so on: as in fictitious play (G. W. Brown, "Iterative Solution of Games by Fictitious
Play", 1951), but only one side learns. Of the responses, the one that has won most is taken. What
it wins is counted in other rounds, since in those it was chosen by luck too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kibitz.arena.statistics.scores import Score, score_from
from kibitz.core.registry import make_strategy
from kibitz.core.strategy import Strategy
from kibitz.games.love_letter.cards import UNKNOWN
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.love_letter.plays import parts_of
from kibitz.solvers.love_letter.best_response import BestResponse, StrategyInput
from kibitz.solvers.love_letter.public_line import play_of
from kibitz.solvers.love_letter.solver import ReportText, Round
from kibitz.strategies.love_letter.best_response import LearnedResponseStrategy
from kibitz.strategies.love_letter.equilibrium import unseen, what_was_seen
from kibitz.strategies.love_letter.sampled_policy import (
    SampledCounts,
    SampledDecision,
    SampledStates,
)
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Table, play_out

RESPONSES = 3
"""So many are tried, one after the other."""
LEARNING = 1
"""The number of a learning round among the games of its seed. Rounds that count have 0."""
PARTNERS = ("random", "greedy")
"""Whom the strategy meets at first, beside itself: so that many states are met."""


class ExploitabilityBound(NamedTuple):
    """What a strategy got against a learned response, with 95 % intervals: won 1, lost -1."""

    first: Score
    """When it moves first."""
    second: Score
    loss: Score
    """On average of both seats. The mean estimates a lower bound on what it gives away."""

    @property
    def at_least(self) -> float:
        """What it gives away, but for a chance of 2.5 %. Nobody gives away less than nothing."""
        return max(0.0, self.loss.low)


class ResponseLearner:
    """Rounds of a strategy, and the responses to what was seen in them."""

    def __init__(
        self,
        game: LoveLetter,
        strategy: Strategy,
        round_: Round,
        seed: int,
        threads: int,
        report: ReportText,
    ) -> None:
        self.game, self.strategy, self.round = game, strategy, round_
        self.seed, self.threads, self._report = seed, threads, report
        self.counts = SampledCounts()
        self.played = 0

    def learn(self, rounds: int) -> LearnedResponseStrategy:
        """The best of some responses, after so many rounds in all."""
        part = rounds // (RESPONSES + 1)
        self._report("looking at all public states")
        states = BestResponse(self.round, SampledStates(self.counts), self.threads)
        partners = [self.strategy, *map(make_strategy, PARTNERS)]
        for i in range(rounds - RESPONSES * part):
            self._play(partners[i // 2 % len(partners)], i % 2, states, rounds)
        scored = []
        for _ in range(RESPONSES):
            self._report("responding to what was seen")
            response = BestResponse(self.round, SampledStates(self.counts), self.threads)
            response.solve_both(self._report)
            best = LearnedResponseStrategy(response)
            won = sum(self._play(best, i % 2, response, rounds) for i in range(part))
            scored.append((won, best))
        # Of equals the last: it has seen most.
        return max(reversed(scored), key=lambda each: each[0])[1]

    def _play(self, other: Strategy, seat: int, response: BestResponse, rounds: int) -> float:
        """A round with the strategy in a seat; what the other wins."""
        seats = (self.strategy, other) if seat == 0 else (other, self.strategy)
        table = play_out(self.game, seats, GameSeeds(self.seed, self.played, LEARNING))
        for each, who in enumerate(seats):
            if who is self.strategy:
                self.counts.add(decisions_in(table, self.game, response, each))
        self.played += 1
        self._report(f"{self.played} of {rounds} rounds to learn from")
        return float(self.game.returns(table.state)[1 - seat])


def decisions_in(
    table: Table, game: LoveLetter, response: BestResponse, seat: int
) -> Iterator[SampledDecision]:
    """What the player in a seat has decided in a round."""
    states = response.states
    at: int | None = response.root
    past, other = table.pasts[seat], 1 - seat
    views = [state[0] for state, _ in past] + [game.view(table.state, seat).state[0]]
    for i, (_, play) in enumerate(past):
        x = views[i]
        if x.turn == seat:
            low, high = sorted((int(x.hand[seat]), int(x.drawn)))
            shown = 0 if x.hand[other] == UNKNOWN else int(x.hand[other])
            seen = StrategyInput(unseen(game, x), bool(x.protected >> other & 1), shown)
            option = play_of(play.code, seat), low + high - parts_of(play.code).card
            public = None if at is None else states.states[at]
            yield SampledDecision(public, seen, low, high, option)
        if at is not None:
            branch = states.follow(at, *what_was_seen(x, play.code, views[i + 1], seat))
            at = None if branch is None else branch.state


def bound_from(first: Sequence[float], second: Sequence[float]) -> ExploitabilityBound:
    """From what the strategy got in rounds of each seat, with the same shuffles."""
    losses = [-(one + other) / 2 for one, other in zip(first, second, strict=True)]
    return ExploitabilityBound(*map(_score, (first, second, losses)))


def _score(results: Sequence[float]) -> Score:
    """Of results between -1 and 1."""
    shares = [(1 + result) / 2 for result in results]
    score = score_from(len(shares), sum(shares), sum(share * share for share in shares))
    return Score(*(2 * end - 1 for end in (score.mean, score.low, score.high)))
