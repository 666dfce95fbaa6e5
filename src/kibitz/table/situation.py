"""A situation: somebody has to decide. From a position, or from a turn of a recorded game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from kibitz.core import checks
from kibitz.core.code_file import describe_with_line
from kibitz.core.errors import BadText, BadValue, IllegalPlay, KibitzError, UnsuitableGame
from kibitz.core.explanation import Explanation
from kibitz.core.game import CHANCE, Game, View
from kibitz.core.position import Position, view_of
from kibitz.core.registry import strategy_of
from kibitz.core.strategy import Knows, Strategy, sit_down
from kibitz.jit.rng import stream
from kibitz.strategies.common.levels import explainer_for
from kibitz.table.record import PERSON, Record, replay
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Forfeit, Table


@dataclass(frozen=True)
class Situation:
    """A state before a decision, and what its mover has seen."""

    game: Game[Any, Any]
    state: Any
    seat: int
    log: tuple[str, ...] = ()
    past: tuple[tuple[Any, Any], ...] = ()
    played: str | None = None
    """What was decided, if it is known."""
    going_on: bool = False
    """A person still plays it, so nobody may see more of it."""

    def view(self, knows: Knows = Knows.FAIR) -> View[Any]:
        """What the mover gets to see by what its strategy says it knows."""
        return view_of(self.game, self.state, self.seat, knows, log=self.log, past=self.past)

    def explain(self, strategy: Strategy, seed: int) -> Explanation:
        """What a strategy would play here, and why."""
        strategy.check_game(self.game)
        view = self._whole_view(strategy)
        rng = GameSeeds.alone(seed).seat(self.seat)
        try:
            explanation = sit_down(strategy, view.game, self.seat, rng).explain(view)
        except IllegalPlay as error:
            raise Forfeit(self.seat, f"{strategy} can't explain its play: {error}") from error
        except KibitzError:
            raise
        except Exception as error:
            raise Forfeit(self.seat, f"{strategy} failed: {describe_with_line(error)}") from error
        return checks.one_of(explanation, Explanation, f"an explanation by {strategy}")

    def _whole_view(self, strategy: Strategy) -> View[Any]:
        """The view that a strategy wants. What a position leaves out, compiled code would
        take for cards."""
        if self.going_on and strategy.knows is not Knows.FAIR:
            raise UnsuitableGame(
                f"{strategy} is {strategy.knows}: it would tell what a person who still plays"
                " must not see"
            )
        missing = self.game.missing(self.state, self.seat, strategy.knows)
        if missing:
            raise BadText(
                f"{strategy} ({strategy.knows}) must see what the position leaves out:"
                f" {', '.join(missing)}"
            )
        view = self.view(strategy.knows)
        if strategy.determinizes:
            try:
                self.game.redeal(view, stream(self.seat))
            except BadText as error:
                raise BadText(f"{strategy} deals the unseen cards, but {error}") from None
        return view


def explain(position: Position, by: Any = None, *, seed: int = 0) -> Explanation:
    """What a strategy would play in a position, and why.

    Parameters
    ----------
    position
        Where somebody has to decide. It may leave out what the strategy need not see.
    by
        A strategy, or its text, such as `pimc` or `ismcts:simulations=2000`; else a strong one
        that sees no more than a player at the table.
    seed
        Of the strategy's random numbers.

    Returns
    -------
    Explanation
        Every legal play with its score, the best first; what is believed about the hidden cards;
        and why, in words.

    Examples
    --------
    >>> import kibitz
    >>> text = "face_up=king prince handmaid; hand1=guard baron"
    >>> position = kibitz.Position.parse("love-letter:deck=thesis", text)
    >>> explained = kibitz.explain(position, by="greedy")
    >>> explained.best
    Play('guard>2=priest')
    >>> explained.sentence
    'Play the Guard: name the Priest, which seat 2 holds with probability 20%; keep the Baron.'
    """
    checks.one_of(position, Position, "a position, such as game.start(seed) gives,")
    strategy = explainer_for(position.game) if by is None else strategy_of(by)
    situation = at_position(position.game, position.state)
    seen = position.view(situation.seat)
    return replace(situation, log=seen.log, past=seen.past).explain(strategy, checks.seed(seed))


def at_position(game: Game[Any, Any], state: Any, seat: int | None = None) -> Situation:
    """Who is to move decides; that must be the seat, if one is named."""
    if game.is_over(state):
        raise BadText(f"the {game.traits.unit} is over: there is nothing to decide")
    mover = game.mover(state)
    if mover == CHANCE:
        raise BadText("chance moves here: there is nothing to decide")
    _check_seat(game, seat)
    if seat is not None and mover != seat:
        raise BadText(f"it is seat {mover + 1}'s turn here, not seat {seat + 1}'s")
    missing = game.missing(state, mover, Knows.FAIR)
    if missing:
        left_out = ", ".join(missing)
        raise BadText(f"seat {mover + 1} must see what the position leaves out: {left_out}")
    return Situation(game, state, mover)


def in_record(
    record: Record,
    where: str,
    turn: int | None = None,
    seat: int | None = None,
    own: Game[Any, Any] | None = None,
) -> tuple[int, Situation]:
    """The situation before a turn of a recorded game, and the turn's number.

    If none is given: the last decision, of a seat if one is named; in a game that goes on, the one
    to be made. While a person plays on, nobody sees more of the game than that person. `own`: see
    Record.make_game.
    """
    table = replay(record, where, own)
    _check_seat(table.game, seat)
    going_on = PERSON in record.players and not table.is_over
    person = record.players.index(PERSON) if going_on else None
    decisions = _decisions(record, table, going_on)
    if turn is None:
        wanted = person if seat is None else seat
        turns = [n for n, one in decisions.items() if wanted is None or one.seat == wanted]
        if not turns:
            whose = "" if wanted is None else f" of seat {wanted + 1}"
            raise BadText(f"{where}: there is no decision{whose} in it")
        turn = turns[-1]
    elif turn not in decisions:
        raise BadText(f"{where}: {_why_not(turn, decisions, table)}")
    situation = decisions[turn]
    if seat is not None and situation.seat != seat:
        raise BadText(f"{where}: turn {turn} is seat {situation.seat + 1}'s, not seat {seat + 1}'s")
    if person is not None and situation.seat != person:
        raise UnsuitableGame(
            f"{where}: the game goes on, so only the turns of seat {person + 1}, the person's,"
            " can be looked at"
        )
    return turn, situation


def _decisions(record: Record, played: Table, going_on: bool) -> dict[int, Situation]:
    """Every decision by the number of its turn, as `kibitz replay` counts them."""
    game = played.game
    table = Table(game, record.seed, record.first - 1, record.plays)
    decisions: dict[int, Situation] = {}
    while not table.is_over:
        n, seat = len(table.plays), table.mover
        made = played.plays[n] if n < len(played.plays) else None
        view = table.view(seat)
        decisions[n + 1] = Situation(game, table.state, seat, view.log, view.past, made, going_on)
        if made is None:
            break
        table.play(game.parse_play(table.state, made))
    return decisions


def _why_not(turn: int, decisions: dict[int, Situation], table: Table) -> str:
    if not 1 <= turn <= len(table.plays):
        return f"there is no turn {turn}; the last decision is turn {max(decisions, default=0)}"
    return f"turn {turn} is chance's: nobody decides there"


def _check_seat(game: Game[Any, Any], seat: int | None) -> None:
    if seat is not None and not 0 <= seat < game.players:
        raise BadValue(f"seat {seat + 1} is not possible; allowed: 1 to {game.players}")
