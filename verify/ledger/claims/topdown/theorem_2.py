"""Theorem 2: its first half as a derivation, and both halves for every release with two steps."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from typing import Any

from stirred.mechanisms.broken.topdown import estimation_from_the_data, noise_after_estimation
from stirred.mechanisms.das.topdown import Design, topdown
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.laws.claim.claim_numbers import parts, rows
from stirred.verify.ledger import Cases, Check, cases, every, mutant, own, printed, some, state, theorem
from stirred.verify.ledger.claims.census.units import noisy_counts
from stirred.verify.ledger.claims.topdown.runs import largest_ratio, same_second_step
from stirred.verify.ledger.claims.topdown.small_census import (
    COUNTED,
    FEW,
    FLAT,
    NOISE,
    ONE_STATE,
    OVERSPENT,
    Program,
    SmallCensus,
    of_part,
)
from stirred.verify.ledger.claims.zcdp.divergences import divergence_sum
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import hamming, multiplicative

# the first half of Theorem 2 as a derivation: every step names its theorem, its flavor and its exact budget

MEASUREMENT = "gaussian.diagonal"
REFINEMENT = "refinement.budget-within"
RESCALING = "premetric.rescaling"
FREE = "invariants.release-free.any-multiverse"
COMPOSITION = "zcdp.composition"
PROCESSING = "renyi.processing"
THEOREMS = (MEASUREMENT, REFINEMENT, RESCALING, "units.household-person", FREE, COMPOSITION, PROCESSING)
"""The claims of the ledger that steps rest on; rescaling takes its factor from that on units."""

GIVEN = "as given"
"""The budget of measurements that the sources take from elsewhere."""

_TDA = ("c_TDA",)
_WITH_SIZES = ("c_TDA", "household sizes")


@dataclass(frozen=True)
class Deduction:
    """A mechanism satisfies ρ-DP(X_CEF, 𝒟, d_HamS, D_NoR).

    Attributes:
        released: what it releases.
        theorem: why.
        premises: the places of the steps that the theorem is applied to.
        kept: the invariants that induce 𝒟; none for {X_CEF}.
        unit: the records between which d_HamS is taken, "person" or "household".
        rho_squared: ρ².
        uses: Δ² and σ² of each group of measurements, or what post-processing reads.
    """

    released: tuple[str, ...]
    theorem: str
    premises: tuple[int, ...]
    kept: tuple[str, ...]
    unit: str
    rho_squared: Fraction
    uses: tuple[Any, ...] = ()


flavor = lambda s: [s[3], s[4]]

# persons stay in their housing units, or one who moves changes two household-records: units.household-person
household_records_of_a_person = lambda kept: 1 if "household sizes" in kept else 2
all_released = lambda P: [name for r in P for name in r[0]]

# a step [released, theorem, premises, kept, unit, rho^2, uses] by its theorem from the steps P
as_given = lambda s, P, given: len(P) == 0 and s[5] == get(given, s[0][0], oo)
measures = lambda s, P: len(P) == 0 and s[5] == sum(d / (2 * v) for d, v in s[6])
is_free = lambda s, P: len(P) == 0 and s[0] == ["c_TDA"] and "c_TDA" in s[3] and s[5] == 0
refines_one = lambda s, P: (
    len(P) == 1 and s[0] == P[0][0] and s[4] == P[0][4] and s[5] == P[0][5] and set(P[0][3]) <= set(s[3])
)
rescales = lambda s, P: (
    len(P) == 1
    and s[0] == P[0][0]
    and s[3] == P[0][3]
    and P[0][4] == "household"
    and s[4] == "person"
    and s[5] == household_records_of_a_person(s[3]) ** 2 * P[0][5]
)
composes = lambda s, P: (
    all(flavor(r) == flavor(s) for r in P)
    and s[5] == sum(r[5] for r in P)
    and s[0] == all_released(P)
    and len(set(s[0])) == len(s[0])
)
processes = lambda s, P: (
    len(P) == 1 and flavor(s) == flavor(P[0]) and s[5] == P[0][5] and all(name in P[0][0] for name in s[6])
)
follows = lambda s, P, given: (
    as_given(s, P, given)
    if s[1] == "as given"
    else measures(s, P)
    if s[1] == "gaussian.diagonal"
    else is_free(s, P)
    if s[1] == "invariants.release-free.any-multiverse"
    else refines_one(s, P)
    if s[1] == "refinement.budget-within"
    else rescales(s, P)
    if s[1] == "premetric.rescaling"
    else composes(s, P)
    if s[1] == "zcdp.composition"
    else s[1] == "renyi.processing" and processes(s, P)
)
derives = lambda steps, given, kept, rho2: (
    all(j < i for i, s in enumerate(steps) for j in s[2])
    and all(follows(s, [steps[j] for j in s[2]], given) for s in steps)
    and flavor(steps[len(steps) - 1]) == [kept, "person"]
    and steps[len(steps) - 1][5] == rho2
)


def derivation(
    runs: Sequence[Mapping[str, Deduction]],
    *,
    kept: tuple[str, ...] = _TDA,
    to_persons: str = RESCALING,
    reads: tuple[str, ...] = (),
    refined: bool = True,
) -> tuple[Deduction, ...]:
    """The steps of Appendix H for one run or for two, of which the second uses what the first released.

    Args:
        runs: for each run its measurements of persons and of households, under {X_CEF} and for their own units.
        kept: the invariants.
        to_persons: the theorem for the step from household-records to person-records.
        reads: what estimation reads beside the measurements, the invariants and the earlier release.
        refined: whether the measurements are carried over to the universes of the invariants.
    """
    steps: list[Deduction] = []

    def add(released: tuple[str, ...], theorem: str, premises: tuple[int, ...], *rest: Any) -> int:
        steps.append(Deduction(released, theorem, premises, *rest))
        return len(steps) - 1

    def sum_of(*premises: int) -> int:
        released = tuple(name for j in premises for name in steps[j].released)
        total = sum((steps[j].rho_squared for j in premises), Fraction(0))
        return add(released, COMPOSITION, premises, kept, "person", total)

    before: tuple[int, ...] = ()
    for number, run in enumerate(runs):
        measured = []
        for unit in ("person", "household"):
            steps.append(run[unit])
            last, rho2, released = len(steps) - 1, run[unit].rho_squared, run[unit].released
            if refined:
                last = add(released, REFINEMENT, (last,), kept, unit, rho2)
            if unit == "household":
                moved = 1 if to_persons == REFINEMENT or kept == _WITH_SIZES else 2
                last = add(released, to_persons, (last,), kept, "person", moved**2 * rho2)
            measured.append(last)
        invariants = () if before else (add(_TDA, FREE, (), kept, "person", Fraction(0)),)
        together = sum_of(sum_of(*measured), *before, *invariants)
        used = (*steps[together].released, *reads)
        told = (*steps[together].released, f"Z{number + 1}")
        before = (add(told, PROCESSING, (together,), kept, "person", steps[together].rho_squared, used),)
    return tuple(steps)


def _measured(design: Design, run: int) -> dict[str, Deduction]:
    """The measurements of a design, by the scales of its noise."""
    found = {}
    for unit in ("person", "household"):
        groups = [group for group in design.groups if group.part == unit]
        terms = tuple(
            (Fraction(group.squared_sensitivity), design.variance(level, group))
            for level, group in product(range(len(design.geography.levels)), groups)
        )
        found[unit] = Deduction((f"T{run} {unit}",), MEASUREMENT, (), (), unit, design.rho_squared[unit], terms)
    return found


_PUBLISHED = {name: Fraction(text) for name, text in parts("topdown.total").items()}
_NAMES = {(run, unit): f"{('pl', 'dhc')[run - 1]}-{unit}" for run in (1, 2) for unit in ("person", "household")}
_AS_GIVEN = {f"T{run} {unit}": _PUBLISHED[name] for (run, unit), name in _NAMES.items()}

_given = lambda run: (
    {
        unit: Deduction((f"T{run} {unit}",), GIVEN, (), (), unit, _AS_GIVEN[f"T{run} {unit}"])
        for unit in ("person", "household")
    }
)
_total = lambda runs, households: sum(
    (run["person"].rho_squared + households * run["household"].rho_squared for run in runs), Fraction(0)
)


def _derivations(designs: Sequence[Design], *, households: int = 4, **choices: Any) -> Cases:
    """Each design once and twice, and the published budgets for one run and for two."""
    kept = choices.get("kept", _TDA)
    of_designs = [[_measured(design, run + 1) for run in range(n)] for design in designs for n in (1, 2)]
    of_published = [[_given(1)], [_given(1), _given(2)]]
    return cases(
        f"one run and two of {len(designs)} small designs, and of the published budgets of Table 3",
        "steps given kept rho2",
    )(
        lambda: (
            (tuple(map(astuple, derivation(runs, **choices))), _AS_GIVEN, kept, _total(runs, households))
            for runs in (*of_designs, *of_published)
        )
    )


_derived = partial(_derivations, (ONE_STATE.design, FLAT.design, COUNTED.design))


def _sums(households: str, pl: str, both: str) -> Check:
    """What the published budgets come to, for the PL and for both runs."""
    one, both_runs = parts("topdown.pl"), parts("topdown.total").items()
    two = {name.replace("-", "_"): text for name, text in both_runs}
    formula = f"pl_person + dhc_person + {households}*(pl_household + dhc_household)"
    return printed(
        [
            PrintedRow.of_texts("rho^2 for the PL", pl, f"person + {households}*household", dict(one)),
            PrintedRow.of_texts("rho^2 for both runs", both, formula, two),
        ],
        "the published budgets, exactly",
    )


@cases(f"pairs with equally many persons in every universe; {ONE_STATE.scope}; D_NoR^2 in closed form", "d cost rho2")
def _costs() -> Any:
    total = _total([_measured(ONE_STATE.design, 1)], 4)
    return ((ONE_STATE.premetric(x, y), cost, total) for x, y, cost in ONE_STATE.costs())


_TWO_UNITS = cases(
    "x and x' persons counted among 3, k household-records for each of them counted too, k = 1, 2, 3; sigma^2 = 1/2, "
    "1, 7; D_NoR^2 in closed form",
    "x y k sigma2",
)(lambda: product(range(4), range(4), (1, 2, 3), (Fraction(1, 2), Fraction(1), Fraction(7))))

attains_sum = lambda x, k, y, sigma2, power: (
    noisy_counts([x, k * x], [y, k * y], sigma2) == (1 / (2 * sigma2) + k**power / (2 * sigma2)) * (x - y) ** 2
)

own("topdown.two-steps.two-units", "article, Appendix H")(
    """If T_p satisfies rho_p-DP under d_HamS^p, T_hh satisfies rho_hh-DP under d_HamS^hh with d_HamS^hh <= k d_HamS^p
    in every universe, the universes agree on c, and the second step is a function, random or not, of T_p, T_hh and c
    alone, then both steps together satisfy rho-DP under d_HamS^p with rho^2 = rho_p^2 + k^2 rho_hh^2.""",
    theorem(
        "two_step_zcdp.two_units_zcdp",
        "two_step_zcdp.rescaled_zcdp",
        within="discrete laws on outcomes with decidable equality, finite budgets, d_X in N or oo, k in N",
    ),
    every(_TWO_UNITS, attains_sum, power=2),
    mutant("rho_p^2 + k rho_hh^2", {"power": 1}),
)

own("topdown.theorem-2.derivation", "article, Theorem 2 and Appendix H")(
    """From measurements with rho_p^2 under ({X_CEF}, d_HamS^p) and rho_hh^2 under ({X_CEF}, d_HamS^hh), Appendix H's
    steps derive rho-DP(X_CEF, D_cTDA, d_HamS^p, D_NoR) with rho^2 = rho_p^2 + 4 rho_hh^2 for one run, and the sum of
    that for two, each by a theorem of the ledger: refinement of the multiverse, rescaling of d_HamS^hh (by 2, where
    person-records name their housing units and household-records hold nothing else), composition in one flavor,
    Proposition 1, post-processing. With Table 3's budgets: 2.84 for the PL, 38.60 for both.""",
    every(_derived(), derives),
    mutant(
        "from household-records to person-records by Proposition 5, as printed",
        _derived(to_persons=REFINEMENT, households=1),
    ),
    mutant("persons who move are left out", _derived(households=1)),
    mutant("every level spends what they share", _derivations((OVERSPENT.design,))),
    mutant("estimation peeks at the data", _derived(reads=("x",))),
    mutant("measurements under {X_CEF}, invariants under D_cTDA", _derived(refined=False)),
    mutant("no invariant is conditioned on", _derived(kept=())),
    _sums("4", "2.84", "38.60"),
    every(_costs, lambda d, cost, rho2: cost <= rho2 * d**2),
    mutant("15.29 for 38.60", _sums("4", "2.84", "15.29")),
)

_SUM = [rows("topdown.pl")[0].printed.text, rows("topdown.total")[0].printed.text]

own("topdown.theorem-2.derivation.sizes-kept", "article, Theorem 2 and Appendix H")(
    """Where the number of persons of each housing unit is invariant besides, so that d_HamS^hh <= d_HamS^p, the same
    steps derive rho_p^2 + rho_hh^2: the printed 2.63 for the PL and 15.29 for the DHC.""",
    every(_derived(kept=_WITH_SIZES, households=1), derives),
    mutant("the invariants of the TDA alone", _derived(households=1)),
    _sums("1", *_SUM),
    mutant("2.65 for 2.63", _sums("1", "2.65", _SUM[1])),
)

# both halves of Theorem 2 for every release with two steps, and for the program on a small census

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
