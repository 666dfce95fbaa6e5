"""A table: one game being played, with what each seat has seen of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from kibitz.arena.seeds import chance_stream, seat_stream
from kibitz.model import CHANCE, Game, IllegalPlay, Knows, Strategy, View


def view_of(game: Game[Any, Any], state: Any, seat: int, knows: Knows) -> View[Any]:
    """A state as a player sees it who knows so much; without what came before."""
    if knows is Knows.OPEN_DECK:
        return View(game, seat, state)
    if knows is Knows.OPEN_HANDS:
        return game.view_open_hands(state, seat)
    return game.view(state, seat)


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
    game: Game[Any, Any], strategies: Sequence[Strategy], seed: int, first: int = 0
) -> Table:
    """One game between strategies, seat by seat, through views: for any strategy."""
    table = Table(game, seed, first)
    players = [s.sit(game, seat, seat_stream(seed, seat)) for seat, s in enumerate(strategies)]
    while not table.is_over:
        seat = table.mover
        view = table.view(seat, strategies[seat].knows)
        started = time.perf_counter()
        play = players[seat].choose(view)
        table.seconds[seat] += time.perf_counter() - started
        try:
            table.play(play)
        except IllegalPlay as error:
            reason = f"{strategies[seat]} played {play}: {error.reason}"
            raise IllegalPlay(reason, error.rule) from None
    return table
