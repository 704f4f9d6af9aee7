"""From a claim file's attackers, conjectures and pairs to a Pufferfish instantiation on the data sets of its domain."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, parse_exact, probability
from stirred.spec.domain import FiniteDomain
from stirred.spec.law import Law
from stirred.spec.pufferfish import Pufferfish
from stirred.verify.claim.domain import freeze, refuse_tables
from stirred.verify.claim.table import Block

__all__ = ["PUFFERFISH", "build_pufferfish", "check_beliefs"]

PUFFERFISH = "pufferfish"
"""The input premetric's name."""

_KEYS = ("attackers", "conjectures", "undefined")
_LEFT_OUT = "left out"


def check_beliefs(blocks: Mapping[str, Block], *, has_data_sets: bool) -> None:
    """Refuse attackers and conjectures without the premetric that compares them, and this premetric without them.

    Raises:
        InputError: one stands without the other, or without finitely many data sets.
    """
    metric, domain = blocks.get("input_premetric"), blocks.get("domain")
    is_named = metric is not None and metric.values.get("name") == PUFFERFISH
    for key in _KEYS:
        if domain is not None and not is_named and key in domain:
            raise domain.refuse(key, f"belongs to the input premetric {PUFFERFISH!r}")
    if is_named and domain is not None and not has_data_sets:
        raise domain.refuse("schema", f"or data_sets must be given for the input premetric {PUFFERFISH!r}")
    if metric is not None and "pairs" in metric and not is_named:
        raise metric.refuse("pairs", f"belongs to the input premetric {PUFFERFISH!r}")


def build_pufferfish(blocks: Mapping[str, Block], domain: FiniteDomain) -> Pufferfish:
    """The instantiation that the blocks of a claim state.

    Args:
        blocks: those of the claim; its domain has attackers, which give each data set a probability (those that are
            not listed have probability 0), and conjectures, which are arrays of data sets; its input premetric has
            pairs of conjectures.
        domain: the data sets.

    Raises:
        InputError: a prior is no exact law on the domain, a conjecture leaves the domain, a pair names none, or a
            conditional is undefined; the message names the place.
    """
    block, metric = blocks["domain"], blocks["input_premetric"]
    if "multiverse" in blocks:
        _check_multiverse(blocks["multiverse"])
    priors, events = block.table("attackers"), block.table("conjectures")
    attackers = {name: _prior(priors, name, domain) for name in priors.values}
    conjectures = {name: _event(events, name, domain) for name in events.values}
    leaves_out = "undefined" in block and bool(block.one_of("undefined", (_LEFT_OUT,)))
    pairs = [_pair(f"{metric.where('pairs')}[{index}]", pair) for index, pair in enumerate(metric.array("pairs"))]
    try:
        found = Pufferfish(attackers, conjectures, pairs, leaves_out)
        found.domain  # noqa: B018 refuses instantiations without beliefs
    except InputError as error:
        hint = f'; undefined = "{_LEFT_OUT}" leaves such a pair out' if "is undefined" in str(error) else ""
        raise InputError(f"{block.place}: {error}{hint}") from None
    return found


def _check_multiverse(block: Block) -> None:
    """Beliefs have no invariants: all of them are compared, those that pairs join at a finite distance."""
    stated = [key for key in ("universes", "invariants") if block.values.get(key)]
    if stated:
        raise block.refuse(
            stated[0],
            f"must be invariants = [] for the input premetric {PUFFERFISH!r}: all beliefs are one universe, and an "
            "attacker who knows an invariant has a prior that says so",
        )


def _prior(block: Block, name: str, domain: FiniteDomain) -> Law[Any]:
    mass: dict[Any, Fraction] = {}
    for index, row in enumerate(block.array(name)):
        place = f"{block.where(name)}[{index}]"
        if not isinstance(row, list) or len(row) != 2:
            raise InputError(f"{place} must be [data set, probability]; got {row!r}")
        point = _point(place, row[0], domain)
        if point in mass:
            raise InputError(f"{place}: each data set must have one probability; {point!r} has two")
        mass[point] = probability(place, parse_exact(place, row[1]))
    law: Law[Any] = block.within(name, lambda: Law(mass))
    return law


def _event(block: Block, name: str, domain: FiniteDomain) -> frozenset[Any]:
    points = [_point(f"{block.where(name)}[{index}]", one, domain) for index, one in enumerate(block.array(name))]
    if len(set(points)) != len(points):
        raise block.refuse(name, "must not list a data set twice")
    return frozenset(points)


def _point(place: str, value: Any, domain: FiniteDomain) -> Any:
    refuse_tables(place, point := freeze(value))
    if point in domain:
        return point
    raise InputError(f"{place}: the data set must be one of the domain; got {point!r}")


def _pair(place: str, value: Any) -> tuple[str, str]:
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(name, str) for name in value):
        raise InputError(f"{place} must be two names of conjectures; got {value!r}")
    return value[0], value[1]
