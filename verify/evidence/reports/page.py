"""The format `html`: one page that an auditor hands over; everything is in it, nothing on it runs or is fetched."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib.metadata import version
from importlib.resources import files
from string import Template

from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.evidence.reports.figures_page import Figures, figure_parts
from stirred.verify.evidence.reports.learned_page import Learned, learned_parts
from stirred.verify.evidence.reports.markup import COLORS, Markup, element, escaped, joined, quiet, table
from stirred.verify.evidence.reports.page_witness import witness_tables
from stirred.verify.evidence.reports.provenance import made_at
from stirred.verify.evidence.reports.report import (
    FAIL,
    NOTE,
    PASS,
    UNDECIDED,
    Bar,
    Finding,
    Question,
    Report,
    Result,
    Safe,
    outcome,
)

_SEVERITY = (FAIL, UNDECIDED, PASS, NOTE)

_FEWEST = 3
"""Fewer than these are shown one by one."""


@dataclass(frozen=True)
class Alike:
    """Results that the same kinds of findings leave undecided."""

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
    """A row for each: its id, its source, and what leaves it undecided, in full, with the digest of its file."""
    rows = ((one.verdict.name, one.source, _sentences(one)) for one in alike.results)
    return table(f"What leaves them undecided: {asked}", ("id", "source", "sentence"), rows)


def _sentences(result: Result) -> Markup:
    """The sentence of the verdict, and remarks, which a reader should see although they decide nothing."""
    remarks = (element("div", finding.sentence) for finding in result.findings if finding.is_remark)
    digests = (
        element("div", f"SHA-256 of {file} ", element("code", one), class_="quiet") for file, one in result.files
    )
    return joined((result.because or result.verdict.sentence, *remarks, *digests))


# The picture of a comparison: a bar for each mixture of two claims' blocks, as long as the budget that it needs.

_WIDTH, _ROW, _BAR = 360, 44, 16
_LONGEST = _WIDTH - 8
_LONGEST_LABEL = 50


def picture(bars: Sequence[Bar], name: str) -> Markup:
    """The bars as one inline SVG, each under its own words, with the same as a table."""
    largest = max((bar.height for bar in bars if bar.height is not None), default=Fraction(0))
    labels = [f"{bar.name} {bar.label}: {_shown(bar)}" for bar in bars]
    if max(map(len, labels)) > _LONGEST_LABEL:
        labels = [f"{bar.name}: {_shown(bar)}" for bar in bars]
    drawn = enumerate(zip(bars, labels, strict=True))
    rows = [part for number, (bar, label) in drawn for part in _bar(bar, label, number * _ROW, largest)]
    sentence = "; ".join(f"{bar.name}, {bar.label}: {bar.budget}" for bar in bars)
    image = element(
        "svg",
        element("title", "Smallest budget under each mixture of blocks", id=f"{name}-title"),
        element("desc", sentence, id=f"{name}-words"),
        *rows,
        viewBox=f"0 0 {_WIDTH} {len(bars) * _ROW}",
        role="img",
        aria_labelledby=f"{name}-title {name}-words",
    )
    caption = element("figcaption", "The smallest budget, exact, as blocks are exchanged")
    letters = (
        "Four letters name a mixture: domain, multiverse, input premetric and output premetric, each H as in the "
        "honest claim or C as in the claimed one. A hatched bar has no end: the budget is infinite."
    )
    same = table(
        "The same in numbers",
        ("mixture", "blocks", "smallest budget"),
        ((bar.name, bar.label, bar.budget) for bar in bars),
    )
    return element("figure", caption, quiet(letters), image, same)


def _shown(bar: Bar) -> str:
    """The budget to six digits."""
    if bar.height is None:
        return bar.budget
    return decimal_text(bar.height, 6) if bar.height else "0"


def _bar(bar: Bar, label: str, top: int, largest: Fraction) -> list[Markup]:
    words = element("text", label, x="0", y=str(top + 15))
    start, y = "0", str(top + 21)
    if bar.height is not None:
        length = _LONGEST * bar.height / largest if largest else Fraction(0)
        # a budget of 0 is a line, so that it is seen to be drawn
        width = str(max(1, round(length)))
        return [words, element("rect", x=start, y=y, width=width, height=str(_BAR), fill="#2f5d8c")]
    if bar.budget == "infinite":
        hatched = [
            element("path", d=f"M{x} {top + 21 + _BAR}l{_BAR} -{_BAR}", stroke="#8f1010", stroke_width="3")
            for x in range(0, _LONGEST - _BAR, 10)
        ]
        return [words, *hatched]
    return [words]


_TITLES = {
    "audit": "Audit of differential-privacy claims",
    "compare": "Comparison of two differential-privacy claims",
    "verify": "The ledger of claims, checked again",
}

_ASKED = {
    "words": "Where do the claimant's words differ from the blocks?",
    "complete": "Are all five blocks stated?",
    "vacuity": "Are any data sets compared at all?",
    "account": "How does the account come to its total?",
    "numbers": "Do the stated numbers agree with each other?",
    "mechanism": "What is shown about the mechanism?",
    "budget": "Is the claimed budget met?",
    "data": "Were the records looked at?",
    "file": "Is this the file that was released?",
    "drawn": "Was the file drawn as claimed?",
    "persons": "Are the persons the same, each where the household is?",
    "records": "Are they the same records, apart from what is swapped?",
    "invariants": "Are the counts that a swap keeps the same?",
    "stratum": "Are the sizes of the strata as stated?",
    "universe": "Is the budget one for these records?",
    "determined": "What do the invariants determine?",
    "undone": "Does what stays with a record tell what was swapped?",
    "delta": "Which delta is the smallest?",
    "size": "Does the number grow with the data?",
    "rows": "Is each row of the p-table a law?",
    "order": "What does the order of the keys tell?",
    "weakening": "What makes the number small without more noise?",
    "meaning": "What does the number mean, then?",
    "outside": "What does the claim not cover?",
    "read": "What was read of the record?",
    "prose": "Does the record's prose say what its parameters say?",
    "derivation": "How does the record come to its numbers?",
    "consistent": "Do the record's statements agree with each other?",
    "conversion": "What is the budget in other units?",
}


def render(report: Report) -> str:
    """The page: each claim with its five questions, findings, witnesses and assumptions, and how to do it again."""
    return framed(_TITLES[report.title], report.counts, _main(report), f"{report.made:%Y-%m-%d}", "in exact arithmetic")


def figures_page(
    title: str,
    questions: Sequence[Question],
    found: tuple[Sequence[str], Sequence[Figures]],
    command: str | None,
    made: str,
) -> str:
    """A page of figures: the five blocks on top, what a reader should know first, each table, and how to do it again.

    Args:
        command: what does it again; None where nothing does.
    """
    lead, figures = found
    main = [
        _section("The release as five questions", beside([("answer", questions)])),
        _section("What was done", *figure_parts(figures, lead, "figures")),
    ]
    if command is not None:
        main.append(_section("Do it again", element("pre", element("code", command))))
    return framed(title, "Figures of one draw; no verdict rests on them", main, made, "counts in whole numbers")


def learned_page(learned: Sequence[tuple[str, Learned]], command: str) -> str:
    """A page of what budgets let someone learn: of each setting one sentence, then its bounds and their pictures."""
    sections = [
        _section(f"{name}: {one.budget}", element("p", one.first), *learned_parts(one, f"learned-{place}"))
        for place, (name, one) in enumerate(learned)
    ]
    again = _section("Do it again", element("pre", element("code", command)))
    title, made = "What a release lets someone learn", f"{made_at():%Y-%m-%d}"
    return framed(title, "Bounds that hold if the budget is met", [*sections, again], made, "in exact arithmetic")


def framed(title: str, counts: str, main: Sequence[Markup], made: str, how: str) -> str:
    """The parts in the frame of a page."""
    frame = Template(files(__package__).joinpath("page.html").read_text(encoding="utf-8"))
    tones = {name: writing for name, (writing, _) in COLORS.items()}
    behind = {f"{name}_behind": paper for name, (_, paper) in COLORS.items()}
    filled = {
        "title": escaped(title),
        "counts": escaped(counts),
        "main": joined(main),
        "version": escaped(version("stirred")),
        "made": made,
        "how": how,
    }
    return frame.substitute(tones | behind | filled).rstrip("\n")


def _main(report: Report) -> list[Markup]:
    results = report.results
    stand_alone = all(not result.findings for result in results)
    parts = []
    if report.not_audited:
        parts.append(_section("Not audited", *(element("p", message) for message in report.not_audited)))
    shown = list(enumerate(separated(results), start=1))
    if len(results) > 1 and not stand_alone:
        rows = [_row(number, one) for number, one in shown]
        parts.append(_section("Claims", table("Every claim with its verdict", ("claim and verdict", "because"), rows)))
    if report.picture:
        first, last = report.picture[0].budget, report.picture[-1].budget
        parts.append(element("p", f"Under the honest blocks the smallest budget is {first}; as claimed it is {last}."))
    if report.claims:
        parts.append(_section("The claims as five questions", beside(report.claims), *_files(report.files)))
    if report.picture:
        parts.append(_section("Which blocks lower the budget?", picture(report.picture, "picture")))
    if stand_alone:
        parts.append(_section("Findings", _findings([result.verdict for result in results], 3)))
    else:
        parts += [_alike(number, one) if isinstance(one, Alike) else _claim(number, one) for number, one in shown]
    return [*parts, _words(report), _again(report)]


def _row(number: int, one: Result | Alike) -> tuple[str, str]:
    """A row of the table of claims, which leads to the section."""
    if isinstance(one, Alike):
        verdict, name = one.results[0].verdict, f"{len(one.results)} alike"
        because = f"in one table: {_asked(one.rules)}"
    else:
        verdict, name = one.verdict, one.verdict.name
        because = one.because or verdict.sentence
    link = element("a", name, href=f"#claim-{number}")
    return joined((link, element("br"), _badge(verdict))), because


def _asked(rules: Sequence[str]) -> str:
    return " ".join(_ASKED.get(rule, rule) for rule in rules)


def _alike(number: int, alike: Alike) -> Markup:
    alone = "Each with its five blocks and every answer: stirred audit FILE --html page.html"
    return element(
        "article",
        element("h2", f"{len(alike.results)} alike"),
        element("p", _badge(alike.results[0].verdict)),
        alike_table(alike, _asked(alike.rules)),
        quiet(alone),
        id=f"claim-{number}",
    )


def _section(title: str, *content: str) -> Markup:
    return element("section", element("h2", title), *content)


def _badge(finding: Finding) -> Markup:
    """The verdict, or NOTE on what does not decide a claim; a fact is not said to have been exhausted."""
    is_note = finding.is_remark or (not finding.decides and finding.outcome == UNDECIDED)
    word = NOTE if is_note else finding.outcome
    badge = element("span", word, class_=f"badge {'quiet' if word == NOTE else word.lower()}")
    return badge if finding.is_fact else joined([badge, finding.strength])


def _claim(number: int, result: Result) -> Markup:
    """One claim: the verdict and what it rests on first, then the claim itself, the findings, what is assumed."""
    verdict = result.verdict
    words = "; ".join(finding.sentence for finding in result.findings if finding.rule == "words")
    stated = dict(result.beneath).get("words", result.statement)
    quoted = element("blockquote", element("p", stated), quiet(f"Source: {result.source}"))
    facts = {
        "claimed": result.claimed,
        "needed": result.needed,
        "because": result.because,
        "scope": verdict.scope,
    }
    parts = [
        element("h2", verdict.name),
        *(element("p", note) for note in result.above),
        element("p", _badge(verdict)),
        *(element("p", text) for text in (result.audited, result.means) if text),
        *([] if result.audited else [quoted]),
        _listed({name: text for name, text in facts.items() if text}),
        *([quoted, *([element("p", words)] if words else [])] if result.audited else []),
    ]
    if result.questions:
        parts += [element("h3", "The claim as five questions"), beside([("answer", result.questions)])]
    parts += [element("h3", "Findings, in the order in which they were asked"), _findings(result.findings, 4)]
    if result.picture:
        parts += [element("h3", "What the invariants do to the budget"), picture(result.picture, f"picture-{number}")]
    if result.figures:
        parts += [element("h3", "What the swap did"), *figure_parts(result.figures, result.lead, f"figures-{number}")]
    for place, learned in enumerate(result.learned):
        parts += [element("h3", "What this budget lets someone learn")]
        parts += learned_parts(learned, f"learned-{number}-{place}")
    if result.safes:
        parts += [element("h3", "Which of the Five Safes the specification speaks about"), *_safes(result.safes)]
    if result.assumptions:
        items = (element("li", one) for one in result.assumptions)
        parts += [element("h3", "Scope and assumptions"), element("ul", *items)]
    return element("article", *parts, *_files(result.files), id=f"claim-{number}")


def _files(files: Sequence[tuple[str, str]]) -> list[Markup]:
    rows = [[name, element("code", digest)] for name, digest in files]
    return [table("The files that were read, with their SHA-256", ("file", "SHA-256"), rows)] if rows else []


def beside(claims: Sequence[tuple[str, Sequence[Question]]]) -> Markup:
    """The five blocks of several claims side by side."""
    rows = [
        [
            joined((first.block, element("br"), element("span", first.question, class_="question"))),
            *(questions[place].answer for _, questions in claims),
        ]
        for place, first in enumerate(claims[0][1])
    ]
    caption = "The five blocks of the claim" if len(claims) == 1 else "The five blocks of the claims"
    return table(caption, ("block and question", *(name for name, _ in claims)), rows)


def _safes(safes: Sequence[Safe]) -> list[Markup]:
    """What the claim speaks about, and what it leaves to others, as a sentence and a table; no score."""
    spoken = [one.name for one in safes if one.is_spoken_of]
    left = [one.name for one in safes if not one.is_spoken_of]
    about = f"{_and(spoken)}; not at all about {_and(left)}" if spoken else "none of the five"
    rows = (
        [
            joined((one.name, element("br"), element("span", one.question, class_="question"))),
            joined(element("div", block) for block in one.blocks) if one.blocks else "no block",
            one.silent,
        ]
        for one in safes
    )
    return [
        element("p", f"The specification speaks about {about}."),
        table("The Five Safes", ("which, and what it asks", "the blocks that speak about it", "not said"), rows),
        quiet("After the dissertation, section 8.4. The map is no score, and no assessment."),
    ]


def _and(names: Sequence[str]) -> str:
    return " and ".join(", ".join(names).rsplit(", ", 1))


def _listed(facts: dict[str, str]) -> Markup:
    pairs = (part for name, text in facts.items() for part in (element("dt", name), element("dd", text)))
    return element("dl", *pairs)


def _findings(findings: Sequence[Finding], level: int) -> Markup:
    return element("ol", *(element("li", *_finding(finding, level)) for finding in findings), class_="findings")


def _finding(finding: Finding, level: int) -> list[Markup]:
    places = [*([] if finding.place is None else [finding.place]), *finding.related]
    place = "".join(f"; {one.file}, line {one.line}" for one in places)
    parts = [
        element(f"h{level}", _ASKED.get(finding.rule, finding.name)),
        element("p", _badge(finding)),
        element("p", finding.sentence),
        quiet(f"{finding.name}. Scope: {finding.scope}{place}"),
    ]
    if finding.witness is not None:
        parts += [element(f"h{level + 1}", "The counterexample"), witness_tables(finding.witness)]
    return parts + [quiet(note) for note in finding.notes]


def _words(report: Report) -> Markup:
    """What the verdicts on the page mean."""
    findings = [finding for result in report.results for finding in (result.verdict, *result.findings)]
    found = {finding.verdict for finding in findings if not finding.is_fact}
    meanings = {f"{outcome(one)}: {one.name}": one.value for one in sorted(found)}
    meanings[NOTE] = "says what is so, or what a claim means or leaves out, and decides nothing"
    return _section("What the verdicts mean", _listed(meanings))


def _again(report: Report) -> Markup:
    return _section(
        "Do it again",
        element("p", "The same findings, and a file of the counterexamples that needs Python alone to be checked:"),
        element("pre", element("code", report.command)),
        element("p", "stirred replay re-checks a counterexample; --witness FILE writes them."),
    )
