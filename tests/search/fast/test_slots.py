"""Which kernels a search asks of a game: read from its code, and checked before it compiles."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from kibitz.core.errors import UnsuitableGame
from kibitz.core.registry import make_game
from kibitz.core.strategy import Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.kuhn_poker.game import KuhnPoker
from kibitz.games.tic_tac_toe.game import TicTacToe
from kibitz.jit.rng import stream
from kibitz.search.fast import flat_monte_carlo, ismcts, pimc
from kibitz.search.fast.slots import MOST_SEATS, bind_search, needed_kernels
from kibitz.strategies.flat_mc import FlatMonteCarlo
from kibitz.strategies.ismcts import Ismcts
from kibitz.strategies.mcts import Mcts
from kibitz.strategies.pimc import Pimc


def kuhn_poker() -> CompiledGame:
    game = make_game("kuhn-poker")
    assert isinstance(game, CompiledGame)
    return game


def test_what_templates_call_is_needed_too() -> None:
    needed = needed_kernels(flat_monte_carlo.choose)
    assert {("game", "apply"), ("game", "legal"), ("rollout", "play_out")} <= needed
    assert {("worlds", "SIZE"), ("worlds", "prepare"), ("worlds", "sample")} <= needed
    assert {slot for slot, _ in needed_kernels(pimc.choose)} == {"game", "twin", "worlds"}


@pytest.mark.parametrize(
    ("strategy", "search", "slot"),
    [
        (Ismcts(), ismcts, "walk"),
        (FlatMonteCarlo(), flat_monte_carlo, "game"),
        (Pimc(), pimc, "twin"),
    ],
)
@pytest.mark.parametrize("missing", ["apply", "STATE"])
def test_a_missing_kernel_is_named(
    strategy: Ismcts | Pimc, search: object, slot: str, missing: str
) -> None:
    game = kuhn_poker()
    slots = strategy.slots(game)
    bind_search(search.choose, game, slots)  # type: ignore[attr-defined]
    kernels = {name: it for name, it in vars(slots[slot]).items() if name != missing}
    slots[slot] = SimpleNamespace(**kernels)
    with pytest.raises(UnsuitableGame, match=rf"kuhn-poker lacks .* {slot}\.{missing}"):
        bind_search(search.choose, game, slots)  # type: ignore[attr-defined]


class CrowdedKuhnPoker(KuhnPoker):
    """One seat more than the searches' arrays have places for."""

    __module__ = KuhnPoker.__module__  # where its kernels are

    @property
    def players(self) -> int:
        return MOST_SEATS + 1


class CrowdedTicTacToe(TicTacToe):
    """The same with open cards."""

    __module__ = TicTacToe.__module__  # where its kernels are

    @property
    def players(self) -> int:
        return MOST_SEATS + 1


@pytest.mark.parametrize(
    ("strategy", "game"),
    [
        (Ismcts(), CrowdedKuhnPoker()),
        (FlatMonteCarlo(), CrowdedKuhnPoker()),
        (Pimc(), CrowdedKuhnPoker()),
        (Mcts(), CrowdedTicTacToe()),
    ],
)
def test_more_players_than_the_arrays_have_places_for_are_refused(
    strategy: Strategy, game: CompiledGame
) -> None:
    for begin in (strategy.policy, lambda game: strategy.sit(game, 0, stream(1))):
        with pytest.raises(UnsuitableGame, match=r"up to 4 players, and .* has 5"):
            begin(game)
