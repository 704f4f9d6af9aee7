"""SafeTab-P and SafeTab-H, which released the 2020 Census Detailed DHC-A and Detailed DHC-B, on small tables.

`groups` says in which population groups a record is, `statistics` what is counted of a group, `settings` what is
public, `tally` has the true counts, `release` the two stages. The published settings determine the budget of each
population group level (a geography and an iteration level; for SafeTab-H in the tables t3 and t4), that a budget of 0
releases nothing, the share of stage 1 (SafeTab-P alone), how many race codes a record has at most, the privacy
definition, whether negative counts are published, and the chance with which a zero is suppressed (SafeTab-P alone).
They do not determine, in brackets the option with its default:

- which race and ethnicity codes make which iteration of level 1 and 2 (`race_iterations`, `ethnicity_iterations`: none
  in either level, so that the caller gives them);
- whether iterations are of a race alone, or alone or in combination, and so how many of them a record is in
  (`membership`: "both");
- which of more race codes than the most count (the first ones);
- how noise is calibrated to the groups of a record: to their number, each with one row of it, or to that many rows
  wherever they fall (`calibration`: "groups");
- which statistics levels a group can get (`statistics`: "detailed") and at which noisy counts (`thresholds`: 500, 1000
  and 7000 in every level);
- the share of stage 1 in SafeTab-H, or whether it decides by a count that is released already (`stage_1_fraction`: that
  of SafeTab-P, 1/10);
- whether stage 1's count is released, or averaged with stage 2's (no);
- whether some iterations have their total alone, without stage 1 (none);
- which counts the suppression of zeros is about, and its rule (`suppressed`: totals that are no more than the quantile
  of stage 2's noise);
- which entities there are of each geography (`entities`: none, so that the caller gives them), and whether one record
  can lie in two of one geography (it cannot).
"""

from stirred.mechanisms.das.safetab.groups import CALIBRATIONS, MEMBERSHIPS, HouseholdRecord, PersonRecord
from stirred.mechanisms.das.safetab.release import NoisyStatistic, nonnegative_counts, safetab, suppressed
from stirred.mechanisms.das.safetab.settings import SafeTabSettings
from stirred.mechanisms.das.safetab.statistics import STATISTICS, StatisticsLevel
from stirred.mechanisms.das.safetab.tally import Tally, tallies

__all__ = [
    "CALIBRATIONS",
    "MEMBERSHIPS",
    "STATISTICS",
    "HouseholdRecord",
    "NoisyStatistic",
    "PersonRecord",
    "SafeTabSettings",
    "StatisticsLevel",
    "Tally",
    "nonnegative_counts",
    "safetab",
    "suppressed",
    "tallies",
]
