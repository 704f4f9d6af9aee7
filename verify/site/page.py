"""A page: where it lies, what it shows, how the search finds it; and its HTML."""

import posixpath
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from stirred.verify.certificates.printable import printable
from stirred.verify.evidence.finding import EngineError
from stirred.verify.site.typeset import typeset

SECTIONS: Mapping[str, str] = {
    "ledger/index.html": "Ledger",
    "documents/index.html": "Documents",
    "proofs/index.html": "Proofs",
    "mechanisms/index.html": "Mechanisms",
    "guide/index.html": "Guide",
    "gallery.html": "Pictures",
    "reference/index.html": "Reference",
}
"""The first pages of the site's sections, with what leads to them."""


@dataclass(frozen=True)
class Hit:
    """What the search finds.

    Attributes:
        title: what is shown of it.
        kind: what it is, in a word.
        text: the words that find it, besides the title.
        anchor: the place on the page; empty for its top.
        verdict: of a claim.
    """

    title: str
    kind: str
    text: str = ""
    anchor: str = ""
    verdict: str = ""


@dataclass(frozen=True)
class SitePage:
    """A page of the site.

    Attributes:
        path: from the root of the site.
        title: its heading.
        template: the file that shows it.
        parts: what the template shows.
        hits: how the search finds it.
    """

    path: str
    title: str
    template: str
    parts: Mapping[str, Any] = field(default_factory=dict)
    hits: Sequence[Hit] = ()


def environment(known: Collection[str], footer: str) -> Environment:
    """What renders templates: every text is escaped and printable, a link to no page is a fault.

    Args:
        known: the paths of all files of the site.
        footer: what stands at the end of every page.
    """
    made = Environment(
        loader=PackageLoader("stirred.verify.site"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_harmless,
    )
    made.filters["typeset"] = typeset
    made.globals.update(
        known=frozenset(known),
        sections={path: name for path, name in SECTIONS.items() if path in known},
        footer=footer,
        url=_url,
    )
    return made


def _harmless(value: Any) -> Any:
    """A text as it may be shown; markup stands as it is."""
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@pass_context
def _url(context: Context, target: str, anchor: str = "") -> str:
    """The relative address of a file of the site.

    Raises:
        EngineError: the site has no such file.
    """
    if target not in context["known"]:
        raise EngineError(f"{context['path']} leads to {target}, which is no page")
    place = posixpath.relpath(target, posixpath.dirname(context["path"]) or ".")
    return f"{place}#{anchor}" if anchor else place


def rendered(pages: Iterable[SitePage], made: Environment) -> Mapping[str, str]:
    """The HTML of pages by path.

    Raises:
        EngineError: two pages have one path, or one leads to no page.
    """
    found: dict[str, str] = {}
    for page in pages:
        if page.path in found:
            raise EngineError(f"two pages have the path {page.path}")
        shown = made.get_template(page.template).render(path=page.path, title=page.title, **page.parts)
        found[page.path] = shown + "\n"
    return found
