"""The settings of a release from published files: budgets, thresholds and states as the published JSON has them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import partial
from math import expm1

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.das.phsafe.algorithms import noise_scale, stability_factor
from stirred.mechanisms.das.phsafe.statements import COLUMNS, cube, prepared
from stirred.mechanisms.das.phsafe.tabulations import runs
from stirred.mechanisms.fast.inversion import gaussian_from_words, inverted
from stirred.mechanisms.fast.random_words import Words
from stirred.spec.arguments import InputError, check_known, integer, nonnegative
from stirred.spec.laws.discrete_gaussian import gaussian_scale
from stirred.spec.laws.discrete_laplace import laplace_floors, laplace_scale

PUERTO_RICO = "72"
STATES = (*(f"{code:02}" for code in range(1, 57) if code not in (3, 7, 14, 43, 52)), PUERTO_RICO)
"""The FIPS codes of the states, the District of Columbia, and Puerto Rico."""

_GEOGRAPHIES = ("usa", "state")
LEVELS: Mapping[str, tuple[str, ...]] = {
    table: tuple(
        f"{geography}_{iterations}"
        for geography in _GEOGRAPHIES
        for iterations in (("*",) if table in ("PH2", "PH6") else ("A-G", "H,I", "*"))
    )
    for table in runs()
}
"""The population group levels of each run (PHSafe, section 2.4)."""


class NoiseLaw(Enum):
    """The law of the noise by what its budgets mean, with its name in the published tables."""

    ZCDP = "Discrete Gaussian"
    PURE = "Two-Sided Geometric"

    def scale(self, delta: int, budget: Fraction) -> Fraction:
        """σ² = Δ²/(2ρ), or t = Δ/ε."""
        if self is NoiseLaw.ZCDP:
            return gaussian_scale(noise_scale(delta, budget))
        return laplace_scale(delta / budget)

    def draw(self, scale: Fraction, size: int, words: Words) -> NDArray[np.int64]:
        """So many independent draws."""
        if self is NoiseLaw.ZCDP:
            return gaussian_from_words(scale, words(size), words)
        return inverted(partial(laplace_floors, scale), words(size), words)

    def variance(self, scale: Fraction) -> Fraction:
        """σ², which the discrete Gaussian's variance never exceeds; 2e^(−1/t)/(1−e^(−1/t))² to the nearest double."""
        if self is NoiseLaw.ZCDP or scale == 0:
            return scale
        lost = -expm1(-float(1 / scale))
        return Fraction(2 * (1 - lost) / lost**2)


@dataclass(frozen=True)
class RunSettings:
    """What is public about a release from published files.

    Attributes:
        budgets: ρ, or ε, by run and population group level; 0 releases nothing, None adds no noise.
        thresholds: τ of each run that joins.
        each_place: whether a unit whose MAFID geo names several times in the states counts once for each pair of these
            rows, as in the released program, and is not dropped. Only runs that do not join count it then.
    """

    budgets: Mapping[str, Mapping[str, Fraction | None]]
    thresholds: Mapping[str, int]
    states: tuple[str, ...]
    noise: NoiseLaw = NoiseLaw.ZCDP
    each_place: bool = False

    def __post_init__(self) -> None:
        known = runs()
        _same("privacy_budget", "table", self.budgets, tuple(known))
        _same("tau", "table", self.thresholds, tuple(name for name, run in known.items() if run.joins))
        for table, tau in self.thresholds.items():
            integer(f"tau.{table}", tau, minimum=1)
        check_states(self.states)
        for table, levels in self.budgets.items():
            _same(f"privacy_budget.{table}", "population group level", levels, LEVELS[table])
            for level, budget in levels.items():
                self._check(table, level, budget)

    def _check(self, table: str, level: str, budget: Fraction | None) -> None:
        place = f"privacy_budget.{table}.{level}"
        if budget is not None and nonnegative(place, budget):
            try:
                self.scale(table, level)
            except InputError as error:
                raise InputError(f"{place}: {error}") from None
        if budget != 0 and self.states == (PUERTO_RICO,) and level.startswith("usa_"):
            raise InputError(f"{place} must be 0 where state_filter is Puerto Rico: its release has no nation")

    @property
    def tables(self) -> tuple[str, ...]:
        """The runs that release anything, in order."""
        return tuple(table for table, levels in self.budgets.items() if any(one != 0 for one in levels.values()))

    @property
    def total(self) -> Fraction | None:
        """The sum of all budgets; None where one is infinite."""
        spent = [budget for levels in self.budgets.values() for budget in levels.values()]
        finite = [budget for budget in spent if budget is not None]
        return sum(finite, Fraction(0)) if len(finite) == len(spent) else None

    @property
    def columns(self) -> Mapping[str, Sequence[str]]:
        """The columns that are read of each file."""
        return COLUMNS

    def prepared(self, digest: str) -> Sequence[tuple[str, str]]:
        """What is made of the files before a run is counted, see `Counting`."""
        return prepared(self.states, min(self.thresholds.values()), digest, each_place=self.each_place)

    def cube(self, table: str) -> str:
        """The rows of a run, see `Counting`."""
        return cube(table, self.thresholds.get(table))

    def delta(self, table: str) -> int:
        """Δ of a run."""
        return stability_factor(runs()[table], self.thresholds.get(table))

    def scale(self, table: str, level: str) -> Fraction:
        """The scale of the noise of a level; 0 without noise."""
        budget = self.budgets[table][level]
        return Fraction(0) if budget is None else self.noise.scale(self.delta(table), budget)


def check_states(states: Sequence[str]) -> None:
    """Refuse what is no state_filter."""
    if not states or len(set(states)) < len(states):
        raise InputError("state_filter must have at least one state, each once")
    for code in states:
        if code not in STATES:
            raise InputError(f"state_filter must have FIPS codes of states, such as '01', or '72'; got {code!r}")
    if PUERTO_RICO in states and len(states) > 1:
        raise InputError("state_filter must have Puerto Rico (72) alone: it is a run of its own")


def _same(place: str, kind: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Refuse a name that is unknown, and one that is missing."""
    names = tuple(given)
    for name in names:
        check_known(f"{place}.{name}: unknown {kind}", name, known)
    missing = [name for name in known if name not in names]
    if missing:
        raise InputError(f"{place}: must have each {kind}; {', '.join(missing)} missing")
