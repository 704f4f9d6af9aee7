"""The dwellings of Massachusetts in the 1940 Census by county and tenure, rebuilt from article, Table 1.

The article swaps counties among dwellings with as many persons each; these numbers are not printed, so that here all
dwellings are one stratum.
"""

from collections import Counter

from stirred.mechanisms.swapping.permutation_swapping import SwapRecord
from stirred.verify.laws.claim.claim_numbers import rows

_TENURES = ("owned", "rented")


def dwellings() -> Counter[SwapRecord]:
    """The original data: one record (m, tenure, county) for each dwelling, all with the same m.

    >>> dwellings().total()
    1144424
    """
    return _records(swapped=False)


def swapped_dwellings() -> Counter[SwapRecord]:
    """The one swapped data set at p = 50% that Table 1 prints, as records of one stratum."""
    return _records(swapped=True)


def _records(*, swapped: bool) -> Counter[SwapRecord]:
    """Each county has two entries, "(1 of 2)" before and "(2 of 2)" after; the line of totals comes last."""
    entries = rows("massachusetts-1940.table-1")[int(swapped) : -2 : 2]
    counts = {entry.what.rpartition(" (")[0]: entry.inputs for entry in entries}
    return Counter(
        {
            ((), (tenure,), (county,)): int(inputs[tenure].value)
            for county, inputs in counts.items()
            for tenure in _TENURES
        }
    )
