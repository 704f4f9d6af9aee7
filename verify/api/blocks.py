"""The five blocks as Python arguments: their names, and how each is read."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Literal

from stirred.spec.arguments import InputError, suggestion
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import Distance, InputPremetric
from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.flavors.pufferfish import Pufferfish
from stirred.spec.output_premetrics import OUTPUT_PREMETRICS as BY_NAME
from stirred.spec.output_premetrics import PREMETRIC_KEYS, ApproximateMultiplicative, OutputPremetric
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.api.budget import Budget, exact_argument, read_budget
from stirred.verify.laws.carried_data import stand_ins
from stirred.verify.laws.claim.domain import DomainKind
from stirred.verify.laws.claim.five_blocks import FiveBlocks, StatedBlock, not_stated
from stirred.verify.laws.claim.premetrics import METRIC_NAMES, PUFFERFISH, OwnPremetric, named_metric, own_distance
from stirred.verify.laws.local import LocalFunction
from stirred.verify.laws.plain import plain_text

LossName = Literal["pure", "approximate", "multiplicative", "approximate_multiplicative"]
"""Output premetrics whose budget is a loss, ε."""

RhoName = Literal["zcdp", "normalized_renyi"]
"""Those whose budget is ρ."""

FractionName = Literal["total-variation", "total_variation"]
"""Those whose budget is an exact number."""

CurveName = Literal["tradeoff", "f-dp", "f_dp"]
"""Those whose budget is a curve."""

RealName = Literal[
    "gdp",
    "gaussian",
    "kl",
    "kullback_leibler",
    "chi-squared",
    "chi_squared",
    "hellinger",
    "squared_hellinger",
]
"""Those whose budget is a real number that is compared exactly."""

OutputName = LossName | RhoName | FractionName | CurveName | RealName

DistanceName = Literal[
    "add-remove",
    "add_remove",
    "add/remove",
    "bounded",
    "change-one",
    "change_one",
    "replace-one",
    "replace_one",
    "unbounded",
    "absolute_difference",
    "deletion_distance",
    "hamming_ordered",
    "hamming_unordered",
    "neighbors_add_remove_ordered",
    "neighbors_add_remove_unordered",
    "neighbors_replace_one_ordered",
    "neighbors_replace_one_unordered",
    "symmetric_difference",
]
"""Input premetrics; any function of two data sets is one too."""

InvariantName = Literal["size", "swapping"]
"""Invariants; any function of a data set is one too."""

Invariants = Sequence[InvariantName | Callable[[Any], Hashable]] | Mapping[str, Callable[[Any], Hashable]]
"""Functions of a data set, also by names, or "size" (the number of records) and, on tables, "swapping"."""

Output = OutputName | OutputPremetric | Callable[[Any, Any], Any]
"""The name of an output premetric, one of `stirred.spec`, or a function of two laws."""

DistanceFunction = Callable[[Any, Any], Distance] | Pufferfish
"""d(x, x') as an exact number, None for ∞; or an instantiation of Pufferfish, which compares beliefs."""

Local = Callable[[str, Callable[..., Any]], LocalFunction]
"""From an argument to a function that runs in the sandbox."""

PremetricOn = Callable[[DomainKind, Multiverse], InputPremetric]
"""An input premetric, given a domain and its universes."""

_ALIASES = {alias: name for name, kind in BY_NAME.items() for alias in kind.aliases}

_SHORT = {
    "add-remove": "neighbors_add_remove",
    "unbounded": "neighbors_add_remove",
    "replace-one": "neighbors_replace_one",
    "change-one": "neighbors_replace_one",
    "bounded": "neighbors_replace_one",
}
"""The field's names of the two neighbour relations."""

_PYTHON_NAMES = tuple(one for one in METRIC_NAMES if one not in ("explicit", PUFFERFISH))


@dataclass(frozen=True, kw_only=True)
class BlockArguments(ShownTable):
    """The arguments that state a claim; `stirred.Blocks` says what each is, and what can be done with them."""

    data_sets: FiniteDomain | Iterable[Any]
    distance: DistanceName | DistanceFunction
    invariants: Invariants = ()
    output: Output = "pure"
    delta: str | int | Fraction | None = None
    epsilon: Budget | None = None
    rho: str | int | Fraction | None = None
    mu: str | int | Fraction | None = None
    curve: Sequence[Sequence[Any]] | None = field(default=None, repr=False)
    symmetry: Sequence[str] = field(default=(), repr=False)
    generator: str | None = field(default=None, repr=False)
    numerics: str | None = field(default=None, repr=False)

    @property
    def stated(self) -> FiveBlocks:
        """The blocks in words, without running the user's functions.

        >>> blocks = BlockArguments(data_sets=(0, 1), distance="absolute_difference", epsilon="ln 3")
        >>> print(blocks.stated.text().splitlines()[4])
        budget            (how much?)                             epsilon = ln(3)
        """
        (domain, _), measure = read_data_sets(self.data_sets), read_output(self.output, self.delta)
        budget = read_budget(self.epsilon, self.rho, self.curve, measure, mu=self.mu)
        names = self.invariants if isinstance(self.invariants, Mapping) else map(_named, self.invariants)
        invariants = ", ".join(names)
        return FiveBlocks(
            StatedBlock(f"{len(domain)} {domain.name}"),
            StatedBlock(f"invariant: {invariants}" if invariants else "one universe: nothing is invariant"),
            StatedBlock(self.distance if isinstance(self.distance, str) else _named(self.distance)),
            StatedBlock(measure.described()),
            not_stated() if budget is None else StatedBlock(budget.text),
        )

    _title = "specification"

    def _rows(self) -> list[TableRow]:
        return [TableRow(one.block, one.answer, one.question) for one in self.stated.questions()]


def _named(function: object) -> str:
    return (
        function
        if isinstance(function, str)
        else str(getattr(function, "name", getattr(function, "__qualname__", type(function).__qualname__)))
    )


def read_data_sets(data_sets: FiniteDomain | Iterable[Any]) -> tuple[FiniteDomain, Mapping[Any, Any]]:
    """The domain, and the data sets that its points stand for where they are something else.

    >>> domain, originals = read_data_sets([[0, 1], [1, 1]])
    >>> domain.points, originals[(0, 1)]
    (((0, 1), (1, 1)), [0, 1])
    """
    if isinstance(data_sets, FiniteDomain):
        points, originals = stand_ins(data_sets.points)
        domain = replace(data_sets, points=points) if originals else data_sets
    elif isinstance(data_sets, (str, bytes)) or not isinstance(data_sets, Iterable):
        raise InputError(f"data_sets must be a finite list of data sets, or a domain; got {data_sets!r}")
    else:
        points, originals = stand_ins(data_sets)
        domain = FiniteDomain(points, "listed data sets")
    for point in domain:
        _check_plain(point)
    return domain, originals


def _check_plain(point: Any) -> None:
    try:
        plain_text(point)
    except InputError as error:
        raise InputError(str(error).replace("an output", "a data set", 1)) from None
    if _has_set(point):
        raise InputError(f"a data set must not have sets in it; got {point!r}: write tuple(sorted(…))")


def _has_set(value: Any) -> bool:
    return isinstance(value, (set, frozenset)) or (isinstance(value, tuple) and any(map(_has_set, value)))


def read_output(output: Output, delta: str | int | Fraction | None, local: Local = LocalFunction) -> OutputPremetric:
    """The output premetric; a delta makes the pure one approximate.

    An object of `stirred.spec` is taken as it is; the `distance` of any other runs in the sandbox, as a function does.

    >>> read_output("pure", "1/10").described()
    'approximate_multiplicative, delta = 1/10'
    """
    if not isinstance(output, str):
        return _own_output(output, delta, local)
    name = output.strip().replace("-", "_")
    name = _ALIASES.get(name, name)
    if name not in BY_NAME:
        known = (*_ALIASES, *BY_NAME)
        raise InputError(f"output must be the name of an output premetric; got {output!r}; {suggestion(name, known)}")
    if delta is not None and name == "multiplicative":
        name = "approximate_multiplicative"
    kind = BY_NAME[name]
    if kind is ApproximateMultiplicative:
        if delta is None:
            raise InputError("delta must be given for the output 'approximate'")
        return ApproximateMultiplicative(exact_argument("delta", delta))
    if delta is not None:
        raise InputError(f"delta belongs to the output 'approximate'; got it with {output!r}")
    if keys := ", ".join(PREMETRIC_KEYS[name]):
        raise InputError(f"output {output!r} needs its {keys}; write stirred.spec.{kind.__name__}({keys})")
    return kind()


def _own_output(output: Any, delta: object, local: Local) -> OutputPremetric:
    if delta is not None:
        raise InputError(f"delta belongs to the output 'approximate'; got it with {output!r}")
    if type(output) in BY_NAME.values():
        return output  # type: ignore[no-any-return]
    function = output.distance if isinstance(output, OutputPremetric) else output
    if not callable(function):
        raise InputError(f"output must be a name, an output premetric or a function of two laws; got {output!r}")
    own = local("output", function)
    return OwnPremetric(own.name, own)


def read_distance(distance: str | DistanceFunction, kind: DomainKind, local: Local) -> tuple[str, PremetricOn]:
    """The name of the input premetric in a claim file, and the premetric given a domain and its universes.

    The neighbour relations "add-remove" and "replace-one" are those of ordered data sets on a domain of such, else of
    unordered ones. A function is tabulated on the pairs of each universe, under the name "explicit".
    """
    if not isinstance(distance, str):
        return "explicit", _tabulated(distance, local)
    name = distance.strip().replace("-", "_")
    short = name.replace("_", "-").replace("/", "-")
    if short in _SHORT:
        name = f"{_SHORT[short]}_{'ordered' if kind.is_ordered else 'unordered'}"
    if name == "explicit":
        raise InputError("distance must be a name or a function of two data sets; got 'explicit': give the function")
    if name == PUFFERFISH:
        raise InputError(
            "distance must be of data sets; 'pufferfish' is of beliefs about them: state it in a claim file"
        )
    if name not in _PYTHON_NAMES:
        known = (*_SHORT, *_PYTHON_NAMES)
        raise InputError(
            f"distance must be the name of an input premetric; got {distance!r}; {suggestion(name, known)}"
        )
    return name, lambda kind, _: named_metric("distance.name", name, "record", kind)


def _tabulated(distance: DistanceFunction, local: Local) -> PremetricOn:
    if not callable(distance):
        raise InputError(f"distance must be a name or a function of two data sets; got {distance!r}")
    function = local("distance", distance)
    name, resolution = function.name, "record"
    if isinstance(distance, InputPremetric):
        name, resolution = distance.name, distance.resolution
    return lambda kind, multiverse: own_distance(function, kind, multiverse, resolution, name=name)
