"""Stores, reports and tables are shown, read only, and nothing else of the folder is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.store.store import Store
from kibitz.solvers.love_letter.results_table import user_table
from kibitz.web.results import solved_rounds
from tests.processes import kibitz_here
from tests.web.serving import Guest, ServerProcess


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a store, a report below it, and what is nobody's business."""
    folder = tmp_path_factory.mktemp("results")
    done = kibitz_here(
        "compare", "twenty-one", "random", "minimax", "--pairs", "20", "--seed", "1",
        "--store", str(folder / "runs.db"), "--report", str(folder / "demo" / "report.html"),
        home=folder,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (folder / "notes.html").write_text("<title>my own page</title>")
    (folder / "secret.txt").write_text("secret")
    (folder / "link.html").symlink_to(folder / "demo" / "report.html")
    (folder / "deep" / "deeper").mkdir(parents=True)
    (folder / "deep" / "deeper" / "r.html").write_text(
        (folder / "demo" / "report.html").read_text()
    )
    return folder


@pytest.fixture(scope="module")
def looking(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guest]:
    server = ServerProcess(tmp_path_factory.mktemp("data"), folder)
    yield server.host()
    server.stop()


def test_what_is_ours_is_listed(looking: Guest) -> None:
    found = looking.get("/api/results").json()
    assert [one["name"] for one in found["stores"]] == ["runs.db"]
    assert [one["name"] for one in found["pages"]] == ["demo/report.html"]
    (run,) = found["stores"][0]["runs"]
    assert (run["game"], run["pairs"], run["seed"]) == ("twenty-one", [20], "1")
    assert "/" not in found["stores"][0]["id"]


def test_the_figures_of_a_run(looking: Guest, folder: Path) -> None:
    (store,) = looking.get("/api/results").json()["stores"]
    before = (folder / "runs.db").read_bytes()
    figures = looking.get(f"/api/results/{store['id']}/1").json()
    assert figures["matches"][0]["pairs"] == 20 and figures["done"] == [20]
    assert not figures["going_on"]
    assert looking.get(f"/api/results/{store['id']}/2").status_code == 404
    assert looking.get("/api/results/runs.db/1").status_code == 404
    assert (folder / "runs.db").read_bytes() == before


def test_a_run_is_shown_while_it_goes_on(looking: Guest, folder: Path) -> None:
    with Store(folder / "runs.db") as whole:
        plan = whole.runs()[0].plan
        parts = [*whole.load_parts(1, 0)]

    def listed() -> dict[str, Any]:
        stores = {one["name"]: one for one in looking.get("/api/results").json()["stores"]}
        return stores["live.db"]

    with Store(folder / "live.db") as live:
        number = live.find_or_begin_run(plan)
        path = f"/api/results/{listed()['id']}/{number}"
        assert listed()["runs"][0]["pairs"] == looking.get(path).json()["done"] == [0]
        pairs = 0
        for part in parts:
            live.save_part(number, 0, part)
            pairs += len(part.results)
            assert listed()["runs"][0] | {"begun": ""} == {
                **listed()["runs"][0], "begun": "", "pairs": [pairs], "going_on": True,
            }  # fmt: skip
            figures = looking.get(path).json()
            assert (figures["done"], figures["going_on"]) == ([pairs], True)
            assert figures["matches"][0]["pairs"] == pairs
        other = live.find_or_begin_run(replace(plan, seed=2))
        states = {run["run"]: run["going_on"] for run in listed()["runs"]}
        assert states == {number: True, other: True}, "both have grown a moment ago"
    assert not any(run["going_on"] for run in listed()["runs"])
    after = looking.get(path).json()
    (store,) = [s for s in looking.get("/api/results").json()["stores"] if s["name"] == "runs.db"]
    assert pairs == 20 and after == looking.get(f"/api/results/{store['id']}/1").json()


def test_a_page_is_shown_in_a_sandbox(looking: Guest) -> None:
    (page,) = looking.get("/api/results").json()["pages"]
    shown = looking.get(page["href"])
    policy = shown.headers["content-security-policy"]
    assert policy.startswith("sandbox allow-scripts; default-src 'none'")
    assert "allow-same-origin" not in policy and "connect-src" not in policy
    picture = looking.get(page["href"] + "report_files/wins.svg")
    assert picture.status_code == 200 and picture.headers["content-type"] == "image/svg+xml"


@pytest.mark.parametrize(
    "beside",
    ["../secret.txt", "%2e%2e/secret.txt", "../../runs.db", "..%2fsecret.txt", "report.html",
     "/etc/passwd", "report_files/../../secret.txt", "report_files/nothing.svg", "report_files"],
)  # fmt: skip
def test_nothing_else_is(looking: Guest, beside: str) -> None:
    (page,) = looking.get("/api/results").json()["pages"]
    answer = looking.get(page["href"] + beside)
    assert answer.status_code == 404 and "secret" not in answer.text


def test_the_solved_rounds(looking: Guest) -> None:
    table = looking.get("/api/solved").json()
    rows = {row[0]: row for row in table["rows"]}
    low, high = rows["guard priest priest"][1:3]
    assert 0.098 < low < high < 0.101


def test_a_damaged_table_of_the_user_leaves_the_books(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("KIBITZ_DATA", str(tmp_path))
    whole = solved_rounds()
    user_table().write_text("no table")
    left = solved_rounds()
    assert left["rows"] == whole["rows"] != []
    assert "can't be read" in left["about"] and str(tmp_path) not in left["about"]
