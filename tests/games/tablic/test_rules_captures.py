"""The rules of Tablić one by one: a turn, and above all what a card may capture."""

from __future__ import annotations

import pytest

from kibitz.core.errors import BadText, IllegalPlay
from kibitz.games.tablic.game import Tablic
from tests.games.tablic.positions import TWO, fields, full_state, play, plays, refused, zone

FORCED = Tablic(forced_capture=True)
FIGURE_2 = "6c 2d 8s 7d As 3h 4h"


# -- 3.1 one card from the hand ------------------------------------------------------------


def test_rule_3_1_a_turn_plays_one_card_from_the_hand() -> None:
    state = full_state("table=9c; hand1=3d 7s; hand2=Kd Kh")
    assert [str(one) for one in TWO.plays(state)] == ["3d", "7s"]
    then = play(state, "7s")
    assert fields(then)["hand1"] == "3d"
    assert [str(one) for one in TWO.plays(then)] == ["Kd"]
    then = play(then, "Kh", "3d")
    assert fields(then)["hand1"] == "none"
    assert fields(then)["hand2"] == "Kd"


@pytest.mark.parametrize("card", ["Kd", "9c", "2h", "7c"])  # the other hand, table, pile, deck
def test_rule_3_1_not_a_card_from_elsewhere(card: str) -> None:
    deck = "7c 7d 7h 8c 8d 8h 8s 9d 9h 9s 10c 10h"
    state = full_state(f"table=9c; hand1=3d 7s; hand2=Kd Kh; deck={deck}")
    assert refused(state, card) == "3.1"
    assert refused(state, f"{card} x 9c") == "3.1"


def test_rule_3_1_a_play_is_checked_when_it_is_made() -> None:
    state = full_state("table=9c; hand1=3d 7s; hand2=Kd Kh")
    then = play(state, "7s")
    with pytest.raises(IllegalPlay):
        TWO.apply(then, TWO.parse_play(state, "3d"))  # the other seat's turn
    for text in ("3d", "7s"):
        code = TWO.parse_play(state, text).code
        assert TWO.kernels.is_legal(state, code)
        assert not TWO.kernels.is_legal(then, code)


# -- 3.2 captures ----------------------------------------------------------------------------


def test_rule_3_2_figure_2() -> None:
    """Groups {6, 2}, {8}, {7, A} and {3, 4, A}; the last two share the ace."""
    assert sorted(plays(FIGURE_2, "8h")) == sorted(
        [
            "8h",
            "8h x 8s",
            "8h x 6c 2d",
            "8h x 7d As",
            "8h x 4h 3h As",
            "8h x 8s 6c 2d",
            "8h x 8s 7d As",
            "8h x 8s 4h 3h As",
            "8h x 7d 6c 2d As",
            "8h x 6c 4h 3h 2d As",
            "8h x 8s 7d 6c 2d As",
            "8h x 8s 6c 4h 3h 2d As",
        ]
    )


def test_rule_3_2_groups_must_be_disjoint() -> None:
    state = full_state(f"table={FIGURE_2}; hand1=8h; hand2=Kd")
    assert refused(state, "8h x 7d 4h 3h As") == "3.2"
    assert refused(state, f"8h x {FIGURE_2}") == "3.2"


def test_rule_3_2_figure_3() -> None:
    """The queen takes jack and ace, or two and ace (as 11): there is one ace only."""
    assert plays("Jd As 2d", "Qh") == ["Qh", "Qh x Jd As", "Qh x 2d As"]
    assert refused(full_state("table=Jd As 2d; hand1=Qh; hand2=Kd"), "Qh x Jd As 2d") == "3.2"


def test_rule_3_2_a_sum_that_is_divisible_is_not_enough() -> None:
    assert plays("5c 5d 6d", "8h") == ["8h"]
    assert refused(full_state("table=5c 5d 6d; hand1=8h; hand2=Kd"), "8h x 5c 5d 6d") == "3.2"


def test_rule_3_2_every_group_adds_up_to_the_value() -> None:
    state = full_state("table=9c 7d 4h 3h; hand1=8h; hand2=Kd")
    assert [str(one) for one in TWO.plays(state)] == ["8h"]
    for taken in ("7d", "9c", "9c 7d", "4h 3h", "9c 7d 4h 3h"):
        assert refused(state, f"8h x {taken}") == "3.2"


def test_rule_3_2_a_group_may_have_equal_cards() -> None:
    assert plays("5c 5d", "10h") == ["10h", "10h x 5d 5c"]
    assert plays("3c 3d 3h", "9h") == ["9h", "9h x 3h 3d 3c"]
    assert plays("2c 2d 2h 2s", "8h") == ["8h", "8h x 2s 2h 2d 2c"]
    assert plays("3c 3d 3h 3s", "Jh") == ["Jh", "Jh x 3s 3h 3d 3c"]


def test_rule_3_2_every_listed_play_passes_the_check_and_can_be_typed() -> None:
    """Aces in one group may count differently: king = 11 + 1 + 2."""
    state = full_state("table=Ac Ad 2s 3s; hand1=Kh Qd; hand2=5c 5d")
    listed = [str(one) for one in TWO.plays(state)]
    assert "Kh x 2s Ad Ac" in listed
    for text in listed:
        play_ = TWO.parse_play(state, text)
        assert str(play_) == text
        assert TWO.kernels.is_legal(state, play_.code)


def test_rule_3_2_a_set_that_splits_in_two_ways_is_one_capture() -> None:
    takes = plays("5c 5d 3c 3d 2d 2h", "10h")  # all: {5, 5} {3, 3, 2, 2}, or twice {5, 3, 2}
    assert sorted(takes) == sorted(
        ["10h", "10h x 5d 5c", "10h x 5c 3c 2d", "10h x 3d 3c 2h 2d", "10h x 5d 5c 3d 3c 2h 2d"]
    )


def test_rule_3_2_many_groups_in_one_capture() -> None:
    table = "8s 8d 8c 7c 6d 5c 4d 4c 3c 2d Ac"
    assert f"8h x {table}" in plays(table, "8h")


def test_rule_3_2_only_cards_on_the_table() -> None:
    state = full_state("table=8s 6c; hand1=8h 2d; hand2=8d 8c")
    for taken in ("8d", "8s 8d", "6c 2d", "5c 3c"):
        assert refused(state, f"8h x {taken}") == "3.2"
    with pytest.raises(BadText, match="named twice"):
        TWO.parse_play(state, "8h x 8s 8s")


# -- 3.3 to 3.5 taking less, laying, the pile ------------------------------------------------


def test_rule_3_3_a_capture_may_be_declined_in_part() -> None:
    state = full_state("table=8s 8d 6c 2d; hand1=8h; hand2=Kd", "pile1")
    takes = {" ".join(str(one).split()[2:]) for one in TWO.plays(state)}
    assert takes == {"", "8d", "8s 8d", "6c 2d", "8d 6c 2d", "8s 8d 6c 2d"}
    assert zone(play(state, "8h x 8d"), "table") == {"8s", "6c", "2d"}


def test_rule_3_3_a_capture_may_be_declined_as_a_whole() -> None:
    state = full_state("table=8s; hand1=8h; hand2=Kd")
    assert [str(one) for one in TWO.plays(state)] == ["8h", "8h x 8s"]
    assert zone(play(state, "8h"), "table") == {"8s", "8h"}


def test_rule_3_4_who_captures_nothing_lays_the_card() -> None:
    state = full_state("table=9c 5d; hand1=8h Qs; hand2=Kd Kh", "pile1")
    then = play(state, "Qs")
    assert zone(then, "table") == {"9c", "5d", "Qs"}
    assert zone(then, "hand1") == {"8h"}
    same = ("pile1", "pile2", "tablas1", "tablas2", "last", "hand2")
    assert [fields(then)[key] for key in same] == [fields(state)[key] for key in same]


@pytest.mark.parametrize("seat", [1, 2])
def test_rule_3_5_captured_cards_and_the_captor_go_to_the_pile(seat: int) -> None:
    hands = "hand1=8h 3c; hand2=Kd Kh" if seat == 1 else "hand1=Kd; hand2=8h 3c; turn=2"
    state = full_state(f"table={FIGURE_2}; {hands}", f"pile{3 - seat}")
    then = play(state, "8h x 6c 2d 8s")
    assert zone(then, f"pile{seat}") == {"8h", "6c", "2d", "8s"}
    assert zone(then, "table") == {"7d", "As", "3h", "4h"}
    assert fields(then)[f"pile{3 - seat}"] == fields(state)[f"pile{3 - seat}"]
    assert fields(then)["last"] == str(seat)


def test_rule_3_5_piles_grow() -> None:
    state = full_state("table=8s 9c; hand1=8h 9h; hand2=Kd Kh")
    then = play(state, "8h x 8s", "Kd", "9h x 9c")
    assert zone(then, "pile1") == {"8h", "8s", "9h", "9c"}


# -- 3.6 forced captures ---------------------------------------------------------------------


def test_rule_3_6_a_card_that_can_capture_may_not_be_laid() -> None:
    assert plays("6c 2d", "8h", FORCED) == ["8h x 6c 2d"]
    state = full_state("table=6c 2d; hand1=8h; hand2=Kd", game=FORCED)
    assert refused(state, "8h", FORCED) == "3.6"
    assert TWO.parse_play(full_state("table=6c 2d; hand1=8h; hand2=Kd"), "8h").text == "8h"


def test_rule_3_6_which_card_to_play_stays_free() -> None:
    assert plays("6c 2d", "8h Ks", FORCED) == ["8h x 6c 2d", "Ks"]
    state = full_state("table=6c 2d; hand1=8h Ks; hand2=Kd Kh", game=FORCED)
    assert zone(play(state, "Ks", game=FORCED), "table", FORCED) == {"6c", "2d", "Ks"}


def test_rule_3_6_how_much_to_take_stays_free() -> None:
    assert set(plays("8s 6c 2d", "8h", FORCED)) == {"8h x 8s", "8h x 6c 2d", "8h x 8s 6c 2d"}
    state = full_state("table=8s 6c 2d; hand1=8h; hand2=Kd", game=FORCED)
    assert zone(play(state, "8h x 8s", game=FORCED), "table", FORCED) == {"6c", "2d"}


def test_rule_3_6_is_in_the_kernels_too() -> None:
    free = full_state("table=6c 2d; hand1=8h Ks; hand2=Kd Kh")
    state = full_state("table=6c 2d; hand1=8h Ks; hand2=Kd Kh", game=FORCED)
    eight, king = (TWO.parse_play(free, text).code for text in ("8h", "Ks"))
    assert [bool(TWO.kernels.is_legal(free, code)) for code in (eight, king)] == [True, True]
    assert [bool(TWO.kernels.is_legal(state, code)) for code in (eight, king)] == [False, True]


# -- 3.7 suits -------------------------------------------------------------------------------


def test_rule_3_7_suits_are_interchangeable() -> None:
    assert plays("7c 7d 7h", "7s") == ["7s", "7s x 7c", "7s x 7d 7c", "7s x 7h 7d 7c"]
    assert plays("9c", "7c 7d 7h 7s") == ["7c"]
    assert plays("7d 7h Ac Ad", "8c 8s") == ["8c", "8c x 7d Ac", "8c x 7h 7d Ad Ac"]


def test_rule_3_7_a_person_may_name_any_suit() -> None:
    state = full_state("table=7c 7d 9d; hand1=7h 7s; hand2=Kd Kh", "pile1")
    offered, named = TWO.parse_play(state, "7h x 7c"), TWO.parse_play(state, "7s x 7d")
    assert named == offered
    assert hash(named) == hash(offered)
    assert named in TWO.plays(state)
    assert str(named) == "7s x 7d"
    then = TWO.apply(state, named)
    assert zone(then, "hand1") == {"7h"}
    assert zone(then, "table") == {"7c", "9d"}
    assert {"7s", "7d"} < zone(then, "pile1")


def test_rule_3_7_ten_of_diamonds_and_two_of_clubs_in_the_hand() -> None:
    assert plays("9c", "10c 10d 10h 2c 2d 2h") == ["2c", "2d", "10d", "10c"]
    assert plays("10s", "10d 10h") == ["10d", "10d x 10s", "10h", "10h x 10s"]
    assert plays("9c", "10d") == ["10d"]
    assert plays("9c", "2c") == ["2c"]
    state = full_state("table=9c; hand1=10d 10h 2c 2h; hand2=Kd Kh Kc Ks")
    assert TWO.parse_play(state, "10d") != TWO.parse_play(state, "10h")
    assert TWO.parse_play(state, "2c") != TWO.parse_play(state, "2h")


def test_rule_3_7_ten_of_diamonds_on_the_table() -> None:
    assert set(plays("10c 10d", "10h")) == {"10h", "10h x 10c", "10h x 10d", "10h x 10d 10c"}
    assert set(plays("10c 10d 10s", "10h")) == {
        "10h",
        "10h x 10c",
        "10h x 10d",
        "10h x 10s 10c",
        "10h x 10d 10c",
        "10h x 10s 10d 10c",
    }


def test_rule_3_7_two_of_clubs_on_the_table() -> None:
    assert set(plays("2c 2d", "2h")) == {"2h", "2h x 2d", "2h x 2c", "2h x 2d 2c"}
    assert plays("2c 2s Ad", "3h") == ["3h", "3h x 2s Ad", "3h x 2c Ad"]


@pytest.mark.parametrize(("one", "other"), [("10h x 10d", "10h x 10c"), ("2h x 2c", "2h x 2s")])
def test_rule_3_7_a_person_names_another_play_with_them(one: str, other: str) -> None:
    state = full_state("table=10c 10d 2c 2s; hand1=10h 2h; hand2=Kd Kh")
    assert TWO.parse_play(state, one) != TWO.parse_play(state, other)
    assert {TWO.parse_play(state, one), TWO.parse_play(state, other)} < set(TWO.plays(state))


def test_rule_3_7_both_in_one_capture() -> None:
    """One of two tens and one of two twos: four plays."""
    assert set(plays("10c 10d 2c 2d", "Jh")) == {
        "Jh",
        "Jh x 10c 2d",
        "Jh x 10c 2c",
        "Jh x 10d 2d",
        "Jh x 10d 2c",
        "Jh x 10d 10c 2d 2c",
    }


@pytest.mark.parametrize("taken", ["10c", "10d"])
def test_rule_3_7_the_ten_that_is_named_is_taken(taken: str) -> None:
    state = full_state("table=10c 10d 9c; hand1=10h; hand2=Kd", "pile1")
    (code,) = {one.code for one in TWO.plays(state) if str(one) == f"10h x {taken}"}
    then = state.copy()
    TWO.kernels.apply(then, code)
    assert zone(then, "table") == {"9c", "10c", "10d"} - {taken}
    assert fields(play(state, f"10h x {taken}")) == fields(then)


@pytest.mark.parametrize("card", ["10d", "10c", "2c", "2d"])
def test_rule_3_7_the_card_that_is_named_is_played(card: str) -> None:
    state = full_state("table=9d; hand1=10c 10d 2c 2d; hand2=Kd Kh Kc Ks")
    (code,) = {one.code for one in TWO.plays(state) if str(one) == card}
    then = state.copy()
    TWO.kernels.apply(then, code)
    assert zone(then, "table") == {"9d", card}


@pytest.mark.parametrize(("table", "card"), [("10c 10d 9c", "10h"), ("2c 2d 9c", "2h")])
def test_rule_3_7_is_in_the_kernels_too(table: str, card: str) -> None:
    """Two of a rank: one play takes none, two take one, one takes both, and no other is legal."""
    k = TWO.kernels
    state = TWO.parse_position(f"table={table}; hand1={card}; deck=none")
    codes = {int(code) for code in k.legal(state)}
    flags = k.PLAYED_SPECIAL, k.TAKES_TEN, k.TAKES_TWO
    assert len(codes) == 4
    assert all(k.is_legal(state, code) for code in codes)
    others = {code ^ flag for code in codes for flag in flags} - codes
    assert not any(k.is_legal(state, code) for code in others)
