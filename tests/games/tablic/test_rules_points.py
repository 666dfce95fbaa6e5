"""The rules of Tablić one by one: tablas, the end of a game, points, a match."""

from __future__ import annotations

from typing import Any

import pytest

from kibitz.games.tablic.game import Tablic
from kibitz.table.match import Match
from tests.games.tablic.positions import (
    ALL,
    FOUR,
    THREE,
    TWO,
    dealt,
    ended,
    fields,
    full_state,
    lay_all,
    play,
    random_game,
    refused,
    shuffled,
    zone,
)
from tests.oracle.tablic import CARDS

TO_DEALER = Tablic(leftovers="dealer")
NO_BONUS = Tablic(cards_bonus="none")
TIE, TIE_OF_THREE = Tablic(cards_bonus="tie"), Tablic(cards_bonus="tie", players=3)
ACES_TO_KINGS = "Ac Ad Ah As 10c 10d 10h 10s Jc Jd Jh Js Qc Qd Qh Qs Kc Kd Kh Ks"
LOW = [card for card in CARDS if card not in ACES_TO_KINGS.split() and card != "2c"]
"""The 31 cards without points."""
ONES = [card for card in ACES_TO_KINGS.split() if card != "10d"]
"""The 19 of them that score 1; 10d scores 2, and 2c makes it 22."""


# -- 4. tabla ------------------------------------------------------------------------------


def test_rule_4_1_a_capture_that_empties_the_table_is_a_tabla() -> None:
    state = full_state("table=8s 6c 2d; hand1=8h 3c; hand2=Kd Kh; tablas2=1", game=NO_BONUS)
    then = play(state, "8h x 8s 6c 2d", game=NO_BONUS)
    after = fields(then, NO_BONUS)
    assert after["table"] == "none"
    assert (after["tablas1"], after["tablas2"]) == ("1", "1")
    points = [a - b for a, b in zip(NO_BONUS.points(then), NO_BONUS.points(state), strict=True)]
    assert points == [1, 0]  # no card of these scores


@pytest.mark.parametrize("taken", ["8s", "6c 2d"])
def test_rule_4_1_one_that_leaves_a_card_is_none(taken: str) -> None:
    state = full_state("table=8s 6c 2d; hand1=8h 3c; hand2=Kd Kh")
    assert fields(play(state, f"8h x {taken}"))["tablas1"] == "0"


def test_rule_4_1_a_card_laid_on_an_empty_table_is_none() -> None:
    then = play(full_state("table=none; hand1=8h 3c; hand2=Kd Kh"), "8h")
    assert fields(then)["tablas1"] == "0"


def test_rule_4_1_tablas_add_up() -> None:
    state = full_state("table=8s; hand1=8h 3c; hand2=3d Kh; pile1=2c 2d; tablas1=2; last=2")
    then = play(state, "8h x 8s", "Kh", "3c")
    assert (fields(then)["tablas1"], fields(then)["tablas2"]) == ("3", "0")
    then = play(state, "8h x 8s", "3d", "3c x 3d")
    assert (fields(then)["tablas1"], fields(then)["tablas2"]) == ("4", "0")


@pytest.mark.parametrize("option", ["last-captor", "dealer"])
def test_rule_4_2_with_the_very_last_card_too(option: str) -> None:
    game = Tablic(leftovers=option)
    state = full_state("table=8s; hand1=none; hand2=8h; turn=2; tablas2=1", game=game)
    end = play(state, "8h x 8s", game=game)
    assert game.is_over(end)
    assert fields(end, game)["tablas2"] == "2"
    assert game.points(end) == (0, 22 + 3 + 2)


# -- 5. the end of a game ------------------------------------------------------------------


@pytest.mark.parametrize("last", [1, 2])
def test_rule_5_1_the_last_captor_takes_what_is_left(last: int) -> None:
    state = full_state(f"table=9c Jd; hand1=4c; hand2=3s; pile1=2c 2d; last={last}")
    end = play(state, "4c", "3s")
    assert fields(end)["table"] == "none"
    left = {"9c", "Jd", "4c", "3s"}
    assert left < zone(end, f"pile{last}")
    assert not left & zone(end, f"pile{3 - last}")
    assert fields(end)["turn"] == "over"


@pytest.mark.parametrize(("first", "second"), [("9h x 9c", "3s"), ("9h", "3s x 3d")])
def test_rule_5_1_a_late_capture_makes_the_last_captor(first: str, second: str) -> None:
    taker = 1 if " x " in first else 2
    state = full_state(f"table=9c Jd 3d; hand1=9h; hand2=3s; pile1=2c 2d; last={3 - taker}")
    assert "Jd" in zone(play(state, first, second), f"pile{taker}")


@pytest.mark.parametrize("game", [TWO, TO_DEALER], ids=str)
def test_rule_5_1_leftovers_are_no_tabla(game: Tablic) -> None:
    state = full_state("table=9c Jd; hand1=4c; hand2=3s; pile1=2c 2d; last=1; tablas1=1", game=game)
    end = play(state, "4c", "3s", game=game)
    assert (fields(end, game)["tablas1"], fields(end, game)["tablas2"]) == ("1", "0")


def test_rule_5_1_the_game_is_over_after_the_last_card() -> None:
    end = play(full_state("table=9c Jd; hand1=4c; hand2=3s"), "4c", "3s")
    assert TWO.is_over(end)
    assert list(TWO.plays(end)) == []
    assert refused(end, "4c") == "5.1"


@pytest.mark.parametrize("game", ALL, ids=str)
def test_rule_5_1_all_cards_end_in_the_piles(game: Tablic) -> None:
    for seed in range(3):
        *_, end = random_game(game, seed)
        piles = [zone(end, f"pile{seat + 1}", game) for seat in range(game.players)]
        assert sum(map(len, piles)) == 52
        assert set().union(*piles) == set(CARDS)


@pytest.mark.parametrize("game", ALL, ids=str)
def test_rule_5_2_if_nobody_captured_the_dealer_takes_it(game: Tablic) -> None:
    for first in range(game.players):
        end = lay_all(dealt(shuffled(52), first, game), game)
        dealer = fields(end, game)["dealer"]
        assert dealer == str((first - 1) % game.players + 1)
        assert len(zone(end, f"pile{dealer}", game)) == 52
        assert "last" not in fields(end, game)


def test_rule_5_2_such_an_end_can_be_written_and_read() -> None:
    text = TWO.position(lay_all(dealt(shuffled(52))))
    assert TWO.position(TWO.parse_position(text)) == text


def test_rule_5_3_the_dealer_always_takes_it() -> None:
    for dealer, last in ((1, 1), (1, 2), (2, 1), (2, 2)):
        hands = "hand1=4c; hand2=3s" if dealer == 2 else "hand2=4c; hand1=3s"
        text = f"table=9c Jd; {hands}; pile1=2c 2d; last={last}; dealer={dealer}"
        end = play(full_state(text, game=TO_DEALER), "4c", "3s", game=TO_DEALER)
        assert {"9c", "Jd", "4c", "3s"} < zone(end, f"pile{dealer}", TO_DEALER)
        assert {"9c", "Jd", "4c", "3s"} < zone(play(full_state(text), "4c", "3s"), f"pile{last}")


# -- 6. points -----------------------------------------------------------------------------


def pile(cards: str, game: Tablic = NO_BONUS) -> float:
    """The points of a pile with these cards."""
    return game.points(ended(f"pile1={cards}", game=game))[0]


@pytest.mark.parametrize("card", [card for card in CARDS if card not in ("10d", "2c")])
def test_rule_6_1_aces_tens_and_pictures_score_1(card: str) -> None:
    assert pile(card) == (card in ACES_TO_KINGS)


def test_rule_6_2_ten_of_diamonds_scores_2_and_two_of_clubs_1() -> None:
    assert pile("10d") == 2
    assert pile("2c") == 1
    assert pile("10d 10h 2c 2d") == 4


def test_rule_6_2_the_cards_score_22_together() -> None:
    assert pile(" ".join(CARDS)) == 22
    assert pile(f"{ACES_TO_KINGS} 2c") == 22
    assert pile(" ".join(LOW)) == 0
    assert TWO.presenter.facts()["points in the cards"] == 22


def cards(number: int, points: int = 0) -> str:
    """So many cards, of which so many score 1 each."""
    return " ".join([*ONES[:points], *LOW[: number - points]])


def three(first: int, second: int, third: int) -> str:
    """Piles of so many cards, with 11, 11 and 0 points."""
    piles = ["2c", *ONES[:10]], ["10d", *ONES[10:]], list[str]()
    low = iter(LOW)
    for own, number in zip(piles, (first, second, third), strict=True):
        own += [next(low) for _ in range(number - len(own))]
    return "; ".join(f"pile{i + 1}={' '.join(own)}" for i, own in enumerate(piles)) + "; last=1"


@pytest.mark.parametrize(("number", "bonus"), [(27, (3, 0)), (25, (0, 3)), (26, (0, 0))])
def test_rule_6_3_three_points_for_more_cards(number: int, bonus: tuple[int, int]) -> None:
    state = ended(f"pile1={cards(number)}")
    assert TWO.points(state) == (bonus[0], 22 + bonus[1])


@pytest.mark.parametrize(
    ("piles", "bonus"),
    [
        ((20, 16, 16), (3, 0, 0)),
        ((16, 20, 16), (0, 3, 0)),
        ((16, 16, 20), (0, 0, 3)),
        ((18, 18, 16), (0, 0, 0)),
        ((18, 16, 18), (0, 0, 0)),
        ((16, 18, 18), (0, 0, 0)),
        ((20, 18, 14), (3, 0, 0)),
        ((14, 18, 20), (0, 0, 3)),
    ],
)
def test_rule_6_3_more_than_anybody_else(
    piles: tuple[int, int, int], bonus: tuple[int, int, int]
) -> None:
    points = THREE.points(ended(three(*piles), game=THREE))
    assert points == (11 + bonus[0], 11 + bonus[1], bonus[2])


@pytest.mark.parametrize(
    ("number", "tablas", "points"),
    [
        (27, 11, (22 + 3, 22)),
        (25, 11, (22, 22 + 3)),
        (26, 11, (22, 22)),  # nobody has more cards
        (27, 10, (21, 22)),  # no tie
        (27, 12, (23, 22)),
        (25, 12, (23, 22)),
    ],
)
def test_rule_6_4_only_when_the_highest_score_is_shared(
    number: int, tablas: int, points: tuple[int, int]
) -> None:
    state = ended(f"pile1={cards(number, 11)}; tablas1={tablas}; tablas2=11", game=TIE)
    assert TIE.points(state) == points


@pytest.mark.parametrize(
    ("piles", "bonus"),
    [
        ((11, 12, 29), (0, 3, 0)),
        ((12, 11, 29), (3, 0, 0)),
        ((12, 12, 28), (0, 0, 0)),
        ((21, 10, 21), (3, 0, 0)),
    ],
)
def test_rule_6_4_only_for_those_who_share_it(
    piles: tuple[int, int, int], bonus: tuple[int, int, int]
) -> None:
    """The third, with fewer points, may have as many cards as he likes."""
    points = TIE_OF_THREE.points(ended(three(*piles), game=TIE_OF_THREE))
    assert points == (11 + bonus[0], 11 + bonus[1], 0)


@pytest.mark.parametrize(
    ("piles", "bonus"), [((11, 12, 29), 3), ((20, 11, 21), 3), ((21, 10, 21), 0)]
)
def test_rule_6_4_three_who_share_it(piles: tuple[int, int, int], bonus: int) -> None:
    state = ended(f"{three(*piles)}; tablas3=11", game=TIE_OF_THREE)
    assert TIE_OF_THREE.points(state) == (11, 11, 11 + bonus)


@pytest.mark.parametrize("number", [25, 26, 27])
def test_rule_6_5_no_bonus(number: int) -> None:
    state = ended(f"pile1={cards(number, 11)}; tablas1=11; tablas2=11", game=NO_BONUS)
    assert NO_BONUS.points(state) == (22, 22)


def test_rule_6_6_partners_add_up_points_and_tablas() -> None:
    game = Tablic(players=4, cards_bonus="none")
    text = "pile1=Ac 5c; pile2=10d Kd; pile3=Kc 2c 6c; tablas1=1; tablas2=2; tablas3=4"
    state = ended(text, "pile4", game)
    ours = (1 + 1) + (2 + 4)
    theirs = (3 + 2) + (22 - 1 - 3 - 2)
    assert game.points(state) == (ours, theirs, ours, theirs)


def test_rule_6_6_partners_add_up_cards() -> None:
    """Seat 2 has the largest pile, but seats 1 and 3 have 28 cards together."""
    text = f"pile1={' '.join(LOW[:14])}; pile3={' '.join(LOW[14:28])}; pile4=Ac Kc"
    assert FOUR.points(ended(text, "pile2", FOUR)) == (3, 22, 3, 22)
    text = f"pile1={' '.join(LOW[:14])}; pile3={' '.join(LOW[14:26])}; pile4=Ac Kc"
    assert FOUR.points(ended(text, "pile2", FOUR)) == (0, 22, 0, 22)


@pytest.mark.parametrize(("number", "bonus"), [(16, (3, 0)), (15, (0, 0)), (14, (0, 3))])
def test_rule_6_6_partners_share_the_tie(number: int, bonus: tuple[int, int]) -> None:
    game = Tablic(players=4, cards_bonus="tie")
    text = f"pile1=2c {' '.join(ONES[:10])}; pile3={' '.join(LOW[:number])}"
    text += f"; pile2=10d {' '.join(ONES[10:])}"
    ours, theirs = (11 + more for more in bonus)
    assert game.points(ended(text, "pile4", game)) == (ours, theirs, ours, theirs)
    state = ended(f"{text}; tablas3=1", "pile4", game)
    assert game.points(state) == (12, 11, 12, 11)  # the partner's tabla: no tie


@pytest.mark.parametrize(
    ("number", "tablas", "winner"),
    [(27, 20, 0), (27, 19, None), (27, 18, 1), (26, 22, None)],
)
def test_rule_6_7_the_higher_score_wins(number: int, tablas: int, winner: int | None) -> None:
    state = ended(f"pile1={cards(number)}; tablas1={tablas}")
    first, second = TWO.returns(state)
    points = TWO.points(state)
    assert (first, second) == (points[0] - points[1], points[1] - points[0])
    assert (first > second, first < second) == (winner == 0, winner == 1)
    expected = "drawn" if winner is None else f"seat {winner + 1} wins"
    assert TWO.presenter.outcome(state).startswith(expected)


def test_rule_6_7_among_three_and_between_partners() -> None:
    state = ended("pile1=Ac; pile2=Kc Kd", "pile3", THREE)
    assert THREE.points(state) == (1, 2, 22)
    assert THREE.returns(state) == (1 - 12, 2 - 11.5, 22 - 1.5)
    state = ended("pile1=Ac; pile2=Kc Kd", "pile3", FOUR)
    assert FOUR.points(state) == (23, 2, 23, 2)
    assert FOUR.returns(state) == (21, -21, 21, -21)
    assert FOUR.presenter.outcome(state).startswith("seat 1 and 3 win")


# -- 7. a match ----------------------------------------------------------------------------


def played(game: Tablic, *ends: Any) -> Match:
    match = Match(game, seed=7)
    for end in ends:
        match.add(end)
    return match


def test_rule_7_1_until_somebody_has_101_points() -> None:
    fifty = ended("pile2=none; tablas1=25", "pile1")
    one = ended("pile1=Ac")
    assert TWO.points(fifty) == (50, 0)
    assert TWO.points(one) == (1, 24)
    match = played(TWO, fifty, fifty)
    assert match.score == [100, 0]
    assert not match.is_over
    assert match.winners == []
    match.add(one)
    assert match.score == [101, 24]
    assert match.is_over
    assert match.winners == [0]


@pytest.mark.parametrize(("target", "over"), [(24, True), (25, True), (26, False)])
def test_rule_7_1_another_target(target: int, over: bool) -> None:
    game = Tablic(target=target)
    match = played(game, ended("pile1=none", game=game))
    assert match.score == [0, 25]
    assert match.is_over == over


def test_rule_7_2_if_several_have_it_the_higher_wins() -> None:
    game = Tablic(target=10, cards_bonus="none")
    match = played(game, ended("pile1=Ac; tablas1=19", game=game))
    assert match.score == [20, 21]
    assert match.winners == [1]


def test_rule_7_2_if_they_are_equal_another_game_is_played() -> None:
    game = Tablic(target=10, cards_bonus="none")
    match = played(game, ended("pile1=Ac; tablas1=20", game=game))
    assert match.score == [21, 21]
    assert not match.is_over
    match.add(ended("pile1=2c 10d Ac; tablas1=15", game=game))
    assert match.score == [40, 39]
    assert match.winners == [0]


def test_rule_7_2_of_three_players_two_are_equal() -> None:
    game = Tablic(target=10, players=3, cards_bonus="none")
    match = played(game, ended("pile1=Ac; tablas1=20", "pile3", game))
    assert match.score == [21, 0, 21]
    assert not match.is_over
    match.add(ended("pile1=Ac", "pile3", game))
    assert match.score == [22, 0, 42]
    assert match.winners == [2]


def test_rule_7_2_partners_win_together() -> None:
    game = Tablic(target=10, players=4, cards_bonus="none")
    match = played(game, ended("pile1=Ac; tablas1=20", "pile2", game))
    assert match.score == [21, 21, 21, 21]
    assert not match.is_over
    match.add(ended("pile1=Ac", "pile2", game))
    assert match.winners == [1, 3]


@pytest.mark.parametrize("game", ALL, ids=str)
def test_rule_7_3_the_deal_passes_to_the_left(game: Tablic) -> None:
    match = Match(game, seed=73)
    dealers = []
    for _ in range(game.players + 1):
        state = game.deal(match.next_seeds.shuffle, match.first)
        dealers.append(int(fields(state, game)["dealer"]))
        match.add(lay_all(state, game))
    n = game.players
    assert dealers == [n, *range(1, n + 1)]
