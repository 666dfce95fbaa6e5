"""What the scripts here share: run `kibitz compare` commands once, and fill a page's tables.

Results go to a file of JSON Lines as they are made; what is there already for this version is
not run again (delete a line to have it anew). With `--small` everything is done with a few games,
to see that it works: for a copy of the docs, whose figures it spoils.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from kibitz import __version__
from kibitz.table.seeds import VERSION

HERE = Path(__file__).parent
WITH = {"version": __version__, "streams": VERSION}
"""What figures hang on besides their command."""
SMALL = "--small" in sys.argv
PAIRS = 2
"""Of a small comparison."""


def sized(command: str) -> str:
    """A comparison, made small if that is asked for."""
    return re.sub(r"--pairs \d+", f"--pairs {PAIRS}", command) if SMALL else command


def kibitz(command: str) -> str:
    """What a command prints. It is run in the folder of the results."""
    words = [sys.executable, "-m", "kibitz", *shlex.split(command)]
    done = subprocess.run(words, capture_output=True, text=True, cwd=HERE)
    if done.returncode:
        raise SystemExit(f"kibitz {command}: {done.stderr}")
    print(command, flush=True)
    return done.stdout


def known(file: Path) -> dict[str, Any]:
    """The reports of what was compared already with this version, by command."""
    lines = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
    same = [line for line in lines if {**line, **WITH} == line]
    return {line["command"]: line["report"] for line in same}


def compare_all(file: Path, commands: Iterable[str]) -> None:
    """Run the comparisons that are not known yet, two at a time."""
    done = known(file)
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda c: _compare(file, c), [c for c in commands if c not in done]))


def _compare(file: Path, command: str) -> None:
    report = json.loads(kibitz(f"compare {command} --json"))
    for player in report["players"]:  # a time is no result that anybody gets again
        player.pop("seconds")
    line = {**WITH, "command": command, "report": report}
    with file.open("a") as out:
        out.write(json.dumps(line) + "\n")


def percent(match: dict[str, Any]) -> tuple[str, str]:
    """A score and its interval."""
    low, high = match["ci95"]
    return f"{match['score']:.1%}", f"{low:.1%}–{high:.1%}"


def fill(page: Path, title: str, lines: Sequence[str]) -> None:
    """Replace what stands in a page between `<!-- title -->` and its end."""
    start, end = f"<!-- {title} -->\n", f"<!-- end of {title} -->"
    before, started, rest = page.read_text().partition(start)
    _, ended, after = rest.partition(end)
    if not (started and ended):
        raise SystemExit(f"{page}: there is no place for {title}")
    page.write_text(before + start + "\n".join(lines) + "\n" + end + after)
