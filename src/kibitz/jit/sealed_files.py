"""Machine code on disk, each file with a checksum that is verified before anything is loaded.

Numba's own files have none, and they are pickles of machine code: a flipped bit in one gives wrong
figures, or a crash. These are the same files in a seal. A damaged one is removed, and what was in
it is compiled again.

Numba takes machine code for outdated if the source has moved or was written again. Here the name of
a function says all that its machine code depends on, so neither counts: two checkouts, or a source
tree and an installed package, share what they compile.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from numba import config as typed_config
from numba.core.caching import IndexDataCacheFile as TypedFile

from kibitz.core.checksum import seal, unseal
from kibitz.core.files import atomic_write
from kibitz.jit import cache as jit_cache

MARK = b"kibitz machine code 1\n"
ANY_SOURCE = 0
"""Instead of when the source was written, and how long it is."""

config: Any = typed_config
IndexDataCacheFile: Any = TypedFile  # they have no types


def read_sealed(path: str) -> bytes | None:
    """The content of a file; None if there is none, or a damaged one, which is removed."""
    file = Path(path)
    try:
        sealed = file.read_bytes()
    except FileNotFoundError:
        return None
    content = unseal(MARK, file.name, sealed)
    if content is None:
        jit_cache.print_once("machine code on disk is damaged and is made anew")
        file.unlink(missing_ok=True)
    return content


class SealedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """The files of one function: an index, and one for each kind of arguments. What is in such a
    file says for which: two processes may have given two kinds the same file."""

    def load(self, key: Any) -> Any:
        stored = super().load(key)
        return stored[1] if stored is not None and stored[0] == key else None

    def save(self, key: Any, data: Any) -> None:
        super().save(key, (key, data))

    def _load_index(self) -> dict[Any, str]:
        content = read_sealed(self._index_path)
        if content is None:
            return {}
        version, stamp, overloads = pickle.loads(content)
        current = (version, stamp) == (self._version, self._source_stamp)
        return overloads if current else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        content = read_sealed(self._data_path(name))
        if content is None:
            raise FileNotFoundError(name)  # which Numba takes as nothing
        return pickle.loads(content)

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _write(self, path: str, data: Any) -> None:
        file = Path(path)
        atomic_write({file: seal(MARK, file.name, self._dump(data))})


class FolderOfModule(NamedTuple):
    """Where the files of a module's functions are: what Numba calls a locator. It asks for no more
    than this once a cache is made."""

    path: Path

    def ensure_cache_path(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)


def cached_in(folder: Path, jit: Callable[[], Any]) -> Any:
    """The dispatcher of Numba that `jit` makes; its cache is sealed files in a folder. The function
    must have a name that no other function has in any version of its module."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        dispatcher = jit()
    finally:
        config.CACHE_DIR = before
    function, cache = dispatcher.py_func, dispatcher._cache
    place = FolderOfModule(folder / function.__module__)
    cache._cache_path, cache._impl._locator = str(place.path), place
    base = f"{function.__qualname__}.{sys.implementation.cache_tag}"
    cache._cache_file = SealedFiles(cache.cache_path, base, ANY_SOURCE)
    return dispatcher
