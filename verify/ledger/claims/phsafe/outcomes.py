"""What PHSafe releases of a count: integers, negative ones too, that need not agree with one another."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms.noise.discrete_gaussian import discrete_gaussian
from stirred.verify.ledger import cases, every, mutant, state
from stirred.verify.ledger.engines.bounded_law import bounded_law

_LAW = bounded_law(discrete_gaussian(Fraction(4)), 0, cutoff=Fraction(1, 10**6)).lower


def _summed(pairs: Iterable[tuple[Any, Fraction]]) -> Mapping[Any, Fraction]:
    """A law by the masses of its outcomes, which may repeat."""
    law: dict[Any, Fraction] = defaultdict(Fraction)
    for outcome, mass in pairs:
        law[outcome] += mass
    return dict(law)


_outcomes = lambda changed=Fraction: cases(
    "what the program releases a count of 0 as, sigma^2 = 4: outcomes of probability over 10^-6",
    "law",
    lambda: [_summed((changed(value), mass) for value, mass in _LAW.items())],
)

state("phsafe.integrality", "PHSafe, section 2.5")(
    "Integrality: The output statistics must be integers.",
    every(_outcomes(), lambda law: all(v % 1 == 0 for v in law)),
    mutant("halves", _outcomes(lambda value: Fraction(value, 2))),
)

state("phsafe.negativity", "PHSafe, section 2.5")(
    """Negativity and Statistical Postprocessing: The output of the PHSafe algorithm may contain negative counts.""",
    every(_outcomes(), lambda law: any(v < 0 and law[v] > 0 for v in law)),
    mutant("clamped", _outcomes(lambda value: Fraction(max(value, 0)))),
)

two_tables = cases(
    "one true count, released in two tables with noise of their own, sigma^2 = 4",
    "joint",
    lambda: [{(v, w): _LAW[v] * _LAW[w] for v, w in product(range(-2, 3), repeat=2)}],
)
one_noise = cases("one noise for both", "joint", lambda: [{(v, v): mass for v, mass in _LAW.items()}])
nation_and_states = cases(
    "a count of the nation and the sum of those of two states, less the true one",
    "joint",
    lambda: [_summed(((n, a + b), _LAW[n] * _LAW[a] * _LAW[b]) for n, a, b in product(range(-2, 3), repeat=3))],
)

may_differ = lambda joint: any(pair[0] != pair[1] and joint[pair] > 0 for pair in joint)

state("phsafe.inconsistency", "PHSafe, section 2.5")(
    """… different counts output by the algorithm need not be consistent with each other. One example of an expected
    inconsistency would be the number of people in households in the United States not equaling the sum of the number of
    people in households across all states. Another example would be different estimates of the same statistic appearing
    in different tables. For example, the population in households in PH2 is not expected to equal the population in
    households in PH7.""",
    every(two_tables, may_differ),
    mutant("one noise for both", one_noise),
    every(nation_and_states, may_differ),
    reading="they differ with positive probability; PH2 and PH7 have the same noise in each level",
)
