"""What a claim, and the manifest beside a file, say of a swap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from stirred.mechanisms.catalogue import SWAPPING
from stirred.spec.arguments import InputError
from stirred.verify.laws.claim.claim import PrivacyClaim

LINE_BY_LINE = "line by line"
"""What the words of a multiverse say where the records themselves are released."""


@dataclass(frozen=True)
class SwapColumns:
    """The columns of a swap by their role.

    Attributes:
        matching: V_Match.
        holding: V_Hold without V_Match.
        swapping: V_Swap.
        count: of the records before the swap, how many a line stands for; a line is one record where there is none.
    """

    matching: tuple[str, ...]
    holding: tuple[str, ...]
    swapping: tuple[str, ...]
    count: str | None = None

    @property
    def all(self) -> tuple[str, ...]:
        """The variables, in the order of a released table."""
        return (*self.matching, *self.holding, *self.swapping)

    def unlike(self, other: SwapColumns) -> tuple[str, ...]:
        """The columns that have not the same role in another swap."""
        roles = [
            {name: role for role in ("matching", "holding", "swapping") for name in getattr(one, role)}
            for one in (self, other)
        ]
        names = dict.fromkeys([*self.all, *other.all])
        return tuple(name for name in names if roles[0].get(name) != roles[1].get(name))


@dataclass(frozen=True)
class StatedRun:
    """What the manifest of a released file says.

    Attributes:
        size: bytes of the file; None for a folder.
        sha256: of the file, where it is stated.
        crc32: of the file, where it is stated.
        names: the columns of the records before the swap.
        columns: those of them that have a role.
        largest_stratum: b.
        epsilon: the budget as it is written.
        rate: p.
        resolution: what one record is.
        is_seeded: whether it was drawn with a seed.
        claim: the SHA-256 of the claim file that was written with it, where there was one.
    """

    path: str
    size: int | None
    sha256: str | None
    crc32: str | None
    names: tuple[str, ...]
    columns: SwapColumns
    records: int
    strata: int
    largest_stratum: int
    epsilon: str
    rate: Fraction
    resolution: str
    is_seeded: bool
    claim: str | None


def needs_data(built: PrivacyClaim) -> bool:
    """Whether a claim is about a swap of records that its file does not list: what data can be compared with."""
    return built.mechanism is not None and built.mechanism.name == SWAPPING and built.kind is None


def claimed_columns(built: PrivacyClaim | None) -> SwapColumns | None:
    """The columns that a claim names by their role; None where it names none."""
    roles = None if built is None or built.mechanism is None else built.mechanism.swap_variables
    if roles is None:
        return None
    count: Sequence[str] = roles.get("count", ())
    return SwapColumns(roles["matching"], roles["holding"], roles["swapping"], count[0] if count else None)


def chosen_columns(built: PrivacyClaim | None, run: StatedRun | None, file: str) -> SwapColumns:
    """The columns of a swap: those of the claim, else those of the manifest."""
    found = claimed_columns(built)
    if found is None and run is not None:
        found = run.columns
    if found is None:
        where = "the claim" if built is None or built.mechanism is None else built.mechanism.place
        raise InputError(
            f"{where}: must name the columns of {file} by their role: matching = [...], holding = [...], "
            f"swapping = [...] under [mechanism]; or keep the manifest that stirred swap writes beside its output"
        )
    return found
