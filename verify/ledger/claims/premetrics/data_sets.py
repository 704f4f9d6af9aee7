"""Input premetrics: infinite distances, granularity, and what the recording of data does to a distance."""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.spec.blocks.domain import ordered_data_sets
from stirred.spec.blocks.input_premetric import Distance
from stirred.verify.engines.exhaustive import mechanism_laws
from stirred.verify.ledger import cases, every, incomplete, misprint, mutant, own, state, theorem
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.engines.small_domains import TABLES, domain_of, multiverses, premetric_tables
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance, hamming_ordered, multiplicative, together, total_variation

scaled_by = lambda c, d, zero: zero if {c, d} == {0, oo} else c * d
eps_over = lambda budget, scale: oo if budget == oo else 0 if scale == oo else budget / scale
linked = lambda d, universes, x, y: (
    x == y or (together(universes, x, y) and min(distance(d, x, y), distance(d, y, x)) < oo)
)
linked_by_path = lambda d, universes, x, y: any(
    linked(d, universes, x, u) and linked(d, universes, u, v) and linked(d, universes, v, y)
    for u, v in product(range(3), range(3))
)
same_where_asked = lambda t, d, universes: all(
    t[x] == t[y] for x in range(len(t)) for y in range(len(t)) if together(universes, x, y) and distance(d, x, y) < oo
)
all_persons = lambda x: [p for household in x for p in household]
with_copies = lambda x, r: x + [x[0] for i in range(r)]

infinitely_apart = cases(
    "all pairs of laws on three outcomes in thirds, eps in {0, 1/2, 1, oo}, d_X(x, x') = oo", "p q budget"
)(lambda: product(laws_of(3, 3), laws_of(3, 3), (0, Fraction(1, 2), 1, None)))

state("premetric.infinite-distance", "dissertation, Remark 2.4.6")(
    """To resolve the edge case where eps_D = 0 but d_X(x, x') = oo, we define 0 x oo = oo. This means DP never controls
    the difference between P_x and P_x' when d_X(x, x') = oo, even in the case of complete privacy (eps_D = 0).""",
    every(infinitely_apart, lambda p, q, budget: total_variation(p, q) <= scaled_by(budget, oo, oo)),
    mutant("0 x oo = 0", lambda p, q, budget: total_variation(p, q) <= scaled_by(budget, oo, 0)),
    every(infinitely_apart, lambda p, q, budget: multiplicative(p, q) - 1 <= scaled_by(budget, oo, oo)),
    reading="""the condition (2.3) at the pair (x, x') never asks anything of P_x and P_x', which is what 0 x oo = oo
    means; other pairs may imply a bound, as section A.1 says, see the claim on [x]""",
)

pairs_of_data_sets = cases(
    "two data sets, all multiverses, all premetrics in {0, 1, oo}; three data sets, all multiverses, three premetrics; "
    "eps_D = 0, all mechanisms with two outputs",
    "d universes x y",
)(
    lambda: (
        (table, tuple(multiverse), x, y)
        for size, tables in ((2, tuple(premetric_tables(domain_of(2), (0, 1, None)))), (3, TABLES))
        for table, multiverse in product(tables, multiverses(domain_of(size)))
        for x, y in product(range(size), repeat=2)
        if x != y
    )
)

may_be_told_apart = lambda d, universes, x, y: any(
    t[x] != t[y] and same_where_asked(t, d, universes) for t in product(range(2), range(2), range(2))
)

own("premetric.infinite-distance.unconnected", "dissertation, Remark 2.4.6")(
    """Under D_Mult, any two laws are P_x and P_x' for some mechanism that satisfies the specification with eps_D = 0 (x
    and x' different) iff x' is not in [x], the class joined to x by pairs of a common universe at a finite distance in
    one direction; where x' is in [x], P_x = P_x'.""",
    every(
        pairs_of_data_sets,
        lambda d, universes, x, y: may_be_told_apart(d, universes, x, y) != linked_by_path(d, universes, x, y),
    ),
    mutant(
        "no common universe at a finite distance, for x' not in [x]",
        lambda d, universes, x, y: may_be_told_apart(d, universes, x, y) != linked(d, universes, x, y),
    ),
    reading="with eps_D = 0 the conditions are P_x = P_x', so that any two laws are allowed if two point masses are",
)

_EXTENDED: tuple[Distance, ...] = (0, Fraction(1, 2), 1, 2, None)
_ONE_PAIR = "one pair of data sets, for which (2.3) is stated, with D_Pr, d, d', eps in {0, 1/2, 1, 2, oo}"
bounds = cases(_ONE_PAIR, "value d other budget")(lambda: product(_EXTENDED, repeat=4))
scaled_bounds = cases(f"{_ONE_PAIR}, the constant in {{1/2, 1, 2, oo}}", "value d other budget scale")(
    lambda: (case for case in product(_EXTENDED, repeat=5) if case[4] != 0)
)

# 0 x oo is `zero` in l d_X and u d_X; times: what divides the budget beside the constant
lower_rescaled = lambda value, d, other, budget, scale, times, zero: (
    scaled_by(scale, d, zero) > other or value > budget * d or value <= eps_over(budget, scale * times) * other
)
upper_rescaled = lambda value, d, other, budget, scale, times, zero: (
    other > scaled_by(scale, d, zero) or value > budget * other or value <= scale * eps_over(budget, times) * d
)
_rescaled = lambda times, zero: [
    every(scaled_bounds, one, times=times, zero=zero) for one in (lower_rescaled, upper_rescaled)
]

state("premetric.rescaling", "dissertation, Proposition 2.4.15")(
    """Fix a domain X and let d_X, d'_X be two input premetrics satisfying l d_X <= d'_X <= u d_X for some constants 0 <
    l <= u <= oo. Then M(X, multiverse, d_X, D_Pr, eps_D) is a subset of M(X, multiverse, d'_X, D_Pr, eps_D / l), and
    M(X, multiverse, d'_X, D_Pr, eps_D) is a subset of M(X, multiverse, d_X, D_Pr, u eps_D).""",
    *_rescaled(1, None),
    theorem("specification.rescale_lower", "specification.rescale_upper"),
    mutant("eps/(2l) for eps/l", _rescaled(2, None)[0]),
    mutant("u eps/2 for u eps", _rescaled(2, None)[1]),
    reading="0 x oo = oo, as Remark 2.4.6 has it, in l d_X and u d_X too",
)

own("premetric.rescaling.usual-product", "dissertation, Proposition 2.4.15")(
    "Proposition 2.4.15 holds too with 0 x oo = 0 in l d_X and u d_X alone.",
    *_rescaled(1, 0),
    theorem("specification.rescale_lower_usual", "specification.rescale_upper_usual"),
    mutant("eps/(2l) for eps/l", _rescaled(2, 0)[0]),
    mutant("u eps/2 for u eps", _rescaled(2, 0)[1]),
)

state("premetric.finer-stronger", "dissertation, section 2.4.4, after Proposition 2.4.15")(
    """A specification with lower granularity is stronger: If d_X <= d'_X, then eps_D-DP(X, multiverse, d_X, D_Pr) is a
    stricter condition than eps_D-DP(X, multiverse, d'_X, D_Pr).""",
    every(bounds, lambda value, d, other, budget: not (d <= other and value <= budget * d) or value <= budget * other),
    mutant(
        "d' <= d for d <= d'",
        lambda value, d, other, budget: not (other <= d and value <= budget * d) or value <= budget * other,
    ),
    theorem("specification.finer_premetric_stronger"),
    reading="stricter in the weak sense: what satisfies the first satisfies the second",
)

_HOUSEHOLDS = [household for n in (1, 2) for household in product("ab", repeat=n)]

_households = lambda scope, like: cases(
    f"all pairs of lists of two, or else one, households of at most two persons of two kinds, {scope}", "x y"
)(lambda: ((x, y) for n in (2, 1) for x, y in product(product(_HOUSEHOLDS, repeat=n), repeat=2) if like(x) == like(y)))
persons_within = lambda x, y, b: (
    hamming_ordered(x, y) <= hamming_ordered(all_persons(x), all_persons(y)) <= b * hamming_ordered(x, y)
)

state("premetric.household-person", "dissertation, section 2.4.4")(
    """This household-level premetric d_X^h is smaller than the analogous person-level premetric d_X^p: d_X^h <= d_X^p
    <= b d_X^h, where b is an upper bound on the number of people in a single household.""",
    every(_households("with as many persons in both", lambda x: (len(x), sum(map(len, x)))), persons_within, b=2),
    reading="the section's Hamming distances on household- and on person-records, between data sets of equal lengths",
    grade=incomplete("that nobody moves: one person's change may alter two households, and a household's its size"),
)

own("premetric.household-person.fixed-sizes", "dissertation, section 2.4.4")(
    """d^h <= d^p <= b d^h for the Hamming distances between lists of households in which each household has the same
    number of persons, at most b, in both.""",
    every(_households("with each household of one size in both", lambda x: tuple(map(len, x))), persons_within, b=2),
    mutant("d^p <= d^h", {"b": 1}),
    mutant("households of any size", _households("of any sizes", lambda _: 0)),
    repairs="premetric.household-person",
)

_RECORDED = "a donor and a bystander with binary answers, r = 1, 2, 3 recipients of the donor's answer"

changes_of_the_donor = cases(_RECORDED, "x y r")(
    lambda: (((a, b), (1 - a, b), r) for r in (1, 2, 3) for a, b in product(range(2), repeat=2))
)


@cases(f"{_RECORDED}; randomized response at 1/4 of all records, of which a record's e^loss is 3", "p q r")
def released_of_the_donor() -> Iterator[tuple[Any, ...]]:
    flipped = partial(randomized_response, flip_probability=Fraction(1, 4))
    laws = mechanism_laws(flipped, ordered_data_sets((0, 1), (3, 4, 5)))
    return ((laws[x + (x[0],) * r], laws[y + (y[0],) * r], r) for x, y, r in changes_of_the_donor)


times_of_recorded = lambda x, y, r, factor: (
    hamming_ordered(with_copies(x, r), with_copies(y, r)) == factor * hamming_ordered(x, y)
)

state("recording.donor-factor", "dissertation, section 2.4.4")(
    """a donor's privacy loss is increased by a factor equal to the number of their recipients, as demonstrated by
    Proposition 2.4.15 below""",
    every(changes_of_the_donor, lambda x, y, r: times_of_recorded(x, y, r, r)),
    every(released_of_the_donor, lambda p, q, r: multiplicative(p, q) == 3**r),
    reading="the loss is multiplied: the largest d_Ham between what is recorded, over changes of one donor's record",
    grade=misprint("the donor's own record counts too: the section says 'their own and their recipients''"),
)

own("recording.donor-factor.with-own-record", "dissertation, section 2.4.4")(
    """If a donor's record is copied to r recipients, a change of it changes 1 + r recorded records: the factor is 1 +
    r, and randomized response of the recorded answers attains it.""",
    every(changes_of_the_donor, lambda x, y, r: times_of_recorded(x, y, r, 1 + r)),
    mutant("2 r", lambda x, y, r: times_of_recorded(x, y, r, 2 * r)),
    every(released_of_the_donor, lambda p, q, r: multiplicative(p, q) == 3 ** (1 + r)),
    mutant("2 r, of the loss", lambda p, q, r: multiplicative(p, q) == 3 ** (2 * r)),
    repairs="recording.donor-factor",
)
