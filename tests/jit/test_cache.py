"""The folder with machine code: not writable, damaged, old; and what is said of it."""

from __future__ import annotations

import gc
import os
import random
import shutil
import time
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from kibitz.jit import cache as jit_cache
from kibitz.jit import compile_message, compile_progress, sealed_files
from kibitz.jit import kernels as compiled
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import next_word
from tests.jit.two_modules import Package


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return Package(tmp_path)


def test_cache_folder_that_cannot_be_written(package: Package) -> None:
    (package.folder / "file").write_text("")
    done = package.run("print(outer(5))", KIBITZ_CACHE=package.folder / "file" / "below")
    assert (done.returncode, done.stdout) == (0, "11\n")
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.startswith("kibitz: compiling without a cache: ")


@pytest.fixture(scope="module")
def filled_cache(tmp_path_factory: pytest.TempPathFactory) -> Package:
    package = Package(tmp_path_factory.mktemp("filled"))
    assert package.result("print(outer(5))") == "11"
    return package


def test_copies_of_a_module_share_their_code(tmp_path: Path) -> None:
    packages = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        packages.append(Package(tmp_path / name))
    one, other = packages
    assert one.result("print(outer(5))") == "11"
    files = one.files()
    assert files
    lines_before = "# The function has another line here.\n"
    other.callee.write_text(lines_before + other.callee.read_text())
    assert other.result("print(outer(5))", KIBITZ_CACHE=one.cache) == "11"
    assert one.files() == files


GARBAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "half": lambda content: content[: len(content) // 2],
    "text": lambda content: b"garbage\n",
    "zeros": lambda content: bytes(500),
    "pickled number": lambda content: b"I1\n.I1\n.",
    "unknown class": lambda content: b"cno_such_module\nThing\n.",
}


@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage_is_not_read(tmp_path: Path, kind: str) -> None:
    for suffix in (".nbi", ".nbc"):
        files = sealed_files.SealedFiles(str(tmp_path), "f", "stamp")
        files.save("key", "data")
        assert files.load("key") == "data"
        for file in tmp_path.glob(f"*{suffix}"):
            file.write_bytes(GARBAGE[kind](file.read_bytes()))
        assert sealed_files.SealedFiles(str(tmp_path), "f", "stamp").load("key") is None


@pytest.mark.parametrize(
    ("suffix", "kind"), [(".nbi", "empty"), (".nbi", "pickled number"), (".nbc", "unknown class")]
)
def test_corrupted_cache(filled_cache: Package, tmp_path: Path, suffix: str, kind: str) -> None:
    cache = tmp_path / "cache"
    shutil.copytree(filled_cache.cache, cache)
    spoilt = list(cache.rglob(f"*{suffix}"))
    assert spoilt
    for file in spoilt:
        file.write_bytes(GARBAGE[kind](file.read_bytes()))
    done = filled_cache.run("print(outer(5))", KIBITZ_CACHE=cache)
    assert (done.returncode, done.stdout) == (0, "11\n"), done.stderr
    assert len(done.stderr.splitlines()) <= 1, done.stderr


def test_corrupted_cache_is_mended(filled_cache: Package, tmp_path: Path) -> None:
    """Otherwise every start from then on compiles everything, for as long as it is used."""
    cache = tmp_path / "cache"
    shutil.copytree(filled_cache.cache, cache)
    for file in cache.rglob("*.nbi"):
        file.write_bytes(b"")
    filled_cache.run("print(outer(5))", KIBITZ_CACHE=cache)
    again = filled_cache.run("print(outer(5))", KIBITZ_CACHE=cache)
    assert (again.stdout, again.stderr) == ("11\n", "")


def test_old_cache_files_are_pruned(package: Package) -> None:
    folder = package.cache / "machine-code" / "old_version"
    folder.mkdir(parents=True)
    ages = {"used": 29, "unused": 31}
    for name, days in ages.items():
        for suffix in (".nbi", ".1.nbc"):
            file = folder / (name + suffix)
            file.write_bytes(b"")
            then = time.time() - days * 86400
            os.utime(file, (then, then))
    # Written long ago, but read since.
    (folder / "read.nbi").write_bytes(b"")
    os.utime(folder / "read.nbi", (time.time(), time.time() - 100 * 86400))
    assert package.result("print(outer(5))") == "11"
    assert sorted(file.name for file in folder.iterdir()) == ["read.nbi", "used.1.nbc", "used.nbi"]
    assert len(package.files()) > 3, "what was compiled just now stays"


def test_code_that_was_passed_on_outlives_a_damaged_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever got its address would call freed memory."""

    @kernel
    def more(x: int) -> int:
        return x + 1

    more.as_argument(5)
    passed = weakref.ref(compiled._build(more))
    monkeypatch.setattr(jit_cache, "is_cache_error", lambda error: True)
    monkeypatch.setattr(jit_cache, "clear", lambda why: None)
    damaged = iter([True, False])

    def read() -> int:
        if next(damaged):
            raise ValueError("damaged")
        return 7

    assert more._repairing_cache(read) == 7
    gc.collect()
    assert passed() is not None
    assert compiled._build(more) is not passed(), "it is read anew"


def test_says_compiling_once_at_the_first_run_only(package: Package) -> None:
    first = package.run("print(outer(5), outer_of_number(5))")
    assert (first.stdout, first.stderr) == ("11 16\n", "kibitz: compiling, once …\n")
    second = package.run("print(outer(5), outer_of_number(5))")
    assert (second.stdout, second.stderr) == ("11 16\n", "")


def test_says_compiling_when_only_the_inner_twin_is_in_the_cache(package: Package) -> None:
    package.run("print(outer(5))")  # compiles helper without the wrappers for Python
    first = package.run("print(helper(5))")
    assert (first.stdout, first.stderr) == ("10\n", "kibitz: compiling, once …\n")


def test_says_compiling_once_for_a_kernel_that_is_passed_to_others(package: Package) -> None:
    for expected in ("kibitz: compiling, once …\n", ""):
        done = package.run("helper.as_argument(5); print('passed')")
        assert (done.stdout, done.stderr) == ("passed\n", expected)


def test_spinners_stand_still_while_something_compiles() -> None:
    """Two would write over each other."""
    moves: list[str] = []

    class Spinner:
        def start(self) -> None:
            moves.append("start")

        def stop(self) -> None:
            moves.append("stop")

    with compile_message.spinning(Spinner()):
        with compile_progress.compiling(next_word):
            moves.append("compiling")
        assert moves == ["start", "stop", "compiling", "start"]
    assert moves[4:] == ["stop"]
    moves.clear()
    with compile_progress.compiling(next_word), compile_message.spinning(Spinner()):
        moves.append("compiling")
    assert moves == ["compiling", "stop"]


# -- checksums ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_flipped_bits_cost_time_only(filled_cache: Package, tmp_path: Path, seed: int) -> None:
    """One in every file. Without checksums they gave wrong numbers and crashes."""
    cache, rng = tmp_path / "cache", random.Random(seed)
    shutil.copytree(filled_cache.cache, cache)
    files = sorted(cache.rglob("*.nb[ci]"))
    assert len(files) >= 4
    spoilt = {file: flipped(file.read_bytes(), rng) for file in files}
    for file, content in spoilt.items():
        file.write_bytes(content)
    done = filled_cache.run("print(outer(5))", KIBITZ_CACHE=cache)
    assert (done.returncode, done.stdout) == (0, "11\n"), done.stderr
    assert done.stderr == "kibitz: machine code on disk is damaged and is made anew\n"
    assert not any(file.read_bytes() == content for file, content in spoilt.items())
    again = filled_cache.run("print(outer(5))", KIBITZ_CACHE=cache)
    assert (again.stdout, again.stderr) == ("11\n", "")


def flipped(content: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(content))
    return content[:place] + bytes([content[place] ^ 1 << rng.randrange(8)]) + content[place + 1 :]


def test_nothing_is_unpickled_before_it_is_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(content: bytes) -> None:
        raise AssertionError("unpickled")

    files = sealed_files.SealedFiles(str(tmp_path), "f", "stamp")
    files.save("key", "data")
    monkeypatch.setattr("kibitz.jit.sealed_files.pickle.loads", forbidden)
    with pytest.raises(AssertionError):
        files.load("key")
    (index,) = tmp_path.glob("*.nbi")
    index.write_bytes(index.read_bytes()[:-1])
    assert files.load("key") is None
    assert not index.exists()


def test_code_for_other_arguments_is_not_taken(tmp_path: Path) -> None:
    """Two processes that begin at once may give it the same name."""
    one, other = (sealed_files.SealedFiles(str(tmp_path), "f", "stamp") for _ in range(2))
    one.save("key of one", "code of one")
    one._save_index({"key of the other": "f.1.nbc"})
    assert other.load("key of the other") is None
    other.save("key of the other", "code of the other")
    assert other.load("key of the other") == "code of the other"
    assert sealed_files.SealedFiles(str(tmp_path), "f", "newer").load("key of the other") is None
