"""A coarser sigma-algebra: outcomes that are told apart by the release, and not by the claim."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.spec.law import Law
from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedPair, shown
from stirred.verify.reports.lines import counted

__all__ = ["EVENTS", "merging"]

_MOST_STEPS = 100_000
_SHOWN = 3

Vector = tuple[Fraction, ...]


def merging(joined: Sequence[tuple[Law[Any], Law[Any]]]) -> Mapping[Hashable, Hashable] | None:
    """A function of outcomes that makes the second law of every pair out of the first one.

    None where there is none, or where none was found in a bounded number of steps.

    >>> quarter, half = Fraction(1, 4), Fraction(1, 2)
    >>> fine, coarse = Law({0: quarter, 1: quarter, 2: half}), Law({"few": half, "many": half})
    >>> merging([(fine, coarse), (Law({2: 1}), Law({"many": 1}))])
    {2: 'many', 0: 'few', 1: 'few'}
    """
    fine, coarse = (tuple(dict.fromkeys(t for laws in joined for t in laws[k])) for k in (0, 1))
    weights: dict[Hashable, Vector] = {t: tuple(laws[0].numeric(t) for laws in joined) for t in fine}
    left: dict[Hashable, Vector] = {s: tuple(laws[1].numeric(s) for laws in joined) for s in coarse}
    order = sorted(fine, key=lambda t: (-sum(weights[t]), str(t)))
    chosen: dict[Hashable, Hashable] = {}
    steps = 0

    def place(index: int) -> bool:
        nonlocal steps
        if index == len(order):
            return True
        outcome = order[index]
        for name in sorted(left, key=lambda s: (s != outcome, str(s))):
            steps += 1
            if steps > _MOST_STEPS:
                return False
            before = left[name]
            after = tuple(a - b for a, b in zip(before, weights[outcome], strict=True))
            if min(after) >= 0:
                left[name], chosen[outcome] = after, name
                if place(index + 1):
                    return True
                left[name] = before
                del chosen[outcome]
        return False

    return chosen if place(0) else None


def _merged(pair: ExaminedPair) -> Iterator[Detection]:
    """Where the claimed release is the honest one with some outcomes put together."""
    joined = pair.joined
    if not pair.claims.changed or len({t for first, _ in joined for t in first}) > _MOST_OUTCOMES:
        return
    function = merging(joined)
    if function is None:
        return
    merged = defaultdict(list)
    for outcome, name in function.items():
        merged[name].append(str(outcome))
    together = {name: sorted(outcomes) for name, outcomes in merged.items() if len(outcomes) > 1}
    if not together:
        return
    first = min(together.values())
    names = ", ".join(first[:_SHOWN]) + (", …" if len(first) > _SHOWN else "")
    before, after = pair.honest.own_loss, pair.claimed.own_loss
    losses = (
        "" if before is None or after is None else f"; the honest one needs {shown(before)}, this one {shown(after)}"
    )
    yield Detection(
        f"the claimed release is the honest one with {counted(len(function), 'outcome')} seen as {len(merged)}: "
        f"{names} are one{losses}",
        "the loss is measured on fewer events: it holds for who sees no more than the coarser outcome, not for who "
        "sees the release (dissertation, sections 4.3 and A.1)",
    )


_MOST_OUTCOMES = 64
"""The most outcomes of the honest release that are tried to be put together."""

EVENTS = Detector("coarser events", in_pair=_merged)
