"""The rules of a game from its RULES.md: all of them, or those about one thing, as `? word` shows
a player."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

MOST = 4
"""Rules that are shown at once."""
RULE = re.compile(r"- \*\*([\d.]+)\*\* (.*)")


def rules_on(package: str, word: str) -> str | None:
    """The rules in a section of that name, with that number, or that speak of it."""
    asked = " ".join(word.lower().split())
    if not asked:
        return None
    every = rules_of(package)
    named = [rule for rule in every if asked == rule[0] or _speaks_of(asked, rule[1])]
    rules = named or [rule for rule in every if _speaks_of(asked, rule[2])]
    lines = [f"{number} {text}" for number, _, text in rules[:MOST]]
    if rules[MOST:]:
        more = ", ".join(number for number, _, _ in rules[MOST:])
        lines.append(f"See also rules {more}: ? {rules[MOST][0]} tells the first of them.")
    return "\n".join(lines) or None


def _speaks_of(word: str, text: str) -> bool:
    """In one number or the other: `capture` in `captured`, `points` in `point`."""
    stem = word[:-1] if len(word) > 3 and word.endswith("s") else word
    return re.search(rf"(?<![a-z]){re.escape(stem)}", text.lower()) is not None


@cache
def rules_of(package: str) -> tuple[tuple[str, str, str], ...]:
    """Each rule: its number, its section's name, its text without markup."""
    section, rules = "", []
    for line in files(package).joinpath("RULES.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            section = line.partition(". ")[2]
        elif rule := RULE.match(line):
            rules.append((rule[1], section, re.sub(r"[*`]", "", rule[2])))
    return tuple(rules)
