"""A person plays against a strategy at the terminal: the screen and the prompt of a session."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kibitz.cli.ui.hints import Hint, Hints
from kibitz.cli.ui.progress import spinner_if_slow
from kibitz.cli.ui.prompt import Question, Quit, Undo, read_line
from kibitz.cli.ui.rendering import drawn
from kibitz.cli.ui.screen import Screen
from kibitz.cli.ui.trusted_files import trusted_game, trusted_strategy
from kibitz.core import registry
from kibitz.core.code_file import is_file
from kibitz.core.errors import BadText, KibitzError
from kibitz.core.game import Game
from kibitz.core.interrupts import is_interrupt
from kibitz.core.strategy import Strategy

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from kibitz.table.session import Session


def _resume_args(path: Path, game: str | None) -> list[str]:
    return ["kibitz", "play", *([game] if game else []), "--resume", str(path)]


class TerminalSession:
    """A session of one person against one strategy in all other seats."""

    def __init__(self, session: Session, path: Path, hints: Hints, resumed: bool = False) -> None:
        from rich.console import Console

        self.session = session
        self.game = session.game
        (self.me,) = session.persons
        self.opponent = next(one for one in session.players if one is not None)
        self.path = path
        self.hints = hints
        self.shown = max(self._own_turns(), default=0) if resumed else 0
        """Lines of the log that the person has seen."""
        self.resumed = resumed
        self.console: Console = Console(highlight=False, soft_wrap=False)

    @classmethod
    def start(
        cls, game: Game[Any, Any], opponent: Strategy, me: int, seed: int, path: Path,
        hints: Hints | None = None,
    ) -> TerminalSession:  # fmt: skip
        from kibitz.table.session import Session

        advice = hints or Hints(game)
        players = [None if seat == me else opponent for seat in range(game.players)]
        return cls(Session(game, players, seed, path, advice.recorded), path, advice)

    @classmethod
    def resume(
        cls, path: Path, named: str | None = None, against: str | None = None
    ) -> TerminalSession:
        """Go on with a recorded match. If its game or its strategy is in a file, the user must
        name that file: a record may come from anybody."""
        from kibitz.table.record import PERSON, read_records
        from kibitz.table.session import Session

        records = read_records(path)
        last = records[-1]
        others = {name for name in last.players if name != PERSON}
        if PERSON not in last.players:
            raise BadText(f"{path}: no person plays in it; see kibitz replay")
        if len(others) != 1 or last.players.count(PERSON) != 1:
            raise BadText(f"{path}: the games are not of one person against one strategy")
        own = trusted_game(path, named, [r.game for r in records], *_resume_args(path, "…"))
        opponent = trusted_strategy(
            path, against, others.pop(), *_resume_args(path, named), "--against", "…"
        )
        players = [None if name == PERSON else opponent for name in last.players]
        session = Session.resume(records, path, str(path), own, players)
        if session.is_over:
            raise BadText(f"{path}: this game is over; see kibitz replay")
        return cls(session, path, _remembered_hints(session.game, last.hints), resumed=True)

    def use_hints(self, hints: Hints) -> None:
        """From now on, and when it is resumed."""
        self.hints = hints
        self.session.hints = hints.recorded

    # -- playing ----------------------------------------------------------------------------

    def run(self) -> None:
        self.session.save()
        self._print_heading()
        try:
            while True:
                self._play_game()
                self._print_end()
                try:
                    if not self._ask_to_go_on():
                        break
                except Undo:
                    self._undo()
                    continue
                self.session.next_game()
                self._print_heading()
        except (Quit, KeyboardInterrupt) as end:  # also while the other one thinks
            if isinstance(end, KeyboardInterrupt) and not is_interrupt(end):
                raise  # somebody else's code raised it
            print(f"\nSaved. Go on with: {self._resume_command()}")

    def _play_game(self) -> None:
        """To its end, from the plays already made."""
        while not self.session.table.is_over:
            if not self.session.is_persons_turn:
                self._let_opponent_play()
                continue
            try:
                self.session.play(self._ask())
            except Undo:
                self._undo()

    def _let_opponent_play(self) -> None:
        from kibitz.table.session import OpponentFailed

        try:
            with spinner_if_slow(f"the strategy {self.opponent} is thinking"):
                self.session.step()
        except OpponentFailed as error:
            raise KibitzError(f"{error}; the game is saved: {self._resume_command()}") from error

    def _undo(self) -> None:
        """To before the person's last choice in this game, if there is one."""
        undone = self.session.undo()
        self.shown = len(self.session.table.plays)
        self.console.print("Taken back." if undone else "There is nothing to undo.")

    def _own_turns(self) -> list[int]:
        """The numbers of the person's plays in this game."""
        return [i for i, seat in enumerate(self.session.table.movers) if seat == self.me]

    def _resume_command(self) -> str:
        """The command that goes on with it. Files that a record must not open are named in it."""
        command = _resume_args(self.path, self.game.name if is_file(self.game.name) else None)
        if self.opponent.files():
            command += ["--against", str(self.opponent)]
        return shlex.join(command)

    # -- the screen -------------------------------------------------------------------------

    def _print_heading(self) -> None:
        games = len(self.session.finished)
        number = f", {self.game.traits.unit} {games + 1}" if self.session.match else ""
        self.console.rule(f"[bold]{self.game.title.partition(':')[0]}[/]{number}", align="left")
        if self.resumed or not games:
            partners = [s for s in self.game.team(self.me) if s != self.me]
            others = f", with {self._seat_names(partners)} as your partner" if partners else ""
            self.console.print(
                f"You are seat {self.me + 1}{others}, against the strategy"
                f" [bold]{self.opponent}[/]. [bold]?[/] for help."
            )
        self.resumed = False

    def _seat_names(self, seats: Iterable[int]) -> str:
        return " and ".join("you" if s == self.me else f"seat {s + 1}" for s in seats)

    def _new_log_lines(self) -> list[Text]:
        """What the person has not seen yet."""
        from rich.text import Text

        log = self.session.table.logs[self.me]
        fresh, self.shown = log[self.shown :], len(log)
        return [Text(f"{line[:1].upper()}{line[1:]}.", style="italic") for line in fresh]

    def _ask(self) -> Any:
        """The person's play."""
        view = self.session.view(self.me)

        def hint() -> Hint:
            return self.hints.give(view, self.session.hint_stream())

        screen = Screen(self.console, self._new_log_lines(), drawn(view))
        if self.hints.always:
            screen.advice = hint()
        return Question(screen, view, self.session.table.state, hint).answer()

    def _print_end(self) -> None:
        """How a game ended, with the hands that are laid down then, and how the match stands."""
        happened = self._new_log_lines()
        self.shown = 0
        view, state = self.session.view(self.me), self.session.table.state
        for line in ("", *happened, "", drawn(view), ""):
            self.console.print(line)
        outcome = self.game.presenter.outcome(state)
        if not view.log or outcome.lower() not in view.log[-1].lower():
            self.console.print(f"{outcome.capitalize()}.", style="bold", markup=False)
        match = self.session.match
        if match is None:
            return
        teams = [s for s in range(self.game.players) if s == self.game.team(s)[0]]
        parts = [f"{self._seat_names(self.game.team(s))} {match.score[s]:g}" for s in teams]
        self.console.print(f"Match to {match.target}: {', '.join(parts)}")
        if match.is_over:
            won = self.me in match.winners
            self.console.print(f"[bold]{'You win' if won else 'You lose'} the match.[/]")

    def _ask_to_go_on(self) -> bool:
        """Whether another game follows. The person may look at a review first, or still take back
        the last choice."""
        undo = "u to take back your last choice, " if self._own_turns() else ""
        if undo:
            print("Type r for a review: what your decisions lost, and what was luck.")
        if not self.session.is_over:
            self._read_or_review(f"Enter for the next {self.game.traits.unit}, {undo}q to stop: ")
            return True
        print(f"Recorded in {self.path}")
        if undo:
            with suppress(Quit):
                self._read_or_review("Enter to end, u to take back your last choice: ")
        return False

    def _read_or_review(self, prompt: str) -> None:
        """Ask until the person has seen all the reviews that he wants."""
        while read_line(prompt).lower() in ("r", "review"):
            self._print_review()

    def _print_review(self) -> None:
        """Where the person went wrong in the game that is over."""
        from kibitz.cli.ui.reviews import show_review
        from kibitz.review.review import review

        try:
            with spinner_if_slow("looking at every decision"):
                found = review(self.session.finished[-1], seats=[self.me], game=self.game)
        except KibitzError as error:
            self.console.print(f"There is no review: {error}", markup=False)
            return
        show_review(self.console, found)


def _remembered_hints(game: Game[Any, Any], by: str | None) -> Hints:
    """As a record has them. It may come from anybody, so nobody who reads a file gives any."""
    if by is None or registry.files_named_by(by):
        return Hints(game)
    return Hints(game, by, always=True)
