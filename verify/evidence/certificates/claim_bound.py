"""A witness of a claim file: what the claim allows at two data sets, recomputed from the claim's own blocks.

The witness holds under `claim` the claim's id and statement, its input premetric by name, its output premetric (with δ)
and its budget: `gamma`, `epsilon`, `rho_squared` or `curve`, exact. With x and x' these give the distance d and
the bound ε·d; nothing of both is taken from elsewhere. Output premetrics other than trade-off functions are symmetric,
so that the pair must satisfy the bound at d(x, x') and at d(x', x): the smaller one is meant.

Input premetrics are written once more with the standard library alone. A data set is a list of records, each any JSON
value without floats; or a list of tables of counts (one table for each stratum); or an integer. A distance is a
`Fraction`, or None for ∞.

Source: article, (5); dissertation, (A.2), (A.3), (A.4) and section A.4; the same functions as
    `spec.blocks.input_premetric`.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from stirred.verify.evidence.certificates.exact_number import (
    WitnessError,
    exact_number,
    quoted,
    shortened_text,
    shown_number,
)
from stirred.verify.evidence.certificates.law_pair import LawPair, Power, exceeds, read_pair
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.certificates.work import Work

Data = tuple[Any, ...]


def frozen(name: str, value: Any) -> Any:
    """A JSON value as something hashable: arrays as tuples."""
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

    A premetric has a `name` and `data`: "records", "strata" (of tables) or "integers"; an explicit one has `distances`
    [x, x', d] of the pair, both ways where both are listed.
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


_SHOWN = 200
_BUDGETS = {
    "multiplicative": ("gamma", "epsilon"),
    "approximate_multiplicative": ("gamma", "epsilon"),
    "total_variation": ("epsilon",),
    "normalized_renyi": ("rho_squared",),
    "tradeoff": ("curve",),
}
"""The output premetrics, with the budgets that each may have."""


@dataclass(frozen=True)
class ClaimBound:
    """What a claim states of one pair of data sets.

    Attributes:
        kind: the key of the budget.
        curve: the vertices (level, power) of a curve, else empty.
        at: x, x', d and the budget in words.
    """

    measure: str
    delta: Fraction
    kind: str
    number: Fraction | None
    curve: tuple[tuple[Fraction, Fraction], ...]
    d: Fraction
    at: str

    def scalar(self) -> Fraction:
        """The budget as a number."""
        if self.number is None:
            raise WitnessError("budget must be a number")
        return self.number


def states_bound(witness: Mapping[str, Any]) -> bool:
    """Whether the claim of a witness has a budget, so that its bound is recomputed; one of the ledger names itself."""
    claim = witness.get("claim")
    return "claim" in witness and not (isinstance(claim, dict) and set(claim) <= {"id", "statement", "mutant"})


def read_bound(witness: Mapping[str, Any], work: Work) -> ClaimBound:
    """The bound that the claim of a witness states."""
    claim = witness["claim"]
    premetric, output, stated = claim["input_premetric"], claim["output_premetric"], claim["budget"]
    measure = output["name"]
    if not isinstance(measure, str) or measure not in _BUDGETS:
        raise WitnessError(f"output_premetric must be one of {', '.join(_BUDGETS)}; got {quoted(measure)}")
    if len(stated) != 1 or next(iter(stated)) not in _BUDGETS[measure]:
        raise WitnessError(f"budget must be {' or '.join(_BUDGETS[measure])} for {measure}; got {quoted(stated)}")
    if ("delta" in output) != (measure == "approximate_multiplicative"):
        raise WitnessError("delta requires approximate_multiplicative, which requires it")
    delta = exact_number("delta", output.get("delta", 0), work)
    ((kind, value),) = stated.items()
    number = None if kind == "curve" else exact_number(kind, value, work)
    if not 0 <= delta < 1 or (number is not None and number < int(kind == "gamma")):
        raise WitnessError("a budget must have gamma >= 1, epsilon >= 0, rho_squared >= 0, and 0 <= delta < 1")
    curve = _curve(value, work) if kind == "curve" else ()
    x, x_prime = witness["x"], witness["x_prime"]
    there = distance(premetric, x_prime, x, work)
    # the test of a trade-off function has its level under x' and its power under x
    near = [there] if measure == "tradeoff" else [there, distance(premetric, x, x_prime, work)]
    finite = [d for d in near if d is not None]
    if not finite:
        raise WitnessError("the claim states nothing of data sets at an infinite distance")
    d = min(finite)
    shown = f"x = {_shown(x)}, x' = {_shown(x_prime)}, d = {shown_number(d)} by {printable(str(premetric['name']))}"
    budget = "the curve" if number is None else f"{kind} = {shown_number(number)}"
    return ClaimBound(measure, delta, kind, number, curve, d, f"{shown}, {budget}")


def _shown(value: Any) -> str:
    return printable(shortened_text(json.dumps(value, ensure_ascii=False), _SHOWN))


def _curve(rows: Any, work: Work) -> tuple[tuple[Fraction, Fraction], ...]:
    """The vertices of a trade-off function."""
    curve = tuple((exact_number("a level", a, work), exact_number("a power", f, work)) for a, f in rows)
    if len(curve) < 2 or curve[0][0] != 0 or curve[-1][0] != 1 or any(a >= b for (a, _), (b, _) in pairwise(curve)):
        raise WitnessError("curve must have levels that rise from 0 to 1")
    return curve


def claimed_event(witness: Mapping[str, Any], work: Work) -> str:
    """One sentence: by how much the witness's event exceeds what its claim allows."""
    bound, laws = read_bound(witness, work), read_pair(witness, work)
    at = f"{bound.at}, E = {{{shortened_text(printable(', '.join(laws.event)), _SHOWN)}}}"
    allowed = {
        "multiplicative": _multiplicative,
        "approximate_multiplicative": _multiplicative,
        "total_variation": _total_variation,
        "normalized_renyi": _normalized_renyi,
        "tradeoff": _tradeoff,
    }[bound.measure]
    is_exceeded, allowance, named = allowed(bound, laws, work)
    if not is_exceeded:
        raise WitnessError("the claimed inequality holds: the witness refutes nothing")
    return f"P_x(E) = {shown_number(laws.p)} > {allowance} = {named}, at {at}"


Comparison = tuple[bool, str, str]
"""Whether P_x(E) exceeds what is allowed, and that in numbers and in symbols."""


def _multiplicative(bound: ClaimBound, laws: LawPair, work: Work) -> Comparison:
    is_gamma = bound.kind == "gamma"
    number = bound.scalar()
    power = Power(number if is_gamma else None, None if is_gamma else number, bound.d)
    slack = f" + {shown_number(bound.delta)}" if bound.delta else ""
    named = f"{'gamma^(d)' if is_gamma else 'e^(epsilon * d)'} * P_x'(E){slack}"
    shown = f"{power} * {shown_number(laws.q)}{slack}"
    return exceeds(laws.p, laws.q, bound.delta, power, work), shown, named


def _total_variation(bound: ClaimBound, laws: LawPair, work: Work) -> Comparison:
    work.combine(bound.scalar(), bound.d)
    slack = bound.scalar() * bound.d
    work.combine(laws.q, slack)
    shown = f"{shown_number(laws.q)} + {shown_number(slack)}"
    return laws.p > laws.q + slack, shown, "P_x'(E) + epsilon * d"


def _normalized_renyi(bound: ClaimBound, laws: LawPair, work: Work) -> Comparison:  # noqa: ARG001 one signature
    """An event of one law only: D_NoR is infinite, and every finite bound is exceeded."""
    return laws.p > 0 == laws.q, "0", "P_x'(E), so that D_NoR is infinite"


def _tradeoff(bound: ClaimBound, laws: LawPair, work: Work) -> Comparison:
    """P_x(E) is the power of the test E of P_x' against P_x, at the level P_x'(E)."""
    level = laws.q
    if bound.d not in (0, 1):
        raise WitnessError("a trade-off budget applies at distance 0 or 1 only")
    allowed = level if bound.d == 0 else None
    for (a, f), (b, g) in pairwise(bound.curve):
        for number in (a, b, f, g):
            work.combine(level, number)
        if allowed is None and a <= level <= b:
            allowed = f + (g - f) * (level - a) / (b - a)
    if allowed is None:
        raise WitnessError("a level must be between 0 and 1")
    curve = "f" if bound.d else "identity"
    return laws.p > allowed, f"{shown_number(allowed)}", f"{curve}({shown_number(level)}) = {curve}(P_x'(E))"
