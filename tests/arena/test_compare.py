"""Comparisons: pairs, matches, rotations, and the figures drawn from them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.arena.compare import compare, unique_names
from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.python_pairs import PythonPairs
from kibitz.arena.statistics.scores import elo, game_scores
from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.game import Game, View
from kibitz.core.registry import make_game, make_strategy
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.table.match import Match
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Table, play_out
from tests.games.boards import compiled_game, few, pairs_of


def randoms(n: int) -> list[Strategy]:
    return [make_strategy("random") for _ in range(n)]


def test_equal_strategies_score_a_half_in_every_pair() -> None:
    """A seat's stream is a function of seed, pair and seat, so both games of a pair are one."""
    game = compiled_game("love-letter")
    points = game_scores(CompiledPairs(game, randoms(2), 9, 0).play(0, few(500, 20))[0], 2)
    assert (points[:, :, 0].mean(axis=1) == 0.5).all()


def test_a_pair_does_not_depend_on_the_others() -> None:
    game = compiled_game("tablic")
    whole = CompiledPairs(game, randoms(2), 9, 0).play(0, 8)
    for all_of_it, end in zip(whole, CompiledPairs(game, randoms(2), 9, 0).play(5, 3), strict=True):
        assert np.array_equal(all_of_it[5:], end)


@pytest.mark.parametrize(
    "spec", ["love-letter", "love-letter:players=3,tie=none", "tablic", "tablic:players=4"]
)
def test_compiled_matches_are_the_matches_played_in_python(spec: str) -> None:
    game = compiled_game(spec)
    players = randoms(game.players)
    target = game.target
    pairs = pairs_of(game, 8)
    fast, made = CompiledPairs(game, players, 3, target).play(0, pairs)
    slow, made_in_python = PythonPairs(game, players, 3, "match").play(0, pairs)
    assert np.array_equal(fast, slow) and np.array_equal(made, made_in_python)
    assert (fast.max(axis=1) >= target).all()


def test_a_match_ends_at_the_target_with_somebody_ahead() -> None:
    game = make_game("love-letter")
    match = Match(game, seed=3)
    while not match.is_over:
        match.add(play_out(game, randoms(2), match.next_seeds.shuffle, match.first).state)
    assert max(match.score) >= 7 and match.score[0] != match.score[1]
    assert match.winners == [int(match.score[1] > match.score[0])]


def test_a_game_without_matches_refuses_them() -> None:
    with pytest.raises(UnsuitableGame, match="no matches"):
        Match(make_game("pig"), 1)
    with pytest.raises(BadText, match="allowed: game"):
        compare(make_game("pig"), randoms(2), 1, unit="match")


def test_the_first_seat_of_greedy_games_is_counted_over_both_games_of_a_pair() -> None:
    report = compare(make_game("twenty-one"), randoms(2), few(2000, 50)).document()
    match = report["matches"][0]
    assert match["wins"] + match["draws"] + match["losses"] == 2 * match["pairs"]
    assert match["wins"] == match["losses"]
    games = play_out(make_game("twenty-one"), randoms(2), GameSeeds(0))
    assert games.decisions[0] >= games.decisions[1]
    assert 0 < match["first_seat"] < 1 and match["first_seat"] != 0.5


def test_three_players_have_tables_and_every_order_of_seats() -> None:
    report = compare(make_game("love-letter:players=3"), randoms(3), few(300, 10)).document()
    assert report["matches"] == []
    table = report["tables"][0]
    assert table["games"] == 6 * table["pairs"]
    assert table["players"] == ["random", "random#2", "random#3"]
    assert math.isclose(sum(table["score"].values()), 1)
    assert sum(table["wins"].values()) + table["shared"] == table["games"]


def test_partners_win_together() -> None:
    table = compare(make_game("tablic:players=4"), randoms(4), few(200, 3)).document()["tables"][0]
    assert table["wins"]["random"] + table["wins"]["random#2"] + table["shared"] == table["games"]
    assert math.isclose(sum(table["score"].values()), 2)


def test_all_pairs_of_several_strategies_meet() -> None:
    report = compare(make_game("tic-tac-toe"), randoms(3), 5).document()
    assert [(m["a"], m["b"]) for m in report["matches"]] == [
        ("random", "random#2"),
        ("random", "random#3"),
        ("random#2", "random#3"),
    ]
    assert all(player["decisions"] > 0 for player in report["players"])


def test_names_of_equal_strategies_are_numbered() -> None:
    assert unique_names(randoms(3)) == ["random", "random#2", "random#3"]


class Last(Player):
    def choose(self, view: View[Any]) -> Any:
        return view.plays()[-1]


class Named(Strategy):
    """Anybody may call himself anything."""

    def __init__(self, name: str) -> None:
        self.called = name
        super().__init__()

    @property
    def name(self) -> str:  # type: ignore[override]
        return self.called

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        return Last()


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        ("a#b a#b", "a#b a#b#2"),
        ("a a a#2", "a a#3 a#2"),
        ("a#2 a a", "a#2 a a#3"),
        ("a a#2 a#2 a", "a a#2 a#2#2 a#3"),
        ("a#b a a#c a", "a#b a a#c a#2"),
    ],
)
def test_names_with_number_signs_are_distinguished(texts: str, names: str) -> None:
    assert unique_names([Named(text) for text in texts.split()]) == names.split()


class Greedy(Strategy):
    """Not the one that is in the catalogue: it loses."""

    name = "greedy"

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        return Last()


def test_who_has_the_name_of_another_is_not_taken_for_it(tmp_path: Path) -> None:
    game, ours = make_game("love-letter"), make_strategy("greedy")
    assert ours == make_strategy("greedy") and hash(ours) == hash(make_strategy("greedy"))
    assert Greedy() == Greedy() != ours and len({Greedy(), Greedy(), ours}) == 2
    random = make_strategy("random")
    scores = [compare(game, [each, random], 100).matches[0].score for each in (ours, Greedy())]
    assert scores[0] > 0.6 > scores[1]
    compare(game, [ours, random], 20, store=tmp_path / "store")
    with pytest.raises(BadText, match="can't tell this greedy from the one"):
        compare(game, [Greedy(), random], 20, store=tmp_path / "store")


def test_open_hands_are_not_an_open_deck() -> None:
    """Such a strategy sees every hand, but not what comes next; a game may not have it."""
    table = Table(make_game("tablic"), 1)
    view = table.view(0, Knows.OPEN_HANDS).state[0]
    assert view.hand[1] == table.state[0].hand[1] and (view.deck == -1).all()
    with pytest.raises(UnsuitableGame, match="open hands"):
        Table(make_game("love-letter"), 1).view(0, Knows.OPEN_HANDS)
    assert table.view(0, Knows.OPEN_DECK).state.tobytes() == table.state.tobytes()
    assert table.view(0).state[0].hand[1] == 0


def test_an_interrupted_comparison_keeps_what_is_done() -> None:
    calls = 0

    def stop_soon(figures: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt

    comparison = compare(make_game("tic-tac-toe"), randoms(2), 10**9, progress=stop_soon)
    assert comparison.interrupted
    assert 1 < comparison.matches[0].pairs < 10**9


# -- statistics --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "points"), [(0.5, 0.0), (0.75, 190.848502), (10 / 11, 400.0), (0.25, -190.848502)]
)
def test_elo(score: float, points: float) -> None:
    assert math.isclose(elo(score) or 0.0, points, abs_tol=1e-6)
    assert elo(1.0) is None and elo(0.0) is None


def test_game_scores_share_a_tie_and_join_partners() -> None:
    two = np.array([[1.0, -1.0, 0.0, 0.0]])
    assert game_scores(two, 2).tolist() == [[[1, 0], [0.5, 0.5]]]
    four = np.array([[3.0, -3, 3, -3, 0, 0, 0, 0, 1, -1, 1, -1, -1, 1, -1, 1]])
    assert game_scores(four, 4, partners=2)[0, :2].tolist() == [[1, 0, 1, 0], [0.5] * 4]
