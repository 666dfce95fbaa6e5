"""What is sent to a bot: what its seat may know, the same bytes whatever cards are hidden."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.registry import games, make_game, make_strategy
from kibitz.interop.bots import process as processes
from kibitz.interop.bots.protocol import line_of
from kibitz.interop.bots.seen import fields_of
from kibitz.interop.bots.strategy import Bot, BotPlayer
from kibitz.jit.rng import below, stream
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Table

HIDDEN = ("love-letter", "love-letter:players=3", "tablic", "kuhn-poker", "leduc-poker")
WORLDS = 3


class Wire:
    """Stands for a process: keeps what is sent, and answers with the first play."""

    alive = True

    def __init__(self) -> None:
        self.sent = b""

    def send(self, message: Mapping[str, Any]) -> None:
        self.sent += line_of(message)

    def ask(self, question: str, seconds: float, message: Mapping[str, Any]) -> dict[str, Any]:
        self.send({"type": question, **message})
        return {"play": message["plays"][0]} if question == "choose" else {}


def sent_to(table: Table, seat: int) -> bytes:
    """All that a bot gets that sits down now and decides."""
    wire: Any = Wire()
    command = Bot(command="any").command
    player = BotPlayer(command, table.game, seat, table.seeds.seat(seat), wire)
    player.choose(table.view(seat))
    player.end(table.view(seat), None)
    return bytes(wire.sent)


@pytest.mark.parametrize("spec", HIDDEN)
def test_redealt_hidden_cards_send_the_same_bytes(spec: str) -> None:
    game, lots, changed = make_game(spec), stream(9), 0
    for seed in range(4):
        table = Table(game, GameSeeds(10**30, seed), seed % game.players)
        while not table.is_over:
            seat, true = table.mover, table.state
            view = table.view(seat)
            asked = below(lots, len(game.start().plays()) + 1) == 0 or len(table.plays) < 2
            sent = sent_to(table, seat) if asked else b""
            assert str(table.seed).encode() not in sent
            for _ in range(WORLDS if asked else 0):
                table.state = game.redeal(view, lots)
                changed += table.state.tobytes() != true.tobytes()
                assert sent_to(table, seat) == sent
            table.state = true
            plays = view.plays()
            table.play(plays[below(lots, len(plays))])
    assert changed > 4, "the worlds were others"


@pytest.mark.parametrize("name", games())
def test_every_game_can_be_sent(name: str) -> None:
    table = Table(make_game(name), 1)
    for line in sent_to(table, table.mover).splitlines():
        assert isinstance(json.loads(line), dict)


def test_seats_count_from_1_in_the_fields() -> None:
    game = make_game("love-letter:players=3")
    position = game.start(seed=4).play(game.start(seed=4).plays()[0])
    view: Any = position.view()
    fields = fields_of(view)
    assert fields["turn"] == view.turn + 1 == 2 and fields["first"] == 1
    assert list(fields["possible"]) == [str(seat + 1) for seat in view.possible]
    assert fields["discards"] == [list(cards) for cards in view.discards]
    four = fields_of(make_game("tablic:players=4").start(seed=1).view())
    assert (four["first"], four["dealer"], four["partner"], four["last_captor"]) == (1, 4, 3, None)


def test_every_field_that_is_a_seat_says_so() -> None:
    """A field whose docstring begins with a seat, or says that it goes by seats."""
    for name, cls in games().items():
        for field, thing in vars(cls.view_class).items():
            said = (thing.__doc__ or "") if isinstance(thing, property) else ""
            seats = said.startswith(("The seat ", "The seats ")) or "by the seat" in said
            seats = seats or ": the seats" in said or "each other seat" in said
            assert seats == (field in cls.view_class.seat_fields), (name, field)


REPORT = """
import json, os, sys
with open(sys.argv[1], "w") as file:
    here = "/proc/self/fd/"
    known = {n: os.readlink(here + n) for n in os.listdir(here) if os.path.lexists(here + n)}
    json.dump({"environment": dict(os.environ), "open": known}, file)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to see what a process has open")
def test_a_process_gets_pipes_and_a_clean_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KIBITZ_SEED", "4711")
    (tmp_path / "report.py").write_text(REPORT)
    held = open(tmp_path / "held", "w")  # noqa: SIM115
    bot = make_strategy(f"bot:{sys.executable} -S {tmp_path / 'report.py'} {tmp_path / 'out'}")
    assert isinstance(bot, Bot)
    with pytest.raises(Exception, match="it ended, exit code 0"):
        processes.take(bot.command)
    held.close()
    report = json.loads((tmp_path / "out").read_text())
    assert set(report["environment"]) <= {*processes.ENVIRONMENT, "LC_CTYPE", "LC_ALL"}
    ours = {"0", "1", "2"}
    others = [
        place
        for number, place in report["open"].items()
        if number not in ours and not place.endswith(("/out", "/fd"))
    ]
    assert others == []
    assert all(report["open"][number].startswith("pipe:") for number in ours)
