"""What a budget lets someone learn, as a reader sees it: bounds rounded outward, pictures of tests and posteriors."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

from stirred.verify.evidence.reports.markup import Markup, element, joined, quiet, table

HEADER = ("bound", "printed", "sharpest", "this mechanism")

_PLACES = 6
_NEAR = Fraction(1, 10_000)
_OPEN = Fraction(99, 100)
OPEN_WORDS = "at these numbers the bounds hinder nobody: they leave at least 99% open"
_THOUSAND = 1_000
_SIZE, _MARGIN = 300, 36
_DARK, _PALE = "#2f5d8c", "#d6e2ee"

_SMALL_NUMBERS = (
    "2.88e-6 is 2.88 times 10 to the power of -6, or 0.00000288, and 1 - 5.47e-5 lies by 0.0000547 below 1: a number "
    "near 0 or 1 is shown by its distance from there."
)

FINEST = Fraction(1, 4 * _SIZE)
"""What nobody sees: a quarter of a pixel, as a share of a panel's side."""

Points = Sequence[tuple[Fraction, Fraction]]


@dataclass(frozen=True)
class Panel:
    """A picture in the unit square: a region, and the region that the sharpest bounds leave of it.

    Attributes:
        across: what is drawn to the right.
        up: what is drawn upward.
        printed: the vertices of the region that the printed bounds leave, a convex one that holds the diagonal.
        sharpest: those of the region that the sharpest leave, likewise.
    """

    title: str
    across: str
    up: str
    printed: Points
    sharpest: Points

    @property
    def is_open(self) -> bool:
        """Whether the sharpest bounds leave at least 99% of the square: nobody is hindered by them."""
        ends = (*self.sharpest[1:], self.sharpest[0])
        twice = sum((a * d - b * c for (a, b), (c, d) in zip(self.sharpest, ends, strict=True)), Fraction(0))
        return abs(twice) / 2 >= _OPEN


@dataclass(frozen=True)
class Learned:
    """What the budget of a claim lets someone learn.

    Attributes:
        rows: name, number in words, and the bounds as texts: printed, sharpest, of this mechanism.
    """

    budget: str
    rows: tuple[tuple[str, str, str, str, str], ...]
    notes: tuple[str, ...]
    panels: tuple[Panel, ...]

    @property
    def first(self) -> str:
        """The first bound, in a sentence."""
        _, what, _, sharpest, _ = self.rows[0]
        return f"{what[0].upper()}{what[1:]}: {sharpest}, whatever the attacker knows."


def outward(low: Fraction, high: Fraction) -> str:
    """An interval of probabilities, rounded outward; what is near 0 or 1 by its distance from there.

    >>> outward(Fraction(1, 3), Fraction(1)), outward(Fraction(1, 10**7), 1 - Fraction(1, 30_000))
    ('0.333333 to 1', '1.00e-7 to 1 - 3.33e-5')
    """
    return f"{_end(low, is_up=False)} to {_end(high, is_up=True)}"


def _end(value: Fraction, *, is_up: bool) -> str:
    if value in (0, 1):
        return str(value)
    if value < _NEAR:
        return _small(value, is_up=is_up)
    if 1 - value < _NEAR:
        return f"1 - {_small(1 - value, is_up=not is_up)}"
    units = _rounded(value * 10**_PLACES, is_up=is_up)
    whole, rest = divmod(units, 10**_PLACES)
    return f"{whole}.{rest:0{_PLACES}d}".rstrip("0").rstrip(".")


def _small(value: Fraction, *, is_up: bool) -> str:
    """A small number to three digits, with an exponent."""
    exponent = (value.numerator.bit_length() - value.denominator.bit_length()) * 30103 // 100_000 - 1
    while value >= Fraction(10) ** (exponent + 1):
        exponent += 1
    digits = _rounded(value / Fraction(10) ** (exponent - 2), is_up=is_up)
    if digits == _THOUSAND:
        digits, exponent = digits // 10, exponent + 1
    return f"{digits // 100}.{digits % 100:02d}e{exponent}"


def _rounded(value: Fraction, *, is_up: bool) -> int:
    return ceil(value) if is_up else floor(value)


def learned_parts(learned: Learned, name: str) -> list[Markup]:
    """The parts of a page: what is bounded, the table, the pictures, what it holds for."""
    words = (
        f"If {learned.budget} is met, whoever sees a release and knows everything else is held to these bounds: "
        f"printed as in "
        "the dissertation, chapter 5; the sharpest that follow, each attained by some mechanism; and what this "
        "mechanism does."
    )
    rows = ((f"{what}", *bounds) for _, what, *bounds in learned.rows)
    small = any("e-" in text for _, _, *bounds in learned.rows for text in bounds)
    shown = [quiet(_SMALL_NUMBERS)] if small else []
    legend = quiet("Pale: what the printed bounds leave open; dark: what the sharpest leave.")
    pictures = [learned_picture(learned.panels, name), legend] if learned.panels else []
    notes = [quiet(note) for note in learned.notes]
    return [element("p", words), table("Bounds, rounded outward", HEADER, rows), *shown, *pictures, *notes]


def learned_picture(panels: Sequence[Panel], name: str) -> Markup:
    """The panels, two in a row, as one SVG that stands alone too."""
    wide, high = _SIZE + 2 * _MARGIN, _SIZE + 3 * _MARGIN
    places = [(wide * (number % 2), high * (number // 2)) for number in range(len(panels))]
    drawn = [
        element("g", *_panel(one), transform=f"translate({x} {y})") for one, (x, y) in zip(panels, places, strict=True)
    ]
    sentence = "; ".join(f"{one.title}: {one.up} against {one.across}" for one in panels)
    return element(
        "svg",
        element("title", "What the budget lets someone learn", id=f"{name}-title"),
        element("desc", f"{sentence}; pale: the printed bounds, dark: the sharpest", id=f"{name}-words"),
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {wide * min(2, len(panels))} {high * ((len(panels) + 1) // 2)}",
        style="max-width: 46rem",
        role="img",
        aria_labelledby=f"{name}-title {name}-words",
        font_family="sans-serif",
        font_size="13",
    )


def _panel(panel: Panel) -> list[Markup]:
    left, bottom = _MARGIN, _MARGIN + _SIZE
    frame = element(
        "rect", x=str(left), y=str(_MARGIN), width=str(_SIZE), height=str(_SIZE), fill="none", stroke="#888"
    )
    diagonal = element("path", d=f"M{left} {bottom}L{left + _SIZE} {_MARGIN}", stroke="#888", stroke_dasharray="3 3")
    middle, height = str(left + _SIZE // 2), str(_MARGIN + _SIZE // 2)
    beside = str(left - 14)
    pale, dark = ("none", "none") if panel.is_open else (_PALE, _DARK)
    words = [
        element("text", part, x=middle, y=str(_MARGIN + _SIZE // 4 + 18 * line), text_anchor="middle")
        for line, part in enumerate(OPEN_WORDS.split(": ") if panel.is_open else ())
    ]
    return [
        element("text", panel.title, x=middle, y=str(_MARGIN - 12), text_anchor="middle"),
        element("path", d=_path(panel.printed), fill=pale, stroke=_DARK, stroke_dasharray="4 3"),
        element("path", d=_path(panel.sharpest), fill=dark, fill_opacity="0.35", stroke=_DARK),
        frame,
        diagonal,
        *words,
        element("text", panel.across, x=middle, y=str(bottom + 22), text_anchor="middle"),
        element(
            *("text", panel.up), x=beside, y=height, text_anchor="middle", transform=f"rotate(-90 {beside} {height})"
        ),
        *(
            element("text", mark, x=str(x), y=str(y), text_anchor="end")
            for mark, x, y in (("1", left - 6, _MARGIN + 5), ("0", left, bottom + 14), ("1", left + _SIZE, bottom + 16))
        ),
    ]


def _path(points: Points) -> str:
    """A closed path around the points, which are rounded away from the diagonal: no bound is drawn within itself."""
    return joined(("M", "L".join(f"{_across(a, b)} {_down(a, b)}" for a, b in points), "Z"))


def _across(a: Fraction, b: Fraction) -> str:
    return _tenths(_MARGIN * 10 + _rounded(_SIZE * 10 * a, is_up=a > b))


def _down(a: Fraction, b: Fraction) -> str:
    return _tenths((_MARGIN + _SIZE) * 10 - _rounded(_SIZE * 10 * b, is_up=b > a))


def _tenths(number: int) -> str:
    return f"{number // 10}.{number % 10}"
