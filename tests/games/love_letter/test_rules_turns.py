"""Love Letter, sections 3 to 5 of its rules: turns, what cards do, and whom they name."""

from __future__ import annotations

import pytest

from tests.games.love_letter.table import Table, table

NAMING_OTHERS = ["guard", "priest", "baron", "king"]


def seats_named(before: Table, card: str) -> set[str]:
    """The seats in the plays of a card; an empty text for a bare play."""
    plays = [play.partition("=")[0].partition(">") for play in before.plays]
    return {seat for name, _, seat in plays if name == card}


# -- 3. a turn -----------------------------------------------------------------------------


@pytest.mark.parametrize(("play", "other"), [("handmaid", "countess"), ("countess", "handmaid")])
def test_rule_3_1_plays_one_of_two_cards(play: str, other: str) -> None:
    after = table("hand1=handmaid countess; hand2=baron").play(play)
    assert after["hand1"] == other
    assert after["discards1"] == play


def test_rule_3_1_draws_the_top_card() -> None:
    after = table("hand1=handmaid countess; hand2=baron; deck=king prince").play("countess")
    assert after["hand2"] == "baron king", "the drawn card is last"
    assert str(after["deck"]).startswith("prince ")
    assert after.left == 8


def test_rule_3_1_discards_pile_up() -> None:
    after = table("hand1=handmaid countess; hand2=baron; discards1=guard").play("handmaid")
    assert after["discards1"] == "guard handmaid"


def test_rule_3_2_a_baron_may_hurt_its_player() -> None:
    after = table("hand1=baron guard; hand2=priest").play("baron>2")
    assert after["hand1"] == "out"
    assert after.winners == [2]


def test_rule_3_2_a_prince_may_hurt_its_player() -> None:
    after = table("hand1=prince princess; hand2=priest").play("prince>1")
    assert after["hand1"] == "out"
    assert after.winners == [2]


def test_rule_3_3_to_the_left() -> None:
    first = table("hand1=handmaid guard; hand2=guard; hand3=priest; deck=countess", 3)
    second = first.play("handmaid")
    third = second.play("countess")
    assert (second["turn"], third["turn"]) == ("2", "3")


def test_rule_3_3_after_the_last_seat_the_first() -> None:
    last = table("hand1=guard; hand2=king; hand3=priest handmaid; turn=3", 3)
    assert last.play("handmaid")["turn"] == "1"


def test_rule_3_3_over_players_who_are_out() -> None:
    out = "hand2=out; discards2=guard; hand3=out; discards3=guard"
    before = table(f"hand1=handmaid guard; {out}; hand4=king; deck=priest", 4)
    after = before.play("handmaid")
    assert after["turn"] == "4"
    assert after["hand4"] == "king priest"


def test_rule_3_4_equal_cards_count_once() -> None:
    assert table("hand1=priest priest; hand2=king").plays == ["priest>2"]


def test_rule_3_4_two_guards_give_seven_plays() -> None:
    assert len(table("hand1=guard guard; hand2=king").plays) == 7


def test_rule_3_5_only_a_card_in_hand() -> None:
    assert table("hand1=priest countess; hand2=king").plays == ["priest>2", "countess"]


# -- 4. the cards' effects -----------------------------------------------------------------


def test_rule_4_1_guard_right_guess() -> None:
    after = table("hand1=guard baron; hand2=king").play("guard>2=king")
    assert after["hand2"] == "out"
    assert after.winners == [1]


def test_rule_4_1_guard_wrong_guess() -> None:
    after = table("hand1=guard baron; hand2=king; deck=priest").play("guard>2=prince")
    assert (after["hand1"], after["hand2"]) == ("baron", "king priest")


def test_rule_4_1_guard_names_the_target_only() -> None:
    before = table("hand1=guard baron; hand2=king; hand3=prince", 3)
    assert before.play("guard>2=prince")["hand3"] == "prince"
    assert before.play("guard>3=prince")["hand3"] == "out"


def test_rule_4_1_guard_all_seven_names() -> None:
    # The king is face up, so he can't be right: allowed all the same.
    before = table("face_up=guard guard king; hand1=guard handmaid; hand2=priest")
    names = ["priest", "baron", "handmaid", "prince", "king", "countess", "princess"]
    assert before.plays == [*(f"guard>2={name}" for name in names), "handmaid"]
    assert before.play("guard>2=king")["turn"] == "2"


def test_rule_4_2_priest_sees_the_card() -> None:
    after = table("hand1=priest baron; hand2=king; hand3=guard", 3).play("priest>2")
    assert after.seen_by(1)["hand2"] == "king"
    assert after.seen_by(1)["hand3"] is None


def test_rule_4_2_priest_nobody_else_sees_it() -> None:
    after = table("hand1=priest baron; hand2=king; hand3=guard", 3).play("priest>2")
    assert after.seen_by(3)["hand2"] is None
    assert after.seen_by(2)["hand1"] is None


def test_rule_4_2_priest_shows_the_card_to_its_player_only() -> None:
    before = table("hand1=priest baron; hand2=king; hand3=guard", 3)
    assert "King" in before.narrated("priest>2", 1)
    assert "King" not in before.narrated("priest>2", 3)
    assert "King" not in before.narrated("priest>2", None)


def test_rule_4_2_priest_changes_nothing() -> None:
    after = table("hand1=priest baron; hand2=king; deck=guard").play("priest>2")
    assert (after["hand1"], after["hand2"]) == ("baron", "king guard")


def test_rule_4_3_baron_the_lower_is_out() -> None:
    after = table("hand1=baron king; hand2=prince").play("baron>2")
    assert (after["hand1"], after["hand2"]) == ("king", "out")


def test_rule_4_3_baron_compares_the_card_left_in_hand() -> None:
    after = table("hand1=guard baron; hand2=priest").play("baron>2")
    assert (after["hand1"], after["hand2"]) == ("out", "priest")


def test_rule_4_3_baron_equal_cards() -> None:
    after = table("hand1=baron prince; hand2=prince; deck=guard").play("baron>2")
    assert (after["hand1"], after["hand2"]) == ("prince", "prince guard")


def test_rule_4_4_handmaid_protects() -> None:
    after = table("hand1=handmaid king; hand2=priest; hand3=baron; deck=guard", 3).play("handmaid")
    assert after["protected"] == "1"
    assert after.refusal("guard>1=king") == "5.3"
    assert seats_named(after, "guard") == {"3"}


def test_rule_4_4_until_the_next_turn_begins() -> None:
    before = table("hand1=handmaid king; hand2=priest; hand3=baron; deck=guard countess guard", 3)
    third = before.play("handmaid", "guard>3=king")
    assert third["turn"] == "3"
    assert third["protected"] == "1", "still"
    first = third.play("countess")
    assert first["turn"] == "1"
    assert first["protected"] is None


def test_rule_4_5_prince_discards_and_draws() -> None:
    before = table("hand1=prince guard; hand2=king; deck=baron priest; discards2=guard")
    after = before.play("prince>2")
    assert after["discards2"] == "guard king"
    assert after["hand2"] == "baron priest", "for the prince, then for the turn"
    assert before.left - after.left == 2


def test_rule_4_5_prince_on_oneself() -> None:
    after = table("hand1=prince guard; hand2=king; deck=baron priest").play("prince>1")
    assert after["discards1"] == "guard prince"
    assert after["hand1"] == "baron"
    assert after["hand2"] == "king priest"


def test_rule_4_5_prince_empty_deck_takes_the_card_aside() -> None:
    text = "face_up=guard guard princess; aside=king; deck=none; hand1=prince guard; hand2=baron"
    after = table(text, rest="discards1").play("prince>2")
    assert after["hand2"] == "king"
    assert after["aside"] == "taken"


def test_rule_4_5_prince_last_card_of_the_deck_before_the_card_aside() -> None:
    text = "face_up=guard guard princess; aside=king; deck=priest; hand1=prince guard; hand2=baron"
    after = table(text, rest="discards1").play("prince>2")
    assert after["hand2"] == "priest"
    assert after["aside"] == "king"


def test_rule_4_5_prince_the_discard_has_no_effect() -> None:
    before = table("hand1=prince guard; hand2=handmaid; hand3=king; deck=baron guard", 3)
    after = before.play("prince>2")
    assert after["protected"] is None


def test_rule_4_5_prince_on_the_princess() -> None:
    before = table("hand1=prince guard; hand2=princess; deck=baron")
    after = before.play("prince>2")
    assert after["hand2"] == "out"
    assert after["discards2"] == "princess"
    assert after.left == before.left, "and draws nothing"


def test_rule_4_6_king_trades() -> None:
    after = table("hand1=king guard; hand2=baron; deck=prince").play("king>2")
    assert after["hand1"] == "baron"
    assert after["hand2"] == "guard prince"
    assert after["discards1"] == "king"


def test_rule_4_6_king_leaves_the_others_alone() -> None:
    after = table("hand1=king guard; hand2=baron; hand3=prince", 3).play("king>3")
    assert after.held_by(1, 2, 3) == "prince baron guard"


@pytest.mark.parametrize("hand", ["countess prince", "countess king", "prince countess"])
def test_rule_4_7_countess_must_be_played(hand: str) -> None:
    assert table(f"hand1={hand}; hand2=guard").plays == ["countess"]


@pytest.mark.parametrize("other", ["guard", "handmaid", "princess"])
def test_rule_4_7_countess_may_be_kept(other: str) -> None:
    plays = table(f"hand1=countess {other}; hand2=priest").plays
    assert "countess" in plays
    assert len(plays) > 1


def test_rule_4_7_countess_has_no_effect() -> None:
    after = table("hand1=countess king; hand2=guard; deck=baron").play("countess")
    assert (after["hand1"], after["hand2"]) == ("king", "guard baron")
    assert after["protected"] is None


def test_rule_4_8_princess_whoever_plays_her_is_out() -> None:
    after = table("hand1=guard princess; hand2=priest").play("princess")
    assert after["hand1"] == "out"
    assert after.winners == [2]


def test_rule_4_8_princess_whoever_discards_her_is_out() -> None:
    before = table("hand1=prince guard; hand2=princess; hand3=king", 3)
    after = before.play("prince>2")
    assert after["hand2"] == "out"
    assert after["turn"] == "3"


# -- 5. whom a card may name ---------------------------------------------------------------


@pytest.mark.parametrize("card", NAMING_OTHERS)
def test_rule_5_1_another_player(card: str) -> None:
    before = table(f"hand1=guard; hand2={card} handmaid; hand3=guard; turn=2", 3)
    assert seats_named(before, card) == {"1", "3"}


@pytest.mark.parametrize("card", ["handmaid", "countess", "princess"])
def test_rule_5_1_the_others_name_nobody(card: str) -> None:
    before = table(f"hand1={card} guard; hand2=priest")
    assert seats_named(before, card) == {""}


def test_rule_5_2_prince_another_player_or_oneself() -> None:
    before = table("hand1=guard; hand2=prince handmaid; hand3=guard; turn=2", 3)
    assert seats_named(before, "prince") == {"1", "2", "3"}


@pytest.mark.parametrize("card", [*NAMING_OTHERS, "prince"])
def test_rule_5_3_nobody_who_is_out(card: str) -> None:
    text = f"hand1={card} handmaid; hand2=out; discards2=guard; hand3=guard"
    assert seats_named(table(text, 3), card) - {"1"} == {"3"}


@pytest.mark.parametrize("card", [*NAMING_OTHERS, "prince"])
def test_rule_5_3_nobody_who_is_protected(card: str) -> None:
    text = f"hand1={card} princess; hand2=guard; discards2=handmaid; hand3=guard; protected=2"
    assert seats_named(table(text, 3), card) - {"1"} == {"3"}


def test_rule_5_3_own_protection_has_ended() -> None:
    before = table("hand1=handmaid prince; hand2=guard; deck=countess baron")
    assert "prince>1" in before.play("handmaid", "countess").plays


@pytest.mark.parametrize("card", NAMING_OTHERS)
def test_rule_5_4_bare_if_nobody_can_be_named(card: str) -> None:
    text = f"hand1={card} princess; hand2=guard; discards2=handmaid; protected=2"
    before = table(text)
    assert before.plays == [card, "princess"]
    after = before.play(card)
    assert after.held_by(1, 2) == "princess guard", "without effect"
    assert not after.knows(1, 2)


def test_rule_5_4_the_prince_must_name_oneself() -> None:
    before = table("hand1=prince guard; hand2=guard; discards2=handmaid; protected=2")
    assert before.plays == ["guard", "prince>1"]


def test_rule_5_4_all_of_several_opponents_protected() -> None:
    text = "discards2=handmaid; hand2=guard; hand3=out; discards3=guard; hand4=guard"
    before = table(f"hand1=prince king; {text}; discards4=handmaid; protected=2 4", 4)
    assert before.plays == ["prince>1", "king"]


@pytest.mark.parametrize("card", NAMING_OTHERS)
def test_rule_5_5_not_bare_if_somebody_can_be_named(card: str) -> None:
    text = f"hand1={card} princess; hand2=guard; discards2=handmaid; protected=2; hand3=guard"
    before = table(text, 3)
    assert seats_named(before, card) == {"3"}
