"""What every strategy's explanation must be. A new strategy is tested by being registered."""

from __future__ import annotations

import math
import re
from functools import cache
from typing import Any

import pytest

from kibitz.core.explanation import Explanation
from kibitz.core.strategy import Strategy
from kibitz.games.love_letter.cards import NAMES
from kibitz.jit.rng import stream
from kibitz.strategies.common.base import RuleStrategy
from tests.games.boards import compiled_game
from tests.strategies.tables import SEATED, enough, met_in_play, quick, seen

every_strategy = pytest.mark.parametrize(("spec", "name"), SEATED)
SCORED = [(spec, name) for spec, name in SEATED if isinstance(quick(name), RuleStrategy)]
scored_by_rules = pytest.mark.parametrize(("spec", "name"), SCORED)
MINUS_NOTHING = re.compile(r"-0(\.0*)?(?![.\d])")
POSITIONS = 64
PROBABILITY = "probability"
"""What the score is called where a play is drawn by lot."""


@cache
def explained(spec: str, name: str) -> list[tuple[Any, Explanation]]:
    """States met in play, and what the strategy says of them at its turn."""
    strategy = quick(name)
    game = compiled_game(spec)
    return [
        (
            table.state,
            strategy.sit(game, table.mover, stream(nth, 3)).explain(seen(table, strategy)),
        )
        for nth, table in enumerate(met_in_play(game, enough(name, POSITIONS, 15)))
    ]


def samples(strategy: Strategy) -> bool:
    """Whether it decides by sampled worlds or games, if only until it knows better."""
    return strategy.determinizes or strategy.name == "equilibrium"


@every_strategy
def test_choosing_and_explaining_are_the_same_decision(spec: str, name: str) -> None:
    """With the same lots, and as many of them. Only who samples explains by a larger sample, and
    with lots of its own; so an explanation changes nothing either."""
    strategy = quick(name)
    tables = met_in_play(compiled_game(spec), enough(name, POSITIONS, 15))
    for nth, (table, (_, known)) in enumerate(zip(tables, explained(spec, name), strict=True)):
        rngs = stream(nth, 3), stream(nth, 3)
        choosing, explaining = (strategy.sit(table.game, table.mover, rng) for rng in rngs)
        view = seen(table, strategy)
        before = view.state.tobytes()
        for times in range(2):  # a player that has decided decides on
            if samples(strategy):
                lots = int(rngs[1][0])
                explanation = explaining.explain(view)
                assert times or explanation == known
                assert int(rngs[1][0]) == lots
            play = choosing.choose(view)
            if samples(strategy):
                assert explaining.choose(view) == play
            else:
                explanation = explaining.explain(view)
                assert (explanation.best, str(explanation.best)) == (play, str(play))
            assert rngs[0][0] == rngs[1][0]
        assert view.state.tobytes() == before


@every_strategy
def test_the_reasons_are_all_plays_that_may_be_made_the_best_first(spec: str, name: str) -> None:
    game = compiled_game(spec)
    never = game.kernels.NEVER_AT_RANDOM if name == "random" else None
    for state, explanation in explained(spec, name):
        plays = [play for play in game.plays(state) if play.code != never]
        given = [reason.play for reason in explanation.reasons]
        assert given[0] == explanation.best
        assert sorted(given) == sorted(plays)


@scored_by_rules
def test_the_scores_decide(spec: str, name: str) -> None:
    """The best has the highest score, unless it was drawn; the others come by their scores."""
    for _, explanation in explained(spec, name):
        best, *others = (reason.score for reason in explanation.reasons)
        assert others == sorted(others, reverse=True)
        if explanation.score == PROBABILITY:
            assert best > 0
        else:
            assert best >= max(others, default=best)


@scored_by_rules
def test_the_parts_make_up_the_score(spec: str, name: str) -> None:
    """They add up to it; where it is a probability, each part is a share of all of them."""
    named = 0
    for _, explanation in explained(spec, name):
        sums = [sum(reason.parts.values()) for reason in explanation.reasons]
        total = sum(sums) if explanation.score == PROBABILITY else 1
        for reason, part in zip(explanation.reasons, sums, strict=True):
            assert math.isclose(reason.score, part / total, rel_tol=1e-9, abs_tol=1e-12)
            assert 0 not in reason.parts.values()
            named += len(reason.parts)
    assert named


@every_strategy
def test_probabilities_add_up_to_one(spec: str, name: str) -> None:
    """Of the plays where one is drawn, and of the cards in a place that holds one. Where it
    holds several, each card's is that it is among them."""
    game = compiled_game(spec)
    for state, explanation in explained(spec, name):
        if explanation.score == PROBABILITY:
            chances = [reason.score for reason in explanation.reasons]
            assert all(0 <= p <= 1 for p in chances)
            assert math.isclose(sum(chances), 1)
        places = [belief.place for belief in explanation.beliefs]
        assert len(set(places)) == len(places)
        hidden = game.hidden_cards(game.view(state, game.mover(state)), state)
        for belief in explanation.beliefs:
            assert all(0 < p <= 1 for p in belief.cards.values())
            size = len(hidden.get(belief.place, "1"))
            assert 1 - 1e-9 <= sum(belief.cards.values()) <= size + 1e-9


@pytest.mark.parametrize(
    ("spec", "name"),
    [(spec, name) for spec, name in SCORED if spec.startswith("love-letter")],
)
def test_what_a_seat_holds_is_believed_possible(spec: str, name: str) -> None:
    for state, explanation in explained(spec, name):
        for belief in explanation.beliefs:
            hand = re.fullmatch(r"seat (\d)'s hand", belief.place)
            assert hand
            assert NAMES[state[0].hand[int(hand[1]) - 1]] in belief.cards


@every_strategy
def test_the_words_are_one_sentence_on_one_line(spec: str, name: str) -> None:
    for _, explanation in explained(spec, name):
        assert explanation.score.strip()
        assert re.fullmatch(r"\S.*\w.*\.", explanation.sentence)
        assert not MINUS_NOTHING.search(explanation.sentence)
        for sentence in explanation.why:
            assert re.fullmatch(r"[A-Z\d].*\w.*\.", sentence)
