"""Which settings there are: dissertation, Table 6.1, Figures 7.1 and 7.2, and what later invariants do."""

from collections.abc import Iterator
from typing import Any

from stirred.verify.ledger import cases, every, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.survey_settings.invariance import all_flavors, with_weights
from stirred.verify.ledger.claims.survey_settings.words import (
    all_compared_share,
    data_of,
    every_pair,
    full_frames,
    given_data,
    given_steps,
    invariances,
    lie_in,
    systematic_samples,
    town,
    unnamed_town,
    weighted_answers,
    weighted_samples,
    weighted_town,
)
from stirred.verify.ledger.words import together

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
