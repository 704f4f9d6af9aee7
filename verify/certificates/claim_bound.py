"""A witness of a claim file: what the claim allows at two data sets, recomputed from the claim's own blocks.

The witness holds under `claim` the claim's id and statement, its input premetric by name, its output premetric (with δ)
and its budget: `gamma`, `epsilon`, `rho_squared` or `curve`, exact. With x and x' these give the distance d and
the bound ε·d; nothing of both is taken from elsewhere. Output premetrics other than trade-off functions are symmetric,
so that the pair must satisfy the bound at d(x, x') and at d(x', x): the smaller one is meant.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

from stirred.verify.certificates.distances import distance
from stirred.verify.certificates.exact_number import WitnessError, exact_number, quoted, shortened_text, shown_number
from stirred.verify.certificates.law_pair import LawPair, Power, exceeds, read_pair
from stirred.verify.certificates.printable import printable
from stirred.verify.certificates.work import Work

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
        measure: the name of the output premetric.
        delta: δ, for `approximate_multiplicative`.
        kind: the key of the budget.
        number: the budget; for a curve None.
        curve: the vertices (level, power) of a curve, else empty.
        d: the distance.
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
        """The budget as a number.

        Raises:
            WitnessError: it is a curve.
        """
        if self.number is None:
            raise WitnessError("budget must be a number")
        return self.number


def states_bound(witness: Mapping[str, Any]) -> bool:
    """Whether the claim of a witness has a budget, so that its bound is recomputed; one of the ledger names itself."""
    claim = witness.get("claim")
    return "claim" in witness and not (isinstance(claim, dict) and set(claim) <= {"id", "statement", "mutant"})


def read_bound(witness: Mapping[str, Any], work: Work) -> ClaimBound:
    """The bound that the claim of a witness states.

    Raises:
        WitnessError: the claim is malformed, or states nothing of this pair.
    """
    claim = witness["claim"]
    premetric, output, stated = claim["input_premetric"], claim["output_premetric"], claim["budget"]
    measure = output["name"]
    if not isinstance(measure, str) or measure not in _BUDGETS:
        raise WitnessError(f"output_premetric must be one of {', '.join(_BUDGETS)}; got {quoted(measure)}")
    if len(stated) != 1 or next(iter(stated)) not in _BUDGETS[measure]:
        raise WitnessError(f"budget must be {' or '.join(_BUDGETS[measure])} for {measure}; got {quoted(stated)}")
    if ("delta" in output) != (measure == "approximate_multiplicative"):
        raise WitnessError("delta must stand with approximate_multiplicative, and only there")
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
    """The vertices of a trade-off function.

    Raises:
        WitnessError: the levels do not rise from 0 to 1.
    """
    curve = tuple((exact_number("a level", a, work), exact_number("a power", f, work)) for a, f in rows)
    if len(curve) < 2 or curve[0][0] != 0 or curve[-1][0] != 1 or any(a >= b for (a, _), (b, _) in pairwise(curve)):
        raise WitnessError("curve must have levels that rise from 0 to 1")
    return curve


def claimed_event(witness: Mapping[str, Any], work: Work) -> str:
    """One sentence: by how much the witness's event exceeds what its claim allows.

    Raises:
        WitnessError: it does not exceed it.
    """
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
