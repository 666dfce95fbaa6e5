"""Love Letter, rules 9.5 to 9.9: what a player can rule out, and the worlds that remain.

What is possible is read off the worlds that `redeal` brings about. Most positions leave few
cards unseen (`rest` puts the others into discards), so that few worlds show them all.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.games.love_letter.table import Table, all_cards, table

# -- 9.5 wrong guesses ---------------------------------------------------------------------

GUESS = "hand1=guard baron; hand2=king; aside=princess"
"""Seat 1 takes the king for a priest. No priest has been seen."""


def test_rule_9_5_a_wrong_guess() -> None:
    before = table(f"{GUESS}; deck=priest countess priest", rest="discards1")
    assert before.play("guard>2=priest").possible(1, 2) == {"king", "countess", "princess"}


def test_rule_9_5_several_wrong_guesses() -> None:
    before = table(f"{GUESS}; deck=priest countess priest; not2=princess", rest="discards1")
    assert before.play("guard>2=priest").possible(1, 2) == {"king", "countess"}


def test_rule_9_5_still_holds_if_he_plays_the_named_card() -> None:
    before = table(f"{GUESS}; deck=priest countess priest", rest="discards1")
    after = before.play("guard>2=priest", "priest>1")
    assert after.possible(1, 2) == {"king", "princess"}


def test_rule_9_5_no_longer_if_he_plays_any_other_card() -> None:
    before = table(f"{GUESS}; deck=guard countess priest", rest="discards1")
    after = before.play("guard>2=priest", "guard>1=king")
    assert after.possible(1, 2) == {"king", "priest", "princess"}


FOUR = (
    "hand1=baron guard; hand2=king; hand3=guard; hand4=guard; aside=princess; "
    "known=1>3 1>4 3>1 3>4 4>1 4>3"
)
"""The same with four players, who know one another's hands but for that of seat 2."""


@pytest.mark.parametrize("viewer", [1, 3, 4])
def test_rule_9_5_everybody_learns_it(viewer: int) -> None:
    before = table(f"{FOUR}; deck=priest countess priest", 4, rest="discards1")
    after = before.play("guard>2=priest")
    assert after.possible(viewer, 2) == {"king", "countess", "princess"}


@pytest.mark.parametrize("viewer", [1, 3, 4])
def test_rule_9_5_still_holds_for_everybody(viewer: int) -> None:
    before = table(f"{FOUR}; deck=priest guard priest", 4, rest="discards1")
    after = before.play("guard>2=priest", "priest>3")
    assert after.possible(viewer, 2) - {"guard"} == {"king", "princess"}


@pytest.mark.parametrize("viewer", [1, 3, 4])
def test_rule_9_5_no_longer_for_everybody(viewer: int) -> None:
    before = table(f"{FOUR}; deck=guard baron priest", 4, rest="discards1")
    after = before.play("guard>2=priest", "guard>3=king")
    assert after.possible(viewer, 2) - {"baron"} == {"king", "priest", "princess"}


# -- 9.6 Prince and King -------------------------------------------------------------------


def test_rule_9_6_prince_not_beside_the_countess() -> None:
    text = "hand1=baron; hand2=prince king; aside=princess; deck=handmaid guard countess; turn=2"
    after = table(text, rest="discards1").play("prince>1")
    assert after.possible(1, 2) == {"king", "princess"}


def test_rule_9_6_king_not_beside_the_countess() -> None:
    # Seat 1 is protected: the king is played bare, so the card beside it stays.
    text = "hand1=baron; hand2=king prince; aside=princess; deck=guard countess; turn=2"
    before = table(f"{text}; discards1=handmaid; protected=1", rest="discards1")
    assert before.play("king").possible(1, 2) == {"prince", "princess"}


def test_rule_9_6_the_card_traded_is_not_the_countess() -> None:
    text = "hand1=king guard; hand2=baron; hand3=prince; aside=princess; deck=priest countess"
    after = table(text, 3, rest="discards3").play("king>2")
    assert after.possible(3, 2) == {"guard", "priest", "baron", "princess"}
    assert after.possible(3, 1) == {"guard", "priest", "baron", "countess", "princess"}


def test_rule_9_6_nothing_of_the_kind_beside_other_cards() -> None:
    text = "hand1=baron; hand2=handmaid king; aside=princess; deck=guard countess; turn=2"
    after = table(text, rest="discards1").play("handmaid")
    assert after.possible(1, 2) == {"king", "countess", "princess"}


# -- 9.7 who wins at a Baron ---------------------------------------------------------------


def test_rule_9_7_the_player_who_wins() -> None:
    text = "hand1=baron king; hand2=prince; hand3=guard; aside=princess; deck=guard countess prince"
    after = table(text, 3, rest="discards3").play("baron>2")
    assert after.possible(3, 1) == {"king", "countess", "princess"}


HIGHER = "hand1=baron prince; hand2=king; hand3=guard; aside=princess"


def test_rule_9_7_the_target_who_wins() -> None:
    before = table(f"{HIGHER}; deck=guard countess prince", 3, rest="discards3")
    assert before.play("baron>2").possible(3, 2) == {"king", "countess", "princess"}


def test_rule_9_7_still_holds_if_he_plays_a_lower_card() -> None:
    before = table(f"{HIGHER}; deck=guard countess prince", 3, rest="discards3")
    after = before.play("baron>2", "guard>3=priest")
    assert after.possible(3, 2) == {"king", "princess"}


def test_rule_9_7_no_longer_if_he_plays_a_higher_card() -> None:
    before = table(f"{HIGHER}; deck=countess guard prince", 3, rest="discards3")
    after = before.play("baron>2", "countess")
    assert after.possible(3, 2) == {"king", "prince", "princess"}


# -- 9.8 equal cards at a Baron ------------------------------------------------------------

EQUAL = "hand1=baron prince; hand2=prince; hand3=guard; aside=princess"


def test_rule_9_8_the_others_know_that_they_are_equal() -> None:
    before = table(f"{EQUAL}; deck=priest priest guard guard", 3, rest="discards3")
    after = before.play("baron>2")
    assert after.possible(3, 1, 2) == {"guard guard", "priest priest", "prince prince"}


@pytest.mark.parametrize("viewer", [3, 4])
def test_rule_9_8_with_four_players(viewer: int) -> None:
    text = EQUAL.replace("hand3=guard", "hand3=guard; hand4=guard; known=3>4 4>3")
    before = table(f"{text}; deck=priest priest king", 4, rest="discards3")
    after = before.play("baron>2")
    assert after.possible(viewer, 1, 2) == {"priest priest", "prince prince"}


def test_rule_9_8_after_one_of_the_two_plays() -> None:
    # Either he drew the priest, and they are still equal, or he held it, as the other does.
    before = table(f"{EQUAL}; deck=priest guard priest guard guard", 3, rest="discards3")
    after = before.play("baron>2", "priest>3")
    still_equal = {"guard guard", "prince prince"}
    one_played = {"priest guard", "priest prince", "priest princess"}
    assert after.possible(3, 1, 2, n=90) == still_equal | one_played


def test_rule_9_8_a_card_that_both_can_not_hold_was_drawn() -> None:
    before = table(f"{EQUAL}; deck=countess guard priest priest", 3, rest="discards3")
    after = before.play("baron>2", "countess")
    assert after.possible(3, 1, 2) == {"priest priest", "prince prince"}


def test_rule_9_8_one_card_laid_open_tells_the_other() -> None:
    text = "hand1=baron priest; hand2=priest; hand3=prince; aside=princess"
    before = table(f"{text}; deck=countess guard guard guard", 3, rest="discards3")
    after = before.play("baron>2", "countess", "prince>1")
    assert after.possible(3, 2) == {"priest"}


def test_rule_9_8_one_card_traded_tells_the_other() -> None:
    text = "hand1=guard; hand2=baron priest; hand3=priest; aside=princess; turn=2"
    before = table(f"{text}; deck=handmaid king guard guard", 3, rest="discards3")
    after = before.play("baron>3", "handmaid", "king>2")
    assert after.held_by(1, 2) == "priest guard"
    assert after.possible(1, 3) == {"priest"}


# -- 9.9 worlds ----------------------------------------------------------------------------

HANDS = "hand1=guard priest; hand2=king; hand3=prince; hand4=countess"


def before_a_priest(players: int) -> Table:
    return table("; ".join(HANDS.split("; ")[:players]), players)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rule_9_9_a_world_has_all_cards(players: int) -> None:
    before = before_a_priest(players)
    for world in before.worlds(viewer=2, n=5):
        assert world.cards == all_cards(world.game)
        assert world.left == before.left


def test_rule_9_9_a_world_has_fifteen_cards_in_the_thesis() -> None:
    before = table("hand1=guard baron; hand2=king", deck="thesis")
    assert before.worlds(1, 1)[0].cards == all_cards(before.game)


@pytest.mark.parametrize(("players", "viewer"), [(2, 1), (2, 2), (3, 1), (3, 3), (4, 2)])
def test_rule_9_9_a_world_looks_the_same(players: int, viewer: int) -> None:
    after = before_a_priest(players).play("priest>2")
    for world in after.worlds(viewer, 4):
        assert world.seen_by(viewer).state.tobytes() == after.seen_by(viewer).state.tobytes()


def test_rule_9_9_a_world_fits_what_was_shown() -> None:
    before = table(f"{GUESS}; deck=priest countess priest", rest="discards1")
    after = before.play("guard>2=priest")
    assert "priest" not in after.possible(1, 2)


def test_rule_9_9_the_card_aside_may_be_gone() -> None:
    text = "face_up=guard guard princess; aside=king; deck=none; hand1=prince guard; hand2=baron"
    after = table(text, rest="discards1").play("prince>2")
    assert {world["aside"] for world in after.worlds(1, 3)} == {"taken"}


def test_rule_9_9_all_worlds_are_equally_likely() -> None:
    text = "face_up=guard guard guard; hand1=handmaid baron; hand2=princess; aside=guard"
    before = table(f"{text}; deck=guard", rest="discards1")
    worlds = before.worlds(1, 150)
    counts = Counter((world.held_by(2), world["aside"], world["deck"]) for world in worlds)
    assert set(counts) == {
        ("princess", "guard", "guard"),
        ("guard", "princess", "guard"),
        ("guard", "guard", "princess"),
    }
    assert 35 <= min(counts.values()) <= max(counts.values()) <= 65


def test_rule_9_9_the_deck_in_any_order() -> None:
    text = "hand1=handmaid baron; hand2=guard; known=1>2; aside=priest; deck=king princess"
    worlds = table(text, rest="discards1").worlds(1, 40)
    assert {f"{world['aside']}, {world['deck']}" for world in worlds} == {
        "priest, king princess",
        "priest, princess king",
        "king, priest princess",
        "king, princess priest",
        "princess, priest king",
        "princess, king priest",
    }


def test_rule_9_9_copies_count_in_two_hands() -> None:
    # Three guards and the princess are unseen: half of the ways to hold two are without her.
    text = "hand1=handmaid baron; hand2=princess; hand3=guard; aside=guard; deck=guard"
    before = table(text, 3, rest="discards1")
    counts = Counter(world.held_by(2, 3) for world in before.worlds(1, 160))
    assert set(counts) == {"guard guard", "guard princess", "princess guard"}
    assert 62 <= counts["guard guard"] <= 98
    assert 25 <= counts["guard princess"] <= 55


def test_rule_9_9_the_drawn_card_of_another_is_any_unseen_one() -> None:
    text = "face_up=guard guard guard; hand1=guard; hand2=guard king; aside=princess; turn=2"
    before = table(text, rest="discards2")
    assert {world["hand2"] for world in before.worlds(1, 60)} == {
        "guard king",
        "king guard",
        "guard princess",
        "princess guard",
        "king princess",
        "princess king",
    }
