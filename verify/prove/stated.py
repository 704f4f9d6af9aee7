"""What is claimed of which function: its parameters' ranges, its generator, the budget, how data sets differ."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from stirred.mechanisms.generators.kinds import NUMPY, PYTHON, SOURCE, USUAL
from stirred.spec.arguments import InputError, suggestion
from stirred.verify.evidence.certificates.alignment import VERTICES
from stirred.verify.evidence.certificates.closed_grammar import ReadProgram
from stirred.verify.evidence.certificates.polynomial import Polynomial, parsed
from stirred.verify.evidence.certificates.program_graph import Graph
from stirred.verify.evidence.certificates.read_values import RefusedError
from stirred.verify.prove.found_function import FoundFunction

_ANNOTATED = {"numpy.random.Generator": NUMPY, "stirred.Source": SOURCE, "random.Random": PYTHON}
_RANGE = re.compile(r"real|positive|whole >= \d{1,9}")


@dataclass(frozen=True)
class EverySize:
    """A claim for every number of records.

    Attributes:
        name: of the mechanism.
        program: the function, read.
        neighbors: how two data sets differ, one of `VERTICES`.
        epsilon: the claimed budget, in the parameters; None where none is claimed.
    """

    name: str
    program: ReadProgram
    neighbors: str
    epsilon: Polynomial | None


def stated(
    name: str,
    found: FoundFunction,
    neighbors: object,
    epsilon: object,
    ranges: Mapping[str, Any],
    *,
    generator: str | None = None,
) -> EverySize:
    """A claim about a function.

    Args:
        name: of the mechanism, for messages.
        found: the function.
        neighbors: "each by 1", "one by 1", "sum of changes 1" or "all up or all down".
        epsilon: a polynomial of the parameters as a text, a number, or None.
        ranges: of parameters: "real", "positive", "whole >= 1", or a number. Those of which nothing is said are
            positive where a budget or a scale has them, else real.
        generator: "numpy" or "source", where the annotation does not say it.

    Raises:
        InputError: something is malformed, or the function is not read.
    """
    if neighbors not in VERTICES:
        listed = tuple(VERTICES)
        raise InputError(
            f"neighbors must be one of {', '.join(listed)}; got {neighbors!r}; {suggestion(str(neighbors), listed)}"
        )
    claim = None if epsilon is None else _budget(epsilon)
    place, kind = _generator(found, generator)
    names = [str(one) for one, *_ in found.parameters[1:] if one != place]
    unknown = sorted(set(ranges) - set(names))
    if unknown:
        raise InputError(f"parameters: {name} has no parameter {unknown[0]!r}; {suggestion(unknown[0], names)}")
    said = {one: _range(one, ranges[one]) for one in names if one in ranges}
    rest = {one: "real" for one in names if one not in said}
    program = ReadProgram(found.source, found.name, (place, kind), found.names, said | rest)
    try:
        rates = [draw.rate for draw in Graph(program).draws()]
    except RefusedError as error:
        raise InputError(f"{name}: {error}") from None
    used = {one for value in (*rates, *([claim] if claim is not None else [])) for one in _inner_names(value)}
    foreign = sorted(used - set(names))
    if foreign:
        raise InputError(f"epsilon: {name} has no parameter {foreign[0]!r}; {suggestion(foreign[0], names)}")
    program = replace(program, ranges=said | {one: "positive" if one in used else "real" for one in rest})
    for one, _, default in found.parameters[1:]:
        if one == place and default not in (None, "None"):
            raise InputError(f"{name} takes {one} = {default} by default: noise of a generator that is known")
        if one in rest and default is not None and not _is_in(default, program.ranges[str(one)]):
            raise InputError(
                f"parameters: {name} takes {one} = {default} by default, which is not {program.ranges[str(one)]}: "
                "say its range, or give it no default"
            )
    return EverySize(name, program, str(neighbors), claim)


def _inner_names(value: Polynomial) -> set[str]:
    """The parameters in a polynomial, those inside ln(...) and exp(...) too."""
    inner = {name.text for name in value.names if name.kind == "parameter"}
    texts = [name.text for name in value.names if name.kind in ("ln", "exp")]
    nodes = (node for text in texts for node in ast.walk(ast.parse(text.replace("^", "**"), mode="eval")))
    return inner | ({node.id for node in nodes if isinstance(node, ast.Name)} - {"ln", "exp"})


def _budget(epsilon: object) -> Polynomial:
    try:
        return parsed(str(epsilon))
    except ValueError as error:
        raise InputError(
            f"epsilon must be a polynomial of the parameters, such as 'eps' or '2*N*eps'; {error}"
        ) from None


def _range(name: str, said: object) -> str:
    text = " ".join(str(said).split())
    if _RANGE.fullmatch(text):
        return text
    try:
        return f"= {Fraction(text)}"
    except (ValueError, ZeroDivisionError):
        raise InputError(
            f"the range of {name} must be 'real', 'positive', 'whole >= 1' or a number; got {said!r}"
        ) from None


def _is_in(default: str, said: str) -> bool:
    """Whether a default is a number in a range that nobody has said: "real" or "positive"."""
    try:
        return Fraction(default) > 0 or said == "real"
    except ValueError:
        return False


def _generator(found: FoundFunction, said: str | None) -> tuple[str, str]:
    """The parameter that takes the generator, and its kind."""
    for name, annotation, _ in found.parameters[1:]:
        kind = _ANNOTATED.get(str(annotation))
        if kind == PYTHON:
            raise InputError(f"{name}: random.Random is not read for every size: use numpy.random.Generator")
        if kind is not None:
            return str(name), kind
    for name, annotation, _ in found.parameters[1:]:
        if name in USUAL and len(str(name)) > 1 and annotation is None:
            return str(name), said or (SOURCE if name in ("source", "src") else NUMPY)
    return "", ""
