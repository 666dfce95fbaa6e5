"""Love Letter, rules 9.1 to 9.4: what a player sees and knows.

What is possible is read off the worlds that `redeal` brings about. Most positions leave few
cards unseen (`rest` puts the others into discards), so that few worlds show them all.
"""

from __future__ import annotations

import pytest

from tests.games.love_letter.table import table

# -- 9.1 what everybody sees ---------------------------------------------------------------


@pytest.mark.parametrize("viewer", [1, 2, 3, 4])
def test_rule_9_1_everybody_sees_the_table(viewer: int) -> None:
    out = "hand3=out; discards3=king"
    before = table(f"hand1=handmaid baron; hand2=priest; {out}; hand4=guard", 4)
    seen = before.play("handmaid").seen_by(viewer)
    assert seen["discards1"] == "handmaid"
    assert (seen["hand3"], seen["discards3"]) == ("out", "king")
    assert seen["protected"] == "1"
    assert seen["turn"] == "2"
    assert seen.left == before.left - 1


@pytest.mark.parametrize("viewer", [1, 2])
def test_rule_9_1_everybody_sees_the_face_up_cards(viewer: int) -> None:
    before = table("face_up=guard king prince; hand1=handmaid baron; hand2=priest")
    assert before.seen_by(viewer)["face_up"] == "guard prince king"


def test_rule_9_1_one_sees_ones_own_cards() -> None:
    before = table("hand1=handmaid baron; hand2=priest")
    assert before.seen_by(1)["hand1"] == "handmaid baron"
    assert before.seen_by(2)["hand2"] == "priest"


@pytest.mark.parametrize("hidden", ["hand1", "deck", "aside"])
def test_rule_9_1_nobody_sees_the_rest(hidden: str) -> None:
    assert table("hand1=handmaid baron; hand2=priest").seen_by(2)[hidden] is None


def test_rule_9_1_the_card_drawn_beside_a_known_one_is_hidden() -> None:
    after = table("hand1=priest baron; hand2=king; deck=guard").play("priest>2")
    assert after["hand2"] == "king guard"
    assert after.seen_by(1)["hand2"] == "king"


@pytest.mark.parametrize(
    "other",
    [
        "hand1=guard baron; hand2=king; aside=priest; deck=guard prince",
        "hand1=guard baron; hand2=priest; aside=king; deck=guard prince",
        "hand1=guard baron; hand2=priest; aside=prince; deck=guard king",
        "hand1=guard baron; hand2=priest; aside=prince; deck=king guard",
    ],
)
def test_rule_9_1_what_is_hidden_makes_no_difference(other: str) -> None:
    one = table("hand1=guard baron; hand2=prince; aside=king; deck=guard priest")
    assert one.seen_by(1).state.tobytes() == table(other).seen_by(1).state.tobytes()


@pytest.mark.parametrize(
    ("position", "play", "text"),
    [
        ("hand1=guard baron; hand2=king", "guard>2=king", "naming King: right, seat 2 is out"),
        ("hand1=guard baron; hand2=king", "guard>2=prince", "on seat 2, naming Prince: wrong"),
        ("hand1=baron guard; hand2=king", "baron>2", "seat 1 is out with the Guard"),
        ("hand1=baron countess; hand2=king", "baron>2", "seat 2 is out with the King"),
        ("hand1=baron prince; hand2=prince", "baron>2", "equal cards, nothing happens"),
        ("hand1=prince guard; hand2=king", "prince>2", "seat 2 discards the King and draws"),
        ("hand1=prince guard; hand2=king", "prince>1", "himself: seat 1 discards the Guard"),
        ("hand1=prince guard; hand2=princess", "prince>2", "the Princess and is out"),
        ("hand1=king guard; hand2=baron", "king>2", "they trade hands"),
    ],
)
def test_rule_9_1_everybody_hears_what_came_of_a_play(position: str, play: str, text: str) -> None:
    assert text in table(position).narrated(play)


def test_rule_9_1_a_showdown_shows_the_hands() -> None:
    text = "face_up=guard king countess; deck=none; hand1=guard prince; hand2=baron"
    before = table(text, rest="discards1")
    seen = before.play("guard>2=priest").seen_by(1)
    assert seen["hand2"] == "baron"
    assert seen["aside"] is None


def test_rule_9_1_the_last_one_in_does_not_show_his_hand() -> None:
    after = table("hand1=guard baron; hand2=king").play("guard>2=king")
    assert after.seen_by(2)["hand1"] is None


# -- 9.2 what is shown ---------------------------------------------------------------------


def test_rule_9_2_priest() -> None:
    after = table("hand1=priest baron; hand2=king; hand3=guard", 3).play("priest>2")
    assert after.knows(1, 2)
    assert not after.knows(2, 1)
    assert not after.knows(3, 2)
    assert after.seen_by(1)["hand2"] == "king"
    assert after.seen_by(1)["hand3"] is None


def test_rule_9_2_priest_who_was_seen_knows_it() -> None:
    after = table("hand1=priest baron; hand2=king").play("priest>2")
    assert after.seen_by(2)["known"] == "1>2"


def test_rule_9_2_priest_a_third_player_learns_nothing() -> None:
    king = table("hand1=priest baron; hand2=king; hand3=guard; aside=prince", 3)
    prince = table("hand1=priest baron; hand2=prince; hand3=guard; aside=king", 3)
    seen = king.play("priest>2").seen_by(3)
    assert seen.state.tobytes() == prince.play("priest>2").seen_by(3).state.tobytes()


def test_rule_9_2_baron_equal_cards() -> None:
    after = table("hand1=baron prince; hand2=prince; hand3=guard", 3).play("baron>2")
    assert after.knows(1, 2)
    assert after.knows(2, 1)
    assert after.seen_by(1)["hand2"] == "prince"
    assert after.seen_by(2)["hand1"] == "prince"
    assert after.seen_by(3)["hand1"] is None


def test_rule_9_2_king() -> None:
    after = table("hand1=king guard; hand2=baron; hand3=guard", 3).play("king>2")
    assert after.knows(1, 2)
    assert after.knows(2, 1)
    assert after.seen_by(1)["hand2"] == "guard"
    assert after.seen_by(2)["hand1"] == "baron"
    assert after.seen_by(3)["hand1"] is None


def test_rule_9_2_after_a_king_the_old_card_is_gone() -> None:
    after = table("hand1=king guard; hand2=baron; known=1>2", 2).play("king>2")
    assert after.possible(1, 2, n=3) == {"guard"}
    assert after.possible(2, 1, n=3) == {"baron"}


# -- 9.3 what is known moves with the card -------------------------------------------------

TRADE = "hand1=baron; hand2=prince; hand3=priest guard; aside=princess; deck=king guard countess"
"""Seat 3 looks at a hand before seat 1 trades his baron for the prince of seat 2."""


def test_rule_9_3_known_to_a_third_player() -> None:
    after = table(f"{TRADE}; turn=3", 3, rest="discards3").play("priest>1", "king>2")
    assert after.knows(3, 2)
    assert not after.knows(3, 1)
    assert after.seen_by(3)["hand2"] == "baron"
    assert after.seen_by(3)["hand1"] is None
    assert after.possible(3, 2) == {"baron"}
    assert after.possible(3, 1) == {"prince", "guard", "countess", "princess"}


def test_rule_9_3_known_of_the_other_hand() -> None:
    after = table(f"{TRADE}; turn=3", 3, rest="discards3").play("priest>2", "king>2")
    assert after.knows(3, 1)
    assert not after.knows(3, 2)
    assert after.seen_by(3)["hand1"] == "prince"
    assert after.seen_by(3)["hand2"] is None


def test_rule_9_3_known_of_both_hands() -> None:
    after = table("hand1=baron king; hand2=prince; hand3=guard; known=3>1 3>2", 3).play("king>2")
    assert after.seen_by(3)["hand1"] == "prince"
    assert after.seen_by(3)["hand2"] == "baron"


def test_rule_9_3_whoever_knows_neither_learns_nothing() -> None:
    one = table("hand1=baron king; hand2=prince; hand3=guard", 3).play("king>2")
    other = table("hand1=prince king; hand2=baron; hand3=guard", 3).play("king>2")
    assert not one.knows(3, 1)
    assert one.seen_by(3).state.tobytes() == other.seen_by(3).state.tobytes()


def test_rule_9_3_what_the_two_know_of_a_third_stays() -> None:
    text = "hand1=king guard; hand2=baron; hand3=prince; known=1>3 2>3 3>2"
    after = table(text, 3).play("king>2")
    assert after.knows(1, 3)
    assert after.knows(2, 3)
    assert after.knows(3, 1)
    assert not after.knows(3, 2)


def test_rule_9_3_after_a_priest_the_king() -> None:
    before = table("hand1=priest guard; hand2=baron; deck=countess king prince")
    after = before.play("priest>2", "countess", "king>2")
    assert after.knows(1, 2)
    assert after.seen_by(1)["hand2"] == "guard"


@pytest.mark.parametrize("viewer", [3, 4])
def test_rule_9_3_what_a_wrong_guess_showed_moves_too(viewer: int) -> None:
    text = "hand1=baron; hand2=prince; hand3=guard; hand4=handmaid guard; known=3>4 4>3"
    before = table(f"{text}; aside=princess; deck=king priest priest; turn=4", 4, rest="discards3")
    after = before.play("guard>2=priest", "king>2")
    assert after.possible(viewer, 1) == {"baron", "prince", "princess"}
    assert after.possible(viewer, 2) == {"baron", "prince", "princess", "priest"}


# -- 9.4 how long it is known --------------------------------------------------------------


def test_rule_9_4_known_while_other_cards_are_played() -> None:
    before = table("hand1=priest countess; hand2=baron; deck=handmaid")
    after = before.play("priest>2", "handmaid")
    assert after.knows(1, 2)
    assert after.possible(1, 2, n=3) == {"baron"}


def test_rule_9_4_unknown_when_it_was_played() -> None:
    text = "hand1=priest handmaid; hand2=countess; aside=princess; deck=king guard baron"
    after = table(text, rest="discards1").play("priest>2", "countess")
    assert not after.knows(1, 2)
    assert after.possible(1, 2) == {"king", "baron", "princess"}


def test_rule_9_4_unknown_when_a_card_of_that_name_was_drawn_and_played() -> None:
    text = "hand1=handmaid countess; hand2=guard; known=1>2; aside=princess; deck=guard king baron"
    after = table(text, rest="discards1").play("countess", "guard>1=king")
    assert after.held_by(2) == "guard"
    assert not after.knows(1, 2)
    assert after.possible(1, 2) == {"guard", "baron", "princess"}


def test_rule_9_4_unknown_after_a_prince() -> None:
    text = "hand1=prince guard; hand2=baron; known=1>2; aside=princess; deck=king handmaid"
    after = table(text, rest="discards1").play("prince>2")
    assert not after.knows(1, 2)
    assert after.possible(1, 2) == {"king", "handmaid", "princess"}


def test_rule_9_4_unknown_after_a_prince_on_oneself() -> None:
    text = "hand1=prince guard; hand2=baron; known=2>1; aside=princess; deck=king handmaid guard"
    after = table(text, rest="discards1").play("prince>1")
    assert not after.knows(2, 1)
    assert after.possible(2, 1) == {"king", "guard", "princess"}


def test_rule_9_4_a_third_player_does_not_see_whether_it_is_still_known() -> None:
    played = table("hand1=priest king; hand2=guard; hand3=prince; deck=baron", 3)
    before = table("hand1=priest king; hand2=baron; hand3=prince; deck=guard", 3)
    one = played.play("priest>2", "guard>3=king")
    other = before.play("priest>2", "guard>3=king")
    assert (one.knows(1, 2), other.knows(1, 2)) == (False, True)
    assert one.seen_by(3).state.tobytes() == other.seen_by(3).state.tobytes()


def test_rule_9_4_nor_by_trading_for_it() -> None:
    # Seat 3 gets the guard of seat 2 in both. Seat 1 has seen either the guard or the king.
    held = table("hand1=priest baron; hand2=guard; hand3=prince; deck=king", 3)
    drawn = table("hand1=priest baron; hand2=king; hand3=prince; deck=guard", 3)
    one = held.play("priest>2", "king>3")
    other = drawn.play("priest>2", "king>3")
    assert (one.knows(1, 3), other.knows(1, 3)) == (True, False)
    assert one.seen_by(3).state.tobytes() == other.seen_by(3).state.tobytes()


def test_rule_9_4_nothing_is_known_of_or_by_who_is_out() -> None:
    text = "hand1=guard baron; hand2=king; hand3=prince; known=1>2 2>1 2>3"
    after = table(text, 3).play("guard>2=king")
    assert after["known"] is None
