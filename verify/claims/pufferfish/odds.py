"""What an attacker's odds may change by, and the density ratio neighbourhood of the attacker's prior."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import stirred.verify.claims.intervals.density_ratio  # noqa: F401 its words are used here
from stirred.verify.claims.intervals.density_ratio import constant_odds
from stirred.verify.claims.intervals.measures import odds_distance
from stirred.verify.claims.pufferfish.words import (
    FINITE,
    belief_given,
    both_defined,
    event_and_output,
    instantiations,
    keeps_neighborhoods,
    keeps_odds,
    keeps_pufferfish,
    kernel_laws,
    level_set,
    mult_of,
    near_by_ratio,
    odds_over_prior,
    output_of,
    pairs_of,
    partitioned,
    posterior_of,
    seen_outputs,
    weight_of,
)
from stirred.verify.ledger import cases, every, incomplete, misprint, state, theorem
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


def belief_has_density(D, S, M, k):
    return all(
        weight_of(output_of(belief_given(a, e), M), s) == k * density_of_belief(a, e, M, s)
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


def measure_of(m):
    return {t: m[t] for t in range(len(m))}


# the first record of a data set of several lengths


def with_record_at(R, i, x):
    return [r for r in R if len(x) >= i and x[i - 1] == r]


def lipschitz_of_odds(D, S, M, gamma):
    return keeps_pufferfish(D, S, M, gamma)


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
            lambda D, S, M, gamma: lipschitz_of_odds(D, S, M, gamma) == odds_at_every_output(D, S, M, gamma),
        ),
    },
)


def bayes(D, S, M, factor):
    return bayes_odds(D, S, M, factor)


state(
    "pufferfish.odds.bayes",
    *("dissertation, section C.5.9", "dissertation, (C.23)"),
    printed="On T_* = (T_1* union T_2*)^c, the posterior odds is equal to product of the prior odds and the likelihood "
    "ratio.",
    reading="where the likelihood of E' is not 0",
    checks=[every(instantiations, bayes, factor=1)],
    mutants={"twice the product": every(instantiations, bayes, factor=2)},
)


def density(D, S, M, factor):
    return belief_has_density(D, S, M, factor)


state(
    "pufferfish.odds.density",
    "dissertation, section C.5.9",
    printed="P_theta*(X in E | T = t) / P_theta*(X in E) is a P(T in . | theta*)-density for P(T in . | theta*, X in "
    "E).",
    reading="on every event, for each conjecture of positive probability",
    checks=[every(instantiations, density, factor=1)],
    mutants={"half of it": every(instantiations, density, factor=Fraction(1, 2))},
)


_NEIGHBORHOOD = "pufferfish_odds.pufferfish_density_ratio"

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
        theorem(_NEIGHBORHOOD, within=FINITE),
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
        theorem(_NEIGHBORHOOD, within=FINITE),
    ],
    mutants={
        "N_(2 epsilon)": every(
            partitioned,
            lambda D, Z, M, gamma: keeps_pufferfish(D, pairs_of(Z), M, gamma) == keeps_neighborhoods(D, Z, M, gamma**2),
        )
    },
)


@cases("the partition of three data sets into single ones, with attackers and mechanisms as for others", "D Z M gamma")
def single_data_sets() -> Iterator[tuple[Any, ...]]:
    yield from (case for case in partitioned if len(case[1]) == 3)


def posterior_of_odds(D, Z, M, gamma, part):
    return not keeps_pufferfish(D, pairs_of(Z), M, gamma) or all(
        near_by_ratio([a[x] * M[x][t] / output_of(a, M)[t] for x in range(3)], a, part)
        for a in D
        for t in seen_outputs(a, M)
    )


state(
    "pufferfish.single-data-sets",
    "dissertation, section 5.8",
    printed="Firstly, when the partition S_X = {{x} : x in X} consists of all the singleton subsets of X, … the "
    "resulting privacy guarantee is thus a stringent one: For any theta in D, P_theta|t in N_epsilon(P_theta).",
    reading="for the outputs t that are possible under theta, as in Theorem 5.8.4; the 'factor of e^theta' below "
    "is e^epsilon, theta being an attacker",
    checks=[
        every(single_data_sets, lambda D, Z, M, gamma: posterior_of_odds(D, Z, M, gamma, gamma)),
        theorem(_NEIGHBORHOOD, within=FINITE),
    ],
    mutants={
        "N_(epsilon/2)": every(
            single_data_sets, lambda D, Z, M, gamma: posterior_of_odds(D, Z, M, gamma, (gamma + 1) / 2)
        )
    },
)


@cases("all data sets of one to three records of {0, 1, 2}, which are the possible values r", "R x")
def data_sets() -> Iterator[tuple[Any, ...]]:
    for size in (1, 2, 3):
        yield from (((0, 1, 2), x) for x in product(range(3), repeat=size))


state(
    "pufferfish.first-record",
    *("dissertation, section 5.8", "dissertation, (5.20)"),
    printed="A second, and more pragmatic, special case arises when the partition S_X consists of the level sets given "
    "by fixing a small number of records in the dataset - in particular, by fixing a single record. Assume that the "
    "datasets x in X are vectors (x_1, ..., x_n) of records and let R be the set of all possible values that a record "
    "x_i can take, so that X is in the union of R^n over n >= 1. Define S_X = {E(r, 1) : r in R}.",
    reading="that these are a partition: every data set is in exactly one of them",
    checks=[
        every(
            data_sets,
            lambda R, x: len(with_record_at(R, 1, x)) == 1,
            identity="a function of x has level sets that partition X",
        )
    ],
    mutants={"E(r, 2), without a second record": every(data_sets, lambda R, x: len(with_record_at(R, 2, x)) == 1)},
)


@cases(
    "two records of {0, 1}; attackers in quarters with two or three possible data sets, mechanisms of laws in halves; "
    "all t that are possible",
    "a M t r",
)
def first_records() -> Iterator[tuple[Any, ...]]:
    laws = kernel_laws(2, 2)
    for a in (law for law in kernel_laws(4, 4) if law.count(0) in (1, 2)):
        for M in product(laws, repeat=4):  # noqa: N806 as the case's word
            seen = [t for t in range(2) if any(w * row[t] for w, row in zip(a, M, strict=True))]
            yield from ((a, M, t, r) for t in seen for r in (0, 1))


def at_level(r, before, now):
    return all(before == now for e in [level_set(r, 0)])


def marginal(a, e, M, t):
    return posterior_of(a, e, M, t)


state(
    "pufferfish.first-record.densities",
    "dissertation, section 5.8",
    printed="For this choice of S_X, the two densities p_theta(Z = z_E(r,1)) and p_theta(Z = z_E(r,1) | T = t) are, "
    "respectively, the prior marginal density, p_theta(X_1 = r | T = t), and the posterior marginal density, "
    "p_theta(X_1 = r | T = t), of the first record taking the value r",
    reading="the first equation, of the prior",
    grade=misprint("p_theta(X_1 = r): the prior marginal density, as the sentence calls it, is not given T = t"),
    checks=[
        every(
            first_records,
            lambda a, M, t, r: all(weight_of(a, e) == posterior_of(a, e, M, t) for e in [level_set(r, 0)]),
        )
    ],
)


def densities_repaired(a, M, t, r):
    return all(
        posterior_of(a, e, M, t) == sum(a[x] * M[x][t] for x in (2 * r, 2 * r + 1)) / output_of(a, M)[t]
        for e in [level_set(r, 0)]
    )


state(
    "pufferfish.first-record.densities.repaired",
    "dissertation, section 5.8",
    claim="For S_X = {E(r, 1)} the two densities of Theorem 5.8.4 are the prior marginal density p_theta(X_1 = r) and "
    "the posterior marginal density p_theta(X_1 = r | T = t) of the first record.",
    repairs="pufferfish.first-record.densities",
    checks=[
        every(first_records, lambda a, r: all(weight_of(a, e) == a[2 * r] + a[2 * r + 1] for e in [level_set(r, 0)])),
        every(
            first_records,
            densities_repaired,
        ),
    ],
    mutants={
        "of the second record": every(
            first_records, lambda a, r: all(weight_of(a, e) == a[r] + a[2 + r] for e in [level_set(r, 0)])
        )
    },
)


@cases("all pairs of measures on three points with masses 0, 1 and 3, e^r in {1, 2, 3, 9}", "m n k")
def measures() -> Iterator[tuple[Any, ...]]:
    weights = list(product((0, 1, 3), repeat=3))
    yield from product(weights, weights, map(Fraction, (1, 2, 3, 9)))


def same_ball(m, n, k, part):
    return (odds_distance(measure_of(m), measure_of(n)) <= k) == (
        constant_odds(measure_of(m), measure_of(n)) <= 1 - 1 / part
    )


state(
    "pufferfish.constant-odds-ratio",
    "dissertation, Remark 5.8.7",
    printed="Hence, when restricting to finite measures, the density ratio neighbourhood N_r is equal to the constant "
    "odds ratio model with distortion parameter delta = 1 - exp(-r).",
    reading="d_COR is 1 where only one measure is 0, or they are not mutually absolutely continuous, as d_DR = -ln[1 - "
    "d_COR] says",
    checks=[every(measures, lambda m, n, k: same_ball(m, n, k, k))],
    mutants={"delta = 1 - exp(-2r)": every(measures, lambda m, n, k: same_ball(m, n, k, k**2))},
)
