"""The study of search: known answers, conclusions that follow the figures, the files."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kibitz.cli.commands.study import study as study_command
from kibitz.core.errors import BadText, KibitzError
from kibitz.core.registry import make_game
from kibitz.studies.search import measure as search
from kibitz.studies.search import report as search_report
from kibitz.studies.search.limits import (
    LOST,
    Extra,
    HorizonEffect,
    OrdinalRow,
    best_plays,
    example,
    horizon_effect,
    is_quiet,
    ordinal_row,
)
from kibitz.studies.search.measure import SearchSize, SearchStudy, chance_case, measure, order_case
from kibitz.studies.search.trees import Layers, LayersWithChance, alternating, knuth_moore, noise
from kibitz.studies.search.words import (
    say_agreement,
    say_bounds,
    say_cost,
    say_example,
    say_gap,
    say_good,
    say_horizon,
    say_least,
    say_lecture,
    say_ordinal,
    say_quiescence,
    say_root,
    say_star2,
    say_uneven,
    say_worst,
)

TINY = SearchSize(
    games=(("tic-tac-toe", 3), ("connect-four", 3)),
    grown=(3, 4),
    trees=((2, 5),),
    shuffles=2,
    pig=4,
    chance_trees=((2, "x?o?"), (2, "xo?xo")),
    seeds=3,
    deep=6,
    extra=2,
    ordinal=40,
)


@cache
def tiny() -> SearchStudy:
    return measure(seed=3, size=TINY)


def by_hand(tree: Layers, state: tuple[int, int] = (0, 0)) -> float:
    """Expectiminimax in a few lines, to compare with."""
    if tree.is_over(state):
        return tree.leaf(state[1])
    below = [by_hand(tree, tree.after(state, play)) for play in range(tree.b)]
    who = tree.layers[state[0]]
    if who == "?":
        return sum(p * value for p, value in zip(tree.outcomes, below, strict=True))
    return max(below) if who == "x" else min(below)


# -- move order ----------------------------------------------------------------------------


@pytest.mark.parametrize(("b", "m"), [(2, 1), (2, 7), (3, 4), (4, 5), (5, 3), (9, 2)])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_best_order_looks_at_the_leaves_that_knuth_and_moore_count(
    b: int, m: int, seed: int
) -> None:
    tree = Layers(b, alternating(m), noise(seed, b, m))
    case = order_case(tree, "tree", m, seed, shuffles=2)
    assert case.least == knuth_moore(b, m) == b ** ((m + 1) // 2) + b ** (m // 2) - 1
    assert case.work["best"].leaves == case.least
    assert (case.b, case.m, case.b_m) == (b, m, b**m)
    assert case.work["minimax"].leaves == b**m
    assert case.work["minimax"].nodes == sum(b**i for i in range(m + 1))
    assert case.agrees and case.value == by_hand(tree)
    assert "good" not in case.work, "there is no evaluation"


def test_alpha_beta_has_minimax_value_in_every_order() -> None:
    assert all(case.agrees for case in tiny().order)


def test_b_and_m_are_means_over_the_tree_of_minimax() -> None:
    case = next(case for case in tiny().order if (case.name, case.depth) == ("tic-tac-toe", 2))
    assert (case.b, case.m) == ((9 + 72) / 10, 2)
    assert case.work["minimax"].leaves == 72
    (whole_game,) = [case for case in tiny().order if case.name == "twenty-one"]
    assert whole_game.to_the_ends and whole_game.b == 3
    assert 4 < whole_game.m < 6, "some ends come earlier than others"
    assert whole_game.least is None, "not uniform"
    assert "good" not in whole_game.work


def test_orders_cost_what_their_names_say() -> None:
    for case in tiny().order:
        work = case.work
        assert work["best"].nodes <= work["random"].nodes <= work["minimax"].nodes
        assert work["best"].nodes <= work["worst"].nodes <= work["minimax"].nodes
        assert work["minimax"].share == work["minimax"].root == 1


# -- chance nodes --------------------------------------------------------------------------


def test_the_lecture_s_tree_takes_7_leaves_and_5_with_bounds() -> None:
    case = tiny().chance[0]
    assert case.plain.leaves == 8
    assert case.work["given"]["Star1"].leaves == 7
    assert case.work["given"]["Star1, bounds"].leaves == 5


def test_all_searches_of_chance_agree() -> None:
    assert max(case.gap for case in tiny().chance) < 1e-9
    tree = LayersWithChance(3, "x?o", noise("agree"))
    case = chance_case("one", [tree], (0, 1))
    assert case.plain.leaves == 27
    assert all(w.nodes > 0 for searches in case.work.values() for w in searches.values())


# -- the horizon ---------------------------------------------------------------------------


@cache
def effect() -> HorizonEffect:
    return horizon_effect(deep=7, extra=3)


def test_the_position_shows_the_horizon_effect_and_quiescence_avoids_it() -> None:
    horizon = effect()
    assert horizon.is_there and horizon.is_avoided
    assert horizon.choices["shallow"] != horizon.choices["quiescent"]
    assert horizon.values[horizon.choices["shallow"]]["shallow"] > 0
    assert horizon.lost_at is not None and horizon.lost_at > horizon.depth


def test_the_refuting_line_is_legal_and_lost() -> None:
    game = make_game(effect().game)
    state = game.parse_position(effect().position)
    assert is_quiet(game)(state)
    for text in effect().line:
        state = game.apply(state, game.parse_play(state, text))
    assert game.is_over(state) and game.value(state) == LOST
    assert len(effect().line) == effect().lost_at


def test_a_quiet_position_has_no_threat_of_either_seat() -> None:
    game = make_game("connect-four")
    quiet = is_quiet(game)
    empty = "......./" * 5
    assert quiet(game.parse_position(f"board={empty}xx.oo..; turn=1"))
    for turn in (1, 2):
        # Who has the lowest row threatens to complete it, whether or not they are to move.
        for rows in ("ooo..../xxx....", "xxx..../ooo...."):
            assert not quiet(game.parse_position(f"board={empty[8:]}{rows}; turn={turn}"))


def test_without_the_effect_it_says_so() -> None:
    start = horizon_effect(3, 1, f"board={'/'.join(['.......'] * 6)}; turn=1", 2)
    assert not start.is_there and start.lost_at is None
    assert "There is no horizon effect" in say_horizon(start)


def test_words_about_the_horizon_follow_the_figures() -> None:
    horizon = effect()
    assert "sees that it loses: 7 3" in say_horizon(horizon)
    assert "no horizon effect" not in say_horizon(horizon)
    same = replace(
        horizon, choices=dict.fromkeys(horizon.choices, horizon.choices["deep"]), lost_at=None
    )
    assert "There is no horizon effect" in say_horizon(same)
    assert "nothing is avoided" in say_quiescence(same)
    hopeless = replace(horizon, values={p: v | {"deep": LOST} for p, v in _values(horizon).items()})
    assert "no other play does better" in say_horizon(hopeless)
    assert "does not see lose" in say_quiescence(horizon)
    assert "no loss to avoid" in say_quiescence(replace(horizon, lost_at=None))
    quiet = horizon.choices["quiescent"]
    lost = _values(horizon) | {quiet: {**horizon.values[quiet], "deep": LOST}, "1": {"deep": 0.5}}
    loses_too = replace(horizon, values=lost, choices={**horizon.choices, "deep": "1"})
    assert "but that loses too" in say_quiescence(loses_too)


def test_words_about_its_cost_follow_the_figures() -> None:
    horizon = effect()
    assert "which is cheaper" in say_cost(horizon)
    dear = replace(horizon, nodes={**horizon.nodes, "lost_at": 1})
    assert "which is no cheaper" in say_cost(dear)
    useless = replace(horizon, extras=(Extra(1, horizon.choices["shallow"], 5),))
    assert "does not help" in say_cost(useless)


def _values(horizon: HorizonEffect) -> dict[str, Any]:
    return {play: dict(values) for play, values in horizon.values.items()}


# -- the ordinal law -----------------------------------------------------------------------


def test_only_chance_makes_values_count() -> None:
    changed = {(row.trees, row.transform): row.changed for row in tiny().ordinal}
    assert changed.pop(("with chance", "x³ + eˣ")) > 0
    assert len(changed) == 3 and set(changed.values()) == {0}


def test_the_lecture_s_example() -> None:
    before, after = example((2, 3, 1, 4)), example((20, 30, 1, 400))
    assert before.values == pytest.approx((2.1, 1.3)) and before.best == (1,)
    assert after.values == pytest.approx((21, 40.9)) and after.best == (2,)
    assert "the best play changes" in say_example(before, after)
    assert "the best play stays" in say_example(before, before)


def test_best_plays_are_a_set() -> None:
    assert best_plays({0: 1.0, 1: 0.1 + 0.2, 2: 1.0}) == {0, 2}
    assert best_plays({0: 0.3, 1: 0.1 + 0.2}) == {0, 1}


@pytest.mark.parametrize(
    ("trees", "transform", "none", "some"),
    [
        ("without chance", "x³ + eˣ", "only the order counts", "contradicts the law"),
        ("without chance", "3x − 7", "only the order counts", "contradicts the law"),
        ("with chance", "x³ + eˣ", "do not show", "the values themselves count"),
        ("with chance", "3x − 7", "a linear change is safe", "contradicts the law"),
    ],
)
def test_words_about_the_ordinal_law(trees: str, transform: str, none: str, some: str) -> None:
    assert none in say_ordinal(OrdinalRow(trees, transform, 9, 0))
    assert some in say_ordinal(OrdinalRow(trees, transform, 9, 2))
    assert some not in say_ordinal(OrdinalRow(trees, transform, 9, 0))


def test_a_row_is_a_function_of_the_seed() -> None:
    first, again, other = (ordinal_row("with chance", "x³ + eˣ", 60, s) for s in (1, 1, 2))
    assert first == again and first != other


# -- conclusions about orders and Star -----------------------------------------------------


def test_words_about_orders_follow_the_figures() -> None:
    cases = tiny().order
    one = next(case for case in cases if case.name == "connect-four" and case.depth == 3)
    work = dict(one.work)
    assert "found minimax's value in all" in say_agreement(cases)
    assert "something is wrong" in say_agreement([replace(one, agrees=False)])
    assert "exactly" in say_least(cases)
    assert "does not look at" in say_least([replace(one, least=1)])
    assert "small factor" in say_root([one])
    awful = replace(work["best"], leaves=one.work["minimax"].leaves)
    assert "does not hold" in say_root([replace(one, work=work | {"best": awful})])
    swapped = work | {"good": work["random"], "random": work["good"]}
    sentences = say_good([one]), say_good([replace(one, work=swapped)])
    assert sorted("no better" in sentence for sentence in sentences) == [False, True]
    assert "no evaluation for twenty-one" in say_good(cases)
    assert "cuts something" in say_worst([one])
    assert "cuts nothing" in say_worst([replace(one, work=work | {"worst": work["minimax"]})])
    assert "within a factor" in say_uneven([one])
    assert "far from" in say_uneven([replace(one, b_m=5.0)])


def test_words_about_star_follow_the_figures() -> None:
    lecture = tiny().chance[0]
    given = dict(lecture.work["given"])
    assert "7 of the 8 leaves" in say_lecture(lecture)
    assert "save 2" in say_lecture(lecture)
    useless = {**lecture.work, "given": given | {"Star1, bounds": given["Star1"]}}
    without = replace(lecture, work=useless)
    assert "save nothing" in say_lecture(without)
    assert "in 1 of 1 cases" in say_bounds([lecture])
    assert "no node" in say_bounds([without])
    assert "never more than" in say_star2([lecture], "given")
    dear = replace(given["Star2, bounds"], nodes=99, share=6.6)
    probes = replace(lecture, work={**lecture.work, "given": given | {"Star2, bounds": dear}})
    assert "more than expectiminimax in 1" in say_star2([probes], "given")
    assert "All values" in say_gap([lecture])
    assert "wrong" in say_gap([replace(lecture, gap=0.1)])


# -- files and the command -----------------------------------------------------------------

NAMES = {
    "search.md", "search.html", "search.json",
    *(f"search-{plot}.{kind}" for plot in ("growth", "order", "chance") for kind in ("svg", "png")),
}  # fmt: skip


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "QUICK", TINY)


def test_the_command_writes_the_same_files_for_the_same_seed(
    small: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "a" / "b"
    study_command("search", folder, 3, quick=True)
    printed = capsys.readouterr()
    assert str(folder / "search.html") in printed.out.splitlines()
    assert "…" not in printed.err.replace("compiling, once …", ""), "nobody looks at it"
    first = contents(folder)
    assert set(first) == NAMES
    for name in NAMES - {"search.md"}:
        (folder / name).write_text("old")
    study_command("search", folder, 3, quick=True)
    assert contents(folder) == first, "an existing folder is fine"


def test_the_report_has_all_that_it_should(tmp_path: Path) -> None:
    search_report.write(tiny(), tmp_path)
    text, page = ((tmp_path / f"search.{kind}").read_text() for kind in ("md", "html"))
    figures = json.loads((tmp_path / "search.json").read_text())
    assert figures["command"] == "kibitz study search -o FOLDER --seed 3"
    for report in (text, page):
        assert figures["command"] in report and f"Kibitz {figures['version']}" in report
        assert "no evaluation" in report and tiny().horizon.board in report
    assert all(f"]({name})" in text for name in NAMES if name.endswith(".svg"))
    assert page.count("<svg ") == 3
    assert not re.search(r'(src|href)="(?!#)|url\((?!#)|@import', page), "no network"
    ids = re.findall(r' id="([^"]*)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]*)"', page)) <= set(ids)


def test_bad_input_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    with pytest.raises(BadText, match=r"no study 'chess' \(known: search, love-letter, tablic\)"):
        study_command("chess", tmp_path / "new", 0, quick=True)
    assert not (tmp_path / "new").exists()
    file = tmp_path / "file"
    file.write_text("mine")
    with pytest.raises(BadText, match="is a file, not a folder"):
        study_command("search", file, 0, quick=True)
    with pytest.raises(KibitzError, match="Not a directory"):
        study_command("search", file / "deeper", 0, quick=True)
    assert file.read_text() == "mine"


def test_nothing_is_left_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    monkeypatch.setattr(search_report, "report_files", lambda *_: {"a": b"1", "b": b"2"})
    with pytest.raises(KibitzError, match="No space left"):
        search_report.write(tiny(), tmp_path)
    assert list(tmp_path.iterdir()) == []
