"""The codec of a game: views and plays as numbers, for whoever learns by numbers.

A game names the module of its codec in `Game.codec`. In it stand two functions and kernels:

    actions(game)                       the names of the actions, in their order
    features(game)                      what stands in the observation, in its order: Features
    worst(game)                         no result of a seat is below this number
    longest(game)                       how many plays a game has at most, and how many actions of
                                        all seats; may be left out if there is no bound
    outcomes(game)                      where chance moves in play: how many outcomes it has at most
    encode(v, seat, chosen, out)        write the observation into out, which is all 0

and, where the defaults in `default_codec.py` do not do:

    action_of(v, seat, chosen, play)    the next action on the way to a play; -1: none leads there
    play_of(v, seat, action)            the play of an action, where an action is a whole play
    advance(v, seat, chosen, action)    a legal action taken: the play, if that makes it whole;
                                        else what is chosen now, inverted (so it is below 0)
    mask(v, seat, chosen, out)          set the legal actions in out, which is all 0, to 1

`v` is a view as an array of one record, as `observe` of the game's kernels writes it, and `seat` is
whose. Only the seat to move has legal actions. Seats in actions and observations are relative: the
viewer's is 0, the next to the left 1. An action means the same in every view: so does its number.

Where a play takes several actions, `chosen` is what was chosen of it so far, a number that only
the codec reads; 0 is nothing. Every legal play has one sequence of actions, and every sequence of
legal actions ends in a legal play.

`encode` reads the view and nothing else. Everything here sees a state only through `observe`.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from kibitz.core import checks
from kibitz.core.errors import BadType, BadValue, IllegalPlay, UnsuitableGame
from kibitz.core.game import Play, View

if TYPE_CHECKING:
    import numpy as np

    from kibitz.games.compiled_game import CompiledGame


@dataclass(frozen=True)
class Feature:
    """Numbers that stand side by side in an observation. All are between 0 and 1."""

    name: str
    size: int
    meaning: str


def codec_of(game: Any) -> Codec:
    """The codec of a game.

    Raises
    ------
    UnsuitableGame
        If the game has none.

    Examples
    --------
    >>> import kibitz
    >>> game = kibitz.make_game("kuhn-poker")
    >>> codec, view = codec_of(game), game.start(seed=1).view()
    >>> codec.actions, codec.mask(view)
    (('pass', 'bet'), array([1, 1], dtype=int8))
    """
    from kibitz.games.compiled_game import CompiledGame

    if not isinstance(game, CompiledGame) or not game.codec:
        name = getattr(game, "name", checks.brief(game))
        raise UnsuitableGame(f"{name} has no codec: its class names none in `codec`")
    return Codec(game)


@cache
def codec_kernels(module: str, rules: str) -> Any:
    """The kernels in a game's module `codec`, and defaults for those that it does not write.
    `rules` is the module of the game's own kernels."""
    from kibitz.games import default_codec
    from kibitz.games.complete_kernels import kernels_in
    from kibitz.jit.kernels import Kernel, bind

    own = vars(importlib.import_module(module))
    codec = SimpleNamespace(**{name: own[name] for name in own if isinstance(own[name], Kernel)})
    for name in default_codec.NAMES:
        if not hasattr(codec, name):
            default = getattr(default_codec, name)
            setattr(codec, name, bind(default, game=kernels_in(rules), codec=codec))
    return codec


class Codec:
    """Views and plays of one game as numbers.

    `actions` are the names of the actions, `features` what stands in an observation, `size` is the
    length of an observation, `worst` a number that no result of a seat is below. `longest` is how
    many plays and how many actions a game has at most, None where there is no bound, `outcomes` how
    many outcomes chance has at most where it moves in play.
    """

    def __init__(self, game: CompiledGame) -> None:
        self.game = game
        module: Any = importlib.import_module(game.codec)
        self.actions: tuple[str, ...] = tuple(module.actions(game))
        self.features: tuple[Feature, ...] = tuple(module.features(game))
        self.size = sum(feature.size for feature in self.features)
        self.worst = float(module.worst(game))
        self.longest: tuple[int, int] | None = None
        if hasattr(module, "longest"):
            self.longest = module.longest(game)
        self.outcomes = int(module.outcomes(game)) if hasattr(module, "outcomes") else 0

    @property
    def kernels(self) -> Any:
        """The codec's kernels, complete."""
        package = type(self.game).__module__.rpartition(".")[0]
        return codec_kernels(self.game.codec, f"{package}.kernels")

    # -- what a seat sees ------------------------------------------------------------------

    def observation(self, view: View[Any], chosen: int = 0) -> np.ndarray:
        """What a view holds as numbers between 0 and 1: float32[size]."""
        import numpy as np

        out = np.zeros(self.size, np.float32)
        self.kernels.encode(self._seen(view), view.seat, self._choice(view, chosen), out)
        return out

    def mask(self, view: View[Any], chosen: int = 0) -> np.ndarray:
        """1 for each legal action, int8; all 0 if it is not this seat's turn."""
        import numpy as np

        out = np.zeros(len(self.actions), np.int8)
        if self._is_to_move(view):
            self.kernels.mask(self._seen(view), view.seat, self._choice(view, chosen), out)
        return out

    def info_key(self, view: View[Any]) -> bytes:
        """The information state as 16 bytes: all that the seat has seen and done, hashed. Equal
        for equal ones; two others have the same key by an accident only."""
        import numpy as np

        from kibitz.games.default_codec import fold_turn

        key = np.array([view.seat, 0], np.int64)
        for state, play in view.past:
            fold_turn(key, self._words(view, state), -1 if play is None else play.code)
        fold_turn(key, self._words(view, view.state), -1)
        return key.tobytes()

    def info_string(self, view: View[Any]) -> str:
        """The same as text: the first view as a position, then every turn: the play, if the seat
        knows it, and what has changed in what it sees. That of an earlier turn is the beginning of
        that of a later one."""
        states = [*(state for state, _ in view.past), view.state]
        before: dict[str, str] = {}
        text = f"seat={view.seat + 1}"
        for i, state in enumerate(states):
            now = self.fields(state)
            text += self.changes_text(before, now)
            if i < len(view.past):
                text += self.play_text(int(self.game.kernels.mover(state)), view.past[i][1])
            before = now
        return text

    # Its pieces, for whoever puts it together turn by turn.

    def fields(self, state: Any) -> dict[str, str]:
        """What a seat sees, which is a view's state, as the fields of a position."""
        text = self.game.position(state)
        return dict(field.split("=", 1) for field in text.split("; ") if field)

    def changes_text(self, before: Mapping[str, str], now: Mapping[str, str]) -> str:
        """The fields that are others than before."""
        gone = {key: "" for key in before if key not in now}
        changed = {key: now[key] for key in now if before.get(key) != now[key]}
        return "".join(f"; {key}={value}" for key, value in (gone | changed).items())

    def play_text(self, mover: int, play: Play | None) -> str:
        """A play, as somebody knows it."""
        return f"; seat {mover + 1}: {'?' if play is None else play}"

    # -- actions ---------------------------------------------------------------------------

    def take(self, view: View[Any], action: int, chosen: int = 0) -> tuple[Play | None, int]:
        """Take a legal action: the play, if it is whole now, and what is chosen of it if not."""
        action = checks.whole_number(action, "an action")
        mask = self.mask(view, chosen)
        if not 0 <= action < len(mask) or not mask[action]:
            name = self.actions[action] if 0 <= action < len(mask) else "there is no such action"
            raise IllegalPlay(f"action {checks.brief(action)} is not possible here ({name})")
        made = int(self.kernels.advance(self._seen(view), view.seat, chosen, action))
        return (None, ~made) if made < 0 else (self.game.name_play(view.state, made), 0)

    def actions_of(self, view: View[Any], play: Any) -> tuple[int, ...]:
        """The actions that make a legal play, in their order."""
        code = self.game.match_play(view.state, play).code
        v, actions, chosen = self._seen(view), [], 0
        while chosen >= 0:
            actions.append(int(self.kernels.action_of(v, view.seat, chosen, code)))
            chosen = ~int(self.kernels.advance(v, view.seat, chosen, actions[-1]))
        return tuple(actions)

    def play_of(self, view: View[Any], actions: Sequence[int]) -> Play:
        """The play that a whole sequence of actions makes."""
        play, chosen = None, 0
        for action in actions:
            if play is not None:
                raise IllegalPlay(f"{play} is whole before the last of these actions")
            play, chosen = self.take(view, action, chosen)
        if play is None:
            raise IllegalPlay("these actions are no whole play yet")
        return play

    def play_at(self, view: View[Any], index: int) -> Play:
        """The legal play of this number in the list of a view's plays. The number means something
        in this view only: in the next one the same number is another play. For protocols and for
        language models, which read the list; not for what learns by numbers."""
        plays, index = view.plays(), checks.whole_number(index, "the number of a play")
        if not self._is_to_move(view) or not 0 <= index < len(plays):
            raise IllegalPlay(f"{checks.brief(index)} is the number of no play here")
        play: Play = plays[index]
        return play

    def index_of(self, view: View[Any], play: Any) -> int:
        """The number of a play in the list of a view's plays: see `play_at`."""
        return list(view.plays()).index(self.game.match_play(view.state, play))

    # -- what is given ---------------------------------------------------------------------

    def _is_to_move(self, view: View[Any]) -> bool:
        state = self._seen(view)
        kernels = self.game.kernels
        return not kernels.over(state) and int(kernels.mover(state)) == view.seat

    def _seen(self, view: View[Any]) -> Any:
        """What the seat may know of a view's state: a state in it has its hidden parts blanked."""
        if not isinstance(view, View):
            raise BadType(f"a codec reads views, not {checks.brief(view)}")
        if view.game != self.game:
            raise BadValue(f"this codec is of {self.game}, and the view of {view.game}")
        return self.game.view(view.state, view.seat).state

    def _words(self, view: View[Any], state: Any) -> Any:
        return self.game.view(state, view.seat).state.view("i8")

    def _choice(self, view: View[Any], chosen: int) -> int:
        chosen = checks.whole_number(chosen, "what is chosen so far")
        if chosen and not self.kernels.is_choice(self._seen(view), view.seat, chosen):
            raise BadValue(f"{checks.brief(chosen)} is nothing that can be chosen so far")
        return chosen
