"""What an audit found as a result that every format shows, each answer with the line of the claim file it is about."""

import hashlib
import json
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.enclosure import exponential
from stirred.verify.audit.audit import AuditRecord
from stirred.verify.audit.question import Answer
from stirred.verify.evidence.certificates.claim_bound import ClaimBound, read_bound, states_bound
from stirred.verify.evidence.certificates.decimal_interval import UndecidedError
from stirred.verify.evidence.certificates.exact_number import WitnessError
from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.evidence.certificates.work import Work
from stirred.verify.evidence.files.bounded_file import MAX_BYTES, read_bounded, read_text
from stirred.verify.evidence.files.toml_text import KeyPath, key_lines
from stirred.verify.evidence.reports.provenance import shown_path
from stirred.verify.evidence.reports.report import Finding, Place, Question, Result
from stirred.verify.evidence.witness import Witness
from stirred.verify.laws.claim.claim import PrivacyClaim

# What a refutation means, in one plain sentence: how much likelier some data make an output than is promised.
#
# Such a sentence can be said of pure and of approximate differential privacy, and of premetrics that count records or
# measure a number. Every number in it is rounded so that the sentence is true: what is found downward, what is
# promised upward; where a few digits do not tell the two apart, nothing is said.

_MEASURES = ("multiplicative", "approximate_multiplicative")
_DIGITS = (3, 4, 6, 9, 12)
_EXACT_DIGITS = 40
_LARGEST = 10**9
_MOST_OUTPUTS = 3
_LONGEST = 40

_CHANGES = {
    "hamming_unordered": "Changing",
    "hamming_ordered": "Changing",
    "neighbors_replace_one_unordered": "Changing",
    "neighbors_replace_one_ordered": "Changing",
    "symmetric_difference": "Adding or removing",
    "deletion_distance": "Adding or removing",
    "neighbors_add_remove_unordered": "Adding or removing",
    "neighbors_add_remove_ordered": "Adding or removing",
}
"""What a step of a premetric does to records."""


def plain_sentence(witness: Witness | None) -> str:
    r"""The sentence of the witness of a claim's budget; empty where there is none.

    >>> budget = {"input_premetric": {"name": "hamming_ordered", "resolution": "person", "data": "records"},
    ...           "output_premetric": {"name": "multiplicative"}, "budget": {"gamma": "2"}}
    >>> witness = {"kind": "loss", "x": [["yes"]], "x_prime": [["no"]], "event": ["yes"], "claim": budget}
    >>> said = plain_sentence({**witness, "probability": "3/4", "probability_prime": "1/4"})
    >>> print(said.replace("; ", ";\n"))
    Changing the record of one person can make the output "yes" at least 3 times as likely;
    the claim promises at most 2 times.
    """
    if witness is None or witness.get("kind") != "loss" or not states_bound(witness):
        return ""
    try:
        bound = read_bound(witness, Work())
    except (WitnessError, UndecidedError):  # too long to be read again: the refutation stands, without plain words
        return ""
    change = _change(witness["claim"]["input_premetric"], bound.d)
    if bound.measure not in _MEASURES or not change:
        return ""
    p, q = (Fraction(witness[key]) for key in ("probability", "probability_prime"))
    outputs = _outputs(witness["event"])
    if bound.measure == "approximate_multiplicative":
        said = _probabilities(outputs, p, q, bound)
    else:
        said = _possible(outputs, p) if q == 0 else _likelier(outputs, p / q, bound)
    return f"{change} {said}" if said else ""


def _change(premetric: dict[str, Any], d: Fraction) -> str:
    """What makes x of x', at distance d, as the subject of a sentence; empty where the premetric does not say."""
    name, unit = premetric["name"], one_line(premetric.get("resolution") or "record")
    if d <= 0 or len(unit) > _LONGEST:
        return ""
    if name == "absolute_difference":
        return f"A difference of {d} in the data can"
    if name not in _CHANGES:  # beliefs, and distances that a claim lists itself
        return ""
    if d == 1:
        return f"{_CHANGES[name]} {'one record' if unit == 'record' else f'the record of one {unit}'} can"
    return f"{_CHANGES[name]} {d} records{'' if unit == 'record' else f', each of one {unit},'} can"


def _outputs(event: list[Any]) -> str:
    """The outputs of an event, or how many they are."""
    names = [one if _is_number(one) else json.dumps(one, ensure_ascii=False) for one in event]
    if len(names) > _MOST_OUTPUTS or any(len(name) > _LONGEST for name in names):
        return "the output of the counterexample" if len(names) == 1 else f"an output in a set of {len(names)}"
    return f"the output {names[0]}" if len(names) == 1 else f"an output among {', '.join(names)}"


def _is_number(value: Any) -> bool:
    """Whether a text is a number, as fractions are written in JSON."""
    try:
        return isinstance(value, str) and bool(Fraction(value).denominator)
    except (ValueError, ZeroDivisionError):
        return False


def _likelier(outputs: str, ratio: Fraction, bound: ClaimBound) -> str:
    """By which factor an event becomes likelier, and by which it may."""
    most = _factor(bound)
    both = None if most is None else _apart(ratio, most)
    if both is None:
        return ""
    return f"make {outputs} at least {both[0]} times as likely; the claim promises at most {both[1]} times."


def _possible(outputs: str, p: Fraction) -> str:
    """An event that is impossible under x' alone, which a finite factor does not allow."""
    least = _shown(_rounded(p, _DIGITS[0], ROUND_FLOOR))
    return (
        f"make {outputs} possible, with probability at least {least}, where it was impossible; no epsilon allows that."
    )


def _probabilities(outputs: str, p: Fraction, q: Fraction, bound: ClaimBound) -> str:
    """To which probability an event rises, and to which it may: e^(ε·d)·P'(E) + δ."""
    factor = _factor(bound) if q else Fraction(0)
    both = None if factor is None else _apart(p, factor * q + bound.delta)
    if both is None:
        return ""
    before = "0" if q == 0 else f"at most {_shown(_rounded(q, _DIGITS[0], ROUND_CEILING))}"
    return (
        f"raise the probability of {outputs} from {before} to at least {both[0]}; the claim promises at most {both[1]}."
    )


def _factor(bound: ClaimBound) -> Fraction | None:
    """A number no smaller than e^(ε·d); None where it is too large to mean something."""
    number = bound.scalar()
    if bound.kind == "gamma":
        ratio = Loss(number).times(bound.d).ratio(_EXACT_DIGITS)
        return None if ratio is None or ratio.upper > _LARGEST else ratio.upper
    exponent = number * bound.d
    if exponent > _LARGEST.bit_length():
        return None
    return exponential(exponent, digits=_EXACT_DIGITS).upper


def _apart(found: Fraction, promised: Fraction) -> tuple[str, str] | None:
    """What is found rounded down and what is promised rounded up, with the fewest digits that tell them apart."""
    if found > _LARGEST:
        return None
    for digits in _DIGITS:
        low, high = _rounded(found, digits, ROUND_FLOOR), _rounded(promised, digits, ROUND_CEILING)
        if low > high:
            return _shown(low), _shown(high)
    return None


def _rounded(number: Fraction, digits: int, mode: str) -> Decimal:
    return Context(prec=digits, rounding=mode).divide(Decimal(number.numerator), Decimal(number.denominator))


def _shown(number: Decimal) -> str:
    """The number without zeros at its end; a small one with an exponent.

    >>> _shown(Decimal("2.20")), _shown(Decimal("1E+2")), _shown(Decimal("2.5E-9"))
    ('2.2', '100', '2.5e-9')
    """
    short = number.normalize()
    is_plain = short.is_zero() or short.adjusted() > -_DIGITS[2]
    return f"{short:f}" if is_plain else str(short).lower()


_KEYS: dict[str, tuple[KeyPath, ...]] = {
    "words": (("statement",),),
    "vacuity": (("multiverse",), ("domain",)),
    "account": (("account",),),
    "numbers": (("budget", "printed"), ("budget", "converted"), ("budget", "by"), ("budget",), ("account",)),
    "mechanism": (("mechanism",),),
    "budget": (
        *(("budget", key) for key in ("epsilon", "gamma", "rho_squared", "curve", "printed", "by")),
        ("budget",),
        ("account", "total"),
        ("account",),
    ),
    "weakening": (("budget",),),
    "data": (("mechanism",),),
    "file": (("mechanism", "swap_rate"),),
    "undone": (("mechanism", "holding"), ("mechanism",)),
    "drawn": (("mechanism", "swap_rate"),),
    "records": (("mechanism", "holding"), ("mechanism",)),
    "persons": (("mechanism", "swapping"), ("mechanism",)),
    "invariants": (("multiverse",),),
    "stratum": (("mechanism", "largest_stratum"),),
    "universe": (("budget",),),
    "determined": (("multiverse",),),
    "meaning": (("budget",),),
}
"""The keys that an answer is about, the first that the claim has; else its id."""


class ClaimPlaces:
    """The file of a claim or record, and the lines of a claim's keys in it."""

    def __init__(self, path: Path, built: PrivacyClaim | None = None) -> None:
        self._path = path
        self._table: KeyPath = () if built is None or built.file is None else built.file.table
        self._numbers = () if built is None else tuple(number.what for number in built.numbers)
        self._lines = {} if built is None else _lines(path)
        function = None if built is None or built.mechanism is None else built.mechanism.function
        self._module = None if function is None else function.file

    def of(self, question: str, sentence: str) -> Place:
        """Where an answer with this sentence belongs; the file's first line where no key is known."""
        listed = [("numbers", i) for i, what in enumerate(self._numbers) if sentence.startswith(f"{what}: ")]
        for key in (*(listed if question == "numbers" else ()), *_KEYS.get(question, ()), ("id",)):
            line = self._lines.get((*self._table, *key))
            if line is not None:
                return Place(self._file, line)
        return Place(self._file)

    @property
    def _file(self) -> str:
        return shown_path(self._path)

    def files(self) -> tuple[tuple[str, str], ...]:
        """The files that the audit reads, each with its SHA-256: the claim or record, and the mechanism's module."""
        paths = [self._path, *([] if self._module is None else [self._module])]
        return tuple((shown_path(path), digest) for path in paths if (digest := _digest(path)) is not None)


def _digest(path: Path) -> str | None:
    try:
        return hashlib.sha256(read_bounded(path, MAX_BYTES)).hexdigest()
    except InputError:
        return None


def _lines(path: Path) -> dict[KeyPath, int]:
    try:
        return key_lines(read_text(path))
    except InputError:  # a pipe was read already, and a file may be gone by now
        return {}


def audit_result(record: AuditRecord, places: ClaimPlaces, questions: tuple[Question, ...] = ()) -> Result:
    """The answers as findings, under the verdict on the claim."""
    verdict = Finding(
        record.id,
        "claim",
        record.verdict,
        f"({record.source}) {record.sentence}",
        record.scope,
        place=places.of(record.decider.question, record.decider.evidence.detail),
        numbers=record.numbers,
    )
    return Result(
        verdict,
        tuple(_finding(record, answer, places) for answer in record.answers),
        source=record.source,
        statement=record.statement,
        claimed=record.claimed,
        needed=record.needed,
        because=record.sentence,
        means=plain_sentence(record.decider.evidence.witness),
        audited=record.audited,
        words=record.words,
        questions=questions,
        assumptions=_assumptions(record),
        files=(*places.files(), *record.data),
    )


def _assumptions(record: AuditRecord) -> tuple[str, ...]:
    """The scopes of the answers that decide, each once, then what the claim does not cover."""
    scopes = dict.fromkeys(answer.evidence.scope for answer in record.answers if answer.decides)
    outside = [answer.evidence.detail for answer in record.answers if answer.question == "outside"]
    return (*(f"Shown for: {scope}" for scope in scopes), *(f"Not covered: {one}" for one in outside))


def _finding(record: AuditRecord, answer: Answer, places: ClaimPlaces) -> Finding:
    evidence = answer.evidence
    return Finding(
        f"{record.id}.{answer.question}",
        answer.question,
        evidence.verdict,
        evidence.detail,
        evidence.scope,
        evidence.witness,
        answer.decides,
        places.of(answer.question, evidence.detail),
        is_remark=answer.is_remark,
        is_fact=answer.is_fact,
        numbers=evidence.numbers,
    )
