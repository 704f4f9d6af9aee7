"""Calibration: weights adjusted so that weighted totals meet totals that are known of the population."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import flint

from stirred.mechanisms.surveys.frames import grouped
from stirred.mechanisms.surveys.weights import Weights, positive_weights
from stirred.spec.arguments import Exact, InputError, exact, positive, positive_integer
from stirred.spec.surveys.unit_data import UnitData

Margin = tuple[Callable[[Any], Hashable], Mapping[Any, Exact]]
"""The category of a record, and how many units of each category the population has."""


class DependentError(InputError):
    """Auxiliary variables that are linearly dependent on the data."""


def post_stratified(
    weights: Weights, data: UnitData, *, stratum: Callable[[Any], Hashable], totals: Mapping[Any, Exact]
) -> Weights:
    """w_i·N_h/N̂_h, where N̂_h is the sum of the weights in post-stratum h: then each sum is N_h.

    Args:
        weights: of the units of the data set, positive.
        totals: N_h > 0 for every post-stratum of the population.

    Source: dissertation, section 6.2.4 (calibration); Valliant, Dever and Kreuter (2018), chapter 14.
    """
    given = positive_weights(weights, data)
    strata, known = grouped("stratum", data, stratum), _totals(totals)
    for h in strata:
        if h not in known:
            raise InputError(f"totals must have one for every post-stratum of the data; {h!r} has none")
    for h in known:
        if h not in strata:
            raise InputError(f"every post-stratum with a total must have a unit in the data; {h!r} has none")
    factor = {unit: known[h] / sum(given[u] for u in members) for h, members in strata.items() for unit in members}
    return tuple((unit, given[unit] * factor[unit]) for unit, _ in data)


def _totals(totals: Mapping[Any, Exact]) -> dict[Any, Fraction]:
    return {h: positive(f"the total of {h!r}", total) for h, total in totals.items()}


def check_margins(margins: Sequence[Margin]) -> None:
    """Refuse margins that no weights meet together."""
    sums = [sum(_totals(totals).values(), Fraction(0)) for _, totals in margins]
    if not sums:
        raise InputError("margins must not be empty")
    if len(set(sums)) > 1:
        raise InputError(f"margins must have totals of one sum; got {', '.join(map(str, sums))}")


def raked(weights: Weights, data: UnitData, *, margins: Sequence[Margin], rounds: int) -> Weights:
    """Iterative proportional fitting: post-stratified to each margin in turn, for so many rounds.

    The last margin is met exactly, the others in the limit only: a fixed number of rounds is exact arithmetic and
    makes the weights a function of the data that can be stated. Digits of the weights grow with each round.

    Args:
        weights: of the units of the data set, positive.
        margins: at least one (category of a record, totals by category), all of one sum.
        rounds: at least 1.

    Source: Deming and Stephan (1940); dissertation, section 6.2.4 (raking).
    """
    check_margins(margins)
    for _ in range(positive_integer("rounds", rounds)):
        for category, totals in margins:
            weights = post_stratified(weights, data, stratum=category, totals=totals)
    return weights


def greg(
    weights: Weights, data: UnitData, *, auxiliaries: Callable[[Any], Sequence[Exact]], totals: Sequence[Exact]
) -> Weights:
    """w_i·(1 + (X − X̂)ᵀ·T⁻¹·x_i), with X̂ = Σ w_i·x_i and T = Σ w_i·x_i·x_iᵀ: then the weighted totals of x are X.

    The weights of the generalised regression estimator. They may be negative.

    Args:
        weights: of the units of the data set, positive.
        auxiliaries: the vector x of a record.
        totals: X, the totals of x in the population.

    Source: Deville and Särndal (1992), the linear case; dissertation, section 6.2.4 (GREG).
    """
    given = positive_weights(weights, data)
    known = [exact(f"total {place}", total) for place, total in enumerate(totals)]
    vectors = {unit: _vector(unit, auxiliaries(record), len(known)) for unit, record in data}
    places = range(len(known))
    missing = [known[j] - sum(given[u] * x[j] for u, x in vectors.items()) for j in places]
    moments = [[sum((given[u] * x[j] * x[k] for u, x in vectors.items()), Fraction(0)) for k in places] for j in places]
    solution = _solved(moments, missing)
    factor = {unit: 1 + sum(a * b for a, b in zip(solution, x, strict=True)) for unit, x in vectors.items()}
    return tuple((unit, given[unit] * factor[unit]) for unit, _ in data)


def _vector(unit: Any, vector: Sequence[Exact], length: int) -> tuple[Fraction, ...]:
    if len(vector) != length:
        raise InputError(f"auxiliaries must be as many as totals, {length}; got {len(vector)} for unit {unit!r}")
    return tuple(exact(f"an auxiliary of unit {unit!r}", one) for one in vector)


def _solved(matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> tuple[Fraction, ...]:
    size = len(right)
    if not size:
        raise InputError("totals must not be empty")
    rows = flint.fmpq_mat(size, size, [_rational(entry) for row in matrix for entry in row])
    if not rows.det():
        raise DependentError(
            "auxiliaries must be linearly independent on the data; the matrix of their moments is singular"
        )
    found = rows.solve(flint.fmpq_mat(size, 1, [_rational(entry) for entry in right]))
    return tuple(Fraction(int(found[k, 0].p), int(found[k, 0].q)) for k in range(size))


def _rational(number: Fraction) -> Any:
    return flint.fmpq(number.numerator, number.denominator)
