"""The data-provision procedure and its law, the metric of an instantiation, and mechanisms without privacy loss."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.claims.multiverse.words import bound_at, walk_length
from stirred.verify.ledger.claims.pufferfish.words import (
    FINITE,
    belief_distance,
    belief_steps,
    instantiations,
    keeps_pufferfish,
    kernel_laws,
    mult_of,
    seeded_law,
    theta_of,
    weight_of,
)
from stirred.verify.ledger.language_names import get, oo, subsets
from stirred.verify.ledger.words import distance, multiplicative

# the data-provision procedure and its law; the metric of an instantiation; what a smaller budget asks for

from_seeds = lambda G, M, u: (
    [sum(1 for i in range(len(G)) for j in range(len(M[0])) if M[G[i]][j] == t) / (len(G) * len(M[0])) for t in u]
)
generated_law = lambda G, M: [sum(1 for x in G if x == y) / len(G) for y in range(len(M))]
mixed_rows = lambda a, M, u: [sum(a[x] * seeded_law(M[x], u)[t] for x in range(len(M))) for t in u]
from_prior = lambda a, M, u: [sum(a[x] / len(M[x]) for x in range(len(M)) for v in M[x] if v == t) for t in u]
from_one_seed = lambda G, M, u: [sum(1 for i in range(len(G)) if M[G[i]][i % len(M[0])] == t) / len(G) for t in u]

# sigma-algebras on finite sets, by their atoms
together_in = lambda A, x, y: any(x in c and y in c for c in A)
measurable_into = lambda f, A, B: all(together_in(B, f[x], f[y]) for c in A for x in c for y in c)
atoms_of_product = lambda A, B: [[(x, y) for x in c for y in d] for c in A for d in B]
after_first = lambda g, f, points: {(x, z): g[f[x], z] for x, z in points}
is_belief_metric = lambda D, S: all(
    n == belief_distance(links, c, b)
    and (n == 0) == (b == c)
    and all(n <= belief_distance(links, b, a) + belief_distance(links, a, c) for a in theta)
    for links in [belief_steps(D, S)]
    for theta in [theta_of(D, S)]
    for b in theta
    for c in theta
    for n in [belief_distance(links, b, c)]
)
steps_are_symmetric = lambda D, S: all(
    walk_length(links, b, c) == walk_length(links, c, b)
    for links in [belief_steps(D, S)]
    for b in theta_of(D, S)
    for c in theta_of(D, S)
)

seeds = cases(
    "three seeds of the data, two of the release, two data sets and two outputs; all G(theta, .) and all M", "G M"
)(lambda: product(product(range(2), repeat=3), product(product(range(2), repeat=2), repeat=2)))

law_provided = lambda G, M, law: law == mixed_rows(generated_law(G, M), M, range(2))
_PLACES = ("(5.14)", "(5.15)", "Proposition 18", "(C.19)", "(C.20)", "(C.21)")

state("pufferfish.provision", *(f"dissertation, {place}" for place in _PLACES))(
    """Let M_G be a data-provision procedure. The probability on M_G's output T is given by P(T in S | theta) =
    lambda({u_1, u_2 in [0, 1] : M_G(theta, u_1, u_2) in S}) = integral over [0,1]^2 of 1_(M_G(theta, u_1, u_2) in S)
    d(u_1, u_2) = integral over X of P_x(S) dP_theta(x).""",
    every(seeds, lambda G, M: law_provided(G, M, from_seeds(G, M, range(2)))),
    mutant("one seed for both", lambda G, M: law_provided(G, M, from_one_seed(G, M, range(2)))),
    theorem("pufferfish_odds.provision_seeds", within=FINITE),
    reading="finitely many seeds of equal probability on intervals of [0, 1], where both integrals are sums",
)

_SHARES = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1))
priors = cases("two data sets, four laws P_theta, three seeds and two outputs, all M", "a M")(
    lambda: (
        ((share, 1 - share), rows) for share, rows in product(_SHARES, product(product(range(2), repeat=3), repeat=2))
    )
)

state("pufferfish.privatised-data", "dissertation, Proposition 17")(
    """Let M be a data-release mechanism. Then the privatised data probability is given by: P(T in S | theta) = integral
    over X of P_x(S) dP_theta(x), = integral over X x [0, 1] of 1_(M(x, u) in S) d(P_theta x lambda)(x, u) … Moreover,
    P(T in . | theta) is a well defined probability on (T, F), for every theta in Theta.""",
    every(
        priors,
        lambda a, M: (
            from_prior(a, M, range(2)) == mixed_rows(a, M, range(2))
            and weight_of(from_prior(a, M, range(2)), range(2)) == 1
        ),
    ),
    mutant("the first data set alone", lambda a, M: from_prior(a, M, range(2)) == seeded_law(M[0], range(2))),
    theorem("pufferfish_odds.privatised_seeds", within=FINITE),
    reading="finitely many seeds of equal probability on intervals of [0, 1]",
)

_ATOMS = (((0, 1),), ((0,), (1,)))
measurable_maps = cases(
    "sets of two points X, Y, Z and W, all sigma-algebras on them, all f: X -> Y and g: Y x Z -> W", "A B C E f g"
)(
    lambda: (
        (*atoms, f, dict(zip(pairs, values, strict=True)))
        for pairs in [list(product(range(2), repeat=2))]
        for atoms in product(_ATOMS, repeat=4)
        for f, values in product(product(range(2), repeat=2), product(range(2), repeat=4))
    )
)

measurable = lambda A, B, C, E, f, g: (
    not measurable_into(f, A, B)
    or not measurable_into(g, atoms_of_product(B, C), E)
    or measurable_into(after_first(g, f, product(range(2), range(2))), atoms_of_product(A, C), E)
)

state("pufferfish.provision.measurable", "dissertation, Lemma C.5.6")(
    """Let (X, Sigma_X), (Y, Sigma_Y) and (Z, Sigma_Z) be measurable spaces. Suppose that f: X -> Y is (Sigma_X,
    Sigma_Y)-measurable and g: Y x Z -> W is (Sigma_Y x Sigma_Z, Sigma_W)-measurable. Then the map h: X x Z -> W, (x, z)
    |-> g(f(x), z), is (Sigma_X x Sigma_Z, Sigma_W)-measurable.""",
    every(measurable_maps, measurable),
    mutant(
        "any f",
        lambda A, B, C, E, f, g: (
            not measurable_into(g, atoms_of_product(B, C), E)
            or measurable_into(after_first(g, f, product(range(2), range(2))), atoms_of_product(A, C), E)
        ),
    ),
    reading="a finite sigma-algebra by its atoms: a map is measurable if it takes no two points of one atom to two",
)

state("pufferfish.metric", "dissertation, section 5.7")(
    """Here d_D,S is a metric on Theta which is given by the Pufferfish instantiation … Finally, define d_D,S(theta,
    theta') as the length of a shortest path between theta and theta' in G_D,S.""",
    every(instantiations, lambda D, S: is_belief_metric(D, S)),
    mutant("edges in one direction", lambda D, S: steps_are_symmetric(D, S)),
    reading="a metric may be oo; the graph is undirected, without which the length of a shortest path is no metric",
)

state("pufferfish.smaller-budget", "dissertation, section 5.7")(
    """It describes the degree of continuity of the map theta |-> P(T in . | theta) … with smaller epsilon corresponding
    to more continuity/privacy.""",
    every(
        instantiations,
        lambda D, S, M, gamma: not keeps_pufferfish(D, S, M, gamma) or keeps_pufferfish(D, S, M, gamma + 1),
    ),
    mutant(
        "a smaller budget",
        lambda D, S, M, gamma: not keeps_pufferfish(D, S, M, gamma) or keeps_pufferfish(D, S, M, gamma / 2),
    ),
    reading="what satisfies it for epsilon satisfies it for every larger budget",
)

# mechanisms without privacy loss, and publishing the component of the data set: dissertation, section C.5.6

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
    "two data sets at distance 1 or oo, two seeds and two outputs, all functions M of data set and seed", "M d"
)(
    lambda: (
        case for rows in [list(product(range(2), repeat=2))] for case in product(product(rows, repeat=2), (_NEAR, {}))
    )
)
functions_and_paths = cases("the same, and three data sets along a path, or two of them apart from the third", "M d")(
    lambda: (*functions_of_seeds, *product(product(product(range(2), repeat=2), repeat=3), (_PATH, _NEAR)))
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
)(lambda: product(product(kernel_laws(2, 3), repeat=3), (_PATH, _NEAR, {}), map(Fraction, (1, 2))))

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
