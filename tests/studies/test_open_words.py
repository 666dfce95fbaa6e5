"""What the study of solved shuffles concludes: with the opposite figures the opposite, and with
intervals that hold nothing that nothing is clear."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from kibitz.arena.statistics.scores import Score
from kibitz.studies.open_deck.losses import KINDS, JudgedGame, Loser, Mistake, summed_up
from kibitz.studies.open_deck.measure import FULL, OpenDeckStudy, SolvedShuffle
from kibitz.studies.open_deck.plots import round_numbers
from kibitz.studies.open_deck.report import conclusions
from kibitz.studies.open_deck.words import (
    part_of_game,
    say_decided,
    say_first,
    say_most,
    say_order,
    say_own,
    say_seat,
    say_seats,
    say_solving,
    say_where,
)


def near(mean: float, half: float = 0.5) -> Score:
    return Score(mean, mean - half, mean + half)


def inverted(mean: Score) -> Score:
    return Score(-mean.mean, -mean.high, -mean.low)


# -- moving first --------------------------------------------------------------------------------


def test_moving_first() -> None:
    good = say_first("Perfect", near(2))
    assert good.startswith("Perfect play") and "+2.00 (+1.50 to +2.50)" in good
    assert good.endswith("to move first is an advantage.")
    bad = say_first("Perfect", inverted(near(2)))
    assert bad.endswith("to move first is a disadvantage, to deal an advantage.")
    assert say_first("Perfect", near(0.4)).endswith("neither seat is clearly better.")


def test_perfect_beside_greedy_play() -> None:
    say = say_seats
    opposed = say(near(-1), near(1), near(-2))
    assert "makes the first player's seat the better one, and it is the dealer's." in opposed
    assert opposed.endswith("clearly less.")
    turned = say(near(1), near(-1), near(2))
    assert "makes the dealer's seat the better one, and it is the first player's." in turned
    assert turned.endswith("clearly more.")
    assert "both favour the dealer's seat" in say(near(-1), near(-2), near(1))
    assert "both favour the first player's seat" in say(near(1), near(2), near(-1))
    only = "Perfect play favours the dealer's seat, and greedy play clearly favours none"
    assert only in say(near(-1), near(0), near(-1))
    only = "Greedy play favours the first player's seat, and perfect play clearly favours none"
    assert only in say(near(0), near(1), near(-1))
    neither = say(near(0), near(0), near(0))
    assert neither.startswith("Neither perfect nor greedy") and "no clear difference" in neither


def test_who_wins_the_shuffles() -> None:
    said = say_decided(np.array([3.0, -1.0, -2.0, 0.0, -5.0]))
    assert "first player wins 1 of 5 shuffles, the dealer 3, and 1 are drawn" in said
    assert "from −5 to +3" in said


# -- losses --------------------------------------------------------------------------------------


def loser(player: str, first: float, dealer: float, deal: int = 1, kind: str = "") -> Loser:
    """Ten shuffles about alike; all is lost in one deal, by one kind of play."""
    ups = np.array([-0.1, 0.1] * 5)
    seats = (first + ups, dealer - ups)
    each = (seats[0] + seats[1]) / 2
    kind, none = kind or next(iter(KINDS)), np.zeros(10)
    return Loser(
        player, "fair", each, seats, {n: each if n == deal else none for n in (1, 2, 3, 4)},
        {k: each if k == kind else none for k in KINDS}, dict.fromkeys(KINDS, 1), 100,
    )  # fmt: skip


def test_who_loses_least() -> None:
    said = say_order([loser("x", 1, 2), loser("y", 4, 5)])
    assert "x loses least, 1.50" in said and "clearly less than any other" in said
    assert "y loses most, 4.50" in said and "clearly more than any other" in said
    said = say_order([loser("y", 1, 2), loser("x", 4, 5)])
    assert "y loses least, 1.50" in said and "x loses most, 4.50" in said
    even = say_order([loser("x", 1, 2), loser("y", 2, 1)])
    assert "not clearly less than y" in even and "not clearly more than x" in even
    assert say_order([loser("x", 1, 2)]).startswith("x loses 1.50")


def test_in_which_seat_more_is_lost() -> None:
    assert say_seat(loser("x", 1, 2)).endswith("clearly more as dealer.")
    assert say_seat(loser("x", 2, 1)).endswith("clearly more as first.")
    assert say_seat(loser("x", 2, 2)).endswith("no clear difference.")


@pytest.mark.parametrize("deal", [1, 4])
@pytest.mark.parametrize("kind", KINDS)
def test_in_which_deal_and_how_most_is_lost(deal: int, kind: str) -> None:
    own = loser("x", 1, 2, deal, kind)
    for said in (say_own(own), say_where([own, replace(own, player="y")])):
        assert f"Most is lost in deal {deal}, 1.50 points a game (100.0\u00a0%), clearly" in said
        assert f"Most is lost by {KINDS[kind]}, 1.50 points a game (100.0\u00a0%), clearly" in said
    both = say_where([own, loser("y", 1, 2, 2, kind)])
    assert "not clearly more than in deal" in both
    assert say_most({"in deal 1": np.zeros(4), "in deal 2": np.zeros(4)}) == ("Nothing is lost.")


def test_games_are_summed_up_by_shuffle_seat_deal_and_kind() -> None:
    lay, take = Mistake(1, "wrong-laid", 3), Mistake(4, "wrong-cards", 1)
    games = [
        JudgedGame("greedy", 0, 0, 0, -4, 24, (lay, take)),
        JudgedGame("greedy", 0, 1, 0, 0, 24, ()),
        JudgedGame("greedy", 1, 0, 2, 2, 24, ()),
        JudgedGame("greedy", 1, 1, -2, -4, 24, (take, take)),
    ]  # fmt: skip
    summary = summed_up("greedy", games, 48)
    assert summary.by_shuffle.tolist() == [2, 1] and summary.loss.mean == 1.5
    assert [seat.tolist() for seat in summary.seats] == [[4, 0], [0, 2]]
    assert [lost.tolist() for lost in summary.deals.values()] == [
        [1.5, 0],
        [0, 0],
        [0, 0],
        [0.5, 1],
    ]
    assert summary.kinds["wrong-laid"].tolist() == [1.5, 0]
    assert summary.counts["wrong-cards"] == 3 and summary.mistakes == 4 and summary.decisions == 96


# -- solving, and all of it ----------------------------------------------------------------------


def test_what_solving_takes() -> None:
    said = say_solving(np.array([1.0, 2.0, 40.0]), np.array([5e5, 2e6, 3e7]))
    plain = said.replace("\u00a0", " ")
    assert "Half of the 3 solutions took at most 2 s" in plain and "the longest 40 s" in plain
    assert "2 million" in plain and "30 million" in plain


def test_the_parts_of_a_game() -> None:
    assert part_of_game(48) == "the whole game"
    assert part_of_game(24) == "the last two deals (24 plays)"
    assert part_of_game(8) == "the last 8 plays"


def test_inverted_figures_give_the_opposite_conclusions() -> None:
    def study(sign: int) -> list[str]:
        solved = [
            SolvedShuffle(i, sign * (-2 + i % 2), sign * (1 + i % 2), 10, 0.1) for i in range(20)
        ]
        games = [JudgedGame("greedy", i, seat, 0, 0, 24, ()) for i in range(3) for seat in (0, 1)]
        size = replace(FULL, players=("greedy",))
        return list(conclusions(OpenDeckStudy("…", "tablic", 0, size, tuple(solved), tuple(games))))

    dealer, first = study(1), study(-1)
    assert dealer[0].endswith("to move first is a disadvantage, to deal an advantage.")
    assert dealer[1].endswith("to move first is an advantage.")
    assert "and it is the dealer's" in dealer[2]
    assert first[0].endswith("to move first is an advantage.")
    assert first[1].endswith("to move first is a disadvantage, to deal an advantage.")
    assert "and it is the first player's" in first[2]


def test_ticks() -> None:
    assert round_numbers(0.08, 0.9) == pytest.approx([0.05, 0.1, 0.2, 0.5, 1])
    assert round_numbers(5.0, 60.0) == pytest.approx([5, 10, 20, 50, 100])
    assert round_numbers(1.0, 1.0) == pytest.approx([1])
