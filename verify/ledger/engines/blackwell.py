"""Blackwell's theorem on finite laws: the post-processing kernel, found by exact linear programming and re-checked."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Tradeoff, tradeoff_curve
from stirred.verify.engines.algebra.linear_program import Infeasible, nonnegative_solution
from stirred.verify.evidence.finding import EngineError


@dataclass(frozen=True)
class PostProcessing:
    """A Markov kernel κ with κ∘P = P' and κ∘Q = Q'.

    Attributes:
        kernel: the law of the new outcome for each old one that P or Q gives.
    """

    kernel: Mapping[Hashable, Law[Any]]


@dataclass(frozen=True)
class NoKernel:
    """No kernel takes (P, Q) to (P', Q'): at some level a test of P' against Q' has more power.

    Attributes:
        level: α with Tr(P, Q)(α) < Tr(P', Q')(α).
        power: Tr(P, Q)(α).
        wanted: Tr(P', Q')(α).
    """

    level: Fraction
    power: Fraction
    wanted: Fraction


def post_processing(p: Law[Any], q: Law[Any], p_after: Law[Any], q_after: Law[Any]) -> PostProcessing | NoKernel:
    """A kernel that takes P to P' and Q to Q', or a level at which testing P' against Q' is easier.

    The kernel is a rational solution of the linear equations for its entries, and is applied to P and Q again before
    it is returned; where there is none, the level is read off the two exact trade-off curves.

    Source: dissertation, Theorem A.6.2.

    >>> from stirred.spec.laws.law import point_mass, uniform_law
    >>> coin = uniform_law((0, 1))
    >>> found = post_processing(point_mass(0), point_mass(1), coin, point_mass(1))
    >>> found.kernel[0] == coin
    True
    """
    old = tuple(dict.fromkeys((*p, *q)))
    new = tuple(dict.fromkeys((*p_after, *q_after)))
    columns = [
        (
            *(Fraction(t == row) for row in old),
            *(p.numeric(t) * (s == row) for row in new),
            *(q.numeric(t) * (s == row) for row in new),
        )
        for t in old
        for s in new
    ]
    target = (
        *(Fraction(1) for _ in old),
        *(p_after.numeric(s) for s in new),
        *(q_after.numeric(s) for s in new),
    )
    answer = nonnegative_solution(columns, target)
    level = _harder_level(p, q, p_after, q_after)
    if isinstance(answer, Infeasible):
        if level is None:
            raise EngineError("no kernel exists although every test of P against Q has at least the power")
        return level
    entries = dict(zip(((t, s) for t in old for s in new), answer.values, strict=True))
    kernel = {t: Law({s: entries[t, s] for s in new}) for t in old}
    if p.bind(kernel.__getitem__) != p_after or q.bind(kernel.__getitem__) != q_after:
        raise EngineError("the kernel does not take the laws where it should")
    if level is not None:
        raise EngineError(f"a kernel exists although testing becomes easier at the level {level.level}")
    return PostProcessing(kernel)


def _harder_level(p: Law[Any], q: Law[Any], p_after: Law[Any], q_after: Law[Any]) -> NoKernel | None:
    """The level at which the second pair of laws is easier to test by most; None where it is nowhere easier."""
    before, after = tradeoff_curve(p, q), tradeoff_curve(p_after, q_after)
    levels = sorted({alpha for alpha, _ in (*before, *after)})
    gaps = [NoKernel(alpha, _power(before, alpha), _power(after, alpha)) for alpha in levels]
    worst = max(gaps, key=lambda gap: gap.wanted - gap.power)
    return worst if worst.wanted > worst.power else None


def _power(curve: tuple[tuple[Fraction, Fraction], ...], alpha: Fraction) -> Fraction:
    """The power at a level; a curve may start above the origin."""
    return curve[0][1] if alpha == 0 else Tradeoff.at(curve, alpha)
