"""The example bots keep to the protocol, and so does Kibitz itself; what does not is told."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from kibitz.core.registry import make_game
from kibitz.interop.bots.check import BotCheck
from kibitz.interop.bots.process import end_all
from kibitz.interop.bots.strategy import Bot
from tests.interop.bots.running import hostile
from tests.processes import ROOT, assert_refused, kibitz_here, run

EXAMPLES = ROOT / "examples" / "bots"
CLAIMS = 10


def findings(command: str, game: str = "love-letter", limits: str = "") -> list[tuple[str, str]]:
    bot = Bot(command=f"{limits} {command}")
    return [(f.kind, f.text) for f in BotCheck(bot.command, make_game(game), 1).findings()]


def check_example(command: str) -> None:
    for game in ("love-letter", "tablic:players=3"):
        found = findings(command, game)
        assert [kind for kind, _ in found] == ["ok"] * (CLAIMS - 1) + ["note"], found
        assert found[-1][1] == "it decides alike when it is told the same twice"


def test_the_bot_in_python() -> None:
    check_example(f"{sys.executable} -S {EXAMPLES / 'random_bot.py'}")


def test_the_bot_in_python_plays_its_lower_card() -> None:
    code = (
        "import sys, random; sys.path.insert(0, sys.argv[1])\n"
        "import random_bot\n"
        "view = {'fields': {'hand': ['king', 'priest']}}\n"
        "message = {'plays': ['priest>2', 'king>2'], 'view': view}\n"
        "print({random_bot.choose(message, random.Random(n)) for n in range(9)})\n"
    )
    assert run(["-c", code, EXAMPLES], {}).stdout == "{'priest>2'}\n"


def test_the_bot_in_c(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("this machine has no C compiler")
    import subprocess

    strict = ["-O1", "-std=c99", "-Wall", "-Wextra", "-Werror"]
    program = tmp_path / "random_bot"
    subprocess.run([compiler, *strict, "-o", program, EXAMPLES / "random_bot.c"], check=True)
    check_example(str(program))


def test_the_bot_in_javascript() -> None:
    if shutil.which("node") is None:
        pytest.skip("this machine has no Node.js")
    check_example(f"node {EXAMPLES / 'random_bot.js'}")


WRONG = {
    "crash": "plays whole games by the rules: it ended, exit code 1: RuntimeError: no idea",
    "garbage": "plays whole games by the rules: it printed what is no message",
    "no-number": "plays whole games by the rules: its play has no number",
}


def test_what_a_bot_gets_wrong_is_told(tmp_path: Path) -> None:
    for way, told in WRONG.items():
        command = str(hostile(tmp_path, way)).removeprefix("bot:")
        found = findings(command, "kuhn-poker")
        wrong = [text for kind, text in found if kind == "wrong"]
        assert wrong[0].startswith(told)


FLAWED = """
import json, sys, time
flaw = sys.argv[1]
for line in sys.stdin:
    message = json.loads(line)
    kind, number = message["type"], message.get("id")
    if flaw == "strict" and set(message) - {"type", "id", "game", "name", "options", "players",
            "partners", "unit", "seat", "seed", "clock", "protocol", "kibitz", "seconds", "plays",
            "since", "view", "returns"}:
        sys.exit("what is that?")
    if flaw == "floats" and number:
        number = int(float(number) // 1e6 * 1e6) or number
    if flaw == "counts":
        count = globals().get("count", 0) + (number is not None)
        number = count
    if kind == "hello":
        print(json.dumps({"type": "hello", "id": number, "protocol": 1}), flush=True)
    elif kind == "game":
        print(json.dumps({"type": "ready", "id": number}), flush=True)
    elif kind == "choose":
        answer = json.dumps({"type": "play", "id": number, "play": message["plays"][0]})
        print(answer, flush=True)
        if flaw == "twice":
            print(answer, flush=True)
    elif kind == "quit" and flaw != "stays":
        break
if flaw in ("stays", "deaf"):
    time.sleep(60)
"""


@pytest.mark.parametrize(
    ("flaw", "claim"),
    [
        ("strict", "ignores keys and messages that it does not know"),
        ("floats", "answers with the number of the question, however large"),
        ("counts", "answers with the number of the question, however large"),
        ("twice", "says nothing that nobody has asked for"),
        ("stays", "ends when its standard input ends"),
        ("deaf", "ends when it is told to quit, and starts again"),
    ],
)
def test_each_flaw_is_found(tmp_path: Path, flaw: str, claim: str) -> None:
    (tmp_path / "flawed.py").write_text(FLAWED)
    command = f"{sys.executable} -S {tmp_path / 'flawed.py'} {flaw}"
    found = findings(command, "kuhn-poker", "move=0.5")
    assert [text for kind, text in found if kind == "wrong" and text.startswith(claim)], found


def test_the_command_ends_with_1_if_something_is_wrong(tmp_path: Path) -> None:
    game = ("--game", "kuhn-poker", "--games", "1")
    bad = str(hostile(tmp_path, "crash"))
    done = kibitz_here("check-bot", bad, *game, home=tmp_path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("ok     starts and says hello")
    assert "\nwrong  plays whole games by the rules: it ended, exit code 1" in done.stdout
    good = f"{sys.executable} -S {EXAMPLES / 'random_bot.py'}"
    done = kibitz_here("check-bot", good, *game, home=tmp_path)
    assert (done.returncode, done.stderr) == (0, "") and "wrong" not in done.stdout
    end_all()
    assert_refused(kibitz_here("check-bot", "./nothing", home=tmp_path))
