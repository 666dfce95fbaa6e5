"""What the studies of players conclude: with other figures they say something else, with the
opposite figures the opposite, and with intervals that meet that nothing is clear."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kibitz.arena.agreement import Agreement, Settling
from kibitz.arena.comparison import MatchLine
from kibitz.arena.statistics.scores import Score
from kibitz.studies.players.footprint import Footprint
from kibitz.studies.players.measure import turned
from kibitz.studies.players.words import (
    duration,
    say_alike,
    say_champion,
    say_first_seat,
    say_itself,
    say_match,
    say_memory,
    say_pays,
    say_settling,
    say_time,
)
from kibitz.studies.tablic.luck import Luck, SeatLuck
from kibitz.studies.tablic.words import (
    PRINTED,
    say_beside,
    say_correlation,
    say_decided,
    say_excuse,
    say_faster,
    say_knowing,
    say_luck,
    say_seat,
    say_skill,
)

MB = 1 << 20


def match(a: str, b: str, score: float, half: float = 0.05) -> MatchLine:
    wins = round(200 * score)
    return MatchLine(
        a, b, 100, wins, 0, 200 - wins, score, (score - half, score + half), 0.0, (0.0, 0.0),
        0.5, 0.0, (-1.0, 1.0), None,
    )  # fmt: skip


def taken(player: str, seconds: float, own: int = 0) -> Footprint:
    return Footprint(player, 10, 100 * seconds, 100, 100 * MB, 100 * MB + own)


def near(mean: float, half: float = 0.05) -> Score:
    return Score(mean, mean - half, mean + half)


# -- who plays better --------------------------------------------------------------------------


def test_a_match() -> None:
    better = say_match(match("x", "y", 0.7))
    assert better.startswith("x is clearly better than y") and "70.0\u00a0%" in better
    worse = say_match(match("x", "y", 0.3))
    assert worse.startswith("y is clearly better than x") and "70.0\u00a0%" in worse
    for even in (0.5, 0.52, 0.48):
        assert "no clear difference" in say_match(match("x", "y", even))
        assert "better" not in say_match(match("x", "y", even))
    assert say_match(turned(match("x", "y", 0.7))) == better


def test_the_champion() -> None:
    clear = [match("x", "y", 0.7), match("x", "z", 0.7), match("y", "z", 0.7)]
    assert say_champion(clear) == "x is clearly better than every other player."
    inverted = [match(m.a, m.b, 1 - m.score) for m in clear]
    assert say_champion(inverted) == "z is clearly better than every other player."
    shared = [match("x", "y", 0.5), *clear[1:]]
    assert "Nobody is clearly better than x and y." in say_champion(shared)
    round_about = [match("x", "y", 0.7), match("x", "z", 0.3), match("y", "z", 0.7)]
    assert "each player is clearly beaten by another" in say_champion(round_about)
    equal = [match("x", "y", 0.5), match("x", "z", 0.5), match("y", "z", 0.5)]
    assert "Nobody is clearly better than x, y and z." in say_champion(equal)


def test_the_first_seat() -> None:
    say = say_first_seat
    assert "is an advantage" in say({"a": near(0.6), "b": near(0.51)})
    assert "is a disadvantage" in say({"a": near(0.4), "b": near(0.51)})
    assert "depends on who plays" in say({"a": near(0.4), "b": near(0.6)})
    for shares in ({"a": near(0.5), "b": near(0.52)}, {str(i): near(0.5) for i in range(30)}):
        assert "no advantage of a seat is clear" in say(shares)
    many = {str(i): near(0.5) for i in range(29)}
    assert "no advantage of a seat is clear" in say(many | {"lucky": near(0.6)}), "one by chance"


# -- what it takes -----------------------------------------------------------------------------


def test_time() -> None:
    slow = say_time([taken("x", 1e-6), taken("y", 1e-3)])
    assert "fastest is x, 1\u00a0µs" in slow and "slowest is y" in slow and "1\u00a0000" in slow
    inverted = say_time([taken("x", 1e-3), taken("y", 1e-6)])
    assert "fastest is y" in inverted and "slowest is x" in inverted
    assert "about the same time" in say_time([taken("x", 1e-3), taken("y", 1.1e-3)])


def test_whether_time_is_well_spent() -> None:
    prints = [taken("quick", 1e-6), taken("slow", 1e-3)]

    def say(score: float, took: list[Footprint] = prints) -> str:
        return say_pays("slow", [match("slow", "quick", score)], took)

    assert "is well spent" in say(0.7)
    assert "is not well spent: quick, faster, is clearly better" in say(0.3)
    assert "not clearly well spent: quick, faster, is not clearly worse" in say(0.5)
    assert "None of these is clearly faster" in say(0.7, [taken("quick", 1), taken("slow", 1)])
    other_way = say_pays("slow", [match("quick", "slow", 0.3)], prints)
    assert other_way == say(0.7)


def test_memory() -> None:
    said = say_memory([taken("x", 1, 9 * MB), taken("y", 1, 2 * MB)])
    assert "added by x, 9.0" in said and "least by y" in said
    said = say_memory([taken("x", 1, 2 * MB), taken("y", 1, 9 * MB)])
    assert "added by y, 9.0" in said and "least by x" in said
    assert "about the same" in say_memory([taken("x", 1, MB), taken("y", 1, MB + 9)])


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(29.23, "29.2 s"), (2.44e-3, "2.44 ms"), (4e-7, "0.4 µs"), (1234.0, "1 230 s")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds).replace("\u00a0", " ") == text


# -- decisions ---------------------------------------------------------------------------------


def agreement(xy: int, xz: int, yz: int, own: tuple[int, int, int] = (100, 100, 80)) -> Agreement:
    alike = ((own[0], xy, xz), (xy, own[1], yz), (xz, yz, own[2]))
    return Agreement("game", 0, ("x", "y", "z"), 100, alike)


def test_who_decides_alike() -> None:
    said = say_alike(agreement(90, 30, 60))
    assert "y and x decide alike most often" in said and "more than any other two" in said
    assert "z and x do so least often" in said and "not clearly" not in said
    inverted = say_alike(agreement(30, 90, 60))
    assert "z and x decide alike most often" in inverted
    assert "y and x do so least often" in inverted
    close = say_alike(agreement(90, 30, 85))
    assert "not clearly less often z and y" in close
    assert say_alike(agreement(60, 62, 58)).startswith("No two decide alike clearly more")


def test_who_decides_by_lot() -> None:
    said = say_itself(agreement(50, 50, 50))
    assert "x and y always" in said and "z in 80.0\u00a0%" in said
    assert "always" not in say_itself(agreement(50, 50, 50, (90, 90, 90)))
    assert "all of them always" in say_itself(agreement(50, 50, 50, (100, 100, 100)))


def settling(*means: float) -> Settling:
    values = (10, 100, 1000, 10000)[-len(means) :]
    return Settling("game", "x", "simulations", 0, 99, values, tuple(map(near, means)))


def test_how_a_decision_settles() -> None:
    assert "from 1000 simulations on there is no clear difference" in say_settling(
        settling(0.4, 0.6, 0.85, 0.9)
    )
    assert "1000 are clearly not enough yet" in say_settling(settling(0.4, 0.5, 0.6, 0.9))
    falling = say_settling(settling(0.9, 0.85, 0.6, 0.4))
    assert "does not settle" in falling and "it settles" not in falling
    flat = say_settling(settling(0.6, 0.6, 0.62, 0.61))
    assert "no clear difference" in flat and "it settles" not in flat
    assert say_settling(settling(0.9)).endswith("of the situations.")


# -- beside the thesis -------------------------------------------------------------------------


def test_beside_the_thesis() -> None:
    printed = PRINTED[1]
    assert printed.games == 1000 and printed.score.mean == 0.554
    assert printed.score.low == pytest.approx(0.523, abs=0.001)
    assert "clearly more" in say_beside(printed, match("genetic", "greedy", 0.77))
    assert "clearly less" in say_beside(printed, match("genetic", "greedy", 0.3))
    assert "no clear difference" in say_beside(printed, match("genetic", "greedy", 0.55))


def test_faster_than_the_thesis() -> None:
    printed = PRINTED[0]
    assert "100 times faster" in say_faster(printed, 0.2923)
    assert "10 times slower" in say_faster(printed, 292.3)
    assert "about the same" in say_faster(printed, 29.0)


def test_the_value_of_seeing_the_hand() -> None:
    knows = {"x": "fair", "y": "open-hands", "z": "fair"}
    assert "clearly better, though it sees less" in say_knowing(match("x", "y", 0.7), knows)
    assert "clearly worse" in say_knowing(match("x", "y", 0.3), knows)
    assert "no clear difference" in say_knowing(match("x", "y", 0.5), knows)
    assert "x, which is fair, scores 30" in say_knowing(match("y", "x", 0.7), knows)
    assert "clearly worse" in say_knowing(match("y", "x", 0.7), knows)
    assert say_knowing(match("x", "z", 0.7), knows) == "x and z know alike."


def test_the_seat() -> None:
    assert "is an advantage" in say_seat(near(0.6))
    assert "is a disadvantage" in say_seat(near(0.4))
    assert "no seat is clearly better" in say_seat(near(0.52))


# -- luck and skill ----------------------------------------------------------------------------


def seat(skill: float, half: float = 1.0) -> SeatLuck:
    return SeatLuck(0.5, 0.5 + skill, near(skill, half), 0.5, 0.5)


LUCK = Luck(
    "x", "y", 100, 20, 70, 10, near(0.75), seat(5), seat(5), near(0.4), near(0.8), 30
)  # fmt: skip


def test_who_decided() -> None:
    assert "the player clearly counts more" in say_decided(LUCK)
    deal = replace(LUCK, same_seat=70, same_player=20, by_player=near(0.25))
    assert "the deal clearly counts more" in say_decided(deal)
    even = replace(LUCK, same_seat=45, same_player=45, by_player=near(0.5))
    assert "neither clearly counts more" in say_decided(even)
    said = say_luck([LUCK, deal, even])
    assert "more in 1 of 3 matches, the deal in 1; in 1 neither" in said
    assert "45.0\u00a0%" in said, "the mean of the matches"
    assert "more in 2 of 2 matches, the deal in 0." in say_luck([LUCK, LUCK])


def test_skill() -> None:
    assert "more than the cards in both seats" in say_skill(LUCK)
    worse = replace(LUCK, first=seat(-5), second=seat(-5))
    assert "less than the cards in both seats" in say_skill(worse)
    none = replace(LUCK, first=seat(0.2), second=seat(-0.2))
    assert "no clear difference to the cards in either" in say_skill(none)
    mixed = say_skill(replace(LUCK, first=seat(5), second=seat(-5)))
    assert "clearly more than the cards in the first, clearly less in the second" in mixed
    half = say_skill(replace(LUCK, second=seat(0)))
    assert "no clear difference in the second" in half


def test_correlation_with_the_cards() -> None:
    assert "the cards account for 16.0\u00a0%" in say_correlation(LUCK)
    against = say_correlation(replace(LUCK, correlation=near(-0.4)))
    assert "go against each other" in against and "account" not in against
    unclear = say_correlation(replace(LUCK, correlation=near(0.02)))
    assert "not clearly related" in unclear and "account" not in unclear


def test_bad_luck_as_an_excuse() -> None:
    assert "bad luck did have its part" in say_excuse(LUCK)
    assert "30 games that x lost to y" in say_excuse(LUCK)
    assert "in spite of its luck" in say_excuse(replace(LUCK, unlucky=near(0.2)))
    assert "does not clearly explain" in say_excuse(replace(LUCK, unlucky=near(0.5)))
    worse = replace(LUCK, first=seat(-5), second=seat(-5))
    assert "30 games that y lost to x" in say_excuse(worse)
    assert "lost no game" in say_excuse(replace(LUCK, unlucky=None, lost=0))
