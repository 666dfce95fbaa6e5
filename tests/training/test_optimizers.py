"""Training: the operators of the thesis by name, the shuffles, seeds, and going on.

The command line, killed and interrupted, is in test_command.py.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest

from kibitz.arena.pairs import CompiledPairs
from kibitz.arena.statistics.scores import game_scores
from kibitz.core.errors import BadText, KibitzError
from kibitz.core.registry import make_strategy
from kibitz.strategies.genetic import THESIS_GENOME
from kibitz.table.seeds import nth_seed
from kibitz.training import cma_es, run, thesis
from kibitz.training.picture import draw
from kibitz.training.run import optimizer_for, train
from kibitz.training.task import SHUFFLES_KEY, Games, Genome, GenomeResult, Task
from kibitz.training.thesis import Individual, new_genes, next_generation, worse_takes_mean
from tests.games.boards import compiled_game
from tests.processes import environment
from tests.processes import run as run_python

OPTIMIZERS = ("thesis", "cma")


def task(**changes: Any) -> Task:
    """The settings of the thesis, but for the changes."""
    settings = {
        "game": "tablic", "strategy": "genetic", "opponent": "greedy", "optimizer": "thesis",
        "generations": 100, "population": 50, "games": 30, "seed": 1,
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


# -- the games ---------------------------------------------------------------------------------


class Watched:
    """Instead of games: who played which shuffles. A genome is better near the target."""

    target = (0.8, 0.3, 0.6, 0.2)

    def __init__(self, task: Task) -> None:
        self.played: list[tuple[Genome, int, int]] = []
        Watched.last = self

    last: Watched

    def play(self, genome: Genome, start: int, pairs: int) -> GenomeResult:
        self.played.append((genome, start, pairs))
        far = sum((a - b) ** 2 for a, b in zip(genome, self.target, strict=True))
        return GenomeResult(round(pairs * max(0.0, 1 - far)), 0, -far)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Callable[[], list[tuple[Genome, int, int]]]:
    monkeypatch.setattr(run, "Games", Watched)
    return lambda: Watched.last.played


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
        assert len(batch) == (50 if optimizer == "thesis" else cma_es.POPULATION)
    played = 2 * sum(pairs for _, _, pairs in watched())
    assert played <= 150_000
    assert played == 150_000 if optimizer == "thesis" else played > 149_900
    assert all(0 <= gene <= 1 for genome, _, _ in watched() for gene in genome)


def test_cma_finds_what_is_best(watched: Any) -> None:
    assert train(task(optimizer="cma")).genome == pytest.approx(Watched.target, abs=0.05)


def test_numbers_can_be_replaced() -> None:
    """The games are those of a strategy that was made with the genome."""
    wanted = small()
    games, genome = Games(wanted), (0.2, 0.1, 0.9, 0.4)
    games.play(THESIS_GENOME, 0, 3)
    result = games.play(genome, 10, 40)
    weights = ",".join(f"g{i}={gene}" for i, gene in enumerate(genome))
    strategies = [make_strategy(f"genetic:{weights}"), make_strategy("greedy")]
    seed = nth_seed(wanted.seed, SHUFFLES_KEY)
    results = CompiledPairs(compiled_game("tablic"), strategies, seed, 0).play(10, 40)[0]
    points = game_scores(results, 2)[:, :, 0]
    assert result.wins == (points == 1).sum() and result.losses == (points == 0).sum()
    ahead = [own for row in results for own in (row[0], row[2])]
    assert max(ahead) > 10 and result.points == sum(min(10, max(-10, own)) for own in ahead)
    assert result != games.play(THESIS_GENOME, 10, 40)


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
        ({"game": "love-letter"}, "what can: tablic genetic"),
        ({"strategy": "greedy"}, "what can: tablic genetic"),
        ({"strategy": "genetic:g0=1.0"}, "give genetic alone"),
        ({"game": "tablic:players=3"}, "2 players only"),
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
    assert not modules & {"numpy", "pydantic", "matplotlib", "deap", "cma", "numba"}
    assert sys.modules.keys() >= {"deap", "cma"}, "the names are right"
