"""Stages of a survey that fill in missing values, and those that weight records."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from itertools import product
from operator import itemgetter
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.calibration import DependentError, Margin, check_margins, greg, post_stratified
from stirred.mechanisms.surveys.frames import grouped, with_item
from stirred.mechanisms.surveys.imputation import class_mode, hot_deck, model_imputation, sequential_hot_deck
from stirred.mechanisms.surveys.noisy_table import noisy_table, proportional_draw
from stirred.mechanisms.surveys.weights import Weights, class_weights
from stirred.spec.arguments import InputError, parse_exact, positive_integer, shown
from stirred.spec.budgets.loss import Loss
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.surveys.stated import (
    Form,
    Influence,
    LastDonor,
    PipelineStep,
    ResponseClasses,
    SumsOfWeights,
    Unchanged,
)
from stirred.verify.laws.surveys.survey_file import Layout, numbers_by_value

Program = Callable[[UnitData, Source], UnitData]

_MOST_TABLES = 1_000

_COMMON = ("kind", "name", "variable", "classes")


@dataclass(frozen=True)
class _Imputed:
    """The place of the variable that is imputed, and those of the variables that make the classes."""

    block: Block
    layout: Layout
    variable: int
    places: tuple[int, ...]

    def class_of(self, record: Any) -> tuple[Any, ...]:
        """The class of a record."""
        return tuple(record[place] for place in self.places)

    def values(self, place: int) -> tuple[Any, ...]:
        """The values of a variable that are not missing."""
        return tuple(value for value in self.layout.values[self.layout.names[place]] if value is not None)

    def otherwise(self) -> Any:
        """The value where there is no donor."""
        return self.layout.value(self.block, "otherwise", self.layout.names[self.variable])


def read_imputation(block: Block, layout: Layout) -> PipelineStep:
    """The step of an imputation stage."""
    name = block.one_of("name", tuple(_READERS))
    variable = layout.place(block, "variable")
    of = layout.names[variable]
    if None not in layout.values[of]:
        raise block.refuse(
            "variable", f"must be one that can be missing, by population.missing or a non-response stage; {of!r} cannot"
        )
    chosen = block.given("classes", block.names) or ()
    if of in chosen:
        raise block.refuse("classes", f"must not name {of!r}, the variable that is imputed")
    places = tuple(layout.complete(block, "classes", one) for one in chosen)
    how, program, influence, form = _READERS[name](_Imputed(block, layout, variable, places))
    among = f" within classes of {', '.join(chosen)}" if chosen else ""
    words = f"{of} imputed {how}{among}"
    return PipelineStep(Stage.PROCESSED, words, block.place, program, replace(influence, variable=of), form)


_Read = tuple[str, Program, Influence, Form | None]


def _from_donors(imputed: _Imputed, how: str, impute: Program) -> _Read:
    """An imputation from the records of the class; a class without any donor gets the value `otherwise`."""
    imputed.block.only((*_COMMON, "otherwise"))
    variable, class_of, otherwise = imputed.variable, imputed.class_of, imputed.otherwise()

    def program(data: UnitData, source: Source) -> UnitData:
        donors = {class_of(record) for _, record in data if record[variable] is not None}
        filled = tuple(
            (unit, with_item(record, variable, otherwise))
            if record[variable] is None and class_of(record) not in donors
            else (unit, record)
            for unit, record in data
        )
        return impute(filled, source)

    return how, program, Influence(None), None


def _hot_deck(imputed: _Imputed) -> _Read:
    impute = partial(hot_deck, variable=imputed.variable, donor_class=imputed.class_of)
    return _from_donors(imputed, "from donors drawn at random", impute)


def _class_mode(imputed: _Imputed) -> _Read:
    impute = partial(class_mode, variable=imputed.variable, imputation_class=imputed.class_of)
    return _from_donors(imputed, "by the most frequent value", impute)


def _sequential(imputed: _Imputed) -> _Read:
    block = imputed.block.only((*_COMMON, "otherwise", "donations"))
    donations = block.read("donations", positive_integer)
    form = LastDonor(imputed.variable, imputed.places, donations, imputed.otherwise())
    program = partial(
        sequential_hot_deck,
        variable=imputed.variable,
        donor_class=imputed.class_of,
        donations=donations,
        otherwise=form.otherwise,
    )
    return f"from the last donor before, {donations} times at most", program, Influence(2 * donations), form


def _noisy_table(imputed: _Imputed) -> _Read:
    block = imputed.block.only((*_COMMON, "ratio", "largest"))
    ratio = block.inside_unit("ratio")
    largest = block.read("largest", positive_integer)
    classes = tuple(product(*map(imputed.values, imputed.places)))
    values = imputed.values(imputed.variable)
    cells = len(classes) * len(values)
    if largest >= _MOST_TABLES or (largest + 1) ** cells > _MOST_TABLES:
        raise block.refuse(
            "largest",
            f"must make (largest + 1)^{cells}, the tables of {cells} noisy counts, at most {_MOST_TABLES} for an exact "
            f"answer; got {shown(largest)}: use a smaller one or fewer classes",
        )
    release = partial(
        noisy_table,
        variable=imputed.variable,
        imputation_class=imputed.class_of,
        classes=classes,
        values=values,
        ratio=ratio,
        largest=largest,
    )
    model = proportional_draw(imputed.class_of, values)
    program = partial(model_imputation, variable=imputed.variable, release=release, model=model)
    return f"in proportion to noisy counts with ratio {ratio}", program, Influence(0, spends=Loss(1 / ratio)), None


_READERS: Mapping[str, Callable[[_Imputed], _Read]] = {
    "hot-deck": _hot_deck,
    "sequential-hot-deck": _sequential,
    "class-mode": _class_mode,
    "noisy-table": _noisy_table,
}


IMPUTATIONS = tuple(_READERS)
"""The imputations that a survey file may name."""


_KEYS: Mapping[str, tuple[str, ...]] = {
    "design": (),
    "non-response": ("by",),
    "post-stratification": ("by", "totals"),
    "raking": ("margins", "rounds"),
    "greg": ("totals", "units"),
}
"""The keys of each kind of weights."""

WEIGHTS = tuple(_KEYS)
"""The weights that a survey file may name."""

_MOST_ROUNDS = 20


@dataclass(frozen=True)
class ReadWeights:
    """A weights stage."""

    step: PipelineStep
    response_class: Callable[[Any], Any] | None = None


def read_weights(block: Block, layout: Layout, drawn_by: Sequence[str], responded: Layout | None) -> ReadWeights:
    """The weights of a stage."""
    name = block.one_of("name", tuple(_KEYS))
    block.only(("kind", "name", "depends_on", *_KEYS[name]))
    _check_declared(block, layout, drawn_by, "the design draws by it")
    if name == "design":
        step = PipelineStep(Stage.PROCESSED, "design weights", block.place, lambda data, _: data, form=Unchanged())
        return ReadWeights(step)
    if name == "non-response":
        return _for_response(block, responded, len(layout.names))
    if name == "greg":
        return _regressed(block, layout)
    if name == "raking":
        given = block.table("margins")
        margins = [_margin(given, layout, by, by) for by in given.values]
        if not margins:
            raise block.refuse("margins", "must have at least one variable; got none")
        block.within("margins", lambda: check_margins(margins))
        rounds = block.read("rounds", positive_integer)
        if rounds > _MOST_ROUNDS:
            raise block.refuse("rounds", f"must be at most {_MOST_ROUNDS}: the weights are exact; got {shown(rounds)}")
        words = f"weights raked to {' and '.join(given.values)}, {rounds} times"
        names = tuple(given.values)
    else:
        names = (layout.names[layout.complete(block, "by")],)
        margins, rounds = [_margin(block, layout, "totals", names[0])], 1
        words = f"weights post-stratified by {names[0]}"
    _check_declared(block, layout, names, "the weights are adjusted by it")
    program = _calibrated(margins, rounds, len(layout.names))
    words += " (totals of categories without units are left out)"
    form = SumsOfWeights(tuple(map(layout.names.index, names)))
    return ReadWeights(PipelineStep(Stage.PROCESSED, words, block.place, program, Influence(None), form))


def _regressed(block: Block, layout: Layout) -> ReadWeights:
    """Weights of the generalised regression estimator, for totals of variables and, if it is given, of units."""
    given = block.table("totals")
    names = tuple(given.values)
    places = [layout.complete(given, name, name) for name in names]
    totals = [given.exact(name) for name in names]
    for name in names:
        layout.ends(given, name, name)
    with_units = "units" in block
    if with_units:
        totals.insert(0, block.read("units", _total))
    if not totals:
        raise block.refuse("totals", "must have at least one variable, or units be given; got none")
    _check_declared(block, layout, names, "the weights are adjusted by it")
    width = len(layout.names)

    def program(data: UnitData, source: Source) -> UnitData:  # noqa: ARG001
        def auxiliaries(record: Any) -> tuple[Any, ...]:
            return (*((1,) if with_units else ()), *(record[place] for place in places))

        try:
            given = dict(greg(_weights(data, width), data, auxiliaries=auxiliaries, totals=totals))
        except DependentError:
            return data
        return tuple((unit, (*record[:width], given[unit], *record[width + 1 :])) for unit, record in data)

    words = f"regression weights for {' and '.join([*(['units'] if with_units else []), *names])}"
    words += " (left as they are where these depend on one another in the data)"
    form = SumsOfWeights(tuple(places))
    return ReadWeights(PipelineStep(Stage.PROCESSED, words, block.place, program, Influence(None), form))


def _for_response(block: Block, responded: Layout | None, width: int) -> ReadWeights:
    """Adjusted by a variable that is known for the whole sample, so that nonresponse leaves classes as they are."""
    if responded is None:
        raise block.refuse("name", "must not be 'non-response' without a non-response stage")
    place = responded.complete(block, "by")
    by = responded.names[place]
    _check_declared(block, responded, (by,), "the weights are adjusted by it")
    words = f"weights adjusted for non-response by {by} (classes in which nobody responds are left out)"
    form = ResponseClasses(place)
    step = PipelineStep(Stage.PROCESSED, words, block.place, _adjusted(place, width), Influence(None), form)
    return ReadWeights(step, itemgetter(place))


def _margin(block: Block, layout: Layout, key: str, name: str) -> Margin:
    """The totals of a key by the values of a variable."""
    place = layout.complete(block, key, name)
    return itemgetter(place), numbers_by_value(block, key, layout, place, _total)


def _total(place: str, value: Any) -> Fraction:
    number = parse_exact(place, value)
    if number <= 0:
        raise InputError(f"{place} must be positive; got {shown(number)}")
    return number


def _check_declared(block: Block, layout: Layout, needed: Sequence[str], why: str) -> None:
    """Refuse weights that depend on a variable that the file does not declare."""
    declared = block.names("depends_on")
    for name in declared:
        layout.place(block, "depends_on", name)
    for name in needed:
        if name not in declared:
            raise block.refuse("depends_on", f"must name {name!r}: {why}, so the weights depend on it")


def _adjusted(place: int, width: int) -> Callable[[UnitData, Source], UnitData]:
    """The adjusted weight at the end of each record, in the place of the weight and of its class's size n_c."""
    of = itemgetter(place)

    def program(data: UnitData, source: Source) -> UnitData:  # noqa: ARG001
        sizes = {of(record): record[width + 1] for _, record in data}
        given = dict(class_weights(_weights(data, width), data, sizes=sizes, response_class=of))
        return tuple((unit, (*record[:width], given[unit])) for unit, record in data)

    return program


def _weights(data: UnitData, width: int) -> Weights:
    """The weights that follow the variables of each record."""
    return tuple((unit, record[width]) for unit, record in data)


def _calibrated(margins: Sequence[Margin], rounds: int, width: int) -> Callable[[UnitData, Source], UnitData]:
    """Weights post-stratified to one margin after another, `rounds` times; categories without units are left out."""

    def program(data: UnitData, source: Source) -> UnitData:  # noqa: ARG001
        weights = _weights(data, width)
        for _ in range(rounds if data else 0):
            for category, totals in margins:
                known = {one: totals[one] for one in grouped("by", data, category)}
                weights = post_stratified(weights, data, stratum=category, totals=known)
        given = dict(weights)
        return tuple((unit, (*record[:width], given[unit], *record[width + 1 :])) for unit, record in data)

    return program
