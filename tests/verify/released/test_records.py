"""The schema of a release: answers that cells are in, and their names, against the schema that the program reads."""

import pytest

from stirred.mechanisms.das.topdown.schema import RecordSchema
from stirred.spec.arguments import InputError
from stirred.verify.products.topdown.examples import EXAMPLES, redistricting
from stirred.verify.products.topdown.schema import read_schema
from stirred.verify.released.records import record_kinds

TEXTS = {"town": EXAMPLES["town"]()["schema.toml"], "redistricting": redistricting()["schema.toml"]}
QUERIES = {
    "town": ["total", "detailed", "hhgq", "hhinstlevels", "hhinstlevels * hispanic", "votingage * hispanic"],
    "redistricting": ["hhgq", "hhinstlevels * cenrace", "cenrace * hispanic", "detailed"],
}


@pytest.mark.parametrize(("name", "query"), [(name, query) for name, own in QUERIES.items() for query in own])
def test_answers_are_the_rows_of_the_schema_in_order(tmp_path, name, query):
    (tmp_path / "schema.toml").write_text(TEXTS[name])
    schema: RecordSchema = read_schema(str(tmp_path / "schema.toml")).schema
    kinds = record_kinds("schema.toml", TEXTS[name])
    parts = [] if query == "total" else query.split(" * ")
    factors = [
        "detailed"
        if query == "detailed"
        else " * ".join(p for p in parts if p == a or kinds.groups.get(p, "")[0:1] == (a,))
        for a in kinds.attributes
    ]
    answers, shape = kinds.answers("query", [one or "*" for one in factors])
    rows = schema.rows(query)
    size = 1
    for one in shape:
        size *= one
    assert size == len(rows)
    for number, (label, row) in enumerate(rows.items()):
        inside = [cell for cell, answer in enumerate(answers.tolist()) if answer == number]
        assert inside == [cell for cell, entry in enumerate(row) if entry]
        assert kinds.labels(query, inside[:1]) == [label]


def test_a_recode_of_some_values_leaves_the_others_uncounted():
    text = TEXTS["town"].replace('household = ["household"], ', "")
    answers, shape = record_kinds("s", text).answers("query", ["hhinstlevels", "*", "*"])
    assert (answers.tolist(), shape) == ([-1] * 4 + [0] * 8, [1, 1, 1])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('record = "person"', "record = 1", "must be a schema of records: 1 must be a text"),
        ('["minor", "adult"]', '["minor", "minor"]', "must be values that differ"),
        ('["minor", "adult"]', "[]", "must have attributes with values"),
        ("[attributes]", "[attribute]", "must be a schema of records: 'attributes'"),
        ('of = "hhgq"', "of = 2", "2 must be a text"),
    ],
)
def test_what_is_no_schema_is_refused_in_one_line(old, new, words):
    assert old in TEXTS["town"]
    with pytest.raises(InputError, match=words):
        record_kinds("schema.toml", TEXTS["town"].replace(old, new, 1))


def test_a_factor_that_is_not_known_is_refused():
    with pytest.raises(InputError, match=r"hispanic must be counted by a name of schema\.toml; got 'hhinstlevels'"):
        record_kinds("s", TEXTS["town"]).answers("query", ["*", "*", "hhinstlevels"])
