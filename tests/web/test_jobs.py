"""Hints, reviews and pictures: in other processes, one at a time, and cancelled at once."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import kibitz
from kibitz.review.hindsight import hindsight_of
from kibitz.review.turns import recorded_turns
from kibitz.table.session import Session
from kibitz.web.errors import Refusal
from kibitz.web.jobs import MOST_WAITING, Job, JobProcess, Jobs
from tests.web.serving import PATIENCE, Guest

LATE = 12
"""Turns at the end of a game of Tablić, whose values take an instant."""


def test_a_hint_in_mid_game(host: Guest) -> None:
    me = host.new_table("twenty-one", "person", "random")
    state = me.my_turn()
    asked = me.post("hint", {"version": state["version"], "by": "minimax"})
    told = me.result_of(asked)
    assert told["state"] == "done", told
    best = [one["play"] for one in told["result"]["choices"] if one["best"]]
    assert len(best) == 1 and told["result"]["sentence"]
    other = host.new_table("twenty-one", "person", "random")
    assert other.get(f"jobs/{asked.json()['job']}").status_code == 404, "it is another seat's"
    assert host.get(f"/api/jobs/{asked.json()['job']}").status_code == 404


def test_after_the_game(host: Guest) -> None:
    me = host.new_table("twenty-one", "person", "minimax")
    state = me.my_turn()
    assert me.post("review").status_code == 409, "it is not over"
    assert me.post("thoughts", {"turn": 2}).status_code == 409
    assert me.get("turns").status_code == 409
    assert me.play_first(state).status_code == 204
    me.play_to_the_end()
    told = me.result_of(me.post("review", {"seats": [1, 2]}))
    assert told["state"] == "done", told
    result = told["result"]
    assert {one["seat"] for one in result["decisions"]} == {1, 2}
    assert all(one["scene"]["seats"] for one in result["decisions"])
    for one in result["decisions"]:
        plays = {play["play"]: play for play in one["plays"]}
        made = plays[one["play"]]
        assert made["made"] and made["said"] == one["said"] and one["more"] == 0
        assert made["value"] == one["value"] and made["behind"] == pytest.approx(one["loss"])
        assert plays[one["best"]]["value"] == max(play["value"] for play in plays.values())
    for seat in result["seats"]:
        lost = [one["loss"] for one in result["decisions"] if one["seat"] == seat["seat"]]
        assert seat["loss"] == pytest.approx(sum(lost)) and seat["decisions"] <= len(lost)
    page = host.get(result["page"])
    assert page.headers["content-security-policy"].startswith("sandbox allow-scripts;")
    for picture in result["pictures"]:
        assert host.get(picture["href"]).headers["content-type"].startswith("image/svg+xml")
    turns = me.get("turns").json()["turns"]
    by_bot = next(one["number"] for one in turns if one["seat"] == 2)
    thought = me.result_of(me.post("thoughts", {"turn": by_bot}))["result"]
    assert thought["by"] == "minimax" and thought["seat"] == 2
    assert me.result_of(me.post("thoughts", {"turn": 1}))["state"] == "failed"
    assert me.post("review", {"seats": [3]}).status_code == 400
    assert me.post("review", {"game": 2}).status_code == 404


def test_hindsight_comes_turn_by_turn_and_is_stopped(host: Guest) -> None:
    """The first turns take minutes; meanwhile all else goes on, reviews of others too."""
    session = Session("tablic:cards_bonus=none", ["greedy", "random"], 6)
    while not session.table.is_over:
        session.step()
    record = session.finished[0].model_dump_json()
    me = host.sit(host.post("/api/tables/open", {"record": record}).json()["href"])
    assert me.post("hindsight", {"game": 2}).status_code == 404
    job = me.post("hindsight").json()["job"]
    assert me.post("review").status_code == 409, "one thing after the other"
    other = host.new_table("twenty-one", "person", "random")
    other.play_to_the_end()
    assert other.result_of(other.post("review"))["state"] == "done"
    told: dict[str, Any] = {"partial": None}
    end = time.monotonic() + PATIENCE
    while not told["partial"] or len(told["partial"]["turns"]) < LATE:
        assert time.monotonic() < end and not told.get("error"), told
        time.sleep(0.1)
        told = me.get(f"jobs/{job}").json()
    assert me.guest.delete(f"{me.path}jobs/{job}").status_code == 204
    assert me.get(f"jobs/{job}").status_code == 404
    played = kibitz.replay(record)
    late = hindsight_of(played, list(recorded_turns(played))[-LATE:])
    shown = told["partial"]["turns"][-LATE:]
    assert [{k: v for k, v in one.items() if k != "said"} for one in shown] == [
        one.document() for one in late.turns
    ]
    assert told["partial"]["result"] == played.returns[0]


def test_a_graph_with_a_search(host: Guest) -> None:
    wanted = {"game": "twenty-one", "algorithm": "minimax", "merge": True, "depth": None}
    job = host.post("/api/graphs", wanted).json()["job"]
    assert host.post("/api/graphs", wanted).status_code == 409, "one at a time"
    end = time.monotonic() + 60
    while (told := host.get(f"/api/jobs/{job}").json())["state"] in ("waiting", "running"):
        assert time.monotonic() < end
        time.sleep(0.1)
    assert told["state"] == "done", told
    page = host.get(told["result"]["page"])
    assert page.headers["content-security-policy"].startswith("sandbox")
    assert b"<svg" in host.get(told["result"]["picture"]).content


def test_what_runs_is_cancelled_at_once(host: Guest) -> None:
    wanted = {"game": "connect-four", "algorithm": "minimax", "depth": 7}
    job = host.post("/api/graphs", wanted).json()["job"]
    time.sleep(0.5)
    asked = time.monotonic()
    assert host.delete(f"/api/jobs/{job}").status_code == 204
    assert time.monotonic() - asked < 2
    assert host.get(f"/api/jobs/{job}").status_code == 404
    again = host.post("/api/graphs", {"game": "twenty-one", "depth": 1}).json()["job"]
    while (told := host.get(f"/api/jobs/{again}").json())["state"] in ("waiting", "running"):
        time.sleep(0.1)
    assert told["state"] == "done"


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """In a thread of its own: where a browser is open, this one has an event loop already."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(lambda: asyncio.run(test())).result()


class Idle(JobProcess):
    """Nothing is ever begun."""

    async def _work(self) -> None:
        await asyncio.sleep(0)


def idle_jobs() -> Jobs:
    def nobody(said: dict[str, Any]) -> None: ...

    jobs = Jobs(nobody)
    jobs._processes = {"hint": Idle(nobody), "long": Idle(nobody)}
    return jobs


def test_queues_are_bounded() -> None:
    async def fill() -> None:
        jobs = idle_jobs()
        first = jobs.add("0", {"kind": "review"})
        for i in range(1, MOST_WAITING):
            jobs.add(str(i), {"kind": "review"})
        with pytest.raises(Refusal, match="too much to do"):
            jobs.add("one more", {"kind": "review"})
        jobs.add("one more", {"kind": "hint"})
        with pytest.raises(Refusal, match="one thing after the other"):
            jobs.add("0", {"kind": "hint"})
        jobs.cancel("0", first.id)
        assert first.state == "cancelled"
        jobs.add("0", {"kind": "review"})

    run(fill)


def test_a_process_that_ends_fails_its_job() -> None:
    async def end() -> None:
        process = JobProcess(lambda said: None)
        job = Job("me", {"kind": "no such kind"})
        process.add(job)
        while job.is_open:
            await asyncio.sleep(0.05)
        assert (job.state, job.error) == ("failed", "it can't be done: KeyError")
        assert process._process is not None
        process._process.send_signal(signal.SIGSTOP)  # so it can't be done before it is killed
        running = Job("me", {"kind": "no such kind"})
        process.add(running)
        while running.began is None:
            await asyncio.sleep(0.05)
        process._process.kill()
        while running.is_open:
            await asyncio.sleep(0.05)
        assert (running.state, running.error) == (
            "failed", "the process that worked on it has ended",
        )  # fmt: skip
        process.stop()

    run(end)
