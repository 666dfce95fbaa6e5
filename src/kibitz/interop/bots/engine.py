"""Kibitz as a bot: a strategy that answers the questions of docs/bots.md, line by line.

With the seed of a game the strategy draws the numbers that it would draw at the other side's own
table, and the packed views are that table's: so it decides as it would there.
"""

from __future__ import annotations

import base64
import binascii
import json
import sys
from collections.abc import Mapping
from typing import IO, Any

from kibitz.core import checks
from kibitz.core.code_file import describe_with_line
from kibitz.core.errors import BadText, IllegalPlay, KibitzError, UnsuitableGame
from kibitz.core.game import Game, View
from kibitz.core.registry import catalogue_game, game_of, split_spec
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.interop.bots.protocol import VERSION, line_of
from kibitz.jit.rng import stream
from kibitz.table.seeds import as_stream
from kibitz.table.table import Table
from kibitz.version import __version__

WORDS = 1 << 64
WORLDS = 2000
"""Worlds in which a play of somebody else's is looked for."""
PRACTICE = 2
"""Decisions that are made before it says ready, so that everything is compiled."""


class BotEngine:
    """A strategy at the other end of a pipe, one game after the other."""

    def __init__(self, strategy: Strategy, game: Game[Any, Any] | str | None = None) -> None:
        """`game`: one in a file of the user's, which no message can name."""
        if strategy.knows is not Knows.FAIR:
            raise UnsuitableGame(
                f"{strategy} is {strategy.knows}: the protocol shows what a fair player sees"
            )
        self.strategy = strategy
        self._own = None if game is None else game_of(game)
        self._practised: set[str] = set()
        self._game: Game[Any, Any] | None = None
        self._player: Player | None = None
        self._seat = 0
        self._rng: Any = None
        self._log: list[str] = []
        self._past: list[tuple[Any, Any]] = []

    def serve(self, lines: IO[bytes], out: IO[bytes]) -> None:
        """Answer until told to quit, or until nothing more comes."""
        for line in lines:
            answer = self._answer_line(line)
            if answer is None:
                return
            if answer:
                out.write(line_of(answer))
                out.flush()

    def _answer_line(self, line: bytes) -> dict[str, Any] | None:
        """An answer, an empty one where none is wanted, None to end."""
        try:
            message = json.loads(line.decode())
            if not isinstance(message, dict):
                raise ValueError
        except (ValueError, RecursionError):
            return {"type": "error", "message": "a line is one JSON object"}
        if message.get("type") == "quit":
            return None
        try:
            answer = self.answer(message)
        except Exception as error:
            ours = isinstance(error, KibitzError)
            said = str(error) if ours else describe_with_line(error)
            print(said, file=sys.stderr, flush=True)
            return {"type": "error", "id": message.get("id"), "message": said}
        return answer and {"type": answer.pop("type"), "id": message.get("id"), **answer}

    def answer(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """What is said to a message; nothing to one that wants no answer."""
        kind = message.get("type")
        if kind == "hello":
            name = f"kibitz bot {self.strategy}"
            return {"type": "hello", "protocol": VERSION, "name": name, "version": __version__}
        if kind == "game":
            self._begin(message)
            return {"type": "ready"}
        if kind == "choose":
            return {"type": "play", "play": self._choose(message)}
        if kind == "end" and self._player is not None:
            self._end(message)
        elif kind == "error":
            print(f"the other side says: {message.get('message')}", file=sys.stderr, flush=True)
        return {}

    def _begin(self, message: Mapping[str, Any]) -> None:
        game = self._game_named(checks.text(message.get("game"), "a game"))
        self.strategy.check_game(game)
        self._practise(game)
        self._game = game
        self._seat = _seat(message.get("seat"), game)
        self._rng = _stream(message.get("seed"))
        self._log, self._past = [], []
        self._player = self.strategy.sit(game.for_player(), self._seat, self._rng)

    def _game_named(self, spec: str) -> Game[Any, Any]:
        """A message opens no file."""
        if self._own is not None and spec == self._own.spec:
            return self._own
        return catalogue_game(*split_spec(spec))

    def _practise(self, game: Game[Any, Any]) -> None:
        """Decide a few times in a game of one's own: what is compiled here does not have to be
        later, when a clock runs."""
        if game.spec in self._practised:
            return
        table = Table(game, seed=1)
        players: dict[int, Player] = {}
        made = 0
        while made < PRACTICE * game.players and not table.is_over:
            seat = table.mover
            if seat not in players:
                players[seat] = self.strategy.sit(game.for_player(), seat, stream(1, seat))
            table.play(players[seat].choose(table.view(seat)))
            made += 1
        self._practised.add(game.spec)

    def _choose(self, message: Mapping[str, Any]) -> str:
        if self._player is None or self._game is None:
            raise BadText("no game has begun")
        if "seed" in message:
            self._rng[:] = _stream(message["seed"])
        view = self._view(message)
        return str(view.game.match_play(view.state, self._player.choose(view)))

    def _view(self, message: Mapping[str, Any]) -> View[Any]:
        game, since = self._game, _mapping(message.get("since", {}))
        assert game is not None
        self._log += map(str, since.get("log", ()))
        for turn in since.get("turns", ()):
            before, play = _state(game, _mapping(turn)), _mapping(turn).get("play")
            seen = game.view_class(game, self._seat, before)
            made = None if play is None else _earlier_play(seen, checks.text(play, "a play"))
            self._past.append((before, made))
        state = _state(game, _mapping(message.get("view")))
        bare = game.view_class(game, self._seat, state)
        return game.view_class(
            game.for_player(bare), self._seat, state, tuple(self._log), tuple(self._past)
        )

    def _end(self, message: Mapping[str, Any]) -> None:
        player, self._player = self._player, None
        assert player is not None
        if "view" in message:
            returns = message.get("returns")
            player.end(self._view(message), None if returns is None else tuple(returns))


def _earlier_play(view: View[Any], text: str) -> Any:
    """The play that was made before this view. Somebody else made it from a hand that is hidden:
    in some of the worlds that look like the view it is legal."""
    game, state, lots = view.game, view.state, stream(0)
    for _ in range(WORLDS):
        try:
            return game.match_play(state, text)
        except IllegalPlay:
            state = game.redeal(view, lots)
    raise BadText(f"{checks.brief(text)} was not possible there")


def _mapping(what: Any) -> Mapping[str, Any]:
    checked: Mapping[str, Any] = checks.one_of(what, Mapping, "a JSON object")
    return checked


def _seat(what: Any, game: Game[Any, Any]) -> int:
    return checks.seat(checks.whole_number(what, "seat") - 1, game.players)


def _stream(seed: Any) -> Any:
    """The random stream that begins with a seed, which is the text of a number."""
    text = checks.text(seed, "a seed")
    if not (text.isascii() and text.isdigit()) or len(text) > 20 or int(text) >= WORDS:
        raise BadText(f"a seed is a whole number of 64 bits as a text, not {checks.brief(seed)}")
    return as_stream(int(text))


def _state(game: Game[Any, Any], said: Mapping[str, Any]) -> Any:
    """A state with its hidden parts blank, from what Kibitz packed, or else from its line. The
    game checks that it is one."""
    packed = said.get("packed")
    if packed is None or not isinstance(game, CompiledGame):
        return game.parse_position(checks.text(said.get("position"), "a position"))
    import numpy as np

    try:
        content = base64.b64decode(checks.text(packed, "a packed state"), validate=True)
        record = np.frombuffer(bytearray(content), game.kernels.STATE)
    except (binascii.Error, ValueError):
        raise BadText("that is no packed state of this game") from None
    return game.checked(record)
