"""`bot:./my_engine --flag`: a program that sits at the table. docs/bots.md has the protocol."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import weakref
from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core.checks import brief
from kibitz.core.errors import BadText, IllegalPlay, StrategyFailed, UnsuitableGame
from kibitz.core.options import Option, settle
from kibitz.core.registry import strategy
from kibitz.core.strategy import Player, Strategy

if TYPE_CHECKING:
    import numpy as np

    from kibitz.core.game import Game, View
    from kibitz.interop.bots.process import BotCommand, BotProcess

LIMITS = (
    Option("start", 30.0, "seconds to start, and to get ready for a game", least=0.1, most=3600),
    Option("move", 60.0, "seconds for a decision", least=0.01, most=86_400),
    Option("memory", 1024, "megabytes for each of its processes", least=16, most=1_000_000),
)
"""They stand before the command, as in `bot:move=2 memory=512 ./my_engine`."""
WORD = re.compile(r"([a-z_]+)=(.*)", re.DOTALL)
TRIES = 3
"""How often in a row a program may fail to start, before it is not tried again."""

_failures: dict[BotCommand, list[str]] = {}


@strategy
class Bot(Strategy):
    """A program in any language. It plays over lines of JSON."""

    name: ClassVar[str] = "bot"
    title: ClassVar[str] = "a program of your own, such as bot:./my_engine --flag"
    rest: ClassVar[str] = "command"
    options: ClassVar[tuple[Option, ...]] = (
        Option("command", "", "what to run, after its limits: start=30 move=60 memory=1024"),
    )
    trusted: ClassVar[bool] = True  # it has clocks of its own
    stays: ClassVar[bool] = True
    reproducible: bool = False  # it is told how long it may think

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.settings["command"] = self.settings["command"].strip()
        command = str(self.settings["command"])
        if not command.isprintable():
            raise BadText(f"bot: there is a letter that can't be printed in {command!r}")
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise BadText(f"bot: {command}: {str(error).lower()}") from None
        given: dict[str, str] = {}
        while words and (limit := WORD.fullmatch(words[0])):
            if limit[1] in given:
                raise BadText(f"bot: {limit[1]} is given twice")
            given[limit[1]] = limit[2]
            del words[0]
        self.limits = settle("bot", LIMITS, given)
        self.words = tuple(words)

    @property
    def command(self) -> BotCommand:
        """What is run, and its limits."""
        from kibitz.interop.bots.process import BotCommand

        return BotCommand(self.words, **self.limits)

    def files(self) -> list[str]:
        """The program, and what of its arguments is a file."""
        if not self.words:
            return []
        program = shutil.which(self.words[0]) or self.words[0]
        return [program, *filter(os.path.isfile, self.words[1:])]

    def check_game(self, game: Game[Any, Any]) -> None:
        if not self.words:
            raise UnsuitableGame("bot needs a program: bot:./my_engine --flag")
        if shutil.which(self.words[0]) is None:
            raise BadText(f"bot: there is no program {self.words[0]}")

    def sit(self, game: Game[Any, Any], seat: int, rng: np.ndarray) -> Player:
        return BotPlayer(self.command, game, seat, rng)


class BotPlayer(Player):
    """A bot in a game. Its process serves other games before and after, one at a time."""

    def __init__(
        self, command: BotCommand, game: Game[Any, Any], seat: int, rng: np.ndarray,
        process: BotProcess | None = None,
    ) -> None:  # fmt: skip
        """`process`: one that is its alone; else any that waits, or a new one."""
        self.command = command
        self.rng = rng
        self._seed = int(rng[0])
        self._turns = self._lines = 0
        self._pooled = process is None
        about = self._game_message(game, seat)
        self._process = self._ready_process(about) if process is None else process
        if process is not None:
            process.ask("game", command.start, about)
        broken_off = {"returns": None}
        self._leave = weakref.finalize(self, _leave, self._process, broken_off, self._pooled)

    def _ready_process(self, about: dict[str, Any]) -> BotProcess:
        """A process that knows which game begins. One that fails to start again and again is
        not tried any more: that would take most of the time of a run."""
        from kibitz.interop.bots.process import BotProcess, take

        failed = _failures.setdefault(self.command, [])
        if len(failed) >= TRIES:
            raise StrategyFailed(f"{failed[-1]} ({TRIES} times, so it is not started again)")
        try:
            process = take(self.command)
            is_new = process.is_new
            try:
                process.ask("game", self.command.start, about)
            except StrategyFailed:
                if is_new:
                    raise
                # It has ended after a game before this one, which that must not cost.
                process = BotProcess.started(self.command)
                process.ask("game", self.command.start, about)
        except StrategyFailed as error:
            failed.append(str(error))
            raise
        failed.clear()
        return process

    def _game_message(self, game: Game[Any, Any], seat: int) -> dict[str, Any]:
        return {
            "game": game.spec,
            "name": game.name,
            "options": dict(game.settings),
            "players": game.players,
            "partners": game.partners,
            "unit": game.traits.unit,
            "seat": seat + 1,
            "seed": str(self._seed),
            "clock": {"start": self.command.start, "move": self.command.move},
        }

    def choose(self, view: View[Any]) -> Any:
        from kibitz.interop.bots.seen import view_message
        from kibitz.table.time_limit import allowed_seconds

        seconds = min(self.command.move, allowed_seconds() or self.command.move)
        message = {
            "seconds": seconds,
            "plays": [str(play) for play in view.plays()],
            "since": self._since(view),
            "view": view_message(view),
        }
        if int(self.rng[0]) != self._seed:  # a stream of its own for this decision
            self._seed = int(self.rng[0])
            message["seed"] = str(self._seed)
        answer = self._process.ask("choose", self.command.move, message)
        return self._legal(view, answer.get("play"))

    def _since(self, view: View[Any]) -> dict[str, Any]:
        from kibitz.interop.bots.seen import since_message

        since = since_message(view, self._turns, self._lines)
        self._turns, self._lines = len(view.past), len(view.log)
        return since

    def _legal(self, view: View[Any], play: Any) -> Any:
        """The play that it means. A bot that knows none of the legal ones begins anew."""
        try:
            if type(play) is not str:
                raise IllegalPlay(f"a play is the text of one, not {brief(play)}")
            return view.game.match_play(view.state, play)
        except (BadText, IllegalPlay) as error:
            wrong = f"it played {brief(play)}: {error}"
            self._process.send({"type": "error", "message": wrong})
            self._process.kill()
            raise StrategyFailed(wrong) from None

    def end(self, view: View[Any], returns: tuple[float, ...] | None) -> None:
        from kibitz.interop.bots.seen import view_message

        if self._leave.detach() is None:
            return
        told: dict[str, Any] = {"returns": None if returns is None else list(returns)}
        if returns is not None:
            told |= {"since": self._since(view), "view": view_message(view)}
        _leave(self._process, told, self._pooled)


def _leave(process: BotProcess, told: dict[str, Any], pooled: bool) -> None:
    """Tell a bot how its game has ended, and let it wait for another one."""
    from kibitz.interop.bots.process import give_back

    if process.alive:
        process.send({"type": "end", **told})
        if pooled:
            give_back(process)
