"""Claims about a table of laws that the file itself states."""

import pytest
from claim_texts import answer, audited, replaced

from stirred.spec import InputError
from stirred.verify.cli import main
from stirred.verify.evidence.verdict import Verdict

KERNEL = """\
id = "table"
statement = "The published table satisfies epsilon = ln 3."
[domain]
data_sets = [0, "x"]
[multiverse]
universes = [[0, "x"]]
[input_premetric]
name = "explicit"
resolution = "record"
distances = [[0, "x", 1], ["x", 0, 1]]
[output_premetric]
name = "multiplicative"
[budget]
gamma = 3
[mechanism]
name = "kernel"
laws = [[0, [["yes", "1/4"], ["no", "3/4"]]], ["x", [["yes", "0.75"], ["no", "0.25"]]]]
"""
ROWS = '[[0, [["yes", "1/4"], ["no", "3/4"]]], ["x", [["yes", "0.75"], ["no", "0.25"]]]]'


def with_laws(laws):
    return replaced(KERNEL, (ROWS, laws))


def test_a_table_is_audited_like_any_mechanism(tmp_path):
    record = audited(tmp_path, KERNEL)
    assert record.verdict is Verdict.EXHAUSTED
    mechanism = answer(record, "mechanism")
    assert mechanism.detail == "the smallest budget is ln(3) ≈ 1.09861, needed by x = 0, x' = x"
    assert mechanism.scope.endswith("; kernel")
    refuted = audited(tmp_path, replaced(KERNEL, ("gamma = 3", 'gamma = "2.999999"')))
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.witness["event"] == ["'yes'"]


def test_a_table_over_a_schema_has_data_sets_as_arrays_of_records(tmp_path):
    text = replaced(
        KERNEL,
        ('data_sets = [0, "x"]', "schema = { v = [0, 1] }\nrecords = 1"),
        ('universes = [[0, "x"]]', "invariants = []"),
        (
            'name = "explicit"\nresolution = "record"\ndistances = [[0, "x", 1], ["x", 0, 1]]',
            'name = "hamming_unordered"\nresolution = "record"',
        ),
        (ROWS, '[[[[0]], [["yes", "1/4"], ["no", "3/4"]]], [[[1]], [["yes", "3/4"], ["no", "1/4"]]]]'),
    )
    assert audited(tmp_path, text).verdict is Verdict.EXHAUSTED


@pytest.mark.parametrize(
    ("first", "second", "event"),
    [
        ("true", "1", "1"),
        ("false", "0", "0"),
        ("1", '"1"', "'1'"),
        ("true", '"True"', "'True'"),
        ("[1]", "[true]", "(True,)"),
        ("[]", "[[]]", "((),)"),
    ],
)
def test_outputs_of_different_types_are_different_outputs(tmp_path, first, second, event):
    rows = f'[[0, [[{first}, "1/2"], [{second}, "1/2"]]], ["x", [[{first}, 1]]]]'
    record = audited(tmp_path, with_laws(rows))
    assert record.verdict is Verdict.REFUTED
    assert record.witness["event"] == [event]


@pytest.mark.parametrize(
    ("laws", "message"),
    [
        ('[[0, [["yes", 1]]]]', "mechanism.laws must have a law for every data set of the domain; 'x' has none"),
        ('[[0, [["yes", 1]]], [0, [["no", 1]]]]', r"mechanism.laws\[1\]: each data set must have one law; 0 has two"),
        ('[[1, [["yes", 1]]]]', r"laws\[0\]: the data set must be one of the domain; got 1"),
        ('[[false, [["yes", 1]]]]', r"laws\[0\]: the data set must be one of the domain; got False"),
        ('[["0", [["yes", 1]]]]', r"laws\[0\]: the data set must be one of the domain; got '0'"),
        ('[[0, [["yes", "1/2"], ["no", "1/3"]]]]', r"laws\[0\]: probabilities must sum to exactly 1; got 5/6"),
        ("[[0, []]]", r"laws\[0\]: probabilities must sum to exactly 1; got 0"),
        (
            '[[0, [["yes", "1/2"], ["yes", "1/2"]]]]',
            r"laws\[0\]\[1\]\[1\]: each output must be listed once; 'yes' is listed twice",
        ),
        ('[[0, [["yes", "3/2"], ["no", "-1/2"]]]]', r"laws\[0\]\[1\]\[0\] must be between 0 and 1; got 3/2"),
        ("[[0, [[{ a = 1 }, 1]]]]", r"laws\[0\]\[1\]\[0\] must be texts, integers or arrays of them; got a table"),
        ('[[0, ["yes", 1]]]', r"laws\[0\]\[1\]\[0\] must be \[output, probability\]; got 'yes'"),
        ("[[0, [[1]]]]", r"laws\[0\]\[1\]\[0\] must be \[output, probability\]; got \[1\]"),
        ("[[0, 1]]", r"laws\[0\] must be \[data set, \[\[output, probability\], ...\]\]; got \[0, 1\]"),
        ("3", r"mechanism.laws must be an array; got 3"),
        ("[[0, [[0, 0.5], [1, 0.5]]]]", r"must be an exact number; got the float 0.5: quote it, \"0.5\""),
    ],
)
def test_a_malformed_table_is_refused_with_its_place(tmp_path, laws, message):
    with pytest.raises(InputError, match=message) as caught:
        audited(tmp_path, with_laws(laws))
    assert "\n" not in str(caught.value)


def test_a_table_needs_a_finite_domain_and_its_laws(tmp_path):
    with pytest.raises(InputError, match=r"mechanism: a kernel needs a finite domain: margins, schema or data_sets"):
        audited(tmp_path, replaced(KERNEL, ('data_sets = [0, "x"]', 'description = "people"')))
    with pytest.raises(InputError, match=r"mechanism.laws: missing key"):
        audited(tmp_path, replaced(KERNEL, (f"laws = {ROWS}", "")))


def test_two_claims_about_one_table_are_compared(tmp_path, capsys):
    honest, claimed = tmp_path / "honest.toml", tmp_path / "claimed.toml"
    honest.write_text(KERNEL)
    claimed.write_text(replaced(KERNEL, ('"table"', '"weak"'), ('[[0, "x"]]', '[[0], ["x"]]'), ("= 3", "= 1")))
    assert main(["compare", str(honest), str(claimed)]) == 1
    assert "compare.kernel: NOTE: the kernel is identical on all 2 data sets" in capsys.readouterr().out
