"""An attacker who looks for any record of the sample: the journalist of section 6.5.1."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from verify.claims.survey_privacy.words import (
    flipped_majority,
    noisy_count,
    poisson,
    simple_random,
    surveyed,
    surveys,
    vectors,
)
from verify.engines.zcdp.renyi_grid import laws_of
from verify.ledger import cases, define, every, misprint, state

_SECTION = "dissertation, section 6.5.1"
_PLACES = "unit i of the sample is the i-th that was drawn, in the frame's order"

define(
    {
        # the attacker's posterior of the sample's i-th record, from the joint law of frame, sample and release
        "sample_posterior(a, design, T, i, r, t)": """[sum(j[k] for k in j if drawn(k[0], k[1])[i] == r) /
            sum(j[k] for k in j) for j in [{(f, s): a[f] * design[s] * get(T[drawn(f, s)], t, 0) for f in a
            for s in design}]][0]""",
    }
)


@cases("those of the surveys above with samples of fixed size", "a frames design T")
def of_fixed_size() -> Iterator[tuple[Any, ...]]:
    for a, frames, design, kernel in surveyed.listed():
        if len({len(s) for s in design}) == 1:
            yield a, frames, design, kernel


_LINE = (
    "all(posterior_ratio(b, T, i, r, t) == sum(rest_share(b, i, rest) * record_given(b, i, r, rest) * "
    "sum(record_given(b, i, q, rest) * T[restored(rest, i, {record})][t] for q in believed_records(b, i)) for rest in "
    "rests(b, i)) / printed_denominator(b, T, i, r, t) for b in [sampled(a, design)] for i in range(size_of(b)) for r, "
    "t in asked(b, T, i))"
)

state(
    "survey.journalist.second-line",
    _SECTION,
    printed="= [sum over s^- of P_A(s^-) P_A(S_i = r | s^-) sum over r' of P_A(S_i = r' | s^-) P_{s^- u {r'}}(T = t)] "
    "/ [sum over s^- of P_A(s^-) P_A(S_i = r | s^-) sum over r' of P_A(S_i = r' | s^-) P_{s^- u {r'}}(T = t)]",
    reading=f"of the ratio of posteriors, the line before, as the text at hand has it; {_PLACES}",
    grade=misprint("the numerator has P_{s^- u {r}}, as in the line after it: as printed the ratio would always be 1"),
    checks=[every(of_fixed_size, _LINE.format(record="q"))],
)

define({"without_unit(design, i)": "normed({s: design[s] for s in design if i not in s})"})

_LEFT_OUT = (
    "all(loss_of_unit(survey(frames, without_unit(design, i), T), i) {} for i in range(size_of(frames)) if "
    "any(i not in s for s in design))"
)

state(
    "survey.journalist.influence",
    _SECTION,
    printed="In this situation, it makes sense for the journalist to focus on a record that is in the sample, since "
    "these records have the most influence on the data-release mechanism's output.",
    reading="given that a unit is not in the sample its record has no influence at all, where the design does not "
    "depend on the records; given that it is, that of survey.neighbor.not-amplified",
    checks=[every(surveys, _LEFT_OUT.format("== 1"))],
    mutants={"records that are not in the sample have some": every(surveys, _LEFT_OUT.format("> 1"))},
)

_INTERVAL = "ratios_within(sampled(a, design), T, (loss_of(T) + less) / (1 + less))"
_OF_JOINT = (
    "all(sample_posterior(a, design, T, i, r, t) == record_posterior(b, T, i, r, t) for b in [sampled(a, design)] "
    "for i in range(size_of(b)) for r, t in asked(b, T, i))"
)

state(
    "survey.journalist.interval",
    _SECTION,
    printed="P_A(S_i = r | T'(F*) = t) / P_A(S_i = r | T(psample[F*]) = t) … >= e^-epsilon. … Analogous working shows "
    "that this posterior-to-posterior ratio is bounded above by e^epsilon",
    reading=f"{_PLACES}; T(psample[F*]) is T of the sample with that record drawn again, given its others; epsilon the "
    "smallest",
    checks=[
        every(of_fixed_size, _OF_JOINT),
        every(of_fixed_size, _LINE.format(record="r")),
        every(of_fixed_size, _INTERVAL, less=0),
    ],
    mutants={"(e^epsilon + 1)/2 for e^epsilon": every(of_fixed_size, _INTERVAL, less=1)},
)


def _unordered() -> Iterator[tuple[int, int, dict[Any, Any]]]:
    """Mechanisms of binary samples that see no order, on samples of so many of so many units."""
    for size, units in combinations(range(1, 5), 2):
        for made, gamma in product((noisy_count, flipped_majority), (Fraction(3, 2), Fraction(3))):
            yield size, units, {x: law for x, law in made(size, gamma).items() if len(x) == size}
    chosen = random.Random(67)  # noqa: S311 fixed cases, not secrets
    laws = [law for law in laws_of(2, 6) if len(law) == 2]
    for size, units in ((2, 3), (2, 4), (3, 4)):
        for _ in range(10):
            by_count = [chosen.choice(laws) for _ in range(size + 1)]
            yield size, units, {x: by_count[sum(map(bool, x))] for x in vectors(size)}


def _attackers(*, is_highest: bool) -> Iterator[tuple[Any, ...]]:
    """Where the bound is achieved: those who find the record that makes the output likely, or unlikely, rare."""
    for size, units, kernel in _unordered():
        found = [(law[t] / kernel[(1 - x[0], *x[1:])][t], x, t) for x, law in kernel.items() for t in law]
        gamma, (record, *others), outcome = max(found, key=lambda one: one[0])
        rare = record if is_highest else 1 - record
        before = (1 - rare,) * (units - size)
        for w in (Fraction(1, 1000), Fraction(1, 20)):
            prior = {(*before, rare, *others): w, (*before, 1 - rare, *others): 1 - w}
            if gamma > 1:
                yield gamma, w, rare, outcome, prior, vectors(units), simple_random(units, size), kernel


_SCOPE = (
    "simple random samples without replacement of 1 to 3 of 2 to 4 units; noisy counts and flipped majorities with "
    "e^epsilon = 3/2 and 3, 30 random mechanisms of the number of records 1; where the bound is achieved at two "
    "records of the first unit and others' records: {} has there the probability w = 1/1000 or 1/20, the others' "
    "records stand after it, and all units before have the other record"
)
_NAMES = "g w r t a frames design T"
reaching = cases(_SCOPE.format("the likelier one"), _NAMES)(lambda: _attackers(is_highest=True))
reaching_below = cases(_SCOPE.format("the less likely one"), _NAMES)(lambda: _attackers(is_highest=False))

_RATIO = "posterior_ratio(sampled(a, design), T, 0, r, t)"
_NEAR = f"loss_of(T) == g and {_RATIO} {{}}"

state(
    "survey.journalist.achieved",
    _SECTION,
    printed="As in the previous subsection, if T is optimal then the above inequality is achieved for some choice of "
    "t, r and i. … and moreover, this bound is achieved when T is optimal.",
    reading=f"T sees a set of records; simple random samples; {_PLACES}; achieved, if only in the limit of attackers "
    "who find r less and less likely: at least e^epsilon/(1 + c w (e^epsilon - 1)), or at most 1/(e^epsilon - c w "
    "(e^epsilon - 1)), for the number c of samples",
    checks=[
        every(reaching, _NEAR.format(">= g / (1 + len(design) * w * (g - 1))")),
        every(reaching_below, _NEAR.format("<= 1 / (g - len(design) * w * (g - 1))")),
    ],
    mutants={"by an attacker": every(reaching, _NEAR.format("== g"))},
)

_OF_FRAME = "loss_of_unit(survey(frames, design, T), 0)"
_ABOVE = f"not loss_of(survey(frames, design, T)) < loss_of(T) or w > 1 / 1000 or {_RATIO} > {{}}"

state(
    "survey.levels.sample-record",
    _SECTION,
    printed="In fact, we will see in Subsection 6.5.1 that whenever there is privacy amplification due to sampling, a "
    "sample record's posterior-to-posterior ratio is not bounded within [e^-epsilon, e^epsilon] for an epsilon-DP "
    "mechanism at the frame-level.",
    reading="epsilon is the mechanism's smallest budget at the frame level; simple random samples, mechanisms on sets "
    f"of records; {_PLACES}",
    checks=[every(reaching, _ABOVE.format("loss_of(survey(frames, design, T))"))],
    mutants={
        "a frame record's": every(
            reaching, _ABOVE.replace(_RATIO, _OF_FRAME).format("loss_of(survey(frames, design, T))")
        )
    },
)

state(
    "survey.journalist.not-amplified",
    _SECTION,
    printed="Hence, as in the previous subsection, the additional privacy protection due to amplification from "
    "sampling is lost when the attacker targets an arbitrary record in the sample. That is, a sample record is not "
    "protected by the mechanism T' at the nominal privacy level epsilon' of T', but only at the privacy level epsilon.",
    reading="as for the sentences before; epsilon' the smallest",
    checks=[every(reaching, _ABOVE.format("loss_of(survey(frames, design, T))"))],
    mutants={"not at the level epsilon either": every(reaching, _ABOVE.format("loss_of(T)"))},
)


@cases(
    "Poisson samples of 3 units, given that two are in them; noisy counts with e^epsilon = 3/2 and 3; an attacker who "
    "finds the frame 0, 0, 0 likely, and 0, 1, 0 with probability 1/1000",
    "g a frames design T",
)
def poisson_samples() -> Iterator[tuple[Any, ...]]:
    whole = poisson((Fraction(1, 3), Fraction(1, 2), Fraction(4, 5)))
    of_two = {s: share for s, share in whole.items() if len(s) == 2}
    design = {s: share / sum(of_two.values()) for s, share in of_two.items()}
    for g in (Fraction(3, 2), Fraction(3)):
        kernel = {x: law for x, law in noisy_count(2, g).items() if len(x) == 2}
        yield g, {(0, 0, 0): Fraction(999, 1000), (0, 1, 0): Fraction(1, 1000)}, vectors(3), design, kernel


@cases("two draws with replacement of 2 and 3 units; noisy counts with e^epsilon = 3/2 and 3", "g frames design T")
def replaced() -> Iterator[tuple[Any, ...]]:
    for units, g in product((2, 3), (Fraction(3, 2), Fraction(3))):
        draws = list(product(range(units), repeat=2))
        kernel = {x: law for x, law in noisy_count(2, g).items() if len(x) == 2}
        yield g, vectors(units), dict.fromkeys(draws, Fraction(1, len(draws))), kernel


_BEYOND = (
    "loss_of(survey(frames, design, T)) < g and all(ratios_within(b, T, g) and posterior_ratio(b, T, 0, 1, 2) > {} for "
    "b in [sampled(a, design)])"
)
_REPLACED = "loss_of(survey(frames, design, T)) >= g or neighbor_loss(frames, design, T) > {}"

state(
    "survey.journalist.any-sampling",
    _SECTION,
    printed="Note that this result and the accompanying discussion applies more generally beyond the context of survey "
    "sampling. They holds for any DP mechanism T' which employs amplification by sampling.",
    reading="amplification is lost too under the other sampling that the chapter names: Poisson samples given their "
    "size, for a record of the sample, and draws with replacement where they amplify, for a unit known to be drawn",
    checks=[
        every(poisson_samples, _BEYOND.format("loss_of(survey(frames, design, T))")),
        every(replaced, _REPLACED.format("loss_of(survey(frames, design, T))")),
    ],
    mutants={
        "beyond e^epsilon": every(poisson_samples, _BEYOND.format("g")),
        "beyond e^(2 epsilon)": every(replaced, _REPLACED.format("g ** 2")),
    },
)

state(
    "survey.neighbor.with-replacement",
    _SECTION,
    claim="Where a unit may be drawn more than once, e^epsilon is no bound for an attacker who knows that it was "
    "drawn: it may be several records of the sample. So it is with noisy counts of two draws with replacement, where "
    "e^(2 epsilon) is one.",
    checks=[every(replaced, "loss_of(T) == g and g < neighbor_loss(frames, design, T) <= g ** 2")],
    mutants={"e^epsilon is a bound": every(replaced, "neighbor_loss(frames, design, T) <= g")},
)
