"""The laws that an audit is about: of the library's mechanisms computed here, of the user's own asked for outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from stirred.mechanisms.catalogue import CATALOGUE
from stirred.spec.arguments import InputError
from stirred.verify.audit.catalogue_laws import CatalogueProgram, catalogue_laws
from stirred.verify.audit.claim_blocks import BuiltClaim
from stirred.verify.audit.claim_mechanism import ClaimedMechanism, LibraryMechanism
from stirred.verify.audit.partial_laws import refuse_partial
from stirred.verify.engines.workload import UNLIMITED, Workload
from stirred.verify.laws.agreed_laws import ForeignLaws
from stirred.verify.laws.foreign import Limits
from stirred.verify.reports.lines import counted

__all__ = ["audited_laws", "claimed_laws"]


def claimed_laws(
    built: BuiltClaim,
    setting: Mapping[str, Any],
    limits: Limits,
    workload: Workload = UNLIMITED,
    *,
    may_be_partial: bool = False,
) -> ForeignLaws:
    """The laws that the flavor of a claim compares: of every data set, or of every belief under Pufferfish.

    Args:
        built: the claim.
        setting: the parameters of its mechanism.
        limits: under which it runs.
        workload: is told how far the work is, and limits it.
        may_be_partial: whether an outcome may stand for floats that are not told apart.

    Raises:
        InputError: as `audited_laws`; or beliefs would mix laws that are not exact and finite.
        EngineError: as `audited_laws`.
    """
    mechanism, data = built.mechanism, built.data
    if mechanism is None or data is None or built.kind is None:
        raise TypeError("the laws of a claim need its mechanism and its data sets")
    points = tuple(data.domain) if built.pufferfish is None else tuple(built.kind.listed())
    found = audited_laws(
        mechanism, setting, built.program, points, limits, is_ordered=built.is_ordered, workload=workload
    )
    if not may_be_partial or built.pufferfish is not None:
        refuse_partial(found.laws, mechanism.place)
    if built.pufferfish is None:
        return found
    if found.is_nearby or found.is_released:
        raise InputError(
            f"{mechanism.place}: beliefs mix the laws of data sets, which must be exact and finite; unbounded noise "
            "that is released, and a discrete Gaussian, have none: clamp geometric noise"
        )
    laws = built.pufferfish.provided(found.laws)
    mixed = f"the law of a belief is the mixture of those of {counted(len(points), 'data set')}"
    return ForeignLaws(laws, "; ".join(part for part in (mixed, found.assumed) if part))


def audited_laws(
    mechanism: ClaimedMechanism,
    setting: Mapping[str, Any],
    program: LibraryMechanism | None,
    points: Sequence[Any],
    limits: Limits,
    *,
    is_ordered: bool,
    workload: Workload = UNLIMITED,
) -> ForeignLaws:
    """The exact law of a claim's mechanism on data sets, each compared with its independent value.

    Outputs are canonical texts, so that no two that can be told apart are one.

    Args:
        mechanism: as the claim names it.
        setting: its parameters.
        program: the library's, as it reads the data sets; None for the user's own.
        points: the data sets.
        limits: under which it runs.
        is_ordered: whether the order of a data set's records matters.
        workload: is told how far the work is, and limits it.

    Raises:
        InputError: the mechanism fails on a data set, or its law there depends on more than the data set.
        EngineError: an exact law disagrees with its independent value.
    """
    if mechanism.function is not None:
        return mechanism.function.laws(points, setting, limits, is_ordered=is_ordered, workload=workload)
    if program is None:
        raise TypeError("a mechanism of the library must come with its program")
    library = CatalogueProgram(
        program.program,
        program.read,
        setting,
        mechanism.place,
        limits.choices,
        gives_texts=mechanism.kernel is not None,
        is_record_wise=CATALOGUE[mechanism.name].is_record_wise,
    )
    laws, compared = catalogue_laws(library, points, workload, jobs=limits.jobs)
    return ForeignLaws(laws, compared)
