"""The face that every compiled game shares: it validates, names things, and calls kernels.

A compiled game is a folder with two modules. `kernels.py` has the record STATE and the
kernels; `game.py` has a class derived from `CompiledGame`, which must not import the kernels
(they are loaded at first use, so that listing the games stays quick). States are arrays of
one record.

The kernels of a game:

    deal(s, rng, first)     shuffle and set up; the option fields of the record stay
    mover(s)                the seat to move, or -1 where chance moves
    over(s)
    count(s), nth(s, i)     the legal plays, or the outcomes where chance moves
    apply(s, play)          in place, unchecked
    returns(s, out)         one value a seat, at the end

Fields of the record must not be named like methods of NumPy's (`sum`, `max` …): interpreted,
the method would win. count, nth and mover are asked only while the game is not over.

And, where the defaults in `default_kernels.py` do not do:

    legal(s)                all of them as an array (instead of count and nth)
    write(s, plays)         the same into an array that is there; -1 if it is too short
    pick(s, rng)            a random one
    chance_of(s, play)      the probability of an outcome
    expand(s)               who moves, all plays, and the states after each, as arrays
    observe(s, seat, view)  what a seat may know, written to view (hidden information)
    view_key(s, seat, buffer)           a key of what a seat sees
    observe_open_hands(s, seat, view)   the same with all hands open (hidden information)
    observed_play(s, seat, play)        a play as a seat gets to know it; -1 if it is hidden
    redeal(view, seat, rng, s)          a world that looks like the view; False if there is none
    reshuffle(s, rng)       what nobody holds put into another order: the hands stay (luck)
    points(s, out)          what it adds to a match
    next_first(s, rng)      who begins the next one in a match
    is_valid(s)             whether a record can be a state of the game, or what a seat sees of
                            one: with a valid record no kernel reads or writes out of bounds
    is_complete(s)          whether nothing of it is left out, as views and positions do
    is_legal(s, play)       whether a play is legal
    NEVER_AT_RANDOM         a play that the random strategy never makes
    random_play(s, rng)     a random one but for that

A game may have a second module with kernels over a lean record, for games that are only played
out: its class names it as `lean`. It has `strip(s, lean)`, which writes a state into an array of
one lean record and gives that; and of the above deal, mover, over, count and nth, apply, returns.

The fields that `_configure` fills with the options stand first in the record. The methods of the
face check all that they are given; searches call the kernels, which check nothing.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, ClassVar

from kibitz.core import checks
from kibitz.core.errors import BadText, BadType, BadValue, IllegalPlay, UnsuitableGame
from kibitz.core.game import CHANCE, Chance, Game, Moves, Play, Turn, View
from kibitz.core.presenter import Presenter
from kibitz.core.strategy import Knows
from kibitz.games.compiled_presenter import CompiledPresenter
from kibitz.games.complete_kernels import kernels_in
from kibitz.games.guards import GUARDED, guard_methods

DEALING = 0
"""The key of the shuffle's stream in a game's seed. Seat n's own is n + 1."""


REMEMBERED_BYTES = 1 << 25
"""Roughly what the turns that a game remembers may take."""
REMEMBERED_STATES = 100
"""How many states it remembers as valid."""


class CompiledGame(Game[Any, Play]):
    """A game whose rules are kernels. Derived classes add names, texts and checks."""

    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = CompiledPresenter
    over_rule: ClassVar[str] = ""
    """The number of the rule that ends it."""
    lean: ClassVar[str] = ""
    """A module with the kernels by which games are only played out; none: those of the game."""

    def __init_subclass__(cls) -> None:
        """What a game writes itself is guarded, as the face is."""
        super().__init_subclass__()
        guard_methods(cls, [name for name in GUARDED if name in vars(cls)])

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._texts: dict[int, str] = {}
        self._forget_states()

    def _forget_states(self) -> None:
        self._turns: dict[bytes, Turn[Any, Play]] = {}
        self._remembered = 0
        self._valid: dict[bytes, bool] = {}
        """States that are known to be valid, and whether they are known to be complete."""
        self._matched: tuple[bytes, Play | None] = b"", None

    def for_player(self, view: View[Any] | None = None) -> CompiledGame:
        """A copy, if anything is hidden: what this one remembers are the true states."""
        known = {}
        if view is not None:
            key = self.checked(checks.one_of(view, View, "a view").state).tobytes()
            known = {key: self._valid[key]}
        if not self.traits.hidden:
            return self
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._texts = {}  # of plays that were possible in the true states
        copy._forget_states()
        copy._valid.update(known)
        return copy

    def __getstate__(self) -> dict[str, Any]:
        return self.settings

    def __setstate__(self, settings: dict[str, Any]) -> None:
        CompiledGame.__init__(self, **settings)

    @cached_property
    def kernels(self) -> Any:
        """The kernels of the game, with defaults for those it does not write itself."""
        return kernels_in(type(self).__module__.rpartition(".")[0] + ".kernels")

    @cached_property
    def lean_kernels(self) -> Any:
        """The kernels by which games are only played out: over a record without what nobody asks
        for then, if the game has one."""
        return kernels_in(self.lean) if self.lean else self.kernels

    def _configure(self, record: Any) -> None:
        """Write the options into a new record."""
        return None

    @abstractmethod
    def _play_text(self, code: int) -> str:
        """The text of a play."""

    def name_play(self, state: Any, code: int) -> Play:
        """A legal play as a value, by its number in the kernels."""
        state, code = self.checked(state), checks.whole_number(code, "the number of a play")
        possible = 0 <= code < 1 << 63 and not self.kernels.over(state)
        if not possible or code not in self.kernels.legal(state):
            raise IllegalPlay(f"{checks.brief(code)} is the number of no play here")
        return self._named_play(state, code)

    def _named_play(self, state: Any, code: int) -> Play:
        """The same, unchecked. A game may need the state to name a play."""
        text = self._texts.get(code)
        if text is None:
            text = self._texts[code] = self._play_text(code)
        return Play(code, text)

    def blank(self) -> Any:
        """A record with nothing but the options."""
        import numpy as np

        state = np.zeros(1, self.kernels.STATE)
        self._configure(state[0])
        return state

    # -- what is given -----------------------------------------------------------------------

    @cached_property
    def _options(self) -> bytes:
        """The first bytes of every record of this game: the options."""
        filled = self.blank()
        filled.view("i8")[:] = -1
        self._configure(filled[0])
        same = filled.view("i8") == self.blank().view("i8")
        return bytes(filled.tobytes()[: 8 * int(same.sum())])

    def checked(self, state: Any) -> Any:
        """A state that kernels can be given: refused if it is none of this game's."""
        record = self.kernels.STATE
        if type(state) is not self._numpy.ndarray:
            raise BadType(
                f"a state of {self.name} is an array that deal() or after() gives,"
                f" not {checks.brief(state)}"
            )
        if (state.dtype is not record and state.dtype != record) or state.shape != (1,):
            raise BadValue(f"that is no state of {self.name}: another array")
        if state.dtype is not record or not state.flags.carray:
            state = self.copied(state)
        key = state.tobytes()
        if key not in self._valid:  # the same state is asked about again and again
            self._refuse_invalid(state, key)
            self._remember_valid(key, False)
        return state

    def _remember_valid(self, key: bytes, complete: bool) -> None:
        """Remember that a state is valid: one that we made needs no check, and the kernel that
        checks need not be compiled for it."""
        if len(self._valid) > REMEMBERED_STATES:
            self._valid.clear()
        self._valid[key] = complete or self._valid.get(key, False)

    def _remember_complete(self, state: Any) -> Any:
        """A complete state that we made ourselves."""
        self._remember_valid(state.tobytes(), True)
        return state

    def _refuse_invalid(self, state: Any, key: bytes) -> None:
        if not key.startswith(self._options):
            raise BadValue(f"that is no state of {self}: its options are others")
        if not self.kernels.is_valid(state):
            raise BadValue(f"that is no state of {self.name}: no course of play leads to it")

    @cached_property
    def _numpy(self) -> Any:
        import numpy

        return numpy

    def copied(self, state: Any) -> Any:
        if type(state) is not self._numpy.ndarray or state.dtype != self.kernels.STATE:
            self.checked(state)  # says what is wrong
        # Of a record, copy() copies field by field: that takes ten times as long.
        return self._numpy.frombuffer(bytearray(state.tobytes()), self.kernels.STATE)

    def _require_complete(self, state: Any) -> Any:
        """The state; refused if it is a view or a position that leaves something out."""
        if not self.traits.hidden or self._valid.get(state.tobytes()):
            return state
        if not self.kernels.is_complete(state):
            left_out = ", ".join(self.missing(state, 0, Knows.OPEN_DECK))
            raise BadText(f"this needs all cards; missing: {left_out}")
        return state

    def _require_over(self, state: Any) -> Any:
        state = self.checked(state)
        if not self.kernels.over(state):
            raise BadValue(f"the {self.traits.unit} is not over: it has no result yet")
        return state

    # -- the game ----------------------------------------------------------------------------

    def deal(self, seed: int, first: int = 0) -> Any:
        from kibitz.jit.rng import stream

        seed, first = checks.seed(seed), checks.seat(first, self.players, "first")
        state = self.blank()
        self.kernels.deal(state, stream(seed, DEALING), first)
        return self._remember_complete(state)

    def every_deal(self, position: Any = None) -> Iterable[tuple[Any, float]]:
        """Each state that a position may be, with its probability: all ways to deal the cards
        that it leaves out. Without a position, each state that a game may begin with."""
        if position is None and self.traits.chance is not Chance.DEAL:
            return [(self.deal(0), 1.0)]
        if position is not None and not self.traits.hidden:
            return [(position, 1.0)]
        raise UnsuitableGame(f"{self.name} does not list its deals")

    def mover(self, state: Any) -> int:
        return int(self.kernels.mover(self.checked(state)))

    def is_over(self, state: Any) -> bool:
        return bool(self.kernels.over(self.checked(state)))

    def plays(self, state: Any) -> Sequence[Play]:
        """The legal plays; none where they do not follow, as a hand is hidden."""
        state = self.checked(state)
        if self.kernels.over(state):
            return []
        return [self._named_play(state, code) for code in self.kernels.legal(state).tolist()]

    def match_play(self, state: Any, play: Any) -> Play:
        return self._legal_play(self.checked(state), play)

    def _legal_play(self, state: Any, play: Any) -> Play:
        """The legal play that is meant, in a valid state. The last one is remembered."""
        if type(play) is str:
            return self.parse_play(state, play)
        key = state.tobytes()
        if play is None or play is not self._matched[1] or key != self._matched[0]:
            play = self._match(state, play)
            self._matched = key, play
        return play

    def _match(self, state: Any, play: Any) -> Play:
        if self.kernels.over(state):
            raise IllegalPlay(f"the {self.traits.unit} is over", self.over_rule)
        if type(play) is not Play:
            raise IllegalPlay(f"{checks.brief(play)} is not possible here")
        code = getattr(play, "code", None)
        if type(code) is not int or not 0 <= code < 1 << 63:
            raise IllegalPlay(f"{checks.brief(code)} is no play of {self.name}")
        if not self.kernels.is_legal(state, code):
            raise self._refusal(state, play)
        return self._named_play(state, code)

    def _refusal(self, state: Any, play: Play) -> IllegalPlay:
        """Why a play is not legal, where the game is not over."""
        named = play.text if type(play.text) is str else ""
        return IllegalPlay(f"{named[:40] or f'play {play.code}'} is not possible here")

    def after(self, state: Any, play: Play | str) -> Any:
        """The state after a legal play. Kernels do not check: so this does, as `apply`."""
        state = self.checked(state)
        return self._after(state, self._legal_play(state, play))

    def apply(self, state: Any, play: Play | str) -> Any:
        return self.after(state, play)

    def _after(self, state: Any, play: Play) -> Any:
        """The state after one of our plays, where the state is valid."""
        then = self.copied(self._require_complete(state))
        self.kernels.apply(then, play.code)
        return self._remember_complete(then)

    def turn(self, state: Any) -> Turn[Any, Play]:
        """All that a search asks of a state. A search meets the same states again and again,
        and calls into compiled code are slow beside a look-up: so the last ones are remembered."""
        key = self.key(state)
        turn = self._turns.get(key)
        if turn is None:
            turn = self._expand(self._require_complete(self.checked(state)))
            if isinstance(turn.moves, Moves):
                return turn
            self._remembered += (len(turn.moves) + 1) * (len(key) + 200)
            if self._remembered > REMEMBERED_BYTES:
                self._turns.clear()
                self._remembered = 0
            self._turns[key] = turn
        return turn

    def _expand(self, state: Any) -> Turn[Any, Play]:
        mover, plays, after = self.kernels.expand(state)
        if mover < CHANCE:
            return Turn(None, value=self.value(state))
        if len(after) < len(plays):
            return super().turn(state)  # so many that each is made only when somebody looks
        # Read only, because others get the same ones.
        after = self._numpy.frombuffer(after.tobytes(), state.dtype)
        moves = tuple(
            (self._named_play(state, code), after[i : i + 1])
            for i, code in enumerate(plays.tolist())
        )
        if mover != CHANCE:
            return Turn(mover, moves)
        return Turn(CHANCE, moves, tuple(self.kernels.chance_of(state, code) for code in plays))

    def key(self, state: Any) -> bytes:
        if getattr(state, "dtype", None) != self.kernels.STATE:
            self.checked(state)
        return bytes(state.tobytes())

    def returns(self, state: Any) -> tuple[float, ...]:
        return self._vector(self.kernels.returns, self._require_over(state))

    def points(self, state: Any) -> tuple[float, ...]:
        """What an end adds to each seat's score in a match; before, what is sure so far."""
        return self._vector(self.kernels.points, self.checked(state))

    def _vector(self, kernel: Any, state: Any) -> tuple[float, ...]:
        out = self._numpy.zeros(self.players)
        kernel(state, out)
        return tuple(float(value) for value in out)

    def next_first(self, state: Any, rng: Any) -> int:
        """Who begins the next game of a match, after this one."""
        return int(self.kernels.next_first(self._require_over(state), checks.stream(rng)))

    def chances(self, state: Any) -> Sequence[tuple[Play, float]]:
        state, chance_of = self.checked(state), self.kernels.chance_of
        return [(play, float(chance_of(state, play.code))) for play in self.plays(state)]

    def draw_chance(self, state: Any, rng: Any) -> Play:
        state, rng = self.checked(state), checks.stream(rng)
        if self.kernels.over(state) or self.kernels.mover(state) != CHANCE:
            raise BadValue("chance does not move here")
        return self._named_play(state, int(self.kernels.pick(state, rng)))

    # -- what a seat sees --------------------------------------------------------------------

    def view(self, state: Any, seat: int) -> View[Any]:
        return self._seen_by(self.kernels.observe, state, seat)

    def view_open_hands(self, state: Any, seat: int) -> View[Any]:
        if not hasattr(self.kernels, "observe_open_hands"):
            if self.traits.hidden:
                return super().view_open_hands(state, seat)
            return self.view(state, seat)
        return self._seen_by(self.kernels.observe_open_hands, state, seat)

    def _seen_by(self, see: Any, state: Any, seat: int) -> View[Any]:
        state, seat = self.checked(state), checks.seat(seat, self.players)
        blanked = self.copied(state)
        see(state, seat, blanked)
        self._remember_valid(blanked.tobytes(), False)
        return self.view_class(self, seat, blanked)

    def observed_play(self, state: Any, seat: int, play: Play) -> Play | None:
        state, seat = self.checked(state), checks.seat(seat, self.players)
        if self.traits.hidden and self.kernels.mover(state) == CHANCE and self._is_silent:
            return None
        play = self._legal_play(state, play)
        return play if self.kernels.observed_play(state, seat, play.code) >= 0 else None

    @property
    def _is_silent(self) -> bool:
        """Whether the game does not say who hears what."""
        from kibitz.games import default_kernels

        return bool(self.kernels.observed_play.function is default_kernels.observed_play.function)

    def redeal(self, view: View[Any], rng: Any) -> Any:
        state, seat = view.state, view.seat
        if self.view(state, seat).state.tobytes() != state.tobytes():
            raise BadValue(f"that is not what seat {seat} (from 0) sees: view() gives that")
        world = self.copied(state)
        if not self.kernels.redeal(state, seat, rng, world):
            raise BadText("no placement of the unseen cards fits this view")
        return self._remember_complete(world)


guard_methods(CompiledGame, [name for name in GUARDED if hasattr(CompiledGame, name)])
