"""What an attacker's odds may change by, and the density ratio neighbourhood of the attacker's prior."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem
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
    lambda: (
        (_LENGTHS, f, kernel, gamma)
        for laws in [(*_CERTAIN, (Fraction(1, 2), Fraction(1, 2)))]
        for f in ((1, 1, 1), (Fraction(1, 2), 1, Fraction(3, 2)))
        for kernel in product(laws, repeat=3)
        for gamma in (Fraction(1), Fraction(2))
    ),
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
