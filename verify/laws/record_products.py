"""The laws of a program that draws for each record on its own: products of its laws on single records.

Its output is the tuple of what it says of each record. So on n records its law has n factors, and the program is
followed on single records only; outputs come in the order in which following it on all of them would meet them.
"""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.interpreters.choice_tree import tree_law
from stirred.mechanisms.source import Source
from stirred.spec.laws.law import Law, Probability
from stirred.verify.laws.plain import plain_text


@dataclass(frozen=True)
class _Factor:
    """What the program says of one record.

    Attributes:
        answers: by number.
        row: the number of their probabilities.
    """

    answers: tuple[int, ...]
    row: int


class RecordProducts:
    """The laws of one program on sequences of records.

    Args:
        program: of a sequence of records and a source.
        choices: how many it may make on one sequence.
    """

    def __init__(self, program: Callable[[Sequence[Any], Source], tuple[Any, ...]], choices: int) -> None:
        self._program = program
        self._choices = choices
        self._factors: dict[str, _Factor] = {}  # by the record's text: in Python True == 1
        self._numbers: dict[str, int] = {}
        self._answers: list[Any] = []
        self._rows: dict[tuple[Probability, ...], int] = {}
        self._masses: dict[tuple[int, ...], list[Probability]] = {}
        self._equal: dict[Probability, Probability] = {}
        self._texts: dict[tuple[int, ...], str] = {}

    def law(self, records: Sequence[Any]) -> Law[str]:
        """The law of the output's canonical text on some records.

        Raises:
            InputError: the program fails on a record, or makes too many choices on all of them.
        """
        factors = [self._factor(record) for record in records]
        masses = self._product([factor.row for factor in factors])
        outputs = list(itertools.product(*(factor.answers for factor in factors)))
        for output in itertools.filterfalse(self._texts.__contains__, outputs):
            self._texts[output] = plain_text(tuple(self._answers[number] for number in output))
        return Law(dict(zip(map(self._texts.__getitem__, outputs), masses, strict=True)))

    def _factor(self, record: Any) -> _Factor:
        name = plain_text(record)
        if name not in self._factors:
            law = tree_law(follow(partial(self._program, (record,)), ChoiceBudget(self._choices), _told))
            row = self._rows.setdefault(law.probabilities, len(self._rows))
            self._factors[name] = _Factor(tuple(self._number(text, answer) for text, answer in law), row)
        return self._factors[name]

    def _number(self, text: str, answer: Any) -> int:
        if text not in self._numbers:
            self._numbers[text] = len(self._answers)
            self._answers.append(answer)
        return self._numbers[text]

    def _product(self, rows: Sequence[int]) -> list[Probability]:
        """The probabilities of all outputs; equal ones are one object."""
        key = tuple(rows)
        if key not in self._masses:
            budget, factors = ChoiceBudget(self._choices), list(self._rows)
            masses: list[Probability] = [Fraction(1)]
            for row in key:
                budget.spend(len(masses))
                masses = [mass * factor for mass in masses for factor in factors[row]]
            self._masses[key] = [self._equal.setdefault(mass, mass) for mass in masses]
        return self._masses[key]


def _told(output: tuple[Any, ...]) -> tuple[str, Any]:
    """What tells the answers on a single record apart: the text, and the answer itself."""
    (answer,) = output
    return plain_text(answer), answer
