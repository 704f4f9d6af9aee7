"""Statements are kept in ASCII, as they are searched and compared; here they are set as a reader knows them.

Only what cannot be misread is set: names of Greek letters, indices and powers of letters, relations.
"""

import re

from markupsafe import Markup, escape

from stirred.verify.certificates.printable import printable

_NAMES = """
eps ε epsilon ε alpha α beta β gamma γ delta δ zeta ζ theta θ kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ sigma σ tau τ
phi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Sigma Σ Phi Φ Psi Ψ Omega Ω
"""
_GREEK = dict(zip(_NAMES.split()[::2], _NAMES.split()[1::2], strict=True))
_LETTER = rf"(?:[A-Za-zα-ωΑ-Ω]|sup|inf|max|min|{'|'.join(sorted(_GREEK, key=len, reverse=True))})"
_PRIMES = r"(?:&#39;)*"
_INDEX = rf"\{{[^{{}}]*\}}|\d+(?!\w)|\w+{_PRIMES}"
_POWER = rf"\{{[^{{}}]*\}}|\([^()^]*\)|[-−]?\w+(?![\w(]|\.\d){_PRIMES}|(?<=</sub>\^)\w(?=\()"
_NAME = re.compile(rf"(?<![\w.\-])({_LETTER}{_PRIMES})(?:_({_INDEX}))?(?![\w_])")
_RAISED = re.compile(rf"(?<=[\w)\]}}>;‖])\^({_POWER})")
_SIGNS = (
    *(("&lt;-&gt;", "↔"), ("-&gt;", "→"), ("&lt;=", "≤"), ("&gt;=", "≥"), ("!=", "≠"), ("||", "‖"), ("**", "^")),
    *(("...", "…"), (" - ", " − "), ("[-", "[−"), ("(-", "(−"), ("{-", "{−"), (" -", " −"), ("sqrt(", "√(")),
)


def typeset(text: str) -> Markup:
    """A statement with its letters, indices, powers and signs; all else as it is written, and escaped.

    >>> print(typeset("D_alpha(P_x, Q) <= rho_i^2, eps_D-DP, e^(-eps d) and n_1*x"))
    D<sub>α</sub>(P<sub>x</sub>, Q) ≤ ρ<sub>i</sub><sup>2</sup>, ε<sub>D</sub>-DP, e<sup>−ε d</sup> and n<sub>1</sub>*x
    >>> print(typeset("T_1', P_x', e^eps', d_S^p(x)^2"))
    T<sub>1</sub>&#39;, P<sub>x&#39;</sub>, e<sup>ε&#39;</sup>, d<sub>S</sub><sup>p</sup>(x)<sup>2</sup>
    >>> print(typeset("PH1_num of <b> and psa_law"))
    PH1_num of &lt;b&gt; and psa_law
    """
    shown = str(escape(printable(text)))
    for sign, set_as in _SIGNS:
        shown = shown.replace(sign, set_as)
    shown = _NAME.sub(_named, shown)
    return Markup(_RAISED.sub(_raised, shown))  # noqa: S704 made of escaped text and the marks of this module


def _named(found: re.Match[str]) -> str:
    """A letter with its index; a name of a Greek letter is the letter."""
    name, index = _letter(found[1]), found[2]
    return name if index is None else f"{name}<sub>{_NAME.sub(_named, _inner(index))}</sub>"


def _letter(name: str) -> str:
    bare = name.partition("&")[0]
    return _GREEK.get(bare, bare) + name[len(bare) :]


def _raised(found: re.Match[str]) -> str:
    return f"<sup>{_inner(found[1])}</sup>"


def _inner(text: str) -> str:
    """Without the braces or parentheses that hold it together."""
    return text[1:-1] if text[0] in "{(" else text
