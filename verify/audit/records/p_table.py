"""P-tables as published records: what a table promises where each count is changed by its row, for every count."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from stirred.spec.laws.p_table import PTable
from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.records.setting import listed
from stirred.verify.engines.cell_key import CountCurve, count_curve, curve_text, ends_text, moved_record_curve
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.five_blocks import FiveBlocks, Stated, StatedBlock, not_stated

NAME, FORM, KEYS = "p-table", "p-table", "pcv, ckey, pvalue or i, v, p_int_ub"

_OUTSIDE = (
    "Not covered: whether keys are uniform and secret, and whether tables were made by this one; tables that share "
    "records, whose keys are the same: many different ones tell all (differencing)"
)


@dataclass(frozen=True)
class PTableRecord:
    """A p-table in a file."""

    path: Path
    table: PTable

    @property
    def id(self) -> str:
        """The file's name without its extension."""
        return self.path.stem

    @property
    def title(self) -> str:
        """What the file is of."""
        return "p-table"

    @property
    def statement(self) -> str:
        """What the file states."""
        return f"{self.title}: what is added to a count, by its row and the key of its cell"

    @property
    def blocks(self) -> FiveBlocks:
        """A p-table states none but what is counted."""
        domain = StatedBlock("records, of which counts are released", Stated.IN_WORDS)
        return FiveBlocks(domain, *(not_stated() for _ in range(4)))

    @cached_property
    def counts(self) -> CountCurve:
        """What one count needs, whichever it is."""
        return count_curve(self.table)

    def beside(self, _: Sequence[Any], /) -> "PTableRecord":
        """The record itself: others say nothing of it."""
        return self


def recognizes(content: Any) -> bool:
    """Whether it is a p-table."""
    return isinstance(content, PTable)


def read(path: Path, content: PTable) -> PTableRecord:
    """The record of a p-table."""
    return PTableRecord(path, content)


def _scope(record: PTableRecord) -> str:
    return f"the p-table {record.path.name}"


def _read(record: PTableRecord) -> Iterator[Answer]:
    table = record.table
    first, last = table.first, len(table.rows) - 1
    again = f"that of {last}" if table.reused == 1 else f"those of {first} to {last}"
    rows = f"rows of the counts 0 to {last}, and {again} again for larger counts"
    if (start := first + (first - table.phase) % table.reused) != first:
        rows = f"rows of the counts 0 to {first - 1}, and in turn rows {first} to {last}: {start} for the count {first}"
    detail = f"{counted(table.keys, 'key')}; {rows}"
    yield Answer("read", Evidence(Verdict.OPEN, _scope(record), detail), decides=False)


def _complete(record: PTableRecord) -> Iterator[Answer]:
    missing = ", ".join(record.blocks.named(Stated.NOT))
    detail = f"states no budget: one count, noised by its row, needs {curve_text(record.counts)}; not stated: {missing}"
    yield Answer("complete", Evidence(Verdict.OPEN, "the five blocks of a p-table", detail))


def _rows(record: PTableRecord) -> Iterator[Answer]:
    """Rows are laws, or the table would have been refused."""
    rows = record.table.rows
    biased = [f"{count} by {row.bias}" for count, row in enumerate(rows) if row.bias]
    spread = [row.variance for row in rows]
    least, most = (decimal_text(one(spread), 6) for one in (min, max))
    change = max(max(map(abs, row.changes)) for row in rows)
    parts = [
        f"each of the {len(rows)} rows is a law",
        f"biased: {listed(biased)}" if biased else "all unbiased",
        f"variances {least} to {most}, {decimal_text(rows[-1].variance, 6)} of the last row",
        f"largest change {change}",
        f"never released: {listed(never)}" if (never := _forbidden(record.table)) else "any count can be released",
        "0 stays 0" if record.table.zeros_stay else "0 does not stay",
    ]
    evidence = Evidence(Verdict.EXHAUSTED, f"all rows of {_scope(record)}", "; ".join(parts))
    yield Answer("rows", evidence, is_remark=True)


def _forbidden(table: PTable) -> list[str]:
    """Numbers that no count is changed to, as far as the rows that are used once reach."""
    found = {count + change for count in range(len(table.rows) + table.reused) for change in table.row(count).changes}
    return [str(count) for count in range(len(table.rows)) if count not in found]


def _budget(record: PTableRecord) -> Iterator[Answer]:
    """The curve of one count, decided for every count."""
    table, counts = record.table, record.counts
    scope = "every count n and n + 1, each by its row: one record added or removed, one count released"
    if counts.last[1] == 1:
        detail = f"no budget with delta below 1 is met: {curve_text(counts)}, which the release tells apart"
        yield Answer("budget", Evidence(Verdict.OPEN, scope, detail))
        return
    yield Answer("budget", Evidence(Verdict.DECIDED, scope, f"one count needs {curve_text(counts)}"))
    if table.zeros_stay:
        detail = f"if which cells are populated is invariant: {curve_text(count_curve(table, least=1))}"
        yield Answer("budget", Evidence(Verdict.DECIDED, scope, detail), decides=False, is_remark=True)


def _order(record: PTableRecord) -> Iterator[Answer]:
    """What the order of keys costs where a total is released beside its two cells."""
    table = record.table
    count = len(table.rows)
    both, alone = (moved_record_curve(table, (count, count), with_total=one) for one in (True, False))
    detail = (
        f"two counts and their total, whose key is the sum of theirs, need delta {ends_text(both)}; the counts alone "
        f"{ends_text(alone)}"
    )
    which = f"all counts of at least {count}" if table.reused == 1 else f"the counts {count} and {count}"
    scope = f"{which}: one record moves from one to the other, their keys independent"
    yield Answer("order", Evidence(Verdict.EXHAUSTED, scope, detail), decides=False, is_remark=True)


def _outside(_: PTableRecord) -> Iterator[Answer]:
    yield Answer("outside", Evidence(Verdict.OPEN, "not part of the table", _OUTSIDE), decides=False)


QUESTIONS = (
    AuditQuestion("read", _read),
    AuditQuestion("complete", _complete),
    AuditQuestion("rows", _rows),
    AuditQuestion("budget", _budget),
    AuditQuestion("order", _order),
    AuditQuestion("outside", _outside),
)
"""What is asked of a p-table, in this order."""
