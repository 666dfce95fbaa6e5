"""What Kibitz is started on and from: other systems, and scripts that ignore Ctrl-C."""

from __future__ import annotations

import signal
import subprocess

import pytest

from tests.processes import ROOT, environment, run

OTHER_SYSTEM = """
import os, runpy, sys
os.name = "nt"
del os.fork, os.register_at_fork
sys.modules["fcntl"] = sys.modules["resource"] = None
"""


@pytest.mark.parametrize(
    "started",
    [
        "import kibitz",
        "import kibitz.arena.store.store",
        "sys.argv = ['kibitz', 'games']; from kibitz.cli import main; main()",
        "sys.argv = ['kibitz', 'games']; runpy.run_module('kibitz', run_name='__main__')",
    ],
)
def test_another_system_is_reported_in_one_line(started: str) -> None:
    done = run(["-c", OTHER_SYSTEM + started], environment(PYTHONPATH=ROOT / "src"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "kibitz: this needs Linux, macOS or another POSIX system, such as WSL\n"


def test_a_child_can_be_interrupted() -> None:
    """Also if the tests run in the background of a script; see the next test."""
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as child:
        child.send_signal(signal.SIGINT)
        assert child.wait(60) == -signal.SIGINT


def test_tests_can_run_in_the_background_of_a_script() -> None:
    """There a shell lets commands ignore Ctrl-C, and their children would as well."""
    this = f"{__file__}::{test_a_child_can_be_interrupted.__name__}"
    code = (
        "import signal, sys, pytest; signal.signal(signal.SIGINT, signal.SIG_IGN);"
        f"sys.exit(pytest.main(['-p', 'no:cacheprovider', {this!r}, *sys.argv[1:]]))"
    )
    for more in ([], ["-n", "1"]):
        done = run(["-c", code, *more], environment())
        assert done.returncode == 0, done.stdout
