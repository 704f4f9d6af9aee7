"""Densities of the Laplace mechanism, and its scale: dissertation, Appendix D and section 7.1."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.geometric import discrete_laplace_mechanism
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, mutant, own, query, state
from stirred.verify.ledger.claims.survey_weights.laplace import laplace_loss, norm_1
from stirred.verify.ledger.language_names import ln
from stirred.verify.ledger.words import multiplicative

_RANGE = 4

discrete_laws = cases(
    "discrete Laplace noise of ratio 1/a = e^(-1/b) = 1/2 or 1/3 on integers 0, …, 4, clamped to 0, …, 4",
    "p r q s a",
    lambda: (
        (
            (p, r, q, s, 1 / ratio)
            for ratio, q, s in product((Fraction(1, 2), Fraction(1, 3)), range(_RANGE + 1), range(_RANGE + 1))
            for p, r in [
                (
                    exact_law(discrete_laplace_mechanism, value, query=int, ratio=ratio, low=0, high=_RANGE)
                    for value in (q, s)
                )
            ]
        )
    ),
)

state("survey.laplace.density-ratio", "dissertation, Appendix D, proof of Theorem 6.4.3")(
    """D_Mult(P_d, P_d') = sup over t in R of |ln f_x(t)/f_x'(t)| = sup over t in R of |(||t - q(d')||_1 - ||t -
    q(d)||_1)/Delta_q([x]_D)| <= eps d(d, d'), where the first line follows by Proposition 38 of Bailie and Gong (2024),
    the second because [d]_D = [d']_D and the third by the reverse triangle inequality.""",
    query("survey.laplace.density-ratio", "all real q, q', t in R^2, and one scale b"),
    every(discrete_laws, lambda p, r, q, s, a: multiplicative(p, r) == a ** abs(q - s)),
    mutant("half of b eps d", lambda p, r, q, s, a: multiplicative(p, r) ** 2 <= a ** abs(q - s)),
    mutant("a loss that does not grow", lambda p, r, a: multiplicative(p, r) <= a),
    reading="""two misprints: t is in R^k, and f_x is the density f_d of d, [x]_D its [d]_D; the third line, with one
    scale b = Delta_q > 0 for d and d', so that b eps d(d, d') >= ||q(d) - q(d')||_1: real vectors with k = 2, and
    integers with the discrete law, where the supremum is attained""",
)


@cases(
    "centres q, r in {-1, 0, 2}, scales b < c in {1/2, 1, 3, 10}, M in {1, 10, 1000}; t as far out as M asks",
    "q r b c M t",
)
def two_scales() -> Iterator[tuple[Any, ...]]:
    scales = (Fraction(1, 2), Fraction(1), Fraction(3), Fraction(10))
    for (q, r), (b, c), bound in product(product((-1, 0, 2), repeat=2), combinations(scales, 2), (1, 10, 1000)):
        # ln(f/f') = ln(c/b) - |t - q|/b + |t - r|/c, where ln(c/b) < c/b and |t - r| <= |t - q| + |q - r|
        yield q, r, b, c, bound, q + (bound + c / b + abs(q - r) / c) / (1 / b - 1 / c)


ratio_exceeds = lambda q, r, b, c, M, t: abs(ln(c / b) - abs(t - q) / b + abs(t - r) / c) > M

own("survey.laplace.two-scales", "dissertation, Appendix D, proof of Theorem 6.4.3")(
    "Laplace laws with different scales have D_Mult = oo: for every M some t has |ln f(t)/f'(t)| > M.",
    every(two_scales, ratio_exceeds, verdict=Verdict.ENCLOSED),
    mutant("one scale", lambda q, r, b, M, t: abs(abs(t - r) / b - abs(t - q) / b) > M),
    reading="f(t) = exp(-|t - q|/b)/(2b), f'(t) = exp(-|t - r|/c)/(2c)",
)

# f: a statistic of two records, 0 or 1 each
one_replaced = lambda x: [(1 - x[0], x[1]), (x[0], 1 - x[1])]
changed_most = lambda f: max(norm_1(f[x], f[y]) for x in f for y in one_replaced(x))
loss_at_scale = lambda f, b: max(laplace_loss(f[x], b, f[y], b) for x in f for y in one_replaced(x))

statistics = cases(
    "all statistics with values in {0, 1, 3, 7} of two records, 0 or 1 each; epsilon 1/2, 1 and 2",
    "f epsilon",
    lambda: (
        ({pair: (value,) for pair, value in zip(pairs, values, strict=True)}, epsilon)
        for pairs in [tuple(product((0, 1), repeat=2))]
        for values, epsilon in product(product((0, 1, 3, 7), repeat=4), (Fraction(1, 2), Fraction(1), Fraction(2)))
    ),
)

by_smallest_change = lambda f, epsilon: (
    loss_at_scale(f, min(norm_1(f[x], f[y]) for x in f for y in one_replaced(x)) / epsilon) <= epsilon
)

state("survey.laplace.scale", "dissertation, section 7.1")(
    """… the Laplace mechanism, which, for any univariate statistic f, ensures epsilon-DP by adding a random draw from a
    Laplace distribution centered at zero with scale parameter b = Delta f/epsilon. The parameter Delta f is the
    sensitivity of f measured as the maximum absolute distance (the L_1 norm) of the statistic computed over two
    neighboring datasets""",
    every(statistics, lambda f, epsilon: loss_at_scale(f, changed_most(f) / epsilon) <= epsilon),
    mutant("b = Delta f/(2 epsilon)", lambda f, epsilon: loss_at_scale(f, changed_most(f) / (2 * epsilon)) <= epsilon),
    mutant("the smallest change for the largest", by_smallest_change),
    reading="neighbours by replacing one record, as the section has it",
)

ratios = cases(
    "discrete Laplace noise of e^(-1/b) = 1/8, …, 7/8, each but the last beside the next; k = 1, …, 6",
    "p r k",
    lambda: (
        (*(_tails(Fraction(n, 8)) for n in (eighths, eighths + 1)), k)
        for eighths, k in product(range(1, 7), range(1, 7))
    ),
)


def _tails(ratio: Fraction) -> tuple[Fraction, ...]:
    """The chances that the noise is at least 0, 1, …, 6 in absolute value, from its law clamped to -6, …, 6."""
    law = exact_law(discrete_laplace_mechanism, 0, query=int, ratio=ratio, low=-6, high=6)
    return tuple(sum((law.numeric(n) for n in law if abs(n) >= k), Fraction(0)) for k in range(7))


state("survey.laplace.more-noise", "dissertation, section 7.1")(
    """With this mechanism, the dependence on the two parameters is obvious: More noise is added for outputs with higher
    sensitivity and smaller values of epsilon.""",
    every(ratios, lambda p, r, k: p[k] < r[k]),
    mutant("twice as likely", lambda p, r, k: 2 * p[k] < r[k]),
    reading="with a larger b = Delta f/epsilon noise of k or more is likelier, for every k; of discrete noise",
)
