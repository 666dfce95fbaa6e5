"""A table of Love Letter to write rule tests on: seats count from 1, cards go by their names."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from kibitz.core.errors import IllegalPlay
from kibitz.games.love_letter.cards import NAMES, NUMBERS
from kibitz.games.love_letter.game import LoveLetter
from kibitz.jit.rng import stream


def spelled(text: str) -> dict[str, str]:
    """The fields of a position."""
    parts = [part.partition("=") for part in text.split(";") if part.strip()]
    return {key.strip(): value.strip() for key, _, value in parts}


def all_cards(game: LoveLetter) -> Counter[str]:
    return Counter({NAMES[card]: game.copies[card] for card in range(1, 9)})


@dataclass(frozen=True)
class Table:
    """A game and a state of it."""

    game: LoveLetter
    state: Any

    def __getitem__(self, key: str) -> str | None:
        """A field of the position, such as `hand1`; None if it is not there."""
        return spelled(self.game.position(self.state)).get(key)

    @property
    def cards(self) -> Counter[str]:
        """All cards of the position, wherever they are."""
        values = spelled(self.game.position(self.state)).values()
        return Counter(word for value in values for word in value.split() if word in NUMBERS)

    @property
    def left(self) -> int:
        """How many cards the deck has."""
        return int(self.state[0].left)

    @property
    def plays(self) -> list[str]:
        return [str(play) for play in self.game.plays(self.state)]

    def play(self, *texts: str) -> Table:
        state = self.state
        for text in texts:
            state = self.game.apply(state, self.game.parse_play(state, text))
        return Table(self.game, state)

    def refusal(self, text: str) -> str:
        """The number of the rule that a play breaks."""
        with pytest.raises(IllegalPlay) as caught:
            self.game.parse_play(self.state, text)
        return caught.value.rule

    def narrated(self, text: str, seat: int | None = None) -> str:
        """What a play did, as narrated to a seat or (None) to everybody."""
        play = self.game.parse_play(self.state, text)
        then = self.game.apply(self.state, play)
        return self.game.presenter.narrate(
            self.state, play, then, None if seat is None else seat - 1
        )

    @property
    def winners(self) -> list[int]:
        assert self.game.is_over(self.state)
        return [i + 1 for i, points in enumerate(self.game.points(self.state)) if points]

    # -- what seats know -----------------------------------------------------------------

    def knows(self, viewer: int, seat: int) -> bool:
        """Whether the viewer was shown the card that the seat holds."""
        return bool(self.state[0].known[viewer - 1] >> (seat - 1) & 1)

    def seen_by(self, viewer: int) -> Table:
        """The same with all that the viewer does not see left out."""
        return Table(self.game, self.game.view(self.state, viewer - 1).state)

    def worlds(self, viewer: int, n: int) -> list[Table]:
        """Worlds that look the same to the viewer, drawn by lot."""
        view, lots = self.game.view(self.state, viewer - 1), stream(7)
        return [Table(self.game, self.game.redeal(view, lots)) for _ in range(n)]

    def possible(self, viewer: int, *seats: int, n: int = 40) -> set[str]:
        """What seats may hold, as far as the viewer can tell: `guard`, for two `guard king`."""
        return {world.held_by(*seats) for world in self.worlds(viewer, n)}

    def held_by(self, *seats: int) -> str:
        """The cards that seats held before a draw."""
        return " ".join(NAMES[self.state[0].hand[seat - 1]] for seat in seats)


def table(text: str, players: int = 2, rest: str = "deck", **options: Any) -> Table:
    """A table from a position that may leave cards out.

    Of the cards left out the highest is aside, the three lowest lie face up (two players),
    and the others are under the deck, or in the discards that `rest` names.
    """
    game = LoveLetter(players=players, **options)
    fields = spelled(text)
    named = [word for key in fields if not key.startswith("not") for word in fields[key].split()]
    spare = sorted((all_cards(game) - Counter(named)).elements(), key=NUMBERS.__getitem__)
    if "aside" not in fields:
        fields["aside"] = spare.pop()
    if players == 2 and "face_up" not in fields:
        fields["face_up"] = " ".join(spare[:3])
        del spare[:3]
    fields.setdefault("deck", "" if rest == "deck" else "none")
    fields[rest] = " ".join([fields.get(rest, ""), *spare])
    position = "; ".join(f"{key}={value}" for key, value in fields.items() if value)
    return Table(game, game.parse_position(position))
