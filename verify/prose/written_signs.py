"""A text in the signs that are read: full-width letters, superscripts and look-alikes, spelt plainly."""

import re
import unicodedata

_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁽⁾"
_RAISED = re.compile(f"[{_SUPERSCRIPTS}]+")
_PLAIN = str.maketrans(_SUPERSCRIPTS, "0123456789-+()")
_LOOK_ALIKES = str.maketrans("ɛє∊ℇℯ∕÷‒―﹣", "εεεεe//–––")


def plainly_written(text: str) -> str:
    """The text in the signs that `verify.prose.tokens` reads; what no sign is seen of is left out.

    >>> plainly_written("ε²，½ of ０．０１，10⁻⁵")
    'ε^2,1/2 of 0.01,10^-5'
    """
    raised = _RAISED.sub(lambda found: "^" + found[0].translate(_PLAIN), text)
    return "".join(map(_sign, raised)).translate(_LOOK_ALIKES)


def _sign(sign: str) -> str:
    if unicodedata.category(sign) == "Cf":
        return ""
    folded = unicodedata.normalize("NFKC", sign).replace("⁄", "/")
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    return folded if len(folded) == 1 or "/" in folded else sign
