"""The methods that the study compares, each on the same state: 2010-style swapping, the PSA, ToyDown, TopDown.

Their budgets are those of different flavors: the unit, the invariants and the measure differ, so equal numbers are not
equal protection. `Method.protects` says what the number is about.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from math import ceil

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.permutation_swapping import draw_moves
from stirred.mechanisms.fast.toydown import gaussian_toydown, toydown
from stirred.mechanisms.swapping.pairwise.policy import HIGH_VARIANCE, STANDARD, AboveFeasible, SwapPolicy
from stirred.spec.budgets.loss import Loss
from stirred.spec.budgets.zcdp import smallest_pure_to_zcdp, smallest_zcdp_to_approximate
from stirred.spec.flavors.permutation_swapping import Margins
from stirred.verify.engines.swapping.bounds import CertifiedBudget, certified_budget_of_strata
from stirred.verify.products.studies.study import rounded_text
from stirred.verify.products.studies.swapping.race_counts import race_counts
from stirred.verify.products.studies.swapping.synthetic_state import SyntheticState
from stirred.verify.products.studies.topdown.release import LEVELS, Population

# The budget of a release on two scales: ε with δ, and ρ² of zero-concentrated privacy; each follows from the other.
#
# A pure ε gives ρ² = ε·tanh(ε/2), the smallest for all laws; ρ² gives ε at δ = 10⁻¹⁰, the δ of the Census Bureau, by
# the smallest conversion known (article, Table 3 has a larger one). What is not exact is rounded up.

DELTA = Fraction(1, 10**10)
"""Article, Table 3."""

_PLACES = 4


@dataclass(frozen=True)
class Budget:
    """What a release satisfies, on both scales.

    Attributes:
        epsilon: ε; None where no finite one holds.
        rho_squared: ρ²; None where no finite one holds.
    """

    epsilon: Fraction | None
    delta: Fraction
    rho_squared: Fraction | None

    def columns(self) -> Mapping[str, str]:
        """The budget as columns of the study's table."""
        epsilon, rho_squared = (
            "infinite" if number is None else rounded_text(number, _PLACES)
            for number in (self.epsilon, self.rho_squared)
        )
        return {"epsilon": epsilon, "delta": "1e-10" if self.delta else "0", "rho^2": rho_squared}


INFINITE_BUDGET = Budget(None, Fraction(0), None)


def _rounded_up(number: Fraction) -> Fraction:
    return Fraction(ceil(number * 10**_PLACES), 10**_PLACES)


@cache
def pure(loss: Loss | Fraction) -> Budget:
    """The budget of pure privacy, of a finite loss or an exact ε.

    >>> pure(Fraction(1, 4)).columns()
    {'epsilon': '0.2500', 'delta': '0', 'rho^2': '0.0311'}
    """
    epsilon = loss.epsilon().upper if isinstance(loss, Loss) else loss
    return Budget(_rounded_up(epsilon), Fraction(0), _rounded_up(smallest_pure_to_zcdp(loss).upper))


@cache
def pure_in_parts(epsilon: Fraction, parts: int) -> Budget:
    """The budget of so many independent releases with an equal share of ε each: their ρ² add up.

    >>> pure_in_parts(Fraction(1, 4), 4).columns()
    {'epsilon': '0.2500', 'delta': '0', 'rho^2': '0.0079'}
    """
    rho_squared = parts * smallest_pure_to_zcdp(epsilon / parts).upper
    return Budget(epsilon, Fraction(0), _rounded_up(rho_squared))


@cache
def concentrated(rho_squared: Fraction) -> Budget:
    """The budget of zero-concentrated privacy, of an exact ρ².

    >>> concentrated(Fraction("2.56")).columns()
    {'epsilon': '17.1584', 'delta': '1e-10', 'rho^2': '2.5600'}
    """
    return Budget(_rounded_up(smallest_zcdp_to_approximate(rho_squared, DELTA).upper), DELTA, rho_squared)


_RATES = tuple(Fraction(percent, 100) for percent in (2, 10, 15, 20, 40))
"""Swapping study, Table 4."""

REDISTRICTING = Fraction("2.56")
"""ρ² of the person queries of the 2020 redistricting file: article, Table 3."""

_RHO_SQUARED = (*map(Fraction, ("0.01", "0.05", "0.2", "0.5", "1")), REDISTRICTING, Fraction(8), Fraction(15))


@dataclass(frozen=True)
class ReleasedCounts:
    """What one run released."""

    counts: NDArray[np.int64] | NDArray[np.float64]
    pairs: NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Method:
    """A way to release the counts of a state."""

    name: str
    label: str
    parameter: str
    values: tuple[Fraction, ...]
    release: Callable[[SyntheticState, Fraction, int], ReleasedCounts]
    budget: Callable[[SyntheticState, Fraction], Budget]
    protects: str


def _pairs(state: SyntheticState, rate: Fraction, seed: int, policy: SwapPolicy) -> ReleasedCounts:
    from stirred.mechanisms.fast.pairwise_swapping import draw_pairs, swapped_blocks  # noqa: PLC0415 it needs scipy

    pairs = draw_pairs(state.codes(), swap_rate=rate, policy=policy, seed=seed).pairs
    return ReleasedCounts(_counts(state, swapped_blocks(state.block, pairs)), pairs)


def _psa(state: SyntheticState, rate: Fraction, seed: int) -> ReleasedCounts:
    return ReleasedCounts(_counts(state, draw_moves(state.key, swap_rate=rate, seed=seed).apply(state.block)))


def _counts(state: SyntheticState, block: NDArray[np.int64]) -> NDArray[np.int64]:
    return race_counts(block, state.persons, len(state.tract))


def _geography(state: SyntheticState) -> tuple[NDArray[np.int64], ...]:
    """The parents of blocks, tracts and counties."""
    return state.tract, state.county, np.zeros_like(state.rural_urban)


def _toydown(state: SyntheticState, epsilon: Fraction, seed: int) -> ReleasedCounts:
    return ReleasedCounts(toydown(_counts(state, state.block), _geography(state), epsilon=epsilon, seed=seed))


def _gaussian(state: SyntheticState, rho_squared: Fraction, seed: int) -> ReleasedCounts:
    return ReleasedCounts(gaussian_toydown(_counts(state, state.block), _geography(state), rho=rho_squared, seed=seed))


def _topdown(state: SyntheticState, rho_squared: Fraction, seed: int) -> ReleasedCounts:
    units = np.bincount(state.block, minlength=len(state.tract))
    population = Population(_counts(state, state.block), _geography(state), units)
    return ReleasedCounts(population.release(rho_squared, seed).counts)


def psa_loss(state: SyntheticState, rate: Fraction) -> CertifiedBudget:
    """The smallest proved loss of the PSA on the universe of the state: its margins are released."""
    strata = [_margins(state.held, state.block, state.key == key) for key in np.unique(state.key)]
    return certified_budget_of_strata(strata, rate)


def _margins(held: NDArray[np.int64], block: NDArray[np.int64], here: NDArray[np.bool_]) -> Margins:
    rows, columns = (np.unique(kinds[here], return_counts=True)[1].tolist() for kinds in (held, block))
    return tuple(rows), tuple(columns)


def _pure_budget(_: SyntheticState, epsilon: Fraction) -> Budget:
    return pure_in_parts(epsilon, len(LEVELS))


def _concentrated_budget(_: SyntheticState, rho_squared: Fraction) -> Budget:
    return concentrated(rho_squared)


def _no_budget(*_: object) -> Budget:
    return INFINITE_BUDGET


def _shortened(policy: SwapPolicy) -> SwapPolicy:
    """At 40% the tiers of the study need more than all households."""
    return replace(policy, above_feasible=AboveFeasible.SHORTEN)


PAIRS = Method(
    "pairs-2010",
    "2010-style swapping",
    "swap rate",
    _RATES,
    partial(_pairs, policy=_shortened(STANDARD)),
    _no_budget,
    "no finite budget: some data sets of a universe have no outcome in common",
)
PAIRS_HIGH_VARIANCE = replace(
    PAIRS,
    name="pairs-2010, high variance",
    label="2010-style swapping, high variance",
    release=partial(_pairs, policy=_shortened(HIGH_VARIANCE)),
)
PSA = Method(
    "psa",
    "PSA",
    "swap rate",
    (*_RATES, Fraction(1, 2)),
    _psa,
    lambda state, rate: pure(psa_loss(state, rate)),
    "pure privacy where one household is replaced; the counts of key by all else, and of key by block, are invariant",
)
TOYDOWN = Method(
    "toydown",
    "ToyDown",
    "epsilon",
    tuple(map(Fraction, ("0.25", "0.5", "1", "2", "3.26", "5", "8", "10", "12", "15"))),
    _toydown,
    _pure_budget,
    "pure privacy for one person more or less; nothing is invariant",
)
TOYDOWN_GAUSSIAN = Method(
    "toydown, Gaussian noise",
    "ToyDown, Gaussian noise",
    "rho^2",
    _RHO_SQUARED,
    _gaussian,
    _concentrated_budget,
    "zero-concentrated privacy for one person more or less; nothing is invariant",
)
TOPDOWN = Method(
    "topdown",
    "TopDown",
    "rho^2",
    _RHO_SQUARED,
    _topdown,
    _concentrated_budget,
    "zero-concentrated privacy where one person is replaced; the population of the state and the housing units of each "
    "block are invariant",
)

METHODS = (PAIRS, PAIRS_HIGH_VARIANCE, PSA, TOYDOWN, TOYDOWN_GAUSSIAN, TOPDOWN)
