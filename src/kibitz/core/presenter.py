"""How a game is shown to a person: all that is only for looking at, apart from the rules.

A game has one, `game.presenter`; one that writes none has the presenter of this module, which
shows any game by what it has anyway. What a presenter gives is plain text or data, never markup.

One of your own needs no more than what it changes:

    class NimPresenter(Presenter):
        def notes(self, view):
            return [f"{view.state[0]} matches on the table"]

        def describe(self, view, play):
            return f"take {play}"

    class Nim(Game):
        presenter_class = NimPresenter
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Generic

from kibitz.core.checks import brief
from kibitz.core.errors import BadText
from kibitz.core.game import CHANCE, Game, P, S, View
from kibitz.core.phrase import Phrase, phrase
from kibitz.core.scene import Board, MatchScene, Note, PlayScene, Scene, SeatScene, Zone
from kibitz.core.scene_text import scene_text
from kibitz.core.shown import piece


class Presenter(Generic[S, P]):
    """A game for people. It is made anew for each question and remembers nothing."""

    topics: ClassVar[tuple[str, ...]] = ()
    """What a player may ask for."""

    def __init__(self, game: Game[S, P]) -> None:
        self.game = game

    # -- the table ---------------------------------------------------------------------------

    def scene(self, view: View[S], match: MatchScene | None = None) -> Scene:
        """All that a person in this seat may see; also how the match stands, if there is one."""
        return replace(self.table(view), match=match, log=view.log, plays=self.choices(view))

    def text(self, view: View[S]) -> str:
        """The table as lines of plain text."""
        return scene_text(self.table(view))

    def html(self, view: View[S], title: str = "") -> str:
        """The table as a piece of HTML that stands alone, for a notebook. The seats follow the
        viewer's, which comes last."""
        scene = self.table(view)
        n = len(scene.seats)
        seats = [scene.seats[(scene.seat + i) % n] for i in range(1, n + 1)]
        return piece("scene.html", title=title, scene=scene, seats=seats)

    def table(self, view: View[S]) -> Scene:
        """The scene without the log and the choices: what is on the table."""
        game, turn = self.game, view.turn
        over = turn is None
        return Scene(
            game=game.spec,
            title=game.title,
            unit=game.traits.unit,
            seat=view.seat,
            turn=None if turn == CHANCE else turn,
            chance=turn == CHANCE,
            over=over,
            outcome=self.outcome(view.state) if over and self._shows_outcome else "",
            seats=self._seats(view, over),
            zones=tuple(self.zones(view)),
            board=self.board(view),
            notes=tuple(Note(one) if isinstance(one, str) else one for one in self.notes(view)),
        )

    @property
    def _shows_outcome(self) -> bool:
        """Whether a view of an end tells who has won; one that hides something may not."""
        return not self.game.traits.hidden

    def _seats(self, view: View[S], over: bool) -> tuple[SeatScene, ...]:
        seats = [self.seat_scene(view, seat) for seat in range(self.game.players)]
        if over and self._shows_outcome:
            values = self.game.returns(view.state)
            if max(values) > min(values):
                seats = [
                    replace(one, won=value == max(values))
                    for one, value in zip(seats, values, strict=True)
                ]
        return tuple(seats)

    # What a game's own presenter writes, each as far as it wants to.

    def seat_scene(self, view: View[S], seat: int) -> SeatScene:
        """One seat."""
        mine = seat == view.seat
        partner = not mine and seat in self.game.team(view.seat)
        return SeatScene(seat, you=mine, partner=partner, to_move=view.turn == seat)

    def zones(self, view: View[S]) -> Sequence[Zone]:
        """The places with cards."""
        return ()

    def board(self, view: View[S]) -> Board | None:
        """The board, if there is one."""
        return None

    def notes(self, view: View[S]) -> Sequence[Note | str]:
        """Lines about the table that are in nothing else."""
        return [self.game.caption(view.state)]

    # -- plays -------------------------------------------------------------------------------

    def choices(self, view: View[S]) -> tuple[PlayScene, ...]:
        """What the viewer can play now."""
        if view.turn != view.seat:
            return ()
        return tuple(
            PlayScene(
                str(play), self.parts(play), self.describe(view, play), self.brings(view, play)
            )
            for play in view.plays()
        )

    def parts(self, play: P) -> Mapping[str, Any]:
        """A play by its parts, as data for JSON. Seats count from 1 in it."""
        return {"play": str(play)}

    def play_of(self, state: S, parts: Mapping[str, Any]) -> P:
        """The legal play that has these parts."""
        if not isinstance(parts, Mapping):
            raise BadText(f"the parts of a play are names with values, not {brief(parts)}")
        try:
            text = self._text_of(parts)
        except (KeyError, TypeError, ValueError) as error:
            raise BadText(f"those are not the parts of a play of {self.game.name}") from error
        return self.game.parse_play(state, text)

    def _text_of(self, parts: Mapping[str, Any]) -> str:
        """The text form of a play that is given by its parts, which may be anything."""
        return word(parts["play"])

    def describe(self, view: View[S], play: P) -> str:
        """A play as a choice for a person."""
        return str(play)

    def phrase(self, view: View[S], play: P) -> Phrase:
        """The same in pieces, so that cards may have their colours."""
        return phrase(self.describe(view, play))

    def brings(self, view: View[S], play: P) -> str:
        """What a play brings at once, in a few words."""
        return ""

    def menu(self, view: View[S], plays: Sequence[P]) -> list[tuple[Phrase, list[P]]]:
        """Plays in groups, for a person who chooses in two steps where there are many."""
        return [(self.phrase(view, play), [play]) for play in plays]

    def forms(self, view: View[S]) -> list[str]:
        """How plays are typed, by examples from this view."""
        return [str(play) for play in self.game.plays(view.state)[:1]]

    def typed(self, state: S, text: str) -> P:
        """The legal play that a person means: written as `parse_play` wants it, or said."""
        return self.game.parse_play(state, text)

    # -- in words ----------------------------------------------------------------------------

    def held(self, state: S, seat: int) -> str:
        """The cards in a seat's hand; nothing if there are none, or if a view hides them."""
        return ""

    def narrate(self, before: S, play: P, after: S, seat: int | None) -> str:
        """What happened, as this seat sees it (None: as everybody may know it)."""
        game, mover = self.game, self.game.mover(before)
        seats = range(game.players) if seat is None else [seat]
        shown = not game.traits.hidden or seat == mover
        shown = shown or all(game.observed_play(before, s, play) is not None for s in seats)
        who = "chance" if mover == CHANCE else f"seat {mover + 1}"
        return f"{who}: {play if shown else 'not shown'}"

    def outcome(self, state: S) -> str:
        """An end in words."""
        values = self.game.returns(state)
        best = max(values)
        if min(values) == best:
            return "drawn"
        winners = [str(seat + 1) for seat, value in enumerate(values) if value == best]
        return f"seat {' and '.join(winners)} {'wins' if len(winners) == 1 else 'win'}"

    def facts(self) -> dict[str, int | str]:
        """Interesting figures about the game, computed."""
        return {}

    def rules(self) -> Sequence[tuple[str, str, str]]:
        """The rules for a person, one by one: number, what it is about, text. Here what stands at
        the beginning of the game's module, without numbers."""
        module = sys.modules.get(type(self.game).__module__)
        about = (getattr(module, "__doc__", None) or "").replace("`", "")
        return [("", "", " ".join(part.split())) for part in about.split("\n\n") if part.strip()]

    def help_on(self, word: str) -> str | None:
        """The rules about one thing that a player may ask for, such as a card."""
        return None


def word(what: Any) -> str:
    """A text among the parts of a play; anything else is refused."""
    if not isinstance(what, str):
        raise TypeError("a text is wanted")
    return what
