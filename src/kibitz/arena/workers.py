"""Who plays the parts: this process, processes of this machine, or a Dask cluster.

All have the same face, `submit`, as `concurrent.futures` has it.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import re
import signal
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from importlib import import_module
from itertools import islice
from typing import Any, TypeVar

from kibitz.core import checks
from kibitz.core.errors import BadText, KibitzError
from kibitz.core.limits import check_parallel
from kibitz.version import __version__

T = TypeVar("T")
R = TypeVar("R")

LOST = 5
"""How many worker processes may die before a run gives up."""
GRACE = 1.0
"""Seconds for a process that has been asked to end: it may be sending a result."""


class Inline(Executor):
    """This process, at once."""

    def submit(self, work: Any, /, *args: Any, **options: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(work(*args, **options))
        return done


class Processes:
    """Processes of this machine. If one dies, all are replaced (`renew`), and whoever waits for a
    part gets a `BrokenProcessPool` and must send it again."""

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._deaths = 0
        self._pool = self._new_pool()
        self._former: list[threading.Thread] = []
        """The threads of pools that were replaced: their processes may take a moment to end."""
        self._sent: set[Future[Any]] = set()
        """What has not come back."""

    def _new_pool(self) -> ProcessPoolExecutor:
        # A fork has all that was compiled so far; elsewhere it is read from the disk.
        way = "fork" if "fork" in multiprocessing.get_all_start_methods() else "spawn"
        context = multiprocessing.get_context(way)
        return ProcessPoolExecutor(self._jobs, context, initializer=_serve_parent)

    def submit(self, work: Any, /, *args: Any) -> Future[Any]:
        """Let a process do this work; new ones are started if they have died."""
        try:
            future = self._pool.submit(_work, work, *args)
        except BrokenProcessPool:
            self.renew()
            future = self._pool.submit(_work, work, *args)
        self._sent.add(future)
        future.add_done_callback(self._sent.discard)
        return future

    def renew(self) -> None:
        """Start new processes in the place of dead ones, a few times at most."""
        self._deaths += 1
        if self._deaths > LOST:
            raise KibitzError("the worker processes keep dying; is there memory enough?")
        thread: Any = self._pool._executor_manager_thread
        if thread is not None:
            self._former.append(thread)
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = self._new_pool()

    def shutdown(self) -> None:
        """End all processes, whatever they are doing: nobody waits for what they still play."""
        if self._sent:
            processes = list((self._pool._processes or {}).values())
            for process in processes:
                process.terminate()
            until = time.monotonic() + GRACE
            for process in processes:
                process.join(max(0.0, until - time.monotonic()))
                process.kill()  # it waits for work, or is in compiled code: it sends nothing
        self._pool.shutdown(wait=True, cancel_futures=True)
        for thread in self._former:
            thread.join()


# A process that ends while it sends a result leaves half of it in the pipe, and its parent would
# wait for the other half for ever. So it ends at once while it works, and else a moment later, or
# when it would begin again.
_is_working = False
_is_to_end = False


def _work(work: Any, *args: Any) -> Any:
    global _is_working
    _is_working = True
    if _is_to_end:
        os._exit(1)
    try:
        return work(*args)
    finally:
        _is_working = False


def _end(number: int, frame: Any) -> None:
    global _is_to_end
    _is_to_end = True
    if _is_working:
        os._exit(1)
    later = threading.Timer(GRACE / 2, os._exit, (1,))
    later.daemon = True
    later.start()


def _serve_parent() -> None:
    """Leave interrupts to the parent, and end when it does, even if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def is_sendable(what: object) -> bool:
    """Whether another process can get it: not what was made inside a function, as are games in
    text files."""
    try:
        pickle.dumps(what)
    except Exception:
        return False
    return True


@contextmanager
def workers(jobs: int, cluster: str | None) -> Iterator[tuple[Any, int]]:
    """An executor, and how many parts it plays at once."""
    if cluster is not None:
        with _dask(cluster) as (executor, width):
            yield executor, width
        return
    check_parallel("jobs", jobs)
    if jobs == 1:
        yield Inline(), 1
        return
    pool = Processes(jobs)
    try:
        yield pool, jobs
    finally:
        pool.shutdown()


@contextmanager
def _dask(address: str) -> Iterator[tuple[Any, int]]:
    try:
        # By name: its own types, if it is there, are only half of them.
        distributed: Any = import_module("distributed")
    except ImportError:
        raise BadText("a cluster needs Dask: pip install 'kibitz[cluster]'") from None
    if not re.fullmatch(r"((tcp|tls|wss?)://)?[^/]+:\d+", address):
        raise BadText(f"an address is like tcp://host:8786, not {checks.brief(address)}")
    with _unlogged(("distributed", "tornado")):
        try:
            client = distributed.Client(address, timeout=10, set_as_default=False)
        except (OSError, ValueError, TimeoutError) as error:
            raise BadText(f"no Dask scheduler answers at {address}") from error
        with client:
            width = sum(client.nthreads().values())
            if not width:
                raise BadText(f"the scheduler at {address} has no workers")
            _check_versions(client, address)
            executor = client.get_executor(pure=False, retries=LOST)
            try:
                yield executor, width
            except (CancelledError, distributed.KilledWorker) as error:
                raise KibitzError(f"the cluster at {address} has gone or given up") from error
            finally:
                executor.shutdown(wait=False)  # nobody waits for what is still played


def as_done(
    executor: Any, width: int, work: Callable[[T], R], items: Iterable[T]
) -> Generator[tuple[int, R], None, None]:
    """Do a work on each item: the number of the item and what came of it, in the order in which
    they are done. What a process took with it when it died is done again."""
    running: dict[Future[Any], tuple[int, T]] = {}
    source = enumerate(items)
    while True:
        # Each worker has one item waiting; here there is nobody else, so that nothing waits.
        for number, item in islice(source, (2 * width if width > 1 else 1) - len(running)):
            running[executor.submit(work, item)] = number, item
        if not running:
            return
        for future in wait(running, return_when=FIRST_COMPLETED).done:
            try:
                result = future.result()
            except BrokenProcessPool:
                executor.renew()
                lost = list(running.values())
                running = {executor.submit(work, item): (number, item) for number, item in lost}
                break
            number, _ = running.pop(future)
            yield number, result


def in_order(
    executor: Any, width: int, work: Callable[[T], R], items: Iterable[T]
) -> Generator[R, None, None]:
    """The same in the order of the items, of which there may be no end."""
    early: dict[int, R] = {}
    following = 0
    for number, result in as_done(executor, width, work, items):
        early[number] = result
        while following in early:
            yield early.pop(following)
            following += 1


def is_killed(error: BaseException) -> bool:
    """Whether a cluster has given a part up, for every worker that had it died. By its name:
    Dask need not be there."""
    return type(error).__name__ == "KilledWorker"


@contextmanager
def _unlogged(packages: tuple[str, ...]) -> Iterator[None]:
    """Without the logs of packages: what matters of them is said in one line."""
    names = [name for name in logging.root.manager.loggerDict if name.startswith(packages)]
    before = {name: logging.getLogger(name).disabled for name in names}
    for name in names:
        logging.getLogger(name).disabled = True
    try:
        yield
    finally:
        for name, disabled in before.items():
            logging.getLogger(name).disabled = disabled


def _check_versions(client: Any, address: str) -> None:
    """Figures are the same everywhere only with the same code."""
    try:
        versions = set(client.run(installed_version).values())
    except Exception as error:
        raise BadText(f"the workers at {address} do not have Kibitz: {error}") from error
    if versions != {__version__}:
        others = ", ".join(sorted(versions - {__version__}))
        raise BadText(f"the workers at {address} have Kibitz {others}, not {__version__}")


def installed_version() -> str:
    """The version that a worker of a cluster has."""
    return __version__
