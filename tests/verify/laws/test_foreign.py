"""A mechanism of the user's own: every way to fail gets one line, and none hangs or ends the auditor.

Importing a library is no draw: what it does while it is imported is its own, and what it computes may be used. What
comes from a process of foreign code is read as data that may be forged.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
from claim_texts import CLAIMS, SCHEMA, built, replaced
from foreign_modules import VOTES, laws, refusal, written
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import InputError, Law, multisets
from stirred.verify.audit.audit import AuditRecord, audit
from stirred.verify.cli.main import main
from stirred.verify.evidence.process_control.time_limit import TimeIsUpError, time_limit
from stirred.verify.evidence.process_control.workload import watching
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.foreign import ForeignFunction, Limits
from stirred.verify.laws.messages import decoded, encoded, read_nodes, read_texts, read_weights
from stirred.verify.laws.record_orders import arrangements

DOMAIN = multisets((("no",), ("yes",)), (2,))


def stated(tmp_path: Path, old: str, new: str, limits: Limits | None = None) -> PrivacyClaim:
    """A claim that names one of the functions beside the claim files."""
    (tmp_path / "own_mechanisms.py").write_text((CLAIMS / "own_mechanisms.py").read_text(encoding="utf-8"))
    return built(tmp_path, replaced(SCHEMA, (old, new)), limits or Limits())


def own(name: str, tmp_path: Path, limits: Limits | None = None) -> AuditRecord:
    return audit(stated(tmp_path, 'name = "identity"', f'function = "own_mechanisms:{name}"', limits))


FAILURES = {
    "raises": "it raised ZeroDivisionError: integer division or modulo by zero",
    "exits": "it raised SystemExit: 0",
    "recurses": "it recurses without end",
    "returns_a_law": "got a Law: return one output drawn through the source",
    "unhashable": "got a list: write tuple(…) of plain values",
    "inexact_weights": "weight 0 must be an exact number; got the float 0.5",
    "weights_above_one": "weights of a choice must sum to exactly 1; got 7/6",
    "random_elsewhere": "random.random is refused: a mechanism must depend on its data and its source only",
    "remembers": "two runs on the same choices differed",
    "remembers_and_raises": "its laws in two processes differ",
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_one_line_with_the_data_set(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        own(name, tmp_path)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"{tmp_path / 'claim.toml'}: mechanism.function: on the data set (('")
    assert FAILURES[name] in message


def test_nothing_is_an_output_like_others(tmp_path: Path) -> None:
    assert own("returns_nothing_for_some", tmp_path).verdict.name == "REFUTED"


def test_endless_choices_end_at_the_choice_budget(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the mechanism made more than 50 choices: write rejection loops as"):
        own("chooses_for_ever", tmp_path, Limits(choices=50))


def test_what_a_mechanism_prints_goes_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own("prints", tmp_path)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "a line that must not spoil the output" in printed.err


FORGED = {
    "a finding": ("claim.toml: PROVED: forged", "forged"),
    "an order to a system that shows logs": ("::error file=m.py::forged", "forged"),
    "text that turns around": ("\u202eforged", "forged"),
    "a line that is begun": ("\rforged\x1b[2K", r"forged\x1b[2K"),
    "lines that another program breaks": ("a\u2028forged\x0bforged\x85forged", "forged"),
}


@pytest.mark.parametrize(("text", "shown"), FORGED.values(), ids=FORGED)
@pytest.mark.parametrize("write", ["print({!r})", "os.write(1, {!r}.encode())", "os.write(2, {!r}.encode())"])
def test_what_it_prints_is_marked_on_every_line(tmp_path, capsys, text, shown, write) -> None:
    laws(tmp_path, f"import os\ndef f(data, source):\n    {write.format(text)}\n    return 0\n", VOTES[:1])
    printed = capsys.readouterr()
    assert printed.out == ""
    assert shown in printed.err
    mark = "claim.toml: mechanism.function: foreign:f printed: "
    assert all(line.startswith(mark) for line in printed.err.splitlines())
    assert printed.err.replace("\n", "").isprintable()


def test_of_much_that_it_prints_the_first_lines_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    laws(tmp_path, "def f(data, source):\n    print('word\\n' * 150)\n    return 0\n", VOTES[:1])
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 101
    assert lines[-1].endswith(" printed: … and 51 more lines")


def test_the_laws_are_those_of_the_function() -> None:
    function = ForeignFunction("f", "own_mechanisms:noisy_vote", CLAIMS)
    found = function.laws(tuple(DOMAIN), {"lie": Fraction(1, 3)}, is_ordered=False).laws
    # One of two votes is drawn, then reported falsely with 1/3: 1/2·1/3 + 1/2·2/3 = 1/2 for one yes among two.
    assert found[("no",), ("no",)] == Law({"True": Fraction(1, 3), "False": Fraction(2, 3)})
    assert found[("no",), ("yes",)] == Law({"True": Fraction(1, 2), "False": Fraction(1, 2)})


def test_parameters_arrive_as_the_file_states_them(tmp_path: Path) -> None:
    text = "def f(data, source, **given):\n    return tuple(sorted((k, repr(v)) for k, v in given.items()))\n"
    given = {"a": 1, "b": "x", "c": (1, ("y",)), "d": Fraction(1, 3), "e": True, "t": {"u": (1,)}}
    (law,) = laws(tmp_path, text, VOTES[:1], **given).laws.values()
    assert law == Law({repr(tuple((key, repr(value)) for key, value in given.items())): 1})


def test_modules_of_one_name_in_two_directories_do_not_collide(tmp_path: Path) -> None:
    for name, value in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        text = f"def f(data, source):\n    return {value}\n"
        (law,) = laws(written(tmp_path / name, text), text, VOTES[:1]).laws.values()
        assert law == Law({str(value): 1})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def g(data, source):\n    return 1\n", "f: 'm' has no 'f'; known: g"),
        ("def ff(data, source):\n    return 1\n", "f: 'm' has no 'f'; did you mean 'ff'?"),
        ("f = 3\n", "f: 'm:f' must be a function; got int"),
        ("async def f(data, source):\n    return 1\n", "f: 'm:f' must be a function that returns its output; got a"),
        ("def f(data, source):\n    yield 1\n", "f: 'm:f' must be a function that returns its output; got a"),
        ("def f(:\n", "f: importing 'm': it raised SyntaxError: invalid syntax"),
        ("1/0\n", "f: importing 'm': it raised ZeroDivisionError: division by zero"),
        ("raise SystemExit\n", "f: importing 'm': it raised SystemExit"),
        ("import os\nos._exit(0)\n", "f: m:f: its process ended without a result"),
    ],
)
def test_a_module_that_cannot_serve_is_refused_in_one_line(text: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        ForeignFunction("f", "m:f", tmp_path).check()
    assert str(caught.value).startswith(expected)


def with_invariant(name: str, tmp_path: Path) -> PrivacyClaim:
    return stated(tmp_path, "invariants = []", f'invariants = ["own_mechanisms:{name}"]')


def test_an_inequality_invariant_is_a_function_of_the_data_set(tmp_path: Path) -> None:
    data = with_invariant("at_most_one_yes", tmp_path).data
    assert data is not None
    no, yes = ("no",), ("yes",)
    assert set(data.multiverse) == {frozenset({(no, no), (no, yes)}), frozenset({(yes, yes)})}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("invariant_raises", "it raised ZeroDivisionError: integer division or modulo by zero"),
        ("invariant_unhashable", "the value of an invariant must be None, a bool, an int"),
        ("invariant_of_nothing", "an invariant must return a value; it returned None"),
        ("invariant_random", "random.random is refused"),
        ("invariant_of_the_order", "an invariant must not depend on the order of records in an unordered domain"),
        ("invariant_that_remembers", "an invariant is not deterministic: two"),
    ],
)
def test_an_invariant_that_fails_is_one_line_with_the_data_set(name: str, expected: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        with_invariant(name, tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'claim.toml'}: multiverse.invariants[0]: ")
    assert expected in str(caught.value)
    assert "the data set (('no',), (" in str(caught.value)


@pytest.mark.parametrize("command", ["audit", "compare"])
def test_no_mechanism_ends_a_command_well(tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    written(tmp_path, "import os\ndef f(data, source):\n    os._exit(0)\n")
    file = tmp_path / "claim.toml"
    file.write_text(replaced(SCHEMA, ('name = "identity"', 'function = "foreign:f"')))
    assert main([command, *[str(file)] * (2 if command == "compare" else 1)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "foreign:f: its process ended without a result" in captured.err


def test_other_orders_are_other_orders_of_the_same_records() -> None:
    assert list(arrangements((("a",), ("a",)))) == []
    assert list(arrangements(5)) == []
    assert sorted(arrangements((1, 2, 2))) == [(2, 1, 2), (2, 2, 1)]
    assert len(set(arrangements((1, 2, 3, 4)))) == 23
    many = tuple(range(9))
    found = list(arrangements(many))
    assert found[0] == many[::-1]
    assert many not in found
    assert all(sorted(other) == sorted(many) for other in found)
    assert {(*many[:i], many[i + 1], many[i], *many[i + 2 :]) for i in range(8)} <= set(found)


def spin() -> None:
    while True:
        len("")


class TestTheTimeLimitOfOurOwnWork:
    def test_code_that_swallows_its_interruption_ends_the_process_with_status_2(self) -> None:
        text = (
            "import own_mechanisms\n"
            "from stirred.verify.evidence.process_control.time_limit import time_limit\n"
            "with time_limit(1, 'the audit'):\n    own_mechanisms.stubborn(None, None)\n"
        )
        paths = {"PYTHONPATH": os.pathsep.join((str(CLAIMS), *sys.path))}
        command, environment = [sys.executable, "-c", text], {**os.environ, **paths}
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("stirred: the audit took more than 1 s: it may loop for ever")

    def test_it_restores_handler_and_timer(self) -> None:
        before = signal.getsignal(signal.SIGALRM)
        begin = time.monotonic()
        with pytest.raises(InputError, match="waiting took more than 1 s"), time_limit(1, "waiting"):
            spin()
        assert time.monotonic() - begin < 20
        assert signal.getsignal(signal.SIGALRM) is before
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)

    def test_a_limit_inside_another_one_does_not_extend_it(self) -> None:
        with time_limit(50, "outside"):
            with pytest.raises(TimeIsUpError, match="inside"), time_limit(0.3, "inside"):
                spin()
            assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] < 49.8
        begin = time.monotonic()
        with (
            pytest.raises(TimeIsUpError, match="outside"),
            time_limit(0.2, "outside"),
            contextlib.suppress(InputError),
            time_limit(60, "inside"),
        ):
            spin()
        assert time.monotonic() - begin < 30

    def test_a_limit_outside_that_ends_an_inner_one_says_its_own_seconds(self) -> None:
        with pytest.raises(TimeIsUpError, match=r"^outside took more than 0\.2 s"), time_limit(0.2, "outside"):  # noqa: SIM117
            with time_limit(50, "between"), time_limit(60, "inside"):
                spin()

    def test_a_timer_that_is_no_limit_is_not_taken_for_one(self) -> None:
        handler = signal.signal(signal.SIGALRM, lambda *_: None)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try:
            with pytest.raises(TimeIsUpError, match="inside was interrupted by a timer"), time_limit(60, "inside"):
                spin()
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, handler)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("choices", 0, "choices must be at least 1; got 0"),
        ("seconds", -1, "seconds must be at least 1; got -1"),
        ("seconds", 0.5, "seconds must be an integer of at least 1; got 0.5"),
        ("jobs", True, "jobs must be an integer of at least 1; got True"),
        ("imports", "numpy", "imports must be a tuple of texts; got 'numpy'"),
        ("generator", "np", "generator must be one of numpy, random, source; got 'np'"),
    ],
)
def test_limits_are_checked_when_they_are_made(field: str, value: object, message: str) -> None:
    with pytest.raises(InputError) as refusal:
        Limits(**{field: value})  # type: ignore[arg-type]
    assert str(refusal.value) == message


def test_whoever_watches_is_told_how_many_data_sets_are_done(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    text = "def f(data, source):\n    return source.uniform(6) + len(data)\n"
    function = ForeignFunction("claim.toml: mechanism.function", "foreign:f", written(tmp_path, text))
    with watching(lambda *where: told.append(where)):
        function.laws(VOTES, {}, is_ordered=False)
    assert told[0] == ("laws", 0, len(VOTES))
    assert told[-1] == ("laws", len(VOTES), len(VOTES))


USED = {
    "pandas": "int(pandas.Series([row[0] == 'yes' for row in data]).sum())",
    "scipy.stats": "int(scipy.stats.binom.sf(0, 3, 0) + len(data))",
    "z3": "len(data) if z3.Solver().check() == z3.sat else 0",
    "sympy": "int(sympy.Rational(len(data)))",
    "matplotlib": "len(data)",
    "duckdb": "duckdb.sql('select 1 as a').fetchall()[0][0]",
    "pyarrow": "pyarrow.array([1, 2]).to_pylist()[0]",
}


@pytest.mark.parametrize("library", USED)
def test_a_module_that_imports_it_is_audited(tmp_path: Path, library: str) -> None:
    before = f"import {library}\nfrom fractions import Fraction\n"
    body = f"    return ({USED[library]}) + int(source.bernoulli(Fraction(1, 2)))\n"
    found = laws(tmp_path, f"{before}def f(data, source):\n{body}")
    for law in found.laws.values():
        assert sorted(law[output] for output in law.support) == [Fraction(1, 2)] * 2


DRAWS = {
    "a generator of its own": "import numpy as np\nRNG = np.random.default_rng()\n{}return int(RNG.integers(2))",
    "the global one": "import numpy as np\n{}return int(np.random.randint(2))",
    "a clock": "import datetime\n{}return datetime.datetime.now().microsecond",
    "a clock by its name": "from datetime import datetime\n{}return datetime.now().microsecond",
    "the clock of a class below": "import datetime\n{}return datetime.datetime.__mro__[0].utcnow().microsecond",
    "NumPy's clock": "import numpy as np\n{}return int(np.datetime64('now').astype('int64'))",
    "NumPy's day in an array": "import numpy as np\n{}return str(np.array(['today'], dtype='M8[D]')[0])",
    "random bytes of OpenSSL": "import ssl\n{}return ssl.RAND_bytes(1)[0]",
    "a state": "import random\n{}return random.Random().getstate()[1][0]",
    "an identifier": "import _uuid\n{}return _uuid.generate_time_safe()[0][0]",
    "a measure of the system": "import os\n{}return os.sysconf('SC_AVPHYS_PAGES')",
    "a database": "import sqlite3\n{}return sqlite3.connect(':memory:').execute('select random()').fetchone()[0]",
    "the day": "from datetime import date\n{}return date.today().day",
}


@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_beside_the_source_is_refused_however_it_was_imported(tmp_path: Path, name: str) -> None:
    text = DRAWS[name].format("def f(data, source):\n    ")
    assert " is refused: a mechanism must depend on its data and its source only" in refusal(tmp_path, text)
    assert " is refused: " in refusal(tmp_path, f"import pandas\n{text}")


data = st.recursive(
    st.one_of(st.integers(), st.text(), st.booleans(), st.fractions()),
    lambda inner: st.one_of(st.lists(inner).map(tuple), st.dictionaries(st.text(), inner)),
)


@given(data)
def test_what_is_sent_arrives(value):
    arrived = decoded(json.loads(json.dumps(encoded(value))))
    assert arrived == value
    assert repr(arrived) == repr(value)


@pytest.mark.parametrize(
    "rows",
    [
        [["1/2", "1/3"]], [["-1/2", "3/2"]], [["0.5", "0.5"]], [["1e0"]], [["1/0"]], [[1]], ["1"], {"0": "1"},
        [[]], [["١"]], [["+1"]], [["1 "]], [["1_0/10"]], None,
    ],
)  # fmt: skip
def test_weights_that_are_no_probabilities_are_refused(rows):
    with pytest.raises((InputError, ZeroDivisionError)):
        read_weights(rows)
    assert read_weights([["1/2", "1/2"], ["1"]]) == ((Fraction(1, 2),) * 2, (Fraction(1),))


@pytest.mark.parametrize("nodes", [[-1], [0.5], [True], ["1"], [], None, {"0": 1}, [1] * 11])
def test_nodes_that_are_no_numbers_are_refused(nodes):
    with pytest.raises(InputError):
        read_nodes(nodes, 10)


@pytest.mark.parametrize("texts", [["a\nb"], ["\x1b[2J"], [1], "ab", None, ["\u202e"]])
def test_texts_that_do_not_print_are_refused(texts):
    with pytest.raises(InputError):
        read_texts(texts)


def test_an_alarm_while_a_limit_is_left_changes_nothing(monkeypatch):
    real = signal.setitimer

    def setitimer(which, seconds, interval=0.0):
        if not seconds:
            signal.raise_signal(signal.SIGALRM)
        return real(which, seconds, interval)

    monkeypatch.setattr(signal, "setitimer", setitimer)
    before = signal.getsignal(signal.SIGALRM)
    with time_limit(60, "this"):
        pass
    with pytest.raises(TimeIsUpError, match=r"took more than 0\.01 s"), time_limit(0.01, "this"):
        time.sleep(60)
    assert signal.getsignal(signal.SIGALRM) is before
