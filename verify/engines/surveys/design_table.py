"""The exact amplification of each design on a small population, beside what is printed of the design."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mechanisms.surveys.allocation import neyman, proportional
from mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    pps_sample,
    random_order,
    randomly_rounded_sample,
    sample_with_replacement,
    simple_random_sample,
    stratified_sample,
    systematic_sample,
)
from spec.arguments import Exact
from spec.surveys.amplification import Compared
from spec.surveys.unit_data import unit_data
from verify.engines.surveys.design_loss import Design, Frames, amplified_loss

__all__ = ["DesignRow", "design_table"]


@dataclass(frozen=True)
class DesignRow:
    """What all releases of a sample lose of a unit of a small frame at most.

    Attributes:
        design: the design, in words.
        compared: which frames and samples are neighbours.
        gamma: the largest e^ε'; None stands for ∞.
        small_budget: ε'/ε as ε → 0; None stands for ∞.
        printed: what the dissertation says of the design, in its words.
    """

    design: str
    compared: Compared
    gamma: Fraction | None
    small_budget: Fraction | None
    printed: str


@dataclass(frozen=True)
class _Example:
    words: str
    design: Design
    frames: Mapping[Compared, Frames]
    printed: str


def _frame(records: Sequence[Any]) -> Any:
    return unit_data(dict(enumerate(records)))


def _beside(*others: Any, first: Any, second: Any) -> Mapping[Compared, Frames]:
    """A unit whose record changes, and that is removed, beside others."""
    before = _frame((first, *others))
    return {
        Compared.REPLACED: (before, _frame((second, *others))),
        Compared.ADDED: (before, before[1:]),
        Compared.SAME_UNITS: (before, _frame((second, *others))),
    }


def _program(design: Callable[..., Sequence[Any]], **parameters: Any) -> Design:
    return lambda frame, source: design(frame, source, **parameters)


def _itself(record: Any) -> Any:
    return record


def _first(record: Any) -> Any:
    return record[0]


def _last(record: Any) -> Any:
    return record[-1]


_FOUR = _beside("z", "z", "z", first="a", second="b")
_CLUSTERS = _beside((0, "z"), (1, "z"), (1, "z"), first=(0, "a"), second=(0, "b"))
_STRATA = _beside("a", "a", "b", first="a", second="b")
_INCOMES = (("A", 20), ("A", 30), ("B", 20), ("B", 30), ("B", 40))
_UNEQUAL = _beside(*_INCOMES, first=("A", 40), second=("A", 90))
_SIZES = _beside(1, 1, 1, first=1, second=2)
_CLUSTER_WORDS = "negligible amplification in practice except for small epsilon and very small cluster sizes"
_SYSTEMATIC_WORDS = "only … if the ordering of the population is truly random"
_SIMPLE_WORDS = "reduces the privacy loss to approximately r epsilon"
_PPS_WORDS = "will linearly depend on the maximum probability of inclusion (for small epsilon)"
_PROPORTIONAL_WORDS = "with minor adjustments … can provide privacy amplification"

_EXAMPLES = (
    _Example("simple random, 2 of 4", _program(simple_random_sample, size=2), _FOUR, "log(1 + n/N [e^epsilon - 1])"),
    _Example("with replacement, 2 from 4", _program(sample_with_replacement, size=2), _FOUR, _SIMPLE_WORDS),
    _Example("Bernoulli, 1/2 of 4", _program(bernoulli_sample, rate=Fraction(1, 2)), _FOUR, _SIMPLE_WORDS),
    _Example("1 of 2 clusters of 2", _program(cluster_sample, cluster=_first, number=1), _CLUSTERS, _CLUSTER_WORDS),
    _Example(
        "proportional, 2 of 4, largest remainders",
        _program(stratified_sample, stratum=_itself, sizes=proportional(2)),
        _STRATA,
        _PROPORTIONAL_WORDS,
    ),
    _Example(
        "proportional, 1/4 of 4, rounded at random",
        _program(randomly_rounded_sample, stratum=_itself, rate=Fraction(1, 4)),
        _STRATA,
        _PROPORTIONAL_WORDS,
    ),
    _Example(
        "Neyman, 4 of 6, an income of 40 becomes 90",
        _program(stratified_sample, stratum=_first, sizes=neyman(4, variable=_last)),
        _UNEQUAL,
        "will likely result in privacy degradation",
    ),
    _Example("PPS, 1 of 4, a size doubled", _program(pps_sample, measure=_itself, size=1), _SIZES, _PPS_WORDS),
    _Example(
        "systematic PPS, 2 of 4, a size doubled", _program(pps_sample, measure=_itself, size=2), _SIZES, _PPS_WORDS
    ),
    _Example("systematic, 2 of 4, fixed order", _program(systematic_sample, step=2), _FOUR, _SYSTEMATIC_WORDS),
    _Example(
        "systematic, 2 of 4, random order",
        _program(systematic_sample, step=2, order=random_order),
        _FOUR,
        _SYSTEMATIC_WORDS,
    ),
)


def design_table(gamma: Exact) -> tuple[DesignRow, ...]:
    """Each design with each of the three ways to compare frames and samples.

    Args:
        gamma: e^ε of the releases of a sample.

    Raises:
        InputError: γ is inexact or below 1.

    Source: dissertation, sections 6.4.1 and 7.3, for the designs and the words.

    >>> design_table(2)[0].gamma
    Fraction(3, 2)
    """
    rows = []
    for example in _EXAMPLES:
        for compared, frames in example.frames.items():
            found = amplified_loss(example.design, [frames], compared, gamma)
            rows.append(DesignRow(example.words, compared, found.gamma, found.small_budget, example.printed))
    return tuple(rows)
