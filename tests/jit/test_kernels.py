"""The compiled core: the traps that a disk cache of machine code has. Its folder is in
test_cache_folder.py, random numbers and the set are in test_rng.py."""

from __future__ import annotations

import gc
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from kibitz.jit.cache import building
from kibitz.jit.kernels import INNER, Slot, _build, bind, jit_enabled, kernel, template
from tests.jit.two_modules import Package
from tests.processes import environment, run


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return Package(tmp_path)


# -- stale machine code ----------------------------------------------------------------


def test_stale_cache_after_editing_another_file(package: Package) -> None:
    assert package.result("print(outer(5))") == "11"
    before = package.files()
    package.edit_callee("return x * 2", "return x * 7")
    assert package.result("print(outer(5))") == "36"
    after = package.files()
    assert after.keys() > before.keys()
    assert package.result("print(outer(5))") == "36"
    assert package.files() == after, "unchanged code was compiled again"


@pytest.mark.parametrize(
    ("what", "old", "new", "results"),
    [
        ("number", "NUMBER = 3", "NUMBER = 4", ("16", "21")),
        ("number", "NUMBER = 3", "NUMBER = 3.0", ("16", "16.0")),
        ("array", "[10, 20, 30]", "[10, 50, 30]", ("26", "56")),
        ("tuple", "np.zeros(2000, np.int64), ", "np.arange(2000), ", ("6", "1006")),
        # An array in a tuple whose text form leaves out the middle, where the edit is.
        ("tuple", "np.zeros(2000, np.int64), ", "0 + (np.arange(2000) == 1000), ", ("6", "7")),
    ],
    ids=["integer", "type of a number", "array", "tuple", "middle of a long array in a tuple"],
)
def test_stale_cache_after_a_constant_of_the_callee_changes(
    package: Package, what: str, old: str, new: str, results: tuple[str, str]
) -> None:
    code = f"print(outer_of_{what}(5))"
    assert package.result(code) == results[0]
    package.edit_callee(old, new)
    assert package.result(code) == results[1]


def test_own_file_edited(package: Package) -> None:
    assert package.result("print(outer(5))") == "11"
    caller = package.folder / "caller.py"
    caller.write_text(caller.read_text().replace("helper(x) + 1", "helper(x) + 2"))
    assert package.result("print(outer(5))") == "12"


# -- templates -------------------------------------------------------------------------

TWO_GAMES = """\
import sys
from types import SimpleNamespace
from kibitz.jit.kernels import INNER, Slot, _build, bind, jit_enabled, kernel, template
from kibitz.jit.cache import building

game = Slot("game")

@template
def deep(x):
    return game.value(x) + game.OFFSET

@template
def total(x):
    return 10 * deep(x)

def make(factor):
    # Both kernels have the same name and file.
    if factor == "red":
        @kernel
        def value(x):
            return x * 2
    else:
        @kernel
        def value(x):
            return x * 3
    return SimpleNamespace(value=value, OFFSET=1)

for colour in sys.argv[1:]:
    print(colour, bind(total, game=make(colour))(5))
"""


def test_two_games_bound_to_one_template(tmp_path: Path) -> None:
    script = tmp_path / "two_games.py"
    script.write_text(TWO_GAMES)

    def play(cache: str, *colours: str) -> str:
        done = run([script, *colours], environment(KIBITZ_CACHE=tmp_path / cache))
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert play("one", "red", "blue") == "red 110\nblue 160\n", "in one process"
    assert play("two", "red") == "red 110\n"
    assert play("two", "blue") == "blue 160\n", "across processes that share a cache"
    assert play("two", "blue", "red") == "blue 160\nred 110\n", "from the cache"


TWO_RECORDS = """\
import sys
import numpy as np
from kibitz.jit.kernels import kernel

RECORDS = {
    name: np.dtype((np.record, [(f"x{i}", np.int64) for i in range(n)]))
    for name, n in (("small", 2), ("large", 40))
}

@kernel
def move(how, s, t, u):
    if how == 1:
        t[0] = s[0]
    elif how == 2:
        u[0] = s[0]
    elif how == 3:
        s[0] = t[0]
    else:
        t[0], u[0] = s[0], s[0]

@kernel
def small(how, s, t, u):
    move(how, s, t, u)

@kernel
def large(how, s, t, u):
    move(how, s, t, u)

for name in sys.argv[1:]:
    s, t, u = (np.zeros(1, RECORDS[name]) for _ in range(3))
    words = s.view(np.int64)
    words[:] = 1
    {"small": small, "large": large}[name](1, s, t, u)
    print(name, t.view(np.int64).sum())
"""


def test_one_kernel_for_two_records(tmp_path: Path) -> None:
    """Numba names machine code by numbers that begin anew in every process: that of two
    processes, read by a third, must not be taken for each other's."""
    script = tmp_path / "two_records.py"
    script.write_text(TWO_RECORDS)

    def play(*names: str) -> str:
        done = run([script, *names], environment(KIBITZ_CACHE=tmp_path / "cache"))
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert play("small") == "small 2\n"
    assert play("large") == "large 40\n"
    assert play("small", "large") == "small 2\nlarge 40\n"


slot: Any = Slot("slot")
other: Any = Slot("other")


@template
def asks(x: int) -> int:
    return slot.value(x)


@template
def asks_deeply(x: int) -> int:
    return asks(x) + 1


@template
def asks_two(x: int) -> int:
    return slot.value(x) + other.value(x)


@kernel
def doubled(x: int) -> int:
    return 2 * x


@kernel
def tripled(x: int) -> int:
    return 3 * x


TWO, THREE = SimpleNamespace(value=doubled), SimpleNamespace(value=tripled)


def test_bind_twice_gives_the_same_kernel() -> None:
    assert bind(asks, slot=TWO) is bind(asks, slot=TWO)
    assert bind(asks, slot=TWO) is not bind(asks, slot=THREE)
    assert bind(asks_deeply, slot=TWO)(5) == 11
    assert bind(asks_deeply, slot=THREE)(5) == 16


def test_slots_filled_one_after_the_other() -> None:
    assert bind(asks_two, slot=TWO, other=THREE)(5) == 25
    assert bind(bind(asks_two, slot=THREE), other=THREE)(5) == 30


@pytest.mark.parametrize(
    ("what", "name"),
    [(asks, "slot"), (asks_deeply, "slot"), (bind(asks_two, slot=TWO), "other")],
    ids=["template", "its caller", "half bound"],
)
def test_unbound_slot_raises_type_error_with_its_name(what: Any, name: str) -> None:
    for attempt in ("first", "second"):
        with pytest.raises(TypeError, match=f"'{name}'"):
            pytest.fail(f"{attempt} call returned {what(1)}")


def test_slot_outside_a_template_says_that_it_is_not_bound() -> None:
    with pytest.raises(TypeError, match="'slot'"):
        slot.value(1)


# -- kernels ---------------------------------------------------------------------------


@kernel
def fibonacci(n: int) -> int:
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@kernel
def one_more_than_fibonacci(n: int) -> int:
    return fibonacci(n) + 1


@kernel
def doubles(n: int) -> int:
    return sum([doubled(i) for i in range(n)])


def test_kernel_that_calls_itself(package: Package) -> None:
    assert one_more_than_fibonacci(20) == 6766
    assert fibonacci(20) == 6765
    for cache in ("empty", "full"):
        assert package.result("print(counted(20), counted_twice(20))") == "6765 13530", cache


def test_kernel_called_from_a_comprehension() -> None:
    """Until Python 3.12 a comprehension is a function of its own, inside the kernel's."""
    assert doubles(5) == 20


TOGETHER = """\
from threading import Thread

def call(kernel):
    try:
        results.append(kernel(5))
    except Exception as error:
        results.append(repr(error))

for kernel in (outer, outer_of_array):
    results = []
    threads = [Thread(target=call, args=(kernel,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(*results)
"""


def test_threads_that_call_a_kernel_first_at_the_same_time(package: Package) -> None:
    """As those of a Dask worker do. Compiled, and read from the disk."""
    for _ in range(3):
        assert package.result(TOGETHER) == "11 11 11 11\n26 26 26 26"


@kernel
def once(x: int, add: bool) -> int:
    return x + 1 if add else x


@kernel
def calls_with_numbers(x: int) -> int:
    return once(0, True) + once(1, False) + once(x, x > 0)


@pytest.mark.skipif(not jit_enabled(), reason="nothing is compiled")
def test_numbers_written_in_calls_are_no_types_of_their_own() -> None:
    from numba import types

    assert calls_with_numbers(5) == 8
    made, literal = _build(once, INNER), cast(Any, types.literal)
    for number in (0, 1):  # as its compilation asks, which a full cache spares
        made.get_call_template((literal(number), literal(True)), {})
    assert len(made.signatures) == 1


@pytest.mark.parametrize("tidying", [True, False])
def test_garbage_is_looked_for_afterwards_as_before(tidying: bool) -> None:
    was = gc.isenabled()
    try:
        gc.enable() if tidying else gc.disable()
        with building():
            with building():
                assert not gc.isenabled()
            assert not gc.isenabled()
        assert gc.isenabled() == tidying
    finally:
        gc.enable() if was else gc.disable()


def test_bounds_checks_are_in_the_cache_name(package: Package) -> None:
    code = "import numpy as np\nprint(peek(np.arange(3), {}))"
    assert package.result(code.format(2)) == "2"
    checked = package.run(code.format(7), NUMBA_BOUNDSCHECK="1")
    assert checked.returncode != 0
    assert checked.stderr.splitlines()[-1].startswith("IndexError")
    files = package.files()
    assert package.result(code.format(1)) == "1"
    assert package.files() == files, "without the flag the first machine code is still there"


# -- compiled = interpreted ------------------------------------------------------------

SAME = """\
import numpy as np
from kibitz import make_game
from kibitz.jit.hash_set import add, grown, new_set
from kibitz.jit.hashing import combine, hash_128, mix, mix_words, slot
from kibitz.jit.rng import below, fork, next_word, shuffle, stream, unit
from kibitz.search.fast.rollouts import random_games

rng = stream(1, 2, 3)
print([int(next_word(rng)) for _ in range(20)])
for n in (1, 2, 3, 7, 52, 1000, 2**31 - 1, 2**31 + 1, 2**32 - 1):
    print(n, [int(below(rng, n)) for _ in range(20)])
print([float(unit(rng)).hex() for _ in range(20)])
child = stream()
for key in (0, 1, 1 << 40, 2**63 - 1):
    fork(rng, key, child)
    print(key, int(child[0]))
cards = np.arange(52)
shuffle(rng, cards, 40)
print(cards.tolist())

keys = new_set(4)
count = 0
for i in range(200):
    key = int(below(rng, 150)) * 2**54 + i % 3
    if 2 * (count + 1) > len(keys):
        keys = grown(keys)
    count += bool(add(keys, key))
print(count, [int(key) for key in keys], int(slot(2**63 - 1, 1023)))
words = np.array([-(2**63), -1, 0, 1, 2**63 - 1])
print(int(mix(-1, 5)), int(mix_words(7, words)), int(combine(-1, -2)), int(slot(-1, 1023)))
print([int(half) for half in hash_128(words)])

for spec in ("love-letter", "love-letter:players=4", "tablic", "tablic:players=3", "pig:target=30",
             "leduc-poker"):
    played = random_games(make_game(spec), 4, seed=5)
    print(spec, played.returns.tolist(), played.plies.tolist())
"""


def test_compiled_equals_interpreted() -> None:
    compiled = run(["-c", SAME], environment())
    interpreted = run(["-W", "error", "-c", SAME], environment(NUMBA_DISABLE_JIT="1"))
    assert compiled.returncode == 0, compiled.stderr
    assert interpreted.returncode == 0, interpreted.stderr
    assert interpreted.stdout == compiled.stdout
    assert len(compiled.stdout.splitlines()) == 25
    assert not interpreted.stderr


# -- lazy imports ----------------------------------------------------------------------

HEAVY = "numba numpy scipy matplotlib pydantic jinja2 pygraphviz"


@pytest.mark.parametrize(
    ("code", "unwanted"),
    [
        ("import kibitz.jit.kernels, kibitz.jit.rng, caller", "numba"),
        ("import kibitz.cli", "numba numpy"),
        ("from kibitz.core.registry import *; games(); strategies()", "numba numpy"),
        ("sys.argv[1:] = ['games']; import kibitz.cli; kibitz.cli.main()", HEAVY),
        ("sys.argv[1:] = ['--help']; import kibitz.cli; kibitz.cli.main()", HEAVY),
    ],
    ids=["decorating kernels", "the command line", "the catalogue", "kibitz games", "--help"],
)
def test_lazy_import(package: Package, code: str, unwanted: str) -> None:
    report = f"print('imported:', *sorted(sys.modules.keys() & set({unwanted.split()})))"
    script = f"import atexit, sys\natexit.register(lambda: {report})\n{code}"
    # Not through Package.run, whose first line imports kernels.
    done = run(["-c", script], environment(PYTHONPATH=package.folder))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "imported:"
