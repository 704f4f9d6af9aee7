"""The picture of a comparison: a bar for each mixture of two claims' blocks, as long as the budget that it needs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from stirred.spec.enclosure import decimal_text
from stirred.verify.reports.markup import Markup, element, table
from stirred.verify.reports.report import Bar

__all__ = ["picture"]

_WIDTH, _ROW, _BAR = 360, 44, 16
_LONGEST = _WIDTH - 8
_LONGEST_LABEL = 50


def picture(bars: Sequence[Bar], name: str) -> Markup:
    """The bars as one inline SVG, each under its own words, with the same as a table.

    Args:
        bars: in order.
        name: the beginning of the ids on the page.
    """
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
    return element("figure", caption, element("p", letters, class_="quiet"), image, same)


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
