"""Evidence for the discrete Gaussian: its divergences by exact algebra and enclosed sums, its sampler by its law."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil, floor, isqrt

from mechanisms.discrete_gaussian import discrete_gaussian
from spec.discrete_gaussian import (
    diagonal_zcdp_budget,
    gaussian_renyi_divergence,
    gaussian_sum,
    gaussian_zcdp_budget,
    point_probability,
)
from spec.enclosure import exponential, log
from verify.engines.bounded_law import bounded_law
from verify.engines.zcdp.gaussian_maximum import is_largest_at_integers
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, formula_witness
from verify.ledger import checks, refutes

_NARROW = (Fraction(1, 16), Fraction(1, 9), Fraction(1, 4), Fraction(1, 2))
"""The σ² for which f(c) ≤ f(0) is enclosed for all real c."""


@cache
def _is_maximal(scale: Fraction) -> bool | None:
    return is_largest_at_integers(scale)


def _sum_maximal(place: Fraction) -> Evidence:
    """Whether f(c) ≤ f(place) for all real c, at each σ²."""
    scope = f"sigma^2 = {', '.join(map(str, _NARROW))}, all real c"
    for scale in _NARROW:
        at_zero, here = gaussian_sum(scale, 0), gaussian_sum(scale, place)
        if at_zero.lower > here.upper:
            note = f"sigma^2 = {scale}: f(0) against f({place})"
            witness = formula_witness("f0 <= f", note=note, f0=at_zero.lower, f=here.upper)
            return Evidence(Verdict.REFUTED, scope, note, witness)
        if not _is_maximal(scale):
            return Evidence(Verdict.OPEN, scope, f"sigma^2 = {scale}")
    return Evidence(Verdict.ENCLOSED, scope)


@checks("gaussian.sum-maximal")
def sum_maximal() -> Evidence:
    """The maximum at integers."""
    return _sum_maximal(Fraction(0))


@refutes("gaussian.sum-maximal", "largest at half-integers")
def sum_maximal_at_half() -> Evidence:
    """The mutant with the other candidate."""
    return _sum_maximal(Fraction(1, 2))


def _renyi_integer(coefficient: Callable[[int], int]) -> Evidence:
    """Whether α(x−m)² + (1−α)x² = (x−αm)² − (α²−α)·coefficient(m) as polynomials in x, m and α.

    Both sides have degree at most 2 in each of the three, so that agreement on a grid of 3³ points is identity.
    """
    scope = (
        "all sigma^2 > 0: P^alpha Q^(1-alpha) = exp(-(x-alpha m)^2/(2 sigma^2) + (alpha^2-alpha) m^2/(2 sigma^2))/f(0) "
        "as polynomials in x, m, alpha; summed over Z, f(alpha m) = f(0)"
    )
    for x, m, a in product((0, 1, 2), (1, 2, 3), (2, 3, 4)):
        left = a * (x - m) ** 2 + (1 - a) * x**2
        right = (x - a * m) ** 2 - (a**2 - a) * coefficient(m)
        if left != right:
            witness = formula_witness("left == right", note=f"x = {x}, m = {m}, alpha = {a}", left=left, right=right)
            return Evidence(Verdict.REFUTED, scope, f"m = {m}", witness)
    return Evidence(Verdict.DECIDED, scope)


@checks("gaussian.renyi-integer")
def renyi_integer() -> Evidence:
    """Completing the square."""
    return _renyi_integer(lambda m: m**2)


@refutes("gaussian.renyi-integer", "m for m^2")
def renyi_integer_linear() -> Evidence:
    """The mutant with a linear shift."""
    return _renyi_integer(lambda m: m)


_SHIFTS = (1, 2, 3)
_SUMMED = (*_NARROW, Fraction(5))
_CLOSE = Fraction(1, 10**9)
_FAR = 12
"""Outcomes further than 12σ + 1 from 2m, where P²/Q is largest, are left out of the sums."""


@cache
def _square_terms(scale: Fraction, m: int) -> tuple[Fraction, ...]:
    """Lower bounds of P(x)²/Q(x) = e^((x² − 2(x−m)²)/(2σ²))/f(0) around x = 2m, P = N_ℤ(m, σ²) and Q = N_ℤ(0, σ²)."""
    reach = _FAR * (isqrt(scale.numerator // scale.denominator) + 1)
    total = gaussian_sum(scale).upper
    exponents = (Fraction(x**2 - 2 * (x - m) ** 2) / (2 * scale) for x in range(2 * m - reach, 2 * m + reach + 1))
    return tuple(max(exponential(exponent).lower, Fraction(0)) / total for exponent in exponents)


def _agrees(total: Fraction, budget: Fraction) -> bool:
    """Whether D_2/2 = ln(Σ P²/Q)/2, from the sum over the outcomes kept, is the budget to 10⁻⁹."""
    half = log(total).lower / 2
    return budget - _CLOSE <= half <= budget


def _differs(total: Fraction, budget: Fraction, note: str) -> Witness:
    half = log(total).lower / 2
    claimed = "half_renyi_2 <= budget" if half > budget else "half_renyi_2 >= budget - 10**-9"
    return formula_witness(claimed, note=f"{note}: D_2/2 by summing outcomes", half_renyi_2=half, budget=budget)


def _zcdp(claimed: Callable[[int, Fraction], Fraction]) -> Evidence:
    """Whether D_NoR² = claimed(m, σ²): D_2/2 is that by summing, and D_α/α is no larger for all α by f(αm) ≤ f(0)."""
    scope = (
        f"m = 1, 2, 3, both directions by symmetry: sigma^2 = {', '.join(map(str, _NARROW))} and all real alpha > 1; "
        "sigma^2 = 5 and alpha = 11/10, 3/2, 9/4; D_2/2 attains it to 10^-9 by summing outcomes"
    )
    for scale, m in product(_SUMMED, _SHIFTS):
        budget, total = claimed(m, scale), sum(_square_terms(scale, m), Fraction(0))
        note = f"sigma^2 = {scale}, m = {m}"
        if not _agrees(total, budget):
            return Evidence(Verdict.REFUTED, scope, note, _differs(total, budget, note))
        for order in (Fraction(11, 10), Fraction(3, 2), Fraction(9, 4)):
            found = gaussian_renyi_divergence(scale, m, order)
            if found.lower > order * budget:
                values = {"found": found.lower, "bound": order * budget}
                return Evidence(Verdict.REFUTED, scope, note, formula_witness("found <= bound", note=note, **values))
        if scale in _NARROW and not _is_maximal(scale):
            return Evidence(Verdict.OPEN, scope, note)
    return Evidence(Verdict.ENCLOSED, scope)


@checks("gaussian.zcdp")
def zcdp() -> Evidence:
    """m²/(2σ²)."""
    return _zcdp(lambda m, scale: gaussian_zcdp_budget(scale, m))


@refutes("gaussian.zcdp", "sigma for sigma^2")
def zcdp_of_deviation() -> Evidence:
    """The mutant with the standard deviation."""
    return _zcdp(lambda m, scale: Fraction(m**2) / (2 * Fraction(isqrt(scale.numerator), isqrt(scale.denominator))))


@refutes("gaussian.zcdp", "m for m^2")
def zcdp_of_linear_shift() -> Evidence:
    """The mutant with a linear shift."""
    return _zcdp(lambda m, scale: Fraction(m) / (2 * scale))


def _diagonal(combine: Callable[[list[Fraction]], Fraction]) -> Evidence:
    """Whether D_2/2 of two independent coordinates, summed over pairs of outcomes, is the claimed combination."""
    scales = (Fraction(1, 4), Fraction(1, 2))
    scope = "two coordinates with sigma^2 = 1/4 and 1/2, shifts 1, 2, 3, alpha = 2, to 10^-9 by summing outcomes"
    for shifts in product(_SHIFTS, repeat=2):
        first, second = (_square_terms(scale, m) for scale, m in zip(scales, shifts, strict=True))
        total = sum((a * b for a, b in product(first, second)), Fraction(0))
        budget = combine([diagonal_zcdp_budget((scale,), (m,)) for scale, m in zip(scales, shifts, strict=True)])
        if not _agrees(total, budget):
            note = f"shifts {shifts}"
            return Evidence(Verdict.REFUTED, scope, note, _differs(total, budget, note))
    return Evidence(Verdict.ENCLOSED, scope)


@checks("gaussian.diagonal")
def diagonal() -> Evidence:
    """The sum over coordinates."""
    return _diagonal(lambda parts: sum(parts, Fraction(0)))


@refutes("gaussian.diagonal", "the largest coordinate for the sum")
def diagonal_maximum() -> Evidence:
    """The mutant with one coordinate only."""
    return _diagonal(max)


LogRatio = Callable[[Fraction, Fraction, Fraction], Fraction]


def _gaussian_ratio(x: Fraction, m: Fraction, scale: Fraction) -> Fraction:
    """ln(P(x)/Q(x)) = (x² − (x−m)²)/(2σ²) for N_ℤ(m, σ²) and N_ℤ(0, σ²): both have the same total f(0)."""
    return (x**2 - (x - m) ** 2) / (2 * scale)


def _laplace_ratio(x: Fraction, m: Fraction, scale: Fraction) -> Fraction:
    """ln(P(x)/Q(x)) = (|x| − |x−m|)/s for the discrete Laplace laws around m and 0; at most |m|/s."""
    return (abs(x) - abs(x - m)) / scale


def _not_pure(log_ratio: LogRatio, shifts: tuple[int, ...]) -> Evidence:
    """Whether for every bound B the log-ratio exceeds B at some x: at x = m + s(B + 1)/m rounded away from 0.

    For the Gaussian the excess over B there, times 2s, is at least m² + 2s > 0: with x not rounded, m(2x−m) − 2sB −
    m² − 2s vanishes identically, a polynomial of degree at most 2 in each of m, s and B, and the log-ratio increases
    with mx. Where the log-ratio is constant for all large |x|, that value is the largest.
    """
    scope = (
        "all m != 0, sigma^2 > 0 and B > 0: at x = m + sigma^2 (B + 1)/m, m(2x-m) - 2 sigma^2 B = m^2 + 2 sigma^2, an "
        "identity of degree at most 2 in each letter, at three values of each; x rounded away from 0"
    )
    cases = [
        (m, s, b, m + s * (b + 1) / m if m else s * (b + 1))
        for m, s, b in product(map(Fraction, shifts), map(Fraction, (1, 2, 3)), map(Fraction, (1, 2, 3)))
    ]
    for m, s, b, exact in cases:
        x = Fraction(ceil(exact) if exact > 0 else floor(exact))
        found = log_ratio(x, m, s)
        if found <= b:
            note = f"m = {m}, scale {s}, B = {b}: the largest ln(P(x)/Q(x)), at x = {x}"
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("found > b", note=note, found=found, b=b))
    if any(2 * s * (log_ratio(exact, m, s) - b) != m**2 + 2 * s for m, s, b, exact in cases):
        return Evidence(Verdict.OPEN, scope, "the identity does not hold")
    return Evidence(Verdict.DECIDED, scope)


@checks("gaussian.not-pure")
def not_pure() -> Evidence:
    """The log-likelihood ratio is unbounded."""
    return _not_pure(_gaussian_ratio, (-3, -2, -1, 1, 2, 3))


@refutes("gaussian.not-pure", "the discrete Laplace law for the Gaussian")
def laplace_not_pure() -> Evidence:
    """The mutant with a law that is pure DP."""
    return _not_pure(_laplace_ratio, (-3, -2, -1, 1, 2, 3))


@refutes("gaussian.not-pure", "m = 0 allowed")
def not_pure_without_shift() -> Evidence:
    """The mutant with one law twice."""
    return _not_pure(_gaussian_ratio, (0, 1, 2, 3))


_SAMPLED = (Fraction(1, 2), Fraction(1), Fraction(9, 4), Fraction(4))
_TOTAL_VARIATION = Fraction(1, 10**5)


def _sampler(parameter: Callable[[Fraction], Fraction]) -> Evidence:
    """Whether the program with σ² = parameter(s) has the law N_ℤ(0, s) to 10⁻⁵ in total variation."""
    shown = ", ".join(map(str, _SAMPLED))
    scope = f"sigma^2 = {shown}: every path of probability 10^-8 followed; total variation at most 10^-5"
    for scale in _SAMPLED:
        law = bounded_law(discrete_gaussian(parameter(scale)), 0, cutoff=Fraction(1, 10**8))
        target = {x: point_probability(scale, x) for x in law.lower}
        excess = sum((max(mass - target[x].lower, Fraction(0)) for x, mass in law.lower.items()), law.missing)
        if excess > _TOTAL_VARIATION:
            worst = max(law.lower, key=lambda x: law.lower[x] - target[x].upper)
            values = {"found": law.lower[worst], "target": target[worst].upper}
            note = f"sigma^2 = {scale}: P(X = {worst})"
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("found <= target", note=note, **values))
    return Evidence(Verdict.ENCLOSED, scope)


@checks("gaussian.sampler")
def sampler() -> Evidence:
    """The program's law."""
    return _sampler(lambda scale: scale)


@refutes("gaussian.sampler", "sigma for sigma^2")
def sampler_of_deviation() -> Evidence:
    """The mutant that is given the standard deviation."""
    return _sampler(lambda scale: Fraction(isqrt(scale.numerator), isqrt(scale.denominator)))
