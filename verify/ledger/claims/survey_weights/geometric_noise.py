"""The Laplace mechanism's discrete form: geometric noise on statistics that are integers."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, mutant, own, theorem

Case = tuple[Fraction, int, int, tuple[int, ...]]

noisy = cases(
    "ratios a of 1/4, 1/2 and 4/5 of the noise; statistics -3 to 3 of two data sets; releases -8 to 8",
    "a x y released",
    lambda: (
        (a, x, y, tuple(range(-8, 9)))
        for a, x, y in product((Fraction(1, 4), Fraction(1, 2), Fraction(4, 5)), range(-3, 4), range(-3, 4))
    ),
)

geometric_ratio_within = lambda a, x, y, released, change: all(
    (1 - a) / (1 + a) * a ** abs(t - x) <= a ** -abs(change) * (1 - a) / (1 + a) * a ** abs(t - y) for t in released
)
a_distance_less = lambda a, x, y, released: geometric_ratio_within(a, x, y, released, max(0, abs(x - y) - 1))

own("survey.laplace.discrete", "dissertation, Theorem 6.4.3")(
    """If on each universe the noise is geometric with one ratio a, and a^-|q(d) - q(d')| is at most e^(eps_D d(d, d'))
    for its data sets, the mechanism that releases q, whose values are integers, satisfies eps_D-DP.""",
    every(noisy, lambda a, x, y, released: geometric_ratio_within(a, x, y, released, x - y)),
    mutant("a distance less", a_distance_less),
    theorem(
        "laplace_discrete.laplace_discrete",
        "laplace_discrete.clamped_geometric_dp",
        "laplace_discrete.geometric_window",
        within="finite domains; vectors of integers",
    ),
    reading="the discrete form of the theorem, with one scale on each universe",
)


@cases("ratios a < b of 1/4, 1/2, 3/5 and 4/5; M = 2, 100 and 10^6; releases up to 100 away", "a b M")
def two_ratios() -> Iterator[tuple[Fraction, Fraction, int]]:
    ratios = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 5), Fraction(4, 5))
    return ((a, b, M) for a, b, M in product(ratios, ratios, (2, 100, 10**6)) if a < b)


geometric_ratio_exceeds = lambda b, M, a: any(
    (1 - b) / (1 + b) * b**t > M * (1 - a) / (1 + a) * a**t for t in range(101)
)

own("survey.laplace.discrete.two-ratios", "dissertation, Appendix D, proof of Theorem 6.4.3")(
    "Geometric noise of two ratios has D_Mult = oo: no budget bounds the change of a probability far out.",
    every(two_ratios, lambda a, b, M: geometric_ratio_exceeds(b, M, a)),
    mutant("one ratio", lambda b, M: geometric_ratio_exceeds(b, M, b)),
    theorem("laplace_discrete.scales_differ_refuted", within="Archimedean fields"),
)
