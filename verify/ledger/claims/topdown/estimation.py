"""What TopDown keeps, what its noise costs, and where its second step is post-processing."""

from collections.abc import Iterator
from itertools import product
from typing import Any

from stirred.mechanisms.broken.topdown import (
    estimation_from_the_data,
    noise_after_estimation,
    noisy_invariant,
    noisy_parent,
)
from stirred.mechanisms.das.topdown import topdown
from stirred.verify.ledger import Cases, cases, every, mutant, own, some, state
from stirred.verify.ledger.claims.topdown.small_census import COUNTED, FEW, FLAT, NOISE, OVERSPENT, Program, SmallCensus
from stirred.verify.ledger.language_names import get, oo

# of a release (measurements, counts by block, c of the estimate) with law p, under invariants with values c

# whether the estimate, given the measurements with laws m and n, has one law under two releases
same_second_step = lambda p, q, m, n: all(p[t] * get(n, t[0], 0) == get(q, t, 0) * m[t[0]] for t in p)

# the smallest e^epsilon of two laws in one direction
largest_ratio = lambda p, q: max(oo if get(q, t, 0) == 0 else p[t] / q[t] for t in p if p[t] > 0)

_released = lambda census, program=topdown: cases(
    f"{census.scope}; {NOISE}", "x p c", lambda: ((x, p, census.totals(x)) for x, p in census.laws(program).items())
)


def _pairs(census: SmallCensus, program: Program = topdown, *, within: bool) -> Cases:
    """Ordered pairs at finite d_HamS^p: laws of the release and of the measurements; within the universes or all."""

    def listed() -> Iterator[Any]:
        laws, measured = census.laws(program), census.measurement_laws
        for x, y in product(census.domain, repeat=2):
            if census.premetric(x, y) is not None and (not within or census.totals(x) == census.totals(y)):
                yield x, y, laws[x], laws[y], measured[x], measured[y]

    universes = "every universe of D_cTDA" if within else "the universe X_CEF"
    return cases(f"pairs with equally many persons in {universes}; {census.scope}; {NOISE}", "x y p q m n", listed)


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
    return cases(
        scope,
        "x y d cost rho2",
        lambda: ((x, y, census.premetric(x, y), cost, budget) for x, y, cost in census.costs()),
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
