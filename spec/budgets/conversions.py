"""Conversions of a release from one flavor into another: each states its factor and why it holds, as a step.

A conversion that compares distances beyond neighbours needs a budget that holds for all pairs of a universe. Under
invariants one for neighbours says nothing of other pairs, and where the number of records is fixed no two data sets are
neighbours by addition or removal at all.
"""

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import Exact, InputError, integer, open_probability, positive
from stirred.spec.budgets.accounts import NUMBER_OF_RECORDS, Measure, Premetric, Reach, Release
from stirred.spec.budgets.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from stirred.spec.numbers.enclosure import Enclosure

_POST_IMPUTATION = "post-imputation "


class Rule(Enum):
    """How ρ² is converted to ε at a given δ."""

    PRINTED = "rho^2 + 2*rho*sqrt(-ln(delta)), the formula that the Census Bureau adopted"
    SMALLEST = "the smallest over all Renyi orders (Canonne, Kamath and Steinke)"


def _scaled(source: Release, factor: Fraction) -> tuple[Enclosure, str]:
    """The budget where every distance is `factor` times as large, with the factor in words."""
    if source.flavor.measure is Measure.APPROXIMATE:
        raise InputError("an (epsilon, delta) budget is not scaled exactly; convert the rho^2 or epsilon before it")
    power = 2 if source.flavor.measure is Measure.ZERO_CONCENTRATED else 1
    scale = factor**power
    budget = Enclosure(source.budget.lower * scale, source.budget.upper * scale)
    letter = "rho^2" if power == 2 else "epsilon"
    square = f" = ({factor})^2" if power == 2 and factor != 1 else ""
    return budget, f"{letter} times {scale}{square}"


def _beyond_neighbors(source: Release) -> None:
    if source.reach is not Reach.ALL_PAIRS:
        names = ", ".join(map(repr, sorted(source.flavor.invariants))) or "none"
        raise InputError(
            f'holds_for must be "{Reach.ALL_PAIRS.value}" for this conversion: under invariants ({names}) no chain of '
            "neighbours need join two data sets, and a budget for neighbours says nothing of others"
        )


def _changed(source: Release, step: str, **changes: Any) -> Release:
    if source.sampled is not None:
        raise InputError(f"a release of the sample {source.sampled.sample!r} must be converted before it is amplified")
    return replace(source, steps=(*source.steps, step), **changes)


def to_bounded(source: Release) -> Release:
    """From added or removed records to replaced ones: d_SymDiff = 2·d_HamS between data sets of equal size.

    So ε doubles and ρ² quadruples, for every mechanism.

    Source: article, (5); PHSafe, section 5.3 ("all unbounded ρ-zCDP mechanisms also satisfy bounded 4ρ-zCDP").
    """
    if source.flavor.premetric is not Premetric.UNBOUNDED:
        raise InputError("neighbors must be unbounded to be made bounded; got bounded")
    budget, words = _scaled(source, Fraction(2))
    _beyond_neighbors(source)
    step = f"unbounded to bounded: d_SymDiff = 2 d_HamS, so {words}"
    return _changed(source, step, flavor=replace(source.flavor, premetric=Premetric.BOUNDED), budget=budget)


def to_unbounded(source: Release) -> Release:
    """From replaced to added or removed records, where the number of records is invariant: d_HamS = d_SymDiff/2."""
    if source.flavor.premetric is not Premetric.BOUNDED:
        raise InputError("neighbors must be bounded to be made unbounded; got unbounded")
    if NUMBER_OF_RECORDS not in source.flavor.invariants:
        raise InputError(
            f"invariants must contain {NUMBER_OF_RECORDS!r}: between data sets of different sizes d_HamS is infinite"
        )
    budget, words = _scaled(source, Fraction(1, 2))
    _beyond_neighbors(source)
    step = f"bounded to unbounded at a fixed number of records: d_HamS = d_SymDiff/2, so {words}"
    return _changed(source, step, flavor=replace(source.flavor, premetric=Premetric.UNBOUNDED), budget=budget)


def to_unit(source: Release, unit: str, factor: Exact, reason: str) -> Release:
    """Another unit, where the old distance is at most `factor` times the new one.

    A factor of at most 1 takes neighbours to neighbours; a larger one needs a budget for all pairs of a universe.

    Args:
        factor: k > 0 with d_old ≤ k·d_new on all data sets; it is not checked and becomes a condition.
        reason: why it holds, such as "at most 10 records for each person".

    Source: dissertation, Proposition 2.4.15.
    """
    scale = positive("factor", factor)
    if not reason:
        raise InputError("reason must say why the factor holds; got ''")
    budget, words = _scaled(source, scale)
    if scale > 1:
        _beyond_neighbors(source)
    before = source.flavor.unit
    step = f"{before} to {unit}: {reason}, so {words}"
    condition = f"the factor {scale} from {before} to {unit} ({reason})"
    conditions = (*source.conditions, condition)
    return _changed(source, step, flavor=replace(source.flavor, unit=unit), budget=budget, conditions=conditions)


def to_contributors(source: Release, duplicates: int) -> Release:
    """From post-imputation units to contributors, each of whose records imputation copies at most so often.

    A contributor with one record and `duplicates` copies of it changes 1 + duplicates records.

    Source: article, section 5.2, last paragraph (its example: one duplicate quadruples ρ²).
    """
    copies = integer("duplicates", duplicates, minimum=0)
    unit = source.flavor.unit
    if not unit.startswith(_POST_IMPUTATION):
        raise InputError(f"unit must be a post-imputation unit such as 'post-imputation person'; got {unit!r}")
    reason = f"a record and at most {copies} duplicate(s) of it"
    return to_unit(source, unit.removeprefix(_POST_IMPUTATION), 1 + copies, reason)


def with_invariants(source: Release, names: Iterable[str]) -> Release:
    """The same budget under more invariants: their universes refine the old ones.

    Source: article, Proposition 5, second half.
    """
    wanted = frozenset(names)
    if missing := sorted(source.flavor.invariants - wanted):
        raise InputError(f"names must contain every invariant of the release; {missing[0]!r} is missing")
    added = sorted(wanted - source.flavor.invariants)
    step = f"more invariants ({', '.join(added) or 'none'}): the budget stays"
    return _changed(source, step, flavor=replace(source.flavor, invariants=wanted))


def to_zero_concentrated(source: Release) -> Release:
    """From pure DP to zCDP: ρ² = ε²/2.

    Source: Bun and Steinke (2016), Proposition 1.4.
    """
    measure = source.flavor.measure
    if measure is not Measure.PURE:
        raise InputError(f"measure must be {Measure.PURE.value} to become zero-concentrated; got {measure.value}")
    budget = Enclosure(source.budget.lower**2 / 2, source.budget.upper**2 / 2)
    step = "pure to zero-concentrated: rho^2 = epsilon^2/2"
    return _changed(source, step, flavor=replace(source.flavor, measure=Measure.ZERO_CONCENTRATED), budget=budget)


def to_approximate(source: Release, delta: Exact, rule: Rule) -> Release:
    """From zCDP to (ε, δ)-DP by a stated rule, for neighbours only: at distance k neither rule gives k·ε.

    Source: article, Remark 4, for `Rule.PRINTED`; `spec.budgets.zcdp` for both.
    """
    measure = source.flavor.measure
    if measure is not Measure.ZERO_CONCENTRATED:
        raise InputError(
            f"measure must be {Measure.ZERO_CONCENTRATED.value} to become approximate; got {measure.value}"
        )
    rho2 = source.exact_budget
    if rho2 is None:
        raise InputError(f"budget must be exact to be converted; got the enclosure {source.budget.text()}")
    slack = open_probability("delta", delta)
    function = zcdp_to_approximate if rule is Rule.PRINTED else smallest_zcdp_to_approximate
    step = f"zero-concentrated to (epsilon, delta) at delta = {slack} by {rule.value}"
    return _changed(
        source,
        step,
        flavor=replace(source.flavor, measure=Measure.APPROXIMATE),
        budget=function(rho2, slack),
        delta=slack,
        reach=Reach.NEIGHBORS,
    )
