"""SafeTab's published settings beside the article's Table 4, and what its two stages need."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, combinations_with_replacement
from typing import Any

from stirred.mechanisms.das.safetab import MEMBERSHIPS, HouseholdRecord, PersonRecord, SafeTabSettings, safetab, tallies
from stirred.mechanisms.das.safetab.groups import Record
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.printed_number import parse_printed
from stirred.verify.laws.claim.claim_numbers import parts
from stirred.verify.ledger import Check, Mutation, cases, every, mutant, own, printed, some, state
from stirred.verify.ledger.engines.adaptive_loss import adaptive_loss, followed
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import hamming

# the published settings of SafeTab-P and SafeTab-H beside the article's Table 4 and the registry's record

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
_GEOGRAPHIES = cases("the levels of the record's sentence and the geographies of the setting", "named spent")(
    lambda: [(_NAMED, _SPENT)]
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

# what the two stages of SafeTab need, under the published settings and beside the article's Table 4

squared_change = lambda u, v: sum((a - b) ** 2 for a, b in zip(u, v))

# of groups (number of records, counts by statistics level), with the rho^2 of each group's level: stage 1, and
# stage 2 in the statistics level that costs most, with noise for a record in `most` groups
two_stages = lambda x, y, rho, first, second, most: (
    sum(
        first * r * (u[0] - v[0]) ** 2 + second * r * max(squared_change(a, b) for a, b in zip(u[1], v[1]))
        for u, v, r in zip(x, y, rho)
    )
    / most
)
cheapest_stages = lambda x, y, rho, first, second, most: (
    sum(
        first * r * (u[0] - v[0]) ** 2 + second * r * min(squared_change(a, b) for a, b in zip(u[1], v[1]))
        for u, v, r in zip(x, y, rho)
    )
    / most
)

# the same without noise in stage 1: groups whose numbers lie on two sides of the threshold are told apart
by_true_count = lambda x, y, rho, second, most, threshold: (
    sum(
        oo
        if (u[0] >= threshold) != (v[0] >= threshold)
        else second * r * max(squared_change(a, b) for a, b in zip(u[1], v[1]))
        for u, v, r in zip(x, y, rho)
    )
    / most
)

_MOST_CODES = 8
_MOST = MEMBERSHIPS["both"].most(_MOST_CODES)
_CODES = [[f"{letter}{number}" for number in range(_MOST_CODES)] for letter in "ab"]
_AREAS = (
    tuple((geography, "a") for geography in ("usa", "state", "county", "tract", "place", "aiannh")),
    tuple((geography, "a") for geography in ("pr_state", "pr_county", "pr_tract", "pr_place")),
)
_ENTITIES = {geography: ("a",) for areas in _AREAS for geography, _ in areas}
_ITERATIONS = {level: {code: code for codes in _CODES for code in codes} for level in "12"}
_ETHNICITIES = {level: {"h": "h", "n": "n"} for level in "12"}
_FIRST, _SECOND = (tuple(codes) for codes in _CODES)

_PERSONS: Sequence[Record] = (
    PersonRecord(_AREAS[0], _FIRST, "h", "male", 30),
    PersonRecord(_AREAS[0], _SECOND, "n", "male", 30),
    PersonRecord(_AREAS[0], _FIRST, "h", "female", 70),
    PersonRecord(_AREAS[1], _FIRST, "h", "male", 30),
)
_HOUSEHOLDS: Sequence[Record] = (
    HouseholdRecord(_AREAS[0], _FIRST, "h", "other family", "renter occupied"),
    HouseholdRecord(_AREAS[0], _SECOND, "n", "other family", "renter occupied"),
    HouseholdRecord(_AREAS[0], _FIRST, "h", "householder living alone", "owned free and clear"),
    HouseholdRecord(_AREAS[1], _FIRST, "h", "other family", "renter occupied"),
)
_SCOPE = (
    "{} of up to 2 {} of four kinds, with eight race codes and an ethnicity each: three in the US, in one area of each "
    "geography, that differ in all groups or in cells alone, and one in Puerto Rico; every level and budget of the "
    "published setting, the presets that it leaves open at their defaults"
)

_settings = lambda letter: SafeTabSettings(
    BUDGETS[letter], _ENTITIES, _ITERATIONS, _ETHNICITIES, _MOST_CODES, stage_1_fraction=STAGE_1_FRACTION
)

_tallied = cache(lambda data, letter: tuple(tallies(data, _settings(letter))))


def _compared(first: tuple[Record, ...], second: tuple[Record, ...], letter: str) -> tuple[Any, Any, list[Fraction]]:
    """The groups that differ, with the cells that one of the data sets has."""
    budgets = _settings(letter).exact_budgets
    x, y, rho = [], [], []
    for one, other in zip(_tallied(first, letter), _tallied(second, letter), strict=True):
        if (one.total, one.cells) == (other.total, other.cells):
            continue
        kept = [
            [(a, b) for a, b in zip(*cells, strict=True) if a or b]
            for cells in zip(one.cells, other.cells, strict=True)
        ]
        x.append([one.total, [[a for a, _ in cells] for cells in kept]])
        y.append([other.total, [[b for _, b in cells] for cells in kept]])
        rho.append(budgets[one.level])
    return x, y, rho


_KINDS = {"p": ("persons", _PERSONS), "h": ("households", _HOUSEHOLDS)}

# pairs of data sets of one size, as places in the list of kinds, with their groups
_replaced = lambda letter, name, kinds: cases(
    _SCOPE.format("all pairs of data sets of one size,", name), "data data_prime x y rho"
)(
    lambda: (
        (*pair, *_compared(first, second, letter))
        for size in (1, 2)
        for pair in combinations(combinations_with_replacement(range(len(kinds)), size), 2)
        for first, second in [[tuple(kinds[place] for place in one) for one in pair]]
    )
)
# data sets of up to one record, and another one added
_added = lambda letter, name, kinds: cases(_SCOPE.format("all pairs with one record added,", name), "is_us x y rho")(
    lambda: (
        (int(kind.areas == _AREAS[0]), *_compared(others, (*others, kind), letter))
        for others in ((), *((kind,) for kind in kinds))
        for kind in kinds
    )
)
_ALL = {letter: _replaced(letter, *named) for letter, named in _KINDS.items()}
_ONE_MORE = {letter: _added(letter, *named) for letter, named in _KINDS.items()}
_STAGES: dict[str, Any] = {"first": STAGE_1_FRACTION, "second": 1 - STAGE_1_FRACTION, "most": _MOST}

stages_within = lambda x, y, rho, first, second, most, budget, data, data_prime: (
    two_stages(x, y, rho, first, second, most) <= budget * hamming(data, data_prime) ** 2
)

_TABLE_4 = ("article, Table 4", "dissertation, Table 3.4")
_READING = (
    "the program of the published setting, with the defaults for what it leaves open, satisfies {} with d_HamS of {}-"
    "records and D_NoR in every universe, so with any invariants; the losses of the counts of both stages are added"
)
_PERSON_BUDGET, _HOUSEHOLD_BUDGET = (parse_printed(name, TOTALS[name]) for name in ("SafeTab-P", "SafeTab-H"))
_ROUNDS = _HOUSEHOLD_BUDGET.value + _HOUSEHOLD_BUDGET.half_unit


def _mutants(letter: str, budget: Fraction) -> Iterator[Mutation]:
    peeking = every(
        _ALL[letter],
        lambda data, data_prime, x, y, rho, budget, second, most, threshold: (
            by_true_count(x, y, rho, second, most, threshold) <= budget * hamming(data, data_prime) ** 2
        ),
        budget=budget,
        second=1 - STAGE_1_FRACTION,
        most=_MOST,
        threshold=1,
    )
    yield mutant("the adaptive choice on the true count", peeking)
    yield mutant("noise for three groups where a record is in nine", {"most": 3})
    yield mutant("the sum of the setting", {"budget": total(letter)})


state("safetab.table-4.persons", *_TABLE_4)(
    "SafeTab-P Total housing units (block) DDHC-A: rho^2 = 19.776",
    every(_ALL["p"], stages_within, budget=_PERSON_BUDGET.value, **_STAGES),
    *_mutants("p", _PERSON_BUDGET.value),
    reading=_READING.format("rho^2 = 19.776", "person") + "; persons, as in the row above",
)

state("safetab.table-4.households", *_TABLE_4)(
    "SafeTab-H d_HamS^hh (household) DDHC-B: rho^2 = 17.79",
    every(_ALL["h"], stages_within, budget=_ROUNDS, **_STAGES),
    *_mutants("h", _ROUNDS),
    reading=_READING.format("some rho^2 that rounds to 17.79 (the setting gives 17.790604)", "household"),
)

needs_the_sum = lambda is_us, x, y, rho, us, island, first, second, most: (
    two_stages(x, y, rho, first, second, most) == (us if is_us == 1 else island)
)


def _exact(letter: str) -> Iterator[Check | Mutation]:
    """The checks and mutants of what one record needs: the sum where it is added, at most twice that where replaced."""
    yield every(_ONE_MORE[letter], needs_the_sum, us=total(letter), island=total(letter, is_us=False), **_STAGES)
    yield mutant("stage fractions that sum to 11/10", {"second": Fraction(1)})
    yield mutant("noise for eight groups", {"most": Fraction(_MOST_CODES)})
    twice: dict[str, Any] = {"budget": 2 * total(letter), **_STAGES}
    yield every(_ALL[letter], stages_within, **twice)
    yield some(
        _ALL[letter],
        lambda data, data_prime, x, y, rho, budget, first, second, most: (
            two_stages(x, y, rho, first, second, most) == budget * hamming(data, data_prime) ** 2
        ),
        **twice,
    )


own("safetab.persons.exact", "article, Table 4")(
    """Under the published setting and the defaults for what it leaves open, SafeTab-P needs exactly rho^2 = 4.944 where
    one person-record of the US is added that is in nine groups of each level, 2.643 in Puerto Rico; where one is
    replaced 9.888, which is attained: half of Table 4's 19.776.""",
    *_exact("p"),
    reading="needs: D_NoR^2 of all that was drawn, the counts of stage 1 too",
)

own("safetab.households.exact", "article, Table 4")(
    """Under the published setting and the defaults for what it leaves open, SafeTab-H needs exactly rho^2 = 8.895302
    where one household-record of the US is added that is in nine groups of each level, 4.754134 in Puerto Rico; where
    one is replaced 17.790604, which is attained: Table 4's 17.79 is that number, rounded.""",
    *_exact("h"),
    reading="""needs: D_NoR^2 of all that was drawn, the counts of stage 1 too; the share of stage 1, which the setting
    does not have, changes nothing""",
)

_HOME = (("usa", "a"),)
_FEW = (
    PersonRecord(_HOME, ("a",), "h", "male", 30),
    PersonRecord(_HOME, ("b",), "h", "male", 30),
    PersonRecord(_HOME, ("a", "b"), "h", "female", 30),
    PersonRecord(_HOME, ("a",), "h", "female", 30),
)
_TINY = SafeTabSettings(
    {"privacy_budget_p_level_1_usa": 1},
    {"usa": ("a",)},
    {"1": {"a": "a", "b": "b"}},
    {"1": {"h": "h"}},
    2,
    statistics="sex",
    thresholds=(2,),
)


def _followed() -> Iterator[tuple[Any, ...]]:
    """Neighbours with their groups, and the ends of their loss that the choice trees of the program give."""
    runs = cache(lambda data: followed(partial(safetab, settings=_TINY), data))
    pairs = [(others, (*others, kind)) for others in ((), *((kind,) for kind in _FEW)) for kind in _FEW]
    pairs += [((kind,), (other,)) for kind, other in combinations_with_replacement(_FEW, 2) if kind != other]
    for first, second in pairs:
        loss = adaptive_loss(runs(first), runs(second), orders=())
        groups = [[[one.total, one.cells] for one in tallies(data, _TINY)] for data in (first, second)]
        yield loss.lower, loss.upper, loss.released, *groups, (1,) * len(groups[0])


_TREES = cases(
    "every choice of the program followed: one person added to up to one, or one replaced by another, four kinds of "
    "persons in three of five groups; a group of two or more by its noisy count is counted by sex, another in total",
    "lower upper released x y rho",
)(_followed)

own("safetab.stages.exact", "article, section 5.2")(
    """Where one record is added or replaced, D_NoR^2 of all that SafeTab draws is exactly the sum over groups of m^2/(2
    sigma_1^2), m the change of its number, and of the largest |change|^2/(2 sigma_2^2) over statistics levels: that
    stage 2 adapts to stage 1 costs nothing beyond the two shares. What is released alone, without stage 1's counts,
    needs at least stage 2's share of it.""",
    every(
        _TREES,
        lambda lower, upper, released, x, y, rho, first, second, most: (
            lower == upper == two_stages(x, y, rho, first, second, most) and released >= second * upper
        ),
        **{**_STAGES, "most": 3},
    ),
    mutant(
        "the cheapest statistics level",
        lambda lower, upper, released, x, y, rho, first, second, most: (
            lower == upper == cheapest_stages(x, y, rho, first, second, most) and released >= second * upper
        ),
    ),
    mutant("stage 1 for nothing", {"first": Fraction(0)}),
)
