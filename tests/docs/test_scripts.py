"""Every script that the docs name still runs: in small, and in a copy, which it may spoil."""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path

import pytest

from kibitz.core.folders import cache_folder
from tests.processes import ROOT, complaints, environment, run

FOLDERS = ("docs", "benchmarks")
PAGES = (ROOT / "README.md", ROOT / "CHANGELOG.md", ROOT / "Makefile", *ROOT.glob("docs/**/*.md"))
NAMED = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w/-]+\.py")


def named() -> set[str]:
    return {name for page in PAGES for name in NAMED.findall(page.read_text(encoding="utf-8"))}


def runnable() -> set[str]:
    """What can be run, whether a page names it or not."""
    files = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py"))
    main = 'if __name__ == "__main__":'
    return {str(file.relative_to(ROOT)) for file in files if main in file.read_text()}


def snapshot() -> dict[Path, tuple[int, int]]:
    files = (file for folder in FOLDERS for file in (ROOT / folder).rglob("*"))
    return {f: (f.stat().st_size, f.stat().st_mtime_ns) for f in files if f.is_file()}


def test_what_the_docs_name_is_there() -> None:
    assert named() <= runnable()
    assert {"docs/results/deal_value.py", "benchmarks/open_deck.py"} <= named()


def test_what_scripts_import_is_there() -> None:
    """Also what is imported only beside a library that is not installed."""
    missing = []
    for file in (file for folder in FOLDERS for file in (ROOT / folder).rglob("*.py")):
        for line in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(line, ast.ImportFrom) and (line.module or "").startswith("kibitz"):
                for one in line.names:
                    try:
                        exec(f"from {line.module} import {one.name}")
                    except ImportError as error:
                        missing.append(f"{file.name}: {error}")
    assert not missing


@pytest.mark.parametrize("script", sorted(named() | runnable()))
def test_scripts_run(script: str, tmp_path: Path) -> None:
    for folder in (*FOLDERS, "examples"):
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    before = snapshot()
    home = tmp_path / "home"
    env = environment(HOME=home, XDG_DATA_HOME=home, KIBITZ_CACHE=cache_folder())
    done = run([tmp_path / script, "--small"], env, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    assert not [line for line in complaints(done) if "Error" in line or "Traceback" in line]
    assert snapshot() == before, "it writes where it is"
