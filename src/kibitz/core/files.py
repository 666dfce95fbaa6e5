"""Atomic writing of files: all of a file is replaced in one step, or nothing is.

Whatever Kibitz writes goes through here, but for what grows: results that are appended one by
one, and databases. Only what is a file, or not there yet, is replaced: no
folder, device, pipe or socket. A link stays, and what it leads to is replaced.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from errno import EACCES, EFBIG
from pathlib import Path
from typing import IO

from kibitz.core.errors import KibitzError

NAME = 100
"""Letters of its name that a file has while it is written: names may not be too long."""


def read_file(path: Path, most: int) -> bytes:
    """All of it; OSError if there is more than so many bytes. A device may have no end."""
    with path.open("rb") as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise OSError(EFBIG, f"too large, more than {most >> 20} MB")
    return content


def atomic_write(contents: Mapping[Path, bytes]) -> None:
    """Write files, and the folders for them. None is replaced before all are written."""
    with ExitStack() as written:
        streams = {path: written.enter_context(atomic_stream(path)) for path in contents}
        for path, content in contents.items():
            with _named(path):
                streams[path].write(content)
                streams[path].close()


@contextmanager
def atomic_stream(path: Path) -> Iterator[IO[bytes]]:
    """A stream whose content replaces a file when the block ends without an error."""
    with _named(path):
        place = _place(path)
        place.parent.mkdir(parents=True, exist_ok=True)
        # Other processes, and machines that share the folder, may write the same file.
        unique = f"{os.getpid()}-{os.urandom(4).hex()}"
        temporary = place.with_name(f".{place.name[:NAME]}.{unique}.tmp")
        try:
            with temporary.open("wb") as stream:
                yield stream
            with suppress(FileNotFoundError):
                shutil.copymode(place, temporary)
            os.replace(temporary, place)
        finally:
            with suppress(OSError):
                temporary.unlink()


@contextmanager
def output_stream(path: Path) -> Iterator[IO[bytes]]:
    """The same; but a device or a pipe, such as /dev/stdout, gets what is written itself."""
    with _named(path):
        device = _device(path)
        with atomic_stream(path) if device is None else device as stream:
            yield stream


def is_device(path: Path) -> bool:
    """Whether what is written to it goes elsewhere, or is our own standard output."""
    try:
        status = os.stat(path)
    except OSError:
        return False
    return _own(status) is not None or _takes_bytes(status)


def _device(path: Path) -> IO[bytes] | None:
    if not is_device(path):
        return None
    own = _own(os.stat(path))
    return path.open("wb") if own is None else os.fdopen(os.dup(own), "wb")


def _takes_bytes(status: os.stat_result) -> bool:
    return stat.S_ISCHR(status.st_mode) or stat.S_ISFIFO(status.st_mode)


def _own(status: os.stat_result) -> int | None:
    """Our own output, if it is that: to open it anew would cut off what is in it."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError, AttributeError):
            if os.path.samestat(os.fstat(stream.fileno()), status):
                stream.flush()
                return stream.fileno()
    return None


def _place(path: Path) -> Path:
    """Where the file is, or will be."""
    with suppress(FileNotFoundError):
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise KibitzError(f"{path}: a folder, not a file that can be written")
        if not stat.S_ISREG(status.st_mode):
            raise KibitzError(f"{path}: not a file that can be written")
        if not os.access(path, os.W_OK):
            raise KibitzError(f"{path}: {os.strerror(EACCES)}")
    return Path(os.path.realpath(path))


@contextmanager
def _named(path: Path) -> Iterator[None]:
    """Errors of files as a line that names the file."""
    try:
        yield
    except OSError as error:
        raise KibitzError(f"{path}: {error.strerror}") from error
