"""The laws that an audit is about: of the library's mechanisms computed here, of the user's own asked for outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mechanisms.exact_law import exact_law
from spec.law import Law
from verify.audit.claim_mechanism import ClaimedMechanism
from verify.engines.containment import contained
from verify.engines.likelihood import approximate_law, check_against
from verify.outside.agreed_laws import ForeignLaws
from verify.outside.foreign import Limits
from verify.outside.plain import plain_text

__all__ = ["audited_laws"]


def audited_laws(
    mechanism: ClaimedMechanism,
    setting: Mapping[str, Any],
    program: Callable[..., Any] | None,
    points: Sequence[Any],
    limits: Limits,
    *,
    is_ordered: bool,
) -> ForeignLaws:
    """The exact law of a claim's mechanism on data sets, each compared with its independent value.

    Outputs are canonical texts, so that no two that can be told apart are one.

    Args:
        mechanism: as the claim names it.
        setting: its parameters.
        program: the library's function of a data set and a source; None for the user's own.
        points: the data sets.
        limits: under which it runs.
        is_ordered: whether the order of a data set's records matters.

    Raises:
        InputError: the mechanism fails on a data set, or its law there depends on more than the data set.
        EngineError: an exact law disagrees with its independent value.
    """
    if mechanism.function is not None:
        return mechanism.function.laws(points, setting, limits, is_ordered=is_ordered)
    if program is None:
        raise TypeError("a mechanism of the library must come with its program")
    laws: dict[Any, Law[str]] = {}
    for point in points:
        with contained(f"{mechanism.place}: on the data set {point!r}"):
            law = exact_law(program, point, choice_budget=limits.choices, **setting)
            check_against(law, approximate_law(program, point, **setting), "law")
            laws[point] = law if mechanism.kernel is not None else law.push(plain_text)  # its outputs are texts
    return ForeignLaws(laws, "")
