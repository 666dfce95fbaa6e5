"""Server-sent events: one stream for each page that is open, each with a queue that is not endless.

Whoever reads too slowly misses states in between, never the newest.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import StreamingResponse

WAITING = 16
"""Events that wait to be read."""
SILENCE = 15.0
"""Seconds after which a line goes out that says nothing, so that nobody takes it for broken."""
RETRY = b"retry: 1000\n\n"


def as_event(kind: str, data: Any, number: int | None = None) -> bytes:
    """An event of a stream. The same data are the same bytes."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    head = "" if number is None else f"id: {number}\n"
    return f"{head}event: {kind}\ndata: {text}\n\n".encode(errors="replace")


class EventStream:
    """The events of one page."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque(maxlen=WAITING)
        self._came = asyncio.Event()
        self._closed = False

    def send(self, event: bytes) -> None:
        """Put an event into the queue."""
        self._waiting.append(event)
        self._came.set()

    def close(self, why: str | None = None) -> None:
        """End it, with a word to the page unless it is only that the server stops."""
        if not self._closed and why is not None:
            self.send(as_event("gone", {"why": why}))
        self._closed = True
        self._came.set()

    async def events(self) -> AsyncIterator[bytes]:
        """What goes over the wire."""
        yield RETRY
        while True:
            while self._waiting:
                yield self._waiting.popleft()
            if self._closed:
                return
            self._came.clear()
            try:
                async with asyncio.timeout(SILENCE):
                    await self._came.wait()
            except TimeoutError:
                yield b":\n\n"


class StreamSet:
    """The streams of those who see the same: so many at most, the oldest goes first."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._open: list[EventStream] = []

    def __len__(self) -> int:
        return len(self._open)

    def send(self, event: bytes) -> None:
        """To all of them."""
        for stream in self._open:
            stream.send(event)

    def close(self, why: str | None = None) -> None:
        """All of them."""
        for stream in self._open:
            stream.close(why)
        self._open.clear()

    def answer(self, *first: bytes, then_close: str | None = None) -> StreamingResponse:
        """A new stream, with what it begins with, as the answer to a request."""
        stream = EventStream()
        for event in first:
            stream.send(event)
        if then_close is None:
            self._open.append(stream)
            if len(self._open) > self.most:
                self._open.pop(0).close("replaced")
        else:
            stream.close(then_close)

        async def until_it_breaks() -> AsyncIterator[bytes]:
            try:
                async for event in stream.events():
                    yield event
            finally:
                if stream in self._open:
                    self._open.remove(stream)

        headers = {"X-Accel-Buffering": "no"}  # a proxy must not wait until there is more
        return StreamingResponse(until_it_breaks(), media_type="text/event-stream", headers=headers)
