"""Symmetries that claims declare: checked, told in the scope, and refused where they are none."""

from fractions import Fraction

import pytest
from claim_texts import built, replaced

from stirred import assert_satisfies, check, satisfies, smallest_budget
from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import Schema, multisets, ordered_data_sets
from stirred.verify.audit.audit import audit
from stirred.verify.cli.main import main

PROGRAM = """\
from fractions import Fraction


def count(data, source):
    return sum(answer == "yes" for answer, _ in data) + source.uniform(3)


def first(data, source):
    return data[0][0] == "yes" if source.bernoulli(Fraction(1, 3)) else data[1][0] == "yes"
"""

TEXT = """\
id = "answers"
statement = "A noisy count."
[domain]
schema = { answer = ["no", "yes"], city = [1, 2, 3] }
records = 2
order = "ordered"
[multiverse]
invariants = []
[input_premetric]
name = "hamming_ordered"
resolution = "person"
[output_premetric]
name = "approximate_multiplicative"
delta = "2/3"
[budget]
gamma = 3
[mechanism]
function = "own:count"
symmetry = ["records", ["city"]]
"""


def stated(tmp_path, *changes):
    (tmp_path / "own.py").write_text(PROGRAM)
    return built(tmp_path, replaced(TEXT, *changes))


def test_the_answers_are_those_without_the_symmetry_and_the_scope_says_what_was_checked(tmp_path):
    declared = audit(stated(tmp_path))
    plain = audit(stated(tmp_path, ('symmetry = ["records", ["city"]]\n', "")))
    assert (declared.verdict, declared.needed) == (plain.verdict, plain.needed)
    assert (
        "x is one of 6 data sets, the first of each orbit under the declared symmetry records and values of city, "
        "which was checked: on all 36 data sets it preserves distances and universes, and the laws up to one "
        "relabelling of outputs, "
        "with the first two records exchanged, (1,) and (2,) exchanged, (1,), (2,), (3,) turned round"
    ) in declared.scope
    assert "symmetry" not in plain.scope


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("own:count", "own:first"), "with the first two records exchanged x = (('no', 1), ('yes', 1)) becomes x' = ("),
        (
            ('"records", ["city"]', '["answer", "city"]'),
            "turned round x = (('no', 1), ('no', 3)) becomes x' = (('no', ",
        ),
        (("invariants = []", 'invariants = [["city"]]'), "(('no', 1), ('no', 1)) becomes (('no', 2), ('no', 2)) of a"),
    ],
    ids=["laws", "values", "universes"],
)
def test_a_false_declaration_is_one_line_with_the_data_sets_and_no_verdict(tmp_path, capsys, change, said):
    stated(tmp_path, change)
    assert main(["audit", str(tmp_path / "claim.toml")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    (line,) = printed.err.splitlines()
    assert "claim.toml: mechanism.symmetry: " in line
    assert said in line


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("[]", "must name at least one"),
        ('"records"', "must be an array"),
        ('["record"]', "did you mean 'records'?"),
        ("[1]", "must be 'records', 'values' or an array of variables; got 1"),
        ('[["city", 1]]', "must be 'records', 'values' or an array of variables; got ('city', 1)"),
        ('["records", "records"]', "has duplicates; got 'records'"),
        ('[["city", "city"]]', "has duplicates"),
        ('[["town"]]', "unknown variable 'town'"),
    ],
)
def test_what_cannot_be_declared_is_refused_with_its_place(tmp_path, declared, said):
    with pytest.raises(InputError, match=r"claim\.toml: mechanism\.symmetry") as caught:
        stated(tmp_path, ('["records", ["city"]]', declared))
    assert said in str(caught.value)


SCHEMA = 'schema = { answer = ["no", "yes"], city = [1, 2, 3] }\nrecords = 2\norder = "ordered"'


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([('order = "ordered"\n', ""), ("_ordered", "_unordered")], "must not be 'records' on an unordered domain"),
        ([("records = 2", "records = 1")], "must have at least two things to exchange; got 'records'"),
        ([("city = [1, 2, 3]", "city = [1]")], "must have at least two things to exchange; got ('city',)"),
        ([(SCHEMA, "data_sets = [0]"), ("hamming_ordered", "absolute_difference")], "requires data sets that are"),
        ([(SCHEMA, 'description = "all"')], "belongs to a mechanism whose data sets are listed and compared"),
    ],
)
def test_it_belongs_to_records_of_a_listed_domain_with_something_to_exchange(tmp_path, changes, said):
    with pytest.raises(InputError, match=r"mechanism\.symmetry") as caught:
        stated(tmp_path, *changes)
    assert said in str(caught.value)


def test_a_parameter_that_is_left_open_is_refused_beside_it(tmp_path):
    text = ('symmetry = ["records", ["city"]]', 'symmetry = ["records"]\nparameters = { flip = "symbol" }')
    pure = ('"approximate_multiplicative"\ndelta = "2/3"', '"multiplicative"')
    with pytest.raises(InputError, match=r"mechanism\.symmetry requires a number for every parameter; got "):
        audit(stated(tmp_path, text, pure))


BITS = ordered_data_sets(Schema({"answer": (0, 1)}).records, [3])


def flipped(data, source):
    """Each answer is flipped with probability 1/3."""
    return tuple(1 - answer if source.choose((Fraction(2, 3), Fraction(1, 3))) else answer for (answer,) in data)


def last_is_kept(data, source):
    return flipped(data[:-1], source), data[-1]


def test_from_python_it_is_an_argument():
    blocks = {"data_sets": BITS, "distance": "hamming_ordered", "delta": "1/100"}
    expected = smallest_budget(flipped, **blocks)
    assert smallest_budget(flipped, **blocks, symmetry=["records", "values"]) == expected
    found = assert_satisfies(flipped, **blocks, symmetry=["records", "values"], epsilon="1")
    assert "x is one of 2 data sets, the first of each orbit under the declared symmetry records and" in found.scope
    with pytest.raises(
        InputError, match=r"^symmetry: records must be a symmetry; with the first record moved to the end"
    ):
        smallest_budget(last_is_kept, **blocks, symmetry=["records"])
    with pytest.raises(InputError, match="symmetry must be a list of names; got 'records'"):
        smallest_budget(flipped, **blocks, symmetry="records")
    with pytest.raises(InputError, match=r"symmetry\[0\] must not name variables; the domain has no schema"):
        smallest_budget(flipped, **blocks, symmetry=[["answer"]])


def test_a_decorator_takes_it_too():
    @satisfies(data_sets=BITS, distance="hamming_ordered", symmetry=["records"], epsilon="ln 2")
    def symmetric(data, source):
        return flipped(data, source)

    @satisfies(data_sets=BITS, distance="hamming_ordered", symmetry=["records"], epsilon="ln 2")
    def other(data, source):
        return last_is_kept(data, source)

    assert [found.verdict.name for found in check(symmetric)] == ["EXHAUSTED"]
    with pytest.raises(InputError, match="must be a symmetry"):
        check(other)


def test_values_of_unordered_records_are_exchanged():
    domain = multisets((0, 1, 2), [2])
    blocks = {"data_sets": domain, "distance": "hamming_unordered"}
    found = assert_satisfies(lambda data, source: len(set(data)), **blocks, symmetry=["values"], epsilon="infinite")
    assert "x is one of 2 data sets" in found.scope
