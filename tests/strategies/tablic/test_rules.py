"""The strategies of Tablić: the thesis's figures, and the oracle on positions met in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from kibitz.core.explanation import Explanation, Reason
from kibitz.core.game import View
from kibitz.core.registry import make_strategy
from kibitz.games.tablic.cards import DECK, NAMES, cards_of
from kibitz.games.tablic.game import Tablic, TablicPlay
from kibitz.jit.rng import stream
from tests.games.boards import few
from tests.games.tablic.positions import TWO, full_state, play
from tests.oracle import tablic_strategies as oracle
from tests.oracle.tablic import card_points, rank
from tests.strategies.tables import met_in_play, seen

EXACT = 1e-12
GAMES = [Tablic(players=players) for players in (2, 3, 4)]
every_game = pytest.mark.parametrize("game", GAMES, ids=str)


def decided(strategy: str, view: View[Any]) -> Explanation:
    """What a player would play, and why."""
    player = make_strategy(strategy).sit(view.game, view.seat, stream(1))
    explanation = player.explain(view)
    assert str(player.choose(view)) == str(explanation.best)
    return explanation


def chosen(strategy: str, state: Any) -> str:
    return str(decided(strategy, TWO.view(state, TWO.mover(state))).best)


def counting(table: str, hand: str, gone: str, dealer: int = 2) -> Any:
    """Seat 1 to move in the first deal. Seen are the table, the hand and what is gone."""
    position = f"table={table}; hand1={hand}; pile1=none; pile2={gone}; last=2; turn=1"
    return TWO.parse_position(f"{position}; dealer={dealer}")


# -- the thesis's figures ---------------------------------------------------------------------


def test_figure_2_greedy_takes_three_groups_of_eight() -> None:
    state = full_state("table=6c 2d 8s 7d As 3h 4h; hand1=8h; hand2=Kd")
    assert chosen("greedy", state) == "8h x 8s 6c 4h 3h 2d As"


def test_figure_3_jack_and_ace_bring_more_than_two_and_ace() -> None:
    state = full_state("table=Js Ad 2h; hand1=Qh; hand2=Kd")
    explanation = decided("greedy", TWO.view(state, 0))
    brought = {str(reason.play): dict(reason.parts) for reason in explanation.reasons}
    assert brought["Qh x Js Ad"] == {"points": 3, "cards / 100": 0.03}
    assert brought["Qh x 2h Ad"] == {"points": 2, "cards / 100": 0.03}
    assert brought.keys() == {"Qh x Js Ad", "Qh x 2h Ad", "Qh"}
    assert str(explanation.best) == "Qh x Js Ad"


def test_figure_5_human_lays_what_gives_least() -> None:
    state = counting("Kh Qd 10c", "7h As 9d Jc 2c 3s", gone="5c 5h", dealer=1)
    explanation = decided("human", TWO.view(state, 0))
    given = {str(reason.play): -reason.parts["gift"] for reason in explanation.reasons}
    least = min(given.values())
    assert {card for card, gift in given.items() if gift == least} == {"7h", "9d"}
    assert str(explanation.best) == "7h"  # of equal ones the lowest
    assert chosen("greedy", state) == "3s"  # which looks at points only


def test_figure_6_human_lays_a_queen_and_takes_two_later() -> None:
    state = counting("Qd 9h 4c", "Qh Qs 5c", gone="Qc 6c 6d 7c 7d 8c 8d")
    assert chosen("human", state) == "Qh"
    assert chosen("greedy", state) == "Qh x Qd 9h 4c"
    state = play(full_state("table=Qd 9h 2h; hand1=Qh Qs 5c; hand2=3c 6d 8h"), "Qh", "3c")
    assert chosen("human", state) == "Qs x Qh Qd"


def test_figure_6_but_a_king_takes_queen_and_ace() -> None:
    gone = "Qc 6c 6d"
    state = counting("Qd Ah 4c", "Qh Qs 5c", gone=f"{gone} 7c 7d 8c 8d")
    assert chosen("human", state) == "Qh x Qd"
    all_kings_gone = counting("Qd Ah 4c", "Qh Qs 5c", gone=f"{gone} Kc Kd Kh Ks")
    assert chosen("human", all_kings_gone) == "Qh"


def test_figure_6_needs_the_fourth_queen_gone() -> None:
    state = counting("Qd 9h 4c", "Qh Qs 5c", gone="5d 6c 6d 7c 7d 8c 8d")
    assert chosen("human", state) == "Qh x Qd 9h 4c"


def test_of_two_pairs_the_higher_is_kept_back_and_its_cheaper_card_laid() -> None:
    state = full_state("table=10c 3h; hand1=10d 10h 3c 3d; hand2=2d Js 8c 7c")
    assert chosen("human", state) == "10h"


def test_of_equal_gifts_the_card_of_fewest_points_is_laid() -> None:
    assert chosen("human", full_state("table=9c; hand1=2c 3d; hand2=Kc Kd")) == "3d"


def test_nothing_is_kept_back_where_captures_are_forced() -> None:
    game = Tablic(forced_capture=True)
    text = "table=Qd 9h 4c; hand1=Qh Qs 5c; hand2=3c 6d 8h"
    view = game.view(full_state(text, game=game), 0)
    assert str(decided("human", view).best) == "Qh x Qd 9h 4c"


def test_of_equal_captures_the_lower_hand_card_takes() -> None:
    state = full_state("table=9h 3h; hand1=9s 3d; hand2=Kd Kc")
    assert chosen("greedy", state) == "3d x 3h"


def test_of_equal_captures_with_one_card_the_lower_cards_are_taken() -> None:
    state = full_state("table=5c 5d 4c 3c 2d; hand1=Jc; hand2=Kd")
    assert chosen("greedy", state) == "Jc x 5c 4c 3c"  # not 5 5 2


def test_greedy_lays_the_card_of_fewest_points() -> None:
    assert chosen("greedy", full_state("table=9c; hand1=Kh 2c 7d 5s; hand2=8c 8d 8h 8s")) == "5s"
    assert chosen("greedy", full_state("table=9c; hand1=Kh 2c 10d 10s; hand2=8c 8d 8h 8s")) == "2c"
    assert chosen("greedy", full_state("table=9c; hand1=Kh 2c As; hand2=8c 8d 8h")) == "As"


# -- the oracle -------------------------------------------------------------------------------


def names(cards: Any) -> tuple[str, ...]:
    return tuple(NAMES[card] for card in cards_of(int(cards)))


def seen_by_the_mover(game: Tablic, state: Any) -> oracle.Table:
    """A state as the oracle wants it. The other's hand is for those who may see it."""
    x = state[0]
    me = int(x.turn)
    known = int(x.table) | int(x.hand[me])
    for seat in range(game.players):
        known |= int(x.pile[seat])
    return oracle.Table(
        hand=names(x.hand[me]),
        table=names(x.table),
        other_hand=names(x.hand[1 - me]) if game.players == 2 else (),
        unseen=names(DECK & ~known),
    )


def in_play(
    game: Tablic, strategy: str, positions: int
) -> Iterator[tuple[oracle.Table, Explanation]]:
    """Positions met in play, and what a strategy says of them."""
    for table in met_in_play(game, positions, "random greedy greedy"):
        view = seen(table, make_strategy(strategy))
        yield seen_by_the_mover(game, table.state), decided(strategy, view)


def as_oracle(played: Any) -> oracle.Play:
    assert isinstance(played, TablicPlay)
    return NAMES[played.card], frozenset(names(played.taken))


def assert_close(value: float, expected: Fraction | float) -> None:
    assert abs(value - expected) < EXACT


def brought(reason: Reason, table: oracle.Table) -> float:
    """Greedy's score of a play."""
    card, taken = as_oracle(reason.play)
    points, cards = oracle.value((card, taken), table.table)
    return points + cards / 100 if taken else -card_points(card) / 10000


@every_game
def test_greedy_decides_like_the_oracle(game: Tablic) -> None:
    laid = taken = 0
    for table, explanation in in_play(game, "greedy", few(2000, 48)):
        assert as_oracle(explanation.best) == oracle.greedy(table)
        taken += bool(oracle.greedy(table)[1])
        laid += not oracle.greedy(table)[1]
        for reason in explanation.reasons:
            assert_close(reason.score, brought(reason, table))
    assert taken > laid / 4 and laid > taken / 4


@every_game
def test_human_decides_like_the_oracle(game: Tablic) -> None:
    counts: Counter[str] = Counter()
    for table, explanation in in_play(game, "human", few(2000, 48)):
        assert as_oracle(explanation.best) == oracle.human(table)
        held_back = oracle.keep_back(table)
        takes = oracle.greedy(table)[1]
        gifts = {} if takes else oracle.human_gifts(table)
        for reason in explanation.reasons:
            card, taken = as_oracle(reason.play)
            is_held_back = not taken and card == held_back
            assert ("kept back" in reason.parts) == is_held_back
            assert_close(-reason.parts.get("gift", 0), gifts.get(card, 0))
            counts["kept back"] += is_held_back
        counts["takes" if takes else "lays"] += 1
        if table.unseen:
            (belief,) = explanation.beliefs
            hidden = Counter(rank(card) for card in table.unseen)
            assert belief.cards == {r: n / len(table.unseen) for r, n in hidden.items()}
    assert counts["takes"] and counts["lays"] and counts["kept back"] >= few(5, 0)


def test_backtrack_leaves_a_greedy_opponent_the_ten_of_diamonds_as_a_bait() -> None:
    """Lay a queen; the jacks go. Then take the plain ten: greedy takes 10d and leaves the king,
    the eight and the six, a tabla. Taking 10d, the better card, would leave him those."""
    state = full_state("table=10d 10h 3c Kd 8c 6c Jc Jd Jh; hand1=Qs Qc Kc; hand2=10s Ks Js")
    position = replace(seen_by_the_mover(TWO, state), last_deal=True, last_captor="other")
    assert oracle.backtrack_scores(position)["Qc", oracle.NOTHING] == (7, 9)
    explanation = decided("backtrack", TWO.view_open_hands(state, 0))
    assert str(explanation.best) == "Qc"
    assert_close(explanation.reasons[0].score, 7.009)
