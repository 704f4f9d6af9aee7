"""The guide as pages, from the Markdown that `stirred guide` prints."""

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from stirred.verify.cli.guide import Page, pages
from stirred.verify.cli.site.page import Hit, SitePage, typeset
from stirred.verify.cli.site.source_pages import highlighted

_PAGE = re.compile(r"\d\d-([\w-]+)\.md(#[\w-]+)?")
_ELSEWHERE = {"../../ledger/claims/README.md": "../ledger/index.html"}


def slug(heading: str) -> str:
    """The anchor of a heading, as forges make it.

    >>> slug("What it is")
    'what-it-is'
    """
    return re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-")


def markdown(text: str, *, formulas: bool = False) -> Markup:
    r"""Markdown as HTML, with anchors and links between pages; raw HTML stays text, and formulas may be typeset.

    >>> markdown("a <b> *c*")
    Markup('<p>a &lt;b&gt; <em>c</em></p>\n')
    """
    parser = MarkdownIt("commonmark", {"html": False, "highlight": _code}).enable("table")
    tokens = parser.parse(text)
    _place(tokens)
    for word in (child for token in tokens for child in token.children or [] if formulas and child.type == "text"):
        word.type, word.content = "html_inline", str(typeset(word.content))
    return Markup(parser.renderer.render(tokens, parser.options, {}))  # noqa: S704 raw HTML is off


def _code(code: str, language: str, _: str) -> str:
    word = language.partition(" ")[0]
    return str(highlighted(code, word or "text"))


def _place(tokens: Sequence[Token]) -> None:
    """Give headings their anchors, and links their pages; a link out of the guide becomes its text."""
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", slug(tokens[number + 1].content))
        dropped = False
        kept = []
        for child in token.children or []:
            if child.type == "link_open":
                address = _address(str(child.attrGet("href")))
                dropped = not address
                child.attrSet("href", address)
            if not (dropped and child.type in ("link_open", "link_close")):
                kept.append(child)
        token.children = kept if token.children else token.children


def _address(link: str) -> str:
    """Where a link leads on the site; empty if nowhere."""
    if found := _PAGE.fullmatch(link):
        return f"{found[1]}.html{found[2] or ''}"
    return _ELSEWHERE.get(link, link if link.startswith("#") else "")


def guide_pages() -> Iterator[SitePage]:
    """A page for each page of the guide, and the list of them."""
    found = pages()
    order = list(found)
    for place, one in enumerate(found.values()):
        parts = {
            "text": markdown(one.text),
            "topic": one.topic,
            "before": found[order[place - 1]] if place else None,
            "after": found[order[place + 1]] if place + 1 < len(order) else None,
        }
        yield SitePage(f"guide/{one.topic}.html", _title(one), "guide.html", parts, list(_hits(one)))
    listed = [(one, _title(one)) for one in found.values()]
    hit = Hit("The guide", "section", "how to task start install")
    yield SitePage("guide/index.html", "The guide", "guides.html", {"pages": listed}, [hit])


def _title(one: Page) -> str:
    return one.text.partition("\n")[0].removeprefix("# ")


def _hits(one: Page) -> Iterator[Hit]:
    if one.topic in ("site", "changelog"):  # which name what others are about
        yield Hit(_title(one), "guide")
        return
    first, *rest = re.split(r"^## ", one.text, flags=re.M)
    yield Hit(_title(one), "guide", " ".join(first.split()))
    for part in rest:
        heading, _, text = part.partition("\n")
        yield Hit(f"{_title(one)}: {heading}", "guide", " ".join(text.split()), slug(heading))
