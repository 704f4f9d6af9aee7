"""The methods that the study compares, each on the same state: 2010-style swapping, the PSA, ToyDown.

Their budgets are those of different flavors: the unit, the invariants and the measure differ, so equal numbers are not
equal protection. `Method.protects` says what the number is about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial

import numpy as np
from numpy.typing import NDArray

from mechanisms.fast.permutation_swapping import draw_moves
from mechanisms.fast.toydown import gaussian_toydown, toydown
from mechanisms.pairwise_swapping.policy import HIGH_VARIANCE, STANDARD, AboveFeasible, SwapPolicy
from spec.loss import INFINITE, Loss
from spec.permutation_swapping import Margins
from verify.engines.swapping.bounds import certified_budget_of_strata
from verify.studies.swapping.race_counts import race_counts
from verify.studies.swapping.synthetic_state import SyntheticState

__all__ = ["METHODS", "PAIRS", "PAIRS_HIGH_VARIANCE", "PSA", "TOYDOWN", "TOYDOWN_GAUSSIAN", "Method", "ReleasedCounts"]

_RATES = tuple(Fraction(percent, 100) for percent in (2, 10, 15, 20, 40))
"""Swapping study, Table 4."""


@dataclass(frozen=True)
class ReleasedCounts:
    """What one run released.

    Attributes:
        counts: persons by block and race.
        pairs: (target, partner) of 2010-style swapping.
    """

    counts: NDArray[np.int64] | NDArray[np.float64]
    pairs: NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Method:
    """A way to release the counts of a state.

    Attributes:
        name: as the table has it.
        parameter: what the values are.
        values: the ones that are tried.
        release: a function of the state, a value and a seed.
        budget: the budget of a value on the state; None where it is no loss of pure DP, `INFINITE` where there is none.
        protects: the flavor of the budget, in words.
    """

    name: str
    parameter: str
    values: tuple[Fraction, ...]
    release: Callable[[SyntheticState, Fraction, int], ReleasedCounts]
    budget: Callable[[SyntheticState, Fraction], Loss | None]
    protects: str


def _pairs(state: SyntheticState, rate: Fraction, seed: int, policy: SwapPolicy) -> ReleasedCounts:
    from mechanisms.fast.pairwise_swapping import draw_pairs, swapped_blocks  # noqa: PLC0415 it needs scipy

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


def _gaussian(state: SyntheticState, rho: Fraction, seed: int) -> ReleasedCounts:
    return ReleasedCounts(gaussian_toydown(_counts(state, state.block), _geography(state), rho=rho, seed=seed))


def _psa_budget(state: SyntheticState, rate: Fraction) -> Loss:
    """The smallest proved budget on the universe of the state: its margins are released."""
    others = np.column_stack((state.persons, state.hispanic))
    held = np.unique(others, axis=0, return_inverse=True)[1].reshape(-1)
    return certified_budget_of_strata([_margins(held, state.block, state.key == key) for key in set(state.key)], rate)


def _margins(held: NDArray[np.int64], block: NDArray[np.int64], here: NDArray[np.bool_]) -> Margins:
    rows, columns = (np.unique(kinds[here], return_counts=True)[1].tolist() for kinds in (held, block))
    return tuple(rows), tuple(columns)


def _none(*_: object) -> None:
    """ToyDown's budget is its parameter, and is none of `Loss`: e^ε is no rational."""


def _infinite(*_: object) -> Loss:
    return INFINITE


def _shortened(policy: SwapPolicy) -> SwapPolicy:
    """At 40% the tiers of the study need more than all households."""
    return replace(policy, above_feasible=AboveFeasible.SHORTEN)


_NO_BUDGET = "no finite budget: some data sets of a universe have no outcome in common"

PAIRS = Method(
    "pairs-2010",
    "swap rate",
    _RATES,
    partial(_pairs, policy=_shortened(STANDARD)),
    _infinite,
    _NO_BUDGET,
)
PAIRS_HIGH_VARIANCE = replace(
    PAIRS, name="pairs-2010, high variance", release=partial(_pairs, policy=_shortened(HIGH_VARIANCE))
)
PSA = Method(
    "psa",
    "swap rate",
    (*_RATES, Fraction(1, 2)),
    _psa,
    _psa_budget,
    "one household; the counts of key by all else, and of key by block, are invariant",
)
TOYDOWN = Method(
    "toydown",
    "epsilon",
    tuple(map(Fraction, ("0.25", "0.5", "1", "2", "3.26", "5", "8", "10", "12", "14"))),
    _toydown,
    _none,
    "one person more or less; nothing is invariant",
)
TOYDOWN_GAUSSIAN = Method(
    "toydown, Gaussian noise",
    "rho",
    tuple(map(Fraction, ("0.1", "0.5", "2.56"))),
    _gaussian,
    _none,
    "zCDP: one person more or less; nothing is invariant",
)

METHODS = (PAIRS, PAIRS_HIGH_VARIANCE, PSA, TOYDOWN, TOYDOWN_GAUSSIAN)
