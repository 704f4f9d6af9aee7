"""Privacy curves of the cell key method, each beside an enumeration of its own."""

import re
from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from stirred.spec.laws.law import Law
from stirred.spec.laws.p_table import PTable, PTableRow, p_table
from stirred.spec.output_premetrics import hockey_stick
from stirred.verify.engines import cell_key
from stirred.verify.engines.cell_key import cells_law, count_curve, curve_text, moved_record_curve, pair_curve

KEYS = 256
SORTED = PTableRow.of([(13, -2), (62, -1), (106, 0), (62, 1), (13, 2)])
"""D = 2, V = 0.9 rounded to 256 keys: the offices' row of large counts."""

LARGE = PTable((*[PTableRow.of([(KEYS, 0)])] * 3, SORTED), KEYS)


def shuffled(table, seed):
    random = Random(seed)  # noqa: S311 a permutation
    return table.reordered([random.sample(range(table.keys), table.keys) for _ in table.rows])


def listed(table, counts):
    """What is released of two cells and their total, key by key."""
    one, other = counts
    rows = [table.row(count) for count in (one, other, one + other)]
    found = Counter(
        (one + rows[0].change(k), other + rows[1].change(m), one + other + rows[2].change((k + m) % table.keys))
        for k in range(table.keys)
        for m in range(table.keys)
    )
    return Law({outcome: Fraction(number, table.keys**2) for outcome, number in found.items()})


@pytest.mark.parametrize("table", [LARGE, shuffled(LARGE, 1), shuffled(LARGE, 2)], ids=["sorted", "one", "two"])
@pytest.mark.parametrize("most_listed", [0, 1_024])
def test_both_ways_to_count_pairs_of_keys_give_the_listed_law(monkeypatch, table, most_listed):
    monkeypatch.setattr(cell_key, "_LISTED", most_listed)
    assert cells_law(table, (20, 19)) == listed(table, (20, 19))


def test_the_order_of_a_table_is_part_of_its_privacy():
    ends = [
        moved_record_curve(table, (20, 20), with_total=total).pieces()[-1].power
        for table, total in ((LARGE, False), (LARGE, True), (shuffled(LARGE, 1), True))
    ]
    # alone, an outcome without counterpart is 22 of the first cell or 18 of the second: 1 - (1 - 13/256)^2
    assert ends == [Fraction(6487, 65536), Fraction(20107, 65536), Fraction(6487, 65536)]


def test_the_curve_of_one_count_is_that_of_all_counts():
    rows = (PTableRow.of([(4, 0)]), *(PTableRow.of([(1, -1), (2, 0), (1, place)]) for place in (1, 2, 3)))
    table = PTable(rows, 4, reused=2, phase=1)
    found = count_curve(table)
    for gamma in (Fraction(1), Fraction(3, 2), Fraction(4)):
        pairs = [(table.law(n + more), table.law(n + 1 - more)) for n in range(40) for more in (0, 1)]
        assert found.curve.delta(gamma) == max(hockey_stick(p, q, gamma) for p, q in pairs)
        assert found.curves[found.worst(gamma)].delta(gamma) == found.curve.delta(gamma)
    for epsilon in (0, 1, 2):
        assert found.curves[found.worst_at(epsilon)].delta_at(epsilon) == found.curve.delta_at(epsilon)


def test_each_delta_is_said_of_the_counts_that_need_it():
    rows = [{0: 1}, {-1: 2, 0: 1, 1: 8, 2: 3}, {-2: 1, -1: 8, 0: 2, 1: 2, 2: 2}, {-2: 2, -1: 3, 0: 3, 1: 1, 2: 8}]
    table = p_table([Law({v: Fraction(n, sum(row.values())) for v, n in row.items()}) for row in rows])
    said = curve_text(count_curve(table, least=1))
    pairs = {n: pair_curve(table.law(n), table.law(n + 1)) for n in (1, 2, 3)}
    for epsilon, counts in zip(
        re.findall(r"at epsilon = (\d)", said), re.findall(r"counts (\d) and", said), strict=False
    ):
        needs = {n: curve.delta_at(int(epsilon)).upper for n, curve in pairs.items()}
        assert needs[int(counts)] == max(needs.values())
    assert re.findall(r"counts (\d) and", said) == ["1", "3", "2"]  # the last is of the end


@pytest.mark.parametrize("stays", [Fraction(1, 3), Fraction(95, 256), Fraction(3, 4)])
def test_zeros_that_stay_cost_the_same_at_every_epsilon(stays):
    rest = (1 - stays) / 2
    table = p_table([Law({0: Fraction(1)}), Law({-1: stays, 0: rest, 1: rest})])
    curve = pair_curve(table.law(0), table.law(1))
    assert [(one.low, one.high, one.power, one.level) for one in curve.pieces()] == [(1, None, 1 - stays, 0)]
