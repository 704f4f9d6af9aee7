"""What TopDown keeps, what its noise costs, and its two runs: the redistricting data, then the DHC."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from stirred.mechanisms.broken.topdown import (
    estimation_from_the_data,
    independent_runs,
    noise_after_estimation,
    noisy_invariant,
    noisy_parent,
    published_from_the_data,
)
from stirred.mechanisms.das.topdown import KeptTotal, topdown
from stirred.mechanisms.das.topdown.two_runs import two_runs
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.spec.laws.law import Law
from stirred.verify.ledger import Cases, cases, every, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.topdown.small_census import (
    COUNTED,
    FEW,
    FLAT,
    NOISE,
    ONE_STATE,
    OVERSPENT,
    DataSet,
    Program,
    SmallCensus,
    finite_noise,
    of_part,
)
from stirred.verify.ledger.claims.zcdp.divergences import divergence_sum
from stirred.verify.ledger.language_names import get, oo

# what TopDown keeps, what its noise costs, and where its second step is post-processing

# of a release (measurements, counts by block, c of the estimate) with law p, under invariants with values c

# whether the estimate, given the measurements with laws m and n, has one law under two releases
same_second_step = lambda p, q, m, n: all(p[t] * get(n, t[0], 0) == get(q, t, 0) * m[t[0]] for t in p)

# the smallest e^epsilon of two laws in one direction
largest_ratio = lambda p, q: max(oo if get(q, t, 0) == 0 else p[t] / q[t] for t in p if p[t] > 0)

_released = lambda census, program=topdown: cases(f"{census.scope}; {NOISE}", "x p c")(
    lambda: ((x, p, census.totals(x)) for x, p in census.laws(program).items())
)


def _pairs(census: SmallCensus, program: Program = topdown, *, within: bool) -> Cases:
    """Ordered pairs at finite d_HamS^p: laws of the release and of the measurements; within the universes or all."""

    def listed() -> Iterator[Any]:
        laws, measured = census.laws(program), census.measurement_laws
        for x, y in product(census.domain, repeat=2):
            if census.premetric(x, y) is not None and (not within or census.totals(x) == census.totals(y)):
                yield x, y, laws[x], laws[y], measured[x], measured[y]

    universes = "every universe of D_cTDA" if within else "the universe X_CEF"
    return cases(f"pairs with equally many persons in {universes}; {census.scope}; {NOISE}", "x y p q m n")(listed)


_kept = lambda census, program=topdown: every(
    _released(census, program), lambda p, c: all(t[2] == c for t in p if p[t] > 0)
)

state("topdown.keeps-invariants", "article, section 4", "dissertation, section 3.3")(
    "The PPMF Z_p and Z_hh agree with the CEF x_p, x_hh on the invariants c_TDA.",
    _kept(FLAT),
    mutant("noise is added after estimation", _kept(FEW, noise_after_estimation)),
    mutant("an invariant has noise too", _kept(FEW, noisy_invariant)),
    mutant("the parent's noisy total is kept in place of the population", _kept(FEW, noisy_parent)),
)


def _costs(census: SmallCensus) -> Cases:
    scope = f"pairs with equally many persons in every universe of D_cTDA; {census.scope}; D_NoR^2 in closed form"
    budget = census.design.rho_squared["person"]
    return cases(scope, "x y d cost rho2")(
        lambda: ((x, y, census.premetric(x, y), cost, budget) for x, y, cost in census.costs())
    )


own("topdown.measurement-budget", "article, Algorithm 2")(
    """Where the shares of the levels and of the queries of the person part each sum to 1, and every query group has
    sigma^2 = Delta^2/(2 share rho^2), with Delta^2 for one replaced person-record, the measurements with discrete
    Gaussian noise have D_NoR^2 <= rho^2 d_HamS^p(x, x')^2 where all households stay as they are; this is attained.""",
    every(_costs(COUNTED), lambda d, cost, rho2: cost <= rho2 * d**2),
    mutant("every level spends what they share", _costs(OVERSPENT)),
    some(_costs(COUNTED), lambda d, cost, rho2: cost == rho2 * d**2 > 0),
)

state("topdown.same-budget", "article, Appendix H", "dissertation, section B.5")(
    "The second step of the TDA is postprocessing on T and hence has the same budget.",
    every(_pairs(FLAT, within=True), same_second_step),
    mutant("the whole of X_CEF as one universe", _pairs(FLAT, within=False)),
    mutant("estimation peeks at the data", _pairs(FEW, estimation_from_the_data, within=True)),
    mutant("noise is added after estimation", _pairs(FEW, noise_after_estimation, within=True)),
    reading="""in every universe of D_cTDA the estimate, given the measurements T_ph, has one law for all data sets, so
    that what is released is as far apart as T_ph under the D_NoR of the passage and under every other premetric that no
    processing makes larger""",
)

no_post_processing = lambda m, n, p, q: largest_ratio(m, n) < oo and largest_ratio(p, q) == oo

state("topdown.no-post-processing", "article, Appendix H", "dissertation, section B.5")(
    """So the second step of the TDA is not actually postprocessing under this flavor—it is only postprocessing when
    conditioning on the invariants.""",
    some(_pairs(FLAT, within=False), no_post_processing),
    mutant("under D_cTDA too", _pairs(FLAT, within=True)),
    every(_pairs(FLAT, within=True), lambda p, q, m, n: not (no_post_processing(m, n, p, q))),
    reading="""under {X_CEF}, two data sets at finite distance have a finite loss of their measurements and an infinite
    one of what is released, so that the estimate is no function of the measurements; within D_cTDA none has""",
)

# the two runs of the TDA: the redistricting data, then the DHC under H(Z) = P, and what both together cost

_SECOND = ONE_STATE.design
_FIRST = replace(_SECOND, groups=_SECOND.groups[:1], rho_squared={"person": Fraction(2)})
_H = (KeptTotal("children", len(ONE_STATE.geography.levels) - 1, _SECOND.row("child")),)
_CELLS = tuple(_SECOND.cells)
_HOUSED = tuple(x for x in ONE_STATE.domain if any(kind != "in quarters" for _, kind in x[0]))
_SCOPE = (
    f"{ONE_STATE.scope}; here one person in a household; the first run counts the children alone and publishes its "
    f"children by block, P, which the second run reproduces; {NOISE}"
)

# of two runs that publish P: the second estimate has the children of P in its blocks
reproduces = lambda released, cell: [counts[cell] for counts in released[3]] == released[1]

_Told = Callable[[Any], Any]


@cache
def _law(program: Program, x: DataSet) -> Law[Any]:
    """The law of ((T, T'), P, Z, Z') on x: T and Z are those of the first run, T' and Z' those of the second."""

    def released(records: DataSet, source: Any) -> Any:
        (first, z), (published,), (second, later) = program(
            ONE_STATE.records(records), source, first=_FIRST, second=_SECOND, aggregates=_H, noise=finite_noise
        )
        return (first, second), published, tuple(counts for _, counts in z), tuple(counts for _, counts in later)

    return exact_law(released, x)


# the laws on all data sets, one after another: a changed program fails on one of the first
_laws = lambda program: (_law(program, x) for x in _HOUSED)
_all_released = lambda program=two_runs: cases(f"all data sets; {_SCOPE}", "p cell")(
    lambda: ((p, _CELLS.index("child")) for p in _laws(program))
)


def _run_pairs(given: _Told, told: _Told, program: Program = two_runs) -> Cases:
    """Pairs in one universe: laws of (given, told), and of what is given."""

    @cases(f"pairs, all in one universe of D_cTDA; {_SCOPE}", "x y p q m n")
    def listed() -> Iterator[Any]:
        both = cache(lambda x: _law(program, x).push(lambda t: (given(t), told(t))))
        alone = cache(lambda x: _law(program, x).push(given))
        for x, y in permutations(_HOUSED, 2):
            yield x, y, both(x), both(y), alone(x), alone(y)

    return listed


_second_estimate = lambda t: t[3]
_second_and_published = lambda t: (t[0][1], t[1])
_second_alone = lambda t: t[0][1]

state("topdown.two-runs.consistent", "article, section 4", "dissertation, section 3.3")(
    """To enforce this consistency, the PL P is passed as input into the TDA when producing the DHC and a constraint
    H(Z_p, Z_hh) = P is added to the optimization problem.""",
    every(_all_released(), lambda cell, p: all(reproduces(t, cell) for t in p if p[t] > 0)),
    mutant("P is no input of the second run", _all_released(independent_runs)),
    mutant("the second run is held to the totals of the data", _all_released(published_from_the_data)),
    reading="the DHC's estimate, which is computed from P beside its measurements and the invariants, has P's values",
)

state("topdown.two-runs.post-processing", "article, Appendix H", "dissertation, section B.5")(
    """Now the second step of the TDA also uses the PL P. Hence, this second step is postprocessing on the composed
    mechanism [T_ph, P, c_TDA].""",
    every(_run_pairs(_second_and_published, _second_estimate), same_second_step),
    mutant("on [T_ph, c_TDA]", _run_pairs(_second_alone, _second_estimate)),
    mutant(
        "the second run is held to the totals of the data",
        _run_pairs(_second_and_published, _second_estimate, published_from_the_data),
    ),
    reading="in every universe of D_cTDA the DHC's estimate, given its T_ph and P, has one law for all data sets",
)


def _by_file(told: _Told, program: Program = two_runs) -> Cases:
    """Pairs in one universe: laws of what is told of both runs, and of the three files of measurements."""
    files: tuple[_Told, ...] = (
        lambda t: of_part("person", t[0][0]),
        lambda t: of_part("person", t[0][1]),
        lambda t: of_part("household", t[0][1]),
    )
    scope = f"pairs, all in one universe of D_cTDA; {_SCOPE}; by e^((a - 1) D_a) for the orders a = 2, 3, exactly"

    @cases(scope, "x y p q first first_prime second second_prime third third_prime a")
    def listed() -> Iterator[Any]:
        pushed = cache(lambda x: [_law(program, x).push(of) for of in (told, *files)])
        for (x, y), a in product(permutations(_HOUSED, 2), (2, 3)):
            yield x, y, *(law for both in zip(pushed(x), pushed(y), strict=True) for law in both), a

    return listed


_everything = lambda t: t
_second_release = lambda t: (t[0][1], t[3])

files = lambda second, second_prime, a, third, third_prime: (
    divergence_sum(second, second_prime, a) * divergence_sum(third, third_prime, a)
)
all_files = lambda p, q, a, first, first_prime, second, second_prime, third, third_prime: (
    divergence_sum(p, q, a)
    == divergence_sum(first, first_prime, a)
    * divergence_sum(second, second_prime, a)
    * divergence_sum(third, third_prime, a)
)
of_one_run = lambda p, q, a, second, second_prime, third, third_prime: (
    divergence_sum(p, q, a) <= files(second, second_prime, a, third, third_prime)
)

_DISCRETE = "discrete laws on outcomes with decidable equality, finite budgets, d_X in N or oo"

more_than_one_run = lambda p, q, second, second_prime, third, third_prime, a: (
    not (of_one_run(p, q, a, second, second_prime, third, third_prime))
)

own("topdown.two-runs.budget", "article, Table 4")(
    """Everything that both runs release together (measurements, estimates, what is tabulated from them) has the sum of
    their four rho^2, as Table 4 says for 'PL & DHC': rho^2 + rho_p^2 + rho_hh^2 for a first release with rho and a
    second run that uses it. The DHC's own two are not enough for the DHC alone, for its estimate depends on P.""",
    theorem("two_step_zcdp.two_runs_zcdp", within=_DISCRETE),
    every(_by_file(_everything), all_files),
    mutant("the DHC's two budgets for the DHC", every(_by_file(_second_release), of_one_run)),
    mutant("the second run is held to the totals of the data", _by_file(_everything, published_from_the_data)),
    some(_by_file(_second_release), more_than_one_run),
)


def _six_products(t: Any) -> Any:
    """Tables of both estimates, the second estimate itself, a part of its tables, and both measurement files."""
    (first, second), _, z, later = t
    table, profile = (tuple(sum(column) for column in zip(*one, strict=True)) for one in (later, later[:1]))
    return (first, second), z, table, later, profile


_measurements = lambda t: t[0]

state("topdown.derived-products", "article, section 4", "dissertation, section 3.3")(
    """Hence the publication of these four additional data products do not contribute to additional privacy loss …""",
    every(_run_pairs(_measurements, _six_products), same_second_step),
    mutant(
        "tables of the second estimate with the measurements of the second run alone",
        _run_pairs(_second_alone, _second_estimate),
    ),
    mutant(
        "the second run is held to the totals of the data",
        _run_pairs(_measurements, _six_products, published_from_the_data),
    ),
    reading="""the Demographic Profile, the PPMF, the NMF and the 118th Congressional District file beside the PL and
    the DHC: in every universe of D_cTDA all six together are as far apart as the measurements of both runs, whose sum
    the PLB of Theorem 2 is""",
)

# laws of the children that are told of the state and of its two blocks
_counts_of_children = lambda of, program=two_runs: cases(f"all data sets; {_SCOPE}", "p")(
    lambda: (law.push(of) for law in _laws(program))
)


def _tabulated(t: Any) -> Any:
    """The first run's table of blocks under the second run's total."""
    child = _CELLS.index("child")
    return (sum(counts[child] for counts in t[3]), *t[1])


_noisy = lambda t: tuple(count for node in of_part("person", t[0][1]) for count in node)

state("topdown.logically-consistent", "dissertation, section 4.5.2")(
    """In contrast, many of the 2020 Census outputs will not be consistent across publications and even within the same
    publication, row- and column-sums will not match the reported totals. (However, the outputs produced by the TDA—the
    PL and DHS files—are logically consistent …)""",
    every(_counts_of_children(_tabulated), lambda p: all(t[0] == t[1] + t[2] for t in p if p[t] > 0)),
    mutant("P is no input of the second run", _counts_of_children(_tabulated, independent_runs)),
    mutant("the noisy measurements", _counts_of_children(_noisy)),
    every(_counts_of_children(_noisy), lambda p: any(t[0] != t[1] + t[2] for t in p if p[t] > 0)),
    reading="""'DHS' is DHC; the blocks of the PL add up to the total of the DHC, and the noisy measurements, which are
    published too, need not add up""",
)
