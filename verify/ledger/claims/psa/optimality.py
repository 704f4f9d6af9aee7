"""How close Theorem 1's budget eps^(1) is to the smallest one, eps^(inf): Theorem 4, and notions of tightness."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

from stirred.mechanisms.swapping.permutation_counts import derangements, psa_law
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import hamming_of_tables
from stirred.spec.blocks.multiverse import Universe, induced
from stirred.spec.blocks.specification import Flavor, Specification
from stirred.spec.blocks.tables import column_margins, contingency_tables, row_margins
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import Margins, largest_stratum
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.engines.exhaustive import check_specification
from stirred.verify.engines.swapping.loss import representatives
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import (
    Sentence,
    argued,
    cases,
    every,
    failure,
    found_by,
    mutant,
    own,
    some,
    state,
    theorem,
    unless,
)
from stirred.verify.ledger.claims.psa.bounds import bound_f, extreme_triple, square_bound
from stirred.verify.ledger.claims.psa.cases import (
    AFTER_THEOREM_4,
    CATEGORIES,
    THEOREM_4,
    Laws,
    appendix,
    is_enough,
    kernel,
    kernels,
    largest_mixed,
    needed,
    needs,
    no_more,
    of_one_stratum,
    psa_budget,
)
from stirred.verify.ledger.engines.budget_sweep import stratum_loss
from stirred.verify.ledger.functions import text_of
from stirred.verify.ledger.language_names import get, ln
from stirred.verify.ledger.words import multiplicative, outcomes, table_distance

# whether eps^(1) - ln(ratio)/d is at most what Theorem 4 says
near = lambda b, p, ratio, d: (
    psa_budget(b, p) ** d <= ratio
    or (0 < p < 1 and b > 0 and (p / (1 - p)) ** 2 < b + 1 and ln(psa_budget(b, p)) - ln(ratio) / d <= bound_f(b))
)
near_somewhere = lambda b, p, laws: near(b, p, 1, 1) or any(near(b, p, ratio, d) for ratio, d in needs(laws))

# whether the budget ln(gamma)/root is the smallest one of a universe
is_smallest = lambda laws, gamma, root: (
    all(ratio**root <= gamma**d for ratio, d in needs(laws))
    and (gamma == 1 or any(ratio**root == gamma**d for ratio, d in needs(laws)))
)

# for all x, x' and z; for all x and x'; for some x and x' that differ
tight_output = lambda laws, gamma: all(
    laws[x][z] == laws[y][z] * gamma ** table_distance(x, y) for x in laws for y in laws for z in laws
)
tight_data = lambda laws, gamma: all(
    multiplicative(laws[x], laws[y]) == gamma ** table_distance(x, y) for x in laws for y in laws
)
tight_universe = lambda laws, gamma: any(
    multiplicative(laws[x], laws[y]) == gamma ** table_distance(x, y) for x in laws for y in laws if x != y
)

_PAIR: Margins = ((1, 1), (1, 1))
_ALONE: Margins = ((1,), (1,))
_HALF = Fraction(1, 2)
_TOGETHER = "all 2 by 2 tables with 1 to 4 records, their margins invariant, p = 1/20"


def _own_budgets(root: int) -> tuple[Specification, Laws]:
    """The flavor on many universes with each one's own smallest budget, divided by root; the laws of all tables."""
    rate = Fraction(1, 20)
    cells = product(range(5), repeat=4)
    points = tuple(((a, b), (c, d)) for a, b, c, d in cells if 1 <= a + b + c + d <= 4)
    domain = FiniteDomain(points, "two-way tables")
    multiverse = induced(domain, row_margins, column_margins)
    flavor = Flavor(domain, multiverse, hamming_of_tables("record"), Multiplicative())
    budgets: dict[Universe, Loss] = {}
    for universe in multiverse:
        table = min(universe)
        loss = stratum_loss(row_margins(table), column_margins(table), rate)
        budgets[universe] = Loss(loss.gamma, loss.distance * root)
    return Specification(flavor, budgets), {point: psa_law(point, rate) for point in points}


def together(*, root: int) -> Evidence:
    """Whether the PSA satisfies the flavor on many universes with each one's own smallest budget, divided by root."""
    specification, laws = _own_budgets(root)
    return check_specification(laws, specification, _TOGETHER)


def _needed_and_enough() -> list[Sentence]:
    """That the smallest budget of each universe is needed by a pair, if there are two tables, and enough for all."""
    specification, laws = _own_budgets(1)
    found = ((u, loss.gamma, loss.distance) for u, loss in specification.budgets.items())
    listed = [({x: laws[x] for x in sorted(universe)}, *loss) for universe, *loss in found]
    return [Sentence(text_of(is_smallest), _TOGETHER, ("laws", "gamma", "root"), listed)]


state("psa.optimality.infimum", *THEOREM_4)(
    """(That is, eps_D^(inf) is the pointwise infimum over all … eps_D satisfied by the PSA.) Then eps_D^(inf) is the
    smallest budget under which the PSA satisfies the DP flavor (X_x, D_cSwap, d_HamS^r, D_Mult).""",
    replace(found_by(together, root=1), shown=_needed_and_enough),
    theorem(
        *("specification.loss_smallest", "optimality.least_budget_attained"),
        within=f"given the infima, which the real numbers have; {CATEGORIES}",
    ),
    mutant("half of the smallest budgets", found_by(together, root=2)),
)

a_universe_for_each_rate = cases(
    "the universe of two different records (b = 2) for p = i/50 in (0, 1); that of one (b = 0) for p = 0, 1", "b p laws"
)(
    lambda: (
        (b, Fraction(i, 50), kernel(universe, Fraction(i, 50)))
        for i in range(51)
        for b, universe in [(2, _PAIR) if 0 < i < 50 else (0, _ALONE)]
    )
)

_at = lambda rates, *universes: kernels(
    f"one stratum with the margins {', '.join(map(str, universes))}; p = {rates}", lambda: zip(universes), rates
)
_UP_TO_TWO_RECORDS = _at("1/20", *(u for (u,) in of_one_stratum(1, 2, 2)))

state("psa.optimality.theorem", *THEOREM_4)(
    """Assume |H|, |S| >= 4. … Let eps_D^(1) be the … given in Theorem 1. There exists D_0 … such that eps_D0^(1) -
    eps_D0^(inf) <= f(b) if 0 < p < sqrt(b+1)/(sqrt(b+1)+1) and b > 0, 0 otherwise.""",
    every(a_universe_for_each_rate, lambda b, p, laws: near_somewhere(b, p, laws)),
    mutant("every universe for some universe", _UP_TO_TWO_RECORDS),
    reading="""for each p some universe: one with b = 2 for 0 < p < 1; one with b = 0 at p in {0, 1}, where both budgets
    are infinite on the others that Theorem 3 names. Universes of every size are a claim of their own""",
)

own("psa.optimality.theorem.trivial-universe", *THEOREM_4)(
    """The universe of one record has b = 0, and the budget 0 is enough there for every p.""",
    every(_at("1/20 1/2", _ALONE), lambda laws, b: b == 0 and is_enough(laws, 1)),
    mutant("the universe of two records", _at("1/20 1/2", _PAIR)),
    theorem("optimality_universes.trivial_universe_budget", within=CATEGORIES),
)

_SCOPE = "the universe with margins (k, k, 1, 1) or (k, k, 1, 1, 1) on both sides, all p at once"
_in_steps = lambda step: cases(f"b from 4 to 24 in steps of {step}, {_SCOPE}", "b")(lambda: range(4, 25, step))


def close(b: int, *, bound: str, categories: int = 5) -> Witness | None:
    """E^(2 eps^(1) - 2 eps^(inf)) <= (b+1)^2 d(b-2)/d(b) <= e^bound, by x, x' and z with the ratio (20)."""
    if len(extreme_triple(b)[0]) > categories:
        return _too_far(b, categories)
    return unless(_CLOSE[bound], b=b)


ratio_squared = lambda b: (b + 1) ** 2 * derangements(b - 2) / derangements(b)

_CLOSE = {
    "2 f(b)": lambda b: ratio_squared(b) <= square_bound(b),
    "2 f(b) - ln(5/2)": lambda b: ratio_squared(b) <= square_bound(b) * 2 / 5,
    "2 ln((b+1)/(b-1))": lambda b: ratio_squared(b) <= ((b + 1) / (b - 1)) ** 2,
    "ln((b+1)/(b-1))": lambda b: ratio_squared(b) <= (b + 1) / (b - 1),
}
"""That 2 eps^(1) - 2 eps^(inf), or what the proof's triple shows of it, is at most such a bound."""


def _too_far(b: int, categories: int) -> Witness | None:
    """The stratum closest to eps^(1) at p = 1/2 among all of up to b records with so many categories.

    The loss of a universe is the largest of its strata's, and each has at most b records. Of the pairs x, x' that other
    names of the categories exchange one is compared, with a number just above e^(2 f(b)).
    """
    closest = max((u for (u,) in of_one_stratum(1, b, categories)), key=lambda u: stratum_loss(*u, _HALF))
    tables, laws = contingency_tables(*closest), kernel(closest, _HALF)
    chosen = representatives(tables, *closest)
    return failure(close_somewhere, b=b, p=_HALF, cap=Fraction(9, 4), laws=laws, chosen=chosen)


close_somewhere = lambda b, p, cap, laws, chosen: (
    square_bound(b) > cap
    or any(
        psa_budget(b, p) ** (2 * table_distance(x, y))
        <= multiplicative(laws[x], laws[y]) ** 2 * cap ** table_distance(x, y)
        for x in chosen
        for y in laws
        if x != y
    )
)

own("psa.optimality.every-size", "article, Theorem 4")(
    """With |H|, |S| >= 4 for even b and >= 5 for odd b, for every b from 4 to 24 and 0 < p < sqrt(b+1)/(sqrt(b+1)+1)
    there exists a universe whose largest stratum has b records such that eps^(1) - eps^(inf) <= f(b): the existence is
    not owed to universes with b = 0.""",
    every(_in_steps(1), close, bound="2 f(b)", verdict=Verdict.ENCLOSED),
    mutant("a bound of f(b) - 1/2", {"bound": "2 f(b) - ln(5/2)"}),
    mutant("four categories for odd b too", {"categories": 4}),
)

own("psa.optimality.every-size.lower-bound", "article, Theorem 4")(
    """With |H|, |S| >= 4 for even b and >= 5 for odd b, for every b >= 4 there exists a universe whose largest stratum
    has b records such that, for 0 < p < 1, eps^(inf) >= 0.5 ln[d(b)/d(b-2)] - ln o, and eps^(1) - eps^(inf) <= ln((b +
    1)/(b - 1)) where o^2 < b + 1.""",
    every(_in_steps(1), close, bound="2 ln((b+1)/(b-1))"),
    mutant("half of it", {"bound": "ln((b+1)/(b-1))"}),
    theorem("optimality_universes.lower_bound_every_size", within=CATEGORIES),
)

_APPROACHED = [
    every(_in_steps(2), close, bound="2 ln((b+1)/(b-1))"),
    theorem(
        "optimality_universes.lower_bound_every_size",
        within=f"0 < p < 1, every b >= 4, where eps^(1) - eps^(inf) is at most ln((b+1)/(b-1)); {CATEGORIES}",
    ),
    theorem(
        "optimality_universes.lower_bound_distinct",
        within=f"0 < p < 1, b >= 4, |H|, |S| >= b: at most ln((b+1)/(b-1)), and 0 for o^2 >= b + 1; {CATEGORIES}",
    ),
]

state("psa.optimality.arbitrarily-close", *appendix("F", "after Theorem 3", "after Theorem B.4.1"))(
    """Comparing these lower bounds to the … eps_D^(1) given in Theorem 1 shows that eps_D^(1) is optimal in the weak
    sense that there exists universes D_0 for which eps_D0^(1) is arbitrarily close to the best possible budget
    eps_D0^(inf).""",
    *_APPROACHED,
    every(_at("3/4", _PAIR), lambda laws, b, p: needed(laws, psa_budget(b, p))),
    mutant("every universe for some universe", _at("3/4", _PAIR, ((2, 1), (2, 1)))),
    mutant("a difference of at most ln((b+1)/(b-1))/2", every(_in_steps(2), close, bound="ln((b+1)/(b-1))")),
    reading="""for 0 < p < 1 and every delta > 0 there are universes with b > 0 and a difference below delta, with the
    four categories a side that Theorem 4 assumes""",
)

data_sets_at_half = cases("the universes of one record and of two different ones, every x, p = 1/2", "x p law")(
    lambda: ((x, _HALF, law) for universe in (_ALONE, _PAIR) for x, law in kernel(universe, _HALF).items())
)

less_than_all = lambda x, p, law: ln(psa_budget(largest_mixed([x]), p)) - ln(multiplicative(law, law)) < 1 / 100

state("psa.optimality.weak-form", *AFTER_THEOREM_4)(
    """… all we have shown is that, for all delta > 0, there exists some D_0 … and some x, x' in D_0 such that
    eps^(1)_D0 - D_Mult(P_x, P_x') < delta.""",
    *_APPROACHED,
    mutant("every universe for some universe, at x' = x", every(data_sets_at_half, less_than_all)),
    reading="""with D_Mult(P_x, P_x')/d_HamS(x, x') for D_Mult(P_x, P_x'), as the sentences before have it, and x != x':
    as printed it says less, and x' = x in a universe with b = 0 would do""",
)

pairs_with_one_b = cases(
    "two universes of one stratum with the same number of 2 to 4 records, four categories a side; p = 1/2",
    "laws others",
)(
    lambda: (
        case
        for n in range(2, 5)
        for universes in [[u for (u,) in of_one_stratum(n, n, 4) if largest_stratum([u]) == n]]
        for case in product((kernel(u, _HALF) for u in universes), (kernel(u, _HALF) for u in universes))
    )
)

as_much = lambda laws, others: no_more(laws, others, 1)

state("psa.optimality.not-tight", *AFTER_THEOREM_4)(
    """Part of the suboptimality arises from the fact that eps_D^(1) is a function only of p and b. We could perform a
    tighter analysis of the PSA by allowing eps_D to depend on D in more complex ways (i.e., by allowing eps_D to be a
    function of other properties of D, not just b).""",
    some(pairs_with_one_b, lambda laws, others: not no_more(laws, others, 1)),
    theorem("optimality_refuted.budget_beyond_largest_stratum", within=CATEGORIES),
    mutant("the smallest budget is a function of p and b", every(pairs_with_one_b, as_much)),
    reading="two universes with one b and one p have different smallest budgets",
)

_TWO_UNITS = _at("2/3 3/4 19/20", _PAIR)

state("psa.optimality.weaker", *AFTER_THEOREM_4)(
    """A budget eps_D can be tight at the level of the output (in the sense that P_x(C(sigma)(x) = z) /
    P_x'(C(sigma)(x') = z) = exp[eps_D d_HamS(x, x')] for all x, x' in D, all z and all D); or at the level of the data
    (in the sense that D_Mult(P_x, P_x') = eps_D d_HamS(x, x') for all x, x' in D and all D); or at the level of the
    universe (in the sense that D_Mult(P_x, P_x') = eps_D d_HamS(x, x') for some x, x' in D, and all D …). The
    optimality of Theorem 1 is weaker than any of these notions …""",
    every(
        _at("1/20 1/4 1/2 3/5 2/3 3/4 19/20", ((2, 1), (2, 1))),
        lambda b, p, laws: not tight_universe(laws, psa_budget(b, p)),
    ),
    mutant("two records", _TWO_UNITS),
    reading="""eps^(1) is not tight at the level of the universe, with x != x': on some universe no pair attains it.
    Each notion asks for what the next one asks for, and the last one for more than the optimality shown""",
)

of_data = lambda b, p, laws: tight_data(laws, psa_budget(b, p)) and not tight_output(laws, psa_budget(b, p))
of_universe = lambda b, p, laws: tight_universe(laws, psa_budget(b, p)) and not tight_data(laws, psa_budget(b, p))

own("psa.tightness.levels", "article, Appendix F (after Theorem 4)")(
    """For p above the threshold eps^(1) is tight at the level of the data, not of the output, on a universe of two
    records that share no category, and at the level of the universe, not of the data, on one of three such ones.""",
    every(_TWO_UNITS, of_data),
    mutant("of the output too", lambda b, p, laws: tight_output(laws, psa_budget(b, p))),
    every(_at("2/3 3/4 19/20", ((1, 1, 1), (1, 1, 1))), of_universe),
    mutant("of the data too", lambda b, p, laws: tight_data(laws, psa_budget(b, p))),
)

_LAWS = [{0: Fraction(i, 6), 1: Fraction(6 - i, 6)} for i in range(7)]
two_laws = cases("two laws on two outcomes with probabilities i/6; e^(eps d) = 1, 3/2, 2, 3", "p q gamma")(
    lambda: product(_LAWS, _LAWS, map(Fraction, ("1", "3/2", "2", "3")))
)

own("psa.tightness.output", "article, Appendix F (after Theorem 4)")(
    """A budget is tight at the level of the output only where it is 0, on any universe with two data sets at a positive
    finite distance: whatever the mechanism, P_x(z) = exp[eps d] P_x'(z) for all z gives exp[eps d] = 1.""",
    every(
        two_laws,
        lambda p, q, gamma: gamma == 1 or not all(get(p, t, 0) == gamma * get(q, t, 0) for t in outcomes(p, q)),
    ),
    mutant(
        "for some z",
        lambda p, q, gamma: gamma == 1 or not any(get(p, t, 0) == gamma * get(q, t, 0) for t in outcomes(p, q)),
    ),
    argued(
        "every mechanism with countably many outputs, every finite budget",
        proof="""Summing P_x(z) = exp[eps d] P_x'(z) over all z gives 1 = exp[eps d], so eps d = 0, and eps = 0 as d >
            0.""",
    ),
)
