"""The privacy check of PHSafe on given pairs of neighbours: exact loss, and the first pair beyond a budget.

Noise is a discrete Gaussian of its own for each count, and true counts differ by integers, so that D_NoR² of a pair is
exactly Σ d²/(2σ²) (`spec.laws.discrete_gaussian.diagonal_zcdp_budget`). Two outputs that do not list the same counts,
or not with the same noise, are told apart for certain or not compared: their loss is infinite.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from stirred.mechanisms.das.phsafe import BasePerson, Measurement, Person, Settings, Unit, measurements
from stirred.spec.laws.discrete_gaussian import diagonal_zcdp_budget

DataFrames = tuple[Sequence[Person], Sequence[Unit]]


@dataclass(frozen=True)
class Excess:
    """A pair of neighbours whose loss exceeds the budget; a loss of None is infinite."""

    first: DataFrames
    second: DataFrames
    loss: Fraction | None
    budget: Fraction


def squared_loss(first: Sequence[Measurement], second: Sequence[Measurement]) -> Fraction | None:
    """ρ² = D_NoR² of the noisy counts of two data sets, exact; None where it is infinite.

    Source: PHSafe, Lemmas 3 and 4.
    """
    counts = [{one[:4]: (one.rows, one.sigma_squared) for one in listed} for listed in (first, second)]
    if len(counts[0]) != len(first) or len(counts[1]) != len(second) or counts[0].keys() != counts[1].keys():
        return None
    pairs = [(counts[0][name], counts[1][name]) for name in counts[0]]
    if any(one[1] != other[1] for one, other in pairs):
        return None
    moved = [(one[0] - other[0], one[1]) for one, other in pairs if one[0] != other[0]]
    return diagonal_zcdp_budget([scale for _, scale in moved], [shift for shift, _ in moved])


def first_excess(
    pairs: Iterable[tuple[DataFrames, DataFrames]],
    settings: Settings,
    budget: Fraction,
    *,
    released: Callable[[DataFrames, Settings], Sequence[Measurement]] = measurements,
) -> Excess | None:
    """The first pair whose loss exceeds the budget, or None."""
    for first, second in pairs:
        loss = squared_loss(released(first, settings), released(second, settings))
        if loss is None or loss > budget:
            return Excess(first, second, loss, budget)
    return None


def base_neighbors(
    base: Sequence[BasePerson], kinds: Sequence[BasePerson], *, bounded: bool
) -> Iterator[tuple[BasePerson, ...]]:
    """Every neighbour of a base person dataframe: one record removed or one of some kinds added; or one replaced."""
    removed = [tuple(base[:i]) + tuple(base[i + 1 :]) for i in range(len(base))]
    if bounded:
        yield from ((*rest, kind) for rest in removed for kind in kinds)
    else:
        yield from removed
        yield from ((*base, kind) for kind in kinds)
