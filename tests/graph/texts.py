"""Random graphs as text, and the same ones as trees of the oracle."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from hypothesis import strategies as st

from tests.oracle.trees import LEAF_LIMIT, Coin, Max, Min, Tree

CAPTIONS = st.text(
    st.characters(codec="utf-8", exclude_characters='"', exclude_categories=("Cc", "Zl", "Zp")),
    max_size=12,
)
"""Any letters within a line but quotes, which end a caption."""
WORDS = ("left", "right", "up", "A1", "9 lives", "x:y", "é", "won", "max", "end", "-", "3 -", "q'")


@dataclass
class Written:
    """A graph as lines of text, and what it is."""

    lines: list[str] = field(default_factory=list)
    trees: list[Tree] = field(default_factory=list)
    """The tree below each node, by number."""
    plays: list[list[str]] = field(default_factory=list)
    """The plays of each node as the tree counts them."""
    targets: list[list[int | None]] = field(default_factory=list)
    """The numbers of the nodes that they lead to; None where there is a value."""

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def line(self) -> list[str]:
        """The plays of the line of best play: the first of equal ones, as the oracle has it."""
        from tests.oracle.trees import best_children

        plays: list[str] = []
        at: int | None = 0
        while at is not None and isinstance(self.trees[at], Max | Min):
            i = best_children(self.trees[at])[0]
            plays.append(self.plays[at][i])
            at = self.targets[at][i]
        return plays


@st.composite
def written(draw: st.DrawFn, chance: bool = True) -> Written:
    """Graphs of 1 to 7 nodes, where many ways join, with plays that are words or numbers."""
    size = draw(st.integers(1, 7))
    kinds = ("max", "min", "protagonist", "antagonist", *(["chance"] if chance else []))
    made = Written([""] * size, [0] * size, [[] for _ in range(size)], [[] for _ in range(size)])
    joined: set[int] = {0}
    # From the last node up, so that what a play leads to is known.
    chosen = [
        draw(st.lists(st.integers(0, size - 1 - i), min_size=1, max_size=3)) for i in range(size)
    ]
    for i in range(size):
        joined |= {i + step for step in chosen[i] if step and i in joined}
    for i in reversed(range(size)):
        kind = draw(st.sampled_from(kinds))
        words = draw(st.booleans()) or kind == "chance"
        names: list[str] = draw(
            st.lists(
                st.sampled_from(WORDS) if words else st.integers(-12, 12).map(str),
                min_size=len(chosen[i]), max_size=len(chosen[i]), unique=True,
            )
        )  # fmt: skip
        plays = []
        for name, step in zip(names, chosen[i], strict=True):
            value = draw(st.integers(-LEAF_LIMIT, LEAF_LIMIT))
            plays.append(
                (name, i + step if step else None, made.trees[i + step] if step else value)
            )
        weights = [draw(st.integers(1, 4)) for _ in plays]
        chances = [Fraction(weight, sum(weights)) for weight in weights]
        items = []
        for (name, target, tree), p in zip(plays, chances, strict=True):
            goal = tree if target is None else f"N{target}"
            items.append(f"{f'{p} ' if kind == 'chance' else ''}{name} -> {goal}")
        if not words:
            plays.sort(key=lambda play: int(play[0]))
        below = tuple(tree for _, _, tree in plays)
        if kind == "chance":
            made.trees[i] = Coin(tuple(zip(chances, below, strict=True)))
        else:
            made.trees[i] = Max(below) if kind in ("max", "protagonist") else Min(below)
        made.plays[i] = [name for name, _, _ in plays]
        made.targets[i] = [target for _, target, _ in plays]
        caption = draw(st.none() | CAPTIONS)
        shown = "" if caption is None else f' "{caption}"'
        made.lines[i] = f"N{i}{shown} {kind}: {', '.join(items)}"
    made.lines = [line for i, line in enumerate(made.lines) if i in joined]
    return made
