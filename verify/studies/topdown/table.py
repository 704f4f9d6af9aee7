"""Reading the table of the study of TopDown: each run, and means over the runs."""

from collections.abc import Sequence
from fractions import Fraction

from stirred.verify.studies.study import Row, rounded_text


def budget_text(rho_squared: Fraction) -> str:
    """ρ² as the table has it: exact where it has at most four decimals."""
    return rounded_text(rho_squared, 4).rstrip("0").rstrip(".")


def populations_of(rows: Sequence[Row]) -> list[str]:
    """The populations, in the order of the table."""
    return list(dict.fromkeys(row["population"] for row in rows))


def budgets_of(rows: Sequence[Row]) -> list[Fraction]:
    """The values of ρ², in increasing order."""
    return sorted({Fraction(row["rho^2"]) for row in rows})


def noise_variance(rows: Sequence[Row], rho_squared: Fraction) -> Fraction:
    """σ² of every measurement with this budget."""
    return next(Fraction(row["sigma^2"]) for row in rows if Fraction(row["rho^2"]) == rho_squared)


def _of(rows: Sequence[Row], population: str, statistic: str, level: str, of: str) -> list[Row]:
    wanted = (population, statistic, level, of)
    return [row for row in rows if (row["population"], row["statistic"], row["level"], row["of"]) == wanted]


def runs_of(rows: Sequence[Row]) -> int:
    """How many pairs of runs there are at each ρ²."""
    return len({row["run"] for row in rows})


def each_run(
    rows: Sequence[Row], population: str, statistic: str, level: str, of: str
) -> dict[Fraction, list[Fraction]]:
    """A statistic of every pair of runs, by ρ²; empty where the population has no such count."""
    found: dict[Fraction, list[Fraction]] = {}
    for row in _of(rows, population, statistic, level, of):
        found.setdefault(Fraction(row["rho^2"]), []).append(Fraction(row["measured"]))
    return dict(sorted(found.items()))


def mean_over_runs(
    rows: Sequence[Row], population: str, statistic: str, level: str, of: str
) -> dict[Fraction, Fraction]:
    """The mean of a statistic over the runs, by ρ²; empty where the population has no such count."""
    found = each_run(rows, population, statistic, level, of)
    return {rho_squared: sum(runs, Fraction()) / len(runs) for rho_squared, runs in found.items()}


def cells_of(rows: Sequence[Row], population: str, statistic: str, level: str, of: str) -> int:
    """How many counts a statistic is of."""
    return next((int(row["counts"]) for row in _of(rows, population, statistic, level, of)), 0)
