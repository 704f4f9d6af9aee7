"""Quantifiers: a property is compared on every case of a named set, or on some case of it.

A sentence is a function that is read as an expression of the language of cases (see `verify.ledger.functions`); a
property is one that is called, compares one case and returns None or the failure (see `verify.ledger.failures`). The
engine enumerates, counts, and finds the first case that fails.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from stirred.verify.evidence.certificates.language import free_names
from stirred.verify.evidence.certificates.replay import WitnessError
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.listing import found_so, listening
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger.claim import Check, ComparedCases, Sentence, UnlistedError
from stirred.verify.ledger.failures import replayed, unless
from stirred.verify.ledger.functions import is_sentence, text_of

Property = Callable[..., Witness | None]
"""A comparison of one case: its positional parameters are the parts of the case, the keyword ones are constants."""

_SHOWN = 300


@dataclass(frozen=True)
class Cases:
    """A named set of cases, each a tuple of named parts; they are listed anew for every check."""

    scope: str
    names: tuple[str, ...]
    listed: Callable[[], Iterable[tuple[Any, ...]]]

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        """The cases in order."""
        return iter(self.listed())


def cases(scope: str, names: str) -> Callable[[Callable[[], Iterable[Any]]], Cases]:
    """Name a set of cases, by a decorator of the function that lists them anew for every check.

    Args:
        scope: which cases these are, in words with their bounds.
        names: the names of the parts of a case, with blanks between them; where there is one, a case is that part.

    >>> SMALL = cases("0 <= n < 3", "n")(lambda: range(3))
    >>> list(SMALL)
    [(0,), (1,), (2,)]
    """
    parts = tuple(names.split())

    def named(listed: Callable[[], Iterable[Any]]) -> Cases:
        return Cases(scope, parts, listed if len(parts) != 1 else lambda: ((part,) for part in listed()))

    return named


def every(
    over: Cases,
    claimed: Callable[..., Any],
    *,
    verdict: Verdict = Verdict.EXHAUSTED,
    identity: str = "",
    **constants: Any,
) -> Check:
    """Whether every case has a property: EXHAUSTED, or REFUTED by the first case that has not.

    Args:
        over: the cases.
        claimed: the property; or a sentence in the constants and in those parts of a case that it needs.
        verdict: ENCLOSED where the property compares certified enclosures, DECIDED where each case is settled by
            exact algebra for unbounded parameters.
        identity: why it is worth checking although it holds of other cases too: see `verify.ledger.perturbed`.
        **constants: what a mutant changes.
    """
    compared = _compared(over, claimed, constants)
    said = compared.claimed

    def run() -> Evidence:
        number = 0
        for case in over:
            number += 1
            failed = _compare(over, said, case, constants)
            if failed is not None:
                return _refuted(over.scope, failed)
        if not number:
            raise EngineError(f"no cases to check: {over.scope}")
        return Evidence(verdict, over.scope, f"{number} case{'' if number == 1 else 's'}")

    check = _check(run, compared, lambda: _sentences(over, said, over, constants), verdict, identity)
    return replace(check, changed=_changing(every, over, claimed, constants))


def some(
    over: Cases,
    claimed: Callable[..., Any],
    *,
    verdict: Verdict = Verdict.EXHAUSTED,
    identity: str = "",
    **constants: Any,
) -> Check:
    """Whether some case has a property: the first that has it is named; else all of them are the witness.

    A refutation says that none of these cases has it, so the cases must be all that the claim speaks of, and every
    failure must be the same expression.

    Args:
        over: the cases.
        claimed: as for `every`.
        verdict: as for `every`.
        identity: as for `every`.
        **constants: what a mutant changes.
    """
    compared = replace(_compared(over, claimed, constants), of_some=True)
    said = compared.claimed

    def first() -> Iterator[tuple[Any, ...]]:
        return islice((case for case in over if _compare(over, said, case, constants) is None), 1)

    def run() -> Evidence:
        failures = []
        for case in over:
            failed = _compare(over, said, case, constants)
            if failed is None:
                return Evidence(verdict, over.scope, _named(over, said, case))
            failures.append(failed)
        return _refuted(over.scope, _none_of(failures, over.scope))

    check = _check(run, compared, lambda: _sentences(over, said, first(), constants), verdict, identity)
    return replace(check, changed=_changing(some, over, claimed, constants))


def _changing(
    quantifier: Callable[..., Check], over: Cases, claimed: Callable[..., Any], constants: Mapping[str, Any]
) -> Callable[[Any], Check]:
    """The same check of other cases, of another sentence, or with other constants."""

    def changed(to: Cases | Mapping[str, Any] | Callable[..., Any]) -> Check:
        if isinstance(to, Cases):
            return quantifier(to, claimed, **constants)
        if isinstance(to, Mapping):
            return quantifier(over, claimed, **{**constants, **to})
        return quantifier(over, to, **constants)

    return changed


def _compared(over: Cases, claimed: Callable[..., Any], constants: dict[str, Any]) -> ComparedCases:
    """What is compared: a sentence as the expression that it returns."""
    if not is_sentence(claimed):
        return ComparedCases(over.names, over, claimed, constants)
    said = text_of(claimed)
    taken = set(claimed.__code__.co_varnames[: claimed.__code__.co_argcount])
    if not set(constants) <= taken <= {*over.names, *constants}:
        raise EngineError(
            f"{said!r} must use parts of the case ({' '.join(over.names)}) and every constant ({' '.join(constants)}); "
            f"it uses {' '.join(sorted(taken))}"
        )
    return ComparedCases(over.names, over, said, constants)


def _named(over: Cases, claimed: Property | str, case: tuple[Any, ...]) -> str:
    names = over.names if isinstance(claimed, str) else _parameters(claimed)
    shown = ", ".join(f"{name} = {part}" for name, part in zip(names, case, strict=True))
    return shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"


def _parameters(claimed: Property) -> list[str]:
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [name for name, parameter in inspect.signature(claimed).parameters.items() if parameter.kind in kinds]


def _compare(over: Cases, claimed: Property | str, case: tuple[Any, ...], constants: dict[str, Any]) -> Witness | None:
    if isinstance(claimed, str):
        named = free_names(claimed)
        parts = {name: part for name, part in zip(over.names, case, strict=True) if name in named}
        return unless(claimed, **parts, **constants)
    return claimed(*case, **constants)


def _none_of(failures: list[Witness], scope: str) -> Witness:
    """The witness that no case has the property."""
    if not failures:
        raise EngineError(f"no cases to check: {scope}")
    first = failures[0]
    if any(one["kind"] != "case" or one["claimed"] != first["claimed"] for one in failures):
        raise EngineError(f"every case of `some` must fail by the same expression: {scope}")
    names = list(first["case"])
    return {
        **first,
        "claimed": f"any({first['claimed']} for {', '.join(names)}{',' if len(names) == 1 else ''} in cases)",
        "case": {"cases": [[one["case"][name] for name in names] for one in failures]},
    }


def _refuted(scope: str, failed: Witness) -> Evidence:
    try:
        sentence = replayed(failed)
    except WitnessError as error:
        raise EngineError(f"{failed.get('claimed', failed['kind'])!r} does not fail on replay: {error}") from None
    note = failed.get("note", "")
    return Evidence(Verdict.REFUTED, scope, f"{note}: {sentence}" if note else sentence, failed)


def found_by(engine: Callable[..., Evidence], *arguments: Any, **constants: Any) -> Check:
    """What an engine finds that enumerates and words its scope itself, such as a sweep over universes."""
    return Check(
        lambda: engine(*arguments, **constants),
        _place_of(engine),
        changed=lambda to: found_by(engine, *arguments, **{**constants, **to}),
    )


def _sentences(
    over: Cases, claimed: Property | str, listed: Iterable[tuple[Any, ...]], constants: dict[str, Any]
) -> Iterator[Sentence]:
    """What is compared of these cases: the parts that an expression names, and the constants; or what is found true."""
    if isinstance(claimed, str):
        parts = [place for place, name in enumerate(over.names) if name in free_names(claimed)]
        names = (*(over.names[place] for place in parts), *constants)
        rows = ((*(case[place] for place in parts), *constants.values()) for case in listed)
        yield Sentence(claimed, over.scope, names, rows)
        return
    for case in listed:
        with listening() as found:
            claimed(*case, **constants)
        if all(one.is_step for one in found):
            raise UnlistedError
        for one in found:
            if one.is_step:
                found_so(one.says, one.case.copy, is_step=True)
            else:
                yield Sentence(one.says, over.scope, tuple(one.case), [tuple(one.case.values())])


def _check(
    run: Callable[[], Evidence],
    compared: ComparedCases,
    shown: Callable[[], Iterable[Sentence]],
    verdict: Verdict,
    identity: str,
) -> Check:
    """The check of a property, or of an expression, which stands in the claim's own entry."""
    listed = shown if verdict.is_settled_for else None
    if isinstance(compared.claimed, str):
        return Check(run, expression=compared.claimed, shown=listed, compared=compared, identity=identity)
    return Check(run, _place_of(compared.claimed), shown=listed, compared=compared, identity=identity)


def _place_of(claimed: Callable[..., Any]) -> str:
    """Where a property or an engine is written: file::name."""
    function = inspect.unwrap(claimed)
    return f"{function.__module__.removeprefix('stirred.').replace('.', '/')}.py::{function.__qualname__}"
