"""A bot that misbehaves: in each game in a way that its seed picks, or in the one that is named.

Run by its path. Ways that do nothing wrong are among them, and then it plays the first play.
"""

import json
import os
import subprocess
import sys
import time

WAYS = [
    "honest", "crash", "silent", "late", "garbage", "illegal", "no-play", "no-number", "future",
    "close-out", "close-in", "flood-lines", "flood", "memory", "children", "escape", "error",
    "slow-end", "half-line", "stale",
]  # fmt: skip


def say(**message: object) -> None:
    print(json.dumps(message), flush=True)


def sleeper(own_session: bool) -> None:
    subprocess.Popen([sys.executable, __file__, "sleep"], start_new_session=own_session)


def misbehave(way: str, number: int, plays: list[str]) -> None:
    """Instead of an answer, or before one."""
    if way == "crash":
        raise RuntimeError("no idea")
    if way == "silent":
        time.sleep(3600)
    if way == "late":
        time.sleep(1.5)
    if way == "garbage":
        print("\x1b[2J I play { the king", flush=True)
    if way == "illegal":
        say(type="play", id=number, play="moon>9=cheese")
    if way == "no-play":
        say(type="play", id=number, play=[plays[0]])
    if way == "no-number":
        say(type="play", play=plays[0])
    if way == "future":
        say(type="play", id=number + 1, play=plays[0])
    if way == "close-out":
        os.close(1)
        time.sleep(3600)
    if way == "close-in":
        os.close(0)
        os.close(1)
        time.sleep(3600)
    if way == "flood-lines":
        while True:
            say(type="info", text="la")
    if way == "flood":
        while True:
            os.write(1, b"x" * 65536)
            os.write(2, b"y" * 65536)
    if way == "memory":
        time.sleep(len(bytearray(1 << 30)))
    if way == "error":
        say(type="error", message="I give up")
    if way == "half-line":
        os.write(1, b'{"type": "play"')
        os._exit(3)


def main(fixed: str) -> None:
    way, plays = "honest", []
    for line in sys.stdin:
        message = json.loads(line)
        kind, number = message["type"], message.get("id")
        if kind == "hello":
            say(type="hello", id=number, protocol=1)
        elif kind == "game":
            pick = int(message["seed"]) % len(WAYS)
            way = fixed if fixed != "mixed" else WAYS[pick]
            say(type="ready", id=number)
        elif kind == "choose":
            plays = message["plays"]
            if way in ("children", "escape"):
                sleeper(way == "escape")
                raise RuntimeError("gone, and left something behind")
            if way == "stale":
                say(type="play", id=number - 1, play="moon>9=cheese")
                say(type="weather", id=10**30)
            misbehave(way, number, plays)
            say(type="play", id=number, play=plays[0])
        elif kind == "end" and way == "slow-end":
            time.sleep(1)
            sys.exit(1)
        elif kind == "quit":
            return


if __name__ == "__main__":
    if sys.argv[1] == "sleep":
        time.sleep(3600)
    main(sys.argv[1])
