"""What a Coq file names: laws as choice trees with whole numbers for weights, and rational bounds on e^(ε·d).

The arithmetic of `exponential_bound.v` stands here a second time, in integers, so that a file only names bounds that
Coq will accept: below the power for a budget that is met, above it for one that is exceeded.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any

from stirred.mechanisms.interpreters.choice_path import ATTEMPT, CHOICE, KINDS, RESTART
from stirred.mechanisms.interpreters.choice_tree import tree_masses

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


_BITS = (2, 4, 8, 16, 32, 64, 128, 256)
_MOST_NATS, _MOST_BITS = 2_000, 1 << 18
_SQUARINGS = (16, 32, 64, 128, 256, 512)


@dataclass(frozen=True)
class BudgetPower:
    """e^(ε·d) for a budget ε that is a rational number, or ln(γ)/k.

    Attributes:
        epsilon: ε, where it is rational; else None.
        gamma: γ >= 1, where ε = ln(γ)/k; else not used.
        root: k.
    """

    epsilon: Fraction | None
    gamma: Fraction = Fraction(1)
    root: int = 1

    def is_large(self, d: Fraction) -> bool:
        """Whether e^(ε·d) takes too long to write out, for Coq too.

        >>> BudgetPower(None, Fraction(2)).is_large(Fraction(10**6)), BudgetPower(Fraction(1, 2)).is_large(Fraction(9))
        (True, False)
        """
        if self.epsilon is not None:
            return self.epsilon * d > _MOST_NATS
        roots = self.root * d.denominator * _BITS[-1]
        return self.gamma.numerator.bit_length() * d.numerator + roots > _MOST_BITS

    def below(self, d: Fraction) -> Iterator[Fraction]:
        """Rationals at most e^(ε·d): itself where it is rational, else nearer and nearer ones of few digits.

        >>> list(BudgetPower(None, Fraction(9), 2).below(Fraction(3)))
        [Fraction(27, 1)]
        >>> next(BudgetPower(Fraction(4, 5)).below(Fraction(1)))
        Fraction(2, 1)
        """
        exact = self._exact(d)
        if exact is not None:
            yield exact
            return
        for bits in _BITS:
            yield Fraction(self._floor(d, bits), 1 << bits)

    def above(self, d: Fraction) -> Iterator[Fraction]:
        """Rationals at least e^(ε·d): itself where it is rational, else nearer and nearer ones of few digits."""
        exact = self._exact(d)
        if exact is not None:
            yield exact
            return
        for bits in _BITS:
            yield Fraction(self._floor(d, bits) + 2, 1 << bits)

    def is_shown(self, k: int, d: Fraction, g: Fraction, *, is_below: bool) -> bool:
        """What `at_least` of the Coq checker says of g with k squarings, or `at_most`."""
        if self.epsilon is None:
            m = self.root * d.denominator
            return g**m <= self.gamma**d.numerator if is_below else g**m >= self.gamma**d.numerator
        u, v = self._exponent(d)
        if is_below:
            return g <= Fraction(_exp_lower(k, u, v), 1 << 2 * k)
        return u < v << k and g >= Fraction(_exp_upper(k, u, v), 1 << 2 * k)

    def _exponent(self, d: Fraction) -> tuple[int, int]:
        epsilon = self.epsilon or Fraction(0)
        return epsilon.numerator * d.numerator, epsilon.denominator * d.denominator

    def _exact(self, d: Fraction) -> Fraction | None:
        """The power itself where it is rational: of γ by an exact root."""
        if self.epsilon is not None:
            return None if self.epsilon * d else Fraction(1)
        m, power = self.root * d.denominator, self.gamma**d.numerator
        found = Fraction(_root(power.numerator, m), _root(power.denominator, m))
        return found if found**m == power else None

    def _floor(self, d: Fraction, bits: int) -> int:
        """A whole number at most e^(ε·d)·2^bits, and above it less 2."""
        if self.epsilon is None:
            m, power = self.root * d.denominator, self.gamma**d.numerator
            return _root((power.numerator << bits * m) // power.denominator, m)
        u, v = self._exponent(d)
        k = bits + 32 + 4 * (u // v + 1).bit_length() + 2 * (u // v)
        return _exp_lower(k, u, v) >> 2 * k - bits


def squarings(power: BudgetPower, bounds: Sequence[tuple[Fraction, Fraction]], *, is_below: bool) -> int | None:
    """The fewest squarings, of a short list, with which Coq shows every bound (d, g); None where none of them does."""
    return next(
        (k for k in _SQUARINGS if all(power.is_shown(k, d, g, is_below=is_below) for d, g in bounds)),
        None,
    )


def _exp_lower(k: int, u: int, v: int) -> int:
    """At most e^(u/v)·2^(2k): 1 + y at y = u/(v·2^k), rounded down and squared k times."""
    y = (1 << 2 * k) + (u << 2 * k) // (v << k)
    for _ in range(k):
        y = y * y >> 2 * k
    return y


def _exp_upper(k: int, u: int, v: int) -> int:
    """At least e^(u/v)·2^(2k): 1/(1 - y) at y = u/(v·2^k) < 1, rounded up and squared k times."""
    y = ((v << k) << 2 * k) // ((v << k) - u) + 1
    for _ in range(k):
        y = (y * y >> 2 * k) + 1
    return y


def _root(whole: int, degree: int) -> int:
    """The largest integer whose power of a degree is at most a whole number >= 0."""
    low, high = 0, 1 << (whole.bit_length() // degree + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= whole else (low, middle)
    return low
