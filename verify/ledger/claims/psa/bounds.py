"""Lower bounds on the PSA's budget: Theorem 3, Propositions 6 to 10, f(b) of Theorem 4 (article, Appendix F)."""

from fractions import Fraction
from itertools import accumulate, combinations_with_replacement, permutations
from math import factorial

from stirred.mechanisms.swapping.permutation_counts import derangements, likelihood, moved_counts
from stirred.spec.blocks.tables import Table, column_margins, contingency_tables, margins_of_size, row_margins
from stirred.spec.flavors.permutation_swapping import Margins, odds
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness, formula_witness
from stirred.verify.ledger import (
    cases,
    every,
    failure,
    incomplete,
    misprint,
    mutant,
    own,
    query,
    settled,
    some,
    state,
    theorem,
)
from stirred.verify.ledger.claims.psa.cases import (
    CATEGORIES,
    THEOREM_4,
    appendix,
    changed_query,
    kernel,
    kernels,
    needed,
    of_one_stratum,
    unbounded,
)
from stirred.verify.ledger.claims.psa.swap_rate import swapped_by
from stirred.verify.ledger.engines.budget_sweep import stratum_loss
from stirred.verify.ledger.engines.disjoint_tables import disjoint_pair, shifted_pair
from stirred.verify.ledger.language_names import exp, get, ln
from stirred.verify.ledger.words import column_margins as column_margins_word
from stirred.verify.ledger.words import count, hamming, moved, same_records, table_distance
from stirred.verify.ledger.words import row_margins as row_margins_word

# lower bounds on the PSA's budget: Theorem 3, Propositions 6 to 10, and f(b) of Theorem 4 (article, Appendix F)

# whether all permutations from x to z move k records: at least their distance, and none that is alone and stays
is_alone = lambda x, z, h, s: x[h][s] == 1 == z[h][s] and sum(x[h]) == 1 and sum(row[s] for row in x) == 1
all_move = lambda x, z, k: (
    row_margins_word(x) == row_margins_word(z)
    and column_margins_word(x) == column_margins_word(z)
    and k
    == table_distance(x, z)
    == sum(sum(row) for row in x) - sum(1 for h in range(len(x)) for s in range(len(x[h])) if is_alone(x, z, h, s))
)

TablePair = tuple[Table, Table]
with_two_tables = cases(
    "every universe of one stratum with two tables, up to 6 records and four categories a side", "universe"
)(lambda: (u for (u,) in of_one_stratum(2, 6, 4) if len(contingency_tables(*u)) > 1))
with_units = cases(
    "every universe of one stratum with two unit rows and columns, up to 5 records, five categories", "universe"
)(lambda: (u for (u,) in of_one_stratum(2, 5, 5) if all(side.count(1) >= 2 for side in u)))


def no_finite_budget(universe: Margins, *, rate: Fraction) -> Witness | None:
    """The PSA satisfies no finite budget on the universe."""
    loss = stratum_loss(*universe, rate)
    return settled(loss.is_infinite, lambda laws: unbounded(laws), lambda: {"laws": kernel(universe, rate)})


state("psa.no-swapping", "article, Proposition 6", "dissertation, Proposition 2")(
    """Suppose p = 0 and |H|, |S| >= 2. Then there exists D_0 … such that C(x) != C(x') for some x, x' in D_0. Hence,
    the PSA does not satisfy eps_D-DP(X_x, D_cSwap, d_HamS^r, D_Mult) for any finite eps_D0 and any such D_0.""",
    every(with_two_tables, no_finite_budget, rate=Fraction(0)),
    mutant("p = 1/2", {"rate": Fraction(1, 2)}),
    theorem("optimality.swap_rate0_no_budget", "optimality_universes.swap_rate0_universe", within=CATEGORIES),
)

state("psa.full-swapping", "article, Proposition 7", "dissertation, Proposition 3")(
    """Suppose p = 1 and |H|, |S| >= 2. Then there exists D_0 … with n_m0h0 = n_m0h0' = n_m0s0 = n_m0s0' = 1 for some m0
    …, h0 != h0' …, and s0 != s0' … . Hence the PSA does not satisfy eps_D-DP(X_x, D_cSwap, d_HamS^r, D_Mult) for any
    finite eps_D0 and any such D_0.""",
    every(with_units, no_finite_budget, rate=Fraction(1)),
    mutant("p = 1/2 for p = 1", {"rate": Fraction(1, 2)}),
    theorem("optimality.swap_rate1_no_budget", "optimality_universes.swap_rate1_universe", within=CATEGORIES),
)

with_unit_records = cases(f"{with_units.scope}, every x with the two unit records and x' with the two swapped", "x y")(
    lambda: (
        _with_units(rest, len(columns) - 2)
        for ((rows, columns),) in with_units
        for rest in (contingency_tables(rows[:-2], columns[:-2]) if len(rows) > 2 else ((),))
    )
)
# a table with two more unit rows and columns, in both ways of filling them
_with_units = lambda rest, width: tuple(
    (*((*row, 0, 0) for row in rest), (*(0,) * width, *one), (*(0,) * width, *other))
    for one, other in (((1, 0), (0, 1)), ((0, 1), (1, 0)))
)


def cannot_stay(x: Table, y: Table, *, swapped_alone: bool, rate: Fraction = Fraction(1)) -> Witness | None:
    """P_x(x) = 0 < P_y(x) for the y with the two records swapped alone, or for some y of the universe."""
    universe = row_margins(x), column_margins(x)
    others = (y,) if swapped_alone else contingency_tables(*universe)
    return settled(
        likelihood(x, x, rate) == 0 and any(likelihood(other, x, rate) for other in others),
        lambda laws, x: get(laws[x], x, 0) == 0 and any(get(laws[y], x, 0) > 0 for y in laws),
        lambda: {"laws": {t: kernel(universe, rate)[t] for t in (sorted((x, y)) if swapped_alone else others)}, "x": x},
    )


state("psa.full-swapping.proof-step", *appendix("F", "proof of Proposition 7", "proof of Proposition 3"))(
    """Since no records can be fixed by sigma when p = 1, we have … P_x(C(sigma(x)) = C(x)) = 0 but P_x(C(sigma(x')) =
    C(x)) > 0.""",
    every(with_unit_records, cannot_stay, swapped_alone=True),
    reading="P_x' for the second P_x; x and x' differ by a single swap between (m0, h0, s0) and (m0, h0', s0')",
    grade=incomplete("that the others can move and give the same table; a step at whose edge the conclusion holds"),
    refuted_by=["optimality_refuted.swap_rate1_leaves_table_refuted"],
)

own("psa.full-swapping.some-input", "article, Appendix F (proof of Proposition 7)")(
    """For p = 1, any D_0 as in Proposition 7, and x in D_0 with the records (m0, h0, s0) and (m0, h0', s0'):
    P_x(C(sigma(x)) = C(x)) = 0 but P_x'(C(sigma(x')) = C(x)) > 0 for some x' in D_0.""",
    every(with_unit_records, cannot_stay, swapped_alone=False),
    mutant("p = 1/2", {"rate": Fraction(1, 2)}),
    theorem("optimality.swap_rate1_leaves_table", within=CATEGORIES),
    repairs="psa.full-swapping.proof-step",
)


def _exact_power(start: Table, other: Table, z: Table, near: int, far: int) -> bool:
    """Whether P_start(z)/P_other(z) is o^(k-l) d(l)/d(k) for all p: all permutations move k, and l, equally many.

    They are equally many because a table is reached from all tables of its margins in equally many ways.
    """
    first, second = moved_counts(start, z), moved_counts(other, z)
    if is_so := first[near] == second[far] == sum(first) == sum(second) > 0:
        settled(
            True,
            lambda x, y, z, k, l: all_move(x, z, k) and all_move(y, z, l) and table_distance(x, y) == 2,
            lambda: {"x": start, "y": other, "z": z, "k": near, "l": far},
        )
    return is_so


_UNITS = "records with all margins 1, all p in (0, 1) at once"
_units = lambda first, last: cases(f"one stratum of {first} to {last} {_UNITS}", "n")(lambda: range(first, last + 1))


def odds_needed(n: int, *, power: int) -> Witness | None:
    """Eps >= power*ln o on the universe of n records with all margins 1.

    For all p by counting where the power is 1 or -1: P_x'(x)/P_x(x) = o^2 for an x' at distance 2; else by the exact
    loss at a rate where that settles it.
    """
    x = tuple(tuple(int(i == j) for j in range(n)) for i in range(n))
    if abs(power) == 1 and _exact_power((x[1], x[0], *x[2:]), x, x, 2, 0):
        return None
    universe, rate = ((1,) * n, (1,) * n), Fraction(3, 4) if power > 0 else Fraction(1, 4)
    loss = stratum_loss(*universe, rate)
    if loss.gamma is None or loss.gamma >= odds(rate) ** (power * loss.distance):
        raise EngineError(f"neither counting nor the loss at p = {rate} settles {n} records")
    return failure(
        lambda laws, p, power: needed(laws, (p / (1 - p)) ** power), laws=kernel(universe, rate), p=rate, power=power
    )


state("psa.unit-margins", "article, Proposition 8", "dissertation, Proposition 4")(
    """Suppose that 0 < p < 1 and |H|, |S| >= 2. Then there exists D_0 … and m0 … such that n_m0 >= 2 and n_m0h, n_m0s
    in {0, 1} for all h … and s … . A necessary condition for the PSA to satisfy eps_D-DP(X_x, D_cSwap, d_HamS^hh,
    D_Mult) is that eps_D0 >= ln o for any such D_0.""",
    every(_units(2, 10), odds_needed, power=1),
    mutant("2 ln o for ln o", {"power": 2}),
    theorem("optimality.unit_margins_bound", "optimality_universes.unit_margins_universe", within=CATEGORIES),
)

# the universes with (18) and (19), and two disjoint tables on the margins left, where there are some
_unit_pairs = lambda scope, last, disjoint: cases(f"{scope} records; all p in (0, 1) at once", "universe rest")(
    lambda: (
        ((rows, columns), rest)
        for b in range(4, last + 1)
        for sides in [[side for side in margins_of_size(b, b) if 2 * max(side) <= b - 2 and side.count(1) >= 2]]
        for rows, columns in combinations_with_replacement(sides, 2)
        for rest in [disjoint_pair(rows[:-2], columns[:-2])]
        if rest is not None or not disjoint
    )
)
with_unit_pairs = _unit_pairs("every universe of one stratum with (18) and (19) and up to 8", 8, False)
with_disjoint_tables = _unit_pairs("one stratum with (18), (19) and the added hypothesis, 4 to 9", 9, True)


def pair_bound(universe: Margins, rest: TablePair | None) -> Witness | None:
    """Eps >= 0.5 ln[d(b)/d(b-2)] - ln o: for all p by the proof's triple, else by the exact loss at p = 1/2."""
    b, rate = sum(universe[0]), Fraction(1, 2)
    if rest is not None and has_ratio_20(rest):
        return None
    loss = stratum_loss(*universe, rate)
    needed = Fraction(derangements(b), derangements(b - 2)) / odds(rate) ** 2
    if loss.gamma is None or loss.gamma**2 >= needed**loss.distance:
        raise EngineError(f"neither the proof's triple nor the loss at 1/2 settles the margins {universe}")
    claimed = "gamma**2 >= (derangements(b)/derangements(b - 2)*((1 - p)/p)**2)**d"
    note = f"margins {universe}: gamma is the exact e^(d eps) of the universe"
    return formula_witness(claimed, note=note, gamma=loss.gamma, d=loss.distance, b=b, p=rate)


def has_ratio_20(rest: TablePair) -> bool:
    """Whether x, x' and z of the proof of Proposition 9, built on a pair of tables, have the ratio (20) for all p."""
    size = sum(map(sum, rest[0]))
    return _exact_power(*_triple(*rest), size, size + 2)


_filled = lambda table, way: _with_units(table, len(table[0]))[way]
_triple = lambda first, second: (_filled(first, 0), _filled(first, 1), _filled(second, 0))


def extreme_triple(b: int) -> tuple[Table, Table, Table]:
    """X, x' and z with the ratio (20) for all p, with margins (m, m, 1, 1) or (m, m, 1, 1, 1) on both sides."""
    margins = ((b - 2) // 2,) * 2 + (1,) * (b % 2)
    rest = shifted_pair(margins, margins)
    if rest is None or not has_ratio_20(rest):
        raise EngineError(f"the proof's triple was not found at b = {b}")
    return _triple(*rest)


state("psa.unit-pair.printed", "article, Proposition 9", "dissertation, Proposition 5")(
    """Suppose that 0 < p < 1 and |H|, |S| >= 4. Then there exists D_0 … that has the following properties: (18) max_h
    n_m0h <= b/2 - 1 and max_s n_m0s <= b/2 - 1, for some m0 … with n_m0 = b, and there exists h1 != h2 … and s1 != s2 …
    such that (19) n_m0h1 = n_m0h2 = n_m0s1 = n_m0s2 = 1. A necessary condition for the PSA to satisfy eps_D-DP(X_x,
    D_cSwap, d_HamS^r, D_Mult) is that eps_D0 >= 0.5 ln[d(b)/d(b-2)] - ln(o), for any D_0 satisfying the above
    properties.""",
    every(with_unit_pairs, pair_bound),
    grade=incomplete("that the margins left have two disjoint tables, as those of the universes for Theorem 4 have"),
    refuted_by=["optimality_refuted.unit_pair_bound_refuted"],
)

_sides = lambda categories: cases(
    f"the margins of {categories} categories with up to 8 records, taken on both sides", "side"
)(lambda: (side for b in range(2, 9) for side in margins_of_size(b, categories) if len(side) == categories))

state("psa.unit-pair.exists", "article, Proposition 9", "dissertation, Proposition 5")(
    """Suppose that … |H|, |S| >= 4. Then there exists D_0 … that has the following properties: (18) … and … (19) …
    .""",
    some(_sides(4), lambda side: 2 * max(side) <= sum(side) - 2 and count(side, 1) >= 2),
    mutant("three categories for four", _sides(3)),
    theorem("optimality_universes.unit_pair_universe", within=CATEGORIES),
)

own("psa.unit-pair", "article, Proposition 9")(
    """eps_D_0 >= 0.5 ln[d(n_m0)/d(n_m0 - 2)] - ln o for 0 < p < 1 and any D_0 with (19) such that the margins of
    stratum m0 without h1, h2, s1 and s2 have two tables with no occupied cell in common.""",
    every(with_disjoint_tables, pair_bound),
    mutant("without the added hypothesis", with_unit_pairs),
    theorem("optimality.unit_pair_bound", within=CATEGORIES),
    theorem("optimality.unit_pair_bound_distinct", within=f"(18), and n_m0s <= 1 for every s; {CATEGORIES}"),
    repairs="psa.unit-pair.printed",
)

state("psa.two-records", "article, Proposition 10", "dissertation, Proposition 6")(
    """Suppose that 0 < p <= 0.5 and |H|, |S| >= 2. Then there exists D_0 … such that b = 2 and n_m0h1 = n_m0h2 =
    n_m0s1 = n_m0s2 = 1, for some m0 … with n_m0 = b and some h1 != h2 and s1 != s2. A necessary condition for the
    PSA to satisfy eps_D-DP(X_x, D_cSwap, d_HamS^r, D_Mult) is that eps_D0 >= 0.5 ln[d(b)/d(b-2)] - ln(o), for any
    such D_0.""",
    every(_units(2, 2), odds_needed, power=-1, verdict=Verdict.DECIDED),
    mutant("twice the bound", {"power": -2}),
    theorem("optimality.two_records_bound", "optimality_universes.two_records_universe", within=CATEGORIES),
    reading="d(2)/d(0) = 1, so the bound is -ln o",
)

_TWO_RECORDS = "universes of one stratum of two records"
of_two_records = cases(_TWO_RECORDS, "universe")(lambda: (universe for (universe,) in of_one_stratum(2, 2, 2)))
_at_rate = lambda rate: kernels(f"{_TWO_RECORDS}, p = {rate}", lambda: of_one_stratum(2, 2, 2), rate)

state("psa.optimality.lower-bounds", "article, Theorem 3", "dissertation, Theorem B.4.1")(
    """Assume that |H|, |S| >= 2 … . Suppose that the PSA satisfies eps_D-DP(X_x, D_cSwap, d_HamS^r, D_Mult). Then: (A)
    If p in {0, 1}, then there exists a universe D_0 … such that eps_D0 = infinity. (B) If 0 < p < 1, then there exists
    a universe D_0 … such that eps_D0 >= ln o. (C) If 0 < p < 1, then there exists a universe D_0 … such that eps_D0 >=
    0.5 ln[d(b)/d(b-2)] - ln(o).""",
    *(some(of_two_records, no_finite_budget, rate=Fraction(end)) for end in (0, 1)),
    *(every(_units(2, 2), odds_needed, power=power, verdict=Verdict.DECIDED) for power in (1, -1)),
    theorem("optimality_universes.lower_bounds_universe", within=CATEGORIES),
    mutant("every universe for some universe in (A)", every(of_two_records, no_finite_budget, rate=Fraction(0))),
    mutant(
        "every universe for some universe in (B)", every(_at_rate("3/4"), lambda p, laws: needed(laws, p / (1 - p)))
    ),
    mutant(
        "every universe for some universe in (C), with - ln o where b = 0",
        every(_at_rate("1/4"), lambda p, laws: needed(laws, (1 - p) / p)),
    ),
)

# the steps of the proofs of the lower bounds in the article's Appendix F: Proposition 9 and the end of Theorem 4

_records = lambda table, shift: (
    (h + shift, s + shift) for h, row in enumerate(table) for s, n in enumerate(row) for _ in range(n)
)
# two records, and the rest with categories from this one on; what they are swapped to in x, and in x'
_stratum = lambda shift: cases(f"2 to 4 records besides the first two, categories from {shift} on", "x y z")(
    lambda: (
        (((0, 0), (1, 1), *x), ((0, 1), (1, 0), *x), ((0, 0), (1, 1), *z))
        for side in ((1, 1), (1, 1, 1), (2, 2), (2, 1, 1))
        for pair in [disjoint_pair(side, side)]
        if pair is not None
        for x, z in [[tuple(_records(table, shift)) for table in pair]]
    )
)
sizes_moved_to = lambda x, z: [moved(g) for g in permutations(range(len(x))) if same_records(swapped_by(x, g), z)]
moves_of_triple = lambda x, z, fixed, y: (
    set(sizes_moved_to(x, z)) == {len(x) - fixed}
    and set(sizes_moved_to(y, z)) == {len(x)}
    and len(sizes_moved_to(x, z)) == len(sizes_moved_to(y, z))
    and hamming(x, y) == 2
    and hamming(x, z) == len(x) - 2
    and hamming(y, z) == len(x)
)

state("psa.unit-pair.steps", *appendix("F", "proof of Proposition 9", "proof of Proposition 5"))(
    """We know that d_HamS(z, z') = 0 and d_HamS(x', z) = b. Then using the triangle inequality (twice, once for <= and
    once for >=), d_HamS(x', z') = b. Lemma 7 implies that k_g = b for all g in G_x'->z'. By the same reasoning,
    d_HamS(x, z') = b - 2. This implies k_g >= b - 2 for all g in G_x->z' by Lemma 7. We now show that, in fact, k_g = b
    - 2. By construction, n_m0h1s1^x = n_m0h2s2^x = 1 and n_m0h1s^x = n_m0h2s^x = n_m0hs1^x = n_m0hs2^x = 0, for all h
    not in {h1, h2} and s not in {s1, s2}. These equations also hold for z and hence also for z'. Thus, all g in G_x->z'
    must fix the first two records and hence k_g <= b - 2.""",
    every(_stratum(2), moves_of_triple, fixed=2),
    mutant("k_g = b - 1", {"fixed": 1}),
    mutant("without (19): the first two records share categories with others", _stratum(0)),
    reading="""over all orders z' of z at once; for x and z that Lemma 8 is to give, which exist where the rest of the
    stratum has two tables without a common cell (swapping.disjoint-tables)""",
)

first_factor = lambda b: (b + 1) ** 2 / (b * (b - 1))
second_factor = lambda b, e: (1 + e / (2 * factorial(b - 2))) / (1 - e / (2 * factorial(b)))

_sizes = cases("2 <= b <= 40; e from below and above, by its series to 60 terms", "b e f")(
    lambda: (
        (b, below, below + Fraction(2, factorial))
        for *_, factorial in [accumulate(range(1, 61), lambda a, k: a * k)]
        for terms in [accumulate(range(60), lambda a, k: a / (k + 1), initial=Fraction(1))]
        for below in [sum(terms, Fraction())]
        for b in range(2, 41)
    )
)

ratio_squared_within = lambda b, bound: (b + 1) ** 2 * derangements(b - 2) / derangements(b) <= bound
_SOURCES = appendix("F", "proof of Theorem 4", "proof of Theorem B.4.2")

own("optimality.bound-function.second-line", *_SOURCES)(
    "For b >= 2, ln(b+1) - (1/2) ln[d(b)/d(b-2)] <= f(b), although d(0) is not floor(0!/e + 1/2).",
    every(_sizes, lambda b, e: ratio_squared_within(b, first_factor(b) * second_factor(b, e))),
    mutant("without the second term", lambda b: ratio_squared_within(b, first_factor(b))),
)

falling = lambda b, f, e, limit: (
    first_factor(b + 1) < first_factor(b)
    and first_factor(b + 1) > 1
    and second_factor(b + 1, f) < second_factor(b, e)
    and second_factor(b + 1, e) > 1
    and first_factor(b) * second_factor(b, e) > limit
)

state("optimality.bound-function.steps", *_SOURCES)(
    """The second term inside the logarithm (1 + e/(2(b-2)!))/(1 - e/(2b!)) has a numerator that decreases with b and a
    denominator that increases. Hence this term is monotonically decreasing. The first term inside the logarithm
    (b+1)^2/(b(b-1)) has negative first derivative and hence is also decreasing. Therefore, f(b) is monotonically
    decreasing. Moveover, f(b) is positive and converges to zero because both terms inside the logarithm are greater
    than one and converge to one.""",
    every(_sizes, falling, limit=1),
    mutant("(b+1)^2/(b(b-1)) f above 2 for above 1", {"limit": 2}),
    reading="for integers b >= 2; that they converge is optimality.bound-function-limit",
)

# f(b) of Theorem 4, which bounds how far eps^(1) is from the smallest budget (article, Appendix F)

# e^(2 f(b)), and f(b)
square_bound = lambda b: (
    (b + 1) ** 2 / (b * (b - 1)) * (1 + exp(1) / (2 * factorial(b - 2))) / (1 - exp(1) / (2 * factorial(b)))
)
bound_f = lambda b: ln(square_bound(b)) / 2

_FUNCTION = (
    "optimality.bound-function",
    "all integers b >= 2: with z = e/(2 (b-2)!) any real z in (0, 1.4), any real b >= 2",
)

state("optimality.bound-function", *THEOREM_4)(
    """f(b) = (1/2) ln[ (b+1)^2/(b(b-1)) (1 + e/(2(b-2)!))/(1 - e/(2b!)) ], is a positive, monotonically decreasing
    function for b >= 2 …""",
    query(*_FUNCTION),
    mutant(
        "f(b) > ln(1.5)/2",
        changed_query(
            *(_FUNCTION, "(b + 1)**2*(1 + z)/(b*(b - 1) - z) > 3/2", "z = e/(2 (b-2)!)", "(> g 1)", "(> g 1.5)")
        ),
    ),
)

# e^(2 f(b)) in the names of the query: e for Euler's number, u for (b-2)!
_SQUARE = "(b + 1)**2/(b*(b - 1))*(1 + e/(2*u))/(1 - e/(2*b*(b - 1)*u))"
_LIMIT = (
    "optimality.bound-function-limit",
    "all integers b >= 7: f(b) <= (g(b) - 1)/2 <= 4/b, by induction on b for (b-2)! >= b^2; any e in (2.7, 2.8)",
)

state("optimality.bound-function-limit", *THEOREM_4)(
    "f(b) … converges to zero …",
    query(*_LIMIT),
    mutant("f(b) <= 1/b", changed_query(_LIMIT, f"b*({_SQUARE} - 1) <= 2", "u = (b-2)!", "(- g 1)) 8)", "(- g 1)) 2)")),
    reading="as b grows; f(b) <= 4/b from b = 7 is shown",
)

_at = lambda scope, bounds: every(
    cases(scope, "b bound")(lambda: bounds.items()), lambda b, bound: bound_f(b) <= bound, verdict=Verdict.ENCLOSED
)
_AT_TEN = _at("b = 10", {10: Fraction("0.148")})

state("optimality.bound-value.printed", *THEOREM_4)(
    "… and satisfies, for example, f(b) <= 0.148 for all b >= 10.",
    _AT_TEN,
    grade=misprint("f(10) is 0.148007…, rounded"),
)

own("optimality.bound-value", "article, Theorem 4")(
    "f(b) <= 0.149 for all b >= 10, and f(b) <= 0.148 for all b >= 11.",
    _at("b = 10 and b = 11; f decreases (optimality.bound-function)", {10: Fraction("0.149"), 11: Fraction("0.148")}),
    mutant("0.148 at b = 10", _AT_TEN),
    repairs="optimality.bound-value.printed",
)
