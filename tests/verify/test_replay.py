import json
import math
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import fractions, gammas, laws

from spec import Loss, Multiplicative, hockey_stick
from verify.replay import WitnessError, evaluate, main, replay

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
def test_a_pure_witness_replays_iff_its_event_exceeds_the_bound(p, q, claimed, event):
    gamma, root, distance = claimed
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
        ({"law": ["a"]}, "loss witness"),
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
        ({"delta": "-1"}, "delta"),
        ({"delta": "1"}, "delta"),
        ({"delta": True}, "exact number"),
        ({"event": 3}, "loss witness"),
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


def test_a_transcendental_side_is_shown_shortened():
    assert "left 0.1177830356" in replay({"kind": "formula", "claimed": "ln(9/8) <= 1/10", "values": {}})


def test_decimals_are_read_as_they_are_written():
    assert evaluate("x == 126.780000000000000000000001", {"x": Fraction("126.780000000000000000000001")})[0]
    assert isinstance(evaluate("ln(2) < 1", {})[1], Decimal)


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
        assert out.splitlines()[0].startswith("a.b: REFUTED: ")
        assert out.splitlines()[-1] == "2 replayed"

    @pytest.mark.parametrize("content", ["{", "[]", "3", [3], [{"witness": 3}], {"kind": "loss"}, [{"witness": None}]])
    def test_bad_files_exit_2_with_one_line(self, tmp_path, capsys, content):
        status, out, err = self.run(tmp_path, capsys, content)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1

    def test_a_missing_file_and_no_file_exit_2(self, tmp_path, capsys):
        assert main([str(tmp_path / "none.json")]) == 2
        assert main([]) == 2
        assert "usage" in capsys.readouterr().err

    def test_replaying_needs_the_standard_library_only(self, tmp_path):
        file = tmp_path / "w.json"
        file.write_text(json.dumps(LOSS))
        code = (
            "import sys, runpy; sys.argv = ['replay', sys.argv[1]]\n"
            "try: runpy.run_module('verify.replay', run_name='__main__')\n"
            "except SystemExit as leaving: assert leaving.code == 1\n"
            "foreign = {n.split('.')[0] for n in sys.modules} - set(sys.stdlib_module_names) - {'verify', '__main__'}\n"
            "assert not foreign, foreign"
        )
        done = subprocess.run(
            [sys.executable, "-S", "-c", code, str(file)], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
