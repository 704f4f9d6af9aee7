"""Evidence on Proposition 2.5.4 of the dissertation with Definition A.5.1: laws on finite sigma-algebras."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from verify.checks.appendix_a_sigma import Algebra, algebras, preimage, subsets
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

Weights = tuple[int, ...]
"""The probabilities of the outcomes 0, 1, 2 in halves, of which only the sums over measurable sets count."""

Map = tuple[int, ...]
"""A function of the outcome, by its values."""

_SIZE = 3


class Gap(NamedTuple):
    """A distance weight·(P(S) − Q(S)) for the measurable set S with the largest difference; both in halves."""

    weight: int
    p: int
    q: int

    @property
    def value(self) -> int:
        """The distance, in halves."""
        return self.weight * (self.p - self.q)


Measured = Callable[[Algebra, Weights, Weights], Gap]


@cache
def _variation(algebra: Algebra, p: Weights, q: Weights) -> Gap:
    """D_TV on a sigma-algebra."""
    sums = [(sum(p[t] for t in s), sum(q[t] for t in s)) for s in algebra]
    high, low = max(sums, key=lambda pair: pair[0] - pair[1])
    return Gap(1, high, low)


def _doubled(algebra: Algebra, p: Weights, q: Weights) -> Gap:
    """D_TV where all subsets are measurable, and twice D_TV elsewhere.

    Post-processing keeps "all subsets", so that no mechanism of Definition A.5.1 increases it.
    """
    gap = _variation(algebra, p, q)
    return gap if len(algebra) == len(subsets(_SIZE)) else gap._replace(weight=2)


def _doubled_on_all(algebra: Algebra, p: Weights, q: Weights) -> Gap:
    """Twice D_TV where all subsets are measurable, and D_TV elsewhere: post-processing may increase it."""
    gap = _variation(algebra, p, q)
    return gap._replace(weight=2) if len(algebra) == len(subsets(_SIZE)) else gap


_PREMETRICS: Mapping[str, Measured] = {
    "D_TV": _variation,
    "D_TV, doubled where not all subsets are measurable": _doubled,
    "D_TV, doubled where all subsets are measurable": _doubled_on_all,
}


@cache
def _weights() -> tuple[Weights, ...]:
    return tuple(weights for weights in product(range(3), repeat=_SIZE) if sum(weights) == 2)


@cache
def _pushed(weights: Weights, f: Map) -> Weights:
    return tuple(sum(w for w, t in zip(weights, f, strict=True) if t == image) for image in range(_SIZE))


@cache
def _largest(algebra: Algebra, f: Map) -> Algebra:
    """{S : f^-1(S) in F}, the sigma-algebra of the post-processing mechanism."""
    return frozenset(s for s in subsets(_SIZE) if preimage(f, s) in algebra)


Targets = Callable[[Algebra, Map], Iterable[Algebra]]


class Case(NamedTuple):
    """Two laws on a sigma-algebra and their images under a function on another one, with both distances."""

    algebra: Algebra
    p: Weights
    q: Weights
    f: Map
    target: Algebra
    before: Gap
    after: Gap

    def __str__(self) -> str:
        laws = [", ".join(str(Fraction(w, 2)) for w in law) for law in (self.p, self.q)]
        fields = [sorted(map(sorted, one)) for one in (self.algebra, self.target)]
        return f"P = ({laws[0]}), Q = ({laws[1]}), F = {fields[0]}, f = {self.f}, F' = {fields[1]}"


def _cases(measured: Measured, targets: Targets) -> Iterator[Case]:
    """The images of all laws under all functions, with the sigma-algebras on the values that `targets` lists."""
    for algebra, p, q, f in product(algebras(_SIZE), _weights(), _weights(), product(range(_SIZE), repeat=_SIZE)):
        before = measured(algebra, p, q)
        for target in targets(algebra, f):
            yield Case(algebra, p, q, f, target, before, measured(target, _pushed(p, f), _pushed(q, f)))


def _increase(measured: Measured, targets: Targets) -> Case | None:
    """A case in which the distance grows: (2.11) fails."""
    return next((case for case in _cases(measured, targets) if case.after.value > case.before.value), None)


def _exposed(measured: Measured) -> Case | None:
    """A case in which some flavor on two data sets is not immune: T = (P, Q) at its smallest budget leaves it.

    A pair of data sets at a finite distance d > 0 needs the budget D(P, Q)/d, and so asks D(f(P), f(Q)) <= D(P, Q)/d d;
    at d = oo it asks nothing.
    """
    for case in _cases(measured, lambda algebra, f: (_largest(algebra, f),)):
        for d in (Fraction(1, 2), Fraction(1), Fraction(2)):
            if case.after.value > case.before.value / d * d:
                return case
    return None


def _processing(targets: Targets) -> Evidence:
    """Whether "all flavors on two data sets are immune" is (2.11) with the sigma-algebras `targets` for F'."""
    scope = (
        f"{'; '.join(_PREMETRICS)}; all sigma-algebras on three outcomes, all laws in halves, all 27 functions, all "
        "sigma-algebras F' that the statement allows"
    )
    for name, measured in _PREMETRICS.items():
        exposed, increase = _exposed(measured), _increase(measured, targets)
        case = exposed or increase
        if case is not None and (exposed is None or increase is None):
            detail = f"{name}: {case}"
            witness = formula_witness(
                "weight*(p - q) >= weight_after*(p_after - q_after)",
                weight=case.before.weight,
                p=Fraction(case.before.p, 2),
                q=Fraction(case.before.q, 2),
                weight_after=case.after.weight,
                p_after=Fraction(case.after.p, 2),
                q_after=Fraction(case.after.q, 2),
                note=f"{detail}: the distances before and after, each by its best event",
            )
            return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@cache
def _measurable(algebra: Algebra, f: Map) -> tuple[Algebra, ...]:
    """All sigma-algebras F' for which f is measurable."""
    return tuple(one for one in algebras(_SIZE) if all(preimage(f, s) in algebra for s in one))


@checks("post-processing.iff-data-processing")
def processing() -> Evidence:
    """Proposition 2.5.4 as printed: every measurable f."""
    return _processing(_measurable)


@checks("post-processing.iff-data-processing.largest")
def processing_largest() -> Evidence:
    """With F' as Definition A.5.1 has it."""
    return _processing(lambda algebra, f: (_largest(algebra, f),))


@refutes("post-processing.iff-data-processing.largest", "the trivial F' for the largest one")
def processing_trivial() -> Evidence:
    """The mutant that sees nothing after the function."""
    return _processing(lambda _, __: (frozenset((frozenset(), frozenset(range(_SIZE)))),))
