"""The design stage of a survey file: which design of `mechanisms.surveys` it names, with its parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mechanisms.surveys.allocation import fixed, neyman, proportional
from mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    poisson_sample,
    pps_sample,
    random_order,
    randomly_rounded_sample,
    simple_random_sample,
    sorted_order,
    stratified_sample,
    systematic_sample,
    unit_order,
)
from spec.arguments import integer, positive_integer
from verify.audit.claim_table import Block
from verify.audit.surveys.keys import numbers_by_value, rate, reader
from verify.audit.surveys.survey_file import Layout

__all__ = ["DESIGN_NAMES", "NamedDesign", "read_design"]


@dataclass(frozen=True)
class NamedDesign:
    """A design with its parameters.

    Attributes:
        name: in a survey file.
        program: of `mechanisms.surveys.designs`.
        parameters: that it takes.
        words: what it does.
        uses: the variables by which it draws.
    """

    name: str
    program: Callable[..., tuple[Any, ...]]
    parameters: Mapping[str, Any]
    words: str
    uses: tuple[str, ...] = field(default=())


def read_design(block: Block, layout: Layout) -> NamedDesign:
    """The design of a stage.

    Raises:
        InputError: a key is unknown, missing or ill-typed.
    """
    return _READERS[block.one_of("name", DESIGN_NAMES)](block, layout)


_STAGE = ("kind", "name", "inclusion")


def _size(block: Block, key: str = "size") -> int:
    return positive_integer(block.where(key), block.required(key))


def _simple(block: Block, _: Layout) -> NamedDesign:
    size = _size(block.only((*_STAGE, "size")))
    words = f"a simple random sample of {size} without replacement"
    return NamedDesign("simple-random-sample", simple_random_sample, {"size": size}, words)


def _bernoulli(block: Block, _: Layout) -> NamedDesign:
    share = rate(block.only((*_STAGE, "rate")).where("rate"), block.required("rate"))
    return NamedDesign("bernoulli", bernoulli_sample, {"rate": share}, f"a Bernoulli sample at rate {share}")


def _poisson(block: Block, layout: Layout) -> NamedDesign:
    variable = layout.registered(block.only((*_STAGE, "by", "rates")), "by")
    rates = numbers_by_value(block, "rates", layout, variable, rate)
    name = layout.names[variable]
    parameters = {"rates": lambda _, record: rates[record[variable]]}
    return NamedDesign("poisson", poisson_sample, parameters, f"a Poisson sample at rates by {name}", (name,))


def _stratified(block: Block, layout: Layout) -> NamedDesign:
    block.only((*_STAGE, "by", "sizes", "proportional", "neyman", "variable"))
    place = layout.registered(block, "by")
    given = [key for key in ("sizes", "proportional", "neyman") if key in block]
    if len(given) != 1:
        raise block.refuse("sizes", f"or proportional or neyman must be given, one of them; got {given or 'none'}")
    if "variable" in block and given != ["neyman"]:
        raise block.refuse("variable", "belongs to neyman")
    by = layout.names[place]
    words, uses = f"a stratified sample by {by}, ", [by]
    if given == ["sizes"]:
        sizes = numbers_by_value(block, "sizes", layout, place, lambda at, value: integer(at, value, minimum=0))
        allocation, how = fixed(sizes), "with fixed sizes"
    elif given == ["proportional"]:
        allocation, how = proportional(_size(block, "proportional")), f"{block.required('proportional')} in proportion"
    else:
        variable = layout.registered(block, "variable")
        uses.append(layout.names[variable])
        allocation = neyman(_size(block, "neyman"), variable=reader(variable))
        how = f"{block.required('neyman')} by Neyman's allocation for {uses[-1]}"
    parameters = {"stratum": reader(place), "sizes": allocation}
    return NamedDesign("stratified", stratified_sample, parameters, words + how, tuple(dict.fromkeys(uses)))


def _randomly_rounded(block: Block, layout: Layout) -> NamedDesign:
    place = layout.registered(block.only((*_STAGE, "by", "rate")), "by")
    share, by = rate(block.where("rate"), block.required("rate")), layout.names[place]
    words = f"a stratified sample by {by}, in proportion {share} rounded at random"
    parameters = {"stratum": reader(place), "rate": share}
    return NamedDesign("randomly-rounded", randomly_rounded_sample, parameters, words, (by,))


def _cluster(block: Block, layout: Layout) -> NamedDesign:
    place = layout.registered(block.only((*_STAGE, "by", "number")), "by")
    number, by = _size(block, "number"), layout.names[place]
    parameters = {"cluster": reader(place), "number": number}
    return NamedDesign("cluster", cluster_sample, parameters, f"{number} whole clusters by {by}", (by,))


def _systematic(block: Block, layout: Layout) -> NamedDesign:
    step = _size(block.only((*_STAGE, "step", "order")), "step")
    order, words, uses = _order(block, layout)
    parameters = {"step": step, "order": order}
    return NamedDesign("systematic", systematic_sample, parameters, f"one unit in {step}, {words}", uses)


def _pps(block: Block, layout: Layout) -> NamedDesign:
    place = layout.registered(block.only((*_STAGE, "measure", "size", "order")), "measure")
    order, words, uses = _order(block, layout)
    size, measure = _size(block), layout.names[place]
    parameters = {"measure": reader(place), "size": size, "order": order}
    what = f"{size} with probability proportional to {measure}, systematically {words}"
    return NamedDesign("pps", pps_sample, parameters, what, tuple(dict.fromkeys((measure, *uses))))


def _order(block: Block, layout: Layout) -> tuple[Any, str, tuple[str, ...]]:
    """The order of the units on a list, in words, and the variables that it uses."""
    if "order" not in block or block.text("order") == "units":
        return unit_order, "in the order of the units", ()
    if block.text("order") == "random":
        return random_order, "in a random order", ()
    place = layout.registered(block, "order")
    name = layout.names[place]
    return sorted_order(reader(place)), f"in the order of {name}", (name,)


_READERS: Mapping[str, Callable[[Block, Layout], NamedDesign]] = {
    "simple-random-sample": _simple,
    "bernoulli": _bernoulli,
    "poisson": _poisson,
    "stratified": _stratified,
    "randomly-rounded": _randomly_rounded,
    "cluster": _cluster,
    "systematic": _systematic,
    "pps": _pps,
}

DESIGN_NAMES = tuple(_READERS)
"""The designs that a survey file may name."""
