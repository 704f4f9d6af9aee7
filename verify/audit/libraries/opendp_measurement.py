"""Measurements of OpenDP: the claim is `measurement.map(d_in)` in its own output measure.

MaxDivergence is pure, ZeroConcentratedDivergence zCDP, Approximate(MaxDivergence) approximate with the pair (ε, δ).
"""

import re
from collections.abc import Iterator
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.audit.libraries.claiming_object import LibraryObject, version_of

_SIZE = 3
"""Records or entries of a vector whose domain says no size."""


def read(candidate: Any, d_in: Any) -> LibraryObject | None:
    """The claim of a measurement; None for other objects of OpenDP."""
    if not hasattr(candidate, "output_measure") or not hasattr(candidate, "map"):
        return None
    measure = str(candidate.output_measure)
    try:
        bound = candidate.map(d_in)
    except Exception as error:
        raise InputError(f"d_in: the measurement's map refuses {d_in!r}: {error}") from None
    if measure == "MaxDivergence":
        output, budget = "pure", {"epsilon": repr(bound)}
    elif measure == "ZeroConcentratedDivergence":
        output, budget = "zcdp", {"rho": repr(bound)}
    elif measure == "Approximate(MaxDivergence)":
        output, budget = "approximate", {"epsilon": repr(bound[0]), "delta": repr(bound[1])}
    else:
        raise InputError(f"mechanism must have an output measure that is known here; got {measure}")
    title = f"opendp {version_of('opendp')}, {candidate.input_domain}, {candidate.input_metric}, {measure}"
    return LibraryObject(title, candidate, output, budget, tuple(_pairs(candidate, d_in)))


def _pairs(measurement: Any, d_in: Any) -> Iterator[tuple[Any, Any]]:
    """Data sets at the distance, for the domains and metrics of numbers."""
    domain, metric = str(measurement.input_domain), str(measurement.input_metric)
    bounds = re.search(r"bounds=\[([-\d.]+), ([-\d.]+)\]", domain)
    is_float = "T=f" in domain
    low, high = (_number(text, is_float) for text in (bounds.groups() if bounds else ("0", "1")))
    size = int(found.group(1)) if (found := re.search(r"size=(\d+)", domain)) else _SIZE
    if "T=bool" in domain:
        low, high = False, True
    if not domain.startswith("Vector"):
        other = high if "Discrete" in metric else low + d_in
        yield low, other
    elif metric.startswith(("Symmetric", "InsertDelete")):
        for value in (high, low):
            yield [low] * size, [low] * size + [value] * int(d_in)
    elif metric.startswith(("ChangeOne", "Hamming")):
        yield [low] * size, [high] * int(d_in) + [low] * (size - int(d_in))
    elif metric.startswith(("L1", "L2")):
        yield [low] * size, [low + d_in] + [low] * (size - 1)
    elif metric.startswith("LInf"):
        yield [low] * size, [low + d_in] * size
        yield [low] * size, [low + d_in] + [low] * (size - 1)


def _number(text: str, is_float: bool) -> Any:
    value = complex(text).real
    return value if is_float else int(value)
