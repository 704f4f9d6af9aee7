"""Certificates of claims: what a verdict comes down to, as `verify.certificates.sentences` and `query` check it again.

A claim is given the sentences of its checks, or where it is refuted its counterexample, and each query with a sum that
contradicts it where one is found. Every certificate is checked before it is given away.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from verify.certificates import query, sentences
from verify.certificates.case_values import encoded
from verify.certificates.exact_number import exact_number
from verify.certificates.work import Work
from verify.engines.algebra.linear_program import Solution, nonnegative_solution
from verify.engines.number_table import in_fractions
from verify.evidence.finding import EngineError
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness
from verify.ledger.book import claim, place
from verify.ledger.claim import Check, Query, Sentence
from verify.ledger.failures import plain, words_of
from verify.ledger.run import LedgerRecord, run_claim
from verify.outside.worker_pool import in_processes

__all__ = ["MOST_BYTES", "Certified", "certified", "contradiction", "run_certified"]

MOST_BYTES = 5_000_000
"""How many bytes a certificate may have; what would make it larger is left out, and the certificate says so."""

Certificate = dict[str, Any]


@dataclass(frozen=True)
class Certified:
    """A claim with its certificates.

    Attributes:
        record: what was found.
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
    """Re-check a claim, and list what its verdict comes down to.

    Raises:
        EngineError: as `run_claim`; or a certificate is not confirmed.
        InputError: no claim has this id.
    """
    record = run_claim(claim_id)
    listed, queries, without, room = [], [], [], MOST_BYTES
    for where, parts in _parts(record):
        if isinstance(parts, str):
            without.append(f"{where}: {parts}")
            continue
        for part in parts:
            if isinstance(part, Query):
                queries.append(part)
                continue
            found = part if isinstance(part, dict) else _listed(part, room)
            if found is None:
                without.append(f"{where}: its cases take more than {MOST_BYTES} bytes")
            else:
                listed.append(found)
                room -= len(json.dumps(found))
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
    """Check certificates as a reader would, from their text; yields the scopes of the queries that no solver answers.

    Raises:
        EngineError: one is not confirmed.
    """
    for certificate in certificates:
        one = json.loads(_text(certificate))
        try:
            (sentences if one["format"] == sentences.FORMAT else query).check(one)
        except query.UnansweredError:
            yield one["scope"]
        except (sentences.SentenceError, query.QueryError) as error:
            raise EngineError(f"{claim_id}: its certificate is not confirmed: {error}") from None


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
    return "nothing settles it" if verdict is Verdict.OPEN else "computed by this program, as it stands there"


def _listed(sentence: Sentence, room: int) -> Certificate | None:
    """A sentence with its cases, each once; None where they take more room."""
    cases: dict[str, Any] = {}
    for case in sentence.cases:
        values = [encoded(plain(part)) for part in case]
        text = json.dumps(values)
        room -= 0 if text in cases else len(text)
        if room < 0:
            return None
        cases[text] = values
    return _as_listed(sentence.says, sentence.scope, sentence.names, list(cases.values()), is_so=True)


def _as_listed(says: str, scope: str, names: Iterable[str], cases: list[Any], *, is_so: bool) -> Certificate:
    return {"says": says, "is": is_so, "scope": scope, "names": list(names), "cases": cases}


def _counterexample(witness: Witness, scope: str) -> Certificate:
    """The sentence that is false of the case of a refutation.

    Raises:
        EngineError: the witness is of a kind that no claim of the ledger has.
    """
    if witness["kind"] == "case":
        case = witness["case"]
        return _as_listed(witness["claimed"], scope, case, [list(case.values())], is_so=False)
    if witness["kind"] == "formula":
        values = {name: exact_number(name, text, Work()) for name, text in witness["values"].items()}
        row = [encoded(number) for number in values.values()]
        return _as_listed(in_fractions(witness["claimed"]), scope, values, [row], is_so=False)
    raise EngineError(f"there is no certificate for a witness of the kind {witness['kind']}")


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
