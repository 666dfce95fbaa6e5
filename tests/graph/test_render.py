"""Graphviz as it comes with pygraphviz: without any program, without fonts, and not for ever."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import matplotlib
import pytest

from kibitz.core.errors import KibitzError
from kibitz.core.folders import cache_folder
from kibitz.graph.dot import to_dot
from kibitz.graph.graph import Graph, protagonist
from kibitz.graph.look import Picture
from kibitz.graph.marks import Marks
from kibitz.graph.render import CHILD, draw, draw_all, graphviz, parts
from tests.cli.test_graph import names
from tests.cli.test_solve import LECTURE, written
from tests.processes import LIMIT, assert_refused, complaints, environment, kibitz, kibitz_here, run

SIZE = 300
TANGLE = "\n".join(
    [
        f"N{i} max: a -> N{i + 1}, b -> N{i + 1 + i * i % (SIZE - i)}, c -> N{SIZE - i % 7}"
        for i in range(SIZE - 7)
    ]
    + [f"N{i} max: a -> N{i + 1}" for i in range(SIZE - 7, SIZE)]
    + [f"N{SIZE} end: 1"]
)
"""Nearly 900 edges, many of them long: nobody has seen its layout end."""


def labelled(caption: str) -> Picture:
    return Picture(Graph.of(protagonist(1, caption=caption)), Marks(), "")


# -- nothing but Python --------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["svg", "png", "html", "dot", "mmd", "graph"])
def test_no_program_is_needed(tmp_path: Path, ending: str) -> None:
    written(tmp_path, "my.graph", LECTURE)
    more = ("--steps",) if ending == "html" else ()
    args = ("graph", "my.graph", "--algorithm", "minimax", *more, "-o", f"x.{ending}")
    done = kibitz(*args, home=tmp_path, PATH="")
    assert (done.returncode, complaints(done)) == (0, [])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["my.graph", f"x.{ending}"]


def test_neither_process_imports_what_the_other_needs() -> None:
    """`kibitz` starts without pygraphviz, and a picture does not wait for kibitz."""
    code = (
        "import sys; from kibitz.graph.render import graphviz;"
        "assert graphviz(['digraph { a }'], 'svg'); print('pygraphviz' in sys.modules)"
    )
    done = run(["-c", code], environment())
    assert (done.stdout, done.stderr) == ("False\n", "")
    code = (
        f"import runpy, sys; runpy.run_path({str(CHILD)!r}, run_name='__main__');"
        "print('pygraphviz' in sys.modules, 'kibitz' in sys.modules, 'numpy' in sys.modules)"
    )
    done = run(["-c", code], environment(), given='{"format": "", "seconds": 0, "texts": []}')
    assert (done.stdout, done.stderr) == ("True False False\n", "")


# -- fonts ---------------------------------------------------------------------------------

DEJAVU = Path(matplotlib.get_data_path(), "fonts", "ttf")


def configuration(home: Path, inner: str = "") -> Path:
    """A file for fontconfig; it names no fonts but what is in it."""
    file = home / "own.conf"
    file.write_text(f'<?xml version="1.0"?><fontconfig>{inner}</fontconfig>')
    return file


def unaided(label: str, fonts: Path) -> bytes:
    """What Graphviz draws with the fonts of this configuration, and no others."""
    asked = {"format": "png", "seconds": 60, "texts": [to_dot(labelled(label))]}
    done = subprocess.run(
        [sys.executable, "-P", CHILD],
        input=json.dumps(asked).encode(),
        env=environment(FONTCONFIG_FILE=fonts),
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    (picture,) = parts(done.stdout)
    return picture


@pytest.mark.parametrize("name", ["own.conf", "no-such.conf"])
def test_labels_are_readable_where_no_font_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Empty boxes are all alike; b and d differ, though they are of one width."""
    empty = configuration(tmp_path)
    assert unaided("b", empty) == unaided("d", empty), "there is a font"
    monkeypatch.setenv("FONTCONFIG_FILE", str(tmp_path / name))
    first, second, third = draw_all(map(labelled, "bdb"), ".png")
    assert first == third != second


def test_the_picture_is_the_one_that_dejavu_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    labels = ("✂ 2 ≤ α 3", "Tablić", "= −1")
    dejavu = configuration(tmp_path, f"<dir>{DEJAVU}</dir>")
    wanted = [unaided(label, dejavu) for label in labels]
    monkeypatch.setenv("FONTCONFIG_FILE", str(configuration(tmp_path)))
    assert draw_all(map(labelled, labels), ".png") == wanted


def test_a_font_that_the_user_prefers_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fonts").mkdir()
    shutil.copy(DEJAVU / "STIXGeneral.ttf", tmp_path / "fonts")
    wish = "<edit name='family' mode='assign' binding='strong'><string>STIXGeneral</string></edit>"
    monkeypatch.setenv("FONTCONFIG_FILE", str(configuration(tmp_path)))
    bare = draw(labelled("b"), ".png")
    configuration(tmp_path, f"<dir>{tmp_path / 'fonts'}</dir><match>{wish}</match>")
    assert draw(labelled("b"), ".png") != bare


# -- how long it may take ------------------------------------------------------------------


def test_a_layout_that_does_not_end_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.graph.render.SECONDS", 1.5)
    written(tmp_path, "tangle.graph", TANGLE)
    started = time.monotonic()
    done = kibitz_here("graph", "tangle.graph", "--merge", "-o", "x.svg", home=tmp_path)
    assert time.monotonic() - started < 30, "the process was not ended"
    line = assert_refused(done)
    assert "in 1.5 seconds" in line and ".dot" in line
    assert names(tmp_path) == ["tangle.graph"]
    done = kibitz_here("graph", "tangle.graph", "--merge", "-o", "x.mmd", home=tmp_path)
    assert done.returncode == 0


def test_ctrl_c_ends_a_layout(tmp_path: Path) -> None:
    written(tmp_path, "tangle.graph", TANGLE)
    own = tmp_path / "temporary"
    own.mkdir()
    env = environment(HOME=tmp_path, KIBITZ_CACHE=cache_folder(), TMPDIR=own)
    args = [sys.executable, "-m", "kibitz", "graph", "tangle.graph", "--merge", "-o", "x.svg"]
    with subprocess.Popen(
        args, cwd=tmp_path, env=env, start_new_session=True, stderr=subprocess.PIPE
    ) as process:
        while not list(own.rglob("fonts.conf")):
            assert process.poll() is None
            time.sleep(0.05)
        time.sleep(1)  # now it is in the layout
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=LIMIT)
    assert (process.returncode, err) == (130, b"")
    assert names(tmp_path) == ["tangle.graph", "temporary"]
    assert names(own) == []
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_what_graphviz_refuses_is_one_line() -> None:
    with pytest.raises(KibitzError, match=r"^Graphviz could not draw this: .*syntax error"):
        graphviz(["digraph { -> }"], "svg")
