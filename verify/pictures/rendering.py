"""Pictures by matplotlib, the same bytes for the same data: no dates, no random ids, no window, readable in grey."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.pictures.described_picture import described

__all__ = ["FORMATS", "GREYS", "Picture", "picture_of", "rendered_picture", "require_matplotlib"]

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
    """Refuse a picture where matplotlib is not installed.

    Raises:
        InputError: `what` needs it.
    """
    try:
        import matplotlib.figure  # noqa: F401, PLC0415 an optional dependency
    except ImportError:
        raise InputError(f"{what} needs matplotlib: pip install matplotlib") from None


def rendered_picture(draw: Callable[[Any], None], form: str) -> bytes:
    """The picture that `draw` puts into an empty figure, as the bytes of an SVG or PNG file.

    Raises:
        InputError: matplotlib is not installed.
    """
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
        title: what it shows.
    """

    svg: str
    title: str

    def __repr__(self) -> str:
        return f"<Picture: {self.title}>"

    def _repr_svg_(self) -> str:
        return self.svg


def picture_of(title: str, draw: Callable[[Any], None]) -> Picture:
    """The picture that `draw` puts into an empty figure, for a notebook.

    Raises:
        InputError: matplotlib is not installed.
    """
    return Picture(rendered_picture(draw, "svg").decode("utf-8"), title)
