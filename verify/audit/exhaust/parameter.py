"""The exhaustive audit of a mechanism for all values of one parameter at once: its loss is a function of the parameter.

Data sets are listed, the parameter is not: the laws are rational functions of it, and whether they exceed a budget is
the sign of polynomials. Where the code compares the parameter, each comparison holds for the whole interval, or the
interval falls into pieces, which are audited one by one: single values as numbers. The code is run at some values too.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from stirred.spec.arguments import InputError, shown
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.algebraic_number import AlgebraicNumber, between
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.open_parameter import OpenParameter
from stirred.spec.numbers.polynomial_text import quotient_text
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, TotalVariation
from stirred.verify.audit.exhaust.found import Exhaustion, claimed, claimed_laws
from stirred.verify.audit.exhaust.nearby import Standing
from stirred.verify.audit.exhaust.released import BY_ENDS, released_outputs
from stirred.verify.engines.approximate_function import approximate_loss_function
from stirred.verify.engines.loss_cases import LossByCases, OnInterval
from stirred.verify.engines.loss_function import (
    LossFunction,
    SplitLossFunction,
    covers_at_exponential,
    loss_at_exponential,
    loss_at_value,
    loss_function,
    piece_at_exponential,
)
from stirred.verify.engines.released_noise import laws_of_ends
from stirred.verify.engines.smallest_delta import gamma_ends
from stirred.verify.engines.variation_function import (
    VariationFunction,
    delta_function,
    variation_at_value,
    variation_function,
)
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness
from stirred.verify.laws.agreed_laws import ForeignLaws
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import loss_bounds
from stirred.verify.laws.claim.claim import Case, PrivacyClaim
from stirred.verify.laws.claim.mechanism import ClaimedMechanism
from stirred.verify.laws.messages import CutsError

# The exhaustive audit of a mechanism whose parameter is e^−q: noise and weights a·e^(−kε) at a rational ε.

_POINT = "exp(-q)"


@dataclass(frozen=True)
class _AtExponential(Exhaustion):
    """By the laws of every data set as rational functions of x = e^−q; the smallest budget is an enclosure in nats."""

    settles: ClassVar[Verdict] = Verdict.ENCLOSED
    smallest: Enclosure | None
    function: LossFunction
    exponent: Fraction
    certain: tuple[tuple[int, ...], tuple[int, ...]] | None  # where the loss is infinite, P_x(t) with P_x'(t) = 0
    standing: Standing | None = None

    @property
    def nearby(self) -> tuple[Mapping[Any, Law[Any]], Fraction] | None:
        return None if self.standing is None else (self.standing.laws, self.standing.log_error)

    @property
    def _number(self) -> str:
        if self.smallest is None:
            return "infinite"
        text = piece_at_exponential(self.function, self.exponent).text(self.function.symbol)
        return f"{text} ≈ {self.smallest.text()} with {self.function.symbol} = exp(-{self.exponent})"

    def test(self, budget: ClaimedBudget) -> Evidence:
        if budget.loss is not None and budget.loss.is_infinite:
            return self._met(budget)
        if self.smallest is None and self.certain is None:
            sentence = f"no finite budget is enough: the laws of {self.where} differ at distance 0"
            return Evidence(Verdict.OPEN, self.scope, sentence)
        if budget.epsilon is not None:
            epsilon = budget.epsilon.value
            if covers_at_exponential(self.function, self.exponent, epsilon):
                return self._met(budget)
            return self._refuted(budget, "exp(epsilon*d)", epsilon=epsilon)
        piece = piece_at_exponential(self.function, self.exponent)
        for low, _ in loss_bounds(budget):
            if len(piece.above) == len(piece.below) == 1:  # a number, whatever x is
                needed = Loss(Fraction(piece.above[0], piece.below[0])).over(piece.distance)
                is_met: bool | None = needed <= low
            else:
                is_met = self._is_below(low)
            if is_met is not None:
                if is_met or low.gamma is None:
                    return self._met(budget)
                return self._refuted(budget, f"exp(d*ln(gamma)/{low.distance})", gamma=low.gamma)
        return Evidence(Verdict.OPEN, self.scope, f"{claimed(budget)} and required {self._number} agree to many digits")

    def _is_below(self, loss: Loss) -> bool | None:
        """Whether the smallest budget is below a loss with rational e^ε, which it is not equal to."""
        for digits in (20, 40, 80, 160):
            found = loss_at_exponential(self.function, self.exponent, digits=digits)
            epsilon = loss.epsilon(digits)
            if found is None or found.lower > epsilon.upper:
                return False
            if found.upper < epsilon.lower:
                return True
        return None

    def _met(self, budget: ClaimedBudget) -> Evidence:
        return Evidence(Verdict.ENCLOSED, self.scope, self._beside(budget, "≥"))

    def _refuted(self, budget: ClaimedBudget, bound: str, **values: Fraction) -> Evidence:
        """The refutation by the ratio of two likelihoods as a formula in e^−q."""
        piece = piece_at_exponential(self.function, self.exponent)
        if piece.pair is None:
            raise EngineError("a budget is exceeded and no pair needs more")
        x, y = piece.pair
        above, below = self.certain or (piece.above, piece.below)
        ratio = quotient_text(above, below, _POINT).replace("^", "**")
        inequality = f"{ratio} <= {bound}{'*0' if self.certain else ''}"
        what = "P_x of an outcome that x' cannot have" if self.certain else f"P_x/P_x' of the outcome {piece.outcome}"
        note = f"{what}; x = {x}, x' = {y}"
        witness = formula_witness(inequality, note=note, q=self.exponent, d=piece.distance, **values)
        sentence = f"{self._beside(budget, '<')}; x = {x}, x' = {y}"
        return Evidence(Verdict.REFUTED, self.scope, sentence, witness)


def over_exponential(
    built: PrivacyClaim,
    function: LossFunction,
    exponent: Fraction,
    audited: ForeignLaws,
    described: str,
    *,
    standing: Standing | None = None,
) -> Exhaustion:
    """The smallest budget at the parameter e^−exponent."""
    flavor = built.flavor
    if flavor is None:
        raise EngineError("an open parameter must belong to a mechanism on a finite flavor")
    piece = piece_at_exponential(function, exponent)
    certain = None
    if function.is_infinite and piece.pair is not None:
        p, q = (audited.laws[point] for point in piece.pair)
        mass = next((mass for outcome, mass in p.items() if not q[outcome]), None)
        if mass is not None:
            certain = (
                mass.integer_parts() if isinstance(mass, RationalFunction) else ((mass.numerator,), (mass.denominator,))
            )
    scope = (
        f"every pair in {counted(len(flavor.multiverse), 'universe')}, {len(flavor.domain)} {flavor.domain.name}, "
        f"{flavor.output_premetric.name}, {flavor.input_premetric.name}; {described}, by rational functions of it; "
        f"if its code does at exp(-{exponent}) what it does at two rational numbers beside it; {audited.assumed}"
    )
    where = "" if piece.pair is None else f"x = {piece.pair[0]}, x' = {piece.pair[1]}"
    smallest = loss_at_exponential(function, exponent)
    return _AtExponential(smallest, where, scope, function, exponent, certain, standing)


def exhaust_powers_of_e(
    built: PrivacyClaim, audited: ForeignLaws, described: str, standing: Standing | None
) -> Exhaustion:
    """The smallest pure budget of laws that are rational functions of one number e^−q."""
    flavor, mechanism, exponent = built.flavor, built.mechanism, audited.exponent
    if flavor is None or mechanism is None or exponent is None:
        raise EngineError("laws that are made of powers of e must belong to a mechanism on a finite flavor")
    around = OpenParameter.exponential(exponent)
    function = loss_function(audited.laws, flavor, symbol="x", low=around.low, high=around.high)
    return over_exponential(built, function, exponent, audited, described, standing=standing)


_UNLIKELY = Fraction(17, 41)
"""Where in the interval the value lies that code will hardly single out."""


_MOST_PIECES = 20
"""Pieces of the interval that may be told apart."""

_SHOWN = 5
"""Values that a message names."""


@dataclass(frozen=True)
class OverParameter(Exhaustion):
    """By the laws of every data set as functions of the open parameter, of which the smallest budget is one, too.

    Attributes:
        opened: the parameter's values and these laws, where its code does the same for all of them.
    """

    at: Callable[[Fraction], Exhaustion | None]
    opened: tuple[OpenParameter, Mapping[Any, Law[Any]]] | None

    @property
    def finding(self) -> Evidence:
        return Evidence(Verdict.DECIDED, self.scope, f"the smallest budget is {self.smallest}")

    def test(self, budget: ClaimedBudget) -> Evidence:
        function: LossByCases = self.smallest
        for low, high in _bounds(function, budget):
            if function.exceeding(low) is None:
                return Evidence(Verdict.DECIDED, self.scope, f"{claimed(budget)} ≥ required {function}")
            if (point := function.exceeding(high)) is not None:
                return self._refuted(point, budget)
        detail = f"{claimed(budget)} and the largest value of {function} agree to 48 digits"
        return Evidence(Verdict.OPEN, self.scope, detail)

    def smallest_delta(self, flavor: Flavor, epsilon: Loss | Fraction) -> VariationFunction:
        """The smallest δ at ε as a function of the parameter.

        Raises:
            InputError: e^(ε·d) is irrational at a distance d; or the code tells values of the parameter apart.
        """
        symbol = self.smallest.symbol
        if self.opened is None:
            raise InputError(f"the code tells values of {symbol} apart: give {symbol} a narrower interval, or a number")
        opened, laws = self.opened

        def gamma(d: Fraction) -> Fraction:
            low, high = gamma_ends(epsilon, d)
            if low is None or low != high:
                raise InputError(
                    f"epsilon must be the logarithm of a rational number at every distance, such as 'ln 2', where "
                    f"{symbol} is left open; got {epsilon} at distance {d}"
                )
            return low

        return delta_function(laws, flavor, gamma, symbol=symbol, opened=opened)

    def _refuted(self, point: Fraction, budget: ClaimedBudget) -> Evidence:
        """The refutation by the mechanism itself at one value of the parameter."""
        found = self.at(point)
        if found is None or found.smallest != self.smallest.at(point):
            raise EngineError(f"the loss at {self.smallest.symbol} = {point} and the function of it disagree")
        evidence = found.test(budget)
        return Evidence(
            evidence.verdict,
            evidence.scope,
            f"at {self.smallest.symbol} = {point}: {evidence.detail}",
            evidence.witness,
        )


def _bounds(function: LossByCases, budget: ClaimedBudget) -> Iterable[tuple[Any, Any]]:
    """Bounds just below and above the claimed budget, as `loss_bounds`."""
    if isinstance(function.intervals()[0], LossFunction):
        return loss_bounds(budget)
    number = None if budget.epsilon is None else budget.epsilon.value
    return [(number, number)]


_OVER_INTERVALS = (ApproximateMultiplicative, TotalVariation)
"""Beside pure privacy: output premetrics whose budget is a function of an open parameter."""


def exhaust_over_parameter(
    built: PrivacyClaim,
    case: Case,
    opened: OpenParameter,
    *,
    at: Callable[[Mapping[str, Any]], Exhaustion | None],
) -> Exhaustion:
    """The smallest budget as a function of the open parameter."""
    flavor, mechanism = built.flavor, built.mechanism
    if flavor is None or mechanism is None:
        raise EngineError("an open parameter must belong to a mechanism on a finite flavor")
    (symbol,) = (name for name, value in case.setting.items() if value is opened)
    kinds = (Multiplicative,) if opened.exponent is not None else (Multiplicative, *_OVER_INTERVALS)
    if not isinstance(flavor.output_premetric, kinds):
        raise InputError(
            f"{mechanism.place}: {symbol} is left open, for which the output premetric must be 'multiplicative', or "
            f"with all values of an interval 'approximate_multiplicative' or 'total_variation'; got "
            f"{flavor.output_premetric.described()!r}: give {symbol} a rational number"
        )
    found = _Pieces(built, mechanism, flavor, case.setting, symbol, at).of(opened)
    first = found[0]
    if opened.exponent is not None and isinstance(first, _Interval) and isinstance(first.function, LossFunction):
        described = mechanism.described(case.setting)
        return over_exponential(built, first.function, opened.exponent, first.audited, described)
    intervals = [piece for piece in found if isinstance(piece, _Interval)]
    tried = [str(value) for piece in intervals for value in piece.tried]
    compared = " and ".join(", ".join(tried).rsplit(", ", 1))
    pieces = f" in each piece of it: {', '.join(map(str, found))}" if len(found) > 1 else ""
    assumed = "; ".join(dict.fromkeys(piece.audited.assumed for piece in intervals))
    scope = (
        f"every pair in {counted(len(flavor.multiverse), 'universe')}, {len(flavor.domain)} {flavor.domain.name}, "
        f"{flavor.output_premetric.described()}, {flavor.input_premetric.name}; every {symbol} in {opened}, by the "
        f"signs of polynomials{pieces}; {mechanism.described(case.setting)}; if its code does "
        f"not ask for the type of {symbol}; its laws are those at {compared}; {assumed}"
    )
    functions = tuple(piece.function for piece in found)
    smallest = functions[0] if len(functions) == 1 else SplitLossFunction(functions)
    alike = (opened, intervals[0].audited.laws) if len(found) == 1 and intervals else None
    return OverParameter(smallest, "", scope, lambda value: at({**case.setting, symbol: value}), alike)


@dataclass(frozen=True)
class _Interval:
    """A piece of the parameter's interval for all values of which the code does the same."""

    opened: OpenParameter
    function: OnInterval
    audited: ForeignLaws
    tried: Sequence[Fraction]

    def __str__(self) -> str:
        return str(self.opened)


@dataclass(frozen=True)
class _Value:
    """One value of the parameter, audited as a number."""

    value: Fraction
    function: OnInterval

    def __str__(self) -> str:
        return str(self.value)


@dataclass
class _Pieces:
    """The pieces of an open parameter's interval that the code of a mechanism tells apart."""

    built: PrivacyClaim
    mechanism: ClaimedMechanism
    flavor: Flavor
    setting: Mapping[str, Any]
    symbol: str
    at: Callable[[Mapping[str, Any]], Exhaustion | None]
    count: int = 1

    def of(self, opened: OpenParameter) -> list[_Interval | _Value]:
        """The pieces of an interval, in increasing order."""
        try:
            return [self._alike(opened)]
        except CutsError as cuts:
            parts = opened.pieces(cuts.points)
            self.count += len(parts) - 1
            if self.count > _MOST_PIECES:
                some = ", ".join(map(shown, cuts.points[:_SHOWN]))
                raise InputError(
                    f"{self.mechanism.place}: its code tells more than {_MOST_PIECES} pieces of {opened} apart, at "
                    f"{self.symbol} = {some}, …: give {self.symbol} a narrower interval, or a number"
                ) from None
        found: list[_Interval | _Value] = []
        for part in parts:
            found += self.of(part) if isinstance(part, OpenParameter) else [self._alone(part)]
        return found

    def _alone(self, value: Fraction) -> _Value:
        try:
            found = self.at(self._with(value))
        except InputError as error:
            raise InputError(f"{error} (at {self.symbol} = {value})") from None
        if found is None or not isinstance(found.smallest, (Loss, Fraction)):
            raise InputError(
                f"{self.mechanism.place}: at {self.symbol} = {value}, which is a piece of its own, its laws are not "
                f"exact and finite: give {self.symbol} a number"
            )
        if isinstance(found.smallest, Loss):
            return _Value(value, loss_at_value(self.symbol, value, found.smallest))
        return _Value(value, variation_at_value(self.symbol, value, found.smallest))

    def _alike(self, opened: OpenParameter) -> _Interval:
        """The audit of an interval in which no comparison changes."""
        place, symbol = self.mechanism.place, self.symbol
        audited = self._laws(opened)
        function = self._function(audited.exact(place), opened)
        tried = _tried(opened)
        for value in tried:
            numeric = self._laws(value).laws
            for point in self.flavor.domain:
                if audited.laws[point].at(value) != numeric[point]:
                    raise InputError(
                        f"{place}: on the data set {point!r}: the mechanism must treat all values of {symbol} alike, "
                        f"apart from comparisons; at {symbol} = {value} its law differs"
                    )
        return _Interval(opened, function, audited, tried)

    def _function(self, laws: Mapping[Any, Law[Any]], opened: OpenParameter) -> OnInterval:
        measure = self.flavor.output_premetric
        if isinstance(measure, TotalVariation):
            return variation_function(laws, self.flavor, symbol=self.symbol, opened=opened)
        if isinstance(measure, ApproximateMultiplicative):
            delta = measure.delta
            return approximate_loss_function(laws, self.flavor, delta, symbol=self.symbol, opened=opened)
        low, high, is_closed = opened.low, opened.high, opened.is_closed
        return loss_function(laws, self.flavor, symbol=self.symbol, low=low, high=high, is_closed=is_closed)

    def _laws(self, value: Fraction | OpenParameter) -> ForeignLaws:
        """The laws; of what is released with unbounded noise those of its ends, which need the same."""
        audited, place = claimed_laws(self.built, self._with(value)), self.mechanism.place
        if not audited.is_released:
            return audited
        is_pure = self.flavor.output_premetric == Multiplicative()
        assumed = audited.assumed if is_pure else f"{BY_ENDS}; {audited.assumed}"
        laws = laws_of_ends(released_outputs(audited.laws, place), place, is_pure=is_pure)
        return replace(audited, laws=laws, assumed=assumed)

    def _with(self, value: Fraction | OpenParameter) -> dict[str, Any]:
        return {**self.setting, self.symbol: value}


def _tried(opened: OpenParameter) -> list[Fraction]:
    """Values at which the mechanism is run too: a simple one, one that code hardly singles out, and closed ends."""
    simple = between(AlgebraicNumber.of(opened.low), AlgebraicNumber.of(opened.high))
    ends = [opened.low, opened.high] if opened.is_closed else []
    return [simple, opened.low + (opened.high - opened.low) * _UNLIKELY, *ends]
