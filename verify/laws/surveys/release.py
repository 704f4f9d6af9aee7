"""What a survey file releases of processed data: noisy statistics by cell, randomised answers, or a user's program.

Each release is one program of processed data and a source. An audit follows its choices, with noise clamped to the
range of the statistic; a run draws from it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from stirred.mechanisms.noise.geometric import ratio_above
from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError, probability
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law, product
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.engines.exhaustive import mechanism_laws
from stirred.verify.evidence.process_control.workload import part
from stirred.verify.laws.agreed_laws import refuse_partial
from stirred.verify.laws.claim.domain import freeze
from stirred.verify.laws.claim.mechanism import parameter_value
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.foreign import ForeignFunction, Limits
from stirred.verify.laws.surveys.stated import Changed, epsilon_above
from stirred.verify.laws.surveys.statistics import SurveyStatistic, read_statistic
from stirred.verify.laws.surveys.survey_file import Layout

_MOST_STEPS = 300
"""Steps of the noise over the range of a statistic: the digits of its law grow with each."""

_MOST_SCALE = 20_000
"""Steps over ε, up to which a ratio of 12 decimals is close to e^(−ε/steps)."""

Answers = Sequence[UnitData]
Ends = tuple[tuple[int, int], ...]
"""The range of each cell, in units."""


@dataclass(frozen=True)
class SurveyRelease:
    """The last step of a pipeline, from processed data to what is released.

    Attributes:
        laws: its exact law on each of some data sets.
        program: `program(data, source, ends=…)`, what a run draws from; None where it is a user's own.
        epsilon: what a run states that it loses; None where nothing is known of data of any size.
        statistic: what noise is added to; None where there is no one number by cell.
    """

    label: str
    words: str
    laws: Callable[[Answers, Limits], Mapping[UnitData, Law[Any]]]
    program: Callable[..., Any] | None
    epsilon: Fraction | None
    statistic: SurveyStatistic | None = None
    ratio: Fraction | None = None

    @property
    def alone(self) -> Loss | None:
        """The loss of the noise for each unit by which the statistic changes; None where there is no such noise."""
        return None if self.ratio is None else Loss(1 / self.ratio)

    @property
    def scale(self) -> Fraction:
        """The scale 1/ln(1/α) of the noise, in units, rounded; 0 where there is none."""
        return Fraction(0) if self.ratio is None else 1 / Loss(1 / self.ratio).epsilon(12).upper


@dataclass(frozen=True)
class _Processed:
    """What releases are read for."""

    layout: Layout
    is_weighted: bool
    directory: Path
    changed: Changed


def read_releases(
    blocks: Sequence[Block], layout: Layout, directory: Path, *, is_weighted: bool, changed: Changed
) -> tuple[SurveyRelease, ...]:
    """The releases of the mechanisms' tables."""
    found: list[SurveyRelease] = []
    for block in blocks:
        one = _read(block, _Processed(layout, is_weighted, directory, changed))
        if one.label in [other.label for other in found]:
            raise block.refuse("label", f"must be unique to a mechanism; got {one.label!r} again")
        found.append(one)
    return tuple(found)


def joint(releases: Sequence[SurveyRelease]) -> SurveyRelease:
    """Several releases of one data set, each drawn for itself, as one."""
    if len(releases) == 1:
        return releases[0]

    def laws(points: Answers, limits: Limits) -> Mapping[UnitData, Law[Any]]:
        each = [one.laws(points, limits) for one in releases]
        return {point: _together([law[point] for law in each]) for point in points}

    epsilons = [one.epsilon for one in releases]
    total = None if None in epsilons else sum((one for one in epsilons if one is not None), Fraction(0))
    return SurveyRelease("all", "; ".join(one.words for one in releases), laws, None, total)


def _together(laws: Sequence[Law[Any]]) -> Law[Any]:
    first, *others = laws
    found: Law[Any] = first.push(lambda outcome: (outcome,))
    for law in others:
        found = product(found, law).push(lambda pair: (*pair[0], pair[1]))
    return found


def _read(block: Block, of: _Processed) -> SurveyRelease:
    if "function" in block:
        block.only(("label", "function", "parameters"))
        function = ForeignFunction(block.where("function"), block.text("function"), of.directory)
        laws = partial(_asked, function, _parameters(block))
        return SurveyRelease(block.given("label", block.text) or "function", function.reference, laws, None, None)
    if "name" not in block:
        raise InputError(f"{block.where('name')}: missing key; give name or function")
    return _READERS[block.one_of("name", tuple(_READERS))](block, of)


def _parameters(block: Block) -> dict[str, Any]:
    given = block.given("parameters", block.table) or Block(block.place, {})
    return {key: parameter_value(given.where(key), freeze(value)) for key, value in given.values.items()}


def _asked(
    function: ForeignFunction, parameters: Mapping[str, Any], points: Answers, limits: Limits
) -> Mapping[UnitData, Law[Any]]:
    function = replace(function, limits=limits)
    function.check_place()
    found = function.laws(points, parameters, is_ordered=True)
    refuse_partial(found.laws, function.where)
    if found.is_nearby or found.is_released:
        raise InputError(
            f"{function.where}: must have exact finite laws: clamp its noise, and do not draw from a Gaussian"
        )
    return found.laws


def _geometric(block: Block, of: _Processed) -> SurveyRelease:
    statistic = read_statistic(block, of.layout, ("name", "label", "ratio", "epsilon"), is_weighted=of.is_weighted)
    moved = statistic.contribution.moved(of.changed)
    ratio, epsilon = _noise(block, moved)
    words = f"geometric noise with ratio {ratio} on {statistic.words}"
    if statistic.unit != 1:
        words += f", in multiples of {statistic.unit}"

    def program(data: UnitData, source: Source, *, ends: Ends | None = None) -> Any:
        return noisy(statistic.steps(data), source, ratio=ratio, ends=ends)

    laws = partial(_noisy_laws, statistic, ratio)
    return SurveyRelease(
        block.given("label", block.text) or statistic.label, words, laws, program, epsilon, statistic, ratio
    )


def _noise(block: Block, moved: int | None) -> tuple[Fraction, Fraction | None]:
    """The ratio of the noise, and what it loses on data of any size."""
    if block.one_key("ratio", "epsilon") == "ratio":
        ratio = block.inside_unit("ratio")
        return ratio, None if moved is None else epsilon_above(Loss(1 / ratio).times(moved))
    epsilon = block.positive("epsilon")
    if moved is None:
        raise block.refuse(
            "epsilon",
            "must be a ratio here: one record can move the statistic without bound; give least and most, or largest "
            "for weights that no stage adjusts",
        )
    if moved > _MOST_SCALE * epsilon:
        raise block.refuse(
            "unit", f"must be larger: a record moves the statistic by {moved} units, above {_MOST_SCALE} times epsilon"
        )
    return ratio_above(epsilon / max(1, moved)), epsilon


def noisy(steps: tuple[int, ...], source: Source, *, ratio: Fraction, ends: Ends | None = None) -> Any:
    """Two-sided geometric noise on each cell, unbounded or clamped; of one cell the number itself."""
    found: tuple[Any, ...] = tuple(step + source.discrete_laplace(ratio) for step in steps)
    if ends is not None:
        found = tuple(source.clamp(one, *end) for one, end in zip(found, ends, strict=True))
    return found if len(found) != 1 else found[0]


def clamped_ends(statistic: SurveyStatistic, vectors: Iterable[tuple[int, ...]]) -> Ends:
    """The range of each cell of a statistic."""
    found = tuple((min(cell), max(cell)) for cell in zip(*vectors, strict=True))
    for low, high in found:
        if high - low > _MOST_STEPS:
            raise InputError(
                f"{statistic.place}.unit must divide the range of the statistic, {low * statistic.unit} to "
                f"{high * statistic.unit}, into at most {_MOST_STEPS} steps for an exact answer; {statistic.unit} "
                f"makes {high - low}: use a larger unit or smaller values"
            )
    return found


def _noisy_laws(
    statistic: SurveyStatistic, ratio: Fraction, points: Answers, limits: Limits
) -> Mapping[UnitData, Law[Any]]:
    """The laws of the noisy statistic, each cell clamped to the range that it has on any of the data sets.

    Beyond that range the likelihood ratio of any two mixtures of shifted geometric noise does not change, so that they
    lose what the unbounded noise loses.
    """
    steps = {point: statistic.steps(point) for point in points}
    ends, vectors = clamped_ends(statistic, steps.values()), sorted(set(steps.values()))
    laws: dict[tuple[int, ...], Law[Any]] = {}
    with part("noise", len(vectors)) as done:
        for vector in vectors:
            domain = FiniteDomain((vector,))
            laws.update(mechanism_laws(noisy, domain, choice_budget=limits.choices, ratio=ratio, ends=ends))
            done.advance()
    return {point: laws[step] for point, step in steps.items()}


def _randomized_response(block: Block, of: _Processed) -> SurveyRelease:
    block.only(("name", "label", "of", "flip_probability"))
    place, layout = of.layout.place(block, "of"), of.layout
    name, flip = layout.names[place], probability(block.where("flip_probability"), block.exact("flip_probability"))
    if None in layout.values[name]:
        raise block.refuse("of", f"must be a variable that is never missing when it is released; {name!r} may be")
    if len(layout.values[name]) != 2:
        raise block.refuse("of", f"must be a variable of two values; {name!r} has {len(layout.values[name])}")
    first = layout.values[name][0]

    def answers(data: UnitData, source: Source, *, ends: None = None) -> tuple[int, ...]:  # noqa: ARG001 no noise
        return randomized_response(
            tuple(int(record[place] != first) for _, record in data), source, flip_probability=flip
        )

    def laws(points: Answers, limits: Limits) -> Mapping[UnitData, Law[Any]]:
        with part("answers", 1):
            return mechanism_laws(answers, FiniteDomain(tuple(points)), choice_budget=limits.choices)

    epsilon, changed = None, of.changed
    if changed.is_kept and changed.others is not None and 0 < flip < 1:
        epsilon = epsilon_above(Loss(max(flip, 1 - flip) / min(flip, 1 - flip)).times(1 + changed.others))
    words = f"randomized response of {name} with flip probability {flip}"
    return SurveyRelease(block.given("label", block.text) or name, words, laws, answers, epsilon)


_READERS: Mapping[str, Callable[[Block, _Processed], SurveyRelease]] = {
    "geometric": _geometric,
    "randomized-response": _randomized_response,
}
