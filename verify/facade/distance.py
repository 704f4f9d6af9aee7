"""The input premetric as a Python argument: a name, or a function of two data sets that is computed outside."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from stirred.spec.arguments import InputError, nonnegative, parse_exact
from stirred.spec.domain import FiniteDomain
from stirred.spec.input_premetric import Distance, InputPremetric, explicit
from stirred.spec.multiverse import Multiverse
from stirred.verify.audit.claim_beliefs import PUFFERFISH
from stirred.verify.audit.claim_domain import DomainKind
from stirred.verify.audit.claim_premetric import finite_metric, metric_names
from stirred.verify.audit.claim_table import Block
from stirred.verify.outside.foreign import Limits
from stirred.verify.outside.local import LocalFunction

__all__ = ["DistanceFunction", "read_distance"]

DistanceFunction = Callable[[Any, Any], Distance]
"""d(x, x') as an exact number, None for ∞."""

_INFINITE = "infinite"
_SHORT = {"add_remove": "neighbors_add_remove", "replace_one": "neighbors_replace_one"}


def read_distance(
    distance: str | DistanceFunction, kind: DomainKind, domain: FiniteDomain, multiverse: Multiverse, limits: Limits
) -> tuple[str, InputPremetric]:
    """The name of the input premetric as a claim file has it, and the premetric.

    "add-remove" and "replace-one" are the neighbour relations, at distance 1 with everything else at ∞: of ordered data
    sets on a domain of those, of unordered ones on a domain of `multisets`. A function is tabulated on the pairs of
    each universe, and stands under the name "explicit".

    Raises:
        InputError: the name is unknown or has no meaning on these data sets, or the function fails on a pair.
    """
    if not isinstance(distance, str):
        return "explicit", _tabulated(distance, multiverse, limits)
    name = distance.strip().replace("-", "_")
    if name in _SHORT:
        name = f"{_SHORT[name]}_{'ordered' if kind.is_ordered else 'unordered'}"
    if name == "explicit":
        raise InputError("distance must be a name or a function of two data sets; got 'explicit': give the function")
    if name == PUFFERFISH:
        raise InputError(
            "distance must be of data sets; 'pufferfish' is of beliefs about them: state it in a claim file"
        )
    block = Block("distance", {"name": name, "resolution": "record"})
    metric_names(block)
    return name, finite_metric(block, kind, domain)


class _OfPair:
    """A distance as a function of a pair, whose value is a text."""

    def __init__(self, distance: DistanceFunction) -> None:
        self.__wrapped__ = distance

    def __call__(self, pair: tuple[Any, Any]) -> str:
        value = self.__wrapped__(*pair)
        return _INFINITE if value is None else str(nonnegative("a distance", value))


def _tabulated(distance: DistanceFunction, multiverse: Multiverse, limits: Limits) -> InputPremetric:
    """The distances of all pairs that share a universe."""
    if not callable(distance):
        raise InputError(f"distance must be a name or a function of two data sets; got {distance!r}")
    function = LocalFunction("distance", _OfPair(distance))
    name, resolution = function.name, "record"
    if isinstance(distance, InputPremetric):
        name, resolution = distance.name, distance.resolution
    pairs = dict.fromkeys((x, y) for universe in multiverse for x in universe for y in universe if x != y)
    texts = function.values(tuple(pairs), limits, is_ordered=True, what="a distance") if pairs else {}
    table: dict[tuple[Any, Any], Distance] = {}
    for pair, text in texts.items():
        written = ast.literal_eval(text)
        table[pair] = None if written == _INFINITE else parse_exact("distance", written)
    return explicit(table, resolution, name=name)
