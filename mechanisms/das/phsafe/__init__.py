"""PHSafe, which released the 2020 Census Supplemental Demographic and Housing Characteristics File.

The program: `records` has the rows, `households` makes units of the persons, `tabulations` has the tables, `algorithms`
the paper's Algorithms 1 to 5, `release` the nine runs and what is derived from them. On files of real size:
`published` has the released schema, `statements` the steps in SQL; `mechanisms.fast` the published settings and what is
released (`phsafe_settings`, `phsafe_tables`). Sexton et al. (2024) is "PHSafe" below.
"""

from stirred.mechanisms.das.phsafe.algorithms import Measurement, truncate_and_join, truncated, unique_units
from stirred.mechanisms.das.phsafe.households import HOUSEHOLDERS, derived_tables
from stirred.mechanisms.das.phsafe.records import BasePerson, Person, RaceEth, Unit
from stirred.mechanisms.das.phsafe.release import NoisyCount, Settings, derived_counts, measurements, phsafe

__all__ = [
    "HOUSEHOLDERS",
    "BasePerson",
    "Measurement",
    "NoisyCount",
    "Person",
    "RaceEth",
    "Settings",
    "Unit",
    "derived_counts",
    "derived_tables",
    "measurements",
    "phsafe",
    "truncate_and_join",
    "truncated",
    "unique_units",
]
