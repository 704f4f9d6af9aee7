"""The budgets of queries that the published code of the 2020 Census gave, by the name of its strategy.

Of the redistricting runs a strategy states the shares of queries at each level; each row of a level sums to exactly 1.
Of the DHC runs it states the share of ρ² of each query at each level itself; the settings beside it leave the levels
empty, and their noise scale and split over levels are not used.

Source: U.S. Census Bureau, programs/strategies of DAS_2020_Redistricting_Production_Code and of
DAS_2020_DHC_Production_Code (works of the United States government).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

_PARTS = 10_000
"""The tables below are in ten-thousandths of ρ²."""

_OF_PERSONS = (
    "age_18_64_116 * relgq_4_groups",
    "age_18_64_116 * sex",
    "age_38_groups * sex",
    "hispanic * sex",
    "sex * relgq_4_groups",
    "gq_constr_groups * age_10_groups",
    "popSehsdTargetsRelship",
    "hispanic * sex * age_40_groups * relship_and_eight_level_GQ * cenrace",
    "relgq * age_40_groups * hispanic * cenrace * sex",
    "detailed",
)
_OF_UNITS = (
    "tenvacgq",
    "multig * hisp * hhtenshort_2lev",
    "hisp * hhtenshort_2lev",
    "hisp * hhtenshort_2lev * race",
    "partner_type_detailed_own_child_status * sex * hhtenshort_2lev",
    "coupled_hh_type * hisp * hhtenshort_2lev",
    "sex * hisp * hhtenshort_3lev * race * DetailedCoupleTypeMultGenDetOwnChildSize",
    "sex * hisp * hhtenshort_3lev * race * hhage * DetailedCoupleTypeMultGenDetOwnChildSize",
    "hhtenshort_3lev * hhage * DetailedCoupleTypeMultGenDetOwnChildSize",
    "detailed",
)


@dataclass(frozen=True)
class DhcStrategy:
    """What a run spends on each query.

    Attributes:
        record: what one record of its table is.
        rho_squared: by level from the top down, and by query.
    """

    record: str
    rho_squared: Mapping[str, Mapping[str, Fraction]]

    @property
    def levels(self) -> Mapping[str, Fraction]:
        """ρ² of each level: the sum over its queries."""
        return {level: sum(queries.values(), Fraction(0)) for level, queries in self.rho_squared.items()}


def _strategy(record: str, queries: tuple[str, ...], **levels: tuple[int, ...]) -> DhcStrategy:
    return DhcStrategy(
        record,
        {
            level: {query: Fraction(number, _PARTS) for query, number in zip(queries, numbers, strict=True)}
            for level, numbers in levels.items()
        },
    )


DHC_STRATEGIES: Mapping[str, DhcStrategy] = {
    "test_strategy_dhcp_20220922_exp_iteration_23_1": _strategy(
        "person",
        _OF_PERSONS,
        US=(73, 73, 73, 73, 73, 292, 73, 73, 73, 73),
        State=(999, 999, 999, 999, 999, 3996, 999, 999, 999, 999),
        County=(310, 310, 310, 310, 310, 1240, 1240, 310, 310, 310),
        Prim=(478, 478, 478, 478, 478, 1912, 478, 478, 478, 478),
        Tract_Subset_Group=(478, 478, 478, 478, 478, 1912, 478, 478, 478, 478),
        Tract_Subset=(868, 868, 868, 868, 868, 3472, 3472, 868, 868, 868),
        Block_Group=(430, 430, 430, 430, 430, 430, 430, 430, 430, 430),
        Block=(11, 11, 11, 11, 11, 11, 11, 11, 11, 11),
    ),
    "test_strategy_dhcp_pr_20220922_exp_iteration_23_1": _strategy(
        "person",
        _OF_PERSONS,
        State=(1009, 1011, 1011, 1011, 1011, 4045, 1011, 1011, 1011, 1011),
        County=(320, 320, 320, 320, 320, 1280, 1280, 320, 320, 320),
        Prim=(490, 490, 490, 490, 490, 1961, 490, 490, 490, 490),
        Tract_Subset_Group=(490, 490, 490, 490, 490, 1961, 490, 490, 490, 490),
        Tract_Subset=(878, 878, 878, 878, 878, 3512, 3512, 878, 878, 878),
        Block_Group=(446, 446, 446, 446, 446, 446, 446, 446, 446, 446),
        Block=(11, 11, 11, 11, 11, 11, 11, 11, 11, 11),
    ),
    "test_strategy_dhch_20220922_exp_iteration_23_1": _strategy(
        "housing unit",
        _OF_UNITS,
        US=(259, 792, 212, 212, 792, 792, 257, 257, 212, 1049),
        State=(3216, 714, 193, 191, 1428, 714, 3216, 3216, 193, 3931),
        County=(1380, 986, 266, 1500, 1972, 3944, 1380, 1380, 266, 1380),
        Prim=(973, 973, 214, 1500, 1946, 973, 973, 973, 214, 973),
        Tract_Subset_Group=(973, 973, 214, 1500, 1946, 973, 973, 973, 214, 973),
        Tract_Subset=(1610, 1150, 310, 1750, 2300, 4601, 1610, 1610, 310, 1610),
        Block_Group=(407, 291, 78, 442, 581, 1162, 407, 407, 78, 407),
        Block=(15, 11, 3, 17, 22, 44, 15, 15, 3, 15),
    ),
    "test_strategy_dhch_pr_20220922_exp_iteration_23_1": _strategy(
        "housing unit",
        _OF_UNITS,
        State=(3364, 748, 202, 200, 1496, 748, 3368, 3368, 202, 4117),
        County=(1457, 1041, 281, 1584, 2082, 4164, 1457, 1457, 281, 1457),
        Prim=(1054, 1054, 232, 1624, 2107, 1054, 1054, 1054, 232, 1054),
        Tract_Subset_Group=(1054, 1054, 232, 1624, 2107, 1054, 1054, 1054, 232, 1054),
        Tract_Subset=(1687, 1205, 325, 1833, 2410, 4820, 1687, 1687, 325, 1687),
        Block_Group=(484, 346, 93, 526, 691, 1382, 484, 484, 93, 484),
        Block=(15, 11, 3, 17, 22, 44, 15, 15, 3, 15),
    ),
}
"""By the name that settings give under [budget]."""


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
