"""What a specification asks of a mechanism: where it begins, the Lipschitz condition, normal forms, premetrics."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import ApproximateMultiplicative, OutputPremetric, total_variation
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import argued, cases, every, failure, misprint, mutant, own, settled, some, state, theorem
from stirred.verify.ledger.claims.specifications.words import (
    MEASURES,
    PURE,
    VARIATION,
    Budgets,
    Laws,
    bounds_of,
    keeps,
    keeps_on,
    made,
    measured,
    named,
    satisfied,
    within,
)
from stirred.verify.ledger.engines.small_domains import (
    DISTANCES,
    LAWS,
    LOSSES,
    Table,
    domain_of,
    kernels,
    multiverses,
    premetric_tables,
)
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import hamming_ordered, multiplicative, together
from stirred.verify.ledger.words import total_variation as total_variation_word

# what a specification asks of a mechanism: the Lipschitz condition, 0 x oo, the normal form, larger budgets

quotients = cases("laws on two and three outcomes, D_TV; d in {1/2, 1, 2}, eps in {0, 1/6, 1/3, 1/2, 1}", "p q d eps")(
    lambda: product(LAWS, LAWS, [Fraction(n, 2) for n in (1, 2, 4)], [Fraction(k, 6) for k in (0, 1, 2, 3, 6)])
)

quotient_within = lambda p, q, d, eps, power: (
    (total_variation_word(p, q) / d <= eps) == (total_variation_word(p, q) <= eps * d**power)
)

state("specification.lipschitz", "dissertation, (2.1)")(
    "D_Pr(P_x, P_x')/d_X(x, x') <= eps, or, more correctly, D_Pr(P_x, P_x') <= eps d_X(x, x'), for all x, x'",
    every(quotients, quotient_within, power=1),
    mutant("eps/d_X for eps d_X", {"power": -1}),
    reading="the two say the same where the quotient has a meaning, for 0 < d_X(x, x') < oo",
)

infinite = cases(
    "D_Mult, D_Mult^(1/4) and D_TV of 3 laws; d in {0, 1, 2, oo}; eps = 0, finite ones, oo; d or eps is oo",
    "measure p q eps d",
)(
    lambda: (
        (named(measure), p, q, budget, d)
        for measure in MEASURES
        for budgets in [(Fraction(0), Fraction(1, 3), None) if measure == VARIATION else LOSSES]
        for p, q, budget, d in product(LAWS[:3], LAWS[:3], budgets, DISTANCES)
        if d is None or budget in (None, INFINITE)
    )
)

zero_times_oo = lambda eps, d: (eps in (0, (1, 1)) and d == oo) or (eps == oo and d == 0)
within_or_product_is = lambda measure, p, q, product_is, eps, d: (
    within(measure, measured(measure, p, q), product_is, 1)
    if zero_times_oo(eps, d)
    else within(measure, measured(measure, p, q), eps, d)
)

state("specification.zero-times-infinity", "dissertation, Remark 2.4.6")(
    """To resolve the edge case where eps_D = 0 but d_X(x, x') = oo, we define 0 x oo = oo. This means DP never controls
    the difference between P_x and P_x' when d_X(x, x') = oo, even in the case of complete privacy (eps_D = 0).""",
    every(infinite, within_or_product_is, product_is=None),
    mutant("0 x oo = 0, as in measure theory", {"product_is": ZERO}),
    theorem("invariant_multiverse.infinite_asks_nothing"),
    reading="for the budget oo at distance 0 too; article, Appendix D (proof of Proposition 2), defines the same",
)

_PAIRS = tuple(permutations(range(3), 2))
_TABLES: tuple[Table, ...] = (
    dict.fromkeys(_PAIRS, 1),
    {(0, 1): 0, (1, 0): 1, (0, 2): None, (2, 0): 2, (1, 2): 1, (2, 1): None},
)

by_size = cases(
    "D_Mult, three data sets, all 256 multiverses, PLBs eps_D = f(|D|) with f = (0, ln 2, ln 4, oo) or reversed, a "
    "symmetric and an asymmetric premetric, all mechanisms with 6 laws up to relabelling",
    "d budgets",
)(
    lambda: (
        (d, {universe: LOSSES[::step][len(universe)] for universe in multiverse})
        for d, multiverse, step in product(_TABLES, multiverses(domain_of(3)), (1, -1))
    )
)

_KERNELS = tuple(kernels(domain_of(3)))

# the pairs of laws whose D_Mult is at most a bound
_within = cache(
    lambda bound: [(i, j) for i, p in enumerate(LAWS) for j, q in enumerate(LAWS) if PURE.distance(p, q) <= bound]
)
entry_of = lambda picked, d, budgets, x, y, most: (
    most
    if not together(budgets, x, y)
    else min(bounds_of(d, budgets, x, y))
    if picked == "min"
    else max(bounds_of(d, budgets, x, y))
)
kept_as_matrix = lambda picked, laws, d, budgets, most: (
    keeps("D_Mult", laws, d, budgets)
    == all(
        multiplicative(laws[x], laws[y]) <= entry_of(picked, d, budgets, x, y, most)
        for x in laws
        for y in laws
        if x != y
    )
)


def normal_form(
    d: Table, budgets: Budgets, *, pick: Callable[[list[Loss]], Loss] = min, empty: Loss = INFINITE
) -> Witness | None:
    """(1) on all universes is D_Pr <= C everywhere, with C(x, x') the least bound of a pair, oo where there is none."""
    bounds = {(x, y): [budget.times(d[x, y]) for u, budget in budgets.items() if {x, y} <= u] for x, y in _PAIRS}
    asked = [(x, y, _within(bound)) for (x, y), listed in bounds.items() for bound in listed]
    limits = [(x, y, _within(pick(listed) if listed else empty)) for (x, y), listed in bounds.items()]
    picked = pick.__name__
    case: dict[str, Any] = {"d": d, "budgets": budgets, "most": empty.gamma}
    for kernel in _KERNELS:
        kept, below = (all((kernel[x], kernel[y]) in near for x, y, near in some) for some in (asked, limits))
        if kept != below:
            kept_by_one = lambda laws, d, budgets, most: kept_as_matrix(picked, laws, d, budgets, most)
            return failure(kept_by_one, laws=made(kernel), **case)
    kept_by_all = lambda d, budgets, most, kernels, some: all(
        kept_as_matrix(picked, {x: some[i] for x, i in enumerate(k)}, d, budgets, most) for k in kernels
    )
    return settled(True, kept_by_all, lambda: {**case, "kernels": _KERNELS, "some": LAWS})


own("specification.normal-form", "article, Definition 1")(
    """On a finite domain a mechanism satisfies a specification iff D_Pr[P_x, P_x'] <= C(x, x') for all x, x', where
    C(x, x') = min{eps_D d_X(x, x') : D in the multiverse, x, x' in D} and the minimum of nothing is oo.""",
    every(by_size, normal_form),
    mutant("max for min", {"pick": max}),
    mutant("min of nothing is 0", {"empty": ZERO}),
    theorem(
        "specification.normal_form", "specification.normal_form_finite", "specification.constraint_matrix_attained"
    ),
    theorem("pure.pure_normal_form", within="D_Mult of laws on finite sets, d_X in N or oo"),
)

enlarged = cases(
    "D_Mult, two data sets, all multiverses of at most two universes, budgets eps_D <= eps'_D in {0, ln 2, oo}, all "
    "premetrics with values in {0, 1, oo}, all mechanisms with 3 laws",
    "laws d budgets larger",
)(
    lambda: (
        case
        for pairs in [[(a, b) for a, b in product((ZERO, Loss(Fraction(2)), INFINITE), repeat=2) if a <= b]]
        for mechanisms in [[dict(enumerate(laws)) for laws in product(LAWS[:3], repeat=2)]]
        for multiverse in (one for one in multiverses(domain_of(2)) if len(one) <= 2)
        for chosen in product(pairs, repeat=len(multiverse))
        for budgets, larger in [({u: pair[k] for u, pair in zip(multiverse, chosen, strict=True)} for k in (0, 1))]
        for case in product(mechanisms, premetric_tables(domain_of(2), (0, 1, None)), [budgets], [larger])
    )
)


def allows_more(laws: Laws, d: Table, budgets: Budgets, other: Budgets, *, reversed_: bool = False) -> Witness | None:
    """A mechanism that satisfies a budget satisfies every larger one."""
    budgets, other = (other, budgets) if reversed_ else (budgets, other)
    return settled(
        not satisfied(PURE, laws, d, budgets) or satisfied(PURE, laws, d, other),
        lambda laws, d, budgets, other: not keeps("D_Mult", laws, d, budgets) or keeps("D_Mult", laws, d, other),
        lambda: {"laws": laws, "d": d, "budgets": budgets, "other": other},
    )


state("specification.larger-budget", "dissertation, section 2.4.1")(
    """A larger budget allows for mechanisms with less intense protection; whereas a small budget corresponds to
    requiring a higher intensity of privacy protection.""",
    every(enlarged, allows_more),
    mutant("smaller for larger", {"reversed_": True}),
    theorem("specification.fewer_constraints"),
    reading="""every mechanism that satisfies a budget satisfies a larger one, universe by universe; section 2.2 says
    that smaller budgets correspond to a higher intensity of protection""",
)

# what is asked of output premetrics: 0 between equal laws, and oo between disjoint ones

_quarters = lambda outcomes: [
    Law({t: Fraction(part, 4) for t, part in enumerate(parts) if part})
    for parts in product(range(5), repeat=outcomes)
    if sum(parts) == 4
]
equal_laws = cases("D_Mult, D_Mult^(1/8), D_TV; all laws on three outcomes in quarters", "measure p")(
    lambda: product(("D_Mult", Fraction(1, 8), "D_TV"), _quarters(3))
)
zero = lambda measure, p, shift: measured(measure, p, {t + shift: p[t] for t in p}) == (0 if measure == "D_TV" else 1)

state("output-premetrics.zero-on-equal", "dissertation, Definition 2.4.16")(
    """A probability premetric D_Pr is a function P x P -> [0, oo] satisfying D_Pr(P, Q) = 0 if P = Q; and … Most
    distances and divergences encountered in statistics and probability theory (including the total variation distance,
    …) are probability premetrics.""",
    every(equal_laws, zero, shift=0),
    mutant("laws that are equal up to the names of outcomes", {"shift": 1}),
    reading="""that D_Mult, D_Mult^delta and the total variation distance are 0 between equal laws; all laws that are
    compared are on one measurable space, so that what is said of two spaces never applies""",
)

_INFINITE = (PURE, *(ApproximateMultiplicative(delta) for delta in (Fraction(0), Fraction(1, 4), Fraction(9, 10))))
_pairs = lambda shown, measures: cases(
    f"all pairs of laws on four outcomes with probabilities in quarters; {shown}", "measure p q"
)(lambda: product(measures, _quarters(4), _quarters(4)))


def far(measure: OutputPremetric, p: Law[int], q: Law[int], *, least: Fraction) -> Witness | None:
    """D_Pr(P, Q) = oo where the total variation distance is at least so much."""
    return settled(
        total_variation(p, q) < least or measure.distance(p, q) == measure.no_bound,
        lambda measure, p, q, least: total_variation_word(p, q) < least or measured(measure, p, q) == oo,
        lambda: {"measure": named(measure), "p": p, "q": q, "least": least},
    )


own("output-premetrics.infinite-when-disjoint", "article, Proposition 1")(
    """For laws on a finite set, D_Mult and D_Mult^delta (0 <= delta < 1) are infinite whenever the total variation
    distance is one.""",
    every(_pairs("D_Mult, D_Mult^(0), D_Mult^(1/4), D_Mult^(9/10)", _INFINITE), far, least=Fraction(1)),
    mutant("D_TV too", _pairs("D_TV", (VARIATION,))),
    mutant("at total variation 3/4 already", {"least": Fraction(3, 4)}),
    theorem("invariant_multiverse.mult_far", "invariant_multiverse.approximate_far"),
    reading='the article says that its assumption "is satisfied by most common choices of D_Pr"',
)

# where a mechanism begins: its random seed, and the data that it takes in after recording and before release

state("mechanism.uniform-seed", "dissertation, section A.1")(
    """Theoretically this is sufficient for most purposes, since such U can generate countably many independent
    real-valued random variables of arbitrary distributions.""",
    argued(
        "all countable families of distributions on the real line",
        proof="""The binary digits of U are independent fair bits: outside the countably many dyadic numbers the
            first n of them are given on an interval of length 2^-n. A bijection of N x N with N deals them out to
            countably many infinite sequences. U_k, the number with the k-th sequence as its digits, is uniform, and
            U_1, U_2, … are independent, as functions of disjoint sets of independent bits. For a distribution function
            F_k let X_k = inf{t : F_k(t) >= U_k} where 0 < U_k < 1, and 0 elsewhere. F_k is increasing and continuous
            from the right, so X_k <= t iff U_k <= F_k(t), which has probability F_k(t). Each X_k is a Borel function of
            U, and they are independent because the U_k are.""",
    ),
    reading="U is uniform on [0, 1] with the Borel sets, and the variables are Borel functions of U",
)

filled_in = lambda w: tuple(w[0] if r == "?" else r for r in w)
deduplicated = lambda w: tuple(r for i, r in enumerate(w) if r not in w[:i])
hammings_ordered = lambda points: {(x, y): hamming_ordered(x, y) for x in points for y in points}
worst_clean = lambda laws: max(
    [multiplicative(laws[x], laws[y]) for x in laws for y in laws if hamming_ordered(x, y) == 1]
)
worst_raw = lambda laws, raw: max(
    [multiplicative(laws[filled_in(w)], laws[filled_in(v)]) for w in raw for v in raw if hamming_ordered(w, v) == 1]
)

# randomized response on each of two records, which tells the truth with probability 2/3; a person who answers, and one
# with such an answer, or with none, which is ?
_ANSWERS, _RECORDED = list(product((0, 1), repeat=2)), list(product((0, 1), (0, 1, "?")))
_RESPONSES = {
    x: Law({t: Fraction(2 ** sum(a == b for a, b in zip(x, t, strict=True)), 9) for t in _ANSWERS}) for x in _ANSWERS
}
with_missing = cases(
    "randomized response for two persons, the second one may be missing and is imputed from the first", "laws w v"
)(lambda: product([_RESPONSES], _RECORDED, _RECORDED))
all_answering = cases("randomized response for two persons who answer", "laws w v")(
    lambda: product([_RESPONSES], _ANSWERS, _ANSWERS)
)

# the mechanism satisfies ln 2 for the clean data, and not for the data as they were recorded.
diluted = lambda w, v, laws: (
    hamming_ordered(w, v) == 1
    and multiplicative(laws[filled_in(w)], laws[filled_in(v)]) > 2
    and keeps_on("D_Mult", laws, hammings_ordered(laws), set(laws), (2, 1))
)

counted = cases(
    "the number of records of two persons after deduplication, under the Hamming distance of bounded DP", "w v"
)(lambda: product(_ANSWERS, repeat=2))

nothing_is_deduplicated = lambda w, v: (
    hamming_ordered(w, v) == 1
    and hamming_ordered(tuple(w), tuple(v)) == oo
    and multiplicative({len(tuple(w)): 1 for i in (0,)}, {len(tuple(v)): 1 for i in (0,)}) == oo
)
boundary_upstream = lambda w, v: (
    hamming_ordered(w, v) == 1
    and hamming_ordered(deduplicated(w), deduplicated(v)) == oo
    and multiplicative({len(deduplicated(w)): 1 for i in (0,)}, {len(deduplicated(v)): 1 for i in (0,)}) == oo
)

state("domain.boundary-upstream", "dissertation, section 2.4.2")(
    """moving this boundary upstream – by re-categorizing data-recording steps as data-processing – can dilute, or even
    invalidate, the DP guarantee""",
    some(with_missing, diluted),
    mutant("nothing is missing", all_answering),
    some(counted, boundary_upstream),
    mutant("nothing is deduplicated", nothing_is_deduplicated),
    reading="""for one person's record at a time; the steps are the imputation and the deduplication that the section
    names""",
)

state("domain.no-guarantee-elsewhere", "dissertation, section 2.4.2")(
    """While the Lipschitz condition (2.3) holds for data at the recording-processing boundary whenever the data-release
    mechanism is DP, there is no guarantee that this condition holds for data elsewhere in the data life cycle. In fact,
    there are simple examples which illustrate that, without additional assumptions on the data life cycle, a DP
    mechanism does not ensure that the Lipschitz condition (2.3) holds for data upstream …: … neither will data which is
    upstream of steps that impact a query's sensitivity, such as data-dependent clipping … or imputation""",
    some(with_missing, diluted),
    mutant("nothing is missing", all_answering),
)

imputation = cases("randomized response for two persons, the second one imputed from the first", "laws raw")(
    lambda: [(_RESPONSES, _RECORDED)]
)
all_answer = cases("randomized response for two persons who answer", "laws raw")(lambda: [(_RESPONSES, _ANSWERS)])

state("domain.downstream-weaker", "dissertation, section 2.4.2")(
    """That is to say, data downstream of these pre-processing steps will have weaker (or no) privacy guarantees than
    data upstream; or equivalently, moving these steps from the data-recording phase to the data-processing phase would
    require additional noise to be added in order to maintain the same level of privacy protection.""",
    every(imputation, lambda laws, raw: worst_clean(laws) > worst_raw(laws, raw)),
    reading="the losses of one mechanism, which takes in the data after the step, for the data after it and before it",
    grade=misprint("upstream and downstream are exchanged, as the second half of the sentence shows"),
)

own("domain.upstream-weaker", "dissertation, section 2.4.2")(
    "Data upstream of such a pre-processing step can have weaker privacy guarantees than data downstream of it.",
    every(imputation, lambda laws, raw: worst_clean(laws) < worst_raw(laws, raw)),
    mutant("nothing is missing", all_answer),
    repairs="domain.downstream-weaker",
)
