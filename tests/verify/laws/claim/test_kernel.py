"""Claims about a table of laws that the file itself states.

A claim file can state Pufferfish: what the auditor finds, and what it refuses in one line.
"""

import pytest
from claim_texts import CLAIMS, answer, audited, built, replaced

from stirred.spec import InputError
from stirred.verify.audit.audit import audit
from stirred.verify.audit.compared_claims import ComparedClaims
from stirred.verify.cli.main import main
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claim

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


TEXT = (CLAIMS / "pufferfish.toml").read_text()
WELL = '"first is well" = [[["well"], ["well"]], [["well"], ["ill"]]]'
PAIRS = 'pairs = [["first is ill", "first is well"]]'

FLIPPED = """name = "kernel"
laws = [
  [[["well"], ["well"]], [["no", "3/4"], ["yes", "1/4"]]],
  [[["well"], ["ill"]], [["no", "1/2"], ["yes", "1/2"]]],
  [[["ill"], ["well"]], [["no", "1/2"], ["yes", "1/2"]]],
  [[["ill"], ["ill"]], [["no", "1/4"], ["yes", "3/4"]]],
]
"""

OWN = 'function = "own_mechanisms:flipped_states"\nparameters = { flip = "1/4" }\n'
TABLED = TEXT.replace(OWN, FLIPPED)


def stated(tmp_path, *changes, text=TABLED):
    """The claim of the example with some of its text replaced."""
    return built(tmp_path, replaced(text, *changes))


def answers(record):
    return {answer.question: answer.evidence for answer in record.answers}


def test_the_example_is_met_and_names_the_worst_attacker_and_conjectures():
    record = audit(build_claim(read_claim(CLAIMS / "pufferfish.toml")))
    assert record.verdict is Verdict.EXHAUSTED
    assert record.needed == "ln(9) ≈ 2.19722, by x = contagion | first is ill, x' = contagion | first is well"


def test_a_smaller_budget_is_refuted_at_that_pair_by_a_witness_that_replays(tmp_path):
    """Given contagion, yes has probability 3/4 if the first is ill, else 1/4; given independence 9/16 and 5/16."""
    record = audit(stated(tmp_path, ("gamma = 9", "gamma = 2")))
    assert record.verdict is Verdict.REFUTED
    assert "x = contagion | first is " in record.sentence
    assert "P[E | x] = 3/4 > 2 * 1/4" in record.sentence
    assert replay(record.witness)


def test_the_exact_budget_is_met_and_certified(tmp_path):
    record = audit(stated(tmp_path, ("gamma = 9", "gamma = 3"), ("ninefold", "threefold")), is_certified=True)
    assert record.verdict is Verdict.EXHAUSTED
    assert record.certificates[0]["verdict"] == {"met": True}


def test_what_is_not_covered_is_said(tmp_path):
    found = answers(audit(stated(tmp_path)))
    assert "2 parts of the graph, which no path joins" in found["vacuity"].detail
    assert "attackers with other priors" in found["outside"].detail
    assert "not searched" in found["weakening"].detail


def test_a_pair_that_is_left_out_is_said(tmp_path):
    claim = stated(
        tmp_path,
        (WELL, '"first is well" = [[["well"], ["ill"]]]'),
        ("[domain.att", 'undefined = "left out"\n[domain.att'),
    )
    found = answers(audit(claim))
    assert "pairs with undefined conditionals (contagion given first is well)" in found["outside"].detail
    assert "every pair of the 2 beliefs" in found["vacuity"].scope


def test_a_pair_of_a_conjecture_with_itself_asks_for_nothing(tmp_path):
    record = audit(stated(tmp_path, (WELL, ""), (PAIRS, 'pairs = [["first is ill", "first is ill"]]')))
    assert record.verdict is Verdict.OPEN
    assert answers(record)["vacuity"].detail.startswith("vacuous, so every mechanism satisfies it")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"9/16"', '"1/2"', "domain.attackers.independent: probabilities must sum to exactly 1; got 15/16"),
        ('"9/16"', "0.5625", "domain.attackers.independent[0][1] must be an exact number; got the float 0.5625"),
        ('"9/16"', '"-9/16"', "domain.attackers.independent[0] must be between 0 and 1; got -9/16"),
        ('[[["well"], ["ill"]], "3/16"]', '[[["well"], ["well"]], "3/16"]', "each data set must have one probability"),
        ('[[["well"], ["ill"]], "3/16"]', '[[["well"], ["il"]], "3/16"]', "is not in the domain"),
        ('[[["well"], ["ill"]], "3/16"]', '"3/16"', "[1] must be [data set, probability]; got '3/16'"),
        (WELL, '"first is well" = [[["well"], ["ill"]]]', "attacker 'contagion' given 'first is well' is undefined"),
        (WELL, WELL.replace('[["well"], ["ill"]]]', '[["well"], ["well"]]]'), "has duplicate data sets"),
        (WELL, f'{WELL}\nother = [[["ill"], ["ill"]]]', "every conjecture must be in a pair"),
        (PAIRS, "pairs = []", "must have at least one pair of competing conjectures; got none"),
        (PAIRS, "", "input_premetric.pairs: missing key"),
        (PAIRS, 'pairs = [["first is ill", "well"]]', "pairs must name conjectures; 'well' is none"),
        (PAIRS, 'pairs = [["first is ill"]]', "pairs[0] must be two names of conjectures; got ['first is ill']"),
        ("invariants = []", 'invariants = ["size"]', "must be invariants = [] for the input premetric 'pufferfish'"),
        ('name = "pufferfish"', 'name = "hamming_ordered"', "attackers belongs to the input premetric 'pufferfish'"),
        ("laws = [", 'symmetry = ["records"]\nlaws = [', "symmetry requires data sets that are tuples"),
    ],
)
def test_bad_input_is_one_line_that_names_its_place(tmp_path, old, new, message):
    with pytest.raises(InputError) as refused:
        stated(tmp_path, (old, new))
    assert str(refused.value).startswith(f"{tmp_path / 'claim.toml'}: ")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_pairs_belong_to_the_premetric(tmp_path):
    start, rest = TABLED.split("[domain.attackers]")
    text = start + "[multiverse]" + rest.split("[multiverse]")[1].replace('"pufferfish"', '"hamming_ordered"')
    with pytest.raises(InputError, match="pairs belongs to the input premetric 'pufferfish'"):
        stated(tmp_path, text=text)


def test_beliefs_need_listed_data_sets(tmp_path):
    schema = 'schema = { state = ["well", "ill"] }\nrecords = 2\norder = "ordered"\n'
    with pytest.raises(InputError, match="schema or data_sets must be given for the input premetric 'pufferfish'"):
        stated(tmp_path, (schema, 'description = "patients"\n'), (FLIPPED, 'name = "constant"\n'))


TWINS = """\
[domain]
data_sets = [[0, 0], [0, 1], [1, 0], [1, 1]]
conjectures = { "first is 1" = [[1, 0], [1, 1]], "first is 0" = [[0, 0], [0, 1]] }
[domain.attackers]
strangers = [[[0, 0], "1/4"], [[0, 1], "1/4"], [[1, 0], "1/4"], [[1, 1], "1/4"]]
twins = [[[0, 0], "3/4"], [[1, 1], "1/4"]]
[input_premetric]
name = "pufferfish"
pairs = [["first is 1", "first is 0"]]
"""


def test_twins_among_the_attackers_need_nine(tmp_path):
    """Both answers tell of one person: the ratio 3 of each answer is squared."""
    rest = TEXT[TEXT.index("[multiverse]") : TEXT.index("[input_premetric]")]
    last = TEXT[TEXT.index("[output_premetric]") : TEXT.index("[mechanism]")]
    text = f"{TEXT.split('[domain]')[0]}{TWINS}{rest}{last}[mechanism]\n"
    claim = stated(tmp_path, text=f'{text}name = "randomized-response"\nflip_probability = "1/4"\n')
    assert audit(claim).needed == "ln(9) ≈ 2.19722, by x = twins | first is 1, x' = twins | first is 0"


def test_every_value_of_a_parameter_is_decided(tmp_path):
    """Given contagion both answers tell: ((1 - flip)/flip)^2, which is 9 at 1/4."""
    (tmp_path / "own_mechanisms.py").write_text((CLAIMS / "own_mechanisms.py").read_text())
    record = audit(stated(tmp_path, ('flip = "1/4"', 'flip = "symbol in [1/4, 1/2]"'), text=TEXT))
    assert record.verdict is Verdict.DECIDED


def test_noise_without_bounds_is_refused(tmp_path):
    code = "def noisy(patients, source):\n    return source.discrete_laplace(source.ratio)\n"
    (tmp_path / "noise.py").write_text(code.replace("source.ratio", "__import__('fractions').Fraction(1, 2)"))
    claim = stated(tmp_path, (FLIPPED, 'function = "noise:noisy"\n'))
    with pytest.raises(InputError, match="beliefs mix the laws of data sets, which must be exact and finite"):
        audit(claim)


def test_beliefs_are_not_compared_with_data_sets(tmp_path):
    one = stated(tmp_path)
    with pytest.raises(InputError, match="must be about data sets to be compared; its domain is beliefs about them"):
        ComparedClaims.of(one, one)


def test_a_multiverse_in_words_leaves_the_claim_undecided(tmp_path):
    assert audit(stated(tmp_path, ("invariants = []", 'description = "all beliefs"'))).verdict is Verdict.OPEN
