"""What the figures of a comparison say: who is best, who is not clearly different, in words.

Also what report and pictures share: mean scores, numbers and short names of the players.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from kibitz.arena.comparison import (
    Comparison,
    CorrectedLine,
    Interval,
    MatchLine,
    PlayerLine,
    TableLine,
)
from kibitz.arena.report.names import bare_names
from kibitz.arena.statistics.scores import FEWEST, side_of
from kibitz.core.checks import one_line

LONG = 18
"""Letters of a name that fit in a plot."""
ALL_COLUMNS = 44
"""Letters that fit above all columns of a matrix."""
TOO_FEW = f"fewer than {FEWEST} pairs are too few to tell"
LISTED = 3
"""How many of anything a sentence lists."""
ROUNDING = 1e-9
KNOWS = {
    "fair": "no more than a player at the table",
    "open-hands": "also every hand",
    "open-deck": "also every hand and what comes next",
}


# -- figures -------------------------------------------------------------------------------


def even_share(comparison: Comparison) -> float:
    """What everybody would score if all were equal. Partners have a point together."""
    if not comparison.tables:
        return 0.5
    scores = comparison.tables[0].score
    return round(sum(scores.values())) / len(scores)


def scores_of(comparison: Comparison) -> dict[str, list[float]]:
    """What each player scored in each of its matches, or at each of its tables."""
    scores: dict[str, list[float]] = {player.name: [] for player in comparison.players}
    for match in comparison.matches:
        scores[match.a].append(match.score)
        scores[match.b].append(1 - match.score)
    for table in comparison.tables:
        for name in table.players:
            scores[name].append(table.score[name])
    return {name: own for name, own in scores.items() if own}


def mean_scores(comparison: Comparison) -> dict[str, float]:
    """By player, the best first; only of those that played."""
    means = {name: math.fsum(own) / len(own) for name, own in scores_of(comparison).items()}
    return dict(sorted(means.items(), key=lambda entry: -entry[1]))


def numbers(comparison: Comparison) -> dict[str, int]:
    """Every player's number: by its mean score, whoever did not play last."""
    order = [*mean_scores(comparison), *(player.name for player in comparison.players)]
    return {name: i for i, name in enumerate(dict.fromkeys(order), 1)}


def is_numbered(comparison: Comparison) -> bool:
    """Whether names alone would not do: they are long or many, or tables are named by them."""
    longest = max((len(player.name) for player in comparison.players), default=0)
    return (
        bool(comparison.tables) or longest > LONG or longest * len(comparison.players) > ALL_COLUMNS
    )


def labels(comparison: Comparison) -> dict[str, str]:
    """What a player is called in a picture."""
    with_numbers = is_numbered(comparison)
    return {
        name: f"{number} {shortened(name)}" if with_numbers else shortened(name)
        for name, number in numbers(comparison).items()
    }


def shortened(name: str) -> str:
    """A name that fits: of a long one the values of its options, as far as they fit."""
    name = one_line(name)
    if len(name) > LONG:
        name = re.sub(r"(?<=[:,])[\w-]+=", "", name)
    return name if len(name) <= LONG else f"{name[: LONG - 1]}…"


def timed(comparison: Comparison) -> dict[str, tuple[float, float]]:
    """µs a decision and the mean score, of each player for which there are both."""
    means = mean_scores(comparison)
    return {
        p.name: (1e6 * p.decision, means[p.name])
        for p in comparison.players
        if p.decision and p.name in means
    }


# -- figures as texts -------------------------------------------------------------------


def has_interval(interval: Interval) -> bool:
    """Whether there is an interval: with too few pairs it is everything."""
    return interval != (0.0, 1.0)


def has_any_interval(comparison: Comparison) -> bool:
    """Whether there were pairs enough for at least one interval."""
    intervals = [match.ci95 for match in comparison.matches]
    intervals += [each for table in comparison.tables for each in table.ci95.values()]
    return any(map(has_interval, intervals))


def interval(low: float, high: float, of: str = "pairs") -> str:
    """An interval as text, or that there are too few pairs for one."""
    return f"{100 * low:.1f}–{high:.1%}" if has_interval((low, high)) else f"too few {of}"


def elo(match: MatchLine | CorrectedLine) -> str:
    """As the screen has it."""
    low, high = match.elo95
    if match.elo is None:  # all won or all lost: it is further than this
        known = f"> {low:+.0f}" if low is not None else f"< {high:+.0f}" if high is not None else ""
        return minus(known) or "–"
    half = f"±{(high - low) / 2:.0f}" if low is not None and high is not None else ""
    return minus(f"{match.elo:+.0f}{half}")


def has_points(comparison: Comparison) -> bool:
    """Whether games are won by more or less, not just won."""
    return any(abs(match.margin) > 1 for match in comparison.matches)


def points_ahead(match: MatchLine) -> str:
    """The margin of a match as text, with half the width of its interval."""
    half = match.margin95[1] - match.margin
    return minus(f"{match.margin:+.1f}" + (f"±{half:.1f}" if half < math.inf else ""))


def minus(number: str) -> str:
    """With a sign that can't be taken for a hyphen."""
    return number.replace("-", "−")


def time_cells(player: PlayerLine) -> tuple[str, str]:
    """µs a decision, and decisions a second."""
    if player.decision is None:
        return "–", "–"
    return three_digits(1e6 * player.decision), f"{1 / player.decision:,.0f}"


def three_digits(number: float) -> str:
    """0.245, 163, 12,300."""
    return f"{float(f'{number:.3g}'):,.10g}"


# -- sentences -----------------------------------------------------------------------------


def joined(texts: Sequence[str]) -> str:
    """a, b and c; of many, the first few and how many more."""
    shown = list(texts) if len(texts) <= LISTED + 1 else list(texts[:LISTED])
    if len(shown) < len(texts):
        shown.append(f"{len(texts) - len(shown)} more")
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))


def counted(n: int, what: str, plural: str = "") -> str:
    """A number with its noun: "1 pair", "2 pairs"."""
    return f"{n} {what if n == 1 else plural or what + 's'}"


def what_was_played(comparison: Comparison) -> str:
    """The seed and the number of pairs, behind the game's name."""
    most = "up to " * any(match.clear is not None for match in comparison.matches)
    return (
        f"seed {comparison.seed}, {most}{comparison.pairs} pairs:"
        f" every {comparison.unit} in all seats"
    )


def match_table(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    """The head and a row for each match, from the first one's side."""
    short = bare_names([player.name for player in comparison.players])
    points = has_points(comparison)
    head = ["match", "w-d-l", "score", "95 %", "Elo", "1st seat"]
    rows = [
        [
            f"{short[match.a]} – {short[match.b]}",
            f"{match.wins}-{match.draws}-{match.losses}",
            f"{match.score:.1%}",
            interval(*match.ci95),
            elo(match),
            f"{match.first_seat:.1%}",
            *([points_ahead(match)] if points else []),
        ]
        for match in comparison.matches
    ]
    return head + ["points"] * points, rows


LESS_LUCK = ("match", "less luck", "95 %", "Elo", "variance")


def less_luck_rows(comparison: Comparison) -> list[list[str]]:
    """What the matches score with luck taken off, under the heads LESS_LUCK; none if nobody
    asked. The variance of a pair is a share of that of the plain score."""
    short = bare_names([player.name for player in comparison.players])
    rows = []
    for match in comparison.matches:
        if (less := match.less_luck) is None:
            continue
        ends = less.ci95 and f"{100 * less.ci95[0]:.1f}–{less.ci95[1]:.1%}"
        share = "–" if less.variance is None else f"× {less.variance:.2f}"
        who = f"{short[match.a]} – {short[match.b]}"
        rows.append(
            [who, f"{less.score:.1%}", minus(ends) if ends else "too few pairs", elo(less), share]
        )
    return rows


def say_less_luck(comparison: Comparison) -> str:
    """What was taken off, and what came of it; nothing if nobody asked."""
    shares = [m.less_luck.variance for m in comparison.matches if m.less_luck]
    known = [share for share in shares if share is not None]
    if not shares:
        return ""
    said = "Less luck: what chance gave each side is taken off its score. The mean stays what it is"
    if not known:
        return f"{said}."
    least, most = (f"{share:.2f}" for share in (min(known), max(known)))
    times = least if least == most else f"{least} to {most}"
    gained = "less" if max(known) < 1 else "not always less" if min(known) < 1 else "not less"
    return f"{said}; the variance of a pair is {gained}: {times} times that of the plain score."


LINE_UP = ("player", "won", "score", "95 %")


def line_up_rows(entry: TableLine) -> list[list[str]]:
    """A row for each player at a table, under the heads LINE_UP."""
    return [
        [name, str(entry.wins[name]), f"{entry.score[name]:.1%}", interval(*entry.ci95[name])]
        for name in entry.players
    ]


TEAMS = ("partners", "against", "won", "score", "95 %")


def team_rows(comparison: Comparison) -> list[tuple[str, ...]]:
    """What partners scored side by side, under the heads TEAMS; none where all play alone.
    Of two teams one is listed: the other has the rest."""
    rows: list[tuple[str, ...]] = []
    for line in (line for table in comparison.tables for line in table.teams):
        names = [" + ".join(team) for team in line.teams]
        for i, name in enumerate(names[:1] if len(names) == 2 else names):
            others = ", ".join(other for other in names if other is not name)
            won, score = f"{line.wins[i]} of {line.games}", f"{line.score[i]:.1%}"
            rows.append((name, others, won, score, interval(*line.ci95[i])))
    return rows


def main_result(comparison: Comparison) -> str:
    """Who is best, by how much, and who is not clearly different."""
    means = mean_scores(comparison)
    if not means:
        return "No pair was played, so there is nothing to tell."
    said = [_say_best(comparison, means)]
    if comparison.tables:
        said += [_say_even_tables(comparison)]
    else:
        said += [_say_matches(comparison, means), say_equal(comparison)]
    said.append(_say_unfair(comparison, means))
    return " ".join(filter(None, said))


def _best(means: dict[str, float]) -> list[str]:
    top = max(means.values())
    return [name for name, mean in means.items() if mean > top - ROUNDING]


def _say_best(comparison: Comparison, means: dict[str, float]) -> str:
    best = _best(means)
    top = f"{means[best[0]]:.1%}"
    if len(best) == len(means):
        return f"All score the same: {top}."
    games = len(scores_of(comparison)[best[0]])
    what = ("table", "tables") if comparison.tables else ("match", "matches")
    over = f"on the mean over its {games} {what[1]}" if games > 1 else f"in its {what[0]}"
    even = f", where {even_share(comparison):.1%} is an even share" if comparison.tables else ""
    if len(best) > 1:
        return f"{joined(best)} score best: {top} each{even}."
    return f"{best[0]} scores best: {top} {over}{even}."


def _say_unfair(comparison: Comparison, means: dict[str, float]) -> str:
    """Whoever sees what a player may not is best among its like only."""
    best = _best(means)
    knows = {player.name: player.knows for player in comparison.players}
    if any(knows[name] == "fair" for name in best):
        return ""
    fair = next((name for name in means if knows[name] == "fair"), None)
    more = joined(sorted({knows[name] for name in best}))
    other = f"the best fair one is {fair}: {means[fair]:.1%}" if fair else "nobody here is fair"
    return f"But {joined(best)} knew more than a player may ({more}); {other}."


def _say_matches(comparison: Comparison, means: dict[str, float]) -> str:
    """How the best did against each of the others, and which other matches are not clear."""
    best = _best(means)[0] if len(_best(means)) == 1 else None
    others = len(means) - 1
    rivals: dict[int, list[str]] = {1: [], 0: [], -1: []}
    unclear = []
    for match in comparison.matches:
        side = match.side
        if best in (match.a, match.b):
            is_first = match.a == best
            rivals[side if is_first else -side].append(match.b if is_first else match.a)
        elif not side:
            unclear.append(f"{match.a} – {match.b}")
    said = []
    if rivals[1]:
        many = f"{len(rivals[1])} of the {others} others"
        some = joined(rivals[1]) if len(rivals[1]) <= LISTED else many
        whom = "every other one" if len(rivals[1]) == others > 1 else some
        said.append(f"It is clearly better than {whom}.")
    if rivals[-1]:
        said.append(f"Yet {joined(rivals[-1])} clearly did better against it.")
    asked = any(match.clear is not None for match in comparison.matches)
    why = "as --until-clear asks" if asked else "the 95 % interval holds 50 %"
    why = why if has_any_interval(comparison) else TOO_FEW
    if rivals[0]:
        said.append(f"From {joined(rivals[0])} it is not clearly different ({why}).")
    if unclear:
        first = "Nor are these clear" if rivals[0] else f"Not clearly different ({why})"
        said.append(f"{first}: {joined(unclear)}.")
    return " ".join(said)


def say_equal(comparison: Comparison) -> str:
    """Who plays alike, or so that every pair ends even."""
    even = [f"{match.a} – {match.b}" for match in comparison.matches if match.even]
    return f"Equal in every pair: {joined(even)}." if even else ""


def _say_even_tables(comparison: Comparison) -> str:
    """At how many tables each player's interval holds an even share."""
    even = even_share(comparison)
    held = []
    for name in mean_scores(comparison):
        sides = [side_of(t.ci95[name], even) for t in comparison.tables if name in t.players]
        if unclear := sides.count(0):
            where = "" if len(sides) == 1 else f" (at {unclear} of {len(sides)} tables)"
            held.append(f"{name}{where}")
    if not held:
        return "Everybody is clearly off an even share at every table."
    if not has_any_interval(comparison):
        return f"Nobody is clearly off an even share: {TOO_FEW}."
    return f"Not clearly off an even share, the 95 % interval holds it: {joined(held)}."


def pareto_front(comparison: Comparison) -> list[str]:
    """Those that nobody beats in both time and score, the fastest first: nobody is as fast and
    stronger, or faster and as strong."""
    points = timed(comparison)
    best = []
    for name, (took, score) in sorted(points.items(), key=lambda entry: entry[1][0]):
        rivals = [at for at in points.values() if at != (took, score)]
        if not any(other <= took and more >= score for other, more in rivals):
            best.append(name)
    return best


def say_even(comparison: Comparison) -> str:
    """What a score at a table is to be held against."""
    even = even_share(comparison)
    said = [
        f"An even share is {even:.1%}. ▲ and ▼ mark a score that is clearly more or less: its"
        " 95 % interval does not hold that."
    ]
    if even * len(comparison.tables[0].players) > 1.5:
        said.append(
            "The first and the third of a table are partners, as are the second and the fourth:"
            " they score together."
        )
    return " ".join(said)


def say_time(comparison: Comparison) -> str:
    """Which players are worth their time."""
    said = [
        f"Worth their time: {joined(pareto_front(comparison))}; nobody is faster than one of these"
        " and scores more. Times are those of one machine, with whatever else it did."
    ]
    if untimed := [name for name in mean_scores(comparison) if name not in timed(comparison)]:
        said.append(f"Not shown, as no time was measured: {joined(untimed)}.")
    return " ".join(said)


def say_sure(comparison: Comparison) -> str:
    """What the intervals do not say."""
    if not has_any_interval(comparison):
        return f"There is no interval: {TOO_FEW}."
    if comparison.matches and comparison.matches[0].clear is not None:
        return (
            "A match ended when it was clear. What is clear is decided by that test, which allows"
            " for looking often; a score after an early end tends to be too far out."
        )
    return (
        "Each interval stands for itself: of twenty between equal players, about one misses an"
        " even share."
    )


def say_first_seat(comparison: Comparison) -> str:
    """The value of sitting first."""
    shares = [match.first_seat for match in comparison.matches]
    shares += [table.first_seat for table in comparison.tables]
    what = "tables" if comparison.tables else "matches"
    over = f" on the mean over {len(shares)} {what}" if len(shares) > 1 else ""
    return (
        f"Whoever sat first scored {math.fsum(shares) / len(shares):.1%}{over}; without an"
        f" advantage it is {even_share(comparison):.1%}. Everybody sat first equally often, so it"
        " helps nobody here."
    )


def say_knowing(comparison: Comparison) -> str:
    """What fair, open-hands and open-deck mean, as far as they occur."""
    seen = dict.fromkeys(player.knows for player in comparison.players)
    parts = [f"{knows}: {KNOWS[knows]}" for knows in seen if knows in KNOWS]
    return f"What a player knows – {'; '.join(parts)}."
