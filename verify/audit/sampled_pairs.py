"""A claim about listed pairs of data sets of any type, each known by its text; and the claims of libraries' objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError, nonnegative, parse_exact, shown
from stirred.spec.domain import FiniteDomain
from stirred.spec.input_premetric import explicit
from stirred.spec.multiverse import Multiverse
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, NormalizedRenyi, OutputPremetric
from stirred.spec.specification import InputBlocks
from stirred.verify.audit.claim_blocks import BuiltClaim, Case
from stirred.verify.audit.claim_budget import ClaimedBudget
from stirred.verify.audit.claim_domain import DomainKind
from stirred.verify.audit.claim_file import AuditClaim
from stirred.verify.audit.claim_mechanism import ClaimedMechanism
from stirred.verify.audit.claim_table import Block
from stirred.verify.certificates.printable import one_line
from stirred.verify.engines.printed_number import parse_printed
from stirred.verify.libraries.claiming_object import LibraryObject
from stirred.verify.sampled.boxes import BlackBox

__all__ = ["about_box", "claim_of_pairs", "library_claim"]


def claim_of_pairs(
    pairs: Iterable[Sequence[Any]], measure: OutputPremetric, budget: ClaimedBudget | None
) -> tuple[BuiltClaim, dict[Any, Any]]:
    """The claim about pairs in one universe, without its mechanism, and what each data set's text stands for.

    Args:
        pairs: (x, x') at distance 1, or (x, x', d).
        measure: the output premetric.
        budget: how much; None where nothing is claimed.

    Raises:
        InputError: a pair is none, or no two data sets differ.
    """
    objects: dict[Any, Any] = {}
    table: dict[tuple[Any, Any], Fraction] = {}
    for pair in pairs:
        if not isinstance(pair, Sequence) or len(pair) not in (2, 3):
            raise InputError(f"pairs must hold (x, x') or (x, x', distance); got {shown(pair)}")
        d = nonnegative("a distance", parse_exact("a distance", pair[2])) if len(pair) == 3 else Fraction(1)
        x, y = (_label(data, objects) for data in pair[:2])
        if x != y:
            table[x, y] = table[y, x] = d
    if not table:
        raise InputError("pairs must hold two data sets that differ; got none")
    domain = FiniteDomain(tuple(objects), "listed data sets")
    blocks = {name: Block(name, {}) for name in ("domain", "input_premetric", "output_premetric")}
    blocks["multiverse"] = Block("multiverse", {"invariants": []})
    if budget is not None:
        blocks["budget"] = Block("budget", {})
    built = BuiltClaim(
        claim=AuditClaim("mechanism", "Python", "", Path.cwd(), blocks, Block("mechanism", {}), ()),
        kind=DomainKind(
            size=len(domain), build=lambda: domain, margins=None, variables=None, is_ordered=True, place="pairs"
        ),
        invariants=(),
        input_premetric=("explicit", "unit"),
        output_premetric=measure,
        mechanism=None,
        cases=(Case({}, budget),),
        data=InputBlocks(domain, Multiverse([domain.points]), explicit(table, "unit")),
        program=None,
        swapping_margins=None,
    )
    return built, objects


def about_box(built: BuiltClaim, box: BlackBox) -> BuiltClaim:
    """The claim with a black box as its mechanism."""
    (case,) = built.cases
    stated = "what it needs" if case.budget is None else case.budget.text
    claim = replace(built.claim, id=box.name, statement=f"{box.name} satisfies {stated}.")
    return replace(built, claim=claim, mechanism=ClaimedMechanism(box.name, "mechanism", command=(box.name,)))


def library_claim(known: LibraryObject) -> tuple[OutputPremetric, ClaimedBudget]:
    """The output premetric and the budget that a library states for its object.

    Raises:
        InputError: a number is none.
    """
    if known.output == "zcdp":
        return NormalizedRenyi(), ClaimedBudget(rho_squared=parse_printed("rho", known.budget["rho"]))
    delta = known.budget.get("delta")
    measure = Multiplicative() if delta is None else ApproximateMultiplicative(parse_exact("delta", delta))
    return measure, ClaimedBudget(epsilon=parse_printed("epsilon", known.budget["epsilon"]))


def _label(data: Any, objects: dict[Any, Any]) -> str:
    """The text that a data set is known by: another one for another data set."""
    text = one_line(shown(data))
    for label, known in objects.items():
        if known is data:
            return str(label)
    number, label = 2, text
    while label in objects:
        if type(objects[label]) is type(data) and repr(objects[label]) == repr(data) and _is_short(data):
            return label
        number, label = number + 1, f"{text} ({number})"
    objects[label] = data
    return label


def _is_short(data: Any) -> bool:
    """Whether the text of a data set is all of it: that of a large array leaves entries out."""
    return "..." not in repr(data)
