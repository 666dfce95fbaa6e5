"""One game, played or replayed, as a value to look at: `kibitz.play` and `kibitz.replay`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.core import checks
from kibitz.core.errors import BadText, BadType
from kibitz.core.game import Game
from kibitz.core.position import Position
from kibitz.core.registry import game_of, strategy_of
from kibitz.core.shown import Framed, text_html
from kibitz.core.strategy import Strategy
from kibitz.table.record import PERSON, Record, called, read_record, read_records
from kibitz.table.record import replay as play_again
from kibitz.table.table import Table


@dataclass(frozen=True, repr=False)
class PlayedGame(Framed):
    """A game that was played: to its end, or as far as a record goes.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.play("twenty-one", [lambda view: "6", lambda view: "5"])
    twenty-one, seed 0; seat 1 the strategy lambda, seat 2 the strategy lambda; seat 1 begins
       1  seat 1: 6
       2  seat 2: 5
       3  seat 1: 6
       4  seat 2: 5
          seat 1 wins
    """

    game: str
    seed: int
    players: tuple[str, ...]
    plays: tuple[str, ...]
    """Outcomes of chance too, as texts."""
    returns: tuple[float, ...]
    """The result of each seat; empty if the game is not over."""
    log: tuple[str, ...]
    """What happened, as everybody at the table saw it."""
    record: Record
    """What `kibitz replay` reads, as a line of a file: `record.model_dump_json()`."""
    rules: Game[Any, Any] = field(compare=False)
    """The game itself."""

    @classmethod
    def of(cls, record: Record, table: Table) -> PlayedGame:
        """What was played at a table, of which this is the record."""
        game = table.game
        return cls(
            str(game), record.seed, tuple(record.players), tuple(record.plays),
            tuple(record.returns or ()), tuple(_log(game, record)), record, game,
        )  # fmt: skip

    @property
    def positions(self) -> tuple[Position, ...]:
        """Every position of it, from the start to the last one: `positions[n]` is the one before
        the play `plays[n]`. They know what was played before, so `kibitz.explain` does too."""
        return tuple(_positions(self.rules, self.record))

    def rows(self) -> list[dict[str, Any]]:
        """A row for each seat, which counts from 1."""
        results = self.returns or (None,) * len(self.players)
        return [
            {
                "game": self.game, "seed": self.seed, "seat": seat, "player": player,
                "result": result,
            }
            for seat, (player, result) in enumerate(zip(self.players, results, strict=True), 1)
        ]  # fmt: skip

    @property
    def heading(self) -> str:
        """What was played, and by whom."""
        who = ", ".join(f"seat {i} {called(name)}" for i, name in enumerate(self.players, 1))
        return f"{self.game}, seed {self.seed}; {who}; seat {self.record.first} begins"

    def lines(self, positions: bool = False) -> Iterator[str]:
        """The course of the game, play by play, with what each held who played; if wanted, with
        the position before every play. While a game goes on, nobody sees more of it than the
        person who plays."""
        game, record = self.rules, self.record
        ended = bool(self.returns)
        seat = record.players.index(PERSON) if PERSON in record.players and not ended else None
        again = Table(game, record.seed, record.first - 1, record.plays)
        for i, line in enumerate(again.logs[seat or 0], 1):
            yield f"{i:4}  {line}"  # chance began
        shown = len(again.plays)
        while shown < len(self.plays):
            before = again.state if seat is None else again.view(seat).state
            if positions:
                yield f"      {game.position(before)}"
            yield from _hand(game, before, again.mover)
            earlier = again.state
            play = game.parse_play(earlier, self.plays[shown])
            again.play(play)
            if seat is None and len(again.plays) == shown + 1:
                lines = [game.presenter.narrate(earlier, play, again.state, None)]
            else:
                lines = again.logs[seat or 0][shown:]
            for i, line in enumerate(lines, shown + 1):
                yield f"{i:4}  {line}"
            shown = len(again.plays)
        if not ended:
            yield "      not over yet"
            return
        for holder in range(game.players):
            yield from _hand(game, again.state, holder)
        outcome = game.presenter.outcome(again.state)
        if not again.logs[0] or outcome.lower() not in again.logs[0][-1].lower():
            yield f"      {outcome}"

    def __repr__(self) -> str:
        return "\n".join([self.heading, *self.lines()])

    def _repr_html_(self) -> str:
        return text_html(repr(self))


def _positions(game: Game[Any, Any], record: Record) -> Iterator[Position]:
    position = game.start(record.seed, record.first - 1)
    yield position
    for play in record.plays:
        position = position.play(game.parse_play(position.state, play))
        yield position


def _log(game: Game[Any, Any], record: Record) -> Iterator[str]:
    """As everybody may know it."""
    state = game.deal(record.seed, record.first - 1)
    for text in record.plays:
        play = game.parse_play(state, text)
        after = game.after(state, play)
        yield game.presenter.narrate(state, play, after, None)
        state = after


def _hand(game: Game[Any, Any], state: Any, seat: int) -> Iterator[str]:
    """What a seat holds, if that may be seen."""
    hand = game.presenter.held(state, seat)
    if hand:
        yield f"      seat {seat + 1} holds {hand}"


def play(
    game: str | Game[Any, Any],
    players: Sequence[Any],
    *,
    seed: int = 0,
    limit: float | None = None,
) -> PlayedGame:
    """Play one game between strategies, seat by seat.

    Parameters
    ----------
    game
        A game, or its text.
    players
        A strategy, or its text, for each seat.
    seed
        The same seed, the same game.
    limit
        Seconds that a decision may take.

    Returns
    -------
    PlayedGame
        Its plays, positions and result, and its record.

    Raises
    ------
    Forfeit
        If a strategy fails, plays illegally or thinks for too long.

    Examples
    --------
    >>> import kibitz
    >>> done = kibitz.play("love-letter", ["greedy", "random"], seed=1)
    >>> sum(done.returns)
    0.0
    """
    made = game_of(game)
    strategies = strategies_of(players)
    if len(strategies) != made.players:
        raise BadText(f"{made} has {made.players} players, not {len(strategies)}")
    for strategy in strategies:
        strategy.check_game(made)
    table = Table(made, seed)
    table.play_out(strategies, checks.limit(limit))
    return PlayedGame.of(Record.of(table, [str(strategy) for strategy in strategies]), table)


def strategies_of(players: Sequence[Any]) -> list[Strategy]:
    """The strategies that somebody names, each as itself or by its text."""
    if isinstance(players, str) or not isinstance(players, Sequence):
        raise BadType(f"players are a list of strategies, not {checks.brief(players)}")
    return [strategy_of(player) for player in players]


def replay(
    record: Record | PlayedGame | str | Path,
    *,
    number: int | None = None,
    game: Game[Any, Any] | None = None,
) -> PlayedGame:
    """Play a recorded game again; every play is checked.

    Parameters
    ----------
    record
        A record, a game that was played, a line of JSON, or a file of records.
    number
        Which game of the file, from 1; else the last.
    game
        The game itself, if it is in a file of yours: a file that a record names is not opened.

    Returns
    -------
    PlayedGame
        With `positions`, `log` and the result. Its repr tells the game play by play.

    Examples
    --------
    >>> import kibitz
    >>> played = kibitz.play("twenty-one", ["alpha-beta", "random"], seed=1)
    >>> again = kibitz.replay(played.record)
    >>> again == played
    True
    >>> again.positions[0].play(again.plays[0]) == again.positions[1]
    True
    """
    where = "record"
    if number is not None:
        number = checks.whole_number(number, "number")
    if isinstance(record, PlayedGame):
        game = record.rules if game is None else game
        record = record.record
    elif isinstance(record, str) and record.lstrip().startswith("{"):
        record = read_record(record, where)
    elif isinstance(record, str) and not record.strip():
        raise BadText("an empty text is no record: give a file of records, or a line of JSON")
    elif isinstance(record, (str, Path)):
        where, record = _in_file(Path(record), number)
    elif not isinstance(record, Record):
        raise BadType(
            f"a record, a line of JSON or a file of records is wanted, not {checks.brief(record)}"
        )
    return PlayedGame.of(record, play_again(record, where, game))


def _in_file(path: Path, number: int | None) -> tuple[str, Record]:
    """A record of a file, and where it is."""
    records = read_records(path)
    number = len(records) if number is None else number
    if not 1 <= number <= len(records):
        raise BadText(f"{path}: there is no game {number}; it has 1 to {len(records)}")
    return f"{path}, game {number}", records[number - 1]
