"""The catalogue: specs, and games and strategies of other packages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kibitz.core.errors import BadText
from kibitz.core.options import Configured, Option
from kibitz.core.registry import (
    games,
    make_game,
    make_strategy,
    split_spec,
    strategies,
    strategies_for,
)
from kibitz.core.strategy import Knows
from tests.processes import ROOT, assert_refused, complaints, environment, kibitz, run

PROMISED = {
    "love-letter", "tablic", "divisible-by-four", "paper-rock-scissors",
    "hidden-paper-rock-scissors", "twenty-one", "coin-game", "tic-tac-toe", "connect-four", "pig",
    "kuhn-poker", "leduc-poker",
}  # fmt: skip
WORD = st.text("abcdefghijklmnopqrstuvwxyz_0123456789.", min_size=1)


def test_every_promised_game_is_there() -> None:
    assert games().keys() >= PROMISED
    assert list(games()) == sorted(games())
    assert "random" in strategies()


@pytest.mark.parametrize("name", games())
def test_game_describes_itself(name: str) -> None:
    cls = games()[name]
    game = cls()
    assert (cls.name, game.spec, repr(game)) == (name, name, f"<{cls.__name__} {name}>")
    assert cls.title and "\n" not in cls.title
    assert all(option.help for option in cls.options)
    assert "random" in strategies_for(game)


@pytest.mark.parametrize("name", strategies())
def test_strategy_describes_itself(name: str) -> None:
    strategy = make_strategy(name)
    assert strategy.spec == name
    assert strategy.knows in Knows


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("pig", ("pig", {})),
        (" pig : target = 5 ", ("pig", {"target": "5"})),
        ("tablic:players=3,cards_bonus=none", ("tablic", {"players": "3", "cards_bonus": "none"})),
        ("pig:", ("pig", {})),
        ("pig:target=5,", ("pig", {"target": "5"})),
        ("x:a=b=c", ("x", {"a": "b=c"})),
        ("x:a='b,c',d=e", ("x", {"a": "b,c", "d": "e"})),
        ("x: a = 'b, c' , d = e", ("x", {"a": "b, c", "d": "e"})),
        ("x:a='it''s',b=it's,c=''", ("x", {"a": "it's", "b": "it's", "c": ""})),
        ("", ("", {})),
    ],
)
def test_split_spec(spec: str, parts: tuple[str, dict[str, str]]) -> None:
    assert split_spec(spec) == parts


@given(WORD, st.dictionaries(WORD, WORD))
def test_split_spec_round_trip(name: str, options: dict[str, str]) -> None:
    joined = ",".join(f"{key}={value}" for key, value in options.items())
    assert split_spec(f"{name}:{joined}") == (name, options)


class Named(Configured):
    name = "named"
    title = "has texts for options"
    options = (Option("one", "a,b", "any text"), Option("two", "", "any text"))


@given(st.text(), st.text("ab,'= :\"\t"))
def test_options_of_any_text_can_be_written_and_read(one: str, two: str) -> None:
    made = Named(one=one, two=two)
    name, options = split_spec(made.spec)
    assert name == "named" and Named(**options).settings == made.settings
    assert Named(**options).spec == made.spec


def test_an_option_is_read_by_its_former_name_too() -> None:
    """Stored runs and records have it."""
    renamed = make_strategy("pimc:slip=0.5")
    assert renamed == make_strategy("pimc:noise=0.5")
    assert renamed.spec == "pimc:noise=0.5"
    with pytest.raises(BadText, match="slip is now noise"):
        make_strategy("pimc:noise=0.5,slip=0.5")


def test_the_spec_of_the_docs_is_read() -> None:
    made = make_game("love-letter:face_up='priest, priest, countess'")
    assert made.spec == "love-letter:face_up=priest priest countess"


@pytest.mark.parametrize(
    ("make", "spec", "reason"),
    [
        (make_game, "whist", "no game 'whist'"),
        (make_game, "love-leter", "did you mean love-letter"),
        (make_game, "", "no game ''"),
        (make_game, "Pig", "did you mean pig"),
        (make_game, "pig:target", "name=value"),
        (make_game, "pig:target=1,target=2", "twice"),
        (make_game, "pig:target='1", "a quote that is not closed"),
        (make_game, "pig:target='1'0", "or more behind it"),
        (make_game, "pig:size=3", "its options: target"),
        (make_game, "tic-tac-toe:size=3", "its options: none"),
        (make_strategy, "randon", "did you mean random"),
        (make_strategy, "random:depth=2", "no option 'depth'"),
    ],
)
def test_bad_spec(make: Any, spec: str, reason: str) -> None:
    with pytest.raises(BadText) as caught:
        make(spec)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_catalogue_cannot_be_changed_from_outside() -> None:
    games().clear()
    strategies().clear()
    assert "pig" in games()
    assert "random" in strategies()


def test_public_names_stay_what_they_are() -> None:
    """No name is one of the folders': importing those would replace it."""
    asked = (
        "kibitz.make_game('pig')\nprint(kibitz.make_game('pig'), kibitz.make_strategy('random'))"
    )
    done = run(["-c", f"import kibitz\n{asked}"], environment())
    assert (done.stdout, done.stderr) == ("pig random\n", "")


# -- other packages --------------------------------------------------------------------

PLUGIN = """
from kibitz.core.errors import UnsuitableGame
from kibitz.core.strategy import Player, Strategy
from kibitz.core.registry import game, strategy
from tests.plain import Nim as PlainNim


@game
class Nim(PlainNim):
    pass


class FirstPlayer(Player):
    def choose(self, view):
        return view.plays()[0]


@strategy
class First(Strategy):
    name = "first"
    title = "the first play"

    def check_game(self, game):
        if game.traits.hidden:
            raise UnsuitableGame("first needs open cards")

    def sit(self, game, seat, rng):
        return FirstPlayer()
"""


TAKES = """\
    def plays(self, state):
        return [f"take{n}" for n in super().plays(state)]

    def after(self, state, play):
        return super().after(state, int(play[4:]))
"""


def install(folder: Path, games: str, strategies: str) -> dict[str, str]:
    """A distribution on the path, as pip would leave it. What to add to the environment."""
    (folder / "nim_plugin.py").write_text(PLUGIN)
    info = folder / "nim_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nim-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        f"[kibitz.games]\nnim = {games}\n\n[kibitz.strategies]\nfirst = {strategies}\n"
    )
    return {"PYTHONPATH": f"{folder}:{ROOT}"}


@pytest.fixture
def plugin(tmp_path: Path) -> dict[str, str]:
    return install(tmp_path, "nim_plugin:Nim", "nim_plugin:First")


def test_entry_points_are_in_the_catalogue(tmp_path: Path, plugin: dict[str, str]) -> None:
    code = "import kibitz; print(kibitz.make_game('nim'), kibitz.make_strategy('first'))"
    done = run(["-c", code], environment(**plugin))
    assert (done.stdout, done.stderr) == ("nim first\n", "")
    listed = json.loads(kibitz("games", "--json", home=tmp_path, **plugin).stdout)["games"]
    who = {entry["name"]: entry["strategies"] for entry in listed}
    assert who["nim"] == ["alpha-beta", "expectiminimax", "first", "mcts", "minimax", "random"]
    assert "first" in who["pig"]
    assert "first" not in who["kuhn-poker"], "it needs open cards"
    refused = kibitz("compare", "kuhn-poker", "first", "random", home=tmp_path, **plugin)
    assert "first needs open cards" in assert_refused(refused)


def test_a_game_from_outside_is_compared(tmp_path: Path, plugin: dict[str, str]) -> None:
    done = kibitz("compare", "nim", "random", "first", "--pairs", "5", "--json", home=tmp_path,
                  **plugin)  # fmt: skip
    assert (done.returncode, complaints(done)) == (0, [])
    (match,) = json.loads(done.stdout)["matches"]
    assert (match["a"], match["b"]) == ("random", "first")
    assert match["wins"] + match["losses"] == 10


@pytest.mark.parametrize("typed", ["1", "2"])
def test_a_game_from_outside_is_played_by_number(
    tmp_path: Path, plugin: dict[str, str], typed: str
) -> None:
    args = ("play", "nim", "--against", "first", "--record", "r.jsonl", "--seed", "1")
    done = kibitz(*args, given=f"{typed}\n1\n1\n1\n1\n1\n", home=tmp_path, **plugin)
    assert (done.returncode, complaints(done)) == (0, [])
    assert json.loads((tmp_path / "r.jsonl").read_text())["plays"][:2] == [typed, "1"]
    replayed = kibitz("replay", "r.jsonl", home=tmp_path, **plugin)
    assert f"seat 1: {typed}" in replayed.stdout


def test_a_play_of_a_game_from_outside_is_typed(tmp_path: Path, plugin: dict[str, str]) -> None:
    """Its plays need not be `Play`s: any value with a text does."""
    args = ("play", "nim", "--against", "first", "--record", "r.jsonl", "--seed", "1")
    done = kibitz(*args, given=" +2\n02\nthree\n", home=tmp_path, **plugin)
    assert (done.returncode, complaints(done)) == (0, [])
    (tmp_path / "r.jsonl").unlink()
    module = tmp_path / "nim_plugin.py"
    module.write_text(PLUGIN.replace("    pass\n", TAKES))
    done = kibitz(*args, given="take9\ntake3\n", home=tmp_path, **plugin)
    assert (done.returncode, complaints(done)) == (0, [])
    assert json.loads((tmp_path / "r.jsonl").read_text())["plays"] == ["take3", "take1"]


@pytest.mark.parametrize(
    ("games", "strategies", "named"),
    [
        ("no_such_module:Nim", "nim_plugin:First", "no_such_module:Nim"),
        ("nim_plugin:Chess", "nim_plugin:First", "nim_plugin:Chess"),
        ("nim_plugin:Nim", "no_such_module", "no_such_module"),
    ],
)
def test_broken_entry_point(tmp_path: Path, games: str, strategies: str, named: str) -> None:
    env = install(tmp_path, games, strategies)
    code = (
        "from kibitz.core.errors import KibitzError\n"
        "from kibitz.core.registry import games, strategies\ntry:\n    games(), strategies()\n"
        "except KibitzError as error:\n    print(error)"
    )
    done = run(["-c", code], environment(**env))
    assert named in done.stdout
    assert done.stderr == ""
    assert named in assert_refused(kibitz("games", home=tmp_path, **env))
