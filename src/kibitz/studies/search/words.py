"""What the study of search concludes, worded from the figures: other figures, other sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kibitz.studies.search.limits import EXAMPLE_CHANCES, LOST, Example, HorizonEffect, OrdinalRow
from kibitz.studies.search.measure import ChanceCase, OrderCase

SPACE = "\u00a0"


def whole(number: float) -> str:
    """A number of nodes: whole, or with one digit if it is a small mean."""
    text = f"{number:,.1f}" if number < 100 and number != int(number) else f"{number:,.0f}"
    return text.replace(",", SPACE)


def percent(share: float) -> str:
    return f"{100 * share:.3g}{SPACE}%" if share < 0.9995 else f"{100 * share:.0f}{SPACE}%"


def title(case: OrderCase) -> str:
    to_the_ends = case.to_the_ends and not is_tree(case)
    return f"{case.name}, {'to the ends' if to_the_ends else f'depth {case.depth}'}"


def is_tree(case: OrderCase) -> bool:
    """Whether it is a made tree, no game."""
    return case.name.endswith("tree")


def listed(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


# -- move order ----------------------------------------------------------------------------


def say_agreement(cases: Sequence[OrderCase]) -> str:
    wrong = [title(case) for case in cases if not case.agrees]
    if wrong:
        return f"Alpha-beta's value is not minimax's in {listed(wrong)}: something is wrong."
    return f"Alpha-beta found minimax's value in all {len(cases)} searches and every order."


def say_least(cases: Sequence[OrderCase]) -> str:
    uniform = [case for case in cases if case.least is not None]
    off = [title(case) for case in uniform if case.work["best"].leaves != case.least]
    if off:
        return (
            "The best order does not look at Knuth and Moore's b^⌈m/2⌉ + b^⌊m/2⌋ − 1 leaves in"
            f" {listed(off)}."
        )
    return (
        f"In all {len(uniform)} searches of uniform trees the best order looks at exactly"
        " b^⌈m/2⌉ + b^⌊m/2⌋ − 1 leaves, the least that is possible (Knuth and Moore)."
    )


def say_root(cases: Sequence[OrderCase]) -> str:
    """Whether the best order gets by with about the square root of minimax's leaves."""
    times = {
        case.name: case.work["best"].leaves / math.sqrt(case.work["minimax"].leaves)
        for case in cases
    }
    least, most = (pick(times, key=lambda name: times[name]) for pick in (min, max))
    sentence = (
        "With the best order alpha-beta looks at"
        f" {times[least]:.1f} ({least}) to {times[most]:.1f} ({most}) times the square root of"
        " minimax's leaves"
    )
    if times[most] <= 5:
        return f"{sentence}: the claim b^(m/2) holds but for a small factor."
    return f"{sentence}: the claim b^(m/2) does not hold for all."


def say_good(cases: Sequence[OrderCase]) -> str:
    """Whether ordering by an evaluation helps."""
    better: dict[bool, list[str]] = {True: [], False: []}
    for case in cases:
        if "good" in case.work:
            good, random = case.work["good"].nodes, case.work["random"].nodes
            figures = f"{whole(good)} nodes against {whole(random)}"
            better[good < random].append(f"{case.name} ({figures})")
    parts = [
        f"{verdict} than a random one in {listed(better[is_better])}"
        for is_better, verdict in ((True, "better"), (False, "no better"))
        if better[is_better]
    ]
    without = [case.name for case in cases if "good" not in case.work and not is_tree(case)]
    rest = f" There is no evaluation for {listed(without)}." if without else ""
    return f"The order by the evaluation is {', but '.join(parts)}.{rest}"


def say_worst(cases: Sequence[OrderCase]) -> str:
    shares = [case.work["worst"].share for case in cases]
    cut = sum(share < 1 for share in shares)
    if not cut:
        return "With the worst plays first alpha-beta cuts nothing."
    return (
        f"Even with the worst plays first alpha-beta cuts something in {cut} of {len(cases)}"
        f" cases: it looks at {percent(min(shares))} to {percent(max(shares))} of minimax's nodes."
    )


def say_uneven(cases: Sequence[OrderCase]) -> str:
    """Where b^m says little because the branching is uneven."""
    off = [
        f"{case.name} ({whole(case.b_m)} against {whole(leaves)})"
        for case in cases
        if not 0.5 <= case.b_m / (leaves := case.work["minimax"].leaves) <= 2
    ]
    if not off:
        return "b^m is within a factor of 2 of minimax's leaves everywhere."
    return (
        f"b^m is far from minimax's leaves in {listed(off)}: where the branching changes with the"
        " depth, its mean says little, and e says little too; there compare r, which is a half"
        " for the square root."
    )


# -- chance nodes --------------------------------------------------------------------------


def say_lecture(case: ChanceCase) -> str:
    star1 = case.work["given"]
    free, bound = star1["Star1"].leaves, star1["Star1, bounds"].leaves
    effect = "the bounds save nothing" if bound >= free else f"the bounds save {free - bound:g}"
    return (
        f"On the lecture's tree Star1 looks at {free:g} of the {case.plain.leaves:g} leaves"
        f" without bounds and at {bound:g} with bounds: {effect}."
    )


def say_bounds(cases: Sequence[ChanceCase]) -> str:
    saved = [
        1 - case.work["given"]["Star1, bounds"].nodes / case.work["given"]["Star1"].nodes
        for case in cases
    ]
    helped = sum(share > 0 for share in saved)
    if not helped:
        return "Known bounds save Star1 no node."
    return (
        f"Known bounds save Star1 nodes in {helped} of {len(cases)} cases,"
        f" {percent(max(saved))} at most."
    )


def say_star2(cases: Sequence[ChanceCase], order: str) -> str:
    """Whether looking at one play of each outcome first pays."""
    work = [case.work[order] for case in cases]
    fewer = sum(w["Star2, bounds"].nodes < w["Star1, bounds"].nodes for w in work)
    more = sum(w["Star2, bounds"].share > 1 for w in work)
    where = "In the given order" if order == "given" else "With the best plays first"
    sentence = f"{where} Star2 (with bounds) needs fewer nodes than Star1 in {fewer} cases"
    if not more:
        return f"{sentence} of {len(cases)}, and never more than expectiminimax."
    why = "what it probes in vain it looks at twice"
    return f"{sentence} of {len(cases)}, and more than expectiminimax in {more}: {why}."


def say_gap(cases: Sequence[ChanceCase]) -> str:
    gap = max(case.gap for case in cases)
    if gap > 1e-9:
        return f"Star's values differ from expectiminimax's by up to {gap:.2g}: something is wrong."
    return "All values are those of expectiminimax."


# -- the horizon and the ordinal law -------------------------------------------------------


def say_horizon(effect: HorizonEffect) -> str:
    chosen = effect.choices["shallow"]
    value = effect.values[chosen]["shallow"]
    sentence = f"A search to depth {effect.depth} chooses {chosen} and values it at {value:+.2f}"
    if effect.lost_at is None or not effect.is_there:
        fate = "no other play does better" if effect.lost_at else "deeper searches see no loss"
        return f"{sentence}. There is no horizon effect here: {fate}."
    return (
        f"{sentence}. A search to depth {effect.lost_at} sees that it loses:"
        f" {' '.join(effect.line)}. The loss lies {effect.lost_at - effect.depth}"
        f" plies beyond the horizon. A search to depth {effect.deep} chooses"
        f" {effect.choices['deep']}."
    )


def say_quiescence(effect: HorizonEffect) -> str:
    chosen, quiet = effect.choices["shallow"], effect.choices["quiescent"]
    if quiet == chosen:
        return f"With quiescence the choice is {quiet} too: nothing is avoided."
    value = effect.values[quiet]["quiescent"]
    sentence = f"With quiescence the choice at the same depth is {quiet} ({value:+.2f})"
    if not effect.is_there:
        return f"{sentence}, another play, but there is no loss to avoid."
    if not effect.is_avoided:
        return f"{sentence}, but that loses too."
    return f"{sentence}, which the search to depth {effect.deep} does not see lose."


def say_cost(effect: HorizonEffect) -> str:
    nodes = effect.nodes
    sentence = (
        f"Alpha-beta looks at {whole(nodes['shallow'])} nodes to depth {effect.depth}, and at"
        f" {whole(nodes['quiescent'])} if quiescence may add {effect.extra} plies."
    )
    if "lost_at" not in nodes:
        return sentence
    plain = nodes["lost_at"]
    sentence += f" A plain search to depth {effect.lost_at} takes {whole(plain)}"
    enough = [one for one in effect.extras if effect.values[one.choice]["deep"] > LOST]
    if not enough:
        return f"{sentence}; quiescence does not help, whatever it adds."
    verdict = "cheaper" if enough[0].nodes < plain else "no cheaper"
    return (
        f"{sentence}; quiescence avoids the loss already with {enough[0].plies} added, at"
        f" {whole(enough[0].nodes)} nodes, which is {verdict}."
    )


def say_ordinal(row: OrdinalRow) -> str:
    is_linear = "x³" not in row.transform
    change = row.transform.replace(" ", SPACE)
    sentence = f"{change} changes the best plays in {row.changed} of {row.n} trees {row.trees}"
    if row.trees == "with chance" and not is_linear:
        if row.changed:
            return (
                f"{sentence} ({percent(row.changed / row.n)}): there the values themselves count."
            )
        return f"{sentence}: these trees do not show the values to count."
    if row.changed:
        return f"{sentence}, which contradicts the law."
    law = "only the order counts" if row.trees == "without chance" else "a linear change is safe"
    return f"{sentence}: {law}."


def say_example(before: Example, after: Example) -> str:
    def describe(one: Example) -> str:
        left, right = (", ".join(map(str, half)) for half in (one.leaves[:2], one.leaves[2:]))
        return f"{left} | {right} are worth {' and '.join(f'{v:.3g}' for v in one.values)}"

    chances = " and ".join(f"{chance:g}" for chance in EXAMPLE_CHANCES)
    verdict = "the best play changes" if before.best != after.best else "the best play stays"
    return (
        f"The lecture's example, outcomes with chances {chances}: {describe(before)}; changed in"
        f" the same order, {describe(after)}: {verdict}."
    )
