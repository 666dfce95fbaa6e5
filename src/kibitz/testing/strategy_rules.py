"""What every strategy must do, rule by rule.

Each rule is a function of a strategy, a game, and a number of decisions to try it on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from numbers import Real
from typing import Any

from kibitz.core import checks
from kibitz.core.errors import KibitzError
from kibitz.core.explanation import Explanation
from kibitz.core.function_strategy import FunctionStrategy
from kibitz.core.game import Game
from kibitz.core.registry import make_game, make_strategy, split_spec, strategy_of
from kibitz.core.strategy import Knows, Player, Strategy
from kibitz.games.compiled_game import CompiledGame
from kibitz.jit.rng import stream
from kibitz.table.seeds import GameSeeds
from kibitz.table.table import Forfeit, Table
from kibitz.testing.broken_rule import BrokenRule, must_not_raise, require
from kibitz.testing.fairness import (
    IDLE,
    decide,
    find_leaks,
    find_leaks_in_deals,
    find_leaks_in_games,
)
from kibitz.testing.walks import shown, tables

StrategyRule = Callable[[Strategy, Game[Any, Any], int], None]
PAIRS = 2
"""Shuffles that are played compiled and through views."""
PATIENCE = 60.0
"""Seconds that a decision may take, if it is not one of ours."""
ROUNDING = 1e-9
"""By how much a probability may miss 0 or 1."""
UNFAIR = {
    "play": "a fair strategy must decide alike whatever cards are hidden from it",
    "reasons": "a fair strategy must explain alike whatever cards are hidden from it",
    "numbers": "a fair strategy must draw as many random numbers whatever cards are hidden from it",
}


def check_strategy(strategy: Any, game: Game[Any, Any] | str, *, decisions: int = 50) -> None:
    """Raise BrokenRule, with the rule and the case, if a strategy does not do what every one must.

    A strategy is given as an object, by its text, such as `my_bot.py`, or as a function of a view;
    a game as an object or by its text. It is asked for about so many decisions. A game that the
    strategy does not play is refused with UnsuitableGame. Of a strategy that says
    `reproducible = False` only plays and explanations are checked: whether it is fair is not
    tested, for it need not decide alike twice.
    """
    made = strategy_of(strategy)
    played = make_game(game) if isinstance(game, str) else checks.one_of(game, Game, "a game")
    checks.count(decisions, "decisions", 1)
    made.check_game(played)
    for rule in STRATEGY_RULES:
        with must_not_raise(made, "a strategy"):
            rule(made, played, decisions)


def name_and_options_read_back(strategy: Strategy, game: Game[Any, Any], decisions: int) -> None:
    """The text of a strategy makes the same strategy."""
    for option in strategy.options:
        rule = "every option must say what it is for"
        require(option.help, strategy, rule, f"{option.name} has none")
    rule = "knows must be one of Knows, such as Knows.FAIR"
    require(isinstance(strategy.knows, Knows), strategy, rule, checks.brief(strategy.knows))
    if isinstance(strategy, FunctionStrategy):
        return
    again = type(strategy)(**split_spec(strategy.spec)[1])
    rule = "the options in a strategy's text must read back"
    case = f"{strategy.spec} gives {again.settings}, not {strategy.settings}"
    require(again == strategy, strategy, rule, case)


def plays_are_legal(strategy: Strategy, game: Game[Any, Any], decisions: int) -> None:
    """In whole games against random players, through the table: it may remember."""
    for _ in _games(strategy, game, decisions):
        pass


def _games(strategy: Strategy, game: Game[Any, Any], decisions: int) -> Iterator[Table]:
    """Whole games of a strategy against random players, until it has made so many decisions. It
    need not come to its turn in every game."""
    made = 0
    for seed in range(decisions * IDLE):
        if made >= decisions:
            return
        table = Table(game, GameSeeds(0, seed, shuffle=seed), seed % game.players)
        require(not table.is_over, game, "somebody must decide something", f"seed {seed} is over")
        seat = seed // game.players % game.players
        others = [make_strategy("random")] * game.players
        try:
            table.play_out([*others[:seat], strategy, *others[seat + 1 :]], patience=PATIENCE)
        except Forfeit as error:
            rule = "a strategy must give one of the legal plays, or its text, and not fail"
            case = f"{error} {shown(game, table.state)}"
            raise BrokenRule(strategy, rule, case) from error
        made += table.decisions[seat]
        yield table


def games_follow_from_seeds(strategy: Strategy, game: Game[Any, Any], decisions: int) -> None:
    """Nothing is left over from one game for the next, and lots are drawn by the given stream."""
    if not strategy.reproducible:
        return
    once = [table.plays for table in _games(strategy, game, decisions)]
    again = [table.plays for table in _games(strategy, game, decisions)]
    rule = "the same seed must give the same game: draw lots by the stream that sit is given"
    for seed, (plays, others) in enumerate(zip(once, again, strict=False)):
        require(plays == others, strategy, rule, f"seed {seed}: {plays} and {others}")


def decisions_follow_from_view_and_stream(
    strategy: Strategy, game: Game[Any, Any], decisions: int
) -> None:
    """The same view and the same stream give the same decision."""
    if not strategy.reproducible:
        return
    rule = "the same view and the same random stream must give the same decision"
    for table in tables(game, decisions):
        once, again = decide(table, strategy), decide(table, strategy)
        for what in ("play", "numbers"):
            case = f"{what}: {once[what]} and {again[what]} {shown(game, table.state)}"
            require(once[what] == again[what], strategy, rule, case)


def hidden_cards_do_not_matter(strategy: Strategy, game: Game[Any, Any], decisions: int) -> None:
    """Through the table, as in every game, with other cards where the strategy sees none."""
    fair = strategy.knows is Knows.FAIR and strategy.reproducible
    if not game.traits.hidden or not fair:
        return
    for leaks in (
        find_leaks(tables(game, decisions), strategy),
        find_leaks_in_games(game, strategy, decisions),
        find_leaks_in_deals(game, strategy, max(decisions // 5, 1)),
    ):
        for what, case in leaks.changed.items():
            raise BrokenRule(strategy, UNFAIR[what], f"{what}: {case}")


def explanations_hold(strategy: Strategy, game: Game[Any, Any], decisions: int) -> None:
    """An explanation is of plays that may be made, and of the one that is made. Who goes by a
    sample may look into a larger one to explain: it must explain what it plays at least once."""
    differ, agree, by_lot = "", 0, False
    for table in tables(game, max(decisions // 10, 1)):
        seat, key = table.mover, (table.seed, len(table.plays))
        choosing, untouched = stream(*key), stream(*key)
        player = strategy.sit(table.game.for_player(), seat, stream(*key))
        if type(player).explain is Player.explain:
            return
        explanation = player.explain(table.view(seat, strategy.knows))
        _check_explanation(strategy, game, table, explanation)
        chooser = strategy.sit(table.game.for_player(), seat, choosing)
        chosen = chooser.choose(table.view(seat, strategy.knows))
        explained = (explanation.best, *explanation.equal)
        meant = [table.game.match_play(table.state, play) for play in (chosen, *explained)]
        if meant[0] in meant[1:]:
            agree += len(game.plays(table.state)) > 1
            continue
        by_lot = by_lot or bool((choosing != untouched).any())
        case = f"explained: {explanation.best}, played: {chosen} {shown(game, table.state)}"
        differ = differ or case
        rule = "an explanation must be of the play that is made"
        require(by_lot or not strategy.reproducible, strategy, rule, case)
    rule = "an explanation must be of the play that is made, now and then at least"
    require(agree or not differ, strategy, rule, differ)


def _check_explanation(
    strategy: Strategy, game: Game[Any, Any], table: Table, explanation: Any
) -> None:
    where = shown(game, table.state)
    rule = "explain must give an Explanation"
    case = f"it gives {checks.brief(explanation)} {where}"
    require(isinstance(explanation, Explanation), strategy, rule, case)
    plays = [reason.play for reason in explanation.reasons]
    rule = "an explanation must name its best play first"
    case = f"best is {explanation.best}, reasons: {', '.join(map(str, plays[:3]))} {where}"
    require(plays and plays[0] == explanation.best, strategy, rule, case)
    for play in (*plays, *explanation.equal):
        try:
            game.check(table.state, play)
        except KibitzError as error:
            rule = "an explanation must be of legal plays"
            require(False, strategy, rule, f"{checks.brief(play)}: {error} {where}")
    for reason in explanation.reasons:
        number = isinstance(reason.score, Real) and not math.isnan(reason.score)
        case = f"{reason.play} has {checks.brief(reason.score)} {where}"
        require(number, strategy, "the score of a play must be a number", case)
    for belief in explanation.beliefs:
        for card, chance in belief.cards.items():
            rule = "a belief must be a probability"
            case = f"{belief.place}: {card} has {checks.brief(chance)} {where}"
            probable = isinstance(chance, Real) and -ROUNDING <= float(chance) <= 1 + ROUNDING
            require(probable, strategy, rule, case)


def policy_decides_like_its_player(
    strategy: Strategy, game: Game[Any, Any], decisions: int
) -> None:
    """Where its decisions are compiled code too: the same shuffles played by both."""
    if not isinstance(game, CompiledGame) or strategy.policy(game) is None:
        return
    import numpy as np

    from kibitz.arena.pairs import CompiledPairs
    from kibitz.arena.python_pairs import PythonPairs

    players = [strategy] * game.players
    fast, _ = CompiledPairs(game, players, 5, 0).play(0, PAIRS)
    slow, _ = PythonPairs(game, players, 5, game.traits.unit).play(0, PAIRS)
    rule = "a compiled policy must decide like its player"
    require(np.array_equal(fast, slow), strategy, rule, f"results {fast} and {slow}")


STRATEGY_RULES: tuple[StrategyRule, ...] = (
    name_and_options_read_back,
    plays_are_legal,
    decisions_follow_from_view_and_stream,
    games_follow_from_seeds,
    explanations_hold,
    hidden_cards_do_not_matter,
    policy_decides_like_its_player,
)
