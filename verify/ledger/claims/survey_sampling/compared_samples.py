"""Which samples are compared: of the same units, in the order of units, and of frames with a unit more or less."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from stirred.spec.blocks.input_premetric import hamming_ordered
from stirred.spec.surveys.amplification import Compared
from stirred.verify.engines.surveys.worst_release import power_limit, worst_release
from stirred.verify.ledger import Cases, cases, every, mutant, own, theorem
from stirred.verify.ledger.claims.survey_sampling.theorem import all_or_nothing, of_same_units
from stirred.verify.ledger.claims.survey_sampling.words import (
    GAMMAS,
    at_most_added,
    attained_added,
    attained_same_units,
    bound_by_added,
    bound_by_same_units,
    keeps_ordered,
    neighbours_of,
    released,
    simple_laws,
    worst_releases,
)

at_the_sampling_rate = lambda p, q, g, gamma, n, N: attained_same_units(p, q, g, all_or_nothing(n / N, gamma), gamma)

own("survey.sampling.same-units", "dissertation, Theorem 6.4.1", "dissertation, section 6.5.1")(
    """Where the mechanism on samples is private only between samples of the same units, simple random sampling
    amplifies nothing: some release tells the units, and the smallest epsilon' is epsilon.""",
    every(of_same_units, lambda p, q, y, gamma: bound_by_same_units(p, q, y, gamma, gamma)),
    mutant("at the sampling rate", at_the_sampling_rate),
    every(of_same_units, lambda p, q, g, gamma: attained_same_units(p, q, g, gamma, gamma)),
    theorem("amplification_attained.labelled_not_amplified", within="finite frames"),
)

_in_order = lambda sample: tuple(record for _, record in sample)


def _listed(sizes: Sequence[int]) -> Iterator[tuple[Any, ...]]:
    limit = hamming_ordered("unit")
    for frame_size, gamma in product(sizes, GAMMAS):
        frames = tuple(
            tuple((unit, record if unit == 1 else f"record {unit}") for unit in range(1, frame_size + 1))
            for record in ("a", "b")
        )
        p, q = (law.push(_in_order) for law in simple_laws((frames[0], frames[1]), 2))
        yield p, q, (worst_release(p, q, power_limit(gamma, limit)).weights), gamma, 2, frame_size


unit_order = cases(
    "simple random samples of 2 of 3 and of 4 units, each with a record of its own and the first with another one, as "
    "tuples of records in the order of the units; e^epsilon = 3/2 and 3; the worst release",
    "p q g gamma n N",
    lambda: _listed((3, 4)),
)

released_above_in_order = lambda g, gamma, p, q, rate: (
    keeps_ordered(g, gamma) and released(p, g) > all_or_nothing(rate, gamma) * released(q, g)
)

own("survey.sampling.unit-order", "dissertation, Theorem 6.4.1")(
    """For samples that are tuples of records in the order of the units, compared place by place, Theorem 6.4.1 does not
    hold: a unit that comes in or drops out shifts the others.""",
    every(unit_order, lambda p, q, g, gamma, n, N: released_above_in_order(g, gamma, p, q, n / N)),
    mutant("twice the rate", lambda p, q, g, gamma, n, N: released_above_in_order(g, gamma, p, q, 2 * n / N)),
)

fixed_size: Cases = worst_releases(
    "simple random samples of one size n, a unit added to or removed from the frame, N the larger of the two numbers "
    "of units; all n < N <= 4 and frames with records a and b; of samples records are added or removed",
    "n N",
    lambda: (
        (both, (size, frame_size))
        for frame_size in range(2, 4 + 1)
        for size in range(1, frame_size)
        for larger, _ in neighbours_of(frame_size)
        for both in [(simple_laws((larger, larger), size)[0], simple_laws((larger[1:], larger), size)[0])]
    ),
    Compared.ADDED,
)

bound_added_units = lambda n, N, gamma: all_or_nothing(n / N, gamma**2)
by_bounded_form = lambda p, q, g, gamma, n, N: at_most_added(p, q, g, all_or_nothing(n / N, gamma), gamma)

own("survey.sampling.unbounded", "dissertation, Theorem 6.4.1")(
    """In unbounded DP, where units are added to the frame and removed, the smallest epsilon' of a simple random sample
    of fixed size is log(1 + n/N [e^(2 epsilon) - 1]), with the larger N: above epsilon wherever n/N > 1/(e^epsilon +
    1).""",
    every(fixed_size, lambda p, q, y, gamma, n, N: bound_by_added(p, q, y, all_or_nothing(n / N, gamma**2), gamma)),
    mutant("the bounded form", by_bounded_form),
    every(fixed_size, lambda p, q, g, gamma, n, N: attained_added(p, q, g, all_or_nothing(n / N, gamma**2), gamma)),
    every(fixed_size, lambda gamma, n, N: (bound_added_units(n, N, gamma) > gamma) == (n / N > 1 / (gamma + 1))),
)
