"""The data-provision procedure and its law; the metric of an instantiation; what a smaller budget asks for."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.ledger import cases, every, state, theorem
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


def from_seeds(G, M, u):
    return [
        sum(1 for i in range(len(G)) for j in range(len(M[0])) if M[G[i]][j] == t) / (len(G) * len(M[0])) for t in u
    ]


def generated_law(G, M):
    return [sum(1 for x in G if x == y) / len(G) for y in range(len(M))]


def mixed_rows(a, M, u):
    return [sum(a[x] * seeded_law(M[x], u)[t] for x in range(len(M))) for t in u]


def from_prior(a, M, u):
    return [sum(a[x] / len(M[x]) for x in range(len(M)) for v in M[x] if v == t) for t in u]


def from_one_seed(G, M, u):
    return [sum(1 for i in range(len(G)) if M[G[i]][i % len(M[0])] == t) / len(G) for t in u]


# sigma-algebras on finite sets, by their atoms


def together_in(A, x, y):
    return any(x in c and y in c for c in A)


def measurable_into(f, A, B):
    return all(together_in(B, f[x], f[y]) for c in A for x in c for y in c)


def atoms_of_product(A, B):
    return [[(x, y) for x in c for y in d] for c in A for d in B]


def after_first(g, f, points):
    return {(x, z): g[f[x], z] for x, z in points}


def is_belief_metric(D, S):
    return all(
        n == belief_distance(links, c, b)
        and (n == 0) == (b == c)
        and all(n <= belief_distance(links, b, a) + belief_distance(links, a, c) for a in theta)
        for links in [belief_steps(D, S)]
        for theta in [theta_of(D, S)]
        for b in theta
        for c in theta
        for n in [belief_distance(links, b, c)]
    )


def steps_are_symmetric(D, S):
    return all(
        walk_length(links, b, c) == walk_length(links, c, b)
        for links in [belief_steps(D, S)]
        for b in theta_of(D, S)
        for c in theta_of(D, S)
    )


@cases("three seeds of the data, two of the release, two data sets and two outputs; all G(theta, .) and all M", "G M")
def seeds() -> Iterator[tuple[Any, ...]]:
    yield from product(product(range(2), repeat=3), product(product(range(2), repeat=2), repeat=2))


def law_provided(G, M, law):
    return law == mixed_rows(generated_law(G, M), M, range(2))


state(
    "pufferfish.provision",
    *("dissertation, (5.14)", "dissertation, (5.15)", "dissertation, Proposition 18"),
    *("dissertation, (C.19)", "dissertation, (C.20)", "dissertation, (C.21)"),
    printed="Let M_G be a data-provision procedure. The probability on M_G's output T is given by P(T in S | theta) = "
    "lambda({u_1, u_2 in [0, 1] : M_G(theta, u_1, u_2) in S}) = integral over [0,1]^2 of 1_(M_G(theta, u_1, u_2) in "
    "S) d(u_1, u_2) = integral over X of P_x(S) dP_theta(x).",
    reading="finitely many seeds of equal probability on intervals of [0, 1], where both integrals are sums",
    checks=[
        every(seeds, lambda G, M: law_provided(G, M, from_seeds(G, M, range(2)))),
        theorem("pufferfish_odds.provision_seeds", within=FINITE),
    ],
    mutants={"one seed for both": every(seeds, lambda G, M: law_provided(G, M, from_one_seed(G, M, range(2))))},
)

_SHARES = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1))


@cases("two data sets, four laws P_theta, three seeds and two outputs, all M", "a M")
def priors() -> Iterator[tuple[Any, ...]]:
    for share, rows in product(_SHARES, product(product(range(2), repeat=3), repeat=2)):
        yield (share, 1 - share), rows


def privatised_data(a, M):
    return (
        from_prior(a, M, range(2)) == mixed_rows(a, M, range(2))
        and weight_of(from_prior(a, M, range(2)), range(2)) == 1
    )


state(
    "pufferfish.privatised-data",
    "dissertation, Proposition 17",
    printed="Let M be a data-release mechanism. Then the privatised data probability is given by: P(T in S | theta) = "
    "integral over X of P_x(S) dP_theta(x), = integral over X x [0, 1] of 1_(M(x, u) in S) d(P_theta x lambda)(x, u) … "
    "Moreover, P(T in . | theta) is a well defined probability on (T, F), for every theta in Theta.",
    reading="finitely many seeds of equal probability on intervals of [0, 1]",
    checks=[
        every(
            priors,
            privatised_data,
        ),
        theorem("pufferfish_odds.privatised_seeds", within=FINITE),
    ],
    mutants={
        "the first data set alone": every(priors, lambda a, M: from_prior(a, M, range(2)) == seeded_law(M[0], range(2)))
    },
)

_ATOMS = (((0, 1),), ((0,), (1,)))


@cases("sets of two points X, Y, Z and W, all sigma-algebras on them, all f: X -> Y and g: Y x Z -> W", "A B C E f g")
def measurable_maps() -> Iterator[tuple[Any, ...]]:
    pairs = list(product(range(2), repeat=2))
    for atoms in product(_ATOMS, repeat=4):
        for f, values in product(product(range(2), repeat=2), product(range(2), repeat=4)):
            yield *atoms, f, dict(zip(pairs, values, strict=True))


def composed_measurable_for_any_f(A, B, C, E, f, g):
    return not measurable_into(g, atoms_of_product(B, C), E) or measurable_into(
        after_first(g, f, product(range(2), range(2))), atoms_of_product(A, C), E
    )


def measurable(A, B, C, E, f, g):
    return (
        not measurable_into(f, A, B)
        or not measurable_into(g, atoms_of_product(B, C), E)
        or measurable_into(after_first(g, f, product(range(2), range(2))), atoms_of_product(A, C), E)
    )


state(
    "pufferfish.provision.measurable",
    "dissertation, Lemma C.5.6",
    printed="Let (X, Sigma_X), (Y, Sigma_Y) and (Z, Sigma_Z) be measurable spaces. Suppose that f: X -> Y is (Sigma_X, "
    "Sigma_Y)-measurable and g: Y x Z -> W is (Sigma_Y x Sigma_Z, Sigma_W)-measurable. Then the map h: X x Z -> W, (x, "
    "z) |-> g(f(x), z), is (Sigma_X x Sigma_Z, Sigma_W)-measurable.",
    reading="a finite sigma-algebra by its atoms: a map is measurable if it takes no two points of one atom to two",
    checks=[
        every(
            measurable_maps,
            measurable,
        )
    ],
    mutants={
        "any f": every(
            measurable_maps,
            composed_measurable_for_any_f,
        )
    },
)

state(
    "pufferfish.metric",
    "dissertation, section 5.7",
    printed="Here d_D,S is a metric on Theta which is given by the Pufferfish instantiation … Finally, define "
    "d_D,S(theta, theta') as the length of a shortest path between theta and theta' in G_D,S.",
    reading="a metric may be oo; the graph is undirected, without which the length of a shortest path is no metric",
    checks=[every(instantiations, lambda D, S: is_belief_metric(D, S))],
    mutants={"edges in one direction": every(instantiations, lambda D, S: steps_are_symmetric(D, S))},
)


state(
    "pufferfish.smaller-budget",
    "dissertation, section 5.7",
    printed="It describes the degree of continuity of the map theta |-> P(T in . | theta) … with smaller epsilon "
    "corresponding to more continuity/privacy.",
    reading="what satisfies it for epsilon satisfies it for every larger budget",
    checks=[
        every(
            instantiations,
            lambda D, S, M, gamma: not keeps_pufferfish(D, S, M, gamma) or keeps_pufferfish(D, S, M, gamma + 1),
        )
    ],
    mutants={
        "a smaller budget": every(
            instantiations,
            lambda D, S, M, gamma: not keeps_pufferfish(D, S, M, gamma) or keeps_pufferfish(D, S, M, gamma / 2),
        )
    },
)
