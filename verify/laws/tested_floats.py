"""Laws in which an outcome stands for floats that were not tested: a part of a continuous law, never the whole."""

from collections.abc import Mapping
from typing import Any

from stirred.mechanisms.generators.outputs import UNTESTED
from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Law


def is_partial(laws: Mapping[Any, Law[str]]) -> bool:
    """Whether an outcome stands for floats that were not tested.

    >>> is_partial({0: Law({"'float untested'": 1})})
    True
    """
    return any(UNTESTED in outcome for outcome in set().union(*laws.values()))


def refuse_partial(laws: Mapping[Any, Law[str]], place: str) -> None:
    """Refuse laws of which some values are merged."""
    if is_partial(laws):
        raise untested_floats(place)


def untested_floats(place: str, more: str = "") -> InputError:
    """What refuses a mechanism whose output is such a float."""
    return InputError(
        f"{place}: an output is a float from a continuous draw, whose values are too many to be compared{more}: audit "
        "it with --sampled, or round the output"
    )
