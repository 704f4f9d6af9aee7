"""A budget that is written as a logarithm: ε = ln 3 is exact, and no decimal is."""

from __future__ import annotations

import re
from fractions import Fraction

from stirred.spec.arguments import InputError, parse_exact
from stirred.spec.loss import Loss

__all__ = ["read_logarithm"]

_LOGARITHM = re.compile(
    r"(?:(?P<times>[1-9][0-9]{0,3}(?:/[1-9][0-9]{0,3})?)\s*[*·]?\s*)?"
    r"(?:ln|log)(?:\s*\(\s*(?P<inside>[^()]+?)\s*\)(?:\s*/\s*(?P<root>[1-9][0-9]{0,3}))?|\s+(?P<after>[^()]+?))"
)


def read_logarithm(name: str, text: object) -> tuple[Loss, str] | None:
    """The loss that a text such as "ln 3", "ln(9/4)/2" or "3/2*ln 2" stands for, and its words; None for other values.

    Raises:
        InputError: it is the logarithm of no exact number, or of one below 1.

    >>> read_logarithm("epsilon", "3/2*ln 4")
    (Loss(gamma=Fraction(64, 1), distance=2), 'epsilon = 3/2*ln(4)')
    """
    found = _LOGARITHM.fullmatch(text.strip()) if isinstance(text, str) else None
    if found is None:
        return None
    gamma = parse_exact(name, found["inside"] or found["after"])
    if gamma < 1:
        raise InputError(f"{name} must be the logarithm of a number of at least 1; got {text!r}")
    root, times = int(found["root"] or 1), Fraction(found["times"] or 1)
    words = f"{'' if times == 1 else f'{times}*'}ln({gamma}){f'/{root}' if root > 1 else ''}"
    return Loss(gamma**times.numerator, root * times.denominator), f"epsilon = {words}"
