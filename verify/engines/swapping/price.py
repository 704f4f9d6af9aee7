"""The PSA's error on one universe beside that of fibre noise of the same budget, and the floor of all mechanisms."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from stirred.mechanisms.noise.fibre_noise import fibre_law, sensitivity
from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.spec.arguments import Exact, InputError
from stirred.spec.blocks.tables import Table
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import exponential
from stirred.verify.engines.swapping.floor import Floor, Prior, ReleaseProblem, floor_of, weighted_fibre
from stirred.verify.engines.swapping.loss import universe_loss


@dataclass(frozen=True)
class Price:
    """Errors on one universe of mechanisms that keep its margins and have one budget.

    Attributes:
        ratio: α of fibre noise with this budget.
        weighted: the error of the weighted mechanism; None where it does not exist.
    """

    budget: Loss
    swapping: Fraction
    ratio: Fraction
    noise: Fraction
    weighted: Fraction | None
    floor: Floor


def noise_ratio(budget: Loss, rows: Sequence[int], columns: Sequence[int]) -> Fraction:
    """α = e^(−ε/κ), or the least number above it that a proved enclosure gives where it is irrational.

    >>> noise_ratio(Loss(9, 2), (4, 4), (4, 4))
    Fraction(1, 9)
    """
    kappa = sensitivity(*(sum(map(bool, side)) for side in (rows, columns)))
    if budget.is_infinite or budget.is_zero or not kappa:
        raise InputError(f"fibre noise must have a positive and finite budget and two tables; got {budget} and {rows}")
    power = 1 / (kappa * budget.distance)
    if budget.gamma is not None and power.denominator == 1:
        return 1 / budget.gamma**power.numerator
    return 1 / exponential(budget.epsilon().lower / kappa).lower


def price(
    rows: Sequence[int], columns: Sequence[int], swap_rate: Exact, error: str, prior: Prior = Prior.UNIFORM
) -> Price:
    """The errors on the universe of one stratum with these margins, at the exact loss of the PSA there.

    >>> found = price((2, 2), (2, 2), Fraction(1, 2), "changed")
    >>> found.swapping > found.noise == found.floor.lower
    True
    """
    budget = universe_loss(rows, columns, swap_rate)
    problem = ReleaseProblem.of(rows, columns, budget, error, prior)
    ratio = noise_ratio(budget, rows, columns)

    def error_of(laws: Sequence[Law[Table]]) -> Fraction:
        return problem.error([[law.numeric(z) for z in problem.tables] for law in laws])

    swapping = error_of([psa_law(table, swap_rate) for table in problem.tables])
    noise = error_of([fibre_law(table, ratio) for table in problem.tables])
    found = weighted_fibre(problem.tables, budget)
    weighted = None if found is None else problem.error(found.mechanism)
    return Price(budget, swapping, ratio, noise, weighted, floor_of(problem))
