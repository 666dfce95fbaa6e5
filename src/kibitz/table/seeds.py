"""Everything is a function of seeds, and no player's random numbers tell of the cards.

A run (a comparison, a match, a single game at a table) has one seed. It is stretched once into
a key, which takes a fifth of a second: so nobody can try all small seeds to find the one that
gives a stream which he has seen. From the key a keyed hash (BLAKE2b) derives for game number
`nth` of pair number `pair` the seed of its shuffle and a stream for chance, for the referee (who
draws between games) and for each seat. So a stream handed to a player says nothing about the
shuffle or another stream. Hints to a person have streams of their own, so that they change
nothing. `pairs.py` does the same in compiled code. In a session with a person every decision has
a stream of its own, so that what was decided before need not be decided again.

A game at a table that was given a seed of its own, and no run's, is shuffled by that seed.
"""

from __future__ import annotations

import hashlib
import struct
from functools import cache
from typing import Any

import numpy as np

from kibitz.jit.rng import stream

VERSION = 2
"""Of the way from a seed to streams. Runs with another one can't be gone on with."""

COST = 1 << 16
"""Of stretching a seed, which takes 64 MB for a moment."""
SHUFFLE, CHANCE, REFEREE, SEATS = range(4)
"""The numbers of the streams of a game; seat n has number SEATS + n."""
WORDS = 8
"""Streams of one hash."""
LUCK = 1 << 32
"""The number of the hash that gives a pair's stream of luck: no game has so many streams."""
HINTS, AGREEMENT, DECISIONS = range(1, 4)
"""What more streams a game may have: with a purpose and numbers of their own."""


@cache
def stretch(seed: int) -> bytes:
    """The key of a run: slow to find, and nothing of the seed is seen in it."""
    return hashlib.scrypt(
        str(int(seed)).encode(), salt=b"kibitz", n=COST, r=8, p=1, maxmem=1 << 28, dklen=32
    )


def nth_seed(seed: int, i: int) -> int:
    """The seed of number i in a series of runs or decks. Anybody can go this way back: what a
    player gets must not be derived so."""
    return int(stream(seed, i)[0] >> np.uint64(1))


class GameSeeds:
    """The shuffle's seed and the random streams of one game of a run.

    >>> seeds = GameSeeds(7, pair=3)
    >>> seeds == GameSeeds(7, pair=3), seeds == GameSeeds(7, pair=4)
    (True, False)
    >>> bool(seeds.seat(0)[0] == seeds.seat(1)[0])
    False
    """

    def __init__(self, run: int, pair: int = 0, nth: int = 0, shuffle: int | None = None) -> None:
        """Game number nth of a pair of the run with this seed; several of them make a match.
        A shuffle that is given has another seed than the run says."""
        self.run, self.pair, self.nth = run, pair, nth
        self._shuffle = shuffle

    @classmethod
    def alone(cls, seed: int) -> GameSeeds:
        """A game by itself, shuffled by its own seed."""
        return cls(seed, shuffle=seed)

    @property
    def shuffle(self) -> int:
        """The seed that `Game.deal` takes."""
        return self._word(SHUFFLE) >> 1 if self._shuffle is None else self._shuffle

    @property
    def chance(self) -> np.ndarray:
        """The stream of chance during play."""
        return as_stream(self._word(CHANCE))

    @property
    def referee(self) -> np.ndarray:
        """The stream of what is drawn outside the rules: who begins the next game of a match."""
        return as_stream(self._word(REFEREE))

    @property
    def luck(self) -> np.ndarray:
        """The stream of what could have come instead, where that is drawn: see arena/luck.py."""
        return as_stream(self._words(LUCK)[0])

    def seat(self, seat: int) -> np.ndarray:
        """The stream of the player in a seat."""
        return as_stream(self._word(SEATS + seat))

    def decision(self, seat: int, turn: int) -> np.ndarray:
        """The stream of one decision, after so many plays."""
        return self.other(DECISIONS, seat, turn)

    def hint(self, turn: int) -> np.ndarray:
        """The stream of who advises a person before a turn."""
        return self.other(HINTS, turn)

    def other(self, purpose: int, *key: int) -> np.ndarray:
        """A stream for a purpose of its own."""
        return as_stream(self._words(purpose, *key)[0])

    def _word(self, number: int) -> int:
        return self._words(number // WORDS)[number % WORDS]

    def _words(self, *key: int) -> tuple[int, ...]:
        numbers = (self.pair, self.nth, *key)
        message = struct.pack(f"<{len(numbers)}q", *numbers)
        return struct.unpack(f"<{WORDS}Q", hashlib.blake2b(message, key=self._key()).digest())

    def _key(self) -> bytes:
        return stretch(self.run)

    def _id(self) -> tuple[int, int, int, int | None]:
        return self.run, self.pair, self.nth, self._shuffle

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GameSeeds) and self._id() == other._id()

    def __hash__(self) -> int:
        return hash(self._id())

    def __repr__(self) -> str:
        return f"GameSeeds(run={self.run}, pair={self.pair}, nth={self.nth})"


def as_stream(word: int) -> Any:
    """A random stream that begins with this word."""
    return np.array([word], np.uint64)
