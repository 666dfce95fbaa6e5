"""What a game, a play, a view and a strategy are.

A game is the model of the theses: an initial state, the legal plays of a state, the
transition that a play makes, and the value of an end. Everything else in Kibitz knows games
only through this. Seats are counted from 0 here and from 1 in everything a person sees.

A game in plain Python derives from `Game` and needs `deal`, `mover`, `plays`, `after`,
`is_over` and `returns`. The games that come with Kibitz are compiled: see
`kibitz.games.compiled_game`.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from enum import StrEnum
from numbers import Real as Number
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from kibitz.core import checks
from kibitz.core.errors import BadText, BadType, IllegalPlay, KibitzError, UnsuitableGame
from kibitz.core.options import Configured
from kibitz.core.strategy import Knows

if TYPE_CHECKING:
    import numpy as np

    from kibitz.core.position import Position
    from kibitz.core.presenter import Presenter

CHANCE = -1
"""What `mover` says where chance moves."""

S = TypeVar("S")
P = TypeVar("P", bound=Hashable)
T = TypeVar("T")


# -- kinds of game -------------------------------------------------------------------------


class Chance(StrEnum):
    """Where a game has chance in it.

    Examples
    --------
    >>> import kibitz
    >>> [str(kibitz.games()[name].traits.chance) for name in ("tic-tac-toe", "tablic", "pig")]
    ['none', 'deal', 'play']
    """

    NONE = "none"
    DEAL = "deal"
    """A shuffled deck, nothing later."""
    PLAY = "play"
    """Dice or coins during play: states where chance moves."""


@dataclass(frozen=True)
class Traits:
    """What kind of game it is: algorithms refuse by this, early and with a reason.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.Traits(chance=kibitz.Chance.DEAL, hidden=True).kind
    'chance, hidden'
    >>> kibitz.make_game("love-letter").traits.unit
    'round'
    """

    chance: Chance = Chance.NONE
    hidden: bool = False
    """Whether a player does not see everything."""
    unit: str = "game"
    """What one playing is called: a round of Love Letter, a game of Tablić."""
    match: bool = False
    """Whether several of them make a match."""
    roles: bool = False
    """Whether each seat has a part of its own, such as MAX and MIN: then the game says who begins,
    whatever seat `deal` is given."""

    def __post_init__(self) -> None:
        """What a declaration says is checked where it stands: a text is not the kind of chance that
        it names."""
        if type(self.chance) is not Chance:
            raise BadType(f"chance is one such as Chance.DEAL, not {checks.brief(self.chance)}")
        for name in ("hidden", "match", "roles"):
            checks.flag(getattr(self, name), name)
        checks.text(self.unit, "what one playing is called")

    @property
    def kind(self) -> str:
        """The kind in words, such as "chance, hidden"."""
        luck = "deterministic" if self.chance is Chance.NONE else "chance"
        return f"{luck}, {'hidden' if self.hidden else 'open'}"


class ResultKind(StrEnum):
    """What the result of a game counts, in words of a player.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.make_game("kuhn-poker").result_kind
    <ResultKind.CHIPS: 'chips'>
    """

    WIN = "win"
    """Who wins gets 1, which the others pay in equal parts: a chance to win."""
    POINTS = "points"
    CHIPS = "chips"
    NUMBER = "number"
    """Nothing that has a name."""


# -- plays, views, games -------------------------------------------------------------------


@dataclass(frozen=True, order=True)
class Play:
    """A play of a compiled game: its number in the kernels and its text form.

    Examples
    --------
    >>> import kibitz
    >>> play = kibitz.make_game("tic-tac-toe").start().plays()[0]
    >>> play, str(play), play.code
    (Play('a1'), 'a1', 0)
    """

    code: int
    text: str = field(compare=False)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Play({self.text!r})"


@dataclass(frozen=True, repr=False)
class View(Generic[S]):
    """What one seat may know: a state whose hidden parts are blank, and what it has seen.

    The games that come with Kibitz have a class of their own for it, whose properties are what the
    seat sees as plain Python: `hand`, `table`, `discards`, `turn` … Cards are their text forms.
    Seats count from 0, as everywhere in Python; in texts and in JSON they count from 1.

    Examples
    --------
    >>> import kibitz
    >>> view = kibitz.make_game("kuhn-poker").start(seed=1).view()
    >>> view.seat, view.turn, view.hand
    (0, 0, ('K',))
    >>> [str(play) for play in view.plays()]
    ['pass', 'bet']
    """

    seat_fields: ClassVar[frozenset[str]] = frozenset({"seat", "turn"})
    """The readable fields whose values, or whose keys, are seats: they count from 1 in JSON."""

    game: Game[S, Any]
    seat: int
    state: S
    log: tuple[str, ...] = ()
    past: tuple[tuple[S, Any], ...] = ()
    """Every turn so far, as this seat saw it: the state before, and the play if it knows it."""

    def __post_init__(self) -> None:
        checks.one_of(self.game, Game, "a game")

    @property
    def turn(self) -> int | None:
        """The seat to move, CHANCE where chance moves, None at the end."""
        return None if self.game.is_over(self.state) else self.game.mover(self.state)

    def plays(self) -> Sequence[Any]:
        """The legal plays, if it is this seat's turn. They follow from what it sees."""
        return self.game.plays(self.state)

    def __repr__(self) -> str:
        from kibitz.core.position import table_text

        return f"{self.game}: what seat {self.seat + 1} sees\n{table_text(self)}"

    def _repr_html_(self) -> str:
        return self.game.presenter.html(self)


class Moves(Sequence[tuple[P, S]]):
    """Each legal play with the state it leads to, made only when somebody looks."""

    def __init__(self, game: Game[S, P], state: S) -> None:
        self.game = game
        self.state = state
        self.plays = game.plays(state)
        if not isinstance(self.plays, Sequence):
            kind = type(self.plays).__name__
            raise BadText(f"{game.name}: plays must give a list, not a {kind}")

    def __len__(self) -> int:
        return len(self.plays)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        return self.plays[i], self.game.after(self.state, self.plays[i])

    def __iter__(self) -> Iterator[tuple[P, S]]:
        # Written out: the inherited one takes an IndexError in `after` for the end.
        for play in self.plays:
            yield play, self.game.after(self.state, play)


@dataclass(slots=True)
class Turn(Generic[S, P]):
    """All that a search asks of a state: who moves, where each play leads; or the value."""

    mover: int | None
    """A seat, CHANCE, or None at an end."""
    moves: Sequence[tuple[P, S]] = ()
    chances: Sequence[float] = ()
    """The probability of each move, where chance moves."""
    value: float = 0.0
    """The value of an end to the protagonist."""


def draw_one(weighted: Sequence[tuple[T, float]], rng: np.ndarray) -> T:
    """One of several things, drawn by their weights, which add up to 1."""
    from kibitz.jit.rng import unit

    left = unit(rng)
    for thing, weight in weighted:
        left -= weight
        if left < 0:
            return thing
    return weighted[-1][0]  # they add up to 1 but for rounding


WIN_OR_LOSE: Mapping[str, float] = {"lost": -1, "drawn": 0, "won": 1}


class Game(Configured, ABC, Generic[S, P]):
    """The rules of one game. States are values: a play gives a new state.

    Examples
    --------
    >>> import kibitz
    >>> class Nim(kibitz.Game):
    ...     labels = {"lost": -1, "won": 1}
    ...     def deal(self, seed, first=0):
    ...         return 5, first
    ...     def mover(self, state):
    ...         return state[1]
    ...     def is_over(self, state):
    ...         return state[0] == 0
    ...     def plays(self, state):
    ...         return list(range(1, min(3, state[0]) + 1))
    ...     def after(self, state, play):
    ...         return state[0] - play, 1 - state[1]
    ...     def returns(self, state):
    ...         return (-1, 1) if state[1] == 0 else (1, -1)
    >>> Nim().start().play(2).plays()
    (1, 2, 3)
    >>> kibitz.solve(Nim()).label
    'won'
    """

    traits: ClassVar[Traits] = Traits()
    never: ClassVar[str] = ""
    """What the random strategy never plays, in words."""
    labels: ClassVar[Mapping[str, float]] = {}
    """What an end is called, and its number: the higher the better for seat 0."""
    result_kind: ClassVar[ResultKind | None] = None
    """What a result counts; None: a chance to win if ends have labels, else a plain number."""

    view_class: ClassVar[type[View[Any]]] = View
    """The class of its views, with what a seat sees as readable properties."""
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = None
    """How it is shown to people, if not as any game can be."""

    # What strategies know of this game. Modules are named, not imported: a game knows nothing of
    # who plays it, and they are loaded when a strategy sits down. docs/adding-a-game.md says what
    # each module must have.

    levels: ClassVar[Mapping[str, str | tuple[str, ...]]] = {"easy": "random"}
    """The opponent of a person at each level, easy, medium and hard: a strategy's text, or several,
    of which the first that can play the game with its options does."""
    adviser: ClassVar[str] = ""
    """Who gives hints, if not the strongest level that knows no more than a player may."""
    strategy_modules: ClassVar[Mapping[str, str]] = {}
    """The module with a strategy's knowledge of this game, by the strategy's name."""
    beliefs: ClassVar[Mapping[str, str]] = {}
    """The module that draws worlds by how the others have played, by the model of the others."""
    counting: ClassVar[str] = ""
    """The module that counts by a formula how likely each hidden card is."""
    reasons: ClassVar[str] = ""
    """The module with the reasons that a card player would give for a play."""
    luck: ClassVar[str] = ""
    """The module that says what chance gave whom between two plays, for two players: see
    arena/luck.py."""
    open_card_twin: ClassVar[str] = ""
    """The module with the kernels of the game played with open cards, if they are not its own."""
    search_depths: ClassVar[Mapping[str, Mapping[int, int]]] = {}
    """Plies that a search looks ahead where the whole tree is too large: by the name of the
    strategy and the number of players."""
    explained_worlds: ClassVar[Mapping[str, int]] = {}
    """Worlds that an explanation looks into at most, by the name of the strategy: as many as
    take a second or so."""
    solve_command: ClassVar[str] = ""
    """The module of a solver of its own, for `kibitz solve`: its `solve(game, *, …)`, which prints;
    the other arguments are the options of the command."""
    solver: ClassVar[str] = ""
    """The module of a solver of its own, for `kibitz.solve`: `solve(game, start, seed, …)` gives a
    `Solution`. `start` is a position or None; what follows are its options, by their names."""
    continuation: ClassVar[str] = "random"
    """By whom the judge of a review plays on: a fair strategy that is quick, compiled and remembers
    nothing; or a module with such a policy and what draws its worlds: see play_model.py of Love
    Letter, and `search/fast/continuations.py`."""
    exact_plays: ClassVar[str] = ""
    """The module that knows what every play is worth in some views, exactly: its
    `exact_plays(view)` gives a mapping from plays to returns for the seat, and who says so, or
    None."""
    codec: ClassVar[str] = ""
    """The module that writes its views and plays as numbers, for whoever learns: see
    games/codec.py."""
    card_by_card: ClassVar[str] = ""
    """The module that deals card by card, for trees in which chance moves at each card: see
    interop/dealers.py. A game that lists its deals needs none."""
    quick_shuffles: ClassVar[int] = 250
    """Shuffles that a comparison of all quick strategies has, with two players: as many as take
    a minute or so."""

    def __init_subclass__(cls) -> None:
        """A game without a name or a title gets those of its class."""
        super().__init_subclass__()
        if not hasattr(cls, "name"):
            cls.name = cls.__name__
        if not hasattr(cls, "title"):
            cls.title = next(iter((cls.__doc__ or "").strip().splitlines()), cls.__name__)

    @property
    def players(self) -> int:
        """How many play: 2, unless an option says otherwise."""
        return int(self.settings.get("players", 2))

    @property
    def partners(self) -> int:
        """How many seats win or lose together."""
        return 1

    def team(self, seat: int) -> list[int]:
        """The seats that win or lose with this one, itself too: partners sit evenly apart."""
        apart = self.players // self.partners
        return [s for s in range(self.players) if (s - seat) % apart == 0]

    def search_depth(self, strategy: str) -> int | None:
        """Plies that this strategy looks ahead; None: to the end of the game."""
        depths = self.search_depths.get(checks.text(strategy, "a strategy"), {})
        return depths.get(self.players)

    @property
    def target(self) -> int:
        """What wins a match: rounds or points."""
        raise UnsuitableGame(f"{self.name} has no matches, only single games")

    @abstractmethod
    def deal(self, seed: int, first: int = 0) -> S:
        """The initial state. A shuffle is a function of the seed; seat `first` begins."""

    def start(self, seed: int = 0, first: int = 0) -> Position:
        """The position that a game begins with.

        Parameters
        ----------
        seed
            Of the shuffle: the same seed, the same cards.
        first
            The seat that begins, from 0.

        Examples
        --------
        >>> import kibitz
        >>> kibitz.make_game("tic-tac-toe").start().play("a1").mover
        1
        """
        from kibitz.core.position import Position

        return Position(self, self.deal(seed, first))

    def position_of(self, text: str) -> Position:
        """The position that a line describes; what it leaves out is unknown."""
        from kibitz.core.position import Position

        return Position.parse(self, text)

    @abstractmethod
    def mover(self, state: S) -> int:
        """The seat to move, or CHANCE."""

    @abstractmethod
    def is_over(self, state: S) -> bool:
        """Whether the game has ended."""

    @abstractmethod
    def plays(self, state: S) -> Sequence[P]:
        """The legal plays, lowest first; where chance moves, the possible outcomes; none once the
        game is over."""

    @abstractmethod
    def after(self, state: S, play: P) -> S:
        """The state that a legal play leads to. It is not checked: see `apply`."""

    @abstractmethod
    def returns(self, state: S) -> tuple[float, ...]:
        """The value of an end to each seat: the higher the better."""

    def value(self, state: S) -> float:
        """The value of an end to the protagonist, seat 0, in the numbers of `labels`."""
        values = self.returns(state)
        if not isinstance(values, (tuple, list)) or len(values) != self.players:
            raise BadText(f"{self.name}: returns must give a number for each seat, not {values}")
        return values[0]

    def label(self, value: float) -> str | None:
        """What a value is called, if it has a name."""
        return next((name for name, number in self.labels.items() if number == value), None)

    @property
    def bounds(self) -> tuple[float, float]:
        """Between what numbers the value of every end is known to lie."""
        values = self.labels.values()
        return (min(values), max(values)) if values else (-math.inf, math.inf)

    def features(self, state: S) -> Mapping[str, float]:
        """What an evaluation may weigh, each the higher the better for seat 0."""
        return {}

    weights: ClassVar[Mapping[str, float]] = {}
    """How much each feature counts, unless a search gets others."""

    def turn(self, state: S) -> Turn[S, P]:
        """All that a search asks of a state, at once. A game that contradicts itself here is
        refused: a search would go astray without a word."""
        if self.is_over(state):
            value = self.value(state)
            if not isinstance(value, Number) or not abs(value) < math.inf:
                raise BadText(f"{self.name}: the end {state} has the value {value}, not a number")
            return Turn(None, value=value)
        mover, moves = self.mover(state), Moves(self, state)
        if not moves:
            raise BadText(f"{self.name}: nobody can play in {state}, but it is not over")
        if mover != CHANCE:
            if mover not in range(self.players):
                raise BadText(f"{self.name}: {mover} is to move in {state}; seats count from 0")
            return Turn(mover, moves)
        return Turn(CHANCE, moves, self._checked_chances(state, moves.plays))

    def _checked_chances(self, state: S, plays: Sequence[P]) -> list[float]:
        """The probability of each play. Their own order need not be that of the plays."""
        chance_of = dict(self.chances(state))
        if chance_of.keys() != set(plays):
            raise BadText(f"{self.name}: plays and chances name different outcomes in {state}")
        chances = [chance_of[play] for play in plays]
        if not all(0 <= p <= 1 for p in chances) or not abs(sum(chances) - 1) <= 1e-9:
            raise BadText(f"{self.name}: the probabilities in {state} do not add up to 1")
        return chances

    def key(self, state: S) -> Hashable:
        """Equal for equal states, and only for them."""
        try:
            hash(state)
        except TypeError:
            raise UnsuitableGame(
                f"{self.name}: a state is a {type(state).__name__}, and equal ones can't be"
                " found; make it a tuple, or write key()"
            ) from None
        return state

    def symmetry_key(self, state: S) -> Hashable:
        """Equal for states that are mirror images of each other too."""
        return self.key(state)

    def caption(self, state: S) -> str:
        """A state in a few characters, for pictures. May have several lines."""
        return self.position(state)

    def chances(self, state: S) -> Sequence[tuple[P, float]]:
        """The outcomes where chance moves, with their probabilities."""
        outcomes = self.plays(state)
        return [(outcome, 1 / len(outcomes)) for outcome in outcomes]

    def draw_chance(self, state: S, rng: np.ndarray) -> P:
        """One outcome where chance moves, drawn by its probability."""
        return draw_one(self.chances(state), checks.stream(rng))

    def match_play(self, state: S, play: Any) -> P:
        """The legal play that somebody means, by a play or by its text; IllegalPlay if there is
        none. It is always one of ours: what was handed in may only look like a legal play."""
        if self.is_over(state):
            raise IllegalPlay(f"the {self.traits.unit} is over")
        plain = checks.plain(play)
        for ours in self.plays(state):
            if type(plain) is type(ours) and ours == plain:
                return ours
        if type(play) is str:
            return self._understood(state, play)
        raise IllegalPlay(f"{checks.brief(play)} is not possible here")

    def _understood(self, state: S, text: str) -> P:
        """As `parse_play`; but a text that breaks it is a wrong text."""
        try:
            return self.parse_play(state, text)
        except KibitzError:
            raise
        except Exception as error:
            raise BadText(f"{checks.brief(text)} is no play: {error}") from error

    def check(self, state: S, play: P | str) -> None:
        """Raise IllegalPlay if the rules forbid a play."""
        self.match_play(state, play)

    def apply(self, state: S, play: P | str) -> S:
        """The state after a play, or a play's text, which must be legal."""
        return self.after(state, self.match_play(state, play))

    def parse_play(self, state: S, text: str) -> P:
        """The legal play that a text names."""
        for play in self.plays(state):
            if str(play) == text.strip():
                return play
        raise IllegalPlay(f"{checks.brief(text.strip())} is not possible here")

    def copied(self, state: S) -> S:
        """A copy of a state for a player, who may write into it. Plain values are themselves."""
        return deepcopy(state)

    def for_player(self, view: View[S] | None = None) -> Game[S, P]:
        """The game as a player gets it, with what it may see: with no memory of other states."""
        if view is not None:
            checks.one_of(view, View, "a view")
        return self

    def view(self, state: S, seat: int) -> View[S]:
        """What a fair player in this seat may know. Games with open cards hide nothing."""
        return self.view_class(self, checks.seat(seat, self.players), state)

    def view_open_hands(self, state: S, seat: int) -> View[S]:
        """What is left when all hands are laid open: only cards that nobody holds are hidden."""
        if not self.traits.hidden:
            return self.view_class(self, checks.seat(seat, self.players), state)
        raise UnsuitableGame(f"{self.name} can't be played with open hands")

    def view_at_the_end(self, state: S, seat: int) -> View[S]:
        """What a person sees of an end: what is hidden stays so, unless it is laid down then."""
        return self.view(state, seat)

    def observed_play(self, state: S, seat: int, play: P) -> P | None:
        """The play as this seat gets to know it: None if it is hidden from it. What chance did
        is, in a game that hides anything, unless the game says otherwise."""
        checks.seat(seat, self.players)
        return None if self.traits.hidden and self.mover(state) == CHANCE else play

    def hidden_cards(self, view: View[S], world: S) -> Mapping[str, Sequence[str]]:
        """What a world puts into each place that the view does not show."""
        return {}

    def redeal(self, view: View[S], rng: np.ndarray) -> S:
        """A state that looks like the view, each such world with the same probability."""
        return view.state

    def check_redeal(self) -> None:
        """Raise UnsuitableGame, with the reason, if it can't deal what it hides anew."""
        if type(self).redeal is Game.redeal:
            raise UnsuitableGame(f"{self.name} does not deal what it hides anew: it has no redeal")

    def missing(self, state: S, seat: int, knows: Knows) -> Sequence[str]:
        """What a position leaves out although a player in this seat would see it."""
        return ()

    def position(self, state: S) -> str:
        """A state, or the state in a view, as one line `key=value; key=value`."""
        return str(state)

    def parse_position(self, text: str) -> S:
        """The state that a line describes. What it leaves out is unknown."""
        raise UnsuitableGame(f"{self.name} has no text form for positions")

    # -- for people --------------------------------------------------------------------------

    @property
    def presenter(self) -> Presenter[S, P]:
        """How the game is shown. Made anew each time, so that a player's copy of the game never
        leads to that of the table."""
        from kibitz.core.presenter import Presenter

        return (self.presenter_class or Presenter)(self)
