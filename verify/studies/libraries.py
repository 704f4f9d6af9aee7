"""The mechanisms of installed libraries: the budgets that they claim, beside what draws from them show."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from stirred.spec.arguments import InputError, positive_integer
from stirred.verify.audit.claim_blocks import BuiltClaim
from stirred.verify.audit.sampled import Sampling, audit_sampled
from stirred.verify.audit.sampled_pairs import about_box, claim_of_pairs, library_claim
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.libraries.catalogue import CATALOGUED, Catalogued
from stirred.verify.libraries.library_object import LibraryObject, library_object
from stirred.verify.sampled.boxes import BlackBox, Called
from stirred.verify.studies.study import Row, Study, StudyPlan, seed_of

__all__ = ["LIBRARIES"]

_DRAWS, _SEED, _SECONDS = 20_000, 2018, 120


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--draws",
        type=int,
        default=_DRAWS,
        metavar="N",
        help="draws of the last look, under each of two data sets (default %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=_SEED, metavar="N", help="of the study (default %(default)s)")
    parser.add_argument(
        "--seconds", type=int, default=_SECONDS, metavar="N", help="for each mechanism (default %(default)s)"
    )
    parser.add_argument("--only", metavar="TEXT", help="mechanisms whose name has TEXT in it")


def _installed() -> dict[str, str]:
    """The libraries that are installed, with their versions."""
    found = {}
    for library in dict.fromkeys(one.library for one in CATALOGUED.values()):
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            continue
    return found


def _plan(arguments: argparse.Namespace) -> StudyPlan:
    draws, seconds = (positive_integer(f"--{name}", getattr(arguments, name)) for name in ("draws", "seconds"))
    installed = _installed()
    names = [name for name, one in CATALOGUED.items() if one.library in installed and (arguments.only or "") in name]
    if not names:
        raise InputError("no mechanism of that name in a library that is installed: pip install 'stirred[libraries]'")
    settings = {"draws": draws, "seconds": seconds, "seed": arguments.seed, "libraries": installed, "names": names}
    return StudyPlan(
        settings,
        names,
        lambda name: [_row(name, draws, seed_of(arguments.seed, name) % 2**32, seconds)],
        lambda rows: _findings(rows, arguments.seed),
        {},
    )


def _row(name: str, draws: int, seed: int, seconds: int) -> Row:
    """One mechanism; what cannot be made with the installed version is said, and nothing else about it."""
    one = CATALOGUED[name]
    begun = time.monotonic()
    row = {"mechanism": name, "version": version(one.library), "claimed": "", "found": "", "verdict": "", "draws": ""}
    try:
        built, box, objects = _claim(one)
        sampling = Sampling(draws=draws, seed=seed, seconds=seconds, digits=one.digits)
        found = audit_sampled(built, sampling, box=box, objects=objects)
    except (InputError, ImportError, AttributeError, TypeError, ValueError) as error:
        return {**row, "verdict": "not drawn", "how": f"{type(error).__name__}: {error}", "seconds": "0"}
    (looks,), (case,) = found.looks, built.cases
    return {
        **row,
        "claimed": "" if case.budget is None else case.budget.text,
        "found": found.record.needed,
        "verdict": found.record.verdict.name,
        "draws": str(sum(2 * look.draws for look in looks)),
        "how": f"sampled; {looks[-1].event}",
        "seconds": str(round(time.monotonic() - begun)),
    }


def _claim(one: Catalogued) -> tuple[BuiltClaim, BlackBox, dict[Any, Any]]:
    """The claim of a library's mechanism, what draws from it, and its data sets by their texts."""
    made: Any = one.make()
    known = library_object(made, one.d_in)
    if known is None:  # a function of the library, whose claim stands in the catalogue
        known = LibraryObject(one.library, made, "pure", {"epsilon": one.epsilon}, ())
    measure, budget = library_claim(known)
    built, objects = claim_of_pairs(one.pairs or known.pairs, measure, budget)
    box = Called(known.call, {}, known.title)
    return about_box(built, box), box, objects


def _findings(rows: Sequence[Row], seed: int) -> Mapping[str, Evidence]:
    """One line for each mechanism: a statistic, whichever way it comes out."""
    found = {}
    for row in rows:
        name = row["mechanism"]
        note = CATALOGUED[name].note
        scope = f"version {row['version']}, seed {seed}, {row['draws'] or 0} counted draws, {row['seconds']} s"
        if row["verdict"] == "not drawn":
            detail, verdict = f"{name}: not drawn from: {row['how']}", Verdict.OPEN
        else:
            said = "exceeded" if row["verdict"] == Verdict.REFUTED.name else "not refuted"
            detail = f"{name}: claimed {row['claimed']}, {said}: {row['found']}, {row['how']}"
            verdict = Verdict.SAMPLED
        key = "".join(letter if letter.isalnum() else "-" for letter in name.lower())
        found[f"libraries.{'-'.join(filter(None, key.split('-')))}"] = Evidence(
            verdict, scope, detail + (f" ({note})" if note else "")
        )
    return found


LIBRARIES = Study(
    "libraries",
    "what draws show of the mechanisms of OpenDP and diffprivlib, beside the budgets that they claim",
    "Draw from mechanisms of the installed libraries under the claims that they make of themselves. One line of the "
    "table for each: version, claimed budget, the budget that the draws show at least, whether they refute the claim, "
    "how, with how many counted draws and in how many seconds. Outputs of those that are named '6 digits' are rounded "
    "first, as the last binary digits of floats are a leak of their own, which is known of diffprivlib. A claim that "
    "is not refuted is not shown to hold.",
    _add_arguments,
    _plan,
    (
        "stirred study libraries --output libraries",
        "stirred study libraries --only opendp --draws 100000 --output opendp",
    ),
)
