"""Which settings there are: dissertation, Table 6.1, Figures 7.1 and 7.2, and what later invariants do."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.claims.survey_settings.invariance import all_flavors, with_weights
from stirred.verify.claims.survey_settings.words import (
    Runs,
    flavors,
    full_frames,
    surveys_of,
    systematic_samples,
    town,
    unnamed_town,
    weighted_answers,
    weighted_samples,
    weighted_town,
)
from stirred.verify.ledger import cases, define, every, some, state, theorem

define(
    {
        # what the primitive multiverses of stage k, and the whole domain, are invariant at
        "asked_at(runs, k)": "[{data_of(runs, k)}] + [given_data(runs, j, k) for j in range(k)]",
        "settings_at(runs, k)": "set(invariances(runs, k, asked, every_pair(data_of(runs, k))) for asked in "
        "asked_at(runs, k))",
        "first_ones(k)": "[[j < n for j in range(k)] for n in range(k + 1)]",
        "given_to(runs, fixed, k)": "{data_of(runs, k)} if fixed == 0 else given_steps(runs, fixed - 1, k)",
        "given_last(runs, fixed, k)": "{data_of(runs, k)} if fixed == 0 else given_data(runs, fixed - 1, k)",
        "at_one_budget(universes, gamma)": "{u: gamma for u in universes}",
    }
)

_EACH_DRAWN = "every survey whose phases are each made from the one before, all data sets of a phase; every premetric"
_FITS = "invariances(runs, k, universes, d) in first_ones(k)"
_PAIRS_FIT = "[all_compared_share(runs, j, k, universes, d) for j in range(k)] in first_ones(k)"
_COUNTED = "[len(settings_at(runs, k)) for k in range({})] == {}"

_ALONE = "invariances(runs, 4, {{data_of(runs, 4)}}, every_pair(data_of(runs, 4))) == [{}]"

state(
    "settings.ten",
    "dissertation, section 6.3, end",
    "dissertation, Table 6.1",
    "dissertation, section 6.6",
    printed="we identify ten settings (which together exhaust the potential options for where the DP mechanism starts "
    "and which phases are taken as invariant): one setting for population-level flavors; two for frame-level flavors; "
    "three for sample-level flavors; and four for responding-sample-level flavors … Moreover, the data custodian must "
    "necessarily choose a setting - they cannot implement DP without first deciding (perhaps implicitly) where the DP "
    "mechanism starts and which pre-processing steps are taken as invariant.",
    reading="a flavor at the k-th level is invariant, by Definition 6.3.3, at the first n earlier phases for one n "
    "from 0 to k - 1, named or not, and each of these k settings is that of a flavor: 1 + 2 + 3 + 4. So it is, too, if "
    "invariance is read pair by pair",
    checks=[
        every(all_flavors, _FITS),
        every(all_flavors, _PAIRS_FIT),
        every(town, _COUNTED.format(4, [1, 2, 3, 4])),
        theorem("settings.ten_settings", "settings.settings_are_patterns", within=_EACH_DRAWN),
    ],
    mutants={
        "a later phase uses the frame too, as weights do": every(with_weights, _FITS),
        "two for population-level flavors": every(town, _COUNTED.format(4, [2, 2, 3, 4])),
    },
)

state(
    "settings.ten-different",
    "dissertation, section 6.6",
    printed="Section 6.3 formalized these ten settings into ten different conditions on the DP flavor.",
    reading="there is a survey in which for each two settings of a level some flavor is in one of them alone",
    checks=[some(town, "sum(len(settings_at(runs, k)) for k in range(4)) == 10")],
    mutants={"eleven": some(town, "sum(len(settings_at(runs, k)) for k in range(4)) == 11")},
)

state(
    "settings.fifteen",
    "dissertation, Figure 7.1",
    claim="With the processed data, made from the responding sample alone, for a fifth level there are fifteen "
    "settings, five of them at that level.",
    checks=[every(town, _COUNTED.format(5, [1, 2, 3, 4, 5]))],
    mutants={"four at that level": every(town, _COUNTED.format(5, [1, 2, 3, 4, 4]))},
)

state(
    "settings.all-from-one",
    "dissertation, section 6.3, after Definition 6.3.3",
    claim="A flavor that takes nothing as invariant, with the multiverse {D_0}, is population-invariant and "
    "frame-invariant in the sense of Definition 6.3.3 where one frame can give all of D_0, as it can where the data "
    "have no names: settings are distinct in some surveys, and not in each.",
    checks=[every(unnamed_town, _ALONE.format("True, True, False, False"))],
    mutants={"at the sample too": every(unnamed_town, _ALONE.format("True, True, True, False"))},
)

_SAME_SAMPLES = "lie_in(given_data(runs, 0, 2), given_data(runs, 1, 2))"

state(
    "settings.full-frame",
    "dissertation, section 6.3, after Definition 6.3.3",
    claim="Where a frame may miss nobody and the sample is a simple random sample of fixed size, each "
    "population-invariant flavor of samples is frame-invariant in the sense of Definition 6.3.3, since the full frame "
    "can give all samples of its population; where samples have their design weights, or are drawn otherwise, it need "
    "not be: of abcd a systematic sample of two is ac or bd, and of ab it is ab.",
    checks=[
        every(full_frames, _SAME_SAMPLES),
        every(weighted_samples, f"not {_SAME_SAMPLES}"),
        every(systematic_samples, f"not {_SAME_SAMPLES}"),
    ],
    mutants={
        "where frames miss someone": every(town, _SAME_SAMPLES),
        "a systematic sample": every(systematic_samples, _SAME_SAMPLES),
    },
)

_USES = "any(r[3] == q[3] and r[4] != q[4] and r[1] {} q[1] for r in runs for q in runs)"

state(
    "settings.data-used-later",
    "dissertation, Figure 7.1",
    printed="it should be noted that data from previous stages of a pipeline are often used in later stages. (For "
    "example, the frame is usually used in computing the survey weights during the production of the processed data.)",
    reading="there are such surveys: the processed data differ with the frame, the responding sample being the same",
    checks=[some(weighted_town, _USES.format("!="))],
    mutants={"the frame being the same": some(weighted_town, _USES.format("=="))},
)

_SKIPS = "invariances(runs, k, universes, d)[{}] and not invariances(runs, k, universes, d)[{}]"

state(
    "settings.skipped-stage",
    "dissertation, Figure 7.1",
    claim="Where the processed data are weighted by the frame, a flavor of them may be invariant at the responding "
    "sample and not at the frame, in the sense of Definition 6.3.3: one responding sample has other weights in another "
    "frame. It is then in none of the fifteen settings.",
    checks=[every(weighted_answers, f"{_SKIPS.format(3, 1)} and not {_FITS}")],
    mutants={"and not at the population": every(weighted_answers, _SKIPS.format(3, 0))},
)


@cases(f"{town.scope}; Figure 7.2: where each example starts, and how many stages are invariant", "runs k fixed")
def examples() -> Iterator[tuple[Any, ...]]:
    """(a) the processed data; (b) the frame, given the population; (c) the responding sample, given the frame too."""
    for (runs,) in town:
        yield from ((runs, 4, 0), (runs, 1, 1), (runs, 3, 2))


_EXAMPLE = (
    "invariances(runs, k, given_to(runs, {0}, k), every_pair(data_of(runs, k))) == [j < fixed for j in range(k)] and "
    "all(together(given_data(runs, fixed - 1, k), x, y) for u in given_to(runs, {0}, k) for x in u for y in u if "
    "fixed > 0)"
)

state(
    "settings.examples",
    "dissertation, Figure 7.2",
    printed="Figure (a) illustrates the standard approach in which there are no invariants and the data-release "
    "mechanism only executes the final step of the survey pipeline … In Figure (b), the mechanism begins with the "
    "frame and includes the sampling, responding and processing steps. The population is considered invariant. In "
    "Figure (c), the mechanism takes as input the responding sample. Both the population and the frame are taken as "
    "invariant, so that DP only compares samples from the same frame.",
    reading="universes are what one beginning of the pipeline, up to where it branches, can lead to; each is in the "
    "setting that it is said to be in",
    checks=[every(examples, _EXAMPLE.format("fixed"))],
    mutants={"one invariant stage less in (b) and (c)": every(examples, _EXAMPLE.format("max(0, fixed - 1)"))},
)


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

_BOUNDS = (
    "all(stated_bound(first, d, x, y) <= stated_bound(later, d, x, y) for first in [at_one_budget({0}(runs, i, k), 2)] "
    "for later in [at_one_budget({0}(runs, j, k), 2)] for d in [every_pair(data_of(runs, k))] for x, y in d)"
)

state(
    "settings.later-invariants",
    "dissertation, section 7.2.2",
    printed="Adding invariants will weaken the privacy guarantees provided by DP … In general, the later the stage of "
    "the pipeline that is kept invariant, the greater the reduction in privacy.",
    reading="not strictly; for one budget, and where all steps up to a stage are invariant or none is, as in Figure "
    "7.2, no bound on a pair of data sets gets smaller by more of them",
    checks=[every(some_surveys, _BOUNDS.format("given_to"))],
    mutants={
        "the data of that stage alone are invariant": every(some_surveys, _BOUNDS.format("given_last")),
        "the other way round": every(some_surveys, _BOUNDS.format("given_to").replace("<=", ">=")),
    },
)

frames_and_samples = cases(f"{_SHOWN}; data sets from the sample on", "runs k")(
    lambda: ((runs, k) for (runs,) in _surveys() for k in range(2, len(min(runs))))
)
_NO_MORE = (
    "all(together(u, x, y) for u in [given_to(runs, 0, k), given_to(runs, 1, k)] for v in given_to(runs, 2, k) for x "
    "in v for y in v)"
)
_FEWER = (
    f"{_NO_MORE} and any(not together(given_to(runs, 2, k), x, y) for u in given_to(runs, 1, k) for x in u for y in u)"
)

state(
    "settings.invariant-frame",
    "dissertation, section 6.6",
    printed="treating the frame as invariant will increase the risks by limiting the space of neighboring datasets.",
    reading="no pair is compared that is not compared with nothing invariant and with the population invariant, and in "
    "some survey fewer are; for the risks see settings.later-invariants",
    checks=[every(frames_and_samples, _NO_MORE), some(frames_and_samples, _FEWER)],
    mutants={"in each survey": every(frames_and_samples, _FEWER)},
)

_SHARED = (
    "set((x, y) for u in {}(runs, j, k) for x in u for y in u) == set((r[k], q[k]) for r in runs for q in runs if "
    "r[:j] == q[:j])"
)
_FROM_ONE_FRAME = "k != 3 or j != 2 or lie_in(given_to(runs, j, k), given_data(runs, {}, k))"

state(
    "settings.shared-steps",
    "dissertation, section 7.2.2",
    printed="By taking some of these steps as invariant, DP's counterfactual comparisons are reduced to only those "
    "pairs of input datasets which share the same realization of the invariant steps. … Then DP only compares those "
    "responding samples (i.e. those counterfactual input datasets) which could have come from the same frame.",
    reading="the data sets of a universe are those of all runs with one beginning; in Figure 7.2c they are responding "
    "samples of one frame. Universes that share only the data of the last invariant step may hold other pairs, where a "
    "later step looks further back",
    checks=[every(some_surveys, _SHARED.format("given_to")), every(some_surveys, _FROM_ONE_FRAME.format(1))],
    mutants={
        "the data of the last invariant step alone": every(some_surveys, _SHARED.format("given_last")),
        "from the same sample": every(some_surveys, _FROM_ONE_FRAME.format(2)),
    },
)

_ANSWERS = (0, 1)


@cases(
    "frames of two of three persons; the augmented frame has the answer, 0 or 1, that each would give; a simple random "
    "sample of one answers by randomized response that tells the truth with probability 3/4",
    "frames laws gamma",
)
def asked_one() -> list[tuple[Any, ...]]:
    """By augmented frame: its frame, and the law of the released answer."""
    frames, laws = {}, {}
    for frame in (("ann", "bob"), ("ann", "cyd")):
        for said in product(_ANSWERS, repeat=2):
            augmented = tuple(zip(frame, said, strict=True))
            frames[augmented] = frame
            ones = sum(Fraction(3, 4) if answer else Fraction(1, 4) for answer in said) / 2
            laws[augmented] = {1: ones, 0: 1 - ones}
    return [(frames, laws, 3)]


_INSIDE = (
    "[any(x != y and frames[x] == frames[y] for x in frames for y in frames), max([multiplicative(laws[x], laws[y]) "
    "for x in laws for y in laws if frames[x] == frames[y] and hamming(x, y) == 1]) {} gamma] == [True, True]"
)

state(
    "settings.augmented-frame",
    "dissertation, section 6.3, end",
    "dissertation, Example 6.2.2",
    claim="Where the mechanism starts at the augmented frame, as it must if it includes the sampling, the frame may be "
    "invariant as well, which Table 6.1 has no place for: the augmented frames of one frame are comparable, and "
    "sampling can still amplify, since the loss between them is smaller than that of the answers themselves.",
    checks=[every(asked_one, _INSIDE.format("<"))],
    mutants={"there is no amplification": every(asked_one, _INSIDE.format("=="))},
)
