"""Mechanisms without privacy loss, and publishing the component of the data set: dissertation, section C.5.6."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.ledger import cases, every, incomplete, state, theorem
from stirred.verify.ledger.claims.multiverse.words import bound_at
from stirred.verify.ledger.claims.pufferfish.words import FINITE, kernel_laws, mult_of, seeded_law
from stirred.verify.ledger.language_names import get, oo, subsets
from stirred.verify.ledger.words import distance, multiplicative


def has_no_loss(M, d):
    return all(
        mult_of(seeded_law(M[x], range(2)), seeded_law(M[y], range(2))) <= bound_at(1, distance(d, x, y))
        for x in range(len(M))
        for y in range(len(M))
    )


def by_component(M, d):
    return all(M[x] == M[y] for x in range(len(M)) for y in range(len(M)) if distance(d, x, y) < oo)


def law_by_component(M, d):
    return all(
        seeded_law(M[x], range(2)) == seeded_law(M[y], range(2))
        for x in range(len(M))
        for y in range(len(M))
        if distance(d, x, y) < oo
    )


def one_law(M):
    return all(seeded_law(row, range(2)) == seeded_law(M[0], range(2)) for row in M)


def of_first_joined(M, d, x):
    return M[min(joined_to(d, x, len(M)))]


def has_law_of_first(M, d):
    return all(seeded_law(M[x], range(2)) == seeded_law(of_first_joined(M, d, x), range(2)) for x in range(len(M)))


def joined_to(d, x, n):
    return {y for y in range(n) if distance(d, x, y) < oo}


def with_its_component(M, d):
    return [{(joined_to(d, x, len(M)), t): M[x][t] for t in range(len(M[x])) if M[x][t] > 0} for x in range(len(M))]


def with_itself(M):
    return [{(x, t): M[x][t] for t in range(len(M[x])) if M[x][t] > 0} for x in range(len(M))]


def obeys_dp(P, d, gamma):
    return all(
        multiplicative(P[x], P[y]) <= bound_at(gamma, distance(d, x, y)) for x in range(len(P)) for y in range(len(P))
    )


def as_laws(M):
    return [{t: M[x][t] for t in range(len(M[x])) if M[x][t] > 0} for x in range(len(M))]


def given_output(P, w, t):
    return [x for x in w if get(P[x], t, 0) > 0]


def is_joined(d, s):
    return all(distance(d, x, y) < oo for x in s for y in s)


def joined_given_outputs(P, d):
    return all(is_joined(d, given_output(P, w, t)) for w in subsets(range(len(P))) for t in {t for p in P for t in p})


_NEAR: Mapping[tuple[int, int], int] = {(0, 1): 1, (1, 0): 1}
_PATH = {**_NEAR, (1, 2): 1, (2, 1): 1, (0, 2): 2, (2, 0): 2}


@cases("two data sets at distance 1 or oo, two seeds and two outputs, all functions M of data set and seed", "M d")
def functions_of_seeds() -> Iterator[tuple[Any, ...]]:
    rows = list(product(range(2), repeat=2))
    yield from product(product(rows, repeat=2), (_NEAR, {}))


@cases("the same, and three data sets along a path, or two of them apart from the third", "M d")
def functions_and_paths() -> Iterator[tuple[Any, ...]]:
    yield from functions_of_seeds
    rows = list(product(range(2), repeat=2))
    yield from product(product(rows, repeat=3), (_PATH, _NEAR))


state(
    "pufferfish.no-loss",
    "dissertation, Proposition 15",
    printed="Let M be a data-release mechanism. … The following statements are equivalent: I M satisfies epsilon-DP "
    "with epsilon = 0. … III The probability P_x induced by M is a function of x only through [x]. That is, P_x = P_x' "
    "whenever [x] = [x'].",
    reading="D_Mult(P_x, P_x') <= 0 d(x, x'), 0 x oo being oo",
    checks=[
        every(functions_and_paths, lambda M, d: has_no_loss(M, d) == law_by_component(M, d)),
        theorem("measure_intervals.zero_loss", within=FINITE),
    ],
    mutants={"all P_x are equal": every(functions_and_paths, lambda M, d: has_no_loss(M, d) == one_law(M))},
)

state(
    "pufferfish.no-loss.seeds",
    "dissertation, Proposition 15",
    printed="II M is a function of x only through its connected component [x]. That is, there exists a function M': "
    "Comp(X) x [0, 1] -> T such that M = M' o c, where c: X x [0, 1] -> Comp(X) x [0, 1], (x, u) |-> ([x], u). III The "
    "probability P_x induced by M is a function of x only through [x]. … The equivalence between II and III follows by "
    "the definition of P_x as the probability induced by M.",
    reading="M = M' o c as functions of the data set and the seed, as it is written",
    grade=incomplete(
        "M = M' o c holds in law only, which is all that section 5.2 says of it: where M(x, u) is u for one data set "
        "and 1 - u for another one, both have one law, and no M' gives both"
    ),
    checks=[every(functions_of_seeds, lambda M, d: by_component(M, d) == law_by_component(M, d))],
    refuted_by=["pufferfish_odds.no_loss_seeds_refuted"],
)

state(
    "pufferfish.no-loss.seeds-repaired",
    claim="P_x is a function of x only through [x] if and only if some M' of [x] and the seed has the law of M given "
    "every data set x; if M = M' o c then it is.",
    repairs="pufferfish.no-loss.seeds",
    reading="M'([x], u) = M(y, u) for the first y of [x]",
    checks=[
        every(functions_and_paths, lambda M, d: has_law_of_first(M, d) == law_by_component(M, d)),
        every(functions_and_paths, lambda M, d: not by_component(M, d) or law_by_component(M, d)),
    ],
    mutants={
        "only if M = M' o c": every(functions_and_paths, lambda M, d: not law_by_component(M, d) or by_component(M, d))
    },
)

_APART: Mapping[tuple[int, int], int] = {}
_DISTANCES = (_PATH, _NEAR, _APART)
_LAWS = kernel_laws(2, 3)


@cases(
    "three data sets along a path, two apart from the third, or all apart; all mechanisms with two outputs in thirds; "
    "e^epsilon in {1, 2}",
    "M d gamma",
)
def released() -> Iterator[tuple[Any, ...]]:
    yield from product(product(_LAWS, repeat=3), _DISTANCES, map(Fraction, (1, 2)))


def inherits_dp(M, d, gamma, extended):
    return not obeys_dp(as_laws(M), d, gamma) or obeys_dp(extended, d, gamma)


state(
    "pufferfish.component",
    "dissertation, Proposition 16",
    printed="Let M: X x [0, 1] -> T be an epsilon-DP mechanism. Then the mechanism M' defined by M'(x, u) = ([x], M(x, "
    "u)) is also epsilon-DP.",
    checks=[every(released, lambda M, d, gamma: inherits_dp(M, d, gamma, with_its_component(M, d)))],
    mutants={"x for [x]": every(released, lambda M, d, gamma: inherits_dp(M, d, gamma, with_itself(M)))},
)

state(
    "pufferfish.component.support",
    "dissertation, Proposition 16",
    printed="… and, moreover, the support supp(x | t, theta) for M' is d-connected for all the possible outputs t in T "
    "x 2^X of M' and all theta in Theta.",
    reading="the data sets to which theta gives probability and from which t is possible; theta by its support",
    checks=[every(released, lambda M, d: joined_given_outputs(with_its_component(M, d), d))],
    mutants={"M for M'": every(released, lambda M, d: joined_given_outputs(as_laws(M), d))},
)
