"""Games of Kibitz in OpenSpiel: `load("love-letter")` gives a `pyspiel.Game`.

    from kibitz.interop.open_spiel import load
    game = load("love-letter:players=3")

Importing this module registers every game that has a codec for `pyspiel.load_game`, with its
options as parameters: `kibitz_love_letter(players=3)`, `kibitz_tablic`. Chance moves in nodes of
its own; `extensive_form.py` says what a node is and what its seats are told. The other way round,
OpenSpiel's games in Kibitz, is `open_spiel_game.py`. docs/open-spiel.md tells of both.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np

try:
    import pyspiel
except ImportError:
    raise ImportError(
        "kibitz.interop.open_spiel needs OpenSpiel: pip install 'kibitz[spiel]'"
    ) from None

from kibitz.core import checks
from kibitz.core.errors import BadText, BadValue
from kibitz.core.game import CHANCE, Chance, Game
from kibitz.core.registry import game_of, games
from kibitz.interop.extensive_form import ExtensiveForm, FormNode
from kibitz.interop.resampling import Resampler
from kibitz.jit.rng import stream

WORLDS = 77
"""The key of the stream by which hidden cards are dealt here."""
FINE = 1 << 53
"""As many different random numbers a sampler gives."""


def load(game: Game[Any, Any] | str) -> KibitzGame:
    """A game of Kibitz, or its text, as a game of OpenSpiel.

    Raises
    ------
    UnsuitableGame
        If it has no codec, or does not say how it is dealt.

    Examples
    --------
    >>> game = load("kuhn-poker")
    >>> str(game), game.num_distinct_actions(), game.get_type().chance_mode.name
    ('kibitz_kuhn_poker()', 2, 'EXPLICIT_STOCHASTIC')
    """
    made = game_of(game)
    loaded = KibitzGame(made)
    if loaded.get_type().short_name not in pyspiel.registered_names():
        _register(type(made))
    return loaded


# -- what OpenSpiel wants to know of a game ----------------------------------------------------


def short_name(cls: type[Game[Any, Any]]) -> str:
    """What OpenSpiel calls a game."""
    return "kibitz_" + re.sub(r"\W+", "_", cls.name)


def _type_of(cls: type[Game[Any, Any]], recalls: bool) -> Any:
    """What kind of game it is, and whether it has information states as numbers."""
    kinds, traits, players = pyspiel.GameType, cls.traits, _players(cls)
    chance = kinds.ChanceMode.EXPLICIT_STOCHASTIC
    if traits.chance is Chance.NONE:
        chance = kinds.ChanceMode.DETERMINISTIC
    information = kinds.Information.PERFECT_INFORMATION
    if traits.hidden:
        information = kinds.Information.IMPERFECT_INFORMATION
    return kinds(
        short_name=short_name(cls),
        long_name=cls.title,
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=information,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        min_num_players=players[0],
        max_num_players=players[1],
        provides_information_state_string=True,
        provides_information_state_tensor=recalls,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={option.name: option.default for option in cls.options},
    )


def _players(cls: type[Game[Any, Any]]) -> tuple[int, int]:
    """How few and how many may play."""
    for option in cls.options:
        if option.name == "players" and option.choices:
            return min(option.choices), max(option.choices)
    n = cls().players
    return n, n


def _info_of(form: ExtensiveForm) -> Any:
    """Its size. What one seat loses the others gain, so no result is above that."""
    players, worst = form.game.players, form.codec.worst
    return pyspiel.GameInfo(
        num_distinct_actions=len(form.codec.actions),
        max_chance_outcomes=form.most_outcomes,
        num_players=players,
        min_utility=worst,
        max_utility=-worst * (players - 1),
        utility_sum=0.0,
        max_game_length=form.longest,
    )


class KibitzGame(pyspiel.Game):  # type: ignore[misc]
    """A game of Kibitz. `kibitz` is it, `form` its tree."""

    def __init__(self, game: Any) -> None:
        self.kibitz = game
        self.form = ExtensiveForm(game)
        self.resampler = Resampler(self.form)
        usual = {option.name: option.default for option in game.options}
        changed = {k: v for k, v in game.settings.items() if v != usual.get(k)}
        kind = _type_of(type(game), self.form.rows > 0)
        super().__init__(kind, _info_of(self.form), changed)

    def new_initial_state(self) -> KibitzState:
        """The root."""
        return KibitzState(self)

    def max_chance_nodes_in_history(self) -> int:
        return self.form.longest_chance

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> KibitzObserver | None:
        """What a seat sees, or all that it has seen; None for what Kibitz does not tell apart: what
        all see alike, and what one seat sees alone."""
        if params:
            raise ValueError(f"there are no parameters of observations, as {params}")
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER:
            return None
        return KibitzObserver(self.form, kind.perfect_recall)

    def deserialize_state(self, text: str) -> KibitzState:
        """The state of which `serialize` made this text. Every action in it must be legal."""
        try:
            record = json.loads(text)
            spec, names = record["game"], [str(name) for name in record["actions"]]
        except (ValueError, TypeError, KeyError) as error:
            raise BadText(f"that is no record of a state: {checks.brief(text)}") from error
        if spec != self.kibitz.spec:
            raise BadValue(f"that is a state of {checks.brief(spec)}, not of {self.kibitz}")
        state = self.new_initial_state()
        for name in names:
            node, mover = state.node, state.current_player()
            ways = [action for action in node.actions if node.name(mover, action) == name]
            if not ways:
                raise BadText(f"{checks.brief(name)} is not possible after {state.history_str()}")
            state.apply_action(ways[0])
        return state


class KibitzState(pyspiel.State):  # type: ignore[misc]
    """Where a game stands."""

    def __init__(self, game: KibitzGame) -> None:
        super().__init__(game)
        self._node: Any = game.form.root

    @property
    def node(self) -> FormNode:
        """Its node. A state that was sent has its history alone."""
        if not isinstance(self._node, FormNode):
            node = self.get_game().form.root
            for action in self.history():
                node = node.child(action)
            self._node = node
        node = self._node
        return node

    def current_player(self) -> int:
        mover = self.node.mover
        if mover is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if mover == CHANCE else mover

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.node.actions)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return list(self.node.outcomes())

    def _apply_action(self, action: int) -> None:
        self._node = self.node.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.node.name(CHANCE if player == pyspiel.PlayerId.CHANCE else player, action)

    def is_terminal(self) -> bool:
        return self.node.mover is None

    def returns(self) -> list[float]:
        return list(self.node.returns)

    def __str__(self) -> str:
        """All of it, what is hidden too."""
        node, game = self.node, self.node.form.game
        stands = "" if node.state is None else game.position(node.state)
        falls = f"{node.falling} to fall" if node.falling else ""
        picked = [node.form.codec.actions[action] for action in node.picked]
        return "; ".join(filter(None, [stands, falls, f"chosen: {picked}" if picked else ""]))

    def resample_from_infostate(self, player_id: int, rng: Callable[[], float]) -> KibitzState:
        """A state that looks the same to a player, by lot."""
        game = self.get_game()
        if not game.kibitz.traits.hidden:
            return self.clone()
        seat = checks.seat(int(player_id), game.num_players())
        lots = stream(int(rng() * FINE), WORLDS)
        state = game.new_initial_state()
        for action in game.resampler.draw(self.node, seat, lots):
            state.apply_action(action)
        return state

    def serialize(self) -> str:
        """The game and what happened, as text. It is read back by the game's own
        `deserialize_state`, which runs no code of it."""
        state, names = self.get_game().new_initial_state(), []
        for action in self.history():
            names.append(state.action_to_string(action))
            state.apply_action(action)
        record = {"game": self.get_game().kibitz.spec, "actions": names}
        return json.dumps(record, ensure_ascii=False)


class KibitzObserver:
    """What a seat is told of a state, as OpenSpiel wants it: `tensor`, `dict`, and texts."""

    def __init__(self, form: ExtensiveForm, recall: bool) -> None:
        self._form, self._recall = form, recall
        self.tensor: np.ndarray | None = None
        self.dict: dict[str, np.ndarray] = {}
        if not recall or form.rows:
            size, past = form.codec.size, form.rows * form.row_size if recall else 0
            self.tensor = np.zeros(size + past, np.float32)
            self.dict["observation"] = self.tensor[:size]
            if past:
                self.dict["past"] = self.tensor[size:].reshape(form.rows, form.row_size)

    def set_from(self, state: KibitzState, player: int) -> None:
        """Write what a player sees into the tensor."""
        if self.tensor is None:
            return
        seat = checks.seat(int(player), self._form.game.players)
        self.dict["observation"][:] = self._form.observation(state.node, seat)
        if "past" in self.dict:
            self.dict["past"][:] = self._form.rows_so_far(state.node, seat)

    def string_from(self, state: KibitzState, player: int) -> str:
        """What a player sees, or all that it has seen, as text."""
        seat = checks.seat(int(player), self._form.game.players)
        told = self._form.info_text if self._recall else self._form.observed_text
        return told(state.node, seat)


class Loader:
    """Makes a game of its options. A class, as OpenSpiel's own: it holds it longer than Python
    lives, and a mere function would be gone by then."""

    game_class: type[Game[Any, Any]]

    def __new__(cls, options: dict[str, Any]) -> Any:
        return KibitzGame(cls.game_class(**options))


def _register(cls: type[Game[Any, Any]]) -> str:
    """Make a game known to `pyspiel.load_game`; its name there."""
    loader = type("Loader", (Loader,), {"game_class": cls})
    pyspiel.register_game(_type_of(cls, cls.traits.hidden), loader)
    return short_name(cls)


NAMES = tuple(_register(cls) for cls in games().values() if cls.codec)
"""What `pyspiel.load_game` knows Kibitz's games by."""
