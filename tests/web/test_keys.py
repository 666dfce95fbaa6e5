"""Who may see and do what: a key opens its own door and no other."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from kibitz.web.keys import Keys
from tests.web.serving import Guest, ServerProcess

HOSTS = ["catalogue", "tables", "results", "solved", "compiling", "jobs/x", "jobs/x/page"]


@pytest.mark.parametrize("path", HOSTS)
def test_what_is_the_hosts_needs_his_key(server: ServerProcess, path: str) -> None:
    guest = server.guest()
    assert guest.get(f"/api/{path}").status_code == 401
    guest.client.cookies.set("kibitz_host", "x" * 43)
    assert guest.get(f"/api/{path}").status_code == 401
    assert guest.get("/enter/" + "x" * 43).status_code == 401


def test_cookies_are_for_the_server_alone(server: ServerProcess) -> None:
    guest = server.guest()
    cookie = guest.get(f"/enter/{server.token}").headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie and "path=/;" in cookie + ";"
    made = guest.post("/api/tables", {"game": "twenty-one", "seats": ["person", "random"]}).json()
    cookie = guest.get(made["href"]).headers["set-cookie"].lower()
    assert "httponly" in cookie and "samesite=strict" in cookie
    assert f"path=/table/{made['id']}/1/;" in cookie + ";"


def test_a_seats_key_opens_that_seat_only(server: ServerProcess, host: Guest) -> None:
    """With a second browser, and with its cookie sent wherever one may send it by hand."""
    first = host.new_table("love-letter:players=3", "person", "person", "random")
    other = host.new_table("love-letter", "person", "random")
    friend = server.guest().sit(first.made["links"]["2"])
    assert friend.state()["seat"] == 2
    (token,) = friend.guest.client.cookies.jar
    table = first.made["id"]
    for path in (f"/table/{table}/1/", f"/table/{table}/3/", f"/table/{table}/watch/", other.path):
        for name in ("events", "turns", "record", "jobs/x"):
            assert friend.guest.get(path + name).status_code == 401
            forged = {"Cookie": f"kibitz_seat={token.value}"}
            assert server.guest().get(path + name, headers=forged).status_code == 401
        for name in ("play", "undo", "next", "step", "run", "hint", "review", "thoughts"):
            assert friend.guest.post(path + name, {"version": 2}).status_code == 401
    assert friend.guest.get("/api/tables").status_code == 401
    link = first.made["links"]["2"].replace("/2/", "/1/")
    assert server.guest().get(link).status_code == 401
    moved = first.made["links"]["2"].replace(table, other.made["id"])
    assert server.guest().get(moved).status_code == 401


def test_two_persons_and_one_who_looks_on(server: ServerProcess, host: Guest) -> None:
    mine = host.new_table("love-letter", "person", "person")
    friend = server.guest().sit(mine.made["links"]["2"])
    watcher = server.guest().sit(mine.made["links"]["watch"])
    state = mine.state()
    assert state["your_turn"] and not friend.state()["your_turn"]
    assert friend.play_first(state | {"scene": state["scene"]}).status_code == 409
    for path, data in (("play", {"version": state["version"], "play": "guard"}),
                       ("hint", {"version": state["version"]}),
                       ("undo", {"version": state["version"]})):  # fmt: skip
        assert watcher.post(path, data).status_code == 403
    assert mine.post("undo", {"version": state["version"]}).status_code == 409
    assert mine.play_first(state).status_code == 204
    assert friend.my_turn()["happened"][0]["seat"] == 1
    public = watcher.state()
    hands = [zone for zone in public["scene"]["zones"] if zone["name"] == "hand"]
    assert public["seat"] == "watch"
    assert public["over"] or [zone["cards"] for zone in hands] == [[], []]
    assert not public["scene"]["plays"] and not any(s["you"] for s in public["scene"]["seats"])


def test_the_secret_is_for_the_users_eyes(tmp_path: Path) -> None:
    keys = Keys(tmp_path)
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    again = Keys(tmp_path)
    assert keys.seat("t", "1") == again.seat("t", "1") != keys.seat("t", "2")
    assert keys.host != again.host
    assert keys.seat("t", "1") != Keys(tmp_path / "other").seat("t", "1")
