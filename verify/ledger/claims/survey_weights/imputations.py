"""Imputation before and inside of protection: dissertation, section 7.6."""

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.imputation import class_mean, class_mode, hot_deck, model_imputation
from stirred.mechanisms.surveys.noisy_table import noisy_table, proportional_draw
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Multiplicative
from stirred.spec.surveys.unit_data import UnitData, unit_data
from stirred.verify.ledger import cases, every, mutant, state
from stirred.verify.ledger.words import multiplicative

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
    lambda: (
        (missing, donors, means, modes, tuple((x[:donors], y[:donors]) for x, y in modes))
        for missing, donors in product(range(1, 6), (2, 3, 4))
        for means in [tuple(_pairs("class mean", donors, missing))]
        for modes in [tuple(_pairs("class mode", donors, missing))]
    ),
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
    listed,
)
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
