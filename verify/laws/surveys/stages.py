"""The stages of a survey file, in their order, as the steps of a pipeline.

After the design every record ends with its weight where the survey has weights; after unit non-response with the
number of units of its response class in the sample too, where weights are adjusted by it: a mechanism that starts there
has as input all that it uses.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.designs import sample_with_replacement, select
from stirred.mechanisms.surveys.inclusion import expected_draws, inclusion_in_law
from stirred.mechanisms.surveys.inclusion import inclusion as closed_inclusion
from stirred.mechanisms.surveys.response import independent_response, item_nonresponse
from stirred.spec.arguments import InputError, shown
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.laws.claim.domain import freeze
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.surveys.adjustments import ReadWeights, read_imputation, read_weights
from stirred.verify.laws.surveys.designs import NamedDesign, read_design
from stirred.verify.laws.surveys.stated import Influence, PipelineStep
from stirred.verify.laws.surveys.survey_file import Layout, SurveyFile, numbers_by_value, pairs, rate, share

_Propensity = Callable[[Any, Any], Any]


def read_response(block: Block, layout: Layout, response_class: Callable[[Any], Any] | None) -> PipelineStep:
    """The step of a non-response stage."""
    block.only(("kind", "rate", "by", "rates", "variable"))
    propensity, how = _propensity(block, layout)
    if "variable" in block:
        variable = layout.place(block, "variable")

        def answered(data: UnitData, source: Source) -> UnitData:
            return item_nonresponse(_classed(data, response_class), source, variable=variable, propensity=propensity)

        words = f"an answer to {layout.names[variable]} with probability {how}"
        return PipelineStep(Stage.RESPONDING, words, block.place, answered)

    def responding(data: UnitData, source: Source) -> UnitData:
        return independent_response(_classed(data, response_class), source, propensity=propensity)

    words = f"response with probability {how}"
    return PipelineStep(Stage.RESPONDING, words, block.place, responding, Influence(drops=True))


def _classed(data: UnitData, response_class: Callable[[Any], Any] | None) -> UnitData:
    if response_class is None:
        return data
    sizes = Counter(response_class(record) for _, record in data)
    return tuple((unit, (*record, sizes[response_class(record)])) for unit, record in data)


def _propensity(block: Block, layout: Layout) -> tuple[_Propensity, str]:
    """The probability that a unit responds, and how it is stated."""
    if block.one_key("rate", "rates") == "rate":
        if "by" in block:
            raise block.refuse("by", "belongs to rates")
        one = block.read("rate", share)
        return lambda _, __: one, str(one)
    variable = layout.complete(block, "by")
    rates = numbers_by_value(block, "rates", layout, variable, share)
    return lambda _, record: rates[record[variable]], f"by {layout.names[variable]}"


_KINDS: Mapping[str, Stage] = {
    "frame": Stage.FRAME,
    "design": Stage.SAMPLE,
    "non-response": Stage.RESPONDING,
    "weights": Stage.PROCESSED,
    "imputation": Stage.PROCESSED,
}
_ORDER = "frame, design, non-response, then weights and imputation"


@dataclass(frozen=True)
class ReadStages:
    """The stages of a file.

    Attributes:
        is_weighted: whether processed records end with a weight.
        is_frame_random: whether the frame is random.
        has_classes: whether records that respond end with the size of their response class.
    """

    steps: tuple[PipelineStep, ...]
    designs: tuple[NamedDesign, ...]
    is_weighted: bool
    is_frame_random: bool
    has_classes: bool
    layouts: Mapping[Stage, Layout]

    @property
    def layout(self) -> Layout:
        """Of processed records."""
        return self.layouts[Stage.PROCESSED]


def read_stages(survey: SurveyFile) -> ReadStages:
    """The stages of a survey file."""
    kinds = [block.one_of("kind", tuple(_KINDS)) for block in survey.stages]
    _check_order(survey.stages, kinds)
    *layouts, processed = _layouts(survey.layout, survey.stages, kinds)
    made = [Stage.POPULATION, *(_KINDS[kind] for kind in kinds)]
    by_stage = dict(zip(made, [*layouts, processed], strict=True)) | {Stage.PROCESSED: processed}
    of: dict[str, list[tuple[Block, Layout]]] = {kind: [] for kind in _KINDS}
    for kind, block, layout in zip(kinds, survey.stages, layouts, strict=True):
        of[kind].append((block, layout))
    designs = tuple(read_design(block, layout) for block, layout in of["design"])
    processing = (layout for kind, layout in zip(kinds, layouts, strict=True) if _KINDS[kind] is Stage.PROCESSED)
    weights = _weights(of["weights"], designs, next(processing, processed) if of["non-response"] else None)
    classes = next((one.response_class for one in weights if one.response_class is not None), None)
    steps = [_frame(block, survey.units) for block, _ in of["frame"]]
    if designs:
        steps.append(_sample([block for block, _ in of["design"]], designs, survey.units, is_weighted=bool(weights)))
    for number, (block, layout) in enumerate(of["non-response"]):
        steps.append(read_response(block, layout, classes if number == 0 else None))
    readers = {
        "weights": iter(one.step for one in weights),
        "imputation": (read_imputation(block, layout) for block, layout in of["imputation"]),
    }
    steps += [next(readers[kind]) for kind in kinds if kind in readers]
    is_random = any("coverage" in block for block, _ in of["frame"])
    return ReadStages(tuple(steps), designs, bool(weights), is_random, classes is not None, by_stage)


def _layouts(layout: Layout, stages: Sequence[Block], kinds: Sequence[str]) -> Iterator[Layout]:
    """The layout before each stage, and after the last: which variables may be missing there."""
    yield layout
    for block, kind in zip(stages, kinds, strict=True):
        if kind == "non-response" and "variable" in block:
            layout = layout.unanswered(layout.names[layout.place(block, "variable")])
        elif kind == "imputation":
            layout = layout.imputed(layout.names[layout.place(block, "variable")])
        yield layout


def _weights(
    blocks: Sequence[tuple[Block, Layout]], designs: Sequence[NamedDesign], responded: Layout | None
) -> list[ReadWeights]:
    """The weights stages; one of them at most adjusts for non-response, since it uses up the sizes of the classes."""
    used = tuple(dict.fromkeys(name for design in designs for name in design.uses))
    weights: list[ReadWeights] = []
    for block, layout in blocks:
        read = read_weights(block, layout, used, responded)
        if read.response_class is not None and any(one.response_class is not None for one in weights):
            raise block.refuse("name", "must not be a second 'non-response': weights are adjusted for it once")
        weights.append(read)
    return weights


def _check_order(stages: Sequence[Block], kinds: Sequence[str]) -> None:
    order = list(Stage)
    for block, kind, before in zip(stages[1:], kinds[1:], kinds, strict=False):
        if order.index(_KINDS[kind]) < order.index(_KINDS[before]):
            raise block.refuse("kind", f"must not be {kind!r} after {before!r}: the order is {_ORDER}")
        if kind == before == "frame":
            raise block.refuse("kind", "must not be a second 'frame': a survey has one")
    for block, kind in zip(stages, kinds, strict=True):
        if kind == "weights" and "design" not in kinds:
            raise block.refuse("kind", "must not be 'weights' without a 'design' before it")


def _frame(block: Block, population: Sequence[Any]) -> PipelineStep:
    block.only(("kind", "units", "coverage"))
    listed = tuple(population)
    if "units" in block:
        listed = tuple(map(freeze, block.array("units")))
        for unit in listed:
            if unit not in population:
                raise block.refuse("units", f"must lie in the population, {list(population)}; {unit!r} does not")
        if not listed or len(set(listed)) != len(listed):
            raise block.refuse("units", f"must name each unit once, at least one; got {list(listed)}")
    share = block.read("coverage", rate) if "coverage" in block else Fraction(1)
    kept = frozenset(listed)

    def program(data: UnitData, source: Source) -> UnitData:
        return tuple(pair for pair in data if pair[0] in kept and (share == 1 or source.bernoulli(share)))

    who = "all units" if len(kept) == len(population) else f"{len(kept)} of the {len(population)} units"
    words = f"a frame of {who}{'' if share == 1 else f', each on it with probability {share}'}"
    return PipelineStep(Stage.FRAME, words, block.place, program, Influence(drops=share != 1))


_MOST_FOLLOWED = 12
"""Units of a frame, up to which the samples of several designs are followed for their inclusion probabilities."""


def _sample(
    blocks: Sequence[Block], designs: Sequence[NamedDesign], population: Sequence[Any], *, is_weighted: bool
) -> PipelineStep:
    """One step for all designs, one after another, with the design weight at the end of each record if it is needed.

    A sample holds each unit once. Its weight is how often it was drawn over how often it is drawn on average.
    """
    stated = [_stated_inclusion(block, population) for block in blocks]
    if any(one is not None for one in stated[:-1]):
        raise blocks[0].refuse("inclusion", "belongs to the last design, and is that of all of them together")
    for block, design in zip(blocks, designs, strict=True):
        if design.program is sample_with_replacement and is_weighted and len(designs) > 1:
            raise block.refuse("name", "must not be 'with-replacement' beside another design: no weights are known")

    def drawn(frame: UnitData, source: Source) -> tuple[UnitData, Mapping[Any, int]]:
        times: Mapping[Any, int] = {}
        for design in designs:
            times = Counter(design.program(frame, source, **design.parameters))
            frame = select(frame, tuple(times))
        return frame, times

    @cache
    def inclusion(frame: UnitData) -> Mapping[Any, Fraction]:
        if len(designs) == 1:
            return closed_inclusion(designs[0].program, frame, **designs[0].parameters)
        if len(frame) > _MOST_FOLLOWED:
            raise InputError(
                f"the frame must have at most {_MOST_FOLLOWED} units for weights and inclusion probabilities of "
                f"several designs, whose samples are all followed; got {len(frame)}"
            )
        return inclusion_in_law(exact_law(lambda data, source: drawn(data, source)[0], frame), frame)

    @cache
    def average_draws(frame: UnitData) -> Mapping[Any, Fraction]:
        if len(designs) == 1:
            return expected_draws(designs[0].program, frame, **designs[0].parameters)
        return inclusion(frame)

    def program(frame: UnitData, source: Source) -> UnitData:
        if stated[-1] is not None:
            _check_inclusion(stated[-1], inclusion(frame))
        sample, times = drawn(frame, source)
        if not is_weighted:
            return sample
        average = average_draws(frame)
        return tuple((unit, (*record, times[unit] / average[unit])) for unit, record in sample)

    words = ", then ".join(design.words for design in designs)
    return PipelineStep(Stage.SAMPLE, words, blocks[0].place, program)


_Inclusion = Fraction | dict[Any, Fraction]


def _stated_inclusion(block: Block, population: Sequence[Any]) -> _Inclusion | None:
    if "inclusion" not in block:
        return None
    if isinstance(block.required("inclusion"), list):
        stated = pairs(block, "inclusion", rate)
        for unit in stated:
            if unit not in population:
                raise block.refuse("inclusion", f"must be of units of the population, {list(population)}; got {unit!r}")
        return stated
    return block.read("inclusion", rate)


def _check_inclusion(stated: _Inclusion, found: Mapping[Any, Fraction]) -> None:
    """Refuse inclusion probabilities that are not those of the design on a frame."""
    for unit, probability in found.items():
        if isinstance(stated, dict) and unit not in stated:
            raise InputError(f"inclusion must have a probability for every unit of the frame; {unit!r} has none")
        one = stated[unit] if isinstance(stated, dict) else stated
        if one != probability:
            raise InputError(f"inclusion must be the design's, {probability} for unit {unit!r}; got {shown(one)}")
