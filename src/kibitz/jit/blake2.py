"""BLAKE2b for kernels: a keyed one-way hash of three whole numbers (Aumasson, Neves,
Wilcox-O'Hearn and Winnerlein 2013; RFC 7693).

`begin` takes in the key, once; `digest` goes on from there for each message. Both together give
what `hashlib.blake2b(message, key=key)` gives, of which Python code makes use: see
`kibitz.table.seeds`. Arrays are of uint64; a key has 32 bytes, a message 24.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from kibitz.jit.kernels import kernel

KEY, MESSAGE, BLOCK, DIGEST = 32, 24, 128, 64
"""Lengths in bytes."""

# The first 64 bits of the fractions of the square roots of the first eight primes.
START = np.array(
    [
        0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1,
        0x510E527FADE682D1, 0x9B05688C2B3E6C1F, 0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179,
    ],
    np.uint64,
)  # fmt: skip
PARAMETERS = np.uint64(0x01010000 | KEY << 8 | DIGEST)

ORDERS = np.array(
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ],
    np.uint64,
)
"""In which order a round takes the words of a block; rounds 10 and 11 are as 0 and 1.
Without a sign, so that compiled code need not look whether it counts from the end."""

_16, _24, _32, _63 = np.uint64(16), np.uint64(24), np.uint64(32), np.uint64(63)
_1, _40, _48 = np.uint64(1), np.uint64(40), np.uint64(48)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)


@kernel
def mix(v: Any, a: int, b: int, c: int, d: int, x: Any, y: Any) -> None:
    """Two words of the block into four of the state: the function G of RFC 7693."""
    v[a] = v[a] + v[b] + x
    turned = v[d] ^ v[a]
    v[d] = (turned >> _32) | (turned << _32)
    v[c] = v[c] + v[d]
    turned = v[b] ^ v[c]
    v[b] = (turned >> _24) | (turned << _40)
    v[a] = v[a] + v[b] + y
    turned = v[d] ^ v[a]
    v[d] = (turned >> _16) | (turned << _48)
    v[c] = v[c] + v[d]
    turned = v[b] ^ v[c]
    v[b] = (turned >> _63) | (turned << _1)


@kernel
def compress(h: Any, block: Any, length: int, last: bool, v: Any) -> None:
    """Take a block of 16 words into the 8 words of h: the function F of RFC 7693.

    The length is that of all bytes so far. v is a buffer of 16 words.
    """
    for i in range(8):
        v[i] = h[i]
        v[i + 8] = START[i]
    v[12] ^= np.uint64(length)
    if last:
        v[14] ^= _ALL
    for turn in range(12):
        s = ORDERS[turn % 10]
        mix(v, 0, 4, 8, 12, block[s[0]], block[s[1]])
        mix(v, 1, 5, 9, 13, block[s[2]], block[s[3]])
        mix(v, 2, 6, 10, 14, block[s[4]], block[s[5]])
        mix(v, 3, 7, 11, 15, block[s[6]], block[s[7]])
        mix(v, 0, 5, 10, 15, block[s[8]], block[s[9]])
        mix(v, 1, 6, 11, 12, block[s[10]], block[s[11]])
        mix(v, 2, 7, 8, 13, block[s[12]], block[s[13]])
        mix(v, 3, 4, 9, 14, block[s[14]], block[s[15]])
    for i in range(8):
        h[i] ^= v[i] ^ v[i + 8]


@kernel
def begin(key: Any, state: Any) -> None:
    """Make `state` (8 words) that of a hash which has taken in a key of 4 words."""
    block, v = np.zeros(16, np.uint64), np.zeros(16, np.uint64)
    block[:4] = key
    state[:] = START
    state[0] ^= PARAMETERS
    compress(state, block, BLOCK, False, v)


@kernel
def digest(state: Any, a: int, b: int, c: int, work: Any, out: Any) -> None:
    """The 8 words that the message a, b, c gives to `out`, none of them negative. The state
    stays; work is a buffer of 32 words."""
    work[:16] = 0
    work[0], work[1], work[2] = np.uint64(a), np.uint64(b), np.uint64(c)
    out[:] = state
    compress(out, work[:16], BLOCK + MESSAGE, True, work[16:])
