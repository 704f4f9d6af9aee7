"""The format `text`: in a pipe one greppable line for each finding; on a terminal the verdict first.

In a pipe a witness stands under its refutation, and counts come last. On a terminal come then what is claimed, what is
needed, why, and within which scope: one result takes four lines under its verdict, a refutation one more for what it
means, and its other findings; of many there is one table, and under it those that fail: where they are more than ten,
those alone that are refuted or have more to say than their row.
Nothing is broken inside a word or cut, and colour never says what the words do not say.
"""

import os
import textwrap
from collections.abc import Iterator, Sequence

from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.evidence.reports.lines import finding_line, witness_line
from stirred.verify.evidence.reports.report import ABOVE, FAIL, PASS, UNDECIDED, Finding, Report, Result
from stirred.verify.evidence.verdict import Verdict


def render(report: Report) -> str:
    """All lines."""
    lines = [line for result in report.results for line in result_lines(result, is_full=report.is_full)]
    return "\n".join([*lines, report.counts])


def result_lines(result: Result, *, is_full: bool = True) -> Iterator[str]:
    """The findings, each refutation with its witness, then the verdict on the claim."""
    for finding in result.findings:
        if is_full or finding.verdict is Verdict.REFUTED:
            yield from _lines(finding)
    yield from _lines(result.verdict)
    if is_full:
        yield from (f"    {one_line(f'{label}: {text}')}" for label, text in result.beneath)


def _lines(finding: Finding) -> Iterator[str]:
    yield finding_line(finding.name, finding.word, finding.sentence, finding.scope)
    if finding.witness is not None:
        yield witness_line(finding.witness)
    yield from (f"    {note}" for note in finding.notes)


COLORS = ("auto", "always", "never")
"""The values of --color."""

_NARROWEST, _WIDEST = 40, 120
_LABEL = 11
_CODES = {PASS: "32", FAIL: "31", UNDECIDED: "33"}
_COLUMN_GAP = 2
_FEW = 10


def uses_color(choice: str, *, is_terminal: bool) -> bool:
    """Whether to colour: as --color says, and for `auto` on a terminal unless NO_COLOR is set and not empty."""
    if choice != "auto":
        return choice == "always"
    return is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def render_terminal(report: Report, *, width: int, color: bool) -> str:
    """The report for a terminal of so many columns."""
    columns = max(_NARROWEST, min(width, _WIDEST))
    results = report.results
    lines: list[str] = []
    if len(results) == 1:
        lines += _result(results[0], columns, color=color)
    else:
        lines += _table(results, columns, color=color, is_full=report.is_full)
        for result in results:
            if result.verdict.fails and (len(results) <= _FEW or _has_more(result)):
                lines += ["", *_result(result, columns, color=color)]
    return "\n".join([*lines, "", *_wrapped(report.counts, columns)])


def _painted(text: str, word: str, *, color: bool) -> str:
    code = f"1;{_CODES[word]}" if word in _CODES else "1"
    return f"\x1b[{code}m{text}\x1b[0m" if color else text


def _label(finding: Finding) -> str:
    """What stands for a finding's verdict."""
    return finding.outcome if finding.is_fact else f"{finding.outcome} ({finding.strength})"


def _result(result: Result, width: int, *, color: bool) -> Iterator[str]:
    """The verdict above what is audited, the reasons, and the claimant's words; then other findings that fail."""
    verdict = result.verdict
    for note in result.above:
        yield from _wrapped(note, width)
    yield _painted(_label(verdict), verdict.outcome, color=color) + f"  {one_line(verdict.name)}"
    because = result.because or verdict.sentence
    beneath = dict(result.beneath)
    is_told = all(one in result.audited for one in (result.claimed or result.audited or "\0").split("; "))
    for label, text in (
        ("audited", result.audited),
        ("claimed", "" if is_told else result.claimed or result.statement),
        ("needed", result.needed),
        ("means", result.means),
        ("because", because),
        ("scope", verdict.scope),
        ("words", beneath.get("words", "")),
    ):
        if text:
            yield from _labelled(label, text, width)
    for finding in result.all_findings:
        if finding.rule != ABOVE:
            yield from _finding(finding, because, width)


def _has_more(result: Result) -> bool:
    """Whether a result is refuted, or its sentence is not all that leaves it undecided."""
    is_refuted = result.verdict.verdict is Verdict.REFUTED
    return is_refuted or any(_is_untold(finding, result.because) for finding in result.all_findings if finding.fails)


def _is_untold(finding: Finding, because: str) -> bool:
    return finding.sentence not in because and because not in finding.sentence


def _finding(finding: Finding, because: str, width: int) -> Iterator[str]:
    """The witness of a finding; its sentence too where it fails or is a remark, and is not the one that decides."""
    if finding.fails and _is_untold(finding, because):
        yield from _labelled(finding.rule, f"{_label(finding)}: {finding.sentence}", width)
    elif finding.is_remark:
        yield from _labelled(finding.rule, finding.sentence, width)
    if finding.witness is not None:
        witness = witness_line(finding.witness).strip().removeprefix("witness: ")
        if one_line(witness) not in one_line(because):
            yield from _labelled("witness", witness, width)
    for note in finding.notes:
        yield from _labelled("", note, width)


def _labelled(label: str, text: str, width: int) -> Iterator[str]:
    margin = "  " + " " * _LABEL
    first = f"  {one_line(label):<{_LABEL}}"
    if len(first) > len(margin):
        yield first.rstrip()
        first = margin
    yield from _wrapped(text, width, first, margin)


def _wrapped(text: str, width: int, first: str = "", margin: str = "") -> list[str]:
    """The text in lines that end between words; a word that is longer than a line stands on one of its own."""
    lines = textwrap.wrap(
        one_line(text),
        width,
        initial_indent=first,
        subsequent_indent=margin,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [first.rstrip()]


def _table(results: Sequence[Result], width: int, *, color: bool, is_full: bool) -> Iterator[str]:
    """The verdict and the name of each result, and under the name what is audited, and why, in full."""
    labels = [_label(result.verdict) for result in results]
    first = max(map(len, ("verdict", *labels))) + _COLUMN_GAP
    margin = " " * (first if width - first >= _NARROWEST else _COLUMN_GAP)
    yield f"{'verdict':<{first}}what, and why"
    for result, label in zip(results, labels, strict=True):
        yield _painted(f"{label:<{first}}", result.verdict.outcome, color=color) + one_line(result.verdict.name)
        if is_full and result.audited:
            yield from _wrapped(result.audited, width, margin, margin)
        yield from _wrapped(result.because or result.verdict.sentence, width, margin, margin)
        for note in result.above:
            yield from _wrapped(note, width, margin, margin)
