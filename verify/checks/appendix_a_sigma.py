"""Evidence for dissertation, section A.1: sigma-algebras on finite sets, each given by its partition into atoms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from spec.law import Law
from spec.output_premetrics import ApproximateMultiplicative, Multiplicative, OutputPremetric, TotalVariation
from verify.engines.algebra.small_domains import domain_of, invariants
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

Set = frozenset[int]
Algebra = frozenset[Set]

_MEASURES: tuple[OutputPremetric, ...] = (
    Multiplicative(),
    ApproximateMultiplicative(Fraction(1, 4)),
    TotalVariation(),
)


def subsets(size: int) -> list[Set]:
    """All subsets of {0, …, size − 1}, the empty one first."""
    return [frozenset(s) for s in chain.from_iterable(combinations(range(size), n) for n in range(size + 1))]


def algebras(size: int) -> Iterator[Algebra]:
    """All sigma-algebras on a finite set: the unions of the classes of each partition."""
    for labels in invariants(domain_of(size)):
        yield frozenset(
            s
            for s in subsets(size)
            if all((a in s) == (b in s) for a in range(size) for b in range(size) if labels[a] == labels[b])
        )


def _laws() -> list[Law[int]]:
    kept = (counts for counts in product(range(4), repeat=3) if sum(counts) == 3)
    return [Law({t: Fraction(k, 3) for t, k in enumerate(counts)}) for counts in kept]


def _on_atoms(law: Law[int], labels: Any) -> Law[int]:
    return law.push(lambda t: labels[t])


def _coarser(start: Callable[[Any, Any], bool], scope: str) -> Evidence:
    """Whether D_Pr on one sigma-algebra is at most that on another one wherever a relation of partitions holds."""
    partitions = list(invariants(domain_of(3)))
    for coarse, fine in product(partitions, repeat=2):
        if not start(coarse, fine):
            continue
        for measure, p, q in product(_MEASURES, _laws(), _laws()):
            small, large = (measure.distance(_on_atoms(p, c), _on_atoms(q, c)) for c in (coarse, fine))
            if not measure.at_most(small, large):
                note = f"{measure.name}: P = {dict(p)}, Q = {dict(q)}, atoms {dict(coarse)} and {dict(fine)}"
                return Evidence(Verdict.REFUTED, scope, note, formula_witness("order == 1", order=0, note=note))
    return Evidence(Verdict.EXHAUSTED, scope)


_SCOPE = "D_Mult, D_Mult^(1/4), D_TV; all laws on three outcomes in thirds; all sigma-algebras on them"


def _is_function(coarse: Any, fine: Any) -> bool:
    return all(coarse[a] == coarse[b] for a in range(3) for b in range(3) if fine[a] == fine[b])


@checks("sigma-algebra.coarser")
def coarser() -> Evidence:
    """Coarser atoms."""
    return _coarser(_is_function, _SCOPE)


@refutes("sigma-algebra.coarser", "finer for coarser")
def finer() -> Evidence:
    """The mutant with the two exchanged."""
    return _coarser(lambda coarse, fine: _is_function(fine, coarse), _SCOPE)


def _trivial(labels: tuple[int, ...]) -> Evidence:
    """Whether all laws are at distance 0 on a sigma-algebra."""
    scope = "D_Mult, D_Mult^(1/4), D_TV; all laws on three outcomes in thirds; the trivial sigma-algebra on them"
    for measure, p, q in product(_MEASURES, _laws(), _laws()):
        value = measure.distance(_on_atoms(p, labels), _on_atoms(q, labels))
        if value != measure.smallest_budget(measure.no_bound, None):
            note = f"{measure.name}: P = {dict(p)}, Q = {dict(q)}, atoms {labels}"
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("zero == 1", zero=0, note=note))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("sigma-algebra.trivial")
def trivial() -> Evidence:
    """One atom."""
    return _trivial((0, 0, 0))


@refutes("sigma-algebra.trivial", "two atoms")
def almost_trivial() -> Evidence:
    """The mutant with one more set."""
    return _trivial((0, 0, 1))


def preimage(f: Sequence[int], s: Set) -> Set:
    """The points that a function, given by its values, sends into a set."""
    return frozenset(u for u, t in enumerate(f) if t in s)


def _induced(built: Callable[[tuple[int, ...], Algebra], Algebra]) -> Evidence:
    """Whether F_T^x is the largest sigma-algebra for which T(x, ·) is measurable, also over two data sets."""
    scope = (
        "all functions from three points (the seeds, or the outcomes of T) to three, in pairs (two data sets, or one "
        "function twice), all sigma-algebras on the first three"
    )
    every = list(algebras(3))
    functions = list(product(range(3), repeat=3))
    for seeds in every:
        of = {f: built(f, seeds) for f in functions}
        measurable = {f: {a for a in every if all(preimage(f, s) in seeds for s in a)} for f in functions}
        for f, g in product(functions, repeat=2):
            both = of[f] & of[g]
            common = measurable[f] & measurable[g]
            largest = both in common and all(a <= both for a in common)
            grows = all(of[f] <= built(f, finer) for finer in every if seeds <= finer)
            if not largest or not grows:
                note = f"T(x, .) = {f}, T(x', .) = {g}, F_U has {len(seeds)} sets"
                return Evidence(Verdict.REFUTED, scope, note, formula_witness("largest == 1", largest=0, note=note))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("sigma-algebra.induced", "post-processing.largest-algebra")
def induced_algebra() -> Evidence:
    """Definition A.1.4."""
    return _induced(lambda f, seeds: frozenset(s for s in subsets(3) if preimage(f, s) in seeds))


@refutes("post-processing.largest-algebra", "the images of the sets in F_T")
@refutes("sigma-algebra.induced", "the images of the sets in F_U")
def image_algebra() -> Evidence:
    """The mutant that pushes sets forward."""
    return _induced(lambda f, seeds: frozenset(frozenset(f[u] for u in s) for s in seeds))
