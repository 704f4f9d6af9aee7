"""Parts of a release that share randomness, as one sample: their budgets do not add up to that of the whole."""

from __future__ import annotations

from ast import literal_eval
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from typing import Any

from stirred.spec.accounts import compose
from stirred.spec.enclosure import Enclosure
from stirred.spec.law import Law
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedClaim, ExaminedPair, shown
from stirred.verify.claim.account import Account
from stirred.verify.claim.budget_cover import covers

__all__ = ["SHARED", "parts_of"]

_MOST_OUTCOMES = 4096

_MEANING = (
    "parts that share randomness, as of one sample, are not independent: budgets add up before the sample is taken "
    "into account, not after (dissertation, section 6.5.2)"
)

Marginals = tuple[Mapping[Any, Law[Any]], ...]


def parts_of(laws: Mapping[Any, Law[Any]]) -> Marginals | None:
    """The laws of each part, where every outcome is a tuple of one and the same length, at least 2.

    >>> joint = Law({"(0, 0, 7)": 1})
    >>> parts_of({"x": joint})
    ({'x': Law({'0': Fraction(1, 1)})}, {'x': Law({'0': Fraction(1, 1)})}, {'x': Law({'7': Fraction(1, 1)})})
    """
    outcomes = {t: _tuple(t) for law in laws.values() for t in law}
    lengths = {None if value is None else len(value) for value in outcomes.values()}
    if len(lengths) != 1 or lengths & {None, 0, 1}:
        return None
    (length,) = lengths
    return tuple(
        {x: law.push(lambda t, k=k: outcomes[t][k]) for x, law in laws.items()}  # type: ignore[index, misc]
        for k in range(length or 0)
    )


def _tuple(outcome: Any) -> tuple[Any, ...] | None:
    if not isinstance(outcome, str):
        return None
    try:
        value = literal_eval(outcome)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return tuple(map(repr, value)) if isinstance(value, tuple) else None


def _added(claim: ExaminedClaim) -> Iterator[Detection]:
    """Where the stated budget covers what the parts need each alone, added up, and not what they need together."""
    budget, measure = claim.budget, claim.flavor.output_premetric
    whole = claim.own_loss if measure == Multiplicative() else None
    if budget is None or whole is None or covers(budget, whole.budget) is not False:
        return
    alone = [replace(claim, laws=laws).own_loss for laws in parts_of(claim.laws) or ()]
    parts = [one.budget for one in alone if one is not None]
    total = reduce(measure.add, parts, measure.zero)
    if not parts or not covers(budget, total):
        return
    yield Detection(
        f"the stated {budget.text} covers the {len(parts)} parts, {' and '.join(map(str, parts))} each alone and "
        f"{total} added up; released together they need {shown(whole)}",
        _MEANING,
    )


def _as_if_independent(pair: ExaminedPair) -> Iterator[Detection]:
    """Where the claimed law has the honest parts, independent of each other, and the honest law has not."""
    if not pair.claims.changed or pair.claims.recording is not None or pair.differs_in("domain"):
        return
    marginals = parts_of(pair.honest.laws)
    if marginals is None or prod(len({t for law in laws.values() for t in law}) for laws in marginals) > _MOST_OUTCOMES:
        return
    honest, claimed = pair.honest.laws, pair.claimed.laws
    independent = {x: _product([laws[x] for laws in marginals]) for x in honest}
    if any(_listed(claimed[x]) != independent[x] for x in honest):
        return
    x = next(x for x in honest if _listed(honest[x]) != independent[x])
    before, after = pair.honest.own_loss, pair.claimed.own_loss
    losses = "" if before is None or after is None else f"; it needs {shown(after)}, the honest one {shown(before)}"
    yield Detection(
        f"the claimed release has the {len(marginals)} parts of the honest one, drawn independently, which they "
        f"are not on x = {x}{losses}",
        _MEANING,
    )


def _product(laws: list[Law[Any]]) -> dict[tuple[Any, ...], Any]:
    return {outcome: prod(law.numeric(t) for law, t in zip(laws, outcome, strict=True)) for outcome in product(*laws)}


def _listed(law: Law[Any]) -> dict[tuple[Any, ...] | None, Any]:
    return {_tuple(t): law.numeric(t) for t in law}


def _in_one_account(account: Account) -> Iterator[Detection]:
    """Releases of one sample: amplified and added, and added before they are amplified."""
    by_sample = defaultdict(list)
    for part in account.parts:
        if part.sampled is not None and part.sampled.is_secret:
            by_sample[part.sampled.sample].append(part)
    for sample, parts in by_sample.items():
        if len(parts) == 1:
            continue
        lower = sum((part.budget.lower for part in parts), Fraction(0))
        upper = sum((part.budget.upper for part in parts), Fraction(0))
        names = " and ".join(f"{part.name} {part.budget.text(6)}" for part in parts)
        whole = compose("whole", *parts).budget.text(6)
        yield Detection(
            f"{names}, {Enclosure(lower, upper).text(6)} added up, are of one sample, {sample}: "
            f"together they come to {whole}",
            _MEANING,
        )


SHARED = Detector("parts that share randomness", _added, _as_if_independent, _in_one_account)
