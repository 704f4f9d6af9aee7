"""From Python arguments to the claim that the auditor works on: the same objects as from a claim file."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

from stirred.mechanisms.generators.kinds import USUAL, annotated_kind, check_generator, generator_place
from stirred.spec.arguments import InputError, shown, suggestion
from stirred.spec.blocks.domain import FiniteDomain, Form
from stirred.spec.blocks.multiverse import Invariant, Multiverse, induced
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.flavors.pufferfish import Pufferfish
from stirred.verify.api.blocks import BlockArguments, Local, PremetricOn, read_data_sets, read_distance, read_output
from stirred.verify.api.budget import read_budget, value_in_words
from stirred.verify.laws.claim.claim import FOUR_BLOCKS, Case, PrivacyClaim
from stirred.verify.laws.claim.domain import DomainKind, named_invariant
from stirred.verify.laws.claim.mechanism import ClaimedMechanism, parameter_value
from stirred.verify.laws.claim.premetrics import PUFFERFISH
from stirred.verify.laws.claim.read import check_distances
from stirred.verify.laws.claim.symmetry import build_symmetry
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits
from stirred.verify.laws.local import LocalFunction
from stirred.verify.laws.messages import NUMERICS
from stirred.verify.laws.plain import scalar_value

InvariantsOn = Callable[[DomainKind], tuple[Invariant, ...]]
"""Invariants as functions of the data sets of a domain."""

_OURS = ("mechanism", "limits", "parameters", *(block.name for block in fields(BlockArguments)))
"""Keywords that are never a parameter of the mechanism."""


def merged_parameters(parameters: Mapping[str, Any] | None, named: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a mechanism, from a mapping and from keywords.

    >>> merged_parameters({"epsilon": "1"}, {"rate": "1/4"})
    {'epsilon': '1', 'rate': '1/4'}
    """
    if parameters is None:
        return named
    if not isinstance(parameters, Mapping) or not all(isinstance(name, str) for name in parameters):
        raise InputError(
            f"parameters must be a mapping of the mechanism's parameters by name, such as {{'epsilon': '1'}}; got "
            f"{parameters!r}"
        )
    for name in named:
        if name in parameters:
            raise InputError(f"{name} must be given once: in parameters, or as a keyword; got both")
    return {**parameters, **named}


@dataclass(frozen=True)
class StatedClaim:
    """A claim as Python states it, without its mechanism; the limits hold for all code that it runs."""

    claim: BlockArguments
    parameters: Mapping[str, Any]
    limits: Limits = DEFAULT_LIMITS

    @property
    def budget(self) -> str:
        """The budget by its value, in whatever notation; malformed ones as they are written."""
        given = {name: getattr(self.claim, name) for name in ("epsilon", "rho", "mu", "curve", "delta")}
        return ", ".join(f"{name} = {value_in_words(value)}" for name, value in given.items() if value is not None)

    def local(
        self,
        where: str,
        function: Callable[..., Any],
        generator: str | None = None,
        originals: Mapping[Any, Any] | None = None,
    ) -> LocalFunction:
        if (numerics := self.claim.numerics) not in (None, *NUMERICS):
            raise InputError(f"numerics must be 'real' or 'double'; got {shown(numerics)}")
        return LocalFunction(where, function, generator, self.limits, originals or {}, numerics)


def built_claim(mechanism: Callable[..., Any], stated: StatedClaim) -> PrivacyClaim:
    """The validated claim about a mechanism: a function of a data set, a source and its parameters."""
    claim = stated.claim
    domain, originals = read_data_sets(claim.data_sets)
    local = partial(stated.local, originals=originals)
    generator = None if claim.generator is None else check_generator("generator", claim.generator)
    function = local("mechanism", mechanism, generator)
    _check_given(function.name, mechanism, stated.parameters)
    setting = {name: _parameter(name, value) for name, value in stated.parameters.items()}
    measure = read_output(claim.output, claim.delta, local)
    budget = read_budget(claim.epsilon, claim.rho, claim.curve, measure, mu=claim.mu)
    kind = _kind(domain)
    names, on = _invariants(claim, kind, local)

    def multiverse_on(kind: DomainKind) -> Multiverse:
        return induced(kind.listed(), *(function for one in on for function in one(kind)))

    multiverse = multiverse_on(kind)
    pufferfish = claim.distance if isinstance(claim.distance, Pufferfish) else None
    name = PUFFERFISH
    premetric_on: PremetricOn = _no_premetric
    if pufferfish is None:
        name, premetric_on = read_distance(claim.distance, kind, local)
        data = InputBlocks(kind.listed(), multiverse, premetric_on(kind, multiverse))
    else:
        data = pufferfish.blocks
    distance = data.input_premetric
    check_distances("distance", data.multiverse, distance, measure)
    return PrivacyClaim(
        id=function.name,
        source="Python",
        statement=_statement(function, claim),
        words=dict.fromkeys(FOUR_BLOCKS if budget is None else (*FOUR_BLOCKS, "budget"), ""),
        limits=stated.limits,
        kind=kind,
        invariants=names,
        input_premetric=(name, distance.resolution),
        output_premetric=measure,
        mechanism=ClaimedMechanism(function.name, "mechanism", function, (setting,)),
        cases=(Case(setting, budget),),
        data=data,
        pufferfish=pufferfish,
        multiverse_on=multiverse_on,
        premetric_on=premetric_on,
        symmetry=build_symmetry("symmetry", _declared(claim), kind, kind.listed()) if claim.symmetry else None,
    )


def _check_given(name: str, mechanism: Callable[..., Any], parameters: Mapping[str, Any]) -> None:
    """Refuse a mechanism that misses a parameter whose name is one of our keywords, and say how to pass it."""
    try:
        wanted = tuple(inspect.signature(mechanism).parameters.values())
    except (TypeError, ValueError):  # it has no signature
        return
    names = {one.name for one in wanted[1:] if one.default is one.empty and annotated_kind(mechanism, one) is None}
    missing = names & set(_OURS) - {*parameters, *USUAL}
    place = generator_place(mechanism, (*parameters, *missing))
    for one in wanted[1:]:
        if one.name in missing and one.name != place.name:
            raise InputError(
                f"mechanism: {name} must be given its parameter {one.name}; that keyword is the claim's own: write "
                f"parameters={{'{one.name}': …}}"
            )


def _declared(claim: BlockArguments) -> tuple[str, ...]:
    if isinstance(claim.symmetry, str):
        raise InputError(f"symmetry must be a list of names; got {claim.symmetry!r}")
    return tuple(claim.symmetry)


def _statement(function: LocalFunction, claim: BlockArguments) -> str:
    given = {"epsilon": claim.epsilon, "delta": claim.delta, "rho": claim.rho, "mu": claim.mu}
    stated = ", ".join(f"{name} = {value}" for name, value in given.items() if value is not None)
    return f"{function.name} satisfies {stated or 'what it needs'}."


def _parameter(name: str, value: Any) -> Any:
    if isinstance(value, float):
        raise InputError(f"{name} must be exact; got the float {value!r}: write the text {str(value)!r}, or a Fraction")
    return parameter_value(name, scalar_value(value))


def _kind(domain: FiniteDomain) -> DomainKind:
    """The domain as the auditor has it; an unordered one has a schema, without names of variables."""
    margins = None
    if domain.form is Form.TABLES:  # all of them share the margins of each stratum
        margins = tuple(
            (tuple(map(sum, table)), tuple(map(sum, zip(*table, strict=True)))) for table in domain.points[0]
        )
    return DomainKind(
        size=len(domain),
        build=lambda: domain,
        margins=margins,
        is_ordered=domain.form is Form.ORDERED,
        place="data_sets",
        schema={} if domain.form is Form.UNORDERED else None,
    )


def _invariants(
    claim: BlockArguments, kind: DomainKind, local: Local
) -> tuple[tuple[str, ...], tuple[InvariantsOn, ...]]:
    """The invariants by name, and as functions on a domain; the user's run in the sandbox."""
    if isinstance(claim.invariants, str) or callable(claim.invariants):
        raise InputError(f"invariants must be a list of functions and names; got {claim.invariants!r}")
    names: list[str] = []
    functions: list[InvariantsOn] = []
    given: Any = claim.invariants
    for index, name in enumerate(given):
        one = given[name] if isinstance(given, Mapping) else name
        place = f"invariants[{index}]"
        if isinstance(one, str):
            known = ("size",) if kind.margins is None else ("size", "swapping")
            if one not in known:
                raise InputError(f"{place} must be a function or a name; got {one!r}; {suggestion(one, known)}")
            functions.append(partial(named_invariant, place, one))
            names.append(one)
        else:
            function = local(place, one)
            functions.append(partial(_computed, function))
            names.append(name if isinstance(given, Mapping) else function.name.rpartition(":")[2])
    return tuple(names), tuple(functions)


def _no_premetric(kind: DomainKind, multiverse: Multiverse) -> Any:  # noqa: ARG001 beliefs alone are compared
    return None


def _computed(function: LocalFunction, kind: DomainKind) -> tuple[Invariant, ...]:
    return (function.values(kind.listed().points, is_ordered=kind.order_matters).__getitem__,)
