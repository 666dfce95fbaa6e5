"""The file of a trained genome: what `kibitz train` writes and `genetic:genome=FILE` reads.

Checked by hand: every strategy is imported by `kibitz games`, which has no time for more.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kibitz.core.errors import BadText
from kibitz.core.files import read_file

GENES = 4
MOST_BYTES = 4 << 20
"""Of a file that is read."""
STRATEGY = "genetic"
LEAST, MOST = -10, 10
"""What a weight may be, as in the options of the strategy."""


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
    genome: tuple[float, ...]
    fitness: str
    """What the best and the mean of the curve are."""
    curve: Sequence[Mapping[str, Any]]
    """For each generation: best, mean, and the games so far."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in the file."""
        return asdict(self)

    def text(self) -> str:
        """The file as text: JSON."""
        return json.dumps(self.as_dict(), indent=2, ensure_ascii=False) + "\n"


def read_genome(path: str | Path) -> tuple[float, ...]:
    """The weights in a file; BadText, with the file's name, if there are none."""
    try:
        document = json.loads(read_file(Path(path), MOST_BYTES).decode())
    except OSError as error:
        raise BadText(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadText(f"{path}: not a text file") from error
    except (ValueError, RecursionError) as error:
        raise BadText(f"{path}: not a file of JSON") from error
    if not isinstance(document, dict) or document.get("strategy") != STRATEGY:
        raise BadText(f"{path}: not a file of `kibitz train`: it needs strategy = {STRATEGY!r}")
    genome = document.get("genome")
    if not isinstance(genome, list) or len(genome) != GENES or not all(map(_is_weight, genome)):
        raise BadText(f"{path}: genome must be {GENES} numbers from {LEAST} to {MOST}")
    return tuple(map(float, genome))


def _is_weight(gene: Any) -> bool:
    if isinstance(gene, bool) or not isinstance(gene, int | float):
        return False
    return LEAST <= gene <= MOST and math.isfinite(gene)
