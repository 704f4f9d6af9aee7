"""Names of the language of cases that Python has not: a sentence imports them from here, and is read, not called.

oo is above every number. `get(pairs, key, default)` is a map's entry, `items(pairs)` its pairs, `subsets(values)` all
sets of values, `derangements(n)` the number of permutations without a fixed point; ln, exp, sqrt and floor are exact,
or intervals rounded outward. The others are those of Python, of math and of itertools: see
`stirred.verify.evidence.certificates.case_arithmetic`.
"""

import builtins
import itertools
import math
from typing import Any, NoReturn

from stirred.mechanisms.swapping import permutation_counts
from stirred.verify.evidence.certificates.case_arithmetic import FUNCTIONS


class _Name:
    """A name of the language, which only its readers know how to compute."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name

    def __call__(self, *_: object) -> NoReturn:
        """Refuse: what Python would compute here is not exact."""
        raise TypeError(f"{self.name} belongs to the language of cases, in which sentences are read and not called")


oo: Any = _Name("oo")
get: Any = _Name("get")
items: Any = _Name("items")
subsets: Any = _Name("subsets")
ln: Any = _Name("ln")
exp: Any = _Name("exp")
sqrt: Any = _Name("sqrt")
floor: Any = _Name("floor")

_HOMES = (builtins, math, itertools, permutation_counts)


def name_in_language(name: str, known: object) -> str | None:
    """What the language calls what a module knows by a name; None where it is none of its functions."""
    if isinstance(known, _Name):
        return known.name
    is_same = name in FUNCTIONS and any(getattr(home, name, None) is known for home in _HOMES)
    return name if is_same and known is not None else None
