"""Which claims have premises, and the checked instances that meet them.

A claim whose premises nothing meets says nothing. An instance of a claim is a transparent constant whose name ends in
``_instance`` and whose body is that claim, applied to arguments, so that no premise is left:

    Definition leq_der_instance := @leq_der 2 3 isT isT isT.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from checking.coq import answers_by_full_names, flat
from checking.layout import LIBRARY, CheckError

_SUFFIX = "_instance"
_PREMISE = "premise"
_PREMISES = (
    "Goal ltac:(let t := type of @{name} in exact t). intros. "
    f'try (match goal with _ : ?A |- _ => match type of A with Prop => idtac "{_PREMISE}" end end; fail). Abort.'
)
_HEAD = (
    "Goal True. let rec head t := lazymatch t with ?f _ => head f | _ => t end in "
    "let body := eval cbv delta [{name}] in @{name} in let h := head body in idtac h. Abort."
)


def instances_of(claims: Sequence[str], transparent: Sequence[str]) -> Mapping[str, str]:
    """``no premises``, the names of the instances, or ``none``, for each claim.

    Raises:
        CheckError: an instance that has premises itself, or is no application of a claim.
    """
    candidates = [title for title in transparent if title.endswith(_SUFFIX)]
    queries = [_PREMISES.format(name=f"{LIBRARY}.{title}") for title in (*claims, *candidates)]
    queries += [_HEAD.format(name=f"{LIBRARY}.{title}") for title in candidates]
    said = answers_by_full_names(queries)
    premised = {title for title, answer in zip((*claims, *candidates), said, strict=False) if _PREMISE in answer}
    found: dict[str, list[str]] = {}
    for title, answer in zip(candidates, said[len(claims) + len(candidates) :], strict=True):
        head = re.sub(r"^\(?@?|\)$", "", flat(answer))
        if head not in claims:
            raise CheckError(f"{title}: is no claim applied to arguments; its body starts with {head}")
        if title in premised:
            raise CheckError(f"{title}: has premises itself, so it does not show that those of {head} can be met")
        found.setdefault(head, []).append(title)
    return {
        title: ", ".join(found.get(title, ["none"])) if title in premised else "no premises" for title in claims
    }
