"""Whoever waits for the compiler sees how long it may take."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import pytest

from kibitz.core.registry import make_game
from kibitz.jit import compile_message, compile_progress, compile_time
from kibitz.jit.compile_time import expected_seconds, in_words, timed
from kibitz.jit.rng import next_word


@pytest.fixture(autouse=True)
def nothing_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_time, "_known", set())
    monkeypatch.setattr(compile_time, "_estimated", 0.0)
    monkeypatch.setattr(compile_time, "_taken", 0.0)


def test_more_code_takes_longer() -> None:
    kernels = make_game("love-letter").kernels  # type: ignore[attr-defined]
    short, long = expected_seconds(kernels.over), expected_seconds(kernels.apply)
    assert 0 < 10 * short < long, "with all that it calls"


def test_what_is_known_takes_less_time() -> None:
    kernels = make_game("love-letter").kernels  # type: ignore[attr-defined]
    before = expected_seconds(kernels.apply)
    with timed(kernels.apply, before):
        pass
    compile_time._estimated = 0.0
    assert expected_seconds(kernels.apply) < before / 2


def test_what_is_on_disk_takes_less_time(tmp_path: Path) -> None:
    before = expected_seconds(next_word, tmp_path)
    (tmp_path / "kibitz.jit.rng").mkdir()
    name = f"next_word-{next_word.digest()}-inner.cpython-311.nbi"
    (tmp_path / "kibitz.jit.rng" / name).touch()
    assert expected_seconds(next_word, tmp_path) < before / 2


def test_a_slow_machine_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = make_game("love-letter").kernels  # type: ignore[attr-defined]
    usual = expected_seconds(kernels.apply)
    clock = iter([0.0, 6.0, 100.0, 103.0])
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    with timed(next_word, 2.0):
        pass
    assert expected_seconds(kernels.apply) == pytest.approx(3 * usual)
    with timed(next_word, 3.0):  # estimated for this machine, and right
        pass
    assert expected_seconds(kernels.apply) == pytest.approx(3 * usual)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "a few seconds"), (4.4, "about 4 s"), (17.0, "about 15 s"), (58.0, "about 60 s")],
)
def test_it_is_said_as_a_guess(seconds: float, words: str) -> None:
    assert in_words(seconds) == words


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_person_sees_the_time_and_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(compile_progress, "expected_seconds", lambda *args: 12.0)
    with compile_progress.compiling(next_word):
        time.sleep(0.2)
    assert "compiling, once: about 10 s" in screen.getvalue()
    assert "next_word" not in screen.getvalue()


def test_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 1.0, 7.2])
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    waiting = compile_message.Waiting(12.0)
    assert waiting.__rich__() == "compiling, once: about 10 s"
    assert waiting.__rich__() == "compiling, once: about 10 s, 7 s so far"
