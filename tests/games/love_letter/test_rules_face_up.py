"""Love Letter, rule 2.5: a game whose three cards face up are always the same."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from pathlib import Path

import pytest
from scipy.stats import chisquare

from kibitz.core.errors import BadText
from kibitz.core.registry import make_game, make_strategy
from kibitz.games.love_letter.cards import NAMES
from kibitz.games.love_letter.game import LoveLetter
from kibitz.table.record import Record, replay
from kibitz.table.table import Table as Round
from tests.games.boards import few
from tests.games.love_letter.table import Table, all_cards
from tests.processes import assert_refused, kibitz_here

CARDS = "priest priest countess"
SPEC = f"love-letter:face_up={CARDS}"
GAME = LoveLetter(face_up=CARDS)
DECKS = [
    ("published", CARDS),
    ("published", "guard guard guard"),
    ("published", "guard king princess"),
    ("thesis", CARDS),
    ("thesis", "guard guard guard"),
]


def order(game: LoveLetter, seed: int) -> list[int]:
    """The cards that are dealt by lot, in dealing order."""
    x = game.deal(seed)[0]
    deck = [int(x.deck) >> 4 * i & 15 for i in range(int(x.left))]
    return [int(x.aside), int(x.hand[0]), int(x.hand[1]), int(x.drawn), *deck]


@pytest.mark.parametrize(("deck", "cards"), DECKS)
def test_rule_2_5_these_cards_lie_face_up(deck: str, cards: str) -> None:
    game = LoveLetter(deck=deck, face_up=cards)
    for seed in range(20):
        for first in (0, 1):
            round_ = Table(game, game.deal(seed, first))
            assert round_["face_up"] == cards
            assert round_.cards == all_cards(game)
            assert round_["turn"] == str(first + 1)


@pytest.mark.parametrize(("deck", "cards"), DECKS)
def test_rule_2_5_each_other_card_as_often_in_each_place(deck: str, cards: str) -> None:
    game = LoveLetter(deck=deck, face_up=cards)
    left = all_cards(game) - Counter(cards.split())
    size, n = left.total(), few(2000, 300)
    orders = [order(game, seed) for seed in range(n)]
    for place in range(size):
        seen = Counter(NAMES[dealt[place]] for dealt in orders)
        assert seen.total() == sum(seen[card] for card in left), "no other card"
        expected = [n * left[card] / size for card in left]
        assert chisquare([seen[card] for card in left], expected).pvalue > 1e-4


def test_rule_2_5_each_pair_of_neighbours_as_often() -> None:
    left = all_cards(GAME) - Counter(CARDS.split())
    n = few(4000, 1000)
    orders = [order(GAME, seed) for seed in range(n)]
    for place in range(12):
        seen = Counter((dealt[place] == 1, dealt[place + 1] == 1) for dealt in orders)
        guards, others = left["guard"], 13 - left["guard"]
        pairs = {
            (True, True): guards * (guards - 1),
            (True, False): guards * others,
            (False, True): others * guards,
            (False, False): others * (others - 1),
        }
        expected = [n * ways / (13 * 12) for ways in pairs.values()]
        assert chisquare([seen[pair] for pair in pairs], expected).pvalue > 1e-4


def test_rule_2_5_a_seed_is_one_shuffle() -> None:
    assert GAME.deal(5).tobytes() == GAME.deal(5).tobytes()
    assert GAME.deal(5).tobytes() != GAME.deal(6).tobytes()


def test_rule_2_5_worlds_keep_the_cards() -> None:
    for seed in range(10):
        for viewer in (1, 2):
            for world in Table(GAME, GAME.deal(seed)).worlds(viewer, 5):
                assert world["face_up"] == CARDS
                assert world.cards == all_cards(GAME)


def test_rule_2_5_none_is_by_lot() -> None:
    assert LoveLetter(face_up="None").spec == "love-letter"
    face_up = {Table(LoveLetter(), LoveLetter().deal(seed))["face_up"] for seed in range(20)}
    assert len(face_up) > 10


@pytest.mark.parametrize("text", [CARDS, "2 2 7", "7 2 priest", " Countess  PRIEST 2 "])
def test_rule_2_5_has_one_text(text: str) -> None:
    game = make_game(f"love-letter:deck=thesis,face_up={text}")
    assert game.spec == f"love-letter:deck=thesis,face_up={CARDS}"
    assert game.settings["face_up"] == CARDS
    for again in (make_game(game.spec), pickle.loads(pickle.dumps(game))):
        assert (again, again.settings) == (game, game.settings)
        assert again.deal(1).tobytes() == game.deal(1).tobytes()


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (f"players=3,face_up={CARDS}", "face_up is for two players only"),
        (f"players=4,face_up={CARDS}", "face_up is for two players only"),
        ("face_up=priest priest", "three cards lie face up, not 2"),
        ("face_up=1 1 1 1", "three cards lie face up, not 4"),
        ("face_up=", "three cards lie face up, not 0"),
        ("face_up=king king guard", "not so many cards named king"),
        ("face_up=2 2 2", "not so many cards named priest"),
        ("face_up=guard guard jack", "no card 'jack'"),
        ("face_up=1 1 9", "no card '9'"),
        ("face_up=none none none", "no card 'none'"),
    ],
)
def test_rule_2_5_refused(tmp_path: Path, options: str, why: str) -> None:
    spec = f"love-letter:{options}"
    assert why in assert_refused(kibitz_here("games", spec, home=tmp_path))


def test_rule_2_5_a_deck_with_other_cards_is_refused() -> None:
    dealt = order(GAME, 1)
    deck = [dealt[0], 7, 2, 2, *dealt[1:]]
    assert GAME.deal_deck(deck).tobytes() == GAME.parse_position(_text(deck)).tobytes()
    assert Table(GAME, GAME.deal_deck(deck))["face_up"] == CARDS
    for other in (deck[::-1], [*deck[1:], deck[0]]):
        with pytest.raises(BadText, match=f"can't lie face up in a game with face_up={CARDS}$"):
            GAME.deal_deck(other)
        with pytest.raises(BadText, match="can't lie face up"):
            GAME.parse_position(_text(other))


def _text(deck: list[int]) -> str:
    return " ".join(NAMES[card] for card in deck)


def test_rule_2_5_a_position_with_other_cards_is_refused() -> None:
    given = GAME.parse_position("face_up=countess priest 2; hand1=guard 6")
    assert GAME.position(given) == f"face_up={CARDS}; hand1=guard king; turn=1"
    with pytest.raises(BadText, match=r"^guard priest countess can't lie face up"):
        GAME.parse_position("face_up=priest countess guard; hand1=guard king")


def test_rule_2_5_a_record_has_the_cards() -> None:
    round_ = Round(GAME, 3)
    round_.play_out([make_strategy("random")] * 2)
    text = Record.of(round_, ["random"] * 2).model_dump_json()
    assert json.loads(text)["options"]["face_up"] == CARDS
    assert replay(Record.model_validate_json(text)).state.tobytes() == round_.state.tobytes()


def test_rule_2_5_strategies_are_compared_with_it(tmp_path: Path) -> None:
    args = ("compare", "love-letter:face_up=2 2 7", "greedy", "random", "--pairs", "20", "--json")
    done = kibitz_here(*args, home=tmp_path)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["game"] == SPEC
    assert document["matches"][0]["pairs"] == 20
