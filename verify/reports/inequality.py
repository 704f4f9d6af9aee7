"""The inequality that a witness refutes, as a line that a reader checks by hand: P[E | x] > e^ε · P[E | x'] + δ."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from spec.ball import ball_of
from spec.enclosure import Enclosure, enclose
from verify.certificates.claim_bound import ClaimBound, read_bound, states_bound
from verify.certificates.law_pair import LawPair, read_pair
from verify.certificates.printable import printable
from verify.certificates.replay import replay
from verify.certificates.work import Work

__all__ = ["inequality", "pair_text"]

_DIGITS = 6
_PLACES = 12
_LONGEST = 200


def inequality(witness: Mapping[str, Any]) -> str:
    """The refuted inequality in numbers, then the two data sets.

    A witness that is no event (a Rényi divergence, a formula) is told in the words of its replay.

    Args:
        witness: of a claim that states its premetrics and its budget.

    Raises:
        WitnessError: the witness is malformed.
    """
    if witness["kind"] != "loss" or not states_bound(witness) or _kind(witness) not in ("epsilon", "gamma"):
        return printable(replay(witness))
    work = Work()
    bound, laws = read_bound(witness, work), read_pair(witness, work)
    event = _event(laws.event)
    right = f"P[{event} | x']"
    if bound.measure == "total_variation":
        slack = bound.scalar() * bound.d
        symbols, numbers, value = f"{right} + {slack}", f"{laws.q} + {slack}", _exactly(laws.q + slack)
    else:
        factor = _factor(bound)
        more = f" + {bound.delta}" if bound.delta else ""
        symbols = f"{factor}{right}{more}"
        numbers = f"{factor}{laws.q}{more}" if laws.q else f"{bound.delta}"
        value = _allowed(bound, laws)
    distance = "" if bound.d == 1 else f", d = {bound.d}"
    left = f"P[{event} | x] = {laws.p}{_decimal(_exactly(laws.p))}"
    return printable(f"{left} > {symbols} = {numbers}{_decimal(value)}, {pair_text(witness)}{distance}")


def pair_text(witness: Mapping[str, Any]) -> str:
    """The two data sets of a witness.

    >>> pair_text({"x": [0, 1], "x_prime": [1, 1]})
    "x = (0, 1), x' = (1, 1)"
    """
    return f"x = {_frozen(witness['x'])}, x' = {_frozen(witness['x_prime'])}"


def _kind(witness: Mapping[str, Any]) -> str:
    (kind,) = witness["claim"]["budget"]
    return str(kind)


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _event(outcomes: tuple[str, ...]) -> str:
    """The outcomes, without the quotes that JSON puts around the text of each."""
    texts = [one[1:-1] if one.startswith('"') and one.endswith('"') else one for one in outcomes]
    whole = texts[0] if len(texts) == 1 else f"{{{', '.join(texts)}}}"
    return whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST]}… ({len(texts)} outcomes)"


def _factor(bound: ClaimBound) -> str:
    """The factor e^(ε·d) of the right-hand side; nothing where it is 1."""
    number, d = bound.scalar(), bound.d
    if d == 0 or number == int(bound.kind == "gamma"):
        return ""
    if bound.kind == "gamma":
        return f"{number} · " if d == 1 else f"({number})^{d} · "
    power = number * d
    return f"e^{power if power.denominator == 1 else _short(power)} · "


def _short(number: Fraction) -> str:
    """A number as a decimal where that is exact, else as a fraction; a long one is cut, as its ellipsis says.

    >>> _short(Fraction(7, 10)), _short(Fraction(1, 3))
    ('0.7', '(1/3)')
    """
    rest = number.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest != 1:
        return f"({number})"
    places = next(n for n in range(number.denominator.bit_length() + 1) if 10**n % number.denominator == 0)
    digits = str(number.numerator * 10**places // number.denominator).rjust(places + 1, "0")
    shown = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return shown if places <= _PLACES else f"{shown[: _PLACES - places]}…"


def _allowed(bound: ClaimBound, laws: LawPair) -> Enclosure:
    number, d = bound.scalar(), bound.d

    def value() -> Any:
        power = ball_of(number) ** ball_of(d) if bound.kind == "gamma" else ball_of(number * d).exp()
        return power * ball_of(laws.q) + ball_of(bound.delta)

    return _exactly(bound.delta) if laws.q == 0 else enclose(value, digits=30)


def _exactly(number: Fraction) -> Enclosure:
    return Enclosure(number, number)


def _decimal(value: Enclosure) -> str:
    """The value as a decimal, where its exact form is not one that is read at a glance."""
    if value.lower == value.upper and value.lower.denominator == 1:
        return ""
    return f" ≈ {value.text(_DIGITS)}"
