"""Games that people write themselves: what contradicts itself is refused, not searched."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kibitz.core.errors import BadText
from kibitz.core.game import CHANCE, Chance, Game, Traits
from kibitz.core.registry import make_game
from kibitz.graph import Graph, protagonist
from kibitz.graph.build import build
from kibitz.graph.drawing import draw_game
from kibitz.search.textbook.algorithms import Settings, run
from kibitz.search.textbook.expectiminimax import Expectiminimax
from kibitz.search.textbook.mcts import mcts
from kibitz.search.textbook.minimax import Minimax
from tests.processes import assert_refused, kibitz_here


class Lottery(Game[int, str]):
    """State 0 is a draw of a lot, the others are ends."""

    name: ClassVar[str] = "lottery"
    title: ClassVar[str] = "A lottery"
    traits: ClassVar[Traits] = Traits(chance=Chance.PLAY)
    lots: ClassVar[list[tuple[str, float]]] = [("b", 0.9), ("a", 0.1)]

    def deal(self, seed: int, first: int = 0) -> int:
        return 0

    def mover(self, state: int) -> int:
        return CHANCE

    def is_over(self, state: int) -> bool:
        return state > 0

    def plays(self, state: int) -> list[str]:
        return ["a", "b"]

    def chances(self, state: int) -> list[tuple[str, float]]:
        return self.lots

    def after(self, state: int, play: str) -> int:
        return 1 if play == "a" else 2

    def returns(self, state: int) -> tuple[float, ...]:
        return (10, -10) if state == 1 else (0, 0)


def test_chances_need_not_have_the_order_of_the_plays() -> None:
    assert Expectiminimax(Lottery()).run(0).value == pytest.approx(1)


@pytest.mark.parametrize(
    "lots",
    [
        [("a", 1.5), ("b", -0.5)],
        [("a", float("nan")), ("b", 1)],
        [("a", 0.5), ("b", 0.4)],
        [("a", 1.0)],
        [("a", 0.5), ("c", 0.5)],
    ],
)
def test_bad_chances_are_refused(lots: list[tuple[str, float]]) -> None:
    class Bad(Lottery):
        pass

    Bad.lots = lots
    with pytest.raises(BadText, match="lottery: "):
        Expectiminimax(Bad()).run(0)


class Choice(Lottery):
    traits: ClassVar[Traits] = Traits()

    def mover(self, state: int) -> int:
        return 0


def test_an_index_error_in_a_play_is_an_error() -> None:
    class Mistaken(Choice):
        def after(self, state: int, play: str) -> int:
            return [1][{"a": 0, "b": 1}[play]]

    with pytest.raises(IndexError):
        Minimax(Mistaken()).run(0)
    with pytest.raises(IndexError):
        build(Mistaken())


@pytest.mark.parametrize("kind", [set, iter, dict.fromkeys])
def test_plays_must_be_a_list(kind: Any) -> None:
    class Odd(Choice):
        def plays(self, state: int) -> Any:
            made: Iterable[str] = kind(["a", "b"])
            return made

    with pytest.raises(BadText, match="plays must give a list"):
        Minimax(Odd()).run(0)


def test_an_evaluation_must_be_a_number() -> None:
    class Vague(Choice):
        weights: ClassVar[dict[str, float]] = {"x": 1}

        def is_over(self, state: int) -> bool:
            return False

        def features(self, state: int) -> dict[str, float]:
            return {"x": float("nan")}

    with pytest.raises(BadText, match="not a number"):
        run("minimax", Vague(), 0, Settings(depth=2))


@pytest.mark.parametrize("more", [0, 100, 1000])
def test_mcts_explores_by_the_spread_of_the_ends(more: int) -> None:
    game = Graph.of(protagonist({"less": more, "most": more + 1})).game()
    visits = {play: known.visits for play, known in mcts(game, "n0").values.items()}
    assert visits["most"] > 900


def test_an_information_set_has_no_kind_of_its_own() -> None:
    """In one world a play ends the round, in another it does not."""
    game = make_game("love-letter")
    made = draw_game(game, game.deal(1), algorithm="ismcts", settings=Settings(samples=300))
    assert not any(node.kind == "end" and node.edges for node in made.graph.nodes.values())


HIDING = """
from kibitz import Game, Traits

class Hiding(Game):
    traits = Traits(hidden=True)
    def deal(self, seed, first=0): return 0
    def mover(self, state): return 0
    def plays(self, state): return [1]
    def after(self, state, play): return 1
    def is_over(self, state): return state == 1
    def returns(self, state): return 0, 0
"""


def test_a_game_that_hides_needs_views(tmp_path: Path) -> None:
    (tmp_path / "hiding.py").write_text(HIDING)
    line = assert_refused(kibitz_here("games", "hiding.py", home=tmp_path))
    assert "needs view and redeal" in line


def test_brackets_are_no_markup(tmp_path: Path) -> None:
    text = 'A "x [/b] y" max: [bold] -> 1, [i] -> 2\n'
    (tmp_path / "[draft].graph").write_text(text)
    shown = kibitz_here("play", "[draft].graph", given="q\n", home=tmp_path).stdout
    assert "x [/b] y" in shown and "[bold]" in shown
    compared = kibitz_here("compare", "[draft].graph", "random", "random", home=tmp_path).stdout
    assert "[draft].graph" in compared


def test_a_file_name_may_have_a_colon(tmp_path: Path) -> None:
    (tmp_path / "a:b.graph").write_text("A max: 1, 2\n")
    assert "value 2" in kibitz_here("solve", "a:b.graph", home=tmp_path).stdout


def test_too_many_pictures_are_refused(tmp_path: Path) -> None:
    args = ("graph", "tic-tac-toe", "--algorithm", "minimax", "--depth", "4", "--steps")
    line = assert_refused(kibitz_here(*args, "-o", "x.svg", home=tmp_path))
    assert re.search(r"\d+ steps are too many \(500 at most\)", line)
    assert list(tmp_path.iterdir()) == []


def test_star2_over_the_limit_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "x.graph").write_text(
        "A max: B, C\nB chance: 1/2 x -> D, 1/2 y -> E\nC chance: 1/2 x -> D, 1/2 y -> E\n"
        "D min: 1, 2, 3\nE min: 3, 2, 1\n"
    )
    for limit in range(10, 40):
        done = kibitz_here("solve", "x.graph", "--nodes", str(limit), home=tmp_path)
        alone = kibitz_here(
            *("solve", "x.graph", "--nodes", str(limit), "--algorithm", "expectiminimax"),
            home=tmp_path,
        )
        assert done.returncode == 0 or alone.returncode == 2
