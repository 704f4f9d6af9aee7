"""What imputation is for, and on what imputed values depend: dissertation, section 7.6."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.imputation import hot_deck, model_imputation
from stirred.mechanisms.surveys.response import item_nonresponse
from stirred.spec.laws.law import Law
from stirred.spec.surveys.unit_data import UnitData, unit_data
from stirred.verify.ledger import cases, every, incomplete, mutant, own, some, state
from stirred.verify.ledger.words import same_law


def _observed_mean(data: UnitData, source: Source, *, rates: tuple[Fraction, Fraction], by: int = 0) -> Fraction | None:
    """The mean of the values that are answered, at rates by another variable or the value; None if there is none."""
    answered = item_nonresponse(data, source, variable=0, propensity=lambda _, record: rates[record[by]])
    values = [record[0] for _, record in answered if record[0] is not None]
    return Fraction(sum(values), len(values)) if values else None


_answers = lambda *, selective: (
    ({mean: p for mean, p in law.items() if mean is not None}, Fraction(sum(values), len(values)))
    for values in ((0, 1), (0, 1, 1), (0, 0, 0, 1))
    for data in [unit_data(dict(enumerate((value,) for value in values)))]
    for rates in product((Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)), repeat=2)
    if (rates[0] != rates[1]) is selective
    for law in [exact_law(_observed_mean, data, rates=rates)]
)

_ANSWERED = "two to four values 0 or 1, both among them; they are answered with probabilities 1/4, 1/2 or 3/4 that "
selective_answers = cases(f"{_ANSWERED}differ for 0 and 1", "p mean", lambda: _answers(selective=True))
random_answers = cases(f"{_ANSWERED}are the same for 0 and 1", "p mean", lambda: _answers(selective=False))

unbiased = lambda p, mean: sum(p[t] * t for t in p) == mean * sum(p[t] for t in p)


def _by_another_variable() -> Iterator[tuple[Any, ...]]:
    """Of young and old persons half are employed; young ones answer with 1/4, old ones with 3/4."""
    data = unit_data(dict(enumerate(product((0, 1), repeat=2))))
    law = exact_law(_observed_mean, data, rates=(Fraction(1, 4), Fraction(3, 4)), by=1)
    yield {mean: p for mean, p in law.items() if mean is not None}, Fraction(1, 2)
    yield from selective_answers


not_at_random = cases(
    "two young and two old persons, one of each employed, 1; they answer that with probability 1/4 if "
    f"young and 3/4 if old; {_ANSWERED}differ for 0 and 1",
    "p mean",
    _by_another_variable,
)

state("survey.imputation.selective", "dissertation, section 7.6")(
    """Imputation is especially helpful if the response process is selective, that is if it is not missing completely at
    random as defined by Rubin (1976). In this case, using only the fully observed cases for the analysis would give
    biased results.""",
    every(not_at_random, lambda p, mean: not unbiased(p, mean)),
    reading="of the mean of the answered values, given that there is one",
    grade=incomplete(
        "whether a value is answered must depend on the value, or on variables that are related to it: where the young "
        "answer less often and are employed as often as the old, values are not missing completely at random, and the "
        "observed share of employed is unbiased"
    ),
)

own("survey.imputation.selective.repaired", "dissertation, section 7.6")(
    """Where a binary value is answered with a probability that depends on the value itself, the mean of the answered
    values is biased; where all are answered with one probability it is not.""",
    every(selective_answers, lambda p, mean: not unbiased(p, mean)),
    mutant("missing completely at random", random_answers),
    mutant("at rates by another variable", not_at_random),
    every(random_answers, unbiased),
    repairs="survey.imputation.selective",
    reading="given that there is an answer; both values occur",
)


def _least_squares(data: UnitData) -> tuple[Fraction, Fraction]:
    """The least squares line of the records with y: intercept and slope."""
    points = [record for _, record in data if record[1] is not None]
    mean_x, mean_y = (Fraction(sum(point[k] for point in points), len(points)) for k in (0, 1))
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points)
    return mean_y - slope * mean_x, slope


def _line(data: UnitData, source: Source) -> tuple[Fraction, Fraction]:  # noqa: ARG001
    return _least_squares(data)


def _by_line(data: UnitData, source: Source) -> Any:
    filled = model_imputation(
        data,
        source,
        variable=1,
        release=_line,
        model=lambda record, line, draws: line[0] + line[1] * record[0] + draws.uniform(2),
    )
    return dict(filled)[3][1]


_by_donor = lambda data, source: dict(hot_deck(data, source, variable=1, donor_class=lambda _: 0))[3][1]


def _same_parameters(program: Callable[..., Any]) -> Iterator[tuple[Law[Any], Law[Any]]]:
    """The laws of an imputed value in data sets with one record that lacks it and one least squares line."""
    alike: dict[Any, list[UnitData]] = {}
    for y in product(range(4), repeat=3):
        data = unit_data({0: (0, y[0]), 1: (1, y[1]), 2: (2, y[2]), 3: (1, None)})
        alike.setdefault(_least_squares(data), []).append(data)
    for group in alike.values():
        for one, other in combinations(group, 2):
            yield exact_law(program, one), exact_law(program, other)


_LINES = "all data sets (0, y_1), (1, y_2), (2, y_3), (1, missing) with y_i in 0, …, 3 and one least squares line; "
by_line = cases(f"{_LINES}the line plus 0 or 1", "p q", lambda: _same_parameters(_by_line))
by_donor = cases(f"{_LINES}a hot deck", "p q", lambda: _same_parameters(_by_donor))

state("survey.imputation.own-record", "dissertation, section 7.6")(
    """We note that the conditional independence assumption of the imputation model holds for many imputation methods,
    for example, parametric imputation models based on linear regression.""",
    every(by_line, lambda p, q: same_law(p, q)),
    mutant("a hot deck", by_donor),
    reading="""given theta, here the least squares line, the imputed value of a record depends on its observed values
    alone""",
)


def _two_imputed(data: UnitData, source: Source) -> Any:
    """What a hot deck gives the last two records, of one class each."""
    filled = dict(hot_deck(data, source, variable=1, donor_class=lambda record: record[0]))
    return filled[4][1], filled[5][1]


def _share(data: UnitData, groups: tuple[int, ...]) -> Fraction:
    """The share of 1 among the values that the records of these classes have."""
    values = [record[1] for _, record in data if record[0] in groups and record[1] is not None]
    return Fraction(sum(values), len(values))


_PARAMETERS: Mapping[str, Callable[[UnitData], Any]] = {
    "shares of employed by donor class": lambda data: (_share(data, (0,)), _share(data, (1,))),
    "share of employed": lambda data: _share(data, (0, 1)),
}


def _given(names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """By parameters: the laws of two imputed values in each two data sets that have the same parameters."""
    listed = [
        unit_data({**dict(enumerate(zip((0, 0, 1, 1), values, strict=True))), 4: (0, None), 5: (1, None)})
        for values in product((0, 1), repeat=4)
    ]
    laws = {data: exact_law(_two_imputed, data) for data in listed}
    for name in names:
        theta = {data: _PARAMETERS[name](data) for data in listed}
        yield name, tuple((laws[x], laws[y]) for x, y in combinations(listed, 2) if theta[x] == theta[y])


_DONORS = (
    "two donors of each of two age classes, unemployed, 0, or employed, 1, and a missing value in each, imputed by "
    "a hot deck; the pairs of laws of both imputed values in data sets with one theta: the share of employed "
)
any_theta = cases(f"{_DONORS}by class, or of all donors", "theta pairs", lambda: _given(tuple(_PARAMETERS)))
only_shares = cases(f"{_DONORS}by class", "theta pairs", lambda: _given(tuple(_PARAMETERS)[:1]))
less_than_shares = cases(f"{_DONORS}of all donors", "theta pairs", lambda: _given(tuple(_PARAMETERS)[1:]))

some_laws_differ = lambda pairs: any(not same_law(p, q) for p, q in pairs)

state("survey.imputation.own-record.hot-deck", "dissertation, section 7.6")(
    """However, it does not hold for hot-deck imputation, an imputation method commonly applied at statistical
    agencies.""",
    some(by_donor, lambda p, q: not same_law(p, q)),
    every(less_than_shares, some_laws_differ),
    mutant("theta lists the donors' values", any_theta),
    reading="""given the model parameters, as a line or a share of all records, the imputed values still depend on other
    records: two data sets have the same theta and observed values of the record, and other laws. A hot deck copies
    records; a theta that lists what the donors have is not what 'model parameters estimated on the complete data' are
    (survey.imputation.own-record.hot-deck.shares)""",
)

own("survey.imputation.own-record.hot-deck.shares", "dissertation, section 7.6")(
    """Given the least squares line, or the share of 1 among all donors, values from a hot deck still depend on other
    records; given the shares of the donors' values by donor class they do not.""",
    some(by_donor, lambda p, q: not same_law(p, q)),
    every(less_than_shares, some_laws_differ),
    mutant("given any parameters", any_theta),
    mutant("given the share of all donors", lambda pairs: all(same_law(p, q) for p, q in pairs)),
    every(only_shares, lambda pairs: len(pairs) > 0 and all(same_law(p, q) for p, q in pairs)),
    reading="donors are drawn independently, with replacement",
)
