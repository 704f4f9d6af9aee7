"""The integral of a product of functions, each of one linear form, by elimination of one variable after another.

A variable can go as soon as what else its forms hold is one form y, up to a factor: ∫ f(x)·Π g(α·x + γ·y) dx is a
function of y. Trees of comparisons lose their leaves so, chains of prefix sums their last terms, and a sum that stands
in one condition all of its terms.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.reading.pieces import PieceAlgebra, Pieces

Form = tuple[tuple[int, Fraction], ...]
"""Variables and their coefficients, none 0, in order."""


class TiedError(ArithmeticError):
    """No variable can be eliminated alone."""


@dataclass(frozen=True)
class Factor:
    """A function of one linear form."""

    form: Form
    function: Pieces


def form_of(terms: Mapping[int, Fraction]) -> Form:
    """The form with these coefficients."""
    return tuple(sorted((variable, c) for variable, c in terms.items() if c))


def leading(form: Form) -> tuple[Fraction, Form]:
    """A form as a multiple of one whose first coefficient is 1."""
    first = form[0][1]
    return first, (form if first == 1 else tuple((variable, c / first) for variable, c in form))


class Elimination:
    """Eliminates the variables of some factors.

    Args:
        algebra: computes with the functions.
        factors: of which each variable has a density.
    """

    def __init__(self, algebra: PieceAlgebra, factors: Sequence[Factor]) -> None:
        self._algebra = algebra
        self._by_form: dict[Form, list[Pieces]] = {}
        self._scalars: list[dict[int, Any]] = []
        for factor in factors:
            self._add(factor)

    def integral(self) -> dict[int, Any]:
        """The integral over all variables, as c by r: Σ c·e^r.

        Raises:
            TiedError: the forms are tied otherwise than in a tree.
        """
        self._eliminate_all_but(None)
        found = {0: self._algebra.one}
        for scalar in self._scalars:
            found = times(found, scalar)
        return found

    def function_of(self, variable: int) -> tuple[Pieces, dict[int, Any]]:
        """What is left of one variable when the others are eliminated, and a number to multiply it by."""
        self._eliminate_all_but(variable)
        found = {0: self._algebra.one}
        for scalar in self._scalars:
            found = times(found, scalar)
        return self._algebra.product(self._by_form[(variable, Fraction(1)),]), found

    def _add(self, factor: Factor) -> None:
        slope, form = leading(factor.form)
        self._by_form.setdefault(form, []).append(self._algebra.composed(factor.function, slope))

    def _eliminate_all_but(self, kept: int | None) -> None:
        while left := {variable for form in self._by_form for variable, _ in form if variable != kept}:
            choices = [(cost, one) for one in left if (cost := self._cost(one)) is not None]
            if not choices:
                raise TiedError(f"{len(left)} draws are tied by conditions that form no tree")
            self._eliminate(min(choices)[1])

    def _others(self, variable: int) -> list[Form]:
        return [form for form in self._by_form if len(form) > 1 and any(one == variable for one, _ in form)]

    def _cost(self, variable: int) -> tuple[int, int] | None:
        """How much there is to integrate; None where a variable is tied to more than one form."""
        others = self._others(variable)
        if len({leading(_without(form, variable))[1] for form in others}) > 1:
            return None
        functions = [one for form in others for one in self._by_form[form]]
        return len(others), sum(len(one.cuts) for one in functions)

    def _eliminate(self, variable: int) -> None:
        alone: Form = ((variable, Fraction(1)),)
        function = self._algebra.product(self._by_form.pop(alone, ()))
        triples, rest = [], None
        for form in self._others(variable):
            ratio, rest = leading(_without(form, variable))
            product = self._algebra.product(self._by_form.pop(form))
            triples.append((dict(form)[variable], ratio, product))
        if rest is None:
            self._scalars.append(self._algebra.total(function))
        else:
            self._by_form.setdefault(rest, []).append(self._algebra.integrated(function, triples))


def _without(form: Form, variable: int) -> Form:
    return tuple(pair for pair in form if pair[0] != variable)


def times(one: Mapping[int, Any], other: Mapping[int, Any]) -> dict[int, Any]:
    """The product of two sums Σ c·e^r."""
    found: dict[int, Any] = {}
    for r, c in one.items():
        for s, d in other.items():
            found[r + s] = found.get(r + s, 0) + c * d
    return {r: c for r, c in found.items() if c}
