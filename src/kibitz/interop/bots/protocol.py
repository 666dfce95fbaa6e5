"""The lines that Kibitz and a bot write to each other: docs/bots.md describes them.

A line is one JSON object in UTF-8. What wants an answer has a number, `id`, and the answer has the
same one: so a late answer is told from that to the question. Keys that are not known are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from kibitz.core.checks import brief, one_line
from kibitz.core.errors import StrategyFailed
from kibitz.version import __version__

VERSION = 1
"""Of the protocol. It changes when a bot that keeps to this one would not do any more."""
LONGEST = 1 << 16
"""Bytes of a line of a bot's."""
MOST_IGNORED = 1000
"""Lines that say nothing, before an answer."""
SHOWN = 200
"""Letters of what a bot said that an error repeats."""
ANSWERS = {"hello": "hello", "game": "ready", "choose": "play"}
"""What is asked, and how the answer is called."""


def line_of(message: Mapping[str, Any]) -> bytes:
    """A message as a line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def hello() -> dict[str, Any]:
    """What Kibitz says first."""
    return {"type": "hello", "protocol": VERSION, "kibitz": __version__}


def read_line(line: bytes) -> dict[str, Any]:
    """The object in a bot's line; StrategyFailed if there is none."""
    try:
        message = json.loads(line.decode())
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        said = brief(line[:SHOWN].decode(errors="replace").strip())
        raise StrategyFailed(f"it printed what is no message: {one_line(said)}")
    return message


def answer_in(message: Mapping[str, Any], question: str, number: int) -> bool:
    """Whether a bot's message is the answer to a question; False if it is to be ignored."""
    kind = message["type"]
    if kind == "error":
        raise StrategyFailed(f"it says: {one_line(str(message.get('message')))[:SHOWN]}")
    if kind not in ANSWERS.values():
        return False
    said = message.get("id")
    if type(said) is not int:
        raise StrategyFailed(f"its {kind} has no number: id is {brief(said)}")
    if said < number:
        return False
    if said > number or kind != ANSWERS[question]:
        raise StrategyFailed(f"it says {kind} {brief(said)} when asked {question} {number}")
    return True
