"""What a design does to the sensitivity of its estimate: stratification (section 6.4.4) and sizes (section 7.4)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

import verify.claims.survey_weights.bounds
import verify.claims.survey_weights.estimates  # noqa: F401 their words are used here
from spec.surveys.unit_data import UnitData
from verify.claims.survey_weights.words import Sample, drawn, frames_of, populations
from verify.ledger import cases, define, every, some, state

define(
    {
        # g: the stratum of each unit
        "sizes_in_strata(s, g)": "[sum(1 for u, x, w in s if g[u] == h) for h in range(2)]",
        "moved_units(s, t)": "[u for u, x, w in s if all(u != i for i, y, v in t)]",
        "within_strata(values, g)": "max([0] + [abs(values[i] - values[j]) for i in values for j in values if g[i] == "
        "g[j]])",
        "across_strata(values, g)": "max([0] + [abs(values[i] - values[j]) for i in values for j in values if g[i] != "
        "g[j]])",
        "values_by_unit(D)": "{u: x for s in D for u, x, w in s}",
        "has_one_weight(D)": "len(weights_in(D)) == 1",
    }
)

_STRATIFIED = ("stratified, one unit each", "stratified, proportional")


def _strata(population: UnitData) -> Mapping[Any, int]:
    return {unit: record[0] for unit, record in population}


def _universes(names: tuple[str, ...], *, several: bool) -> Iterator[tuple[Any, ...]]:
    for name in names:
        for population in populations((-1, 2, 3)):
            frames = frames_of(population)
            universes = [frozenset(drawn(name, frame)) for frame in frames]
            for universe in [frozenset[Sample]().union(*universes)] if several else universes:
                yield universe, _strata(population)


_FRAMES = (
    "populations of four units in two strata with x in {-1, 2, 3}; frames of all units or all but one; samples of two"
)
stratified = cases(f"{_FRAMES}, one unit of each stratum or proportional; of one frame", "D g")(
    lambda: _universes(_STRATIFIED, several=False)
)
of_frames = cases(f"{_FRAMES} or three, Neyman allocation; of all frames", "D g")(
    lambda: _universes(("stratified, Neyman",), several=True)
)
simple = cases(f"{_FRAMES}, simple random", "D g")(lambda: _universes(("simple random sampling",), several=False))

_SIZES = "all(sizes_in_strata(s, g) == sizes_in_strata(t, g) for s in D for t in D)"
_SAME = """all(g[i] == g[j] for s in D for t in D if other_records(s, t) == 1
    for i in moved_units(s, t) for j in moved_units(t, s))"""

state(
    "survey.strata.same",
    "dissertation, section 6.4.4",
    printed="For example, if the sampling design tau_f includes stratification, then the stratum sample sizes are "
    "constant between comparable sample datasets s, s'. Thus, if s and s' differ only on a single record, that record "
    "must belong to the same stratum in both s and s'.",
    reading="under frame invariance, as the passage has it, strata being known of units",
    checks=[every(stratified, _SIZES), every(stratified, _SAME)],
    mutants={
        "no stratification": every(simple, _SAME),
        "samples of several frames": every(of_frames, _SIZES),
    },
)


@cases(
    f"{_FRAMES}, one unit of each stratum; E beside D: all samples of two units with the weights that their units have",
    "D E g",
)
def unrestricted() -> Iterator[tuple[Any, ...]]:
    for universe, strata in _universes(("stratified, one unit each",), several=False):
        members = sorted(frozenset[tuple[Any, Any, Fraction]]().union(*universe))
        yield universe, frozenset(map(frozenset, combinations(members, 2))), strata


_SMALLER_WITHIN = "within_strata(values_by_unit(D), g) >= across_strata(values_by_unit(D), g)"

state(
    "survey.strata.reduced",
    "dissertation, section 6.4.4",
    printed="When the difference between the possible values of x_i within strata is smaller than their difference "
    "across strata …, the sensitivity of the Horvitz-Thompson estimator is reduced when the DP flavor is "
    "frame-invariant.",
    reading="compared with samples of any strata and the same weights: it is never larger, and it is smaller where all "
    "weights are equal",
    checks=[
        every(unrestricted, "neighbors_spread(D) <= neighbors_spread(E)"),
        every(
            unrestricted,
            f"{_SMALLER_WITHIN} or not has_one_weight(D) or neighbors_spread(D) < neighbors_spread(E)",
        ),
    ],
    mutants={
        "smaller with any weights": every(
            unrestricted, f"{_SMALLER_WITHIN} or neighbors_spread(D) < neighbors_spread(E)"
        ),
        "smaller for any values": every(
            unrestricted, "not has_one_weight(D) or neighbors_spread(D) < neighbors_spread(E)"
        ),
    },
)

define(
    {
        # frames of three units with sizes x and values y, of which n are drawn by size; the first record changes
        "can_be_drawn(x, n)": "n * max(x) <= sum(x)",
        "drawn_total(x, y, s, n)": "sum(sum(x) / (n * x[i]) * y[i] for i in s)",
        "with_fixed_weights(n, sizes, values)": """max(sum(x) / (n * x[i]) * range_of(values)
            for x in product(sizes, sizes, sizes) if can_be_drawn(x, n) for i in range(3))""",
        "with_changed_weights(n, sizes, values)": """max(abs(drawn_total(x, y, s, n) - drawn_total(u, v, s, n))
            for x in product(sizes, sizes, sizes) if can_be_drawn(x, n) for y in product(values, values, values)
            for a in sizes for u in [with_value(x, 0, a)] if can_be_drawn(u, n)
            for b in values for v in [with_value(y, 0, b)]
            for s in subsets(range(3)) if len(s) == n)""",
    }
)


def _drawn(values: tuple[tuple[int, ...], ...]) -> Iterator[tuple[Any, ...]]:
    for n in (1, 2):
        yield from ((n, (1, 2), listed) for listed in values)


_PPS = "PPS samples of one or two of three units of sizes 1 and 2; "
away_from_zero = cases(f"{_PPS}y in {{10, 11}} or {{-3, -2}}", "n sizes values")(lambda: _drawn(((10, 11), (-3, -2))))
indicators = cases(f"{_PPS}y in {{0, 1}} or {{-1, 0}}", "n sizes values")(lambda: _drawn(((0, 1), (-1, 0))))
any_values = cases(f"{_PPS}y in {{0, 1}}, {{-1, 0}}, {{10, 11}} or {{-3, -2}}", "n sizes values")(
    lambda: _drawn(((0, 1), (-1, 0), (10, 11), (-3, -2)))
)

_LARGER = "with_changed_weights(n, sizes, values) {} with_fixed_weights(n, sizes, values)"

state(
    "survey.pps.sensitivity",
    "dissertation, section 7.4",
    printed="Therefore, the sensitivity will be larger compared to the setting with fixed weights as we no longer only "
    "need to consider the maximum possible change in a single record's value for Y. We also need to consider the "
    "impact of the weight change for all the other records even if their values for Y don't change.",
    reading="it is never smaller; it is larger where values are away from 0, for one size at least; of totals, maximal "
    "over all frames, a unit keeping its place in the sample; see survey.pps.sensitivity.counts",
    checks=[every(any_values, _LARGER.format(">=")), some(away_from_zero, _LARGER.format(">"))],
    mutants={
        "larger for every variable": every(any_values, _LARGER.format(">")),
        "weights treated as fixed": every(any_values, _LARGER.format("<=")),
    },
)

state(
    "survey.pps.sensitivity.counts",
    "dissertation, section 7.4",
    claim="For a count, PPS sampling with a record's size changing as well has the sensitivity of fixed weights, the "
    "largest weight: where another's weight grows, one's own falls.",
    checks=[every(indicators, _LARGER.format("=="))],
    mutants={"values away from 0": every(any_values, _LARGER.format("=="))},
)
