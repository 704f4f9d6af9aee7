"""Walks along a relation: the lengths of shortest ones, and the classes that they join.

In a case, links is the set of the pairs (x, x') with x r x'.
"""

from __future__ import annotations

from verify.ledger.words import define

define(
    {
        "onward(links, s)": "s | set(y for x, y in links if x in s)",
        "steps(links, s, y, n)": "n if y in s else oo if onward(links, s) == s else "
        "steps(links, onward(links, s), y, n + 1)",
        "walk(links, x, y)": "steps(links, {x}, y, 0)",
        "flipped(links)": "set((y, x) for x, y in links)",
        "classes_of(X, links)": "set(set(y for y in X if walk(links | flipped(links), x, y) < oo) for x in X)",
    }
)
