"""The largest power as a linear program over all mechanisms: exact, with a certificate, on small domains.

The unknowns are the probabilities P_z(t) of every data set z of a graph and every outcome t. The constraints say that
they are laws, that neighbours differ by factors of at most γ, and that the test which rejects the first half of the
outcomes has level α at x. The objective is its power at x'. That the power is at most b is a combination of the
constraints, and its multipliers are the certificate; where b is too small there is a mechanism with more power.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

from stirred.spec.arguments import Exact, InputError, exact, integer, probability
from stirred.verify.engines.algebra.linear_program import Implication, implied

_MOST = 200

Name = tuple[str | int, ...]

Row = tuple[Fraction, ...]


@dataclass(frozen=True)
class PowerProgram:
    """A test of x against x' under a budget of ln γ for each edge of a graph, over all mechanisms.

    Attributes:
        edges: pairs of data sets at distance 1, by number from 0.
        outcomes: how many outcomes a mechanism has, at least 2; those below the half of it are rejected.
    """

    edges: Sequence[tuple[int, int]]
    ends: tuple[int, int]
    outcomes: int
    alpha: Exact
    gamma: Exact

    def __post_init__(self) -> None:
        probability("alpha", self.alpha)
        exact("gamma", self.gamma)
        integer("outcomes", self.outcomes, minimum=2)
        if self.size > _MOST:
            raise InputError(f"there must be at most {_MOST} unknowns; got {self.size}")

    @property
    def size(self) -> int:
        return (1 + max(max(edge) for edge in (*self.edges, self.ends))) * self.outcomes

    @cached_property
    def constraints(self) -> Mapping[Name, tuple[Row, Fraction]]:
        """Rows a and bounds b of the constraints a·p ≤ b, by name.

        ("step", x, y, t): P_x(t) ≤ γ P_y(t); ("law", z, s): s ΣP_z(t) ≤ s, for s = ±1; ("least", z, t): P_z(t) ≥ 0;
        ("level", x): the test has level α at x.
        """
        count, zero = self.outcomes, Fraction(0)
        found: dict[Name, tuple[Row, Fraction]] = {}
        for x, y, t in self._steps():
            found["step", x, y, t] = self._row({x * count + t: 1, y * count + t: -Fraction(self.gamma)}, zero)
        for z, sign in product(range(self.size // count), (1, -1)):
            found["law", z, sign] = self._row({z * count + t: sign for t in range(count)}, Fraction(sign))
        for place in range(self.size):
            found["least", *divmod(place, count)] = self._row({place: -1}, zero)
        found["level", self.ends[0]] = self._row(self._rejected(self.ends[0]), Fraction(self.alpha))
        return found

    @property
    def objective(self) -> Row:
        return self._row(self._rejected(self.ends[1]), Fraction(0))[0]

    def limited_by(self, bound: Exact) -> Implication:
        """Whether every mechanism has at most this power: the multipliers that show it, or a mechanism with more.

        >>> path = PowerProgram([(0, 1), (1, 2)], (0, 2), 2, Fraction(1, 5), 2)
        >>> path.limited_by(Fraction(7, 10)).point is None, path.limited_by(Fraction(69, 100)).multipliers is None
        (True, True)
        """
        rows, bounds = zip(*self.constraints.values(), strict=True)
        return implied(rows, bounds, self.objective, exact("bound", bound))

    def _steps(self) -> list[tuple[int, int, int]]:
        both = [(x, y) for edge in self.edges for x, y in (edge, edge[::-1])]
        return [(x, y, t) for x, y in both for t in range(self.outcomes)]

    def _rejected(self, z: int) -> Mapping[int, Exact]:
        return dict.fromkeys((z * self.outcomes + t for t in range(self.outcomes // 2)), 1)

    def _row(self, entries: Mapping[int, Exact], bound: Fraction) -> tuple[Row, Fraction]:
        return tuple(Fraction(entries.get(place, 0)) for place in range(self.size)), bound
