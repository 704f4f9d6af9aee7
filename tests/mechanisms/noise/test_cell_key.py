"""The cell key method as a program, and in claim files."""

from itertools import product

import pytest
from claim_texts import SCHEMA, replaced

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.cell_key import TableSet, cell_key
from stirred.spec import InputError
from stirred.spec.laws.law import Law
from stirred.spec.laws.law import product as law_product
from stirred.spec.laws.p_table import PTable, PTableRow
from stirred.verify.audit.audit import audit
from stirred.verify.engines.cell_key import cells_law
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims

ROWS = ([(4, 0)], [(1, -1), (1, 0), (2, 1)], [(1, 1), (2, -1), (1, 2)], [(2, 0), (1, 3), (1, -3)])
TABLE = PTable(tuple(map(PTableRow.of, ROWS)), 4)
SCHEMA_OF_TWO = (("area", ("a", "b")), ("age", (0, 1)))
P_TABLE = "i;v;p_int_ub\n0;0;1\n1;-1;.25\n1;0;.75\n1;1;1\n".replace(";.", ";0.")


def published(records, source, *, table, queries):
    """The same as it is published: a key for each record, summed in each cell."""
    keys = [source.uniform(table.keys) for _ in records]
    released = []
    for places, values in queries.cells():
        inside = [key for key, one in zip(keys, records, strict=True) if tuple(one[p] for p in places) == values]
        released.append(len(inside) + table.row(len(inside)).change(sum(inside) % table.keys))
    return tuple(released)


@pytest.mark.parametrize("queries", [(("area",),), (("area",), ()), (("area", "age"), ("age",)), ((),)])
@pytest.mark.parametrize("records", [(), (("a", 0),), (("a", 0), ("a", 0), ("b", 0)), (("a", 0), ("a", 1), ("b", 0))])
def test_keys_that_no_table_tells_apart_are_drawn_together(records, queries):
    tables = TableSet(queries, SCHEMA_OF_TWO)
    law = exact_law(cell_key, records, table=TABLE, queries=tables)
    assert law == exact_law(published, records, table=TABLE, queries=tables)


@pytest.mark.parametrize("counts", [(1, 1), (3, 2)])
def test_two_cells_and_their_total_have_the_law_of_all_pairs_of_keys(counts):
    records = [("a", 0)] * counts[0] + [("b", 0)] * counts[1]
    tables = TableSet((("area",), ()), SCHEMA_OF_TWO)
    assert exact_law(cell_key, records, table=TABLE, queries=tables) == cells_law(TABLE, counts)


def test_counts_without_records_are_changed_independently():
    for one, other in product(range(5), repeat=2):
        law = exact_law(cell_key, (one, other), table=TABLE)
        assert law == law_product(TABLE.law(one), TABLE.law(other))
    assert exact_law(cell_key, 0, table=TABLE) == Law({(0,): 1})
    with pytest.raises(InputError, match="count must be at least 0; got -1"):
        exact_law(cell_key, -1, table=TABLE)


def claim(folder, table="p.csv", queries='[["vote"], []]', schema=SCHEMA):
    (folder / "p.csv").write_text(P_TABLE)
    mechanism = f'name = "cell-key"\ntable = "{table}"' + (f"\nqueries = {queries}" if queries else "")
    (folder / "c.toml").write_text(replaced(schema, ('name = "identity"', mechanism)))
    (text,) = read_claims([folder / "c.toml"])
    return build_claim(text)


def test_a_claim_names_its_p_table_and_its_tables(tmp_path):
    record = audit(claim(tmp_path))
    assert "cell-key with table = p.csv (4 keys), queries = vote, all" in record.audited
    assert record.needed.startswith("infinite")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"table": "../p.csv"}, "mechanism.table must be the name of a file beside the claim; got '../p.csv'"),
        ({"table": "none.csv"}, "none.csv"),
        ({"queries": '[["vota"]]'}, r"mechanism.queries\[0\]: unknown variable 'vota'; did you mean 'vote'?"),
        ({"queries": '[["vote", "vote"]]'}, r"mechanism.queries\[0\] must be an array of distinct variables"),
    ],
)
def test_what_a_claim_may_not_name_is_refused(tmp_path, changed, said):
    with pytest.raises(InputError, match=said):
        claim(tmp_path, **changed)
