"""Every rule of RULES.md has a test named after it."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from tests.mutants import love_letter, tablic
from tests.mutants.run import PACKAGE, Mutant


@pytest.mark.parametrize("game", ["love_letter", "tablic"])
def test_every_rule_has_a_test_named_after_it(game: str) -> None:
    rules = files(f"kibitz.games.{game}").joinpath("RULES.md").read_text(encoding="utf-8")
    numbers = re.findall(r"^- \*\*(\d+\.\d+)\*\*", rules, re.MULTILINE)
    sources = (Path(__file__).parent / game).glob("test_rules*.py")
    tests = "".join(path.read_text(encoding="utf-8") for path in sources)
    named = {".".join(pair) for pair in re.findall(r"def test_rule_(\d+)_(\d+)_", tests)}
    assert numbers
    assert named == set(numbers)


@pytest.mark.parametrize("mutant", [*love_letter.MUTANTS, *tablic.MUTANTS], ids=str)
def test_every_break_of_a_rule_can_still_be_made(mutant: Mutant) -> None:
    """`make mutants` runs the tests against each, which takes long; a rename must not end it."""
    text = (PACKAGE / mutant.file).read_text(encoding="utf-8")
    assert text.count(mutant.old) == 1 and mutant.old != mutant.new
