"""The calibration of a survey file: noisy totals are fitted to known ones after the noise, which costs nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, positive_integer, suggestion
from stirred.verify.audit.surveys.release import SurveyRelease
from stirred.verify.audit.surveys.survey_file import pairs
from stirred.verify.claim.table import Block


@dataclass(frozen=True)
class Calibration:
    """What released totals are fitted to.

    Attributes:
        counts: the label of the noisy counts that are made to meet the totals.
        margins: by variable of the cells, how many units of the population have each value.
    """

    counts: str
    margins: Mapping[str, Mapping[Any, Fraction]]


def read_calibration(block: Block, releases: Sequence[SurveyRelease]) -> Calibration:
    """The calibration of a file.

    Raises:
        InputError: a key is missing or ill-typed, or the totals are not of the cells of a noisy count.
    """
    counts = {one.label: one.statistic.cells for one in releases if one.statistic and one.statistic.kind == "count"}
    chosen = block.text("counts")
    if chosen not in counts:
        hint = suggestion(chosen, tuple(counts)) if counts else "the file has none"
        raise block.refuse("counts", f"must be the label of a count with noise, got {chosen!r}; {hint}")
    given, cells = block.table("totals"), counts[chosen]
    margins: dict[str, dict[Any, Fraction]] = {}
    for name in given.values:
        if name not in cells:
            hint = suggestion(name, tuple(cells)) if cells else f"{chosen!r} has no cells"
            raise InputError(f"{given.where(name)}: must be a variable of the cells; {hint}")
        margins[name] = pairs(given, name, _count)
        if set(margins[name]) != set(cells[name]):
            raise given.refuse(name, f"must have a total for each of {list(cells[name])} and no other value")
    if not margins:
        raise block.refuse("totals", "must have at least one variable; got none")
    sums = {name: sum(margin.values(), Fraction(0)) for name, margin in margins.items()}
    if len(set(sums.values())) > 1:
        shown = ", ".join(f"{name}: {total}" for name, total in sums.items())
        raise block.refuse("totals", f"must add up to one population size; got {shown}")
    return Calibration(chosen, margins)


def _count(place: str, value: Any) -> Fraction:
    return Fraction(positive_integer(place, value))
