"""A claim without its mechanism, as Python arguments: the five blocks."""

import operator
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, suggestion
from stirred.spec.blocks.domain import FiniteDomain, Form
from stirred.spec.output_premetrics import OUTPUT_PREMETRICS as BY_NAME
from stirred.spec.output_premetrics import ApproximateMultiplicative, OutputPremetric
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.api.budget import Budget, exact_argument, read_budget
from stirred.verify.api.distance import DistanceFunction, Local
from stirred.verify.api.names import DistanceName, InvariantName, OutputName
from stirred.verify.laws.claim.domain import freeze
from stirred.verify.laws.claim.five_blocks import FiveBlocks, StatedBlock, not_stated
from stirred.verify.laws.claim.premetrics import OwnPremetric
from stirred.verify.laws.local import LocalFunction
from stirred.verify.laws.plain import plain_text, scalar_value

Invariants = Sequence[InvariantName | Callable[[Any], Hashable]]
"""Functions of a data set, or the names "size" (the number of records) and, on tables, "swapping"."""

Output = OutputName | OutputPremetric | Callable[[Any, Any], Any]
"""The name of an output premetric, one of `stirred.spec`, or a function of two laws."""

_OUTPUTS = {
    "pure": "multiplicative",
    "approximate": "approximate_multiplicative",
    "zcdp": "normalized_renyi",
    "f_dp": "tradeoff",
    "gdp": "gaussian",
    "kl": "kullback_leibler",
    "hellinger": "squared_hellinger",
}


@dataclass(frozen=True, kw_only=True)
class Blocks(ShownTable):
    """The five blocks of a claim about a mechanism.

    Attributes:
        data_sets: who is eligible? Any finite iterable of data sets, or a domain such as `ordered_data_sets`. Lists
            and arrays of NumPy are taken as tuples, scalars of NumPy as their values.
        invariants: where does the protection extend to? Data sets with the same invariants share a universe.
        distance: what is the granularity? The name of an input premetric ("hamming_ordered", "symmetric_difference",
            "absolute_difference", …, or of neighbours "add-remove", also called "unbounded", and "replace-one", also
            called "change-one" or "bounded"), or a function of two data sets.
        output: how is change of output measured? "pure", "approximate" with delta, "zcdp", "total-variation" or
            "tradeoff"; "gdp" (Gaussian privacy), "kl", "chi-squared", "hellinger" (its square); an output premetric of
            `stirred.spec`, such as `Renyi(2)`; or a function of two laws that returns an exact number.
        delta: δ of approximate privacy.
        epsilon: how much? A decimal text, "ln 3", an exact number or a `Loss`.
        rho: how much, for zCDP: Bun and Steinke's ρ.
        mu: how much, for Gaussian privacy.
        curve: how much, for trade-off functions: (level, power) of each vertex.
        symmetry: what may be exchanged in all data sets at once, "records" or "values": it is checked, and then fewer
            pairs are compared.
        generator: what the mechanism draws from, where the annotation of its parameter does not say it: "numpy" for a
            `numpy.random.Generator`, "random" for a `random.Random`, else a `Source`.
    """

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

    @property
    def stated(self) -> FiveBlocks:
        """The blocks in words; nothing of the user's is run.

        Raises:
            InputError: a block is malformed.

        >>> blocks = Blocks(data_sets=(0, 1), distance="absolute_difference", epsilon="ln 3")
        >>> print(blocks.stated.text().splitlines()[4])
        budget            (how much?)                             epsilon = ln(3)
        """
        domain, measure = read_data_sets(self.data_sets), read_output(self.output, self.delta)
        budget = read_budget(self.epsilon, self.rho, self.curve, measure, mu=self.mu)
        invariants = ", ".join(one if isinstance(one, str) else _named(one) for one in self.invariants)
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
    return str(getattr(function, "name", getattr(function, "__qualname__", type(function).__qualname__)))


def read_data_sets(data_sets: FiniteDomain | Iterable[Any]) -> FiniteDomain:
    """The domain; lists and arrays of NumPy become tuples, scalars of NumPy their values.

    Raises:
        InputError: there is no data set, one is listed twice, or one is made of other values than None, bool, int, str,
            bytes, Fraction and tuples of them.

    >>> len(read_data_sets([[0, 1], [1, 1]]))
    2
    """
    if isinstance(data_sets, FiniteDomain):
        points = tuple(map(_without_numpy, data_sets.points))
        is_same = all(map(operator.is_, points, data_sets.points))
        domain = data_sets if is_same else replace(data_sets, points=points)
    elif isinstance(data_sets, (str, bytes)) or not isinstance(data_sets, Iterable):
        raise InputError(f"data_sets must be a finite list of data sets, or a domain; got {data_sets!r}")
    else:
        domain = FiniteDomain(tuple(map(_without_numpy, map(freeze, data_sets))), "listed data sets")
    for point in domain:
        _check_plain(point)
    return domain


def _without_numpy(value: Any) -> Any:
    """A data set with tuples for arrays of NumPy, and values for its scalars; the very same one where it has none."""
    if type(value) is tuple:
        parts = tuple(map(_without_numpy, value))
        return value if all(map(operator.is_, parts, value)) else parts
    plain = scalar_value(value)
    is_array = type(plain).__module__ == "numpy" and type(plain).__name__ == "ndarray"
    return _without_numpy(freeze(plain.tolist())) if is_array else plain


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

    One of `stirred.spec` is taken as it is; of another one its `distance` is run outside, as a function is: `local`
    makes one of it that is an argument.

    Raises:
        InputError: the name is unknown, δ is missing, out of range or out of place.

    >>> read_output("pure", "1/10").described()
    'approximate_multiplicative, delta = 1/10'
    """
    if not isinstance(output, str):
        return _own_output(output, delta, local)
    name = output.strip().replace("-", "_")
    name = _OUTPUTS.get(name, name)
    if name not in BY_NAME:
        known = (*_OUTPUTS, *BY_NAME)
        raise InputError(f"output must be the name of an output premetric; got {output!r}; {suggestion(name, known)}")
    if delta is not None and name == "multiplicative":
        name = "approximate_multiplicative"
    if name != "approximate_multiplicative":
        if delta is not None:
            raise InputError(f"delta belongs to the output 'approximate'; got it with {output!r}")
        if name == "renyi":
            raise InputError(f"output must have its order; write stirred.spec.Renyi(2) for {output!r}")
        return BY_NAME[name]()
    if delta is None:
        raise InputError("delta must be given for the output 'approximate'")
    return ApproximateMultiplicative(exact_argument("delta", delta))


def _own_output(output: Any, delta: object, local: Local) -> OutputPremetric:
    """An output premetric that is given as an object, or as a function of two laws."""
    if delta is not None:
        raise InputError(f"delta belongs to the output 'approximate'; got it with {output!r}")
    if type(output) in BY_NAME.values():
        return output  # type: ignore[no-any-return]
    function = output.distance if isinstance(output, OutputPremetric) else output
    if not callable(function):
        raise InputError(f"output must be a name, an output premetric or a function of two laws; got {output!r}")
    own = local("output", function)
    return OwnPremetric(own.name, own)


def margins_of(domain: FiniteDomain) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...] | None:
    """The row and column margins of each stratum, which all tables of such a domain share; None for other domains."""
    if domain.form is not Form.TABLES:
        return None
    return tuple((tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))) for table in domain.points[0])
