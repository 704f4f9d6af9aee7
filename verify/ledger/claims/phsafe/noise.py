"""The noise of PHSafe: tails of the discrete Gaussian, and its margins of error, exactly.

The 90% margin of error of noise X is the smallest integer k with P(|X| <= k) >= 9/10: by symmetry the smallest k with
P(X <= k) >= 19/20, which a certified tail decides (`spec.laws.discrete_gaussian.quantile`).
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import ceil, isqrt
from typing import Any

import flint

from stirred.spec.laws.discrete_gaussian import cumulative, quantile, upper_tail
from stirred.spec.numbers.ball import ball_of
from stirred.spec.numbers.enclosure import enclose
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import argued, cases, every, failure, false, misprint, mutant, own, settled, state
from stirred.verify.ledger.claims.phsafe.table_10 import TABLE_10
from stirred.verify.ledger.language_names import exp, floor, sqrt

# the noise of PHSafe: tails of the discrete Gaussian against the continuous one

weights_up_to = lambda s, k: 1 + 2 * sum(exp(-(x**2) / (2 * s)) for x in range(1, k + 1))

# at least P(|X| <= k), as the weights beyond reach are left out of the whole
covered = lambda s, k, reach: weights_up_to(s, k) / weights_up_to(s, reach)

# a bound of the weights beyond reach
weights_beyond = lambda s, reach: 2 * exp(-(reach**2) / (2 * s)) / (1 - exp(-reach / s))
covered_below = lambda s, k, reach: weights_up_to(s, k) / (weights_up_to(s, reach) + weights_beyond(s, reach))
is_least = lambda s, k, reach: covered_below(s, k, reach) >= 9 / 10 and (k == 0 or covered(s, k - 1, reach) < 9 / 10)

# at most P(X > k) and at least P(N > a), N continuous: an upper sum over steps h, and the rest from a + n*h on
tail_below = lambda s, k, reach: (
    sum(exp(-(x**2) / (2 * s)) for x in range(k + 1, reach + 1)) / (weights_up_to(s, reach) + weights_beyond(s, reach))
)

# at least P(X > k) and at most P(N > a), from which the steps on are left out
tail_above = lambda s, k, reach: (
    (sum(exp(-(x**2) / (2 * s)) for x in range(k + 1, reach + 1)) + weights_beyond(s, reach) / 2)
    / weights_up_to(s, reach)
)
normal_tail_below = lambda s, a, h, n: (
    h * sum(exp(-((a + k * h) ** 2) / (2 * s)) for k in range(1, n + 1)) / sqrt(s * 6283186 / 1000000)
)
normal_tail_above = lambda s, a, h, n: (
    (
        h * sum(exp(-((a + k * h) ** 2) / (2 * s)) for k in range(n))
        + s / (a + n * h) * exp(-((a + n * h) ** 2) / (2 * s))
    )
    / sqrt(s * 6283185 / 1000000)
)

SCALES = tuple(map(Fraction, ("1/100", "1/4", "1", "2", "10", "100", "1709", "14783")))
SHOWN = ", ".join(map(str, SCALES))

# P(N >= a) for N ~ N(0, σ²)
_normal_tail = lambda s, a: enclose(lambda: (ball_of(a) / ball_of(2 * s).sqrt()).erfc() / flint.arb(2), digits=60)


def lighter(s: Fraction, m: int, *, less: int = 1) -> Witness | None:
    """P(X >= m) <= P(N >= m - less), X discrete and N continuous."""
    return _no_heavier(s, m - 1, Fraction(m - less))


def lighter_at_reals(s: Fraction, x: Fraction, *, floors: bool = True) -> Witness | None:
    """P(X > x) <= P(N > floor(x)), or x itself."""
    below = x.numerator // x.denominator
    return _no_heavier(s, below, Fraction(below) if floors else x)


def _no_heavier(s: Fraction, k: int, a: Fraction) -> Witness | None:
    """P(X > k) <= P(N > a)."""
    discrete, continuous = upper_tail(s, k + 1, digits=60), _normal_tail(s, a)
    if discrete.upper <= continuous.lower:
        reach, steps = ceil(a) + 12 * (isqrt(ceil(s)) + 1), 8 if s < 1 else 2
        found = {"s": s, "k": k, "reach": reach, "a": a, "h": Fraction(1, steps), "n": steps * (reach - k)}
        return settled(
            True, lambda s, k, reach, a, h, n: tail_above(s, k, reach) <= normal_tail_below(s, a, h, n), lambda: found
        )
    if discrete.lower <= continuous.upper:
        raise EngineError(f"60 digits do not decide the tails at sigma^2 = {s}, k = {k}")
    case: dict[str, Any] = {"s": s, "k": k, "reach": 20 * (k + 1), "a": a, "h": a / 20 or Fraction(1, 20), "n": 200}
    return failure(lambda s, k, reach, a, h, n: tail_below(s, k, reach) <= normal_tail_above(s, a, h, n), **case)


_tails = lambda: (
    (s, 1 + (i - 1) * root // 2) for s, i in product(SCALES, range(1, 13)) for root in [max(1, isqrt(ceil(s)))]
)

tails = cases(f"sigma^2 = {SHOWN}; 12 integers m from 1 to about 6 sigma: tails enclosed to 60 digits", "s m")(_tails)
real_tails = cases(f"sigma^2 = {SHOWN}; m as for Proposition 1 and x = m, m + 1/2, m + 9/10", "s x")(
    lambda: ((s, m + Fraction(part, 10)) for s, m in _tails() for part in (0, 5, 9))
)

_PROOF = """e^(-t^2/(2 sigma^2)) falls for t >= 0, so its sum over the integers x >= m is at most its integral from
m - 1 on. Its sum over all integers is at least its integral over the line: by Poisson's formula it is that integral
times a sum of positive terms whose first is 1. Divide."""

state("phsafe.tails", "PHSafe, Proposition 1")(
    """For all m in Z with m >= 1, and for all sigma in R with sigma > 0, Pr[X >= m]_{X <- N_Z(sigma^2)} <= Pr[X >=
    m-1]_{X <- N(sigma^2)}. That is, discrete Gaussian distributions have tighter tails than their corresponding
    continuous Gaussian distributions.""",
    every(tails, lighter, verdict=Verdict.ENCLOSED),
    mutant("m for m - 1", {"less": 0}),
    argued("all m >= 1 and sigma > 0", proof=_PROOF),
    reading="""the last sentence is the inequality in words: one step further out, the discrete tail is at most the
    continuous one (at the same m it is heavier for small m: Pr[X >= 1] = 0.3005 > 0.1587 at sigma = 1)""",
)

state("phsafe.tails.reals", "PHSafe, Corollary 1")(
    """For all m, sigma in R with x >= 1 and sigma > 0, Pr[X > x]_{X <- N_Z(sigma^2)} <= Pr[X > floor(x)]_{X <-
    N(sigma^2)}.""",
    every(real_tails, lighter_at_reals, verdict=Verdict.ENCLOSED),
    mutant("x for floor(x)", {"floors": False}),
    argued(
        "all x >= 1 and sigma > 0",
        proof="An integer is above x iff it is at least floor(x) + 1: Proposition "
        "1 with m = floor(x) + 1, and N has no mass at floor(x).",
    ),
    reading="for all x, sigma in R",
)

# the noise of PHSafe: margins of error of the discrete Gaussian, exactly

_SECTION = "PHSafe, section 7.1"
_LEVEL = Fraction(19, 20)

# the largest k >= 0 with k² <= square, exactly
_floor_of_root = lambda square: isqrt(int(square))


def margin_is(s: Fraction, k: int, *, less: int = 0) -> Witness | None:
    """The 90% margin of error is k - less, the smallest with P(|X| <= k) >= 9/10."""
    exact = quantile(s, _LEVEL)
    reach, k = 4 * exact + 10, k - less
    if exact == k:
        return settled(True, lambda s, k, reach: is_least(s, k, reach), lambda: {"s": s, "k": k, "reach": reach})
    if exact > k:
        return failure(lambda s, k, reach: covered(s, k, reach) >= 9 / 10, s=s, k=k, reach=reach)
    return failure(lambda s, k, reach: covered_below(s, k - 1, reach) < 9 / 10, s=s, k=k, reach=reach)


def _is_covered(s: Fraction, k: int) -> bool:
    """Whether P(|X| <= k) >= 9/10."""
    found = cumulative(s, k)
    if found.lower < _LEVEL <= found.upper:
        raise EngineError(f"20 digits do not decide P(X <= {k}) at sigma^2 = {s}")
    return found.lower >= _LEVEL


def covers(s: Fraction, k: int) -> Witness | None:
    """P(|X| <= k) >= 9/10: the margin of error is at most k."""
    case: dict[str, Any] = {"s": s, "k": k, "reach": 4 * k + 10}
    if _is_covered(s, k):
        return settled(True, lambda s, k, reach: covered_below(s, k, reach) >= 9 / 10, lambda: case)
    return failure(lambda s, k, reach: covered(s, k, reach) >= 9 / 10, **case)


def floor_covers(s: Fraction, *, z: Fraction = Fraction("1.64")) -> Witness | None:
    """P(|X| <= floor(z*sigma)) >= 9/10."""
    k = _floor_of_root(z**2 * s)
    if _is_covered(s, k):
        return None
    return failure(lambda s, z, reach: covered(s, floor(z * sqrt(s)), reach) >= 9 / 10, s=s, z=z, reach=4 * k + 10)


def ceiling_covers(s: Fraction, *, z: Fraction = Fraction("1.645"), less: int = 0) -> Witness | None:
    """P(|X| <= ceil(z*sigma)) >= 9/10."""
    k = _floor_of_root(z**2 * s)
    return covers(s, k + (k**2 < z**2 * s) - less)


_ROW = next(row for row in TABLE_10 if (row.table, row.level) == ("PH1_num", "state_A-G"))
_BY_NOISE = {row.sigma_squared: row for row in TABLE_10}
table_rows = cases("the noise of the 46 rows of Table 10, sigma^2 = Delta^2/(2 rho): 9 different ones", "s k")(
    lambda: ((s, row.target) for s, row in _BY_NOISE.items())
)
noises = cases("the 9 different noises of Table 10, PH1_num in (State, A-G) first", "s")(
    lambda: sorted(_BY_NOISE, key=lambda s: (s != _ROW.sigma_squared, s))
)
all_noises = cases(f"sigma^2 = {SHOWN} and the 9 different noises of Table 10", "s")(lambda: (*SCALES, *_BY_NOISE))

_FLOORED = (
    "in (State, A-G) of PH1_num floor(1.64 sigma) = 67 has 89.75%, where 90% needs 68; 67 it is with 1.645 or the "
    "quantile 1.6449 for 1.64 too, and for sigma < 0.6 the floor is 0, which has 67% at most"
)
_CEILING_PROOF = """P(X > k) = P(X >= k + 1) <= P(N >= k) by Proposition 1, and P(N >= 1.645 sigma) < 1/20. So k =
ceil(1.645 sigma) leaves at most 1/10 outside."""

state("phsafe.margin.floor", _SECTION, f"{_SECTION} (after Corollary 2)")(
    """Using the continuous Gaussian to upper bound MOE in the discrete Gaussian, it follows that the discrete Gaussian
    has X in [-floor(1.64 sigma), floor(1.64 sigma)] with probability of at least 90%. That is, MOE <= floor(1.64
    sigma). … For any table using Algorithm 1, a basis table cell in population group level i has an MOE of floor(1.64
    sqrt((2 tau + 2)^2/(2 rho_i))). For any table using Algorithm 2, a basis table cell in population group level i has
    an MOE of floor(1.64 sqrt(2/rho_i)).""",
    every(noises, floor_covers),
    reading="the second passage is the first at sigma^2 = Delta^2/(2 rho_i): one inference, one verdict",
    grade=false(_FLOORED),
)

own("phsafe.margin.ceiling", _SECTION)(
    "For every sigma > 0, MOE <= ceil(1.645 sigma).",
    every(all_noises, ceiling_covers, verdict=Verdict.ENCLOSED),
    mutant("floor for ceil", every(noises, floor_covers, z=Fraction("1.645"))),
    mutant("ceil - 1", {"less": 1}),
    argued("all sigma > 0", proof=_CEILING_PROOF),
    repairs="phsafe.margin.floor",
)

_MOST = 500
mechanisms = cases(f"MOE = 1, ..., {_MOST} and any Delta: sigma = MOE/z", "m")(lambda: range(1, _MOST + 1))
targets = cases("MOE = 500, 200, 68 and 20, the targets of Table 10, and any Delta: sigma = MOE/z", "m")(
    lambda: (500, 200, 68, 20)
)


def calibrated(m: int, *, constant: Fraction) -> Witness | None:
    """With rho = constant*Delta^2/m^2 the margin of error is at most m."""
    s = m**2 / (2 * constant)
    case: dict[str, Any] = {"m": m, "constant": constant, "reach": 4 * m + 10}
    if _is_covered(s, m):
        return settled(
            True, lambda m, constant, reach: covered_below(m**2 / (2 * constant), m, reach) >= 9 / 10, lambda: case
        )
    return failure(lambda m, constant, reach: covered(m**2 / (2 * constant), m, reach) >= 9 / 10, **case)


state("phsafe.margin.calibration", "PHSafe, Corollary 2")(
    """For any Delta > 0, the base discrete Gaussian mechanism run with (rho = 1.3448 Delta^2/floor(MOE)^2, Delta) has
    90% margins of error of at most MOE in each vector component.""",
    every(targets, calibrated, constant=Fraction("1.3448")),
    reading="1.3448 = 1.64^2/2, taken exactly",
    grade=misprint("1.64 is 1.645 rounded down: Table 10 is computed with 1.645 (phsafe.table-10.losses)"),
)

own("phsafe.margin.calibration.repaired", "PHSafe, Corollary 2")(
    """For any Delta > 0 and MOE >= 1, the base discrete Gaussian mechanism run with (rho = 1.645^2 Delta^2/(2
    floor(MOE)^2), Delta) has 90% margins of error of at most MOE in each vector component.""",
    every(mechanisms, calibrated, verdict=Verdict.ENCLOSED, constant=(Fraction("1.645") ** 2 / 2)),
    argued(
        "all MOE >= 1",
        proof="1.645 sigma = floor(MOE) is an integer, so it is its own ceiling: see phsafe.margin.ceiling.",
    ),
    mutant("1.3448", every(targets, calibrated, constant=Fraction("1.3448"))),
    repairs="phsafe.margin.calibration",
)

# sigma^2 of Algorithm 1
truncated_noise = lambda rho, tau: (2 * tau + 2) ** 2 / (2 * rho)
formulas = cases("the 46 rows of Table 10, PH1_num in (State, A-G) first", "rho tau s")(
    lambda: ((row.unbounded.value, row.tau, row.sigma_squared) for row in sorted(TABLE_10, key=lambda row: row != _ROW))
)


def floored_formula(
    rho: Fraction, tau: int | None, s: Fraction, *, z: Fraction = Fraction("1.64"), more: Fraction = Fraction(0)
) -> Witness | None:
    """The margin of error is floor(z*sqrt((2 tau + 2)^2/(2 rho)) + more), or z*sqrt(2/rho) in Algorithm 2."""
    value = z**2 * s
    k = _floor_of_root(value)
    k += more > 0 and (k + 1 - more) ** 2 <= value
    if quantile(s, _LEVEL) < k:
        raise EngineError(f"the formula gives more than the margin of error at sigma^2 = {s}")
    is_margin = quantile(s, _LEVEL) == k
    case: dict[str, Any] = {"rho": rho, "z": z, "more": more, "reach": 4 * k + 10}
    if tau is not None:
        case["tau"] = tau
    is_so, fails = _FORMULAS[tau is not None]
    return settled(True, is_so, lambda: case) if is_margin else failure(fails, **case)


_FORMULAS: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = (
    (
        lambda rho, z, more, reach: is_least(2 / rho, floor(z * sqrt(2 / rho) + more), reach),
        lambda rho, z, more, reach: covered(2 / rho, floor(z * sqrt(2 / rho) + more), reach) >= 9 / 10,
    ),
    (
        lambda rho, tau, z, more, reach: is_least(
            truncated_noise(rho, tau), floor(z * sqrt(truncated_noise(rho, tau)) + more), reach
        ),
        lambda rho, tau, z, more, reach: (
            covered(truncated_noise(rho, tau), floor(z * sqrt(truncated_noise(rho, tau)) + more), reach) >= 9 / 10
        ),
    ),
)
"""That a floor is the margin of error, and that it covers; by Algorithm 2 and by Algorithm 1."""

own("phsafe.margin.formulas.rounded", "PHSafe, section 7.1 (after Corollary 2) and Table 10")(
    """In each of the 46 rows of Table 10 the MOE is 1.645 sigma rounded to the nearest integer, with sigma^2 = (2 tau +
    2)^2/(2 rho_i) or 2/rho_i: 500, 200, 68, 20, and 496 for denominators in the nation.""",
    every(formulas, floored_formula, verdict=Verdict.ENCLOSED, z=Fraction("1.645"), more=Fraction(1, 2)),
    mutant("not rounded", {"more": Fraction(0)}),
    repairs="phsafe.margin.floor",
)

state("phsafe.margin.targets", "PHSafe, section 2.5 and Table 10")(
    """Accuracy: The algorithm must satisfy pre-determined accuracy targets, defined in terms of the 90% margins of
    error (MOE) on the output counts. … The desired targets are outlined in Table 10.""",
    every(table_rows, covers, verdict=Verdict.ENCLOSED),
    mutant(
        "half the loss",
        cases("half of the losses", "s k")(lambda: ((2 * s, row.target) for s, row in _BY_NOISE.items())),
    ),
    reading="the exact MOE of every row of Table 10, at its printed unbounded loss, is at most its target",
)

exact_margins = cases("the 9 different noises of Table 10", "s k")(
    lambda: ((s, 496 if row.unbounded.text == "0.000022" else row.target) for s, row in _BY_NOISE.items())
)

own("phsafe.margin.exact", "PHSafe, Table 10")(
    """The exact MOE, the smallest k with P(|X| <= k) >= 9/10, is the MOE target in each of the 46 rows of Table 10,
    except for the national denominators, where it is 496 and the target 500.""",
    every(exact_margins, margin_is, verdict=Verdict.ENCLOSED),
    mutant("k - 1", {"less": 1}),
    mutant("k + 1", {"less": -1}),
)
