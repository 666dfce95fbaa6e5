"""Listeners hear when compiling begins, goes on and ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from kibitz.jit import compile_progress
from kibitz.jit.compile_progress import CompileProgress, CompileStage, compiling, listen
from kibitz.jit.rng import next_word, unit

BEGINS, GOES_ON, ENDS = CompileStage


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_progress, "EVERY", 0.02)
    monkeypatch.setattr(compile_progress, "expected_seconds", lambda *args: 12.0)


@pytest.fixture
def reported() -> Iterator[list[CompileProgress]]:
    heard: list[CompileProgress] = []
    stop = listen(heard.append)
    yield heard
    stop()


def test_begins_goes_on_and_ends(reported: list[CompileProgress]) -> None:
    with compiling(next_word):
        assert [one.stage for one in reported[:1]] == [BEGINS]
        time.sleep(0.2)
    stages = [one.stage for one in reported]
    assert stages[:2] == [BEGINS, GOES_ON] and stages[-2:] == [GOES_ON, ENDS]
    assert set(stages[1:-1]) == {GOES_ON}
    assert {(one.what, one.expected) for one in reported} == {(next_word.name, 12.0)}
    assert sorted(one.seconds for one in reported) == [one.seconds for one in reported]
    time.sleep(0.1)
    assert len(reported) == len(stages), "nothing comes after the end"


def test_what_a_kernel_needs_is_a_part_of_it(reported: list[CompileProgress]) -> None:
    with compiling(unit), compiling(next_word):
        pass
    assert {one.what for one in reported} == {unit.name}
    assert [one.stage for one in reported if one.stage != GOES_ON] == [BEGINS, ENDS]


def test_the_end_is_reported_when_it_fails(reported: list[CompileProgress]) -> None:
    with pytest.raises(ZeroDivisionError), compiling(next_word):
        raise ZeroDivisionError
    assert reported[-1].stage == ENDS


def test_who_stops_hears_nothing_more(reported: list[CompileProgress]) -> None:
    heard: list[CompileProgress] = []
    stop = listen(heard.append)
    with compiling(next_word):
        pass
    before = len(heard)
    stop()
    stop()
    with compiling(next_word):
        pass
    assert 0 < before == len(heard) < len(reported)


def test_a_listener_that_raises_is_warned_and_spoils_nothing(
    reported: list[CompileProgress],
) -> None:
    def failing(progress: CompileProgress) -> None:
        raise ValueError("no ears")

    stop = listen(failing)
    try:
        with pytest.warns(UserWarning, match="no ears"), compiling(next_word):
            pass
    finally:
        stop()
    assert [reported[0].stage, reported[-1].stage] == [BEGINS, ENDS]


def test_listeners_come_and_go_in_threads(reported: list[CompileProgress]) -> None:
    done = threading.Event()

    def come_and_go() -> None:
        while not done.is_set():
            listen(lambda progress: None)()

    threads = [threading.Thread(target=come_and_go) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(20):
        with compiling(next_word):
            pass
    done.set()
    for thread in threads:
        thread.join()
    assert sum(one.stage == ENDS for one in reported) == 20
    assert len(compile_progress._listeners) == 2, "the message, and this test's own"
