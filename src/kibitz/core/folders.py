"""The user's folders: where Kibitz caches, and where it saves games and results.

Elsewhere than on Linux they are where that system has them: see platformdirs.
"""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """For what can be made again: `KIBITZ_CACHE`, or the user's cache (~/.cache/kibitz)."""
    own = os.environ.get("KIBITZ_CACHE")
    if own:
        return Path(own)
    from platformdirs import user_cache_path  # imported late: not every command needs it

    return user_cache_path("kibitz", appauthor=False)


def data_folder() -> Path:
    """For records of games and tables of results: `KIBITZ_DATA`, or the user's data
    (~/.local/share/kibitz)."""
    own = os.environ.get("KIBITZ_DATA")
    if own:
        return Path(own)
    from platformdirs import user_data_path

    return user_data_path("kibitz", appauthor=False)
