"""What equilibrium play looks like, in sentences that are made of the figures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any

from equilibrium_count import SURE
from equilibrium_rows import FEW, Play, SetPlay, Tallies, Tally, together
from equilibrium_sets import DEALS, DECK, SETS, card_name, deals_of, listed, percent

from kibitz.games.love_letter.cards import (
    COUNTESS,
    KING,
    PRINCE,
    PRINCESS,
    read_face_up,
    unseen,
)
from kibitz.solvers.love_letter.public_states import CARDS, GUARD_NAMES, LAID

TOLD = 0.01
"""On the first turn of one set, what has a smaller share is left out."""
NAMED = 3
"""So many cards are named, of those that a Guard may name."""
FORCED = {(PRINCE, COUNTESS), (KING, COUNTESS)}
"""The Countess must be laid."""
SEATS = ("the first player", "the second")


class Spread:
    """Shares over all sets, with the least and the most of one set."""

    def __init__(self, play: Play) -> None:
        self.rows = list(play.values())
        self.whole = together(self.rows)

    def __getitem__(self, name: Any) -> str:
        return percent(self.whole[name].share) + self.between(name, percent)

    def between(self, name: Any, form: Callable[[float], str]) -> str:
        shares = [share for row in self.rows if (share := row.share(name)) is not None]
        least, most = (form(each(shares, default=0)) for each in (min, max))
        return f" ({least} … {most} by set)" if least != most else ""


def in_short(play: Play) -> list[str]:
    """For players, over all sets."""
    whole = together(play.values())
    return [
        *_what_is_counted(play),
        f"- On the first turn the lower of two different cards is laid in {_lower(whole)}.",
        f"- A Guard on the first turn names {_most_named(whole, 'named first')}; later"
        f" {_most_named(whole, 'named later')}. {percent(whole['bluff'].share)}"
        " of all guesses name the card that is kept beside the Guard.",
        "- Where either card may be laid, the King is it in"
        f" {percent(whole['king'].share)}, the Countess in {percent(whole['countess'].share)}, the"
        f" Handmaid in {percent(whole['handmaid'].share)}.",
        *(
            f"- The best card to be dealt is, for {_best_and_worst(whole, seat)}."
            for seat in (0, 1)
        ),
    ]


def _what_is_counted(play: Play) -> list[str]:
    """A warning, as long as there are sets that nothing was counted of."""
    deals = sum(map(deals_of, play))
    if deals == DEALS:
        return []
    return [
        f"So far {len(play)} of {len(SETS)} sets were counted, {deals} of {DEALS} deals. They are"
        " no fair sample: small rounds are solved first. Shares over all sets will move.",
        "",
    ]


def _lower(whole: Tallies) -> str:
    """How often the lower card is laid first, and with which cards it mostly is not."""
    low, high = [], []
    for one in CARDS:
        for other in range(one + 1, PRINCESS + 1):
            tally = whole["laid first", one, other]
            if (one, other) not in FORCED and tally.of:
                low.append(tally)
                if tally.of >= FEW and tally.share < 0.5:
                    high.append(f"{_pair((one, other))} ({1 - tally.share:.0%})")
    share = Tally(sum(tally.times for tally in low), sum(tally.of for tally in low)).share
    but = f"; the higher one rather with {listed(high)}" if high else ""
    return f"{percent(share)} of the cases where the rules leave a choice{but}"


def _pair(hand: Iterable[int]) -> str:
    return " + ".join(map(card_name, hand))


def _most_named(whole: Tallies, kind: str) -> str:
    cards = sorted(CARDS[1:], key=lambda card: -whole[kind, card].times)[:NAMED]
    return listed(
        [f"the {card_name(card)} in {percent(whole[kind, card].share)}" for card in cards]
    )


def _best_and_worst(whole: Tallies, seat: int) -> str:
    met = [card for card in CARDS if whole["dealt", seat, card].of >= FEW] or list(CARDS)
    by_share = sorted(met, key=lambda card: whole["dealt", seat, card].share)
    best, worst = (
        f"the {card_name(card)} ({percent(whole['dealt', seat, card].share)} of the rounds are won)"
        for card in (by_share[-1], by_share[0])
    )
    return f"{SEATS[seat]}, {best}; the worst {worst}"


# -- the first turn of one set -------------------------------------------------------------


def first_turn_words(row: SetPlay) -> list[str]:
    """Exactly, from the solution."""
    hands = {
        hand: plays
        for hand, plays in row.first_turn.items()
        if hand[0] != hand[1] and hand not in FORCED
    }
    higher = {
        hand: sum(share for play, share in plays.items() if LAID[play] == hand[1])
        for hand, plays in hands.items()
    }
    lower = sum(share <= 1 - SURE for share in higher.values())
    always = [_pair(hand) for hand, share in higher.items() if share >= SURE]
    mixed = [
        f"{_pair(hand)} (the {card_name(hand[1])} in {share:.0%})"
        for hand, share in higher.items()
        if 1 - SURE < share < SURE
    ]
    return [
        f"- **The first card.** Of the {len(hands)} pairs of different cards with a choice, {lower}"
        " always lay the lower one"
        + (f", {len(always)} the higher one ({'; '.join(always)})" if always else "")
        + (f"; left to the lot: {'; '.join(mixed)}." if mixed else "."),
        *_guard_words(row),
    ]


def _guard_words(row: SetPlay) -> list[str]:
    """What the Guard names beside each card, and what nobody names."""
    lines, bluffs, named = [], [], set()
    for hand, plays in row.first_turn.items():
        total = sum(share for play, share in plays.items() if play < GUARD_NAMES)
        if hand[0] != 1 or total < TOLD:
            continue
        shares = {play + 2: plays[play] / total for play in plays if play < GUARD_NAMES}
        told = sorted((card for card in shares if shares[card] >= TOLD), key=lambda c: -shares[c])
        named |= set(told)
        lines.append(
            f"beside the {card_name(hand[1])} "
            + ", ".join(f"{card_name(card)} {shares[card]:.0%}" for card in told)
        )
        if shares.get(hand[1], 0) >= TOLD:
            bluffs.append(f"{card_name(hand[1])} {shares[hand[1]]:.0%}")
    left = unseen(DECK, read_face_up(row.face_up, DECK))
    never = [card_name(card) for card in CARDS[1:] if left[card - 1] and card not in named]
    words = [f"- **What the Guard names:** {'; '.join(lines)}."]
    if never:
        words[0] += f" Next to never named, though unseen: {listed(never)}."
    words.append(
        "- **The bluff.** The card that is kept beside the Guard is named on the first turn: "
        + (f"{', '.join(bluffs)} of the guesses beside it." if bluffs else "never.")
    )
    return words


# -- all sets, card by card ----------------------------------------------------------------


def by_card(play: Play) -> list[str]:
    spread = Spread(play)
    turns = f"{spread.whole['turns'].share:.2f}" + spread.between("turns", "{:.2f}".format)
    barons = _sum(spread.whole, "end baron won", "end baron lost")
    princes = _sum(spread.whole, "end prince", "end own prince")
    return [
        f"- **The Guard.** A guess is right in {spread['hit']}. The likeliest card is named in"
        f" {spread['names likeliest']}; always named, it would be right in {spread['likeliest']}.",
        f"- **The bluff.** {spread['bluff']} of the guesses name the card that is kept beside the"
        f" Guard; {spread['bluff hopeless']} of all guesses can't be right, because there is no"
        f" other such card. Beside the Princess she is named in {spread['bluff princess first']} on"
        f" the first turn, in {spread['bluff princess later']} later.",
        f"- **The Baron** wins against an unprotected player in {spread['baron wins']} and loses in"
        f" {spread['baron loses']}.",
        f"- **The Handmaid** is laid in {spread['handmaid']} of the cases where either card may"
        " be.",
        f"- **The Prince** is for oneself in {spread['own prince']} of the cases where he need not"
        f" be{_apart(play, 'own prince', PRINCESS, 1)}.",
        f"- **The King** is laid in {spread['king']} of the cases where either card may be.",
        f"- **The Countess** is laid in {spread['countess']} of the cases where she need not be.",
        f"- **The Princess.** Who is dealt her wins {spread['princess wins']}"
        f"{_apart(play, 'princess wins', PRINCE, 2)}. {spread['princess guard']} lose to a Guard"
        f" who names her, {spread['princess prince']} to a Prince.",
        f"- **A round** takes {turns} turns; {spread['turn 1']} are over with the first. A Guard"
        f" ends {spread['end guard']}, a Baron {barons}, a Prince {princes}; in"
        f" {spread['end compared']} hands are compared.",
        f"- **The lot** is drawn in {spread['mixed']} of all decisions (no play has 99 %), and in"
        f" {spread['mixed round']} of the rounds at least once. In {spread['forced']} just one play"
        " is worth a thought.",
    ]


def _sum(whole: Tallies, *names_: str) -> str:
    return percent(sum(whole[name].share for name in names_))


def _apart(play: Play, name: str, card: int, number: int) -> str:
    """The share where so many of a card lie face up, and where they do not."""
    there = [row for row in play.values() if read_face_up(row.face_up, DECK).count(card) == number]
    rest = [row for row in play.values() if row not in there]
    if not _met(there, name) or not _met(rest, name):
        return ""
    which = f"the {card_name(card)}" if number == 1 else f"both {card_name(card)}s"
    shares = (percent(together(rows)[name].share) for rows in (there, rest))
    return f"; {next(shares)} with {which} face up, {next(shares)} otherwise"


def _met(rows: Collection[SetPlay], name: str) -> bool:
    return together(rows)[name].of >= FEW
