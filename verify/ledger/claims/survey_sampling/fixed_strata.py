"""What strata with fixed sample sizes amplify."""

from functools import partial

from stirred.mechanisms.surveys.allocation import fixed
from stirred.mechanisms.surveys.designs import stratified_sample
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.ledger import every, mutant, own, theorem
from stirred.verify.ledger.claims.survey_sampling.theorem import all_or_nothing
from stirred.verify.ledger.claims.survey_sampling.words import (
    attained_replaced,
    bound_by_replaced,
    keeps_replaced,
    laws_of,
    released,
    worst_releases,
)

# a unit of stratum a, whose answer changes; beside the stratum one or two units of stratum b
_changed_inside = lambda: (
    (laws_of(partial(_by_strata, drawn=drawn), frames), (drawn, size))
    for (size, drawn), others in (((2, 1), 1), ((2, 1), 2), ((3, 1), 1), ((3, 2), 1))
    for rest in [{u: ("a" if u < size else "b", 0) for u in range(1, size + others)}]
    for frames in [(unit_data({0: ("a", 0), **rest}), unit_data({0: ("a", 1), **rest}))]
)
_by_strata = lambda frame, source, *, drawn: stratified_sample(
    frame, source, stratum=lambda record: record[0], sizes=fixed({"a": drawn, "b": 1})
)
inside = worst_releases(
    "1 of 2, 1 of 3 and 2 of 3 units in the stratum of the unit whose answer changes, 1 of 1 or 2 in another",
    "n N",
    _changed_inside,
)

at_rate_of_sample = lambda p, q, g, gamma: (
    not keeps_replaced(g, gamma) or released(p, g) <= all_or_nothing(1 / 3, gamma) * released(q, g)
)

own("survey.sampling.fixed-strata", "dissertation, section 6.4.1")(
    """Where sample sizes of strata are fixed and a record changes within its stratum, stratified simple random sampling
    amplifies at the rate of this stratum: the smallest epsilon' is log(1 + n_h/N_h [e^epsilon - 1]), as for every
    design under which the unit is exchangeable with the others of its stratum.""",
    every(inside, lambda p, q, y, gamma, n, N: bound_by_replaced(p, q, y, all_or_nothing(n / N, gamma), gamma)),
    mutant("at the rate of the whole sample", at_rate_of_sample),
    mutant("not amplified", lambda p, q, g, gamma: attained_replaced(p, q, g, gamma, gamma)),
    every(inside, lambda p, q, g, gamma, n, N: attained_replaced(p, q, g, all_or_nothing(n / N, gamma), gamma)),
    theorem(
        "amplification.stratified_amplified",
        "amplification.exchange_amplified",
        "amplification.exchange_inclusion",
        "coupling.coupled_amplified",
        within="finite frames; at most this, with delta too",
    ),
)
