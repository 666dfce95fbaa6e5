"""Text that people type: whatever it is, it is understood or refused, and parses back."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.core.errors import BadText, IllegalPlay
from kibitz.core.registry import make_game, split_spec
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.tablic.cards import NAMES, parse_card
from kibitz.jit.rng import stream
from tests.games.boards import SPECS, compiled_game, few, walk

EXAMPLES = settings(max_examples=few(150, 15), deadline=None)
specs = st.sampled_from(SPECS)
seeds = st.integers(0, 10**9)


def somewhere(game: CompiledGame, seed: int) -> Any:
    """A state somewhere in a random game."""
    states = [state for state, _, _ in walk(game, seed)]
    return states[seed % len(states)]


def garbled(text: str, source: random.Random) -> str:
    """A text with a mistake or two: words swapped, doubled, dropped or changed."""
    words = text.replace("=", " = ").replace(";", " ; ").split(" ")
    for _ in range(source.randint(1, 3)):
        i, j = source.randrange(len(words)), source.randrange(len(words))
        change = source.randrange(4)
        if change == 0:
            words[i], words[j] = words[j], words[i]
        elif change == 1:
            words[i] = words[j]
        elif change == 2:
            words[i] = ""
        else:
            words[i] = source.choice(
                ["0", "1", "9", "out", "none", "guard", "10d", "x", "over", "?"]
            )
    return " ".join(words).replace(" = ", "=").replace(" ;", ";")


@EXAMPLES
@given(specs, seeds, st.randoms(use_true_random=False))
def test_a_garbled_position_is_refused_or_parses_back(
    spec: str, seed: int, source: random.Random
) -> None:
    game = compiled_game(spec)
    text = garbled(game.position(somewhere(game, seed)), source)
    with suppress(BadText):
        state = game.parse_position(text)
        plain = game.position(state)
        assert game.position(game.parse_position(plain)) == plain
        game.plays(state)  # whatever was accepted can be asked


@EXAMPLES
@given(specs, seeds, st.text(max_size=40))
def test_any_text_is_a_legal_play_or_refused(spec: str, seed: int, text: str) -> None:
    game = compiled_game(spec)
    state = somewhere(game, seed)
    with suppress(BadText, IllegalPlay):
        assert game.parse_play(state, text) in game.plays(state)


@EXAMPLES
@given(specs, seeds, st.randoms(use_true_random=False))
def test_plays_of_other_states_are_legal_or_refused(
    spec: str, seed: int, source: random.Random
) -> None:
    game = compiled_game(spec)
    state, other = somewhere(game, seed), somewhere(game, seed + 1)
    legal = game.plays(state)
    for play in source.sample(list(game.plays(other)), min(10, len(game.plays(other)))):
        try:
            assert game.parse_play(state, str(play)) in legal
        except (IllegalPlay, BadText):
            assert str(play) not in [str(one) for one in legal]


@EXAMPLES
@given(specs, seeds)
def test_a_redealt_world_looks_the_same_to_its_viewer(spec: str, seed: int) -> None:
    game = compiled_game(spec)
    state = somewhere(game, seed)
    for seat in range(game.players):
        view = game.view(state, seat)
        world = game.redeal(view, stream(seed, 1))
        assert game.view(world, seat).state.tobytes() == view.state.tobytes()
        assert game.position(view.state) == game.position(game.view(world, seat).state)


@given(st.sampled_from(NAMES))
def test_cards_parse_back(name: str) -> None:
    assert NAMES[parse_card(name)] == name
    assert parse_card(f" {name.upper()} ") == parse_card(name)


@EXAMPLES
@given(st.text(alphabet="love-tabic:players=234,_ \t", max_size=40))
def test_a_spec_is_understood_or_refused(text: str) -> None:
    with suppress(BadText):
        game = make_game(text)
        assert make_game(game.spec) == game
    with suppress(BadText):
        split_spec(text)


@given(st.permutations(range(52)))
@settings(max_examples=few(100, 20), deadline=None)
def test_decks_of_tablic_parse_back(order: list[int]) -> None:
    game = compiled_game("tablic")
    state = game.parse_position(" ".join(NAMES[card] for card in order))
    assert state[0].deck.tolist() == order
    assert game.position(game.parse_position(game.position(state))) == game.position(state)
