"""Hash functions for kernels: keys of positions and information sets, and slots of hash tables.

All of them multiply by an odd constant and fold the high bits down by xor and shift: the two
steps of the finalizers of MurmurHash3 (Appleby 2011) and of splitmix64 (Steele, Lea, Flood
2014). The arithmetic is uint64 throughout and wraps; the results are int64, as in our records.

Which function for what:

- `mix`, `mix_words`: a key of 64 bits that grows word by word, as a tree key does.
- `hash_128`: two keys of a whole record, where nothing compares the records themselves.
- `combine`: the two words of such a key as one.
- `slot`: where in a hash table the search for a key begins, if the key is not mixed already.
- `find_slot`: where a mixed key is in a hash table.
- `is_due`: a yes or no that looks random, one in so many, by a place and a time.

Not for anything that an opponent must not guess: see blake2.py.
"""

from typing import Any

import numpy as np

from kibitz.jit.kernels import inlined, kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
"""2⁶⁴ divided by the golden ratio, made odd: Knuth's multiplicative hashing, and splitmix64."""
PRIME = np.uint64(0xC2B2AE3D27D4EB4F)
"""The second prime of xxHash64 (Collet 2012)."""
XORSHIFT = np.uint64(0x2545F491)
"""The upper half of the multiplier of xorshift64* (Vigna 2016)."""
THIRD = np.uint64(0xD1B54A32D192ED03)
"""2⁶⁴ divided by 1.2207…, the root of x⁴ = x + 1, made odd: what the golden ratio, the root of
x² = x + 1, is in one dimension."""
STAFFORD = np.uint64(0xBF58476D1CE4E5B9)
"""The first multiplier of Stafford's mixer 13 (2011), which is splitmix64's."""
_29, _32, _40, _1 = np.uint64(29), np.uint64(32), np.uint64(40), np.uint64(1)


@kernel
def mix(key: int, word: int) -> int:
    """A key and one more word: z = (key ⊕ word · GOLDEN) · PRIME, then z ⊕ (z >> 29)."""
    # By int64, because interpreted a Python number below zero is refused.
    z = (np.uint64(np.int64(key)) ^ (np.uint64(np.int64(word)) * GOLDEN)) * PRIME
    return int(np.int64(z ^ (z >> _29)))


@kernel
def mix_words(key: int, words: Any) -> int:
    """A key and an array of more words, int64."""
    for i in range(len(words)):
        key = mix(key, words[i])
    return key


@kernel
def hash_128(words: Any) -> tuple[int, int]:
    """Two keys of an array of words, int64. One adds where the other xors, so words that
    collide in one differ in the other."""
    first, second = GOLDEN, PRIME
    for i in range(len(words)):
        word = np.uint64(words[i])
        first = (first ^ word) * PRIME
        first ^= first >> _29
        second = (second + word) * GOLDEN
        second ^= second >> _29
    return int(np.int64(first)), int(np.int64(second))


@kernel
def combine(first: int, second: int) -> int:
    """Two words as one, in a single multiplication: use `slot` to spread its bits."""
    z = np.uint64(np.int64(first)) ^ (np.uint64(np.int64(second)) * XORSHIFT)
    return int(np.int64(z))


@kernel
def slot(key: int, mask: int) -> int:
    """Where in a table of mask + 1 slots, a power of two, the search for a key begins."""
    z = np.uint64(np.int64(key)) * GOLDEN
    return int(np.int64((z ^ (z >> _32)) >> _1) & mask)


@kernel
def find_slot(keys: Any, key: int) -> int:
    """The slot of a mixed key, or the empty one where it belongs: linear probing. An empty
    slot holds 0; the number of slots is a power of two, and one at least is empty."""
    mask = len(keys) - 1
    i = key & mask
    while keys[i] != 0 and keys[i] != key:
        i = (i + 1) & mask
    return i


@inlined
def is_due(place: int, time: int, period: int) -> bool:
    """True for one in `period` pairs of a place and a time, as if drawn by lot."""
    z = np.uint64(place) * GOLDEN
    z = z ^ (np.uint64(time) * THIRD)
    z = (z * STAFFORD) >> _40
    return z % np.uint64(period) == np.uint64(0)
