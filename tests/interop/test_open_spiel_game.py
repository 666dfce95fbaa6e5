"""OpenSpiel's games in Kibitz."""

from __future__ import annotations

import gc
import json
import pickle
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyspiel
import pytest

import kibitz
from kibitz.core.errors import BadText, BadType, BadValue, KibitzError, UnsuitableGame
from kibitz.core.game import CHANCE, Chance
from kibitz.core.registry import (
    game_class,
    games,
    libraries,
    make_game,
    make_strategy,
    strategies_for,
)
from kibitz.interop.open_spiel_game import OpenSpielGame, SeenState, SpielState
from kibitz.jit.rng import stream
from kibitz.search.textbook.algorithms import run
from kibitz.table.table import play_out
from kibitz.testing import check_game
from tests.games.boards import few
from tests.processes import ROOT, assert_refused, environment, kibitz_here
from tests.processes import run as run_python

PLAYED = [
    "tic_tac_toe", "kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "pig(winscore=15)",
    "goofspiel(num_cards=4,imp_info=True)", "matrix_rps", "liars_dice(dice_sides=2)",
    "python_kuhn_poker", "turn_based_simultaneous_game(game=oshi_zumo(coins=4,size=1))",
]  # fmt: skip


def spiel(text: str) -> OpenSpielGame:
    made = make_game(f"open-spiel:{text}")
    assert isinstance(made, OpenSpielGame)
    return made


# -- every game ----------------------------------------------------------------------------------


@pytest.mark.parametrize("text", PLAYED)
def test_a_game_is_played_as_openspiel_plays_it(text: str) -> None:
    """Through views, by random players; and the same actions there lead to the same end."""
    game = spiel(text)
    for seed in range(few(5, 1)):
        end = play_out(game, [make_strategy("random")] * game.players, seed).state
        theirs = pyspiel.load_game(text)
        if theirs.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
            theirs = pyspiel.convert_to_turn_based(theirs)
        state = theirs.new_initial_state()
        for action in end.history:
            assert action in state.legal_actions()
            state.apply_action(action)
        assert state.is_terminal()
        assert game.returns(end) == tuple(state.returns())


@pytest.mark.parametrize(
    "text", ["leduc_poker", "goofspiel(num_cards=3,imp_info=True)", "matrix_rps", "pig(winscore=9)"]
)
def test_it_keeps_the_rules_of_every_game(text: str) -> None:
    check_game(f"open-spiel:{text}", games=few(3, 1))


@pytest.mark.parametrize(
    ("text", "kind", "chance"),
    [
        ("tic_tac_toe", "deterministic, open", Chance.NONE),
        ("kuhn_poker", "chance, hidden", Chance.DEAL),
        ("leduc_poker", "chance, hidden", Chance.PLAY),
        ("pig", "chance, open", Chance.PLAY),
        ("matrix_rps", "deterministic, hidden", Chance.NONE),
    ],
)
def test_what_kind_of_game_it_is(text: str, kind: str, chance: Chance) -> None:
    traits = spiel(text).traits
    assert (traits.kind, traits.chance, traits.roles) == (kind, chance, True)


def test_commas_belong_to_its_parameters() -> None:
    game = spiel("goofspiel(num_cards=4, imp_info=True)")
    assert str(game) == "open-spiel:goofspiel(num_cards=4,imp_info=True)"
    assert game == make_game(str(game)) == pickle.loads(pickle.dumps(game))
    assert game != spiel("goofspiel(num_cards=5,imp_info=True)")
    assert [str(play) for play in game.start().plays()] == [f"[P0]Bid: {n}" for n in range(1, 5)]


def test_a_library_is_no_game_by_its_name_alone() -> None:
    assert "open-spiel" in libraries() and "open-spiel" not in games()
    assert game_class("open-spiel") is OpenSpielGame
    assert game_class("no-such-game") is None
    with pytest.raises(BadText, match="needs the name of a game, such as open-spiel:leduc_poker"):
        make_game("open-spiel")


def test_listing_games_does_not_load_it() -> None:
    code = "import sys; from kibitz.core.registry import libraries; libraries()['open-spiel'].title"
    code += "; print('pyspiel' in sys.modules, 'numpy' in sys.modules)"
    assert run_python(["-c", code], environment()).stdout == "False False\n"


# -- refusals ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("nope", "OpenSpiel has no game 'nope'"),
        ("leduc_pokr", "did you mean leduc_poker?"),
        ("kuhn_poker(players=99)", "can't be loaded: num_players_ <= kGameType.max_num_players"),
        ("kuhn_poker(foo=1)", "can't be loaded: Unknown parameter 'foo'"),
        ("kuhn_poker(players=2", "a game is written name or name"),
        ("kuhn_poker(players=2))x", "a game is written name or name"),
        ("kuhn_poker(players)", "a game is written name or name"),
        ("(players=2)", "a game is written name or name"),
        ("goofspiel(num_cards=4)(x=1)", "a game is written name or name"),
        ("mfg_garnet", "nobody takes turns in a mean-field game"),
        ("2048", "it is for one player"),
        ("hearts", "it is not zero-sum"),
        ("tarok", "it draws its lots itself"),
        ("efg_game(filename=/etc/passwd)", "filename names a file, and none is opened"),
        ("start_at(game=bargaining(instances_file=x),history=0)", "instances_file names a file"),
        ("efg_game", "it reads a file, and none is opened"),
    ],
)
def test_what_can_t_be_played_is_refused_in_a_line(
    text: str, says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """OpenSpiel prints its errors as well: nobody hears of it."""
    with pytest.raises((BadText, UnsuitableGame)) as caught:
        spiel(text)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("text", ["nope", "mfg_garnet", "kuhn_poker(players=99)"])
def test_the_command_line_refuses_it(text: str, tmp_path: Path) -> None:
    assert_refused(kibitz_here("solve", f"open-spiel:{text}", home=tmp_path))


def test_where_openspiel_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(BadText, match=r"needs OpenSpiel: pip install 'kibitz\[spiel\]'"):
        spiel("leduc_poker")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("history=9 9", "9, action number 2, is not possible there"),
        ("history=-1", "is written history=4 0 8"),
        ("board=xo", "is written history=4 0 8"),
        ("history=" + "9" * 30, "is written history=4 0 8"),
        ("view=[]", "is written history=4 0 8"),
    ],
)
def test_positions_that_there_are_not(text: str, says: str) -> None:
    with pytest.raises(BadText, match=says):
        spiel("mnk").position_of(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("view=[1, 1]", "a view of open-spiel:kuhn_poker is written"),
        ('view=[3, 1, "0", []]', "a view of open-spiel:kuhn_poker is written"),
        ("view=[1, 1, 0, []]", "a view of open-spiel:kuhn_poker is written"),
        ('view=[1, 1, "7", []]', "no course of play looks like this view"),
        ('view=[1, 1, "0", [["1", 0]]]', "no course of play looks like this view"),
    ],
)
def test_views_that_there_are_not(text: str, says: str) -> None:
    with pytest.raises(BadText, match=says):
        spiel("kuhn_poker").position_of(text)


def test_states_of_another_kind_are_refused() -> None:
    game = spiel("kuhn_poker")
    state, any_play = game.deal(1), next(iter(game.plays(game.deal(1))))
    with pytest.raises(BadType):
        game.plays("state")
    with pytest.raises(BadValue, match="it has no result yet"):
        game.returns(state)
    with pytest.raises(BadText, match="a view of a game with hidden cards is none"):
        game.after(game.view(state, 0).state, any_play)


# -- what is hidden ------------------------------------------------------------------------------


def test_chance_deals_before_the_first_decision() -> None:
    game = spiel("kuhn_poker")
    deals = Counter(game.deal(seed).history for seed in range(few(600, 200)))
    assert len(deals) == 6
    assert min(deals.values()) > 0.5 * deals.total() / 6
    assert all(game.mover(game.deal(seed)) == 0 for seed in range(5))
    assert spiel("backgammon").mover(spiel("backgammon").deal(1)) == CHANCE


def test_a_view_has_no_state_of_openspiel_in_it() -> None:
    """Whatever can be reached from it; but for the game, which has its rules alone."""
    game = spiel("leduc_poker")
    position = kibitz.Position(game, game.deal(3)).play("Call")
    view = position.view()
    assert isinstance(view.state, SeenState)
    reached, waiting = set(), [view]
    while waiting:
        thing = waiting.pop()
        if id(thing) in reached or isinstance(thing, (type, type(sys))) or callable(thing):
            continue
        reached.add(id(thing))
        assert not isinstance(thing, (SpielState, pyspiel.State))
        waiting += gc.get_referents(thing)


@pytest.mark.parametrize(
    "text",
    [
        "kuhn_poker", "leduc_poker", "goofspiel(num_cards=3,imp_info=True)",
        "liars_dice(dice_sides=2)",
    ],
)  # fmt: skip
def test_worlds_look_alike_and_depend_on_nothing_hidden(text: str) -> None:
    game = spiel(text)
    others = 0
    for seed in range(few(20, 3)):
        table = play_out(game, [make_strategy("random")] * game.players, seed)
        history = table.state.history
        for n in range(len(game.deal(seed).history), len(history)):
            state = game._at(history[:n])
            for seat in range(game.players):
                view = game.view(state, seat)
                world = game.redeal(view, stream(seed, n))
                there = game.view(world, seat)
                assert there.state == view.state
                assert game.redeal(there, stream(seed, n)) == world
                others += world != state
    assert others


def test_each_world_is_as_likely_as_its_deal() -> None:
    game = spiel("kuhn_poker")
    view = game.view(game._at((0, 1)), 0)
    worlds = Counter(game.redeal(view, stream(i)).history for i in range(few(400, 100)))
    assert worlds.keys() == {(0, 1), (0, 2)}
    assert abs(worlds[0, 1] - worlds[0, 2]) < 5 * worlds.total() ** 0.5


def test_a_game_that_is_too_large_says_so() -> None:
    game = spiel("euchre")
    with pytest.raises(UnsuitableGame, match="too large to list what may be hidden"):
        game.redeal(game.start(seed=1).view(), stream(1))
    assert strategies_for(game) == ["random"]
    assert strategies_for(spiel("leduc_poker")) == ["ismcts", "pimc", "random"]


def test_players_are_not_told_what_others_did() -> None:
    """Information states tell what is seen; whether a play is, OpenSpiel does not say."""
    table = play_out(spiel("kuhn_poker"), [make_strategy("random")] * 2, 1)
    assert table.logs[0][1] == "seat 2: not shown"
    assert table.logs[1][1] != "seat 2: not shown"


def test_a_view_shows_the_information_state() -> None:
    game = spiel("kuhn_poker")
    position = kibitz.Position(game, game._at((0, 1))).play("Pass")
    assert repr(position.view()) == "open-spiel:kuhn_poker: what seat 2 sees\n1p"
    assert game.position_of(game.position(position.view().state)).view(1).state.told == "1p"


# -- what runs on it -----------------------------------------------------------------------------


def test_tic_tac_toe_is_drawn_there_too() -> None:
    solved: Any = kibitz.solve("open-spiel:tic_tac_toe", algorithm="alpha-beta")
    assert (solved.value, solved.label) == (0.0, "drawn")


def test_nim_is_won_or_lost_as_it_should() -> None:
    """Nim: who moves loses if the piles cancel out."""
    for piles, value in (("1;2;3", -1.0), ("1;2;4", 1.0)):
        game = spiel(f"nim(is_misere=False,pile_sizes={piles})")
        assert run("alpha-beta", game, game.deal(0)).value == value


def test_expectiminimax_runs_on_chance() -> None:
    game = spiel("pig(winscore=4,diceoutcomes=3,horizon=8)")
    value = run("expectiminimax", game, game.deal(0)).value
    assert run("star2", game, game.deal(0)).value == pytest.approx(value)


@pytest.mark.parametrize("algorithm", ["pimc", "ismcts"])
def test_kuhn_poker_is_searched(algorithm: str) -> None:
    """The King bets, or calls, whatever the other holds."""
    game = spiel("kuhn_poker")
    faced = game._at((0, 2, 1))
    result = run(algorithm, game, faced)
    assert str(result.best) == "Bet"
    solved: Any = kibitz.solve(kibitz.Position(game, faced), algorithm=algorithm)
    assert str(solved.best) == "Bet"


def test_it_is_compared() -> None:
    compared = kibitz.compare(
        "open-spiel:kuhn_poker",
        ["ismcts:simulations=20", "pimc:worlds=5", "random"],
        pairs=few(3, 1),
        jobs=1,
    )
    assert len(compared.matches) == 3
    assert not compared.failures


def test_its_graph_is_drawn() -> None:
    game = spiel("kuhn_poker")
    drawing = kibitz.graph(kibitz.Position(game, game._at((2, 0))))
    assert drawing.graph.is_complete
    assert len(drawing.graph.nodes) == 9
    captions = {node.caption: node.value for node in drawing.graph.nodes.values()}
    assert (captions["2 0"], captions["2 0 pbb"]) == (None, 2.0)


def test_it_is_played_recorded_and_resumed(tmp_path: Path) -> None:
    args = ("play", "open-spiel:kuhn_poker", "--against", "random", "--seed", "1")
    done = kibitz_here(*args, "--record", "r.jsonl", given="1\n1\n\n", home=tmp_path)
    assert done.returncode == 0, done.stderr
    record = json.loads((tmp_path / "r.jsonl").read_text().splitlines()[-1])
    assert (record["game"], record["options"]) == ("open-spiel", {"game": "kuhn_poker"})
    assert record["returns"] is not None
    replayed = kibitz.replay(str(tmp_path / "r.jsonl"))
    assert "open-spiel:kuhn_poker" in repr(replayed)


def test_a_record_can_name_no_file() -> None:
    with pytest.raises(KibitzError, match="names a file, and none is opened"):
        OpenSpielGame(game="nfg_game(filename=/etc/hostname)")


def test_the_browser_does_not_load_it() -> None:
    pytest.importorskip("starlette")
    from kibitz.web.catalogue import catalogue, web_game

    with pytest.raises(BadText, match="games of open-spiel can't be played here"):
        web_game("open-spiel:kuhn_poker")
    assert "open-spiel" not in {entry["name"] for entry in catalogue()}


def test_the_entry_point_names_it() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["kibitz.games"] == {"open-spiel": OpenSpielGame.__module__}


def test_states_can_be_sent() -> None:
    game: Any = spiel("kuhn_poker")
    state = game.deal(1)
    assert pickle.loads(pickle.dumps(game.view(state, 0).state)) == game.view(state, 0).state
    assert game.copied(state) == state
    assert game.copied(state).spiel is not state.spiel
