"""Which cases are tried with every change and which at night alone."""

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

AT_NIGHT = "STIRRED_SEED" in os.environ
"""Whether `.ci/nightly` runs the tests."""


def examples(number: int, *, at_night: int) -> settings:
    """So many random cases with every change, and more of them at night."""
    return settings(max_examples=at_night if AT_NIGHT else number)


def few(cases: Iterable[Any], kept: int = 1) -> list[Any]:
    """The first cases, and the others, which differ in what a change rarely breaks alone, marked nightly.

    A case is a tuple where it has several names.
    """
    cases = list(cases)
    return cases[:kept] + [
        pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=pytest.mark.nightly) for one in cases[kept:]
    ]
