"""The training of thesis TB, with DEAP: fitness is wins less losses in 30 games.

Crossover: the population is paired at random, and the worse of a pair takes the mean of both.
Mutation: 5 % of the population get new genes. The result is the best of the last generation.
By the thesis's text; its listing crosses every pair 16 or more ranks apart and spares the
best third from mutation. Ours plays over swapped seats, each generation on the same shuffles.

With so few games the best is mostly the luckiest, and means of means end in the middle of
the cube: `cma_es.py` does better with the same number of games.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, ClassVar

from deap import base, tools

from kibitz.training.task import Genome, GenomeBatch, GenomeResult, Task, generation_seed

MUTATED = 0.05
"""The part of the population that gets new genes."""


class Fitness(base.Fitness):  # type: ignore[misc]  # DEAP has no types
    """More is better. A class of our own: DEAP's `creator` would make one for everybody."""

    weights: ClassVar[tuple[float, ...]] = (1.0,)


class Individual(list[float]):
    """Genes with their fitness."""

    def __init__(self, genes: Iterable[float]) -> None:
        super().__init__(genes)
        self.fitness: Any = Fitness()


def worse_takes_mean(one: Individual, other: Individual) -> tuple[Individual, Individual]:
    """Crossover. Of equals the second counts as worse."""
    worse, better = (one, other) if one.fitness < other.fitness else (other, one)
    worse[:] = [(a + b) / 2 for a, b in zip(worse, better, strict=True)]
    del worse.fitness.values
    return one, other


def new_genes(individual: Individual, rng: Random) -> tuple[Individual]:
    """Mutation."""
    individual[:] = [rng.random() for _ in individual]
    del individual.fitness.values
    return (individual,)


def toolbox(rng: Random, genes: int) -> Any:
    """The operators of one generation, with its random numbers, for so many genes."""
    box = base.Toolbox()
    box.register("individual", tools.initRepeat, Individual, rng.random, genes)
    box.register("population", tools.initRepeat, list, box.individual)
    box.register("mate", worse_takes_mean)
    box.register("mutate", new_genes, rng=rng)
    return box


def next_generation(population: Sequence[Individual], rng: Random) -> None:
    """Change a population, whose fitness is known, into the next one."""
    box = toolbox(rng, len(population[0]))
    order = rng.sample(population, len(population))
    for one, other in zip(order[::2], order[1::2], strict=False):
        box.mate(one, other)
    for individual in population:
        if rng.random() < MUTATED:
            box.mutate(individual)


class Thesis:
    """The scheme, generation by generation."""

    def __init__(self, task: Task) -> None:
        self.batches = task.generations
        self.fitness = f"wins less losses in {task.games} games"
        self._task = task
        self._generation = 0
        self._population = toolbox(self._rng(), len(task.numbers)).population(task.population)
        self._best: Genome = ()

    def _rng(self) -> Random:
        return Random(generation_seed(self._task, self._generation))

    def ask(self) -> GenomeBatch:
        return GenomeBatch([tuple(individual) for individual in self._population], self._task.pairs)

    def tell(self, results: Sequence[GenomeResult]) -> None:
        for individual, result in zip(self._population, results, strict=True):
            individual.fitness.values = (self.fitness_of(result, self._task.pairs),)
        self._best = tuple(tools.selBest(self._population, 1)[0])
        self._generation += 1
        next_generation(self._population, self._rng())

    def fitness_of(self, result: GenomeResult, pairs: int) -> float:
        return result.wins - result.losses

    @property
    def genome(self) -> Genome:
        return self._best
