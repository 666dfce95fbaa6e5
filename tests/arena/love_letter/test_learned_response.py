"""Lower bounds on what strategies give away: below the exact figures, and not far below."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kibitz.arena.love_letter import exploit, learned_response
from kibitz.arena.love_letter.learned_response import (
    ExploitabilityBound,
    ResponseLearner,
    bound_from,
)
from kibitz.core.game import Game, View
from kibitz.core.registry import make_strategy
from kibitz.core.strategy import Player, Strategy
from kibitz.games.love_letter.cards import KING, PRINCE, unseen
from kibitz.games.love_letter.game import LoveLetter
from kibitz.solvers.love_letter.best_response import StrategyInput
from kibitz.solvers.love_letter.book import make_book
from kibitz.solvers.love_letter.public_states import PLAY_KING, Hand, PublicState
from kibitz.solvers.love_letter.solver import Round, Solver
from kibitz.strategies.love_letter import equilibrium
from kibitz.strategies.love_letter.sampled_policy import SampledCounts, SampledDecision

GAME = LoveLetter(deck="thesis", face_up="priest priest king")
ROUND = Round(unseen("thesis", GAME.face_up))
LEARN, ROUNDS = 400, 600
NAME_BARON, NAME_PRINCE = 1, 3


def silent(now: object) -> None:
    pass


def learned(
    strategy: Strategy, learn: int = LEARN, rounds: int = ROUNDS, threads: int = 1
) -> ExploitabilityBound:
    best = ResponseLearner(GAME, strategy, ROUND, 1, threads, silent).learn(learn)
    first, second = (
        exploit.results_of(exploit.play_rounds(GAME, strategy, best, seat, rounds, 1, silent), seat)
        for seat in (0, 1)
    )
    return bound_from(first, second)


@pytest.fixture
def one_response(monkeypatch: pytest.MonkeyPatch) -> None:
    """Instead of several: each takes seconds."""
    monkeypatch.setattr(learned_response, "RESPONSES", 1)


@pytest.mark.parametrize(("name", "share"), [("greedy", 0.8), ("probabilistic", 0.7)])
def test_bounds_lie_below_the_exact_figures_and_reach_most_of_them(name: str, share: float) -> None:
    response = exploit.best_response_to(make_strategy(name), GAME, ROUND, 1)
    exact = exploit.values_against(response, silent)
    bound = learned(make_strategy(name))
    assert bound.at_least <= bound.loss.low < -exact.average
    assert bound.first.high > exact.first
    assert bound.second.high > exact.second
    assert bound.loss.mean > share * -exact.average
    assert bound.loss.low < bound.loss.mean < bound.loss.high


def test_a_strategy_that_searches_gives_something_away(one_response: None) -> None:
    assert learned(make_strategy("ismcts:simulations=200")).at_least > 0


def test_the_same_seed_gives_the_same_bound(one_response: None) -> None:
    one, two = (learned(make_strategy("random"), 60, 60, threads) for threads in (1, 2))
    assert one == two


class Moody(Strategy):
    """It plays otherwise every time, whatever the seed, and says that it does not."""

    name: ClassVar[str] = "moody"
    title: ClassVar[str] = "now this, now that"
    calls = count()

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        return MoodyPlayer()


class MoodyPlayer(Player):
    def choose(self, view: View[Any]) -> Any:
        plays = list(view.plays())
        return plays[next(Moody.calls) % len(plays)]


def test_a_strategy_that_does_not_keep_to_its_seed_has_a_bound_too(one_response: None) -> None:
    bound = learned(Moody())
    assert 0 < bound.at_least < bound.loss.mean < 1


def test_an_equilibrium_gives_away_nothing_that_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, one_response: None
) -> None:
    """By a book of this round, which Kibitz does not have."""
    solver, file = Solver(ROUND), tmp_path / "here.book"
    solution = solver.solve(0.01)
    file.write_bytes(make_book(solver, GAME.face_up, solution))
    monkeypatch.setattr(equilibrium, "BOOK_DECK", "thesis")
    monkeypatch.setattr(equilibrium, "find_book", lambda face_up: file)
    bound = learned(make_strategy("equilibrium"), 100, 200)
    assert bound.at_least <= solution.epsilon
    assert abs(bound.loss.mean) < 0.12


# -- the model -----------------------------------------------------------------------------

SEEN = StrategyInput((5, 0, 2, 2, 2, 1, 0, 1), False, 0)
PUBLIC = PublicState(SEEN.unseen, False, 255, 255, True, True)
HAND = Hand(1, KING, ((NAME_BARON, KING), (NAME_PRINCE, KING), (PLAY_KING, 1)))


def test_without_decisions_all_options_are_alike() -> None:
    chances = SampledCounts().probabilities(PUBLIC, HAND)
    assert chances == dict.fromkeys(HAND.options, pytest.approx(1 / 3))


def test_coarser_counts_are_a_prior_for_finer_ones() -> None:
    counts, option = SampledCounts(), (NAME_PRINCE, KING)
    counts.add([SampledDecision(None, SEEN, 1, KING, option)])
    # By the two cards (1 + 1/3) / 2, and by what was seen the same again.
    assert counts.probabilities(PUBLIC, HAND)[option] == pytest.approx((1 + 2 / 3) / 2)
    counts.add([SampledDecision(PUBLIC, SEEN, 1, KING, option)] * 3)
    rest = (2 / 3) * (1 / 5) ** 2 * (1 / 4) ** 2
    assert counts.probabilities(PUBLIC, HAND)[option] == pytest.approx(1 - rest)


def test_what_was_played_against_reason_is_an_option_where_the_same_is_seen() -> None:
    counts, odd = SampledCounts(), (0, PRINCE)
    hand = Hand(1, PRINCE, ((NAME_BARON, PRINCE),))
    counts.add([SampledDecision(None, SEEN, 1, PRINCE, odd)])
    assert 0 < counts.probabilities(PUBLIC, hand)[odd] < 1
    elsewhere = PUBLIC._replace(unseen=(4, 0, 2, 2, 2, 1, 0, 1))
    assert odd not in counts.probabilities(elsewhere, hand)


def test_the_loss_is_the_mean_of_both_seats() -> None:
    bound = bound_from([-1.0] * 30 + [1.0] * 10, [-1.0] * 40)
    assert (bound.first.mean, bound.second.mean) == (-0.5, -1.0)
    assert bound.loss.mean == 0.75
    assert 0 < bound.loss.low < 0.75 < bound.loss.high < 1
    assert bound_from([1.0] * 40, [1.0] * 40).at_least == 0
