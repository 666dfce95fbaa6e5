"""A session: persons and strategies at a table, game after game of a match, without a screen.

Whoever shows it, a terminal or a web page, asks for views, makes the persons' plays, and lets the
opponents think where it likes: `step` makes one opponent's play. Nothing is printed or read here.
After every play the record is saved, if the session has a path: whoever is killed loses nothing.

Nobody is asked again. Each decision has a random stream of its own, a function of the session's
seed, the game of the match, the seat and the number of plays before it. After `undo`, and when a
session goes on from its record, opponents sit down in mid-game and take what they need of the
turns before from the view's past. So a game that is resumed goes on as it would have, if its
strategies keep nothing else from turn to turn. Of ours these keep something: a tree that is
reused (`ismcts:reuse=true`) begins anew; `full-backtrack` plans again from here on, and may choose
another of equally good lines. Within one session a line that was taken back and is played again
gets the same answers, whoever gives them: they are remembered.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from kibitz.core import checks
from kibitz.core.code_file import describe_with_line
from kibitz.core.errors import BadText, BadValue, IllegalPlay, KibitzError
from kibitz.core.game import Game, View
from kibitz.core.interrupts import is_interrupt
from kibitz.core.registry import catalogue_strategy, files_named_by, game_of, strategy_of
from kibitz.core.strategy import Player, Strategy, sit_down
from kibitz.table.match import Match
from kibitz.table.record import PERSON, Record, replay, write_records
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Table, end_of, listens


class OpponentFailed(KibitzError):
    """A strategy raised, or gave what is no play. The game stays as it was before."""

    def __init__(self, seat: int, strategy: Strategy, reason: str) -> None:
        super().__init__(f"the strategy {strategy} failed: {reason}")
        self.seat = seat


class Session:
    """A match, or a single game if the game has no matches. Only one thread at a time may use
    it; several sessions may go on in several threads.

    >>> session = Session("twenty-one", [None, "random"], seed=7)
    >>> session
    <Session of twenty-one, seed 7: person, random; 0 plays made>
    >>> session.play("4")
    >>> session.is_persons_turn, len(session.step())
    (False, 1)
    >>> session.undo(), session.table.plays
    (True, [])
    """

    def __init__(
        self, game: Game[Any, Any] | str, players: Sequence[Any], seed: int,
        path: Path | None = None, hints: str | None = None,
    ) -> None:  # fmt: skip
        """A game, or its text. Who plays, by seats: a strategy, its text or a function, as
        `kibitz.play` takes them; None is a person. `path`: where the record is saved. `hints`: who
        gives the persons a hint before every choice; it is only recorded."""
        game = game_of(game)
        self.game: Game[Any, Any] = game
        self.players = _checked_players(game, players)
        self.names = [PERSON if one is None else str(one) for one in self.players]
        """Who plays, by seats, as records have it."""
        self.seed = checks.seed(seed)
        self.path = None if path is None else checks.path(path, "a record")
        self.hints = None if hints is None else checks.text(hints, "who gives hints")
        self.match: Match | None = Match(game, self.seed) if game.traits.match else None
        self.finished: list[Record] = []
        """The games of the match that are over, this one too if it is."""
        self._ends: list[Any] = []
        """The states in which they ended."""
        self._answers: dict[tuple[str, ...], str] = {}
        """What an opponent played after these plays of this game."""
        self._seated: dict[int, tuple[Player, Any]] = {}
        """The opponents who have sat down, each with its random stream."""
        self._begin()
        self.save()

    def __repr__(self) -> str:
        made = len(self.table.plays)
        number = f", game {len(self.finished) + 1 - self.table.is_over}" if self.match else ""
        return (
            f"<Session of {self.game}, seed {self.seed}{number}: {', '.join(self.names)};"
            f" {made} play{'' if made == 1 else 's'} made>"
        )

    # -- what is going on -------------------------------------------------------------------

    @property
    def persons(self) -> list[int]:
        """The seats of the persons."""
        return [seat for seat, one in enumerate(self.players) if one is None]

    @property
    def is_persons_turn(self) -> bool:
        """Whether a person is to play, not an opponent; neither is when the game is over."""
        return not self.table.is_over and self.table.mover in self.persons

    @property
    def is_over(self) -> bool:
        """Nothing is left to play: a game has ended that is alone or the last of its match."""
        return self.table.is_over and (self.match is None or self.match.is_over)

    def view(self, seat: int) -> View[Any]:
        """What the person in this seat sees; at the end with the hands that are laid down then.
        Where no person plays, whoever looks on may see with any seat's eyes."""
        if checks.seat(seat, self.game.players) not in self.persons and self.persons:
            raise BadValue(f"seat {seat + 1} is not a person's")
        if not self.table.is_over:
            return self.table.view(seat)
        seen = self.game.view_at_the_end(self.table.state, seat)
        log, past = tuple(self.table.logs[seat]), tuple(self.table.pasts[seat])
        return replace(seen, log=log, past=past)

    def hint_stream(self) -> Any:
        """The random stream of whoever advises a person now: it changes nothing in the game."""
        return self.table.seeds.hint(len(self.table.plays))

    # -- playing ----------------------------------------------------------------------------

    def play(self, play: Any) -> None:
        """Make the play of the person whose turn it is, given as one or as its text."""
        if not self.is_persons_turn:
            raise BadValue("it is no person's turn")
        self.table.play(play)
        self._moved()

    def step(self) -> str:
        """Let the opponent whose turn it is decide, and make its play: the text of it. This is
        the one call that may take long."""
        if self.table.is_over or self.is_persons_turn:
            raise BadValue("it is no opponent's turn")
        seat, before = self.table.mover, tuple(self.table.plays)
        strategy = self.players[seat]
        assert strategy is not None
        play = self._answers[before] if before in self._answers else self._ask(seat, strategy)
        try:
            self.table.play(play)
        except (IllegalPlay, BadText) as error:
            raise OpponentFailed(seat, strategy, str(error)) from error
        made = self._answers[before] = self.table.plays[len(before)]
        self._moved()
        return made

    def _ask(self, seat: int, strategy: Strategy) -> Any:
        """What an opponent plays, who sits down first if it has not."""
        table = self.table
        view = table.view(seat, strategy.knows)
        try:
            if seat not in self._seated:
                stream = table.seeds.seat(seat)
                self._seated[seat] = (
                    sit_down(strategy, self.game.for_player(), seat, stream),
                    stream,
                )
            player, stream = self._seated[seat]
            stream[:] = table.seeds.decision(seat, len(table.plays))
            return player.choose(view)
        except BaseException as error:
            self._seated.pop(seat, None)  # it may be in the middle of a thought
            if is_interrupt(error):
                raise
            reason = str(error) if isinstance(error, KibitzError) else describe_with_line(error)
            raise OpponentFailed(seat, strategy, reason) from error

    def undo(self) -> bool:
        """Back to before the last choice of a person in this game, even if that has ended it;
        False if there is none. The opponents get up: they must not know what was taken back."""
        made = [i for i, seat in enumerate(self.table.movers) if seat in self.persons]
        if not made:
            return False
        self._get_up()
        if self.table.is_over:
            self._remove_last_result()
        self._begin(self.table.plays[: made[-1]])
        self.save()
        return True

    def next_game(self) -> None:
        """Go on with the next game of the match."""
        if self.is_over or not self.table.is_over:
            raise BadValue("the match is over" if self.is_over else "the game is not over yet")
        self._answers.clear()
        self._begin()
        self.save()

    def _get_up(self) -> None:
        """The opponents leave the table: their game is over or is not played on. The result
        stands whatever they do about it."""
        seated, self._seated = self._seated, {}
        for seat, (player, _) in seated.items():
            strategy = self.players[seat]
            if strategy is not None and listens(player):
                with suppress(Exception):
                    player.end(*end_of(self.table, seat, strategy))

    def _begin(self, plays: Sequence[str] = ()) -> None:
        """The next game, with these plays made."""
        table = self.table = self._next_table(plays)
        while len(table.plays) < len(plays):
            table.play(self.game.parse_play(table.state, plays[len(table.plays)]))
        for i, seat in enumerate(table.movers):
            if seat >= 0 and seat not in self.persons:
                self._answers[tuple(table.plays[:i])] = table.plays[i]

    def _next_table(self, recorded: Sequence[str] = ()) -> Table:
        seeds = self.match.next_seeds if self.match else GameSeeds.alone(self.seed)
        return Table(self.game, seeds, self.match.first if self.match else 0, recorded)

    def _moved(self) -> None:
        if self.table.is_over:
            self._add_result(self._record(self.table), self.table.state)
            self._get_up()
        self.save()

    def _add_result(self, record: Record, end: Any) -> None:
        self.finished.append(record)
        self._ends.append(end)
        if self.match is not None:
            self.match.add(end)

    def _remove_last_result(self) -> None:
        """Undo `_add_result`: as if the last game had not ended."""
        self.finished.pop()
        self._ends.pop()
        if self.match is not None:
            self.match = Match(self.game, self.seed)
            for end in self._ends:
                self.match.add(end)

    # -- the record -------------------------------------------------------------------------

    def records(self) -> list[Record]:
        """All games so far. Between two games of a match the next stands there already."""
        if self.is_over:
            return list(self.finished)
        going_on = self._next_table() if self.table.is_over else self.table
        return [*self.finished, self._record(going_on)]

    def save(self) -> None:
        """Write the record, if it has a place."""
        if self.path is not None:
            write_records(self.path, self.records())

    def _record(self, table: Table) -> Record:
        record = Record.of(table, self.names, self.seed)
        return record.model_copy(update={"hints": self.hints})

    @classmethod
    def resume(
        cls, records: Sequence[Record], path: Path | None = None, where: str = "record",
        game: Game[Any, Any] | None = None, players: Sequence[Strategy | None] | None = None,
    ) -> Session:  # fmt: skip
        """Go on with recorded games, from then on saved to `path`. A record may come from
        anybody, so a file that it names is not opened: whoever trusts it gives the game that is
        in it, or who plays, by seats. `where` is how an error names the record. One that is over
        can be looked at, and its last choice be taken back."""
        checks.one_of(records, (list, tuple), "a list of records")
        for record in records:
            checks.one_of(record, Record, "a record")
        if not records:
            raise BadText(f"{where}: no game in it")
        last = records[-1]
        if any(record.players != last.players for record in records):
            raise BadText(f"{where}: its games are not all of the same players")
        tables = [replay(r, f"{where}, game {i}", game) for i, r in enumerate(records, 1)]
        played = tables[-1].game
        if any(table.game != played for table in tables):
            raise BadText(f"{where}: the games in it are not all {played}")
        seated = _strategies_in(last, where) if players is None else players
        session = cls(played, seated, records[0].match_seed, hints=last.hints)
        if session.persons != [i for i, name in enumerate(last.players) if name == PERSON]:
            raise BadText(f"{where}: it is of {', '.join(last.players)}")
        session.names = list(last.players)  # the file of a strategy may have moved
        session._restore(records, tables, where)
        session.path = None if path is None else checks.path(path, "a record")
        return session

    def _restore(self, records: Sequence[Record], tables: Sequence[Table], where: str) -> None:
        if self.match is None and len(records) > 1:
            raise BadText(f"{where}: {self.game} has no matches, but several games are in it")
        for record, table in zip(records, tables, strict=True):
            expected = self._next_table(record.plays)
            follows = (record.seed, record.first - 1) == (expected.seed, expected.first)
            if not follows or record.match_seed != self.seed:
                raise BadText(f"{where}: the games do not follow from each other")
            if record.returns is None:
                if record is not records[-1]:
                    raise BadText(f"{where}: a game that is not over is followed by another")
                self._begin(record.plays)
                return
            self._add_result(record, table.state)
        if self.match is not None and not self.match.is_over:
            self._begin()
            return
        self._remove_last_result()
        self._begin(records[-1].plays)
        self._add_result(records[-1], self.table.state)


def _checked_players(game: Game[Any, Any], players: Sequence[Any]) -> tuple[Strategy | None, ...]:
    checks.one_of(players, (list, tuple), "a list of players")
    if len(players) != game.players:
        raise BadValue(f"{game} has {game.players} players, not {len(players)}")
    seated = tuple(None if player is None else strategy_of(player) for player in players)
    for strategy in seated:
        if strategy is not None:
            strategy.check_game(game)
    return seated


def _strategies_in(record: Record, where: str) -> list[Strategy | None]:
    """Who plays, as a record says, if none of them is in a file or reads one."""
    for name in record.players:
        if name != PERSON and files_named_by(name):
            raise BadText(
                f"{where}: {name} is in a file, reads one or runs one: give the strategy itself"
            )
    return [None if name == PERSON else catalogue_strategy(name) for name in record.players]
