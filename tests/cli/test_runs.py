"""`kibitz runs`: the list, one run, its document, and its games."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.compare import compare
from kibitz.arena.store.store import Store
from kibitz.core import registry
from kibitz.core.registry import make_game, make_strategy
from tests.arena import recount
from tests.arena.failing import Failing
from tests.arena.recount import Seated, close
from tests.arena.running import without_seconds
from tests.processes import assert_refused, complaints, kibitz, kibitz_here

RANDOM = make_strategy("random")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A run of rounds, one of matches with failures, and one at a table of four partners."""
    monkeypatch.setitem(registry._strategies, Failing.name, Failing)
    file = tmp_path / "store"
    love_letter = make_game("love-letter")
    compare(love_letter, [RANDOM, make_strategy("greedy"), RANDOM], 40, 3, store=file)
    compare(love_letter, [RANDOM, Failing(one_in=30)], 15, unit="match", store=file)
    compare(make_game("tablic:players=4"), [RANDOM] * 4, 12, store=file)
    return file


def runs_json(store: Path, *args: str | Path, home: Path) -> Any:
    done = kibitz_here("runs", store, *args, "--json", home=home)
    assert (done.returncode, complaints(done)) == (0, [])
    return json.loads(done.stdout)


def test_the_list(store: Path, tmp_path: Path) -> None:
    listed = runs_json(store, home=tmp_path)
    assert [(run["id"], run["plan"]["game"], run["pairs"]) for run in listed] == [
        (1, "love-letter", [40] * 3), (2, "love-letter", [15]), (3, "tablic:players=4", [12]),
    ]  # fmt: skip
    shown = kibitz("runs", store, home=tmp_path, COLUMNS="200")
    assert (shown.returncode, complaints(shown)) == (0, [])
    assert "failing:one_in=30" in shown.stdout and "tablic:players=4" in shown.stdout


def test_one_run_has_the_figures_of_its_comparison(store: Path, tmp_path: Path) -> None:
    again = compare(make_game("tablic:players=4"), [RANDOM] * 4, 12).document()
    assert without_seconds(runs_json(store, "3", home=tmp_path)) == without_seconds(again)
    shown = kibitz_here("runs", store, "1", home=tmp_path).stdout
    assert "greedy" in shown and "run 1, begun" in shown and "python" in shown


def exported(store: Path, run: str, home: Path) -> list[dict[str, str]]:
    file = home / f"{run}.csv"
    answer = runs_json(store, run, "--export", file, home=home)
    with file.open(newline="", encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    players = {(row["pair"], row["order"], row["seat"]) for row in rows}
    assert answer["file"] == str(file)
    assert players
    return rows


@pytest.mark.parametrize("run", ["1", "2", "3"])
def test_the_exported_games_give_the_figures(store: Path, tmp_path: Path, run: str) -> None:
    document = runs_json(store, run, home=tmp_path)
    rows = exported(store, run, tmp_path)
    assert {row["seed"] for row in rows} == {str(document["seed"])}
    lines: list[list[str]] = [[m["a"], m["b"]] for m in document["matches"]]
    lines += [table["players"] for table in document.get("tables", [])]
    # The rows of a line-up follow each other; each is as long as it has games.
    size = len(rows) // len(lines)
    for number, names in enumerate(lines):
        own = [
            Seated(
                int(row["pair"]), int(row["order"]), int(row["seat"]) - 1, row["player"],
                float(row["result"]), bool(row["failure"]),
            )
            for row in rows[number * size : (number + 1) * size]
        ]  # fmt: skip
        assert {one.player for one in own} == set(names)
        if len(names) == 2:
            shown = document["matches"][number]
            wanted = recount.match_line(own, names[0], names[1], document["unit"])
            if math.inf in wanted["margin95"]:
                wanted["margin95"] = None  # there is no infinity in JSON
            assert close({key: shown[key] for key in wanted}, wanted)
        else:
            assert close(document["tables"][number], recount.table_line(own, names, 2))
    failed = sorted(row["failure"] for row in rows if row["failure"])
    assert failed == sorted(f["reason"] for f in document.get("failures", []))
    for player in document["players"]:
        # The decisions are those of a pair: so each stands in every order.
        decisions = [
            int(row["decisions"])
            for row in rows
            if row["player"] == player["name"] and row["order"] == "0"
        ]
        assert sum(decisions) == player["decisions"]


def test_a_run_with_unequal_line_ups_is_listed_as_unfinished(tmp_path: Path) -> None:
    file = tmp_path / "store"

    def stop(figures: Any) -> None:
        raise KeyboardInterrupt

    compare(make_game("pig:target=10"), [RANDOM] * 3, 50, store=file, progress=stop)
    shown = runs_json(file, "1", home=tmp_path)
    assert shown["interrupted"] is True
    (run,) = runs_json(file, home=tmp_path)
    assert min(run["pairs"]) < max(run["pairs"])  # else it shows nothing
    assert [match["pairs"] for match in shown["matches"]] == [n for n in run["pairs"] if n]


@pytest.mark.parametrize(
    ("args", "tells"),
    [
        (["store", "9"], "has no run 9 (it has 1, 2, 3)"),
        (["nowhere"], "No such file"),
        (["nowhere", "1", "--export", "x.csv"], "No such file"),
        (["store", "--export", "x.csv"], "number"),
        (["store", "1", "--export", "folder"], "folder"),
        (["store", "1", "--export", "store"], "store"),
        (["text"], "not a store"),
    ],
)
def test_bad_input(store: Path, tmp_path: Path, args: list[str], tells: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "text").write_text("text")
    before = sorted(file.name for file in tmp_path.iterdir())
    assert tells in assert_refused(kibitz_here("runs", *args, home=tmp_path))
    assert sorted(file.name for file in tmp_path.iterdir()) == before
    with Store(store) as opened:
        assert len(opened.runs()) == 3
