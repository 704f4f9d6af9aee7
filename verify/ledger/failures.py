"""Failures: the comparison that a property found false, with the case that it is false of; and their replay."""

import ast
import json
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.verify.evidence.certificates.case_values import encoded
from stirred.verify.evidence.certificates.decimal_interval import UndecidedError
from stirred.verify.evidence.certificates.exact_number import WitnessError
from stirred.verify.evidence.certificates.language import FUNCTIONS, free_names, holds, parsed
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.listing import found_so
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger.compiled import compiled, lifted
from stirred.verify.ledger.functions import WORDS, text_of

Said = Callable[..., Any] | str
"""A sentence (see `ledger.functions`), or its expression in the language of `evidence.certificates.language`."""


def unless(claimed: Said, /, **case: Any) -> Witness | None:
    """None where a sentence holds of a case, else the failure.

    Args:
        claimed: the sentence.
        **case: what its names stand for: exact numbers, texts, oo as None, tuples, sets, maps, laws, losses.
    """
    claimed = _text(claimed)
    words = _words_of(claimed, len(WORDS))
    quick = _quickly(claimed, words, case)
    _ASKED[claimed] += 1
    if quick and _ASKED[claimed] % _SAMPLED != 1:
        found_so(claimed, lambda: case)
        return None
    values = {name: plain(value) for name, value in case.items()}
    try:
        slow = holds(claimed, values, dict(words))
    except (WitnessError, UndecidedError) as error:
        raise EngineError(f"{claimed!r} cannot be decided: {error}") from None
    if quick is not None and quick is not slow:
        raise EngineError(f"{claimed!r}: compiled and interpreted evaluation disagree at {values}")
    if not slow:
        return failure(claimed, **case)
    found_so(claimed, lambda: case)
    return None


def says_so(claimed: Said, /, **case: Any) -> bool:
    """Whether a sentence is true of a case, as replay evaluates it; see `evidence.certificates.language.holds`."""
    text = _text(claimed)
    return holds(text, {name: plain(value) for name, value in case.items()}, words_of(text))


def is_so_of(claimed: str, **case: Any) -> bool | None:
    """Whether an expression holds of a case; None where that cannot be decided, or the case is none of its kind."""
    words = _words_of(claimed, len(WORDS))
    quick = _quickly(claimed, words, case)
    if quick is not None:
        return quick
    try:
        return holds(claimed, {name: plain(value) for name, value in case.items()}, dict(words))
    except (WitnessError, UndecidedError, ArithmeticError, LookupError, TypeError, ValueError):
        return None


def settled(is_so: bool, claimed: Said, case: Callable[[], dict[str, Any]]) -> Witness | None:
    """None where an engine has found that an expression holds of a case, else the failure; a certificate lists it.

    Args:
        is_so: what the engine has found.
        claimed: as for `unless`: what this comes down to.
        case: what its names stand for, made only where it is needed; a failure's note may stand among it.
    """
    claimed = _text(claimed)
    if not is_so:
        return failure(claimed, **case())
    found_so(claimed, lambda: {name: value for name, value in case().items() if name != "note"})
    return None


_SAMPLED = 50
"""Of so many cases of an expression, the first one is evaluated as replay does it, whatever the translation says."""

_ASKED: Counter[str] = Counter()


def _quickly(claimed: str, words: tuple[tuple[str, str], ...], case: Mapping[str, Any]) -> bool | None:
    """What the translated expression says; None where there is none, or it fails: evaluation says why."""
    function = compiled(claimed, words, tuple(case))
    if function is None:
        return None
    try:
        answer = function(*map(lifted, case.values()))
    except Exception:
        return None
    return answer if isinstance(answer, bool) else None


def failure(claimed: Said, /, *, note: str = "", **case: Any) -> Witness:
    """The witness that an expression is false of a case; replay evaluates it again from the case alone.

    Args:
        claimed: as for `unless`; every value of the case must occur in it.
        note: what a reader should know beside the values.
        **case: as for `unless`.
    """
    claimed = _text(claimed)
    values = {name: plain(value) for name, value in case.items()}
    words = words_of(claimed)
    used = free_names(claimed) - set(FUNCTIONS) - {"oo"} - (_called(claimed) - set(values))
    if used != set(values):
        raise EngineError(f"{claimed!r} must use the values of its case, {sorted(values)}; it uses {sorted(used)}")
    if not words and not (free_names(claimed) & set(FUNCTIONS)) and _are_bare(claimed, values):
        raise EngineError(f"{claimed!r} compares bare constants: the witness must carry the case itself")
    return {
        "kind": "case",
        "claimed": claimed,
        "where": words,
        "case": {name: encoded(value) for name, value in values.items()},
        "note": note,
    }


def _text(claimed: Said) -> str:
    return " ".join(claimed.split()) if isinstance(claimed, str) else text_of(claimed)


def _are_bare(claimed: str, values: Mapping[str, Any]) -> bool:
    """Whether there is nothing but names of numbers and constants to compare."""
    if set(claimed) & set("+-*/%[") or {"for", "in"} & set(claimed.split()):
        return False
    return not any(isinstance(value, (tuple, frozenset, dict)) for value in values.values())


_PLAIN = frozenset({int, str, bool, Fraction, type(None)})


def plain(value: Any) -> Any:
    """A value of the engines as the language knows it: laws as maps, losses as (gamma, root), lists as tuples."""
    if type(value) in _PLAIN:
        return value
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
    return dict(_words_of(claimed, len(WORDS)))


@lru_cache(maxsize=4_000)
def _words_of(claimed: str, _: int) -> tuple[tuple[str, str], ...]:
    """The definitions, by how many words there are: a module that is loaded later may add some."""
    found: dict[str, str] = {}
    pending = [claimed]
    while pending:
        for name in sorted(_called(pending.pop()) & set(WORDS)):
            head, body = WORDS[name]
            if head not in found:
                found[head] = body
                pending.append(body)
    return tuple(found.items())


_OF_THEIR_CASE = ("case", "formula")
"""Kinds of witnesses that are re-checked without the claim that they carry."""


def replayed(witness: Witness) -> str:
    """The sentence that says which inequality is false.

    >>> replayed({"kind": "case", "claimed": "n <= 3", "case": {"n": 4}, "claim": {"id": "small"}})
    'false at n = 4: n <= 3 (left 4, right 3)'
    """
    kept = {
        name: part for name, part in witness.items() if name != "claim" or witness.get("kind") not in _OF_THEIR_CASE
    }
    return _sentence(json.dumps(kept))


@lru_cache(maxsize=64)
def _sentence(text: str) -> str:
    return replay(json.loads(text))
