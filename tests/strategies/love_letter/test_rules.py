"""The strategies of Love Letter: the thesis's example, and the oracle on positions met in play."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from scipy.stats import chisquare

from kibitz.core.explanation import Explanation
from kibitz.core.game import View
from kibitz.core.registry import make_strategy
from kibitz.core.strategy import Player
from kibitz.games.love_letter.cards import NAMES
from kibitz.games.love_letter.game import LoveLetter
from kibitz.jit.rng import stream
from tests.games.boards import few
from tests.oracle import love_letter_strategies as oracle
from tests.strategies.tables import met_in_play

EXACT = 1e-12
TABLE_3_1 = "face_up=king prince handmaid; hand1=guard baron"
GAMES = [(players, deck) for players in (2, 3, 4) for deck in ("published", "thesis")]
every_game = pytest.mark.parametrize(("players", "deck"), GAMES)


def sat(strategy: str, game: LoveLetter, seat: int, seed: int = 1) -> Player:
    return make_strategy(strategy).sit(game, seat, stream(seed))


def explained(strategy: str, position: str, **options: Any) -> Explanation:
    """What seat 1 would play, and why."""
    game = LoveLetter(**options)
    view = game.view(game.parse_position(position), 0)
    explanation = sat(strategy, game, 0).explain(view)
    assert sat(strategy, game, 0).choose(view) == explanation.best
    return explanation


def best(position: str, strategy: str = "greedy", **options: Any) -> str:
    return str(explained(strategy, position, **options).best)


def scores(explanation: Explanation) -> dict[str, float]:
    return {str(reason.play): reason.score for reason in explanation.reasons}


def f(position: str, play: str, strategy: str = "greedy", **options: Any) -> float:
    """F of one play, rounded to what the thesis's figures have."""
    return round(scores(explained(strategy, position, **options))[play], 12)


# -- the thesis's example and formulas -------------------------------------------------------


def test_table_3_1_of_the_thesis() -> None:
    explanation = explained("greedy", TABLE_3_1, deck="thesis")
    assert str(explanation.best) == "guard>2=priest"
    (belief,) = explanation.beliefs
    assert belief.place == "seat 2's hand"
    assert belief.cards == {
        "guard": 0.3,
        "priest": 0.2,
        "baron": 0.1,
        "handmaid": 0.1,
        "prince": 0.1,
        "countess": 0.1,
        "princess": 0.1,
    }
    by_play = {str(reason.play): reason for reason in explanation.reasons}
    without_constants = {
        play: round(reason.score - reason.parts["card"], 12) for play, reason in by_play.items()
    }
    assert without_constants["guard>2=priest"] == 1.2
    assert without_constants["baron>2"] == 0.3


def test_table_3_1_with_bluff_counts_the_own_cards_and_names_the_baron() -> None:
    explanation = explained("greedy:bluff=true", TABLE_3_1, deck="thesis")
    assert str(explanation.best) == "guard>2=baron"
    cards = explanation.beliefs[0].cards
    assert cards["priest"] == cards["baron"] == 2 / 12


def test_table_3_1_by_lot() -> None:
    chance = scores(explained("probabilistic", TABLE_3_1, deck="thesis"))
    assert math.isclose(chance["baron>2"], 0.3 / 1.5)
    assert math.isclose(chance["guard>2=priest"], 1.2 / 1.5 * 2 / 7)
    assert chance["guard>2=king"] == 0


def test_each_card_has_its_constant() -> None:
    # Everybody else is protected, so nothing but the constants counts.
    alone = "face_up=guard guard guard; discards2=handmaid; protected=2; hand1="
    assert f(alone + "guard priest", "guard") == 1.08
    assert f(alone + "guard priest", "priest") == 1.07
    assert f(alone + "baron handmaid", "baron") == 1.06
    assert f(alone + "baron handmaid", "handmaid") == 1.05
    assert f(alone + "prince king", "prince>1") == 1.04
    assert f(alone + "prince king", "king") == 1.03
    assert f(alone + "countess princess", "countess") == 1.02
    assert f(alone + "countess princess", "princess") == 0


def test_the_countess_counts_ten_if_she_must_be_played() -> None:
    for other in ("prince", "king"):
        position = f"face_up=guard guard guard; hand1={other} countess"
        assert scores(explained("greedy", position)) == {"countess": 10}


def test_the_king_counts_the_countess_and_the_princess() -> None:
    position = "face_up=guard guard guard; hand1=king handmaid"  # 11 cards are unseen
    assert f(position, "king>2") == round(1 + 2 / 11 + 0.03, 12)


def test_a_prince_goes_on_the_opponent_at_exactly_a_tenth() -> None:
    """Ten cards are unseen; with a bluff twelve, and the Princess is less likely than a tenth."""
    position = "face_up=king prince guard; hand1=prince handmaid"
    assert f(position, "prince>2", deck="thesis") == 1.24
    assert f(position, "prince>1", deck="thesis") == 0.24
    on_oneself = round(1 + 1 / 12 + 0.14, 12)
    assert f(position, "prince>1", "greedy:bluff=true", deck="thesis") == on_oneself
    assert best(position, "greedy:bluff=true", deck="thesis") == "prince>1"


def test_a_prince_beside_a_strong_card_goes_on_the_opponent() -> None:
    for strong in ("prince", "king"):
        position = f"face_up=guard guard princess; hand1=prince {strong}"
        assert f(position, "prince>2") == 1.04
        assert f(position, "prince>1") == 0.04


def test_a_prince_that_must_go_on_oneself_calls_no_strong_card_weak() -> None:
    position = "face_up=guard guard guard; hand1=prince king; discards2=handmaid; protected=2"
    explanation = explained("greedy", position)
    assert str(explanation.best) == "prince>1"
    assert "weak" not in explanation.sentence


def test_of_equal_guesses_the_higher_card_is_named_and_the_lower_seat() -> None:
    assert best("hand1=guard princess; discards2=baron", players=3) == "guard>2=prince"


def test_a_card_that_was_shown_is_certain() -> None:
    position = "face_up=guard guard guard; hand1=guard baron; hand2=princess; known=1>2"
    explanation = explained("greedy", position)
    assert explanation.beliefs[0].cards == {"princess": 1}
    assert str(explanation.best) == "guard>2=princess"
    assert f(position, "guard>2=princess") == 2.08
    assert f(position, "baron>2") == 0.06


def test_a_card_shown_by_one_is_not_in_the_hand_of_another() -> None:
    position = "hand1=guard handmaid; hand2=princess; known=1>2"
    shown, hidden = explained("greedy", position, players=3).beliefs
    assert shown.cards == {"princess": 1}
    assert "princess" not in hidden.cards
    assert hidden.cards["guard"] == 4 / 13


def test_the_likeliest_of_all_opponents_is_named() -> None:
    position = "hand1=guard handmaid; hand3=priest; known=1>3"
    assert best(position, players=4) == "guard>3=priest"
    protected = f"{position}; discards3=handmaid; protected=3"
    assert best(protected, players=4) == "guard>2=prince"


def test_greedy_draws_no_conclusion_from_a_failed_guess() -> None:
    position = "face_up=king prince handmaid; hand1=guard baron; not2=priest"
    assert best(position, deck="thesis") == "guard>2=priest"


def test_of_equal_barons_the_lower_seat_is_named() -> None:
    """Five cards count for the bluff: two are lower than the Handmaid, two higher. A Baron on
    seat 2 is as good as one on seat 3, whose Handmaid was shown: F is 1.06."""
    position = (
        "hand1=baron handmaid; hand2=guard; hand3=handmaid; known=1>3; aside=princess; deck=king;"
        " discards1=guard guard guard guard; discards2=priest priest baron;"
        " discards3=prince prince countess"
    )
    assert best(position, "greedy:bluff=true", players=3) == "baron>2"


# -- the oracle -------------------------------------------------------------------------------


def counted(counts: Any) -> list[int]:
    return [card for card in range(1, 9) for _ in range(int(counts) >> 4 * (card - 1) & 15)]


def seen_by_the_mover(game: LoveLetter, state: Any) -> oracle.Seen:
    """A state as the oracle wants it, with what the mover may know of it."""
    x = state[0]
    me = int(x.turn)
    others = {
        seat + 1: oracle.Other(
            inside=bool(x.inside >> seat & 1),
            protected=bool(x.protected >> seat & 1),
            shown=int(x.hand[seat]) if x.known[me] >> seat & 1 and x.hand[seat] else None,
        )
        for seat in range(game.players)
        if seat != me
    }
    gone = counted(x.face_up) + [c for seat in range(game.players) for c in counted(x.spent[seat])]
    hand = (int(x.hand[me]), int(x.drawn))
    return oracle.Seen(game.settings["deck"], me + 1, hand, gone, others)


def assert_scores(explanation: Explanation, expected: dict[str, Fraction]) -> None:
    played = scores(explanation)
    assert played.keys() == expected.keys()
    for play, score in expected.items():
        assert abs(played[play] - score) < EXACT


def assert_beliefs(explanation: Explanation, expected: dict[int, oracle.Belief]) -> None:
    believed = {belief.place: belief.cards for belief in explanation.beliefs}
    assert believed.keys() == {f"seat {seat}'s hand" for seat in expected}
    for seat, belief in expected.items():
        cards = believed[f"seat {seat}'s hand"]
        assert cards.keys() == {NAMES[card] for card, p in belief.items() if p}
        for name, p in cards.items():
            assert abs(p - belief[NAMES.index(name)]) < EXACT


def views_in_play(game: LoveLetter, positions: int) -> list[tuple[View[Any], oracle.Seen]]:
    return [
        (table.view(table.mover), seen_by_the_mover(game, table.state))
        for table in met_in_play(game, positions)
    ]


@every_game
@pytest.mark.parametrize("bluff", [False, True])
def test_greedy_decides_like_the_oracle(players: int, deck: str, bluff: bool) -> None:
    game = LoveLetter(players=players, deck=deck)
    shown = 0
    for view, seen in views_in_play(game, few(700 if players < 4 else 200, 40)):
        player = sat(f"greedy:bluff={bluff}", game, view.seat)
        explanation = player.explain(view)
        assert str(player.choose(view)) == str(explanation.best) == oracle.greedy(seen, bluff)
        assert_scores(explanation, oracle.greedy_scores(seen, bluff))
        assert_beliefs(explanation, oracle.beliefs(seen, bluff))
        shown += any(other.shown for other in seen.others.values())
    assert shown, "no position in which a card was shown"


@every_game
def test_probabilistic_draws_by_the_oracles_probabilities(players: int, deck: str) -> None:
    game = LoveLetter(players=players, deck=deck)
    for view, seen in views_in_play(game, few(700 if players < 4 else 200, 40)):
        player = sat("probabilistic", game, view.seat, seed=len(view.log))
        explanation = player.explain(view)
        chances = oracle.probabilistic(seen)
        assert_scores(explanation, chances)
        assert_beliefs(explanation, oracle.beliefs(seen))
        assert chances[str(player.choose(view))] > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_probabilistic_draws_each_play_as_often_as_it_says(players: int) -> None:
    game = LoveLetter(players=players)
    for view, seen in views_in_play(game, few(60, 12))[::4]:
        chances = {play: float(p) for play, p in oracle.probabilistic(seen).items() if p}
        draws = math.ceil(10 / min(chances.values()))
        player = sat("probabilistic", game, view.seat)
        made = dict.fromkeys(chances, 0)
        for _ in range(draws):
            made[str(player.choose(view))] += 1
        expected = [draws * p for p in chances.values()]
        if len(chances) > 1:
            assert chisquare(list(made.values()), expected).pvalue > 0.001
