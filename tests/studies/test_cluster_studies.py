"""Studies on a real cluster of two workers find what one process finds."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.studies.love_letter.report import study_love_letter
from kibitz.studies.open_deck import measure as open_deck
from kibitz.studies.open_deck.measure import RESULTS, OpenDeckSize
from kibitz.studies.open_deck.report import study_open_deck
from kibitz.studies.players import measure as players
from kibitz.studies.players.footprint import Footprint
from kibitz.studies.players.measure import Setting
from kibitz.studies.search.measure import measure
from tests.arena.cluster import Cluster, running_cluster
from tests.processes import assert_refused, kibitz_here
from tests.search.fast.arrays import compiled_only
from tests.studies.test_search import TINY as SEARCH
from tests.studies.tiny import LOVE_LETTER, figures

pytestmark = compiled_only
OPEN = OpenDeckSize(5, 3, 6, ("random", "greedy"))


@pytest.mark.filterwarnings("ignore")  # what its packages warn of is not ours
def test_a_cluster_finds_what_one_process_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "footprint", _made_up)
    monkeypatch.setattr(open_deck, "warm_up", lambda: None)
    assert measure(5, size=SEARCH, jobs=2) == measure(5, size=SEARCH)
    with running_cluster(tmp_path) as cluster:
        assert measure(5, size=SEARCH, cluster=cluster.address) == measure(5, size=SEARCH)
        _check_love_letter(tmp_path, cluster)
        _check_open_deck(tmp_path, cluster)


def _made_up(game: str, player: str, seed: int, enough: float) -> Footprint:
    return Footprint(player, 2, 1.0, 10, 100, 130)


def _check_love_letter(folder: Path, cluster: Cluster) -> None:
    for name, address in (("here", None), ("there", cluster.address)):
        setting = replace(Setting("love-letter", 3, folder / name), cluster=address)
        study_love_letter(setting, LOVE_LETTER, "kibitz study love-letter …")
    assert figures(folder / "there") == figures(folder / "here")


def _check_open_deck(folder: Path, cluster: Cluster) -> None:
    """Also where a part of it has been measured before."""

    def run(name: str, size: OpenDeckSize, address: str | None) -> Any:
        study_open_deck(
            folder / name, 3, size, "kibitz study tablic --open …", lambda what: None, address
        )
        document = json.loads((folder / name / "figures.json").read_text())
        del document["measured"]
        return document

    here = run("open-here", OPEN, None)
    assert run("open-there", OPEN, cluster.address) == here
    run("open-begun", replace(OPEN, shuffles=3, games=2), None)
    lines = (folder / "open-begun" / RESULTS).read_text().splitlines()
    assert run("open-begun", OPEN, cluster.address) == here
    after = (folder / "open-begun" / RESULTS).read_text().splitlines()
    assert after[: len(lines)] == lines, "nothing is measured again"
    assert len(after) == len((folder / "open-here" / RESULTS).read_text().splitlines())


@pytest.mark.parametrize(
    "args", [["search"], ["love-letter"], ["tablic"], ["tablic", "--open"]], ids=" ".join
)
def test_a_cluster_that_does_not_answer_is_an_error_before_there_is_a_folder(
    tmp_path: Path, args: list[str]
) -> None:
    pytest.importorskip("distributed")
    done = kibitz_here(
        "study", *args, "-o", "folder", "--quick", "--cluster", "tcp://127.0.0.1:x", home=tmp_path
    )
    assert "an address is like tcp://host:8786" in assert_refused(done)
    assert not (tmp_path / "folder").exists()


def test_processes_are_counted_for_all_but_the_open_deck(tmp_path: Path) -> None:
    for name in ("search", "tablic"):
        done = kibitz_here("study", name, "-o", "folder", "--jobs", "9999", home=tmp_path)
        assert "jobs must be at most" in assert_refused(done)
    assert not (tmp_path / "folder").exists()
