"""The laws of a certificate as choice trees of the Coq theory `choice_tree`, with whole numbers for weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from stirred.mechanisms.choice_nodes import ATTEMPT, CHOICE, KINDS, RESTART
from stirred.mechanisms.choice_tree import tree_masses

__all__ = ["CoqTrees", "DeepTreeError", "Masses"]

_DEEPEST = 200

Masses = Mapping[int, Fraction]
"""The probabilities of outputs, by place."""


class DeepTreeError(Exception):
    """A tree is nested deeper than Coq reads."""


class CoqTrees:
    """The trees of a certificate's laws, as Coq terms.

    Attributes:
        terms: a term of the type `tree` for each data set.
        laws: its law.
        rows: what the terms name `weights_0`, `weights_1`, …: whole numbers.
        summed: the data sets whose program goes back to an earlier choice: their trees are one choice by the law.
    """

    def __init__(self, certificate: Mapping[str, Any]) -> None:
        """Convert.

        Raises:
            DeepTreeError: a tree is too deep.
        """
        self._named: dict[tuple[int, ...], int] = {}
        self._given = [tuple(Fraction(weight) for weight in row) for row in certificate["weights"]]
        self.terms: list[str] = []
        self.laws: list[Masses] = []
        self.summed: list[int] = []
        for place, law in enumerate(certificate["laws"]):
            masses = self._masses(law)
            self.laws.append(masses)
            nodes = law.get("tree", [])
            if any(node % KINDS == RESTART and node >= KINDS for node in nodes):
                self.summed.append(place)
            self.terms.append(
                self._one_choice(masses)
                if not nodes or place in self.summed
                else _Reader(nodes, [self._given[row] for row in law["rows"]], law["results"], self._row).term()
            )

    @property
    def rows(self) -> Sequence[tuple[int, ...]]:
        """The weights that the terms name."""
        return list(self._named)

    def _masses(self, law: Mapping[str, Any]) -> Masses:
        if "probabilities" in law:
            return {output: Fraction(p) for output, p in law["probabilities"]}
        masses = tree_masses([self._given[row] for row in law["rows"]], law["tree"])
        return dict(zip(law["results"], masses, strict=False))

    def _row(self, weights: Sequence[Fraction]) -> str:
        """The name of positive weights, once they are whole numbers without a common divisor."""
        scale = lcm(*(weight.denominator for weight in weights))
        whole = [int(weight * scale) for weight in weights]
        common = gcd(*whole)
        return f"weights_{self._named.setdefault(tuple(w // common for w in whole), len(self._named))}"

    def _one_choice(self, masses: Masses) -> str:
        positive = {output: mass for output, mass in sorted(masses.items()) if mass}
        results = "; ".join(f"Give {output}" for output in positive)
        return f"Choose {self._row(list(positive.values()))} [:: {results}]"


class _Reader:
    """Reads nodes in preorder into one term."""

    def __init__(self, nodes: Sequence[int], rows: Sequence[Sequence[Fraction]], results: Sequence[int], row: Any):
        self._nodes, self._results, self._row = iter(nodes), results, row
        self._rows = [[weight for weight in weights if weight] for weights in rows]

    def term(self) -> str:
        """The term of the whole tree."""
        return self._subtree(0, None)

    def _subtree(self, depth: int, met: set[int] | None) -> str:
        """The next subtree; inside an attempt its results are met by number, outside they are outputs."""
        if depth > _DEEPEST:
            raise DeepTreeError(f"a choice tree is more than {_DEEPEST} choices deep")
        value, kind = divmod(next(self._nodes), KINDS)
        if kind == CHOICE:
            weights = self._rows[value]
            return f"Choose {self._row(weights)} {self._branches(len(weights), depth, met)}"
        if kind == ATTEMPT:
            results: set[int] = set()
            body = self._subtree(depth + 1, results)
            return f"Attempt ({body}) {self._branches(len(results), depth, met)}"
        if kind == RESTART:
            return "Restart"
        if met is None:
            return f"Give {self._results[value]}"
        met.add(value)
        return f"Give {value}"

    def _branches(self, count: int, depth: int, met: set[int] | None) -> str:
        return f"[:: {'; '.join(self._subtree(depth + 1, met) for _ in range(count))}]"
