"""Love Letter, sections 6 to 8 of its rules: going out, the end of a round, a match."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kibitz.games.love_letter.game import LoveLetter
from kibitz.jit.rng import stream
from kibitz.table.match import Match
from tests.games.love_letter.table import Table, table

# -- 6. going out --------------------------------------------------------------------------


def test_rule_6_1_lays_the_hand_on_the_discards() -> None:
    before = table("hand1=guard baron; hand2=king; hand3=priest; discards2=priest", 3)
    after = before.play("guard>2=king")
    assert after["hand2"] == "out"
    assert after["discards2"] == "priest king"


def test_rule_6_1_face_up() -> None:
    after = table("hand1=guard baron; hand2=king; hand3=priest", 3).play("guard>2=king")
    assert after.seen_by(3)["discards2"] == "king"


def test_rule_6_1_who_plays_the_princess_shows_the_other_card() -> None:
    after = table("hand1=baron princess; hand2=king; hand3=priest", 3).play("princess")
    assert after["discards1"] == "baron princess"


def test_rule_6_1_the_hand_has_no_effect() -> None:
    before = table("hand1=guard baron; hand2=handmaid; hand3=priest", 3)
    assert before.play("guard>2=handmaid")["protected"] is None


def test_rule_6_1_takes_no_more_turns() -> None:
    before = table("hand1=guard countess; hand2=king; hand3=guard; deck=handmaid guard guard", 3)
    after = before.play("guard>2=king", "handmaid", "countess")
    assert after["turn"] == "3"


# -- 7. the end of a round -----------------------------------------------------------------

LAST = "face_up=guard king countess; deck=none"
"""The mover's card is the last one; the princess is aside unless the position says where."""


def test_rule_7_1_one_player_is_left() -> None:
    after = table("hand1=guard baron; hand2=king").play("guard>2=king")
    assert after["turn"] == "over"
    assert after.left > 0
    assert after.winners == [1]


def test_rule_7_1_the_one_left_need_not_be_the_mover() -> None:
    after = table("hand1=baron guard; hand2=king").play("baron>2")
    assert after["turn"] == "over"
    assert after.winners == [2]


def test_rule_7_1_not_while_two_are_left() -> None:
    after = table("hand1=guard baron; hand2=king; hand3=priest", 3).play("guard>2=king")
    assert after["turn"] == "3"


def test_rule_7_1_the_winner_takes_one_from_the_others() -> None:
    before = table("hand1=guard baron; hand2=king; hand3=out; discards3=priest", 3)
    after = before.play("guard>2=king")
    assert after.game.returns(after.state) == (1.0, -0.5, -0.5)


def test_rule_7_2_the_deck_is_empty_after_a_turn() -> None:
    before = table(f"{LAST}; hand1=guard prince; hand2=baron", rest="discards1")
    assert before["turn"] == "1", "the last turn is still played"
    assert before.play("guard>2=priest")["turn"] == "over"


def test_rule_7_2_not_with_one_card_in_the_deck() -> None:
    text = "face_up=guard king countess; deck=baron; hand1=guard prince; hand2=baron"
    after = table(text, rest="discards1").play("guard>2=priest")
    assert after["turn"] == "2"
    assert after.left == 0


def test_rule_7_2_a_prince_may_take_the_last_card() -> None:
    text = "face_up=guard king countess; deck=baron; hand1=guard prince; hand2=handmaid"
    after = table(text, rest="discards1").play("prince>2")
    assert after["turn"] == "over"
    assert after["hand2"] == "baron", "not the card aside"


@pytest.mark.parametrize(("other_card", "winner"), [("handmaid", 1), ("priest", 2)])
def test_rule_7_2_the_highest_card_wins(other_card: str, winner: int) -> None:
    # The discards of seat 1 are many, but they count only when the cards are equal.
    before = table(f"{LAST}; hand1=guard {other_card}; hand2=baron", rest="discards1")
    assert before.play("guard>2=prince").winners == [winner]


def test_rule_7_2_only_players_still_in() -> None:
    out = "hand2=out; discards2=princess"
    before = table(f"deck=none; hand1=guard priest; {out}; hand3=baron", 3, rest="discards1")
    assert before.play("guard>3=prince").winners == [3]


EVEN = f"{LAST}; hand1=guard priest; hand2=priest"
"""Both will show a priest. In all 28 lie in the discards, the guard to be played counted in."""
TIED = f"{EVEN}; discards1=guard baron handmaid prince; discards2=guard guard baron handmaid prince"


@pytest.mark.parametrize(
    ("discards1", "discards2", "winner"),
    [
        ("guard guard baron handmaid prince", "guard baron handmaid prince", 1),
        ("guard guard guard baron baron", "handmaid handmaid prince prince", 2),
        ("handmaid handmaid prince prince", "guard guard guard baron baron", 1),
    ],
)
def test_rule_7_3_the_higher_sum_of_discards(discards1: str, discards2: str, winner: int) -> None:
    before = table(f"{EVEN}; discards1={discards1}; discards2={discards2}")
    assert before.play("guard>2=king").winners == [winner]


def test_rule_7_3_the_card_just_played_counts() -> None:
    before = table(TIED.replace("discards2=guard ", "discards2="), rest="discards1")
    assert before.play("guard>2=king").winners == [1]
    before = table(TIED)
    assert before.play("guard>2=king").winners == [1, 2], "13 + 1 against 14"


def test_rule_7_3_only_among_the_equal() -> None:
    text = "deck=none; hand1=guard king; hand2=prince; hand3=prince; discards2=guard"
    before = table(text, 3, rest="discards3")
    assert before.play("guard>2=priest").winners == [1], "the king needs no discards"


def test_rule_7_3_a_third_player_with_a_lower_card_does_not_count() -> None:
    text = "deck=none; hand1=guard prince; hand2=prince; hand3=priest; discards2=handmaid"
    before = table(text, 3, rest="discards3")
    assert before.play("guard>3=king").winners == [2]


@pytest.mark.parametrize(("tie", "winners"), [("all", [1, 2]), ("none", [])])
def test_rule_7_4_still_equal(tie: str, winners: list[int]) -> None:
    assert table(TIED, tie=tie).play("guard>2=king").winners == winners


def test_rule_7_4_all_is_the_default() -> None:
    assert table(TIED).play("guard>2=king").winners == [1, 2]


@pytest.mark.parametrize(("lot", "winners"), [(0, [1]), (1, [2]), (2, [1]), (11, [2])])
def test_rule_7_4_random_is_decided_by_a_lot(lot: int, winners: list[int]) -> None:
    before = table(TIED, tie="random")
    before.state[0].lot = lot
    assert before.play("guard>2=king").winners == winners


@pytest.mark.parametrize("cards", ["none", "priest priest countess"])
def test_rule_7_4_random_every_deal_draws_a_lot(cards: str) -> None:
    game = LoveLetter(tie="random", face_up=cards)
    lots = {int(game.deal(seed)[0].lot) % 2 for seed in range(8)}
    assert lots == {0, 1}


def test_rule_7_4_random_the_lot_is_hidden() -> None:
    before = table(TIED, tie="random")
    before.state[0].lot = 7
    assert before.seen_by(1).state[0].lot == 0
    worlds = before.worlds(1, 12)
    assert {int(world.state[0].lot) % 2 for world in worlds} == {0, 1}


def test_rule_7_4_random_one_left_needs_no_lot() -> None:
    before = table("hand1=guard baron; hand2=king", tie="random")
    before.state[0].lot = 1
    assert before.play("guard>2=king").winners == [1]


@pytest.mark.parametrize(("tie", "value"), [("all", 0.25), ("none", 0.0)])
def test_rule_7_4_the_tied_share_the_value(tie: str, value: float) -> None:
    after = round_won_by("13", LoveLetter(players=3, tie=tie))
    assert after.game.returns(after.state) == (value, -2 * value, value)


# -- 8. a match ----------------------------------------------------------------------------


def round_won_by(winners: str, game: LoveLetter) -> Table:
    """A round that ended with these seats in: equal cards in hand, equal discards."""
    if game.players == 2 and winners == "12":
        end = TIED.replace("hand1=guard", "hand1=").replace("discards1=", "discards1=guard ")
        return Table(game, game.parse_position(f"aside=princess; {end}; turn=over"))
    seats = [str(seat + 1) for seat in range(game.players)]
    hands = [f"hand{seat}={'guard' if seat in winners else 'out'}" for seat in seats]
    spent = [f"discards{seat}=guard" for seat in seats if seat not in winners]
    text = "; ".join([*hands, *spent, "turn=over"])
    if game.players == 2:
        text += "; face_up=guard guard guard"
    loser = next(seat for seat in seats if seat not in winners)
    options = {"deck": game.settings["deck"], "tie": game.settings["tie"]}
    return table(text, game.players, rest=f"discards{loser}", **options)


def match_after(rounds: Sequence[str], players: int = 2) -> Match:
    """A match after rounds won by these seats: `1`, or `12` for a tied one."""
    match = Match(LoveLetter(players=players), seed=1)
    for winners in rounds:
        assert not match.is_over
        match.add(round_won_by(winners, LoveLetter(players=players)).state)
    return match


@pytest.mark.parametrize(("players", "target"), [(2, 7), (3, 5), (4, 4)])
def test_rule_8_1_rounds_to_win_a_match(players: int, target: int) -> None:
    assert not match_after(["2"] * (target - 1), players).is_over
    won = match_after(["2"] * target, players)
    assert won.is_over
    assert won.winners == [1], "seat 2"


def test_rule_8_1_a_round_won_counts_one() -> None:
    assert match_after(["1", "2", "2"]).score == [1, 2]


def test_rule_8_1_only_the_winner_of_a_showdown_counts() -> None:
    before = table(f"{LAST}; hand1=guard priest; hand2=baron", rest="discards1")
    showdown = before.play("guard>2=prince")
    assert showdown.winners == [2]
    match = match_after([])
    match.add(showdown.state)
    assert match.score == [0, 1]


def test_rule_8_1_each_of_the_tied_has_won_the_round() -> None:
    assert match_after(["12"]).score == [1, 1]


@pytest.mark.parametrize("winner", [1, 2, 3])
def test_rule_8_2_the_winner_starts(winner: int) -> None:
    assert match_after([str(winner)], players=3).first == winner - 1


def starters(round_: Table) -> set[int]:
    """Who may start the next round, over many lots."""
    lots = stream(3)
    return {int(round_.game.kernels.next_first(round_.state, lots)) + 1 for _ in range(30)}


def test_rule_8_2_a_lot_among_the_tied() -> None:
    assert starters(round_won_by("24", LoveLetter(players=4))) == {2, 4}


def test_rule_8_2_a_lot_among_the_tied_if_nobody_won() -> None:
    after = round_won_by("13", LoveLetter(players=3, tie="none"))
    assert after.winners == []
    assert starters(after) == {1, 3}


def test_rule_8_2_no_lot_if_a_lot_decided_the_round() -> None:
    after = round_won_by("13", LoveLetter(players=3, tie="random"))
    assert starters(after) == {1}


def test_rule_8_3_equal_at_the_target_play_on() -> None:
    match = match_after([*["1"] * 6, *["2"] * 6, "12"])
    assert match.score == [7, 7]
    assert not match.is_over
    assert match.winners == []


def test_rule_8_3_another_round_decides() -> None:
    match = match_after([*["1"] * 6, *["2"] * 6, "12", "12", "2"])
    assert match.score == [8, 9]
    assert match.winners == [1], "seat 2"


def test_rule_8_3_who_has_more_has_won() -> None:
    # Seats 1 and 2 play on at 5 : 5; then seat 3 reaches the target together with seat 1.
    match = match_after([*["1"] * 4, *["2"] * 4, *["3"] * 4, "12", "13"], players=3)
    assert match.score == [6, 5, 5]
    assert match.winners == [0], "seat 1"
