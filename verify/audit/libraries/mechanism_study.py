"""The mechanisms of installed libraries: the budgets that they claim, beside what draws from them show.

No draws of these are the same again, as the libraries take their randomness from the system.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from stirred.spec.arguments import InputError, parse_exact
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, NormalizedRenyi, OutputPremetric
from stirred.verify.audit.black_box.black_boxes import BlackBox, Called
from stirred.verify.audit.black_box.sampling import Sampling
from stirred.verify.audit.libraries.catalogue import CATALOGUED, Catalogued
from stirred.verify.audit.libraries.claiming_object import LibraryObject, library_object
from stirred.verify.audit.sampled import audit_sampled
from stirred.verify.engines.printed_number import parse_printed
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.claim.listed_pairs import about_box, claim_of_pairs


@dataclass(frozen=True)
class StudiedMechanism:
    """One line of the table.

    Attributes:
        mechanism: its library and name.
        version: of the library.
        claimed: the budget that the library states.
        found: the budget that the draws show at least, with its confidence.
        verdict: REFUTED or OPEN; "not drawn" where this version has no such mechanism.
        draws: that were counted.
        seconds: it took.
        how: the event, or why it was not drawn from.
        note: what is known of it, with its source.
    """

    mechanism: str
    version: str
    claimed: str
    found: str
    verdict: str
    draws: int
    seconds: int
    how: str
    note: str


def installed_libraries() -> dict[str, str]:
    """The libraries of the catalogue that are installed, with their versions."""
    found = {}
    for library in dict.fromkeys(one.distribution for one in CATALOGUED.values()):
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def studied_mechanisms(only: str, draws: int, seconds: int) -> Iterator[StudiedMechanism]:
    """The mechanisms whose names have a text in them, one after another.

    Args:
        only: the text.
        draws: of the last look, under each of two data sets.
        seconds: for each mechanism.

    Raises:
        InputError: there is none, or a number is out of range.
    """
    installed = installed_libraries()
    chosen = {name: one for name, one in CATALOGUED.items() if one.distribution in installed and only in name}
    if not chosen:
        raise InputError(
            "--only must be part of the name of a mechanism of a library that is installed; libraries: pip install "
            f"'stirred[libraries]'; mechanisms: {', '.join(CATALOGUED)}"
        )
    Sampling(draws=draws, seconds=seconds)
    return (_studied(name, one, installed[one.distribution], draws, seconds) for name, one in chosen.items())


def _studied(name: str, one: Catalogued, number: str, draws: int, seconds: int) -> StudiedMechanism:
    begun = time.monotonic()
    try:
        built, box, objects = _claim(one)
        found = audit_sampled(
            built, Sampling(draws=draws, seconds=seconds, digits=one.digits), box=box, objects=objects
        )
    except (InputError, ImportError, AttributeError, TypeError, ValueError) as error:
        why = f"{type(error).__name__}: {error}"
        return StudiedMechanism(name, number, "", "", "not drawn", 0, 0, why, one.note)
    (looks,), (case,) = found.looks, built.cases
    return StudiedMechanism(
        name,
        number,
        "" if case.budget is None else case.budget.text,
        found.record.needed,
        found.record.verdict.name,
        sum(2 * look.draws for look in looks),
        round(time.monotonic() - begun),
        looks[-1].event,
        one.note,
    )


def _claim(one: Catalogued) -> tuple[PrivacyClaim, BlackBox, Mapping[Any, Any]]:
    """The claim of a library's mechanism, what draws from it, and its data sets by their texts."""
    made: Any = one.make()
    known = library_object(made, one.d_in)
    if known is None:  # a function of the library, whose claim stands in the catalogue
        known = LibraryObject(one.distribution, made, "pure", {"epsilon": one.epsilon}, ())
    measure, budget = _library_claim(known)
    built, objects = claim_of_pairs(one.pairs or known.pairs, measure, budget)
    box = Called(known.call, {}, known.title)
    return about_box(built, box.name), box, objects


def _library_claim(known: LibraryObject) -> tuple[OutputPremetric, ClaimedBudget]:
    """The output premetric and the budget that a library states for its object.

    Raises:
        InputError: a number is none.
    """
    if known.output == "zcdp":
        return NormalizedRenyi(), ClaimedBudget(rho_squared=parse_printed("rho", known.budget["rho"]))
    delta = known.budget.get("delta")
    measure = Multiplicative() if delta is None else ApproximateMultiplicative(parse_exact("delta", delta))
    return measure, ClaimedBudget(epsilon=parse_printed("epsilon", known.budget["epsilon"]))
