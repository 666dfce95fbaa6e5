"""A Dask scheduler with two workers, in processes of their own, for tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.arena.running import until
from tests.processes import ROOT, environment


class Cluster:
    """Its processes, each with a group of its own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self._file = home / "scheduler.json"
        own = ("--scheduler-file", str(self._file))
        self.scheduler = self._start("scheduler", *own, "--port", "0", "--no-dashboard")
        until(lambda: self._file.exists() and self._file.read_text().endswith("}"), "a scheduler")
        limits = ("--nworkers", "1", "--nthreads", "1", "--no-dashboard", "--no-nanny")
        self.workers = [self._start("worker", *own, *limits) for _ in range(2)]

    def _start(self, *args: str) -> subprocess.Popen[bytes]:
        from kibitz.core.folders import cache_folder

        env = environment(HOME=self.home, KIBITZ_CACHE=cache_folder(), PYTHONPATH=ROOT)
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *args], env=env, cwd=self.home,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip

    @property
    def address(self) -> str:
        import json

        address: str = json.loads(self._file.read_text())["address"]
        return address

    def wait_for_workers(self, number: int) -> None:
        import distributed

        client: Any = distributed.Client(self.address, set_as_default=False)  # type: ignore[no-untyped-call, unused-ignore]
        with client:
            client.wait_for_workers(number, timeout=120)

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextmanager
def running_cluster(folder: Path) -> Iterator[Cluster]:
    """With its home in a folder. Without Dask the test is skipped."""
    pytest.importorskip("distributed")
    home = folder / "cluster"
    home.mkdir()
    made = Cluster(home)
    try:
        made.wait_for_workers(2)
        yield made
    finally:
        made.stop()
