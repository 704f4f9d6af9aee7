"""What every detector answers: a name, and two lines for what it finds in one claim or in two beside each other.

Each finding is of exact laws on listed data sets: sizes, a pair of data sets and exact losses. No detector decides a
verdict: a claim may state a weaker specification openly.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

from stirred.spec.blocks.input_premetric import Distance, InputPremetric
from stirred.spec.blocks.multiverse import Multiverse, components, vacuous
from stirred.spec.blocks.specification import Flavor
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import OutputPremetric
from stirred.verify.audit.compared_claims import ComparedClaims, reading
from stirred.verify.engines.algebra.corners import BLOCKS, CLAIMED, HONEST, Corner
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.account import Account
from stirred.verify.laws.claim.budget import ClaimedBudget

MAX_EXAMINED = 256
"""The most data sets of a domain that detectors look at: they compare all pairs, inside and outside of universes."""

Step = tuple[Any, Any, Distance]
"""Two data sets with the smaller of d(x, x') and d(x', x)."""


@dataclass(frozen=True)
class Detection:
    """What was found, in two lines.

    Attributes:
        found: the sizes, with a pair of data sets and exact losses.
        meaning: what follows from it for the number that is claimed.
    """

    found: str
    meaning: str

    def lines(self, name: str, scope: str) -> tuple[tuple[str, Evidence], ...]:
        """The two lines as findings, "weakening" and "meaning", neither of which decides anything."""
        found = Evidence(Verdict.EXHAUSTED, scope, f"{name}: {self.found}")
        return ("weakening", found), ("meaning", Evidence(Verdict.OPEN, "what the number means", self.meaning))


@dataclass(frozen=True)
class ExaminedClaim:
    """A claim whose mechanism's exact law is known on every data set of its domain.

    Attributes:
        flavor: the first four blocks.
        laws: by data set.
        budget: how much; None where it is not stated in numbers.
    """

    flavor: Flavor
    laws: Mapping[Any, Law[Any]]
    budget: ClaimedBudget | None

    @cached_property
    def near(self) -> tuple[Step, ...]:
        """The pairs of data sets at a finite distance, in the order of the domain."""
        pairs = ((x, y, self.distance(x, y)) for x, y in combinations(self.flavor.domain, 2))
        return tuple(step for step in pairs if step[2] is not None)

    @cached_property
    def compared(self) -> tuple[Step, ...]:
        """Those of them that share a universe."""
        compares = self.flavor.multiverse.compares
        return tuple(step for step in self.near if compares(step[0], step[1]))

    @cached_property
    def comparable(self) -> tuple[frozenset[Any], ...]:
        """The classes [x] of data sets that the claim relates to each other, explicitly or along a path.

        Source: dissertation, Definition A.1.1.
        """
        linked = {(x, y) for x, y, _ in self.compared}
        return components(self.flavor.domain.points, lambda x, y: (x, y) in linked)

    def distance(self, x: Any, y: Any) -> Any:
        """The smaller of d(x, x') and d(x', x) that is finite: with a symmetric D_Pr the smaller one binds."""
        d = self.flavor.input_premetric
        return min((n for n in (d(x, y), d(y, x)) if n is not None), default=None)

    def loss(
        self,
        *,
        multiverse: Multiverse | None = None,
        input_premetric: InputPremetric | None = None,
        output_premetric: OutputPremetric | None = None,
    ) -> Corner | None:
        """The smallest budget, with a pair that needs it, under these blocks in place of the claim's.

        None where the output premetric has no exact distances, or none of two budgets need be the larger.
        """
        measure = output_premetric or self.flavor.output_premetric
        if not measure.is_exact or not measure.has_largest_budget:
            return None
        universes = multiverse or self.flavor.multiverse
        flavor = Flavor(self.flavor.domain, universes, input_premetric or self.flavor.input_premetric, measure)
        return Corner(HONEST * len(BLOCKS), *ComparedLaws(self.laws, flavor).largest_need(universes))

    @cached_property
    def own_loss(self) -> Corner | None:
        """The smallest budget under the claim's own blocks."""
        return self.loss()

    def loss_of_all(self) -> Corner | None:
        """The smallest budget with all data sets in one universe."""
        return self.loss(multiverse=vacuous(self.flavor.domain))


@dataclass(frozen=True)
class ExaminedPair:
    """Two claims about one mechanism with the exact losses of their mixtures."""

    claims: ComparedClaims
    corners: Mapping[str, Corner]

    @cached_property
    def honest(self) -> ExaminedClaim:
        """The first claim on its own domain."""
        return self._side(HONEST, HONEST)

    @cached_property
    def claimed(self) -> ExaminedClaim:
        """The second claim on its own domain."""
        return self._side(CLAIMED, CLAIMED)

    @cached_property
    def claimed_on_honest(self) -> ExaminedClaim | None:
        """The second claim's multiverse and distances on the first one's domain, with the laws there.

        None where one of them has no meaning there.
        """
        side = self.claims.sides[HONEST]
        is_defined = CLAIMED in side.multiverses and CLAIMED in side.input_premetrics
        return self._side(HONEST, CLAIMED) if is_defined else None

    def _side(self, on: str, blocks: str) -> ExaminedClaim:
        side = self.claims.sides[on]
        measure = self.claims.measures[blocks]
        flavor = Flavor(side.domain, side.multiverses[blocks], side.input_premetrics[blocks], measure)
        return ExaminedClaim(flavor, side.laws, self.claims.budgets[blocks])

    def differs_in(self, block: str) -> bool:
        """Whether the two claims differ in a block."""
        return block in self.claims.differing

    def corner(self, *exchanged: str) -> Corner:
        """The first claim's loss with these blocks taken from the second one."""
        return self.corners["".join(CLAIMED if block in exchanged else HONEST for block in BLOCKS)]

    @property
    def joined(self) -> tuple[tuple[Law[Any], Law[Any]], ...]:
        """The two laws of every data set that both claims are about."""
        claims = self.claims
        honest, claimed = claims.sides[HONEST], claims.sides[CLAIMED]
        if claims.recording is not None:
            return tuple((honest.laws[x], claimed.laws[claims.recording(x)]) for x in honest.domain)
        shared = claimed.domain if claims.is_part else honest.domain
        return tuple((honest.laws[x], claimed.laws[x]) for x in shared)


InClaim = Callable[[ExaminedClaim], Iterable[Detection]]
InAccount = Callable[[Account], Iterable[Detection]]
InPair = Callable[[ExaminedPair], Iterable[Detection]]


def _nothing(_: Any) -> Iterable[Detection]:
    return ()


@dataclass(frozen=True)
class Detector:
    """One way in which a budget gets smaller without more noise.

    Attributes:
        name: in a word or two, as findings carry it.
        in_pair: what two claims about one mechanism show beside each other.
    """

    name: str
    in_claim: InClaim = _nothing
    in_pair: InPair = _nothing
    in_account: InAccount = _nothing


def newly(in_claim: InClaim) -> InPair:
    """What the second claim of two shows and the first one does not."""

    def found(pair: ExaminedPair) -> Iterator[Detection]:
        if not any(in_claim(pair.honest)):
            yield from in_claim(pair.claimed)

    return found


def shown(corner: Corner, *, with_pair: bool = True) -> str:
    """The loss of a corner, with the pair of data sets that needs it."""
    where = f" ({data_sets(*corner.pair)})" if with_pair and corner.pair is not None else ""
    return f"{reading(corner)}{where}"


def data_sets(x: Any, y: Any) -> str:
    """Two data sets by name.

    >>> data_sets(0, (1, 2))
    "x = 0, x' = (1, 2)"
    """
    return f"x = {x}, x' = {y}"
