"""A budget for every number of records by alignment of noise, and the check of the certificate that shows it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates import alignment
from stirred.verify.evidence.certificates.alignment import VERTICES, AlignmentError, Signs, check, to_json
from stirred.verify.evidence.certificates.closed_grammar import ReadProgram
from stirred.verify.evidence.certificates.polynomial import Polynomial
from stirred.verify.evidence.certificates.program_graph import Graph
from stirred.verify.evidence.certificates.read_values import RefusedError
from stirred.verify.evidence.certificates.released_index import WIDTHS, IndexRuleError, released_index
from stirred.verify.evidence.finding import EngineError
from stirred.verify.prove.alignment_program import AlignmentProgram
from stirred.verify.prove.reasons import moves_in_words
from stirred.verify.prove.stated import EverySize


@dataclass(frozen=True)
class Proof:
    """What alignment of noise shows.

    Attributes:
        budget: the least that it shows; None where it shows none.
        is_met: whether the claimed budget is shown; True where none is claimed and one is shown.
        certificate: of the claimed budget, or of the least one, in each direction of the neighbours; it was checked.
        numbers: "real numbers" or "integers".
        because: how noise moves, in words.
        obstacle: what stands in the way, by line; empty where nothing does, or no single line.
        needs: preconditions.
    """

    budget: Polynomial | None
    is_met: bool
    certificate: Mapping[str, Any] | None
    numbers: str
    because: tuple[str, ...]
    obstacle: str
    needs: tuple[str, ...]


def proof_of(stated: EverySize, *, explains: bool = True) -> Proof:
    """What alignment shows of a claim; `explains`: and what stands in its way, which takes more programs.

    Raises:
        InputError: the function is not read.
        EngineError: the solver gives no answer, or the independent checker refuses what was found.
    """
    try:
        graph = Graph(stated.program)
    except RefusedError as error:
        raise InputError(f"{stated.name}: {error}") from None
    try:
        cost = released_index(graph, WIDTHS[stated.neighbors])
    except IndexRuleError:
        return _by_alignment(stated, graph, explains=explains)
    signs = Signs(stated.program, [cost, *([] if stated.epsilon is None else [stated.epsilon])])
    if not signs.show(cost):
        return Proof(None, False, None, "real numbers", (), f"the scale of noise may be 0 or negative: {cost}", ())
    because = f"the noise of the released index alone moves, until it leads by as much as before: {cost}"
    return _shown(stated, cost, signs, {"rule": "released index"}, (because,))


def _by_alignment(stated: EverySize, graph: Graph, *, explains: bool) -> Proof:
    """By one alignment for each direction: all of the claimed budget, or each of its least."""
    programs = {one: AlignmentProgram(graph, stated.neighbors, one) for one in VERTICES[stated.neighbors]}
    found = {direction: program.least(stated.epsilon) for direction, program in programs.items()}
    if None in found.values():
        found = {direction: program.least(None) for direction, program in programs.items()}
    budgets = [one.budget for one in found.values() if one is not None]
    if len(budgets) < len(programs):
        failed = next(programs[direction] for direction, one in found.items() if one is None)
        return Proof(None, False, None, "real numbers", (), failed.obstacle() if explains else "", ())
    signs = Signs(stated.program, [*budgets, *([] if stated.epsilon is None else [stated.epsilon])])
    parts = {direction: one.parts for direction, one in found.items() if one is not None}
    because = dict.fromkeys(line for one in parts.values() for line in moves_in_words(graph, one))
    fields = {"rule": "alignment", "alignments": parts}
    return _shown(stated, _largest(budgets, signs), signs, fields, tuple(because))


def _shown(
    stated: EverySize, budget: Polynomial, signs: Signs, rule: Mapping[str, Any], because: tuple[str, ...]
) -> Proof:
    """What a rule shows, with its certificate, checked."""
    claim = stated.epsilon
    is_met = claim is None or signs.show(claim - budget)
    certificate = {
        "format": alignment.FORMAT,
        "claim": stated.name,
        "program": program_fields(stated.program),
        "neighbors": stated.neighbors,
        "budget": to_json(claim if claim is not None and is_met else budget),
        **rule,
    }
    numbers = "integers" if _checked(certificate)[-1].endswith("integers") else "real numbers"
    return Proof(budget, is_met, certificate, numbers, because, "", tuple(signs.stated))


def _largest(budgets: list[Polynomial], signs: Signs) -> Polynomial:
    for one in budgets:
        if all(signs.show(one - other) for other in budgets):
            return one
    total = Polynomial({})
    for one in budgets:
        total += one
    return total


def program_fields(program: ReadProgram) -> dict[str, Any]:
    """A program as a certificate has it."""
    return {
        "source": program.source,
        "sha256": hashlib.sha256(program.source.encode()).hexdigest(),
        "name": program.name,
        "generator": list(program.generator),
        "names": dict(program.names),
        "ranges": dict(program.ranges),
    }


def _checked(certificate: Mapping[str, Any]) -> list[str]:
    """What the independent checker says of a certificate, as a reader has it.

    Raises:
        EngineError: it is refused.
    """
    try:
        return check(json.loads(json.dumps(certificate)))
    except AlignmentError as error:
        raise EngineError(f"a certificate is not confirmed: {error}") from None
