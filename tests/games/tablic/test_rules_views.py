"""The rules of Tablić one by one: what a player knows."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest
from scipy.stats import chisquare

from kibitz.core.errors import BadText
from kibitz.games.tablic.game import Tablic
from kibitz.jit.kernels import jit_enabled
from kibitz.jit.rng import stream
from kibitz.table.table import Table
from tests.games.tablic.positions import (
    ALL,
    THREE,
    TWO,
    dealt,
    fields,
    full_state,
    lay_all,
    random_game,
    shuffled,
    zone,
)
from tests.oracle.tablic import CARDS

EACH = 20 if jit_enabled() else 10
"""How often each world is expected in the tests of uniformity."""


@pytest.mark.parametrize("game", ALL, ids=str)
def test_rule_8_1_what_a_player_sees(game: Tablic) -> None:
    """His own hand, the table, the piles, tablas, last captor, dealer and turn."""
    for state in random_game(game, 81):
        everything = fields(state, game)
        for seat in range(game.players):
            seen = fields(game.view(state, seat).state, game)
            hidden = {"deck"} | {f"hand{s + 1}" for s in range(game.players) if s != seat}
            for key in everything.keys() - hidden:
                assert seen[key] == everything[key]


@pytest.mark.parametrize("game", ALL, ids=str)
def test_rule_8_1_how_many_cards_everybody_and_the_deck_hold(game: Tablic) -> None:
    for state in random_game(game, 82):
        x = state[0]
        sizes = [len(zone(state, f"hand{seat + 1}", game)) for seat in range(game.players)]
        for seat in range(game.players):
            v = game.view(state, seat).state[0]
            assert [int(held) for held in v.held[: game.players]] == sizes
            assert v.dealt == x.dealt == 52 - len(zone(state, "deck", game))


def test_rule_8_1_every_play() -> None:
    table = Table(TWO, seed=81)
    while not table.is_over:
        table.play(TWO.plays(table.state)[-1])
    for seat in (0, 1):
        log = table.view(seat).log
        assert len(log) == 48
        for text, line in zip(table.plays, log, strict=True):
            for symbol, letter in zip("♣♦♥♠", "cdhs", strict=True):
                line = line.replace(symbol, letter)
            assert all(card in line for card in text.replace(" x ", " ").split())


def test_rule_8_1_the_mover_sees_his_plays() -> None:
    for state in list(random_game(TWO, 83))[:-1]:
        view = TWO.view(state, TWO.mover(state))
        assert list(map(str, view.plays())) == list(map(str, TWO.plays(state)))


@pytest.mark.parametrize("game", ALL, ids=str)
def test_rule_8_2_the_other_hands_and_the_deck_are_unknown(game: Tablic) -> None:
    """Not even the cards that were dealt may be read off the deck's array."""
    for state in random_game(game, 84):
        for seat in range(game.players):
            v = game.view(state, seat).state[0]
            assert v.hand[seat] == state[0].hand[seat]
            assert not any(v.hand[other] for other in range(game.players) if other != seat)
            assert all(card == -1 for card in v.deck)


def test_rule_8_2_the_text_of_a_view_leaves_them_out() -> None:
    state = dealt(shuffled(82))
    for seat in (0, 1):
        seen = fields(TWO.view(state, seat).state)
        assert f"hand{seat + 1}" in seen
        assert not {"deck", f"hand{2 - seat}"} & seen.keys()


def test_rule_8_2_a_view_does_not_change_the_state() -> None:
    state = dealt(shuffled(82))
    before = state.tobytes()
    view = TWO.view(state, 0)
    seen = view.state.tobytes()
    TWO.redeal(view, stream(1))
    assert state.tobytes() == before
    assert view.state.tobytes() == seen


@pytest.mark.parametrize("game", ALL, ids=str)
def test_rule_8_2_a_redeal_fits_what_is_seen(game: Tablic) -> None:
    rng = stream(82)
    for state in list(random_game(game, 85))[::3]:
        sizes = [len(zone(state, f"hand{seat + 1}", game)) for seat in range(game.players)]
        for seat in range(game.players):
            view = game.view(state, seat)
            world = game.redeal(view, rng)
            text = fields(world, game)
            places = [key for key in text if key.startswith(("table", "hand", "pile", "deck"))]
            cards = [card for key in places for card in text[key].replace("none", "").split()]
            assert sorted(cards) == sorted(CARDS)
            hands = [len(zone(world, f"hand{s + 1}", game)) for s in range(game.players)]
            assert hands == sizes
            assert game.view(world, seat).state.tobytes() == view.state.tobytes()


def test_rule_8_2_a_world_can_be_played_on_from() -> None:
    state = list(random_game(TWO, 86))[20]
    seat = TWO.mover(state)
    world = TWO.redeal(TWO.view(state, seat), stream(3))
    end = lay_all(world)
    assert len(zone(end, "pile1") | zone(end, "pile2")) == 52


def test_rule_8_2_a_view_without_its_piles_has_no_world() -> None:
    view = TWO.view(TWO.parse_position("table=9c; hand1=Ah; deck=none"), 0)
    with pytest.raises(BadText, match="no placement"):
        TWO.redeal(view, stream(1))


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_rule_8_2_every_placement_in_the_hands_is_equally_likely(seat: int) -> None:
    """Three players at the end, two cards each: six ways to place the other four."""
    hands = [("3c", "7d"), ("Ks", "10d"), ("5h", "2c")]
    text = "; ".join(f"hand{i + 1}={' '.join(cards)}" for i, cards in enumerate(hands))
    state = full_state(f"table=9c; {text}", game=THREE)
    view, rng = THREE.view(state, seat), stream(820 + seat)
    other = f"hand{(seat + 1) % 3 + 1}"
    unseen = [card for i, cards in enumerate(hands) if i != seat for card in cards]
    counts: Counter[frozenset[str]] = Counter()
    for _ in range(6 * 5 * EACH):
        counts[frozenset(zone(THREE.redeal(view, rng), other, THREE))] += 1
    worlds = [frozenset(pair) for pair in combinations(unseen, 2)]
    assert counts.keys() == set(worlds)
    assert chisquare([counts[world] for world in worlds]).pvalue > 0.001


@pytest.mark.parametrize("place", [0, -1])
def test_rule_8_2_every_placement_in_the_deck_is_equally_likely(place: int) -> None:
    """A card in the hand and twelve in the deck: which is held, and which comes first (last)."""
    deck = "7c 7d 7h 8c 8d 8h 8s 9d 9h 9s 10c 10d"
    state = full_state(f"table=9c; hand1=3d; hand2=Kd; deck={deck}")
    view, rng = TWO.view(state, 0), stream(829)
    counts: Counter[tuple[str, str]] = Counter()
    for _ in range(156 * EACH):
        world = fields(TWO.redeal(view, rng))
        counts[world["hand2"], world["deck"].split()[place]] += 1
    worlds = list(permutations([*deck.split(), "Kd"], 2))
    assert counts.keys() <= set(worlds)
    assert chisquare([counts[world] for world in worlds]).pvalue > 0.001
