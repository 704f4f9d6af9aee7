"""Conversions of a release from one flavor into another: each states its factor and why it holds, as a step.

The premetrics are the metrics of `spec.accounts`, not only their neighbours. A budget that is claimed for neighbours
only is a budget for the metric where any two data sets of a universe are joined by a chain of neighbours inside it, as
they are without invariants.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from fractions import Fraction

from spec.accounts import Measure, Premetric, Release
from spec.arguments import Exact, InputError, exact, integer
from spec.enclosure import Enclosure
from spec.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate

__all__ = [
    "NUMBER_OF_RECORDS",
    "Rule",
    "to_approximate",
    "to_bounded",
    "to_contributors",
    "to_unbounded",
    "to_unit",
    "to_zero_concentrated",
    "with_invariants",
]

NUMBER_OF_RECORDS = "number of records"
"""The invariant under which bounded and unbounded neighbours are one notion up to a factor."""

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


def to_bounded(source: Release) -> Release:
    """From added or removed records to replaced ones: d_SymDiff = 2·d_HamS between data sets of equal size.

    So ε doubles and ρ² quadruples, for every mechanism.

    Raises:
        InputError: the premetric is not the unbounded one, or the measure is approximate.

    Source: article, (5); PHSafe, section 5.3 ("all unbounded ρ-zCDP mechanisms also satisfy bounded 4ρ-zCDP").
    """
    if source.flavor.premetric is not Premetric.UNBOUNDED:
        raise InputError(f"premetric must be UNBOUNDED to be made bounded; got {source.flavor.premetric.name}")
    budget, words = _scaled(source, Fraction(2))
    step = f"unbounded to bounded: d_SymDiff = 2 d_HamS, so {words}"
    return source.changed(replace(source.flavor, premetric=Premetric.BOUNDED), budget, step)


def to_unbounded(source: Release) -> Release:
    """From replaced records to added or removed ones, where the number of records is invariant: d_HamS = d_SymDiff/2.

    Raises:
        InputError: the premetric is not the bounded one, the number of records is not invariant (then d_HamS is
            infinite where d_SymDiff is 1, and no factor will do), or the measure is approximate.
    """
    if source.flavor.premetric is not Premetric.BOUNDED:
        raise InputError(f"premetric must be BOUNDED to be made unbounded; got {source.flavor.premetric.name}")
    if NUMBER_OF_RECORDS not in source.flavor.invariants:
        raise InputError(
            f"invariants must contain {NUMBER_OF_RECORDS!r}: between data sets of different sizes d_HamS is infinite"
        )
    budget, words = _scaled(source, Fraction(1, 2))
    step = f"bounded to unbounded at a fixed number of records: d_HamS = d_SymDiff/2, so {words}"
    return source.changed(replace(source.flavor, premetric=Premetric.UNBOUNDED), budget, step)


def to_unit(source: Release, unit: str, factor: Exact, reason: str) -> Release:
    """Another unit, where the old distance is at most `factor` times the new one.

    Args:
        source: the release.
        unit: the new unit.
        factor: k > 0 with d_old ≤ k·d_new on all data sets; the caller answers for it.
        reason: why it holds, such as "at most 10 records for each person".

    Raises:
        InputError: the factor is not positive or inexact, no reason is given, or the measure is approximate.

    Source: dissertation, Proposition 2.4.15.
    """
    scale = exact("factor", factor)
    if scale <= 0:
        raise InputError(f"factor must be positive; got {factor!r}")
    if not reason:
        raise InputError("reason must say why the factor holds; got ''")
    budget, words = _scaled(source, scale)
    step = f"{source.flavor.unit} to {unit}: {reason}, so {words}"
    return source.changed(replace(source.flavor, unit=unit), budget, step)


def to_contributors(source: Release, duplicates: int) -> Release:
    """From post-imputation units to contributors, each of whose records imputation copies at most so often.

    A contributor with one record and `duplicates` copies of it changes 1 + duplicates records.

    Raises:
        InputError: the unit is no post-imputation one, or duplicates is no int ≥ 0.

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

    Raises:
        InputError: an invariant that the release has is not among the names: fewer invariants give no finite budget in
            general.

    Source: article, Proposition 5, second half.
    """
    wanted = frozenset(names)
    if missing := sorted(source.flavor.invariants - wanted):
        raise InputError(f"names must contain every invariant of the release; {missing[0]!r} is missing")
    added = sorted(wanted - source.flavor.invariants)
    step = f"more invariants ({', '.join(added) or 'none'}): the budget stays"
    return source.changed(replace(source.flavor, invariants=wanted), source.budget, step)


def to_zero_concentrated(source: Release) -> Release:
    """From pure DP to zCDP: ρ² = ε²/2.

    Raises:
        InputError: the measure is not pure.

    Source: Bun and Steinke (2016), Proposition 1.4.
    """
    if source.flavor.measure is not Measure.PURE:
        raise InputError(f"measure must be PURE to become zero-concentrated; got {source.flavor.measure.name}")
    budget = Enclosure(source.budget.lower**2 / 2, source.budget.upper**2 / 2)
    step = "pure to zero-concentrated: rho^2 = epsilon^2/2"
    return source.changed(replace(source.flavor, measure=Measure.ZERO_CONCENTRATED), budget, step)


def to_approximate(source: Release, delta: Exact, rule: Rule) -> Release:
    """From zCDP to (ε, δ)-DP by a stated rule.

    Raises:
        InputError: the measure is not zero-concentrated, its ρ² is not exact, or δ is outside (0, 1).

    Source: article, Remark 4, for `Rule.PRINTED`; `spec.zcdp` for both.
    """
    if source.flavor.measure is not Measure.ZERO_CONCENTRATED:
        raise InputError(f"measure must be ZERO_CONCENTRATED to become approximate; got {source.flavor.measure.name}")
    rho2 = source.exact_budget
    if rho2 is None:
        raise InputError(f"budget must be exact to be converted; got the enclosure {source.budget.text()}")
    function = zcdp_to_approximate if rule is Rule.PRINTED else smallest_zcdp_to_approximate
    budget = function(rho2, delta)
    step = f"zero-concentrated to (epsilon, delta) at delta = {exact('delta', delta)} by {rule.value}"
    flavor = replace(source.flavor, measure=Measure.APPROXIMATE)
    return source.changed(flavor, budget, step, delta=exact("delta", delta))
