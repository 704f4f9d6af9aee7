"""Stating a claim: one call holds its words, sources, reading, checks, mutants and theorems.

Besides the quantifiers, a claim is settled by theorems, a solver's query, rows of printed numbers, or a proof in words.

state("swapping.moved-records", "article, Lemma 7")(
"For any data set x and any permutation g, d_HamS(x, g(x)) <= k_g.",
every(PERMUTED, lambda x, g: hamming(x, permuted(x, g)) <= moved(g)),
mutant("k_g - 1 for k_g", lambda x, g: hamming(x, permuted(x, g)) <= moved(g) - 1),
theorem("hamming.hamming_apply_perm"),
)
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from stirred.verify.engines.number_table import PrintedRow, agree, in_fractions
from stirred.verify.engines.solver import decide, query_text
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.theorems import proved
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.claim import Check, Claim, Grade, Mutation, Query, Sentence

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


def state(claim_id: str, *sources: str) -> Callable[..., None]:
    """State what sources print: `state(id, source)(words, check, …)`, with the arguments of `enter`.

    Args:
        claim_id: dotted lower-case words that never change.
        *sources: document and number, of every place that prints it in these words.
    """
    return partial(enter, claim_id, sources, True)


def own(claim_id: str, *sources: str) -> Callable[..., None]:
    """State what this project says itself, by the place that it speaks of: as `state`."""
    return partial(enter, claim_id, sources, False)


def enter(
    claim_id: str,
    sources: Sequence[str],
    is_printed: bool,
    words: str,
    *checks: Check | Mutation,
    reading: str = "",
    repairs: str | None = None,
    grade: Grade | None = None,
    refuted_by: Sequence[str] = (),
) -> None:
    """Put a claim into the ledger.

    Args:
        claim_id: as for `state`.
        sources: as for `state`.
        is_printed: whether the words are the sources'.
        words: the sources' words, formulas in plain text, and nothing else; or this project's own. Here and in the
            reading lines may be broken and indented.
        *checks: `every`, `some`, `theorem`, `query` and so on; after a check stand its mutants.
        reading: what is encoded where the words leave a choice, with the reason in half a line.
        repairs: the id of the printed claim that this one repairs.
        grade: `misprint`, `incomplete` or `false`, for a claim that is refuted.
        refuted_by: theorems of proofs/Statements.v that refute it.
    """
    if claim_id in STATED:
        raise EngineError(f"claim ids must be unique; {claim_id} is stated twice")
    kept: list[Check] = []
    mutants: dict[str, Check] = {}
    for one in checks:
        if isinstance(one, Check):
            kept.append(one)
        elif one.what in mutants:
            raise EngineError(f"{claim_id} has two mutants named {one.what!r}")
        else:
            mutants[one.what] = _mutant(claim_id, kept, one)
    words, reading = " ".join(words.split()), " ".join(reading.split())
    STATED[claim_id] = Claim(
        claim_id, tuple(sources), words, is_printed, reading, repairs, grade, tuple(kept), mutants, tuple(refuted_by)
    )


def mutant(what: str, to: Any) -> Mutation:
    """A changed statement, which must come out REFUTED, after the check that it changes.

    Args:
        what: what was changed, in words.
        to: other cases, another sentence, or a map of other constants, for the check before it; or a check of its own.
    """
    return Mutation(what, to)


def _mutant(claim_id: str, before: Sequence[Check], one: Mutation) -> Check:
    if isinstance(one.to, Check):
        return one.to
    changed = before[-1].changed if before else None
    if changed is None:
        raise EngineError(f"{claim_id}: the mutant {one.what!r} must stand after the check that it changes")
    try:
        return changed(one.to)
    except EngineError as error:
        error.add_note(f"{claim_id}: the mutant {one.what!r}")
        raise


def theorem(*names: str, within: str = "all sizes") -> Check:
    """PROVED: theorems state every sentence of the claim, for all sizes or within a limit; see `evidence.theorems`.

    Args:
        *names: file.theorem, for the theorems that proofs/Statements.v restates beside the claim.
        within: what a theorem asks beyond the words of its claim, or what it speaks of where that is not every case.
    """
    return Check(lambda: proved(names, within), "proofs/Statements.v::" + ", ".join(names), names)


def query(
    name: str, scope: str, *, claimed: str = "", note: str = "", changes: Sequence[tuple[str, str]] = ()
) -> Check:
    """Whether the negation of a claim, kept as SMT-LIB text, has no model: see `verify.engines.solver.decide`.

    Args:
        name: the query `verify/engines/queries/<name>.smt2`, named by the claim's id.
        scope: what the constants of the query range over, in words.
        claimed: the (in)equality that a model refutes.
        note: what the constants are.
        changes: pieces of the query to replace, for a mutant.
    """
    return Check(
        lambda: decide(name, scope, claimed=claimed, note=note, changes=changes),
        f"verify/engines/queries/{name}.smt2::{name}",
        shown=lambda: [Query(query_text(name, *changes), scope)],
    )


def printed(rows: Sequence[PrintedRow], scope: str) -> Check:
    """Whether every printed number agrees with its formula at the printed precision, up to the first that does not."""
    return Check(lambda: agree(rows, scope), shown=lambda: list(map(_row, rows)))


def _row(row: PrintedRow) -> Sentence:
    """A printed number beside its formula, at inputs that give it."""
    values = {**row.agreeing_inputs(), "printed": row.printed.value, "half_unit": row.printed.half_unit}
    says = f"printed - half_unit <= {in_fractions(row.formula)} <= printed + half_unit"
    return Sentence(says, row.what, tuple(values), [tuple(values.values())])


def argued(scope: str, *, proof: str) -> Check:
    """A proof in words, which counts as verified nowhere, until Coq has it."""
    return Check(lambda: Evidence(Verdict.ARGUED, scope, " ".join(proof.split())))


def unsettled(reason: str) -> Check:
    """Nothing settles the claim, and why."""
    return Check(lambda: Evidence(Verdict.OPEN, reason))
