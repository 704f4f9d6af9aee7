"""Outcomes with real numbers that are drawn."""

from fractions import Fraction

import pytest

from stirred.verify.engines.real_noise.leaves import holds_real, parted


def test_leaves_are_taken_out_and_texts_stay():
    skeleton, leaves = parted(
        "(1/2 - exponential(exp(-1/2)), \"it's 0 + laplace(1)\", ('a', in(1/3, 1/2) + normal(4)), "
        "density('; 0: 0 -1 1'), between('0 + normal(1)', '1', None))"
    )
    assert skeleton == "(real, \"it's 0 + laplace(1)\", ('a', real), real, real)"
    assert [one.kind for one in leaves] == ["exponential", "normal", "density", "between"]
    assert (leaves[0].centre, leaves[0].sign, str(leaves[0].parameter)[:8]) == (Fraction(1, 2), -1, "e^(-1/2)")


@pytest.mark.parametrize(
    "text", ["'0 + laplace(1)'", "(3, 'laplace(2)')", "0 + discrete_laplace(1/2)", "b'1 + normal(2)'"]
)
def test_texts_and_integers_hold_none(text):
    assert not holds_real(text)
    assert parted(text) == (text, ())


def test_laws_on_a_path_are_leaves():
    rounded = """rounded("between('1 + normal(4)', '1/2', None)", 'nearest', '1', 1, 0)"""
    skeleton, leaves = parted(f"('density(', density('; 0: 0 -1 1'), {rounded})")
    assert skeleton == "('density(', real, real)"
    assert [(leaf.kind, leaf.text) for leaf in leaves] == [
        ("density", "density('; 0: 0 -1 1')"),
        ("rounded", rounded),
    ]
    assert holds_real(rounded)
