"""Attackers who compare single data sets, or the first record: odds and densities."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, misprint, mutant, own, state, theorem
from stirred.verify.ledger.claims.intervals.density_ratio import constant_odds
from stirred.verify.ledger.claims.intervals.measures import odds_distance
from stirred.verify.ledger.claims.pufferfish.odds import NEIGHBORHOOD
from stirred.verify.ledger.claims.pufferfish.words import (
    FINITE,
    keeps_pufferfish,
    kernel_laws,
    level_set,
    near_by_ratio,
    output_of,
    pairs_of,
    partitioned,
    posterior_of,
    seen_outputs,
    weight_of,
)

measure_of = lambda m: {t: m[t] for t in range(len(m))}
with_record_at = lambda R, i, x: [r for r in R if len(x) >= i and x[i - 1] == r]

single_data_sets = cases(
    "the partition of three data sets into single ones, with attackers and mechanisms as for others",
    "D Z M gamma",
    lambda: (case for case in partitioned if len(case[1]) == 3),
)

posterior_in_neighborhood = lambda D, Z, M, gamma, ratio: (
    not keeps_pufferfish(D, pairs_of(Z), M, gamma)
    or all(
        near_by_ratio([a[x] * M[x][t] / output_of(a, M)[t] for x in range(3)], a, ratio)
        for a in D
        for t in seen_outputs(a, M)
    )
)

state("pufferfish.single-data-sets", "dissertation, section 5.8")(
    """Firstly, when the partition S_X = {{x} : x in X} consists of all the singleton subsets of X, … the resulting
    privacy guarantee is thus a stringent one: For any theta in D, P_theta|t in N_epsilon(P_theta).""",
    every(single_data_sets, lambda D, Z, M, gamma: posterior_in_neighborhood(D, Z, M, gamma, gamma)),
    mutant("N_(epsilon/2)", lambda D, Z, M, gamma: posterior_in_neighborhood(D, Z, M, gamma, (gamma + 1) / 2)),
    theorem(NEIGHBORHOOD, within=FINITE),
    reading="""for the outputs t that are possible under theta, as in Theorem 5.8.4; the 'factor of e^theta' below is
    e^epsilon, theta being an attacker""",
)

data_sets = cases(
    "all data sets of one to three records of {0, 1, 2}, which are the possible values r",
    "R x",
    lambda: (case for size in (1, 2, 3) for case in (((0, 1, 2), x) for x in product(range(3), repeat=size))),
)

state("pufferfish.first-record", "dissertation, section 5.8", "dissertation, (5.20)")(
    """A second, and more pragmatic, special case arises when the partition S_X consists of the level sets given by
    fixing a small number of records in the dataset - in particular, by fixing a single record. Assume that the datasets
    x in X are vectors (x_1, ..., x_n) of records and let R be the set of all possible values that a record x_i can
    take, so that X is in the union of R^n over n >= 1. Define S_X = {E(r, 1) : r in R}.""",
    every(
        data_sets,
        lambda R, x: len(with_record_at(R, 1, x)) == 1,
        identity="a function of x has level sets that partition X",
    ),
    mutant("E(r, 2), without a second record", lambda R, x: len(with_record_at(R, 2, x)) == 1),
    reading="that these are a partition: every data set is in exactly one of them",
)

first_records = cases(
    "two records of {0, 1}; attackers in quarters with two or three possible data sets, mechanisms of laws in halves; "
    "all t that are possible",
    "a M t r",
    lambda: (
        (a, M, t, r)
        for a in (law for law in kernel_laws(4, 4) if law.count(0) in (1, 2))
        for M in product(kernel_laws(2, 2), repeat=4)
        for t in range(2)
        if any(w * row[t] for w, row in zip(a, M, strict=True))
        for r in (0, 1)
    ),
)
state("pufferfish.first-record.densities", "dissertation, section 5.8")(
    """For this choice of S_X, the two densities p_theta(Z = z_E(r,1)) and p_theta(Z = z_E(r,1) | T = t) are,
    respectively, the prior marginal density, p_theta(X_1 = r | T = t), and the posterior marginal density, p_theta(X_1
    = r | T = t), of the first record taking the value r""",
    every(
        first_records, lambda a, M, t, r: all(weight_of(a, e) == posterior_of(a, e, M, t) for e in [level_set(r, 0)])
    ),
    reading="the first equation, of the prior",
    grade=misprint("p_theta(X_1 = r): the prior marginal density, as the sentence calls it, is not given T = t"),
)

densities_repaired = lambda a, M, t, r: all(
    posterior_of(a, e, M, t) == sum(a[x] * M[x][t] for x in (2 * r, 2 * r + 1)) / output_of(a, M)[t]
    for e in [level_set(r, 0)]
)

own("pufferfish.first-record.densities.repaired", "dissertation, section 5.8")(
    """For S_X = {E(r, 1)} the two densities of Theorem 5.8.4 are the prior marginal density p_theta(X_1 = r) and the
    posterior marginal density p_theta(X_1 = r | T = t) of the first record.""",
    every(first_records, lambda a, r: all(weight_of(a, e) == a[2 * r] + a[2 * r + 1] for e in [level_set(r, 0)])),
    mutant("of the second record", lambda a, r: all(weight_of(a, e) == a[r] + a[2 + r] for e in [level_set(r, 0)])),
    every(first_records, densities_repaired),
    repairs="pufferfish.first-record.densities",
)

measures = cases(
    "all pairs of measures on three points with masses 0, 1 and 3, e^r in {1, 2, 3, 9}",
    "m n k",
    lambda: (
        case
        for weights in [list(product((0, 1, 3), repeat=3))]
        for case in product(weights, weights, map(Fraction, (1, 2, 3, 9)))
    ),
)

same_neighborhood = lambda m, n, k, ratio: (
    (odds_distance(measure_of(m), measure_of(n)) <= k) == (constant_odds(measure_of(m), measure_of(n)) <= 1 - 1 / ratio)
)

state("pufferfish.constant-odds-ratio", "dissertation, Remark 5.8.7")(
    """Hence, when restricting to finite measures, the density ratio neighbourhood N_r is equal to the constant odds
    ratio model with distortion parameter delta = 1 - exp(-r).""",
    every(measures, lambda m, n, k: same_neighborhood(m, n, k, k)),
    mutant("delta = 1 - exp(-2r)", lambda m, n, k: same_neighborhood(m, n, k, k**2)),
    reading="""d_COR is 1 where only one measure is 0, or they are not mutually absolutely continuous, as d_DR = -ln[1 -
    d_COR] says""",
)
