"""Love Letter as it is shown to people: the scene of a round, plays by their parts, help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import factorial, prod
from typing import TYPE_CHECKING, Any, ClassVar, cast

from kibitz.core.game import Play, View
from kibitz.core.phrase import Phrase, Span, phrase, plain
from kibitz.core.presenter import word
from kibitz.core.scene import Card, Note, SeatScene, Zone
from kibitz.games.compiled_presenter import CompiledPresenter
from kibitz.games.love_letter import rendering, typed_plays
from kibitz.games.love_letter.cards import EFFECTS, GUARD, NAMES, NUMBERS
from kibitz.games.love_letter.fields import LoveLetterView
from kibitz.games.love_letter.known_hands import facts_of_others, facts_of_own_card
from kibitz.games.love_letter.plays import parts_of
from kibitz.games.rules import rules_of, rules_on

if TYPE_CHECKING:
    from kibitz.games.love_letter.game import LoveLetter

TONES = ("", "grey", "cyan", "green", "blue", "purple", "yellow", "red", "pink")


def card(name: str) -> Card:
    """A card as it is shown, by its text form."""
    number = NUMBERS[name]
    return Card(name, name.capitalize(), TONES[number], note=str(number))


class LoveLetterPresenter(CompiledPresenter):
    """How Love Letter is shown."""

    topics: ClassVar[tuple[str, ...]] = ("turn", "name", "out", "end", "tie", "match", "knows")

    # -- the table ---------------------------------------------------------------------------

    def zones(self, view: View[Any]) -> Sequence[Zone]:
        v = _own(view)
        middle = [Zone("deck", "Deck", hidden=v.deck_size)]
        middle += [Zone("aside", "aside", hidden=1)] if v.aside else []
        if v.face_up:
            middle.append(Zone("face_up", "face up", _cards(v.face_up)))
        discards = v.discards
        laid_down = v.turn is None
        for seat, size in enumerate(v.hand_sizes):
            seen = v.hand_of(seat)
            # At a showdown every hand lies open; before, what one was shown is one's own.
            hand = Zone("hand", "hand", _cards(seen), size - len(seen), seat, public=laid_down)
            middle += [hand, Zone("discards", "played", _cards(discards[seat]), seat=seat)]
        return middle

    def seat_scene(self, view: View[Any], seat: int) -> SeatScene:
        v = _own(view)
        facts = facts_of_own_card(v) if seat == v.seat else facts_of_others(v)
        return replace(
            super().seat_scene(view, seat),
            first=seat == v.first,
            out=seat in v.out,
            protected=seat in v.protected,
            won=seat in v.winners,
            facts=tuple(fact for fact in facts if fact.seat == seat),
        )

    def notes(self, view: View[Any]) -> Sequence[Note | str]:
        return ()

    # -- plays -------------------------------------------------------------------------------

    def _parts(self, play: Play) -> Mapping[str, Any]:
        number, target, guess = parts_of(play.code)
        parts: dict[str, Any] = {"card": NAMES[number]}
        if target >= 0:
            parts["target"] = target + 1
        if guess:
            parts["guess"] = NAMES[guess]
        return parts

    def _text_of(self, parts: Mapping[str, Any]) -> str:
        text, target, guess = word(parts["card"]), parts.get("target"), parts.get("guess")
        if target is not None:
            text += f">{int(target)}"
        return text if guess is None else f"{text}={word(guess)}"

    def phrase(self, view: View[Any], play: Play) -> Phrase:
        """A choice: `Guard on seat 2, naming Priest`."""
        number, target, guess = parts_of(play.code)
        on = (
            ""
            if target < 0
            else " on yourself"
            if target == view.seat
            else f" on seat {target + 1}"
        )
        named = (", naming ", card(NAMES[guess]).span) if guess else ()
        return phrase(card(NAMES[number]).span, on, *named)

    def describe(self, view: View[Any], play: Play) -> str:
        return plain(self.phrase(view, play))

    def menu(self, view: View[Any], plays: Sequence[Play]) -> list[tuple[Phrase, list[Play]]]:
        """By played card."""
        groups: dict[Span, list[Play]] = {}
        for play in plays:
            groups.setdefault(card(NAMES[parts_of(play.code).card]).span, []).append(play)
        return [((span,), group) for span, group in groups.items()]

    def forms(self, view: View[Any]) -> list[str]:
        return rendering.forms(self.game.plays(view.state))

    def typed(self, state: Any, text: str) -> Play:
        said = typed_plays.to_text_form(text, int(state[0].turn), self.game.plays(state))
        return self.game.parse_play(state, said)

    # -- in words ----------------------------------------------------------------------------

    def held(self, state: Any, seat: int) -> str:
        view = LoveLetterView(self.game, seat, state)
        return ", ".join(card(name).label for name in view.hand_of(seat))

    def narrate(self, before: Any, play: Play, after: Any, seat: int | None) -> str:
        return rendering.narrate(before, play, after, seat)

    def outcome(self, state: Any) -> str:
        return rendering.outcome(state)

    def facts(self) -> dict[str, int | str]:
        """The size of the problem, as in the thesis but for its slips (16 cards, 5 Guards)."""
        copies = self._copies
        size = sum(copies)
        orders = factorial(size) // prod(factorial(number) for number in copies)
        return {
            f"orders of the deck, {size}!/({copies[GUARD]}!·2!⁴)": orders,
            "scenarios, × 2¹⁰ binary choices": orders * 2**10,
        }

    def rules(self) -> Sequence[tuple[str, str, str]]:
        return rules_of(__package__)

    def help_on(self, word: str) -> str | None:
        number = NUMBERS.get(word.strip().lower())
        if number is None:
            return rules_on(__package__, word)
        name = NAMES[number].capitalize()
        return f"{name} {number} (×{self._copies[number]}): {EFFECTS[number]}"

    @property
    def _copies(self) -> tuple[int, ...]:
        return cast("LoveLetter", self.game).copies


def _own(view: View[Any]) -> LoveLetterView:
    """The view with its readable fields: the guards make any view one of ours."""
    return cast(LoveLetterView, view)


def _cards(names: Sequence[str]) -> tuple[Card, ...]:
    return tuple(card(name) for name in names)
