"""The codec of every game: actions, masks, observations and information states."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from itertools import count
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kibitz.core.errors import BadType, BadValue, IllegalPlay, UnsuitableGame
from kibitz.core.game import CHANCE, View
from kibitz.core.position import Position
from kibitz.core.registry import games, make_game
from kibitz.games import default_kernels
from kibitz.games.codec import Codec, codec_of
from kibitz.games.kuhn_poker.kernels import observe, redeal
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import below, stream
from kibitz.testing import BrokenRule, check_codec
from tests.games.boards import SPECS, compiled_game, few, walk
from tests.oracle.codecs import ORACLES, tablic_actions

every_game = pytest.mark.parametrize("spec", SPECS)
HIDDEN = [spec for spec in SPECS if compiled_game(spec).traits.hidden]
GAMES = few(4, 1)


def situations(game: Any, n: int = GAMES) -> Iterator[tuple[Any, int]]:
    """States of random games, and each seat in turn; the ends too."""
    for seed in range(n):
        after = game.deal(seed)
        for state, _, after in walk(game, seed, seed % game.players):  # noqa: B007
            if game.mover(state) != CHANCE:
                yield from ((state, seat) for seat in range(game.players))
        yield from ((after, seat) for seat in range(game.players))


def sequences(codec: Codec, view: View[Any]) -> dict[str, list[tuple[str, ...]]]:
    """Every sequence of legal actions, by the play that it makes."""
    found: dict[str, list[tuple[str, ...]]] = {}
    waiting: list[tuple[tuple[int, ...], int]] = [((), 0)]
    while waiting:
        actions, chosen = waiting.pop()
        for action in np.flatnonzero(codec.mask(view, chosen)).tolist():
            play, then = codec.take(view, action, chosen)
            if play is None:
                waiting.append(((*actions, action), then))
            else:
                names = tuple(codec.actions[one] for one in (*actions, action))
                found.setdefault(str(play), []).append(names)
    return found


def test_every_game_has_a_codec_and_an_oracle() -> None:
    assert [name for name, cls in games().items() if not cls.codec] == []
    assert sorted(ORACLES) == sorted(games())


@every_game
def test_the_observation_is_what_the_oracle_reads_off_the_view(spec: str) -> None:
    game = compiled_game(spec)
    codec = codec_of(game)
    for state, seat in situations(game):
        view = game.view(state, seat)
        features = ORACLES[game.name](view)
        expected = [x for feature in codec.features for x in features.pop(feature.name)]
        assert features == {}
        found = codec.observation(view)
        assert found.dtype == np.float32
        assert found.tolist() == np.array(expected, np.float32).tolist(), game.position(view.state)
        assert found.min() >= 0
        assert found.max() <= 1


@every_game
def test_sequences_of_legal_actions_are_exactly_the_legal_plays(spec: str) -> None:
    game = compiled_game(spec)
    codec = codec_of(game)
    for state, seat in situations(game, few(2, 1)):
        view = game.view(state, seat)
        plays = game.plays(state) if view.turn == seat else []
        found = sequences(codec, view)
        assert sorted(found) == sorted(map(str, plays))
        assert all(len(ways) == 1 for ways in found.values())
        for play in plays:
            numbers = codec.actions_of(view, play)
            assert [tuple(codec.actions[one] for one in numbers)] == found[str(play)]
            assert codec.play_of(view, numbers) == play


@every_game
def test_the_mask_is_that_of_the_plays_one_by_one(spec: str) -> None:
    """Whatever a codec looks up to be quick."""
    game = compiled_game(spec)
    codec = codec_of(game)
    for state, seat in situations(game):
        view = game.view(state, seat)
        expected = np.zeros(len(codec.actions), np.int8)
        if view.turn == seat:
            for play in game.plays(state):
                expected[codec.kernels.action_of(view.state, seat, 0, play.code)] = 1
        assert codec.mask(view).tolist() == expected.tolist()


@every_game
def test_no_result_is_below_the_worst(spec: str) -> None:
    game = compiled_game(spec)
    worst = codec_of(game).worst
    for seed in range(few(20, 3)):
        *_, (_, _, end) = walk(game, seed)
        assert min(game.returns(end)) >= worst


# -- what an action means --------------------------------------------------------------------


@pytest.mark.parametrize(("players", "actions"), [(2, 19), (3, 30), (4, 41)])
def test_love_letter_has_one_action_a_play_with_relative_seats(players: int, actions: int) -> None:
    game = compiled_game(f"love-letter:players={players}")
    codec = codec_of(game)
    assert len(codec.actions) == len(set(codec.actions)) == actions
    for state, seat in situations(game):
        view = game.view(state, seat)
        if view.turn != seat:
            continue
        for play in view.plays():
            (number,) = codec.actions_of(view, play)
            card, _, target = str(play).partition("=")[0].partition(">")
            relative = (int(target) - 1 - seat) % players if target else -1
            named = {-1: "", 0: ">self"}.get(relative, f">+{relative}")
            guess = str(play).partition("=")[2]
            assert codec.actions[number] == card + named + (f"={guess}" if guess else "")


def test_tablic_says_a_play_by_its_parts() -> None:
    """31 actions; the kinds in their order, `done` only where something more could be taken."""
    game = compiled_game("tablic")
    codec = codec_of(game)
    assert len(codec.actions) == 31
    for state, seat in situations(game):
        view = game.view(state, seat)
        if view.turn != seat:
            continue
        for play in view.plays():
            names = tuple(codec.actions[one] for one in codec.actions_of(view, play))
            assert names == tablic_actions(view, play)


def test_tablic_shows_what_is_chosen_so_far() -> None:
    game = compiled_game("tablic")
    codec = codec_of(game)
    rng = stream(3)
    partial = 0
    for state, seat in situations(game):
        view, chosen = game.view(state, seat), 0
        names: list[str] = []
        while view.turn == seat:
            features = ORACLES["tablic"](view, names)
            expected = [x for feature in codec.features for x in features[feature.name]]
            found = codec.observation(view, chosen)
            assert found.tolist() == np.array(expected, np.float32).tolist()
            partial += bool(names)
            legal = np.flatnonzero(codec.mask(view, chosen))
            action = int(legal[below(rng, len(legal))])
            play, chosen = codec.take(view, action, chosen)
            names.append(codec.actions[action])
            if play is not None:
                break
    assert partial


@pytest.mark.parametrize(("card", "twin"), [("10d", "10h"), ("2c", "2s")])
def test_tablic_tells_the_ten_of_diamonds_and_the_two_of_clubs_apart(card: str, twin: str) -> None:
    """Rule 3.7: in the hand, on the table, and in what is taken."""
    game = compiled_game("tablic")
    codec = codec_of(game)

    def seen(*cards: str) -> View[Any]:
        """With the first card in hand and the second one on the table."""
        text = f"hand1={cards[0]} 4c 6h 8h 9h Kh; table={cards[1]} 7c Jc Qc; dealer=2; turn=1"
        return Position.parse(game, text).view(0)

    for one, other in ((seen(card, "3c"), seen(twin, "3c")), (seen("3c", card), seen("3c", twin))):
        assert codec.observation(one).tolist() != codec.observation(other).tolist()
    masks = [codec.mask(seen(one, "3c")) for one in (card, twin)]
    played = [{codec.actions[i] for i in np.flatnonzero(mask)} for mask in masks]
    assert played[0] ^ played[1] == {f"play {card}", f"play {card[:-1]}"}


# -- information states ------------------------------------------------------------------------


def recalled(view: View[Any]) -> tuple[Any, ...]:
    """All that a seat has seen and done, as plain values."""
    past = [(state.tobytes(), None if play is None else play.code) for state, play in view.past]
    return (view.seat, *past, view.state.tobytes())


@every_game
def test_information_states_have_perfect_recall(spec: str) -> None:
    """Two are equal, as key and as text, where all that was seen and done is; and the text of an
    earlier turn is the beginning of that of a later one."""
    game = compiled_game(spec)
    codec = codec_of(game)
    keys: dict[Any, Any] = {}
    texts: dict[Any, Any] = {}
    for seed in range(few(2 if ":" in spec else 4, 1)):
        rng, position = stream(seed, 6), Position(game, game.deal(seed % 2))
        dice = count(seed)  # the same number would always bring the same
        before = [""] * game.players
        while not position.is_over:
            chance = position.mover == CHANCE
            for seat in range(game.players) if not chance else ():
                view = position.view(seat)
                key, text = codec.info_key(view), codec.info_string(view)
                past = recalled(view)
                assert keys.setdefault(key, past) == texts.setdefault(text, past) == past
                assert text.startswith(before[seat])
                before[seat] = text
            if chance:
                position = position.after_chance(next(dice))
                continue
            plays = position.plays()
            position = position.play(plays[below(rng, len(plays))])
    assert len(keys) == len(texts) == len(set(keys.values()))


@pytest.mark.parametrize("spec", HIDDEN)
def test_nothing_hidden_is_seen(spec: str) -> None:
    """The same from the state, from the view and from any world that it allows."""
    check_codec(spec, few(2000, 100))


@kernel
def redeal_by_the_rules(view: Any, seat: int, rng: Any, s: Any) -> bool:
    """A world of Kuhn poker, also where a view shows too much."""
    observe(view, seat, s)
    return bool(redeal(s, seat, rng, s))


def test_a_leak_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("kuhn-poker")
    leaking = {"observe": default_kernels.observe, "redeal": redeal_by_the_rules}
    monkeypatch.setitem(vars(game), "kernels", SimpleNamespace(**vars(game.kernels) | leaking))  # type: ignore[attr-defined]
    with pytest.raises(BrokenRule, match="must show the same whatever is hidden"):
        check_codec(game, 100)


def test_a_view_that_shows_too_much_is_read_as_the_seat_may_see_it() -> None:
    game = compiled_game("love-letter")
    codec = codec_of(game)
    state = game.deal(5)
    fair, open_deck = game.view(state, 0), game.view_class(game, 0, state)
    assert codec.observation(fair).tolist() == codec.observation(open_deck).tolist()
    assert codec.info_key(fair) == codec.info_key(open_deck)


# -- plays by their number ---------------------------------------------------------------------


def test_plays_by_their_number_are_those_of_the_view() -> None:
    game = compiled_game("love-letter")
    codec, view = codec_of(game), game.view(game.deal(3), 0)
    for i, play in enumerate(view.plays()):
        assert codec.play_at(view, i) == play
        assert codec.index_of(view, play) == i
    for wrong in (-1, len(view.plays())):
        with pytest.raises(IllegalPlay):
            codec.play_at(view, wrong)


# -- what is refused ---------------------------------------------------------------------------


def test_what_is_no_view_or_no_action_is_refused() -> None:
    game = compiled_game("tablic")
    codec, view = codec_of(game), game.view(game.deal(3), 0)
    with pytest.raises(BadType):
        codec.observation(view.state)
    with pytest.raises(BadValue):
        codec_of(make_game("tablic:players=3")).observation(view)
    for wrong in (-1, 31, 30):
        with pytest.raises(IllegalPlay):
            codec.take(view, wrong)
    with pytest.raises(BadValue):
        codec.observation(view, 12345)
    with pytest.raises(IllegalPlay):
        codec.play_of(view, ())


def test_a_game_without_a_codec_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = compiled_game("kuhn-poker")
    monkeypatch.setattr(type(game), "codec", "")
    with pytest.raises(UnsuitableGame, match="kuhn-poker has no codec"):
        codec_of(game)


def test_features_say_what_they_are() -> None:
    for spec in SPECS:
        for feature in codec_of(compiled_game(spec)).features:
            assert feature.meaning and feature.size > 0
            assert dataclasses.is_dataclass(feature)
