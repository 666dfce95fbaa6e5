"""Love Letter: options, names of plays, and why a play is not legal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from kibitz.core.errors import BadText, IllegalPlay, UnsuitableGame
from kibitz.core.game import Chance, Play, ResultKind, Traits, View
from kibitz.core.options import Option
from kibitz.core.presenter import Presenter
from kibitz.core.registry import game
from kibitz.core.strategy import Knows
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.love_letter import deals, positions
from kibitz.games.love_letter.cards import (
    COPIES,
    COUNTESS,
    FACE_UP,
    GUARD,
    HANDMAID,
    KING,
    NAMES,
    NUMBERS,
    PRINCE,
    PRINCESS,
    TARGETS,
    UNKNOWN,
    names,
    read_face_up,
)
from kibitz.games.love_letter.fields import LoveLetterView
from kibitz.games.love_letter.plays import code_of, parts_of
from kibitz.games.love_letter.presenter import LoveLetterPresenter
from kibitz.games.text import DIGITS

TIES = ("all", "none", "random")
LOT = "none"
PLAY = re.compile(r"([a-z]+)(?:>(\d+))?(?:=([a-z]+))?")


@game
class LoveLetter(CompiledGame):
    """Love Letter for two to four players: a round, and matches of rounds."""

    view_class: ClassVar[type[View[Any]]] = LoveLetterView
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = LoveLetterPresenter
    name: ClassVar[str] = "love-letter"
    over_rule: ClassVar[str] = "7.1"
    title: ClassVar[str] = "Love Letter: sixteen cards, keep the best one hidden"
    codec: ClassVar[str] = "kibitz.games.love_letter.codec"
    lean: ClassVar[str] = "kibitz.games.love_letter.lean"
    card_by_card: ClassVar[str] = "kibitz.games.love_letter.card_by_card"
    traits: ClassVar[Traits] = Traits(chance=Chance.DEAL, hidden=True, unit="round", match=True)
    never: ClassVar[str] = "the Princess"
    options: ClassVar[tuple[Option, ...]] = (
        Option("players", 2, "how many play", choices=(2, 3, 4)),
        Option("deck", "published", "thesis: four Guards instead of five", choices=tuple(COPIES)),
        Option("tie", "all", "who wins a tied round", choices=TIES),
        Option("face_up", LOT, "two players: priest priest countess in every round; none: by lot"),
    )
    levels: ClassVar[Mapping[str, str | tuple[str, ...]]] = {
        "easy": "random", "medium": "greedy", "hard": ("equilibrium", "flat-mc"),
    }  # fmt: skip
    adviser: ClassVar[str] = "flat-mc"  # it tells chances to win, equilibrium how often to play
    strategy_modules: ClassVar[Mapping[str, str]] = {
        "greedy": "kibitz.strategies.love_letter.greedy",
        "probabilistic": "kibitz.strategies.love_letter.probabilistic",
    }
    beliefs: ClassVar[Mapping[str, str]] = {"greedy": "kibitz.strategies.love_letter.beliefs"}
    counting: ClassVar[str] = "kibitz.strategies.love_letter.counting"
    reasons: ClassVar[str] = "kibitz.strategies.love_letter.reasons"
    luck: ClassVar[str] = "kibitz.strategies.love_letter.luck"
    search_depths: ClassVar[Mapping[str, Mapping[int, int]]] = {"pimc": {3: 5, 4: 3}}
    explained_worlds: ClassVar[Mapping[str, int]] = {"flat-mc": 200_000}
    continuation: ClassVar[str] = "kibitz.strategies.love_letter.play_model"
    exact_plays: ClassVar[str] = "kibitz.strategies.love_letter.late_rounds"
    solve_command: ClassVar[str] = "kibitz.cli.commands.solve.love_letter"
    solver: ClassVar[str] = "kibitz.solvers.love_letter.solution"
    result_kind: ClassVar[ResultKind | None] = ResultKind.WIN

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        if self.face_up and self.players != 2:
            raise BadText(f"{self.name}: face_up is for two players only")
        self.settings["face_up"] = names(self.face_up) or LOT

    @cached_property
    def face_up(self) -> tuple[int, ...]:
        """The three cards that lie face up in every round; none if they are dealt by lot."""
        text = self.settings["face_up"]
        return () if text.strip().lower() == LOT else read_face_up(text, self.settings["deck"])

    def check_face_up(self, cards: Sequence[int]) -> None:
        """Refuse a round with other cards face up than the option says. Rule 2.5."""
        if not set(cards) <= set(NUMBERS.values()):
            raise BadText("cards of love-letter are numbered 1 to 8")
        if self.face_up and tuple(sorted(cards)) != self.face_up:
            raise BadText(
                f"{names(sorted(cards))} can't lie face up in a game with"
                f" face_up={names(self.face_up)}"
            )

    @property
    def copies(self) -> tuple[int, ...]:
        """How many of each card the deck has."""
        return COPIES[self.settings["deck"]]

    @property
    def target(self) -> int:
        """Rounds to win a match."""
        return TARGETS[self.players]

    def _configure(self, record: Any) -> None:
        record.players = self.players
        record.copies = self.copies[GUARD]
        record.tie = TIES.index(self.settings["tie"])
        record.fixed = sum(card << (4 * i) for i, card in enumerate(self.face_up))

    def deal_deck(self, cards: Sequence[int], first: int = 0) -> Any:
        """A round from a deck in dealing order. Rule 2.4."""
        if sorted(cards) != [c for c in range(1, 9) for _ in range(self.copies[c])]:
            raise BadText(f"a deck is all {sum(self.copies)} cards in dealing order")
        self.check_face_up(cards[1 : 1 + FACE_UP])
        state = self.blank()
        order = sum(card << (4 * i) for i, card in enumerate(cards[:-1]))
        self.kernels.lay_out(state, order, cards[-1], first, 0)
        return state

    # -- plays -----------------------------------------------------------------------------

    def _play_text(self, code: int) -> str:
        card, target, guess = parts_of(code)
        on = f">{target + 1}" if target >= 0 else ""
        return NAMES[card] + on + (f"={NAMES[guess]}" if guess else "")

    def parse_play(self, state: Any, text: str) -> Play:
        match = PLAY.fullmatch(re.sub(r"\s+", "", text.lower()))
        if not match:
            raise BadText(
                f"{text.strip()!r} is not a play; write guard>2=priest, baron>2, handmaid"
            )
        card, target, guess = match.groups()
        for name in (card, guess):
            if name is not None and name not in NUMBERS:
                raise BadText(f"there is no card {name!r}; the cards: {', '.join(NUMBERS)}")
        if target is not None and (len(target) > DIGITS or not 1 <= int(target) <= self.players):
            raise IllegalPlay(f"there is no seat {target}: {self.players} play", "5.3")
        code = code_of(NUMBERS[card], int(target or 0) - 1, NUMBERS.get(guess, 0))
        return self.match_play(state, Play(code, ""))

    def plays(self, state: Any) -> Sequence[Play]:
        state = self.checked(state)
        x = state[0]
        hidden = UNKNOWN in (x.drawn, x.hand[x.turn])
        return [] if hidden else super().plays(state)

    def _refusal(self, state: Any, play: Play) -> IllegalPlay:
        """The reason, and the rule."""
        x = state[0]
        me = int(x.turn)
        card, target, guess = parts_of(play.code)
        hand = [int(x.hand[me]), int(x.drawn)]
        if card >= len(NAMES) or guess >= len(NAMES) or target >= self.players:
            return super()._refusal(state, play)
        name = NAMES[card]
        if card not in hand:
            return IllegalPlay(f"seat {me + 1} does not hold the {name}", "3.5")
        if COUNTESS in hand and card in (PRINCE, KING):
            return IllegalPlay(f"the countess must be played, not the {name}", "4.7")
        if card != GUARD and guess:
            return IllegalPlay(f"the {name} names no card", "4.1")
        if card in (HANDMAID, COUNTESS, PRINCESS):
            return IllegalPlay(f"the {name} names nobody", "5.1")
        wrong = self._wrong_target(x, card, target)
        if wrong is not None:
            return wrong
        if target < 0:
            return IllegalPlay("a guard without a target names no card", "5.4")
        if not guess:
            return IllegalPlay("the guard must name a card, as in guard>2=priest", "4.1")
        return IllegalPlay("a guard can't name the guard", "4.1")

    def _wrong_target(self, x: Any, card: int, target: int) -> IllegalPlay | None:
        me = int(x.turn)
        name = NAMES[card]
        others = int(x.inside & ~x.protected & ~(1 << me))
        if target < 0:
            if card == PRINCE:
                return IllegalPlay("the prince must name a player, oneself too", "5.2")
            if others:
                return IllegalPlay(f"the {name} must name a player", "5.5")
        elif target == me:
            if card != PRINCE:
                return IllegalPlay(f"the {name} must name another player", "5.1")
        elif not x.inside >> target & 1:
            return IllegalPlay(f"seat {target + 1} is out", "5.3")
        elif x.protected >> target & 1:
            return IllegalPlay(f"seat {target + 1} is protected", "5.3")
        return None

    def redeal(self, view: View[Any], rng: Any) -> Any:
        if view.state[0].hand[view.seat] == UNKNOWN:
            raise BadText(f"the view leaves out hand{view.seat + 1}, its own")
        return super().redeal(view, rng)

    def every_deal(self, position: Any = None) -> Iterable[tuple[Any, float]]:
        if position is None:
            raise UnsuitableGame(f"{self.name} has too many deals to list; name a position")
        return deals.every_deal(self, position)

    # -- what is hidden --------------------------------------------------------------------

    def hidden_cards(self, view: View[Any], world: Any) -> Mapping[str, Sequence[str]]:
        v, w = view.state[0], world[0]
        places: dict[str, list[str]] = {}
        for seat in range(self.players):
            hand = [w.hand[seat]] if v.hand[seat] == UNKNOWN else []
            if seat == v.turn and v.drawn == UNKNOWN:
                hand.append(w.drawn)
            if hand:
                places[f"seat {seat + 1}'s hand"] = [NAMES[card] for card in hand]
        if v.aside == UNKNOWN:
            places["aside"] = [NAMES[w.aside]]
        return places

    def view_at_the_end(self, state: Any, seat: int) -> View[Any]:
        """Then everybody lays down his card, also who is the last one in."""
        view = self.view(state, seat)
        view.state[0].hand[:] = state[0].hand
        return view

    def missing(self, state: Any, seat: int, knows: Knows) -> Sequence[str]:
        if knows is Knows.OPEN_DECK:
            return positions.missing(self, state)
        shown = int(state[0].known[seat]) | 1 << seat
        fair = knows is Knows.FAIR
        seen = [s for s in range(self.players) if shown >> s & 1 or not fair]
        return positions.missing_hands(state, seen)

    # -- text ------------------------------------------------------------------------------

    def position(self, state: Any) -> str:
        return positions.write(self, state)

    def parse_position(self, text: str) -> Any:
        return positions.read(self, text)
