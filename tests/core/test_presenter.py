"""Presenters and scenes of games in plain Python: with nothing written, and with one's own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest

from kibitz.core.errors import BadText, IllegalPlay
from kibitz.core.game import CHANCE, View
from kibitz.core.phrase import Span, phrase, plain
from kibitz.core.presenter import Presenter
from kibitz.core.registry import make_game
from kibitz.core.scene import Card, Detail, Note, Scene, SeatScene, Zone
from kibitz.core.scene_text import WIDTH, scene_text
from kibitz.table.table import Table
from tests.plain import GuessTheCard, Heap, Nim, Tosses
from tests.processes import ROOT, kibitz_here


class NimPresenter(Presenter[Heap, int]):
    def notes(self, view: View[Heap]) -> Sequence[Note | str]:
        return [f"{view.state[0]} matches on the table"]

    def describe(self, view: View[Heap], play: int) -> str:
        return f"take <b>{play}</b>"


class ShownNim(Nim):
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = NimPresenter


def test_a_game_with_nothing_written_has_a_scene() -> None:
    game = Nim()
    view = game.view(game.deal(1), 0)
    scene = game.presenter.scene(view)
    data = json.loads(json.dumps(scene.to_json()))
    assert data["game"] == "nim" and data["turn"] == 1 and data["over"] is False
    assert [play["parts"] for play in data["plays"]] == [{"play": text} for text in "123"]
    assert data["notes"][0]["text"] == "(10, 0)" == game.presenter.text(view)
    assert "(10, 0)" in game.presenter.html(view)
    assert game.presenter.play_of(view.state, {"play": "2"}) == 2
    assert view.turn == 0 and game.view((0, 1), 0).turn is None
    assert game.presenter.scene(game.view((0, 1), 0)).outcome == "seat 1 wins"


@pytest.mark.parametrize("wrong", [None, 7, {}, {"play": 2}, {"card": "2"}])
def test_wrong_parts(wrong: Any) -> None:
    with pytest.raises(BadText):
        Nim().presenter.play_of((3, 0), wrong)
    with pytest.raises(IllegalPlay):
        Nim().presenter.play_of((3, 0), {"play": "9"})


def test_ones_own_presenter_writes_what_it_changes() -> None:
    game = ShownNim()
    view = game.view(game.deal(1), 0)
    assert game.presenter.text(view) == "10 matches on the table"
    assert game.presenter.scene(view).plays[0].said == "take <b>1</b>"
    assert plain(game.presenter.phrase(view, 1)) == "take <b>1</b>"


def test_chance_and_hidden_cards() -> None:
    tosses = Tosses()
    rolling = tosses.presenter.scene(tosses.view((0, 0, True), 0))
    assert tosses.view((0, 0, True), 0).turn == CHANCE
    assert rolling.chance and rolling.turn is None and rolling.to_json()["turn"] is None
    guess = GuessTheCard()
    scenes = [guess.presenter.scene(guess.view((card, ""), 1)) for card in ("ace", "king")]
    assert scenes[0] == scenes[1]


def test_what_the_file_of_the_course_shows(tmp_path: Path) -> None:
    game = make_game(str(ROOT / "examples" / "take_away.py"))
    assert game.presenter.text(game.view(game.deal(1), 0)) == "7 left"
    (tmp_path / "shown.py").write_text(
        "from kibitz import Game\n"
        "from kibitz.core.presenter import Presenter\n\n\n"
        + (ROOT / "examples" / "take_away.py").read_text().partition("\n\n\n")[2]
        + "\n    class presenter_class(Presenter):\n"
        "        def describe(self, view, play):\n"
        "            return f'[bold]take {play}[/]'\n"
    )
    out = kibitz_here("play", "shown.py", given="q\n", home=tmp_path).stdout
    assert "7 left" in out


def test_a_player_never_reaches_the_table_by_the_presenter() -> None:
    game = make_game("love-letter")
    view = Table(game, 1).view(0)
    assert view.game is not game
    assert view.game.presenter.game is view.game


def test_html_is_escaped() -> None:
    class Loud(Nim):
        def caption(self, state: Heap) -> str:
            return "<script>alert(1)</script>"

    game = Loud()
    html = game.presenter.html(game.view(game.deal(1), 0))
    assert "<script>" not in html and "&lt;script&gt;" in html


# -- the layout ----------------------------------------------------------------------------


def seat(number: int, **more: Any) -> SeatScene:
    return SeatScene(number, **more)


def scene(*zones: Zone, seats: Sequence[SeatScene], notes: Sequence[Note] = ()) -> Scene:
    return Scene("g", "G", "game", 0, 1, seats=tuple(seats), zones=zones, notes=tuple(notes))


def test_the_viewer_comes_last_and_figures_stand_in_a_column() -> None:
    hands = [
        Zone("hand", "hand", (Card("Ah", "A♥"), Card("10d", "10♦")), seat=0),
        Zone("hand", "hand", hidden=1, seat=1),
    ]
    details = (Detail("points", 3, "3 points"), Detail("tablas", 1, ""))
    seats = [seat(0, you=True, details=details), seat(1, to_move=True, details=details)]
    table = Zone("table", "Table")
    assert scene_text(scene(table, *hands, seats=seats, notes=[Note("so", "Note")])) == (
        "Table  empty\n"
        "\n"
        "▸ seat 2        ▒▒       3 points\n"
        "  seat 1 (you)  A♥ 10♦   3 points\n"
        "Note  so"
    )


def test_a_long_row_goes_below_and_breaks_between_cards() -> None:
    cards = tuple(Card("countess", "Countess") for _ in range(12))
    row = Zone("discards", "played", cards, seat=0)
    hand = Zone("hand", "hand", cards[:2], seat=0)
    lines = scene_text(scene(hand, row, seats=[seat(0, you=True)])).splitlines()
    assert lines[0] == "  seat 1 (you)  Countess, Countess"
    assert lines[1].startswith(" " * 16 + "played: Countess, ")
    assert lines[2].startswith(" " * 24 + "Countess")
    assert all(len(line) <= WIDTH + 1 for line in lines), "a comma may stand in the last column"
    assert " ".join(lines[1:]).count("Countess") == 12


def test_phrases() -> None:
    words = phrase("a ", Span("b", "red", strong=True), "", (Span(" c"),))
    assert words == (Span("a "), Span("b", "red", strong=True), Span(" c"))
    assert plain(words) == "a b c"
