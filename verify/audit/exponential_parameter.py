"""The exhaustive audit of a mechanism whose parameter is e^−q: noise and weights a·e^(−kε) at a rational ε."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from stirred.spec.enclosure import Enclosure
from stirred.spec.loss import Loss
from stirred.spec.polynomial_text import quotient_text
from stirred.spec.rational_function import RationalFunction
from stirred.verify.audit.budget_cover import loss_bounds
from stirred.verify.audit.claim_blocks import BuiltClaim
from stirred.verify.audit.claim_budget import ClaimedBudget
from stirred.verify.audit.exhaustion import Exhaustion
from stirred.verify.engines.exponential_point import covers_at_exponential, loss_at_exponential, piece_at_exponential
from stirred.verify.engines.loss_function import LossFunction
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness
from stirred.verify.laws.agreed_laws import ForeignLaws
from stirred.verify.reports.lines import counted

__all__ = ["over_exponential"]

_POINT = "exp(-q)"


@dataclass(frozen=True)
class _AtExponential(Exhaustion):
    """By the laws of every data set as rational functions of x = e^−q; the smallest budget is an enclosure in nats."""

    settles: ClassVar[Verdict] = Verdict.ENCLOSED
    smallest: Enclosure | None
    function: LossFunction
    exponent: Fraction
    certain: tuple[tuple[int, ...], tuple[int, ...]] | None  # where the loss is infinite, P_x(t) with P_x'(t) = 0

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
            claimed = budget.epsilon.value
            if covers_at_exponential(self.function, self.exponent, claimed):
                return self._met(budget)
            return self._refuted(budget, "exp(epsilon*d)", epsilon=claimed)
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
        return Evidence(Verdict.OPEN, self.scope, f"{self._number} and {budget.text} agree to many digits")

    def _is_below(self, loss: Loss) -> bool | None:
        """Whether the smallest budget is below a loss with rational e^ε, which it is not equal to."""
        for digits in (20, 40, 80, 160):
            found = loss_at_exponential(self.function, self.exponent, digits=digits)
            claimed = loss.epsilon(digits)
            if found is None or found.lower > claimed.upper:
                return False
            if found.upper < claimed.lower:
                return True
        return None

    def _met(self, budget: ClaimedBudget) -> Evidence:
        sentence = f"met: the claimed {budget.text} covers the smallest budget {self._number}"
        return Evidence(Verdict.ENCLOSED, self.scope, sentence)

    def _refuted(self, budget: ClaimedBudget, bound: str, **values: Fraction) -> Evidence:
        """The refutation by the ratio of two likelihoods as a formula in e^−q."""
        piece = piece_at_exponential(self.function, self.exponent)
        if piece.pair is None:
            raise EngineError("a budget is exceeded and no pair needs more")
        x, y = piece.pair
        above, below = self.certain or (piece.above, piece.below)
        ratio = quotient_text(above, below, _POINT).replace("^", "**")
        claimed = f"{ratio} <= {bound}{'*0' if self.certain else ''}"
        what = "P_x of an outcome that x' cannot have" if self.certain else f"P_x/P_x' of the outcome {piece.outcome}"
        note = f"{what}; x = {x}, x' = {y}"
        witness = formula_witness(claimed, note=note, q=self.exponent, d=piece.distance, **values)
        sentence = f"exceeded: the claimed {budget.text} is below the smallest budget {self._number}; x = {x}, x' = {y}"
        return Evidence(Verdict.REFUTED, self.scope, sentence, witness)


def over_exponential(
    built: BuiltClaim, function: LossFunction, exponent: Fraction, audited: ForeignLaws, described: str
) -> Exhaustion:
    """The smallest budget at the parameter e^−exponent.

    Args:
        built: the claim, on a finite flavor.
        function: the loss as a function of the parameter, on an interval around e^−exponent.
        exponent: q.
        audited: the laws as functions of the parameter.
        described: the mechanism with its setting.
    """
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
    return _AtExponential(loss_at_exponential(function, exponent), where, scope, function, exponent, certain)
