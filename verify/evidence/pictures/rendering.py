"""Pictures by matplotlib, the same bytes for the same data: no dates, no random ids, no window, readable in grey.

A curve is computed where straight lines between its points are a picture of it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from html import escape
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.atomic import write_whole

X = TypeVar("X")
Y = TypeVar("Y", int, float)


def monotone_points(
    value: Callable[[X], Y], start: X, end: X, middle: Callable[[X, X], X | None], height: Y
) -> list[tuple[X, Y]]:
    """Points of a monotone curve, from each to the next a step of at most `height` or with no place between.

    A monotone curve and the line between two of its points lie in the box of which these are corners: so the line is
    nowhere further from the curve than the box is high, or wide.

    `middle` is a place between two, or None where they are near enough.

    >>> monotone_points(lambda x: x * x, 0, 8, lambda a, b: (a + b) // 2 if b - a > 1 else None, 20)
    [(0, 0), (4, 16), (6, 36), (7, 49), (8, 64)]
    """
    found = [(start, value(start))]
    waiting = [(end, value(end))]
    while waiting:
        (a, y), (b, z) = found[-1], waiting[-1]
        place = middle(a, b) if abs(z - y) > height else None
        if place is None:
            found.append(waiting.pop())
        else:
            waiting.append((place, value(place)))
    return found


# What a picture shows, in words: the title and the description of an SVG, for a reader who does not see it.

_ROOT = "<svg "
_ATTRIBUTES = 'role="img" aria-labelledby="picture-title picture-words" '


def described(svg: str, figure: Any) -> str:
    """The SVG of a figure as one image with a title and a description, which stand first in it."""
    before, root, rest = svg.partition(_ROOT)
    attributes, end, content = rest.partition(">")
    words = (
        f'<title id="picture-title">{escape(title(figure))}</title>',
        f'<desc id="picture-words">{escape(description(figure))}</desc>',
    )
    return "".join((before, root, _ATTRIBUTES, attributes, end, "\n ", "\n ".join(words), content))


def title(figure: Any) -> str:
    """The title of a figure, or else those of its panels, each once."""
    whole = _line(figure.get_suptitle())
    return whole or "; ".join(dict.fromkeys(filter(None, (_line(axes.get_title()) for axes in figure.axes))))


def description(figure: Any) -> str:
    """What is drawn against what in each panel, which series there are, and the legends of the whole figure."""
    return ". ".join([*filter(None, map(_panel, figure.axes)), *_legends(figure.legends)])


def _panel(axes: Any) -> str:
    name, across, up = map(_line, (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()))
    drawn = " against ".join(filter(None, (up, across)))
    legend = axes.get_legend()
    return ": ".join(filter(None, (name, "; ".join([drawn, *_legends([legend] if legend else [])]).strip("; "))))


def _legends(legends: Any) -> list[str]:
    names = [_line(text.get_text()) for legend in legends for text in legend.get_texts()]
    return [f"series: {', '.join(dict.fromkeys(names))}"] if names else []


def _line(text: str) -> str:
    return " ".join(text.split())


FORMATS = ("svg", "png")

GREYS = ("black", "0.35", "0.55", "0.72")
"""Tones that are told apart in print."""

_STYLE = {
    "svg.hashsalt": "stirred",
    "svg.fonttype": "none",  # text stays text: it can be read aloud, searched and copied
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
}

_DOTS_PER_INCH = 150


def require_matplotlib(what: str) -> None:
    """Refuse a picture where matplotlib is not installed."""
    try:
        import matplotlib.figure  # noqa: F401, PLC0415 an optional dependency
    except ImportError:
        raise InputError(f"{what} needs matplotlib: pip install matplotlib") from None


def rendered_picture(draw: Callable[[Any], None], form: str) -> bytes:
    """The picture that `draw` puts into an empty figure, as the bytes of an SVG or PNG file."""
    require_matplotlib("a picture")
    import matplotlib as mpl  # noqa: PLC0415 an optional dependency
    from matplotlib.figure import Figure  # noqa: PLC0415

    with mpl.rc_context():
        mpl.rcdefaults()  # whatever the user's own settings are
        mpl.rcParams.update(_STYLE)
        figure = Figure(layout="constrained")
        draw(figure)
        picture = BytesIO()
        figure.savefig(picture, format=form, dpi=_DOTS_PER_INCH, metadata={"Date": None} if form == "svg" else None)
    if form != "svg":
        return picture.getvalue()
    return described(picture.getvalue().decode("utf-8"), figure).encode("utf-8")


@dataclass(frozen=True, repr=False)
class Picture:
    """A picture as a notebook shows it.

    Attributes:
        svg: the whole of it; `pathlib.Path("picture.svg").write_text(picture.svg)` keeps it.
    """

    svg: str
    title: str

    def __repr__(self) -> str:
        return f"<Picture: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg


def picture_of(title: str, draw: Callable[[Any], None]) -> Picture:
    """The picture that `draw` puts into an empty figure, for a notebook."""
    return Picture(rendered_picture(draw, "svg").decode("utf-8"), title)


def write_picture(option: str, path: str, draw: Callable[[Any], None]) -> None:
    """Write the picture that `draw` puts into an empty figure, as the suffix of the path says."""
    form = Path(path).suffix[1:]
    if form not in FORMATS:
        raise InputError(f"{option} must name a file that ends in .svg or .png; got {path!r}")
    require_matplotlib(option)
    write_whole(path, rendered_picture(draw, form))


def box_plots(axes: Any, groups: Mapping[str, Sequence[Fraction]], places: Sequence[Fraction] = ()) -> None:
    """A box for each group of numbers, labelled with its name, at these places, or else one beside the other.

    The line is the median, the box holds the middle half, the whiskers end at the least and the greatest number.
    """
    at = [float(place) for place in places] or list(range(1, len(groups) + 1))
    axes.set_xticks(at, list(groups))
    if not groups:
        return
    step = min((right - left for left, right in pairwise(sorted(at))), default=1)
    axes.boxplot(
        [[float(number) for number in numbers] for numbers in groups.values()],
        positions=at,
        whis=(0, 100),
        widths=step / 2,
        patch_artist=True,
        manage_ticks=False,
        boxprops={"facecolor": GREYS[-1], "edgecolor": GREYS[0]},
        medianprops={"color": GREYS[0], "linewidth": 2},
    )


def means_of_runs(
    axes: Any, places: Sequence[Any], runs: Sequence[Sequence[Fraction]], form: str, **style: Any
) -> None:
    """A mark for the mean of the runs at each place, with a bar from the least to the greatest; one run has none."""
    means = [sum(each, Fraction()) / len(each) for each in runs]
    ends = ([mean - min(each), max(each) - mean] for mean, each in zip(means, runs, strict=True))
    bars = [[float(end) for end in side] for side in zip(*ends, strict=True)]
    has_bars = any(len(each) > 1 for each in runs)
    axes.errorbar(places, [float(mean) for mean in means], bars if has_bars else None, fmt=form, capsize=3, **style)


def runs_in_words(number: int, noun: str = "run") -> str:
    """What marks and bars are, for a caption.

    >>> runs_in_words(3), runs_in_words(1, "pair of runs")
    ('marks: means of 3 runs; bars: from the least to the greatest of them', 'marks: 1 pair of runs, so no bars')
    """
    if number == 1:
        return f"marks: 1 {noun}, so no bars"
    several = noun.replace("pair", "pairs", 1) if noun.startswith("pair") else f"{noun}s"
    return f"marks: means of {number} {several}; bars: from the least to the greatest of them"


def logarithmic(axes: Any, directions: str) -> None:
    """Make "x", "y" or both ("xy") logarithmic, with ticks at 1 and 3 times powers of ten, as plain numbers."""
    from matplotlib.ticker import FormatStrFormatter, LogLocator, NullLocator  # noqa: PLC0415 an optional dependency

    for direction in directions:
        axes.set(**{f"{direction}scale": "log"})
        axis = getattr(axes, f"{direction}axis")
        axis.set_major_locator(LogLocator(subs=(1, 3)))
        axis.set_major_formatter(FormatStrFormatter("%g"))
        axis.set_minor_locator(NullLocator())
