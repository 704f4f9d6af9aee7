"""What else settles a claim: theorems, a solver's query, rows of printed numbers, a proof in words; or nothing yet."""

from collections.abc import Sequence

from stirred.verify.engines.number_table import PrintedRow, agree, in_fractions
from stirred.verify.engines.solver import decide, query_text
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.theorems import proved
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.claim import Check, Query, Sentence


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
