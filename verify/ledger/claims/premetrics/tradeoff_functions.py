"""Trade-off functions: their shape, Blackwell's theorem, and premetrics that are functions of them."""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import chain, combinations_with_replacement, pairwise, permutations, product
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Tradeoff, total_variation, tradeoff_curve
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import (
    argued,
    cases,
    every,
    failure,
    incomplete,
    misprint,
    mutant,
    own,
    settled,
    some,
    state,
    unless,
    unsettled,
)
from stirred.verify.ledger.claims.zcdp.divergences import joint_law
from stirred.verify.ledger.engines.blackwell import PostProcessing, post_processing
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get, subsets
from stirred.verify.ledger.words import hockey_stick, mixed, outcomes, probability, same_law
from stirred.verify.ledger.words import total_variation as variation_word

# Trade-off functions: their shape, which functions they are, and in which sense they are output premetrics

# by the tests that reject a set of outcomes, and one more outcome as often as the level allows
rejected_share = lambda p, s, t, a: min(1, (a - probability(p, s)) / p[t]) if get(p, t, 0) > 0 else 1
best_power = lambda p, q, a, share: max(
    probability(q, s) + share * get(q, t, 0) * rejected_share(p, s, t, a)
    for s in subsets(outcomes(p, q))
    for t in outcomes(p, q) - s
    if probability(p, s) <= a
)

# by duality: the smallest of the lines gamma a + E_gamma(Q || P)
tradeoff_slopes = lambda p, q: {0} | {get(q, t, 0) / p[t] for t in p if p[t] > 0}
tradeoff = lambda p, q, a: min(gamma * a + hockey_stick(q, p, gamma) for gamma in tradeoff_slopes(p, q))


def power_at(p: Law[int], q: Law[int], alpha: Fraction) -> Fraction:
    """Tr(P, Q)(alpha); a curve may start above the origin."""
    curve = tradeoff_curve(p, q)
    return curve[0][1] if alpha == 0 else Tradeoff.at(curve, alpha)


_COINS, _TRIPLES = laws_of(2, 4), laws_of(3, 2)
pairs = cases("all pairs of laws on two outcomes in quarters and on three in halves; all alpha in eighths", "p q")(
    lambda: chain(product(_COINS, repeat=2), product(_TRIPLES, repeat=2))
)
is_best_power = lambda p, q, share: all(best_power(p, q, k / 8, share) == tradeoff(p, q, k / 8) for k in range(9))

state("tradeoff.properties", "dissertation, Definition A.6.1 and the text after it")(
    """the tradeoff function Tr(P, Q) : [0, 1] -> [0, 1] is defined as Tr(P, Q)(alpha) = sup_phi {E_{X ~ Q}[phi(X)] :
    E_{X ~ P}[phi(X)] <= alpha} … Let F_Tr be the set of functions f : [0, 1] -> [0, 1] which are continuous, concave,
    non-decreasing and which satisfy f(alpha) >= alpha for all alpha in [0, 1]. Proposition 1 of Dong et al. (2022)
    proves that F_Tr is the set of all tradeoff functions""",
    every(pairs, is_best_power, share=1),
    mutant("deterministic tests only", {"share": 0}),
    every(
        pairs,
        lambda p, q: all(tradeoff(p, q, k / 8) >= max(k / 8, tradeoff(p, q, max(0, k - 1) / 8)) for k in range(9)),
    ),
    reading="here: Tr(P, Q) is in F_Tr; on finite sets it is the smallest of finitely many lines in alpha",
)

shapes = cases(
    "all such f that are linear between 0, 1/3, 2/3 and 1, with values there in sixths; P uniform on three outcomes, Q "
    "with the rises of f there and f(0) on an outcome of its own",
    "f",
)(
    lambda: (
        chosen
        for chosen in combinations_with_replacement([Fraction(k, 6) for k in range(7)], 4)
        for rises in [[g - f for f, g in pairwise(chosen)]]
        if all(a >= b for a, b in pairwise(rises)) and all(f >= Fraction(k, 3) for k, f in enumerate(chosen))
    )
)

has_values = lambda f, where: all(
    tradeoff({t: 1 / 3 for t in range(3)}, q, k / 3) == f[k]
    for q in [{t: (f[t + 1] - f[t] if t < 3 else 0) + (f[0] if t == where else 0) for t in range(4)}]
    for k in range(4)
)

state("tradeoff.all-functions", "dissertation, section A.6")(
    """Proposition 1 of Dong et al. (2022) proves that F_Tr is the set of all tradeoff functions: F_Tr = {Tr(P, Q) : P,
    Q in P_(Omega, F) for any (Omega, F)}.""",
    every(shapes, has_values, where=3),
    mutant("laws of equal supports only", {"where": 0}),
    reading="here: each function of F_Tr, if it is piecewise linear, is that of two finite laws",
)

_MIDDLE = [pair for pair in permutations(_COINS, 2) if len(pair[0]) == len(pair[1]) == 2]
with_budgets = cases(
    "all pairs of laws on two outcomes in quarters; f = the type II errors of all such R, S; alpha in eighths",
    "p q r s",
)(lambda: chain((a + b for a, b in product(_MIDDLE, repeat=2)), product(_COINS, repeat=4)))

# f-DP at the trade-off function of r and s: every type II error is at least theirs
errors_at_least = lambda p, q, r, s: all(
    1 - best_power(p, q, k / 8, 1) >= 1 - best_power(r, s, k / 8, 1) for k in range(9)
)

state("tradeoff.type-two", "dissertation, section 2.4.6")(
    """This is the approach taken in f-DP (Dong et al., 2022), where D_Pr(P, Q) is the tradeoff function Tr(P, Q) in [0,
    1]^[0, 1]. (Recall that the tradeoff function Tr(P, Q) maps alpha in [0, 1] to the infimum type II error over all
    level-alpha tests of P (the null) versus Q (the alternative).)""",
    every(
        with_budgets,
        lambda p, q, r, s: (
            all(1 - tradeoff(p, q, k / 8) <= 1 - tradeoff(r, s, k / 8) for k in range(9)) == errors_at_least(p, q, r, s)
        ),
    ),
    reading="the DP condition D_Pr <= f in the pointwise order is f-DP: every type II error is at least f",
    grade=misprint("type II error for power, as Tr is in section 2.5 and Definition A.6.1; the budget is then 1 - f"),
)

own("tradeoff.power", "dissertation, section 2.4.6")(
    """With D_Pr(P, Q)(alpha) the supremum of the power (Definition A.6.1) and the budget 1 - f, at distance 1, the DP
    condition is f-DP: the infimum type II error is at least f(alpha) at every alpha.""",
    every(
        with_budgets,
        lambda p, q, r, s: (
            all(tradeoff(p, q, k / 8) <= tradeoff(r, s, k / 8) for k in range(9)) == errors_at_least(p, q, r, s)
        ),
    ),
    mutant(
        "the budget f for 1 - f",
        lambda p, q, r, s: (
            all(tradeoff(p, q, k / 8) <= 1 - tradeoff(r, s, k / 8) for k in range(9)) == errors_at_least(p, q, r, s)
        ),
    ),
    repairs="tradeoff.type-two",
)

laws = cases("all laws on two outcomes in quarters and on three in halves; alpha in eighths", "p")(
    lambda: iter((*_COINS[1:], _COINS[0], *_TRIPLES))
)
triples = cases("all triples of laws on two outcomes in quarters; alpha in eighths", "p q r")(
    lambda: product(_COINS, repeat=3)
)

excess_at = lambda k, p, q: tradeoff(p, q, k / 8) - k / 8

state("tradeoff.premetric", "dissertation, section 2.4.6")(
    """The second option is to generalize the definition of a probability premetric to have a multidimensional codomain
    [0, oo]^d … This is the approach taken in f-DP (Dong et al., 2022), where D_Pr(P, Q) is the tradeoff function Tr(P,
    Q) in [0, 1]^[0, 1].""",
    every(laws, lambda p: all(tradeoff(p, p, k / 8) == 0 for k in range(9))),
    every(laws, lambda p: all(1 - tradeoff(p, p, k / 8) == 0 for k in range(9))),
    reading="each component of the premetric is 0 for equal laws; Tr as in Definition A.6.1, or as type II error",
    grade=incomplete("that 0 is read as the least trade-off function, alpha, which Proposition A.6.3 takes off"),
)

excess_is_symmetric = lambda p, q: all(excess_at(k, p, q) == excess_at(k, q, p) for k in range(9))

own("tradeoff.premetric.excess", "dissertation, section 2.4.6")(
    """Tr(P, Q)(alpha) - alpha, with Tr as in Definition A.6.1, is at least 0 for all alpha, and 0 for all alpha iff P =
    Q: a positive premetric. It is not symmetric, nor triangular at each alpha.""",
    every(pairs, lambda p, q: all(excess_at(k, p, q) >= 0 for k in range(9))),
    mutant("Tr for Tr - alpha", lambda p, q: all(tradeoff(p, q, k / 8) == 0 for k in range(9)) == same_law(p, q)),
    mutant("a symmetric one", excess_is_symmetric),
    every(pairs, lambda p, q: all(excess_at(k, p, q) == 0 for k in range(9)) == same_law(p, q)),
    some(pairs, lambda p, q: not excess_is_symmetric(p, q)),
    mutant(
        "a triangular one",
        every(
            triples,
            lambda p, q, r: all(excess_at(k, p, r) <= excess_at(k, p, q) + excess_at(k, q, r) for k in range(9)),
        ),
    ),
    repairs="tradeoff.premetric",
)

# Blackwell's theorem: which pairs of laws become others by a kernel, and premetrics that are functions of Tr

Pair = tuple[Law[int], Law[int]]
"""P and Q."""

carries_both = lambda kernel, p, q, r, s: same_law(mixed(p, kernel), r) and same_law(mixed(q, kernel), s)
sixths = lambda p, q: [tradeoff(p, q, k / 6) for k in range(7)]
nowhere_below = lambda f, g: all(a >= b for a, b in zip(f, g))
at_diagonal = lambda values: values[[k / 6 for k in range(7)]]
least_at_diagonal = lambda values: all(at_diagonal(values) <= values[f] for f in values)
constant_values = lambda values: all(values[f] == values[g] for f in values for g in values)
non_decreasing_values = lambda values: all(
    values[f] >= values[g] for f in values for g in values if nowhere_below(f, g)
)
satisfied_by = lambda values, condition: (
    non_decreasing_values(values)
    if condition == "non-decreasing"
    else constant_values(values)
    if condition == "constant"
    else least_at_diagonal(values)
)


@cache
def kernel(one: Pair, other: Pair) -> Mapping[Any, Law[Any]] | None:
    """A kernel that takes one pair of laws to another, by an exact linear program, and applied again; else None."""
    found = post_processing(*one, *other)
    return found.kernel if isinstance(found, PostProcessing) else None


@cache
def harder_level(one: Pair, other: Pair) -> Fraction | None:
    """A level at which Tr(P, Q) is below Tr(P', Q'), if there is one."""
    levels = sorted({alpha for pair in (one, other) for alpha, _ in tradeoff_curve(*pair)})
    return next((level for level in levels if power_at(*one, level) < power_at(*other, level)), None)


_PAIRS = list(product(laws_of(2, 3), repeat=2))
_TRIPLE_PAIRS = list(product(laws_of(3, 2), repeat=2))[::3]
pairs_of_pairs = cases(
    "pairs of laws on two outcomes in thirds (all) and on three in halves (every third)", "one other"
)(lambda: chain(product(_PAIRS, _PAIRS), product(_TRIPLE_PAIRS, _PAIRS), product(_PAIRS[::2], _TRIPLE_PAIRS)))


def reachable(one: Pair, other: Pair, *, by: str) -> Witness | None:
    """Some kernel takes (P, Q) to (P', Q') = (R, S) iff Tr(P, Q) >= Tr(R, S), or another comparison."""
    found, level = kernel(one, other), harder_level(one, other)
    case: dict[str, Any] = dict(zip("pqrs", (*one, *other), strict=True))
    if (found is not None) == (level is None if by == "power" else total_variation(*one) >= total_variation(*other)):
        if found is not None:
            return settled(
                True, lambda kernel, p, q, r, s: carries_both(kernel, p, q, r, s), lambda: {**case, "kernel": found}
            )
        return settled(
            True,
            lambda level, p, q, r, s: tradeoff(p, q, level) < tradeoff(r, s, level),
            lambda: {**case, "level": level},
        )
    if found is not None:
        return failure(
            lambda p, q, r, s, kernel: (
                not carries_both(kernel, p, q, r, s) or variation_word(p, q) >= variation_word(r, s)
            ),
            **case,
            kernel=found,
        )
    return failure(
        lambda p, q, r, s, level: (
            variation_word(p, q) < variation_word(r, s) or tradeoff(p, q, level) >= tradeoff(r, s, level)
        ),
        **case,
        level=level,
        note="no kernel raises the power at a level",
    )


_STATEMENT = (
    "For P, Q in P_(Omega, F) and P', Q' in P_(Omega', F'), the following statements are equivalent: 1. Tr(P, Q) >= "
    "Tr(P', Q'). 2. There exists a Markov kernel kappa such that P' = kappa o P and Q' = kappa o Q."
)

state("tradeoff.blackwell", "dissertation, Theorem A.6.2")(
    _STATEMENT,
    unsettled(
        "it fails on some spaces that are not standard: see tradeoff.blackwell.nonstandard, whose proof no "
        "finite witness can replace; for standard spaces and for finite sets see the claims on these"
    ),
    reading="on any two measurable spaces",
)

own("tradeoff.blackwell.finite", "dissertation, Theorem A.6.2")(
    "Theorem A.6.2 for laws on finite sets.",
    every(pairs_of_pairs, reachable, by="power"),
    mutant("the larger total variation for the larger trade-off function", {"by": "total variation"}),
    repairs="tradeoff.blackwell",
)

own("tradeoff.blackwell.nonstandard", "dissertation, Theorem A.6.2")(
    """There are laws P, Q on the Borel sets of [0, 1] and P', Q' on a larger sigma-algebra of [0, 1] with Tr(P, Q) =
    Tr(P', Q') and no Markov kernel kappa such that P' = kappa o P and Q' = kappa o Q.""",
    argued(
        "in Zermelo-Fraenkel set theory with choice",
        proof="""
            Let P be Lebesgue measure on the Borel sets F of [0, 1], dQ = 2x dP, and A a subset of [0, 1] such that A
            and its complement A' contain no Borel set of positive measure (a Bernstein set). The sets (B & A) | (C &
            A') with B, C in F form a sigma-algebra F'. Let P' of such a set be (P(B) + P(C))/2. This does not depend
            on B and C: two choices of B differ by a Borel set inside A', two of C by one inside A, and these have
            measure 0. It is a measure: where such sets are disjoint, their B meet in Borel sets inside A' only, and
            their C inside A only. P' = P on F. Let dQ' = 2x dP'.
            The trade-off functions agree: a test on F is one on F'; and for a test phi on F' the conditional
            expectation E_P'[phi | F] is a test on F with the same size, and with the same power since 2x is
            measurable on F.
            Suppose that kappa takes P to P' and Q to Q'. Draw X from P and then Y from kappa(., X), and look at Y on
            F alone. Y has the law P' = P there, and for B in F: 2 E[X 1(Y in B)] = (kappa o Q)(B) = Q'(B) = Q(B) = 2
            E[Y 1(Y in B)], so E[X | Y] = Y. Hence E[(X - Y)^2] = E[X^2] - 2 E[Y E[X | Y]] + E[Y^2] = E[X^2] - E[Y^2]
            = 0, so Y = X almost surely, that is kappa({x}, x) = 1 for P-almost all x. For these x, kappa(A, x) is 1
            for x in A and 0 elsewhere. But kappa(A, .) is Borel, so A is a Borel set up to a P-null set, and A or A'
            contains a Borel set of positive measure, against the choice of A.
            """,
    ),
)

_THIRDS = laws_of(2, 3)


@cache
def _curves() -> tuple[tuple[tuple[Fraction, ...], Pair], ...]:
    """The different trade-off functions of coins in thirds, at the multiples of 1/6, with a pair for each."""
    found: dict[tuple[Fraction, ...], Pair] = {}
    for p, q in product(_THIRDS, repeat=2):
        found.setdefault(tuple(power_at(p, q, Fraction(k, 6)) for k in range(7)), (p, q))
    return tuple(found.items())


# which of these pairs become which by a kernel
_kernels = cache(
    lambda: [
        (i, j)
        for (i, (_, one)), (j, (_, other)) in product(enumerate(_curves()), repeat=2)
        if kernel(one, other) is not None
    ]
)
functionals = cases(
    "the 7 trade-off functions of coins in thirds, all lambda to {0, 1}; all kernels between such pairs", "values"
)(
    lambda: (
        {curve: value for (curve, _), value in zip(_curves(), values, strict=True)}
        for values in product(range(2), repeat=len(_curves()))
    )
)

_DIAGONAL = tuple(Fraction(k, 6) for k in range(7))


def immune(values: Mapping[tuple[Fraction, ...], int], *, condition: str) -> Witness | None:
    """lambda_2 o Tr is non-negative, and no kernel increases it, iff lambda is non-decreasing, or another condition."""
    held = unless(lambda values: satisfied_by(values, condition), values=values) is None
    listed = list(values.values())
    growing = next(((i, j) for i, j in _kernels() if listed[i] < listed[j]), None)
    negative = values[_DIAGONAL] > min(listed)
    if held == (growing is None and not negative):
        return None
    if not held:  # Tr grows along no kernel, so that no kernel increases a non-decreasing function of it
        return failure(
            lambda values: (
                not (non_decreasing_values(values) and least_at_diagonal(values)) or satisfied_by(values, condition)
            ),
            values=values,
        )
    if growing is None:
        return failure(lambda values: not satisfied_by(values, condition) or least_at_diagonal(values), values=values)
    (p, q), other = (_curves()[i][1] for i in growing)
    return failure(
        lambda values, p, q, kernel: (
            not satisfied_by(values, condition)
            or values[sixths(p, q)] >= values[sixths(mixed(p, kernel), mixed(q, kernel))]
        ),
        values=values,
        p=p,
        q=q,
        kernel=kernel((p, q), other),
    )


with_noise = cases("all pairs of coins in thirds, noise of all coins in thirds; at the multiples of 1/6", "p q noise")(
    lambda: product(_THIRDS, repeat=3)
)

state("tradeoff.premetrics", "dissertation, Proposition A.6.3")(
    """Let lambda : F_Tr -> R be a function of tradeoff functions. Define lambda_2 : F_Tr -> R by lambda_2(g) =
    lambda(g) - lambda(f) where f(alpha) = alpha. Then lambda_2 o Tr is a probability premetric satisfying invariant to
    extraneous noise and 5.2 if and only if lambda is non-decreasing.""",
    every(functionals, immune, condition="non-decreasing"),
    mutant("lambda is least at the diagonal, for lambda is non-decreasing", {"condition": "least at the diagonal"}),
    mutant("lambda is constant, for lambda is non-decreasing", {"condition": "constant"}),
    every(with_noise, lambda p, q, noise: sixths(joint_law(p, noise), joint_law(q, noise)) == sixths(p, q)),
    reading="'5.2' names nothing in print: immune to post-processing by kernels, as Theorem A.6.2 just before",
)
