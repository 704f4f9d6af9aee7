"""A claim about listed pairs of data sets of any type, each known by its text; and the claims of libraries' objects."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, nonnegative, parse_exact, shown
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import explicit
from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.output_premetrics import OutputPremetric
from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.claim import FOUR_BLOCKS, Case, PrivacyClaim
from stirred.verify.laws.claim.domain import DomainKind
from stirred.verify.laws.claim.mechanism import ClaimedMechanism


def claim_of_pairs(
    pairs: Iterable[Sequence[Any]], measure: OutputPremetric, budget: ClaimedBudget | None
) -> tuple[PrivacyClaim, dict[Any, Any]]:
    """The claim about pairs in one universe, without its mechanism, and what each data set's text stands for."""
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
    multiverse, premetric = Multiverse([domain.points]), explicit(table, "unit")
    built = PrivacyClaim(
        id="mechanism",
        source="Python",
        statement="",
        words=dict.fromkeys(FOUR_BLOCKS if budget is None else (*FOUR_BLOCKS, "budget"), ""),
        kind=DomainKind(len(domain), lambda: domain, margins=None, is_ordered=True, place="pairs"),
        input_premetric=("explicit", "unit"),
        output_premetric=measure,
        mechanism=None,
        cases=(Case({}, budget),),
        data=InputBlocks(domain, multiverse, premetric),
        multiverse_on=lambda _: multiverse,
        premetric_on=lambda *_: premetric,
    )
    return built, objects


def about_box(built: PrivacyClaim, name: str) -> PrivacyClaim:
    """The claim with a black box of this name as its mechanism."""
    (case,) = built.cases
    stated = "what it needs" if case.budget is None else case.budget.text
    mechanism = ClaimedMechanism(name, "mechanism", command=(name,))
    return replace(built, id=name, statement=f"{name} satisfies {stated}.", mechanism=mechanism)


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
