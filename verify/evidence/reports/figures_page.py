"""Tables of figures with bars, for a reader who decides: what was counted of a release, in a page of any command."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from stirred.verify.evidence.reports.markup import Markup, element, quiet, table

_WIDTH, _ROW, _LINE, _HIGH = 520, 40, 16, 14
_LONGEST = 70
_DARK, _MARK = "#2f5d8c", "#8f1010"


@dataclass(frozen=True)
class FigureBar:
    """One bar: a share or a number of at least 0, and what it is compared with, where there is something."""

    label: str
    value: float
    expected: float | None = None


@dataclass(frozen=True)
class Figures:
    """A table with its words, and a picture of one of its columns.

    Attributes:
        words: what the table says, in a sentence or two.
        bars: what the picture shows; none for no picture.
        axis: what the length of a bar is, and what the mark beside it.
    """

    title: str
    words: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    bars: tuple[FigureBar, ...] = ()
    axis: str = ""


def figure_parts(figures: Sequence[Figures], lead: Sequence[str], name: str) -> Iterator[Markup]:
    """The parts of a page: sentences first, then each table with its picture.

    Args:
        name: a prefix for the ids of the pictures.
    """
    if lead:
        yield element("ul", *(element("li", one) for one in lead))
    for place, one in enumerate(figures):
        yield element("h3", one.title)
        yield quiet(one.words)
        if one.bars:
            yield element("figure", _picture(one, f"{name}-{place}"), element("figcaption", one.axis))
        if one.rows:
            caption = "The same in numbers" if one.bars else "In numbers"
            yield element("div", table(caption, one.header, one.rows), class_="figures")


def _picture(figures: Figures, name: str) -> Markup:
    """The bars as one SVG, each with its label above it; a mark where a bar was expected to end."""
    most = max((max(bar.value, bar.expected or 0) for bar in figures.bars), default=0) or 1
    scale = (_WIDTH - 8) / most
    drawn = [part for place, bar in enumerate(figures.bars) for part in _bar(bar, place * _ROW, scale)]
    numbers = "; ".join(
        f"{bar.label}: {bar.value:.4g}" + ("" if bar.expected is None else f", expected {bar.expected:.4g}")
        for bar in figures.bars
    )
    return element(
        "svg",
        element("title", figures.title, id=f"{name}-title"),
        element("desc", f"{figures.axis}: {numbers}", id=f"{name}-words"),
        *drawn,
        viewBox=f"0 0 {_WIDTH} {len(figures.bars) * _ROW}",
        style="max-width: 40rem",
        role="img",
        aria_labelledby=f"{name}-title {name}-words",
    )


def _bar(bar: FigureBar, top: int, scale: float) -> Iterator[Markup]:
    label = bar.label if len(bar.label) <= _LONGEST else f"{bar.label[: _LONGEST - 1]}…"
    yield element("text", label, x="0", y=str(top + 12))
    width = max(1, bar.value * scale)
    yield element("rect", x="0", y=str(top + _LINE), width=f"{width:.1f}", height=str(_HIGH), fill=_DARK)
    if bar.expected is not None:
        yield element(
            "path", d=f"M{bar.expected * scale:.1f} {top + _LINE - 3}v{_HIGH + 6}", stroke=_MARK, stroke_width="3"
        )
