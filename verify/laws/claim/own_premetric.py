"""Premetrics of the user's own: functions that are tabulated on what occurs, and tested for what a premetric must be.

The function runs outside, twice, in processes that are confined, and the two must agree. What a premetric is by
definition is tested on every pair that occurs: a distance is not negative, and 0 from a point to itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.input_premetric import Distance, InputPremetric, explicit
from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.blocks.specification import Flavor
from stirred.spec.laws.law import Law
from stirred.spec.numbers.reals.real import Number
from stirred.spec.output_premetrics import RealValued
from stirred.verify.laws.claim.domain import DomainKind
from stirred.verify.laws.foreign import ForeignFunction
from stirred.verify.laws.local import LocalFunction
from stirred.verify.laws.pair_values import law_text, read_distance_text, read_value_text
from stirred.verify.laws.record_orders import arrangements

_MOST_PAIRS = 20_000


def own_distance(
    function: ForeignFunction | LocalFunction, kind: DomainKind, multiverse: Multiverse, resolution: str, *, name: str
) -> InputPremetric:
    """The input premetric that a function is on the pairs that share a universe."""
    domain = kind.listed()
    shared = [domain.ordered(universe) for universe in multiverse]
    pairs = dict.fromkeys((x, y) for points in shared for x in points for y in points)
    others = {} if kind.order_matters else {x: next(arrangements(x), x) for x in domain}
    turned = {(others[x], others[y]): (x, y) for x, y in pairs} if others else {}
    asked = tuple(dict.fromkeys((*pairs, *turned)))
    texts = function.distances(asked) if asked else {}
    for pair, (x, y) in turned.items():
        if texts[pair] != texts[x, y]:
            raise InputError(
                f"{function.where}: a distance must not depend on the order of records in an unordered domain; it does "
                f"from {x!r} to {y!r}"
            )
    table: dict[tuple[Any, Any], Distance] = {}
    for x, y in pairs:
        table[x, y] = read_distance_text(function.where, texts[x, y])
        if x == y and isinstance(function, LocalFunction):  # in Python `lambda x, y: 1` says it of two data sets
            table[x, y] = Fraction(0)
        if x == y and table[x, y] != 0:
            shown = "infinite" if table[x, y] is None else table[x, y]
            raise InputError(
                f"{function.where}: a distance must be 0 from a data set to itself; at {x!r} it is {shown}: return 0 "
                "where the two are equal"
            )
    return explicit(table, resolution, name=name)


@dataclass(frozen=True, eq=False)
class OwnPremetric(RealValued):
    """A function of two laws as an output premetric; nothing is assumed of it, so that every pair is asked for.

    Attributes:
        table: its values on pairs of laws, once they are known.
    """

    reference: str
    function: ForeignFunction | LocalFunction
    table: Mapping[tuple[Law[Any], Law[Any]], Number | None] = field(default_factory=dict, repr=False)

    is_immune_to_post_processing = False
    is_infinite_at_total_variation_one = False

    @property
    def name(self) -> str:  # type: ignore[override]
        """The function's name."""
        return self.reference

    @property
    def is_rational(self) -> bool:  # type: ignore[override]
        """Whether all values that are known are rational."""
        return all(value is None or isinstance(value, Fraction) for value in self.table.values())

    def distance(self, p: Law[Any], q: Law[Any]) -> Number | None:
        """The tabulated value."""
        if (p, q) not in self.table:
            raise InputError(f"{self.function.where}: {self.reference} is not known on laws that do not occur")
        return self.table[p, q]

    def composed_bound(self, *_: Any) -> None:
        """∞: nothing is known of independent releases."""

    def tabulated(self, laws: Mapping[Any, Law[str]], flavor: Flavor) -> OwnPremetric:
        """The same premetric with its values on the laws that Equation (1) compares."""
        numbers: dict[Law[str], int] = {}
        for law in laws.values():
            numbers.setdefault(law, len(numbers))
        named: dict[tuple[int, int], str] = {}
        for x, y in _compared(flavor):
            named.setdefault((numbers[laws[x]], numbers[laws[y]]), f"x = {x}, x' = {y}")
        if len(named) > _MOST_PAIRS:
            raise InputError(
                f"{self.function.where}: must be asked for at most {_MOST_PAIRS} pairs of laws; there are "
                f"{len(named)}: use fewer data sets"
            )
        pairs = {name: pair for pair, name in named.items()}
        listed = tuple(numbers)
        try:
            texts = self.function.divergences(list(map(law_text, listed)), pairs)
        except InputError as error:
            raise InputError(str(error).replace("on the data set ", "on the laws of ", 1)) from None
        table = {}
        for name, (first, second) in pairs.items():
            value = read_value_text(self.function.where, texts[name])
            self._check(name, value, is_one_law=first == second)
            table[listed[first], listed[second]] = value
        return OwnPremetric(self.reference, self.function, table)

    def _check(self, name: str, value: Number | None, *, is_one_law: bool) -> None:
        if value is None:
            least, most = Fraction(1), Fraction(1)
        elif isinstance(value, Fraction):
            least = most = value
        else:
            least, most = value.enclosure().lower, value.enclosure().upper
        if least < 0:
            raise InputError(f"{self.function.where}: an output premetric must be at least 0; at {name} it is {value}")
        if is_one_law and most:
            shown = "infinite" if value is None else value
            raise InputError(
                f"{self.function.where}: an output premetric must be 0 for equal laws; at {name} it is {shown}"
            )


def _compared(flavor: Flavor) -> Iterable[tuple[Any, Any]]:
    """The pairs that Equation (1) compares, and each data set with itself."""
    distance = flavor.input_premetric
    yield from ((x, x) for x in flavor.domain)
    for universe in flavor.multiverse:
        yield from ((x, y) for x, y in permutations(flavor.domain.ordered(universe), 2) if distance(x, y) is not None)
