"""Files are written whole or not at all."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.arena.compare import compare
from kibitz.core.errors import KibitzError
from kibitz.core.files import atomic_stream, atomic_write, is_device, output_stream
from kibitz.core.folders import cache_folder
from kibitz.core.registry import make_game, make_strategy
from tests.processes import assert_refused, complaints, environment, kibitz, kibitz_here


def test_files_have_the_content_that_was_written(tmp_path: Path) -> None:
    file, other = tmp_path / "new" / "a.txt", tmp_path / "b.bin"
    atomic_write({file: b"one\n", other: b"\0\xff"})
    assert (file.read_bytes(), other.read_bytes()) == (b"one\n", b"\0\xff")
    atomic_write({file: b"two"})
    assert file.read_bytes() == b"two"
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["a.txt", "b.bin", "new"]


def test_what_fails_changes_nothing(tmp_path: Path) -> None:
    file, folder = tmp_path / "a.txt", tmp_path / "folder"
    file.write_bytes(b"old")
    folder.mkdir()
    with pytest.raises(KibitzError, match="not a file"):
        atomic_write({file: b"new", folder: b"x"})
    assert file.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "folder"]


def test_nobody_sees_a_file_half_written(tmp_path: Path) -> None:
    file, other = tmp_path / "a.txt", tmp_path / "b.txt"
    file.write_bytes(b"old")
    with pytest.raises(KibitzError, match=r"a\.txt: No space left"), atomic_stream(file) as stream:
        stream.write(b"new")
        stream.flush()
        assert file.read_bytes() == b"old"
        raise OSError(28, "No space left on device")
    assert file.read_bytes() == b"old"
    with pytest.raises(KibitzError, match=r"b\.txt: "):
        atomic_write({file: b"new", other / "below" / "it": b"x", other: b"x"})
    assert file.read_bytes() == b"old"


def test_a_link_stays_and_leads_to_the_new_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    link.symlink_to(target)
    for content in (b"one", b"two"):
        atomic_write({link: content})
        assert link.is_symlink() and target.read_bytes() == content
    assert [file.name for file in target.parent.iterdir()] == ["target"]
    (tmp_path / "round").symlink_to(tmp_path / "round")
    with pytest.raises(KibitzError, match="round: "):
        atomic_write({tmp_path / "round": b"x"})


def test_who_may_read_a_file_stays(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"old")
    file.chmod(0o600)
    atomic_write({file: b"new"})
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_long_name_is_no_hindrance(tmp_path: Path) -> None:
    atomic_write({tmp_path / ("x" * 255): b"new"})
    with pytest.raises(KibitzError, match="too long"):
        atomic_write({tmp_path / ("x" * 256): b"new"})


def devices(folder: Path) -> dict[str, Path]:
    """What is there and no file. A device can be made by root alone."""
    paths = {kind: folder / kind for kind in ("pipe", "socket", "folder", "device")}
    os.mkfifo(paths["pipe"])
    paths["folder"].mkdir()
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(paths["socket"]))
    try:
        os.mknod(paths["device"], stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except PermissionError:
        del paths["device"]
    return paths


def open_streams(contents: dict[Path, bytes]) -> None:
    for path in contents:
        atomic_stream(path).__enter__()


def test_only_files_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    for path in devices(Path()).values():
        before = path.lstat()
        for write in (atomic_write, open_streams):
            with pytest.raises(KibitzError, match=f"{path}: .*not a file"):
                write({path: b"x"})
            assert path.lstat() == before
            assert not list(tmp_path.glob(".*"))


def test_an_output_goes_through_a_pipe_or_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    paths = devices(Path())
    reader = os.open(paths["pipe"], os.O_RDONLY | os.O_NONBLOCK)
    with output_stream(paths["pipe"]) as stream:
        stream.write(b"through")
    assert os.read(reader, 100) == b"through"
    os.close(reader)
    for kind in ("folder", "socket"):
        with pytest.raises(KibitzError, match="not a file"), output_stream(paths[kind]):
            pass
    if "device" in paths:  # which swallows all
        with output_stream(paths["device"]) as stream:
            stream.write(b"x")
        assert stat.S_ISCHR(paths["device"].stat().st_mode)
    with output_stream(Path("file")) as stream:
        stream.write(b"whole")
    assert Path("file").read_bytes() == b"whole"
    assert all(is_device(path) == (kind in ("pipe", "device")) for kind, path in paths.items())


def test_a_full_device_is_an_error_of_one_line() -> None:
    with (
        pytest.raises(KibitzError, match="/dev/full: "),
        output_stream(Path("/dev/full")) as stream,
    ):
        stream.write(b"x")
        stream.flush()


@pytest.fixture
def store(tmp_path: Path) -> Path:
    compare(make_game("pig:target=10"), [make_strategy("random")] * 2, 2, store=tmp_path / "store")
    return tmp_path / "store"


def test_an_export_to_standard_output(store: Path, tmp_path: Path) -> None:
    """Also if that is a file: what was in it stays."""
    done = kibitz("runs", store, "1", "--export", "/dev/stdout", home=tmp_path)
    assert done.returncode == 0 and complaints(done) == ["/dev/stdout"]
    lines = done.stdout.splitlines()
    assert lines[0].startswith("run,game") and len(lines) == 1 + 2 * 2 * 2
    log = tmp_path / "log"
    log.write_text("before\n")
    env = environment(HOME=tmp_path, KIBITZ_CACHE=cache_folder())
    command = [sys.executable, "-m", "kibitz", "runs", str(store), "1", "--export", "/dev/stdout"]
    with log.open("ab") as stream:
        subprocess.run(command, env=env, stdout=stream, check=True)
    assert log.read_text().splitlines() == ["before", *lines]


@pytest.mark.parametrize("where", [".", "/", "..", "pipe/x.csv", "store", "x" * 300])
def test_an_impossible_export_is_refused(store: Path, tmp_path: Path, where: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    before = sorted(tmp_path.iterdir())
    assert_refused(kibitz_here("runs", store, "1", "--export", where, home=tmp_path))
    assert sorted(tmp_path.iterdir()) == before
