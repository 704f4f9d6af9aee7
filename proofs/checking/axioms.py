"""Which axioms the restated theorems rest on, as ``Print Assumptions`` says of each part together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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

_ALLOWED: Mapping[int, frozenset[str]] = {1: frozenset(), 2: CLASSICAL_REALS}
_CLOSED = "Closed under the global context"


def check_axioms(copy: Path) -> str:
    """Ask about all theorems of a part, and about their instances, in one process.

    Raises:
        CheckError: naming a theorem and an axiom that its part may not use.
    """
    found = restated(copy / "checking")
    groups = [
        (part, instances, [one for one in found if one.part == part and (one.instance or not instances)])
        for part in _ALLOWED
        for instances in (False, True)
    ]
    homes = _homes(copy)
    asked = [_question(at, group, homes if instances else {}) for at, (_, instances, group) in enumerate(groups)]
    for (part, instances, group), answer in zip(groups, _asked(copy, asked), strict=True):
        allowed = _ALLOWED[part] | ({CHOICE} if instances and part == 2 else frozenset())  # noqa: PLR2004
        if excess := sorted(set(answer) - allowed):
            _refuse(copy, group, excess, homes if instances else {})
    return f"axioms: {sum(one.part == 1 for one in found)} theorems without, {sum(one.part == 2 for one in found)} on " + (
        f"{len(CLASSICAL_REALS)} of the classical reals"
    )


def _homes(copy: Path) -> dict[str, str]:
    """The full name of each instance."""
    return {
        name: f"{module_of(copy, path)}.{name}"
        for path in theories(copy)
        for name in named(path, "Definition")
        if name.endswith("_instance")
    }


def _question(at: int, group: Sequence[Restated], homes: Mapping[str, str]) -> str:
    """About the instances of theorems where their homes are given, about the theorems else."""
    used = [f"@{homes[one.instance]}" if one.instance in homes else f"@Statements.{one.name}" for one in group]
    together = "".join(f"let _ := {name} in " for name in used)
    return f"Definition asked_{at} := {together}Coq.Init.Datatypes.tt. Print Assumptions asked_{at}."


def _asked(copy: Path, questions: Sequence[str]) -> list[list[str]]:
    return [_axioms_in(answer) for answer in answers(copy, questions, also=["Checking.Statements"])]


def _refuse(copy: Path, group: Sequence[Restated], excess: Sequence[str], homes: Mapping[str, str]) -> None:
    each = _asked(copy, [_question(at, [one], homes) for at, one in enumerate(group)])
    guilty = next(one.name for one, answer in zip(group, each, strict=True) if set(answer) & set(excess))
    what = f"the instance of {guilty}" if homes else guilty
    raise CheckError(f"{what} rests on {', '.join(excess)}, which its part may not use")


def _axioms_in(answer: str) -> list[str]:
    if answer.strip() == _CLOSED:
        return []
    title, _, listed = answer.partition("\n")
    names = re.findall(r"^([A-Za-z_][\w.']*)\s+:\s", listed, flags=re.M)
    if title != "Axioms:" or not names:
        raise CheckError(f"the answer of Print Assumptions is not understood: {answer[:500]}")
    return names
