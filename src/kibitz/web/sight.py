"""What somebody at a table gets to see: a function of views, and of nothing else.

A person sees what the view of his seat shows. Who looks on sees what everybody knows, or, where
no person plays, whatever seat he looks over the shoulder of. Nobody gets the state, a seed, or what
an opponent thinks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kibitz.core.game import View
from kibitz.core.position import view_of
from kibitz.core.scene import MatchScene, Scene, SeatScene, Zone
from kibitz.core.strategy import Knows
from kibitz.table.record import PERSON
from kibitz.table.session import Session
from kibitz.web.catalogue import levels_of
from kibitz.web.keys import WATCH

OPEN = "open"
"""Whoever looks on where no person plays, with all cards open."""


class PublicLog:
    """What happened, as everybody may know it, line by line as the game goes on."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._plays: list[str] = []
        self._state: Any = None
        self._of: tuple[int, int] | None = None

    def update(self, session: Session) -> list[str]:
        """All lines up to now."""
        table, game = session.table, session.game
        of = table.seed, table.first
        if self._of != of or table.plays[: len(self._plays)] != self._plays:
            self.lines, self._plays, self._of = [], [], of
            self._state = game.deal(table.seed, table.first)
        for text in table.plays[len(self._plays) :]:
            play = game.parse_play(self._state, text)
            after = game.after(self._state, play)
            self.lines.append(game.presenter.narrate(self._state, play, after, None))
            self._plays.append(text)
            self._state = after
        return self.lines


class Sight:
    """What the viewers of one session see."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._log = PublicLog()
        self._levels = levels_of(session.names, session.game)

    @property
    def viewers(self) -> list[str]:
        """The persons' seats and whoever looks on; where no person plays, every way to look."""
        persons = self.session.persons
        if persons:
            return [*(str(seat + 1) for seat in persons), WATCH]
        return [*(str(seat + 1) for seat in range(self.session.game.players)), OPEN, WATCH]

    def document(self, viewer: str) -> dict[str, Any]:
        """The state of the table for one viewer, as data for JSON."""
        session, table = self.session, self.session.table
        seat = int(viewer) - 1 if viewer.isdecimal() else None
        over, persons = table.is_over, session.persons
        turn = None if over else table.mover
        mine = persons and seat is not None and turn == seat
        thinks = turn is not None and turn not in persons
        return {
            "seat": seat + 1 if persons and seat is not None else WATCH,
            "scene": self.scene(viewer).to_json(),
            "your_turn": bool(mine),
            "thinking": turn + 1 if turn is not None and thinks else None,
            "over": over,
            "finished": session.is_over,
            "result": self._result() if over else None,
            "happened": self._happened(seat, viewer),
            "can": self._can(seat, thinks),
            "names": names_for(session, viewer),
            "levels": self._levels,
            "game": len(session.finished) + (0 if over else 1),
            "games": len(session.finished),
        }

    # -- the table ---------------------------------------------------------------------------

    def scene(self, viewer: str) -> Scene:
        """The table as a viewer sees it."""
        if viewer == WATCH:
            return self._public_scene()
        return self._scene_of(self._view(viewer))

    def _view(self, viewer: str) -> View[Any]:
        session = self.session
        if viewer != OPEN:
            return session.view(int(viewer) - 1)
        log = tuple(self._log.update(session))
        return view_of(session.game, session.table.state, 0, Knows.OPEN_DECK, log=log)

    def _scene_of(self, view: View[Any]) -> Scene:
        scene = view.game.presenter.scene(view, self._match())
        return scene if self.session.persons else without_viewer(scene)

    def _match(self) -> MatchScene | None:
        match = self.session.match
        if match is None:
            return None
        number = len(self.session.finished) + (0 if self.session.table.is_over else 1)
        return MatchScene(match.target, tuple(match.score), number)

    def _public_scene(self) -> Scene:
        session, table = self.session, self.session.table
        game, scenes = session.game, []
        for seat in range(game.players):
            at_end = table.is_over
            view = game.view_at_the_end(table.state, seat) if at_end else table.view(seat)
            scenes.append(game.presenter.scene(view, self._match()))
        log = tuple(self._log.update(session))
        return replace(public_scene(scenes, game.traits.hidden), log=log)

    # -- what happened -------------------------------------------------------------------------

    def _happened(self, seat: int | None, viewer: str) -> list[dict[str, Any]]:
        """Since the viewer's last play, that one too; for who looks on the last turns."""
        movers = self.session.table.movers
        if seat in self.session.persons:
            own = [i for i, mover in enumerate(movers) if mover == seat]
            start = own[-1] if own else 0
        else:
            start = max(0, len(movers) - self.session.game.players)
        return self.turns(viewer, start)

    def turns(self, viewer: str, start: int = 0) -> list[dict[str, Any]]:
        """The turns of this game as a viewer saw them."""
        session, table = self.session, self.session.table
        seat = int(viewer) - 1 if viewer.isdecimal() else None
        lines = table.logs[seat] if seat is not None else self._log.update(session)
        seats = [seat] if seat is not None else list(range(session.game.players))
        decided = [i for i, mover in enumerate(table.movers) if mover >= 0]
        number = {turn: nth for nth, turn in enumerate(decided)}
        turns = []
        for i in range(start, len(table.plays)):
            play = None
            if i in number and viewer != OPEN:
                seen = [table.pasts[each][number[i]][1] for each in seats]
                play = None if any(one is None for one in seen) else seen[0]
            turns.append(
                {
                    "turn": i + 1,
                    "seat": table.movers[i] + 1 if table.movers[i] >= 0 else None,
                    "play": None if play is None else str(play),
                    "parts": None if play is None else dict(session.game.presenter.parts(play)),
                    "words": lines[i],
                }
            )
        return turns

    def _result(self) -> dict[str, Any]:
        session, table = self.session, self.session.table
        returns = [float(value) for value in session.game.returns(table.state)]
        best = max(returns)
        drawn = min(returns) == best
        winners = [] if drawn else [s + 1 for s, value in enumerate(returns) if value == best]
        match = session.match
        return {
            "returns": returns,
            "words": session.game.presenter.outcome(table.state),
            "winners": winners,
            "match_winners": [seat + 1 for seat in match.winners] if match else [],
        }

    # -- what can be done ----------------------------------------------------------------------

    def _can(self, seat: int | None, thinks: bool) -> dict[str, bool]:
        session, table = self.session, self.session.table
        persons, over = session.persons, table.is_over
        plays_here = seat in persons
        mine = plays_here and not over and table.mover == seat
        alone = persons == [seat]
        takes_part = plays_here or not persons
        ended = bool(session.finished)
        return {
            "play": mine,
            "undo": alone and not thinks and any(mover == seat for mover in table.movers),
            "next": over and not session.is_over and takes_part,
            "hint": mine,
            "review": ended,
            "thoughts": ended and len(persons) < session.game.players,
            "turns": ended,
            "record": session.is_over,
            "step": not persons and not over,
        }


def names_for(session: Session, viewer: str) -> list[str]:
    """Who sits where; the viewer, if he plays, is `you`."""
    names = enumerate(session.names, 1)
    return ["you" if viewer == str(i) and name == PERSON else name for i, name in names]


# -- what everybody knows ------------------------------------------------------------------------


def public_scene(scenes: Sequence[Scene], hidden: bool) -> Scene:
    """What everybody at the table sees, from the scenes of all seats: of what is in them that
    which is in each, and no card of a place that only some look into."""
    first = scenes[0]
    if not hidden:
        return without_viewer(first)
    seats = tuple(
        replace(
            one,
            details=_in_all(one.details, [scene.seats[i].details for scene in scenes]),
            facts=_in_all(one.facts, [scene.seats[i].facts for scene in scenes]),
        )
        for i, one in enumerate(first.seats)
    )
    public = replace(
        first,
        seats=seats,
        zones=tuple(
            _public_zone(zone, [scene.zones[i].cards for scene in scenes])
            for i, zone in enumerate(first.zones)
        ),
        board=first.board if all(s.board == first.board for s in scenes) else None,
        notes=_in_all(first.notes, [scene.notes for scene in scenes]),
    )
    return without_viewer(public)


def without_viewer(scene: Scene) -> Scene:
    """A scene for somebody who sits in no seat."""
    return replace(scene, seats=tuple(_nobody(one) for one in scene.seats), plays=())


def _nobody(one: SeatScene) -> SeatScene:
    return replace(one, you=False, partner=False)


def _public_zone(zone: Zone, seen: Sequence[tuple[Any, ...]]) -> Zone:
    if zone.public and all(cards == zone.cards for cards in seen):
        return zone
    return replace(zone, cards=(), hidden=zone.hidden + len(zone.cards))


def _in_all(mine: tuple[Any, ...], all_of_them: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
    return tuple(one for one in mine if all(one in theirs for theirs in all_of_them))
