"""What an attacker's odds may change by, of sets of data sets, of single ones, and of the first record."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, incomplete, misprint, mutant, own, state, theorem
from stirred.verify.ledger.claims.intervals.density_ratio import constant_odds
from stirred.verify.ledger.claims.intervals.measures import odds_distance
from stirred.verify.ledger.claims.pufferfish.words import (
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
from stirred.verify.ledger.language_names import subsets

# what an attacker's odds may change by, and the density ratio neighbourhood of the attacker's prior

odds_at_every_output = lambda D, S, M, gamma: all(
    1 / gamma <= r <= gamma
    for a in D
    for e, f in S
    if both_defined(a, e, f)
    for t in range(len(M[0]))
    for r in [odds_over_prior(a, e, f, M, t) if event_and_output(a, e, M, t) > 0 else 0]
)
bayes_odds = lambda D, S, M, factor: all(
    odds_over_prior(a, e, f, M, t) * output_of(belief_given(a, f), M)[t] == factor * output_of(belief_given(a, e), M)[t]
    for a in D
    for e, f in S
    if both_defined(a, e, f)
    for t in range(len(M[0]))
    if event_and_output(a, f, M, t) > 0
)
density_of_belief = lambda a, e, M, s: sum(
    posterior_of(a, e, M, t) / weight_of(a, e) * output_of(a, M)[t] for t in s if output_of(a, M)[t] > 0
)
belief_has_density = lambda D, S, M, factor: all(
    weight_of(output_of(belief_given(a, e), M), s) == factor * density_of_belief(a, e, M, s)
    for a in D
    for e, f in S
    if both_defined(a, e, f)
    for s in subsets(range(len(M[0])))
)

# a real Z: cells of [0, 1] with their lengths, of which some are 0; f is Z's density, P_x depends on the cell
has_mass = lambda lengths, f, c: lengths[c] * f[c] > 0
seen_on_cells = lambda lengths, f, M: [
    t for t in range(len(M[0])) if any(has_mass(lengths, f, c) and M[c][t] > 0 for c in range(len(f)))
]
near_on_cells = lambda lengths, f, M, gamma: all(
    M[b][t] <= gamma * M[c][t]
    for b in range(len(f))
    for c in range(len(f))
    if has_mass(lengths, f, b) and has_mass(lengths, f, c)
    for t in seen_on_cells(lengths, f, M)
)
competing_values = lambda f, M, gamma: all(
    mult_of(M[b], M[c]) <= gamma for b in range(len(f)) for c in range(len(f)) if f[b] > 0 and f[c] > 0
)

state("pufferfish.odds", "dissertation, Proposition 19", "dissertation, (C.22)", "dissertation, (5.17)")(
    """Fix a data-generating process G. Let M be a data-release mechanism. Then M satisfies epsilon-PufferFish(D, S) if
    and only if e^(-epsilon) <= [P_theta*(X in E | T = t) / P_theta*(X in E' | T = t)] / [P_theta*(X in E) / P_theta*(X
    in E')] <= e^epsilon, for all theta* in D, all (E, E') in S, and all t in T_*, where T_*^c is a null set under P(T
    in . | theta*, X in E) and under P(T in . | theta*, X in E').""",
    every(instantiations, lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == keeps_odds(D, S, M, gamma)),
    mutant("e^(2 epsilon)", lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == keeps_odds(D, S, M, gamma**2)),
    mutant(
        "all t in T", lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma) == odds_at_every_output(D, S, M, gamma)
    ),
    theorem("pufferfish_odds.pufferfish_odds", within=FINITE),
    reading="""epsilon < oo, as its proof supposes; the odds have a value where P_theta*(X in E) and P_theta*(X in E')
    are positive; T_* is every output that E or E' makes possible, where a posterior odds of 1 to 0 is oo""",
)

state("pufferfish.odds.bayes", "dissertation, section C.5.9", "dissertation, (C.23)")(
    """On T_* = (T_1* union T_2*)^c, the posterior odds is equal to product of the prior odds and the likelihood
    ratio.""",
    every(instantiations, bayes_odds, factor=1),
    mutant("twice the product", {"factor": 2}),
    reading="where the likelihood of E' is not 0",
)

state("pufferfish.odds.density", "dissertation, section C.5.9")(
    """P_theta*(X in E | T = t) / P_theta*(X in E) is a P(T in . | theta*)-density for P(T in . | theta*, X in E).""",
    every(instantiations, belief_has_density, factor=1),
    mutant("half of it", {"factor": Fraction(1, 2)}),
    reading="on every event, for each conjecture of positive probability",
)

NEIGHBORHOOD = "pufferfish_odds.pufferfish_density_ratio"

state("pufferfish.neighborhood", "dissertation, Theorem 5.8.4", "dissertation, (5.19)")(
    """Fix some theta* in D. Let S_X be a partition of X such that P_theta*(X in E), for E in S_X, is given by a density
    p_theta*(Z = z_E) of some marginalisation Z of X. Define S = S_X x S_X. If M satisfies epsilon-PufferFish(D, S),
    then P_theta*(Z in . | T = t) in N_epsilon(P_theta*(Z in .)), for P(T in . | theta*)-almost all t in T.""",
    every(
        partitioned,
        lambda D, Z, M, gamma: not keeps_pufferfish(D, pairs_of(Z), M, gamma) or keeps_neighborhoods(D, Z, M, gamma),
    ),
    mutant(
        "N_(epsilon/2)",
        lambda D, Z, M, gamma: (
            not keeps_pufferfish(D, pairs_of(Z), M, gamma) or keeps_neighborhoods(D, Z, M, (gamma + 1) / 2)
        ),
    ),
    theorem(NEIGHBORHOOD, within=FINITE),
    reading="almost all t are those that are possible under theta*",
)

_LENGTHS = (Fraction(1, 2), Fraction(0), Fraction(1, 2))
_CERTAIN = ((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)))
real_values = cases(
    "Z in [0, 1] with a density that is constant on [0, 1/2), at 1/2 and on (1/2, 1]; all mechanisms that give one of "
    "two outputs, or a coin's, on each of these; e^epsilon in {1, 2}",
    "lengths f M gamma",
)(
    lambda: (
        (_LENGTHS, f, kernel, gamma)
        for laws in [(*_CERTAIN, (Fraction(1, 2), Fraction(1, 2)))]
        for f in ((1, 1, 1), (Fraction(1, 2), 1, Fraction(3, 2)))
        for kernel in product(laws, repeat=3)
        for gamma in (Fraction(1), Fraction(2))
    )
)

state("pufferfish.neighborhood.converse", "dissertation, Theorem 5.8.4")(
    """In the other direction, suppose that P_theta(X in E), for E in S_X, is given by a density p_theta(Z = z_E) for
    all theta in D. Then (5.19) holding for all theta in D and P(T in . | theta)-almost all t in T implies that M
    satisfies epsilon-PufferFish(D, S).""",
    every(
        real_values,
        lambda lengths, f, M, gamma: not near_on_cells(lengths, f, M, gamma) or competing_values(f, M, gamma),
    ),
    reading="""Z may be real, when the conditional given Z = z is the one of note 10, defined wherever the density is
    positive; S has all pairs of its values""",
    grade=incomplete(
        "each conjecture needs a positive probability, as where data sets are countable: a mechanism that tells "
        "whether a uniform Z is exactly 1/2 leaves the posterior at the prior for almost all t, and tells Z = 1/2 from "
        "every other conjecture"
    ),
)

own("pufferfish.neighborhood.converse-repaired")(
    """If every event of the finite partition S_X to which a theta in D gives probability 0 is left out for this theta,
    then (5.19) holding for all theta in D and P(T in . | theta)-almost all t in T implies that M satisfies
    epsilon-PufferFish(D, S).""",
    every(
        partitioned,
        lambda D, Z, M, gamma: keeps_pufferfish(D, pairs_of(Z), M, gamma) == keeps_neighborhoods(D, Z, M, gamma),
    ),
    mutant(
        "N_(2 epsilon)",
        lambda D, Z, M, gamma: keeps_pufferfish(D, pairs_of(Z), M, gamma) == keeps_neighborhoods(D, Z, M, gamma**2),
    ),
    theorem(NEIGHBORHOOD, within=FINITE),
    repairs="pufferfish.neighborhood.converse",
)

# attackers who compare single data sets, or the first record: odds and densities

measure_of = lambda m: {t: m[t] for t in range(len(m))}
with_record_at = lambda R, i, x: [r for r in R if len(x) >= i and x[i - 1] == r]

single_data_sets = cases(
    "the partition of three data sets into single ones, with attackers and mechanisms as for others", "D Z M gamma"
)(lambda: (case for case in partitioned if len(case[1]) == 3))

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

data_sets = cases("all data sets of one to three records of {0, 1, 2}, which are the possible values r", "R x")(
    lambda: (case for size in (1, 2, 3) for case in (((0, 1, 2), x) for x in product(range(3), repeat=size)))
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
)(
    lambda: (
        (a, M, t, r)
        for a in (law for law in kernel_laws(4, 4) if law.count(0) in (1, 2))
        for M in product(kernel_laws(2, 2), repeat=4)
        for t in range(2)
        if any(w * row[t] for w, row in zip(a, M, strict=True))
        for r in (0, 1)
    )
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

measures = cases("all pairs of measures on three points with masses 0, 1 and 3, e^r in {1, 2, 3, 9}", "m n k")(
    lambda: (
        case
        for weights in [list(product((0, 1, 3), repeat=3))]
        for case in product(weights, weights, map(Fraction, (1, 2, 3, 9)))
    )
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
