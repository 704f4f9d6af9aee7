"""Mechanisms without privacy loss, and publishing the component of the data set: dissertation, section C.5.6."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.claims.multiverse.words import bound_at
from stirred.verify.ledger.claims.pufferfish.words import FINITE, kernel_laws, mult_of, seeded_law
from stirred.verify.ledger.language_names import get, oo, subsets
from stirred.verify.ledger.words import distance, multiplicative

has_no_loss = lambda M, d: all(
    mult_of(seeded_law(M[x], range(2)), seeded_law(M[y], range(2))) <= bound_at(1, distance(d, x, y))
    for x in range(len(M))
    for y in range(len(M))
)
by_component = lambda M, d: all(M[x] == M[y] for x in range(len(M)) for y in range(len(M)) if distance(d, x, y) < oo)
law_by_component = lambda M, d: all(
    seeded_law(M[x], range(2)) == seeded_law(M[y], range(2))
    for x in range(len(M))
    for y in range(len(M))
    if distance(d, x, y) < oo
)
one_law = lambda M: all(seeded_law(row, range(2)) == seeded_law(M[0], range(2)) for row in M)
of_first_joined = lambda M, d, x: M[min(joined_to(d, x, len(M)))]
has_law_of_first = lambda M, d: all(
    seeded_law(M[x], range(2)) == seeded_law(of_first_joined(M, d, x), range(2)) for x in range(len(M))
)
joined_to = lambda d, x, n: {y for y in range(n) if distance(d, x, y) < oo}
with_its_component = lambda M, d: [
    {(joined_to(d, x, len(M)), t): M[x][t] for t in range(len(M[x])) if M[x][t] > 0} for x in range(len(M))
]
with_itself = lambda M: [{(x, t): M[x][t] for t in range(len(M[x])) if M[x][t] > 0} for x in range(len(M))]
obeys_dp = lambda P, d, gamma: all(
    multiplicative(P[x], P[y]) <= bound_at(gamma, distance(d, x, y)) for x in range(len(P)) for y in range(len(P))
)
as_laws = lambda M: [{t: M[x][t] for t in range(len(M[x])) if M[x][t] > 0} for x in range(len(M))]
given_output = lambda P, w, t: [x for x in w if get(P[x], t, 0) > 0]
is_joined = lambda d, s: all(distance(d, x, y) < oo for x in s for y in s)
joined_given_outputs = lambda P, d: all(
    is_joined(d, given_output(P, w, t)) for w in subsets(range(len(P))) for t in {t for p in P for t in p}
)

_NEAR = {(0, 1): 1, (1, 0): 1}
_PATH = {**_NEAR, (1, 2): 1, (2, 1): 1, (0, 2): 2, (2, 0): 2}
functions_of_seeds = cases(
    "two data sets at distance 1 or oo, two seeds and two outputs, all functions M of data set and seed",
    "M d",
    lambda: (
        case for rows in [list(product(range(2), repeat=2))] for case in product(product(rows, repeat=2), (_NEAR, {}))
    ),
)
functions_and_paths = cases(
    "the same, and three data sets along a path, or two of them apart from the third",
    "M d",
    lambda: (*functions_of_seeds, *product(product(product(range(2), repeat=2), repeat=3), (_PATH, _NEAR))),
)
state("pufferfish.no-loss", "dissertation, Proposition 15")(
    """Let M be a data-release mechanism. … The following statements are equivalent: I M satisfies epsilon-DP with
    epsilon = 0. … III The probability P_x induced by M is a function of x only through [x]. That is, P_x = P_x'
    whenever [x] = [x'].""",
    every(functions_and_paths, lambda M, d: has_no_loss(M, d) == law_by_component(M, d)),
    mutant("all P_x are equal", lambda M, d: has_no_loss(M, d) == one_law(M)),
    theorem("measure_intervals.zero_loss", within=FINITE),
    reading="D_Mult(P_x, P_x') <= 0 d(x, x'), 0 x oo being oo",
)

state("pufferfish.no-loss.seeds", "dissertation, Proposition 15")(
    """II M is a function of x only through its connected component [x]. That is, there exists a function M': Comp(X) x
    [0, 1] -> T such that M = M' o c, where c: X x [0, 1] -> Comp(X) x [0, 1], (x, u) |-> ([x], u). III The probability
    P_x induced by M is a function of x only through [x]. … The equivalence between II and III follows by the definition
    of P_x as the probability induced by M.""",
    every(functions_of_seeds, lambda M, d: by_component(M, d) == law_by_component(M, d)),
    reading="M = M' o c as functions of the data set and the seed, as it is written",
    grade=incomplete(
        "M = M' o c holds in law only, which is all that section 5.2 says of it: where M(x, u) is u for one data set "
        "and 1 - u for another one, both have one law, and no M' gives both"
    ),
    refuted_by=["pufferfish_odds.no_loss_seeds_refuted"],
)

own("pufferfish.no-loss.seeds-repaired")(
    """P_x is a function of x only through [x] if and only if some M' of [x] and the seed has the law of M given every
    data set x; if M = M' o c then it is.""",
    every(functions_and_paths, lambda M, d: has_law_of_first(M, d) == law_by_component(M, d)),
    mutant("only if M = M' o c", lambda M, d: not law_by_component(M, d) or by_component(M, d)),
    every(functions_and_paths, lambda M, d: not by_component(M, d) or law_by_component(M, d)),
    repairs="pufferfish.no-loss.seeds",
    reading="M'([x], u) = M(y, u) for the first y of [x]",
)

released = cases(
    "three data sets along a path, two apart from the third, or all apart; all mechanisms with two outputs in thirds; "
    "e^epsilon in {1, 2}",
    "M d gamma",
    lambda: product(product(kernel_laws(2, 3), repeat=3), (_PATH, _NEAR, {}), map(Fraction, (1, 2))),
)

inherits_dp = lambda M, d, gamma, extended: not obeys_dp(as_laws(M), d, gamma) or obeys_dp(extended, d, gamma)

state("pufferfish.component", "dissertation, Proposition 16")(
    """Let M: X x [0, 1] -> T be an epsilon-DP mechanism. Then the mechanism M' defined by M'(x, u) = ([x], M(x, u)) is
    also epsilon-DP.""",
    every(released, lambda M, d, gamma: inherits_dp(M, d, gamma, with_its_component(M, d))),
    mutant("x for [x]", lambda M, d, gamma: inherits_dp(M, d, gamma, with_itself(M))),
)

state("pufferfish.component.support", "dissertation, Proposition 16")(
    """… and, moreover, the support supp(x | t, theta) for M' is d-connected for all the possible outputs t in T x 2^X
    of M' and all theta in Theta.""",
    every(released, lambda M, d: joined_given_outputs(with_its_component(M, d), d)),
    mutant("M for M'", lambda M, d: joined_given_outputs(as_laws(M), d)),
    reading="the data sets to which theta gives probability and from which t is possible; theta by its support",
)
