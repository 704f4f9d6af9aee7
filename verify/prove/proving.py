"""A budget for every number of records by alignment of noise, and the check of the certificate that shows it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates import alignment
from stirred.verify.evidence.certificates.alignment import AlignmentError, Signs, check, to_json
from stirred.verify.evidence.certificates.polynomial import Polynomial
from stirred.verify.evidence.certificates.program_graph import Graph
from stirred.verify.evidence.certificates.read_values import ReadProgram, RefusedError
from stirred.verify.evidence.certificates.released_index import IndexRuleError, released_index
from stirred.verify.evidence.finding import EngineError
from stirred.verify.prove.alignment_program import AlignmentProgram
from stirred.verify.prove.reasons import moves_in_words
from stirred.verify.prove.stated import EverySize

_DIRECTIONS = {"up": ("up", "down"), "down": ("down", "up")}
"""D_Mult has both directions: P_x <= e^c P_x' and the other way round."""


@dataclass(frozen=True)
class Proof:
    """What alignment of noise shows.

    Attributes:
        budget: the least that it shows; None where it shows none.
        is_met: whether the claimed budget is shown; True where none is claimed and one is shown.
        certificates: for each direction, of the claimed budget, or of the least one; each was checked.
        numbers: "real numbers" or "integers".
        because: how noise moves, in words.
        obstacle: what stands in the way, by line; empty where nothing does, or no single line.
        needs: preconditions.
    """

    budget: Polynomial | None
    is_met: bool
    certificates: tuple[Mapping[str, Any], ...]
    numbers: str
    because: tuple[str, ...]
    obstacle: str
    needs: tuple[str, ...]


@dataclass(frozen=True)
class _OneDirection:
    budget: Polynomial | None
    is_met: bool
    certificate: Mapping[str, Any] | None
    because: tuple[str, ...] = ()
    obstacle: str = ""


def proof_of(stated: EverySize, *, explains: bool = True) -> Proof:
    """What alignment shows of a claim; `explains`: and what stands in its way, which takes more programs.

    Raises:
        InputError: the function is not read.
        EngineError: the solver gives no answer, or the independent checker refuses what was found.
    """
    try:
        graph = Graph(stated.program)
        ways = _DIRECTIONS.get(stated.neighbors, (stated.neighbors,))
        found = [_one_direction(stated, graph, neighbors, explains=explains) for neighbors in ways]
    except RefusedError as error:
        raise InputError(f"{stated.name}: {error}") from None
    certificates = tuple(one.certificate for one in found if one.certificate is not None)
    lines: list[str] = []
    for one in certificates:
        lines = _checked(one)
    signs = Signs(stated.program, [one.budget for one in found if one.budget is not None])
    is_met = all(one.is_met for one in found)
    budget = (
        None
        if any(one.budget is None for one in found)
        else _largest([one.budget for one in found if one.budget is not None], signs)
    )
    numbers = "integers" if lines and lines[-1].endswith("integers") else "real numbers"
    because = tuple(dict.fromkeys(line for one in found for line in one.because))
    obstacle = next((one.obstacle for one in found if one.obstacle), "")
    return Proof(budget, is_met, certificates, numbers, because, obstacle, tuple(signs.stated))


def _largest(budgets: list[Polynomial], signs: Signs) -> Polynomial:
    for one in budgets:
        if all(signs.show(one - other) for other in budgets):
            return one
    total = Polynomial({})
    for one in budgets:
        total += one
    return total


def _one_direction(stated: EverySize, graph: Graph, neighbors: str, *, explains: bool) -> _OneDirection:
    claim = stated.epsilon
    try:
        cost = released_index(graph, neighbors)
    except IndexRuleError:
        pass
    else:
        signs = Signs(stated.program, [cost, *([] if claim is None else [claim])])
        if not signs.show(cost):
            return _OneDirection(None, False, None, obstacle=f"the scale of noise may be 0 or negative: {cost}")
        is_met = claim is None or signs.show(claim - cost)
        shown = claim if claim is not None and is_met else cost
        because = f"the noise of the released index alone moves, until it leads by as much as before: {cost}"
        fields = _fields(stated, neighbors, shown) | {"rule": "released index"}
        return _OneDirection(cost, is_met, fields, (because,))
    program = AlignmentProgram(graph, neighbors)
    found = None if claim is None else program.least(claim)
    is_met = found is not None
    if found is None:
        found = program.least(None)
        is_met = claim is None and found is not None
    if found is None:
        return _OneDirection(None, False, None, obstacle=program.obstacle() if explains else "")
    shown = claim if claim is not None and is_met else found.budget
    fields = _fields(stated, neighbors, shown) | {"rule": "alignment", **found.parts}
    return _OneDirection(found.budget, is_met, fields, moves_in_words(graph, found.parts))


def _fields(stated: EverySize, neighbors: str, budget: Polynomial) -> dict[str, Any]:
    return {
        "format": alignment.FORMAT,
        "claim": stated.name,
        "program": program_fields(stated.program),
        "neighbors": neighbors,
        "budget": to_json(budget),
    }


def program_fields(program: ReadProgram) -> dict[str, Any]:
    """A program as a certificate has it."""
    return {
        "source": program.source,
        "sha256": hashlib.sha256(program.source.encode()).hexdigest(),
        "name": program.name,
        "generator": list(program.generator),
        "modules": dict(program.modules),
        "constants": {name: str(number) for name, number in program.constants.items()},
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
