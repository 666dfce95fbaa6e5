"""A game as a tree: one action at a time, with a chance node wherever a card falls.

Any game that has a codec and says how it is dealt (`dealers.py`). A node is a value: where the game
stands, what was chosen of the play in hand, what has fallen. Everything that a seat is told of a
node, as text or as numbers, is made from its views:

    info_text     all that it has seen and done, with perfect recall: the `info_string` of the codec
    info_tensor   the same as numbers, if the game hides something and its codec says how long it
                  may last: what it sees now, then a row for each play so far
    observation   what it sees now

While cards fall nobody sees anything new: all see them when the last of them has fallen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from kibitz.core.errors import BadValue, IllegalPlay
from kibitz.core.game import CHANCE, Chance, Game, Play, View
from kibitz.core.registry import game_of
from kibitz.games.codec import codec_of
from kibitz.interop.dealers import dealer_of

KEPT = 1 << 14
"""Nodes that are kept to be used again; then it begins anew."""
UNBOUNDED = 1_000_000
"""Said to be the length of games that may go on for ever. No play comes near it."""


class PastTurn:
    """A decision that was made: where the game stood before, and the play."""

    __slots__ = ("actions", "earlier", "mover", "number", "play", "seen", "state")

    def __init__(
        self, earlier: PastTurn | None, state: Any, mover: int, play: Play, actions: tuple[int, ...]
    ) -> None:
        self.earlier, self.state, self.mover, self.play = earlier, state, mover, play
        self.actions = actions
        self.number: int = 1 if earlier is None else earlier.number + 1
        self.seen: dict[int, Seen] = {}


class Seen:
    """What a seat knows of a turn."""

    __slots__ = ("_fields", "_form", "_row", "_text", "play", "seat", "turn", "view")

    def __init__(self, form: ExtensiveForm, turn: PastTurn, seat: int) -> None:
        self._form, self.turn, self.seat = form, turn, seat
        self.view = form.game.view(turn.state, seat).state
        self.play: Play | None = form.game.observed_play(turn.state, seat, turn.play)
        self._fields: dict[str, str] | None = None
        self._text: str | None = None
        self._row: np.ndarray | None = None

    @property
    def fields(self) -> dict[str, str]:
        """What it saw before the play."""
        if self._fields is None:
            self._fields = self._form.codec.fields(self.view)
        return self._fields

    @property
    def text(self) -> str:
        """All that it has seen and done, this play too."""
        if self._text is None:
            codec, untold = self._form.codec, []
            turn: PastTurn | None = self.turn
            while turn is not None and self._form.seen(turn, self.seat)._text is None:
                untold.append(self._form.seen(turn, self.seat))
                turn = turn.earlier
            for seen in reversed(untold):  # from the first on: a long game is no deep recursion
                told = self._form.told(seen.turn.earlier, self.seat, seen.fields)
                seen._text = told + codec.play_text(seen.turn.mover, seen.play)
        assert self._text is not None
        return self._text

    @property
    def row(self) -> np.ndarray:
        """What it saw, who played, and by which actions, if it knows them: as numbers."""
        if self._row is None:
            form, turn = self._form, self.turn
            size, players = form.codec.size, form.game.players
            row = np.zeros(form.row_size, np.float32)
            form.encode(self.view, self.seat, 0, row[:size])
            row[size + (turn.mover - self.seat) % players] = 1
            if self.play is not None:
                for action in turn.actions:
                    row[size + players + action] += 1
            self._row = row
        return self._row


class FormNode:
    """One node of the tree. `mover` is a seat, CHANCE, or None at an end."""

    __slots__ = (
        *("_actions", "_told", "children", "chosen", "fallen", "falling", "form", "mover"),
        *("picked", "state", "turns"),
    )

    def __init__(
        self, form: ExtensiveForm, state: Any, turns: PastTurn | None, fallen: tuple[int, ...],
        mover: int | None, *, falling: int = 0, chosen: int = 0, picked: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        self.form, self.state, self.turns, self.fallen = form, state, turns, fallen
        self.mover = mover
        self.falling = falling
        """How much is to fall before the game goes on; `state` is that of before, None at first."""
        self.chosen, self.picked = chosen, picked
        self.children: dict[int, FormNode] = {}
        self._actions: tuple[int, ...] | None = None
        self._told: dict[int, str] = {}

    @property
    def actions(self) -> tuple[int, ...]:
        """The legal actions; where chance moves, the outcomes; lowest first."""
        if self._actions is None:
            if self.mover is None:
                self._actions = ()
            elif self.mover == CHANCE:
                self._actions = tuple(outcome for outcome, _ in self.outcomes())
            else:
                self._actions = tuple(np.flatnonzero(self.form.mask(self)).tolist())
        return self._actions

    def outcomes(self) -> Sequence[tuple[int, float]]:
        """Where chance moves: its outcomes, with their probabilities."""
        if self.falling:
            return self.form.dealer.outcomes(self.fallen)
        chances = self.form.game.chances(self.state)
        return [(i, chance) for i, (_, chance) in enumerate(chances)]

    def name(self, mover: int, action: int) -> str:
        """What an action is called."""
        if mover != CHANCE:
            return self.form.codec.actions[action]
        if self.falling:
            return self.form.dealer.name(self.fallen, action)
        return str(self.form.game.chances(self.state)[action][0])

    def child(self, action: int) -> FormNode:
        """The node that an action leads to."""
        child = self.children.get(action)
        if child is None:
            child = self.form.keep(self, action, self.form.after(self, action))
        return child

    @property
    def returns(self) -> tuple[float, ...]:
        """The result of each seat; before the end 0."""
        game = self.form.game
        return (0.0,) * game.players if self.mover is not None else game.returns(self.state)

    def __deepcopy__(self, memo: Mapping[int, Any]) -> FormNode:
        return self

    def __reduce__(self) -> Any:
        """It is never sent: whoever gets a state finds its node by the history."""
        return str, ()


class ExtensiveForm:
    """The tree of a game.

    >>> tree = ExtensiveForm("kuhn-poker")
    >>> dealt = tree.root.child(0)
    >>> [tree.codec.actions[action] for action in dealt.actions]
    ['pass', 'bet']
    >>> tree.info_text(dealt.child(0), 1)
    'seat=2; hand2=Q; first=1; seat 1: pass; bets=pass'
    """

    def __init__(self, game: Game[Any, Any] | str) -> None:
        self.codec = codec_of(game_of(game))
        self.game = self.codec.game
        self.dealer = dealer_of(self.game)
        plays, self.longest = self.codec.longest or (0, UNBOUNDED)
        actions = len(self.codec.actions)
        self.row_size = self.codec.size + self.game.players + actions
        self.rows = plays if self.game.traits.hidden else 0
        """Plays that an information state has as numbers."""
        self._made = 0
        self._begin()

    def _begin(self) -> None:
        self._made += 1
        self._kept = 0
        if self.dealer.longest:
            self.root = FormNode(self, None, None, (), CHANCE, falling=self._first_needs())
        else:
            self.root = self._stand(self.dealer.deal(()), None, ())

    def _first_needs(self) -> int:
        return self.dealer.needed(self.dealer.deal(()))

    @property
    def most_outcomes(self) -> int:
        """No outcome of chance is as high as this."""
        return max(self.dealer.most_outcomes, self.codec.outcomes)

    @property
    def longest_chance(self) -> int:
        """How often chance moves in a game at most."""
        return self.longest if self.game.traits.chance is Chance.PLAY else self.dealer.longest

    # -- growing -----------------------------------------------------------------------------

    def keep(self, node: FormNode, action: int, child: FormNode) -> FormNode:
        """Keep a child with its node. When there are too many, the tree begins anew, and what
        nobody holds any more is gone."""
        if self._kept >= KEPT:
            self._begin()
        self._kept += 1
        node.children[action] = child
        return child

    def after(self, node: FormNode, action: int) -> FormNode:
        """The node that an action leads to."""
        if action not in node.actions:
            raise IllegalPlay(f"action {action} is not possible here")
        if node.mover == CHANCE:
            return self._chance(node, action)
        then = int(self.codec.kernels.advance(node.state, node.mover, node.chosen, action))
        picked = (*node.picked, action)
        if then < 0:
            return FormNode(
                self, node.state, node.turns, node.fallen, node.mover, chosen=~then, picked=picked
            )
        assert node.mover is not None
        play = self.game.name_play(node.state, then)
        turn = PastTurn(node.turns, node.state, node.mover, play, picked)
        state = self.game.copied(node.state)
        self.game.kernels.apply(state, then)
        needed = self.dealer.needed(state) - len(node.fallen)
        if needed:
            return FormNode(self, node.state, turn, node.fallen, CHANCE, falling=needed)
        return self._stand(state, turn, node.fallen)

    def _chance(self, node: FormNode, outcome: int) -> FormNode:
        if not node.falling:
            play, _ = self.game.chances(node.state)[outcome]
            return self._stand(self.game.after(node.state, play), node.turns, node.fallen)
        fallen = (*node.fallen, outcome)
        if node.falling > 1:
            return FormNode(self, node.state, node.turns, fallen, CHANCE, falling=node.falling - 1)
        state = self.dealer.deal(fallen)
        for turn in turns_to(node.turns):
            self.game.kernels.apply(state, turn.play.code)
        return self._stand(state, node.turns, fallen)

    def _stand(self, state: Any, turns: PastTurn | None, fallen: tuple[int, ...]) -> FormNode:
        kernels = self.game.kernels
        mover = None if kernels.over(state) else int(kernels.mover(state))
        return FormNode(self, state, turns, fallen, mover)

    # -- what a seat is told -------------------------------------------------------------------

    def seen(self, turn: PastTurn, seat: int) -> Seen:
        """What a seat knows of a turn."""
        known = turn.seen.get(seat)
        if known is None:
            known = turn.seen[seat] = Seen(self, turn, seat)
        return known

    def told(self, turns: PastTurn | None, seat: int, now: Mapping[str, str]) -> str:
        """What a seat was told up to where it sees this."""
        if turns is None:
            return f"seat={seat + 1}" + self.codec.changes_text({}, now)
        before = self.seen(turns, seat)
        return before.text + self.codec.changes_text(before.fields, now)

    def info_text(self, node: FormNode, seat: int) -> str:
        """All that a seat has seen and done."""
        text = node._told.get(seat)
        if text is None:
            if node.falling:
                turns = node.turns
                text = f"seat={seat + 1}" if turns is None else self.seen(turns, seat).text
            else:
                now = self.codec.fields(self.game.view(node.state, seat).state)
                text = self.told(node.turns, seat, now)
            text += self._picked(node, seat)
            node._told[seat] = text
        return text

    def observed_text(self, node: FormNode, seat: int) -> str:
        """What a seat sees now, as a position."""
        if node.state is None:
            return f"seat={seat + 1}"
        seen = self.game.position(self.game.view(node.state, seat).state)
        return f"seat={seat + 1}; {seen}{self._picked(node, seat)}"

    def _picked(self, node: FormNode, seat: int) -> str:
        names = [self.codec.actions[action] for action in node.picked if seat == node.mover]
        return f"; chosen: {', '.join(names)}" if names else ""

    def encode(self, view: Any, seat: int, chosen: int, out: np.ndarray) -> None:
        """Write the observation of what a seat sees."""
        self.codec.kernels.encode(view, seat, chosen, out)

    def observation(self, node: FormNode, seat: int) -> np.ndarray:
        """What a seat sees now, as numbers; all 0 before the first cards have fallen."""
        out = np.zeros(self.codec.size, np.float32)
        if node.state is not None:
            view = self.game.view(node.state, seat).state
            self.encode(view, seat, node.chosen if seat == node.mover else 0, out)
        return out

    def rows_so_far(self, node: FormNode, seat: int) -> np.ndarray:
        """A row for each play so far, as a seat knows it; the rest is 0."""
        rows = np.zeros((self.rows, self.row_size), np.float32)
        for i, turn in enumerate(turns_to(node.turns)):
            rows[i] = self.seen(turn, seat).row
        return rows

    def mask(self, node: FormNode) -> np.ndarray:
        """1 for each legal action of the seat to move."""
        out = np.zeros(len(self.codec.actions), np.int8)
        assert node.mover is not None
        view = self.game.view(node.state, node.mover).state
        self.codec.kernels.mask(view, node.mover, node.chosen, out)
        return out

    def view(self, node: FormNode, seat: int) -> View[Any]:
        """What a seat sees, with every turn so far."""
        if node.falling:
            raise BadValue("cards fall here: nobody sees them yet")
        seen = [self.seen(turn, seat) for turn in turns_to(node.turns)]
        past = tuple((turn.view, turn.play) for turn in seen)
        shown = self.game.view(node.state, seat)
        return self.game.view_class(self.game, seat, shown.state, past=past)


def turns_to(last: PastTurn | None) -> list[PastTurn]:
    """The turns up to one, the first first."""
    return list(_backwards(last))[::-1]


def _backwards(turn: PastTurn | None) -> Iterator[PastTurn]:
    while turn is not None:
        yield turn
        turn = turn.earlier
