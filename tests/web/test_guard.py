"""Hostile requests over HTTP: other hosts, other sites, other kinds and lengths of bodies."""

from __future__ import annotations

import socket
import time

import pytest

from kibitz.web.guard import MOST_BYTES, RateLimit
from tests.web.serving import Guest, ServerProcess

TABLE = {"game": "twenty-one", "seats": ["person", "random"]}


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("evil.example", 421), ("127.0.0.1.evil.example", 421), ("localhost.evil.example", 421),
        ("192.168.1.7", 421), ("0.0.0.0", 421), ("", 421), ("localhost", 200), ("[::1]", 200),
        ("cards.example.org", 200), ("cards.example.org.evil", 421),
    ],
)  # fmt: skip
def test_only_its_own_names(server: ServerProcess, host: str, status: int) -> None:
    guest = server.host()
    del guest.client.headers["Origin"]
    assert guest.get("/api/tables", headers={"Host": f"{host}:{server.port}"}).status_code == status


def test_a_shared_one_may_be_called_by_an_address(shared: ServerProcess) -> None:
    guest = shared.host()
    del guest.client.headers["Origin"]
    for host, status in (("192.168.1.7", 200), ("evil.example", 421)):
        assert guest.get("/api/tables", headers={"Host": host}).status_code == status


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:1", "http://localhost.evil.example", "",
     "file://", "http://[", "ftp://127.0.0.1"],
)  # fmt: skip
def test_other_sites_are_refused(server: ServerProcess, host: Guest, origin: str) -> None:
    for answer in (
        host.post("/api/tables", TABLE, headers={"Origin": origin}),
        host.get("/api/tables", headers={"Origin": origin}),
    ):
        assert answer.status_code == 403
    host.client.headers.pop("Origin")
    try:
        assert host.post("/api/tables", TABLE).status_code == 403, "it says no origin"
        assert host.delete("/api/tables/x").status_code == 403
    finally:
        host.client.headers["Origin"] = server.base


def test_an_allowed_name_may_be_the_origin(host: Guest) -> None:
    origin = {"Origin": "https://cards.example.org"}
    assert host.get("/api/tables", headers=origin).status_code == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_what_another_page_fetches_is_refused(host: Guest, site: str) -> None:
    fetched = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}
    assert host.get("/api/tables", headers=fetched).status_code == 403


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_json_only(host: Guest, kind: str) -> None:
    text = '{"game": "twenty-one", "seats": ["person", "random"]}'
    answer = host.client.post("/api/tables", content=text, headers={"Content-Type": kind})
    assert answer.status_code == 415


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{", b"\xff", b'{"game": 1}', b'{"game":"pig","seats":[],"more":1}',
     b"[" * 100_000, b'{"game": "pig", "seats": "person"}', b'{"game": NaN}', b'"\\ud800"'],
)  # fmt: skip
def test_what_is_no_table_is_refused(host: Guest, body: bytes) -> None:
    kind = {"Content-Type": "application/json"}
    answer = host.client.post("/api/tables", content=body, headers=kind)
    assert answer.status_code == 400
    assert list(answer.json()) == ["error"] and "\n" not in answer.json()["error"]


def test_long_bodies_are_refused(server: ServerProcess, host: Guest) -> None:
    too_much = b" " * (MOST_BYTES + 1)
    kind = {"Content-Type": "application/json"}
    assert host.client.post("/api/tables", content=too_much, headers=kind).status_code == 413
    parts = (too_much[i : i + 1000] for i in range(0, len(too_much), 1000))
    assert host.client.post("/api/tables", content=parts, headers=kind).status_code == 413
    assert server.process.poll() is None


def test_every_answer_says_what_a_browser_may_do(server: ServerProcess, host: Guest) -> None:
    for path in ("/api/tables", "/nothing", "/static/nothing.js", "/api/jobs/x", "/table/a/1/play"):
        headers = host.get(path).headers
        policy = headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self';")
        assert "unsafe" not in policy and "*" not in policy
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers
    refused = server.guest().get("/api/tables", headers={"Host": "evil.example"})
    assert refused.headers["x-content-type-options"] == "nosniff"


def test_files_of_the_package_are_asked_for_anew_and_sent_once(server: ServerProcess) -> None:
    guest = server.guest()
    first = guest.get("/static/table.js")
    assert first.status_code == 200 and first.headers["cache-control"] == "no-cache"
    again = guest.get("/static/table.js", headers={"If-None-Match": first.headers["etag"]})
    assert again.status_code == 304 and not again.content


def test_it_listens_to_this_machine_alone(server: ServerProcess, shared: ServerProcess) -> None:
    def bound(port: int) -> set[str]:
        with open("/proc/net/tcp") as table:
            rows = [line.split() for line in table.readlines()[1:]]
        return {row[1].split(":")[0] for row in rows if int(row[1].split(":")[1], 16) == port
                and row[3] == "0A"}  # fmt: skip

    assert bound(server.port) == {"0100007F"}
    assert bound(shared.port) == {"00000000"}


def test_too_many_requests_are_refused_when_it_is_shared(shared: ServerProcess) -> None:
    request = b"GET /enter/guessed HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    last = request.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    with socket.create_connection(("127.0.0.1", shared.port), timeout=60) as wire:
        wire.sendall(100 * request + last)
        answers = b"".join(iter(lambda: wire.recv(1 << 16), b""))
    assert answers.count(b"HTTP/1.1 401") < 100 and b"HTTP/1.1 429" in answers
    time.sleep(1)
    assert shared.guest().get("/enter/guessed").status_code == 401, "there is one again"


def test_addresses_share_no_limit_and_are_forgotten() -> None:
    rate = RateLimit(at_once=2, a_second=0, most=3)
    assert [rate.take("a") for _ in range(3)] == [True, True, False]
    assert rate.take("b") and rate.take("c") and rate.take("d")
    assert rate.take("a"), "of so many only the latest are remembered"


@pytest.mark.parametrize(
    "sent",
    [b"\x00\x01\x02\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET /" + b"a" * 100_000,
     b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n",
     b"GET / HTTP/1.1\r\n\r\n",
     b"GET /table/../api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
     b"GET /static/../app.py HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
     b"GET /static/%2e%2e/app.py HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
     b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -5\r\n\r\n"],
)  # fmt: skip
def test_bytes_that_are_no_request(server: ServerProcess, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as wire:
        wire.sendall(sent)
        wire.shutdown(socket.SHUT_WR)
        answer = wire.recv(10_000)
    assert not answer or answer.split()[1].startswith(b"4")
    assert b"Traceback" not in answer
    assert server.process.poll() is None
