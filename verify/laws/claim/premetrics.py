"""The two premetric blocks as objects: how data sets, or beliefs about them, are compared, and how laws are.

A premetric of the user's own is a function that is tabulated on what occurs: it runs in the sandbox, twice, and the two
must agree. A distance must be nonnegative, and 0 from a point to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any

from stirred.spec.arguments import InputError, nonnegative, parse_exact, probability
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import (
    Distance,
    InputPremetric,
    Neighbors,
    Order,
    deletion_distance,
    explicit,
    hamming_ordered,
    hamming_unordered,
    neighbor_premetric,
    stratified_hamming,
    symmetric_difference,
)
from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.blocks.specification import Flavor
from stirred.spec.flavors.pufferfish import RESOLUTION, Pufferfish
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.reals.real import Number, Real
from stirred.spec.output_premetrics import (
    OUTPUT_PREMETRICS,
    PREMETRIC_KEYS,
    OutputPremetric,
    RealValued,
)
from stirred.verify.laws.claim.domain import DomainKind, freeze, refuse_tables
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.foreign import ForeignFunction
from stirred.verify.laws.pair_values import law_text, read_distance_text, read_value_text
from stirred.verify.laws.record_orders import arrangements

if TYPE_CHECKING:
    from stirred.verify.laws.local import LocalFunction

PUFFERFISH = "pufferfish"
"""The input premetric's name."""

_OF_BELIEFS = ("attackers", "conjectures", "undefined")
_LEFT_OUT = "left out"


def check_beliefs(blocks: Mapping[str, Block], *, has_data_sets: bool) -> None:
    """Refuse attackers and conjectures without the premetric that compares them, and this premetric without them."""
    metric, domain = blocks.get("input_premetric"), blocks.get("domain")
    is_named = metric is not None and metric.values.get("name") == PUFFERFISH
    for key in _OF_BELIEFS:
        if domain is not None and not is_named and key in domain:
            raise domain.refuse(key, f"belongs to the input premetric {PUFFERFISH!r}")
    if is_named and domain is not None and not has_data_sets:
        raise domain.refuse("schema", f"or data_sets must be given for the input premetric {PUFFERFISH!r}")
    if metric is not None and "pairs" in metric and not is_named:
        raise metric.refuse("pairs", f"belongs to the input premetric {PUFFERFISH!r}")


def build_pufferfish(blocks: Mapping[str, Block], domain: FiniteDomain) -> Pufferfish:
    """The instantiation that the blocks of a claim state.

    The domain has attackers, which give each data set a probability (those that are not listed have probability 0), and
    conjectures, which are arrays of data sets; the input premetric has pairs of conjectures.
    """
    block, metric = blocks["domain"], blocks["input_premetric"]
    multiverse = blocks.get("multiverse")
    stated = [] if multiverse is None else [key for key in ("universes", "invariants") if multiverse.values.get(key)]
    if multiverse is not None and stated:
        raise multiverse.refuse(
            stated[0],
            f"must be invariants = [] for the input premetric {PUFFERFISH!r}: all beliefs are one universe, and an "
            "attacker who knows an invariant has a prior that says so",
        )
    priors, events = block.table("attackers"), block.table("conjectures")
    attackers = {name: _prior(priors, name, domain) for name in priors.values}
    conjectures = {name: _event(events, name, domain) for name in events.values}
    leaves_out = "undefined" in block and bool(block.one_of("undefined", (_LEFT_OUT,)))
    pairs = [_pair(place, pair) for place, pair in metric.entries("pairs")]
    try:
        found = Pufferfish(attackers, conjectures, pairs, leaves_out)
        found.domain  # noqa: B018 refuses instantiations without beliefs
    except InputError as error:
        hint = f'; undefined = "{_LEFT_OUT}" leaves such a pair out' if "is undefined" in str(error) else ""
        raise InputError(f"{block.place}: {error}{hint}") from None
    return found


def _prior(block: Block, name: str, domain: FiniteDomain) -> Law[Any]:
    mass: dict[Any, Fraction] = {}
    for place, row in block.entries(name):
        if not isinstance(row, list) or len(row) != 2:
            raise InputError(f"{place} must be [data set, probability]; got {row!r}")
        point = _point(place, row[0], domain)
        if point in mass:
            raise InputError(f"{place}: each data set must have one probability; {point!r} has two")
        mass[point] = probability(place, parse_exact(place, row[1]))
    return block.within(name, lambda: Law(mass))


def _event(block: Block, name: str, domain: FiniteDomain) -> frozenset[Any]:
    points = [_point(place, one, domain) for place, one in block.entries(name)]
    if len(set(points)) != len(points):
        raise block.refuse(name, "has duplicate data sets")
    return frozenset(points)


def _point(place: str, value: Any, domain: FiniteDomain) -> Any:
    refuse_tables(place, point := freeze(value))
    if point in domain:
        return point
    raise InputError(f"{place}: {point!r} is not in the domain")


def _pair(place: str, value: Any) -> tuple[str, str]:
    if not isinstance(value, list) or len(value) != 2 or not all(isinstance(name, str) for name in value):
        raise InputError(f"{place} must be two names of conjectures; got {value!r}")
    return value[0], value[1]


_METRICS: Mapping[str, Callable[[str], InputPremetric]] = {
    "hamming_unordered": hamming_unordered,
    "hamming_ordered": hamming_ordered,
    "symmetric_difference": symmetric_difference,
    "deletion_distance": deletion_distance,
}

_NEIGHBORS: Mapping[str, tuple[Neighbors, Order]] = {
    f"neighbors_{neighbors.name.lower()}_{order.name.lower()}": (neighbors, order)
    for neighbors in Neighbors
    for order in Order
}

_NOT_STATED = "record (not stated)"

METRIC_NAMES = (*_METRICS, *_NEIGHBORS, "absolute_difference", "explicit", PUFFERFISH)
"""The input premetrics that go by a name."""


def metric_names(block: Block | None) -> tuple[str | None, str | None]:
    """The name and the resolution of the input premetric, each None where it is not stated."""
    if block is None:
        return None, None
    if "function" in block:
        if "name" in block or "distances" in block:
            raise block.refuse("function", "cannot be combined with name or distances")
        name = block.text("function")
    elif "name" not in block:
        block.text("description")
        name = None
    else:
        name = block.one_of("name", METRIC_NAMES)
    if "distances" in block and name != "explicit":
        raise block.refuse("distances", "belongs to the input premetric 'explicit'")
    return name, block.given("resolution", block.text) or (RESOLUTION if name == PUFFERFISH else None)


def finite_metric(
    block: Block, kind: DomainKind, multiverse: Multiverse, function: ForeignFunction | None
) -> InputPremetric:
    """The input premetric on a finite domain, after checking that it is defined there: a name's, or the function."""
    resolution = block.given("resolution", block.text) or _NOT_STATED
    if function is not None:
        return own_distance(function, kind, multiverse, resolution, name=function.reference)
    name = block.text("name")
    if name == "explicit":
        return _explicit(block, kind.listed(), resolution)
    return named_metric(block.where("name"), name, resolution, kind)


def named_metric(place: str, name: str, resolution: str, kind: DomainKind) -> InputPremetric:
    """One of `METRIC_NAMES` that is defined on all data sets of some form."""
    domain = kind.listed()
    counts = all(isinstance(point, int) for point in domain)
    if (name == "absolute_difference") != counts:
        needed = "data sets that are integers" if not counts else "data sets that are arrays; these are integers"
        raise InputError(f"{place} {name!r} needs {needed}")
    if name == "absolute_difference":
        return InputPremetric(name, resolution, lambda first, second: abs(first - second))
    if kind.margins is not None:
        if name != "hamming_unordered":
            raise InputError(f"{place} must be 'hamming_unordered' or 'explicit' on tables; got {name!r}")
        return stratified_hamming(resolution)
    if not all(isinstance(point, tuple) for point in domain):
        raise InputError(f"{place} {name!r} needs data sets that are arrays of records")
    needs_order = name in ("hamming_ordered", "deletion_distance") or name.endswith("_ordered")
    if needs_order and not kind.is_ordered:
        raise InputError(f'{place} {name!r} needs a domain with order = "ordered"')
    return _METRICS[name](resolution) if name in _METRICS else neighbor_premetric(*_NEIGHBORS[name], resolution)


def _explicit(block: Block, domain: FiniteDomain, resolution: str) -> InputPremetric:
    distances: dict[tuple[Any, Any], Distance] = {}
    listed: dict[tuple[Any, Any], int] = {}
    for index, (place, row) in enumerate(block.entries("distances")):
        if not isinstance(row, list) or len(row) != 3:
            raise InputError(f"{place} must be [data set, data set, distance]; got {row!r}")
        pair = _point(place, row[0], domain), _point(place, row[1], domain)
        number = nonnegative(place, parse_exact(place, row[2]))
        if pair[0] == pair[1] and number != 0:
            raise InputError(f"{place} must have the distance 0 from a data set to itself; got {row[2]!r}")
        if pair in listed:
            raise InputError(f"{place}: the pair is listed twice; it is also at [{listed[pair]}]")
        listed[pair], distances[pair] = index, number
    return explicit(distances, resolution)


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
    texts = function.distances(tuple(dict.fromkeys((*pairs, *turned)))) if pairs else {}
    for pair, (x, y) in turned.items():
        if texts[pair] != texts[x, y]:
            raise InputError(
                f"{function.where}: a distance must not depend on the order of records in an unordered domain; this "
                f"one does, from {x!r} to {y!r}"
            )
    table: dict[tuple[Any, Any], Distance] = {}
    for x, y in pairs:
        table[x, y] = read_distance_text(function.where, texts[x, y])
        if x == y and not isinstance(function, ForeignFunction):  # in Python `lambda x, y: 1` is about distinct ones
            table[x, y] = Fraction(0)
        if x == y and table[x, y] != 0:
            raise InputError(
                f"{function.where}: a distance must be 0 from a data set to itself; at {x!r} it is "
                f"{_shown(table[x, y])}: return 0 where the two are equal"
            )
    return explicit(table, resolution, name=name)


@dataclass(frozen=True, eq=False)
class OwnPremetric(RealValued):
    """A function of two laws as an output premetric; nothing is assumed about it, so every pair is computed.

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
        """Whether all tabulated values are rational."""
        return all(value is None or isinstance(value, Fraction) for value in self.table.values())

    def distance(self, p: Law[Any], q: Law[Any]) -> Number | None:
        """The tabulated value."""
        if (p, q) not in self.table:
            raise InputError(f"{self.function.where}: {self.reference} is known only on laws that occur")
        return self.table[p, q]

    def composed_bound(self, *_: Any) -> None:
        """∞: nothing is known about independent releases."""

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
                f"{self.function.where} must be computed on at most {_MOST_PAIRS} pairs of laws; got {len(named)}: use "
                "fewer data sets"
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
        ends = value.enclosure() if isinstance(value, Real) else None if value is None else Enclosure(value, value)
        if ends is not None and ends.lower < 0:
            raise InputError(f"{self.function.where}: an output premetric must be at least 0; at {name} it is {value}")
        if is_one_law and (ends is None or ends.upper):
            raise InputError(
                f"{self.function.where}: an output premetric must be 0 for equal laws; at {name} it is {_shown(value)}"
            )


def _shown(value: object) -> str:
    return "infinite" if value is None else str(value)


def _compared(flavor: Flavor) -> Iterable[tuple[Any, Any]]:
    """The pairs that Equation (1) compares, and each data set with itself."""
    distance = flavor.input_premetric
    yield from ((x, x) for x in flavor.domain)
    for universe in flavor.multiverse:
        yield from ((x, y) for x, y in permutations(flavor.domain.ordered(universe), 2) if distance(x, y) is not None)


def output_premetric(block: Block, own: Callable[[str, str], ForeignFunction]) -> OutputPremetric | None:
    """The output premetric; None where the block is words only."""
    if "function" in block:
        block.only(("description", "function"))
        reference = block.text("function")
        return OwnPremetric(reference, own(block.where("function"), reference))
    if "name" not in block:
        block.only(("description",)).text("description")
        return None
    name = block.one_of("name", tuple(OUTPUT_PREMETRICS))
    kind = OUTPUT_PREMETRICS[name]
    for owner, keys in PREMETRIC_KEYS.items():
        for key in keys:
            if key in block and key not in PREMETRIC_KEYS[name]:
                raise block.refuse(key, f"belongs to {owner!r}; the name is {name!r}")
    given = {key: block.exact(key) for key in PREMETRIC_KEYS[name]}
    measure: OutputPremetric = block.within(next(iter(given), "name"), lambda: kind(**given))
    return measure
