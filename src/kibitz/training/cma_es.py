"""CMA-ES (N. Hansen and A. Ostermeier, Evolutionary Computation 9, 2001) with a number of games
that is given: few genomes with many games each, and what is left for a final.

`Search` is the method as N. Hansen's tutorial has it (arXiv:1604.00772, 2016: its figure 6 with the
settings of its table 1). It is our own: the package `cma` fails where there is one number alone,
and takes longer to import than many a training.

A genome's fitness is its points ahead, a clear win counted as one of CLEAR points. By wins
alone it takes two to three times the games to tell two genomes apart; by all points the
search learns to win higher, not more often. The final is played by the mean of
the search, the means of its later means and bests, and its last bests, on fresh shuffles.
The search starts in the middle of the cube, which has all weights equal.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.errors import BadText
from kibitz.training.games import CLEAR
from kibitz.training.task import Genome, GenomeBatch, GenomeResult, Task, generation_seed

GENERATIONS, PER_GENE = 20, 5
"""At most so many, and so many for each gene if they are more. With few games there are fewer, so
that a genome has at least FEW pairs."""
FEW = 10
FINAL = 4
"""The final has one fourth of all games."""
LAST = 5
"""How many of the last generations send their best into the final."""
STEP, WIDEST = 0.25, 1 / 3
"""How far the search looks at first, and at most, as a share of the cube's side."""
LEAST = 1e-300


def population(genes: int) -> int:
    """The tutorial's: 8 for four genes."""
    return 4 + int(3 * math.log(genes))


class Search:
    """CMA-ES on the cube of genomes, generation by generation. Less is better.

    The steps y of a generation are drawn from N(0, C), and its genomes are m + σy. The mean m moves
    to where the better half is; C learns the steps that were good (and unlearns those that were
    bad), and its path; σ grows while steps go the same way, and shrinks while they go to and fro.
    The search knows no walls: whoever is beyond one is reflected into the cube.
    """

    def __init__(self, genes: int, seed: Callable[[int], int]) -> None:
        """The seed is that of a generation, by its number."""
        self._n, self._seed, self._generation = genes, seed, 0
        self._settings = CmaConstants.of(genes)
        self._m, self._sigma = np.full(genes, 0.5), STEP
        self._covariance = np.eye(genes)
        self._path, self._sigma_path = np.zeros(genes), np.zeros(genes)
        self._steps = np.zeros((0, genes))

    def ask(self) -> list[Genome]:
        """The next generation."""
        rng = np.random.default_rng(self._seed(self._generation))
        self._generation += 1
        values, axes = np.linalg.eigh(self._covariance)
        drawn = rng.standard_normal((population(self._n), self._n))
        self._steps = (drawn * np.sqrt(np.maximum(values, 0.0))) @ axes.T
        return [_genome(reflected(self._m + self._sigma * step)) for step in self._steps]

    def tell(self, losses: Sequence[float]) -> None:
        """What came of it."""
        s, n = self._settings, self._n
        steps = self._steps[np.argsort(losses, kind="stable")]
        values, axes = np.linalg.eigh(self._covariance)
        white = axes @ np.diag(np.maximum(values, LEAST) ** -0.5) @ axes.T
        mean_step = s.weights[: s.parents] @ steps[: s.parents]
        self._m = self._m + self._sigma * mean_step
        rate = s.sigma_rate
        self._sigma_path = (1 - rate) * self._sigma_path + math.sqrt(
            rate * (2 - rate) * s.effective
        ) * (white @ mean_step)
        length, usual = float(np.linalg.norm(self._sigma_path)), _length_of_normal(n)
        so_far = 1 - (1 - rate) ** (2 * self._generation)
        is_short = length / math.sqrt(so_far) < (1.4 + 2 / (n + 1)) * usual
        rate = s.path_rate
        self._path = (1 - rate) * self._path + is_short * math.sqrt(
            rate * (2 - rate) * s.effective
        ) * mean_step
        lengths = ((steps @ white) ** 2).sum(axis=1)
        weights = np.where(s.weights >= 0, s.weights, s.weights * n / np.maximum(lengths, LEAST))
        stays = 1 - s.one_rate - s.many_rate * s.weights.sum()
        stays += 0.0 if is_short else s.one_rate * rate * (2 - rate)
        self._covariance = (
            stays * self._covariance
            + s.one_rate * np.outer(self._path, self._path)
            + s.many_rate * (steps.T * weights) @ steps
        )
        self._sigma *= math.exp(s.sigma_rate / s.damping * (length / usual - 1))
        widest = math.sqrt(float(np.diag(self._covariance).max()))
        self._sigma = min(self._sigma, WIDEST / widest)  # wider, all genomes would be as likely

    @property
    def mean(self) -> Genome:
        """Where the search is."""
        return _genome(reflected(self._m))


class CmaConstants(NamedTuple):
    """The constants of table 1, for a number of genes."""

    weights: np.ndarray
    """Of the steps of a generation, the best first: those of the parents add up to 1, the others
    are negative."""
    parents: int
    effective: float
    """As many parents with equal weights would have as much noise in their mean."""
    sigma_rate: float
    damping: float
    path_rate: float
    one_rate: float
    many_rate: float

    @classmethod
    def of(cls, n: int) -> CmaConstants:
        """For n genes."""
        size = population(n)
        parents = size // 2
        raw = math.log((size + 1) / 2) - np.log(np.arange(1, size + 1))
        good, bad = raw[:parents], np.minimum(raw[parents:], 0.0)
        effective = float(good.sum() ** 2 / (good**2).sum())
        effective_bad = float(bad.sum() ** 2 / (bad**2).sum())
        one_rate = 2 / ((n + 1.3) ** 2 + effective)
        many_rate = min(
            1 - one_rate, 2 * (0.25 + effective + 1 / effective - 2) / ((n + 2) ** 2 + effective)
        )
        allowed = min(
            1 + one_rate / many_rate,
            1 + 2 * effective_bad / (effective + 2),
            (1 - one_rate - many_rate) / (n * many_rate),
        )
        sigma_rate = (effective + 2) / (n + effective + 5)
        longer = max(0.0, math.sqrt((effective - 1) / (n + 1)) - 1)
        return cls(
            weights=np.concatenate([good / good.sum(), allowed * bad / -bad.sum()]),
            parents=parents,
            effective=effective,
            sigma_rate=sigma_rate,
            damping=1 + 2 * longer + sigma_rate,
            path_rate=(4 + effective / n) / (n + 4 + 2 * effective / n),
            one_rate=one_rate,
            many_rate=many_rate,
        )


def reflected(point: np.ndarray) -> np.ndarray:
    """A point in the cube, as between mirrors."""
    inside: np.ndarray = 1 - np.abs(point % 2 - 1)
    return inside


def _length_of_normal(n: int) -> float:
    """Of a vector of n standard normal numbers, on the mean."""
    return math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))


class CmaEs:
    """The search, generation by generation, and the final."""

    def __init__(self, task: Task) -> None:
        genes = len(task.numbers)
        search, size = task.budget - task.budget // FINAL, population(genes)
        if search < size:
            raise BadText(
                f"cma needs more games: {task.generations} generations × {task.population} ×"
                f" {task.games} games are too few for a population of {size}"
            )
        most = max(GENERATIONS, PER_GENE * genes)
        generations = max(1, min(most, search // (size * FEW)))
        self.batches = generations + 1
        self.fitness = f"points ahead in a game, up to {CLEAR}"
        self._pairs = search // (size * generations)
        self._left = task.budget - self._pairs * size * generations
        self._search = Search(genes, partial(generation_seed, task))
        self._asked: list[Genome] = []
        self._means: list[Genome] = []
        self._bests: list[Genome] = []

    @property
    def _is_final(self) -> bool:
        return len(self._means) == self.batches - 1

    def ask(self) -> GenomeBatch:
        if self._is_final:
            self._asked = self._finalists()
            return GenomeBatch(self._asked, self._left // len(self._asked))
        self._asked = self._search.ask()
        return GenomeBatch(self._asked, self._pairs)

    def tell(self, results: Sequence[GenomeResult]) -> None:
        points = [result.points for result in results]
        self._bests.append(self._asked[int(np.argmax(points))])
        if not self._is_final:
            self._search.tell([-p for p in points])
            self._means.append(self._search.mean)

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
