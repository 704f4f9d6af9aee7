"""Post-processing and trade-off functions: premetrics that no kernel increases are functions of Tr, and conversely."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache, partial
from itertools import product

from stirred.spec import output_premetrics
from stirred.spec.laws.law import Law
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import (
    argued,
    cases,
    every,
    failure,
    incomplete,
    mutant,
    own,
    settled,
    some,
    state,
    unsettled,
)
from stirred.verify.ledger.claims.premetrics.tradeoff_functions import (
    Pair,
    carries_both,
    harder_level,
    kernel,
    nowhere_below,
    pairs_of_pairs,
    sixths,
)
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.words import hockey_stick, image, outcomes, same_law, total_variation

two_less_variation = lambda p, q: 0 if same_law(p, q) else 2 - total_variation(p, q)
variation_hump = lambda p, q: total_variation(p, q) * (1 - total_variation(p, q))
outcomes_times = lambda p, q: len(outcomes(p, q)) * total_variation(p, q)
measured_as = lambda measure, p, q: (
    total_variation(p, q)
    if measure == "total_variation"
    else hockey_stick(p, q, 2)
    if measure == "hockey_stick_2"
    else outcomes_times(p, q)
    if measure == "outcomes_times"
    else two_less_variation(p, q)
    if measure == "two_less_variation"
    else variation_hump(p, q)
)
as_powerful = lambda p, q, r, s: nowhere_below(sixths(p, q), sixths(r, s))

_variation = output_premetrics.total_variation

_MEASURES: Mapping[str, Callable[[Law[int], Law[int]], Fraction]] = {
    "total_variation": _variation,
    "hockey_stick_2": lambda p, q: output_premetrics.hockey_stick(p, q, 2),
    "outcomes_times": lambda p, q: len({*p, *q}) * _variation(p, q),
    "two_less_variation": lambda p, q: Fraction(0) if p == q else 2 - _variation(p, q),
    "variation_hump": lambda p, q: _variation(p, q) * (1 - _variation(p, q)),
}
_SHOWN = (
    "D_Pr: D_TV, E_2, outcomes times D_TV, 2 - D_TV of different laws, D_TV (1 - D_TV); pairs of laws on two outcomes "
    "in thirds (all) and on three in halves (every third); kernels by exact programs"
)
measures = cases(_SHOWN, "measure")(lambda: iter(_MEASURES))
_FUNCTIONS = tuple(product(range(3), repeat=3))

_images = cache(lambda p, q: {(p.push(f.__getitem__), q.push(f.__getitem__)) for f in _FUNCTIONS})

_RELATIONS: Mapping[str, Callable[[Pair, Pair], bool]] = {
    "function": lambda one, other: other in _images(*one),
    "kernel": lambda one, other: kernel(one, other) is not None,
    "power": lambda one, other: harder_level(one, other) is None,
    "total_variation": lambda one, other: _variation(*one) >= _variation(*other),
}


@cache
def _increase(measure: str, related: str) -> tuple[Pair, Pair] | None:
    """The first pairs of laws that a relation joins and of which the second has the larger distance."""
    measured = _MEASURES[measure]
    found = ((a, b) for a, b in pairs_of_pairs if measured(*a) < measured(*b) and _RELATIONS[related](a, b))
    return next(found, None)


def immune_iff_monotone(measure: str, *, reached: str, along: str) -> Witness | None:
    """Nothing that becomes of two laws has a larger D iff D = lambda o Tr for a non-decreasing lambda.

    Such a lambda exists iff Tr(P, Q) >= Tr(P', Q') implies D(P, Q) >= D(P', Q'); `along` may compare something else.
    """
    grows, breaks = _increase(measure, reached), _increase(measure, along)
    if (grows is None) == (breaks is None):
        _say_so(measure, grows, breaks)
        return None
    case = _named(grows or breaks)
    if grows is not None:
        return failure(
            lambda p, q, r, s, kernel: (
                not carries_both(kernel, p, q, r, s) or measured_as(measure, p, q) >= measured_as(measure, r, s)
            ),
            **case,
            kernel=kernel(*grows),
        )
    if along == "total_variation":
        return failure(
            lambda p, q, r, s: (
                total_variation(p, q) < total_variation(r, s)
                or measured_as(measure, p, q) >= measured_as(measure, r, s)
            ),
            **case,
        )
    return failure(
        lambda p, q, r, s: not as_powerful(p, q, r, s) or measured_as(measure, p, q) >= measured_as(measure, r, s),
        **case,
    )


_named = lambda pairs: dict(zip("pqrs", (*pairs[0], *pairs[1]), strict=True))


def _say_so(measure: str, grows: tuple[Pair, Pair] | None, breaks: tuple[Pair, Pair] | None) -> None:
    """Say to a certificate where D grows along a kernel, and where Tr does not; or that it grows nowhere where Tr not.

    A kernel never raises Tr, so that the second says that D does not grow along a kernel either.
    """
    if grows is not None and breaks is not None:
        case = {**_named(grows), "kernel": kernel(*grows)}
        settled(
            True,
            lambda p, q, r, s, kernel: (
                carries_both(kernel, p, q, r, s) and measured_as(measure, p, q) < measured_as(measure, r, s)
            ),
            lambda: case,
        )
    is_increased = breaks is not None
    for pairs in pairs_of_pairs if breaks is None else [breaks]:
        settled(
            True,
            lambda p, q, r, s: (
                (as_powerful(p, q, r, s) and measured_as(measure, p, q) < measured_as(measure, r, s)) == is_increased
            ),
            partial(_named, pairs),
        )


same_tradeoff = lambda same, p, q, r, s: (
    sixths(p, q) == sixths(r, s) if same == "sixths" else total_variation(p, q) == total_variation(r, s)
)


def function_if_immune(measure: str, *, reached: str, same: str) -> Witness | None:
    """If nothing that becomes of two laws has a larger D, D is a function of Tr, or of something else."""
    if _increase(measure, reached) is not None:
        return None
    measured, along = _MEASURES[measure], _RELATIONS["power" if same == "sixths" else same]
    for one, other in pairs_of_pairs:
        if measured(*one) != measured(*other) and along(one, other) and along(other, one):
            return failure(
                lambda p, q, r, s: (
                    not same_tradeoff(same, p, q, r, s) or measured_as(measure, p, q) == measured_as(measure, r, s)
                ),
                **_named((one, other)),
            )
    return None


state("post-processing.function-of-tradeoff", "dissertation, section 2.5, before Theorem 2.5.5")(
    "A recent result of Su (2024) shows that (2.11) implies D_Pr is a function of Tr.",
    every(measures, function_if_immune, reached="function", same="sixths"),
    reading="(2.11) as it is displayed, for functions f",
    grade=incomplete(
        "that f is randomised, as the sentence after (2.11) has it; functions never raise outcomes x D_TV"
    ),
)

own("post-processing.function-of-tradeoff.randomised", "dissertation, section 2.5, before Theorem 2.5.5")(
    "For laws on finite sets, (2.11) for randomised f, which is (A.5), implies that D_Pr is a function of Tr.",
    every(measures, function_if_immune, reached="kernel", same="sixths"),
    mutant("a function of D_TV for one of Tr", {"same": "total_variation"}),
    mutant("non-random f", {"reached": "function"}),
    repairs="post-processing.function-of-tradeoff",
)

state("post-processing.iff-tradeoff", "dissertation, Theorem 2.5.5")(
    """Fix a probability premetric D_Pr. The DP flavor (X, multiverse, d_X, D_Pr) is immune to (randomized)
    post-processing for all choices of X, multiverse and d_X if and only if D_Pr = lambda o Tr for some non-decreasing
    function lambda.""",
    unsettled(
        "it fails on some spaces that are not standard: see post-processing.iff-tradeoff.nonstandard, whose proof "
        "no finite witness can replace; for laws on finite sets, and for one half, see the claims on these"
    ),
    reading="""post-processing by randomised functions, as Blackwell's theorem is about kernels, on all measurable
    spaces; by functions alone it fails, see the claim on these""",
)

own("post-processing.iff-tradeoff.randomised", "dissertation, Theorem 2.5.5")(
    """For laws on finite sets, the flavor is immune to randomised post-processing for all X, multiverses and d_X iff
    D_Pr = lambda o Tr for some non-decreasing function lambda.""",
    every(measures, immune_iff_monotone, reached="kernel", along="power"),
    mutant("a non-decreasing function of D_TV for one of Tr", {"along": "total_variation"}),
    mutant("post-processing by functions", {"reached": "function"}),
    repairs="post-processing.iff-tradeoff",
    reading="immune to randomised functions is (A.5), by Corollary A.5.4",
)

of_one_tradeoff = cases(
    "those of the pairs of laws on two and three outcomes that have one trade-off function", "p q r s"
)(lambda: ((*a, *b) for a, b in pairs_of_pairs if a != b and {harder_level(a, b), harder_level(b, a)} == {None}))

own("post-processing.iff-tradeoff.functions", "dissertation, Theorem 2.5.5")(
    """Without its parenthesis Theorem 2.5.5 does not hold: no function increases the number of possible outcomes times
    D_TV, which is no function of Tr.""",
    every(
        cases("all pairs of laws on three outcomes in halves, all 27 functions", "p q f")(
            lambda: product(laws_of(3, 2), laws_of(3, 2), _FUNCTIONS)
        ),
        lambda p, q, f: outcomes_times(image(p, f), image(q, f)) <= outcomes_times(p, q),
    ),
    mutant(
        "2 - D_TV of different laws",
        lambda p, q, f: two_less_variation(image(p, f), image(q, f)) <= two_less_variation(p, q),
    ),
    some(
        of_one_tradeoff,
        lambda p, q, r, s: sixths(p, q) == sixths(r, s) and outcomes_times(p, q) != outcomes_times(r, s),
    ),
)

own("post-processing.iff-tradeoff.sufficient", "dissertation, Theorem 2.5.5")(
    """On all measurable spaces, if D_Pr = lambda o Tr for laws on one space, with a non-decreasing lambda, every flavor
    is immune to randomised post-processing.""",
    argued(
        "on all measurable spaces, all seeds and functions",
        proof="""
            Let P, Q be laws on (Omega, F), R the law of the seed on (U, G), f : Omega x U -> T measurable for F x G
            and a sigma-algebra on T, and P*, Q* the images of P x R and Q x R under f. For a test phi on T let psi(w)
            be the integral of phi(f(w, u)) over R(du): by Fubini's theorem psi is a measurable function to [0, 1],
            its integral over P is that of phi over P*, and likewise for Q. So each size and power that is attained by
            a test of P* against Q* is attained by one of P against Q: Tr(P*, Q*) <= Tr(P, Q) at every level, and
            D_Pr(P*, Q*) <= D_Pr(P, Q) as lambda is non-decreasing. If T satisfies (2.3) with a budget, then D_Pr <=
            eps_D d_X(x, x') after f too, for all x, x' of a universe.
            """,
    ),
)

own("post-processing.iff-tradeoff.nonstandard", "dissertation, Theorem 2.5.5")(
    """There is a probability premetric, on all measurable spaces, for which every flavor is immune to randomised
    post-processing and which is no function of Tr.""",
    argued(
        "in Zermelo-Fraenkel set theory with choice",
        proof="""
            Take P, Q on the Borel sets of [0, 1] and P', Q' on a larger sigma-algebra as in the claim that
            Blackwell's theorem fails on spaces that are not standard (tradeoff.blackwell.nonstandard): Tr(P, Q) =
            Tr(P', Q'), and no Markov kernel takes P to P' and Q to Q'. For laws M, N on one measurable space let D(M,
            N) = 1 if some Markov kernel takes M to P' and N to Q', and 0 otherwise; for laws on different spaces D is
            oo. D is a probability premetric: D(M, M) = 0 since P' != Q'. Let M*, N* be the images of M x R and N x R
            under a measurable f(w, u). Then M* = K o M and N* = K o N for the Markov kernel K(S, w) = R{u : f(w, u)
            in S}. If kappa takes (M*, N*) to (P', Q'), the composition of K and kappa takes (M, N) there. So D(M*,
            N*) <= D(M, N), which is (A.5), and (A.5) gives D <= eps_D d_X(x, x') after f for each mechanism that
            satisfies (2.3): every flavor is immune. But D(P', Q') = 1, by the kernel that leaves outcomes as they
            are, and D(P, Q) = 0, although the trade-off functions are equal.
            """,
    ),
)
