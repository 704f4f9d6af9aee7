"""Claims are refuted by draws, or left open; a refutation has a witness of two laws that replays."""

import json
import sys
from fractions import Fraction

import pytest

from stirred.spec import InputError
from stirred.verify.audit.black_box.sampling import Sampling
from stirred.verify.audit.sampled import audit_sampled
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims

CLAIM = """\
id = "coins.answers"
statement = "The answers satisfy their budget for each person."
domain = { schema = { answer = [0, 1] }, records = 2, order = "ordered" }
multiverse = { invariants = [] }
input_premetric = { name = "hamming_ordered", resolution = "person" }
output_premetric = { name = "multiplicative" }
budget = { epsilon = "ln 3" }
mechanism = { function = "coins:answers", parameters = { flip = "1/4" } }
"""

CODE = """\
def answers(data, rng, *, flip):
    return [answer ^ int(rng.random() < flip) for (answer,) in data]
"""

PROGRAM = """\
import json, sys
for line in sys.stdin:
    print(json.dumps({"output": json.loads(line)["data"][0]}), flush=True)
"""


@pytest.fixture
def built(tmp_path):
    def build(*changes):
        (tmp_path / "coins.py").write_text(CODE)
        (tmp_path / "program.py").write_text(PROGRAM)
        text = CLAIM
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "claim.toml").write_text(text)
        (claim,) = read_claims([tmp_path / "claim.toml"])
        return build_claim(claim)

    return build


def audited(built, draws=4_000, **more):
    return audit_sampled(built, Sampling(draws=draws, seed=3, **more))


def test_a_budget_that_is_met_is_never_said_to_be(built):
    found = audited(built())
    assert found.record.verdict is Verdict.OPEN
    assert "not refuted with" in found.record.sentence
    assert "epsilon >= 0." in found.record.needed
    assert len(found.looks[0]) == 2


def test_a_leak_is_refuted_with_laws_that_replay(built):
    found = audited(built(('"1/4"', '"1/20"')))
    record = found.record
    assert record.verdict is Verdict.REFUTED
    assert "sampled: " in record.sentence
    assert "confidence 0.999999" in record.scope
    assert "seed 3" in record.scope
    witness = json.loads(json.dumps(record.witness))
    assert "P_x(E)" in replay(witness)
    assert {"draws": 500, "confidence": "0.999999"}.items() <= witness["sampled"].items()
    assert len(found.looks[0]) == 1  # it stops early


@pytest.mark.parametrize(
    ("measure", "met", "exceeded"),
    [
        ('{ name = "multiplicative" }', '{ gamma = "3" }', '{ gamma = "2" }'),
        ('{ name = "approximate_multiplicative", delta = "1/10" }', '{ epsilon = "1" }', '{ epsilon = "0.5" }'),
        ('{ name = "normalized_renyi" }', '{ rho_squared = "0.6" }', '{ rho_squared = "0.2" }'),
        ('{ name = "total_variation" }', '{ epsilon = "1/2" }', '{ epsilon = "2/5" }'),
    ],
)
def test_each_premetric_is_refuted_beyond_its_budget_only(built, measure, met, exceeded):
    for budget, verdict in ((met, Verdict.OPEN), (exceeded, Verdict.REFUTED)):
        claim = built(('{ name = "multiplicative" }', measure), ('{ epsilon = "ln 3" }', budget))
        found = audited(claim)
        assert found.record.verdict is verdict
        if verdict is Verdict.REFUTED:
            replay(json.loads(json.dumps(found.record.witness)))


def test_a_curve_is_refuted_at_a_point_above_it(built):
    for power, verdict in (("3/4", Verdict.OPEN), ("1/2", Verdict.REFUTED)):
        claim = built(
            ('{ name = "multiplicative" }', '{ name = "tradeoff" }'),
            ('{ epsilon = "ln 3" }', f'{{ curve = [[0, 0], ["1/4", "{power}"], [1, 1]] }}'),
            ("records = 2", "records = 1"),
        )
        assert audited(claim).record.verdict is verdict


def test_a_program_is_sampled_and_never_computed(built):
    claim = built(
        (
            '{ function = "coins:answers", parameters = { flip = "1/4" } }',
            f'{{ command = ["{sys.executable}", "program.py"] }}',
        )
    )
    assert claim.mechanism.function is None
    found = audited(claim)
    assert found.record.verdict is Verdict.REFUTED
    assert found.looks[0][0].inside in (0, 500)


def test_a_mechanism_of_the_catalogue_and_a_source_are_drawn_from(built):
    claim = built(
        (
            '{ function = "coins:answers", parameters = { flip = "1/4" } }',
            '{ name = "randomized-response", flip_probability = "1/100" }',
        )
    )
    assert audited(claim).record.verdict is Verdict.REFUTED


def test_every_setting_is_sampled_and_one_refutes(built, tmp_path):
    text = """\
id = "swapping.rates"
statement = "Swapping satisfies epsilon = 1 at both rates."
domain = { margins = [{ rows = [2, 1], columns = [1, 2] }] }
multiverse = { invariants = ["swapping"] }
input_premetric = { name = "hamming_unordered", resolution = "record" }
output_premetric = { name = "multiplicative" }
budget = { epsilon = ["3", "0.1"] }
mechanism = { name = "permutation-swapping", swap_rate = ["1/2", "1/4"] }
"""
    (tmp_path / "swap.toml").write_text(text)
    (claim,) = read_claims([tmp_path / "swap.toml"])
    found = audited(build_claim(claim))
    assert [len(looks) for looks in found.looks] == [2, 1]
    assert found.record.verdict is Verdict.REFUTED
    assert {look.error for looks in found.looks for look in looks} <= {
        Fraction(1, 2 * 10**6) / share for share in (2, 4)
    }


def test_a_run_goes_on_where_it_stopped_and_ends_as_it_would_have(built, tmp_path):
    claim, file = built(), str(tmp_path / "looks.json")
    whole = audited(claim)
    assert audited(claim, resume=file).looks == whole.looks
    kept = json.loads((tmp_path / "looks.json").read_text())
    kept["looks"]["0"] = kept["looks"]["0"][:1]
    (tmp_path / "looks.json").write_text(json.dumps(kept))
    assert audited(claim, resume=file).looks == whole.looks
    with pytest.raises(InputError, match="another claim, seed, confidence or draws"):
        audited(claim, draws=2_000, resume=file)
    (tmp_path / "looks.json").write_text("{}")
    with pytest.raises(InputError, match="must be a file that --resume wrote"):
        audited(claim, resume=file)


def test_a_generator_that_begins_anew_is_not_gone_on_with(built, tmp_path):
    claim, file = built(('answers"', 'fixed"')), str(tmp_path / "looks.json")
    code = "import numpy\nRNG = numpy.random.default_rng({})\ndef fixed(data, flip=None):\n    return RNG.random()\n"
    (tmp_path / "coins.py").write_text(code.format(1))
    first = audited(claim, resume=file)
    with pytest.raises(InputError, match="starts again in every run"):
        audited(claim, resume=file)
    (tmp_path / "coins.py").write_text(code.format(""))
    assert audited(claim, resume=file).looks == first.looks


def test_what_has_no_draws_is_refused(built):
    refused = [
        (
            [
                (
                    '{ function = "coins:answers", parameters = { flip = "1/4" } }',
                    '{ name = "composition", parts = { a = "1" } }',
                )
            ],
            "has no program",
        ),
        ([('"1/4"', '"symbol"')], "a number for each parameter"),
        (
            [('{ schema = { answer = [0, 1] }, records = 2, order = "ordered" }', '{ description = "people" }')],
            "must list its data sets",
        ),
    ]
    for changes, message in refused:
        with pytest.raises(InputError, match=message):
            audited(built(*changes))


def test_a_mechanism_that_answers_too_late_is_refused(built, tmp_path):
    claim = built()
    (tmp_path / "coins.py").write_text("import time\ndef answers(data, rng, *, flip):\n    time.sleep(9)\n")
    with pytest.raises(InputError, match="no look was finished within 1 s"):
        audited(claim, seconds=1)


def test_numbers_of_a_sampling_are_checked():
    for wrong in ({"draws": 0}, {"confidence": Fraction(1)}, {"seed": -1}, {"jobs": 0}, {"digits": 0}):
        with pytest.raises(InputError):
            Sampling(**wrong)
    assert Sampling().seed is not None
