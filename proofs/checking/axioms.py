"""Which axioms the restated theorems rest on, as ``Print Assumptions`` says of each part together."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from checking.coq import answers
from checking.layout import CheckError, module_of, theories
from checking.sources import named
from checking.statements import Restated, restated

CLASSICAL_REALS = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""What the real numbers of Coq's standard library come with: all that a theorem of part 2 may rest on."""

CHOICE = "ClassicalEpsilon.constructive_indefinite_description"
"""What an instance over the reals may need beyond: a value of the type of choice functions."""

_CLOSED = "Closed under the global context"


@dataclass(frozen=True)
class _Group:
    """What is asked in one query: names of Coq by what they are called here, and the axioms that they may rest on."""

    allowed: frozenset[str]
    names: Mapping[str, str]


def check_axioms(copy: Path) -> str:
    """Ask about all theorems of a part, and about their instances, in one process.

    Raises:
        CheckError: naming a theorem and an axiom that its part may not use.
    """
    found = restated(copy / "checking")
    groups = _groups(found, _homes(copy))
    for group, answer in zip(groups, _asked(copy, [group.names.values() for group in groups]), strict=True):
        if excess := set(answer) - group.allowed:
            _refuse(copy, group, sorted(excess))
    return f"axioms: {sum(one.part == 1 for one in found)} theorems without, {sum(one.part == 2 for one in found)} on " + (
        f"{len(CLASSICAL_REALS)} of the classical reals"
    )


def _groups(found: Sequence[Restated], homes: Mapping[str, str]) -> list[_Group]:
    """Part 1 with its instances, which Coq then goes through once; the theorems of part 2; and their instances."""

    def theorems(part: int) -> dict[str, str]:
        return {one.name: f"@Statements.{one.name}" for one in found if one.part == part}

    def instances(part: int) -> dict[str, str]:
        named_here = [one for one in found if one.part == part and one.instance]
        return {f"the instance of {one.name}": f"@{homes[str(one.instance)]}" for one in named_here}

    return [
        _Group(frozenset(), theorems(1) | instances(1)),
        _Group(CLASSICAL_REALS, theorems(2)),
        _Group(CLASSICAL_REALS | {CHOICE}, instances(2)),
    ]


def _homes(copy: Path) -> dict[str, str]:
    """The full name of each instance."""
    return {
        name: f"{module_of(copy, path)}.{name}"
        for path in theories(copy)
        for name in named(path, "Definition")
        if name.endswith("_instance")
    }


def _asked(copy: Path, each: Iterable[Iterable[str]]) -> list[list[str]]:
    """The axioms that the terms of each query rest on together."""
    queries = [
        f"Definition asked_{at} := {''.join(f'let _ := {term} in ' for term in terms)}Coq.Init.Datatypes.tt."
        f" Print Assumptions asked_{at}."
        for at, terms in enumerate(each)
    ]
    return [_axioms_in(answer) for answer in answers(copy, queries, also=["Checking.Statements"])]


def _refuse(copy: Path, group: _Group, excess: Sequence[str]) -> None:
    each = _asked(copy, [[term] for term in group.names.values()])
    guilty = next(name for name, answer in zip(group.names, each, strict=True) if set(answer) & set(excess))
    raise CheckError(f"{guilty} rests on {', '.join(excess)}, which its part may not use")


def _axioms_in(answer: str) -> list[str]:
    if answer.strip() == _CLOSED:
        return []
    title, _, listed = answer.partition("\n")
    names = re.findall(r"^([A-Za-z_][\w.']*)\s+:\s", listed, flags=re.M)
    if title != "Axioms:" or not names:
        raise CheckError(f"the answer of Print Assumptions is not understood: {answer[:500]}")
    return names
