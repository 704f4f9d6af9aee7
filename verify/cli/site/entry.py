"""A claim of the ledger and its record in a finished run: the two halves of its page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from stirred.spec.arguments import InputError, shown
from stirred.verify.evidence.theorems import STATEMENTS
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger.book import StatedAt, claim, claim_ids, concept_of, entry, place
from stirred.verify.ledger.claim import Claim
from stirred.verify.ledger.documents import item_of


@dataclass(frozen=True)
class ShownEvidence:
    """One piece of evidence, with the Coq theorems that it names."""

    verdict: Verdict
    scope: str
    detail: str
    place: str
    expression: str
    theorems: tuple[str, ...]


@dataclass(frozen=True)
class LedgerEntry:
    """A claim as it is stated, and the record of a run.

    Attributes:
        concept: the folder of its module.
        scope: of the strongest evidence, as `detail`.
        mutants: what each refuted mutant changes.
        refuted_by: Coq theorems that refute it.
        items: the documents and items that print it.
    """

    claim: Claim
    concept: str
    stated: StatedAt
    verdict: Verdict
    scope: str
    detail: str
    witness: Witness | None
    evidence: tuple[ShownEvidence, ...]
    mutants: tuple[str, ...]
    refuted_by: tuple[str, ...]
    items: tuple[tuple[str, str], ...]

    @property
    def id(self) -> str:
        """As the claim's."""
        return self.claim.id

    @property
    def path(self) -> str:
        """Of its page."""
        return f"ledger/{self.claim.id}.html"

    @property
    def theorems(self) -> tuple[str, ...]:
        """All theorems that it names, as file.theorem."""
        named = [name for one in self.evidence for name in one.theorems]
        return tuple(dict.fromkeys([*named, *self.refuted_by]))


def entries(records: Iterable[Mapping[str, Any]]) -> tuple[LedgerEntry, ...]:
    """The claims of a run, the output of `stirred verify --json`, in the ledger's order; refused unless up to date."""
    given = {str(record["id"]): record for record in records}
    known = set(claim_ids())
    for name in given:
        if name not in known:
            raise InputError(f"records must be of claims of this version; no claim has the id {shown(name)}")
    return tuple(_entry(claim(name), given[name]) for name in claim_ids() if name in given)


def _entry(stated: Claim, record: Mapping[str, Any]) -> LedgerEntry:
    try:
        evidence = tuple(_shown(one) for one in record["evidence"])
        found = LedgerEntry(
            claim=stated,
            concept=concept_of(stated.id),
            stated=entry(stated.id),
            verdict=Verdict[record["verdict"]],
            scope=_text(record["scope"]),
            detail=_text(record["detail"]),
            witness=record["witness"],
            evidence=evidence,
            mutants=tuple(_text(one["change"]) for one in record["mutants"]),
            refuted_by=stated.refuted_by,
            items=tuple(dict.fromkeys(item for source in stated.sources if (item := item_of(source)))),
        )
    except (KeyError, TypeError, AttributeError):
        raise InputError(f"the record of {stated.id} must be one that stirred verify --json prints") from None
    _same(found, record)
    return found


def _same(found: LedgerEntry, record: Mapping[str, Any]) -> None:
    """Refuse a record that is not of the claim as stated today, or whose verdict is not that of its evidence."""
    stated = found.claim
    today = {
        "statement": stated.statement,
        "sources": list(stated.sources),
        "grade": stated.grade.word if stated.grade else None,
        "repairs": stated.repairs,
        "refuted_in_coq": list(stated.refuted_by),
    }
    for name, value in today.items():
        if record.get(name) != value:
            raise InputError(f"the record of {found.id} must have the {name} of this version: run stirred verify again")
    checks = sorted((place(found.id, check), check.expression) for check in stated.checks)
    if checks != sorted((one.place, one.expression) for one in found.evidence):
        raise InputError(f"the record of {found.id} must have the checks of this version: run stirred verify again")
    if sorted(found.mutants) != sorted(stated.mutants):
        raise InputError(f"the record of {found.id} must have the mutants of this version: run stirred verify again")
    verdicts = [one.verdict for one in found.evidence] or [Verdict.OPEN]
    strongest = Verdict.REFUTED if Verdict.REFUTED in verdicts else max(verdicts)
    if found.verdict is not strongest or (strongest is Verdict.REFUTED) != isinstance(found.witness, dict):
        raise InputError(f"the record of {found.id} must have the verdict of its evidence, with a witness iff refuted")


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _shown(found: Mapping[str, Any]) -> ShownEvidence:
    where = _text(found["place"])
    file, _, names = where.partition("::")
    named = tuple(names.split(", ")) if file.endswith(STATEMENTS.name) else ()
    expression = _text(found["expression"]) if found["expression"] is not None else ""
    verdict, scope, detail = Verdict[found["verdict"]], _text(found["scope"]), _text(found["detail"])
    return ShownEvidence(verdict, scope, detail, where, expression, named)
