"""The shares of queries that the published code of the 2020 Census gave to each level, by the name of its strategy.

Source: U.S. Census Bureau, DAS_2020_Redistricting_Production_Code, programs/strategies (a work of the United States
government). Each row of a level sums to exactly 1.
"""

from collections.abc import Mapping
from fractions import Fraction

_QUERIES = (
    "total", "cenrace", "hispanic", "votingage", "hhinstlevels", "hhgq", "hispanic * cenrace", "votingage * cenrace",
    "votingage * hispanic", "votingage * hispanic * cenrace", "detailed",
)  # fmt: skip


def _shares(denominator: int, *numerators: int) -> dict[str, Fraction]:
    """The positive shares by query; without the total where there is one number less than there are queries."""
    queries = _QUERIES[len(_QUERIES) - len(numerators) :]
    return {query: Fraction(number, denominator) for query, number in zip(queries, numerators, strict=True)}


STRATEGIES: Mapping[str, Mapping[str, Mapping[str, Fraction]]] = {
    "ProductionCandidate20210527US_mult8_add02_dsepJune3": {
        "US": _shares(4097, 52, 26, 26, 26, 26, 130, 130, 26, 442, 3213),
        "State": _shares(4097, 3773, 6, 6, 6, 6, 6, 12, 12, 6, 34, 230),
        "County": _shares(4097, 3126, 10, 10, 10, 10, 10, 28, 28, 10, 101, 754),
        "Tract": _shares(4102, 1567, 8, 5, 5, 5, 5, 1933, 20, 5, 67, 482),
        "Block_Group": _shares(4099, 1705, 3, 3, 3, 3, 3, 1055, 9, 3, 24, 1288),
        "Block": _shares(4097, 5, 9, 5, 5, 5, 5, 21, 21, 5, 71, 3945),
    }
}
"""By strategy, level and query."""
