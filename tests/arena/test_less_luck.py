"""Less luck: mean zero, the same pairs, and the same figures whoever plays them."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.arena.compare import compare
from kibitz.arena.luck import LuckOfGame, luck_module
from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.plan import Part
from kibitz.arena.python_pairs import PythonPairs
from kibitz.arena.report.words import less_luck_rows, say_less_luck
from kibitz.arena.statistics.sequential import looks
from kibitz.arena.store.store import Store
from kibitz.core.errors import BadText, UnsuitableGame
from kibitz.core.registry import make_game, make_strategy
from kibitz.games.love_letter.cards import PRINCE
from kibitz.games.love_letter.game import LoveLetter
from kibitz.games.tablic.game import Tablic
from kibitz.jit.rng import stream
from kibitz.strategies.love_letter import luck as love_letter
from kibitz.strategies.tablic import luck as tablic
from tests.arena.failing import Failing
from tests.arena.less_luck import coverage, false_alarms, measure
from tests.arena.running import without_seconds
from tests.processes import kibitz_here

GAME, TABLIC = LoveLetter(), Tablic()
GREEDY, RANDOM = make_strategy("greedy"), make_strategy("random")


def late_rounds(number: int) -> list[Any]:
    """Positions of Love Letter in which few cards are left to come, from random play."""
    found: list[Any] = []
    for seed in range(1000):
        rng = stream(seed)
        state = GAME.deal(seed, seed % 2)
        while not state[0].over and state[0].left > 2:
            GAME.kernels.apply(state, GAME.kernels.pick(state, rng))
        if not state[0].over and state[0].hand.min() >= 0:
            found.append(state)
        if len(found) == number:
            break
    return found


def mean_luck(state: Any, earlier: int, play: int, unseen: bool) -> float:
    """Over every order of the cards that nobody has seen, the other's hand with them if it is
    one that nobody has decided by."""
    x = state[0]
    other = 1 - int(x.turn)
    cards = [int(x.deck) >> 4 * i & 15 for i in range(int(x.left))] + [int(x.aside)]
    cards += [int(x.hand[other])] * unseen
    lucks = []
    for order in permutations(cards):
        before, scratch = state.copy(), GAME.blank()
        before[0].deck = sum(card << 4 * i for i, card in enumerate(order[: int(x.left)]))
        before[0].aside = order[int(x.left)]
        if unseen:
            before[0].hand[other] = order[-1]
        after = before.copy()
        GAME.kernels.apply(after, play)
        numbers = love_letter.numbers()
        given = (before, earlier, play, after, numbers, scratch, stream(0))
        lucks.append(love_letter.luck_of_play(*given))
    assert max(map(abs, lucks)) <= 1
    return float(np.mean(lucks))


def test_luck_in_love_letter_has_mean_zero_exactly() -> None:
    """Over all that could have come, for every legal play, with the other's hand seen or not."""
    spread = 0.0
    for state in late_rounds(12):
        other = 1 - int(state[0].turn)
        own_prince = PRINCE + 16 * (other + 1)
        for play in GAME.plays(state):
            assert mean_luck(state, 1, play.code, False) == pytest.approx(0, abs=1e-12)
            for earlier in (-1, own_prince):
                assert mean_luck(state, earlier, play.code, True) == pytest.approx(0, abs=1e-12)
                spread += 1
    assert spread > 30


def test_luck_in_tablic_has_mean_zero_and_only_deals_count() -> None:
    rng, lucks = stream(5), []
    before = TABLIC.deal(3)
    for _ in range(11):
        after = before.copy()
        play = TABLIC.kernels.pick(after, rng)
        TABLIC.kernels.apply(after, play)
        given = (before, -1, play, after, tablic.numbers(), TABLIC.blank(), stream(1))
        assert tablic.luck_of_play(*given) == 0
        before = after
    lots = np.random.default_rng(2)
    play = TABLIC.kernels.pick(before, rng)
    for number in range(300):
        lots.shuffle(before[0].deck[16:])
        after = before.copy()
        TABLIC.kernels.apply(after, play)
        given = (before, -1, play, after, tablic.numbers(), TABLIC.blank(), stream(7, number))
        lucks.append(tablic.luck_of_play(*given))
    assert np.std(lucks) > 0.01
    assert abs(np.mean(lucks)) < 3.5 * np.std(lucks) / len(lucks) ** 0.5


@pytest.mark.parametrize(("game", "pairs"), [(GAME, 12), (TABLIC, 1)])
def test_compiled_and_python_have_the_same_pairs_and_luck(game: Any, pairs: int) -> None:
    players = [GREEDY, RANDOM]
    compiled = CompiledPairs(game, players, 4, 0, luck_module(game)).play_part(2, pairs)
    plain = CompiledPairs(game, players, 4, 0).play_part(2, pairs)
    unit = game.traits.unit
    python = PythonPairs(game, players, 4, unit, luck=LuckOfGame(game)).play_part(2, pairs)
    assert compiled.luck is not None and python.luck is not None and plain.luck is None
    for other in (plain, python):
        assert (compiled.results == other.results).all()
        assert (compiled.decisions == other.decisions).all()
    assert (compiled.luck == python.luck).all()
    assert np.abs(compiled.luck).max() > 0


def test_the_plain_figures_stay_and_the_mean_does() -> None:
    plain = compare(GAME, [GREEDY, RANDOM], 3000, seed=5).document()
    less = compare(GAME, [GREEDY, RANDOM], 3000, seed=5, less_luck=True).document()
    (match,) = less["matches"]
    corrected = match.pop("less_luck")
    rated = [document.pop("rating") for document in (less, plain)]
    assert [rating["by"] for rating in rated] == ["less-luck", "score"]
    assert without_seconds(less) == without_seconds(plain)
    assert abs(corrected["score"] - match["score"]) < 0.02
    assert corrected["ci95"][0] < corrected["score"] < corrected["ci95"][1]
    assert 0.4 < corrected["variance"] < 0.95
    narrower = (corrected["ci95"][1] - corrected["ci95"][0]) / (match["ci95"][1] - match["ci95"][0])
    assert narrower == pytest.approx(corrected["variance"] ** 0.5, rel=0.03)


def figures(**options: Any) -> dict[str, Any]:
    compared = compare(GAME, [GREEDY, RANDOM], 900, less_luck=True, **options)
    return without_seconds(compared.document())


def test_one_process_or_two_killed_or_not_it_is_the_same(tmp_path: Path) -> None:
    store = tmp_path / "store"
    compare(GAME, [GREEDY, RANDOM], 300, less_luck=True, store=store)
    compare(GAME, [GREEDY, RANDOM], 100, store=store)
    undisturbed = figures()
    assert undisturbed["matches"][0]["less_luck"]["score"] > 0.5
    assert figures(jobs=2, store=store) == undisturbed == figures(store=store)
    with Store(store) as opened:
        assert [run.plan.less_luck for run in opened.runs()] == [True, False]
        assert [run.pairs for run in opened.runs()] == [[900], [100]]
    listed = kibitz_here("runs", store, home=tmp_path).stdout
    assert "less luck" in listed
    told = json.loads(kibitz_here("runs", store, "1", "--json", home=tmp_path).stdout)
    assert told["matches"][0]["less_luck"] == undisturbed["matches"][0]["less_luck"]
    plain = json.loads(kibitz_here("runs", store, "2", "--json", home=tmp_path).stdout)
    assert "less_luck" not in plain["matches"][0]


def test_until_clear_decides_by_what_luck_leaves() -> None:
    one, two = (figures(until_clear=True, jobs=jobs) for jobs in (1, 2))
    assert one == two
    (match,) = one["matches"]
    assert match["clear"] and match["pairs"] in looks(900) and match["pairs"] < 900


def test_whoever_fails_has_his_luck_up_to_then() -> None:
    part = Part(GAME, (Failing(), GREEDY), 1, "round", None, 0, 8, less_luck=True)
    from kibitz.arena.play_part import play_part

    played = play_part(part)
    assert played.failures and played.luck is not None
    assert played.luck.shape == (8, 2)


@pytest.mark.parametrize(
    ("game", "players", "unit", "word"),
    [
        ("love-letter", ["greedy", "random"], "match", "for one round"),
        ("love-letter:players=3", ["greedy", "random", "random"], None, "two players"),
        ("tablic", ["greedy", "full-backtrack"], None, "open-deck"),
        (
            "tic-tac-toe",
            ["random", "random"],
            None,
            "tic-tac-toe does not; allowed: love-letter, tablic",
        ),
    ],
)
def test_what_can_not_be_corrected_is_refused(
    game: str, players: list[str], unit: str | None, word: str
) -> None:
    made = [make_strategy(player) for player in players]
    with pytest.raises((BadText, UnsuitableGame), match=word):
        compare(make_game(game), made, 10, unit=unit, less_luck=True)


def test_intervals_cover_and_looks_raise_few_false_alarms() -> None:
    found = measure("love-letter", "greedy", "probabilistic", 4000)
    assert abs(found.deviation) < 3.5
    assert found.share < 0.8
    for size in (50, 200):
        assert 0.94 <= coverage(found.less, size, 6000) <= 0.96
    assert false_alarms(found.less, 600, 600) < 0.08


def test_the_screen_has_both_scores_and_the_words_follow_the_figures(tmp_path: Path) -> None:
    players = "greedy", "random", "--pairs", "200", "--less-luck", "--jobs", "1"
    shown = kibitz_here("compare", "love-letter", *players, home=tmp_path)
    assert "less luck" in shown.stdout and "variance" in shown.stdout
    from dataclasses import replace

    compared = compare(GAME, [GREEDY, RANDOM], 200, less_luck=True)
    (match,) = compared.matches
    assert match.less_luck is not None
    assert len(less_luck_rows(compared)) == 1
    said = []
    for share in (match.less_luck.variance, 1.5, None):
        other = replace(match, less_luck=replace(match.less_luck, variance=share))
        said.append(say_less_luck(replace(compared, matches=(other,))))
    assert "is less:" in said[0] and "is not less: 1.50" in said[1] and said[2].endswith("is.")
    unsure = replace(match, less_luck=replace(match.less_luck, ci95=(0.4, 0.9)))
    assert (match.side, unsure.side) == (1, 0)
    assert say_less_luck(replace(compared, matches=(replace(match, less_luck=None),))) == ""
