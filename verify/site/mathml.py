"""Formulas as MathML, which browsers draw and screen readers read; their LaTeX stands beside, to be copied."""

from __future__ import annotations

from html import escape

from latex2mathml.converter import convert
from markupsafe import Markup

__all__ = ["formula"]


def formula(latex: str) -> Markup:
    r"""A formula that is written in LaTeX.

    >>> "<mfrac>" in formula(r"\frac{1-p}{p}"), "\\frac{1-p}{p}</annotation>" in formula(r"\frac{1-p}{p}")
    (True, True)
    """
    drawn = convert(latex)
    start = drawn.index(">") + 1
    inner = drawn[start:].removesuffix("</math>")
    note = f'<annotation encoding="application/x-tex">{escape(latex, quote=False)}</annotation>'
    return Markup(f"<math><semantics>{inner}{note}</semantics></math>")  # noqa: S704 the library escapes what is no command
