"""A mechanism of a `Source`, or of no generator, which is run as it is."""

import copy
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from stirred.mechanisms.draws.zone_mass import learn_masses, told_masses
from stirred.mechanisms.generators.kinds import SOURCE, GeneratorPlace
from stirred.mechanisms.source import Source


class NativeMechanism:
    """A mechanism, on one data set after another.

    Args:
        function: of a data set, a source where it takes one, and its parameters.
        parameters: its own.
        place: where it takes the source.
    """

    kind = SOURCE
    kinds: Mapping[str, str] = {}
    told: Sequence[str] = ()
    has_doubles = False

    def __init__(self, function: Callable[..., Any], parameters: Mapping[str, Any], place: GeneratorPlace) -> None:
        self._function = function
        self._parameters = parameters
        self._place = place
        self._known = 0

    def told_to_copies(self) -> list[Any]:
        """What a copy of this process can use that comes later: probabilities of what noise was compared with."""
        return told_masses(self._known)

    def learn(self, told: Sequence[Any]) -> None:
        """Know from now on what a copy has told."""
        self._known = learn_masses(told)

    def program(self, point: Any) -> Callable[[Source], Any]:
        """The mechanism on a data set; of a function whose second argument is a source nothing but that call."""
        if self._place == GeneratorPlace(SOURCE) and _is_fixed(point):
            return partial(self._function, point, **self._parameters)
        return partial(self._called, point)

    def _called(self, point: Any, source: Source) -> Any:
        point = point if _is_fixed(point) else copy.deepcopy(point)
        if self._place.name:
            return self._function(point, **{self._place.name: source}, **self._parameters)
        taken = () if self._place.name == "" else (source,)
        return self._function(point, *taken, **self._parameters)


def _is_fixed(point: Any) -> bool:
    """Whether no run can change a data set for the next."""
    return isinstance(point, (int, str, bytes, Fraction)) or (type(point) is tuple and all(map(_is_fixed, point)))
