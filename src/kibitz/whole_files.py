"""Files that are written whole or not at all: each is replaced in one step."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from kibitz.errors import KibitzError


def write_files(contents: Mapping[Path, bytes]) -> None:
    """Write files, and folders for them. None is replaced before all of them are there."""
    fresh: dict[Path, Path] = {}
    try:
        for path, content in contents.items():
            if path.exists() and not path.is_file():
                raise KibitzError(f"{path}: not a file that can be written")
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
            fresh[temporary] = path
            temporary.write_bytes(content)
        for temporary, path in fresh.items():
            os.replace(temporary, path)
    except OSError as error:
        raise KibitzError(f"{path}: {error.strerror}") from error
    finally:
        for temporary in fresh:
            with suppress(OSError):
                temporary.unlink()
