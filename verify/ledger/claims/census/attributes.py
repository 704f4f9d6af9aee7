"""Budgets by attribute: what the releases of the 2020 Census spend on one variable that alone may vary."""

from fractions import Fraction

from stirred.mechanisms.das.topdown.strategies import DHC_STRATEGIES
from stirred.verify.ledger import cases, every, mutant, own, state, unsettled
from stirred.verify.ledger.claims.numbers.tables import compared
from stirred.verify.ledger.claims.safetab.published_settings import total

_WHOLE = "55.371"


def _spent(attribute: str, record: str) -> Fraction:
    """What the strategy of the US run spends on queries whose name has the attribute, and on the detailed one."""
    strategy = next(one for one in DHC_STRATEGIES.values() if one.record == record and "US" in one.rho_squared)
    return sum(
        (
            share
            for queries in strategy.rho_squared.values()
            for query, share in queries.items()
            if attribute in query or query == "detailed"
        ),
        Fraction(0),
    )


# of a change of race, with the shares of the race groups among all groups of SafeTab-P and of SafeTab-H: of those of a
# person at a level, one for each of up to 8 races and one for ethnicity
twice_of_race = lambda races, groups, persons_a, households_b, persons, units: (
    2 * (2 * races / groups * (persons_a + households_b) + persons + units)
)
_of_race = lambda claimed: compared(
    "rho^2 of a change of race in SafeTab-P, SafeTab-H and the DHC runs, from the published settings",
    claimed,
    races=8,
    groups=9,
    persons_a=total("p"),
    households_b=total("h"),
    persons=_spent("race", "person"),
    units=_spent("race", "housing unit"),
    whole=_WHOLE,
)

state("das.per-attribute", "dissertation, section 4.4.2")(
    """Apart from the following two observations, we leave this important discussion to future work: The per-attribute
    budgets are much smaller than the overall 2020 PLB.""",
    unsettled(
        "'much smaller' names no number, nor the passage the products that are meant: of race TopDown spends at "
        "most a fifth of 55.371, all products with the Detailed DHC more than half (das.per-attribute.figures)"
    ),
    reading="the budget of an attribute is that of what it changes where it alone varies",
)

_PL = Fraction("2.63")

_by_attribute = lambda names: cases(
    f"{', '.join(names)}: the queries of the US runs of the DHC that name it, and the detailed one", "persons units"
)(lambda: ((_spent(name, "person"), _spent(name, "housing unit")) for name in names))

_EVERY = _by_attribute(("race", "hisp"))
more_than_half = lambda races, groups, persons_a, households_b, persons, units, whole: (
    twice_of_race(races, groups, persons_a, households_b, persons, units) > whole
)
at_most_half = lambda races, groups, persons_a, households_b, persons, units, whole: (
    twice_of_race(races, groups, persons_a, households_b, persons, units) <= whole
)

own("das.per-attribute.figures", "dissertation, section 4.4.2")(
    """In TopDown the budgets of race and of Hispanic origin are at most a fifth of 55.371 each: by the published
    strategies of the DHC 1.0941 and 1.4588 in the run for persons and 3.5112 and 5.5695 in that for units, with all of
    the 2.63 of the redistricting data. With the Detailed DHC, that of race is more than half of 55.371.""",
    every(
        _EVERY, lambda persons, units, pl, whole: 5 * (persons + units + pl) <= whole, pl=_PL, whole=Fraction(_WHOLE)
    ),
    mutant("at most a sixth", lambda persons, units, pl, whole: 6 * (persons + units + pl) <= whole),
    compared(
        "the sums over the levels, exactly",
        lambda race, hisp: race == (10941 / 10000, 35112 / 10000) and hisp == (14588 / 10000, 55695 / 10000),
        race=(_spent("race", "person"), _spent("race", "housing unit")),
        hisp=(_spent("hisp", "person"), _spent("hisp", "housing unit")),
    ),
    _of_race(more_than_half),
    mutant("at most half with the Detailed DHC", _of_race(at_most_half)),
)
