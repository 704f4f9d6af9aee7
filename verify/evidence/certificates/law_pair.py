"""Two output laws and an event in a witness: their probabilities, and whether P(E) exceeds a bound on it."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.decimal_interval import Interval, UndecidedError
from stirred.verify.evidence.certificates.exact_number import WitnessError, exact_number, quoted, shown_number
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.certificates.work import PaidOutward, Work, at_growing_precision, bits

_MAX_COMMON_BITS = 250_000
_MAX_POWER_BITS = 250_000


@dataclass(frozen=True)
class LawPair:
    """P_x and P_x' by outcome (as JSON text), with P_x(E) and P_x'(E) of the witness's event.

    Attributes:
        event: E as JSON texts.
        p: P_x(E).
        q: P_x'(E).
    """

    law: Mapping[str, Fraction]
    law_prime: Mapping[str, Fraction]
    event: tuple[str, ...]
    p: Fraction
    q: Fraction


def read_laws(witness: Mapping[str, Any], work: Work) -> tuple[dict[str, Fraction], dict[str, Fraction]]:
    """The two laws of a witness."""
    return _law("law", witness["law"], work), _law("law_prime", witness["law_prime"], work)


def read_pair(witness: Mapping[str, Any], work: Work) -> LawPair:
    """The two laws of a witness with its event."""
    law, law_prime = read_laws(witness, work)
    listed = witness["event"]
    if not isinstance(listed, list):
        raise WitnessError("event must be a list of outcomes")
    work.spend(5_000 * len(listed))
    event = tuple(map(json.dumps, listed))
    if len(set(event)) != len(event):
        raise WitnessError("event must list each outcome once")
    for outcome in event:
        if outcome not in law and outcome not in law_prime:
            raise WitnessError(f"event must list outcomes of the laws; got {quoted(json.loads(outcome))}")
    p, q = (_sum([one[t] for t in event if t in one], work) for one in (law, law_prime))
    for name, value in (("probability", p), ("probability_prime", q)):
        if exact_number(name, witness[name], work) != value:
            raise WitnessError(f"{name} must be that of the event, {shown_number(value)}; got {quoted(witness[name])}")
    return LawPair(law, law_prime, event, p, q)


def _law(name: str, pairs: object, work: Work) -> dict[str, Fraction]:
    if not isinstance(pairs, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in pairs):
        raise WitnessError(f"{name} must be a list of [outcome, probability] pairs")
    law: dict[str, Fraction] = {}
    for outcome, probability in pairs:
        key = json.dumps(outcome)
        shown = printable(key[:80])
        if key in law:
            raise WitnessError(f"{name} lists the outcome {shown} twice")
        law[key] = exact_number(f"{name}[{shown}]", probability, work)
        if law[key] < 0:
            raise WitnessError(f"{name}[{shown}] must be non-negative; got {quoted(probability)}")
    if (total := _sum(law.values(), work)) != 1:
        raise WitnessError(f"{name} must sum to exactly 1; got {shown_number(total)}")
    return law


def _sum(numbers: Iterable[Fraction], work: Work) -> Fraction:
    """The sum over a common denominator: with one denominator after another it would be reduced at each step."""
    kept = list(numbers)
    common = 1
    for denominator in {number.denominator for number in kept}:
        work.combine(common, denominator)
        common = math.lcm(common, denominator)
        if common.bit_length() > _MAX_COMMON_BITS:
            raise UndecidedError(f"a common denominator must have at most {_MAX_COMMON_BITS} bits")
    total = 0
    for number in kept:
        work.combine(common, number.denominator)
        total += number.numerator * (common // number.denominator)
    work.combine(total, common)
    return Fraction(total, common)


@dataclass(frozen=True)
class Power:
    """A bound e^(ε·d) ≥ 1, with ε given by e^ε = γ or exactly.

    Attributes:
        exponent: d, or d/k for a budget ln(γ)/k.
    """

    gamma: Fraction | None
    epsilon: Fraction | None
    exponent: Fraction

    @property
    def is_one(self) -> bool:
        """Whether it is 1."""
        return self.exponent == 0 or self.gamma == 1 or self.epsilon == 0

    def __str__(self) -> str:
        """The power as it is written."""
        base = f"{shown_number(self.gamma)}^(" if self.gamma is not None else f"e^({shown_number(self.epsilon or 0)} * "
        return f"{base}{shown_number(self.exponent)})"


def exceeds(p: Fraction, q: Fraction, delta: Fraction, power: Power, work: Work) -> bool:
    """Whether p > e^(ε·d)·q + δ."""
    work.combine(p, delta)
    beyond = p - delta
    if beyond <= 0 or q == 0:
        return beyond > 0
    work.combine(beyond, q)
    ratio = beyond / q
    if ratio <= 1 or power.is_one:
        return ratio > 1
    n, m = power.exponent.numerator, power.exponent.denominator
    if power.gamma is not None and bits(ratio) * m + bits(power.gamma) * n <= _MAX_POWER_BITS:
        # m >= 1, so that both sides may be raised to it
        return bool(ratio**m > power.gamma**n)

    def decide(arithmetic: PaidOutward) -> bool:
        """By logarithms: no power becomes too large for them."""
        claimed = Fraction(1) if power.gamma is None else arithmetic.ln(power.gamma)
        epsilon = power.exponent if power.epsilon is None else power.epsilon * power.exponent
        bound: Fraction | Interval = arithmetic.multiply(arithmetic.lift(epsilon), claimed)
        return arithmetic.order(arithmetic.ln(ratio), bound) > 0

    return at_growing_precision(decide, work)
