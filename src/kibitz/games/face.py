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

And, where the defaults in `defaults.py` do not do:

    legal(s)                all of them as an array (instead of count and nth)
    write(s, plays)         the same into an array that is there; -1 if it is too short
    pick(s, rng)            a random one
    chance_of(s, play)      the probability of an outcome
    look(s)                 who moves, all plays, and the states after each, as arrays
    observe(s, seat, view)  what a seat may know, written to view (hidden information)
    redeal(view, seat, rng, s)   a world that looks like the view; False if there is none
    lay_open(s, seat, view)      the same with all hands open (hidden information)
    heard(s, seat, play)    a play as a seat gets to know it; -1 if it is hidden from it
    points(s, out)          what it adds to a match
    next_first(s, rng)      who begins the next one in a match
    NEVER                   a play that the random strategy never makes
"""

from __future__ import annotations

import importlib
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any

from kibitz.model import (
    CHANCE,
    BadText,
    Chance,
    Game,
    IllegalPlay,
    Moves,
    Play,
    Turn,
    UnsuitableGame,
    View,
)

DEALING = 0
"""The key of the shuffle's stream in a game's seed. Seat n's own is n + 1."""


REMEMBERED = 1 << 25
"""Bytes, roughly, of the turns that a game remembers."""


class CompiledGame(Game[Any, Play]):
    """A game whose rules are kernels. Derived classes add names, texts and checks."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._turns: dict[bytes, Turn[Any, Play]] = {}
        self._remembered = 0
        self._names: dict[int, Play] = {}

    def __getstate__(self) -> dict[str, Any]:
        return self.settings

    def __setstate__(self, settings: dict[str, Any]) -> None:
        CompiledGame.__init__(self, **settings)

    @cached_property
    def kernels(self) -> Any:
        """The kernels of the game, with defaults for those it does not write itself."""
        return _kernels(type(self).__module__.rpartition(".")[0] + ".kernels")

    def configure(self, record: Any) -> None:
        """Write the options into a new record."""
        return None

    @abstractmethod
    def play_text(self, code: int) -> str:
        """The text of a play."""

    def name_play(self, state: Any, code: int) -> Play:
        """A play as a value. The state tells what the number alone does not."""
        play = self._names.get(code)
        if play is None:
            play = self._names[code] = Play(int(code), self.play_text(int(code)))
        return play

    def blank(self) -> Any:
        """A record with nothing but the options."""
        import numpy as np

        state = np.zeros(1, self.kernels.STATE)
        self.configure(state[0])
        return state

    def deal(self, seed: int, first: int = 0) -> Any:
        from kibitz.rng import stream

        state = self.blank()
        self.kernels.deal(state, stream(seed, DEALING), first)
        return state

    def every_deal(self, position: Any = None) -> Iterable[tuple[Any, float]]:
        """Each state that a position may be, with its probability: all ways to deal the cards
        that it leaves out. Without a position, each state that a game may begin with."""
        if position is None and self.traits.chance is not Chance.DEAL:
            return [(self.deal(0), 1.0)]
        if position is not None and not self.traits.hidden:
            return [(position, 1.0)]
        raise UnsuitableGame(f"{self.name} does not list its deals")

    def mover(self, state: Any) -> int:
        return int(self.kernels.mover(state))

    def is_over(self, state: Any) -> bool:
        return bool(self.kernels.over(state))

    def plays(self, state: Any) -> Sequence[Play]:
        if self.is_over(state):
            return []
        return [self.name_play(state, code) for code in self.kernels.legal(state)]

    def after(self, state: Any, play: Play) -> Any:
        then = state.copy()
        self.kernels.apply(then, play.code)
        return then

    def turn(self, state: Any) -> Turn[Any, Play]:
        """All that a search asks of a state. A search meets the same states again and again,
        and calls into compiled code are slow beside a look-up: so the last ones are kept."""
        key = state.tobytes()
        turn = self._turns.get(key)
        if turn is None:
            turn = self._look(state)
            if isinstance(turn.moves, Moves):
                return turn
            self._remembered += (len(turn.moves) + 1) * (len(key) + 200)
            if self._remembered > REMEMBERED:
                self._turns.clear()
                self._remembered = 0
            self._turns[key] = turn
        return turn

    def _look(self, state: Any) -> Turn[Any, Play]:
        mover, plays, after = self.kernels.look(state)
        if mover < CHANCE:
            return Turn(None, worth=self.worth(state))
        if len(after) < len(plays):
            return super().turn(state)  # so many that each is made only when somebody looks
        after = after.view(state.dtype)  # compiled code forgets that they are np.record
        moves = [
            (self.name_play(state, code), after[i : i + 1]) for i, code in enumerate(plays.tolist())
        ]
        if mover != CHANCE:
            return Turn(mover, moves)
        return Turn(CHANCE, moves, [self.kernels.chance_of(state, code) for code in plays])

    def key(self, state: Any) -> bytes:
        return bytes(state.tobytes())

    def returns(self, state: Any) -> tuple[float, ...]:
        return self._vector(self.kernels.returns, state)

    def points(self, state: Any) -> tuple[float, ...]:
        """What an end adds to each seat's score in a match."""
        return self._vector(self.kernels.points, state)

    def _vector(self, kernel: Any, state: Any) -> tuple[float, ...]:
        import numpy as np

        out = np.zeros(self.players)
        kernel(state, out)
        return tuple(float(value) for value in out)

    def chances(self, state: Any) -> Sequence[tuple[Play, float]]:
        chance_of = self.kernels.chance_of
        return [(play, float(chance_of(state, play.code))) for play in self.plays(state)]

    def draw_chance(self, state: Any, rng: Any) -> Play:
        return self.name_play(state, int(self.kernels.pick(state, rng)))

    def check(self, state: Any, play: Play) -> None:
        if self.is_over(state):
            raise IllegalPlay(f"the {self.traits.unit} is over")
        if play not in self.plays(state):
            raise IllegalPlay(f"{play} is not possible here")

    def view(self, state: Any, seat: int) -> View[Any]:
        return self._seen_by(self.kernels.observe, state, seat)

    def view_open_hands(self, state: Any, seat: int) -> View[Any]:
        if self.traits.hidden and not hasattr(self.kernels, "lay_open"):
            return super().view_open_hands(state, seat)
        return self._seen_by(self.kernels.lay_open, state, seat)

    def _seen_by(self, see: Any, state: Any, seat: int) -> View[Any]:
        blanked = state.copy()
        see(state, seat, blanked)
        return View(self, seat, blanked)

    def heard(self, state: Any, seat: int, play: Play) -> Play | None:
        return play if self.kernels.heard(state, seat, play.code) >= 0 else None

    def redeal(self, view: View[Any], rng: Any) -> Any:
        world = view.state.copy()
        if not self.kernels.redeal(view.state, view.seat, rng, world):
            raise BadText("no placement of the unseen cards fits this view")
        return world


@cache
def _kernels(module: str) -> Any:
    """A game's kernels, completed with the defaults."""
    from kibitz.compiled import Kernel, bind
    from kibitz.games import defaults

    own = vars(importlib.import_module(module))
    game = SimpleNamespace(**{name: own[name] for name in own if not name.startswith("_")})
    for name, default in vars(defaults).items():
        if not hasattr(game, name):
            if isinstance(default, Kernel) and name in defaults.NAMES:
                setattr(game, name, bind(default, game=game))
            elif name == "NEVER":
                game.NEVER = default
    return game
