"""Input premetrics between two data sets of a witness, written once more with the standard library alone.

A data set is a list of records, each any JSON value without floats; or a list of tables of counts (one table for each
stratum); or an integer. A distance is a `Fraction`, or None for ∞.

Source: article, (5); dissertation, (A.2), (A.3), (A.4) and section A.4; the same functions as
    `spec.blocks.input_premetric`.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.verify.certificates.exact_number import WitnessError, exact_number, quoted
from stirred.verify.certificates.work import Work

Data = tuple[Any, ...]


def frozen(name: str, value: Any) -> Any:
    """A JSON value as something hashable: arrays as tuples.

    Raises:
        WitnessError: it has a float or an object in it.
    """
    if isinstance(value, list):
        return tuple(frozen(name, part) for part in value)
    if not isinstance(value, (str, int)) and value is not None:
        raise WitnessError(f"{name} must be of texts, integers and arrays; got {quoted(value)}")
    return value


def _unordered(first: Data, second: Data, work: Work) -> int | None:  # noqa: ARG001 one signature for all
    return None if len(first) != len(second) else (Counter(first) - Counter(second)).total()


def _ordered(first: Data, second: Data, work: Work) -> int | None:  # noqa: ARG001
    return None if len(first) != len(second) else sum(a != b for a, b in zip(first, second, strict=True))


def _symmetric(first: Data, second: Data, work: Work) -> int:  # noqa: ARG001
    left, right = Counter(first), Counter(second)
    return (left - right).total() + (right - left).total()


def _deletions(first: Data, second: Data, work: Work) -> int:
    work.spend(100 * len(first) * len(second))
    row = [0] * (len(second) + 1)
    for a in first:
        before = 0
        for column, b in enumerate(second, start=1):
            before, row[column] = row[column], before + 1 if a == b else max(row[column], row[column - 1])
    return len(first) + len(second) - 2 * row[-1]


_METRICS: Mapping[str, Callable[[Data, Data, Work], int | None]] = {
    "hamming_unordered": _unordered,
    "hamming_ordered": _ordered,
    "symmetric_difference": _symmetric,
    "deletion_distance": _deletions,
}

_NEIGHBORS = {
    "neighbors_replace_one_unordered": _unordered,
    "neighbors_replace_one_ordered": _ordered,
    "neighbors_add_remove_unordered": _symmetric,
    "neighbors_add_remove_ordered": _deletions,
}
"""The metric at whose distance 1 the neighbours are."""


def distance(premetric: Mapping[str, Any], x: Any, x_prime: Any, work: Work) -> Fraction | None:
    """d(x, x') of a witness's input premetric.

    Args:
        premetric: its `name`; `data`: "records", "strata" (of tables) or "integers"; for "explicit" the `distances`
            [x, x', d] of the pair, both ways where both are listed.
        x: a data set.
        x_prime: a data set.
        work: what may be computed.

    Raises:
        WitnessError: the premetric is unknown, or not one of such data sets.
    """
    name, kind = premetric["name"], premetric["data"]
    first, second = frozen("x", x), frozen("x_prime", x_prime)
    if first == second:
        return Fraction(0)
    if name == "explicit":
        return _explicit(premetric["distances"], first, second, work)
    whole: int | None
    if kind == "strata" and name == "hamming_unordered":
        whole = _of_tables(first, second)
    elif kind == "integers" and name == "absolute_difference":
        whole = abs(_integer("x", first) - _integer("x_prime", second))
    elif kind == "records" and name in (*_METRICS, *_NEIGHBORS):
        for what, point in (("x", first), ("x_prime", second)):
            if not isinstance(point, tuple):
                raise WitnessError(f"{what} must be an array of records; got {quoted(point)}")
        if name in _METRICS:
            whole = _METRICS[name](first, second, work)
        else:
            whole = 1 if _NEIGHBORS[name](first, second, work) == 1 else None
    else:
        raise WitnessError(f"input_premetric must be one of the auditor's; got {quoted(name)} of {quoted(kind)}")
    return None if whole is None else Fraction(whole)


def _explicit(rows: Sequence[Any], first: Any, second: Any, work: Work) -> Fraction | None:
    found: dict[Any, Fraction] = {}
    for a, b, d in rows:
        pair = frozen("distances", [a, b])
        if pair in found:
            raise WitnessError(f"distances must list each pair once; got {quoted([a, b])} twice")
        found[pair] = exact_number("a distance", d, work)
        if found[pair] < 0:
            raise WitnessError(f"a distance must be non-negative; got {quoted(d)}")
    return found.get((first, second))


def _integer(name: str, value: Any) -> int:
    if not isinstance(value, int):
        raise WitnessError(f"{name} must be an integer; got {quoted(value)}")
    return value


def _of_tables(first: Any, second: Any) -> int | None:
    """Half the ℓ₁ distance of all cells; ∞ where the totals differ."""
    shapes = [[[len(row) for row in table] for table in point] for point in (first, second)]
    if shapes[0] != shapes[1]:
        raise WitnessError("x and x_prime must have the same strata, rows and columns")
    cells = [[_integer("a count", n) for table in point for row in table for n in row] for point in (first, second)]
    excess = sum(max(0, a - b) for a, b in zip(*cells, strict=True))
    deficit = sum(max(0, b - a) for a, b in zip(*cells, strict=True))
    return excess if excess == deficit else None
