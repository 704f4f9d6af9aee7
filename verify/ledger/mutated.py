"""Mutants of checks: a check none of whose mutants is false of its cases says nothing that they decide."""

import time
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.language import holds
from stirred.verify.ledger.claim import Check, Sentence, UnlistedError
from stirred.verify.ledger.compiled import compiled, lifted
from stirred.verify.ledger.failures import plain
from stirred.verify.ledger.sentence_changes import Change
from stirred.verify.ledger.sentence_mutants import SentenceMutant, mutants_of


@dataclass
class Tried:
    """What became of the mutants of a check.

    Attributes:
        refuted: those that are false of some case.
        survivors: those that are true of all cases.
        outside: those that have no value, or none that can be decided, on some case before; and what takes too long.
        cases: of how many cases.
    """

    refuted: list[SentenceMutant] = field(default_factory=list)
    survivors: list[SentenceMutant] = field(default_factory=list)
    outside: list[SentenceMutant] = field(default_factory=list)
    cases: int = 0

    @property
    def numbers(self) -> dict[str, int]:
        """How many mutants became what."""
        return {"refuted": len(self.refuted), "survivors": len(self.survivors), "outside": len(self.outside)}

    @property
    def idle(self) -> list[str]:
        """What the cases do not decide: a part that could as well be false; a comparison of which no mutant is refuted.

        The empty text is the sentence itself, or all of a property's, of which a bound was changed and no mutant is
        refuted.
        """
        return sorted(
            {one.change if one.kind is Change.PART else one.of or "" for one in self.survivors if self._is_asked(one)}
        )

    def _is_asked(self, mutant: SentenceMutant) -> bool:
        """Whether something is idle unless some case refutes a mutant, or another one of the same comparison."""
        if mutant.kind is not Change.BOUND:
            return mutant.kind is Change.PART
        noticed = {one.of for one in self.refuted}
        return not noticed & {mutant.of, None} if mutant.of else not noticed

    def compared(self, case: tuple[Any, ...], alive: "list[_Compared]", end: float) -> "list[_Compared]":
        """Those that are true of a case, or were not compared before the end; the others are refuted, or outside."""
        quick = [lifted(part) for part in case]
        left = []
        for one in alive:
            is_so = time.process_time() > end or one.holds(case, quick)
            if is_so:
                left.append(one)
            else:
                (self.outside if is_so is None else self.refuted).append(one.mutant)
        self.cases += 1
        return left

    def left(self, alive: "list[_Compared]", cases: int) -> "list[_Compared]":
        """Those that further cases are needed for; after so many cases the others survive."""
        if self.cases < cases:
            return alive
        self.survivors += [one.mutant for one in alive if not self._is_asked(one.mutant)]
        return [one for one in alive if self._is_asked(one.mutant)]


def tried(check: Check, *, cases: int = 400, seconds: float = 60) -> Tried:
    """Compare the mutants of a check's sentences with its cases, those of an existence with the case that it names.

    Args:
        check: as `every` and `some` make it; of what a property compares of its cases, all sentences.
        cases: after so many, only those mutants are compared on which it depends whether something is idle.
        seconds: after this long no further case is compared, and those that are left are `outside`.
    """
    found = Tried()
    end = time.process_time() + seconds
    alive: dict[tuple[str, tuple[str, ...]], list[_Compared]] = {}
    try:
        for one in check.shown() if check.shown else ():
            if isinstance(one, Sentence):
                key = one.says, one.names
                if key not in alive:
                    alive[key] = [_Compared(mutant, one.names) for mutant in _mutants(one.says, check)]
                for case in one.cases:
                    alive[key] = found.left(alive[key], cases)
                    if not alive[key] or time.process_time() > end:
                        break
                    alive[key] = found.compared(case, alive[key], end)
            if time.process_time() > end or (found.cases >= cases and not any(alive.values())):
                break
    except UnlistedError:  # from here on it compares nothing that could be changed
        pass
    rest = [one.mutant for ones in alive.values() for one in ones]
    (found.outside if time.process_time() > end else found.survivors).extend(rest)
    return found


def _mutants(says: str, check: Check) -> list[SentenceMutant]:
    """The mutants of a sentence; that of an existence is looked at as a whole, since its one case decides no more."""
    constants = check.compared.constants if check.compared else {}
    mutants = mutants_of(says, [name for name, value in constants.items() if isinstance(value, (int, Fraction))])
    if check.compared is None or not check.compared.of_some:
        return list(mutants)
    return [replace(one, of="") for one in mutants if one.kind is not Change.PART]


class _Compared:
    """A mutant as it is compared with cases."""

    def __init__(self, mutant: SentenceMutant, names: tuple[str, ...]) -> None:
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
