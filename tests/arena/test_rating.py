"""The joint rating of what was played: counted again from exported games, stored, resumed, stopped
early, with three at a table; and what is said of it."""

from __future__ import annotations

import csv
import json
import math
from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

import kibitz
from kibitz.arena.compare import compare
from kibitz.arena.comparison import Comparison
from kibitz.arena.pair_sums import FINE, MOST, PairSums
from kibitz.arena.rating import PARTNERS, Rating, rate
from kibitz.arena.report.rating_words import rating_rows, residual_rows, say_rating
from kibitz.arena.statistics.rating import Contest, fit_scale
from kibitz.arena.store.store import Store
from kibitz.arena.store.stored_run import comparison_of, export_games
from kibitz.core.registry import make_game, make_strategy
from tests.arena import recount
from tests.arena.statistics.rating_twin import as_games, twin, twin_covariance, twin_gain
from tests.arena.statistics.test_rating import sure

GAME = make_game("love-letter")
NAMES = ["random", "greedy", "probabilistic"]
THREE = [make_strategy(name) for name in NAMES]


def rating_of(comparison: Comparison) -> Rating:
    assert comparison.rating is not None
    return comparison.rating


def exported(store: Path, tmp_path: Path) -> list[recount.Seated]:
    """All games of the first run of a store."""
    with Store(store) as opened:
        (run,) = opened.runs()
        export_games(opened, run, tmp_path / "games.csv")
    with (tmp_path / "games.csv").open(newline="") as file:
        return [
            recount.Seated(
                int(row["pair"]), int(row["order"]), int(row["seat"]) - 1, row["player"],
                float(row["result"]),
            )
            for row in csv.DictReader(file)
        ]  # fmt: skip


def contests_of(rows: list[recount.Seated], seats: int, ends: dict[tuple[str, ...], int]) -> Any:
    """From single games alone, in fractions."""
    met: dict[tuple[str, ...], list[list[recount.Seated]]] = defaultdict(list)
    for line_up in combinations(NAMES, seats):
        own: dict[tuple[int, int], list[recount.Seated]] = defaultdict(list)
        # The games of one line-up follow each other in the export.
        for game in _games(rows, seats):
            if {one.player for one in game} == set(line_up):
                own[game[0].pair, game[0].order] = game
        met[line_up] = list(own.values())
    contests = []
    for line_up, games in met.items():
        pairs = sorted({game[0].pair for game in games})[: ends.get(line_up)]
        scores = []
        for player in line_up:
            points = ((g[0].pair, recount.points(g)[player]) for g in games)
            of_pair: dict[int, list[Fraction]] = defaultdict(list)
            for pair, point in points:
                of_pair[pair].append(point)
            scores.append([float(sum(of_pair[p], Fraction(0)) / len(of_pair[p])) for p in pairs])
        numbers = [NAMES.index(player) for player in line_up]
        contests.append(Contest.of_pairs(numbers, np.array(scores).T))
    return contests


def _games(rows: list[recount.Seated], seats: int) -> list[list[recount.Seated]]:
    return [rows[at : at + seats] for at in range(0, len(rows), seats)]


def check_against_games(rating: Rating, contests: list[Contest]) -> None:
    found = twin(as_games(contests), 3)
    gain, covariance = twin_gain(contests, 3), twin_covariance(contests)
    spread = gain @ covariance @ gain.T
    reach = float(t.ppf(0.975, min(len(c.deviations) for c in contests) - 1))
    for line in rating.players:
        k = NAMES.index(line.name)
        assert line.elo == pytest.approx(found[k], abs=1e-4) and line.scale == 1
        half = reach * math.sqrt(spread[k, k])
        assert line.ci95 == pytest.approx((found[k] - half, found[k] + half), rel=1e-3)
    best = [line.name for line in rating.players]
    assert best == sorted(NAMES, key=lambda name: -found[NAMES.index(name)])
    for line, following in pairwise(rating.players):
        assert line.elo is not None and following.elo is not None
        assert line.ahead == pytest.approx(line.elo - following.elo)
    assert rating.players[-1].ahead is None


def test_the_rating_is_that_of_the_single_games(tmp_path: Path) -> None:
    store = tmp_path / "store"
    rating = rating_of(compare(GAME, THREE, 120, seed=4, store=store))
    assert rating.freedom == 1 and rating.probability is not None
    check_against_games(rating, contests_of(exported(store, tmp_path), 2, {}))


def test_so_is_that_of_a_run_that_stops_when_it_is_clear(tmp_path: Path) -> None:
    """Its matches have different numbers of pairs; what was played beyond them does not count."""
    store = tmp_path / "store"
    comparison = compare(GAME, THREE, 900, seed=4, store=store, until_clear=True)
    ends: dict[tuple[str, ...], int] = {
        (match.a, match.b): match.pairs for match in comparison.matches
    }
    assert len(set(ends.values())) > 1
    contests = contests_of(exported(store, tmp_path), 2, ends)
    check_against_games(rating_of(comparison), contests)


def test_with_three_at_a_table(tmp_path: Path) -> None:
    store, game = tmp_path / "store", make_game("love-letter:players=3")
    comparison = compare(game, THREE, 60, seed=4, store=store)
    contests = contests_of(exported(store, tmp_path), 3, {})
    rating = rating_of(comparison)
    check_against_games(rating, contests)
    odds = [10 ** (line.elo / 400) for line in rating.players if line.elo is not None]
    for line, share in zip(rating.players, odds, strict=True):
        assert comparison.tables[0].score[line.name] == pytest.approx(share / sum(odds))


def test_stored_resumed_and_longer_runs_have_the_rating_of_fresh_ones(tmp_path: Path) -> None:
    store = tmp_path / "store"
    compare(GAME, THREE, 40, seed=2, store=store)
    resumed = rating_of(compare(GAME, THREE, 90, seed=2, store=store))
    fresh = rating_of(compare(GAME, THREE, 90, seed=2))
    assert resumed == fresh
    with Store(store) as opened:
        assert comparison_of(opened, opened.runs()[0]).rating == fresh
    assert fresh != rating_of(compare(GAME, THREE, 40, seed=2))


def test_two_processes_find_the_same() -> None:
    one, two = (rating_of(compare(GAME, THREE, 400, seed=2, jobs=jobs)) for jobs in (1, 2))
    assert one == two


def test_partners_have_no_rating_and_it_is_said_why() -> None:
    comparison = compare(make_game("tablic:players=4"), [make_strategy("random")] * 4, 10)
    assert rating_of(comparison).why_not == PARTNERS
    assert comparison.document()["rating"] == {"why_not": PARTNERS}
    assert "partners score together" in say_rating(rating_of(comparison))[0]


def test_less_luck_is_rated_by_its_scores() -> None:
    pair = THREE[1], THREE[2], make_strategy("random")
    plain = rating_of(compare(GAME, pair, 400, seed=3))
    less = rating_of(compare(GAME, pair, 400, seed=3, less_luck=True))
    assert (plain.by, less.by) == ("score", "less-luck")
    for one, other in zip(_by_name(plain), _by_name(less), strict=True):
        assert one.ci95 is not None and other.ci95 is not None
        assert one.elo != other.elo and abs(one.elo - other.elo) < 30
        assert other.ci95[1] - other.ci95[0] < one.ci95[1] - one.ci95[0]


def test_scores_less_luck_that_no_rating_expects_are_not_rated() -> None:
    """In a few pairs a score less luck is above all there is; the plain ones are rated then."""
    for seed in range(50):
        players = [make_strategy(name) for name in ("greedy", "random")]
        comparison = compare(GAME, players, 2, seed=seed, less_luck=True)
        (match,) = comparison.matches
        assert match.less_luck is not None
        if not 0 < match.less_luck.score < 1:
            break
    assert rating_of(comparison).by == "score"
    for line in rating_of(comparison).players:
        assert line.elo is None or math.isfinite(line.elo)


def _by_name(rating: Rating) -> list[Any]:
    return sorted(rating.players, key=lambda line: line.name)


def test_no_infinite_number_reaches_the_document() -> None:
    players = [make_strategy(name) for name in ("genetic", "random")]
    comparison = compare(make_game("tablic"), players, 12, seed=1)
    assert (comparison.matches[0].score, comparison.matches[0].elo) == (1.0, None)
    document = json.loads(json.dumps(comparison.document(), allow_nan=False))["rating"]
    sides = {line["name"]: (line["at_least"], line["at_most"]) for line in document["players"]}
    (bound,) = [end for ends in sides.values() for end in ends if end is not None]
    assert 100 < abs(bound) < 1000


# -- sums over pairs ---------------------------------------------------------------------------


def parts(rng: Any, n: int) -> list[tuple[int, int]]:
    """A cut of n pairs into parts, in any order."""
    edges = [0, *sorted(rng.choice(np.arange(1, n), 6, replace=False).tolist()), n]
    cut = list(pairwise(edges))
    rng.shuffle(cut)
    return cut


@pytest.mark.parametrize("n", [50, MOST, 5 * MOST + 17])
def test_sums_do_not_depend_on_the_parts(n: int) -> None:
    rng = np.random.default_rng(1)
    own = rng.integers(0, 25, n)
    scores = np.stack([own, 24 - own], axis=1)
    means = scores.mean(axis=0) / 24
    found = []
    for cut in ([(0, n)], parts(rng, n), parts(rng, n)):
        sums = PairSums(2, n, 24)
        for start, end in cut:
            sums.add(start, scores[start:end], own[start:end] * FINE)
        contests = [
            sums.contest((0, 1), n, means, n),
            sums.corrected_contest((0, 1), n, float(means[0]), n),
        ]
        found.append([(c.deviations.tolist(), c.size, c.blocks) for c in contests])
        assert np.allclose(contests[0].deviations, contests[1].deviations)
    assert found[0] == found[1] == found[2]
    # Blocks of several pairs have nearly the interval of single ones.
    (contest,) = contests[:1]
    assert contest.blocks == n // contest.size
    single = fit_scale([Contest.of_pairs((0, 1), scores / 24)], 2)
    blocks = fit_scale([contest], 2)
    ahead = np.array([1.0, -1.0])
    assert blocks.interval_half(ahead) == pytest.approx(single.interval_half(ahead), rel=0.03)


def test_what_lies_beyond_the_end_or_is_not_whole_does_not_count() -> None:
    sums = PairSums(2, 4 * MOST, 24)
    assert sums.size == 4
    scores = np.stack([np.arange(24), 24 - np.arange(24)], axis=1)
    sums.add(0, scores[:10], None)  # blocks 0 and 1, and half of 2
    sums.add(12, scores[12:24], None)  # blocks 3, 4 and 5
    assert sums.contest((0, 1), 22, np.array([0.5, 0.5]), 24).blocks == 5
    cut = sums.contest((0, 1), 22, np.array([0.5, 0.5]), 19)
    assert (cut.blocks, len(cut.deviations)) == (3, 4) and not cut.deviations[2].any()


def test_pairs_with_numbers_beyond_all_bounds_take_no_memory() -> None:
    """A store may come from anybody."""
    sums = PairSums(2, 10, 24)
    sums.add(1 << 58, np.full((3, 2), 12), None)
    sums.add(2 * MOST - 1, np.full((3, 2), 12), None)
    assert sums.contest((0, 1), 3, np.array([0.5, 0.5]), 1 << 60).blocks == 1


# -- words -------------------------------------------------------------------------------------


def made(wins: dict[tuple[str, str], int], pairs: int = 100) -> Rating:
    """A rating from how many pairs were won."""
    names = list(dict.fromkeys(name for who in wins for name in who))
    contests = [sure((names.index(a), names.index(b)), won, pairs) for (a, b), won in wins.items()]
    share = {who: won / pairs for who, won in wins.items()}
    share |= {(b, a): 1 - each for (a, b), each in share.items()}
    return rate(names, contests, lambda a, b: share.get((a, b), 0) > 0.6)


CIRCLE = {("rock", "scissors"): 80, ("paper", "rock"): 75, ("scissors", "paper"): 78}
LINE = {("a", "b"): 64, ("b", "c"): 64, ("a", "c"): 76}


def test_a_circle_is_named() -> None:
    rating = made({who: 4 * won for who, won in CIRCLE.items()}, 400)
    said = say_rating(rating)[-1]
    assert rating.fits is False
    assert rating.circles == (("rock", "scissors", "paper"),)
    assert "does not explain the scores (p < 0.001)" in said
    assert (
        "Rock, paper, scissors: rock beats scissors, scissors beats paper, and paper beats rock."
        in said
    )
    for line in rating.residuals:
        assert line.clear and line.off95 is not None and line.off95[0] > 0.1
        assert f"{line.player} scores {line.score:.1%} against" in said
    rows = residual_rows(rating)
    assert [row[0] for row in rows] == [" – ".join(who) for who in CIRCLE]
    assert {row[-1] for row in rows} == {"yes"}


def test_other_figures_say_other_things() -> None:
    rating = made(LINE)
    said = say_rating(rating)
    assert rating.fits is True and not rating.circles
    assert said[-1].startswith("One scale explains the scores: what is off may be chance (p = ")
    assert not any(line.clear for line in rating.residuals)
    assert [line.name for line in rating.players] == ["a", "b", "c"]
    # One match is off, and nobody goes in a circle.
    bent = made({("a", "b"): 220, ("b", "c"): 220, ("a", "c"): 392}, 400)
    assert bent.fits is False and not bent.circles
    text = say_rating(bent)[-1]
    assert "Rock" not in text and "a scores 98.0% against c, where the ratings expect 83.7%" in text
    # The other way round a's score against c is less than expected.
    other = made({("a", "b"): 360, ("b", "c"): 360, ("a", "c"): 300}, 400)
    assert "a scores 75.0% against c, where the ratings expect 9" in say_rating(other)[-1]
    assert "(off by −" in say_rating(other)[-1]


def test_who_lost_nothing_is_at_least_so_far() -> None:
    rating = made({("top", "a"): 100, ("top", "b"): 100, ("a", "b"): 60, ("low", "a"): 0,
                   ("low", "b"): 0, ("top", "low"): 100})  # fmt: skip
    rows = {row[0]: row[1] for row in rating_rows(rating)}
    assert list(rows) == ["top", "a", "b", "low"]
    assert rows["top"].startswith("at least +") and rows["low"].startswith("at most −")
    said = " ".join(say_rating(rating))
    assert "took nothing from top" in said and "low took nothing" in said
    top, _, _, low = rating.players
    assert top.elo is None and top.ci95 is None and top.at_least is not None
    assert low.at_most is not None and low.at_most < top.at_least
    assert not any("inf" in cell or "nan" in cell for row in rating_rows(rating) for cell in row)


def test_players_who_never_met_are_on_scales_of_their_own() -> None:
    rating = made({("a", "b"): 60, ("c", "d"): 30})
    assert [(line.name, line.scale) for line in rating.players] == [
        ("a", 1), ("b", 1), ("d", 2), ("c", 2)
    ]  # fmt: skip
    assert "There are 2 scales" in say_rating(rating)[0]
    assert rating_rows(rating)[2][:2] == ["d", "2"]
    assert "scale" in repr(rating)


def test_too_few_pairs_have_no_interval() -> None:
    rating = made({("a", "b"): 6, ("b", "c"): 6, ("a", "c"): 7}, 9)
    assert all(line.ci95 is None and line.elo is not None for line in rating.players)
    said = say_rating(rating)
    assert "too few pairs" in said[0] and said[-1].startswith("Too few pairs")
    assert all("±" not in cell for row in rating_rows(rating) for cell in row)


def test_of_two_players_nothing_is_tested() -> None:
    rating = made({("a", "b"): 60})
    assert rating.fits is None and rating.freedom == 0
    assert len(say_rating(rating)) == 1


def test_from_python() -> None:
    rating = kibitz.compare("love-letter", NAMES, pairs=60, seed=1).rating
    assert rating is not None
    assert [row["name"] for row in rating.rows()] == [line.name for line in rating.players]
    assert {"elo", "ci95_low", "ci95_high", "ahead", "at_least"} <= rating.rows()[0].keys()
    assert repr(rating).startswith("Joint rating\n") and "<table" in rating._repr_html_()
    assert list(rating.to_frame()["name"]) == [line.name for line in rating.players]


def test_by_without_intervals_the_document_is_json() -> None:
    comparison = compare(GAME, THREE, 3, seed=1)
    rating = rating_of(comparison)
    document = comparison.document()["rating"]
    assert json.loads(json.dumps(document, allow_nan=False)) == document
    assert document["probability"] is None
    assert replace(rating, players=()) != rating
