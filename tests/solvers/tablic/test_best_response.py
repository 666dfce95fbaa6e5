"""The best play of Tablić against an opponent who is known, the deck known too."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest

from kibitz.core.errors import BadText, BadValue, UnsuitableGame
from kibitz.core.registry import make_strategy
from kibitz.core.strategy import Knows, Policy
from kibitz.games.tablic.game import Tablic
from kibitz.games.tablic.kernels import legal
from kibitz.jit.kernels import kernel
from kibitz.jit.rng import stream
from kibitz.solvers.tablic import best_response as tablic_best_response
from kibitz.solvers.tablic.best_response import best_against
from kibitz.solvers.tablic.open_deck import DeckValue, OpenDeck, SearchProgress, Stopped
from kibitz.solvers.tablic.response_layers import most_tablas
from kibitz.strategies.common.base import PolicyStrategy
from kibitz.table.table import Table, play_out
from tests.games.boards import few
from tests.oracle import tablic_best_response as plain
from tests.oracle import tablic_open
from tests.search.fast.arrays import compiled_only
from tests.solvers.tablic.late import twins

pytestmark = compiled_only
BONUSES = ("none", "tie", "always")
OPPONENTS = ("greedy", "human", "genetic")
every_bonus = pytest.mark.parametrize("bonus", BONUSES)
every_opponent = pytest.mark.parametrize("opponent", OPPONENTS)


def check(game: Tablic, opponent: str, plies: int, n: int) -> None:
    """Both seats: one of them begins."""
    for state, other in twins(game, plies, n):
        for seat in (0, 1):
            solution = best_against(game, state, seat, make_strategy(opponent))
            expected = plain.value(other, seat + 1, plain.OPPONENTS[opponent])
            assert solution.value == expected, (seat, game.position(state))


# -- values --------------------------------------------------------------------------------


@every_bonus
@every_opponent
@pytest.mark.parametrize(("plies", "games"), [(1, 20), (2, 20), (5, 24), (6, 24), (8, 8)])
def test_the_last_plies_have_the_values_of_plain_recursion(
    bonus: str, opponent: str, plies: int, games: int
) -> None:
    check(Tablic(cards_bonus=bonus), opponent, plies, few(games, 2))


@pytest.mark.parametrize(
    ("bonus", "opponent"),
    [("none", "greedy"), ("tie", "human"), ("always", "genetic"), ("always", "greedy")],
)
def test_across_a_deal(bonus: str, opponent: str) -> None:
    check(Tablic(cards_bonus=bonus), opponent, 13, 1)


@every_bonus
@pytest.mark.parametrize("options", [{"forced_capture": True}, {"leftovers": "dealer"}])
def test_with_other_rules(bonus: str, options: dict[str, Any]) -> None:
    check(Tablic(cards_bonus=bonus, **options), "greedy", 8, few(16, 2))


@every_bonus
@every_opponent
def test_what_is_left_out_changes_nothing(bonus: str, opponent: str) -> None:
    """Whole positions, everything expanded, with nothing to beat: the same value."""
    game, strategy = Tablic(cards_bonus=bonus), make_strategy(opponent)
    for state, _ in twins(game, 20, few(4, 1)):
        for seat in (0, 1):
            search = tablic_best_response._Search(
                game, state, seat, strategy, lambda p: None, 1 << 28
            )
            line = search._run(
                0,
                tablic_best_response.NOTHING,
                by_cards=bonus == "tie",
                with_bonus=bonus == "always",
            )
            assert line is not None
            assert best_against(game, state, seat, strategy).value == search._deck_value(line)


def clearing(source: Random) -> list[int]:
    """A deck with tabla after tabla: the table is four twos for an eight, and in each deal both
    hands have nearly the same ranks."""
    ranks = [0, *range(2, 13)]
    source.shuffle(ranks)
    ranks.remove(7)
    ranks.insert(source.randrange(3), 7)
    deck = [4, 5, 6, 7]
    for deal in range(4):
        mine, his = ([4 * r + s for r in ranks[3 * deal :][:3] for s in pair] for pair in PAIRS)
        deck += mine[:3] + his[:3] + mine[3:] + his[3:]
    for _ in range(source.randrange(3)):
        i, j = source.sample(range(4, 52), 2)
        deck[i], deck[j] = deck[j], deck[i]
    return deck


PAIRS = (0, 1), (2, 3)


@pytest.mark.parametrize("seat", [0, 1])
def test_what_is_left_out_changes_nothing_where_tablas_are_many(seat: int) -> None:
    game, greedy = Tablic(cards_bonus="none"), make_strategy("greedy")
    tablas = []
    for seed in range(24):
        state = game.deal_deck(clearing(Random(seed)))
        search = tablic_best_response._Search(game, state, seat, greedy, lambda p: None, 1 << 30)
        line = search._run(0, tablic_best_response.NOTHING)
        assert line is not None
        assert best_against(game, state, seat, greedy).value == search._deck_value(line)
        made = search._end(line)[0].tablas[seat]
        tablas.append(made)
        for code in line[1]:
            bound = most_tablas(state[0], seat, search._doubles)
            assert made - state[0].tablas[seat] <= bound
            game.kernels.apply(state, code)
    assert max(tablas) > 8


@every_opponent
def test_nobody_by_ranks_looks_at_more(opponent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With positions the same only if all of the state is, the value is the same."""
    for bonus in BONUSES:
        game, strategy = Tablic(cards_bonus=bonus), make_strategy(opponent)
        for state, _ in twins(game, 16, few(4, 1)):
            by_ranks = best_against(game, state, 0, strategy)
            with monkeypatch.context() as patched:
                patched.setattr(type(strategy), "suit_blind", False)
                whole = best_against(game, state, 0, strategy)
            assert whole.value == by_ranks.value
            assert whole.nodes >= by_ranks.nodes


def test_it_is_no_worse_than_against_the_best_opponent() -> None:
    game = Tablic(cards_bonus="tie")
    for state, _ in twins(game, 18, few(3, 1)):
        seat = int(state[0].turn)
        least = OpenDeck(game, state).solve().value
        for opponent in OPPONENTS:
            assert best_against(game, state, seat, make_strategy(opponent)).value >= least


# -- lines ---------------------------------------------------------------------------------


def seat_of(bonus: str, opponent: str) -> int:
    """Both seats come up with every bonus, and with every opponent."""
    return (BONUSES.index(bonus) + OPPONENTS.index(opponent)) % 2


@cache
def whole_game(bonus: str, opponent: str) -> Any:
    """All 48 plies, of a shuffle for each seat."""
    game, seat = Tablic(cards_bonus=bonus), seat_of(bonus, opponent)
    return best_against(game, game.deal(seat), seat, make_strategy(opponent))


@every_bonus
@every_opponent
def test_the_line_is_the_opponents_and_comes_to_the_value(bonus: str, opponent: str) -> None:
    game, strategy = Tablic(cards_bonus=bonus), make_strategy(opponent)
    seat = seat_of(bonus, opponent)
    table = Table(game, seed=seat)
    solution = whole_game(bonus, opponent)
    replying = strategy.sit(game, 1 - seat, stream(seat))
    assert len(solution.line) == 48
    for play in solution.line:
        if table.mover != seat:
            view = table.view(table.mover, strategy.knows)
            assert replying.choose(view) == play
        table.play(play)
    assert tablic_open.end_value(game, table.state, seat) == solution.value


@every_bonus
@every_opponent
def test_full_backtrack_makes_the_value_of_the_game(bonus: str, opponent: str) -> None:
    game, other = Tablic(cards_bonus=bonus), make_strategy(opponent)
    best = make_strategy(f"full-backtrack:against={opponent}")
    seat = seat_of(bonus, opponent)
    both = [best, other] if seat == 0 else [other, best]
    end = play_out(game, both, seed=seat).state
    assert tablic_open.end_value(game, end, seat) == whole_game(bonus, opponent).value


def test_full_backtrack_looks_again_where_the_opponent_does_something_else() -> None:
    game, greedy = Tablic(), make_strategy("greedy")
    table = Table(game, 5)
    player = make_strategy("full-backtrack").sit(game, 0, stream(1))
    while not table.is_over:
        if table.mover == 0:
            view = table.view(0, Knows.OPEN_DECK)
            before = best_against(game, table.state, 0, greedy).value
            table.play(player.choose(view))
            after = best_against(game, table.state, 0, greedy).value
            assert after == before
        else:
            table.play(game.plays(table.state)[-1])


def test_a_width_finds_a_line_and_never_a_better_one() -> None:
    game, greedy = Tablic(cards_bonus="none"), make_strategy("greedy")
    narrow = []
    for seed in range(few(6, 2)):
        best = best_against(game, game.deal(seed), 0, greedy)
        quick = best_against(game, game.deal(seed), 0, greedy, width=3)
        assert quick.value <= best.value and quick.nodes < best.nodes
        narrow.append(quick.value < best.value)
    assert any(narrow)


def test_an_explanation_says_what_the_plays_come_to() -> None:
    game = Tablic(cards_bonus="none")
    (state, _), *_ = twins(game, 12, 1)
    seat = int(state[0].turn)
    player = make_strategy("full-backtrack").sit(game, seat, stream(1))
    explanation = player.explain(type(game.view(state, seat))(game, seat, state))
    greedy = make_strategy("greedy")
    assert explanation.reasons[0].score == best_against(game, state, seat, greedy).value.points
    for reason in explanation.reasons:
        then = best_against(game, game.after(state, reason.play), seat, greedy).value.points
        assert reason.score <= then <= explanation.reasons[0].score


# -- other opponents -----------------------------------------------------------------------


@kernel
def miserly(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """By the suits and the piles: what ours do not look at."""
    choices = legal(view)
    return choices[(view[0].pile[0] + 3 * view[0].table + view[0].tablas[1]) % len(choices)]


@kernel
def secretive(view: Any, seat: int, past: Any, plays: Any, numbers: Any, rng: Any) -> int:
    """Lots, but the stream stays where it is."""
    choices = legal(view)
    return choices[np.int64(rng[0] >> np.uint64(9)) % len(choices)]


class Own(PolicyStrategy):
    """Somebody's own strategy."""

    name: ClassVar[str] = "own"
    title: ClassVar[str] = "own"
    chooses: ClassVar[Any] = miserly

    def policy(self, game: Any) -> Policy:
        return Policy(self.chooses)


class Secretive(Own):
    chooses: ClassVar[Any] = secretive


def replied(game: Tablic, state: Any, seat: int) -> DeckValue:
    """Plain recursion over the game's own rules, against `miserly`."""
    if state[0].over:
        return DeckValue(*tablic_open.end_value(game, state, seat))
    then = tablic_open.children(game, state)
    turn = int(state[0].turn)
    if turn != seat:
        view = game.view(state, turn).state
        code = miserly(view, turn, state[:0], np.zeros(0, np.int64), np.zeros(1), stream(0))
        then = [(play, after) for play, after in then if play == code]
    return max(replied(game, after, seat) for _, after in then)


@every_bonus
def test_an_opponent_who_looks_at_suits_and_piles(bonus: str) -> None:
    game = Tablic(cards_bonus=bonus)
    for state, _ in twins(game, 7, few(30, 1)):
        for seat in (0, 1):
            solution = best_against(game, state, seat, Own())
            assert solution.value == replied(game, state, seat), game.position(state)


@pytest.mark.parametrize(
    ("opponent", "reason"),
    [
        ("random", "random plays by lot"),
        ("pimc", "pimc remembers what was played"),
        ("full-backtrack", "full-backtrack is not compiled"),
        ("alpha-beta", "needs open cards"),
    ],
)
def test_opponents_without_a_best_response(opponent: str, reason: str) -> None:
    game = Tablic()
    with pytest.raises(UnsuitableGame, match=reason):
        best_against(game, game.deal(0), 0, make_strategy(opponent))
    with pytest.raises(UnsuitableGame, match=reason):
        make_strategy(f"full-backtrack:against={opponent}").check_game(game)


def test_lots_that_leave_no_trace_are_noticed() -> None:
    game = Tablic()
    with pytest.raises(UnsuitableGame, match="own plays by lot"):
        best_against(game, game.deal(0), 0, Secretive(), width=5)


def test_the_options_of_an_opponent() -> None:
    strategy: Any = make_strategy("full-backtrack:against=genetic:g0=0.5;g1=0.25")
    assert strategy.opponent == make_strategy("genetic:g0=0.5,g1=0.25")
    assert make_strategy(strategy.spec) == strategy
    with pytest.raises(BadText, match="no strategy 'greedi'; did you mean greedy"):
        make_strategy("full-backtrack:against=greedi").check_game(Tablic())


# -- limits --------------------------------------------------------------------------------


def test_interrupted_it_tells_the_line_to_beat() -> None:
    game, greedy = Tablic(cards_bonus="none"), make_strategy("greedy")

    def tell(progress: SearchProgress) -> None:
        if progress.low is not None:
            raise KeyboardInterrupt

    with pytest.raises(Stopped) as stopped:
        best_against(game, game.deal(1), 0, greedy, tell)
    low = stopped.value.progress.low
    assert low is not None and low <= best_against(game, game.deal(1), 0, greedy).value
    assert stopped.value.progress.nodes > 0


def test_what_it_refuses() -> None:
    greedy = make_strategy("greedy")
    with pytest.raises(UnsuitableGame, match="2 players, not 3"):
        best_against(Tablic(players=3), Tablic(players=3).deal(0), 0, greedy)
    for spec, reason in (("players=3", "2 players only"), ("players=4", "2 players only")):
        with pytest.raises(UnsuitableGame, match=reason):
            make_strategy("full-backtrack").check_game(Tablic(players=int(spec[-1])))
    game = Tablic()
    with pytest.raises(BadValue, match="memory must be at least 1 MB"):
        best_against(game, game.deal(0), 0, greedy, memory=1000)
    with pytest.raises(UnsuitableGame, match="takes more than 2 MB"):
        best_against(game, game.deal(0), 0, greedy, memory=1 << 21)
    position = "table=9c; hand1=Ah 10d; deck=none; hand2=3s Ks"
    with pytest.raises(BadText, match="missing: the piles"):
        best_against(game, game.parse_position(position), 0, greedy)
    game = Tablic(cards_bonus="none")
    assert len(best_against(game, game.parse_position(position), 0, greedy).line) == 4
