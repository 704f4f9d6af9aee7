"""Statements as a reader knows them: nothing is lost or said otherwise, and nothing of a text is markup."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.verify.ledger.book import claims
from stirred.verify.site.guide_pages import markdown
from stirred.verify.site.typeset import typeset


@pytest.mark.parametrize(
    ("written", "set_as"),
    [
        ("n_1 x_i", "n<sub>1</sub> x<sub>i</sub>"),
        ("rho^2 and Delta^2.", "ρ<sup>2</sup> and Δ<sup>2</sup>."),
        ("(b+1)^(1/2)", "(b+1)<sup>1/2</sup>"),
        ("e^{-eps d}", "e<sup>−ε d</sup>"),
        ("p**k", "p<sup>k</sup>"),
        ("||x||^2", "‖x‖<sup>2</sup>"),
        ("x -> y <-> z != 0", "x → y ↔ z ≠ 0"),
        ("n - 1 (-1, [-2", "n − 1 (−1, [−2"),
        ("2^1.5 e^ln(b)", "2^1.5 e^ln(b)"),
        ("psa_law, PH1_num, q_levels.x", "psa_law, PH1_num, q<sub>levels</sub>.x"),
        ("rho-zCDP, eps_D-DP, multi-delta", "ρ-zCDP, ε<sub>D</sub>-DP, multi-delta"),
        ("D_Mult^δ(P) = sup_S", "D<sub>Mult</sub><sup>δ</sup>(P) = sup<sub>S</sub>"),
        ("epsilonic deltas", "epsilonic deltas"),
    ],
)
def test_what_is_set(written, set_as):
    assert typeset(written) == set_as


MARK = re.compile(r"</?su[bp]>")
WRITTEN = {"ε": "eps", "−": "-", "→": "->", "≤": "<=", "≥": ">=", "≠": "!=", "↔": "<->", "‖": "||", "…": "..."}


@given(st.text(alphabet="ab_^{}()<>&'\"x1 -=|*.;#", max_size=40))
def test_no_text_becomes_markup_but_indices_and_powers(text):
    left = MARK.sub("", typeset(text))
    assert "<" not in left
    assert ">" not in left
    for tag in ("sub", "sup"):
        assert typeset(text).count(f"<{tag}>") == typeset(text).count(f"</{tag}>")


def test_every_statement_of_the_ledger_keeps_its_words():
    for one in claims():
        plain = re.findall(r"[A-Za-z]{9,}", one.statement)
        assert re.findall(r"[A-Za-z]{9,}", MARK.sub(" ", typeset(one.statement))) == plain, one.id


def test_docstrings_have_their_formulas_set_and_their_code_as_it_is():
    shown = markdown("E_γ(P) <= `E_γ(P)` <b>", formulas=True)
    assert shown == "<p>E<sub>γ</sub>(P) ≤ <code>E_γ(P)</code> &lt;b&gt;</p>\n"
