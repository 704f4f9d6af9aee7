"""The discrete Gaussian N_Z(m, sigma^2) of article, Algorithm 2: its divergences, and its sampler.

Its divergences are sums over all integers; P^2/Q around 2m is a shifted copy of the terms of f(0), so that the quotient
of two sums over ranges of one length, one around 2m and one around 0, is that of the whole sums.
"""

from fractions import Fraction
from itertools import product
from math import isqrt

from stirred.mechanisms.noise.discrete_gaussian import discrete_gaussian
from stirred.spec.laws.discrete_gaussian import gaussian_renyi_divergence, gaussian_zcdp_budget, point_probability
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, mutant, own, settled, state, theorem
from stirred.verify.ledger.engines.bounded_law import bounded_law
from stirred.verify.ledger.engines.gaussian_maximum import is_largest_at_integers
from stirred.verify.ledger.language_names import exp, ln, sqrt

integers_around = lambda c, reach: range(c - reach, c + reach + 1)
gaussian_weights = lambda s, c, reach: sum(exp(-((x - c) ** 2) / (2 * s)) for x in integers_around(0, reach))
gaussian_tail = lambda s, reach: 2 * exp(-(reach**2) / (2 * s)) / (1 - exp(-reach / s))
square_term = lambda s, m, x: exp((x**2 - 2 * (x - m) ** 2) / (2 * s))
square_terms = lambda s, m, reach: {x: square_term(s, m, x) for x in integers_around(2 * m, reach)}
sum_of_products = lambda p, q: sum(p[x] * q[y] for x in p for y in q)
half_renyi_2 = lambda s, m: (
    ln(sum(square_term(s, m, x) for x in integers_around(2 * m, 15)) / gaussian_weights(s, 0, 15)) / 2
)
half_renyi_2_of_pair = lambda s, m, u, n: (
    ln(
        sum_of_products(square_terms(s, m, 6), square_terms(u, n, 6))
        / (gaussian_weights(s, 0, 6) * gaussian_weights(u, 0, 6))
    )
    / 2
)

_ALGORITHM = "article, Algorithm 2"
_NARROW = (Fraction(1, 16), Fraction(1, 9), Fraction(1, 4), Fraction(1, 2))
"""The σ² for which f(c) ≤ f(0) is enclosed for all real c."""
_SHOWN = ", ".join(map(str, _NARROW))
narrow = cases(f"sigma^2 = {_SHOWN}, all real c", "s")(lambda: iter(_NARROW))


def largest_at_zero(s: Fraction) -> Witness | None:
    """f(c) <= f(0) for all real c."""
    if not is_largest_at_integers(s):
        raise EngineError(f"no maximum at the integers is certified for sigma^2 = {s}")
    return None


below_half_integers = lambda s, reach: (
    gaussian_weights(s, 0, reach) <= gaussian_weights(s, 1 / 2, reach) + gaussian_tail(s, reach)
)

own("gaussian.sum-maximal", _ALGORITHM)(
    "f(c) = sum over x in Z of exp(-(x-c)^2/(2 sigma^2)) is largest where c is an integer.",
    theorem("gaussian_sum.gauss_sum_max"),
    every(narrow, largest_at_zero, verdict=Verdict.ENCLOSED),
    mutant("largest at half-integers", every(narrow, below_half_integers, reach=10)),
)

exponents = cases(
    "all sigma^2 > 0: P^a Q^(1-a) = exp(-(x - a m)^2/(2 sigma^2) + (a^2 - a) m^2/(2 sigma^2))/f(0), an identity of "
    "degree at most 2 in each of x, m and a, at three values of each; summed over Z, f(a m) = f(0)",
    "x m a",
)(lambda: product((0, 1, 2), (1, 2, 3), (2, 3, 4)))

completes_square = lambda a, x, m, excess: a * (x - m) ** 2 + (1 - a) * x**2 == (x - a * m) ** 2 - (a**2 - a) * excess

own("gaussian.renyi-integer", _ALGORITHM)(
    "For integers m and a > 1, D_a(N_Z(m, sigma^2)||N_Z(0, sigma^2)) = a m^2/(2 sigma^2).",
    theorem("discrete_gaussian.discrete_gaussian_renyi_integer"),
    every(exponents, lambda x, m, a: completes_square(a, x, m, m**2), verdict=Verdict.DECIDED),
    mutant("m for m^2", lambda x, m, a: completes_square(a, x, m, m)),
)

_SHIFTS = (1, 2, 3)
scales_and_shifts = cases(f"m = 1, 2, 3 and sigma^2 = {_SHOWN}, 5: D_2/2 by summing outcomes, to 10^-9", "s m")(
    lambda: product((*_NARROW, Fraction(5)), _SHIFTS)
)
orders = cases(
    f"m = 1, 2, 3, both directions by symmetry: sigma^2 = {_SHOWN}, all a > 1; sigma^2 = 5, a = 11/10, 3/2, 9/4", "s m"
)(lambda: product((*_NARROW, Fraction(5)), _SHIFTS))


def below_order_two(s: Fraction, m: int) -> Witness | None:
    """D_a <= a*m^2/(2*sigma^2) at three orders, and at all of them where f(a*m) <= f(0) is certified."""
    for a in (Fraction(11, 10), Fraction(3, 2), Fraction(9, 4)):
        found, bound = gaussian_renyi_divergence(s, m, a), a * gaussian_zcdp_budget(s, m)
        if found.lower > bound:
            return failure(
                lambda s, c: gaussian_weights(s, c, 40) <= gaussian_weights(s, 0, 40) + gaussian_tail(s, 40),
                s=s,
                c=a * m % 1,
            )
        if found.upper > bound + Fraction(1, 10**15):
            raise EngineError(f"D_a at a = {a}, sigma^2 = {s}, m = {m} is not enclosed closely enough")
    return largest_at_zero(s) if s in _NARROW else None


half_renyi_near = lambda s, m, value: -1 / 10**9 <= half_renyi_2(s, m) - value <= 1 / 10**9

own("gaussian.zcdp", _ALGORITHM)(
    """For every integer m, D_NoR(N_Z(m, sigma^2), N_Z(0, sigma^2))^2 = m^2/(2 sigma^2): D_a <= a m^2/(2 sigma^2) for
    all real a > 1, with equality at a = 2.""",
    theorem(
        "discrete_gaussian.discrete_gaussian_nor",
        "discrete_gaussian.discrete_gaussian_zcdp",
        "discrete_gaussian.discrete_gaussian_renyi_le",
    ),
    every(scales_and_shifts, lambda s, m: half_renyi_near(s, m, m**2 / (2 * s)), verdict=Verdict.ENCLOSED),
    mutant("sigma for sigma^2", lambda s, m: half_renyi_near(s, m, m**2 / (2 * sqrt(s)))),
    mutant("m for m^2", lambda s, m: half_renyi_near(s, m, m / (2 * s))),
    every(orders, below_order_two, verdict=Verdict.ENCLOSED),
)

coordinates = cases(
    "two coordinates with sigma^2 = 1/4 and 1/2, shifts 1, 2, 3: D_2/2 by summing outcomes, to 10^-9", "s m u n"
)(lambda: product((Fraction(1, 4),), _SHIFTS, (Fraction(1, 2),), _SHIFTS))

half_renyi_of_pair_near = lambda s, m, u, n, value: -1 / 10**9 <= half_renyi_2_of_pair(s, m, u, n) - value <= 1 / 10**9
pair_near_sum = lambda s, m, u, n: half_renyi_of_pair_near(s, m, u, n, (m**2 / (2 * s) + n**2 / (2 * u)))

own("gaussian.diagonal", "article, Algorithm 2, lines 3 and 4")(
    """For independent discrete Gaussians with a diagonal Sigma, D_NoR^2 of a shift by integers m_i is the sum of
    m_i^2/(2 sigma_i^2).""",
    theorem("discrete_gaussian.diagonal_gaussian_nor"),
    every(coordinates, pair_near_sum, verdict=Verdict.ENCLOSED),
    mutant(
        "the largest coordinate for the sum",
        lambda s, m, u, n: half_renyi_of_pair_near(s, m, u, n, max(m**2 / (2 * s), n**2 / (2 * u))),
    ),
)

_WIDER = (Fraction(1, 2), Fraction(1), Fraction(5))
centers = cases(
    "sigma^2 = 1/2, 1, 5; c = 0, 1/4, ..., 1: the 25 probabilities around 0 and the 13 among them", "s c d"
)(lambda: ((s, Fraction(i, 4), Fraction(i, 4)) for s, i in product(_WIDER, range(5))))
two_centers = cases("sigma^2 = 1/2, c = 1/2, divided by f(0)", "s c d")(
    lambda: iter([(Fraction(1, 2), Fraction(1, 2), Fraction(0))])
)

summed = lambda s, c, d: 0 <= 1 - gaussian_weights(s, c, 6) / gaussian_weights(s, d, 12) <= gaussian_tail(s, 5)

own("gaussian.law", _ALGORITHM)(
    """For every sigma^2 > 0 and every real c the probabilities exp(-(x-c)^2/(2 sigma^2))/f(c) of N_Z(c, sigma^2) sum to
    1 over the integers x, where f(c) is finite: it is a law.""",
    theorem("discrete_gaussian.discrete_gaussian_law"),
    every(centers, summed, verdict=Verdict.ENCLOSED),
    mutant("f(0) for f(c)", two_centers),
)

general_orders = cases(
    "sigma^2 = 1/9, 1/2, 5; a = 11/10, 3/2, 9/4; m = 0, 1, 2 and n = -1, 0: by summing outcomes, to 10^-9", "s a m n"
)(
    lambda: product(
        (Fraction(1, 9), Fraction(1, 2), Fraction(5)), map(Fraction, ("11/10", "3/2", "9/4")), (0, 1, 2), (-1, 0)
    )
)

general_shift_near = lambda a, m, n, s, share: (
    -1 / 10**9
    <= ln(
        sum(exp(-(a * (x - m) ** 2 + (1 - a) * (x - n) ** 2) / (2 * s)) for x in integers_around(0, 25))
        / gaussian_weights(s, 0, 25)
    )
    / (a - 1)
    - a * (m - n) ** 2 / (2 * s)
    - share * ln(gaussian_weights(s, a * m + (1 - a) * n, 25) / gaussian_weights(s, 0, 25)) / (a - 1)
    <= 1 / 10**9
)

own("gaussian.real-orders", _ALGORITHM)(
    """For integers m and n and every real a > 1, D_a(N_Z(m, sigma^2)||N_Z(n, sigma^2)) = a (m-n)^2/(2 sigma^2) + ln(f(a
    m + (1-a) n)/f(0))/(a-1).""",
    theorem("discrete_gaussian.discrete_gaussian_renyi"),
    every(general_orders, lambda s, a, m, n: general_shift_near(a, m, n, s, 1), verdict=Verdict.ENCLOSED),
    mutant("without the last term", lambda s, a, m, n: general_shift_near(a, m, n, s, 0)),
)

_shifted = lambda *shifts: cases(f"t = {', '.join(shifts)}; the outcomes up to 20", "t")(lambda: map(Fraction, shifts))

shifted_integers_apart = lambda t: len({x + t for x in integers_around(0, 20)} & set(integers_around(0, 20))) == 0

own("gaussian.shifted", _ALGORITHM)(
    """If t is no integer, D_a between t + N_Z(0, sigma^2) and N_Z(0, sigma^2) is infinite for every a > 1: noise on the
    integers protects integer queries alone.""",
    every(_shifted("1/7", "1/3", "1/2", "5/4"), shifted_integers_apart),
    mutant("t = 1 too", _shifted("1/2", "1")),
    theorem("discrete_gaussian.shifted_gaussian_infinite"),
    reading="no outcome of one is an outcome of the other",
)

_beyond = lambda shifts: (
    (m, s, b, m + s * (b + 1) / (m or 1))
    for m, s, b in product(*(map(Fraction, some) for some in (shifts, _SHIFTS, _SHIFTS)))
)
far_outcomes = cases(
    "all m != 0, sigma^2 > 0 and B > 0: at x = m + sigma^2 (B + 1)/m, m(2x - m) - 2 sigma^2 B = m^2 + 2 sigma^2 > 0, "
    "an identity of degree at most 2 in each letter, at three values of each",
    "m s b x",
)(lambda: _beyond((-3, -2, -1, 1, 2, 3)))
unshifted = cases("m = 0", "m s b x")(lambda: _beyond((0,)))

log_ratio_of_shift = lambda x, m, s: (x**2 - (x - m) ** 2) / (2 * s)
ratio_beyond = lambda m, s, b, x: (
    log_ratio_of_shift(x, m, s) - b == (m**2 + 2 * s) / (2 * s) and log_ratio_of_shift(x, m, s) > b
)
laplace_beyond = lambda m, s, b, x: max((abs(y) - abs(y - m)) / s for y in [0, m, x]) > b

state("gaussian.not-pure", "dissertation, section 2.4.5")(
    """… requiring that this property hold for all outputs t … is a stringent condition. For additive noise, it requires
    a fat-tailed noise distribution, with density e^(-O(|x|)), which rules out Gaussian noise for example.""",
    every(far_outcomes, ratio_beyond, verdict=Verdict.DECIDED),
    mutant("the discrete Laplace law for the Gaussian", laplace_beyond),
    mutant("m = 0 allowed", every(unshifted, lambda m, s, b, x: log_ratio_of_shift(x, m, s) > b)),
    reading="""for every shift m != 0 and bound B some x has ln(P(x)/Q(x)) = (x^2 - (x-m)^2)/(2 sigma^2) > B, so that
    D_Mult is infinite, for P = N(m, sigma^2) and Q = N(0, sigma^2); for N_Z too, x rounded away from 0""",
)

_SAMPLED = (Fraction(1, 2), Fraction(1), Fraction(9, 4), Fraction(4))
sampled = cases(
    f"sigma^2 = {', '.join(map(str, _SAMPLED))}: every path of probability 10^-8 followed; total variation <= 10^-5",
    "s",
)(lambda: iter(_SAMPLED))

# the law is that of the paths that were followed: what they lack may be anywhere
followed_nearly = lambda s, law: (
    sum(
        max(0, law[x] - exp(-(x**2) / (2 * s)) / whole)
        for whole in [gaussian_weights(s, 0, 40) + gaussian_tail(s, 40)]
        for x in law
    )
    + 1
    - sum(law[x] for x in law)
    <= 1 / 10**5
)


def sampler(s: Fraction, *, root: bool = False) -> Witness | None:
    """The law of the program, given sigma^2 or its root, is N_Z(0, sigma^2)."""
    given = Fraction(isqrt(s.numerator), isqrt(s.denominator)) if root else s
    law = bounded_law(discrete_gaussian(given), 0, cutoff=Fraction(1, 10**8))
    excess = {x: mass - point_probability(s, x).lower for x, mass in law.lower.items()}
    if sum((max(one, Fraction(0)) for one in excess.values()), law.missing) <= Fraction(1, 10**5):
        return settled(True, followed_nearly, lambda: {"s": given, "law": law.lower})

    return failure(
        lambda s, law: (
            sum(max(0, law[x] - exp(-(x**2) / (2 * s)) / gaussian_weights(s, 0, 8)) for x in law) <= 1 / 10**5
        ),
        s=s,
        law=law.lower,
        note="the program's law, from below",
    )


own("gaussian.sampler", "Canonne, Kamath and Steinke (2020), Algorithms 1 to 3")(
    "The law of the program mechanisms.discrete_gaussian(sigma^2) on the query 0 is N_Z(0, sigma^2).",
    every(sampled, sampler, verdict=Verdict.ENCLOSED),
    mutant("sigma for sigma^2", {"root": True}),
)
