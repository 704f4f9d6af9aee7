"""The two premetric blocks as objects: how data sets, or beliefs about them, are compared, and how laws are."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

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
from stirred.spec.flavors.pufferfish import RESOLUTION, Pufferfish
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import OUTPUT_PREMETRICS, PREMETRIC_KEYS, OutputPremetric
from stirred.verify.laws.claim.domain import DomainKind, freeze, refuse_tables
from stirred.verify.laws.claim.own_premetric import OwnPremetric, own_distance
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.foreign import ForeignFunction

PUFFERFISH = "pufferfish"
"""The input premetric's name."""

_OF_BELIEFS = ("attackers", "conjectures", "undefined")
_LEFT_OUT = "left out"


def check_beliefs(blocks: Mapping[str, Block], *, has_data_sets: bool) -> None:
    """Refuse attackers and conjectures without the premetric that compares them, and this premetric without them.

    Raises:
        InputError: one stands without the other, or without finitely many data sets.
    """
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
    """The name and the resolution of the input premetric, each None where it is not stated.

    Raises:
        InputError: the name is unknown, or the block says nothing.
    """
    if block is None:
        return None, None
    if "function" in block:
        if "name" in block or "distances" in block:
            raise block.refuse("function", "must stand instead of name and distances; got both")
        name = block.text("function")
    elif "name" not in block:
        block.text("description")
        name = None
    else:
        name = block.one_of("name", METRIC_NAMES)
    if "distances" in block and name != "explicit":
        raise block.refuse("distances", "belongs to the input premetric 'explicit'")
    unless_stated = RESOLUTION if name == PUFFERFISH else None
    return name, block.text("resolution") if "resolution" in block else unless_stated


def function_metric(
    block: Block, function: ForeignFunction, kind: DomainKind, multiverse: Multiverse
) -> InputPremetric:
    """The input premetric that a function of the user's own is.

    Raises:
        InputError: it is no premetric on the data sets.
    """
    resolution = block.text("resolution") if "resolution" in block else _NOT_STATED
    return own_distance(function, kind, multiverse, resolution, name=function.reference)


def finite_metric(block: Block, kind: DomainKind) -> InputPremetric:
    """The input premetric on a finite domain, after checking that it is defined there."""
    name = block.text("name")
    resolution = block.text("resolution") if "resolution" in block else _NOT_STATED
    if name == "explicit":
        return _explicit(block, kind.listed(), resolution)
    return named_metric(block.where("name"), name, resolution, kind)


def named_metric(place: str, name: str, resolution: str, kind: DomainKind) -> InputPremetric:
    """One of `METRIC_NAMES` that is defined on all data sets of some form.

    Raises:
        InputError: it is not defined on those of the domain.
    """
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
    for index, row in enumerate(block.array("distances")):
        place = f"{block.where('distances')}[{index}]"
        if not isinstance(row, list) or len(row) != 3:
            raise InputError(f"{place} must be [data set, data set, distance]; got {row!r}")
        first, second = freeze(row[0]), freeze(row[1])
        refuse_tables(place, (first, second))
        for point in (first, second):
            if point not in domain:
                raise InputError(f"{place}: {point!r} is not in the domain")
        number = nonnegative(place, parse_exact(place, row[2]))
        if first == second and number != 0:
            raise InputError(f"{place} must have the distance 0 from a data set to itself; got {row[2]!r}")
        if (first, second) in listed:
            raise InputError(f"{place}: the pair is listed twice; it is also at [{listed[first, second]}]")
        listed[first, second] = index
        distances[first, second] = number
    return explicit(distances, resolution)


def output_premetric(block: Block, own: Callable[[str, str], ForeignFunction]) -> OutputPremetric | None:
    """The output premetric; None where the block is words only.

    Args:
        block: the claim file's.
        own: the user's function at a place with a name.

    Raises:
        InputError: the name is unknown, a parameter is missing, out of range or out of place, or the function is not
            named as "module:function".
    """
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
