"""Love Letter, sections 1 and 2 of its rules: the cards and the set-up of a round.

The other sections: test_rules_turns.py, …_ends.py, …_knowledge.py and …_worlds.py;
what is refused: …_refusals.py.
"""

from __future__ import annotations

from collections import Counter

import pytest

from kibitz.core.errors import BadText, BadValue
from kibitz.games.love_letter.cards import NAMES, NUMBERS
from kibitz.games.love_letter.game import LoveLetter
from tests.games.love_letter.table import Table, all_cards

DECK = (
    "king guard priest guard baron handmaid prince guard "
    "countess princess guard priest handmaid prince baron guard"
)
THESIS = DECK.removesuffix(" guard")


def dealt(cards: str = DECK, first: int = 1, players: int = 2, **options: str) -> Table:
    """A round from a deck in dealing order."""
    game = LoveLetter(players=players, **options)
    return Table(game, game.deal_deck([NUMBERS[word] for word in cards.split()], first - 1))


def shuffled(seed: int, players: int = 2, **options: str) -> Table:
    game = LoveLetter(players=players, **options)
    return Table(game, game.deal(seed))


# -- 1. cards ------------------------------------------------------------------------------


def test_rule_1_1_sixteen_cards() -> None:
    assert all_cards(LoveLetter()) == {
        "guard": 5,
        "priest": 2,
        "baron": 2,
        "handmaid": 2,
        "prince": 2,
        "king": 1,
        "countess": 1,
        "princess": 1,
    }


def test_rule_1_1_the_number_is_the_strength() -> None:
    assert NAMES[1:] == (
        "guard",
        "priest",
        "baron",
        "handmaid",
        "prince",
        "king",
        "countess",
        "princess",
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rule_1_1_a_shuffled_deck_has_these_cards(players: int) -> None:
    assert shuffled(1, players).cards == all_cards(LoveLetter())


def test_rule_1_1_a_deck_of_other_cards_is_refused() -> None:
    with pytest.raises(BadText):
        dealt(DECK.replace("countess", "princess"))


def test_rule_1_1_size_of_the_game() -> None:
    assert list(LoveLetter().presenter.facts().values()) == [10897286400, 11158821273600]


def test_rule_1_2_thesis_has_four_guards() -> None:
    one_guard_less = all_cards(LoveLetter()) - Counter({"guard": 1})
    assert all_cards(LoveLetter(deck="thesis")) == one_guard_less
    assert shuffled(1, deck="thesis").cards == one_guard_less


def test_rule_1_2_thesis_deals_fifteen_cards() -> None:
    round_ = dealt(THESIS, deck="thesis")
    assert round_["deck"] == "guard countess princess guard priest handmaid prince baron"


def test_rule_1_2_thesis_refuses_sixteen_cards() -> None:
    with pytest.raises(BadText):
        dealt(DECK, deck="thesis")


# -- 2. set-up -----------------------------------------------------------------------------


@pytest.mark.parametrize("players", [0, 1, 5])
def test_rule_2_1_two_to_four_players(players: int) -> None:
    with pytest.raises(BadValue):
        LoveLetter(players=players)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_rule_2_1_the_first_card_is_aside(players: int) -> None:
    assert dealt(players=players)["aside"] == "king"


def test_rule_2_1_face_down() -> None:
    assert dealt().seen_by(1)["aside"] is None
    assert dealt().seen_by(2)["aside"] is None


def test_rule_2_1_the_deck_is_shuffled() -> None:
    aside = Counter(shuffled(seed)["aside"] for seed in range(160))
    assert set(aside) == set(NUMBERS)
    assert 35 <= aside["guard"] <= 65, "five of sixteen"


def test_rule_2_1_a_seed_is_one_shuffle() -> None:
    assert shuffled(5).state.tobytes() == shuffled(5).state.tobytes()
    assert shuffled(5).state.tobytes() != shuffled(6).state.tobytes()


def test_rule_2_2_three_cards_face_up() -> None:
    assert dealt()["face_up"] == "guard guard priest"


@pytest.mark.parametrize("players", [3, 4])
def test_rule_2_2_only_with_two_players(players: int) -> None:
    assert dealt(players=players)["face_up"] is None
    assert dealt(players=players)["hand1"] == f"guard {DECK.split()[1 + players]}"


def test_rule_2_3_one_card_each() -> None:
    round_ = dealt(players=4)
    assert round_["hand1"] == "guard handmaid", "and the card that seat 1 has drawn"
    assert (round_["hand2"], round_["hand3"], round_["hand4"]) == ("priest", "guard", "baron")


@pytest.mark.parametrize(
    ("first", "hands"),
    [
        (1, "guard priest guard"),
        (2, "guard guard priest"),
        (3, "priest guard guard"),
    ],
)
def test_rule_2_3_the_starter_first_then_to_the_left(first: int, hands: str) -> None:
    assert dealt(first=first, players=3).held_by(1, 2, 3) == hands


def test_rule_2_3_the_starter_is_to_move() -> None:
    assert dealt(first=3, players=3)["turn"] == "3"


def test_rule_2_4_the_rest_is_the_deck() -> None:
    round_ = dealt()
    assert round_["deck"] == "guard countess princess guard priest handmaid prince baron guard"
    assert round_.left == 9


@pytest.mark.parametrize(("players", "left"), [(3, 11), (4, 10)])
def test_rule_2_4_the_deck_of_more_players(players: int, left: int) -> None:
    deck = dealt(players=players)["deck"]
    assert deck == " ".join(DECK.split()[-left:])
    assert dealt(players=players).left == left


def test_rule_2_4_drawn_from_the_top() -> None:
    round_ = dealt().play("baron>2")
    assert round_["hand1"] == "prince", "drawn at the deal"
    assert dealt().play("prince>1")["hand2"] == "handmaid countess", "after the prince's guard"
