"""Which claims have premises, and the checked instances that meet them.

A claim whose premises nothing meets says nothing. An instance of a claim is a transparent constant whose name ends in
``_instance`` and whose body is that claim applied to arguments, so that no premise is left; it may keep variables:

    Definition leq_der_instance := @leq_der 2 3 isT isT isT.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from checking.coq import answers_by_full_names
from checking.layout import CheckError, full_name
from checking.objects import Objects

_SUFFIX = "_instance"
_PREMISE = "premise"
_PREMISES = (
    "Goal ltac:(let t := type of @{name} in exact t). intros. "
    f'try (match goal with _ : ?A |- _ => match type of A with Prop => idtac "{_PREMISE}" end end; fail). Abort.'
)


def instances_of(claims: Sequence[str], objects: Objects) -> Mapping[str, str]:
    """``no premises``, the names of the instances, or ``none``, for each claim.

    Raises:
        CheckError: an instance that has premises itself, or is no application of a claim.
    """
    candidates = [each for each in objects if each.transparent and each.name.endswith(_SUFFIX)]
    asked = [*claims, *(each.title for each in candidates)]
    said = answers_by_full_names([_PREMISES.format(name=full_name(title)) for title in asked])
    premised = {title for title, answer in zip(asked, said, strict=True) if _PREMISE in answer}
    found: dict[str, list[str]] = {}
    for each in candidates:
        head = _head(each.explicit)
        if head not in claims:
            raise CheckError(f"{each.title}: is no claim applied to arguments; its body starts with {head}")
        if each.title in premised:
            raise CheckError(f"{each.title}: has premises itself, so it does not show that those of {head} can be met")
        found.setdefault(head, []).append(each.title)
    return {title: ", ".join(found.get(title, ["none"])) if title in premised else "no premises" for title in claims}


def _head(printed: str) -> str:
    """What is applied in ``name = fun ... => @head ...``."""
    body = printed.partition(" = ")[2]
    while body.startswith("fun "):
        depth = 0
        for at, char in enumerate(body):
            depth += (char == "(") - (char == ")")
            if depth == 0 and body.startswith("=> ", at):
                body = body[at + 3 :]
                break
    return body.split(" ", 1)[0].removeprefix("@")
