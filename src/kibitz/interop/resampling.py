"""Another course of a game that looks the same to a seat: its hidden cards dealt anew.

Everything is drawn from what the seat has seen and done, and from nothing else: from two nodes that
look the same to it, the same random numbers lead to the same course. What cards another seat truly
holds comes out as often as any other that is as likely.

Where a game deals card by card, its own module says what may have fallen (`recall`). In any other
game all courses that look the same are listed, each with its probability; what others chose unseen
is each as likely.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any

from kibitz.core.errors import BadText, BadValue, UnsuitableGame
from kibitz.core.game import CHANCE, draw_one
from kibitz.interop.dealers import CardByCard
from kibitz.interop.extensive_form import ExtensiveForm, FormNode, Seen, turns_to

TRIES = 100
MOST_NODES = 100_000
"""Nodes that are looked at to list the courses that look the same."""
KEPT = 64
"""Lists that are kept: a search asks for worlds of the same node again and again."""

Course = tuple[int, ...]
"""All actions and outcomes from the root on."""


class Resampler:
    """Draws courses of one tree."""

    def __init__(self, form: ExtensiveForm) -> None:
        self.form = form
        self._lists: OrderedDict[str, list[tuple[Course, float]]] = OrderedDict()

    def draw(self, node: FormNode, seat: int, rng: Any) -> Course:
        """A course that looks to a seat as the one to this node did. What the seat to move has
        chosen of a play in hand is kept if it is its own."""
        if node.mover is None or node.mover == CHANCE:
            raise BadValue("worlds are drawn where somebody is to move")
        target = Target(self.form, node, seat)
        if isinstance(self.form.dealer, CardByCard):
            course = self._recalled(self.form.dealer, target, rng)
        else:
            course = self._listed(target, rng)
        return course + (node.picked if seat == node.mover else ())

    def _recalled(self, dealer: CardByCard, target: Target, rng: Any) -> Course:
        for _ in range(TRIES):
            order = dealer.recall(target.view, rng)
            course = None if order is None else self._walk(target, order)
            if course is not None:
                return course
        raise BadText(f"{self.form.game}: no course of play looks like this")

    def _walk(self, target: Target, order: Sequence[int]) -> Course | None:
        """The course on which this falls; None if the seat would have seen something else."""
        node, course, fell = self.form.root, [], 0
        for turn in range(len(target.views)):
            while node.mover == CHANCE:
                if fell == len(order) or order[fell] not in node.actions:
                    return None
                course.append(order[fell])
                node = node.child(order[fell])
                fell += 1
            if not target.fits(node, turn):
                return None
            for action in target.actions(node, turn):
                course.append(action)
                node = node.child(action)
        return tuple(course) if fell == len(order) else None

    def _listed(self, target: Target, rng: Any) -> Course:
        told = self.form.info_text(target.node, target.seat)
        found = self._lists.pop(told, None)
        if found is None:
            self._looked = 0
            courses = list(self._courses(target, self.form.root, 0, (), 1.0))
            total = sum(chance for _, chance in courses)
            found = [(course, chance / total) for course, chance in courses]
        self._lists[told] = found
        if len(self._lists) > KEPT:
            self._lists.popitem(last=False)
        return draw_one(found, rng)

    def _courses(
        self, target: Target, node: FormNode, turn: int, course: Course, chance: float
    ) -> Iterator[tuple[Course, float]]:
        """Every course from a node on that looks the same, with its probability."""
        self._looked += 1
        if self._looked > MOST_NODES:
            raise UnsuitableGame(f"{self.form.game} is too large to list what may be hidden")
        if node.mover == CHANCE:
            for outcome, p in node.outcomes():
                after = node.child(outcome)
                yield from self._courses(target, after, turn, (*course, outcome), chance * p)
        elif node.mover is not None and target.fits(node, turn):
            if turn == target.last:
                yield course, chance
                return
            known = target.seen[turn].play is not None
            ways = [target.actions(node, turn)] if known else self._ways(node)
            for actions in ways:
                after = node
                for action in actions:
                    after = after.child(action)
                more = (*course, *actions)
                yield from self._courses(target, after, turn + 1, more, chance / len(ways))

    def _ways(self, node: FormNode) -> list[Course]:
        """The actions of each legal play."""
        codec, game = self.form.codec, self.form.game
        assert node.mover is not None
        view = game.view(node.state, node.mover)
        return [codec.actions_of(view, play) for play in view.plays()]


class Target:
    """What a seat has seen on the way to a node, and now."""

    def __init__(self, form: ExtensiveForm, node: FormNode, seat: int) -> None:
        self.form, self.node, self.seat = form, node, seat
        self.seen: list[Seen] = [form.seen(turn, seat) for turn in turns_to(node.turns)]
        self.view = form.view(node, seat)
        self.views = [*(one.view for one in self.seen), self.view.state]
        self.last = len(self.seen)

    def fits(self, node: FormNode, turn: int) -> bool:
        """Whether the seat sees at a node what it saw before that turn."""
        seen = self.form.game.view(node.state, self.seat).state
        return bool(seen.tobytes() == self.views[turn].tobytes())

    def actions(self, node: FormNode, turn: int) -> Course:
        """The actions of the play that was made there; none where the seat is now."""
        if turn == self.last:
            return ()
        game = self.form.game
        assert node.mover is not None
        view = game.view(node.state, node.mover)
        return self.form.codec.actions_of(view, self.seen[turn].play)
