"""The adapter around Z3, which is given a claim's negation exactly as its SMT-LIB file has it.

The file `queries/<claim-id>.smt2` is the encoding: it declares what the claim quantifies over, asserts its hypotheses
and then the negation of its conclusion. "unsat" decides the claim for everything declared; any SMT-LIB solver can check
the same file. A mutant is the same text with one piece replaced. "unknown" is never taken for an answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError, positive_integer
from stirred.verify.evidence.certificates.replay import WitnessError, replay
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness

QUERIES = Path(__file__).resolve().parent / "queries"
"""Where the queries are kept."""

STEPS = 20_000_000
"""Z3's resource limit for a query (a few million units a second): no clock, so that load changes no answer."""
_MODEL_DIGITS = 60


@dataclass(frozen=True)
class SolverAnswer:
    """What the solver said.

    Attributes:
        model: for "sat", the rational values of the numeric constants; an irrational value is given to 60 digits.
    """

    status: str
    model: Mapping[str, Fraction]
    reason: str = ""


def query_text(claim_id: str, *changes: tuple[str, str]) -> str:
    """The query of a claim as SMT-LIB text, with pieces of it replaced.

    Changes are pairs (piece, replacement); each piece must occur exactly once.
    """
    path = QUERIES / f"{claim_id}.smt2"
    if not path.is_file():
        raise EngineError(f"{claim_id} has no query {path.name}")
    text = path.read_text(encoding="utf-8")
    for piece, replacement in changes:
        if text.count(piece) != 1:
            raise EngineError(
                f"{path.name}: the piece {piece!r} must occur exactly once; it occurs {text.count(piece)}"
            )
        text = text.replace(piece, replacement)
    return text


def ask(text: str, *, steps: int = STEPS) -> SolverAnswer:
    """Z3's answer to SMT-LIB text, the same whatever was asked before: each query has a context of its own.

    >>> ask("(declare-const x Int) (assert (< x x))").status
    'unsat'
    """
    import z3  # noqa: PLC0415 slow to load, and only decided claims need it

    solver = z3.Solver(ctx=z3.Context())
    solver.set("rlimit", positive_integer("steps", steps))
    solver.set("random_seed", 0)
    try:
        solver.from_string(text)
    except z3.Z3Exception as error:
        raise InputError(f"text must be SMT-LIB; Z3 says: {error}") from None
    status = str(solver.check())
    if status == "sat":
        return SolverAnswer(status, _rational_model(solver))
    return SolverAnswer(status, {}, "" if status == "unsat" else solver.reason_unknown())


def _rational_model(solver: Any) -> dict[str, Fraction]:
    """The values of all numeric constants that the assertions name, those included that do not matter."""
    import z3  # noqa: PLC0415

    model = solver.model()
    values: dict[str, Fraction] = {}
    pending, seen = list(solver.assertions()), set()
    while pending:
        term = pending.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        pending += term.children()
        if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED and z3.is_arith(term):
            value = model.eval(term, model_completion=True)
            if z3.is_algebraic_value(value):
                value = value.approx(_MODEL_DIGITS)
            values[term.decl().name()] = Fraction(str(value))
    return dict(sorted(values.items()))


def decide(
    claim_id: str, scope: str, *, claimed: str = "", note: str = "", changes: Sequence[tuple[str, str]] = ()
) -> Evidence:
    """DECIDED where the negation of a claim is unsatisfiable, REFUTED where a model replays, else OPEN.

    A model refutes `claimed`, an (in)equality in the names of the query's constants; without it the claim stays OPEN.
    """
    answer = ask(query_text(claim_id, *changes))
    if answer.status == "unsat":
        return Evidence(Verdict.DECIDED, scope, f"Z3: the negation is unsatisfiable (queries/{claim_id}.smt2)")
    if answer.status == "unknown":
        return Evidence(Verdict.OPEN, scope, f"Z3 gave no answer: {answer.reason}")
    if not claimed:
        return Evidence(Verdict.OPEN, scope, "Z3 has a model of the negation, with no formula to replay it by")
    witness = formula_witness(claimed, note=note, **answer.model)
    try:
        sentence = replay(witness)
    except WitnessError as error:
        raise EngineError(f"{claim_id}: Z3's model does not refute {claimed!r}: {error}") from None
    return Evidence(Verdict.REFUTED, scope, f"Z3's model: {sentence}", witness)
