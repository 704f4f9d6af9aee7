"""What chapter 7 says of mechanisms in a survey's pipeline, and section 8.4 of the Five Safes."""

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from stirred.verify.ledger import cases, every, mutant, state
from stirred.verify.ledger.claims.survey_privacy.words import (
    drawn,
    known,
    loss_of,
    loss_of_unit,
    neighbor_loss,
    noisy_count,
    releases,
    simple_random,
    survey,
    surveys,
    vectors,
)
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get, oo
from stirred.verify.ledger.words import mixed

# what chapter 7 says of mechanisms in a survey's pipeline: what is known beside a release, designs, later steps

_SECTION = "dissertation, section 7.2.2"

counted = cases(
    "noisy counts of simple random samples of 1 of 2 and 2 of 3 units, e^epsilon = 3/2 and 3", "frames design T"
)(
    lambda: (
        (vectors(units), simple_random(units, size), kernel)
        for (size, units), g in product(((1, 2), (2, 3)), (Fraction(3, 2), Fraction(3)))
        for kernel in [{x: law for x, law in noisy_count(size, g).items() if len(x) == size}]
    )
)
without_sampling = cases(
    f"{counted.scope} (T); noisy counts of the same samples with e^epsilon' = 1 + n/N (e^epsilon - 1) (U)",
    "frames design T U",
)(
    lambda: (
        (vectors(units), simple_random(units, size), *kernels)
        for (size, units), g in product(((1, 2), (2, 3)), (Fraction(3, 2), Fraction(3)))
        for budgets in [(g, 1 + Fraction(size, units) * (g - 1))]
        for kernels in [[{x: law for x, law in noisy_count(size, b).items() if len(x) == size} for b in budgets]]
    )
)

mean_error = lambda T, x: sum(T[x][t] * abs(t - sum(x)) for t in T[x])
amplified_alike = lambda frames, T, U, designs: all(
    loss_of(survey(frames, d, T)) == loss_of(U) < loss_of(T) for d in designs
)
amplified_with_less_error = lambda frames, design, T, U: (
    amplified_alike(frames, T, U, [design]) and all(mean_error(T, x) < mean_error(U, x) for x in T)
)
errs_half_as_much = lambda T, U: all(mean_error(T, x) < 1 / 2 * mean_error(U, x) for x in T)
amplified_by_certain_samples = lambda frames, design, T, U: amplified_alike(frames, T, U, [{s: 1} for s in design])

state("survey.sampling-step.utility", _SECTION)(
    """Secondly, as we will describe in Section 7.3, including the sampling step within the data-release mechanism can
    amplify DP's privacy guarantees without degrading data utility.""",
    every(without_sampling, amplified_with_less_error),
    mutant("it errs by more than twice as much", errs_half_as_much),
    mutant("which units are drawn is certain", amplified_by_certain_samples),
    reading="""simple random samples: the release of one sample has a smaller budget where the sampling is part of the
    mechanism; one that starts at the sample must have more noise to have that budget""",
)

loses_as_known = lambda frames, design, T, loss: loss_of(survey(frames, design, T)) < loss == loss_of(T)

state("survey.known-sample.nullified", _SECTION)(
    """However, this privacy amplification can be nullified if the attacker knows that the record they are attacking is
    in the sample (Bailie and Drechsler, 2024).""",
    every(counted, lambda frames, design, T: loses_as_known(frames, design, T, neighbor_loss(frames, design, T))),
    mutant(
        "that another record is in the sample",
        lambda frames, design, T: loses_as_known(frames, design, T, loss_of_unit(known(frames, design, T, 1), 0)),
    ),
    mutant("whatever the mechanism", surveys),
    reading="for some mechanisms the sharpest bound on the attacker's ratios (6.2) is that of the mechanism on samples",
)

# q releases a pair (t, m), of which m is what the attacker knows beside the output t
output_alone = lambda q: {x: {t: sum(q[x][k] for k in q[x] if k[0] == t) for t in {k[0] for k in q[x]}} for x in q}
tells_nothing_more = lambda q: all(
    get(q[x], k, 0) * get(p[y], k[0], 0) == get(q[y], k, 0) * get(p[x], k[0], 0)
    for p in [output_alone(q)]
    for x in q
    for y in q
    for k in set(q[x]) | set(q[y])
)


def _with_sample(size: int, gamma: Fraction) -> dict[Any, dict[Any, Fraction]]:
    counts, design = noisy_count(size, gamma), simple_random(size + 1, size)
    found: dict[Any, dict[Any, Fraction]] = {}
    for frame in vectors(size + 1):
        law: dict[Any, Fraction] = {}
        for units, share in design.items():
            for t, one in counts[tuple(frame[j] for j in units)].items():
                law[t, units] = law.get((t, units), Fraction(0)) + share * one
        found[frame] = law
    return found


@cases(
    "an answer flipped with probability 1/4, with whether it was flipped; noisy counts of 1 of 2 and 2 of 3 units, "
    "e^epsilon = 3, with the units of the sample",
    "q",
)
def intermediary() -> Iterator[Any]:
    kept, flipped = Fraction(3, 4), Fraction(1, 4)
    yield {(x,): {(x, 0): kept, (1 - x, 1): flipped} for x in (0, 1)}
    yield from (_with_sample(size, Fraction(3)) for size in (1, 2))


@cases(
    "the three above; an answer flipped with probability 1/4 with its parity and with a coin of its own; 60 fixed "
    "random laws of an output and a bit known beside it, in twelfths, on two data sets",
    "q",
)
def known_beside() -> Iterator[Any]:
    yield from (q for (q,) in intermediary)
    kept, flipped = Fraction(3, 4), Fraction(1, 4)
    told = {(x,): {x: kept, 1 - x: flipped} for x in (0, 1)}
    yield {x: {(t, t % 2): share for t, share in law.items()} for x, law in told.items()}
    yield {x: {(t, coin): share / 2 for t, share in law.items() for coin in (0, 1)} for x, law in told.items()}
    chosen, pairs = random.Random(7), list(product((0, 1), repeat=2))  # noqa: S311 fixed cases, not secrets
    laws = [law for law in laws_of(4, 12) if len(law) == 4]
    for _ in range(60):
        rows = [chosen.choice(laws) for _ in range(2)]
        yield {(x,): dict(zip(pairs, rows[x].values(), strict=True)) for x in (0, 1)}


weakened = lambda q: loss_of(q) > loss_of(output_alone(q))

state("survey.intermediary.weakened", _SECTION)(
    """More generally, if the attacker has knowledge about information intermediary to the DP mechanism (that is,
    information which is conditionally dependent on confidential data, or on the artificial noise introduced by the
    mechanism, conditioning on the output of the mechanism), the privacy guarantees afforded by DP can be weakened.""",
    every(intermediary, lambda q: not tells_nothing_more(q) and weakened(q)),
    every(known_beside, lambda q: not tells_nothing_more(q) or loss_of(q) == loss_of(output_alone(q))),
    mutant("by any information", weakened),
    reading="""who knows it beside the output may lose more than the output's budget, and only then: information that,
    given the output, does not depend on the data changes nothing""",
)

designs = cases("every function from the frames of two units with records 0 and 1 to two designs", "d")(
    lambda: (
        case
        for frames in [vectors(2)]
        for case in (dict(zip(frames, chosen, strict=True)) for chosen in product("ab", repeat=len(frames)))
    )
)

state("survey.design.direct", _SECTION)(
    """Therefore, because the choice of the sampling design is often dependent on data in the frame, the sampling design
    cannot be directly made public but instead can only be released by including it in the set of DP-protected survey
    outputs.""",
    every(designs, lambda d: (loss_of({f: {d[f]: 1} for f in d}) == oo) == (len({d[f] for f in d}) > 1)),
    mutant(
        "whatever it depends on", lambda d: (loss_of({f: {d[f]: 1} for f in d}) == oo) == (len({d[f] for f in d}) >= 1)
    ),
    every(designs, lambda d: (loss_of({f: {d[f]: 1} for f in d}) == 1) == (len({d[f] for f in d}) == 1)),
    reading="""a design that is a function of the frame's records, where the frame is protected and not invariant: its
    release has an infinite loss wherever it depends on them, and none where it does not""",
)

released_designs = cases("all mechanisms that release one of two designs by the frame of two units, in thirds", "p")(
    lambda: (dict(zip(vectors(2), chosen, strict=True)) for chosen in product(laws_of(2, 3), repeat=4))
)

noise_needed = lambda p: loss_of(p) == oo or all(p[f] == p[h] for f in p for h in p) or all(len(p[f]) > 1 for f in p)

state("survey.design.noise", "dissertation, section 7.7")(
    """Yet, as outlined in Subsection 7.2.2, if the sampling design was chosen with reference to the frame (as is often
    the case), then DP requires noise to be added to it before it can be published.""",
    every(released_designs, noise_needed),
    mutant("wherever the loss is finite", lambda p: loss_of(p) == oo or all(len(p[f]) > 1 for f in p)),
    reading="a release of the design that depends on the frame's records, with a finite loss, is random at every frame",
)


@cases(
    "all mechanisms of two data sets with three outcomes in thirds, and 12 fixed random later steps: a law on two "
    "outcomes in quarters for each data set and output",
    "p later",
)
def continued() -> Iterator[tuple[Any, ...]]:
    chosen = random.Random(73)  # noqa: S311 fixed cases, not secrets
    laws = laws_of(2, 4)
    steps = [{(x, t): chosen.choice(laws) for x in (0, 1) for t in range(3)} for _ in range(12)]
    for rows, step in product(product(laws_of(3, 3), repeat=2), steps):
        yield {(x,): law for x, law in enumerate(rows)}, step


continued_law = lambda law, later, x: {(t, u): law[t] * later[x, t][u] for t in law for u in later[x, t]}
ended_law = lambda law, later, x: mixed(law, {t: later[x, t] for t in law})

state("survey.post-processing.extended", "dissertation, section 7.2.2, footnote 3")(
    """On the other hand, any data-release mechanism can always be extended to one which ends with the final step of the
    survey pipeline, and any DP guarantees afforded to the original mechanism automatically carry over to the extended
    one by the post-processing theorem. (The post-processing theorem states that any function of a DP mechanism's output
    - i.e. any "post-processing" - also satisfies DP with (at most) the same privacy loss.)""",
    every(continued, lambda p, later: loss_of({x: ended_law(p[x], later, 0) for x in p}) <= loss_of(p)),
    mutant("of the data too", lambda p, later: loss_of({x: ended_law(p[x], later, x[0]) for x in p}) <= loss_of(p)),
    reading="the steps added are random functions of the output",
)

state("survey.post-processing.later-steps", "dissertation, section 7.2.2, footnote 5")(
    """If the preliminary steps of a data-release mechanism, taken on their own, satisfy DP, then the later steps of the
    mechanism do not need to be algorithmized, because the post-processing theorem ensures that the mechanism as a whole
    always satisfies DP regardless of what the later steps do. All that must be checked is that the later steps only use
    the DP outputs from the preliminary steps, and not some other data.""",
    every(continued, lambda p, later: loss_of({x: continued_law(p[x], later, 0) for x in p}) == loss_of(p)),
    mutant(
        "later steps that use the data too",
        lambda p, later: loss_of({x: continued_law(p[x], later, x[0]) for x in p}) <= loss_of(p),
    ),
    reading="with the budget of the preliminary steps, whose outputs are published too",
)

both_fresh = lambda p, q: {x: {(t, u): p[x][t] * q[x][u] for t in p[x] for u in q[x]} for x in p}
of_one_sample = lambda frames, design, T: (
    {
        f: {
            (t, u): sum(design[s] * T[drawn(f, s)][t] * T[drawn(f, s)][u] for s in design)
            for t in releases(T)
            for u in releases(T)
        }
        for f in frames
    }
)
of_two_samples = lambda frames, design, T: both_fresh(survey(frames, design, T), survey(frames, design, T))

twice = cases("all pairs of mechanisms of two data sets with two outcomes in quarters", "p q")(
    lambda: product([{(x,): law for x, law in enumerate(rows)} for rows in product(laws_of(2, 4), repeat=2)], repeat=2)
)

fresh_within = lambda p, q, factor: loss_of(both_fresh(p, q)) <= loss_of(p) * factor

state("survey.composition.fresh", "dissertation, section 7.2.2, footnote 4", "dissertation, section 8.4")(
    """For example, the composition theorem for pure epsilon-DP states that: if there are K mechanisms M_1, …, M_K,
    which all satisfy pure epsilon-DP and all have the same input dataset, then the total privacy loss … is bounded by
    the sum over k of the privacy losses epsilon_k of each mechanism M_k. Existing composition theorems assume that the
    noise added by each mechanism is "fresh", i.e., independent of everything else.""",
    every(twice, lambda p, q: fresh_within(p, q, loss_of(q))),
    mutant("the first budget alone", lambda p, q: fresh_within(p, q, 1)),
    mutant("the larger of the two", lambda p, q: loss_of(both_fresh(p, q)) <= max(loss_of(p), loss_of(q))),
    reading="""two mechanisms of independent noise; section 8.4 says that 'the privacy loss budgets of two mechanisms
    may be composed - often the case added - to yield the overall budget pertaining to both', so that a custodian 'may
    choose to divide the budget across a number of projects'""",
)

state("survey.composition.dependent", _SECTION)(
    """Firstly, starting the DP mechanism earlier can complicate the computation of the cumulative privacy loss across
    multiple data-release mechanisms because DP's composition theorems are not applicable when there is dependence
    between the mechanisms' noise terms (which can happen, for example, when their sampling designs are dependent)
    (Bailie and Drechsler, 2024).""",
    every(
        counted,
        lambda frames, design, T: loss_of(of_one_sample(frames, design, T)) > loss_of(survey(frames, design, T)) ** 2,
    ),
    mutant(
        "of two independent samples",
        lambda frames, design, T: loss_of(of_two_samples(frames, design, T)) > loss_of(survey(frames, design, T)) ** 2,
    ),
    reading="two releases of one sample may lose more than the sum of the budgets of the frame level",
)

_MEANS = cases("data sets of 1 to 6 records 0 or 1", "n x")(lambda: ((n, x) for n in range(1, 7) for x in vectors(n)))

largest_mean_change = lambda x, n, more: (
    max(abs(sum(x) - sum(x[:i] + [1 - x[i]] + x[i + 1 :])) for i in range(n)) / n == 1 / (n + more)
)

state("survey.proportion.sensitivity", "dissertation, section 7.1")(
    """(for example, the sensitivity of a proportion under bounded epsilon-DP is simply 1/n, where n is the number of
    records in the database)""",
    every(_MEANS, lambda n, x: largest_mean_change(x, n, 0)),
    mutant("1/(n + 1)", lambda n, x: largest_mean_change(x, n, 1)),
)

# what section 8.4 says of differential privacy within the Five Safes, where it can be checked

renamed_kernel = lambda p, names: {[names[r] for r in x]: p[x] for x in p}
renamed_beside = lambda p, names, r: {[names[x[0]] if x[1] == r else x[0], x[1]]: p[x] for x in p}
with_public = lambda p, q, share: (
    {x: {(k, t): (share if k == 0 else 1 - share) * [p, q][k][x][t] for k in (0, 1) for t in [p, q][k][x]} for x in p}
)


@cases(
    "40 fixed random mechanisms of two records from 'milk', 'tea' and 'none', two outcomes in twelfths; these "
    "renamed in every order as 'asthma', 'cancer' and 'flu'",
    "p names",
)
def of_drinks() -> Iterator[tuple[Any, ...]]:
    chosen = random.Random(84)  # noqa: S311 fixed cases, not secrets
    laws, drinks = [law for law in laws_of(2, 12) if len(law) == 2], ("milk", "tea", "none")
    for _ in range(40):
        kernel = {x: chosen.choice(laws) for x in vectors(2, drinks)}
        for illnesses in permutations(("asthma", "cancer", "flu")):
            yield kernel, dict(zip(drinks, illnesses, strict=True))


of_shuffled = cases(
    "the same mechanisms; the first record renamed within these in every order, beside 'milk' alone", "p names"
)(
    lambda: (
        case
        for drinks in [("milk", "tea", "none")]
        for seen in [[p for number, (p, _) in enumerate(of_drinks) if number % 6 == 0]]
        for case in product(seen, (dict(zip(drinks, order, strict=True)) for order in permutations(drinks)))
    )
)

loses_as_renamed = lambda p, names: loss_of(renamed_kernel(p, names)) == loss_of(p)

state("survey.context.same-structure", "dissertation, Remark 8.4.2")(
    """It is, however, agnostic to the nature of the data at hand. A differential privacy mechanism will treat two
    datasets identically so long as they possess identical mathematical structures, even though one may be highly
    sensitive in nature (e.g. records of patients suffering from a socially stereotyped disease) while the other is not
    (e.g. a log of dairy preferences of customers at a coffee shop).""",
    every(of_drinks, loses_as_renamed, identity="no name enters the definition of a loss"),
    mutant(
        "data sets are renamed one by one, so that others are neighbors",
        every(of_shuffled, lambda p, names: loss_of(renamed_beside(p, names, "milk")) == loss_of(p)),
    ),
    reading="""what a mechanism loses does not depend on what its records are called: the structure is which data sets
    are neighbors""",
)

chosen_openly = cases(
    "all pairs of mechanisms on two data sets with two outcomes in quarters, of which a coin with probability 1/2 or "
    "1/5 that does not see the data chooses one, and which one is published",
    "p q share",
)(
    lambda: (
        case
        for kernels in [[{(x,): law for x, law in enumerate(rows)} for rows in product(laws_of(2, 4), repeat=2)]]
        for case in product(kernels, kernels, (Fraction(1, 2), Fraction(1, 5)))
    )
)

state("survey.context.transparent", "dissertation, Remark 8.4.3", "dissertation, section 4.5.1")(
    """Indeed, one of the celebrated feature of differential privacy is that the privacy mechanism can be entirely
    transparent without sabotaging the privacy guarantee.""",
    every(
        chosen_openly,
        lambda p, q, share: loss_of(with_public(p, q, share)) == max(loss_of(p), loss_of(q)),
        identity="a coin that does not see the data has no loss, for all pairs of mechanisms",
    ),
    mutant(
        "what the better one does", lambda p, q, share: loss_of(with_public(p, q, share)) <= min(loss_of(p), loss_of(q))
    ),
    reading="where the mechanism is chosen without the data, publishing which one it was loses what the worse one does",
)
