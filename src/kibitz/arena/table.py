"""A table: one game being played, with what each seat has seen of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from kibitz.arena.clock import TimedOut, limited
from kibitz.arena.seeds import chance_stream, seat_stream
from kibitz.interrupts import is_interrupt
from kibitz.model import CHANCE, Game, IllegalPlay, KibitzError, Knows, Player, Strategy, View


def view_of(game: Game[Any, Any], state: Any, seat: int, knows: Knows) -> View[Any]:
    """A state as a player sees it who knows so much; without what came before."""
    if knows is Knows.OPEN_DECK:
        return View(game, seat, state)
    if knows is Knows.OPEN_HANDS:
        return game.view_open_hands(state, seat)
    return game.view(state, seat)


class Forfeit(KibitzError):
    """A strategy has lost a game by failing: it raised, took too long or played illegally."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(" ".join(reason.split()))
        self.seat = seat


class Table:
    """The state, the plays so far, and a log for each seat. Chance moves by itself."""

    def __init__(self, game: Game[Any, Any], seed: int, first: int = 0) -> None:
        self.game = game
        self.seed = seed
        self.first = first
        self.state = game.deal(seed, first)
        self.plays: list[str] = []
        self.logs: list[list[str]] = [[] for _ in range(game.players)]
        self.pasts: list[list[tuple[Any, Any]]] = [[] for _ in range(game.players)]
        self.decisions = [0] * game.players
        self.seconds = [0.0] * game.players
        self._chance = chance_stream(seed)
        self._settle()

    @property
    def is_over(self) -> bool:
        return self.game.is_over(self.state)

    @property
    def mover(self) -> int:
        return self.game.mover(self.state)

    def view(self, seat: int, knows: Knows = Knows.FAIR) -> View[Any]:
        """What a player in this seat gets to see, by what its strategy says it knows."""
        seen = view_of(self.game, self.state, seat, knows)
        return replace(seen, log=tuple(self.logs[seat]), past=tuple(self.pasts[seat]))

    def play(self, play: Any) -> None:
        """Make a play, checked; then chance, if it is its turn."""
        after = self.game.apply(self.state, play)
        self.decisions[self.mover] += 1
        for seat, past in enumerate(self.pasts):
            heard = self.game.heard(self.state, seat, play)
            past.append((self.game.view(self.state, seat).state, heard))
        self._make(play, after)
        self._settle()

    def _make(self, play: Any, after: Any) -> None:
        for seat, log in enumerate(self.logs):
            log.append(self.game.narrate(self.state, play, after, seat))
        self.plays.append(str(play))
        self.state = after

    def _settle(self) -> None:
        while not self.is_over and self.mover == CHANCE:
            outcome = self.game.draw_chance(self.state, self._chance)
            self._make(outcome, self.game.after(self.state, outcome))

    def play_out(
        self,
        strategies: Sequence[Strategy],
        limit: float | None = None,
        patience: float | None = None,
    ) -> None:
        """To the end, by strategies, seat by seat. A decision may take `limit` seconds; if there
        is none, one that may never end `patience` seconds."""
        players: dict[int, Player] = {}
        while not self.is_over:
            seat, strategy = self.mover, strategies[self.mover]
            view = self.view(seat, strategy.knows)
            ends = is_ours(strategy) and is_ours(self.game)
            most = limit if limit is not None or ends else patience
            started = time.perf_counter()
            try:
                decide = partial(self._decide, players, seat, strategy, view)
                play = limited(most, decide) if most else decide()
            except TimedOut:
                raise Forfeit(seat, f"{strategy} thought for more than {most:g} s") from None
            except BaseException as error:
                if is_interrupt(error) or self._is_mistaken(strategy, view):
                    raise
                words = f"{type(error).__name__}: {error}"
                raise Forfeit(seat, f"{strategy} failed: {words}") from error
            finally:
                self.seconds[seat] += time.perf_counter() - started
            self._play_for(strategy, view, play)

    def _decide(
        self, players: dict[int, Player], seat: int, strategy: Strategy, view: View[Any]
    ) -> Any:
        """What the player in a seat does, which sits down first if it has not."""
        if seat not in players:
            players[seat] = strategy.sit(self.game, seat, seat_stream(self.seed, seat))
        return players[seat].choose(view)

    def _play_for(self, strategy: Strategy, view: View[Any], play: Any) -> None:
        try:
            self.play(play)
        except IllegalPlay as error:
            raise Forfeit(view.seat, f"{strategy} played {play}: {error.reason}") from error
        except Exception as error:
            if self._is_mistaken(strategy, view) or _is_among(view.plays(), play):
                raise
            raise Forfeit(view.seat, f"{strategy} played {play!r}, which is no play") from error

    def _is_mistaken(self, strategy: Strategy, view: View[Any]) -> bool:
        """Whether it is the game's fault that a strategy failed: our own ones ask nothing that
        a game must not answer; anybody may ask for the plays."""
        if is_ours(strategy) and not is_ours(self.game):
            return True
        try:
            view.plays()
        except BaseException as error:
            if is_interrupt(error):
                raise
            return True
        return False


def is_ours(what: Strategy | Game[Any, Any]) -> bool:
    """Whether it came with Kibitz."""
    return type(what).__module__.split(".")[0] == "kibitz"


def _is_among(plays: Sequence[Any], play: Any) -> bool:
    """What a strategy gave may be anything, even what can't be compared."""
    try:
        return play in plays
    except Exception:
        return False


def play_out(
    game: Game[Any, Any],
    strategies: Sequence[Strategy],
    seed: int,
    first: int = 0,
    limit: float | None = None,
) -> Table:
    """One game between strategies, through views: for any strategy."""
    table = Table(game, seed, first)
    table.play_out(strategies, limit)
    return table
