"""Love Letter in words, as one seat may see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kibitz.core.game import Play
from kibitz.games.love_letter.cards import (
    BARON,
    GUARD,
    HANDMAID,
    KING,
    PRIEST,
    PRINCE,
    PRINCESS,
)
from kibitz.games.love_letter.known_hands import card_name
from kibitz.games.love_letter.plays import parts_of


def who(seat: int, viewer: int | None) -> str:
    """How a seat is called in a sentence for another, or for everybody."""
    return "you" if seat == viewer else f"seat {seat + 1}"


def _verb(seat: int, viewer: int | None, verb: str) -> str:
    """`you play`, `seat 2 plays`."""
    if seat == viewer:
        return f"you {verb}"
    return f"seat {seat + 1} {'is' if verb == 'are' else verb + 's'}"


def narrate(before: Any, play: Play, after: Any, viewer: int | None) -> str:
    """What a play did, with hidden cards only for those who saw them."""
    x, y = before[0], after[0]
    me = int(x.turn)
    number, target, guess = parts_of(play.code)
    text = f"{_verb(me, viewer, 'play')} {card_name(number)}"
    if number == HANDMAID:
        text += f"; {_verb(me, viewer, 'are')} protected"
    elif number == PRINCESS:
        text += f"; {_verb(me, viewer, 'are')} out"
    elif target >= 0:
        himself = "yourself" if me == viewer else "himself"
        text += f" on {himself if target == me else who(target, viewer)}"
        if guess:
            text += f", naming {card_name(guess)}"
        text += ": " + _effect(x, y, number, me, target, viewer)
    elif number in (GUARD, PRIEST, BARON, KING):
        text += ", without effect: nobody can be named"
    if y.over:
        text += f". {outcome(after).capitalize()}"
    return text


def _effect(x: Any, y: Any, number: int, me: int, target: int, viewer: int | None) -> str:
    own = int(x.drawn) if number == x.hand[me] else int(x.hand[me])
    his = int(x.hand[target]) if target != me else own
    out = [seat for seat in (me, target) if not y.hand[seat]]
    if number == GUARD:
        return f"right, {_verb(target, viewer, 'are')} out" if out else "wrong"
    if number == PRIEST:
        if viewer == me:
            return f"you see the {card_name(his)}"
        return f"he sees your {card_name(his)}" if viewer == target else "he sees the card"
    if number == BARON:
        if out:
            lower = own if out[0] == me else his
            return f"{_verb(out[0], viewer, 'are')} out with the {card_name(lower)}"
        both = f", both {card_name(own)}" if viewer in (me, target) else ""
        return f"equal cards{both}, nothing happens"
    if number == PRINCE:
        gone = f"{_verb(target, viewer, 'discard')} the {card_name(his)}"
        if out:
            return f"{gone} and {'are' if target == viewer else 'is'} out"
        source = "takes the card aside" if not y.aside and x.aside else "draws"
        if target == viewer:
            source = source.replace("takes", "take").replace("draws", "draw")
        new = f" the {card_name(int(y.hand[target]))}" if target == viewer else ""
        return f"{gone} and {source}{new}"
    if viewer == me:
        return f"you give the {card_name(own)} and get the {card_name(his)}"
    if viewer == target:
        return f"you give the {card_name(his)} and get the {card_name(own)}"
    return "they trade hands"


def forms(plays: Sequence[Play]) -> list[str]:
    """How a play is typed: one with a guess, one that names a player, and one that does not."""
    parts = {play: parts_of(play.code) for play in plays}
    guessing = [play for play in plays if parts[play].guess]
    naming = [play for play in plays if parts[play].target >= 0 and not parts[play].guess]
    bare = [play for play in plays if parts[play].target < 0]
    examples = []
    for kind in filter(None, (guessing, naming)):
        first, text = kind[0], str(kind[0])
        examples += [text, text.replace(">", " ").replace("=", " ")]
        targets = {parts[play].target for play in kind if parts[play].card == parts[first].card}
        if len(targets) == 1:  # whom it names need not be typed
            examples.append(text.replace(f">{targets.pop() + 1}", "").replace("=", " "))
    return examples + [str(play) for play in bare[:1]]


def outcome(state: Any) -> str:
    """How a round ended."""
    x = state[0]
    winners = [str(seat + 1) for seat in range(int(x.players)) if x.won >> seat & 1]
    how = "the last one in" if bin(int(x.inside)).count("1") == 1 else "showdown"
    if not winners:
        return f"a tie, nobody scores ({how})"
    if len(winners) == 1:
        return f"seat {winners[0]} wins the round ({how})"
    return f"a tie, seats {' and '.join(winners)} share the round ({how})"
