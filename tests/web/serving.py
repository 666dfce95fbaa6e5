"""A server in a process of its own, and browsers that talk to it over HTTP."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

import kibitz
from tests.processes import environment

START = (
    "import sys; from pathlib import Path; from kibitz.web.app import WebSettings;"
    " from kibitz.web import live_table; from kibitz.web.serving import run;"
    " data, results, shared, port, grid = sys.argv[1:]; live_table.GRID = float(grid);"
    " settings = WebSettings(Path(data), Path(results), shared == 'shared',"
    " ('cards.example.org',), warm_up=False); run(settings, int(port), open_browser=False)"
)
PATIENCE = 120.0
"""Seconds: what is not compiled yet takes long."""


QUICK = 0.1
"""The grid of opponents' answers, so that whole games are over soon."""


class ServerProcess:
    """`kibitz serve` without what is compiled ahead."""

    def __init__(
        self, data: Path, results: Path | None = None, shared: bool = False, port: int = 0,
        grid: float = QUICK, first: str = "",
    ) -> None:  # fmt: skip
        """`first`: what else the process does, before it serves."""
        source = Path(kibitz.__file__).parents[1]
        mode = "shared" if shared else "alone"
        told = (data, results or data, mode, port, grid)
        self.process = subprocess.Popen(
            [sys.executable, "-c", first + START, *map(str, told)],
            stdout=subprocess.PIPE, text=True, env=environment(PYTHONPATH=source),
        )  # fmt: skip
        assert self.process.stdout is not None
        self.address = self.process.stdout.readline().split()[-1]
        self.token = self.address.rpartition("/")[2]
        self.port = int(self.address.split("/")[2].rpartition(":")[2])
        self.base = f"http://127.0.0.1:{self.port}"
        self._guests: list[Guest] = []

    def stop(self) -> None:
        """As if the machine had lost its power."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        for guest in self._guests:
            guest.client.close()

    def guest(self) -> Guest:
        """A browser without any cookie."""
        self._guests.append(Guest(self.base))
        return self._guests[-1]

    def host(self) -> Guest:
        """A browser that has opened the printed address."""
        guest = self.guest()
        assert guest.get(f"/enter/{self.token}").status_code == 303
        return guest


class Guest:
    """A browser: it has cookies and says its origin, and shows nothing."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.client = httpx.Client(base_url=base, headers={"Origin": base}, timeout=PATIENCE)

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.client.get(path, **more)

    def post(self, path: str, data: Any = None, **more: Any) -> httpx.Response:
        return self.client.post(path, json={} if data is None else data, **more)

    def delete(self, path: str) -> httpx.Response:
        return self.client.delete(path)

    def new_table(self, game: str, *seats: str, **more: Any) -> SeatedGuest:
        """A table that the host makes, and his own seat at it."""
        made = self.post("/api/tables", {"game": game, "seats": list(seats), **more})
        assert made.status_code == 201, made.text
        return self.sit(made.json()["href"], made.json())

    def sit(self, link: str, made: dict[str, Any] | None = None) -> SeatedGuest:
        """Open the link to a seat."""
        answer = self.get(link)
        assert answer.status_code == 303
        return SeatedGuest(self, answer.headers["location"], made or {})


class SeatedGuest:
    """Somebody in a seat, or who looks on."""

    def __init__(self, guest: Guest, path: str, made: dict[str, Any]) -> None:
        self.guest, self.path, self.made = guest, path, made

    def get(self, what: str) -> httpx.Response:
        return self.guest.get(self.path + what)

    def post(self, what: str, data: Any = None) -> httpx.Response:
        return self.guest.post(self.path + what, data)

    def events(self, what: str = "events") -> Generator[tuple[str, dict[str, Any]], None, None]:
        """The events of a stream, as long as they are asked for."""
        with self.guest.client.stream("GET", self.path + what) as answer:
            assert answer.status_code == 200
            kind = ""
            for line in answer.iter_lines():
                if line.startswith("event: "):
                    kind = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    yield kind, json.loads(line.removeprefix("data: "))

    def states(self, what: str = "events") -> Generator[dict[str, Any], None, None]:
        with closing(self.events(what)) as events:
            for kind, data in events:
                if kind == "state":
                    yield data

    def state(self, what: str = "events") -> dict[str, Any]:
        """The newest state."""
        with closing(self.states(what)) as states:
            return next(states)

    def my_turn(self) -> dict[str, Any]:
        """The state in which this guest is to play, or in which the game is over."""
        with closing(self.states()) as states:
            return next(one for one in states if one["your_turn"] or one["over"])

    def play_first(self, state: dict[str, Any]) -> httpx.Response:
        """The first play of the list."""
        play = state["scene"]["plays"][0]["text"]
        return self.post("play", {"version": state["version"], "play": play})

    def play_to_the_end(self) -> dict[str, Any]:
        """A whole game; its last state."""
        with closing(self.states()) as states:
            for state in states:
                if state["over"]:
                    return state
                if state["your_turn"]:
                    answer = self.play_first(state)
                    assert answer.status_code == 204, answer.text
        raise AssertionError("the stream has ended in mid-game")

    def result_of(self, job: httpx.Response) -> dict[str, Any]:
        """What comes of a job."""
        assert job.status_code == 202, job.text
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            told: dict[str, Any] = self.get(f"jobs/{job.json()['job']}").json()
            if told["state"] not in ("waiting", "running"):
                return told
            time.sleep(0.1)
        raise AssertionError("the job does not end")
