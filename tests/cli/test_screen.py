"""What a person must see to choose stays on one screen: the table, the hand, all choices."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest
from rich.console import Console
from rich.text import Text

from kibitz.cli.ui.hints import Hint, Hints
from kibitz.cli.ui.prompt import Question
from kibitz.cli.ui.rendering import drawn
from kibitz.cli.ui.screen import Screen
from kibitz.core.registry import make_game
from kibitz.jit.rng import below, stream
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Table

WIDTH, HEIGHT = 80, 24
SPECS = [f"{name}:players={n}" for name in ("love-letter", "tablic") for n in (2, 3, 4)]
ADVISERS = {"love-letter": "flat-mc:worlds=20", "tablic": "pimc:worlds=2"}


@pytest.fixture(autouse=True)
def quick_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    """How a hint looks does not hang on how many worlds it is from."""
    for name, by in ADVISERS.items():
        fewer = {by.partition(":")[0]: 40}
        monkeypatch.setattr(type(make_game(name)), "explained_worlds", fewer)


class Terminal:
    """A terminal of 80 × 24: what is on it whenever somebody is asked."""

    def __init__(self, typed: list[str]) -> None:
        self.console = Console(
            file=io.StringIO(), width=WIDTH, height=HEIGHT, force_terminal=True, highlight=False
        )
        self.typed = typed
        self.screens: list[list[str]] = []

    def read(self, prompt: str) -> str:
        assert isinstance(self.console.file, io.StringIO)
        shown = Text.from_ansi(self.console.file.getvalue() + prompt).plain.split("\n")
        assert all(len(line) <= WIDTH for line in shown)
        self.screens.append(shown[-HEIGHT:])
        answer = self.typed.pop(0) if self.typed else "1"
        self.console.file.write(f"{prompt}{answer}\n")
        return answer

    def plain(self, text: Text) -> list[str]:
        """How some lines look on it."""
        console = Console(file=io.StringIO(), width=WIDTH, highlight=False)
        console.print(text)
        assert isinstance(console.file, io.StringIO)
        return [line.rstrip() for line in console.file.getvalue().splitlines()]


def questions(spec: str, count: int, gap: int) -> Iterator[tuple[Table, Any]]:
    """Situations of games that are played at random, and their views."""
    game = make_game(spec)
    rng = stream(7)
    for seed in range(1000):
        table = Table(game, seed)
        while not table.is_over:
            plays = table.view(table.mover).plays()
            if below(rng, gap) == 0:
                yield table, table.view(table.mover)
                count -= 1
                if count == 0:
                    return
            table.play(plays[below(rng, len(plays))])


def ask(
    terminal: Terminal, table: Table, view: Any, hints: Hints | None, monkeypatch: Any
) -> list[str]:
    """Let somebody choose; the table as it must be on every screen."""
    monkeypatch.setattr("kibitz.cli.ui.prompt.typed_line", terminal.read)
    monkeypatch.setattr("builtins.print", lambda *args, **kwargs: None)
    log = [Text(f"{line}.", style="italic") for line in view.log[-view.game.players :]]
    table_text = drawn(view)
    screen = Screen(terminal.console, log, table_text)

    def hint() -> Hint:
        by = hints or Hints(view.game, ADVISERS[view.game.name])
        return by.give(view, GameSeeds.alone(1).hint(len(view.log)))

    if hints is not None:
        screen.advice = hint()
    play = Question(screen, view, table.state, hint).answer()
    assert play in view.plays()
    return terminal.plain(table_text)


def is_on(drawn: list[str], screen: list[str]) -> bool:
    lines = [line.rstrip() for line in screen]
    return any(lines[i : i + len(drawn)] == drawn for i in range(len(lines)))


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("hinted", [True, False], ids=["hints", "no hints"])
def test_table_and_choices_stay_on_one_screen(
    spec: str, hinted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for table, view in questions(spec, 7 if hinted else 12, gap=5):
        terminal = Terminal([])
        hints = Hints(view.game, ADVISERS[view.game.name], True) if hinted else None
        drawn = ask(terminal, table, view, hints, monkeypatch)
        for screen in terminal.screens:
            assert is_on(drawn, screen), "\n".join(screen)
            assert any("1) " in line for line in screen)
            last = screen[-1].partition("-")[2].partition(",")[0] or "1"
            assert any(f"{last}) " in line for line in screen), "all choices are there"
        if hinted:
            assert any("Hint by" in line for line in terminal.screens[0])
            assert any("▸" in line and "▸ seat" not in line for line in terminal.screens[0])


@pytest.mark.parametrize("spec", SPECS)
def test_they_stay_whatever_is_asked(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Help, hints and slips come below, and what would scroll away comes again."""
    for table, view in questions(spec, 4, gap=9):
        typed = ["?", "", "? match", "", "no such thing", "h", "", "? 99", "h", "", "?", ""]
        terminal = Terminal(typed)
        drawn = ask(terminal, table, view, None, monkeypatch)
        asked = [screen for screen in terminal.screens if screen[-1].startswith("Your play")]
        assert len(asked) > 8
        for screen in asked:
            assert is_on(drawn, screen), "\n".join(screen)


def test_a_hint_is_as_long_as_the_screen_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a pipe all of it is shown."""
    shortened = 0
    for table, view in questions("tablic:players=4", 8, gap=3):
        hints = Hints(view.game, ADVISERS["tablic"], True)
        terminal = Terminal([])
        ask(terminal, table, view, hints, monkeypatch)
        small = "\n".join(terminal.screens[0])
        hands = [f"seat {seat + 1}'s hand" for seat in range(4) if seat != view.seat]
        assert "(h tells all)" in small or all(hand in small for hand in hands)
        shortened += "(h tells all)" in small

        pipe = io.StringIO()
        hints.show(Console(file=pipe, width=WIDTH), view, GameSeeds.alone(1).hint(len(view.log)))
        assert "(h tells all)" not in pipe.getvalue()
        assert all(hand in pipe.getvalue() for hand in hands if view.state[0].held.min())
        assert "█" in pipe.getvalue()
    assert shortened


def test_many_choices_stand_in_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    """One below the other where they fit."""
    choices = [(str(i), f"choice number {i}") for i in range(1, 15)]
    terminal = Terminal([])
    Screen(terminal.console, [], "table\n" * 12).ask(choices)
    terminal.read("")
    rows = [line for line in terminal.screens[0] if ") choice" in line]
    assert len(rows) < len(choices) and all(f"{n}) {text}" in " ".join(rows) for n, text in choices)
    tall = Terminal([])
    Screen(tall.console, [], "table").ask(choices)
    tall.read("")
    assert len([line for line in tall.screens[0] if ") choice" in line]) == len(choices)
