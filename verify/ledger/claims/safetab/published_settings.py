"""The published settings of SafeTab-P and SafeTab-H beside the article's Table 4 and the registry's record."""

from collections.abc import Mapping
from fractions import Fraction

from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.laws.claim.claim_numbers import parts
from stirred.verify.ledger import cases, every, mutant, own, printed

_US = ("usa", "state", "county", "tract", "place", "aiannh")
_PUERTO_RICO = ("pr_state", "pr_county", "pr_tract", "pr_place")
_TABLES = {"p": ("0.008", "2.134", "0.159"), "h_t3": ("0.006915", "1.9208", "0.142869")}
_TABLES["h_t4"] = _TABLES["h_t3"]
"""The budgets of each table: of level 1, of level 2 in the nation and in states, and of level 2 elsewhere."""

# the budgets of a table by their published names; level 1 of AIANNH areas has 0
_levels = lambda table: {
    f"privacy_budget_{table}_level_{level}_{geography}": Fraction(budget)
    for first, wide, small in [_TABLES[table]]
    for geography in (*_US, *_PUERTO_RICO)
    for level, budget in (
        (1, 0 if geography == "aiannh" else first),
        (2, wide if geography in ("usa", "state", "pr_state") else small),
    )
}

BUDGETS: Mapping[str, Mapping[str, Fraction]] = {"p": _levels("p"), "h": {**_levels("h_t3"), **_levels("h_t4")}}
"""The budgets of SafeTab-P and of SafeTab-H by their published names."""

STAGE_1_FRACTION = Fraction(1, 10)
"""privacy_budget_p_stage_1_fraction; SafeTab-H's setting has none."""

TOTALS = parts("das-2020.total")
"""The rows of Table 4, as printed."""


def total(letter: str, *, is_us: bool = True) -> Fraction:
    """The sum of the budgets of the run for the US or for Puerto Rico.

    >>> str(total("p")), str(total("h", is_us=False))
    ('618/125', '2377067/500000')
    """
    return sum((value for name, value in BUDGETS[letter].items() if ("_pr_" in name) is not is_us), Fraction(0))


_rows = lambda factors, letters="ph": printed(
    [
        PrintedRow.of_texts(f"rho^2 of {name}", TOTALS[name], f"{factor}*({total(letter)})")
        for name, factor, letter in zip(("SafeTab-P", "SafeTab-H"), factors, letters, strict=True)
    ],
    "the budgets of the published settings, summed exactly; at the printed precision",
)

own("safetab.settings.totals", "article, section 5.1", "article, Table 4", "dissertation, Table 3.4")(
    """The US budgets of the published SafeTab-P setting sum to 4.944, of which DDHC-A's rho^2 = 19.776 is four times as
    much; those of SafeTab-H to 8.895302, of which DDHC-B's rho^2 = 17.79 is twice as much. So the products are those of
    the algorithms that section 5.1 names, and the two rows rest on two conversions: four is what group privacy gives
    from d_SymDiff to d_HamS, two what noise on separate counts needs.""",
    _rows("42"),
    mutant("2 for 4", _rows("22")),
    mutant("4 for 2", _rows("44")),
    mutant("the settings exchanged", _rows("42", "hp")),
)

_RECORD = "the registry's record of the Detailed DHC-A"

_record = lambda chance: printed(
    [
        PrintedRow.of_texts("rho", "19.776", f"4*({total('p')})"),
        PrintedRow.of_texts("percent of the time", "99.99", "100*chance", {"chance": chance}),
    ],
    "the setting's sum and zero_suppression_chance, exactly",
)

own("safetab.registry.numbers", _RECORD, "article, Table 4")(
    """The record's rho = 19.776 is that of article, Table 4, four times the sum of the published setting's US budgets;
    its 99.99 percent, with which published population counts reflect positive enumerated counts, is the setting's
    zero_suppression_chance = 0.9999.""",
    _record("0.9999"),
    mutant("0.999 for 0.9999", _record("0.999")),
)

_NAMED = ("state", "county", "tract", "block", "tribal area")
_SPENT = tuple(geography if geography != "aiannh" else "tribal area" for geography in _US)
_GEOGRAPHIES = cases(
    "the levels of the record's sentence and the geographies of the setting", "named spent", lambda: [(_NAMED, _SPENT)]
)

beside = lambda named, spent, without, more: (
    [one for one in named if one not in spent] == [without] and [one for one in spent if one not in named] == more
)

own("safetab.registry.levels", _RECORD)(
    """Of the geographic levels across which the record says that the budget is allocated (e.g., state, county,
    tract, block, tribal area), the published setting has a budget for each but block; it has the nation and places
    besides.""",
    every(_GEOGRAPHIES, beside, without="block", more=("usa", "place")),
    mutant("all but tract", {"without": "tract"}),
    mutant("nothing besides", {"more": ()}),
    reading="tribal areas are the setting's aiannh (American Indian, Alaska Native, Native Hawaiian areas)",
)
