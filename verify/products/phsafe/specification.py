"""The specification of a PHSafe release from published files: five blocks, and the same as an account for an audit."""

from fractions import Fraction

from stirred.mechanisms.das.phsafe.run_settings import NoiseLaw, RunSettings
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.products.phsafe.settings import decimal
from stirred.verify.products.specification import AccountClaim, Distance, ReleaseSpecification, StatedMeasure

DERIVED = {"PH4": "PH5_num", "PH7": "PH8_num"}
"""What comes of a run's released counts, at no cost (PHSafe, section 3.2)."""

_SCHEMA = "all units and persons in the published schema, whatever their combinations: one without a cell is counted "
_DOMAIN = f"{_SCHEMA}nowhere, and a MAFID with no unit, no place or several of either is dropped"
_EACH_PLACE = (
    f"{_SCHEMA}nowhere, and a MAFID with no unit, no place in the states or several of either is dropped where persons "
    "are counted; where units are, each counts once for each pair of rows that geo has of its MAFID in the states"
)
_INVARIANT = "where each MAFID lies (geo)"
_UNIT = "person record"
_ROWS = "one row of persons and up to two rows of units added or removed"


def specification(settings: RunSettings, pairs: int = 1) -> ReleaseSpecification:
    """The specification that PHSafe, Theorems 1 and 2 give a release with these settings.

    Where a unit counts for each place, its row is up to k rows of the runs that count units, so that their stability is
    k times Δ: k² times ρ, or k times ε. In the runs that join it is dropped, as one of several units is.

    k is `pairs`, the most pairs that geo makes of one MAFID in the states, see `statements.places`.
    """
    measure = StatedMeasure.PURE if settings.noise is NoiseLaw.PURE else StatedMeasure.CONCENTRATED
    spent = {table: _spent(settings, table, pairs) for table in settings.tables}
    total = decimal(sum(spent.values(), Fraction(0)))
    derived = [name for table, name in DERIVED.items() if table in settings.tables]
    releases = {table: decimal(budget) for table, budget in spent.items()}
    return ReleaseSpecification(
        id="run.phsafe",
        statement=f"The tables together satisfy {measure.key} = {total} for one {_UNIT}: {_ROWS}.",
        domain=_EACH_PLACE if settings.each_place else _DOMAIN,
        multiverse=f"invariant, so not protected: {_INVARIANT}; nothing else is",
        distance=Distance.ADDED,
        resolution=_UNIT,
        measure=measure,
        budget=_budget(settings, pairs),
        claim=None if settings.total is None else AccountClaim([_INVARIANT], total, releases, derived),
        note=_ROWS,
    )


def _budget(settings: RunSettings, pairs: int) -> str:
    symbol = "epsilon" if settings.noise is NoiseLaw.PURE else "rho^2"
    if settings.total is None:
        return f"{symbol} = infinite: a level without noise releases exact counts"
    levels = sum(budget != 0 for table in settings.budgets.values() for budget in table.values())
    source = "PHSafe, Lemma 6" if settings.noise is NoiseLaw.PURE else "PHSafe, Theorems 1 and 2"
    total = decimal(sum((_spent(settings, table, pairs) for table in settings.tables), Fraction(0)))
    if pairs > 1:
        times = f"those of units times {_factor(settings, pairs)}, since geo has up to {pairs} pairs of rows of a MAFID"
        return f"{symbol} = {total} (the sum over {counted(levels, 'level')}, {times}; {source})"
    bounded = "" if settings.noise is NoiseLaw.PURE else "; twice that for replaced records, Theorems 3 and 4"
    return f"{symbol} = {total} (the sum over {counted(levels, 'level')}; {source}{bounded})"


def _factor(settings: RunSettings, pairs: int) -> int:
    """By how much more than its budget a run that counts units tells of one that counts so many times."""
    return pairs if settings.noise is NoiseLaw.PURE else pairs**2


def _spent(settings: RunSettings, table: str, pairs: int) -> Fraction:
    """The budget of all levels of a table, where one unit counts up to so many times."""
    budget = sum((budget or Fraction(0) for budget in settings.budgets[table].values()), Fraction(0))
    return budget if table in settings.thresholds else budget * _factor(settings, pairs)
