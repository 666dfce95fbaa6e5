"""`kibitz serve` itself: what it refuses, and where it says that it is."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from kibitz.web.serving import listen, local_address
from tests.processes import kibitz_here


@pytest.mark.parametrize(
    "options",
    [
        ["--allowed-host", "http://cards.example.org"], ["--allowed-host", ""],
        ["--allowed-host", "cards.example.org:80"], ["--results", "nowhere"],
        ["--port", "70000"], ["--port", "-1"], ["--port", "x"],
    ],
)  # fmt: skip
def test_bad_input(options: list[str], tmp_path: Path) -> None:
    done = kibitz_here("serve", "--no-open", *options, home=tmp_path)
    assert done.returncode == 2 and done.stderr.startswith("kibitz: ")
    assert len(done.stderr.splitlines()) == 1 and not done.stdout


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        done = kibitz_here("serve", "--no-open", "--port", port, home=tmp_path)
    assert done.returncode == 2 and f"port {port} can't be used" in done.stderr


def test_where_it_listens() -> None:
    with listen(0, shared=False) as alone, listen(0, shared=True) as shared:
        assert alone.getsockname()[0] == "127.0.0.1"
        assert shared.getsockname()[0] == "0.0.0.0"
    assert local_address().count(".") == 3
