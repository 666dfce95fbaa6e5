"""Love Letter in words and on the screen, as one seat may see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from kibitz.core.game import Play, View
from kibitz.games.love_letter.cards import (
    BARON,
    GUARD,
    HANDMAID,
    KING,
    NAMES,
    PRIEST,
    PRINCE,
    PRINCESS,
)

if TYPE_CHECKING:
    from kibitz.games.love_letter.game import LoveLetter

UNKNOWN = 15
WIDTH = 40
"""Letters of cards that a seat's line may have, whatever else is in it."""
COLOURS = ("", "white", "cyan", "green", "blue", "magenta", "yellow", "red", "bright_magenta")


def card(number: int) -> str:
    return NAMES[number].capitalize()


def who(seat: int, viewer: int | None) -> str:
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
    number, target, guess = play.code & 15, (play.code >> 4 & 15) - 1, play.code >> 8
    text = f"{_verb(me, viewer, 'play')} {card(number)}"
    if number == HANDMAID:
        text += f"; {_verb(me, viewer, 'are')} protected"
    elif number == PRINCESS:
        text += f"; {_verb(me, viewer, 'are')} out"
    elif target >= 0:
        himself = "yourself" if me == viewer else "himself"
        text += f" on {himself if target == me else who(target, viewer)}"
        if guess:
            text += f", naming {card(guess)}"
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
            return f"you see the {card(his)}"
        return f"he sees your {card(his)}" if viewer == target else "he sees the card"
    if number == BARON:
        if out:
            lower = own if out[0] == me else his
            return f"{_verb(out[0], viewer, 'are')} out with the {card(lower)}"
        both = f", both {card(own)}" if viewer in (me, target) else ""
        return f"equal cards{both}, nothing happens"
    if number == PRINCE:
        gone = f"{_verb(target, viewer, 'discard')} the {card(his)}"
        if out:
            return f"{gone} and {'are' if target == viewer else 'is'} out"
        source = "takes the card aside" if not y.aside and x.aside else "draws"
        if target == viewer:
            source = source.replace("takes", "take").replace("draws", "draw")
        new = f" the {card(int(y.hand[target]))}" if target == viewer else ""
        return f"{gone} and {source}{new}"
    if viewer == me:
        return f"you give the {card(own)} and get the {card(his)}"
    if viewer == target:
        return f"you give the {card(his)} and get the {card(own)}"
    return "they trade hands"


def describe(view: View[Any], play: Play) -> str:
    """A choice: `Guard on seat 2, naming Priest`."""
    number, target, guess = play.code & 15, (play.code >> 4 & 15) - 1, play.code >> 8
    text = _name(number)
    if target >= 0:
        text += f" on {'yourself' if target == view.seat else f'seat {target + 1}'}"
    if guess:
        text += f", naming {_name(guess)}"
    return text


def forms(plays: Sequence[Play]) -> list[str]:
    """How a play is typed: one with a guess, one that names a player, and one that does not."""
    guessing = [play for play in plays if play.code >> 8]
    naming = [play for play in plays if play.code >> 4 and not play.code >> 8]
    bare = [play for play in plays if not play.code >> 4]
    examples = []
    for kind in filter(None, (guessing, naming)):
        first, text = kind[0], str(kind[0])
        examples += [text, text.replace(">", " ").replace("=", " ")]
        targets = {play.code >> 4 & 15 for play in kind if play.code & 15 == first.code & 15}
        if len(targets) == 1:  # whom it names need not be typed
            examples.append(text.replace(f">{targets.pop()}", "").replace("=", " "))
    return examples + [str(play) for play in bare[:1]]


def held(state: Any, seat: int) -> str:
    """The cards in a hand, as far as the state shows them."""
    return ", ".join(card(number) for number in _hand(state[0], seat) if 0 < number < UNKNOWN)


def _hand(x: Any, seat: int) -> list[int]:
    return [int(x.hand[seat])] + ([int(x.drawn)] if seat == x.turn and not x.over else [])


def outcome(state: Any) -> str:
    x = state[0]
    winners = [str(seat + 1) for seat in range(int(x.players)) if x.won >> seat & 1]
    how = "the last one in" if bin(int(x.inside)).count("1") == 1 else "showdown"
    if not winners:
        return f"a tie, nobody scores ({how})"
    if len(winners) == 1:
        return f"seat {winners[0]} wins the round ({how})"
    return f"a tie, seats {' and '.join(winners)} share the round ({how})"


def draw(game: LoveLetter, view: View[Any]) -> str:
    """The table in a few lines of rich markup, within 80 columns."""
    x = view.state[0]
    lines = []
    head = f"[bold]Deck[/] {'▮' * int(x.left) or '–'} {int(x.left)}"
    if game.players == 2:
        head += f"   [bold]face up[/] {_row(int(x.face_up))}"
    lines.append(head)
    for i in range(1, game.players + 1):
        seat = (view.seat + i) % game.players
        lines.append(_seat_line(view, seat))
    return "\n".join(lines)


def _seat_line(view: View[Any], seat: int) -> str:
    x = view.state[0]
    mine = seat == view.seat
    label = f"seat {seat + 1}{' (you)' if mine else ''}"
    hand = _hand(x, seat)
    if not hand[0]:
        cards = "[dim]out[/]"
    else:
        cards = " ".join("[dim]▒▒▒[/]" if number == UNKNOWN else _card(number) for number in hand)
    shield = " [blue]protected[/]" if x.protected >> seat & 1 else ""
    arrow = "▸" if seat == x.turn and not x.over else " "
    spent = discards(view, seat)
    here = f"{arrow} {label:<13} {cards}{shield}   "
    # Long rows go below, where the cards of the hand begin.
    shown = sum(len(card(number)) + 2 for number in (*hand, *spent) if number != UNKNOWN)
    here += "\n" + " " * 16 if shown > WIDTH and spent else ""
    return f"{here}[dim]played:[/] {', '.join(map(_name, spent)) or '–'}"


def discards(view: View[Any], seat: int) -> list[int]:
    """A seat's discards in the order of play, as far as the view says what was before; what
    lay there already comes first. The state itself has only their numbers."""
    before = [state for state, _ in view.past]
    laid: list[int] = []
    counted = 0
    for i, state in enumerate([*before, view.state]):
        counts = int(state[0].spent[seat])
        fresh = _cards(counts - counted)
        mine = i > 0 and before[i - 1][0].turn == seat and view.past[i - 1][1] is not None
        if mine and len(fresh) > 1:
            # Who goes out by his own play lays his other card on top of it.
            played = view.past[i - 1][1].code & 15
            fresh.remove(played)
            fresh.insert(0, played)
        laid += fresh
        counted = counts
    return laid


def _card(number: int) -> str:
    return f"[{COLOURS[number]}]{card(number)} {number}[/]"


def _name(number: int) -> str:
    return f"[{COLOURS[number]}]{card(number)}[/]"


def _row(counts: int) -> str:
    return ", ".join(_name(number) for number in _cards(counts))


def _cards(counts: int) -> list[int]:
    """Cards that are given by how many there are of each."""
    return [number for number in range(1, 9) for _ in range(counts >> (4 * (number - 1)) & 15)]
