"""Training: the operators of the thesis by name, the shuffles, seeds, and going on.

The command line, killed and interrupted, is in test_command.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any, ClassVar

import numpy as np
import pytest

from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.statistics.scores import game_scores
from kibitz.arena.workers import Inline
from kibitz.core.errors import BadText, KibitzError
from kibitz.core.registry import make_strategy
from kibitz.core.strategy import Strategy
from kibitz.strategies.genetic import GENES, THESIS_GENOME
from kibitz.table.seeds import nth_seed
from kibitz.training import run, thesis
from kibitz.training.cma_es import CmaConstants, Search, population, reflected
from kibitz.training.games import TrainingGames, result_of
from kibitz.training.picture import draw
from kibitz.training.run import optimizer_for, train
from kibitz.training.task import SHUFFLES_KEY, Genome, GenomeResult, Seats, Task
from kibitz.training.thesis import Individual, new_genes, next_generation, worse_takes_mean
from tests.games.boards import compiled_game
from tests.processes import environment
from tests.processes import run as run_python

OPTIMIZERS = ("thesis", "cma")


def task(**changes: Any) -> Task:
    """The settings of the thesis, but for the changes."""
    settings = {
        "game": "tablic", "strategy": "genetic", "numbers": GENES.names, "opponent": "greedy",
        "optimizer": "thesis", "generations": 100, "population": 50, "games": 30, "seed": 1,
        "fresh": 0,
    }  # fmt: skip
    return Task.model_validate({**settings, **changes})


def small(**changes: Any) -> Task:
    return task(**{"generations": 5, "population": 12, "games": 8, **changes})


def individual(fitness: float, *genes: float) -> Individual:
    made = Individual(genes)
    made.fitness.values = (fitness,)
    return made


# -- the operators of the thesis ---------------------------------------------------------------


@pytest.mark.parametrize("order", [1, -1])
def test_the_worse_takes_the_mean_of_both(order: int) -> None:
    better, worse = individual(4, 0.5, 1.0), individual(-2, 0.25, 0.0)
    worse_takes_mean(*(better, worse)[::order])
    assert (better, worse) == ([0.5, 1.0], [0.375, 0.5])
    assert better.fitness.valid and not worse.fitness.valid


def test_of_equals_the_second_takes_the_mean() -> None:
    one, other = individual(4, 0.5), individual(4, 0.25)
    worse_takes_mean(one, other)
    assert (one, other) == ([0.5], [0.375])


def test_mutation_gives_all_new_genes() -> None:
    mutated = individual(4, 2.0, 2.0, 2.0, 2.0)
    new_genes(mutated, Random(1))
    assert len(set(mutated)) == 4 and all(0 <= gene < 1 for gene in mutated)
    assert not mutated.fitness.valid


def test_everybody_is_paired_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gene i is set in individual i alone: the mean shows who was paired with whom."""
    monkeypatch.setattr(thesis, "MUTATED", 0.0)
    n = 10
    genes = np.eye(n)
    population = [individual(i, *genes[i]) for i in range(n)]
    next_generation(population, Random(1))
    met = [sorted(np.flatnonzero(one)) for one in population if len(set(one)) == 2 and 0.5 in one]
    assert sorted(i for pair in met for i in pair) == list(range(n))
    for i, one in enumerate(population):
        assert sum(one) == 1 and one[i] in (0.5, 1.0)
        if one[i] == 0.5:
            assert max(np.flatnonzero(one)) > i, "the worse of the two"


def test_who_meets_whom_is_random(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thesis, "MUTATED", 0.0)
    ends = []
    for seed in range(2):
        population = [individual(i, float(i)) for i in range(10)]
        next_generation(population, Random(seed))
        ends.append(population)
    assert ends[0] != ends[1]


def test_five_percent_are_replaced() -> None:
    population = [individual(0, 2.0, 2.0, 2.0, 2.0) for _ in range(10_000)]
    next_generation(population, Random(1))
    replaced = [one for one in population if one != [2.0] * 4]
    assert 430 < len(replaced) < 570, "500, give or take three standard deviations"
    assert all(max(one) < 1 for one in replaced)


def test_the_result_is_the_best_of_the_last_generation() -> None:
    scheme = thesis.Thesis(small(generations=2))
    scheme.tell([GenomeResult(i, 0, 0) for i in range(12)])
    genomes = scheme.ask().genomes
    scheme.tell([GenomeResult(i in (3, 5), 0, 0) for i in range(12)])
    assert scheme.genome == genomes[3]


# -- CMA-ES -----------------------------------------------------------------------------------


def minimized(genes: int, loss: Callable[[np.ndarray], float], generations: int) -> Genome:
    """Where the search is after so many generations."""
    search = Search(genes, lambda generation: 1000 + generation)
    for _ in range(generations):
        genomes = search.ask()
        assert len(genomes) == population(genes)
        assert all(0 <= gene <= 1 for genome in genomes for gene in genome)
        search.tell([loss(np.array(genome)) for genome in genomes])
    return search.mean


@pytest.mark.parametrize(("genes", "generations"), [(1, 60), (2, 80), (10, 250)])
def test_cma_finds_the_middle_of_a_sphere(genes: int, generations: int) -> None:
    middle = np.linspace(0.15, 0.8, genes)
    found = minimized(genes, lambda x: float(((x - middle) ** 2).sum()), generations)
    assert found == pytest.approx(middle, abs=1e-4)


def test_cma_finds_the_end_of_rosenbrocks_valley() -> None:
    """(H. Rosenbrock, The Computer Journal 3, 1960), from −2 to 2 in every direction."""

    def valley(x: np.ndarray) -> float:
        y = 4 * x - 2
        return float((100 * (y[1:] - y[:-1] ** 2) ** 2 + (1 - y[:-1]) ** 2).sum())

    for genes, generations in ((2, 150), (5, 500)):
        found = minimized(genes, valley, generations)
        assert 4 * np.array(found) - 2 == pytest.approx(np.ones(genes), abs=1e-3)


def test_cma_finds_what_lies_in_a_corner() -> None:
    found = minimized(3, lambda x: float(x.sum()), 80)
    assert found == pytest.approx((0, 0, 0), abs=1e-3)


def test_cma_only_asks_who_is_better() -> None:
    """Changed so that the order stays, losses lead to the same genomes."""
    sphere = minimized(4, lambda x: float((x**2).sum()), 20)
    assert minimized(4, lambda x: float(np.exp((x**2).sum()) - 7), 20) == sphere


def test_cma_learns_how_far_to_look_in_each_direction() -> None:
    """A narrow valley across all genes takes not much longer than a sphere; without a covariance
    it would take thousands of generations."""
    turn = np.linalg.qr(np.random.default_rng(1).standard_normal((4, 4)))[0]
    scale = np.array([1.0, 10.0, 100.0, 1000.0])

    def valley(x: np.ndarray) -> float:
        return float(((scale * (turn @ (x - 0.4))) ** 2).sum())

    assert minimized(4, valley, 250) == pytest.approx([0.4] * 4, abs=1e-3)


def test_the_settings_are_those_of_the_tutorial() -> None:
    """Table 1 for ten numbers, worked out by hand from its formulas."""
    settings = CmaConstants.of(10)
    assert settings.parents == 5
    assert settings.weights[:5] == pytest.approx([0.4563, 0.2708, 0.1623, 0.0852, 0.0255], abs=1e-4)
    assert settings.effective == pytest.approx(3.1673, abs=1e-4)
    assert settings.sigma_rate == pytest.approx(5.1673 / 18.1673, abs=1e-4)
    assert settings.damping == pytest.approx(1 + 5.1673 / 18.1673, abs=1e-4)
    assert settings.path_rate == pytest.approx(4.31673 / 14.63345, abs=1e-4)
    assert settings.one_rate == pytest.approx(2 / (127.69 + 3.1673), abs=1e-5)
    assert settings.many_rate == pytest.approx(2 * 1.7330 / 147.1673, abs=1e-4)
    assert settings.weights[:5].sum() == pytest.approx(1)
    for genes in (1, 2, 5, 30):
        weights, many = CmaConstants.of(genes).weights, CmaConstants.of(genes).many_rate
        assert list(weights) == sorted(weights, reverse=True) and weights[-1] < 0
        rest = 1 - CmaConstants.of(genes).one_rate - many * weights.sum()
        # The covariance stays one: what is taken off in every direction is less than all.
        assert rest + many * genes * weights[weights < 0].sum() >= -1e-12


def test_who_is_beyond_a_wall_is_reflected() -> None:
    beyond = np.array([0.3, 1.2, -0.4, 2.3, -1.1])
    assert reflected(beyond) == pytest.approx([0.3, 0.8, 0.4, 0.3, 0.9])


def test_generations_have_the_size_of_the_tutorial() -> None:
    assert [population(genes) for genes in (1, 2, 3, 4, 5, 10, 20)] == [4, 6, 7, 8, 8, 10, 12]


# -- the games ---------------------------------------------------------------------------------


class Watched:
    """Instead of games: who played which shuffles. A genome is better near the target."""

    target = (0.8, 0.3, 0.6, 0.2)

    def __init__(self, seats: Seats, *others: Any) -> None:
        self.played: list[tuple[Genome, int, int]] = []
        Watched.made.append(self)

    made: ClassVar[list[Watched]] = []

    def play(
        self, strategies: Sequence[Strategy], start: int, pairs: int, *progress: Any
    ) -> list[np.ndarray]:
        """As many points as it is near the target."""
        results = []
        for strategy in strategies:
            genome = tuple(strategy.settings[name] for name in GENES.names)
            self.played.append((genome, start, pairs))
            far = sum((a - b) ** 2 for a, b in zip(genome, self.target, strict=True))
            results.append(np.tile([-far, far, -far, far], (pairs, 1)))
        return results


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[tuple[Genome, int, int]]]:
    """Those to learn from: before them is what compiles, behind them what is fresh."""
    Watched.made.clear()
    monkeypatch.setattr(run, "TrainingGames", Watched)
    return lambda: Watched.made[1].played


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_generation_has_the_same_shuffles_and_the_next_one_others(
    optimizer: str, watched: Callable[[], list[tuple[Genome, int, int]]]
) -> None:
    wanted = task(optimizer=optimizer)
    train(wanted)
    batches: dict[int, list[tuple[Genome, int]]] = {}
    for genome, start, pairs in watched():
        batches.setdefault(start, []).append((genome, pairs))
    assert len(batches) == optimizer_for(wanted).batches
    for (start, batch), (after, _) in pairwise(batches.items()):
        assert {pairs for _, pairs in batch} == {after - start}
        assert len(batch) == (50 if optimizer == "thesis" else population(4))
    played = 2 * sum(pairs for _, _, pairs in watched())
    assert played <= 150_000
    assert played == 150_000 if optimizer == "thesis" else played > 149_900
    assert all(0 <= gene <= 1 for genome, _, _ in watched() for gene in genome)


def test_cma_finds_what_is_best(watched: Any) -> None:
    assert train(task(optimizer="cma")).genome == pytest.approx(Watched.target, abs=0.05)


def test_the_games_are_those_of_a_strategy_with_the_numbers() -> None:
    wanted = small()
    seed = nth_seed(wanted.seed, SHUFFLES_KEY)
    seats = wanted.seats()
    games = TrainingGames(seats, seed, Inline(), 1)
    tried = [(0.2, 0.1, 0.9, 0.4), THESIS_GENOME]
    played = games.play([seats.with_genome(genome) for genome in tried], 10, 40)
    for genome, rows in zip(tried, played, strict=True):
        weights = ",".join(f"g{i}={gene}" for i, gene in enumerate(genome))
        strategies = [make_strategy(f"genetic:{weights}"), make_strategy("greedy")]
        results = CompiledPairs(compiled_game("tablic"), strategies, seed, 0).play(10, 40)[0]
        assert (rows == results).all()
        result, points = result_of(rows), game_scores(results, 2)[:, :, 0]
        assert result.wins == (points == 1).sum() and result.losses == (points == 0).sum()
        ahead = [own for row in results for own in (row[0], row[2])]
        assert max(ahead) > 10 and result.points == sum(min(10, max(-10, own)) for own in ahead)
    assert (played[0] != played[1]).any()


# -- seeds, and going on -----------------------------------------------------------------------


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_the_same_seed_gives_the_same(optimizer: str) -> None:
    np.random.seed(1)
    drawn = np.random.random()
    np.random.seed(1)
    genome_file = train(small(optimizer=optimizer))
    assert np.random.random() == drawn, "everybody's random numbers are left alone"
    assert train(small(optimizer=optimizer)) == genome_file
    assert train(small(optimizer=optimizer, seed=2)).genome != genome_file.genome
    assert len(genome_file.genome) == 4 and all(0 <= gene <= 1 for gene in genome_file.genome)
    assert draw(genome_file) == draw(genome_file)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_stopped_after_any_generation_it_ends_the_same(optimizer: str) -> None:
    wanted = small(optimizer=optimizer)
    saved: list[list[list[GenomeResult]]] = []
    genome_file = train(wanted, save=lambda done: saved.append(list(done)))
    assert [len(done) for done in saved] == list(range(1, len(genome_file.curve) + 1))
    for done in saved:
        assert train(wanted, list(done)) == genome_file


def test_the_curve() -> None:
    saved: list[list[list[GenomeResult]]] = []
    genome_file = train(small(), save=lambda done: saved.append(list(done)))
    for number, (step, results) in enumerate(zip(genome_file.curve, saved[-1], strict=True), 1):
        balance = [result.wins - result.losses for result in results]
        assert step["generation"] == number and step["games"] == number * 12 * 8
        assert step["best"] == max(balance) and step["mean"] == pytest.approx(np.mean(balance))
        assert step["score"] == pytest.approx(0.5 + np.mean(balance) / 16)


@pytest.mark.parametrize(
    "done",
    [
        [[GenomeResult(1, 1, 0)]],
        [[GenomeResult(9, 0, 0)] * 12],
        [[GenomeResult(-1, 0, 0)] * 12],
    ],
    ids=["too few genomes", "too many wins", "fewer than none"],
)
def test_results_that_cannot_be(done: Sequence[Sequence[GenomeResult]]) -> None:
    with pytest.raises(BadText, match="does not fit"):
        train(small(), [list(results) for results in done])


@pytest.mark.parametrize(
    ("changes", "tells"),
    [
        ({"game": "love-letter"}, "genetic plays tablic, not love-letter"),
        ({"strategy": "greedy"}, "greedy has no numbers to train; these have: genetic, ismcts"),
        ({"numbers": ()}, "g0, g1, g2, g3 are given; leave out what training is to find"),
        ({"game": "tablic:players=3"}, "training is for two players"),
        ({"fresh": 9}, "fresh must be 0, or at least 10"),
        ({"fresh": -1}, "fresh must be at least 0"),
        ({"generations": 0}, "generations must be at least 1"),
        ({"population": 1}, "population must be at least 2"),
        ({"games": 0}, "games must be at least 2"),
        ({"games": 31}, "even"),
        ({"opponent": "backtrak"}, "backtrack"),
        ({"optimizer": "cma", "generations": 1, "population": 2, "games": 2}, "more games"),
    ],
)
def test_what_cannot_be_trained(changes: dict[str, Any], tells: str) -> None:
    with pytest.raises(KibitzError, match=tells):
        train(task(**changes))


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_the_smallest_training(optimizer: str) -> None:
    games = 2 if optimizer == "thesis" else 12
    genome_file = train(task(optimizer=optimizer, generations=1, population=2, games=games))
    assert len(genome_file.genome) == 4


def test_the_file_of_a_genome_is_light_to_import() -> None:
    """Strategies are imported by `kibitz games`."""
    code = "import sys, kibitz.strategies.common.genome; print(*sys.modules)"
    modules = set(run_python(["-c", code], environment()).stdout.split())
    assert "kibitz.strategies.common.genome" in modules
    assert not modules & {"numpy", "pydantic", "matplotlib", "deap", "numba"}
    assert sys.modules.keys() >= {"deap"}, "the names are right"
