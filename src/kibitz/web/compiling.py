"""What compiles is told to every page, and begins in the background when the server starts."""

from __future__ import annotations

import asyncio
from typing import Any

from kibitz.core.registry import make_game
from kibitz.jit.compile_progress import CompileProgress, listen
from kibitz.strategies.common.levels import adviser_for, levels_for
from kibitz.web.job_process import as_document
from kibitz.web.jobs import Job, JobProcess
from kibitz.web.streams import StreamSet, as_event
from kibitz.web.tables import Tables

FIRST = ("love-letter", "tablic")
"""Games that people come for."""
MOST_STREAMS = 100


class CompileNews:
    """Listens to the compiler, here and in other processes, and tells the pages."""

    def __init__(self, tables: Tables) -> None:
        self.tables = tables
        self.streams = StreamSet(MOST_STREAMS)
        self.now: dict[str, dict[str, Any]] = {}
        """What compiles now, by where."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._warming: asyncio.Task[None] | None = None
        self._process = JobProcess(lambda said: self.tell({**said, "where": "background"}))

    def begin(self, warm_up: bool) -> None:
        """Listen from now on, and warm up: in a process of its own what opponents and advisers
        need, here what every table of the first games needs."""
        self._loop = asyncio.get_running_loop()
        self._stop = listen(self._heard)
        if warm_up:
            self._warming = self._loop.create_task(self._warm_up())

    async def _warm_up(self) -> None:
        """Tables first: whoever opens the page at once is not to wait for the other process."""
        for name in FIRST:
            await self.tables.warm_up(name)
        for name in FIRST:
            game = make_game(name)
            adviser = adviser_for(game)
            wanted = [*levels_for(game).values(), *([str(adviser)] if adviser else [])]
            task = {"kind": "warm-up", "game": name, "strategies": list(dict.fromkeys(wanted))}
            self._process.add(Job("server", task))

    def end(self) -> None:
        """Stop listening, and whatever compiles elsewhere."""
        self._stop()
        if self._warming is not None:
            self._warming.cancel()
        self._process.stop()
        self.streams.close()

    def _heard(self, progress: CompileProgress) -> None:
        """In whichever thread compiles."""
        assert self._loop is not None
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self.tell, as_document(progress, "table"))

    def tell(self, said: dict[str, Any]) -> None:
        """Every page that is open."""
        where = said["where"]
        if said["done"]:
            self.now.pop(where, None)
        else:
            self.now[where] = said
        event = as_event("compiling", said)
        self.streams.send(event)
        if where == "table":
            for table in self.tables.live.values():
                table.tell(event)

    def events(self) -> list[bytes]:
        """For a page that is opened meanwhile."""
        return [as_event("compiling", said) for said in self.now.values()]
