"""Drawings of searches that sample, and what they must not show of hidden cards."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kibitz.core.errors import UnsuitableGame
from kibitz.core.game import Game
from kibitz.core.registry import make_game
from kibitz.graph.dot import to_dot
from kibitz.graph.drawing import Drawing, draw_game
from kibitz.graph.graph import Kind
from kibitz.graph.marks import number
from kibitz.graph.mermaid import to_mermaid
from kibitz.graph.page import to_page
from kibitz.graph.series import Series
from kibitz.search.textbook.algorithms import Settings, run
from kibitz.search.textbook.trace import Trace

HIDDEN = ("kuhn-poker", "leduc-poker", "hidden-paper-rock-scissors", "love-letter", "tablic")
SAMPLES = 25


def drawing(
    game: Game[Any, Any], state: Any, algorithm: str, samples: int = SAMPLES, **options: Any
) -> Drawing:
    depth = 2 if algorithm == "pimc" and game.name in ("love-letter", "tablic") else None
    settings = Settings(samples=samples, depth=depth)
    return draw_game(game, state, algorithm=algorithm, settings=settings, **options)


def series_of(made: Drawing) -> Series:
    assert made.series is not None
    return made.series


def everything(made: Drawing) -> str:
    """All that anybody could see of it: every step in every format."""
    pictures = [made.picture(), *series_of(made).pictures()]
    texts = [f(picture) for picture in pictures for f in (to_dot, to_mermaid)]
    return "\n".join([*texts, to_page(series_of(made)), made.title])


# -- hidden cards --------------------------------------------------------------------------


@pytest.mark.parametrize("algorithm", ["ismcts", "pimc"])
@pytest.mark.parametrize("seed", range(6))
def test_the_other_hand_of_kuhn_poker_is_not_shown(algorithm: str, seed: int) -> None:
    game = make_game("kuhn-poker")
    state = game.deal(seed)
    made = drawing(game, state, algorithm)
    assert made.graph.root.caption == game.caption(game.view(state, 0).state)
    texts = everything(made)
    assert "hand1=" in texts
    assert "hand2" not in texts


@pytest.mark.parametrize("algorithm", ["ismcts", "pimc"])
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hand1=K; hand2=J", "hand1=K; hand2=Q"),
        ("hand1=J; hand2=Q; bets=bet", "hand1=K; hand2=Q; bets=bet"),
        ("hand1=J; hand2=Q; bets=pass bet", "hand1=J; hand2=K; bets=pass bet"),
    ],
)
def test_what_is_hidden_changes_nothing(algorithm: str, one: str, other: str) -> None:
    game = make_game("kuhn-poker")
    first, second = (
        everything(drawing(game, game.parse_position(text), algorithm)) for text in (one, other)
    )
    assert first == second


@pytest.mark.parametrize("name", HIDDEN)
def test_only_the_root_has_a_caption_and_it_is_the_view(name: str) -> None:
    game = make_game(name)
    for seed in range(3):
        state = game.deal(seed)
        while not game.is_over(state) and game.mover(state) < 0:
            state = game.after(state, game.plays(state)[0])
        seat = game.mover(state)
        made = drawing(game, state, "ismcts")
        captions = [node.caption for node in made.graph.nodes.values()]
        assert captions[0] == game.caption(game.view(state, seat).state)
        assert set(captions[1:]) <= {""}


def test_without_a_search_the_cards_are_said_to_be_open() -> None:
    game = make_game("kuhn-poker")
    made = draw_game(game, game.deal(0))
    assert "all cards open" in made.title


@pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta", "mcts", "star1"])
def test_searches_for_open_cards_refuse(algorithm: str) -> None:
    game = make_game("kuhn-poker")
    with pytest.raises(UnsuitableGame, match="open cards"):
        draw_game(game, game.deal(0), algorithm=algorithm)


@pytest.mark.parametrize("algorithm", ["ismcts", "pimc"])
def test_an_end_has_nobody_to_search_for(algorithm: str) -> None:
    game = make_game("kuhn-poker")
    state = game.parse_position("hand1=J; hand2=Q; bets=bet bet")
    with pytest.raises(UnsuitableGame, match="seat is to move"):
        draw_game(game, state, algorithm=algorithm)


# -- trees that grow -----------------------------------------------------------------------


def visits(made: Drawing, name: str) -> int:
    window = series_of(made).last.nodes[name].window
    return int(window.removesuffix(" ×"))


@pytest.mark.parametrize("name", ["twenty-one", "coin-game", "tic-tac-toe"])
def test_visits_of_mcts_add_up(name: str) -> None:
    game = make_game(name)
    made = drawing(game, game.deal(0), "mcts", samples=60)
    assert visits(made, "n0") == 60
    assert len(made.graph.nodes) <= 61
    for node in made.graph.nodes.values():
        below = sum(visits(made, edge.target) for edge in node.edges)
        # The first sample through a node ends in it, but for the root.
        assert below in (visits(made, node.name), visits(made, node.name) - 1) or not node.edges
        assert (node.kind is Kind.UNSEEN) is False


def test_no_more_nodes_than_allowed() -> None:
    game = make_game("tic-tac-toe")
    for nodes in (1, 2, 10, 30):
        made = drawing(game, game.deal(0), "mcts", samples=60, nodes=nodes)
        assert len(made.graph.nodes) == nodes
        assert visits(made, "n0") == 60


def test_plays_are_in_order() -> None:
    game = make_game("twenty-one")
    made = drawing(game, game.deal(0), "mcts", samples=60)
    assert [edge.play for edge in made.graph.root.edges] == ["4", "5", "6"]


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [
        ("coin-game", "mcts"),
        ("tic-tac-toe", "mcts"),
        ("kuhn-poker", "ismcts"),
        ("kuhn-poker", "pimc"),
    ],
)
def test_each_sample_is_a_step_of_its_own(name: str, algorithm: str) -> None:
    game = make_game(name)
    made = drawing(game, game.deal(0), algorithm, samples=40)
    texts = [re.findall(r"sample (\d+):", step.text) for step in series_of(made).steps]
    assert [int(number) for numbers in texts for number in numbers] == list(range(1, 41))
    assert max(map(len, texts)) == 1


@pytest.mark.parametrize(
    ("name", "algorithm"),
    [("coin-game", "mcts"), ("kuhn-poker", "ismcts"), ("kuhn-poker", "pimc")],
)
def test_the_last_step_says_the_value(name: str, algorithm: str) -> None:
    game = make_game(name)
    text = series_of(drawing(game, game.deal(0), algorithm)).steps[-1].text
    assert re.match(r"done: ≈ −?[\d.]+, best line \w+", text), text


@pytest.mark.parametrize("algorithm", ["ismcts", "pimc"])
def test_values_are_the_protagonist_s_in_every_node(algorithm: str) -> None:
    """Seat 2 holds the king and calls a bet: that costs seat 1 two chips."""
    game = make_game("kuhn-poker")
    state = game.parse_position("hand2=K; bets=bet; first=1")
    made = drawing(game, state, algorithm, samples=50)
    marks = series_of(made).last
    targets = {edge.play: edge.target for edge in made.graph.root.edges}
    assert made.graph.root.kind is Kind.ANTAGONIST
    assert marks.nodes[targets["bet"]].value == "≈ −2"
    assert [play for _, play in marks.line] == ["bet"]


@pytest.mark.parametrize("algorithm", ["ismcts", "pimc"])
def test_the_title_has_the_value_of_the_picture(algorithm: str) -> None:
    game = make_game("kuhn-poker")
    state = game.parse_position("hand2=K; bets=bet; first=1")
    made = drawing(game, state, algorithm, samples=50)
    bet = next(edge.target for edge in made.graph.root.edges if edge.play == "bet")
    shown = series_of(made).last.nodes[bet].value
    assert f"value {shown}" in made.title, "or it must be said whose value it is"


def test_the_line_of_a_sampled_search_is_marked() -> None:
    game = make_game("twenty-one")
    trace = Trace()
    result = run("mcts", game, game.deal(0), Settings(samples=80), trace)
    made = drawing(game, game.deal(0), "mcts", samples=80)
    assert [play for _, play in series_of(made).last.line] == [str(play) for play in result.line]
    assert f"value ≈ {number(result.value)}" in made.title
