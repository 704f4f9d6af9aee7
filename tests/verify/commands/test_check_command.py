"""`stirred check` ends what asks for more than its limits in one line, and says first what it does not compare."""

import json
import time

import pytest

from stirred.verify.cli import main

DEAR = {
    "a power of a power": "((9**9999)**9999)**9999 > 1",
    "a factorial": "factorial(10**9) > 1",
    "a binomial coefficient": "comb(10**9, 5*10**8) > 1",
    "a range": "len(range(10**12)) > 1",
    "nested loops": "all(a + b + c >= 0 for a in range(9999) for b in range(9999) for c in range(9999))",
    "nested comprehensions": "len([[[0 for c in range(9999)] for b in range(9999)] for a in range(9999)]) > 1",
    "subsets": "len(subsets(range(60))) > 1",
    "permutations": "len(permutations(range(30))) > 1",
    "a text times a number": "len('a' * 10**10) > 1",
    "members of one hash": f"len({{i * {2**61 - 1} for i in range(100000)}}) > 1",
    "a word that branches": "f(900) > 1",
    "long fractions": "sum(1/(3**9000 + n) for n in range(9999)) > 1",
}


def of(says, **changed):
    one = {"says": says, "is": True, "scope": "all", "names": [], "cases": [[]]}
    head = {"format": "stirred sentences 1", "claim": "c", "statement": "s", "without": ["PROVED by a theorem"]}
    return {**head, "words": {"f(n)": "1 if n < 1 else f(n - 1) + f(n - 1)"}, "sentences": [one], **changed}


@pytest.mark.parametrize("says", DEAR.values(), ids=DEAR)
def test_what_is_too_dear_is_ended_in_one_line_with_status_two(says, tmp_path, capsys):
    file = tmp_path / "dear.json"
    file.write_text(json.dumps(of(says)))
    begun = time.monotonic()
    assert main(["check", "--seconds", "1", "--memory", "300MB", str(file)]) == 2
    assert time.monotonic() - begun < 20
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    _, _, why = err.partition("dear.json: not checked: ")
    limits = (
        "it takes more than 1 s; --seconds gives it more",
        "it takes more than 300 MB of memory; --memory gives it",
    )
    assert why.startswith(limits)


def test_the_files_after_it_are_checked(tmp_path, capsys):
    for name, says in (("a.json", DEAR["a factorial"]), ("b.json", "1 < 2"), ("c.json", "1 > 2")):
        (tmp_path / name).write_text(json.dumps(of(says)))
    assert main(["check", "--seconds", "1", *(str(tmp_path / name) for name in ("a.json", "b.json", "c.json"))]) == 2
    out = capsys.readouterr().out
    assert "b.json: CONFIRMED: true of one case: 1 < 2" in out
    assert "c.json: NOT CONFIRMED: '1 > 2' is false" in out


def test_what_is_not_compared_and_trusted_stands_first(tmp_path, capsys):
    (tmp_path / "a.json").write_text(json.dumps(of("1 < 2")))
    assert main(["check", str(tmp_path / "a.json")]) == 0
    kinds = [line.split(": ")[1] for line in capsys.readouterr().out.splitlines()]
    assert kinds == ["not compared", "taken on trust", "not in the certificate", "CONFIRMED"]


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--seconds", "0", "--seconds must be"),
        ("--memory", "4", "--memory must be a whole number of kB, MB, GB or TB"),
    ],
)
def test_a_limit_that_is_none_is_one_line(option, value, message, capsys):
    assert main(["check", option, value, "a.json"]) == 2
    assert capsys.readouterr().err.startswith(f"stirred: {message}")
