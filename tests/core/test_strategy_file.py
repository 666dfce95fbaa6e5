"""Strategies that people write themselves: in files, and as functions."""

from __future__ import annotations

import json
import pickle
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import kibitz
from kibitz.core.errors import BadText, KibitzError
from kibitz.core.registry import files_named_by, make_game, make_strategy, strategy_of
from kibitz.core.strategy import Player, Strategy
from kibitz.table.table import Forfeit
from tests.processes import ROOT, assert_refused, complaints, environment, kibitz_here, run

TAKE_AWAY = (ROOT / "examples" / "take_away.py").read_text()

FIRST = '''"""Takes the first play."""

def choose(view):
    return view.plays()[0]
'''
OPTIONS = '''
from kibitz.core.options import Option
from kibitz.core.strategy import Player, Strategy


class Nth(Strategy):
    """Plays a play by its number."""

    options = (Option("n", 0, "which play", least=0, most=9),)

    def sit(self, game, seat, rng):
        return NthPlayer(self.settings["n"])


class NthPlayer(Player):
    def __init__(self, n):
        self.n = n

    def choose(self, view):
        plays = view.plays()
        return str(plays[min(self.n, len(plays) - 1)])
'''
SEVERAL = (
    OPTIONS
    + """

class Last(Nth):
    def sit(self, game, seat, rng):
        return NthPlayer(9)


def third(view):
    return view.plays()[-1]
"""
)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {
        "first.py": FIRST, "nth.py": OPTIONS, "several.py": SEVERAL, "take_away.py": TAKE_AWAY,
    }.items():  # fmt: skip
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def played(*players: Any) -> tuple[str, ...]:
    return kibitz.play("take_away.py", players).plays


# -- files ----------------------------------------------------------------------------------------


def test_a_function_in_a_file_plays(home: Path) -> None:
    made = make_strategy("first.py")
    assert (str(made), made.files(), make_strategy("first.py") == made) == (
        "first.py", ["first.py"], True,
    )  # fmt: skip
    assert played("first.py", "first.py") == ("1",) * 7


def test_a_class_in_a_file_has_options_and_may_answer_with_texts(home: Path) -> None:
    made = make_strategy("nth.py:n=2")
    assert (made.spec, made.settings, made.title) == (
        "nth.py:n=2", {"n": 2}, "Plays a play by its number.",
    )  # fmt: skip
    assert played("nth.py:n=2", "first.py") == ("3", "1", "3")
    with pytest.raises(BadText, match=r"nth.py: n=99 is out of range"):
        make_strategy("nth.py:n=99")
    with pytest.raises(BadText, match=r"has no option 'depth'; its options: n"):
        make_strategy("nth.py:depth=1")


def test_of_several_in_a_file_one_is_named(home: Path) -> None:
    with pytest.raises(BadText, match=r"has Nth, Last: say which, such as several.py::Nth"):
        make_strategy("several.py")
    assert str(make_strategy("several.py::Nth:n=1")) == "several.py::Nth:n=1"
    assert played("several.py::Last", "several.py::third") == ("3", "3", "1")
    with pytest.raises(BadText, match=r"several.py has no Best; it has: Nth, Last"):
        make_strategy("several.py::Best")


def test_of_several_games_in_a_file_one_is_named(home: Path) -> None:
    more = (
        "\n\nclass Longer(TakeAway):\n    def deal(self, seed, first=0):\n        return 9, first\n"
    )
    (home / "two.py").write_text(TAKE_AWAY + more)
    with pytest.raises(BadText, match=r"two.py has TakeAway, Longer: say which"):
        make_game("two.py")
    game = make_game("two.py::Longer")
    assert (game.spec, game.deal(0)) == ("two.py::Longer", (9, 0))
    record = kibitz.play(game, ["random"] * 2).record
    (home / "r.jsonl").write_text(record.model_dump_json())
    done = kibitz_here("replay", "r.jsonl", "--game", "two.py::Longer", home=home)
    assert (done.returncode, complaints(done)) == (0, [])


BAD: dict[str, tuple[str, str]] = {
    "empty": ("", "must have a class derived from kibitz.Strategy, or a function choose(view); it"),
    "syntax": ("def choose(view)\n", "bad.py, line 1"),
    "raises": ("1 / 0\n", "bad.py, line 1: ZeroDivisionError"),
    "exit": ("raise SystemExit\n", "bad.py, line 1: SystemExit"),
    "raises what has no text": (
        "class Mute(Exception):\n    def __str__(self): 1 / 0\nraise Mute\n",
        "bad.py, line 3: Mute",
    ),
    "no argument": ("def choose():\n    pass\n", "choose() must take one argument, the view"),
    "two arguments": ("choose = lambda view, rng: 1\n", "lambda(view, rng) must take one argument"),
    "no function": ("choose = 3\n", "it has none"),
    "abstract": (
        "from kibitz.core.strategy import Strategy\nclass A(Strategy):\n    pass\n",
        "class A still needs: sit",
    ),
    "generator": ("def choose(view):\n    yield 1\n", "choose must return a play"),
    "game": (TAKE_AWAY, "must have a class derived from kibitz.Strategy"),
}


@pytest.mark.parametrize(("text", "tells"), BAD.values(), ids=BAD)
def test_a_bad_file_is_refused_in_one_line(home: Path, text: str, tells: str) -> None:
    (home / "bad.py").write_text(text)
    for command in (
        ("compare", "take_away.py", "bad.py", "random", "--pairs", "1"),
        ("play", "take_away.py", "--against", "bad.py"),
        ("agree", "take_away.py", "bad.py", "random"),
    ):
        line = assert_refused(kibitz_here(*command, home=home))
        assert "bad.py" in line and tells in line


@pytest.mark.parametrize(
    ("spec", "tells"),
    [
        ("none.py", "there is no file none.py"),
        (".", ". is not a file"),
        ("notes.txt", "a strategy is in a Python file"),
        ("first.py:n=1", "a function has no options"),
        ("first.py:n", "name=value"),
    ],
)
def test_a_bad_name_is_refused_in_one_line(home: Path, spec: str, tells: str) -> None:
    (home / "notes.txt").write_text("x")
    args = ("compare", "take_away.py", spec, "random", "--pairs", "1")
    assert tells in assert_refused(kibitz_here(*args, home=home))


def test_a_file_goes_wherever_a_name_goes(home: Path) -> None:
    for args in (
        ("compare", "take_away.py", "first.py", "nth.py:n=1", "--pairs", "3", "--jobs", "1"),
        ("agree", "take_away.py", "first.py", "nth.py", "--situations", "5", "--jobs", "1"),
        ("games", "nth.py"),
        ("games", "first.py", "--json"),
        ("explain", "twenty-one", "--position", "sum=0; turn=1", "--strategy", "first.py"),
        ("explain", "twenty-one", "--position", "sum=0; turn=1", "--strategy", "first.py",
         "--json"),
        ("play", "take_away.py", "--against", "first.py", "--hint-by", "nth.py", "--hints"),
    ):  # fmt: skip
        done = kibitz_here(*args, given="q\n", home=home)
        assert (done.returncode, complaints(done)) == (0, []), args


def test_it_explains_its_play_if_it_says_no_more(home: Path) -> None:
    args = ("explain", "twenty-one", "--position", "sum=0; turn=1", "--strategy", "nth.py:n=1")
    shown = kibitz_here(*args, home=home).stdout
    assert "no reasons are given" in shown
    entry = json.loads(kibitz_here(*args, "--json", home=home).stdout)["strategies"][0]
    assert entry["best"] == entry["reasons"][0]["play"]


def test_a_bot_that_fails_loses_its_games_and_says_why(home: Path) -> None:
    (home / "bad.py").write_text("def choose(view):\n    return view.nothing\n")
    args = ("compare", "take_away.py", "bad.py", "random", "--pairs", "2", "--jobs", "1")
    done = kibitz_here(*args, home=home)
    assert done.returncode == 0 and "AttributeError" in done.stdout
    (home / "bad.py").write_text("def choose(view):\n    return 'all of them'\n")
    document = json.loads(kibitz_here(*args, "--json", home=home).stdout)
    assert document["players"][0]["failures"] == 4
    assert "bad.py played 'all of them'" in document["failures"][0]["reason"]
    args = ("play", "take_away.py", "--against", "bad.py", "--seat", "2", "--record", "r.jsonl")
    failed = kibitz_here(*args, home=home)
    (line,) = complaints(failed)
    assert failed.returncode == 2 and "bad.py failed" in line and "--against bad.py" in line


@pytest.mark.parametrize("spec", ["first.py", "nth.py:n=1", "several.py::Last"])
def test_it_is_played_by_several_processes(home: Path, spec: str) -> None:
    args = ("compare", "take_away.py", spec, "random", "--pairs", "30", "--json", "--jobs")
    one, two = (json.loads(kibitz_here(*args, jobs, home=home).stdout) for jobs in "12")
    assert one["matches"] == two["matches"]
    assert not two["players"][0].get("failures")


@pytest.mark.parametrize(
    "spec", ["first.py", "nth.py:n=1", "several.py::Last", "several.py::third"]
)
def test_it_is_made_anew_where_it_is_sent(home: Path, spec: str) -> None:
    """Also where there is no such file: the content goes along."""
    packed = home / "packed"
    packed.write_bytes(pickle.dumps([make_strategy(spec), make_game("take_away.py")]))
    for name in ("first.py", "nth.py", "several.py", "take_away.py"):
        (home / name).unlink()
    code = (
        "import pickle, sys\n"
        f"strategy, game = pickle.load(open({str(packed)!r}, 'rb'))\n"
        "from kibitz.table.table import play_out\n"
        "print(strategy, strategy.files(), len(play_out(game, [strategy] * 2, 1).plays))"
    )
    done = run(["-c", code], environment())
    assert done.stderr == "" and done.stdout.startswith(f"{spec} ['{spec.partition(':')[0]}'] ")


# -- stores and records ---------------------------------------------------------------------------


def test_a_changed_file_begins_another_run(home: Path) -> None:
    args = ("compare", "take_away.py", "first.py", "random", "--pairs", "5", "--jobs", "1")
    for text in (FIRST, FIRST, FIRST + "# changed\n", FIRST):
        (home / "first.py").write_text(text)
        assert kibitz_here(*args, "--store", "s.db", home=home).returncode == 0
    listed = json.loads(kibitz_here("runs", "s.db", "--json", home=home).stdout)
    assert [run["id"] for run in listed] == [1, 2]
    (home / "take_away.py").write_text(TAKE_AWAY + "# changed\n")
    assert kibitz_here(*args, "--store", "s.db", home=home).returncode == 0
    listed = json.loads(kibitz_here("runs", "s.db", "--json", home=home).stdout)
    assert [run["id"] for run in listed] == [1, 2, 3]


TRAP = "from pathlib import Path\nPath('sprung').touch()\n"


def test_a_store_runs_no_strategy_unless_it_is_named(home: Path) -> None:
    args = ("compare", "twenty-one", "nth.py:n=1", "random", "--pairs", "5", "--jobs", "1")
    assert kibitz_here(*args, "--store", "s.db", home=home).returncode == 0
    (home / "nth.py").write_text(TRAP + OPTIONS)
    assert "nth.py:n=1" in kibitz_here("runs", "s.db", home=home).stdout
    assert kibitz_here("runs", "s.db", "1", "--export", "x.csv", home=home).returncode == 0
    line = assert_refused(kibitz_here("runs", "s.db", "1", home=home))
    assert "a player is in a file, nth.py:n=1" in line and not (home / "sprung").exists()
    typed = line.partition("name it: kibitz ")[2].split()
    shown = kibitz_here(*typed, home=home)
    assert (shown.returncode, complaints(shown)) == (0, []) and "nth.py:n=1" in shown.stdout
    other = kibitz_here("runs", "s.db", "1", "--strategy", "first.py", home=home)
    assert "a player is in a file" in assert_refused(other)


def test_a_record_runs_no_strategy_unless_it_is_named(home: Path) -> None:
    args = ("play", "twenty-one", "--against", "first.py", "--record", "r.jsonl", "--seed", "1")
    left = kibitz_here(*args, given="q\n", home=home)
    assert "--against first.py" in left.stdout
    (home / "first.py").write_text(TRAP + FIRST)
    resume = ("play", "--resume", "r.jsonl")
    line = assert_refused(kibitz_here(*resume, home=home))
    assert "its strategy is in a file, first.py" in line
    assert "--against first.py" in line and not (home / "sprung").exists()
    assert "leave out random" in assert_refused(
        kibitz_here(*resume, "--against", "random", home=home)
    )
    assert kibitz_here("replay", "r.jsonl", home=home).returncode == 0
    assert not (home / "sprung").exists()
    (home / "sub").mkdir()
    (home / "sub" / "first.py").write_text(FIRST)
    for name in ("first.py", "sub/first.py"):
        gone_on = kibitz_here(*resume, "--against", name, given="1\nq\n", home=home)
        assert (gone_on.returncode, complaints(gone_on)) == (0, [])
    record = json.loads((home / "r.jsonl").read_text())
    assert record["players"] == ["person", "first.py"]


@pytest.mark.parametrize(
    "spec", ["trap.py", "./trap.py", "trap.py::x", "full-backtrack:against=trap.py"]
)
def test_what_a_text_names_is_not_opened(home: Path, spec: str) -> None:
    (home / "trap.py").write_text(TRAP + FIRST)
    assert any("trap.py" in file for file in files_named_by(spec))
    record = kibitz.play("tablic", ["random"] * 2).record.model_dump()
    record |= {"players": ["person", spec], "returns": None, "plays": [], "hints": spec}
    (home / "r.jsonl").write_text(json.dumps(record))
    for args in (("replay", "r.jsonl"), ("play", "--resume", "r.jsonl"), ("games", "--mine")):
        kibitz_here(*args, home=home)
    record |= {"players": ["person", "random"]}
    (home / "r.jsonl").write_text(json.dumps(record))
    kibitz_here("play", "--resume", "r.jsonl", given="q\n", home=home)
    assert not (home / "sprung").exists()


def test_a_game_that_was_left_says_how_to_go_on(home: Path) -> None:
    kibitz_here("play", "twenty-one", "--against", "first.py", given="q\n", home=home)
    offered = kibitz_here("play", given="q\n", home=home)
    assert "--against first.py" in offered.stdout
    latest = assert_refused(kibitz_here("play", "--resume", home=home))
    assert "--against first.py" in latest


# -- functions ------------------------------------------------------------------------------------


def first(view: Any) -> Any:
    """The first play."""
    return view.plays()[0]


class Unnamed(Strategy):
    """Has no name."""

    def sit(self, game: Any, seat: int, rng: Any) -> Player:
        raise NotImplementedError


class Rootless(Strategy):
    name = "rootless"

    def __init__(self) -> None:
        pass

    def sit(self, game: Any, seat: int, rng: Any) -> Player:
        raise NotImplementedError


class Chooser:
    def pick(self, view: Any) -> str:
        return str(view.plays()[-1])

    __call__ = pick


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (first, "first"),
        (lambda view: view.plays()[0], "lambda"),
        (lambda view, depth=3: view.plays()[0], "lambda"),
        (lambda *views: views[0].plays()[0], "lambda"),
        (Chooser().pick, "pick"),
        (Chooser(), "Chooser"),
        (partial(lambda depth, view: view.plays()[0], 3), "partial"),
    ],
)
def test_a_function_is_a_strategy(function: Any, name: str) -> None:
    made = strategy_of(function)
    assert isinstance(made, Strategy) and str(made) == name and not made.trusted
    assert kibitz.play("twenty-one", [function, "random"]).players == (name, "random")


def test_functions_are_compared(home: Path) -> None:
    comparison = kibitz.compare("take_away.py", [first, lambda view: view.plays()[-1]], 5)
    assert [player.name for player in comparison.players] == ["first", "lambda"]
    assert not comparison.failures
    assert kibitz.compare("take_away.py", [first, "random"], 30, jobs=2).matches == (
        kibitz.compare("take_away.py", [first, "random"], 30).matches
    )


def test_functions_of_one_name_are_not_one() -> None:
    assert strategy_of(first) == strategy_of(first)
    assert strategy_of(lambda view: 1) != strategy_of(lambda view: 2)


@pytest.mark.parametrize(
    ("thing", "tells"),
    [
        (lambda: 1, r"lambda\(\) must take one argument, the view, and return a play"),
        (lambda view, rng: 1, r"lambda\(view, rng\) must take one argument"),
        (lambda *, view: 1, "must take one argument"),
        (Unnamed, r"Unnamed is a class: give an object of it, Unnamed\(\)"),
        (Chooser, r"Chooser is a class: give an object of it, Chooser\(\)"),
        (Rootless(), r"Rootless.__init__ must call super\(\).__init__\(\) too"),
        (3, "a strategy, its text, or a function of a view is wanted, not 3"),
        (None, "is wanted, not None"),
        ("oracle", "there is no strategy 'oracle'"),
    ],
)
def test_what_is_no_strategy_is_refused(thing: Any, tells: str) -> None:
    with pytest.raises((TypeError, KibitzError), match=tells) as caught:
        strategy_of(thing)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [None, "", " ", "a\nb", 3])
def test_a_strategy_without_a_name_is_refused(name: Any) -> None:
    kind = type("Nameless", (Unnamed,), {} if name is None else {"name": name})
    with pytest.raises(BadText, match='class Nameless has no name: write name = "my-name" in it'):
        kind()


def test_functions_that_fail_lose(home: Path) -> None:
    def broken(view: Any) -> Any:
        raise ValueError("no idea")

    with pytest.raises(Forfeit, match="broken failed: ValueError: no idea"):
        kibitz.play("take_away.py", [broken, "random"])
    assert len(kibitz.compare("take_away.py", [broken, "random"], 2).failures) == 4


def test_a_failure_in_a_file_is_told_with_its_line(home: Path) -> None:
    """In comparisons, games and explanations; in the repr of a comparison too."""
    (home / "bad.py").write_text(
        "def choose(view):\n    return help(view)\n\n\ndef help(view):\n    return view.cards\n"
    )
    where = "(bad.py, line 6)"
    compared = kibitz.compare("take_away.py", ["bad.py", "random"], 2)
    assert compared.failures[0].reason.startswith("bad.py failed: AttributeError: ")
    assert compared.failures[0].reason.endswith(where)
    told = f"4 games were lost by failing; the first: {compared.failures[0].reason}"
    assert told in " ".join(repr(compared).split())
    with pytest.raises(Forfeit) as failed:
        kibitz.explain(kibitz.make_game("take_away.py").start(), by="bad.py")
    assert str(failed.value).endswith(where)
    done = kibitz_here("play", "take_away.py", "--against", "bad.py", given="1\n", home=home)
    assert where in done.stdout + done.stderr


def test_what_can_t_be_sent_or_stored_is_said(home: Path) -> None:
    with pytest.raises(BadText, match=r"the function lambda can't be sent to other processes"):
        kibitz.compare("take_away.py", [lambda view: view.plays()[0], "random"], 5, jobs=2)
    with pytest.raises(BadText, match="a store can't tell the function first from another"):
        kibitz.compare("take_away.py", [first, "random"], 5, store="s.db")
