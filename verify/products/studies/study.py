"""A study: what is drawn, under which settings, and what is made of the draws."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.finding import Evidence

Row = Mapping[str, str]
"""A line of a study's table: the text of each column."""


@dataclass(frozen=True)
class StudyPlan:
    """One call of a study, before anything is drawn.

    Attributes:
        settings: all that the draws depend on, in plain JSON values; draws of other settings are never mixed in.
        draws: the names of the draws, in the order of the table.
        draw: the lines of the table that one draw gives, all with the same columns; it depends on the name and the
            settings alone, so that it doesn't matter which draws were kept from an earlier call.
        findings: what the table shows, each with a name; `SAMPLED` with n and seed where it is a statistic.
        pictures: functions by name that draw the table into a figure of matplotlib.
    """

    settings: Mapping[str, Any]
    draws: Sequence[str]
    draw: Callable[[str], Sequence[Row]]
    findings: Callable[[Sequence[Row]], Mapping[str, Evidence]]
    pictures: Mapping[str, Callable[[Any, Sequence[Row]], None]]


@dataclass(frozen=True)
class Study:
    """A study by name.

    Attributes:
        name: as typed.
        summary: what it shows, in one line.
        description: what is computed, from what, and what the table holds.
        plan: what a call does, from its options by keyword; raises `InputError` where they are wrong.
        examples: lines of `stirred study --help` and of its own help.
    """

    name: str
    summary: str
    description: str
    plan: Callable[..., StudyPlan]
    examples: Sequence[str]


def seed_of(seed: int, draw: str) -> int:
    """The seed of one draw: the first 64 bits of a hash of the study's seed and the draw's name.

    >>> seed_of(1, "p = 1/2, run 1") == seed_of(1, "p = 1/2, run 2")
    False
    """
    return int.from_bytes(hashlib.sha256(f"{seed}/{draw}".encode()).digest()[:8])


def digest_of(data: object) -> str:
    """A hash that stands for data in the settings; the data are built of texts, integers, tuples and lists."""
    return hashlib.sha256(repr(data).encode()).hexdigest()


def rounded_text(value: Fraction, places: int) -> str:
    """The number, rounded half to even to so many decimal places.

    >>> rounded_text(Fraction(-2, 3), 4), rounded_text(Fraction(5), 2)
    ('-0.6667', '5.00')
    """
    units = round(abs(value) * 10**places)
    whole, part = divmod(units, 10**places)
    sign = "-" if value < 0 and units else ""
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"
