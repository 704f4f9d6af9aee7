"""All studies, in the order in which they are listed."""

from stirred.verify.studies.budgets import BUDGETS
from stirred.verify.studies.price import PRICE
from stirred.verify.studies.psa import PSA
from stirred.verify.studies.study import Study
from stirred.verify.studies.swapping.study import SWAPPING
from stirred.verify.studies.topdown.study import TOPDOWN

STUDIES: tuple[Study, ...] = (PSA, SWAPPING, TOPDOWN, BUDGETS, PRICE)
"""Each is run by `stirred study NAME`."""
