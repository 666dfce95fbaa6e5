"""What the others hold by how they have played: Bayes's rule, by brute force and by counting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import exp, sqrt
from typing import Any

import numpy as np
import pytest

from kibitz.core.game import View
from kibitz.core.registry import make_strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.love_letter.cards import COUNTESS, PRINCE, UNKNOWN
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.tablic.cards import DECK, NAMES, cards_of, mask_of
from kibitz.games.tablic.game import Tablic, TablicPlay
from kibitz.jit.rng import stream
from kibitz.strategies.common.base import turns_before
from kibitz.strategies.love_letter import beliefs as love_letter
from kibitz.strategies.tablic import beliefs as tablic
from kibitz.table.table import Table
from tests.games.boards import few
from tests.oracle import tablic_strategies as oracle
from tests.oracle.love_letter_beliefs import Situation, counted

NOISE = Fraction(1, 5)
GREEDY, TAKER = 1.0, 2.0


def games(game: CompiledGame, n: int, *crowd: str) -> Iterator[Table]:
    """The tables of games between these, in turns, before each decision."""
    for seed in range(n):
        table = Table(game, seed, seed % game.players)
        rng = stream(seed, 51)
        names = [crowd[(seat + seed) % len(crowd)] for seat in range(game.players)]
        who = [make_strategy(name).sit(game, i, rng) for i, name in enumerate(names)]
        while not table.is_over:
            yield table
            table.play(who[table.mover].choose(table.view(table.mover)))


def agrees(observed: int, n: int, p: float) -> bool:
    """Whether something of this probability may well happen so often in n trials."""
    return abs(observed / n - p) <= 4.5 * sqrt(p * (1 - p) / n) + 4 / n


# -- Love Letter -----------------------------------------------------------------------------


def prepared(view: View[Any], noise: float) -> Any:
    """The belief of each seat's card, as the searches get it."""
    assert isinstance(view.game, CompiledGame)
    past, plays = turns_before(view.game, view)
    belief = np.full(love_letter.SIZE, np.nan)
    love_letter.prepare(view.state, view.seat, past, plays, np.array([0.0, noise]), belief)
    return belief.reshape(4, 9)


def unseen(view: View[Any]) -> Counter[int]:
    """How many of each card a view does not show."""
    game, x = view.game, view.state[0]
    assert isinstance(game, LoveLetter)
    left = Counter({card: game.copies[card] for card in range(1, 9)})
    left.subtract(counted(int(x.face_up)))
    left.subtract(int(card) for card in (*x.hand, x.drawn) if 0 < card < UNKNOWN)
    for spent in x.spent:
        left.subtract(counted(int(spent)))
    return left


def believed(view: View[Any], noise: float) -> dict[int, float]:
    """The probability of each card in the other's hand: belief times copies, where possible."""
    belief = prepared(view, noise)[1 - view.seat]
    possible = int(view.state[0].worlds[view.seat][0])
    weights = {
        card: belief[card] * copies
        for card, copies in unseen(view).items()
        if copies and possible >> (card - 1) & 1
    }
    total = sum(weights.values())
    return {card: float(weight / total) for card, weight in weights.items()}


def own_draws(view: View[Any]) -> str:
    """What was special about the cards that the seat drew itself."""
    views = [state for state, _ in view.past] + [view.state]
    laid = prince = False
    for before, after, (_, play) in zip(views, views[1:], view.past, strict=False):
        target = (play.code >> 4 & 15) - 1
        prince |= play.code & 15 == PRINCE and target == view.seat
        laid |= before[0].turn != view.seat and after[0].drawn == play.code & 15
    return "for a Prince" if prince else "what he had just laid" if laid else "other cards"


@cache
def remembered(deck: str) -> list[tuple[View[Any], Any]]:
    """Decisions about a hand that is not known, with a past; and the start of the round."""
    situations = []
    start = None
    crowd = ("greedy", "random", "greedy")
    for table in games(LoveLetter(deck=deck), few(110, 30), *crowd):
        if not table.plays:
            start = table.state
        view = table.view(table.mover)
        if view.past and view.state[0].hand[1 - view.seat] == UNKNOWN:
            situations.append((view, start))
    return situations


@pytest.mark.parametrize("deck", ["published", "thesis"])
@pytest.mark.parametrize("drew", ["other cards", "what he had just laid", "for a Prince"])
def test_the_belief_is_what_brute_force_finds(drew: str, deck: str) -> None:
    """For each way that the seat's own draws may speak about the other's hand."""
    compared = learned = 0
    for number, (view, start) in enumerate(remembered(deck)):
        if own_draws(view) != drew:
            continue
        noise = NOISE if number % 3 else Fraction(3, 5)
        expected = Situation(view, start).posterior(noise)
        belief = believed(view, float(noise))
        for card in range(1, 9):
            assert belief.get(card, 0.0) == pytest.approx(float(expected.get(card, 0)), abs=1e-9)
        compared += 1
        unlearned = believed(view, 1.0)
        learned += any(abs(unlearned[card] - belief[card]) > 0.01 for card in belief)
    assert compared >= few(25, 1) and learned


def test_without_a_past_all_that_counts_is_how_many_are_unseen() -> None:
    for table in games(LoveLetter(), few(20, 2), "greedy"):
        view = table.game.view(table.state, table.mover)
        assert (prepared(view, 0.2) == 1).all()


def test_a_belief_is_a_probability_to_be_accepted() -> None:
    """The likeliest card always stays possible; what the other holds is never impossible."""
    for table in games(LoveLetter(), few(60, 3), "greedy", "random"):
        view, other = table.view(table.mover), 1 - table.mover
        belief = prepared(view, 0.2)
        assert ((belief >= 0) & (belief <= 1)).all()
        if view.state[0].hand[other] == UNKNOWN and view.past:
            assert belief[other, 1:].max() == 1
            assert belief[other, int(table.state[0].hand[other])] > 0


def test_what_others_have_traded_may_be_what_the_other_held() -> None:
    """Who plays a King holds no Countess beside it. But he may get one for what he keeps."""
    game = LoveLetter(players=3)
    aside, hands, draws = [3], [6, 2, 7], [1, 4]  # the hands of seats 2, 3 and 1
    first = [*aside, *hands, *draws]
    rest = Counter({card: game.copies[card] for card in range(1, 9)}) - Counter(first)
    state = game.deal_deck([*first, *rest.elements()], first=1)
    play = game.parse_play(state, "king>1")
    after = game.after(state, play)
    past = ((game.view(state, 2).state, play),)
    view = View(game, 2, game.view(after, 2).state, (), past)
    assert after[0].hand[1] == COUNTESS
    assert prepared(view, 0.2)[1, COUNTESS] > 0


def test_worlds_of_love_letter_come_as_often_as_they_are_believed() -> None:
    n = few(3000, 300)
    for view, _ in remembered("published")[:: few(20, 10)]:
        expected = believed(view, 0.2)
        assert isinstance(view.game, CompiledGame)
        past, plays = turns_before(view.game, view)
        numbers, rng, world = np.array([1.0, 0.2]), stream(3), view.state.copy()
        belief = prepared(view, 0.2).ravel()
        drawn: Counter[int] = Counter()
        for _ in range(n):
            love_letter.sample(view.state, view.seat, past, plays, numbers, belief, rng, world)
            assert view.game.view(world, view.seat).state.tobytes() == view.state.tobytes()
            drawn[int(world[0].hand[1 - view.seat])] += 1
        assert drawn.keys() <= expected.keys()
        for card, p in expected.items():
            assert agrees(drawn[card], n, p)


# -- Tablić ----------------------------------------------------------------------------------


def names(cards: Any) -> tuple[str, ...]:
    return tuple(NAMES[card] for card in cards_of(int(cards)))


def likelihood(view: View[Any], world: Any, model: float, noise: float) -> float:
    """By the words of the model, for each play that another made in this deal."""
    result = 1.0
    for other in set(range(view.game.players)) - {view.seat}:
        hand = set(names(world[0].hand[other]))
        for before, play in reversed(view.past):
            if before[0].dealt != world[0].dealt or before[0].turn != other:
                continue
            assert isinstance(play, TablicPlay)
            hand.add(NAMES[play.card])
            table = names(before[0].table)
            made = NAMES[play.card], frozenset(names(play.taken))
            if model == GREEDY:
                greedy = oracle.greedy_play(tuple(hand), table)
                result *= 1 if oracle.as_kinds(greedy) == oracle.as_kinds(made) else noise
            else:
                points, cards = oracle.value(made, table)
                best = max(oracle.best_take(card, table) for card in hand)
                given_up = max(float(best) - points - cards / 4, 0.0)
                result *= exp(-given_up / noise)
    return result


TABLES = [Tablic(), Tablic(players=3), Tablic(players=4)]


@pytest.mark.parametrize("model", [GREEDY, TAKER], ids=["greedy", "taker"])
@pytest.mark.parametrize("game", TABLES, ids=str)
def test_a_world_is_as_likely_as_the_words_of_the_model_say(game: Tablic, model: float) -> None:
    rng = stream(2)
    met = set()
    for table in games(game, few(5, 1), "greedy", "random"):
        view = table.view(table.mover)
        past, plays = turns_before(game, view)
        for _ in range(2):
            world = game.redeal(view, rng)
            probability = tablic.likelihood(world, view.seat, past, plays, np.int64(model), 0.3)
            assert probability == pytest.approx(likelihood(view, world, model, 0.3), rel=1e-9)
            met.add(round(probability, 6))
    assert len(met) > 3


def hands(view: View[Any]) -> Iterator[Any]:
    """Every world of a view in which one hand is hidden, but for the order of the deck."""
    x = view.state[0]
    known = int(x.table) | int(x.hand[view.seat]) | int(x.pile[0]) | int(x.pile[1])
    for hand in combinations(cards_of(DECK & ~known), int(x.held[1 - view.seat])):
        world = view.state.copy()
        world[0].hand[1 - view.seat] = mask_of(hand)
        yield world


@pytest.mark.parametrize("model", [0.0, GREEDY, TAKER], ids=["none", "greedy", "taker"])
def test_worlds_of_tablic_come_as_often_as_they_are_likely(model: float) -> None:
    """Late in a deal, when the other has one or two cards left."""
    game, n, tried = Tablic(), few(4000, 300), 0
    for table in games(game, few(12, 1), "greedy", "random"):
        view = table.view(table.mover)
        x = view.state[0]
        if not 1 <= x.held[1 - view.seat] <= 2 or x.dealt == 52:
            continue
        past, plays = turns_before(game, view)
        fits = {
            int(world[0].hand[1 - view.seat]): tablic.likelihood(
                world, view.seat, past, plays, np.int64(model), 0.4
            )
            if model
            else 1.0
            for world in hands(view)
        }
        if sum(fits.values()) / len(fits) < 0.2:
            continue  # so unlikely that the likeliest of a few worlds is taken instead
        tried += 1
        numbers, rng, world = np.array([model, 0.4]), stream(tried), view.state.copy()
        drawn: Counter[int] = Counter()
        for _ in range(n):
            tablic.sample(view.state, view.seat, past, plays, numbers, np.zeros(1), rng, world)
            drawn[int(world[0].hand[1 - view.seat])] += 1
        assert drawn.keys() <= fits.keys()
        for hand, fit in fits.items():
            assert agrees(drawn[hand], n, fit / sum(fits.values()))
        if tried == 10:
            break
    assert tried >= few(10, 1)
