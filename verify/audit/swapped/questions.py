"""The audit of a swap's records: do they, the claim and the manifest agree, and is the claimed budget theirs?"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from stirred.spec.flavors.permutation_swapping import odds, psa_budget
from stirred.verify.audit.exhaust.found import claimed
from stirred.verify.audit.question import Answer, AuditQuestion, asked
from stirred.verify.audit.swap_theorems import swapping_theorem
from stirred.verify.audit.swapped.found import FoundSwap
from stirred.verify.audit.swapped.stated import LINE_BY_LINE, StatedRun, claimed_columns
from stirred.verify.engines.swapping.bounds import certified_budget_of_strata
from stirred.verify.engines.swapping.moved_number import LEVEL, MovedNumber
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness
from stirred.verify.laws.claim.budget_cover import covers, shortfall
from stirred.verify.laws.claim.claim import Case, PrivacyClaim

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


_NEEDS_ORIGINAL = "that needs the records before the swap, --data ORIGINAL"

_SHOWN = 5
"""Categories that are named."""

_LEAST = 30
"""Probabilities are printed down to 10^-30."""


@dataclass(frozen=True)
class TiedSwap:
    """What is said of a swap, beside its records.

    Attributes:
        digest: the SHA-256 of the claim file.
        words: the multiverse of these records as `stirred swap` would state it; where it is not known what is
            released, of records and of a table.
    """

    built: PrivacyClaim | None
    run: StatedRun | None
    found: FoundSwap
    digest: str | None = None
    words: tuple[str, ...] = ()

    @property
    def scope(self) -> str:
        """The records that were looked at."""
        return f"every record of {' and '.join(self.found.names)}"

    @property
    def key(self) -> str:
        """The matching variables in words."""
        return " x ".join(self.found.columns.matching) or "(one stratum)"

    @property
    def swapping(self) -> str:
        """The swapping variables in words."""
        return " x ".join(self.found.columns.swapping)

    def largest(self, *, lines: bool) -> int:
        """The size of the largest stratum with two distinct records, b."""
        return self.found.sizes(lines=lines).largest


def swap_answers(tied: TiedSwap) -> tuple[Answer, ...]:
    """Every answer about the records, question by question."""
    return asked(QUESTIONS, tied)


def _records(tied: TiedSwap) -> Iterator[Answer]:
    """Is the released file one of the same records, but for the swapped variables?"""
    found = tied.found
    if found.swapped is None:
        detail = "no released file was given, so none was compared with the records before the swap"
        yield Answer("records", Evidence(Verdict.OPEN, tied.scope, detail), decides=False)
        return
    if not found.fits:
        parts = [f"lacks {', '.join(found.missing)}"] if found.missing else []
        parts += [f"has {', '.join(found.more)} besides"] if found.more else []
        detail = f"{found.name} cannot be an outcome of the swap: it {' and '.join(parts)}"
        names = {"missing": len(found.missing), "more": len(found.more)}
        yield Answer("records", contradicted("missing + more == 0", detail, f"the columns of {found.name}", **names))
        return
    if found.original is None:
        detail = f"not checked whether {found.name} has the same records except for {tied.swapping}: {_NEEDS_ORIGINAL}"
        yield Answer("records", Evidence(Verdict.OPEN, tied.scope, detail))
        return
    if found.pairs is not None:
        yield Answer("records", _lines(tied, found))


def _lines(tied: TiedSwap, found: FoundSwap) -> Evidence:
    pairs, names = found.pairs, found.names
    if pairs is None:
        return Evidence(Verdict.OPEN, tied.scope, "not compared")
    both = " and ".join(names)
    kept = ", ".join(pairs.kept)
    if pairs.are_lines_equal:
        detail = f"record by record, {both} have the same values of {kept}"
        return Evidence(Verdict.EXHAUSTED, tied.scope, detail)
    at = "" if pairs.first is None else f"; the first difference is in record {pairs.first[0]}, {pairs.first[1]}"
    if pairs.lines[0] != pairs.lines[1]:
        size = f"it has {pairs.lines[1]} records instead of {pairs.lines[0]}"
        detail = f"{found.name} cannot be an outcome of the swap: {size}{at}"
        return contradicted("swapped == original", detail, tied.scope, original=pairs.lines[0], swapped=pairs.lines[1])
    if pairs.are_written_otherwise:
        differing = ", ".join(name for name, one in pairs.kept.items() if one.lines)
        detail = f"not decided: in {both} values of {differing} are written otherwise{at}: write both in one way"
        return Evidence(Verdict.OPEN, tied.scope, detail)
    if pairs.same_records:
        detail = f"not decided: the lines of {both} seem to stand in another order{at}: sort both by a unique column"
        return Evidence(Verdict.OPEN, tied.scope, detail)
    changed = {name: one for name, one in pairs.kept.items() if one.first_other and not one.is_renamed}
    parts = ", ".join(
        f"{name} in {counted(one.lines, 'record')} (the first is record {one.first_other})"
        for name, one in islice(changed.items(), _SHOWN)
    )
    detail = f"{found.name} cannot be an outcome of the swap: it has another value of {parts}"
    return contradicted("changed == 0", detail, tied.scope, changed=sum(one.lines for one in changed.values()))


def _invariants(tied: TiedSwap) -> Iterator[Answer]:
    """Are the counts that the swap keeps the same before and after it?"""
    found, scan = tied.found, tied.found.scan
    if found.swapped is None or not found.fits:
        return
    if not found.are_compared or scan is None:
        detail = f"not checked whether the counts of {tied.key} x {tied.swapping} are as before: {_NEEDS_ORIGINAL}"
        yield Answer("invariants", Evidence(Verdict.OPEN, tied.scope, detail))
        return
    sides = [(scan.given, f"{tied.key} x {tied.swapping}")]
    if not found.lines:
        sides.append((scan.held, f"{tied.key} x {' x '.join(found.columns.holding)}"))
    kept = {} if found.pairs is None else found.pairs.kept
    is_renamed = any(kept[name].is_renamed for name in found.columns.matching if name in kept)
    for side, name in sides:
        differing = side.differing().tolist()
        if not differing:
            detail = f"the counts of {name} are the same, all {len(side.parts)}"
            yield Answer("invariants", Evidence(Verdict.EXHAUSTED, tied.scope, detail))
            continue
        first = differing[0]
        before, after = (int(counts[first]) for counts in side.counts[:2])
        where = f"{scan.category(side, first)} has {counted(after, 'record')} instead of {before}"
        if is_renamed or scan.is_written_otherwise(side):
            detail = f"not decided: values of {name} are written otherwise in {found.name}; as texts {where}"
            yield Answer("invariants", Evidence(Verdict.OPEN, tied.scope, detail))
            continue
        detail = f"{found.name} cannot be an outcome of the swap: {len(differing)} counts of {name} differ; {where}"
        yield Answer(
            "invariants", contradicted("swapped == original", detail, tied.scope, original=before, swapped=after)
        )


def _stratum(tied: TiedSwap) -> Iterator[Answer]:
    """Is b, the largest stratum with two distinct records, as it is stated, and are the other sizes?"""
    found = tied.found
    if found.scan is None:
        return
    low, high = tied.largest(lines=False), tied.largest(lines=found.swapped is None)
    where = found.scan.largest(found.place, lines=found.lines is not False)
    of = f"the largest stratum with two distinct records{', ' + where + ',' if where else ''} holds"
    if tied.built is not None and (stated := tied.built.largest_stratum) is not None:
        yield Answer("stratum", _claimed_stratum(tied, stated, (low, high), of))
    if tied.run is not None:
        yield from counted_words(tied.run, found, tied.scope)
    yield from stated_words(tied.built, tied.words, tied.scope)


def _claimed_stratum(tied: TiedSwap, stated: int, found: tuple[int, int], of: str) -> Evidence:
    low, high = found
    strata = len(tied.found.sizes(lines=False).records)
    here = f"{of} {high} of {counted(tied.found.records, 'record')} in {strata} strata"
    if stated < low:
        detail = f"largest_stratum = {stated} is too small: {here}{_budgets(tied, stated, high)}"
        return contradicted("largest <= stated", detail, tied.scope, largest=low, stated=stated)
    if stated < high:
        detail = f"largest_stratum = {stated} is right where a table is released, not where the records are: {here}"
        return Evidence(Verdict.OPEN, tied.scope, detail)
    if stated > high:
        detail = f"largest_stratum = {stated} is more than b: {here}; what covers {stated} covers {high}"
        return Evidence(Verdict.EXHAUSTED, tied.scope, detail)
    return Evidence(Verdict.EXHAUSTED, tied.scope, f"b = {stated} as stated: {here}")


def _budgets(tied: TiedSwap, stated: int, largest: int) -> str:
    """What (7) is at both, at the first swap rate of the claim."""
    if tied.built is None or stated < 2:
        return ""
    rate = tied.built.cases[0].setting["swap_rate"]
    return f"; (7) is {psa_budget(largest, rate)} there, not {psa_budget(stated, rate)} (p = {rate})"


def _universe(tied: TiedSwap) -> Iterator[Answer]:
    """Is the claimed budget one of the universe of these records?"""
    built, found = tied.built, tied.found
    if found.scan is None or built is None:
        return
    b = tied.largest(lines=found.swapped is None)
    for case in built.cases:
        yield Answer("universe", _budget(tied, built, case, b))


def _budget(tied: TiedSwap, built: PrivacyClaim, case: Case, b: int) -> Evidence:
    if built.mechanism is None or case.budget is None:
        return Evidence(Verdict.OPEN, "the claim file", "no budget is stated in numbers")
    rate: Fraction = case.setting["swap_rate"]
    theorem = swapping_theorem(built, built.mechanism)
    if theorem.verdict is not Verdict.PROVED:
        return Evidence(Verdict.OPEN, theorem.scope, f"cannot be decided here: {theorem.detail}")
    formula = psa_budget(b, rate)
    at = f"{formula}, at b = {b} of these records and p = {rate}"
    at += "" if rate == 1 else f" (odds {odds(rate)})"
    covered = covers(case.budget, formula)
    scope = f"{theorem.scope}; {tied.scope}"
    if covered:
        verdict = Verdict.ENCLOSED if case.budget.loss is None else Verdict.PROVED
        return Evidence(verdict, scope, f"{claimed(case.budget)} ≥ (7), {at}")
    if covered is None:
        return Evidence(Verdict.OPEN, scope, f"{claimed(case.budget)} and (7), {at}, agree to 48 digits")
    below = f"{claimed(case.budget)} < (7), {at}, by {shortfall(case.budget, formula)}"
    if 0 < rate < 1 and tied.found.scan is not None:
        certified = certified_budget_of_strata(_margins(tied), rate)
        if covers(case.budget, certified):
            detail = f"{below}, but ≥ what these counts require, {certified} ({certified.reason})"
            return Evidence(Verdict.ENCLOSED, scope, detail)
    return Evidence(Verdict.OPEN, scope, f"not shown: {below}")


def _margins(tied: TiedSwap) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The margins of the strata; with a row for each record where these are released, or may be."""
    scan = tied.found.scan
    for rows, columns in () if scan is None else scan.margins(tied.found.place):
        yield (rows if tied.found.lines is False else (1,) * sum(rows)), columns


def _determined(tied: TiedSwap) -> Iterator[Answer]:
    """What do the invariants determine, and what moved?"""
    found = tied.found
    if found.scan is None:
        return
    sizes = found.sizes(lines=found.swapped is None)
    fixed = sizes.determined
    records, alone = int(sizes.records[fixed].sum()), int((sizes.records == 1).sum())
    detail = (
        f"{int(fixed.sum())} of {len(sizes.records)} strata ({records} of "
        f"{counted(found.records, 'record')}; {alone} strata are one record) are wholly determined by the invariants, "
        "and not protected"
    )
    yield Answer("determined", Evidence(Verdict.EXHAUSTED, tied.scope, detail), decides=False, is_remark=records > 0)


def _undone(tied: TiedSwap) -> Iterator[Answer]:
    """Does a column that stays as it is determine what is swapped?"""
    found = tied.found
    is_of_lines = tied.built is not None and LINE_BY_LINE in tied.built.words.get("multiverse", "")
    for one in found.dependences:
        is_released = found.lines is not None or set(one.columns) <= set(found.columns.all)
        released = "" if is_released else ", where its records themselves are released"
        where = f"in {found.names[0]}{released}, {one.sentence}"
        decides = one.is_vacuous(found.columns.swapping) and (is_released or is_of_lines)
        more = "; where it always does, a universe has one member, and the claim is vacuous" if decides else ""
        yield Answer("undone", Evidence(Verdict.OPEN, tied.scope, f"{where}{more}"), decides=decides, is_remark=True)
    if found.original is None and found.swapped is not None:
        detail = f"not asked whether a column that stays determined {tied.swapping} before the swap: {_NEEDS_ORIGINAL}"
        yield Answer("undone", Evidence(Verdict.OPEN, tied.scope, detail), decides=False)


def _drawn(tied: TiedSwap) -> Iterator[Answer]:
    """Did the PSA draw the file at the claimed rate? No file can show it; the number that moved can refute it."""
    found, run = tied.found, tied.run
    if found.swapped is None or not found.fits:
        return
    cases = () if tied.built is None else tied.built.cases
    rates = [run.rate] if run is not None else [case.setting["swap_rate"] for case in cases]
    at = f"p = {' or '.join(map(str, rates))}"
    laws = [] if found.scan is None else [MovedNumber(found.scan.compositions(0), rate) for rate in rates]
    moved = _moved(tied)
    if moved and (refuted := _refuted(tied, laws, moved, f"a swap at {at}")) is not None:
        yield Answer("drawn", refuted)
        return
    detail = f"assumed: drawn by the PSA at {at}, which no file can show"
    if run is None:
        detail += f"; {found.name} has no manifest to tie it to a run"
    if moved:
        detail += f"; {moved}" + (f", and {_expected('such a swap', laws[0])}" if found.moved is not None else "")
    yield Answer("drawn", Evidence(Verdict.OPEN, tied.scope, detail))


def _refuted(tied: TiedSwap, laws: Sequence[MovedNumber], said: str, swap: str) -> Evidence | None:
    """REFUTED where what moved, or the strata that did not, have a probability below the level at every rate."""
    found, moved = tied.found, tied.found.moved
    if moved is not None:
        bound = max(law.tail(moved) for law in laws)
        few = "few" if moved < laws[0].range[1] else "many"
        detail = f"{said}; {_expected(swap, laws[0])}; the probability of so {few} is"
    else:
        least = found.least_moved or 0
        bound = max(law.tail(least, at_least=True) for law in laws)
        detail = f"{said}; {swap} moves that many with probability"
        if bound > LEVEL / 2 and found.scan is not None:
            halves = list(found.scan.halves())
            bound = max(law.unchanged_tail(halves) for law in laws)
            kept = f"{sum(same for _, same in halves)} of {len(halves)} strata that a swap can change have all counts"
            detail = f"{kept} as before; {swap} keeps that many with probability"
    if bound > LEVEL / 2:
        return None
    places = min(((bound.denominator // max(bound.numerator, 1)).bit_length() - 1) * 30102 // 100_000, _LEAST)
    scope = f"sampled, at level 10^-9 for the whole file, both sides and all strata together; {tied.scope}"
    said = f"SAMPLED: {detail} at most 10^-{places}"
    least, greatest = laws[0].range
    if moved is not None and moved < least:
        return contradicted("moved >= least", said, scope, moved=moved, least=least)
    if moved is not None and moved > greatest:
        return contradicted("moved <= greatest", said, scope, moved=moved, greatest=greatest)
    numbers = {"level": LEVEL / 2, "probability": Fraction(1, 10**places)}
    return contradicted("level <= probability", said, scope, **numbers)


def _expected(swap: str, law: MovedNumber) -> str:
    low, high = law.range
    return f"{swap} moves {low} to {high} with probability at least 1 - 10^-9"


def _moved(tied: TiedSwap) -> str:
    found, pairs = tied.found, tied.found.pairs
    of, least = f"of {counted(found.records, 'record')} have another {tied.swapping} than before", found.least_moved
    if found.moved is not None and pairs is not None:
        named = ", ".join(f"{count} from {value}" for value, count in pairs.left.most_common(_SHOWN))
        more = f" and {len(pairs.left) - _SHOWN} other values" if len(pairs.left) > _SHOWN else ""
        which = f": {named}{more}" if pairs.moved else ", so that the file is the input itself"
        return f"{pairs.moved} {of}{which}"
    return "" if least is None else f"by the counts at least {least} {of}"


def _file(tied: TiedSwap) -> Iterator[Answer]:
    """Is the released file the one that its manifest describes, and do claim and manifest agree?"""
    if tied.found.swapped is not None:
        yield from released_file(tied.built, tied.run, tied.found, tied.digest)


QUESTIONS: tuple[AuditQuestion[TiedSwap], ...] = (
    AuditQuestion("file", _file),
    AuditQuestion("undone", _undone),
    AuditQuestion("drawn", _drawn),
    AuditQuestion("records", _records),
    AuditQuestion("invariants", _invariants),
    AuditQuestion("stratum", _stratum),
    AuditQuestion("universe", _universe),
    AuditQuestion("determined", _determined),
)
