"""From a seed to shuffles and streams: the same in both codes, and no way back."""

from __future__ import annotations

import hashlib
import struct
from typing import Any, ClassVar

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.arena.compare import compare
from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.python_pairs import PythonPairs
from kibitz.core.game import View
from kibitz.core.registry import make_game, make_strategy
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.blake2 import begin, digest
from kibitz.jit.rng import stream
from kibitz.table.seeds import GameSeeds, nth_seed, stretch
from kibitz.table.table import Table
from tests.games.boards import compiled_game, few, pairs_of

WORD = st.integers(0, 2**63 - 1)


@given(st.binary(min_size=32, max_size=32), WORD, WORD, WORD)
def test_the_hash_of_kernels_is_blake2b(key: bytes, a: int, b: int, c: int) -> None:
    state, out = np.zeros(8, np.uint64), np.zeros(8, np.uint64)
    begin(np.frombuffer(key, "<u8").astype(np.uint64), state)
    digest(state, a, b, c, np.zeros(32, np.uint64), out)
    expected = hashlib.blake2b(struct.pack("<3q", a, b, c), key=key).digest()
    assert out.astype("<u8").tobytes() == expected


def test_streams_are_what_the_documentation_says() -> None:
    """Written out once more: scrypt, then BLAKE2b of the pair, the game and the block."""
    key = hashlib.scrypt(b"7", salt=b"kibitz", n=1 << 16, r=8, p=1, maxmem=1 << 28, dklen=32)
    words = struct.unpack("<8Q", hashlib.blake2b(struct.pack("<3q", 5, 2, 0), key=key).digest())
    seeds = GameSeeds(7, 5, 2)
    assert seeds.shuffle == words[0] >> 1
    assert [int(one[0]) for one in (seeds.chance, seeds.referee)] == [*words[1:3]]
    assert [int(seeds.seat(n)[0]) for n in range(5)] == [*words[3:]]
    more = struct.unpack("<8Q", hashlib.blake2b(struct.pack("<3q", 5, 2, 1), key=key).digest())
    assert int(seeds.seat(5)[0]) == more[0]


def test_streams_do_not_meet() -> None:
    games = [GameSeeds(1, pair, nth) for pair in range(100) for nth in range(3)]
    words = {int(game.seat(seat)[0]) for game in games for seat in range(8)}
    words |= {int(game.hint(turn)[0]) for game in games for turn in range(4)}
    words |= {int(one[0]) for game in games for one in (game.chance, game.referee)}
    words |= {game.shuffle for game in games}
    assert len(words) == 300 * (8 + 4 + 2 + 1)


def test_a_game_by_itself_is_shuffled_by_its_seed() -> None:
    game = make_game("tablic")
    assert Table(game, 7).state.tobytes() == game.deal(7).tobytes()
    table = Table(game, GameSeeds(7, 3))
    assert table.state.tobytes() == game.deal(GameSeeds(7, 3).shuffle).tobytes()
    assert table.seed == GameSeeds(7, 3).shuffle


@pytest.mark.parametrize(
    ("spec", "unit", "players"),
    [
        ("love-letter", "round", ["random", "probabilistic"]),
        ("love-letter", "match", ["random", "greedy"]),
        ("pig", "game", ["random", "random"]),
        ("love-letter:players=3", "round", ["greedy", "random", "probabilistic"]),
        ("tablic:players=4", "game", ["greedy", "random", "random", "human"]),
    ],
)
def test_both_codes_play_the_same_pairs(spec: str, unit: str, players: list[str]) -> None:
    game = compiled_game(spec)
    strategies = [make_strategy(name) for name in players]
    target = game.target if unit == "match" else 0
    results, decisions = CompiledPairs(game, strategies, 5, target).play(3, pairs_of(game, 8))
    others = PythonPairs(game, strategies, 5, unit).play(3, pairs_of(game, 8))
    assert results.tobytes() == others[0].tobytes()
    assert decisions.tobytes() == others[1].tobytes()


# -- a thief --------------------------------------------------------------------------------------

ALL = (1 << 64) - 1
GOLDEN, MIX_1, MIX_2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def back(word: int) -> int:
    """What splitmix64 made this word of."""
    word = unshift(word, 31) * pow(MIX_2, -1, 1 << 64) & ALL
    word = unshift(word, 27) * pow(MIX_1, -1, 1 << 64) & ALL
    return (unshift(word, 30) - GOLDEN) & ALL


def unshift(word: int, by: int) -> int:
    mixed = word
    for _ in range(64 // by + 1):
        mixed = word ^ (mixed >> by)
    return mixed


def parent(word: int, key: int) -> int:
    """Whose fork number `key` a stream is, as a word."""
    return back(word) ^ (key * MIX_2 & ALL)


STOLEN: list[bool] = []
"""For each decision of a thief: whether it knew the deal."""


class Thief(Strategy):
    """Says that it is fair, and tries to find the shuffle from the random stream it is given:
    by going the ways back that streams came, and by trying small seeds of a run."""

    name = "thief"
    title = "tries to see the deck in its random numbers"
    knows: ClassVar[Knows] = Knows.FAIR

    def sit(self, game: Any, seat: int, rng: Any) -> Player:
        return ThievishPlayer(game, seat, int(rng[0]))


class ThievishPlayer(Player):
    def __init__(self, game: CompiledGame, seat: int, word: int) -> None:
        keys = (*range(9), 1 << 40, 1 << 41)
        roots = [parent(word, key) for key in keys]
        seeds = [back(root) * pow(MIX_2, -1, 1 << 64) & ALL for root in roots]
        small = [nth_seed(run, pair) for run in range(10) for pair in range(10)]
        self.guesses = [game.deal(seed & (ALL >> 1)) for seed in (*seeds, word, word >> 1, *small)]

    def choose(self, view: View[Any]) -> Any:
        start = view.past[0][0] if view.past else view.state
        seen = (view.game.view(guess, view.seat).state for guess in self.guesses)
        STOLEN.append(any(one.tobytes() == start.tobytes() for one in seen))
        return view.plays()[0]


@pytest.mark.parametrize("spec", ["tablic", "tablic:players=4"])
def test_a_players_random_stream_tells_nothing_of_the_deal(spec: str) -> None:
    game = make_game(spec)
    STOLEN.clear()
    players = [Thief(), *[make_strategy("greedy")] * (game.players - 1)]
    assert not compare(game, players, few(5, 1), seed=1).failures
    assert len(STOLEN) >= 10 and not any(STOLEN)


def test_the_thief_finds_the_deal_where_streams_are_forks_of_a_seed() -> None:
    """As they were in version 1: so the test above can fail."""
    game = make_game("tablic")
    STOLEN.clear()
    for seed in (3, nth_seed(1, 4), 2**63 - 25):
        table = Table(game, seed)
        Thief().sit(game, 0, stream(seed, 1)).choose(table.view(0))
    assert STOLEN == [True] * 3


def test_no_player_can_try_many_seeds_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    """A seed is stretched: as much work as a hundred thousand hashes, and memory besides."""
    costs: list[int] = []
    real = hashlib.scrypt

    def watched(*args: Any, **options: Any) -> bytes:
        costs.append(options["n"] * options["r"] * 128)
        return real(*args, **options)

    monkeypatch.setattr("kibitz.table.seeds.hashlib.scrypt", watched)
    stretch(2**60 + 11)
    stretch(2**60 + 11)
    assert costs == [64 << 20]


def test_every_decision_of_a_session_has_a_stream_of_its_own() -> None:
    games = [GameSeeds(1, 0, nth) for nth in range(3)]
    words = [
        int(g.decision(seat, turn)[0]) for g in games for seat in range(4) for turn in range(9)
    ]
    others = {int(g.seat(n)[0]) for g in games for n in range(8)}
    others |= {int(g.hint(turn)[0]) for g in games for turn in range(9)}
    assert len(set(words) | others) == len(words) + len(others)
    assert int(GameSeeds(1).decision(1, 2)[0]) == int(GameSeeds(1).decision(1, 2)[0])
