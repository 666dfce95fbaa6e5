"""Break each rule in turn and list the breaks that no test notices: `make mutants`.

A mutant is one change to one file of the package. It is applied to a copy, and the rule tests
of its game run on the copy, interpreted, so that nothing has to compile.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "kibitz"
PATIENCE = 60
"""Seconds of computing, not of waiting on a busy machine: the rule tests of a game take a few."""


class Mutant(NamedTuple):
    rule: str
    """The number in RULES.md of the rule that it breaks."""
    file: str
    """Below src/kibitz."""
    old: str
    """Occurs exactly once in the file."""
    new: str

    @property
    def game(self) -> str:
        return self.file.split("/")[1]

    def __str__(self) -> str:
        return f"{self.game} {self.rule}: {self.old.strip()!r} -> {self.new.strip()!r}"


def apply(mutant: Mutant, package: Path) -> None:
    path = package / mutant.file
    text = path.read_text(encoding="utf-8")
    if text.count(mutant.old) != 1:
        raise ValueError(f"{mutant}: the old text occurs {text.count(mutant.old)} times")
    path.write_text(text.replace(mutant.old, mutant.new), encoding="utf-8")


def survives(mutant: Mutant) -> bool:
    """Whether the rule tests of its game pass although the rule is broken."""
    with tempfile.TemporaryDirectory() as folder:
        package = Path(folder) / "kibitz"
        shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
        apply(mutant, package)
        return run_rule_tests(mutant.game, Path(folder)) == 0


def run_rule_tests(game: str, source: Path) -> int:
    files = sorted((ROOT / "tests" / "games" / game).glob("test_rules*.py"))
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(source), str(ROOT)])
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    # A game that never ends is ended by the system, and so noticed.
    limited = ["sh", "-c", f'ulimit -t {PATIENCE}; exec "$@"', "sh"]
    done = subprocess.run(
        [*limited, *command, *map(str, files)],
        env=environment,
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode


def main() -> int:
    from tests.mutants import love_letter, tablic

    mutants = [*love_letter.MUTANTS, *tablic.MUTANTS]
    for game in ("love_letter", "tablic"):
        if run_rule_tests(game, PACKAGE.parent) != 0:
            print(f"the rule tests of {game} fail without any mutant")
            return 1
    left = []
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for i, (mutant, lives) in enumerate(
            zip(mutants, pool.map(survives, mutants), strict=True), 1
        ):
            print(f"{i}/{len(mutants)} {'SURVIVES' if lives else 'noticed'}  {mutant}", flush=True)
            if lives:
                left.append(mutant)
    print(f"{len(mutants)} mutants, {len(left)} that no test notices")
    for mutant in left:
        print(f"  {mutant}")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
