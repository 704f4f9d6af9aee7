"""The noise of PHSafe: tails of the discrete Gaussian against the continuous one, and margins of error, exactly.

The 90% margin of error of noise X is the smallest integer k with P(|X| <= k) >= 9/10: by symmetry the smallest k with
P(X <= k) >= 19/20, which a certified tail decides (`spec.laws.discrete_gaussian.quantile`).
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import ceil, isqrt
from typing import Any

import flint

from stirred.spec.laws.discrete_gaussian import cumulative, quantile, upper_tail
from stirred.spec.numbers.ball import ball_of
from stirred.spec.numbers.enclosure import Enclosure, enclose
from stirred.verify.claims.phsafe.table_10 import TABLE_10
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import argued, cases, every, failure, false, misprint, settled, state
from stirred.verify.ledger.language_names import exp, floor, sqrt


def weights_up_to(s, k):
    return 1 + 2 * sum(exp(-(x**2) / (2 * s)) for x in range(1, k + 1))


# at least P(|X| <= k), as the weights beyond reach are left out of the whole


def covered(s, k, reach):
    return weights_up_to(s, k) / weights_up_to(s, reach)


# a bound of the weights beyond reach


def weights_beyond(s, reach):
    return 2 * exp(-(reach**2) / (2 * s)) / (1 - exp(-reach / s))


def covered_below(s, k, reach):
    return weights_up_to(s, k) / (weights_up_to(s, reach) + weights_beyond(s, reach))


def is_least(s, k, reach):
    return covered_below(s, k, reach) >= 9 / 10 and (k == 0 or covered(s, k - 1, reach) < 9 / 10)


# at most P(X > k) and at least P(N > a), N continuous: an upper sum over steps h, and the rest from a + n*h on


def tail_below(s, k, reach):
    return sum(exp(-(x**2) / (2 * s)) for x in range(k + 1, reach + 1)) / (
        weights_up_to(s, reach) + weights_beyond(s, reach)
    )


# at least P(X > k) and at most P(N > a), from which the steps on are left out


def tail_above(s, k, reach):
    return (
        sum(exp(-(x**2) / (2 * s)) for x in range(k + 1, reach + 1)) + weights_beyond(s, reach) / 2
    ) / weights_up_to(s, reach)


def normal_tail_below(s, a, h, n):
    return h * sum(exp(-((a + k * h) ** 2) / (2 * s)) for k in range(1, n + 1)) / sqrt(s * 6283186 / 1000000)


def normal_tail_above(s, a, h, n):
    return (
        h * sum(exp(-((a + k * h) ** 2) / (2 * s)) for k in range(n))
        + s / (a + n * h) * exp(-((a + n * h) ** 2) / (2 * s))
    ) / sqrt(s * 6283185 / 1000000)


_SECTION = "PHSafe, section 7.1"
_LEVEL = Fraction(19, 20)
_SCALES = tuple(map(Fraction, ("1/100", "1/4", "1", "2", "10", "100", "1709", "14783")))
_SHOWN = ", ".join(map(str, _SCALES))


def _normal_tail(s: Fraction, a: Fraction) -> Enclosure:
    """P(N >= a) for N ~ N(0, σ²)."""
    return enclose(lambda: (ball_of(a) / ball_of(2 * s).sqrt()).erfc() / flint.arb(2), digits=60)


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
        reach, steps = (ceil(a) + 12 * (isqrt(ceil(s)) + 1), 8 if s < 1 else 2)
        case = {"s": s, "k": k, "reach": reach, "a": a, "h": Fraction(1, steps), "n": steps * (reach - k)}
        return settled(
            True, lambda s, k, reach, a, h, n: tail_above(s, k, reach) <= normal_tail_below(s, a, h, n), lambda: case
        )
    if discrete.lower <= continuous.upper:
        raise EngineError(f"60 digits do not decide the tails at sigma^2 = {s}, k = {k}")
    reach, n = 20 * (k + 1), 200

    return failure(
        lambda s, k, reach, a, h, n: tail_below(s, k, reach) <= normal_tail_above(s, a, h, n),
        s=s,
        k=k,
        reach=reach,
        a=a,
        h=a / 20 or Fraction(1, 20),
        n=n,
    )


def _tails() -> Iterator[tuple[Fraction, int]]:
    for s, i in product(_SCALES, range(1, 13)):
        root = max(1, isqrt(ceil(s)))
        yield s, 1 + (i - 1) * root // 2


tails = cases(f"sigma^2 = {_SHOWN}; 12 integers m from 1 to about 6 sigma: tails enclosed to 60 digits", "s m")(_tails)
real_tails = cases(f"sigma^2 = {_SHOWN}; m as for Proposition 1 and x = m, m + 1/2, m + 9/10", "s x")(
    lambda: ((s, m + Fraction(part, 10)) for s, m in _tails() for part in (0, 5, 9))
)

_PROOF = """e^(-t^2/(2 sigma^2)) falls for t >= 0, so its sum over the integers x >= m is at most its integral from
m - 1 on. Its sum over all integers is at least its integral over the line: by Poisson's formula it is that integral
times a sum of positive terms whose first is 1. Divide."""

state(
    "phsafe.tails",
    "PHSafe, Proposition 1",
    printed="For all m in Z with m >= 1, and for all sigma in R with sigma > 0, Pr[X >= m]_{X <- N_Z(sigma^2)} <= "
    "Pr[X >= m-1]_{X <- N(sigma^2)}. That is, discrete Gaussian distributions have tighter tails than their "
    "corresponding continuous Gaussian distributions.",
    reading="the last sentence is the inequality in words: one step further out, the discrete tail is at most the "
    "continuous one (at the same m it is heavier for small m: Pr[X >= 1] = 0.3005 > 0.1587 at sigma = 1)",
    checks=[every(tails, lighter, verdict=Verdict.ENCLOSED), argued("all m >= 1 and sigma > 0", proof=_PROOF)],
    mutants={"m for m - 1": every(tails, lighter, less=0)},
)

state(
    "phsafe.tails.reals",
    "PHSafe, Corollary 1",
    printed="For all m, sigma in R with x >= 1 and sigma > 0, Pr[X > x]_{X <- N_Z(sigma^2)} <= Pr[X > floor(x)]_{X <- "
    "N(sigma^2)}.",
    reading="for all x, sigma in R",
    checks=[
        every(real_tails, lighter_at_reals, verdict=Verdict.ENCLOSED),
        argued(
            "all x >= 1 and sigma > 0",
            proof="An integer is above x iff it is at least floor(x) + 1: Proposition "
            "1 with m = floor(x) + 1, and N has no mass at floor(x).",
        ),
    ],
    mutants={"x for floor(x)": every(real_tails, lighter_at_reals, floors=False)},
)


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


def _floor_of_root(square: Fraction) -> int:
    """The largest k >= 0 with k² <= square, exactly."""
    k = 0
    step = 1
    while step**2 <= square:
        step *= 2
    while step:
        if (k + step) ** 2 <= square:
            k += step
        step //= 2
    return k


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
all_noises = cases(f"sigma^2 = {_SHOWN} and the 9 different noises of Table 10", "s")(lambda: (*_SCALES, *_BY_NOISE))

_FLOORED = (
    "in (State, A-G) of PH1_num floor(1.64 sigma) = 67 has 89.75%, where 90% needs 68; 67 it is with 1.645 or the "
    "quantile 1.6449 for 1.64 too, and for sigma < 0.6 the floor is 0, which has 67% at most"
)
_CEILING_PROOF = """P(X > k) = P(X >= k + 1) <= P(N >= k) by Proposition 1, and P(N >= 1.645 sigma) < 1/20. So k =
ceil(1.645 sigma) leaves at most 1/10 outside."""

state(
    "phsafe.margin.floor",
    _SECTION,
    f"{_SECTION} (after Corollary 2)",
    printed="Using the continuous Gaussian to upper bound MOE in the discrete Gaussian, it follows that the discrete "
    "Gaussian has X in [-floor(1.64 sigma), floor(1.64 sigma)] with probability of at least 90%. That is, MOE <= "
    "floor(1.64 sigma). … For any table using Algorithm 1, a basis table cell in population group level i has an MOE "
    "of floor(1.64 sqrt((2 tau + 2)^2/(2 rho_i))). For any table using Algorithm 2, a basis table cell in population "
    "group level i has an MOE of floor(1.64 sqrt(2/rho_i)).",
    reading="the second passage is the first at sigma^2 = Delta^2/(2 rho_i): one inference, one verdict",
    grade=false(_FLOORED),
    checks=[every(noises, floor_covers)],
)

state(
    "phsafe.margin.ceiling",
    _SECTION,
    claim="For every sigma > 0, MOE <= ceil(1.645 sigma).",
    repairs="phsafe.margin.floor",
    checks=[
        every(all_noises, ceiling_covers, verdict=Verdict.ENCLOSED),
        argued("all sigma > 0", proof=_CEILING_PROOF),
    ],
    mutants={
        "floor for ceil": every(noises, floor_covers, z=Fraction("1.645")),
        "ceil - 1": every(all_noises, ceiling_covers, less=1),
    },
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


_USED = Fraction("1.645") ** 2 / 2

state(
    "phsafe.margin.calibration",
    "PHSafe, Corollary 2",
    printed="For any Delta > 0, the base discrete Gaussian mechanism run with (rho = 1.3448 Delta^2/floor(MOE)^2, "
    "Delta) has 90% margins of error of at most MOE in each vector component.",
    reading="1.3448 = 1.64^2/2, taken exactly",
    grade=misprint("1.64 is 1.645 rounded down: Table 10 is computed with 1.645 (phsafe.table-10.losses)"),
    checks=[every(targets, calibrated, constant=Fraction("1.3448"))],
)

state(
    "phsafe.margin.calibration.repaired",
    "PHSafe, Corollary 2",
    claim="For any Delta > 0 and MOE >= 1, the base discrete Gaussian mechanism run with (rho = 1.645^2 Delta^2/(2 "
    "floor(MOE)^2), Delta) has 90% margins of error of at most MOE in each vector component.",
    repairs="phsafe.margin.calibration",
    checks=[
        every(mechanisms, calibrated, verdict=Verdict.ENCLOSED, constant=_USED),
        argued(
            "all MOE >= 1",
            proof="1.645 sigma = floor(MOE) is an integer, so it is its own ceiling: see phsafe.margin.ceiling.",
        ),
    ],
    mutants={"1.3448": every(targets, calibrated, constant=Fraction("1.3448"))},
)


# sigma^2 of Algorithm 1


def truncated_noise(rho, tau):
    return (2 * tau + 2) ** 2 / (2 * rho)


def _formulas() -> Iterator[tuple[Fraction, int | None, Fraction]]:
    for row in sorted(TABLE_10, key=lambda row: row != _ROW):
        yield row.unbounded.value, row.tau, row.sigma_squared


formulas = cases("the 46 rows of Table 10, PH1_num in (State, A-G) first", "rho tau s")(_formulas)


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
    if tau is None and is_margin:
        return settled(
            True, lambda rho, z, more, reach: is_least(2 / rho, floor(z * sqrt(2 / rho) + more), reach), lambda: case
        )
    if tau is None:
        return failure(
            lambda rho, z, more, reach: covered(2 / rho, floor(z * sqrt(2 / rho) + more), reach) >= 9 / 10, **case
        )
    case["tau"] = tau
    if is_margin:
        return settled(
            True,
            lambda rho, tau, z, more, reach: is_least(
                truncated_noise(rho, tau), floor(z * sqrt(truncated_noise(rho, tau)) + more), reach
            ),
            lambda: case,
        )
    return failure(
        lambda rho, tau, z, more, reach: (
            covered(truncated_noise(rho, tau), floor(z * sqrt(truncated_noise(rho, tau)) + more), reach) >= 9 / 10
        ),
        **case,
    )


state(
    "phsafe.margin.formulas.rounded",
    "PHSafe, section 7.1 (after Corollary 2) and Table 10",
    claim="In each of the 46 rows of Table 10 the MOE is 1.645 sigma rounded to the nearest integer, with sigma^2 = "
    "(2 tau + 2)^2/(2 rho_i) or 2/rho_i: 500, 200, 68, 20, and 496 for denominators in the nation.",
    repairs="phsafe.margin.floor",
    checks=[
        every(formulas, floored_formula, verdict=Verdict.ENCLOSED, z=Fraction("1.645"), more=Fraction(1, 2)),
    ],
    mutants={"not rounded": every(formulas, floored_formula, z=Fraction("1.645"))},
)

state(
    "phsafe.margin.targets",
    "PHSafe, section 2.5 and Table 10",
    printed="Accuracy: The algorithm must satisfy pre-determined accuracy targets, defined in terms of the 90% "
    "margins of error (MOE) on the output counts. … The desired targets are outlined in Table 10.",
    reading="the exact MOE of every row of Table 10, at its printed unbounded loss, is at most its target",
    checks=[every(table_rows, covers, verdict=Verdict.ENCLOSED)],
    mutants={
        "half the loss": every(
            cases("half of the losses", "s k")(lambda: ((2 * s, row.target) for s, row in _BY_NOISE.items())), covers
        ),
    },
)

exact_margins = cases("the 9 different noises of Table 10", "s k")(
    lambda: ((s, 496 if row.unbounded.text == "0.000022" else row.target) for s, row in _BY_NOISE.items())
)

state(
    "phsafe.margin.exact",
    "PHSafe, Table 10",
    claim="The exact MOE, the smallest k with P(|X| <= k) >= 9/10, is the MOE target in each of the 46 rows of Table "
    "10, but for the denominators in the nation, where it is 496 and the target 500.",
    checks=[every(exact_margins, margin_is, verdict=Verdict.ENCLOSED)],
    mutants={"k - 1": every(exact_margins, margin_is, less=1), "k + 1": every(exact_margins, margin_is, less=-1)},
)
