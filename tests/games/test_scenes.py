"""The scene of every game: data for JSON, as it was, and never a card that its seat may not see."""

from __future__ import annotations

import inspect
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from kibitz.cli.ui.rendering import drawn
from kibitz.core.errors import KibitzError
from kibitz.core.game import View
from kibitz.core.registry import games
from kibitz.core.scene import MatchScene, Scene
from kibitz.games.love_letter.known_hands import facts_of_own_card
from kibitz.jit.rng import below, stream
from kibitz.table.table import Table
from tests.games.boards import SPECS, compiled_game, few

DATA = Path(__file__).parents[1] / "data" / "scenes"
HIDDEN = [spec for spec in SPECS if compiled_game(spec).traits.hidden]
CARDS = {"love-letter": 16, "tablic": 52}
every_game = pytest.mark.parametrize("spec", SPECS)
every_hidden_game = pytest.mark.parametrize("spec", HIDDEN)


def tables(spec: str, count: int) -> Iterator[Table]:
    """Games that are played at random: before every play, and at the end."""
    game = compiled_game(spec)
    for seed in range(count):
        table, rng = Table(game, seed, seed % game.players), stream(seed, 4)
        while not table.is_over:
            yield table
            plays = table.view(table.mover).plays()
            table.play(plays[below(rng, len(plays))])
        yield table


def fields(view: View[Any]) -> dict[str, Any]:
    """The readable fields of a view."""
    names = [
        name
        for name, what in inspect.getmembers(type(view))
        if isinstance(what, property) and name[0] != "_"
    ]
    return {name: getattr(view, name) for name in names}


def is_plain(what: Any) -> bool:
    """Whether there is nothing but Python's own values in it: no number of NumPy's."""
    if isinstance(what, (tuple, list)):
        return type(what) in (tuple, list) and all(is_plain(one) for one in what)
    if isinstance(what, dict):
        return all(is_plain(one) for one in (*what, *what.values()))
    return what is None or type(what) in (str, int, float, bool)


@every_game
def test_a_scene_is_data_for_json(spec: str) -> None:
    for table in tables(spec, few(3, 1)):
        for seat in range(table.game.players):
            scene = table.game.presenter.scene(table.view(seat))
            data = scene.to_json()
            assert is_plain(data)
            assert json.loads(json.dumps(data, allow_nan=False)) == data
            assert data["seat"] == seat + 1
            assert data["turn"] == (None if table.is_over else table.mover + 1)
            assert [one["seat"] for one in data["seats"]] == [*range(1, table.game.players + 1)]
            assert [one["you"] for one in data["seats"]].index(True) == seat
            assert data["over"] == table.is_over == bool(data["outcome"])
            assert len(data["plays"]) == (
                len(table.view(seat).plays()) if _moves(table, seat) else 0
            )


def _moves(table: Table, seat: int) -> bool:
    return not table.is_over and table.mover == seat


@every_game
def test_the_terminal_shows_the_plain_text_in_80_columns(spec: str) -> None:
    for table in tables(spec, few(6, 1)):
        view = table.view(0)
        text = table.game.presenter.text(view)
        assert text and [line.rstrip() for line in drawn(view).plain.split("\n")] == text.split(
            "\n"
        )
        assert all(len(line) <= 80 for line in text.splitlines()), text


@every_game
def test_readable_fields_are_plain_python(spec: str) -> None:
    for table in tables(spec, few(3, 1)):
        for seat in range(table.game.players):
            shown = fields(table.view(seat))
            assert len(shown) > 1 and all(is_plain(value) for value in shown.values()), shown
            assert shown["turn"] == (None if table.is_over else table.mover)


# -- what is hidden ------------------------------------------------------------------------


@every_hidden_game
def test_a_redeal_changes_no_field_and_nothing_in_a_scene(spec: str) -> None:
    """Through the table, with all that the seat has seen before."""
    game, varied = compiled_game(spec), 0
    # A round of hidden-paper-rock-scissors has one hidden choice: some rounds until it varies.
    short = game.name == "hidden-paper-rock-scissors"
    for table in tables(spec, 6 if short else few(2, 1)):
        for seat in range(game.players):
            view, true = table.view(seat), table.state
            table.state = game.redeal(game.view(true, seat), stream(len(view.log), seat))
            again = table.view(seat)
            varied += table.state.tobytes() != true.tobytes()
            table.state = true
            assert fields(again) == fields(view)
            assert game.presenter.scene(again).to_json() == game.presenter.scene(view).to_json()
            assert game.presenter.html(again) == game.presenter.html(view)
    assert varied


@every_hidden_game
def test_a_scene_of_a_whole_state_would_tell_more(spec: str) -> None:
    """What the test above relies on: a scene shows what is in the view's state."""
    game = compiled_game(spec)
    if game.name == "hidden-paper-rock-scissors":
        state = game.after(game.deal(1), "rock")
        seat = 1
    else:
        state, seat = game.deal(1), 0
    whole = game.presenter.table(View(game, seat, state))
    assert whole != game.presenter.table(game.view(state, seat))


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec.partition(":")[0] in CARDS])
def test_every_card_is_in_one_zone(spec: str) -> None:
    """Open or face down, they are as many as the deck has, and none lies open twice."""
    for table in tables(spec, few(6, 1)):
        scene = table.game.presenter.scene(table.view(0))
        size = 15 if "thesis" in spec else CARDS[table.game.name]
        assert sum(len(zone.cards) + zone.hidden for zone in scene.zones) == size
        shown = Counter(card.text for zone in scene.zones for card in zone.cards)
        most = {"guard": 5, "princess": 1} if table.game.name == "love-letter" else {}
        assert all(n <= most.get(card, 2 if most else 1) for card, n in shown.items())


@pytest.mark.parametrize("spec", [spec for spec in HIDDEN if spec.partition(":")[0] in CARDS])
def test_what_is_known_of_a_hand_is_true_and_open_hands_are_shown(spec: str) -> None:
    game, facts = compiled_game(spec), 0
    for table in tables(spec, few(6, 2)):
        whole = [
            {card.text for card in zone.cards}
            for zone in game.presenter.zones(View(game, 0, table.state))
            if zone.name == "hand"
        ]
        for seat in range(game.players):
            for one in game.presenter.scene(table.view(seat)).seats:
                for fact in one.facts:
                    facts += 1
                    assert fact.seat == one.seat and (fact.holds or fact.lacks)
                    assert set(fact.holds) <= whole[one.seat]
                    mover = not table.is_over and one.seat == table.mover
                    if not mover or game.name == "tablic":  # he may have drawn what he lacked
                        assert not set(fact.lacks) & whole[one.seat]
                    assert one.seat not in fact.known_to
                    assert seat in fact.known_to or one.seat == seat
    assert facts


def test_who_knows_ones_own_card_is_what_the_rules_track() -> None:
    """With two players the state says it; with more it follows from the turns."""
    seen = 0
    for players in (2, 3, 4):
        for table in tables(f"love-letter:players={players}", few(40, 2)):
            x = table.state[0]
            for seat in range(players):
                view = table.view(seat)
                knowing = {other for fact in facts_of_own_card(view) for other in fact.known_to}
                tracked = {other for other in range(players) if x.known[other] >> seat & 1}
                if x.over or not x.hand[seat]:
                    assert not knowing
                elif players == 2:
                    assert knowing == tracked
                else:
                    # A trade of others may have brought one's card to somebody's knowledge.
                    assert knowing <= tracked
                seen += len(knowing)
    assert seen > 10


# -- plays by their parts ------------------------------------------------------------------


@every_game
def test_parts_give_the_play_again(spec: str) -> None:
    game = compiled_game(spec)
    for table in tables(spec, few(4, 1)):
        for play in game.plays(table.state):
            parts = dict(game.presenter.parts(play))
            assert is_plain(parts)
            again = game.presenter.play_of(table.state, json.loads(json.dumps(parts)))
            assert again == play and str(again) == str(play)
        if not table.is_over:
            for one in game.presenter.scene(table.view(table.mover)).plays:
                assert str(game.presenter.play_of(table.state, one.parts)) == one.text


@every_game
@pytest.mark.parametrize(
    "wrong", [{}, {"play": 1}, {"card": None}, {"card": "guard", "target": "x"}, {"column": []},
              {"card": "Qh", "captures": 7}, {"square": {}}, {"play": "nonsense"}],
)  # fmt: skip
def test_wrong_parts_are_refused_in_one_line(spec: str, wrong: dict[str, Any]) -> None:
    game = compiled_game(spec)
    with pytest.raises(KibitzError) as caught:
        game.presenter.play_of(game.deal(1), wrong)
    assert "\n" not in str(caught.value)


PARTS = [
    ("love-letter", "face_up=king prince handmaid; hand1=guard baron", "guard>2=priest",
     {"card": "guard", "target": 2, "guess": "priest"}),
    ("love-letter", "face_up=king prince priest; hand1=guard handmaid", "handmaid",
     {"card": "handmaid"}),
    ("tablic", "table=Jc Ad 9s; hand1=Qh 4s; hand2=3s 5s; deck=none", "Qh x Jc Ad",
     {"card": "Qh", "captures": ["Jc", "Ad"]}),
    ("tablic", "table=Jc Ad 9s; hand1=Qh 4s; hand2=3s 5s; deck=none", "4s",
     {"card": "4s", "captures": []}),
    ("tic-tac-toe", "board=.../.../...", "b2", {"square": "b2"}),
    ("connect-four", "turn=1", "4", {"column": "4"}),
    ("kuhn-poker", "hand1=Q", "bet", {"play": "bet"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "position", "text", "parts"), PARTS, ids=[p[2] for p in PARTS])
def test_parts(name: str, position: str, text: str, parts: dict[str, Any]) -> None:
    game = compiled_game(name)
    assert game.presenter.parts(game.parse_play(game.parse_position(position), text)) == parts


# -- what is in them -----------------------------------------------------------------------


def scene_at(name: str, position: str, seat: int = 0) -> Scene:
    game = compiled_game(name)
    return game.presenter.scene(game.view(game.parse_position(position), seat))


def test_love_letter_fields() -> None:
    game = compiled_game("love-letter:players=3")
    text = "hand1=guard baron; hand2=priest; hand3=out; discards2=handmaid; discards3=king"
    view: Any = game.view(game.parse_position(f"{text}; protected=2; known=1>2"), 0)
    assert view.hand == ("guard", "baron")
    assert view.discards == ((), ("handmaid",), ("king",))
    assert (view.known, view.protected, view.out) == ({1: "priest"}, (1,), (2,))
    assert view.possible == {1: ("priest",)}
    assert (view.face_up, view.deck_size, view.aside, view.turn) == ((), 10, True, 0)
    other: Any = game.view(view.state, 2)
    assert other.known == {} and other.hand == ()


def test_tablic_fields() -> None:
    game = compiled_game("tablic:players=4")
    state = game.deal(3)
    view: Any = game.view(state, 1)
    assert len(view.hand) == 6 and len(view.table) == 4
    assert (view.partner, view.dealer, view.last_captor, view.deck_size) == (3, 3, None, 24)
    assert (view.points, view.tablas, view.captured) == ((0,) * 4, (0,) * 4, ((),) * 4)
    assert view.hand_sizes == (6, 6, 6, 6) and view.hand_of(0) == ()


def test_partners_dealer_and_captor() -> None:
    game = compiled_game("tablic:players=4")
    for table in tables("tablic:players=4", 1):
        scene = game.presenter.scene(table.view(0))
        assert [seat.partner for seat in scene.seats] == [False, False, True, False]
        assert [seat.dealer for seat in scene.seats].count(True) == 1
        last = table.state[0].last
        assert [seat.captured_last for seat in scene.seats] == [s == last for s in range(4)]
    assert scene.seats[0].total == scene.seats[2].total is not None
    assert any(seat.won for seat in scene.seats)
    assert scene.notes[0].label == "Final count"


def test_a_match() -> None:
    game = compiled_game("love-letter")
    view = game.view(game.deal(1), 0)
    scene = game.presenter.scene(view, MatchScene(7, (2, 1), 4))
    assert scene.to_json()["match"] == {"target": 7, "score": [2, 1], "number": 4}
    assert game.presenter.scene(view).to_json()["match"] is None


def test_boards_are_grids() -> None:
    scene = scene_at("tic-tac-toe", "board=xo./.x./..o; turn=1")
    assert scene.board is not None
    assert scene.board.cells == (("x", "o", ""), ("", "x", ""), ("", "", "o"))
    assert scene.board.plays == ((None, None, "c1"), ("a2", None, "c2"), ("a3", "b3", None))
    assert scene.board.columns == ("a", "b", "c") and scene.board.rows == ("1", "2", "3")
    won = scene_at("tic-tac-toe", "board=xoo/.x./..x")
    assert won.board is not None and won.board.line == ((0, 0), (1, 1), (2, 2))
    text = "board=......./......./......./o....../o....../oxxxx.."
    four = scene_at("connect-four", text)
    assert four.board is not None and four.board.falls
    assert four.board.line == ((5, 1), (5, 2), (5, 3), (5, 4)) and four.seats[0].won
    assert four.board.cells[3][0] == "o"


def test_squares_are_not_for_who_is_not_to_move() -> None:
    scene = scene_at("connect-four", "turn=1", seat=1)
    assert scene.board is not None and scene.plays == ()
    assert set(sum(scene.board.plays, ())) == {None}


def test_html_is_a_piece_that_stands_alone() -> None:
    for spec in SPECS:
        game = compiled_game(spec)
        html = game.presenter.html(game.view(game.deal(1), 0))
        assert html.startswith("<div") and html.rstrip().endswith("</div>")
        assert "<script" not in html and "http" not in html and "</style" not in html
    tablic = compiled_game("tablic")
    view: Any = tablic.view(tablic.deal(1), 0)
    html = tablic.presenter.html(view)
    assert all(f'title="{card}"' in html for card in (*view.hand, *view.table))
    assert html.count('title="face down"') == 6


# -- as they were --------------------------------------------------------------------------


def scenes_text(name: str) -> str:
    """Some views of a random game: as text, and the last one of them as data."""
    lines = [f"# {name}: what seat 1 sees. Made by: python -m tests.games.write_data"]
    data: Any = None
    for i, table in enumerate(tables(name, 1)):
        if i % 7 == 3 or table.is_over:
            view = table.view(0)
            scene = table.game.presenter.scene(view)
            lines += ["", f"after {i} turns", table.game.presenter.text(view)]
            data = data if table.is_over and data else scene.to_json()
    return "\n".join([*lines, "", json.dumps(data, indent=1, ensure_ascii=False), ""])


SCENES = [*games(), "love-letter:players=4", "tablic:players=4"]


def scene_file(name: str) -> Path:
    return DATA / f"{name.replace(':players=', '-')}.txt"


@pytest.mark.parametrize("name", SCENES)
def test_scenes_are_as_they_were(name: str) -> None:
    file = scene_file(name)
    assert file.exists(), "make it with: python -m tests.games.write_data"
    assert scenes_text(name) == file.read_text(encoding="utf-8")
