"""Two games that are alike but for hidden cards send the same bytes until something is shown.

`python -m tests.web.test_leaks 100` looks at a hundred games of each.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from kibitz.core.registry import make_game, make_strategy
from kibitz.jit.rng import below, stream
from kibitz.table.session import Session
from kibitz.web.keys import WATCH
from kibitz.web.sight import Sight
from kibitz.web.streams import as_event

GAMES = [
    "love-letter", "love-letter:players=3", "tablic", "tablic:players=4", "kuhn-poker",
    "leduc-poker",
]  # fmt: skip
ME = 0


def sent(session: Session, viewer: str) -> bytes:
    """What the wire carries."""
    return as_event("state", Sight(session).document(viewer), 1)


def shown(session: Session) -> tuple[Any, ...]:
    """All that has been shown to the person."""
    view = session.view(ME)
    return session.game.position(view.state), view.log, session.table.is_over


def twins(spec: str, seed: int) -> tuple[Session, Session] | None:
    """A game in mid-course, and another whose hidden cards are dealt anew: neither the person
    nor anybody else has seen a difference. None if it ended, or nothing is hidden."""
    game, rng = make_game(spec), stream(seed)
    players = [None, *[make_strategy("random")] * (game.players - 1)]
    one, other = Session(game, players, seed), Session(game, players, seed)
    for _ in range(below(rng, 2 * game.players + 2)):
        if one.table.is_over:
            return None
        plays = game.plays(one.table.state)
        play = str(plays[below(rng, len(plays))])
        one.table.play(play)
        other.table.play(play)
    if one.table.is_over:
        return None
    other.table.state = game.redeal(other.view(ME), rng)
    for nth, (_, seen) in enumerate(one.table.pasts[ME]):
        assert seen == other.table.pasts[ME][nth][1]
    return one, other


def compare(spec: str, seed: int) -> tuple[int, int]:
    """How many states were compared, and of these how many with other cards."""
    pair = twins(spec, seed)
    if pair is None:
        return 0, 0
    one, other = pair
    compared = differing = 0
    while shown(one) == shown(other):
        assert sent(one, "1") == sent(other, "1"), (spec, seed)
        compared += 1
        differing += one.game.position(one.table.state) != one.game.position(other.table.state)
        if one.table.is_over or one.table.mover != other.table.mover:
            break
        if one.is_persons_turn:
            play = str(one.view(ME).plays()[-1])
            one.play(play)
            other.play(play)
        else:
            for each in pair:
                each.step()
    return compared, differing


def look_at(games: int, say: Callable[[str], None]) -> None:
    """So many games of each kind in which something else is hidden."""
    for spec in GAMES:
        compared = differing = found = seed = 0
        while found < games and seed < 20 * games:
            states, other = compare(spec, seed)
            compared, differing, seed = compared + states, differing + other, seed + 1
            found += other > 0
        assert found > games // 2, f"{spec}: too few games with something hidden"
        say(f"{spec}: {found} games, {compared} states, {differing} of them with other cards")


def test_no_byte_tells_of_hidden_cards() -> None:
    look_at(12, lambda line: None)


def public(session: Session) -> tuple[Any, ...]:
    """What everybody at the table has seen, by every seat's own account."""
    game, table = session.game, session.table
    lines = Sight(session).turns(WATCH)
    sizes = [
        [(z.name, z.seat, len(z.cards) + z.hidden) for z in game.presenter.zones(table.view(s))]
        for s in range(game.players)
    ]
    return [one["words"] for one in lines], sizes, table.is_over


@pytest.mark.parametrize("spec", GAMES)
def test_who_looks_on_sees_no_hand(spec: str) -> None:
    """The twins differ in what the person does not see. Who looks on does not see it either."""
    compared = 0
    for seed in range(40):
        pair = twins(spec, seed)
        if pair is None:
            continue
        one, other = pair
        if one.game.position(one.table.state) == one.game.position(other.table.state):
            continue
        for scene in (Sight(each).scene(WATCH) for each in pair):
            assert not scene.plays and not any(seat.you for seat in scene.seats)
        if public(one) == public(other):
            compared += 1
            assert sent(one, WATCH) == sent(other, WATCH), (spec, seed)
    assert compared > 3


def test_the_persons_own_cards_are_not_public() -> None:
    """Two games that differ in the person's hand alone look alike to who looks on."""
    for spec in ("love-letter", "tablic", "kuhn-poker", "leduc-poker"):
        game = make_game(spec)
        players = [None, make_strategy("random")]
        seen = set()
        for seed in range(30):
            session = Session(game, players, seed)
            hands = [z for z in Sight(session).scene(WATCH).zones if z.name == "hand"]
            assert all(not zone.cards for zone in hands)
            rest = [z for z in Sight(session).scene(WATCH).zones if z.name != "hand"]
            seen.add((str(rest) if spec in ("love-letter", "tablic") else "",
                      str(Sight(session).scene(WATCH).notes)))  # fmt: skip
        assert len(seen) == 1 or spec in ("love-letter", "tablic")


if __name__ == "__main__":
    look_at(int(sys.argv[1]), print)
