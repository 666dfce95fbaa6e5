"""A person plays against a strategy: the course of a match, its record, what is on the screen."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.cli.ui.hints import Hint, Hints
from kibitz.cli.ui.progress import spinner_if_slow
from kibitz.cli.ui.prompt import Question, Quit, Undo, read_line
from kibitz.cli.ui.screen import Screen
from kibitz.cli.ui.trusted_files import trusted_game, trusted_strategy
from kibitz.core import registry
from kibitz.core.errors import BadText, IllegalPlay, KibitzError, describe_error
from kibitz.core.game import Game
from kibitz.core.game_file import is_file
from kibitz.core.interrupts import is_interrupt
from kibitz.core.strategy import Player, Strategy

if TYPE_CHECKING:
    from rich.console import Console

    from kibitz.table.match import Match
    from kibitz.table.record import Record
    from kibitz.table.seeds import GameSeeds
    from kibitz.table.table import Table


def _resume_args(path: Path, game: str | None) -> list[str]:
    return ["kibitz", "play", *([game] if game else []), "--resume", str(path)]


class Session:
    """A match, or a single game, between a person and a strategy."""

    def __init__(
        self, game: Game[Any, Any], opponent: Strategy, me: int, seed: int, path: Path,
        hints: Hints | None = None,
    ) -> None:  # fmt: skip
        from rich.console import Console

        from kibitz.table.match import Match
        from kibitz.table.record import PERSON

        self.game = game
        self.opponent = opponent
        self.me = me
        self.path = path
        self.seed = seed
        self.match: Match | None = Match(game, seed) if game.traits.match else None
        self.names = [PERSON if s == me else str(opponent) for s in range(game.players)]
        self.finished: list[Record] = []
        self.ends: list[Any] = []
        """The states in which they ended."""
        self.pending: list[str] = []
        self.hints = hints or Hints(game)
        self.shown = 0
        """Lines of the log that the person has seen."""
        self.resumed = False
        self.console: Console = Console(highlight=False, soft_wrap=False)

    # -- resuming ---------------------------------------------------------------------------

    @classmethod
    def resume(cls, path: Path, named: str | None = None, against: str | None = None) -> Session:
        """Go on with a recorded match. If its game or its strategy is in a file, the user must
        name that file: a record may come from anybody."""
        from kibitz.table.record import PERSON, read_records, replay

        records = read_records(path)
        last = records[-1]
        if PERSON not in last.players:
            raise BadText(f"{path}: no person plays in it; see kibitz replay")
        me = last.players.index(PERSON)
        others = {name for name in last.players if name != PERSON}
        if len(others) != 1 or any(r.players != last.players for r in records):
            raise BadText(f"{path}: the games are not of one person against one strategy")
        own = trusted_game(path, named, [r.game for r in records], *_resume_args(path, "…"))
        opponent = trusted_strategy(
            path, against, others.pop(), *_resume_args(path, named), "--against", "…"
        )
        tables = [replay(r, f"{path}, game {i}", own) for i, r in enumerate(records, 1)]
        game = tables[-1].game
        if any(table.game != game for table in tables):
            raise BadText(f"{path}: the games in it are not all {game}")
        session = cls(game, opponent, me, 0, path, _remembered_hints(game, last.hints))
        session._restore(records, tables)
        return session

    def _restore(self, records: list[Record], tables: list[Table]) -> None:
        from kibitz.table.match import Match

        self.seed = records[0].match_seed
        self.resumed = True
        if self.match is None and len(records) > 1:
            raise BadText(f"{self.path}: {self.game} has no matches, but several games are in it")
        if self.match is not None:
            self.match = Match(self.game, self.seed)
        for record, table in zip(records, tables, strict=True):
            expected = (self._next_seeds().shuffle, self._first_seat())
            if (record.seed, record.first - 1) != expected or record.match_seed != self.seed:
                raise BadText(f"{self.path}: the games do not follow from each other")
            if record.returns is None:
                if record is not records[-1]:
                    raise BadText(f"{self.path}: a game that is not over is followed by another")
                self.pending = record.plays
                return
            self._add_result(record, table)
        if self.match is None or self.match.is_over:
            raise BadText(f"{self.path}: this game is over; see kibitz replay")

    def _add_result(self, record: Record, table: Table) -> None:
        self.finished.append(record)
        self.ends.append(table.state)
        if self.match is not None:
            self.match.add(table.state)

    def _remove_last_result(self) -> None:
        """Undo `_add_result`: as if the last game had not ended."""
        from kibitz.table.match import Match

        self.finished.pop()
        self.ends.pop()
        if self.match is not None:
            self.match = Match(self.game, self.seed)
            for end in self.ends:
                self.match.add(end)

    # -- playing ----------------------------------------------------------------------------

    def run(self) -> None:
        try:
            while True:
                table = self._play_game()
                self._print_end(table)
                try:
                    if not self._ask_to_go_on():
                        break
                except Undo:
                    self._remove_last_result()
                    self._undo_last_choice(table)
        except (Quit, KeyboardInterrupt) as end:  # also while the other one thinks
            if isinstance(end, KeyboardInterrupt) and not is_interrupt(end):
                raise  # somebody else's code raised it
            print(f"\nSaved. Go on with: {self._resume_command()}")

    @property
    def is_over(self) -> bool:
        """Nothing is left to play: a game has ended that is alone or the last of its match."""
        return bool(self.finished) and (self.match is None or self.match.is_over)

    def _resume_command(self) -> str:
        """The command that goes on with it. Files that a record must not open are named in it."""
        command = _resume_args(self.path, self.game.name if is_file(self.game.name) else None)
        if self.opponent.files():
            command += ["--against", str(self.opponent)]
        return shlex.join(command)

    def _next_seeds(self) -> GameSeeds:
        from kibitz.table.seeds import GameSeeds

        return self.match.next_seeds if self.match else GameSeeds.alone(self.seed)

    def _first_seat(self) -> int:
        return self.match.first if self.match else 0

    def _play_game(self) -> Table:
        """One game, from the plays already made."""
        while True:
            table, players = self._set_up(self.pending)
            self._save(table)
            if self.resumed:
                self.shown = max(self._own_turns(), default=0)
            if self.resumed or not self.pending:
                self._print_heading()
                self.resumed = False
            try:
                self._play_to_the_end(table, players)
                break
            except Undo:
                self._undo_last_choice(table)
        self.pending = []
        self._add_result(self._record(table), table)
        self._save(None if self.is_over else self._next_table())
        return table

    def _undo_last_choice(self, table: Table) -> None:
        """To before the person's last choice in this game, if there is one."""
        mine = self._own_turns()
        self.pending = table.plays[: mine[-1]] if mine else table.plays
        self.shown = len(self.pending)
        self.console.print("Taken back." if mine else "There is nothing to undo.")

    def _own_turns(self) -> list[int]:
        """The numbers of the person's plays in this game."""
        return [i for i, seat in enumerate(self._movers) if seat == self.me]

    def _next_table(self, plays: Sequence[str] = ()) -> Table:
        from kibitz.table.table import Table

        return Table(self.game, self._next_seeds(), self._first_seat(), plays)

    def _set_up(self, plays: list[str]) -> tuple[Table, list[Any]]:
        """A table with these plays made. The players decide again, so that they remember."""
        table = self._next_table(plays)
        players = [None if s == self.me else self._sit(table, s) for s in range(self.game.players)]
        self._movers = [-1] * len(table.plays)
        while len(table.plays) < len(plays):
            player = players[table.mover]
            if player is not None:
                with self._guarding_strategy("goes over the game again"):
                    player.choose(table.view(table.mover, self.opponent.knows))
            text = plays[len(table.plays)]
            self._make_play(table, self.game.parse_play(table.state, text))
        return table, players

    def _sit(self, table: Table, seat: int) -> Player:
        with self._guarding_strategy("sits down"):
            return self.opponent.sit(self.game.for_player(), seat, table.seeds.seat(seat))

    @contextmanager
    def _guarding_strategy(self, doing: str) -> Iterator[None]:
        """A step of the strategy: whatever somebody else's code raises becomes one line."""
        try:
            with spinner_if_slow(f"the strategy {self.opponent} {doing}"):
                yield
        except BaseException as error:
            if is_interrupt(error) or isinstance(error, KibitzError):
                raise
            raise self._failed(describe_error(error)) from error

    def _failed(self, reason: str) -> KibitzError:
        return KibitzError(
            f"the strategy {self.opponent} failed: {reason};"
            f" the game is saved: {self._resume_command()}"
        )

    def _make_play(self, table: Table, play: Any) -> None:
        self._movers.append(table.mover)
        table.play(play)
        self._movers += [-1] * (len(table.plays) - len(self._movers))

    def _play_to_the_end(self, table: Table, players: list[Any]) -> None:
        while not table.is_over:
            player = players[table.mover]
            if player is None:
                self._make_play(table, self._ask(table))
            else:
                view = table.view(table.mover, self.opponent.knows)
                with self._guarding_strategy("is thinking"):
                    play = player.choose(view)
                try:
                    self._make_play(table, play)
                except (IllegalPlay, BadText) as error:
                    raise self._failed(str(error)) from error
            self._save(table)

    # -- the record -------------------------------------------------------------------------

    def _record(self, table: Table) -> Record:
        from kibitz.table.record import Record

        by = str(self.hints.strategy) if self.hints.always else None
        return Record.of(table, self.names, self.seed).model_copy(update={"hints": by})

    def _save(self, table: Table | None) -> None:
        """Write the record after every play, so that nothing is lost."""
        from kibitz.table.record import write_records

        going_on = [self._record(table)] if table is not None else []
        write_records(self.path, [*self.finished, *going_on])

    # -- the screen -------------------------------------------------------------------------

    def _print_heading(self) -> None:
        number = f", {self.game.traits.unit} {len(self.finished) + 1}" if self.match else ""
        self.console.rule(f"[bold]{self.game.title.partition(':')[0]}[/]{number}", align="left")
        if self.resumed or not self.finished:
            partners = [s for s in self.game.team(self.me) if s != self.me]
            others = f", with {self._seat_names(partners)} as your partner" if partners else ""
            self.console.print(
                f"You are seat {self.me + 1}{others}, against the strategy"
                f" [bold]{self.opponent}[/]. [bold]?[/] for help."
            )

    def _seat_names(self, seats: Iterable[int]) -> str:
        return " and ".join("you" if s == self.me else f"seat {s + 1}" for s in seats)

    def _new_log_lines(self, table: Table) -> list[str]:
        """What the person has not seen yet."""
        from rich.markup import escape

        log = table.logs[self.me]
        fresh, self.shown = log[self.shown :], len(log)
        return [f"[italic]{escape(line[:1].upper() + line[1:])}.[/]" for line in fresh]

    def _ask(self, table: Table) -> Any:
        """The person's play."""
        view = table.view(self.me)

        def hint() -> Hint:
            return self.hints.give(view, table.seeds.hint(len(table.plays)))

        screen = Screen(self.console, self._new_log_lines(table), self.game.draw(view))
        if self.hints.always:
            screen.advice = hint()
        return Question(screen, view, table.state, hint).answer()

    def _print_end(self, table: Table) -> None:
        """How a game ended, with the hands that are laid down then, and how the match stands."""
        happened = self._new_log_lines(table)
        self.shown = 0
        view = self.game.view_at_the_end(table.state, self.me)
        seen = replace(view, log=tuple(table.logs[self.me]), past=tuple(table.pasts[self.me]))
        self.console.print("\n".join(["", *happened, "", self.game.draw(seen), ""]))
        outcome = self.game.outcome(table.state)
        if not table.logs[self.me] or outcome.lower() not in table.logs[self.me][-1].lower():
            self.console.print(f"[bold]{outcome.capitalize()}.[/]")
        if self.match is None:
            return
        teams = [s for s in range(self.game.players) if s == self.game.team(s)[0]]
        score = self.match.score
        parts = [f"{self._seat_names(self.game.team(s))} {score[s]:g}" for s in teams]
        self.console.print(f"Match to {self.match.target}: {', '.join(parts)}")
        if self.match.is_over:
            won = self.me in self.match.winners
            self.console.print(f"[bold]{'You win' if won else 'You lose'} the match.[/]")

    def _ask_to_go_on(self) -> bool:
        """Whether another game follows; the person may still take back the last choice."""
        undo = "u to take back your last choice, " if self._own_turns() else ""
        if not self.is_over:
            read_line(f"Enter for the next {self.game.traits.unit}, {undo}q to stop: ")
            return True
        print(f"Recorded in {self.path}")
        if undo:
            with suppress(Quit):
                read_line("Enter to end, u to take back your last choice: ")
        return False


def _remembered_hints(game: Game[Any, Any], by: str | None) -> Hints:
    """As a record has them. It may come from anybody, so nobody who reads a file gives any."""
    if by is None or registry.make_strategy(by).files():
        return Hints(game)
    return Hints(game, by, always=True)
