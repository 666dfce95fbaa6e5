"""Tablić as it is shown to people: the scene of a game, plays by their parts, help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import factorial
from typing import TYPE_CHECKING, Any, ClassVar, cast

from kibitz.core.game import Play, View
from kibitz.core.phrase import Phrase, Span, joined, phrase, plain
from kibitz.core.presenter import word
from kibitz.core.scene import Card, Detail, HandFact, Note, SeatScene, Zone
from kibitz.games.compiled_presenter import CompiledPresenter
from kibitz.games.rules import rules_of, rules_on
from kibitz.games.tablic import rendering, typed_plays
from kibitz.games.tablic.cards import NAMES, cards_of, parse_card
from kibitz.games.tablic.fields import TablicView, card_points
from kibitz.games.tablic.rendering import counted, symbol

if TYPE_CHECKING:
    from kibitz.games.tablic.game import Tablic, TablicPlay


def card(number: int) -> Card:
    """A card as it is shown: red suits in red, those that score stand out."""
    tone = "red" if number % 4 in (1, 2) else "black"
    return Card(NAMES[number], symbol(number), tone, points=card_points(number))


class TablicPresenter(CompiledPresenter):
    """How Tablić is shown."""

    topics: ClassVar[tuple[str, ...]] = (
        *("capture", "ace", "tabla", "points", "bonus", "deal", "partners", "end", "match"),
    )

    # -- the table ---------------------------------------------------------------------------

    def zones(self, view: View[Any]) -> Sequence[Zone]:
        v = _own(view)
        zones = [
            Zone("table", "Table", _cards(v.table)),
            Zone("deck", "Deck", hidden=v.deck_size, in_details=True),
        ]
        for seat, size in enumerate(v.hand_sizes):
            seen = v.hand_of(seat)
            zones += [
                Zone("hand", "hand", _cards(seen), size - len(seen), seat, public=False),
                Zone("pile", "captured", _cards(v.captured[seat]), seat=seat, in_details=True),
            ]
        return zones

    def seat_scene(self, view: View[Any], seat: int) -> SeatScene:
        v = _own(view)
        cards, points, tablas = len(v.captured[seat]), v.points[seat], v.tablas[seat]
        made = f" ({counted(tablas, 'tabla')})" if tablas else ""
        details = (
            Detail("cards", cards, f"{cards} cards"),
            Detail("points", points, counted(points, "point") + made),
            Detail("tablas", tablas, ""),
        )
        return replace(
            super().seat_scene(view, seat),
            first=seat == v.first,
            dealer=seat == v.dealer,
            captured_last=seat == v.last_captor,
            points=points,
            total=self._tablic.points(v.state)[seat] if v.turn is None else None,
            details=details,
            facts=_last_hand(v, seat),
        )

    def notes(self, view: View[Any]) -> Sequence[Note | str]:
        v = _own(view)
        if v.turn is None:
            return [Note(rendering.final_count(self._tablic, v), "Final count")]
        text = f"deck {counted(v.deck_size, 'card')}, {counted(v.deals_left, 'more deal')}"
        if v.last_captor is not None:
            text += f"; seat {v.last_captor + 1} captured last"
        return [Note(text, quiet=True)]

    # -- plays -------------------------------------------------------------------------------

    def _parts(self, play: Play) -> Mapping[str, Any]:
        mine = cast("TablicPlay", play)
        taken = sorted(cards_of(mine.taken), reverse=True)
        return {"card": NAMES[mine.card], "captures": [NAMES[one] for one in taken]}

    def _text_of(self, parts: Mapping[str, Any]) -> str:
        taken = [word(one) for one in parts.get("captures") or ()]
        return " x ".join(filter(None, [word(parts["card"]), " ".join(taken)]))

    def phrase(self, view: View[Any], play: Play) -> Phrase:
        """A choice: `Q♥ takes J♣ A♦`."""
        mine = cast("TablicPlay", play)
        played = card(mine.card).span
        if not mine.taken:
            return phrase("lay ", played)
        taken = [phrase(card(one).span) for one in cards_of(mine.taken)]
        return phrase(played, " takes ", joined(taken, " "))

    def describe(self, view: View[Any], play: Play) -> str:
        return plain(self.phrase(view, play))

    def brings(self, view: View[Any], play: Play) -> str:
        mine = cast("TablicPlay", play)
        if not mine.taken:
            return ""
        points, cards = rendering.points_and_cards(view, mine.card, mine.taken)
        tabla = ", tabla" if mine.taken == view.state[0].table else ""
        return f"{counted(points, 'point')}, {cards} cards{tabla}"

    def menu(self, view: View[Any], plays: Sequence[Play]) -> list[tuple[Phrase, list[Play]]]:
        """By played card; the richest capture first."""
        groups: dict[Span, list[Play]] = {}
        for play in plays:
            groups.setdefault(card(cast("TablicPlay", play).card).span, []).append(play)
        for group in groups.values():
            group.sort(key=lambda play: _capture_value(view, play), reverse=True)
        return [((span,), group) for span, group in groups.items()]

    def forms(self, view: View[Any]) -> list[str]:
        return rendering.forms(self.game.plays(view.state))

    def typed(self, state: Any, text: str) -> Play:
        plays = [
            (play.card, play.taken) for play in cast("Sequence[TablicPlay]", self.game.plays(state))
        ]
        return self.game.parse_play(state, typed_plays.to_text_form(text, plays))

    # -- in words ----------------------------------------------------------------------------

    def held(self, state: Any, seat: int) -> str:
        return " ".join(symbol(one) for one in cards_of(int(state[0].hand[seat])))

    def narrate(self, before: Any, play: Play, after: Any, seat: int | None) -> str:
        mine = cast("TablicPlay", play)
        return rendering.narrate(self._tablic, before, (mine.card, mine.taken), after, seat)

    def outcome(self, state: Any) -> str:
        return rendering.outcome(self._tablic, state)

    def facts(self) -> dict[str, int | str]:
        return {
            "points in the cards": 22,
            "orders of one's own cards in two players' four deals, (6!)⁴": factorial(6) ** 4,
        }

    def rules(self) -> Sequence[tuple[str, str, str]]:
        return rules_of(__package__)

    def help_on(self, word: str) -> str | None:
        return rendering.help_on(word) or rules_on(__package__, word)

    @property
    def _tablic(self) -> Tablic:
        return cast("Tablic", self.game)


def _own(view: View[Any]) -> TablicView:
    """The view with its readable fields: the guards make any view one of ours."""
    return cast(TablicView, view)


def _cards(names: Sequence[str]) -> tuple[Card, ...]:
    return tuple(card(parse_card(name)) for name in names)


def _capture_value(view: View[Any], play: Play) -> tuple[int, int]:
    mine = cast("TablicPlay", play)
    return rendering.points_and_cards(view, mine.card, mine.taken)


def _last_hand(v: TablicView, seat: int) -> tuple[HandFact, ...]:
    """When the deck is empty and one hand alone is hidden, its cards are those that are left."""
    hidden = [s for s, size in enumerate(v.hand_sizes) if size and not v.hand_of(s)]
    if v.deck_size or hidden != [seat] or not v.unseen:
        return ()
    why = f"Seat {seat + 1} holds the cards that are left: all others have been seen."
    return (HandFact(seat, v.unseen, (), (v.seat,), why),)
