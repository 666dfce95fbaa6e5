"""The file of a trained genome: what `kibitz train` writes and `genetic:genome=FILE` reads.

Checked by hand: every strategy is imported by `kibitz games`, which has no time for more.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from kibitz.core.errors import BadText
from kibitz.core.files import read_file

MOST_BYTES = 4 << 20
"""Of a file that is read."""


@dataclass(frozen=True)
class GenomeFile:
    """The result of a training, and what it takes to reproduce it."""

    kibitz: str
    """The version that wrote it."""
    game: str
    strategy: str
    optimizer: str
    settings: Mapping[str, Any]
    seed: int
    numbers: tuple[str, ...]
    """The options that were found."""
    genome: tuple[float, ...]
    """Their values."""
    trained: str
    """The strategy with them, as `kibitz compare` takes it."""
    fitness: str
    """What the best and the mean of the curve are."""
    curve: Sequence[Mapping[str, Any]]
    """For each generation: best, mean, and the games so far."""
    fresh: Mapping[str, Any] | None
    """What it scores on fresh shuffles, and what it scored before; None if nobody asked."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in the file."""
        return asdict(self)

    def text(self) -> str:
        """The file as text: JSON."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False) + "\n"


class Genes(NamedTuple):
    """What a strategy declares of its genome."""

    strategy: str
    names: tuple[str, ...]
    """Of the options that they are."""
    least: int
    most: int
    """What each may be, as in the options of the strategy."""


def read_genome(path: str | Path, genes: Genes) -> tuple[float, ...]:
    """The weights in a file; BadText, with the file's name, if there are none."""
    try:
        document = json.loads(read_file(Path(path), MOST_BYTES).decode())
    except OSError as error:
        raise BadText(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadText(f"{path}: not a text file") from error
    except (ValueError, RecursionError) as error:
        raise BadText(f"{path}: not a file of JSON") from error
    if not isinstance(document, dict) or document.get("strategy") != genes.strategy:
        needed = f"strategy = {genes.strategy!r}"
        raise BadText(f"{path}: not a file of `kibitz train`: it needs {needed}")
    genome = document.get("genome")
    if (
        not isinstance(genome, list)
        or len(genome) != len(genes.names)
        or not all(_is_weight(gene, genes) for gene in genome)
    ):
        limits = f"from {genes.least} to {genes.most}"
        raise BadText(f"{path}: genome must be {len(genes.names)} numbers {limits}")
    return tuple(map(float, genome))


def _is_weight(gene: Any, genes: Genes) -> bool:
    if isinstance(gene, bool) or not isinstance(gene, int | float):
        return False
    return genes.least <= gene <= genes.most and math.isfinite(gene)
