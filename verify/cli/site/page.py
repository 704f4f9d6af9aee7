"""A page: its path, template and search entries; and its HTML.

Statements are ASCII in the ledger; here they are typeset, but only where it is unambiguous: names of Greek letters,
indices and powers of letters, relations.
"""

import posixpath
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.finding import EngineError

_NAMES = """
eps ε epsilon ε alpha α beta β gamma γ delta δ zeta ζ theta θ kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ
phi φ chi χ psi ψ omega ω oo ∞ Gamma Γ Delta Δ Theta Θ Lambda Λ Sigma Σ Phi Φ Psi Ψ Omega Ω
"""
_GREEK = dict(zip(_NAMES.split()[::2], _NAMES.split()[1::2], strict=True))
_LETTER = rf"(?:[A-Za-zα-ωΑ-Ω]|sup|inf|max|min|{'|'.join(sorted(_GREEK, key=len, reverse=True))})"
_PRIMES = r"(?:&#39;)*"
_INDEX = rf"\{{[^{{}}]*\}}|\d+(?!\w)|\w+{_PRIMES}"
_POWER = rf"\{{[^{{}}]*\}}|\([^()^]*\)|[-−]?\w+(?![\w(]|\.\d){_PRIMES}|(?<=</sub>\^)\w(?=\()"
_NAME = re.compile(rf"(?<![\w.\-])({_LETTER}{_PRIMES})(?:_({_INDEX}))?(?![\w_])")
_RAISED = re.compile(rf"(?<=[\w)\]}}>;‖])\^({_POWER})")
_SIGNS = (
    *(("_**", "_{∗∗}"), ("_*", "_{∗}")),
    *(("&lt;-&gt;", "↔"), ("-&gt;", "→"), ("&lt;=", "≤"), ("&gt;=", "≥"), ("!=", "≠"), ("||", "‖"), ("**", "^")),
    *(("...", "…"), (" - ", " − "), ("[-", "[−"), ("(-", "(−"), ("{-", "{−"), (" -", " −"), ("sqrt(", "√(")),
)


def typeset(text: str) -> Markup:
    """A statement with Greek letters, indices, powers and signs typeset; the rest escaped as it is.

    >>> print(typeset("D_alpha(P_x, Q) <= rho_i^2, eps_D-DP, e^(-eps d) and n_1*x"))
    D<sub>α</sub>(P<sub>x</sub>, Q) ≤ ρ<sub>i</sub><sup>2</sup>, ε<sub>D</sub>-DP, e<sup>−ε d</sup> and n<sub>1</sub>*x
    >>> print(typeset("T_1', P_x', e^eps', d_S^p(x)^2"))
    T<sub>1</sub>&#39;, P<sub>x&#39;</sub>, e<sup>ε&#39;</sup>, d<sub>S</sub><sup>p</sup>(x)<sup>2</sup>
    >>> print(typeset("d_** < oo"))
    d<sub>∗∗</sub> &lt; ∞
    >>> print(typeset("PH1_num of <b> and psa_law"))
    PH1_num of &lt;b&gt; and psa_law
    """
    shown = str(escape(printable(text)))
    for sign, set_as in _SIGNS:
        shown = shown.replace(sign, set_as)
    shown = _NAME.sub(_named, shown)
    return Markup(_RAISED.sub(_raised, shown))  # noqa: S704 made of escaped text and the marks of this module


def _named(found: re.Match[str]) -> str:
    name, index = _letter(found[1]), found[2]
    return name if index is None else f"{name}<sub>{_NAME.sub(_named, _inner(index))}</sub>"


def _letter(name: str) -> str:
    bare = name.partition("&")[0]
    return _GREEK.get(bare, bare) + name[len(bare) :]


def _raised(found: re.Match[str]) -> str:
    return f"<sup>{_inner(found[1])}</sup>"


def _inner(text: str) -> str:
    return text[1:-1] if text[0] in "{(" else text


SECTIONS: Mapping[str, str] = {
    "ledger/index.html": "Ledger",
    "documents/index.html": "Documents",
    "proofs/index.html": "Proofs",
    "mechanisms/index.html": "Mechanisms",
    "guide/index.html": "Guide",
    "gallery.html": "Pictures",
    "reference/index.html": "Reference",
}
"""The first page of each section, with the text of its link."""


@dataclass(frozen=True)
class Hit:
    """A search result: its title, a word for its kind, further words that find it, and a claim's verdict."""

    title: str
    kind: str
    text: str = ""
    anchor: str = ""
    verdict: str = ""


@dataclass(frozen=True)
class SitePage:
    """A page of the site: its path from the root, its heading, its template with its variables, and search results."""

    path: str
    title: str
    template: str
    parts: Mapping[str, Any] = field(default_factory=dict)
    hits: Sequence[Hit] = ()


def environment(known: Collection[str], footer: str) -> Environment:
    """What renders templates: every text is escaped and printable, and a link to none of the known paths fails."""
    made = Environment(
        loader=PackageLoader("stirred.verify.cli.site"),
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
    return printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@pass_context
def _url(context: Context, target: str, anchor: str = "") -> str:
    """The relative address of a file of the site."""
    if target not in context["known"]:
        raise EngineError(f"{context['path']} leads to {target}, which is no page")
    place = posixpath.relpath(target, posixpath.dirname(context["path"]) or ".")
    return f"{place}#{anchor}" if anchor else place


def rendered(pages: Iterable[SitePage], made: Environment) -> Mapping[str, str]:
    """The HTML of pages by path."""
    found: dict[str, str] = {}
    for page in pages:
        if page.path in found:
            raise EngineError(f"two pages have the path {page.path}")
        shown = made.get_template(page.template).render(path=page.path, title=page.title, **page.parts)
        found[page.path] = shown + "\n"
    return found
