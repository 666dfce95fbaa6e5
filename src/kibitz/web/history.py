"""A game that is over, turn by turn: the table as a seat saw it, and with all cards open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from kibitz.core.position import view_of
from kibitz.core.strategy import Knows
from kibitz.table.record import Record, records_text
from kibitz.table.session import Session
from kibitz.table.table import Table
from kibitz.web.errors import not_found, not_now
from kibitz.web.sight import OPEN, names_for, public_scene, without_viewer


def finished_record(session: Session, number: int | None) -> tuple[int, Record]:
    """A game of the match that is over, by its number from 1; else the last one."""
    games = session.finished
    if not games:
        raise not_now(f"no {session.game.traits.unit} is over yet")
    number = len(games) if number is None else number
    if not 1 <= number <= len(games):
        raise not_found(session.game.traits.unit)
    return number, games[number - 1]


def turns(session: Session, number: int | None, viewer: str) -> dict[str, Any]:
    """All turns of a game that is over."""
    number, record = finished_record(session, number)
    game, names = session.game, names_for(session, viewer)
    table = Table(game, record.seed, record.first - 1, record.plays)
    told = [_turn(table, viewer)]
    while not table.is_over:
        play = game.parse_play(table.state, record.plays[len(table.plays)])
        told[-1]["before"] = len(table.plays)
        table.play(play)
        told.append(_turn(table, viewer))
    seat = int(viewer) - 1 if viewer.isdecimal() else 0
    rows = []
    for scene in told[:-1]:
        i = scene.pop("before")
        play = game.parse_play(scene.pop("state"), record.plays[i])
        rows.append(
            {
                "number": i + 1, "seat": table.movers[i] + 1, "play": str(play),
                "parts": dict(game.presenter.parts(play)), "words": table.logs[seat][i], **scene,
            }
        )  # fmt: skip
    end = told[-1]
    end.pop("state")
    returns = [float(value) for value in game.returns(table.state)]
    return {
        "game": number, "names": names, "turns": rows, "end": end,
        "result": {"returns": returns, "words": game.presenter.outcome(table.state)},
    }  # fmt: skip


def _turn(table: Table, viewer: str) -> dict[str, Any]:
    """The table before a turn. Chance has moved by itself."""
    game, state = table.game, table.state
    all_open = view_of(game, state, 0, Knows.OPEN_DECK)
    if viewer.isdecimal():
        seat = int(viewer) - 1
        over = table.is_over
        seen = game.view_at_the_end(state, seat) if over else table.view(seat)
        past = table.view(seat).past
        scene = game.presenter.table(replace(seen, past=past))
    elif viewer == OPEN:
        scene = without_viewer(game.presenter.table(all_open))
    else:
        views = [table.view(seat) for seat in range(game.players)]
        scene = public_scene([game.presenter.table(v) for v in views], game.traits.hidden)
    opened = without_viewer(game.presenter.table(all_open))
    return {"scene": scene.to_json(), "open": opened.to_json(), "state": state}


def record_text(session: Session) -> str:
    """The record of a match that is over, as a file has it. Before, its seed would tell what
    comes."""
    if not session.is_over:
        raise not_now("the record can be had when nothing is left to play")
    return records_text(session.records())
