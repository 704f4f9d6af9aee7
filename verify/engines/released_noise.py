"""Integers that are released with unbounded noise: what two data sets need, by closed forms of the shift between them.

An output such as (3 + discrete_gaussian(4), 5 + discrete_laplace(1/2)) is a vector of integers plus independent noise.
Between data sets whose integers differ by m the laws differ by that shift alone:

- D_NoR² = Σ m²/(2σ²) for discrete Gaussians (claim `gaussian.diagonal`), and D_Mult = ∞ (claim `gaussian.not-pure`);
- D_Mult = Σ |m|·ln(1/α) for discrete Laplace noise P(k) ∝ α^|k|;
- D_Mult = ∞ for geometric noise P(k) ∝ α^k of k ≥ 0, whose least output the other data set cannot have;
- for one integer E_γ = P(X ≥ t − m) − γ·P(X ≥ t) with t the least integer where P(X = t − m) > γ·P(X = t), since the
  likelihood ratio of a shift does not decrease.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any

import flint

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.budgets.zcdp import smallest_zcdp_to_approximate
from stirred.spec.laws.discrete_gaussian import diagonal_zcdp_budget, interval_weight
from stirred.spec.laws.law import Law, Probability
from stirred.spec.numbers.ball import Ball, ball_of
from stirred.spec.numbers.enclosure import Enclosure, enclose, least_enough
from stirred.spec.numbers.rational_function import RationalFunction

_GAUSSIAN, _LAPLACE = "discrete_gaussian", "discrete_laplace"
_ONE_SIDED = ("discrete_geometric", "discrete_reflected_geometric")
_KINDS = (_GAUSSIAN, _LAPLACE, *_ONE_SIDED)
_WIDTH = Fraction(1, 10**12)
_MORE_DIGITS = 400
_NO_OUTPUT = "a released draw must be written as an integer plus its noise"


@dataclass(frozen=True)
class Noise:
    """Unbounded noise on one integer.

    Attributes:
        kind: "discrete_gaussian", "discrete_laplace", "discrete_geometric" (k ≥ 0) or "discrete_reflected_geometric"
            (k ≤ 0).
        parameter: σ², or α.
        function: α as a function of an open parameter; `parameter` is 0 then.
    """

    kind: str
    parameter: Fraction
    function: RationalFunction | None = None

    @property
    def is_gaussian(self) -> bool:
        return self.kind == _GAUSSIAN

    @property
    def is_one_sided(self) -> bool:
        return self.kind in _ONE_SIDED

    @property
    def ratio(self) -> Probability:
        """α."""
        return self.parameter if self.function is None else self.function

    def __str__(self) -> str:
        return f"{self.kind}({self.parameter if self.function is None else repr(self.function)})"

    def tail(self, least: int) -> Ball:
        """P(X ≥ least), in the present precision."""
        if self.is_gaussian:
            return interval_weight(self.parameter, least, None) / interval_weight(self.parameter, None, None)
        if least < 1:
            return 1 - self.tail(1 - least)
        return ball_of(self.parameter**least / (1 + self.parameter))

    def log_probability(self, k: int) -> tuple[str, str] | None:
        """Formulas of numbers at most and at least ln P(X = k), with 1 ≤ Z ≤ 1 + √(2πσ²); None where P(X = k) = 0."""
        a = self.parameter
        if self.is_gaussian:
            power = f"-({k})**2/(2*({a}))"
            return f"{power}-ln({4 + 3 * a})", power
        if self.is_one_sided and k and (k > 0) != (self.kind == _ONE_SIDED[0]):
            return None
        found = f"ln({(1 - a) / (1 if self.is_one_sided else 1 + a)})+{abs(k)}*ln({a})"
        return found, found

    def cut(self, shift: int, log_gamma: Ball) -> Ball:
        """The real κ such that P(X = k − m) > e^c·P(X = k) for k > κ alone; not below m for Laplace noise: nowhere."""
        if self.is_gaussian:
            return log_gamma * ball_of(self.parameter / shift) + ball_of(Fraction(shift, 2))
        return (log_gamma / -ball_of(self.parameter).log() + shift) / 2


@dataclass(frozen=True)
class NoisyOutput:
    """An output with noise in it.

    Attributes:
        shape: the output with a name in the place of each noisy integer.
    """

    shape: str
    noises: tuple[Noise, ...]
    integers: tuple[int, ...]


class _Reader(ast.NodeTransformer):
    def __init__(self) -> None:
        self.found: list[tuple[int, Noise]] = []

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        call = node.right
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or len(call.args) != 1:
            raise InputError(_NO_OUTPUT)
        if call.func.id not in _KINDS:
            raise InputError(_NO_OUTPUT)
        integer, (given,) = ast.literal_eval(node.left), call.args
        if isinstance(given, ast.Tuple):
            above, below = ast.literal_eval(given)
            noise = Noise(call.func.id, Fraction(0), RationalFunction(list(above), list(below)))
        else:
            noise = Noise(call.func.id, Fraction(ast.unparse(given).replace(" ", "")))
        self.found.append((integer, noise))
        return ast.Name("noisy")


def read_released(text: str) -> NoisyOutput | None:
    """The released noise of an output, from its canonical text; None where it has none.

    >>> read_released("(3 + discrete_gaussian(9/2), 'a')").integers
    (3,)
    """
    if not any(f" + {kind}(" in text for kind in _KINDS):
        return None
    reader = _Reader()
    try:
        shape = ast.unparse(reader.visit(ast.parse(text, mode="eval")))
    except (SyntaxError, TypeError, ValueError, RecursionError, ZeroDivisionError, MemoryError):
        raise InputError(_NO_OUTPUT) from None
    if not reader.found:
        return None
    integers, noises = zip(*reader.found, strict=True)
    return NoisyOutput(shape, noises, integers)


def pure_need(noises: Sequence[Noise], shifts: Sequence[int]) -> Loss:
    """D_Mult between two data sets whose integers differ by the shifts; exact."""
    total = ZERO
    for noise, shift in zip(noises, shifts, strict=True):
        if shift and (noise.is_gaussian or noise.is_one_sided):
            return INFINITE
        if shift:
            total = total.plus(Loss(1 / noise.parameter).times(abs(shift)))
    return total


def zcdp_need(noises: Sequence[Noise], shifts: Sequence[int]) -> Fraction:
    """D_NoR² between two data sets whose integers differ by the shifts; exact."""
    moved = [(noise, shift) for noise, shift in zip(noises, shifts, strict=True) if shift]
    if other := next((noise for noise, _ in moved if not noise.is_gaussian), None):
        raise InputError(f"unbounded: zCDP of a released {other.kind} has no closed form; clamp it, or claim epsilon")
    return diagonal_zcdp_budget([noise.parameter for noise, _ in moved], [shift for _, shift in moved])


def _hockey_stick(noise: Noise, shift: int, log_gamma: Ball) -> Ball:
    """E_γ between noise shifted by m > 0 and noise, in the present precision, with γ = e^c and c ≥ 0."""
    kappa = noise.cut(shift, log_gamma)
    gamma = log_gamma.exp()
    least, most = (end.floor().unique_fmpz() for end in (kappa.lower(), kappa.upper()))
    if least is None or most is None or int(most) - int(least) > 1:
        return flint.arb("nan")
    values = [noise.tail(t - shift) - gamma * noise.tail(t) for t in {int(least) + 1, int(most) + 1}]
    if not noise.is_gaussian and int(most) + 1 > shift:
        values.append(flint.arb(0))
        values = values if int(least) + 1 <= shift else values[-1:]
    found = values[0]
    for value in values[1:]:
        found = found.union(value)
    return found


@lru_cache(maxsize=4096)
def _single_need(noise: Noise, shift: int, delta: Fraction) -> Enclosure:
    """The least c ≥ 0 with E_(e^c) ≤ δ for one integer that is shifted, enclosed by bisection.

    Source: Canonne, Kamath and Steinke (2020), Theorem 7, for the discrete Gaussian.
    """

    def is_enough(c: Fraction) -> bool:
        digits = least = 20 + len(str(int(1 / delta)))
        while True:
            found = enclose(lambda: _hockey_stick(noise, shift, ball_of(c)), digits=digits)
            if found.upper <= delta:
                return True
            if found.lower > delta:
                return False
            if digits > least + _MORE_DIGITS:
                raise InputError(f"delta must differ from the values of the curve of {noise}; got {delta}")
            digits *= 2

    return least_enough(is_enough, _WIDTH)


def approximate_need(noises: Sequence[Noise], shifts: Sequence[int], delta: Fraction) -> Enclosure:
    """D_Mult^δ between two data sets whose integers differ by the shifts; narrow where one of them differs.

    Where several differ, each alone needs no more, and the Gaussians' D_NoR², converted, with what the Laplace noise
    needs added, is enough.
    """
    moved = [(noise, abs(shift)) for noise, shift in zip(noises, shifts, strict=True) if shift]
    if other := next((noise for noise, _ in moved if noise.is_one_sided), None):
        raise InputError(f"unbounded: approximate privacy of a released {other.kind} has no closed form here; clamp it")
    alone = [_single_need(noise, shift, delta) for noise, shift in moved]
    if len(alone) <= 1:
        return alone[0] if alone else Enclosure(Fraction(0), Fraction(0))
    gaussian = [pair for pair in moved if pair[0].is_gaussian]
    laplace = [pair for pair in moved if not pair[0].is_gaussian]
    enough = smallest_zcdp_to_approximate(zcdp_need(*zip(*gaussian, strict=True)), delta).upper if gaussian else 0
    added = pure_need(*zip(*laplace, strict=True)).epsilon(20).upper if laplace else 0
    return Enclosure(max(one.lower for one in alone), Fraction(enough + added))


def exceeding_threshold(
    noises: Sequence[Noise], shifts: Sequence[int], epsilon: Fraction, *, digits: int
) -> tuple[int, int, Fraction, Fraction]:
    """(i, t, p, q): of the i-th integer, P(X ≥ t − m) ≥ p and P(X ≥ t) ≤ q, where p − e^ε·q is largest of all i.

    p and q have `digits` digits after the point; one of the shifts at least is not 0.
    """
    best: tuple[Fraction, tuple[int, int, Fraction, Fraction]] | None = None
    for index, (noise, shift) in enumerate(zip(noises, shifts, strict=True)):
        if not shift:
            continue
        m = abs(shift)
        kappa = enclose(lambda noise=noise, m=m: noise.cut(m, ball_of(epsilon)))  # type: ignore[misc]
        t = kappa.lower.__floor__() + 1
        p = enclose(lambda noise=noise, m=m, t=t: noise.tail(t - m), digits=digits).lower  # type: ignore[misc]
        q = enclose(lambda noise=noise, t=t: noise.tail(t), digits=digits).upper  # type: ignore[misc]
        excess = p - enclose(lambda: ball_of(epsilon).exp(), digits=40).upper * q
        if best is None or excess > best[0]:
            best = excess, (index, t, p, q)
    if best is None:
        raise InputError("shifts must not all be 0")
    return best[1]


_MOST_ENDS, _MOST_TOLD = 10, 4096
"""Integers with noise in one output: three to the power of it outcomes."""


def laws_of_ends(released: Mapping[Any, NoisyOutput], place: str, *, is_pure: bool = True) -> dict[Any, Law[str]]:
    """Released geometric noise as finite laws that need the same budget, also where its ratio is a function.

    Of an integer n plus noise let only be told whether it is at most the least integer of all data sets, or at least
    the greatest. Merging outcomes needs no more, and for n < n' the ratios at the two ends are those of the shift:
    α^(n−n') for two-sided noise, infinite for one-sided noise. So all pairs need what they need of the noise itself,
    for pure privacy. For other output premetrics each integer between is told too: beyond the ends the ratio of two
    data sets' probabilities is constant, and outcomes of one ratio may be merged.

    >>> law = laws_of_ends({0: NoisyOutput("noisy", (Noise("discrete_laplace", Fraction(1, 2)),), (0,))}, "here")[0]
    >>> law["at most 0"]
    Fraction(2, 3)
    """
    noises = next(iter(released.values())).noises
    if len(noises) > _MOST_ENDS or any(noise.is_gaussian for noise in noises):
        raise InputError(
            f"{place}: a parameter is left open, where released noise must be geometric or discrete Laplace, on at "
            f"most {_MOST_ENDS} integers: give it a number"
        )
    columns = list(zip(*(one.integers for one in released.values()), strict=True))
    ends = [(min(column), max(column)) for column in columns]
    if not is_pure and prod(high - low + 1 for low, high in ends) > _MOST_TOLD:
        raise InputError(
            f"{place}: a parameter is left open, where integers that are released must have at most {_MOST_TOLD} "
            "values together, unless the output premetric is 'multiplicative': give it a number"
        )
    return {point: _law(one, ends, is_pure) for point, one in released.items()}


def _law(one: NoisyOutput, ends: list[tuple[int, int]], is_pure: bool) -> Law[str]:
    parts = [_parts(noise, n, *end, is_pure) for noise, n, end in zip(one.noises, one.integers, ends, strict=True)]
    masses: dict[str, Probability] = {}
    for chosen in product(*(part.items() for part in parts)):
        mass: Probability = Fraction(1)
        for _, share in chosen:
            mass = mass * share
        masses[", ".join(told for told, _ in chosen)] = mass
    return Law({told: mass for told, mass in masses.items() if mass})


def _parts(noise: Noise, integer: int, least: int, greatest: int, is_pure: bool) -> dict[str, Probability]:
    """The probabilities of at most the least, at least the greatest (where it is another), and between."""
    above = [_tail(noise, least - integer + 1)]
    parts = {f"at most {least}": 1 - above[0]}
    if not is_pure:
        for told in range(least + 1, greatest):
            above.append(_tail(noise, told - integer + 1))
            parts[str(told)] = above[-2] - above[-1]
    if greatest > least:
        high = _tail(noise, greatest - integer)
        return parts | {f"at least {greatest}": high, "between": above[-1] - high}
    return parts | {"between": above[-1]}


def _tail(noise: Noise, least: int) -> Probability:
    """P(X ≥ least)."""
    alpha = noise.ratio
    if noise.kind == "discrete_geometric":
        return alpha**least if least > 0 else Fraction(1)
    if noise.kind == "discrete_reflected_geometric":
        return 1 - alpha ** (1 - least) if least <= 0 else Fraction(0)
    return alpha**least / (1 + alpha) if least > 0 else 1 - alpha ** (1 - least) / (1 + alpha)
