"""The style of the page, readable at the width of a phone, on paper, and without colour; and its markup.

HTML is escaped where it is made: a text becomes markup in one place only.
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

_LAYOUT = """
*{box-sizing:border-box}
html{color-scheme:light;-webkit-text-size-adjust:100%}
body{margin:0 auto;max-width:56rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;overflow-wrap:break-word}
h1{font-size:1.6rem;line-height:1.25;margin:.5rem 0}
h2{font-size:1.3rem;line-height:1.3;margin:2rem 0 .5rem;border-top:2px solid #1b1b1b;padding-top:.75rem}
h3{font-size:1.1rem;margin:1.5rem 0 .5rem}
h4,li>h3{font-size:1rem;margin:0 0 .25rem}
p{margin:.4rem 0}
blockquote{margin:.75rem 0;padding:.25rem .9rem;border-left:4px solid #8a8f94}
.badge{display:inline-block;font-weight:700;padding:.05rem .5rem;border:1px solid;border-radius:.3rem;
margin-right:.4rem}
.frame{overflow-x:auto;margin:.6rem 0}
table{border-collapse:collapse;min-width:100%;font-size:.95rem}
caption{text-align:left;font-weight:600;padding:.2rem 0}
th,td{border:1px solid #8a8f94;padding:.3rem .5rem;text-align:left;vertical-align:top}
td{font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem .9rem;margin:.75rem 0}
dt{font-weight:600}
dd{margin:0;min-width:0}
ol.findings{padding:0;list-style:none}
ol.findings>li{border:1px solid #8a8f94;border-radius:.4rem;padding:.6rem .8rem;margin:.6rem 0}
pre{padding:.6rem .8rem;border:1px solid #8a8f94;border-radius:.4rem;white-space:pre-wrap}
.question{font-weight:400}
code{font-family:ui-monospace,monospace;font-size:.92em}
figure{margin:.75rem 0}
figcaption{font-weight:600}
svg{display:block;width:100%;max-width:26rem;height:auto}
svg text{font:13px system-ui,sans-serif;fill:#1b1b1b}
a{color:#0b3f91}
@media(max-width:34rem){dl{grid-template-columns:1fr}dd{margin-bottom:.4rem}body{padding:.75rem}
h1{font-size:1.35rem}h2{font-size:1.15rem}}
@media print{@page{margin:18mm}body{max-width:none;padding:0;font-size:10.5pt}
.frame{overflow:visible}tr,ol.findings>li,figure{break-inside:avoid}h2,h3,h4,caption{break-after:avoid}
*{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
"""


def _painted(selector: str, name: str) -> str:
    writing, behind = COLORS[name]
    return f"{selector}{{color:{writing};background:{behind}}}"


STYLE = "\n".join(
    [
        _painted("body", "text"),
        _painted(".quiet", "quiet"),
        _painted("thead th,tbody th", "head"),
        _painted("pre", "code"),
        *(_painted(f".{name}", name) for name in ("pass", "fail", "undecided")),
        _LAYOUT.strip(),
    ]
)
"""The style sheet, which is part of the page."""


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


def table(caption: str, header: Iterable[str], rows: Iterable[Iterable[str]]) -> Markup:
    """A table whose first column names its rows, in a frame that scrolls where the page is narrow."""
    head = element("tr", *(element("th", name, scope="col") for name in header))
    body = (_row(list(row)) for row in rows)
    whole = element("table", element("caption", caption), element("thead", head), element("tbody", *body))
    return element("div", whole, class_="frame", role="group", aria_label=caption, tabindex="0")


def _row(cells: list[str]) -> Markup:
    return element("tr", element("th", cells[0], scope="row"), *(element("td", cell) for cell in cells[1:]))
