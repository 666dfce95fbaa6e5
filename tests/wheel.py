"""Build the source package and the wheel, install the wheel into an empty environment, and run
there what the README shows: `python -m tests.wheel`.

A wheel that lacks a file, or a dependency that only the tests bring, shows only so.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.processes import ROOT, with_own_cache

COMMAND = re.compile(r"^ *\.venv/bin/(kibitz .+)$", re.M)
IN_SMALL = {"2000": "200"}
"""So that all of it takes two minutes."""


def commands(readme: str) -> Iterator[list[str]]:
    """The commands of the README, as arguments. A server would go on: it only tells its help."""
    for line in COMMAND.findall(readme):
        words = [IN_SMALL.get(word, word) for word in shlex.split(line, comments=True)]
        yield [*words, "--help"] if "serve" in words else words


def build(folder: Path) -> Path:
    """The wheel, made from the source package, so that nothing is missing in either."""
    args = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(args, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    (source,) = folder.glob("*.tar.gz")
    print(f"built {source.name} and {wheel.name}", flush=True)
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """A new environment with the wheel and what it needs; where its programs are."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "-c", str(ROOT / "constraints.txt"), str(wheel)], check=True)
    return folder / "bin"


def main() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    in_readme = list(commands(readme))
    assert len(in_readme) > 5, "the README has other forms of commands now"
    with TemporaryDirectory() as name:
        folder = Path(name)
        programs = install(build(folder / "dist"), folder / "environment")
        home = folder / "home"
        home.mkdir()
        # No program but our own is needed, and none can be run. What is compiled here need not be
        # compiled again for the tests.
        env = with_own_cache(home) | {"PATH": "/nowhere"}
        for args in in_readme:
            started = time.monotonic()
            # Who is asked for a play says that he stops.
            subprocess.run(
                [programs / args[0], *args[1:]],
                input="q\n", text=True, cwd=home, env=env, check=True, stdout=subprocess.DEVNULL,
            )  # fmt: skip
            print(f"{time.monotonic() - started:5.1f} s  {shlex.join(args)}", flush=True)
        python = [str(programs / "python"), "-m", "doctest", str(ROOT / "README.md")]
        subprocess.run(python, cwd=home, env=env, check=True)
        assert (home / "twenty-one.svg").exists(), "the picture that a command of the README draws"
    print("the wheel does what the README shows")


if __name__ == "__main__":
    main()
