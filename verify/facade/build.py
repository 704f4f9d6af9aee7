"""From Python arguments to the claim that the auditor works on: the same objects as from a claim file."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from stirred.blocks import Blocks, margins_of, read_data_sets, read_output
from stirred.budget import read_budget
from stirred.distance import read_distance
from stirred.mechanisms.generators.kinds import check_generator, generator_place
from stirred.spec.arguments import InputError, suggestion
from stirred.spec.domain import FiniteDomain, Form
from stirred.spec.multiverse import Invariant
from stirred.spec.specification import InputBlocks
from stirred.verify.audit.claim_blocks import BuiltClaim, Case, check_distances
from stirred.verify.audit.claim_domain import DomainKind, build_multiverse, invariant_functions
from stirred.verify.audit.claim_file import AuditClaim
from stirred.verify.audit.claim_mechanism import ClaimedMechanism, parameter_value
from stirred.verify.audit.claim_symmetry import build_symmetry
from stirred.verify.audit.claim_table import Block
from stirred.verify.laws.foreign import Limits
from stirred.verify.laws.local import LocalFunction
from stirred.verify.laws.plain import scalar_value

__all__ = ["built_claim", "merged_parameters"]

_BLOCKS = ("domain", "multiverse", "input_premetric", "output_premetric")

_OURS = ("mechanism", "limits", "parameters", *(block.name for block in fields(Blocks)))
"""Keywords that are never a parameter of the mechanism."""


def merged_parameters(parameters: Mapping[str, Any] | None, named: Mapping[str, Any]) -> Mapping[str, Any]:
    """The parameters of a mechanism: those of a mapping, and those given by keyword.

    Raises:
        InputError: the mapping is none of names to values, or a parameter is given in both ways.

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


def built_claim(
    mechanism: Callable[..., Any], claim: Blocks, parameters: Mapping[str, Any], limits: Limits
) -> BuiltClaim:
    """The claim about a mechanism, validated.

    Args:
        mechanism: a function of a data set, a source and its parameters.
        claim: the five blocks.
        parameters: of the mechanism; a text that reads as a number is given as an exact `Fraction`.
        limits: under which invariants and distances run.

    Raises:
        InputError: an argument is malformed or does not fit another one.
    """
    generator = None if claim.generator is None else check_generator("generator", claim.generator)
    function = LocalFunction("mechanism", mechanism, generator)
    _check_given(function.name, mechanism, parameters)
    setting = {name: _parameter(name, value) for name, value in parameters.items()}
    measure = read_output(claim.output, claim.delta)
    budget = read_budget(claim.epsilon, claim.rho, claim.curve, measure, mu=claim.mu)
    domain = read_data_sets(claim.data_sets)
    kind = _kind(domain)
    names, functions = _invariants(claim, kind, limits)
    multiverse = build_multiverse(Block("data_sets", {}), domain, functions)
    name, distance = read_distance(claim.distance, kind, domain, multiverse, limits)
    if measure.distances is not None:
        check_distances("distance", multiverse, distance, measure)
    stated = (*_BLOCKS, "budget") if budget is not None else _BLOCKS
    blocks = {block: Block(block, {"invariants": list(names)}) for block in stated}
    place = function.name
    return BuiltClaim(
        AuditClaim(place, "Python", _statement(function, claim), Path.cwd(), blocks, Block("mechanism", {}), ()),
        kind,
        names,
        (name, distance.resolution),
        measure,
        ClaimedMechanism(place, "mechanism", function, (setting,)),
        (Case(setting, budget),),
        InputBlocks(domain, multiverse, distance),
        None,
        None,
        symmetry=build_symmetry("symmetry", _declared(claim), kind, domain) if claim.symmetry else None,
    )


def _check_given(name: str, mechanism: Callable[..., Any], parameters: Mapping[str, Any]) -> None:
    """Refuse a mechanism that misses a parameter whose name is a keyword of ours, and say how it is given."""
    try:
        wanted = tuple(inspect.signature(mechanism).parameters.values())
    except (TypeError, ValueError):  # it has no signature
        return
    place = generator_place(mechanism, parameters)
    positional = [one for one in wanted if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    for one in wanted:
        is_named = one.kind is one.KEYWORD_ONLY or one in positional[2:]  # the first two are the data and the source
        is_missing = one.default is one.empty and one.name not in (*parameters, place.name)
        if is_named and is_missing and one.name in _OURS:
            raise InputError(
                f"mechanism: {name} must be given its parameter {one.name}; that keyword is the claim's own: write "
                f"parameters={{'{one.name}': …}}"
            )


def _declared(claim: Blocks) -> tuple[str, ...]:
    if isinstance(claim.symmetry, str):
        raise InputError(f"symmetry must be a list of names; got {claim.symmetry!r}")
    return tuple(claim.symmetry)


def _statement(function: LocalFunction, claim: Blocks) -> str:
    given = {"epsilon": claim.epsilon, "delta": claim.delta, "rho": claim.rho, "mu": claim.mu}
    stated = ", ".join(f"{name} = {value}" for name, value in given.items() if value is not None)
    return f"{function.name} satisfies {stated or 'what it needs'}."


def _parameter(name: str, value: Any) -> Any:
    if isinstance(value, float):
        raise InputError(f"{name} must be exact; got the float {value!r}: write the text {str(value)!r}, or a Fraction")
    return parameter_value(name, scalar_value(value))


def _kind(domain: FiniteDomain) -> DomainKind:
    """The domain as the auditor has it; it says that an unordered one has variables, without naming them."""
    is_unordered = domain.form is Form.UNORDERED
    return DomainKind(
        size=len(domain),
        build=lambda: domain,
        margins=margins_of(domain),
        variables=() if is_unordered else None,
        is_ordered=domain.form is Form.ORDERED,
        place="data_sets",
    )


def _invariants(claim: Blocks, kind: DomainKind, limits: Limits) -> tuple[tuple[str, ...], tuple[Invariant, ...]]:
    """The invariants by name, and as functions; those of the user are computed outside."""
    if isinstance(claim.invariants, str) or callable(claim.invariants):
        raise InputError(f"invariants must be a list of functions and names; got {claim.invariants!r}")
    names: list[str] = []
    functions: list[Invariant] = []
    for index, one in enumerate(claim.invariants):
        place = f"invariants[{index}]"
        if isinstance(one, str):
            known = ("size",) if kind.margins is None else ("size", "swapping")
            if one not in known:
                raise InputError(f"{place} must be a function or a name; got {one!r}; {suggestion(one, known)}")
            block = Block("claim", {"invariants": [one]})
            functions += invariant_functions(block, kind, None, Path.cwd(), None) or ()
            names.append(one)
        else:
            function = LocalFunction(place, one)
            values = function.values(kind.listed().points, limits, is_ordered=kind.variables is None)
            functions.append(values.__getitem__)
            names.append(function.name.rpartition(":")[2])
    return tuple(names), tuple(functions)
