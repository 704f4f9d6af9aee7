"""One specification for all doors: blocks as data, which check mechanisms and are ordered, written and converted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from math import ceil, floor
from typing import Any

from stirred.spec.arguments import InputError, shown
from stirred.spec.blocks.specification import Flavor, Specification
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import exponential
from stirred.spec.output_premetrics import OutputPremetric
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.api import blocks
from stirred.verify.api.audits import audit_of
from stirred.verify.api.audits import smallest_budget as smallest_budget_of
from stirred.verify.api.build import StatedClaim, built_claim, merged_parameters
from stirred.verify.api.result import AuditResult
from stirred.verify.engines.algebra.comparison import Comparison, Decision, stronger
from stirred.verify.evidence.reports.report import verdict_row
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits

_VERDICTS = {Decision.YES: Verdict.DECIDED, Decision.NO: Verdict.REFUTED, Decision.UNDECIDED: Verdict.OPEN}
_DIGITS = (4, 8, 16, 32)


@dataclass(frozen=True, repr=False)
class Refinement(ShownTable):
    """Whether every mechanism that satisfies one specification satisfies another one.

    Attributes:
        verdict: DECIDED, REFUTED by a mechanism, or OPEN.
        because: why.
        mechanism: the exact laws, by data set, of a mechanism that satisfies the first and breaks the second.
        pair: two data sets where it breaks the second.
    """

    verdict: Verdict
    because: str
    mechanism: Mapping[Any, Law[Any]] | None = None
    pair: tuple[Any, Any] | None = None

    def __str__(self) -> str:
        """Verdict, reason and pair on one line."""
        at = "" if self.pair is None else f", at x = {self.pair[0]!r}, x' = {self.pair[1]!r}"
        return f"{self.verdict.name}: {self.because}{at}"

    def __repr__(self) -> str:
        return f"<Refinement {self}>"

    def __bool__(self) -> bool:
        raise TypeError("an answer has no truth value; ask for its verdict")

    _title = "specifications compared"

    def _rows(self) -> list[TableRow]:
        laws = {} if self.mechanism is None else self.mechanism
        rows = [TableRow(f"law at {x!r}", ", ".join(f"{t!r}: {p}" for t, p in law.items())) for x, law in laws.items()]
        first = verdict_row(self.verdict, "does every mechanism of the first satisfy the second?")
        return [first, TableRow("because", str(self).partition(": ")[2]), *rows]


@dataclass(frozen=True, kw_only=True)
class Blocks(blocks.BlockArguments):
    """The five blocks of a claim about a mechanism: to check mechanisms, to compare, to write as a file or in LaTeX.

    Attributes:
        data_sets: who is eligible? Any finite iterable of data sets, or a domain such as `ordered_data_sets`.
            Functions are handed the data sets as they are given; named distances see lists and arrays as tuples.
        invariants: where does the protection extend to? Data sets with the same invariants share a universe.
        distance: what is the granularity? The name of an input premetric ("hamming_ordered", "symmetric_difference",
            "absolute_difference", …; for neighbours "add-remove" or "unbounded", "replace-one", "change-one" or
            "bounded"), or a function of two data sets.
        output: how is change of output measured? "pure", "approximate" with delta, "zcdp", "total-variation" or
            "tradeoff"; "gdp" (Gaussian privacy), "kl", "chi-squared", "hellinger" (its square); an output premetric of
            `stirred.spec`, such as `Renyi(2)`; or a function of two laws that returns an exact number.
        delta: δ of approximate privacy.
        epsilon: how much? A decimal text, "ln 3", an exact number or a `Loss`.
        rho: how much, for zCDP: Bun and Steinke's ρ.
        mu: how much, for Gaussian privacy.
        curve: how much, for trade-off functions: (level, power) of each vertex.
        symmetry: exchanges that permute outcomes only, "records" or "values": checked, and then fewer pairs are
            compared.
        generator: what an unannotated mechanism draws from: "numpy" for a `numpy.random.Generator`, "random" for a
            `random.Random`, else a `Source`.
        numerics: "real" where the claim is about real numbers although digits of a double are released, "double" where
            it is about what the doubles do.
    """

    @classmethod
    def of(cls, specification: Specification) -> Blocks:
        """The blocks of a `stirred.spec.Specification` that has one budget.

        Raises:
            InputError: budgets differ by universe.
        """
        flavor = specification.flavor
        measure, multiverse, premetric = flavor.output_premetric, flavor.multiverse, flavor.input_premetric
        budgets = list(dict.fromkeys(specification.budgets.values()))
        if len(budgets) != 1:
            raise InputError(f"budgets must be one for all universes, to be an argument; got {len(budgets)}")
        name = {"rho_squared": "rho", "mu": "mu", "curve": "curve"}.get(measure.budgets[0], "epsilon")
        budget: Any = "infinite" if budgets[0] is None and name == "epsilon" else budgets[0]

        def distance(x: Any, y: Any) -> Any:
            return premetric(x, y) if x == y or multiverse.compares(x, y) else None

        return cls(data_sets=flavor.domain, distance=distance, output=measure, **{name: budget})

    def _built(self) -> PrivacyClaim:
        return built_claim(_nothing, StatedClaim(self, {}))

    @property
    def flavor(self) -> Flavor:
        """The first four blocks on their finite domain; functions run in the sandbox."""
        built = self._built()
        if built.data is None or built.output_premetric is None:
            raise InputError("data_sets must be listed for a flavor; these are counted only")
        return Flavor(built.data.domain, built.data.multiverse, built.data.input_premetric, built.output_premetric)

    def specification(self) -> Specification:
        """The specification of mathematics, on its finite domain.

        Raises:
            InputError: no budget is stated, or ε of D_Mult is a number, of which e^ε is irrational: write "ln 3".

        >>> Blocks(data_sets=(0, 1), distance="absolute_difference", epsilon="ln 3").specification().matrix()(0, 1)
        <Loss ln(3) ≈ 1.09861>
        """
        budget = self.exact_budget
        if budget is None or (isinstance(budget, Fraction) and self.output_premetric.has_losses):
            raise InputError(f"epsilon must be a logarithm, such as 'ln 3', for a specification; got {shown(budget)}")
        return Specification.constant(self.flavor, budget)

    @property
    def output_premetric(self) -> OutputPremetric:
        """The fourth block."""
        return blocks.read_output(self.output, self.delta)

    @property
    def exact_budget(self) -> Any:
        """The budget in the type of the output premetric, ε itself where e^ε is irrational; None for none."""
        (case,) = self._built().cases
        found = case.budget
        if found is None:
            return None
        parts = (found.loss, found.epsilon, found.rho_squared, found.mu, found.curve)
        value = next(part for part in parts if part is not None)
        return getattr(value, "value", value) if value is not found.loss else value

    def refines(self, other: Blocks | Specification) -> Refinement:
        """Whether every mechanism that satisfies this specification satisfies the other one, on the same data sets.

        Without budgets the flavors are compared at every common ε, for "pure". The answer "no" has a mechanism.

        >>> size = {"data_sets": [(0, 0), (0, 1), (1, 0), (1, 1)], "distance": "hamming_ordered", "epsilon": "ln 2"}
        >>> everywhere, inside = Blocks(**size), Blocks(**size, invariants=[sum])
        >>> everywhere.refines(inside).verdict.name, inside.refines(everywhere).verdict.name
        ('DECIDED', 'REFUTED')
        """
        that = other if isinstance(other, Blocks) else Blocks.of(other)
        mine, its = self.exact_budget, that.exact_budget
        first, second = self.flavor, that.flavor
        if (mine is None) != (its is None):
            raise InputError("budgets must be stated in both specifications, or in none")
        if mine is None and not (
            self.output_premetric.has_losses and self.output_premetric == that.output_premetric and not self.delta
        ):
            raise InputError("budgets must be stated for specifications that are not pure")
        numbers = [budget for budget in (mine, its) if isinstance(budget, Fraction)]
        if mine is None or (first.output_premetric.has_losses and second.output_premetric.has_losses and numbers):
            return _by_numbers(
                first, second, Fraction(1) if mine is None else mine, Fraction(1) if its is None else its
            )
        return _answer(stronger(Specification.constant(first, mine), Specification.constant(second, its)))

    def implied_by(self, other: Blocks | Specification) -> Refinement:
        """Whether every mechanism that satisfies the other one satisfies this one."""
        return (other if isinstance(other, Blocks) else Blocks.of(other)).refines(self)

    def compare(self, other: Blocks | Specification) -> tuple[Refinement, Refinement]:
        """Whether the other one implies this one, and whether this one implies the other one."""
        return self.implied_by(other), self.refines(other)

    def check(
        self,
        mechanism: Callable[..., Any],
        *,
        limits: Limits = DEFAULT_LIMITS,
        parameters: Mapping[str, Any] | None = None,
        **named: Any,
    ) -> AuditResult:
        """An audit of a mechanism against these blocks, as `stirred.audit`."""
        return audit_of(mechanism, StatedClaim(self, merged_parameters(parameters, named), limits))

    def smallest_budget(self, mechanism: Callable[..., Any], **named: Any) -> Any:
        """The smallest budget of a mechanism under the first four blocks, as `stirred.smallest_budget`."""
        ours = {one.name: getattr(self, one.name) for one in fields(self)}
        for budget in ("epsilon", "rho", "mu", "curve"):
            ours.pop(budget)
        return smallest_budget_of(mechanism, **ours, **named)

    def to_toml(self, name: str = "claim") -> str:
        """The blocks as a claim file; a mechanism is to be added.

        Raises:
            InputError: a block is a function or an object, which a file names as "module:function".

        >>> print(Blocks(data_sets=(0, 1), distance="absolute_difference", epsilon="ln 3").to_toml().splitlines()[-1])
        epsilon = "ln 3"
        """
        import tomli_w  # noqa: PLC0415 slow to import

        domain, _ = blocks.read_data_sets(self.data_sets)
        for place, value in (("distance", self.distance), *(("invariants", one) for one in _values(self.invariants))):
            if not isinstance(value, str):
                raise InputError(f'{place} must be names for a file, which has functions as "module:function"')
        name_of_distance, resolution = self._built().input_premetric
        budget = {key: getattr(self, key) for key in ("epsilon", "rho", "mu", "curve")}
        stated = {key: _plain(value) for key, value in budget.items() if value is not None}
        if isinstance(self.epsilon, Loss) and self.epsilon.gamma is not None:
            stated["epsilon"] = f"{1 / Fraction(self.epsilon.distance)}*ln({self.epsilon.gamma})"
        measure = self.output_premetric
        keys = {key: str(getattr(measure, key)) for key in measure.parameters}
        return tomli_w.dumps(
            {
                "id": name,
                "statement": f"The mechanism satisfies {self.stated.budget.text}.",
                "domain": {"data_sets": [_plain(one) for one in domain]},
                "multiverse": {"invariants": list(self.invariants)},
                "input_premetric": {"name": name_of_distance, "resolution": resolution},
                "output_premetric": {"name": measure.name, **keys},
                **({"budget": stated} if stated else {}),
            }
        )


def _values(given: Any) -> Any:
    return given.values() if isinstance(given, Mapping) else given


def _plain(value: Any) -> Any:
    """A value as TOML has it."""
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    return value if isinstance(value, (int, str)) else str(value)


def _nothing(data: Any, source: Any) -> None:  # noqa: ARG001 a mechanism of blocks alone
    return None


def _answer(found: Comparison) -> Refinement:
    return Refinement(_VERDICTS[found.answer], found.reason, found.mechanism, found.pair)


def _by_numbers(first: Flavor, second: Flavor, mine: Fraction | Loss, its: Fraction | Loss) -> Refinement:
    """The order of two budgets of which one is ε itself: decided by losses on the safe side of it.

    Where both are numbers the order of D_Mult is that of both multiplied by ln 2, as bounds add and are compared alone.
    """
    if isinstance(mine, Fraction) and isinstance(its, Fraction) and first.output_premetric == second.output_premetric:
        one, two = (Specification.constant(f, Loss(Fraction(2)) * e) for f, e in ((first, mine), (second, its)))
        found = stronger(one, two)
        if found.answer is Decision.YES and not first.output_premetric.parameters:
            return _answer(found)
    for digits in _DIGITS:
        below, above = ((_near(e, digits, up=False), _near(e, digits, up=True)) for e in (mine, its))
        for a, b, settles in ((below[1], above[0], Decision.YES), (below[0], above[1], Decision.NO)):
            found = stronger(Specification.constant(first, a), Specification.constant(second, b))
            if found.answer is settles:
                return _answer(found)
    return Refinement(Verdict.OPEN, f"no losses of {_DIGITS[-1]} digits settle it")


def _near(epsilon: Fraction | Loss, digits: int, *, up: bool) -> Loss:
    """A loss at most, or at least, ε, and near it."""
    if isinstance(epsilon, Loss):
        return epsilon
    ends = exponential(epsilon, digits=2 * digits)
    unit = 10**digits
    if epsilon == 0:
        return Loss(Fraction(1))
    gamma = Fraction(ceil(ends.upper * unit) if up else floor(ends.lower * unit), unit)
    return Loss(max(gamma, Fraction(1)))
