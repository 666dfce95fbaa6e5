"""Plays as people type them, and the rules that they ask for."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.core.errors import BadText, IllegalPlay, Unclear
from kibitz.core.registry import games, make_game
from kibitz.jit.rng import below, stream
from kibitz.table.table import Table

TABLIC = "table=2s 5s 7d 9d 2c; hand1=Ad 3d 4s 7s 9c Qh; hand2=Ks Kh Kd Kc 10d 8d; deck=none"
GUARD = "face_up=king prince handmaid; hand1=guard baron"
THREE = "hand1=guard baron"
THREE_LEFT = "hand1=guard prince; hand3=out; discards3=king"

SAID = [
    ("tablic", TABLIC, "7s takes 2s 5s", "7s x 5s 2s"),
    ("tablic", TABLIC, "9cx2s7d", "9c x 7d 2s"),
    ("tablic", TABLIC, "9CX7D2S", "9c x 7d 2s"),
    ("tablic", TABLIC, "9c 2♠ 7♦", "9c x 7d 2s"),
    ("tablic", TABLIC, "9 x 2c 7", "9c x 7d 2c"),
    ("tablic", TABLIC, "take 2s and 7d with 9c", "9c x 7d 2s"),
    ("tablic", TABLIC, "lay 9c", "9c"),
    ("tablic", TABLIC, "3", "3d"),
    ("tablic", TABLIC, "Qh captures 9d, 2s, 2c", "Qh x 9d 2s 2c"),
    ("love-letter", GUARD, "guard priest", "guard>2=priest"),
    ("love-letter", GUARD, "Guard on seat 2, naming Priest", "guard>2=priest"),
    ("love-letter", GUARD, "guard 2 king", "guard>2=king"),
    ("love-letter", GUARD, "baron", "baron>2"),
    ("love-letter:players=3", THREE, "guard 3 priest", "guard>3=priest"),
    ("love-letter:players=3", THREE_LEFT, "guard priest", "guard>2=priest"),
    ("love-letter:players=3", THREE_LEFT, "prince on myself", "prince>1"),
]
REFUSED = [
    ("tablic", TABLIC, "7", Unclear, "7 may be 7s, or 7s x 7d"),
    ("tablic", TABLIC, "9 x 2 7", Unclear, "9c x 7d 2s, or 9c x 7d 2c"),
    ("tablic", TABLIC, "K", BadText, "not possible"),
    ("tablic", TABLIC, "Ks", IllegalPlay, "does not hold Ks (rule 3.1)"),
    ("tablic", TABLIC, "9c takes 5s", IllegalPlay, "groups of 9 each (rule 3.2)"),
    ("tablic", TABLIC, "nine takes two", BadText, "not a card"),
    ("love-letter", GUARD, "guard guard", IllegalPlay, "can't name the guard (rule 4.1)"),
    ("love-letter", GUARD, "guard", IllegalPlay, "(rule 4.1)"),
    ("love-letter", GUARD, "guard priest king", BadText, "not a play"),
    ("love-letter:players=3", THREE, "guard priest", IllegalPlay, "must name a player (rule 5.5)"),
    ("love-letter:players=3", THREE, "guard 3", IllegalPlay, "must name a card"),
]


@pytest.mark.parametrize(("spec", "position", "text", "play"), SAID, ids=[s[2] for s in SAID])
def test_said(spec: str, position: str, text: str, play: str) -> None:
    game = make_game(spec)
    assert str(game.presenter.typed(game.parse_position(position), text)) == play


@pytest.mark.parametrize(
    ("spec", "position", "text", "error", "reason"),
    REFUSED,
    ids=[f"{r[0]} {r[2]}" for r in REFUSED],
)
def test_not_clear_or_not_allowed(
    spec: str, position: str, text: str, error: type[Exception], reason: str
) -> None:
    game = make_game(spec)
    with pytest.raises(error) as caught:
        game.presenter.typed(game.parse_position(position), text)
    assert reason in str(caught.value)


def spoken(game: Any, view: Any, play: Any) -> str:
    """A choice as the list has it, without what it brings."""
    described: str = game.presenter.describe(view, play)
    return described


@pytest.mark.parametrize(
    "spec", [f"{name}:players={n}" for name in ("love-letter", "tablic") for n in (2, 3, 4)]
)
def test_every_play_can_be_typed_as_it_is_listed_or_written(spec: str) -> None:
    game = make_game(spec)
    rng = stream(3)
    for seed in range(6):
        table = Table(game, seed)
        while not table.is_over:
            view = table.view(table.mover)
            plays = view.plays()
            for play in plays:
                for text in (str(play), str(play).upper(), spoken(game, view, play)):
                    assert game.presenter.typed(table.state, text) == play, text
            for form in game.presenter.forms(view):
                assert game.presenter.typed(table.state, form) in plays, (
                    "the examples of ? are right"
                )
            table.play(plays[below(rng, len(plays))])


@pytest.mark.parametrize(
    ("name", "word", "tells"),
    [
        ("tablic", "ace", "1 or 11 on the table"),
        ("tablic", "tabla", "4.1 A capture that empties the table is a tabla and scores 1."),
        ("tablic", "capture", "3.2 It may capture table cards"),
        ("tablic", "Bonus", "6.3 cards_bonus=always"),
        ("tablic", "3.6", "3.6 forced_capture=true"),
        ("tablic", "partners", "seats 1 and 3 against 2 and 4"),
        ("love-letter", "guard", "Name a player and a card other than Guard"),
        ("love-letter", "tie", "7.4 Still equal"),
    ],
)
def test_rules_on_a_word(name: str, word: str, tells: str) -> None:
    text = make_game(name).presenter.help_on(word)
    assert text is not None and tells in text


@pytest.mark.parametrize("name", games())
def test_every_topic_has_an_answer(name: str) -> None:
    game = make_game(name)
    assert all(game.presenter.help_on(topic) for topic in game.presenter.topics)
    assert game.presenter.help_on("whist") is None


@pytest.mark.parametrize("name", games())
def test_every_game_tells_its_rules(name: str) -> None:
    rules = make_game(name).presenter.rules()
    assert rules and all(text and "`" not in text and "**" not in text for _, _, text in rules)
    if name in ("love-letter", "tablic"):
        numbers = [number for number, _, _ in rules]
        assert numbers[0] == "1.1" and len(set(numbers)) == len(numbers) > 20
        assert all(about for _, about, _ in rules)
