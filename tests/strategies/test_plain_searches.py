"""MCTS, ISMCTS and PIMC at games in plain Python: the textbook's searches at the table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import pytest

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Chance, Game, Traits, View
from kibitz.core.position import Position
from kibitz.core.registry import make_strategy, strategies_for
from kibitz.jit.rng import below, stream
from kibitz.search.textbook.ismcts import ismcts
from kibitz.search.textbook.mcts import mcts
from kibitz.search.textbook.pimc import pimc
from kibitz.strategies.common.sampling_player import SEEDS
from kibitz.table.table import play_out
from kibitz.testing import check_strategy
from tests.games.boards import few
from tests.plain import GuessTheCard, Nim, Tosses

Deal = tuple[tuple[int, ...], tuple[int, ...]]
"""The cards of the seats, 0 if it is hidden, and those that are played."""


class Higher(Game[Deal, int]):
    """Each has a card from 1 to 9 and says whether it is high; who is right wins from the others.

    A player sees its own card, so the right word is plain; with two or three players.
    """

    name: ClassVar[str] = "higher"
    title: ClassVar[str] = "Is it high?"
    traits: ClassVar[Traits] = Traits(chance=Chance.DEAL, hidden=True)
    seats: ClassVar[int] = 2

    @property
    def players(self) -> int:
        return self.seats

    def deal(self, seed: int, first: int = 0) -> Deal:
        lots = stream(seed)
        return tuple(1 + below(lots, 9) for _ in range(self.seats)), ()

    def mover(self, state: Deal) -> int:
        return len(state[1])

    def is_over(self, state: Deal) -> bool:
        return len(state[1]) == self.seats

    def plays(self, state: Deal) -> Sequence[int]:
        return [] if self.is_over(state) else [0, 1]

    def after(self, state: Deal, play: int) -> Deal:
        return state[0], (*state[1], play)

    def returns(self, state: Deal) -> tuple[float, ...]:
        right = [int(play == (card > 5)) for card, play in zip(*state, strict=True)]
        mean = sum(right) / self.seats
        return tuple(one - mean for one in right)

    def view(self, state: Deal, seat: int) -> View[Deal]:
        cards = tuple(card if i == seat else 0 for i, card in enumerate(state[0]))
        return View(self, seat, (cards, state[1]))

    def redeal(self, view: View[Deal], rng: np.ndarray) -> Deal:
        return tuple(card or 1 + below(rng, 9) for card in view.state[0]), view.state[1]


class HigherOfThree(Higher):
    name: ClassVar[str] = "higher-of-three"
    seats: ClassVar[int] = 3


class NoRedeal(GuessTheCard):
    name: ClassVar[str] = "no-redeal"
    redeal = Game.redeal


def test_who_plays_a_game_in_plain_python() -> None:
    assert strategies_for(Nim()) == ["alpha-beta", "expectiminimax", "mcts", "minimax", "random"]
    assert strategies_for(Tosses()) == ["expectiminimax", "mcts", "random"]
    assert strategies_for(Higher()) == ["ismcts", "pimc", "random"]
    assert strategies_for(HigherOfThree()) == ["ismcts", "random"]
    assert strategies_for(NoRedeal()) == ["random"]


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("mcts:simulations=30", Nim()), ("mcts:simulations=30", Tosses()),
        ("ismcts:simulations=30", Higher()), ("ismcts:simulations=30", HigherOfThree()),
        ("pimc:worlds=5", Higher()), ("pimc:worlds=5,depth=1", Higher()),
    ],
)  # fmt: skip
def test_they_keep_the_rules_of_every_strategy(spec: str, game: Game[Any, Any]) -> None:
    check_strategy(spec, game, decisions=few(10, 3))


def asked(spec: str, view: View[Any], seed: int = 3) -> Any:
    return make_strategy(spec).sit(view.game, view.seat, stream(seed)).choose(view)


def test_they_are_the_textbook_s_searches() -> None:
    seed = below(stream(3), SEEDS)
    nim, high = Position(Nim(), (10, 0)).view(), Position(Higher(), ((7, 2), ())).view()
    assert (
        asked("mcts:simulations=50,c=2", nim)
        == mcts(nim.game, nim.state, iterations=50, c=2, seed=seed).best
    )
    assert (
        asked("ismcts:simulations=50", high) == ismcts(high, iterations=50, c=0.7, seed=seed).best
    )
    assert asked("pimc:worlds=20", high) == pimc(high, worlds=20, seed=seed).best


@pytest.mark.parametrize("spec", ["ismcts:simulations=60", "pimc:worlds=10"])
def test_what_a_seat_sees_decides(spec: str) -> None:
    for card in (1, 9):
        view = Position(Higher(), ((card, 5), ())).view()
        assert asked(spec, view) == (card > 5)


def test_mcts_wins_where_it_can() -> None:
    """Of ten matches two are taken, so that the other has a multiple of four."""
    assert asked("mcts:simulations=500", Position(Nim(), (10, 0)).view()) == 2
    players = [make_strategy("mcts:simulations=200"), make_strategy("random")]
    won = [play_out(Nim(), players, seed).state[1] == 1 for seed in range(few(5, 1))]
    assert all(won)


def test_one_legal_play_needs_no_search() -> None:
    view = Position(Nim(), (1, 0)).view()
    assert asked("mcts:simulations=10000000", view) == 1
    explained = make_strategy("mcts").sit(view.game, 0, stream(1)).explain(view)
    assert explained.sentence == "1: there is nothing to think about."


@pytest.mark.parametrize(
    ("spec", "game", "says"),
    [
        ("mcts:seconds=1", Nim(), "mcts: seconds=1.0 is for compiled games, and nim is plain"),
        ("mcts:reuse=true", Nim(), "reuse=True is for compiled games"),
        ("ismcts:rollout=greedy", Higher(), "rollout=greedy is for compiled games"),
        ("ismcts:bias=2", Higher(), "bias=2.0 is for compiled games"),
        ("pimc:belief=greedy", Higher(), "belief=greedy is for compiled games"),
        ("pimc", HigherOfThree(), "for two players, and higher-of-three has 3; try ismcts"),
        ("ismcts", NoRedeal(), "no-redeal does not deal what it hides anew: it has no redeal"),
        ("ismcts", Nim(), "ismcts is for games with hidden cards; try mcts"),
        ("mcts", Higher(), "mcts is for games with open cards; try ismcts"),
        ("flat-mc", Higher(), "flat-mc plays compiled games, and higher is plain Python; try ism"),
        ("minimax", HigherOfThree(), "minimax needs open cards; try ismcts"),
    ],
)
def test_what_they_do_not_do_is_refused(spec: str, game: Game[Any, Any], says: str) -> None:
    with pytest.raises(UnsuitableGame, match=says):
        make_strategy(spec).check_game(game)


def test_options_that_name_what_they_do_anyway_are_taken() -> None:
    make_strategy("ismcts:rollout=uniform,belief=none,observers=one").check_game(Higher())
    make_strategy("pimc:belief=none,reply=best").check_game(Higher())


def test_an_explanation_is_of_the_search_that_decides() -> None:
    view = Position(Nim(), (10, 0)).view()
    player = make_strategy("mcts:simulations=100").sit(view.game, 0, stream(5))
    explained = player.explain(view)
    assert explained.best == player.choose(view)
    assert explained.reasons[0].play == explained.best
    assert sum(reason.parts["visits"] for reason in explained.reasons) == 100
    assert explained.score == "mean result of the simulated games"
    assert f"{explained.best}: tried in" in explained.sentence
    assert "of 100 simulated games, more often than anything else" in explained.sentence


def test_a_play_that_was_not_tried_has_no_score() -> None:
    view = Position(Nim(), (10, 0)).view()
    explained = make_strategy("mcts:simulations=1").sit(view.game, 0, stream(5)).explain(view)
    scores = [reason.score for reason in explained.reasons]
    assert not math.isnan(scores[0]) and all(map(math.isnan, scores[1:]))


def test_an_explanation_by_worlds() -> None:
    view = Position(Higher(), ((9, 1), ())).view()
    explained = make_strategy("pimc:worlds=10").sit(view.game, 0, stream(5)).explain(view)
    assert explained.best == 1
    assert explained.sentence.startswith(
        "1: best on average over 10 worlds, each searched with open cards; mean value"
    )
