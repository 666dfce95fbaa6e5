"""`bot:` as a strategy: its text, its limits, and who may run it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena.compare import compare
from kibitz.core.errors import BadText, KibitzError
from kibitz.core.game import View
from kibitz.core.registry import files_named_by, make_game, make_strategy, strategies_for
from kibitz.core.strategy import Player, Strategy
from kibitz.interop.bots.process import end_all
from kibitz.interop.bots.strategy import Bot
from kibitz.table.record import PERSON, Record
from kibitz.table.session import Session
from kibitz.table.table import Forfeit, Table, play_out
from tests.interop.bots.running import hostile
from tests.processes import assert_refused, complaints, kibitz_here


def test_all_behind_the_colon_is_the_command() -> None:
    text = "bot:move=2 memory=64 ./my_engine --set a=1,b:2 'two words'"
    bot = make_strategy(text)
    assert isinstance(bot, Bot)
    assert str(bot) == text
    assert bot.words == ("./my_engine", "--set", "a=1,b:2", "two words")
    assert bot.limits == {"start": 30.0, "move": 2.0, "memory": 64}
    assert make_strategy(str(bot)) == bot != make_strategy("bot:./my_engine")
    assert make_strategy("bot:./move=2").words == ("./move=2",)  # type: ignore[attr-defined]
    assert not bot.reproducible and bot.trusted


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("bot:move=0 ./x", "move=0 is out of range"),
        ("bot:speed=1 ./x", "no option 'speed'"),
        ("bot:move=1 move=2 ./x", "move is given twice"),
        ("bot:'./x", "no closing quotation"),
        ("bot:./x\x1b[2J", "can't be printed"),
        ("bot:", "needs a program"),
        ("bot:./no_such_program", "there is no program ./no_such_program"),
    ],
)
def test_what_is_no_command_is_refused(tmp_path: Path, text: str, why: str) -> None:
    done = kibitz_here("compare", "kuhn-poker", "random", text, home=tmp_path)
    assert why in assert_refused(done)


def test_nobody_gets_a_bot_who_has_not_named_one() -> None:
    assert "bot" not in strategies_for(make_game("kuhn-poker"))


def test_it_stays_on_this_machine(tmp_path: Path) -> None:
    bot = hostile(tmp_path, "honest")
    with pytest.raises(BadText, match="a program of this machine: it can't play on a cluster"):
        compare(make_game("kuhn-poker"), [bot, bot], 1, cluster="tcp://localhost:1")


# -- who may run it --------------------------------------------------------------------------


def trap(folder: Path) -> str:
    """A bot that leaves a trace when it is started."""
    program = folder / "trap.py"
    sprung = f"open({str(folder / 'sprung')!r}, 'w')\n"
    program.write_text(sprung + Path(hostile_source()).read_text())
    return f"bot:{sys.executable} -S {program} honest"


def hostile_source() -> str:
    from tests.interop.bots import hostile_bot

    return hostile_bot.__file__


def recorded(folder: Path, spec: str) -> Record:
    record = Record.of(Table(make_game("kuhn-poker"), seed=5), ["random", "random"])
    record = record.model_copy(update={"players": [PERSON, spec]})
    (folder / "record.jsonl").write_text(record.model_dump_json() + "\n")
    return record


def test_a_record_runs_no_bot(tmp_path: Path) -> None:
    spec = trap(tmp_path)
    assert files_named_by(spec)[1:] == [str(tmp_path / "trap.py")]
    for named in (spec, "bot:./no_such_program"):
        record = recorded(tmp_path, named)
        with pytest.raises(KibitzError, match="give the strategy itself"):
            Session.resume([record])
        line = assert_refused(kibitz_here("play", "--resume", "record.jsonl", home=tmp_path))
        assert "if you trust that file, name it" in line
    assert files_named_by(f"full-backtrack:against='{spec}'") == files_named_by(spec)
    recorded(tmp_path, spec)
    for command in (["replay", "record.jsonl"], ["explain", "--record", "record.jsonl"]):
        assert kibitz_here(*command, home=tmp_path).returncode == 0
    assert not (tmp_path / "sprung").exists()


def test_a_hint_in_a_record_runs_no_bot(tmp_path: Path) -> None:
    record = recorded(tmp_path, "random").model_copy(update={"hints": trap(tmp_path)})
    (tmp_path / "record.jsonl").write_text(record.model_dump_json() + "\n")
    done = kibitz_here("play", "--resume", "record.jsonl", given="q\n", home=tmp_path)
    assert done.returncode == 0
    assert not (tmp_path / "sprung").exists()


def test_the_users_own_word_runs_it(tmp_path: Path) -> None:
    spec = trap(tmp_path)
    recorded(tmp_path, spec)
    play = ("play", "--resume", "record.jsonl", "--against", spec)
    done = kibitz_here(*play, given="bet\nbet\n" * 3, home=tmp_path)
    assert (done.returncode, complaints(done)) == (0, [])
    end_all()
    assert (tmp_path / "sprung").exists()
    assert json.loads((tmp_path / "record.jsonl").read_text())["returns"] is not None


def test_an_explanation_is_its_choice_alone(tmp_path: Path) -> None:
    spec = str(hostile(tmp_path, "honest"))
    args = ("kuhn-poker", "--position", "hand1=K; first=1", "--strategy", spec, "--json")
    done = kibitz_here("explain", *args, home=tmp_path)
    end_all()
    (explained,) = json.loads(done.stdout)["strategies"]
    assert explained["best"] == "pass" and "no reasons are given" in explained["sentence"]


def test_a_store_knows_the_content_of_the_program(tmp_path: Path) -> None:
    bot, game = hostile(tmp_path, "honest"), make_game("kuhn-poker")
    store = tmp_path / "store"
    compare(game, [make_strategy("random"), bot], 1, store=store)
    program = tmp_path / "hostile_bot.py"
    program.write_text(program.read_text() + "\n")
    compare(game, [make_strategy("random"), bot], 1, store=store)
    end_all()
    listed = json.loads(kibitz_here("runs", "store", "--json", home=tmp_path).stdout)
    assert len(listed["runs"] if isinstance(listed, dict) else listed) == 2
    assert kibitz_here("runs", "store", "1", home=tmp_path).returncode == 0


# -- the end hook ----------------------------------------------------------------------------


class Listening(Strategy):
    """Notes what it is told at the end."""

    name = "listening"

    def __init__(self, fails: bool = False, hook_fails: bool = False) -> None:
        super().__init__()
        self.told: list[tuple[int, Any]] = []
        self.fails = fails
        self.hook_fails = hook_fails

    def sit(self, game: Any, seat: int, rng: Any) -> Player:
        strategy = self

        class Listener(Player):
            def choose(self, view: View[Any]) -> Any:
                return 1 // 0 if strategy.fails else view.plays()[0]

            def end(self, view: View[Any], returns: tuple[float, ...] | None) -> None:
                assert view.seat == seat
                strategy.told.append((seat, returns))
                assert not strategy.hook_fails

        return Listener()


def test_players_are_told_how_a_game_ends() -> None:
    game, listening = make_game("twenty-one"), Listening()
    table = play_out(game, [listening, listening], 1)
    returns = tuple(game.returns(table.state))
    assert listening.told == [(0, returns), (1, returns)]


def test_of_a_game_that_is_broken_off_they_are_told_that() -> None:
    listening, failing = Listening(), Listening(fails=True)
    with pytest.raises(Forfeit):
        play_out(make_game("twenty-one"), [listening, failing], 1)
    assert (listening.told, failing.told) == ([(0, None)], [])


def test_who_fails_at_the_end_has_lost() -> None:
    with pytest.raises(Forfeit, match="listening failed: AssertionError"):
        play_out(make_game("twenty-one"), [Listening(), Listening(hook_fails=True)], 1)


def test_in_a_session_they_are_told_when_they_get_up() -> None:
    listening = Listening(hook_fails=True)
    session = Session("twenty-one", [None, listening], seed=1)
    session.play("4")
    session.step()
    session.undo()
    assert listening.told == [(1, None)]
    while not session.is_over:
        if session.is_persons_turn:
            session.play("4")
        else:
            session.step()
    assert [seat for seat, _ in listening.told] == [1, 1]
    assert listening.told[-1][1] is not None


def test_trust_is_declared_and_not_inherited() -> None:
    from kibitz.core.registry import strategies

    class Derived(type(make_strategy("greedy"))):  # type: ignore[misc]
        name = "derived"

    assert all(cls.trusted for cls in strategies().values())
    assert not Derived.trusted and not Listening.trusted
