"""From Python: `kibitz.compare` and `kibitz.play`, what they give and what they refuse."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.arena.comparison import Comparison, MatchLine, PlayerLine, TableLine
from kibitz.arena.plan import Part
from kibitz.arena.play_part import play_part
from kibitz.core.errors import BadText, BadValue
from kibitz.core.registry import make_game, make_strategy
from kibitz.table.table import Forfeit
from tests.arena.failing import Failing
from tests.arena.running import without_seconds
from tests.plain import Nim
from tests.processes import complaints, kibitz_here

FLAT = (str, int, float, bool, type(None))


def test_a_comparison_is_typed() -> None:
    comparison = kibitz.compare("love-letter", ["random", "greedy"], 60, seed=5)
    assert isinstance(comparison, Comparison)
    (match,) = comparison.matches
    assert isinstance(match, MatchLine)
    assert all(isinstance(player, PlayerLine) for player in comparison.players)
    assert (comparison.game, comparison.seed, comparison.unit, comparison.pairs) == (
        "love-letter",
        5,
        "round",
        60,
    )
    assert (match.a, match.b, match.pairs, match.clear) == ("random", "greedy", 60, None)
    assert match.ci95[0] < match.score < match.ci95[1] < 0.5
    assert not comparison.interrupted and comparison.failures == () and comparison.tables == ()
    (table,) = kibitz.compare("love-letter:players=3", ["random"] * 3, 5).tables
    assert isinstance(table, TableLine)


def test_it_is_what_the_command_prints(tmp_path: Path) -> None:
    args = ("compare", "tablic", "random", "random", "--pairs", "20", "--seed", "3", "--jobs", "1")
    done = kibitz_here(*args, "--json", home=tmp_path)
    comparison = kibitz.compare("tablic", ["random", "random"], 20, seed=3)
    assert without_seconds(json.loads(done.stdout)) == without_seconds(comparison.document())


@pytest.mark.parametrize("pairs", [1, 2, 30])
@pytest.mark.parametrize("how", ["random", "greedy"])
def test_a_document_is_json_without_infinities(pairs: int, how: str) -> None:
    comparison = kibitz.compare("love-letter", ["random", how], pairs)
    json.dumps(comparison.document(), allow_nan=False)


def test_rows_are_flat_and_alike() -> None:
    two = kibitz.compare("love-letter", ["random", "greedy", "random"], 30)
    assert len(two.rows()) == 3
    assert [(row["a"], row["b"]) for row in two.rows()] == [
        ("random", "greedy"), ("random", "random#2"), ("greedy", "random#2")
    ]  # fmt: skip
    match = two.matches[0]
    row = two.rows()[0]
    assert (row["ci95_low"], row["ci95_high"]) == match.ci95
    assert (row["margin95_low"], row["margin95_high"]) == match.margin95
    three = kibitz.compare("love-letter:players=3", ["random"] * 3, 5)
    assert [row["player"] for row in three.rows()] == ["random", "random#2", "random#3"]
    assert math.isclose(sum(row["score"] for row in three.rows()), 1)
    for rows in (two.rows(), three.rows(), kibitz.play("pig", ["random"] * 2).rows()):
        assert all(row.keys() == rows[0].keys() for row in rows)
        assert all(isinstance(value, FLAT) for row in rows for value in row.values())


def test_games_and_strategies_may_be_objects(tmp_path: Path) -> None:
    by_text = kibitz.compare("pig:target=20", ["random", "random"], 9)
    game, random = make_game("pig:target=20"), make_strategy("random")
    by_object = kibitz.compare(game, [random, random], 9)
    assert without_seconds(by_text.document()) == without_seconds(by_object.document())
    stored = kibitz.compare(Nim(), [random, Failing()], 3, store=str(tmp_path / "store"))
    assert stored.players[1].failures == 6


def test_a_game_is_played_and_can_be_replayed(tmp_path: Path) -> None:
    done = kibitz.play("love-letter", ["greedy", "random"], seed=4)
    assert done == kibitz.play("love-letter", ["greedy", "random"], seed=4)
    assert sum(done.returns) == 0 and done.players == ("greedy", "random")
    assert [(row["seat"], row["result"]) for row in done.rows()] == [*enumerate(done.returns, 1)]
    (tmp_path / "r.jsonl").write_text(done.record.model_dump_json() + "\n")
    replayed = kibitz_here("replay", "r.jsonl", home=tmp_path)
    assert (replayed.returncode, complaints(replayed)) == (0, [])
    assert len(done.plays) == len(done.log)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "unknown game": ({"game": "whist"}, "love-letter"),
    "unknown strategy": ({"players": ["random", "oracle"]}, "oracle"),
    "too few": ({"players": ["random"]}, "at least 2"),
    "nobody": ({"players": []}, "at least 2"),
    "no pairs": ({"pairs": 0}, "at least 1"),
    "no jobs": ({"jobs": 0}, "at least 1"),
    "no time": ({"limit": 0}, "more than 0"),
    "endless": ({"limit": math.inf}, "more than 0"),
    "bad unit": ({"unit": "week"}, "round, match"),
    "until clear with three": (
        {"game": "love-letter:players=3", "players": ["random"] * 3, "until_clear": True},
        "two players",
    ),
}


@pytest.mark.parametrize(("changes", "tells"), BAD.values(), ids=BAD)
def test_bad_input_is_refused(changes: dict[str, Any], tells: str) -> None:
    usual: dict[str, Any] = {"game": "love-letter", "players": ["random", "random"], "pairs": 2}
    with pytest.raises((BadText, BadValue), match=tells):
        kibitz.compare(**(usual | changes))


def test_one_game_needs_its_players_and_says_who_failed() -> None:
    with pytest.raises(BadText, match="has 2 players, not 3"):
        kibitz.play("love-letter", ["random"] * 3)
    with pytest.raises(Forfeit, match="failing failed: ValueError: no idea"):
        kibitz.play(Nim(), ["random", Failing()])
    with pytest.raises(Forfeit, match=r"thought for more than 0.1 s"):
        kibitz.play(Nim(), ["random", Failing(how="hang")], limit=0.1)


@pytest.mark.parametrize(
    ("game", "player", "unit"),
    [
        ("love-letter", "random", "round"),
        ("love-letter", "greedy", "match"),
        ("love-letter", "ismcts:simulations=20", "round"),
        ("tablic", "greedy", "game"),
        ("pig", "random", "game"),
    ],
)
def test_equal_players_have_half_of_every_pair(game: str, player: str, unit: str) -> None:
    """Not about half: the two games of a pair are one game, seen from both sides."""
    made = make_strategy(player)
    part = Part(make_game(game), (made, made), 7, unit, None, 0, 25)
    for a, b, c, d in play_part(part).results.tolist():
        assert (a, b) == (d, c)
    (match,) = kibitz.compare(game, [player, player], 25, seed=7, unit=unit).matches
    assert (match.score, match.elo, match.even) == (0.5, 0.0, True)
    low, high = match.ci95
    assert 0.4 < low < 0.5 < high < 0.6, "what is rare may not have been seen"
    assert match.wins == match.losses and match.margin == 0
    assert match.margin95 == (-math.inf, math.inf), "nothing is known of its spread"


@pytest.mark.parametrize(("pairs", "enough"), [(9, False), (10, True)])
def test_few_pairs_have_no_interval_and_are_never_clear(
    tmp_path: Path, pairs: int, enough: bool
) -> None:
    args = ("compare", "tablic", "random", "greedy", "--pairs", str(pairs), "--jobs", "1")
    report = tmp_path / "report.html"
    shown = kibitz_here(*args, "--report", report, home=tmp_path).stdout
    assert ("too few pairs" not in shown) is enough
    page = report.read_text(encoding="utf-8")
    assert ("clearly better" in page) is enough
    assert ("fewer than 10 pairs are too few to tell" not in page) is enough
    (match,) = json.loads(kibitz_here(*args, "--json", home=tmp_path).stdout)["matches"]
    assert (match["ci95"] != [0.0, 1.0]) is enough
    assert (match["elo95"] != [None, None]) is enough and (match["margin95"] is not None) is enough


def test_who_is_equal_in_every_pair_is_called_so(tmp_path: Path) -> None:
    args = ("compare", "love-letter", "greedy", "greedy", "random", "--pairs", "20", "--jobs", "1")
    shown = kibitz_here(*args, home=tmp_path).stdout
    assert "Equal in every pair: greedy – greedy#2." in shown
    matches = json.loads(kibitz_here(*args, "--json", home=tmp_path).stdout)["matches"]
    assert [match.get("even", False) for match in matches] == [True, False, False]


def test_a_comparison_shows_itself() -> None:
    two = kibitz.compare("love-letter", ["greedy", "random"], 30, seed=1)
    lines = repr(two).splitlines()
    assert lines[0] == "love-letter, seed 1, 30 pairs: every round in all seats"
    assert lines[1].split()[:3] == ["match", "w-d-l", "score"]
    assert lines[2].startswith("greedy – random") and lines[3].startswith("greedy scores best")
    assert "<table>" in two._repr_html_() and two.to_frame()["a"].tolist() == ["greedy"]
    three = kibitz.compare("love-letter:players=3", ["random"] * 3, 5)
    assert [line.split()[0] for line in repr(three).splitlines()[1:5]] == [
        "player", "random", "random#2", "random#3"
    ]  # fmt: skip
