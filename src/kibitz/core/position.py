"""A position: a game and a state of it, as a value that a person looks at and plays on from."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from kibitz.core import checks
from kibitz.core.errors import BadValue, UnsuitableGame
from kibitz.core.game import CHANCE, Game, View
from kibitz.core.strategy import Knows


@dataclass(frozen=True, eq=False, repr=False)
class Position:
    """A game and a state of it. A play gives a new position; this one stays as it is.

    Seats count from 0 here and everywhere in Python: they are indices. In what is printed, in
    texts and in JSON they count from 1.

    At a prompt a position is the table as the seat to move sees it, in a notebook it is drawn.

    Parameters
    ----------
    game
        The game, as `kibitz.make_game` makes it.
    state
        One of its states. Mostly positions come from `game.start`, `game.position_of` and
        `Position.play`, which give the state.

    Examples
    --------
    >>> import kibitz
    >>> game = kibitz.make_game("twenty-one")
    >>> position = game.start()
    >>> position.mover, position.plays()
    (0, (Play('4'), Play('5'), Play('6')))
    >>> position.play("4").play("6")
    twenty-one: seat 1 to play
    sum 10 of 21
    seat 1 to choose: 4, 5, 6
    >>> position.play("4").play("6") == position.play("6").play("4")
    True
    """

    game: Game[Any, Any]
    state: Any
    turns: tuple[tuple[Any, Any], ...] = field(default=(), kw_only=True)
    """Every turn so far, if it was played from a start: the state before, and the play. Views
    tell what their seat has seen of it. Equal positions may have come about in other ways."""

    def __post_init__(self) -> None:
        checks.one_of(self.game, Game, "a game")
        checks.one_of(self.turns, tuple, "a tuple of turns, each a state and the play,")
        self.game.is_over(self.state)  # says what is wrong with it
        # Nobody else has this one, so that a position stays what it is.
        object.__setattr__(self, "state", _locked(self.game.copied(self.state)))

    @classmethod
    def parse(cls, game: Game[Any, Any] | str, text: str) -> Position:
        """The position that a line describes; what it leaves out is unknown.

        >>> import kibitz
        >>> kibitz.Position.parse("love-letter", "face_up=king prince handmaid; hand1=guard baron")
        love-letter: seat 1 to play
        Deck ▮▮▮▮▮▮▮▮▮ 9   aside  ▒▒   face up  Handmaid, Prince, King
          seat 2        ▒▒   played: –
        ▸ seat 1 (you)  Guard 1, Baron 3   played: –
        """
        from kibitz.core.registry import game_of

        made = game_of(game)
        return cls(made, made.parse_position(checks.text(text, "a position")))

    # -- what there is to know -------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.game.is_over(self.state))

    @property
    def mover(self) -> int | None:
        """The seat to move, from 0; `kibitz.CHANCE` where chance moves; None at an end."""
        return None if self.is_over else int(self.game.mover(self.state))

    @property
    def returns(self) -> tuple[float, ...]:
        """The result of each seat, if the game is over."""
        if not self.is_over:
            raise BadValue(f"the {self.game.traits.unit} is not over: it has no result yet")
        return tuple(self.game.returns(self.state))

    @property
    def text(self) -> str:
        """The position as one line, which `parse` reads. All cards are in it, hidden ones too."""
        return self.game.position(self.state)

    def plays(self) -> tuple[Any, ...]:
        """The legal plays, lowest first; where chance moves, the possible outcomes."""
        return () if self.is_over else tuple(self.game.plays(self.state))

    def view(self, seat: int | None = None, knows: Knows = Knows.FAIR) -> View[Any]:
        """What a seat may know: what a player who sits there gets to see.

        Parameters
        ----------
        seat
            Which, from 0; else the seat to move.
        knows
            What is laid open to it besides: `Knows.OPEN_HANDS` or `Knows.OPEN_DECK`.
        """
        if seat is None:
            seat = self.mover
            if seat is None or seat == CHANCE:
                raise BadValue("nobody is to move here: say whose view, such as view(0)")
        game, seat = self.game, checks.seat(seat, self.game.players)
        later = [*(before for before, _ in self.turns[1:]), self.state]
        log = tuple(
            game.presenter.narrate(before, play, after, seat)
            for (before, play), after in zip(self.turns, later, strict=False)
        )
        past = tuple(
            seen_turn(game, before, play, seat)
            for before, play in self.turns
            if game.mover(before) != CHANCE
        )
        return view_of(game, self.state, seat, knows, log=log, past=past)

    # -- playing on ------------------------------------------------------------------------

    def play(self, play: Any) -> Position:
        """The position after a play, given as one of `plays()` or as its text.

        Raises
        ------
        IllegalPlay
            If the rules forbid it, with the reason and the number of the rule.
        """
        ours = self.game.match_play(self.state, play)
        after = self.game.after(self.state, ours)
        return Position(self.game, after, turns=(*self.turns, (self.state, ours)))

    def after_chance(self, seed: int) -> Position:
        """The position when chance has moved, by lots that this seed draws; if somebody is to
        move or the game is over, this position.

        >>> import kibitz
        >>> rolling = kibitz.make_game("pig").start().play("roll")
        >>> rolling.mover == kibitz.CHANCE, rolling.after_chance(seed=2).mover
        (True, 0)
        """
        from kibitz.jit.rng import stream

        lots, position = stream(checks.seed(seed)), self
        while position.mover == CHANCE:
            position = position.play(self.game.draw_chance(position.state, lots))
        return position

    # -- as a value ------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.game, self._key()))

    def _key(self) -> Any:
        try:
            return self.game.key(self.state)
        except UnsuitableGame:  # it does not say which states are equal
            return self.text

    # -- as a picture ----------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"{self.game}: {self._status()}\n{table_text(self._shown())}"

    def _repr_html_(self) -> str:
        view = self._shown()
        return view.game.presenter.html(view, title=f"{self.game}: {self._status()}")

    def _status(self) -> str:
        mover = self.mover
        if mover is None:
            return f"over, {self.game.presenter.outcome(self.state)}"
        return "chance moves" if mover == CHANCE else f"seat {mover + 1} to play"

    def _shown(self) -> View[Any]:
        """What a person may see of it: at an end what is laid down then."""
        mover = self.mover
        if mover is None:
            return replace(self.game.view_at_the_end(self.state, 0), past=self.view(0).past)
        return self.view(0 if mover == CHANCE else mover)


def _locked(state: Any) -> Any:
    """An array that nobody can write into; anything else as it is."""
    if hasattr(state, "setflags"):
        state.setflags(write=False)
    return state


# -- what a seat sees ------------------------------------------------------------------------


def view_of(game: Game[Any, Any], state: Any, seat: int, knows: Knows, **more: Any) -> View[Any]:
    """A state as a player sees it who knows so much; without what came before, unless more of
    the view is given."""
    checks.one_of(knows, Knows, "what a player knows, such as Knows.FAIR,")
    if knows is Knows.OPEN_DECK:
        seen = game.view_class(game, checks.seat(seat, game.players), state)
    elif knows is Knows.OPEN_HANDS:
        seen = game.view_open_hands(state, seat)
    else:
        seen = game.view(state, seat)
    state = game.copied(seen.state)  # they may write into it
    return replace(seen, game=game.for_player(seen), state=state, **more)


def seen_turn(game: Game[Any, Any], before: Any, play: Any, seat: int) -> tuple[Any, Any]:
    """A turn as a seat saw it: its view of the state before, and the play if it knows it."""
    return game.copied(game.view(before, seat).state), game.observed_play(before, seat, play)


def table_text(view: View[Any]) -> str:
    """The table as the view's seat sees it, for a prompt."""
    return view.game.presenter.text(view)
