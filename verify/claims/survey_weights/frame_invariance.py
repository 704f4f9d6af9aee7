"""What a fixed frame leaves to compare: dissertation, section 7.4."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mechanisms.exact_law import exact_law
from mechanisms.surveys.designs import simple_random_sample, systematic_sample
from spec.surveys.unit_data import unit_data
from verify.ledger import cases, define, every, some, state

define(
    {
        # S: the samples that a design can draw from one frame, as tuples of units
        "sample_steps(s, t)": "sum(1 for i in s if i not in t) if len(s) == len(t) else oo",
        "closest_other(S, s)": "min(sample_steps(s, t) for t in S if t != s)",
        "has_a_neighbor(S, s)": "any(sample_steps(s, t) == 1 for t in S)",
    }
)


def _samples(name: str) -> Iterator[tuple[tuple[int, ...], ...]]:
    for number in (4, 6, 8, 9):
        frame = unit_data(dict.fromkeys(range(number), 0))
        if name == "systematic":
            laws = [exact_law(systematic_sample, frame, step=step) for step in (2, 3) if number % step == 0]
        else:
            laws = [exact_law(simple_random_sample, frame, size=size) for size in (2, 3)]
        yield from (tuple(sorted(law)) for law in laws)


_SHOWN = "frames of 4, 6, 8 and 9 units: "
systematic = cases(f"{_SHOWN}systematic samples of every second or third unit", "S")(lambda: _samples("systematic"))
simple = cases(f"{_SHOWN}simple random samples of two or three units", "S")(lambda: _samples("simple"))


@cases(f"{_SHOWN}systematic and simple random samples", "S")
def both_designs() -> Iterator[Any]:
    for name in ("systematic", "simple"):
        yield from _samples(name)


_ALONE = "all(not has_a_neighbor(S, s) for s in S)"

state(
    "survey.frame-invariance.constraints",
    "dissertation, section 7.4",
    printed="On the other hand, fixing the frame will restrict the possible conterfactual input datasets to those "
    "which are consistent with the realized frame. Because this restriction will fix the survey weights, it might "
    "introduce strong constraints on the possible neighboring datasets, depending on the sampling design.",
    reading="with some designs no two samples of a frame are neighbours, with others each sample has a neighbour; x_i "
    "is a function of the unit i",
    checks=[
        some(both_designs, _ALONE),
        some(both_designs, "all(has_a_neighbor(S, s) for s in S)"),
    ],
    mutants={"simple random sampling": some(simple, _ALONE)},
)

state(
    "survey.frame-invariance.systematic",
    "dissertation, section 7.4",
    claim="Under frame invariance no two systematic samples in a fixed order differ in fewer than all of their n "
    "records: with a premetric of neighbours nothing is compared, and with the Hamming distance the budget between any "
    "two samples is n epsilon.",
    reading="N is a multiple of the step",
    checks=[every(systematic, "all(closest_other(S, s) == len(s) for s in S)")],
    mutants={"simple random samples": every(simple, "all(closest_other(S, s) == len(s) for s in S)")},
)
