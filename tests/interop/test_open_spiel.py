"""Games of Kibitz in OpenSpiel: its own tests, its algorithms, and what its players are told."""

from __future__ import annotations

import base64
import pickle
import pickletools
import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability, generate_playthrough, ismcts, mcts

from kibitz.core.errors import BadText, BadValue, UnsuitableGame
from kibitz.core.registry import games
from kibitz.interop.open_spiel import NAMES, load
from tests.games.boards import SPECS, few
from tests.interop.open_spiel_leaks import HIDDEN, drawn, tried

API = (
    "test_sequence_lengths", "test_observations_raises_error_on_invalid_player",
    "test_legal_actions_returns_empty_list_on_opponent", "test_private_information_contents",
    "test_no_invalid_public_observations",
)  # fmt: skip
FULL_API = (
    "test_legal_actions_empty", "test_current_player_returns_terminal_player_on_terminal_nodes",
    "test_information_state_no_argument_raises_on_terminal_nodes", "test_constant_sum",
    "test_information_state_functions_raises_on_chance_nodes",
    "test_current_player_infosets_no_overlap_between_players",
)  # fmt: skip
SMALL = ("kuhn-poker", "leduc-poker", "hidden-paper-rock-scissors")


def decision(game: Any, seed: int = 1, turn: int = 0) -> Any:
    """Where somebody decides, in a random game."""
    source, state = random.Random(seed), game.new_initial_state()
    while state.is_chance_node() or turn > 0:
        turn -= not state.is_chance_node()
        state.apply_action(drawn(state, source))
    return state


# -- OpenSpiel's own tests -----------------------------------------------------------------------


@pytest.mark.parametrize("spec", SPECS)
def test_random_simulations_with_serialization(spec: str) -> None:
    pyspiel.random_sim_test(
        load(spec), num_sims=few(2, 1), serialize=True, verbose=False, mask_test=True
    )


@pytest.mark.parametrize("spec", ["love-letter", "tablic:players=3", *SMALL, "pig:target=20"])
def test_the_api_on_some_states(spec: str) -> None:
    api = api_case("EnforceAPIOnPartialTreeBase", spec)
    for name in API:
        getattr(api, name)()


@pytest.mark.parametrize("spec", SMALL)
def test_the_api_on_the_full_tree(spec: str) -> None:
    api = api_case("EnforceAPIOnFullTreeBase", spec)
    for name in FULL_API:
        getattr(api, name)()


@pytest.mark.parametrize(
    ("spec", "sets"),
    [("kuhn-poker", 12), ("leduc-poker", 288), ("hidden-paper-rock-scissors", 2)],
)
def test_information_sets_have_perfect_recall(spec: str, sets: int) -> None:
    """As many as OpenSpiel's own Kuhn poker, and Leduc poker without suits, have."""
    from open_spiel.integration_tests.api_test import _assert_is_perfect_recall

    assert len(_assert_is_perfect_recall(load(spec))) == sets


def api_case(base: str, spec: str) -> Any:
    """One of OpenSpiel's test cases, of this game. Imported here: pytest would collect them."""
    from open_spiel.integration_tests import api_test

    case: Any = type("Case", (getattr(api_test, base),), {"game": load(spec), "game_name": spec})
    case.setUpClass()
    return case()


@pytest.mark.parametrize("name", NAMES)
def test_playthroughs(name: str) -> None:
    """That of Tablić has a million letters."""
    text = generate_playthrough.playthrough(name, None, seed=1)
    assert f"game: {name}" in text
    assert "IsTerminal() = True" in text


def test_every_game_is_known_to_openspiel() -> None:
    assert list(NAMES) == ["kibitz_" + name.replace("-", "_") for name in games()]
    assert set(NAMES) <= set(pyspiel.registered_names())
    game = pyspiel.load_game("kibitz_love_letter(players=3,deck=thesis)")
    assert game.kibitz.spec == "love-letter:players=3,deck=thesis"
    assert str(game) == str(load("love-letter:players=3,deck=thesis"))
    assert pyspiel.load_game("kibitz_love_letter(face_up=8 7 6)").kibitz.face_up == (6, 7, 8)
    assert pyspiel.load_game("kibitz_tablic(forced_capture=true)").kibitz.settings["forced_capture"]


def test_a_game_of_one_s_own_is_registered_when_it_is_loaded() -> None:
    squares = games()["tic-tac-toe"]
    own = type("OwnSquares", (squares,), {"name": "own squares", "__module__": squares.__module__})
    game = load(own())
    assert pyspiel.load_game("kibitz_own_squares") == game


# -- its algorithms ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs", "iterations"),
    [("kuhn-poker", "kuhn_poker", 30), ("leduc-poker", "leduc_poker", 4)],
)
def test_cfr_comes_as_close_as_in_openspiel_s_own_game(
    ours: str, theirs: str, iterations: int
) -> None:
    found = []
    for game in (load(ours), pyspiel.load_game(theirs)):
        solver = cfr.CFRSolver(game)
        for _ in range(iterations):
            solver.evaluate_and_update_policy()
        found.append(exploitability.exploitability(game, solver.average_policy()))
    assert found[0] == pytest.approx(found[1], abs=1e-6)
    assert found[0] > 0.01


def test_cfr_in_their_compiled_code() -> None:
    found = []
    for game in (load("kuhn-poker"), pyspiel.load_game("kuhn_poker")):
        solver = pyspiel.CFRSolver(game)
        for _ in range(50):
            solver.evaluate_and_update_policy()
        found.append(pyspiel.exploitability(game, solver.average_policy()))
    assert found[0] == pytest.approx(found[1], abs=1e-6)


def test_mcts_sees_a_win() -> None:
    game, source = load("tic-tac-toe"), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, 200, mcts.RandomRolloutEvaluator(1, source), random_state=source)
    state = game.new_initial_state()
    for square in ("a1", "b1", "a2", "b2"):
        state.apply_action(state.string_to_action(square))
    assert state.action_to_string(bot.step(state)) == "a3"


@pytest.mark.parametrize("spec", ["kuhn-poker", "love-letter:players=3", "tablic"])
def test_ismcts_decides(spec: str) -> None:
    game, source = load(spec), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, source)
    bot = ismcts.ISMCTSBot(game, evaluator, 2.0, few(10, 3), random_state=source)
    state = decision(game, seed=2)
    assert bot.step(state) in state.legal_actions()


def test_ismcts_calls_with_the_king() -> None:
    game, source = load("kuhn-poker"), np.random.RandomState(1)
    state = game.new_initial_state()
    deal = next(a for a in state.legal_actions() if "hand2=K" in state.action_to_string(a))
    for action in (deal, 1):
        state.apply_action(action)
    bot = ismcts.ISMCTSBot(
        game, mcts.RandomRolloutEvaluator(1, source), 4.0, 200, random_state=source
    )
    assert state.action_to_string(bot.step(state)) == "bet"


# -- what is written -----------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["love-letter:players=3", "tablic", "pig"])
def test_a_state_is_written_as_text_and_read_back(spec: str) -> None:
    game = load(spec)
    for turn in (0, 3, 6):
        state = decision(game, seed=turn, turn=turn)
        again = game.deserialize_state(state.serialize())
        assert again.history() == state.history()
        assert str(again) == str(state)
        sent = pickle.loads(pickle.dumps(state))
        assert (sent.history(), str(sent)) == (state.history(), str(state))
        assert pickle.loads(pickle.dumps(game)) == game


def test_the_text_of_a_state_is_what_happened() -> None:
    state = load("kuhn-poker").new_initial_state()
    for action in (0, 1):
        state.apply_action(action)
    assert state.serialize() == (
        '{"game": "kuhn-poker", "actions": ["hand1=J; hand2=Q; first=1", "bet"]}'
    )


def test_what_openspiel_pickles_has_no_code_of_ours() -> None:
    """It writes the history; of our part there is an empty text."""
    game = load("love-letter")
    state = decision(game, turn=2)
    written = pyspiel.serialize_game_and_state(game, state)
    history, number, attributes = written.partition("[State]\n")[2].split("\n")[:3]
    assert history.startswith("history=-1:")
    assert number == f"move_number={len(state.history())}"
    pickled = base64.b64decode(attributes.removeprefix("__dict__="))
    words = [argument for _, argument, _ in pickletools.genops(pickled)]
    assert {word for word in words if isinstance(word, str)} == {"_node", "builtins", "str"}
    _, again = pyspiel.deserialize_game_and_state(written)
    assert str(again) == str(state)


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("history=-1:3\nmove_number=1\n__dict__=gAR9lC4=", BadText, "no record of a state"),
        ('{"game": "kuhn-poker"}', BadText, "no record of a state"),
        ('["kuhn-poker", []]', BadText, "no record of a state"),
        ('{"game": "leduc-poker", "actions": []}', BadValue, "that is a state of 'leduc-poker'"),
        ('{"game": "kuhn-poker", "actions": ["bet"]}', BadText, "'bet' is not possible after"),
    ],
)
def test_what_is_no_state_is_refused(text: str, error: type[Exception], says: str) -> None:
    with pytest.raises(error, match=says):
        load("kuhn-poker").deserialize_state(text)


# -- what players are told -----------------------------------------------------------------------


@pytest.mark.parametrize("spec", HIDDEN)
def test_nothing_hidden_is_told(spec: str) -> None:
    """`python -m tests.interop.open_spiel_leaks 10000` tries more."""
    found = tried(load(spec), few(200, 20))
    assert (found.leaks, found.by_state) == (0, 0)
    assert found.others > 0


def test_a_leak_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("love-letter")
    monkeypatch.setattr(
        game.form, "observed_text", lambda node, seat: game.kibitz.position(node.state)
    )
    found = tried(game, 50)
    assert found.leaks > 0


def test_open_games_are_their_own_worlds() -> None:
    state = decision(load("tic-tac-toe"), turn=3)
    assert state.resample_from_infostate(0, random.random).history() == state.history()


def test_worlds_are_drawn_only_where_somebody_decides() -> None:
    state = load("love-letter").new_initial_state()
    with pytest.raises(BadValue, match="where somebody is to move"):
        state.resample_from_infostate(0, random.random)


def test_observers_tell_what_one_seat_sees_and_nothing_else() -> None:
    game, state = load("leduc-poker"), decision(load("leduc-poker"))
    observer: Any = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    observer.set_from(state, 1)
    assert observer.dict["observation"].tolist() == state.observation_tensor(1)
    assert observer.dict["past"].shape == (8, 37 + 2 + 3)
    assert observer.tensor.tolist() == state.information_state_tensor(1)
    for public, private in ((True, "NONE"), (False, "SINGLE_PLAYER"), (True, "ALL_PLAYERS")):
        kind = pyspiel.IIGObservationType(
            public_info=public, perfect_recall=False,
            private_info=getattr(pyspiel.PrivateInfoType, private),
        )  # fmt: skip
        assert game.make_py_observer(kind) is None
    with pytest.raises(ValueError, match="no parameters"):
        game.make_py_observer(None, {"depth": 1})


def test_a_game_without_a_codec_is_refused() -> None:
    with pytest.raises(UnsuitableGame, match="has no codec"):
        load("examples/take_away.py")
