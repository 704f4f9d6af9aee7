"""An object of a library as a mechanism with its own claim, whichever library it is from."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from stirred.spec.arguments import InputError

_SIZE = 3
"""Records or entries of a vector whose domain says no size."""


@dataclass(frozen=True)
class LibraryObject:
    """A mechanism of a library, with what the library says of it.

    Attributes:
        title: the library with its version, and the mechanism.
        call: the mechanism, of a data set; it draws its own randomness.
        output: the output premetric, as `stirred.estimate` has it.
        budget: its keywords: epsilon with delta where that is above 0, or rho; texts of the exact decimals that the
            library prints.
        pairs: data sets at the input distance that the budget is for, where the object's domain and metric give some.
    """

    title: str
    call: Callable[[Any], Any]
    output: str
    budget: Mapping[str, str]
    pairs: tuple[tuple[Any, Any], ...] = ()


def library_object(candidate: object, d_in: Any = 1) -> LibraryObject | None:
    """The mechanism that an object of a known library is; None for anything else. No library is loaded.

    >>> library_object(len) is None
    True
    """
    root = (type(candidate).__module__ or "").partition(".")[0]
    return _READERS[root](candidate, d_in) if root in _READERS else None


def version_of(distribution: str) -> str:
    """The installed version."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        raise InputError(f"{distribution} is not installed: pip install 'stirred[libraries]'") from None


def _of_opendp(candidate: Any, d_in: Any) -> LibraryObject | None:
    """The measurement's `map(d_in)` in its own output measure; None for other objects.

    MaxDivergence is pure, ZeroConcentratedDivergence zCDP, Approximate(MaxDivergence) approximate with the pair (ε, δ).
    """
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
        raise InputError(f"mechanism must have a known output measure; got {measure}")
    title = f"opendp {version_of('opendp')}, {candidate.input_domain}, {candidate.input_metric}, {measure}"
    return LibraryObject(title, candidate, output, budget, tuple(_pairs_apart(candidate, d_in)))


def _pairs_apart(measurement: Any, d_in: Any) -> Iterator[tuple[Any, Any]]:
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


def _of_diffprivlib(candidate: Any, _: Any) -> LibraryObject | None:
    """The mechanism's own `epsilon` and `delta`, at inputs `sensitivity` apart; None for other objects."""
    if not all(hasattr(candidate, name) for name in ("epsilon", "delta", "randomise")):
        return None
    delta = candidate.delta
    budget = {"epsilon": repr(candidate.epsilon), **({"delta": repr(delta)} if delta else {})}
    title = f"diffprivlib {version_of('diffprivlib')}, {type(candidate).__name__}"
    output = "approximate" if delta else "pure"
    return LibraryObject(title, candidate.randomise, output, budget, tuple(_sensitive_pairs(candidate)))


def _sensitive_pairs(mechanism: Any) -> Iterator[tuple[Any, Any]]:
    """Inputs that are the sensitivity apart; at the ends of the range where there is one; the values of a coin."""
    if hasattr(mechanism, "value0"):
        yield mechanism.value0, mechanism.value1
        return
    apart = getattr(mechanism, "sensitivity", None)
    if apart is None or hasattr(mechanism, "utility"):
        return
    low, high = getattr(mechanism, "lower", None), getattr(mechanism, "upper", None)
    if low is None or high is None:
        yield apart - apart, apart
        return
    whole = int if isinstance(low, int) else type(apart)
    for start in (low, high - apart):
        yield whole(start), whole(start + apart)


_READERS: Mapping[str, Callable[[Any, Any], LibraryObject | None]] = {
    "opendp": _of_opendp,
    "diffprivlib": _of_diffprivlib,
}
"""What reads the objects of a library."""
