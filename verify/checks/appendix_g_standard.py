"""Evidence for article, Appendix G: the standard parameterization of zCDP beside rho, at every distance."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from itertools import product

from spec.ball import ball_of, precision
from spec.enclosure import exponential
from spec.law import Law
from verify.checks.appendix_g import power_sum
from verify.engines.zcdp.cumulants import lower_end
from verify.engines.zcdp.normalized_renyi import renyi_divergence
from verify.engines.zcdp.renyi_grid import GRID, GRID_SCOPE, enclosed
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_ROOTS = tuple(Fraction(n, 8) for n in range(9))
_INTEGERS = (2, 3, 4)
_ORDERS = tuple(map(Fraction, ("1000001/1000000", "3/2", "2", "3", "4", "6")))


@cache
def _largest_tried(p: Law[int], q: Law[int]) -> Fraction | None:
    """A lower end of max{D_α(P‖Q), D_α(Q‖P)}/α over the orders tried; None for ∞."""
    if set(p) != set(q):
        return None
    with precision(128):
        return max(
            lower_end(renyi_divergence(first, second, order) / ball_of(order))
            for order, (first, second) in product(_ORDERS, ((p, q), (q, p)))
        )


_power_sum = cache(power_sum)


@cache
def _allowed_sum(exponent: Fraction) -> Fraction:
    return exponential(exponent).upper


def _beyond(p: Law[int], q: Law[int], bound: Fraction) -> tuple[int, Fraction] | None:
    """An integer order α with Σ P^α·Q^(1−α) > e^((α−1)·α·bound), and the sum; None if none was tried."""
    for order, (first, second) in product(_INTEGERS, ((p, q), (q, p))):
        found = _power_sum(first, second, order)
        if found is not None and found > _allowed_sum((order - 1) * order * bound):
            return order, found
    return None


def _standard(
    power: int,
    distances: Iterable[int | None],
    standard: Callable[[Fraction], Fraction] = lambda rho: rho**2,
) -> Evidence:
    """Whether D_NoR ≤ ρ·d iff D_α ≤ standard(ρ)·α·d^power both ways for all α > 1, on the grid.

    D_NoR² is enclosed for all α at once. Where it is at most (ρ·d)², the divergences of integer order are compared
    with their bound exactly; where it is above, some order must exceed its bound.
    """
    listed = tuple(distances)
    shown = ", ".join("oo" if d is None else str(d) for d in listed)
    scope = f"{GRID_SCOPE}, rho = 0, 1/8, ..., 1, distances {shown}; alpha = 1 + 10^-6, 3/2, 2, 3, 4, 6"
    undecided = 0
    for p, q, rho, d in product(GRID, GRID, _ROOTS, listed):
        if d is None:
            continue
        found, bound = enclosed(p, q), (rho * d) ** 2
        allowed = standard(rho) * d**power
        note = f"P = {p}, Q = {q}, d = {d}, rho = {rho}"
        if found is not None and found.upper <= bound:
            if (beyond := _beyond(p, q, allowed)) is not None:
                order, total = beyond
                note = f"{note}: D_NoR^2 <= {found.text()}, and the sum of P^alpha Q^(1-alpha) at alpha = {order}"
                values = {"total": total, "alpha": order, "budget": standard(rho), "distance": d**power}
                witness = formula_witness("total <= exp((alpha-1)*alpha*budget*distance)", note=note, **values)
                return Evidence(Verdict.REFUTED, scope, note, witness)
        elif found is None or found.lower > bound:
            tried = _largest_tried(p, q)
            if tried is not None and tried <= allowed:
                if found is not None and found.upper <= allowed:
                    note = f"{note}: D_NoR^2 >= {found.text()} and D_alpha <= {allowed} alpha for all alpha"
                    witness = formula_witness("value <= bound", note=note, value=found.lower, bound=bound)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
                undecided += 1
        else:
            undecided += 1
    if undecided:
        return Evidence(Verdict.OPEN, scope, f"{undecided} cases are undecided")
    return Evidence(Verdict.ENCLOSED, scope)


@checks("zcdp.standard-parametrization")
def standard_parametrization() -> Evidence:
    """ρ² between neighbors."""
    return _standard(1, (0, 1, None))


@refutes("zcdp.standard-parametrization", "data sets at distance 2 among them")
def standard_parametrization_at_distance_two() -> Evidence:
    """The mutant for distances beyond neighbors: there D_NoR² ≤ ρ²·d is the stronger specification."""
    return _standard(1, (0, 1, 2, None))


@refutes("zcdp.standard-parametrization", "rho for rho^2")
def standard_parametrization_by_rho() -> Evidence:
    """The mutant without the square."""
    return _standard(1, (0, 1, None), lambda rho: rho)


@checks("zcdp.standard-parametrization.distances")
def standard_parametrization_of_distances() -> Evidence:
    """ρ²·d² beyond neighbors."""
    return _standard(2, (0, 1, 2, 3, None))


@refutes("zcdp.standard-parametrization.distances", "d for d^2")
def standard_parametrization_of_plain_distances() -> Evidence:
    """The mutant with the distance itself."""
    return _standard(1, (0, 1, 2, 3, None))
