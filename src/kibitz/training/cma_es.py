"""CMA-ES (N. Hansen and A. Ostermeier, 2001; the package `cma`) with the thesis's number of
games, spent otherwise: few genomes with many games each, and what is left for a final.

A genome's fitness is its points ahead, a clear win counted as one of CLEAR points. By wins
alone it takes two to three times the games to tell two genomes apart; by all points the
search learns to win higher, not more often. The final is played by the mean of
the search, the means of its later means and bests, and its last bests, on fresh shuffles.
The search starts in the middle of the cube, which has all weights equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import Any

import cma
import numpy as np

from kibitz.core.errors import BadText
from kibitz.strategies.genetic import GENES
from kibitz.training.task import CLEAR, Genome, GenomeBatch, GenomeResult, Task, generation_seed

POPULATION = 8
GENERATIONS = 20
"""At most: with few games there are fewer, so that a genome has at least FEW pairs."""
FEW = 10
FINAL = 4
"""The final has one fourth of all games."""
LAST = 5
"""How many of the last generations send their best into the final."""
STEP = 0.25
"""How far the search looks at first: a quarter of the cube's side."""


class CmaEs:
    """The search, generation by generation, and the final."""

    def __init__(self, task: Task) -> None:
        search = task.budget - task.budget // FINAL
        if search < POPULATION:
            raise BadText(
                f"cma needs more games: {task.generations} generations × {task.population} ×"
                f" {task.games} games are too few for a population of {POPULATION}"
            )
        generations = max(1, min(GENERATIONS, search // (POPULATION * FEW)))
        self.batches = generations + 1
        self.fitness = f"points ahead in a game, up to {CLEAR}"
        self._task = task
        self._pairs = search // (POPULATION * generations)
        self._left = task.budget - self._pairs * POPULATION * generations
        self._rng = np.random.default_rng(0)
        self._search = cma.CMAEvolutionStrategy([0.5] * GENES.number, STEP, self._options())
        self._asked: list[Genome] = []
        self._means: list[Genome] = []
        self._bests: list[Genome] = []

    def _options(self) -> dict[str, Any]:
        return {
            "bounds": [0, 1],
            "popsize": POPULATION,
            "randn": lambda *shape: self._rng.standard_normal(shape),
            "seed": np.nan,  # leaves NumPy's own random numbers alone
            "verbose": -9,
        }

    @property
    def _is_final(self) -> bool:
        return len(self._means) == self.batches - 1

    def ask(self) -> GenomeBatch:
        if self._is_final:
            self._asked = self._finalists()
            return GenomeBatch(self._asked, self._left // len(self._asked))
        self._rng = np.random.default_rng(generation_seed(self._task, len(self._means)))
        self._asked = [_genome(asked) for asked in self._search.ask()]
        return GenomeBatch(self._asked, self._pairs)

    def tell(self, results: Sequence[GenomeResult]) -> None:
        points = [result.points for result in results]
        self._bests.append(self._asked[int(np.argmax(points))])
        if not self._is_final:
            self._search.tell([np.array(genome) for genome in self._asked], [-p for p in points])
            self._means.append(_genome(self._search.result.xfavorite))

    def _finalists(self) -> list[Genome]:
        """Each once: after one generation some are the same."""
        half = len(self._means) // 2
        middles = [_middle(self._means[half:]), _middle(self._bests[half:])]
        return list(dict.fromkeys([self._means[-1], *middles, *self._bests[-LAST:]]))

    def fitness_of(self, result: GenomeResult, pairs: int) -> float:
        return result.points / (2 * pairs)

    @property
    def genome(self) -> Genome:
        return self._bests[-1]


def _genome(genes: Any) -> Genome:
    return tuple(float(gene) for gene in genes)


def _middle(genomes: Sequence[Genome]) -> Genome:
    return tuple(fmean(genes) for genes in zip(*genomes, strict=True))
