"""The data-provision procedure and its law; the metric of an instantiation; what a smaller budget asks for."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, mutant, state, theorem
from stirred.verify.ledger.claims.multiverse.words import walk_length
from stirred.verify.ledger.claims.pufferfish.words import (
    FINITE,
    belief_distance,
    belief_steps,
    instantiations,
    keeps_pufferfish,
    seeded_law,
    theta_of,
    weight_of,
)

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
    "three seeds of the data, two of the release, two data sets and two outputs; all G(theta, .) and all M",
    "G M",
    lambda: product(product(range(2), repeat=3), product(product(range(2), repeat=2), repeat=2)),
)

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
priors = cases(
    "two data sets, four laws P_theta, three seeds and two outputs, all M",
    "a M",
    lambda: (
        ((share, 1 - share), rows) for share, rows in product(_SHARES, product(product(range(2), repeat=3), repeat=2))
    ),
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
    "sets of two points X, Y, Z and W, all sigma-algebras on them, all f: X -> Y and g: Y x Z -> W",
    "A B C E f g",
    lambda: (
        (*atoms, f, dict(zip(pairs, values, strict=True)))
        for pairs in [list(product(range(2), repeat=2))]
        for atoms in product(_ATOMS, repeat=4)
        for f, values in product(product(range(2), repeat=2), product(range(2), repeat=4))
    ),
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
