"""All studies, in the order in which they are listed."""

from __future__ import annotations

from verify.studies.budgets import BUDGETS
from verify.studies.psa import PSA
from verify.studies.study import Study
from verify.studies.swapping.study import SWAPPING
from verify.studies.topdown.study import TOPDOWN

__all__ = ["STUDIES"]

STUDIES: tuple[Study, ...] = (PSA, SWAPPING, TOPDOWN, BUDGETS)
"""Each is run by `stirred study NAME`."""
