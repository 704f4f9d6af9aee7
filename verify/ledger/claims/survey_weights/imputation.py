"""Imputation: what it is for, and before or inside of protection: dissertation, section 7.6."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.imputation import class_mean, class_mode, hot_deck, model_imputation
from stirred.mechanisms.surveys.noisy_table import noisy_table, proportional_draw
from stirred.mechanisms.surveys.response import item_nonresponse
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Multiplicative
from stirred.spec.surveys.unit_data import UnitData, unit_data
from stirred.verify.ledger import cases, every, incomplete, mutant, own, some, state
from stirred.verify.ledger.words import multiplicative, same_law

# what imputation is for, and on what imputed values depend: dissertation, section 7.6


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
selective_answers = cases(f"{_ANSWERED}differ for 0 and 1", "p mean")(lambda: _answers(selective=True))
random_answers = cases(f"{_ANSWERED}are the same for 0 and 1", "p mean")(lambda: _answers(selective=False))

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
)(_by_another_variable)

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
by_line = cases(f"{_LINES}the line plus 0 or 1", "p q")(lambda: _same_parameters(_by_line))
by_donor = cases(f"{_LINES}a hot deck", "p q")(lambda: _same_parameters(_by_donor))

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
any_theta = cases(f"{_DONORS}by class, or of all donors", "theta pairs")(lambda: _given(tuple(_PARAMETERS)))
only_shares = cases(f"{_DONORS}by class", "theta pairs")(lambda: _given(tuple(_PARAMETERS)[:1]))
less_than_shares = cases(f"{_DONORS}of all donors", "theta pairs")(lambda: _given(tuple(_PARAMETERS)[1:]))

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

# imputation before and inside of protection: dissertation, section 7.6

largest_change = lambda pairs: max(abs(sum(x) - sum(y)) for x, y in pairs)
all_imputed_change = lambda x, y, m: all(a != b for a, b in zip(x[len(x) - m :], y[len(y) - m :]))

_whole = lambda _: 0


def _imputed(method: str, observed: tuple[int, ...], missing: int) -> tuple[int | Fraction, ...]:
    """The values after a deterministic imputation; that of the hot deck is deterministic with one donor."""
    data = unit_data(dict(enumerate([*((value,) for value in observed), *((None,),) * missing])))
    if method == "class mean":
        law = exact_law(class_mean, data, variable=0, imputation_class=_whole)
    elif method == "class mode":
        law = exact_law(class_mode, data, variable=0, imputation_class=_whole)
    else:
        law = exact_law(hot_deck, data, variable=0, donor_class=_whole)
    (found,) = law
    return tuple(record[0] for _, record in found)


def _pairs(method: str, donors: int, missing: int) -> Iterator[tuple[Any, Any]]:
    """Values before and after one observed value in {0, 1} changes."""
    for observed in product((0, 1), repeat=donors):
        for place in range(donors):
            changed = tuple(1 - value if k == place else value for k, value in enumerate(observed))
            yield _imputed(method, observed, missing), _imputed(method, changed, missing)


@cases(
    "m = 0, …, 5 missing values; a hot deck with one donor, class modes and class means of one to three observed "
    "values in {0, 1}",
    "m pairs",
)
def imputed() -> Iterator[tuple[Any, ...]]:
    for missing in range(6):
        yield missing, tuple(_pairs("hot deck", 1, missing))
        for method, donors in product(("class mode", "class mean"), (1, 3)):
            yield missing, tuple(_pairs(method, 1 if method == "class mean" else donors, missing))


state("survey.imputation.linear", "dissertation, section 7.6", "dissertation, section 7.1")(
    """… the first strategy implies that in the worst case the sensitivity increases linearly with the number of imputed
    observations.""",
    every(imputed, lambda m, pairs: largest_change(pairs) == m + 1),
    mutant("1, as without imputation", lambda pairs: largest_change(pairs) == 1),
    reading="""the sensitivity of a sum of values in {0, 1} is m + 1, where m are imputed from one class; records with a
    missing value stay so; section 7.1 says that 'some standard imputation techniques can greatly inflate' it""",
)

state("survey.imputation.all-values", "dissertation, section 7.6")(
    """This substantial increase of the sensitivity arises because changing one record in the database can potentially
    impact all of the imputed values.""",
    every(imputed, lambda m, pairs: any(all_imputed_change(x, y, m) for x, y in pairs)),
    mutant("every change does", lambda m, pairs: all(all_imputed_change(x, y, m) for x, y in pairs)),
)

analyses = cases(
    "m = 1, …, 5 missing values, d = 2, 3, 4 observed ones in {0, 1}: the sums of all values after class means and "
    "after class modes, and of the observed ones alone, before and after one of them changes",
    "m d means modes observed",
)(
    lambda: (
        (missing, donors, means, modes, tuple((x[:donors], y[:donors]) for x, y in modes))
        for missing, donors in product(range(1, 6), (2, 3, 4))
        for means in [tuple(_pairs("class mean", donors, missing))]
        for modes in [tuple(_pairs("class mode", donors, missing))]
    )
)

changes_by_analysis = lambda m, d, means, modes, observed: (
    largest_change(modes) == m + 1 and largest_change(means) == 1 + m / d and largest_change(observed) == 1
)

state("survey.imputation.depends", "dissertation, section 7.6")(
    """Whether the worst case applies depends on the analysis of interest and on the selected imputation procedure.""",
    every(analyses, changes_by_analysis),
    mutant("class means are as bad", lambda m, means: largest_change(means) == m + 1),
    mutant("every analysis", lambda m, observed: largest_change(observed) == m + 1),
    reading="""with class modes the sum of all values has m + 1, with class means of d observed values 1 + m/d, and the
    sum of the observed values alone 1""",
)

_model = proportional_draw(_whole, (0, 1))

# the counts of 0 and 1 with geometric noise
_noisy = lambda data, source: noisy_table(
    data, source, variable=0, imputation_class=_whole, classes=(0,), values=(0, 1), ratio=Fraction(1, 2), largest=2
)


def _exact(data: UnitData, source: Source) -> Any:  # noqa: ARG001
    return ((0, tuple(sum(record[0] == value for _, record in data) for value in (0, 1))),)


# the sum of the values with geometric noise: epsilon_2 = ln 3
_count = lambda data, source: source.clamp(
    source.discrete_laplace(Fraction(1, 3)) + sum(record[0] for _, record in data), 0, 3
)
# each value by randomised response with odds 2: epsilon_2 = ln 2
_reports = lambda data, source: tuple(
    [record[0] if source.bernoulli(Fraction(2, 3)) else 1 - record[0] for _, record in data]
)

_ANALYSES: Mapping[Callable[[UnitData, Source], Any], int] = {_count: 3, _reports: 2}


def _by_model(data: UnitData, source: Source, *, release: Any, analysis: Any) -> Any:
    released: list[Any] = []

    def keep(given: UnitData, draws: Source) -> Any:
        released.append(release(given, draws))
        return released[-1]

    filled = model_imputation(data, source, variable=0, release=keep, model=_model)
    return released[-1], analysis(filled, source)


# what is made of data imputed by a hot deck
_by_donors = lambda data, source, *, analysis: analysis(hot_deck(data, source, variable=0, donor_class=_whole), source)

_DATA = tuple(
    unit_data(dict(enumerate((value,) for value in values))) for values in product((0, 1), (0, 1, None), (0, 1, None))
)
_NEIGHBORS = tuple((x, y) for x in _DATA for y in _DATA if sum(a != b for a, b in zip(x, y, strict=True)) == 1)


@cache
def _laws(program: Callable[..., Any], **constants: Any) -> Mapping[UnitData, Law[Any]]:
    return {data: exact_law(program, data, **constants) for data in _DATA}


def _gamma(program: Callable[..., Any]) -> Fraction:
    """e^epsilon of a program: the largest likelihood ratio between neighbours."""
    laws = _laws(program)
    found = [Multiplicative().distance(laws[x], laws[y]).gamma for x, y in _NEIGHBORS]
    return max(gamma for gamma in found if gamma is not None)


def _losses(program: Callable[..., Any], first: Fraction, **constants: Any) -> Iterator[tuple[Any, ...]]:
    """The laws of neighbours with e^epsilon_1 and e^epsilon_2."""
    for analysis, second in _ANALYSES.items():
        laws = _laws(program, analysis=analysis, **constants)
        yield from ((laws[x], laws[y], first, second) for x, y in _NEIGHBORS)


_three = lambda how, listed: cases(
    "three records with a value 0 or 1 that is observed of the first; a count with noise, e^epsilon_2 = 3, and "
    f"randomised responses, 2; all neighbours by replacement; imputed {how}",
    "p q a b",
)(listed)
by_model = _three("in proportion to released noisy counts", lambda: _losses(_by_model, _gamma(_noisy), release=_noisy))
by_exact_model = _three("in proportion to exact counts", lambda: _losses(_by_model, _gamma(_noisy), release=_exact))
by_donors = _three("by a hot deck, epsilon_1 = 0", lambda: _losses(_by_donors, Fraction(1)))

state("survey.imputation.private-model", "dissertation, section 7.6")(
    """If these requirements are met and the parameters theta of the imputation model are estimated using any suitable
    differentially private mechanism with privacy loss parameter epsilon_1, then, given any epsilon_2 differentially
    private mechanism used for analyzing the data, the overall pivacy loss is given by epsilon_1 + epsilon_2.""",
    every(by_model, lambda p, q, a, b: multiplicative(p, q) <= a * b),
    mutant("epsilon_2 alone", lambda p, q, b: multiplicative(p, q) <= b),
    mutant("epsilon_1 alone", lambda p, q, a: multiplicative(p, q) <= a),
    mutant("parameters without noise", by_exact_model),
    mutant("a hot deck", by_donors),
    reading="""it is at most that, also where theta is released; imputed values are drawn with fresh seeds, record by
    record""",
)
