"""Perturbed cases: a check that none of them makes fail is an identity, and says nothing of its claim.

A part of a case is exchanged with that of another case; or, inside a part, a number is changed whatever it means, two
entries of a list or of a map, such as a law, are exchanged, one is left out, or one stands for all. What holds even
then holds by its form. A check of an existence is perturbed as that of its cases.
"""

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

from stirred.spec.laws.law import Law
from stirred.verify.evidence.certificates.language import free_names
from stirred.verify.ledger.claim import Check, ComparedCases
from stirred.verify.ledger.failures import is_so_of, plain

_TAKEN = 120
"""How many cases are looked at; those that are perturbed are spread over them."""


def can_fail(check: Check, *, cases: int = 16, tries: int = 400, seconds: float = 20) -> bool | None:
    """Whether some perturbed case makes a check fail; None where it compares no cases, or cases without parts.

    Args:
        check: as `every` and `some` make it.
        cases: how many cases are perturbed.
        tries: how often each is.
        seconds: after this long nothing more is tried.
    """
    compared = check.compared
    if compared is None:
        return None
    if not compared.names:  # its constants are all that it compares
        listed = [tuple(compared.constants.values())]
        compared = replace(compared, names=tuple(compared.constants), cases=listed, constants={})
    end = time.process_time() + seconds
    kept = plain if isinstance(compared.claimed, str) else tuple
    taken = [kept(case) for case in islice(compared.cases, _TAKEN) if case]
    if not taken:
        return None
    chosen = random.Random(len(taken))  # noqa: S311 not for secrets
    for _ in range(tries):
        for case in taken if len(taken) <= cases else chosen.sample(taken, cases):
            if time.process_time() > end:
                return False
            if _is_so(compared, perturbed(case, taken, chosen)) is False:
                return True
    return False


def _is_so(compared: ComparedCases, case: tuple[Any, ...]) -> bool | None:
    """Whether the comparison holds of a case; None where the case is none of its kind."""
    claimed = compared.claimed
    if isinstance(claimed, str):
        named = free_names(claimed)
        parts = {name: part for name, part in zip(compared.names, case, strict=True) if name in named}
        return is_so_of(claimed, **parts, **compared.constants)
    try:
        return claimed(*case, **compared.constants) is None
    except Exception:  # a property may refuse a case that is none of its kind in any way
        return None


def perturbed(case: tuple[Any, ...], others: Sequence[tuple[Any, ...]], chosen: random.Random) -> tuple[Any, ...]:
    """A case with one to three of its parts changed: for those of another case, or inside."""
    parts = list(case)
    for _ in range(chosen.randint(1, 3)):
        place = chosen.randrange(len(parts))
        another = chosen.choice(others)[place]
        is_exchanged = another != parts[place] and chosen.random() < 1 / 4
        parts[place] = another if is_exchanged else _changed(parts[place], chosen)
    return tuple(parts)


def _changed(part: Any, chosen: random.Random) -> Any:
    """A value of the same kind."""
    if isinstance(part, Law):  # a property asks for laws
        masses = chosen.sample([part.numeric(outcome) for outcome in part], len(part))
        return Law(dict(zip(part, masses, strict=True)))
    if isinstance(part, bool):
        return not part
    if isinstance(part, (int, Fraction)):
        return chosen.choice(
            [part + 1, part - 1, 2 * part, part + 10, -part, part + Fraction(1, 3), Fraction(part) / 2, 1, 0]
        )
    if isinstance(part, Mapping):
        return _changed_map(dict(part), chosen)
    if isinstance(part, (list, tuple)):
        return type(part)(_changed_list(list(part), chosen))
    if isinstance(part, (set, frozenset)):
        return type(part)(_changed_list(sorted(part, key=repr), chosen))
    return 1 if part is None else part


def _changed_map(part: dict[Any, Any], chosen: random.Random) -> dict[Any, Any]:
    """Values exchanged, an entry left out, all but one left out, or one changed: its value, or what it is of."""
    if not part:
        return part
    key, how = chosen.choice(list(part)), chosen.randrange(5)
    if how == 0:
        return dict(zip(part, chosen.sample(list(part.values()), len(part)), strict=True))
    if how == 1 and len(part) > 1:
        return {one: value for one, value in part.items() if one != key}
    if how == 2:
        return {key: part[key]}
    if how == 3:
        other = _changed(key, chosen)
        return {other if one == key else one: value for one, value in part.items()}
    return {**part, key: _changed(part[key], chosen)}


def _changed_list(part: list[Any], chosen: random.Random) -> list[Any]:
    """Entries exchanged, one left out, one for all, or one changed."""
    if not part:
        return part
    place, how = chosen.randrange(len(part)), chosen.randrange(5)
    if how == 0:
        return chosen.sample(part, len(part))
    if how == 1 and len(part) > 1:
        return [*part[:place], *part[place + 1 :]]
    if how == 2:
        return [part[place]] * len(part)
    return [*part[:place], _changed(part[place], chosen), *part[place + 1 :]]
