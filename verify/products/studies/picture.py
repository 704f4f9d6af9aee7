"""Pictures of studies: written into files, boxes, means of runs, axes by powers of ten."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.pictures.rendering import FORMATS, GREYS, rendered_picture, require_matplotlib


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
