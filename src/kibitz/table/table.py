"""A table: one game being played, with what each seat has seen of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from kibitz.core import checks
from kibitz.core.code_file import describe_with_line
from kibitz.core.errors import BadText, BadValue, IllegalPlay, KibitzError, StrategyFailed
from kibitz.core.game import CHANCE, Game, Play, View
from kibitz.core.interrupts import is_interrupt
from kibitz.core.position import seen_turn, view_of
from kibitz.core.strategy import Knows, Player, Strategy, sit_down
from kibitz.jit.cache import building_seconds
from kibitz.table.seeds import GameSeeds
from kibitz.table.time_limit import TimedOut, limited


class Forfeit(KibitzError):
    """A strategy has lost a game by failing: it raised, took too long or played illegally.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.play("pig", [lambda view: "pass", "random"])
    Traceback (most recent call last):
    kibitz.table.table.Forfeit: lambda played 'pass': 'pass' is not possible here
    """

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(" ".join(reason.split()))
        self.seat = seat


class Table:
    """The state, the plays so far, and a log for each seat. Chance moves by itself: as
    recorded plays say it did, as far as there are any."""

    def __init__(
        self,
        game: Game[Any, Any],
        seed: int | GameSeeds,
        first: int = 0,
        recorded: Sequence[str] = (),
    ) -> None:
        self.game: Game[Any, Any] = checks.one_of(game, Game, "a game")
        self.seeds = seed if isinstance(seed, GameSeeds) else GameSeeds.alone(checks.seed(seed))
        self.seed = self.seeds.shuffle
        self.first = checks.seat(first, game.players, "first")
        self.recorded = recorded
        self.state = game.deal(self.seed, self.first)
        self.plays: list[str] = []
        self.movers: list[int] = []
        """Who made each play: a seat, or CHANCE."""
        self.logs: list[list[str]] = [[] for _ in range(game.players)]
        self.pasts: list[list[tuple[Any, Any]]] = [[] for _ in range(game.players)]
        self.decisions = [0] * game.players
        self.seconds = [0.0] * game.players
        self._settle()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.game.is_over(self.state)

    @property
    def mover(self) -> int:
        """The seat to move, or CHANCE."""
        return self.game.mover(self.state)

    def view(self, seat: int, knows: Knows = Knows.FAIR) -> View[Any]:
        """What a player in this seat gets to see, by what its strategy says it knows."""
        seat = checks.seat(seat, self.game.players)
        log, past = tuple(self.logs[seat]), tuple(self.pasts[seat])
        return view_of(self.game, self.state, seat, knows, log=log, past=past)

    def play(self, play: Any) -> None:
        """Make a play, given as one or as its text, checked; then chance, if it is its turn."""
        self._play(self.game.match_play(self.state, play))

    def _play(self, play: Any) -> None:
        """Make a play that is one of ours."""
        game, before = self.game, self.state
        after = game.after(before, play)
        self.decisions[self.mover] += 1
        for seat, past in enumerate(self.pasts):
            past.append(seen_turn(game, before, play, seat))
        self._make(play, after)
        self._settle()

    def _make(self, play: Any, after: Any) -> None:
        for seat, log in enumerate(self.logs):
            log.append(self.game.presenter.narrate(self.state, play, after, seat))
        self.movers.append(self.mover)
        self.plays.append(str(play))
        self.state = after

    def _settle(self) -> None:
        while not self.is_over and self.mover == CHANCE:
            outcome = self.game.draw_chance(self.state, self._chance)
            if len(self.plays) < len(self.recorded):
                outcome = self.game.parse_play(self.state, self.recorded[len(self.plays)])
            self._make(outcome, self.game.after(self.state, outcome))

    @cached_property
    def _chance(self) -> Any:
        return self.seeds.chance

    def play_out(
        self,
        strategies: Sequence[Strategy],
        limit: float | None = None,
        patience: float | None = None,
    ) -> None:
        """To the end, by strategies, seat by seat. A decision may take `limit` seconds; if there
        is none, one that may never end `patience` seconds."""
        if len(strategies) != self.game.players:
            n = self.game.players
            raise BadValue(f"{self.game} has {n} players, not {len(strategies)}")
        for strategy in strategies:
            checks.one_of(strategy, Strategy, "a strategy")
        players: dict[int, Player] = {}
        try:
            while not self.is_over:
                seat, strategy = self.mover, strategies[self.mover]
                view = self.view(seat, strategy.knows)
                watched = patience if self._may_hang(strategy) else None
                most = watched if limit is None else limit
                if seat not in players and strategy.trusted:
                    # To start takes its own time, and is no thinking.
                    self._ask(partial(self._sit, players, seat, strategy), view, strategy, watched)
                decide = partial(self._decide, players, seat, strategy, view)
                self._play_for(strategy, view, self._ask(decide, view, strategy, most))
        except Forfeit as failed:
            players.pop(failed.seat, None)
            with suppress(Forfeit):  # one has lost already
                self._end(players, strategies, patience)
            raise
        self._end(players, strategies, patience)

    def _may_hang(self, strategy: Strategy) -> bool:
        return not (strategy.trusted and is_ours(self.game))

    def _ask(
        self, work: Callable[[], Any], view: View[Any], strategy: Strategy, most: float | None
    ) -> Any:
        """What somebody else's code gives. If it takes too long or fails, it has lost."""
        try:
            return limited(most, work) if most else work()
        except TimedOut:
            raise Forfeit(view.seat, f"{strategy} thought for more than {most:g} s") from None
        except StrategyFailed as error:
            raise Forfeit(view.seat, f"{strategy} failed: {error}") from error
        except BaseException as error:
            if is_interrupt(error) or self._is_mistaken(strategy, view):
                raise
            failed = f"{strategy} failed: {describe_with_line(error)}"
            raise Forfeit(view.seat, failed) from error

    def _sit(self, players: dict[int, Player], seat: int, strategy: Strategy) -> None:
        players[seat] = sit_down(strategy, self.game.for_player(), seat, self.seeds.seat(seat))

    def _end(
        self, players: dict[int, Player], strategies: Sequence[Strategy], patience: float | None
    ) -> None:
        """Tell those who have sat down that the game is over."""
        for seat, player in players.items():
            if not listens(player):
                continue
            strategy = strategies[seat]
            view, returns = end_of(self, seat, strategy)
            watched = patience if self._may_hang(strategy) else None
            self._ask(partial(player.end, view, returns), view, strategy, watched)

    def _decide(
        self, players: dict[int, Player], seat: int, strategy: Strategy, view: View[Any]
    ) -> Any:
        """What the player in a seat does, which sits down first if it has not. Only what it
        decides takes time: not to sit down, nor to compile."""
        if seat not in players:
            self._sit(players, seat, strategy)
        started = time.perf_counter() - building_seconds()
        try:
            return players[seat].choose(view)
        finally:
            self.seconds[seat] += time.perf_counter() - building_seconds() - started

    def _play_for(self, strategy: Strategy, view: View[Any], play: Any) -> None:
        """Whatever a strategy gives: one of ours is played, or it has lost."""
        try:
            ours = self.game.match_play(self.state, play)
        except IllegalPlay as error:
            named = self._safe_text(play)
            raise Forfeit(view.seat, f"{strategy} played {named}: {error.reason}") from error
        except BadText as error:
            if type(play) is not str:  # else it is the game that is mistaken
                raise
            raise Forfeit(view.seat, f"{strategy} played {checks.brief(play)}: {error}") from error
        self._play(ours)

    def _safe_text(self, play: Any) -> str:
        """What a strategy gave may be anything: none of its own code is run to describe it."""
        ours = type(play) in {type(one) for one in self.game.plays(self.state)}
        ours = ours and issubclass(type(play), Play)
        text = getattr(play, "text", None) if ours else None
        if type(text) is str and len(text) < 60 and text.isprintable():
            return text
        return checks.brief(play)

    def _is_mistaken(self, strategy: Strategy, view: View[Any]) -> bool:
        """Whether it is the game's fault that a strategy failed: trusted ones ask nothing that a
        game must not answer; anybody may ask for the plays."""
        if strategy.trusted and not is_ours(self.game):
            return True
        try:
            self.view(view.seat, strategy.knows).plays()  # its own it may have spoiled
        except BaseException as error:
            if is_interrupt(error):
                raise
            return True
        return False


def is_ours(game: Game[Any, Any]) -> bool:
    """Whether a game came with Kibitz: then its rules answer whatever is asked."""
    return type(game).__module__.split(".")[0] == "kibitz"


def listens(player: Any) -> bool:
    """Whether a player wants to know how a game ends. Somebody else's need not be a `Player`."""
    own = getattr(type(player), "end", None)
    return own is not None and own is not Player.end


def end_of(
    table: Table, seat: int, strategy: Strategy
) -> tuple[View[Any], tuple[float, ...] | None]:
    """What a player gets to see of an end, and the results: none if it was broken off."""
    view = table.view(seat, strategy.knows)
    if not table.is_over:
        return view, None
    if strategy.knows is Knows.FAIR:
        seen = table.game.view_at_the_end(table.state, seat)
        view = replace(view, state=table.game.copied(seen.state))
    return view, tuple(table.game.returns(table.state))


def play_out(
    game: Game[Any, Any],
    strategies: Sequence[Strategy],
    seed: int | GameSeeds,
    first: int = 0,
    limit: float | None = None,
) -> Table:
    """One game between strategies, through views: for any strategy."""
    table = Table(game, seed, first)
    table.play_out(strategies, checks.limit(limit))
    return table
