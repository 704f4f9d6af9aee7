import json
import math
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from started import ALONE
from strategies import fractions, gammas, laws

from stirred.spec import Loss, Multiplicative, hockey_stick
from stirred.spec.numbers.enclosure import log
from stirred.verify.evidence.certificates.decimal_interval import Interval
from stirred.verify.evidence.certificates.replay import WitnessError, evaluate, main, replay

LOSS = {
    "kind": "loss",
    "x": [0],
    "x_prime": [1],
    "law": [["a", "3/4"], ["b", "1/4"]],
    "law_prime": [["a", "1/4"], ["b", "3/4"]],
    "event": ["a"],
    "probability": "3/4",
    "probability_prime": "1/4",
    "distance": "1",
    "gamma": "2",
    "gamma_root": 1,
    "delta": "0",
}


def loss_witness(p, q, event, *, gamma, delta, root=1, distance=1):
    return {
        **LOSS,
        "law": [[t, str(p[t])] for t in p],
        "law_prime": [[t, str(q[t])] for t in q],
        "event": list(event),
        "probability": str(sum((p[t] for t in event), Fraction(0))),
        "probability_prime": str(sum((q[t] for t in event), Fraction(0))),
        "distance": str(distance),
        "gamma": str(gamma),
        "gamma_root": root,
        "delta": str(delta),
    }


@given(laws(), laws(), st.tuples(gammas, st.integers(1, 3), st.integers(0, 3)), st.sets(st.integers(0, 3)))
def test_a_pure_witness_replays_iff_its_event_exceeds_the_bound(p, q, claimed, outcomes):
    gamma, root, distance = claimed
    event = outcomes & {*p, *q}
    a, b = (sum((law[t] for t in event), Fraction(0)) for law in (p, q))
    bound = Loss(gamma, root).times(distance)
    exceeds = a > 0 if b == 0 else a > b and Loss(a / b) > bound
    witness = loss_witness(p, q, event, gamma=gamma, root=root, distance=distance, delta=0)
    if exceeds:
        assert not Multiplicative().at_most(Multiplicative().distance(p, q), bound)
        assert "P_x(E)" in replay(witness)
    else:
        with pytest.raises(WitnessError, match="refutes nothing"):
            replay(witness)


@given(laws(), laws(), gammas, fractions(0, 1))
def test_an_approximate_witness_replays_iff_the_hockey_stick_exceeds_delta(p, q, gamma, delta):
    event = [t for t in p if p[t] > gamma * q[t]]
    witness = loss_witness(p, q, event, gamma=gamma, delta=delta)
    if delta < 1 and hockey_stick(p, q, gamma) > delta:
        assert replay(witness)
    else:
        with pytest.raises(WitnessError):
            replay(witness)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "lost"}, "kind must be"),
        ({"law": [["a", "3/4"]]}, "law must sum to exactly 1"),
        ({"law": [["a", "5/4"], ["b", "-1/4"]]}, "non-negative"),
        ({"law": [["a", "3/4"], ["a", "1/4"]]}, "twice"),
        ({"law": "a"}, "law must be a list"),
        ({"law": ["a"]}, "pairs"),
        ({"law": [["a", 0.75], ["b", "1/4"]]}, "exact number"),
        ({"law": [["a", None], ["b", "1"]]}, "exact number"),
        ({"probability": "1"}, "probability must be that of the event, 3/4"),
        ({"probability_prime": "1/2"}, "probability_prime must be"),
        ({"gamma": "3"}, "refutes nothing"),
        ({"gamma": "None"}, "gamma must be an exact number"),
        ({"gamma": "1/2"}, "gamma >= 1"),
        ({"gamma_root": 0}, "gamma_root"),
        ({"gamma_root": "a"}, "gamma_root"),
        ({"gamma_root": "1/2"}, "gamma_root"),
        ({"distance": "-1"}, "distance >= 0"),
        ({"distance": "None"}, "distance must be"),
        ({"distance": "1/0"}, "distance must be"),
        ({"distance": "1e99999999"}, "exponent"),
        ({"distance": "1e9"}, "refutes nothing"),
        ({"event": ["c"]}, "outcomes of the laws"),
        ({"event": ["a", "a"]}, "once"),
        ({"delta": "-1"}, "delta"),
        ({"delta": "1"}, "delta"),
        ({"delta": True}, "exact number"),
        ({"event": 3}, "event must be a list"),
    ],
)
def test_a_faulty_loss_witness_is_refused_in_one_line(change, message):
    replay(LOSS)
    with pytest.raises(WitnessError, match=message) as error:
        replay({**LOSS, **change})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("key", ["law", "law_prime", "event", "probability", "distance", "gamma", "gamma_root"])
def test_a_missing_key_is_named(key):
    with pytest.raises(WitnessError, match=key):
        replay({k: v for k, v in LOSS.items() if k != key})


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("factorial(5) == 120", True),
        ("comb(10, 3) == 120", True),
        ("derangements(6) == 265", True),
        ("derangements(1) > 0", False),
        ("2**-1 == 1/2", True),
        ("0.1 + 0.2 == 0.3", True),
        ("0.1000000000000000000000001 == 1/10", False),
        ("1e-30 > 0", True),
        ("-floor(-5/2) == 3", True),
        ("floor(5/2) >= 3", False),
        ("ln(9/8) > 1/10", True),
        ("ln(9/8) < 0.1178", True),
        ("exp(1) <= 2.718281828459045", False),
        ("sqrt(2)*sqrt(2) <= 1.9", False),
        ("floor(ln(20)) == 2", True),
        ("p*(1-p) <= 1/4", True),
    ],
)
def test_formulas_are_evaluated_exactly(formula, holds):
    assert evaluate(formula, {"p": Fraction(1, 3)})[0] is holds


@given(fractions(1, 10), fractions(1, 10))
def test_arithmetic_agrees_with_fractions(a, b):
    for text, value in [("a+b", a + b), ("a-b", a - b), ("a*b", a * b), ("a/b", a / b), ("a**3", a**3), ("-a", -a)]:
        assert evaluate(f"{text} == c", {"a": a, "b": b, "c": value})[0]
    assert evaluate("floor(a) == c", {"a": a, "c": Fraction(math.floor(a))})[0]


@pytest.mark.parametrize(
    "formula",
    [
        "1",
        "1 < 2 < 3",
        "1 != 2",
        "q < 1",
        "1 <",
        "__import__('os') < 1",
        "p.real < 1",
        "'0.5' < 1",
        "True < 2",
        "1j < 2",
        "2**p < 2",
        "2**99999 < 1",
        "comb(1) < 1",
        "comb(1, x=1) < 1",
        "factorial(1/2) < 1",
        "factorial(-1) < 1",
        "factorial(99999) < 1",
        "1/0 < 1",
        "0**-1 < 1",
        "7 // 2 < 1",
        "ln(0) < 1",
        "ln(-1) < 1",
        "sqrt(-1) < 1",
        "exp(10**9) < 1",
        "exp(ln(3)) == 3",
        "floor(exp(ln(3))) == 2",
        "1e99999999 < 1",
        "((9**10000)**10000) <= 1",
        "(9**10000)**7 * (9**10000)**7 <= 1",
        "-" * 100_000 + "1 > 0",
        "+".join("1" * 100_000) + " < 0",
        "+".join("1" * 1500) + " < 0",
        "exp(ln(10**400000)) <= 1",
        "lambda: 1",
        "\x00 < 1",
        3,
    ],
)
def test_what_is_not_in_the_language_or_too_close_is_refused_in_one_line(formula):
    with pytest.raises(WitnessError) as error:
        replay({"kind": "formula", "claimed": formula, "values": {"p": "1/3"}})
    assert "\n" not in str(error.value)


def test_a_formula_that_holds_refutes_nothing():
    with pytest.raises(WitnessError, match="holds"):
        replay({"kind": "formula", "claimed": "n < 3", "values": {"n": "2"}})


TRUE_STATEMENTS = [
    ("exp(200) - exp(100)*exp(100) == 0", {}),
    ("x*(ln(x+1) - ln(x)) >= 0.5", {"x": "1e90"}),
    ("x*(ln(x+1) - ln(x)) >= 0.5", {"x": "1e900"}),
    ("(big + ln(2)) - big - ln(2) == 0", {"big": "1e60"}),
]
"""True, and false in decimals of 80 digits whose rounding is left out of account."""


@pytest.mark.parametrize(("claimed", "values"), TRUE_STATEMENTS)
def test_a_true_statement_whose_digits_cancel_is_not_certified_as_false(claimed, values):
    with pytest.raises(WitnessError, match=r"too close to be told apart|the claimed inequality holds"):
        replay({"kind": "formula", "claimed": claimed, "values": values})


@given(st.integers(0, 1200), st.sampled_from([">=", ">", "<", "<=", "=="]), fractions(0, 2))
def test_no_cancellation_makes_a_true_statement_false(exponent, relation, constant):
    x, slope = 10**exponent, Fraction(1, 2 * 10**exponent)
    # 1 - 1/(2x) < x ln(1 + 1/x) < 1
    low, high = 1 - slope, Fraction(1)
    claimed = f"x*(ln(x+1) - ln(x)) {relation} c"
    truth = {
        ">=": low >= constant or (None if high > constant else False),
        ">": low >= constant or (None if high > constant else False),
        "<": high <= constant or (None if low < constant else False),
        "<=": high <= constant or (None if low < constant else False),
        "==": None if low < constant < high else False,
    }[relation]
    try:
        replay({"kind": "formula", "claimed": claimed, "values": {"x": str(x), "c": str(constant)}})
    except WitnessError:
        assert truth is not False or exponent > 390
    else:
        assert truth is not True


@pytest.mark.parametrize("relation", [">=", ">", "<", "<=", "=="])
@pytest.mark.parametrize("exponent", [0, 50, 100, 1000])
def test_equal_sides_with_logarithms_are_never_told_apart(relation, exponent):
    claimed = f"(big + ln(7)) - big - ln(7) {relation} 0"
    with pytest.raises(WitnessError, match="too close to be told apart"):
        replay({"kind": "formula", "claimed": claimed, "values": {"big": f"1e{exponent}"}})


@pytest.mark.parametrize("places", [30, 41, 70, 100, 700])
def test_a_bound_just_beyond_a_logarithm_is_refuted_and_one_just_within_holds(places):
    enclosure = log(3, digits=places + 5)
    below, above = enclosure.lower - Fraction(1, 10**places), enclosure.upper + Fraction(1, 10**places)
    for claimed in ("ln(3) <= below", "ln(3) >= above", "ln(3) == above"):
        values = {"below": str(below), "above": str(above)}
        assert replay({"kind": "formula", "claimed": claimed, "values": values}).startswith("false")
    assert evaluate("ln(3) >= below", {"below": below})[0]
    assert evaluate("ln(3) <= above", {"above": above})[0]


def test_a_root_of_a_square_is_exact():
    assert evaluate("sqrt(9)/2 == 1.5", {})[0]
    assert replay({"kind": "formula", "claimed": "sqrt(9)/2 < 1.5", "values": {}}).startswith("false")


@pytest.fixture
def shortest_limit():
    """Python's own limit on the digits of an integer's text, whatever an earlier test has set."""
    saved = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(4300)
    yield
    sys.set_int_max_str_digits(saved)


@pytest.mark.usefixtures("shortest_limit")
@pytest.mark.parametrize(
    ("claimed", "shown"),
    [
        ("factorial(2000) <= 1", "left 3.3162750924506332412E+5735, right 1"),
        ("1/factorial(2000) >= 1", "left 3.0154313864867837631E-5736, right 1"),
        ("7**9000 <= 1", "left 7.6271120789799924242E+7605"),
        ("x <= 1", "false at x = 1E+9999: x <= 1 (left 1E+9999, right 1)"),
        ("x*ln(2) <= 1", "left 6.9314718055994530942E+9998, right 1"),
    ],
)
def test_numbers_of_any_length_are_shown(claimed, shown):
    assert shown in replay({"kind": "formula", "claimed": claimed, "values": {"x": "1e9999"}})


@pytest.mark.usefixtures("shortest_limit")
@pytest.mark.parametrize(
    ("claimed", "message"),
    [
        ("7**9000 >= 1", r"holds: 7\.6"),
        ("factorial(7**9000) < 1", r"must be an integer of at most 10000; got 7\.6"),
        ("2**(7**9000) < 1", r"an exponent must be .*; got 7\.6"),
    ],
)
def test_what_is_wrong_with_a_long_number_is_said_in_one_line(claimed, message):
    with pytest.raises(WitnessError, match=message):
        replay({"kind": "formula", "claimed": claimed, "values": {}})


def test_a_large_root_of_a_budget_is_compared_by_logarithms():
    assert "2^(1/1000000000)" in replay({**LOSS, "gamma_root": 10**9})


@pytest.mark.parametrize("change", [{"gamma": "1"}, {"probability_prime": "0", "law_prime": [["b", "1"]]}])
def test_a_distance_that_does_not_matter_may_have_any_size(change):
    assert "^(1000000000)" in replay({**LOSS, **change, "distance": "1e9"})


def test_a_transcendental_side_is_shown_shortened():
    assert "left 0.1177830356" in replay({"kind": "formula", "claimed": "ln(9/8) <= 1/10", "values": {}})


def test_decimals_are_read_as_they_are_written():
    assert evaluate("x == 126.780000000000000000000001", {"x": Fraction("126.780000000000000000000001")})[0]
    assert isinstance(evaluate("ln(2) < 1", {})[1], Interval)


def test_a_decimal_beside_a_logarithm_is_shown_as_a_decimal():
    assert "right 0.9525)" in replay({"kind": "formula", "claimed": "1 - exp(-4) <= 381/400", "values": {}})


@pytest.mark.usefixtures("shortest_limit")  # which the command raises
class TestCommand:
    def run(self, tmp_path, capsys, content):
        file = tmp_path / "w.json"
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        status = main([str(file)])
        return status, *capsys.readouterr()

    def test_records_with_and_without_witness_are_read(self, tmp_path, capsys):
        records = [{"id": "a.b", "witness": LOSS}, {"id": "c.d", "witness": None}, LOSS]
        status, out, err = self.run(tmp_path, capsys, records)
        assert (status, err) == (1, "")
        assert out.splitlines()[0].startswith("witness 0: REFUTED: ")
        assert out.splitlines()[-1] == "2 replayed"

    @pytest.mark.parametrize("content", ["{", "[]", "3", [3], [{"witness": 3}], {"kind": "loss"}, [{"witness": None}]])
    def test_bad_files_exit_2_with_one_line(self, tmp_path, capsys, content):
        status, out, err = self.run(tmp_path, capsys, content)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1

    @pytest.mark.parametrize("opening", ["[", '{"a":', '{"witness": [', '[{"kind": "loss", "event": ['])
    def test_a_file_nested_too_deeply_exits_2_with_one_line(self, tmp_path, capsys, opening):
        status, out, err = self.run(tmp_path, capsys, opening * 200_000)
        assert (status, out) == (2, "")
        assert "cannot be read as JSON" in err
        assert err.count("\n") == 1

    @pytest.mark.parametrize("digits", [100, 4299, 4300, 5000, 20_000])
    def test_laws_of_long_probabilities_replay(self, tmp_path, capsys, digits):
        tiny = Fraction(1, 10**digits)
        p, q = {"a": 2 * tiny, "b": 1 - 2 * tiny}, {"a": tiny, "b": 1 - tiny}
        sys.set_int_max_str_digits(100_000)
        content = json.dumps(loss_witness(p, q, ["a"], gamma=Fraction(3, 2), delta=0))
        sys.set_int_max_str_digits(4300)
        status, out, err = self.run(tmp_path, capsys, content)
        assert (status, err) == (1, "")
        assert out.endswith("1 replayed\n")
        assert len(out) < 20_000

    def test_a_missing_file_and_no_file_exit_2(self, tmp_path, capsys):
        assert main([str(tmp_path / "none.json")]) == 2
        assert main([]) == 2
        assert "usage" in capsys.readouterr().err

    def test_replaying_needs_the_standard_library_only(self, tmp_path):
        file = tmp_path / "w.json"
        file.write_text(json.dumps(LOSS))
        code = (
            "import sys, runpy; sys.argv = ['replay', sys.argv[1]]\n"
            "try: runpy.run_module('stirred.verify.evidence.certificates.replay', run_name='__main__')\n"
            "except SystemExit as leaving: assert leaving.code == 1\n"
            "foreign = {n.split('.')[0] for n in sys.modules} - {*sys.stdlib_module_names, 'stirred', '__main__'}\n"
            "assert not foreign, foreign"
        )
        done = subprocess.run(
            [sys.executable, "-S", "-c", code, str(file)],
            env=ALONE,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
