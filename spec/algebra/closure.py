"""The closure of a constraint matrix under symmetry and the triangle inequality: the constraints that are implied.

A mechanism that satisfies a matrix C satisfies D_Pr[P_x, P_x'] ≤ C*(x, x') too, where C* is the length of a shortest
path, if D_Pr has the triangle inequality, along edges that may be walked both ways if D_Pr is symmetric. For D_Mult and
D_TV the closure is tight: some mechanism attains each entry (claim `order.closure-decides`).
"""

from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.specification import ConstraintMatrix


def symmetrized(matrix: ConstraintMatrix) -> ConstraintMatrix:
    """The matrix min(C(x, x'), C(x', x)) for a symmetric output premetric; the matrix itself for another one."""
    measure = matrix.output_premetric
    if not measure.is_symmetric:
        return matrix
    entries: dict[tuple[Any, Any], Any] = {}
    for (x, y), bound in matrix.entries.items():
        for pair in ((x, y), (y, x)):
            if not measure.at_most(entries.get(pair, measure.no_bound), bound):
                entries[pair] = bound
    return ConstraintMatrix(matrix.domain, measure, entries)


def closure(matrix: ConstraintMatrix) -> ConstraintMatrix:
    """C*: all that the matrix implies by symmetry and by the triangle inequality; smaller or equal everywhere.

    Source: dissertation, (A.1) and Definition A.4.1 on the matrix of a specification.
    """
    return ConstraintMatrix(matrix.domain, matrix.output_premetric, _shortest(matrix))


def _shortest(matrix: ConstraintMatrix) -> dict[tuple[Any, Any], Any]:
    """All finite shortest lengths (Floyd and Warshall)."""
    measure = matrix.output_premetric
    if not measure.has_triangle_inequality:
        raise InputError(f"output_premetric must have the triangle inequality to imply bounds; got {measure.name!r}")
    points = matrix.domain.points
    lengths = {
        pair: bound
        for pair, bound in symmetrized(matrix).entries.items()
        if not measure.at_most(measure.no_bound, bound)
    }
    lengths.update({(x, x): measure.zero for x in points})
    for middle in points:
        onward = [(y, lengths[middle, y]) for y in points if y != middle and (middle, y) in lengths]
        for x in points:
            if x == middle or (x, middle) not in lengths:
                continue
            start = lengths[x, middle]
            for y, rest in onward:
                if x == y:
                    continue
                total = measure.add(start, rest)
                if (x, y) not in lengths or not measure.at_most(lengths[x, y], total):
                    lengths[x, y] = total
    most = measure.largest
    return {pair: most if measure.at_most(most, bound) else bound for pair, bound in lengths.items()}
