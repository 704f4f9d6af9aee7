"""The design stage of a survey file: which design of `mechanisms.surveys` it names, with its parameters."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from operator import itemgetter
from typing import Any

from stirred.mechanisms.surveys.allocation import fixed, neyman, proportional
from stirred.mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    poisson_sample,
    pps_sample,
    random_order,
    randomly_rounded_sample,
    sample_with_replacement,
    simple_random_sample,
    sorted_order,
    stratified_sample,
    systematic_sample,
    unit_order,
)
from stirred.mechanisms.surveys.inclusion import sampford_sample, two_stage_sample
from stirred.spec.arguments import integer, positive_integer
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.surveys.survey_file import Layout, numbers_by_value, rate


class DesignForm(Enum):
    """The closed form that a design has, by its name in `spec.surveys.amplification`."""

    SIMPLE = "simple random sample"
    INDEPENDENT = "Poisson sample"
    FIXED_STRATA = "stratified sample of fixed sizes"
    CLUSTERS = "cluster sample"
    FIXED_ORDER = "systematic sample in a fixed order"
    RANDOM_ORDER = "systematic sample in a random order"


@dataclass(frozen=True)
class NamedDesign:
    """A design with its parameters.

    Attributes:
        form: its closed form where nothing that it uses changes; None where none is in use.
        uses: the variables by which it draws.
    """

    name: str
    program: Callable[..., tuple[Any, ...]]
    parameters: Mapping[str, Any]
    words: str
    form: DesignForm | None
    uses: tuple[str, ...] = field(default=())


def read_design(block: Block, layout: Layout) -> NamedDesign:
    """The design of a stage."""
    return _READERS[block.one_of("name", DESIGN_NAMES)](block, layout)


_STAGE = ("kind", "name", "inclusion")


def _simple(block: Block, _: Layout) -> NamedDesign:
    size = block.only((*_STAGE, "size")).read("size", positive_integer)
    words = f"a simple random sample of {size} without replacement"
    return NamedDesign("simple-random-sample", simple_random_sample, {"size": size}, words, DesignForm.SIMPLE)


def _with_replacement(block: Block, layout: Layout) -> NamedDesign:
    size = block.only((*_STAGE, "measure", "size")).read("size", positive_integer)
    words, parameters = f"{size} draws with replacement", dict[str, Any](size=size)
    if "measure" not in block:
        return NamedDesign("with-replacement", sample_with_replacement, parameters, words, None)
    place = layout.registered(block, "measure")
    measure = layout.names[place]
    parameters["measure"] = itemgetter(place)
    words += f", with probability proportional to {measure}"
    return NamedDesign("with-replacement", sample_with_replacement, parameters, words, None, (measure,))


def _bernoulli(block: Block, _: Layout) -> NamedDesign:
    share = block.only((*_STAGE, "rate")).read("rate", rate)
    words = f"a Bernoulli sample at rate {share}"
    return NamedDesign("bernoulli", bernoulli_sample, {"rate": share}, words, DesignForm.INDEPENDENT)


def _poisson(block: Block, layout: Layout) -> NamedDesign:
    variable = layout.registered(block.only((*_STAGE, "by", "rates")), "by")
    rates = numbers_by_value(block, "rates", layout, variable, rate)
    name = layout.names[variable]
    parameters = {"rates": lambda _, record: rates[record[variable]]}
    words = f"a Poisson sample at rates by {name}"
    return NamedDesign("poisson", poisson_sample, parameters, words, DesignForm.INDEPENDENT, (name,))


def _stratified(block: Block, layout: Layout) -> NamedDesign:
    block.only((*_STAGE, "by", "sizes", "proportional", "neyman", "variable"))
    place = layout.registered(block, "by")
    kind = block.one_key("sizes", "proportional", "neyman")
    if "variable" in block and kind != "neyman":
        raise block.refuse("variable", "belongs to neyman")
    by = layout.names[place]
    words, uses = f"a stratified sample by {by}, ", [by]
    if kind == "sizes":
        sizes = numbers_by_value(block, "sizes", layout, place, lambda at, value: integer(at, value, minimum=0))
        allocation, how = fixed(sizes), "with fixed sizes"
    elif kind == "proportional":
        allocation, how = (
            proportional(block.read("proportional", positive_integer)),
            f"{block.required('proportional')} in proportion",
        )
    else:
        variable = layout.registered(block, "variable")
        uses.append(layout.names[variable])
        allocation = neyman(block.read("neyman", positive_integer), variable=itemgetter(variable))
        how = f"{block.required('neyman')} by Neyman's allocation for {uses[-1]}"
    parameters = {"stratum": itemgetter(place), "sizes": allocation}
    drawn_by = tuple(dict.fromkeys(uses))
    return NamedDesign("stratified", stratified_sample, parameters, words + how, DesignForm.FIXED_STRATA, drawn_by)


def _randomly_rounded(block: Block, layout: Layout) -> NamedDesign:
    place = layout.registered(block.only((*_STAGE, "by", "rate")), "by")
    share, by = block.read("rate", rate), layout.names[place]
    words = f"a stratified sample by {by}, in proportion {share} rounded at random"
    parameters = {"stratum": itemgetter(place), "rate": share}
    return NamedDesign("randomly-rounded", randomly_rounded_sample, parameters, words, None, (by,))


def _cluster(block: Block, layout: Layout) -> NamedDesign:
    place = layout.registered(block.only((*_STAGE, "by", "number")), "by")
    number, by = block.read("number", positive_integer), layout.names[place]
    parameters = {"cluster": itemgetter(place), "number": number}
    words = f"{number} whole clusters by {by}"
    return NamedDesign("cluster", cluster_sample, parameters, words, DesignForm.CLUSTERS, (by,))


def _systematic(block: Block, layout: Layout) -> NamedDesign:
    step = block.only((*_STAGE, "step", "order")).read("step", positive_integer)
    order, words, uses = _order(block, layout)
    parameters = {"step": step, "order": order}
    form = DesignForm.RANDOM_ORDER if order is random_order else DesignForm.FIXED_ORDER
    return NamedDesign("systematic", systematic_sample, parameters, f"one unit in {step}, {words}", form, uses)


def _pps(block: Block, layout: Layout) -> NamedDesign:
    place = layout.registered(block.only((*_STAGE, "measure", "size", "order")), "measure")
    order, words, uses = _order(block, layout)
    size, measure = block.read("size", positive_integer), layout.names[place]
    parameters = {"measure": itemgetter(place), "size": size, "order": order}
    what = f"{size} with probability proportional to {measure}, systematically {words}"
    return NamedDesign("pps", pps_sample, parameters, what, None, tuple(dict.fromkeys((measure, *uses))))


def _sampford(block: Block, layout: Layout) -> NamedDesign:
    place = layout.registered(block.only((*_STAGE, "measure", "size")), "measure")
    size, measure = block.read("size", positive_integer), layout.names[place]
    parameters = {"measure": itemgetter(place), "size": size}
    words = f"{size} with probability proportional to {measure}, by Sampford's method"
    return NamedDesign("sampford", sampford_sample, parameters, words, None, (measure,))


def _two_stage(block: Block, layout: Layout) -> NamedDesign:
    place = layout.registered(block.only((*_STAGE, "by", "number", "size")), "by")
    number, size, by = block.read("number", positive_integer), block.read("size", positive_integer), layout.names[place]
    first, second = (partial(simple_random_sample, size=many) for many in (number, size))
    parameters = {"cluster": itemgetter(place), "first": first, "second": second}
    return NamedDesign(
        "two-stage", two_stage_sample, parameters, f"{size} of each of {number} clusters by {by}", None, (by,)
    )


_ORDERS = {"units": (unit_order, "in the order of the units"), "random": (random_order, "in a random order")}


def _order(block: Block, layout: Layout) -> tuple[Any, str, tuple[str, ...]]:
    """The order of the units on a list, in words, and the variables that it uses."""
    chosen = block.given("order", block.text) or "units"
    if chosen in _ORDERS:
        if "order" in block and chosen in layout.names:
            raise block.refuse("order", f"is ambiguous: {chosen!r} names an order and a variable; rename the variable")
        return *_ORDERS[chosen], ()
    place = layout.registered(block, "order")
    name = layout.names[place]
    return sorted_order(itemgetter(place)), f"in the order of {name}", (name,)


_READERS: Mapping[str, Callable[[Block, Layout], NamedDesign]] = {
    "simple-random-sample": _simple,
    "with-replacement": _with_replacement,
    "bernoulli": _bernoulli,
    "poisson": _poisson,
    "stratified": _stratified,
    "randomly-rounded": _randomly_rounded,
    "cluster": _cluster,
    "systematic": _systematic,
    "pps": _pps,
    "sampford": _sampford,
    "two-stage": _two_stage,
}

DESIGN_NAMES = tuple(_READERS)
"""The designs that a survey file may name."""
