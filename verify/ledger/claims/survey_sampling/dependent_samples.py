"""Two surveys of one frame: what their samples' dependence does to the losses of their releases, together."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

from stirred.spec.blocks.input_premetric import hamming_unordered
from stirred.spec.laws.law import uniform_law
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.engines.surveys.worst_release import Limit, power_limit, worst_release
from stirred.verify.ledger import Cases, cases, every, mutant, own, state, theorem
from stirred.verify.ledger.claims.multiverse.words import bound_at
from stirred.verify.ledger.claims.survey_sampling.theorem import all_or_nothing
from stirred.verify.ledger.claims.survey_sampling.words import released
from stirred.verify.ledger.language_names import get
from stirred.verify.ledger.words import hamming

# a case of p is a pair of samples; g is of a release of both, at budgets log(beta) and log(gamma)
keeps_pairs = lambda g, beta, gamma: all(
    g[w] <= bound_at(beta, hamming(w[0], v[0])) * bound_at(gamma, hamming(w[1], v[1])) * g[v] for w in g for v in g
)
holds_record = lambda s, a: any(record == a for unit, record in s)
drawn_by = lambda p, first, second: sum(
    p[w] for w in p if holds_record(w[0], "a") == first and holds_record(w[1], "a") == second
)

# E[x^(the unit is in sample 1) y^(it is in sample 2)]
mean_power = lambda p, x, y: (
    drawn_by(p, False, False)
    + drawn_by(p, True, False) * x
    + drawn_by(p, False, True) * y
    + drawn_by(p, True, True) * x * y
)
at_corner = lambda p, beta, gamma, x, y: mean_power(p, x, y) / mean_power(p, x / beta, y / gamma)
by_overlap = lambda p, beta, gamma: max(at_corner(p, beta, gamma, x, y) for x in (1, beta) for y in (1, gamma))

# T_1 and T_2 say by randomized response, each with noise of its own, whether the sample is s and t
truly_said = lambda s, t: 2 / 3 if s == t else 1 / 3
said_by = lambda p, i, s: sum(p[w] * truly_said(w[i], s) for w in p)
said_by_both = lambda p, s, t: sum(p[w] * truly_said(w[0], s) * truly_said(w[1], t) for w in p)
drawn_alone = lambda p, i: {w[i] for w in p}
independent_outputs = lambda p: all(
    said_by_both(p, s, t) == said_by(p, 0, s) * said_by(p, 1, t) for s in drawn_alone(p, 0) for t in drawn_alone(p, 1)
)
independent_designs = lambda p: all(
    get(p, (s, t), 0) == sum(p[w] for w in p if w[0] == s) * sum(p[w] for w in p if w[1] == t)
    for s in drawn_alone(p, 0)
    for t in drawn_alone(p, 1)
)
by_each = lambda p, beta, gamma: (
    all_or_nothing(drawn_by(p, True, False) + drawn_by(p, True, True), beta)
    * all_or_nothing(drawn_by(p, False, True) + drawn_by(p, True, True), gamma)
)

Pair = tuple[UnitData, UnitData]

_BUDGETS = ((Fraction(3, 2), Fraction(2)), (Fraction(3), Fraction(2)), (Fraction(4), Fraction(9, 8)))

_subsets = lambda frame, size: tuple(combinations(frame, size))
_independent = lambda size: (
    lambda frame: uniform_law(tuple((s, t) for s, t in product(_subsets(frame, size), repeat=2)))
)
_same = lambda size: lambda frame: uniform_law(tuple((s, s) for s in _subsets(frame, size)))

_sharing = lambda size, shared: (
    lambda frame: uniform_law(
        tuple((s, t) for s, t in product(_subsets(frame, size), repeat=2) if len({*s} & {*t}) == shared)
    )
)
# the next unit of the frame is the second sample: disjoint ones, of which only some pairs are possible
_cyclic = lambda frame: uniform_law(tuple(((unit,), (frame[(i + 1) % len(frame)],)) for i, unit in enumerate(frame)))


def _jointly(beta: Fraction, gamma: Fraction) -> Limit:
    """β^d(s, s')·γ^d(t, t') of pairs of samples (s, t) and (s', t')."""
    distance = hamming_unordered("unit")
    first, second = power_limit(beta, distance), power_limit(gamma, distance)

    def limit(one: Pair, other: Pair) -> Fraction | None:
        a, b = first(one[0], other[0]), second(one[1], other[1])
        return None if a is None or b is None else a * b

    return limit


# two surveys of a frame whose first unit has the record a, or b in its place
_samples = lambda scope, *surveys: Cases(
    f"{scope}; a record replaced; e^epsilon_1 and e^epsilon_2 = 3/2 and 2, 3 and 2, 4 and 9/8; the worst release of "
    "both",
    ("p", "q", "g", "beta", "gamma"),
    cache(
        lambda: tuple(
            (p, q, worst_release(p, q, _jointly(beta, gamma)).weights, beta, gamma)
            for (size, coordination), (beta, gamma) in product(surveys, _BUDGETS)
            for rest in [tuple((unit, "z") for unit in range(2, size + 1))]
            for p, q in [(coordination(((1, record), *rest)) for record in "ab")]
        )
    ),
)
independent = _samples(
    "two simple random samples of 1 of 2, 1 of 3 and 2 of 3 units, independent of each other",
    *((2, _independent(1)), (3, _independent(1)), (3, _independent(2))),
)
same = _samples(
    "one simple random sample of 1 of 2, 1 of 3, 2 of 3 and 2 of 4 units, used twice",
    *((2, _same(1)), (3, _same(1)), (3, _same(2)), (4, _same(2))),
)
disjoint = _samples(
    "two simple random samples of 1 of 3 and of 1 of 4 units that share no unit",
    *((3, _sharing(1, 0)), (4, _sharing(1, 0))),
)
dividing = _samples("two halves of 2 and of 4 units, drawn at random", *((2, _sharing(1, 0)), (4, _sharing(2, 0))))
rotated = _samples(
    "two simple random samples of 2 of 3 and 2 of 4 units that share one unit", (3, _sharing(2, 1)), (4, _sharing(2, 1))
)
one_after_the_other = _samples("one of three units and the unit after it, in a circle", (3, _cyclic))

lost_as_added = lambda p, q, g, beta, gamma: (
    keeps_pairs(g, beta, gamma) and released(p, g) == by_each(p, beta, gamma) * released(q, g)
)
lost_more = lambda p, q, g, beta, gamma: (
    keeps_pairs(g, beta, gamma) and released(p, g) > by_each(p, beta, gamma) * released(q, g)
)
lost_no_more = lambda p, q, g, beta, gamma: (
    not keeps_pairs(g, beta, gamma) or released(p, g) <= by_each(p, beta, gamma) * released(q, g)
)

state("survey.sampling.dependent.same", "dissertation, section 6.5.2")(
    """The source of this apparent contradiction is the composition theorem's implicit assumption that the seeds
    omega_1' and omega_2' of T_1' and T_2' are independent. This assumption does not hold when T_1' and T_2' always
    select the same sample.""",
    every(independent, lost_as_added),
    mutant("independent samples lose more", lost_more),
    every(same, lost_more),
    mutant("one sample as if independent", lost_no_more),
    theorem(
        "shared_sample.fresh_composition",
        "shared_sample.shared_composition_refuted",
        within="finite frames; that budgets of independent samples add up, and that those of one sample do not",
    ),
    reading="""with independent samples the amplified budgets add up to exactly what is lost, with one sample some
    release loses more""",
)

lost_by_overlap = lambda p, q, g, beta, gamma: (
    keeps_pairs(g, beta, gamma) and released(p, g) == by_overlap(p, beta, gamma) * released(q, g)
)
lost_by_mixing = lambda p, q, g, beta, gamma: (
    keeps_pairs(g, beta, gamma) and released(p, g) == mean_power(p, beta, gamma) * released(q, g)
)
lost_by_mixing_at_least = lambda p, q, g, beta, gamma: (
    keeps_pairs(g, beta, gamma) and released(p, g) >= mean_power(p, beta, gamma) * released(q, g)
)
lost_less = lambda p, q, g, beta, gamma: (
    keeps_pairs(g, beta, gamma) and released(p, g) < by_each(p, beta, gamma) * released(q, g)
)

own("survey.sampling.dependent.designs", "dissertation, section 6.5.2", "dissertation, section 7.2.2")(
    """What releases of two simple random samples of one frame, independent or sharing a given number of units (all such
    pairs being equally probable), lose together about a unit depends on how probable it is to be in both. Let I_1 and
    I_2 be 1 where it is in the sample, else 0. The smallest budget is the log of the largest E[x^I_1 y^I_2] /
    E[(x/e^epsilon_1)^I_1 (y/e^epsilon_2)^I_2], x = 1 or e^epsilon_1, y = 1 or e^epsilon_2. Its corner x = e^epsilon_1,
    y = e^epsilon_2 is what mixing the samples gives, 1 + P(only 1)[e^epsilon_1 - 1] + P(only 2)[e^epsilon_2 - 1] +
    P(both)[e^(epsilon_1 + epsilon_2) - 1]: all that is lost where the samples are independent or the same, and for
    disjoint ones less than what is lost where the budgets are far apart. Disjoint samples, all pairs equally probable,
    lose less than their amplified budgets added up.""",
    *(every(one, lost_by_overlap) for one in (independent, same, rotated, disjoint, dividing)),
    *(every(one, lost_by_mixing) for one in (independent, same)),
    *(every(one, lost_by_mixing_at_least) for one in (rotated, disjoint, dividing)),
    *(every(one, lost_less) for one in (disjoint, dividing)),
    mutant("one sample, as if disjoint", every(same, lost_less)),
    mutant("the sum for samples that share a unit", every(rotated, lost_as_added)),
    mutant("mixing alone, for disjoint samples", every(disjoint, lost_by_mixing)),
    mutant("mixing alone, for samples that share a unit", every(rotated, lost_by_mixing)),
    mutant("whichever disjoint pairs are possible", every(one_after_the_other, lost_by_overlap)),
    reading="any release of both samples; a release may favour the first sample by disfavouring the second",
)

_ONES = tuple((unit,) for unit in "ab")


@cases(
    "all joint designs, in sixths, of two samples of one of two units; two simple random samples of 2 of 4 units that "
    "are independent, the same, share one unit or none",
    "p",
)
def joint_designs() -> Iterator[Any]:
    for masses in product(range(7), repeat=4):
        if sum(masses) == 6:
            yield {pair: Fraction(mass, 6) for pair, mass in zip(product(_ONES, repeat=2), masses, strict=True) if mass}
    frame = tuple((unit, "z") for unit in range(4))
    for coordination in (_independent(2), _same(2), _sharing(2, 1), _sharing(2, 0)):
        yield coordination(frame)


independent_or_same = lambda p: independent_outputs(p) or all(w[0] == w[1] for w in p)
independent_or_sharing = lambda p: independent_outputs(p) or any(i in w[1] for w in p for i in w[0])

state("survey.sampling.dependent.violated", "dissertation, section 6.5.2")(
    """More generally, suppose that T_1' and T_2' are mechanisms which include sample procedures with designs tau_1 and
    tau_2 respectively. Then the composition theorem's assumption is violated whenever the sample designs tau_1 and
    tau_2 are dependent.""",
    every(joint_designs, lambda p: independent_outputs(p) == independent_designs(p)),
    mutant("only where they always select the same sample", independent_or_same),
    mutant("only where they may share a unit", independent_or_sharing),
    reading="""the seeds of T_1' and T_2' have the draws of the samples: some T_1 and T_2, whose own noise is
    independent, have dependent outputs, and none of these have where the designs are independent""",
)

# those of `rotated` whose frame has so many units
_rotated_of = lambda number: cases(
    f"two samples of 2 of {number} units that share one; otherwise {rotated.scope}", "p q g beta gamma"
)(lambda: (case for case in rotated if len({unit for w in case[0] for s in w for unit, _ in s}) == number))

still_added = lambda p, g, beta, gamma, q: (
    not independent_designs(p)
    and keeps_pairs(g, beta, gamma)
    and released(p, g) == by_each(p, beta, gamma) * released(q, g)
)

own("survey.sampling.dependent.balanced", "dissertation, section 6.5.2")(
    """Dependent samples may lose just the sum of their amplified budgets: two samples of two of four units that share
    one unit, as a unit is then in both as often as if they were independent.""",
    every(_rotated_of(4), still_added),
    mutant("two of three units", _rotated_of(3)),
)
