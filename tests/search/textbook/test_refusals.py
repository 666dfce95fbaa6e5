"""A search that a game does not suit says so, and which one to try instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.registry import make_game
from kibitz.search.textbook.alpha_beta import AlphaBeta
from kibitz.search.textbook.expectiminimax import Expectiminimax
from kibitz.search.textbook.ismcts import ismcts
from kibitz.search.textbook.iterative_deepening import deepen
from kibitz.search.textbook.mcts import mcts
from kibitz.search.textbook.minimax import Minimax
from kibitz.search.textbook.pimc import pimc
from kibitz.search.textbook.star import Star1, Star2
from kibitz.search.textbook.transposition import AlphaBetaWithTable, MergedMinimax
from tests.search.plain import Endless, Favours, LuckyFavours, SecretCoin
from tests.search.trees import Search

NO_CHANCE: list[Search] = [Minimax, MergedMinimax, AlphaBeta, AlphaBetaWithTable]
TREE: list[Search] = [*NO_CHANCE, Expectiminimax, Star1, Star2]
HIDDEN = ["kuhn-poker", "love-letter", "leduc-poker", "hidden-paper-rock-scissors"]


def from_view(search: Callable[..., Any]) -> Callable[[Game[Any, Any]], Any]:
    """A search that is given a view, from the first position of a game."""

    def run(game: Game[Any, Any]) -> Any:
        return search(game.view(game.deal(0), game.mover(game.deal(0))))

    return run


ACCEPTS: dict[str, Callable[[Game[Any, Any]], Any]] = {
    "minimax": Minimax,
    "alpha-beta": AlphaBeta,
    "expectiminimax": Expectiminimax,
    "star1": Star1,
    "mcts": lambda game: mcts(game, game.deal(0), iterations=1),
    "pimc": from_view(lambda view: pimc(view, worlds=1)),
    "ismcts": from_view(lambda view: ismcts(view, iterations=1)),
}
"""What a message may suggest, and how to ask whether it suits a game."""


def refused(run: Callable[[Game[Any, Any]], Any], game: Game[Any, Any]) -> list[str]:
    """The searches that a refusal suggests. One of them at least must suit the game."""
    with pytest.raises(UnsuitableGame) as caught:
        run(game)
    text = str(caught.value)
    assert game.name in text and "\n" not in text
    suggestion = re.search(r"; try ([\w -]+)$", text)
    assert suggestion, text
    names = suggestion[1].split(" or ")
    suits = []
    for name in names:
        try:
            ACCEPTS[name](game)
        except UnsuitableGame:
            continue
        suits.append(name)
    assert suits, f"{text}, but it does not suit either"
    return names


@pytest.mark.parametrize("search", TREE)
@pytest.mark.parametrize("spec", [*HIDDEN, "love-letter:players=3"])
def test_tree_searches_need_open_cards(search: Search, spec: str) -> None:
    names = refused(search, make_game(spec))
    assert sorted(names) == (["ismcts"] if "players=3" in spec else ["ismcts", "pimc"])


@pytest.mark.parametrize("search", NO_CHANCE)
@pytest.mark.parametrize("name", ["pig", "coin-game"])
def test_searches_without_chance_nodes(search: Search, name: str) -> None:
    assert refused(search, make_game(name)) == ["expectiminimax"]


@pytest.mark.parametrize("search", TREE)
@pytest.mark.parametrize("game", [Favours(), LuckyFavours()], ids=str)
def test_tree_searches_are_for_two(search: Search, game: Game[Any, Any]) -> None:
    assert refused(search, game) == ["mcts"]


@pytest.mark.parametrize("search", NO_CHANCE)
def test_a_chance_node_that_the_traits_do_not_mention(search: Search) -> None:
    names = refused(lambda game: search(game).run(game.deal(0)), SecretCoin())
    assert names == ["expectiminimax"]
    assert Expectiminimax(SecretCoin()).run(0).value == 1


@pytest.mark.parametrize("spec", [*HIDDEN, "love-letter:players=3"])
def test_mcts_needs_open_cards(spec: str) -> None:
    names = refused(lambda game: mcts(game, game.deal(0), iterations=1), make_game(spec))
    assert names == (["ismcts"] if "players=3" in spec else ["ismcts", "pimc"])


@pytest.mark.parametrize(
    ("spec", "instead"),
    [("tic-tac-toe", "alpha-beta"), ("twenty-one", "alpha-beta"), ("pig", "expectiminimax")],
)
def test_pimc_needs_hidden_cards(spec: str, instead: str) -> None:
    assert refused(from_view(pimc), make_game(spec)) == [instead]


@pytest.mark.parametrize("game", [Favours(), LuckyFavours()], ids=str)
def test_pimc_suggests_to_three_nothing_that_is_for_two(game: Game[Any, Any]) -> None:
    assert refused(from_view(pimc), game) == ["mcts"]


@pytest.mark.parametrize("spec", ["tic-tac-toe", "connect-four", "pig"])
def test_ismcts_needs_hidden_cards(spec: str) -> None:
    assert refused(from_view(ismcts), make_game(spec)) == ["mcts"]


def test_pimc_is_for_two() -> None:
    assert refused(from_view(pimc), make_game("love-letter:players=3")) == ["ismcts"]


@pytest.mark.parametrize("spec", ["kuhn-poker", "pig", "love-letter:players=3"])
def test_deepening_refuses_what_alpha_beta_refuses(spec: str) -> None:
    refused(lambda game: deepen(game, game.deal(0), lambda state: 0.0, 1), make_game(spec))


def test_sampling_needs_games_that_end() -> None:
    with pytest.raises(UnsuitableGame, match="endless has no end after 10000 plays"):
        mcts(Endless(), 0, iterations=1)
