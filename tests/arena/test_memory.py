"""Long comparisons need no more memory than short ones."""

from __future__ import annotations

import json
from pathlib import Path

from kibitz.core.folders import cache_folder
from tests.games.boards import few
from tests.processes import complaints, environment, run

SCRIPT = """
import json, sys
import kibitz
from kibitz.studies.players.footprint import peak_bytes
comparison = kibitz.compare("love-letter", ["random", "random"], pairs=int(sys.argv[1]))
print(json.dumps([comparison.matches[0].pairs, peak_bytes() >> 20]))
"""


def peak(pairs: int, home: Path) -> float:
    """The most memory that a process needs for so many pairs, in MB."""
    done = run(["-c", SCRIPT, str(pairs)], environment(HOME=home, KIBITZ_CACHE=cache_folder()))
    assert (done.returncode, complaints(done)) == (0, [])
    played, megabytes = json.loads(done.stdout)
    assert played == pairs
    return float(megabytes)


def test_a_million_games_take_no_more_memory_than_ten_thousand(tmp_path: Path) -> None:
    """Their results alone would be 16 MB, and what Python makes of each much more."""
    peak(1, tmp_path)  # so that nothing is compiled below
    least = peak(few(5000, 5), tmp_path)
    assert peak(few(500_000, 50), tmp_path) < least + 40
