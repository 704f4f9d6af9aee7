"""Both halves of Theorem 2 for every release with two steps, and for the program on a small census."""

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from stirred.mechanisms.broken.topdown import estimation_from_the_data, noise_after_estimation
from stirred.mechanisms.das.topdown import topdown
from stirred.verify.ledger import Cases, cases, every, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.topdown.estimation import largest_ratio, same_second_step
from stirred.verify.ledger.claims.topdown.small_census import FEW, FLAT, NOISE, ONE_STATE, Program, SmallCensus, of_part
from stirred.verify.ledger.claims.zcdp.divergences import divergence_sum
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import hamming, multiplicative

_BY_SUMS = "by e^((a - 1) D_a) for the orders a = 2, 3, exactly"


def _in_two_parts(census: SmallCensus, program: Program = topdown, *, within: bool = True) -> Cases:
    """Pairs at finite d_HamS^p: the laws of all that is released, of T_p, and of T_hh."""
    universes = "every universe of D_cTDA" if within else "the universe X_CEF"
    scope = f"pairs with equally many persons in {universes}; {census.scope}; {NOISE}; {_BY_SUMS}"

    @cases(scope, "x y p q m n k l a")
    def listed() -> Iterator[Any]:
        laws = census.laws(program)
        parts = {
            x: [law.push(lambda t, part=part: of_part(part, t)) for part in ("person", "household")]
            for x, law in census.measurement_laws.items()
        }
        for (x, y), a in product(product(census.domain, repeat=2), (2, 3)):
            if census.premetric(x, y) is not None and (not within or census.totals(x) == census.totals(y)):
                (m, k), (n, l) = parts[x], parts[y]
                yield x, y, laws[x], laws[y], m, n, k, l, a

    return listed


sums_of_parts_multiply = lambda p, q, a, m, n, k, l: (
    divergence_sum(p, q, a) == divergence_sum(m, n, a) * divergence_sum(k, l, a)
)

_DISCRETE = "discrete laws on outcomes with decidable equality, finite budgets, d_X in N or oo"

state("topdown.two-steps.printed", "slides, Two-step procedure")(
    """T satisfies DP(X_CEF, {X_CEF}, d^p_HAM, D_nor) with budget rho_TDA … TDA satisfies DP(X_CEF, D_cTDA, d^p_HAM,
    D_nor) with budget rho_TDA.""",
    theorem("specification.refinement_within", "two_step_zcdp.two_step_zcdp", within=_DISCRETE),
    every(_in_two_parts(ONE_STATE), sums_of_parts_multiply),
    mutant("under {X_CEF} too", _in_two_parts(FLAT, within=False)),
    mutant("estimation peeks at the data", _in_two_parts(FEW, estimation_from_the_data)),
    reading="""the second follows from the first, for a second step that is a function, random or not, of T(x) and
    c_TDA(x), as the procedure says; for both parts of T together""",
)

two_steps = lambda p, q, m, n, k, l, a: (
    divergence_sum(p, q, a) == divergence_sum(m, n, a) * divergence_sum(k, l, a)
    and divergence_sum(m, n, a) > 1
    and divergence_sum(k, l, a) > 1
)

own("topdown.two-steps", "article, Theorem 2")(
    """If T_p and T_hh have independent noise and satisfy rho_p-DP and rho_hh-DP in one flavor (X, multiverse, d_X,
    D_NoR) whose universes agree on c, and the second step is a function, random or not, of T_p, T_hh and c alone, then
    both steps together satisfy rho-DP in it with rho^2 = rho_p^2 + rho_hh^2. Discrete Gaussian noise on integer queries
    q_i satisfies rho_p-DP where the sum of (q_i(x) - q_i(x'))^2/(2 sigma_i^2) is at most rho_p^2 d_X(x, x')^2.""",
    theorem(
        "two_step_zcdp.measured_zcdp",
        "two_step_zcdp.two_step_zcdp",
        "two_step_zcdp.diagonal_gaussian_zcdp",
        "two_step_zcdp.topdown_zcdp",
        within=_DISCRETE,
    ),
    every(_in_two_parts(ONE_STATE), sums_of_parts_multiply),
    mutant("noise is added after estimation", _in_two_parts(FEW, noise_after_estimation)),
    mutant(
        "the larger budget for the sum",
        lambda p, q, m, n, k, l, a: divergence_sum(p, q, a) <= max(divergence_sum(m, n, a), divergence_sum(k, l, a)),
    ),
    some(_in_two_parts(ONE_STATE), two_steps),
)

loss_within_sum = lambda p, q, m, n, k, l: multiplicative(p, q) <= multiplicative(m, n) * multiplicative(k, l)

own("topdown.two-steps.any-premetric", "article, Theorem 2")(
    """The same holds with eps_p + eps_hh under every output premetric that is subadditive over independent outcomes and
    that no processing makes larger; with eps + eps_p + eps_hh where the second step may use an earlier release too,
    which satisfies eps.""",
    theorem(
        "two_step.measured_satisfies",
        "two_step.two_step_satisfies",
        "two_step.two_runs_satisfies",
        within="laws on finite sets",
    ),
    every(_in_two_parts(ONE_STATE), loss_within_sum),
    mutant("under {X_CEF} too", _in_two_parts(FLAT, within=False)),
)

# the values of the invariants of two data sets: they differ in one, and in no other
differ_alone = lambda c, c_prime, place: all((c[i] == c_prime[i]) == (i != place) for i in range(len(c)))


def _all_pairs(census: SmallCensus, *, within: bool = False) -> Cases:
    """Person-records, housing units, invariants, laws of the release and of the measurements, of two data sets."""
    scope = f"all pairs of data sets{' of one universe of D_cTDA' if within else ''}; {census.scope}; {NOISE}"

    @cases(scope, "r s units more c c_prime p q m n")
    def listed() -> Iterator[Any]:
        laws, measured = census.laws(), census.measurement_laws
        for x, y in product(census.domain, repeat=2):
            totals = census.totals(x), census.totals(y)
            if not within or totals[0] == totals[1]:
                yield x[0], y[0], x[1], y[1], *totals, laws[x], laws[y], measured[x], measured[y]

    return listed


kept_or_infinite = lambda r, s, c, c_prime, p, q: c == c_prime or hamming(r, s) == oo or largest_ratio(p, q) == oo
infinite_if_measured = lambda r, s, c, c_prime, m, n: c == c_prime or hamming(r, s) == oo or largest_ratio(m, n) == oo

own("topdown.kept-total", "article, Theorem 2", "dissertation, section B.5")(
    """A release that tells some totals satisfies no specification with output premetric D_NoR whose budget is finite on
    a universe where two data sets at finite distance differ in them; nor with any other output premetric that no
    processing makes larger and that is oo between laws without a common outcome.""",
    theorem(
        "two_step_zcdp.kept_unbounded",
        "two_step.kept_infinite",
        within="discrete laws, d_X in N or oo; other output premetrics for laws on finite sets",
    ),
    every(_all_pairs(FLAT), kept_or_infinite),
    mutant("the measurements alone", infinite_if_measured),
)

is_infinite_without = lambda place, distance, c, c_prime, r, s, p, q: (
    differ_alone(c, c_prime, place) and hamming(r, s) == distance and largest_ratio(p, q) == oo
)
into_another_state = lambda c, c_prime, r, s, p, q: (
    [t[1] for t in r] == [t[1] for t in s] and is_infinite_without(0, 1, c, c_prime, r, s, p, q)
)
one_more_unit = lambda units, more, c, c_prime, r, s, p, q: (
    sum(more) == sum(units) + 1 and is_infinite_without(1, 0, c, c_prime, r, s, p, q)
)
into_quarters = lambda c, c_prime, r, s, p, q: (
    [[t[0], "in quarters"] for t in r] == s and is_infinite_without(2, 1, c, c_prime, r, s, p, q)
)

own("topdown.theorem-2.each-invariant", "article, Theorem 2")(
    """Without any one of its three invariants, the other two being equal, the TDA has an infinite loss: without the
    state populations for a person who moves to another state (d_HamS^p = 1), without the housing units for one more
    vacant unit (d_HamS^p = 0), without the group quarters for a person who moves into group quarters of the same block
    (d_HamS^p = 1).""",
    *[some(_all_pairs(FLAT), one) for one in (into_another_state, one_more_unit, into_quarters)],
    mutant(
        "with all three invariants",
        some(_all_pairs(FEW, within=True), lambda r, s, p, q: hamming(r, s) != oo and largest_ratio(p, q) == oo),
    ),
)


def _kept(*, is_proper: bool) -> Cases:
    """Of all sets of the three invariants, the pairs that share a universe, with their laws."""
    scope = f"pairs with equally many persons in the universes of {'proper ' * is_proper}subsets of the invariants"

    @cases(f"{scope}; {FLAT.scope}; {NOISE}", "kept pairs")
    def listed() -> Iterator[Any]:
        laws, measured = FLAT.laws(), FLAT.measurement_laws
        for size in range(3) if is_proper else (3,):
            for kept in combinations(range(3), size):
                pairs = tuple(
                    (laws[x], laws[y], measured[x], measured[y])
                    for x, y in combinations(FLAT.domain, 2)
                    if FLAT.premetric(x, y) is not None and all(FLAT.totals(x)[i] == FLAT.totals(y)[i] for i in kept)
                )
                yield kept, pairs

    return listed


state("topdown.post-processing-needs-invariants", "article, Appendix H", "dissertation, section B.5")(
    """In fact, the second half of Theorem 2 shows that any argument that relies on the TDA's second step being
    postprocessing must necessarily use a DP flavor that conditions on the invariants c_TDA.""",
    every(_kept(is_proper=True), lambda pairs: any(not same_second_step(p, q, m, n) for p, q, m, n in pairs)),
    mutant("under the flavor of all three", _kept(is_proper=False)),
    reading="""under the flavor of each proper subset of the three invariants, two data sets of some universe at finite
    distance have different laws of the estimate given the measurements""",
)
