"""Which claims of a page have a section of their own, in which order, and which stand together in one table.

Who reads the page must act on what is refuted first, then on what is undecided; what holds comes last. Many records
that nothing but the same question leaves undecided need no page each: a row says all that decides them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from stirred.verify.reports.markup import Markup, element, joined, table
from stirred.verify.reports.report import FAIL, NOTE, PASS, UNDECIDED, Result

_SEVERITY = (FAIL, UNDECIDED, PASS, NOTE)

_FEWEST = 3
"""Fewer than these are shown one by one."""


@dataclass(frozen=True)
class Alike:
    """Results that the same kinds of findings leave undecided.

    Attributes:
        rules: those kinds.
        results: in the order of the page.
    """

    rules: tuple[str, ...]
    results: tuple[Result, ...]


def by_severity(results: Sequence[Result]) -> list[Result]:
    """What is refuted, then what is undecided, then what holds, each in the given order."""
    return sorted(results, key=lambda result: _SEVERITY.index(result.verdict.outcome))


def separated(results: Sequence[Result]) -> list[Result | Alike]:
    """The results by severity; three or more undecided ones that are alike are one, where the first of them stands.

    Results with a picture, or with bounds on what is learned, are never alike: a row does not show them.
    """
    ordered = by_severity(results)
    groups: dict[tuple[str, ...], list[Result]] = {}
    for result in ordered:
        groups.setdefault(_rules(result), []).append(result)
    found: list[Result | Alike] = []
    for result in ordered:
        rules = _rules(result)
        group = groups[rules]
        if not rules or len(group) < _FEWEST:
            found.append(result)
        elif result is group[0]:
            found.append(Alike(rules, tuple(group)))
    return found


def _rules(result: Result) -> tuple[str, ...]:
    """The kinds of findings that leave a result undecided; none where it has something of its own to show."""
    if result.verdict.outcome != UNDECIDED or result.picture or result.learned:
        return ()
    return tuple(sorted({finding.rule for finding in result.findings if finding.fails}))


def alike_table(alike: Alike, asked: str) -> Markup:
    """A row for each: its id, its source, and what leaves it undecided, in full, with the digest of its file.

    Args:
        alike: the results.
        asked: what they leave open, in words.
    """
    rows = ((one.verdict.name, one.source, _sentences(one)) for one in alike.results)
    return table(f"What leaves them undecided: {asked}", ("id", "source", "sentence"), rows)


def _sentences(result: Result) -> Markup:
    """The sentence of the verdict, and remarks, which a reader should see although they decide nothing."""
    remarks = (element("div", finding.sentence) for finding in result.findings if finding.is_remark)
    digests = (
        element("div", f"SHA-256 of {file} ", element("code", one), class_="quiet") for file, one in result.files
    )
    return joined((result.because or result.verdict.sentence, *remarks, *digests))
