"""A table that somebody plays at: a session, who looks at it, and the opponents who think.

All of this runs in the server's event loop but what is handed to a worker, and the table does one
thing at a time: while it is busy every request to change it is refused at once. What the viewers
get is made right after every play, so that whoever comes, or comes back, gets the newest at once.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kibitz.core.errors import BadText, IllegalPlay, KibitzError
from kibitz.table.session import OpponentFailed, Session
from kibitz.web.bodies import MakePlay, RunTable
from kibitz.web.errors import Refusal, not_now
from kibitz.web.sight import OPEN, Sight
from kibitz.web.streams import StreamSet, as_event
from kibitz.web.workers import Worker

GRID = 0.5
"""Seconds. An opponent's answer leaves so long after it was asked, or twice or three times as long:
what it took to think of is not to be seen."""
PAUSE = 0.01
"""Seconds until somebody looks again whether the table is free."""
STREAMS = 6
"""Of one seat at a time."""
MANY = 100
"""Streams of those who look on."""


@dataclass(frozen=True)
class Workers:
    """The threads of a server."""

    persons: Worker
    """Plays of persons, and what all see after a play."""
    opponents: Worker
    """Opponents think here."""
    seating: Worker
    """Tables are set up here: to stretch a seed takes a tenth of a second, and a whole class may
    sit down at once."""
    reading: Worker
    """Lists, stores, and games that are over: what nobody waits for to play on."""

    def stop(self) -> None:
        """None of them begins anything new."""
        for worker in (self.persons, self.opponents, self.seating, self.reading):
            worker.stop()


class LiveTable:
    """One table."""

    def __init__(self, id_: str, session: Session, workers: Workers) -> None:
        self.id = id_
        self.session = session
        self.workers = workers
        self.sight = Sight(session)
        self.version = 1 + sum(len(record.plays) for record in session.records())
        """Goes up with everything that changes; of a table that was opened again it is no less
        than that of a page which is still open."""
        self.run: dict[str, Any] | None = None
        """Whether bots go on by themselves; None where a person plays."""
        if not session.persons:
            self.run = {"on": False, "seconds": 1.0}
        self.used = time.monotonic()
        self.shown: dict[str, bytes] = {}
        self.streams = {
            viewer: StreamSet(STREAMS if viewer.isdecimal() else MANY)
            for viewer in self.sight.viewers
        }
        self.busy = False
        self.is_asked = False
        """Whether an opponent is thinking, or its answer has not left yet."""
        self._thinking: asyncio.Task[None] | None = None
        self._late: set[asyncio.Task[None]] = set()
        """For those who came while something changed."""

    # -- who looks ---------------------------------------------------------------------------

    async def open_stream(self, viewer: str, *more: bytes) -> Any:
        """The answer to a page that wants to see the table."""
        self.used = time.monotonic()
        self._start()  # if whoever is to play has failed, or the server was too busy
        await self._show(viewer)
        done = "finished" if self.session.is_over and not self.busy else None
        return self.streams[viewer].answer(self.shown[viewer], *more, then_close=done)

    async def _show(self, viewer: str) -> None:
        """What nobody has looked at yet is made now."""
        while viewer not in self.shown:
            if self.busy:
                await asyncio.sleep(PAUSE)
                continue
            self.busy = True
            try:
                seen = await self.workers.persons.run(self.sight.document, viewer)
                self._set(viewer, seen)
            finally:
                self.busy = False
            self._start()

    async def _catch_up(self, viewer: str) -> None:
        await self._show(viewer)
        self.streams[viewer].send(self.shown[viewer])

    def tell(self, event: bytes) -> None:
        """Everybody who looks on."""
        for streams in self.streams.values():
            streams.send(event)

    @property
    def is_watched(self) -> bool:
        """Whether any page is open on it."""
        return any(len(streams) for streams in self.streams.values())

    def close(self, why: str | None = None) -> None:
        """Nobody looks any more, and nobody begins to think."""
        if self._thinking is not None and not self.busy:
            self._thinking.cancel()
        for streams in self.streams.values():
            streams.close(why)

    # -- what changes it -----------------------------------------------------------------------

    async def begin(self) -> None:
        """Show it for the first time; opponents may be the first to play."""
        await self._change(None, lambda: None)

    async def play(self, seat: int, wanted: MakePlay) -> None:
        """A person's play."""
        await self._change(wanted.version, lambda: self._make_play(seat, wanted))

    async def undo(self, seat: int, version: int) -> None:
        """Back to before the person's last choice."""

        def back() -> None:
            if self.session.persons != [seat]:
                raise not_now("only a person who plays against strategies alone may take back")
            if not self.session.undo():
                raise not_now("there is nothing to take back")

        await self._change(version, back)

    async def next_game(self, version: int) -> None:
        """The next game of the match."""
        await self._change(version, self.session.next_game)

    async def step(self, version: int) -> None:
        """One play at a table of bots alone."""
        self._check_bots()
        self._check_version(version)
        self._start(steps=1)

    async def set_run(self, wanted: RunTable) -> None:
        """Let bots play on by themselves, or stop."""
        self._check_bots()
        self.run = {"on": wanted.on, "seconds": wanted.seconds}
        if self.busy:
            return  # the next state tells it
        await self._change(None, lambda: None)

    async def look(self, function: Callable[..., Any], *args: Any) -> Any:
        """Ask something of the session between two plays."""
        await self._take()
        try:
            return await self.workers.persons.run(function, *args)
        finally:
            self.busy = False
            self._start()

    # -- one thing at a time -------------------------------------------------------------------

    async def _take(self) -> None:
        while self.busy:
            if self.is_asked:
                raise not_now("an opponent is thinking; wait for your turn")
            await asyncio.sleep(PAUSE)
        self.busy = True
        self.used = time.monotonic()

    def _check_version(self, version: int | None) -> None:
        if version is not None and version != self.version:
            raise not_now("the table has changed meanwhile")

    def _check_bots(self) -> None:
        if self.session.persons:
            raise not_now("persons play at this table")

    async def _change(self, version: int | None, change: Callable[[], None]) -> None:
        await self._take()
        try:
            self._check_version(version)
            shown = await self.workers.persons.run(self._changed, change)
            self._publish(shown)
        finally:
            self.busy = False
        self._start()

    def _changed(self, change: Callable[[], None]) -> dict[str, dict[str, Any]]:
        """In a worker: the change, and what everybody sees then."""
        try:
            change()
        except Refusal:
            raise
        except IllegalPlay as error:
            raise Refusal(422, error.reason, error.rule) from error
        except BadText as error:
            raise Refusal(422, str(error)) from error
        except KibitzError as error:
            raise not_now(str(error)) from error
        return self._seen()

    def _seen(self) -> dict[str, dict[str, Any]]:
        """For the persons, and for whoever looks on just now."""
        return {
            viewer: self.sight.document(viewer)
            for viewer, streams in self.streams.items()
            if len(streams) or (self.session.persons and viewer.isdecimal())
        }

    def _publish(self, seen: dict[str, dict[str, Any]]) -> None:
        self.version += 1
        self.shown.clear()
        for viewer, streams in self.streams.items():
            if viewer in seen:
                self._set(viewer, seen[viewer])
                streams.send(self.shown[viewer])
            elif len(streams):
                self._late.add(task := asyncio.ensure_future(self._catch_up(viewer)))
                task.add_done_callback(self._late.discard)
            if self.session.is_over and viewer in seen:
                streams.close("finished")

    def _set(self, viewer: str, document: dict[str, Any]) -> None:
        data = {"version": self.version, **document, "run": self.run}
        if self.run is not None and not self.run["on"]:
            data["thinking"] = None  # it was stopped meanwhile
        self.shown[viewer] = as_event("state", data, self.version)

    def _make_play(self, seat: int, wanted: MakePlay) -> None:
        """What the person may know says which play is meant: so no refusal tells more."""
        session = self.session
        if not session.is_persons_turn or session.table.mover != seat:
            raise not_now("it is not your turn")
        view = session.view(seat)
        if wanted.parts is not None:
            play = session.game.presenter.play_of(view.state, wanted.parts)
        elif wanted.play is not None:
            play = session.game.match_play(view.state, wanted.play)
        else:
            raise Refusal(400, "play: its text, or its parts")
        session.play(str(play))

    # -- opponents -------------------------------------------------------------------------------

    @property
    def _bots_turn(self) -> bool:
        return not self.session.table.is_over and not self.session.is_persons_turn

    def _start(self, steps: int = 0) -> None:
        """Let opponents play, if it is their turn: until a person is to play; at a table of bots
        alone so many steps, or as long as it runs."""
        goes_on = self.session.persons or (self.run is not None and self.run["on"]) or steps
        if self.busy or not self._bots_turn or not goes_on:
            return
        if self._thinking is not None and not self._thinking.done():
            if not steps or self._thinking is asyncio.current_task():
                return
            self._thinking.cancel()  # it waits for the next play of a table that runs
        self._thinking = asyncio.get_running_loop().create_task(self._let_them_play(steps))

    async def _let_them_play(self, steps: int) -> None:
        while not self.busy and self._bots_turn:
            try:
                await self._let_one_play()
            except OpponentFailed as error:
                # Its reason may tell of cards: whoever plays learns only whose fault it is.
                who = error.seat + 1
                self.tell(as_event("failed", {"error": f"the strategy of seat {who} failed"}))
                return
            if self.session.persons:
                continue
            steps -= 1
            if steps <= 0 and not (self.run or {}).get("on"):
                return
            if self._bots_turn:
                await asyncio.sleep(max((self.run or {}).get("seconds", 1.0) - GRID, 0.0))
                if not (self.run or {}).get("on"):
                    return

    async def _let_one_play(self) -> None:
        """One answer. Until it leaves, nobody can change the table, nor see it."""
        asked = time.monotonic()
        self.busy = self.is_asked = True
        try:
            await self.workers.opponents.run(self.session.step)
            seen = await self.workers.persons.run(self._seen)
            thought = time.monotonic() - asked
            await asyncio.sleep(max(1, math.ceil(thought / GRID)) * GRID - thought)
            self._publish(seen)
        finally:
            self.busy = self.is_asked = False


def viewer_of(table: LiveTable, seat: str, look: str | None) -> str:
    """Who looks: a person in his seat, or at a table of bots whoever is asked for."""
    if table.session.persons:
        return seat
    wanted = look or OPEN
    if wanted not in table.streams:
        raise Refusal(404, "there is no such seat")
    return wanted
