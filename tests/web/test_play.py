"""Playing over HTTP: whole games, old pages, undo, coming back after the server was killed."""

from __future__ import annotations

import itertools
import json
import time
from contextlib import closing
from pathlib import Path

import pytest

from kibitz.table.record import read_record
from tests.web.serving import Guest, ServerProcess


@pytest.mark.parametrize(
    ("game", "seats"),
    [
        ("love-letter", ("person", "level:easy")), ("tablic", ("greedy", "person")),
        ("tic-tac-toe", ("person", "random")), ("pig:target=20", ("person", "random")),
    ],
)  # fmt: skip
def test_a_whole_game(host: Guest, game: str, seats: tuple[str, ...]) -> None:
    me = host.new_table(game, *seats)
    end = me.play_to_the_end()
    assert end["result"]["words"] and not end["scene"]["plays"]
    told = me.get("turns").json()
    assert [one["number"] for one in told["turns"]] == sorted(o["number"] for o in told["turns"])
    assert told["result"]["returns"] == end["result"]["returns"]
    assert end["can"]["turns"] and end["can"]["undo"] and end["can"]["review"]
    if end["finished"]:
        text = me.get("record").text
        assert read_record(text, "record").returns == end["result"]["returns"]
        kinds = [kind for kind, _ in me.events() if kind != "compiling"]  # for whoever else plays
        assert kinds == ["state", "gone"], "nothing comes any more"
    else:
        assert me.get("record").status_code == 409, "its seed would tell of the next round"
        assert me.post("next", {"version": end["version"]}).status_code == 204
        assert me.state()["game"] == 2


def test_an_old_page_changes_nothing(host: Guest) -> None:
    me = host.new_table("tic-tac-toe", "person", "random")
    state = me.my_turn()
    assert me.post("play", {"version": state["version"] - 1, "play": "a1"}).status_code == 409
    assert me.play_first(state).status_code == 204
    assert me.play_first(state).status_code == 409
    later = me.my_turn()
    assert len([one for one in later["happened"] if one["seat"] == 1]) == 1
    assert me.post("undo", {"version": state["version"]}).status_code == 409
    assert me.post("undo", {"version": later["version"]}).status_code == 204
    assert me.state()["scene"]["board"] == state["scene"]["board"]


def test_a_wrong_play_is_refused_with_its_rule(host: Guest) -> None:
    me = host.new_table("tablic", "person", "random", seed="5")
    state = me.my_turn()
    zones = {(z["name"], z["seat"]): z["cards"] for z in state["scene"]["zones"]}
    hand, table = (zones["hand", 1], zones["table", None])
    legal = [play["parts"] for play in state["scene"]["plays"]]
    wrong = next(
        parts
        for card, taken in itertools.product(hand, table)
        if (parts := {"card": card["text"], "captures": [taken["text"]]}) not in legal
        and card["text"][0] != taken["text"][0]
    )
    refused = me.post("play", {"version": state["version"], "parts": wrong})
    assert refused.status_code == 422
    assert refused.json()["rule"] and refused.json()["rule"] not in refused.json()["error"]
    for parts in ({}, {"card": 7}, {"card": "Zz"}, {"captures": ["2c"]}, {"card": [], "x": {}}):
        answer = me.post("play", {"version": state["version"], "parts": parts})
        assert answer.status_code == 422, parts
    assert me.post("play", {"version": state["version"]}).status_code == 400
    assert me.state()["version"] == state["version"]


def test_the_rules_are_told(host: Guest) -> None:
    me = host.new_table("tablic", "person", "random")
    told = {one["number"]: one for one in me.get("rules").json()["rules"]}
    assert "disjoint groups" in told["3.2"]["text"] and told["3.2"]["about"] == "A turn"


def test_answers_leave_on_a_grid(shared: ServerProcess) -> None:
    """Also where there is nothing to decide."""
    me = shared.host().new_table("twenty-one", "person", "random")
    waited = []
    asked = time.monotonic()
    for state in me.states():
        if state["over"]:
            break
        if state["your_turn"]:
            waited.append(time.monotonic() - asked)
            assert me.play_first(state).status_code == 204
        else:
            asked = time.monotonic()
    for seconds in waited[1:]:
        assert 0.45 < seconds % 0.5 + 0.5 * (seconds % 0.5 < 0.25) < 0.75


def test_after_a_kill_it_is_where_it_was(tmp_path: Path) -> None:
    first = ServerProcess(tmp_path)
    me = first.host().new_table("tablic", "person", "random")
    state = me.my_turn()
    assert me.play_first(state).status_code == 204
    before = me.my_turn()
    (cookie,) = (c for c in me.guest.client.cookies.jar if c.name == "kibitz_seat")
    first.stop()
    second = ServerProcess(tmp_path)
    try:
        again = second.guest()
        path = me.path
        headers = {"Cookie": f"kibitz_seat={cookie.value}"}
        again.client.headers.update(headers)
        me.guest, me.path = again, path
        after = me.my_turn()
        assert after["version"] >= before["version"] - 1
        del before["version"], after["version"]
        assert after == before
        (row,) = second.host().get("/api/tables").json()["tables"]
        assert row["href"].startswith(f"/sit/{row['id']}/1/")
        assert me.play_first(me.my_turn()).status_code == 204
    finally:
        second.stop()


def test_bots_are_watched_step_by_step(host: Guest) -> None:
    me = host.new_table("love-letter", "random", "random")
    shown = me.state("events?look=open")
    hands = [zone for zone in shown["scene"]["zones"] if zone["name"] == "hand"]
    assert all(zone["cards"] and not zone["hidden"] for zone in hands)
    first = me.state("events?look=1")
    hands = [zone for zone in first["scene"]["zones"] if zone["name"] == "hand"]
    assert [bool(zone["cards"]) for zone in hands] == [True, False]
    assert me.get("events?look=7").status_code == 404
    with closing(me.states("events?look=open")) as states:
        version = next(states)["version"]
        assert me.post("step", {"version": version}).status_code == 204
        assert next(states)["happened"][-1]["seat"] == 1
        assert me.post("run", {"on": True, "seconds": 0.5}).status_code == 204
        assert next(one for one in states if one["over"])["result"]


def test_tables_are_listed_and_removed(host: Guest) -> None:
    made = host.post("/api/tables", {"game": "pig", "seats": ["person", "random"]}).json()
    ids = [row["id"] for row in host.get("/api/tables").json()["tables"]]
    assert made["id"] in ids
    assert host.delete(f"/api/tables/{made['id']}").status_code == 204
    assert host.delete(f"/api/tables/{made['id']}").status_code == 404
    for name in ("..", "%2e%2e%2fsecret", "secret", "x" * 500):
        assert host.delete(f"/api/tables/{name}").status_code in (404, 405)
    ids = [row["id"] for row in host.get("/api/tables").json()["tables"]]
    assert made["id"] not in ids


def test_many_sessions_at_once(server: ServerProcess, host: Guest) -> None:
    """A few here; `python -m tests.web.measure_load` has fifty play on."""
    from tests.web.measure_load import play_many, sit_down

    answers = play_many(sit_down(host, 6), turns=3)
    assert len(answers) == 6 * 3 and sorted(answers)[len(answers) // 2] < 1.0


def test_no_seed_leaves_a_game_that_goes_on(host: Guest) -> None:
    seed = "812345678901234567"
    me = host.new_table("tablic", "person", "random", seed=seed)
    state = me.my_turn()
    sent = json.dumps(state) + me.get("turns").text + me.get("record").text
    sent += host.get("/api/tables").text
    assert seed not in sent and '"seed"' not in sent
