"""Walks along a relation: how long the shortest are, and the classes that they join.

In a case, links is the set of the pairs (x, x') with x r x'.
"""

from __future__ import annotations

from verify.ledger.words import define

define(
    {
        "flipped(links)": "set((y, x) for x, y in links)",
        "one_step(links, s)": "s | set(y for x, y in links if x in s)",
        "reach(links, s)": "s if one_step(links, s) == s else reach(links, one_step(links, s))",
        "classes_of(X, links)": "set(reach(both, {x}) for both in [links | flipped(links)] for x in X)",
        "steps(links, s, y, n)": "n if y in s else oo if one_step(links, s) == s else "
        "steps(links, one_step(links, s), y, n + 1)",
        "walk(links, x, y)": "steps(links, {x}, y, 0)",
    }
)
