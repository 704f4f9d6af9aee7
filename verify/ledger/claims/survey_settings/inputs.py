"""What a mechanism that samples must take as input: dissertation, section 6.2.2, Definition 6.2.1 and Example 6.2.2."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from stirred.verify.ledger import Cases, cases, every, mutant, some, state
from stirred.verify.ledger.words import multiplicative, same_law

Design = Mapping[Any, Fraction]
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

_HALF, _THIRD = Fraction(1, 2), Fraction(1, 3)
_DESIGNS: tuple[Design, ...] = (
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
    lambda: product(_DESIGNS, _tables(tuple("abc"))),
)

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

covered = cases(
    surveys.scope.replace(", and a frame that misses one of them", ""),
    "design table",
    lambda: ((design, table) for design, table in surveys if {i for s in design for i in s} == set(table)),
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


taken = cases(
    "the health result is the input, and is published without noise",
    "laws",
    lambda: [{(s,): {(s, s): Fraction(1)} for s in ("high", "low")}],
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
        lambda: ((design, table) for table in _tables(slots)),
    )


state("survey-input.science-table", "dissertation, Example 6.2.2")(
    """In such cases, the input data must necessarily include the potential outcome of each of the possible
    interventions (or treatments). … if we want to protect the outcome under the non-counterfactual treatment - which is
    unknown at the start of T - we must include it as input to T, and we can only ensure it is included as input if we
    include all the potential outcomes as input.""",
    every(_trials(treated=("treatment", "placebo")), all_needed),
    mutant("the outcome under treatment alone", _trials(treated=("treatment",))),
    reading="possible: of probability above zero; the law of T depends on each potential outcome of each person",
)

certain = cases(
    "one of the samples of three persons, with a value 0 or 1 each, is certain",
    "design table",
    lambda: product(({s: Fraction(1)} for n in range(4) for s in combinations("abc", n)), _tables(tuple("abc"))),
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
