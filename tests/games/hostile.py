"""Calls to everything that is public, with whatever somebody may hand in.

Run by itself (`python -m tests.games.hostile SEED CALLS`), because a crash takes the process with
it; the last line that it writes is the call. A call answers or refuses: with an error of ours, or
with a TypeError in words. What it answers is sound, and what it was given is as it was.
"""

from __future__ import annotations

import faulthandler
import inspect
import random
import sys
from collections.abc import Callable
from types import GeneratorType
from typing import Any

import numpy as np

import kibitz
from kibitz.core.errors import IllegalPlay, KibitzError
from kibitz.core.game import Play, View
from kibitz.core.position import view_of
from kibitz.core.registry import make_game, make_strategy
from kibitz.core.strategy import Knows
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.rng import stream
from kibitz.search.fast.rollouts import random_games
from kibitz.table.table import Table, play_out
from tests.games.boards import SPECS, compiled_game, walk

HOOKS = {"kernels", "legal", "presenter_class", "squares", "view_class"}
"""What a game or its presenter has for itself, not for people."""
FREE = {"copied"}
"""What may hand on what is no state."""


class Always:
    """Equal to everything."""

    code = 0
    text = "a1"

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __str__(self) -> str:
        raise RuntimeError("no text")

    __repr__ = __str__


class Forged(Play):
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash(self.code)


ANYTHING: list[Any] = [
    None, True, False, 0, 1, 2, 3, -1, 4, 15, 99, 10**9, -(10**9), 2**31, 2**62, 2**63, -(2**63),
    2**64 + 1, 10**5000, 0.0, 1.5, float("nan"), float("inf"), 1 + 2j, "", "a1", "turn=1",
    "x" * 5000, "guard>2=priest", "Qh x Jc Ad", "1", "9" * 50, b"", b"\0" * 488, [], [0], (), {},
    (1, 2), set(),
    np.int64(1), np.uint8(255), np.float64("nan"), np.bool_(True), np.zeros(1, np.uint64),
    np.zeros(0, np.uint64), np.zeros(1), np.zeros(3, np.int64), np.array(["a"]), np.array(5),
    object(), Always(), Always, Play(0, "a1"), Play(-1, "?"), Play(2**63, "?"), Play(10**30, "?"),
    Play(1.0, "?"), Play("1", "?"), Play(None, None), Play(np.int64(0), "0"), Play(True, "t"),  # type: ignore[arg-type]
    Forged(0, "a1"), Forged(77, "zz"), object.__new__(Play), random_games, KibitzError("x"),
]  # fmt: skip


class Attack:
    """Random calls to the methods of one game."""

    def __init__(self, spec: str, source: random.Random, note: Callable[[str], None]) -> None:
        self.spec, self.source, self.note = spec, source, note
        self.game: CompiledGame = compiled_game(spec)
        self.states = self._states(self.game)
        self.others = self._states(compiled_game(source.choice(SPECS)))
        self.plays = [play for state in self.states[:20] for play in self.game.plays(state)]
        self.presenter = self.game.presenter
        self.methods = [
            (owner, name)
            for owner in (self.game, self.presenter)
            for name, what in inspect.getmembers(type(owner))
            if callable(what) and name[0] != "_" and name not in HOOKS
        ]

    def _states(self, game: CompiledGame) -> list[Any]:
        states = []
        for i in range(3):
            first = self.source.randrange(game.players)
            for state, _, after in walk(game, self.source.randrange(10**6) + i, first):
                seat = self.source.randrange(game.players)
                states += [state, after, game.view(state, seat).state]
        return states

    # -- what is handed in -------------------------------------------------------------------

    def state(self) -> Any:
        """A state, mostly; whole, of another game, of another kind or damaged."""
        kind = self.source.randrange(8)
        state = self.source.choice(self.states).copy()
        if kind == 0:
            return self.source.choice(ANYTHING)
        if kind == 1:
            return self.source.choice(self.others).copy()
        if kind == 2:
            return self._reshaped(state)
        if kind <= 4:
            words = state.view(np.int64)
            for _ in range(self.source.randint(1, 3)):
                words[self.source.randrange(len(words))] = self._word()
        return state

    def _word(self) -> int:
        near = self.source.randint(-3, 20)
        far = self.source.getrandbits(64) - 2**63
        return self.source.choice(
            [near, near, far, 2**63 - 1, -(2**63), 1 << self.source.randrange(63)]
        )

    def _reshaped(self, state: Any) -> Any:
        return self.source.choice(
            [
                state[:0],
                np.repeat(state, 3),
                state[0],
                state.reshape(1, 1),
                state.tobytes(),
                state.view(np.int64),
                np.rec.array(state),
                list(state),
                state.astype(object),
                np.frombuffer(state.tobytes(), state.dtype),
                state.byteswap(),
                np.repeat(state, 2)[::2],
                state.view(state.dtype.fields and np.dtype(state.dtype.descr)),
                memoryview(state.tobytes()),
                state.astype(state.dtype.newbyteorder()),
            ]
        )

    def play(self) -> Any:
        ours = self.source.choice(self.plays)
        kind = self.source.randrange(6)
        if kind == 0:
            return self.source.choice(ANYTHING)
        if kind == 1:
            return str(ours)
        if kind == 2:
            forged = object.__new__(type(ours))
            for name, value in vars(ours).items():
                if isinstance(value, int) and self.source.random() < 0.5:
                    value ^= 1 << self.source.randrange(70)
                object.__setattr__(forged, name, value)
            return forged
        if kind == 3:
            return Play(self._word(), str(ours))
        return ours

    def view(self) -> Any:
        if self.source.random() < 0.1:
            return self.source.choice(ANYTHING)
        seat = (
            self.seat() if self.source.random() < 0.3 else self.source.randrange(self.game.players)
        )
        state = self.state()
        if self.source.random() < 0.7:
            try:
                return self.game.view(state, seat)
            except (KibitzError, TypeError):
                pass
        return View(self.game, seat, state)

    def parts(self) -> Any:
        """Of a play, with some of them changed."""
        parts = dict(self.presenter.parts(self.source.choice(self.plays)))
        if self.source.random() < 0.5:
            parts[self.source.choice([*parts])] = self.source.choice(ANYTHING)
        return parts

    def seat(self) -> Any:
        good = self.source.randrange(self.game.players)
        return self.source.choice([good, good, good, np.int64(good), self.source.choice(ANYTHING)])

    def argument(self, name: str) -> Any:
        if self.source.random() < 0.1:
            return self.source.choice(ANYTHING)
        if name in ("state", "before", "after", "world", "position"):
            return self.state()
        made: dict[str, Callable[[], Any]] = {
            "play": self.play,
            "plays": lambda: [self.play() for _ in range(self.source.randrange(4))],
            "view": self.view,
            "seat": self.seat,
            "first": self.seat,
            "seed": lambda: self.source.choice([1, 2, 2**63 - 1, self.source.choice(ANYTHING)]),
            "rng": lambda: self.source.choice([stream(1), stream(2), self.source.choice(ANYTHING)]),
            "code": lambda: self.source.choice([self._word(), self.source.choice(self.plays).code]),
            "knows": lambda: self.source.choice([*Knows, "fair", "none", 1]),
            "cards": lambda: self.source.sample(range(52), 52),
            "parts": self.parts,
        }
        return made[name]() if name in made else self.source.choice(ANYTHING)

    # -- the call ----------------------------------------------------------------------------

    def call(self) -> str:
        """One call; how it ended."""
        owner, name = self.source.choice(self.methods)
        method = getattr(owner, name)
        given = [self.argument(parameter) for parameter in inspect.signature(method).parameters]
        self.note(f"{self.spec} {name} {[describe(one) for one in given]}")
        before = [one.tobytes() for one in given if isinstance(one, np.ndarray)]
        kind = judge(lambda: self._finish(name, method(*given)))
        moved = [one.tobytes() for one in given if isinstance(one, np.ndarray)]
        if name not in ("redeal", "draw_chance", "next_first"):  # these draw from a stream
            assert moved == before, "what was handed in has changed"
        return kind

    def _finish(self, name: str, answer: Any) -> None:
        if isinstance(answer, GeneratorType):
            answer = [one for one, _ in zip(answer, range(20), strict=False)]
        answers = answer if isinstance(answer, list) else [answer]
        for one in answers:
            state = one.state if isinstance(one, View) else one
            state = state[0] if isinstance(state, tuple) and state else state
            if isinstance(state, np.ndarray) and name not in FREE:
                self.game.checked(state)
                self.game.position(state)


def describe(what: Any) -> str:
    """For whoever reads what went wrong."""
    if isinstance(what, np.ndarray):
        return f"{what.dtype.kind}{what.shape} {what.tobytes().hex()[:2000]}"
    if isinstance(what, View):
        return f"View({describe(what.seat)}, {describe(what.state)})"
    try:
        return repr(what)[:200]
    except Exception:  # some have no text
        return f"a {type(what).__name__}"


def judge(call: Callable[[], Any]) -> str:
    """How a call ended: `answered` or `refused`. Anything else is a failure of ours."""
    try:
        call()
    except KibitzError as error:
        assert str(error) and "\n" not in str(error), error
        assert not isinstance(error, IllegalPlay) or error.reason
        return "refused"
    except TypeError as error:
        assert str(error)
        return "refused"
    return "answered"


# -- not of one game -------------------------------------------------------------------------


def functions(source: random.Random) -> list[tuple[str, Callable[[], Any]]]:
    """Calls to what is no method of a game."""

    def any_of(*good: Any) -> Any:
        return source.choice([*good, source.choice(ANYTHING)])

    def few() -> Any:
        """A number of games that does not take for ever, or what is none."""
        wild = source.choice(ANYTHING)
        return 2 if isinstance(wild, int) and 3 < wild <= 10**12 else wild

    game = source.choice(["tic-tac-toe", "kuhn-poker", "love-letter", "tablic:players=3"])
    players = [any_of("random", "random"), any_of("random", make_strategy("random"))]
    made = make_game("kuhn-poker")
    table, start = Table(made, 1), made.start(1)
    return [
        ("make_game", lambda: kibitz.make_game(any_of("pig:target=3", "pig:target='4'"))),
        ("make_strategy", lambda: kibitz.make_strategy(any_of("ismcts:c=1", "random"))),
        ("play", lambda: kibitz.play(any_of(game), any_of(players), seed=any_of(1))),
        ("play for", lambda: kibitz.play(any_of(game), any_of(players), limit=any_of(None, 9))),
        (
            "compare",
            lambda: kibitz.compare(
                any_of("tic-tac-toe"), any_of(players), source.choice([2, few()]), seed=any_of(1),
                unit=any_of(None), limit=any_of(None),
            ),
        ),
        ("Table", lambda: Table(any_of(make_game(game)), any_of(1), any_of(0))),
        ("Table.view", lambda: table.view(any_of(0), any_of(Knows.FAIR, Knows.OPEN_DECK))),
        ("Table.play", lambda: table.play(any_of("pass", "bet"))),
        ("view_of", lambda: view_of(make_game(game), any_of(), any_of(0), any_of(Knows.FAIR))),
        ("play_out", lambda: play_out(make_game(game), any_of(players), any_of(1), any_of(0))),
        ("Position", lambda: repr(kibitz.Position(any_of(made), any_of(made.deal(1))))),
        ("Position.view", lambda: start.view(any_of(0, None), any_of(Knows.FAIR))),
        ("Position.play", lambda: start.play(any_of("pass", "bet"))),
        ("after_chance", lambda: start.after_chance(any_of(1))),
        ("explain", lambda: kibitz.explain(any_of(start), by=any_of("random"), seed=any_of(1))),
        ("solve", lambda: kibitz.solve(any_of("coin-game"), seed=any_of(1), depth=any_of(2))),
        ("graph", lambda: kibitz.graph(any_of("coin-game"), depth=any_of(2), nodes=any_of(9))),
        ("replay", lambda: kibitz.replay(any_of(), number=any_of(1))),
        ("strategies", lambda: kibitz.strategies(any_of("pig"))),
        ("random_games", lambda: random_games(any_of(compiled_game("pig")), few(), any_of(1))),
    ]  # fmt: skip


def main(seed: int, calls: int) -> None:
    faulthandler.enable()
    np.seterr(all="ignore")
    source = random.Random(seed)
    ended = {"answered": 0, "refused": 0}
    last = [""]

    def note(text: str) -> None:
        last[0] = text
        print(f"\r{text}", file=sys.stderr)

    attacks = [Attack(spec, source, note) for spec in SPECS]
    for i in range(calls):
        try:
            if i % 20 == 0:
                name, call = source.choice(functions(source))
                note(name)
                ended[judge(call)] += 1
            else:
                ended[source.choice(attacks).call()] += 1
        except BaseException:
            print(f"after {i} calls: {last[0]}")
            raise
    print(f"{ended['answered']} answered, {ended['refused']} refused")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
