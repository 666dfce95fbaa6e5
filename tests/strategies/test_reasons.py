"""The reasons of a play: there always are some, they fit the chart, and they tell no secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from kibitz.core.explanation import Explanation
from kibitz.core.figures import percent
from kibitz.core.game import View
from kibitz.core.registry import make_game, make_strategy
from kibitz.games.love_letter.cards import GUARD, NAMES
from kibitz.games.tablic.cards import RANKS, cards_of
from kibitz.jit.rng import stream
from kibitz.strategies.common.reasons import why
from kibitz.table.table import Table
from tests.games.boards import few
from tests.strategies.tables import met_in_play

LOVE_LETTER = ["love-letter", "love-letter:players=3", "love-letter:players=4"]
TABLIC = ["tablic", "tablic:players=3", "tablic:players=4", "tablic:forced_capture=true"]
SEED = 631770774260435197
PLAYS = [
    "guard>2=priest", "handmaid", "priest", "guard>1=princess", "guard>2=priest", "countess",
    "priest>2",
]  # fmt: skip


def views(spec: str, number: int) -> Iterator[View[Any]]:
    for table in met_in_play(make_game(spec), few(number, 20)):
        yield table.view(table.mover)


def explanation_of(view: View[Any], name: str) -> Explanation:
    return make_strategy(name).sit(view.game, view.seat, stream(3)).explain(view)


@pytest.mark.parametrize("spec", [*LOVE_LETTER, *TABLIC])
def test_every_play_has_a_reason(spec: str) -> None:
    for view in views(spec, 70):
        for play in view.plays():
            assert why(view, play), f"{play} in {view.game.position(view.state)}"


@pytest.mark.parametrize("spec", [*LOVE_LETTER, *TABLIC])
def test_other_hidden_cards_give_the_same_reasons(spec: str) -> None:
    """The state that the view is taken from has its hidden cards dealt again."""
    game = make_game(spec)
    for table in met_in_play(game, few(60, 10)):
        view = table.view(table.mover)
        world = game.redeal(view, stream(5))
        again = replace(view, state=game.view(world, view.seat).state)
        for play in view.plays():
            assert why(again, play) == why(view, play)


@pytest.mark.parametrize("name", ["flat-mc:worlds=5", "greedy", "greedy:bluff=true"])
@pytest.mark.parametrize("spec", LOVE_LETTER)
def test_a_guess_is_as_likely_in_the_sentence_as_in_the_chart(spec: str, name: str) -> None:
    apart = 0
    for view in views(spec, 40):
        beliefs = explanation_of(view, name).beliefs
        charts = {belief.place: belief for belief in beliefs}
        for play in view.plays():
            seat = play.code >> 4 & 15
            place, guess = f"seat {seat}'s hand", NAMES[play.code >> 8]
            if play.code & 15 != GUARD or place not in charts or not guess:
                continue
            reasons = " ".join(why(view, play, beliefs))
            if f"Seat {seat} surely" in reasons or f"Seat {seat} can't" in reasons:
                fits = "leaves that out" in reasons
                fits = fits or percent(charts[place].cards.get(guess, 0.0)) in ("0%", "100%")
            else:
                fits = percent(charts[place].cards.get(guess, 0.0)) in reasons
                apart += "it is likelier" in reasons
                likeliest = max(p for card, p in charts[place].cards.items() if card != "guard")
                most = charts[place].cards.get(guess, 0.0) >= likeliest - 1e-9
                assert most == ("no card that a Guard may name is likelier" in reasons)
            assert fits, (reasons, charts[place])
    assert apart or name == "greedy"


@pytest.mark.parametrize("name", ["flat-mc", "pimc:worlds=20", "ismcts:simulations=200"])
@pytest.mark.parametrize(
    ("turn", "best", "says"),
    [
        (
            5,
            "guard>2=countess",
            "1 is a Countess (14%); by how seat 2 has played it is likelier, 77% (it was 42%"
            " before he played the Guard naming Princess), and no card",
        ),
        (8, "guard>1=baron", "1 is a Baron (25%); by how seat 1 has played it is likelier, 87%"),
    ],
)
def test_a_guess_follows_from_how_the_other_has_played(
    name: str, turn: int, best: str, says: str
) -> None:
    table = Table(make_game("love-letter"), SEED)
    for play in PLAYS[: turn - 1]:
        table.play(play)
    explanation = explanation_of(table.view(table.mover), name)
    assert str(explanation.best) == best
    assert says in " ".join(explanation.why)


@pytest.mark.parametrize("spec", LOVE_LETTER)
def test_every_chance_by_play_is_in_a_chart_that_says_so(spec: str) -> None:
    """With beliefs about how the others have played every play has its reasons; and what is said
    to follow from their play is no sentence where the chart is by counting."""
    apart = 0
    for view in views(spec, 60):
        beliefs = explanation_of(view, "flat-mc:worlds=5").beliefs
        by_play = any(belief.basis for belief in beliefs)
        for play in view.plays():
            reasons = " ".join(why(view, play, beliefs))
            assert reasons and (by_play or "played it is" not in reasons)
            apart += "played with" in reasons
    assert apart


@pytest.mark.parametrize(
    ("position", "play", "says"),
    [
        ("hand1=prince guard", "prince>1", "Your Guard goes, and by counting you draw a higher"),
        ("hand1=handmaid king", "handmaid", "The others may hold or draw 5 Guards and 2 Barons"),
        ("hand1=countess guard", "countess", "Nothing forces the Countess out"),
        ("hand1=king guard", "king>2", "seat 2's card is higher than your Guard with"),
        ("hand1=priest guard", "priest>2", "and keep a Guard to name it"),
        ("hand1=baron king; hand2=prince; known=1>2", "baron>2", "Your King is higher, so seat 2"),
        ("hand1=princess prince", "prince>1", "Your Princess goes, and you are out (rule 4.8)"),
    ],
)
def test_every_card_has_its_reason(position: str, play: str, says: str) -> None:
    game = make_game("love-letter")
    state = game.parse_position(f"face_up=priest prince handmaid; {position}")
    assert says in " ".join(why(game.view(state, 0), game.parse_play(state, play)))


@pytest.mark.parametrize(
    ("play", "says"),
    [
        ("4d", "4♦ is worth no points"),
        ("10h", "10♥ is worth 1 point to who takes it"),
        ("10h", "it could take something, and does not (rule 3.3)"),
        ("4d", "which would take 4♦: seat 2 holds one with"),
        ("6d", "6♦ is worth no points; you keep Q♠, which could take it later"),
    ],
)
def test_a_laid_card_is_explained_with_what_it_leaves(play: str, says: str) -> None:
    game = make_game("tablic")
    position = "table=3s 7c 10d Jd; hand1=Ah 4d 5d 6d 10h Qs"
    state = game.parse_position(position)
    assert says in " ".join(why(game.view(state, 0), game.parse_play(state, play)))


def test_the_cards_that_take_a_laid_card_are_those_that_the_rules_allow() -> None:
    """In worlds that the rules deal: the next player can take it with just the cards named."""
    named = re.compile(r"unseen cards (?:is|are) ([\w, ]+), which would take \S+: seat")
    checked = 0
    for view in views("tablic", 40):
        game = view.game
        for play in view.plays():
            match = named.search(" ".join(why(view, play)))
            if play.taken or match is None:
                continue
            ranks = set(re.split(", | or ", match[1]))
            after = game.after(game.redeal(view, stream(checked)), play)
            if after[0].dealt != view.state[0].dealt:
                continue
            hand = {RANKS[card // 4] for card in cards_of(int(after[0].hand[1 - view.seat]))}
            taking = {
                RANKS[reply.card // 4]
                for reply in game.plays(after)
                if any(card // 4 == play.card // 4 for card in cards_of(reply.taken))
            }
            assert taking == hand & ranks
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("name", ["pimc:worlds=5", "ismcts:simulations=100"])
def test_a_hand_of_tablic_is_as_likely_in_the_sentence_as_in_the_chart(name: str) -> None:
    """Where one rank alone would do it, the chart has just this number."""
    one_rank = re.compile(r"unseen cards (?:is|are) ([AJQK3-9]), which .*?: seat (\d) holds[^.]*\.")
    checked = apart = 0
    for view in views("tablic", 40):
        explanation = explanation_of(view, name)
        if not explanation.beliefs:  # one play only: there is no chart
            continue
        for play in view.plays():
            for sentence in why(view, play, explanation.beliefs):
                if match := one_rank.search(sentence):
                    place = f"seat {match[2]}'s hand"
                    (chart,) = [one for one in explanation.beliefs if one.place == place]
                    assert f"with {percent(chart.cards.get(match[1], 0.0))}" in sentence
                    checked += 1
                    apart += "has played" in sentence
    assert checked > 5 and apart
