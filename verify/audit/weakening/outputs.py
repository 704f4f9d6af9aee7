"""Smaller by how outputs are compared, or in which universes: premetrics, events, constants, one universe's budget."""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import OUTPUT_PREMETRICS, Multiplicative
from stirred.spec.output_premetrics.base import mass
from stirred.verify.audit.weakening.detector import (
    Detection,
    Detector,
    ExaminedClaim,
    ExaminedPair,
    data_sets,
    newly,
    shown,
)
from stirred.verify.engines.algebra.corners import CLAIMED, HONEST, Corner
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import covers

_SOME_UNIVERSES = "the number is the budget of some universes, and need not hold in the others"


def _quoted(claim: ExaminedClaim) -> Iterator[Detection]:
    """Where the stated budget is enough in some universe that compares anything, and not in another one."""
    budget = claim.budget
    losses = _losses(claim) if len(claim.flavor.multiverse) > 1 else []
    if budget is None or not losses:
        return
    enough = [_is_enough(budget, corner.budget) for corner in losses]
    if None in enough or all(enough) or not any(enough):
        return
    at_most = claim.flavor.output_premetric.at_most
    worst = next(one for one in losses if all(at_most(other.budget, one.budget) for other in losses))
    yield Detection(
        f"the stated {budget.text} is enough in {sum(map(bool, enough))} of {counted(len(losses), 'universe')} where "
        f"data sets are compared; another one needs {shown(worst)}",
        _SOME_UNIVERSES,
    )


def _left_out(pair: ExaminedPair) -> Iterator[Detection]:
    """Where the claimed universes are some of the honest ones."""
    claimed = pair.claimed_on_honest
    if claimed is None or not pair.differs_in("multiverse"):
        return
    ours, theirs = pair.honest.flavor.multiverse, claimed.flavor.multiverse
    if not set(theirs) < set(ours) or not len(theirs):
        return
    others = Multiverse(universe for universe in ours if universe not in set(theirs))
    kept, left = pair.honest.loss(multiverse=theirs), pair.honest.loss(multiverse=others)
    if kept is None or left is None:
        return
    yield Detection(
        f"the claimed universes are {len(theirs)} of the {len(ours)} honest ones: they need "
        f"{shown(kept)}, the {len(others)} left out {shown(left)}",
        _SOME_UNIVERSES,
    )


def _losses(claim: ExaminedClaim) -> list[Corner]:
    """The loss of every universe that compares two data sets at a finite distance."""
    found = []
    for universe in claim.flavor.multiverse:
        if any(claim.distance(x, y) is not None for x, y in combinations(universe, 2)):
            corner = claim.loss(multiverse=Multiverse((universe,)))
            if corner is not None:
                found.append(corner)
    return found


def _is_enough(budget: ClaimedBudget, needed: Any) -> bool | None:
    if isinstance(needed, Loss):
        return None if budget.loss is None and budget.epsilon is None else covers(budget, needed)
    if budget.epsilon is None:
        return None
    return needed is not None and needed <= budget.epsilon.value


ONE_UNIVERSE = Detector("one universe's budget", _quoted, _left_out)


def is_determined(claim: ExaminedClaim) -> bool:
    """Whether the laws differ, but never inside a class of comparable data sets, of which some has two or more."""
    laws = claim.laws
    classes = claim.comparable
    return (
        len({laws[x] for x in claim.flavor.domain}) > 1
        and any(len(one) > 1 for one in classes)
        and all(len({laws[x] for x in one}) == 1 for one in classes)
    )


def _determined(claim: ExaminedClaim) -> Iterator[Detection]:
    if not is_determined(claim):
        return
    laws, points = claim.laws, claim.flavor.domain.points
    x = points[0]
    y = next(other for other in points if laws[other] != laws[x])
    yield Detection(
        f"{counted(len({laws[p] for p in points}), 'different law')} on {counted(len(points), 'data set')}, and one "
        f"law in each of {len(claim.comparable)} classes of comparable ones; {data_sets(x, y)}, not comparable, "
        f"have D_Mult = {Multiplicative().distance(laws[x], laws[y])}",
        "the release depends only on the invariants: its loss is 0 whatever it reveals "
        "(dissertation, Proposition A.2.1)",
    )


DETERMINED = Detector("determined by invariants", _determined, newly(_determined))


_SHOWN = 3


def _weaker(claim: ExaminedClaim) -> Iterator[Detection]:
    """D_Mult under the other blocks of the claim, where its own output premetric is another one that is known here."""
    measure = claim.flavor.output_premetric
    if measure == Multiplicative() or measure.name not in OUTPUT_PREMETRICS:
        return
    own, pure = claim.own_loss, claim.loss(output_premetric=Multiplicative())
    if pure is None or (own is not None and own.budget == pure.budget):
        return
    needs = "" if own is None else f" needs {shown(own, with_pair=False)}"
    yield Detection(
        f"{measure.described()}{needs}; multiplicative needs {shown(pure)}{_outside(claim, own, pure)}",
        f"{measure.caveat} (dissertation, section 4.3)",
    )


def _outside(claim: ExaminedClaim, own: Corner | None, pure: Corner) -> str:
    """The event at which D_Mult is infinite with its largest mass, else where it exceeds the claim's own bound."""
    laws = claim.laws
    if isinstance(pure.budget, Loss) and pure.budget.is_infinite:
        worst = max(
            ((_only(laws[x], laws[y]), x, y) for a, b, _ in claim.compared for x, y in ((a, b), (b, a))),
            key=lambda found: mass(laws[found[1]], found[0]),
        )
        event, x, y = worst
        if not event:
            return ""
        return f"; {_named(event)} has probability {mass(laws[x], event)} on x and 0 on x', {data_sets(x, y)}"
    if own is None or pure.pair is None or not isinstance(own.budget, Loss):
        return ""
    x, y = pure.pair
    bound = own.budget.times(claim.distance(x, y))
    found = Multiplicative().exceeding_event(laws[x], laws[y], bound)
    if found is None:
        return ""
    if found.is_swapped:
        x, y = y, x
    event = tuple(t for t in laws[x] if _ratio(laws[x].numeric(t), laws[y].numeric(t), bound))
    both = mass(laws[x], event), mass(laws[y], event)
    return f"; the ratio exceeds the bound at {_named(event)}, of probability {both[0]} on x and {both[1]} on x'"


def _only(p: Any, q: Any) -> tuple[Hashable, ...]:
    return tuple(t for t in p if q.numeric(t) == 0)


def _ratio(p: Fraction, q: Fraction, bound: Loss) -> bool:
    return p > q and (q == 0 or not Loss(p / q) <= bound)


def _named(event: tuple[Hashable, ...]) -> str:
    names = ", ".join(str(t) for t in event[:_SHOWN])
    return f"the event {{{names}{', …' if len(event) > _SHOWN else ''}}}"


def _weaker_than_honest(pair: ExaminedPair) -> Iterator[Detection]:
    if pair.differs_in("output_premetric"):
        measure = pair.claimed.flavor.output_premetric
        yield from _weaker(replace(pair.honest, flavor=replace(pair.honest.flavor, output_premetric=measure)))


PREMETRIC = Detector("weaker output premetric", _weaker, _weaker_than_honest)


_MOST_STEPS = 100_000

Vector = tuple[Fraction, ...]


def merging(joined: Sequence[tuple[Law[Any], Law[Any]]]) -> Mapping[Hashable, Hashable] | None:
    """A function of outcomes that makes the second law of every pair out of the first one.

    None where there is none, or where none was found in a bounded number of steps.

    >>> quarter, half = Fraction(1, 4), Fraction(1, 2)
    >>> fine, coarse = Law({0: quarter, 1: quarter, 2: half}), Law({"few": half, "many": half})
    >>> merging([(fine, coarse), (Law({2: 1}), Law({"many": 1}))])
    {2: 'many', 0: 'few', 1: 'few'}
    """
    fine, coarse = (tuple(dict.fromkeys(t for laws in joined for t in laws[k])) for k in (0, 1))
    weights: dict[Hashable, Vector] = {t: tuple(laws[0].numeric(t) for laws in joined) for t in fine}
    left: dict[Hashable, Vector] = {s: tuple(laws[1].numeric(s) for laws in joined) for s in coarse}
    order = sorted(fine, key=lambda t: (-sum(weights[t]), str(t)))
    chosen: dict[Hashable, Hashable] = {}
    steps = 0

    def place(index: int) -> bool:
        nonlocal steps
        if index == len(order):
            return True
        outcome = order[index]
        for name in sorted(left, key=lambda s: (s != outcome, str(s))):
            steps += 1
            if steps > _MOST_STEPS:
                return False
            before = left[name]
            after = tuple(a - b for a, b in zip(before, weights[outcome], strict=True))
            if min(after) >= 0:
                left[name], chosen[outcome] = after, name
                if place(index + 1):
                    return True
                left[name] = before
                del chosen[outcome]
        return False

    return chosen if place(0) else None


def _merged(pair: ExaminedPair) -> Iterator[Detection]:
    """Where the claimed release is the honest one with some outcomes put together."""
    joined = pair.joined
    if not pair.claims.changed or len({t for first, _ in joined for t in first}) > _MOST_OUTCOMES:
        return
    function = merging(joined)
    if function is None:
        return
    merged = defaultdict(list)
    for outcome, name in function.items():
        merged[name].append(str(outcome))
    together = {name: sorted(outcomes) for name, outcomes in merged.items() if len(outcomes) > 1}
    if not together:
        return
    first = min(together.values())
    names = ", ".join(first[:_SHOWN]) + (", …" if len(first) > _SHOWN else "")
    before, after = pair.honest.own_loss, pair.claimed.own_loss
    losses = (
        "" if before is None or after is None else f"; the honest one needs {shown(before)}, this one {shown(after)}"
    )
    yield Detection(
        f"the claimed release is the honest one with {counted(len(function), 'outcome')} seen as {len(merged)}: "
        f"{names} are one{losses}",
        "the loss is measured on fewer events: it holds if only the coarser outcome is seen, not if the release is "
        "(dissertation, sections 4.3 and A.1)",
    )


_MOST_OUTCOMES = 64
"""The most outcomes of the honest release that are tried to be put together."""

EVENTS = Detector("coarser events", in_pair=_merged)


_CHOSEN = (
    "a constant fixed in advance loses nothing; one chosen from the data reveals what it was chosen by "
    "(dissertation, section 4.3)"
)


def _peeking(claim: ExaminedClaim) -> Iterator[Detection]:
    """Where every law is a point mass, and not one for all."""
    points, laws = claim.flavor.domain.points, claim.laws
    values = {x: next(iter(laws[x])) for x in points}
    if any(len(laws[x]) > 1 for x in points) or len(set(values.values())) == 1 or is_determined(claim):
        return
    x = points[0]
    y = next(other for other in points if values[other] != values[x])
    own = claim.own_loss
    needed = "" if own is None else f"; the smallest budget is {shown(own, with_pair=False)}"
    yield Detection(
        f"the output is certain on each data set, and has {counted(len(set(values.values())), 'value')} on "
        f"{counted(len(points), 'data set')}: {values[x]} on x, {values[y]} on x', {data_sets(x, y)}{needed}",
        _CHOSEN,
    )


def _taken_from_the_data(pair: ExaminedPair) -> Iterator[Detection]:
    """Where the claimed law is one for all data sets, and the honest one on some of them only."""
    joined = pair.joined
    claimed = joined[0][1]
    same = [number for number, (honest, _) in enumerate(joined) if honest == claimed]
    if any(other != claimed for _, other in joined) or not same or len(same) == len(joined):
        return
    domain = pair.claims.sides[CLAIMED if pair.claims.is_part else HONEST].domain
    x = domain.points[same[0]]
    number = next(k for k in range(len(joined)) if k not in same)
    value = Multiplicative().distance(joined[same[0]][0], joined[number][0])
    before = pair.honest.own_loss
    needs = "" if before is None else f", and needs {shown(before)}"
    yield Detection(
        f"the claimed law is one for all {counted(len(joined), 'data set')}: the honest law on {len(same)} of them, "
        f"x = {x} the first; the honest one differs on others, as on x' = {domain.points[number]} "
        f"(D_Mult = {value}){needs}",
        _CHOSEN,
    )


CONSTANT = Detector("constant from the data", _peeking, _taken_from_the_data)
