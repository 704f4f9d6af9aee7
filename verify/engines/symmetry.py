"""Symmetries of a mechanism: declared by its user, checked on every data set, then used to compare fewer pairs.

A bijection g of the data sets is a symmetry where it keeps distances and universes, and where one relabelling of the
outputs, the same for all x, takes P_x to P_gx. Then Equation (1) says of (gx, gx') what it says of (x, x'), since no
output premetric sees what outputs are called; so of the pairs (x, x') it is enough to take those whose x stands first
in its orbit.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.blocks.input_premetric import Neighbors, Order, Relation
from stirred.spec.blocks.specification import Flavor
from stirred.verify.engines.law_pairs import NumberedLaws
from stirred.verify.engines.universe_pairs import BlockPairs

_MOST_CELLS = 8_000_000
"""Probabilities, of all data sets and outputs, that are compared in one array."""


@dataclass(frozen=True)
class Generator:
    """One bijection of data sets; several of them generate the group of a declared symmetry.

    Attributes:
        moves_places: whether it moves records to other places; else it changes what each record says, equal records
            alike and different ones to different ones.
    """

    words: str
    image: Callable[[Any], Any]
    moves_places: bool

    def keeps(self, relation: Relation | None) -> bool:
        """Whether it is known to keep the distances that a neighbour relation gives.

        Those depend on which records are equal, and for data sets of one size in order, on where.
        """
        if relation is None:
            return False
        return not self.moves_places or relation.order is Order.UNORDERED or relation.neighbors is Neighbors.REPLACE_ONE


@dataclass(frozen=True)
class Symmetry:
    """What a user declares of a mechanism.

    Attributes:
        key: data sets with equal keys are one.
    """

    place: str
    words: str
    generators: tuple[Generator, ...]
    key: Callable[[Any], Hashable]

    def described(self, representatives: int, points: int) -> str:
        """What was checked and what it spares, in words for the scope."""
        checked = ", ".join(generator.words for generator in self.generators)
        return (
            f"x is one of {representatives} data sets, the first of each orbit under the declared symmetry "
            f"{self.words}, which was checked: on all {points} data sets it preserves distances and universes, and the "
            f"laws up to one relabelling of outputs, with {checked}"
        )


def orbit_representatives(symmetry: Symmetry, laws: NumberedLaws, flavor: Flavor, pairs: BlockPairs) -> frozenset[Any]:
    """The first data set of each orbit of a symmetry, which is checked."""
    points = flavor.domain.points
    by_key = {symmetry.key(point): point for point in points}
    images: list[dict[Any, Any]] = []
    for generator in symmetry.generators:
        image = {point: by_key.get(symmetry.key(generator.image(point))) for point in points}
        for point, other in image.items():
            if other is None:
                raise _false(symmetry, generator, f"x = {point!r} becomes {generator.image(point)!r}, no data set")
        _check_universes(symmetry, generator, image, flavor)
        if not generator.keeps(flavor.input_premetric.relation):
            _check_distances(symmetry, generator, image, flavor, pairs)
        _check_laws(symmetry, generator, image, laws)
        images.append(image)
    return _firsts(points, images)


def _false(symmetry: Symmetry, generator: Generator, what: str) -> InputError:
    return InputError(f"{symmetry.place}: {symmetry.words} must be a symmetry; with {generator.words} {what}")


def _check_universes(symmetry: Symmetry, generator: Generator, image: Mapping[Any, Any], flavor: Flavor) -> None:
    for universe in flavor.multiverse:
        for point in flavor.domain.ordered(universe):
            if image[point] not in universe:
                raise _false(symmetry, generator, f"x = {point!r} becomes {image[point]!r} of another universe")


def _check_distances(
    symmetry: Symmetry, generator: Generator, image: Mapping[Any, Any], flavor: Flavor, pairs: BlockPairs
) -> None:
    for universe in flavor.multiverse:
        listed = pairs.pairs_in(universe)
        points = listed.points
        place_of = {point: place for place, point in enumerate(points)}
        for place, point in enumerate(points):
            moved = dict(listed.row(place_of[image[point]]))
            for other, d in listed.row(place):
                if moved.get(place_of[image[points[other]]]) != d:
                    pair = f"x = {point!r}, x' = {points[other]!r}"
                    became = f"{image[point]!r}, {image[points[other]]!r}"
                    raise _false(symmetry, generator, f"{pair} at distance {d} become {became} at another one")


def _check_laws(symmetry: Symmetry, generator: Generator, image: Mapping[Any, Any], laws: NumberedLaws) -> None:
    """Refuse what changes the laws by more than one relabelling of the outputs.

    Outputs with the same probabilities on all data sets so far are one class; before and after, each class must have
    equally many of them.
    """
    if all(laws.numbers[point] == laws.numbers[other] for point, other in image.items()):
        return
    if len(image) * len(laws.places) <= _MOST_CELLS and _is_relabelling(image, laws):
        return
    classes: dict[tuple[int | None, int, int], int] = {}
    before: dict[Any, int] = {}
    after: dict[Any, int] = {}
    for place, (point, other) in enumerate(image.items()):
        counts = []
        for of, known in ((point, before), (other, after)):
            found = {
                outcome: classes.setdefault((known.get(outcome), place, number), len(classes))
                for outcome, number in laws.row(of).items()
            }
            known.update(found)
            counts.append(Counter(found.values()))
        if counts[0] != counts[1]:
            raise _false(
                symmetry,
                generator,
                f"x = {point!r} becomes x' = {other!r}, whose law is no relabelling of the law of x that also fits the "
                "data sets before it",
            )


def _is_relabelling(image: Mapping[Any, Any], laws: NumberedLaws) -> bool:
    """Whether the outputs' columns of probabilities, a row for each data set, are the same before and after."""
    columns = []
    for points in (image.keys(), image.values()):
        matrix = laws.matrix[[laws.numbers[point] for point in points]]
        columns.append(Counter(column.tobytes() for column in matrix.T))
    return columns[0] == columns[1]


def _firsts(points: Sequence[Any], images: Sequence[Mapping[Any, Any]]) -> frozenset[Any]:
    """The first point of each orbit: powers of a bijection of a finite set include its inverse."""
    firsts = []
    seen: set[Any] = set()
    for point in points:
        if point in seen:
            continue
        firsts.append(point)
        waiting = [point]
        while waiting:
            here = waiting.pop()
            if here not in seen:
                seen.add(here)
                waiting += [image[here] for image in images]
    return frozenset(firsts)
