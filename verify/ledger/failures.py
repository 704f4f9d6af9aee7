"""Failures: the comparison that a property found false, with the case that it is false of."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from spec.law import Law
from spec.loss import Loss
from verify.decimal_interval import UndecidedError
from verify.evidence import EngineError, Witness
from verify.ledger.words import WORDS
from verify.witnesses.case_values import encoded
from verify.witnesses.exact_number import WitnessError
from verify.witnesses.language import FUNCTIONS, free_names, holds, parsed

__all__ = ["failure", "unless", "words_of"]


def unless(claimed: str, /, **case: Any) -> Witness | None:
    """None where an expression holds of a case, else the failure.

    Args:
        claimed: in the language of `verify.witnesses.language` and the words of `verify.ledger.words`.
        **case: what its names stand for: exact numbers, texts, oo as None, tuples, sets, maps, laws, losses.

    Raises:
        EngineError: the expression cannot be evaluated, or see `failure`.
    """
    values = {name: plain(value) for name, value in case.items()}
    try:
        if holds(claimed, values, words_of(claimed)):
            return None
    except (WitnessError, UndecidedError) as error:
        raise EngineError(f"{claimed!r} cannot be decided: {error}") from None
    return failure(claimed, **case)


def failure(claimed: str, /, *, note: str = "", **case: Any) -> Witness:
    """The witness that an expression is false of a case; replay evaluates it again from the case alone.

    Args:
        claimed: as for `unless`; every value of the case must occur in it.
        note: what a reader should know beside the values.
        **case: as for `unless`.

    Raises:
        EngineError: names and values do not fit, or both sides are constants of the engine: nothing would be replayed.
    """
    values = {name: plain(value) for name, value in case.items()}
    words = words_of(claimed)
    used = free_names(claimed) - set(FUNCTIONS) - {"oo"} - (_called(claimed) - set(values))
    if used != set(values):
        raise EngineError(f"{claimed!r} must use the values of its case, {sorted(values)}; it uses {sorted(used)}")
    if not words and not (free_names(claimed) & set(FUNCTIONS)) and _are_bare(claimed, values):
        raise EngineError(f"{claimed!r} compares constants of the engine: the witness must carry the case itself")
    return {
        "kind": "case",
        "claimed": " ".join(claimed.split()),
        "where": words,
        "case": {name: encoded(value) for name, value in values.items()},
        "note": note,
    }


def _are_bare(claimed: str, values: Mapping[str, Any]) -> bool:
    """Whether there is nothing but names of numbers and constants to compare."""
    if set(claimed) & set("+-*/%[") or {"for", "in"} & set(claimed.split()):
        return False
    return not any(isinstance(value, (tuple, frozenset, dict)) for value in values.values())


def plain(value: Any) -> Any:
    """A value of the engines as the language knows it: laws as maps, losses as (gamma, root), lists as tuples."""
    if isinstance(value, Law):
        return {plain(outcome): value.numeric(outcome) for outcome in value}
    if isinstance(value, Loss):
        return None if value.gamma is None else (value.gamma, value.distance)
    if isinstance(value, (list, tuple)):
        return tuple(map(plain, value))
    if isinstance(value, (set, frozenset)):
        return frozenset(map(plain, value))
    if isinstance(value, Mapping):
        return {plain(key): plain(part) for key, part in value.items()}
    return value


def _called(text: str) -> set[str]:
    """The names of functions and words that an expression calls; a value may have such a name too."""
    calls = (node.func for node in ast.walk(parsed(text)) if isinstance(node, ast.Call))
    return {function.id for function in calls if isinstance(function, ast.Name)}


def words_of(claimed: str) -> dict[str, str]:
    """The definitions that an expression uses, with those that these use."""
    found: dict[str, str] = {}
    pending = [claimed]
    while pending:
        for name in sorted(_called(pending.pop()) & set(WORDS)):
            head, body = WORDS[name]
            if head not in found:
                found[head] = body
                pending.append(body)
    return found
