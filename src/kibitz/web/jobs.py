"""What takes long goes on in processes of its own: hints; reviews and pictures; what is solved. No
table waits for it, and it can be stopped at once, by ending the process.

A process does one job after another, and stays for the next. What it gets is the view that a hint
is about, or the record of a game that is over; what it gives is JSON.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import secrets
import sys
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from kibitz.web.errors import not_found, not_now, too_busy

MOST_WAITING = 30
"""Jobs of one kind of process."""
MOST_STORED = 300
"""Jobs whose results are there to be fetched."""
MOST_SECONDS = 1200.0
"""That a job may take; then it is stopped."""
MOST_BYTES = 64 << 20
"""Of an answer."""

PROCESSES = {"hint": "hint", "hindsight": "solve"}
"""Where a kind of job is done; all others where reviews are."""

Told = Callable[[dict[str, Any]], None]


class Job:
    """One job, of one owner."""

    def __init__(self, owner: str, task: Mapping[str, Any]) -> None:
        self.id = secrets.token_urlsafe(12)
        self.owner = owner
        self.task = task
        self.state = "waiting"
        self.progress: str | None = None
        self.began: float | None = None
        self.ended: float | None = None
        self.partial: Any = None
        """What is known so far, of a job that tells it."""
        self.result: Any = None
        self.error: str | None = None
        self.files: dict[str, tuple[str, bytes]] = {}
        """Pages and pictures, by name: what kind, and the content."""

    @property
    def is_open(self) -> bool:
        """Whether it waits or runs."""
        return self.ended is None

    def end(self, state: str, error: str | None = None) -> None:
        """Done, failed, or cancelled."""
        if self.is_open:
            self.state, self.error, self.ended = state, error, time.monotonic()
            self.task = {}

    def document(self) -> dict[str, Any]:
        """As data for JSON."""
        seconds = None
        if self.began is not None:
            seconds = round((self.ended or time.monotonic()) - self.began, 2)
        return {
            "state": self.state, "seconds": seconds, "progress": self.progress,
            "partial": self.partial, "result": self.result, "error": self.error,
        }  # fmt: skip


class JobProcess:
    """A process for jobs of one kind, and the queue before it."""

    def __init__(self, told: Told) -> None:
        """`told` gets what the process says of compiling."""
        self._told = told
        self._queue: deque[Job] = deque()
        self._process: asyncio.subprocess.Process | None = None
        self._running: Job | None = None
        self._task: asyncio.Task[None] | None = None

    def add(self, job: Job) -> None:
        """Put a job into the queue."""
        if len(self._queue) >= MOST_WAITING:
            raise too_busy()
        self._queue.append(job)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._work())

    def cancel(self, job: Job) -> None:
        """Stop it, or take it out of the queue."""
        job.end("cancelled")
        if job in self._queue:
            self._queue.remove(job)
        if job is self._running:
            self.stop()

    def stop(self) -> None:
        """End the process. The next job gets a new one."""
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
        self._process = None

    async def _work(self) -> None:
        while self._queue:
            job = self._running = self._queue.popleft()
            job.state, job.began = "running", time.monotonic()
            try:
                async with asyncio.timeout(MOST_SECONDS):
                    await self._do(job)
            except TimeoutError:
                job.end("failed", "it took too long")
                self.stop()
            except (OSError, ValueError, asyncio.IncompleteReadError):
                job.end("failed", "the process that worked on it has ended")
                self.stop()
            finally:
                self._running = None

    async def _do(self, job: Job) -> None:
        process = await self._started()
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(json.dumps(job.task).encode() + b"\n")
        await process.stdin.drain()
        while job.is_open:
            said = json.loads(await process.stdout.readuntil(b"\n"))
            if "compiling" in said:
                self._told(said["compiling"])
                job.progress = _in_words(said["compiling"])
            elif "partial" in said:
                job.partial = said["partial"]
            elif "error" in said:
                job.end("failed", said["error"])
            else:
                job.result, job.partial = said["result"], None
                job.files = {
                    name: (kind, base64.b64decode(content))
                    for name, (kind, content) in said["files"].items()
                }
                job.end("done")

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "kibitz.web.job_process",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL, limit=MOST_BYTES,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
                start_new_session=True,  # Ctrl-C is for the server
            )  # fmt: skip
        return self._process


class Jobs:
    """All jobs: each owner has one at a time, whose result stays until the next."""

    def __init__(self, told: Told) -> None:
        self._processes = {name: JobProcess(told) for name in ("hint", "long", "solve")}
        self._jobs: OrderedDict[str, tuple[Job, JobProcess]] = OrderedDict()

    def check(self, owner: str) -> None:
        """Refuse somebody whose job goes on: before anything is prepared for the next."""
        for job, _ in self._jobs.values():
            if job.owner == owner and job.is_open:
                raise not_now("one thing after the other: your last request still goes on")

    def add(self, owner: str, task: Mapping[str, Any]) -> Job:
        """A new job. Hints don't wait for what takes seconds, and that not for minutes."""
        self.check(owner)
        process = self._processes[PROCESSES.get(task["kind"], "long")]
        job = Job(owner, task)
        process.add(job)
        for id_ in [i for i, (other, _) in self._jobs.items() if other.owner == owner]:
            del self._jobs[id_]
        self._jobs[job.id] = job, process
        while len(self._jobs) > MOST_STORED:
            self._forget_one()
        return job

    def _forget_one(self) -> None:
        for id_, (job, _) in self._jobs.items():
            if not job.is_open:
                del self._jobs[id_]
                return

    def get(self, owner: str, id_: str) -> Job:
        """A job of this owner."""
        job, _ = self._jobs.get(id_, (None, None))
        if job is None or job.owner != owner:
            raise not_found("job")
        return job

    def cancel(self, owner: str, id_: str) -> None:
        """Stop a job; its result, if there is one, is dropped."""
        job = self.get(owner, id_)
        _, process = self._jobs.pop(id_)
        process.cancel(job)

    def cancel_of(self, prefix: str) -> None:
        """All jobs of owners whose names begin so."""
        for id_, (job, _) in list(self._jobs.items()):
            if job.owner.startswith(prefix):
                self.cancel(job.owner, id_)

    def stop(self) -> None:
        """End all processes."""
        for process in self._processes.values():
            process.stop()


def _in_words(compiling: Mapping[str, Any]) -> str | None:
    if compiling["done"]:
        return None
    return f"compiling, once: about {max(compiling['expected'], 1):.0f} s"
