"""Mutants of checks: a check none of whose mutants is false of its cases says nothing that they decide."""

import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from stirred.verify.certificates.language import holds
from stirred.verify.ledger.claim import Check, Sentence, UnlistedError
from stirred.verify.ledger.compiled import compiled, lifted
from stirred.verify.ledger.failures import plain
from stirred.verify.ledger.sentence_mutants import Kind, Mutant, mutants_of


@dataclass
class Tried:
    """What became of the mutants of a check.

    Attributes:
        refuted: those that are false of some case.
        survivors: those that are true of all cases.
        outside: those that have no value, or none that can be decided, on some case before.
        cases: of how many cases.
    """

    refuted: list[Mutant] = field(default_factory=list)
    survivors: list[Mutant] = field(default_factory=list)
    outside: list[Mutant] = field(default_factory=list)
    cases: int = 0

    @property
    def numbers(self) -> dict[str, int]:
        """How many mutants became what."""
        return {"refuted": len(self.refuted), "survivors": len(self.survivors), "outside": len(self.outside)}

    @property
    def vacuous(self) -> list[Mutant]:
        """The survivors in which a part was made false."""
        return [one for one in self.survivors if one.kind is Kind.PART]

    @property
    def is_idle(self) -> bool:
        """Whether no mutant is false of any case, exchanged arguments apart; or some part is vacuous."""
        is_asked = any(one.kind is not Kind.ARGUMENTS for one in self.survivors)
        return bool(self.vacuous) or (is_asked and not self.refuted)


def tried(check: Check, chosen: random.Random | None = None, *, most: int = 40, cases: int = 400) -> Tried:
    """Compare the mutants of a check's sentences with its cases, those of an existence with the case that it names.

    Args:
        check: as `every` and `some` make it; of what a property compares of its cases, all sentences.
        chosen: draws the mutants of a sentence that has more than `most`; without it, all are tried.
        most: so many of a sentence's mutants are tried, apart from those in which a part is false, which are all.
        cases: after so many, if some mutant is refuted, the others survive, apart from those.
    """
    found = Tried()
    alive: dict[tuple[str, tuple[str, ...]], list[_Compared]] = {}
    try:
        for one in check.shown() if check.shown else ():
            if isinstance(one, Sentence):
                key = one.says, one.names
                if key not in alive:
                    alive[key] = [_Compared(mutant, one.names) for mutant in _drawn(one.says, check, chosen, most)]
                alive[key] = _left(one.cases, alive[key], found, cases)
                if found.cases >= cases and not any(alive.values()):
                    break
    except UnlistedError:  # from here on it compares nothing that could be changed
        pass
    found.survivors += [one.mutant for ones in alive.values() for one in ones]
    return found


def _drawn(says: str, check: Check, chosen: random.Random | None, most: int) -> list[Mutant]:
    """The mutants of a sentence that are tried; no part of an existence is, since one case need not decide each."""
    constants = check.compared.constants if check.compared else {}
    numbers = [name for name, value in constants.items() if isinstance(value, (int, Fraction))]
    mutants = list(mutants_of(says, numbers))
    parts = [one for one in mutants if one.kind is Kind.PART and not (check.compared and check.compared.of_some)]
    others = [one for one in mutants if one.kind is not Kind.PART]
    return parts + (chosen.sample(others, most) if chosen and len(others) > most else others)


class _Compared:
    """A mutant as it is compared with cases."""

    def __init__(self, mutant: Mutant, names: tuple[str, ...]) -> None:
        self.mutant = mutant
        self._names = names
        self._quick = compiled(mutant.says, mutant.words, names)

    def holds(self, case: tuple[Any, ...], quick: list[Any]) -> bool | None:
        """Whether it is true of a case, which is given a second time as the translation takes it; None: no value."""
        if self._quick is not None:
            try:
                answer = self._quick(*quick)
            except Exception:  # evaluation says whether there is a value
                answer = None
            if isinstance(answer, bool):
                return answer
        values = dict(zip(self._names, map(plain, case), strict=True))
        try:
            return holds(self.mutant.says, values, dict(self.mutant.words))
        except Exception:  # of any kind: a mutant may compare what nobody would
            return None


def _left(listed: Iterable[tuple[Any, ...]], alive: list[_Compared], found: Tried, cases: int) -> list[_Compared]:
    """Those mutants that no case has shown to be false, or to have no value."""
    for case in listed:
        if found.cases >= cases and found.refuted:
            found.survivors += [one.mutant for one in alive if one.mutant.kind is not Kind.PART]
            alive = [one for one in alive if one.mutant.kind is Kind.PART]
        if not alive:
            break
        found.cases += 1
        quick = [lifted(part) for part in case]
        left = []
        for one in alive:
            is_so = one.holds(case, quick)
            if is_so:
                left.append(one)
            else:
                (found.outside if is_so is None else found.refuted).append(one.mutant)
        alive = left
    return alive
