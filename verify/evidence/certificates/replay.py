"""Replay of witnesses with the standard library alone: `python -m stirred.verify.evidence.certificates.replay FILE`.

A witness is a JSON object of one of four kinds.

`case`: what a claim says of a case (tables, laws, a multiverse, numbers), in the language of
`verify.evidence.certificates.language` with the words that it defines. Re-checked: it is false of the case.

`loss`: two exact output laws and an event. Re-checked: both laws are non-negative and sum to 1, the event has the
stated probabilities, and the claimed inequality fails. That is the one of its `claim`, recomputed from the data sets
(see `verify.evidence.certificates.claim_bound`), or else P_x(E) <= gamma^(d) P_x'(E) + delta for the stated numbers.

`renyi`: two exact output laws and an order. Re-checked: the Rényi divergence exceeds the claim's or the stated bound.

`formula`: a claimed (in)equality in numbers, in the language of `certificates.language`. Re-checked: it is false.

An id is printed only where it was bound: the statement and the witness are those that the ledger gives under it, or the
audit of the claim file that `stirred replay --claim` names. Otherwise the inequality alone was re-checked, and the
output says no more. What would take long to compute is refused; a long number is shown to 20 digits.
"""

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, NoReturn

from stirred.verify.evidence.certificates.bounded_read import UnreadableError, read_whole
from stirred.verify.evidence.certificates.case_values import decoded, shown_value
from stirred.verify.evidence.certificates.claim_bound import claimed_event, read_bound, states_bound
from stirred.verify.evidence.certificates.decimal_interval import Number, UndecidedError
from stirred.verify.evidence.certificates.exact_number import (
    WitnessError,
    exact_number,
    quoted,
    shortened_text,
    shown_number,
)
from stirred.verify.evidence.certificates.language import evaluate, holds, sides
from stirred.verify.evidence.certificates.law_pair import Power, exceeds, read_laws, read_pair
from stirred.verify.evidence.certificates.printable import one_line, printable
from stirred.verify.evidence.certificates.register import Register, ledger_register
from stirred.verify.evidence.certificates.standard_streams import open_streams, printing
from stirred.verify.evidence.certificates.work import PaidOutward, Work, at_growing_precision

__all__ = ["WitnessError", "evaluate", "main", "renyi_sentence", "replay"]

# Rényi divergences in a witness: D_α(P_x‖P_x')/α at one order α, or its limit at 1, beside a bound on D_NoR².


def renyi_sentence(witness: Mapping[str, Any], work: Work) -> str:
    """One sentence: by how much the divergence exceeds the bound, the claim's own where there is a claim.

    Source: article, Appendix G: D_NoR² = sup over α > 1 of D_α/α, in both directions.
    """
    law, law_prime = read_laws(witness, work)
    for outcome in law:
        if not law_prime.get(outcome):
            raise WitnessError("law_prime must have every outcome of law, with a positive probability")
    order = None if witness["order"] is None else exact_number("order", witness["order"], work)
    if order is not None and order <= 1:
        raise WitnessError("order must be above 1, or null for the limit at 1")
    if states_bound(witness):
        claim = read_bound(witness, work)
        if claim.measure != "normalized_renyi":
            raise WitnessError("a renyi witness must be of a claim with normalized_renyi")
        work.combine(claim.scalar(), claim.d * claim.d)
        bound, named, at = claim.scalar() * claim.d * claim.d, "rho_squared*d^2", f", at {claim.at}"
    else:
        bound, named, at = exact_number("bound", witness["bound"], work), "bound", ""
    pairs = [(law[outcome], law_prime[outcome]) for outcome in law if law[outcome]]

    def decide(arithmetic: PaidOutward) -> tuple[int, Number]:
        value = _divergence(pairs, order, arithmetic)
        return arithmetic.order(value, bound), value

    sign, value = at_growing_precision(decide, work)
    if sign <= 0:
        raise WitnessError("the claimed inequality holds: the witness refutes nothing")
    false, what = ("false", "KL") if order is None else (f"false at a = {shown_number(order)}", "1/a * D_a")
    sides = f"left {shown_number(value)}, right {shown_number(bound, 30)}"
    return f"{false}: {what}(P_x, P_x') <= {named} ({sides}){at}"


def _divergence(pairs: list[tuple[Fraction, Fraction]], order: Fraction | None, arithmetic: PaidOutward) -> Number:
    """D_α(P‖Q)/α = ln(Σ p^α·q^(1−α))/((α−1)·α), or KL(P‖Q) = Σ p·ln(p/q) in the limit."""
    total: Number = Fraction(0)
    for p, q in pairs:
        if order is None:
            term = arithmetic.multiply(p, arithmetic.ln(arithmetic.divide(p, q)))
        else:
            first = arithmetic.multiply(order, arithmetic.ln(p))
            term = arithmetic.exp(arithmetic.add(first, arithmetic.multiply(1 - order, arithmetic.ln(q))))
        total = arithmetic.add(total, term)
    return total if order is None else arithmetic.divide(arithmetic.ln(total), (order - 1) * order)


_MAX_BYTES = 20_000_000
_LONGEST_INTEGER = 100_000


def replay(witness: Mapping[str, Any], work: Work | None = None) -> str:
    """One sentence that says which inequality is false."""
    kinds: dict[str, Callable[[Mapping[str, Any], Work], str]] = {
        "case": _replay_case,
        "loss": _replay_loss,
        "renyi": renyi_sentence,
        "formula": _replay_formula,
    }
    kind = witness.get("kind")
    if not isinstance(kind, str) or kind not in kinds:
        raise WitnessError(f"kind must be one of {sorted(kinds)}; got {quoted(kind)}")
    try:
        return kinds[kind](witness, Work() if work is None else work)
    except WitnessError:
        raise
    except UndecidedError as error:
        raise WitnessError(str(error)) from None
    except KeyError as missing:
        raise WitnessError(f"a {kind} witness must have the key {printable(str(missing))}") from None
    except (ArithmeticError, AttributeError, RecursionError, TypeError, ValueError) as error:
        raise WitnessError(f"a {kind} witness must be as this module describes it; {one_line(str(error))}") from None


def _replay_case(witness: Mapping[str, Any], work: Work) -> str:
    claimed, words = witness["claimed"], witness.get("where", {})
    case = {name: decoded(value, work) for name, value in witness["case"].items()}
    if holds(claimed, case, words, work):
        raise WitnessError("what is claimed holds of the case: the witness refutes nothing")
    both = sides(claimed, case, words, work)
    shown = ", ".join(f"{name} = {shown_value(value)}" for name, value in case.items())
    ends = f" (left {shortened_text(both[0], 60)}, right {shortened_text(both[1], 60)})" if both else ""
    return f"false{' at ' + shortened_text(shown) if shown else ''}: {shortened_text(one_line(claimed))}{ends}"


def _replay_loss(witness: Mapping[str, Any], work: Work) -> str:
    if states_bound(witness):
        return claimed_event(witness, work)
    laws = read_pair(witness, work)
    distance = exact_number("distance", witness["distance"], work)
    gamma, root = (exact_number(name, witness[name], work) for name in ("gamma", "gamma_root"))
    delta = exact_number("delta", witness.get("delta", "0"), work)
    if distance < 0 or gamma < 1 or root < 1 or root.denominator != 1 or not 0 <= delta < 1:
        raise WitnessError("a loss must have distance >= 0, gamma >= 1, an int gamma_root >= 1, and 0 <= delta < 1")
    work.combine(distance, root)
    power = Power(gamma, None, distance / root)
    if not exceeds(laws.p, laws.q, delta, power, work):
        raise WitnessError("the claimed inequality holds: the witness refutes nothing")
    slack = f" + {shown_number(delta)}" if delta else ""
    shown = f"{power} * {shown_number(laws.q)}{slack}"
    return f"P_x(E) = {shown_number(laws.p)} > {shown} = gamma^(d) * P_x'(E){slack}"


def _replay_formula(witness: Mapping[str, Any], work: Work) -> str:
    for name in witness["values"]:
        if not name.isidentifier():
            raise WitnessError(f"values must have names that a formula may use; got {quoted(name)}")
    values: dict[str, Fraction] = {name: exact_number(name, text, work) for name, text in witness["values"].items()}
    claimed = witness["claimed"]
    holds, left, right = evaluate(claimed, values, work)
    if holds:
        raise WitnessError(f"the claimed inequality holds: {shown_number(left)} and {shown_number(right)}")
    at = shortened_text(", ".join(f"{name} = {shown_number(value)}" for name, value in values.items()))
    sides = f"left {shown_number(left, 30)}, right {shown_number(right, 30)}"
    return f"false{' at ' + printable(at) if at else ''}: {shortened_text(one_line(claimed))} ({sides})"


_USAGE = """\
usage: python -m stirred.verify.evidence.certificates.replay FILE

Replays the witnesses in a JSON file.
exit status: 1 every witness refutes its claim, 2 one does not, or cannot be read
"""


def main(arguments: Sequence[str], register: Register | None = None) -> int:
    """Replay the witnesses in a file: one object, or a list of objects (a `witness` key is looked into)."""
    sys.set_int_max_str_digits(_LONGEST_INTEGER)
    is_help = bool({"-h", "--help"} & set(arguments))
    if is_help or len(arguments) != 1:
        (sys.stdout if is_help else sys.stderr).write(_USAGE)
        return 0 if is_help else 2
    try:
        lines = list(_lines(_read(arguments[0]), ledger_register() if register is None else register))
    except WitnessError as error:
        sys.stderr.write(printable(f"{arguments[0]}: {error}") + "\n")
        return 2
    sys.stdout.write("\n".join([*lines, f"{len(lines)} replayed"]) + "\n")
    return 1


def _read(path: str) -> Any:
    """The content of a JSON file."""
    try:
        content = read_whole(path, _MAX_BYTES)
    except UnreadableError as error:
        raise WitnessError(str(error)) from None
    try:
        return json.loads(content.decode(), object_pairs_hook=_object, parse_constant=_constant)
    except WitnessError:
        raise
    except (ValueError, RecursionError) as error:
        raise WitnessError(f"cannot be read as JSON: {error}") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of a JSON text; a reader would see the first of two values, and Python takes the last."""
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise WitnessError(f"duplicate key {quoted(twice)} in an object")
    return found


def _constant(name: str) -> NoReturn:
    raise WitnessError(f"a number must be finite; got {name}")


def _lines(data: Any, register: Register) -> Iterator[str]:
    """One line for each witness."""
    work, found = Work(), False
    for position, record in enumerate(data if isinstance(data, list) else [data]):
        whole = record if isinstance(record, dict) and "witness" in record else {"witness": record}
        if whole["witness"] is None:
            continue
        found = True
        name = f"witness {position}"
        try:
            yield _line(name, whole, register, work)
        except WitnessError as error:
            given = whole.get("id")
            raise WitnessError(f"{given if isinstance(given, str) else name}: {error}") from None
    if not found:
        raise WitnessError("holds no witness")


def _line(name: str, record: Mapping[str, Any], register: Register, work: Work) -> str:
    """The sentence of a record's witness, under its id where that was bound and else under another name."""
    witness = record["witness"]
    if not isinstance(witness, dict):
        raise WitnessError("a witness must be a JSON object")
    claim = witness.get("claim")
    # a witness alone goes by the claim that it carries
    named = claim if "id" not in record and isinstance(claim, dict) else record
    if register.confirms(named.get("id"), named, witness):
        name = named["id"]
    return f"{printable(name)}: REFUTED: {replay(witness, work)}"


if __name__ == "__main__":
    open_streams()
    sys.exit(printing(lambda: main(sys.argv[1:]), failure=2))
