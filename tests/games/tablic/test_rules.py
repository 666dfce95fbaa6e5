"""The rules of Tablić one by one: cards and dealing, and what is refused as a position."""

from __future__ import annotations

import pytest

from kibitz.core.errors import BadText
from kibitz.games.tablic.cards import parse_card
from kibitz.games.tablic.game import Tablic
from tests.games.tablic.positions import (
    ALL,
    FOUR,
    THREE,
    TWO,
    dealt,
    ended,
    fields,
    full_state,
    lay,
    play,
    plays,
    refused,
    shuffled,
    zone,
)
from tests.oracle.tablic import CARDS, RANKS

# -- 1. cards ------------------------------------------------------------------------------


def test_rule_1_1_fifty_two_cards() -> None:
    text = "Ac Ad Ah As 2c 2d 2h 2s 3c 3d 3h 3s 4c 4d 4h 4s 5c 5d 5h 5s 6c 6d 6h 6s 7c 7d 7h 7s "
    text += "8c 8d 8h 8s 9c 9d 9h 9s 10c 10d 10h 10s Jc Jd Jh Js Qc Qd Qh Qs Kc Kd Kh Ks"
    assert fields(ended("pile1=none"))["pile2"] == text
    assert sorted(parse_card(card) for card in text.split()) == list(range(52))


def test_rule_1_1_suits_have_letters_and_symbols() -> None:
    state = TWO.parse_position("table=Q♣ q♦ Q♥ qS; hand1=10♦; deck=none")
    assert fields(state)["table"] == "Qc Qd Qh Qs"
    assert fields(state)["hand1"] == "10d"


@pytest.mark.parametrize("card", ["1c", "11d", "Qx", "Q", "h", "10", "Joker", "Tc"])
def test_rule_1_1_no_other_cards(card: str) -> None:
    with pytest.raises(BadText, match="is not a card"):
        TWO.parse_position(f"table={card}; hand1=Ah; deck=none")
    with pytest.raises(BadText, match="is not a card"):
        TWO.parse_play(full_state("table=Qd; hand1=Ah; hand2=Kd"), f"Ah x {card}")


def test_rule_1_1_a_deck_has_every_card_once() -> None:
    twice = [*CARDS[:51], CARDS[0]]
    for deck in (CARDS[:51], [*CARDS, CARDS[0]], twice):
        with pytest.raises(BadText, match="all 52 cards"):
            TWO.parse_position(" ".join(deck))


@pytest.mark.parametrize(
    ("card", "taken"),
    [
        ("2h", "Ad Ac"),
        ("3h", "2d Ac"),
        ("4h", "3d Ac"),
        ("5h", "3d 2d"),
        ("6h", "4d 2d"),
        ("7h", "5d 2d"),
        ("8h", "5d 3d"),
        ("9h", "5d 4d"),
        ("10h", "6d 4d"),
        ("Jh", "7d 5d"),
        ("Qh", "10c 3d"),
        ("Kh", "10c 4d"),
        # and the values of J and Q on the table
        ("Qh", "Jd Ac"),
        ("Kh", "Jd 2d"),
        ("Kh", "Qd Ac"),
    ],
)
def test_rule_1_2_values(card: str, taken: str) -> None:
    assert plays(taken, card) == [card, f"{card} x {taken}"]


@pytest.mark.parametrize("card", [f"{rank}h" for rank in RANKS[1:]])
def test_rule_1_2_a_card_takes_its_own_rank_and_no_other(card: str) -> None:
    twin = card.replace("h", "s")
    table = " ".join([twin, *(f"{rank}d" for rank in RANKS[2:] if f"{rank}h" != card)])
    singles = [text for text in plays(table, card) if len(text.split()) == 3]
    assert singles == [f"{card} x {twin}"]


def test_rule_1_3_an_ace_on_the_table_is_1_or_11() -> None:
    assert plays("As 7d", "8h") == ["8h", "8h x 7d As"]
    assert plays("As 2d", "Qh") == ["Qh", "Qh x 2d As"]
    assert plays("As 3d", "Kh") == ["Kh", "Kh x 3d As"]


def test_rule_1_3_each_ace_as_its_captor_likes() -> None:
    assert plays("Ac Ad", "Jh") == ["Jh", "Jh x Ad Ac"]  # 11 and 1 in one group
    assert plays("Ac Ad Ah", "Qh") == ["Qh", "Qh x Ah Ad Ac"]
    assert plays("Ac Ad Ah As", "Kh") == ["Kh", "Kh x As Ah Ad Ac"]
    # 11 in one group and 1 in the other
    assert "Qh x Jd 2d Ad Ac" in plays("Ac Ad 2d Jd", "Qh")


def test_rule_1_3_a_played_ace_is_worth_11() -> None:
    assert plays("9d 2d", "Ah") == ["Ah", "Ah x 9d 2d"]
    assert plays("8d 2d Ac", "Ah") == ["Ah", "Ah x 8d 2d Ac", "Ah x Ac"]
    assert plays("6d 4d", "Ah") == ["Ah"]


def test_rule_1_3_a_played_ace_takes_aces() -> None:
    assert set(plays("Ac Ad 10c", "Ah")) == {
        "Ah",
        "Ah x Ac",
        "Ah x Ad Ac",
        "Ah x 10c Ac",
        "Ah x 10c Ad Ac",
    }


# -- 2. dealing ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", ALL, ids=str)
def test_rule_2_1_four_cards_to_the_table(game: Tablic) -> None:
    deck = shuffled(21)
    state = dealt(deck, game=game)
    assert zone(state, "table", game) == set(deck[:4])
    rest = 52 - 4 - 6 * game.players
    assert fields(state, game)["deck"].split() == deck[-rest:]


def test_rule_2_1_a_shuffled_deal_is_a_function_of_its_seed() -> None:
    texts = {TWO.position(TWO.deal(seed)) for seed in (1, 2, 3, 1)}
    assert len(texts) == 3
    state = TWO.deal(1, 1)
    assert len(zone(state, "table")) == 4
    assert TWO.mover(state) == 1


def test_rule_2_2_two_players_packets_of_three() -> None:
    deck = shuffled(22)
    state = TWO.parse_position(" ".join(deck))
    for start in (4, 16, 28, 40):
        packets = [set(deck[at : at + 3]) for at in range(start, start + 12, 3)]
        assert zone(state, "hand1") == packets[0] | packets[2]
        assert zone(state, "hand2") == packets[1] | packets[3]
        assert fields(state)["deck"] == (" ".join(deck[start + 12 :]) or "none")
        for _ in range(12):
            state = lay(state)
    assert TWO.is_over(state)


def test_rule_2_3_three_players_6_6_and_4_cards() -> None:
    deck = shuffled(23)
    state = dealt(deck, game=THREE)
    for start, packet in ((4, 3), (22, 3), (40, 2)):
        for seat in range(3):
            first, second = start + packet * seat, start + packet * (seat + 3)
            cards = deck[first : first + packet] + deck[second : second + packet]
            assert zone(state, f"hand{seat + 1}", THREE) == set(cards)
        for _ in range(6 * packet):
            state = lay(state, THREE)
    assert THREE.is_over(state)


def test_rule_2_4_four_players_two_deals_of_six() -> None:
    deck = shuffled(24)
    state = dealt(deck, game=FOUR)
    for start in (4, 28):
        for seat in range(4):
            first, second = start + 3 * seat, start + 3 * (seat + 4)
            cards = deck[first : first + 3] + deck[second : second + 3]
            assert zone(state, f"hand{seat + 1}", FOUR) == set(cards)
        for _ in range(24):
            state = lay(state, FOUR)
    assert FOUR.is_over(state)


def test_rule_2_4_seats_1_and_3_are_partners() -> None:
    state = ended("pile1=Ac Kd", "pile4", FOUR)
    points = FOUR.points(state)
    assert points[0] == points[2] == 2
    assert points[1] == points[3] == 20 + 3
    assert FOUR.partners == 2
    assert TWO.partners == THREE.partners == 1


FIRST = [(game, first) for game in ALL for first in range(game.players)]


@pytest.mark.parametrize(("game", "first"), FIRST, ids=str)
def test_rule_2_5_packets_and_turns_begin_left_of_the_dealer(game: Tablic, first: int) -> None:
    n = game.players
    deck = shuffled(25)
    state = dealt(deck, first, game)
    assert fields(state, game)["dealer"] == str((first - 1) % n + 1)
    for i in range(n):
        packet = set(deck[4 + 3 * i : 7 + 3 * i])
        assert packet < zone(state, f"hand{(first + i) % n + 1}", game)
    for turn in range(48):  # a multiple of the players in every deal
        assert game.mover(state) == (first + turn) % n
        state = lay(state, game)


@pytest.mark.parametrize("game", ALL, ids=str)
def test_rule_2_6_a_new_deal_only_when_all_hands_are_empty(game: Tablic) -> None:
    state = dealt(shuffled(26), game=game)
    deck = fields(state, game)["deck"]
    for _ in range(6 * game.players - 1):
        state = lay(state, game)
        assert fields(state, game)["deck"] == deck
    last = f"hand{game.mover(state) + 1}"
    assert [len(zone(state, f"hand{s + 1}", game)) for s in range(game.players)].count(0) == (
        game.players - 1
    )
    assert len(zone(state, last, game)) == 1
    then = lay(state, game)
    assert len(zone(then, last, game)) == (4 if deck.count(" ") < 12 else 6)


@pytest.mark.parametrize("game", ALL, ids=str)
def test_rule_2_6_no_new_cards_to_the_table(game: Tablic) -> None:
    state = dealt(shuffled(26), game=game)
    laid = zone(state, "table", game)
    for _ in range(6 * game.players):
        laid |= {fields(state, game)[f"hand{game.mover(state) + 1}"].split()[0]}
        state = lay(state, game)
    assert zone(state, "table", game) == laid


def test_rule_2_6_the_game_ends_when_the_deck_does() -> None:
    state = dealt(shuffled(26))
    for _ in range(47):
        state = lay(state)
        assert not TWO.is_over(state)
    end = lay(state)
    assert fields(end)["turn"] == "over"
    assert list(TWO.plays(end)) == []
    assert refused(end, "Ac") == "5.1"


# -- positions that can't be ---------------------------------------------------------------

FULL = "table=9c Jd; hand1=Ah; hand2=3s; deck=none; last=2; dealer=2; turn=1"


def test_a_position_is_played_on_from_when_all_cards_are_placed() -> None:
    partial = TWO.parse_position("table=9c Jd; hand1=Ah; deck=none")
    with pytest.raises(BadText, match="missing: hand2"):
        play(partial, "Ah")
    with pytest.raises(BadText, match="missing: the piles"):
        play(TWO.parse_position(FULL), "Ah")
    assert zone(play(full_state(FULL), "Ah"), "table") == {"9c", "Jd", "Ah"}


@pytest.mark.parametrize("game", ALL, ids=str)
def test_a_position_survives_being_written_and_read(game: Tablic) -> None:
    text = game.position(lay(dealt(shuffled(3), 1, game), game))
    assert game.position(game.parse_position(text)) == text


def impossible(text: str, reason: str, game: Tablic = TWO) -> None:
    with pytest.raises(BadText, match=reason):
        game.parse_position(text)


def test_rule_1_1_a_position_has_no_card_twice() -> None:
    impossible("table=9c 9c; hand1=Ah; deck=none", "table names a card twice")
    impossible("table=9c; hand1=9c; deck=none", "9c is in two places")
    impossible("table=9c; hand1=Ah; pile1=Ah; last=1; deck=none", "Ah is in two places")
    impossible(f"table=none; hand1=Ah; deck={' '.join(CARDS[:12])}", "Ah is in two places")


def test_rule_1_1_a_position_has_52_cards() -> None:
    rest = " ".join(CARDS[:51])
    text = f"table=none; hand1=Ks; pile1={rest}; pile2=none; deck=none; last=1"
    impossible(text, "53 cards")  # seat 2 holds a card too
    impossible(text.replace("Ac Ad", "") + "; hand2=Ac", "51 cards")


def test_rule_2_2_the_sizes_of_hands_and_deck() -> None:
    impossible("table=9c; hand1=Ac Ad Ah As 2c 2d 2h; deck=none", "1 to 6 cards")
    impossible("table=9c; hand1=none; deck=none", "1 to 6 cards")
    impossible("table=9c; deck=none", "at least the hand of the seat to move")
    impossible("table=9c; hand1=Ah; deck=Ks", "the deck has 36, 24, 12, 0 cards, not 1")


def test_rule_2_3_the_sizes_of_hands_and_deck() -> None:
    impossible("table=9c; hand1=Ac Ad Ah As 2c; deck=none", "last deal has 4 cards", THREE)
    impossible(f"table=9c; hand1=Ah; deck={' '.join(CARDS[4:22])}", "30, 12, 0 cards", THREE)


def test_rule_2_4_the_sizes_of_hands_and_deck() -> None:
    impossible(f"table=9c; hand1=Ah; deck={' '.join(CARDS[4:16])}", "has 24, 0 cards", FOUR)


def test_rule_2_5_who_has_played_holds_one_card_less() -> None:
    reason = "sizes do not fit the turn"
    impossible("table=9c; hand1=Ah; hand2=2c 3c; turn=1; deck=none", reason)
    impossible("table=9c; hand1=Ah; hand2=Kd; turn=2; deck=none", reason)
    impossible("table=9c; hand1=Ah; hand3=Kd; turn=2; deck=none", reason, THREE)
    state = TWO.parse_position("table=9c; hand1=Ah; hand2=2c 3c; deck=none")
    assert fields(state)["turn"] == "2"


def test_other_positions_that_are_refused() -> None:
    impossible("hand1=Ah; deck=none", "table is missing")
    impossible("table=9c; hand1=Ah; deck=none; pile1=Kc Kd", "give last=")
    impossible("table=9c; hand1=Ah; deck=none; dealer=3", "dealer=3 is not possible")
    impossible("table=9c; deck=none; turn=over", "the game is over")
    impossible("table=none; hand1=Ah; turn=over", "the game is over")


def test_tablas_and_the_last_captor_need_a_pile() -> None:
    with pytest.raises(BadText, match="tablas but no pile"):
        full_state("table=none; hand1=Ah; hand2=3s; tablas1=1")
    with pytest.raises(BadText, match="nobody has a pile"):
        full_state("table=none; hand1=Ah; hand2=3s; last=1", "table")
