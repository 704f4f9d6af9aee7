"""Evidence on the Borel sets of dissertation, section A.1: finite topological spaces as images of the unit interval."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations, product

from verify.checks.appendix_a_sigma import Algebra, Set, preimage, subsets
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

Topology = Algebra

_CELLS = 5
"""[0, 1] in cells: an interval, a point, an interval, a point, an interval. The odd cells are the points."""


def _topologies(size: int) -> Iterator[Topology]:
    """All topologies on a few points."""
    whole = frozenset(range(size))
    inner = [s for s in subsets(size) if s and s != whole]
    for chosen in chain.from_iterable(combinations(inner, n) for n in range(len(inner) + 1)):
        opens = frozenset((*chosen, frozenset(), whole))
        if all(a | b in opens and a & b in opens for a, b in product(opens, repeat=2)):
            yield opens


def _is_open(cells: Set) -> bool:
    """Whether a union of cells is open in [0, 1]: with a point it has the intervals on both sides."""
    return all({cell - 1, cell + 1} <= cells for cell in cells if cell % 2)


def _continuous(f: tuple[int, ...], opens: Topology) -> bool:
    return all(_is_open(preimage(f, s)) for s in opens)


def _borel_sets(opens: Topology, size: int) -> Algebra:
    """The unions of the classes of points that no open set tells apart."""
    return frozenset(
        s
        for s in subsets(size)
        if all((a in s) == (b in s) for a in range(size) for b in range(size) if not _told_apart(opens, a, b))
    )


def _told_apart(opens: Topology, a: int, b: int) -> bool:
    return any((a in s) != (b in s) for s in opens)


def _is_t0(opens: Topology, size: int) -> bool:
    return all(_told_apart(opens, a, b) for a, b in combinations(range(size), 2))


def _borel(fits: Callable[[Topology, int], bool]) -> Evidence:
    """Whether the induced sigma-algebra is the Borel one for every continuous T(x, .) from [0, 1] onto a space.

    T(x, .) is constant on cells, so that the preimage of every set is a Borel set: the induced one is all subsets.
    """
    scope = "all topologies on one to three points; all functions on [0, 1] that are constant on three intervals and "
    scope += "the two points between them; one data set in [x]"
    for size in (1, 2, 3):
        for opens in _topologies(size):
            if not fits(opens, size):
                continue
            for f in product(range(size), repeat=_CELLS):
                if set(f) != set(range(size)) or not _continuous(f, opens):
                    continue
                borel, induced = _borel_sets(opens, size), len(subsets(size))
                if len(borel) != induced:
                    detail = f"open sets {sorted(map(sorted, opens))}, T(x, .) = {f} on the cells"
                    note = f"{detail}: how many sets the induced and the Borel sigma-algebra have"
                    witness = formula_witness("induced == borel", induced=induced, borel=len(borel), note=note)
                    return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("sigma-algebra.borel")
def borel() -> Evidence:
    """The sentence as printed: any topological space."""
    return _borel(lambda _, __: True)


@checks("sigma-algebra.borel.finite")
def borel_t0() -> Evidence:
    """Finite T_0 spaces."""
    return _borel(_is_t0)


@refutes("sigma-algebra.borel.finite", "some two points are told apart, for any two")
def borel_some_apart() -> Evidence:
    """The mutant with one pair."""
    return _borel(lambda opens, size: any(_told_apart(opens, a, b) for a, b in combinations(range(size), 2)))


@checks("sigma-algebra.borel.hausdorff")
def borel_hausdorff() -> Evidence:
    """Beyond finite spaces no engine here reaches Borel sets."""
    return Evidence(Verdict.OPEN, "a finite Hausdorff space that is an image of [0, 1] is a point", "needs Borel sets")
