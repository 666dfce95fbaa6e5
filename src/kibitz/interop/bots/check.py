"""Does a bot keep to the protocol? It is started, plays, and is told what a bot must bear."""

from __future__ import annotations

import select
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from kibitz.core.checks import one_line
from kibitz.core.errors import StrategyFailed
from kibitz.core.game import Game
from kibitz.core.registry import make_strategy
from kibitz.core.strategy import Player, Strategy
from kibitz.interop.bots.process import GRACE, BotCommand, BotProcess
from kibitz.interop.bots.strategy import BotPlayer
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Forfeit, Table

LARGE = (1 << 53) - 10_000
"""A number of a question that is still exact where all numbers are floating-point."""
QUIET = 0.3
"""Seconds in which a bot that was not asked must say nothing."""
TRIES = 50
UNKNOWN = {"weather": {"sun": [True, None, 1.5]}, "zzz": '\u2663 \\ " ] }'}


@dataclass(frozen=True)
class Finding:
    """What was tried, and how it went."""

    kind: str
    """`ok`, `wrong`, or `note` for what is neither."""
    text: str


class CheckedProcess(BotProcess):
    """A bot's process that is told more than usual, and timed."""

    def __init__(self, command: BotCommand) -> None:
        super().__init__(command)
        self.extra: Mapping[str, Any] = {}
        self.jump = 0
        self.slowest = 0.0
        self.decisions: list[str] = []

    def ask(self, question: str, seconds: float, message: Mapping[str, Any]) -> dict[str, Any]:
        self.number += self.jump
        started = time.monotonic()
        if self.extra:
            self.send({"type": "weather", "sun": True})
        answer = super().ask(question, seconds, {**message, **self.extra})
        if question == "choose":
            self.slowest = max(self.slowest, time.monotonic() - started)
            self.decisions.append(str(answer.get("play")))
        return answer

    @property
    def talks(self) -> bool:
        """Whether it has said what nobody has asked for."""
        poll = select.poll()
        poll.register(self._out, select.POLLIN)
        return bool(self._unread) or bool(poll.poll(1000 * QUIET))

    def hang_up(self) -> bool:
        """Close its standard input. Whether it ends then."""
        self._popen.stdin.close()  # type: ignore[union-attr]
        self._in = -1
        try:
            self._popen.wait(2 * GRACE)
        except subprocess.TimeoutExpired:
            return False
        finally:
            self.kill()
        return True


class CheckedBot(Strategy):
    """A bot in the process that is checked."""

    name: ClassVar[str] = "the bot"
    trusted: ClassVar[bool] = True

    def __init__(self, process: CheckedProcess) -> None:
        super().__init__()
        self.process = process

    def sit(self, game: Game[Any, Any], seat: int, rng: Any) -> Player:
        return BotPlayer(self.process.command, game, seat, rng, self.process)


class BotCheck:
    """All that is tried with one bot."""

    def __init__(self, command: BotCommand, game: Game[Any, Any], games: int = 4) -> None:
        self.command = command
        self.game = game
        self.games = games
        self._process: CheckedProcess | None = None

    def findings(self) -> Iterator[Finding]:
        """One by one, as they are found."""
        steps: list[tuple[str, Callable[[], str]]] = [
            ("starts and says hello", self._start),
            ("plays whole games by the rules", self._play),
            ("says nothing that nobody has asked for", self._keep_quiet),
            ("ignores keys and messages that it does not know", self._unknown),
            ("answers with the number of the question, however large", self._numbers),
            ("goes on when a game is broken off", self._break_off),
            ("joins a game that has begun", self._join),
            ("ends when it is told to quit, and starts again", self._quit),
            ("ends when its standard input ends", self._hang_up),
        ]
        try:
            for claim, step in steps:
                try:
                    more = step()
                except (StrategyFailed, Forfeit) as error:
                    said = one_line(str(error)).removeprefix("the bot failed: ")
                    yield Finding("wrong", f"{claim}: {said}")
                    if step == self._start:
                        return
                    continue
                yield Finding("ok", f"{claim}{more}")
            yield self._alike()
        finally:
            if self._process is not None:
                self._process.kill()

    def _running(self) -> CheckedProcess:
        """The process; another one if it has failed."""
        if self._process is None or self._process.has_ended:
            started = CheckedProcess.started(self.command)
            assert isinstance(started, CheckedProcess)
            self._process = started
        return self._process

    def _table(self, seed: int) -> Table:
        return Table(self.game, GameSeeds(1, seed), seed % self.game.players)

    def _play_game(self, seed: int, process: CheckedProcess) -> int:
        """One game against random players; the decisions that the bot made."""
        table = self._table(seed)
        seat = seed // self.game.players % self.game.players
        players: list[Strategy] = [make_strategy("random")] * self.game.players
        players[seat] = CheckedBot(process)
        table.play_out(players)
        return table.decisions[seat]

    def _start(self) -> str:
        started = time.monotonic()
        self._running()
        return f": {time.monotonic() - started:.2f} s"

    def _play(self) -> str:
        process = self._running()
        made = sum(self._play_game(seed, process) for seed in range(2 * self.games))
        return (
            f": {2 * self.games} of {self.game}, {made} decisions, the slowest"
            f" {process.slowest:.2f} s of {self.command.move:g}"
        )

    def _keep_quiet(self) -> str:
        process = self._running()
        if process.talks:
            process.kill()
            raise StrategyFailed("it prints before it is asked, or more than one answer")
        return ""

    def _unknown(self) -> str:
        process = self._running()
        process.extra = UNKNOWN
        self._play_game(0, process)
        process.extra = {}
        return ""

    def _numbers(self) -> str:
        process = self._running()
        process.jump = 7
        self._play_game(1, process)
        process.number, process.jump = LARGE, 3
        self._play_game(2, process)
        return ""

    def _break_off(self) -> str:
        process = self._running()
        table = self._table(0)
        player = self._sit(table, process)
        player.choose(table.view(table.mover))
        player.end(table.view(table.mover), None)
        self._play_game(1, process)
        return ""

    def _join(self) -> str:
        """Somebody else has played for it so far, as after a choice was taken back."""
        process = self._running()
        table = self._table(3)
        for seed in range(3, 3 + TRIES):
            table = self._table(seed)
            while not table.is_over and len(table.plays) < 2 * self.game.players:
                table.play(table.view(table.mover).plays()[-1])
            if not table.is_over:
                break
        if table.is_over:
            return ": not tried, the games are too short"
        player = self._sit(table, process)
        player.choose(table.view(table.mover))
        player.end(table.view(table.mover), None)
        return ""

    def _sit(self, table: Table, process: CheckedProcess) -> Player:
        seat = table.mover
        return CheckedBot(process).sit(self.game, seat, table.seeds.seat(seat))

    def _quit(self) -> str:
        if not self._running().quit():
            raise StrategyFailed(f"it still runs {GRACE:g} s after quit")
        self._play_game(0, self._running())
        return ""

    def _hang_up(self) -> str:
        if not self._running().hang_up():
            raise StrategyFailed(f"it still runs {2 * GRACE:g} s later")
        return ""

    def _alike(self) -> Finding:
        """The same messages twice, to new processes."""
        made = []
        for _ in range(2):
            process = CheckedProcess.started(self.command)
            assert isinstance(process, CheckedProcess)
            try:
                self._play_game(5, process)
            except Forfeit:
                pass
            finally:
                process.kill()
            made.append(process.decisions)
        alike = made[0] == made[1]
        does = "decides alike" if alike else "may decide otherwise"
        return Finding("note", f"it {does} when it is told the same twice")
