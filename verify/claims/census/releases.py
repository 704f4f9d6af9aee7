"""Further releases: what they do to the budget of all releases together."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from verify.engines.zcdp.renyi_grid import laws_of
from verify.evidence.witness import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import state
from verify.ledger.words import define

_ORDERS = (2, 3, 4)
_ORDERS_SCOPE = "by e^((a - 1) D_a) for the orders a = 2, 3, 4, exactly"

Weights = Mapping[Any, Fraction]
"""A law as a map from its outcomes."""

define(
    {
        # e^((a - 1) D_a) for an integer order a
        "renyi_sum(p, q, a)": "oo if any(p[t] > 0 and get(q, t, 0) == 0 for t in p) else "
        "sum(p[t]**a / q[t]**(a - 1) for t in p if p[t] > 0)",
    }
)


def _inverse(p: Weights, q: Weights, order: int) -> Fraction:
    """1/e^((a - 1) D_a), 0 for oo: it decreases in the divergence."""
    if not p.keys() <= q.keys():
        return Fraction(0)
    return 1 / sum((mass**order / q[t] ** (order - 1) for t, mass in p.items()), Fraction(0))


def _image(p: Weights, function: Mapping[int, Any]) -> Weights:
    found: dict[Any, Fraction] = {}
    for t, mass in p.items():
        found[function[t]] = found.get(function[t], Fraction(0)) + mass
    return found


@cache
def _laws(outcomes: int) -> list[Weights]:
    """All laws on so many outcomes with denominator 4."""
    return [{t: law.numeric(t) for t in law} for law in laws_of(outcomes, 4)]


_JOINT = cases(
    f"T_1 and T_2 with two outcomes each, t = 2 T_1 + T_2, all joint laws with denominator 4; {_ORDERS_SCOPE}", "p q a"
)(lambda: ((p, q, a) for a, (p, q) in product(_ORDERS, product(_laws(4), repeat=2))))

_FIRST = {t: t // 2 for t in range(4)}
_BOTH = {t: (t // 2, t % 2) for t in range(4)}
_SECOND = {t: t % 2 for t in range(4)}


def never_less(p: Weights, q: Weights, a: int, *, released: Mapping[int, Any]) -> Witness | None:
    """What is released has at least the divergences of T_1."""
    less, more = (_inverse(_image(p, function), _image(q, function), a) for function in (released, _FIRST))
    if less <= more:
        return None
    claimed = "renyi_sum(image(p, released), image(q, released), a) >= renyi_sum(image(p, first), image(q, first), a)"
    return failure(claimed, p=p, q=q, a=a, first=_FIRST, released=released)


_FUNCTIONS = tuple(product(range(3), repeat=3))
_PAIRS_OF_FUNCTIONS = tuple(product(_FUNCTIONS, repeat=2))
_COINS = [law for law in _laws(2) if len(law) == 2]
_THREE = f"T_1 with three outcomes, all laws with denominator 4; T_2 any function of them; {_ORDERS_SCOPE}"

_SAME_FUNCTION = cases(_THREE, "p q a f f_prime")(
    lambda: ((*pair, a, f, f) for pair, a, f in product(product(_laws(3), repeat=2), _ORDERS, _FUNCTIONS))
)

_TWO_FUNCTIONS = cases(f"{_THREE}, another one for each of the two data sets", "p q a f f_prime")(
    lambda: ((*pair, a, *both) for pair, a, both in product(product(_laws(3), repeat=2), _ORDERS, _PAIRS_OF_FUNCTIONS))
)

_CONSTANTS = cases(
    f"T_1 with two outcomes, all laws with denominator 4; T_2 a constant; {_ORDERS_SCOPE}", "p q a f f_prime"
)(lambda: ((p, q, a, (0, 0), (0, 0)) for a, (p, q) in product(_ORDERS, permutations(_COINS, 2))))

_JOINED = "renyi_sum({(t, f[t]): p[t] for t in p}, {(t, f_prime[t]): q[t] for t in q}, a)"


def as_it_was(p: Weights, q: Weights, a: int, f: Any, f_prime: Any, *, relation: str = "==") -> Witness | None:
    """T_1 and T_2 together have the divergences of T_1, where T_2 is f(T_1) under x and f_prime(T_1) under x'."""
    joined = ({(t, f[t]): mass for t, mass in p.items()}, {(t, f_prime[t]): mass for t, mass in q.items()})
    before, both = _inverse(p, q, a), _inverse(*joined, a)
    if both == before if relation == "==" else both < before:
        return None
    return failure(f"{_JOINED} {relation} renyi_sum(p, q, a)", p=p, q=q, a=a, f=f, f_prime=f_prime)


state(
    "das.other-releases.printed",
    "article, Remark 6",
    "dissertation, section 3.4.1",
    printed="Nevertheless, as with any data release, they necessarily increase the total PLB associated with the 2020 "
    "Census.",
    reading="the total PLB does not decrease: 'as with any data release', of which a function of earlier ones, such as "
    "the Demographic Profile of section 5.1, adds none",
    checks=[every(_JOINT, never_less, released=_BOTH)],
    mutants={
        "T_2 in place of T_1": every(_JOINT, never_less, released=_SECOND),
        "always increases it": every(_CONSTANTS, as_it_was, relation=">"),
    },
)

state(
    "das.other-releases",
    "article, Remark 6",
    claim="A further release does not decrease the total PLB (the smallest budget of all releases together), and "
    "leaves it as it is where it is a constant or a function of what is released already, as the Demographic Profile "
    "is, a subset of the DHC's tabulations.",
    checks=[every(_JOINT, never_less, released=_BOTH), every(_SAME_FUNCTION, as_it_was)],
    mutants={
        "always increases it": every(_CONSTANTS, as_it_was, relation=">"),
        "a function of the data and of T_1, for a function of T_1": every(_TWO_FUNCTIONS, as_it_was),
        "T_2 in place of T_1, for both": every(_JOINT, never_less, released=_SECOND),
    },
)
