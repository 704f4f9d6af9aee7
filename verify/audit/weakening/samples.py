"""Smaller by samples: the chance of being in one, and parts that share one."""

from ast import literal_eval
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import product
from math import prod
from typing import Any

from stirred.spec.budgets.accounts import compose
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedClaim, ExaminedPair, shown
from stirred.verify.laws.claim.account import Account
from stirred.verify.laws.claim.budget_cover import covers

Laws = tuple[Law[Any], Law[Any]]


def share(first: Laws, second: Laws) -> Fraction | None:
    """The f in (0, 1) with Q − Q' = f·(P − P'), where Q − f·P is no less than 0, for pairs (P, Q) and (P', Q').

    Then Q = f·P + (1 − f)·R and Q' = f·P' + (1 − f)·R with one and the same law R. None where there is none, or P = P'.

    >>> quarter, rest = Fraction(1, 4), Fraction(3, 4)
    >>> share((Law({0: 1}), Law({0: rest, 1: quarter})), (Law({1: 1}), Law({0: quarter, 1: rest})))
    Fraction(1, 2)
    """
    (p, q), (p_prime, q_prime) = first, second
    outcomes = tuple(dict.fromkeys((*p, *p_prime, *q, *q_prime)))
    changes = [(p.numeric(t) - p_prime.numeric(t), q.numeric(t) - q_prime.numeric(t)) for t in outcomes]
    factor = next((b / a for a, b in changes if a), None)
    if factor is None or not 0 < factor < 1 or any(b != factor * a for a, b in changes):
        return None
    return None if any(q.numeric(t) < factor * p.numeric(t) for t in outcomes) else factor


def _amplified(pair: ExaminedPair) -> Iterator[Detection]:
    """Where, for every compared pair, the claimed release is the honest one with a probability f, else a fixed law."""
    claims = pair.claims
    if not claims.changed or claims.recording is not None or pair.differs_in("domain"):
        return
    honest, claimed = pair.honest.laws, pair.claimed.laws
    differing = [(x, y) for x, y, _ in pair.honest.compared if honest[x] != honest[y] or claimed[x] != claimed[y]]
    shares = {share((honest[x], claimed[x]), (honest[y], claimed[y])) for x, y in differing}
    if len(shares) != 1 or None in shares:
        return
    before, after = pair.honest.own_loss, pair.claimed.loss(multiverse=pair.honest.flavor.multiverse)
    if before is None or after is None:
        return
    (chance,) = shares
    yield Detection(
        f"at each of {len(differing)} compared pairs the claimed release is the honest one with probability {chance}, "
        f"else one and the same law: it needs {shown(after)}, the honest one {shown(before)}",
        f"if {chance} is the chance of being sampled, the smaller number counts on it: anyone known or found to be in "
        "the sample loses the honest loss (dissertation, section 6.5.1)",
    )


def _counted(account: Account) -> Iterator[Detection]:
    """Releases of a sample whose budgets count, or may not count, the chance of not being in it."""
    for part in account.parts:
        taken = part.sampled
        if taken is None:
            continue
        smaller, sample = taken.amplified.text(6), f"sample {taken.sample}, {taken.drawn}"
        own = taken.before.budget.text(6)
        if taken.is_secret:
            found = f"{part.name} is counted as epsilon = {smaller}, by {sample}"
            yield Detection(f"{found}; of who is in the sample it is {own}", _OF_WHO_IS_IN_IT)
        else:
            found = f"{part.name} is counted as epsilon = {own}: {sample}, would give"
            yield Detection(f"{found} {smaller} if it were secret who is in it", _OF_WHO_IS_IN_IT)


_OF_WHO_IS_IN_IT = (
    "the smaller number counts on the chance of not being sampled: for anyone known or found to be in the sample the "
    "larger one holds (dissertation, section 6.5.1)"
)

SAMPLING = Detector("amplification by sampling", in_pair=_amplified, in_account=_counted)


_MOST_OUTCOMES = 4096

_SHARED = (
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
        _SHARED,
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
        _SHARED,
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
            _SHARED,
        )


SHARED = Detector("parts that share randomness", _added, _as_if_independent, _in_one_account)
