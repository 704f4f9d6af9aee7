"""The audit of integers whose noise has another scale on another data set: no finite pure budget, and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import INFINITE
from stirred.spec.laws.law import Law, Probability
from stirred.spec.numbers.ball import Ball, ball_of, dyadic, precision
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.audit.exhaust.found import Exhaustion
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness
from stirred.verify.laws.agreed_laws import ForeignLaws
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import claimed_epsilon
from stirred.verify.laws.integer_tails import UnlikeTails

_BITS = 256


@dataclass(frozen=True)
class _FarOut(Exhaustion):
    """Two data sets at a finite distance with tails of two ratios: far enough out their quotient exceeds any bound.

    Attributes:
        name: the tail.
        numbers: P and α of x, at most, and of x', at least.
    """

    distance: Fraction
    name: str
    numbers: tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]

    def test(self, budget: ClaimedBudget) -> Evidence:
        if budget.loss is not None and budget.loss.is_infinite:
            return Evidence(Verdict.EXHAUSTED, self.scope, self._beside(budget, "≥"))
        (p, a), (q, b) = self.numbers
        epsilon = claimed_epsilon(budget).upper
        with precision(_BITS):
            steps = (ball_of(epsilon * self.distance) + ball_of(q / p).log()) / ball_of(a / b).log()
        j = max(0, ceil(dyadic(steps.upper()))) + 1
        event = f"{{{self.name}, by {j} more}}"
        values = {"epsilon": epsilon, "d": self.distance, "j": j, "p": p, "a": a, "q": q, "b": b}
        note = f"P[E | x] >= p*a^j, P[E | x'] <= q*b^j for E = {event}; {self.where}"
        witness = formula_witness("ln(p) + j*ln(a) <= epsilon*d + ln(q) + j*ln(b)", note=note, **values)
        sentence = f"{self._beside(budget, '<')}; {self.where}, d = {self.distance}, E = {event}"
        return Evidence(Verdict.REFUTED, self.scope, sentence, witness)


def exhaust_unlike(audited: ForeignLaws, unlike: UnlikeTails, flavor: Flavor, scope: str, place: str) -> Exhaustion:
    """The audit of laws whose tails have several ratios.

    Raises:
        InputError: the output premetric is another one than D_Mult, or no two data sets that are compared have tails
            of two ratios.
    """
    if flavor.output_premetric == Multiplicative():
        for universe in flavor.multiverse:
            points = flavor.domain.ordered(universe)
            for x in points:
                for y in points:
                    d = flavor.input_premetric(x, y)
                    found = None if d is None or x == y else _numbers(audited, unlike, x, y)
                    if found is not None:
                        where = f"x = {x}, x' = {y}"
                        full = f"{scope}; {unlike.sentence}, and far out the quotient of two has no bound"
                        return _FarOut(INFINITE, where, full, Fraction(d), *found)  # type: ignore[arg-type]
    raise InputError(f"{place}: {unlike.sentence}: make it the same")


def _numbers(audited: ForeignLaws, unlike: UnlikeTails, x: Any, y: Any) -> Any:
    """The tail's name, with p ≤ P and a ≤ α of x, and q ≥ P' and b ≥ α' of y, a > b; None where there are none."""
    first, second = (_single(audited.laws[point], unlike) for point in (x, y))
    for base, name in first.items():
        if base in second:
            low, high = (_ends(audited, audited.laws[x][name]), _ends(audited, audited.laws[y][second[base]]))
            a, b = (_ends(audited, unlike.ratios[one]) for one in (name, second[base]))
            if a[0] > b[1]:
                return base, ((low[0], a[0]), (high[1], b[1]))
    return None


def _single(law: Law[str], unlike: UnlikeTails) -> Mapping[str, str]:
    """The tails of one ratio, by place; places where a law has several ratios are left out."""
    found: dict[str, list[str]] = {}
    for name in law:
        if name in unlike.ratios:
            found.setdefault(unlike.places[name], []).append(name)
    return {base: names[0] for base, names in found.items() if len(names) == 1}


def _ends(audited: ForeignLaws, number: Probability) -> tuple[Fraction, Fraction]:
    """Rationals below and above a probability."""
    if not isinstance(number, RationalFunction):
        margin = 2 * (audited.log_error or Fraction(0))
        return number * (1 - margin), number * (1 + margin)
    with precision(_BITS):
        ball: Ball = number.at_ball((-ball_of(audited.exponent or Fraction(1))).exp())
        return dyadic(ball.lower()), dyadic(ball.upper())
