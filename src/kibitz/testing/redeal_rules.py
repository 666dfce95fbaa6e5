"""What redeal must do: whole worlds, more than one, and as often as they are dealt.

How often is tested at the first decision of small games, where the same view comes up many times:
there the real deals and the worlds of redeal must not differ by more than chance lets them. Of a
large game only the rest is tested.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from typing import Any

from kibitz.core.errors import describe_error
from kibitz.core.game import CHANCE, Game, View
from kibitz.jit.rng import below, stream
from kibitz.testing.broken_rule import BrokenRule, require
from kibitz.testing.walks import LONGEST, key_of, same, shown, walk

REDEALS = 11
"""The key of the stream by which worlds are dealt here."""
AGAIN = 8
"""Worlds that are dealt of one view to see whether they differ."""
TRIED, DEALS = 150, 1200
"""Deals that show whether a game is small, and deals that are counted then."""
SMALL = 5
"""Times that some view must come up in so few deals: else the game is large."""
LIKELY = 8
"""Times that a world must come up, in deals and redeals, to be counted by itself."""
UNLIKELY = 1e-8
"""What no honest redeal meets with: the probability of so large a difference."""


def redeal_is_written(game: Game[Any, Any], games: int) -> None:
    """A game with hidden cards can deal them anew."""
    if game.traits.hidden:
        rule = "a game that hides cards must write redeal"
        require(type(game).redeal is not Game.redeal, game, rule, "it has none of its own")


def worlds_are_whole_states(game: Game[Any, Any], games: int) -> None:
    """They leave no blank, can be played to the end, and differ from one another."""
    if not game.traits.hidden:
        return
    blank = filled = ""
    varied = False
    for seed in range(games):
        rng = stream(seed, REDEALS)
        for number, (state, _, _) in enumerate(walk(game, seed, seed % game.players)):
            seat = game.mover(state)
            if seat == CHANCE:
                continue
            view = game.view(state, seat)
            world = game.redeal(view, rng)
            if not same(game, view.state, state):
                where = f"{game.position(world)} {shown(game, state)}"
                blank, filled = (where, filled) if same(game, world, view.state) else (blank, where)
            if number == seed % 4:
                _play_on(game, world, rng, shown(game, state))
            if not varied:
                others = (game.redeal(view, rng) for _ in range(AGAIN))
                varied = any(not same(game, world, other) for other in others)
    rule = "redeal must fill in what the view leaves blank"
    require(filled or not blank, game, rule, f"it gives {blank}")
    rule = "redeal must give different worlds for the same view"
    require(varied, game, rule, f"in {games} games every view had one")


def _play_on(game: Game[Any, Any], world: Any, rng: Any, where: str) -> None:
    """To the end, by lot; whatever it raises is for want of a whole state."""
    rule = "a world that redeal gives must be a whole state, which can be played to its end"
    text = game.position(world)
    try:
        for _ in range(LONGEST):
            if game.is_over(world):
                game.returns(world)
                return
            if game.mover(world) == CHANCE:
                world = game.after(world, game.draw_chance(world, rng))
            else:
                plays = game.plays(world)
                world = game.after(world, plays[below(rng, len(plays))])
    except Exception as error:
        raise BrokenRule(game, rule, f"{describe_error(error)} in {text}, dealt {where}") from error
    raise BrokenRule(game, rule, f"{text} does not end")


# -- how often ------------------------------------------------------------------------------------


def worlds_come_as_often_as_they_are_dealt(game: Game[Any, Any], games: int) -> None:
    """In small games: the same views at the first decision, dealt and redealt."""
    if not game.traits.hidden:
        return
    met: dict[Hashable, list[Any]] = defaultdict(list)
    for number, (state, seat) in enumerate(_first_decisions(game)):
        met[seat, key_of(game.view(state, seat).state)].append(state)
        if number == TRIED and max(map(len, met.values())) < SMALL:
            return
    rng = stream(DEALS, REDEALS)
    differ, free, worst = 0.0, 0, (0.0, "")
    for states in met.values():
        seat = game.mover(states[0])
        view = game.view(states[0], seat)
        worlds = [game.redeal(view, rng) for _ in states]
        one, other = (Counter(key_of(state) for state in group) for group in (states, worlds))
        differs, more, case = _compared(one, other)
        differ, free = differ + differs, free + more
        named = f"what {game.position(view.state)} hides was {case} of {len(states)} times"
        worst = max(worst, (differs, named))
    if free:
        from scipy.stats import chi2

        rule = "redeal must deal each world as often as it comes up in deals that look the same"
        require(chi2.sf(differ, free) > UNLIKELY, game, rule, worst[1])


def _first_decisions(game: Game[Any, Any]) -> Iterator[tuple[Any, int]]:
    """Deals, up to where somebody decides. A hidden lot that is not a fair one is not redealt as
    it falls: then there are none."""
    for seed in range(DEALS):
        state, rng = game.deal(seed), stream(seed, REDEALS)
        while not game.is_over(state) and game.mover(state) == CHANCE:
            chances = [chance for _, chance in game.chances(state)]
            if max(chances) - min(chances) > 1e-9:
                return
            state = game.after(state, game.draw_chance(state, rng))
        if not game.is_over(state):
            yield state, game.mover(state)


def _compared(one: Counter[Any], other: Counter[Any]) -> tuple[float, int, str]:
    """The chi-squared statistic of two samples of one size, its degrees of freedom, and the world
    that differs most. Rare worlds are counted together."""
    pairs: dict[Any, tuple[int, int]] = {}
    rare = (0, 0)
    for world in one.keys() | other.keys():
        pair = one[world], other[world]
        if sum(pair) >= LIKELY:
            pairs[world] = pair
        else:
            rare = rare[0] + pair[0], rare[1] + pair[1]
    if sum(rare) >= LIKELY:
        pairs["other cards"] = rare
    if not pairs:
        return 0.0, 0, ""
    terms = {world: (a - b) ** 2 / (a + b) for world, (a, b) in pairs.items()}
    most = max(terms, key=lambda world: terms[world])
    dealt, redealt = pairs[most]
    named = "one world" if isinstance(most, bytes) else str(most)
    case = f"{named} in {dealt} deals and in {redealt} redeals"
    return sum(terms.values()), max(len(pairs) - 1, 1), case


def chance_tells_no_more_than_views(game: Game[Any, Any], games: int) -> None:
    """Outcomes of chance that look alike to a seat are observed and told alike."""
    if not game.traits.hidden:
        return
    for seed in range(games):
        for state, _, _ in walk(game, seed, seed % game.players):
            if game.mover(state) == CHANCE:
                for seat in range(game.players):
                    _check_told(game, state, seat)


def _check_told(game: Game[Any, Any], state: Any, seat: int) -> None:
    told: list[tuple[View[Any], Any, str]] = []
    for outcome in list(game.plays(state))[:AGAIN]:
        after = game.after(state, outcome)
        view = game.view(after, seat)
        observed = game.observed_play(state, seat, outcome)
        narrated = game.presenter.narrate(state, outcome, after, seat)
        for other, was_observed, was_narrated in told:
            if not same(game, view.state, other.state):
                continue
            rule = "outcomes of chance that look alike to a seat must be observed alike"
            case = f"observed_play tells seat {seat + 1} {was_observed} and {observed}"
            require(observed == was_observed, game, rule, f"{case} {shown(game, state)}")
            rule = "outcomes of chance that look alike to a seat must be told alike"
            case = f"seat {seat + 1} hears {was_narrated!r} and {narrated!r}"
            require(narrated == was_narrated, game, rule, f"{case} {shown(game, state)}")
        told.append((view, observed, narrated))


def open_games_hide_nothing(game: Game[Any, Any], games: int) -> None:
    """Who says that nothing is hidden shows whole states."""
    if game.traits.hidden:
        return
    for seed in range(min(games, 3)):
        for state, _, _ in walk(game, seed, seed % game.players):
            for seat in range(game.players):
                seen = game.view(state, seat).state
                rule = "a game whose views hide something must say so: Traits(hidden=True)"
                case = f"seat {seat + 1} sees {game.position(seen)} {shown(game, state)}"
                require(same(game, seen, state), game, rule, case)
