"""What a picture shows, in words: the title and the description of an SVG, for a reader who does not see it."""

from __future__ import annotations

from html import escape
from typing import Any

__all__ = ["described", "description", "title"]

_ROOT = "<svg "
_ATTRIBUTES = 'role="img" aria-labelledby="picture-title picture-words" '


def described(svg: str, figure: Any) -> str:
    """The SVG of a figure as one image with a title and a description, which stand first in it.

    Args:
        svg: as matplotlib writes it.
        figure: what is drawn in it.
    """
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
    """The series that legends name."""
    names = [_line(text.get_text()) for legend in legends for text in legend.get_texts()]
    return [f"series: {', '.join(dict.fromkeys(names))}"] if names else []


def _line(text: str) -> str:
    return " ".join(text.split())
