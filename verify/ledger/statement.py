"""Stating a claim: one call holds its words, sources, reading, checks, mutants and theorems.

state(
"swapping.moved-records",
"article, Lemma 7",
printed="For any data set x and any permutation g, d_HamS(x, g(x)) <= k_g.",
checks=[
every(PERMUTED, lambda x, g: hamming(x, permuted(x, g)) <= moved(g)),
theorem("hamming.hamming_apply_perm"),
],
mutants={"k_g - 1 for k_g": every(PERMUTED, lambda x, g: hamming(x, permuted(x, g)) <= moved(g) - 1)},
)
"""

from collections.abc import Mapping, Sequence

from stirred.verify.evidence.finding import EngineError
from stirred.verify.ledger.claim import Check, Claim, Grade

STATED: dict[str, Claim] = {}
"""The claims of the modules that were loaded, in their order."""


def misprint(reason: str) -> Grade:
    """The same source shows what was meant: a rounding, a missing prime, exchanged labels."""
    return Grade("misprint", reason)


def incomplete(reason: str) -> Grade:
    """A hypothesis is missing that holds where the source uses the statement, or that it states elsewhere."""
    return Grade("incomplete", reason)


def false(reason: str) -> Grade:
    """The statement fails under every reading that its authors can have meant."""
    return Grade("false", reason)


def state(
    claim_id: str,
    *sources: str,
    printed: str = "",
    claim: str = "",
    reading: str = "",
    repairs: str | None = None,
    grade: Grade | None = None,
    checks: Sequence[Check] = (),
    mutants: Mapping[str, Check] | None = None,
    refuted_by: Sequence[str] = (),
) -> None:
    """Put a claim into the ledger.

    Args:
        claim_id: dotted lower-case words that never change.
        *sources: document and number, of every place that prints it in these words.
        printed: the sources' words, formulas in plain text, and nothing else; here and below lines may be broken and
            indented.
        claim: this project's own words, instead of printed ones.
        reading: what is encoded where the words leave a choice, with the reason in half a line.
        repairs: the id of the printed claim that this one repairs.
        grade: `misprint`, `incomplete` or `false`, for a claim that is refuted.
        checks: see `verify.ledger.quantifiers`, `verify.ledger.sources`, `verify.evidence.theorems`.
        mutants: what was changed, and the check of the changed statement, which must come out REFUTED; beside those
            that stand at their checks.
        refuted_by: theorems of proofs/Statements.v that refute it.

    Raises:
        EngineError: the id stands already, or words are missing or given twice.
    """
    if claim_id in STATED:
        raise EngineError(f"claim ids must be unique; {claim_id} is stated twice")
    if bool(printed) == bool(claim):
        raise EngineError(f"{claim_id} must have either printed words or words of its own")
    at_checks = [item for check in checks for item in check.mutants.items()]
    changed = dict([*at_checks, *(mutants or {}).items()])
    if len(changed) < len(at_checks) + len(mutants or {}):
        raise EngineError(f"{claim_id} has two mutants of one name")
    STATED[claim_id] = Claim(
        claim_id,
        sources,
        _one_line(printed or claim),
        bool(printed),
        _one_line(reading),
        repairs,
        grade,
        tuple(checks),
        changed,
        tuple(refuted_by),
    )


def _one_line(words: str) -> str:
    return " ".join(words.split())
