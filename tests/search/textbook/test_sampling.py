"""MCTS, PIMC and ISMCTS: sensible plays, the same for the same seed, and no peeking."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from kibitz.core.game import CHANCE, Game, View
from kibitz.core.registry import make_game
from kibitz.jit.rng import stream
from kibitz.search.textbook import algorithms
from kibitz.search.textbook.ismcts import ismcts
from kibitz.search.textbook.mcts import mcts
from kibitz.search.textbook.pimc import pimc
from kibitz.search.textbook.trace import Enter, Sample, Trace, Visit
from tests.games.boards import few
from tests.plain import Nim, Tosses
from tests.search.plain import Favours

HIDDEN = ["hidden-paper-rock-scissors", "kuhn-poker", "leduc-poker", "love-letter"]
MANY = few(400, 100)


def positions(game: Game[Any, Any], seed: int) -> Iterator[tuple[Any, int]]:
    """The states of a random game and who moves there, without chance's."""
    rng = stream(seed, 5)
    state = game.deal(seed, seed % 2)
    for number in range(1000):
        if game.is_over(state):
            return
        mover = game.mover(state)
        if mover == CHANCE:
            state = game.after(state, game.draw_chance(state, rng))
            continue
        yield state, mover
        plays = game.plays(state)
        state = game.after(state, plays[(7 * seed + 3 * number) % len(plays)])


def views(spec: str, seeds: int) -> Iterator[View[Any]]:
    game = make_game(spec)
    for seed in range(seeds):
        for state, mover in positions(game, seed):
            yield game.view(state, mover)


def solved(game: Game[Any, Any], state: Any) -> float:
    """The value of a state if everything is known, by plain recursion."""
    if game.is_over(state):
        return game.value(state)
    mover = game.mover(state)
    if mover == CHANCE:
        return sum(p * solved(game, game.after(state, play)) for play, p in game.chances(state))
    values = [solved(game, game.after(state, play)) for play in game.plays(state)]
    return max(values) if mover == 0 else min(values)


# -- mcts ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "best"),
    [("xx./oo./...", "c1"), ("xo./.o./x..", "a2 b3"), ("oo./xx./..x", "c1")],
)
def test_mcts_takes_a_win_and_blocks_a_loss(board: str, best: str) -> None:
    game = make_game("tic-tac-toe")
    state = game.parse_position(f"board={board}")
    result = mcts(game, state, iterations=MANY)
    assert str(result.best) in best
    assert result.seat == game.mover(state)


def test_mcts_blocks_what_the_other_would_win_with() -> None:
    game = make_game("tic-tac-toe")
    state = game.parse_position("board=xx./.o./...; turn=2")
    result = mcts(game, state, iterations=few(800, 300))
    assert str(result.best) == "c1"
    assert result.seat == 1
    assert -1 <= result.value <= 1


def test_mcts_sees_a_win_as_a_win_for_either_seat() -> None:
    game = make_game("tic-tac-toe")
    for board, seat in (("xx./oo./...", 0), ("xx./oo./x..", 1)):
        result = mcts(game, game.parse_position(f"board={board}"), iterations=MANY)
        best = "c1" if seat == 0 else "c2"
        assert (str(result.best), result.value, result.seat) == (best, 1, seat)


def test_mcts_finds_the_winning_move_of_nim() -> None:
    """Leave a multiple of four."""
    for heap, best in ((10, 2), (7, 3), (5, 1)):
        for seat in (0, 1):
            result = mcts(Nim(), (heap, seat), iterations=1500)
            assert (result.best, result.seat) == (best, seat)
            assert result.value > 0.5


@pytest.mark.parametrize("spec", ["tic-tac-toe", "connect-four", "pig:target=20", "coin-game"])
def test_mcts_counts_every_iteration(spec: str) -> None:
    game = make_game(spec)
    state = game.deal(0)
    for iterations in (1, 2, 10, 150):
        trace = Trace()
        result = mcts(game, state, iterations=iterations, seed=3, trace=trace)
        assert sum(known.visits for known in result.values.values()) == iterations
        assert {known.relation for known in result.values.values()} == {"≈"}
        assert result.best in game.plays(state)
        assert result.values[result.best].visits == max(k.visits for k in result.values.values())
        assert not result.exact
        assert result == mcts(game, state, iterations=iterations, seed=3)
        entered = [event for event in trace.events if isinstance(event, Enter)]
        assert len(entered) == result.counts.nodes <= iterations + 1
        samples = [event.number for event in trace.events if isinstance(event, Sample)]
        assert samples == list(range(1, iterations + 1))
        last = {event.node: event for event in trace.events if isinstance(event, Visit)}
        assert last[0].visits == iterations
        for event in entered:
            if event.parent == 0:
                known = result.values[event.play]
                assert last[event.node].visits == known.visits
                assert last[event.node].mean == pytest.approx(known.value)


def test_another_seed_is_another_search() -> None:
    game = make_game("connect-four")
    results = [mcts(game, game.deal(0), iterations=60, seed=seed) for seed in range(5)]
    assert len({tuple(result.values.items()) for result in results}) > 1


def test_mcts_with_dice() -> None:
    game = make_game("pig:target=20")
    state = game.parse_position("score1=16; score2=14; total=5")
    result = mcts(game, state, iterations=MANY)
    assert (str(result.best), result.value) == ("hold", 1)


def test_mcts_where_chance_moves() -> None:
    game = make_game("pig:target=20")
    state = game.parse_position("total=5; rolling=true")
    result = mcts(game, state, iterations=MANY)
    assert result.best is None and result.line == ()
    assert len(result.values) == 6
    assert sum(known.visits for known in result.values.values()) == MANY
    assert all(MANY / 12 < known.visits < MANY / 3 for known in result.values.values())


def test_mcts_draws_outcomes_by_their_probability() -> None:
    """A bent coin, heads nine times in ten, in the tree and in random games."""
    game = Tosses()
    result = mcts(game, (0, 3, True), iterations=500)
    assert 420 < result.values["heads"].visits < 480
    # With two iterations each play is tried once, by a random game.
    tossed = [mcts(game, (0, 3, False), iterations=2, seed=seed) for seed in range(300)]
    heads = sum(result.values["toss"].value == 1 for result in tossed)
    assert 250 < heads < 290


@pytest.mark.parametrize("spec", ["pig:target=20", "coin-game"])
def test_the_line_of_mcts_stops_where_chance_moves(spec: str) -> None:
    """As that of every search: nobody plays a die."""
    game = make_game(spec)
    state = game.deal(0)
    for play in mcts(game, state, iterations=100).line:
        assert game.mover(state) != CHANCE
        state = game.apply(state, play)


def test_mcts_at_an_end() -> None:
    game = make_game("tic-tac-toe")
    result = mcts(game, game.parse_position("board=xxx/oo./...; turn=2"), iterations=5)
    assert (result.value, result.best, result.values) == (1, None, {})


@pytest.mark.parametrize("chosen", [(), (1,), (1, 0)])
def test_mcts_with_three_plays_for_who_moves(chosen: tuple[int, ...]) -> None:
    result = mcts(Favours(), chosen, iterations=300)
    assert result.seat == len(chosen)
    if len(chosen) == 2:
        assert (result.best, result.value) == (2, 1)
    else:
        # The last one names itself, whatever the others do.
        assert result.value < 0.2


# -- pimc ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("position", "seat", "fold", "call"),
    [
        ("hand1=K; hand2=Q; bets=pass bet", 0, -1, 2),
        ("hand1=Q; hand2=K; bets=bet", 1, -1, 2),
        ("hand1=J; hand2=Q; bets=pass bet", 0, -1, -2),
    ],
)
def test_pimc_calls_with_the_king_and_folds_the_jack(
    position: str, seat: int, fold: float, call: float
) -> None:
    game = make_game("kuhn-poker")
    result = pimc(game.view(game.parse_position(position), seat))
    values = {str(play): known.value for play, known in result.values.items()}
    assert values == {"pass": fold, "bet": call}
    assert {known.visits for known in result.values.values()} == {100}
    assert str(result.best) == ("bet" if call > fold else "pass")
    assert (result.value, result.seat) == (max(fold, call), seat)


@pytest.mark.parametrize("spec", HIDDEN[:3])
def test_pimc_averages_over_the_worlds_that_are_dealt(spec: str) -> None:
    for number, view in enumerate(views(spec, 4)):
        game, sign = view.game, 1 if view.seat == 0 else -1
        result = pimc(view, worlds=20, seed=number)
        rng = stream(number)
        worlds = [game.redeal(view, rng) for _ in range(20)]
        for play in view.plays():
            mean = sum(sign * solved(game, game.after(world, play)) for world in worlds) / 20
            assert result.values[play].value == pytest.approx(mean, abs=1e-9)
        best = max(known.value for known in result.values.values())
        first = next(play for play in view.plays() if result.values[play].value == best)
        assert (result.best, result.value, result.line) == (first, best, (first,))
        assert result.seat == view.seat and not result.exact


def test_pimc_believes_that_the_other_sees_everything() -> None:
    """Its known limit: the first to choose is sure to lose, because each world is open."""
    game = make_game("hidden-paper-rock-scissors")
    result = pimc(game.view(game.deal(0), 0), worlds=9)
    assert [known.value for known in result.values.values()] == [-1, -1, -1]
    state = game.after(game.deal(0), game.plays(game.deal(0))[0])
    second = pimc(game.view(state, 1), worlds=few(2000, 300))
    assert all(abs(known.value) < 0.2 for known in second.values.values())


def test_a_trace_of_pimc() -> None:
    game = make_game("leduc-poker")
    view = next(views("leduc-poker", 1))
    trace = Trace()
    result = pimc(view, worlds=12, trace=trace)
    assert result == pimc(view, worlds=12)
    samples = [event.number for event in trace.events if isinstance(event, Sample)]
    assert samples == list(range(1, 13))
    last = {event.node: event for event in trace.events if isinstance(event, Visit)}
    for event in trace.events:
        if isinstance(event, Enter) and event.play is not None:
            assert last[event.node].visits == 12
            assert last[event.node].mean == pytest.approx(result.values[event.play].value)
    assert game.plays(view.state) == list(result.values)


# -- ismcts --------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", [*HIDDEN, "love-letter:players=3"])
def test_ismcts_is_legal_and_the_same_for_the_same_seed(spec: str) -> None:
    for view in views(spec, few(4, 1)):
        result = ismcts(view, iterations=50, seed=7)
        assert result == ismcts(view, iterations=50, seed=7)
        assert result.best in view.plays()
        assert sum(known.visits for known in result.values.values()) == 50
        assert set(result.values) <= set(view.plays())
        assert result.values[result.best].visits == max(k.visits for k in result.values.values())
        assert (result.line[0], result.seat, result.exact) == (result.best, view.seat, False)


@pytest.mark.parametrize(
    ("position", "seat", "best"),
    [
        ("hand1=K; hand2=Q; bets=pass bet", 0, "bet"),
        ("hand1=Q; hand2=K; bets=bet", 1, "bet"),
        ("hand1=J; hand2=Q; bets=pass bet", 0, "pass"),
        ("hand1=K; hand2=J; bets=bet", 1, "pass"),
    ],
)
def test_ismcts_calls_with_the_king_and_folds_the_jack(position: str, seat: int, best: str) -> None:
    game = make_game("kuhn-poker")
    result = ismcts(game.view(game.parse_position(position), seat), iterations=MANY)
    assert str(result.best) == best
    assert result.value == (2 if best == "bet" else -1)


# -- fair ----------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", HIDDEN)
@pytest.mark.parametrize(
    "search",
    [lambda view: pimc(view, worlds=3), lambda view: ismcts(view, iterations=30)],
    ids=["pimc", "ismcts"],
)
def test_the_cards_that_are_not_seen_change_nothing(
    search: Callable[[View[Any]], Any], spec: str
) -> None:
    changed = 0
    rng = stream(11)
    for view in views(spec, few(3, 1)):
        result = search(view)
        for _ in range(3):
            world = view.game.redeal(view, rng)
            changed += world.tobytes() != view.state.tobytes()
            again = view.game.view(world, view.seat)
            assert again.state.tobytes() == view.state.tobytes()
            assert search(again) == result
    assert changed, "there was something hidden"


@pytest.mark.parametrize("name", ["pimc", "ismcts"])
def test_nobody_peeks_when_given_the_whole_state(name: str) -> None:
    game = make_game("leduc-poker")
    settings = algorithms.Settings(samples=20)
    rng = stream(12)
    for state, mover in positions(game, 3):
        view = game.view(state, mover)
        worlds = [game.redeal(view, rng) for _ in range(5)]
        results = [algorithms.run(name, game, world, settings) for world in (state, *worlds)]
        assert all(result == results[0] for result in results)
        assert len({world.tobytes() for world in worlds}) > 1


# -- traces --------------------------------------------------------------------------------


def test_a_trace_of_samples_counts_the_same() -> None:
    game = make_game("tic-tac-toe")
    trace = Trace()
    result = mcts(game, game.deal(0), iterations=30, trace=trace)
    assert trace.counts() == result.counts
    trace = Trace()
    result = ismcts(next(views("leduc-poker", 1)), iterations=30, trace=trace)
    assert trace.counts() == result.counts
