"""Evidence for article, section 3.3: what any swapping method must satisfy."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, product
from typing import Any

from mechanisms.broken.fixed_number_of_swaps import fixed_number_of_swaps
from mechanisms.exact_law import exact_law
from mechanisms.permutation_swapping import table_records
from spec.law import Law
from spec.loss import ZERO
from spec.output_premetrics import Multiplicative
from spec.permutation_swapping import Margins
from spec.tables import Table, contingency_tables
from verify.engines.swapping.budget_sweep import one_stratum
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, event_witness, formula_witness
from verify.ledger import checks, refutes


def _fixed_swap_laws(margins: Margins, swaps: int) -> dict[Table, Law[Any]]:
    return {x: exact_law(fixed_number_of_swaps, table_records(x), swaps=swaps) for x in contingency_tables(*margins)}


def _fixed_swaps(universes: Iterable[Margins], numbers: Iterable[int], scope: str) -> Evidence:
    """Whether a fixed number of swaps leaves, in each universe, an output possible from x and impossible from x'."""
    counts = tuple(numbers)
    for margins in universes:
        for swaps in counts:
            laws = _fixed_swap_laws(margins, swaps)
            outputs = {z for law in laws.values() for z in law}
            likelihoods = [law.numeric(z) for law in laws.values() for z in sorted(outputs)]
            if min(likelihoods) > 0:
                note = f"{swaps} swap(s), margins {margins}: the probability of every output from every input"
                values = {f"p{i}": likelihood for i, likelihood in enumerate(likelihoods)}
                witness = formula_witness(f"{'*'.join(values)} == 0", note=note, **values)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.fixed-swaps.printed")
def fixed_swaps_printed() -> Evidence:
    """The sentence as printed, over universes with at least two tables."""
    universes = (u for n in range(2, 5) for u in one_stratum(n, 4) if len(contingency_tables(*u)) > 1)
    scope = "one stratum, up to 4 records, at least two tables, 0 to 3 uniform swaps of two distinct records"
    return _fixed_swaps(universes, range(4), scope)


@checks("swapping.fixed-swaps.unit-universe")
def fixed_swaps_unit() -> Evidence:
    """The repaired sentence: with two records every swap exchanges the two tables."""
    return _fixed_swaps([((1, 1), (1, 1))], range(9), "two records with margins (1, 1) and (1, 1), 0 to 8 swaps")


@refutes("swapping.fixed-swaps.unit-universe", "three records with margins (2, 1) and (2, 1)")
def fixed_swaps_other() -> Evidence:
    """The mutant on another universe."""
    return _fixed_swaps([((2, 1), (2, 1))], range(9), "three records with margins (2, 1) and (2, 1), 0 to 8 swaps")


def _reached(margins: Margins, swaps: int) -> dict[Table, list[frozenset[Table]]]:
    """For each input, the outputs that exactly 0, 1, … swaps can give."""
    steps = [_fixed_swap_laws(margins, number) for number in range(swaps + 1)]
    tables = {z: x for x, law in steps[0].items() for z in law}
    return {x: [frozenset(map(tables.__getitem__, laws[x])) for laws in steps] for x in contingency_tables(*margins)}


def _uniform(outputs: Collection[Table]) -> Law[Any]:
    return Law(dict.fromkeys(sorted(outputs), Fraction(1, len(outputs))))


def _without(law: Law[Any], z: Table, universe: Collection[Table], note: str, **more: Any) -> Witness:
    """A witness that z has probability 0: all else has probability 1, more than under the uniform law."""
    event = [t for t in universe if t != z]
    return event_witness((law, _uniform(universe)), event, distance=1, claimed=ZERO, note=note, z=z, **more)


@dataclass(frozen=True)
class _Triple:
    """Data sets x and x' and an output z that m but no fewer swaps give from x, and m + 1 from x'.

    `near` is what at most m swaps give from x, `far` what as many swaps as the method may make give from x'.
    """

    x: Table
    x_prime: Table
    z: Table
    m: int
    near: frozenset[Table]
    far: frozenset[Table]
    universe: tuple[Table, ...]


def _triples(extra: int = 0) -> Iterator[_Triple]:
    """All of them in one stratum with up to 3 records, m = 0 and 1, for methods with m + extra swaps at most."""
    for margins in (u for n in range(2, 4) for u in one_stratum(n, 4)):
        reached = _reached(margins, 2)
        first = {x: {z: i for i in (2, 1, 0) for z in steps[i]} for x, steps in reached.items()}
        for x, y, m in product(reached, reached, (0, 1)):
            near, far = ({t for s in reached[d][: m + e + 1] for t in s} for d, e in ((x, 0), (y, extra)))
            for z in (z for z, number in first[x].items() if number == m and first[y].get(z) == m + 1):
                yield _Triple(x, y, z, m, frozenset(near), frozenset(far), tuple(reached))


def _supports(outputs: Collection[Table]) -> Iterator[tuple[Table, ...]]:
    return chain.from_iterable(combinations(sorted(outputs), size) for size in range(1, len(outputs) + 1))


_METHODS = "one stratum, up to 3 records, every method that makes at most m swaps, by what it can give; m = 0, 1"


@checks("swapping.fixed-swaps.argument.printed")
def at_most_m_swaps_printed() -> Evidence:
    """The argument as printed: a method that makes no swap on x does not give z, which is m swaps away."""
    triples = 0
    for triple in _triples():
        triples += 1
        for support in _supports(triple.near):
            if triple.z in support:
                continue
            note = (
                f"x = {triple.x}, x' = {triple.x_prime}, z = {triple.z}, m = {triple.m}: a method that gives "
                f"{' or '.join(map(str, support))} from x, and from any other data set what at most m swaps give"
            )
            witness = _without(_uniform(support), triple.z, triple.universe, note, x=triple.x)
            return Evidence(Verdict.REFUTED, _METHODS, note, witness)
    return Evidence(Verdict.EXHAUSTED, _METHODS, f"{triples} triples")


def _at_most_swaps(extra: int) -> Evidence:
    """Whether no method that can give z, from any x, gives it from x', and its loss is infinite."""
    pairs = 0
    for triple in _triples(extra):
        for support in _supports(triple.far):
            pairs += 1
            law, possible = _uniform(support), _uniform(triple.near)
            if triple.z in support or not Multiplicative().distance(possible, law).is_infinite:
                note = f"x' = {triple.x_prime}, z = {triple.z}, m = {triple.m}: z is possible from x'"
                others = _uniform([t for t in triple.universe if t != triple.z])
                witness = event_witness((law, others), [triple.z], distance=1, claimed=ZERO, note=note)
                return Evidence(Verdict.REFUTED, _METHODS, note, witness)
    return Evidence(Verdict.EXHAUSTED, _METHODS, f"{pairs} triples x, x', z with what the method can give from x'")


@checks("swapping.fixed-swaps.argument")
def at_most_m_swaps() -> Evidence:
    """The repaired argument."""
    return _at_most_swaps(0)


@refutes("swapping.fixed-swaps.argument", "at most m + 1 swaps")
def at_most_one_swap_more() -> Evidence:
    """The mutant with one swap more."""
    return _at_most_swaps(1)


def _full_support(*, may_stay: bool) -> Evidence:
    """Whether a finite loss needs full support, over all methods with these probabilities.

    Any table of a universe is a permutation away (Lemma 5), so a method on a universe is any family of laws on it.
    """
    scope = "universes of two and three tables, all methods whose probabilities are multiples of 1/3" + (
        " and that leave every data set unchanged with nonzero probability" if may_stay else ""
    )
    for size in (2, 3):
        weights = [w for w in product(range(4), repeat=size) if sum(w) == 3]
        for method in product(weights, repeat=size):
            if may_stay and any(method[x][x] == 0 for x in range(size)):
                continue
            supports = {tuple(map(bool, law)) for law in method}
            if len(supports) == 1 and not all(next(iter(supports))):
                note = f"{size} tables; laws by input in thirds: {method}; the loss is finite, an output is impossible"
                law: Law[Any] = Law({z: Fraction(w, 3) for z, w in enumerate(method[0]) if w})
                uniform: Law[Any] = Law(dict.fromkeys(range(size), Fraction(1, size)))
                witness = event_witness((law, uniform), list(law), distance=1, claimed=ZERO, note=note, method=method)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.full-support.printed")
def full_support_printed() -> Evidence:
    """The sentence as printed: a method that always gives one table of the universe has loss 0."""
    return _full_support(may_stay=False)


@checks("swapping.full-support.unchanged")
def full_support_unchanged() -> Evidence:
    """The repaired sentence."""
    return _full_support(may_stay=True)


@refutes("swapping.full-support.unchanged", "without the hypothesis")
def full_support_without() -> Evidence:
    """The mutant is the printed sentence."""
    return _full_support(may_stay=False)
