"""What invariance of a phase means, and what follows from it: dissertation, Definition 6.3.3 and the text after it."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

from stirred.verify.ledger import cases, every, incomplete, mutant, own, state, theorem
from stirred.verify.ledger.claims.multiverse.words import explicitly_comparable, sets_of
from stirred.verify.ledger.claims.survey_settings.words import (
    all_compared_share,
    data_of,
    flavors,
    given_data,
    invariances,
    invariant_at,
    one_of_two,
    three_samples,
    weighted_answers,
)
from stirred.verify.ledger.words import together

later_too = lambda found: all(found[j] or not found[i] for j in range(len(found)) for i in range(j))
earlier_too = lambda found: all(found[i] or not found[j] for j in range(len(found)) for i in range(j))
some_without_common = lambda runs, j, k, universes, d: any(
    not together(given_data(runs, j, k), x, y)
    for x in data_of(runs, k)
    for y in data_of(runs, k)
    if explicitly_comparable(universes, d, x, y)
)
one_source_each = lambda runs, j, k: all(
    u == v or len(u & v) == 0 for u in given_data(runs, j, k) for v in given_data(runs, j, k)
)

all_flavors = cases(
    f"{one_of_two.scope}; {three_samples.scope}; {flavors.scope}",
    "runs k universes d",
    lambda: chain(one_of_two, three_samples, flavors),
)
with_weights = cases(
    f"{weighted_answers.scope}; {flavors.scope}", "runs k universes d", lambda: chain(weighted_answers, flavors)
)

state("invariance.earlier-phases", "dissertation, section 6.3, after Definition 6.3.3")(
    "invariance at one level implies invariance at previous data pipeline phases",
    every(all_flavors, lambda runs, k, universes, d: earlier_too(invariances(runs, k, universes, d))),
    mutant("a later phase uses the frame too, as weights do", with_weights),
    mutant("at the phases after it", lambda runs, k, universes, d: later_too(invariances(runs, k, universes, d))),
    theorem("settings.earlier_invariance", "settings.earlier_invariance_needs_source", within="every domain"),
    reading="""each phase is made from the one before it, as section 6.3 says: 'The data output by each phase of this
    pipeline is fed into the subsequent phase as input'""",
)

data_sets_of_one_universe_for_comparable = lambda runs, k, universes, d: all(
    not found[j] or all(together(given_data(runs, j, k), x, y) for u in universes for x in u for y in u)
    for found in [invariances(runs, k, universes, d)]
    for j in range(k)
)
comparable = lambda runs, k, universes, d: all(
    not found[j] or all_compared_share(runs, j, k, universes, d)
    for found in [invariances(runs, k, universes, d)]
    for j in range(k)
)

state("invariance.comparable", "dissertation, section 6.3, after Definition 6.3.3")(
    """Population-invariance means that comparable frames (or samples or responding samples) must be from the same
    pseudo-population. (That is, a pair of frames are comparable only if they are constructed from the same
    pseudo-population.) Analogously, frame-invariance means that comparable sample datasets must be drawn from the same
    frame.""",
    every(all_flavors, comparable),
    mutant("data sets of one universe for comparable ones", data_sets_of_one_universe_for_comparable),
    theorem("settings.invariance_compares", within="every domain"),
    reading="under invariance some one data set of the phase gives both of two comparable ones",
)

only_pairs_share_frames = lambda runs, k, universes, d: (
    not invariant_at(runs, 1, k, universes, d) and all_compared_share(runs, 1, k, universes, d)
)
universes_of_pairs = lambda runs, k, universes, d: only_pairs_share_frames(
    runs, k, sets_of((x, y) for u in universes for x in u for y in u), d
)

own("invariance.pairs-alone", "dissertation, section 6.3, after Definition 6.3.3")(
    """Comparable samples may all be from the same frame, pair by pair, although the flavor is frame-agnostic: with
    a simple random sample of one from a frame of two out of three persons, two samples share a frame and three do
    not.""",
    every(one_of_two, lambda runs, k, universes, d: only_pairs_share_frames(runs, k, universes, d)),
    mutant("the universes are pairs of samples", universes_of_pairs),
    theorem("settings.agnostic_refuted", within="that three samples may share frames pair by pair"),
)


@cases(f"{all_flavors.scope}; those phases whose data sets give equal or disjoint sets", "runs j k universes d")
def of_one_source() -> Iterator[tuple[Any, ...]]:
    for runs, k, universes, d in all_flavors:
        for j in range(k):
            sources: dict[Any, set[Any]] = {}
            for run in runs:
                sources.setdefault(run[j], set()).add(run[k])
            given = set(map(frozenset, sources.values()))
            if sum(map(len, given)) == len(frozenset[Any]().union(*given)):
                yield runs, j, k, universes, d


all_phases = cases(
    f"{all_flavors.scope}; all phases",
    "runs j k universes d",
    lambda: (
        (runs, j, k, universes, dict(sorted(d.items(), key=repr)))  # whatever the order in which sets are listed
        for runs, k, universes, d in all_flavors
        for j in range(k)
    ),
)

invariant_iff_compared_share = lambda runs, j, k, universes, d: (
    invariant_at(runs, j, k, universes, d) == all_compared_share(runs, j, k, universes, d)
)
one_source_and_iff = lambda runs, j, k, universes, d: (
    one_source_each(runs, j, k) and invariant_iff_compared_share(runs, j, k, universes, d)
)

own("invariance.one-source", "dissertation, section 6.3, after Definition 6.3.3")(
    """Where the data sets of a phase give equal or disjoint sets of data sets, a flavor is invariant at it iff any two
    comparable data sets are from the same one.""",
    every(of_one_source, one_source_and_iff),
    theorem("settings.invariance_iff_compares", within="one source of each data set"),
    mutant("they may overlap", every(all_phases, invariant_iff_compared_share)),
    repairs="invariance.agnostic",
)

invariant_or_without_common = lambda runs, j, k, universes, d: (
    invariant_at(runs, j, k, universes, d) or some_without_common(runs, j, k, universes, d)
)

state("invariance.agnostic", "dissertation, section 6.3, after Definition 6.3.3")(
    "Frame-agnosticism implies that there are two comparable samples which are drawn from different frames.",
    every(all_phases, invariant_or_without_common),
    reading="""the denial of what the paragraph before says of invariance, that comparable samples 'must be drawn from
    the same frame' (invariance.comparable): for two of them no frame gives both; the other phases likewise. That one of
    two samples could have come from a frame that cannot give the other is so of nearly every flavor, and would say
    nothing""",
    grade=incomplete("that each sample is of one frame; pair by pair samples may share frames, and three not"),
    refuted_by=["settings.agnostic_refuted"],
)
