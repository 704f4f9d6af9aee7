"""Rational laws that stand for laws with irrational probabilities, up to a stated relative error.

Probabilities of discrete Gaussian draws, and others that are only known between two rationals, are enclosed; sums of
powers of e are exact, and engines for rational laws compute with enclosures of them too. Each law P is represented by a
rational P̃ with |ln(P(t)/P̃(t))| ≤ λ for every outcome t; laws with one representative need not be equal, and laws
with different ones are not. What a claim says of P follows from a slightly stronger or weaker claim about P̃:

- D_Mult^δ(P, Q) ≤ D_Mult^(δ/c)(P̃, Q̃) + 2λ and D_Mult^(δ·c)(P̃, Q̃) ≤ D_Mult^δ(P, Q) + 2λ with c = e^λ;
- |D_TV(P, Q) − D_TV(P̃, Q̃)| ≤ e^λ − 1, and so |E_γ(P, Q) − E_γ(P̃, Q̃)| ≤ 2(e^2λ − 1) for γ ≥ 1, since γ·Q ≤ P where
  E_γ is attained;
- for D_NoR², S ≤ (1 + t)(S̃ + 2λ/t) and S̃ ≤ (1 + t)(S + 2λ/t) for every t > 0: for α ≥ 1 + t each of D_α/α moves by at
  most 2λ/t, and below that D_α ≤ D_(1+t), since D_α is nondecreasing in α;
- |KL − KL~| ≤ 2λ + 2(e^λ − 1)(2 + KL), since Σ P·|ln(P/Q)| ≤ KL + 2; |D_α − D_α~| ≤ (2α − 1)λ/(α − 1);
- 1 + χ² and 1 − H² move by factors of at most e^3λ and e^λ;
- Φ⁻¹(Q(E)) − Φ⁻¹(P(E)) moves by at most 4λ for every event E: Φ⁻¹ has the slope 1/φ, and a ≤ 1.26·φ(Φ⁻¹(a)) for a ≤ ½,
  where 1 − a is the probability of an event too.
"""

from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from math import floor, isqrt
from types import MappingProxyType
from typing import Any

from stirred.mechanisms.interpreters.choice_runs import Runs, by_output, output_masses
from stirred.mechanisms.interpreters.choice_tree import ChoiceTree, tree_masses
from stirred.mechanisms.source import Weight
from stirred.spec.arguments import InputError
from stirred.spec.laws.enclosed_share import EnclosedShare
from stirred.spec.laws.gaussian_share import GaussianShare
from stirred.spec.laws.law import Law
from stirred.spec.numbers.ball import Ball, ball_of, dyadic, precision
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.spec.output_premetrics import NormalizedRenyi, OutputPremetric, Renyi, Tradeoff
from stirred.verify.evidence.finding import EngineError

_WORKING_BITS = 640
_KEPT_BITS = 320

LOG_ERROR = Fraction(1, 2**256)
"""λ where probabilities are enclosed to any width: how far logarithms of a probability and its rational may differ."""

_WIDEST = Fraction(1, 2**20)
"""The largest λ of enclosures that are given."""


def is_irrational(weights: Sequence[tuple[Weight, ...]]) -> bool:
    """Whether some choice is weighed by what is only enclosed."""
    return any(isinstance(weight, (GaussianShare, EnclosedShare)) for row in weights for weight in row)


def relative_margin(measure: OutputPremetric, log_error: Fraction) -> Fraction | None:
    """A number c with |D(P, Q) − D(P̃, Q̃)| ≤ c·(1 + D), whichever D is on the right; None where none is known here.

    For D_Mult^δ, with δ moved by e^λ besides.
    """
    if isinstance(measure, Tradeoff):
        return None
    if isinstance(measure, NormalizedRenyi):
        root = Fraction(isqrt(log_error.numerator) + 1, isqrt(log_error.denominator))
        return 4 * root
    if isinstance(measure, Renyi):
        return (2 * measure.order - 1) / (measure.order - 1) * log_error
    return 16 * log_error


def _ball(weight: Weight) -> Ball:
    if isinstance(weight, RationalFunction):
        raise InputError("a parameter is left open beside a discrete Gaussian, whose loss has no known closed form")
    return ball_of(weight) if isinstance(weight, Fraction) else weight.ball()


class NearbyLaws:
    """The laws of one mechanism, each with the rational law that stands for it.

    Attributes:
        log_error: λ of all of them.
        are_enclosed: whether some weight is known between two rationals alone.
    """

    def __init__(self) -> None:
        self.log_error = LOG_ERROR
        self.are_enclosed = False
        self._kept: dict[frozenset[Hashable], list[tuple[Law[Any], Fraction]]] = {}

    def law(self, tree: ChoiceTree, runs: Runs | None = None) -> Law[Any] | None:
        """The rational law that stands for that of a tree's output; None where the runs give another law.

        The runs are the same choices listed a second way, where the two are to be compared.
        """
        is_enclosed = any(isinstance(weight, EnclosedShare) for row in tree.weights for weight in row)
        self.are_enclosed |= is_enclosed
        with precision(_WORKING_BITS):
            masses = dict(zip(tree.outputs, tree_masses(tree.weights, tree.nodes, _ball), strict=False))
            if runs is not None:
                again = by_output(runs, output_masses(runs.weights, runs.nodes, _ball))
                if masses.keys() != again.keys() or not all(masses[t].overlaps(again[t]) for t in masses):
                    return None
            law, error = rounded(masses, _WIDEST / 16 if is_enclosed else LOG_ERROR / 16)
            return self._representative(law, max(error, LOG_ERROR / 16))

    def _representative(self, law: Law[Any], error: Fraction) -> Law[Any]:
        """The law that stands for this one too: the first that differs by so little that it may be the same.

        Rationals of equal laws are at most twice the errors apart, relatively.
        """
        self.log_error = max(self.log_error, 16 * error)
        known = self._kept.setdefault(frozenset(law), [])
        for other, its in known:
            apart = max(abs(law.numeric(t) / other.numeric(t) - 1) for t in law)
            if apart <= 4 * max(error, its):
                return other
            if apart <= 16 * max(error, its) and not self.are_enclosed:
                raise EngineError("two laws are too close to decide whether they are equal")
        known.append((law, error))
        return law


def laws_at_exponential(laws: Mapping[Any, Law[Any]], exponent: Fraction) -> dict[Any, Law[Any]]:
    """The rational laws that stand for those of rational functions at e^−exponent; equal ones for equal laws alone.

    >>> x = RationalFunction([0, 1])
    >>> law = laws_at_exponential({0: Law({"a": x, "b": 1 - x})}, Fraction(1))[0]
    >>> round(float(law["a"]), 6)
    0.367879
    """
    known: dict[Law[Any], Law[Any]] = {}
    with precision(_WORKING_BITS):
        x = (-ball_of(exponent)).exp()
        for law in laws.values():
            if law not in known:
                balls = {t: ball_of(mass) if isinstance(mass, Fraction) else mass.at_ball(x) for t, mass in law.items()}
                known[law], _ = rounded(balls, LOG_ERROR / 16, law)
    if len(set(known.values())) < len(known):
        raise EngineError("two laws that differ have one rational law that stands for both")
    return {x: known[law] for x, law in laws.items()}


def rounded(
    masses: Mapping[Any, Ball], most: Fraction, exact: Mapping[Any, object] = MappingProxyType({})
) -> tuple[Law[Any], Fraction]:
    """Rationals with 320 bits of each probability, the largest what is left of 1; and their largest relative error.

    Probabilities that are known as rationals stay as they are.

    Raises:
        EngineError: an error is above `most`.
    """
    numbers = {outcome: mass for outcome, mass in exact.items() if isinstance(mass, Fraction)}
    for outcome, ball in masses.items():
        if outcome in numbers:
            continue
        if not ball.is_finite() or not ball > 0:
            raise EngineError(f"the probability of {outcome!r} is not enclosed")
        middle = dyadic(ball.mid())
        scale = Fraction(2) ** (_KEPT_BITS + middle.denominator.bit_length() - middle.numerator.bit_length())
        numbers[outcome] = Fraction(floor(middle * scale)) / scale
    free = sorted((outcome for outcome in masses if not isinstance(exact.get(outcome), Fraction)), key=repr)
    largest = max(free or sorted(masses, key=repr), key=numbers.__getitem__)
    numbers[largest] = 1 - sum((number for outcome, number in numbers.items() if outcome != largest), Fraction(0))
    errors = [Fraction(0)]
    for outcome, ball in masses.items():
        error = dyadic((abs(ball - ball_of(numbers[outcome])).upper() / ball.lower()).upper())
        if not error <= most:
            raise EngineError(f"the probability of {outcome!r} is not enclosed narrowly enough")
        errors.append(error)
    return Law(numbers), max(errors)
