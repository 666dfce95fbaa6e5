"""All tables of a server: those that somebody plays at, and those that were left.

Every play is saved at once, in a file for each table; so whoever comes back, even after the server
was killed, finds the table as it was. The games that `kibitz play` has saved are there too.
"""

from __future__ import annotations

import asyncio
import re
import secrets
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadText, KibitzError
from kibitz.core.game import Game
from kibitz.core.strategy import Strategy
from kibitz.strategies.common.levels import opponent_of
from kibitz.table.record import PERSON, Record, read_record
from kibitz.table.saved_records import SavedRecords, saved_records
from kibitz.table.session import Session
from kibitz.web.bodies import NewTable
from kibitz.web.catalogue import game_of_record, players_of, web_game, web_seed, web_strategy
from kibitz.web.errors import Refusal, not_found, not_now, too_busy
from kibitz.web.keys import WATCH, Keys
from kibitz.web.live_table import LiveTable, Workers
from kibitz.web.sight import Sight

SEED_BITS = 63
"""Of seeds that nobody has chosen."""
MOST_LIVE = 300
"""Tables in memory; those that nobody looks at go first, and come back from their files."""
MOST_LISTED = 200
EASIEST = "easy"
ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


class Tables:
    """The tables by their ids, which are the names of their files."""

    def __init__(self, folder: Path, keys: Keys, workers: Workers) -> None:
        """`folder`: where `kibitz play` saves; ours lie in one below it."""
        self.folders = (folder / "tables", folder)
        self.keys = keys
        self.workers = workers
        self.live: dict[str, LiveTable] = {}
        self._opening: dict[str, asyncio.Future[LiveTable]] = {}

    # -- one table -----------------------------------------------------------------------------

    async def get(self, id_: str) -> LiveTable:
        """A table, from its file if it is not in memory."""
        if id_ in self.live:
            return self.live[id_]
        if id_ not in self._opening:
            path = self._path(id_)
            task = asyncio.ensure_future(self._open(id_, path))
            self._opening[id_] = task
            task.add_done_callback(lambda _: self._opening.pop(id_, None))
        return await asyncio.shield(self._opening[id_])

    async def _open(self, id_: str, path: Path) -> LiveTable:
        session = await self.workers.seating.run(_read_session, path)
        return await self._enter(id_, session)

    def _path(self, id_: str) -> Path:
        if ID.fullmatch(id_):
            for folder in self.folders:
                path = folder / f"{id_}.jsonl"
                if path.is_file():
                    return path
        raise not_found("table")

    async def create(self, wanted: NewTable) -> LiveTable:
        """A new table."""
        game = web_game(wanted.game)
        players = [None if seat == PERSON else web_strategy(seat, game) for seat in wanted.seats]
        if len(players) != game.players:
            raise BadText(f"{game} has {game.players} players, not {len(players)}")
        seed = secrets.randbits(SEED_BITS) if wanted.seed is None else web_seed(wanted.seed)
        id_, path = self._new_file(game)
        session = await self.workers.seating.run(_new_session, game, players, seed, path)
        return await self._enter(id_, session)

    async def open_record(self, text: str) -> LiveTable:
        """A table from somebody's record. No file that it names is opened."""
        records = read_text(text)
        id_, path = self._new_file(game_of_record(records[-1]))
        session = await self.workers.seating.run(_resume, records, path)
        await self.workers.persons.run(session.save)
        return await self._enter(id_, session)

    def _new_file(self, game: Game[Any, Any]) -> tuple[str, Path]:
        id_ = f"{game.name}-{time.strftime('%Y%m%d-%H%M%S')}-{secrets.token_hex(4)}"
        return id_, self.folders[0] / f"{id_}.jsonl"

    async def _enter(self, id_: str, session: Session) -> LiveTable:
        self._make_room()
        table = LiveTable(id_, session, self.workers)
        await table.begin()
        self.live[id_] = table
        return table

    def _make_room(self) -> None:
        if len(self.live) < MOST_LIVE:
            return
        idle = [one for one in self.live.values() if not (one.busy or one.is_watched)]
        if not idle:
            raise too_busy()
        oldest = min(idle, key=lambda one: one.used)
        del self.live[oldest.id]
        oldest.close()

    async def delete(self, id_: str) -> None:
        """A table and its file."""
        path = self._path(id_)
        table = self.live.get(id_)
        if table is not None:
            if table.busy:
                raise not_now("somebody is thinking at this table; try again in a moment")
            del self.live[id_]
            table.close("removed")
        path.unlink(missing_ok=True)

    async def warm_up(self, game: str) -> None:
        """Load what every table of a game needs, before somebody waits for it."""
        await self.workers.seating.run(_play_a_little, game)

    # -- all of them -----------------------------------------------------------------------------

    async def listed(self) -> list[dict[str, Any]]:
        """Those that were changed last, for the host."""
        saved = await self.workers.reading.run(self._saved)
        return [self._row(one) for one in saved]

    def _saved(self) -> list[SavedRecords]:
        found = [one for folder in self.folders for one in saved_records(folder, MOST_LISTED)]
        found = [one for one in found if ID.fullmatch(one.path.stem) and _can_be_opened(one)]
        return sorted(found, key=lambda one: one.when, reverse=True)[:MOST_LISTED]

    def _row(self, saved: SavedRecords) -> dict[str, Any]:
        id_, last = saved.path.stem, saved.records[-1]
        over = last.returns is not None
        row: dict[str, Any] = {
            "id": id_, "game": spec_of(last), "names": last.players,
            "changed": saved.when,
            "plays": len(last.plays), "games": sum(r.returns is not None for r in saved.records),
            "turn": None, "your_turn": False, "over": over, "finished": over,
            "result": _result(last) if over else None, **self.doors(id_, last.players),
        }  # fmt: skip
        live = self.live.get(id_)
        if live is not None and not live.busy and not live.session.table.is_over:
            mover = live.session.table.mover
            mine = str(mover + 1) == _own_seat(last.players)
            row |= {"turn": mover + 1, "your_turn": mine}
        return row

    def doors(self, id_: str, players: Sequence[str]) -> dict[str, Any]:
        """The links of a table: the host's own, and those for others."""
        own = _own_seat(players)
        seats = [str(seat) for seat, name in enumerate(players, 1) if name == PERSON]
        others = [seat for seat in (*seats, WATCH) if seat != own]
        return {
            "href": self.keys.link(id_, own),
            "links": {seat: self.keys.link(id_, seat) for seat in others},
        }


def _own_seat(players: Sequence[str]) -> str:
    """Where the host sits: in the first person's seat, or he looks on."""
    return str(players.index(PERSON) + 1) if PERSON in players else WATCH


def read_text(text: str) -> list[Record]:
    """The records in the text of a file."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise BadText("no record in it")
    return [read_record(line, f"line {number}") for number, line in enumerate(lines, 1)]


def spec_of(record: Record) -> str:
    """The game of a record with its options."""
    return str(game_of_record(record))


def _can_be_opened(saved: SavedRecords) -> bool:
    try:
        players_of(saved.records[-1])
    except KibitzError:
        return False
    return True


def _result(record: Record) -> str:
    assert record.returns is not None
    best = max(record.returns)
    if min(record.returns) == best:
        return "drawn"
    winners = [str(seat) for seat, value in enumerate(record.returns, 1) if value == best]
    return f"seat {' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}"


# -- in a worker -------------------------------------------------------------------------------


def _new_session(
    game: Game[Any, Any], players: Sequence[Strategy | None], seed: int, path: Path
) -> Session:
    return Session(game, players, seed, path)


def _play_a_little(game: str) -> None:
    made = web_game(game)
    players = [None, *[opponent_of(made, EASIEST)] * (made.players - 1)]
    session = Session(made, players, seed=1)
    for _ in range(4):
        if session.is_persons_turn:
            session.play(session.view(session.table.mover).plays()[0])
        elif not session.table.is_over:
            session.step()
        Sight(session).document(WATCH)
        Sight(session).document("1")


def _read_session(path: Path) -> Session:
    from kibitz.table.record import read_records

    try:
        return _resume(read_records(path), path)
    except BadText as error:
        raise Refusal(404, "this table can't be opened any more") from error


def _resume(records: Sequence[Record], path: Path) -> Session:
    """Every record is checked by itself: nothing but the catalogue is looked at."""
    for record in records:
        players = players_of(record)
    return Session.resume(records, path, players=players)
