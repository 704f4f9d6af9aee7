"""A mechanism of the user's own: every way to fail gets one line, and none hangs or ends the auditor."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest
from claim_texts import CLAIMS, SCHEMA, replaced

from spec import InputError, Law, multisets
from verify.auditing.audit import AuditRecord, audit
from verify.auditing.claim_blocks import build_claim
from verify.auditing.claim_file import read_claims
from verify.auditing.user_mechanism import guarded_laws, load_function, time_limit

DOMAIN = multisets((("no",), ("yes",)), (2,))


def own(name: str, tmp_path: Path, **limits: int) -> AuditRecord:
    """The audit of one of the functions beside the claim files."""
    (tmp_path / "own_mechanisms.py").write_text((CLAIMS / "own_mechanisms.py").read_text(encoding="utf-8"))
    file = tmp_path / "claim.toml"
    file.write_text(replaced(SCHEMA, ('name = "identity"', f'function = "own_mechanisms:{name}"')), encoding="utf-8")
    (claim,) = read_claims([file])
    return audit(build_claim(claim), **limits)


FAILURES = {
    "raises": "it raised ZeroDivisionError: integer division or modulo by zero",
    "exits": "it raised SystemExit: 0",
    "recurses": "it recurses without end",
    "returns_nothing_for_some": "the mechanism must return an output; it returned None",
    "returns_a_law": "the mechanism must return one output drawn through its source",
    "unhashable": "the output of a mechanism must be hashable; got [0]",
    "inexact_weights": "weight 0 must be an exact number; got the float 0.5",
    "weights_above_one": "weights of a choice must sum to exactly 1; got 7/6",
    "random_elsewhere": "the mechanism must depend on its data and its source only",
    "remembers": "the mechanism must depend on its data and its source only",
    "remembers_and_raises": "the mechanism must depend on its data and its source only",
}


@pytest.mark.parametrize("name", FAILURES)
def test_a_failure_is_one_line_with_the_data_set(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        own(name, tmp_path)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(
        f"{tmp_path / 'claim.toml'}: mechanism: on the data set (('no',), ('no',)): {FAILURES[name]}"
    )


def test_endless_choices_end_at_the_choice_budget(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the mechanism made more than 50 choices: write rejection loops as"):
        own("chooses_for_ever", tmp_path, choices=50)


def test_an_endless_loop_ends_at_the_time_limit(tmp_path: Path) -> None:
    begin = time.monotonic()
    with pytest.raises(InputError, match="the audit of own took more than 1 s: it may loop for ever"):
        own("loops_for_ever", tmp_path, seconds=1)
    assert time.monotonic() - begin < 20


def test_code_that_swallows_its_interruption_ends_the_process_with_status_2() -> None:
    text = (
        "from verify.auditing.user_mechanism import load_function, time_limit\n"
        f"f = load_function('f', 'own_mechanisms:stubborn', __import__('pathlib').Path({str(CLAIMS)!r}))\n"
        "with time_limit(1, 'the audit'):\n    f(None, None)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("stirred: the audit took more than 1 s: it may loop for ever")


def test_the_time_limit_restores_handler_and_timer() -> None:
    before = signal.getsignal(signal.SIGALRM)
    loop = load_function("f", "own_mechanisms:loops_for_ever", CLAIMS)
    with pytest.raises(InputError, match="waiting took more than 1 s"), time_limit(1, "waiting"):
        loop(None, None)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def with_invariant(name: str, tmp_path: Path) -> str:
    (tmp_path / "own_mechanisms.py").write_text((CLAIMS / "own_mechanisms.py").read_text(encoding="utf-8"))
    file = tmp_path / "claim.toml"
    file.write_text(replaced(SCHEMA, ("invariants = []", f'invariants = ["own_mechanisms:{name}"]')), encoding="utf-8")
    return str(file)


def test_an_inequality_invariant_is_a_function_of_the_data_set(tmp_path: Path) -> None:
    (claim,) = read_claims([with_invariant("at_most_one_yes", tmp_path)])
    finite = build_claim(claim).finite
    assert finite is not None
    no, yes = ("no",), ("yes",)
    assert set(finite.multiverse) == {frozenset({(no, no), (no, yes)}), frozenset({(yes, yes)})}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("invariant_raises", "it raised ZeroDivisionError: integer division or modulo by zero"),
        ("invariant_unhashable", "an invariant must return a hashable value; got [('no',), ('no',)]"),
        ("invariant_of_nothing", "an invariant must return a value; it returned None"),
        ("invariant_random", "an invariant must depend on its data only; two calls gave different values"),
    ],
)
def test_an_invariant_that_fails_is_one_line_with_the_data_set(name: str, expected: str, tmp_path: Path) -> None:
    (claim,) = read_claims([with_invariant(name, tmp_path)])
    with pytest.raises(InputError) as caught:
        build_claim(claim)
    place = f"{tmp_path / 'claim.toml'}: multiverse.invariants[0]"
    assert str(caught.value) == f"{place}: on the data set (('no',), ('no',)): {expected}"


def test_what_a_mechanism_prints_goes_to_stderr(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own("prints", tmp_path)
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "a line that must not spoil the output" in printed.err


def test_the_laws_are_those_of_the_function() -> None:
    function = load_function("f", "own_mechanisms:noisy_vote", CLAIMS)
    laws = guarded_laws("f", function, DOMAIN, lie=Fraction(1, 3))
    # One of two votes is drawn, then reported falsely with 1/3: 1/2·1/3 + 1/2·2/3 = 1/2 for one yes among two.
    assert laws[("no",), ("no",)] == Law({True: Fraction(1, 3), False: Fraction(2, 3)})
    assert laws[("no",), ("yes",)] == Law({True: Fraction(1, 2), False: Fraction(1, 2)})


def test_modules_of_one_name_in_two_directories_do_not_collide(tmp_path: Path) -> None:
    for name, value in (("one", 1), ("two", 2)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.py").write_text(f"def f(data, source):\n    return {value}\n", encoding="utf-8")
    functions = [load_function("f", "same:f", tmp_path / name) for name in ("one", "two")]
    assert [function(None, None) for function in functions] == [1, 2]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("def g(data, source):\n    return 1\n", "f: 'm' has no 'f'; known: g"),
        ("def ff(data, source):\n    return 1\n", "f: 'm' has no 'f'; did you mean 'ff'?"),
        ("f = 3\n", "f: 'm:f' must be a function; got int"),
        (
            "async def f(data, source):\n    return 1\n",
            "f: 'm:f' must be a function that returns its output; got",
        ),
        ("def f(data, source):\n    yield 1\n", "f: 'm:f' must be a function that returns its output; got a"),
        ("def f(:\n", "f: importing 'm': it raised SyntaxError: invalid syntax"),
        ("1/0\n", "f: importing 'm': it raised ZeroDivisionError: division by zero"),
        ("raise SystemExit\n", "f: importing 'm': it raised SystemExit"),
    ],
)
def test_a_module_that_cannot_serve_is_refused_in_one_line(text: str, expected: str, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_function("f", "m:f", tmp_path)
    assert str(caught.value).startswith(expected)


def test_loading_leaves_the_path_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("def f(data, source):\n    return 1\n", encoding="utf-8")
    before = list(sys.path)
    load_function("f", "m:f", tmp_path)
    assert sys.path == before
