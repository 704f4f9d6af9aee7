"""The audit of a swap's records: do they, the claim and the manifest agree, and is the claimed budget theirs?"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice

from stirred.mechanisms.tables.line_pairs import LinePairs
from stirred.spec.flavors.permutation_swapping import odds, psa_budget
from stirred.verify.audit.exhaust.found import claimed
from stirred.verify.audit.question import Answer, AuditQuestion, asked
from stirred.verify.audit.swap_theorems import swapping_theorem
from stirred.verify.audit.swapped.drawn import drawn
from stirred.verify.audit.swapped.found import TiedSwap
from stirred.verify.audit.swapped.manifest_words import contradicted, counted_words, released_file, stated_words
from stirred.verify.audit.swapped.stated import LINE_BY_LINE
from stirred.verify.engines.swapping.bounds import certified_budget_of_strata
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.budget_cover import covers, shortfall
from stirred.verify.laws.claim.claim import Case, PrivacyClaim

_NEEDS_ORIGINAL = "that needs the records before the swap, --data ORIGINAL"

_SHOWN = 5
"""Categories that are named."""


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
        yield Answer("records", _lines(found.pairs, found.names, tied.scope))


def _persons(tied: TiedSwap) -> Iterator[Answer]:
    """Are the persons the same, each in the place of the household?"""
    if (persons := tied.found.persons) is None:
        return
    scope = f"every record of {' and '.join(persons.names)}"
    yield Answer("persons", _lines(persons.pairs, persons.names, scope))
    if persons.misplaced is not None:
        detail = f"{persons.names[1]} cannot be an outcome of the swap: {persons.misplaced}"
        yield Answer("persons", contradicted("misplaced == 0", detail, scope, misplaced=1))
    elif persons.pairs.are_lines_equal:
        detail = f"each person of {persons.names[1]} lies where the household does in {tied.found.name}"
        yield Answer("persons", Evidence(Verdict.EXHAUSTED, scope, detail))


def _lines(pairs: LinePairs, names: Sequence[str], scope: str) -> Evidence:
    both, name = " and ".join(names), names[-1]
    kept = ", ".join(pairs.kept)
    if pairs.are_lines_equal:
        detail = f"record by record, {both} have the same values of {kept}"
        return Evidence(Verdict.EXHAUSTED, scope, detail)
    at = "" if pairs.first is None else f"; the first difference is in record {pairs.first[0]}, {pairs.first[1]}"
    if pairs.lines[0] != pairs.lines[1]:
        size = f"it has {pairs.lines[1]} records instead of {pairs.lines[0]}"
        detail = f"{name} cannot be an outcome of the swap: {size}{at}"
        return contradicted("swapped == original", detail, scope, original=pairs.lines[0], swapped=pairs.lines[1])
    if pairs.are_written_otherwise:
        differing = ", ".join(column for column, one in pairs.kept.items() if one.lines)
        detail = f"not decided: in {both} values of {differing} are written otherwise{at}: write both in one way"
        return Evidence(Verdict.OPEN, scope, detail)
    if pairs.same_records:
        detail = f"not decided: the lines of {both} seem to stand in another order{at}: sort both by a unique column"
        return Evidence(Verdict.OPEN, scope, detail)
    changed = {column: one for column, one in pairs.kept.items() if one.first_other and not one.is_renamed}
    parts = ", ".join(
        f"{column} in {counted(one.lines, 'record')} (the first is record {one.first_other})"
        for column, one in islice(changed.items(), _SHOWN)
    )
    detail = f"{name} cannot be an outcome of the swap: it has another value of {parts}"
    return contradicted("changed == 0", detail, scope, changed=sum(one.lines for one in changed.values()))


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


def _file(tied: TiedSwap) -> Iterator[Answer]:
    """Is the released file the one that its manifest describes, and do claim and manifest agree?"""
    if tied.found.swapped is not None:
        yield from released_file(tied.built, tied.run, tied.found, tied.digest)


QUESTIONS: tuple[AuditQuestion[TiedSwap], ...] = (
    AuditQuestion("file", _file),
    AuditQuestion("undone", _undone),
    AuditQuestion("drawn", drawn),
    AuditQuestion("records", _records),
    AuditQuestion("persons", _persons),
    AuditQuestion("invariants", _invariants),
    AuditQuestion("stratum", _stratum),
    AuditQuestion("universe", _universe),
    AuditQuestion("determined", _determined),
)
