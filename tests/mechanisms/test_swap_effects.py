"""What a swap did: counted against records that are looked at one by one, and the mean of its law against the law."""

from collections import Counter
from fractions import Fraction
from random import Random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping
from stirred.mechanisms.tables.reading import open_table
from stirred.mechanisms.tables.roles import Roles
from stirred.mechanisms.tables.swap_effects import swap_effects
from stirred.spec.arguments import InputError

HEADER = "size,tenure,county,income"
ROLES = Roles(("size",), ("tenure",), ("county",), carried=("income",))


def written(path, rows, header=HEADER):
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n", encoding="utf-8")
    return open_table(str(path))


def both(folder, before, after, header=HEADER):
    return written(folder / "before.csv", before, header), written(folder / "after.csv", after, header)


def drawn(seed, number=400):
    """Records, and the same with the counties of some pairs within a size exchanged."""
    random = Random(seed)  # noqa: S311 repeatable
    rows = [
        [random.randint(1, 4), random.choice(["own", "rent"]), random.choice("ABC"), random.randint(0, 10**6)]
        for _ in range(number)
    ]
    after = [list(row) for row in rows]
    for _ in range(number // 4):
        one, other = random.sample(range(number), 2)
        if rows[one][0] == rows[other][0]:
            after[one][2], after[other][2] = after[other][2], after[one][2]
    return rows, after


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_what_is_counted_is_what_one_by_one_is_seen(tmp_path, seed, form):
    before, after = drawn(seed)
    files = both(tmp_path, before, after)
    if form == "parquet":  # numbers beside the texts of the CSV
        columns = {name: [row[place] for row in after] for place, name in enumerate(HEADER.split(","))}
        pq.write_table(pa.table(columns), tmp_path / "after.parquet", row_group_size=37)
        files = files[0], open_table(str(tmp_path / "after.parquet"))
    found = swap_effects(*files, ROLES, [("county", "tenure")])
    moved = [one for one, other in zip(before, after, strict=True) if one[2] != other[2]]
    assert (found.records, found.all_moved, found.is_exact) == (len(before), len(moved), True)
    by_tenure = Counter(row[1] for row in moved)
    assert dict(zip(found.codes.names("tenure"), found.moved[("tenure",)].tolist(), strict=True)) == by_tenure
    cells = [Counter((row[0], row[1], row[2]) for row in rows) for rows in (before, after)]
    unique = found.uniques[("size", "tenure", "county")]
    assert unique.before == sum(number == 1 for number in cells[0].values())
    assert unique.after == sum(number == 1 for number in cells[1].values())
    assert unique.same == sum(cells[0][cell] == cells[1][cell] == 1 for cell in cells[0])
    assert unique.gone == sum(number == 1 and not cells[1][cell] for cell, number in cells[0].items())
    assert unique.moved == sum(cells[0][tuple(row[:3])] == 1 for row in moved)
    stayed = [one for one, other in zip(before, after, strict=True) if one[2] == other[2]]
    assert unique.stayed == sum(cells[1][tuple(row[:3])] == 1 for row in stayed)
    counts = found.tables[("county", "tenure")]
    assert int(abs(counts.before - counts.after).sum()) == sum(
        abs(one[cell] - other[cell]) for one, other in [[Counter(map(_named, rows)) for rows in (before, after)]]
        for cell in {*one, *other}
    )  # fmt: skip


def _named(row):
    return row[2], row[1]


RECORDS = ((0, 0, "A"), (0, 1, "A"), (0, 2, "B"), (0, 3, "C"), (1, 4, "A"), (1, 5, "B"), (2, 6, "B"))


@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(1, 10), Fraction(9, 10)])
def test_the_expected_number_is_the_mean_of_the_exact_law(tmp_path, rate):
    """Each record has a held value of its own, so that the law of the table tells which of them moved."""
    law = exact_law(permutation_swapping, RECORDS, swap_rate=rate)
    areas = {held: area for _, held, area in RECORDS}
    mean = [sum(law[out] for out in law if dict(_by_held(out))[held] != areas[held]) for held in areas]
    rows = [(match, f"h{held}", area, 0) for match, held, area in RECORDS]
    found = swap_effects(*both(tmp_path, rows, rows), ROLES)
    assert np.allclose(found.expected(rate, ("tenure",)), [float(one) for one in mean], atol=1e-12)
    by_size = [float(sum(mean[:4])), float(sum(mean[4:6])), 0.0]
    assert np.allclose(found.expected(rate, ("size",)), by_size, atol=1e-12)


def _by_held(output):
    return ((held, area) for (_, held, area), _ in output)


def test_counts_alone_say_how_many_moved_at_least(tmp_path):
    before, after = drawn(1)
    cells = Counter((row[0], row[1], row[2]) for row in after)
    released = written(tmp_path / "table.csv", [(*cell, n) for cell, n in cells.items()], "size,tenure,county,count")
    found = swap_effects(written(tmp_path / "before.csv", before), released, ROLES)
    exact = sum(one[2] != other[2] for one, other in zip(before, after, strict=True))
    assert not found.is_exact
    assert 0 < found.all_moved <= exact
    assert found.uniques[("size", "tenure", "county")].moved is None


def test_a_column_that_goes_with_the_area_does_so_less_after_a_swap(tmp_path):
    before = [(1, "own", "AB"[place % 2], 10**6 * (place % 2) + place) for place in range(3_000)]
    after = [(1, "own", "AB"[(place // 2) % 2], row[3]) for place, row in enumerate(before)]
    (held, income) = swap_effects(*both(tmp_path, before, after), ROLES).associations
    assert (held.column, held.before, held.after) == ("tenure", 0.0, 0.0)
    assert (income.column, income.measure, income.is_outside) == ("income", "eta", True)
    assert income.before > 0.999
    assert income.after < 0.01
    texts = [(*row[:3], f"t{row[3]}") for row in before]
    assert swap_effects(*both(tmp_path, texts, texts), ROLES).not_compared == ("income",)


def test_a_table_of_a_column_that_is_missing_is_refused(tmp_path):
    rows = [(1, "own", "A", 3), (1, "rent", "B", 3)]
    with pytest.raises(InputError, match="must have the column 'race' of a table"):
        swap_effects(*both(tmp_path, rows, rows), ROLES, [("race", "county")])
