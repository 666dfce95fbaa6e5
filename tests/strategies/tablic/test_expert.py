"""The expert at Tablić: its last deal is the oracle's, and it finds out who the other is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from kibitz.core.registry import make_strategy
from kibitz.games.tablic.cards import NAMES, cards_of
from kibitz.games.tablic.game import Tablic, TablicPlay
from kibitz.games.tablic.open_hands import set_up
from kibitz.jit.rng import below, stream
from kibitz.strategies.common.base import turns_before
from kibitz.strategies.genetic import THESIS_GENOME
from kibitz.strategies.tablic import expert, opponents
from kibitz.strategies.tablic.opponents import BACKTRACK, BEST, GREEDY, SIZE, TYPES, posterior
from kibitz.strategies.tablic.reply_twin import answer_as
from kibitz.table.table import Table
from tests.games.boards import few
from tests.games.tablic.positions import FOUR, TWO
from tests.oracle import tablic_last_deal as oracle
from tests.oracle.tablic_strategies import Play
from tests.search.fast.arrays import compiled_only
from tests.solvers.tablic.late import twins
from tests.strategies.tables import seen

pytestmark = compiled_only

NUMBERS = np.array(make_strategy("expert").numbers(TWO))  # type: ignore[attr-defined]


def against_types(game: Tablic, state: Any, chances: Any = None) -> tuple[list[Any], Any]:
    """The mover's plays, and what each leads to against each type."""
    view = game.view(state, game.mover(state))
    plays = list(view.plays())
    values = np.zeros((SIZE, len(plays)))
    likely = np.ones(SIZE) if chances is None else chances
    choices = np.array([play.code for play in plays])
    expert.value_last_deal(view.state, view.seat, NUMBERS, choices, likely, values)
    return plays, values


def as_oracle(play: TablicPlay) -> Play:
    return NAMES[play.card], frozenset(NAMES[card] for card in cards_of(play.taken))


@pytest.mark.parametrize("bonus", ["always", "tie", "none"])
@pytest.mark.parametrize(("plies", "positions"), [(2, 12), (3, 12), (4, 8), (5, 4)])
def test_the_last_deal_is_counted_out_as_by_the_rules(
    bonus: str, plies: int, positions: int
) -> None:
    game = Tablic(cards_bonus=bonus)
    differ = set()
    for state, other in twins(game, plies, few(positions, 1)):
        plays, values = against_types(game, state)
        seat = game.mover(state) + 1
        for i, play in enumerate(plays):
            after = oracle.played(other, as_oracle(play))
            assert values[BEST, i] == oracle.ahead(after, seat, None)
            for kind in range(1, SIZE):
                expected = oracle.ahead(after, seat, oracle.RULES[TYPES[kind]])
                assert values[kind, i] == expected, (TYPES[kind], str(play))
                if expected != values[BEST, i]:
                    differ.add(TYPES[kind])
    if plies > 3 and few(1, 0):
        assert differ >= {"greedy", "human"}  # whose mistakes there are to be counted on


def test_of_lost_plays_it_makes_the_one_that_wins_if_the_other_errs() -> None:
    """And of winning plays one that wins against best play."""
    swindles = 0
    for state, _ in twins(TWO, 6, few(150, 2)):
        plays, values = against_types(TWO, state)
        chances = posterior(np.ones(SIZE))
        view = TWO.view(state, TWO.mover(state))
        chosen = make_strategy("expert:worlds=1").sit(TWO, view.seat, stream(1)).choose(view)
        i = [play.code for play in plays].index(chosen.code)
        assert np.sign(values[BEST, i]) == np.sign(values[BEST]).max()
        wins = chances @ np.sign(values)
        assert wins[i] == pytest.approx(wins.max())
        if values[BEST].max() < 0 and wins[i] > wins.min():
            swindles += 1
    assert swindles >= few(3, 0)


def test_the_last_deal_is_explained_by_what_decides_it() -> None:
    for rule in ("greedy", "backtrack"):
        for table, seat in game_against(rule, 2):
            view = table.view(seat)
            if view.state[0].dealt < 52 or len(view.plays()) < 2:
                continue
            player = make_strategy("expert:worlds=1").sit(TWO, seat, stream(1))
            explanation = player.explain(view)
            chances = posterior(likelihoods(table, seat))
            plays, values = against_types(TWO, table.state, chances)
            assert player.choose(view) == explanation.best == explanation.reasons[0].play
            for reason in explanation.reasons:
                i = [play.code for play in plays].index(reason.play.code)
                wins = (values[:, i] > 0) + (values[:, i] == 0) / 2
                assert reason.score == pytest.approx(chances @ wins)
                for kind in range(SIZE):
                    part = reason.parts.get(f"points ahead against {TYPES[kind]}")
                    assert part == (values[kind, i] if chances[kind] >= expert.UNLIKELY else None)
            assert explanation.sentence.count("all cards are counted") == 1
            assert f"Who the other may be: {TYPES[int(chances.argmax())]}" in explanation.sentence


# -- who the other is --------------------------------------------------------------------------


def test_bayes_rule_by_hand() -> None:
    """Twice as greedy plays and human does not: the example in opponents.py."""
    surely = opponents.chance_of(1 - opponents.SLIP, True)
    never = opponents.chance_of(1 - opponents.SLIP, False)
    best = opponents.chance_of(opponents.LIKE, True)
    assert (surely, never, best) == pytest.approx((0.955, 0.005, 0.55))
    belief = np.array([best**2, surely**2, never**2, 0, 0, 0])
    weights = [0.4 * 0.3025, 0.1 * 0.912025, 0.1 * 0.000025]
    assert posterior(belief)[:3] == pytest.approx(np.array(weights) / sum(weights))
    assert posterior(belief)[1] == pytest.approx(0.43, abs=0.005)


def game_against(rule: str, seed: int) -> Iterator[tuple[Table, int]]:
    """The tables before each decision of a seat that plays at random, and that seat."""
    table, rng, seat = Table(TWO, seed, seed % 2), stream(seed, 3), seed // 2 % 2
    strategy = make_strategy(rule)
    while not table.is_over:
        if table.mover == seat:
            yield table, seat
            plays = table.game.plays(table.state)
            table.play(plays[below(rng, len(plays))])
        else:
            player = strategy.sit(TWO, table.mover, rng)
            table.play(player.choose(seen(table, strategy)))


def likelihoods(table: Table, seat: int) -> Any:
    view = table.view(seat)
    past, codes = turns_before(TWO, view)
    belief = np.zeros(SIZE)
    opponents.prepare(view.state, seat, past, codes, NUMBERS, belief)
    return belief


def by_players(table: Table, seat: int) -> list[float]:
    """The same by asking the players themselves, on the true states of the turns whose hands are
    known by now: PIMC in the last deal is left to the oracle's test."""
    now = int(table.state[0].dealt)
    names = ["greedy", "greedy", "human", "genetic", "backtrack"]
    result = [1.0] * len(names)
    again = Table(TWO, table.seed, table.first, ())
    for text in table.plays:
        known = now == 52 or int(again.state[0].dealt) < now
        if again.mover != seat and known:
            for kind, name in enumerate(names):
                if kind == BACKTRACK and now < 52:
                    continue
                one = make_strategy(name)
                asked = one.sit(TWO, again.mover, stream(1)).choose(seen(again, one))
                agrees = asked.code == TWO.parse_play(again.state, str(text)).code
                surely = 0.5 if kind == BEST else 0.95
                result[kind] *= surely * agrees + (1 - surely) / 10
        again.play(TWO.parse_play(again.state, str(text)))
    if now < 52:
        result[BACKTRACK] = result[BEST]
    return result


@pytest.mark.parametrize("rule", ["greedy", "human", "genetic", "backtrack", "random"])
def test_likelihoods_are_those_of_the_players_themselves(rule: str) -> None:
    for seed in range(few(3, 1)):
        for number, (table, seat) in enumerate(game_against(rule, seed)):
            if number % 5 == 3:
                found = likelihoods(table, seat)
                assert found[:5] == pytest.approx(by_players(table, seat), rel=1e-9)


@pytest.mark.parametrize("rule", ["greedy", "human", "genetic", "backtrack"])
def test_who_follows_a_rule_is_recognised_before_the_end(rule: str) -> None:
    for seed in range(few(6, 1)):
        for table, seat in game_against(rule, seed):
            belief = likelihoods(table, seat)
        chances = posterior(belief)
        assert TYPES[int(chances.argmax())] == rule


def test_without_recognition_all_types_stay_as_likely_as_at_first() -> None:
    numbers = np.array(make_strategy("expert:recognise=false").numbers(TWO))  # type: ignore[attr-defined]
    for table, seat in game_against("greedy", 1):
        view = table.view(seat)
        past, codes = turns_before(TWO, view)
        belief = np.zeros(SIZE)
        opponents.prepare(view.state, seat, past, codes, numbers, belief)
        assert posterior(belief) == pytest.approx(opponents.PRIOR)


def test_the_genome_is_the_thesis_s() -> None:
    assert tuple(opponents.GENOME) == THESIS_GENOME
    assert pytest.approx(1) == opponents.PRIOR.sum()


# -- partners ------------------------------------------------------------------------------------


def last_trick_of_four() -> Any:
    """The last trick of the first deal of four. Seat 1 may take 2♦ with 2♥; then its partner, seat
    3, can't take 10♥ and 2♦ with its jack."""
    named = ["10h", "2d", "2h", "6c", "Js", "9c"]
    left = [card for card in NAMES if card not in named]
    return FOUR.parse_position(
        f"table=10h 2d; hand1=2h; hand2=6c; hand3=Js; hand4=9c; pile1=none; pile3=none; pile4=none"
        f"; pile2={' '.join(left[:22])}; deck={' '.join(left[22:])}; last=2; turn=1; dealer=4"
    )


@pytest.mark.parametrize("kind", [BEST, GREEDY], ids=["best", "greedy"])
def test_what_the_partner_takes_is_a_gain(kind: int) -> None:
    """Laying 2♥ brings the partner 2 points and 3 cards, taking 2♦ only 2 cards; were the partner
    an enemy, it would be the other way round."""
    state = last_trick_of_four()
    plays = [play.code for play in FOUR.plays(state)]
    work = expert.new_search(NUMBERS, 0)
    set_up(state, work.stack[0:1])
    answer_as(kind, state, 0, work.stack[0:1])
    values = np.zeros(2)
    expert.value_plays(work, np.array(plays), np.arange(2), values, 0)
    lay, take = values[plays.index(FOUR.parse_play(state, "2h").code)], values.min()
    assert lay - take == pytest.approx(2000 + 250 * (3 - 2))
