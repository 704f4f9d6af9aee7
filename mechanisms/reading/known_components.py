"""The components that a process has looked at, told to copies of another that come later.

Each batch of data sets is met by a copy of one process, and components come again from batch to batch. They are told by
their structure alone, as integers: their probabilities, and what leads to them, are computed once more, by the process
that is copied. Quadrature looks at each once: a copy in which it saw a fault has given no answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.component import Component, probability
from stirred.mechanisms.reading.integer_component import IntegerComponent

_LAWS = tuple(BaseLaw)
_MOST = 500
"""Components that are learned; more would cost more than they save."""

LOOKED_AT: dict[Component | IntegerComponent, None] = {}


def told_components() -> list[Any]:
    """Those of several draws that this process has looked at, as integers: laws, and conditions."""
    return [
        (
            [_LAWS.index(law) for law in one.laws],
            [([(z, *c.as_integer_ratio()) for z, c in form], bound.as_integer_ratio()) for form, bound in tied],
        )
        for one in LOOKED_AT
        if isinstance(one, Component) and (tied := one.conditions) and not one.error
    ]


def learn_components(given: Iterable[Any]) -> None:
    """Know from now on what a copy has told."""
    for laws, tied in given:
        conditions = tuple((tuple((z, Fraction(p, q)) for z, p, q in form), Fraction(*bound)) for form, bound in tied)
        component = Component(tuple(_LAWS[law] for law in laws), conditions)
        if component not in LOOKED_AT and len(LOOKED_AT) < _MOST:
            probability(component)
            LOOKED_AT[component] = None
