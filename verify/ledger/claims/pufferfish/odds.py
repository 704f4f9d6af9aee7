"""What an attacker's odds may change by, and the density ratio neighbourhood of the attacker's prior."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.ledger import cases, every, incomplete, state, theorem
from stirred.verify.ledger.claims.pufferfish.words import (
    FINITE,
    belief_given,
    both_defined,
    event_and_output,
    instantiations,
    keeps_neighborhoods,
    keeps_odds,
    keeps_pufferfish,
    mult_of,
    odds_over_prior,
    output_of,
    pairs_of,
    partitioned,
    posterior_of,
    weight_of,
)
from stirred.verify.ledger.language_names import subsets


def odds_at_every_output(D, S, M, gamma):
    return all(
        1 / gamma <= r <= gamma
        for a in D
        for e, f in S
        if both_defined(a, e, f)
        for t in range(len(M[0]))
        for r in [odds_over_prior(a, e, f, M, t) if event_and_output(a, e, M, t) > 0 else 0]
    )


def bayes_odds(D, S, M, factor):
    return all(
        odds_over_prior(a, e, f, M, t) * output_of(belief_given(a, f), M)[t]
        == factor * output_of(belief_given(a, e), M)[t]
        for a in D
        for e, f in S
        if both_defined(a, e, f)
        for t in range(len(M[0]))
        if event_and_output(a, f, M, t) > 0
    )


def density_of_belief(a, e, M, s):
    return sum(posterior_of(a, e, M, t) / weight_of(a, e) * output_of(a, M)[t] for t in s if output_of(a, M)[t] > 0)


def belief_has_density(D, S, M, factor):
    return all(
        weight_of(output_of(belief_given(a, e), M), s) == factor * density_of_belief(a, e, M, s)
        for a in D
        for e, f in S
        if both_defined(a, e, f)
        for s in subsets(range(len(M[0])))
    )


# a real Z: cells of [0, 1] with their lengths, of which some are 0; f is Z's density, P_x depends on the cell


def has_mass(lengths, f, c):
    return lengths[c] * f[c] > 0


def seen_on_cells(lengths, f, M):
    return [t for t in range(len(M[0])) if any(has_mass(lengths, f, c) and M[c][t] > 0 for c in range(len(f)))]


def near_on_cells(lengths, f, M, gamma):
    return all(
        M[b][t] <= gamma * M[c][t]
        for b in range(len(f))
        for c in range(len(f))
        if has_mass(lengths, f, b) and has_mass(lengths, f, c)
        for t in seen_on_cells(lengths, f, M)
    )


def competing_values(f, M, gamma):
    return all(mult_of(M[b], M[c]) <= gamma for b in range(len(f)) for c in range(len(f)) if f[b] > 0 and f[c] > 0)


state(
    "pufferfish.odds",
    *("dissertation, Proposition 19", "dissertation, (C.22)", "dissertation, (5.17)"),
    printed="Fix a data-generating process G. Let M be a data-release mechanism. Then M satisfies "
    "epsilon-PufferFish(D, S) if and only if e^(-epsilon) <= [P_theta*(X in E | T = t) / P_theta*(X in E' | T = t)] / "
    "[P_theta*(X in E) / P_theta*(X in E')] <= e^epsilon, for all theta* in D, all (E, E') in S, and all t in T_*, "
    "where T_*^c is a null set under P(T in . | theta*, X in E) and under P(T in . | theta*, X in E').",
    reading="epsilon < oo, as its proof supposes; the odds have a value where P_theta*(X in E) and P_theta*(X in E') "
    "are positive; T_* is every output that E or E' makes possible, where a posterior odds of 1 to 0 is oo",
    checks=[
        every(instantiations, lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == keeps_odds(D, S, M, gamma)),
        theorem("pufferfish_odds.pufferfish_odds", within=FINITE),
    ],
    mutants={
        "e^(2 epsilon)": every(
            instantiations, lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == keeps_odds(D, S, M, gamma**2)
        ),
        "all t in T": every(
            instantiations,
            lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == odds_at_every_output(D, S, M, gamma),
        ),
    },
)


state(
    "pufferfish.odds.bayes",
    *("dissertation, section C.5.9", "dissertation, (C.23)"),
    printed="On T_* = (T_1* union T_2*)^c, the posterior odds is equal to product of the prior odds and the likelihood "
    "ratio.",
    reading="where the likelihood of E' is not 0",
    checks=[every(instantiations, bayes_odds, factor=1)],
    mutants={"twice the product": every(instantiations, bayes_odds, factor=2)},
)


state(
    "pufferfish.odds.density",
    "dissertation, section C.5.9",
    printed="P_theta*(X in E | T = t) / P_theta*(X in E) is a P(T in . | theta*)-density for P(T in . | theta*, X in "
    "E).",
    reading="on every event, for each conjecture of positive probability",
    checks=[every(instantiations, belief_has_density, factor=1)],
    mutants={"half of it": every(instantiations, belief_has_density, factor=Fraction(1, 2))},
)


NEIGHBORHOOD = "pufferfish_odds.pufferfish_density_ratio"

state(
    "pufferfish.neighborhood",
    *("dissertation, Theorem 5.8.4", "dissertation, (5.19)"),
    printed="Fix some theta* in D. Let S_X be a partition of X such that P_theta*(X in E), for E in S_X, is given by a "
    "density p_theta*(Z = z_E) of some marginalisation Z of X. Define S = S_X x S_X. If M satisfies "
    "epsilon-PufferFish(D, S), then P_theta*(Z in . | T = t) in N_epsilon(P_theta*(Z in .)), for P(T in . | "
    "theta*)-almost all t in T.",
    reading="almost all t are those that are possible under theta*",
    checks=[
        every(
            partitioned,
            lambda D, Z, M, gamma: (
                not keeps_pufferfish(D, pairs_of(Z), M, gamma) or keeps_neighborhoods(D, Z, M, gamma)
            ),
        ),
        theorem(NEIGHBORHOOD, within=FINITE),
    ],
    mutants={
        "N_(epsilon/2)": every(
            partitioned,
            lambda D, Z, M, gamma: (
                not keeps_pufferfish(D, pairs_of(Z), M, gamma) or keeps_neighborhoods(D, Z, M, (gamma + 1) / 2)
            ),
        )
    },
)

_LENGTHS = (Fraction(1, 2), Fraction(0), Fraction(1, 2))
_CERTAIN = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))


@cases(
    "Z in [0, 1] with a density that is constant on [0, 1/2), at 1/2 and on (1/2, 1]; all mechanisms that give one of "
    "two outputs, or a coin's, on each of these; e^epsilon in {1, 2}",
    "lengths f M gamma",
)
def real_values() -> Iterator[tuple[Any, ...]]:
    laws = (*_CERTAIN, (Fraction(1, 2), Fraction(1, 2)))
    for f in ((1, 1, 1), (Fraction(1, 2), 1, Fraction(3, 2))):
        for kernel in product(laws, repeat=3):
            for gamma in (Fraction(1), Fraction(2)):
                yield _LENGTHS, f, kernel, gamma


state(
    "pufferfish.neighborhood.converse",
    "dissertation, Theorem 5.8.4",
    printed="In the other direction, suppose that P_theta(X in E), for E in S_X, is given by a density p_theta(Z = "
    "z_E) for all theta in D. Then (5.19) holding for all theta in D and P(T in . | theta)-almost all t in T implies "
    "that M satisfies epsilon-PufferFish(D, S).",
    reading="Z may be real, when the conditional given Z = z is the one of note 10, defined wherever the density is "
    "positive; S has all pairs of its values",
    grade=incomplete(
        "each conjecture needs a positive probability, as where data sets are countable: a mechanism that tells "
        "whether a uniform Z is exactly 1/2 leaves the posterior at the prior for almost all t, and tells Z = 1/2 from "
        "every other conjecture"
    ),
    checks=[
        every(
            real_values,
            lambda lengths, f, M, gamma: not near_on_cells(lengths, f, M, gamma) or competing_values(f, M, gamma),
        )
    ],
)

state(
    "pufferfish.neighborhood.converse-repaired",
    claim="If every event of the finite partition S_X to which a theta in D gives probability 0 is left out for this "
    "theta, then (5.19) holding for all theta in D and P(T in . | theta)-almost all t in T implies that M satisfies "
    "epsilon-PufferFish(D, S).",
    repairs="pufferfish.neighborhood.converse",
    checks=[
        every(
            partitioned,
            lambda D, Z, M, gamma: keeps_pufferfish(D, pairs_of(Z), M, gamma) == keeps_neighborhoods(D, Z, M, gamma),
        ),
        theorem(NEIGHBORHOOD, within=FINITE),
    ],
    mutants={
        "N_(2 epsilon)": every(
            partitioned,
            lambda D, Z, M, gamma: keeps_pufferfish(D, pairs_of(Z), M, gamma) == keeps_neighborhoods(D, Z, M, gamma**2),
        )
    },
)
