"""Tests of the oracles of the strategies: the theses' examples and positions made by hand."""

from __future__ import annotations

import random
from copy import deepcopy
from fractions import Fraction as F

import pytest

from tests.oracle import love_letter as ll_rules
from tests.oracle import love_letter_strategies as ll
from tests.oracle import tablic as tb_rules
from tests.oracle import tablic_strategies as tb
from tests.oracle.love_letter_strategies import Other, Seen
from tests.oracle.tablic_strategies import Objective, Reply, Side, Table

# Love Letter

TABLE_3_1 = Seen("thesis", 1, (1, 3), [6, 5, 4], {2: Other()})


def seen(hand: tuple[int, int], gone: list[int] | None = None, **others: Other) -> Seen:
    """Seat 1 to move, the published deck. Opponents: p2=…, p3=…; by default one."""
    seats = {int(key[1:]): other for key, other in others.items()} or {2: Other()}
    return Seen("published", 1, hand, gone or [], seats)


def percent(**parts: int) -> dict[int, F]:
    return {ll_rules.STRENGTH[card]: F(part, 100) for card, part in parts.items()}


def test_thesis_table_3_1() -> None:
    expected = percent(guard=30, priest=20, baron=10, handmaid=10, prince=10, king=0) | percent(
        countess=10, princess=10
    )
    assert ll.beliefs(TABLE_3_1) == {2: expected}
    scores = ll.greedy_scores(TABLE_3_1)
    assert scores["guard>2=priest"] == F("1.2") + F("0.08")
    assert scores["baron>2"] == F("0.3") + F("0.06")
    assert ll.greedy(TABLE_3_1) == "guard>2=priest"


def test_thesis_table_3_1_with_bluff() -> None:
    p = ll.beliefs(TABLE_3_1, bluff=True)[2]
    assert p[2] == p[3] == F(2, 12)
    assert ll.greedy(TABLE_3_1, bluff=True) == "guard>2=baron"


def test_thesis_table_3_1_by_lot() -> None:
    chance = ll.probabilistic(TABLE_3_1)
    assert chance["baron>2"] == F("0.3") / F("1.5")
    assert chance["guard>2=priest"] == F("1.2") / F("1.5") * F(2, 7)
    assert chance["guard>2=king"] == 0
    assert sum(chance.values()) == 1


@pytest.mark.parametrize("deck", ["published", "thesis"])
def test_legal_plays_are_those_of_the_rules(deck: str) -> None:
    rng = random.Random(deck)
    for _ in range(150):
        players = rng.choice([2, 3, 4])
        cards = list(ll.DECKS[deck])
        rng.shuffle(cards)
        game = ll_rules.Round(cards, players)
        while not game.over:
            me = game.mover
            first, second = (ll_rules.STRENGTH[card] for card in game.hands[me])
            lie = [*game.face_up, *(card for pile in game.discards.values() for card in pile)]
            others = {
                seat: Other(bool(game.hands[seat]), seat in game.protected)
                for seat in game.seats
                if seat != me
            }
            gone = [ll_rules.STRENGTH[card] for card in lie]
            position = Seen(deck, me, (first, second), gone, others)
            assert ll.legal(position) == game.legal()
            assert ll.greedy(position) in game.legal()
            assert sum(ll.probabilistic(position).values()) == 1
            game.play(rng.choice(game.legal()))


def test_a_shown_card_is_sure_and_out_of_the_others_hands() -> None:
    p = ll.beliefs(seen((1, 4), [7], p2=Other(shown=8), p3=Other()))
    assert p[2][8] == 1 and p[2][1] == 0
    assert p[3][8] == 0 and p[3][1] == F(4, 12)


def test_prince_at_exactly_a_tenth_goes_on_the_opponent() -> None:
    # Ten cards are unseen; with bluff twelve, so P(Princess) is below a tenth.
    position = Seen("thesis", 1, (5, 4), [6, 5, 1], {2: Other()})
    assert ll.beliefs(position)[2][8] == F(1, 10)
    scores = ll.greedy_scores(position)
    assert scores["prince>2"] == F("1.24") and scores["prince>1"] == F("0.24")
    scores = ll.greedy_scores(position, bluff=True)
    assert scores["prince>1"] == 1 + F(1, 12) + F("0.14")
    assert scores["prince>2"] == scores["prince>1"] - 1
    assert ll.probabilistic(position, bluff=True)["prince>2"] == 0


def test_prince_takes_the_lowest_of_equal_seats_and_keeps_a_strong_card() -> None:
    position = seen((5, 6), p2=Other(protected=True), p3=Other(), p4=Other())
    scores = ll.greedy_scores(position)
    assert scores["prince>3"] == 1 + F(1, 14) + F("0.04")
    assert scores["prince>4"] == scores["prince>1"] == scores["prince>3"] - 1


def test_without_a_target_there_are_no_p_terms() -> None:
    protected = Other(protected=True, shown=8)
    assert ll.greedy_scores(seen((1, 3), p2=protected)) == {"guard": F("1.08"), "baron": F("1.06")}
    assert ll.greedy_scores(seen((5, 4), p2=protected)) == {
        "prince>1": F("1.14"),
        "handmaid": F("1.05"),
    }
    assert ll.probabilistic(seen((1, 6), p2=protected)) == {"guard": F(1, 2), "king": F(1, 2)}


def test_countess_and_princess() -> None:
    assert ll.greedy_scores(seen((7, 6))) == {"countess": F(10)}
    scores = ll.greedy_scores(seen((7, 8)))
    assert scores == {"countess": F("1.02"), "princess": F(0)}
    assert ll.probabilistic(seen((7, 8))) == {"countess": F(1), "princess": F(0)}


def test_baron_and_king_by_their_targets_card() -> None:
    position = seen((3, 6), p2=Other(shown=7), p3=Other(shown=5), p4=Other(shown=1))
    scores = ll.greedy_scores(position)
    assert [scores[f"baron>{seat}"] for seat in (2, 3, 4)] == [F("0.06"), F("2.06"), F("2.06")]
    assert [scores[f"king>{seat}"] for seat in (2, 3)] == [F("2.03"), F("1.03")]
    assert ll.greedy(position) == "baron>3"  # the lower of two equal seats


def test_of_equal_guesses_the_higher_then_the_lower_seat() -> None:
    assert ll.greedy(seen((1, 8), [3], p2=Other(), p3=Other())) == "guard>2=prince"
    sure = seen((1, 8), p2=Other(shown=2), p3=Other(shown=6))
    assert ll.greedy(sure) == "guard>3=king"


def test_guesses_are_equally_likely_if_all_hold_guards() -> None:
    chance = ll.probabilistic(seen((1, 8), p2=Other(shown=1)))
    assert {chance[play] for play in chance if play != "princess"} == {F(1, 7)}


# Tablić


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def taken(text: str) -> frozenset[str]:
    return frozenset(text.split())


def unseen(*known: str) -> tuple[str, ...]:
    """All cards but these."""
    return tuple(card for card in tb_rules.CARDS if card not in " ".join(known).split())


def test_thesis_figure_2() -> None:
    position = Table(cards("8h"), cards("6c 2d 8s 7d As 3h 4h"))
    assert tb.greedy(position) == ("8h", taken("6c 2d 8s 3h 4h As"))
    assert tb.value(tb.greedy(position), position.table) == (1, 7)


def test_thesis_figure_3() -> None:
    position = Table(cards("Qh"), cards("Js Ad 2h"))
    every = tb.plays(position.hand, position.table)
    assert {play: tb.value(play, position.table) for play in every} == {
        ("Qh", tb.NOTHING): (0, 0),
        ("Qh", taken("Js Ad")): (3, 3),
        ("Qh", taken("2h Ad")): (2, 3),
    }
    assert tb.greedy(position) == ("Qh", taken("Js Ad"))


def test_thesis_figure_5() -> None:
    hand, table = "7h As 9d Jc 2c 3s", "Kh Qd 10c"
    position = Table(cards(hand), cards(table), unseen=unseen(hand, table))
    gifts = tb.human_gifts(position)
    least = min(gifts.values())
    assert {card for card, gift in gifts.items() if gift == least} == {"7h", "9d"}
    # Three kings, three queens; three tens, one of two points; three nines.
    assert least == 6 * (2 + F(1, 2)) + 7 + 3 * F(1, 2) + 3 * F(1, 2)
    assert tb.human(position) == ("7h", tb.NOTHING)


def test_thesis_figure_6() -> None:
    hand, table, gone = "Qh Qs 5c", "Qd 9h 4c", "Qc"
    position = Table(cards(hand), cards(table), unseen=unseen(hand, table, gone))
    assert tb.human(position) == ("Qh", tb.NOTHING)


def test_thesis_figure_6_but_a_king_takes_queen_and_ace() -> None:
    hand, table, gone = "Qh Qs 5c", "Qd Ah 4c", "Qc"
    position = Table(cards(hand), cards(table), unseen=unseen(hand, table, gone))
    assert tb.human(position) == ("Qh", taken("Qd"))
    # With no king left, it is laid.
    position = Table(cards(hand), cards(table), unseen=unseen(hand, table, gone, "Kc Kd Kh Ks"))
    assert tb.human(position) == ("Qh", tb.NOTHING)


def test_the_fourth_queen_must_be_gone() -> None:
    hand, table = "Qh Qs 5c", "Qd 9h 4c"
    position = Table(cards(hand), cards(table), unseen=unseen(hand, table))
    assert tb.human(position) == ("Qh", taken("Qd 9h 4c"))  # 9 + 4 = 13


def test_the_plain_ten_is_laid_and_higher_ranks_come_first() -> None:
    position = Table(cards("10d 10h 3c 3d"), cards("10c 3h"), unseen=cards("2d Js"))
    assert tb.human(position) == ("10h", tb.NOTHING)


def test_greedy_lays_the_cheapest_lowest_card() -> None:
    assert tb.greedy(Table(cards("Kh 2c 7d 5s"), cards("9c"))) == ("5s", tb.NOTHING)
    assert tb.greedy(Table(cards("Kh 2c 10d 10s"), ())) == ("2c", tb.NOTHING)


def test_tie_order() -> None:
    # More points come before the order.
    assert tb.greedy(Table(cards("10s 10d"), cards("10h"))) == ("10d", taken("10h"))
    order = [
        ("2c", taken("2h")),
        ("2d", tb.NOTHING),
        ("2d", taken("2h")),
        ("2d", taken("2c")),
        ("2d", taken("2c 2h")),
        ("Kd", taken("8h 6h")),
        ("Kd", taken("10h 4h")),
        ("Kd", taken("Kh")),
        ("Kd", taken("10d 4h")),
    ]
    assert sorted(reversed(order), key=tb.tie_order) == order


def test_plays_are_those_of_the_rules() -> None:
    rng = random.Random(1)
    for _ in range(60):
        drawn = rng.sample(tb_rules.CARDS, 12)
        hand, table = drawn[:4], drawn[4:]
        game = tb_rules.Game(tb_rules.CARDS)
        game.hands[1], game.table = hand, table
        every = tb.plays(hand, table)
        assert {tb.as_kinds(play) for play in every} == game.legal()
        assert len(every) == len(game.legal())


def test_genetic_weighs_the_reply_after_the_own_play() -> None:
    position = Table(cards("9h 4d"), cards("9c Kd"), cards("Ks 3h"))
    genome = (F(1, 2), F(1, 3), F(1, 5), F(1, 7))
    take_nine = 0 + 2 * F(1, 3) - 3 * F(1, 5) - 2 * F(1, 7)  # then the king: tabla
    lay = -2 * F(1, 5) - 2 * F(1, 7)  # the king takes the king only
    assert tb.genetic_scores(position, genome) == {
        ("4d", tb.NOTHING): lay,
        ("9h", tb.NOTHING): lay,
        ("9h", taken("9c")): take_nine,
    }
    assert tb.genetic(position, genome) == ("9h", taken("9c"))
    assert tb.genetic(position, (F(1), F(0), F(1), F(0))) == ("4d", tb.NOTHING)
    assert tb.genetic(Table(cards("9h"), cards("9c")), tb.THESIS_GENOME) == ("9h", taken("9c"))


def test_backtrack_by_hand() -> None:
    position = Table(cards("5h"), cards("Kd 5d"), cards("Ks"))
    lay, take = ("5h", tb.NOTHING), ("5h", taken("5d"))
    assert tb.backtrack_scores(position, "own") == {lay: (0, 0), take: (0, 2)}
    # Without the fives the king makes a tabla.
    assert tb.backtrack_scores(position, "difference") == {lay: (-2, -2), take: (-3, 0)}
    assert tb.backtrack(position, "own") == take
    assert tb.backtrack(position, "difference") == lay
    # What is left goes to the last captor.
    last = Table(cards("5h"), cards("Kd 5d"), cards("Ks"), last_deal=True)
    assert tb.backtrack_scores(last, "difference") == {lay: (-2, -4), take: (-3, 0)}
    nobody: Side
    for nobody, result in (("me", (1, 2)), ("other", (-1, -2))):
        bare = Table(cards("5h"), cards("Kd"), last_deal=True, dealer=nobody)
        assert tb.backtrack_scores(bare, "difference") == {lay: result}


def by_the_rules(game: tb_rules.Game, objective: Objective, reply: Reply) -> tb.Value:
    """My (seat 1's) result at the end of the game, by trying every line."""
    if game.over:
        points, count = game.points(), game.cards()
        if objective == "own":
            return points[1], count[1]
        return points[1] - points[2], count[1] - count[2]
    results = []
    hand = game.hands[game.mover]
    choices = game.legal()
    if game.mover == 2 and reply == "greedy":
        choices = {tb.as_kinds(tb.greedy_play(hand, game.table))}
    for name, kinds in choices:
        after = deepcopy(game)
        (card,) = tb.pick(hand, [name])
        after.play(card, sorted(tb.pick(game.table, kinds)))
        results.append(by_the_rules(after, objective, reply))
    return max(results) if game.mover == 1 else min(results)


@pytest.mark.parametrize("objective", ["own", "difference"])
@pytest.mark.parametrize("reply", ["greedy", "best"])
def test_backtrack_is_the_best_line_by_the_rules(objective: Objective, reply: Reply) -> None:
    rng = random.Random(7)
    for _ in range(15):
        drawn = rng.sample(tb_rules.CARDS, 8)
        second = rng.choice([0, 1])  # the dealer moves with one card more than the other has
        hand, other, table = drawn[:2], drawn[2 : 4 - second], drawn[4:]
        game = tb_rules.Game(tb_rules.CARDS, dealer=1 if second else 2, cards_bonus="none")
        game.deck, game.deals = [], []
        game.hands, game.table, game.mover = {1: list(hand), 2: list(other)}, list(table), 1
        game.last_captor = rng.choice([None, 1, 2])
        sides: dict[int | None, Side | None] = {None: None, 1: "me", 2: "other"}
        position = Table(
            hand=tuple(hand),
            table=tuple(table),
            other_hand=tuple(other),
            last_deal=True,
            last_captor=sides[game.last_captor],
            dealer="me" if second else "other",
        )
        scores = tb.backtrack_scores(position, objective, reply)
        assert max(scores.values()) == by_the_rules(game, objective, reply)
        assert scores[tb.backtrack(position, objective, reply)] == max(scores.values())
