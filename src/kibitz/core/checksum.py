"""Checksums: was a file, or a row in one, damaged since it was written?

They notice flipped bits and missing ends. They do not notice malice: what a file says is
validated like any other input.
"""

from __future__ import annotations

import zlib
from hashlib import blake2b

SEAL_BYTES = 16
"""Length of the digest in a sealed content."""


def checksum(*parts: bytes) -> int:
    """CRC-32 of the parts, one after the other: for a short row, or one of many."""
    value = 0
    for part in parts:
        value = zlib.crc32(part, value)
    return value


def seal(kind: bytes, name: str, content: bytes) -> bytes:
    """A whole file: its kind, a digest, its content. The name is part of the digest: one file
    in place of another is damage too."""
    return kind + _digest(name, content) + content


def unseal(kind: bytes, name: str, sealed: bytes) -> bytes | None:
    """The content of a sealed file; None if it is damaged."""
    start = len(kind) + SEAL_BYTES
    content = sealed[start:]
    return content if sealed[:start] == kind + _digest(name, content) else None


def digest_of(content: bytes, size: int = SEAL_BYTES) -> bytes:
    """The digest of a content, BLAKE2b: for files whose format has a place of its own for it."""
    return blake2b(content, digest_size=size).digest()


def _digest(name: str, content: bytes) -> bytes:
    digest = blake2b(name.encode() + b"\n", digest_size=SEAL_BYTES)
    digest.update(content)
    return digest.digest()
