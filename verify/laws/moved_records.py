"""The laws of a program that only moves what records say: images of its law on records that all differ.

What it draws does not depend on the values that it moves, so that it is followed once for each way in which records
share strata, on records of which no two say the same. Each output there is a permutation of the records; on other
records the outputs of several permutations are one, whose probabilities are added up. Outputs come in the order in
which following the program on all records would meet them.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.interpreters.choice_tree import tree_law
from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SwapRecord, saturated_table
from stirred.spec.laws.law import Law, Probability


@dataclass(frozen=True)
class _Moves:
    """What a program does to records that all differ.

    Attributes:
        orders: for each output, whose swapping value each record gets.
        masses: the distinct probabilities of outputs.
        of: for each output, which of them is its own.
    """

    orders: npt.NDArray[np.int64]
    masses: tuple[Probability, ...]
    of: npt.NDArray[np.int64]


class MovedRecords:
    """The laws of one program that swaps, on sequences of records (m, h, s).

    Args:
        program: of a sequence of records and a source; its output is their `saturated_table` when it has moved the s.
        choices: how many it may make on one sequence.
        texts: of outputs.
    """

    def __init__(
        self, program: Callable[[Sequence[SwapRecord], Source], Any], choices: int, texts: Callable[[Any], str]
    ) -> None:
        self._program, self._choices, self._texts = program, choices, texts
        self._moves: dict[tuple[int, ...], _Moves] = {}
        self._sums: dict[tuple[int, tuple[int, ...]], Probability] = {}

    def law(self, records: Sequence[SwapRecord]) -> Law[str]:
        """The law of the output's text on some records."""
        moves = self._of(_numbered([matching for matching, _, _ in records]))
        held = _numbered([(matching, holding) for matching, holding, _ in records])
        swapped = _numbered([swapping for _, _, swapping in records])
        width = 1 + max(swapped, default=0)
        kinds = np.sort(np.array(held) * width + np.array(swapped)[moves.orders], axis=1)
        _, first, output = np.unique(kinds, axis=0, return_index=True, return_inverse=True)
        counts = np.zeros((len(first), len(moves.masses)), dtype=np.int64)
        np.add.at(counts, (output.ravel(), moves.of), 1)
        return Law(
            {
                self._text(records, moves.orders[first[place]].tolist()): self._sum(moves, counts[place].tolist())
                for place in np.argsort(first).tolist()
            }
        )

    def _of(self, strata: tuple[int, ...]) -> _Moves:
        """What the program does to records in these strata."""
        if strata not in self._moves:
            labelled = tuple((stratum, place, place) for place, stratum in enumerate(strata))
            law = tree_law(follow(partial(self._program, labelled), ChoiceBudget(self._choices), _as_it_is))
            masses = {mass: number for number, mass in enumerate(dict.fromkeys(law.probabilities))}
            orders = [[moved for (_, _, moved), _ in sorted(output, key=_holding)] for output in law]
            of = [masses[law[output]] for output in law]
            self._moves[strata] = _Moves(np.array(orders, dtype=np.int64), tuple(masses), np.array(of, dtype=np.int64))
        return self._moves[strata]

    def _text(self, records: Sequence[SwapRecord], order: Sequence[int]) -> str:
        moved = [
            (matching, holding, records[other][2]) for (matching, holding, _), other in zip(records, order, strict=True)
        ]
        return self._texts(saturated_table(moved))

    def _sum(self, moves: _Moves, counts: Sequence[int]) -> Probability:
        """The probability of so many outputs of each mass; equal ones are one object."""
        key = id(moves), tuple(counts)
        if key not in self._sums:
            self._sums[key] = sum((n * mass for n, mass in zip(counts, moves.masses, strict=True) if n), Fraction(0))
        return self._sums[key]


def _numbered(values: Sequence[Hashable]) -> tuple[int, ...]:
    """The values by number, in the order in which they are met."""
    numbers: dict[Hashable, int] = {}
    return tuple([numbers.setdefault(value, len(numbers)) for value in values])


def _holding(cell: tuple[SwapRecord, int]) -> Any:
    (_, holding, _), _ = cell
    return holding


def _as_it_is(output: Any) -> Any:
    return output
