"""Rational laws that stand for laws with irrational probabilities, up to a stated relative error.

A mechanism that compares discrete Gaussian draws has probabilities that are only enclosed. Each law P is represented by
a rational P̃ with |ln(P(t)/P̃(t))| ≤ λ for every outcome t; laws with one representative need not be equal, and laws
with different ones are not. What a claim says of P follows from a slightly stronger or weaker claim about P̃:

- D_Mult^δ(P, Q) ≤ D_Mult^(δ/c)(P̃, Q̃) + 2λ and D_Mult^(δ·c)(P̃, Q̃) ≤ D_Mult^δ(P, Q) + 2λ with c = e^λ;
- |D_TV(P, Q) − D_TV(P̃, Q̃)| ≤ e^λ − 1;
- for D_NoR², S ≤ (1 + t)(S̃ + 2λ/t) and S̃ ≤ (1 + t)(S + 2λ/t) for every t > 0: for α ≥ 1 + t each of D_α/α moves by at
  most 2λ/t, and below that D_α ≤ D_(1+t), since D_α is nondecreasing in α.
"""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Any

from stirred.mechanisms.interpreters.choice_runs import Runs, by_output, output_masses
from stirred.mechanisms.interpreters.choice_tree import ChoiceTree, tree_masses
from stirred.mechanisms.source import Weight
from stirred.spec.arguments import InputError
from stirred.spec.laws.gaussian_share import GaussianShare
from stirred.spec.laws.law import Law
from stirred.spec.numbers.ball import Ball, ball_of, dyadic, precision
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.verify.evidence.finding import EngineError

_WORKING_BITS = 640
_KEPT_BITS = 320

LOG_ERROR = Fraction(1, 2**256)
"""λ: how far the logarithms of a probability and of the one that stands for it may be apart."""

_NEAR = LOG_ERROR / 4
"""Rationals of equal laws are at most half as far apart, relatively: four times as far, and the laws differ."""


def is_irrational(weights: Sequence[tuple[Weight, ...]]) -> bool:
    """Whether some choice is weighed by a Gaussian's shares."""
    return any(isinstance(weight, GaussianShare) for row in weights for weight in row)


def renyi_margin(bound: Fraction) -> Fraction:
    """By how much a bound on D_NoR² is to be moved, at least: with t = 2^−128, t·bound + (1 + t)·2λ/t."""
    return (1 + bound) / 2**120


def _ball(weight: Weight) -> Ball:
    if isinstance(weight, RationalFunction):
        raise InputError("a parameter is left open beside a discrete Gaussian, whose loss has no known closed form")
    return ball_of(weight) if isinstance(weight, Fraction) else weight.ball()


class NearbyLaws:
    """The laws of one mechanism, each with the rational law that stands for it."""

    def __init__(self) -> None:
        self._kept: dict[frozenset[Hashable], list[Law[Any]]] = {}

    def law(self, tree: ChoiceTree, runs: Runs | None = None) -> Law[Any] | None:
        """The rational law that stands for that of a tree's output; None where the runs give another law.

        The runs are the same choices listed a second way, where the two are to be compared.
        """
        with precision(_WORKING_BITS):
            masses = dict(zip(tree.outputs, tree_masses(tree.weights, tree.nodes, _ball), strict=False))
            if runs is not None:
                again = by_output(runs, output_masses(runs.weights, runs.nodes, _ball))
                if masses.keys() != again.keys() or not all(masses[t].overlaps(again[t]) for t in masses):
                    return None
            return self._representative(_rounded(masses))

    def _representative(self, law: Law[Any]) -> Law[Any]:
        """The law that stands for this one too: the first that differs by so little that it may be the same."""
        known = self._kept.setdefault(frozenset(law), [])
        for other in known:
            apart = max(abs(law.numeric(t) / other.numeric(t) - 1) for t in law)
            if apart <= _NEAR:
                return other
            if apart <= 4 * _NEAR:
                raise EngineError("two laws are too close to decide whether they are equal")
        known.append(law)
        return law


def _rounded(masses: Mapping[Any, Ball]) -> Law[Any]:
    """Rationals with 320 bits of each probability; the largest is what is left of 1."""
    numbers = {}
    for outcome, ball in masses.items():
        if not ball.is_finite() or not ball > 0:
            raise EngineError(f"the probability of {outcome!r} is not enclosed")
        middle = dyadic(ball.mid())
        scale = Fraction(2) ** (_KEPT_BITS + middle.denominator.bit_length() - middle.numerator.bit_length())
        numbers[outcome] = Fraction(floor(middle * scale)) / scale
    largest = max(numbers, key=numbers.__getitem__)
    numbers[largest] = 1 - sum((number for outcome, number in numbers.items() if outcome != largest), Fraction(0))
    for outcome, ball in masses.items():
        error = abs(ball - ball_of(numbers[outcome])).upper() / ball.lower()
        if not dyadic(error.upper()) <= _NEAR / 4:
            raise EngineError(f"the probability of {outcome!r} is not enclosed narrowly enough")
    return Law(numbers)
