"""Altered certificates of sentences that would take long, or much memory, are refused in a line, soon and in little."""

import json
import resource
import subprocess
import sys
import time

import pytest

from stirred.verify.certificates.sentences import SentenceError, TooDearError, check, price

DOUBLED = {"w0(x)": "(x, x)", **{f"w{n}(x)": f"w{n - 1}(w{n - 1}(x))" for n in range(1, 8)}}
NESTED = {"n0(x)": "(" * 80 + "x" + ",)" * 80, **{f"n{n}(x)": f"n{n - 1}(" * 40 + "x" + ")" * 40 for n in range(1, 4)}}

DEAR = {
    "a power of a power": "((9**9999)**9999)**9999 > 1",
    "a product of powers in a loop": "all(9**9999 * 7**9999 > n for n in range(1000000))",
    "a factorial": "factorial(10**9) > 1",
    "a binomial coefficient": "comb(10**9, 5*10**8) > 1",
    "derangements": "derangements(10**9) > 1",
    "a range": "len(range(10**12)) > 1",
    "a downward range": "len(range(10**12, 0, -1)) > 1",
    "nested loops": "all(a + b + c >= 0 for a in range(9999) for b in range(9999) for c in range(9999))",
    "nested comprehensions": "len([[[0 for c in range(9999)] for b in range(9999)] for a in range(9999)]) > 1",
    "a loop of one long list": "any(all(b >= 0 for b in range(9999)) and a < 0 for a in range(9999999))",
    "subsets": "len(subsets(range(40))) > 1",
    "permutations": "len(permutations(range(30))) > 1",
    "a product": "len(product(range(999), range(999), range(999))) > 1",
    "a tuple times a number": "len((1,) * 10**10) > 1",
    "a text times a number": "len('a' * 10**10) > 1",
    "a number times a text": "10**10 * 'a' == 'a'",
    "a remainder": "(9**9999)**9 % 7 == 1",
    "members of one hash": f"len({{i * {2**61 - 1} for i in range(100000)}}) > 1",
    "keys of one hash": f"len({{i * {2**61 - 1}: 0 for i in range(100000)}}) > 1",
    "a floor of a large real": "floor(exp(10**9)) > 1",
    "long fractions": "sum(1/(3**9000 + n) for n in range(9999)) > 1",
    "reals": "sum(exp(ln(n + 2)) for n in range(99999999)) > 1",
    "a list that holds reals": "sum(1 for n in range(99999) if ln(2) in range(99999)) > 1",
    "sums of tuples": "len(sum(((n,) * 999 for n in range(999999)), ())) > 1",
    "equal parts, doubled": "w7(1) == w7(2)",
    "a set of what is doubled": "len({w7(1), w7(2)}) > 1",
    "depth": "len({n3(1)}) > 1",
    "a word that branches": "f(900) > 1",
    "slices": "any(len(x[1:]) < 0 for x in [range(999999)] for n in range(999999))",
    "sorting": "any(sorted(x) == () for x in [tuple(-n for n in range(99999))] for m in range(9999))",
}
WORDS = {"f(n)": "1 if n < 1 else f(n - 1) + f(n - 1)", **DOUBLED, **NESTED}


def of(says, words=WORDS, names=(), cases=((),)):
    one = {"says": says, "is": True, "scope": "all", "names": list(names), "cases": [list(case) for case in cases]}
    head = {"format": "stirred sentences 1", "claim": "c", "statement": "s", "without": []}
    return {**head, "words": words, "sentences": [one]}


@pytest.mark.nightly
@pytest.mark.parametrize("says", DEAR.values(), ids=DEAR)
def test_what_is_too_dear_is_refused_before_it_is_done(says):
    start = time.process_time()
    with pytest.raises(TooDearError, match="too dear: "):
        check(of(says))
    assert time.process_time() - start < 300


@pytest.mark.parametrize("says", DEAR.values(), ids=DEAR)
def test_with_a_hundredth_of_the_steps_it_is_refused_at_once(says, monkeypatch):
    monkeypatch.setattr(price, "_MOST_STEPS", price._MOST_STEPS // 100)
    with pytest.raises(TooDearError, match="too dear: "):
        check(of(says))


@pytest.mark.parametrize("exponent", [10**5, 10**9, 10**100])
def test_an_exponent_beyond_the_limit_is_none_of_the_format(exponent):
    with pytest.raises(SentenceError, match="exponent must be at most"):
        check(of(f"2**{exponent} > 1"))


def test_words_without_end_and_long_expressions_are_refused():
    with pytest.raises(SentenceError, match="RecursionError"):
        check(of("g(1) > 0", words={"g(n)": "g(n + 1)"}))
    with pytest.raises(SentenceError, match="at most 20000 characters"):
        check(of("1 + " * 9_999 + "1 > 0"))


def test_members_of_one_hash_in_a_case():
    members = {"set": [n * (2**61 - 1) for n in range(1_000)]}
    with pytest.raises(TooDearError, match="hashes in common"):
        check(of("len(s) > 1", names=["s"], cases=[[members]]))


def test_a_file_is_refused_in_one_line_with_the_status_of_what_was_not_checked(tmp_path, capsys):
    from stirred.verify.cli import main  # noqa: PLC0415 slow to load

    (tmp_path / "dear.json").write_text(json.dumps(of("factorial(10**9) > 1")))
    command = [sys.executable, "-m", "stirred.verify.certificates.sentences", "dear.json"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.count("\n") == 1
    assert "dear.json: not checked: too dear: a number would have more than 400,000 bits" in found.stderr
    assert main(["check", str(tmp_path / "dear.json")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "dear.json: not checked: too dear: a number would have more than 400,000 bits" in err


@pytest.mark.parametrize("name", ["a range", "subsets", "members of one hash", "equal parts, doubled"])
def test_little_memory_is_enough(tmp_path, name):
    (tmp_path / "dear.json").write_text(json.dumps(of(DEAR[name])))
    most = 2_000_000_000
    found = subprocess.run(
        [sys.executable, "-m", "stirred.verify.certificates.sentences", "dear.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)),
    )
    assert found.returncode == 2
    assert "too dear: " in found.stderr
