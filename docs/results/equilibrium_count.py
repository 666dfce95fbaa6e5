"""What is counted of the rounds that a solution of Love Letter plays against itself."""

from __future__ import annotations

from typing import Any

import numpy as np
from equilibrium_rows import FirstTurn, Tallies, Tally

from kibitz.games.love_letter.cards import COUNTESS, HANDMAID, KING, PRINCE, PRINCESS
from kibitz.solvers.love_letter.public_line import PublicLine
from kibitz.solvers.love_letter.public_states import (
    CARDS,
    GUARD_NAMES,
    LAID,
    PLAY_BARON,
    PRINCE_ON_OTHER,
    PRINCE_ON_SELF,
)
from kibitz.solvers.love_letter.self_play import COMPARED, LOSES, WINS

SURE = 0.99
"""A decision is mixed if no play has this share."""
OPEN = 0.9
EQUAL = 1e-5
LAID_BY = np.array(LAID)
FIGURES: dict[str, str] = {
    "first wins": "the first player wins the round",
    "turn 1": "the round is over with the first turn",
    "end guard": "it ends by a Guard who names the right card",
    "end baron won": "it ends by a Baron, who wins",
    "end baron lost": "it ends by a Baron, who loses",
    "end prince": "it ends by a Prince who meets the Princess",
    "end own prince": "it ends by a Prince on oneself with the Princess, for want of another play",
    "end compared": "it ends with the last card: hands are compared",
    "forced": "decisions with one play that is worth a thought",
    "pure": "decisions with several, one of which has 99 % or more",
    "mixed": "decisions that are left to the lot: no play has 99 %",
    "open": "decisions where no play has 90 %",
    "mixed round": "rounds with a decision that is left to the lot",
    "hit": "a Guard's guess is right",
    "aimed": "a Guard's guess is right, as its player expects",
    "likeliest": "it would be right, if the likeliest card were named",
    "names likeliest": "the likeliest card is named",
    "bluff": "bluffs: a Guard names the card that is kept beside it",
    "bluff possible": "bluffs where the other may hold that card for all that is seen",
    "bluff hopeless": "bluffs that can't be right: there is no other such card",
    "bluff princess first": "a Guard beside the Princess names her, on the first turn",
    "bluff princess later": "a Guard beside the Princess names her, later",
    "princess wins": "dealt the Princess: the round is won",
    "princess kept": "dealt the Princess: still held when the round ends",
    "princess guard": "dealt the Princess: lost to a Guard",
    "princess prince": "dealt the Princess: lost to a Prince",
    "baron wins": "a Baron against an unprotected player wins",
    "baron loses": "a Baron against an unprotected player loses",
    "handmaid": "the Handmaid is laid where she may be",
    "own prince": "a Prince is for oneself where he need not be",
    "king": "the King is laid where the other card may be",
    "countess": "the Countess is laid where the other card may be",
}
"""Shares, and what they are called."""
ENDS = [name for name in FIGURES if name.startswith("end ")]
FATES = ("wins", "kept", "guard", "prince")


def tally(which: Any, among: Any) -> Tally:
    return Tally(float(np.count_nonzero(which & among)), float(np.count_nonzero(among)))


def count(turns: Any) -> Tallies:
    """All figures of the rounds that were played, by name."""
    tallies = Tallies()
    last = turns[turns["end"] > 0]
    result = last["result"] * np.where(last["turn"] % 2, -1, 1)
    every = np.ones(len(last), bool)
    tallies["turns"] = Tally(len(turns), len(last))
    tallies["first wins"] = tally(result > 0, every)
    for name, which in ends(last).items():
        tallies[name] = tally(which, every)
        for turn in range(int(last["turn"].max()) + 1):
            tallies[name, turn] = tally(which & (last["turn"] == turn), every)
    tallies["turn 1"] = tally(last["turn"] == 0, every)
    tallies |= decisions(turns) | guards(turns) | pairs(turns) | deals(turns, last, result)
    return tallies


def ends(last: Any) -> dict[str, Any]:
    """How rounds end, by their last turns."""
    play, end = last["play"], last["end"]
    return {
        "end guard": (play < GUARD_NAMES) & (end == WINS),
        "end baron won": (play == PLAY_BARON) & (end == WINS),
        "end baron lost": (play == PLAY_BARON) & (end == LOSES),
        "end prince": (play == PRINCE_ON_OTHER) & (end == WINS),
        "end own prince": (play == PRINCE_ON_SELF) & (end == LOSES),
        "end compared": end == COMPARED,
    }


def decisions(turns: Any) -> Tallies:
    every = np.ones(len(turns), bool)
    forced, mixed = turns["options"] == 1, turns["top"] < SURE
    rounds = np.zeros(int(turns["round"].max()) + 1, bool)
    rounds[turns["round"][mixed]] = True
    tallies = Tallies(
        {
            "forced": tally(forced, every),
            "pure": tally(~forced & ~mixed, every),
            "mixed": tally(mixed, every),
            "open": tally(turns["top"] < OPEN, every),
            "mixed round": tally(rounds, np.ones(len(rounds), bool)),
        }
    )
    for turn in range(int(turns["turn"].max()) + 1):
        now = turns["turn"] == turn
        tallies["forced", turn], tallies["mixed", turn] = tally(forced, now), tally(mixed, now)
    return tallies


def guards(turns: Any) -> Tallies:
    """What is named."""
    named = turns["play"] < GUARD_NAMES
    told, kept = turns["play"] + 2, turns["retained"]
    bluff, possible = named & (told == kept), named & (turns["can_bluff"] == 1)
    first, n = turns["turn"] == 0, float(named.sum())
    princess = possible & (kept == PRINCESS)
    likeliest = turns["aimed"] >= turns["likeliest"] - EQUAL
    tallies = Tallies(
        {
            "hit": tally(turns["end"] == WINS, named),
            "aimed": Tally(float(turns["aimed"][named].sum(dtype=float)), n),
            "likeliest": Tally(float(turns["likeliest"][named].sum(dtype=float)), n),
            "names likeliest": tally(likeliest, named),
            "bluff": tally(bluff, named),
            "bluff possible": tally(bluff, possible),
            "bluff hopeless": tally(bluff & (turns["aimed"] == 0), named),
            "bluff princess first": tally(bluff, princess & first),
            "bluff princess later": tally(bluff, princess & ~first),
        }
    )
    for card in CARDS:
        beside = possible & (kept == card)
        tallies["bluff first", card] = tally(bluff, beside & first)
        tallies["bluff later", card] = tally(bluff, beside & ~first)
        tallies["named first", card] = tally(told == card, named & first)
        tallies["named later", card] = tally(told == card, named & ~first)
    return tallies


def pairs(turns: Any) -> Tallies:
    """Which card is laid, of two."""
    low, high = np.minimum(turns["held"], turns["drawn"]), np.maximum(turns["held"], turns["drawn"])
    laid = LAID_BY[turns["play"]]
    tallies = Tallies()
    for one in CARDS:
        for other in range(one + 1, PRINCESS + 1):
            both = (low == one) & (high == other)
            for name, when in (("laid", both), ("laid first", both & (turns["turn"] == 0))):
                tallies[name, one, other] = tally(laid == one, when)
                tallies[name, other, one] = tally(laid == other, when)
    bound = (high == PRINCESS) | ((high == COUNTESS) & ((low == PRINCE) | (low == KING)))
    free = (low != high) & ~bound
    for name, card in (("handmaid", HANDMAID), ("king", KING), ("countess", COUNTESS)):
        tallies[name] = tally(laid == card, free & ((low == card) | (high == card)))
    unprotected = turns["protected"] == 0
    duel, prince = unprotected & (turns["play"] == PLAY_BARON), unprotected & (laid == PRINCE)
    tallies["own prince"] = tally(turns["play"] == PRINCE_ON_SELF, prince)
    tallies["baron wins"] = tally(turns["end"] == WINS, duel)
    tallies["baron loses"] = tally(turns["end"] == LOSES, duel)
    return tallies


def deals(turns: Any, last: Any, result: Any) -> Tallies:
    """By the first card of each player. A drawn round is half won."""
    first = turns[turns["turn"] == 0]
    tallies = Tallies()
    fates: dict[str, list[Any]] = {f"princess {fate}": [] for fate in FATES}
    dealt = []
    for seat, (cards, won) in enumerate(((first["held"], result), (first["other"], -result))):
        for card in CARDS:
            mine = cards == card
            tallies["dealt", seat, card] = Tally(((won[mine] + 1) / 2).sum(), float(mine.sum()))
        own = last["turn"] % 2 == seat
        lost = (won < 0) & ~own & (last["end"] == WINS) & (last["other_after"] == PRINCESS)
        dealt.append(cards == PRINCESS)
        fates["princess wins"].append(won > 0)
        fates["princess kept"].append(
            np.where(own, last["mine_after"], last["other_after"]) == PRINCESS
        )
        fates["princess guard"].append(lost & (last["play"] < GUARD_NAMES))
        fates["princess prince"].append(lost & (last["play"] == PRINCE_ON_OTHER))
    for name, which in fates.items():
        tallies[name] = tally(np.concatenate(which), np.concatenate(dealt))
    return tallies


def first_turn(line: PublicLine) -> FirstTurn:
    mixes = {}
    for low in CARDS:
        for high in range(low, PRINCESS + 1):
            if options := line.options(low, high):
                mixes[low, high] = {option.play: option.probability for option in options}
    return mixes
