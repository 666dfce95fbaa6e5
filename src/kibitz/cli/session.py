"""A person plays against a strategy: the course of a match, its record, what is on the screen."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.cli.asking import Question, Quit, Undo, read
from kibitz.cli.hints import Hints
from kibitz.cli.trusting import own_game, own_strategy
from kibitz.cli.working import thinking
from kibitz.game_file import is_file
from kibitz.model import BadText, Game, Strategy

if TYPE_CHECKING:
    from rich.console import Console

    from kibitz.arena.match import Match
    from kibitz.arena.record import Record
    from kibitz.arena.seeds import GameSeeds
    from kibitz.arena.table import Table


def _resuming(path: Path, game: str | None) -> list[str]:
    return ["kibitz", "play", *([game] if game else []), "--resume", str(path)]


class Session:
    """A match, or a single game, between a person and a strategy."""

    def __init__(
        self, game: Game[Any, Any], opponent: Strategy, me: int, seed: int, path: Path,
        hints: Hints | None = None,
    ) -> None:  # fmt: skip
        from rich.console import Console

        from kibitz.arena.match import Match
        from kibitz.arena.record import PERSON

        self.game = game
        self.opponent = opponent
        self.me = me
        self.path = path
        self.seed = seed
        self.match: Match | None = Match(game, seed) if game.traits.match else None
        self.names = [PERSON if s == me else str(opponent) for s in range(game.players)]
        self.finished: list[Record] = []
        self.pending: list[str] = []
        self.hints = hints or Hints(game)
        self.shown = 0
        self.console: Console = Console(highlight=False, soft_wrap=False)

    # -- resuming ---------------------------------------------------------------------------

    @classmethod
    def resume(cls, path: Path, named: str | None = None, against: str | None = None) -> Session:
        """Take up a recorded match where it was left. Files in which its game or its strategy
        is must be named again: a record may come from anybody."""
        from kibitz.arena.record import PERSON, read_records, replay

        records = read_records(path)
        last = records[-1]
        if PERSON not in last.players:
            raise BadText(f"{path}: no person plays in it; see kibitz replay")
        me = last.players.index(PERSON)
        others = {name for name in last.players if name != PERSON}
        if len(others) != 1 or any(r.players != last.players for r in records):
            raise BadText(f"{path}: the games are not of one person against one strategy")
        own = own_game(path, named, [r.game for r in records], *_resuming(path, "…"))
        opponent = own_strategy(
            path, against, others.pop(), *_resuming(path, named), "--against", "…"
        )
        tables = [replay(r, f"{path}, game {i}", own) for i, r in enumerate(records, 1)]
        game = tables[-1].game
        if any(table.game != game for table in tables):
            raise BadText(f"{path}: the games in it are not all {game}")
        session = cls(game, opponent, me, 0, path)
        session._take_up(records, tables)
        return session

    def _take_up(self, records: list[Record], tables: list[Table]) -> None:
        from kibitz.arena.match import Match

        self.seed = records[0].match_seed
        if self.match is None and len(records) > 1:
            raise BadText(f"{self.path}: {self.game} has no matches, but several games are in it")
        if self.match is not None:
            self.match = Match(self.game, self.seed)
        for record, table in zip(records, tables, strict=True):
            expected = (self._next_seeds().shuffle, self._first())
            if (record.seed, record.first - 1) != expected or record.match_seed != self.seed:
                raise BadText(f"{self.path}: the games do not follow from each other")
            if record.returns is None:
                if record is not records[-1]:
                    raise BadText(f"{self.path}: a game that is not over is followed by another")
                self.pending = record.plays
                return
            self._count(record, table)
        if self.match is None or self.match.is_over:
            raise BadText(f"{self.path}: this game is over; see kibitz replay")

    def _count(self, record: Record, table: Table) -> None:
        self.finished.append(record)
        if self.match is not None:
            self.match.add(table.state)

    # -- playing ----------------------------------------------------------------------------

    def run(self) -> None:
        try:
            while True:
                table = self._play_game()
                if self.match is None or self.match.is_over:
                    break
                self._ask_for_next()
            self._say_end(table)
        except (Quit, KeyboardInterrupt):  # also while the other one thinks
            print(f"\nSaved. Go on with: {self._again()}")

    def _again(self) -> str:
        """The command that takes it up again; with the files that a record can't open."""
        command = _resuming(self.path, self.game.name if is_file(self.game.name) else None)
        if self.opponent.files():
            command += ["--against", str(self.opponent)]
        return shlex.join(command)

    def _next_seeds(self) -> GameSeeds:
        from kibitz.arena.seeds import GameSeeds

        return self.match.next_seeds if self.match else GameSeeds.alone(self.seed)

    def _first(self) -> int:
        return self.match.first if self.match else 0

    def _play_game(self) -> Table:
        """One game, from the plays already made."""
        plays, self.pending = self.pending, []
        while True:
            table, players = self._set_up(plays)
            self._save(table)
            if not plays:
                self._head()
            try:
                self._go_on(table, players)
                break
            except Undo:
                mine = [i for i, seat in enumerate(self._movers) if seat == self.me]
                if not mine:
                    self.console.print("There is nothing to undo.")
                    plays = table.plays
                else:
                    plays = table.plays[: mine[-1]]
                    self.console.print("Taken back.")
                    self.shown = min(self.shown, len(plays))
        self._show_log(table)
        self.console.print(self.game.draw(table.view(self.me)))
        self.console.print()
        self.shown = 0
        self._count(self._record(table), table)
        self._save(None)
        return table

    def _set_up(self, plays: list[str]) -> tuple[Table, list[Any]]:
        """A table with these plays made. The players decide again, so that they remember."""
        from kibitz.arena.table import Table

        table = Table(self.game, self._next_seeds(), self._first(), plays)
        players = [
            None if s == self.me else self.opponent.sit(self.game, s, table.seeds.seat(s))
            for s in range(self.game.players)
        ]
        self._movers = [-1] * len(table.plays)
        while len(table.plays) < len(plays):
            player = players[table.mover]
            if player is not None:
                with thinking(f"{self.opponent} goes over the game again"):
                    player.choose(table.view(table.mover, self.opponent.knows))
            text = plays[len(table.plays)]
            self._make(table, self.game.parse_play(table.state, text))
        return table, players

    def _make(self, table: Table, play: Any) -> None:
        self._movers.append(table.mover)
        table.play(play)
        self._movers += [-1] * (len(table.plays) - len(self._movers))

    def _go_on(self, table: Table, players: list[Any]) -> None:
        while not table.is_over:
            player = players[table.mover]
            if player is None:
                self._make(table, self._ask(table))
            else:
                view = table.view(table.mover, self.opponent.knows)
                with thinking(f"{self.opponent} is thinking"):
                    play = player.choose(view)
                self._make(table, play)
            self._save(table)

    # -- the record -------------------------------------------------------------------------

    def _record(self, table: Table) -> Record:
        from kibitz.arena.record import Record

        return Record.of(table, self.names, self.seed)

    def _save(self, table: Table | None) -> None:
        """Write the record after every play, so that nothing is lost."""
        from kibitz.arena.record import write_records

        going_on = [self._record(table)] if table is not None else []
        write_records(self.path, [*self.finished, *going_on])

    # -- the screen -------------------------------------------------------------------------

    def _head(self) -> None:
        number = f", {self.game.traits.unit} {len(self.finished) + 1}" if self.match else ""
        self.console.rule(f"[bold]{self.game.title.partition(':')[0]}[/]{number}", align="left")
        if not self.finished:
            self.console.print(
                f"You are seat {self.me + 1}, against {self.opponent}. [bold]?[/] for help."
            )

    def _show_log(self, table: Table) -> None:
        log = table.logs[self.me]
        for line in log[self.shown :]:
            self.console.print(f"[italic]{line[:1].upper()}{line[1:]}.[/]")
        if log[self.shown :]:
            self.console.print()
        self.shown = len(log)

    def _ask(self, table: Table) -> Any:
        """The person's play."""
        view = table.view(self.me)

        def hint() -> None:
            self.hints.show(self.console, view, table.seeds.hint(len(table.plays)))

        self.console.print()
        self._show_log(table)
        self.console.print(self.game.draw(view))
        self.console.print()
        if self.hints.always:
            hint()
        return Question(self.console, view, table.state, hint).answer()

    def _ask_for_next(self) -> None:
        self._say_score()
        while True:
            try:
                read(f"Enter for the next {self.game.traits.unit}, q to stop: ")
                return
            except Undo:
                self.console.print(f"This {self.game.traits.unit} is over.")

    def _say_score(self) -> None:
        assert self.match is not None
        parts = [
            f"{'you' if s == self.me else f'seat {s + 1}'} {points:g}"
            for s, points in enumerate(self.match.score)
        ]
        self.console.print(f"Match to {self.match.target}: {', '.join(parts)}")

    def _say_end(self, table: Table) -> None:
        if self.match is None:
            self.console.print(f"[bold]{self.game.outcome(table.state).capitalize()}.[/]")
        else:
            self._say_score()
            won = self.me in self.match.winners
            self.console.print(f"[bold]{'You win' if won else 'You lose'} the match.[/]")
        print(f"Recorded in {self.path}")
