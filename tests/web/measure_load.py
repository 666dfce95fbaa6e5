"""Many sessions at once: `python -m tests.web.measure_load` says how soon plays are answered.

An answer has come when the page has got the state with its own play in it; then the opponent
thinks, which is not counted. What the server spends on a play, its opponents' answers and all that
the pages get then are in it, is told in time of a processor: that is the same on a busy machine.
"""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from kibitz.web.live_table import GRID
from tests.web.serving import Guest, SeatedGuest, ServerProcess

GAMES = ("love-letter", "tablic")


def sit_down(host: Guest, sessions: int) -> list[SeatedGuest]:
    """So many tables, of both games."""
    return [host.new_table(GAMES[i % len(GAMES)], "person", "level:easy") for i in range(sessions)]


def play_many(seated: Sequence[SeatedGuest], turns: int) -> list[float]:
    """Seconds until each play was answered."""
    answers: list[float] = []
    threads = [threading.Thread(target=_play, args=(one, turns, answers)) for one in seated]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def _play(me: SeatedGuest, turns: int, answers: list[float]) -> None:
    fresh = Guest(me.guest.base)  # a browser of its own: its connections are
    fresh.client.cookies = me.guest.client.cookies
    with fresh.client:
        _play_turns(SeatedGuest(fresh, me.path, me.made), turns, answers)


def _play_turns(me: SeatedGuest, turns: int, answers: list[float]) -> None:
    left, asked = turns, 0.0
    with closing(me.states()) as states:
        for state in states:
            if asked:
                answers.append(time.monotonic() - asked)
                asked = 0.0
                left -= 1
            if not left:
                return
            if state["over"]:
                asked = time.monotonic()
                assert me.post("next", {"version": state["version"]}).status_code == 204
            elif state["your_turn"]:
                asked = time.monotonic()
                assert me.play_first(state).status_code == 204


def processor_seconds(server: ServerProcess) -> float:
    """What the server has used since its start."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(sessions: int = 50, turns: int = 10) -> None:
    """Print the median and the slowest."""
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(Path(folder), grid=GRID)
        try:
            host = server.host()
            play_many(sit_down(host, len(GAMES)), turns=2)  # whatever has to be loaded
            start = processor_seconds(server)
            seated = sit_down(host, sessions)
            sat = processor_seconds(server)
            answers = sorted(play_many(seated, turns))
            played = processor_seconds(server)
        finally:
            server.stop()
    print(
        f"{sessions} sessions, {len(answers)} plays: median {answers[len(answers) // 2]:.3f} s,"
        f" 95 % within {answers[len(answers) * 95 // 100]:.3f} s, worst {answers[-1]:.3f} s;"
        f" the server used {1000 * (sat - start) / sessions:.0f} ms of a processor for a table and"
        f" {1000 * (played - sat) / len(answers):.1f} ms for a play and its answers"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
