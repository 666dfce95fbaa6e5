"""Love Letter: what is refused, a play with the number of the rule it breaks."""

from __future__ import annotations

import pytest

from kibitz.core.errors import BadText, IllegalPlay
from kibitz.games.love_letter.game import LoveLetter
from tests.games.love_letter.table import table

GUARD_PRINCE = "hand1=guard prince; hand2=king"
KING_BARON = "hand1=king baron; hand2=priest"
PRIEST_BARON = "hand1=priest baron; hand2=guard"
THREE = "hand1=guard prince; hand2=out; discards2=king; hand3=priest; discards3=handmaid"
NOBODY = f"{THREE}; protected=3"
"""Seat 2 is out and seat 3 protected."""


@pytest.mark.parametrize(
    ("position", "play"),
    [
        (GUARD_PRINCE, "priest>2"),
        (GUARD_PRINCE, "king>2"),
        (KING_BARON, "handmaid"),
    ],
)
def test_rule_3_5_refused(position: str, play: str) -> None:
    assert table(position).refusal(play) == "3.5"


@pytest.mark.parametrize("play", ["guard>2=guard", "guard>2", "prince>2=king"])
def test_rule_4_1_refused(play: str) -> None:
    assert table(GUARD_PRINCE).refusal(play) == "4.1"


@pytest.mark.parametrize(
    ("position", "play"),
    [
        ("hand1=countess prince; hand2=guard", "prince>2"),
        ("hand1=prince countess; hand2=guard", "prince>1"),
        ("hand1=king countess; hand2=guard", "king>2"),
    ],
)
def test_rule_4_7_refused(position: str, play: str) -> None:
    assert table(position).refusal(play) == "4.7"


@pytest.mark.parametrize(
    ("position", "play"),
    [
        (GUARD_PRINCE, "guard>1=priest"),
        (KING_BARON, "king>1"),
        (KING_BARON, "baron>1"),
        (PRIEST_BARON, "priest>1"),
        ("hand1=handmaid baron; hand2=guard", "handmaid>2"),
        ("hand1=countess baron; hand2=guard", "countess>2"),
        ("hand1=princess baron; hand2=guard", "princess>1"),
    ],
)
def test_rule_5_1_refused(position: str, play: str) -> None:
    assert table(position).refusal(play) == "5.1"


@pytest.mark.parametrize("position", [THREE, NOBODY])
def test_rule_5_2_refused(position: str) -> None:
    assert table(position, 3).refusal("prince") == "5.2"


@pytest.mark.parametrize(
    ("position", "play"),
    [
        (THREE, "guard>2=king"),
        (THREE, "prince>2"),
        (NOBODY, "guard>3=priest"),
        (NOBODY, "prince>3"),
        (NOBODY, "guard>4=king"),
        (NOBODY, "guard>0=king"),
    ],
    ids=["out", "out (prince)", "protected", "protected (prince)", "no seat 4", "no seat 0"],
)
def test_rule_5_3_refused(position: str, play: str) -> None:
    assert table(position, 3).refusal(play) == "5.3"


def test_rule_5_4_refused() -> None:
    assert table(NOBODY, 3).refusal("guard=priest") == "5.4"


@pytest.mark.parametrize(
    ("position", "play"),
    [
        (GUARD_PRINCE, "guard"),
        (KING_BARON, "king"),
        (KING_BARON, "baron"),
        (PRIEST_BARON, "priest"),
    ],
)
def test_rule_5_5_refused(position: str, play: str) -> None:
    assert table(position).refusal(play) == "5.5"


def test_rule_7_1_refused() -> None:
    over = table("hand1=guard baron; hand2=king").play("guard>2=king")
    assert over.plays == []
    assert over.refusal("baron>2") == "7.1"


def test_a_refusal_says_why() -> None:
    game = LoveLetter()
    state = table("hand1=king countess; hand2=priest").state
    with pytest.raises(IllegalPlay, match=r"the countess must be played, not the king \(rule 4.7"):
        game.parse_play(state, "king>2")


@pytest.mark.parametrize("text", ["", "bishop>2", "guard>2=bishop", "guard>two", "guard priest"])
def test_what_is_no_play(text: str) -> None:
    with pytest.raises(BadText):
        LoveLetter().parse_play(table(GUARD_PRINCE).state, text)


UP = "face_up=guard guard guard"


@pytest.mark.parametrize(
    ("position", "why"),
    [
        (f"{UP}; hand1=king king; hand2=guard", "only 1 × king"),
        (f"{UP}; hand1=guard king priest; hand2=guard", "hand1 must be two cards"),
        (f"{UP}; hand1=guard king; hand2=guard baron", "hand2 must be one card"),
        (f"{UP}; hand1=guard king; hand2=guard; deck=baron", "leave 9 for the deck, not 1"),
        ("face_up=guard; hand1=guard king; hand2=guard", "face_up must name the three"),
        ("hand1=guard king; hand2=guard", "face_up must name the three"),
        (f"{UP}; hand1=guard bishop; hand2=guard", "no card 'bishop'"),
        (f"{UP}; aside=king baron; hand1=guard king; hand2=guard", "aside is one card"),
        (f"{UP}; hand1=guard king; hand2=out; discards2=guard", "turn=over"),
        (f"{UP}; hand1=guard; hand2=guard; turn=over", "one player is left or the deck is empty"),
        (f"{UP}; hand1=out; hand2=guard king; turn=2", "its hand lies in discards1|turn=over"),
        (f"{UP}; hand1=out; discards1=king; hand2=guard; turn=1", "can't be its turn"),
        (f"{UP}; hand1=guard king; hand2=guard; discards2=princess", "so it is out"),
        (f"{UP}; hand1=guard king; hand2=guard; protected=2", "without having played a handmaid"),
        (f"{UP}; hand1=guard king; discards1=handmaid; protected=1", "its protection has ended"),
        (f"{UP}; hand1=guard king; hand2=guard; aside=taken", "only when the deck is empty"),
        (f"{UP}; hand1=guard king; hand2=guard; known=1>1", "two different seats"),
        (f"{UP}; hand1=guard king; hand2=guard; known=2", "known is written 1>2"),
        (f"{UP}; hand1=guard king; hand2=guard; not2=guard", "contradict each other"),
        (f"{UP}; hand1=guard king; hand2=guard; turn=3", "turn=3 is not possible"),
        (f"{UP}; hand1=guard king; hand3=guard", "has no 'hand3'"),
        (f"{UP}; hand1=guard king; hand1=guard", "given twice"),
        (f"{UP}; hand1", "key=value"),
        ("guard king", "a deck is all 16 cards"),
    ],
)
def test_impossible_positions(position: str, why: str) -> None:
    with pytest.raises(BadText, match=why):
        LoveLetter().parse_position(position)


@pytest.mark.parametrize(
    ("position", "why"),
    [
        (f"{UP}; hand1=king baron", "for two players only"),
        ("hand1=king baron; hand2=guard; not2=king", "for two players only"),
        ("hand1=king baron; hand2=out; hand3=guard", "its hand lies in discards2"),
        ("hand1=king baron; hand2=out; discards2=guard; known=1>2", "still in"),
    ],
)
def test_impossible_positions_of_three_players(position: str, why: str) -> None:
    with pytest.raises(BadText, match=why):
        LoveLetter(players=3).parse_position(position)


def test_the_thesis_has_no_fifth_guard() -> None:
    with pytest.raises(BadText, match="only 4 × guard"):
        LoveLetter(deck="thesis").parse_position(f"{UP}; hand1=guard king; hand2=guard")


@pytest.mark.parametrize(
    ("position", "missing"),
    [
        (f"{UP}; hand1=guard king", "hand2, aside, deck"),
        (f"{UP}; aside=baron; hand1=guard; hand2=priest", "the drawn card, deck"),
    ],
)
def test_no_play_from_half_a_position(position: str, missing: str) -> None:
    game = LoveLetter()
    state = game.parse_position(position)
    with pytest.raises(BadText, match=f"missing: {missing}"):
        game.apply(state, game.parse_play(state, "guard>2=king"))
