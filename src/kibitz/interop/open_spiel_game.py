"""OpenSpiel's games in Kibitz: `open-spiel:leduc_poker`, `open-spiel:goofspiel(num_cards=4)`.

What stands behind the colon is what `pyspiel.load_game` reads. The rules are OpenSpiel's; here they
are a game in plain Python, which `compare`, `graph`, `solve` and the textbook searches take. Games
with simultaneous moves are played in turns, the later ones not seeing the earlier.

What a player gets to see of a game with hidden cards is the text of its information state, and
what it has done itself; no state of OpenSpiel's is in a view. `redeal` lists all courses of the
game that lead to that information state and draws one. OpenSpiel's own resampling is not asked:
most of its games have none, and what gin_rummy's gives has the history of the true cards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core import checks
from kibitz.core.errors import BadText, BadType, BadValue, UnsuitableGame
from kibitz.core.game import CHANCE, WIN_OR_LOSE, Chance, Game, Play, Traits, View, draw_one
from kibitz.core.options import Option
from kibitz.core.presenter import Presenter
from kibitz.core.registry import game
from kibitz.core.scene import Note

if TYPE_CHECKING:
    import numpy as np

DEALING = 0
"""The key of the shuffle's stream in a game's seed."""
MOST_NODES = 50_000
"""Nodes that are looked at to list the courses that look the same."""
KEPT = 32
"""Lists that are kept: a search asks for worlds of the same view again and again."""
SPACE = re.compile(r"\s*([(),=])\s*")
"""It may stand there for people; OpenSpiel would not know the parameter."""
DIGITS = 19
"""No action has so many."""
OPEN, HIDDEN = ("mcts", "mcts:simulations=5000"), ("ismcts", "ismcts:simulations=5000")


class SpielState:
    """A state of OpenSpiel's that nobody changes."""

    __slots__ = ("_history", "_plays", "spiel")

    def __init__(self, spiel: Any) -> None:
        self.spiel = spiel
        self._history: tuple[int, ...] | None = None
        self._plays: tuple[Play, ...] | None = None

    @property
    def history(self) -> tuple[int, ...]:
        """All that was done, by chance too."""
        if self._history is None:
            self._history = tuple(self.spiel.history())
        return self._history

    @property
    def plays(self) -> tuple[Play, ...]:
        """The legal plays, or the outcomes of chance."""
        if self._plays is None:
            spiel = self.spiel
            mover = spiel.current_player()
            self._plays = tuple(
                Play(action, _line(spiel.action_to_string(mover, action)))
                for action in spiel.legal_actions()
            )
        return self._plays

    def after(self, action: int) -> SpielState:
        return SpielState(self.spiel.child(action))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SpielState) and self.history == other.history

    def __hash__(self) -> int:
        return hash(self.history)

    def __deepcopy__(self, memo: Any) -> SpielState:
        return SpielState(self.spiel.clone())

    def __str__(self) -> str:
        return str(self.spiel)


@dataclass(frozen=True)
class SeenState:
    """What a seat may know of a state of a game that hides something."""

    seat: int
    mover: int | None
    told: str
    """Its information state; of a game that has none, its observation."""
    plays: tuple[Play, ...] = ()
    """The legal ones, if it is to move."""
    returns: tuple[float, ...] | None = None
    """At an end."""
    own: tuple[tuple[str, int], ...] = field(default=(), repr=False)
    """What it was told before each of its own decisions, and what it did."""

    @property
    def text(self) -> str:
        """In one line: the rest follows from it."""
        turn = None if self.mover is None else self.mover + 1
        return json.dumps([self.seat + 1, turn, self.told, self.own], ensure_ascii=False)

    def __str__(self) -> str:
        return self.told


class OpenSpielPresenter(Presenter[Any, Play]):
    """Shown as OpenSpiel writes it."""

    @property
    def _shows_outcome(self) -> bool:
        """Results are told to everybody."""
        return True

    def notes(self, view: View[Any]) -> Sequence[Note | str]:
        return [line for line in str(view.state).splitlines() if line.strip()]


@game
class OpenSpielGame(Game[Any, Play]):
    """A game of OpenSpiel."""

    name: ClassVar[str] = "open-spiel"
    title: ClassVar[str] = "any game of OpenSpiel, such as open-spiel:leduc_poker"
    rest: ClassVar[str] = "game"
    options: ClassVar[tuple[Option, ...]] = (
        Option("game", "", "what pyspiel.load_game reads, such as goofspiel(num_cards=4)"),
    )
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = OpenSpielPresenter
    levels: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "easy": "random", "medium": (OPEN[0], HIDDEN[0]), "hard": (OPEN[1], HIDDEN[1]),
    }  # fmt: skip
    quick_shuffles: ClassVar[int] = 25

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        text = self.settings["game"] = SPACE.sub(r"\1", str(self.settings["game"]).strip())
        if not text.isprintable():
            raise BadText(f"open-spiel: there is a letter that can't be printed in {text!r}")
        if not text:
            raise BadText("open-spiel needs the name of a game, such as open-spiel:leduc_poker")
        kind = self._spiel.get_type()
        hides = kind.information != type(kind.information).PERFECT_INFORMATION
        # What kind of game it is does not belong to the class, as elsewhere, but to each game.
        vars(self)["title"] = f"{_line(kind.long_name)}, by OpenSpiel"
        vars(self)["traits"] = Traits(hidden=hides, roles=True)
        vars(self)["traits"] = Traits(chance=self._chance(), hidden=hides, roles=True)
        if (self._spiel.min_utility(), self._spiel.max_utility()) == (-1, 1):
            vars(self)["labels"] = WIN_OR_LOSE

    def __getstate__(self) -> dict[str, Any]:
        return self.settings

    def __setstate__(self, settings: dict[str, Any]) -> None:
        OpenSpielGame.__init__(self, **settings)

    @cached_property
    def _spiel(self) -> Any:
        """The game, as OpenSpiel has it."""
        from kibitz.interop.open_spiel_loading import load_spiel

        return load_spiel(self.settings["game"])

    def _chance(self) -> Chance:
        """Whether chance moves, and whether after the first decision."""
        most = self._spiel.max_chance_nodes_in_history()
        if not most:
            return Chance.NONE
        return Chance.DEAL if len(self.deal(0).history) == most else Chance.PLAY

    @property
    def players(self) -> int:
        return int(self._spiel.num_players())

    @property
    def bounds(self) -> tuple[float, float]:
        return self._spiel.min_utility(), self._spiel.max_utility()

    # -- the rules ---------------------------------------------------------------------------

    def deal(self, seed: int, first: int = 0) -> SpielState:
        """The initial state. If something is hidden, chance deals at once what it deals before
        the first decision; elsewhere that is part of the game."""
        from kibitz.jit.rng import stream

        checks.seat(first, self.players, "first")
        lots, spiel = stream(checks.seed(seed), DEALING), self._spiel.new_initial_state()
        while self.traits.hidden and spiel.is_chance_node():
            spiel.apply_action(draw_one(spiel.chance_outcomes(), lots))
        return SpielState(spiel)

    def mover(self, state: Any) -> int:
        mover = state.mover if isinstance(state, SeenState) else _mover(self._own(state).spiel)
        return CHANCE if mover is None else mover

    def is_over(self, state: Any) -> bool:
        if isinstance(state, SeenState):
            return state.mover is None
        return bool(self._own(state).spiel.is_terminal())

    def plays(self, state: Any) -> Sequence[Play]:
        return state.plays if isinstance(state, SeenState) else self._own(state).plays

    def after(self, state: Any, play: Play) -> SpielState:
        return self._own(state).after(self.match_play(state, play).code)

    def returns(self, state: Any) -> tuple[float, ...]:
        if isinstance(state, SeenState):
            values = state.returns
        else:
            values = tuple(state.spiel.returns()) if self.is_over(state) else None
        if values is None:
            raise BadValue("the game is not over: it has no result yet")
        return values

    def chances(self, state: Any) -> Sequence[tuple[Play, float]]:
        chance_of = dict(self._own(state).spiel.chance_outcomes())
        return [(play, chance_of[play.code]) for play in state.plays]

    def key(self, state: Any) -> Any:
        """Only the same course of play is sure to lead to the same state: OpenSpiel compares the
        texts of states, and in some games (banqi, cursor_go) states with the same text differ."""
        return state if isinstance(state, SeenState) else self._own(state).history

    def caption(self, state: Any) -> str:
        return str(state)

    def _own(self, state: Any) -> SpielState:
        """A whole state."""
        if isinstance(state, SeenState):
            raise BadText("this needs a whole state; a view of a game with hidden cards is none")
        if not isinstance(state, SpielState):
            raise BadType(f"a state of {self} is what deal() gives, not {checks.brief(state)}")
        return state

    # -- what is hidden ----------------------------------------------------------------------

    def view(self, state: Any, seat: int) -> View[Any]:
        seat = checks.seat(seat, self.players)
        if self.traits.hidden and not (isinstance(state, SeenState) and state.seat == seat):
            state = self._seen(self._own(state), seat)
        return self.view_class(self, seat, state)

    def _seen(self, state: SpielState, seat: int) -> SeenState:
        own, spiel = [], self._spiel.new_initial_state()
        for action in state.history:
            if spiel.current_player() == seat:
                own.append((self._told(spiel, seat), action))
            spiel.apply_action(action)
        mover = _mover(spiel)
        return SeenState(
            seat,
            mover,
            self._told(spiel, seat),
            state.plays if mover == seat else (),
            tuple(spiel.returns()) if mover is None else None,
            tuple(own),
        )

    def _told(self, spiel: Any, seat: int) -> str:
        kind = self._spiel.get_type()
        recalls = kind.provides_information_state_string
        return str((spiel.information_state_string if recalls else spiel.observation_string)(seat))

    def observed_play(self, state: Any, seat: int, play: Play) -> Play | None:
        """OpenSpiel does not say who sees a play: its information states tell what is seen."""
        seat = checks.seat(seat, self.players)
        return play if not self.traits.hidden or seat == self.mover(state) else None

    def redeal(self, view: View[Any], rng: np.ndarray) -> Any:
        seen = checks.one_of(view, View, "a view").state
        if not self.traits.hidden:
            return seen
        if not isinstance(seen, SeenState):
            raise BadValue("that is no view: view() gives one")
        return self._at(draw_one(self._courses_like(seen), checks.stream(rng)))

    def check_redeal(self) -> None:
        """At the first decision: what comes after it is mostly less, as more is seen."""
        if "_redeals" not in vars(self):
            state, self._redeals = self.deal(0), ""
            try:
                if not self.is_over(state):
                    self._courses_like(self._seen(state, self.mover(state)))
            except UnsuitableGame as error:
                self._redeals = str(error)
        if self._redeals:
            raise UnsuitableGame(self._redeals)

    def _courses_like(self, seen: SeenState) -> list[tuple[tuple[int, ...], float]]:
        """All courses that end in what was seen, with their probabilities."""
        lists: dict[SeenState, list[tuple[tuple[int, ...], float]]] = vars(self).setdefault(
            "_lists", {}
        )
        if seen not in lists:
            if len(lists) >= KEPT:
                lists.clear()
            root = self._spiel.new_initial_state()
            courses = list(CourseSearch(self, seen).courses(root, 0, 1.0))
            if not courses:
                raise BadText(f"{self}: no course of play looks like this view")
            total = sum(chance for _, chance in courses)
            lists[seen] = [(history, chance / total) for history, chance in courses]
        return lists[seen]

    def for_player(self, view: View[Any] | None = None) -> OpenSpielGame:
        """A game of its own: what this one remembers is none of a player's business."""
        super().for_player(view)
        own = object.__new__(type(self))
        vars(own).update({k: v for k, v in vars(self).items() if k != "_lists"})
        return own

    # -- text --------------------------------------------------------------------------------

    def position(self, state: Any) -> str:
        """`history=4 0 8`: the numbers of all actions, those of chance too. What a seat sees of a
        game that hides something is `view=` and its own decisions, with what it was told."""
        if isinstance(state, SeenState):
            return f"view={state.text}"
        return f"history={' '.join(map(str, self._own(state).history))}"

    def parse_position(self, text: str) -> Any:
        key, _, value = checks.text(text, "a position").strip().partition("=")
        if key == "view" and self.traits.hidden:
            return self._parse_view(value)
        words = value.split()
        numbers = (word.isascii() and word.isdecimal() and len(word) < DIGITS for word in words)
        if key != "history" or not all(numbers):
            raise BadText(f"a position of {self} is written history=4 0 8, the actions so far")
        return self._at(tuple(map(int, words)))

    def _parse_view(self, text: str) -> SeenState:
        """What a seat sees: it must come about in some course of the game."""
        try:
            seat, turn, told, own = json.loads(text)
            seats = range(1, self.players + 1)
            assert isinstance(told, str) and seat in seats and turn in (None, 0, *seats)
            decisions = tuple((str(before), int(action)) for before, action in own)
        except (ValueError, TypeError, AssertionError, RecursionError):
            raise BadText(
                f'a view of {self} is written view=[seat, turn, "what it is told", [["what it was'
                ' told before", action], …]]; turn 0 is chance, null the end'
            ) from None
        like = SeenState(seat - 1, None if turn is None else turn - 1, told, own=decisions)
        state = self._at(self._courses_like(like)[0][0])
        return self._seen(state, seat - 1)

    def _at(self, history: Sequence[int]) -> SpielState:
        spiel = self._spiel.new_initial_state()
        for number, action in enumerate(history, 1):
            if action not in spiel.legal_actions():
                raise BadText(f"history: {action}, action number {number}, is not possible there")
            spiel.apply_action(action)
        return SpielState(spiel)

    def copied(self, state: Any) -> Any:
        return deepcopy(state) if isinstance(state, SpielState) else state


class CourseSearch:
    """Every course of a game that a seat can't tell from what it has seen."""

    def __init__(self, game: OpenSpielGame, seen: SeenState) -> None:
        self.game, self.seen = game, seen
        self.looked = 0

    def courses(
        self, spiel: Any, decided: int, chance: float
    ) -> Iterator[tuple[tuple[int, ...], float]]:
        """Those that go on from a state, in which the seat has decided so often."""
        self.looked += 1
        if self.looked > MOST_NODES:
            raise UnsuitableGame(f"{self.game} is too large to list what may be hidden")
        seen, mover = self.seen, _mover(spiel)
        if decided == len(seen.own) and mover == seen.mover and self._looks(spiel, seen.told):
            yield tuple(spiel.history()), chance
        if mover is None:
            return
        if mover == seen.seat:
            if decided < len(seen.own) and self._looks(spiel, seen.own[decided][0]):
                yield from self.courses(spiel.child(seen.own[decided][1]), decided + 1, chance)
        elif mover == CHANCE:
            for action, p in spiel.chance_outcomes():
                yield from self.courses(spiel.child(action), decided, chance * p)
        else:
            for action in spiel.legal_actions():
                yield from self.courses(spiel.child(action), decided, chance)

    def _looks(self, spiel: Any, told: str) -> bool:
        return self.game._told(spiel, self.seen.seat) == told


def _mover(spiel: Any) -> int | None:
    """The seat to move, CHANCE, or None at an end."""
    if spiel.is_terminal():
        return None
    return CHANCE if spiel.is_chance_node() else int(spiel.current_player())


def _line(text: str) -> str:
    """A text of OpenSpiel's in one line."""
    return checks.one_line(text)
