"""Nothing but the catalogue: no file is opened, whatever a request or a record names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.registry import games, strategies_for
from kibitz.table.session import Session
from kibitz.web.catalogue import TOO_LONG, catalogue
from tests.web.serving import Guest

EVIL = "open({trace!r}, 'w')\ndef choose(view): return view.plays()[0]\n"


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A file that leaves a trace when it is run."""
    file = tmp_path / "evil.py"
    file.write_text(EVIL.format(trace=str(tmp_path / "trace")))
    (tmp_path / "genome.json").write_text("{}")
    return file


def names(evil: Path) -> list[str]:
    folder = evil.parent
    return [
        str(evil), f"{evil}::choose", f"bot:{evil}", f"bot:python {evil}", f"open-spiel:{evil}",
        f"open-spiel:kuhn_poker(file={evil})", f"genetic:genome={folder}/genome.json",
        f"full-backtrack:against={evil}", f"full-backtrack:against=bot:{evil}", "../x", "",
        "level:brutal", "level:", "pimc:worlds=1000000", "ismcts:seconds=3600", "perfect",
        "mcts:simulations=10000000", f"pimc:belief={evil}", "random:x=1",
    ]  # fmt: skip


def test_strategies_of_files_do_not_play(host: Guest, evil: Path) -> None:
    for name in names(evil):
        for game in ("tablic", "connect-four", "kuhn-poker"):
            made = host.post("/api/tables", {"game": game, "seats": ["person", name]})
            assert made.status_code == 400, name
    assert not (evil.parent / "trace").exists()


def test_games_in_files_are_not_played(host: Guest, evil: Path) -> None:
    (evil.parent / "x.graph").write_text("")
    for name in (str(evil), f"{evil}::Game", f"{evil.parent}/x.graph", "open-spiel:pig", "", "../"):
        made = host.post("/api/tables", {"game": name, "seats": ["person", "random"]})
        assert made.status_code == 400, name
        assert host.post("/api/graphs", {"game": name}).status_code == 400, name
    assert not (evil.parent / "trace").exists()


def test_a_hints_adviser_is_of_the_catalogue_and_fair(host: Guest, evil: Path) -> None:
    me = host.new_table("tablic", "person", "random")
    version = me.my_turn()["version"]
    for name in [*names(evil), "genetic", "backtrack"]:
        assert me.post("hint", {"version": version, "by": name}).status_code == 400, name
    assert not (evil.parent / "trace").exists()


def forged(evil: Path) -> list[dict[str, Any]]:
    """Records that name files wherever a name goes."""
    record = json.loads(Session("tablic", [None, "random"], 7).records()[0].model_dump_json())
    many = [record | {"players": ["person", name]} for name in names(evil) if name]
    many += [record | {"players": [name, "random"]} for name in names(evil) if name]
    many += [record | {"game": name} for name in (str(evil), f"bot:{evil}", "../x")]
    many += [record | {"options": {"players": str(evil)}}, record | {"plays": [str(evil)]}]
    return [*many, record | {"seed": 8}, record | {"first": 99}, record | {"returns": [1, -1]}]


def test_no_record_opens_a_file(host: Guest, evil: Path) -> None:
    for record in forged(evil):
        answer = host.post("/api/tables/open", {"record": json.dumps(record)})
        assert answer.status_code == 400, record
        assert "Traceback" not in answer.text
    for text in ("", "x", "{}", "[]", "\0", "{" * 5000, '{"kibitz": "\\ud800"}'):
        assert host.post("/api/tables/open", {"record": text}).status_code == 400
    assert not (evil.parent / "trace").exists()


def test_a_record_goes_on(host: Guest) -> None:
    going = Session("tablic", [None, "random"], 7)
    going.play(going.view(0).plays()[0])
    text = going.records()[0].model_dump_json()
    made = host.post("/api/tables/open", {"record": text})
    me = host.sit(made.json()["href"])
    assert me.my_turn()["happened"][0]["play"] == going.table.plays[0]


def test_every_game_is_in_the_catalogue(host: Guest) -> None:
    shown = {game["name"]: game for game in host.get("/api/catalogue").json()["games"]}
    assert shown.keys() == games().keys()
    assert shown == {game["name"]: game for game in json.loads(json.dumps(catalogue()))}
    for name, game in shown.items():
        playing = {one["name"] for one in game["strategies"]}
        assert playing == {*strategies_for(games()[name]())} - {*TOO_LONG}
        options = [o["name"] for one in game["strategies"] for o in one["options"]]
        assert "genome" not in options
