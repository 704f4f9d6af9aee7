"""The integral of densities under linear conditions, by elimination of one variable after another.

A variable x can go as soon as what else its forms hold is one form y, up to factors: ∫ f(x)·Π g(α·x + γ·y) dx is a
function of y. Trees of comparisons lose their leaves so, chains of prefix sums their last terms, and a sum that stands
in one condition all of its terms. Where no variable can, cases are told apart by which bound of x is the least and
which the greatest, as Fourier and Motzkin do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import factorial
from typing import Any

from stirred.mechanisms.reading.linear_ranges import EmptyRangeError, linear_range
from stirred.mechanisms.reading.pieces import Pieces

Form = tuple[tuple[int, Fraction], ...]
"""Variables and their coefficients, none 0, in order."""

Inequality = tuple[Form, Fraction]
"""A form and its bound: Σ c·z ≤ bound."""

_End = tuple[Form, Fraction]
"""Σ c·z + shift."""

_MOST_CASES = 3_000


class TiedError(ArithmeticError):
    """Variables cannot be eliminated one by one, or only in too many cases."""


def form_of(terms: Mapping[int, Fraction]) -> Form:
    """The form with these coefficients."""
    return tuple(sorted((variable, c) for variable, c in terms.items() if c))


def leading(form: Form) -> tuple[Fraction, Form]:
    """A form as a multiple of one whose first coefficient is 1."""
    first = form[0][1]
    return first, (form if first == 1 else tuple((variable, c / first) for variable, c in form))


def solved_for(pivot: int, terms: Mapping[int, Fraction], value: int) -> Callable[[Form], Form]:
    """What forms are when z_pivot is replaced by value − Σ others, where value stands for (Σ terms·z)/terms[pivot]."""
    replaced = {value: Fraction(1)} | {one: -c / terms[pivot] for one, c in terms.items() if one != pivot}

    def in_value(form: Form) -> Form:
        given = dict(form)
        c = given.pop(pivot, Fraction(0))
        for one, ratio in replaced.items():
            given[one] = given.get(one, Fraction(0)) + c * ratio
        return form_of(given)

    return in_value


@dataclass(frozen=True)
class Integrand:
    """A product of functions, each of one form, where conditions hold.

    Attributes:
        functions: by their forms, whose first coefficients are 1.
        conditions: on forms of several variables.
        scalar: what it is multiplied by, as c by r: Σ c·e^r.
    """

    functions: Mapping[Form, tuple[Pieces, ...]]
    conditions: tuple[Inequality, ...]
    scalar: Mapping[int, Any]


class Elimination:
    """Eliminates the variables of a product of densities.

    Args:
        algebra: computes with the functions: `PieceAlgebra`, or `IntegerAlgebra` where variables are integers.
    """

    def __init__(self, algebra: Any) -> None:
        self._algebra = algebra
        self._cases = 0

    def integrand(self, densities: Iterable[tuple[Form, Pieces]], conditions: Iterable[Inequality]) -> Integrand:
        """The product of functions of forms, where conditions hold."""
        return self._with(Integrand({}, (), {0: self._algebra.one}), densities, conditions)

    def integral(self, given: Integrand) -> dict[int, Any]:
        """The integral over all variables, as c by r: Σ c·e^r.

        Raises:
            TiedError: there are too many cases.
        """
        left = self._untied(given, None)
        if not left.functions:
            return dict(left.scalar)
        try:
            left, before = self._needed(left), left
        except EmptyRangeError:
            return {}
        if not self._algebra.has_cases:
            if len(left.conditions) == len(before.conditions):
                raise TiedError(f"{len(_variables(left))} integers are compared in a cycle: clamp one of them first")
            return self.integral(left)
        found: dict[int, Any] = {}
        for case in self._cases_of(left):
            self._cases += 1
            if self._cases > _MOST_CASES:
                raise TiedError(f"{len(_variables(given))} draws are tied so that more than {_MOST_CASES} cases arise")
            for r, c in self.integral(case).items():
                found[r] = found.get(r, 0) + c
        return {r: c for r, c in found.items() if c}

    def function_of(self, variable: int, given: Integrand) -> tuple[Pieces, dict[int, Any]]:
        """What is left of one variable when the others are eliminated, and a number to multiply it by.

        Raises:
            TiedError: they are tied otherwise than in a tree.
        """
        left = self._untied(given, variable)
        alone: Form = ((variable, Fraction(1)),)
        if left.functions.keys() != {alone}:
            raise TiedError(f"{len(_variables(given))} draws are tied by conditions that form no tree")
        return self._algebra.product(left.functions[alone]), dict(left.scalar)

    def _with(
        self, given: Integrand, functions: Iterable[tuple[Form, Pieces]], conditions: Iterable[Inequality]
    ) -> Integrand:
        """The integrand times functions, where conditions hold as well; those on one variable are functions of it."""
        new = dict(given.functions)
        kept = list(given.conditions)
        extra = []
        for form, bound in conditions:
            if len(form) > 1:
                kept.append((form, bound))
            elif form:
                end = bound / form[0][1]
                ends = (None, end) if form[0][1] > 0 else (end, None)
                extra.append((((form[0][0], Fraction(1)),), self._algebra.indicator(*ends)))
            elif bound < 0:
                return Integrand({}, (), {})
        for given_form, function in (*functions, *extra):
            slope, form = leading(given_form)
            new[form] = (*new.get(form, ()), self._algebra.composed(function, slope))
        return Integrand(new, tuple(kept), given.scalar)

    def _untied(self, given: Integrand, kept: int | None) -> Integrand:
        """What is left when every variable is eliminated that can be without cases."""
        functions, scalar = {form: list(one) for form, one in given.functions.items()}, given.scalar
        indicators = self._indicators(given.conditions)
        while scalar:
            left = dict.fromkeys([variable for form in functions for variable, _ in form if variable != kept])
            choices = [(cost, one) for one in left if (cost := _cost(one, functions, indicators)) is not None]
            if not choices:
                break
            _, variable = min(choices)
            function = self._algebra.product(functions.pop(((variable, Fraction(1)),), ()))
            triples, rest = [], None
            for form in _others(variable, {**functions, **indicators}):
                ratio, rest = leading(_without(form, variable))
                inside = [*functions.pop(form, ()), *((indicators.pop(form),) if form in indicators else ())]
                triples.append((dict(form)[variable], ratio, self._algebra.product(inside)))
            if rest is None:
                scalar = times(scalar, self._algebra.total(function))
            else:
                functions.setdefault(rest, []).append(self._algebra.integrated(function, triples))
        if not scalar:
            return Integrand({}, (), {})
        conditions = tuple(one for one in given.conditions if leading(one[0])[1] in indicators)
        return Integrand({form: tuple(one) for form, one in functions.items()}, conditions, scalar)

    def _indicators(self, conditions: Iterable[Inequality]) -> dict[Form, Pieces]:
        """What is 1 where conditions hold, else 0; two opposite ones are one interval."""
        lows: dict[Form, Fraction] = {}
        highs: dict[Form, Fraction] = {}
        for given, bound in conditions:
            scale, form = leading(given)
            end = bound / scale
            if scale > 0:
                highs[form] = min(end, highs.get(form, end))
            else:
                lows[form] = max(end, lows.get(form, end))
        return {form: self._algebra.indicator(lows.get(form), highs.get(form)) for form in {**lows, **highs}}

    def _needed(self, given: Integrand) -> Integrand:
        """The integrand without conditions that the others imply.

        Raises:
            EmptyRangeError: no point meets all conditions.
        """
        supports = [one for form, functions in given.functions.items() for one in _supports(form, functions)]
        kept = list(given.conditions)
        for one in given.conditions:
            others = [other for other in kept if other is not one]
            form, bound = one
            low, high = linear_range(dict(form), [(dict(f), b) for f, b in (*others, *supports)])
            if low is not None and low > bound:
                raise EmptyRangeError("no point meets all conditions")
            if high is not None and high <= bound:
                kept = others
        return Integrand(given.functions, tuple(kept), given.scalar)

    def _cases_of(self, given: Integrand) -> Iterator[Integrand]:
        """Integrands that sum to this one: a variable is freed in each, or a function of several is spread."""
        ranked = []
        for variable in _variables(given):
            mixed = [form for form in given.functions if len(form) > 1 and variable in dict(form)]
            bounds = [dict(form)[variable] > 0 for form, _ in given.conditions if variable in dict(form)]
            ranked.append((len(mixed), max(1, sum(bounds)) * max(1, len(bounds) - sum(bounds)), variable, mixed))
        _, _, variable, mixed = min(ranked, key=lambda one: one[:3])
        yield from self._spread(given, mixed[0]) if mixed else self._bounded(given, variable)

    def _bounded(self, given: Integrand, x: int) -> Iterator[Integrand]:
        """By the least of the bounds above x and the greatest below."""
        alone: Form = ((x, Fraction(1)),)
        rest = {form: one for form, one in given.functions.items() if form != alone}
        anti = self._algebra.cumulated(self._algebra.product(given.functions[alone]))
        others = tuple(one for one in given.conditions if x not in dict(one[0]))
        bounds: dict[bool, list[_End]] = {True: [], False: []}
        for form, bound in given.conditions:
            if c := dict(form).get(x):
                # x is at most, or at least, shift + Σ slopes·others
                bounds[c > 0].append((tuple((one, -d / c) for one, d in _without(form, x)), bound / c))
        ends: tuple[Sequence[_End | None], ...] = (bounds[True] or [None], bounds[False] or [None])
        for above, below in product(*ends):
            conditions = [_at_most(above, one) for one in bounds[True] if above and one is not above]
            conditions += [_at_most(one, below) for one in bounds[False] if below and one is not below]
            conditions += [_at_most(below, above)] if above and below else []
            for end, sign in ((above, 1), (below, -1)):
                if end is None:
                    limit = self._algebra.limit(anti, sign)
                    scalar = times(given.scalar, {r: sign * c for r, c in limit.items()})
                    case = Integrand(rest, others, scalar)
                    new = []
                else:
                    form, shift = end
                    case = Integrand(rest, others, {r: sign * c for r, c in given.scalar.items()})
                    new = [(form, self._algebra.composed(anti, Fraction(1), shift))]
                if case.scalar:
                    yield self._with(case, new, conditions)

    def _spread(self, given: Integrand, form: Form) -> Iterator[Integrand]:
        """A function of a form of several variables, as sums of products of functions of one, between its cuts."""
        function = self._algebra.product(given.functions[form])
        rest = Integrand(
            {one: functions for one, functions in given.functions.items() if one != form},
            given.conditions,
            given.scalar,
        )
        opposite = tuple((one, -c) for one, c in form)
        for place, piece in enumerate(function.terms):
            low, high = function.ends(place)
            conditions = [(form, high)] if high is not None else []
            conditions += [(opposite, -low)] if low is not None else []
            for (k, a, r), coefficient in piece.items():
                for powers in _compositions(k, len(form)):
                    new, c = [], self._algebra.coefficient(Fraction(factorial(k)))
                    for (variable, slope), power in zip(form, powers, strict=True):
                        c *= self._algebra.coefficient(slope**power / factorial(power))
                        terms = {(power, self._algebra.rate(a * slope), 0): self._algebra.one}
                        new.append((((variable, Fraction(1)),), Pieces([], [terms])))
                    case = Integrand(rest.functions, rest.conditions, times(rest.scalar, {r: c * coefficient}))
                    yield self._with(case, new, conditions)


def _at_most(one: _End, other: _End) -> Inequality:
    """The condition that a form and a shift are at most others."""
    terms = dict(one[0])
    for variable, c in other[0]:
        terms[variable] = terms.get(variable, Fraction(0)) - c
    return form_of(terms), other[1] - one[1]


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for others in _compositions(total - first, parts - 1):
            yield (first, *others)


def _variables(given: Integrand) -> set[int]:
    return {variable for form in given.functions for variable, _ in form}


def _supports(form: Form, functions: Iterable[Pieces]) -> Iterator[Inequality]:
    """Between which ends a form lies where functions of it are not 0."""
    for function in functions:
        if not function.terms[0] and function.cuts:
            yield tuple((one, -c) for one, c in form), -function.cuts[0]
        if not function.terms[-1] and function.cuts:
            yield form, function.cuts[-1]


def _others(variable: int, forms: Iterable[Form]) -> list[Form]:
    return [form for form in forms if len(form) > 1 and any(one == variable for one, _ in form)]


def _cost(
    variable: int, functions: Mapping[Form, Sequence[Pieces]], indicators: Mapping[Form, Pieces]
) -> tuple[int, int] | None:
    """How much there is to integrate; None where a variable is tied to more than one form."""
    others = _others(variable, {**functions, **indicators})
    if len({leading(_without(form, variable))[1] for form in others}) > 1:
        return None
    return len(others), sum(len(one.cuts) for form in others for one in functions.get(form, ()))


def _without(form: Form, variable: int) -> Form:
    return tuple(pair for pair in form if pair[0] != variable)


def times(one: Mapping[int, Any], other: Mapping[int, Any]) -> dict[int, Any]:
    """The product of two sums Σ c·e^r."""
    found: dict[int, Any] = {}
    for r, c in one.items():
        for s, d in other.items():
            found[r + s] = found.get(r + s, 0) + c * d
    return {r: c for r, c in found.items() if c}
