"""The markup of a page: HTML is escaped where it is made, so a text becomes markup in one place only.

What surrounds it is `page.html`, for `string.Template`: readable at the width of a phone, on paper, and without colour.
"""

from collections.abc import Iterable
from html import escape

from stirred.verify.evidence.certificates.printable import printable

COLORS = {
    "text": ("#1b1b1b", "#ffffff"),
    "quiet": ("#4a4a4a", "#ffffff"),
    "head": ("#1b1b1b", "#eef1f4"),
    "code": ("#1b1b1b", "#f4f5f6"),
    "pass": ("#0a5c2b", "#e4f4ea"),
    "fail": ("#8f1010", "#fde8e8"),
    "undecided": ("#6b4200", "#fff1d6"),
}
"""Colours of writing and of what is behind it."""

_VOID = frozenset({"meta", "br", "rect", "line", "path"})


class Markup(str):
    """A text that is HTML already."""

    __slots__ = ()


def escaped(content: str) -> Markup:
    """Markup as it stands, and any other text with every character that HTML or a terminal reads made harmless.

    >>> escaped("<a & b>")
    '&lt;a &amp; b&gt;'
    """
    return content if isinstance(content, Markup) else Markup(escape(printable(content)))


def joined(parts: Iterable[str]) -> Markup:
    """The parts one after another, each escaped unless it is markup."""
    return Markup("".join(map(escaped, parts)))


def element(tag: str, *content: str, **attributes: str) -> Markup:
    """An element; an attribute's name has "_" for "-", and one at its end is left out, as in `class_`.

    >>> element("p", "1 < 2", class_="note", aria_label='say "so"')
    '<p class="note" aria-label="say &quot;so&quot;">1 &lt; 2</p>'
    """
    named = "".join(f' {name.rstrip("_").replace("_", "-")}="{escaped(text)}"' for name, text in attributes.items())
    if tag in _VOID and not content:
        return Markup(f"<{tag}{named}>" if tag in ("meta", "br") else f"<{tag}{named}/>")
    return Markup(f"<{tag}{named}>{joined(content)}</{tag}>")


def quiet(*content: str) -> Markup:
    """A paragraph in small grey, for what a reader may pass over."""
    return element("p", *content, class_="quiet")


def table(caption: str, header: Iterable[str], rows: Iterable[Iterable[str]]) -> Markup:
    """A table whose first column names its rows, in a frame that scrolls where the page is narrow."""
    head = element("tr", *(element("th", name, scope="col") for name in header))
    body = (_row(list(row)) for row in rows)
    whole = element("table", element("caption", caption), element("thead", head), element("tbody", *body))
    return element("div", whole, class_="frame", role="group", aria_label=caption, tabindex="0")


def _row(cells: list[str]) -> Markup:
    return element("tr", element("th", cells[0], scope="row"), *(element("td", cell) for cell in cells[1:]))
