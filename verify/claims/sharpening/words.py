"""Walks along a relation: how long the shortest are, and the classes that they join.

In a case, links is the set of the pairs (x, x') with x r x'.
"""

from __future__ import annotations

from verify.ledger.words import define

define(
    {
        "flipped_links(links)": "set((y, x) for x, y in links)",
        "reach_next(links, s)": "s | set(y for x, y in links if x in s)",
        "reach_along(links, s)": "[s if t == s else reach_along(links, t) for t in [reach_next(links, s)]][0]",
        "classes_along(X, links)": "set(reach_along(both, {x}) for both in [links | flipped_links(links)] for x in X)",
        "walk_steps(links, s, y, n)": "n if y in s else oo if reach_next(links, s) == s else "
        "walk_steps(links, reach_next(links, s), y, n + 1)",
        "walk_length(links, x, y)": "walk_steps(links, {x}, y, 0)",
    }
)
