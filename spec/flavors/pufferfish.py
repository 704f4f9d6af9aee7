"""Pufferfish: what attackers may infer about conjectures, as one more specification on another domain.

An instantiation ε-PufferFish(𝔻, 𝕊) has the same five blocks as every specification. Where they differ:

- domain: Θ, the laws of the data set (beliefs), takes the place of 𝒳. Only the conditionals θ*|E of attackers θ* in 𝔻
  given conjectures E in 𝕊 are at a finite distance from another law, so that these are listed.
- multiverse: {Θ}; what is not compared is at distance ∞ instead.
- input premetric: d_{𝔻,𝕊}(θ, θ'), the fewest steps from θ to θ', where a step joins θ*|E and θ*|E' for one attacker θ*
  and one pair (E, E') of 𝕊; a metric with values in {0, 1, …, ∞}.
- output premetric and budget: D_Mult and ε.

What satisfies it is θ ↦ P(T ∈ · | θ) = Σ_x θ(x)·P_x, the data-provision procedure, where elsewhere it is x ↦ P_x.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeVar

from stirred.spec.arguments import InputError, suggestion
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import InputPremetric, explicit, sharpen
from stirred.spec.blocks.multiverse import vacuous
from stirred.spec.blocks.specification import Flavor, InputBlocks, Specification
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Multiplicative

Outcome = TypeVar("Outcome", bound=Hashable)

_GIVEN = " | "
"""Between an attacker and a conjecture in the name of a belief: "sceptic | first is ill"."""

_SAME = " = "
"""Between the names of conditionals that are one law, and so one point of Θ."""

RESOLUTION = "pair of competing conjectures"
"""What one step of the path metric is."""


def conditional(prior: Law[Any], event: Collection[Any]) -> Law[Any] | None:
    """θ|E, the law of X given that X ∈ E; None where θ(E) = 0, for which a finite law has no conditional.

    Source: dissertation, section 5.7 and note 10.

    >>> print(conditional(Law({0: Fraction(1, 4), 1: Fraction(1, 4), 2: Fraction(1, 2)}), {1, 2}))
    Law({1: Fraction(1, 3), 2: Fraction(2, 3)})
    """
    kept = {x: prior.numeric(x) for x in prior if x in event}
    total = sum(kept.values(), Fraction(0))
    return Law({x: mass / total for x, mass in kept.items()}) if total else None


@dataclass(frozen=True)
class Pufferfish:
    """An instantiation (𝔻, 𝕊) without its budget.

    Attributes:
        attackers: 𝔻, by name: what each believes of the data set beforehand.
        conjectures: events of the data set, by name.
        pairs: 𝕊, the pairs of competing conjectures, by their names; (E, E') stands for (E', E) too, D_Mult being
            symmetric.
        leaves_out_undefined: whether a pair with a conjecture to which an attacker gives probability 0 is left out for
            this attacker, as Definition 5.7.3 does; unless it is said, such a pair is refused.

    Source: dissertation, Definitions 5.7.1 to 5.7.3.

    >>> sceptic = Law({"ill": Fraction(1, 10), "well": Fraction(9, 10)})
    >>> p = Pufferfish({"sceptic": sceptic}, {"yes": {"ill"}, "no": {"well"}}, (("yes", "no"),))
    >>> p.premetric("sceptic | yes", "sceptic | no")
    Fraction(1, 1)
    """

    attackers: Mapping[str, Law[Any]]
    conjectures: Mapping[str, Collection[Any]]
    pairs: Sequence[tuple[str, str]]
    leaves_out_undefined: bool = False

    def __post_init__(self) -> None:
        for kind, given in (("attacker", self.attackers), ("pair of competing conjectures", self.pairs)):
            if not given:
                raise InputError(f"a Pufferfish instantiation must have at least one {kind}; got none")
        for name in (*self.attackers, *self.conjectures):
            if not name.strip() or not name.isprintable() or {"|", "="} & set(name):
                raise InputError(f"attackers and conjectures must have printable names without | and =; got {name!r}")
        paired = dict.fromkeys(name for pair in self.pairs for name in pair)
        for name in paired:
            if name not in self.conjectures:
                near = suggestion(name, [*self.conjectures])
                raise InputError(f"pairs must name conjectures; {name!r} is none: {near}")
        for name in self.conjectures:
            if name not in paired:
                raise InputError(f"every conjecture must be in a pair, or nothing is claimed about it; {name!r} is not")
        if not self.leaves_out_undefined:
            for attacker, conjecture in self.undefined:
                raise InputError(
                    f"the conditional of attacker {attacker!r} given {conjecture!r} is undefined: the attacker gives "
                    "this conjecture probability 0"
                )

    @cached_property
    def _conditionals(self) -> dict[tuple[str, str], Law[Any] | None]:
        return {
            (attacker, conjecture): conditional(prior, event)
            for attacker, prior in self.attackers.items()
            for conjecture, event in self.conjectures.items()
        }

    @property
    def undefined(self) -> tuple[tuple[str, str], ...]:
        """The attackers with the conjectures to which they give probability 0."""
        return tuple(names for names, law in self._conditionals.items() if law is None)

    @cached_property
    def _joined(self) -> tuple[tuple[tuple[str, str], tuple[str, str]], ...]:
        """The pairs of conditionals that a step joins, both of them defined."""
        found = (((a, one), (a, other)) for a in self.attackers for one, other in self.pairs)
        return tuple(pair for pair in found if all(self._conditionals[name] is not None for name in pair))

    @cached_property
    def _names(self) -> dict[Law[Any], str]:
        """The name of each law that a step joins to another, or to itself; equal conditionals are one point of Θ."""
        named: dict[Law[Any], list[str]] = {}
        for name in dict.fromkeys(name for pair in self._joined for name in pair):
            named.setdefault(self._law(name), []).append(_GIVEN.join(name))
        return {law: _SAME.join(names) for law, names in named.items()}

    def _law(self, name: tuple[str, str]) -> Law[Any]:
        law = self._conditionals[name]
        if law is None:
            raise InputError(f"the conditional of attacker {name[0]!r} given {name[1]!r} is undefined")
        return law

    @cached_property
    def beliefs(self) -> Mapping[str, Law[Any]]:
        """The laws of Θ that a step joins to others, by name."""
        return {name: law for law, name in self._names.items()}

    @cached_property
    def steps(self) -> frozenset[tuple[str, str]]:
        """The pairs of different beliefs at distance 1, in both directions."""
        names = ((self._names[self._law(one)], self._names[self._law(other)]) for one, other in self._joined)
        return frozenset(pair for one, other in names if one != other for pair in ((one, other), (other, one)))

    @cached_property
    def domain(self) -> FiniteDomain:
        """The beliefs as the points of a domain."""
        if not self.beliefs:
            raise InputError("some pair of conjectures must have conditionals for some attacker; all are undefined")
        return FiniteDomain(tuple(self.beliefs), "beliefs (attacker | conjecture)", count_records=lambda _: 0)

    @cached_property
    def premetric(self) -> InputPremetric:
        """d_{𝔻,𝕊}: the fewest steps between two beliefs, ∞ where no path joins them."""
        step = explicit(dict.fromkeys(self.steps, 1), RESOLUTION, name="pufferfish")
        lengths = sharpen(step, self.domain)
        return InputPremetric("pufferfish", RESOLUTION, lengths.distance)

    @property
    def blocks(self) -> InputBlocks:
        """Domain, multiverse and input premetric."""
        return InputBlocks(self.domain, vacuous(self.domain), self.premetric)

    @property
    def flavor(self) -> Flavor:
        """The first four blocks."""
        return Flavor(self.domain, vacuous(self.domain), self.premetric, Multiplicative())

    def specification(self, budget: Any) -> Specification:
        """ε-PufferFish(𝔻, 𝕊)."""
        return Specification.constant(self.flavor, budget)

    def provided(self, laws: Mapping[Any, Law[Outcome]]) -> dict[Any, Law[Outcome]]:
        """P(T ∈ · | θ) = Σ_x θ(x)·P_x for every belief θ.

        Args:
            laws: P_x by data set x, for every x to which some belief gives positive probability.

        Source: dissertation, (5.15).
        """
        return {name: belief.bind(laws.__getitem__) for name, belief in self.beliefs.items()}
