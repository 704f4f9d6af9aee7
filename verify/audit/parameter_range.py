"""The exhaustive audit of a mechanism for all values of one parameter at once: its loss is a function of the parameter.

Data sets are listed, the parameter is not: the laws are rational functions of it, and whether they exceed a budget is
the sign of polynomials. That the code does the same at every value is an assumption; it is run at some values too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from spec.algebraic_number import AlgebraicNumber, between
from spec.arguments import InputError
from spec.open_parameter import OpenParameter
from spec.output_premetrics import Multiplicative
from verify.audit.audited_laws import claimed_laws
from verify.audit.budget_cover import loss_bounds
from verify.audit.claim_blocks import BuiltClaim, Case
from verify.audit.claim_budget import ClaimedBudget
from verify.audit.exhaustion import Exhaustion
from verify.audit.exponential_parameter import over_exponential
from verify.engines.loss_function import LossFunction, loss_function
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.outside.foreign import Limits
from verify.reports.lines import counted

__all__ = ["exhaust_over_parameter"]

_UNLIKELY = Fraction(17, 41)
"""Where in the interval the value lies that code will hardly single out."""


@dataclass(frozen=True)
class _OverParameter(Exhaustion):
    """By the laws of every data set as functions of the open parameter; the smallest budget is a `LossFunction`."""

    at: Callable[[Fraction], Exhaustion | None]

    @property
    def finding(self) -> Evidence:
        return Evidence(Verdict.DECIDED, self.scope, f"the smallest budget is {self.smallest}")

    def test(self, budget: ClaimedBudget) -> Evidence:
        function: LossFunction = self.smallest
        for low, high in loss_bounds(budget):
            if function.exceeding(low) is None:
                sentence = f"met: the claimed {budget.text} covers the smallest budget, {function}"
                return Evidence(Verdict.DECIDED, self.scope, sentence)
            if (point := function.exceeding(high)) is not None:
                return self._refuted(point, budget)
        return Evidence(
            Verdict.OPEN, self.scope, f"the largest value of {function} and {budget.text} agree to 48 digits"
        )

    def _refuted(self, point: Fraction, budget: ClaimedBudget) -> Evidence:
        """The refutation by the mechanism itself at one value of the parameter."""
        found = self.at(point)
        if found is None or found.smallest != self.smallest.at(point):
            raise EngineError(f"the loss at {self.smallest.symbol} = {point} and the function of it disagree")
        evidence = found.test(budget)
        return Evidence(
            evidence.verdict,
            evidence.scope,
            f"at {self.smallest.symbol} = {point}: {evidence.detail}",
            evidence.witness,
        )


def exhaust_over_parameter(
    built: BuiltClaim,
    case: Case,
    opened: OpenParameter,
    limits: Limits,
    *,
    at: Callable[[Mapping[str, Any]], Exhaustion | None],
) -> Exhaustion:
    """The smallest budget as a function of the open parameter.

    Args:
        built: a claim of pure privacy about a mechanism of the user's own on a finite domain.
        case: the setting that leaves the parameter open.
        opened: the values of the parameter.
        limits: under which the mechanism runs.
        at: the exhaustive audit at a setting with a number for the parameter.

    Raises:
        InputError: the output premetric is another one than D_Mult, the mechanism fails on a data set, a probability
            vanishes at some of the values only, or the code does something else at a value than for all of them.
    """
    flavor, mechanism = built.flavor, built.mechanism
    if flavor is None or mechanism is None:
        raise EngineError("an open parameter must belong to a mechanism on a finite flavor")
    (symbol,) = (name for name, value in case.setting.items() if value is opened)
    if flavor.output_premetric != Multiplicative():
        raise InputError(
            f"{mechanism.place}: {symbol} is left open, for which the output premetric must be 'multiplicative'; got "
            f"{flavor.output_premetric.described()!r}: give {symbol} a rational number"
        )
    audited = claimed_laws(built, case.setting, limits)
    function = loss_function(
        audited.exact(mechanism.place),
        flavor,
        symbol=symbol,
        low=opened.low,
        high=opened.high,
        is_closed=opened.is_closed,
    )
    tried = _tried(opened)
    for value in tried:
        numeric = claimed_laws(built, {**case.setting, symbol: value}, limits).laws
        for point in flavor.domain:
            if audited.laws[point].at(value) != numeric[point]:
                raise InputError(
                    f"{mechanism.place}: on the data set {point!r}: the mechanism must treat all values of {symbol} "
                    f"alike for it to be left open; at {symbol} = {value} its law is another one"
                )
    if opened.exponent is not None:
        return over_exponential(built, function, opened.exponent, audited, mechanism.described(case.setting))
    compared = " and ".join(", ".join(map(str, tried)).rsplit(", ", 1))
    scope = (
        f"every pair in {counted(len(flavor.multiverse), 'universe')}, {len(flavor.domain)} {flavor.domain.name}, "
        f"{flavor.output_premetric.name}, {flavor.input_premetric.name}; every {symbol} in {opened}, by the signs of "
        f"polynomials; {mechanism.described(case.setting)}; if its code treats all values of {symbol} alike, compared "
        f"at {compared}; {audited.assumed}"
    )
    return _OverParameter(function, "", scope, lambda value: at({**case.setting, symbol: value}))


def _tried(opened: OpenParameter) -> list[Fraction]:
    """Values at which the mechanism is run too: a simple one, one that code hardly singles out, and closed ends."""
    simple = between(AlgebraicNumber.of(opened.low), AlgebraicNumber.of(opened.high))
    ends = [opened.low, opened.high] if opened.is_closed else []
    return [simple, opened.low + (opened.high - opened.low) * _UNLIKELY, *ends]
