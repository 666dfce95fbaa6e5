"""The book: of each solved round just what is needed to play it, in a file of some kilobytes.

A solution of a round takes gigabytes. The book has its *trunk*: the policy at the public nodes
below which the tree has more than LEAF_NODES nodes. The first node on a way down with fewer is a
*leaf*: there the rest of the round is solved again at the table (`gadget.py`), and the book has the
*limits* for that: what best responses to the stored policy bring each player with each card. They
are rounded up, so that what follows from them stays true.

Independent subgames with more than LEAF_NODES nodes have trunks of their own. For those with at
least BOUND_NODES nodes the book has the bounds on their values, rounded outwards, because
re-solving needs them; smaller ones are solved at the table in no time.

One file a round, written once and never changed:

    magic, digest of all that follows, length of the header, the header (JSON), the arrays

`Book` maps the arrays into memory. A node of a trunk is a record; nodes come in depth-first
order, so the first child that is in the trunk follows at once, and its next sibling `nodes` later.

Example: a node has three branches behind which the tree goes on, and its `leaves` is 0b101. The
first and the third lead to leaves, whose limits stand one after the other from `limit` on: for
each the cards that the player to move may hold, then those of the other. The second is the next
record.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.checksum import digest_of
from kibitz.core.errors import KibitzError
from kibitz.core.folders import cache_folder
from kibitz.jit.vectors import LANES
from kibitz.solvers.love_letter.cfr import PublicCfr
from kibitz.solvers.love_letter.public_states import PublicState
from kibitz.solvers.love_letter.public_tree import (
    LEADS,
    PublicTree,
    branches_in,
    hands_in,
    is_deep,
)
from kibitz.solvers.love_letter.solver import RoundSolution, Solver
from kibitz.solvers.love_letter.walk import WalkJobs
from kibitz.version import __version__

LEAF_NODES = 100_000
BOUND_NODES = 100
SCALE = 32767
"""Limits and bounds are whole numbers of so many parts of 1."""

NODE = np.dtype(
    [("policy", np.uint32), ("limit", np.uint32), ("nodes", np.uint32), ("leaves", np.uint64)]
)
"""A public node of a trunk: where its policy and the limits of its leaves begin, the nodes of the
trunk below it, itself included, and a bit for each deep branch that leads to a leaf."""
TRUNK = np.dtype([("key", np.uint64), ("node", np.uint32), ("low", np.int16), ("high", np.int16)])
"""A tree that has a trunk: the round itself, then subgames. `key`: see `subgame_key`. `node`: its
first."""
BOUND = np.dtype([("key", np.uint64), ("low", np.int16), ("high", np.int16)])

BOOK_DECK = "published"
"""The deck whose rounds have books."""
MAGIC = b"kibitz-book-1\n"
DIGEST = 16
ARRAYS = {
    "nodes": NODE,
    "policy": np.dtype(np.uint16),
    "limits": np.dtype(np.int16),
    "trunks": TRUNK,
    "bounds": BOUND,
}
ALIGNED = 8
DAMAGED = "this book is damaged: delete it, or install Kibitz again"


def subgame_key(public: PublicState, lead: int) -> int:
    """An independent subgame, or a whole round, as one number. Books have it stored, so it stays as
    it is beside `state_keys.key_of`, which has no lead."""
    key = 0
    for count in public.unseen:
        key = key << 3 | count
    key = (key << 1 | public.protected) << LANES | public.mine
    return (key << LANES | public.theirs) << 8 | (lead + LEADS)


def round_up(values: Any) -> Any:
    """To whole numbers of SCALE parts. What single precision may have lost counts for a part."""
    return np.clip(np.ceil(SCALE * np.asarray(values, np.float64)), -SCALE, SCALE).astype(np.int16)


# -- reading -----------------------------------------------------------------------------


class Book(NamedTuple):
    """One round. Arrays as in ARRAYS, mapped into memory."""

    header: dict[str, Any]
    nodes: Any
    policy: Any
    limits: Any
    trunks: Any
    bounds: Any

    def trunk(self, key: int) -> Any:
        """The trunk of a subgame, or of the round; None if it has none."""
        rows = np.flatnonzero(self.trunks["key"] == key)
        return self.trunks[rows[0]] if len(rows) else None

    def bounds_of(self, key: int) -> tuple[float, float] | None:
        """On the value of an independent subgame to the player to move."""
        row = self.trunk(key)
        if row is None:
            at = int(np.searchsorted(self.bounds["key"], np.uint64(key)))
            if at == len(self.bounds) or int(self.bounds["key"][at]) != key:
                return None
            row = self.bounds[at]
        return int(row["low"]) / SCALE, int(row["high"]) / SCALE


def book_name(face_up: tuple[int, ...]) -> str:
    return "-".join(map(str, face_up)) + ".book"


def book_folders() -> list[Path]:
    """Where books are looked for: those that came with Kibitz, then the user's own."""
    return [Path(__file__).with_name("books"), user_books()]


def user_books() -> Path:
    return cache_folder() / "books"


def find_book(face_up: tuple[int, ...]) -> Path | None:
    files = (folder / book_name(face_up) for folder in book_folders())
    return next((file for file in files if file.is_file()), None)


def load_book(file: Path) -> Book:
    """Checked by its digest."""
    try:
        content = file.read_bytes()
        start = len(MAGIC) + DIGEST
        digest = content[len(MAGIC) : start]
        if not content.startswith(MAGIC) or digest != digest_of(content[start:], DIGEST):
            raise ValueError
        length = int.from_bytes(content[start : start + 4], "little")
        header = json.loads(content[start + 4 : start + 4 + length])
        place = _aligned(start + 4 + length)
        arrays = []
        for name, kind in ARRAYS.items():
            number = int(header["lengths"][name])
            arrays.append(
                np.memmap(file, kind, "r", place, (number,)) if number else np.zeros(0, kind)
            )
            place = _aligned(place + number * kind.itemsize)
    except (OSError, ValueError, LookupError, TypeError):
        raise KibitzError(f"{file}: {DAMAGED}") from None
    return Book(header, *arrays)


def _aligned(place: int) -> int:
    return -(-place // ALIGNED) * ALIGNED


# -- making ------------------------------------------------------------------------------


class BookMaker:
    """Collects the trunks of one round. `tree`: the whole of it."""

    def __init__(self, tree: PublicTree) -> None:
        self.tree = tree
        self.nodes: list[list[int]] = []
        self.policy: list[Any] = []
        self.limits: list[Any] = []
        self.trunks: list[tuple[int, int, int, int]] = []
        self._policy_size = self._limits_size = 0

    def add_trunk(self, key: int, cfr: PublicCfr, policy: Any) -> tuple[float, float]:
        """The trunk below the state of `cfr` with this policy, float32. Returns what best
        responses of the other and of the player to move bring, if leaves bring their limits."""
        limits, responses = {}, []
        for mover_traverses in (0, 1):
            jobs, number = cfr.responses_at(LEAF_NODES, mover_traverses, policy)
            limits.update(_limits(self.tree, jobs, number))
            response = cfr.response_value(LEAF_NODES, mover_traverses, policy, jobs)
            responses.append(response)
        first = len(self.nodes)
        self._add_nodes(cfr.state, policy, limits)
        other, mover = responses
        low, high = -round_up(other), round_up(mover)
        self.trunks.append((key, first, int(low), int(high)))
        return other, mover

    def _add_nodes(self, root: int, policy: Any, limits: dict[tuple[int, int], Any]) -> None:
        """In depth-first order, without recursion: `open_` has the nodes on the way down."""
        waiting = [(root, 0, 0)]
        open_: list[tuple[int, int]] = []
        while waiting:
            state, base, depth = waiting.pop()
            while open_ and open_[-1][1] >= depth:
                self._close(open_.pop()[0])
            open_.append((len(self.nodes), depth))
            below = self._add_node(state, base, policy, limits)
            waiting += [(child, at, depth + 1) for child, at in reversed(below)]
        for index, _ in reversed(open_):
            self._close(index)

    def _close(self, index: int) -> None:
        self.nodes[index][2] = len(self.nodes) - index

    def _add_node(
        self, state: int, base: int, policy: Any, limits: dict[tuple[int, int], Any]
    ) -> list[tuple[int, int]]:
        """Returns the states and places of the children that are in the trunk."""
        options = hands_in(self.tree, state)["options"]
        size = int(options[options > 1].sum())
        node = [self._policy_size, self._limits_size, 0, 0]
        self.nodes.append(node)
        self._add_policy(policy[base : base + size])
        branches = branches_in(self.tree, state)
        below = []
        for k, branch in enumerate(branches[is_deep(branches)]):
            child, at = int(branch["next"]), base + int(branch["offset"])
            if self.tree.states[child]["nodes"] > LEAF_NODES:
                below.append((child, at))
                continue
            node[3] |= 1 << k
            for mover, cards in ((1, "mine"), (0, "theirs")):
                lanes = _lanes(int(self.tree.states[child][cards]))
                known = limits.get((at, mover))
                self._add_limits(known[lanes] if known is not None else [SCALE] * len(lanes))
        return below

    def _add_policy(self, policy: Any) -> None:
        self.policy.append(np.asarray(policy, np.uint16))
        self._policy_size += len(policy)

    def _add_limits(self, limits: Any) -> None:
        self.limits.append(np.asarray(limits, np.int16))
        self._limits_size += len(limits)

    def content(self, header: dict[str, Any], bounds: list[tuple[int, int, int]]) -> bytes:
        """The file."""
        arrays = {
            "nodes": np.array([tuple(node) for node in self.nodes], NODE),
            "policy": np.concatenate([np.zeros(0, np.uint16), *self.policy]),
            "limits": np.concatenate([np.zeros(0, np.int16), *self.limits]),
            "trunks": np.array(self.trunks, TRUNK),
            "bounds": np.array(sorted(bounds), BOUND),
        }
        lengths = {name: len(array) for name, array in arrays.items()}
        text = json.dumps({**header, "lengths": lengths}, sort_keys=True).encode()
        parts = bytearray(len(text).to_bytes(4, "little") + text)
        start = len(MAGIC) + DIGEST
        for array in arrays.values():
            parts += bytes(_aligned(start + len(parts)) - start - len(parts))
            parts += array.tobytes()
        return MAGIC + digest_of(bytes(parts), DIGEST) + bytes(parts)


def _lanes(cards: int) -> list[int]:
    return [lane for lane in range(LANES) if cards >> lane & 1]


def _limits(tree: PublicTree, jobs: WalkJobs, number: int) -> dict[tuple[int, int], Any]:
    """Of the leaves that a walk has gathered, by their place and whether the traverser is to move
    there: what best responses bring the traverser, by lane, rounded up. The values of the jobs
    become those of the rounded limits."""
    frames = jobs.frames[:number]
    ranges, values = (
        array[: LANES * number].reshape(-1, LANES) for array in (jobs.ranges, jobs.values)
    )
    unseen = tree.unseen.reshape(-1, LANES)[frames["state"]]
    weights = (ranges * unseen).sum(1, keepdims=True) - ranges * (unseen >= 1)
    means = np.divide(values, weights, out=np.ones_like(values), where=weights > 0)
    limits = round_up(means)
    values[:] = np.where(weights > 0, limits / SCALE * weights, 0)
    places = zip(frames["offset"].tolist(), frames["traverses"].tolist(), strict=True)
    return dict(zip(places, limits, strict=True))


def make_book(solver: Solver, face_up: tuple[int, ...], solution: RoundSolution) -> bytes:
    """From a solution in the solver's folder, or in memory."""
    tree, states = solver.tree, solver.states
    maker = BookMaker(tree)
    policy_of = solver.stored_policies()
    whole = solver.whole
    other, mover = maker.add_trunk(
        subgame_key(states.state(whole.state), whole.lead),
        solver.cfr(whole),
        np.asarray(policy_of(whole), np.float32),
    )
    bounds = []
    for which in (each for level in solver.subgames.levels for each in level):
        key = subgame_key(states.state(which.state), which.lead)
        nodes = int(tree.states[which.state]["nodes"])
        if nodes > LEAF_NODES:
            policy = np.asarray(policy_of(which), np.float32)
            maker.add_trunk(key, solver.cfr(which), policy)
        elif nodes >= BOUND_NODES:
            low, high = solver.subgames.bounds_of(which)
            bounds.append((key, -int(round_up(-low)), int(round_up(high))))
    header = {
        "kibitz": __version__,
        "face_up": face_up,
        "leaf_nodes": LEAF_NODES,
        "value": [solution.low, solution.high],
        "responses": [mover, other],
    }
    return maker.content(header, bounds)
