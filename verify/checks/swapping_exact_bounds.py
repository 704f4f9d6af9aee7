"""Evidence for certified budgets of the article's demonstration: Massachusetts, 1940, two tenures in 14 counties."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from spec.loss import Loss
from verify.evidence import Evidence, formula_witness
from verify.ledger import checks, refutes
from verify.swapping.bounds import certified_two_category_budget
from verify.swapping.moved_mass import balanced_budget
from verify.verdict import Verdict


def _stated(found: Loss | None, stated: Fraction, scope: str) -> Evidence:
    """Whether a certified budget is below a stated number."""
    if found is None or found.gamma is None:
        return Evidence(Verdict.OPEN, scope, "no certificate closes")
    value = found.epsilon()
    if value.upper <= stated:
        return Evidence(Verdict.ENCLOSED, scope, f"eps = {value.text(5)}")
    witness = formula_witness(
        f"ln(gamma)/{found.distance} <= {stated.numerator}/{stated.denominator}", gamma=found.gamma
    )
    return Evidence(Verdict.REFUTED, scope, f"eps = {value.text(5)}", witness)


_CERTIFICATES = "the certificate's arithmetic; that it bounds the loss is the proof in verify.swapping.moved_mass"


def _households(shift: Fraction) -> Evidence:
    stated = {Fraction(1, 100): "8.64", Fraction(1, 20): "7.79", Fraction(1, 10): "7.38", Fraction(1, 2): "6.26"}
    found = [
        _stated(certified_two_category_budget(264_331, rate), Fraction(text) - shift, _CERTIFICATES)
        for rate, text in stated.items()
    ]
    weakest = min(found, key=lambda evidence: evidence.verdict)
    return Evidence(weakest.verdict, _CERTIFICATES, "; ".join(piece.detail for piece in found), weakest.witness)


@checks("psa.exact.massachusetts.households")
def households() -> Evidence:
    """The certified budgets at the article's b."""
    return _households(Fraction(0))


@refutes("psa.exact.massachusetts.households", "budgets lower by 1/2")
def households_lower() -> Evidence:
    """The mutant with lower budgets."""
    return _households(Fraction(1, 2))


@cache
def _dwellings() -> Loss | None:
    return balanced_budget(435_805, 708_619, Fraction(1, 2))


@checks("psa.exact.massachusetts.dwellings")
def dwellings() -> Evidence:
    """The certified budget for the margins of Table 1."""
    return _stated(_dwellings(), Fraction("1.66"), _CERTIFICATES)


@refutes("psa.exact.massachusetts.dwellings", "1.09 for 1.66")
def dwellings_lower() -> Evidence:
    """The mutant below ln 3."""
    return _stated(_dwellings(), Fraction("1.09"), _CERTIFICATES)
