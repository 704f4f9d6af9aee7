"""Which axioms the restated theorems rest on, as ``Print Assumptions`` says of each part together."""

import re
from collections.abc import Iterable
from pathlib import Path

from .coq import answers
from .layout import STATEMENTS, CheckError, module_of, theories
from .sources import named
from .statements import CLAIM, restated

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


def check_axioms(copy: Path) -> str:
    """Ask about all theorems of a part in one process, and about what meets their premises.

    A restated theorem holds in its term the instance, and the values, that meet what the theorem asks (`restates.v`).

    Raises:
        CheckError: naming a theorem and an axiom that its part may not use.
    """
    found = restated(copy / "checking" / STATEMENTS)
    homes = {name: f"{module_of(copy, path)}.{name}" for path in theories(copy) for name in named(path, CLAIM)}
    pages = {part: {one.name: f"@Statements.{one.name}" for one in found if one.part == part} for part in (1, 2)}
    groups = (
        (frozenset(), pages[1]),
        (CLASSICAL_REALS | {CHOICE}, pages[2]),  # with what meets the premises
        (CLASSICAL_REALS, {name: f"@{homes[name]}" for name in pages[2]}),
    )
    asked = _asked(copy, [terms.values() for _, terms in groups])
    for (allowed, terms), rests in zip(groups, asked, strict=True):
        if excess := set(rests) - allowed:
            each = _asked(copy, [[term] for term in terms.values()])
            guilty = next(name for name, answer in zip(terms, each, strict=True) if set(answer) & excess)
            raise CheckError(f"{guilty} rests on {', '.join(sorted(excess))}, which its part may not use")
    return f"axioms: {len(pages[1])} theorems without, {len(pages[2])} on {len(CLASSICAL_REALS)} of the classical reals"


def _asked(copy: Path, each: Iterable[Iterable[str]]) -> list[list[str]]:
    """The axioms that the terms of each query rest on together."""
    queries = [
        f"Definition asked_{at} := {''.join(f'let _ := {term} in ' for term in terms)}Coq.Init.Datatypes.tt."
        f" Print Assumptions asked_{at}."
        for at, terms in enumerate(each)
    ]
    return [_axioms_in(answer) for answer in answers(copy, queries, also=["Checking.Statements"])]


def _axioms_in(answer: str) -> list[str]:
    if answer.strip() == _CLOSED:
        return []
    title, _, listed = answer.partition("\n")
    names = re.findall(r"^([A-Za-z_][\w.']*)\s+:\s", listed, flags=re.M)
    if title != "Axioms:" or not names:
        raise CheckError(f"the answer of Print Assumptions is not understood: {answer[:500]}")
    return names
