"""Which settings there are, and what invariance of a phase or of a later stage means and costs."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, product
from typing import Any

from stirred.verify.ledger import cases, every, incomplete, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.multiverse.words import explicitly_comparable, sets_of, stated_bound
from stirred.verify.ledger.claims.survey_settings.words import (
    Runs,
    all_compared_share,
    data_of,
    every_pair,
    flavors,
    full_frames,
    given_data,
    given_steps,
    invariances,
    invariant_at,
    lie_in,
    one_of_two,
    surveys_of,
    systematic_samples,
    three_samples,
    town,
    unnamed_town,
    weighted_answers,
    weighted_samples,
    weighted_town,
)
from stirred.verify.ledger.words import hamming, multiplicative, together

# what invariance of a phase means, and what follows from it: dissertation, Definition 6.3.3 and the text after it

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

all_flavors = cases(f"{one_of_two.scope}; {three_samples.scope}; {flavors.scope}", "runs k universes d")(
    lambda: chain(one_of_two, three_samples, flavors)
)
with_weights = cases(f"{weighted_answers.scope}; {flavors.scope}", "runs k universes d")(
    lambda: chain(weighted_answers, flavors)
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


all_phases = cases(f"{all_flavors.scope}; all phases", "runs j k universes d")(
    lambda: (
        (runs, j, k, universes, dict(sorted(d.items(), key=repr)))  # whatever the order in which sets are listed
        for runs, k, universes, d in all_flavors
        for j in range(k)
    )
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

# which settings there are: dissertation, Table 6.1, Figures 7.1 and 7.2, and what later invariants do

# what the primitive multiverses of stage k, and the whole domain, are invariant at
asked_at = lambda runs, k: [{data_of(runs, k)}] + [given_data(runs, j, k) for j in range(k)]
settings_at = lambda runs, k: {invariances(runs, k, asked, every_pair(data_of(runs, k))) for asked in asked_at(runs, k)}
first_ones = lambda k: [[j < n for j in range(k)] for n in range(k + 1)]
given_to = lambda runs, fixed, k: {data_of(runs, k)} if fixed == 0 else given_steps(runs, fixed - 1, k)

_EACH_DRAWN = "every survey whose phases are each made from the one before, all data sets of a phase; every premetric"

setting_counts = lambda runs, levels: [len(settings_at(runs, k)) for k in range(levels)]
paired = lambda runs, k, universes, d: [all_compared_share(runs, j, k, universes, d) for j in range(k)] in first_ones(k)

state("settings.ten", "dissertation, section 6.3, end", "dissertation, Table 6.1", "dissertation, section 6.6")(
    """we identify ten settings (which together exhaust the potential options for where the DP mechanism starts and
    which phases are taken as invariant): one setting for population-level flavors; two for frame-level flavors; three
    for sample-level flavors; and four for responding-sample-level flavors … Moreover, the data custodian must
    necessarily choose a setting - they cannot implement DP without first deciding (perhaps implicitly) where the DP
    mechanism starts and which pre-processing steps are taken as invariant.""",
    every(all_flavors, lambda runs, k, universes, d: invariances(runs, k, universes, d) in first_ones(k)),
    mutant("a later phase uses the frame too, as weights do", with_weights),
    every(all_flavors, paired),
    every(town, lambda runs: setting_counts(runs, 4) == [1, 2, 3, 4]),
    mutant("two for population-level flavors", lambda runs: setting_counts(runs, 4) == [2, 2, 3, 4]),
    theorem("settings.ten_settings", "settings.settings_are_patterns", within=_EACH_DRAWN),
    reading="""a flavor at the k-th level is invariant, by Definition 6.3.3, at the first n earlier phases for one n
    from 0 to k - 1, named or not, and each of these k settings is that of a flavor: 1 + 2 + 3 + 4. So it is, too, if
    invariance is read pair by pair""",
)

state("settings.ten-different", "dissertation, section 6.6")(
    "Section 6.3 formalized these ten settings into ten different conditions on the DP flavor.",
    some(town, lambda runs: sum(len(settings_at(runs, k)) for k in range(4)) == 10),
    mutant("eleven", lambda runs: sum(len(settings_at(runs, k)) for k in range(4)) == 11),
    reading="there is a survey in which for each two settings of a level some flavor is in one of them alone",
)

own("settings.fifteen", "dissertation, Figure 7.1")(
    """With the processed data, made from the responding sample alone, for a fifth level there are fifteen settings,
    five of them at that level.""",
    every(town, lambda runs: setting_counts(runs, 5) == [1, 2, 3, 4, 5]),
    mutant("four at that level", lambda runs: setting_counts(runs, 5) == [1, 2, 3, 4, 4]),
)

invariant_up_to_frame = lambda runs: (
    invariances(runs, 4, {data_of(runs, 4)}, every_pair(data_of(runs, 4))) == [True, True, False, False]
)
invariant_up_to_sample = lambda runs: (
    invariances(runs, 4, {data_of(runs, 4)}, every_pair(data_of(runs, 4))) == [True, True, True, False]
)

own("settings.all-from-one", "dissertation, section 6.3, after Definition 6.3.3")(
    """A flavor that takes nothing as invariant, with the multiverse {D_0}, is population-invariant and frame-invariant
    in the sense of Definition 6.3.3 where one frame can give all of D_0, as it can where the data have no names:
    settings are distinct in some surveys, and not in each.""",
    every(unnamed_town, invariant_up_to_frame),
    mutant("at the sample too", invariant_up_to_sample),
)

same_samples = lambda runs: lie_in(given_data(runs, 0, 2), given_data(runs, 1, 2))

own("settings.full-frame", "dissertation, section 6.3, after Definition 6.3.3")(
    """Where a frame may miss nobody and the sample is a simple random sample of fixed size, each population-invariant
    flavor of samples is frame-invariant in the sense of Definition 6.3.3, since the full frame can give all samples of
    its population; where samples have their design weights, or are drawn otherwise, it need not be: of abcd a
    systematic sample of two is ac or bd, and of ab it is ab.""",
    every(full_frames, same_samples),
    mutant("where frames miss someone", town),
    mutant("a systematic sample", systematic_samples),
    every(weighted_samples, lambda runs: not same_samples(runs)),
    every(systematic_samples, lambda runs: not same_samples(runs)),
)

differ_in_one_frame = lambda runs: any(r[3] == q[3] and r[4] != q[4] and r[1] == q[1] for r in runs for q in runs)

state("settings.data-used-later", "dissertation, Figure 7.1")(
    """it should be noted that data from previous stages of a pipeline are often used in later stages. (For example, the
    frame is usually used in computing the survey weights during the production of the processed data.)""",
    some(weighted_town, lambda runs: any(r[3] == q[3] and r[4] != q[4] and r[1] != q[1] for r in runs for q in runs)),
    mutant("the frame being the same", differ_in_one_frame),
    reading="there are such surveys: the processed data differ with the frame, the responding sample being the same",
)

skips_phase = lambda runs, k, universes, d, later, earlier: (
    invariances(runs, k, universes, d)[later] and not invariances(runs, k, universes, d)[earlier]
)
skipped_stage = lambda runs, k, universes, d: (
    invariances(runs, k, universes, d)[3]
    and not invariances(runs, k, universes, d)[1]
    and invariances(runs, k, universes, d) not in first_ones(k)
)

own("settings.skipped-stage", "dissertation, Figure 7.1")(
    """Where the processed data are weighted by the frame, a flavor of them may be invariant at the responding sample
    and not at the frame, in the sense of Definition 6.3.3: one responding sample has other weights in another frame. It
    is then in none of the fifteen settings.""",
    every(weighted_answers, skipped_stage),
    mutant("and not at the population", lambda runs, k, universes, d: skips_phase(runs, k, universes, d, 3, 0)),
)


@cases(f"{town.scope}; Figure 7.2: where each example starts, and how many stages are invariant", "runs k fixed")
def examples() -> Iterator[tuple[Any, ...]]:
    """(a) the processed data; (b) the frame, given the population; (c) the responding sample, given the frame too."""
    for (runs,) in town:
        yield from ((runs, 4, 0), (runs, 1, 1), (runs, 3, 2))


is_in_setting = lambda runs, k, fixed, steps: (
    invariances(runs, k, given_to(runs, steps, k), every_pair(data_of(runs, k))) == [j < fixed for j in range(k)]
    and all(
        together(given_data(runs, fixed - 1, k), x, y)
        for u in given_to(runs, steps, k)
        for x in u
        for y in u
        if fixed > 0
    )
)
is_in_setting_before = lambda runs, k, fixed: is_in_setting(runs, k, fixed, max(0, fixed - 1))

state("settings.examples", "dissertation, Figure 7.2")(
    """Figure (a) illustrates the standard approach in which there are no invariants and the data-release mechanism only
    executes the final step of the survey pipeline … In Figure (b), the mechanism begins with the frame and includes the
    sampling, responding and processing steps. The population is considered invariant. In Figure (c), the mechanism
    takes as input the responding sample. Both the population and the frame are taken as invariant, so that DP only
    compares samples from the same frame.""",
    every(examples, lambda runs, k, fixed: is_in_setting(runs, k, fixed, fixed)),
    mutant("one invariant stage less in (b) and (c)", is_in_setting_before),
    reading="""universes are what one beginning of the pipeline, up to where it branches, can lead to; each is in the
    setting that it is said to be in""",
)

# what invariants of a later stage cost, and which settings share them: dissertation, section 7.2.2

given_last = lambda runs, fixed, k: {data_of(runs, k)} if fixed == 0 else given_data(runs, fixed - 1, k)
at_one_budget = lambda universes, gamma: {u: gamma for u in universes}


def _surveys() -> Iterator[tuple[Runs]]:
    yield from weighted_town
    yield from ((runs,) for runs in surveys_of(2, 2, 2, 2))


_SHOWN = f"{weighted_town.scope}; {flavors.scope.split(';')[0]}"
some_surveys = cases(f"{_SHOWN}; each level, with its first i and its first j > i stages invariant", "runs k i j")(
    lambda: (
        (runs, k, i, j)
        for (runs,) in _surveys()
        for k in range(len(min(runs)))
        for j in range(1, k + 1)
        for i in range(j)
    )
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

frames_and_samples = cases(f"{_SHOWN}; data sets from the sample on", "runs k")(
    lambda: ((runs, k) for (runs,) in _surveys() for k in range(2, len(min(runs))))
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
