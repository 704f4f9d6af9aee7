"""Amplification by sampling: the claimed loss counts the chance of not being in the sample."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from stirred.spec.law import Law
from stirred.spec.sampling import amplified
from stirred.verify.audit.weakening.detector import Detection, Detector, ExaminedPair, shown
from stirred.verify.claim.account import Account

__all__ = ["SAMPLING", "share"]

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
        f"if {chance} is the chance of being in a sample, the smaller number counts that chance: of who is known to be "
        "in it, as of anyone who can be found there, the honest loss is lost (dissertation, section 6.5.1)",
    )


def _counted(account: Account) -> Iterator[Detection]:
    """Releases of a sample whose budgets count, or may not count, the chance of not being in it."""
    for part in account.parts:
        taken = part.sampled
        if taken is None:
            continue
        smaller = amplified(taken.before.budget, taken.rate).text(6)
        own = taken.before.budget.text(6)
        if taken.is_secret:
            found = f"{part.name} is counted as epsilon = {smaller}, by sample {taken.sample} at the rate {taken.rate}"
            yield Detection(f"{found}; of who is in the sample it is {own}", _OF_WHO_IS_IN_IT)
        else:
            found = (
                f"{part.name} is counted as epsilon = {own}: sample {taken.sample} at the rate {taken.rate} would give"
            )
            yield Detection(f"{found} {smaller} if it were secret who is in it", _OF_WHO_IS_IN_IT)


_OF_WHO_IS_IN_IT = (
    "the smaller number counts the chance of not being in the sample: of who is known to be in it, as of anyone who "
    "can be found there, the larger one holds (dissertation, section 6.5.1)"
)

SAMPLING = Detector("amplification by sampling", in_pair=_amplified, in_account=_counted)
