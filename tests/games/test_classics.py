"""The small games against their oracles, at their edges, and in their texts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest

from kibitz.core.errors import BadText, IllegalPlay
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.connect_four.game import ConnectFour
from kibitz.games.kuhn_poker.game import KuhnPoker
from kibitz.games.leduc_poker.game import LeducPoker
from kibitz.games.pig.game import Pig
from kibitz.games.poker import CARDS
from kibitz.games.tic_tac_toe.game import TicTacToe
from kibitz.jit.kernels import jit_enabled
from kibitz.jit.rng import stream
from tests.oracle import connect_four, kuhn_poker, leduc_poker, pig

GAMES = 100 if jit_enabled() else 40


def hands(state: Any) -> tuple[str, str]:
    return CARDS[state[0].cards[0]], CARDS[state[0].cards[1]]


PAIRS: list[tuple[CompiledGame, Callable[[Any, int], Any]]] = [
    (ConnectFour(), lambda state, first: connect_four.ConnectFour(first)),
    (Pig(target=30), lambda state, first: pig.Pig(30, first)),
    (Pig(target=7), lambda state, first: pig.Pig(7, first)),
    (KuhnPoker(), lambda state, first: kuhn_poker.Kuhn(hands(state), first)),
    (
        LeducPoker(),
        lambda state, first: leduc_poker.Leduc(hands(state), CARDS[state[0].cards[2]], first),
    ),
]
CLASSICS = [game for game, _ in PAIRS]


def after(game: CompiledGame, state: Any, *plays: str) -> Any:
    for text in plays:
        state = game.apply(state, game.parse_play(state, text))
    return state


def check_texts(game: CompiledGame, state: Any) -> None:
    """A position and the views of it survive being written and read; worlds fit their view."""
    assert game.parse_position(game.position(state)).tobytes() == state.tobytes()
    for seat in (0, 1):
        view = game.view(state, seat)
        assert game.parse_position(game.position(view.state)).tobytes() == view.state.tobytes()
        world = game.redeal(view, stream(seat))
        assert 0 not in (world[0].cards if game.traits.hidden else ())
        assert game.view(world, seat).state.tobytes() == view.state.tobytes()
        assert list(view.plays()) == list(game.plays(state))
        assert game.presenter.text(view)


@pytest.mark.parametrize(("game", "oracle_of"), PAIRS, ids=map(str, CLASSICS))
def test_oracle(game: CompiledGame, oracle_of: Callable[[Any, int], Any]) -> None:
    for seed in range(GAMES):
        dice = random.Random(seed)
        state = game.deal(seed, first=seed % 2)
        oracle = oracle_of(state, seed % 2)
        while not oracle.over:
            assert not game.is_over(state)
            assert game.mover(state) == oracle.mover
            assert [str(play) for play in game.plays(state)] == oracle.legal()
            assert game.kernels.pick(state, stream(seed)) in game.kernels.legal(state)
            if seed < GAMES // 5:
                check_texts(game, state)
            text = dice.choice(oracle.legal())
            oracle.play(text)
            state = after(game, state, text)
        assert game.is_over(state)
        assert not game.plays(state)
        assert list(game.returns(state)) == oracle.returns()
        check_texts(game, state)


def perft(kernels: Any, state: Any, depth: int) -> int:
    if kernels.over(state):
        return 0
    if depth == 1:
        return int(kernels.count(state))
    total = 0
    for play in kernels.legal(state):
        then = state.copy()
        kernels.apply(then, play)
        total += perft(kernels, then, depth - 1)
    return total


@pytest.mark.parametrize(
    ("game", "numbers"),
    [
        (ConnectFour(), (7, 49, 343, 2401, 16807)),
        (TicTacToe(), (9, 72, 504, 3024, 15120)),
    ],
    ids=str,
)
def test_perft(game: CompiledGame, numbers: tuple[int, ...]) -> None:
    for depth, number in enumerate(numbers, 1):
        assert perft(game.kernels, game.deal(1), depth) == number


@pytest.mark.parametrize(
    "plays",
    ["1212121", "1122334", "12233434464", "76655454424", "7766554", "4142434"],
    ids=["up", "row", "rising", "falling", "row at the right", "up in the middle"],
)
def test_four_in_a_row(plays: str) -> None:
    game = ConnectFour()
    for first in (0, 1):
        state = after(game, game.deal(1, first), *plays)
        assert game.returns(state)[first] == 1.0
        assert game.is_over(state)


def test_no_line_runs_into_the_next_column() -> None:
    game = ConnectFour()
    board = "x....../x....../x....../o....../o....../oxoo..."
    assert not game.is_over(game.parse_position(f"board={board}"))


def test_full_board_is_drawn_and_full_columns_are_closed() -> None:
    game = ConnectFour()
    rows = ["xoxoxox"] * 3 + ["oxoxoxo"] * 3
    state = game.parse_position("board=" + "/".join(rows))
    assert game.is_over(state)
    assert game.returns(state) == (0.0, 0.0)
    state = game.parse_position("board=" + "/".join(["..xoxox", *rows[1:]]))
    assert [str(play) for play in game.plays(state)] == ["1", "2"]
    rng = stream(5)
    assert Counter(int(game.kernels.pick(state, rng)) for _ in range(99)).keys() == {0, 1}
    with pytest.raises(IllegalPlay):
        game.parse_play(state, "3")


def test_pig() -> None:
    game = Pig()
    state = after(game, game.parse_position("score1=30; total=9"), "roll", "1")
    assert game.position(state) == "score1=30; score2=0; total=0; turn=2; rolling=false"
    assert [str(play) for play in game.plays(state)] == ["roll"]
    state = after(game, game.parse_position("score2=90; total=9; turn=2"), "roll", "4")
    assert not game.is_over(state)
    assert game.returns(after(game, state, "hold")) == (-1.0, 1.0)
    rolling = game.parse_position("rolling=true")
    assert game.mover(rolling) == -1
    assert [str(play) for play, _ in game.chances(rolling)] == list("123456")
    assert all(chance == 1 / 6 for _, chance in game.chances(rolling))


@pytest.mark.parametrize("first", [0, 1])
def test_kuhn_histories(first: int) -> None:
    game = KuhnPoker()
    ends = {"pass pass": 1, "pass bet bet": 2, "bet bet": 2}
    for cards in permutations("JQK", 2):
        higher = 0 if "JQK".index(cards[0]) > "JQK".index(cards[1]) else 1
        values = {text: stake * (1 if higher == first else -1) for text, stake in ends.items()}
        for text, value in {**values, "pass bet pass": -1, "bet pass": 1}.items():
            start = game.parse_position(f"hand1={cards[0]}; hand2={cards[1]}; first={first + 1}")
            state = after(game, start, *text.split())
            assert game.is_over(state)
            assert game.returns(state)[first] == value
            assert sum(game.returns(state)) == 0


@pytest.mark.parametrize(
    ("position", "value"),
    [
        ("hand1=J; hand2=K; board=J; round1=call call; round2=call call", 1),  # a pair
        ("hand1=Q; hand2=K; board=K; round1=raise raise call; round2=raise raise call", -13),
        ("hand1=Q; hand2=J; board=K; round1=raise call; round2=call call", 3),
        ("hand1=Q; hand2=Q; board=K; round1=raise call; round2=raise call", 0),
        ("hand1=K; hand2=J; round1=raise raise fold", -3),
        ("hand1=K; hand2=J; board=J; round1=call raise call; round2=raise raise fold", -7),
    ],
)
def test_leduc_ends(position: str, value: int) -> None:
    game = LeducPoker()
    state = game.parse_position(position)
    assert game.is_over(state)
    assert game.returns(state) == (value, -value)


def test_leduc_raise_cap() -> None:
    game = LeducPoker()
    for before in ((), ("call",)):
        state = game.deal(3)
        assert [str(play) for play in game.plays(state)] == ["call", "raise"]
        state = after(game, state, *before, "raise")
        assert [str(play) for play in game.plays(state)] == ["fold", "call", "raise"]
        state = after(game, state, "raise")
        assert [str(play) for play in game.plays(state)] == ["fold", "call"]
        state = after(game, state, "call")
        assert game.mover(state) == 0
        assert [str(play) for play in game.plays(state)] == ["call", "raise"]


def test_worlds_are_equally_likely() -> None:
    n = 6000 if jit_enabled() else 1500
    rng = stream(9)
    view = KuhnPoker().view(KuhnPoker().parse_position("hand1=Q; hand2=J"), 0)
    counts = Counter(hands(KuhnPoker().redeal(view, rng))[1] for _ in range(n))
    assert counts.keys() == {"J", "K"}
    assert abs(counts["J"] / n - 1 / 2) < 0.05
    # Of Q, K and two J unseen, a J is as likely as the two others together.
    view = LeducPoker().view(
        LeducPoker().parse_position("hand1=Q; hand2=J; board=K; round1=call call"), 0
    )
    counts = Counter(hands(LeducPoker().redeal(view, rng))[1] for _ in range(n))
    assert counts.keys() == {"J", "Q", "K"}
    assert abs(counts["J"] / n - 1 / 2) < 0.05
    assert abs(counts["Q"] / n - 1 / 4) < 0.05


ROW = "......."
BAD: list[tuple[CompiledGame, str, str]] = [
    (ConnectFour(), "board=xo", "six rows"),
    (ConnectFour(), f"board={'/'.join([ROW] * 4)}/x....../.......", "floats"),
    (ConnectFour(), f"board={'/'.join([ROW] * 5)}/xx.....", "does not fit"),
    (ConnectFour(), f"board={'/'.join([ROW] * 5)}/x......; turn=1", "does not fit"),
    (ConnectFour(), f"board={'/'.join([ROW] * 4)}/xxxx.../oooo...", "both"),
    (ConnectFour(), f"board={'/'.join([ROW] * 4)}/ooo..../xxxxo..; turn=1", "to move has four"),
    (ConnectFour(), f"board={ROW}/{ROW}/o.....x/ooo...x/ooo...x/xxxx..x", "no last stone"),
    (Pig(), "score1=1", "never counts"),
    (Pig(), "score1=-3", "not possible"),
    (Pig(), "score1=100; score2=100", "both scores"),
    (Pig(), "score1=100; total=5", "has won"),
    (Pig(), "score1=100; rolling=true", "has won"),
    (Pig(), "score1=100; turn=2", "just won"),
    (Pig(), "rolling=perhaps", "true, false"),
    (KuhnPoker(), "hand1=A", "allowed: J, Q, K"),
    (KuhnPoker(), "hand1=Q; hand2=Q", "only one Q"),
    (KuhnPoker(), "bets=pass raise", "allowed: pass, bet"),
    (KuhnPoker(), "bets=bet pass bet", "over after bet pass"),
    (KuhnPoker(), "hand1=Q; bets=bet bet", "showdown"),
    (KuhnPoker(), "first=3", "not possible"),
    (LeducPoker(), "hand1=A", "allowed: J, Q, K"),
    (LeducPoker(), "board=K; round1=call", "only after the first round"),
    (LeducPoker(), "hand1=K; hand2=K; board=K; round1=call call", "only two K"),
    (LeducPoker(), "round1=fold", "not possible at its beginning"),
    (LeducPoker(), "round1=raise raise raise", "not possible after raise raise"),
    (LeducPoker(), "round1=call check", "allowed: fold, call, raise"),
    (LeducPoker(), "round1=call call raise", "then round2"),
    (LeducPoker(), "round1=raise; round2=call", "then round2"),
    (LeducPoker(), "round1=raise fold; round2=call", "end of the game"),
    (LeducPoker(), "hand1=Q; round1=call call; round2=call call", "showdown"),
    (LeducPoker(), "deck=J", "4 face down"),
]


@pytest.mark.parametrize(("game", "text", "reason"), BAD)
def test_bad_positions(game: CompiledGame, text: str, reason: str) -> None:
    with pytest.raises(BadText, match=reason) as caught:
        game.parse_position(text)
    assert "\n" not in str(caught.value)


def test_what_is_left_out_is_unknown() -> None:
    for game in CLASSICS:
        assert not game.is_over(game.parse_position(""))
    kuhn, leduc = KuhnPoker(), LeducPoker()
    assert kuhn.position(kuhn.parse_position("hand2=k")) == "hand2=K; first=1"
    view = kuhn.view(kuhn.parse_position("hand1=Q; hand2=K; bets=bet pass"), 0)
    assert kuhn.position(view.state) == "hand1=Q; bets=bet pass; first=1"
    assert kuhn.presenter.text(view).splitlines()[0] == "  seat 2        ▒▒   1 in the pot"
    view = leduc.view(leduc.deal(4), 0)
    assert "board" not in leduc.position(view.state)
    assert "deck" not in leduc.position(view.state)
    assert leduc.presenter.text(view).splitlines()[:3] == [
        "Board  ▒▒",
        "",
        "  seat 2        ▒▒   1 in the pot",
    ]
