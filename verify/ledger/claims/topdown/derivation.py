"""The first half of Theorem 2 as a derivation: every step names its theorem, its flavor and its exact budget."""

from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from stirred.mechanisms.das.topdown import Design
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.laws.claim.claim_numbers import parts, rows
from stirred.verify.ledger import Cases, Check, cases, every, mutant, own, printed, theorem
from stirred.verify.ledger.claims.census.households import noisy_counts
from stirred.verify.ledger.claims.topdown.small_census import COUNTED, FLAT, ONE_STATE, OVERSPENT
from stirred.verify.ledger.language_names import get, oo

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
class Step:
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
    runs: Sequence[Mapping[str, Step]],
    *,
    kept: tuple[str, ...] = _TDA,
    to_persons: str = RESCALING,
    reads: tuple[str, ...] = (),
    refined: bool = True,
) -> tuple[Step, ...]:
    """The steps of Appendix H for one run or for two, of which the second uses what the first released.

    Args:
        runs: for each run its measurements of persons and of households, under {X_CEF} and for their own units.
        kept: the invariants.
        to_persons: the theorem for the step from household-records to person-records.
        reads: what estimation reads beside the measurements, the invariants and the earlier release.
        refined: whether the measurements are carried over to the universes of the invariants.
    """
    steps: list[Step] = []

    def add(released: tuple[str, ...], theorem: str, premises: tuple[int, ...], *rest: Any) -> int:
        steps.append(Step(released, theorem, premises, *rest))
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


def _measured(design: Design, run: int) -> dict[str, Step]:
    """The measurements of a design, by the scales of its noise."""
    found = {}
    for unit in ("person", "household"):
        groups = [group for group in design.groups if group.part == unit]
        terms = tuple(
            (Fraction(group.squared_sensitivity), design.variance(level, group))
            for level, group in product(range(len(design.geography.levels)), groups)
        )
        found[unit] = Step((f"T{run} {unit}",), MEASUREMENT, (), (), unit, design.rho_squared[unit], terms)
    return found


_PUBLISHED = {name: Fraction(text) for name, text in parts("topdown.total").items()}
_NAMES = {(run, unit): f"{('pl', 'dhc')[run - 1]}-{unit}" for run in (1, 2) for unit in ("person", "household")}
_AS_GIVEN = {f"T{run} {unit}": _PUBLISHED[name] for (run, unit), name in _NAMES.items()}

_given = lambda run: (
    {
        unit: Step((f"T{run} {unit}",), GIVEN, (), (), unit, _AS_GIVEN[f"T{run} {unit}"])
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
        lambda: (
            (tuple(map(astuple, derivation(runs, **choices))), _AS_GIVEN, kept, _total(runs, households))
            for runs in (*of_designs, *of_published)
        ),
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
    lambda: product(range(4), range(4), (1, 2, 3), (Fraction(1, 2), Fraction(1), Fraction(7))),
)

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
