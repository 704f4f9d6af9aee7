"""Evidence for article, Theorem 2 and section 5.4: what happens to the budget where fewer invariants are kept."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, reduce
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from mechanisms.exact_law import exact_law
from mechanisms.permutation_swapping import permutation_swapping
from spec.input_premetric import hamming_unordered
from spec.law import Law
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

__all__ = ["topdown_release"]

_DISTANCE = hamming_unordered("record")


@dataclass(frozen=True)
class _Release:
    """A mechanism that keeps totals exactly, with its law on every data set of a small domain.

    Attributes:
        names: the totals, in the order of their values.
        records: the records of each data set, between which d_HamS is taken.
        totals: their values on each data set.
        laws: the law of what is released.
    """

    names: tuple[str, ...]
    records: Mapping[Any, tuple[Any, ...]]
    totals: Mapping[Any, tuple[int, ...]]
    laws: Mapping[Any, Law[Any]]

    @cached_property
    def shared(self) -> dict[frozenset[int], Fraction]:
        """Which totals differ in some pair at finite distance, with the smallest probability that such pairs share.

        That is the smallest probability of a possible output of the one data set from the other one.
        """
        found: dict[frozenset[int], Fraction] = {}
        for x, y in product(self.records, repeat=2):
            if _DISTANCE(self.records[x], self.records[y]) is not None:
                pairs = enumerate(zip(self.totals[x], self.totals[y], strict=True))
                differing = frozenset(i for i, (a, b) in pairs if a != b)
                smallest = min(self.laws[y].numeric(output) for output in self.laws[x])
                found[differing] = min(found.get(differing, Fraction(1)), smallest)
        return found

    def smallest_shared(self, kept: Collection[int]) -> Fraction:
        """The smallest probability of a possible output of x from an x' that agrees with x on the kept totals.

        It is 0 iff the loss is infinite under D_Mult, and under D_NoR, on the universes that they induce; here data
        sets at distance 0 with the same totals are equal.
        """
        return min(smallest for differing, smallest in self.shared.items() if not differing & set(kept))

    def are_determined_by(self, kept: Collection[int]) -> bool:
        """Whether data sets at finite distance that agree on the kept totals agree on the others."""
        return not any(differing and not differing & set(kept) for differing in self.shared)


def _every_proper_subset(release: _Release, scope: str) -> Evidence:
    """Whether without any one of the totals the loss is infinite."""
    everything = range(len(release.names))
    for left_out in reversed(everything):
        smallest = release.smallest_shared([i for i in everything if i != left_out])
        if smallest > 0:
            note = (
                f"without {release.names[left_out]} alone: every output of a data set has at least this probability "
                "from each data set at finite distance that agrees with it on the other totals"
            )
            witness = formula_witness("smallest == 0", note=note, smallest=smallest)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{len(release.names)} totals")


def _every_entry_less(release: _Release, entries: Sequence[Collection[int]], scope: str) -> Evidence:
    """Whether without any one of some groups of totals, whatever others are left out too, the loss is infinite."""
    for size in reversed(range(len(entries))):
        for chosen in combinations(entries, size):
            kept = [i for entry in chosen for i in entry]
            smallest = release.smallest_shared(kept)
            if smallest > 0:
                left = ", ".join(name for i, name in enumerate(release.names) if i not in kept)
                note = f"without {left}: the smallest probability of a possible output from a compared data set"
                witness = formula_witness("smallest == 0", note=note, smallest=smallest)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"all proper subsets of {len(entries)} groups of totals")


def _undetermined(release: _Release, scope: str, also: Sequence[int] = ()) -> Evidence:
    """Whether the loss is infinite exactly where the kept totals leave a pair that differs on the others.

    Args:
        release: the mechanism.
        scope: its domain in words.
        also: a set of totals that is claimed to leave such a pair too, for mutants.
    """
    everything = range(len(release.names))
    if release.smallest_shared(everything) == 0:
        return Evidence(Verdict.OPEN, scope, "the mechanism has no finite budget under all its totals")
    checked = 0
    for size in range(len(release.names)):
        for kept in combinations(everything, size):
            stated_infinite = not release.are_determined_by(kept) or kept == tuple(also)
            smallest = release.smallest_shared(kept)
            checked += 1
            if (smallest == 0) != stated_infinite:
                left = ", ".join(name for i, name in enumerate(release.names) if i not in kept)
                note = f"without {left}: the smallest probability of a possible output from a compared data set"
                claimed = "smallest == 0" if stated_infinite else "smallest > 0"
                return Evidence(Verdict.REFUTED, scope, note, formula_witness(claimed, note=note, smallest=smallest))
    return Evidence(Verdict.EXHAUSTED, scope, f"{checked} proper subsets of {len(release.names)} totals")


_TDA_SCOPE = (
    "two states of one block each, up to 2 persons in a household or in a group quarters of one type, 1 or 2 housing "
    "units in the first block, 1 in the second; a coin that leans with the persons in households, and the invariants"
)
_ONE_STATE_SCOPE = "the same with the first state alone"


@cache
def topdown_release(states: int = 2) -> _Release:
    """The invariants of a small country beside a noisy count of its persons in households."""
    places = tuple(range(1, states + 1))
    names = (
        "the housing units of block 1",
        *(f"the occupied group quarters of block {place}" for place in places),
        *(f"the population of state {place}" for place in places),
    )
    records, totals, laws = {}, {}, {}
    for size in range(3):
        for persons in combinations_with_replacement(tuple(product(places, ("household", "quarters"))), size):
            for units in (1, 2):
                x = (persons, units)
                populations = tuple(sum(block == place for block, _ in persons) for place in places)
                quarters = tuple(int((block, "quarters") in persons) for block in places)
                noisy = Fraction(1 + sum(where == "household" for _, where in persons), 4)
                records[x], totals[x] = persons, (units, *quarters, *populations)
                laws[x] = Law({(totals[x], 0): 1 - noisy, (totals[x], 1): noisy})
    return _Release(names, records, totals, laws)


@checks("topdown.theorem-2.necessity.printed")
def necessity_printed() -> Evidence:
    """Every proper subset, down to one total less."""
    return _every_proper_subset(topdown_release(), _TDA_SCOPE)


def _both(first: Evidence, second: Evidence) -> Evidence:
    """The same check on two domains: what fails on either, or the second with both scopes."""
    if first.verdict is not Verdict.EXHAUSTED:
        return first
    detail = f"{first.detail}; {second.detail}"
    return Evidence(second.verdict, f"{first.scope}; and {second.scope}", detail, second.witness)


@checks("topdown.theorem-2.necessity")
def necessity() -> Evidence:
    """The subsets that leave two comparable data sets with other totals, with two states and with one."""
    return _both(_undetermined(topdown_release(), _TDA_SCOPE), _undetermined(topdown_release(1), _ONE_STATE_SCOPE))


@refutes("topdown.theorem-2.necessity", "or only leaves out the population of one state")
def necessity_of_every_state() -> Evidence:
    """The mutant with one total that the others give back."""
    return _undetermined(topdown_release(), _TDA_SCOPE, also=(0, 1, 2, 3))


@refutes("topdown.theorem-2.necessity", "or leaves out the population of a single state")
def necessity_of_a_single_state() -> Evidence:
    """The mutant in which the size of the data set does not give the population back."""
    return _undetermined(topdown_release(1), f"{_TDA_SCOPE}; {_ONE_STATE_SCOPE}", also=(0, 1))


@checks("topdown.theorem-2.necessity.entries")
def necessity_of_entries() -> Evidence:
    """Housing units, group quarters and populations, each for all blocks or states."""
    return _every_entry_less(topdown_release(), ((0,), (1, 2), (3, 4)), _TDA_SCOPE)


@refutes("topdown.theorem-2.necessity.entries", "a single state")
def necessity_of_entries_with_one_state() -> Evidence:
    """The mutant in which d_HamS^p fixes the population."""
    return _every_entry_less(topdown_release(1), ((0,), (1,), (2,)), f"{_TDA_SCOPE}; {_ONE_STATE_SCOPE}")


_PSA_SCOPE = "the PSA at p = 1/3 on all data sets of up to {} records, {} x {} x {} categories; d_HamS and D_Mult"


@cache
def _swapping(largest: int, matching: int, holding: int, swapping: int) -> _Release:
    """The PSA with its totals n_mh· and n_m·s."""
    kinds = [(0, 1), (0, 2)]
    sizes = (matching, holding, swapping)
    cells = [(where, values) for where in kinds for values in product(*(range(sizes[i]) for i in where))]
    names = tuple(f"n_{a + 1}{b + 1}." if where == (0, 1) else f"n_{a + 1}.{b + 1}" for where, (a, b) in cells)
    records, totals, laws = {}, {}, {}
    for size in range(largest + 1):
        for x in combinations_with_replacement(tuple(product(*map(range, sizes))), size):
            records[x] = x
            totals[x] = tuple(sum(tuple(r[i] for i in where) == values for r in x) for where, values in cells)
            laws[x] = exact_law(permutation_swapping, x, swap_rate=Fraction(1, 3))
    return _Release(names, records, totals, laws)


@checks("psa.one-invariant-less.printed")
def one_invariant_less_printed() -> Evidence:
    """Each total alone: the others give it back."""
    return _every_proper_subset(_swapping(3, 1, 2, 2), _PSA_SCOPE.format(3, 1, 2, 2))


_PSA_SIZES = ((3, 1, 2, 3), (2, 2, 2, 2), (2, 1, 1, 2), (2, 1, 2, 1))
"""The most records, and the matching, holding and swapping categories."""


def _psa_undetermined(*sizes: int, also: Sequence[int] = ()) -> Evidence:
    return _undetermined(_swapping(*sizes), _PSA_SCOPE.format(*sizes), also)


@checks("psa.one-invariant-less")
def one_invariant_less() -> Evidence:
    """The totals left out that the others and the number of records leave open; also with a single category."""
    return reduce(_both, (_psa_undetermined(*sizes) for sizes in _PSA_SIZES))


@refutes("psa.one-invariant-less", "or only leaves out one holding category's total")
def one_holding_total_less() -> Evidence:
    """The mutant is the printed sentence for n_11·."""
    return _psa_undetermined(3, 1, 2, 3, also=(1, 2, 3, 4))


@refutes("psa.one-invariant-less", "or leaves out the n_mh. of a single holding category")
def single_holding_total_less() -> Evidence:
    """The mutant in which all the n_mh· are removed and the n_m·s give them back."""
    return _psa_undetermined(2, 1, 1, 2, also=(1, 2))


def _psa_margins(*sizes: int) -> Evidence:
    """Whether the loss is infinite without all the n_mh·, without all the n_m·s, and without both."""
    release = _swapping(*sizes)
    holding = range(sizes[1] * sizes[2])
    margins = (holding, range(len(holding), len(release.names)))
    return _every_entry_less(release, margins, _PSA_SCOPE.format(*sizes))


@checks("psa.one-invariant-less.margins")
def one_margin_less() -> Evidence:
    """Each of the two tables of totals."""
    return reduce(_both, (_psa_margins(*sizes) for sizes in ((3, 1, 2, 2), (3, 1, 2, 3), (2, 2, 2, 2))))


@refutes("psa.one-invariant-less.margins", "a single holding category")
def one_margin_less_of_one_category() -> Evidence:
    """The mutant in which the n_m·s give the n_mh· back."""
    return _psa_margins(2, 1, 1, 2)
