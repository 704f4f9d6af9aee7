"""The cell key method: what zeros that stay cost, where the curve of large counts ends, and the order of the keys."""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate, product
from math import prod
from random import Random
from typing import Any

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.source import Source
from stirred.spec.laws.law import Law
from stirred.spec.laws.p_table import PTable, PTableRow
from stirred.verify.engines.cell_key import cells_law, pair_curve
from stirred.verify.ledger import cases, every, mutant, own, some
from stirred.verify.ledger.language_names import get
from stirred.verify.ledger.words import hockey_stick

_METHOD = "Thompson, Broadfoot and Elazar (2013)"
_GAMMAS = (1, 2, 10, 10**9)

# zeros that stay zero: the law of what is released of a count of 1 that is 0 with probability stays

_rows = [
    {0: Fraction(a, 8), 1: Fraction(b, 8), 2: Fraction(8 - a - b, 8)}
    for a, b in product(range(1, 8), repeat=2)
    if a + b < 8
]
small_rows = cases("rows of count 1 on 0, 1, 2 with masses in eighths; gamma = 1, 2, 10, 10^9", "p gamma delta")(
    lambda: ((p, gamma, pair_curve(Law({0: Fraction(1)}), Law(p)).delta(gamma)) for p, gamma in product(_rows, _GAMMAS))
)
unchanged = lambda: {0: 1}
worse_way = lambda p, gamma: max(hockey_stick(p, unchanged(), gamma), hockey_stick(unchanged(), p, gamma))

own("cell-key.zeros", _METHOD)(
    """If a count of 0 is never changed, the counts 0 and 1 need delta = 1 - p_1(-1) at every epsilon, p_1(-1) being the
    probability that 1 is changed to 0.""",
    every(small_rows, lambda p, gamma: worse_way(p, gamma) == 1 - p[0]),
    mutant("1 - p_1(0)", lambda p, gamma: worse_way(p, gamma) == 1 - p[1]),
    every(small_rows, lambda p, delta: delta == 1 - p[0]),
    mutant("half of it", lambda p, delta: 2 * delta == 1 - p[0]),
    reading="the largest of both directions; delta is that of the engine, by the trade-off functions",
)

# large counts: p(v) in proportion to w^(v^2), |v| <= D, around n and n + 1


def _around(count: int, ratio: Fraction, most: int) -> Mapping[int, Fraction]:
    weights = {count + change: ratio**change**2 for change in range(-most, most + 1)}
    return {outcome: weight / sum(weights.values()) for outcome, weight in weights.items()}


large = cases("D <= 6, w = 1/2, 2/3, 9/10, n = 10", "p q w D delta")(
    lambda: (
        (p, q, ratio, most, pair_curve(Law(p), Law(q)).delta(1 / ratio ** (2 * most - 1)))
        for most, ratio in product(range(1, 7), (Fraction(1, 2), Fraction(2, 3), Fraction(9, 10)))
        for p, q in [(_around(10, ratio, most), _around(11, ratio, most))]
    )
)

own("cell-key.large-counts", _METHOD)(
    """With p(v) in proportion to w^(v^2) for |v| <= D and 0 < w < 1, delta is p(D) for one record from e^epsilon =
    w^-(2D - 1) on, and above it for every smaller epsilon.""",
    every(large, lambda p, q, w, D: hockey_stick(p, q, w ** -(2 * D - 1)) == p[10 - D]),
    mutant("2D - 2", lambda p, q, w, D: hockey_stick(p, q, w ** -(2 * D - 2)) == p[10 - D]),
    every(large, lambda p, q, w, D: hockey_stick(p, q, w ** -(2 * D - 1) * 999 / 1000) > p[10 - D]),
    mutant("above w^-(2D - 1)", lambda p, q, w, D: hockey_stick(p, q, w ** -(2 * D - 1) * 1001 / 1000) > p[10 - D]),
    every(large, lambda p, D, delta: delta == p[10 - D]),
    mutant("p(D - 1)", lambda p, D, delta: delta == p[11 - D]),
)

# the order of the keys: two cells and their total, one record moving from the first to the second

_KEYS = 256
_SORTED = PTableRow.of([(13, -2), (62, -1), (106, 0), (62, 1), (13, 2)])
_COUNTS = (20, 20), (19, 21)


def _table(seed: int | None) -> PTable:
    """D = 2, V = 0.9 for every count, in the order of the changes, or shuffled for each count."""
    table = PTable((PTableRow.of([(_KEYS, 0)]), *[PTableRow.of([(_KEYS, 0)])] * 10, *[_SORTED] * 40), _KEYS)
    if seed is None:
        return table
    random = Random(seed)  # noqa: S311 an order, no key
    return table.reordered([random.sample(range(_KEYS), _KEYS) for _ in table.rows])


def _by_keys(table: PTable, counts: tuple[int, int]) -> Mapping[tuple[int, ...], Fraction]:
    """Key by key."""
    one, other = counts
    rows = [table.row(count) for count in (one, other, one + other)]
    total = [rows[2].change(key) for key in range(_KEYS)]
    found = Counter(
        (one + rows[0].change(k), other + rows[1].change(m), one + other + total[(k + m) % _KEYS])
        for k, m in product(range(_KEYS), repeat=2)
    )
    return {outcome: Fraction(number, _KEYS**2) for outcome, number in found.items()}


def _of_order(seed: int | None) -> tuple[Mapping[tuple[int, ...], Fraction], ...]:
    return tuple({t: law.numeric(t) for t in law} for law in (cells_law(_table(seed), counts) for counts in _COUNTS))


_TWO_CELLS = "D = 2, V = 0.9, 256 keys, counts (20, 20) against (19, 21) and their total"
in_order = cases(f"{_TWO_CELLS}; the keys in the order of the changes", "p q r")(
    lambda: [(*_of_order(None), _by_keys(_table(None), _COUNTS[0]))]
)
in_orders = cases(f"{_TWO_CELLS}; 5 orders that were drawn", "p q r")(
    lambda: ((*_of_order(seed), _by_keys(_table(seed), _COUNTS[0])) for seed in range(5))
)
without_counterpart = lambda p, q: sum(p[t] for t in p if get(q, t, 0) == 0)
cells_of = lambda p: {t[:2]: sum(p[u] for u in p if u[:2] == t[:2]) for t in p}

own("cell-key.order", _METHOD)(
    """The order of the keys is part of a p-table's privacy. Two cells with their total, whose key is the sum of theirs,
    have outcomes of probability 20107/65536 that moving one record makes impossible, if keys are in the order of the
    changes; 6487/65536, as without the total, in some order; and never less.""",
    every(in_order, lambda p, q: 65536 * without_counterpart(p, q) == 20107),
    mutant("without the total", lambda p, q: 65536 * without_counterpart(p, q) == 6487),
    some(in_orders, lambda p, q: 65536 * without_counterpart(p, q) == 6487),
    mutant("as in the order of the changes", lambda p, q: 65536 * without_counterpart(p, q) == 20107),
    every(in_orders, lambda p, q: 65536 * without_counterpart(cells_of(p), cells_of(q)) == 6487),
    mutant("one key more", lambda p, q: 65536 * without_counterpart(cells_of(p), cells_of(q)) == 6488),
    every(in_order, lambda p, r: p == r),
    every(in_orders, lambda p, r: p == r),
    reading="the probability without a counterpart is delta beyond every likelihood ratio; r is p key by key",
)

# differencing: tables j = 1, …, k of one record and j others, or of these without it

_NARROW = PTableRow.of([(1, -1), (2, 0), (1, 1)])


def _nested(has_record: int, source: Source, *, tables: int) -> tuple[int, ...]:
    """Each count by the row at the sum of its records' keys modulo 4."""
    own_key = source.uniform(4) if has_record else 0
    keys = list(accumulate((source.uniform(4) for _ in range(tables)), initial=own_key))[1:]
    return tuple(has_record + n + _NARROW.change(key % 4) for n, key in enumerate(keys, 1))


def _independent(least: int, tables: int) -> Mapping[tuple[int, ...], Any]:
    changes = {change: _NARROW.law.numeric(change) for change in _NARROW.law}
    return {
        tuple(least + n + change for n, change in enumerate(chosen)): prod(changes[change] for change in chosen)
        for chosen in product(changes, repeat=tables)
    }


differenced = cases("k <= 4 tables, 4 keys, changes -1, 0, 0, 1", "p q k r")(
    lambda: (
        (dict(exact_law(_nested, 1, tables=k)), dict(exact_law(_nested, 0, tables=k)), k, _independent(2, k))
        for k in range(1, 5)
    )
)

own("cell-key.differencing", _METHOD)(
    """The counts of one record and j others, for j = 1, ..., k, have independent keys although they share records. So
    where one count has outcomes of probability w that removing the record makes impossible, k of them have outcomes of
    probability 1 - (1 - w)^k, which tends to 1.""",
    every(differenced, lambda p, q, k, w: without_counterpart(p, q) == 1 - (1 - w) ** k, w=Fraction(1, 4)),
    mutant("one table less", lambda p, q, k, w: without_counterpart(p, q) == 1 - (1 - w) ** (k - 1)),
    mutant("another w", {"w": Fraction(1, 3)}),
    every(differenced, lambda p, r: p == r),
    reading="r is the law of k independent draws of the row, from counts 2, ..., k + 1",
)
