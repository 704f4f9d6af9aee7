"""The budget (7) of Theorem 1, and what section 3.3 says around it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations, product
from math import lcm
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord, permutation_swapping
from stirred.spec.blocks.specification import Specification
from stirred.spec.blocks.tables import Table, contingency_tables, table_distance
from stirred.spec.flavors.permutation_swapping import Margins, largest_stratum, odds, swapping_flavor
from stirred.spec.flavors.permutation_swapping import psa_budget as psa_loss
from stirred.spec.laws import law
from stirred.spec.laws.law import Law, point_mass
from stirred.verify.engines.exhaustive import check_specification, mechanism_laws
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.witness import Witness, event_witness
from stirred.verify.laws.claim.budget import PROVED_WITHIN, PROVING
from stirred.verify.ledger import Sentence, cases, every, failure, found_by, mutant, query, state, theorem, unless
from stirred.verify.ledger.claims.psa.cases import (
    CATEGORIES,
    INTUITION,
    SECTION_3_3,
    Universe,
    is_enough,
    kernel,
    kernels,
    largest_mixed,
    of_one_stratum,
    of_two_strata,
    psa_budget,
)
from stirred.verify.ledger.engines.budget_sweep import check_budget, exceeds, several_strata, stratum_loss
from stirred.verify.ledger.functions import text_of
from stirred.verify.ledger.words import likelihood_ratio, moved, multiplicative, permuted
from stirred.verify.ledger.words import table_distance as table_distance_word

strata_distance = lambda x, y: sum(table_distance_word(t, u) for t, u in zip(x, y))
all_within = lambda laws, gamma: all(
    likelihood_ratio(laws[x], laws[y]) <= gamma ** strata_distance(x, y) for x in laws for y in laws
)

_RATES = "1/20 1/2 3/4 19/20"
DataSet = tuple[Table, ...]
"""A data set as the table of each stratum."""


def swept(formula: Any, rates: str = _RATES, last: int = 6, *, listed: Any = None) -> Any:
    """Whether every universe of one stratum has at most the loss ln(formula(b, p)), 0 at b = 0: see `check_budget`.

    Args:
        formula: e^eps of b and p.
        rates: the swap rates p.
        last: the largest number of records.
        listed: the sentence on the laws, b and p that a certificate lists.
    """
    scope = f"every universe of one stratum with up to {last} records and four categories a side, p = {rates}"
    budget = lambda strata, rate: formula(size, rate) if (size := largest_stratum(strata)) else Fraction(1)
    universes = (lambda n: of_one_stratum(n, n, 4), range(1, last + 1), tuple(map(Fraction, rates.split())))
    found = found_by(check_budget, budget, *universes, scope)
    laws = kernels(scope, lambda: of_one_stratum(1, last, 4), rates)
    return replace(found, shown=lambda: [Sentence(text_of(listed), scope, laws.names, laws)]) if listed else found


_smallest_stratum = lambda strata, rate: (
    psa_loss(min(filter(None, (largest_stratum([margins]) for margins in strata)), default=0), rate).gamma
)
_two_strata = lambda records: (
    u for first in range(1, records // 2 + 1) for u in several_strata((first, records - first), 4)
)
strata_and_rates = cases(f"every universe of two strata with up to 3 records each, p = {_RATES}, product laws", "u p")(
    lambda: product(of_two_strata(3), map(Fraction, _RATES.split()))
)


def _joint_law(data: DataSet, rate: Fraction) -> Law[Any]:
    found: Law[Any] = point_mass(())
    for table in data:
        found = law.product(found, psa_law(table, rate)).push(lambda pair: (*pair[0], pair[1]))
    return found


def _weights(margins: Margins, rate: Fraction) -> Mapping[Table, Sequence[int]]:
    """The laws of a stratum's tables as integers: the probabilities times one number."""
    laws = {x: [joint.numeric(z) for z in kernel(margins, rate)] for x, joint in kernel(margins, rate).items()}
    common = lcm(*(q.denominator for row in laws.values() for q in row))
    return {x: [int(q * common) for q in row] for x, row in laws.items()}


def product_laws(strata: Universe, rate: Fraction) -> Witness | None:
    """Theorem 1 on two strata, from the product of their laws, and that the loss is the largest of the strata's."""
    budget = psa_loss(largest_stratum(strata), rate)
    first, second = (_weights(margins, rate) for margins in strata)
    points = list(product(first, second))
    weights = {x: [p * q for p, q in product(first[x[0]], second[x[1]])] for x in points}
    found = None
    for x, y in product(points, repeat=2):
        distance = sum(table_distance(t, u) or 0 for t, u in zip(x, y, strict=True))
        bound = (budget.gamma or 0) ** distance
        above = [p * bound.denominator > q * bound.numerator for p, q in zip(weights[x], weights[y], strict=True)]
        if any(above):
            laws, z = (_joint_law(x, rate), _joint_law(y, rate)), points[above.index(True)]
            found = event_witness(laws, [z], distance=distance, claimed=budget, x=x, x_prime=y)
            break
    if any(exceeds(stratum_loss(*margins, rate), budget.gamma) for margins in strata) != (found is not None):
        raise EngineError(f"the product laws on {strata} disagree with the strata's losses at p = {rate}")
    return found


def _swap_tables(strata: DataSet, source: Source, *, swap_rate: Fraction) -> SaturatedTable:
    """The PSA's program on a data set given as its strata's tables."""
    cells = [(m, h, s, n) for m, t in enumerate(strata) for h, row in enumerate(t) for s, n in enumerate(row)]
    records: list[SwapRecord] = [(m, h, s) for m, h, s, count in cells for _ in range(count)]
    return permutation_swapping(records, source, swap_rate=swap_rate)


_TWO_STRATA: Universe = (((1, 1), (1, 1)), ((2, 1), (1, 1, 1)))
_FLAVOR, _LARGEST = swapping_flavor(_TWO_STRATA), largest_stratum(_TWO_STRATA)
_of_the_program = lambda rate: f"the program permutation_swapping on the universe {_TWO_STRATA}, p = {rate}"
_program_laws = lambda rate: mechanism_laws(_swap_tables, _FLAVOR.domain, swap_rate=rate)


def from_the_program(rate: Fraction) -> Evidence:
    """Theorem 1 from Algorithm 1 itself, choice by choice, on a universe of two strata."""
    claimed = Specification.constant(_FLAVOR, psa_loss(_LARGEST, rate))
    return check_specification(_program_laws(rate), claimed, _of_the_program(rate))


def _by_the_program(rate: Fraction) -> Any:
    """The same, which comes down to the program's laws."""
    says = text_of(lambda laws, b, p: all_within(laws, psa_budget(b, p)))
    listed = lambda: Sentence(says, _of_the_program(rate), ("laws", "b", "p"), [(_program_laws(rate), _LARGEST, rate)])
    return replace(found_by(from_the_program, rate), shown=lambda: [listed()])


_SUBJECT_TO = "slides, Swapping satisfies DP, subject to its invariants"

state("psa.budget.theorem", "article, Theorem 1", "dissertation, Theorem 3.2.4", _SUBJECT_TO)(
    """Suppose that the PSA (Algorithm 1) permutes records at resolution r. Then it satisfies eps_D-DP(X, D_cSwap,
    d_HamS^r, D_Mult) with eps_D = 0 if b = 0; ln(b+1) - ln o if 0 < p <= sqrt(b+1)/(sqrt(b+1)+1) and b > 0; ln o if
    sqrt(b+1)/(sqrt(b+1)+1) <= p < 1 and b > 0; infinity if p in {0, 1} and b > 0, where o = p/(1-p).""",
    swept(lambda b, p: psa_loss(b, p).gamma),
    swept(lambda b, p: psa_loss(b, p).gamma, "0 1"),
    every(strata_and_rates, product_laws),
    _by_the_program(Fraction(1, 20)),
    _by_the_program(Fraction(3, 4)),
    theorem(*PROVING, within=PROVED_WITHIN),
    theorem(
        *("psa_exponential.psa_epsilon_dp", "psa_exponential.psa_budget_exponential"),
        within=f"exp and ln of the reals, p in a field inside them, as every rational p; {CATEGORIES}",
    ),
    theorem("psa_privacy.psa_no_mixed_stratum", within=f"b = 0, where P_x = P_x'; {CATEGORIES}"),
    mutant("b - 1 for b + 1", swept(lambda b, p: max(odds(p), (b - 1) / odds(p)))),
    mutant(
        "ln(b + 1) without - ln o at p < 1/2", swept(lambda b, p: max(odds(p), (b + 1) / max(odds(p), Fraction(1))))
    ),
    mutant(
        "the upper branch ln o below its threshold", swept(lambda b, p: odds(p) if 2 * p >= 1 else (b + 1) / odds(p))
    ),
    mutant("p for o", swept(lambda b, p: (b + 1) / p if odds(p) ** 2 <= b + 1 else Fraction(1))),
    mutant(
        "the smallest stratum for the largest",
        found_by(
            *(check_budget, _smallest_stratum, _two_strata, range(2, 8), (Fraction(1, 2),)),
            "every universe of two strata with up to 7 records in all and four categories a side, p = 1/2",
        ),
    ),
    reading="b is the size of the largest stratum that has two distinct records, 0 if there is none",
)

pairs_of_sizes = cases("0 <= b < c <= 12, neither 1; p = 0, 1/20, 1/2, 3/4, 19/20, 1", "b c p")(
    lambda: ((*pair, p) for pair in combinations((0, *range(2, 13)), 2) for p in map(Fraction, f"0 {_RATES} 1".split()))
)

state("psa.budget.monotone", *SECTION_3_3, "slides, Permutation Swapping")(
    "… the monotonic increase of eps_D with b …",
    query(
        "psa.budget.monotone",
        "all b < c, each 0 or at least 2, all p in (0, 1); at p in {0, 1} the budget is 0 at b = 0, else oo",
    ),
    every(pairs_of_sizes, lambda b, c, p: psa_budget(b, p) <= psa_budget(c, p)),
    mutant("strictly increasing", lambda b, c, p: psa_budget(b, p) < psa_budget(c, p)),
    theorem("psa_privacy.psa_budget_mono"),
    reading="eps_D of Theorem 1 at a fixed p does not decrease: above the threshold it is ln o for both",
)

enough_below_threshold = lambda laws, b, p: is_enough(laws, 1 if b == 0 else (b + 1) * (1 - p) / p)

state("psa.budget.sketch", "article, (8)", "dissertation, (3.5)", INTUITION)(
    """… for the case 0 < p <= 0.5 and b > 0 … we need to show, for fixed data sets x, x' and z in the same universe …,
    that the budget eps_D = ln(b+1) - ln o satisfies the inequality P[C([x_Hold, x_Swap^sigma]) = C(z)] <= exp(k eps_D)
    P[C([x'_Hold, x'_Swap^sigma']) = C(z)], where k = d_HamS^r(x, x').""",
    swept(lambda b, p: (b + 1) / odds(p), "1/20 1/4 1/2", 5, listed=enough_below_threshold),
    theorem("psa_privacy.psa_pure_dp_printed", within=f"{CATEGORIES}, sizes up to any N"),
    mutant("- ln o for ln(b + 1) - ln o", swept(lambda _, p: 1 / odds(p), "1/20 1/4 1/2", 5)),
)

composed_permutations = cases(
    "all permutations sigma and all derangements rho of k records, among up to 5 records, either order", "rho"
)(lambda: (rho for n in range(6) for rho in permutations(range(n))))

# K_sigma - k <= k_sigma' <= k_sigma + k for k = k_rho - slack, at least 0.
composed_moves_within = lambda rho, slack: all(
    abs(moved(g) - moved(sigma)) <= max(0, moved(rho) - slack)
    for sigma in permutations(range(len(rho)))
    for g in [permuted(sigma, rho), permuted(rho, sigma)]
)

state("psa.sketch.moved-records", "article, (9)", "dissertation, (3.6)", INTUITION)(
    """Hence, if k_sigma is the number of records deranged by sigma, we have k_sigma - k <= k_sigma' <= k_sigma + k.""",
    every(composed_permutations, composed_moves_within, slack=0),
    mutant("k - 1 for k", {"slack": 1}),
    theorem("psa_privacy.moved_change"),
    reading="for sigma' the composition, in either order, of sigma with a derangement rho of k records",
)

distinct_records = lambda x: sum(1 for t in x for row in t for n in row if n > 0)
_SMALL = "one stratum with up to 6 records and three categories a side, and of two with up to 3 each"
in_one_universe = cases(f"every universe of {_SMALL}: its first data set and every other", "x y")(
    lambda: (
        case
        for strata in (*of_one_stratum(1, 6, 3), *of_two_strata(3))
        for first, *others in [product(*(contingency_tables(*margins) for margins in strata))]
        for case in ((first, other) for other in (first, *others))
    )
)

reported_number = lambda report, x: largest_mixed(x) if report == "b" else distinct_records(x)


def reported(x: DataSet, y: DataSet, *, report: str) -> Witness | None:
    """Reporting a number that data sets have, beside the output, loses nothing more: it is the same for x and y."""
    if unless(lambda x, y: reported_number(report, x) == reported_number(report, y), x=x, y=y) is None:
        return None
    p, q = (_joint_law(data, Fraction(1, 3)) for data in (x, y))
    says = lambda x, y, p, q: (
        multiplicative(
            {(t, reported_number(report, x)): p[t] for t in p}, {(t, reported_number(report, y)): q[t] for t in q}
        )
        <= multiplicative(p, q)
    )
    return failure(says, x=x, y=y, p=p, q=q)


state("psa.budget.universe-function", "article, Remark 1", "dissertation, Remark 3.2.5")(
    """Since n_m.. is an invariant, n_m..^x = n_m..^x' for all x and x' in the same universe. Thus, b is a function of D
    and hence so is the … eps_D given in (7).""",
    every(in_one_universe, lambda x, y: largest_mixed(x) == largest_mixed(y)),
    mutant("the number of distinct records for b", lambda x, y: distinct_records(x) == distinct_records(y)),
    theorem("swapping.largest_stratum_universe", within=CATEGORIES),
)

state("psa.budget.reportable", "article, Remark 1", "dissertation, Remark 3.2.5")(
    """Even though it is a function of the realized … data x*, the value of eps can still be publicly reported under the
    PSA's DP specification without additional … loss.""",
    every(in_one_universe, reported, report="b"),
    mutant("the number of distinct records reported", {"report": "distinct records"}),
    reading="(output, eps) has the loss of the output alone on every universe; eps is a function of b and of p",
)
