"""What the script on the value of Love Letter says of other figures than ours."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.solvers.love_letter.results_table import ResultsTable, Row
from tests.processes import ROOT

WIDE = 0.000473
"""Half the distance of bounds, which are rounded outward."""


@pytest.fixture
def value(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "results"))
    return importlib.import_module("equilibrium_value")


@pytest.fixture
def sets(value: Any) -> list[str]:
    return list(value.SETS)


def row(face_up: str, middle: float) -> Row:
    bounds = middle - WIDE, middle + WIDE
    epsilon = (bounds[1] - bounds[0]) / 2
    return Row("published", face_up, *bounds, epsilon, 50, 1000, 9000, 36.0, "0.1", "0.6", "2.0")


def rows_of(sets: list[str], **effects: float) -> list[Row]:
    """0.1, and so much for each card of a kind."""
    return [row(each, 0.1 + sum(effects.get(card, 0.0) for card in each.split())) for each in sets]


def test_deals_of_all_sets_are_all_deals(value: Any, sets: list[str]) -> None:
    assert len(sets) == 92
    assert sum(map(value.deals_of, sets)) == value.DEALS == 560
    assert value.deals_of("guard guard guard") == 10
    assert value.deals_of("guard priest king") == 5 * 2 * 1


def test_the_whole_is_stated_only_if_all_sets_are_solved(value: Any, sets: list[str]) -> None:
    """King face up: 105 of 560 deals, or 105 of 550 without three Guards."""
    rows = rows_of(sets, king=-0.05)
    whole = " ".join(value.value_words(rows))
    assert "**0.09015 … 0.09110**" in whole  # 0.1 − 0.05 · 105 / 560 ± WIDE
    assert "All 92 sets are solved" in whole and "nothing is proved" not in whole
    part = " ".join(value.value_words([each for each in rows if each.face_up != sets[0]]))
    assert sets[0] == "guard guard guard"
    assert "91 of 92 sets are solved so far: 550 of the 560 equally likely deals (98.2%)" in part
    assert "**0.08998 … 0.09093**" in part
    assert "nothing is proved before all sets are solved" in part


def test_who_is_ahead(value: Any) -> None:
    two = ["guard guard king", "guard guard prince"]
    both = [row(each, 0.1) for each in two]
    assert "To move first is an advantage in every" in value.value_words(both)[0]
    assert (
        "To move second is an advantage in every"
        in value.value_words([row(each, -0.1) for each in two])[0]
    )
    mixed = [row(two[0], 0.1), row(two[1], 0.0), row("guard guard priest", -0.2)]
    words = " ".join(value.value_words(mixed))
    assert "ahead in 1 of these sets, the second in 1; in 1 that is not settled" in words
    assert "Best for the first player: guard guard king (0.0995 … 0.1005). Worst:" in words
    assert "; 1 more may come first" in " ".join(value.value_words(both))


def test_a_fit_finds_what_cards_do(value: Any, sets: list[str]) -> None:
    """Of sixteen cards five are Guards and one is the King."""
    rows = rows_of(sets, guard=0.01, king=-0.02)
    fitted = value.fit(rows)
    average = 0.01 * (5 - 2) / 16
    assert fitted.effects[1] == pytest.approx(0.01 - average)
    assert fitted.effects[6] == pytest.approx(-0.02 - average)
    assert fitted.effects[8] == pytest.approx(-average)
    assert fitted.explained == pytest.approx(1) == fitted.predicted
    words = " ".join(value.card_words(rows, {}))
    assert "better if it is the Guard (+0.0081); worse if it is the King (−0.0219)" in words
    assert "explains nearly all of the differences: R² 1.00" in words
    other = " ".join(value.card_words(rows_of(sets, princess=0.03), {}))
    assert "better if it is the Princess (+0.0281); worse" in other
    assert "correlation" not in other


def test_a_fit_that_explains_nothing_says_so(value: Any, sets: list[str]) -> None:
    rng = np.random.default_rng(5)
    rows = [
        row(each, 0.1 + noise) for each, noise in zip(sets, rng.normal(0, 0.02, 92), strict=True)
    ]
    fitted = value.fit(rows)
    assert fitted.predicted < fitted.explained < 0.3
    assert "explains little of the differences" in " ".join(value.card_words(rows, {}))
    left = [each for each in rows if each is not rows[7]]
    weights = [value.deals_of(each.face_up) for each in left]
    counts = [[each.face_up.split().count(name) for name in NAMES] for each in (*left, rows[7])]
    root = np.sqrt(weights)
    each, *_ = np.linalg.lstsq(
        (np.array(counts[:-1]).T * root).T, root * [value.middle(one) for one in left], rcond=None
    )
    miss = value.middle(rows[7]) - np.array(counts[-1]) @ each
    without = value.fit(left).effects
    assert each[0] - each[5] == pytest.approx(without[1] - without[6])
    assert abs(miss) > abs(fitted.misses[rows[7].face_up])


NAMES = ("guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess")


def test_further_copies_count_apart(value: Any, sets: list[str]) -> None:
    rows = [
        each._replace(low=each.low - 0.03, high=each.high - 0.03)
        if each.face_up.count("prince ") + each.face_up.endswith("prince") > 1
        else each
        for each in rows_of(sets, prince=0.01)
    ]
    fitted = value.fit(rows, apart=True)
    assert fitted.again[5] == pytest.approx(-0.03) and fitted.again[1] == pytest.approx(0)
    assert value.fit(rows).explained < 0.9 < fitted.explained == pytest.approx(1)
    assert "so much more than the first one does: Prince (−0.0300)" in " ".join(
        value.card_words(rows, {})
    )


def test_few_or_equal_sets_are_no_trouble(value: Any, sets: list[str]) -> None:
    one = [row(sets[0], 0.1)]
    assert value.fit(one) is None
    assert "1 sets are too few for a fit" in " ".join(value.card_words(one, {}))
    assert "The one set: guard guard guard" in " ".join(value.value_words(one))
    words = " ".join(value.card_words(rows_of(sets), {}))
    assert "neither better nor worse" in words and "All sets have the same value" in words


def test_what_goes_with_the_value(value: Any, sets: list[str]) -> None:
    lines = importlib.import_module("equilibrium_rows")
    rows = rows_of(sets, king=-0.02)

    def play(face_up: str) -> Any:
        share = 3000 if "king" in face_up else 5000
        tallies = {"hit": (share, 10_000), "bluff": (7000 - share, 10_000), "king": (5, 9)}
        counted = lines.Tallies({name: lines.Tally(*each) for name, each in tallies.items()})
        return lines.SetPlay(face_up, 0, 0, 10_000, 1, "0", {}, counted)

    strongest = value.correlations(rows, {each: play(each) for each in sets})
    assert strongest == pytest.approx({"hit": 1, "bluff": -1})
    assert value.correlations(rows, {each: play(each) for each in sets[:9]}) == {}
    words = value.card_words(rows, {each: play(each) for each in sets})
    assert "| a Guard's guess is right | +1.00 |" in words


def test_it_writes_a_line_for_each_set(
    value: Any, sets: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "page.md"
    blocks = ("value", "good and bad sets")
    page.write_text("".join(f"<!-- {each} -->\n<!-- end of {each} -->\n" for each in blocks))
    for name, place in (("PAGE", page), ("FOLDER", tmp_path / "results")):
        monkeypatch.setattr(value, name, place)
    monkeypatch.setattr(value, "TABLE", ROOT / "docs" / "results" / "other.csv")
    rows = rows_of(sets, king=-0.02)
    value.write(rows, {})
    lines = (tmp_path / "results" / "sets.md").read_text().splitlines()
    table = [line for line in lines if "kibitz solve" in line]
    assert len(table) == 92 and "| 0.10000 |" not in "".join(table)
    assert sum("king" in line for line in table[-21:]) == 21  # the worst come last
    known = next(line for line in table if line.startswith("| priest priest king |"))
    assert known == (
        "| priest priest king | 1 | 0.07952 … 0.08048 | 0.00047 | 50 | 1,000 | 36 | 0.1, 0.6, 2.0"
        ' | `kibitz solve love-letter --face-up "priest priest king"'
        " --table docs/results/other.csv` |"
    )
    for name in ("values.svg", "cards.svg"):
        assert (tmp_path / "results" / name).read_text().startswith("<?xml")
    assert "All 92 sets are solved" in page.read_text()


def test_the_page_is_made_of_the_table(value: Any) -> None:
    """If not: .venv/bin/python docs/results/equilibrium_value.py."""
    rows = list(ResultsTable(value.TABLE).rows("published").values())
    text = value.PAGE.read_text(encoding="utf-8")
    assert "\n".join(value.value_words(rows)) in text
    assert "\n".join(value.sets_page(rows)) in (value.FOLDER / "sets.md").read_text()
