"""Records, frames and weights of surveys, and what a mechanism that samples must take as input: section 6.2."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import prod
from typing import Any

from stirred.spec.laws.law import Law
from stirred.verify.ledger import Cases, cases, every, mutant, some, state, theorem
from stirred.verify.ledger.claims.specifications.words import approximate_ratio
from stirred.verify.ledger.language_names import oo, subsets
from stirred.verify.ledger.words import count, hamming_ordered, multiplicative, same_law

# records, frames and weights of surveys: dissertation, sections 6.2.1, 6.2.3 and 6.2.4, and Example 6.2.3

# a world gives each unit a value of each variable; a record is a set of attributes (unit, variable, value)
record_in = lambda world, i, s: {(i, v, world[i][v]) for v in s}
all_records = lambda world: {record_in(world, i, s) for i in world for s in subsets(set(world[i])) if len(s) > 0}
record_unit = lambda r: {i for i, v, value in r}
record_variables = lambda r: {v for i, v, value in r}
record_values = lambda r: {value for i, v, value in r}
neighbor_distance = lambda x, y: hamming_ordered(x, y) if hamming_ordered(x, y) <= 1 else oo

# a design has the probabilities of samples, tuples of units
inclusion_in = lambda design, i: sum(design[s] for s in design if i in s)
weight_in_mean = lambda design, i: sum(design[s] / len(s) for s in design if i in s)


@cases("two persons with two variables of two values each: all worlds, and all pairs of them", "world other_world")
def worlds() -> Iterator[tuple[Any, ...]]:
    listed = [
        {unit: dict(zip(("health", "income"), said[2 * n : 2 * n + 2], strict=True)) for n, unit in enumerate("ab")}
        for said in product(("low", "high"), repeat=4)
    ]
    return product(listed, repeat=2)


records = lambda world: all(
    r == s or record_unit(r) != record_unit(s) or record_variables(r) != record_variables(s)
    for records in [all_records(world)]
    for r in records
    for s in records
)
in_two_worlds = lambda world, other_world: all(
    r == s or record_unit(r) != record_unit(s) or record_variables(r) != record_variables(s)
    for records in [all_records(world) | all_records(other_world)]
    for r in records
    for s in records
)
by_its_values_and_variables = lambda world: all(
    r == s or record_values(r) != record_values(s) or record_variables(r) != record_variables(s)
    for records in [all_records(world)]
    for r in records
    for s in records
)

state("survey-data.records", "dissertation, section 6.2.1")(
    """Therefore, a record r is uniquely specified by its unit u(r) and the variables associated to its attributes. …
    This dataset d(U, V) is well-defined because every record is determined by its variables and its unit.""",
    every(worlds, records),
    mutant("by its values and variables", by_its_values_and_variables),
    mutant("in two worlds", in_two_worlds),
    reading="""in one world, where a variable has one value of a unit, not among the counterfactual ones that DP
    compares""",
)

x_i_is_the_value_alone = lambda world: all(
    {record_values(r) for r in all_records(world) if record_unit(r) <= units and record_variables(r) == names}
    == {{world[i][v] for v in names} for i in units}
    and len({{world[i][v] for v in names} for i in units}) == len(units)
    for units in subsets(set(world))
    for names in [{"health"}, {"income"}, {"health", "income"}]
)
re_expressed = lambda world: all(
    {r for r in all_records(world) if record_unit(r) <= units and record_variables(r) == names}
    == {record_in(world, i, names) for i in units}
    and len({record_in(world, i, names) for i in units}) == len(units)
    for units in subsets(set(world))
    for names in [{"health"}, {"income"}, {"health", "income"}]
)

state("survey-data.re-expressed", "dissertation, section 6.2.1")(
    "We can re-express d(U, V) as d(U, V) = {{x_i | x in V} | i in U}.",
    every(worlds, re_expressed),
    mutant("x_i is the value alone", x_i_is_the_value_alone),
    reading="""x_i is an attribute, a value of a variable of a unit, as 'this would signify that unit i has an age of 40
    years'; so read, a data set has a record for each unit""",
)

registers = cases(
    "two entities are the target population; registers have up to three entries, each for one of them or a third; the "
    "frame is any part of the register",
    "target registered frame",
)(
    lambda: (
        (("ann", "bob"), dict(enumerate(names)), frozenset(part))
        for size in range(4)
        for names in product(("ann", "bob", "cyd"), repeat=size)
        for number in range(size + 1)
        for part in combinations(range(size), number)
    )
)
of_target = cases(registers.scope.replace(" or a third", ""), "target registered frame")(
    lambda: (case for case in registers if set(case[1].values()) <= set(case[0]))
)

coverage = lambda registered, frame, target: (
    all(i in registered for i in frame)
    and any(e not in {registered[i] for i in frame} for e in target)
    and any(registered[i] not in target for i in frame)
    and any(i != j and registered[i] == registered[j] and registered[i] in target for i in frame for j in frame)
)

state("survey-frame.coverage", "dissertation, section 6.2.3")(
    """By introducing the concept of the pseudo-population, we allow for undercoverage and overcoverage, as well as
    duplications in the frame (where a single unit in the target population corresponds to multiple units in the
    frame).""",
    some(registers, coverage),
    mutant("the frame is constructed from the target population", of_target),
    reading="""with U(f) a subset of U(p), as the sentence before says; units of p and f are entries of registers, each
    with the entity that it stands for; all three may occur at once""",
)

Design = Mapping[tuple[str, ...], Fraction]

_of_six = lambda scope, other: cases(f"two frames of six persons, {scope}; proportional samples of three", "f g")(
    lambda: [(("urban",) * 2 + ("rural",) * 4, other)]
)
other_strata = _of_six("two and four of whom are urban", ("urban",) * 4 + ("rural",) * 2)
same_strata = _of_six("of whom two are urban", ("rural",) * 4 + ("urban",) * 2)

stratum_sample_sizes = lambda frame: [3 * count(frame, s) / len(frame) for s in ["urban", "rural"]]

state("survey-frame.design", "dissertation, section 6.3, after Definition 6.3.1")(
    """However, as is frequently the case, the sampling design tau_f can depend on the realized frame f. (For example,
    the stratum sample sizes are part of a stratified sampling design, and these sizes are partially based on the sizes
    of the strata in the frame f.)""",
    some(other_strata, lambda f, g: stratum_sample_sizes(f) != stratum_sample_sizes(g)),
    mutant("frames whose strata have the same sizes", same_strata),
    reading="with proportional allocation the sizes of the strata's samples differ between frames",
)

_HALF, _THIRD = Fraction(1, 2), Fraction(1, 3)
_SIMPLE: Design = dict.fromkeys(combinations("abc", 2), _THIRD)
_CLUSTERS: Design = {("a",): _THIRD, ("b", "c"): 2 * _THIRD}
_UNEQUAL: Design = {("a", "b"): _HALF, ("a", "c"): _THIRD, ("b", "c"): Fraction(1, 6)}


def _responses() -> Iterator[tuple[Any, ...]]:
    """The law of (sample, responding sample): persons respond on their own, or as far as one number allows."""
    for design, rates in product((_SIMPLE, _CLUSTERS, _UNEQUAL), product((_HALF, _THIRD, Fraction(1)), repeat=3)):
        p = dict(zip("abc", rates, strict=True))
        alone: dict[Any, Fraction] = {}
        together: dict[Any, Fraction] = {}
        for sample, mass in design.items():
            for answers in (s for n in range(len(sample) + 1) for s in combinations(sample, n)):
                alone[sample, answers] = mass * prod(p[i] if i in answers else 1 - p[i] for i in sample)
            for low, high in pairwise((Fraction(0), _THIRD, _HALF, Fraction(1))):
                answers = tuple(i for i in sample if p[i] >= high)
                together[sample, answers] = together.get((sample, answers), Fraction(0)) + mass * (high - low)
        yield from ((design, p, alone), (design, p, together))


responding = cases(
    "three persons; simple random samples of two, clusters drawn with probability proportional to size, and pairs with "
    "unequal probabilities; they respond with probabilities 1/3, 1/2 or 1, independently or not",
    "design p law",
)(_responses)

with_1_pi_i = lambda design, p, law: all(
    sum(law[s, t] for s, t in law if i in t) == inclusion_in(design, i) * p[i]
    and sum(law[s, t] / inclusion_in(design, i) for s, t in law if i in t) == 1
    for i in p
)
inclusion = lambda design, p, law: all(
    sum(law[s, t] for s, t in law if i in t) == inclusion_in(design, i) * p[i]
    and sum(law[s, t] / (inclusion_in(design, i) * p[i]) for s, t in law if i in t) == 1
    for i in p
)

state("survey-weights.inclusion", "dissertation, section 6.2.4")(
    """Note that the response probabilities can be used to compute the final probability to be included in the sample:
    p_i^(inc) = pi_i p_i^R. Hence, the inverse of p_i^(inc) can be used as a weight that accounts for both the complex
    sampling design and the nonresponse.""",
    every(responding, inclusion),
    mutant("1/pi_i", with_1_pi_i),
    theorem("horvitz_thompson.two_phase_inclusion", within="finite designs"),
    reading="""p_i^R is the probability that i responds once it is sampled; a weight accounts for both if a unit stands
    for one on average, so that weighted totals are unbiased""",
)


def _designs(*, equal: bool) -> Cases:
    """Samples of two or of one of three persons, with probabilities in sixths."""
    masses = [m for m in product(range(6, -1, -1), repeat=3) if sum(m) == 6 and (len(set(m)) == 1) == equal]
    masses.sort(key=lambda chosen: 0 in chosen)
    shown = "the same inclusion probability for all" if equal else "inclusion probabilities that vary"
    return cases(f"samples of one, or of two, of three persons, all designs in sixths with {shown}", "design")(
        lambda: (
            {s: Fraction(n, 6) for s, n in zip(combinations("abc", size), chosen, strict=True) if n}
            for chosen in masses
            for size in (1, 2)
        )
    )


varying, equal = _designs(equal=False), _designs(equal=True)

state("survey-weights.unweighted", "dissertation, section 6.2.4")(
    """For example, the (unweighted) sample mean can no longer be treated as an unbiased estimator for the mean in the
    population if the probability of being included in the responding-sample varies between the units.""",
    some(varying, lambda design: any(weight_in_mean(design, i) != 1 / 3 for i in ["a", "b", "c"])),
    mutant("if the probability is the same for all", equal),
    reading="""it may be biased then: for some values of the persons its expectation is not their mean, since not each
    has the weight 1/N in it; see survey.estimate.unweighted.repaired for when it is""",
)

_COINS = [Law({0: Fraction(n, 8), 1: Fraction(8 - n, 8)}) for n in range(9)]
on_two_records = cases(
    "coins in eighths as the laws of the ordered data sets 00, 01 = 10 and 11 of two records; eps = ln 2", "p q r"
)(lambda: product(_COINS, repeat=3))

only_near = lambda p, q, delta, r: (
    approximate_ratio(p, q, delta) <= 2 and approximate_ratio(q, r, delta) <= 2 and approximate_ratio(p, r, delta) > 4
)

state("survey-example.approximate", "dissertation, Example 6.2.3")(
    """Since D_MULT^delta does not satisfy the triangle inequality, approximate (eps, delta)-DP's group privacy budget
    does not increase linearly with the group size; hence we cannot replace d^neighbors with the Hamming distance, as we
    did for pure eps-DP.""",
    some(on_two_records, only_near, delta=Fraction(1, 8)),
    mutant("delta = 0", {"delta": Fraction(0)}),
    reading="some mechanism has (eps, delta) between neighbors and not 2 eps, with the same delta, at distance 2",
)

neighbors = cases("the ordered data sets of two binary records; coins in eighths for two of them", "X p q")(
    lambda: ((tuple(product((0, 1), repeat=2)), p, q) for p, q in product(_COINS, repeat=2))
)

no_metrics = lambda X, p, q, delta: (
    any(neighbor_distance(x, z) > neighbor_distance(x, y) + neighbor_distance(y, z) for x in X for y in X for z in X)
    and p != q
    and approximate_ratio(p, q, delta) == 1
)

state("survey-example.premetrics", "dissertation, Example 6.2.3")(
    """Note that d^neighbors and D_MULT^delta are not distances in the mathematical sense of a metric; we will instead
    refer to them as premetrics from herein.""",
    some(neighbors, no_metrics, delta=Fraction(1, 8)),
    mutant("delta = 0", {"delta": Fraction(0)}),
    reading="d^neighbors breaks the triangle inequality, and D_MULT^delta is 0 between different laws, for delta > 0",
)

# what a mechanism that samples must take as input: dissertation, section 6.2.2, Definition 6.2.1 and Example 6.2.2

AnyDesign = Mapping[Any, Fraction]
"""Probabilities of samples, each a tuple of units."""

# the law of what T collects, for a table of values by slot and a law of the slots that are used
collected_values = lambda table, u: [(i, table[i]) for i in u]
collected_law = lambda table, design: (
    {
        t: sum(design[u] for u in design if collected_values(table, u) == t)
        for t in {collected_values(table, u) for u in design}
    }
)
ever_used = lambda design: {i for u in design for i in u if design[u] > 0}
value_changed = lambda table, i: {j: 1 - table[j] if j == i else table[j] for j in table}
probability_used = lambda design, i: sum(design[u] for u in design if i in u)

_DESIGNS: tuple[AnyDesign, ...] = (
    dict.fromkeys(combinations("abc", 2), _THIRD),  # simple random sampling
    dict.fromkeys((s for n in range(4) for s in combinations("abc", n)), Fraction(1, 8)),  # Bernoulli sampling
    {("a",): _HALF, ("b", "c"): _HALF},  # clusters
    {("a",): Fraction(1, 6), ("b",): _THIRD, ("c",): _HALF},  # proportional to size
    {("a",): _HALF, ("b",): _HALF},  # a frame that misses c
)

_tables = lambda slots: (dict(zip(slots, values, strict=True)) for values in product((0, 1), repeat=len(slots)))
surveys = cases(
    "simple random, Bernoulli, cluster and PPS sampling of three persons with a value 0 or 1 each, and a frame that "
    "misses one of them; the sampled values are published",
    "design table",
)(lambda: product(_DESIGNS, _tables(tuple("abc"))))

depends_on_each = lambda table, design: all(
    not same_law(collected_law(table, design), collected_law(value_changed(table, i), design)) for i in table
)
depends_on_half_used = lambda design, table: all(
    same_law(collected_law(table, design), collected_law(value_changed(table, i), design))
    == (probability_used(design, i) < 1 / 2)
    for i in table
)
all_used = lambda design, table: all(
    same_law(collected_law(table, design), collected_law(value_changed(table, i), design))
    == (probability_used(design, i) == 0)
    for i in table
)

state("survey-input.all-used", "dissertation, section 6.2.2, after Definition 6.2.1")(
    """in order for T to be well-defined (as a function D_0 x Omega -> T), its input d must contain all the data which
    has a non-zero probability (with respect to P) of being used by T.""",
    every(surveys, all_used),
    mutant("a probability of at least 1/2", depends_on_half_used),
    reading="the rest of the data determines the law of T iff what is left out is used with probability zero",
)

covered = cases(surveys.scope.replace(", and a frame that misses one of them", ""), "design table")(
    lambda: ((design, table) for design, table in surveys if {i for s in design for i in s} == set(table))
)

all_needed = lambda design, table: ever_used(design) == set(table) and depends_on_each(table, design)

state("survey-input.augmented-frame", "dissertation, Example 6.2.2")(
    """Since any individual in the frame f has a non-zero probability of being sampled, any of the records in d(U(f),
    V(S)) may appear in the sample data S. As such, all of these records must be included as input - that is, T requires
    as input f* = d(U(f), V(f) u V(S)).""",
    every(covered, all_needed),
    mutant("a frame that misses a person", surveys),
    reading="where T collects what is in its input; without the record of any one unit its law is not determined",
)


@cases(
    "frames of two of three persons; T draws a health result of the sampled person itself, from a law that does not "
    "depend on the frame, and publishes it without noise",
    "laws",
)
def generated() -> list[Any]:
    """By frame: the law of (what is published, the data S)."""
    results = {("high", "high"): Fraction(1, 4), ("low", "low"): Fraction(3, 4)}
    return [dict.fromkeys(combinations("abc", 2), results)]


taken = cases("the health result is the input, and is published without noise", "laws")(
    lambda: [{(s,): {(s, s): Fraction(1)} for s in ("high", "low")}]
)

unprotected = lambda laws: (
    max([multiplicative(laws[x], laws[y]) for x in laws for y in laws]) == 1
    and all(t == s for x in laws for t, s in laws[x])
)

state("survey-input.generated", "dissertation, Example 6.2.2")(
    """We will see in Section 6.5 that the DP guarantee does not necessarily apply to data generated within a DP
    mechanism - it only applies to the mechanism's input data.""",
    some(generated, unprotected),
    mutant("the data are the input", taken),
    reading="a mechanism may satisfy a specification on its input with budget 0 and publish what it generates exactly",
)


def _trials(*, treated: tuple[str, ...]) -> Cases:
    """Persons who are given a treatment or a placebo by a coin, each; a design is a law of what is observed."""
    arms = list(product(treated, repeat=2))
    design = {tuple(zip((0, 1), chosen, strict=True)): Fraction(1, len(arms)) for chosen in arms}
    slots = tuple(product((0, 1), ("treatment", "placebo")))
    return cases(
        f"two persons, each given one of {', '.join(treated)} by a coin; an outcome 0 or 1 under treatment and placebo",
        "design table",
    )(lambda: ((design, table) for table in _tables(slots)))


state("survey-input.science-table", "dissertation, Example 6.2.2")(
    """In such cases, the input data must necessarily include the potential outcome of each of the possible
    interventions (or treatments). … if we want to protect the outcome under the non-counterfactual treatment - which is
    unknown at the start of T - we must include it as input to T, and we can only ensure it is included as input if we
    include all the potential outcomes as input.""",
    every(_trials(treated=("treatment", "placebo")), all_needed),
    mutant("the outcome under treatment alone", _trials(treated=("treatment",))),
    reading="possible: of probability above zero; the law of T depends on each potential outcome of each person",
)

certain = cases("one of the samples of three persons, with a value 0 or 1 each, is certain", "design table")(
    lambda: product(({s: Fraction(1)} for n in range(4) for s in combinations("abc", n)), _tables(tuple("abc")))
)

no_concern = lambda table, design: all(
    same_law(collected_law(table, design), collected_law(value_changed(table, i), design))
    for i in table
    if any(i not in s for s in design)
)

state("survey-input.no-sampling", "dissertation, Example 6.2.2")(
    """We end this example by noting that, if T does not include a sampling step, then T need not include the data
    collection step either. As such, T's input data is simply the collected data, without concern to the counterfactual
    potential outcomes.""",
    every(certain, no_concern),
    mutant("T includes a sampling step", surveys),
    reading="where one sample is certain, the law of T does not depend on what that sample does not collect",
)
