"""Numbers that no draw is in: what doubles round is not decided, counts are, and infinity is known by each name."""

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.prove.found_function import in_file
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import stated

TEXT = """
A = 1e20
K = 3


def zero(x):
    if x == 0:
        return 1
    return 0


def f(q, rng, *, T, eps):
    x = 0.1 + 0.2
    y = x - 0.3
    n = 1
    n += K
    if {condition}:
        return {then}
    return {other}
"""
PRIVATE, LEAK = "sum(q) + rng.laplace(scale=1 / eps)", "sum(q)"
ROUNDED = [
    "0.1 + 0.2 == 0.3",
    "y == 0",
    "not y",
    "A + 1 - A == 1",
    "1e20 + K - 1e20 == K",
    "eps / 3 * 3 == eps",
    "eps + 1 - eps == 1",
    "zero(y) == 1",
    "zero(0.1 + 0.2 - 0.3) == 1",
    "max(y, 0) == 0",
    "abs(y) <= 0",
    "K == 3 and y == 0",
    "100000000000000000 + 1.0 - 100000000000000000 == 1",
    "(0.1 + 0.2 - 0.3 if n == 4 else 0) == 0",
    "n + y == 4",
    "int(y) == 0",
    "T + 0.1 - T == 0.1",
    "(T if T > 2 else T) - T == 0",
]
COUNTED = [
    "n == 4",
    "(1 if T > 2 else 1) == 1",
    "int(T > 2) >= 0",
    "zero(T) + 1 >= 1",
    "n + K > 6 and K >= 1",
    "zero(0) == 1",
    "not (n - 4)",
    "2 > 1 > 0",
]


def is_met(tmp_path, **parts):
    (tmp_path / "own.py").write_text(TEXT.format(**parts))
    found = in_file(tmp_path / "own.py", "f")
    return proof_of(stated("f", found, "one by 1", "eps", {}, generator="numpy"), explains=False).is_met


@pytest.mark.parametrize("condition", ROUNDED)
def test_what_doubles_round_is_not_decided(tmp_path, condition):
    with pytest.raises(InputError, match="decided by how doubles round"):
        is_met(tmp_path, condition=condition, then=PRIVATE, other=LEAK)


@pytest.mark.parametrize("condition", COUNTED)
def test_counts_are_decided(tmp_path, condition):
    assert is_met(tmp_path, condition=condition, then=PRIVATE, other=LEAK)
    assert not is_met(tmp_path, condition=condition, then=LEAK, other=PRIVATE)


def test_infinity_is_imported_by_its_name_too(tmp_path):
    (tmp_path / "own.py").write_text(
        "from math import inf\n\n\ndef f(q, rng, *, eps):\n    best, at = -inf, 0\n    for i, x in enumerate(q):\n"
        "        v = x + rng.laplace(scale=2 / eps)\n        if v > best:\n            best = v\n            at = i\n"
        "    return at\n"
    )
    claim = stated("f", in_file(tmp_path / "own.py", "f"), "each by 1", "eps", {}, generator="numpy")
    assert proof_of(claim, explains=False).is_met
