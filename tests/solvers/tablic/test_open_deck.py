"""Two players' Tablić with the deck known: values, lines, limits."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from kibitz.core.errors import BadText, BadValue, UnsuitableGame
from kibitz.games.tablic.game import Tablic
from kibitz.solvers.tablic import open_deck as solver
from kibitz.solvers.tablic.open_deck import (
    LEAST_MEMORY,
    DeckValue,
    OpenDeck,
    SearchProgress,
    Stopped,
    Walk,
)
from tests.games.boards import few
from tests.oracle import tablic_open as plain
from tests.search.fast.arrays import compiled_only
from tests.solvers.tablic.late import positions

pytestmark = compiled_only
BONUSES = ("none", "tie", "always")
every_bonus = pytest.mark.parametrize("bonus", BONUSES)
DATA = Path(__file__).parents[2] / "data" / "tablic_open_deck_values.txt"


@every_bonus
@pytest.mark.parametrize(
    ("plies", "games"), [(1, 100), (3, 200), (5, 200), (6, 100), (7, 30), (8, 10)]
)
def test_the_last_plies_have_the_values_of_plain_minimax(
    bonus: str, plies: int, games: int
) -> None:
    """Enough of them: forced captures, leftovers to the dealer or a wrong bonus show in more than
    half of the positions of 1, 3 and 5 plies; a wrong last captor in all of 1 ply, 23 of 100 of 3
    plies; tablas that are not counted in 1 of 60 of 5 plies."""
    game = Tablic(cards_bonus=bonus)
    for state in positions(game, plies, few(games, 2)):
        expected = plain.play_values(game, state)
        deck = OpenDeck(game, state, LEAST_MEMORY)
        values = {play.code: tuple(value) for play, value in deck.values().items()}
        assert values == expected, game.position(state)
        assert deck.solve().value == max(expected.values())


@every_bonus
def test_the_compiled_oracle_is_the_plain_one(bonus: str) -> None:
    game = Tablic(cards_bonus=bonus)
    for state in positions(game, 4, few(20, 1)):
        assert plain.play_values(game, state) == plain.play_values(game, state, quickly=False)


@pytest.mark.parametrize("options", [{"forced_capture": True}, {"leftovers": "dealer"}])
@every_bonus
def test_with_other_rules(bonus: str, options: dict[str, Any]) -> None:
    game = Tablic(cards_bonus=bonus, **options)
    for state in positions(game, 6, few(60, 2)):
        values = {play.code: tuple(value) for play, value in OpenDeck(game, state).values().items()}
        assert values == plain.play_values(game, state), game.position(state)


@every_bonus
@pytest.mark.parametrize(("plies", "games"), [(12, 20), (14, 8), (16, 4), (20, 1)])
def test_across_a_deal_the_value_is_that_of_plain_alpha_beta(
    bonus: str, plies: int, games: int
) -> None:
    game = Tablic(cards_bonus=bonus)
    for state in positions(game, plies, few(games, 0)):
        expected = plain.quick_value(game, state, int(state[0].turn), cutting=True)
        assert OpenDeck(game, state).solve().value == expected, game.position(state)


@every_bonus
@pytest.mark.parametrize(("plies", "games"), [(12, 3), (24, 1)])
def test_the_line_is_legal_and_comes_to_the_value(bonus: str, plies: int, games: int) -> None:
    game = Tablic(cards_bonus=bonus)
    for state in positions(game, plies, few(games, 1)):
        seat = int(state[0].turn)
        solution = OpenDeck(game, state).solve()
        assert len(solution.line) == plies
        for play in solution.line:
            game.check(state, play)
            state = game.after(state, play)
        assert plain.end_value(game, state, seat) == solution.value


@every_bonus
def test_a_table_of_the_least_memory_changes_no_value(bonus: str) -> None:
    game = Tablic(cards_bonus=bonus)
    for state in positions(game, 16, few(3, 1)):
        small = OpenDeck(game, state, LEAST_MEMORY).solve()
        assert small.value == OpenDeck(game, state).solve().value


@every_bonus
def test_threads_that_share_a_table_change_no_value(bonus: str) -> None:
    """The table is small, so that they write into the same rows."""
    game = Tablic(cards_bonus=bonus)
    for state in positions(game, 18, few(4, 0)):
        alone = OpenDeck(game, state).value()
        assert OpenDeck(game, state, LEAST_MEMORY, threads=3).value() == alone


@every_bonus
def test_a_table_with_more_captures_than_capacity(
    bonus: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It makes larger arrays, begins again, and no value changes."""
    game = Tablic(cards_bonus=bonus)
    states = list(positions(game, 8, few(10, 1)))
    expected = [OpenDeck(game, state).value() for state in states]
    monkeypatch.setattr(solver, "CAPACITY", 8)
    for threads in (1, 2):
        decks = [OpenDeck(game, state, threads=threads) for state in states]
        assert [deck.value() for deck in decks] == expected
        assert any(len(deck._searches[0].search.moves) > 8 for deck in decks)


def test_far_too_many_captures_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "CAPACITY", 2)
    monkeypatch.setattr(solver, "MOST_CAPACITY", 4)
    game = Tablic(cards_bonus="none")
    (state,) = positions(game, 8, 1)
    with pytest.raises(BadText, match="too many ways to capture"):
        OpenDeck(game, state).value()


def stored() -> list[tuple[int, str]]:
    lines = [line for line in DATA.read_text().splitlines() if not line.startswith("#")]
    return [(int(value), deck.strip()) for value, deck in (line.split(":") for line in lines)]


QUICKEST = 2
"""Of the stored decks. `benchmarks/open_deck.py` solves all."""


def test_a_whole_deck_has_the_stored_value() -> None:
    game = Tablic(cards_bonus="none")
    value, deck = stored()[QUICKEST]
    assert OpenDeck(game, game.parse_position(deck)).solve().value == DeckValue(value)


def test_interrupted_it_gives_the_bounds_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "SLICE", 1000)
    game = Tablic(cards_bonus="none")
    (state,) = positions(game, 26, 1)
    reports: list[SearchProgress] = []

    def watch(progress: SearchProgress) -> None:
        reports.append(progress)
        if progress.low is not None or progress.high is not None:
            raise KeyboardInterrupt

    with pytest.raises(Stopped) as stopped:
        OpenDeck(game, state).solve(watch)
    low, high = stopped.value.progress.low, stopped.value.progress.high
    value = OpenDeck(game, state).solve().value
    assert low is not None or high is not None
    assert (low is None or low <= value) and (high is None or value <= high)


def test_with_a_bonus_the_bounds_so_far_hold_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game without the bonus is solved first, and its bounds are not those."""
    monkeypatch.setattr(solver, "SLICE", 200)
    game = Tablic(cards_bonus="always")
    seen = 0
    for state in positions(game, 14, few(8, 1)):
        value = OpenDeck(game, state).value()
        reports: list[SearchProgress] = []
        OpenDeck(game, state).value(reports.append)
        for progress in reports:
            assert progress.low is None or progress.low <= value
            assert progress.high is None or value <= progress.high
            seen += progress.low is not None or progress.high is not None
    assert seen


def test_what_it_refuses() -> None:
    with pytest.raises(UnsuitableGame, match="2 players, not 3"):
        OpenDeck(Tablic(players=3), Tablic(players=3).deal(0))
    game = Tablic()
    with pytest.raises(BadValue, match="memory must be at least 1 MB"):
        OpenDeck(game, game.deal(0), 1000)
    text = "table=9c; hand1=Ah 10d; deck=none; hand2=3s Ks"
    for bonus in ("always", "tie"):
        game = Tablic(cards_bonus=bonus)
        with pytest.raises(BadText, match="missing: the piles"):
            OpenDeck(game, game.parse_position(text))
    game = Tablic(cards_bonus="none")
    assert OpenDeck(game, game.parse_position(text)).solve().line


@every_bonus
def test_on_a_walk_every_position_has_the_value_that_it_has_alone(bonus: str) -> None:
    game = Tablic(cards_bonus=bonus)
    for seed, state in enumerate(positions(game, 14, few(6, 1))):
        deck, source, root = OpenDeck(game, state), Random(seed), int(state[0].turn)
        value = deck.solve().value
        for _ in range(2):  # the second walk begins at the deck's position again
            walk, lost = Walk(deck, value), [DeckValue(0), DeckValue(0)]
            while not game.is_over(walk.state):
                seat, before = int(walk.state[0].turn), walk.state
                values = OpenDeck(game, before).values()
                play = walk.best() if seat else source.choice(game.plays(before))
                assert walk.is_optimal(play) == (values[play] == max(values.values()))
                loss = walk.loss(play)
                walk.play(play)
                best = max(values.values())
                assert loss == (best[0] - values[play][0], best[1] - values[play][1])
                assert not seat or loss == DeckValue(0), "the best loses nothing"
                lost[seat] = DeckValue(
                    lost[seat].points + loss.points, lost[seat].cards + loss.cards
                )
            assert plain.end_value(game, walk.state, root) == walk.value
            own, other = lost[root], lost[1 - root]
            assert value.points - walk.value.points == own.points - other.points
