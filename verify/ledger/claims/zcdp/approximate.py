"""D_Mult^delta as it is printed, a supremum over events, and what is said of it."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from stirred.verify.ledger import cases, every, incomplete, misprint, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.zcdp.divergences import (
    approximate_multiplicative,
    but_for_names,
    one_sided_sup,
    ratio_of_events,
)
from stirred.verify.ledger.engines.renyi_grid import coin, laws_of
from stirred.verify.ledger.language_names import get, oo, subsets
from stirred.verify.ledger.words import image, multiplicative, outcomes, probability

approximately_private = lambda p, q, delta, gamma: all(
    probability(p, e) <= gamma * probability(q, e) + delta and probability(q, e) <= gamma * probability(p, e) + delta
    for e in subsets(outcomes(p, q))
)
ratio_outside = lambda p, q, delta: max(
    ratio_of_events(p, q, e, 0) - delta for e in subsets(outcomes(p, q)) if probability(p, e) > 0
)

_PAIRS = but_for_names(3, 4)
_DELTAS = (Fraction(0), Fraction(1, 8), Fraction(1, 4), Fraction(1, 2))
_GAMMAS = tuple(Fraction(n, 4) for n in (4, 5, 6, 8, 12, 16))
_SCOPE = "all laws on three outcomes with denominator 4, but for the outcomes' names, all events"
_AT = "delta = 0, 1/8, 1/4, 1/2"
_SECTION = "dissertation, section 2.4.5"

with_budgets = cases(f"{_SCOPE}; {_AT}; e^eps = 1, 5/4, 3/2, 2, 3, 4", "p q delta gamma")(
    lambda: ((*two, *budget) for two, *budget in product(_PAIRS, _DELTAS, _GAMMAS))
)

# D_Mult^delta(P, Q) <= eps, or what stands for it, iff P and Q satisfy the inequalities of (eps, delta)-DP
at_most_iff_private = lambda p, q, delta, gamma: (
    (approximate_multiplicative(p, q, delta) <= gamma) == approximately_private(p, q, delta, gamma)
)
outside_iff_private = lambda p, q, delta, gamma: (
    (max(ratio_outside(p, q, delta), ratio_outside(q, p, delta)) <= gamma) == approximately_private(p, q, delta, gamma)
)

state("approximate.definition", _SECTION)(
    """For example, approximate (eps, delta)-DP (Dwork et al., 2006a) uses the delta-approximate multiplicative
    premetric D_Mult^delta(P, Q) for D_Pr: D_Mult^delta(P, Q) = sup_S {ln [P(S) - delta]^+/Q(S), ln [Q(S) -
    delta]^+/P(S), 0}.""",
    every(with_budgets, at_most_iff_private),
    mutant("P(S)/Q(S) - delta for [P(S) - delta]^+/Q(S)", outside_iff_private),
    reading="""it is at most eps iff P(S) <= e^eps Q(S) + delta and Q(S) <= e^eps P(S) + delta for all S; events with
    0/0 are passed over""",
)

# the curve of D_Mult^delta is below eps(.), which is gamma at one delta and another number at the others
curve_below = lambda p, q, deltas, delta, gamma, elsewhere: all(
    bound == oo or approximate_multiplicative(p, q, d) <= bound
    for d in deltas
    for bound in [gamma if d == delta else elsewhere]
)
below_iff_private = lambda p, q, delta, gamma, deltas: (
    curve_below(p, q, deltas, delta, gamma, oo) == approximately_private(p, q, delta, gamma)
)
below_everywhere_iff_private = lambda p, q, delta, gamma, deltas: (
    curve_below(p, q, deltas, delta, gamma, gamma) == approximately_private(p, q, delta, gamma)
)

state("approximate.multi-parameter", "dissertation, section 2.4.6")(
    """… (eps_0, delta_0)-DP would correspond to the probability premetric D_Mult^(.) which maps a pair (P, Q) … to the
    function delta -> D_Mult^delta(P, Q), along with the privacy loss budget eps(.) … given by eps(delta) = eps_0 if
    delta = delta_0, oo otherwise.""",
    every(with_budgets, below_iff_private, deltas=_DELTAS),
    mutant("eps_0 for every delta", below_everywhere_iff_private),
    reading="with the pointwise partial order",
)

with_deltas = cases(f"{_SCOPE}; {_AT}", "p q delta")(lambda: ((*two, d) for two, d in product(_PAIRS, _DELTAS)))

is_larger_of = lambda least, p, q, delta, one_sided: max(least, one_sided) == approximate_multiplicative(p, q, delta)
is_symmetrization = lambda least, p, q, delta: (
    max(least, one_sided_sup(p, q, delta), one_sided_sup(q, p, delta)) == approximate_multiplicative(p, q, delta)
)
one_sided_is_larger = lambda p, q, delta, least: is_larger_of(least, p, q, delta, one_sided_sup(p, q, delta))

state("approximate.symmetrization", _SECTION)(
    "D_Mult^delta is the symmetrization of the delta-approximate max-divergence (Dwork et al., 2010b).",
    every(with_deltas, is_symmetrization, least=1),
    mutant("one of the two max-divergences", one_sided_is_larger),
    mutant("without 0", {"least": 0}),
    reading="""the larger of D^delta(P||Q), D^delta(Q||P) and 0, as its definition has it: D^delta(P||Q), the maximum of
    ln (P(S)-delta)/Q(S) over the events S with P(S) > delta, is below 0 for P = Q and delta > 0""",
)

two_laws = cases(_SCOPE, "p q")(lambda: _PAIRS)

state("approximate.reduces", _SECTION)(
    "Clearly D_Mult^delta(P, Q) reduces to D_Mult(P, Q) when delta = 0 …",
    every(two_laws, lambda p, q, delta: approximate_multiplicative(p, q, delta) == multiplicative(p, q), delta=0),
    mutant("delta = 1/8 for delta = 0", {"delta": Fraction(1, 8)}),
)

steps = cases(
    "delta = 1/20, ..., 19/20; a law, one at a total variation of at most delta from it, one as far from that",
    "p q r delta",
)(
    lambda: (
        (*(coin(1 - k * min(d, Fraction(1, 2))) for k in range(3)), d) for d in (Fraction(k, 20) for k in range(1, 20))
    )
)
coins = cases("all laws on two outcomes with denominator 4, all events", "p q")(
    lambda: product(laws_of(2, 4), repeat=2)
)

breaks_the_triangle = lambda p, q, r, delta: (
    p != q
    and approximate_multiplicative(p, q, delta) == 1
    and approximate_multiplicative(q, r, delta) == 1
    and approximate_multiplicative(p, r, delta) > 1
)

state("approximate.no-metric", _SECTION)(
    "… for delta > 0, it is generally not a metric.",
    every(steps, breaks_the_triangle),
    mutant(
        "delta = 0 among them",
        some(coins, lambda p, q, delta: p != q and approximate_multiplicative(p, q, delta) == 1, delta=0),
    ),
    reading="there are P != Q at distance 0, and P, Q, R that break the triangle inequality",
)

_LOWERED = "dissertation, section 4.3"

approximate_is_smaller = lambda p, q, delta: p == q or approximate_multiplicative(p, q, delta) < multiplicative(p, q)

_DELTA = Fraction(1, 8)

state("approximate.smaller.printed", _LOWERED)(
    """But clearly, for any delta > 0, D_MULT^delta(P, Q) < sup over S in F of |ln P(S) - ln Q(S)|, which is the output
    premetric for pure epsilon-DP.""",
    every(two_laws, approximate_is_smaller, delta=_DELTA),
    reading="for P and Q that differ",
    grade=incomplete(
        "that the right side is finite, as a budget that is reduced is: where P has an outcome that Q lacks, of a "
        "probability above delta, both sides are oo"
    ),
)

where_finite = lambda p, q, delta: (
    approximate_is_smaller(p, q, delta) if multiplicative(p, q) < oo else approximate_multiplicative(p, q, delta) <= oo
)
smaller_where_finite = lambda p, q, delta: (
    multiplicative(p, q) == oo or approximate_multiplicative(p, q, delta) < multiplicative(p, q)
)

own(
    "approximate.smaller", _LOWERED, "slides, A Perverse Guide to Reducing the Privacy Loss (without adding more noise)"
)(
    """For delta > 0, D_MULT^delta(P, Q) < D_MULT(P, Q) where P and Q differ and D_MULT(P, Q) is finite, on finitely
    many outcomes; D_MULT^delta is never larger than D_MULT.""",
    theorem("output_distances.approximate_smaller"),
    every(two_laws, where_finite, delta=_DELTA),
    mutant("delta = 0 too", {"delta": 0}),
    mutant("where P and Q are the same too", smaller_where_finite),
    every(with_deltas, lambda p, q, delta: approximate_multiplicative(p, q, delta) <= multiplicative(p, q)),
    repairs="approximate.smaller.printed",
)

_MERGERS = tuple({0: a, 1: b, 2: c} for a, b, c in product(range(3), repeat=3))
merged = cases(
    f"{_SCOPE}; {_AT}; all maps of the outcomes to three, whose preimages are the events that are left", "p q f delta"
)(lambda: ((*two, f, d) for two, f, d in product(_PAIRS, _MERGERS, _DELTAS)))

image_no_larger = lambda p, q, f, delta: (
    approximate_multiplicative(image(p, f), image(q, f), delta) <= approximate_multiplicative(p, q, delta)
)
image_smaller = lambda p, q, f, delta: (
    approximate_multiplicative(image(p, f), image(q, f), delta) < approximate_multiplicative(p, q, delta)
)
image_no_smaller = lambda p, q, f, delta: (
    approximate_multiplicative(image(p, f), image(q, f), delta) >= approximate_multiplicative(p, q, delta)
)

state("approximate.fewer-events", _LOWERED)(
    """This can be seen clearly in (4.3), where the right-hand side is the largest possible value over all events in F
    (denoted by S in F). If we reduce F to a sub-sigma-algebra, then this extreme value will deflate, affording us with
    a smaller PLB.""",
    every(merged, image_no_larger),
    mutant("strictly smaller", image_smaller),
    mutant("will inflate", image_no_smaller),
    reading="the largest value over fewer events is not larger",
)

apart = cases(f"{_SCOPE}, at total variation 1; {_AT}", "p q delta")(
    lambda: ((p, q, d) for p, q, d in with_deltas if not {*p} & {*q})
)

infinite = lambda p, q, delta: (
    multiplicative(p, q) == oo
    and approximate_multiplicative(p, q, delta) == oo
    and any(get(q, t, 0) == 0 for t in p if p[t] > 0)
)

state("approximate.disjoint-laws", "article, section 2.4", "dissertation, section 2.4.3")(
    """Now suppose D_Pr(P, Q) = oo whenever the total variation distance between P and Q is one. (This assumption is
    satisfied by most common choices of D_Pr.)""",
    every(apart, infinite),
    mutant("whatever their distance", with_deltas),
    reading="""the choices that section 2.4.5 of the dissertation names: D_Mult, D_Mult^delta for delta < 1, and D_NoR,
    which is oo by its definition where P is not absolutely continuous with respect to Q""",
)

_FAIR = {t: Fraction(1, 4) for t in range(4)}
_UNEVEN = {0: Fraction(1, 10), 1: Fraction(1, 10), 2: Fraction(2, 5), 3: Fraction(2, 5)}

_law_in = lambda parts, *counts: {t: Fraction(n, parts) for t, n in enumerate(counts)}


@cases(
    "laws on four outcomes: uniform, with delta = 1/8 and e^eps = 1, 11/10, 6/5; (1, 1, 4, 4)/10, with delta = 1/10 "
    "and e^eps = 2",
    "p near r delta gamma",
)
def around() -> Iterator[tuple[Any, ...]]:
    moved = [_law_in(8, *(2 + (t == up) - (t == down) for t in range(4))) for up, down in permutations(range(4), 2)]
    for gamma in map(Fraction, ("1", "11/10", "6/5")):
        yield _FAIR, tuple(moved), _law_in(8, 3, 3, 1, 1), Fraction(1, 8), gamma
    near = [_law_in(10, 3, 1, 3, 3), _law_in(10, 1, 3, 3, 3), _law_in(10, 1, 1, 2, 6), _law_in(10, 1, 1, 6, 2)]
    yield _UNEVEN, tuple(near), _law_in(10, 3, 3, 2, 2), Fraction(1, 10), Fraction(2)


no_interval = lambda p, delta, gamma, near, r, times: (
    all(approximately_private(p, q, delta, gamma) for q in near)
    and all(min(q[t] for q in near) <= r[t] <= max(q[t] for q in near) for t in r)
    and not approximately_private(p, r, times * delta, gamma)
)

state("approximate.no-interval", "dissertation, section 5.10")(
    """For example, our preliminary analysis shows that (epsilon, delta)-DP cannot be described by an interval of
    measures, at least not alone.""",
    every(around, no_interval, times=1),
    mutant("twice delta", {"times": 2}),
    reading="""no I(L, U) has just the laws that (epsilon, delta)-DP allows next to P: each that has some such laws has
    all that lie between them at every outcome, of which one is not allowed""",
)

cited = cases("what section 8.4 cites for two flavors, and what sections 2.3.2 and 4.3 cite", "flavor here elsewhere")(
    lambda: [
        (
            "approximate DP",
            {"probabilistic DP": "Dwork et al., 2006a", "approximate DP": "Machanavajjhala et al., 2008"},
            {"approximate DP": "Dwork et al., 2006a"},
        )
    ]
)

state("approximate.citations", "dissertation, section 8.4")(
    """Since the proposal of epsilon-DP (or pure DP) (Dwork et al., 2006b), a multiplicity of flavors of differential
    privacy has emerged, including probabilistic DP (Dwork et al., 2006a), approximate DP (Machanavajjhala et al.,
    2008), zero-Concentrated DP (Bun and Steinke, 2016), f-DP (Dong et al., 2022), to name a few.""",
    every(cited, lambda flavor, here, elsewhere: here[flavor] == elsewhere[flavor]),
    reading="""a flavor's citation is that which the dissertation gives it elsewhere; for (epsilon, delta)-DP section
    5.9 cites both papers. Of probabilistic DP it speaks nowhere else""",
    grade=misprint("the first two citations have changed places: sections 2.3.2 and 4.3 give approximate DP the first"),
)
