"""Certificates of claims: what a verdict comes down to, as `certificates.sentences` and `query` check it again.

A claim is given the sentences of its checks, or where it is refuted its counterexample, and each query with a sum that
contradicts it where one is found. Every certificate is checked before it is given away.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.verify.engines.algebra.linear_program import Solution, nonnegative_solution
from stirred.verify.engines.number_table import in_fractions
from stirred.verify.evidence.certificates import query, sentences
from stirred.verify.evidence.certificates.case_values import encoded
from stirred.verify.evidence.certificates.exact_number import exact_number
from stirred.verify.evidence.certificates.work import Work
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.listing import Truth, listening
from stirred.verify.evidence.process_control.worker_pool import in_processes
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger.book import claim, place
from stirred.verify.ledger.claim import Check, Query, Sentence, UnlistedError
from stirred.verify.ledger.failures import plain, words_of
from stirred.verify.ledger.run import LedgerRecord, run_claim

MOST_BYTES = 5_000_000
"""How many bytes a certificate may have; what would make it larger is left out, and the certificate says so."""

_COMPUTED = "computed by the code there"

Certificate = dict[str, Any]

_Cases = dict[tuple[str, str, tuple[str, ...]], dict[str, Any]]
"""Cases as JSON values, by their texts but for the order of maps, under the expression, the scope and the names."""


@dataclass(frozen=True)
class Certified:
    """A claim with its certificates.

    Attributes:
        text: the certificate of its sentences as JSON; empty where there are none.
        queries: the certificates of its queries as JSON, a list; empty where there are none.
        without: what else speaks about the claim, and why no certificate has it.
        unanswered: queries that only another solver than ours could check, by their scope.
    """

    record: LedgerRecord
    text: str
    queries: str
    without: tuple[str, ...]
    unanswered: tuple[str, ...] = ()


def certified(claim_id: str) -> Certified:
    """Re-check a claim, and list what its verdict comes down to."""
    record = run_claim(claim_id)
    listed, queries, without, room = [], [], [], MOST_BYTES
    for where, parts in _parts(record):
        if isinstance(parts, str):
            without.append(f"{where}: {parts}")
            continue
        collected = _Collected(room)
        try:
            collected.take(parts)
        except UnlistedError as error:
            without.append(f"{where}: {str(error) or _COMPUTED}")
            continue
        listed += collected.sentences
        queries += collected.queries
        without += [f"{where}: {one}" for one in collected.without]
        room = collected.room
    head = {"claim": claim_id, "statement": record.claim.statement}
    certificates: list[Certificate] = []
    if listed:
        words = _words(record.witness, [one["says"] for one in listed])
        shown = {"words": words, "sentences": listed, "without": without}
        certificates.append({"format": sentences.FORMAT, **head, **shown})
    asked = []
    for one in queries:
        about = {"scope": one.scope, "query": one.text, "sum": contradiction(one.text), "without": without}
        asked.append({"format": query.FORMAT, **head, **about})
    unanswered = tuple(_confirm(claim_id, [*certificates, *asked]))
    text = "".join(map(_text, certificates))
    return Certified(record, text, _text(asked) if asked else "", tuple(without), unanswered)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def run_certified(ids: Sequence[str], *, jobs: int = 1) -> Iterator[Certified]:
    """Re-check claims by their ids and certify them, in their order and in so many processes at once."""
    yield from map(certified, ids) if jobs == 1 or len(ids) < 2 * jobs else in_processes(certified, ids, jobs=jobs)


def _confirm(claim_id: str, certificates: Iterable[Certificate]) -> Iterator[str]:
    """Check certificates as a reader would, from their text; the scopes of queries that no solver answers."""
    for certificate in certificates:
        one = json.loads(_text(certificate))
        try:
            (sentences if one["format"] == sentences.FORMAT else query).check(one)
        except query.UnansweredError:
            yield one["scope"]
        except (sentences.SentenceError, query.QueryError) as error:
            raise EngineError(f"{claim_id}: its certificate does not check: {error}") from None


def _parts(record: LedgerRecord) -> Iterator[tuple[str, str | Iterable[Sentence | Query | Certificate]]]:
    """What a claim's verdict comes down to, check by check: or why it comes down to nothing that can be listed."""
    if record.witness is not None:
        yield record.verdict.name, [_counterexample(record.witness, record.scope)]
        return
    evidence = {(one.place, one.expression): one.evidence.verdict for one in record.found}
    for check in claim(record.claim.id).checks:
        where = place(record.claim.id, check)
        verdict = evidence[where, check.expression]
        listed = check.shown is not None and verdict.is_settled_for
        yield f"{verdict.name} by {where}", check.shown() if check.shown and listed else _reason(check, verdict)


def _reason(check: Check, verdict: Verdict) -> str:
    if check.theorems:
        return "a theorem, which coqc checks"
    if verdict is Verdict.ARGUED:
        return "a proof in words"
    if verdict is Verdict.SAMPLED:
        return "statistics"
    return "nothing settles it" if verdict is Verdict.OPEN else _COMPUTED


class _Collected:
    """What a check comes down to: its sentences with their cases, each once, and the steps of engines on the way.

    Args:
        room: how many bytes they may take.
    """

    def __init__(self, room: int) -> None:
        self.room = room
        self.queries: list[Query] = []
        self.without: list[str] = []
        self._taken: list[Certificate] = []
        self._cases: _Cases = {}
        self._steps: _Cases = {}
        self._steps_room = room

    @property
    def sentences(self) -> list[Certificate]:
        """The sentences, in the order in which they were found."""
        heads = [*self._cases.items(), *self._steps.items()]
        return [*self._taken, *(_as_listed(*head, list(cases.values()), is_so=True) for head, cases in heads)]

    def take(self, parts: Iterable[Sentence | Query | Certificate]) -> None:
        """Take what a check comes down to."""
        with listening() as steps:
            for part in parts:
                self._take(part, steps)
        if self._steps_room < 0:
            self.without.append(f"the intermediate steps exceed {MOST_BYTES} bytes")
            self._steps.clear()

    def _take(self, part: Sentence | Query | Certificate, steps: list[Truth]) -> None:
        if isinstance(part, Query):
            self.queries.append(part)
        elif isinstance(part, dict):
            self._taken.append(part)
        else:
            for case in part.cases:
                self.room -= _add(self._cases, (part.says, part.scope, part.names), case)
                if self.room < 0:
                    raise UnlistedError(f"its cases exceed {MOST_BYTES} bytes")
                while steps:
                    step = steps.pop(0)
                    if step.is_step and self._steps_room >= 0:
                        head = (step.says, f"on the way to: {part.scope}", tuple(step.case))
                        self._steps_room -= _add(self._steps, head, step.case.values())


def _add(cases: _Cases, head: tuple[str, str, tuple[str, ...]], case: Iterable[Any]) -> int:
    """Add a case; returns how many bytes it takes."""
    values = [encoded(plain(part)) for part in case]
    text, listed = json.dumps([_unordered(value) for value in values]), cases.setdefault(head, {})
    if text in listed:
        return 0
    listed[text] = values
    return len(text)


def _unordered(value: Any) -> Any:
    """A JSON value with its maps in one order: the same map in another order is no other case."""
    if isinstance(value, list):
        return [_unordered(part) for part in value]
    if isinstance(value, dict) and "number" not in value:
        ((kind, parts),) = value.items()
        return {kind: sorted(map(_unordered, parts), key=json.dumps)}
    return value


def _as_listed(says: str, scope: str, names: Iterable[str], cases: list[Any], *, is_so: bool) -> Certificate:
    return {"says": says, "is": is_so, "scope": scope, "names": list(names), "cases": cases}


def _counterexample(witness: Witness, scope: str) -> Certificate:
    """The sentence that is false of the case of a refutation."""
    if witness["kind"] == "case":
        case = witness["case"]
        return _as_listed(witness["claimed"], scope, case, [list(case.values())], is_so=False)
    if witness["kind"] == "formula":
        values = {name: exact_number(name, text, Work()) for name, text in witness["values"].items()}
        row = [encoded(number) for number in values.values()]
        return _as_listed(in_fractions(witness["claimed"]), scope, values, [row], is_so=False)
    raise EngineError(f"no certificate for witnesses of kind {witness['kind']}")


def _words(witness: Witness | None, texts: Iterable[str]) -> dict[str, str]:
    """The definitions that expressions use."""
    if witness is not None:
        return dict(witness.get("where", {}))
    return {head: body for text in texts for head, body in words_of(text).items()}


def contradiction(text: str) -> list[list[Any]] | None:
    """Places of comparisons of a query with numbers, so that their sum is absurd; None where none is found.

    >>> contradiction("(declare-const x Int) (assert (< x 2)) (assert (<= 4 (* 2 x)))")
    [[0, '1'], [1, '1/2']]
    """
    try:
        facts = query.comparisons(text)
    except query.QueryError:
        return None
    monomials = sorted({monomial for _, polynomial in facts for monomial in polynomial} - {()})
    signed = [(i, sign, factor) for i, (sign, _) in enumerate(facts) for factor in ((1, -1) if sign == "=" else (1,))]
    for total, strictly in ((0, 1), (-1, 0)):
        columns = [
            (
                *(facts[i][1].get(monomial, Fraction(0)) * factor for monomial in monomials),
                facts[i][1].get((), Fraction(0)) * factor,
                Fraction(strictly * (sign == ">")),
            )
            for i, sign, factor in signed
        ]
        slack = (*(Fraction(0) for _ in monomials), Fraction(1), Fraction(0))
        target = (*(Fraction(0) for _ in monomials), Fraction(total), Fraction(strictly))
        found = nonnegative_solution([*columns, slack], target)
        if isinstance(found, Solution):
            named = zip(signed, found.values, strict=False)
            return [[i, str(factor * number)] for (i, _, factor), number in named if number]
    return None
