"""Tablić: options, names of plays, and why a play is not legal."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from kibitz.core.checks import brief
from kibitz.core.errors import BadText, IllegalPlay
from kibitz.core.game import Chance, Play, ResultKind, Traits, View
from kibitz.core.options import Option
from kibitz.core.presenter import Presenter
from kibitz.core.registry import game
from kibitz.core.strategy import Knows
from kibitz.games.compiled_game import CompiledGame
from kibitz.games.tablic import positions
from kibitz.games.tablic.cards import (
    DECK,
    NAMES,
    PLAYED_SPECIAL,
    RANK_AT,
    RANKS,
    TAKES_TEN,
    TAKES_TWO,
    TEN_OF_DIAMONDS,
    TWO_OF_CLUBS,
    VALUES,
    cards_of,
    kind,
    mask_of,
    parse_card,
)
from kibitz.games.tablic.fields import TablicView
from kibitz.games.tablic.presenter import TablicPresenter

BONUSES = ("always", "tie", "none")
LEFTOVERS = ("last-captor", "dealer")


@dataclass(frozen=True, order=True, repr=False)
class TablicPlay(Play):
    """A play with its very cards. Plays equal but for interchangeable suits are equal."""

    card: int = field(default=0, compare=False)
    taken: int = field(default=0, compare=False)

    @classmethod
    def of(cls, card: int, taken: Sequence[int]) -> TablicPlay:
        """The play of a card that takes these cards."""
        rank, special = kind(card)
        code = rank << RANK_AT | (PLAYED_SPECIAL if special else 0)
        for other in taken:
            code += 1 << (4 * (other // 4))
        code |= TAKES_TEN if TEN_OF_DIAMONDS in taken else 0
        code |= TAKES_TWO if TWO_OF_CLUBS in taken else 0
        names = [NAMES[other] for other in sorted(taken, reverse=True)]
        text = " x ".join([NAMES[card], " ".join(names)]) if names else NAMES[card]
        return cls(code, text, card, mask_of(taken))


@game
class Tablic(CompiledGame):
    """Tablić for two to four players: a game of 52 cards, and matches to 101."""

    view_class: ClassVar[type[View[Any]]] = TablicView
    presenter_class: ClassVar[type[Presenter[Any, Any]] | None] = TablicPresenter
    name: ClassVar[str] = "tablic"
    title: ClassVar[str] = "Tablić: capture table cards that add up to yours"
    codec: ClassVar[str] = "kibitz.games.tablic.codec"
    card_by_card: ClassVar[str] = "kibitz.games.tablic.card_by_card"
    traits: ClassVar[Traits] = Traits(chance=Chance.DEAL, hidden=True, unit="game", match=True)
    options: ClassVar[tuple[Option, ...]] = (
        Option("players", 2, "how many play; four in two partnerships", choices=(2, 3, 4)),
        Option("cards_bonus", "always", "3 points for more cards", choices=BONUSES),
        Option("forced_capture", False, "a card that can capture may not be laid"),
        Option("leftovers", "last-captor", "who takes the last table cards", choices=LEFTOVERS),
        Option("target", 101, "points that win a match", least=1),
    )
    levels: ClassVar[Mapping[str, str]] = {
        "easy": "greedy", "medium": "human", "hard": "expert:worlds=1000",
    }  # fmt: skip
    strategy_modules: ClassVar[Mapping[str, str]] = {
        "greedy": "kibitz.strategies.tablic.greedy",
        "human": "kibitz.strategies.tablic.human",
        "genetic": "kibitz.strategies.tablic.genetic",
        "pimc": "kibitz.strategies.tablic.pimc",
    }
    beliefs: ClassVar[Mapping[str, str]] = {
        "greedy": "kibitz.strategies.tablic.beliefs",
        "taker": "kibitz.strategies.tablic.beliefs",
    }
    counting: ClassVar[str] = "kibitz.strategies.tablic.counting"
    reasons: ClassVar[str] = "kibitz.strategies.tablic.reasons"
    luck: ClassVar[str] = "kibitz.strategies.tablic.luck"
    open_card_twin: ClassVar[str] = "kibitz.games.tablic.open_hands"
    search_depths: ClassVar[Mapping[str, Mapping[int, int]]] = {"pimc": {3: 7, 4: 6}}
    continuation: ClassVar[str] = "kibitz.strategies.tablic.play_model"
    exact_plays: ClassVar[str] = "kibitz.solvers.tablic.last_deal"
    solve_command: ClassVar[str] = "kibitz.cli.commands.solve.tablic"
    solver: ClassVar[str] = "kibitz.solvers.tablic.solution"
    quick_shuffles: ClassVar[int] = 60
    result_kind: ClassVar[ResultKind | None] = ResultKind.POINTS

    @property
    def target(self) -> int:
        return int(self.settings["target"])

    @property
    def partners(self) -> int:
        return 2 if self.players == 4 else 1

    def _configure(self, record: Any) -> None:
        record.players = self.players
        record.bonus = BONUSES.index(self.settings["cards_bonus"])
        record.forced = self.settings["forced_capture"]
        record.to_dealer = self.settings["leftovers"] == "dealer"

    def deal_deck(self, cards: Sequence[int], first: int = 0) -> Any:
        """A game from a deck in dealing order. Rules 2.1 to 2.4."""
        if sorted(cards) != list(range(52)):
            raise BadText("a deck is all 52 cards in dealing order, each once")
        state = self.blank()
        state[0].deck[:] = cards
        self.kernels.lay_out(state, first)
        return state

    # -- plays -----------------------------------------------------------------------------

    def _play_text(self, code: int) -> str:
        """A play without its state: ranks only."""
        taken = [RANKS[r] for r in range(12, -1, -1) for _ in range(code >> (4 * r) & 15)]
        return " x ".join(filter(None, [RANKS[code >> RANK_AT & 15], " ".join(taken)]))

    def _named_play(self, state: Any, code: int) -> Play:
        x = state[0]
        card = self.kernels.hand_card(x.hand[x.turn], code)
        return TablicPlay.of(int(card), cards_of(int(self.kernels.table_cards(x.table, code))))

    def parse_play(self, state: Any, text: str) -> Play:
        played, _, taken = re.sub(r"[\s,+]+", " ", text.strip().lower()).partition(" x ")
        if not played:
            raise BadText("a play is written Qh x Jc Ad, or 9s to lay a card")
        cards = [parse_card(word) for word in taken.split()]
        if len(set(cards)) < len(cards):
            raise BadText("a captured card is named twice")
        return self.match_play(state, TablicPlay.of(parse_card(played), cards))

    def _match(self, state: Any, play: Any) -> Play:
        """Ours is made anew of the cards: of interchangeable ones it may be any."""
        numbers: list[Any] = [getattr(play, name, None) for name in ("code", "card", "taken")]
        if type(play) is not TablicPlay or any(type(number) is not int for number in numbers):
            raise IllegalPlay(f"{brief(play)} is not possible here")
        code, card, taken = numbers
        if not (0 <= card < 52 and 0 <= taken <= DECK):
            raise IllegalPlay(
                f"a play of {brief(card)} that takes {brief(taken)} has no such cards"
            )
        ours = TablicPlay.of(card, cards_of(taken))
        if ours.code != code:
            raise IllegalPlay(f"{ours} is not play {brief(code)}")
        self._check(state, ours)
        return ours

    def _check(self, state: Any, play: TablicPlay) -> None:
        """Refuse what the rules forbid, with the reason."""
        x = state[0]
        if x.over:
            raise IllegalPlay("the game is over", "5.1")
        name, rank = NAMES[play.card], play.card // 4
        if not x.hand[x.turn] >> play.card & 1:
            raise IllegalPlay(f"seat {int(x.turn) + 1} does not hold {name}", "3.1")
        absent = [NAMES[card] for card in cards_of(play.taken & ~int(x.table))]
        if absent:
            raise IllegalPlay(f"{' '.join(absent)} is not on the table", "3.2")
        if not play.taken:
            if x.forced and self.kernels.can_capture(self.kernels.counts_of(x.table), rank):
                raise IllegalPlay(f"{name} can capture, so it may not be laid", "3.6")
        elif not self.kernels.splits(self.kernels.counts_of(play.taken), rank):
            raise IllegalPlay(f"those cards do not split into groups of {VALUES[rank]} each", "3.2")

    def _after(self, state: Any, play: Play) -> Any:
        assert isinstance(play, TablicPlay)
        then = self.copied(self._require_complete(state))
        self.kernels.move_cards(then, play.card, play.taken)
        return then

    # -- what is hidden --------------------------------------------------------------------

    def hidden_cards(self, view: View[Any], world: Any) -> Mapping[str, Sequence[str]]:
        """By rank, as suits matter nowhere; but 10d and 2c are named."""
        v, w = view.state[0], world[0]
        return {
            f"seat {seat + 1}'s hand": [
                NAMES[card] if kind(card)[1] else RANKS[card // 4]
                for card in cards_of(int(w.hand[seat]))
            ]
            for seat in range(self.players)
            if v.held[seat] and not v.hand[seat]
        }

    def missing(self, state: Any, seat: int, knows: Knows) -> Sequence[str]:
        if knows is Knows.OPEN_DECK:
            return positions.missing(self, state)
        every = range(self.players)
        return positions.missing_hands(state, every if knows is Knows.OPEN_HANDS else [seat])

    def redeal(self, view: View[Any], rng: Any) -> Any:
        try:
            return super().redeal(view, rng)
        except BadText as error:
            if positions.has_piles(self, view.state):
                raise
            raise BadText(f"{error}: it leaves out the piles") from None

    # -- text ------------------------------------------------------------------------------

    def position(self, state: Any) -> str:
        return positions.write(self, state)

    def parse_position(self, text: str) -> Any:
        return positions.read(self, text)
