"""With what and where a run was begun."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version

from kibitz.version import __version__


def versions() -> dict[str, str]:
    """The versions of Kibitz, Python, NumPy and Numba."""
    others = {name: version(name) for name in ("numpy", "numba")}
    return {"kibitz": __version__, "python": platform.python_version(), **others}


def machine() -> dict[str, str | int]:
    """The system, and how many processors it has."""
    return {"platform": platform.platform(), "processors": os.cpu_count() or 1}
