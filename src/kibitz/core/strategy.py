"""What a strategy and a player are.

A *strategy* is a frozen configuration: a name, what it may know, options. For a game it sits
down, and that *player* decides until the game ends, from views alone.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core.checks import brief
from kibitz.core.errors import BadType
from kibitz.core.options import Configured, Option

if TYPE_CHECKING:
    import numpy as np

    from kibitz.core.explanation import Explanation
    from kibitz.core.game import Game, View
    from kibitz.jit.kernels import Kernel


class Knows(StrEnum):
    """What a strategy is allowed to see. The arena enforces it.

    Examples
    --------
    >>> import kibitz
    >>> kibitz.make_strategy("alpha-beta").knows, kibitz.make_strategy("full-backtrack").knows
    (<Knows.FAIR: 'fair'>, <Knows.OPEN_DECK: 'open-deck'>)
    >>> dealt = kibitz.make_game("kuhn-poker").start(seed=1)
    >>> dealt.game.position(dealt.view(0).state)
    'hand1=K; first=1'
    >>> dealt.game.position(dealt.view(0, knows=kibitz.Knows.OPEN_DECK).state)
    'hand1=K; hand2=J; first=1'
    """

    FAIR = "fair"
    OPEN_HANDS = "open-hands"
    OPEN_DECK = "open-deck"


@dataclass(frozen=True)
class Policy:
    """A strategy's decisions as compiled code: choose(view, seat, past, plays, numbers, rng).

    `past` and `plays` are the turns so far, as the seat saw them: its view before each, and
    the play (−1 where that was hidden from it); both empty unless the policy `remembers`.
    `numbers` are its options. They are no constants of the code, which is compiled once.
    """

    choose: Kernel
    numbers: tuple[float, ...] = ()
    remembers: bool = False


class Player(ABC):
    """A strategy that has sat down: it may remember until the game ends.

    It may also sit down in the middle of a game, when a person takes back a choice or resumes a
    game that was left: then it has not been asked before, and what it needs of earlier turns is
    in `view.past`. In a session with a person its random stream is set anew before each decision,
    so draw from it when you decide.

    Examples
    --------
    >>> import kibitz
    >>> class Highest(kibitz.Player):
    ...     def choose(self, view):
    ...         return view.plays()[-1]
    >>> Highest().choose(kibitz.make_game("twenty-one").start().view())
    Play('6')
    """

    @abstractmethod
    def choose(self, view: View[Any]) -> Any:
        """One of `view.plays()`."""

    def end(self, view: View[Any], returns: tuple[float, ...] | None) -> None:
        """The game is over: what is seen of its end, and the result of every seat. None: it was
        broken off, for somebody failed or a person took back a choice. Nobody asks it again."""
        return None

    def explain(self, view: View[Any]) -> Explanation:
        """What `choose` would play, and why. One that decides by a sample looks at as large a
        sample as it takes, with random numbers of its own. Unless a player says more, it is the
        play alone."""
        from kibitz.core.explanation import Explanation, Reason

        play = view.game.match_play(view.state, self.choose(view))
        sentence = f"{play}: no reasons are given."
        return Explanation(play, "none given", (Reason(play, math.nan),), sentence=sentence)


def sit_down(strategy: Strategy, game: Game[Any, Any], seat: int, rng: np.ndarray) -> Player:
    """The player that somebody's strategy gives, which may be anything."""
    player = strategy.sit(game, seat, rng)
    if not isinstance(player, Player):
        raise BadType(f"sit() must give a kibitz.Player, not {brief(player)}")
    return player


class Strategy(Configured, ABC):
    """An algorithm that decides, with its options; frozen, so it can be sent anywhere.

    A class of your own needs a `name` and `sit`, which gives a `Player`.

    Examples
    --------
    >>> import kibitz
    >>> class HighestPlayer(kibitz.Player):
    ...     def choose(self, view):
    ...         return view.plays()[-1]
    >>> class Highest(kibitz.Strategy):
    ...     name = "highest"
    ...     def sit(self, game, seat, rng):
    ...         return HighestPlayer()
    >>> kibitz.play("twenty-one", [Highest(), Highest()]).plays
    ('6', '6', '6', '6')
    """

    knows: ClassVar[Knows] = Knows.FAIR
    determinizes: ClassVar[bool] = False
    """Whether it deals the unseen cards: then it needs a view that tells which these are."""
    quick: ClassVar[str] = ""
    """Options with which it decides in a few milliseconds at most, such as `worlds=20`."""
    effort: ClassVar[str] = ""
    """The option that says how long it thinks, such as `worlds`: `kibitz agree --settle` asks it
    with more and more of it."""
    advises: ClassVar[bool] = False
    """Whether it explains the plays of a game that has no level above easy. Of several that do,
    the first by name is asked."""
    suit_blind: ClassVar[bool] = False
    """Whether it decides alike when suits change places that the rules of its game do not tell
    apart: then solvers look at ranks alone. It is not inherited: a derived class may see more."""
    trusted: ClassVar[bool] = False
    """Whether its decisions end, and its compiled plays are legal, by themselves: then no clock
    watches it unless a user sets a limit, and its policy is part of the compiled loop. It is not
    inherited: who writes a class vouches for it."""
    stays: ClassVar[bool] = False
    """Whether it needs something of this machine, such as a program, and can't go to a cluster."""
    reproducible: bool = True

    def __init_subclass__(cls) -> None:
        """A strategy without a title gets the first line of its docstring, or its class's name."""
        super().__init_subclass__()
        cls.suit_blind = vars(cls).get("suit_blind", False)
        cls.trusted = vars(cls).get("trusted", False)
        if not hasattr(cls, "title"):
            cls.title = next(iter((cls.__doc__ or "").strip().splitlines()), cls.__name__)

    def check_game(self, game: Game[Any, Any]) -> None:
        """Raise UnsuitableGame, with the reason, if it can't play this game."""
        return None

    @classmethod
    def trained_options(cls) -> tuple[Option, ...]:
        """Its numbers that `kibitz train` can find."""
        return tuple(option for option in cls.options if option.train is not None)

    @classmethod
    def title_in(cls, game: Game[Any, Any]) -> str:
        """What it does, in one game."""
        return cls.title

    @abstractmethod
    def sit(self, game: Game[Any, Any], seat: int, rng: np.ndarray) -> Player:
        """Take a seat, with a random stream of its own."""

    def policy(self, game: Game[Any, Any]) -> Policy | None:
        """The same decisions as compiled code, if there is any."""
        return None
