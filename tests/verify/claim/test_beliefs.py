"""A claim file can state Pufferfish: what the auditor finds, and what it refuses in one line."""

import textwrap
from pathlib import Path

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.audit.audit import audit
from stirred.verify.audit.compared_claims import ComparedClaims
from stirred.verify.certificates.replay import replay
from stirred.verify.claim.read import build_claim
from stirred.verify.claim.text import read_claims
from stirred.verify.commands import audit as audit_help
from stirred.verify.evidence.verdict import Verdict

CLAIMS = Path(__file__).parents[2] / "claims"
TEXT = (CLAIMS / "pufferfish.toml").read_text()
WELL = '"first is well" = [[["well"], ["well"]], [["well"], ["ill"]]]'
PAIRS = 'pairs = [["first is ill", "first is well"]]'
KERNEL = """name = "kernel"
laws = [
  [[["well"], ["well"]], [["no", "3/4"], ["yes", "1/4"]]],
  [[["well"], ["ill"]], [["no", "1/2"], ["yes", "1/2"]]],
  [[["ill"], ["well"]], [["no", "1/2"], ["yes", "1/2"]]],
  [[["ill"], ["ill"]], [["no", "1/4"], ["yes", "3/4"]]],
]
"""
OWN = 'function = "own_mechanisms:flipped_states"\nparameters = { flip = "1/4" }\n'


def built(tmp_path, *changes, text=None):
    """The claim of the example with some of its text replaced."""
    text = TEXT.replace(OWN, KERNEL) if text is None else text
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "claim.toml").write_text(text)
    (claim,) = read_claims([tmp_path / "claim.toml"])
    return build_claim(claim)


def answers(record):
    return {answer.question: answer.evidence for answer in record.answers}


def test_the_example_is_met_and_names_the_worst_attacker_and_conjectures():
    (claim,) = read_claims([CLAIMS / "pufferfish.toml"])
    record = audit(build_claim(claim))
    assert record.verdict is Verdict.EXHAUSTED
    assert record.needed == "ln(9) ≈ 2.19722, by x = contagion | first is ill, x' = contagion | first is well"


def test_a_smaller_budget_is_refuted_at_that_pair_by_a_witness_that_replays(tmp_path):
    """Given contagion, yes has probability 3/4 if the first is ill, else 1/4; given independence 9/16 and 5/16."""
    record = audit(built(tmp_path, ("gamma = 9", "gamma = 2")))
    assert record.verdict is Verdict.REFUTED
    assert "x = contagion | first is " in record.sentence
    assert "P[E | x] = 3/4 > 2 * 1/4" in record.sentence
    assert replay(record.witness)


def test_the_exact_budget_is_met_and_certified(tmp_path):
    record = audit(built(tmp_path, ("gamma = 9", "gamma = 3"), ("ninefold", "threefold")), is_certified=True)
    assert record.verdict is Verdict.EXHAUSTED
    assert record.certificates[0]["verdict"] == {"met": True}


def test_what_is_not_covered_is_said(tmp_path):
    found = answers(audit(built(tmp_path)))
    assert "2 parts of the graph, which no path joins" in found["vacuity"].detail
    assert "an attacker with another prior than those listed" in found["outside"].detail
    assert "not looked for" in found["weakening"].detail


def test_a_pair_that_is_left_out_is_said(tmp_path):
    claim = built(
        tmp_path,
        (WELL, '"first is well" = [[["well"], ["ill"]]]'),
        ("[domain.att", 'undefined = "left out"\n[domain.att'),
    )
    found = answers(audit(claim))
    assert "pairs with undefined conditionals are left out: contagion given first is well" in found["outside"].detail
    assert "every pair of the 2 beliefs" in found["vacuity"].scope


def test_a_pair_of_a_conjecture_with_itself_asks_for_nothing(tmp_path):
    record = audit(built(tmp_path, (WELL, ""), (PAIRS, 'pairs = [["first is ill", "first is ill"]]')))
    assert record.verdict is Verdict.OPEN
    assert answers(record)["vacuity"].detail.startswith("vacuous, so every mechanism satisfies it")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"9/16"', '"1/2"', "domain.attackers.independent: probabilities must sum to exactly 1; got 15/16"),
        ('"9/16"', "0.5625", "domain.attackers.independent[0][1] must be an exact number; got the float 0.5625"),
        ('"9/16"', '"-9/16"', "domain.attackers.independent[0] must be between 0 and 1; got -9/16"),
        ('[[["well"], ["ill"]], "3/16"]', '[[["well"], ["well"]], "3/16"]', "each data set must have one probability"),
        ('[[["well"], ["ill"]], "3/16"]', '[[["well"], ["il"]], "3/16"]', "the data set must be one of the domain"),
        ('[[["well"], ["ill"]], "3/16"]', '"3/16"', "[1] must be [data set, probability]; got '3/16'"),
        (WELL, '"first is well" = [[["well"], ["ill"]]]', "attacker 'contagion' given 'first is well' is undefined"),
        (WELL, WELL.replace('[["well"], ["ill"]]]', '[["well"], ["well"]]]'), "must not list a data set twice"),
        (WELL, f'{WELL}\nother = [[["ill"], ["ill"]]]', "every conjecture must be in a pair"),
        (PAIRS, "pairs = []", "must have at least one pair of competing conjectures; got none"),
        (PAIRS, "", "input_premetric.pairs: missing key"),
        (PAIRS, 'pairs = [["first is ill", "well"]]', "pairs must name conjectures; 'well' is none"),
        (PAIRS, 'pairs = [["first is ill"]]', "pairs[0] must be two names of conjectures; got ['first is ill']"),
        ("invariants = []", 'invariants = ["size"]', "must be invariants = [] for the input premetric 'pufferfish'"),
        ('name = "pufferfish"', 'name = "hamming_ordered"', "attackers belongs to the input premetric 'pufferfish'"),
        ("laws = [", 'symmetry = ["records"]\nlaws = [', "symmetry must stand with data sets that are tuples"),
    ],
)
def test_bad_input_is_one_line_that_names_its_place(tmp_path, old, new, message):
    with pytest.raises(InputError) as refused:
        built(tmp_path, (old, new))
    assert str(refused.value).startswith(f"{tmp_path / 'claim.toml'}: ")
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_pairs_belong_to_the_premetric(tmp_path):
    start, rest = TEXT.replace(OWN, KERNEL).split("[domain.attackers]")
    text = start + "[multiverse]" + rest.split("[multiverse]")[1].replace('"pufferfish"', '"hamming_ordered"')
    with pytest.raises(InputError, match="pairs belongs to the input premetric 'pufferfish'"):
        built(tmp_path, text=text)


def test_beliefs_need_listed_data_sets(tmp_path):
    schema = 'schema = { state = ["well", "ill"] }\nrecords = 2\norder = "ordered"\n'
    with pytest.raises(InputError, match="schema or data_sets must be given for the input premetric 'pufferfish'"):
        built(tmp_path, (schema, 'description = "patients"\n'), (KERNEL, 'name = "constant"\n'))


def test_the_example_of_the_help_needs_nine_because_of_the_twins(tmp_path):
    """Both answers tell of one person: the ratio 3 of each answer is squared."""
    both = audit_help._EPILOG.split("may not tell apart:\n\n")[1].split("\n\n")[0]
    rest = TEXT[TEXT.index("[multiverse]") : TEXT.index("[input_premetric]")]
    last = TEXT[TEXT.index("[output_premetric]") : TEXT.index("[mechanism]")]
    text = f"{TEXT.split('[domain]')[0]}{textwrap.dedent(both)}\n{rest}{last}[mechanism]\n"
    claim = built(tmp_path, text=f'{text}name = "randomized-response"\nflip_probability = "1/4"\n')
    assert audit(claim).needed == "ln(9) ≈ 2.19722, by x = twins | first is 1, x' = twins | first is 0"


def test_every_value_of_a_parameter_is_decided(tmp_path):
    """Given contagion both answers tell: ((1 - flip)/flip)^2, which is 9 at 1/4."""
    (tmp_path / "own_mechanisms.py").write_text((CLAIMS / "own_mechanisms.py").read_text())
    record = audit(built(tmp_path, ('flip = "1/4"', 'flip = "symbol in [1/4, 1/2]"'), text=TEXT))
    assert record.verdict is Verdict.DECIDED


def test_noise_without_bounds_is_refused(tmp_path):
    code = "def noisy(patients, source):\n    return source.discrete_laplace(source.ratio)\n"
    (tmp_path / "noise.py").write_text(code.replace("source.ratio", "__import__('fractions').Fraction(1, 2)"))
    claim = built(tmp_path, (KERNEL, 'function = "noise:noisy"\n'))
    with pytest.raises(InputError, match="beliefs mix the laws of data sets, which must be exact and finite"):
        audit(claim)


def test_beliefs_are_not_compared_with_data_sets(tmp_path):
    one = built(tmp_path)
    with pytest.raises(InputError, match="must be about data sets to be compared; its domain is beliefs about them"):
        ComparedClaims.of(one, one)


def test_a_multiverse_in_words_leaves_the_claim_undecided(tmp_path):
    assert audit(built(tmp_path, ("invariants = []", 'description = "all beliefs"'))).verdict is Verdict.OPEN
