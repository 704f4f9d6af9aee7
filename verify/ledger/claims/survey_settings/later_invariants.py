"""What invariants of a later stage cost, and which settings share them: dissertation, section 7.2.2."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.ledger import cases, every, mutant, own, some, state
from stirred.verify.ledger.claims.multiverse.words import stated_bound
from stirred.verify.ledger.claims.survey_settings.settings import given_to
from stirred.verify.ledger.claims.survey_settings.words import (
    Runs,
    data_of,
    every_pair,
    flavors,
    given_data,
    lie_in,
    surveys_of,
    weighted_town,
)
from stirred.verify.ledger.words import hamming, multiplicative, together

given_last = lambda runs, fixed, k: {data_of(runs, k)} if fixed == 0 else given_data(runs, fixed - 1, k)
at_one_budget = lambda universes, gamma: {u: gamma for u in universes}


def _surveys() -> Iterator[tuple[Runs]]:
    yield from weighted_town
    yield from ((runs,) for runs in surveys_of(2, 2, 2, 2))


_SHOWN = f"{weighted_town.scope}; {flavors.scope.split(';')[0]}"
some_surveys = cases(
    f"{_SHOWN}; each level, with its first i and its first j > i stages invariant",
    "runs k i j",
    lambda: (
        (runs, k, i, j)
        for (runs,) in _surveys()
        for k in range(len(min(runs)))
        for j in range(1, k + 1)
        for i in range(j)
    ),
)

no_bound_shrinks = lambda runs, k, universes, other_universes: all(
    stated_bound(at_one_budget(universes, 2), d, x, y) <= stated_bound(at_one_budget(other_universes, 2), d, x, y)
    for d in [every_pair(data_of(runs, k))]
    for x, y in d
)
no_bound_grows = lambda runs, k, i, j: no_bound_shrinks(runs, k, given_to(runs, j, k), given_to(runs, i, k))

state("settings.later-invariants", "dissertation, section 7.2.2")(
    """Adding invariants will weaken the privacy guarantees provided by DP … In general, the later the stage of the
    pipeline that is kept invariant, the greater the reduction in privacy.""",
    every(some_surveys, lambda runs, k, i, j: no_bound_shrinks(runs, k, given_to(runs, i, k), given_to(runs, j, k))),
    mutant(
        "the data of that stage alone are invariant",
        lambda runs, k, i, j: no_bound_shrinks(runs, k, given_last(runs, i, k), given_last(runs, j, k)),
    ),
    mutant("the other way round", no_bound_grows),
    reading="""not strictly; for one budget, and where all steps up to a stage are invariant or none is, as in Figure
    7.2, no bound on a pair of data sets gets smaller by more of them""",
)

frames_and_samples = cases(
    f"{_SHOWN}; data sets from the sample on",
    "runs k",
    lambda: ((runs, k) for (runs,) in _surveys() for k in range(2, len(min(runs)))),
)

compares_no_more = lambda runs, k: all(
    together(u, x, y)
    for u in [given_to(runs, 0, k), given_to(runs, 1, k)]
    for v in given_to(runs, 2, k)
    for x in v
    for y in v
)
compares_fewer = lambda runs, k: (
    compares_no_more(runs, k)
    and any(not together(given_to(runs, 2, k), x, y) for u in given_to(runs, 1, k) for x in u for y in u)
)

state("settings.invariant-frame", "dissertation, section 6.6")(
    "treating the frame as invariant will increase the risks by limiting the space of neighboring datasets.",
    every(frames_and_samples, compares_no_more),
    mutant("in each survey", compares_fewer),
    some(frames_and_samples, compares_fewer),
    reading="""no pair is compared that is not compared with nothing invariant and with the population invariant, and in
    some survey fewer are; for the risks see settings.later-invariants""",
)

responding_from_one = lambda runs, k, j, phase: (
    k != 3 or j != 2 or lie_in(given_to(runs, j, k), given_data(runs, phase, k))
)
pairs_share_steps = lambda runs, k, j: (
    {(x, y) for u in given_to(runs, j, k) for x in u for y in u}
    == {(r[k], q[k]) for r in runs for q in runs if r[:j] == q[:j]}
)
pairs_share_last_step = lambda runs, k, j: (
    {(x, y) for u in given_last(runs, j, k) for x in u for y in u}
    == {(r[k], q[k]) for r in runs for q in runs if r[:j] == q[:j]}
)

state("settings.shared-steps", "dissertation, section 7.2.2")(
    """By taking some of these steps as invariant, DP's counterfactual comparisons are reduced to only those pairs of
    input datasets which share the same realization of the invariant steps. … Then DP only compares those responding
    samples (i.e. those counterfactual input datasets) which could have come from the same frame.""",
    every(some_surveys, pairs_share_steps),
    mutant("the data of the last invariant step alone", pairs_share_last_step),
    mutant("from the same sample", lambda runs, k, j: responding_from_one(runs, k, j, 2)),
    every(some_surveys, lambda runs, k, j: responding_from_one(runs, k, j, 1)),
    reading="""the data sets of a universe are those of all runs with one beginning; in Figure 7.2c they are responding
    samples of one frame. Universes that share only the data of the last invariant step may hold other pairs, where a
    later step looks further back""",
)


@cases(
    "frames of two of three persons; the augmented frame has the answer, 0 or 1, that each would give; a simple random "
    "sample of one answers by randomized response that tells the truth with probability 3/4",
    "frames laws gamma",
)
def asked_one() -> list[tuple[Any, ...]]:
    """By augmented frame: its frame, and the law of the released answer."""
    frames, laws = {}, {}
    for frame in (("ann", "bob"), ("ann", "cyd")):
        for said in product((0, 1), repeat=2):
            augmented = tuple(zip(frame, said, strict=True))
            frames[augmented] = frame
            ones = sum(Fraction(3, 4) if answer else Fraction(1, 4) for answer in said) / 2
            laws[augmented] = {1: ones, 0: 1 - ones}
    return [(frames, laws, 3)]


there_is_no_amplification = lambda frames, laws, gamma: (
    [
        any(x != y and frames[x] == frames[y] for x in frames for y in frames),
        max(
            [
                multiplicative(laws[x], laws[y])
                for x in laws
                for y in laws
                if frames[x] == frames[y] and hamming(x, y) == 1
            ]
        )
        == gamma,
    ]
    == [True, True]
)
augmented_frame = lambda frames, laws, gamma: (
    [
        any(x != y and frames[x] == frames[y] for x in frames for y in frames),
        max(
            [
                multiplicative(laws[x], laws[y])
                for x in laws
                for y in laws
                if frames[x] == frames[y] and hamming(x, y) == 1
            ]
        )
        < gamma,
    ]
    == [True, True]
)

own("settings.augmented-frame", "dissertation, section 6.3, end", "dissertation, Example 6.2.2")(
    """Where the mechanism starts at the augmented frame, as it must if it includes the sampling, the frame may be
    invariant as well, which Table 6.1 has no place for: the augmented frames of one frame are comparable, and sampling
    can still amplify, since the loss between them is smaller than that of the answers themselves.""",
    every(asked_one, augmented_frame),
    mutant("there is no amplification", there_is_no_amplification),
)
