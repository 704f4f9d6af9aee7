"""What the manifest beside a released file, and the words of a claim, say of it: is it so of these records?"""

import re
from collections.abc import Iterator
from fractions import Fraction

from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.verify.audit.question import Answer
from stirred.verify.audit.swapped.found import FoundSwap
from stirred.verify.audit.swapped.stated import StatedRun, claimed_columns
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness
from stirred.verify.laws.claim.claim import PrivacyClaim

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def contradicted(claimed: str, detail: str, scope: str, **numbers: int | Fraction) -> Evidence:
    """REFUTED, with what should hold of these numbers."""
    return Evidence(Verdict.REFUTED, scope, detail, formula_witness(claimed, note=detail, **numbers))


def released_file(
    built: PrivacyClaim | None, run: StatedRun | None, found: FoundSwap, digest: str | None
) -> Iterator[Answer]:
    """Whether the file is the one that the manifest describes, and whether the claim says the same of the run."""
    if run is None:
        detail = f"{found.name} has no manifest that says what was written and at which p"
        yield Answer("file", Evidence(Verdict.OPEN, found.name, detail), decides=False)
        return
    yield Answer("file", _same_file(run, found))
    if run.is_seeded:
        detail = f"{run.path} says that the swap was drawn with a seed: whoever knows it can undo the swap"
        yield Answer("file", Evidence(Verdict.OPEN, run.path, detail))
    if built is not None:
        yield from _same_run(built, run)
        if run.claim is not None and digest is not None and digest != run.claim:
            detail = f"{_name(built)} is not the text that was written with {found.name}, or was changed since"
            yield Answer("file", Evidence(Verdict.OPEN, run.path, detail), decides=False, is_remark=True)


def _same_file(run: StatedRun, found: FoundSwap) -> Evidence:
    if run.size is None or found.swapped is None or found.swapped.content is not None or len(found.swapped.files) != 1:
        return Evidence(
            Verdict.OPEN, run.path, f"{run.path} has no digest of {found.name}: it is not known to be the file"
        )
    one = found.digests[0]
    if one.size != run.size:
        detail = (
            f"{found.name} is not the file that {run.path} describes: it has {one.size} bytes instead of {run.size}"
        )
        return contradicted("found == stated", detail, run.path, found=one.size, stated=run.size)
    kind, stated, here = (
        ("SHA-256", run.sha256, one.sha256) if run.sha256 is not None else ("CRC-32", run.crc32, one.crc32)
    )
    if stated is None:
        return Evidence(Verdict.OPEN, run.path, f"{run.path} has no digest of {found.name}")
    if not re.fullmatch("[0-9a-f]{1,64}", stated) or int(stated, 16) != int(here, 16):
        detail = f"{found.name} is not the file that {run.path} describes: its {kind} is {here} instead of {stated}"
        number = int(stated, 16) if re.fullmatch("[0-9a-f]{1,64}", stated) else 0
        return contradicted("found == stated", detail, run.path, found=int(here, 16), stated=number)
    detail = f"{found.name} is the file that {run.path} describes ({one.size} bytes, {kind} {here})"
    return Evidence(Verdict.EXHAUSTED, run.path, detail)


def _same_run(built: PrivacyClaim, run: StatedRun) -> Iterator[Answer]:
    """Whether the claim is about the run of the manifest."""
    rates = [case.setting["swap_rate"] for case in built.cases]
    scope = f"{_name(built)} and {run.path}"
    if run.rate not in rates:
        detail = f"the claim says the swap rate {', '.join(map(str, rates))}, the manifest {run.rate}"
        yield Answer("file", contradicted("stated == run", detail, scope, stated=rates[0], run=run.rate))
    columns = claimed_columns(built)
    if columns is not None and (unlike := columns.unlike(run.columns)):
        detail = f"claim and manifest give another role to {', '.join(unlike)}"
        yield Answer("file", contradicted("unlike == 0", detail, scope, unlike=len(unlike)))
    resolution = None if built.mechanism is None else built.mechanism.resolution
    if resolution is not None and resolution != run.resolution:
        detail = f"the claim says that a record is one {resolution}, the manifest one {run.resolution}"
        yield Answer("file", Evidence(Verdict.OPEN, scope, detail))


def counted_words(run: StatedRun, found: FoundSwap, scope: str) -> Iterator[Answer]:
    """Whether the numbers of the manifest are those of the records, and its budget that of its numbers."""
    sizes = found.sizes(lines=found.swapped is None)
    if found.swapped is not None and not found.fits:
        return
    numbers = {"records": (run.records, {found.records}), "strata": (run.strata, {len(sizes.records)})}
    # beside released records, the manifest of the table has the b of the records
    numbers["b"] = (run.largest_stratum, {sizes.largest, sizes.of_lines().largest})
    wrong = False
    for name, (stated, right) in numbers.items():
        if stated not in right:
            wrong = True
            here = min(right)
            detail = f"{run.path} says {name} = {stated}; of {found.name} it is {here}"
            yield Answer("stratum", contradicted("stated == found", detail, scope, stated=stated, found=here))
    if not wrong:
        detail = (
            f"{run.path} says {run.records} records, {run.strata} strata and b = {run.largest_stratum}, as they are"
        )
        yield Answer("stratum", Evidence(Verdict.EXHAUSTED, scope, detail))
    b = run.largest_stratum if run.largest_stratum in numbers["b"][1] else sizes.largest
    yield Answer("universe", _epsilon(run, b))


def _epsilon(run: StatedRun, b: int) -> Evidence:
    """Whether the budget that a manifest writes is (7) at b and p."""
    formula = str(psa_budget(b, run.rate))
    scope = f"(7) at b = {b}, p = {run.rate}"
    if run.epsilon == formula:
        return Evidence(Verdict.EXHAUSTED, scope, f"{run.path} says epsilon = {formula}, the value of (7)")
    numbers = _unequal(run.epsilon, formula)
    if numbers is None:
        return Evidence(Verdict.OPEN, scope, f"not compared: {run.path} says epsilon = {run.epsilon}, (7) is {formula}")
    if not numbers:
        return Evidence(Verdict.EXHAUSTED, scope, f"{run.path} says epsilon = {run.epsilon}, and (7) is {formula}")
    detail = f"{run.path} says epsilon = {run.epsilon}; (7) is {formula}"
    return contradicted("stated == formula", detail, scope, stated=numbers[0][0], formula=numbers[0][1])


def stated_words(built: PrivacyClaim | None, words: tuple[str, ...], scope: str) -> Iterator[Answer]:
    """Whether the numbers in the words of the multiverse are those of the records, where they are our own words."""
    stated = "" if built is None else built.words.get("multiverse", "")
    if not stated:
        return
    for one in words:
        numbers = _unequal(stated, " ".join(one.split()))
        if numbers is None:
            continue
        if numbers:
            detail = (
                f"the words of the multiverse say {numbers[0][0]} where it is {numbers[0][1]} of these records: {one}"
            )
            yield Answer(
                "stratum", contradicted("stated == found", detail, scope, stated=numbers[0][0], found=numbers[0][1])
            )
            return
        yield Answer(
            "stratum",
            Evidence(Verdict.EXHAUSTED, scope, "the numbers in the words of the multiverse are those of these records"),
        )
        return
    detail = f"the words of the multiverse are not compared; of these records they would be: {words[0]}"
    yield Answer("stratum", Evidence(Verdict.OPEN, scope, detail), decides=False, is_remark=True)


def _unequal(stated: str, found: str) -> list[tuple[Fraction, Fraction]] | None:
    """The numbers that differ between two texts, beyond their rounding; None where the texts differ otherwise."""
    if _NUMBER.sub("#", stated) != _NUMBER.sub("#", found):
        return None
    pairs = zip(_NUMBER.findall(stated), _NUMBER.findall(found), strict=True)
    return [(Fraction(one), Fraction(other)) for one, other in pairs if not _agree(one, other)]


def _agree(one: str, other: str) -> bool:
    """Whether two decimal numbers may be one, each rounded to its last digit; whole numbers are not rounded."""
    if "." not in one and "." not in other:
        return one == other
    slack = sum((Fraction(1, 2 * 10 ** len(text.partition(".")[2])) for text in (one, other)), Fraction(0))
    return abs(Fraction(one) - Fraction(other)) <= slack


def _name(built: PrivacyClaim) -> str:
    return built.source if built.file is None else built.file.path.name
